//! All splitters beside brute force on small groups.

use matchwright_lobby::{
    BestSplit, BoundSource, ExhaustiveSplit, Group, SplitError, TeamSplit, TeamSplitter,
};
use proptest::prelude::*;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::objectives::{Plan, Summed, every_split, quality};

const SIZES: [&[usize]; 9] = [
    &[1, 1],
    &[3, 3],
    &[4, 4],
    &[5, 5],
    &[2, 4],
    &[1, 5],
    &[2, 2, 2],
    &[3, 3, 3],
    &[4, 2, 3],
];

#[derive(Debug, Clone)]
struct Case {
    sizes: &'static [usize],
    plan: Plan,
    seed: u64,
}

impl Case {
    /// Group and objective; parties of up to three, if they fit.
    fn draw(&self) -> (Group, Summed) {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        let mut players: Vec<usize> = (0..self.plan.players).collect();
        players.shuffle(&mut rng);
        let mut rest = players.clone();
        rest.shuffle(&mut rng);
        let mut parties = Vec::new();
        while rest.len() > 3 && rng.random_range(0..3) > 0 {
            parties.push(rest.split_off(rest.len() - rng.random_range(2..4)));
        }
        let group = Group::new(players, self.sizes).unwrap();
        let group = group.clone().with_parties(&parties).unwrap_or(group);
        (group, Summed::draw(self.plan, self.seed))
    }
}

fn cases() -> impl Strategy<Value = Case> {
    let flags = (any::<bool>(), any::<bool>());
    (
        0..SIZES.len(),
        0..3_usize,
        flags,
        prop_oneof![Just(0), Just(40), Just(300)],
        any::<u64>(),
    )
        .prop_map(|(sizes, balances, (signed, links), forbidden, seed)| Case {
            sizes: SIZES[sizes],
            plan: Plan {
                players: SIZES[sizes].iter().sum(),
                balances,
                signed,
                forbidden,
                links,
            },
            seed,
        })
}

fn brute_force(group: &Group, objective: &Summed) -> Option<f64> {
    let units: Vec<_> = group.parties().collect();
    let mut best: Option<f64> = None;
    every_split(&units, group.sizes(), &mut |teams| {
        let now = quality(teams, objective);
        best = best.max_by_value(now);
    });
    best
}

trait MaxByValue {
    fn max_by_value(self, other: Self) -> Self;
}

impl MaxByValue for Option<f64> {
    fn max_by_value(self, other: Self) -> Self {
        match (self, other) {
            (Some(a), Some(b)) => Some(a.max(b)),
            (a, b) => a.or(b),
        }
    }
}

/// All that the contract of a splitter says of an answer, beside the best there is.
fn check(group: &Group, objective: &Summed, best: f64, split: &TeamSplit) {
    let mut all: Vec<_> = split.teams.concat();
    all.sort_unstable();
    assert_eq!(all, (0..group.players().len()).collect::<Vec<_>>());
    assert_eq!(
        split.teams.iter().map(Vec::len).collect::<Vec<_>>(),
        group.sizes()
    );
    for party in group.parties() {
        assert!(
            split
                .teams
                .iter()
                .any(|team| party.iter().all(|player| team.contains(player)))
        );
    }
    let place = |player: &usize| group.players().iter().position(|other| other == player);
    assert!(split.teams.iter().all(|team| team.is_sorted_by_key(place)));
    for (team, next) in split.teams.iter().zip(&split.teams[1..]) {
        assert!(team.len() != next.len() || place(&team[0]) < place(&next[0]));
    }
    let stated = quality(&split.teams, objective).unwrap();
    assert!(
        (split.quality - stated).abs() < 1e-12,
        "{} {stated}",
        split.quality
    );
    assert!(split.quality <= best + 1e-12);
    assert!(split.bound >= best - 1e-9, "bound {} below {best}", split.bound);
    assert!((split.quality..=1.0).contains(&split.bound));
    if split.is_optimal() {
        assert!(
            (split.quality - best).abs() < 1e-9,
            "{} is not {best}",
            split.quality
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_splitter_keeps_the_contract_and_the_exact_ones_find_the_best(case in cases()) {
        let (group, open) = case.draw();
        let secret = Summed { secret: true, ..open.clone() };
        let best = brute_force(&group, &open);
        let search = BestSplit::new().with_splits(0).with_tries(3000).with_evaluations(100);
        let splitters: [(&dyn TeamSplitter, &Summed, bool); 5] = [
            (&ExhaustiveSplit, &open, true),
            (&BestSplit::new(), &open, true),
            (&BestSplit::new(), &secret, true),
            (&search, &open, false),
            (&search.with_tries(1).with_evaluations(1), &open, false),
        ];
        for (at, (splitter, objective, exact)) in splitters.into_iter().enumerate() {
            let answer = splitter.split(&group, objective);
            prop_assert_eq!(&answer, &splitter.split(&group, objective));
            match (best, answer) {
                (Some(best), Ok(split)) => {
                    check(&group, objective, best, &split);
                    prop_assert!(!exact || split.is_optimal(), "splitter {} leaves {}", at, split.gap());
                }
                (None, Err(SplitError::NoAllowedSplit { .. } | SplitError::NotFound { .. })) => {}
                (Some(_), Err(SplitError::NotFound { .. })) => prop_assert!(!exact && group.sizes().len() > 2),
                (best, answer) => prop_assert!(false, "splitter {}: {:?} for {:?}", at, answer, best),
            }
        }
    }

    #[test]
    fn the_order_of_players_changes_no_proven_quality(case in cases()) {
        let (group, objective) = case.draw();
        let parties: Vec<_> = group.parties().collect();
        let mut players = group.players().to_vec();
        players.reverse();
        let other = Group::new(players, group.sizes()).unwrap();
        let other = other.with_parties(&parties).unwrap();
        let find = |group: &Group| ExhaustiveSplit.split(group, &objective).ok().map(|split| split.quality);
        let proven = |group: &Group| BestSplit::new().split(group, &objective).ok().filter(TeamSplit::is_optimal);
        match (find(&group), find(&other)) {
            (Some(one), Some(two)) => prop_assert!((one - two).abs() < 1e-12),
            (one, two) => prop_assert_eq!(one, two),
        }
        if let (Some(one), Some(two)) = (proven(&group), proven(&other)) {
            prop_assert!((one.quality - two.quality).abs() < 1e-9);
        }
    }
}

/// Exchanges alone find the best of nearly all small groups, so that a broken delta would show.
#[test]
fn exchanges_find_the_best_of_most_small_groups() {
    let (mut found, mut all) = (0, 0);
    for seed in 0..60 {
        for sizes in SIZES {
            let plan = Plan {
                players: sizes.iter().sum(),
                balances: 1,
                signed: true,
                forbidden: 0,
                links: false,
            };
            let case = Case { sizes, plan, seed };
            let (group, objective) = case.draw();
            let search = BestSplit::new().with_splits(0).with_evaluations(1000);
            let split = search.split(&group, &objective).unwrap();
            let best = brute_force(&group, &objective).unwrap();
            all += 1;
            found += u32::from(split.quality >= best - 1e-12);
            if sizes.len() == 2 {
                assert_eq!(split.source, BoundSource::Relaxation);
            }
        }
    }
    assert!(found * 100 >= all * 97, "{found} of {all}");
}
