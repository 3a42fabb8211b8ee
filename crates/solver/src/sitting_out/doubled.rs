//! Priced, by lists: everyone has a twin.

use super::lineup::Mates;
use super::{Form, SittingOut};
use crate::costs::CostOracle;

/// Two copies of the pairs worth playing; who sits out is paired with his twin.
pub(super) struct Doubled<'a> {
    question: &'a SittingOut<'a>,
}

/// Rows are read in pieces of this length.
const PIECE: usize = 256;

/// The most pairs of which lists are made where rows would do: the solver keeps 64 bytes for each.
const MOST_PAIRS: usize = 1 << 22;

/// Whether lists of the pairs worth playing are the better form: if the graph is sparse, or they are at most a third of
/// all pairs and [`MOST_PAIRS`]. Reads no more rows than it takes to see that.
///
/// By rows, those who sit out are all tied with each other, which is the more work the more they are; by lists, that work
/// is saved, and memory is needed for the pairs.
pub(super) fn suits(question: &SittingOut<'_>) -> bool {
    let players = question.vertices;
    if question.costs.is_sparse() {
        return true;
    }
    // Each pair is seen from both sides.
    let limit = (players.saturating_mul(players.saturating_sub(1)) / 3).min(2 * MOST_PAIRS);
    let mut ends = 0;
    (0..players).all(|i| {
        for_each_worth(question, i, &mut |_, _| ends += 1);
        ends <= limit
    })
}

/// Visits the partners with whom a player is worth pairing. A neighbour that is none is visited, too, for the solver to
/// refuse it.
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
    pub(super) fn new(question: &'a SittingOut<'a>) -> Self {
        Self { question }
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
            cost.filter(|&cost| self.question.worth(i, j, cost))
        } else {
            (i == j).then(|| 2.0 * self.question.fee(i))
        }
    }

    fn for_each_neighbour(&self, vertex: usize, visit: &mut dyn FnMut(usize, f64)) {
        let players = self.question.vertices;
        let (i, offset) = self.player(vertex);
        for_each_worth(self.question, i, &mut |j, cost| {
            visit(offset.saturating_add(j), cost);
        });
        visit(i + players - offset, 2.0 * self.question.fee(i));
    }

    fn is_sparse(&self) -> bool {
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
