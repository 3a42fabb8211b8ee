//! Negative cases of the checks of simulated worlds: worlds in which something else happened.

use anyhow::Result;
use matchwright_sim::simulate::Measured;

use super::Negative;
use crate::awesomenauts::days::HeldRound;
use crate::check::simulated::WorldsReport;
use crate::claims::inputs::Inputs;

pub(super) const ALL: &[Negative] = &[
    Negative::trying("rounds and matches at once exchanged", &["AWN-hots"], |m| {
        m.awesomenauts.runs.schools.change(exchange)
    }),
    Negative::trying(
        "friends on two continents with pings as all others",
        &["AWN-spread"],
        |m| {
            of_evenings(m, |found| {
                for matches in found
                    .by_group
                    .iter_mut()
                    .filter(|one| one.group.starts_with("party from "))
                {
                    matches.ping = Some(80.0);
                }
            })
        },
    ),
    Negative::trying("ten times as many players", &["AWN-wait"], |m| {
        of_rounds(m, true, |round| round.gathered /= 10.0)
    }),
    Negative::trying("players who all win half of the time", &["DOTA-winrate"], |m| {
        m.dota.runs.worlds.change(|report| {
            for world in &mut report.worlds {
                let games = &mut world.policies.first_mut()?.games;
                for games in games.iter_mut() {
                    games.wins = games.games / 2;
                }
            }
            Some(())
        })
    }),
    Negative::trying("a ticket that waits for an hour", &["DOTA-C7"], |m| {
        m.dota.runs.worlds.change(|report| {
            let found = report.worlds.first_mut()?.policies.first_mut()?;
            found.waits.iter_mut().for_each(|waits| waits.longest = 3600.0);
            Some(())
        })
    }),
    Negative::trying("thresholds in the other order", &["DOTA-tune"], |m| {
        m.dota.runs.thresholds.change(|report| {
            report
                .worlds
                .iter_mut()
                .for_each(|world| world.policies.reverse());
            Some(())
        })
    }),
];

/// The first two policies of each world.
fn exchange(report: &mut WorldsReport) -> Option<()> {
    report
        .worlds
        .iter_mut()
        .for_each(|world| world.policies.swap(0, 1));
    Some(())
}

fn each(report: &mut WorldsReport, change: impl Fn(&mut Measured)) {
    let worlds = report.worlds.iter_mut();
    worlds.flat_map(|world| &mut world.policies).for_each(change);
}

fn of_evenings(wrong: &mut Inputs, change: impl Fn(&mut Measured)) -> Result<()> {
    wrong.awesomenauts.runs.schools.change(|report| {
        each(report, change);
        Some(())
    })
}

/// Of the days without a clock, or of those as the policy has them.
fn of_rounds(wrong: &mut Inputs, gathering: bool, change: impl Fn(&mut HeldRound)) -> Result<()> {
    let once = if gathering {
        &mut wrong.awesomenauts.runs.gathering
    } else {
        &mut wrong.awesomenauts.runs.days
    };
    once.change(|report| {
        report
            .days
            .iter_mut()
            .flat_map(|day| &mut day.rounds)
            .for_each(change);
        Some(())
    })
}
