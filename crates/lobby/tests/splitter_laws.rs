//! The laws of splitters pass ours and catch those that are wrong.

use std::sync::atomic::{AtomicUsize, Ordering};

use matchwright_lobby::laws::{Law, check_splitter};
use matchwright_lobby::{
    BestSplit, ExhaustiveSplit, Group, LobbyObjective, SplitError, TeamSplit, TeamSplitter,
};
use matchwright_solver::Limits;

#[test]
fn our_splitters_keep_the_laws() {
    for seed in 0..4 {
        check_splitter(&ExhaustiveSplit, seed).unwrap();
        check_splitter(&BestSplit::new(), seed).unwrap();
        check_splitter(
            &BestSplit::new()
                .with_splits(0)
                .with_tries(200)
                .with_evaluations(20),
            seed,
        )
        .unwrap();
        check_splitter(
            &BestSplit::new().with_splits(0).with_tries(1).with_evaluations(1),
            seed,
        )
        .unwrap();
    }
}

/// Ours, with something done to the answer.
struct Wrong<F>(F);

impl<F: Fn(&Group, &mut TeamSplit)> TeamSplitter for Wrong<F> {
    fn split_within(
        &self,
        group: &Group,
        objective: &dyn LobbyObjective,
        _: &Limits<'_>,
    ) -> Result<TeamSplit, SplitError> {
        let mut split = ExhaustiveSplit.split(group, objective)?;
        (self.0)(group, &mut split);
        Ok(split)
    }
}

fn broken(wrong: impl Fn(&Group, &mut TeamSplit)) -> Option<Law> {
    check_splitter(&Wrong(wrong), 3)
        .err()
        .map(|violation| violation.law())
}

/// No answer at all.
struct Never;

impl TeamSplitter for Never {
    fn split_within(
        &self,
        _: &Group,
        _: &dyn LobbyObjective,
        _: &Limits<'_>,
    ) -> Result<TeamSplit, SplitError> {
        Err(SplitError::NoAllowedSplit { tried: 0 })
    }
}

#[test]
fn each_law_catches_who_breaks_it() {
    assert_eq!(broken(|_, _| {}), None);
    assert_eq!(
        broken(|_, split| split.teams[0][0] = split.teams[1][0]),
        Some(Law::Seats)
    );
    assert_eq!(
        broken(|_, split| {
            let player = split.teams[0].pop().unwrap();
            split.teams[1].push(player);
        }),
        Some(Law::Seats)
    );
    let torn = |group: &Group, split: &mut TeamSplit| {
        if group.parties().any(|party| party.len() > 1) {
            let (one, two) = split.teams.split_at_mut(1);
            std::mem::swap(&mut one[0][0], &mut two[0][0]);
        }
    };
    assert_eq!(broken(torn), Some(Law::Parties));
    assert_eq!(broken(|_, split| split.quality += 1e-6), Some(Law::SplitQuality));
    assert_eq!(broken(|_, split| split.bound -= 1e-6), Some(Law::SplitBound));
    assert_eq!(
        broken(|_, split| split.bound = f64::NAN),
        Some(Law::Deterministic)
    );
    let turns = AtomicUsize::new(0);
    let moody = |_: &Group, split: &mut TeamSplit| {
        if turns.fetch_add(1, Ordering::Relaxed) % 2 == 1 {
            split.teams.reverse();
        }
    };
    assert_eq!(broken(moody), Some(Law::Deterministic));
    assert_eq!(check_splitter(&Never, 3).unwrap_err().law(), Law::Answers);
}

/// A bound that is what a split of half the effort found.
struct Hasty;

impl TeamSplitter for Hasty {
    fn split_within(
        &self,
        group: &Group,
        objective: &dyn LobbyObjective,
        _: &Limits<'_>,
    ) -> Result<TeamSplit, SplitError> {
        let mut split = BestSplit::new()
            .with_splits(0)
            .with_tries(1)
            .with_evaluations(1)
            .split(group, objective)?;
        split.bound = split.quality;
        Ok(split)
    }
}

#[test]
fn a_bound_below_a_better_split_is_caught() {
    assert_eq!(check_splitter(&Hasty, 3).unwrap_err().law(), Law::SplitBound);
}
