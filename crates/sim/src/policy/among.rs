//! Samples of a list of players, as graphs of their own.

use matchwright_solver::CostOracle;
use rand::Rng;
use rand::seq::index::sample;

use super::starting_duals::SamplePlan;

/// Some players of a list, as a graph of their own.
pub(super) enum Among<'a> {
    /// The oracle's own answer, which has fast rows.
    Own(Box<dyn CostOracle + 'a>),
    /// One look-up a pair.
    Renamed(Renamed<'a>),
}

impl<'a> Among<'a> {
    pub(super) fn new(costs: &'a dyn CostOracle, members: &'a [usize]) -> Self {
        let numbers: Result<Vec<u32>, _> = members.iter().map(|&i| u32::try_from(i)).collect();
        let own = numbers.ok().and_then(|numbers| costs.among(&numbers));
        own.map_or(Self::Renamed(Renamed { costs, members }), Self::Own)
    }

    pub(super) fn as_dyn(&self) -> &dyn CostOracle {
        match self {
            Self::Own(costs) => costs,
            Self::Renamed(costs) => costs,
        }
    }
}

/// A graph whose vertex `i` is another's `members[i]`.
pub(super) struct Renamed<'a> {
    pub(super) costs: &'a dyn CostOracle,
    pub(super) members: &'a [usize],
}

impl CostOracle for Renamed<'_> {
    fn vertices(&self) -> usize {
        self.members.len()
    }

    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        self.costs.cost(self.members[i], self.members[j])
    }
}

/// The members of each sample, ascending.
pub(super) fn draw(players: usize, plan: SamplePlan, rng: &mut dyn Rng) -> Vec<Vec<usize>> {
    let size = plan.size.min(players) & !1;
    let mut one = || {
        let mut members: Vec<usize> = sample(rng, players, size).into_vec();
        members.sort_unstable();
        members
    };
    (0..plan.samples.max(1)).map(|_| one()).collect()
}
