//! Negative cases of the checks of Awesomenauts' search: runs that found something else.

use anyhow::Result;
use matchwright_sim::statistics::{MeanTest, t_test};

use super::Negative;
use crate::awesomenauts::{BatchesReport, Contender, RaceReport, RestartsReport};
use crate::claims::inputs::Inputs;

pub(super) const ALL: &[Negative] = &[
    Negative::trying("forced swaps that gain by chance alone", &["AWN-forced"], |m| {
        of_forced(m, |report| becomes(&mut report.forced.gain, 0.0001, 0.001))
    }),
    Negative::trying("retries that gain three percent", &["AWN-restart"], |m| {
        of_forced(m, |report| retries(report, 0.03, 0.001))
    }),
    Negative::trying("annealing that gains nothing", &["AWN-sa"], |m| {
        m.awesomenauts.runs.annealing_race.change(|report| {
            let mut rows = report.rows.iter_mut();
            let row = rows.find(|row| row.contender == Contender::ReadersAnnealing)?;
            becomes(&mut row.over_starting_anew, 0.0001, 0.001)
        })
    }),
    Negative::trying(
        "many starts that gain little over a few",
        &["AWN-overnight"],
        |m| of_restarts(m, |report| report.many_over_few.mean = 0.004),
    ),
    Negative::trying("300 no better than 200", &["AWN-300"], |m| {
        of_batches(m, |report| {
            becomes(&mut report.steps.get_mut(2)?.total, 0.0001, 0.001)
        })
    }),
    Negative::trying("sixes in order without the best teams", &["AWN-init"], |m| {
        m.awesomenauts
            .runs
            .starts
            .change(|report| becomes(&mut report.singly.over_end, 0.0001, 0.001))
    }),
    Negative::new("as many printed above the cap as here", &["AWN-top"], |m| {
        m.awesomenauts.above_cap = 0.0043;
    }),
    Negative::new("no beginners", &["AWN-beginners"], |m| {
        m.awesomenauts.beginners = 0.0;
    }),
    Negative::trying("a swap that helps at the end", &["AWN-steepest"], |m| {
        m.awesomenauts.runs.port.change(|report| {
            report.best_at_end = 1e-6;
            Some(())
        })
    }),
    Negative::trying("a swap more", &["AWN-count"], |m| {
        m.awesomenauts.runs.port.change(|report| {
            report.count.swaps += 1;
            Some(())
        })
    }),
    Negative::new("a few hundred millions of swaps a second", &["AWN-speed"], |m| {
        m.awesomenauts.a_few_hundred = 2e7..=5e9;
    }),
    Negative::trying("a factor that makes no repeats rarer", &["AWN-repeat"], |m| {
        m.awesomenauts
            .runs
            .repeats
            .change(|report| becomes(&mut report.fewer, 0.01, 0.02))
    }),
];

/// A difference over many pools, with its error.
fn becomes(test: &mut MeanTest, difference: f64, error: f64) -> Option<()> {
    *test = t_test(difference, error, 39.0);
    Some(())
}

/// What retries gain over forced swaps, at each number of evaluations.
fn retries(report: &mut RaceReport, difference: f64, error: f64) -> Option<()> {
    let rows = report.rows.iter_mut();
    rows.filter(|row| row.contender == Contender::StartingAnew)
        .map(|row| becomes(&mut row.over_forced, difference, error))
        .collect()
}

fn of_forced(wrong: &mut Inputs, change: impl FnOnce(&mut RaceReport) -> Option<()>) -> Result<()> {
    wrong.awesomenauts.runs.forced_race.change(change)
}

fn of_restarts(wrong: &mut Inputs, change: impl FnOnce(&mut RestartsReport)) -> Result<()> {
    wrong.awesomenauts.runs.restarts.change(|report| {
        change(report);
        Some(())
    })
}

fn of_batches(wrong: &mut Inputs, change: impl FnOnce(&mut BatchesReport) -> Option<()>) -> Result<()> {
    wrong.awesomenauts.runs.batches.change(change)
}
