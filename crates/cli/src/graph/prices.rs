//! Prices of leaving vertices out: lines `i price`.

use super::{Lines, Place, Words, number, show};
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
    let name = source.name.clone();
    let complain = |place: Place, message: String| {
        Failure::Failed(format!("{name}:{}:{}: {message}", place.line, place.column))
    };
    let mut lines = Lines {
        reader: &mut source.reader,
        line: 0,
        text: Vec::new(),
    };
    let mut prices: Vec<Option<f64>> = vec![None; vertices];
    loop {
        match lines.next_line() {
            Ok(true) => {}
            Ok(false) => break,
            Err((place, message)) => return Err(complain(place, message)),
        }
        let line = lines.line;
        let at = |(column, message)| complain(Place { line, column }, message);
        let (vertex, price) = entry(&lines.text).map_err(at)?;
        let slot = prices.get_mut(vertex).ok_or_else(|| {
            let message =
                format!("vertex {vertex} is not in the graph: vertices run from 0 to below {vertices}");
            at((1, message))
        })?;
        if slot.replace(price).is_some() {
            return Err(at((
                1,
                format!("vertex {vertex} has a price already: keep one of the two"),
            )));
        }
    }
    let missing = |vertex| {
        Failure::Failed(format!(
            "{name}: vertex {vertex} has no price: list it, or give --sit-out-price for all that are not listed"
        ))
    };
    let prices = prices.into_iter().enumerate();
    prices
        .map(|(vertex, price)| price.or(others).ok_or_else(|| missing(vertex)))
        .collect()
}

fn entry(line: &[u8]) -> Result<(usize, f64), (u64, String)> {
    let mut words = Words::new(line);
    let mut word = |what: &str| {
        let missing = || (line.len() as u64, format!("no {what}; a price is `i price`"));
        words.next().ok_or_else(missing)
    };
    let (column, text) = word("vertex")?;
    let vertex = number::<usize>(text);
    let vertex = vertex.ok_or_else(|| {
        (
            column,
            format!("`{}` is no vertex; vertices count from 0", show(text)),
        )
    })?;
    let (column, text) = word("price")?;
    let price = number::<f64>(text).filter(|&price| is_price(price));
    let price = price.ok_or_else(|| (column, format!("price `{}` is no finite number", show(text))))?;
    match words.next() {
        Some((column, word)) => Err((
            column,
            format!("`{}` is too much; a price is `i price`", show(word)),
        )),
        None => Ok((vertex, price)),
    }
}
