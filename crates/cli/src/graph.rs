//! The text edge list: `n m`, then `i j weight`, vertices from 0.

mod prices;

pub(crate) use prices::{is_price, read_prices};

use std::io::BufRead;

use matchwright_solver::{GraphError, SparseCosts};

use crate::failure::{Failure, shown};
use crate::input::Source;

/// Reads a graph to its end. Blank lines and lines that begin with `#` are passed over. If not `all` are to be
/// paired, vertices may have no edge.
pub(crate) fn read_graph(source: &mut Source, all: bool) -> Result<SparseCosts, Failure> {
    let name = source.name.clone();
    let complain = |place: Place, message: String| {
        Failure::Failed(format!("{name}:{}:{}: {message}", place.line, place.column))
    };
    let mut lines = Lines {
        reader: &mut source.reader,
        line: 0,
        text: Vec::new(),
    };
    let (n, m) = match lines.next_line().and_then(|found| header(&lines, found)) {
        Ok(header) => header,
        Err((place, message)) => return Err(complain(place, message)),
    };
    let mut edges = Vec::new();
    let mut places = Vec::new();
    loop {
        let line = match lines.next_line() {
            Ok(true) => lines.text.as_slice(),
            Ok(false) => break,
            Err((place, message)) => return Err(complain(place, message)),
        };
        match edge(line) {
            Ok(edge) => edges.push(edge),
            Err((column, message)) => {
                return Err(complain(
                    Place {
                        line: lines.line,
                        column,
                    },
                    message,
                ));
            }
        }
        places.push(lines.line);
    }
    let end = Place {
        line: lines.line.max(1),
        column: 1,
    };
    if edges.len() as u64 != m {
        let message = format!(
            "the first line promises {m} edges and {} follow; correct it, or look for lost lines",
            edges.len()
        );
        return Err(complain(end, message));
    }
    // A graph that promises more vertices than its edges can explain is refused before memory is taken for it.
    let explained = edges.len() + if all { 0 } else { MOST_WITHOUT_EDGES };
    let vertices = usize::try_from(n).ok().filter(|n| n.div_ceil(2) <= explained);
    let Some(vertices) = vertices else {
        let why = if all {
            "some vertex has none, so not all can be paired; --fewest-out leaves out as few as possible"
        } else {
            "most vertices have none; leave those out of the file"
        };
        let message = format!("{n} vertices and {} edges: {why}", edges.len());
        return Err(complain(end, message));
    };
    SparseCosts::from_edges(vertices, edges).map_err(|error| {
        let edge = offending_edge(&error);
        let place = edge
            .and_then(|edge| places.get(edge))
            .map_or(end, |&line| Place { line, column: 1 });
        complain(place, error.to_string())
    })
}

/// Half as many vertices may have no edge at all, where vertices may sit out.
const MOST_WITHOUT_EDGES: usize = 1 << 20;

/// What some editors put before UTF-8 text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

#[derive(Clone, Copy)]
struct Place {
    line: u64,
    column: u64,
}

/// Where and what.
type Complaint = (Place, String);

struct Lines<'a> {
    reader: &'a mut Box<dyn BufRead>,
    line: u64,
    text: Vec<u8>,
}

impl Lines<'_> {
    /// Moves to the next line that says something; false at the end.
    fn next_line(&mut self) -> Result<bool, Complaint> {
        loop {
            self.text.clear();
            self.line += 1;
            let read = self.reader.read_until(b'\n', &mut self.text);
            let place = Place {
                line: self.line,
                column: 1,
            };
            if read.map_err(|error| {
                (
                    place,
                    format!(
                        "reading failed: {error}; the file was damaged or cut off: copy or download it again"
                    ),
                )
            })? == 0
            {
                self.line -= 1;
                return Ok(false);
            }
            if self.line == 1 && self.text.starts_with(BYTE_ORDER_MARK) {
                self.text.drain(..BYTE_ORDER_MARK.len());
            }
            let text = self.text.trim_ascii();
            if !text.is_empty() && !text.starts_with(b"#") {
                return Ok(true);
            }
        }
    }
}

fn header(lines: &Lines<'_>, found: bool) -> Result<(u64, u64), Complaint> {
    let at = |column| Place {
        line: lines.line.max(1),
        column,
    };
    if !found {
        return Err((
            at(1),
            "the file is empty; the first line must be `n m`".to_owned(),
        ));
    }
    let mut words = Words::new(&lines.text);
    let mut count = |what: &str| {
        let (column, word) = words.next().ok_or((
            at(1),
            format!("no number of {what}; the first line must be `n m`"),
        ))?;
        number::<u64>(word).ok_or_else(|| (at(column), format!("`{}` is no number of {what}", show(word))))
    };
    let header = (count("vertices")?, count("edges")?);
    match words.next() {
        Some((column, word)) => Err((
            at(column),
            format!("`{}` is too much; the first line must be `n m`", show(word)),
        )),
        None => Ok(header),
    }
}

fn edge(line: &[u8]) -> Result<(usize, usize, f64), (u64, String)> {
    let mut words = Words::new(line);
    let mut word = |what: &str| {
        words
            .next()
            .ok_or((line.len() as u64, format!("no {what}; an edge is `i j weight`")))
    };
    let vertex = |(column, word): (u64, &[u8])| {
        number::<usize>(word).ok_or_else(|| {
            (
                column,
                format!("`{}` is no vertex; vertices count from 0", show(word)),
            )
        })
    };
    let (i, j) = (vertex(word("first vertex")?)?, vertex(word("second vertex")?)?);
    let (column, text) = word("weight")?;
    let weight = number::<f64>(text).filter(|weight| weight.is_finite());
    let weight = weight.ok_or_else(|| (column, format!("weight `{}` is no finite number", show(text))))?;
    match words.next() {
        Some((column, word)) => Err((
            column,
            format!("`{}` is too much; an edge is `i j weight`", show(word)),
        )),
        None => Ok((i, j, weight)),
    }
}

fn number<T: std::str::FromStr>(word: &[u8]) -> Option<T> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

fn show(word: &[u8]) -> String {
    shown(&String::from_utf8_lossy(word))
}

/// Words of a line with their columns, from 1.
struct Words<'a> {
    line: &'a [u8],
    at: usize,
}

impl<'a> Words<'a> {
    fn new(line: &'a [u8]) -> Self {
        Self { line, at: 0 }
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = (u64, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.at
            + self.line[self.at..]
                .iter()
                .position(|byte| !byte.is_ascii_whitespace())?;
        let length = self.line[start..].iter().position(u8::is_ascii_whitespace);
        self.at = length.map_or(self.line.len(), |length| start + length);
        Some((start as u64 + 1, &self.line[start..self.at]))
    }
}

/// Which edge, from 0, a complaint of the graph is about.
fn offending_edge(error: &GraphError) -> Option<usize> {
    error.edge()
}
