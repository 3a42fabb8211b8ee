//! The costs and the solver of this package keep the laws of pairing.

use downstream_solver::{Regions, TwoExchange};
use matchwright_solver::laws::{Claims, Law, check_all, check_oracle};
use matchwright_solver::{ExactPairing, Objective, PairingSolver, SolveError, verify};

#[test]
fn two_exchange_keeps_the_laws_of_a_heuristic() {
    for seed in 0..5 {
        check_all(&TwoExchange, Claims::heuristic(), seed).unwrap();
    }
}

#[test]
fn two_exchange_is_not_exact_and_the_laws_say_so() {
    let claims = Claims {
        exact: Some(Objective::Minimize),
        ..Claims::heuristic()
    };
    let violation = check_all(&TwoExchange, claims, 0).unwrap_err();
    assert_eq!(violation.law(), Law::Optimal);
}

#[test]
fn regions_keep_the_laws_of_an_oracle_and_are_solved() {
    let skills = [1500.0, 1610.0, 1480.0, 1700.0, 1530.0, 1490.0];
    let players = skills
        .into_iter()
        .zip([0, 1, 0, 1, 0, 0])
        .map(|(skill, region)| (region, skill));
    let mut regions = Regions {
        players: players.collect(),
    };
    check_oracle(&regions).unwrap();

    let pairing = ExactPairing::minimum()
        .solve(&regions)
        .unwrap();
    assert_eq!(pairing.mates(), [4, 3, 5, 1, 0, 2]);
    assert!(verify(&regions, &pairing).unwrap().is_exact());

    // Two regions of odd size: one player of each is left over.
    regions.players[0].0 = 1;
    let Err(SolveError::NoPerfectMatching(barrier)) =
        ExactPairing::minimum().solve(&regions)
    else {
        panic!("two odd regions cannot be paired");
    };
    assert_eq!((barrier.odd_components, barrier.unplaced.len()), (2, 2));
}
