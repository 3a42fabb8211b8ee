//! The public law suite on a foreign implementation, alone and in company.

use downstream_scoring::{Distance, Place};
use matchwright_scoring::laws::{check_all, check_symmetry};
use matchwright_scoring::{MatchScorer, SkillGapParams, Viewed, WeightedSum};

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
    .check()
    .unwrap();
    let parts: Vec<(f64, Box<dyn MatchScorer<(Place, Place)>>)> = vec![
        (1.0, Box::new(DISTANCE)),
        (
            1.0,
            Box::new(Viewed::new(gap, |pair: &(Place, Place)| (pair.0.x, pair.1.x))),
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
