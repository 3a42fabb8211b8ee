//! Which splits into two teams the forbidden pairs allow.

use crate::random::SplitMix64;
use crate::unit_terms::UnitTerms;

/// The components above which ways are not counted.
const COUNTED: usize = 40;

/// The allowed splits of units into two teams.
///
/// Units with a pair forbidden as opponents are in one team, units with a pair forbidden as mates are not. So the units
/// that such pairs connect have two sides, which trade teams as one: a component is turned one way or the other. Which
/// ways fill both teams is a subset-sum problem, solved by a table of components and room.
pub(super) struct Components<'a> {
    pub(super) units: &'a UnitTerms<'a>,
    pub(super) team_sizes: [usize; 2],
    /// Of each unit its component, in order of their first units, and its side there: 0 for the first unit.
    places: Vec<(usize, usize)>,
    /// Of each component the players of both sides.
    pub(super) sizes: Vec<[usize; 2]>,
    /// Row by row from component 0 on: the ways to turn it and all later ones that put 0, 1, 2, ... players into the
    /// first team.
    ways: Vec<u64>,
}

/// Terms summed over components, in the layout of [`UnitTerms`].
pub(super) struct Merged {
    pub(super) own: Vec<f64>,
    /// If the first sides are in one team, and if they are not.
    together: Vec<f64>,
    against: Vec<f64>,
    /// Component by component, the sum of both sides' levels in each balance.
    levels: Vec<[f64; 2]>,
}

impl<'a> Components<'a> {
    /// The allowed splits; `None` if there are none. O(players^2).
    pub(super) fn new(units: &'a UnitTerms<'a>, team_sizes: (usize, usize)) -> Option<Self> {
        let places = sides(units)?;
        let count = places.iter().map(|place| place.0 + 1).max().unwrap_or(0);
        let mut sizes = vec![[0; 2]; count];
        for (&(component, side), size) in places.iter().zip(&units.sizes) {
            sizes[component][side] += size;
        }
        let mut components = Self {
            units,
            team_sizes: team_sizes.into(),
            places,
            sizes,
            ways: vec![0; (count + 1) * (team_sizes.0 + 1)],
        };
        let last = components.row(count);
        components.ways[last] = 1;
        for component in (0..count).rev() {
            for room in 0..=team_sizes.0 {
                let at = components.row(component) + room;
                components.ways[at] = [0, 1]
                    .map(|team| components.ways_after(component, team, room))
                    .into_iter()
                    .fold(0, u64::saturating_add);
            }
        }
        (components.ways[team_sizes.0] > 0).then_some(components)
    }

    fn row(&self, component: usize) -> usize {
        component * (self.team_sizes[0] + 1)
    }

    /// The ways to turn all later components if this one's first side joins `team`.
    fn ways_after(&self, component: usize, team: usize, room: usize) -> u64 {
        let left = room.checked_sub(self.sizes[component][team]);
        left.map_or(0, |left| self.ways[self.row(component + 1) + left])
    }

    /// How many components.
    pub(super) fn count(&self) -> usize {
        self.sizes.len()
    }

    /// Whether no two units are bound to each other.
    pub(super) fn are_units(&self) -> bool {
        self.count() == self.places.len()
    }

    /// How many splits are allowed, sides told apart, up to the largest integer, which also stands for more than are
    /// worth counting.
    pub(super) fn splits(&self) -> u64 {
        if self.count() > COUNTED {
            return u64::MAX;
        }
        self.ways[self.team_sizes[0]]
    }

    /// What room the first team has if this component's first side joins `team`; `None` if the teams cannot be filled
    /// then.
    pub(super) fn room_after(&self, component: usize, team: usize, room: usize) -> Option<usize> {
        (self.ways_after(component, team, room) > 0).then(|| room - self.sizes[component][team])
    }

    /// The team of each component's first side in an allowed split: a coin decides where both ways are open.
    pub(super) fn draw(&self, bits: &mut SplitMix64) -> Vec<usize> {
        let mut room = self.team_sizes[0];
        let turn = |component| {
            let coin = bits.quick_below(2);
            let after = |team| Some((team, self.room_after(component, team, room)?));
            // One of them is open, as this holds for the first component and each choice keeps it up.
            let (team, left) = after(coin).or_else(|| after(1 - coin)).unwrap_or((coin, room));
            room = left;
            team
        };
        (0..self.count()).map(turn).collect()
    }

    /// The team of each unit by those of components' first sides.
    pub(super) fn teams(&self, turned: &[usize]) -> Vec<usize> {
        let team = |&(component, side): &(usize, usize)| turned[component] ^ side;
        self.places.iter().map(team).collect()
    }

    /// What balances are worth with these sums of levels in both teams.
    pub(super) fn balanced(&self, sums: &[[f64; 2]]) -> f64 {
        let balances = self.units.terms.balances().iter().zip(sums);
        let mean = |sums: &[f64; 2], team: usize| sums[team] / self.team_sizes[team].max(1) as f64;
        balances
            .map(|(balance, sums)| balance.worth(mean(sums, 0) - mean(sums, 1)))
            .sum()
    }

    /// The terms of components. O(units^2).
    pub(super) fn merged(&self) -> Merged {
        let (count, balances) = (self.count(), self.units.terms.balances().len());
        let mut merged = Merged {
            own: vec![0.0; count],
            together: vec![0.0; count * count],
            against: vec![0.0; count * count],
            levels: vec![[0.0; 2]; count * balances],
        };
        for (u, &(c, side)) in self.places.iter().enumerate() {
            merged.own[c] += self.units.own[u];
            for (level, sums) in self
                .units
                .levels(u)
                .iter()
                .zip(&mut merged.levels[c * balances..])
            {
                sums[side] += level;
            }
            let (together, against) = (self.units.together(u), self.units.against(u));
            for (v, &(d, other_side)) in self.places.iter().enumerate() {
                let (same, other) = if side == other_side {
                    (together[v], against[v])
                } else {
                    (against[v], together[v])
                };
                if c != d {
                    merged.together[c * count + d] += same;
                    merged.against[c * count + d] += other;
                } else if u < v {
                    merged.own[c] += same;
                }
            }
        }
        merged
    }
}

impl Merged {
    /// The terms of a component with each other one if their first sides are in one team.
    pub(super) fn together(&self, component: usize) -> &[f64] {
        let count = self.own.len();
        &self.together[component * count..][..count]
    }

    /// The terms of a component with each other one if their first sides are opponents.
    pub(super) fn against(&self, component: usize) -> &[f64] {
        let count = self.own.len();
        &self.against[component * count..][..count]
    }

    /// Adds a component's levels, its first side in `team`, to the teams' sums in each balance, with a sign.
    pub(super) fn shift(&self, component: usize, team: usize, sign: f64, sums: &mut [[f64; 2]]) {
        let levels = &self.levels[component * sums.len()..];
        for (sums, levels) in sums.iter_mut().zip(levels) {
            sums[team] += sign * levels[0];
            sums[1 - team] += sign * levels[1];
        }
    }
}

/// Of each unit its component and its side; `None` if forbidden pairs contradict each other.
fn sides(units: &UnitTerms<'_>) -> Option<Vec<(usize, usize)>> {
    let mut places = vec![None; units.count()];
    let mut count = 0;
    let mut open = Vec::new();
    for first in 0..units.count() {
        if places[first].is_some() {
            continue;
        }
        places[first] = Some((count, 0));
        open.push((first, 0));
        while let Some((u, side)) = open.pop() {
            if units.own[u] == f64::NEG_INFINITY {
                return None;
            }
            let pairs = units.together(u).iter().zip(units.against(u)).enumerate();
            for (v, (&together, &against)) in pairs {
                let place = match [together, against].map(|sum| sum == f64::NEG_INFINITY) {
                    [false, false] => continue,
                    [true, true] => return None,
                    [is_apart, _] => (count, side ^ usize::from(is_apart)),
                };
                if *places[v].get_or_insert_with(|| {
                    open.push((v, place.1));
                    place
                }) != place
                {
                    return None;
                }
            }
        }
        count += 1;
    }
    places.into_iter().collect()
}
