//! Which settings each rating system has.

use matchwright_rating::{BradleyTerryPrior, WengLinModel};
use thiserror::Error;

use super::params::{SystemChoice, SystemParams};

/// A parameter of single rating systems, with its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SystemSetting {
    /// K-factor, rating points. Of DOM MMR the plain one: newcomers get twice, the highest half of it.
    K(f64),
    /// Growth of the deviation, points per square root of a period.
    Growth(f64),
    /// Glicko-2: bound on the change of volatility. TrueSkill, Weng and Lin, Elo-MMR (gamma): random-walk standard
    /// deviation of a skill in a game, points.
    Tau(f64),
    /// Glicko, Glicko-2: the most points by which a game leaves a deviation above that of the last one.
    MaxDeviationGrowth(f64),
    /// Standard deviation of a performance around the skill, points.
    Beta(f64),
    /// How likely equal sides draw, in \[0, 1).
    DrawProbability(f64),
    /// Weng and Lin's model of a ranking.
    Model(WengLinModel),
    /// Dota's most points that a game moves, per point of uncertainty.
    Step(f64),
    /// Bradley and Terry's precision that draws strengths towards each other, always.
    Prior(f64),
}

/// What goes with several rating systems, but not with all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SystemFeature {
    /// A choice of how a system for two players sees a team.
    TeamSkill,
    /// The published party bonus, in points of Elo's scale.
    PublishedPartyBonus,
    /// A party bonus learnt from the games.
    FittedPartyBonus,
    /// A ladder around the rating.
    Ladder,
    /// Home advantage.
    HomeAdvantage,
    /// K by games and rating.
    KSchedule,
    /// Games that count by their margin, or by the performances of their players.
    Weights,
    /// A rating period for each game.
    PeriodPerGame,
    /// A rating period whose games count at its end.
    Batch,
    /// Ratings of a player one after the other.
    Course,
    /// Games one after the other, none of which is kept.
    Stream,
}

/// A system has no such setting.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("only {} can have {what}", names(systems))]
pub struct Unsupported {
    /// What it is.
    pub what: &'static str,
    /// The systems that have it.
    pub systems: Vec<SystemChoice>,
}

fn names(systems: &[SystemChoice]) -> String {
    let names: Vec<&str> = systems.iter().map(|system| system.name()).collect();
    names.join(", ")
}

impl SystemFeature {
    /// What it is, in words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::TeamSkill => "a choice of team skill",
            Self::PublishedPartyBonus => "the published party bonus",
            Self::FittedPartyBonus => "a fitted party bonus",
            Self::Ladder => "a ladder",
            Self::HomeAdvantage => "a home advantage",
            Self::KSchedule => "a K schedule",
            Self::Weights => "weights by margin or performance",
            Self::PeriodPerGame => "a rating period for each game",
            Self::Batch => "a rating period whose matches count all at once",
            Self::Course => "a course of ratings over time",
            Self::Stream => "a stream of matches",
        }
    }
}

impl SystemChoice {
    /// The name in lower case, words joined by hyphens, as it is serialised.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Elo => "elo",
            Self::Glicko => "glicko",
            Self::Glicko2 => "glicko2",
            Self::Dom => "dom",
            Self::Dota => "dota",
            Self::TrueSkill => "trueskill",
            Self::WengLin => "weng-lin",
            Self::EloMmr => "elo-mmr",
            Self::BradleyTerry => "bradley-terry",
            Self::ThroughTime => "through-time",
        }
    }

    /// Whether the system can have `feature`.
    #[must_use]
    pub const fn has(self, feature: SystemFeature) -> bool {
        use SystemFeature as F;
        match self {
            Self::Elo => true,
            Self::Glicko | Self::Glicko2 => !matches!(feature, F::KSchedule),
            Self::Dom => !matches!(feature, F::PublishedPartyBonus | F::KSchedule | F::Weights),
            Self::Dota => !matches!(
                feature,
                F::TeamSkill | F::Ladder | F::Batch | F::KSchedule | F::Weights
            ),
            Self::TrueSkill | Self::WengLin => matches!(
                feature,
                F::FittedPartyBonus
                    | F::HomeAdvantage
                    | F::Weights
                    | F::PeriodPerGame
                    | F::Course
                    | F::Stream
            ),
            Self::EloMmr => matches!(
                feature,
                F::FittedPartyBonus | F::HomeAdvantage | F::PeriodPerGame | F::Course | F::Stream
            ),
            Self::BradleyTerry => matches!(feature, F::HomeAdvantage),
            Self::ThroughTime => matches!(feature, F::Course),
        }
    }

    /// Refuses a feature that the system cannot have.
    ///
    /// # Errors
    /// [`Unsupported`] names the systems that can.
    pub fn require(self, feature: SystemFeature) -> Result<(), Unsupported> {
        if self.has(feature) {
            return Ok(());
        }
        Err(Unsupported::without(feature))
    }
}

impl Unsupported {
    /// That a system does not have `feature`.
    pub(super) fn without(feature: SystemFeature) -> Self {
        Self::unless(feature.name(), |system| system.has(feature))
    }

    fn unless(what: &'static str, has: impl Fn(SystemChoice) -> bool) -> Self {
        let systems = SystemChoice::ALL.into_iter().filter(|system| has(*system));
        Self {
            what,
            systems: systems.collect(),
        }
    }
}

impl SystemParams {
    /// Sets a parameter of `system`; whether it is in range, [`check`](Self::check) says.
    ///
    /// # Errors
    /// [`Unsupported`] if the system has no such parameter.
    pub fn set(&mut self, system: SystemChoice, setting: SystemSetting) -> Result<(), Unsupported> {
        if self.try_set(system, setting) {
            return Ok(());
        }
        Err(Unsupported::unless("this parameter", |other| {
            Self::default().try_set(other, setting)
        }))
    }

    /// Whether the system has the parameter, which is set then.
    fn try_set(&mut self, system: SystemChoice, setting: SystemSetting) -> bool {
        use SystemChoice as C;
        use SystemSetting as S;
        match (setting, system) {
            (S::K(k), C::Elo) => self.elo.k = k,
            (S::K(k), C::Dom) => (self.dom.k, self.dom.newcomer_k, self.dom.high_k) = (k, 2.0 * k, 0.5 * k),
            (S::Growth(c), C::Glicko) => self.glicko.c = c,
            (S::Growth(c), C::Dota) => self.dota.growth = c,
            (S::Growth(c), C::TrueSkill) => self.trueskill.tau_per_period = c,
            (S::Growth(c), C::WengLin) => self.weng_lin.tau_per_period = c,
            (S::Growth(c), C::EloMmr) => self.elo_mmr.gamma_per_period = c,
            (S::Growth(c), C::ThroughTime) => self.through_time.gamma = c,
            (S::Tau(tau), C::Glicko2) => self.glicko2.tau = tau,
            (S::Tau(tau), C::TrueSkill) => self.trueskill.tau = tau,
            (S::Tau(tau), C::WengLin) => self.weng_lin.tau = tau,
            (S::Tau(tau), C::EloMmr) => self.elo_mmr.gamma = tau,
            (S::MaxDeviationGrowth(most), C::Glicko) => self.glicko.max_deviation_growth = most,
            (S::MaxDeviationGrowth(most), C::Glicko2) => self.glicko2.max_deviation_growth = most,
            (S::Beta(beta), C::TrueSkill) => self.trueskill.beta = beta,
            (S::Beta(beta), C::WengLin) => self.weng_lin.beta = beta,
            (S::Beta(beta), C::EloMmr) => self.elo_mmr.beta = beta,
            (S::Beta(beta), C::ThroughTime) => self.through_time.beta = beta,
            (S::DrawProbability(p), C::TrueSkill) => self.trueskill.draw_probability = p,
            (S::DrawProbability(p), C::ThroughTime) => self.through_time.draw_probability = p,
            (S::Model(model), C::WengLin) => self.weng_lin.model = model,
            (S::Step(step), C::Dota) => self.dota.step = step,
            (S::Prior(precision), C::BradleyTerry) => {
                self.bradley_terry.prior = BradleyTerryPrior::Always;
                self.bradley_terry.prior_precision = precision;
            }
            _ => return false,
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_changes_its_system_or_names_those_that_have_it() {
        let mut params = SystemParams::default();
        params.set(SystemChoice::Dom, SystemSetting::K(100.0)).unwrap();
        assert_eq!(
            (params.dom.k, params.dom.newcomer_k, params.dom.high_k),
            (100.0, 200.0, 50.0)
        );
        let before = params.clone();
        let error = params
            .set(SystemChoice::Glicko, SystemSetting::K(1.0))
            .unwrap_err();
        assert_eq!(error.systems, [SystemChoice::Elo, SystemChoice::Dom]);
        assert_eq!(params, before);
        assert_eq!(error.to_string(), "only elo, dom can have this parameter");
    }

    #[test]
    fn a_feature_is_had_or_refused_with_the_systems_that_have_it() {
        use SystemChoice::{Dom, Elo, Glicko, Glicko2};
        assert!(
            SystemChoice::Dota
                .require(SystemFeature::PublishedPartyBonus)
                .is_ok()
        );
        let error = SystemChoice::Dota.require(SystemFeature::Ladder).unwrap_err();
        assert_eq!(error.systems, [Elo, Glicko, Glicko2, Dom]);
    }

    #[test]
    fn schedules_and_margins_are_refused_where_they_cannot_be() {
        use crate::rate::{LadderParams, PeriodChoice, RateError};
        use matchwright_rating::{KSchedule, MarginWeight};
        let scheduled = SystemParams {
            k_schedule: Some(KSchedule::Fide),
            ..SystemParams::default()
        };
        scheduled.check(SystemChoice::Elo).unwrap();
        let error = scheduled.check(SystemChoice::Dom).unwrap_err();
        assert_eq!(error.to_string(), "only elo can have a K schedule");
        let mut weighted = SystemParams {
            margin: Some(MarginWeight::WorldFootball),
            ..SystemParams::default()
        };
        for system in SystemChoice::ALL {
            let expected = ["elo", "glicko", "glicko2", "trueskill", "weng-lin"].contains(&system.name());
            assert_eq!(weighted.check(system).is_ok(), expected, "{system:?}");
        }
        weighted.ladder = Some(LadderParams::default());
        assert_eq!(weighted.check(SystemChoice::Elo), Err(RateError::WeightsOnLadder));
        (weighted.ladder, weighted.period) = (None, PeriodChoice::Batch(30.0));
        assert_eq!(weighted.check(SystemChoice::Elo), Err(RateError::WeightsInBatch));
        let bad = MarginWeight::Logarithmic {
            typical: -1.0,
            damping: 2200.0,
        };
        let params = SystemParams {
            margin: Some(bad),
            ..SystemParams::default()
        };
        assert!(matches!(
            params.check(SystemChoice::Elo),
            Err(RateError::Param(_))
        ));
        let bad = KSchedule::Provisional {
            games: 1,
            first_k: 0.0,
            k: 1.0,
        };
        let params = SystemParams {
            k_schedule: Some(bad),
            ..SystemParams::default()
        };
        assert!(matches!(
            params.check(SystemChoice::Elo),
            Err(RateError::Param(_))
        ));
    }

    #[test]
    fn names_are_those_that_are_serialised() {
        for system in SystemChoice::ALL {
            assert_eq!(serde_json::to_value(system).unwrap(), system.name());
        }
    }
}
