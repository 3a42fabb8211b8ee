//! Checks that read the longer runs, seen to fail: Table 1's levels, section 4, the gain, and what a study leaves
//! behind.

use crate::eomm::gain_law::{GainLawReport, run_gain_law};
use crate::eomm::study::{RegionPatterns, StudyConfig, StudyReport, run_study};
use crate::eomm::theory::{Statement, TheoryReport, run_theory};
use crate::workers::Workers;
use matchwright_churn::{Outcome, PatternCounts, TableCounts};
use matchwright_rating::history::History;
use matchwright_rating::{Davidson, FixedDraw};
use matchwright_scoring::{ChurnByOutcome, OutcomeChances};
use matchwright_sim::population::{GeneratorParams, Truth};
use matchwright_sim::progress::Quiet;
use matchwright_solver::{
    CostOracle, ExactPairing, GreedyPairing, Limits, Objective, Pairing, PairingSolver, RandomPairing,
    SolveError, Workspace,
};

use super::{Inputs, breaks, check, fitting_report, found, holds, inputs, small_report};
use crate::claims::runs::SMALL_POOLS;

/// The nearest whole number.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "small and positive"
)]
fn whole(value: f64) -> u64 {
    value.round() as u64
}

/// Regions that agree with Table 1, but for `more` percentage points after one pattern.
fn regions(more: f64, after: &str) -> Vec<RegionPatterns> {
    const MATCHES: f64 = 200_000.0;
    let outcome = |letter| Outcome::ALL.into_iter().find(|o| o.letter() == letter).unwrap();
    let region = |region: u32| {
        let mut counts = TableCounts::new(3).unwrap();
        let rows = inputs().paper.table_1;
        for (row, pattern) in rows
            .iter()
            .flat_map(|row| row.patterns.iter().map(move |p| (row, *p)))
        {
            let percent = row.middle() + if pattern == after { more } else { 0.0 };
            let noise = if region.is_multiple_of(2) { 0.1 } else { -0.1 };
            let seen = PatternCounts {
                matches: whole(MATCHES),
                churned: whole((percent + noise) / 100.0 * MATCHES),
            };
            let pattern: Vec<Outcome> = pattern.chars().map(outcome).collect();
            counts.add_counts(&pattern, seen).unwrap();
        }
        RegionPatterns {
            region,
            player_matches: whole(10.0 * MATCHES),
            counts,
        }
    };
    (0..4).map(region).collect()
}

#[test]
fn checks_of_table_1_hold_on_regions_that_fit_and_notice_others_and_another_print() {
    let ids = [
        ("EOMM-T1-safe", "LDW"),
        ("EOMM-T1-WWW", "WWW"),
        ("EOMM-T1-mid", "LWL"),
        ("EOMM-T1-high", "LLL"),
    ];
    let fitting = inputs().with_regions(regions(0.14, ""));
    for (id, pattern) in ids {
        holds(id, &fitting);
        holds(id, &inputs().with_regions(regions(0.14, pattern)));
        breaks(id, &inputs().with_regions(regions(0.16, pattern)));
        breaks(id, &inputs().with_regions(regions(-0.16, pattern)));
        let mut printed = inputs().with_regions(regions(0.0, ""));
        for row in &mut printed.paper.table_1 {
            if row.patterns.contains(&pattern) {
                (row.low, row.high) = (row.low + 0.2, row.high + 0.2);
            }
        }
        breaks(id, &printed);
        breaks(id, &inputs().with_regions(Vec::new()));
    }
}

#[test]
fn a_streamed_check_plays_its_regions_and_quick_leaves_them_out() {
    let mut few = inputs();
    few.regions = 2;
    few.generator = GeneratorParams {
        players: 600,
        region_players: 300,
        days: 30.0,
        ..few.generator
    };
    let found = found("EOMM-T1-safe", &few);
    let [matches, regions, first, ..] = &found.figures[..] else {
        panic!("{found:?}")
    };
    assert!(matches.value.unwrap() > 10_000.0 && regions.value == Some(2.0));
    assert!(first.standard_error.unwrap() > 0.0);
    let quick = check("EOMM-T1-safe").run(&few, true);
    assert!(quick.is_open() && quick.notes[0].contains("--quick"));
}

fn theory() -> TheoryReport {
    run_theory(&inputs().theory, 1).unwrap()
}

#[track_caller]
fn breaks_with_theory(id: &str, harm: impl FnOnce(&mut TheoryReport)) {
    let mut report = theory();
    harm(&mut report);
    breaks(id, &inputs().with_theory(report));
}

/// One pool less in which a statement held.
fn one_less(report: &mut TheoryReport, which: Statement, setting: &str) {
    let mut checks = report.statements.iter_mut();
    let check = checks.find(|check| check.statement == which && check.setting.contains(setting));
    check.unwrap().held -= 1;
}

/// The statement holds throughout.
fn all_held(report: &mut TheoryReport, which: Statement, setting: &str) {
    for check in &mut report.statements {
        if check.statement == which && check.setting.contains(setting) {
            check.held = check.pools;
            check.counterexample = None;
        }
    }
}

#[test]
fn checks_of_equal_skill_need_both_the_counterexample_and_the_condition() {
    for (id, which) in [("EOMM-Th1", Statement::Th1), ("EOMM-Th2", Statement::Th2)] {
        breaks_with_theory(id, |report| all_held(report, which, "normal skills"));
        breaks_with_theory(id, |report| one_less(report, which, "safe width"));
        breaks_with_theory(id, |report| report.widths[2].beyond = None);
        let example = |harm: fn(&mut crate::eomm::theory::Counterexample)| {
            breaks_with_theory(id, |report| {
                for check in &mut report.statements {
                    if let Some(example) = &mut check.counterexample {
                        harm(example);
                    }
                }
            });
        };
        example(|found| found.skills = vec![0.0, 1.0, 2.0, 3.0]);
        example(|found| found.against.pairs = found.tried.pairs.clone());
        example(|found| std::mem::swap(&mut found.tried.pairs, &mut found.against.pairs));
        example(|found| {
            for churn in &mut found.churn {
                *churn = churn.map(|chance| 1.0 - chance);
            }
        });
    }
}

#[test]
fn checks_of_the_other_statements_notice_one_that_breaks() {
    breaks_with_theory("EOMM-Th3", |report| one_less(report, Statement::Th3, "own state"));
    breaks_with_theory("EOMM-Th4", |report| {
        one_less(report, Statement::Th4, "in expectation");
    });
    breaks_with_theory("EOMM-Th4", |report| {
        all_held(report, Statement::Th4, "as printed");
    });
    breaks_with_theory("EOMM-Th4", |report| {
        for _ in 0..30 {
            one_less(report, Statement::Th4, "as printed");
        }
    });
    breaks_with_theory("EOMM-Th5", |report| one_less(report, Statement::Th5, "any"));
    let mut biased = inputs();
    biased.exact = Box::new(GreedyPairing::new(Objective::Minimize));
    breaks("EOMM-Th5", &biased);
    biased.exact = Box::new(ExactPairing::maximum());
    breaks("EOMM-Th5", &biased);

    breaks_with_theory("EOMM-X4", |report| one_less(report, Statement::Th2, "Eq. 10"));
    let mut other = inputs();
    other.outcomes = Box::new(FixedDraw::new(0.25).unwrap());
    breaks("EOMM-X4", &other);
    other.outcomes = Box::new(Davidson::from_draw_probability(0.2).unwrap());
    breaks("EOMM-X4", &other);
    breaks_with_theory("EOMM-X5", |report| report.example.nested = 0.011);
    breaks_with_theory("EOMM-X5", |report| report.example.adjacent = 0.012);
}

/// The edge with the players in each other's place.
fn swapped(chances: &OutcomeChances, i: &ChurnByOutcome, j: &ChurnByOutcome) -> f64 {
    matchwright_scoring::churn_edge(chances, j, i)
}

#[test]
fn the_check_of_the_law_of_the_gain_notices_each_part_that_breaks() {
    let report = run_gain_law(&inputs().gain_law, 1, &Workers::new(2, &Quiet)).unwrap();
    let after = |harm: fn(&mut GainLawReport)| {
        let mut report = report.clone();
        harm(&mut report);
        breaks("EOMM-gain-law", &inputs().with_gain_law(report));
    };
    holds("EOMM-gain-law", &inputs().with_gain_law(report.clone()));
    after(|report| report.in_bounds -= 1);
    after(|report| report.cells[7].gain.mean = 1.01 * report.cells[7].bound);
    after(|report| report.homogeneous = 1e-6);
    after(|report| {
        for cell in &mut report.cells {
            cell.skill.mean += 0.03 * cell.bound;
        }
    });
    after(|report| report.mirror.test.p = 1e-4);
    let mut wrong = inputs().with_gain_law(report.clone());
    wrong.edge = swapped;
    breaks("EOMM-gain-law", &wrong);
}

/// Studies whose gains are these shares of 0.7 %, at P = 4 to 50 and at 100.
fn gains(shares: [f64; 6]) -> Inputs {
    let raised = |mut report: StudyReport, sizes: &[usize], shares: &[f64]| {
        for ((pool, &size), share) in report.pools.iter_mut().zip(sizes).zip(shares) {
            pool.size = size;
            for gain in &mut pool.fitted.gains {
                gain.expected.mean = 0.007 * share;
                gain.expected.standard_error = 1e-5;
            }
        }
        report
    };
    let (small, hundred) = shares.split_at(5);
    inputs()
        .with_small_pools(raised(small_report(), &SMALL_POOLS, small))
        .with_report(raised(fitting_report(), &[100], hundred))
}

#[test]
fn the_check_of_the_gain_by_pool_size_notices_a_climb_and_a_plain() {
    let ours = [0.4, 0.56, 0.7, 0.8, 0.93, 0.97];
    holds("EOMM-noclimb", &gains(ours));
    for pool in 0..6 {
        let mut shares = ours;
        shares[pool] += 0.06;
        breaks("EOMM-noclimb", &gains(shares));
    }
    breaks("EOMM-noclimb", &gains([1.0; 6]));
    let mut climbing = fitting_report();
    for (pool, percent) in climbing.pools.iter_mut().zip([0.97, 0.8, 0.9, 0.95, 1.0]) {
        for gain in &mut pool.fitted.gains {
            gain.expected.mean = 0.007 * percent;
        }
    }
    breaks("EOMM-noclimb", &gains(ours).with_report(climbing));
}

/// The second order of pool sizes finds other luck, as if the first rounds had left a trace.
fn leaves_a_trace(
    config: &StudyConfig,
    history: &History,
    truth: Option<&Truth>,
    workers: &Workers<'_>,
) -> anyhow::Result<StudyReport> {
    let seed = config.seed + u64::from(config.pools[0] > config.pools[1]);
    let config = StudyConfig {
        seed,
        ..config.clone()
    };
    run_study(&config, history, truth, workers)
}

#[test]
fn the_check_of_fixed_skills_notices_rounds_that_leave_a_trace() {
    let mut wrong = inputs();
    wrong.run_study = leaves_a_trace;
    breaks("EOMM-stationary", &wrong);
}

/// Asks for costs N^3.5 / 128^1.5 times.
struct Slow;

impl PairingSolver for Slow {
    fn solve_within(
        &self,
        workspace: &mut Workspace,
        costs: &dyn CostOracle,
        _: &Limits<'_>,
    ) -> Result<Pairing, SolveError> {
        let vertices = costs.vertices();
        let times = whole((vertices as f64 / 128.0).powf(1.5));
        for _ in 0..times {
            for i in 0..vertices {
                for j in 0..vertices {
                    std::hint::black_box(costs.cost(i, j));
                }
            }
        }
        RandomPairing::new(1).solve(workspace, costs)
    }
}

#[test]
fn the_check_of_the_growth_of_work_notices_a_steeper_solver() {
    let mut wrong = inputs();
    wrong.exact = Box::new(Slow);
    breaks("EOMM-O3", &wrong);
}
