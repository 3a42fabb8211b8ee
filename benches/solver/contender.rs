//! What a contender is asked for.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use matchwright_benches::{Edges, Family, Instance};
use matchwright_solver::CostOracle;

/// A graph by how it is drawn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Graph {
    pub(crate) family: Family,
    pub(crate) n: usize,
    pub(crate) seed: u64,
}

/// A graph to solve.
pub(crate) enum Input<'a> {
    /// Integer costs.
    Matrix(&'a Instance),
    /// Real costs, computed when asked for.
    Implicit(Box<dyn CostOracle>),
}

impl<'a> Input<'a> {
    pub(crate) fn matrix(self) -> Result<&'a Instance> {
        match self {
            Self::Matrix(instance) => Ok(instance),
            Self::Implicit(_) => bail!("a matrix is needed"),
        }
    }

    pub(crate) fn implicit(self) -> Result<Box<dyn CostOracle>> {
        match self {
            Self::Implicit(costs) => Ok(costs),
            Self::Matrix(_) => bail!("a function of two vertices is needed"),
        }
    }
}

/// Somebody to be timed.
pub(crate) trait Contender {
    /// Whether the input has no matrix.
    fn is_implicit(&self) -> bool {
        false
    }

    /// Takes a graph in the form that suits the contender best; not timed.
    fn load(&mut self, graph: Graph, input: Input<'_>) -> Result<()>;

    /// Takes a graph by its edges.
    fn load_edges(&mut self, _: &Edges) -> Result<()> {
        bail!("this contender takes no edges")
    }

    /// Solves the graph; timed from the form of [`load`](Self::load) to an answer in the contender's own form.
    fn solve(&mut self) -> Result<Solved>;

    /// Checks the proof of the last answer.
    fn verify(&mut self) -> Result<Duration> {
        bail!("this contender gives no proof")
    }
}

/// A solve, timed.
pub(crate) struct Solved {
    pub(crate) elapsed: Duration,
    pub(crate) answer: Answer,
}

/// What was found.
pub(crate) enum Answer {
    /// The partner of each vertex, still to be priced.
    Mates(Vec<usize>),
    /// The cost in steps.
    Steps(f64),
    /// A floor finds nothing.
    Nothing,
}

/// Runs and times: by the wall clock or by the processor time of all threads, whichever is shorter.
///
/// On an idle machine one thread takes as much of both. On a busy one the wall clock runs on while other programs do,
/// the more so the longer a solve takes, which would favour the fast.
pub(crate) fn timed<T>(run: impl FnOnce() -> T) -> (Duration, T) {
    let (before, start) = (processor_time(), Instant::now());
    let result = run();
    let elapsed = start.elapsed();
    let used = processor_time()
        .zip(before)
        .map(|(after, before)| after.saturating_sub(before));
    (used.map_or(elapsed, |used| used.min(elapsed)), result)
}

/// What the process has used so far; `None` where only the wall clock is known.
#[cfg(unix)]
fn processor_time() -> Option<Duration> {
    use rustix::time::{ClockId, clock_gettime};
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).ok()
}

#[cfg(not(unix))]
fn processor_time() -> Option<Duration> {
    None
}

/// The mates of `n` vertices from a list of pairs; a vertex in no pair is its own mate, which nobody takes for
/// a matching.
pub(crate) fn mates_of(n: usize, pairs: impl IntoIterator<Item = (usize, usize)>) -> Vec<usize> {
    let mut mates: Vec<usize> = (0..n).collect();
    for (i, j) in pairs {
        (mates[i], mates[j]) = (j, i);
    }
    mates
}
