//! Exchanges between teams until none helps.

use super::calls::Calls;
use super::climb::{Climb, Judge, Top};
use super::group::Group;
use super::pack::{Packing, pack};
use super::relaxed::Relaxed;
use super::sums::Sums;
use super::{ROUNDING, SplitError, SplitProof, TeamSplit, TeamSplitter};
use crate::LobbyObjective;

/// Starts from a draft, and lets parties and players of different teams change places as long as that is better, for
/// groups of any size.
///
/// The draft: the largest parties first, then players alone, each time the best who is left, to the team with the
/// most room, of these to the weakest. Who is best is told by the levels of the balance that is worth most, or,
/// without terms, by the group's order.
///
/// With terms ([`LobbyObjective::terms`]) an exchange of two players is judged in constant time for two teams, in
/// O(k) for k, whatever the number of players. After a first climb comes an annealing run, then climbs from a few
/// exchanges at random, until [`tries`](Self::with_tries) exchanges are tried. The answer states a bound: a
/// semidefinite relaxation of the pair terms for up to 300 parties and players (a simple bound for more) and what
/// balances are worth at most.
///
/// Without terms [`evaluations`](Self::with_evaluations) splits are asked about, and the bound is 1. So it is with
/// terms that have links for more than two teams.
///
/// Tables take 32 bytes for each pair of players, or more of one where terms differ with sizes.
///
/// ```
/// use matchwright_lobby::{Group, SwapSplit, TeamSplitter};
///
/// let skill = |player: usize| (100 - player) as f64;
/// let mean = |team: &[usize]| team.iter().map(|&player| skill(player)).sum::<f64>() / team.len() as f64;
/// let balance = |a: &[usize], b: &[usize]| Some(1.0 - (mean(a) - mean(b)).abs() / 100.0);
/// let group = Group::equal((0..100).collect::<Vec<_>>(), 2)?.with_parties(&[vec![0, 1, 2], vec![7, 50]])?;
/// let split = SwapSplit::new().split(&group, &balance)?;
/// assert!(split.quality > 0.999 && split.bound == 1.0);
/// # Ok::<(), matchwright_lobby::SplitError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SwapSplit {
    tries: u64,
    evaluations: u64,
    seed: u64,
}

/// As many tries for each pair of parties or players are enough.
const PER_PAIR: u64 = 100;

impl Default for SwapSplit {
    fn default() -> Self {
        Self::new()
    }
}

impl SwapSplit {
    /// 40,000 tried exchanges with terms, a few milliseconds; 400 splits asked about without; seed 0.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            tries: 40_000,
            evaluations: 400,
            seed: 0,
        }
    }

    /// How many splits to look at where there are terms; 1 is the draft alone, and more than 100 n^2 are not used for
    /// n parties and players.
    #[must_use]
    pub const fn with_tries(mut self, tries: u64) -> Self {
        self.tries = tries;
        self
    }

    /// How many splits to ask the objective about where there are no terms. With k teams a split that differs by an
    /// exchange is 2 k - 3 questions.
    #[must_use]
    pub const fn with_evaluations(mut self, evaluations: u64) -> Self {
        self.evaluations = evaluations;
        self
    }

    /// The seed of what is left to chance.
    #[must_use]
    pub const fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    pub(super) const fn tries(&self) -> u64 {
        self.tries
    }

    /// How many splits to ask about without terms.
    pub(super) const fn evaluations(&self) -> u64 {
        self.evaluations
    }

    /// Where the search came to with terms, and what no split exceeds by them.
    pub(super) fn climb(&self, sums: &mut Sums<'_>, relaxed: &Relaxed) -> Result<(Top, f64), SplitError> {
        let bound = relaxed.bound();
        let start = draft(sums.group(), &sums.leading_levels())?;
        let units = sums.group().units().len();
        let climb = Climb {
            unit_sizes: &sums.group().unit_sizes(),
            tries: self.tries.min(PER_PAIR * (units * units) as u64),
            seed: self.seed,
            target: bound.min(1.0) - ROUNDING,
            anneal: true,
        };
        Ok((climb.run(sums, start), bound))
    }

    fn by_calls(&self, group: &Group, objective: &dyn LobbyObjective) -> Result<TeamSplit, SplitError> {
        // Earlier players count as better.
        let levels: Vec<f64> = group
            .units()
            .iter()
            .map(|unit| unit.iter().map(|&place| -(place as f64)).sum())
            .collect();
        let climb = Climb {
            unit_sizes: &group.unit_sizes(),
            tries: self.evaluations,
            seed: self.seed,
            target: 1.0,
            anneal: false,
        };
        let mut calls = Calls::new(group, objective);
        let top = climb.run(&mut calls, draft(group, &levels)?);
        if let Some(error) = calls.error() {
            return Err(error);
        }
        let teams = group.teams(&top.team_of);
        let quality = group
            .quality(&teams, objective)?
            .ok_or(SplitError::NotFound { tried: top.tried })?;
        Ok(TeamSplit {
            teams,
            quality,
            bound: 1.0,
            proof: SplitProof::Range,
        })
    }
}

impl TeamSplitter for SwapSplit {
    /// # Errors
    /// [`SplitError::NotFound`] if all splits met are forbidden; [`SplitError::BadQuality`],
    /// [`SplitError::TermsOfOthers`] or [`SplitError::TermsDisagree`].
    fn split(&self, group: &Group, objective: &dyn LobbyObjective) -> Result<TeamSplit, SplitError> {
        let Some(mut sums) = Sums::new(group, objective)? else {
            return self.by_calls(group, objective);
        };
        let relaxed = sums.relaxed();
        let (top, bound) = self.climb(&mut sums, &relaxed)?;
        let found = judged(&mut sums, objective, &top.team_of)?;
        let (teams, quality, links) = found.ok_or(SplitError::NotFound { tried: top.tried })?;
        Ok(TeamSplit {
            teams,
            quality,
            bound: (bound + links).clamp(quality, 1.0),
            proof: SplitProof::Terms,
        })
    }
}

/// The first split, best units first to the weakest teams.
fn draft(group: &Group, levels: &[f64]) -> Result<Vec<usize>, SplitError> {
    match pack(&group.unit_sizes(), group.sizes(), levels) {
        Packing::Found(team_of) => Ok(team_of),
        Packing::Stopped { tried } => Err(SplitError::NotFound { tried }),
        Packing::Impossible => Err(SplitError::NoAllowedSplit { tried: 0 }),
    }
}

/// Teams, their quality by the objective, and what links are worth at most.
type Judged = (Vec<Vec<usize>>, f64, f64);

/// The teams of a split, its quality by the objective, and what links are worth at most in it; `None` if it is
/// forbidden.
///
/// For two teams links are worth the same in every split, and no more than the quality has beyond the other terms.
pub(super) fn judged(
    sums: &mut Sums<'_>,
    objective: &dyn LobbyObjective,
    team_of: &[usize],
) -> Result<Option<Judged>, SplitError> {
    sums.place(team_of);
    let group = sums.group();
    let teams = group.teams(team_of);
    let quality = group.quality(&teams, objective)?;
    sums.agree(&teams, objective)?;
    Ok(quality.map(|quality| {
        let links = if sums.has_links() {
            (quality - sums.raw()).max(0.0)
        } else {
            0.0
        };
        (teams, quality, links)
    }))
}
