//! Small simulated worlds: a few, each several times, so that there are as many as a statement takes; what they are too
//! small for is made to agree with what checks find in full ones.

use std::sync::OnceLock;

use crate::awesomenauts::claims::inputs::AwesomenautsRuns;
use crate::awesomenauts::days::DaysReport;
use crate::check::Once;
use crate::check::simulated::{ENOUGH_WORLDS, WorldsConfig, WorldsReport, is_rated_from};
use crate::dota::claims::inputs::DotaRuns;

use super::inputs;

/// Worlds that are simulated; the others are copies.
const WORLDS: u64 = 2;

struct Small {
    schools: WorldsReport,
    days: DaysReport,
    gathering: DaysReport,
    dota_worlds: WorldsReport,
    dota_thresholds: WorldsReport,
}

fn small() -> &'static Small {
    static SMALL: OnceLock<Small> = OnceLock::new();
    SMALL.get_or_init(|| {
        let mut inputs = inputs();
        let shorter = |config: &mut WorldsConfig, hours: (f64, f64)| {
            (config.worlds, config.hours) = (WORLDS, Some(hours));
        };
        shorter(&mut inputs.awesomenauts.evenings, (1.0, 0.25));
        shorter(&mut inputs.awesomenauts.days, (12.0, 0.0));
        shorter(&mut inputs.dota.worlds, (1.0, 0.25));
        // A short search in each round.
        let rounds = &mut inputs.awesomenauts.evenings.policies[0];
        *rounds = rounds.replace("[queue]", "[queue]\nexchanges = 5000");
        Small {
            schools: schools(several(inputs.awesomenauts.schools().unwrap())),
            days: days(inputs.awesomenauts.days().unwrap()),
            gathering: days(inputs.awesomenauts.gathering().unwrap()),
            dota_worlds: win_rates(several(inputs.dota.worlds_run().unwrap())),
            dota_thresholds: areas(several(inputs.dota.thresholds_run().unwrap())),
        }
    })
}

fn several(report: &WorldsReport) -> WorldsReport {
    let worlds = report.worlds.iter().cycle().take(ENOUGH_WORLDS);
    WorldsReport {
        worlds: worlds.cloned().collect(),
    }
}

/// Few professionals play in an hour: their waits and matches are as in longer evenings.
fn schools(mut report: WorldsReport) -> WorldsReport {
    for world in &mut report.worlds {
        for (found, longer) in world.policies.iter_mut().zip([1.0, 30.0]) {
            let (wait, mismatch) = (found.waits[0].mean, found.by_group[0].mismatch);
            let waits = found.waits.iter_mut();
            waits
                .filter(|waits| is_rated_from(&waits.group, 16_000.0))
                .for_each(|waits| waits.mean = wait.map(|wait| wait + longer));
            let matches = found.by_group.iter_mut();
            matches
                .filter(|matches| is_rated_from(&matches.group, 16_000.0))
                .for_each(|matches| matches.mismatch = mismatch.map(|mismatch| mismatch + 0.03));
        }
    }
    report
}

/// Win rates under the policy as in many worlds, 2.4 percentage points apart.
fn win_rates(mut report: WorldsReport) -> WorldsReport {
    for found in report
        .worlds
        .iter_mut()
        .filter_map(|world| world.policies.first_mut())
    {
        for (games, of_a_thousand) in found.games.iter_mut().zip([490, 498, 502, 514]) {
            games.wins = games.games * of_a_thousand / 1000;
        }
    }
    report
}

/// Areas under the gold lead as in many worlds.
fn areas(mut report: WorldsReport) -> WorldsReport {
    for world in &mut report.worlds {
        for (found, area) in world.policies.iter_mut().zip([195_000.0, 177_000.0, 168_000.0]) {
            found.balance = Some(area);
            found.balance_curve[90] = 2.4 * area;
        }
    }
    report
}

fn days(report: &DaysReport) -> DaysReport {
    let days = report.days.iter().cycle().take(ENOUGH_WORLDS);
    DaysReport {
        days: days.cloned().collect(),
    }
}

/// The runs of the checks of simulated worlds.
pub(super) fn with_worlds(runs: AwesomenautsRuns) -> AwesomenautsRuns {
    AwesomenautsRuns {
        schools: Once::given(small().schools.clone()),
        days: Once::given(small().days.clone()),
        gathering: Once::given(small().gathering.clone()),
        ..runs
    }
}

/// The same of Dota 2.
pub(super) fn of_dota() -> DotaRuns {
    DotaRuns {
        worlds: Once::given(small().dota_worlds.clone()),
        thresholds: Once::given(small().dota_thresholds.clone()),
    }
}

#[test]
fn a_few_worlds_decide_nothing() {
    let few = WorldsReport {
        worlds: small().dota_worlds.worlds[..5].to_vec(),
    };
    let mut inputs = inputs();
    inputs.dota.runs.worlds = Once::given(few);
    let found = super::found("DOTA-C7", &inputs);
    assert_eq!(
        found.verdict,
        crate::check::verdict::Verdict::Inconclusive,
        "{found:?}"
    );
}
