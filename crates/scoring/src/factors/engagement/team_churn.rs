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
/// EOMM, section 3 with its remark on teams, whose skill is the sum of their members' (`sum`); the mean says
/// the same with another scale as long as sizes are equal. With one player a side it is
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

/// The expected share of a match's players who churn, in \[0, 1\]; `chances(own team, other team)` are the first
/// one's.
///
/// EOMM, eq. 5 summed over all players. Every player's [`ChurnByOutcome`](crate::ChurnByOutcome) must be given:
/// without it a player counts as lost. Among more than two teams the chances are averaged over the others.
///
/// ```
/// use matchwright_scoring::{ChurnByOutcome, OutcomeChances, Player, Pool, TeamMatch, team_churn};
///
/// let sore = Some(ChurnByOutcome::new(0.0, 0.0, 1.0)?);
/// let pool = Pool::new(["a", "b", "c", "d"].map(|id| Player { churn: sore, ..Player::new(id) }).into())?;
/// let teams: [&[usize]; 2] = [&[0, 1], &[2, 3]];
/// let even = OutcomeChances::new(0.5, 0.0, 0.5)?;
/// assert_eq!(team_churn(&TeamMatch::new(&pool, &teams)?, |_, _| even), 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn team_churn(candidate: &TeamMatch<'_>, chances: impl Fn(&[usize], &[usize]) -> OutcomeChances) -> f64 {
    let teams = candidate.teams();
    let mut sum = 0.0;
    for (place, team) in teams.iter().enumerate() {
        for other in teams
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != place)
            .map(|(_, team)| team)
        {
            let chances = chances(team, other);
            let churn = |&player: &usize| {
                let own = candidate.pool().churn(player);
                own.map_or(1.0, |own| expected_churn(&chances, &own))
            };
            sum += team.iter().map(churn).sum::<f64>();
        }
    }
    let count = candidate.players().count() * (teams.len() - 1);
    (sum / count as f64).clamp(0.0, 1.0)
}

impl TeamChurn {
    fn chances(&self, own: f64, other: f64) -> OutcomeChances {
        let decided = 1.0 - self.draw;
        let lead = own - other;
        // Skills that nobody knows are as good as equal.
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
            let sum: f64 = team.iter().map(|&player| candidate.pool().skill(player)).sum();
            if self.sum { sum } else { sum / team.len() as f64 }
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
