//! The objects of JSON, each with the place where it begins: one a line, one after the other, in an array, or in arrays within other
//! objects.

use crate::error::RowError;
use crate::foreign::begins_with_row;
use crate::input::Text;
use crate::row::json_elements::{Elements, Within};
use crate::row::json_row::JsonRow;
use crate::row::json_walk::find_rows;
use crate::row::lines::Lines;

/// Reads one object after the other.
pub(crate) enum JsonRows<'a> {
    /// One a line.
    Lines(Lines<'a>),
    /// Of an array, or over several lines each.
    Elements(Elements<'a>),
}

impl<'a> JsonRows<'a> {
    /// A first `[` means an array. An object is a row, over one line or several, unless a first element of an array within it `is_row`
    /// and it is none itself: then the elements of all such arrays are the rows, and the keys of the first are told. No more than a row may
    /// be long is looked at for that.
    pub(crate) fn find(mut text: Text<'a>, is_row: impl Fn(&[u8]) -> bool + 'a) -> (Self, Option<String>) {
        let start = text.start();
        if start.trim_ascii_start().starts_with(b"[") {
            return (Self::Elements(Elements::new(text, Within::Array)), None);
        }
        let has_lines = begins_with_row(start);
        let (text, found) = find_rows(text, &is_row);
        let rows = match found {
            Some(_) => Self::Elements(Elements::new(text, Within::Objects(Box::new(is_row)))),
            None if has_lines => Self::Lines(Lines::new(text)),
            None => Self::Elements(Elements::new(text, Within::File)),
        };
        (rows, found)
    }

    /// The next row; none at the end.
    pub(crate) fn advance(&mut self) -> Result<Option<JsonRow>, RowError> {
        match self {
            Self::Elements(elements) => elements.advance(),
            Self::Lines(lines) => {
                while lines.advance()? {
                    if !lines.line().trim_ascii().is_empty() {
                        return Ok(Some(JsonRow {
                            text: lines.line().to_vec(),
                            line: lines.number,
                            column: 1,
                            breaks: Vec::new(),
                        }));
                    }
                }
                Ok(None)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_row(text: &[u8]) -> bool {
        text.starts_with(b"{\"a\"")
    }

    /// The rows' lines and texts, and what ended them.
    fn read(text: &str) -> (Vec<(u64, String)>, Option<RowError>) {
        let mut rows = JsonRows::find(Text::of(text.as_bytes()), is_row).0;
        let mut all = Vec::new();
        loop {
            match rows.advance() {
                Ok(Some(row)) => all.push((row.line, String::from_utf8(row.text).unwrap().trim().to_owned())),
                Ok(None) => return (all, None),
                Err(error) => return (all, Some(error)),
            }
        }
    }

    #[test]
    fn an_array_is_read_element_by_element_whatever_its_form() {
        let lines = [(1, "{\"a\":1}".to_owned()), (2, "{\"a\":2}".to_owned())];
        assert_eq!(read("{\"a\":1}\n{\"a\":2}\n"), (lines.to_vec(), None));
        assert_eq!(read("[{\"a\":1},\n{\"a\":2}]\n"), (lines.to_vec(), None));
        let (rows, error) = read("\n[\n  {\"a\": \"],}\\\"{\",\n   \"b\": [1, {}]}, {}\n]");
        assert_eq!(error, None);
        assert_eq!(
            rows[0],
            (3, "{\"a\": \"],}\\\"{\",    \"b\": [1, {}]}".to_owned())
        );
        assert_eq!(rows[1], (4, "{}".to_owned()));
        assert_eq!(read("[]"), (Vec::new(), None));
        assert_eq!(
            read("[1, \"x\"]").0,
            [(1, "1".to_owned()), (1, "\"x\"".to_owned())]
        );
    }

    #[test]
    fn rows_within_other_objects_are_found_wherever_they_are() {
        let row = |line: u64, value: u64| (line, format!("{{\"a\":{value}}}"));
        let one =
            "{\"n\": [{\"b\": [1]}], \"all\": {\"rows\": [{\"a\":1},\n{\"a\":2}], \"more\": [ {\"a\":9}]}}";
        assert_eq!(read(one), (vec![row(1, 1), row(2, 2), row(2, 9)], None));
        // What holds rows and is one is the row.
        let outer = "{\"a\": 1, \"m\": [{\"a\":2}]}";
        assert_eq!(read(outer).0, [(1, outer.to_owned())]);
        let inner = "{\"x\": [{\"a\": 3, \"m\": [{\"a\":4}]}, {\"a\":5}]}";
        assert_eq!(read(inner).0.len(), 2);
        let rounds = "{\n\"rounds\": [\n{\"k\": \"}]\", \"m\": [{\"a\":1}]},\n{\"m\": []},\n{\"m\": [{\"a\":2}, {\"c\":3}]}]}\n";
        let (rows, error) = read(rounds);
        assert_eq!((rows[1].clone(), rows.len(), error), (row(5, 2), 3, None));
        let pages = format!("{one}\n{one}");
        assert_eq!(read(&pages).0.len(), 6);
        let over_lines = "{\n\"x\": [{\"b\": 1}]\n}\n{\"y\": {}}";
        let (rows, error) = read(over_lines);
        assert_eq!((rows[0].0, rows[1].0, rows.len(), error), (1, 4, 2, None));
        for (text, place) in [
            ("{\"m\": [{\"a\":1}", (1, 15)),
            ("{\"m\": [{\"a\":1}]", (1, 16)),
            ("{\n\"m\": {", (2, 7)),
            ("{\n} x", (2, 3)),
            ("{\"m\": [{\"a\":1}]}]", (1, 17)),
        ] {
            let (_, error) = read(text);
            let error = error.unwrap_or_else(|| unreachable!("{text} is accepted"));
            assert_eq!(
                (error.line, error.fault.0, error.fatal),
                (place.0, place.1, true),
                "{text}"
            );
        }
    }

    #[test]
    fn a_fault_is_told_at_its_own_line_and_column() {
        let mut rows = JsonRows::find(Text::of(&b"[ {\"a\": 1,\n\n  \"b\": 2}]"[..]), is_row).0;
        let row = rows.advance().unwrap().unwrap();
        let at = |column: u64| {
            let error = row.fault((column, String::new()));
            (error.line, error.fault.0)
        };
        assert_eq!((at(1), at(2)), ((1, 3), (1, 4)));
        let place = row.text.iter().position(|byte| *byte == b'b').unwrap() as u64;
        assert_eq!(at(place + 1), (3, 4));
    }

    #[test]
    fn an_array_that_breaks_off_or_goes_wrong_is_refused_for_good() {
        for (text, place) in [
            ("[{\"a\":1},\n{\"a\"", (2, 5)),
            ("[{\"a\":1}\n", (2, 1)),
            ("[{}] {}", (1, 6)),
        ] {
            let (_, error) = read(text);
            let error = error.unwrap_or_else(|| unreachable!("{text} is accepted"));
            assert!(error.fatal, "{text}");
            assert_eq!((error.line, error.fault.0), place, "{text}");
        }
    }
}
