//! Verification of lineups: facts, qualities, and the certificate of the bound.
//!
//! It shares nothing with the solvers but the public types: pools, lineups, objectives and their terms, limits.

mod certificate;
mod error;
mod facts;
mod matches;
mod optimum;
mod stop;
mod tables;

pub use error::LobbyVerifyError;

use std::fmt;

use matchwright_solver::{Limits, Status};
use stop::Stop;

use crate::{Lineups, LobbyObjective, LobbyPool};

/// Rounding that is allowed for, for each match.
const TOLERANCE: f64 = 1e-9;

/// Whether a number claimed is the one found, a sum of this many summands; false for NaN.
fn agrees(claimed: f64, actual: f64, summands: usize) -> bool {
    (claimed - actual).abs() <= TOLERANCE * summands as f64
}

/// What is proven about lineups.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct LobbyVerdict {
    /// The sum of the matches' qualities less the unmatched penalties, added up anew.
    pub value: f64,
    /// An upper bound on the value of lineups, rounding allowed for: the optimum, if that is proven, else the certificate's;
    /// infinite without a checked one.
    pub bound: f64,
    /// How much more than the value other lineups may be worth: 0 if the optimum is proven, else bound - value, 0 or more;
    /// infinite without a checked certificate.
    pub gap: f64,
    /// How the check ended. [`Status::Optimal`]: the optimum is proven here, as the bound leaves no gap or all matches
    /// that better lineups could have were looked through. A limit: the certificate was not checked to the end.
    pub status: Status,
    /// Whether the lineups claim to be the optimum. Unless the status is optimal too, that claim was not checked.
    pub claimed: bool,
}

impl LobbyVerdict {
    /// Whether the optimum is proven here.
    #[must_use]
    pub fn is_optimal(&self) -> bool {
        self.status == Status::Optimal
    }
}

impl fmt::Display for LobbyVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "value {:.6}", self.value)?;
        if self.bound.is_finite() {
            write!(f, " of at most {:.6}", self.bound)?;
        }
        f.write_str(match (self.status, self.bound.is_finite(), self.claimed) {
            (Status::WorkLimit, ..) => ": certificate not checked, the work allowed is spent",
            (Status::Stopped, ..) => ": certificate not checked, stopped by the watch",
            (Status::Optimal, ..) => ": optimality proven",
            (_, true, true) => ": bound proven, optimality claimed by search, not checked",
            (_, true, false) => ": bound proven",
            (_, false, true) => ": optimality claimed by search, no bound to check",
            (_, false, false) => ": no bound",
        })
    }
}

/// Checks lineups and, if they have one, their certificate.
///
/// 1. Each player plays once or is unmatched, teams have the pool's sizes, parties are whole, each match has the quality
///    that the objective gives it, to 1e-9, and the value is their sum less the unmatched
///    penalties.
/// 2. The certificate has a finite dual for each party, cuts of three different parties with duals of 0 or more, an
///    excess of 0 or more, and the bound is
///
/// ```text
/// sum over parties of max(dual, -unmatched penalty) + sum over cuts of dual
///   + sum over odd sets of dual x (parties - 1) / 2 + (players / match size, rounded down) x excess
/// ```
///
/// 3. No match whatever is worth more than the duals of its parties, the duals of the cuts of which it has two or
///    three parties, those of the odd sets that have both, and the excess. All matches are looked through, by branch and
///    bound on the objective's terms; pairs one by one, with or without terms.
/// 4. The terms are the objective's quality for the matches of the lineups, for some hundred others, and for each
///    that comes near what it pays.
///
/// Together they prove the bound. The matches of any lineups are worth at most what they pay and an excess each. Of
/// that, each party pays its dual once if it plays and minus its unmatched penalty if it does not, hence at most the larger of
/// both; no two matches share a party, so that no two can each have two of a cut's three parties, and each cut is
/// paid at most once, which is at most its dual as that is not negative; of an odd number of parties one is left when the
/// others meet in pairs, so that no more matches than that pay an odd set; and there are no more matches than players to
/// fill them.
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
/// let pool = LobbyPool::new(6, [1, 1])?;
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
    verify_lobbies_within(pool, objective, lineups, &Limits::unlimited())
}

/// The same within limits of work and time. A unit of work is a term looked at in the search through all matches; 100
/// million take about a second. If a limit is reached, [`LobbyVerdict::status`] says so, and nothing is proven but that
/// the lineups are lawful and worth their value.
///
/// # Errors
/// As [`verify_lobbies`].
pub fn verify_lobbies_within(
    pool: &LobbyPool,
    objective: &dyn LobbyObjective,
    lineups: &Lineups,
    limits: &Limits<'_>,
) -> Result<LobbyVerdict, LobbyVerifyError> {
    let value = facts::check_lineups(pool, objective, lineups)?;
    let mut verdict = LobbyVerdict {
        value,
        bound: f64::INFINITY,
        gap: f64::INFINITY,
        status: Status::Finished,
        claimed: lineups.is_optimal(),
    };
    let Some(certificate) = &lineups.certificate else {
        return Ok(verdict);
    };
    let most_matches = pool.players() / pool.match_size();
    let bound = certificate::check_sum(pool, certificate)?;
    let judged = certificate::Judged::new(pool, objective, certificate, limits)?;
    judged.check_sample(lineups)?;
    match judged.check_matches() {
        Ok(()) | Err(Stop::TooMany) => {}
        Err(Stop::Limit(status)) => return Ok(LobbyVerdict { status, ..verdict }),
        Err(Stop::Wrong(error)) => return Err(error),
    }
    // A match may pay too little by the tolerance, and its terms may be off by as much.
    let rounding = 2.0 * TOLERANCE * most_matches as f64;
    verdict.bound = bound + rounding;
    verdict.gap = (verdict.bound - value).max(0.0);
    let is_closed = verdict.gap <= 3.0 * rounding;
    if is_closed || verdict.claimed && optimum::is_optimum(&judged, bound, value, 2.0 * rounding)? {
        verdict.status = Status::Optimal;
        verdict.bound = verdict.bound.min(value + 3.0 * rounding);
        verdict.gap = 0.0;
    }
    Ok(verdict)
}
