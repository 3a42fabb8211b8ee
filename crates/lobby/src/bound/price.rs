//! Pricing: every match that is worth more than its units' duals, found by branch and bound over teams.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicUsize, Ordering};

use matchwright_solver::{Meter, Progress, Status};

use super::column::Column;
use super::cuts::Cut;
use super::pairs::PairBounds;
use super::units::Units;
use crate::lineup::LobbyCertificate;
use crate::parallel::in_order;

/// What a pricing looks for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    /// Matches whose reduced value is below this are of no interest.
    pub(super) least: f64,
    /// At most this many for each unit that comes first in its match, the best ones. Once a unit has as many, only
    /// better ones are looked for.
    pub(super) each: usize,
    /// If either all matches are of use or none: the most in all, above which the search ends.
    pub(super) all: Option<usize>,
    pub(super) threads: usize,
}

/// What a pricing found.
#[derive(Debug)]
pub(super) struct Priced {
    pub(super) columns: Vec<Column>,
    /// The greatest reduced value of all matches, or `least` if none has more.
    pub(super) greatest: f64,
    /// Whether some unit had more matches than were asked for.
    pub(super) is_cut: bool,
}

/// Nodes of a search between two looks at the watch.
const BLOCK: u64 = 512;

/// All matches whose quality exceeds the duals of the certificate by `wanted.least` or more, as far as `wanted.each`
/// goes. Nodes of the search are units of work: every first unit may take the same share of those that are left.
///
/// # Errors
/// The limit of `meter`, if one is reached.
pub(super) fn price(
    units: &Units<'_>,
    certificate: &LobbyCertificate,
    wanted: Wanted,
    meter: &Meter<'_>,
    progress: Progress,
) -> Result<Priced, Status> {
    let duals = &certificate.duals;
    let cuts: Vec<(Cut, f64)> = certificate
        .cuts
        .iter()
        .copied()
        .filter(|cut| cut.1 > 0.0)
        .collect();
    let units = &units.with_cuts(&cuts);
    // Bounds on pairs of units count as a node each.
    meter.spend((units.count() * units.count()) as u64)?;
    let pairs = PairBounds::new(units, duals, wanted.threads, meter, progress)?;
    let most_nodes = work_left(meter) / units.count() as u64;
    let total = AtomicUsize::new(0);
    // Whether there are too many does not depend on which thread finds out first.
    let too_many = || {
        wanted
            .all
            .is_some_and(|most| total.load(Ordering::Relaxed) > most)
    };
    let found = in_order(wanted.threads, units.count() as u64, |first| {
        #[allow(clippy::cast_possible_truncation, reason = "a pool has at most 2^24 parties")]
        let first = first as usize;
        let limits = (meter, progress, most_nodes);
        let mut search = Search::new(units, &pairs, &cuts, wanted, first, limits);
        if too_many() {
            search.is_cut = true;
        } else if meter.check(progress).is_err() {
            search.is_stopped = true;
        } else {
            search.run();
            total.fetch_add(search.found.len(), Ordering::Relaxed);
            search.is_cut |= too_many();
        }
        Some((
            search.nodes,
            search.is_stopped,
            search.is_cut,
            search.into_columns(duals),
        ))
    });
    let mut priced = Priced {
        columns: Vec::new(),
        greatest: wanted.least,
        is_cut: false,
    };
    for (nodes, is_stopped, is_cut, columns) in found {
        // A search that needs more than its share ends the call.
        meter.spend(if is_stopped { u64::MAX } else { nodes })?;
        priced.is_cut |= is_cut;
        priced.greatest = columns
            .iter()
            .map(|column| column.0)
            .fold(priced.greatest, f64::max);
        priced.columns.extend(columns.into_iter().map(|column| column.1));
    }
    Ok(priced)
}

/// The units of work that are left.
pub(super) fn work_left(meter: &Meter<'_>) -> u64 {
    let limit = meter.limits().work();
    limit.map_or(u64::MAX, |limit| limit.saturating_sub(meter.work()))
}

/// The search for matches whose first unit is given.
struct Search<'a> {
    units: &'a Units<'a>,
    pairs: &'a PairBounds,
    cuts: &'a [(Cut, f64)],
    wanted: Wanted,
    /// What a match must reach.
    least: f64,
    first: usize,
    /// Whether the first unit is known to be in team A, because teams have one size.
    anchored: bool,
    team_a: Vec<usize>,
    team_b: Vec<usize>,
    /// For each depth of team A, (unit, its terms against the team and own value) of those who may be opponents.
    opponents: Vec<Vec<(usize, f64)>>,
    /// Opponents of the full team A: (most it can add, unit, its terms against the team and own value).
    sorted: Vec<(f64, usize, f64)>,
    /// By the sets of their units: reduced value, team A, team B.
    found: HashMap<Vec<usize>, (f64, Vec<usize>, Vec<usize>)>,
    is_cut: bool,
    meter: &'a Meter<'a>,
    progress: Progress,
    is_stopped: bool,
    nodes: u64,
    most_nodes: u64,
}

impl<'a> Search<'a> {
    fn new(
        units: &'a Units<'a>,
        pairs: &'a PairBounds,
        cuts: &'a [(Cut, f64)],
        wanted: Wanted,
        first: usize,
        (meter, progress, most_nodes): (&'a Meter<'a>, Progress, u64),
    ) -> Self {
        let (size_a, size_b) = units.pool.first_two();
        Self {
            units,
            pairs,
            cuts,
            wanted,
            least: wanted.least,
            first,
            anchored: size_a == size_b,
            team_a: Vec::new(),
            team_b: Vec::new(),
            opponents: vec![Vec::new(); size_a + 1],
            sorted: Vec::new(),
            found: HashMap::new(),
            is_cut: false,
            meter,
            progress,
            is_stopped: false,
            nodes: 0,
            most_nodes,
        }
    }

    /// Counts a node; true if the search is over.
    #[inline]
    fn is_over(&mut self) -> bool {
        self.nodes += 1;
        let may_look = self.nodes.is_multiple_of(BLOCK);
        if self.nodes >= self.most_nodes || may_look && self.meter.check(self.progress).is_err() {
            self.is_stopped = true;
            // Nothing is good enough any more.
            self.least = f64::INFINITY;
        }
        self.is_stopped
    }

    fn run(&mut self) {
        let size_a = self.units.pool.first_two().0;
        let size = self.units.sizes[self.first];
        if size > size_a {
            return;
        }
        // Of teams of different sizes, each match is found from the first unit of its team A.
        let from = if self.anchored { self.first + 1 } else { 0 };
        let row = self.units.against(self.first);
        let mut opponents = std::mem::take(&mut self.opponents[1]);
        opponents.clear();
        for (unit, &against) in row.iter().enumerate().skip(from) {
            if unit != self.first && self.pairs.against(self.first, unit) >= self.least {
                opponents.push((unit, against + self.pairs.value(unit)));
            }
        }
        self.opponents[1] = opponents;
        self.team_a.push(self.first);
        self.extend_a(self.first + 1, size_a - size, self.pairs.value(self.first));
        self.team_a.pop();
    }

    /// Team A with units from `from` on, until `room` is filled; `base` is what the team is worth by itself.
    fn extend_a(&mut self, from: usize, room: usize, base: f64) {
        let depth = self.team_a.len();
        if room == 0 {
            self.find_b(depth, base);
            return;
        }
        if self.is_over() {
            return;
        }
        for unit in from..self.units.count() {
            let size = self.units.sizes[unit];
            if size > room
                || !self
                    .team_a
                    .iter()
                    .all(|&mate| self.pairs.together(mate, unit) >= self.least)
            {
                continue;
            }
            let row = self.units.together(unit);
            let terms: f64 = self.team_a.iter().map(|&mate| row[mate]).sum();
            let (before, after) = self.opponents.split_at_mut(depth + 1);
            let next = &mut after[0];
            next.clear();
            let against = self.units.against(unit);
            for &(opponent, sum) in &before[depth] {
                if opponent != unit && self.pairs.against(unit, opponent) >= self.least {
                    next.push((opponent, sum + against[opponent]));
                }
            }
            self.team_a.push(unit);
            self.extend_a(unit + 1, room - size, base + terms + self.pairs.value(unit));
            self.team_a.pop();
        }
    }

    /// The teams B against this team A.
    fn find_b(&mut self, depth: usize, base: f64) {
        let size_b = self.units.pool.first_two().1;
        let rest = base + self.units.most_beyond_pairs;
        self.sorted.clear();
        let mut best = f64::NEG_INFINITY;
        for &(unit, sum) in &self.opponents[depth] {
            let size = self.units.sizes[unit];
            if size <= size_b {
                let most = sum + self.pairs.half_together(unit, size_b - size);
                let density = most / size as f64;
                best = best.max(density);
                self.sorted.push((most, unit, sum));
            }
        }
        if rest + best * (size_b as f64) < self.least || self.sorted.is_empty() {
            return;
        }
        let sizes = &self.units.sizes;
        let density = |entry: &(f64, usize, f64)| entry.0 / sizes[entry.1] as f64;
        // Units that cannot be in a match that is good enough, even with the best others, are dropped first.
        let least = self.least;
        self.sorted
            .retain(|entry| rest + entry.0 + best * (size_b - sizes[entry.1]) as f64 >= least);
        self.sorted
            .sort_unstable_by(|a, b| density(b).total_cmp(&density(a)).then(a.1.cmp(&b.1)));
        self.extend_b(0, size_b, rest, rest);
    }

    /// Team B with opponents from place `from` on, until `room` is filled. `most` is what the match can be worth by
    /// the chosen ones' highest contributions, `sum` what it is worth so far if balances and links are as good as can
    /// be.
    fn extend_b(&mut self, from: usize, room: usize, most: f64, sum: f64) {
        if self.is_over() {
            return;
        }
        if room == 0 {
            if sum >= self.least {
                self.complete(sum - self.units.most_beyond_pairs);
            }
            return;
        }
        for place in from..self.sorted.len() {
            let (high, unit, own) = self.sorted[place];
            let size = self.units.sizes[unit];
            let density = high / size as f64;
            // The others come later, and none has a higher density.
            if most + density * room as f64 <= self.least {
                return;
            }
            if size > room
                || !self
                    .team_b
                    .iter()
                    .all(|&mate| self.pairs.together(mate, unit) >= self.least)
            {
                continue;
            }
            let row = self.units.together(unit);
            let terms: f64 = self.team_b.iter().map(|&mate| row[mate]).sum();
            self.team_b.push(unit);
            self.extend_b(place + 1, room - size, most + high, sum + own + terms);
            self.team_b.pop();
        }
    }

    /// Both teams are full: adds balances and links. `sum` is the reduced value without them.
    fn complete(&mut self, sum: f64) {
        let beyond = self.units.beyond_pairs(&self.team_a, &self.team_b);
        let reduced = sum + beyond - self.owed_to_cuts();
        if reduced < self.least {
            return;
        }
        let mut key = [&self.team_a[..], &self.team_b[..]].concat();
        key.sort_unstable();
        // The same units may be split otherwise: the best split counts.
        match self.found.entry(key) {
            Entry::Vacant(place) => {
                place.insert((reduced, self.team_a.clone(), self.team_b.clone()));
            }
            Entry::Occupied(mut place) => {
                if reduced > place.get().0 {
                    place.insert((reduced, self.team_a.clone(), self.team_b.clone()));
                }
            }
        }
        if self.wanted.all.is_some_and(|most| self.found.len() > most) {
            self.is_cut = true;
            self.least = f64::INFINITY;
        } else if self.found.len() >= 2 * self.wanted.each {
            self.keep_best();
        }
    }

    /// The duals of cuts that the match pays, beyond the thirds in its pairs' terms.
    fn owed_to_cuts(&self) -> f64 {
        let has =
            |unit: u32| self.team_a.contains(&(unit as usize)) || self.team_b.contains(&(unit as usize));
        let owed = |&(cut, dual): &(Cut, f64)| match cut.iter().filter(|&&unit| has(unit)).count() {
            2 => dual * (2.0 / 3.0),
            _ => 0.0,
        };
        self.cuts.iter().map(owed).sum()
    }

    /// Keeps as many as were asked for, and looks for better ones only.
    fn keep_best(&mut self) {
        let mut values: Vec<f64> = self.found.values().map(|found| found.0).collect();
        values.sort_unstable_by(|a, b| b.total_cmp(a));
        let last = values[self.wanted.each - 1];
        self.found.retain(|_, found| found.0 >= last);
        self.is_cut = true;
        self.least = self.least.max(last);
    }

    /// The matches with their reduced values, best first.
    fn into_columns(self, duals: &[f64]) -> Vec<(f64, Column)> {
        let mut columns: Vec<(f64, Column)> = Vec::with_capacity(self.found.len());
        for (key, (reduced, team_a, team_b)) in self.found {
            let mut column = Column::new(&team_a, &team_b, 0.0);
            let paid: f64 = key.iter().map(|&unit| duals[unit]).sum();
            let cuts = self.cuts.iter().filter(|cut| column.counts_for(cut.0));
            column.quality = reduced + paid + cuts.map(|cut| cut.1).sum::<f64>();
            columns.push((reduced, column));
        }
        columns.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.units.cmp(&b.1.units)));
        columns.truncate(self.wanted.each);
        columns
    }
}
