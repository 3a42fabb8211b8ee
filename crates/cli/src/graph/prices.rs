//! Prices of leaving vertices out: lines `i price`.

use super::text::{Text, Words};
use crate::failure::Failure;
use crate::input::Source;

/// Whether a price can be used: two of them are added.
pub(crate) fn is_price(price: f64) -> bool {
    (2.0 * price).is_finite()
}

/// Reads the prices of a graph's vertices; those that are not listed get `others`. Blank lines and lines that begin
/// with `#` are passed over.
pub(crate) fn read_prices(
    source: &mut Source,
    vertices: usize,
    others: Option<f64>,
) -> Result<Vec<f64>, Failure> {
    let text = Text::read(source)?;
    let mut prices: Vec<Option<f64>> = vec![None; vertices];
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let at = |(column, what)| text.complain((lines.line, column, what));
        let (vertex, price) = entry(line).map_err(at)?;
        let slot = prices.get_mut(vertex).ok_or_else(|| {
            let what =
                format!("vertex {vertex} is not in the graph: vertices run from 0 to below {vertices}");
            at((1, what))
        })?;
        if slot.replace(price).is_some() {
            return Err(at((
                1,
                format!("vertex {vertex} has a price already: keep one of the two"),
            )));
        }
    }
    let missing = |vertex| {
        let name = &source.name;
        Failure::Failed(format!(
            "{name}: vertex {vertex} has no price: list it, or give --unmatched-penalty for all that are not listed"
        ))
    };
    let prices = prices.into_iter().enumerate();
    prices
        .map(|(vertex, price)| price.or(others).ok_or_else(|| missing(vertex)))
        .collect()
}

fn entry(line: &[u8]) -> Result<(usize, f64), (u64, String)> {
    let mut words = Words::new(line);
    let form = "a price is `i price`";
    let vertex = words.vertex("vertex", form)?;
    let price = words.number("price", form, is_price)?;
    words.end(form)?;
    Ok((vertex, price))
}
