//! [`RatingParams`]: a system with its settings, and what goes with any.

use thiserror::Error;

use super::{AnyParams, SystemKind, SystemName, SystemSettings};
use crate::adjust::Adjustments;
use crate::advantage::HomeAdvantage;
use crate::decay::{Decay, DecayParams};
use crate::draw::DrawKind;
use crate::error::{AMOUNTS, ParamError, within};
use crate::floors::RankFloors;
use crate::ladder::LadderParams;
use crate::margin::{MarginWeight, PerformanceWeight};
use crate::party::{PartyBonus, PartyBonusParams};
use crate::periods::PeriodChoice;
use crate::season::Seasons;
use crate::system::RatingEstimate;
use crate::team::{TeamRatingSystem, TeamSkill};

/// Home advantage: that of the first side in games of two sides.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum AdvantageChoice {
    /// A number of points; 0 for none.
    Points(f64),
    /// The points under which games are likeliest, to be fitted.
    Fit,
}

impl AdvantageChoice {
    /// No advantage.
    pub const NONE: Self = Self::Points(0.0);
}

/// How games are rated: a system with its settings, and what goes with any.
///
/// ```
/// use matchwright_rating::{RatingEstimate, RatingParams, RatingSystem, Score, SystemName};
///
/// let params = RatingParams::of(SystemName::Glicko2);
/// let system = params.system.build_pairs()?.ok_or("a system for two players")?;
/// let newcomer = system.initial();
/// let (winner, _) = system.update_pair((&newcomer, 0.0), (&newcomer, 0.0), Score::WIN);
/// assert!(winner.rating() > 1600.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct RatingParams {
    /// The system.
    pub system: AnyParams,
    /// What counts as a rating period. Default a day. TrueSkill Through Time takes no [`PeriodChoice::Game`].
    pub period: PeriodChoice,
    /// How a system for two players sees a team. Default none: the sum for the systems that keep deviations, since these
    /// shrink too fast under a mean, and the mean for the others.
    pub team_skill: Option<TeamSkill>,
    /// Party bonus. Default none.
    pub party_bonus: Option<PartyBonusParams>,
    /// The home (first-side) advantage. Default none. Bradley-Terry fits its own, TrueSkill Through Time has none.
    pub home_advantage: AdvantageChoice,
    /// How much a game of two sides counts for its margin; games without scores count once. Default none.
    pub margin: Option<MarginWeight>,
    /// The weight of individual performances in teams, as [`PerformanceWeight`] has it; games without them count as ever.
    /// Default 0: none.
    pub performance: f64,
    /// How draws get their probability from expected scores; ratings do not depend on it. Default Davidson's.
    pub draws: DrawKind,
    /// A ladder around a system that learns game by game. Default none.
    pub ladder: Option<LadderParams>,
    /// What ratings lose while their players are away. Default none.
    pub decay: Option<DecayParams>,
    /// Ratings below which one who has reached them does not fall. Default none.
    pub rank_floors: Option<RankFloors>,
    /// The most points by which a deviation after a game is above that after the last one, from 0 to 1e9. Default none: no cap.
    pub max_deviation_growth: Option<f64>,
    /// Seasons, at whose starts all ratings change. Default none.
    pub seasons: Option<Seasons>,
    /// Whether players have a rating of their own in each context of games (a mode, a map, a surface), with which forecasts blend
    /// that of all games: after how many games there both weigh the same, from 1e-3 to 1e9. Default none: contexts do not count.
    pub context_games: Option<f64>,
    /// What the log odds of forecasts are multiplied with, from 0.01 to 100: below 1 where those of the system are too sure.
    /// Ratings do not depend on it. Default 1.
    pub log_odds_scale: f64,
}

/// Settings that do not go together.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum RatingParamsError {
    /// A setting out of its range.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// What the system cannot have.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// A bonus pool without a clock to fill it.
    #[error("a bonus pool fills by the clock; give the rating period in days, or no pool")]
    PoolWithoutClock,
    /// Weights by margin or performance, rank floors or a cap on deviations, of matches that count all at once.
    #[error(
        "matches that count all at once have no weights by margin or performance, no rank floors and no cap on deviations; give the rating period in days or by game, or drop these"
    )]
    WeightsInBatch,
    /// Decay without a clock.
    #[error("ratings decay by the clock; give the rating period in days, or no decay")]
    DecayWithoutClock,
    /// Weights by margin or performance inside a ladder.
    #[error(
        "a ladder's points know neither margins nor performances; drop the ladder or the weights by margin or performance"
    )]
    WeightsOnLadder,
}

/// What a system cannot have.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("only {} can have {what}", names(systems))]
pub struct Unsupported {
    /// What it is.
    pub what: &'static str,
    /// The systems that can.
    pub systems: Vec<SystemName>,
}

fn names(systems: &[SystemName]) -> String {
    let names: Vec<&str> = systems.iter().map(|system| system.name()).collect();
    names.join(", ")
}

impl Unsupported {
    /// That systems of other kinds have it alone.
    #[must_use]
    pub fn but_for(what: &'static str, can: impl Fn(SystemName) -> bool) -> Self {
        let systems = SystemName::ALL.iter().copied().filter(|system| can(*system));
        Self {
            what,
            systems: systems.collect(),
        }
    }
}

impl RatingParams {
    /// A system with nothing around it.
    #[must_use]
    pub fn of(system: impl Into<AnyParams>) -> Self {
        Self {
            system: system.into(),
            period: PeriodChoice::default(),
            team_skill: None,
            party_bonus: None,
            home_advantage: AdvantageChoice::NONE,
            margin: None,
            performance: 0.0,
            draws: DrawKind::default(),
            ladder: None,
            decay: None,
            rank_floors: None,
            max_deviation_growth: None,
            seasons: None,
            context_games: None,
            log_odds_scale: 1.0,
        }
    }

    /// The same around another system.
    #[must_use]
    pub fn with_system(&self, system: impl Into<AnyParams>) -> Self {
        Self {
            system: system.into(),
            ..self.clone()
        }
    }

    /// Refuses what the system cannot have or work with.
    ///
    /// # Errors
    /// [`RatingParamsError`] names the first that it cannot have, or that is out of range.
    pub fn check(&self) -> Result<(), RatingParamsError> {
        use SystemKind::{Pairs, Whole};
        type Can = fn(SystemName) -> bool;
        let (pairs, online): (Can, Can) = (|name| name.kind() == Pairs, |name| name.kind() != Whole);
        let (is_by_game, is_batch) = (
            self.period == PeriodChoice::Game,
            matches!(self.period, PeriodChoice::Batch(_)),
        );
        let asked: [(&str, bool, Can); 11] = [
            ("a ladder", self.ladder.is_some(), online),
            ("a choice of team skill", self.team_skill.is_some(), pairs),
            ("a rating period for each game", is_by_game, online),
            (
                "a rating period whose matches count all at once",
                is_batch,
                online,
            ),
            (
                "a home advantage",
                self.home_advantage != AdvantageChoice::NONE,
                |name| name != SystemName::ThroughTime,
            ),
            ("a party bonus", self.party_bonus.is_some(), online),
            ("weights by margin or performance", self.is_weighted(), online),
            ("decay", self.decay.is_some(), online),
            ("rank floors", self.rank_floors.is_some(), online),
            (
                "a cap on the growth of deviations",
                self.max_deviation_growth.is_some(),
                online,
            ),
            ("seasons", self.seasons.is_some(), online),
        ];
        for (what, is_asked, can) in asked {
            if is_asked && !can(self.system.name()) {
                return Err(Unsupported::but_for(what, can).into());
            }
        }
        self.period.length()?;
        self.bonus()?;
        self.adjustments()?;
        within("context_games", self.context_games.unwrap_or(1.0), 1e-3..=1e9)?;
        within("log_odds_scale", self.log_odds_scale, 0.01..=100.0)?;
        if let Some(seasons) = &self.seasons {
            seasons.check()?;
        }
        if self.decay.is_some() && is_by_game {
            return Err(RatingParamsError::DecayWithoutClock);
        }
        let has_bounds = self.rank_floors.is_some() || self.max_deviation_growth.is_some();
        if (self.is_weighted() || has_bounds) && is_batch {
            return Err(RatingParamsError::WeightsInBatch);
        }
        if let Some(ladder) = &self.ladder {
            if self.is_weighted() {
                return Err(RatingParamsError::WeightsOnLadder);
            }
            if is_by_game && ladder.points.bonus.is_some() {
                return Err(RatingParamsError::PoolWithoutClock);
            }
            ladder.wrap((), self.period)?;
        }
        Ok(self.system.with(Builds)?)
    }

    /// Whether games count by margin or performance. A performance out of range counts, too.
    fn is_weighted(&self) -> bool {
        self.margin.is_some() || self.performance != 0.0
    }

    /// What the circumstances of a game change. A home advantage that is yet to be fitted counts as none.
    ///
    /// # Errors
    /// [`ParamError`] that names the first setting out of range.
    pub fn adjustments(&self) -> Result<Adjustments, ParamError> {
        let points = match self.home_advantage {
            AdvantageChoice::Points(points) => points,
            AdvantageChoice::Fit => 0.0,
        };
        let growth = |growth| within("max_deviation_growth", growth, AMOUNTS);
        Ok(Adjustments {
            home: HomeAdvantage::new(points)?,
            margin: self.margin.map(MarginWeight::checked).transpose()?,
            performance: PerformanceWeight::new(self.performance)?,
            decay: self.decay().transpose()?,
            floors: self.rank_floors.map(RankFloors::checked).transpose()?,
            max_deviation_growth: self.max_deviation_growth.map(growth).transpose()?,
        })
    }

    /// What ratings lose while their players are away; none without a clock.
    fn decay(&self) -> Option<Result<Decay, ParamError>> {
        let decay = self.decay?;
        let build = || {
            let Some(period) = self.period.length()? else {
                return Ok(None);
            };
            let newcomer = self
                .system
                .build_teams(None)?
                .map_or(0.0, |system| system.initial().rating());
            decay.build(period, newcomer).map(Some)
        };
        build().transpose()
    }

    /// The party bonus, if there is one.
    ///
    /// # Errors
    /// [`ParamError`] that names the first setting out of range.
    pub fn bonus(&self) -> Result<Option<PartyBonus>, ParamError> {
        self.party_bonus.map(PartyBonusParams::build).transpose()
    }

    /// How a side's skill follows from its players'.
    #[must_use]
    pub fn skill_of_teams(&self) -> TeamSkill {
        self.team_skill.unwrap_or_else(|| self.system.team_skill())
    }

    /// How draws get their probability: never, where the system has no draws, and else as [`draws`](Self::draws) says.
    #[must_use]
    pub fn draw_kind(&self) -> DrawKind {
        if self.system.can_draw() {
            self.draws
        } else {
            DrawKind::Never
        }
    }

    /// Weights by the logarithm of the margin, where a win by `typical` between equals counts once: damped by 2200 points of
    /// Elo's scale, in the points of the system.
    #[must_use]
    pub fn logarithmic_margin(&self, typical: f64) -> MarginWeight {
        let log_odds = 2200.0 * std::f64::consts::LN_10 / 400.0;
        MarginWeight::Logarithmic {
            typical,
            damping: log_odds * self.system.points_per_log_odds(),
        }
    }

    /// How many points make odds of ten to one between two players who are known well: the scale of the ratings, 400 for
    /// Elo's.
    ///
    /// ```
    /// use matchwright_rating::{RatingParams, SystemName};
    ///
    /// let points = |system| RatingParams::of(system).points_for_ten_to_one();
    /// assert_eq!(points(SystemName::Glicko2), 400.0);
    /// assert!((points(SystemName::TrueSkill) - 8.5).abs() < 0.01);
    /// ```
    #[must_use]
    pub fn points_for_ten_to_one(&self) -> f64 {
        let points = std::f64::consts::LN_10 * self.system.points_per_log_odds();
        // Whole numbers are meant to the digit.
        let whole = points.round();
        if (points - whole).abs() < 1e-9 {
            whole
        } else {
            points
        }
    }
}

/// Looks whether settings build a system.
struct Builds;

impl super::WithSystem for Builds {
    type Output = ();

    fn pairs<S>(self, _: S) {}

    fn teams<S>(self, _: S) {}

    fn whole(self, _: super::WholeFit) {}
}
