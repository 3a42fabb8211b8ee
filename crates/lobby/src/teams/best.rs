//! The splitter to use: all splits of small groups, annealing with a bound for larger ones.

use matchwright_solver::{Limits, Meter, Status};

use super::allowed::Components;
use super::by_exchanges::split_by_exchanges;
use super::by_turns::split_by_turns;
use super::divide::best_allowed;
use super::exhaustive::ExhaustiveSplit;
use super::group::Group;
use super::relaxed::Relaxed;
use super::{ROUNDING, SplitError, TeamSplit, TeamSplitter};
use crate::search::status_at_end;
use crate::unit_terms::UnitTerms;
use crate::{Annealing, BoundSource, LobbyObjective, LobbyPool, LobbySolver, LobbyTerms};

/// The best split that a few milliseconds find, proven best where that is possible, with its gap otherwise.
///
/// | objective | group | method | bound |
/// |---|---|---|---|
/// | with terms, two teams | up to [`splits`](Self::with_splits) allowed ones | all allowed splits | proven best |
/// | with terms, two teams | more | [`Annealing`] of one match | a semidefinite relaxation of the pair terms for up to 300 parties and players, a simple one for more, and what balances are worth at most |
/// | any | no more than [`evaluations`](Self::with_evaluations) splits | [`ExhaustiveSplit`] | proven best |
/// | any | more | annealing over exchanges, each evaluated by the objective | 1 |
///
/// Ten against ten has 184,756 splits, so that with terms it is always proven; so are larger groups with many parties
/// or forbidden pairs.
///
/// With terms and two teams of n players, whether some split is allowed is decided, in O(n^2), before any is tried: units
/// with a pair forbidden as opponents are in one team, units with a pair forbidden as mates are not, so that each
/// connected component of units can be turned two ways, and which ways fill the teams is a subset-sum problem. Where
/// pairs bind units to each other, annealing turns components, so that all it meets is allowed. For more than two teams
/// this would be graph colouring: there, and without terms, an allowed split may be missed
/// ([`SplitError::NotFound`]).
///
/// ```
/// use matchwright_lobby::{BestSplit, Group, TeamSplitter};
///
/// let skill = |player: usize| (100 - player) as f64;
/// let mean = |team: &[usize]| team.iter().map(|&player| skill(player)).sum::<f64>() / team.len() as f64;
/// let balance = |a: &[usize], b: &[usize]| Some(1.0 - (mean(a) - mean(b)).abs() / 100.0);
/// let group = Group::equal((0..100).collect::<Vec<_>>(), 2)?.with_parties(&[vec![0, 1, 2], vec![7, 50]])?;
/// let split = BestSplit::new().split(&group, &balance)?;
/// assert!(split.quality > 0.999 && split.bound == 1.0);
/// # Ok::<(), matchwright_lobby::SplitError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BestSplit {
    splits: u64,
    tries: u64,
    evaluations: u64,
    seed: u64,
}

impl Default for BestSplit {
    fn default() -> Self {
        Self::new()
    }
}

impl BestSplit {
    /// 200,000 splits, 40,000 exchanges with terms, 2,000 splits evaluated without; seed 0.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            splits: 200_000,
            tries: 40_000,
            evaluations: 2000,
            seed: 0,
        }
    }

    /// With terms, groups of up to this many splits that forbidden pairs allow, sides told apart, are searched
    /// exhaustively.
    #[must_use]
    pub const fn with_splits(mut self, splits: u64) -> Self {
        self.splits = splits;
        self
    }

    /// How many exchanges to try where there are terms.
    #[must_use]
    pub const fn with_tries(mut self, tries: u64) -> Self {
        self.tries = tries;
        self
    }

    /// How many splits to evaluate by the objective where there are no terms, or more than two teams: k (k - 1) / 2 calls
    /// each for k teams.
    #[must_use]
    pub const fn with_evaluations(mut self, evaluations: u64) -> Self {
        self.evaluations = evaluations;
        self
    }

    /// The seed of the random choices.
    #[must_use]
    pub const fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    fn by_terms(
        &self,
        group: &Group,
        terms: &LobbyTerms,
        objective: &dyn LobbyObjective,
        limits: &Limits<'_>,
    ) -> Result<TeamSplit, SplitError> {
        let sizes = (group.sizes()[0], group.sizes()[1]);
        let units = UnitTerms::new(terms, group.units());
        let components = Components::new(&units, sizes).ok_or(SplitError::NoAllowedSplit { tried: 0 })?;
        let is_small = components.splits() <= self.splits.min(limits.work().unwrap_or(u64::MAX));
        let (team_of, mut status) = if is_small {
            let (best, ended) = best_allowed(&components, &Meter::new(*limits));
            (best, ended.err().unwrap_or(Status::Optimal))
        } else if components.are_units() {
            self.annealed(group, terms, limits)?
        } else {
            let best = split_by_turns(&components, (self.tries, self.seed), limits);
            (best, status_at_end(limits, self.tries))
        };
        let teams = group.teams(&team_of);
        let quality = agreed(group, terms, objective, &teams)?;
        let quality = quality.ok_or(SplitError::NotFound { tried: self.tries })?;
        let (mut bound, source) = if status == Status::Optimal {
            (quality, BoundSource::Complete)
        } else {
            // Links are worth the same in every split.
            let all: Vec<usize> = (0..group.players().len()).collect();
            let links = terms.links(terms.linked_with_all(&all));
            let bound = (Relaxed::of(group, &units).bound() + links).clamp(quality, 1.0);
            let is_trivial = bound >= 1.0 && quality < 1.0;
            (
                bound,
                if is_trivial {
                    BoundSource::Trivial
                } else {
                    BoundSource::Relaxation
                },
            )
        };
        if bound - quality <= ROUNDING {
            (bound, status) = (quality, Status::Optimal);
        }
        Ok(TeamSplit {
            teams,
            quality,
            bound,
            source,
            status,
        })
    }

    /// The team of each unit, found by annealing a pool of one match, and how that ended.
    fn annealed(
        &self,
        group: &Group,
        terms: &LobbyTerms,
        limits: &Limits<'_>,
    ) -> Result<(Vec<usize>, Status), SplitError> {
        let places = group.players().len();
        let not_found = |_| SplitError::NotFound { tried: self.tries };
        let pool = LobbyPool::new(places, group.sizes())
            .and_then(|pool| pool.with_parties(group.units()))
            .map_err(not_found)?;
        let search = Annealing::new(self.seed)
            .with_moves(self.tries)
            .with_parts_of(places);
        let lineups = search
            .solve_within(&pool, &OfPlaces(terms), limits)
            .map_err(not_found)?;
        let lobby = lineups
            .lobbies
            .first()
            .ok_or(SplitError::NotFound { tried: self.tries })?;
        let team = |unit: &Vec<usize>| usize::from(!lobby.team_a().contains(&unit[0]));
        Ok((group.units().iter().map(team).collect(), lineups.status))
    }
}

impl TeamSplitter for BestSplit {
    /// One exchange or split is one unit of work.
    ///
    /// # Errors
    /// [`SplitError::NoAllowedSplit`] or [`SplitError::Objective`]; [`SplitError::NotFound`] for more than two teams or
    /// without terms.
    fn split_within(
        &self,
        group: &Group,
        objective: &dyn LobbyObjective,
        limits: &Limits<'_>,
    ) -> Result<TeamSplit, SplitError> {
        let sizes = group.sizes();
        if let &[a, b] = sizes
            && a.min(b) > 0
            && let Some(terms) = objective.checked_terms(group.players(), (a, b))?
        {
            return self.by_terms(group, &terms, objective, limits);
        }
        // Two teams of one size may change sides.
        let sides = if sizes.len() == 2 && sizes[0] == sizes[1] {
            2
        } else {
            1
        };
        let splits = group.splits();
        if splits <= ExhaustiveSplit::MAX_SPLITS && splits / sides <= self.evaluations {
            ExhaustiveSplit.split_within(group, objective, limits)
        } else {
            split_by_exchanges(group, objective, (self.evaluations, self.seed), limits)
        }
    }
}

/// The quality of the teams by the objective.
///
/// # Errors
/// [`SplitError::Objective`], also if the terms do not sum to it.
fn agreed(
    group: &Group,
    terms: &LobbyTerms,
    objective: &dyn LobbyObjective,
    teams: &[Vec<usize>],
) -> Result<Option<f64>, SplitError> {
    let place = |player: &usize| group.players().iter().position(|other| other == player);
    let [a, b] = [0, 1].map(|team| teams[team].iter().filter_map(place).collect::<Vec<_>>());
    Ok(objective.agreed_quality(teams, terms.quality(&a, &b))?)
}

/// Terms as the objective of their own players.
struct OfPlaces<'a>(&'a LobbyTerms);

impl LobbyObjective for OfPlaces<'_> {
    fn quality(&self, team_a: &[usize], team_b: &[usize]) -> Option<f64> {
        self.0.quality(team_a, team_b)
    }

    fn terms(&self, _: &[usize], _: (usize, usize)) -> Option<LobbyTerms> {
        Some(self.0.clone())
    }
}
