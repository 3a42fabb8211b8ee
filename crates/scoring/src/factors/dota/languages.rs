//! [`Languages`]: the share of players with a common language.

use crate::curve::Curve;
use crate::error::{ScoringError, within};
use crate::scorer::MatchScorer;
use crate::team::{Decomposition, PlayerField, Pool, TeamFactor, TeamMatch};

/// ```text
/// quality = s (mean over the teams of common(c of the team)) + (1 - s) common(c of the match)
/// ```
///
/// c is the largest share of the players who speak one and the same language, s is `team_share`.
///
/// "Dota 2: Matchmaking", sixth criterion: no common language is avoided strongly among team mates and less
/// so across the match. The shares are ours. Who lists no language speaks any.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Languages {
    /// How much of the quality is decided within the teams, in \[0, 1\]; the rest by the whole match. Default 0.8.
    pub team_share: f64,
    /// From the largest share of players with one language in common to the quality. Default: 1 if all have, 0 if
    /// only half of them or fewer, linear between.
    pub common: Curve,
}

impl Default for Languages {
    fn default() -> Self {
        Self {
            team_share: 0.8,
            common: Curve::ramp(1.0, 0.5, 1.0),
        }
    }
}

impl Languages {
    /// The largest share of `players` who have one language in common, in \[0, 1\]; 1 of nobody.
    #[must_use]
    pub fn common_share(pool: &Pool, players: &[usize]) -> f64 {
        let speakers = |language: &String| {
            players
                .iter()
                .filter(|player| pool.speaks(**player, language))
                .count()
        };
        // Only a language that a player lists can be the best.
        let listed = players.iter().flat_map(|&player| &pool[player].languages);
        let most = listed.map(speakers).max().unwrap_or(players.len());
        if players.is_empty() {
            1.0
        } else {
            most as f64 / players.len() as f64
        }
    }
}

impl MatchScorer<TeamMatch<'_>> for Languages {
    fn quality(&self, candidate: &TeamMatch<'_>) -> Option<f64> {
        let pool = candidate.pool();
        let common = |share: f64| self.common.quality(share);
        let teams = candidate.teams().iter();
        let within_teams: f64 = teams.map(|team| common(Self::common_share(pool, team))).sum();
        let within_teams = within_teams / candidate.teams().len() as f64;
        let everybody: Vec<usize> = candidate.players().collect();
        let across = common(Self::common_share(pool, &everybody));
        let share = self.team_share;
        Some((share * within_teams + (1.0 - share) * across).clamp(0.0, 1.0))
    }
}

impl TeamFactor for Languages {
    fn name(&self) -> &'static str {
        "languages"
    }

    fn looks_at(&self) -> Vec<PlayerField> {
        vec![PlayerField::Languages]
    }

    fn check(&self) -> Result<(), ScoringError> {
        within("team_share", self.team_share, 0.0..=1.0)?;
        Ok(())
    }

    fn decomposition(&self, pool: &Pool, players: &[usize], _: usize) -> Option<Decomposition> {
        let mut listed: Vec<&str> = Vec::new();
        for language in players.iter().flat_map(|&player| &pool[player].languages) {
            if !listed.contains(&language.as_str()) {
                listed.push(language);
            }
        }
        let row = listed.len().div_ceil(8);
        let mut traits = vec![[0; 8]; players.len() * row];
        for (place, &player) in players.iter().enumerate() {
            for (at, language) in listed.iter().enumerate() {
                traits[place * row + at / 8][at % 8] = u8::from(pool.speaks(player, language));
            }
        }
        Some(Decomposition::CommonShare {
            traits,
            row,
            team_share: self.team_share,
            curve: self.common.clone(),
        })
    }
}
