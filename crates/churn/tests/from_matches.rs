//! Data sets from matches: the rows and labels that a walk through each player's matches gives.

use matchwright_churn::{
    Dataset, ExtendedHistory, FeatureHistory, HistoryError, Horizon, Label, LabelError, MatchObserved,
    MatchesError, Outcome, PlayerHistory, RowParams, label_matches,
};
use proptest::prelude::*;

/// Matches of a few players in order of time.
fn any_matches() -> impl Strategy<Value = Vec<(u64, MatchObserved)>> {
    prop::collection::vec((0_u64..5, 0_i64..9_000, 0_usize..3, -3.0_f64..3.0), 0..60).prop_map(|entries| {
        let mut time = 0;
        entries
            .into_iter()
            .map(|(player, gap, outcome, goal_difference)| {
                time += gap;
                let observed = MatchObserved {
                    time,
                    outcome: Outcome::ALL[outcome],
                    goal_difference,
                };
                (player << 40, observed)
            })
            .collect()
    })
}

fn lost(time: i64) -> MatchObserved {
    MatchObserved {
        time,
        outcome: Outcome::Loss,
        goal_difference: -1.0,
    }
}

/// Index, row and label of every labelled match, player by player.
fn by_hand<H: FeatureHistory>(
    newcomer: &H,
    matches: &[(u64, MatchObserved)],
    horizon: Horizon,
    until: i64,
) -> Vec<(usize, Vec<f64>, bool)> {
    let mut rows = vec![];
    for player in 0..5_u64 {
        let own: Vec<usize> = (0..matches.len())
            .filter(|&index| matches[index].0 == player << 40)
            .collect();
        let times: Vec<i64> = own.iter().map(|&index| matches[index].1.time).collect();
        let mut history = newcomer.clone();
        for (&index, label) in own.iter().zip(label_matches(&times, horizon, until).unwrap()) {
            let observed = &matches[index].1;
            let mut row = vec![0.0; history.columns().len()];
            history
                .write_row(observed.time, observed.outcome, &mut row)
                .unwrap();
            if label != Label::Censored {
                rows.push((index, row, label == Label::Churned));
            }
            history.push(observed).unwrap();
        }
    }
    rows.sort_by_key(|row| row.0);
    rows
}

proptest! {
    #[test]
    fn rows_are_those_of_a_walk_through_each_players_matches(matches in any_matches(), after in 0_i64..9_000) {
        let until = matches.last().map_or(0, |entry| entry.1.time) + after;
        let horizon = Horizon::hours(2);
        let params = RowParams { horizon, observed_until: Some(until), ..RowParams::default() };
        let data = Dataset::from_matches(&PlayerHistory::new(), &matches, &params).unwrap();
        let expected = by_hand(&PlayerHistory::new(), &matches, horizon, until);
        prop_assert_eq!(data.len(), expected.len());
        for (row, (index, values, churned)) in expected.iter().enumerate() {
            prop_assert_eq!(data.row(row), &values[..]);
            prop_assert_eq!(data.labels()[row], *churned);
            prop_assert_eq!(data.groups().unwrap()[row], matches[*index].0);
            prop_assert_eq!(data.times().unwrap()[row], matches[*index].1.time);
        }
    }

    #[test]
    fn a_draw_keeps_so_many_of_the_rows_in_their_order(matches in any_matches(), most in 0_usize..40, seed in any::<u64>()) {
        let all = Dataset::from_matches(&ExtendedHistory::new(), &matches, &RowParams::default()).unwrap();
        let params = RowParams { max_rows: Some(most), seed, ..RowParams::default() };
        let some = Dataset::from_matches(&ExtendedHistory::new(), &matches, &params).unwrap();
        prop_assert_eq!(some.len(), most.min(all.len()));
        let mut next = 0;
        for row in 0..some.len() {
            let same = |at: &usize| all.row(*at) == some.row(row) && all.groups().unwrap()[*at] == some.groups().unwrap()[row];
            let found = (next..all.len()).find(same);
            prop_assert!(found.is_some(), "row {} is not among those after {}", row, next);
            next = found.unwrap() + 1;
        }
        prop_assert_eq!(some, Dataset::from_matches(&ExtendedHistory::new(), &matches, &params).unwrap());
    }
}

#[test]
fn another_seed_draws_other_rows() {
    let matches: Vec<(u64, MatchObserved)> = (0..200).zip(0..).map(|(i, k)| (i % 7, lost(600 * k))).collect();
    let draw = |seed| {
        let params = RowParams {
            max_rows: Some(50),
            seed,
            ..RowParams::default()
        };
        Dataset::from_matches(&PlayerHistory::new(), &matches, &params).unwrap()
    };
    assert_eq!(draw(1), draw(1));
    assert_ne!(draw(1).times(), draw(2).times());
}

#[test]
fn what_does_not_fit_names_the_player() {
    let build = |matches: &[(u64, MatchObserved)], params: RowParams| {
        Dataset::from_matches(&PlayerHistory::new(), matches, &params)
    };
    let params = RowParams::default();
    let error = build(&[(3, lost(5)), (8, lost(9)), (8, lost(7))], params).unwrap_err();
    assert!(matches!(
        error,
        MatchesError::Label {
            player: 8,
            source: LabelError::Unsorted { index: 1, .. }
        }
    ));
    assert!(error.to_string().starts_with("player 8: match 1 at 7"), "{error}");
    let early = RowParams {
        observed_until: Some(6),
        ..params
    };
    let error = build(&[(3, lost(5)), (8, lost(9))], early).unwrap_err();
    assert!(matches!(
        error,
        MatchesError::Label {
            player: 8,
            source: LabelError::AfterObservation { .. }
        }
    ));
    for value in [f64::NAN, f64::INFINITY, 2e9] {
        let odd = MatchObserved {
            goal_difference: value,
            ..lost(5)
        };
        let error = build(&[(3, odd)], params).unwrap_err();
        assert!(
            matches!(
                error,
                MatchesError::History {
                    player: 3,
                    source: HistoryError::GoalDifference { time: 5, .. }
                }
            ),
            "{error}"
        );
    }
    assert!(build(&[], params).unwrap().is_empty());
}

/// How many matches there were, and nothing else.
#[derive(Clone, Default)]
struct Counter(u32);

impl FeatureHistory for Counter {
    fn columns(&self) -> Vec<String> {
        vec!["matches".to_owned()]
    }

    fn write_row(&self, _: i64, outcome: Outcome, row: &mut [f64]) -> Result<(), HistoryError> {
        row[0] = f64::from(self.0) / if outcome == Outcome::Draw { 0.0 } else { 1.0 };
        Ok(())
    }

    fn push(&mut self, _: &MatchObserved) -> Result<(), HistoryError> {
        self.0 += 1;
        Ok(())
    }
}

#[test]
fn features_of_ones_own_are_checked_like_any() {
    let matches = [(1, lost(0)), (1, lost(10)), (1, lost(100_000))];
    let data = Dataset::from_matches(&Counter::default(), &matches, &RowParams::default()).unwrap();
    assert_eq!(
        (data.row(0), data.row(1), data.len()),
        (&[0.0][..], &[1.0][..], 2)
    );
    let drawn = MatchObserved {
        outcome: Outcome::Draw,
        ..lost(10)
    };
    let matches = [(1, lost(0)), (1, drawn), (1, lost(100_000))];
    let error = Dataset::from_matches(&Counter::default(), &matches, &RowParams::default()).unwrap_err();
    assert!(
        error.to_string().starts_with("row 1, column `matches` is inf"),
        "{error}"
    );
}
