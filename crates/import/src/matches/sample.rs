//! The first rows of a table, by which it is decided what the texts of its columns mean, as the user does not say.

use crate::cell::decimals::Decimals;
use crate::input::Text;
use crate::matches::labels::Labels;
use crate::row::csv::Table;

pub(crate) struct Sample<'s> {
    /// How the file begins.
    pub(crate) text: &'s [u8],
    /// What the user calls the sides.
    pub(crate) sides: Option<&'s [String; 2]>,
    /// What commas in numbers are for the user.
    pub(crate) decimal_comma: Option<bool>,
}

impl Sample<'_> {
    /// What some columns say in the first rows.
    pub(super) fn texts(&self, places: &[usize]) -> Vec<String> {
        // The last line may be cut off.
        let end = self.text.iter().rposition(|byte| b"\r\n".contains(byte));
        let text = &self.text[..end.unwrap_or(self.text.len())];
        let mut texts = Vec::new();
        // Dropped, here and below: what is wrong with a row is told where it is read.
        let Ok(mut table) = Table::open(Text::of(text), "match") else {
            return texts;
        };
        while !places.is_empty() {
            match table.advance() {
                Ok(None) => break,
                Err(error) if error.fatal => break,
                Err(_) => {}
                Ok(Some(_)) => {
                    let cells = places.iter().filter_map(|place| table.records.field(*place).ok());
                    texts.extend(cells.map(str::to_owned));
                }
            }
        }
        texts
    }

    /// What results in these columns call the sides.
    pub(crate) fn labels(&self, places: &[usize]) -> Labels {
        Labels::of(self.sides, self.texts(places).iter().map(String::as_str))
    }

    /// What commas in the numbers of these columns are.
    pub(crate) fn decimals(&self, places: &[usize]) -> Decimals {
        Decimals::of(self.decimal_comma, self.texts(places).iter().map(String::as_str))
    }
}
