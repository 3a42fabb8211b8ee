//! Small runs over many rounds, made to agree with what the checks find in full ones.

use std::sync::OnceLock;

use matchwright_sim::progress::Quiet;
use matchwright_sim::statistics::{RatioOfMeans, t_test};

use super::inputs;
use crate::dominations::{OLD_RANGES, Queue, Setting, WarWorld, WarsReport};
use crate::eomm::cohorts::{CohortsConfig, CohortsReport, Strategy, run_cohorts};
use crate::workers::Workers;

/// A small run with the gains and losses of the full one.
pub(super) fn cohorts() -> CohortsReport {
    static SMALL: OnceLock<CohortsReport> = OnceLock::new();
    let run = || {
        let config = CohortsConfig {
            worlds: 2,
            players: 20,
            record_pools: 10,
            ..CohortsConfig::default()
        };
        run_cohorts(&config, 1, &Workers::new(2, &Quiet)).unwrap()
    };
    let mut report = SMALL.get_or_init(run).clone();
    let ratio = |ratio: f64| RatioOfMeans {
        ratio,
        standard_error: 0.01,
        low: ratio - 0.02,
        high: ratio + 0.02,
    };
    for setting in &mut report.settings {
        let (lasts, is_paper) = (setting.setting.persists, setting.setting.level > 0.4);
        for of in &mut setting.strategies {
            let gains = matches!(of.strategy, Strategy::Eomm | Strategy::Lifetime);
            if !gains {
                of.kept
                    .iter_mut()
                    .skip(1)
                    .for_each(|kept| kept.mean = if lasts { 0.016 } else { 0.0 });
                continue;
            }
            let fewer = if lasts { -0.1 } else { -0.3 };
            of.leavers_over_skill = t_test(fewer, 0.01, 119.0);
            of.late_over_skill = t_test(if lasts { 0.0 } else { fewer }, 0.02, 119.0);
            let more = if lasts && is_paper { -0.28 } else { 0.0 };
            of.leavers_over_eomm = t_test(
                if of.strategy == Strategy::Lifetime {
                    more
                } else {
                    0.0
                },
                0.04,
                119.0,
            );
            of.loyal_lose_more = t_test(30.0, 0.5, 119.0);
            of.first_gain = ratio(1.0031);
            let last = if lasts { 1.0 } else { 1.064 };
            if let (Some(kept), Some(share)) = (of.kept_ratio.last_mut(), of.kept.last_mut()) {
                (*kept, share.mean) = (ratio(last), if lasts { 0.016 } else { 0.0 });
            }
        }
    }
    report
}

/// Worlds as they are in the full run, with little noise.
pub(super) fn wars() -> WarsReport {
    let world = |queue: Queue, number: u32| {
        let noise = f64::from(number * number % 7) / 7.0;
        let (left, stranded, wait, glory, strength) = match queue {
            Queue::New => (0.067, 0.007, 2.8, 650.0, 0.044),
            Queue::Old => (0.028, 0.009, 1.3, 1_400.0, 0.044),
            Queue::Seven => (0.086, 0.013, 3.6, 780.0, 0.051),
            Queue::NoGlory => (0.038, 0.004, 1.5, 1_360.0, 0.034),
            Queue::OldFour => (0.016, 0.005, 0.8, 1_370.0, 0.043),
            Queue::OneLook => (0.228, 0.152, 7.7, 243.0, 0.021),
            Queue::Hourly => (0.078, 0.007, 3.3, 650.0, 0.036),
            Queue::GloryAlone => (0.01, 0.004, 0.5, 260.0, 0.15),
            Queue::NoKey => (0.067, 0.007, 2.8, 650.0, 0.045),
            Queue::Tuned => (0.010, 0.005, 0.5, 700.0, 0.080),
        };
        let is_old = matches!(queue, Queue::Old | Queue::OldFour);
        WarWorld {
            left: left + 0.001 * noise,
            stranded: stranded + 0.0005 * noise,
            waits: [wait, if is_old { wait } else { wait + 4.0 } + 0.2 * noise],
            glory_gap: glory + 10.0 * noise,
            glory_gap_by_wait: [250.0, 700.0 + 10.0 * noise],
            strength_gap: strength + 0.0005 * noise,
            chance: 0.5 + strength + 0.0005 * noise,
            mismatch: 0.2,
            chance_of_stronger: 0.52 + 0.001 * noise,
            chance_of_wider: 0.5 + 0.001 * noise,
            mixed: if is_old { 0.17 } else { 0.0 },
            by_size: [(10, (3.0, 1_200)), (50, (7.5 + noise, 40))].into(),
            wars: 1_300,
        }
    };
    let config = inputs().dominations.wars;
    let of = |&queue: &Queue| (0..config.worlds).map(|number| world(queue, number)).collect();
    let worlds: Vec<Vec<WarWorld>> = Queue::ALL.iter().map(of).collect();
    // The narrower the range, the more of the alliances leave without a war.
    let range = |range: f64| {
        let old = worlds[Queue::OldFour as usize].iter().cloned();
        old.map(|old| WarWorld {
            left: old.left * 300.0 / range,
            ..old
        })
        .collect()
    };
    WarsReport {
        ranges: OLD_RANGES.map(range).to_vec(),
        worlds,
        setting: Setting {
            wide: 1.0,
            fast: 10.0,
            after: 0.0,
        },
        config,
    }
}
