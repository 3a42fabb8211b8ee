//! Negative cases of the checks of what happens over many rounds: cohorts, queues of alliances, leagues.

use anyhow::Result;
use matchwright_sim::statistics::{MeanTest, t_test};

use super::Negative;
use crate::claims::inputs::Inputs;
use crate::dominations::{Queue, WarWorld};
use crate::eomm::cohorts::{CohortsReport, Strategy, StrategyReport};

pub(super) const ALL: &[Negative] = &[
    Negative::trying(
        "a gain that fades though states are drawn anew",
        &["EOMM-X8"],
        |m| of_strategies(m, false, Strategy::Eomm, |eomm| none(&mut eomm.late_over_skill)),
    ),
    Negative::trying("sandbaggers who wait as long as others", &["DOM-sbwait"], |m| {
        of_worlds(m, Queue::NoKey, |world| world.waits[1] = world.waits[0])
    }),
    Negative::trying("a window for glory that changes nothing", &["DOM-glory"], |m| {
        m.dominations.runs.wars.change(|report| {
            let with = report.worlds.first()?.clone();
            let without = report.worlds.get_mut(Queue::NoGlory as usize)?;
            for (without, with) in without.iter_mut().zip(with) {
                without.glory_gap = with.glory_gap;
            }
            Some(())
        })
    }),
    Negative::trying("a new queue that strands as many", &["DOM-newqueue"], |m| {
        of_worlds(m, Queue::OneLook, |world| world.stranded = 0.0)
    }),
    Negative::trying("full hours that match no better", &["DOM-hourly"], |m| {
        of_worlds(m, Queue::Hourly, |world| world.strength_gap += 0.01)
    }),
    Negative::trying("a spread that tells every war", &["DOM-deviation"], |m| {
        of_worlds(m, Queue::Old, |world| world.chance_of_wider = 0.995)
    }),
    Negative::trying("glory alone that matches as well", &["DOM-ages"], |m| {
        of_worlds(m, Queue::GloryAlone, |world| world.strength_gap = 0.02)
    }),
    Negative::trying("seven sizes that match as well", &["DOM-7to4"], |m| {
        of_worlds(m, Queue::Seven, |world| world.strength_gap -= 0.01)
    }),
];

/// A difference that chance alone can make.
fn none(test: &mut MeanTest) {
    *test = t_test(0.0, test.standard_error.max(1e-6), 50.0);
}

/// Changes what a strategy came to where propensity lasts, or does not.
fn of_strategies(
    m: &mut Inputs,
    persists: bool,
    strategy: Strategy,
    mut change: impl FnMut(&mut StrategyReport),
) -> Result<()> {
    m.eomm.runs.cohorts.change(|report: &mut CohortsReport| {
        let settings = report.settings.iter_mut();
        for setting in settings.filter(|one| one.setting.persists == persists) {
            change(setting.strategies.get_mut(strategy as usize)?);
        }
        Some(())
    })
}

/// Changes the worlds under a queue.
fn of_worlds(m: &mut Inputs, queue: Queue, change: impl FnMut(&mut WarWorld)) -> Result<()> {
    m.dominations.runs.wars.change(|report| {
        report.worlds.get_mut(queue as usize)?.iter_mut().for_each(change);
        Some(())
    })
}
