//! Which players together: exact minimum-weight perfect matching with a certificate, and its rivals.

mod certificate;
mod costs;
mod error;
mod exact;
mod objective;
mod pairing;
mod simple;
mod solver;
mod teams;
mod verify;

pub use certificate::{Blossom, Certificate, CertificateParts};
pub use costs::{CostOracle, DenseCosts, SparseCosts};
pub use error::{Barrier, GraphError, SolveError};
pub use exact::ExactPairing;
pub use objective::Objective;
pub use pairing::Pairing;
pub use simple::{BruteForce, GreedyPairing, RandomPairing, SortAdjacent};
pub use solver::{PairingSolver, Workspace};
pub use teams::{ExhaustiveSplit, LobbyObjective, SplitError, TeamSplit, TeamSplitter};
pub use verify::{DualBound, Verdict, VerifyError, verify, verify_bound};
