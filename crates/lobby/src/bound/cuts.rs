//! Subset-row cuts: of three parties, at most one match has two or more.

use std::collections::BTreeMap;

use super::column::Column;
use crate::lineup::LobbyCertificate;

/// Three units; the matches with two or three of them cannot be more than one.
pub(super) type Cut = [u32; 3];

/// Which cuts count a match, without a look at all of them.
#[derive(Debug, Clone)]
pub(super) struct CutIndex {
    /// The numbers of the cuts with each unit.
    of_unit: Vec<Vec<u32>>,
    /// How many units of the match at hand each cut has.
    met: Vec<u8>,
    counting: Vec<u32>,
}

impl CutIndex {
    pub(super) fn new(cuts: impl IntoIterator<Item = Cut>, units: usize) -> Self {
        let mut of_unit = vec![Vec::new(); units];
        let mut count = 0;
        for (number, cut) in (0..).zip(cuts) {
            for unit in cut {
                of_unit[unit as usize].push(number);
            }
            count += 1;
        }
        Self {
            of_unit,
            met: vec![0; count],
            counting: Vec::new(),
        }
    }

    /// The numbers of the cuts that count a match of these units.
    pub(super) fn counting(&mut self, units: &[u32]) -> &[u32] {
        self.counting.clear();
        for &unit in units {
            for &cut in &self.of_unit[unit as usize] {
                self.met[cut as usize] += 1;
                if self.met[cut as usize] == 2 {
                    self.counting.push(cut);
                }
            }
        }
        for &unit in units {
            for &cut in &self.of_unit[unit as usize] {
                self.met[cut as usize] = 0;
            }
        }
        &self.counting
    }
}

/// By how much each match is worth more than the duals of its units and of the cuts that count it.
pub(super) fn reduced<'c>(
    columns: impl IntoIterator<Item = &'c Column>,
    certificate: &LobbyCertificate,
) -> Vec<f64> {
    let paid: Vec<(Cut, f64)> = certificate
        .cuts
        .iter()
        .copied()
        .filter(|cut| cut.1 > 0.0)
        .collect();
    let mut index = CutIndex::new(paid.iter().map(|cut| cut.0), certificate.duals.len());
    let reduced = |column: &Column| {
        let units = column.units.iter();
        let duals: f64 = units.map(|&unit| certificate.duals[unit as usize]).sum();
        let cuts = index.counting(&column.units).iter();
        column.quality - duals - cuts.map(|&cut| paid[cut as usize].1).sum::<f64>()
    };
    columns.into_iter().map(reduced).collect()
}

/// The cuts that a fractional solution violates most, at most `most` of them, and by 0.02 or more.
///
/// (Jepsen, Petersen, Spoorendonk and Pisinger, "Subset-row inequalities applied to the vehicle-routing problem with
/// time windows", Operations Research 56, 2008.)
pub(super) fn violated<'c>(
    taken: impl IntoIterator<Item = (&'c Column, f64)>,
    units: usize,
    most: usize,
) -> Vec<Cut> {
    // How often two units meet, and three.
    let mut twos = vec![0.0; units * units];
    let mut threes: BTreeMap<Cut, f64> = BTreeMap::new();
    let mut partners: Vec<Vec<u32>> = vec![Vec::new(); units];
    for (column, share) in taken {
        let key = &column.units;
        for (a, &u) in key.iter().enumerate() {
            for (b, &v) in key.iter().enumerate().skip(a + 1) {
                let place = &mut twos[u as usize * units + v as usize];
                if *place == 0.0 {
                    partners[u as usize].push(v);
                }
                *place += share;
                for &w in &key[b + 1..] {
                    *threes.entry([u, v, w]).or_default() += share;
                }
            }
        }
    }
    let two = |u: u32, v: u32| twos[u.min(v) as usize * units + u.max(v) as usize];
    let mut found: Vec<(f64, Cut)> = Vec::new();
    let mut add = |cut: Cut| {
        let [u, v, w] = cut;
        let all = threes.get(&cut).copied().unwrap_or(0.0);
        // A match with all three was counted for each of three pairs, and counts once.
        let total = two(u, v) + two(u, w) + two(v, w) - 2.0 * all;
        if total > 1.02 {
            found.push((total, cut));
        }
    };
    // If two of the three never meet, the other two pairs share a unit, which plays once: nothing is violated.
    for (u, others) in (0..).zip(&partners) {
        for (a, &v) in others.iter().enumerate() {
            for &w in others[a + 1..].iter().filter(|&&w| two(v, w) > 0.0) {
                add([u, v.min(w), v.max(w)]);
            }
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    found.dedup_by_key(|entry| entry.1);
    found.truncate(most);
    found.into_iter().map(|entry| entry.1).collect()
}
