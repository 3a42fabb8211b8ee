//! Games from JSON lines: two players, `{"time": ..., "player1": "ann", "player2": "bob", "result": 1}`, or sides,
//! `{"time": ..., "teams": [["ann", "bob"], ["cyd", "dot"]], "ranks": [1, 2]}`.

use serde_json::{Map, Value};
use smallvec::smallvec;

use super::columns::Columns;
use super::games::{Field, Game, Member, Sides};
use super::json_text::object;
use super::outcome::{Outcome, Telling};
use super::rows::Fault;
use super::unused::Unused;
use super::value::parse_performance;
use crate::failure::{shown, suggestion};

/// What a member's object may say.
const MEMBER_KEYS: [&str; 4] = ["player", "share", "party", "performance"];

/// The columns as the keys of the latest row tell: nearly all rows of a file have the same.
pub(super) struct Fitting {
    told: Columns,
    keys: Vec<String>,
    columns: Columns,
    /// The key of a score of one side, and that of the other, which is not there.
    half: Option<(String, &'static str)>,
}

impl Fitting {
    /// By the keys of a first row, with what there is to say of how the columns were found.
    pub(super) fn new(told: &Columns, first: Option<&[u8]>) -> (Self, Option<String>) {
        let mut fitting = Self {
            told: told.clone(),
            keys: Vec::new(),
            columns: told.clone(),
            half: None,
        };
        let first = first.and_then(|text| object(text).ok());
        let note = first.and_then(|(object, _)| fitting.fit(&object));
        (fitting, note)
    }

    fn fit(&mut self, object: &Map<String, Value>) -> Option<String> {
        if self.keys.iter().eq(object.keys()) {
            return None;
        }
        self.keys = object.keys().cloned().collect();
        let (columns, note) = self.told.fitted(&self.keys);
        self.columns = columns;
        self.half = self.columns.half_of_scores(&self.keys);
        note
    }
}

/// The game of a row; keys that it does not look at are noted.
pub(super) fn game(
    line: u64,
    text: &[u8],
    fitting: &mut Fitting,
    unused: &Unused,
) -> Result<Game<'static>, Fault> {
    let (object, text) = object(text)?;
    fitting.fit(&object);
    let columns = &fitting.columns;
    let row = Row {
        object,
        text,
        columns,
    };
    let time = row.field("time")?;
    let key = columns.name("teams");
    let mut tellings = columns.tellings(|name| row.object.contains_key(name));
    let (column, sides): (u64, Sides<'static>) = if let Some(told) = row.object.get(key) {
        row.check_twin("teams", key)?;
        let sides = row.sides(key, told)?;
        // The names of keys that are not there tell nothing.
        tellings.retain(|telling| *telling != Telling::Players);
        if tellings.is_empty() {
            return Err(row.no_outcome());
        }
        (row.column_of_key(key), sides)
    } else {
        let players = [row.field("player1")?, row.field("player2")?];
        let column = players[1].column;
        let sides = players.map(|player| Member::new(player).map(|member| smallvec![member]));
        if tellings.is_empty() {
            tellings.push(Telling::TwoScores);
        }
        (column, sides.into_iter().collect::<Result<_, _>>()?)
    };
    if let Some((there, missing)) = &fitting.half {
        let what = format!(
            "`{}` without `{missing}`; write both, or neither where something else tells the result",
            shown(there)
        );
        return Err((row.column_of_key(there), what));
    }
    let outcome = Outcome {
        field: |meaning| row.field(meaning),
        list: |meaning| row.numbers(columns.name(meaning), sides.len()),
        sides: &sides,
    };
    let standings = outcome.standings(&tellings)?;
    let id = columns
        .match_id(&fitting.keys)
        .and_then(|key| Some((key, row.object.get(key)?)));
    let told = tellings.iter().flat_map(|telling| telling.meanings());
    let used = ["time", "teams", "player1", "player2"].iter().chain(told);
    row.note_unused(&used.copied().collect::<Vec<_>>(), id.map(|(key, _)| key), unused);
    let id = id.and_then(|(key, value)| row.of_key("match", key, value).ok());
    Ok(Game::new(line, time, (column, sides), standings).named(id))
}

/// A line as an object, and as text that says where keys stand.
struct Row<'a> {
    object: Map<String, Value>,
    text: &'a str,
    columns: &'a Columns,
}

impl Row<'_> {
    /// Notes all keys but those of these meanings, and that of the match's name.
    fn note_unused(&self, meanings: &[&'static str], id: Option<&str>, unused: &Unused) {
        let is_used = |key: &&String| {
            id == Some(key) || meanings.iter().any(|meaning| self.columns.name(meaning) == *key)
        };
        self.object
            .keys()
            .filter(|key| !is_used(key))
            .for_each(|key| unused.add(key));
    }

    /// Where a key stands, from 1.
    fn column_of_key(&self, key: &str) -> u64 {
        let place = self.text.find(&format!("\"{key}\""));
        place.map_or(1, |place| place as u64 + 1)
    }

    /// A text or number; its column is where its key stands.
    fn field(&self, meaning: &'static str) -> Result<Field<'static>, Fault> {
        let key = self.columns.name(meaning);
        let Some(value) = self.object.get(key) else {
            let names: Vec<String> = self.object.keys().cloned().collect();
            return Err((1, self.columns.missing(meaning, key, &names)));
        };
        self.check_twin(meaning, key)?;
        self.of_key(meaning, key, value)
    }

    /// Refuses a key beside another that differs in case or signs alone.
    fn check_twin(&self, meaning: &'static str, key: &str) -> Result<(), Fault> {
        let twin = self.columns.check_twin(meaning, key, self.object.keys());
        twin.map_err(|what| (self.column_of_key(key), what))
    }

    /// The text or number of a key.
    fn of_key(&self, meaning: &'static str, key: &str, value: &Value) -> Result<Field<'static>, Fault> {
        let column = self.column_of_key(key);
        let text = match value {
            // Digits of such a number may be lost.
            Value::Number(number) if meaning.starts_with("player") && number.is_f64() => None,
            Value::Null => Some(String::new()),
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

    /// An array of sides; a side is an array of players, or one player.
    fn sides(&self, key: &str, told: &Value) -> Result<Sides<'static>, Fault> {
        let column = self.column_of_key(key);
        let Value::Array(told) = told else {
            let what = format!(
                "`{key}` is {}; an array of sides is needed, such as [[\"ann\", \"bob\"], [\"cyd\", \"dot\"]]",
                shown(&told.to_string())
            );
            return Err((column, what));
        };
        let mut members = Members {
            key,
            text: self.text,
            column,
            from: usize::try_from(column).map_or(0, |column| column + key.len()),
            parties: Vec::new(),
        };
        let side = |side: &Value| match side {
            Value::Array(all) => all.iter().map(|one| members.read(one)).collect(),
            one => Ok(smallvec![members.read(one)?]),
        };
        told.iter().map(side).collect()
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
}

impl Members<'_> {
    /// A member is a name, or an object with name, share and party.
    fn read(&mut self, member: &Value) -> Result<Member<'static>, Fault> {
        let Value::Object(told) = member else {
            return self.named(member);
        };
        let Some(player) = told.get("player") else {
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
        Member::new(Field {
            name: "player".into(),
            column,
            text: text.ok_or_else(|| (column, what()))?.into(),
        })
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
