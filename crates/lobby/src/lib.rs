//! Which teams together: whole pools into matches of two or more teams, and one group into teams.
//!
//! # Teams
//! A [`Group`] is a list of players, the sizes of the teams, and the parties that stay together. Splitters take any
//! [`LobbyObjective`]; every [`TeamSplit`] states its quality, an upper bound on that of all splits, and where the bound
//! comes from.
//!
//! | splitter | finds | time | choose it when |
//! |---|---|---|---|
//! | [`BestSplit`] | the optimum up to 10v10 with terms, of larger groups what annealing finds, with a gap | 0.1 ms for 5v5 to some 10 ms for 50v50, with terms | always |
//! | [`ExhaustiveSplit`] | the optimum | one call of the objective a split: 126 for 5v5, 92,378 for 10v10 | an objective without terms, or to test others |
//!
//! An objective that is a sum of [`LobbyTerms`] is searched by differences, some tens of nanoseconds an exchange, and
//! bounded by a relaxation of its pairs. For others the only bound is 1.
//!
//! # Lobbies
//! A whole pool into matches of two or more teams, parties together:
//!
//! | solver | finds | choose it when |
//! |---|---|---|
//! | [`Annealing`] | lineups that few searches improve, millions of exchanges a second | a deadline rules, or there are thousands of players |
//! | `CertifiedLobbies` (feature `bounds`) | the same, with an upper bound, and often the optimum | you want to know how good it is |
//!
//! All are [`LobbySolver`]s of a [`LobbyPool`], by any [`LobbyObjective`]; one with [`LobbyTerms`] is searched faster, and
//! only such a one is bounded, for matches of two teams: of more all pairs of teams are asked for
//! ([`LobbyObjective::quality_of`]). [`Limits`](matchwright_solver::Limits) end every call: a limit of work gives the same
//! answer on any machine and number of threads, a [`Watch`](matchwright_solver::Watch) makes a deadline. Results say by
//! their [`Status`](matchwright_solver::Status) how they ended. [`verify_lobbies`] checks lineups and their bound with
//! code of its own. [`best_with`] finds one match for a player who has just come, among some tens of others, in some 0.2 ms
//! for 5v5. A search of your own starts from [`LobbyPool::starting_teams`] and returns [`Lineups::of_teams`].
//!
//! ```
//! use matchwright_lobby::{Annealing, LobbyPool, LobbySolver};
//!
//! // Twelve players, 2 against 2, players 0 and 7 are friends. Teams should be equal, and all players of one strength.
//! let skills = [1500.0, 1900.0, 1100.0, 1480.0, 1920.0, 1130.0, 1880.0, 1510.0, 1090.0, 1500.0, 1910.0, 1120.0];
//! let sum = |team: &[usize]| team.iter().map(|&p| skills[p]).sum::<f64>();
//! let quality = |a: &[usize], b: &[usize]| {
//!     let all = || a.iter().chain(b).map(|&p| skills[p]);
//!     let spread = all().fold(0.0, f64::max) - all().fold(f64::INFINITY, f64::min);
//!     Some((1.0 - spread / 2000.0 - (sum(a) - sum(b)).abs() / 4000.0).max(0.0))
//! };
//! let pool = LobbyPool::new(12, [2, 2])?.with_parties(&[vec![0, 7]])?;
//! let lineups = Annealing::new(1).with_moves(20_000).solve(&pool, &quality)?;
//! assert_eq!(lineups.lobbies[0].teams, [[0, 7], [3, 9]]);
//! assert!(lineups.mean_quality() > 0.97 && lineups.unmatched.is_empty());
//! # Ok::<(), matchwright_lobby::LobbyError>(())
//! ```
//!
//! # Features
//! - `serde`: lineups, certificates, verdicts and team splits as data.
//! - `bounds`: `CertifiedLobbies`; pulls in `nalgebra`, whose dense factors its linear programs need.
//! - `laws`: the contracts of [`TeamSplitter`] and [`LobbySolver`] as suites that anyone can run on an implementation.

mod best_with;
#[cfg(feature = "bounds")]
mod bound;
#[cfg(feature = "bounds")]
mod certified;
#[cfg(feature = "bounds")]
mod duels;
mod error;
mod finder;
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
mod teams;
mod terms;
mod unit_terms;
mod verify;

pub use best_with::{best_from, best_with};
#[cfg(feature = "bounds")]
pub use certified::CertifiedLobbies;
pub use error::LobbyError;
pub use finder::{Exchanges, MatchFinder, NearestSplit};
pub use lineup::{BoundSource, Lineups, Lobby, LobbyCertificate};
pub use objective::{
    LobbyObjective, MatchEvaluator, ObjectiveError, SomePlayers, WholeMatch, evaluator_by_calls,
};
pub use pool::LobbyPool;
pub use search::Annealing;
pub use solver::LobbySolver;
pub use teams::{BestSplit, ExhaustiveSplit, Group, SplitError, TeamSplit, TeamSplitter};
pub use terms::{Balance, LobbyTerms, TermsError};
pub use verify::{LobbyVerdict, LobbyVerifyError, verify_lobbies, verify_lobbies_within};

/// The code of the README, run as a doc test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
