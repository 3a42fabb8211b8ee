//! Upper bounds on the value of lineups: column generation, and the proof of an optimum by branch and bound.

mod column;
mod cover;
mod cuts;
mod interior;
mod master;
mod pairs;
mod price;
mod proof;
#[cfg(test)]
mod tests;
mod tree;
mod units;

use std::collections::BTreeMap;

use column::Column;
use cuts::Cut;
use cuts::reduced;
use master::Solution;
use matchwright_solver::{Meter, Progress, Status};
use price::{Priced, Wanted, price};
use units::Units;

use super::lineup::{BoundSource, Lineups, LobbyCertificate};
use super::pool::LobbyPool;
use super::progress::{BOUND, PROOF};
use super::terms::LobbyTerms;

/// Rounding that bounds allow for, for each match.
const ROUNDING: f64 = 1e-9;

/// Cuts added at a time, and how often.
const CUTS: usize = 30;
const CUT_ROUNDS: usize = 6;

/// How far duals are drawn towards the best so far.
const SMOOTHING: f64 = 0.4;

/// Matches found for each first unit in one round.
const EACH: usize = 6;

/// A linear program of n rows counts as n^3 / 8 units of work, which take about as long.
const PROGRAM: u64 = 8;

/// The teams of each match.
type Teams = Vec<Vec<Vec<usize>>>;

/// Column generation for a pool whose objective has terms.
pub(super) struct Bounding<'a> {
    units: Units<'a>,
    /// The matches of the linear program, by their units.
    columns: BTreeMap<Vec<u32>, Column>,
    /// As many matches as the players could fill.
    matches: usize,
    threads: usize,
    /// The value of the best lineups that are known.
    value: f64,
    /// Lineups that are worth more than those given.
    found: Option<Teams>,
    best: LobbyCertificate,
    cuts: Vec<Cut>,
    meter: &'a Meter<'a>,
}

/// Where column generation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// The linear program is solved: without more cuts the bound gets no better.
    Solved,
    /// The bound comes near enough to the value.
    Closed,
}

impl<'a> Bounding<'a> {
    /// Bounds above `best`, the lineups that are known. Nodes of searches are units of work, and linear programs of n
    /// rows count as n^3 / 8.
    pub(super) fn new(
        pool: &'a LobbyPool,
        terms: &'a LobbyTerms,
        value: f64,
        threads: usize,
        meter: &'a Meter<'a>,
    ) -> Self {
        let mut bounding = Self {
            units: Units::new(pool, terms),
            columns: BTreeMap::new(),
            matches: pool.players() / pool.match_size(),
            threads,
            value,
            found: None,
            best: LobbyCertificate::trivial(pool),
            cuts: Vec::new(),
            meter,
        };
        bounding.keep(bounding.levelled(LobbyCertificate::trivial(pool)));
        bounding.keep(bounding.by_best_partners());
        bounding
    }

    /// The best certificate so far, and lineups that are worth more than those given, if any were found.
    pub(super) fn into_results(self) -> (LobbyCertificate, Option<Teams>) {
        (self.best, self.found)
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
            (units.own[unit] + partners[size - units.sizes[unit]] + share).max(-units.penalties[unit])
        };
        self.levelled(LobbyCertificate {
            duals: (0..units.count()).map(dual).collect(),
            cuts: Vec::new(),
            odd_sets: Vec::new(),
            excess: 0.0,
            bound: f64::INFINITY,
            source: BoundSource::Relaxation,
        })
    }

    /// The same proof, where each player pays some of it through the match, so that players whom no match has room for
    /// do not pay: no more than what the first of those is worth beyond staying unmatched.
    fn levelled(&self, mut certificate: LobbyCertificate) -> LobbyCertificate {
        let (units, size) = (&self.units, self.units.pool.match_size());
        let level = self.level(&certificate.duals, self.matches * size);
        for (unit, dual) in certificate.duals.iter_mut().enumerate() {
            *dual = (*dual - level * units.sizes[unit] as f64).max(-units.penalties[unit]);
        }
        self.with_bound(certificate, level * size as f64)
    }

    fn level(&self, duals: &[f64], places: usize) -> f64 {
        let units = &self.units;
        let mut worth: Vec<f64> = (0..units.count())
            .flat_map(|unit| {
                let size = units.sizes[unit];
                std::iter::repeat_n((duals[unit] + units.penalties[unit]) / size as f64, size)
            })
            .collect();
        worth.sort_unstable_by(|a, b| b.total_cmp(a));
        worth.get(places).map_or(0.0, |next| next.max(0.0))
    }

    /// Adds the matches of known lineups.
    pub(super) fn add(&mut self, lineups: &Lineups) {
        for lobby in &lineups.lobbies {
            let units = |team: &[usize]| {
                let parties = team.iter().map(|&player| self.units.pool.party_index(player));
                let mut units: Vec<usize> = parties.collect();
                units.sort_unstable();
                units.dedup();
                units
            };
            let quality = self.units.terms.quality(lobby.team_a(), lobby.team_b());
            if let Some(quality) = quality {
                self.insert(Column::new(
                    &units(lobby.team_a()),
                    &units(lobby.team_b()),
                    quality,
                ));
            }
        }
    }

    /// Adds a match, if it is new or a better split of its units; whether it was.
    fn insert(&mut self, column: Column) -> bool {
        let known = self.columns.get(&column.units);
        let is_better = known.is_none_or(|known| column.quality > known.quality + 1e-12);
        if is_better {
            self.columns.insert(column.units.clone(), column);
        }
        is_better
    }

    /// Whether the bound leaves nothing above the value but rounding.
    fn is_proven(&self) -> bool {
        let slack = 4.0 * self.matches as f64 * ROUNDING;
        self.best.bound - self.value <= slack
    }

    /// Spends the work of a linear program with this many cuts, and shows the watch the progress.
    fn begin_program(&self, stage: &'static str, cuts: usize) -> Result<(), Status> {
        let rows = (self.units.count() + cuts + 1) as u64;
        self.meter.spend(rows.saturating_pow(3) / PROGRAM)?;
        self.meter.check(self.progress(stage))
    }

    fn progress(&self, stage: &'static str) -> Progress {
        let progress = Progress::new(stage).with_value(self.value);
        progress.with_bound(self.best.bound)
    }

    /// Rounds of column generation, until the bound comes within `enough` of the value, or gets no better; if
    /// `with_cuts`, after a few rounds of cuts.
    ///
    /// # Errors
    /// The limit that is reached, or [`Status::Finished`] if a linear program cannot be solved.
    fn improve(&mut self, enough: f64, with_cuts: bool) -> Result<State, Status> {
        let mut smoothing = SMOOTHING;
        let mut cut_rounds = if with_cuts { CUT_ROUNDS } else { 0 };
        while self.best.bound - self.value > enough && !self.is_proven() {
            self.begin_program(BOUND, self.cuts.len())?;
            let columns: Vec<&Column> = self.columns.values().collect();
            let progress = self.progress(BOUND);
            let stop = || self.meter.check(progress).is_err();
            let solution = master::solve(&self.units, &columns, &self.cuts, self.matches, &stop);
            let Some(solution) = solution else {
                return Err(self.meter.ended().err().unwrap_or(Status::Finished));
            };
            let cuts = cuts::violated(solution.taken(&columns), self.units.count(), CUTS);
            let added = self.round(&solution, smoothing)?;
            let best = self.best.bound;
            if best - self.value <= enough || self.is_proven() {
                break;
            }
            let is_solved = best - solution.duals.bound <= 1e-6 * best.abs().max(1.0);
            if added == 0 && (smoothing == 0.0 || is_solved) {
                let fresh: Vec<Cut> = cuts.into_iter().filter(|cut| !self.cuts.contains(cut)).collect();
                if fresh.is_empty() || cut_rounds == 0 {
                    return Ok(State::Solved);
                }
                cut_rounds -= 1;
                self.cuts.extend(fresh);
            }
            // Duals that bring few new matches are near the end, where smoothing only delays.
            smoothing = if 10 * added < self.units.count() {
                0.0
            } else {
                SMOOTHING
            };
            self.forget(&solution);
        }
        Ok(State::Closed)
    }

    /// One pricing: adds the matches that are worth more than they pay, and returns how many of them are new to the
    /// program.
    fn round(&mut self, solution: &Solution, smoothing: f64) -> Result<usize, Status> {
        let candidate = self.smoothed(solution, smoothing);
        let wanted = Wanted {
            least: candidate.excess,
            each: EACH,
            all: None,
            threads: self.threads,
        };
        let priced = self.price(&candidate, wanted, BOUND)?;
        self.keep(self.with_bound(candidate, priced.greatest));
        let mut added = 0;
        let reduced = reduced(&priced.columns, &solution.duals);
        for (column, reduced) in priced.columns.into_iter().zip(reduced) {
            let is_useful = reduced > solution.duals.excess + 1e-9;
            added += usize::from(self.insert(column) && is_useful);
        }
        Ok(added)
    }

    fn price(
        &self,
        candidate: &LobbyCertificate,
        wanted: Wanted,
        stage: &'static str,
    ) -> Result<Priced, Status> {
        price(&self.units, candidate, wanted, self.meter, self.progress(stage))
    }

    /// The solution's duals, drawn towards the best so far: they change less from round to round.
    fn smoothed(&self, solution: &Solution, smoothing: f64) -> LobbyCertificate {
        let mut candidate = solution.duals.clone();
        if smoothing > 0.0 {
            let best = &self.best;
            let mix = |old: f64, new: &mut f64| *new = smoothing * old + (1.0 - smoothing) * *new;
            mix(best.excess, &mut candidate.excess);
            for (old, new) in best.duals.iter().zip(&mut candidate.duals) {
                mix(*old, new);
            }
            for (at, (_, new)) in candidate.cuts.iter_mut().enumerate() {
                mix(best.cuts.get(at).map_or(0.0, |cut| cut.1), new);
            }
        }
        candidate
    }

    /// The certificate with the bound that follows if no match is worth more than it pays by more than `excess`.
    fn with_bound(&self, mut candidate: LobbyCertificate, excess: f64) -> LobbyCertificate {
        candidate.excess = excess.max(self.of_clamped(&candidate.duals)) + ROUNDING;
        candidate.bound = candidate.sum(self.matches);
        candidate
    }

    /// Keeps the certificate if its bound is the least so far.
    fn keep(&mut self, certificate: LobbyCertificate) {
        if certificate.bound < self.best.bound {
            self.best = certificate;
        }
    }

    /// By how much a match may be worth more than it pays because its quality is 0 where its terms sum to less:
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

    /// Drops the matches with the least reduced values, once there are many.
    fn forget(&mut self, solution: &Solution) {
        let most = 40 * self.units.count() + 2000;
        if self.columns.len() <= most {
            return;
        }
        let reduced = reduced(self.columns.values(), &solution.duals);
        let mut values = reduced.clone();
        values.sort_unstable_by(|a, b| b.total_cmp(a));
        let mut reduced = reduced.into_iter();
        self.columns
            .retain(|_, _| reduced.next().is_some_and(|reduced| reduced >= values[most / 2]));
    }
}
