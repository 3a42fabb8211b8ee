//! The answer: matches, and who is left out.

use super::error::LobbyError;
use super::objective::LobbyObjective;
use super::pool::LobbyPool;

/// One match: two teams and how well they match.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Lobby {
    /// The players of the first team, rising.
    pub team_a: Vec<usize>,
    /// The players of the second team, rising.
    pub team_b: Vec<usize>,
    /// The quality of the match, in [0, 1], as the objective gives it.
    pub quality: f64,
}

/// What proves how good lobbies are: a price for each party, such that no match that could be made is worth more than
/// the prices of its parties and `excess` together.
///
/// Whatever is made of the pool, then, each party pays its price or at least what leaving it out costs (with its sign
/// turned), so that no lineup is worth more than
///
/// ```text
/// bound = sum over parties of max(dual, -price of leaving it out) + sum over cuts of dual + matches x excess
/// ```
///
/// with as many matches as the players could fill. [`verify_lobbies`](crate::verify_lobbies) checks it.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LobbyCertificate {
    /// The dual of each party, in the order of [`LobbyPool::parties`].
    pub duals: Vec<f64>,
    /// Cuts, three parties and a dual of 0 or more: a match with two or three of them pays the dual, and as no lineup
    /// has two such matches, no lineup pays it twice.
    pub cuts: Vec<([u32; 3], f64)>,
    /// By how much a match may be worth more than what it pays, 0 or more.
    pub excess: f64,
    /// What no lineup exceeds.
    pub bound: f64,
}

#[cfg(feature = "bounds")]
impl LobbyCertificate {
    /// What holds for any qualities: no match is worth more than 1, and every player has the same share of it.
    pub(crate) fn trivial(pool: &LobbyPool) -> Self {
        let share = 1.0 / pool.match_size() as f64;
        let duals: Vec<f64> = pool
            .parties()
            .iter()
            .map(|party| party.len() as f64 * share)
            .collect();
        Self {
            bound: duals.iter().sum(),
            duals,
            cuts: Vec::new(),
            excess: 0.0,
        }
    }
}

/// Matches, who is left out, and how good that is proven to be.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Lineups {
    /// The matches, by their first players.
    pub lobbies: Vec<Lobby>,
    /// Who is left out, rising.
    pub left_out: Vec<usize>,
    /// Sum of the matches' qualities, less what leaving out costs.
    pub value: f64,
    /// Whether a search through all that could be better found nothing: no lineup is worth more, but for rounding of
    /// 1e-9 a match.
    pub optimal: bool,
    /// What proves how good it is, if anything does.
    pub certificate: Option<LobbyCertificate>,
    /// How many changes of a lineup the search looked at.
    pub tried: u64,
}

impl Lineups {
    /// The lineups made of these teams, everybody else left out: qualities asked of `objective`, matches that it
    /// forbids dissolved.
    ///
    /// # Errors
    /// [`LobbyError::BadQuality`] if the objective breaks its contract.
    pub fn of_teams(
        pool: &LobbyPool,
        objective: &dyn LobbyObjective,
        teams: impl IntoIterator<Item = (Vec<usize>, Vec<usize>)>,
    ) -> Result<Self, LobbyError> {
        let mut lobbies = Vec::new();
        let mut plays = vec![false; pool.players()];
        for (mut team_a, mut team_b) in teams {
            team_a.sort_unstable();
            team_b.sort_unstable();
            if team_a.len() == team_b.len() && team_b < team_a {
                std::mem::swap(&mut team_a, &mut team_b);
            }
            let Some(quality) = objective.quality(&team_a, &team_b) else {
                continue;
            };
            if !(0.0..=1.0).contains(&quality) {
                return Err(LobbyError::BadQuality {
                    team_a,
                    team_b,
                    quality,
                });
            }
            for &player in team_a.iter().chain(&team_b) {
                plays[player] = true;
            }
            lobbies.push(Lobby {
                team_a,
                team_b,
                quality,
            });
        }
        lobbies.sort_by(|a, b| a.team_a.cmp(&b.team_a));
        let left_out: Vec<usize> = (0..pool.players()).filter(|&player| !plays[player]).collect();
        let price: f64 = left_out.iter().map(|&player| pool.prices()[player]).sum();
        let value = lobbies.iter().map(|lobby| lobby.quality).sum::<f64>() - price;
        Ok(Self {
            lobbies,
            left_out,
            value,
            optimal: false,
            certificate: None,
            tried: 0,
        })
    }

    /// Mean quality of the matches; 0 if there are none.
    #[must_use]
    pub fn mean_quality(&self) -> f64 {
        let sum: f64 = self.lobbies.iter().map(|lobby| lobby.quality).sum();
        sum / self.lobbies.len().max(1) as f64
    }

    /// What no lineup exceeds, if that is known.
    #[must_use]
    pub fn bound(&self) -> Option<f64> {
        self.certificate.as_ref().map(|certificate| certificate.bound)
    }

    /// (bound - value) / |bound|: the share of the optimum that may be missing, if a bound is known; 0 or more.
    #[must_use]
    pub fn gap(&self) -> Option<f64> {
        let bound = self.bound()?;
        Some(((bound - self.value) / bound.abs().max(f64::MIN_POSITIVE)).max(0.0))
    }
}
