//! Matches, in the order of their file, as an iterator or handed over without a copy.

mod agreement;
mod clean;
pub(crate) mod columns;
mod csv_games;
pub(crate) mod field;
mod first_sides;
mod formats;
mod games;
mod headless;
mod json_games;
mod json_members;
mod labels;
mod letters;
mod long_games;
mod outcome;
mod pgn_games;
mod sample;
mod seats;
mod status;
mod summary;
mod table_games;
mod trf;
mod undecided;

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::rc::Rc;

use crate::bad_rows::BadRows;
use crate::cell::case_twins::case_twins;
use crate::cell::composed::composed_note;
use crate::cell::date_order::DateOrder;
use crate::cell::names::JoinedNames;
use crate::cell::seeds::seed_note;
use crate::cell::time::{TimeError, TimeReader};
use crate::cell::time_format::TimeFormat;
use crate::cell::time_unit::TimeUnit;
use crate::column_names::columns_option;
use crate::error::{ImportError, InputName, RowError};
use crate::foreign::is_pgn;
use crate::input::{Damage, Input, Stream};
use crate::text::shown;
use crate::unused::{ColumnUse, unused_note};
pub use clean::{CleanForm, CleanWriter};
pub use columns::Columns;
use columns::MEANINGS;
use first_sides::FirstSides;
use formats::games;
use games::{Batch, Games};
pub use games::{Match, Member, Side};
pub use summary::Summary;
use trf::is_trf;
pub use trf::write_trf;
use undecided::Undecided;

/// How a file of matches is read. Messages name each option as a command line would: `--skip-bad` is `skip_bad`.
#[derive(Clone, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct MatchOptions {
    /// Which column means what, where names do not tell.
    pub columns: Columns,
    /// The names of the columns, with commas between them, of a table without a header line.
    pub header: Option<String>,
    /// What plain numbers mean as times \[seconds since 1970 from 100000000 on, milliseconds from 100000000000 on, dates of eight
    /// digits; other ones are refused\]. [`TimeUnit::Index`] takes a file without times in its order.
    pub time_unit: Option<TimeUnit>,
    /// How all times are written.
    pub time_format: Option<TimeFormat>,
    /// What comes first in dates such as `03/05/2024` \[as all dates of the file tell\].
    pub date_order: Option<DateOrder>,
    /// Rates games that were won by a forfeit; else they are left out, as those without a result are.
    pub rate_forfeits: bool,
    /// What results and winners call the first side and the second \[as columns are called, and `A` and `B`, `H` and `A` and the like\].
    pub sides: Option<[String; 2]>,
    /// Whether commas in numbers are decimal, and not between thousands \[as the numbers of the file tell\].
    pub decimal_comma: Option<bool>,
    /// Drops rows that cannot be used, each with its match, and counts them.
    pub skip_bad: bool,
    /// Each name is that of one player, whatever it looks like.
    pub names_as_written: bool,
    /// Sorts the matches by time.
    pub sort: bool,
    /// Two matches with one id and time are two.
    pub keep_repeats: bool,
    /// Leaves out matches before this time, as times are written in the file.
    pub since: Option<String>,
    /// Leaves out matches from this time on.
    pub until: Option<String>,
    /// Only matches of these contexts \[all\].
    pub only: Vec<String>,
    /// A game of teams is a bad row.
    pub only_duels: bool,
}

/// Who takes matches as they are read.
pub trait TakeMatch {
    /// Why taking ends early.
    type Error: From<ImportError>;

    /// The names of the players of the next matches: a look-up may begin now.
    fn foresee<'n>(&mut self, names: impl Iterator<Item = &'n str>) {
        drop(names);
    }

    /// Takes a match.
    ///
    /// # Errors
    /// Why no more are to be read; `Ok(Err(...))` is what is wrong with this one, made by [`Match::refuse`] and the like: with
    /// `skip_bad` it is dropped and counted.
    fn take(&mut self, game: &Match<'_>) -> Result<Result<(), RowError>, Self::Error>;
}

/// What was found in a file, besides what was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Rows that were dropped.
    pub skipped: u64,
    /// Columns or keys that nothing looks at.
    pub unused: Vec<String>,
    /// What others are taken for, in the words of `--columns`, or as attributes: `("MatchDate", "time")`.
    pub taken: Vec<(String, String)>,
    /// What comes first in dates such as `03/05/2024`, where the dates of the file have told it.
    pub date_order: Option<DateOrder>,
    /// Whether commas in numbers of a file of matches are decimal, where these have told it.
    pub decimal_comma: Option<bool>,
    /// What the user should hear, a sentence each: what columns and numbers were taken for, what was dropped, and why.
    pub notes: Vec<String>,
}

/// The matches of an input.
///
/// As an iterator it gives each match as a value of its own; [`Matches::hand_over`] does without the copy. Memory is that of
/// some rows, and some bytes for each match that has an id; files with a row for each player, and those that are sorted,
/// are held as a whole, and matches until it is known how their dates or results are written.
pub struct Matches {
    games: Box<dyn Games>,
    damage: Damage,
    checks: Checks,
    undecided: Undecided,
    found: Vec<String>,
    /// What there is to say of all rows together.
    met: Vec<String>,
    unused: Rc<ColumnUse>,
    stage: Stage,
    /// For the iterator: matches that were read, and what came behind them.
    ready: VecDeque<Match<'static>>,
    failure: Option<ImportError>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Reading,
    Read,
    Failed,
}

impl Matches {
    /// Opens an input and reads how its rows are written.
    ///
    /// # Errors
    /// [`ImportError`] if it cannot be read, or its columns do not tell who played and how it ended; or if `since` or `until`
    /// is no time.
    pub fn open(input: Input, options: &MatchOptions) -> Result<Self, ImportError> {
        let times = TimeReader::new(options.time_unit).with_format(options.time_format.as_ref());
        let times = times.with_order(options.date_order);
        let window = [
            bound(options, "--since", options.since.as_ref())?,
            bound(options, "--until", options.until.as_ref())?,
        ];
        let Stream {
            name,
            mut text,
            damage,
            notes,
        } = input.stream()?;
        let is_of_chess = is_pgn(text.start()) || is_trf(text.start());
        let names_as_written = options.names_as_written || is_of_chess;
        let unused = Rc::new(ColumnUse::default());
        let (games, found) = games(text, options, &unused)
            .map_err(|error| damage.check().unwrap_or_else(|| name.in_row(error)))?;
        Ok(Self {
            games,
            damage,
            checks: Checks {
                bad: BadRows::new(name.clone(), options.skip_bad, ["match", "matches"]),
                name,
                times,
                window,
                outside: 0,
                unplayed: 0,
                rate_forfeits: options.rate_forfeits,
                ids: HashMap::new(),
                keep_repeats: options.keep_repeats,
                only: options.only.clone(),
                elsewhere: 0,
                met_contexts: BTreeMap::new(),
                only_duels: options.only_duels,
                held: Vec::new(),
                unsorted: options.sort.then(Vec::new),
                first_sides: FirstSides::default(),
                names_as_written: options.names_as_written,
                composed: None,
                comma: JoinedNames::new(names_as_written),
                taken: 0,
            },
            undecided: Undecided::default(),
            met: Vec::new(),
            found: notes.into_iter().chain(found).collect(),
            unused,
            stage: Stage::Reading,
            ready: VecDeque::new(),
            failure: None,
        })
    }

    /// What the input is called.
    #[must_use]
    pub const fn name(&self) -> &InputName {
        &self.checks.name
    }

    /// Hands all matches over, in order; those that were given by the iterator before are not among them.
    ///
    /// # Errors
    /// [`ImportError`] where a row cannot be used and is not to be dropped; what the taker fails with.
    pub fn hand_over<T: TakeMatch>(&mut self, taker: &mut T) -> Result<(), T::Error> {
        while self.hand_over_some(taker)? {}
        Ok(())
    }

    /// Hands the next few over; false once all were.
    fn hand_over_some<T: TakeMatch>(&mut self, taker: &mut T) -> Result<bool, T::Error> {
        if self.stage != Stage::Reading {
            return Ok(false);
        }
        let handed = self.some_more(taker);
        match handed {
            Ok(true) => {}
            Ok(false) => self.stage = Stage::Read,
            Err(_) => self.stage = Stage::Failed,
        }
        handed
    }

    fn some_more<T: TakeMatch>(&mut self, taker: &mut T) -> Result<bool, T::Error> {
        let Self {
            games,
            checks,
            undecided,
            damage,
            ..
        } = self;
        let taken = match games.some() {
            Batch::One(Some(game)) => {
                Some(undecided.pass(*game, &mut |game: Result<Match<'_>, RowError>| {
                    checks.take(game, taker)
                }))
            }
            Batch::Several(some) if !some.is_empty() => {
                if some.len() > 1 {
                    taker.foresee(some.iter().flatten().flat_map(Match::names));
                }
                let mut take = |game: Result<Match<'_>, RowError>| checks.take(game, taker);
                let mut some = some.into_iter();
                Some(some.try_for_each(|game| undecided.pass(game, &mut take)))
            }
            _ => None,
        };
        if let Some(taken) = taken {
            return match taken {
                Ok(()) => Ok(true),
                Err(failure) => Err(damage.check().map_or(failure, Into::into)),
            };
        }
        let met = games.finish();
        std::mem::take(undecided)
            .finish(&mut |game: Result<Match<'_>, RowError>| checks.take(game, taker))?;
        checks.let_go(taker)?;
        self.met = met.map_err(|error| checks.name.in_row(error))?;
        let mut unsorted = self.checks.unsorted.take().unwrap_or_default();
        unsorted.sort_by_key(Match::time);
        for game in &unsorted {
            self.checks.hand_over(game, taker)?;
        }
        Ok(false)
    }

    /// What rates more of those that were not played, if anything does.
    const fn forfeit_hint(&self) -> &'static str {
        if self.checks.rate_forfeits {
            ""
        } else {
            "; --forfeits rate rates those that a forfeit has won"
        }
    }

    /// What there is to say once all were read, by the names of all `players`, which the reader does not keep.
    ///
    /// # Errors
    /// [`ImportError`] if no match was taken, or if names look like lists of two.
    pub fn report<'n>(&self, players: impl Iterator<Item = &'n str> + Clone) -> Result<Report, ImportError> {
        let Checks {
            bad,
            name,
            times,
            outside,
            elsewhere,
            only,
            met_contexts,
            unplayed,
            comma,
            first_sides,
            composed,
            taken,
            ..
        } = &self.checks;
        let unused = self.unused.names();
        let mut notes = self.found.clone();
        notes.extend(unused_note(&unused, &MEANINGS));
        notes.extend(bad.note());
        notes.extend(times.notes());
        notes.extend(self.met.iter().cloned());
        let columns = self.unused.taken();
        let side = |wanted: &str| {
            let mut columns = columns.iter();
            let found = columns.find(|(_, meaning)| meaning == wanted);
            found.map_or("COLUMN", |(column, _)| column)
        };
        let teams = format!("team1={},team2={}", side("player1"), side("player2"));
        let joined = comma.check(&players, &columns_option(&teams));
        notes.extend(joined.map_err(|error| name.in_row(error))?);
        notes.extend(case_twins("players", players.clone()));
        notes.extend(seed_note(players));
        notes.extend(composed.as_deref().map(composed_note));
        notes.extend(first_sides.note());
        notes.extend(
            (*outside > 0).then(|| format!("left out {outside} matches before --since or from --until on")),
        );
        notes.extend(
            (*elsewhere > 0)
                .then(|| format!("left out {elsewhere} matches of other values than --where names")),
        );
        let lacking = only.iter().filter(|value| !met_contexts.contains_key(*value));
        let lacking: Vec<String> = lacking.map(|value| format!("`{}`", shown(value))).collect();
        notes.extend(
            (!lacking.is_empty()).then(|| format!("no match has {} (--where)", lacking.join(" or "))),
        );
        notes.extend((*unplayed > 0).then(|| {
            let what = if *unplayed == 1 {
                "match that was"
            } else {
                "matches that were"
            };
            format!(
                "left out {unplayed} {what} not played to a result{}",
                self.forfeit_hint()
            )
        }));
        match (taken, outside) {
            (0, _) if *elsewhere > 0 => Err(name.refuse(format!(
                "no match with a value that --where names, and {elsewhere} with others{}",
                commonest(met_contexts)
            ))),
            (0, 0) if *unplayed > 0 => Err(bad.refuse_all(&format!(
                "no match that was played to a result ({unplayed} were not){}",
                self.forfeit_hint()
            ))),
            (0, 0) => Err(bad.refuse_all("no match in it")),
            (0, _) => Err(name.refuse("no match between --since and --until")),
            _ => Ok(Report {
                skipped: bad.skipped(),
                unused,
                taken: self.unused.taken(),
                date_order: times.found_order(),
                decimal_comma: self.unused.decimal_comma(),
                notes,
            }),
        }
    }
}

/// Takes matches as values.
struct Ready(VecDeque<Match<'static>>);

impl TakeMatch for Ready {
    type Error = ImportError;

    fn take(&mut self, game: &Match<'_>) -> Result<Result<(), RowError>, ImportError> {
        self.0.push_back(game.clone().into_owned());
        Ok(Ok(()))
    }
}

impl Iterator for Matches {
    type Item = Result<Match<'static>, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut ready = Ready(std::mem::take(&mut self.ready));
        while ready.0.is_empty() && self.failure.is_none() {
            match self.hand_over_some(&mut ready) {
                Ok(true) => {}
                Ok(false) => break,
                // Behind the matches that were read before.
                Err(error) => self.failure = Some(error),
            }
        }
        self.ready = ready.0;
        let game = self.ready.pop_front().map(Ok);
        game.or_else(|| self.failure.take().map(Err))
    }
}

/// What each match goes through before it is taken.
#[allow(clippy::struct_excessive_bools, reason = "each is a choice of the user's")]
struct Checks {
    name: InputName,
    bad: BadRows,
    times: TimeReader,
    /// From and to when.
    window: [Option<i64>; 2],
    /// How many were outside of it.
    outside: u64,
    /// Which contexts are read, all if none are named, and how many matches had others.
    only: Vec<String>,
    elsewhere: u64,
    /// How many matches have each of these, and of the others so many as are told.
    met_contexts: BTreeMap<String, u64>,
    /// How many were not played, and whether forfeits are rated.
    unplayed: u64,
    rate_forfeits: bool,
    /// By the hash of its id, time and line of each match.
    ids: HashMap<u64, (i64, u64)>,
    keep_repeats: bool,
    only_duels: bool,
    /// Those whose times a later one must tell, and what came behind them.
    held: Vec<Match<'static>>,
    /// Those so far, if they are to be sorted.
    unsorted: Option<Vec<Match<'static>>>,
    first_sides: FirstSides,
    names_as_written: bool,
    /// The first name whose letters were composed.
    composed: Option<String>,
    comma: JoinedNames,
    taken: u64,
}

impl Checks {
    fn take<T: TakeMatch>(
        &mut self,
        game: Result<Match<'_>, RowError>,
        taker: &mut T,
    ) -> Result<(), T::Error> {
        let game = match game {
            Ok(mut game) if game.is_unplayed() => {
                // Dropped: it may tell what comes first in dates; nothing else of it counts.
                drop(game.read_time(&self.times));
                self.unplayed += 1;
                return Ok(());
            }
            game => game,
        };
        let game = game.map(|mut game| {
            if !self.names_as_written
                && let Some(name) = game.compose()
            {
                self.composed.get_or_insert(name);
            }
            game
        });
        let (game, is_known) = match game.and_then(|game| self.timed(game)) {
            Ok(timed) => timed,
            Err(error) => return Ok(self.bad.take(error)?),
        };
        if !self.times.knows_order() && (!is_known || !self.held.is_empty()) {
            self.held.push(game.into_owned());
            return Ok(());
        }
        self.let_go(taker)?;
        self.take_timed(game, taker)
    }

    /// Takes those that wait for what a later time tells.
    fn let_go<T: TakeMatch>(&mut self, taker: &mut T) -> Result<(), T::Error> {
        for game in std::mem::take(&mut self.held) {
            match self.timed(game) {
                Ok((game, true)) => self.take_timed(game, taker)?,
                Ok((game, false)) => self.bad.take(game.open_time(&self.times))?,
                Err(error) => self.bad.take(error)?,
            }
        }
        Ok(())
    }

    /// A match with its time, and whether that is known.
    fn timed<'g>(&self, mut game: Match<'g>) -> Result<(Match<'g>, bool), RowError> {
        if self.only_duels {
            game.check_duel()?;
        }
        let is_known = game.read_time(&self.times)?;
        Ok((game, is_known))
    }

    fn take_timed<T: TakeMatch>(&mut self, game: Match<'_>, taker: &mut T) -> Result<(), T::Error> {
        if let Err(error) = game.check_id(self.keep_repeats, &mut self.ids) {
            return Ok(self.bad.take(error)?);
        }
        let [since, until] = self.window;
        let time = game.time();
        if let Some(context) = game.context().filter(|_| !self.only.is_empty()) {
            let has_room = self.met_contexts.len() < MOST_MET || self.only.iter().any(|only| only == context);
            if let Some(met) = self.met_contexts.get_mut(context) {
                *met += 1;
            } else if has_room {
                self.met_contexts.insert(context.to_owned(), 1);
            }
        }
        if since.is_some_and(|since| time < since) || until.is_some_and(|until| time >= until) {
            self.outside += 1;
        } else if !self.only.is_empty() && !self.only.iter().any(|only| game.context() == Some(only)) {
            self.elsewhere += 1;
        } else if let Some(unsorted) = &mut self.unsorted {
            unsorted.push(game.into_owned());
        } else {
            self.hand_over(&game, taker)?;
        }
        Ok(())
    }

    fn hand_over<T: TakeMatch>(&mut self, game: &Match<'_>, taker: &mut T) -> Result<(), T::Error> {
        match taker.take(game)? {
            Ok(()) => {
                self.first_sides.add(game.first_won());
                self.comma.meet(game.line(), game.names());
                self.taken += 1;
            }
            Err(error) => self.bad.take(error)?,
        }
        Ok(())
    }
}

/// Other values are counted up to so many.
const MOST_MET: usize = 10_000;

/// The values that most matches have: `: dust (12), mill (3)`.
fn commonest(met: &BTreeMap<String, u64>) -> String {
    let mut all: Vec<(&String, &u64)> = met.iter().collect();
    all.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let named = all
        .iter()
        .take(5)
        .map(|(value, count)| format!("{} ({count})", shown(value)));
    let named = named.collect::<Vec<_>>().join(", ");
    if named.is_empty() {
        named
    } else {
        format!(": {named}")
    }
}

/// A time that bounds what is read, in the unit of the file's.
fn bound(options: &MatchOptions, name: &str, time: Option<&String>) -> Result<Option<i64>, ImportError> {
    let read = |text: &String| {
        let times = || TimeReader::new(options.time_unit).with_order(options.date_order);
        // As it is written in the file, or as dates are written anyway.
        let in_form = times().with_format(options.time_format.as_ref()).read(text);
        let read = in_form.or_else(|error| match options.time_format {
            Some(_) => times().read(text),
            None => Err(error),
        });
        read.map_err(|error| {
            let what = match error {
                TimeError::Open(_) => {
                    format!("`{}`, which may be two days; write it as 2004-08-06", shown(text))
                }
                error => error.into_words(),
            };
            ImportError::Option(format!("{name} is {what}"))
        })
    };
    time.map(read).transpose()
}
