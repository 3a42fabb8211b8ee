//! CSV records, each with the line that it begins on.
//!
//! The parser is `csv-core`'s. It is fed line by line, because its own count of lines runs behind
//! where lines end in CR LF or are blank, and complaints must name the right one.

use std::io::BufRead;

use csv_core::{ReadRecordResult, Reader};

use super::rows::{RowError, reading_error};

/// The records of a CSV file; fields are those of the latest.
pub(super) struct Records {
    text: Box<dyn BufRead>,
    core: Reader,
    /// The line at hand, and how much of it has been parsed.
    line: Vec<u8>,
    parsed: usize,
    /// How many lines have begun.
    lines: u64,
    content: Vec<u8>,
    ends: Vec<usize>,
    fields: usize,
    /// First and last line of the latest record.
    span: (u64, u64),
}

impl Records {
    pub(super) fn new(text: Box<dyn BufRead>) -> Self {
        Self {
            text,
            core: Reader::new(),
            line: Vec::new(),
            parsed: 0,
            lines: 0,
            content: vec![0; 256],
            ends: vec![0; 16],
            fields: 0,
            span: (1, 1),
        }
    }

    /// First and last line of the latest record.
    pub(super) fn span(&self) -> (u64, u64) {
        self.span
    }

    /// How many fields the latest record has.
    pub(super) fn len(&self) -> usize {
        self.fields
    }

    /// A field of the latest record; empty beyond its last.
    pub(super) fn field(&self, k: usize) -> &[u8] {
        if k >= self.fields {
            return &[];
        }
        let start = if k == 0 { 0 } else { self.ends[k - 1] };
        &self.content[start..self.ends[k]]
    }

    /// Reads the next record; false at the end. Blank lines are passed over.
    pub(super) fn advance(&mut self) -> Result<bool, RowError> {
        while self.line[self.parsed..].trim_ascii().is_empty() {
            if !self.next_line()? {
                return Ok(false);
            }
        }
        // A line that ends in a lone CR leaves the next one in the buffer.
        if self.parsed > 0 {
            self.lines += 1;
        }
        self.span = (self.lines, self.lines);
        self.core.reset();
        let (mut written, mut ended) = (0, 0);
        let mut quotes = 0;
        loop {
            let input = &self.line[self.parsed..];
            let (result, read, wrote, ends) =
                self.core
                    .read_record(input, &mut self.content[written..], &mut self.ends[ended..]);
            quotes += input[..read]
                .iter()
                .map(|byte| usize::from(*byte == b'"'))
                .sum::<usize>();
            self.parsed += read;
            written += wrote;
            ended += ends;
            match result {
                ReadRecordResult::OutputFull => self.content.resize(2 * self.content.len(), 0),
                ReadRecordResult::OutputEndsFull => self.ends.resize(2 * self.ends.len(), 0),
                ReadRecordResult::InputEmpty => {
                    let ended_in_newline = self.line.last() == Some(&b'\n');
                    if !self.next_line()? && (ended_in_newline || quotes % 2 == 1) {
                        let message = "a quote opens here and is never closed; close it, or double it if it is part of the text";
                        return Err(RowError::fatal(self.span.0, 1, message));
                    }
                    self.span.1 = self.lines;
                }
                ReadRecordResult::Record => {
                    self.fields = ended;
                    return Ok(true);
                }
                ReadRecordResult::End => return Ok(false),
            }
        }
    }

    /// Brings the next line into the buffer; false, and an empty buffer, at the end.
    fn next_line(&mut self) -> Result<bool, RowError> {
        self.line.clear();
        self.parsed = 0;
        let read = self.text.read_until(b'\n', &mut self.line);
        if read.map_err(|error| reading_error(self.lines + 1, &error))? == 0 {
            return Ok(false);
        }
        self.lines += 1;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each record's first line and fields.
    fn read(text: &str) -> Result<Vec<(u64, Vec<String>)>, RowError> {
        let mut records = Records::new(Box::new(std::io::Cursor::new(text.to_owned())));
        let mut all = Vec::new();
        while records.advance()? {
            let field = |k| String::from_utf8_lossy(records.field(k)).into_owned();
            all.push((records.span().0, (0..records.len()).map(field).collect()));
        }
        Ok(all)
    }

    fn lines(text: &str) -> Vec<u64> {
        read(text).unwrap().iter().map(|(line, _)| *line).collect()
    }

    #[test]
    fn lines_are_counted_whatever_ends_them() {
        assert_eq!(lines("a,b\nc,d\ne,f"), [1, 2, 3]);
        assert_eq!(lines("a,b\r\nc,d\r\ne,f\r\n"), [1, 2, 3]);
        assert_eq!(lines("a,b\rc,d\re,f"), [1, 2, 3]);
        assert_eq!(lines("\n\na,b\r\n\r\n\r\nc,d\n"), [3, 6]);
        assert_eq!(lines("a,\"b\nb\nb\"\nc,d\n"), [1, 4]);
        assert!(lines("").is_empty() && lines("\n\r\n").is_empty());
    }

    #[test]
    fn quotes_keep_commas_newlines_and_doubled_quotes() {
        let (_, fields) = read("\"a,\"\"b\"\"\nc\",d").unwrap().remove(0);
        assert_eq!(fields, ["a,\"b\"\nc", "d"]);
        let (_, fields) = read("5\" pipe,d\n").unwrap().remove(0);
        assert_eq!(fields, ["5\" pipe", "d"]);
        let long = format!("{},{}\n", "x".repeat(10_000), "y,".repeat(100));
        assert_eq!(read(&long).unwrap()[0].1.len(), 102);
    }

    #[test]
    fn a_quote_that_is_never_closed_is_named_where_it_opens() {
        for text in ["a,b\n\"c,d\ne,f\n", "a,b\n\"c,d", "a,b\n\"c,d\ne,f"] {
            let error = read(text).unwrap_err();
            assert_eq!((error.line, error.fatal), (2, true), "{text}");
        }
    }
}
