//! Games from CSV with a row for each player of a match: a long table.

use std::collections::{HashMap, HashSet};

use smallvec::SmallVec;

use super::columns::{Columns, found_note, plain};
use super::csv::Table;
use super::games::{Field, Game, Member, Standings, by_ranks, by_scores};
use super::rows::{Fault, RowError};
use super::unused::Unused;
use super::value::{of_word, parse_performance, parse_score};
use crate::failure::shown;

/// What a row can tell, each with what other files call it.
const OWN: [(&str, &[&str]); 9] = [
    ("match", &["match_id", "matchid", "game", "game_id", "gameid"]),
    (
        "player",
        &["player_id", "name", "nickname", "user", "user_id", "username"],
    ),
    (
        "time",
        &[
            "date",
            "datetime",
            "timestamp",
            "played_at",
            "start_time",
            "end_time",
            "match_date",
        ],
    ),
    ("team", &["team_id", "side", "faction", "colour", "color"]),
    ("rank", &["place", "placement", "position", "standing"]),
    ("score", &["points", "team_score"]),
    ("result", &["outcome", "won", "win", "is_win"]),
    ("party", &["party_id", "group_id"]),
    ("performance", &["kills", "player_score", "individual_score"]),
];

/// The columns of a long table, by field number.
struct Places(Vec<(&'static str, usize)>);

impl Places {
    fn of(table: &Table<'_>, columns: &Columns) -> Result<Self, Fault> {
        let mut found = Vec::new();
        for (meaning, elsewhere) in OWN {
            let own = columns.name(meaning);
            let called = |name: &&str| table.header.iter().find(|known| plain(known) == **name);
            let name = if table.header.iter().any(|known| known == own) {
                Some(own)
            } else {
                elsewhere.iter().find_map(called).map(String::as_str)
            };
            let place = name.map(|name| table.place(name)).transpose()?.flatten();
            found.extend(place.map(|place| (meaning, place)));
        }
        Ok(Self(found))
    }

    fn get(&self, meaning: &str) -> Option<usize> {
        let found = self.0.iter().find(|(known, _)| *known == meaning);
        found.map(|(_, place)| *place)
    }
}

/// Whether a table has a row for each player: a match and a player in each, and no two sides.
pub(super) fn is_long(table: &Table<'_>, columns: &Columns) -> bool {
    let has = |name: &&str| table.header.iter().any(|known| known == name);
    let (fitted, _) = columns.fitted(&table.header);
    let is_wide = fitted.sides().iter().all(|(_, names)| names.iter().all(has));
    let places = Places::of(table, columns);
    let is_told = |places: Places| places.get("match").is_some() && places.get("player").is_some();
    !is_wide && places.is_ok_and(is_told)
}

/// A match, as far as its rows were read.
struct Draft {
    name: String,
    line: u64,
    time: Field<'static>,
    sides: Vec<Side>,
    parties: Vec<String>,
}

#[derive(Default)]
struct Side {
    team: String,
    members: SmallVec<[Member<'static>; 1]>,
    /// What its rows say of how it did, with their lines.
    told: Vec<(u64, Field<'static>)>,
}

/// All games of a long table, in the order of their first rows, and the rows that cannot be used: a match with such a row
/// is none. With what there is to say of how its columns were found.
pub(super) fn long_games<'a>(
    mut table: Table<'a>,
    columns: &Columns,
    unused: &Unused,
) -> Result<
    (
        impl Iterator<Item = Result<Game<'static>, RowError>> + use<'a>,
        Option<String>,
    ),
    RowError,
> {
    let line = table.records.line();
    let places = Places::of(&table, columns).map_err(|fault| RowError::new(line, fault))?;
    let outcome = ["rank", "score", "result"]
        .into_iter()
        .find(|meaning| places.get(meaning).is_some());
    let outcome = places.get("time").and(outcome).ok_or_else(|| {
        let what = "a table with a row for each player needs the columns match, time, player and rank, score or \
                    result, and team where players play together; name them with --columns match=COLUMN,...";
        RowError::new(line, (1, format!("{what}; the file has {}", table.header.join(", "))))
    })?;
    let is_read = |meaning: &str| meaning == outcome || !["rank", "score", "result"].contains(&meaning);
    let used = places.0.iter().filter(|(meaning, _)| is_read(meaning));
    unused.add_all_but(&table.header, &used.map(|(_, place)| *place).collect::<Vec<_>>());
    let found = places
        .0
        .iter()
        .filter(|(meaning, place)| table.header[*place] != *meaning);
    let note = found_note(found.map(|(meaning, place)| format!("{meaning}={}", table.header[*place])));
    let note = note.map(|note| format!("a row for each player; {note}"));
    let mut drafts: Vec<Draft> = Vec::new();
    let mut by_name: HashMap<String, usize> = HashMap::new();
    let (mut bad, mut spoilt) = (Vec::<RowError>::new(), HashSet::new());
    while let Some(line) = table.advance().transpose() {
        let row = line.and_then(|line| {
            let read = Row::read(&table, &places, outcome, line);
            read.map_err(|fault| RowError::new(line, fault))
        });
        match row {
            Err(error) if error.fatal => return Err(error),
            Err(error) => {
                // Which match the row is of may be known all the same.
                let name = places
                    .get("match")
                    .and_then(|place| table.records.field(place).ok());
                spoilt.extend(name.map(str::to_owned));
                bad.push(error);
            }
            Ok(row) => {
                let place = *by_name.entry(row.of_match.clone()).or_insert_with(|| {
                    drafts.push(Draft::new(&row));
                    drafts.len() - 1
                });
                drafts[place].push(row);
            }
        }
    }
    drafts.retain(|draft| !spoilt.contains(&draft.name));
    let games = drafts.into_iter().map(move |draft| draft.game(outcome));
    Ok((bad.into_iter().map(Err).chain(games), note))
}

struct Row {
    line: u64,
    of_match: String,
    time: Field<'static>,
    team: String,
    party: String,
    member: Member<'static>,
    told: Field<'static>,
}

impl Row {
    fn read(table: &Table<'_>, places: &Places, outcome: &str, line: u64) -> Result<Self, Fault> {
        let field = |meaning: &str| -> Result<Field<'static>, Fault> {
            let place = places.get(meaning);
            let text = place.map_or(Ok(""), |place| table.records.field(place))?;
            Ok(Field {
                name: place
                    .map_or_else(String::new, |place| table.header[place].clone())
                    .into(),
                column: place.map_or(1, |place| place as u64 + 1),
                text: text.to_owned().into(),
            })
        };
        let of_match = field("match")?;
        if of_match.text.is_empty() {
            return Err(of_match.refuse("empty; every row needs the match that it is of"));
        }
        let mut member = Member::new(field("player")?)?;
        let performance = field("performance")?;
        if !performance.text.is_empty() {
            member.performance = Some(performance.read(parse_performance)?);
        }
        Ok(Self {
            line,
            of_match: of_match.text.into_owned(),
            time: field("time")?,
            team: field("team")?.text.into_owned(),
            party: field("party")?.text.into_owned(),
            member,
            told: field(outcome)?,
        })
    }
}

impl Draft {
    fn new(row: &Row) -> Self {
        let Field { name, column, text } = &row.time;
        Self {
            name: row.of_match.clone(),
            line: row.line,
            time: Field {
                name: name.clone(),
                column: *column,
                text: text.clone(),
            },
            sides: Vec::new(),
            parties: Vec::new(),
        }
    }

    /// One more player; without a team a side of its own.
    fn push(&mut self, row: Row) {
        let known = self
            .sides
            .iter()
            .position(|side| !row.team.is_empty() && side.team == row.team);
        let place = known.unwrap_or_else(|| {
            self.sides.push(Side {
                team: row.team,
                ..Side::default()
            });
            self.sides.len() - 1
        });
        let mut member = row.member;
        if !row.party.is_empty() {
            let known = self.parties.iter().position(|party| *party == row.party);
            let number = known.unwrap_or(self.parties.len());
            if known.is_none() {
                self.parties.push(row.party);
            }
            member.party = u32::try_from(number).ok();
        }
        self.sides[place].members.push(member);
        self.sides[place].told.push((row.line, row.told));
    }

    fn game(self, outcome: &str) -> Result<Game<'static>, RowError> {
        let told = self.sides.iter().map(|side| side.told(outcome));
        let told: Vec<(u64, Field<'_>)> = told.collect::<Result<_, _>>()?;
        let line = told.first().map_or(self.line, |told| told.0);
        let told: Vec<Field<'_>> = told.into_iter().map(|told| told.1).collect();
        let standings: Result<Standings, Fault> = match outcome {
            "rank" => by_ranks(&told, None),
            "score" => by_scores(&told),
            _ => by_results(&told),
        };
        let standings = standings.map_err(|fault| RowError::new(line, fault))?;
        let column = self
            .sides
            .first()
            .and_then(|side| side.members.first())
            .map_or(1, |one| one.column);
        let sides = self.sides.into_iter().map(|side| side.members).collect();
        Ok(Game::new(self.line, self.time, (column, sides), standings))
    }
}

impl Side {
    /// What all its rows say alike; scores that differ are those of its players, and add up.
    fn told(&self, outcome: &str) -> Result<(u64, Field<'static>), RowError> {
        let Some(((line, first), others)) = self.told.split_first() else {
            return Err(RowError::new(1, (1, "a side without a player".to_owned())));
        };
        let text = match others.iter().find(|(_, other)| other.text != first.text) {
            None => first.text.clone(),
            Some((line, other)) if outcome != "score" => {
                let what = format!(
                    "`{}`, and `{}` in line {} of the same team",
                    other.text, first.text, self.told[0].0
                );
                return Err(RowError::new(*line, other.refuse(&what)));
            }
            Some(_) => {
                let scores = self.told.iter().map(|(line, field)| {
                    let score = parse_score(&field.text);
                    score.map_err(|what| RowError::new(*line, field.refuse(&what)))
                });
                let sum: f64 = scores.sum::<Result<f64, RowError>>()?;
                sum.to_string().into()
            }
        };
        let field = Field {
            name: first.name.clone(),
            column: first.column,
            text,
        };
        Ok((*line, field))
    }
}

/// Standings by what each side is said to have done: won, drawn or lost.
fn by_results(told: &[Field<'_>]) -> Result<Standings, Fault> {
    let place = |field: &Field<'_>| match of_word(&field.text) {
        // Those who draw share the first place.
        Some(1.0 | 0.5) => Ok((1, 0.0)),
        Some(0.0) => Ok((2, 0.0)),
        _ => Err(field.refuse(&format!(
            "`{}`; the result of a row is win, draw or loss (or 1, 0.5, 0)",
            shown(&field.text)
        ))),
    };
    told.iter().map(place).collect()
}
