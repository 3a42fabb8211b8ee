//! The judge of lineups: who plays where, how good that is, and whether what is said to prove it does.
//!
//! It shares nothing with the solvers but the public types: pools, lineups, objectives and their terms.

mod certificate;
mod error;
mod facts;
mod matches;
mod settle;
mod tables;

pub use error::LobbyVerifyError;

use std::fmt;

use crate::{Lineups, LobbyObjective, LobbyPool};

/// Rounding that is allowed for, for each match.
const TOLERANCE: f64 = 1e-9;

/// Whether a number claimed is the one found, a sum of so many; false for NaN.
fn agrees(claimed: f64, actual: f64, summands: usize) -> bool {
    (claimed - actual).abs() <= TOLERANCE * summands as f64
}

/// What is proven about lineups.
///
/// | `optimal` | `claimed` | proven |
/// |---|---|---|
/// | true | any | no lineups are worth more, but for some 1e-9 a match |
/// | false | false | no lineups are worth more than `bound` |
/// | false | true | the same: that a search found nothing better is its claim, and was not checked |
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct LobbyVerdict {
    /// The sum of the matches' qualities less the prices of those left out, added up anew.
    pub value: f64,
    /// What no lineups exceed, rounding allowed for; infinite without a certificate.
    pub bound: f64,
    /// bound - value, 0 or more; infinite without a certificate.
    pub gap: f64,
    /// Proven here to be the optimum: the bound leaves no gap, or all matches that better lineups could have were
    /// looked through.
    pub optimal: bool,
    /// Whether the lineups say that they are the optimum.
    pub claimed: bool,
    /// The work allowed was spent before the certificate was checked: `bound` and `gap` are infinite.
    pub stopped: bool,
}

impl fmt::Display for LobbyVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let proven = match (self.optimal, self.bound.is_finite(), self.claimed) {
            _ if self.stopped => "certificate not checked, the work allowed is spent",
            (true, _, _) => "optimality proven",
            (false, true, true) => "bound proven, optimality claimed by search, not checked",
            (false, true, false) => "bound proven",
            (false, false, true) => "optimality claimed by search, no bound to check",
            (false, false, false) => "no bound",
        };
        if self.bound.is_finite() {
            write!(
                f,
                "value {:.6} of at most {:.6}: {proven}",
                self.value, self.bound
            )
        } else {
            write!(f, "value {:.6}: {proven}", self.value)
        }
    }
}

/// Checks lineups and, if they have one, their certificate.
///
/// 1. Everybody plays once or is left out, teams have the pool's sizes, parties are whole, each match has the quality
///    that the objective gives it when asked anew, to 1e-9, and the value is their sum less the prices of those left
///    out.
/// 2. The certificate has a finite dual for each party, cuts of three different parties with duals of 0 or more, an
///    excess of 0 or more, and the bound is
///
/// ```text
/// sum over parties of max(dual, -price of leaving it out) + sum over cuts of dual + (players / match size, rounded down) x excess
/// ```
///
/// 3. No match whatever is worth more than the duals of its parties, the duals of the cuts of which it has two or
///    three parties, and the excess. All matches are looked through, by branch and bound on the objective's terms.
/// 4. The terms are the objective's quality for the matches of the lineups, for some hundred others, and for each
///    that comes near what it pays.
///
/// Together they prove the bound. The matches of any lineups are worth at most what they pay and an excess each. Of
/// that, each party pays its dual once if it plays and minus its price if it does not, hence at most the larger of
/// both; no two matches share a party, so that no two can each have two of a cut's three parties, and each cut is
/// paid at most once, which is at most its dual as that is not negative; and there are no more matches than players
/// to fill them.
///
/// Lineups that claim to be the optimum above a gap are settled here only if few matches are left that better lineups
/// could have; [`LobbyVerdict`] says whether.
///
/// Exponential in the size of a match: 24 players 3 against 3 take milliseconds, 96 take a second or a few. What is
/// proven is proven for the objective's terms, which are its quality by contract; asking for more would be asking for
/// every match.
///
/// # Errors
/// [`LobbyVerifyError`] says which of these fails first, and names the match or party.
///
/// ```
/// use matchwright_lobby::{Annealing, LobbyPool, LobbySolver, verify_lobbies};
///
/// let quality = |a: &[usize], b: &[usize]| Some(1.0 / (1 + a[0].abs_diff(b[0])) as f64);
/// let pool = LobbyPool::new(6, (1, 1))?;
/// let mut lineups = Annealing::new(1).with_moves(1000).solve(&pool, &quality)?;
/// let verdict = verify_lobbies(&pool, &quality, &lineups)?;
/// assert_eq!(verdict.value, 1.5);
/// assert_eq!(verdict.to_string(), "value 1.500000: no bound");
///
/// lineups.lobbies[0].quality = 2.0;
/// let error = verify_lobbies(&pool, &quality, &lineups).unwrap_err();
/// assert_eq!(error.to_string(), "match 0 claims the quality 2, the objective gives 0.5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn verify_lobbies(
    pool: &LobbyPool,
    objective: &dyn LobbyObjective,
    lineups: &Lineups,
) -> Result<LobbyVerdict, LobbyVerifyError> {
    verify_lobbies_within(pool, objective, lineups, u64::MAX)
}

/// The same with so much work at most: terms looked at in the search through all matches. 100 million take about a
/// second. If they are not enough the verdict says so ([`LobbyVerdict::stopped`]), and nothing is proven but that the
/// lineups are lawful and worth their value.
///
/// # Errors
/// As [`verify_lobbies`].
pub fn verify_lobbies_within(
    pool: &LobbyPool,
    objective: &dyn LobbyObjective,
    lineups: &Lineups,
    work: u64,
) -> Result<LobbyVerdict, LobbyVerifyError> {
    let value = facts::check_lineups(pool, objective, lineups)?;
    let mut verdict = LobbyVerdict {
        value,
        bound: f64::INFINITY,
        gap: f64::INFINITY,
        optimal: false,
        claimed: lineups.optimal,
        stopped: false,
    };
    let Some(certificate) = &lineups.certificate else {
        return Ok(verdict);
    };
    let most_matches = pool.players() / pool.match_size();
    let bound = certificate::check_sum(pool, certificate)?;
    let judged = certificate::Judged::new(pool, objective, certificate, work)?;
    judged.check_sample(lineups)?;
    match judged.check_matches() {
        Err(LobbyVerifyError::OutOfWork) => {
            verdict.stopped = true;
            return Ok(verdict);
        }
        checked => checked?,
    }
    // A match may pay too little by the tolerance, and its terms may be off by as much.
    let rounding = 2.0 * TOLERANCE * most_matches as f64;
    verdict.bound = bound + rounding;
    verdict.gap = (verdict.bound - value).max(0.0);
    verdict.optimal = verdict.gap <= 3.0 * rounding;
    if verdict.claimed && !verdict.optimal {
        verdict.optimal = settle::is_optimum(&judged, bound, value, 2.0 * rounding)?;
    }
    Ok(verdict)
}
