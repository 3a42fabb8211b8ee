//! Prices of leaving vertices out: lines `i price`.

use super::text::{Fault, content, words};
use crate::failure::Failure;
use crate::input::Source;

/// Whether a price can be used: two of them are added.
pub(crate) fn is_price(price: f64) -> bool {
    (2.0 * price).is_finite()
}

/// Reads the prices of a graph's vertices; those that are not listed get `others`. Blank lines and lines that begin
/// with `#` are passed over.
pub(crate) fn read_prices(
    source: &Source,
    vertices: usize,
    others: Option<f64>,
) -> Result<Vec<f64>, Failure> {
    let mut prices: Vec<Option<f64>> = vec![None; vertices];
    for (line, text) in content(&source.text) {
        let entered = entry(text).and_then(|(vertex, price)| enter(&mut prices, vertex, price));
        entered.map_err(|fault| source.at(line, fault))?;
    }
    let missing = |vertex| {
        let what = "list it, or give --unmatched-penalty for all that are not listed";
        source.refuse(format!("vertex {vertex} has no price: {what}"))
    };
    let prices = prices.into_iter().enumerate();
    prices
        .map(|(vertex, price)| price.or(others).ok_or_else(|| missing(vertex)))
        .collect()
}

fn entry(line: &[u8]) -> Result<(usize, f64), Fault> {
    let [vertex, price] = words(line, ["vertex", "price"], "a price is `i price`")?;
    Ok((vertex.vertex()?, price.number(is_price)?))
}

fn enter(prices: &mut [Option<f64>], vertex: usize, price: f64) -> Result<(), Fault> {
    let vertices = prices.len();
    let Some(slot) = prices.get_mut(vertex) else {
        let what = format!("vertex {vertex} is not in the graph: vertices run from 0 to below {vertices}");
        return Err((1, what));
    };
    match slot.replace(price) {
        Some(_) => Err((
            1,
            format!("vertex {vertex} has a price already: keep one of the two"),
        )),
        None => Ok(()),
    }
}
