//! The rating systems' names and parameters.

use matchwright_rating::{
    BradleyTerryParams, DomMmrParams, DotaMmrParams, EloCurve, EloMmrParams, EloParams, Glicko2Params,
    GlickoParams, HomeAdvantage, KSchedule, MarginWeight, ParamError, PartyBonusParams, PerformanceWeight,
    ScheduledEloParams, TeamSkill, ThroughTimeParams, TrueSkillParams, WengLinParams,
};
use serde::{Deserialize, Serialize};

use super::draws::DrawKind;
use super::evaluation::RateError;
use super::ladder::LadderParams;
use super::period::PeriodChoice;
use super::settings::SystemFeature;

/// A rating system by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SystemChoice {
    /// Elo's system.
    Elo,
    /// Glickman's first, with a deviation.
    Glicko,
    /// Glickman's second, with a volatility.
    Glicko2,
    /// Elo whose K depends on newness, streaks and height.
    Dom,
    /// MMR and uncertainty, for teams.
    Dota,
    /// Normal skills by expectation propagation, for teams and free-for-alls.
    #[serde(rename = "trueskill")]
    TrueSkill,
    /// Normal skills by closed formulas, for teams and free-for-alls.
    WengLin,
    /// Skills with their latest performances, robust against outliers, for teams and free-for-alls.
    EloMmr,
    /// All strengths at once, by maximum likelihood.
    BradleyTerry,
    /// All skills at all times, from games before and after.
    ThroughTime,
}

impl SystemChoice {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Elo,
        Self::Glicko,
        Self::Glicko2,
        Self::Dom,
        Self::Dota,
        Self::TrueSkill,
        Self::WengLin,
        Self::EloMmr,
        Self::BradleyTerry,
        Self::ThroughTime,
    ];
}

/// Home advantage: that of the first side in games of two sides. TrueSkill Through Time has none.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AdvantageChoice {
    /// So many points; 0 for none. Bradley-Terry takes only 0.
    Points(f64),
    /// The points under which the matches before the evaluated part are likeliest.
    Fit,
}

/// How far a skill wanders in a day, in points of TrueSkill's and Weng and Lin's scale: half of TrueSkill's own in a game.
const TAU_A_DAY: f64 = 0.5 * 25.0 / 300.0;

/// Parameters of each system, and what goes with all of them.
///
/// Defaults are those of each system's authors but for the five that are named: these forecast better on most of three sets
/// of real matches (Halo, international football, FRC) and three generated populations, which the benchmark of forecasts
/// compares with others. Mean changes of the log loss of decided games, and on how many of the six it falls: Elo's K -.0056
/// (6), Glicko's c -.0048 (3, and no change on 2), Glicko-2's volatility -.0051 (3, and no change on 1), TrueSkill's drift
/// -.0055 (5), Weng and Lin's -.0034 (4).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SystemParams {
    /// Elo's. K is 48 by default.
    pub elo: EloParams,
    /// Glicko's. Its deviation grows by 5 points per square root of a day of idleness, by default.
    pub glicko: GlickoParams,
    /// Glicko-2's. The volatility of newcomers is 0.03 by default.
    pub glicko2: Glicko2Params,
    /// DOM MMR's.
    pub dom: DomMmrParams,
    /// Dota's.
    pub dota: DotaMmrParams,
    /// TrueSkill's. Skills wander by half of tau in a day, by default.
    pub trueskill: TrueSkillParams,
    /// Weng and Lin's. Skills wander as TrueSkill's do, by default.
    pub weng_lin: WengLinParams,
    /// Elo-MMR's.
    pub elo_mmr: EloMmrParams,
    /// Bradley and Terry's.
    pub bradley_terry: BradleyTerryParams,
    /// TrueSkill Through Time's.
    pub through_time: ThroughTimeParams,
    /// What counts as a rating period. Default a day. Through Time takes no [`PeriodChoice::Game`].
    pub period: PeriodChoice,
    /// How Elo, Glicko, Glicko-2 and DOM MMR see a team. Default none: the sum for the systems that keep deviations,
    /// since these shrink too fast under a mean, and the mean for the others.
    pub team_skill: Option<TeamSkill>,
    /// Party bonus. Default none.
    pub party_bonus: Option<PartyBonusParams>,
    /// The home (first-side) advantage. Default none.
    pub home_advantage: AdvantageChoice,
    /// K of Elo by games and rating, in place of [`EloParams::k`]. Default none.
    pub k_schedule: Option<KSchedule>,
    /// How much a game of two sides counts for its margin, under Elo, Glicko, Glicko-2, TrueSkill, and Weng and Lin; games
    /// without scores count once. Default none.
    pub margin: Option<MarginWeight>,
    /// The weight of individual performances in teams, under the same systems, as [`PerformanceWeight`] has it; games without
    /// them count as ever. Default 0: none.
    pub performance: f64,
    /// How draws get their probability from expected scores; ratings do not depend on it. Default Davidson's.
    pub draws: DrawKind,
    /// A ladder around Elo, Glicko, Glicko-2 or DOM MMR. Default none.
    pub ladder: Option<LadderParams>,
}

impl Default for SystemParams {
    fn default() -> Self {
        Self {
            elo: EloParams {
                k: 48.0,
                ..EloParams::default()
            },
            glicko: GlickoParams {
                c: 5.0,
                ..GlickoParams::default()
            },
            glicko2: Glicko2Params {
                initial_volatility: 0.03,
                ..Glicko2Params::default()
            },
            dom: DomMmrParams::default(),
            dota: DotaMmrParams::default(),
            trueskill: TrueSkillParams {
                tau_per_period: TAU_A_DAY,
                ..TrueSkillParams::default()
            },
            weng_lin: WengLinParams {
                tau: 25.0 / 300.0,
                tau_per_period: TAU_A_DAY,
                ..WengLinParams::default()
            },
            elo_mmr: EloMmrParams::default(),
            bradley_terry: BradleyTerryParams::default(),
            through_time: ThroughTimeParams::default(),
            period: PeriodChoice::default(),
            team_skill: None,
            party_bonus: None,
            home_advantage: AdvantageChoice::Points(0.0),
            k_schedule: None,
            margin: None,
            performance: 0.0,
            draws: DrawKind::default(),
            ladder: None,
        }
    }
}

impl SystemParams {
    /// Refuses parameters that the chosen system cannot have or work with.
    ///
    /// # Errors
    /// [`RateError`] names the first that it does not have, or that is out of range.
    pub fn check(&self, choice: SystemChoice) -> Result<(), RateError> {
        use SystemFeature as F;
        let is_by_game = self.period == PeriodChoice::Game;
        let asked = [
            (F::Ladder, self.ladder.is_some()),
            (F::PeriodPerGame, is_by_game),
            (F::Batch, matches!(self.period, PeriodChoice::Batch(_))),
            (
                F::HomeAdvantage,
                self.home_advantage != AdvantageChoice::Points(0.0),
            ),
            (F::FittedPartyBonus, self.party_bonus.is_some()),
            (F::KSchedule, self.k_schedule.is_some()),
            (F::Weights, self.is_weighted()),
        ];
        let mut asked = asked.into_iter().filter(|(_, is_asked)| *is_asked);
        asked.try_for_each(|(feature, _)| choice.require(feature))?;
        self.period.build()?;
        if let Some(bonus) = self.party_bonus {
            bonus.build()?;
        }
        if let AdvantageChoice::Points(points) = self.home_advantage {
            HomeAdvantage::new(points)?;
        }
        self.margin.map(MarginWeight::checked).transpose()?;
        PerformanceWeight::new(self.performance)?;
        if self.is_weighted() && matches!(self.period, PeriodChoice::Batch(_)) {
            return Err(RateError::WeightsInBatch);
        }
        if let Some(ladder) = &self.ladder {
            if self.is_weighted() {
                return Err(RateError::WeightsOnLadder);
            }
            if is_by_game && ladder.points.bonus.is_some() {
                return Err(RateError::PoolWithoutClock);
            }
            ladder.wrap((), self.period)?;
        }
        self.check_own(choice).map_err(RateError::Param)
    }

    /// Whether a deviation, or the skill that is fitted, changes while time passes under `choice`, so that the period counts.
    #[must_use]
    pub fn grows_with_time(&self, choice: SystemChoice) -> bool {
        let growth = match choice {
            SystemChoice::Glicko => self.glicko.c,
            SystemChoice::Dota => self.dota.growth,
            SystemChoice::TrueSkill => self.trueskill.tau_per_period,
            SystemChoice::WengLin => self.weng_lin.tau_per_period,
            SystemChoice::EloMmr => self.elo_mmr.gamma_per_period,
            SystemChoice::ThroughTime => self.through_time.gamma,
            SystemChoice::Glicko2 => return true,
            SystemChoice::Elo | SystemChoice::Dom | SystemChoice::BradleyTerry => return false,
        };
        growth > 0.0
    }

    /// How draws get their probability under `choice`: never, where its own is 0, and else as [`draws`](Self::draws) says.
    #[must_use]
    pub fn draw_kind(&self, choice: SystemChoice) -> DrawKind {
        let own = match choice {
            SystemChoice::TrueSkill => self.trueskill.draw_probability,
            SystemChoice::ThroughTime => self.through_time.draw_probability,
            _ => return self.draws,
        };
        if own == 0.0 { DrawKind::Never } else { self.draws }
    }

    /// Weights by the logarithm of the margin, where a win by `typical` between equals counts once: damped by 2200 points of
    /// Elo's scale, in the points of `choice`.
    #[must_use]
    pub fn logarithmic_margin(&self, choice: SystemChoice, typical: f64) -> MarginWeight {
        let log_odds = 2200.0 * std::f64::consts::LN_10 / 400.0;
        MarginWeight::Logarithmic {
            typical,
            damping: log_odds * points_per_log_odds(choice, self),
        }
    }

    /// Whether games count by margin or performance. A performance out of range counts, too.
    fn is_weighted(&self) -> bool {
        self.margin.is_some() || self.performance != 0.0
    }

    /// Elo's parameters with its K schedule, if it has one.
    pub(super) fn scheduled_elo(&self) -> Option<ScheduledEloParams> {
        self.k_schedule.map(|schedule| ScheduledEloParams {
            schedule,
            initial: self.elo.initial,
            curve: self.elo.curve,
        })
    }

    fn check_own(&self, choice: SystemChoice) -> Result<(), ParamError> {
        match choice {
            SystemChoice::Elo => {
                self.elo.build()?;
                self.scheduled_elo().map_or(Ok(()), |elo| elo.build().map(|_| ()))
            }
            SystemChoice::Glicko => self.glicko.build().map(|_| ()),
            SystemChoice::Glicko2 => self.glicko2.build().map(|_| ()),
            SystemChoice::Dom => self.dom.build().map(|_| ()),
            SystemChoice::Dota => self.dota.build().map(|_| ()),
            SystemChoice::TrueSkill => self.trueskill.build().map(|_| ()),
            SystemChoice::WengLin => self.weng_lin.build().map(|_| ()),
            SystemChoice::EloMmr => self.elo_mmr.build().map(|_| ()),
            SystemChoice::BradleyTerry => self.bradley_terry.build().map(|_| ()),
            SystemChoice::ThroughTime => self.through_time.build().map(|_| ()),
        }
    }
}

/// How many points make odds of ten to one between two players who are known well: the scale of a system's ratings, 400 for
/// Elo's.
///
/// ```
/// use matchwright_sim::rate::{SystemChoice, SystemParams, points_for_ten_to_one};
///
/// let points = |system| points_for_ten_to_one(system, &SystemParams::default());
/// assert_eq!(points(SystemChoice::Glicko2), 400.0);
/// assert!((points(SystemChoice::TrueSkill) - 8.5).abs() < 0.01);
/// ```
#[must_use]
pub fn points_for_ten_to_one(choice: SystemChoice, params: &SystemParams) -> f64 {
    let points = std::f64::consts::LN_10 * points_per_log_odds(choice, params);
    // Whole numbers are meant to the digit.
    let whole = points.round();
    if (points - whole).abs() < 1e-9 {
        whole
    } else {
        points
    }
}

/// How many points make odds of e to 1 between two players who are known well.
pub(super) fn points_per_log_odds(choice: SystemChoice, params: &SystemParams) -> f64 {
    use std::f64::consts::{LN_10, PI, SQRT_2};
    // A normal curve's slope in log odds, at even odds.
    let probit = 4.0 / (2.0 * PI).sqrt();
    let of_curve = |curve| match curve {
        EloCurve::Logistic { scale } => scale / LN_10,
        EloCurve::Normal { standard_deviation } => SQRT_2 * standard_deviation / probit,
        EloCurve::FideTable => 400.0 / LN_10,
    };
    match choice {
        SystemChoice::Elo => of_curve(params.elo.curve),
        SystemChoice::Dom => of_curve(params.dom.curve),
        SystemChoice::Glicko | SystemChoice::Glicko2 | SystemChoice::BradleyTerry => 400.0 / LN_10,
        SystemChoice::Dota => SQRT_2 * params.dota.floor / probit,
        SystemChoice::TrueSkill => SQRT_2 * params.trueskill.beta / probit,
        SystemChoice::ThroughTime => SQRT_2 * params.through_time.beta / probit,
        SystemChoice::WengLin => SQRT_2 * params.weng_lin.beta,
        SystemChoice::EloMmr => SQRT_2 * params.elo_mmr.beta * 3.0_f64.sqrt() / PI,
    }
}
