//! Matches of JSON that list their players as objects, each with its side or result, as game servers hand them out:
//! `{"start_time": ..., "players": [{"account_id": 7, "team": "radiant", "win": true}, ...]}`, or sides as objects with lists of players:
//! `{"teams": [{"players": ["ann", "bob"], "score": 3}, ...]}`. They are rows of a table with one for each player.

mod notes;
mod winner;

use std::collections::HashMap;
use std::rc::Rc;

use serde_json::{Map, Value};
use smallvec::SmallVec;

use crate::cell::names::Names;
use crate::cell::nobody::is_nobody;
use crate::cell::value::parse_performance;
use crate::column_names::{called, found_note, inner, words};
use crate::error::{Fault, RowError};
use crate::matches::columns::Columns;
use crate::matches::field::Field;
use crate::matches::games::{Member, When};
use crate::matches::long_games::{Collected, FoundGames, OWN, Row, Spoilt, Told};
use crate::row::json_row::JsonRow;
use crate::row::json_text::{find_key, flat, object};
use crate::text::shown;
use crate::unused::ColumnUse;
use winner::{Called, Winner};

/// What players are called in lists, what does not change first.
pub(crate) const NAMES: [&str; 19] = [
    "player",
    "account_id",
    "profile_id",
    "puuid",
    "player_id",
    "user_id",
    "steam_id",
    "player_name",
    "user_name",
    "username",
    "name",
    "nickname",
    "nick",
    "login",
    "handle",
    "summoner_name",
    "user",
    "id",
    "uuid",
];
/// What tells their sides.
const TEAMS: [&str; 8] = [
    "is_radiant",
    "team",
    "team_id",
    "team_name",
    "side",
    "faction",
    "team_number",
    "player_slot",
];
/// What lists of players are called in objects of sides.
const LISTS: [&str; 6] = [
    "players",
    "members",
    "roster",
    "participants",
    "lineup",
    "player_ids",
];
/// The account of players of Dota 2 who hide theirs.
const HIDDEN: &str = "4294967295";
/// Whether an object is a match: two sides, lists of players, or objects of players.
pub(crate) fn is_game(text: &[u8], columns: &Columns) -> bool {
    let Some(object) = object(text).ok().and_then(|(object, _)| flat(object).ok()) else {
        return false;
    };
    // Two numbers are scores of a set.
    let is_told = |keys: &[String], fitted: &Columns| {
        let has = |name: &str| keys.iter().any(|key| key == name);
        let are_numbers = fitted
            .sides()
            .iter()
            .flat_map(|(_, names)| names)
            .all(|name| object[*name].is_number());
        has(fitted.name("time")) || !are_numbers && !fitted.tellings(has).is_empty()
    };
    let keys: Vec<String> = object.keys().cloned().collect();
    let (fitted, _) = columns.fitted(&keys);
    let is_teams = object.contains_key(fitted.name("teams"));
    (has_sides(&object, columns) && (is_teams || is_told(&keys, &fitted)))
        || MemberRows::of_object(&object, columns).is_some()
}

fn has_sides(object: &Map<String, Value>, columns: &Columns) -> bool {
    let keys: Vec<String> = object.keys().cloned().collect();
    let (fitted, _) = columns.fitted(&keys);
    let is_list_of_sides = |value: &Value| {
        let mut sides = value.as_array().into_iter().flatten();
        // An object that has players itself is read as one of several.
        sides.all(|side| side.as_object().is_none_or(|side| side.contains_key("player")))
    };
    let has_both = fitted
        .sides()
        .iter()
        .all(|(_, names)| names.iter().all(|name| object.contains_key(*name)));
    has_both || object.get(fitted.name("teams")).is_some_and(is_list_of_sides)
}

/// Where a file's objects have what.
pub(crate) struct MemberRows {
    columns: Columns,
    /// The list of players, or of sides.
    list: String,
    /// In an object of a side, its list of players.
    of_side: Option<String>,
    player: Option<String>,
    team: Option<String>,
    party: Option<String>,
    performance: Option<String>,
    outcomes: Vec<Told>,
    /// Beside the list, who won.
    winner: Option<Winner>,
}

impl MemberRows {
    /// By the text of a first match, if it lists its players so.
    pub(crate) fn of(first: &[u8], columns: &Columns) -> Option<Self> {
        let object = flat(object(first).ok()?.0).ok()?;
        if has_sides(&object, columns) {
            return None;
        }
        Self::of_object(&object, columns)
    }

    fn of_object(object: &Map<String, Value>, columns: &Columns) -> Option<Self> {
        let mut lists = object.iter().filter_map(|(key, value)| {
            let list = value.as_array()?;
            let first = flat(list.first()?.as_object()?.clone()).ok()?;
            (list.len() > 1).then_some((key, first))
        });
        lists.find_map(|(list, first)| Self::of_list(object, columns, list, &first))
    }

    fn of_list(
        object: &Map<String, Value>,
        columns: &Columns,
        list: &str,
        first: &Map<String, Value>,
    ) -> Option<Self> {
        // A list of matches.
        if has_sides(first, columns) || Self::of_object(first, columns).is_some() {
            return None;
        }
        let keys: Vec<String> = object.keys().cloned().collect();
        let own: Vec<String> = first.keys().cloned().collect();
        let of_side = LISTS
            .iter()
            .find_map(|name| called(&own, name))
            .filter(|name| first[*name].is_array());
        let members: Vec<String> = match of_side {
            None => own.clone(),
            Some(of_side) => match first[of_side].as_array()?.first()? {
                Value::Object(member) => flat(member.clone()).ok()?.keys().cloned().collect(),
                _ => Vec::new(),
            },
        };
        let find = |names: &[String], meaning: &'static str, wanted: &[&str]| {
            let told = Some(columns.name(meaning).to_owned()).filter(|name| names.contains(name));
            let own = || {
                wanted
                    .iter()
                    .find_map(|name| called(names, name).or_else(|| inner(names, name)))
            };
            told.or_else(|| own().map(str::to_owned))
        };
        let elsewhere = |meaning: &str| {
            OWN.iter()
                .find(|(known, _)| *known == meaning)
                .map_or(&[][..], |(_, all)| *all)
        };
        let player = find(&members, "player", &NAMES);
        if player.is_none() && !(of_side.is_some() && members.is_empty()) {
            return None;
        }
        let team = if of_side.is_some() {
            None
        } else {
            find(&own, "team", &TEAMS)
        };
        let chosen = columns.chosen(&["rank", "result", "score"]);
        let told = ["rank", "result", "score"].into_iter().filter_map(|meaning| {
            let mut wanted = elsewhere(meaning).to_vec();
            if meaning == "result" {
                wanted.extend(["winner", "is_winner"]);
            }
            let name = find(&own, meaning, &wanted).filter(|_| !chosen || columns.chosen(&[meaning]))?;
            Some((meaning, name))
        });
        // Of games that have no places.
        let is_none = |name: &str| {
            let mut all = object[list].as_array().into_iter().flatten();
            all.all(|one| one.get(name).is_some_and(|value| value.as_u64() == Some(0)))
        };
        let told = told.filter(|(meaning, name)| *meaning != "rank" || !is_none(name));
        let mut outcomes: Vec<Told> = told
            .enumerate()
            .map(|(place, (meaning, name))| Told { meaning, place, name })
            .collect();
        let all = object[list]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_object);
        let teams = all.filter_map(|one| Some(team_of(team.as_ref()?, &flat(one.clone()).ok()?)));
        let teams: Vec<String> = teams.collect();
        let winner = Winner::of(&keys, &teams).filter(|_| of_side.is_some() || team.is_some());
        if let Some(winner) = &winner {
            let (place, name) = (outcomes.len(), winner.key().to_owned());
            outcomes.push(Told {
                meaning: "result",
                place,
                name,
            });
        }
        if outcomes.is_empty() {
            return None;
        }
        Some(Self {
            columns: columns.fitted(&keys).0,
            list: list.to_owned(),
            of_side: of_side.map(str::to_owned),
            party: find(&members, "party", elsewhere("party")),
            performance: Some(columns.name("performance").to_owned()).filter(|name| members.contains(name)),
            player,
            team,
            outcomes,
            winner,
        })
    }

    /// The rows of a match's players, how many it lists, and its id.
    fn rows(
        &self,
        names: &Names,
        place: u64,
        row: &JsonRow,
    ) -> Result<(Vec<Row>, usize, Option<Field<'static>>), Fault> {
        let (object, text) = object(&row.text)?;
        let object = flat(object)?;
        let column = |key: &str| find_key(text, key).map_or(1, |place| place as u64 + 1);
        let keys: Vec<String> = object.keys().cloned().collect();
        let field = |key: &str| {
            object.get(key).map(|value| Field {
                name: key.to_owned().into(),
                column: column(key),
                text: text_of(value).into(),
            })
        };
        let time = field(self.columns.name("time"));
        let id = self.columns.match_id(&keys).and_then(field);
        let key = self.columns.name("context");
        let is_name = object
            .get(key)
            .is_some_and(|value| value.is_string() || value.is_number());
        let context = field(key).filter(|_| is_name);
        let list_column = column(&self.list);
        let refuse = |what: String| (list_column, what);
        let list = object.get(&self.list).and_then(Value::as_array).ok_or_else(|| {
            refuse(format!(
                "no list `{}` of players, as other matches have it",
                shown(&self.list)
            ))
        })?;
        // Its id may be that of another, which is refused.
        let of_match = format!("match {place}");
        let mut entries = Vec::new();
        for (number, one) in list.iter().enumerate() {
            let one = one.as_object();
            let one =
                one.ok_or_else(|| refuse(format!("`{}` lists what is no object", shown(&self.list))))?;
            entries.push(self.entry(number, flat(one.clone())?).map_err(refuse)?);
        }
        let won = self.winner.as_ref().map(|winner| {
            let sides: Vec<Called<'_>> = entries.iter().map(|entry| self.called(entry)).collect();
            let told = winner.told(&object, &sides);
            told.map_err(|what| (column(winner.key()), what))
        });
        let won = won.transpose()?;
        let (mut rows, mut listed) = (Vec::new(), 0);
        for (number, entry) in entries.into_iter().enumerate() {
            let won = won.as_ref().map(|won| won[number].to_owned());
            let own = self.outcomes.len() - usize::from(won.is_some());
            let told = self.outcomes[..own]
                .iter()
                .map(|told| text_at(&entry.object, Some(&told.name)));
            let told: SmallVec<[String; 1]> = told.chain(won).collect();
            listed += entry.members.len();
            for member in &entry.members {
                let Some(player) = self.player(member, names, list_column)? else {
                    continue;
                };
                rows.push(Row {
                    line: row.line,
                    of_match: of_match.clone(),
                    when: When {
                        time: time.clone(),
                        date: None,
                    },
                    context: context.clone(),
                    team: entry.team.clone(),
                    party: text_at(member, self.party.as_ref()),
                    member: player,
                    told: told.clone(),
                });
            }
        }
        if rows.is_empty() {
            return Err(refuse(format!("`{}` names no player", shown(&self.list))));
        }
        Ok((rows, listed, id))
    }

    /// One of the list: a player, or a side with its players.
    fn entry(&self, number: usize, object: Map<String, Value>) -> Result<Entry, String> {
        let (team, members) = match (&self.of_side, &self.team) {
            (Some(of_side), _) => (format!("side {}", number + 1), members_of(&object, of_side)?),
            (None, Some(team)) => (team_of(team, &object), vec![object.clone()]),
            (None, None) => (String::new(), vec![object.clone()]),
        };
        Ok(Entry {
            team,
            members,
            object,
        })
    }

    /// What a side goes by.
    fn called<'e>(&self, entry: &'e Entry) -> Called<'e> {
        let own = ["name", "team", "id", "side", "team_id", "team_name"];
        let own = own.iter().filter(|_| self.of_side.is_some());
        let own = own.map(|key| text_at(&entry.object, Some(&(*key).to_owned())));
        let key = self.player.clone().unwrap_or_else(|| "player".to_owned());
        let players = entry.members.iter().map(|member| text_at(member, Some(&key)));
        Called {
            team: &entry.team,
            others: own.chain(players).filter(|name| !name.is_empty()).collect(),
        }
    }

    /// A player of a list; none who hides its name.
    fn player(
        &self,
        member: &Map<String, Value>,
        names: &Names,
        column: u64,
    ) -> Result<Option<Member<'static>>, Fault> {
        let key = self.player.as_deref().unwrap_or("player");
        // A list of names in one match, and of objects in others.
        if !member.contains_key(key) && (member.contains_key("player") || self.player.is_none()) {
            let what = format!(
                "a player of `{}` has no `{}`, as others have it",
                shown(&self.list),
                shown(key)
            );
            return Err((column, what));
        }
        let name = member.get(key).map(text_of).unwrap_or_default();
        if name.is_empty() || name == HIDDEN || (is_nobody(&name) && !names.as_written) {
            return Ok(None);
        }
        let field = Field {
            name: key.to_owned().into(),
            column,
            text: name.into(),
        };
        let mut player = Member::new(field, names)?;
        let performance = text_at(member, self.performance.as_ref());
        if !performance.is_empty() {
            let read = parse_performance(&performance);
            player.performance = Some(read.map_err(|what| (column, format!("performance is {what}")))?);
        }
        Ok(Some(player))
    }
}

/// One of a list.
struct Entry {
    team: String,
    members: Vec<Map<String, Value>>,
    object: Map<String, Value>,
}

/// What the side of a player is called, by the key that tells it.
fn team_of(key: &str, member: &Map<String, Value>) -> String {
    let value = member.get(key);
    let radiant = |is_radiant: bool| if is_radiant { "radiant" } else { "dire" }.to_owned();
    match (&*words(key).join("_"), value) {
        // Without a slot there is no team, which is refused beside others.
        ("player_slot", Some(slot)) => slot.as_u64().map_or_else(String::new, |slot| radiant(slot < 128)),
        ("is_radiant", Some(Value::Bool(is_radiant))) => radiant(*is_radiant),
        (_, value) => value.map(text_of).unwrap_or_default(),
    }
}

/// The members that the object of a side lists, names as objects.
fn members_of(side: &Map<String, Value>, list: &str) -> Result<Vec<Map<String, Value>>, String> {
    let members = side.get(list).and_then(Value::as_array);
    let members =
        members.ok_or_else(|| format!("a side has no list `{}`, as others have it", shown(list)))?;
    if members.iter().any(Value::is_object) && !members.iter().all(Value::is_object) {
        return Err(format!(
            "`{}` lists names and objects; write all in one way",
            shown(list)
        ));
    }
    let member = |member: &Value| match member {
        Value::Object(member) => flat(member.clone()).map_err(|(_, what)| what),
        name => Ok(Map::from_iter([("player".to_owned(), name.clone())])),
    };
    members.iter().map(member).collect()
}

/// What an object says by a key; nothing where it has none.
fn text_at(object: &Map<String, Value>, key: Option<&String>) -> String {
    key.and_then(|key| object.get(key))
        .map(text_of)
        .unwrap_or_default()
}

fn text_of(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.trim().to_owned(),
        other => other.to_string(),
    }
}

/// Refuses a match whose id another has.
fn check_id(id: Option<Field<'_>>, line: u64, ids: &mut HashMap<String, u64>) -> Result<(), Fault> {
    let Some(id) = id.filter(|id| !id.text.is_empty() && !is_nobody(&id.text)) else {
        return Ok(());
    };
    if let Some(first) = ids.get(&*id.text) {
        let what = format!(
            "`{}`, as in line {first}; remove one, or give each match an id of its own",
            shown(&id.text)
        );
        return Err(id.refuse(&what));
    }
    ids.insert(id.text.into_owned(), line);
    Ok(())
}

/// All games of objects that list their players.
pub(crate) fn member_games(
    rows: impl Iterator<Item = Result<JsonRow, RowError>>,
    members: &MemberRows,
    (as_written, unused): (bool, Rc<ColumnUse>),
    is_ordered: bool,
) -> Result<FoundGames, RowError> {
    let names = Names::new(as_written, None);
    let (mut collected, mut ids) = (Collected::new(&members.columns), HashMap::new());
    // Of all, and those who hide their names.
    let (mut all, mut named) = (0, 0);
    for (place, row) in (1..).zip(rows) {
        let row = match row {
            Err(error) if error.fatal => return Err(error),
            row => row,
        };
        let read = row.and_then(|row| {
            let read = members.rows(&names, place, &row);
            let (read, listed, id) = read.map_err(|fault| row.fault(fault))?;
            check_id(id, row.line, &mut ids).map_err(|fault| row.fault(fault))?;
            if place == 1 {
                members.note_use(&row, &unused);
            }
            if read.iter().any(|one| one.when.time.is_none()) && !is_ordered {
                let keys: Vec<String> = object(&row.text)
                    .and_then(|(object, _)| flat(object))
                    .map(|object| object.keys().cloned().collect())
                    .unwrap_or_default();
                let what = members
                    .columns
                    .missing("time", members.columns.name("time"), &keys);
                return Err(row.fault((1, what)));
            }
            Ok((read, listed))
        });
        match read {
            Ok((read, listed)) => {
                (all, named) = (all + listed, named + read.len());
                for row in read {
                    collected.add(Ok(row));
                }
            }
            Err(error) => {
                collected.add(Err(Spoilt {
                    of_match: Some(format!("match {place}")),
                    error,
                    is_sure: true,
                }));
            }
        }
    }
    let nameless = (all > named).then(|| {
        let players = if all - named == 1 {
            "player without a name is"
        } else {
            "players without a name are"
        };
        format!("{} {players} left out of the sides", all - named)
    });
    let won = members
        .winner
        .as_ref()
        .map(|winner| format!(" and who won from `{}`", shown(winner.key())));
    let found = found_note(members.found()).map_or_else(String::new, |found| format!("; {found}"));
    let found = format!(
        "players are read from `{}`{}{found}",
        shown(&members.list),
        won.unwrap_or_default()
    );
    let is_side = members.of_side.is_some();
    let (games, notes) = collected.games(&members.outcomes, (1, 1))?;
    let mut read = games.iter().flatten();
    let is_there = games.is_empty() || read.any(|game| game.context().is_some());
    members.columns.check_context(is_there)?;
    // Scores of sides are no player's own.
    let notes = notes
        .into_iter()
        .filter(|note| !(is_side && note.starts_with("scores:")));
    Ok((games, [found].into_iter().chain(nameless).chain(notes).collect()))
}
