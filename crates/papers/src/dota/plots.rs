//! The plots of "Dota 2: Matchmaking", each by the name of its SVG file.

use matchwright_report::{Axis, Plot, Point, Series};
use matchwright_sim::statistics::normal_quantile;

use super::reproduction::DotaReproduction;

pub(crate) fn dota_plots(all: &DotaReproduction) -> Vec<(String, Plot)> {
    let named = |name: &str, plot| (name.to_owned(), plot);
    vec![
        named("percentiles", percentiles(all)),
        named("party-bonuses", bonuses(all)),
        named("newcomer", newcomer(all)),
        named("steps", steps(all)),
    ]
}

pub(crate) fn percentiles(all: &DotaReproduction) -> Plot {
    let percents: Vec<f64> = (2..=199).map(|k| 0.5 * f64::from(k)).collect();
    let ours = percents.iter().filter_map(|&percent| {
        let value = all.percentiles.table.quantile(percent / 100.0).ok()?;
        Some(Point::new(percent, value))
    });
    let (mean, deviation) = (all.percentiles.normal_mean, all.percentiles.normal_deviation);
    let normal = percents
        .iter()
        .map(|&percent| Point::new(percent, normal_quantile(mean, deviation, percent / 100.0)));
    let printed = all.percentiles.rows.iter().map(|row| Point::new(row[0], row[1]));
    Plot::new("MMR by percentile: the eight printed points, our function and the nearest normal")
        .caption(format!(
            "The function meets all eight; the nearest normal curve misses by {:.0} points at the worst.",
            all.percentiles.normal_misfit
        ))
        .x(Axis::new("Players below").unit("%").range(0.0, 100.0))
        .y(Axis::new("MMR"))
        .series(Series::line("ours", ours.collect::<Vec<_>>()))
        .series(Series::line("nearest normal", normal.collect::<Vec<_>>()).dashed())
        .series(Series::points("printed", printed.collect::<Vec<_>>()))
}

pub(crate) fn bonuses(all: &DotaReproduction) -> Plot {
    let line = all.bonus.check().map(|bonus| {
        let spreads = (0..=100).map(|k| 10.0 * f64::from(k));
        let points = spreads.map(|spread| Point::new(spread, bonus.points(2, spread)));
        points.collect::<Vec<_>>()
    });
    let printed = all.parties.iter().filter(|party| party.players.len() > 1);
    let printed = printed.flat_map(|party| {
        let mmr = party.players.iter().map(|player| player.mmr);
        let best = mmr.clone().fold(f64::NEG_INFINITY, f64::max);
        let spread = best - mmr.fold(f64::INFINITY, f64::min);
        party
            .players
            .iter()
            .map(move |player| Point::with_error(spread, player.adjusted - player.mmr, 1.0))
    });
    Plot::new("The bonus of a party by its spread, ours and the printed match's")
        .caption("Each point is a member of party F, D or C, from left to right. Bars: what rounding of both printed numbers leaves open.")
        .x(Axis::new("Best less worst MMR of the party"))
        .y(Axis::new("Adjusted less plain MMR"))
        .series(Series::line("ours", line.unwrap_or_default()))
        .series(Series::points("printed", printed.collect::<Vec<_>>()))
}

fn by_game(values: &[f64]) -> Vec<Point> {
    let points = values.iter().enumerate();
    points
        .map(|(games, value)| Point::new(games as f64, *value))
        .collect()
}

pub(crate) fn newcomer(all: &DotaReproduction) -> Plot {
    let newcomer = &all.newcomer;
    let last = newcomer.uncertain.len().saturating_sub(1) as f64;
    let strength = [
        Point::new(0.0, newcomer.strength),
        Point::new(last, newcomer.strength),
    ];
    Plot::new("A strong newcomer's MMR")
        .caption("Mean MMR: with a newcomer's uncertainty, which shrinks, and with that of a known player from the start.")
        .x(Axis::new("Games"))
        .y(Axis::new("MMR"))
        .series(Series::line("strength", strength).guide())
        .series(Series::line_and_points("as a newcomer", by_game(&newcomer.uncertain)))
        .series(Series::line_and_points("if known", by_game(&newcomer.known)).dashed())
}

pub(crate) fn steps(all: &DotaReproduction) -> Plot {
    let after = |value: fn(&super::reproduction::Step) -> f64| {
        let points = all.steps.iter();
        points
            .map(|step| Point::new(step.uncertainty, value(step)))
            .collect::<Vec<_>>()
    };
    let same = all
        .steps
        .iter()
        .map(|step| Point::new(step.uncertainty, step.uncertainty));
    Plot::new("Uncertainty before and after a game")
        .caption("Below the line the game taught something; above it, it surprised.")
        .x(Axis::new("Uncertainty before").unit("points"))
        .y(Axis::new("Uncertainty after").unit("points"))
        .series(Series::line("unchanged", same.collect::<Vec<_>>()).guide())
        .series(Series::line_and_points(
            "expected win",
            after(|step| step.after_expected),
        ))
        .series(Series::line_and_points("even win", after(|step| step.after_even)))
        .series(Series::line_and_points("upset", after(|step| step.after_upset)))
}
