//! Every system under its name, for a choice at run time.
//!
//! A program that knows its system names the type. One that reads it from a document or a command line takes [`AnyParams`]: the
//! settings of any system, with what all settings can say of themselves ([`SystemSettings`]); [`with`](AnyParams::with) makes the
//! system and goes on with it, compiled for each. Where that does not do, in a store or a service that holds some system,
//! there are [`AnySystem`] and [`AnyTeamSystem`], whose ratings are [`AnyRating`]s: a few per cent slower.

mod any;
#[cfg(feature = "serde")]
mod document;
mod params;

pub use any::{AnySystem, AnyTeamSystem};
#[cfg(feature = "serde")]
pub use document::{DocumentError, RatingDocument};
pub use params::{AdvantageChoice, RatingParams, RatingParamsError, Unsupported};

use self::any::{Erased, Kept};
use crate::draw::FixedDraw;
use crate::error::ParamError;
use crate::system::{RatingEstimate, RatingSystem};
use crate::team::{ShiftRating, TeamAdapter, TeamRatingSystem, TeamSkill};
use crate::tunable::{Scale, Tunable};

/// What settings of any system can say of themselves.
pub trait SystemSettings: Tunable {
    /// How many points make odds of e to 1 between two players who are known well.
    fn points_per_log_odds(&self) -> f64;

    /// Whether what is known of a player changes while time passes, so that the length of a period counts.
    fn grows_with_time(&self) -> bool {
        false
    }

    /// Whether games may be drawn.
    fn can_draw(&self) -> bool {
        true
    }

    /// How the ratings of a side's players make the side's skill.
    fn team_skill(&self) -> TeamSkill {
        TeamSkill::Sum
    }
}

/// A system by the games that it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SystemKind {
    /// One player against one; sides are seen through [`TeamAdapter`].
    Pairs,
    /// Games of sides.
    Teams,
    /// All games at once.
    Whole,
}

/// A model that is fitted to all games at once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum WholeFit {
    /// Strengths that do not change.
    BradleyTerry(crate::BradleyTerry),
    /// Skills at all times.
    ThroughTime(crate::ThroughTime),
}

/// Something that is done with any system: its type is chosen once, and what follows is compiled for it.
pub trait WithSystem: Sized {
    /// What comes of it.
    type Output;

    /// With a system for two players.
    fn pairs<S>(self, system: S) -> Self::Output
    where
        S: RatingSystem + Clone + Send + Sync + 'static,
        S::Rating: RatingEstimate + ShiftRating + Send + Sync + 'static;

    /// With a system for teams.
    fn teams<S>(self, system: S) -> Self::Output
    where
        S: TeamRatingSystem + Clone + Send + Sync + 'static,
        S::Rating: RatingEstimate + ShiftRating + Send + Sync + 'static;

    /// With a model of all games at once.
    fn whole(self, fit: WholeFit) -> Self::Output;
}

/// Points for odds of e to 1, near even odds, where two players' performances have this standard deviation each.
pub(crate) fn probit(standard_deviation: f64) -> f64 {
    std::f64::consts::SQRT_2 * standard_deviation / (4.0 / (2.0 * std::f64::consts::PI).sqrt())
}

/// The name, the settings and what they build of every system, a row each.
macro_rules! registry {
    (
        $( $kind:ident $variant:ident $name:literal, $about:literal: $params:ty = $default:expr => $system:ty; )+
        @whole
        $( $whole:ident $whole_name:literal, $whole_about:literal: $whole_params:ty = $whole_default:expr; )+
    ) => {
        /// A system by its name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub enum SystemName {
            $( #[doc = $about] #[cfg_attr(feature = "serde", serde(rename = $name))] $variant, )+
            $( #[doc = $whole_about] #[cfg_attr(feature = "serde", serde(rename = $whole_name))] $whole, )+
        }

        impl SystemName {
            /// All of them.
            pub const ALL: &'static [Self] = &[$( Self::$variant, )+ $( Self::$whole, )+];

            /// In lower case, words joined by hyphens.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $( Self::$variant => $name, )+ $( Self::$whole => $whole_name, )+ }
            }

            /// What it is, in a line.
            #[must_use]
            pub const fn about(self) -> &'static str {
                match self { $( Self::$variant => $about, )+ $( Self::$whole => $whole_about, )+ }
            }

            /// Which games it takes.
            #[must_use]
            pub const fn kind(self) -> SystemKind {
                match self { $( Self::$variant => by_kind!($kind), )+ $( Self::$whole => SystemKind::Whole, )+ }
            }

            /// The settings that it has without any other word: those that forecast best on most of several sets of matches,
            /// where that is known; else its authors'.
            #[must_use]
            pub fn params(self) -> AnyParams {
                match self {
                    $( Self::$variant => AnyParams::$variant($default), )+
                    $( Self::$whole => AnyParams::$whole($whole_default), )+
                }
            }
        }

        /// The settings of a system, whichever.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub enum AnyParams {
            $( #[doc = $about] $variant($params), )+
            $( #[doc = $whole_about] $whole($whole_params), )+
        }

        $(
            impl From<$params> for AnyParams {
                fn from(params: $params) -> Self {
                    Self::$variant(params)
                }
            }
        )+

        $(
            impl From<$whole_params> for AnyParams {
                fn from(params: $whole_params) -> Self {
                    Self::$whole(params)
                }
            }
        )+

        impl AnyParams {
            /// Whose settings they are.
            #[must_use]
            pub const fn name(&self) -> SystemName {
                match self { $( Self::$variant(_) => SystemName::$variant, )+ $( Self::$whole(_) => SystemName::$whole, )+ }
            }

            /// Does something with the system that they build.
            ///
            /// # Errors
            /// [`ParamError`] that names the first setting out of range.
            pub fn with<V: WithSystem>(&self, visitor: V) -> Result<V::Output, ParamError> {
                Ok(match self {
                    $( Self::$variant(params) => visitor.$kind(params.build()?), )+
                    $( Self::$whole(params) => visitor.whole(WholeFit::$whole(params.build()?)), )+
                })
            }

            /// The system for two players, with ratings of any; `None` if it is not one.
            ///
            /// # Errors
            /// [`ParamError`] that names the first setting out of range.
            pub fn build_pairs(&self) -> Result<Option<AnySystem>, ParamError> {
                match self {
                    $( Self::$variant(params) => erased!($kind pairs $variant params), )+
                    $( Self::$whole(_) => Ok(None), )+
                }
            }

            /// The system for games of sides, with ratings of any; `None` for a model of all games at once. `skill` is how one for
            /// two players sees a side; by default as its settings [say](SystemSettings::team_skill).
            ///
            /// # Errors
            /// [`ParamError`] that names the first setting out of range.
            pub fn build_teams(&self, skill: Option<TeamSkill>) -> Result<Option<AnyTeamSystem>, ParamError> {
                let skill = skill.unwrap_or_else(|| self.team_skill());
                match self {
                    $( Self::$variant(params) => erased!($kind teams $variant params skill), )+
                    $( Self::$whole(_) => Ok(None), )+
                }
            }

            fn settings(&self) -> &dyn SystemSettings {
                match self { $( Self::$variant(params) => params, )+ $( Self::$whole(params) => params, )+ }
            }
        }

        impl Tunable for AnyParams {
            fn knobs(&mut self, turn: &mut dyn FnMut(&'static str, Scale, &mut f64)) {
                match self { $( Self::$variant(params) => params.knobs(turn), )+ $( Self::$whole(params) => params.knobs(turn), )+ }
            }

            fn other_forms(&self) -> Vec<Self> {
                match self {
                    $( Self::$variant(params) => params.other_forms().into_iter().map(Self::$variant).collect(), )+
                    $( Self::$whole(params) => params.other_forms().into_iter().map(Self::$whole).collect(), )+
                }
            }
        }

        /// A rating of any system.
        #[derive(Debug, Clone, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub enum AnyRating {
            $( #[doc = $about] #[cfg_attr(feature = "serde", serde(rename = $name))] $variant(rating_of!($kind $system)), )+
        }

        impl RatingEstimate for AnyRating {
            fn rating(&self) -> f64 {
                match self { $( Self::$variant(one) => RatingEstimate::rating(one), )+ }
            }

            fn deviation(&self) -> Option<f64> {
                match self { $( Self::$variant(one) => RatingEstimate::deviation(one), )+ }
            }

            fn volatility(&self) -> Option<f64> {
                match self { $( Self::$variant(one) => RatingEstimate::volatility(one), )+ }
            }
        }

        impl ShiftRating for AnyRating {
            fn shifted(&self, points: f64) -> Self {
                match self { $( Self::$variant(one) => Self::$variant(one.shifted(points)), )+ }
            }

            fn set_off(&self, points: f64) -> Self {
                match self { $( Self::$variant(one) => Self::$variant(one.set_off(points)), )+ }
            }

            fn with_deviation(&self, deviation: f64) -> Self {
                match self { $( Self::$variant(one) => Self::$variant(ShiftRating::with_deviation(one, deviation)), )+ }
            }
        }

        #[cfg(feature = "serde")]
        impl document::Row for AnyParams {
            fn read<'de, D: serde::Deserializer<'de>>(name: SystemName, from: D) -> Result<RatingParams, D::Error> {
                match name {
                    $( SystemName::$variant => document::read::<$params, D>(from, Self::$variant, $default), )+
                    $( SystemName::$whole => document::read::<$whole_params, D>(from, Self::$whole, $whole_default), )+
                }
            }

            fn write<S: serde::Serializer>(params: &RatingParams, to: S) -> Result<S::Ok, S::Error> {
                match &params.system {
                    $( Self::$variant(own) => document::write(params, own, to), )+
                    $( Self::$whole(own) => document::write(params, own, to), )+
                }
            }
        }
    };
}

macro_rules! by_kind {
    (pairs) => {
        SystemKind::Pairs
    };
    (teams) => {
        SystemKind::Teams
    };
}

macro_rules! rating_of {
    (pairs $system:ty) => {
        <$system as RatingSystem>::Rating
    };
    (teams $system:ty) => {
        <$system as TeamRatingSystem>::Rating
    };
}

/// A system whose ratings are kept as those of a variant.
macro_rules! erased {
    (teams pairs $variant:ident $params:ident) => {{
        let _ = $params;
        Ok(None)
    }};
    ($kind:ident pairs $variant:ident $params:ident) => {
        erased!(@$kind pairs $variant, $params.build()?)
    };
    (pairs teams $variant:ident $params:ident $skill:ident) => {
        erased!(@teams teams $variant, TeamAdapter::new($params.build()?, $skill, FixedDraw::NONE))
    };
    (teams teams $variant:ident $params:ident $skill:ident) => {
        erased!(@teams teams $variant, $params.build()?)
    };
    (@$kind:ident $as:ident $variant:ident, $system:expr) => {
        Ok(Some(Box::new(Erased {
            system: $system,
            kept: Kept {
                any: AnyRating::$variant,
                own: |any| match any {
                    AnyRating::$variant(own) => Some(own),
                    _ => None,
                },
            },
        })))
    };
}

/// How far a skill wanders in a day, in points of TrueSkill's and Weng and Lin's scale: half of TrueSkill's own in a game.
const TAU_A_DAY: f64 = 0.5 * 25.0 / 300.0;

// Defaults beside the authors' own forecast better on most of three sets of real matches (Halo, international football, FRC)
// and three generated populations. Mean changes of the log loss of decided games, and on how many of the six it falls: Elo's K
// -.0056 (6), Glicko's c -.0048 (3, and no change on 2), Glicko-2's volatility -.0051 (3, and no change on 1), TrueSkill's
// drift -.0055 (5), Weng and Lin's -.0034 (4).
registry! {
    pairs Elo "elo", "Elo, logistic curve":
        crate::EloParams = crate::EloParams { k: 48.0, ..Default::default() } => crate::Elo;
    pairs ScheduledElo "scheduled-elo", "Elo whose K depends on games and rating, as in FIDE's and US Chess's rules":
        crate::ScheduledEloParams = crate::ScheduledEloParams::default() => crate::ScheduledElo;
    pairs Glicko "glicko", "Glicko: rating and deviation":
        crate::GlickoParams = crate::GlickoParams { c: 5.0, ..Default::default() } => crate::Glicko;
    pairs Glicko2 "glicko2", "Glicko-2: rating, deviation and volatility":
        crate::Glicko2Params = crate::Glicko2Params { initial_volatility: 0.03, ..Default::default() } => crate::Glicko2;
    pairs Dom "dom", "DOM MMR: Elo whose K depends on newness, streaks and height":
        crate::DomMmrParams = crate::DomMmrParams::default() => crate::DomMmr;
    teams Dota "dota", "Dota's MMR and uncertainty, for teams":
        crate::DotaMmrParams = crate::DotaMmrParams::default() => crate::DotaMmr;
    teams TrueSkill "trueskill", "TrueSkill: teams and free-for-alls, mean and deviation":
        crate::TrueSkillParams = crate::TrueSkillParams { tau_per_period: TAU_A_DAY, ..Default::default() } => crate::TrueSkill;
    teams WengLin "weng-lin", "Weng and Lin, as in openskill: the same by closed formulas":
        crate::WengLinParams = crate::WengLinParams { tau: 25.0 / 300.0, tau_per_period: TAU_A_DAY, ..Default::default() }
        => crate::WengLin;
    teams EloMmr "elo-mmr", "Elo-MMR: the same, robust against single bad days":
        crate::EloMmrParams = crate::EloMmrParams::default() => crate::EloMmr;
    @whole
    BradleyTerry "bradley-terry", "Bradley-Terry by maximum likelihood, all matches at once; single players only":
        crate::BradleyTerryParams = crate::BradleyTerryParams::default();
    ThroughTime "through-time", "TrueSkill Through Time: all skills at all times, from matches before and after":
        crate::ThroughTimeParams = crate::ThroughTimeParams::default();
}

impl SystemSettings for AnyParams {
    fn points_per_log_odds(&self) -> f64 {
        self.settings().points_per_log_odds()
    }

    fn grows_with_time(&self) -> bool {
        self.settings().grows_with_time()
    }

    fn can_draw(&self) -> bool {
        self.settings().can_draw()
    }

    fn team_skill(&self) -> TeamSkill {
        self.settings().team_skill()
    }
}

impl From<SystemName> for AnyParams {
    fn from(name: SystemName) -> Self {
        name.params()
    }
}

impl SystemName {
    /// What it is called in a heading: the beginning of what it is.
    #[must_use]
    pub fn title(self) -> &'static str {
        let about = self.about();
        about.split([':', ',']).next().unwrap_or(about)
    }
}

impl std::fmt::Display for SystemName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no system has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no rating system")]
pub struct UnknownSystem(pub String);

impl std::str::FromStr for SystemName {
    type Err = UnknownSystem;

    fn from_str(name: &str) -> Result<Self, UnknownSystem> {
        // By the name of the library that made it known.
        if name == "openskill" {
            return Ok(Self::WengLin);
        }
        let known = Self::ALL.iter().find(|system| system.name() == name);
        known.copied().ok_or_else(|| UnknownSystem(name.to_owned()))
    }
}
