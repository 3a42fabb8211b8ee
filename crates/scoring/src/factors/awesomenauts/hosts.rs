//! [`Hosts`]: players who can be host of the match.

use crate::error::{ScoringError, within};
use crate::scorer::MatchScorer;
use crate::team::{Decomposition, PlayerField, Pool, TeamFactor, TeamMatch, square};

/// quality = 1 if two players or more can be host of all others, `one` if one can, `none` (or forbidden) if
/// nobody can.
///
/// "The Awesomenauts matchmaking algorithm", sixth factor: a game between the players' machines needs a
/// server who reaches everybody, and wants a second one in case the first leaves. A player can be host if its
/// `can_host` is not false and it connects with every other player. Only for games without servers of their
/// own: others leave the factor out.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Hosts {
    /// The quality if nobody can be host, in \[0, 1\]. Default 0.
    pub none: f64,
    /// The quality if one player can, in \[0, 1\]. Default 0.5.
    pub one: f64,
    /// Whether a match that nobody can host is forbidden, whatever `none` says. Default false.
    pub required: bool,
}

impl Default for Hosts {
    fn default() -> Self {
        Self {
            none: 0.0,
            one: 0.5,
            required: false,
        }
    }
}

impl Hosts {
    /// How many players of the match can be its host.
    #[must_use]
    pub fn count(candidate: &TeamMatch<'_>) -> usize {
        let pool = candidate.pool();
        let hosts_all = |&a: &usize| candidate.players().all(|b| a == b || hosts(pool, a, b));
        candidate.players().filter(hosts_all).count()
    }

    fn by_count(&self) -> [Option<f64>; 3] {
        [(!self.required).then_some(self.none), Some(self.one), Some(1.0)]
    }
}

fn hosts(pool: &Pool, host: usize, guest: usize) -> bool {
    pool.can_host(host) && pool.connected(host, guest)
}

impl MatchScorer<TeamMatch<'_>> for Hosts {
    fn quality(&self, candidate: &TeamMatch<'_>) -> Option<f64> {
        self.by_count()[Self::count(candidate).min(2)]
    }
}

impl TeamFactor for Hosts {
    fn name(&self) -> &'static str {
        "hosts"
    }

    fn looks_at(&self) -> Vec<PlayerField> {
        vec![PlayerField::CanHost, PlayerField::ConnectsTo]
    }

    fn check(&self) -> Result<(), ScoringError> {
        within("none", self.none, 0.0..=1.0)?;
        within("one", self.one, 0.0..=1.0)?;
        Ok(())
    }

    fn why_forbidden(&self, candidate: &TeamMatch<'_>) -> Option<String> {
        self.quality(candidate)
            .is_none()
            .then(|| "no player can be host of all others".to_owned())
    }

    fn decomposition(&self, pool: &Pool, players: &[usize], _: usize) -> Option<Decomposition> {
        Some(Decomposition::Hubs {
            linked: square(players, |a, b| hosts(pool, a, b)),
            by_count: self.by_count().to_vec(),
        })
    }
}
