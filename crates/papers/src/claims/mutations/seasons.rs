//! Wrong parts for the checks of what happens over many rounds: cohorts, queues of alliances, leagues.

use anyhow::Result;
use matchwright_sim::statistics::{MeanTest, t_test};

use super::Mutation;
use crate::claims::inputs::Inputs;
use crate::dominations::{Queue, WarWorld};
use crate::eomm::cohorts::{CohortsReport, Strategy, StrategyReport};

pub(super) const ALL: &[Mutation] = &[
    Mutation::trying(
        "a gain that fades though states are drawn anew",
        &["EOMM-X8"],
        |m| of_strategies(m, false, Strategy::Eomm, |eomm| none(&mut eomm.late_over_skill)),
    ),
    Mutation::trying(
        "a gain that compounds though propensity lasts",
        &["EOMM-X8"],
        |m| {
            let mut anew = None;
            of_strategies(m, false, Strategy::Eomm, |eomm| {
                anew = eomm.kept_ratio.last().copied();
            })?;
            of_strategies(m, true, Strategy::Eomm, |eomm| {
                if let Some((last, anew)) = eomm.kept_ratio.last_mut().zip(anew) {
                    *last = anew;
                }
            })
        },
    ),
    Mutation::trying("lifetime value that keeps no more than EOMM", &["EOMM-X8"], |m| {
        of_strategies(m, true, Strategy::Lifetime, |life| {
            none(&mut life.leavers_over_eomm);
        })
    }),
    Mutation::trying("losses that go to those who leave soonest", &["EOMM-X8"], |m| {
        of_strategies(m, true, Strategy::Eomm, |eomm| {
            eomm.loyal_lose_more = eomm.loyal_lose_more.reversed();
        })
    }),
    Mutation::trying(
        "a tenth of the first players kept twenty times",
        &["EOMM-X10"],
        |m| {
            of_strategies(m, false, Strategy::Skill, |skill| {
                if let Some(last) = skill.kept.last_mut() {
                    last.mean = 0.1;
                }
            })
        },
    ),
    Mutation::trying(
        "15 % more kept twenty times though propensity lasts",
        &["EOMM-X10"],
        |m| {
            of_strategies(m, true, Strategy::Eomm, |eomm| {
                if let Some(last) = eomm.kept_ratio.last_mut() {
                    last.high = 1.2;
                }
            })
        },
    ),
    Mutation::trying("sandbaggers who wait as long as others", &["DOM-sbwait"], |m| {
        of_worlds(m, Queue::New, |world| world.waits[1] = world.waits[0])
    }),
    Mutation::trying(
        "a new queue that mixes sandbaggers with others",
        &["DOM-sbwait"],
        |m| of_worlds(m, Queue::New, |world| world.mixed = 0.1),
    ),
    Mutation::trying("a window for glory that changes nothing", &["DOM-glory"], |m| {
        m.runs.wars.change(|report| {
            let with = report.worlds.first()?.clone();
            let without = report.worlds.get_mut(Queue::NoGlory as usize)?;
            for (without, with) in without.iter_mut().zip(with) {
                without.glory_gap = with.glory_gap;
            }
            Some(())
        })
    }),
    Mutation::trying("as near in glory after waiting as before", &["DOM-glory"], |m| {
        of_worlds(m, Queue::New, |world| {
            world.glory_gap_by_wait[1] = world.glory_gap_by_wait[0];
        })
    }),
    Mutation::trying("a new queue that strands as many", &["DOM-newqueue"], |m| {
        of_worlds(m, Queue::OneLook, |world| world.stranded = 0.0)
    }),
    Mutation::trying("an old queue that loses more", &["DOM-newqueue"], |m| {
        of_worlds(m, Queue::OldFour, |world| world.left += 0.2)
    }),
    Mutation::trying("seven sizes that match as well", &["DOM-7to4"], |m| {
        of_worlds(m, Queue::Seven, |world| world.strength_gap -= 0.01)
    }),
    Mutation::trying("50 against 50 as soon as 10 against 10", &["DOM-7to4"], |m| {
        of_worlds(m, Queue::New, |world| {
            let ten = world.by_size.get(&10).copied();
            world.by_size.extend(ten.map(|ten| (50, ten)));
        })
    }),
    Mutation::new(
        "an alliance that starts anew where it belongs",
        &["DOM-reboot"],
        |m| {
            m.dominations.league.strength = 12_000.0;
        },
    ),
    Mutation::new(
        "newcomers of one K and one deviation",
        &["DOM-reboot", "DOM-shark"],
        |m| {
            m.dominations.league.newcomer_k = vec![1.0, 1.0];
            m.dominations.league.deviations = vec![60.0, 60.0];
        },
    ),
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
    m.runs.cohorts.change(|report: &mut CohortsReport| {
        let settings = report.settings.iter_mut();
        for setting in settings.filter(|one| one.setting.persists == persists) {
            change(setting.strategies.get_mut(strategy as usize)?);
        }
        Some(())
    })
}

/// Changes the worlds under a queue.
fn of_worlds(m: &mut Inputs, queue: Queue, change: impl FnMut(&mut WarWorld)) -> Result<()> {
    m.runs.wars.change(|report| {
        report.worlds.get_mut(queue as usize)?.iter_mut().for_each(change);
        Some(())
    })
}
