//! Games of PGN, of which the tags are read and the moves passed over.

use serde_json::{Map, Value};

use crate::cell::nobody::is_nobody;
use crate::cell::value::parse_result;
use crate::error::{Fault, RowError};
use crate::foreign::is_pgn;
use crate::input::Text;
use crate::limits::check_columns;
use crate::matches::games::{Batch, Games, Match};
use crate::matches::json_games::JsonReading;
use crate::row::json_row::JsonRow;
use crate::row::lines::{Lines, utf8};
use crate::text::shown;

/// How games of PGN end.
const ENDS: [&[u8]; 4] = [b"1-0", b"0-1", b"1/2-1/2", b"*"];

/// The games of a text in PGN (export format, section 8 of the standard of 1994; import format but for moves).
pub(crate) struct PgnGames<'a> {
    lines: Lines<'a>,
    /// Whether the line at hand is the first of the next game.
    is_ahead: bool,
    reading: JsonReading,
    game: Game,
}

/// A game so far.
#[derive(Default)]
struct Game {
    line: u64,
    tags: Map<String, Value>,
    /// The names of the tags in quotes, where rows of JSON have them.
    names: Vec<u8>,
    breaks: Vec<usize>,
    has_moves: bool,
    /// Whether the line before was empty.
    is_after_gap: bool,
    /// The line of a comment that is open.
    comment: Option<u64>,
    /// The end that its moves have.
    end: Option<&'static str>,
    fault: Option<(u64, Fault)>,
}

impl<'a> PgnGames<'a> {
    pub(crate) fn new(text: Text<'a>, reading: JsonReading) -> Self {
        Self {
            lines: Lines::new(text),
            is_ahead: false,
            reading,
            game: Game::default(),
        }
    }

    fn advance(&mut self) -> Result<Option<Match<'static>>, RowError> {
        self.game = Game::default();
        loop {
            if !std::mem::take(&mut self.is_ahead) && !self.lines.advance()? {
                break;
            }
            let (line, number) = (self.lines.line().trim_ascii(), self.lines.number);
            if line.is_empty() || line.starts_with(b"%") {
                self.game.is_after_gap |= line.is_empty();
                continue;
            }
            let is_after_gap = std::mem::take(&mut self.game.is_after_gap);
            let is_tag = is_pgn(line) || (line.starts_with(b"[") && self.game.is_in_tags());
            if is_tag && (self.game.comment.is_none() || line.starts_with(b"[Event \"")) {
                // A game may have no moves.
                if self.game.has_moves || (is_after_gap && self.game.has_tag_of(line)) {
                    self.is_ahead = true;
                    break;
                }
                self.game.tags_of(line, number);
            } else if is_after_gap && self.game.end.is_some() {
                // A game without tags.
                self.is_ahead = true;
                break;
            } else {
                self.game.moves(line, number);
            }
        }
        if self.game.line == 0 {
            return Ok(None);
        }
        let game = std::mem::take(&mut self.game);
        game.read(&mut self.reading).map(Some)
    }
}

impl Game {
    fn begin(&mut self, number: u64) {
        if self.line == 0 {
            self.line = number;
        }
    }

    /// Whether there are tags so far, and no moves.
    fn is_in_tags(&self) -> bool {
        self.line > 0 && !self.has_moves
    }

    /// Whether it has the first tag of a line already.
    fn has_tag_of(&self, line: &[u8]) -> bool {
        tag(line).is_ok_and(|(name, ..)| self.tags.contains_key(name))
    }

    /// Takes the tags of a line, of which there may be several.
    fn tags_of(&mut self, line: &[u8], number: u64) {
        self.begin(number);
        let mut rest = line;
        while !rest.is_empty() {
            match tag(rest) {
                Ok((name, value, length)) => {
                    self.breaks
                        .extend((!self.names.is_empty()).then_some(self.names.len()));
                    self.names.extend_from_slice(format!(" \"{name}\"").as_bytes());
                    if self.tags.insert(name.to_owned(), value).is_some() {
                        let what = format!("the tag `{}` is there twice", shown(name));
                        self.fault.get_or_insert((number, (1, what)));
                    }
                    rest = rest[length..].trim_ascii_start();
                }
                Err(what) => {
                    let column = (line.len() - rest.len()) as u64 + 1;
                    self.fault.get_or_insert((number, (column, what)));
                    return;
                }
            }
        }
        if let Err(fault) = check_columns(self.tags.len()) {
            self.fault.get_or_insert((number, fault));
        }
    }

    /// Passes over moves and comments.
    fn moves(&mut self, line: &[u8], number: u64) {
        self.begin(number);
        self.has_moves = true;
        let (mut rest, mut last) = (line, &b""[..]);
        loop {
            if self.comment.is_some() {
                let Some(end) = memchr::memchr(b'}', rest) else {
                    break;
                };
                self.comment = None;
                rest = &rest[end + 1..];
            }
            let next = memchr::memchr2(b'{', b';', rest);
            let moves = rest[..next.unwrap_or(rest.len())].trim_ascii_end();
            if !moves.is_empty() {
                last = moves;
            }
            match next {
                Some(at) if rest[at] == b'{' => {
                    self.comment = Some(number);
                    rest = &rest[at + 1..];
                }
                _ => break,
            }
        }
        let word = last.rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
        if let (Some(end), false) = (self.end, word.is_empty()) {
            let what = format!("moves behind the end of the game, `{end}`");
            self.fault.get_or_insert((number, (1, what)));
        } else if let Some(end) = ENDS.iter().find(|end| **end == word) {
            self.end = std::str::from_utf8(end).ok();
        }
    }

    /// A game that was not played, or not to its end, has a tag that says so.
    fn end_by_termination(&mut self) {
        let how = self
            .tags
            .get("Termination")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let result = self
            .tags
            .get("Result")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let result = match &*how.to_lowercase() {
            "unterminated" | "unplayed" => "*".to_owned(),
            "forfeit" if result == "1-0" || result == "0-1" => format!("{result}F"),
            _ => return,
        };
        self.tags.insert("Result".to_owned(), result.into());
    }

    fn read(mut self, reading: &mut JsonReading) -> Result<Match<'static>, RowError> {
        if let Some((line, fault)) = self.fault {
            return Err(RowError::new(line, fault));
        }
        if let Some(line) = self.comment {
            let what = "the comment is not closed; write } behind it";
            return Err(RowError::new(line, (1, what.to_owned())));
        }
        let (names, breaks) = (std::mem::take(&mut self.names), std::mem::take(&mut self.breaks));
        let row = JsonRow::of(names, self.line, breaks);
        if let Some(end) = self.end {
            let told = self.tags.entry("Result").or_insert_with(|| end.into());
            let said = told.as_str().map(parse_result).and_then(Result::ok);
            if told != end && (said.is_none() || said != parse_result(end).ok()) {
                let what = format!(
                    "Result is {}, and the moves end in `{end}`",
                    shown(&told.to_string())
                );
                let text = String::from_utf8_lossy(&row.text);
                let place = text.find("\"Result\"").unwrap_or_default() as u64 + 1;
                return Err(row.fault((place, what)));
            }
        }
        self.end_by_termination();
        let names = String::from_utf8_lossy(&row.text);
        if !reading.is_in_order()
            && let Some(tag) = ["UTCDate", "Date"]
                .iter()
                .find(|tag| self.tags.contains_key(**tag))
            && self.tags[*tag].as_str().is_some_and(|date| date.contains('?'))
        {
            let what = format!(
                "{tag} is {}, of which the day is not known; --time-unit index takes games in the order of the file",
                shown(&self.tags[*tag].to_string())
            );
            let place = names.find(&format!("\"{tag}\"")).unwrap_or_default() as u64 + 1;
            return Err(row.fault((place, what)));
        }
        let game = reading.game_of(self.line, self.tags, &names);
        match game {
            Ok(game) => Ok(game.placed(row)),
            Err(fault) => Err(row.fault(fault)),
        }
    }
}

/// The tag that a text begins with: its name, its value, and how long it is. What is not known is null.
fn tag(text: &[u8]) -> Result<(&str, Value, usize), String> {
    let refuse = || {
        format!(
            "`{}` is no tag; write [Name \"value\"]",
            shown(&String::from_utf8_lossy(text))
        )
    };
    let inner = text.strip_prefix(b"[").ok_or_else(refuse)?;
    let length = inner
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_')
        .count();
    let name = utf8(&inner[..length]).map_err(|(_, what)| what)?;
    let rest = inner[length..].trim_ascii_start();
    let quoted = rest
        .strip_prefix(b"\"")
        .filter(|_| length > 0)
        .ok_or_else(refuse)?;
    let mut value = Vec::new();
    let mut at = 0;
    loop {
        match quoted.get(at) {
            None => return Err(refuse()),
            Some(b'"') => break,
            Some(b'\\') if matches!(quoted.get(at + 1), Some(b'"' | b'\\')) => {
                value.push(quoted[at + 1]);
                at += 2;
            }
            Some(byte) => {
                value.push(*byte);
                at += 1;
            }
        }
    }
    let behind = quoted[at + 1..].trim_ascii_start();
    let behind = behind.strip_prefix(b"]").ok_or_else(refuse)?;
    let value = utf8(&value).map_err(|(_, what)| what)?.trim();
    let is_player = name == "White" || name == "Black";
    let is_unknown = value.is_empty() || value == "?" || value == "-" || (is_player && is_nobody(value));
    let value = if is_unknown { Value::Null } else { value.into() };
    Ok((name, value, text.len() - behind.len()))
}

impl Games for PgnGames<'_> {
    fn some(&mut self) -> Batch<'_> {
        Batch::One(self.advance().transpose().map(Box::new))
    }

    fn finish(&self) -> Result<Vec<String>, RowError> {
        self.reading.finish()
    }
}
