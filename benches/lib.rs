//! Inputs that our crates and their peers are timed on, generated from a seed.
//!
//! | family | costs | as a matrix | without one |
//! |---|---|---|---|
//! | [`Family::Eomm`] | EOMM's edges: two players' churn, mixed by Glicko's expectation | [`eomm`] | [`EommCosts`] |
//! | [`Family::Uniform`] | drawn evenly from (0, 1) | [`uniform`] | [`HashedCosts`] |
//! | [`Family::Euclid`] | distances of points drawn evenly from the unit square | [`euclid`] | [`EuclideanCosts`](matchwright_solver::EuclideanCosts) |
//! | [`Family::Clusters`] | the same of points in clusters | `Family::matrix` | [`EuclideanCosts`](matchwright_solver::EuclideanCosts) |
//! | [`Family::Plateau`] | gaps in skill beyond a tolerance | [`plateau`] | [`PlateauCosts`] |
//!
//! A matrix holds integers, real costs times [`STEPS`], so that every contender solves the same ones. Without
//! a matrix, costs are real numbers computed when asked for; only `uniform` has then other costs under the
//! same seed. [`SparseFamily`] has graphs by their edges.

mod families;
mod games;
mod implicit;

/// The folder of the workspace: the parent of this package's own.
#[must_use]
pub fn workspace_root() -> std::path::PathBuf {
    let own = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_path_buf()
}

pub use families::{
    Edges, Family, Infeasible, InfeasibleCosts, Instance, STEPS, SparseFamily, UnknownFamily, eomm, euclid,
    plateau, uniform,
};
pub use games::{Game, games};
pub use implicit::{EommCosts, HashedCosts, PlateauCosts};
