//! [`WinProbability`]: each team as likely to win as any other.

use crate::curve::Curve;
use crate::error::{ScoringError, within};
use crate::scorer::MatchScorer;
use crate::team::{
    BalanceCurve, Decomposition, PlayerField, Pool, TeamFactor, TeamMatch, greatest, range_of,
};

/// quality = lead(p - 1/2), p = 1 / (1 + 10^(-d / scale)): the chance that the stronger team wins, d its lead
/// in mean adjusted skill.
///
/// ```text
/// adjusted skill = skill + size_points[party size] + spread_points max(0, spread of the party - free_spread)
/// ```
///
/// "Dota 2: Matchmaking", first criterion (teams with 50 % each), and its section on parties: friends play
/// better than strangers of their skill, the more so the more their skills differ. What a bonus is worth has
/// to be learnt from results; the defaults give none. The values 0.01972 and 136.6 for `spread_points` and
/// `free_spread` reproduce the adjusted ratings that the article prints.
///
/// With `uncertain`, p = 1 / (1 + 10^(-d / scale')), scale' = scale sqrt(1 + pi/8 (ln 10 / scale)^2 v), v the
/// variance of d from the players' uncertainties: the usual approximation of a logistic's mean over a normal
/// (MacKay, "The evidence framework applied to classification networks", 1992). It then no longer adds up for
/// a solver.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct WinProbability {
    /// The difference of mean skills at which the odds are 10 to 1, in points; above 0. Default 400.
    pub scale: f64,
    /// Points by which each member of a party is better for each point by which the party's best and worst differ
    /// beyond `free_spread`; in \[-0.2, 0.2\]. Default 0.
    pub spread_points: f64,
    /// The spread within a party that is worth nothing, in points; 0 or more. Default 0.
    pub free_spread: f64,
    /// Points by which each member of a party of 2, 3, 4, and 5 or more is better; within \[-10,000, 10,000\].
    /// Default 0.
    pub size_points: [f64; 4],
    /// Whether uncertain skills pull the chance towards 1/2. Default false.
    pub uncertain: bool,
    /// From the stronger team's chance less 1/2, in \[0, 0.5\], to the quality. Default: linear from 1 at 0 to 0
    /// at 0.5.
    pub lead: Curve,
}

impl Default for WinProbability {
    fn default() -> Self {
        Self {
            scale: 400.0,
            spread_points: 0.0,
            free_spread: 0.0,
            size_points: [0.0; 4],
            uncertain: false,
            lead: Curve::ramp(0.0, 0.5, 1.0),
        }
    }
}

/// The chance that a team whose mean skill is `lead` points higher wins: 1 / (1 + 10^(-lead / scale)), in \[0, 1\].
///
/// The logistic curve of Elo's and Dota's ratings.
///
/// ```
/// use matchwright_scoring::win_probability;
///
/// assert_eq!(win_probability(0.0, 400.0), 0.5);
/// assert!((win_probability(400.0, 400.0) - 10.0 / 11.0).abs() < 1e-15);
/// ```
#[must_use]
pub fn win_probability(lead: f64, scale: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-lead / scale))
}

impl WinProbability {
    fn bonus(&self, size: usize, spread: f64) -> f64 {
        if size < 2 {
            return 0.0;
        }
        let beyond = (spread - self.free_spread).max(0.0);
        self.size_points[(size - 2).min(3)] + self.spread_points * beyond
    }

    /// The skills of `members`, who queued together and are on one team, with their common bonus.
    #[must_use]
    pub fn adjusted_skills(&self, pool: &Pool, members: &[usize]) -> Vec<f64> {
        let skills: Vec<f64> = members.iter().map(|&member| pool.skill(member)).collect();
        let spread = range_of(skills.iter().copied());
        let bonus = self.bonus(members.len(), spread);
        skills.into_iter().map(|skill| skill + bonus).collect()
    }

    /// A team's mean adjusted skill.
    #[must_use]
    pub fn strength(&self, candidate: &TeamMatch<'_>, team: &[usize]) -> f64 {
        let parties = candidate.parties_of(team);
        let skills = parties
            .iter()
            .flat_map(|members| self.adjusted_skills(candidate.pool(), members));
        skills.sum::<f64>() / team.len() as f64
    }

    /// How far the stronger team's chance is above 1/2, in \[0, 0.5\]; the largest over the pairs of teams.
    #[must_use]
    pub fn lead(&self, candidate: &TeamMatch<'_>) -> f64 {
        let spread = |team: &&[usize]| {
            let variances = team
                .iter()
                .map(|&player| candidate.pool().uncertainty(player).powi(2));
            variances.sum::<f64>() / (team.len() as f64).powi(2)
        };
        let teams: Vec<(f64, f64)> = candidate
            .teams()
            .iter()
            .map(|team| (self.strength(candidate, team), spread(team)))
            .collect();
        let leads = teams
            .iter()
            .enumerate()
            .flat_map(|(place, (strength, variance))| {
                teams[place + 1..].iter().map(move |(other, its_variance)| {
                    let rate = self.rate(if self.uncertain {
                        variance + its_variance
                    } else {
                        0.0
                    });
                    0.5 * (0.5 * rate * (strength - other).abs()).tanh()
                })
            });
        greatest(leads)
    }

    /// Log-odds for a point of lead.
    fn rate(&self, variance: f64) -> f64 {
        let rate = std::f64::consts::LN_10 / self.scale;
        rate / (1.0 + std::f64::consts::FRAC_PI_8 * rate * rate * variance).sqrt()
    }
}

impl MatchScorer<TeamMatch<'_>> for WinProbability {
    fn quality(&self, candidate: &TeamMatch<'_>) -> Option<f64> {
        Some(self.lead.quality(self.lead(candidate)))
    }
}

impl TeamFactor for WinProbability {
    fn name(&self) -> &'static str {
        "win_probability"
    }

    fn looks_at(&self) -> Vec<PlayerField> {
        let has_bonus = self.spread_points != 0.0 || self.size_points != [0.0; 4];
        let asked = [
            (PlayerField::Skill, true),
            (PlayerField::Party, has_bonus),
            (PlayerField::Uncertainty, self.uncertain),
        ];
        let asked = asked.into_iter().filter(|(_, is_asked)| *is_asked);
        asked.map(|(field, _)| field).collect()
    }

    fn check(&self) -> Result<(), ScoringError> {
        within("scale", self.scale, 1e-9..=1e12)?;
        within("spread_points", self.spread_points, -0.2..=0.2)?;
        within("free_spread", self.free_spread, 0.0..=1e12)?;
        for points in self.size_points {
            within("size_points", points, -1e4..=1e4)?;
        }
        Ok(())
    }

    fn required_fields(&self) -> &'static [PlayerField] {
        &[PlayerField::Skill]
    }

    fn decomposition(&self, pool: &Pool, players: &[usize], _: usize) -> Option<Decomposition> {
        if self.uncertain {
            return None;
        }
        let bonus = |player: usize| {
            pool.party_of(player).map_or(0.0, |party| {
                let members = &pool.parties()[party];
                let spread = range_of(members.iter().map(|&member| pool.skill(member)));
                self.bonus(members.len(), spread)
            })
        };
        let level = players.iter().map(|&player| pool.skill(player) + bonus(player));
        Some(Decomposition::Balance {
            level: level.collect(),
            curve: BalanceCurve::Logistic {
                rate: self.rate(0.0),
                curve: self.lead.clone(),
            },
        })
    }
}
