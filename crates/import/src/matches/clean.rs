//! Matches as this crate writes them: all that was read of them, in a form that needs no options.

use std::io::{self, Write};

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::cell::numbers::GREATEST_WHOLE;
use crate::matches::{Match, Member};

/// How clean matches are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CleanForm {
    /// CSV with a row for each match, of one player against one.
    Csv,
    /// A line of JSON for each match, of any sides, with parties, shares and performances.
    JsonLines,
}

impl CleanForm {
    /// Whether it has a place for a match.
    #[must_use]
    pub fn holds(self, game: &Match<'_>) -> bool {
        let is_plain = |member: &Member<'_>| {
            member.share == 1.0 && member.performance.is_none() && member.party.is_none()
        };
        let are_plain = || {
            game.sides()
                .all(|side| matches!(side.members, [member] if is_plain(member)))
        };
        self == Self::JsonLines || (game.sides().len() == 2 && are_plain())
    }
}

/// Writes matches in a clean form.
pub struct CleanWriter<W> {
    out: W,
    form: CleanForm,
    /// Whether times are numbers of the order.
    in_order: bool,
    /// Whether a match was written.
    has_begun: bool,
}

impl<W: Write> CleanWriter<W> {
    /// Into a file or buffer; `in_order`: the times of the matches are numbers, as [`TimeUnit::Index`](crate::TimeUnit::Index) has them.
    pub const fn new(out: W, form: CleanForm, in_order: bool) -> Self {
        Self {
            out,
            form,
            in_order,
            has_begun: false,
        }
    }

    /// Writes a match; false, and nothing is written, where its form has no place for it: CSV for what is not one player against one who
    /// played from beginning to end.
    ///
    /// # Errors
    /// What writing fails with.
    pub fn write(&mut self, game: &Match<'_>) -> io::Result<bool> {
        let is_written = match self.form {
            CleanForm::Csv => self.write_row(game)?,
            CleanForm::JsonLines => {
                let object = self.object(game);
                serde_json::to_writer(&mut self.out, &object)?;
                self.out.write_all(b"\n")?;
                true
            }
        };
        self.has_begun = true;
        Ok(is_written)
    }

    fn time(&self, game: &Match<'_>) -> String {
        let time = (!self.in_order)
            .then(|| Timestamp::from_second(game.time()).ok())
            .flatten();
        time.map_or_else(|| game.time().to_string(), |time| time.to_string())
    }

    fn write_row(&mut self, game: &Match<'_>) -> io::Result<bool> {
        let mut sides = game.sides();
        let (Some(one), Some(other), true) = (sides.next(), sides.next(), self.form.holds(game)) else {
            return Ok(false);
        };
        let (first, second) = (&one.members[0], &other.members[0]);
        if !self.has_begun {
            self.out
                .write_all(b"time,player1,player2,result,score1,score2,match_id,context\n")?;
        }
        let result = match one.place.cmp(&other.place) {
            std::cmp::Ordering::Less => "1",
            std::cmp::Ordering::Equal => "0.5",
            std::cmp::Ordering::Greater => "0",
        };
        let has_scores = one.score != 0.0 || other.score != 0.0 || game.has_draw();
        let scores = if has_scores {
            format!("{},{}", number(one.score), number(other.score))
        } else {
            ",".to_owned()
        };
        let id = game.id.as_ref().map_or("", |id| &*id.text);
        let (time, names) = (self.time(game), [&*first.name, &*second.name].map(quoted));
        writeln!(
            self.out,
            "{time},{},{},{result},{scores},{},{}",
            names[0],
            names[1],
            quoted(id),
            quoted(game.context().unwrap_or_default())
        )?;
        Ok(true)
    }

    fn object(&self, game: &Match<'_>) -> Value {
        let mut object = Map::new();
        let time = self.time(game);
        let time = if self.in_order {
            json!(game.time())
        } else {
            time.into()
        };
        object.insert("time".to_owned(), time);
        if let Some(id) = game.id.as_ref().filter(|id| !id.text.is_empty()) {
            object.insert("match_id".to_owned(), id.text.as_ref().into());
        }
        if let Some(context) = game.context() {
            object.insert("context".to_owned(), context.into());
        }
        let sides = game
            .sides()
            .map(|side| side.members.iter().map(member).collect::<Vec<_>>());
        object.insert("teams".to_owned(), sides.collect::<Vec<_>>().into());
        let places: Vec<u32> = game.sides().map(|side| side.place).collect();
        object.insert("ranks".to_owned(), places.into());
        let scores: Vec<f64> = game.sides().map(|side| side.score).collect();
        if scores.iter().any(|score| *score != 0.0) {
            object.insert("scores".to_owned(), scores.into());
        }
        object.into()
    }
}

/// A name, or an object with what else is known of a player.
fn member(member: &Member<'_>) -> Value {
    let mut object = Map::from_iter([("player".to_owned(), member.name.as_ref().into())]);
    if member.share != 1.0 {
        object.insert("share".to_owned(), member.share.into());
    }
    if let Some(party) = member.party {
        // `0` may be no party.
        object.insert("party".to_owned(), (party + 1).into());
    }
    if let Some(performance) = member.performance {
        object.insert("performance".to_owned(), performance.into());
    }
    if object.len() == 1 {
        return member.name.as_ref().into();
    }
    object.into()
}

/// A number with all its digits, or an exponent where those are many.
fn number(number: f64) -> String {
    if number.abs() < GREATEST_WHOLE {
        number.to_string()
    } else {
        format!("{number:e}")
    }
}

/// A cell of CSV.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r', ';', '\t']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
