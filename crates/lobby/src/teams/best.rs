//! The splitter to use.

use super::exhaustive::ExhaustiveSplit;
use super::group::Group;
use super::sums::Sums;
use super::{BranchAndBoundSplit, SplitError, SwapSplit, TeamSplit, TeamSplitter};
use crate::LobbyObjective;

/// The best split that a few milliseconds find, proven best where that is possible, with its gap otherwise.
///
/// | objective | group | method |
/// |---|---|---|
/// | with terms | up to [`PROVEN_WAYS`](Self::PROVEN_WAYS) ways to split | [`BranchAndBoundSplit`] |
/// | with terms | more | [`SwapSplit`], bound by a relaxation of the terms |
/// | without | no more splits than [`SwapSplit::with_evaluations`] says, 400 | [`ExhaustiveSplit`] |
/// | without | more | [`SwapSplit`], bound 1 |
///
/// Ten against ten has 184,756 ways, so that with terms it is always proven; so are larger groups with many parties.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BestSplit {
    swaps: SwapSplit,
    nodes: u64,
}

impl Default for BestSplit {
    fn default() -> Self {
        Self::new()
    }
}

impl BestSplit {
    /// With as many ways, sides told apart, or fewer, the best is proven.
    pub const PROVEN_WAYS: u64 = 200_000;

    /// With the budgets of [`SwapSplit::new`] and [`BranchAndBoundSplit::new`].
    #[must_use]
    pub const fn new() -> Self {
        Self {
            swaps: SwapSplit::new(),
            nodes: 1_000_000,
        }
    }

    /// The search by exchanges, its budget and seed.
    #[must_use]
    pub const fn with_swaps(mut self, swaps: SwapSplit) -> Self {
        self.swaps = swaps;
        self
    }

    /// How many placements to try at most where the best is to be proven.
    #[must_use]
    pub const fn with_nodes(mut self, nodes: u64) -> Self {
        self.nodes = nodes;
        self
    }
}

impl TeamSplitter for BestSplit {
    /// # Errors
    /// Those of the methods: [`SplitError::NoAllowedSplit`] or [`SplitError::NotFound`], [`SplitError::BadQuality`],
    /// [`SplitError::TermsOfOthers`] or [`SplitError::TermsDisagree`].
    fn split(&self, group: &Group, objective: &dyn LobbyObjective) -> Result<TeamSplit, SplitError> {
        let ways = group.splits();
        if let Some(mut sums) = Sums::new(group, objective)? {
            let few = ways <= Self::PROVEN_WAYS;
            // A better start saves no more than all there is to search.
            let tries = self.swaps.tries().min(if few { ways / 16 } else { u64::MAX });
            let search = BranchAndBoundSplit::new().with_start(self.swaps.with_tries(tries));
            let nodes = if few { self.nodes } else { 0 };
            return search.with_nodes(nodes).by_terms(&mut sums, objective);
        }
        let sizes = group.sizes();
        // Two teams of one size may change sides.
        let sides = if sizes.len() == 2 && sizes[0] == sizes[1] {
            2
        } else {
            1
        };
        let small = group.players().len() <= ExhaustiveSplit::MAX_PLAYERS;
        if small && ways / sides <= self.swaps.evaluations() {
            ExhaustiveSplit.split(group, objective)
        } else {
            self.swaps.split(group, objective)
        }
    }
}
