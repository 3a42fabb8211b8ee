//! The worlds, and how thoroughly each is studied.

use matchwright_sim::population::{Departures, GeneratorParams};
use serde::{Deserialize, Serialize};

use crate::eomm::study::StudyConfig;
use crate::settings::{SettingError, require, within};

/// Which assumption of EOMM a world breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WorldKind {
    /// None.
    Base,
    /// Churn does not depend on the opponent.
    Opponent,
    /// Draws are as likely at any gap.
    Draws,
    /// Outcomes move all players alike.
    Outcomes,
    /// Skills do not change.
    Drift,
    /// All four.
    Together,
}

/// A world: what departs from EOMM's assumptions, and how much.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct World {
    /// Which assumption it breaks.
    pub kind: WorldKind,
    /// In words, with the strength.
    pub name: String,
    /// Why of that strength.
    pub chosen_because: String,
    /// For the generator.
    pub departures: Departures,
}

/// Shares of what losing instead of winning does that a match without a doubt about its winner does to both players.
const ONE_SIDED: [f64; 3] = [0.1, 0.25, 0.5];
/// Widths of the draw law, rating points.
const DRAW_WIDTHS: [f64; 2] = [300.0, 150.0];
/// Standard deviation of the factors by which outcomes move players.
const SENSITIVITY: f64 = 1.0;
/// Rating points per root day.
const DRIFT: f64 = 8.0;

/// What decides [`run_other_worlds`](super::run_other_worlds), apart from the seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OtherWorldsConfig {
    /// Populations of each world, each of a seed of its own. Default 8.
    pub populations: u32,
    /// The base world: one region. Default 4,000 players over 182 days.
    pub population: GeneratorParams,
    /// The study of each population, with one pool size. Default 24 rounds with P = 500, models
    /// fitted to 20,000 player-matches; its seed is not used.
    pub study: StudyConfig,
    /// The base world first.
    pub worlds: Vec<World>,
}

impl Default for OtherWorldsConfig {
    fn default() -> Self {
        let whole = GeneratorParams::default();
        Self::of(&GeneratorParams {
            players: whole.region_players,
            ..whole
        })
    }
}

impl OtherWorldsConfig {
    /// The default worlds beside a population that is not the default one.
    #[must_use]
    pub fn of(population: &GeneratorParams) -> Self {
        let effects = &population.outcome_effects;
        Self {
            populations: 8,
            study: StudyConfig {
                rounds: 24,
                pools: vec![500],
                fit_rows: 20_000,
                ..StudyConfig::default()
            },
            worlds: worlds(effects.loss - effects.win),
            population: population.clone(),
        }
    }

    /// Refuses what cannot be run.
    ///
    /// # Errors
    /// [`SettingError`] says which setting and what it may be.
    pub fn check(&self) -> Result<(), SettingError> {
        within("populations", self.populations, &(2..))?;
        let kinds: Vec<WorldKind> = self.worlds.iter().map(|world| world.kind).collect();
        let base_first = kinds.first() == Some(&WorldKind::Base) && !kinds[1..].contains(&WorldKind::Base);
        require(
            base_first,
            "worlds",
            format!("{kinds:?}"),
            "the base world, then others",
        )?;
        let one_size = self.study.pools.len() == 1;
        require(one_size, "pools", format!("{:?}", self.study.pools), "one size")?;
        self.study.check()
    }

    /// What losing instead of winning adds to the churn logit in the base world: the unit of opponents' effects.
    #[must_use]
    pub fn outcome_difference(&self) -> f64 {
        self.population.outcome_effects.loss - self.population.outcome_effects.win
    }
}

/// All worlds, where losing instead of winning adds `difference` to the churn logit.
fn worlds(difference: f64) -> Vec<World> {
    let world = |kind, name: String, why: &str, departures| World {
        kind,
        name,
        chosen_because: why.to_owned(),
        departures,
    };
    let off = Departures::default;
    let mut all = vec![world(
        WorldKind::Base,
        "as EOMM assumes".to_owned(),
        "The default population.",
        off(),
    )];
    all.extend(ONE_SIDED.map(|share| {
        let name = format!("one-sided matches repel, {share} of what losing does");
        let why = "A tenth, a quarter and a half of what losing instead of winning does, for a match whose winner is certain beforehand; a match 200 points apart counts half as much.";
        let departures = Departures {
            one_sided_effect: share * difference,
            ..off()
        };
        world(WorldKind::Opponent, name, why, departures)
    }));
    all.extend(DRAW_WIDTHS.map(|width| {
        let name = format!("draws get rarer, width {width} points");
        let why = "300 points give the paper's correlation of draws with the gap of ratings, -0.05; half of that is a stronger one.";
        let departures = Departures {
            draw_width: Some(width),
            ..off()
        };
        world(WorldKind::Draws, name, why, departures)
    }));
    all.push(world(
        WorldKind::Outcomes,
        format!("outcomes move players unequally, factor N(1, {SENSITIVITY}^2)"),
        "As much spread between players as there is effect: one player in six leaves rather after a win than after a loss.",
        Departures {
            sensitivity_deviation: SENSITIVITY,
            ..off()
        },
    ));
    all.push(world(
        WorldKind::Drift,
        format!("skills wander, {DRIFT} points per root day"),
        "The worked example of Glicko's author, 63.2 points in two months (Glickman, \"The Glicko system\").",
        Departures {
            skill_drift: DRIFT,
            ..off()
        },
    ));
    all.push(world(
        WorldKind::Together,
        "all four together".to_owned(),
        "The weakest of each.",
        Departures {
            one_sided_effect: ONE_SIDED[0] * difference,
            draw_width: Some(DRAW_WIDTHS[0]),
            sensitivity_deviation: SENSITIVITY,
            skill_drift: DRIFT,
        },
    ));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_worlds_make_populations_and_only_the_base_departs_from_nothing() {
        let config = OtherWorldsConfig::default();
        assert!(config.check().is_ok());
        for world in &config.worlds {
            let departs = world.departures != Departures::default();
            assert_eq!(departs, world.kind != WorldKind::Base, "{world:?}");
            let params = GeneratorParams {
                departures: world.departures.clone(),
                ..config.population.clone()
            };
            assert!(params.check().is_ok());
        }
    }

    #[test]
    fn each_setting_out_of_range_is_refused_by_name() {
        let refused = |change: &dyn Fn(&mut OtherWorldsConfig), name: &str| {
            let mut config = OtherWorldsConfig::default();
            change(&mut config);
            let message = config.check().unwrap_err().to_string();
            assert!(message.starts_with(name), "{message}");
        };
        refused(&|config| config.populations = 1, "populations");
        refused(&|config| config.worlds.clear(), "worlds");
        refused(&|config| config.worlds.swap(0, 1), "worlds");
        refused(&|config| config.study.pools = vec![20, 40], "pools");
        refused(&|config| config.study.rounds = 1, "rounds");
    }
}
