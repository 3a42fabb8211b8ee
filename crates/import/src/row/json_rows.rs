//! The objects of JSON lines or of one JSON array, each with the place where it begins.

use crate::error::{Fault, RowError};
use crate::input::Text;
use crate::limits::too_long;
use crate::row::lines::{Lines, broken_off_at};

/// One object's text, in which line breaks are blanks.
pub(crate) struct JsonRow {
    pub(crate) text: Vec<u8>,
    /// Where it begins, from 1.
    pub(crate) line: u64,
    column: u64,
    /// Where lines ended in the text.
    breaks: Vec<usize>,
}

impl JsonRow {
    /// A fault in the text, whose column counts from its beginning, at its line and column of the file.
    pub(crate) fn fault(&self, (column, what): Fault) -> RowError {
        let offset = usize::try_from(column - 1).unwrap_or(usize::MAX);
        let before = self.breaks.partition_point(|&end| end < offset);
        let column = match before.checked_sub(1) {
            Some(last) => (offset - self.breaks[last]) as u64,
            None => self.column + column - 1,
        };
        RowError::new(self.line + before as u64, (column, what))
    }
}

/// Reads one object after the other.
pub(crate) enum JsonRows<'a> {
    /// One a line.
    Lines(Lines<'a>),
    /// The elements of an array.
    Array(Elements<'a>),
}

impl<'a> JsonRows<'a> {
    /// A first `[` means an array; no element is read yet.
    pub(crate) fn new(mut text: Text<'a>) -> Self {
        let is_array = text.start().trim_ascii_start().starts_with(b"[");
        if is_array {
            Self::Array(Elements {
                text,
                line: 1,
                column: 1,
                is_open: false,
                is_after_element: false,
                is_closed: false,
            })
        } else {
            Self::Lines(Lines::new(text))
        }
    }

    /// The next row; none at the end.
    pub(crate) fn advance(&mut self) -> Result<Option<JsonRow>, RowError> {
        match self {
            Self::Array(elements) => elements.advance(),
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

/// What is wrong with an array without an end.
const CUT_OFF: &str = "the file ends within its array; it was cut off: complete it";

/// The elements of an array, found by counting brackets outside of strings.
pub(crate) struct Elements<'a> {
    text: Text<'a>,
    /// Of the next byte, from 1.
    line: u64,
    column: u64,
    is_open: bool,
    is_after_element: bool,
    is_closed: bool,
}

impl Elements<'_> {
    fn advance(&mut self) -> Result<Option<JsonRow>, RowError> {
        loop {
            match self.peek()? {
                None if self.is_closed => return Ok(None),
                None => {
                    return Err(self.refuse(CUT_OFF));
                }
                Some(byte) if byte.is_ascii_whitespace() => self.pass(byte),
                Some(_) if self.is_closed => return Err(self.refuse("nothing may follow the array")),
                Some(b'[') if !self.is_open => {
                    self.is_open = true;
                    self.pass(b'[');
                }
                Some(b']') => {
                    self.is_closed = true;
                    self.pass(b']');
                }
                Some(b',') if self.is_after_element => {
                    self.is_after_element = false;
                    self.pass(b',');
                }
                Some(_) => {
                    self.is_after_element = true;
                    return self.element().map(Some);
                }
            }
        }
    }

    /// The element that begins here.
    fn element(&mut self) -> Result<JsonRow, RowError> {
        let mut row = JsonRow {
            text: Vec::new(),
            line: self.line,
            column: self.column,
            breaks: Vec::new(),
        };
        let (mut depth, mut is_quoted, mut is_escaped) = (0_u32, false, false);
        loop {
            let Some(byte) = self.peek()? else {
                return Err(self.refuse(CUT_OFF));
            };
            if is_escaped {
                is_escaped = false;
            } else if is_quoted {
                is_quoted = byte != b'"';
                is_escaped = byte == b'\\';
            } else {
                match byte {
                    b',' | b']' if depth == 0 => break,
                    b'{' | b'[' => depth += 1,
                    b'}' | b']' => depth = depth.saturating_sub(1),
                    b'"' => is_quoted = true,
                    _ => {}
                }
            }
            if byte == b'\n' {
                row.breaks.push(row.text.len());
            }
            if row.text.len() == self.text.longest_row {
                return Err(RowError::fatal_at(
                    row.line,
                    row.column,
                    too_long(self.text.longest_row),
                ));
            }
            row.text.push(if b"\r\n".contains(&byte) { b' ' } else { byte });
            self.pass(byte);
        }
        Ok(row)
    }

    fn peek(&mut self) -> Result<Option<u8>, RowError> {
        let buffer = self.text.reader.fill_buf();
        let buffer = buffer.map_err(|error| broken_off_at(self.line, &error))?;
        Ok(buffer.first().copied())
    }

    fn pass(&mut self, byte: u8) {
        self.text.reader.consume(1);
        if byte == b'\n' {
            (self.line, self.column) = (self.line + 1, 1);
        } else {
            self.column += 1;
        }
    }

    /// What is wrong with the array itself, after which no element can be found.
    fn refuse(&self, what: &str) -> RowError {
        RowError {
            fatal: true,
            ..RowError::new(self.line, (self.column, what.to_owned()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows' lines and texts, and what ended them.
    fn read(text: &str) -> (Vec<(u64, String)>, Option<RowError>) {
        let mut rows = JsonRows::new(Text::of(text.as_bytes()));
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
    fn a_fault_is_told_at_its_own_line_and_column() {
        let mut rows = JsonRows::new(Text::of(&b"[ {\"a\": 1,\n\n  \"b\": 2}]"[..]));
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
