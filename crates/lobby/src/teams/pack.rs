//! A first split of a group: parties into teams that have room for them, by depth-first search.

use std::collections::BTreeSet;

use super::SplitError;

/// Steps after which it gives up.
const STEPS: u64 = 1_000_000;

/// The team of each unit; `None` if there is no split.
///
/// Large units first, among those of one size early players of the group first, each to the team with the most room,
/// and among these to the one with the fewest early players: a draft in which the weakest team picks. Where no team
/// has room, steps are taken back; states that are known to fail are not tried again. Without parties O(n k).
///
/// # Errors
/// [`SplitError::NotFound`] after a million steps.
pub(super) fn pack(units: &[Vec<usize>], sizes: &[usize]) -> Result<Option<Vec<usize>>, SplitError> {
    // Places count from the group's best player on.
    let level = |unit: &Vec<usize>| unit.iter().map(|&place| -(place as f64)).sum::<f64>();
    let levels: Vec<f64> = units.iter().map(level).collect();
    let mut order: Vec<usize> = (0..units.len()).collect();
    order.sort_by(|&u, &v| {
        let by_level = levels[v].total_cmp(&levels[u]);
        units[v].len().cmp(&units[u].len()).then(by_level).then(u.cmp(&v))
    });
    let mut search = Search {
        units,
        levels,
        order,
        room: sizes.to_vec(),
        sums: vec![0.0; sizes.len()],
        team_of: vec![0; units.len()],
        failed: BTreeSet::new(),
        steps: 0,
    };
    let is_found = search.place(0)?;
    Ok(is_found.then_some(search.team_of))
}

struct Search<'a> {
    units: &'a [Vec<usize>],
    levels: Vec<f64>,
    /// Units in the order in which they are placed.
    order: Vec<usize>,
    room: Vec<usize>,
    sums: Vec<f64>,
    team_of: Vec<usize>,
    /// How many units were placed, and the room left, sorted.
    failed: BTreeSet<(usize, Vec<usize>)>,
    steps: u64,
}

impl Search<'_> {
    /// Places the units from this place of the order on; false if that is impossible.
    fn place(&mut self, at: usize) -> Result<bool, SplitError> {
        let Some(&unit) = self.order.get(at) else {
            return Ok(true);
        };
        let (size, level) = (self.units[unit].len(), self.levels[unit]);
        for team in self.choices(size) {
            self.steps += 1;
            if self.steps > STEPS {
                return Err(SplitError::NotFound { tried: STEPS });
            }
            let before = self.sums[team];
            self.room[team] -= size;
            self.sums[team] += level;
            self.team_of[unit] = team;
            let may_succeed = self.failed.is_empty() || !self.failed.contains(&self.state(at + 1));
            if may_succeed && self.place(at + 1)? {
                return Ok(true);
            }
            self.room[team] += size;
            self.sums[team] = before;
        }
        let state = self.state(at);
        self.failed.insert(state);
        Ok(false)
    }

    /// The teams with room for this many players, most room first; of those with as much room, which are the same to all
    /// that follows, the one with the least sum of levels.
    fn choices(&self, size: usize) -> Vec<usize> {
        let mut teams: Vec<usize> = (0..self.room.len()).filter(|&t| self.room[t] >= size).collect();
        teams.sort_by(|&s, &t| {
            let by_sum = self.sums[s].total_cmp(&self.sums[t]);
            self.room[t].cmp(&self.room[s]).then(by_sum).then(s.cmp(&t))
        });
        teams.dedup_by_key(|t| self.room[*t]);
        teams
    }

    fn state(&self, at: usize) -> (usize, Vec<usize>) {
        let mut room = self.room.clone();
        room.sort_unstable();
        (at, room)
    }
}
