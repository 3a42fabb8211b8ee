//! The splitter to use.

use super::by_exchanges::split_by_exchanges;
use super::divide::best_division;
use super::exhaustive::ExhaustiveSplit;
use super::group::Group;
use super::relaxed::Relaxed;
use super::{ROUNDING, SplitError, SplitProof, TeamSplit, TeamSplitter};
use crate::{Annealing, LobbyObjective, LobbyPool, LobbySolver, LobbyTerms};

/// By how much an objective may differ from its terms, and a little for rounding.
const AGREEMENT: f64 = 1e-8;

/// The best split that a few milliseconds find, proven best where that is possible, with its gap otherwise.
///
/// | objective | group | method | bound |
/// |---|---|---|---|
/// | with terms, two teams | up to [`ways`](Self::with_ways) to split it | all of them | proven best |
/// | with terms, two teams | more | [`Annealing`] of one match | a semidefinite relaxation of the pair terms for up to 300 parties and players, a simple one for more, and what balances are worth at most |
/// | any | no more than [`evaluations`](Self::with_evaluations) splits | [`ExhaustiveSplit`] | proven best |
/// | any | more | annealing over exchanges, each asked about | 1 |
///
/// Ten against ten has 184,756 ways, so that with terms it is always proven; so are larger groups with many parties.
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
    ways: u64,
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
    /// 200,000 ways, 40,000 exchanges with terms, 2,000 splits asked about without; seed 0.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            ways: 200_000,
            tries: 40_000,
            evaluations: 2000,
            seed: 0,
        }
    }

    /// With terms, as many ways to split a group, sides told apart, are all tried.
    #[must_use]
    pub const fn with_ways(mut self, ways: u64) -> Self {
        self.ways = ways;
        self
    }

    /// How many exchanges to try where there are terms.
    #[must_use]
    pub const fn with_tries(mut self, tries: u64) -> Self {
        self.tries = tries;
        self
    }

    /// How many splits to ask the objective about where there are no terms, or more than two teams. With k teams that is
    /// k (k - 1) / 2 questions each.
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
    ) -> Result<TeamSplit, SplitError> {
        let sizes = (group.sizes()[0], group.sizes()[1]);
        let is_exact = group.splits() <= self.ways;
        let team_of = if is_exact {
            best_division(terms, group.units(), sizes).ok_or(SplitError::NoAllowedSplit {
                tried: group.splits(),
            })?
        } else {
            self.annealed(group, terms, sizes)?
        };
        let teams = group.teams(&team_of);
        let quality = agreed(group, terms, objective, &teams)?;
        let quality = quality.ok_or(SplitError::NotFound { tried: self.tries })?;
        let (bound, proof) = if is_exact {
            (quality, SplitProof::Exhausted)
        } else {
            // Links are worth the same in every split.
            let all: Vec<usize> = (0..group.players().len()).collect();
            let links = terms
                .links()
                .map_or(0.0, |links| links.worth(terms.linked_with_all(&all)));
            let bound = Relaxed::of(group, terms).bound() + links;
            (bound.clamp(quality, 1.0), SplitProof::Terms)
        };
        let bound = if bound - quality <= ROUNDING {
            quality
        } else {
            bound
        };
        Ok(TeamSplit {
            teams,
            quality,
            bound,
            proof,
        })
    }

    /// The team of each unit, found by annealing a pool of one match.
    fn annealed(
        &self,
        group: &Group,
        terms: &LobbyTerms,
        sizes: (usize, usize),
    ) -> Result<Vec<usize>, SplitError> {
        let places = group.players().len();
        let not_found = |_| SplitError::NotFound { tried: self.tries };
        let pool = LobbyPool::new(places, sizes)
            .and_then(|pool| pool.with_parties(group.units()))
            .map_err(not_found)?;
        let search = Annealing::new(self.seed)
            .with_moves(self.tries)
            .with_parts_of(places);
        let lineups = search.solve(&pool, &OfPlaces(terms)).map_err(not_found)?;
        let lobby = lineups
            .lobbies
            .first()
            .ok_or(SplitError::NotFound { tried: self.tries })?;
        let team = |unit: &Vec<usize>| usize::from(!lobby.team_a.contains(&unit[0]));
        Ok(group.units().iter().map(team).collect())
    }
}

impl TeamSplitter for BestSplit {
    /// # Errors
    /// Those of the methods: [`SplitError::NoAllowedSplit`] or [`SplitError::NotFound`], [`SplitError::BadQuality`],
    /// [`SplitError::TermsOfOthers`] or [`SplitError::TermsDisagree`].
    fn split(&self, group: &Group, objective: &dyn LobbyObjective) -> Result<TeamSplit, SplitError> {
        let (players, sizes) = (group.players().len(), group.sizes());
        if let &[a, b] = sizes
            && a.min(b) > 0
            && let Some(terms) = objective.terms(group.players(), (a, b))
        {
            let given = terms.players();
            if players != given {
                return Err(SplitError::TermsOfOthers { players, given });
            }
            return self.by_terms(group, &terms, objective);
        }
        // Two teams of one size may change sides.
        let sides = if sizes.len() == 2 && sizes[0] == sizes[1] {
            2
        } else {
            1
        };
        if players <= ExhaustiveSplit::MAX_PLAYERS && group.splits() / sides <= self.evaluations {
            ExhaustiveSplit.split(group, objective)
        } else {
            split_by_exchanges(group, objective, self.evaluations, self.seed)
        }
    }
}

/// The quality of the teams by the objective.
///
/// # Errors
/// [`SplitError::TermsDisagree`] if the terms say something else, [`SplitError::BadQuality`].
fn agreed(
    group: &Group,
    terms: &LobbyTerms,
    objective: &dyn LobbyObjective,
    teams: &[Vec<usize>],
) -> Result<Option<f64>, SplitError> {
    let quality = group.quality(teams, objective)?;
    let place = |player: &usize| group.players().iter().position(|other| other == player);
    let [a, b] = [0, 1].map(|team| teams[team].iter().filter_map(place).collect::<Vec<_>>());
    let by_terms = terms.quality(&a, &b);
    let agree = match (quality, by_terms) {
        (Some(quality), Some(terms)) => (quality - terms).abs() <= AGREEMENT,
        (quality, terms) => quality.is_none() && terms.is_none(),
    };
    if agree {
        Ok(quality)
    } else {
        Err(SplitError::TermsDisagree {
            team_a: teams[0].clone(),
            team_b: teams[1].clone(),
            quality,
            terms: by_terms,
        })
    }
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
