//! One start: the best swap of all, over and over, until none improves.

use super::place::{Place, Set, sets_of};
use super::rest::{Rest, Scratch};
use super::splits::ways;
use super::world::World;

/// A gain that is none.
const NO_GAIN: f64 = 1e-9;

/// Two sets of parties that change places, by their numbers in their places, and what that gains.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Swap {
    pub(super) gain: f64,
    pub(super) x: usize,
    pub(super) y: usize,
}

/// Asked with the number of splits tried and the value so far: whether to stop.
pub(super) type Stop<'a> = &'a mut dyn FnMut(u64, f64) -> bool;

/// The two teams of each match.
pub(super) type Teams = Vec<(Vec<usize>, Vec<usize>)>;

/// Matches, the bench, and the best swap between every two of them.
pub(super) struct Climb<'a> {
    pub(super) world: &'a World<'a>,
    /// The matches, then the bench.
    pub(super) places: Vec<Place>,
    /// For each two places, first < second.
    best: Vec<Option<Swap>>,
    /// Whether swaps are judged by the quality itself and not by tables.
    exact: bool,
    pub(super) tried: u64,
    swaps: u64,
    pub(super) scratch: Scratch,
}

impl<'a> Climb<'a> {
    /// These teams, match by match, then the bench; every match is split anew.
    pub(super) fn new(world: &'a World<'a>, teams: &[Vec<u32>]) -> Self {
        let (bench, matches) = teams
            .split_last()
            .map_or((&[][..], &[][..]), |(bench, of)| (bench, of));
        let mut climb = Self {
            world,
            places: Vec::new(),
            best: Vec::new(),
            exact: world.table.is_none() || world.window() > 0.01,
            tried: 0,
            swaps: 0,
            scratch: Scratch::default(),
        };
        for match_teams in matches.chunks_exact(2) {
            let (a, b) = (
                world.parties_of(&match_teams[0]),
                world.parties_of(&match_teams[1]),
            );
            let sides = [vec![0; a.len()], vec![1; b.len()]].concat();
            climb.places.push(Place {
                parties: [a, b].concat(),
                sides,
                ..Place::default()
            });
        }
        climb.places.push(Place {
            parties: world.parties_of(bench),
            ..Place::default()
        });
        for index in 0..climb.places.len() {
            climb.split(index);
            climb.refresh(index);
        }
        climb
    }

    /// How many splits were tried.
    pub(super) const fn tried(&self) -> u64 {
        self.tried
    }

    /// How many swaps were carried out.
    pub(super) const fn swaps(&self) -> u64 {
        self.swaps
    }

    /// What matches and bench are worth.
    pub(super) fn value(&self) -> f64 {
        self.places.iter().map(|place| place.value).sum()
    }

    /// The teams of each match.
    pub(super) fn teams(&self) -> Teams {
        let matches = &self.places[..self.bench()];
        matches
            .iter()
            .map(|place| self.world.teams(&place.parties, &place.sides))
            .collect()
    }

    fn bench(&self) -> usize {
        self.places.len() - 1
    }

    /// Applies the best swap until none improves, or `stop` says so.
    pub(super) fn climb(&mut self, stop: Stop<'_>) {
        if !self.judge_all(stop) {
            return;
        }
        let surely = |climb: &Self| {
            if climb.exact {
                NO_GAIN
            } else {
                climb.world.window()
            }
        };
        loop {
            let next = match self.steepest() {
                Some((p, q, swap)) if swap.gain > surely(self) => Some((p, q, swap)),
                _ if self.exact => None,
                // What tables cannot tell from nothing is asked of the quality.
                _ => self.steepest_of_near(),
            };
            let Some((p, q, swap)) = next else { return };
            if self.step(p, q, swap, false) {
                if !self.judge_touching(p, q, stop) {
                    return;
                }
            } else if self.exact {
                return;
            } else {
                // The tables promised what is not there: they are not to be trusted here.
                self.exact = true;
                (0..self.places.len()).for_each(|index| self.refresh(index));
                if !self.judge_all(stop) {
                    return;
                }
            }
        }
    }

    /// Forces the worst matches, one after the other, into the swap that costs least, however much that is.
    pub(super) fn force(&mut self, times: usize, stop: Stop<'_>) {
        let mut forced = vec![false; self.bench()];
        for _ in 0..times {
            let open = (0..self.bench()).filter(|&index| !forced[index]);
            let worst = open.min_by(|&a, &b| self.places[a].value.total_cmp(&self.places[b].value));
            let Some(worst) = worst else { return };
            forced[worst] = true;
            let others = (0..self.places.len()).filter(|&other| other != worst);
            let swaps = others.filter_map(|other| {
                let (p, q) = (worst.min(other), worst.max(other));
                self.best[self.at(p, q)].map(|swap| (p, q, swap))
            });
            let best = swaps.reduce(|best, next| if next.2.gain > best.2.gain { next } else { best });
            if let Some((p, q, swap)) = best {
                self.step(p, q, swap, true);
                if !self.judge_touching(p, q, stop) {
                    return;
                }
            }
        }
    }

    const fn at(&self, p: usize, q: usize) -> usize {
        p * self.places.len() + q
    }

    /// The best of all swaps.
    fn steepest(&self) -> Option<(usize, usize, Swap)> {
        let mut best: Option<(usize, usize, Swap)> = None;
        for p in 0..self.places.len() {
            for q in p + 1..self.places.len() {
                if let Some(swap) = self.best[self.at(p, q)]
                    && best.is_none_or(|best| swap.gain > best.2.gain)
                {
                    best = Some((p, q, swap));
                }
            }
        }
        best
    }

    /// The best by the quality itself, among swaps whose gain tables cannot tell from nothing; `None` if none gains.
    fn steepest_of_near(&mut self) -> Option<(usize, usize, Swap)> {
        let window = self.world.window();
        let mut best: Option<(usize, usize, Swap)> = None;
        for p in 0..self.places.len() {
            for q in p + 1..self.places.len() {
                if self.best[self.at(p, q)].is_none_or(|swap| swap.gain < -window) {
                    continue;
                }
                let mut near = Vec::new();
                self.judge(p, q, &mut |swap| {
                    if swap.gain >= -window {
                        near.push(swap);
                    }
                });
                for mut swap in near {
                    swap.gain = self.exact_gain(p, q, swap);
                    if swap.gain > best.map_or(NO_GAIN, |best| best.2.gain) {
                        best = Some((p, q, swap));
                    }
                }
            }
        }
        best
    }

    /// Carries a swap out; back again, and false, if it gains nothing and is not `forced`.
    pub(super) fn step(&mut self, p: usize, q: usize, swap: Swap, forced: bool) -> bool {
        let before = self.places[p].value + self.places[q].value;
        let (x, y) = (&self.places[p].sets[swap.x], &self.places[q].sets[swap.y]);
        let changed = [self.changed(p, x, y), self.changed(q, y, x)];
        let old: Vec<Place> = [p, q]
            .into_iter()
            .zip(changed)
            .map(|(index, changed)| {
                let new = Place {
                    parties: changed.0,
                    sides: changed.1,
                    ..Place::default()
                };
                std::mem::replace(&mut self.places[index], new)
            })
            .collect();
        self.split(p);
        self.split(q);
        if !forced && self.places[p].value + self.places[q].value - before <= NO_GAIN {
            for (index, old) in [p, q].into_iter().zip(old) {
                self.places[index] = old;
            }
            return false;
        }
        self.refresh(p);
        self.refresh(q);
        self.swaps += 1;
        true
    }

    /// The parties of a place with one set replaced by another, and their sides, those who come on the side of those
    /// who go.
    fn changed(&self, index: usize, out: &Set, come: &Set) -> (Vec<u32>, Vec<u8>) {
        let place = &self.places[index];
        let (mut parties, mut sides) = (Vec::new(), Vec::new());
        let mut side = 0;
        for (at, party) in place.parties.iter().enumerate() {
            let of = place.sides.get(at).copied().unwrap_or(0);
            if out.parties.contains(party) {
                side = of;
            } else {
                parties.push(*party);
                sides.push(of);
            }
        }
        parties.extend_from_slice(&come.parties);
        sides.resize(parties.len(), side);
        (parties, sides)
    }

    /// What the swap gains by the quality itself.
    fn exact_gain(&mut self, p: usize, q: usize, swap: Swap) -> f64 {
        let world = self.world;
        let bench = self.bench();
        let (x, y) = (&self.places[p].sets[swap.x], &self.places[q].sets[swap.y]);
        let mut gain = 0.0;
        for (index, out, come) in [(p, x, y), (q, y, x)] {
            gain += if index == bench {
                world.price(&out.parties) - world.price(&come.parties)
            } else {
                let (parties, sides) = self.changed(index, out, come);
                world.best_split(&parties, &sides, &mut self.tried).0 - self.places[index].value
            };
        }
        gain
    }

    /// Splits a match as well as it can be.
    fn split(&mut self, index: usize) {
        let bench = self.bench();
        let world = self.world;
        let place = &mut self.places[index];
        if index == bench {
            place.value = -world.price(&place.parties);
        } else {
            (place.value, place.sides) = world.best_split(&place.parties, &place.sides, &mut self.tried);
            if world.seated {
                place.value = world.improve_split(&place.parties, &mut place.sides, &mut self.tried);
            }
        }
    }

    /// Works out what swaps of this place are judged by.
    fn refresh(&mut self, index: usize) {
        let world = self.world;
        let is_match = index != self.bench();
        let place = &mut self.places[index];
        let sides = (world.seated && is_match).then_some(&place.sides[..]);
        let size = |party: u32| world.members(party).len();
        place.sets = sets_of(&place.parties, sides, &size, &world.party_sizes);
        place.rests.clear();
        place.by_table = place.value;
        let Some(table) = world.table.as_ref().filter(|_| is_match && !self.exact) else {
            return;
        };
        for set in &place.sets {
            let stay = |at: &usize| !set.parties.contains(&place.parties[*at]);
            let stay: Vec<usize> = (0..place.parties.len()).filter(stay).collect();
            let members: Vec<&[u32]> = stay.iter().map(|&at| world.members(place.parties[at])).collect();
            let sides = if world.seated {
                stay.iter().map(|&at| place.sides[at]).collect()
            } else {
                let sizes: Vec<usize> = members.iter().map(|party| party.len()).collect();
                ways(&sizes, world.pool.sizes(), false)
            };
            place
                .rests
                .push(Rest::new(table, &members, sides, world.pool.sizes().0));
        }
        let own: Vec<&[u32]> = place.sets[0]
            .parties
            .iter()
            .map(|&party| world.members(party))
            .collect();
        place.by_table = f64::from(place.rests[0].best_with(table, &own, &mut self.scratch, &mut self.tried));
    }

    /// Judges the swaps between every two places; false if stopped.
    fn judge_all(&mut self, stop: Stop<'_>) -> bool {
        self.best.clear();
        self.best.resize(self.places.len() * self.places.len(), None);
        for p in 0..self.places.len() {
            for q in p + 1..self.places.len() {
                if !self.judge_best(p, q, stop) {
                    return false;
                }
            }
        }
        true
    }

    /// Judges the swaps with either of two places; false if stopped.
    fn judge_touching(&mut self, p: usize, q: usize, stop: Stop<'_>) -> bool {
        for other in 0..self.places.len() {
            for index in [p, q] {
                if other != index && (other != p || index == q) && (other != q || index != p) {
                    let (first, second) = (index.min(other), index.max(other));
                    if !self.judge_best(first, second, stop) {
                        return false;
                    }
                }
            }
        }
        true
    }

    fn judge_best(&mut self, p: usize, q: usize, stop: Stop<'_>) -> bool {
        if stop(self.tried, self.value()) {
            return false;
        }
        let mut best: Option<Swap> = None;
        self.judge(p, q, &mut |swap| {
            if best.is_none_or(|best| swap.gain > best.gain) {
                best = Some(swap);
            }
        });
        let at = self.at(p, q);
        self.best[at] = best;
        true
    }

    /// Calls `judged` with every swap between two places that leaves teams that can be filled.
    fn judge(&mut self, p: usize, q: usize, judged: &mut dyn FnMut(Swap)) {
        let world = self.world;
        let (mut scratch, mut tried) = (std::mem::take(&mut self.scratch), self.tried);
        let (one, other) = (&self.places[p], &self.places[q]);
        let columns = other.sets.len();
        let mut sums = vec![f64::NEG_INFINITY; one.sets.len() * columns];
        for (y, come) in other.sets.iter().enumerate() {
            let members: Vec<&[u32]> = come.parties.iter().map(|&party| world.members(party)).collect();
            for (x, out) in one
                .sets
                .iter()
                .enumerate()
                .filter(|(_, out)| out.swaps_with(come))
            {
                sums[x * columns + y] = self.after(p, (x, out), come, &members, &mut scratch, &mut tried);
            }
        }
        for (x, come) in one.sets.iter().enumerate() {
            let members: Vec<&[u32]> = come.parties.iter().map(|&party| world.members(party)).collect();
            for (y, out) in other
                .sets
                .iter()
                .enumerate()
                .filter(|(_, out)| come.swaps_with(out))
            {
                let sum = &mut sums[x * columns + y];
                // Teams that cannot be filled without this are not looked at again.
                if *sum > f64::NEG_INFINITY {
                    *sum += self.after(q, (y, out), come, &members, &mut scratch, &mut tried);
                }
            }
        }
        let now = one.by_table + other.by_table;
        for (at, &sum) in sums
            .iter()
            .enumerate()
            .filter(|(_, sum)| **sum > f64::NEG_INFINITY)
        {
            judged(Swap {
                gain: sum - now,
                x: at / columns,
                y: at % columns,
            });
        }
        (self.scratch, self.tried) = (scratch, tried);
    }

    /// What a place is worth, by tables if there are any, once one set has gone and another has come.
    #[inline]
    pub(super) fn after(
        &self,
        index: usize,
        (at, out): (usize, &Set),
        come: &Set,
        members: &[&[u32]],
        scratch: &mut Scratch,
        tried: &mut u64,
    ) -> f64 {
        let place = &self.places[index];
        if index == self.bench() {
            place.value + self.world.price(&out.parties) - self.world.price(&come.parties)
        } else if let (Some(table), Some(rest)) = (&self.world.table, place.rests.get(at)) {
            f64::from(rest.best_with(table, members, scratch, tried))
        } else {
            let (parties, sides) = self.changed(index, out, come);
            self.world.best_split(&parties, &sides, tried).0
        }
    }
}
