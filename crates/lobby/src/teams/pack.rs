//! Units into teams of given sizes.

use std::collections::BTreeSet;

/// What came of it.
pub(super) enum Packing {
    /// The team of each unit.
    Found(Vec<usize>),
    /// There is no way.
    Impossible,
    /// Too many ways to tell.
    Stopped {
        /// How many steps were taken.
        tried: u64,
    },
}

/// After as many steps it gives up.
const STEPS: u64 = 1_000_000;

/// Large units first, among those of one size high levels first, each to the team with the most room, and among these
/// to the one whose levels add up to least: a draft in which the weakest team picks. Where that does not come out
/// even, steps are taken back; what is known to fail is not tried again.
///
/// Levels are finite. Without parties O(n k).
pub(super) fn pack(unit_sizes: &[usize], team_sizes: &[usize], levels: &[f64]) -> Packing {
    let mut order: Vec<usize> = (0..unit_sizes.len()).collect();
    order.sort_by(|&u, &v| {
        let by_level = levels[v].total_cmp(&levels[u]);
        unit_sizes[v].cmp(&unit_sizes[u]).then(by_level).then(u.cmp(&v))
    });
    let mut search = Search {
        unit_sizes,
        levels,
        order,
        room: team_sizes.to_vec(),
        sums: vec![0.0; team_sizes.len()],
        failed: BTreeSet::new(),
    };
    search.run()
}

struct Search<'a> {
    unit_sizes: &'a [usize],
    levels: &'a [f64],
    order: Vec<usize>,
    room: Vec<usize>,
    sums: Vec<f64>,
    /// How many units were placed, and the room left, sorted.
    failed: BTreeSet<(usize, Vec<usize>)>,
}

/// A unit that has been placed: where, what the sum there was before, and where else it may go.
struct Placed {
    team: usize,
    sum_before: f64,
    /// The best last.
    others: Vec<usize>,
}

impl Search<'_> {
    fn run(&mut self) -> Packing {
        // Depth first with a stack of its own, since there may be more parties than calls fit on a thread's.
        let mut placed: Vec<Placed> = Vec::with_capacity(self.order.len());
        let mut steps = 0;
        let mut choices = Vec::new();
        let mut fresh = true;
        while fresh || !choices.is_empty() || !placed.is_empty() {
            if fresh {
                if placed.len() == self.order.len() {
                    let mut team_of = vec![0; self.order.len()];
                    for (&unit, place) in self.order.iter().zip(&placed) {
                        team_of[unit] = place.team;
                    }
                    return Packing::Found(team_of);
                }
                choices = self.choices(self.order[placed.len()]);
            }
            steps += 1;
            if steps >= STEPS.max(2 * self.order.len() as u64) {
                return Packing::Stopped { tried: steps };
            }
            fresh = false;
            let Some(team) = choices.pop() else {
                if !placed.is_empty() {
                    let state = self.state(placed.len());
                    self.failed.insert(state);
                    choices = self.take_back(&mut placed);
                }
                continue;
            };
            let unit = self.order[placed.len()];
            placed.push(Placed {
                team,
                sum_before: self.sums[team],
                others: std::mem::take(&mut choices),
            });
            self.room[team] -= self.unit_sizes[unit];
            self.sums[team] += self.levels[unit];
            fresh = self.failed.is_empty() || !self.failed.contains(&self.state(placed.len()));
            if !fresh {
                choices = self.take_back(&mut placed);
            }
        }
        Packing::Impossible
    }

    /// The teams with room for the unit, the best last; of those with as much room, which are the same to what
    /// follows, the one whose levels add up to least.
    fn choices(&self, unit: usize) -> Vec<usize> {
        let fits = |&t: &usize| self.room[t] >= self.unit_sizes[unit];
        let mut teams: Vec<usize> = (0..self.room.len()).filter(fits).collect();
        teams.sort_by(|&s, &t| {
            let by_sum = self.sums[s].total_cmp(&self.sums[t]);
            self.room[t].cmp(&self.room[s]).then(by_sum).then(s.cmp(&t))
        });
        teams.dedup_by_key(|t| self.room[*t]);
        teams.reverse();
        teams
    }

    /// Undoes the last placement, and gives what else may be tried for that unit.
    fn take_back(&mut self, placed: &mut Vec<Placed>) -> Vec<usize> {
        let Some(last) = placed.pop() else {
            return Vec::new();
        };
        self.room[last.team] += self.unit_sizes[self.order[placed.len()]];
        self.sums[last.team] = last.sum_before;
        last.others
    }

    fn state(&self, at: usize) -> (usize, Vec<usize>) {
        let mut room = self.room.clone();
        room.sort_unstable();
        (at, room)
    }
}
