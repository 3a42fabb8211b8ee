//! Where the rows of a JSON object are: in which of the arrays within it.

use std::io::{Chain, Cursor, Read};

use crate::input::Text;

/// More of them, one in the other, are no file of rows.
const DEEPEST: usize = 64;

/// Passes over JSON byte by byte, and knows under which keys it is.
#[derive(Default)]
pub(crate) struct Walk {
    /// What is open: of an object the key at hand.
    open: Vec<Option<Vec<u8>>>,
    /// Brackets beyond the deepest.
    deeper: usize,
    /// The string so far, if one is open.
    string: Option<Vec<u8>>,
    is_escaped: bool,
    /// The last string that was closed, until it is a key.
    last: Vec<u8>,
}

impl Walk {
    pub(crate) fn pass(&mut self, byte: u8) {
        if let Some(string) = &mut self.string {
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' => self.is_escaped = true,
                b'"' => {
                    self.last = self.string.take().unwrap_or_default();
                    return;
                }
                _ => {}
            }
            // No key that tells anything is as long.
            if string.len() < 256 {
                string.push(byte);
            }
            return;
        }
        match byte {
            b'"' => self.string = Some(Vec::new()),
            b'{' | b'[' if self.open.len() == DEEPEST => self.deeper += 1,
            b'{' => self.open.push(Some(Vec::new())),
            b'[' => self.open.push(None),
            b'}' | b']' if self.deeper > 0 => self.deeper -= 1,
            b'}' | b']' => {
                self.open.pop();
            }
            b':' if self.deeper == 0 => {
                if let Some(Some(key)) = self.open.last_mut() {
                    key.clone_from(&self.last);
                }
            }
            _ => {}
        }
    }

    pub(crate) const fn is_quoted(&self) -> bool {
        self.string.is_some()
    }

    /// Whether something is open.
    pub(crate) fn is_within(&self) -> bool {
        !self.open.is_empty() || self.string.is_some()
    }

    /// The keys that are open, one within the other.
    fn keys(&self) -> impl Iterator<Item = &Vec<u8>> {
        self.open.iter().flatten()
    }

    /// The keys that are open, as one name.
    pub(crate) fn path(&self) -> String {
        let keys = self.keys().map(|key| String::from_utf8_lossy(key));
        keys.collect::<Vec<_>>().join(".")
    }
}

/// How many bytes are looked through, where rows were found, for a row around them.
const FARTHER: usize = 1 << 20;

/// The keys of the first array within the first object whose first element `is_row`, if the object itself is none, nor what is around
/// that element; and the text as it was. No more of it is looked at than a row may be long.
pub(crate) fn find_rows(text: Text<'_>, is_row: impl Fn(&[u8]) -> bool) -> (Text<'_>, Option<String>) {
    let Text {
        mut reader,
        longest_row,
    } = text;
    let (mut seen, mut walk) = (Vec::new(), Walk::default());
    // Where first elements begin that are open, and how deep that is; the first is the object itself.
    let mut elements: Vec<(usize, usize)> = Vec::new();
    // The keys of rows, how deep they are, and where the first ends.
    let mut found: Option<(String, usize, usize)> = None;
    let mut is_first = true;
    'all: while seen.len() < longest_row {
        // What is wrong with it is told by the next read.
        let Ok(chunk) = reader.fill_buf() else { break };
        let count = chunk.len();
        if count == 0 {
            break;
        }
        let from = seen.len();
        seen.extend_from_slice(chunk);
        reader.consume(count);
        for at in from..seen.len() {
            let byte = seen[at];
            let was_quoted = walk.string.is_some();
            let depth = walk.open.len();
            walk.pass(byte);
            if was_quoted || byte.is_ascii_whitespace() {
                continue;
            }
            if byte == b'{' && is_first && walk.open.len() > depth {
                elements.push((at, depth));
            }
            is_first = byte == b'[';
            let is_end = |(_, outer): &(usize, usize)| *outer == walk.open.len();
            if byte == b'}' && elements.last().is_some_and(is_end) {
                let begins = elements.pop().map_or(at, |(begins, _)| begins);
                // The first of its depth, or one that holds it.
                let is_wanted = found
                    .as_ref()
                    .is_none_or(|(_, depth, _)| walk.open.len() < *depth);
                if is_wanted && is_row(&seen[begins..=at]) {
                    found = Some((walk.path(), walk.open.len(), at));
                }
            }
            let is_far = found.as_ref().is_some_and(|(.., end)| at > end + FARTHER);
            if !walk.is_within() || is_far {
                break 'all;
            }
        }
    }
    let reader: Chain<Cursor<Vec<u8>>, _> = Cursor::new(seen).chain(reader);
    let text = Text {
        reader: Box::new(reader),
        longest_row,
    };
    let found = found.filter(|(_, depth, _)| *depth > 0);
    (text, found.map(|(keys, ..)| keys))
}
