//! The rating systems' names and parameters.

use matchwright_rating::{
    BradleyTerryParams, DomMmrParams, DotaMmrParams, EloParams, Glicko2Params, GlickoParams, HomeAdvantage,
    ParamError, PartyBonusParams, TeamSkill, ThroughTimeParams, TrueSkillParams, WengLinParams,
};
use serde::{Deserialize, Serialize};

use super::evaluation::RateError;
use super::ladder::LadderParams;
use super::period::PeriodChoice;
use super::settings::SystemFeature;

/// A rating system by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// All strengths at once, by maximum likelihood.
    BradleyTerry,
    /// All skills at all times, from games before and after.
    ThroughTime,
}

impl SystemChoice {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Elo,
        Self::Glicko,
        Self::Glicko2,
        Self::Dom,
        Self::Dota,
        Self::TrueSkill,
        Self::WengLin,
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

/// Parameters of each system, and what goes with all of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SystemParams {
    /// Elo's.
    pub elo: EloParams,
    /// Glicko's. Its deviation grows by 10 points per square root of a day of idleness, by default.
    pub glicko: GlickoParams,
    /// Glicko-2's.
    pub glicko2: Glicko2Params,
    /// DOM MMR's.
    pub dom: DomMmrParams,
    /// Dota's.
    pub dota: DotaMmrParams,
    /// TrueSkill's.
    pub trueskill: TrueSkillParams,
    /// Weng and Lin's.
    pub weng_lin: WengLinParams,
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
    /// A ladder around Elo, Glicko, Glicko-2 or DOM MMR. Default none.
    pub ladder: Option<LadderParams>,
}

impl Default for SystemParams {
    fn default() -> Self {
        Self {
            elo: EloParams::default(),
            glicko: GlickoParams {
                c: 10.0,
                ..GlickoParams::default()
            },
            glicko2: Glicko2Params::default(),
            dom: DomMmrParams::default(),
            dota: DotaMmrParams::default(),
            trueskill: TrueSkillParams::default(),
            weng_lin: WengLinParams::default(),
            bradley_terry: BradleyTerryParams::default(),
            through_time: ThroughTimeParams::default(),
            period: PeriodChoice::default(),
            team_skill: None,
            party_bonus: None,
            home_advantage: AdvantageChoice::Points(0.0),
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
        if let Some(ladder) = &self.ladder {
            if is_by_game && ladder.points.bonus.is_some() {
                return Err(RateError::PoolWithoutClock);
            }
            ladder.wrap((), self.period)?;
        }
        self.check_own(choice).map_err(RateError::Param)
    }

    fn check_own(&self, choice: SystemChoice) -> Result<(), ParamError> {
        match choice {
            SystemChoice::Elo => self.elo.build().map(|_| ()),
            SystemChoice::Glicko => self.glicko.build().map(|_| ()),
            SystemChoice::Glicko2 => self.glicko2.build().map(|_| ()),
            SystemChoice::Dom => self.dom.build().map(|_| ()),
            SystemChoice::Dota => self.dota.build().map(|_| ()),
            SystemChoice::TrueSkill => self.trueskill.build().map(|_| ()),
            SystemChoice::WengLin => self.weng_lin.build().map(|_| ()),
            SystemChoice::BradleyTerry => self.bradley_terry.build().map(|_| ()),
            SystemChoice::ThroughTime => self.through_time.build().map(|_| ()),
        }
    }
}

/// How many points make odds of e to 1 between two players who are known well.
pub(super) fn points_per_log_odds(choice: SystemChoice, params: &SystemParams) -> f64 {
    use std::f64::consts::{LN_10, SQRT_2};
    // A normal curve's slope in log odds, at even odds.
    let probit = 4.0 / (2.0 * std::f64::consts::PI).sqrt();
    match choice {
        SystemChoice::Elo | SystemChoice::Glicko | SystemChoice::Glicko2 | SystemChoice::BradleyTerry => {
            400.0 / LN_10
        }
        SystemChoice::Dom => 1600.0 / LN_10,
        SystemChoice::Dota => SQRT_2 * params.dota.floor / probit,
        SystemChoice::TrueSkill => SQRT_2 * params.trueskill.beta / probit,
        SystemChoice::ThroughTime => SQRT_2 * params.through_time.beta / probit,
        SystemChoice::WengLin => SQRT_2 * params.weng_lin.beta,
    }
}
