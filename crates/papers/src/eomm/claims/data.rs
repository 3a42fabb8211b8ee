//! Section 5.1: how many matches of how many players.

use super::inputs::EommInputs;
use crate::check::prelude::*;
use matchwright_rating::PeriodChoice;
use matchwright_sim::rate::rate_regions;

pub(crate) const CHECKS: &[Check<EommInputs>] = &[Check::new("EOMM-data", Exact(scale))];

/// How long our population has to play for as many player-matches each as the paper's, days.
const DAYS: f64 = 50.0;
/// How far the number of player-matches each may be from the paper's, as a share.
const TOLERANCE: f64 = 0.1;

/// A population of the paper's size, rated region by region; a share of it where fewer rounds were asked for.
fn scale(inputs: &EommInputs) -> Result<Finding> {
    let data = inputs.paper.data;
    let (all_matches, all_players) = (f64::from(data.matches), f64::from(data.players));
    let printed = 2.0 * all_matches / all_players;
    let share = f64::from(inputs.data_players) / all_players;
    let mut generator = inputs.generator.clone();
    generator.days = DAYS;
    generator.players = inputs.data_players;
    let regions = generator.regions();
    let system = inputs.glicko.build()?;
    let (seed, progress) = (inputs.seed, &*inputs.progress);
    let rated = rate_regions(
        &system,
        PeriodChoice::Days(1.0),
        &generator,
        seed,
        0..regions,
        progress,
    )?;
    let players: u64 = rated.iter().map(|region| region.players).sum();
    let matches: u64 = rated.iter().map(|region| region.matches).sum();
    let decided: u64 = rated.iter().map(|region| region.decided).sum();
    let foretold: f64 = rated.iter().map(|region| region.foretold).sum();
    let each = 2.0 * matches as f64 / players as f64;
    let accuracy = foretold / decided as f64;
    let percent = 100.0 * accuracy;
    let told = accuracy > 0.5 && accuracy < 1.0;
    Ok(Finding::new()
        .number("printed player-matches each", printed, 1)
        .count("players rated", players)
        .count("matches rated", matches)
        .number("player-matches each", each, 1)
        .number("decided matches that the higher rated won, %", percent, 1)
        .require((printed - 43.9).abs() < 0.05, "the printed counts give 43.9 each")
        .require(
            (each / printed - 1.0).abs() <= TOLERANCE,
            "as many player-matches each as printed, within a tenth",
        )
        .require(
            matches as f64 >= (1.0 - TOLERANCE) * share * all_matches,
            "as many matches as printed, or the share that was asked for",
        )
        .require(told, "ratings foretell more than a coin, and not all"))
}
