//! CSV records, each with the line that it begins on, and tables of them with a header line.
//!
//! The parser is `csv-core`'s. It is fed line by line, because its own count of lines runs behind
//! where lines end in CR LF or are blank, and complaints must name the right one. Lines without a quote, which are nearly
//! all, are taken apart at their separators.

use std::ops::Range;

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

use crate::error::{Fault, RowError};
use crate::input::Text;
use crate::limits::{check_columns, too_long};
use crate::row::json_text::check_name;
use crate::row::lines::{Lines, utf8};

/// The most records that are at hand at once.
const AHEAD: usize = 16;

/// The records of a text; those at hand are the latest, or several without quotes whose lines were read together.
pub(crate) struct Records<'a> {
    core: Reader,
    separator: u8,
    lines: Lines<'a>,
    longest_row: usize,
    /// How much of the line at hand has been parsed.
    parsed: usize,
    at_hand: Vec<Place>,
    /// Where the fields of the records at hand end.
    ends: Vec<usize>,
    /// The fields, one after another, of a record with quotes.
    content: Vec<u8>,
    /// Whether the record at hand is read once more.
    again: bool,
}

/// Where a record is.
struct Place {
    /// First and last line.
    span: (u64, u64),
    /// The line in which its fields stand, each with a separator before the next; none for a record with quotes.
    line: Option<Range<usize>>,
    /// Its part of `ends`.
    ends: Range<usize>,
}

/// A record of a text.
pub(crate) struct Record<'r> {
    /// First and last line.
    span: (u64, u64),
    content: &'r [u8],
    /// The content, if all of it is UTF-8.
    text: Option<&'r str>,
    ends: &'r [usize],
    /// What stands between fields.
    gap: usize,
}

impl<'r> Record<'r> {
    /// The first line.
    pub(crate) const fn line(&self) -> u64 {
        self.span.0
    }

    /// A field without surrounding blanks; empty beyond the last.
    pub(crate) fn field(&self, place: usize) -> Result<&'r str, Fault> {
        let Some(&end) = self.ends.get(place) else {
            return Ok("");
        };
        let start = if place == 0 {
            0
        } else {
            self.ends[place - 1] + self.gap
        };
        if let Some(text) = self.text.and_then(|text| text.get(start..end)) {
            return Ok(bare(text));
        }
        let text = utf8(&self.content[start..end]).map_err(|(_, what)| (place as u64 + 1, what))?;
        Ok(bare(text))
    }
}

/// Without surrounding blanks; and without quotes behind blanks, which are part of no name: `1, "ann"`.
fn bare(text: &str) -> &str {
    let bare = text.trim();
    let is_behind_blanks = bare.len() > 1 && text.starts_with([' ', '\t']);
    let inner = bare.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inner.filter(|_| is_behind_blanks).map_or(bare, str::trim)
}

impl<'a> Records<'a> {
    pub(crate) fn new(text: Text<'a>, separator: u8) -> Self {
        Self {
            core: ReaderBuilder::new().delimiter(separator).build(),
            separator,
            longest_row: text.longest_row,
            lines: Lines::new(text),
            parsed: 0,
            at_hand: Vec::new(),
            ends: Vec::new(),
            content: vec![0; 256],
            again: false,
        }
    }

    /// The first line of the latest record, 1 before the first.
    pub(crate) fn line(&self) -> u64 {
        self.at_hand.last().map_or(1, |place| place.span.0)
    }

    /// One of the records at hand.
    fn record(&self, at: usize) -> Record<'_> {
        let place = &self.at_hand[at];
        let ends = &self.ends[place.ends.clone()];
        let (content, gap) = match &place.line {
            Some(line) => (self.lines.line_at(line.clone()), 1),
            None => (&self.content[..ends.last().copied().unwrap_or(0)], 0),
        };
        Record {
            span: place.span,
            content,
            text: None,
            ends,
            gap,
        }
    }

    /// A field of the only record at hand, without surrounding blanks; empty beyond its last.
    pub(crate) fn field(&self, place: usize) -> Result<&str, Fault> {
        self.record(0).field(place)
    }

    /// All fields of the only record at hand.
    pub(crate) fn fields(&self) -> Result<Vec<String>, RowError> {
        let record = self.record(0);
        let field = |place| record.field(place).map(str::to_owned);
        let fields = (0..record.ends.len()).map(field).collect::<Result<_, _>>();
        fields.map_err(|fault| RowError::new(record.line(), fault))
    }

    /// Reads the next record; false at the end. Blank lines are passed over.
    pub(crate) fn advance(&mut self) -> Result<bool, RowError> {
        if std::mem::take(&mut self.again) {
            return Ok(true);
        }
        self.at_hand.clear();
        self.ends.clear();
        while is_blank(&self.lines.line()[self.parsed..], self.separator) {
            if !self.next_line()? {
                return Ok(false);
            }
        }
        Ok(self.parsed == 0 && self.split() || self.parse()?)
    }

    /// Reads the next record, and those behind it that are read already, and says how many; none at the end.
    pub(crate) fn advance_some(&mut self) -> Result<usize, RowError> {
        if !self.advance()? {
            return Ok(0);
        }
        let is_plain = self.at_hand[0].line.is_some();
        while is_plain && self.at_hand.len() < AHEAD && self.lines.advance_unread() {
            self.parsed = 0;
            if is_blank(self.lines.line(), self.separator) || !self.split() {
                break;
            }
        }
        Ok(self.at_hand.len())
    }

    /// Takes the line at hand apart, unless it has a quote.
    fn split(&mut self) -> bool {
        let (line, first) = (self.lines.line(), self.ends.len());
        for (place, &byte) in line.iter().enumerate() {
            if byte == self.separator {
                self.ends.push(place);
            } else if byte == b'"' {
                self.ends.truncate(first);
                return false;
            }
        }
        let breaks = line.iter().rev().take_while(|byte| matches!(byte, b'\n' | b'\r'));
        self.ends.push(line.len() - breaks.count());
        self.parsed = line.len();
        self.at_hand.push(Place {
            span: (self.lines.number, self.lines.number),
            line: Some(self.lines.place()),
            ends: first..self.ends.len(),
        });
        true
    }

    /// Parses the record that begins at hand.
    fn parse(&mut self) -> Result<bool, RowError> {
        self.ends.resize(16, 0);
        self.core.reset();
        let first = self.lines.number;
        let mut last = first;
        let (mut written, mut ended, mut is_odd) = (0, 0, false);
        loop {
            let (content, ends) = (&mut self.content[written..], &mut self.ends[ended..]);
            let line = &self.lines.line()[self.parsed..];
            let (result, read, wrote, ends) = self.core.read_record(line, content, ends);
            let parsed = &line[..read];
            if parsed.contains(&b'"') {
                is_odd = parsed
                    .iter()
                    .fold(is_odd, |is_odd, byte| is_odd ^ (*byte == b'"'));
            }
            let ended_in_newline = matches!(parsed.last(), Some(b'\n' | b'\r'));
            self.parsed += read;
            written += wrote;
            ended += ends;
            match result {
                ReadRecordResult::OutputFull => self.content.resize(2 * self.content.len(), 0),
                ReadRecordResult::OutputEndsFull => self.ends.resize(2 * self.ends.len(), 0),
                ReadRecordResult::InputEmpty if written > self.longest_row => {
                    let what = format!("{}; a quote may be left open", too_long(self.longest_row));
                    return Err(RowError::fatal(first, what));
                }
                ReadRecordResult::InputEmpty => {
                    if !self.next_line()? && (ended_in_newline || is_odd) {
                        let what = "a quote opens here and is never closed; close it, or double it if it is part of the text";
                        return Err(RowError::fatal(first, what.to_owned()));
                    }
                    last = self.lines.number;
                }
                ReadRecordResult::Record => {
                    self.at_hand.push(Place {
                        span: (first, last),
                        line: None,
                        ends: 0..ended,
                    });
                    return Ok(true);
                }
                ReadRecordResult::End => return Ok(false),
            }
        }
    }

    fn next_line(&mut self) -> Result<bool, RowError> {
        self.parsed = 0;
        self.lines.advance()
    }
}

/// CSV with a header line and rows of as many fields.
pub(crate) struct Table<'a> {
    pub(crate) records: Records<'a>,
    pub(crate) header: Vec<String>,
    /// How many rows more were the header, as in files that were joined.
    repeated: u64,
}

impl<'a> Table<'a> {
    /// Reads the header, whose separator is that of the whole file; `thing` is what a row is.
    pub(crate) fn open(mut text: Text<'a>, thing: &str) -> Result<Self, RowError> {
        let told = told_separator(text.start());
        let separator = told.unwrap_or_else(|| separator(text.start()));
        let mut records = Records::new(text, separator);
        if told.is_some() {
            records.advance()?;
        }
        if !records.advance()? {
            let what = format!("the file is empty; a header line and a line for each {thing} are needed");
            return Err(RowError::new(1, (1, what)));
        }
        let checked = check_columns(records.record(0).ends.len());
        checked.map_err(|fault| RowError::new(records.line(), fault))?;
        let header = records.fields()?;
        for (place, name) in (1..).zip(&header) {
            check_name(name).map_err(|(_, what)| RowError::new(records.line(), (place, what)))?;
        }
        Ok(Self {
            records,
            header,
            repeated: 0,
        })
    }

    /// What stands between its fields.
    pub(crate) const fn separator(&self) -> u8 {
        self.records.separator
    }

    /// The same with the header further down, in this line and with this separator.
    pub(crate) fn below(self, (separator, line): (u8, u64)) -> Result<Self, RowError> {
        let Self { mut records, .. } = self;
        records.separator = separator;
        records.core = ReaderBuilder::new().delimiter(separator).build();
        let mut is_there = true;
        while is_there && records.line() < line {
            is_there = records.advance()?;
        }
        if !is_there || records.line() != line {
            let what = "the header seems to stand within a quote that opens above it; close the quote, or remove the lines above it";
            return Err(RowError::fatal(line, what.to_owned()));
        }
        let header = records.fields()?;
        Ok(Self {
            records,
            header,
            repeated: 0,
        })
    }

    /// A table without a header line, whose columns have these names.
    pub(crate) fn named(self, names: &str) -> Self {
        let mut table = self;
        table.records.again = true;
        table.header = names.split(',').map(|name| name.trim().to_owned()).collect();
        table
    }

    /// What there is to say once all rows were read.
    pub(crate) fn note(&self) -> Option<String> {
        let lines = match self.repeated {
            0 => return None,
            1 => "a line that repeats the header was".to_owned(),
            more => format!("{more} lines that repeat the header were"),
        };
        Some(format!("{lines} passed over"))
    }

    /// Whether a row says no more than the header does.
    fn is_header(&self, row: &Record<'_>) -> bool {
        let mut fields = self.header.iter().enumerate();
        row.ends.len() == self.header.len()
            && fields.all(|(place, name)| row.field(place).is_ok_and(|field| field == name))
    }

    /// Goes to the next row and says on which line it begins; none at the end. A row with another number of fields is an
    /// error, after which others may follow.
    pub(crate) fn advance(&mut self) -> Result<Option<u64>, RowError> {
        while self.records.advance()? {
            let row = self.records.record(0);
            if !self.is_header(&row) {
                return self.complete(row).map(|row| Some(row.line()));
            }
            self.repeated += 1;
        }
        Ok(None)
    }

    /// Goes to the next rows, up to some that are read already; none at the end.
    pub(crate) fn advance_some(&mut self) -> Result<usize, RowError> {
        while self.records.advance_some()? > 0 {
            let is_header = |at: usize| self.is_header(&self.records.record(at));
            let repeated: Vec<usize> = (0..self.records.at_hand.len())
                .filter(|at| is_header(*at))
                .collect();
            for at in repeated.iter().rev() {
                self.records.at_hand.remove(*at);
            }
            self.repeated += repeated.len() as u64;
            if !self.records.at_hand.is_empty() {
                break;
            }
        }
        Ok(self.records.at_hand.len())
    }

    /// One of the rows at hand, from 0.
    pub(crate) fn row(&self, at: usize) -> Result<Record<'_>, RowError> {
        let mut row = self.complete(self.records.record(at))?;
        row.text = std::str::from_utf8(row.content).ok();
        Ok(row)
    }

    /// The row, if it has as many fields as the header.
    fn complete<'r>(&self, row: Record<'r>) -> Result<Record<'r>, RowError> {
        let (found, wanted) = (row.ends.len(), self.header.len());
        let (line, last) = row.span;
        if found == wanted {
            return Ok(row);
        }
        let quote = if last > line {
            format!("; the row runs on to line {last}: is a quote left open?")
        } else {
            String::new()
        };
        let what = format!(
            "the row has {found} fields and the header {wanted}; complete the row, or quote fields that hold commas{quote}"
        );
        Err(RowError::new(line, (found.min(wanted) as u64 + 1, what)))
    }

    /// Where the one column of this name stands.
    pub(crate) fn place(&self, name: &str) -> Result<Option<usize>, Fault> {
        let mut places = (0..self.header.len()).filter(|place| self.header[*place] == name);
        let first = places.next();
        match places.next() {
            Some(second) => Err((
                second as u64 + 1,
                format!("two columns are called `{name}`; remove or rename one"),
            )),
            None => Ok(first),
        }
    }
}

/// Whether a line has nothing in it, as spreadsheets write rows that are empty.
fn is_blank(line: &[u8], separator: u8) -> bool {
    line.iter()
        .all(|byte| byte.is_ascii_whitespace() || *byte == separator)
}

/// What stands between the fields where the first line says it, as spreadsheets have it: `sep=;`.
fn told_separator(text: &[u8]) -> Option<u8> {
    let line = text.split(|byte| b"\r\n".contains(byte)).next()?;
    let line = line.strip_prefix(b"\"").unwrap_or(line);
    match line {
        [b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', separator, rest @ ..]
            if separator.is_ascii()
                && !separator.is_ascii_alphanumeric()
                && matches!(rest, b"" | b"\"" | b" ") =>
        {
            Some(*separator)
        }
        _ => None,
    }
}

/// What stands between the fields: of comma, semicolon, tab and bar what the first line with anything in it has most of
/// outside quotes, the comma if it has none.
fn separator(text: &[u8]) -> u8 {
    let mut lines = text.split(|byte| b"\r\n".contains(byte));
    let header = lines
        .find(|line| !line.trim_ascii().is_empty())
        .unwrap_or_default();
    let mut is_quoted = false;
    let mut counts = [(b',', 0), (b';', 0), (b'\t', 0), (b'|', 0)];
    for byte in header {
        is_quoted ^= *byte == b'"';
        let count = counts
            .iter_mut()
            .find(|(separator, _)| separator == byte && !is_quoted);
        if let Some((_, count)) = count {
            *count += 1;
        }
    }
    // Of equal counts the first.
    let most = counts.iter().rev().max_by_key(|(_, count)| *count);
    most.map_or(b',', |(separator, _)| *separator)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_tells_what_separates_fields() {
        for (text, wanted) in [
            ("a,b;c,d\n1;2;3", b','),
            ("\n a;b;c\n1,2;3", b';'),
            ("a\tb\tc,d\n", b'\t'),
            ("\"a;b;c\",d\n", b','),
            ("alone\n", b','),
            ("a;b,c", b','),
            ("", b','),
        ] {
            assert_eq!(separator(text.as_bytes()), wanted, "{text}");
        }
    }

    /// Each record's first line and fields.
    fn read(text: impl std::io::BufRead) -> Result<Vec<(u64, Vec<String>)>, RowError> {
        let mut records = Records::new(Text::of(text), b',');
        let mut all = Vec::new();
        while records.advance()? {
            all.push((records.line(), records.fields()?));
        }
        Ok(all)
    }

    fn lines(text: &str) -> Vec<u64> {
        read(text.as_bytes())
            .unwrap()
            .iter()
            .map(|(line, _)| *line)
            .collect()
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
        let (_, fields) = read(&b"\"a,\"\"b\"\"\nc\",d"[..]).unwrap().remove(0);
        assert_eq!(fields, ["a,\"b\"\nc", "d"]);
        let (_, fields) = read(&b"5\" pipe,d\n"[..]).unwrap().remove(0);
        assert_eq!(fields, ["5\" pipe", "d"]);
        let long = format!("{},{}\n", "x".repeat(10_000), "y,".repeat(100));
        assert_eq!(read(long.as_bytes()).unwrap()[0].1.len(), 102);
    }

    #[test]
    fn where_a_reader_stops_does_not_show() {
        let text = &b"a,b\r\n\rc,,\n\nd\re,\"f\ng\"\r\n,x,"[..];
        let whole = read(text).unwrap();
        let fields: Vec<usize> = whole.iter().map(|(_, fields)| fields.len()).collect();
        assert_eq!(fields, [2, 3, 1, 2, 3]);
        for size in 1..text.len() {
            let reader = std::io::BufReader::with_capacity(size, text);
            assert_eq!(read(reader).unwrap(), whole, "{size}");
        }
    }

    #[test]
    fn records_read_together_are_those_read_one_by_one() {
        let row = |row: &str| format!("{row},caf\u{e9},\n");
        let text: String = (0..3 * AHEAD).map(|k| row(&k.to_string())).collect();
        let text = format!(
            "{text}\n\r\n\"q,\"\"\",\"two\nlines\",\n{}x,y\r{}",
            row("a"),
            row("b")
        );
        let whole = read(text.as_bytes()).unwrap();
        for size in [1, 7, 40, 100, text.len()] {
            let reader = std::io::BufReader::with_capacity(size, text.as_bytes());
            let (mut records, mut all) = (Records::new(Text::of(reader), b','), Vec::new());
            let mut most = 0;
            loop {
                let some = records.advance_some().unwrap();
                if some == 0 {
                    break;
                }
                most = most.max(some);
                for record in (0..some).map(|at| records.record(at)) {
                    let fields = (0..record.ends.len()).map(|place| record.field(place).unwrap().to_owned());
                    all.push((record.line(), fields.collect::<Vec<_>>()));
                }
            }
            assert_eq!(all, whole, "{size}");
            assert_eq!(most, if size == text.len() { AHEAD } else { most }, "{size}");
        }
    }

    #[test]
    fn a_quote_that_is_never_closed_is_named_where_it_opens() {
        for text in ["a,b\n\"c,d\ne,f\n", "a,b\n\"c,d", "a,b\n\"c,d\ne,f"] {
            let error = read(text.as_bytes()).unwrap_err();
            assert_eq!((error.line, error.fatal), (2, true), "{text}");
        }
    }
}
