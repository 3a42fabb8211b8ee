//! The experiment, on any number of threads.

use rayon::prelude::*;

use super::config::GainLawConfig;
use super::law::{curved_gain, gain_bound, saturated_bound};
use super::pool::{Bench, Cell, Measured, Shape, measure};
use super::report::{Fit, GainCell, GainLawReport, Mirror};
use crate::eomm::theory::DrawLaw;
use crate::workers::Workers;
use anyhow::Result;
use matchwright_sim::statistics::{Summary, paired_test};
use matchwright_sim::threads::install;

/// Measures the gain of EOMM over random matchmaking on a grid of spreads, and holds it against the law.
///
/// Pools of players with normal skills, normal sensitivities and normal churn of their own, all independent, are
/// paired by [`ExactPairing`](matchwright_solver::ExactPairing) for the least and for the largest churn, by skill,
/// and at random; random matchmaking's expectation is exact. Three tables more, at the middle of the grid: by pool
/// size, where small sizes get as many more pools as they have fewer players; by shape of the distributions; and
/// with equal sensitivities.
///
/// The numbers are the same for any number of threads. Cost: two exact solves a pool; at the defaults some 1,600
/// pools.
///
/// # Errors
/// For a setting out of range, or threads that cannot be started.
pub fn run_gain_law(config: &GainLawConfig, seed: u64, workers: &Workers<'_>) -> Result<GainLawReport> {
    config.check()?;
    let outcomes = DrawLaw::constant(config.draw_rate)?;
    let measured = |cell: Cell| -> Result<(Cell, Vec<Measured>)> {
        let rounds = (0..cell.rounds).into_par_iter();
        let round = |bench: &mut Bench, round| measure(bench, &cell, config, &outcomes, seed, round);
        let rounds = rounds.map_init(Bench::default, round);
        Ok((cell, rounds.collect::<Result<_>>()?))
    };
    let cells = all_cells(config).into_iter();
    let by_cell = install(workers.threads, || {
        cells.map(measured).collect::<Result<Vec<_>>>()
    })?;
    Ok(summarise(config, seed, &by_cell))
}

/// The grid, then sizes, shapes, and last the pool of equal sensitivities.
fn all_cells(config: &GainLawConfig) -> Vec<Cell> {
    let mut cells = Vec::new();
    let mut add = |shape, players, skill_spread, sensitivity_spread, rounds| {
        cells.push(Cell {
            number: cells.len() as u64,
            shape,
            players,
            skill_spread,
            sensitivity_spread,
            rounds,
        });
    };
    for &skill in &config.skill_spreads {
        for &sensitivity in &config.sensitivity_spreads {
            add(Shape::Normal, config.players, skill, sensitivity, config.rounds);
        }
    }
    let (skill, sensitivity) = config.middle();
    for &size in &config.sizes {
        let more = u32::try_from(config.players / size).unwrap_or(1).max(1);
        let rounds = config.rounds.saturating_mul(more);
        add(Shape::Normal, size, skill, sensitivity, rounds);
    }
    for shape in Shape::ALL {
        add(shape, config.players, skill, sensitivity, config.rounds);
    }
    add(Shape::Normal, config.players, skill, 0.0, config.rounds);
    cells
}

fn summarise(config: &GainLawConfig, seed: u64, by_cell: &[(Cell, Vec<Measured>)]) -> GainLawReport {
    let grid = config.skill_spreads.len() * config.sensitivity_spreads.len();
    let (grid, rest) = by_cell.split_at(grid);
    let (sizes, rest) = rest.split_at(config.sizes.len());
    let (shapes, equal) = rest.split_at(Shape::ALL.len());
    let gains = |rows: &[(Cell, Vec<Measured>)]| -> Vec<GainCell> {
        let gain = |(cell, rounds): &(Cell, Vec<Measured>)| gain_cell(config, cell, rounds);
        rows.iter().map(gain).collect()
    };
    let cells = gains(grid);
    let fit = |predicted: fn(&GainCell) -> f64| {
        let pairs = cells.iter().map(|cell| (predicted(cell), cell.gain.mean));
        Fit::of(&pairs.collect::<Vec<_>>())
    };
    let mirror = |rows: &[(Cell, Vec<Measured>)]| {
        let share = |(cell, rounds): &(Cell, Vec<Measured>)| {
            let bound = bound_of(config, cell);
            let shares = rounds.iter().map(|m| (m.gain / bound, m.loss / bound));
            shares.collect::<Vec<_>>()
        };
        Mirror::of(&rows.iter().flat_map(share).collect::<Vec<_>>())
    };
    let by_shape = |row: &(Cell, Vec<Measured>)| (row.0.shape, mirror(std::slice::from_ref(row)));
    let all = |rows: &[(Cell, Vec<Measured>)]| -> Vec<Measured> {
        let rounds = rows.iter().flat_map(|(_, rounds)| rounds);
        rounds.copied().collect()
    };
    let judged = all(by_cell);
    let ends = all(equal).into_iter().map(|m| m.gain + m.loss);
    GainLawReport {
        config: config.clone(),
        seed,
        bound_fit: fit(|cell| cell.bound),
        curved_fit: fit(|cell| cell.curved),
        sizes: gains(sizes),
        shapes: shapes.iter().map(by_shape).collect(),
        mirror: mirror(grid),
        homogeneous: ends.fold(0.0, f64::max),
        pools: judged.len() as u64,
        in_bounds: judged.iter().filter(|m| m.in_bounds).count() as u64,
        cells,
    }
}

fn bound_of(config: &GainLawConfig, cell: &Cell) -> f64 {
    gain_bound(config.draw_rate, cell.skill_spread, cell.sensitivity_spread)
}

fn gain_cell(config: &GainLawConfig, cell: &Cell, rounds: &[Measured]) -> GainCell {
    let (skill, sensitivity) = (cell.skill_spread, cell.sensitivity_spread);
    let estimate = |what: fn(&Measured) -> f64| Summary::of(rounds.iter().map(what)).estimate();
    let (bound, gain) = (bound_of(config, cell), estimate(|m| m.gain));
    GainCell {
        players: cell.players,
        rounds: cell.rounds,
        skill_spread: skill,
        sensitivity_spread: sensitivity,
        bound,
        saturated: saturated_bound(config.draw_rate, sensitivity),
        curved: curved_gain(config.draw_rate, skill, sensitivity),
        gain,
        loss: estimate(|m| m.loss),
        skill: estimate(|m| m.skill),
        drawn: estimate(|m| m.drawn),
        share: gain.mean / bound,
    }
}

impl Mirror {
    fn of(pairs: &[(f64, f64)]) -> Self {
        Self {
            gain: Summary::of(pairs.iter().map(|pair| pair.0)).estimate(),
            loss: Summary::of(pairs.iter().map(|pair| pair.1)).estimate(),
            test: paired_test(pairs.iter().map(|(gain, loss)| gain - loss)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use matchwright_sim::progress::Quiet;

    fn small() -> GainLawConfig {
        GainLawConfig {
            players: 60,
            rounds: 12,
            skill_spreads: vec![50.0, 200.0, 400.0],
            sensitivity_spreads: vec![0.02, 0.06],
            sizes: vec![4, 20],
            ..GainLawConfig::default()
        }
    }

    #[test]
    fn the_report_is_the_same_for_any_number_of_threads_and_another_for_another_seed() {
        let config = GainLawConfig {
            players: 20,
            ..small()
        };
        let json = |seed, threads| {
            serde_json::to_string(&run_gain_law(&config, seed, &Workers::new(threads, &Quiet)).unwrap())
                .unwrap()
        };
        let one = json(1, 1);
        assert_eq!(one, json(1, 2));
        assert_eq!(one, json(1, 5));
        assert_ne!(one, json(2, 1));
    }

    #[test]
    fn measured_gains_follow_the_law_and_stay_below_it() {
        let report = run_gain_law(&small(), 3, &Workers::new(2, &Quiet)).unwrap();
        assert_eq!(report.pools, 6 * 12 + 12 * 15 + 12 * 3 + 4 * 12 + 12);
        assert_eq!(report.in_bounds, report.pools);
        assert_eq!(report.cells.len(), 6);
        for cell in &report.cells {
            assert!(cell.curved < cell.bound);
            let most = cell.bound.min(cell.saturated);
            assert!(cell.gain.mean > 0.6 * most && cell.gain.mean < most, "{cell:?}");
            let apart = (cell.gain.mean - cell.loss.mean).abs();
            assert!(apart > 0.0 && apart < 3.0 * cell.gain.standard_error, "{cell:?}");
            let noise = 5.0 * cell.drawn.standard_error;
            assert!(
                cell.drawn.mean.abs() < noise && cell.skill.mean.abs() < noise,
                "{cell:?}"
            );
        }
        assert!(report.curved_fit.correlation > 0.99, "{:?}", report.curved_fit);
        // Saturation: the widest skills are the loosest, and the averaged slope mends most of it.
        let shares = report.cells.iter();
        let loosest = shares.min_by(|a, b| a.share.total_cmp(&b.share)).unwrap();
        assert_eq!(loosest.skill_spread, 400.0);
        let spread = |fit: &Fit| fit.most / fit.least;
        assert!(spread(&report.curved_fit) < spread(&report.bound_fit));
    }

    #[test]
    fn larger_pools_gain_more_and_equal_sensitivities_nothing() {
        let report = run_gain_law(&small(), 4, &Workers::new(2, &Quiet)).unwrap();
        assert!(report.sizes[0].gain.mean < report.sizes[1].gain.mean);
        assert_eq!((report.sizes[0].rounds, report.sizes[1].rounds), (180, 36));
        assert!(report.homogeneous < 1e-13, "{}", report.homogeneous);
    }

    #[test]
    fn eomm_gains_what_worst_loses_where_mirroring_one_side_changes_nothing() {
        let config = GainLawConfig {
            rounds: 40,
            ..small()
        };
        let report = run_gain_law(&config, 5, &Workers::new(2, &Quiet)).unwrap();
        assert!(report.mirror.test.p > 0.001, "{:?}", report.mirror);
        for (shape, mirror) in &report.shapes {
            let differs = mirror.test.p < 0.001;
            let mirrored = matches!(shape, Shape::Normal | Shape::SkewedSensitivity);
            assert_eq!(differs, !mirrored, "{shape:?} {mirror:?}");
            // Who minds losing most is far above the mean, and so is who is best: they are each other's worst.
            assert!(
                mirrored || mirror.gain.mean < mirror.loss.mean,
                "{shape:?} {mirror:?}"
            );
        }
    }

    #[test]
    fn a_fit_gives_slope_and_correlation_of_a_line() {
        let fit = Fit::of(&[(1.0, 0.5), (2.0, 1.0), (4.0, 2.0)]);
        assert_eq!((fit.slope, fit.least, fit.most), (0.5, 0.5, 0.5));
        assert!((fit.correlation - 1.0).abs() < 1e-12);
    }
}
