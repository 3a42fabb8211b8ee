//! Section 4 of the EOMM paper, statement by statement, on pools small enough to look at every pairing.
//!
//! Chen et al., "EOMM: An Engagement Optimized Matchmaking Framework", WWW 2017, section 4,
//! doi 10.1145/3038912.3052559. [`run_theory`] holds each statement against all pairings of seeded random
//! pools ([`SmallPool`]) and reports what held, what did not, and a counterexample.
//!
//! # One outcome, one churn (Th1, Th2)
//! Let a player's churn depend on the match's outcome alone. With S = c(W) + c(L), K = S - 2 c(D) and draw
//! probability d the edge of Eq. 4-6 is
//!
//! ```text
//! w_ij = (1 - d_ij) (c(W) + c(L)) + d_ij 2 c(D) = S - K d_ij
//! ```
//!
//! so for K > 0 EOMM is the pairing with the most expected draws, for K < 0 that with the fewest. Who is
//! likelier to win plays no part. The paper goes on to say that equal-skill matching (sort, then pair
//! neighbours) is that pairing, or for K < 0 the worst one. Two things are missing.
//!
//! - Under the paper's own Eq. 10, where every match is drawn with the same probability, w is the same for
//!   each pair and every pairing ties. Draws must get rarer with the gap for the statement to say anything.
//! - Even then it depends on how. Let d = f(gap), and g(x) = f(0) - f(x) what a gap costs.
//!
//! Proposition. Sort-adjacent has the most expected draws in every even pool whose skills span at most R
//! points if and only if g >= 0 and
//!
//! ```text
//! g(x) + g(z) <= g(x + z)      for all gaps x, z >= 0 with x + z <= R        (g is superadditive)
//! ```
//!
//! *Only if:* the pool 0, x, x, x + z has f(x) + f(z) adjacent and f(0) + f(x + z) nested (the outer two, the
//! inner two); the difference is g(x + z) - g(x) - g(z). The pool 0, 0, x, x asks for g(x) >= 0. *If:* g does
//! not fall, as g(x + z) >= g(x) + g(z) >= g(x). Take four players with gaps x, y, z between neighbours. Crossing
//! pairs (first with third, second with fourth) have gaps x + y and y + z, no smaller than x and z. Nested
//! pairs have y and x + y + z, and f(x) + f(z) >= f(0) + f(x + z) >= f(y) + f(x + y + z). So among four the
//! adjacent pairs are best. In a larger pool take any pairing; if the lowest player does not meet the next
//! one, re-pair these two and their partners adjacently, which loses nothing; go on with the rest.
//!
//! - Concave f on \[0, R\] is enough: g is then convex with g(0) = 0, hence superadditive. Strictly
//!   convex f never is: g(2x) < 2 g(x), so that the pool 0, x, x, 2x prefers the nested pairs at any scale.
//! - No law that falls holds for all R. Superadditivity gives g(2^k x) >= 2^k g(x), but g <= f(0) <= 1. So for
//!   every f with some g(x) > 0 one of the pools 0, 2^k x, 2^k x, 2^(k+1) x is a counterexample, and a draw
//!   probability for which the statement is true of every pool is constant, where all pairings tie.
//! - Bell-shaped laws hold up to a width R\* that [`DrawLaw::safe_width`] gives: with draws in 20 % of even matches
//!   830.9 points for Davidson's model and 542.2 for Rao and Kupper's; 1.56 times the width of a Gaussian.
//!
//! For K < 0 the same condition makes sort-adjacent the worst pairing (Th2). The condition takes d as a function
//! of the gap alone; deviations that differ from player to player, as Glicko's, are outside of it.
//!
//! # The others
//! - Th3: churn that the player's own state decides, `w_ij = c_i + c_j`, gives every pairing the same sum. With four
//!   players or more the converse holds too: all pairings tie only if w splits like that.
//! - Th4: a pair meets in 1/(N-1) of all pairings, so that `E[random] = (sum of all edges) / (N - 1)`, the mean over
//!   all pairings: least <= `E[random]` <= most, with equality only where all tie. A single draw is
//!   the worst pairing itself with probability 1/(N-1)!! or more, so the paper's "never" is true of the expectation.
//! - Th5: EOMM is the least of all, by definition; what is checked is that the exact solver finds it.
//!
//! ```
//! use matchwright_papers::eomm::theory::{DrawLaw, FourPlayers};
//!
//! // Draws that fall with the gap, and yet equal-skill matching has next to none of them.
//! let law = DrawLaw::gaussian(0.3, 100.0)?;
//! let four = FourPlayers::new([0.0, 200.0, 200.0, 400.0], &law);
//! assert_eq!((four.adjacent * 1000.0).round(), 11.0);
//! assert_eq!((four.nested * 1000.0).round(), 300.0);
//! assert!(law.safe_width() < 200.0);
//! # Ok::<(), anyhow::Error>(())
//! ```

mod adjacent;
mod config;
mod draw_law;
mod pool;
mod report;
mod run;
mod statements;

pub(crate) use config::SKILL_SPREADS;
pub use config::TheoryConfig;
pub use draw_law::DrawLaw;
pub use pool::{Extremes, SmallPool};
pub use report::{
    AdjacentRow, Counterexample, FourPlayers, ScoredPairs, Statement, StatementCheck, TheoryReport, WidthRow,
};
pub use run::run_theory;
