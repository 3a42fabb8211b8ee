//! A pool and its objective, made ready for any number of starts.

use super::splits::{count, ways};
use super::table::{FORBIDDEN, Table};
use crate::error::LobbyError;
use crate::objective::{LobbyObjective, terms_of};
use crate::pool::LobbyPool;
use crate::start::Plan;
use crate::terms::LobbyTerms;

/// Ways to split a match, above which not all of them are tried: more than the 1,716 of seven against seven.
const MOST_SPLITS: u64 = 2_000;

pub(super) struct World<'a> {
    pub(super) pool: &'a LobbyPool,
    objective: &'a dyn LobbyObjective,
    terms: Option<LobbyTerms>,
    pub(super) table: Option<Table>,
    pub(super) plan: Plan,
    members: Vec<Vec<u32>>,
    prices: Vec<f64>,
    /// The different sizes of parties, rising.
    pub(super) party_sizes: Vec<usize>,
    /// Whether there are too many splits: who comes sits down where others left, and teams are improved by exchanges.
    pub(super) seated: bool,
}

impl<'a> World<'a> {
    pub(super) fn new(pool: &'a LobbyPool, objective: &'a dyn LobbyObjective) -> Result<Self, LobbyError> {
        let terms = terms_of(pool, objective)?;
        let mut party_sizes: Vec<usize> = pool.parties().iter().map(Vec::len).collect();
        party_sizes.sort_unstable();
        party_sizes.dedup();
        #[allow(clippy::cast_possible_truncation, reason = "a pool has at most 2^24 players")]
        let narrow = |party: &Vec<usize>| party.iter().map(|&player| player as u32).collect();
        let price = |party: &Vec<usize>| party.iter().map(|&player| pool.prices()[player]).sum();
        Ok(Self {
            pool,
            objective,
            table: terms.as_ref().map(|terms| Table::new(pool, terms)),
            terms,
            plan: Plan::of(pool),
            members: pool.parties().iter().map(narrow).collect(),
            prices: pool.parties().iter().map(price).collect(),
            party_sizes,
            seated: count(pool.sizes()) > MOST_SPLITS,
        })
    }

    /// A gain by tables is surely one if it is above this, and surely none below minus this.
    pub(super) fn window(&self) -> f64 {
        // Two matches, before and after.
        self.table.as_ref().map_or(0.0, |table| 4.0 * table.error())
    }

    /// The players of a party.
    #[inline]
    pub(super) fn members(&self, party: u32) -> &[u32] {
        &self.members[party as usize]
    }

    /// What leaving out these parties costs.
    pub(super) fn price(&self, parties: &[u32]) -> f64 {
        parties.iter().map(|&party| self.prices[party as usize]).sum()
    }

    /// The parties of these players, who are whole parties.
    #[allow(clippy::cast_possible_truncation, reason = "a pool has at most 2^24 parties")]
    pub(super) fn parties_of(&self, players: &[u32]) -> Vec<u32> {
        let first = |player: &&u32| self.pool.party_of(**player as usize)[0] == **player as usize;
        let firsts = players.iter().filter(first);
        firsts
            .map(|&player| self.pool.party_index(player as usize) as u32)
            .collect()
    }

    /// The players of both teams.
    pub(super) fn teams(&self, parties: &[u32], sides: &[u8]) -> (Vec<usize>, Vec<usize>) {
        let (mut team_a, mut team_b) = (Vec::new(), Vec::new());
        for (&party, &side) in parties.iter().zip(sides) {
            let team = if side == 0 { &mut team_a } else { &mut team_b };
            team.extend_from_slice(&self.pool.parties()[party as usize]);
        }
        (team_a, team_b)
    }

    /// The quality of the match; a thousand below 0 for each pair that is forbidden, or for a match that is.
    fn quality(&self, parties: &[u32], sides: &[u8]) -> f64 {
        let (team_a, team_b) = self.teams(parties, sides);
        let Some(terms) = &self.terms else {
            let quality = self.objective.quality(&team_a, &team_b);
            return quality
                .filter(|quality| (0.0..=1.0).contains(quality))
                .unwrap_or(f64::from(FORBIDDEN));
        };
        terms.quality(&team_a, &team_b).unwrap_or_else(|| {
            let within = |team: &[usize]| {
                let pairs = (0..team.len()).flat_map(|k| (0..k).map(move |l| (k, l)));
                pairs
                    .filter(|&(k, l)| terms.together(team[k], team[l]).is_none())
                    .count()
            };
            let across = team_a.iter().flat_map(|&i| team_b.iter().map(move |&j| (i, j)));
            let across = across.filter(|&(i, j)| terms.against(i, j).is_none()).count();
            f64::from(FORBIDDEN) * (within(&team_a) + within(&team_b) + across) as f64
        })
    }

    /// The value of the best split and the sides of the parties, all splits being tried; minus infinity if none fills
    /// the teams. If there are too many, the one with these `sides`.
    pub(super) fn best_split(&self, parties: &[u32], sides: &[u8], tried: &mut u64) -> (f64, Vec<u8>) {
        if self.seated {
            *tried += 1;
            return (self.quality(parties, sides), sides.to_vec());
        }
        let sizes: Vec<usize> = parties.iter().map(|&party| self.members(party).len()).collect();
        let all = ways(&sizes, self.pool.sizes(), true);
        let mut best = (f64::NEG_INFINITY, Vec::new());
        for way in all.chunks_exact(parties.len().max(1)) {
            *tried += 1;
            let value = self.quality(parties, way);
            if value > best.0 {
                best = (value, way.to_vec());
            }
        }
        best
    }

    /// Exchanges parties of one size between the teams, the best exchange first, until none improves; returns the
    /// value.
    pub(super) fn improve_split(&self, parties: &[u32], sides: &mut [u8], tried: &mut u64) -> f64 {
        let mut value = self.quality(parties, sides);
        loop {
            let mut best = (value + 1e-9, None);
            for k in 0..parties.len() {
                for l in k + 1..parties.len() {
                    let fits = self.members(parties[k]).len() == self.members(parties[l]).len();
                    if sides[k] != sides[l] && fits {
                        sides.swap(k, l);
                        *tried += 1;
                        let next = self.quality(parties, sides);
                        if next > best.0 {
                            best = (next, Some((k, l)));
                        }
                        sides.swap(k, l);
                    }
                }
            }
            let (next, Some((k, l))) = best else { return value };
            sides.swap(k, l);
            value = next;
        }
    }
}
