//! Upper bounds on the reduced values of matches with two given units.

use matchwright_solver::{Meter, Progress, Status};

use super::units::Units;
use crate::parallel::in_order;

/// Upper bounds for all matches that have two units together, or against each other.
///
/// A match's pairs are shared out: those with the two units are theirs, and of all others each end has half. What a
/// third unit adds is at most its value, its terms with the two on the better side, and half of its best terms with
/// as many players as the match still takes. The best units that fill the match make the bound: O(units) a pair,
/// O(units^3) in all.
#[derive(Debug)]
pub(super) struct PairBounds {
    /// What a unit is worth by itself: the terms within it less its dual.
    values: Vec<f64>,
    together: Vec<f64>,
    against: Vec<f64>,
    /// For each unit and number of players, half of its best terms with that many mates.
    half_together: Vec<f64>,
    stride: usize,
}

impl PairBounds {
    /// # Errors
    /// The limit of `meter`, if one is reached.
    pub(super) fn new(
        units: &Units<'_>,
        duals: &[f64],
        threads: usize,
        meter: &Meter<'_>,
        progress: Progress,
    ) -> Result<Self, Status> {
        let count = units.count();
        let stride = units.pool.match_size() + 1;
        let values: Vec<f64> = units
            .own
            .iter()
            .zip(duals)
            .map(|(own, dual)| own - dual)
            .collect();
        let both = |unit: usize, other: usize| units.together(unit)[other].max(units.against(unit)[other]);
        let mut half_together = Vec::with_capacity(count * stride);
        let mut half_either = Vec::with_capacity(count * stride);
        for unit in 0..count {
            meter.check(progress)?;
            half_together.extend(half_of_best(units, unit, stride, |other| {
                units.together(unit)[other]
            }));
            half_either.extend(half_of_best(units, unit, stride, |other| both(unit, other)));
        }
        let mut bounds = Self {
            values,
            together: vec![f64::NEG_INFINITY; count * count],
            against: vec![f64::NEG_INFINITY; count * count],
            half_together,
            stride,
        };
        let rows = in_order(threads, count as u64, |row| {
            #[allow(clippy::cast_possible_truncation, reason = "a pool has at most 2^24 parties")]
            let row = row as usize;
            // Dropped: the meter keeps it, and `ended` returns it below.
            meter.check(progress).ok()?;
            Some(bounds.row(units, &half_either, row))
        });
        meter.ended()?;
        for (u, row) in rows.into_iter().enumerate() {
            for (k, [together, against]) in row.into_iter().enumerate() {
                let v = u + 1 + k;
                for at in [u * count + v, v * count + u] {
                    bounds.together[at] = together;
                    bounds.against[at] = against;
                }
            }
        }
        Ok(bounds)
    }

    /// The bounds of unit `u` with all that come after it.
    fn row(&self, units: &Units<'_>, half_either: &[f64], u: usize) -> Vec<[f64; 2]> {
        let count = units.count();
        let players = units.pool.match_size();
        let mut filled = vec![[0.0; 2]; players + 1];
        let mut row = Vec::with_capacity(count - u - 1);
        for v in u + 1..count {
            let Some(room) = players.checked_sub(units.sizes[u] + units.sizes[v]) else {
                row.push([f64::NEG_INFINITY; 2]);
                continue;
            };
            filled[..=room].fill([f64::NEG_INFINITY; 2]);
            filled[0] = [0.0; 2];
            let (tog_u, tog_v) = (units.together(u), units.together(v));
            let (ag_u, ag_v) = (units.against(u), units.against(v));
            for w in 0..count {
                let size = units.sizes[w];
                if size > room || w == u || w == v {
                    continue;
                }
                let own = self.values[w] + half_either[w * self.stride + room - size];
                let if_together = own + (tog_u[w] + tog_v[w]).max(ag_u[w] + ag_v[w]);
                let if_against = own + (tog_u[w] + ag_v[w]).max(ag_u[w] + tog_v[w]);
                for space in (size..=room).rev() {
                    let from = filled[space - size];
                    let to = &mut filled[space];
                    to[0] = to[0].max(from[0] + if_together);
                    to[1] = to[1].max(from[1] + if_against);
                }
            }
            let base = self.values[u] + self.values[v] + units.most_beyond_pairs;
            row.push([
                base + tog_u[v] + filled[room][0],
                base + ag_u[v] + filled[room][1],
            ]);
        }
        row
    }

    /// What a unit is worth by itself.
    #[inline]
    pub(super) fn value(&self, unit: usize) -> f64 {
        self.values[unit]
    }

    /// What no match with these two units in one team exceeds.
    #[inline]
    pub(super) fn together(&self, unit: usize, other: usize) -> f64 {
        self.together[unit * self.values.len() + other]
    }

    /// What no match with these two units as opponents exceeds.
    #[inline]
    pub(super) fn against(&self, unit: usize, other: usize) -> f64 {
        self.against[unit * self.values.len() + other]
    }

    /// Half of the unit's best terms with this many mates.
    #[inline]
    pub(super) fn half_together(&self, unit: usize, mates: usize) -> f64 {
        self.half_together[unit * self.stride + mates]
    }
}

/// Half of a unit's best terms with 0, 1, 2, ... players: units that are best for their size first, the last one in
/// part.
pub(super) fn half_of_best(
    units: &Units<'_>,
    unit: usize,
    stride: usize,
    term: impl Fn(usize) -> f64,
) -> Vec<f64> {
    let mut others: Vec<(f64, usize)> = (0..units.count())
        .filter(|&other| other != unit)
        .map(|other| (term(other) / units.sizes[other] as f64, units.sizes[other]))
        .collect();
    let descending = |a: &(f64, usize), b: &(f64, usize)| b.0.total_cmp(&a.0);
    // Each fills one place at least.
    if stride < others.len() {
        others.select_nth_unstable_by(stride, descending);
        others.truncate(stride);
    }
    others.sort_unstable_by(descending);
    let mut best = Vec::with_capacity(stride);
    let mut sum = 0.0;
    best.push(0.0);
    for (density, size) in others {
        for _ in 0..size {
            if best.len() == stride {
                return best;
            }
            sum += 0.5 * density;
            best.push(sum);
        }
    }
    best.resize(stride, f64::NEG_INFINITY);
    best
}
