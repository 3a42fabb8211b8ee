//! Which players together: exact minimum-weight perfect matching on general graphs with a proof of
//! optimality, its rivals, the split of a group into teams, and whole pools into lobbies.
//!
//! Vertices are players, an edge is an allowed pair, its cost says how bad the match would be. A pairing
//! gives everyone one partner:
//!
//! ```text
//! minimise  sum of c_ij over the pairs {i, j},  every vertex in exactly one pair
//! ```
//!
//! # Which solver
//!
//! | solver | finds | time | choose it when |
//! |---|---|---|---|
//! | [`ExactPairing`] | the optimum, with a [`Certificate`] | O(n^3), in practice a few looks at all pairs | always, if there are milliseconds; up to 50,000 players and more |
//! | [`LocalSearch`] | what no exchange among three pairs improves | O(n^2) in practice | a deadline rules |
//! | [`PathGrowing`] | every second edge along cheap paths | O(n^2) | a shorter one does |
//! | [`GreedyPairing`] | the best pair first | O(n^2) in practice | a rival to measure against |
//! | [`SortAdjacent`] | neighbours in a sorted line | O(n log n) | the cost is a gap in one number |
//! | [`RandomPairing`] | a uniformly random pairing | O(n) | a baseline |
//! | [`BruteForce`] | the optimum, by trying all | O((n-1)!! n) | n <= 12, to test others |
//!
//! All implement [`PairingSolver`]; costs come from any [`CostOracle`], such as [`DenseCosts`],
//! [`SparseCosts`], or one's own. A forbidden pair is `None`, never a huge number. The largest sum is
//! [`Objective::Maximize`] on the same costs.
//!
//! # Unmatched players
//! [`UnmatchedPenalties`] lets players stay unmatched, because the number is odd, pairs are forbidden or not worth
//! playing: at a penalty for each, or as few as possible (maximum cardinality). Every solver takes it;
//! [`ExactPairing`] finds the optimum and proves it.
//!
//! # Why exact
//!
//! Ten players in two groups of five, with four dear pairs across. Greedy takes the cheapest pairs and
//! leaves two players who may not meet. The best fractional answer, 18, gives each group an odd cycle of
//! halves; that at least one pair must cross is what a blossom says, and it proves the optimum, 32.
//!
//! ```
//! use matchwright_solver::{
//!     ExactPairing, GreedyPairing, Objective, PairingSolver, SparseCosts, Workspace, verify,
//! };
//!
//! let costs = SparseCosts::from_edges(10, [
//!     (0, 1, 3.0), (1, 2, 4.0), (2, 3, 3.0), (3, 4, 5.0), (0, 4, 4.0), (0, 2, 7.0),
//!     (5, 6, 2.0), (6, 7, 5.0), (7, 8, 3.0), (8, 9, 4.0), (5, 9, 3.0), (6, 8, 6.0),
//!     (4, 5, 21.0), (2, 7, 18.0), (1, 9, 24.0), (3, 6, 19.0),
//! ])?;
//! let mut workspace = Workspace::new();
//! let dead_end = GreedyPairing::new(Objective::Minimize).solve(&mut workspace, &costs).unwrap_err();
//! assert_eq!(
//!     dead_end.to_string(),
//!     "dead end: none of the unmatched vertices 4, 9 may be paired: use ExactPairing or allow more pairs"
//! );
//!
//! let pairing = ExactPairing::minimum().solve(&mut workspace, &costs)?;
//! assert_eq!(pairing.pairs().collect::<Vec<_>>(), [(0, 1), (2, 7), (3, 4), (5, 6), (8, 9)]);
//! assert_eq!(pairing.cost(), 32.0);
//! assert_eq!(pairing.certificate().unwrap().blossom_vertices(0), [0, 1, 2, 3, 4]);
//!
//! let verdict = verify(&costs, &pairing)?;
//! assert!(verdict.optimal && verdict.is_exact());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Proofs
//! [`verify()`] shares no code with the solvers but the public types and the exact sum of floats that states a cost
//! (compared with the plain sum): it reads the costs anew and checks pairing and duals in
//! exact integers, so that a wrong answer of ours, or of anybody ([`Certificate::from_parts`]), is not
//! taken for a right one. [`verify_bound`] holds a heuristic's pairing against the bound. Where no pairing
//! exists, [`SolveError::NoPerfectMatching`] carries a [`Barrier`] that anyone can check by counting.
//!
//! # Approximate twins
//! Where a deadline leaves no time for the best pairing, [`approximate()`] takes that of any solver and proves
//! by a bound of its own, [`dual_bound`], how far from the best it can be; [`Approximate`] has a table of what
//! to expect.
//!
//! # Exactness
//! Costs are floats at the border and integers inside, at a resolution that is a power of two. Integers up to
//! 2^54 lose nothing. Other costs are rounded to 54 bits on graphs of more than 32 vertices, unless that might
//! hide more than 1e-12 of the total cost, as when some costs are huge and others small; then, and on smaller
//! graphs, they have up to 118 bits, which loses nothing on 0.001 beside 10^15. What is lost after all is stated as
//! [`Certificate::quantisation_error`], allowed for in [`Certificate::dual_bound`], and the [`Verdict`] is
//! `optimal` only if it does not matter; [`ExactPairing`] has the rule in full. A pairing's cost is the exact
//! sum of its pairs, rounded once. Results are deterministic for any number of threads.
//!
//! # How it works
//! `docs/exact-pairing.md` in the repository walks through one solve, with pictures that the code draws of itself,
//! for readers who know shortest paths but no matching.
//!
//! # Teams
//! A [`Group`] is who is to be split, into how many teams of which sizes, and who stays together. Splitters take any
//! [`LobbyObjective`]; every [`TeamSplit`] states its quality, a bound that no split exceeds, and where that comes
//! from.
//!
//! | splitter | finds | time | choose it when |
//! |---|---|---|---|
//! | [`BestSplit`] | what is feasible of those below | 0.1 ms for 5v5 to some 10 ms for 50v50, with terms | always |
//! | [`ExhaustiveSplit`] | the optimum | one question a split: 126 for 5v5, 92,378 for 10v10 | an objective without terms, or to test others |
//! | [`BranchAndBoundSplit`] | the optimum, or a gap | exponential, stopped at a budget | terms, up to 10v10, or more with parties |
//! | [`SwapSplit`] | what exchanges and annealing find, with a gap | by budget | anything larger |
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
//! which gives the same answer on any machine and number of threads, or by whoever watches ([`LobbyWatch`]), which is
//! how deadlines are made. [`verify_lobbies`] checks lineups and their bound with code of its own.
//!
//! ```
//! use matchwright_solver::{Annealing, LobbyPool, LobbySolver};
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
//! # Ok::<(), matchwright_solver::LobbyError>(())
//! ```
//!
//! # Features
//! - `serde`: pairings, lineups, certificates, verdicts, barriers and team splits as data.
//! - `bounds`: `CertifiedLobbies`; pulls in `nalgebra`, whose dense factors its linear programs need.
//! - `laws`: the contracts of [`PairingSolver`], [`CostOracle`] and [`TeamSplitter`] as suites that anyone can run on
//!   an implementation.

mod approximate;
mod bits;
mod cardinality;
mod certificate;
mod costs;
mod error;
mod exact;
#[cfg(feature = "laws")]
pub mod laws;
mod limits;
mod lobby;
mod objective;
mod pairing;
mod simple;
mod solver;
mod sum;
mod teams;
mod verify;

pub use approximate::{Approximate, LocalSearch, PathGrowing, approximate, dual_bound};
pub use cardinality::maximum_cardinality_barrier;
pub use certificate::{Blossom, Certificate, CertificateParts};
pub use costs::{
    Coordinates, CostOracle, DenseCosts, EuclideanCosts, PenaltyError, SparseCosts, Unmatched,
    UnmatchedPenalties,
};
pub use error::{Barrier, GraphError, SolveError};
pub use exact::{ExactPairing, Snapshot, Stage, TreeLabel};
pub use limits::{Limits, Meter, Progress, Status, Watch};
#[cfg(feature = "bounds")]
pub use lobby::CertifiedLobbies;
pub use lobby::{
    Annealing, Ascent, Awesomenauts, Balance, Lineups, Lobby, LobbyCertificate, LobbyError, LobbyObjective,
    LobbyPool, LobbyProgress, LobbySolver, LobbyStage, LobbyTerms, LobbyWatch, SwapCount, TermsError,
};
pub use objective::Objective;
pub use pairing::Pairing;
pub use simple::{BruteForce, GreedyPairing, RandomPairing, SortAdjacent};
pub use solver::{PairingSolver, Workspace};
pub use teams::{
    AcrossTeams, BestSplit, BranchAndBoundSplit, ExhaustiveSplit, Group, SplitError, SplitProof, SwapSplit,
    TeamSplit, TeamSplitter,
};
pub use verify::{
    DualBound, LobbyVerdict, LobbyVerifyError, Verdict, VerifyError, verify, verify_bound,
    verify_bound_within, verify_lobbies, verify_within,
};
