//! How much EOMM can gain, and from what: a closed form beside an experiment.
//!
//! # What a pairing can change
//! EOMM's edge (Chen et al., "EOMM: An Engagement Optimized Matchmaking Framework", WWW 2017, Eq. 4-6,
//! doi 10.1145/3038912.3052559) with a constant draw rate d (Eq. 10; the paper's is 0.2), q the share of decided
//! games that i wins against j, and churn c after an outcome, is
//!
//! ```text
//! w_ij = d (c_i(D) + c_j(D)) + (1-d) [q (c_i(W) + c_j(L)) + (1-q) (c_i(L) + c_j(W))]
//!      = a_i + a_j + (1-d) (q - 1/2) (D_j - D_i)
//!
//! D_i = c_i(L) - c_i(W)                                      what losing instead of winning does to i
//! a_i = d c_i(D) + (1-d) (c_i(W) + c_i(L)) / 2               i's own state
//! ```
//!
//! as q = 1/2 + (q - 1/2) shows. The own-state terms add up to the same in every pairing; the last term, the
//! interaction I, is all that matchmaking can work on. It is least where the stronger of the two is the one who minds
//! losing more. Hence:
//!
//! - If all D are equal, every pairing ties, whatever the skills and the own states.
//! - SkillMM pairs players with q near 1/2, so that its I is near 0; so is random matchmaking's on average where
//!   skills and sensitivities D are independent: on this term the two are alike.
//! - I changes its sign if all skills, or all sensitivities, are mirrored at their mean. So EOMM's gain over Random
//!   and Random's over Worst have the same distribution if mirroring one of the two leaves the joint law as it is, as
//!   where they are independent and one is symmetric: for any N and any q with q(-gap) = 1 - q(gap), without
//!   approximation. In a single pool they differ. Where both are skewed, or the two are correlated, they differ for
//!   good; correlation between normals changes nothing for linear q and large N, but does where q bends.
//!
//! With draws that get rarer with the gap, d is `d_ij` and one more term is left, `d_ij (m_i + m_j)`, where m is
//! c(D) - (c(W) + c(L)) / 2. That is the subject of [`theory`](crate::eomm::theory).
//!
//! # The law
//! Let q' be the slope of q at even skills, ln 10 / 1600 a point on the logistic scale of 400, and let sd and the
//! correlation r be those of the pool's N players (dividing by N). For any q with |q - 1/2| <= q' |gap|, which holds
//! for the logistic curve, every pairing has
//!
//! ```text
//! sum of I >= -(1-d) q' N sd(skill) sd(D) (1 + r)
//! ```
//!
//! and so the gain per player of EOMM over Random is at most (1-d) q' sd(skill) sd(D) for independent skills and
//! sensitivities, up to what `E[I]` of Random and r are off 0 in the pool, which is of the order 1/sqrt(N).
//!
//! Proof. Standardise to x and y, let u = (x + y) / sqrt(2), v = (x - y) / sqrt(2). Only pairs whose gap in skill and
//! in D have the same sign contribute a negative I, and there -I <= (1-d) q' `gap_s gap_D`. As
//! `gap_s gap_D = sd sd (gap_u^2 - gap_v^2) / 2 <= sd sd gap_u^2 / 2 <= sd sd (u_i^2 + u_j^2)`, the sum over pairs is
//! at most sd sd times the sum of u^2, which is N (1 + r). Mirrored, Worst's sum of I is at most the same with 1 - r.
//!
//! With linear q the interaction is bilinear: over a pairing it sums to
//!
//! ```text
//! -(1-d) q' [sum over players of s_i D_i - sum over pairs of (s_i D_j + s_j D_i)]
//! s_i D_j + s_j D_i = sd(skill) sd(D) (u_i u_j - v_i v_j)          s, D off their means
//! ```
//!
//! Random's expectation then has r N / (N-1) in the place of the 1 + r, so that the gain over Random is at most
//! (1-d) q' sd sd (1 - r / (N-1)), correlated or not. Equality needs partners with opposite u and the same v: who is
//! x above the mean in skill and y in sensitivity meets -y and -x. Such partners exist, as N grows, if (x, y) has
//! the same joint law as (-y, -x): for normal skills and sensitivities it has.
//!
//! A second bound needs no slope: |q - 1/2| <= 1/2 and `|D_i - D_j| <= |D_i - m| + |D_j - m|`, m the median, so that
//! the sum of I is at least -(1-d)/2 times the sum of |D - m|. For normal D that is (1-d) sd(D) / sqrt(2 pi) a
//! player, [`saturated_bound`]: less than the first where sd(skill) exceeds 277 points.
//!
//! # How loose it is
//! - Saturation. The logistic q bends. In the pairing above the gaps are normal with variance 2 sd(skill)^2, and by
//!   Stein's lemma (Ann. Statist. 9, 1981, doi 10.1214/aos/1176345632) it yields (1-d) `E[q'(gap)]` sd(skill) sd(D):
//!   the same law with the slope averaged over such gaps, [`mean_slope`]. For N large the gain lies between the two.
//! - Finite pools. Exact partners are missing. What is lost is the cost of matching random points in the plane.
//!
//! [`run_gain_law`] measures both, on a grid of spreads.
//!
//! ```
//! use matchwright_papers::Workers;
//! use matchwright_papers::eomm::gain_law::{GainLawConfig, gain_bound, run_gain_law};
//! use matchwright_sim::progress::Quiet;
//!
//! // EOMM's draw rate, skills 200 points apart, 4 points of churn: 0.9 % of the players at most.
//! assert_eq!((gain_bound(0.2, 200.0, 0.04) * 1e4).round(), 92.0);
//! let config = GainLawConfig {
//!     players: 40,
//!     rounds: 4,
//!     skill_spreads: vec![200.0],
//!     sensitivity_spreads: vec![0.02, 0.04],
//!     sizes: vec![4],
//!     ..GainLawConfig::default()
//! };
//! let report = run_gain_law(&config, 1, &Workers::new(1, &Quiet))?;
//! for cell in &report.cells {
//!     assert!(cell.gain.mean > 0.0 && cell.gain.mean < cell.bound);
//! }
//! # Ok::<(), anyhow::Error>(())
//! ```

mod config;
mod law;
mod pool;
mod report;
mod run;

pub use config::GainLawConfig;
pub use law::{SLOPE, curved_gain, gain_bound, mean_slope, saturated_bound};
pub use pool::Shape;
pub use report::{Fit, GainCell, GainLawReport, Mirror};
pub use run::run_gain_law;
