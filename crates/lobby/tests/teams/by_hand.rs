//! Examples worked by hand.

use std::sync::atomic::{AtomicU64, Ordering};

use matchwright_lobby::{BestSplit, BoundSource, ExhaustiveSplit, Group, LobbyObjective, TeamSplitter};

use super::objectives::Summed;

/// Six players have ten splits. Sums of 26: 13 and 13 by 7 + 4 + 2, and by nothing else.
#[test]
fn six_players_have_ten_splits_and_the_even_one_is_found() {
    let skills = [7.0, 6.0, 5.0, 4.0, 2.0, 2.0];
    let asked = AtomicU64::new(0);
    let sum = |team: &[usize]| team.iter().map(|&player| skills[player]).sum::<f64>();
    let balance = |a: &[usize], b: &[usize]| {
        asked.fetch_add(1, Ordering::Relaxed);
        Some(1.0 - (sum(a) - sum(b)).abs() / 26.0)
    };
    let group = Group::equal([0, 1, 2, 3, 4, 5], 2).unwrap();
    let split = BestSplit::new().split(&group, &balance).unwrap();
    assert_eq!(asked.into_inner(), 10);
    assert_eq!(split.teams, [[0, 3, 4], [1, 2, 5]]);
    assert_eq!((split.quality, split.source), (1.0, BoundSource::Complete));
}

/// Five against five with a trio and a duo: the trio's 27 and the best two alone that even it out.
#[test]
fn ten_players_with_a_trio_and_a_duo() {
    // The trio 0, 1, 2 has 9 + 9 + 9; the duo 3, 4 has 8 + 1; alone are 7, 6, 4, 2, 1: 56 in all.
    let skills = vec![9.0, 9.0, 9.0, 8.0, 1.0, 7.0, 6.0, 4.0, 2.0, 1.0];
    let objective = Summed {
        balances: vec![(skills, 1.0, 10.0)],
        ..Summed::default()
    };
    let group = Group::equal((0..10).collect::<Vec<_>>(), 2).unwrap();
    let group = group.with_parties(&[vec![2, 0, 1], vec![4, 3]]).unwrap();
    // 28 each would be the trio and 1 more of two players, of whom the least two have 3: 30 against 26, a gap of 0.8.
    let secret = Summed {
        secret: true,
        ..objective.clone()
    };
    for objective in [&objective, &secret] {
        let split = BestSplit::new().split(&group, objective).unwrap();
        assert_eq!(split.teams, [[0, 1, 2, 8, 9], [3, 4, 5, 6, 7]]);
        assert!((split.quality - 0.92).abs() < 1e-12);
        assert!(split.is_optimal());
    }
}

/// Teams of four and two, where the means count and not the sums.
#[test]
fn uneven_teams_are_balanced_by_their_means() {
    let objective = Summed {
        balances: vec![(vec![9.0, 1.0, 4.0, 4.0, 6.0, 6.0], 1.0, 10.0)],
        ..Summed::default()
    };
    // Mean 5 in both: a pair of 10 is 9 + 1, 4 + 6 in four ways; the first in order has player 2 and 4 in the team of
    // two, that is the last of the lexicographic order of the team of four, so the first of it wins.
    let group = Group::new([0, 1, 2, 3, 4, 5], [4, 2]).unwrap();
    let split = ExhaustiveSplit.split(&group, &objective).unwrap();
    assert_eq!(split.teams, [vec![0, 1, 2, 4], vec![3, 5]]);
    assert_eq!(split.quality, 1.0);
    for splitter in [
        &BestSplit::new() as &dyn TeamSplitter,
        &BestSplit::new().with_splits(0),
    ] {
        let split = splitter.split(&group, &objective).unwrap();
        assert!(split.is_optimal() && split.quality == 1.0);
        assert_eq!(split.teams.iter().map(Vec::len).collect::<Vec<_>>(), [4, 2]);
    }
}

/// More than two teams are as good as the worst pair of them.
struct WorstPair(Summed);

impl LobbyObjective for WorstPair {
    fn quality(&self, team_a: &[usize], team_b: &[usize]) -> Option<f64> {
        self.0.quality(team_a, team_b)
    }

    fn quality_of(&self, teams: &[Vec<usize>]) -> Option<f64> {
        let pairs = (0..teams.len()).flat_map(|k| (0..k).map(move |l| (l, k)));
        pairs
            .map(|(l, k)| self.quality(&teams[l], &teams[k]))
            .reduce(|a, b| Some(a?.min(b?)))?
    }
}

/// Three teams of two, levels 1 to 6: 7 each, a perfect match of any two.
#[test]
fn three_teams_of_two() {
    let objective = Summed {
        balances: vec![((1..7).map(f64::from).collect(), 1.0, 10.0)],
        ..Summed::default()
    };
    let (mean, worst) = ((0.7 + 0.7 + 1.0) / 3.0, 0.7);
    let objectives: [(&dyn LobbyObjective, f64); 2] =
        [(&objective, mean), (&WorstPair(objective.clone()), worst)];
    for (objective, expected) in objectives {
        let group = Group::equal([0, 1, 2, 3, 4, 5], 3).unwrap();
        for splitter in [
            &BestSplit::new() as &dyn TeamSplitter,
            &ExhaustiveSplit,
            &BestSplit::new().with_splits(0),
        ] {
            let split = splitter.split(&group, objective).unwrap();
            assert_eq!(split.teams, [[0, 5], [1, 4], [2, 3]]);
            assert_eq!((split.quality, split.bound), (1.0, 1.0));
        }
        // The party of 6 + 5 leaves sums of 11 against 5 and 5: gaps of means 3, 3 and 0.
        let group = group.with_parties(&[vec![4, 5]]).unwrap();
        let split = BestSplit::new().split(&group, objective).unwrap();
        assert_eq!(split.teams, [[0, 3], [1, 2], [4, 5]]);
        assert!((split.quality - expected).abs() < 1e-12);
    }
}

/// Two circles of friends of four: each a team, 1 for every pair of mates of one circle.
#[test]
fn the_relaxation_is_exact_where_two_halves_attract() {
    let friends = |i: usize, j: usize| if i % 2 == j % 2 { 1.0 } else { 0.0 };
    let pairs = (0..40)
        .map(|i| (0..40).map(|j| [Some(friends(i, j)), Some(0.0)]).collect())
        .collect();
    let objective = Summed {
        pairs,
        ..Summed::default()
    };
    let group = Group::equal((0..40).collect::<Vec<_>>(), 2).unwrap();
    let split = BestSplit::new().split(&group, &objective).unwrap();
    assert_eq!(split.teams[0], (0..40).step_by(2).collect::<Vec<_>>());
    assert!((split.quality - 0.4).abs() < 1e-12);
    assert_eq!(split.source, BoundSource::Relaxation);
    assert!(split.gap() < 1e-3, "{}", split.gap());
}
