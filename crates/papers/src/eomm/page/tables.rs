//! The reproduction's own tables, each by the name of its CSV file.

use crate::eomm::Method;
use crate::eomm::printed::{ROUNDS, TABLE_1, TABLE_2};
use crate::eomm::study::{Gain, Judgement, PoolResult, StudyReport};
use crate::eomm::theory::{Counterexample, StatementCheck};
use matchwright_report::{Cell, Column, Table, count};
use matchwright_sim::statistics::{Estimate, MeanTest, Summary, welch_test};

use crate::eomm::reproduction::EommReproduction;

const PERCENT: f64 = 100.0;

/// Tables of the paper beside ours, then theory; the study's other tables are added by the caller.
pub(crate) fn own_tables(all: &EommReproduction) -> Vec<(String, Table)> {
    let named = |name: &str, table| (name.to_owned(), table);
    vec![
        named("table2-beside-the-paper", table2(&all.study)),
        named("gains-beside-the-paper", gains(&all.study)),
        named("table1-beside-the-paper", table1(all)),
        named("significance-rechecked", significance()),
        named("gain-by-pool-size", by_pool_size(&all.study)),
        named("fitted-and-truth", fitted_and_truth(&all.study)),
        named("theory-statements", statements(all)),
        named("theory-adjacent", adjacent(all)),
        named("theory-widths", widths(all)),
        named("gain-law", gain_law(all)),
        named("table1-all-patterns", all_patterns(all)),
    ]
}

fn percent(estimate: Estimate) -> Cell {
    Cell::estimate(PERCENT * estimate.mean, PERCENT * estimate.standard_error)
}

/// The pools that the paper's table has.
fn printed_pools(study: &StudyReport) -> impl Iterator<Item = (&PoolResult, u32)> {
    let pools = study.pools.iter();
    pools.filter_map(|pool| {
        let size = u32::try_from(pool.size).ok()?;
        TABLE_2.pools.contains(&size).then_some((pool, size))
    })
}

fn table2(study: &StudyReport) -> Table {
    let mut table = Table::new("Table 2: retained players per round, the paper's and ours")
        .column(Column::integer("P"))
        .column(Column::text("Method"))
        .column(Column::number("Paper", 2))
        .column(Column::number("Ours", 2))
        .column(Column::number("Expected", 2))
        .column(Column::number("Difference", 2))
        .column(Column::number("of P", 2).unit("%"))
        .column(Column::number("z", 1));
    for (pool, size) in printed_pools(study) {
        for result in &pool.fitted.methods {
            let Some(printed) = TABLE_2.retained(result.method, size) else {
                continue;
            };
            let difference = result.simulated.mean - printed;
            let error = result
                .simulated
                .standard_error
                .hypot(printed_error(printed, size));
            table = table.row([
                pool.size.into(),
                result.method.name().into(),
                printed.into(),
                Cell::estimate(result.simulated.mean, result.simulated.standard_error),
                Cell::estimate(result.expected.mean, result.expected.standard_error),
                Cell::estimate(difference, error),
                (PERCENT * difference / f64::from(size)).into(),
                (study.config.rounds >= FEWEST_FOR_Z)
                    .then_some(difference / error)
                    .into(),
            ]);
        }
    }
    table.note(format!(
        "Ours: simulated, ± standard error over {} rounds (z from 30 rounds on). Difference: ours less the paper's; its error counts the luck of the rounds on both sides, the paper's taken to be binomial. A large z says that the two populations differ, not by how much it matters: see % of P.",
        count(study.config.rounds.into())
    ))
}

/// With fewer rounds the standard error is itself so uncertain that z is no normal number.
const FEWEST_FOR_Z: u32 = 30;

/// The standard error of a printed mean of 10,000 rounds, if each of P players stays for himself.
fn printed_error(retained: f64, size: u32) -> f64 {
    let size = f64::from(size);
    let stays = retained / size;
    (size * stays * (1.0 - stays) / ROUNDS as f64).sqrt()
}

fn over(judged: &Judgement, method: Method) -> Option<&Gain> {
    judged.gains.iter().find(|gain| gain.over == method)
}

fn gains(study: &StudyReport) -> Table {
    let mut table = Table::new("What EOMM retains beyond the others, the paper's and ours")
        .column(Column::integer("P"))
        .column(Column::text("Over"))
        .column(Column::number("Paper, by its Table 2", 2).unit("%"))
        .column(Column::number("Ours, simulated", 2).unit("%"))
        .column(Column::number("Ours, expected", 3).unit("%"))
        .column(Column::number("under the truth", 3).unit("%"));
    let mut sums = [[0.0; 3]; 2];
    let mut pools = 0.0;
    for (pool, size) in printed_pools(study) {
        for (k, method) in [Method::Skill, Method::Random].into_iter().enumerate() {
            let (Some(gain), Some(printed)) = (
                over(&pool.fitted, method),
                TABLE_2.gain(Method::Eomm, method, size),
            ) else {
                continue;
            };
            let truth = pool.truth.as_ref().and_then(|truth| over(truth, method));
            if size >= 200 {
                let true_gain = truth.map_or(f64::NAN, |gain| gain.expected.mean);
                for (sum, value) in sums[k].iter_mut().zip([printed, gain.expected.mean, true_gain]) {
                    *sum += value;
                }
                pools += 0.5;
            }
            table = table.row([
                pool.size.into(),
                method.name().into(),
                (PERCENT * printed).into(),
                percent(gain.simulated),
                percent(gain.expected),
                truth.map_or(Cell::Empty, |gain| percent(gain.expected)),
            ]);
        }
    }
    for (method, sums) in [Method::Skill, Method::Random].into_iter().zip(sums) {
        let [printed, expected, truth] = sums.map(|sum| PERCENT * sum / pools);
        let truth = if truth.is_nan() { Cell::Empty } else { truth.into() };
        let name = format!("{}, mean of P >= 200", method.name());
        table = table.row([
            Cell::Empty,
            name.into(),
            printed.into(),
            Cell::Empty,
            expected.into(),
            truth,
        ]);
    }
    table.note("The paper's text gives 0.3, 0.9, 1.1 and 0.6 % for P = 200 to 500 as gains over SkillMM. By its own Table 2 these are the gains over RandomMM; over SkillMM they are 0.27, 0.93, 0.94 and 0.75 %, and at P = 100 EOMM is 1.18 % behind.")
}

fn table1(all: &EommReproduction) -> Table {
    let mut table = Table::new("Table 1: seven-day churn by the last three outcomes, the paper's and ours")
        .column(Column::text("Last three"))
        .column(Column::text("Paper"))
        .column(Column::number("Ours", 2).unit("%"))
        .column(Column::number("Difference", 2).unit("points"))
        .column(Column::integer("Player-matches"));
    for printed in &TABLE_1 {
        let range = if printed.low < printed.high {
            format!("{:.1}-{:.1} %", printed.low, printed.high)
        } else {
            format!("{:.1} %", printed.low)
        };
        for &pattern in printed.patterns {
            let ours = all.stream.table.rows.iter().find(|row| row.pattern == pattern);
            let Some(row) = ours else { continue };
            table = table.row([
                pattern.into(),
                range.as_str().into(),
                Cell::estimate(PERCENT * row.churn, PERCENT * row.standard_error),
                (PERCENT * row.churn - printed.middle()).into(),
                row.n.into(),
            ]);
        }
    }
    table.note(format!(
        "Oldest outcome first. From {} player-matches of {} regions of the generated population; errors take regions as clusters. Difference: from the middle of the printed range.",
        count(all.stream.player_matches), all.stream.regions
    ))
}

fn all_patterns(all: &EommReproduction) -> Table {
    let mut table = Table::new("Seven-day churn after all 27 patterns, generated")
        .column(Column::text("Last three"))
        .column(Column::number("Churn", 2).unit("%"))
        .column(Column::integer("Player-matches"));
    for row in &all.stream.table.rows {
        let churn = Cell::estimate(PERCENT * row.churn, PERCENT * row.standard_error);
        table = table.row([row.pattern.as_str().into(), churn, row.n.into()]);
    }
    table.note("Seventeen of these are not printed in the paper; the default population lets them follow the last outcome alone.")
}

/// The paper's own differences, each with the error that its rounds allow (X3).
fn significance() -> Table {
    let mut table = Table::new("The paper's Table 2 under its own test")
        .column(Column::integer("P"))
        .column(Column::text("First"))
        .column(Column::text("Second"))
        .column(Column::number("Difference", 2).unit("players"))
        .column(Column::number("Welch's t", 2))
        .column(Column::significant("p", 2))
        .column(Column::text("At 0.01"));
    for pool in TABLE_2.pools {
        for (first, second) in [
            (Method::Eomm, Method::Skill),
            (Method::Eomm, Method::Random),
            (Method::Random, Method::Skill),
            (Method::Skill, Method::Worst),
        ] {
            let Some(test) = printed_test(first, second, pool) else {
                continue;
            };
            let verdict = if test.p < 0.01 {
                "differ"
            } else {
                "cannot be told apart"
            };
            table = table.row([
                u64::from(pool).into(),
                first.name().into(),
                second.name().into(),
                Cell::estimate(test.difference, test.standard_error),
                test.t.into(),
                test.p.into(),
                verdict.into(),
            ]);
        }
    }
    table.note("The counts of 10,000 rounds are taken to be binomial. The paper calls all differences significant but two: EOMM and RandomMM at P = 100, SkillMM and RandomMM at P = 400.")
}

/// Welch's test of two printed means, their counts taken to be binomial.
pub(crate) fn printed_test(first: Method, second: Method, pool: u32) -> Option<MeanTest> {
    let summary = |method| {
        let mean = TABLE_2.retained(method, pool)?;
        let deviation = printed_error(mean, pool) * (ROUNDS as f64).sqrt();
        Some(Summary::from_moments(ROUNDS, mean, deviation))
    };
    Some(welch_test(&summary(first)?, &summary(second)?))
}

fn by_pool_size(study: &StudyReport) -> Table {
    let mut table = Table::new("What EOMM gains over RandomMM, by pool size")
        .column(Column::integer("P"))
        .column(Column::number("Gain, expected", 3).unit("%"))
        .column(Column::number("of that of the largest pool", 0).unit("%"));
    let gain = |pool: &PoolResult| over(&pool.fitted, Method::Random).map(|gain| gain.expected);
    let largest = study
        .pools
        .last()
        .and_then(gain)
        .map_or(f64::NAN, |gain| gain.mean);
    for pool in &study.pools {
        if let Some(gain) = gain(pool) {
            let share = PERCENT * gain.mean / largest;
            table = table.row([pool.size.into(), percent(gain), share.into()]);
        }
    }
    table.note(climb(study, largest))
}

/// How much of the gain is there at the paper's sizes, and how well the paper's counts could tell.
fn climb(study: &StudyReport, largest: f64) -> String {
    let share = |size| {
        let pool = study.pools.iter().find(|pool| pool.size == size);
        let gain = pool.and_then(|pool| over(&pool.fitted, Method::Random));
        gain.map_or(f64::NAN, |gain| PERCENT * gain.expected.mean / largest)
    };
    let (random, test) = (
        TABLE_2.retained(Method::Random, 500),
        printed_test(Method::Eomm, Method::Random, 500),
    );
    let error = random
        .zip(test)
        .map_or(f64::NAN, |(random, test)| test.standard_error / random);
    format!(
        "The paper saw no consistent climb. Here pools of 100 have {:.0} % and pools of 200 {:.0} % of the gain of the largest; one standard error of the paper's gain at 500 is {:.0} % of it.",
        share(100),
        share(200),
        PERCENT * error / largest
    )
}

/// The same pairs under both judges (X7).
fn fitted_and_truth(study: &StudyReport) -> Table {
    let mut table = Table::new("The same pairs, judged by the fitted models and by the truth")
        .column(Column::integer("P"))
        .column(Column::text("Method"))
        .column(Column::number("Retained, fitted", 2))
        .column(Column::number("Retained, truth", 2))
        .column(Column::number("EOMM's lead, fitted", 3).unit("%"))
        .column(Column::number("EOMM's lead, truth", 3).unit("%"));
    for (pool, _) in printed_pools(study) {
        let Some(truth) = &pool.truth else { continue };
        for (fitted, judged) in pool.fitted.methods.iter().zip(&truth.methods) {
            let lead = |judgement| {
                let gain: Option<&Gain> = over(judgement, fitted.method);
                gain.map_or(Cell::Empty, |gain| percent(gain.expected))
            };
            table = table.row([
                pool.size.into(),
                fitted.method.name().into(),
                Cell::estimate(fitted.expected.mean, fitted.expected.standard_error),
                Cell::estimate(judged.expected.mean, judged.expected.standard_error),
                lead(&pool.fitted),
                lead(truth),
            ]);
        }
    }
    table.note("Expected given the pairs, ± standard error over the rounds.")
}

fn statements(all: &EommReproduction) -> Table {
    let mut table = Table::new("Section 4, held against every pairing of small pools")
        .column(Column::text("Statement"))
        .column(Column::text("Setting"))
        .column(Column::text("Required of each pool"))
        .column(Column::integer("Pools"))
        .column(Column::integer("Held"))
        .column(Column::text("Verdict"));
    for check in &all.theory.statements {
        table = table.row([
            statement(check).into(),
            check.setting.into(),
            check.claim.into(),
            check.pools.into(),
            check.held.into(),
            if check.holds() {
                "holds"
            } else {
                "does not always hold"
            }
            .into(),
        ]);
    }
    table.note(
        "Pools of 4 to 10 players, of which every perfect matching was tried; sums are equal up to 1e-12. The paper gives its statements no names; Th1 to Th5 are in their order.",
    )
}

fn statement(check: &StatementCheck) -> String {
    format!("{:?}", check.statement)
}

fn adjacent(all: &EommReproduction) -> Table {
    let mut table = Table::new("How often equal-skill matching has the most draws")
        .column(Column::text("Draw probability"))
        .column(Column::number("Skill spread", 0).unit("points"))
        .column(Column::integer("Players"))
        .column(Column::integer("Pools"))
        .column(Column::integer("Optimal"))
        .column(Column::number("Share of the most draws", 2).unit("%"))
        .column(Column::number("at worst", 2).unit("%"));
    for row in &all.theory.adjacent {
        table = table.row([
            row.law.into(),
            row.skill_spread.into(),
            row.players.into(),
            row.pools.into(),
            row.optimal.into(),
            (PERCENT * row.attained).into(),
            (PERCENT * row.least_attained).into(),
        ]);
    }
    table
}

fn widths(all: &EommReproduction) -> Table {
    let mut table = Table::new("Up to which width equal-skill matching is always optimal")
        .column(Column::text("Draw probability"))
        .column(Column::number("Safe width", 1).unit("points"))
        .column(Column::integer("Pools no wider"))
        .column(Column::integer("Optimal"))
        .column(Column::text("A pool beyond it where it is not"));
    for row in &all.theory.widths {
        table = table.row([
            row.law.into(),
            row.safe_width.into(),
            row.pools.into(),
            row.optimal.into(),
            row.beyond
                .as_ref()
                .map_or(Cell::Empty, |found| skills(found).into()),
        ]);
    }
    table.note("Width: the gap between the best and the worst of a pool.")
}

fn skills(found: &Counterexample) -> String {
    let skills: Vec<String> = found.skills.iter().map(|skill| format!("{skill:.0}")).collect();
    format!("skills {}", skills.join(", "))
}

fn gain_law(all: &EommReproduction) -> Table {
    let mut table = Table::new("The gain per player over RandomMM, predicted and measured")
        .column(Column::number("Skill spread", 0).unit("points"))
        .column(Column::number("Sensitivity spread", 2))
        .column(Column::number("Bound", 3).unit("%"))
        .column(Column::number("Averaged slope", 3).unit("%"))
        .column(Column::number("Measured", 3).unit("%"))
        .column(Column::number("of the bound", 0).unit("%"))
        .column(Column::number("SkillMM over RandomMM", 3).unit("%"));
    for cell in &all.gain_law.cells {
        table = table.row([
            cell.skill_spread.into(),
            cell.sensitivity_spread.into(),
            (PERCENT * cell.bound).into(),
            (PERCENT * cell.curved).into(),
            percent(cell.gain),
            (PERCENT * cell.share).into(),
            percent(cell.skill),
        ]);
    }
    table.note(format!(
        "{} pools of {} for each cell. In percentage points of churn probability.",
        all.gain_law.config.rounds, all.gain_law.config.players
    ))
}
