//! What terms add up to, and what is refused.

use crate::common::lobby_world::tables;
use matchwright_lobby::{Balance, LobbyObjective, LobbyTerms, TermsError};
use proptest::prelude::*;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

proptest! {
    #[test]
    fn terms_say_what_the_objective_says(seed in 0..u64::MAX, a in 1..5_usize, b in 1..5_usize) {
        let objective = tables(seed, 12, 0.02);
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut players: Vec<usize> = (0..12).collect();
        players.shuffle(&mut random);
        let (team_a, rest) = players.split_at(a);
        let team_b = &rest[..b];
        // Terms of some of the players only, in an order of their own.
        let mut listed: Vec<usize> = team_a.iter().chain(team_b).copied().collect();
        listed.push(rest[b]);
        listed.shuffle(&mut random);
        let place = |team: &[usize]| -> Vec<usize> {
            team.iter().map(|player| listed.iter().position(|other| other == player).unwrap()).collect()
        };
        let terms = objective.terms(&listed, (a, b)).unwrap();
        let (by_terms, directly) =
            (terms.quality(&place(team_a), &place(team_b)), objective.quality(team_a, team_b));
        prop_assert_eq!(by_terms.is_none(), directly.is_none());
        if let (Some(by_terms), Some(directly)) = (by_terms, directly) {
            prop_assert!((by_terms - directly).abs() < 1e-9);
            // Sides do not count.
            prop_assert!((terms.quality(&place(team_b), &place(team_a)).unwrap() - directly).abs() < 1e-9 || a != b);
        }
        prop_assert!(random.random::<f64>() < 1.0);
    }
}

#[test]
fn every_pair_gets_its_term_once() {
    let mates = |i: usize, j: usize| (i.min(j) * 100 + i.max(j)) as f64 / 1e5;
    let terms = LobbyTerms::new(70).unwrap();
    let terms = terms.with_pairs(
        |i, j| Some(mates(i, j)),
        |i, j| (i.abs_diff(j) != 33).then_some(0.5),
    );
    let terms = terms.unwrap();
    for i in 0..70 {
        for j in (0..70).filter(|&j| j != i) {
            assert_eq!(terms.together(i, j), Some(mates(i, j)), "{i} {j}");
            let allowed = i.abs_diff(j) != 33;
            assert_eq!(terms.against(i, j), allowed.then_some(0.5), "{i} {j}");
        }
    }
}

#[test]
fn what_is_no_term_is_refused_by_the_players_it_concerns() {
    let fine = |_: usize, _: usize| Some(0.1);
    let error = LobbyTerms::new(3)
        .unwrap()
        .with_pairs(|i, j| Some(if i + j == 3 { f64::NAN } else { 0.0 }), fine);
    assert_eq!(
        error.unwrap_err().to_string(),
        "the together term of players 1 and 2 is NaN: give a finite number, or None to forbid the pair"
    );
    let error = LobbyTerms::new(3)
        .unwrap()
        .with_pairs(fine, |i, j| Some(if i < j { 0.2 } else { 0.3 }));
    assert_eq!(
        error.unwrap_err().to_string(),
        "the against terms of players 0 and 1 differ with their order: 0.2 and 0.3"
    );
    let one_way = LobbyTerms::new(2)
        .unwrap()
        .with_pairs(|i, _| (i == 0).then_some(0.1), fine);
    assert!(matches!(one_way, Err(TermsError::Asymmetric { .. })));
    let balance = |levels: Vec<f64>, most| {
        LobbyTerms::new(2)
            .unwrap()
            .with_balance(Balance::new(levels, most, |_| 0.0))
    };
    assert!(matches!(
        balance(vec![1.0], 1.0),
        Err(TermsError::Length {
            given: 1,
            players: 2,
            ..
        })
    ));
    assert!(matches!(
        balance(vec![1.0, f64::NAN], 1.0),
        Err(TermsError::Balance { what: "level", .. })
    ));
    for most in [-1.0, f64::INFINITY, f64::NAN] {
        assert!(matches!(
            balance(vec![1.0, 2.0], most),
            Err(TermsError::Balance { what: "most", .. })
        ));
    }
    let links = |by_count: Vec<f64>| LobbyTerms::new(2).unwrap().with_links(|_, _| true, by_count);
    assert!(matches!(links(vec![]), Err(TermsError::Links { .. })));
    assert!(matches!(links(vec![0.0, -1.0]), Err(TermsError::Links { .. })));
}

#[test]
fn a_worth_stays_between_nothing_and_its_most() {
    let worth = |worth: f64| Balance::new(vec![0.0], 0.5, move |_| worth).worth(3.0);
    assert_eq!(
        [worth(0.2), worth(7.0), worth(-1.0), worth(f64::NAN)],
        [0.2, 0.5, 0.0, 0.0]
    );
}

#[test]
fn more_players_than_a_table_holds_are_refused() {
    for players in [LobbyTerms::MOST_PLAYERS + 1, 100_000, usize::MAX] {
        let error = LobbyTerms::new(players).unwrap_err();
        assert_eq!(
            error,
            TermsError::TooManyPlayers {
                players,
                most: LobbyTerms::MOST_PLAYERS
            }
        );
    }
}
