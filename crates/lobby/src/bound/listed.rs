//! Matches in a row, for searches that look at all of them again and again.

use super::column::Column;
use super::cuts::{Cut, CutIndex};

/// Matches, each with its units and quality side by side.
#[derive(Debug)]
pub(super) struct Listed {
    columns: Vec<Column>,
    /// Where the units of each match begin, and where the last one's end.
    starts: Vec<u32>,
    units: Vec<u32>,
    count: usize,
}

/// What units, cuts and the number of matches ask a match to pay.
#[derive(Debug, Clone, Default)]
pub(super) struct Prices {
    pub(super) duals: Vec<f64>,
    pub(super) cuts: Vec<(Cut, f64)>,
    pub(super) excess: f64,
}

impl Listed {
    /// These matches of a pool of `count` units.
    pub(super) fn new(columns: Vec<Column>, count: usize) -> Self {
        let (mut starts, mut units) = (vec![0], Vec::new());
        for column in &columns {
            units.extend(column.key());
            #[allow(
                clippy::cast_possible_truncation,
                reason = "lists are kept to a few hundred thousand"
            )]
            starts.push(units.len() as u32);
        }
        Self {
            columns,
            starts,
            units,
            count,
        }
    }

    /// How many there are.
    #[allow(
        clippy::cast_possible_truncation,
        reason = "lists are kept to a few hundred thousand"
    )]
    pub(super) fn len(&self) -> u32 {
        self.columns.len() as u32
    }

    /// A match.
    pub(super) fn column(&self, at: u32) -> &Column {
        &self.columns[at as usize]
    }

    /// The units of a match, rising.
    pub(super) fn units(&self, at: u32) -> &[u32] {
        let at = at as usize;
        &self.units[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// By how much each of the matches is worth more than it pays.
    pub(super) fn reduced(&self, matches: &[u32], prices: &Prices) -> Vec<f64> {
        let paid: Vec<(Cut, f64)> = prices.cuts.iter().copied().filter(|cut| cut.1 > 0.0).collect();
        let mut index = CutIndex::new(paid.iter().map(|cut| cut.0), self.count);
        let reduced = |&at: &u32| {
            let units = || self.units(at).iter().map(|&unit| unit as usize);
            let owed: f64 = units().map(|unit| prices.duals[unit]).sum();
            let cuts = index.counting(units()).iter();
            self.columns[at as usize].quality - owed - cuts.map(|&cut| paid[cut as usize].1).sum::<f64>()
        };
        matches.iter().map(reduced).collect()
    }
}
