//! The reproduction's own tables: the paper's figures beside ours, then theory.

use crate::eomm::Method;
use crate::eomm::gain_law::GainLawReport;
use crate::eomm::printed::{NOT_SIGNIFICANT, SIGNIFICANT, TABLE_1, TABLE_2};
use crate::eomm::study::{Judgement, PatternTable, PoolResult, StudyReport};
use crate::eomm::theory::TheoryReport;
use crate::reproduction::{difference, estimate};
use matchwright_report::{Cell, Column, Table, count};
use matchwright_sim::statistics::{MeanTest, welch_test};

use crate::eomm::reproduction::Stream;

/// The pools of the paper's Table 2, each with its size.
pub(crate) fn printed_pools(study: &StudyReport) -> impl Iterator<Item = (&PoolResult, u32)> {
    let pools = study.pools.iter();
    pools.filter_map(|pool| {
        let size = u32::try_from(pool.size).ok()?;
        TABLE_2.pools.contains(&size).then_some((pool, size))
    })
}

pub(crate) fn table2(study: &StudyReport) -> Table {
    let rows: Vec<_> = printed_pools(study)
        .flat_map(|(pool, size)| pool.fitted.methods.iter().map(move |result| (result, size)))
        .filter_map(|(result, size)| Some((result, size, TABLE_2.retained(result.method, size)?)))
        .map(|(result, size, printed)| {
            let ours = result.expected;
            let theirs = TABLE_2.sample(result.method, size);
            let theirs = theirs.map_or(f64::NAN, |sample| sample.estimate().standard_error);
            let error = ours.standard_error.hypot(theirs);
            (result, size, printed, ours.mean - printed, error)
        })
        .collect();
    // With fewer rounds the standard error is itself so uncertain that z is no normal number.
    let rounds = study.config.rounds;
    Table::of("Table 2: retained players per round, published and ours", &rows)
        .column(Column::integer("P"), |(_, size, ..)| *size)
        .column(Column::text("Method"), |(result, ..)| result.method.name())
        .column(Column::number("Expected", 2), |(result, ..)| estimate(result.expected))
        .column(Column::number("Published", 2), |(_, _, printed, ..)| *printed)
        .column(Column::number("Difference", 2), |(.., off, error)| Cell::estimate(*off, *error))
        .column(Column::percent("of P", 2), |(_, size, _, off, _)| off / f64::from(*size))
        .column(Column::number("z", 1), |(.., off, error)| (rounds >= 30).then_some(off / error))
        .column(Column::number("Simulated", 2), |(result, ..)| estimate(result.simulated))
        .build()
        .note(format!(
            "Expected: the mean of the simulated counts given the pairs, without the luck of outcomes and churn. ± standard error over {} rounds (z from 30 rounds on). Difference: expected less the published figure; its error counts the sampling errors of both, the paper's counts taken to be binomial. A large z says that the two populations differ, not by how much it matters: see % of P.",
            count(rounds.into())
        ))
        .file("table2-beside-the-paper")
}

pub(crate) fn gains(study: &StudyReport) -> Table {
    type Row = (Option<u32>, String, f64, Option<Cell>, Cell, Option<Cell>);
    let mut rows: Vec<Row> = Vec::new();
    let methods = [Method::Skill, Method::Random];
    let found: Vec<_> = printed_pools(study)
        .flat_map(|pool| methods.map(|method| (pool, method)))
        .filter_map(|((pool, size), method)| {
            let printed = TABLE_2.gain(Method::Eomm, method, size)?;
            let truth = pool.truth.as_ref().and_then(|truth| truth.gain_over(method));
            Some((size, method, printed, pool.fitted.gain_over(method)?, truth))
        })
        .collect();
    for &(size, method, printed, gain, truth) in &found {
        rows.push((
            Some(size),
            method.name().to_owned(),
            printed,
            Some(estimate(gain.simulated)),
            estimate(gain.expected),
            truth.map(|gain| estimate(gain.expected)),
        ));
    }
    for method in methods {
        let large = || found.iter().filter(|row| row.0 >= 200 && row.1 == method);
        if large().next().is_none() {
            continue;
        }
        let mean = |values: Vec<f64>| values.iter().sum::<f64>() / values.len() as f64;
        let truth: Option<Vec<f64>> = large().map(|row| Some(row.4?.expected.mean)).collect();
        let truth = truth.filter(|values| !values.is_empty());
        rows.push((
            None,
            format!("{}, mean of P >= 200", method.name()),
            mean(large().map(|row| row.2).collect()),
            None,
            mean(large().map(|row| row.3.expected.mean).collect()).into(),
            truth.map(|values| mean(values).into()),
        ));
    }
    Table::of("What EOMM retains beyond the others, published and ours", &rows)
        .column(Column::integer("P"), |row| row.0)
        .column(Column::text("Over"), |row| &row.1)
        .column(Column::percent("Expected", 3), |row| row.4.clone())
        .column(Column::percent("under the true model", 3), |row| row.5.clone())
        .column(Column::percent("Published, by Table 2", 2), |row| row.2)
        .column(Column::percent("Simulated", 2), |row| row.3.clone())
        .build()
        .note("The paper's text gives 0.3, 0.9, 1.1 and 0.6 % for P = 200 to 500 as gains over SkillMM. By its own Table 2 these are the gains over RandomMM; over SkillMM they are 0.27, 0.93, 0.94 and 0.75 %, and at P = 100 EOMM is 1.18 % behind.")
        .file("gains-beside-the-paper")
}

pub(crate) fn table1(stream: &Stream) -> Table {
    let rows: Vec<_> = TABLE_1
        .iter()
        .flat_map(|printed| printed.patterns.iter().map(move |pattern| (printed, *pattern)))
        .filter_map(|(printed, pattern)| Some((printed, stream.table.row(pattern)?)))
        .collect();
    Table::of("Table 1: seven-day churn by the last three outcomes, published and ours", &rows)
        .column(Column::text("Last three"), |(_, ours)| &ours.pattern)
        .column(Column::text("Published"), |(printed, _)| {
            if printed.low < printed.high {
                return format!("{:.1}-{:.1} %", printed.low, printed.high);
            }
            format!("{:.1} %", printed.low)
        })
        .column(Column::percent("Ours", 2), |(_, ours)| estimate(ours.estimate()))
        .column(Column::number("Difference", 2).unit("points"), |(printed, ours)| {
            100.0 * ours.churn - printed.middle()
        })
        .column(Column::integer("Player-matches"), |(_, ours)| ours.n)
        .build()
        .note(format!(
            "Oldest outcome first. From {} player-matches of {} regions of the generated population; errors take regions as clusters. Difference: from the middle of the published range.",
            count(stream.player_matches),
            stream.regions
        ))
        .file("table1-beside-the-paper")
}

pub(crate) fn all_patterns(patterns: &PatternTable) -> Table {
    Table::of("Seven-day churn after all 27 patterns, generated", &patterns.rows)
        .column(Column::text("Last three"), |row| &row.pattern)
        .column(Column::percent("Churn", 2), |row| estimate(row.estimate()))
        .column(Column::integer("Player-matches"), |row| row.n)
        .build()
        .note("Seventeen of these are not printed in the paper; the default population lets them follow the last outcome alone.")
        .file("table1-all-patterns")
}

/// The paper's own differences, each with the error that its rounds allow (X3).
pub(crate) fn significance() -> Table {
    let pairs = [
        (Method::Eomm, Method::Skill),
        (Method::Eomm, Method::Random),
        (Method::Random, Method::Skill),
        (Method::Skill, Method::Worst),
    ];
    let rows: Vec<_> = TABLE_2
        .pools
        .into_iter()
        .flat_map(|pool| pairs.map(|(first, second)| (pool, first, second)))
        .filter_map(|(pool, first, second)| Some((pool, first, second, printed_test(first, second, pool)?)))
        .collect();
    let [(a, b, p), (c, d, q)] = NOT_SIGNIFICANT;
    Table::of("The paper's Table 2 under its own test", rows)
        .column(Column::integer("P"), |(pool, ..)| pool)
        .column(Column::text("First"), |(_, first, ..)| first.name())
        .column(Column::text("Second"), |(_, _, second, _)| second.name())
        .column(Column::number("Difference", 2).unit("players"), |(.., test)| difference(test))
        .column(Column::number("Welch's t", 2), |(.., test)| test.t)
        .column(Column::significant("p", 2), |(.., test)| test.p)
        .column(Column::text("At 0.01"), |(.., test)| {
            if test.p < SIGNIFICANT { "differ" } else { "cannot be told apart" }
        })
        .build()
        .note(format!(
            "The counts of 10,000 rounds are taken to be binomial. The paper calls all differences significant but two: {} and {} at P = {p}, {} and {} at P = {q}.",
            a.name(),
            b.name(),
            c.name(),
            d.name()
        ))
        .file("significance-rechecked")
}

/// Welch's test of two printed means, their counts taken to be binomial.
pub(crate) fn printed_test(first: Method, second: Method, pool: u32) -> Option<MeanTest> {
    let sample = |method| TABLE_2.sample(method, pool);
    Some(welch_test(&sample(first)?, &sample(second)?))
}

pub(crate) fn by_pool_size(study: &StudyReport) -> Table {
    let gain = |pool: &PoolResult| Some((pool.size, pool.fitted.gain_over(Method::Random)?.expected));
    let rows: Vec<_> = study.pools.iter().filter_map(gain).collect();
    let largest = rows.last().map(|(_, gain)| gain.mean);
    Table::of("What EOMM gains over RandomMM, by pool size", rows)
        .column(Column::integer("P"), |(size, _)| size)
        .column(Column::percent("Gain, expected", 3), |(_, gain)| estimate(gain))
        .column(Column::percent("of that of the largest pool", 0), |(_, gain)| {
            largest.map(|largest| gain.mean / largest)
        })
        .build()
        .note(climb(study, largest))
        .file("gain-by-pool-size")
}

/// How much of the gain is there at the paper's sizes, and how well the paper's counts could tell.
fn climb(study: &StudyReport, largest: Option<f64>) -> String {
    let share = |size| {
        let pool = study.pools.iter().find(|pool| pool.size == size)?;
        let gain = pool.fitted.gain_over(Method::Random)?;
        Some(format!(
            "pools of {size} have {:.0} %",
            100.0 * gain.expected.mean / largest?
        ))
    };
    let random = TABLE_2.retained(Method::Random, 500);
    let error = random
        .zip(printed_test(Method::Eomm, Method::Random, 500))
        .zip(largest)
        .map(|((random, test), largest)| 100.0 * test.standard_error / random / largest);
    let mut words = vec!["The paper saw no consistent climb.".to_owned()];
    let shares: Vec<String> = [100, 200].into_iter().filter_map(share).collect();
    if !shares.is_empty() {
        words.push(format!("Of the gain of the largest {} here.", shares.join(", ")));
    }
    words.extend(
        error.map(|error| format!("One standard error of the paper's gain at 500 is {error:.0} % of it.")),
    );
    words.join(" ")
}

/// The same pairs under both judges (X7).
pub(crate) fn fitted_and_truth(study: &StudyReport) -> Table {
    let rows: Vec<_> = printed_pools(study)
        .filter_map(|(pool, size)| Some((size, &pool.fitted, pool.truth.as_ref()?)))
        .flat_map(|pool| (0..pool.1.methods.len()).map(move |method| (pool, method)))
        .collect();
    let lead = |judged: &Judgement, method: usize| {
        let gain = judged.gain_over(judged.methods[method].method);
        gain.map(|gain| estimate(gain.expected))
    };
    let caption = "The same pairs, judged by the fitted models and by the true model";
    Table::of(caption, rows)
        .column(Column::integer("P"), |((size, ..), _)| size)
        .column(Column::text("Method"), |((_, fitted, _), k)| {
            fitted.methods[k].method.name()
        })
        .column(Column::number("Retained, fitted", 2), |((_, fitted, _), k)| {
            estimate(fitted.methods[k].expected)
        })
        .column(Column::number("Retained, true", 2), |((.., truth), k)| {
            estimate(truth.methods[k].expected)
        })
        .column(
            Column::percent("EOMM's lead, fitted", 3),
            |((_, fitted, _), k)| lead(fitted, k),
        )
        .column(Column::percent("EOMM's lead, true", 3), |((.., truth), k)| {
            lead(truth, k)
        })
        .build()
        .note("Expected given the pairs, ± standard error over the rounds.")
        .file("fitted-and-truth")
}

pub(crate) fn statements(theory: &TheoryReport) -> Table {
    Table::of("Section 4, tested on every pairing of small pools", &theory.statements)
        .column(Column::text("Statement"), |check| format!("{:?}", check.statement))
        .column(Column::text("Setting"), |check| check.setting)
        .column(Column::text("Required of each pool"), |check| check.claim)
        .column(Column::integer("Pools"), |check| check.pools)
        .column(Column::integer("Held"), |check| check.held)
        .column(Column::text("Verdict"), |check| {
            if check.holds() { "holds" } else { "does not always hold" }
        })
        .build()
        .note("Pools of 4 to 10 players, of which every perfect matching was tried; sums are equal up to 1e-12. The paper gives its statements no names; Th1 to Th5 are in their order.")
        .file("theory-statements")
}

pub(crate) fn adjacent(theory: &TheoryReport) -> Table {
    let caption = "How often equal-skill matching has the most draws";
    Table::of(caption, &theory.adjacent)
        .column(Column::text("Draw probability"), |row| row.law)
        .column(Column::number("Skill spread", 0).unit("points"), |row| {
            row.skill_spread
        })
        .column(Column::integer("Players"), |row| row.players)
        .column(Column::integer("Pools"), |row| row.pools)
        .column(Column::integer("Optimal"), |row| row.optimal)
        .column(Column::percent("Share of the most draws", 2), |row| row.attained)
        .column(Column::percent("at worst", 2), |row| row.least_attained)
        .build()
        .file("theory-adjacent")
}

pub(crate) fn widths(theory: &TheoryReport) -> Table {
    let caption = "Up to which width equal-skill matching is always optimal";
    Table::of(caption, &theory.widths)
        .column(Column::text("Draw probability"), |row| row.law)
        .column(Column::number("Safe width", 1).unit("points"), |row| {
            row.safe_width
        })
        .column(Column::integer("Pools no wider"), |row| row.pools)
        .column(Column::integer("Optimal"), |row| row.optimal)
        .column(Column::text("A pool beyond it where it is not"), |row| {
            let skills = |pool: &[f64]| pool.iter().map(|skill| format!("{skill:.0}")).collect::<Vec<_>>();
            let found = row.beyond.as_ref();
            found.map(|found| format!("skills {}", skills(&found.skills).join(", ")))
        })
        .build()
        .note("Width: the gap between the best and the worst of a pool.")
        .file("theory-widths")
}

pub(crate) fn gain_law(law: &GainLawReport) -> Table {
    let caption = "The gain per player over RandomMM, predicted and measured";
    Table::of(caption, &law.cells)
        .column(Column::number("Skill spread", 0).unit("points"), |cell| {
            cell.skill_spread
        })
        .column(Column::number("Sensitivity spread", 2), |cell| {
            cell.sensitivity_spread
        })
        .column(Column::percent("Bound", 3), |cell| cell.bound)
        .column(Column::percent("Averaged slope", 3), |cell| cell.curved)
        .column(Column::percent("Measured", 3), |cell| estimate(cell.gain))
        .column(Column::percent("of the bound", 0), |cell| cell.share)
        .column(Column::percent("SkillMM over RandomMM", 3), |cell| {
            estimate(cell.skill)
        })
        .build()
        .note(format!(
            "{} pools of {} for each cell. In percentage points of churn probability.",
            law.config.rounds, law.config.players
        ))
        .file("gain-law")
}
