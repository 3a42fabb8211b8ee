//! The elements of an array, of several anywhere in an object, or of a whole file, found by counting brackets outside of strings.

use std::collections::VecDeque;

use crate::error::RowError;
use crate::input::Text;
use crate::limits::too_long;
use crate::row::json_row::JsonRow;
use crate::row::json_walk::Walk;
use crate::row::lines::broken_off_at;

/// Whether the text of an element is a row.
pub(crate) type IsRow<'a> = Box<dyn Fn(&[u8]) -> bool + 'a>;

/// What the elements stand in.
pub(crate) enum Within<'a> {
    /// One array, which is the file.
    Array,
    /// The file: one after the other.
    File,
    /// All arrays in it whose first element is a row.
    Objects(IsRow<'a>),
}

/// What is wrong with an array without an end.
const CUT_OFF: &str = "the file ends within its array or object; it was cut off: complete it";

#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct Elements<'a> {
    text: Text<'a>,
    within: Within<'a>,
    /// Of the next byte, from 1.
    line: u64,
    column: u64,
    /// What is around the arrays.
    around: Walk,
    /// What was read of an element that is no row, and is walked through.
    unread: VecDeque<u8>,
    /// Whether an array begins here.
    is_first: bool,
    is_open: bool,
    is_after_element: bool,
    is_closed: bool,
}

impl<'a> Elements<'a> {
    pub(crate) fn new(text: Text<'a>, within: Within<'a>) -> Self {
        Self {
            text,
            within,
            line: 1,
            column: 1,
            around: Walk::default(),
            unread: VecDeque::new(),
            is_first: false,
            is_open: false,
            is_after_element: false,
            is_closed: false,
        }
    }

    /// The next element; none at the end.
    pub(crate) fn advance(&mut self) -> Result<Option<JsonRow>, RowError> {
        match self.within {
            Within::Array => self.of_array(),
            Within::File => self.of_file(),
            Within::Objects(_) => self.of_objects(),
        }
    }

    fn of_array(&mut self) -> Result<Option<JsonRow>, RowError> {
        loop {
            match self.peek()? {
                None if self.is_closed => return Ok(None),
                None => return Err(self.refuse(CUT_OFF)),
                Some(byte) if byte.is_ascii_whitespace() => self.pass(byte),
                Some(_) if self.is_closed => return Err(self.refuse("nothing may follow the array")),
                Some(b'[') if !self.is_open => {
                    self.is_open = true;
                    self.pass(b'[');
                }
                Some(b']') => {
                    self.is_closed = true;
                    self.is_open = false;
                    self.pass(b']');
                    if matches!(self.within, Within::Objects(_)) {
                        return Ok(None);
                    }
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

    fn of_file(&mut self) -> Result<Option<JsonRow>, RowError> {
        loop {
            match self.peek()? {
                None => return Ok(None),
                Some(byte) if byte.is_ascii_whitespace() => self.pass(byte),
                Some(b'{') => return self.element().map(Some),
                Some(_) => return Err(self.refuse("not the JSON object that each row must be")),
            }
        }
    }

    /// The elements of one array after the other.
    fn of_objects(&mut self) -> Result<Option<JsonRow>, RowError> {
        loop {
            if self.is_open {
                if let Some(row) = self.of_array()? {
                    return Ok(Some(row));
                }
                self.is_after_element = false;
                self.around.pass(b']');
            }
            let Some(byte) = self.peek()? else {
                return if self.around.is_within() {
                    Err(self.refuse(CUT_OFF))
                } else {
                    Ok(None)
                };
            };
            if !self.around.is_within() && !byte.is_ascii_whitespace() && byte != b'{' {
                return Err(self.refuse("not the JSON object that holds the rows"));
            }
            if byte == b'{' && std::mem::take(&mut self.is_first) {
                let place = (self.line, self.column);
                let row = self.element()?;
                if let Within::Objects(is_row) = &self.within
                    && is_row(&row.text)
                {
                    (self.is_open, self.is_closed, self.is_after_element) = (true, false, true);
                    return Ok(Some(row));
                }
                self.unread(&row, place);
            }
            self.around.pass(byte);
            self.pass(byte);
            self.is_first =
                (byte == b'[' || (self.is_first && byte.is_ascii_whitespace())) && !self.around.is_quoted();
        }
    }

    /// Goes back to where an element begins.
    fn unread(&mut self, row: &JsonRow, place: (u64, u64)) {
        let mut breaks = row.breaks.iter().peekable();
        let bytes = row
            .text
            .iter()
            .enumerate()
            .map(|(at, byte)| match breaks.next_if(|end| **end == at) {
                Some(_) => b'\n',
                None => *byte,
            });
        let bytes: Vec<u8> = bytes.collect();
        for byte in bytes.into_iter().rev() {
            self.unread.push_front(byte);
        }
        (self.line, self.column) = place;
    }

    /// The element that begins here.
    fn element(&mut self) -> Result<JsonRow, RowError> {
        let is_in_array = !matches!(self.within, Within::File);
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
            let mut is_end = false;
            if is_escaped {
                is_escaped = false;
            } else if is_quoted {
                is_quoted = byte != b'"';
                is_escaped = byte == b'\\';
            } else {
                match byte {
                    b',' | b']' if depth == 0 && is_in_array => break,
                    b'{' | b'[' => depth += 1,
                    b'}' | b']' => {
                        depth = depth.saturating_sub(1);
                        is_end = depth == 0 && !is_in_array;
                    }
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
            if is_end {
                break;
            }
        }
        Ok(row)
    }

    fn peek(&mut self) -> Result<Option<u8>, RowError> {
        if let Some(byte) = self.unread.front() {
            return Ok(Some(*byte));
        }
        let buffer = self.text.reader.fill_buf();
        let buffer = buffer.map_err(|error| broken_off_at(self.line, &error))?;
        Ok(buffer.first().copied())
    }

    fn pass(&mut self, byte: u8) {
        if self.unread.pop_front().is_none() {
            self.text.reader.consume(1);
        }
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
