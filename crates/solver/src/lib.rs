//! Which two together: exact minimum-weight perfect matching on general graphs with a proof of
//! optimality, and its rivals.
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
//! use matchwright_solver::{ExactPairing, GreedyPairing, Objective, PairingSolver, SparseCosts, verify};
//!
//! let costs = SparseCosts::from_edges(10, [
//!     (0, 1, 3.0), (1, 2, 4.0), (2, 3, 3.0), (3, 4, 5.0), (0, 4, 4.0), (0, 2, 7.0),
//!     (5, 6, 2.0), (6, 7, 5.0), (7, 8, 3.0), (8, 9, 4.0), (5, 9, 3.0), (6, 8, 6.0),
//!     (4, 5, 21.0), (2, 7, 18.0), (1, 9, 24.0), (3, 6, 19.0),
//! ])?;
//! let dead_end = GreedyPairing::new(Objective::Minimize).solve(&costs).unwrap_err();
//! assert_eq!(
//!     dead_end.to_string(),
//!     "dead end: none of the unmatched vertices 4, 9 may be paired: use ExactPairing or allow more pairs"
//! );
//!
//! let pairing = ExactPairing::minimum().solve(&costs)?;
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
//! [`verify()`] shares with the solvers only the public types (costs, pairings, certificates, limits) and the sum of
//! floats that states a cost, which it compares with the plain sum: it reads the costs anew and checks pairing and duals in
//! exact integers, so that a wrong answer of ours, or of anybody ([`Certificate::from_parts`]), is not
//! taken for a right one; a [`Verifier`] does so with several threads. [`verify_bound`] holds a heuristic's pairing
//! against the bound. Where no pairing exists, [`SolveError::NoPerfectMatching`] carries a [`Barrier`] that anyone can
//! check by counting.
//!
//! # Heuristics with a bound
//! Where a deadline leaves no time for the best pairing, [`approximate()`] takes that of any solver and proves
//! by a bound of its own, [`dual_bound`], how far from the best it can be; [`BoundedPairing`] has a table of what
//! to expect.
//!
//! # Exactness
//! Costs are floats at the border and integers inside, at a resolution that is a power of two. Integers up to
//! 2^54 lose nothing. Other costs are rounded to 54 bits on graphs of more than 32 vertices, unless that might
//! hide more than 1e-12 of the total cost, as when some costs are huge and others small; then, and on smaller
//! graphs, they have up to 118 bits, which loses nothing on 0.001 beside 10^15. What is lost after all is stated as
//! [`Certificate::quantisation_error`], allowed for in [`Certificate::dual_bound`], and the [`Verdict`] is
//! `optimal` only if it does not matter; [`ExactPairing`] has the rule in full. Costs in tenths or thirds are exact as
//! [`WholeMultiples`]. A pairing's cost is the exact sum of its pairs, rounded once. Results are deterministic for any
//! number of threads.
//!
//! # How it works
//! `docs/exact-pairing.md` in the repository walks through one solve, with pictures that the code draws of itself,
//! for readers who know shortest paths but no matching.
//!
//! # Features
//! - `serde`: pairings, lineups, certificates, verdicts and barriers as data.
//! - `laws`: the contracts of [`PairingSolver`] and [`CostOracle`] as suites that anyone can run on an implementation.

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
mod objective;
mod pairing;
mod read;
mod simple;
mod solver;
mod sum;
mod verify;

pub use approximate::{BoundedPairing, LocalSearch, PathGrowing, approximate, dual_bound, dual_bound_within};
#[doc(hidden)]
pub use bits::SplitMix64;
pub use cardinality::maximum_cardinality_barrier;
pub use certificate::{Blossom, Certificate, CertificateParts};
pub use costs::{
    Coordinates, CostOracle, DenseCosts, EuclideanCosts, SparseCosts, Unmatched, UnmatchedPenalties,
    WholeMultiples,
};
pub use error::{Barrier, GraphError, MultipleError, PenaltyError, SolveError};
pub use exact::{ExactPairing, Snapshot, Stage, TreeLabel};
pub use limits::{Limits, Meter, Progress, Status, Watch};
pub use objective::Objective;
pub use pairing::Pairing;
pub use simple::{BruteForce, GreedyPairing, RandomPairing, SortAdjacent};
pub use solver::{PairingSolver, Workspace};
pub use verify::{
    Verdict, VerifiedBound, Verifier, VerifyError, verify, verify_bound, verify_bound_within, verify_within,
};

/// The code of the README, run as a doc test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
