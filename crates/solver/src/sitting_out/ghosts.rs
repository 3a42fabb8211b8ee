//! Fewest: each odd component that the barrier leaves has a ghost, to play whoever sits out.

use super::barrier::odd_components;
use super::error::SittingOutError;
use super::lineup::{Lineup, Mates};
use super::lists::Lists;
use super::on_paper::at_most;
use super::{Form, SittingOut};
use crate::costs::CostOracle;

/// The graph, with a ghost for each odd component and a twin for each player of the barrier A.
///
/// Vertices: n players, then q ghosts, then |A| twins.
pub(super) struct Ghosts<'a> {
    question: &'a SittingOut<'a>,
    /// The ghost of each player's component; `None` in A and in even components.
    ghost: Vec<Option<usize>>,
    /// By ghost: the players of its component, ascending.
    members: Lists,
    /// By ghost: the twins that may take it.
    callers: Lists,
    /// By twin: the ghosts that it may take, ascending.
    called: Lists,
}

/// What a vertex of the padded graph stands for.
#[derive(Clone, Copy)]
enum Role {
    Player(usize),
    Ghost(usize),
    Twin(usize),
}

impl<'a> Ghosts<'a> {
    /// The graph padded for the set A. If someone is in it twice, or no player at all, there is a twin too many, and
    /// no perfect matching.
    pub(super) fn new(question: &'a SittingOut<'a>, removed: &[usize]) -> Self {
        let (ghost, ghosts) = odd_components(question.costs, question.vertices, removed);
        let members: Vec<_> = (0..question.vertices)
            .filter_map(|v| ghost[v].map(|k| (k, v)))
            .collect();
        let mut calls = Vec::new();
        for (twin, &player) in removed
            .iter()
            .enumerate()
            .filter(|(_, v)| **v < question.vertices)
        {
            question.costs.for_each_neighbour(player, &mut |j, _| {
                calls.extend(ghost.get(j).copied().flatten().map(|k| (twin, k)));
            });
        }
        calls.sort_unstable();
        calls.dedup();
        let callers: Vec<_> = calls.iter().map(|&(twin, k)| (k, twin)).collect();
        Self {
            question,
            members: Lists::new(ghosts, &members),
            callers: Lists::new(ghosts, &callers),
            called: Lists::new(removed.len(), &calls),
            ghost,
        }
    }

    /// The graph that a lineup's barrier asks for, if it is one.
    pub(super) fn of(question: &'a SittingOut<'a>, lineup: &Lineup) -> Result<Self, SittingOutError> {
        let (removed, claimed) = match lineup.barrier() {
            Some(barrier) => (&*barrier.vertices, barrier.odd_components),
            None => (&[][..], 0),
        };
        let form = Self::new(question, removed);
        let found = form.members.len();
        let unplaced = lineup.barrier().map_or(&[][..], |barrier| &barrier.unplaced);
        if claimed != found || !lineup.sitting_out().eq(unplaced.iter().copied()) {
            return Err(SittingOutError::BadBarrier { claimed, found });
        }
        Ok(form)
    }

    /// Whether nothing was added.
    pub(super) fn is_plain(&self) -> bool {
        self.members.len() + self.called.len() == 0
    }

    fn role(&self, vertex: usize) -> Role {
        let (players, ghosts) = (self.question.vertices, self.members.len());
        if vertex < players {
            Role::Player(vertex)
        } else if vertex < players + ghosts {
            Role::Ghost(vertex - players)
        } else {
            Role::Twin(vertex - players - ghosts)
        }
    }

    /// The vertex of a player's ghost.
    fn ghost_of(&self, player: usize) -> Option<usize> {
        let ghost = self.ghost[player]?;
        Some(self.question.vertices + ghost)
    }

    /// The neighbours that padding adds.
    fn for_each_added(&self, vertex: usize, visit: &mut dyn FnMut(usize, f64)) {
        let (players, ghosts) = (self.question.vertices, self.members.len());
        match self.role(vertex) {
            Role::Player(player) => {
                if let Some(ghost) = self.ghost_of(player) {
                    visit(ghost, self.question.fee(player));
                }
            }
            Role::Ghost(k) => {
                for &player in self.members.get(k) {
                    visit(player, self.question.fee(player));
                }
                for twin in self.callers.get(k) {
                    visit(players + ghosts + twin, 0.0);
                }
            }
            Role::Twin(twin) => self.called.get(twin).iter().for_each(|k| visit(players + k, 0.0)),
        }
    }
}

impl CostOracle for Ghosts<'_> {
    fn vertices(&self) -> usize {
        self.question.vertices + self.members.len() + self.called.len()
    }

    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        match (self.role(i), self.role(j)) {
            (Role::Player(i), Role::Player(j)) => self.question.costs.cost(i, j),
            (Role::Player(player), Role::Ghost(k)) | (Role::Ghost(k), Role::Player(player)) => {
                let own = self.ghost[player] == Some(k);
                own.then(|| self.question.fee(player))
            }
            (Role::Ghost(k), Role::Twin(twin)) | (Role::Twin(twin), Role::Ghost(k)) => {
                self.called.get(twin).binary_search(&k).is_ok().then_some(0.0)
            }
            _ => None,
        }
    }

    fn for_each_neighbour(&self, vertex: usize, visit: &mut dyn FnMut(usize, f64)) {
        if vertex < self.question.vertices {
            self.question.costs.for_each_neighbour(vertex, visit);
        }
        self.for_each_added(vertex, visit);
    }

    fn is_sparse(&self) -> bool {
        self.question.costs.is_sparse()
    }

    fn cost_row(&self, i: usize, from: usize, out: &mut [f64]) {
        let players = self.question.vertices;
        let inner = if i < players {
            players.saturating_sub(from).min(out.len())
        } else {
            0
        };
        let (row, rest) = out.split_at_mut(inner);
        if !row.is_empty() {
            self.question.costs.cost_row(i, from, row);
        }
        rest.fill(f64::NAN);
        self.for_each_added(i, &mut |j, cost| {
            if let Some(out) = j.checked_sub(from).and_then(|at| out.get_mut(at)) {
                *out = cost;
            }
        });
    }

    fn lower_bounds(&self, i: usize, from: usize, out: &mut [f32]) -> bool {
        let (costs, players) = (self.question.costs, self.question.vertices);
        if players == 0 {
            return false;
        }
        // Whether there are bounds is the inner oracle's to say, also on a row that it does not have.
        let (inner, at, asked) = if i < players {
            let at = from.min(players);
            ((players - at).min(out.len()), at, i)
        } else {
            (0, 0, 0)
        };
        let (row, rest) = out.split_at_mut(inner);
        if !costs.lower_bounds(asked, at, row) {
            return false;
        }
        rest.fill(f32::NAN);
        self.for_each_added(i, &mut |j, cost| {
            if let Some(out) = j.checked_sub(from).and_then(|at| out.get_mut(at)) {
                *out = at_most(cost);
            }
        });
        true
    }

    fn among<'a>(&'a self, vertices: &[u32]) -> Option<Box<dyn CostOracle + 'a>> {
        let is_player = |vertex: &u32| (*vertex as usize) < self.question.vertices;
        let players = vertices.iter().take_while(|vertex| is_player(vertex)).count();
        let (some, added) = vertices.split_at(players);
        if added.iter().any(is_player) {
            return None;
        }
        Some(Box::new(Sample {
            graph: self,
            players: self.question.costs.among(some)?,
            vertices: vertices.to_vec(),
            split: players,
        }))
    }
}

/// Some of the vertices: players' rows are those of the inner sample, all else is looked up.
struct Sample<'a> {
    graph: &'a Ghosts<'a>,
    players: Box<dyn CostOracle + 'a>,
    vertices: Vec<u32>,
    /// How many are players; these come first.
    split: usize,
}

impl CostOracle for Sample<'_> {
    fn vertices(&self) -> usize {
        self.vertices.len()
    }

    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        self.graph
            .cost(self.vertices[i] as usize, self.vertices[j] as usize)
    }

    fn cost_row(&self, i: usize, from: usize, out: &mut [f64]) {
        let inner = if i < self.split {
            self.split.saturating_sub(from).min(out.len())
        } else {
            0
        };
        let (row, rest) = out.split_at_mut(inner);
        if !row.is_empty() {
            self.players.cost_row(i, from, row);
        }
        for (j, out) in (from + inner..).zip(rest) {
            *out = self.cost(i, j).unwrap_or(f64::NAN);
        }
    }

    fn lower_bounds(&self, i: usize, from: usize, out: &mut [f32]) -> bool {
        if self.split == 0 {
            return false;
        }
        let (inner, at, asked) = if i < self.split {
            let at = from.min(self.split);
            ((self.split - at).min(out.len()), at, i)
        } else {
            (0, 0, 0)
        };
        let (row, rest) = out.split_at_mut(inner);
        if !self.players.lower_bounds(asked, at, row) {
            return false;
        }
        for (j, out) in (from + inner..).zip(rest) {
            *out = self.cost(i, j).map_or(f32::NAN, at_most);
        }
        true
    }
}

impl Form for Ghosts<'_> {
    fn lineup(&self, mates: &[usize]) -> Mates {
        let players = self.question.vertices;
        let own = mates.iter().take(players);
        own.map(|&mate| (mate < players).then_some(mate)).collect()
    }
}
