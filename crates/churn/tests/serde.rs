//! What is written is read back exactly; what is read is checked.

use std::fmt::Debug;

use matchwright_churn::{
    ChurnModel, ConstantModel, Dataset, ExtendedHistory, ExtendedState, Folds, Horizon, IsotonicCalibration,
    LogisticModel, LogisticParams, MatchObserved, Outcome, PatternCounts, PlattScaling, RowParams,
    TableCounts, TableModel, cross_validate, evaluate, out_of_fold_predictions,
};
use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

fn assert_round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let text = serde_json::to_string(value).unwrap();
    assert_eq!(&serde_json::from_str::<T>(&text).unwrap(), value, "{text}");
}

fn some_data() -> Dataset {
    let rows = (0..60).map(|i| (f64::from(i) * 0.7).sin()).collect();
    let labels = (0..60).map(|i| i % 3 == 0).collect();
    Dataset::new(vec!["x".to_owned()], rows, labels)
        .unwrap()
        .with_groups((0..60).map(|i| i / 3).collect())
        .unwrap()
}

#[test]
fn models_and_reports_come_back_as_they_were() {
    let data = some_data();
    let fit = LogisticParams::default().build().unwrap().fit(&data).unwrap();
    assert_round_trip(&fit);
    assert_round_trip(&fit.model);
    assert_round_trip(&LogisticParams::default());
    assert_round_trip(&evaluate(&fit.model.predictions(&data).unwrap(), data.labels(), 10).unwrap());
    assert_round_trip(&cross_validate(&data, Folds::GroupKFold, 3, &[0.1, 1.0], fit_params(), 5).unwrap());
    assert_round_trip(&ConstantModel::new(0.1).unwrap());
    assert_round_trip(&Horizon::hours(8));
    let mut counts = TableCounts::new(2).unwrap();
    counts
        .add_counts(
            &[Outcome::Win, Outcome::Loss],
            PatternCounts {
                matches: 7,
                churned: 3,
            },
        )
        .unwrap();
    assert_round_trip(&TableModel::new(counts).unwrap());
    let mut history = ExtendedHistory::new();
    history
        .push(&MatchObserved {
            time: 5,
            outcome: Outcome::Draw,
            goal_difference: 0.1,
        })
        .unwrap();
    assert_round_trip(&history.state_at(1_000).unwrap());
    assert_round_trip(history.state_at(1_000).unwrap().eomm());
    assert_round_trip(&history);
    assert_round_trip(&data);
    assert_round_trip(
        &data
            .with_weights(vec![0.5; 60])
            .and_then(|data| data.with_times((0..60).collect()))
            .unwrap(),
    );
    assert_round_trip(&RowParams::default());
    let held_out = out_of_fold_predictions(&some_data(), Folds::GroupKFold, 3, fit_params(), 5).unwrap();
    assert_round_trip(&PlattScaling::fit(&held_out.predictions, &held_out.labels).unwrap());
    assert_round_trip(&IsotonicCalibration::fit(&held_out.predictions, &held_out.labels).unwrap());
    assert_round_trip(&held_out);
    let regression = fit_params().build().unwrap();
    assert_round_trip(&regression.standard_errors(&some_data(), &fit.model).unwrap());
}

fn fit_params() -> &'static LogisticParams {
    static PARAMS: std::sync::LazyLock<LogisticParams> = std::sync::LazyLock::new(LogisticParams::default);
    &PARAMS
}

#[test]
fn what_is_read_is_checked() {
    assert!(
        serde_json::from_str::<ConstantModel>("1.5")
            .unwrap_err()
            .to_string()
            .contains("[0, 1]")
    );
    assert!(serde_json::from_str::<Horizon>("0").is_err());
    assert!(serde_json::from_str::<PlattScaling>(r#"{"slope": 1e999, "intercept": 0}"#).is_err());
    assert!(serde_json::from_str::<IsotonicCalibration>("[[0.2, 0.5], [0.1, 0.6]]").is_err());
    let twice = r#"{"intercept": 0.5, "coefficients": [["gap", 1], ["gap", 2]]}"#;
    let error = serde_json::from_str::<LogisticModel>(twice)
        .unwrap_err()
        .to_string();
    assert!(error.contains("several columns are called `gap`"), "{error}");
    let short = r#"{"columns": ["x"], "rows": [1, 2], "labels": [true, false], "groups": [1]}"#;
    let error = serde_json::from_str::<Dataset>(short).unwrap_err().to_string();
    assert!(error.contains("1 groups do not match 2 rows"), "{error}");
    assert!(
        serde_json::from_str::<LogisticModel>(r#"{"intercept": 0.5, "coefficients": [["gap", 1e999]]}"#)
            .is_err()
    );
    let empty = serde_json::to_string(&TableCounts::new(1).unwrap()).unwrap();
    assert!(serde_json::from_str::<TableModel>(&empty).is_err());
}

#[test]
fn a_saved_model_finds_its_columns_by_name() {
    let fit = fit_params().build().unwrap().fit(&some_data()).unwrap();
    let text = serde_json::to_string(&fit.model).unwrap();
    assert!(text.contains(r#"["x","#), "{text}");
    let read: LogisticModel = serde_json::from_str(&text).unwrap();
    let wide = (0..60).flat_map(|row| [7.0, some_data().row(row)[0]]).collect();
    let wide = Dataset::new(
        vec!["y".to_owned(), "x".to_owned()],
        wide,
        some_data().labels().to_vec(),
    )
    .unwrap();
    assert_eq!(read.predictions(&wide), fit.model.predictions(&some_data()));
}

/// What spoils a saved history.
type Change = fn(&mut serde_json::Value);

#[test]
fn a_saved_history_that_no_matches_can_have_given_is_refused() {
    let mut history = ExtendedHistory::new();
    for time in (0..30).map(|i| 200_000 * i) {
        history
            .push(&MatchObserved {
                time,
                outcome: Outcome::Win,
                goal_difference: 1.0,
            })
            .unwrap();
    }
    let player = serde_json::to_value(&history).unwrap();
    let read = |value: &serde_json::Value| serde_json::from_value::<ExtendedHistory>(value.clone());
    assert_eq!(read(&player).unwrap(), history);
    let changes: [(Change, &str); 9] = [
        (
            |saved| saved["player"]["matches_seen"] = 4.into(),
            "number of recent matches",
        ),
        (
            |saved| saved["player"]["matches_seen"] = 31.into(),
            "two numbers of matches",
        ),
        (
            |saved| saved["player"]["times"][0] = 0.into(),
            "older than the longest window",
        ),
        (
            |saved| saved["player"]["times"][2] = 0.into(),
            "times that do not rise",
        ),
        (
            |saved| saved["player"]["times"] = serde_json::json!([]),
            "times without matches",
        ),
        (
            |saved| saved["player"]["recent"][1]["goal_difference"] = 2e9.into(),
            "goal difference",
        ),
        (
            |saved| saved["player"]["recent"][1]["time"] = 9_000_000.into(),
            "not the newest first",
        ),
        (
            |saved| saved["habits"]["pauses"][0] = 99.into(),
            "number of pauses",
        ),
        (|saved| saved["habits"]["win_streak"] = 99.into(), "a streak"),
    ];
    for (change, what) in changes {
        let mut saved = player.clone();
        change(&mut saved);
        let error = read(&saved).unwrap_err().to_string();
        assert!(
            error.contains(what) && error.contains("saved history"),
            "{what}: {error}"
        );
    }
    let state = serde_json::to_value(history.state_at(6_000_000).unwrap()).unwrap();
    let read = |value: &serde_json::Value| serde_json::from_value::<ExtendedState>(value.clone());
    assert_eq!(read(&state).unwrap(), history.state_at(6_000_000).unwrap());
    let changes: [(Change, &str); 3] = [
        (
            |saved| saved["eomm"]["time"] = 5.into(),
            "a match after the state",
        ),
        (|saved| saved["eomm"]["counts"][0] = 99.into(), "shorter window"),
        (|saved| saved["habits"]["matches"] = 3.into(), "number of pauses"),
    ];
    for (change, what) in changes {
        let mut saved = state.clone();
        change(&mut saved);
        let error = read(&saved).unwrap_err().to_string();
        assert!(error.contains(what), "{what}: {error}");
    }
}

#[test]
fn a_saved_table_that_no_matches_can_have_given_is_refused() {
    let cell = |matches: u64, churned: u64| format!(r#"{{"matches":{matches},"churned":{churned}}}"#);
    let table = |levels: &[Vec<(u64, u64)>]| {
        let level = |cells: &Vec<(u64, u64)>| {
            let cells: Vec<String> = cells
                .iter()
                .map(|&(matches, churned)| cell(matches, churned))
                .collect();
            format!("[{}]", cells.join(","))
        };
        let levels: Vec<String> = levels.iter().map(level).collect();
        format!(r#"{{"levels":[{}]}}"#, levels.join(","))
    };
    let read = |levels: &[Vec<(u64, u64)>]| serde_json::from_str::<TableModel>(&table(levels));
    let good = vec![vec![(5, 2)], vec![(3, 1), (0, 0), (1, 1)]];
    assert_eq!(
        read(&good).unwrap().churn_probability(&[Outcome::Win][..]),
        1.0 / 3.0
    );
    for (levels, what) in [
        (vec![vec![(1, 5)]], "1 level"),
        (vec![vec![(1, 5)], vec![(0, 0); 3]], "5 of 1 matches"),
        (vec![vec![]; 80], "80 levels"),
        (vec![vec![(5, 2)], vec![(3, 1)]], "1 pattern of length 1, not 3"),
        (vec![vec![(5, 2)], vec![(3, 1), (3, 1), (0, 0)]], "6 matches"),
        (vec![vec![(5, 2)], vec![(3, 3), (0, 0), (0, 0)]], "3 churned"),
        (vec![vec![(5, 4)], vec![(3, 0), (0, 0), (0, 0)]], "3 stayed"),
        (
            vec![vec![(u64::MAX, 0)], vec![(u64::MAX, 0), (u64::MAX, 0), (0, 0)]],
            "matches",
        ),
    ] {
        let error = read(&levels).unwrap_err().to_string();
        assert!(
            error.contains(what) && error.contains("saved table"),
            "{what}: {error}"
        );
        assert!(serde_json::from_str::<TableCounts>(&table(&levels)).is_err());
    }
}

proptest! {
    /// A process that ends between any two matches loses nothing.
    #[test]
    fn a_history_goes_on_from_its_saved_form_to_the_same_bits(
        gaps in prop::collection::vec((0_i64..2_000_000, 0_usize..3, -3.0_f64..3.0), 1..40),
        cut in 0_usize..40,
    ) {
        let mut time = 0;
        let (mut straight, mut resumed) = (ExtendedHistory::new(), ExtendedHistory::new());
        for (index, (gap, outcome, goal_difference)) in gaps.into_iter().enumerate() {
            if index == cut {
                resumed = serde_json::from_str(&serde_json::to_string(&resumed).unwrap()).unwrap();
            }
            time += gap;
            let state = straight.state_at(time).unwrap();
            prop_assert_eq!(state, resumed.state_at(time).unwrap());
            prop_assert_eq!(serde_json::from_str::<ExtendedState>(&serde_json::to_string(&state).unwrap()).unwrap(), state);
            let observed = MatchObserved { time, outcome: Outcome::ALL[outcome], goal_difference };
            straight.push(&observed).unwrap();
            resumed.push(&observed).unwrap();
        }
        prop_assert_eq!(straight, resumed);
    }

    #[test]
    fn a_logistic_model_says_the_same_bits_after_a_round_trip(
        intercept in -1e3_f64..1e3,
        coefficients in prop::collection::vec(prop::num::f64::NORMAL, 0..5),
    ) {
        let model = LogisticModel::new(intercept, coefficients.into_iter().enumerate().map(|(k, w)| (k.to_string(), w))).unwrap();
        let text = serde_json::to_string(&model).unwrap();
        let read: LogisticModel = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(&read, &model);
        let row: Vec<f64> = model.coefficients().iter().map(|w| 1.0 / w).collect();
        prop_assert_eq!(read.churn_probability(&row[..]).to_bits(), model.churn_probability(&row[..]).to_bits());
    }
}
