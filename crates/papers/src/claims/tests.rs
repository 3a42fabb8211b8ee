//! The ledger is whole, the exact checks pass, and a sample of them is seen to fail.

mod ladder;
mod matches;
mod parts;
mod ratings;
mod runs;
mod searches;

use std::sync::OnceLock;

use crate::eomm::Method;
use crate::eomm::study::{StudyConfig, StudyReport};
use matchwright_churn::{FeatureSpec, Horizon, Label, LabelError, eomm_feature_specs};
use matchwright_rating::{Davidson, DrawModel, EloCurve, FixedDraw, OutcomeProbabilities};
use matchwright_scoring::{ChurnByOutcome, OutcomeChances};
use matchwright_sim::population::GeneratorParams;
use matchwright_sim::statistics::{MeanTest, Summary};
use matchwright_solver::{BruteForce, ExactPairing, GreedyPairing, Objective, SolveError};

use super::inputs::Inputs;
use super::ledger::Ledger;
use super::{Check, Work, all_checks, gaps};
use crate::verdict::Finding;

fn ledger() -> Ledger {
    Ledger::own().unwrap()
}

/// The library as it is, with shorter runs.
fn inputs() -> Inputs {
    let mut inputs = Inputs::new(20, 1);
    inputs.theory.pools = 30;
    inputs.theory.sizes = vec![4, 6, 8];
    inputs.gain_law.players = 100;
    inputs.gain_law.rounds = 8;
    inputs.gain_law.sizes = vec![4];
    inputs.dota.performance.games = 1_000;
    inputs.dominations.newcomers.climb.newcomers = 400;
    inputs.dominations.inflation.rounds = 20;
    inputs.sc2.points.players = 400;
    inputs
}

/// A small study that nobody need wait for: right in form, not in level.
fn small_report() -> StudyReport {
    static REPORT: OnceLock<StudyReport> = OnceLock::new();
    let run = || {
        let inputs = inputs();
        let world = GeneratorParams {
            players: 300,
            days: 20.0,
            ..inputs.generator.clone()
        };
        let study = StudyConfig {
            rounds: 8,
            fit_rows: 4_000,
            state_matches: 1_000,
            ..StudyConfig::default()
        };
        inputs.run(&study, &world).unwrap()
    };
    REPORT.get_or_init(run).clone()
}

/// A t of many samples, with its p.
fn set_t(test: &mut MeanTest, t: f64) {
    test.t = t;
    test.p = if t.abs() > 3.0 { 1e-9 } else { 0.5 };
}

fn check(id: &str) -> Check {
    all_checks().into_iter().find(|check| check.0 == id).unwrap()
}

/// What the check of this claim finds.
fn found(id: &str, inputs: &Inputs) -> Finding {
    check(id).run(inputs, false)
}

#[track_caller]
fn holds(id: &str, inputs: &Inputs) {
    let found = found(id, inputs);
    assert!(found.holds(), "{id}: {found:?}");
}

#[track_caller]
fn breaks(id: &str, inputs: &Inputs) {
    let found = found(id, inputs);
    assert!(
        !found.holds() && !found.is_open(),
        "{id} did not notice: {found:?}"
    );
}

#[test]
fn the_ledger_has_every_document_and_each_built_claim_a_check() {
    let ledger = ledger();
    let of = |prefix: &str| ledger.claims.iter().filter(|c| c.id.starts_with(prefix)).count();
    assert_eq!(
        ["EOMM-", "AWN-", "DOTA-", "DOM-", "SC2-"].map(of),
        [58, 34, 29, 22, 27]
    );
    assert_eq!(gaps(&ledger, &all_checks()), Vec::<String>::new());
    let mut ids: Vec<&str> = all_checks().iter().map(|check| check.0).collect();
    ids.sort_unstable();
    assert!(ids.windows(2).all(|two| two[0] != two[1]), "{ids:?}");
}

#[test]
fn an_unknown_id_is_refused_by_name() {
    let ledger = ledger();
    let options = |only: &str, document| super::ClaimsOptions {
        document,
        only: vec![only.to_owned()],
        ..super::ClaimsOptions::default()
    };
    let error = super::choose(&ledger, &options("EOMM-Eq99", None)).unwrap_err();
    assert!(error.to_string().contains("EOMM-Eq99"));
    assert_eq!(
        super::choose(&ledger, &options("EOMM-Eq1", None)).unwrap().len(),
        1
    );
    assert!(super::choose(&ledger, &options("EOMM-Eq1", Some(super::Document::Dota))).is_err());
}

#[test]
fn a_claim_without_a_check_and_a_check_without_a_claim_are_named() {
    let ledger = ledger();
    let mut checks = all_checks();
    checks.retain(|check| check.0 != "EOMM-Eq1");
    checks.push(Check("EOMM-nobody", Work::Exact(|_| Ok(Finding::new()))));
    let gaps = gaps(&ledger, &checks);
    assert_eq!(gaps.len(), 2);
    assert!(gaps[0].starts_with("EOMM-Eq1 has no check") && gaps[1].contains("EOMM-nobody has no claim"));
}

#[test]
fn the_policies_are_those_of_the_examples() {
    for name in ["awesomenauts", "dota", "dominations"] {
        let read = |folder: &str| {
            let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
            std::fs::read_to_string(path.join(format!("{name}.toml"))).unwrap()
        };
        assert_eq!(read("policies"), read("../../examples/policies"));
    }
}

#[test]
fn every_exact_check_passes() {
    let inputs = inputs();
    for check in all_checks() {
        if let Work::Exact(_) = check.1 {
            holds(check.0, &inputs);
        }
    }
}

#[test]
fn checks_of_outcomes_notice_another_draw_rate_and_another_curve() {
    let mut wrong = inputs();
    wrong.outcomes = Box::new(FixedDraw::new(0.25).unwrap());
    breaks("EOMM-Eq10", &wrong);
    breaks("EOMM-Eq11-12", &wrong);
    wrong.outcomes = Box::new(Davidson::from_draw_probability(0.2).unwrap());
    breaks("EOMM-Eq10", &wrong);
    wrong.elo.curve = EloCurve::FideTable;
    breaks("EOMM-Elo", &wrong);
    wrong.glicko.c = 20.0;
    breaks("EOMM-Glicko-RD", &wrong);
}

/// An outcome model that looks at more than skills: it forgets nothing it was asked.
struct Moody(std::cell::Cell<u32>);

impl DrawModel for Moody {
    fn outcome_probabilities(&self, expected: f64, reverse: f64) -> OutcomeProbabilities {
        self.0.set(self.0.get() + 1);
        let mood = f64::from(self.0.get() % 7) * 0.01;
        FixedDraw::EOMM.outcome_probabilities((expected + mood).min(1.0), reverse)
    }
}

/// An outcome model that knows nothing of matches between unequal players.
struct NearOnly;

impl DrawModel for NearOnly {
    fn outcome_probabilities(&self, expected: f64, reverse: f64) -> OutcomeProbabilities {
        if (expected - reverse).abs() < 0.5 {
            return FixedDraw::EOMM.outcome_probabilities(expected, reverse);
        }
        OutcomeProbabilities {
            win: f64::NAN,
            draw: f64::NAN,
            loss: f64::NAN,
        }
    }
}

#[test]
fn checks_of_edges_notice_swapped_outcomes_and_moods() {
    fn swapped(chances: &OutcomeChances, i: &ChurnByOutcome, j: &ChurnByOutcome) -> f64 {
        chances.win() * (i.loss() + j.win())
            + chances.loss() * (i.win() + j.loss())
            + chances.draw() * (i.draw() + j.draw())
    }
    fn product(_: &OutcomeChances, i: &ChurnByOutcome, j: &ChurnByOutcome) -> f64 {
        i.win() * j.loss()
    }
    let mut wrong = inputs();
    wrong.edge = swapped;
    breaks("EOMM-Eq4-6", &wrong);
    breaks("EOMM-asym", &wrong);
    wrong.edge = product;
    breaks("EOMM-Eq2", &wrong);
    wrong.outcomes = Box::new(Moody(std::cell::Cell::new(0)));
    breaks("EOMM-Eq3", &wrong);
    wrong.outcomes = Box::new(NearOnly);
    breaks("EOMM-fig1", &wrong);
}

/// What cannot be compared agrees with nothing.
#[test]
fn checks_notice_figures_that_are_no_numbers() {
    struct Nothing;
    impl DrawModel for Nothing {
        fn outcome_probabilities(&self, _: f64, _: f64) -> OutcomeProbabilities {
            OutcomeProbabilities {
                win: f64::NAN,
                draw: f64::NAN,
                loss: f64::NAN,
            }
        }
    }
    let mut wrong = inputs();
    wrong.edge = |_, _, _| f64::NAN;
    for id in ["EOMM-asym", "EOMM-Eq2", "EOMM-Eq4-6", "EOMM-X4", "EOMM-gain-law"] {
        breaks(id, &wrong);
    }
    wrong.outcomes = Box::new(Nothing);
    breaks("EOMM-Eq10", &wrong);

    let ordered = |random: f64| {
        let mut report = small_report();
        for comparison in report.pools.iter_mut().flat_map(|p| &mut p.fitted.comparisons) {
            let of_random = comparison.first == Method::Random || comparison.second == Method::Random;
            set_t(
                &mut comparison.paired_expected,
                if of_random { random } else { 9.0 },
            );
            let close = (comparison.first, comparison.second) == (Method::Random, Method::Skill);
            comparison.paired_expected.difference = if close { 0.1 } else { 1.0 };
        }
        inputs().with_report(report)
    };
    holds("EOMM-T2-order", &ordered(9.0));
    breaks("EOMM-T2-order", &ordered(f64::NAN));
}

#[test]
fn checks_of_features_notice_a_wrong_label_and_a_wrong_column() {
    fn late(times: &[i64], horizon: Horizon, until: i64) -> Result<Vec<Label>, LabelError> {
        let longer = Horizon::from_seconds(2 * horizon.seconds())?;
        matchwright_churn::label_matches(times, longer, until)
    }
    let mut wrong = inputs();
    wrong.labels = late;
    breaks("EOMM-churn-def", &wrong);
    let mut columns: Vec<FeatureSpec> = eomm_feature_specs().to_vec();
    columns.swap(0, 1);
    wrong.columns = columns.leak();
    breaks("EOMM-feat", &wrong);
    breaks("EOMM-Eq7-9", &wrong);
    wrong.columns = &eomm_feature_specs()[1..];
    breaks("EOMM-feat", &wrong);
    // Newest first.
    wrong.paper.five_outcomes = "LDLWL";
    breaks("EOMM-K5", &wrong);
}

#[test]
fn checks_of_pairings_notice_a_biased_solver() {
    fn too_few(vertices: usize, visit: &mut dyn FnMut(&[usize])) -> Result<u64, SolveError> {
        let mut skipped = false;
        let mut shown = |mates: &[usize]| {
            if vertices < 6 || std::mem::replace(&mut skipped, true) {
                visit(mates);
            }
        };
        BruteForce::visit_pairings(vertices, &mut shown)
    }
    let mut wrong = inputs();
    wrong.exact = Box::new(GreedyPairing::new(Objective::Minimize));
    breaks("EOMM-Eq1", &wrong);
    wrong.exact = Box::new(ExactPairing::maximum());
    breaks("EOMM-greedy", &wrong);
    wrong.enumerate = too_few;
    breaks("EOMM-paircount", &wrong);
}

#[test]
fn checks_of_methods_notice_methods_in_each_others_place() {
    let mut wrong = inputs();
    wrong.pair = |method, skills, costs, rng, workspace| {
        let other = match method {
            Method::Worst => Method::Eomm,
            Method::Eomm => Method::Worst,
            other => other,
        };
        other.pair(skills, costs, rng, workspace)
    };
    breaks("EOMM-methods", &wrong);
    breaks("EOMM-X6", &wrong);
    wrong.pair = |method, skills, costs, rng, workspace| {
        let other = match method {
            Method::Random => Method::Skill,
            other => other,
        };
        other.pair(skills, costs, rng, workspace)
    };
    breaks("EOMM-methods", &wrong);
    // As the document has it: the minimum.
    wrong.pair = |method, skills, costs, rng, workspace| {
        let other = match method {
            Method::Worst => Method::Eomm,
            other => other,
        };
        other.pair(skills, costs, rng, workspace)
    };
    breaks("EOMM-X6", &wrong);
}

#[test]
fn checks_of_print_notice_an_altered_table() {
    let mut wrong = inputs();
    // RandomMM at P = 200.
    wrong.paper.table_2.retained[2][1] = 104.5;
    breaks("EOMM-X2", &wrong);
    breaks("EOMM-X3", &wrong);
    let raised = |pattern: &str, to: f64| {
        let mut wrong = inputs();
        for row in &mut wrong.paper.table_1 {
            if row.patterns.contains(&pattern) {
                (row.low, row.high) = (to, to);
            }
        }
        wrong
    };
    breaks("EOMM-T1-ratio", &raised("LLL", 6.0));
    breaks("EOMM-T1-order", &raised("WWW", 4.8));
    breaks("EOMM-T1-nonadd", &raised("WWW", 2.6));
    let mut additive = inputs();
    for (pattern, effect) in &mut additive.generator.seven_day.patterns {
        if pattern == "WWW" {
            *effect = -0.885;
        }
    }
    breaks("EOMM-T1-nonadd", &additive);
}

#[test]
fn the_check_of_the_data_notices_other_counts_and_players_who_play_less() {
    holds("EOMM-data", &inputs());
    let mut wrong = inputs();
    wrong.paper.data.matches /= 2;
    breaks("EOMM-data", &wrong);
    // Who stays for fewer matches.
    let mut wrong = inputs();
    wrong.generator.intercept += 2.0;
    breaks("EOMM-data", &wrong);
}

#[test]
fn the_check_of_welch_notices_pooled_variances() {
    fn pooled(first: &Summary, second: &Summary) -> MeanTest {
        let (n, m) = (first.n() as f64, second.n() as f64);
        let degrees = n + m - 2.0;
        let variance = ((n - 1.0) * first.variance() + (m - 1.0) * second.variance()) / degrees;
        let standard_error = (variance * (1.0 / n + 1.0 / m)).sqrt();
        let difference = first.mean() - second.mean();
        MeanTest {
            difference,
            standard_error,
            t: difference / standard_error,
            degrees,
            p: 0.05,
        }
    }
    let mut wrong = inputs();
    wrong.welch = pooled;
    breaks("EOMM-Welch", &wrong);
}

/// The small study with Table 2's level, errors as small as those of thousands of rounds, and a gain of the paper's
/// size.
fn fitting_report() -> StudyReport {
    let mut report = small_report();
    let table = inputs().paper.table_2;
    for pool in &mut report.pools {
        for result in &mut pool.fitted.methods {
            let size = u32::try_from(pool.size).unwrap();
            result.expected.mean = table.retained(result.method, size).unwrap();
        }
        for judgement in [Some(&mut pool.fitted), pool.truth.as_mut()]
            .into_iter()
            .flatten()
        {
            for gain in &mut judgement.gains {
                gain.expected.mean = 0.007;
            }
            for compared in &mut judgement.comparisons {
                let between_likes = (compared.first, compared.second) == (Method::Random, Method::Skill);
                compared.paired_expected.difference = if between_likes { 0.01 } else { 0.5 };
                compared.paired_expected.standard_error = 0.01;
                set_t(&mut compared.paired_expected, 50.0);
            }
        }
    }
    report
}

#[track_caller]
fn breaks_after(id: &str, harm: impl FnOnce(&mut StudyReport)) {
    let mut report = fitting_report();
    harm(&mut report);
    breaks(id, &inputs().with_report(report));
}

#[test]
fn checks_of_table_2_hold_on_a_report_that_fits_and_notice_one_that_does_not() {
    let fitting = inputs().with_report(fitting_report());
    for id in ["Worst", "Skill", "Random", "EOMM", "order"] {
        holds(&format!("EOMM-T2-{id}"), &fitting);
    }
    for id in ["EOMM-gain-avg", "EOMM-X7", "EOMM-P"] {
        holds(id, &fitting);
    }
    for (row, id) in ["EOMM-T2-Worst", "EOMM-T2-Skill", "EOMM-T2-Random", "EOMM-T2-EOMM"]
        .iter()
        .enumerate()
    {
        breaks_after(id, |report| {
            report.pools[3].fitted.methods[row].expected.mean += 2.5;
        });
    }
    // The last comparison is SkillMM with WorstMM.
    breaks_after("EOMM-T2-order", |report| {
        set_t(&mut report.pools[0].fitted.comparisons[5].paired_expected, 1.0);
    });
    breaks_after("EOMM-gain-avg", |report| {
        for pool in &mut report.pools {
            pool.fitted.gains[1].expected.mean = 0.01;
        }
    });
    breaks_after("EOMM-X7", |report| {
        let truth = report.pools[2].truth.as_mut().unwrap();
        set_t(&mut truth.comparisons[1].paired_expected, -1.0);
    });
    breaks_after("EOMM-X7", |report| report.pools[2].truth = None);
    breaks_after("EOMM-P", |report| {
        report.pools.pop();
    });
}

#[test]
fn checks_of_the_procedure_notice_what_is_out_of_order() {
    let sound = inputs().with_report(small_report());
    for id in ["EOMM-L2CV", "EOMM-state", "EOMM-drawcorr"] {
        holds(id, &sound);
    }
    breaks_after("EOMM-drawcorr", |report| report.data.draw_gap_correlation = -0.3);
    breaks_after("EOMM-state", |report| report.states -= 1);
    breaks_after("EOMM-L2CV", |report| {
        report.churn.cross_validation.fold_sizes.pop();
    });
    breaks_after("EOMM-L2CV", |report| {
        let scores = &report.churn.cross_validation.scores;
        let worst = scores
            .iter()
            .max_by(|a, b| a.mean_log_loss.total_cmp(&b.mean_log_loss));
        report.churn.chosen_c = worst.unwrap().c;
    });
    breaks_after("EOMM-fig2", |report| {
        for bin in &mut report.ratings.decided.reliability {
            bin.observed = 0.5;
        }
    });
    breaks_after("EOMM-fig3", |report| {
        for bin in &mut report.churn.holdout.reliability {
            bin.observed = 1.0 - bin.observed;
        }
    });
    breaks_after("EOMM-proc", |report| {
        let counted = &mut report.pools[4].fitted.methods[0].simulated;
        counted.mean += 5.0 * counted.standard_error + 20.0;
    });
}

#[test]
fn quick_leaves_the_study_out_and_says_so() {
    let found = check("EOMM-T2-EOMM").run(&inputs(), true);
    assert!(found.is_open() && found.notes[0].contains("--quick"));
}
