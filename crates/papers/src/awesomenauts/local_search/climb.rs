//! One start: the best swap of all, over and over, until none improves.

use itertools::Itertools as _;
use matchwright_solver::{Limits, Progress, Status};

use super::Teams;
use super::evaluator::Evaluator;
use super::rest::Rest;

/// A gain that is none.
pub(super) const NO_GAIN: f64 = 1e-9;

/// Parties of a place that sets of several parties are formed of.
const IN_SETS: usize = 14;

/// A match, or the unmatched players.
#[derive(Debug, Default)]
pub(super) struct Place {
    parties: Vec<usize>,
    /// The side of each party of a match: 0 or 1.
    sides: Vec<u8>,
    /// The quality of a match, or minus the unmatched penalties.
    pub(super) value: f64,
    /// The parties one by one, then all sets of several that have as many players as some party of the pool, which they
    /// could change places with.
    pub(super) sets: Vec<Set>,
    /// For each set, the match without it; empty without terms.
    rests: Vec<Rest>,
}

/// Parties that leave a place together.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Set {
    parties: Vec<usize>,
    players: usize,
}

impl Set {
    /// Whether it may change places with the other one: as many players, and one of the two a single party.
    pub(super) fn swaps_with(&self, other: &Self) -> bool {
        self.players == other.players && (self.parties.len() == 1 || other.parties.len() == 1)
    }
}

/// Two sets that change places, by their numbers in their places, and what that gains.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Swap {
    pub(super) gain: f64,
    /// The places, the first of which comes first.
    pub(super) places: [usize; 2],
    pub(super) sets: [usize; 2],
}

/// All places, and the best swap between every two of them.
pub(super) struct Climb<'a> {
    evaluator: &'a Evaluator<'a>,
    /// The matches, then the unmatched players.
    pub(super) places: Vec<Place>,
    /// For each two places, first < second.
    best: Vec<Option<Swap>>,
    /// The different sizes of parties above 1.
    party_sizes: Vec<usize>,
    limits: Limits<'a>,
    /// Work of earlier starts, and their best value.
    before: (u64, f64),
    /// Splits that were tried.
    pub(super) splits: u64,
    /// Swaps that were carried out.
    pub(super) swaps: u64,
}

impl<'a> Climb<'a> {
    /// These teams, match by match, then the unmatched players; every match gets its best split. The limits are on all
    /// starts, of which the earlier ones spent this much work and found this value.
    pub(super) fn new(
        evaluator: &'a Evaluator<'a>,
        teams: &[Vec<usize>],
        (limits, work, value): (Limits<'a>, u64, f64),
    ) -> Self {
        let pool = evaluator.pool;
        let sizes = pool.parties().iter().map(Vec::len);
        let party_sizes = sizes.filter(|&size| size > 1).unique().collect();
        let mut climb = Self {
            evaluator,
            places: Vec::new(),
            best: Vec::new(),
            party_sizes,
            limits,
            before: (work, value),
            splits: 0,
            swaps: 0,
        };
        for players in teams.chunks(2).map(<[Vec<usize>]>::concat) {
            let firsts = players
                .into_iter()
                .filter(|&player| pool.party_of(player)[0] == player);
            climb.places.push(Place {
                parties: firsts.map(|player| pool.party_index(player)).collect(),
                ..Place::default()
            });
        }
        (0..climb.places.len()).for_each(|index| climb.refresh(index));
        climb
    }

    /// The value of the lineup.
    pub(super) fn value(&self) -> f64 {
        self.places.iter().map(|place| place.value).sum()
    }

    /// The teams of each match.
    pub(super) fn teams(&self) -> Teams {
        let matches = self.places[..self.unmatched()].iter();
        matches
            .map(|place| self.evaluator.teams(&place.parties, &place.sides))
            .collect()
    }

    /// The place of the unmatched players.
    fn unmatched(&self) -> usize {
        self.places.len() - 1
    }

    /// Whether a limit is reached.
    pub(super) fn check(&self) -> Result<(), Status> {
        let progress = Progress::new("search").with_work(self.before.0 + self.splits);
        let progress = progress.with_value(self.value().max(self.before.1));
        self.limits.reached(&progress).map_or(Ok(()), Err)
    }

    /// Carries out the best swap until none improves, or a limit is reached.
    pub(super) fn climb(&mut self) -> Result<(), Status> {
        self.best = vec![None; self.places.len().pow(2)];
        self.judge(None)?;
        while let Some(swap) = steepest(self.best.iter().flatten()).filter(|swap| swap.gain > NO_GAIN) {
            self.step(swap);
            self.judge(Some(swap.places))?;
        }
        Ok(())
    }

    /// Forces the worst matches, one after the other, into the swap that costs least, however much that is.
    pub(super) fn force(&mut self, times: usize) -> Result<(), Status> {
        let mut open: Vec<usize> = (0..self.unmatched()).collect();
        for _ in 0..times {
            let value = |index: usize| self.places[index].value;
            let worst = open
                .iter()
                .copied()
                .min_by(|&a, &b| value(a).total_cmp(&value(b)));
            let Some(worst) = worst else { break };
            open.retain(|&index| index != worst);
            let swaps = self.best.iter().flatten();
            if let Some(swap) = steepest(swaps.filter(|swap| swap.places.contains(&worst))) {
                self.step(swap);
                self.judge(Some(swap.places))?;
            }
        }
        Ok(())
    }

    /// Carries a swap out.
    pub(super) fn step(&mut self, swap: Swap) {
        let [p, q] = swap.places;
        let (x, y) = (
            &self.places[p].sets[swap.sets[0]],
            &self.places[q].sets[swap.sets[1]],
        );
        let (in_p, in_q) = (self.changed(p, x, y), self.changed(q, y, x));
        for (index, parties) in [(p, in_p), (q, in_q)] {
            self.places[index] = Place {
                parties,
                ..Place::default()
            };
            self.refresh(index);
        }
        self.swaps += 1;
    }

    /// The parties of a place with one set replaced by another.
    fn changed(&self, index: usize, out: &Set, come: &Set) -> Vec<usize> {
        let parties = self.places[index].parties.iter().copied();
        let stay = parties.filter(|party| !out.parties.contains(party));
        stay.chain(come.parties.iter().copied()).collect()
    }

    /// Splits a match anew, and lists its sets and what remains without them.
    fn refresh(&mut self, index: usize) {
        let (evaluator, is_match) = (self.evaluator, index != self.unmatched());
        let sets = self.sets_of(&self.places[index].parties);
        let place = &mut self.places[index];
        if is_match {
            (place.value, place.sides) = evaluator.best_split(&place.parties, &mut self.splits);
        } else {
            place.value = -evaluator.penalty(&place.parties);
        }
        if is_match && evaluator.terms.is_some() {
            let rest = |set: &Set| {
                let stay = |party: &usize| !set.parties.contains(party);
                let parties: Vec<usize> = place.parties.iter().copied().filter(stay).collect();
                Rest::new(evaluator, &parties, evaluator.ways(&parties, false))
            };
            place.rests = sets.iter().map(rest).collect();
        }
        place.sets = sets;
    }

    /// The sets of parties that may leave together.
    fn sets_of(&self, parties: &[usize]) -> Vec<Set> {
        let most = if self.party_sizes.is_empty() { 0 } else { IN_SETS };
        let several = parties.iter().copied().take(most).powerset();
        let several = several.filter(|set| set.len() > 1);
        let sets = parties.iter().map(|&party| vec![party]).chain(several);
        let sets = sets.map(|parties| Set {
            players: self.evaluator.size(&parties),
            parties,
        });
        let may_leave = |set: &Set| set.parties.len() == 1 || self.party_sizes.contains(&set.players);
        sets.filter(may_leave).collect()
    }

    /// Finds the best swap between every two places, or only with either of two.
    fn judge(&mut self, changed: Option<[usize; 2]>) -> Result<(), Status> {
        for q in 0..self.places.len() {
            for p in 0..q {
                if changed.is_none_or(|changed| changed.contains(&p) || changed.contains(&q)) {
                    self.check()?;
                    let at = p * self.places.len() + q;
                    self.best[at] = self.best_between([p, q]);
                }
            }
        }
        Ok(())
    }

    /// The best swap between two places.
    fn best_between(&mut self, places: [usize; 2]) -> Option<Swap> {
        let [p, q] = places;
        let mut best: Option<Swap> = None;
        for x in 0..self.places[p].sets.len() {
            for y in 0..self.places[q].sets.len() {
                if self.places[p].sets[x].swaps_with(&self.places[q].sets[y]) {
                    let least = best.map_or(f64::NEG_INFINITY, |best| best.gain);
                    let (gain, sets) = (self.gain(places, [x, y], least), [x, y]);
                    if gain > least {
                        best = Some(Swap { gain, places, sets });
                    }
                }
            }
        }
        best
    }

    /// What a swap gains; minus infinity if teams cannot be filled after it, or it is surely less than `least`.
    pub(super) fn gain(&mut self, [p, q]: [usize; 2], [x, y]: [usize; 2], least: f64) -> f64 {
        let least = least + self.places[p].value + self.places[q].value;
        // No place is worth more than 1.
        let first = self.after((p, x), (q, y), least - 1.0);
        let second = self.after((q, y), (p, x), least - first);
        first + second - self.places[p].value - self.places[q].value
    }

    /// The value of a place once one of its sets has gone and one of another place has come; minus infinity if it is
    /// surely below `least`.
    #[inline]
    fn after(&mut self, (index, out): (usize, usize), (from, come): (usize, usize), least: f64) -> f64 {
        let (place, come) = (&self.places[index], &self.places[from].sets[come]);
        if index == self.places.len() - 1 {
            let out = self.evaluator.penalty(&place.sets[out].parties);
            place.value + out - self.evaluator.penalty(&come.parties)
        } else if let Some(rest) = place.rests.get(out) {
            rest.best_with(self.evaluator, &come.parties, least, &mut self.splits)
                .0
        } else {
            let parties = self.changed(index, &place.sets[out], come);
            self.evaluator.best_split(&parties, &mut self.splits).0
        }
    }
}

/// The swap that gains most, the first of several.
fn steepest<'s>(swaps: impl Iterator<Item = &'s Swap>) -> Option<Swap> {
    swaps
        .copied()
        .reduce(|best, next| if next.gain > best.gain { next } else { best })
}
