//! The EOMM study from outside, on a small generated population.

use std::sync::OnceLock;

use matchwright_papers::eomm::study::{
    Comparison, Shard, StudyConfig, StudyPart, StudyReport, run_part, run_study,
};
use matchwright_papers::eomm::{EommStudy, Method, StudyOrigin};
use matchwright_papers::{Reproduction, Workers};
use matchwright_report::{Plot, Table};
use matchwright_sim::population::{Generated, GeneratorParams, generate};
use matchwright_sim::progress::Quiet;

fn world() -> &'static Generated {
    static WORLD: OnceLock<Generated> = OnceLock::new();
    let params = GeneratorParams {
        players: 1_000,
        days: 20.0,
        ..GeneratorParams::default()
    };
    WORLD.get_or_init(|| generate(&params, 11).unwrap())
}

fn config() -> StudyConfig {
    StudyConfig {
        rounds: 40,
        pools: vec![20, 60],
        fit_rows: 8_000,
        seed: 3,
        ..StudyConfig::default()
    }
}

fn run(with_truth: bool, threads: usize) -> StudyReport {
    let truth = with_truth.then_some(&world().truth);
    run_study(&config(), &world().history, truth, &Workers::new(threads, &Quiet)).unwrap()
}

/// The study on two threads, judged by the true model too.
fn judged() -> &'static StudyReport {
    static REPORT: OnceLock<StudyReport> = OnceLock::new();
    REPORT.get_or_init(|| run(true, 2))
}

/// The same study without the true model.
fn blind() -> &'static StudyReport {
    static REPORT: OnceLock<StudyReport> = OnceLock::new();
    REPORT.get_or_init(|| run(false, 2))
}

fn json(report: &StudyReport) -> String {
    serde_json::to_string(report).unwrap()
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let one = json(&run(true, 1));
    assert_eq!(one, json(judged()));
    assert_eq!(one, json(&run(true, 5)));
}

#[test]
fn eomm_leads_and_worst_trails_in_expected_retention() {
    let report = judged();
    for pool in &report.pools {
        for pair in &pool.fitted.comparisons {
            let (first, second) = (pair.first, pair.second);
            if first == Method::Random && second == Method::Skill {
                continue;
            }
            let t = pair.paired_expected.t;
            assert!(
                t > 4.0,
                "P = {}: {} over {}: t = {t}",
                pool.size,
                first.name(),
                second.name()
            );
        }
    }
}

/// No model judges itself: with or without the truth at hand, the estimators say the same.
#[test]
fn the_page_begins_with_the_gain_and_the_terminal_with_expectations() {
    let source = StudyOrigin::File {
        name: "matches.csv".to_owned(),
        skipped_rows: 0,
    };
    let study = EommStudy {
        source: &source,
        report: blind(),
    };
    let page = study.content();
    let largest = &blind().pools[1];
    let gain = 100.0 * largest.fitted.gain_over(Method::Skill).unwrap().expected.mean;
    let players = largest
        .fitted
        .comparison(Method::Eomm, Method::Skill)
        .unwrap()
        .paired_expected
        .difference;
    assert!(gain > 0.0 && players > 0.0);
    let html = page.to_html();
    let head = html.split("<main").next().unwrap();
    for words in [
        format!("<strong>+{gain:.2} "),
        format!("+{players:.1} of 60 in each round"),
    ] {
        assert!(head.contains(&words), "{words}");
    }
    let captions: Vec<&str> = page.tables().map(Table::caption).take(3).collect();
    assert_eq!(
        captions,
        [
            "Table 2: retained players per round, expected given the pairs",
            "What EOMM retains beyond the other methods",
            "Table 2: retained players per round, simulated",
        ]
    );
}

#[test]
fn the_churn_model_is_shown_by_lag() {
    let source = StudyOrigin::File {
        name: "matches.csv".to_owned(),
        skipped_rows: 0,
    };
    let page = EommStudy {
        source: &source,
        report: blind(),
    }
    .content();
    let plot = |file| {
        page.plots()
            .find(|plot| plot.file_stem() == Some(file))
            .map(Plot::to_svg)
    };
    let outcomes = plot("churn-model-outcomes").unwrap().unwrap();
    assert!(
        outcomes.contains("win (10 points), draw (10 points), loss (10 points)"),
        "{outcomes}"
    );
    let third = blind()
        .churn
        .coefficients
        .iter()
        .find(|input| input.name == "match3_loss")
        .unwrap();
    assert!(
        outcomes.contains(&format!("Matches ago: 3\n{}", "Change of the logit")),
        "{outcomes}"
    );
    assert!(third.per_unit.is_finite());
    assert!(
        plot("churn-model-gaps")
            .unwrap()
            .unwrap()
            .contains("to the upcoming match (10 points)")
    );
}

#[test]
fn the_truth_changes_nothing_but_the_judgement() {
    let (mut judged, blind) = (judged().clone(), blind());
    assert!(judged.truth_known && !blind.truth_known);
    judged.truth_known = false;
    for pool in &mut judged.pools {
        pool.truth = None;
    }
    assert_eq!(json(&judged), json(blind));
}

/// EOMM optimises the fitted model, and the truth favours it too (X7).
#[test]
fn eomm_beats_skill_matchmaking_under_the_truth_too() {
    let report = judged();
    let truth = report.pools[1].truth.as_ref().unwrap();
    let against_skill = |c: &&Comparison| (c.first, c.second) == (Method::Eomm, Method::Skill);
    let over_skill = truth.comparisons.iter().find(against_skill).unwrap();
    assert!(over_skill.paired_expected.t > 4.0);
}

#[test]
fn the_expectation_agrees_with_the_simulated_mean() {
    let report = blind();
    for pool in &report.pools {
        for method in &pool.fitted.methods {
            let z = (method.simulated.mean - method.expected.mean) / method.simulated.standard_error;
            assert!(
                z.abs() < 4.5,
                "P = {}, {}: z = {z}",
                pool.size,
                method.method.name()
            );
        }
    }
}

/// The default population gives Table 2's order and level, and a gain of the paper's size.
#[test]
fn the_default_population_gives_the_papers_table() {
    let world = generate(&GeneratorParams::default(), 1).unwrap();
    let config = StudyConfig {
        rounds: 40,
        pools: vec![100, 200, 500],
        ..StudyConfig::default()
    };
    let report = run_study(
        &config,
        &world.history,
        Some(&world.truth),
        &Workers::new(2, &Quiet),
    )
    .unwrap();
    let wins = &report.ratings.wins;
    assert!(wins.auc.unwrap() > 0.55 && wins.ece < 0.05, "{wins:?}");
    let churn = &report.churn.holdout;
    assert!(
        churn.auc.unwrap() > 0.7 && churn.log_loss < churn.constant_log_loss - 0.05,
        "{churn:?}"
    );
    for pool in &report.pools {
        let size = pool.size as f64;
        for pair in &pool.fitted.comparisons {
            let (first, second, t) = (pair.first, pair.second, pair.paired_expected.t);
            let level = [first, second] == [Method::Random, Method::Skill];
            assert!(
                level || t > 4.0,
                "P = {size}: {} over {}: t = {t}",
                first.name(),
                second.name()
            );
        }
        let over_skill = pool
            .fitted
            .gains
            .iter()
            .find(|gain| gain.over == Method::Skill)
            .unwrap();
        let gain = 100.0 * over_skill.expected.mean;
        assert!(
            size < 200.0 || (0.5..=0.9).contains(&gain),
            "P = {size}: {gain} %"
        );
        // Under SkillMM the paper's Table 2 keeps 51.93 % on average over P >= 200.
        let kept = pool.fitted.methods[1].expected.mean / size;
        // 40 pools of 500 differ from all states by 0.2 percentage points or so, seeds by as much again.
        assert!(
            size < 500.0 || (kept - 0.5193).abs() < 0.0075,
            "P = {size}: {kept}"
        );
    }
}

#[test]
fn another_seed_gives_another_study() {
    let world = world();
    let other = StudyConfig { seed: 4, ..config() };
    let other = run_study(&other, &world.history, None, &Workers::new(2, &Quiet)).unwrap();
    assert_ne!(
        other.pools[0].fitted.methods[0].simulated,
        blind().pools[0].fitted.methods[0].simulated
    );
}

#[test]
fn a_study_that_cannot_be_run_says_why() {
    let world = world();
    let fails = |config: StudyConfig, word: &str| {
        let error = run_study(&config, &world.history, None, &Workers::new(1, &Quiet)).unwrap_err();
        let message = format!("{error:#}");
        assert!(message.contains(word), "{message}");
    };
    fails(
        StudyConfig {
            pools: vec![3],
            ..config()
        },
        "even",
    );
    fails(
        StudyConfig {
            pools: vec![],
            ..config()
        },
        "pools",
    );
    fails(
        StudyConfig {
            rounds: 1,
            ..config()
        },
        "rounds",
    );
    fails(
        StudyConfig {
            pools: vec![1_000_000],
            ..config()
        },
        "player states",
    );
    fails(
        StudyConfig {
            draw_rate: Some(f64::NAN),
            ..config()
        },
        "draw",
    );
    fails(
        StudyConfig {
            horizon_hours: 24 * 365,
            ..config()
        },
        "shorter horizon",
    );
    let empty = matchwright_rating::history::History::default();
    let error = run_study(&config(), &empty, None, &Workers::new(1, &Quiet)).unwrap_err();
    assert!(error.to_string().contains("no matches"), "{error}");
}

/// However the work is cut, and on however many threads, the whole is the same to the byte.
#[test]
fn parts_join_to_the_same_bytes_as_one_run() {
    let world = world();
    let whole = json(judged());
    for of in [1, 2, 3] {
        let part = |k| {
            let (shard, truth) = (Shard::new(k, of).unwrap(), Some(&world.truth));
            let part = run_part(
                &config(),
                &world.history,
                truth,
                shard,
                &Workers::new(k as usize, &Quiet),
            )
            .unwrap();
            assert_eq!(part.shard(), shard);
            part
        };
        // In any order.
        let parts: Vec<StudyPart> = (1..=of).rev().map(part).collect();
        assert_eq!(json(&StudyPart::join(parts).unwrap()), whole, "{of} parts");
    }
}

#[test]
fn parts_of_different_studies_are_not_joined() {
    let world = world();
    let part = |k, seed| {
        let config = StudyConfig { seed, ..config() };
        run_part(
            &config,
            &world.history,
            None,
            Shard::new(k, 2).unwrap(),
            &Workers::new(2, &Quiet),
        )
        .unwrap()
    };
    let (one, two, other) = (part(1, 3), part(2, 3), part(2, 4));
    assert!(StudyPart::join(vec![one.clone(), two]).is_ok());
    let error = StudyPart::join(vec![one.clone(), other]).unwrap_err();
    assert!(error.to_string().contains("other settings"), "{error}");
    let error = StudyPart::join(vec![one]).unwrap_err();
    assert_eq!(error.to_string(), "1 of 2 parts are missing: 2");
}

/// A part must have the rounds that its own settings ask for.
#[test]
fn a_part_that_no_run_writes_is_refused() {
    let world = world();
    let part = run_part(
        &config(),
        &world.history,
        Some(&world.truth),
        Shard::WHOLE,
        &Workers::new(2, &Quiet),
    )
    .unwrap();
    let written = serde_json::to_value(&part).unwrap();
    let joined = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut changed = written.clone();
        change(&mut changed);
        StudyPart::join(vec![serde_json::from_value(changed).unwrap()])
    };
    assert!(joined(&|_| {}).is_ok());
    let refused = |change: &dyn Fn(&mut serde_json::Value)| {
        let error = joined(change).unwrap_err().to_string();
        assert!(error.starts_with("part 1/1 holds other rounds"), "{error}");
    };
    refused(&|part| part["rounds"].as_array_mut().unwrap().push(serde_json::json!([])));
    refused(&|part| drop(part["rounds"].as_array_mut().unwrap().pop()));
    refused(&|part| drop(part["rounds"][0].as_array_mut().unwrap().pop()));
}

#[test]
fn coefficients_have_standard_errors_and_forecasts_are_shown_calibrated() {
    let churn = &blind().churn;
    let errors = churn.coefficients.iter().map(|of| of.standard_error);
    let errors: Vec<f64> = errors
        .chain([churn.intercept_error])
        .map(Option::unwrap)
        .collect();
    assert!(
        errors.iter().all(|error| *error > 0.0 && error.is_finite()),
        "{errors:?}"
    );
    let names: Vec<&str> = churn.calibrated.iter().map(|of| of.name.as_str()).collect();
    assert_eq!(names, ["Platt", "isotonic"]);
    for of in &churn.calibrated {
        assert_eq!(of.holdout.n, churn.holdout.n);
        // No better than the truth admits, no worse than a map from one sample to the next makes it.
        assert!(
            (of.holdout.log_loss - churn.holdout.log_loss).abs() < 0.05,
            "{of:?}"
        );
    }
    // Platt's map rises, so that the order of forecasts stays.
    assert_eq!(churn.calibrated[0].holdout.auc, churn.holdout.auc);
    let page = EommStudy {
        source: &StudyOrigin::File {
            name: "some.csv".to_owned(),
            skipped_rows: 0,
        },
        report: blind(),
    };
    let page = page.content().to_html();
    assert!(page.contains("Calibration of the churn model") && page.contains("average precision"));
}
