//! Sparse graphs fall apart: each connected component is solved alone, and the answers are put together.
//!
//! An optimal pairing of the whole is one of each part, and its duals are theirs. A part is numbered anew, so that
//! all of it is close in memory; a small one with most of its pairs is solved as a matrix.

use super::blossom::short;
use super::certify::{Spare, certify};
use super::halt::Halt;
use super::integer::Integer;
use super::quantise::Scale;
use super::solve::{Proven, Settings, Solver, Stages};
use super::start::levels::Levels;
use super::unmatched::UnmatchedRule;
use super::watch::Watch;
use crate::certificate::{Blossom, CertificateParts};
use crate::costs::Adjacency;
use crate::read::lists::Lists;
use crate::read::matrix::Matrix;
use crate::read::{Graph, MATRIX_VERTICES, Reading};

/// The connected components of a graph.
#[derive(Debug, Default)]
pub(super) struct Components {
    /// The vertices of all components, ascending in each, and where each component begins. Components come by their
    /// smallest vertex.
    vertices: Vec<u32>,
    starts: Vec<usize>,
    /// By vertex: its place in its component.
    place: Vec<u32>,
}

impl Components {
    /// Finds the components. O(n + m).
    pub(super) fn of(lists: &Lists<'_>) -> Self {
        const UNSEEN: u32 = u32::MAX;
        let count = lists.vertices();
        let mut component = vec![UNSEEN; count];
        let mut sizes = Vec::new();
        let mut stack = Vec::new();
        for root in 0..count {
            if component[root] != UNSEEN {
                continue;
            }
            let name = short(sizes.len());
            let mut size = 0;
            component[root] = name;
            stack.push(root);
            while let Some(v) = stack.pop() {
                size += 1;
                for (j, _) in lists.row(v) {
                    if component[j as usize] == UNSEEN {
                        component[j as usize] = name;
                        stack.push(j as usize);
                    }
                }
            }
            sizes.push(size);
        }
        let mut starts = vec![0];
        for size in sizes {
            starts.push(starts[starts.len() - 1] + size);
        }
        let mut next = starts.clone();
        let mut vertices = vec![0; count];
        let mut place = vec![0; count];
        for v in 0..count {
            let own = component[v] as usize;
            place[v] = short(next[own] - starts[own]);
            vertices[next[own]] = short(v);
            next[own] += 1;
        }
        Self {
            vertices,
            starts,
            place,
        }
    }

    pub(super) fn count(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The vertices of a component, ascending.
    fn members(&self, k: usize) -> &[u32] {
        &self.vertices[self.starts[k]..self.starts[k + 1]]
    }

    /// Whether one of them cannot be paired within itself for certain.
    fn some_odd(&self) -> bool {
        (0..self.count()).any(|k| !self.members(k).len().is_multiple_of(2))
    }
}

/// What parts are solved with.
#[derive(Debug, Default)]
struct Worker<W: Ord> {
    stages: Stages<W>,
    precise: Levels<f64>,
    quick: Levels<f32>,
    spare: Spare,
    adjacency: Adjacency,
    matrix: Vec<f64>,
    known: Vec<f64>,
}

/// The optimum of a graph of several components, at this scale.
pub(super) fn solve_apart<W: Integer>(
    solver: &Solver<'_, '_>,
    lists: &Lists<'_>,
    components: &Components,
    scale: &Scale,
) -> Result<Proven, Halt> {
    if solver.settings.unmatched.penalties.is_empty() && components.some_odd() {
        return Err(Halt::NotPerfect);
    }
    let settings = Settings {
        threads: 1,
        ..solver.settings
    };
    let mut worker = Worker::<W>::default();
    let mut joined = Joined::new(components.place.len());
    for k in 0..components.count() {
        let members = components.members(k);
        let proven = worker.solve(&settings, lists, (components, k), scale);
        joined.add(members, proven.map_err(|halt| halt.renumbered(members))?);
    }
    joined.finish(scale, settings.unmatched)
}

impl<W: Integer> Worker<W> {
    fn solve(
        &mut self,
        whole: &Settings<'_>,
        lists: &Lists<'_>,
        (components, k): (&Components, usize),
        scale: &Scale,
    ) -> Result<Proven, Halt> {
        let members = components.members(k);
        let part = lists.among(members, &components.place, &mut self.adjacency);
        let reading = if is_dense(&part) {
            Reading::Matrix(Matrix::of_lists(&part, &mut self.matrix))
        } else {
            Reading::Lists(part)
        };
        let of_members = |list: &[f64], all: &mut Vec<f64>| {
            all.clear();
            all.extend(members.iter().filter_map(|&v| list.get(v as usize)));
        };
        of_members(whole.known.unwrap_or_default(), &mut self.known);
        let unmatched = &mut self.stages.engine.unmatched;
        of_members(&whole.unmatched.penalties, &mut unmatched.penalties);
        let mut solver = Solver {
            reading: &reading,
            settings: Settings {
                known: whole.known.map(|_| &self.known[..]),
                unmatched: &unmatched.clone(),
                ..*whole
            },
            precise: &mut self.precise,
            quick: &mut self.quick,
            spare: &mut self.spare,
            watch: &mut Watch::default(),
        };
        solver.solve_connected(&mut self.stages, scale)
    }
}

/// Whether a graph is better read as a matrix: it fits, and not much of it is empty.
fn is_dense(lists: &Lists<'_>) -> bool {
    let vertices = lists.vertices();
    vertices <= MATRIX_VERTICES && 8 * lists.edges() >= vertices * vertices.saturating_sub(1)
}

/// Answers of parts, put together.
struct Joined {
    mates: Vec<usize>,
    duals: Vec<i128>,
    /// With the smallest vertex of each.
    blossoms: Vec<(usize, Blossom)>,
}

impl Joined {
    fn new(vertices: usize) -> Self {
        Self {
            mates: vec![0; vertices],
            duals: vec![0; vertices],
            blossoms: Vec::new(),
        }
    }

    fn add(&mut self, members: &[u32], (mates, certificate): Proven) {
        let CertificateParts {
            vertex_duals,
            blossoms,
            ..
        } = certificate.into_parts();
        let vertex = |place: usize| members[place] as usize;
        for (place, (mate, dual)) in mates.into_iter().zip(vertex_duals).enumerate() {
            (self.mates[vertex(place)], self.duals[vertex(place)]) = (vertex(mate), dual);
        }
        let first = self.blossoms.len();
        for mut blossom in blossoms {
            for v in &mut blossom.direct_vertices {
                *v = vertex(*v);
            }
            blossom.around = blossom.around.map(|around| first + around);
            let smallest = blossom.direct_vertices.first().copied().unwrap_or(usize::MAX);
            self.blossoms.push((smallest, blossom));
        }
        for k in (first..self.blossoms.len()).rev() {
            if let Some(around) = self.blossoms[k].1.around {
                self.blossoms[around].0 = self.blossoms[around].0.min(self.blossoms[k].0);
            }
        }
    }

    fn finish(self, scale: &Scale, unmatched: &UnmatchedRule) -> Result<Proven, Halt> {
        // By the smallest vertex; of those with the same the one around is first already.
        let mut order: Vec<usize> = (0..self.blossoms.len()).collect();
        order.sort_by_key(|&k| self.blossoms[k].0);
        let mut place = vec![0; order.len()];
        for (at, &k) in order.iter().enumerate() {
            place[k] = at;
        }
        let mut blossoms: Vec<(usize, Blossom)> = (0..)
            .zip(self.blossoms)
            .map(|(k, (_, b))| (place[k], b))
            .collect();
        blossoms.sort_unstable_by_key(|&(at, _)| at);
        let blossoms = blossoms.into_iter().map(|(_, mut blossom)| {
            blossom.around = blossom.around.map(|around| place[around]);
            blossom
        });
        let certificate = certify(self.duals, blossoms.collect(), scale, &mut Vec::new(), unmatched)?;
        Ok((self.mates, certificate))
    }
}
