//! Games from JSON lines: two players, `{"time": ..., "player1": "ann", "player2": "bob", "result": 1}`, or sides,
//! `{"time": ..., "teams": [["ann", "bob"], ["cyd", "dot"]], "ranks": [1, 2]}`.

mod fitting;

use std::borrow::Cow;
use std::cell::Cell;
use std::rc::Rc;

use serde_json::{Map, Value};
use smallvec::{SmallVec, smallvec};

use crate::cell::decimals::Decimals;
use crate::cell::names::Names;
use crate::cell::nobody::{Parties, Zero, is_no_party, is_zero};
use crate::cell::value::parse_performance;
use crate::column_names::called;
use crate::error::{Fault, RowError};
use crate::matches::columns::Columns;
use crate::matches::csv_games::has_numbers;
use crate::matches::field::Field;
use crate::matches::games::{Batch, Games, Match, Member, Sides, Wanted, When};
use crate::matches::json_members::NAMES;
use crate::matches::labels::Labels;
use crate::matches::outcome::{Outcome, Telling, Winners};
use crate::matches::seats::Seats;
use crate::row::json_row::JsonRow;
use crate::row::json_text::{find_key, flat, object};
use crate::text::{shown, suggestion};
use crate::unused::ColumnUse;
pub(crate) use fitting::Fitting;

/// What a member's object may say.
const MEMBER_KEYS: [&str; 4] = ["player", "share", "party", "performance"];

/// How a file's rows are read.
pub(crate) struct JsonReading {
    fitting: Fitting,
    names: Names,
    seats: Seats,
    winners: Winners,
    /// What commas in numbers are.
    decimals: Decimals,
    parties: Cell<Parties>,
    /// Where the first party `0` stands.
    zero: Cell<Option<(u64, u64)>>,
    /// Keys that nothing looks at.
    unused: Rc<ColumnUse>,
    wanted: Wanted,
    /// Whether it is PGN or TRF, whose dates do not count where the order does.
    is_of_chess: bool,
    /// Whether the rows have times, as the first tells.
    has_times: Cell<Option<bool>>,
}

impl JsonReading {
    pub(crate) fn new(
        fitting: Fitting,
        (as_written, unused): (bool, Rc<ColumnUse>),
        (labels, decimals): (Labels, Decimals),
        wanted: Wanted,
    ) -> Self {
        let columns = fitting.fits.first().map_or(&fitting.told, |fit| &fit.columns);
        Self {
            names: Names::new(as_written, None),
            seats: Seats::new(columns, as_written),
            winners: Winners::new(labels),
            decimals,
            parties: Cell::default(),
            zero: Cell::default(),
            unused,
            fitting,
            wanted,
            is_of_chess: false,
            has_times: Cell::default(),
        }
    }

    /// Of PGN or TRF.
    pub(crate) fn of_chess(self) -> Self {
        Self {
            is_of_chess: true,
            ..self
        }
    }

    /// Whether the order of the file counts, and no times.
    pub(crate) const fn is_in_order(&self) -> bool {
        self.wanted.in_order
    }

    /// What there is to say once all rows were read, or what is wrong with all of them together.
    pub(crate) fn finish(&self) -> Result<Vec<String>, RowError> {
        let is_context = |(_, meaning): &(String, String)| meaning == "context";
        let has_contexts = self.unused.taken().iter().any(is_context);
        self.fitting.told.check_context(has_contexts)?;
        match (self.zero.get(), self.parties.get().zero()) {
            (None, _) | (_, Zero::Party) => Ok(self
                .seats
                .notes()
                .into_iter()
                .chain(self.unused.take_decimals(self.decimals))
                .chain(self.winners.note())
                .collect()),
            (Some((line, column)), _) => {
                let what = "party is `0`, which seems to be no party; write null for who queued alone, or number the \
                            parties from 1";
                Err(RowError::fatal_at(line, column, what.to_owned()))
            }
        }
    }

    /// Takes note of the labels of a game's parties.
    fn add_parties(&self, line: u64, column: u64, sides: &Sides<'_>, labels: &[String]) {
        if labels.is_empty() {
            return;
        }
        let label = |member: &Member<'_>| {
            let place = member.party.and_then(|party| usize::try_from(party).ok());
            place
                .and_then(|place| labels.get(place))
                .map_or("", String::as_str)
        };
        let all = sides.iter().enumerate();
        let mut parties = self.parties.get();
        parties.add(all.flat_map(|(place, side)| side.iter().map(move |member| (place, label(member)))));
        self.parties.set(parties);
        if labels.iter().any(|label| is_zero(label)) {
            self.zero.set(self.zero.get().or(Some((line, column))));
        }
    }

    /// The game of a row.
    pub(crate) fn game(&mut self, line: u64, text: &[u8]) -> Result<Match<'static>, Fault> {
        let (object, text) = object(text)?;
        self.game_of(line, object, text)
    }

    /// The game of an object, with the text that says where its keys stand.
    pub(crate) fn game_of(
        &mut self,
        line: u64,
        object: Map<String, Value>,
        text: &str,
    ) -> Result<Match<'static>, Fault> {
        let object = flat(object)?;
        self.fitting.fit(&object);
        let this = &*self;
        let fit = this.fitting.latest();
        let columns = &fit.columns;
        let row = Row {
            object,
            text,
            columns,
            names: &this.names,
            is_checked: fit.is_read,
        };
        let has_time =
            row.object.contains_key(columns.name("time")) && !(this.wanted.in_order && this.is_of_chess);
        if this.wanted.in_order && this.has_times.get().is_some_and(|others| others != has_time) {
            let what = "`time` is in some rows and not in others; write it in all of them, or in none";
            return Err((row.column_of_key(columns.name("time")), what.to_owned()));
        }
        this.has_times.set(Some(has_time));
        let time = (has_time || !this.wanted.in_order)
            .then(|| row.field("time"))
            .transpose()?;
        let date = fit.date.as_ref();
        let date = date.and_then(|(key, is_checked)| Some((row.date(key)?, *is_checked)));
        let key = columns.name("teams");
        let tellings = &fit.tellings;
        let two = columns.sides();
        let (column, sides): (u64, Sides<'static>) = if let Some(told) = row.object.get(key) {
            row.check_twin("teams", key)?;
            let (sides, labels) = row.sides(key, told)?;
            this.add_parties(line, row.column_of_key(key), &sides, &labels);
            if tellings.is_empty() {
                return Err(row.no_outcome());
            }
            (row.column_of_key(key), sides)
        } else {
            let column = row.column_of_key(two[1].1.first().copied().unwrap_or_default());
            let sides: Sides<'static> =
                smallvec![this.side(&row, &two[0], line)?, this.side(&row, &two[1], line)?];
            this.seats.count(line, [sides[0].len(), sides[1].len()]);
            (column, sides)
        };
        if let Some((key, what)) = &fit.more {
            return Err((row.column_of_key(key), what.clone()));
        }
        if let Some((there, missing)) = &fit.half {
            let what = format!(
                "`{}` without `{missing}`; write both, or neither where something else tells the result",
                shown(there)
            );
            return Err((row.column_of_key(there), what));
        }
        let outcome = Outcome {
            field: |meaning| match meaning {
                "player1" => Ok(row.called(&two[0])),
                "player2" => Ok(row.called(&two[1])),
                meaning if has_numbers(meaning) => row.field(meaning)?.with_decimals(this.decimals),
                meaning => row.field(meaning),
            },
            list: |meaning| row.numbers(columns.name(meaning), sides.len()),
            sides: &sides,
            winners: &this.winners,
        };
        let is_told = |telling: &Telling| telling.tells_result() && *telling != Telling::TwoScores;
        let (standings, said, is_unplayed) =
            if fit.is_open && !tellings.contains(&Telling::Status) && !tellings.iter().any(is_told) {
                (SmallVec::from_elem((1, 0.0), sides.len()), None, true)
            } else {
                outcome.end(tellings, this.wanted.forfeits)?
            };
        let id = fit.id.as_ref().and_then(|key| row.id(key));
        let context = row.context()?;
        if !row.is_checked {
            let told = tellings.iter().flat_map(|telling| telling.meanings());
            let named = ["time", "teams", "context"].iter().chain(told);
            let named = named.map(|meaning| (columns.name(meaning), *meaning));
            let of_sides = two.iter();
            let of_sides = of_sides.flat_map(|(meaning, keys)| keys.iter().map(move |key| (*key, *meaning)));
            let date = fit.date.as_ref().map(|(key, _)| (&**key, "date"));
            let id = id.as_ref().map(|id| (&*id.name, "match"));
            let all: Vec<(&str, &'static str)> = named.chain(of_sides).chain(date).chain(id).collect();
            for (key, meaning) in all.iter().filter(|(key, _)| row.object.contains_key(*key)) {
                this.unused.take(key, meaning);
            }
            let used: Vec<&str> = all.iter().map(|(key, _)| *key).collect();
            row.note_unused(&used, &this.unused);
        }
        let game = Match::new(line, When { time, date }, (column, sides), standings);
        let game = game.named(id).in_context(context);
        let is_named = tellings.contains(&Telling::Players);
        self.fitting.fits[0].is_read = true;
        Ok(game.said(said).won_by_name(is_named).unplayed(is_unplayed))
    }

    /// The members of one of two sides: a player, a list, or a key for each.
    fn side(
        &self,
        row: &Row<'_>,
        (meaning, keys): &(&'static str, Vec<&str>),
        line: u64,
    ) -> Result<SmallVec<[Member<'static>; 1]>, Fault> {
        if let [key] = keys[..]
            && let Some(Value::Array(all)) = row.object.get(key)
        {
            let mut members = row.members(key);
            return all.iter().map(|one| members.read(one)).collect();
        }
        let places: Vec<usize> = (0..keys.len()).collect();
        self.seats
            .side(&places, line, |place| row.field_of(meaning, keys[place]))
    }
}

/// The games of JSON rows.
pub(crate) struct JsonGames<I> {
    pub(crate) rows: I,
    pub(crate) reading: JsonReading,
}

impl<I: Iterator<Item = Result<JsonRow, RowError>>> Games for JsonGames<I> {
    fn some(&mut self) -> Batch<'_> {
        let game = self.rows.next().map(|row| {
            let row = row?;
            match self.reading.game(row.line, &row.text) {
                Ok(game) => Ok(game.placed(row)),
                Err(fault) => Err(row.fault(fault)),
            }
        });
        Batch::One(game.map(Box::new))
    }

    fn finish(&self) -> Result<Vec<String>, RowError> {
        self.reading.finish()
    }
}

/// A line as an object, and as text that says where keys stand.
struct Row<'a> {
    object: Map<String, Value>,
    text: &'a str,
    columns: &'a Columns,
    names: &'a Names,
    /// Whether its keys were looked at before.
    is_checked: bool,
}

impl Row<'_> {
    /// Notes all keys but these.
    fn note_unused(&self, used: &[&str], unused: &ColumnUse) {
        let keys = self.object.keys().filter(|key| !used.contains(&key.as_str()));
        keys.for_each(|key| unused.add(key));
    }

    /// The name that the match has.
    fn id(&self, key: &str) -> Option<Field<'static>> {
        self.of_key("match", key, self.object.get(key)?).ok()
    }

    /// What was played, if the row says so.
    fn context(&self) -> Result<Option<Field<'static>>, Fault> {
        let key = self.columns.name("context");
        let is_read =
            |value: &&Value| self.columns.chosen(&["context"]) || value.is_string() || value.is_number();
        // A key of this name may mean something else.
        let value = self.object.get(key).filter(is_read);
        value.map(|value| self.of_key("context", key, value)).transpose()
    }

    /// What the first key of a side is called, and what it says.
    fn called(&self, (_, keys): &(&'static str, Vec<&str>)) -> Field<'static> {
        let key = keys.first().copied().unwrap_or_default();
        let value = self.object.get(key);
        let text = value.map(|value| text_of(value).unwrap_or_else(|| value.to_string()));
        Field {
            name: key.to_owned().into(),
            column: self.column_of_key(key),
            text: text.unwrap_or_default().into(),
        }
    }

    /// Where a key stands, from 1.
    fn column_of_key(&self, key: &str) -> u64 {
        let place = find_key(self.text, key);
        place.map_or(1, |place| place as u64 + 1)
    }

    /// What a key of dates says.
    fn date(&self, key: &str) -> Option<Cow<'static, str>> {
        self.object.get(key).and_then(text_of).map(Cow::from)
    }

    /// A text or number; its column is where its key stands.
    fn field(&self, meaning: &'static str) -> Result<Field<'static>, Fault> {
        self.field_of(meaning, self.columns.name(meaning))
    }

    /// The same of a key.
    fn field_of(&self, meaning: &'static str, key: &str) -> Result<Field<'static>, Fault> {
        let Some(value) = self.object.get(key) else {
            let names: Vec<String> = self.object.keys().cloned().collect();
            return Err((1, self.columns.missing(meaning, key, &names)));
        };
        self.check_twin(meaning, key)?;
        self.of_key(meaning, key, value)
    }

    /// Refuses a key beside another that differs in case or signs alone.
    fn check_twin(&self, meaning: &'static str, key: &str) -> Result<(), Fault> {
        if self.is_checked {
            return Ok(());
        }
        let twin = self.columns.check_twin(meaning, key, self.object.keys());
        twin.map_err(|what| (self.column_of_key(key), what))
    }

    /// The text or number of a key.
    fn of_key(&self, meaning: &'static str, key: &str, value: &Value) -> Result<Field<'static>, Fault> {
        let column = self.column_of_key(key);
        let is_name = meaning.starts_with("player") || meaning.starts_with("team");
        let text = match value {
            // Digits of such a number may be lost.
            Value::Number(number) if is_name && number.is_f64() => None,
            Value::Null => Some(String::new()),
            Value::Bool(is_true) if meaning.starts_with("result") || meaning == "status" => {
                Some(is_true.to_string())
            }
            value => text_of(value),
        };
        let what = || {
            format!(
                "{key} is {}; write a whole number, or text in quotes",
                shown(&value.to_string())
            )
        };
        Ok(Field {
            name: key.to_owned().into(),
            column,
            text: text.ok_or_else(|| (column, what()))?.into(),
        })
    }

    /// An array of sides, and the labels of its parties; a side is an array of players, or one player.
    fn sides(&self, key: &str, told: &Value) -> Result<(Sides<'static>, Vec<String>), Fault> {
        let column = self.column_of_key(key);
        let Value::Array(told) = told else {
            let what = format!(
                "`{key}` is {}; an array of sides is needed, such as [[\"ann\", \"bob\"], [\"cyd\", \"dot\"]]",
                shown(&told.to_string())
            );
            return Err((column, what));
        };
        let mut members = self.members(key);
        let side = |side: &Value| match side {
            Value::Array(all) => all.iter().map(|one| members.read(one)).collect(),
            one => Ok(smallvec![members.read(one)?]),
        };
        let sides = told.iter().map(side).collect::<Result<_, _>>()?;
        Ok((sides, members.parties))
    }

    /// What reads the members under a key.
    fn members<'k>(&'k self, key: &'k str) -> Members<'k> {
        let column = self.column_of_key(key);
        Members {
            key,
            text: self.text,
            column,
            from: usize::try_from(column).map_or(0, |column| column + key.len()),
            parties: Vec::new(),
            names: self.names,
        }
    }

    /// What is wrong where nothing tells how the sides did.
    fn no_outcome(&self) -> Fault {
        let [ranks, scores] = ["ranks", "scores"].map(|meaning| self.columns.name(meaning));
        let what = format!(
            "neither `{ranks}` nor `{scores}` for the sides; write a place for each side, 1 for the winners, or a score"
        );
        (1, what)
    }

    /// One number a side.
    fn numbers(&self, key: &str, sides: usize) -> Result<Vec<Field<'static>>, Fault> {
        let column = self.column_of_key(key);
        let numbers = match self.object.get(key) {
            None => return Err(self.no_outcome()),
            Some(Value::Array(numbers)) if numbers.len() == sides => numbers,
            Some(Value::Array(numbers)) => {
                let count = numbers.len();
                let what = format!("`{key}` has {count} numbers for {sides} sides; write one a side");
                return Err((column, what));
            }
            Some(other) => {
                let other = shown(&other.to_string());
                let what = format!("`{key}` is {other}; an array with a number for each side is needed");
                return Err((column, what));
            }
        };
        let field = |number: &Value| Field {
            name: key.to_owned().into(),
            column,
            text: text_of(number).unwrap_or_else(|| number.to_string()).into(),
        };
        Ok(numbers.iter().map(field).collect())
    }
}

/// Reads the members of a game's sides, one after the other.
struct Members<'a> {
    key: &'a str,
    text: &'a str,
    /// Of the key.
    column: u64,
    /// Where the text goes on after the member before.
    from: usize,
    /// Labels of the parties so far; their numbers are their positions.
    parties: Vec<String>,
    names: &'a Names,
}

impl Members<'_> {
    /// A member is a name, or an object with name, share and party.
    fn read(&mut self, member: &Value) -> Result<Member<'static>, Fault> {
        let Value::Object(told) = member else {
            return self.named(member);
        };
        let Some(player) = told.get("player") else {
            let keys: Vec<String> = told.keys().cloned().collect();
            if let Some(name) = NAMES.iter().find_map(|name| called(&keys, name)) {
                // As others write it, with much besides.
                return self.named(&told[name]);
            }
            let hint = suggestion("player", told.keys().map(String::as_str));
            let what = format!(
                "a member of `{}` has no `player`{hint} Write {{\"player\": \"ann\"}}",
                self.key
            );
            return Err((self.column, what));
        };
        let mut member = self.named(player)?;
        let column = member.column;
        if let Some(other) = told.keys().find(|known| !MEMBER_KEYS.contains(&known.as_str())) {
            let hint = suggestion(other, MEMBER_KEYS);
            let known = MEMBER_KEYS.join(", ");
            let what = format!(
                "`{}` is nothing that a member has{hint} Known are {known}",
                shown(other)
            );
            return Err((column, what));
        }
        let given = |key: &str| told.get(key).filter(|value| !value.is_null());
        if let Some(value) = given("share") {
            let text = text_of(value).unwrap_or_else(|| value.to_string());
            let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
            let what = || format!("share is `{}`; a share is a number from 0 to 1", shown(&text));
            member.share = share.ok_or_else(|| (column, what()))?;
        }
        if let Some(value) = given("performance") {
            let text = text_of(value).unwrap_or_else(|| value.to_string());
            let performance = parse_performance(&text);
            member.performance =
                Some(performance.map_err(|what| (column, format!("performance is {what}")))?);
        }
        if let Some(value) = given("party") {
            let label = text_of(value).filter(|label| !label.is_empty());
            if label.as_deref().is_some_and(is_no_party) {
                return Ok(member);
            }
            let what = || {
                let value = shown(&value.to_string());
                format!("`party` is {value}; a party is a number or a text, and null for who queued alone")
            };
            let party = self.party(label.ok_or_else(|| (column, what()))?);
            member.party = u32::try_from(party).ok();
        }
        Ok(member)
    }

    /// The number of the party with this label.
    fn party(&mut self, label: String) -> usize {
        let known = self.parties.iter().position(|known| *known == label);
        known.unwrap_or_else(|| {
            self.parties.push(label);
            self.parties.len() - 1
        })
    }

    /// A member who is only named, at the next place that is written like this, or at the key if it is written
    /// otherwise.
    fn named(&mut self, player: &Value) -> Result<Member<'static>, Fault> {
        let written = player.to_string();
        let found = self.text.get(self.from..).and_then(|rest| rest.find(&written));
        let column = found.map_or(self.column, |place| {
            self.from += place + written.len();
            (self.from - written.len()) as u64 + 1
        });
        let text = text_of(player).filter(|_| !player.is_f64());
        let what = || {
            let player = shown(&written);
            format!(
                "a player of `{}` is {player}; write names as text in quotes",
                self.key
            )
        };
        let field = Field {
            name: "player".into(),
            column,
            text: text.ok_or_else(|| (column, what()))?.into(),
        };
        Member::new(field, self.names)
    }
}

/// A text without surrounding blanks, or a number.
fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}
