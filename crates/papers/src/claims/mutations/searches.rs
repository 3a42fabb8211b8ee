//! Wrong parts for the checks of Awesomenauts' search: runs that found something else.

use anyhow::Result;
use matchwright_scoring::Total;
use matchwright_sim::statistics::{MeanTest, t_test};

use super::Mutation;
use crate::awesomenauts::{
    BatchesReport, Contender, FactorRow, RaceReport, RestartsReport, StartsReport, TotalRow, TotalsReport,
};
use crate::claims::inputs::Inputs;
use crate::claims::runs::Once;

pub(super) const ALL: &[Mutation] = &[
    Mutation::trying("forced swaps that gain by chance alone", &["AWN-forced"], |m| {
        of_forced(m, |report| becomes(&mut report.forced.gain, 0.0001, 0.001))
    }),
    Mutation::trying("forced swaps that gain five percent", &["AWN-forced"], |m| {
        of_forced(m, |report| becomes(&mut report.forced.gain, 0.05, 0.001))
    }),
    Mutation::trying("forced swaps that cost little", &["AWN-forced"], |m| {
        of_forced(m, |report| {
            report.forced.work.mean = 1.1;
            Some(())
        })
    }),
    Mutation::trying("retries that gain three percent", &["AWN-restart"], |m| {
        of_forced(m, |report| retries(report, 0.03, 0.001))
    }),
    Mutation::trying("retries that too few pools compare", &["AWN-restart"], |m| {
        of_forced(m, |report| retries(report, 0.003, 0.02))
    }),
    Mutation::trying("annealing that gains nothing", &["AWN-sa"], |m| {
        m.runs.annealing_race.change(|report| {
            let mut rows = report.rows.iter_mut();
            let row = rows.find(|row| row.contender == Contender::ReadersAnnealing)?;
            becomes(&mut row.over_starting_anew, 0.0001, 0.001)
        })
    }),
    Mutation::trying(
        "many starts that gain nothing over a few",
        &["AWN-overnight"],
        |m| of_restarts(m, |report| report.many_over_few.mean = 0.0),
    ),
    Mutation::trying("many starts that gain two percent", &["AWN-overnight"], |m| {
        of_restarts(m, |report| report.many_over_few.mean = 0.02)
    }),
    Mutation::trying("an ascent of a percent", &["AWN-overnight"], |m| {
        of_restarts(m, |report| report.ascent.mean = 0.01)
    }),
    Mutation::trying("twenty starts for tens of thousands", &["AWN-overnight"], |m| {
        of_restarts(m, |report| report.config.starts = 20)
    }),
    Mutation::trying("300 no better than 200", &["AWN-300"], |m| {
        of_batches(m, |report| {
            becomes(&mut report.steps.get_mut(2)?.total, 0.0001, 0.001)
        })
    }),
    Mutation::trying("players far away who lose by larger batches", &["AWN-300"], |m| {
        of_batches(m, |report| {
            report.steps.get_mut(1)?.quality.first_mut()?.difference = -0.01;
            Some(())
        })
    }),
    Mutation::trying("pings that gain most in Europe", &["AWN-300"], |m| {
        of_batches(m, |report| {
            report.steps.first_mut()?.ping_factor.get_mut(2)?.difference = 0.6;
            Some(())
        })
    }),
    Mutation::trying("no batch of 300", &["AWN-300"], |m| {
        of_batches(m, |report| {
            report.rows.truncate(3);
            Some(())
        })
    }),
    Mutation::trying("a start with the best teams", &["AWN-init"], |m| {
        of_starts(m, "team_skill", |row| {
            becomes(&mut row.sorted_over_end, 0.02, 0.001)
        })
    }),
    Mutation::trying("a swap that helps at the end", &["AWN-steepest"], |m| {
        m.runs.port.change(|report| {
            report.best_at_end = 1e-6;
            Some(())
        })
    }),
    Mutation::trying("an end that is no number", &["AWN-steepest"], |m| {
        m.runs.port.change(|report| {
            report.best_at_end = f64::NAN;
            Some(())
        })
    }),
    // A search that is cut off is at no local optimum.
    Mutation::new("a search that is cut off", &["AWN-steepest"], |m| {
        (m.awesomenauts.port.most_splits, m.awesomenauts.port.pools) = (20_000, 2);
        m.runs.port = Once::default();
    }),
    Mutation::trying("a swap more", &["AWN-count"], |m| {
        m.runs.port.change(|report| {
            report.count.swaps += 1;
            Some(())
        })
    }),
    Mutation::trying("a split less", &["AWN-count"], |m| {
        m.runs.port.change(|report| {
            report.count.splits -= 1;
            Some(())
        })
    }),
    Mutation::trying("a split more in the port's own count", &["AWN-count"], |m| {
        m.runs.port.change(|report| {
            report.count.reported += 1;
            Some(())
        })
    }),
    Mutation::new("a few hundred millions of swaps a second", &["AWN-speed"], |m| {
        m.awesomenauts.a_few_hundred = 2e7..=5e9;
    }),
    Mutation::trying("a factor that makes no repeats rarer", &["AWN-repeat"], |m| {
        m.runs
            .repeats
            .change(|report| becomes(&mut report.fewer, 0.01, 0.02))
    }),
    Mutation::trying(
        "a factor that costs two percent of the others",
        &["AWN-repeat"],
        |m| {
            m.runs
                .repeats
                .change(|report| becomes(&mut report.others_lose, 0.02, 0.001))
        },
    ),
    // The row is not confirmed as it is: with annealing as the reader supposes, totals alone decide it.
    Mutation::trying("annealing as supposed, and totals that help", &["AWN-sa"], |m| {
        m.runs.annealing_race.change(|report| {
            let mut rows = report.rows.iter_mut();
            let row = rows.find(|row| row.contender == Contender::ReadersAnnealing)?;
            becomes(&mut row.over_starting_anew, 0.0, 0.02)
        })?;
        of_total(m, Total::MEDIAN, |row| {
            becomes(&mut row.own_over_first, 0.0001, 0.001)
        })
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
    wrong.runs.forced_race.change(change)
}

fn of_restarts(wrong: &mut Inputs, change: impl FnOnce(&mut RestartsReport)) -> Result<()> {
    wrong.runs.restarts.change(|report| {
        change(report);
        Some(())
    })
}

fn of_batches(wrong: &mut Inputs, change: impl FnOnce(&mut BatchesReport) -> Option<()>) -> Result<()> {
    wrong.runs.batches.change(change)
}

fn of_starts(
    wrong: &mut Inputs,
    factor: &str,
    change: impl FnOnce(&mut FactorRow) -> Option<()>,
) -> Result<()> {
    let row = |report: &mut StartsReport| change(report.rows.iter_mut().find(|row| row.factor == factor)?);
    wrong.runs.starts.change(row)
}

fn of_total(
    wrong: &mut Inputs,
    total: Total,
    change: impl FnOnce(&mut TotalRow) -> Option<()>,
) -> Result<()> {
    let row = |report: &mut TotalsReport| change(report.rows.iter_mut().find(|row| row.made_for == total)?);
    wrong.runs.totals.change(row)
}
