//! [`TeamChurn`]: the mean expected churn probability of a match's players.

use crate::eomm::expected_churn;
use crate::error::{ScoringError, within};
use crate::factors::dota::win_probability;
use crate::outcome::OutcomeChances;
use crate::scorer::MatchScorer;
use crate::team::{PlayerField, TeamFactor, TeamMatch};

/// quality = 1 - expected share of the players who churn, with chances from the teams' skills:
///
/// ```text
/// P(W) = (1 - draw) / (1 + 10^(-d / scale))       d = own skill - theirs
/// P(D) = draw,   P(L) = 1 - P(W) - P(D)
/// ```
///
/// EOMM, section 3: a team's skill is the sum of its members' (`sum = true`). For teams of equal size the mean is the same up to
/// `scale`; it is the default, so that `scale` does not depend on the size of teams. For one player a side it equals
/// [`EommScorer`](crate::EommScorer). For another model of outcomes, see [`team_churn`].
#[doc(alias("EOMM"))]
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct TeamChurn {
    /// The difference of the teams' skills at which the odds are 10 to 1, in points; above 0. Default 400.
    pub scale: f64,
    /// The chance of a draw, in \[0, 1\], whatever the skills. Default 0.
    pub draw: f64,
    /// Whether a team's skill is the sum of its members' instead of their mean. Default false.
    pub sum: bool,
}

impl Default for TeamChurn {
    fn default() -> Self {
        Self {
            scale: 400.0,
            draw: 0.0,
            sum: false,
        }
    }
}

/// The expected share of a match's players who churn, in \[0, 1\]; `chances(own, other)` gives the outcome chances of the team
/// `own` against `other`.
///
/// EOMM, eq. 5 summed over all players. A player without [`ChurnByOutcome`](crate::ChurnByOutcome) counts as certain to churn.
/// With more than two teams a player's expected churn is averaged over the opposing teams.
///
/// ```
/// use matchwright_scoring::{ChurnByOutcome, OutcomeChances, Player, Pool, TeamMatch, team_churn};
///
/// // Who churns after a loss alone.
/// let sore = Some(ChurnByOutcome::new(0.0, 0.0, 1.0)?);
/// let pool = Pool::new(["a", "b", "c", "d"].map(|id| Player { churn: sore, ..Player::new(id) }).into())?;
/// let teams: [&[usize]; 2] = [&[0, 1], &[2, 3]];
/// let even = OutcomeChances::new(0.5, 0.0, 0.5)?;
/// assert_eq!(team_churn(&TeamMatch::new(&pool, &teams)?, |_, _| even), 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn team_churn(candidate: &TeamMatch<'_>, chances: impl Fn(&[usize], &[usize]) -> OutcomeChances) -> f64 {
    let teams = candidate.teams();
    let mut expected_churners = 0.0;
    for (place, team) in teams.iter().enumerate() {
        let others = teams.iter().enumerate().filter(|(index, _)| *index != place);
        for (_, other) in others {
            let own_chances = chances(team, other);
            let churn = |&player: &usize| {
                let own = candidate.pool().churn(player);
                own.map_or(1.0, |own| expected_churn(&own_chances, &own))
            };
            expected_churners += team.iter().map(churn).sum::<f64>();
        }
    }
    let count = candidate.players().count() * (teams.len() - 1);
    (expected_churners / count as f64).clamp(0.0, 1.0)
}

impl TeamChurn {
    fn chances(&self, own: f64, other: f64) -> OutcomeChances {
        let decided = 1.0 - self.draw;
        let lead = own - other;
        // An unknown skill makes the lead NaN: such teams count as equal.
        let win = if lead.is_nan() {
            0.5
        } else {
            win_probability(lead, self.scale)
        };
        OutcomeChances::from_win_and_draw(decided * win, self.draw)
    }
}

impl MatchScorer<TeamMatch<'_>> for TeamChurn {
    fn quality(&self, candidate: &TeamMatch<'_>) -> Option<f64> {
        let skill = |team: &[usize]| {
            let total: f64 = team.iter().map(|&player| candidate.pool().skill(player)).sum();
            if self.sum {
                total
            } else {
                total / team.len() as f64
            }
        };
        let churn = team_churn(candidate, |own, other| self.chances(skill(own), skill(other)));
        Some(1.0 - churn)
    }
}

impl TeamFactor for TeamChurn {
    fn name(&self) -> &'static str {
        "team_churn"
    }

    fn check(&self) -> Result<(), ScoringError> {
        within("scale", self.scale, 1e-9..=1e12)?;
        within("draw", self.draw, 0.0..=1.0)?;
        Ok(())
    }

    fn required_fields(&self) -> &'static [PlayerField] {
        &[PlayerField::Skill, PlayerField::Churn]
    }
}
