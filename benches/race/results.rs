//! What was measured, and what it says.

use std::fmt;

use clap::ValueEnum;

use super::contender::{Contender, Family, Role};
use super::repeats::{median, typical};

/// A graph by how it is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Graph {
    pub(crate) family: Family,
    pub(crate) n: usize,
    pub(crate) seed: u64,
}

/// One contender on one graph. Times are in seconds.
#[derive(Debug, Clone)]
pub(crate) struct Measurement {
    pub(crate) graph: Graph,
    pub(crate) contender: Contender,
    /// The time of each solve, in order; the first is in a process that has just started.
    pub(crate) solves: Vec<f64>,
    /// By which part the cost is above the optimum: 0 unless the contender is wrong.
    pub(crate) excess: f64,
    /// The time to check the proof, for those who give one.
    pub(crate) verify: Option<f64>,
    /// The most memory of the whole process while it solved, its input included, in bytes.
    pub(crate) peak_memory: Option<u64>,
}

/// A contender that goes no further in a family.
#[derive(Debug, Clone)]
pub(crate) struct DropOut {
    pub(crate) graph: Graph,
    pub(crate) contender: Contender,
    pub(crate) reason: String,
    /// Not for being slow.
    pub(crate) is_failure: bool,
}

/// Everything that one run measured.
#[derive(Debug, Clone, Default)]
pub(crate) struct Results {
    pub(crate) measurements: Vec<Measurement>,
    pub(crate) drop_outs: Vec<DropOut>,
}

/// One contender on the graphs of one family and size: the medians over the seeds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Cell {
    pub(crate) contender: Contender,
    pub(crate) seconds: f64,
    /// The most over the seeds.
    pub(crate) slowest: f64,
    pub(crate) first: f64,
    pub(crate) verify: Option<f64>,
    /// The most over the seeds.
    pub(crate) peak_memory: Option<u64>,
    /// The most over the seeds.
    pub(crate) excess: f64,
    /// The fewest over the seeds.
    pub(crate) solves: usize,
}

impl Measurement {
    pub(crate) fn seconds(&self) -> f64 {
        typical(&self.solves)
    }
}

impl Results {
    /// The families measured, in their order.
    pub(crate) fn families(&self) -> Vec<Family> {
        let measured = |family: &Family| self.measurements.iter().any(|m| m.graph.family == *family);
        let all = Family::value_variants().iter().copied();
        all.filter(measured).collect()
    }

    /// The sizes measured of a family, ascending.
    pub(crate) fn sizes(&self, family: Family) -> Vec<usize> {
        let of_family = self.measurements.iter().filter(|m| m.graph.family == family);
        let mut sizes: Vec<usize> = of_family.map(|m| m.graph.n).collect();
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }

    /// All who solved this size, for every seed that anyone solved.
    pub(crate) fn cells(&self, family: Family, n: usize) -> Vec<Cell> {
        let here: Vec<&Measurement> = self
            .measurements
            .iter()
            .filter(|m| m.graph.family == family && m.graph.n == n)
            .collect();
        let of = |contender| -> Vec<&Measurement> {
            here.iter()
                .copied()
                .filter(|m| m.contender == contender)
                .collect()
        };
        let all: Vec<_> = Contender::value_variants().iter().map(|&who| of(who)).collect();
        let seeds = all.iter().map(Vec::len).max().unwrap_or(0).max(1);
        let complete = all.into_iter().filter(|of| of.len() == seeds);
        complete.filter_map(|of| cell(&of)).collect()
    }

    /// How ours did that time is measured by: from the matrix, where there was one.
    pub(crate) fn ours(&self, family: Family, n: usize) -> Option<Cell> {
        let cells = self.cells(family, n);
        cells.into_iter().find(|cell| cell.contender.role() == Role::Ours)
    }

    /// The fastest peer.
    pub(crate) fn best_peer(&self, family: Family, n: usize) -> Option<Cell> {
        let cells = self.cells(family, n);
        let peers = cells
            .into_iter()
            .filter(|cell| cell.contender.role() == Role::Peer);
        peers.min_by(|one, other| one.seconds.total_cmp(&other.seconds))
    }

    /// Takes note that a contender's pairing is not optimal. Its time stays and counts, so that nobody's mistake
    /// makes us look faster.
    pub(crate) fn mark_wrong(&mut self, graph: Graph, contender: Contender, excess: f64) {
        let of = |m: &&mut Measurement| m.graph == graph && m.contender == contender;
        for measurement in self.measurements.iter_mut().filter(of) {
            measurement.excess = excess;
        }
    }

    /// A line for each wrong answer.
    pub(crate) fn wrong(&self) -> impl Iterator<Item = String> + '_ {
        let wrong = self.measurements.iter().filter(|m| m.excess > 0.0);
        wrong.map(|m| {
            let percent = 100.0 * m.excess;
            format!(
                "{} is wrong on {}: its pairing costs {percent:.3} % more than the best",
                m.contender, m.graph
            )
        })
    }

    /// What makes a run a failure: ours did not solve what it was given.
    pub(crate) fn our_failures(&self) -> Vec<String> {
        let ours = |drop: &&DropOut| drop.is_failure && drop.contender.role() == Role::Ours;
        self.drop_outs
            .iter()
            .filter(ours)
            .map(ToString::to_string)
            .collect()
    }
}

fn cell(seeds: &[&Measurement]) -> Option<Cell> {
    let contender = seeds.first()?.contender;
    let of = |take: &dyn Fn(&Measurement) -> Option<f64>| -> Option<f64> {
        let values: Vec<f64> = seeds.iter().filter_map(|m| take(m)).collect();
        (!values.is_empty()).then(|| median(&values))
    };
    Some(Cell {
        contender,
        seconds: of(&|m| Some(m.seconds()))?,
        slowest: seeds.iter().map(|m| m.seconds()).fold(0.0, f64::max),
        first: of(&|m| m.solves.first().copied())?,
        verify: of(&|m| m.verify),
        peak_memory: seeds.iter().filter_map(|m| m.peak_memory).max(),
        excess: seeds.iter().map(|m| m.excess).fold(0.0, f64::max),
        solves: seeds.iter().map(|m| m.solves.len()).min()?,
    })
}

impl fmt::Display for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} vertices, seed {}", self.family, self.n, self.seed)
    }
}

impl fmt::Display for DropOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            graph,
            contender,
            reason,
            ..
        } = self;
        write!(f, "{contender} drops out at {graph}: {reason}")
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Solves that each take `seconds`.
    pub(crate) fn measured(contender: Contender, n: usize, seed: u64, seconds: f64) -> Measurement {
        Measurement {
            graph: Graph {
                family: Family::Eomm,
                n,
                seed,
            },
            contender,
            solves: vec![2.0 * seconds, seconds, seconds, seconds],
            excess: 0.0,
            verify: None,
            peak_memory: Some(seed << 20),
        }
    }

    #[test]
    fn the_best_peer_is_the_fastest_that_is_neither_ours_nor_a_floor() {
        let times = [
            (Contender::Matchwright, 0.5),
            (Contender::MatchwrightImplicit, 0.25),
            (Contender::LemonFull, 3.0),
            (Contender::LemonSmart, 2.0),
            (Contender::MatrixPass, 0.125),
        ];
        let results = Results {
            measurements: times
                .map(|(contender, time)| measured(contender, 100, 1, time))
                .to_vec(),
            drop_outs: Vec::new(),
        };
        let best = results.best_peer(Family::Eomm, 100).unwrap();
        assert_eq!(
            (best.contender, best.seconds, best.first),
            (Contender::LemonSmart, 2.0, 4.0)
        );
        assert_eq!(results.ours(Family::Eomm, 100).unwrap().seconds, 0.5);
        assert_eq!(results.best_peer(Family::Eomm, 300), None);
    }

    #[test]
    fn only_who_solved_every_seed_is_compared() {
        let results = Results {
            measurements: vec![
                measured(Contender::Matchwright, 100, 1, 1.0),
                measured(Contender::Mwmatching, 100, 1, 2.0),
                measured(Contender::Matchwright, 100, 2, 5.0),
                measured(Contender::Matchwright, 100, 3, 3.0),
            ],
            drop_outs: Vec::new(),
        };
        let cells = results.cells(Family::Eomm, 100);
        assert_eq!(cells.len(), 1);
        assert_eq!(
            (cells[0].contender, cells[0].seconds),
            (Contender::Matchwright, 3.0)
        );
        assert_eq!((cells[0].peak_memory, cells[0].solves), (Some(3 << 20), 4));
    }
}
