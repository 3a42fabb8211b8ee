//! The printed percentiles: DOTA-pct.

use super::inputs::DotaInputs;
use crate::check::prelude::*;
use itertools::Itertools;
use matchwright_rating::PercentileTable;

pub(crate) const CHECKS: &[Check<DotaInputs>] = &[Check::new("DOTA-pct", Exact(percentiles))];

/// Half of the unit of the roundest figures, hundreds: how far off they may be.
const ROUNDING: f64 = 50.0;

pub(crate) fn percentiles(inputs: &DotaInputs) -> Result<Finding> {
    let printed = &inputs.percentiles;
    let table = PercentileTable::new(printed)?;
    let mut off = 0.0;
    for &(percent, value) in printed {
        off = larger(off, (table.quantile(percent / 100.0)? - value).abs());
        off = larger(off, 100.0 * (table.cdf(value) - percent / 100.0).abs());
    }
    let shares = (1..10_000).map(|k| f64::from(k) / 10_000.0);
    let values: Vec<f64> = shares.map(|share| table.quantile(share)).try_collect()?;
    let rises = values.windows(2).all(|pair| pair[0] < pair[1]);
    let normal = table.best_normal();
    Ok(Finding::new()
        .count("rows", printed.len() as u64)
        .number("farthest from the print, both ways", off, 1)
        .number("the nearest normal curve: mean", normal.mean, 0)
        .number("deviation", normal.standard_deviation, 0)
        .number("misses a row by", normal.misfit, 1)
        .require(printed.len() == 8 && off == 0.0, "the eight rows to the bit")
        .require(rises, "the function rises everywhere")
        .completes_page(normal.misfit > ROUNDING, "no normal curve comes within the rounding of the print")
        .note("the document's text calls MMR a summary of skill and gives no shape; a bell curve would be wrong"))
}
