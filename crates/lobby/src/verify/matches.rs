//! A look through all matches that could be made, for those that are worth more than they pay.

use matchwright_solver::{Meter, Progress};

use super::stop::Stop;
use super::tables::Tables;
use crate::progress::CHECK;

/// Called with two teams of parties.
type Visit<'v> = &'v mut dyn FnMut(&[usize], &[usize]) -> Result<(), Stop>;

/// Calls `visit` with every two teams of parties whose terms sum to more than what they pay by more than `least`,
/// links being taken at their best. Of teams of one size, each two come once.
///
/// Seat by seat, by branch and bound. For a match begun, each party that may join a side has a gain: its terms with
/// those who are in, less what it pays. What it adds is at most that and half of its best terms with as many mates
/// and opponents as are still to come, each pair among the newcomers being shared by both. The best such sums that
/// fill the seats bound the match; a party whose own sum and the best others are not enough is dropped from that
/// side, until no more are; and a party that was tried on a side is not tried there again with those after it.
///
/// `meter` counts the terms that are looked at.
///
/// # Errors
/// The first of `visit`; the limit of `meter`, if one is reached.
pub(super) fn each_match_above(
    tables: &Tables<'_>,
    meter: &Meter<'_>,
    least: f64,
    visit: Visit<'_>,
) -> Result<(), Stop> {
    let (size_a, size_b) = tables.pool.first_two();
    let mut search = Search {
        tables,
        meter,
        least,
        visit,
        teams: [Vec::new(), Vec::new()],
        levels: Vec::new(),
        best: Vec::new(),
    };
    search.levels.resize_with(size_a + size_b + 1, Level::default);
    let sides = if size_a == size_b { 1 } else { 2 };
    for first in 0..tables.count() {
        for side in 0..sides {
            search.from(first, side)?;
        }
    }
    Ok(())
}

/// A party that may join.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    party: usize,
    /// What it adds with those who are in, on either side; minus infinity if it cannot join there.
    gain: [f64; 2],
    /// What it adds at most, for each of its players.
    density: [f64; 2],
    /// Its place among those to be tried.
    rank: usize,
}

/// What is known once a certain number of parties are in the match.
#[derive(Debug, Default)]
struct Level {
    candidates: Vec<Candidate>,
    /// Densities and places in `candidates` of those to be tried next.
    order: Vec<(f64, usize)>,
}

struct Search<'a> {
    tables: &'a Tables<'a>,
    meter: &'a Meter<'a>,
    least: f64,
    visit: Visit<'a>,
    teams: [Vec<usize>; 2],
    levels: Vec<Level>,
    /// Room for sums of the best.
    best: Vec<f64>,
}

impl Search<'_> {
    /// The matches with this party first, on this side, and others after it in the pool.
    fn from(&mut self, first: usize, side: usize) -> Result<(), Stop> {
        let tables = self.tables;
        let (size_a, size_b) = tables.pool.first_two();
        let mut room = [size_a, size_b];
        if tables.sizes[first] > room[side] {
            return Ok(());
        }
        room[side] -= tables.sizes[first];
        let whole = Level {
            candidates: (first + 1..tables.count())
                .map(|party| Candidate {
                    party,
                    gain: [tables.values[party]; 2],
                    density: [0.0; 2],
                    rank: usize::MAX,
                })
                .collect(),
            order: Vec::new(),
        };
        let mut next = std::mem::take(&mut self.levels[1]);
        self.joined(&whole.candidates, first, side, room, None, &mut next.candidates);
        self.levels[1] = next;
        self.teams[side].push(first);
        let result = self.extend(1, room, tables.values[first]);
        self.teams[side].pop();
        result
    }

    /// The candidates that remain when `party` has joined `side`; those ranked before `rank` do not join that side
    /// any more.
    fn joined(
        &self,
        before: &[Candidate],
        party: usize,
        side: usize,
        room: [usize; 2],
        rank: Option<usize>,
        after: &mut Vec<Candidate>,
    ) {
        let tables = self.tables;
        let row = &tables.pairs[party * tables.count()..][..tables.count()];
        after.clear();
        for candidate in before.iter().filter(|candidate| candidate.party != party) {
            let [together, against] = row[candidate.party];
            let size = tables.sizes[candidate.party];
            let mut gain = candidate.gain;
            gain[side] += together;
            gain[1 - side] += against;
            if size > room[side] || rank.is_some_and(|rank| candidate.rank < rank) {
                gain[side] = f64::NEG_INFINITY;
            }
            if size > room[1 - side] {
                gain[1 - side] = f64::NEG_INFINITY;
            }
            if gain[0].max(gain[1]) > f64::NEG_INFINITY {
                after.push(Candidate {
                    gain,
                    rank: usize::MAX,
                    ..*candidate
                });
            }
        }
    }

    /// Goes on with the candidates of this level; `base` is what the match is worth without balances and links, less
    /// what it pays.
    fn extend(&mut self, depth: usize, room: [usize; 2], base: f64) -> Result<(), Stop> {
        if room == [0, 0] {
            return self.complete(base);
        }
        // What those still to come must add to matter.
        let need = self.least - base - self.tables.most_beyond;
        let mut level = std::mem::take(&mut self.levels[depth]);
        let result = if room[0] + room[1] == 1 {
            self.last_seat(&level, usize::from(room[1] == 1), need, base)
        } else {
            self.branch(&mut level, depth, room, need, base)
        };
        self.levels[depth] = level;
        result
    }

    fn last_seat(&mut self, level: &Level, side: usize, need: f64, base: f64) -> Result<(), Stop> {
        for candidate in &level.candidates {
            if candidate.gain[side] > need {
                self.teams[side].push(candidate.party);
                let result = self.complete(base + candidate.gain[side]);
                self.teams[side].pop();
                result?;
            }
        }
        Ok(())
    }

    fn branch(
        &mut self,
        level: &mut Level,
        depth: usize,
        room: [usize; 2],
        need: f64,
        base: f64,
    ) -> Result<(), Stop> {
        let tables = self.tables;
        let candidates = level.candidates.len() as u64;
        self.meter.spend(candidates * candidates)?;
        self.meter.check(Progress::new(CHECK))?;
        let Some(filled) = self.drop_hopeless(level, room, need) else {
            return Ok(());
        };
        let options = |side: usize| {
            let joins = |candidate: &&Candidate| candidate.gain[side] > f64::NEG_INFINITY;
            level.candidates.iter().filter(joins).count()
        };
        let side = match room {
            [0, _] => 1,
            [_, 0] => 0,
            _ => usize::from(options(1) < options(0)),
        };
        level.order.clear();
        for (at, candidate) in level.candidates.iter().enumerate() {
            if candidate.gain[side] > f64::NEG_INFINITY {
                level.order.push((candidate.density[side], at));
            }
        }
        level
            .order
            .sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        for (rank, &(_, at)) in level.order.iter().enumerate() {
            level.candidates[at].rank = rank;
        }
        for (rank, &(density, at)) in level.order.iter().enumerate() {
            // Those after it on this side add no more for each of their players.
            if filled[1 - side] + density * room[side] as f64 <= need {
                break;
            }
            let candidate = level.candidates[at];
            let mut left = room;
            left[side] -= tables.sizes[candidate.party];
            let mut next = std::mem::take(&mut self.levels[depth + 1]);
            self.joined(
                &level.candidates,
                candidate.party,
                side,
                left,
                Some(rank),
                &mut next.candidates,
            );
            self.levels[depth + 1] = next;
            self.teams[side].push(candidate.party);
            let result = self.extend(depth + 1, left, base + candidate.gain[side]);
            self.teams[side].pop();
            result?;
        }
        Ok(())
    }

    /// Works out what each candidate adds at most, and drops those who cannot add enough even with the best others.
    /// Returns what each side can add at most; `None` if that is too little.
    fn drop_hopeless(&mut self, level: &mut Level, room: [usize; 2], need: f64) -> Option<[f64; 2]> {
        let tables = self.tables;
        loop {
            for at in 0..level.candidates.len() {
                level.candidates[at].density = self.densities(&level.candidates, at, room);
            }
            let fill = |search: &mut Self, side: usize, seats: usize| {
                let densities = level
                    .candidates
                    .iter()
                    .map(|candidate| (candidate.density[side], tables.sizes[candidate.party]));
                search.sum_of_best(densities, seats)
            };
            let filled = [fill(self, 0, room[0]), fill(self, 1, room[1])];
            if filled[0] + filled[1] <= need {
                return None;
            }
            // By the size of the candidate: the most that the others of its side add.
            let mut others = [Vec::new(), Vec::new()];
            for side in 0..2 {
                for size in 0..=room[side] {
                    others[side].push(fill(self, side, room[side] - size));
                }
            }
            let before = level.candidates.len();
            let mut dropped = 0;
            level.candidates.retain_mut(|candidate| {
                let size = tables.sizes[candidate.party];
                for side in 0..2 {
                    if candidate.gain[side] > f64::NEG_INFINITY {
                        let own = candidate.density[side] * size as f64;
                        if own + others[side][size] + filled[1 - side] <= need {
                            candidate.gain[side] = f64::NEG_INFINITY;
                            dropped += 1;
                        }
                    }
                }
                candidate.gain[0].max(candidate.gain[1]) > f64::NEG_INFINITY
            });
            // Looking again pays if many went.
            if 8 * dropped <= before {
                return Some(filled);
            }
        }
    }

    /// What the candidate adds at most for each of its players, on either side.
    fn densities(&mut self, candidates: &[Candidate], at: usize, room: [usize; 2]) -> [f64; 2] {
        let tables = self.tables;
        let candidate = &candidates[at];
        let size = tables.sizes[candidate.party];
        let row = &tables.pairs[candidate.party * tables.count()..][..tables.count()];
        let mut densities = [f64::NEG_INFINITY; 2];
        for side in 0..2 {
            if candidate.gain[side] == f64::NEG_INFINITY {
                continue;
            }
            let mut most = candidate.gain[side];
            for (other_side, seats) in [(side, room[side] - size), (1 - side, room[1 - side])] {
                let terms = candidates.iter().filter_map(|other| {
                    let joins = other.gain[other_side] > f64::NEG_INFINITY && other.party != candidate.party;
                    let size = tables.sizes[other.party];
                    joins.then(|| {
                        let term = row[other.party][usize::from(other_side != side)];
                        (0.5 * term / size as f64, size)
                    })
                });
                most += self.sum_of_best(terms, seats);
            }
            densities[side] = most / size as f64;
        }
        densities
    }

    /// The most that this many seats can add: the best densities, each for as many seats as its party has players.
    fn sum_of_best(&mut self, densities: impl Iterator<Item = (f64, usize)>, seats: usize) -> f64 {
        if seats == 0 {
            return 0.0;
        }
        let best = &mut self.best;
        best.clear();
        for (density, size) in densities {
            for _ in 0..size {
                if best.len() == seats {
                    if density <= best[seats - 1] {
                        break;
                    }
                    best.pop();
                }
                let place = best
                    .iter()
                    .rposition(|&other| other >= density)
                    .map_or(0, |at| at + 1);
                best.insert(place, density);
            }
        }
        if best.len() < seats {
            f64::NEG_INFINITY
        } else {
            best.iter().sum()
        }
    }

    fn complete(&mut self, base: f64) -> Result<(), Stop> {
        let [team_a, team_b] = &self.teams;
        let balanced = base + self.tables.balanced(team_a, team_b);
        if balanced <= self.least || balanced - self.tables.owed(team_a, team_b) <= self.least {
            return Ok(());
        }
        (self.visit)(team_a, team_b)
    }
}
