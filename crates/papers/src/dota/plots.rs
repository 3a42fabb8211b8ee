//! The plots of "Dota 2: Matchmaking".

use crate::reproduction::by_game;
use matchwright_report::{Axis, Plot, Point, Series};
use matchwright_sim::statistics::normal_quantile;

use super::fractions::spread_of;
use super::reproduction::{DotaReproduction, Newcomer, Percentiles, Step};

pub(crate) fn percentiles(of: &Percentiles) -> Plot {
    let percents = || (2..=199).map(|k| 0.5 * f64::from(k));
    let ours =
        percents().filter_map(|percent| Some(Point::new(percent, of.table.quantile(percent / 100.0).ok()?)));
    let normal = percents().map(|percent| {
        let value = normal_quantile(of.normal_mean, of.normal_deviation, percent / 100.0);
        Point::new(percent, value)
    });
    let printed = of.rows.iter().map(|row| Point::new(row[0], row[1]));
    Plot::new("MMR by percentile: the eight published points, our function and the nearest normal")
        .caption(format!(
            "The function meets all eight; the nearest normal curve misses by {:.0} points at the worst.",
            of.normal_misfit
        ))
        .x(Axis::new("Players below").unit("%").range(0.0, 100.0))
        .y(Axis::new("MMR"))
        .series(Series::line("ours", ours))
        .series(Series::line("nearest normal", normal).dashed())
        .series(Series::points("published", printed))
        .file("percentiles")
}

pub(crate) fn bonuses(all: &DotaReproduction) -> Plot {
    let line = all.bonus.build().map(|bonus| {
        let spreads = (0..=100).map(|k| 10.0 * f64::from(k));
        let point = |spread: f64| Point::new(spread, bonus.points(2, spread));
        spreads.map(point).collect::<Vec<_>>()
    });
    let printed = all
        .parties
        .iter()
        .filter(|party| party.players.len() > 1)
        .flat_map(|party| {
            let spread = spread_of(&party.mmr());
            let players = party.players.iter();
            players.map(move |player| Point::with_error(spread, player.adjusted - player.mmr, 1.0))
        });
    Plot::new("The bonus of a party by its spread, ours and the published match's")
        .caption("Each point is a member of party F, D or C, from left to right. Bars: what rounding of both printed numbers leaves open.")
        .x(Axis::new("Best less worst MMR of the party"))
        .y(Axis::new("Adjusted less plain MMR"))
        .series(Series::line("ours", line.unwrap_or_default()))
        .series(Series::points("published", printed))
        .file("party-bonuses")
}

pub(crate) fn newcomer(newcomer: &Newcomer) -> Plot {
    let last = newcomer.uncertain.len().saturating_sub(1) as f64;
    let strength = [0.0, last].map(|games| Point::new(games, newcomer.strength));
    Plot::new("A strong newcomer's MMR")
        .caption("Mean MMR: with a newcomer's uncertainty, which shrinks, and with that of a known player from the start.")
        .x(Axis::new("Games"))
        .y(Axis::new("MMR"))
        .series(Series::line("strength", strength).guide())
        .series(Series::line_and_points("as a newcomer", by_game(&newcomer.uncertain)))
        .series(Series::line_and_points("if known", by_game(&newcomer.known)).dashed())
        .file("newcomer")
}

pub(crate) fn steps(steps: &[Step]) -> Plot {
    let after = |value: fn(&Step) -> f64| {
        let point = move |step: &Step| Point::new(step.uncertainty, value(step));
        steps.iter().map(point)
    };
    let expected = after(|step| step.after_expected);
    Plot::new("Uncertainty before and after a game")
        .caption("Below the line the game reduced uncertainty; above it, the result was unexpected.")
        .x(Axis::new("Uncertainty before").unit("points"))
        .y(Axis::new("Uncertainty after").unit("points"))
        .series(Series::line("unchanged", after(|step| step.uncertainty)).guide())
        .series(Series::line_and_points("expected win", expected))
        .series(Series::line_and_points("even win", after(|step| step.after_even)))
        .series(Series::line_and_points("upset", after(|step| step.after_upset)))
        .file("steps")
}
