//! Games from CSV with a row for each player of a match: a long table.

mod draft;

use std::collections::HashMap;

use smallvec::SmallVec;

use crate::cell::case_twins::case_twins;
use crate::cell::date_and_time::time_of_day;
use crate::cell::decimals::Decimals;
use crate::cell::names::Names;
use crate::cell::nobody::{OPEN_ZERO, Zero, is_nobody};
use crate::cell::value::parse_performance;
use crate::column_names::{called, columns_option, found_note};
use crate::error::{Fault, RowError};
use crate::matches::columns::{Columns, ORDER};
use crate::matches::field::Field;
use crate::matches::games::{Match, Member, When};
use crate::matches::sample::Sample;
use crate::row::csv::Table;
use crate::text::{listed, shown, suggestion};
use crate::unused::ColumnUse;
use draft::{All, Draft, Scores};

/// What a row can tell, each with what other files call it.
pub(super) const OWN: [(&str, &[&str]); 10] = [
    ("match", &["match_id", "matchid", "game_id", "gameid", "game"]),
    (
        "player",
        &[
            "player_id",
            "player_name",
            "name",
            "nickname",
            "user",
            "user_id",
            "user_name",
            "username",
            "account_id",
            "puuid",
            "steam_id",
        ],
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
            "finished_at",
            "ended_at",
            "tourney_date",
            "event_date",
            "begin_at",
            "game_creation",
            "created",
            "created_at",
        ],
    ),
    (
        "team",
        &["team_id", "team_name", "side", "faction", "colour", "color"],
    ),
    ("rank", &["place", "placement", "position", "standing"]),
    ("score", &["points", "team_score"]),
    (
        "result",
        &["outcome", "won", "win", "is_win", "is_winner", "winner"],
    ),
    ("context", &[]),
    ("party", &["party_id", "group_id"]),
    ("performance", &["kills", "player_score", "individual_score"]),
];

/// What tells how a side did.
const OUTCOMES: [&str; 3] = ["rank", "result", "score"];

/// The columns of a long table, by field number.
struct Places(Vec<(&'static str, usize)>);

impl Places {
    fn of(table: &Table<'_>, columns: &Columns) -> Result<Self, Fault> {
        let mut found = Vec::new();
        for (meaning, elsewhere) in OWN {
            let own = columns.name(meaning);
            let called = |name: &&str| called(&table.header, name);
            let clock = (meaning == "time").then(|| time_of_day(&table.header)).flatten();
            let name = if table.header.iter().any(|known| known == own) {
                Some(own)
            } else {
                let alike = || called(&own).filter(|_| !columns.chosen(&[meaning]));
                clock.or_else(alike).or_else(|| elsewhere.iter().find_map(called))
            };
            let Some(name) = name else { continue };
            if let Some(place) = table.place(name)? {
                let twin = columns.check_twin(meaning, name, &table.header);
                twin.map_err(|what| (place as u64 + 1, what))?;
                found.push((meaning, place));
            }
        }
        Ok(Self(found))
    }

    /// Refuses what the user named and the table has not.
    fn check_named(&self, table: &Table<'_>, columns: &Columns) -> Result<(), Fault> {
        let lacks = |meaning: &&'static str| columns.chosen(&[meaning]) && self.get(meaning).is_none();
        let Some(meaning) = OWN.iter().map(|(meaning, _)| *meaning).find(lacks) else {
            return Ok(());
        };
        let name = columns.name(meaning);
        let hint = suggestion(name, table.header.iter().map(String::as_str));
        let names = listed(table.header.iter().map(|name| shown(name))).unwrap_or_default();
        Err((
            1,
            format!("no `{}` for {meaning}{hint} The file has: {names}", shown(name)),
        ))
    }

    /// Where the dates beside the times stand, and whether a complete time must agree with them.
    fn date(&self, table: &Table<'_>, columns: &Columns) -> Result<Option<(usize, bool)>, Fault> {
        let Some(time) = self.get("time") else {
            return Ok(None);
        };
        let names = table.header.iter().map(String::as_str);
        let Some((name, is_checked)) = columns.date(names, &table.header[time]) else {
            return Ok(None);
        };
        Ok(table.place(name)?.map(|place| (place, is_checked)))
    }

    fn get(&self, meaning: &str) -> Option<usize> {
        let found = self.0.iter().find(|(known, _)| *known == meaning);
        found.map(|(_, place)| *place)
    }
}

/// Whether a table has a row for each player: a match and a player in each, and no two sides.
pub(crate) fn is_long(table: &Table<'_>, columns: &Columns) -> bool {
    let places = Places::of(table, columns);
    let is_told = |places: Places| places.get("match").is_some() && places.get("player").is_some();
    // What is wrong with its columns is told where they are read.
    !is_wide(table, columns) && places.map_or(true, is_told)
}

/// Whether a table has columns of two sides.
pub(crate) fn is_wide(table: &Table<'_>, columns: &Columns) -> bool {
    let has = |name: &&str| table.header.iter().any(|known| known == name);
    let without_teams: Vec<String> = (table.header.iter().filter(|name| *name != "teams").cloned()).collect();
    let (fitted, _) = columns.fitted(&without_teams);
    fitted.sides().iter().all(|(_, names)| names.iter().all(has))
}

/// A column that tells how a side did.
pub(super) struct Told {
    pub(super) meaning: &'static str,
    pub(super) place: usize,
    pub(super) name: String,
}

impl Told {
    /// A cell of it.
    fn field<'t>(&'t self, text: &'t str) -> Field<'t> {
        Field {
            name: self.name.as_str().into(),
            column: self.place as u64 + 1,
            text: text.into(),
        }
    }
}

/// All games of a long table, in the order of their first rows, after the matches that cannot be used, which are those with
/// a row that cannot. With what there is to say of how its columns were found and its scores taken.
pub(crate) fn long_games(
    mut table: Table<'_>,
    columns: &Columns,
    (as_written, unused): (bool, &ColumnUse),
    sample: &Sample<'_>,
    is_ordered: bool,
) -> Result<FoundGames, RowError> {
    let several = Some("write a row for each".to_owned());
    let names = Names::new(as_written, several);
    let line = table.records.line();
    let places = Places::of(&table, columns).and_then(|places| {
        places.check_named(&table, columns)?;
        Ok(places)
    });
    let places = places.map_err(|fault| RowError::new(line, fault))?;
    let date = places.date(&table, columns);
    let date = date.map_err(|fault| RowError::new(line, fault))?;
    let is_number = |place: usize| {
        let texts = sample.texts(&[place]);
        texts.is_empty()
            || texts
                .iter()
                .any(|text| text.starts_with(|c: char| c.is_ascii_digit()))
    };
    let outcomes = outcomes((&table, &places), columns, is_ordered, is_number)
        .map_err(|fault| RowError::new(line, fault))?;
    let is_read =
        |meaning: &&str| !OUTCOMES.contains(meaning) || outcomes.iter().any(|told| told.meaning == *meaning);
    let used = places.0.iter().filter(|(meaning, _)| is_read(meaning));
    for (meaning, place) in used
        .clone()
        .copied()
        .chain(date.map(|(place, _)| ("date", place)))
    {
        unused.take(&table.header[place], meaning);
    }
    let used = used.map(|(_, place)| *place).chain(date.map(|(place, _)| place));
    unused.add_all_but(&table.header, &used.collect::<Vec<_>>());
    let numbers = places
        .0
        .iter()
        .filter(|(meaning, _)| ["score", "result", "performance"].contains(meaning));
    let decimals = sample.decimals(&numbers.map(|(_, place)| *place).collect::<Vec<_>>());
    let (mut collected, mut of_teams) = (Collected::new(columns), Vec::new());
    loop {
        let line = match table.advance() {
            Ok(None) => break,
            Err(error) if error.fatal => return Err(error),
            Ok(Some(line)) => Ok(line),
            Err(error) => Err(error),
        };
        let is_whole = line.is_ok();
        let row = line.and_then(|line| {
            let read = Row::read(&table, &places, (date, &names, decimals), &outcomes, line);
            read.map_err(|fault| RowError::new(line, fault))
        });
        let row = row.map_err(|error| Spoilt {
            of_match: name_of(&table, &places),
            error,
            // Where fields are too many or too few, another may stand in the place of the name.
            is_sure: is_whole || places.get("match") == Some(0),
        });
        match (row, team_alone(&table, &places)) {
            (Err(spoilt), Some(team)) if is_whole => of_teams.push((team, spoilt)),
            (row, _) => {
                if !collected.add(row) {
                    break;
                }
            }
        }
    }
    let of_teams = collected.pass_over(of_teams);
    let found = places
        .0
        .iter()
        .filter(|(meaning, place)| table.header[*place] != *meaning);
    let note = found_note(found.map(|(meaning, place)| format!("{meaning}={}", table.header[*place])));
    let column = places.get("party").map_or(1, |place| place as u64 + 1);
    let (games, notes) = collected.games(&outcomes, (line, column))?;
    let note = note.map(|note| format!("a row for each player; {note}"));
    let notes = note
        .into_iter()
        .chain(unused.take_decimals(decimals))
        .chain(table.note())
        .chain(of_teams)
        .chain(notes);
    Ok((games, notes.collect()))
}

/// A row that cannot be used.
pub(super) struct Spoilt {
    /// The match that it is of, if that can be told.
    pub(super) of_match: Option<String>,
    pub(super) error: RowError,
    /// Whether it is surely of that match.
    pub(super) is_sure: bool,
}

/// The matches of rows of players, so far.
#[derive(Default)]
pub(super) struct Collected {
    drafts: Vec<Draft>,
    by_name: HashMap<String, usize>,
    lost: Option<RowError>,
    /// Whether the user says what the ranks are.
    ranks_are_told: bool,
    /// Whether the user says which column tells what was played.
    contexts_are_told: bool,
}

/// Games, and notes on them.
pub(super) type FoundGames = (Vec<Result<Match<'static>, RowError>>, Vec<String>);

impl Collected {
    /// None yet, of a file whose columns the user names so.
    pub(super) fn new(columns: &Columns) -> Self {
        Self {
            ranks_are_told: columns.chosen(&["rank"]),
            contexts_are_told: columns.chosen(&["context"]),
            ..Self::default()
        }
    }

    /// Takes a row; false where nothing that follows can be used.
    pub(super) fn add(&mut self, row: Result<Row, Spoilt>) -> bool {
        let name = match &row {
            Ok(row) => Some(&row.of_match),
            Err(spoilt) => spoilt.of_match.as_ref(),
        };
        let Some(name) = name else {
            self.lost = row.err().map(|spoilt| spoilt.error);
            return false;
        };
        let drafts = &mut self.drafts;
        let place = *self.by_name.entry(name.clone()).or_insert_with(|| {
            drafts.push(Draft::new());
            drafts.len() - 1
        });
        match row {
            Ok(row) => drafts[place].push(row, self.contexts_are_told),
            Err(spoilt) => drafts[place].spoil(spoilt.error, spoilt.is_sure),
        }
        true
    }

    /// Passes over rows of whole teams whose players are in other rows, and says so; the others are as wrong as they seem.
    fn pass_over(&mut self, of_teams: Vec<(String, Spoilt)>) -> Option<String> {
        let mut passed = 0_u64;
        for (team, spoilt) in of_teams {
            let draft = spoilt.of_match.as_ref().and_then(|name| self.by_name.get(name));
            if draft.is_some_and(|place| self.drafts[*place].has_team(&team)) {
                passed += 1;
            } else {
                self.add(Err(spoilt));
            }
        }
        (passed > 0)
            .then(|| format!("{passed} rows without a player are those of whole teams, and were passed over"))
    }

    /// All games in the order of their first rows, after the matches that cannot be used; `place`: of the header, and of parties.
    pub(super) fn games(self, outcomes: &[Told], (line, column): (u64, u64)) -> Result<FoundGames, RowError> {
        let Self {
            mut drafts,
            lost,
            ranks_are_told,
            ..
        } = self;
        let mut bad: Vec<RowError> = drafts.iter_mut().filter_map(Draft::fault).collect();
        bad.extend(lost.map(without_match));
        bad.sort_by_key(|error| error.line);
        drafts.retain(|draft| !draft.is_spoilt());
        let unfinished = drafts
            .iter_mut()
            .map(|draft| draft.leave_out_unfinished(outcomes))
            .sum();
        if let Some((line, name)) = Draft::without_first(&drafts, outcomes).filter(|_| !ranks_are_told) {
            let what = format!(
                "{name} is 1 or 0 in no match: if these are places, give {}; else name what tells how a match ended, --columns \
                 result=COLUMN or score=COLUMN",
                columns_option(&format!("rank={name}"))
            );
            return Err(RowError::fatal(line, what));
        }
        let scores = Scores::of(&drafts, outcomes);
        let all = All::of(&drafts, outcomes);
        if all.zero == Zero::Open {
            let zero = drafts.iter().find_map(Draft::zero);
            let what = format!("party is {OPEN_ZERO}");
            return Err(RowError::fatal_at(zero.unwrap_or(line), column, what));
        }
        let no_party =
            "parties `0` are taken for no party, since players of both sides are in one".to_owned();
        let no_party = (all.zero == Zero::Nobody).then_some(no_party);
        let twins = [
            case_twins("teams", drafts.iter().flat_map(Draft::teams)),
            case_twins("parties", drafts.iter().flat_map(Draft::parties)),
        ];
        let notes = no_party
            .into_iter()
            .chain(scores.note())
            .chain(unfinished_note(unfinished))
            .chain(twins.into_iter().flatten());
        let notes = notes.collect();
        let games = drafts
            .into_iter()
            .map(|draft| draft.game(outcomes, (&scores, all)));
        Ok((bad.into_iter().map(Err).chain(games).collect(), notes))
    }
}

/// What there is to say of sides that did not finish a match which others did.
pub(super) fn unfinished_note(count: u64) -> Option<String> {
    let sides = if count == 1 { "side" } else { "sides" };
    (count > 0).then(|| format!("left out {count} {sides} that did not finish a match which two others did"))
}

/// The columns that tell how a side did; where the user names some, the others do not count.
fn outcomes(
    (table, places): (&Table<'_>, &Places),
    columns: &Columns,
    is_ordered: bool,
    is_number: impl Fn(usize) -> bool,
) -> Result<Vec<Told>, Fault> {
    let is_chosen = columns.chosen(&OUTCOMES);
    let told = |meaning: &'static str| {
        let place = places
            .get(meaning)
            .filter(|_| !is_chosen || columns.chosen(&[meaning]))?;
        let name = table.header[place].clone();
        // A `position` may be a role.
        let is_told = is_chosen || meaning != "rank" || name == "rank" || is_number(place);
        is_told.then_some(Told { meaning, place, name })
    };
    let outcomes: Vec<Told> = OUTCOMES.into_iter().filter_map(told).collect();
    if (places.get("time").is_some() || is_ordered) && !outcomes.is_empty() {
        return Ok(outcomes);
    }
    let what = "a table with a row for each player needs the columns match, time, player and rank, score or \
                result, and team where players play together; name them with --columns match=COLUMN,...";
    let order = if outcomes.is_empty() { "" } else { ORDER };
    let names = listed(table.header.iter().map(|name| shown(name))).unwrap_or_default();
    Err((1, format!("{what}; the file has {names}{order}")))
}

/// The match that a bad row is of, if that can be told.
fn name_of(table: &Table<'_>, places: &Places) -> Option<String> {
    let name = table.records.field(places.get("match")?).ok()?;
    Some(name.to_owned()).filter(|name| !name.is_empty() && !is_nobody(name))
}

/// What a row of a whole team says beside those of its players.
const WHOLE: [&str; 3] = ["team", "total", "all"];

/// The team of a row that names no player and says that it is of the whole team.
fn team_alone(table: &Table<'_>, places: &Places) -> Option<String> {
    let cell = |meaning: &str| table.records.field(places.get(meaning)?).ok();
    let team = cell("team").filter(|team| !team.is_empty() && cell("player").is_some_and(str::is_empty))?;
    let own = places.get("team");
    let mut others = (0..table.header.len()).filter(|place| Some(*place) != own);
    let is_whole = others.any(|place| {
        let text = table.records.field(place).unwrap_or_default();
        WHOLE.iter().any(|word| text.eq_ignore_ascii_case(word))
    });
    is_whole.then(|| team.to_owned())
}

/// The fault of a row that is of no match that is known: some match may lack it.
fn without_match(error: RowError) -> RowError {
    let (column, what) = error.fault;
    let what = format!("{what}; no match can be dropped for the row, as it is not known which it is of");
    RowError {
        fatal: true,
        fault: (column, what),
        ..error
    }
}

pub(super) struct Row {
    pub(super) line: u64,
    pub(super) of_match: String,
    pub(super) when: When<'static>,
    /// What was played, where a column says so.
    pub(super) context: Option<Field<'static>>,
    pub(super) team: String,
    pub(super) party: String,
    pub(super) member: Member<'static>,
    /// What it says by each of the meanings that tell how a side did.
    pub(super) told: SmallVec<[String; 1]>,
}

impl Row {
    fn read(
        table: &Table<'_>,
        places: &Places,
        (date, names, decimals): (Option<(usize, bool)>, &Names, Decimals),
        outcomes: &[Told],
        line: u64,
    ) -> Result<Self, Fault> {
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
        if of_match.text.is_empty() || is_nobody(&of_match.text) {
            return Err(of_match.refuse("empty; every row needs the match that it is of"));
        }
        let mut member = Member::new(field("player")?, names)?;
        let performance = field("performance")?.with_decimals(decimals)?;
        if !performance.text.is_empty() && !is_nobody(&performance.text) {
            member.performance = Some(performance.read(parse_performance)?);
        }
        let told = outcomes.iter().map(|told| {
            Ok(told
                .field(table.records.field(told.place)?)
                .with_decimals(decimals)?
                .text
                .into_owned())
        });
        let date = date.map(|(place, is_checked)| {
            let text = table.records.field(place)?.to_owned().into();
            Ok::<_, Fault>((text, is_checked))
        });
        Ok(Self {
            line,
            of_match: of_match.text.into_owned(),
            when: When {
                time: places.get("time").map(|_| field("time")).transpose()?,
                date: date.transpose()?,
            },
            context: places.get("context").map(|_| field("context")).transpose()?,
            // Those without a team are no team; `NA` may be North America.
            team: Some(field("team")?.text.into_owned())
                .filter(|team| team == "NA" || !is_nobody(team))
                .unwrap_or_default(),
            party: field("party")?.text.into_owned(),
            member,
            told: told.collect::<Result<_, Fault>>()?,
        })
    }
}
