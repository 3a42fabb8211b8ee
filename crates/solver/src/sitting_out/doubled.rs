//! Priced, everyone with a twin: by lists, or by rows.

use std::ops::Range;

use super::lineup::Mates;
use super::on_paper::{OnPaper, at_most};
use super::{Form, SittingOut};
use crate::costs::CostOracle;
use crate::exact::ExactPairing;
use crate::objective::Objective;
use crate::solver::{PairingSolver, Workspace};

/// Two copies of the pairs; who sits out is paired with his twin.
pub(super) struct Doubled<'a> {
    question: &'a SittingOut<'a>,
    /// To be read by lists of the pairs worth playing.
    lists: bool,
    /// By rows: what costs more, to be made small, is forbidden.
    ceiling: f64,
}

/// By rows, pairs not worth playing are allowed, since a solver has less work without holes in its rows; but only up
/// to so many times the largest price, lest numbers that stand for "never" leave no digits for the others.
const DEAREST: f64 = 16.0;

/// Rows are read in pieces of this length.
const PIECE: usize = 256;

/// The most pairs of which lists are made where rows would do: the solver keeps 64 bytes for each.
const MOST_PAIRS: usize = 1 << 21;

/// Twins are the better form by rows if k of n sit out and k^2 is more than this many times n.
///
/// Measured: on paper a solve takes some 1e-9 k^3 seconds longer for the choice among ties, with twins three to four
/// times the plain solve's time. Both are the same near k = 300, 400, 1300 for n = 500, 1000, 10,000.
const TIES_PER_PLAYER: usize = 128;

/// At most so many players, and one in eight of all, are asked who of them sits out.
const SAMPLE: usize = 256;

/// Whether so many will sit out that twins are less work than pairs on paper, which are all tied with each other.
///
/// Judged by a sample, evenly spaced: so it depends on the question alone. O(n) and the sample's solve.
pub(super) fn saves_ties(question: &SittingOut<'_>) -> bool {
    let players = question.vertices;
    if players <= TIES_PER_PLAYER {
        return false;
    }
    let size = (players / 8).min(SAMPLE);
    let some = Few {
        costs: question.costs,
        players: (0..size).map(|k| k * players / size).collect(),
    };
    let sample = SittingOut {
        costs: &some,
        vertices: size,
        prices: some.players.iter().map(|&i| question.price(i)).collect(),
        ..*question
    };
    let form = OnPaper::new(&sample);
    let solver = ExactPairing::new(question.objective);
    // Not the caller's workspace, which may have learned from other rounds.
    let Ok(pairing) = solver.solve(&mut Workspace::new(), &form) else {
        return false;
    };
    let out = form
        .lineup(pairing.mates())
        .iter()
        .filter(|mate| mate.is_none())
        .count();
    let out = out * players / size;
    out.saturating_mul(out) > TIES_PER_PLAYER * players
}

/// The costs among some players.
struct Few<'a> {
    costs: &'a dyn CostOracle,
    players: Vec<usize>,
}

impl CostOracle for Few<'_> {
    fn vertices(&self) -> usize {
        self.players.len()
    }

    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        self.costs.cost(self.players[i], self.players[j])
    }
}

/// Whether lists of the pairs worth playing are the best form: if the graph is sparse, or they are at most a quarter
/// of all pairs and [`MOST_PAIRS`]. Reads no more rows than it takes to see that.
///
/// Lists need memory for the pairs, rows do not.
pub(super) fn suits_lists(question: &SittingOut<'_>) -> bool {
    let players = question.vertices;
    if question.costs.is_sparse() {
        return true;
    }
    // Each pair is seen from both sides.
    let limit = (players.saturating_mul(players.saturating_sub(1)) / 4).min(2 * MOST_PAIRS);
    let mut ends = 0;
    (0..players).all(|i| {
        for_each_worth(question, i, &mut |_, _| ends += 1);
        ends <= limit
    })
}

/// Visits the partners with whom a player is worth pairing. A neighbour that is none is visited, too, for the solver
/// to refuse it.
fn for_each_worth(question: &SittingOut<'_>, i: usize, visit: &mut dyn FnMut(usize, f64)) {
    let (players, costs) = (question.vertices, question.costs);
    if costs.is_sparse() {
        costs.for_each_neighbour(i, &mut |j, cost| {
            if j >= players || question.worth(i, j, cost) {
                visit(j, cost);
            }
        });
        return;
    }
    let mut piece = [f64::NAN; PIECE];
    for from in (0..players).step_by(PIECE) {
        let row = &mut piece[..PIECE.min(players - from)];
        costs.cost_row(i, from, row);
        for (j, &cost) in (from..).zip(&*row) {
            if !cost.is_nan() && question.worth(i, j, cost) {
                visit(j, cost);
            }
        }
    }
}

impl<'a> Doubled<'a> {
    pub(super) fn new(question: &'a SittingOut<'a>, lists: bool) -> Self {
        let largest = question
            .prices
            .iter()
            .fold(0.0, |max: f64, price| max.max(price.abs()));
        Self {
            question,
            lists,
            ceiling: (DEAREST * largest).min(f64::MAX),
        }
    }

    /// Whether the pair of two players is allowed.
    fn allows(&self, i: usize, j: usize, cost: f64) -> bool {
        if self.lists {
            self.question.worth(i, j, cost)
        } else {
            // What is not finite is for the solver to refuse.
            self.question.objective.as_minimum(cost) <= self.ceiling || !cost.is_finite()
        }
    }

    /// A player, and 0 or n by which copy of him it is.
    fn player(&self, vertex: usize) -> (usize, usize) {
        let players = self.question.vertices;
        if vertex < players {
            (vertex, 0)
        } else {
            (vertex - players, players)
        }
    }

    /// Of `len` vertices from `from` on: where those of the copy that begins at `offset` begin and end, and where the
    /// first of them is in the inner graph.
    fn own(&self, offset: usize, from: usize, len: usize) -> (Range<usize>, usize) {
        let start = offset.max(from).min(from + len);
        let end = (offset + self.question.vertices).clamp(start, from + len);
        (
            start - from..end - from,
            start.saturating_sub(offset).min(self.question.vertices),
        )
    }

    /// The lineup of the copy that begins at `offset`.
    fn copy(&self, mates: &[usize], offset: usize) -> Mates {
        let players = self.question.vertices;
        let own = mates.iter().skip(offset).take(players);
        own.map(|mate| mate.checked_sub(offset).filter(|&j| j < players))
            .collect()
    }
}

impl CostOracle for Doubled<'_> {
    fn vertices(&self) -> usize {
        2 * self.question.vertices
    }

    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        let ((i, copy), (j, other)) = (self.player(i), self.player(j));
        if copy == other {
            let cost = self.question.costs.cost(i, j);
            cost.filter(|&cost| self.allows(i, j, cost))
        } else {
            (i == j).then(|| 2.0 * self.question.fee(i))
        }
    }

    fn for_each_neighbour(&self, vertex: usize, visit: &mut dyn FnMut(usize, f64)) {
        let players = self.question.vertices;
        let (i, offset) = self.player(vertex);
        if self.lists {
            for_each_worth(self.question, i, &mut |j, cost| {
                visit(offset.saturating_add(j), cost);
            });
        } else {
            self.question.costs.for_each_neighbour(i, &mut |j, cost| {
                if self.allows(i, j, cost) {
                    visit(offset.saturating_add(j), cost);
                }
            });
        }
        visit(i + players - offset, 2.0 * self.question.fee(i));
    }

    fn is_sparse(&self) -> bool {
        self.lists
    }

    fn cost_row(&self, vertex: usize, from: usize, out: &mut [f64]) {
        let question = self.question;
        let (i, offset) = self.player(vertex);
        let (own, at) = self.own(offset, from, out.len());
        out.fill(f64::NAN);
        if !own.is_empty() {
            let row = &mut out[own];
            question.costs.cost_row(i, at, row);
            for (j, cost) in (at..).zip(row) {
                if !self.allows(i, j, *cost) {
                    *cost = f64::NAN;
                }
            }
        }
        let twin = i + question.vertices - offset;
        if let Some(twin) = twin.checked_sub(from).and_then(|at| out.get_mut(at)) {
            *twin = 2.0 * question.fee(i);
        }
    }

    /// Those of the inner graph, also of pairs that are forbidden here, whose bounds may be any number.
    fn lower_bounds(&self, vertex: usize, from: usize, out: &mut [f32]) -> bool {
        let question = self.question;
        if self.lists || question.objective == Objective::Maximize {
            return false;
        }
        let (i, offset) = self.player(vertex);
        let (own, at) = self.own(offset, from, out.len());
        out.fill(f32::NAN);
        if !question.costs.lower_bounds(i, at, &mut out[own]) {
            return false;
        }
        let twin = i + question.vertices - offset;
        if let Some(twin) = twin.checked_sub(from).and_then(|at| out.get_mut(at)) {
            *twin = at_most(2.0 * question.fee(i));
        }
        true
    }
}

impl Form for Doubled<'_> {
    /// The better of the two lineups; the players' own, if they are as good.
    fn lineup(&self, mates: &[usize]) -> Mates {
        let copies = [0, self.question.vertices].map(|offset| self.copy(mates, offset));
        let [own, twins] = copies;
        let cost = |mates: &Mates| {
            let total = self.question.total(mates);
            total.map_or(f64::INFINITY, |(sum, _)| self.question.objective.as_minimum(sum))
        };
        if cost(&twins) < cost(&own) { twins } else { own }
    }

    fn scale(&self) -> f64 {
        2.0
    }
}
