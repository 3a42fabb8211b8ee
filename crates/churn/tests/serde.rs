//! What is written is read back exactly; what is read is checked.

use std::fmt::Debug;

use matchwright_churn::{
    ChurnModel, ConstantModel, Dataset, ExtendedHistory, Folds, Horizon, LogisticModel, LogisticParams,
    MatchObserved, Outcome, PatternCounts, TableCounts, TableModel, cross_validate, evaluate,
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
    assert_round_trip(&evaluate(&data.predictions(&fit.model), data.labels(), 10).unwrap());
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
    assert!(serde_json::from_str::<LogisticModel>(r#"{"intercept": 0.5, "coefficients": [1e999]}"#).is_err());
    let empty = serde_json::to_string(&TableCounts::new(1).unwrap()).unwrap();
    assert!(serde_json::from_str::<TableModel>(&empty).is_err());
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
    #[test]
    fn a_logistic_model_says_the_same_bits_after_a_round_trip(
        intercept in -1e3_f64..1e3,
        coefficients in prop::collection::vec(prop::num::f64::NORMAL, 0..5),
    ) {
        let model = LogisticModel::new(intercept, coefficients).unwrap();
        let text = serde_json::to_string(&model).unwrap();
        let read: LogisticModel = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(&read, &model);
        let row: Vec<f64> = model.coefficients().iter().map(|w| 1.0 / w).collect();
        prop_assert_eq!(read.churn_probability(&row[..]).to_bits(), model.churn_probability(&row[..]).to_bits());
    }
}
