//! The quality of matches: by sums of terms, or by calls of an objective without terms.

use matchwright_lobby::{Balance, LobbyError, LobbyObjective, LobbyPool, LobbyTerms};

use super::rest::Rest;
use super::ways::ways;

/// The most players of a team: all splits of a match are tried, 1,716 for seven against seven.
const MOST_PLAYERS: usize = 7;

/// The value of a forbidden pair: less than all matches are worth, so that a search leaves it behind, yet a number.
pub(super) const FORBIDDEN: f64 = -1e3;

/// A pool and its objective, made ready for any number of starts.
pub(super) struct Evaluator<'a> {
    pub(super) pool: &'a LobbyPool,
    objective: &'a dyn LobbyObjective,
    pub(super) terms: Option<Terms>,
    /// The players of each party.
    pub(super) members: Vec<Vec<u32>>,
}

/// Terms laid out for sums over splits.
pub(super) struct Terms {
    players: usize,
    /// Row by row: [together, against].
    pairs: Vec<[f64; 2]>,
    /// Player by player, one for each balance.
    levels: Vec<f64>,
    terms: LobbyTerms,
    sizes: (usize, usize),
    /// The most that all balances are worth.
    pub(super) most: f64,
}

impl Terms {
    fn new(terms: LobbyTerms, sizes: (usize, usize)) -> Self {
        let players = terms.players();
        let value = |term: Option<f64>| term.unwrap_or(FORBIDDEN);
        let places = (0..players).flat_map(|i| (0..players).map(move |j| (i, j)));
        let pairs = places.map(|(i, j)| [value(terms.together(i, j)), value(terms.against(i, j))]);
        let levels = (0..players).flat_map(|player| {
            let balances = terms.balances().iter();
            balances.map(move |balance| balance.levels()[player])
        });
        Self {
            players,
            pairs: pairs.collect(),
            levels: levels.collect(),
            most: terms.balances().iter().map(Balance::most).sum(),
            sizes,
            terms,
        }
    }

    /// [together, against] of a player with all others.
    #[inline]
    pub(super) fn row(&self, player: u32) -> &[[f64; 2]] {
        &self.pairs[player as usize * self.players..][..self.players]
    }

    pub(super) fn balances(&self) -> usize {
        self.terms.balances().len()
    }

    /// A player's level in each balance.
    #[inline]
    pub(super) fn levels(&self, player: u32) -> &[f64] {
        &self.levels[player as usize * self.balances()..][..self.balances()]
    }

    /// The worth of the balances of two teams, each with the levels of those who stay and of those who come.
    #[inline]
    pub(super) fn balanced(&self, team_a: [&[f64]; 2], team_b: [&[f64]; 2]) -> f64 {
        let (size_a, size_b) = (self.sizes.0 as f64, self.sizes.1 as f64);
        let balances = self.terms.balances().iter().enumerate();
        balances
            .map(|(k, balance)| {
                let (a, b) = (team_a[0][k] + team_a[1][k], team_b[0][k] + team_b[1][k]);
                balance.worth(a / size_a - b / size_b)
            })
            .sum()
    }

    pub(super) fn linked(&self, i: u32, j: u32) -> bool {
        i == j || self.terms.linked(i as usize, j as usize)
    }

    pub(super) fn worth_of_links(&self) -> &[f64] {
        self.terms.worth_of_links()
    }
}

impl<'a> Evaluator<'a> {
    pub(super) fn new(pool: &'a LobbyPool, objective: &'a dyn LobbyObjective) -> Result<Self, LobbyError> {
        let (size_a, size_b) = pool.sizes();
        if size_a.max(size_b) > MOST_PLAYERS {
            return Err(LobbyError::Size {
                what: "a team of this search",
                given: size_a.max(size_b),
                most: MOST_PLAYERS,
            });
        }
        let all: Vec<usize> = (0..pool.players()).collect();
        let terms = objective.checked_terms(&all, pool.sizes())?;
        #[allow(clippy::cast_possible_truncation, reason = "a pool has at most 2^24 players")]
        let narrow = |party: &Vec<usize>| party.iter().map(|&player| player as u32).collect();
        Ok(Self {
            pool,
            objective,
            terms: terms.map(|terms| Terms::new(terms, pool.sizes())),
            members: pool.parties().iter().map(narrow).collect(),
        })
    }

    /// How many players these parties have.
    pub(super) fn size(&self, parties: &[u32]) -> usize {
        parties
            .iter()
            .map(|&party| self.members[party as usize].len())
            .sum()
    }

    /// The unmatched penalty of these parties.
    pub(super) fn penalty(&self, parties: &[u32]) -> f64 {
        let parties = parties.iter().map(|&party| &self.pool.parties()[party as usize]);
        parties.map(|party| self.pool.penalty(party)).sum()
    }

    /// The sides of these parties, way after way; all ways that fill both teams, or that leave room.
    pub(super) fn ways(&self, parties: &[u32], filled: bool) -> Vec<u8> {
        let sizes: Vec<usize> = parties.iter().map(|&party| self.size(&[party])).collect();
        ways(&sizes, self.pool.sizes(), filled)
    }

    /// The value of the best split of a match, and its sides; minus infinity if none fills the teams. Adds to `tried`
    /// how many splits there were.
    pub(super) fn best_split(&self, parties: &[u32], tried: &mut u64) -> (f64, Vec<u8>) {
        let all = self.ways(parties, true);
        let mut ways = all.chunks_exact(parties.len().max(1));
        if let Some(terms) = &self.terms {
            let rest = Rest::new(terms, self, parties, all.clone());
            let (value, way) = rest.best_with(terms, self, &[], &mut Vec::new(), tried);
            return (value, ways.nth(way).unwrap_or_default().to_vec());
        }
        let mut best = (f64::NEG_INFINITY, Vec::new());
        for way in ways {
            *tried += 1;
            let (team_a, team_b) = self.teams(parties, way);
            let quality = self.objective.quality(&team_a, &team_b);
            let value = quality
                .filter(|quality| (0.0..=1.0).contains(quality))
                .unwrap_or(FORBIDDEN);
            if value > best.0 {
                best = (value, way.to_vec());
            }
        }
        best
    }

    /// The players of both teams.
    pub(super) fn teams(&self, parties: &[u32], sides: &[u8]) -> (Vec<usize>, Vec<usize>) {
        let team = |wanted: u8| {
            let own = parties.iter().zip(sides).filter(|(_, side)| **side == wanted);
            own.flat_map(|(&party, _)| self.pool.parties()[party as usize].iter().copied())
                .collect()
        };
        (team(0), team(1))
    }
}
