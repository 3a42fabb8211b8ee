//! The scorers of this crate against the law suite, and sorting by skill against every pairing.

use matchwright_scoring::laws::{check_all, check_symmetry};
use matchwright_scoring::{
    ChurnByOutcome, EommScorer, MatchScorer, OutcomeChances, Projection, SkillGap, SkillGapParams,
    WeightedSum,
};
use proptest::prelude::*;

type Pair = ((f64, ChurnByOutcome), (f64, ChurnByOutcome));

fn gap(cap: Option<f64>) -> SkillGap {
    SkillGapParams { scale: 500.0, cap }.build().unwrap()
}

fn eomm() -> impl MatchScorer<Pair> {
    let chances = |a: &(f64, ChurnByOutcome), b: &(f64, ChurnByOutcome)| {
        let share = |lead: f64| 0.8 / (1.0 + (-lead / 200.0).exp());
        OutcomeChances::new(share(a.0 - b.0), 0.2, share(b.0 - a.0)).ok()
    };
    EommScorer::new(chances, |player: &(f64, ChurnByOutcome)| player.1)
}

fn pairs() -> Vec<Pair> {
    let mut players = Vec::new();
    for skill in [-1e6, 0.0, 1200.0, 1500.0, 1500.5, 2900.0, 1e6] {
        for (win, draw, loss) in [(0.0, 0.0, 0.0), (1.0, 1.0, 1.0), (0.2, 0.3, 0.5), (0.5, 0.3, 0.2)] {
            players.push((skill, ChurnByOutcome::new(win, draw, loss).unwrap()));
        }
    }
    players
        .iter()
        .flat_map(|&a| players.iter().map(move |&b| (a, b)))
        .collect()
}

#[test]
fn every_scorer_keeps_the_laws_and_is_symmetric() {
    let skills = |pair: &Pair| (pair.0.0, pair.1.0);
    let parts: Vec<(f64, Box<dyn MatchScorer<Pair>>)> = vec![
        (4.0, Box::new(eomm())),
        (1.0, Box::new(Projection::new(gap(None), skills))),
        (0.0, Box::new(Projection::new(gap(Some(600.0)), skills))),
    ];
    let sum = WeightedSum::new(parts).unwrap();
    let scorers: [&dyn MatchScorer<Pair>; 3] = [&eomm(), &Projection::new(gap(Some(300.0)), skills), &sum];
    for scorer in scorers {
        check_all(scorer, pairs()).unwrap();
        check_symmetry(scorer, pairs()).unwrap();
    }
    let forbidden = pairs().iter().filter(|pair| sum.quality(pair).is_none()).count();
    assert!(forbidden > 0 && forbidden < pairs().len());
}

#[test]
fn scorers_are_forwarded_through_references_and_boxes() {
    let boxed: Box<dyn MatchScorer<(f64, f64)>> = Box::new(gap(None));
    let skills = (1500.0, 1600.0);
    assert_eq!(boxed.quality(&skills), Some(0.8));
    let reference: &dyn MatchScorer<(f64, f64)> = &boxed;
    assert_eq!(MatchScorer::quality(&reference, &skills), Some(0.8));
}

proptest! {
    #[test]
    fn neighbours_by_skill_have_the_greatest_total_quality(
        mut s in prop::collection::vec(1000.0..1400.0_f64, 4),
    ) {
        s.sort_by(f64::total_cmp);
        let total = |pairing: [(usize, usize); 2]| -> f64 {
            pairing.iter().map(|&(i, j)| gap(None).quality(&(s[i], s[j])).unwrap()).sum()
        };
        let neighbours = total([(0, 1), (2, 3)]);
        prop_assert!(neighbours >= total([(0, 2), (1, 3)]) - 1e-12);
        prop_assert!(neighbours >= total([(0, 3), (1, 2)]) - 1e-12);
    }
}
