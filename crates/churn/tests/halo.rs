//! A public history of real matches: labels, a reference fit, and what our own features are worth.
//!
//! Halo 2 beta, head-to-head (dotnet/mbmlbook, "Halo2-HeadToHead", MIT): 6,028 games of 1,653 players in 3.2 days.
//! The data are not part of the project; `MATCHWRIGHT_DATA` names the folder that holds them.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::PathBuf;

use flate2::read::GzDecoder;
use matchwright_churn::{
    Calibration, Dataset, ExtendedHistory, FeatureHistory, Folds, Horizon, IsotonicCalibration, Label,
    LabelCounts, LogisticParams, LogisticSolver, MatchObserved, Outcome, PatternCounts, PlattScaling,
    PlayerHistory, RowParams, TableCounts, TableModel, constant_log_loss, cross_validate, evaluate,
    label_matches, out_of_fold_predictions,
};

fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("MATCHWRIGHT_DATA").map(PathBuf::from);
    if folder.is_none() {
        say("skipped: MATCHWRIGHT_DATA names no folder of match data");
    }
    folder
}

fn records(path: PathBuf) -> (Vec<String>, Vec<Vec<String>>) {
    let mut reader = csv::Reader::from_reader(GzDecoder::new(File::open(path).unwrap()));
    let header = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let rows = reader
        .records()
        .map(|row| row.unwrap().iter().map(str::to_owned).collect())
        .collect();
    (header, rows)
}

/// Seconds since 1970 of a time such as 2004-08-06T18:13:50, all of which are in August 2004.
fn unix_seconds(text: &str) -> i64 {
    const AUGUST_2004: i64 = 1_091_318_400;
    let rest = text.strip_prefix("2004-08-").unwrap();
    let number = |from: usize| rest[from..from + 2].parse::<i64>().unwrap();
    AUGUST_2004 + (number(0) - 1) * 86_400 + number(3) * 3_600 + number(6) * 60 + number(9)
}

/// Each player's matches in order of time.
fn histories(folder: &std::path::Path) -> BTreeMap<String, Vec<MatchObserved>> {
    let (header, rows) = records(folder.join("halo2_beta/head_to_head.csv.gz"));
    assert_eq!(
        header,
        [
            "end_time",
            "game_id",
            "game_type",
            "variant",
            "player1",
            "player2",
            "score1",
            "score2"
        ]
    );
    let mut players: BTreeMap<String, Vec<MatchObserved>> = BTreeMap::new();
    for row in rows {
        let time = unix_seconds(&row[0]);
        let difference = row[6].parse::<f64>().unwrap() - row[7].parse::<f64>().unwrap();
        for (player, goal_difference) in [(&row[4], difference), (&row[5], -difference)] {
            let outcome = match goal_difference {
                d if d > 0.0 => Outcome::Win,
                d if d < 0.0 => Outcome::Loss,
                _ => Outcome::Draw,
            };
            players.entry(player.clone()).or_default().push(MatchObserved {
                time,
                outcome,
                goal_difference,
            });
        }
    }
    players
}

/// The rows of a reference file: (time, player) -> (training row?, features, churned?).
type Reference = BTreeMap<(i64, String), (bool, Vec<f64>, bool)>;

fn reference(folder: &std::path::Path, name: &str) -> (Vec<String>, Reference) {
    let (header, rows) = records(folder.join(format!("churn_features/halo2_h2h_{name}.csv.gz")));
    let last = header.len() - 1;
    let rows = rows
        .into_iter()
        .map(|row| {
            let features = row[3..last].iter().map(|value| value.parse().unwrap()).collect();
            (
                (row[1].parse().unwrap(), row[2].clone()),
                (row[0] == "train", features, row[last] == "1"),
            )
        })
        .collect();
    (header[3..last].to_vec(), rows)
}

fn labels(
    players: &BTreeMap<String, Vec<MatchObserved>>,
    horizon: Horizon,
) -> BTreeMap<(i64, String), Label> {
    let end = players
        .values()
        .flatten()
        .map(|observed| observed.time)
        .max()
        .unwrap();
    let mut labels = BTreeMap::new();
    for (player, matches) in players {
        let times: Vec<i64> = matches.iter().map(|observed| observed.time).collect();
        for (time, label) in times.iter().zip(label_matches(&times, horizon, end).unwrap()) {
            assert_eq!(labels.insert((*time, player.clone()), label), None);
        }
    }
    labels
}

const HORIZONS: [(&str, Horizon, u64); 2] = [
    ("8h", Horizon::hours(8), 11_380),
    ("1h", Horizon::hours(1), 12_052),
];

#[test]
fn labels_are_those_of_the_reference_row_by_row() {
    let Some(folder) = folder() else { return };
    let players = histories(&folder);
    for (name, horizon, rows) in HORIZONS {
        let (_, reference) = reference(&folder, name);
        let labels = labels(&players, horizon);
        let counts: LabelCounts = labels.values().copied().collect();
        assert_eq!(
            (counts.labelled(), counts.labelled() + counts.censored),
            (rows, 2 * 6_028)
        );
        let known: BTreeMap<_, _> = labels
            .into_iter()
            .filter(|(_, label)| *label != Label::Censored)
            .map(|(row, label)| (row, label == Label::Churned))
            .collect();
        let expected: BTreeMap<_, _> = reference
            .into_iter()
            .map(|(row, (_, _, churned))| (row, churned))
            .collect();
        assert_eq!(known, expected, "{name}");
    }
}

/// Rates published with the data: after WWW, LLL, and after one win, loss, draw.
#[test]
fn churn_by_the_last_outcomes_is_the_published_table() {
    let Some(folder) = folder() else { return };
    let players = histories(&folder);
    let labels = labels(&players, Horizon::hours(8));
    let mut counts = TableCounts::new(3).unwrap();
    for (player, matches) in &players {
        let outcomes: Vec<Outcome> = matches.iter().map(|observed| observed.outcome).collect();
        for (index, observed) in matches.iter().enumerate() {
            match labels[&(observed.time, player.clone())] {
                Label::Censored => {}
                label => counts.add(&outcomes[..=index], label == Label::Churned).unwrap(),
            }
        }
    }
    let table = TableModel::new(counts).unwrap();
    let percent = |pattern: &[Outcome]| (table.pattern(pattern).rate().unwrap() * 1_000.0).round() / 10.0;
    assert_eq!(
        [percent(&[Outcome::Win; 3]), percent(&[Outcome::Loss; 3])],
        [11.2, 19.0]
    );
    assert_eq!(
        [
            percent(&[Outcome::Win]),
            percent(&[Outcome::Loss]),
            percent(&[Outcome::Draw])
        ],
        [16.2, 22.2, 25.1]
    );
    let PatternCounts { matches, churned } = table.pattern(&[]);
    assert_eq!((matches, churned), (11_380, 2_222));
}

/// (training rows, test rows) of the reference's own features.
fn split(names: &[String], rows: &Reference) -> [Dataset; 2] {
    let ids: BTreeMap<&str, u64> = {
        let mut players: Vec<&str> = rows.keys().map(|row| row.1.as_str()).collect();
        players.sort_unstable();
        players.dedup();
        players.into_iter().zip(0..).collect()
    };
    [true, false].map(|wanted| {
        let part: Vec<_> = rows.iter().filter(|(_, row)| row.0 == wanted).collect();
        let values = part.iter().flat_map(|(_, row)| row.1.clone()).collect();
        Dataset::new(
            names.to_vec(),
            values,
            part.iter().map(|(_, row)| row.2).collect(),
        )
        .and_then(|data| data.with_groups(part.iter().map(|(key, _)| ids[key.1.as_str()]).collect()))
        .and_then(|data| data.with_times(part.iter().map(|(key, _)| key.0).collect()))
        .unwrap()
    })
}

#[test]
fn the_fit_is_scikit_learns_to_a_millionth() {
    let Some(folder) = folder() else { return };
    let text = std::fs::read_to_string(folder.join("churn_features/sklearn_reference.json")).unwrap();
    let expected: serde_json::Value = serde_json::from_str(&text).unwrap();
    for (name, _, _) in HORIZONS {
        let expected = &expected[format!("halo2_h2h_{name}")];
        let (names, rows) = reference(&folder, name);
        let [train, test] = split(&names, &rows);
        assert_eq!(train.len() as u64, expected["train"].as_u64().unwrap());
        for solver in [LogisticSolver::Newton, LogisticSolver::Lbfgs] {
            let fit = LogisticParams {
                solver,
                ..Default::default()
            }
            .build()
            .unwrap()
            .fit(&train)
            .unwrap();
            let mut worst = 0.0_f64;
            let mut same = |found: f64, expected: &serde_json::Value, what: &str| {
                let difference = (found - expected.as_f64().unwrap()).abs();
                assert!(
                    difference < 1e-6,
                    "{name} {solver:?} {what}: {found} against {expected}"
                );
                worst = worst.max(difference);
            };
            for (column, feature) in names.iter().enumerate() {
                same(
                    fit.standardized_coefficients[column],
                    &expected["coef"][feature],
                    feature,
                );
                same(fit.means[column], &expected["mean"][column], feature);
                same(fit.scales[column], &expected["std"][column], feature);
            }
            same(fit.standardized_intercept, &expected["intercept"], "intercept");
            let scores = evaluate(&fit.model.predictions(&test).unwrap(), test.labels(), 10).unwrap();
            same(scores.auc.unwrap(), &expected["auc"], "AUC");
            same(scores.log_loss, &expected["log_loss"], "log loss");
            same(scores.brier, &expected["brier"], "Brier");
            same(scores.ece, &expected["ece10"], "ECE");
            same(scores.base_rate, &expected["base_test"], "base rate");
            let rate = train.labels().iter().filter(|&&label| label).count() as f64 / train.len() as f64;
            same(
                constant_log_loss(rate, test.labels()).unwrap(),
                &expected["const_log_loss"],
                "constant",
            );
            println!(
                "{name} {solver:?}: {} iterations, largest difference {worst:.1e}",
                fit.iterations
            );
        }
    }
}

/// (training rows, test rows) of rows made here, cut as the reference cuts its own.
fn split_of_matches(
    folder: &std::path::Path,
    newcomer: &impl FeatureHistory,
    rows: &Reference,
) -> [Dataset; 2] {
    let histories = histories(folder);
    let names: Vec<&String> = histories.keys().collect();
    let matches: Vec<(u64, MatchObserved)> = (0..)
        .zip(histories.values())
        .flat_map(|(player, played)| played.iter().map(move |observed| (player, *observed)))
        .collect();
    let data = Dataset::from_matches(newcomer, &matches, &RowParams::default()).unwrap();
    assert_eq!(data.len(), rows.len());
    let keys = data.times().unwrap().iter().zip(data.groups().unwrap());
    let is_training: Vec<bool> = keys
        .zip(data.labels())
        .map(|((&time, &player), &churned)| {
            let (training, _, expected) = &rows[&(time, names[usize::try_from(player).unwrap()].clone())];
            assert_eq!(churned, *expected);
            *training
        })
        .collect();
    [true, false].map(|wanted| {
        let part: Vec<usize> = (0..data.len())
            .filter(|&row| is_training[row] == wanted)
            .collect();
        data.subset(&part).unwrap()
    })
}

/// The strength is chosen on training rows alone, by days it has not seen; the test rows are looked at once.
#[test]
fn our_own_features_beat_the_references_log_loss_on_its_split() {
    let Some(folder) = folder() else { return };
    let (_, rows) = reference(&folder, "8h");
    let eomm = split_of_matches(&folder, &PlayerHistory::new(), &rows);
    let extended = split_of_matches(&folder, &ExtendedHistory::new(), &rows);
    let grid: Vec<f64> = (-10..=2).map(|step| 10_f64.powf(f64::from(step) / 2.0)).collect();
    for (name, [train, test], most) in [("EOMM", eomm, 0.4918), ("extended", extended, 0.488)] {
        let base = LogisticParams::default();
        let by_player = cross_validate(&train, Folds::GroupKFold, 5, &grid, &base, 1).unwrap();
        let by_time = cross_validate(&train, Folds::RollingOrigin, 5, &grid, &base, 1).unwrap();
        let fit = LogisticParams {
            c: by_time.best_c(),
            ..base
        }
        .build()
        .unwrap()
        .fit(&train)
        .unwrap();
        let scores = evaluate(&fit.model.predictions(&test).unwrap(), test.labels(), 10).unwrap();
        println!(
            "{name}: C {:.2e} by time (CV log loss {:.5}), {:.2e} by player ({:.5}); test log loss {:.5}, AUC {:.4}, Brier {:.5}, ECE {:.4}",
            by_time.best_c(),
            by_time.best().unwrap().mean_log_loss,
            by_player.best_c(),
            by_player.best().unwrap().mean_log_loss,
            scores.log_loss,
            scores.auc.unwrap(),
            scores.brier,
            scores.ece,
        );
        assert!(
            by_time
                .scores
                .iter()
                .chain(&by_player.scores)
                .all(|score| score.converged)
        );
        assert!(scores.log_loss < most, "{name}: {}", scores.log_loss);
    }
}

/// Too strong a penalty makes a model underconfident; a calibration on out-of-fold predictions of the training rows
/// corrects it on the later days of the test rows.
#[test]
fn calibration_corrects_an_underconfident_model_on_later_days() {
    let Some(folder) = folder() else { return };
    let (_, rows) = reference(&folder, "8h");
    let [train, test] = split_of_matches(&folder, &ExtendedHistory::new(), &rows);
    let strong = LogisticParams {
        c: 1e-5,
        ..LogisticParams::default()
    };
    let held_out = out_of_fold_predictions(&train, Folds::GroupKFold, 5, &strong, 1).unwrap();
    let raw = strong
        .build()
        .unwrap()
        .fit(&train)
        .unwrap()
        .model
        .predictions(&test)
        .unwrap();
    let before = evaluate(&raw, test.labels(), 10).unwrap();
    let platt = PlattScaling::fit(&held_out.predictions, &held_out.labels).unwrap();
    let isotonic = IsotonicCalibration::fit(&held_out.predictions, &held_out.labels).unwrap();
    assert!(platt.slope() > 1.5, "{platt:?}");
    for calibration in [&platt as &dyn Calibration, &isotonic] {
        let calibrated: Vec<f64> = raw.iter().map(|&p| calibration.calibrate(p)).collect();
        let after = evaluate(&calibrated, test.labels(), 10).unwrap();
        println!(
            "Brier {:.5} to {:.5}, log loss {:.5} to {:.5}, average precision {:.4} to {:.4} (base rate {:.4})",
            before.brier,
            after.brier,
            before.log_loss,
            after.log_loss,
            before.average_precision.unwrap(),
            after.average_precision.unwrap(),
            after.base_rate,
        );
        assert!(
            after.brier < before.brier - 0.003,
            "{} {}",
            before.brier,
            after.brier
        );
    }
}

/// Past the capture of test output, so that the output of a test run says what was left out.
fn say(line: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "{line}");
}
