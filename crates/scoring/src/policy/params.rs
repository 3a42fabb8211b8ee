//! [`ScoringPolicyParams`]: a policy as it is written.

use std::sync::Arc;

use super::error::PolicyError;
use super::scoring::{ScoringPolicy, WeightedFactor};
use crate::factors::{
    BestAgainstBest, BestRegion, Blocks, EnemyPing, Experience, Friends, Glory, Griefers, Hosts, Languages,
    OpponentVariation, PartyCount, PingLimit, PlayerSkill, Premades, RecentTeamMates, Regions, Roles,
    SkillSpread, Strength, TeamChurn, TeamSizes, TeamSkill, Variance, Wait, WinProbability,
};
use crate::mean::PowerMean;
use crate::team::TeamFactor;
use crate::total::Total;

/// A factor's settings with its say.
///
/// In a document, `weight` and `floor` stand beside the settings.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Weighted<P> {
    /// Its weight, 0 or more. Default 1.
    pub weight: f64,
    /// The quality below which the factor forbids the match, in \[0, 1\]. Default none.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub floor: Option<f64>,
    /// What the factor itself is told.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub settings: P,
}

impl<P: Default> Default for Weighted<P> {
    fn default() -> Self {
        Self::new(1.0, P::default())
    }
}

impl<P> Weighted<P> {
    /// Settings with a weight, without a floor.
    pub const fn new(weight: f64, settings: P) -> Self {
        Self {
            weight,
            floor: None,
            settings,
        }
    }
}

/// The factors that a document may name: one list for fields, keys and checks.
macro_rules! factors {
    ($($(#[$doc:meta])* $name:ident: $params:ty,)*) => {
        /// The factors of a policy; what is left out has no say.
        #[derive(Debug, Clone, Default, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(remote = "Self", default, deny_unknown_fields))]
        pub struct FactorsParams {
            $(
                $(#[$doc])*
                #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
                pub $name: Option<Weighted<$params>>,
            )*
        }

        impl FactorsParams {
            /// The keys that a document may use.
            pub const KEYS: &'static [&'static str] = &[$(stringify!($name)),*];

            /// Every factor there is, with weight 1 and its default settings: a list to pick from.
            #[must_use]
            pub fn all() -> Self {
                Self { $($name: Some(Weighted::default())),* }
            }

            fn into_factors(self) -> Vec<WeightedFactor> {
                let mut factors = Vec::new();
                $(
                    factors.extend(self.$name.map(|one| WeightedFactor {
                        floor: one.floor,
                        ..WeightedFactor::new(one.weight, one.settings)
                    }));
                )*
                factors
            }
        }
    };
}

/// The rules that a document may name.
macro_rules! rules {
    ($($(#[$doc:meta])* $name:ident: $params:ty,)*) => {
        /// The rules of a policy; what is left out forbids nothing.
        #[derive(Debug, Clone, Default, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(remote = "Self", default, deny_unknown_fields))]
        pub struct RulesParams {
            $(
                $(#[$doc])*
                #[cfg_attr(feature = "serde", serde(
                    deserialize_with = "super::strict::some",
                    skip_serializing_if = "Option::is_none",
                ))]
                pub $name: Option<$params>,
            )*
        }

        impl RulesParams {
            /// The keys that a document may use.
            pub const KEYS: &'static [&'static str] = &[$(stringify!($name)),*];

            /// Every rule there is, with its default settings: a list to pick from.
            #[must_use]
            pub fn all() -> Self {
                Self { $($name: Some(<$params>::default())),* }
            }

            fn into_rules(self) -> Vec<Arc<dyn TeamFactor>> {
                let mut rules: Vec<Arc<dyn TeamFactor>> = Vec::new();
                $(rules.extend(self.$name.map(|rule| Arc::new(rule) as Arc<dyn TeamFactor>));)*
                rules
            }
        }
    };
}

factors! {
    /// Awesomenauts: equally skilled teams.
    team_skill: TeamSkill,
    /// Awesomenauts: equally skilled players.
    player_skill: PlayerSkill,
    /// Awesomenauts: parties against parties.
    premades: Premades,
    /// Awesomenauts: ping between opponents.
    enemy_ping: EnemyPing,
    /// Awesomenauts: other faces than last time.
    opponent_variation: OpponentVariation,
    /// Awesomenauts: players who can be host.
    hosts: Hosts,
    /// Dota 2: each team as likely to win.
    win_probability: WinProbability,
    /// Dota 2: best and worst player close.
    skill_spread: SkillSpread,
    /// Dota 2: players of like experience.
    experience: Experience,
    /// Dota 2: the teams' best players close.
    best_against_best: BestAgainstBest,
    /// Dota 2: as many parties on each side.
    party_count: PartyCount,
    /// Dota 2: a common language.
    languages: Languages,
    /// Dota 2: who waited long plays.
    wait: Wait,
    /// DomiNations: offence against defence by ratio.
    strength: Strength,
    /// DomiNations: teams of like composition.
    variance: Variance,
    /// DomiNations: teams of like standing.
    glory: Glory,
    /// EOMM: the share of the players who stay.
    team_churn: TeamChurn,
    /// Teams that can fill their roles.
    roles: Roles,
    /// The region that suits all best.
    best_region: BestRegion,
    /// Other team mates than last time.
    recent_team_mates: RecentTeamMates,
}

rules! {
    /// Players who block each other.
    blocks: Blocks,
    /// Players who spoil games, and the others.
    griefers: Griefers,
    /// Friends on opposite teams.
    friends: Friends,
    /// Players of different regions.
    regions: Regions,
    /// Opponents too far away.
    ping_limit: PingLimit,
    /// Teams of a size that does not exist.
    team_sizes: TeamSizes,
}

/// The section `[scoring]` of a policy document, unchecked until [`build`](Self::build).
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(remote = "Self", default, deny_unknown_fields))]
pub struct ScoringPolicyParams {
    /// The mean over the factors. Default: exponent 1, the weighted average.
    pub combine: PowerMean,
    /// What the matches of a round make together, a power mean or a quantile. Default: exponent 1, the average.
    pub total: Total,
    /// The quality below which no match is made, in \[0, 1\]. Default 0: all are.
    pub threshold: f64,
    /// What is weighed.
    pub factors: FactorsParams,
    /// What is forbidden.
    pub rules: RulesParams,
}

impl ScoringPolicyParams {
    /// The policy, if all settings are in their ranges.
    ///
    /// # Errors
    /// [`PolicyError`] names the key of the document.
    pub fn build(self) -> Result<ScoringPolicy, PolicyError> {
        let policy = ScoringPolicy::new(self.factors.into_factors())?
            .with_rules(self.rules.into_rules())?
            .with_threshold(self.threshold)?;
        Ok(policy.combined_by(self.combine).with_total(self.total))
    }
}

#[cfg(feature = "serde")]
mod read {
    use serde::de::{Deserialize, Deserializer};

    use super::super::strict;
    use super::{FactorsParams, RulesParams, ScoringPolicyParams, Weighted};

    strict::strictly!(FactorsParams, RulesParams, ScoringPolicyParams);

    impl<'de, P: Deserialize<'de>> Deserialize<'de> for Weighted<P> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let mut numbers = [("weight", None), ("floor", None)];
            let settings = P::deserialize(strict::Strict::new(deserializer, &mut numbers))?;
            Ok(Self {
                weight: numbers[0].1.unwrap_or(1.0),
                floor: numbers[1].1,
                settings,
            })
        }
    }
}
