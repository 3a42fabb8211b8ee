//! Pricing: every match that is worth more than its units' duals, found by branch and bound over teams.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::column::Column;
use super::cuts::{self, Cut};
use super::pairs::PairBounds;
use super::units::Units;
use crate::parallel::in_order;

/// What is asked of a pricing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    /// Matches whose reduced value is below this are of no interest.
    pub(super) least: f64,
    /// At most this many for each unit that comes first in its match, the best ones. Once a unit has as many, its
    /// others that are worse are no longer looked for.
    pub(super) each: usize,
    /// If all that there are are of use, or none: so many in all at most, and the search ends if there are more.
    pub(super) all: Option<usize>,
    /// Nodes of the search, at most; every first unit has the same share of them.
    pub(super) nodes: u64,
    pub(super) threads: usize,
}

/// What a pricing found.
#[derive(Debug)]
pub(super) struct Priced {
    /// The matches, each with its reduced value.
    pub(super) columns: Vec<(f64, Column)>,
    /// The greatest reduced value of all matches, or `least` if none has more.
    pub(super) greatest: f64,
    /// Whether some unit had more matches than were asked for.
    pub(super) cut: bool,
}

/// Nodes of a search between two looks at the clock.
const BLOCK: u64 = 2048;

/// All matches whose quality exceeds the sum of their units' `duals` by `wanted.least` or more, as far as
/// `wanted.each` goes; `None` if `stop` said so or they take too many nodes. And how many nodes were visited.
pub(super) fn price(
    units: &Units<'_>,
    duals: &[f64],
    cuts: &[(Cut, f64)],
    wanted: Wanted,
    stop: &(dyn Fn() -> bool + Sync),
) -> (Option<Priced>, u64) {
    let cuts: Vec<(Cut, f64)> = cuts.iter().copied().filter(|cut| cut.1 > 0.0).collect();
    let units = &units.with_cuts(&cuts);
    // What bounding every two units takes, in nodes.
    let for_pairs = (units.count() * units.count()) as u64;
    let pairs = match PairBounds::new(units, duals, wanted.threads, stop) {
        Some(pairs) if for_pairs <= wanted.nodes => pairs,
        _ => return (None, for_pairs.min(wanted.nodes)),
    };
    let each = (wanted.nodes - for_pairs) / units.count() as u64;
    let total = AtomicUsize::new(0);
    let found = in_order(wanted.threads, units.count() as u64, |first| {
        #[allow(clippy::cast_possible_truncation, reason = "a pool has at most 2^24 parties")]
        let first = first as usize;
        if stop() {
            return (None, 0);
        }
        // Whether there are too many does not depend on who finds out first.
        let too_many = |total: &AtomicUsize| {
            wanted
                .all
                .is_some_and(|most| total.load(Ordering::Relaxed) > most)
        };
        if too_many(&total) {
            return (Some((Vec::new(), true)), 0);
        }
        let mut search = Search::new(units, &pairs, &cuts, wanted, first, stop);
        search.most_nodes = each;
        search.run();
        let nodes = search.nodes;
        if search.stopped {
            return (None, nodes);
        }
        total.fetch_add(search.found.len(), Ordering::Relaxed);
        let cut = search.cut || too_many(&total);
        (Some((search.into_columns(duals), cut)), nodes)
    });
    let nodes = for_pairs + found.iter().map(|found| found.1).sum::<u64>();
    let mut columns: Vec<(f64, Column)> = Vec::new();
    let mut cut = false;
    for (found, _) in found {
        let Some((found, more)) = found else {
            return (None, nodes);
        };
        columns.extend(found);
        cut |= more;
    }
    let greatest = columns.iter().map(|column| column.0).fold(wanted.least, f64::max);
    let priced = Priced {
        columns,
        greatest,
        cut,
    };
    (Some(priced), nodes)
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
    cut: bool,
    stop: &'a (dyn Fn() -> bool + Sync),
    stopped: bool,
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
        stop: &'a (dyn Fn() -> bool + Sync),
    ) -> Self {
        let (size_a, size_b) = units.pool.sizes();
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
            cut: false,
            stop,
            stopped: false,
            nodes: 0,
            most_nodes: u64::MAX,
        }
    }

    /// Counts a node; true if the search is over.
    #[inline]
    fn is_over(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes >= self.most_nodes || self.nodes.is_multiple_of(BLOCK) && (self.stop)() {
            self.stopped = true;
            // Nothing is good enough any more.
            self.least = f64::INFINITY;
        }
        self.stopped
    }

    fn run(&mut self) {
        let size_a = self.units.pool.sizes().0;
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
        let size_b = self.units.pool.sizes().1;
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
        // Who cannot be in a match that is good enough even with the best at his side goes first.
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

    /// Both teams are full: asks for balances and links. `sum` is the reduced value without them.
    fn complete(&mut self, sum: f64) {
        let beyond = self.units.beyond_pairs(&self.team_a, &self.team_b);
        let reduced = sum + beyond - self.owed_to_cuts();
        if reduced < self.least {
            return;
        }
        let mut key = [&self.team_a[..], &self.team_b[..]].concat();
        key.sort_unstable();
        // The same players split otherwise: only the best split is a match that anybody would play.
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
            self.cut = true;
            self.least = f64::INFINITY;
        } else if self.found.len() >= 2 * self.wanted.each {
            self.keep_best();
        }
    }

    /// What the match owes to cuts, beyond the thirds that its pairs have paid.
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
        self.cut = true;
        self.least = self.least.max(last);
    }

    /// What was found, best first.
    fn into_columns(self, duals: &[f64]) -> Vec<(f64, Column)> {
        let mut columns: Vec<(f64, Column)> = Vec::with_capacity(self.found.len());
        for (key, (reduced, team_a, team_b)) in self.found {
            let mut column = Column::new(&team_a, &team_b, 0.0);
            let paid: f64 = key.iter().map(|&unit| duals[unit]).sum();
            let cuts = self.cuts.iter().filter(|cut| cuts::counts(cut.0, &column));
            column.quality = reduced + paid + cuts.map(|cut| cut.1).sum::<f64>();
            columns.push((reduced, column));
        }
        columns.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp_units(&b.1)));
        columns.truncate(self.wanted.each);
        columns
    }
}
