//! The public law suite on a foreign implementation, alone and in company.

use downstream_scoring::{Company, Distance, Place};
use matchwright_scoring::laws::{check_all, check_factor, check_symmetry, check_teams};
use matchwright_scoring::{MatchScorer, Player, Pool, Premades, ScoringPolicy, SkillGapParams, TeamMatch, Projection, WeightedFactor, WeightedSum};

const DISTANCE: Distance = Distance {
    near: 100.0,
    far: 2000.0,
};

fn pairs() -> Vec<(Place, Place)> {
    let line = [0.0, 50.0, 700.0, 1999.0, 2001.0, 1e300, f64::NAN];
    let places: Vec<Place> = line.iter().flat_map(|&x| line.map(|y| Place { x, y })).collect();
    places
        .iter()
        .flat_map(|&a| places.iter().map(move |&b| (a, b)))
        .collect()
}

#[test]
fn a_foreign_scorer_passes_the_laws() {
    check_all(&DISTANCE, pairs()).unwrap();
    check_symmetry(&DISTANCE, pairs()).unwrap();
}

#[test]
fn a_foreign_scorer_combines_with_the_crates_own() {
    let gap = SkillGapParams {
        scale: 1000.0,
        cap: None,
    }
    .build()
    .unwrap();
    let parts: Vec<(f64, Box<dyn MatchScorer<(Place, Place)>>)> = vec![
        (1.0, Box::new(DISTANCE)),
        (
            1.0,
            Box::new(Projection::new(gap, |pair: &(Place, Place)| (pair.0.x, pair.1.x))),
        ),
    ];
    let sum = WeightedSum::new(parts).unwrap();
    check_all(&sum, pairs()).unwrap();
    check_symmetry(&sum, pairs()).unwrap();
    let home = Place { x: 0.0, y: 0.0 };
    assert_eq!(
        sum.quality(&(home, Place { x: 500.0, y: 0.0 })),
        Some((1500.0 / 1900.0 + 0.5) / 2.0)
    );
    assert_eq!(sum.quality(&(home, Place { x: 2000.0, y: 0.0 })), None);
}

#[test]
fn a_foreign_factor_passes_the_laws_of_teams_and_joins_a_policy() {
    let player = |(id, games, party): (&str, u64, Option<&str>)| Player {
        experience: Some(games),
        party: party.map(str::to_owned),
        ..Player::new(id)
    };
    let players = [
        ("a", 5, Some("x")),
        ("b", 900, Some("x")),
        ("c", 400, None),
        ("d", 700, None),
        ("e", 9, None),
    ];
    let pool = Pool::new(players.map(player).into()).unwrap();
    let company = || Company { games: 100.0 };
    let teams: [[&[usize]; 2]; 3] = [[&[0, 1], &[2, 3]], [&[0, 1], &[2, 4]], [&[1], &[2, 3]]];
    let candidates = || teams.iter().map(|teams| TeamMatch::new(&pool, teams).unwrap());
    check_factor(&company(), candidates()).unwrap();
    let premades = Premades::default();
    let policy = ScoringPolicy::new(vec![
        WeightedFactor::new(1.0, company()),
        WeightedFactor::new(3.0, premades),
    ])
    .unwrap();
    policy.check_pool(&pool).unwrap();
    check_teams(&policy, candidates()).unwrap();
    let qualities: Vec<Option<f64>> = candidates().map(|candidate| policy.quality(&candidate)).collect();
    assert_eq!(qualities, [Some(0.0), Some(0.25), Some(1.0)]);
}
