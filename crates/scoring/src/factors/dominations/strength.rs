//! [`Strength`]: the ratio of the teams' offence and defence.

use crate::curve::Curve;
use crate::scorer::MatchScorer;
use crate::team::{BalanceCurve, Decomposition, PlayerField, Pool, TeamFactor, TeamMatch};

/// ```text
/// quality = log_ratio(|ln(offence A / defence B) - ln(offence B / defence A)|)       of the teams' mean ratings
/// ```
///
/// "World War Matchmaking", section on comparing ratings: by percentage, not by points. Each team attacks the
/// other's defence, so a war is fair if both attacks have the same odds: a team strong in attack and weak in
/// defence may meet its opposite. 10 % more of either is a log-ratio of 0.0953, with which a side wins 60 %
/// ([`win_probability_by_ratio`] of exp(0.0953)), and which the spotlight does not call a good match: by default
/// it has quality 0.52.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Strength {
    /// Whether a team's ratings are the geometric means of its members' instead of the arithmetic ones. Geometric
    /// means add up for a solver, and let weak members weigh more. Default false.
    pub geometric: bool,
    /// From the log-ratio of the two attacks to the quality. Default: 1 at 0 down to 0 at 0.2 (a ratio of 1.22).
    pub log_ratio: Curve,
}

impl Default for Strength {
    fn default() -> Self {
        Self {
            geometric: false,
            log_ratio: Curve::ramp(0.0, 0.2, 1.0),
        }
    }
}

/// The exponent with which a rating 10 % higher wins 60 %: ln(0.6 / 0.4) / ln 1.1, rounded.
pub const WINS_BY_RATIO: f64 = 4.2542;

/// The chance that strength `own` beats strength `other`, both above 0: own^k / (own^k + other^k), in \[0, 1\].
///
/// "World War Matchmaking" reports that ratings compared by their ratio foretell wins better than by their
/// difference, and that 10 % more defence wins 60 % ([`WINS_BY_RATIO`]). The chances of both sides sum to 1.
///
/// ```
/// use matchwright_scoring::{WINS_BY_RATIO, win_probability_by_ratio};
///
/// assert!((win_probability_by_ratio(110.0, 100.0, WINS_BY_RATIO) - 0.6).abs() < 1e-5);
/// assert!((win_probability_by_ratio(100.0, 110.0, WINS_BY_RATIO) - 0.4).abs() < 1e-5);
/// ```
#[must_use]
pub fn win_probability_by_ratio(own: f64, other: f64, exponent: f64) -> f64 {
    1.0 / (1.0 + (other / own).powf(exponent))
}

impl Strength {
    /// The log-ratio of the two attacks, 0 or more; the largest over the pairs of teams.
    ///
    /// It equals |ln(offence x defence of A) - ln(offence x defence of B)|, which is how it is worked out.
    #[must_use]
    pub fn log_ratio(&self, candidate: &TeamMatch<'_>) -> f64 {
        let pool = candidate.pool();
        let log_mean = |team: &[usize], rating: &dyn Fn(usize) -> f64| {
            let count = team.len() as f64;
            if self.geometric {
                team.iter().map(|&player| rating(player).ln()).sum::<f64>() / count
            } else {
                (team.iter().map(|&player| rating(player)).sum::<f64>() / count).ln()
            }
        };
        candidate.difference(|team| {
            log_mean(team, &|player| pool.offence(player)) + log_mean(team, &|player| pool.defence(player))
        })
    }
}

impl MatchScorer<TeamMatch<'_>> for Strength {
    fn quality(&self, candidate: &TeamMatch<'_>) -> Option<f64> {
        Some(self.log_ratio.quality(self.log_ratio(candidate)))
    }
}

impl TeamFactor for Strength {
    fn name(&self) -> &'static str {
        "strength"
    }

    fn required_fields(&self) -> &'static [PlayerField] {
        &[PlayerField::Offence, PlayerField::Defence]
    }

    fn decomposition(&self, pool: &Pool, players: &[usize], _: usize) -> Option<Decomposition> {
        let level = players
            .iter()
            .map(|&player| pool.offence(player).ln() + pool.defence(player).ln());
        self.geometric.then(|| Decomposition::Balance {
            level: level.collect(),
            curve: BalanceCurve::Plain(self.log_ratio.clone()),
        })
    }
}
