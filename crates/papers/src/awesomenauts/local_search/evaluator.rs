//! The quality of matches: by sums of terms, or by calls of an objective without terms.

use itertools::Itertools as _;
use matchwright_lobby::{Balance, LobbyError, LobbyObjective, LobbyPool, LobbyTerms};

/// The most players of a team: all splits of a match are tried, 1,716 for seven against seven.
pub(super) const MOST_PLAYERS: usize = 7;

/// The value of a forbidden pair: less than all matches are worth, so that a search leaves it behind, yet a number.
pub(super) const FORBIDDEN: f64 = -1e3;

/// A pool and its objective, made ready for any number of starts.
pub(super) struct Evaluator<'a> {
    pub(super) pool: &'a LobbyPool,
    pub(super) objective: &'a dyn LobbyObjective,
    pub(super) sizes: (usize, usize),
    pub(super) terms: Option<LobbyTerms>,
    /// Row by row: the terms [together, against]; empty without terms.
    pairs: Vec<[f64; 2]>,
    /// The most that all balances are worth, and the most that links are.
    pub(super) most: (f64, f64),
}

impl<'a> Evaluator<'a> {
    pub(super) fn new(pool: &'a LobbyPool, objective: &'a dyn LobbyObjective) -> Result<Self, LobbyError> {
        let teams = pool.sizes().len();
        let sizes = pool.two_teams().ok_or(LobbyError::ManyTeams { teams })?;
        let given = sizes.0.max(sizes.1);
        if given > MOST_PLAYERS {
            return Err(LobbyError::Size {
                what: "a team of this search",
                given,
                most: MOST_PLAYERS,
            });
        }
        let all: Vec<usize> = (0..pool.players()).collect();
        let terms = objective.checked_terms(&all, sizes)?;
        let pair = |terms: &LobbyTerms, i: usize, j: usize| {
            [terms.together(i, j), terms.against(i, j)].map(|term| term.unwrap_or(FORBIDDEN))
        };
        let places = || all.iter().flat_map(|&i| all.iter().map(move |&j| (i, j)));
        let pairs = terms
            .iter()
            .flat_map(|terms| places().map(move |(i, j)| pair(terms, i, j)));
        let pairs = pairs.collect();
        let balances = terms.iter().flat_map(LobbyTerms::balances);
        let links = terms.iter().flat_map(LobbyTerms::worth_of_links);
        let most = (
            balances.map(Balance::most).sum(),
            links.copied().fold(0.0, f64::max),
        );
        Ok(Self {
            pool,
            objective,
            sizes,
            terms,
            pairs,
            most,
        })
    }

    /// The terms [together, against] of a player with all others.
    #[inline]
    pub(super) fn row(&self, player: usize) -> &[[f64; 2]] {
        &self.pairs[player * self.pool.players()..][..self.pool.players()]
    }

    #[inline]
    pub(super) fn balances(&self) -> &[Balance] {
        self.terms.as_ref().map_or(&[], LobbyTerms::balances)
    }

    /// The worth of links among the players of a match.
    pub(super) fn links(&self, players: impl Iterator<Item = usize> + Clone) -> f64 {
        let Some(terms) = self
            .terms
            .as_ref()
            .filter(|terms| !terms.worth_of_links().is_empty())
        else {
            return 0.0;
        };
        let all = players.clone();
        let linked = players.filter(|&i| all.clone().all(|j| i == j || terms.linked(i, j)));
        terms.worth_of_links()[linked.take(terms.worth_of_links().len() - 1).count()]
    }

    /// The players of a party.
    #[inline]
    pub(super) fn members(&self, party: usize) -> &[usize] {
        &self.pool.parties()[party]
    }

    /// How many players these parties have.
    pub(super) fn size(&self, parties: &[usize]) -> usize {
        parties.iter().map(|&party| self.members(party).len()).sum()
    }

    /// The unmatched penalty of these parties.
    pub(super) fn penalty(&self, parties: &[usize]) -> f64 {
        let penalties = parties
            .iter()
            .map(|&party| self.pool.penalty(self.members(party)));
        penalties.sum()
    }

    /// The sides of these parties, way after way, such that no team gets more players than it takes; both are full if
    /// `filled`. In teams of one size the first party is on side 0, as swapping sides changes nothing.
    pub(super) fn ways(&self, parties: &[usize], filled: bool) -> Vec<u8> {
        let (sizes, are_equal) = (self.sizes, self.sizes.0 == self.sizes.1);
        let fits = |way: &Vec<u8>| {
            let sides = parties.iter().zip(way);
            let in_a: Vec<usize> = sides
                .filter(|(_, side)| **side == 0)
                .map(|(&party, _)| party)
                .collect();
            let (a, all) = (self.size(&in_a), self.size(parties));
            let fills = (a, all - a) == sizes || !filled && a <= sizes.0 && all - a <= sizes.1;
            fills && !(are_equal && way.first() == Some(&1))
        };
        let ways = (0..parties.len()).map(|_| 0..2).multi_cartesian_product();
        ways.filter(fits).flatten().collect()
    }

    /// The players of both teams.
    pub(super) fn teams(&self, parties: &[usize], sides: &[u8]) -> Vec<Vec<usize>> {
        let team = |wanted: u8| {
            let own = parties.iter().zip(sides).filter(|(_, side)| **side == wanted);
            own.flat_map(|(&party, _)| self.members(party).to_vec()).collect()
        };
        vec![team(0), team(1)]
    }
}
