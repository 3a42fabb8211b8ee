//! Every split that may be better, by bounds.

use super::climb::Judge;
use super::exhaustive::opens_in_order;
use super::group::Group;
use super::relaxed::Relaxed;
use super::sums::Sums;
use super::swaps::judged;
use super::{ROUNDING, SplitError, SplitProof, SwapSplit, TeamSplit, TeamSplitter};
use crate::LobbyObjective;

/// Places one party or player after the other, and turns back where no split that follows can be better than the best
/// known, which [`SwapSplit`] finds beforehand. For objectives with terms.
///
/// What follows is bounded by what each of the others gains from those who are placed, what they may gain among
/// themselves (a semidefinite relaxation, worked out before for each depth) and what balances are worth at most. So
/// pair terms are what it prunes by. Balances are not: their worth may be any function. Twenty players in two teams
/// are proven in any case, 184,756 ways at most.
///
/// After [`with_nodes`](Self::with_nodes) placements it stops, and what is left is bounded, not searched. Groups of
/// more than 300 parties and players are not searched at all: theirs is the answer of [`SwapSplit`]. Memory O(n^2 k).
///
/// ```
/// use matchwright_lobby::{
///     BranchAndBoundSplit, Group, LobbyObjective, LobbyTerms, SplitProof, TeamSplitter,
/// };
///
/// /// Players who speak one language play together, if they can.
/// struct Languages(Vec<u8>);
///
/// impl LobbyObjective for Languages {
///     fn quality(&self, team_a: &[usize], team_b: &[usize]) -> Option<f64> {
///         let players = [team_a, team_b].concat();
///         let terms = self.terms(&players, (team_a.len(), team_b.len()))?;
///         let places: Vec<usize> = (0..players.len()).collect();
///         terms.quality(&places[..team_a.len()], &places[team_a.len()..])
///     }
///
///     fn terms(&self, players: &[usize], (a, b): (usize, usize)) -> Option<LobbyTerms> {
///         let pairs = (a * a.saturating_sub(1) + b * b.saturating_sub(1)) as f64 / 2.0;
///         let same = |i: usize, j: usize| self.0[players[i]] == self.0[players[j]];
///         let share = |i, j| Some(if same(i, j) { 1.0 / pairs } else { 0.0 });
///         LobbyTerms::new(players.len()).with_pairs(share, |_, _| Some(0.0)).ok()
///     }
/// }
///
/// let languages = Languages((0..24).map(|player| player % 3).collect());
/// let group = Group::equal((0..24).collect::<Vec<_>>(), 2)?;
/// let split = BranchAndBoundSplit::new().split(&group, &languages)?;
/// assert!(split.is_optimal() && split.proof == SplitProof::Exhausted);
/// // Eight of the first and four of the second in one team: 28 + 6 pairs of 66.
/// assert!((split.quality - 34.0 / 66.0).abs() < 1e-9);
/// # Ok::<(), matchwright_lobby::SplitError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BranchAndBoundSplit {
    start: SwapSplit,
    nodes: u64,
}

impl Default for BranchAndBoundSplit {
    fn default() -> Self {
        Self::new()
    }
}

impl BranchAndBoundSplit {
    /// At most a million placements, after a start by [`SwapSplit::new`].
    #[must_use]
    pub const fn new() -> Self {
        Self {
            start: SwapSplit::new(),
            nodes: 1_000_000,
        }
    }

    /// How many placements of a party or player to try at most.
    #[must_use]
    pub const fn with_nodes(mut self, nodes: u64) -> Self {
        self.nodes = nodes;
        self
    }

    /// How to find the split to start with.
    #[must_use]
    pub const fn with_start(mut self, start: SwapSplit) -> Self {
        self.start = start;
        self
    }

    pub(super) fn by_terms(
        &self,
        sums: &mut Sums<'_>,
        objective: &dyn LobbyObjective,
    ) -> Result<TeamSplit, SplitError> {
        let relaxed = sums.relaxed();
        let (top, root) = self.start.climb(sums, &relaxed)?;
        let found = judged(sums, objective, &top.team_of)?;
        if let Some((teams, quality, links)) = &found {
            let bound = (root + links).clamp(*quality, 1.0);
            if bound - quality <= ROUNDING || self.nodes == 0 || sums.group().units().len() > UNITS {
                return Ok(TeamSplit {
                    teams: teams.clone(),
                    quality: *quality,
                    bound,
                    proof: SplitProof::Terms,
                });
            }
        }
        let units = sums.group().units().len();
        if found.is_none() && (self.nodes == 0 || units > UNITS) {
            return Err(SplitError::NotFound { tried: top.tried });
        }
        let best = found.is_some().then_some((top.value, top.team_of));
        let mut search = Search::new(sums, &relaxed, best, self.nodes);
        search.place(0, 0.0);
        let (tried, open, best) = (search.tried, search.open, search.best);
        let Some((value, team_of)) = best else {
            let exhausted = open == f64::NEG_INFINITY;
            return Err(if exhausted {
                SplitError::NoAllowedSplit { tried }
            } else {
                SplitError::NotFound { tried }
            });
        };
        let found = judged(sums, objective, &team_of)?;
        let (teams, quality, links) = found.ok_or(SplitError::NotFound { tried })?;
        let exhausted = open <= value + ROUNDING;
        let bound = if exhausted {
            quality
        } else {
            (open.min(root) + links).clamp(quality, 1.0)
        };
        Ok(TeamSplit {
            teams,
            quality,
            bound,
            proof: if exhausted {
                SplitProof::Exhausted
            } else {
                SplitProof::Terms
            },
        })
    }
}

impl TeamSplitter for BranchAndBoundSplit {
    /// # Errors
    /// [`SplitError::NoTerms`] if there are none, or they have links and there are more than two teams;
    /// [`SplitError::NoAllowedSplit`] if all were ruled out, [`SplitError::NotFound`] if only those looked at;
    /// [`SplitError::BadQuality`], [`SplitError::TermsOfOthers`] or [`SplitError::TermsDisagree`].
    fn split(&self, group: &Group, objective: &dyn LobbyObjective) -> Result<TeamSplit, SplitError> {
        let mut sums = Sums::new(group, objective)?.ok_or(SplitError::NoTerms)?;
        self.by_terms(&mut sums, objective)
    }
}

/// The most parties and players that are searched.
const UNITS: usize = 300;

struct Search<'s, 'a> {
    sums: &'s mut Sums<'a>,
    relaxed: &'s Relaxed,
    /// Units in the order of placement, and what those from a depth on gain among themselves at most.
    order: Vec<usize>,
    among: Vec<f64>,
    room: Vec<usize>,
    team_of: Vec<usize>,
    /// By depth: what unit v gains in team t from those placed, at v k + t.
    fields: Vec<Vec<f64>>,
    /// By depth: sums of levels by balance, then team.
    levels: Vec<Vec<f64>>,
    /// Whether pairs gain anything, and whether some are forbidden.
    has_gains: bool,
    has_rules: bool,
    /// Teams to try, by depth, with what the unit gains there.
    children: Vec<Vec<(f64, usize)>>,
    nodes: u64,
    tried: u64,
    best: Option<(f64, Vec<usize>)>,
    /// What was left unsearched may be worth as much.
    open: f64,
}

impl<'s, 'a> Search<'s, 'a> {
    fn new(
        sums: &'s mut Sums<'a>,
        relaxed: &'s Relaxed,
        best: Option<(f64, Vec<usize>)>,
        nodes: u64,
    ) -> Self {
        let (n, k) = (sums.group().units().len(), sums.group().sizes().len());
        let sizes = sums.group().unit_sizes();
        let strength = |u: usize| {
            relaxed.gains[u * n..][..n]
                .iter()
                .map(|gain| gain.abs())
                .sum::<f64>()
        };
        let mut order: Vec<usize> = (0..n).collect();
        // Large parties decide most of what is possible; those with strong ties most of what is worth it.
        order.sort_by(|&u, &v| {
            let by_strength = strength(v).total_cmp(&strength(u));
            sizes[v].cmp(&sizes[u]).then(by_strength).then(u.cmp(&v))
        });
        let among = (0..=n)
            .map(|depth| relaxed.bound_among(&order[depth..]))
            .collect();
        let balances = sums.levels().len();
        Self {
            relaxed,
            order,
            among,
            room: sums.group().sizes().to_vec(),
            team_of: vec![0; n],
            fields: vec![vec![0.0; n * k]; n + 1],
            levels: vec![vec![0.0; balances * k]; n + 1],
            has_gains: relaxed.gains.iter().any(|&gain| gain != 0.0),
            has_rules: relaxed.never.iter().chain(&relaxed.always).any(|&rule| rule),
            children: vec![Vec::with_capacity(k); n],
            nodes,
            tried: 0,
            best,
            open: f64::NEG_INFINITY,
            sums,
        }
    }

    /// Places the unit of this depth wherever that may be better; those placed gain `gained` among themselves.
    fn place(&mut self, depth: usize, gained: f64) {
        let Some(&unit) = self.order.get(depth) else {
            self.finish(gained);
            return;
        };
        let k = self.room.len();
        let size = self.sums.group().units()[unit].len();
        let mut children = std::mem::take(&mut self.children[depth]);
        children.clear();
        for team in 0..k {
            let fits = self.room[team] >= size && opens_in_order(self.sums.group().sizes(), &self.room, team);
            if fits && (!self.has_rules || self.may_be(unit, team, depth)) {
                children.push((self.fields[depth][unit * k + team], team));
            }
        }
        children.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        for &(gain, team) in &children {
            self.tried += 1;
            self.room[team] -= size;
            let follows = gained + gain + self.open_fields(depth, unit, team) + self.among[depth + 1];
            let most = (self.relaxed.constant + self.relaxed.most + follows).min(1.0);
            if self.best.as_ref().is_none_or(|best| most > best.0 + ROUNDING) {
                if self.tried > self.nodes {
                    self.open = self.open.max(most);
                } else {
                    self.team_of[unit] = team;
                    self.add_levels(depth, unit, team);
                    self.place(depth + 1, gained + gain);
                }
            }
            self.room[team] += size;
        }
        self.children[depth] = children;
    }

    /// With `unit` in `team`, what those to come gain from those placed, each in the team with room where that is
    /// most; notes the gains for the next depth.
    fn open_fields(&mut self, depth: usize, unit: usize, team: usize) -> f64 {
        if !self.has_gains {
            return 0.0;
        }
        let (n, k) = (self.order.len(), self.room.len());
        let (now, next) = self.fields.split_at_mut(depth + 1);
        let (now, next) = (&now[depth], &mut next[0]);
        let mut sum = 0.0;
        for &v in &self.order[depth + 1..] {
            let (from, to) = (&now[v * k..][..k], &mut next[v * k..][..k]);
            to.copy_from_slice(from);
            to[team] += self.relaxed.gains[unit * n + v];
            let open = to.iter().zip(&self.room).filter(|(_, room)| **room > 0);
            sum += open.fold(f64::NEG_INFINITY, |best, (field, _)| field.max(best));
        }
        sum
    }

    /// Whether the unit may be with those already in the team, and against the others.
    fn may_be(&self, unit: usize, team: usize, depth: usize) -> bool {
        let n = self.order.len();
        self.order[..depth].iter().all(|&v| {
            let at = unit * n + v;
            if self.team_of[v] == team {
                !self.relaxed.never[at]
            } else {
                !self.relaxed.always[at]
            }
        })
    }

    fn add_levels(&mut self, depth: usize, unit: usize, team: usize) {
        let k = self.room.len();
        let (now, next) = self.levels.split_at_mut(depth + 1);
        next[0].copy_from_slice(&now[depth]);
        for (balance, levels) in self.sums.levels().iter().enumerate() {
            next[0][balance * k + team] += levels[unit];
        }
    }

    /// All are placed: keeps the split if it is better.
    fn finish(&mut self, gained: f64) {
        let k = self.room.len();
        let value = if k == 2 {
            let sizes = self.sums.group().sizes();
            let levels = &self.levels[self.order.len()];
            let mean = |balance: usize, team: usize| levels[balance * k + team] / sizes[team].max(1) as f64;
            let balances = self.sums.terms().balances().iter().enumerate();
            let worth: f64 = balances
                .map(|(b, balance)| balance.worth(mean(b, 0) - mean(b, 1)))
                .sum();
            (self.relaxed.constant + gained + worth).min(1.0)
        } else {
            self.sums.place(&self.team_of);
            self.sums.value()
        };
        if !self.sums.forbids(value) && self.best.as_ref().is_none_or(|best| value > best.0) {
            self.best = Some((value, self.team_of.clone()));
        }
    }
}
