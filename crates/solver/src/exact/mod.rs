//! The exact solver: minimum-weight perfect matching by the primal-dual blossom algorithm.
//!
//! One file or folder an idea, in the order of [`solve`], which calls them:
//!
//! 1. [`read`]: costs come from a matrix, by rows, as lists or from points in space; [`quantise`]: they become
//!    integers; [`integer`]: of 64 or 128 bits.
//! 2. [`start`]: duals that are nearly right, and the [`candidates`]: the few pairs that go with them;
//!    [`fractional`]: the best fractional matching of these; [`engine`]: both, until few pairs are violated.
//!    [`components`]: sparse graphs part by part.
//! 3. [`blossom`]: the perfect matching on the candidates; [`pricing`]: on all pairs,
//!    where [`violated`] ones are found.
//! 4. [`ties`]: which of several optima; [`certify`]: the duals as a certificate. Why there is no perfect matching
//!    says [`cardinality`](crate::cardinality).
//!
//! [`invariants`] says what holds between the steps, and checks it in debug builds; [`watch`]: what all of this shows
//! to observers, who may stop it.
//!
//! Sources: Edmonds, "Paths, trees, and flowers", Canad. J. Math. 17 (1965), doi:10.4153/CJM-1965-045-4,
//! and "Maximum matching and a polyhedron with 0,1-vertices" (1965); Galil, "Efficient algorithms for
//! finding maximum matching in graphs", ACM Computing Surveys 18 (1986), doi:10.1145/6462.6502.

mod blossom;
pub(crate) mod buffers;
mod candidates;
mod certify;
mod components;
mod engine;
mod fractional;
mod halt;
mod integer;
mod invariants;
mod nesting;
mod pricing;
mod quantise;
mod solve;
mod start;
mod ties;
mod unfinished;
mod unmatched;
mod violated;
mod watch;

use crate::approximate::{BoundedPairing, finish};
use crate::cardinality::maximum_matching;
use crate::certificate::Certificate;
use crate::costs::{CostOracle, Counted, Unmatched};
use crate::error::{Barrier, SolveError};
use crate::limits::{Limits, Meter, Status};
use crate::objective::Objective;
use crate::pairing::Pairing;
use crate::read::shrunk::{ENLARGE, Shrunk, enlarged};
use crate::read::{Allowed, Reading};
use crate::solver::{PairingSolver, Workspace};
use buffers::ExactBuffers;
use halt::Halt;
use solve::{Proven, Settings, Solver};

pub(crate) use unfinished::Unfinished;
use unmatched::UnmatchedRule;
use watch::Watch;
pub use watch::{Snapshot, Stage, TreeLabel};

/// The pairing with the least (or largest) sum of costs of all, with its proof.
///
/// ```text
/// min (or max)  sum of c_ij over the pairs {i, j}, every vertex in exactly one pair
/// ```
///
/// On any graph: complete or sparse, costs of any sign. The pairing always has a [`Certificate`], which
/// [`verify`](crate::verify()) checks independently.
///
/// # How
/// Few pairs matter. Samples of growing size, each solved from the last, give duals that are nearly right; each
/// vertex's pairs of least reduced cost under these are the candidates. The optimum on the candidates is found by the
/// primal-dual blossom algorithm, from an optimal fractional matching. Then all other pairs are priced: a pair that
/// is violated becomes a candidate, and the search goes on from there, until none is. Costs are read as
/// [`CostOracle`] says: up to 2,048 vertices from a matrix, beyond row by row, along the lists of a sparse graph, or
/// near by in space.
///
/// # Ties
/// The same call gives the same pairing for any number of threads. Of several optimal pairings (under costs rounded as
/// below) another may come from other starting duals or another form of the same costs;
/// [`with_canonical_ties`](Self::with_canonical_ties) always gives the same one.
///
/// # Unmatched vertices
/// Where the costs say that vertices may stay unmatched ([`CostOracle::unmatched`]), the optimum of costs and penalties
/// is found on the same graph: a vertex's dual is at most its penalty, and a tree may end by leaving a vertex unmatched
/// whose dual reaches it. For maximum cardinality the number of unmatched vertices is known first, with the
/// [`Barrier`](crate::Barrier) that proves it; then all penalties rise alike until no more are unmatched.
///
/// # Exactness
/// Costs are rounded once to multiples of a power of two, the certificate's
/// [`resolution`](Certificate::resolution), and the optimum of these is found in integers:
///
/// 1. First in 64-bit integers, with costs of up to 54 bits. Nothing is rounded if all costs are integers
///    below 2^54, or share a power of two as a divisor within 54 bits; else a cost is off by at most 2^-55
///    of the largest one (rounded up to a power of two).
/// 2. In 128-bit integers, with costs of up to 118 bits, where that rounding might matter: always if there
///    are no more than 32 vertices; else if the first step's
///    [`quantisation_error`](Certificate::quantisation_error) exceeds 5e-13 of the sum of the magnitudes of
///    its matched costs; and if duals outgrew 64 bits. Nothing is rounded if the leading bit of the largest
///    cost and the last bit of any are within 118 bits, as for thousandths beside 10^15.
/// 3. Coarser by 10 bits at a time, should duals outgrow even 128 bits: only where costs span more than 100
///    bits and chains of hundreds of large costs have forbidden pairs between.
///
/// Costs near the largest float are divided by a power of two first, and the certificate multiplied by it in the end.
///
/// So large graphs whose costs are all of a size, such as fractions from 0 to 1, take the fast first step
/// alone: it settles all differences but those of 1e-12 of the total. What rounding is left is stated in the
/// certificate, and [`Verdict`](crate::Verdict) says whether it matters. Of graphs that are not read as a whole (more
/// than 2,048 vertices by rows, or coordinates) nobody knows whether a cost was rounded that is no candidate, so that
/// the certificate allows for half a unit each; [`verify`](crate::verify()), which reads all rows, may find less.
///
/// # Cost
/// O(n^3) at worst; on matchmaking costs little more than the time to look at all pairs a few times, and with
/// coordinates less than that: see the benches. Memory beyond the oracle's: O(n) by rows and with coordinates, 8
/// bytes a pair where a matrix is copied, O(edges) for sparse graphs. All of it is kept in the [`Workspace`]: who
/// gives answers back ([`Workspace::recycle`]) solves a matrix like the last ones without any allocation.
///
/// Edmonds 1965, Galil 1986; the fractional start is that of Derigs and Metz 1986, pricing that of Cook and Rohe
/// 1999.
///
/// ```
/// use matchwright_solver::{CostOracle, DenseCosts, ExactPairing, PairingSolver, Workspace, verify};
///
/// // Six players in two triangles of friends who like to play each other; one pair must cross.
/// let friends = |i: usize, j: usize| i / 3 == j / 3;
/// let costs = DenseCosts::from_fn(6, |i, j| if friends(i, j) { 1.0 } else { 5.0 + (i * j) as f64 })?;
/// let pairing = ExactPairing::minimum().solve(&costs)?;
/// assert_eq!(pairing.cost(), 7.0);
/// // The proof: a pair must cross, which only the blossom {0, 1, 2} or {3, 4, 5} can say.
/// let certificate = pairing.certificate().unwrap();
/// assert_eq!(certificate.dual_bound(), 7.0);
/// assert!(!certificate.blossoms().is_empty());
/// assert!(verify(&costs, &pairing)?.optimal);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias("blossom", "minimum-weight perfect matching"))]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExactPairing {
    objective: Objective,
    threads: usize,
    canonical: bool,
    /// For how many looks at all pairs time is left.
    leaves: u8,
    /// Whether a bound is wanted instead of an optimum.
    bound_only: bool,
}

/// Why a solve has no proven pairing.
enum Ended {
    Failed(SolveError),
    Stopped(Box<(Unfinished, Certificate)>),
}

impl ExactPairing {
    /// The pairing with the least sum of costs.
    #[must_use]
    pub const fn minimum() -> Self {
        Self::new(Objective::Minimize)
    }

    /// The pairing with the largest sum of costs.
    #[must_use]
    pub const fn maximum() -> Self {
        Self::new(Objective::Maximize)
    }

    /// The pairing at this end of the scale.
    #[must_use]
    pub const fn new(objective: Objective) -> Self {
        Self {
            objective,
            threads: 1,
            canonical: false,
            leaves: 0,
            bound_only: false,
        }
    }

    /// The same solver with the first of several optimal pairings: vertex 0 has the smallest partner that it has in any
    /// of them, then vertex 1, and so on.
    ///
    /// Where vertices may stay unmatched, to be so comes after all partners: vertex 0 is unmatched only if it is in
    /// every optimum, and of equal players those that come last wait. [`BruteForce`](crate::BruteForce) has the same
    /// order.
    ///
    /// So neither the starting duals of [`solve_from`](Self::solve_from) nor the form in which costs come changes the
    /// pairing. Where pairs are few that are in one optimum but not in another, it takes next to no time; for maximum
    /// cardinality, if not all can be matched, another look at all pairs. Where nearly all are tied, a search for each
    /// vertex, O(n m) on sparse graphs (seconds for 5,000 vertices with costs of 0 and 1), and O(n^2) memory on others.
    #[must_use]
    pub const fn with_canonical_ties(self) -> Self {
        Self {
            canonical: true,
            ..self
        }
    }

    /// The same solver with this many threads, at least 1, for passes over all pairs of large graphs. The answer is
    /// the same for any number.
    #[must_use]
    pub const fn with_threads(self, threads: usize) -> Self {
        Self {
            threads: if threads == 0 { 1 } else { threads },
            ..self
        }
    }

    /// The same solver, which of limits of time leaves as much as this many looks at all pairs take:
    /// [`verify`](crate::verify()) takes some two or three.
    #[must_use]
    pub const fn with_time_for_looks(self, looks: u8) -> Self {
        Self {
            leaves: looks,
            ..self
        }
    }

    /// As [`solve`](PairingSolver::solve), from starting duals: what each vertex is thought to pay of a pair's cost,
    /// so that about `y_i` + `y_j` <= `c_ij`, with equality for good pairs; of -`c_ij` to maximise.
    ///
    /// Any numbers do: the optimum is the same whatever they are, and so is the pairing with
    /// [canonical ties](Self::with_canonical_ties). Good ones, as of another sample of the same population, save most of the
    /// time. [`Certificate::duals`] gives those of a solve.
    ///
    /// # Errors
    /// As [`solve`](PairingSolver::solve); [`SolveError::StartCount`] unless there is one dual for each vertex.
    ///
    /// ```
    /// use matchwright_solver::{DenseCosts, ExactPairing, PairingSolver, Workspace};
    ///
    /// let costs = DenseCosts::from_fn(200, |i, j| ((i * 37 + j * 37) % 101) as f64)?;
    /// let mut workspace = Workspace::new();
    /// let cold = ExactPairing::minimum().solve(&costs)?;
    /// let duals: Vec<f64> = cold.certificate().unwrap().duals().collect();
    /// let warm = ExactPairing::minimum().solve_from(&mut workspace, &costs, &duals)?;
    /// assert_eq!(warm.cost(), cold.cost());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_from(
        &self,
        workspace: &mut Workspace,
        costs: &dyn CostOracle,
        duals: &[f64],
    ) -> Result<Pairing, SolveError> {
        let costs = &Counted::new(costs)?;
        let vertices = costs.vertices();
        if duals.len() != vertices {
            return Err(SolveError::StartCount {
                duals: duals.len(),
                vertices,
            });
        }
        self.run(workspace, costs, Some(duals), &mut Watch::default())
            .map(|(pairing, certificate)| pairing.with_certificate(certificate))
            .map_err(Ended::into_error)
    }

    /// The best that can be said when time is up: solves as long as `go_on` says so, and completes what there is
    /// then.
    ///
    /// `go_on` is shown the [`Snapshot`] after every tree, and every 4,096 steps within a large one, and may look at a
    /// clock, draw, count, or ask for [how many are unpaired](Snapshot::unpaired). As soon as it says no, each unpaired
    /// vertex gets the partner left with the least reduced cost, exchanges among two or three pairs improve the whole as in
    /// [`LocalSearch`](crate::LocalSearch), and the duals so far, made feasible, with their blossoms, prove how far from
    /// the optimum that can be. If it never does this is [`solve`](PairingSolver::solve), with the same pairing, and no gap but that
    /// of rounding.
    ///
    /// # The end
    /// A stop leaves work to do, which is bounded. Samples of less than an eighth of the vertices are solved to their
    /// end, as they take next to no time. The bound takes two looks at all pairs, or one after blossoms, and none where
    /// all pairs are candidates; unpaired vertices, in practice, less than one; and exchanges at most an eighth of the work
    /// that the solve has spent (a pair weighed is one n-th of a row). Only where forbidden pairs leave vertices over do
    /// augmenting paths follow. `go_on` is not asked while costs are read and pairs are priced. With a third of the vertices
    /// still unpaired, EOMM's costs come out some 0.02 percent over the optimum and the bound as near below; random costs
    /// half as much again as the optimum.
    ///
    /// # Errors
    /// As [`solve`](PairingSolver::solve).
    ///
    /// ```
    /// use matchwright_solver::{DenseCosts, ExactPairing, Stage, Workspace};
    ///
    /// let costs = DenseCosts::from_fn(300, |i, j| ((i * 37 + j * 37) % 211) as f64)?;
    /// let mut workspace = Workspace::new();
    /// let mut trees = 0;
    /// let early = ExactPairing::minimum().solve_while(&mut workspace, &costs, &mut |progress| {
    ///     trees += usize::from(progress.stage() == Stage::Fractional && !progress.is_sample());
    ///     trees < 5
    /// })?;
    /// let best = ExactPairing::minimum().solve_while(&mut workspace, &costs, &mut |_| true)?;
    /// assert_eq!(best.gap(), 0.0);
    /// assert!(early.pairing().cost() >= best.pairing().cost());
    /// assert!(early.certificate().dual_bound() <= best.pairing().cost());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_while(
        &self,
        workspace: &mut Workspace,
        costs: &dyn CostOracle,
        go_on: &mut dyn FnMut(&Snapshot<'_>) -> bool,
    ) -> Result<BoundedPairing, SolveError> {
        self.watched(workspace, costs, Watch::new(go_on))
    }

    /// As [`solve_while`](Self::solve_while), within limits of work and time.
    ///
    /// One unit of work is a tree that grows, or 4,096 steps of it, or a row of costs that is looked along. The
    /// [`Watch`](crate::Watch) is asked at each of the first two, and before pairs are priced. What is said there of the
    /// end holds here, but that time is kept for it: the solve stops as soon as no more of it is left than three looks at
    /// all pairs take, by the longest so far, and [those for the caller](Self::with_time_for_looks). So the call ends in
    /// time unless it has less than for the start and the end alone: about as long as for five looks at all pairs, or
    /// some ten microseconds a point with coordinates. For maximum cardinality the number of vertices that can be matched
    /// must be known first.
    ///
    /// # Errors
    /// As [`solve`](PairingSolver::solve); [`SolveError::Limited`] if a limit is reached before it is known how many
    /// vertices can be matched.
    pub fn approximate_within(
        &self,
        workspace: &mut Workspace,
        costs: &dyn CostOracle,
        limits: &Limits<'_>,
    ) -> Result<BoundedPairing, SolveError> {
        self.watched(
            workspace,
            costs,
            Watch::default().with_limits(*limits, f64::from(self.leaves)),
        )
    }

    fn watched(
        &self,
        workspace: &mut Workspace,
        costs: &dyn CostOracle,
        mut watch: Watch<'_>,
    ) -> Result<BoundedPairing, SolveError> {
        let costs = &Counted::new(costs)?;
        match self.run(workspace, costs, None, &mut watch) {
            Ok((pairing, certificate)) => Ok(BoundedPairing::of_proven(pairing, self.objective, certificate)),
            Err(Ended::Stopped(stopped)) => finish(
                workspace,
                costs,
                self.objective,
                *stopped,
                (watch.status(), watch.work()),
            ),
            Err(Ended::Failed(error)) => Err(error),
        }
    }

    fn run(
        &self,
        workspace: &mut Workspace,
        costs: &Counted<'_>,
        known: Option<&[f64]>,
        watch: &mut Watch<'_>,
    ) -> Result<(Pairing, Certificate), Ended> {
        let (mates, certificate) = self.prove(workspace, costs, known, watch)?;
        let buffers = &mut workspace.exact.spare.sum;
        let pairing = Pairing::from_mates_in(buffers, costs, mates)?.with_objective(self.objective);
        Ok((pairing, certificate))
    }

    fn prove(
        &self,
        workspace: &mut Workspace,
        costs: &Counted<'_>,
        known: Option<&[f64]>,
        watch: &mut Watch<'_>,
    ) -> Result<Proven, Ended> {
        let outcome = match self.attempt(workspace, costs, known, watch) {
            Err(Halt::MagnitudeOverflow) => self.attempt_shrunk(workspace, costs, known, watch),
            outcome => outcome,
        };
        outcome.map_err(|halt| match halt {
            Halt::Bounded(stopped) => Ended::Stopped(stopped),
            Halt::Broken(error) => Ended::Failed(error),
            _ => Ended::Failed(SolveError::Overflow {
                vertices: costs.vertices(),
            }),
        })
    }

    /// At costs that floats can add.
    fn attempt_shrunk(
        &self,
        workspace: &mut Workspace,
        costs: &Counted<'_>,
        known: Option<&[f64]>,
        watch: &mut Watch<'_>,
    ) -> Result<Proven, Halt> {
        let known: Option<Vec<f64>> = known.map(|duals| duals.iter().map(|y| y / ENLARGE).collect());
        watch.shrink();
        let shrunk = Shrunk::new(costs);
        let costs = Counted::new(&shrunk)?;
        match self.attempt(workspace, &costs, known.as_deref(), watch) {
            Ok((mates, certificate)) => Ok((mates, enlarged(certificate))),
            Err(Halt::Bounded(stopped)) => {
                let (unfinished, bound) = *stopped;
                Err(Halt::Bounded(Box::new((unfinished.enlarged(), enlarged(bound)))))
            }
            Err(Halt::Broken(error)) => Err(Halt::Broken(error.restated(|v| v, |cost| cost * ENLARGE))),
            Err(halt) => Err(halt),
        }
    }

    /// Mates and proof; `MagnitudeOverflow` if floats might not do.
    fn attempt(
        &self,
        workspace: &mut Workspace,
        costs: &Counted<'_>,
        known: Option<&[f64]>,
        watch: &mut Watch<'_>,
    ) -> Result<Proven, Halt> {
        let Workspace {
            adjacency,
            matrix,
            exact,
        } = workspace;
        let ExactBuffers {
            precise,
            quick,
            narrow,
            wide,
            spare,
            starts,
        } = exact;
        let reading = watch.look(1.0, || Reading::open(self.objective, costs, adjacency, matrix))?;
        let known = known.map(|known| {
            let finite = |&dual: &f64| if dual.is_finite() { dual } else { 0.0 };
            starts.clear();
            starts.extend(known.iter().map(finite));
            &**starts
        });
        let unmatched = match unmatched_rule(costs, self.objective, watch.meter())? {
            Err(barrier) if !self.bound_only => {
                return Err(Halt::Broken(SolveError::NoPerfectMatching(barrier)));
            }
            unmatched => unmatched.unwrap_or_default(),
        };
        let mut solver = Solver {
            reading: &reading,
            settings: Settings {
                objective: self.objective,
                threads: self.threads,
                known,
                unmatched: &unmatched,
                canonical: self.canonical,
                bound_only: self.bound_only,
            },
            precise,
            quick,
            spare,
            watch,
        };
        match solver.optimise(narrow, wide) {
            Err(Halt::NotPerfect) => {
                let (_, barrier) = maximum_matching(&Allowed(reading.as_graph()), solver.watch.meter())?;
                Err(Halt::Broken(SolveError::NoPerfectMatching(barrier)))
            }
            outcome => outcome,
        }
    }
}

/// The bound of the optimal fractional matching, or of what there is of it at a limit, and which limit that was.
pub(crate) fn fractional_bound(
    workspace: &mut Workspace,
    costs: &Counted<'_>,
    objective: Objective,
    limits: &Limits<'_>,
) -> Result<(Certificate, Status), SolveError> {
    let solver = ExactPairing {
        bound_only: true,
        ..ExactPairing::new(objective)
    };
    let mut watch = Watch::default().with_limits(*limits, 0.0);
    let found = match solver.prove(workspace, costs, None, &mut watch) {
        Ok((_, certificate)) => Ok((certificate, Status::Finished)),
        Err(Ended::Stopped(stopped)) => Ok((stopped.1, watch.status())),
        Err(Ended::Failed(error)) => Err(error),
    }?;
    let sum = found.0.dual_bound();
    if sum.is_finite() {
        Ok(found)
    } else {
        Err(SolveError::SumOverflow { sum })
    }
}

/// Which vertices may stay unmatched; or the barrier, if that leaves no matching.
fn unmatched_rule(
    costs: &Counted<'_>,
    objective: Objective,
    meter: &Meter<'_>,
) -> Result<Result<UnmatchedRule, Barrier>, SolveError> {
    let vertices = costs.vertices();
    let penalties = |list: &[f64]| {
        let minimised = list.iter().map(|&penalty| objective.as_minimum(penalty));
        let mut penalties: Vec<f64> = minimised.collect();
        penalties.resize(vertices, 0.0);
        penalties
    };
    let mut rule = UnmatchedRule::default();
    match costs.unmatched() {
        Unmatched::Forbidden if vertices.is_multiple_of(2) => {}
        Unmatched::Forbidden => return Ok(Err(maximum_matching(costs, meter)?.1)),
        Unmatched::Penalties(list) => rule.penalties = penalties(list),
        Unmatched::MaximumCardinality(list) => {
            let (largest, barrier) = maximum_matching(costs, meter)?;
            rule.deficiency = barrier.unplaced.len();
            if rule.deficiency > 0 {
                rule.penalties = penalties(list);
                rule.barrier = Some(barrier);
                rule.largest = largest;
            }
        }
    }
    Ok(Ok(rule))
}

impl Ended {
    /// For solves that nobody may stop.
    fn into_error(self) -> SolveError {
        match self {
            Self::Failed(error) => error,
            Self::Stopped(stopped) => SolveError::DeadEnd {
                unplaced: stopped.0.unpaired(),
            },
        }
    }
}

impl From<SolveError> for Ended {
    fn from(error: SolveError) -> Self {
        Self::Failed(error)
    }
}

impl Default for ExactPairing {
    fn default() -> Self {
        Self::minimum()
    }
}

impl PairingSolver for ExactPairing {
    /// # Errors
    /// [`SolveError::NoPerfectMatching`] with a [`Barrier`](crate::Barrier), also if the number of vertices is odd;
    /// or the oracle breaks its contract: [`SolveError::NotFinite`], [`SolveError::Asymmetric`],
    /// [`SolveError::Contradiction`], [`SolveError::BadCoordinates`], [`SolveError::BadNeighbour`],
    /// [`SolveError::TooManyVertices`].
    fn solve_within(&self, costs: &dyn CostOracle, limits: &Limits<'_>) -> Result<Pairing, SolveError> {
        self.solve_in(&mut Workspace::new(), costs, limits)
    }

    /// Limited, as [`approximate_within`](ExactPairing::approximate_within), without the bound.
    fn solve_in(
        &self,
        workspace: &mut Workspace,
        costs: &dyn CostOracle,
        limits: &Limits<'_>,
    ) -> Result<Pairing, SolveError> {
        if limits.is_unlimited() {
            let found = self.run(workspace, &Counted::new(costs)?, None, &mut Watch::default());
            return found
                .map(|(pairing, certificate)| pairing.with_certificate(certificate))
                .map_err(Ended::into_error);
        }
        let best = self.approximate_within(workspace, costs, limits)?;
        Ok(best.into_pairing())
    }
}
