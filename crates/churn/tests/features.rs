//! Features against their definition, and the promise that nothing of the future is in them.

use matchwright_churn::{
    EOMM_COLUMNS, EOMM_INPUTS, EXTENDED_COLUMNS, EommState, ExtendedHistory, ExtendedState, HistoryError,
    MatchObserved, Outcome, PlayerHistory, Scale, eomm_feature_specs, extended_feature_specs, states_before,
};
use proptest::prelude::*;

fn history(most: usize) -> impl Strategy<Value = Vec<MatchObserved>> {
    // Gaps of seconds, minutes, hours and weeks, so that every window and every kind of pause is met.
    let gap = prop_oneof![0_i64..5, 60_i64..3_700, 3_600_i64..90_000, 500_000_i64..3_000_000];
    prop::collection::vec((gap, 0_usize..3, -9_i8..=9), 1..most).prop_map(|matches| {
        let mut time = 1_000_000_000;
        matches
            .into_iter()
            .map(|(gap, outcome, difference)| {
                time += gap;
                MatchObserved {
                    time,
                    outcome: Outcome::ALL[outcome],
                    goal_difference: f64::from(difference),
                }
            })
            .collect()
    })
}

fn extended_before(matches: &[MatchObserved]) -> Vec<ExtendedState> {
    let mut history = ExtendedHistory::new();
    matches
        .iter()
        .map(|observed| {
            let state = history.state_at(observed.time).unwrap();
            history.push(observed).unwrap();
            state
        })
        .collect()
}

/// The row of EOMM by its definition, from the whole past at once, raw seconds and counts.
fn by_definition(past: &[MatchObserved], time: i64, outcome: Outcome) -> Vec<f64> {
    let is = |condition: bool| f64::from(u8::from(condition));
    let back = |k: usize| past.len().checked_sub(k).map(|at| past[at]);
    let mut row = vec![];
    for k in 1..=10 {
        row.extend(Outcome::ALL.map(|o| is(back(k).is_some_and(|m| m.outcome == o))));
        row.push(match (back(k), back(k + 1)) {
            (Some(m), Some(previous)) => (m.time - previous.time) as f64,
            _ => 0.0,
        });
        row.push(back(k).map_or(0.0, |m| (time - m.time) as f64));
        row.push(back(k).map_or(0.0, |m| m.goal_difference));
    }
    row.extend(Outcome::ALL.map(|o| is(outcome == o)));
    for hours in [8, 24, 7 * 24, 30 * 24] {
        row.push(past.iter().filter(|m| time - m.time <= hours * 3_600).count() as f64);
    }
    row.extend((1..=11).map(|k| is(back(k).is_none())));
    row
}

fn column(names: &[matchwright_churn::FeatureSpec], name: &str) -> usize {
    names.iter().position(|spec| spec.name == name).unwrap()
}

proptest! {
    #[test]
    fn one_pass_gives_the_row_of_the_definition(matches in history(40), outcome in 0_usize..3) {
        let outcome = Outcome::ALL[outcome];
        let (mut raw, mut log) = (PlayerHistory::with_scale(Scale::Raw), PlayerHistory::new());
        for (index, observed) in matches.iter().enumerate() {
            let expected = by_definition(&matches[..index], observed.time, outcome);
            let state = raw.state_at(observed.time).unwrap();
            prop_assert_eq!(&state.columns_after(outcome)[..], &expected[..]);
            let mut written = [f64::NAN; EOMM_COLUMNS];
            log.state_at(observed.time).unwrap().write_after(outcome, &mut written);
            for ((spec, raw), log) in eomm_feature_specs().iter().zip(&expected).zip(&written) {
                let value = if spec.unit.starts_with("ln(1 + ") { raw.ln_1p() } else { *raw };
                prop_assert_eq!(*log, value, "{}", spec.name);
            }
            let last: Vec<Outcome> = matches[index.saturating_sub(10)..index].iter().map(|m| m.outcome).collect();
            prop_assert_eq!(state.last_outcomes(), &last[..]);
            raw.push(observed).unwrap();
            log.push(observed).unwrap();
            prop_assert_eq!(raw.matches_seen(), index as u64 + 1);
        }
    }

    /// Everything at and after match `at` is changed: outcomes, goals, times shifted, matches dropped. Only the time
    /// of the upcoming match is known before it.
    #[test]
    fn the_future_never_reaches_a_row(
        matches in history(30), other in history(30), at in 0_usize..30, shift in 0_i64..1_000_000,
    ) {
        let at = at % matches.len();
        let mut changed = matches[..=at].to_vec();
        changed[at].outcome = matches[at].outcome.reversed();
        changed[at].goal_difference = -7.0 - matches[at].goal_difference;
        let end = matches[at].time + shift - other[0].time;
        changed.extend(other.iter().map(|m| MatchObserved { time: m.time + end, ..*m }));
        let (a, b) = (states_before(&matches).unwrap(), states_before(&changed).unwrap());
        prop_assert_eq!(&a[..=at], &b[..=at]);
        let (a, b) = (extended_before(&matches), extended_before(&changed));
        prop_assert_eq!(&a[..=at], &b[..=at]);
        for outcome in Outcome::ALL {
            prop_assert_eq!(a[at].columns_after(outcome), b[at].columns_after(outcome));
        }
        prop_assert_eq!(extended_before(&matches[..=at])[at], a[at]);
    }

    #[test]
    fn the_outcome_changes_the_upcoming_one_hot_alone(matches in history(20)) {
        let (states, extended) = (states_before(&matches).unwrap(), extended_before(&matches));
        for (state, extended) in states.iter().zip(&extended) {
            let rows = Outcome::ALL.map(|outcome| state.columns_after(outcome).to_vec());
            let short = Outcome::ALL.map(|outcome| extended.columns_after(outcome).to_vec());
            for (specs, rows) in [(eomm_feature_specs(), rows), (extended_feature_specs(), short)] {
                for (at, spec) in specs.iter().enumerate() {
                    let values = [rows[0][at], rows[1][at], rows[2][at]];
                    let expected = match spec.name {
                        "upcoming_win" => [1.0, 0.0, 0.0],
                        "upcoming_draw" => [0.0, 1.0, 0.0],
                        "upcoming_loss" => [0.0, 0.0, 1.0],
                        _ => [rows[0][at]; 3],
                    };
                    prop_assert_eq!(values, expected, "{}", spec.name);
                }
            }
        }
    }

    #[test]
    fn a_shift_of_all_times_changes_no_row(matches in history(25), shift in -500_000_000_i64..500_000_000) {
        let moved: Vec<MatchObserved> =
            matches.iter().map(|m| MatchObserved { time: m.time + shift, ..*m }).collect();
        for (a, b) in extended_before(&matches).iter().zip(&extended_before(&moved)) {
            prop_assert_eq!(a.columns_after(Outcome::Draw), b.columns_after(Outcome::Draw));
            prop_assert_eq!(a.eomm().columns_after(Outcome::Draw), b.eomm().columns_after(Outcome::Draw));
        }
    }

    #[test]
    fn extended_columns_equal_their_definition(matches in history(30)) {
        for (index, state) in extended_before(&matches).iter().enumerate() {
            let (past, now) = (&matches[..index], matches[index].time);
            let row = state.columns_after(Outcome::Win);
            let found = |name: &str| row[column(extended_feature_specs(), name)];
            let log = |count: usize| (count as f64).ln_1p();
            let n = past.len();
            let gaps: Vec<i64> =
                (1..=n).map(|i| past.get(i).map_or(now, |m| m.time) - past[i - 1].time).collect();
            let mean = |gaps: Vec<i64>| {
                if gaps.is_empty() { 0.0 } else { gaps.iter().map(|&g| (g as f64).ln_1p()).sum::<f64>() / gaps.len() as f64 }
            };
            let over = |limit: i64| gaps.iter().filter(|&&gap| gap > limit).count();
            let session = gaps.iter().rev().take_while(|&&gap| gap <= 3_600).count();
            prop_assert_eq!(found("session_matches"), log(session));
            let start = if session == 0 { now } else { past[n - session].time };
            prop_assert_eq!(found("session_age"), ((now - start) as f64).ln_1p());
            prop_assert_eq!(found("session_start") == 1.0, session == 0);
            prop_assert_eq!(found("matches_ever"), log(n));
            prop_assert_eq!(found("matches_ever_squared"), log(n) * log(n));
            prop_assert_eq!(found("known_for"), past.first().map_or(0.0, |m| ((now - m.time) as f64).ln_1p()));
            prop_assert!((found("mean_gap") - mean(gaps.clone())).abs() < 1e-9);
            let short = gaps.iter().copied().filter(|&gap| gap <= 3_600).collect();
            prop_assert!((found("mean_gap_in_session") - mean(short)).abs() < 1e-9);
            let share = |count: usize| (count as f64 + 0.4) / (n as f64 + 2.0);
            prop_assert_eq!(found("share_of_pauses_over_1h"), share(over(3_600)));
            prop_assert_eq!(found("share_of_pauses_over_8h"), share(over(28_800)));
            let score: f64 = past.iter().map(|m| m.outcome.score()).sum();
            prop_assert_eq!(found("mean_score"), (score + 1.0) / (n as f64 + 2.0));
            let streak = |of: Outcome| log(past.iter().rev().take_while(|m| m.outcome == of).count());
            prop_assert_eq!(found("win_streak"), streak(Outcome::Win));
            prop_assert_eq!(found("loss_streak"), streak(Outcome::Loss));
            let trend = past.iter().fold(0.0, |trend, m| 0.7 * trend + 0.3 * m.goal_difference);
            prop_assert!((found("goal_difference_trend") - trend).abs() < 1e-9);
            for (name, minutes) in [("15min", 15), ("30min", 30), ("hour", 60), ("2h", 120), ("4h", 240)] {
                let inside = past.iter().filter(|m| now - m.time <= minutes * 60).count();
                prop_assert_eq!(found(&format!("matches_last_{name}")), log(inside));
            }
            for name in ["match1_win", "match1_draw", "match1_loss", "match1_gap_to_upcoming", "match1_goal_difference",
                "match2_win", "match2_draw", "match2_loss", "match1_missing", "match2_missing"] {
                let of_the_paper = state.eomm().columns_after(Outcome::Win)[column(eomm_feature_specs(), name)];
                prop_assert_eq!(found(name), of_the_paper, "{}", name);
            }
        }
    }
}

#[test]
fn a_first_match_has_empty_slots_and_every_flag() {
    let row = PlayerHistory::new()
        .state_at(1_000)
        .unwrap()
        .columns_after(Outcome::Draw);
    for (spec, value) in eomm_feature_specs().iter().zip(row) {
        let expected = spec.name.ends_with("_missing") || spec.name == "upcoming_draw";
        assert_eq!(value, f64::from(u8::from(expected)), "{}", spec.name);
    }
    assert_eq!(row.iter().sum::<f64>(), 12.0);
    let row = ExtendedHistory::new()
        .state_at(1_000)
        .unwrap()
        .columns_after(Outcome::Loss);
    let set: Vec<&str> = extended_feature_specs()
        .iter()
        .zip(row)
        .filter(|(_, value)| *value != 0.0)
        .map(|(spec, _)| spec.name)
        .collect();
    let expected = [
        "upcoming_loss",
        "session_start",
        "share_of_pauses_over_1h",
        "share_of_pauses_over_8h",
        "mean_score",
        "match1_missing",
        "match2_missing",
    ];
    assert_eq!(set, expected);
}

#[test]
fn the_row_has_the_papers_67_inputs_and_the_flags_apart() {
    let specs = eomm_feature_specs();
    assert_eq!((EOMM_INPUTS, EOMM_COLUMNS, specs.len()), (67, 78, 78));
    assert_eq!(
        specs
            .iter()
            .filter(|spec| spec.name.starts_with("match1_"))
            .count(),
        7
    );
    assert_eq!(
        specs[..67]
            .iter()
            .filter(|spec| spec.name.ends_with("_missing"))
            .count(),
        0
    );
    assert_eq!(specs[60].name, "upcoming_win");
    assert_eq!(specs[66].name, "matches_last_month");
    assert_eq!(specs[77].name, "match10_previous_missing");
    assert_eq!(extended_feature_specs().len(), EXTENDED_COLUMNS);
}

#[test]
fn a_broken_match_is_refused_and_leaves_the_history_as_it_was() {
    let played = MatchObserved {
        time: 100,
        outcome: Outcome::Win,
        goal_difference: 1.0,
    };
    let mut history = PlayerHistory::new();
    history.push(&played).unwrap();
    let before: EommState = history.state_at(100).unwrap();
    let error = history.push(&MatchObserved { time: 99, ..played }).unwrap_err();
    assert_eq!(
        error,
        HistoryError::TimeBackwards {
            time: 99,
            previous: 100
        }
    );
    assert!(history.state_at(99).is_err());
    let error = history
        .push(&MatchObserved {
            goal_difference: f64::NAN,
            ..played
        })
        .unwrap_err();
    assert!(error.to_string().contains("goal difference NaN"), "{error}");
    assert_eq!(history.state_at(100).unwrap(), before);
    let mut extended = ExtendedHistory::new();
    extended.push(&played).unwrap();
    let before = extended.state_at(100).unwrap();
    assert!(extended.push(&MatchObserved { time: 99, ..played }).is_err());
    assert_eq!(extended.state_at(100).unwrap(), before);
}

#[test]
fn extreme_times_and_scores_give_finite_rows() {
    let mut history = ExtendedHistory::new();
    for goal_difference in [f64::MAX, -1.1e9, f64::INFINITY] {
        let beyond = MatchObserved {
            time: i64::MIN,
            outcome: Outcome::Loss,
            goal_difference,
        };
        let refused = history.push(&beyond).unwrap_err().to_string();
        assert!(refused.contains("give a number from -1e9 to 1e9"), "{refused}");
    }
    for time in [i64::MIN, 0, i64::MAX] {
        history
            .push(&MatchObserved {
                time,
                outcome: Outcome::Loss,
                goal_difference: 1e9,
            })
            .unwrap();
    }
    let state = history.state_at(i64::MAX).unwrap();
    assert!(
        state
            .columns_after(Outcome::Win)
            .iter()
            .all(|value| value.is_finite())
    );
    assert!(
        state
            .eomm()
            .columns_after(Outcome::Win)
            .iter()
            .all(|value| value.is_finite())
    );
}

#[test]
fn a_match_on_the_edge_of_the_longest_window_is_not_forgotten() {
    let mut history = PlayerHistory::with_scale(Scale::Raw);
    for time in [0, 2_592_000] {
        history
            .push(&MatchObserved {
                time,
                outcome: Outcome::Loss,
                goal_difference: 0.0,
            })
            .unwrap();
    }
    let month = column(eomm_feature_specs(), "matches_last_month");
    assert_eq!(
        history.state_at(2_592_000).unwrap().columns_after(Outcome::Win)[month],
        2.0
    );
}

#[test]
fn windows_include_both_ends() {
    let mut history = PlayerHistory::with_scale(Scale::Raw);
    for time in [0, 1] {
        history
            .push(&MatchObserved {
                time,
                outcome: Outcome::Loss,
                goal_difference: 0.0,
            })
            .unwrap();
    }
    let specs = eomm_feature_specs();
    for (name, window) in [
        ("8h", 28_800),
        ("day", 86_400),
        ("week", 604_800),
        ("month", 2_592_000),
    ] {
        let at = column(specs, &format!("matches_last_{name}"));
        let count = |time| history.state_at(time).unwrap().columns_after(Outcome::Win)[at];
        assert_eq!(
            [count(window), count(window + 1), count(window + 2)],
            [2.0, 1.0, 0.0],
            "{name}"
        );
    }
}
