//! How well K-factor, scale and hidden opponents of Elo-like ladders come out of the changes that players see.

use matchwright_mmr_forensics::{VisibleGame, fit_elo};
use rand::RngExt;
use serde::Serialize;

use super::held::Held;
use crate::random::Purpose;
use matchwright_sim::random::{standard_normal, stream};

/// Players, each of a separate ladder.
const PLAYERS: u32 = 400;
/// Games that each shows.
const GAMES: u32 = 200;
/// K-factors are uniform between these points.
const K: (f64, f64) = (12.0, 48.0);
/// Scales likewise.
const SCALE: (f64, f64) = (100.0, 800.0);
/// Standard deviation of opponents around the player, in scales.
const SPREAD: f64 = 0.25;

/// How often 95 % intervals held the truth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct VisibleGamesReport {
    /// K-factors; that of the last game, if it changes.
    pub k: Held,
    /// Scales, of players who see their opponents' ratings.
    pub scale: Held,
    /// Distances to hidden opponents, in scales, of players who do not.
    pub opponents: Held,
}

/// Players of Elo-like ladders, with changes rounded to whole points as pages show them, and what they find out.
///
/// The K-factor of the first game is `first_k` times the last one's and falls to it over the first half. On an Elo-like
/// ladder it is 1; other values break what [`fit_elo`] assumes.
///
/// # Errors
/// Of [`fit_elo`]: none for a `first_k` from 1 to 10.
pub fn run_visible_games(first_k: f64, seed: u64) -> anyhow::Result<VisibleGamesReport> {
    let mut report = VisibleGamesReport::default();
    for player in 0..PLAYERS {
        let mut random = stream(seed, Purpose::VisibleGames, u64::from(player), 0);
        let mut between = |(low, high): (f64, f64)| low + (high - low) * random.random::<f64>();
        let (k, scale) = (between(K), between(SCALE));
        let strength = 1500.0;
        let mut own = strength;
        let (mut games, mut ahead) = (Vec::new(), Vec::new());
        for game in 0..GAMES {
            let opponent = own + SPREAD * scale * standard_normal(&mut random);
            let expects = |of: f64| 1.0 / (1.0 + 10_f64.powf((opponent - of) / scale));
            let score = f64::from(u8::from(random.random::<f64>() < expects(strength)));
            let past = f64::from(game) / (0.5 * f64::from(GAMES));
            let k_now = k * (1.0 + (first_k - 1.0) * (1.0 - past).max(0.0));
            let change = (k_now * (score - expects(own))).round();
            // A page shows no game that changes nothing as won or lost.
            if change != 0.0 {
                games.push((change, opponent));
                ahead.push((opponent - own) / scale);
            }
            own += change;
        }
        let visible = |shown: bool| -> Vec<VisibleGame> {
            let game = |&(change, opponent): &(f64, f64)| VisibleGame {
                change,
                opponent: shown.then_some(opponent),
            };
            games.iter().map(game).collect()
        };
        let hidden = fit_elo(&visible(false))?;
        report.k.count(&hidden.k, k);
        for (found, truth) in hidden.ahead.iter().zip(&ahead) {
            report.opponents.intervals += 1;
            report.opponents.held += u32::from(found.holds(*truth));
        }
        report.scale.count(&fit_elo(&visible(true))?.scale, scale);
    }
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_hold_as_often_as_they_say_on_ladders_as_assumed_and_less_on_others() {
        let usual = run_visible_games(1.0, 1).unwrap();
        for held in [usual.k, usual.scale, usual.opponents] {
            assert!(held.share() > 0.9, "{usual:?}");
        }
        let broken = run_visible_games(2.0, 1).unwrap();
        assert!(broken.k.share() < 0.5, "{broken:?}");
    }
}
