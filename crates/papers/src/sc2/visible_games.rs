//! How well K-factor, scale and hidden opponents of Elo-like ladders come out of the changes that players see.

use matchwright_mmr_forensics::{VisibleGame, fit_elo};
use rand::RngExt;
use serde::Serialize;

use super::forensics::Held;
use crate::error::{SettingError, inside};
use crate::random::Purpose;
use matchwright_sim::random::{standard_normal, stream};

/// What decides [`run_visible_games`], apart from the seed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct VisibleGamesConfig {
    /// Players, each of a separate ladder, 1 to 100,000. Default 400.
    pub players: u32,
    /// Games that each shows, 20 to 10,000. Default 200.
    pub games: u32,
    /// K-factors are uniform between these, 1 to 1,000 points. Default 12 and 48.
    pub k: (f64, f64),
    /// Scales likewise, 10 to 10,000 points. Default 100 and 800.
    pub scale: (f64, f64),
    /// Standard deviation of opponents around the player, in scales, 0.01 to 1. Default 0.25.
    pub spread: f64,
    /// The K-factor of the first game, in shares of the last one's, falling to it over the first half: 1 to 10. An
    /// Elo-like ladder has 1, the default; others break what [`fit_elo`] assumes.
    pub first_k: f64,
}

impl Default for VisibleGamesConfig {
    fn default() -> Self {
        Self {
            players: 400,
            games: 200,
            k: (12.0, 48.0),
            scale: (100.0, 800.0),
            spread: 0.25,
            first_k: 1.0,
        }
    }
}

impl VisibleGamesConfig {
    /// Newcomers' games count double, which the method does not know.
    #[must_use]
    pub fn broken() -> Self {
        Self {
            first_k: 2.0,
            ..Self::default()
        }
    }

    pub(crate) fn check(&self) -> Result<(), SettingError> {
        inside(
            "players",
            f64::from(self.players),
            &(1.0..=1e5),
            "from 1 to 100000",
        )?;
        inside("games", f64::from(self.games), &(20.0..=1e4), "from 20 to 10000")?;
        for end in [self.k.0, self.k.1] {
            inside("k", end, &(1.0..=1e3), "from 1 to 1000")?;
        }
        for end in [self.scale.0, self.scale.1] {
            inside("scale", end, &(10.0..=1e4), "from 10 to 10000")?;
        }
        inside("spread", self.spread, &(0.01..=1.0), "from 0.01 to 1")?;
        inside("first_k", self.first_k, &(1.0..=10.0), "from 1 to 10")
    }
}

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
/// # Errors
/// [`SettingError`](crate::SettingError) for a setting out of range.
pub fn run_visible_games(config: &VisibleGamesConfig, seed: u64) -> anyhow::Result<VisibleGamesReport> {
    config.check()?;
    let mut report = VisibleGamesReport::default();
    for player in 0..config.players {
        let mut random = stream(seed, Purpose::VisibleGames, u64::from(player), 0);
        let mut between = |(low, high): (f64, f64)| low + (high - low) * random.random::<f64>();
        let (k, scale) = (between(config.k), between(config.scale));
        let strength = 1500.0;
        let mut own = strength;
        let (mut games, mut ahead) = (Vec::new(), Vec::new());
        for game in 0..config.games {
            let opponent = own + config.spread * scale * standard_normal(&mut random);
            let expects = |of: f64| 1.0 / (1.0 + 10_f64.powf((opponent - of) / scale));
            let score = f64::from(u8::from(random.random::<f64>() < expects(strength)));
            let past = f64::from(game) / (0.5 * f64::from(config.games));
            let k_now = k * (1.0 + (config.first_k - 1.0) * (1.0 - past).max(0.0));
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
        let usual = run_visible_games(&VisibleGamesConfig::default(), 1).unwrap();
        for held in [usual.k, usual.scale, usual.opponents] {
            assert!(held.share() > 0.9, "{usual:?}");
        }
        let broken = run_visible_games(&VisibleGamesConfig::broken(), 1).unwrap();
        assert!(broken.k.share() < 0.5, "{broken:?}");
    }

    #[test]
    fn settings_out_of_range_are_named() {
        let config = VisibleGamesConfig {
            games: 3,
            ..VisibleGamesConfig::default()
        };
        let error = run_visible_games(&config, 1).unwrap_err();
        assert!(error.to_string().starts_with("games"));
    }
}
