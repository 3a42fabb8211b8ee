//! How good lobbies can be at most: column generation, and the proof by an exact cover.

mod column;
mod cover;
mod cuts;
mod interior;
mod listed;
mod master;
mod pairs;
mod price;
mod tree;
mod units;

use std::cell::Cell;
use std::collections::BTreeMap;

use column::Column;
use cover::{Choice, Cover, CutChoices, Unused, best_cover};
use cuts::Cut;
use listed::{Listed, Prices};
use master::Solution;
use price::{Priced, Wanted, price};
use tree::{Ended, Tree};
use units::Units;

use super::lineup::{Lineups, LobbyCertificate};
use super::pool::LobbyPool;
use super::progress::{BOUND, PROOF, Progress, Watch, is_over};
use super::terms::LobbyTerms;

/// Rounding that bounds allow for, for each match.
const ROUNDING: f64 = 1e-9;

/// Cuts added at a time, and how often.
const CUTS: usize = 30;
const CUT_ROUNDS: usize = 6;

/// How far duals are drawn towards the best so far.
const SMOOTHING: f64 = 0.4;

/// How exactly the linear program is solved.
const TOLERANCE: f64 = 1e-8;

/// Branches after which a search among the program's matches is given up.
const NODES: u64 = 20_000;

/// Matches found for each first unit in one round.
const EACH: usize = 6;

/// Column generation for a pool whose objective has terms.
pub(super) struct Bounding<'a> {
    units: Units<'a>,
    /// The matches of the linear program, by their units.
    columns: BTreeMap<Vec<u32>, Column>,
    /// As many matches as the players could fill.
    matches: usize,
    threads: usize,
    best: LobbyCertificate,
    cuts: Vec<Cut>,
    /// Work that is left, in nodes of a search.
    work: Cell<u64>,
}

/// Where a bounding stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// The linear program is solved, and no cut is violated: the bound gets no better.
    Solved,
    /// The linear program is solved; cuts may make the bound better.
    MoreCuts,
    /// There was no time.
    Stopped,
    /// The bound proves the value.
    Closed,
}

impl<'a> Bounding<'a> {
    /// With so much work to spend: nodes of searches, and as many for each linear program as it has entries.
    pub(super) fn new(pool: &'a LobbyPool, terms: &'a LobbyTerms, threads: usize, work: u64) -> Self {
        let mut bounding = Self {
            units: Units::new(pool, terms),
            columns: BTreeMap::new(),
            matches: pool.players() / pool.match_size(),
            threads,
            best: LobbyCertificate::trivial(pool),
            cuts: Vec::new(),
            work: Cell::new(work),
        };
        bounding.keep(bounding.by_best_partners());
        bounding
    }

    /// A first certificate: each unit's dual is half of its best terms with as many players as a match has room for,
    /// its own terms, and its players' share of the most that balances and links are worth. O(units^2 log units).
    fn by_best_partners(&self) -> LobbyCertificate {
        let (units, size) = (&self.units, self.units.pool.match_size());
        let dual = |unit: usize| {
            let either = |other: usize| units.together(unit)[other].max(units.against(unit)[other]);
            let partners = pairs::half_of_best(units, unit, size + 1, either);
            let share = units.most_beyond_pairs * units.sizes[unit] as f64 / size as f64;
            // A unit with too few partners plays in no match: any dual will do.
            (units.own[unit] + partners[size - units.sizes[unit]] + share).max(-units.prices[unit])
        };
        let certificate = LobbyCertificate {
            duals: (0..units.count()).map(dual).collect(),
            cuts: Vec::new(),
            excess: 0.0,
            bound: f64::INFINITY,
        };
        self.with_bound(certificate, 0.0)
    }

    /// Spends work on a linear program; false if too little is left.
    fn spend_on_program(&self) -> bool {
        let rows = (self.units.count() + self.cuts.len() + 1) as u64;
        self.spend(rows.saturating_mul(rows))
    }

    /// Spends work; false if too little is left.
    fn spend(&self, work: u64) -> bool {
        let left = self.work.get().checked_sub(work);
        self.work.set(left.unwrap_or(0));
        left.is_some()
    }

    /// Prices matches within the work that is left.
    fn price(
        &self,
        certificate: (&[f64], &[(Cut, f64)]),
        wanted: Wanted,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Priced> {
        let wanted = Wanted {
            nodes: self.work.get(),
            ..wanted
        };
        let (priced, nodes) = price(&self.units, certificate.0, certificate.1, wanted, stop);
        self.spend(nodes);
        priced
    }

    /// The best certificate so far.
    pub(super) fn certificate(self) -> LobbyCertificate {
        self.best
    }

    /// Adds matches that somebody found.
    pub(super) fn add(&mut self, lineups: &Lineups) {
        for lobby in &lineups.lobbies {
            let units = |team: &[usize]| {
                let mut units: Vec<usize> = team
                    .iter()
                    .map(|&player| self.units.pool.party_index(player))
                    .collect();
                units.sort_unstable();
                units.dedup();
                units
            };
            let quality = self.units.terms.quality(&lobby.team_a, &lobby.team_b);
            if let Some(quality) = quality {
                self.insert(Column::new(&units(&lobby.team_a), &units(&lobby.team_b), quality));
            }
        }
    }

    fn insert(&mut self, column: Column) -> bool {
        let known = self.columns.entry(column.key());
        match known {
            std::collections::btree_map::Entry::Vacant(place) => {
                place.insert(column);
                true
            }
            std::collections::btree_map::Entry::Occupied(mut place) => {
                let better = column.quality > place.get().quality + 1e-12;
                if better {
                    place.insert(column);
                }
                better
            }
        }
    }

    /// Whether the bound leaves nothing above `value` but rounding.
    pub(super) fn proves(&self, value: f64) -> bool {
        let slack = 4.0 * self.matches as f64 * ROUNDING;
        self.best.bound - value <= slack
    }

    /// Whether the bound leaves nothing above `value` but what linear programs are off by.
    pub(super) fn nearly_proves(&self, value: f64) -> bool {
        let slack = 1e-6 * value.abs().max(1.0);
        self.best.bound - value <= slack
    }

    /// Rounds of column generation, counted down from `rounds`, until the bound comes within `enough` of `value`,
    /// gets no better, or `watch` says so; if `with_cuts`, after a few rounds of cuts.
    pub(super) fn improve(
        &mut self,
        value: f64,
        enough: f64,
        with_cuts: bool,
        rounds: &mut usize,
        watch: Watch<'_>,
    ) -> State {
        let mut smoothing = SMOOTHING;
        let mut cut_rounds = 0;
        if self.best.bound - value <= enough || self.proves(value) {
            return State::Closed;
        }
        while *rounds > 0 {
            *rounds -= 1;
            if is_over(watch(&self.progress(BOUND, value))) || !self.spend_on_program() {
                return State::Stopped;
            }
            let columns: Vec<&Column> = self.columns.values().collect();
            let known = columns.iter().copied();
            let progress = self.progress(BOUND, value);
            let stop = || is_over(watch(&progress));
            let Some(solution) =
                master::solve(&self.units, known, &self.cuts, self.matches, TOLERANCE, &stop)
            else {
                return State::Stopped;
            };
            let taken = solution.taken(columns);
            let Some(added) = self.round(&solution, smoothing, value, watch) else {
                return State::Stopped;
            };
            let best = self.best.bound;
            if best - value <= enough || self.proves(value) {
                return State::Closed;
            }
            if added == 0
                && (smoothing == 0.0 || best - solution.value(self.matches) <= 1e-6 * best.abs().max(1.0))
            {
                if !with_cuts || self.proves(value) {
                    return State::MoreCuts;
                }
                let cuts = cuts::violated(&taken, self.units.count(), CUTS);
                let fresh: Vec<Cut> = cuts.into_iter().filter(|cut| !self.cuts.contains(cut)).collect();
                if fresh.is_empty() {
                    return State::Solved;
                }
                if cut_rounds == CUT_ROUNDS {
                    return State::MoreCuts;
                }
                cut_rounds += 1;
                self.cuts.extend(fresh);
            }
            // Duals that bring little news are near the end, where smoothing only delays.
            smoothing = if 10 * added < self.units.count() {
                0.0
            } else {
                SMOOTHING
            };
            self.forget(&solution);
        }
        State::Stopped
    }

    /// One pricing: adds the matches that are worth more than they pay, and returns how many of them are news to the
    /// program; `None` if there was no time.
    fn round(&mut self, solution: &Solution, smoothing: f64, value: f64, watch: Watch<'_>) -> Option<usize> {
        let progress = self.progress(BOUND, value);
        let stop = || is_over(watch(&progress));
        let asked = self.smoothed(solution, smoothing);
        let wanted = Wanted {
            least: asked.excess,
            each: EACH,
            all: None,
            nodes: 0,
            threads: self.threads,
        };
        let priced = self.price((&asked.duals, &asked.cuts), wanted, &stop)?;
        self.keep(self.with_bound(asked, priced.greatest));
        let paid: Vec<(Cut, f64)> = self.paid(solution);
        let mut added = 0;
        for (_, column) in priced.columns {
            let useful = column.reduced(&solution.duals, &paid) > solution.excess + 1e-9;
            added += usize::from(self.insert(column) && useful);
        }
        Some(added)
    }

    /// The cuts with what the solution makes matches pay for them.
    fn paid(&self, solution: &Solution) -> Vec<(Cut, f64)> {
        self.cuts
            .iter()
            .copied()
            .zip(solution.cuts.iter().copied())
            .collect()
    }

    pub(super) fn progress(&self, stage: &'static str, value: f64) -> Progress {
        let progress = Progress::new(stage).with_value(value);
        progress.with_bound(self.best.bound)
    }

    /// The solution's duals, drawn towards the best so far: they jump about less from round to round.
    fn smoothed(&self, solution: &Solution, smoothing: f64) -> LobbyCertificate {
        let mut asked = LobbyCertificate {
            duals: solution.duals.clone(),
            cuts: self.paid(solution),
            excess: solution.excess,
            bound: f64::INFINITY,
        };
        if smoothing > 0.0 {
            let best = &self.best;
            let mix = |old: f64, new: &mut f64| *new = smoothing * old + (1.0 - smoothing) * *new;
            mix(best.excess, &mut asked.excess);
            for (old, new) in best.duals.iter().zip(&mut asked.duals) {
                mix(*old, new);
            }
            for (at, (_, new)) in asked.cuts.iter_mut().enumerate() {
                mix(best.cuts.get(at).map_or(0.0, |cut| cut.1), new);
            }
        }
        asked
    }

    /// The certificate with the bound that follows if no match is worth more than it pays by more than `excess`.
    fn with_bound(&self, mut asked: LobbyCertificate, excess: f64) -> LobbyCertificate {
        asked.excess = excess.max(self.of_clamped(&asked.duals)) + ROUNDING;
        let owed = asked.duals.iter().sum::<f64>() + asked.cuts.iter().map(|cut| cut.1).sum::<f64>();
        asked.bound = owed + self.matches as f64 * asked.excess;
        asked
    }

    /// Keeps the certificate if its bound is the least so far.
    fn keep(&mut self, certificate: LobbyCertificate) {
        if certificate.bound < self.best.bound {
            self.best = certificate;
        }
    }

    /// What a match may be worth more than it pays because its quality is no less than 0, whatever its terms sum to:
    /// pricing adds up terms. Only where terms are negative and so are enough duals.
    fn of_clamped(&self, duals: &[f64]) -> f64 {
        if !self.units.terms.may_sum_below_zero() {
            return 0.0;
        }
        let each = duals.iter().zip(&self.units.sizes);
        let mut owed: Vec<f64> = each
            .flat_map(|(dual, &size)| std::iter::repeat_n((-dual / size as f64).max(0.0), size))
            .collect();
        owed.sort_unstable_by(|a, b| b.total_cmp(a));
        owed.iter().take(self.units.pool.match_size()).sum()
    }

    /// Drops matches that are far from being of use, once there are many.
    fn forget(&mut self, solution: &Solution) {
        let most = 40 * self.units.count() + 2000;
        if self.columns.len() <= most {
            return;
        }
        let paid = self.paid(solution);
        let reduced = |column: &Column| column.reduced(&solution.duals, &paid);
        let mut values: Vec<f64> = self.columns.values().map(reduced).collect();
        values.sort_unstable_by(|a, b| b.total_cmp(a));
        let least = values[most / 2];
        self.columns.retain(|_, column| reduced(column) >= least);
    }

    /// Looks for lineups that are worth more than `value`, made of the linear program's matches.
    pub(super) fn recombine(&self, value: f64, watch: Watch<'_>) -> Option<Teams> {
        let best = &self.best;
        let columns: Vec<&Column> = self.columns.values().collect();
        let choices = columns.iter().map(|column| Choice {
            units: column.key(),
            loss: (best.excess - column.reduced(&best.duals, &best.cuts)).max(0.0),
        });
        match self.cover(best, &choices.collect::<Vec<_>>(), value, NODES, watch) {
            Cover::None | Cover::Stopped(None) => None,
            Cover::Best(chosen, _) | Cover::Stopped(Some((chosen, _))) => Some(
                chosen
                    .into_iter()
                    .map(|choice| self.teams(columns[choice]))
                    .collect(),
            ),
        }
    }

    /// All matches that a lineup worth more than `value` could have, and the certificate that says so; `None` if
    /// there are more than `most`, or there was no time.
    fn that_matter(&self, value: f64, most: usize, watch: Watch<'_>) -> Option<(&LobbyCertificate, Priced)> {
        let best = &self.best;
        let progress = self.progress(PROOF, value);
        let stop = || is_over(watch(&progress));
        // What all matches together may lose against the bound, and so what each may.
        let wanted = Wanted {
            least: best.excess - (best.bound - value),
            each: usize::MAX / 2,
            all: Some(most),
            nodes: 0,
            threads: self.threads,
        };
        let priced = self.price((&best.duals, &best.cuts), wanted, &stop)?;
        (!priced.cut).then_some((best, priced))
    }

    /// Branches over all matches that a lineup worth more than `value` could have, if they are `most` at most. The
    /// certificate is the better for the cuts on the way.
    pub(super) fn branch(&mut self, value: f64, most: usize, budget: u64, watch: Watch<'_>) -> Settled {
        let Some((best, priced)) = self.that_matter(value, most, watch) else {
            return Settled::Unknown(None);
        };
        let prices = Prices {
            duals: best.duals.clone(),
            cuts: best.cuts.clone(),
            excess: best.excess,
        };
        let columns = priced.columns.into_iter().map(|(_, column)| column).collect();
        let listed = Listed::new(columns, self.units.count());
        let (ended, certificate) = Tree::new(self, listed, value, budget, watch).run(prices);
        if let Some(certificate) = certificate {
            self.keep(certificate);
        }
        match ended {
            Ended::Searched(None) => Settled::Proven,
            Ended::Searched(Some(teams)) => Settled::Better(teams),
            Ended::Stopped(teams) => Settled::Unknown(teams),
        }
    }

    /// A certificate of prices that hold for some of the matches; `None` if there was no time.
    fn certify(&self, prices: &Prices, value: f64, watch: Watch<'_>) -> Option<LobbyCertificate> {
        let progress = self.progress(BOUND, value);
        let stop = || is_over(watch(&progress));
        let wanted = Wanted {
            least: prices.excess,
            each: 1,
            all: None,
            nodes: 0,
            threads: self.threads,
        };
        let priced = self.price((&prices.duals, &prices.cuts), wanted, &stop)?;
        let certificate = LobbyCertificate {
            duals: prices.duals.clone(),
            cuts: prices.cuts.clone(),
            excess: prices.excess,
            bound: f64::INFINITY,
        };
        Some(self.with_bound(certificate, priced.greatest))
    }

    /// Looks for lineups that are worth more than `value`, among all matches that any such lineup could have.
    pub(super) fn settle(
        &self,
        value: f64,
        most_columns: usize,
        most_nodes: u64,
        watch: Watch<'_>,
    ) -> Settled {
        let Some((best, priced)) = self.that_matter(value, most_columns, watch) else {
            return Settled::Unknown(None);
        };
        let choices: Vec<Choice> = priced
            .columns
            .iter()
            .map(|(reduced, column)| Choice {
                units: column.key(),
                loss: (best.excess - reduced).max(0.0),
            })
            .collect();
        let teams = |chosen: Vec<usize>| {
            chosen
                .into_iter()
                .map(|choice| self.teams(&priced.columns[choice].1))
                .collect::<Teams>()
        };
        match self.cover(best, &choices, value, most_nodes, watch) {
            Cover::None => Settled::Proven,
            Cover::Best(chosen, _) => Settled::Better(teams(chosen)),
            Cover::Stopped(found) => Settled::Unknown(found.map(|(chosen, _)| teams(chosen))),
        }
    }

    /// The choices that lose least, and less than the bound is above `value`.
    fn cover(
        &self,
        best: &LobbyCertificate,
        choices: &[Choice],
        value: f64,
        most_nodes: u64,
        watch: Watch<'_>,
    ) -> Cover {
        let progress = self.progress(PROOF, value);
        let stop = || is_over(watch(&progress));
        let left_out: Vec<f64> = best
            .duals
            .iter()
            .zip(&self.units.prices)
            .map(|(dual, price)| dual + price)
            .collect();
        let allowed = best.bound - value - 3.0 * self.matches as f64 * ROUNDING;
        let paying = |cut: Cut| {
            (0..)
                .zip(choices)
                .filter(move |(_, choice)| choice.counts_for(cut))
        };
        let cuts: Vec<CutChoices> = best
            .cuts
            .iter()
            .filter(|cut| cut.1 > 0.0)
            .map(|&(cut, dual)| (paying(cut).map(|(at, _)| at).collect(), dual))
            .collect();
        let unused = Unused {
            cuts,
            sets: self.matches,
            each: best.excess,
        };
        let most_nodes = most_nodes.min(self.work.get());
        let (cover, nodes) = best_cover(
            choices,
            &self.units.sizes,
            &left_out,
            &unused,
            allowed,
            most_nodes,
            &stop,
        );
        self.spend(nodes);
        cover
    }

    /// The players of the match.
    fn teams(&self, column: &Column) -> (Vec<usize>, Vec<usize>) {
        let players = |team: &[u32]| self.units.players(team.iter().map(|&unit| unit as usize));
        (players(&column.team_a), players(&column.team_b))
    }
}

/// Teams of each match.
pub(super) type Teams = Vec<(Vec<usize>, Vec<usize>)>;

/// How an attempt at a proof ended.
#[derive(Debug)]
pub(super) enum Settled {
    /// Nothing is worth more.
    Proven,
    /// These are, and nothing is worth more than they.
    Better(Teams),
    /// There was no time, or there were too many matches to look at; what was found in between.
    Unknown(Option<Teams>),
}

#[cfg(test)]
mod tests;
