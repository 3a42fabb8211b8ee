//! Who plays whom, and who sits out.
//!
//! A pool of players seldom pairs up to the last: their number is odd, pairs are forbidden, or not worth playing.
//! [`SittingOut`] pads the graph so that it has a perfect matching, which any solver finds, and reads from that who
//! plays whom. One file a form of padding: [`on_paper`] and [`doubled`] for priced lineups, if few or many sit out,
//! [`ghosts`] for as many players as possible, from the [`barrier`] that says how many that are. [`solve`] asks the
//! solver, [`proof`] judges the answer.

mod barrier;
mod doubled;
mod error;
mod ghosts;
mod lineup;
mod lists;
mod on_paper;
mod proof;
mod solve;

pub use error::SittingOutError;
pub use lineup::Lineup;

use std::fmt;

use crate::costs::CostOracle;
use crate::error::SolveError;
use crate::objective::Objective;
use crate::sum::sum_rounded_once;
use lineup::Mates;

/// The question who plays whom and who sits out, for any [`PairingSolver`](crate::PairingSolver).
///
/// ```text
/// minimise  sum of c_ij over the pairs {i, j}  +  sum of p_k over those who sit out,  everyone in at most one pair
/// ```
///
/// `p_k`, in the unit of the costs, is the price of leaving player k out: what his waiting is worth. A pair is worth
/// playing if `c_ij <= p_i + p_j`.
///
/// | | who sits out |
/// |---|---|
/// | [`priced`](Self::priced) | whoever makes that sum the least |
/// | [`fewest`](Self::fewest) | as few as possible; of all lineups that leave so few, the sum is the least |
///
/// # Prices
/// Finite numbers of any sign. Only what a pair costs beyond its prices counts: costs `c_ij + f_i + f_j` with prices
/// `p_i + f_i` have the same lineups, so that no sign is special. A negative price pays a player to rest.
///
/// A price is paid under either [`Objective`]. Maximised, costs are gains and prices are taken off them:
///
/// ```text
/// maximise  sum of c_ij over the pairs {i, j}  -  sum of p_k over those who sit out
/// ```
///
/// so that raising a player's price never makes him sit out, whichever end is wanted. The largest sum is the least
/// for the negated costs at the same prices, negated. Say the objective before the solve
/// ([`with_objective`](Self::with_objective)), since the padded graph depends on it.
///
/// # Padding
/// The solver gets a graph with a perfect matching whose cost is that of the lineup. For n players, written for the
/// minimum (for the maximum read max for min, -p for p):
///
/// 1. Priced, by rows. If n is odd, a ghost joins, with whom player k costs `p_k`. Then an even number is left
///    to sit out, who can be paired up with each other on paper: every pair is allowed, at `min(c_ij, p_i + p_j)`, or
///    at `p_i + p_j` if it is forbidden. Conversely a pair at `p_i + p_j < c_ij` means that both sit out. n or n + 1
///    vertices, and no memory but the prices: rows are made of the inner graph's rows, bounds of its bounds.
/// 2. Priced, with twins: by lists if the graph is [sparse](CostOracle::is_sparse), or few pairs are worth playing
///    (at most a quarter of all, and 2 million); by rows if many will sit out, as a sample of the players shows,
///    since those who are paired on paper are all tied with each other. Player k has a twin k + n. The pairs worth
///    playing are allowed at `c_ij`, among the twins as well, and k with k + n at `2 p_k`. (By rows so are others,
///    which no optimum uses, unless they cost more than 16 times the largest price.) A perfect matching is two
///    lineups, one of the players and one of the twins, in which the same sit out; and any lineup, taken twice, is a
///    perfect matching at twice its cost. So both lineups of an optimal one are optimal (of any other, the better
///    counts). 2 n vertices, at most 2 m + n edges.
/// 3. Fewest. For any set A of players of the graph G, at least d = odd(G - A) - |A| players sit out, and for some A
///    no more have to (see [`Barrier`](crate::Barrier)): for A = {} if only odd numbers stand in the way. Each odd
///    component of G - A gets a ghost, allowed with each player k of the component at `p_k`. Each player in A gets a
///    twin, allowed at 0 with the ghosts of the components in which the player has neighbours. In a perfect matching
///    the twins take |A| ghosts; the d others take a player each, who sits out. Conversely let d players sit out.
///    Every odd component has a player who sits out or is paired with someone in A. There are d + |A| components, so
///    that each has just one such player, and A is paired with such players only. The ghost takes the player who sits
///    out, or the partner's twin takes the ghost. n + d + 2 |A| vertices, at most 2 m + n edges.
///
/// [`padded`](Self::padded) is that graph: [`verify()`](crate::verify()) on it is the proof, and
/// [`SittingOut::verify`] the whole proof, in terms of the lineup. No huge number stands for anything.
///
/// # Ties
/// Two players whom form 1 pairs at just `p_i + p_j` do play. Otherwise ties are the solver's to settle, on the
/// padded graph, whose players come first and in their order; the same question always gets the same answer. From a
/// solver that prefers the lexicographically smallest mates, forms 2 and 3 get the smallest mates of all optimal
/// lineups, with sitting out after every partner: so playing wins, and among equals those who come last sit out.
///
/// # Exactness
/// The lineup's cost is the exact sum of costs and prices, rounded once. Form 1 has to write `p_i + p_j` as one
/// float, which loses nothing on integers up to 2^52, or with one price for all. Else it is rounded to the lower
/// side, so that bounds hold for the exact sums, and what the lineup's own sums lose is part of the verdict's
/// `quantisation_error`. Forms 2 and 3 add up nothing.
///
/// # Heuristics
/// Any solver will do; without a certificate nothing is proven, but [`measure`](Self::measure) finds a bound.
/// [`GreedyPairing`](crate::GreedyPairing) never gets stuck on a priced question, but what it takes first may be to
/// let two players with small prices sit out. On form 3 it may well get stuck, unless one player of a complete graph
/// is left over.
///
/// Form 2 in principle: Schäfer, "Weighted matchings in general graphs", master's thesis, Universität des Saarlandes,
/// 2000, section 1.5.1. Sources of form 3: see [`Barrier`](crate::Barrier).
///
/// ```
/// use matchwright_solver::{DenseCosts, ExactPairing, SittingOut, Workspace};
///
/// // Five players, the cost of a pair is the gap in skill; player 3 has waited for long.
/// let skills = [1500.0, 1540.0, 1900.0, 1450.0, 2400.0_f64];
/// let gaps = DenseCosts::from_fn(5, |i, j| (skills[i] - skills[j]).abs())?;
/// let waited = vec![30.0, 30.0, 30.0, 90.0, 30.0];
/// let question = SittingOut::priced(&gaps, waited)?;
/// let lineup = question.solve(&ExactPairing::minimum(), &mut Workspace::new())?;
/// assert_eq!(lineup.pairs().collect::<Vec<_>>(), [(0, 3)]);
/// assert_eq!(lineup.sitting_out().collect::<Vec<_>>(), [1, 2, 4]);
/// assert_eq!(lineup.cost(), 50.0 + 30.0 + 30.0 + 30.0);
/// assert!(question.verify(&lineup)?.is_exact());
///
/// // Everyone who can, plays.
/// let question = SittingOut::fewest(&gaps);
/// let lineup = question.solve(&ExactPairing::minimum(), &mut Workspace::new())?;
/// assert_eq!(lineup.sitting_out().collect::<Vec<_>>(), [4]);
/// assert_eq!(lineup.barrier().unwrap().unplaced.len(), 1);
/// assert!(question.verify(&lineup)?.is_exact());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct SittingOut<'a> {
    costs: &'a dyn CostOracle,
    vertices: usize,
    /// One a player, or none if all are 0.
    prices: Vec<f64>,
    objective: Objective,
    rule: Rule,
}

/// What comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rule {
    /// The sum of costs and prices.
    Priced,
    /// How many play.
    Fewest,
}

/// A padded graph and how to read it.
trait Form: CostOracle {
    /// Who plays whom, given a perfect matching of this graph.
    fn lineup(&self, mates: &[usize]) -> Mates;

    /// How many times the lineup's cost the cost of an optimal perfect matching is: a power of two.
    fn scale(&self) -> f64 {
        1.0
    }
}

impl<'a> SittingOut<'a> {
    /// The lineup with the least sum of costs and prices, one price for each player.
    ///
    /// # Errors
    /// [`SittingOutError::PriceCount`], [`SittingOutError::BadPrice`].
    pub fn priced(costs: &'a dyn CostOracle, prices: Vec<f64>) -> Result<Self, SittingOutError> {
        Self::new(costs, Rule::Priced).with_prices(prices)
    }

    /// The lineup that leaves out as few players as possible: a maximum matching, and the cheapest of these.
    ///
    /// Prices, 0 if none are given, then only say who of the players.
    ///
    /// ```
    /// use matchwright_solver::{ExactPairing, SittingOut, SparseCosts, Workspace};
    ///
    /// // Everyone may only play player 0. Player 3 has waited the longest.
    /// let star = SparseCosts::from_edges(4, [(0, 1, 5.0), (0, 2, 5.0), (0, 3, 6.0)])?;
    /// let question = SittingOut::fewest(&star).with_prices(vec![0.0, 10.0, 10.0, 20.0])?;
    /// let lineup = question.solve(&ExactPairing::minimum(), &mut Workspace::new())?;
    /// assert_eq!(lineup.mates(), [Some(3), None, None, Some(0)]);
    /// let barrier = lineup.barrier().unwrap();
    /// assert_eq!((barrier.vertices.as_slice(), barrier.odd_components), (&[0][..], 3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn fewest(costs: &'a dyn CostOracle) -> Self {
        Self::new(costs, Rule::Fewest)
    }

    fn new(costs: &'a dyn CostOracle, rule: Rule) -> Self {
        Self {
            costs,
            vertices: costs.vertices(),
            prices: Vec::new(),
            objective: Objective::Minimize,
            rule,
        }
    }

    /// The same question with these prices, one for each player.
    ///
    /// # Errors
    /// [`SittingOutError::PriceCount`]; [`SittingOutError::BadPrice`] names the first player whose price is NaN,
    /// infinite, or so large that twice of it is.
    pub fn with_prices(mut self, prices: Vec<f64>) -> Result<Self, SittingOutError> {
        if prices.len() != self.vertices {
            return Err(SittingOutError::PriceCount {
                prices: prices.len(),
                vertices: self.vertices,
            });
        }
        if let Some(vertex) = prices.iter().position(|price| !(2.0 * price).is_finite()) {
            let price = prices[vertex];
            return Err(SittingOutError::BadPrice { vertex, price });
        }
        self.prices = prices;
        Ok(self)
    }

    /// The same question at this end of the scale; without it, the least.
    #[must_use]
    pub const fn with_objective(mut self, objective: Objective) -> Self {
        self.objective = objective;
        self
    }

    /// How many players there are.
    #[must_use]
    pub const fn vertices(&self) -> usize {
        self.vertices
    }

    /// The price of leaving a player out.
    #[must_use]
    pub fn price(&self, player: usize) -> f64 {
        self.prices.get(player).copied().unwrap_or(0.0)
    }

    /// Which end of the scale is wanted.
    #[must_use]
    pub const fn objective(&self) -> Objective {
        self.objective
    }

    /// The sum of costs and prices, rounded once, and that of their magnitudes.
    fn total(&self, mates: &[Option<usize>]) -> Result<(f64, f64), SolveError> {
        let values = self.values(mates)?;
        let size = values.iter().map(|value| value.abs()).sum::<f64>().min(f64::MAX);
        let sum = sum_rounded_once(values.into_iter());
        if sum.is_finite() {
            Ok((sum, size))
        } else {
            Err(SolveError::SumOverflow { sum })
        }
    }

    /// What each pair and each player who sits out adds to the sum.
    fn values(&self, mates: &[Option<usize>]) -> Result<Vec<f64>, SolveError> {
        let mut values = Vec::with_capacity(mates.len());
        for (i, &mate) in mates.iter().enumerate() {
            values.push(match mate {
                Some(j) if j < i => continue,
                Some(j) => self.costs.cost(i, j).ok_or(SolveError::ForbiddenPair { i, j })?,
                None => self.fee(i),
            });
        }
        Ok(values)
    }

    /// What leaving a player out adds to the sum: the price, with its sign.
    fn fee(&self, player: usize) -> f64 {
        self.objective.as_minimum(self.price(player))
    }

    /// Whether a pair costs no more than its prices.
    fn worth(&self, i: usize, j: usize, cost: f64) -> bool {
        is_worth(self.objective.as_minimum(cost), self.price(i), self.price(j))
    }
}

/// Whether a cost, to be made small, is at most the exact sum of two prices. What is not finite goes on to the
/// solver, which refuses it.
fn is_worth(cost: f64, a: f64, b: f64) -> bool {
    let (prices, rest) = sum_and_rest(a, b);
    cost < prices || (cost == prices && rest >= 0.0) || !cost.is_finite()
}

/// The rounded sum, and what is to be added to it for the exact one.
///
/// Dekker, "A floating-point technique for extending the available precision", Numer. Math. 18 (1971),
/// doi:10.1007/BF01397083.
fn sum_and_rest(a: f64, b: f64) -> (f64, f64) {
    let (large, small) = if a.abs() >= b.abs() { (a, b) } else { (b, a) };
    let sum = large + small;
    (sum, small - (sum - large))
}

impl fmt::Debug for SittingOut<'_> {
    /// All but the costs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SittingOut")
            .field("rule", &self.rule)
            .field("objective", &self.objective)
            .field("vertices", &self.vertices)
            .field("prices", &self.prices)
            .finish_non_exhaustive()
    }
}

// Questions are asked from wherever the queue runs.
const fn is_send<T: Send + Sync>() {}
const _: () = is_send::<SittingOut<'_>>();
