//! Which keys of a file's rows mean what: of each kind of row by itself.

use serde_json::{Map, Value};

use super::text_of;
use crate::matches::columns::Columns;
use crate::matches::outcome::Telling;
use crate::row::json_row::JsonRow;
use crate::row::json_text::{flat, object};

/// What to write where more than two sides meet.
const SEVERAL: &str =
    "write `teams`, a list of the players of each side, and `ranks`, a list of their places";

/// At most this many kinds of rows, by their keys, are remembered.
const KINDS: usize = 32;

/// The columns as the keys of rows tell: nearly all rows of a file have the same, or some few.
pub(crate) struct Fitting {
    pub(super) told: Columns,
    /// The latest first.
    pub(super) fits: Vec<Fit>,
    /// The keys of the first that tell how games ended.
    told_by: Vec<String>,
}

/// The columns of rows with the same keys.
#[derive(Default)]
pub(super) struct Fit {
    pub(super) keys: Vec<String>,
    pub(super) columns: Columns,
    /// The key of a score of one side, and that of the other, which is not there.
    pub(super) half: Option<(String, &'static str)>,
    /// What tells how a game ended.
    pub(super) tellings: Vec<Telling>,
    /// The key of the dates, and whether a complete time must agree with one.
    pub(super) date: Option<(String, bool)>,
    /// The key of the names of matches.
    pub(super) id: Option<String>,
    /// Whether a row with these keys was read.
    pub(super) is_read: bool,
    /// Whether it lacks nothing of other rows but what tells how they ended: such games have no result yet.
    pub(super) is_open: bool,
    pub(super) has_teams: bool,
    /// The key of one more player than two, and what is wrong with it.
    pub(super) more: Option<(String, String)>,
}

impl Fitting {
    /// By the keys of a first row, with a note on how the columns were found.
    pub(crate) fn new(told: &Columns, first: Option<&[u8]>) -> (Self, Option<String>) {
        let mut fitting = Self {
            told: told.clone(),
            fits: Vec::new(),
            told_by: Vec::new(),
        };
        let first = first.and_then(|text| flat(object(text).ok()?.0).ok());
        let note = first.and_then(|object| fitting.fit(&object));
        (fitting, note)
    }

    pub(super) fn latest(&self) -> &Fit {
        &self.fits[0]
    }

    /// Finds the columns of a row, and puts them first.
    pub(super) fn fit(&mut self, object: &Map<String, Value>) -> Option<String> {
        let known = self.fits.iter().position(|fit| fit.keys.iter().eq(object.keys()));
        if let Some(known) = known {
            self.fits[..=known].rotate_right(1);
            return None;
        }
        let (mut fit, note) = Fit::of(&self.told, object);
        if self.fits.is_empty() && !fit.has_teams {
            // A player has one name in all rows.
            self.told.keep_players(&fit.columns, &fit.keys);
        }
        let mut tells = fit.tellings.iter().filter(|telling| telling.tells_result());
        let is_told = tells.clone().next().is_some();
        // Where winners are named, a row without one may be a draw.
        let are_scores = tells.all(|telling| matches!(telling, Telling::TwoScores | Telling::Scores));
        if is_told && are_scores && !fit.has_teams && self.told_by.is_empty() {
            self.told_by.clone_from(&fit.keys);
        }
        let has_all = fit.keys.iter().all(|key| self.told_by.contains(key));
        fit.is_open = !is_told && !self.told_by.is_empty() && has_all;
        if fit.tellings.is_empty() && !fit.has_teams {
            fit.tellings.push(Telling::TwoScores);
        }
        self.fits.truncate(KINDS - 1);
        self.fits.insert(0, fit);
        note
    }

    /// What some rows say by the meanings that are wanted.
    pub(crate) fn texts(&mut self, rows: &[JsonRow], is_wanted: impl Fn(&str) -> bool) -> Vec<String> {
        let objects = rows.iter().filter_map(|row| flat(object(&row.text).ok()?.0).ok());
        let mut texts = Vec::new();
        for object in objects {
            self.fit(&object);
            let fit = self.latest();
            let told = fit.tellings.iter().flat_map(|telling| telling.meanings());
            let told = told.filter(|meaning| is_wanted(meaning));
            let told = told.filter_map(|meaning| object.get(fit.columns.name(meaning)));
            texts.extend(told.filter_map(text_of));
        }
        texts
    }
}

impl Fit {
    fn of(told: &Columns, object: &Map<String, Value>) -> (Self, Option<String>) {
        let keys: Vec<String> = object.keys().cloned().collect();
        let (columns, note) = told.fitted(&keys);
        let has = |name: &str| object.contains_key(name);
        let mut tellings = columns.tellings(has);
        let has_teams = has(columns.name("teams"));
        if has_teams {
            // The names of keys that are not there tell nothing.
            tellings.retain(|telling| *telling != Telling::Players);
        }
        let names = object.keys().map(String::as_str);
        let date = columns.date(names, columns.name("time"));
        let is_chosen = has_teams || columns.chosen(&["player1", "player2", "team1", "team2"]);
        let more = columns
            .one_more(&keys, SEVERAL)
            .map(|(key, what)| (key.to_owned(), what));
        let reversed = columns.reversed(&keys).map(|(key, what)| (key.to_owned(), what));
        let fit = Self {
            more: more.filter(|_| !is_chosen).or(reversed),
            half: columns.half_of_scores(&keys),
            tellings,
            date: date.map(|(name, is_checked)| (name.to_owned(), is_checked)),
            id: columns.match_id(&keys).map(str::to_owned),
            is_read: false,
            is_open: false,
            has_teams,
            keys,
            columns,
        };
        (fit, note)
    }
}
