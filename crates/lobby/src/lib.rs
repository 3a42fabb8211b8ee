//! Which teams together: whole pools into matches of two teams, and one group into teams.
//!
//! # Teams
//! A [`Group`] is who is to be split, into how many teams of which sizes, and who stays together. Splitters take any
//! [`LobbyObjective`]; every [`TeamSplit`] states its quality, a bound that no split exceeds, and where that comes
//! from.
//!
//! | splitter | finds | time | choose it when |
//! |---|---|---|---|
//! | [`BestSplit`] | the best of all up to 10v10 with terms, what annealing finds of more, with a gap | 0.1 ms for 5v5 to some 10 ms for 50v50, with terms | always |
//! | [`ExhaustiveSplit`] | the optimum | one question a split: 126 for 5v5, 92,378 for 10v10 | an objective without terms, or to test others |
//!
//! An objective that says how it adds up ([`LobbyTerms`]) is searched by differences, some tens of nanoseconds an
//! exchange, and bounded by a relaxation of its pairs. Of one that does not, nothing is known but that 1 is the most.
//!
//! # Lobbies
//! A whole pool into matches of two teams, parties together:
//!
//! | solver | finds | choose it when |
//! |---|---|---|
//! | [`Annealing`] | lineups that few searches improve, millions of exchanges a second | a deadline rules, or there are thousands of players |
//! | [`Awesomenauts`] | what no swap improves, from many starts: the search that a game's maker described | you want to measure against it |
//! | `CertifiedLobbies` (feature `bounds`) | the same, what no lineup exceeds, and often the optimum | you want to know how good it is |
//!
//! All are [`LobbySolver`]s of a [`LobbyPool`], by any [`LobbyObjective`]; one that says how it adds up, by
//! [`LobbyTerms`], is searched faster, and only such a one is bounded. Work is limited by a number of exchanges,
//! which gives the same answer on any machine and number of threads, or by a
//! [`Watch`](matchwright_solver::Watch), which is how deadlines are made. [`verify_lobbies`] checks lineups and their bound with code of its own.
//!
//! ```
//! use matchwright_lobby::{Annealing, LobbyPool, LobbySolver};
//!
//! // Twelve players, 2 against 2, players 0 and 7 are friends. Teams should be equal, and everybody of one strength.
//! let skills = [1500.0, 1900.0, 1100.0, 1480.0, 1920.0, 1130.0, 1880.0, 1510.0, 1090.0, 1500.0, 1910.0, 1120.0];
//! let sum = |team: &[usize]| team.iter().map(|&p| skills[p]).sum::<f64>();
//! let quality = |a: &[usize], b: &[usize]| {
//!     let all = || a.iter().chain(b).map(|&p| skills[p]);
//!     let spread = all().fold(0.0, f64::max) - all().fold(f64::INFINITY, f64::min);
//!     Some((1.0 - spread / 2000.0 - (sum(a) - sum(b)).abs() / 4000.0).max(0.0))
//! };
//! let pool = LobbyPool::new(12, (2, 2))?.with_parties(&[vec![0, 7]])?;
//! let lineups = Annealing::new(1).with_moves(20_000).solve(&pool, &quality)?;
//! assert_eq!(lineups.lobbies[0].team_a, [0, 7]);
//! assert_eq!(lineups.lobbies[0].team_b, [3, 9]);
//! assert!(lineups.mean_quality() > 0.97 && lineups.left_out.is_empty());
//! # Ok::<(), matchwright_lobby::LobbyError>(())
//! ```
//!
//! # Features
//! - `serde`: lineups, certificates, verdicts and team splits as data.
//! - `bounds`: `CertifiedLobbies`; pulls in `nalgebra`, whose dense factors its linear programs need.
//! - `laws`: the contracts of [`TeamSplitter`] and [`LobbySolver`] as suites that anyone can run on an implementation.

mod awesomenauts;
#[cfg(feature = "bounds")]
mod bound;
#[cfg(feature = "bounds")]
mod certified;
mod error;
#[cfg(feature = "laws")]
pub mod laws;
mod lineup;
mod objective;
mod parallel;
mod parts;
mod pool;
mod progress;
mod random;
mod search;
mod solver;
mod start;
#[cfg(test)]
mod symmetric;
mod teams;
mod terms;
mod verify;

pub use awesomenauts::{Ascent, Awesomenauts, SwapCount};
#[cfg(feature = "bounds")]
pub use certified::CertifiedLobbies;
pub use error::LobbyError;
pub use lineup::{Lineups, Lobby, LobbyCertificate};
pub use objective::LobbyObjective;
pub use pool::LobbyPool;
pub use search::Annealing;
pub use solver::LobbySolver;
pub use teams::{
    AcrossTeams, BestSplit, ExhaustiveSplit, Group, SplitError, SplitProof, TeamSplit, TeamSplitter,
};
pub use terms::{Balance, LobbyTerms, TermsError};
pub use verify::{LobbyVerdict, LobbyVerifyError, verify_lobbies, verify_lobbies_within};
