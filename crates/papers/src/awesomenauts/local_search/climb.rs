//! One start: the best swap of all, over and over, until none improves.

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
    parties: Vec<u32>,
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
    parties: Vec<u32>,
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
    /// The different sizes of parties above 1, rising.
    party_sizes: Vec<usize>,
    limits: Limits<'a>,
    /// Work of earlier starts, and their best value.
    before: (u64, f64),
    splits: u64,
    swaps: u64,
    buffer: Vec<f64>,
}

impl<'a> Climb<'a> {
    /// These teams, match by match, then the unmatched players; every match gets its best split. The limits are on all
    /// starts, of which the earlier ones spent so much work and found so good a value.
    pub(super) fn new(
        evaluator: &'a Evaluator<'a>,
        teams: &[Vec<u32>],
        (limits, work, value): (Limits<'a>, u64, f64),
    ) -> Self {
        let mut party_sizes: Vec<usize> = evaluator.members.iter().map(Vec::len).collect();
        party_sizes.sort_unstable();
        party_sizes.dedup();
        party_sizes.retain(|&size| size > 1);
        let mut climb = Self {
            evaluator,
            places: Vec::new(),
            best: Vec::new(),
            party_sizes,
            limits,
            before: (work, value),
            splits: 0,
            swaps: 0,
            buffer: Vec::new(),
        };
        let pool = evaluator.pool;
        let first = |player: &&u32| pool.party_of(**player as usize)[0] == **player as usize;
        for match_teams in teams.chunks(2) {
            let players = match_teams.concat();
            let firsts = players.iter().filter(first);
            #[allow(clippy::cast_possible_truncation, reason = "a pool has at most 2^24 parties")]
            let parties = firsts
                .map(|&player| pool.party_index(player as usize) as u32)
                .collect();
            climb.places.push(Place {
                parties,
                ..Place::default()
            });
        }
        (0..climb.places.len()).for_each(|index| climb.refresh(index));
        climb
    }

    /// How many splits were tried.
    pub(super) const fn splits(&self) -> u64 {
        self.splits
    }

    /// How many swaps were carried out.
    pub(super) const fn swaps(&self) -> u64 {
        self.swaps
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
    fn changed(&self, index: usize, out: &Set, come: &Set) -> Vec<u32> {
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
        if let Some(terms) = evaluator.terms.as_ref().filter(|_| is_match) {
            let rest = |set: &Set| {
                let stay = |party: &u32| !set.parties.contains(party);
                let parties: Vec<u32> = place.parties.iter().copied().filter(stay).collect();
                Rest::new(terms, evaluator, &parties, evaluator.ways(&parties, false))
            };
            place.rests = sets.iter().map(rest).collect();
        }
        place.sets = sets;
    }

    /// The sets of parties that may leave together.
    fn sets_of(&self, parties: &[u32]) -> Vec<Set> {
        let set = |parties: Vec<u32>| Set {
            players: self.evaluator.size(&parties),
            parties,
        };
        let mut sets: Vec<Set> = parties.iter().map(|&party| set(vec![party])).collect();
        if self.party_sizes.is_empty() {
            return sets;
        }
        let first = &parties[..parties.len().min(IN_SETS)];
        let chosen = |choice: u32| {
            let at = (0..first.len()).filter(move |at| choice >> at & 1 == 1);
            at.map(|at| first[at])
        };
        let size = |choice: u32| {
            chosen(choice)
                .map(|party| self.evaluator.size(&[party]))
                .sum::<usize>()
        };
        for &players in &self.party_sizes {
            let choices = (1..1_u32 << first.len()).filter(|choice| choice.count_ones() > 1);
            let choices = choices.filter(|&choice| size(choice) == players);
            sets.extend(choices.map(|choice| set(chosen(choice).collect())));
        }
        sets
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
                    let gain = self.gain(places, [x, y]);
                    if gain > best.map_or(f64::NEG_INFINITY, |best| best.gain) {
                        let sets = [x, y];
                        best = Some(Swap { gain, places, sets });
                    }
                }
            }
        }
        best
    }

    /// What a swap gains; minus infinity if teams cannot be filled after it.
    pub(super) fn gain(&mut self, [p, q]: [usize; 2], [x, y]: [usize; 2]) -> f64 {
        let before = self.places[p].value + self.places[q].value;
        let first = self.after((p, x), (q, y));
        // Teams that cannot be filled without this are not looked at again.
        if first == f64::NEG_INFINITY {
            return first;
        }
        first + self.after((q, y), (p, x)) - before
    }

    /// The value of a place once one of its sets has gone and one of another place has come.
    #[inline]
    fn after(&mut self, (index, out): (usize, usize), (from, come): (usize, usize)) -> f64 {
        let (place, come) = (&self.places[index], &self.places[from].sets[come]);
        if index == self.places.len() - 1 {
            let out = self.evaluator.penalty(&place.sets[out].parties);
            place.value + out - self.evaluator.penalty(&come.parties)
        } else if let Some(terms) = &self.evaluator.terms {
            let (buffer, splits) = (&mut self.buffer, &mut self.splits);
            place.rests[out]
                .best_with(terms, self.evaluator, &come.parties, buffer, splits)
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
