//! The trait that all pairing solvers share, and the memory that they reuse.

use crate::costs::{Adjacency, CostOracle};
use crate::error::SolveError;
use crate::exact::buffers::ExactBuffers;
use crate::limits::Limits;
use crate::pairing::Pairing;

/// Pairs all vertices of a graph.
///
/// Contract: the pairing is perfect, uses allowed pairs only, and its cost is the sum of the oracle's
/// costs; the same solver on the same costs gives the same pairing, whatever the workspace was used for
/// before. What cannot be paired is a typed error, never a panic. `laws::check_all` (feature `laws`) checks
/// an implementation.
///
/// ```
/// use matchwright_solver::{CostOracle, DenseCosts, Limits, Pairing, PairingSolver, SolveError};
///
/// /// Pairs vertex 0 with the last, 1 with the last but one, and so on: too quick to look at limits.
/// struct Fold;
///
/// impl PairingSolver for Fold {
///     fn solve_within(&self, costs: &dyn CostOracle, _: &Limits<'_>) -> Result<Pairing, SolveError> {
///         Pairing::from_mates(costs, (0..costs.vertices()).rev().collect())
///     }
/// }
///
/// let costs = DenseCosts::from_fn(4, |i, j| (i * j) as f64).unwrap();
/// assert_eq!(Fold.solve(&costs)?.cost(), 2.0);
/// # Ok::<(), SolveError>(())
/// ```
pub trait PairingSolver {
    /// The pairing of `costs`' vertices within limits of work and time. [`Pairing::status`] says whether one of them ended
    /// it. A solver that takes no longer than to look at the pairs once need not look at the limits.
    ///
    /// # Errors
    /// [`SolveError`] if there is no pairing, the solver finds none, or the oracle breaks its contract;
    /// [`SolveError::Limited`] if a limit is reached before there is a pairing.
    fn solve_within(&self, costs: &dyn CostOracle, limits: &Limits<'_>) -> Result<Pairing, SolveError>;

    /// The same without limits.
    ///
    /// # Errors
    /// As [`solve_within`](Self::solve_within).
    fn solve(&self, costs: &dyn CostOracle) -> Result<Pairing, SolveError> {
        self.solve_within(costs, &Limits::unlimited())
    }

    /// The same pairing in the memory of `workspace`, for who solves again and again. By default that is not used.
    ///
    /// # Errors
    /// As [`solve_within`](Self::solve_within).
    fn solve_in(
        &self,
        workspace: &mut Workspace,
        costs: &dyn CostOracle,
        limits: &Limits<'_>,
    ) -> Result<Pairing, SolveError> {
        let _ = workspace;
        self.solve_within(costs, limits)
    }
}

macro_rules! forward {
    ($($pointer:ty),+) => {$(
        impl<S: PairingSolver + ?Sized> PairingSolver for $pointer {
            fn solve_within(&self, costs: &dyn CostOracle, limits: &Limits<'_>) -> Result<Pairing, SolveError> {
                (**self).solve_within(costs, limits)
            }

            fn solve(&self, costs: &dyn CostOracle) -> Result<Pairing, SolveError> {
                (**self).solve(costs)
            }

            fn solve_in(
                &self,
                workspace: &mut Workspace,
                costs: &dyn CostOracle,
                limits: &Limits<'_>,
            ) -> Result<Pairing, SolveError> {
                (**self).solve_in(workspace, costs, limits)
            }
        }
    )+};
}

forward!(&S, Box<S>, std::sync::Arc<S>);

// Policies hold `&dyn PairingSolver`, and workers their own workspace.
const _: fn(&dyn PairingSolver, &mut Workspace) = |_, _| {};
const fn is_send<T: Send>() {}
const _: () = is_send::<Workspace>();

/// Memory that solvers reuse from one solve to the next. It holds no result: a new one is as good, only
/// slower.
///
/// One workspace serves any solver and any graph size; give each thread its own.
#[derive(Debug, Default)]
pub struct Workspace {
    /// The costs as read and checked.
    pub(crate) adjacency: Adjacency,
    pub(crate) matrix: Vec<f64>,
    /// What the exact solver needs beyond.
    pub(crate) exact: ExactBuffers,
}

impl Workspace {
    /// An empty workspace; memory is taken when it is needed.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the memory of a pairing that is of no more use, for the next one. Who solves again and again and gives
    /// every answer back allocates nothing, once all has grown to the size of the largest: see
    /// [`ExactPairing`](crate::ExactPairing).
    ///
    /// ```
    /// use matchwright_solver::{DenseCosts, ExactPairing, Limits, PairingSolver, Workspace};
    ///
    /// let mut workspace = Workspace::new();
    /// for round in 0..3 {
    ///     let costs = DenseCosts::from_fn(6, |i, j| ((i * j + round) % 5) as f64)?;
    ///     let pairing = ExactPairing::minimum().solve_in(&mut workspace, &costs, &Limits::unlimited())?;
    ///     // ... play ...
    ///     workspace.recycle(pairing);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn recycle(&mut self, pairing: Pairing) {
        self.exact.refill(pairing);
    }
}
