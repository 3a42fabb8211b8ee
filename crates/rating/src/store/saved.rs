//! Saved ratings: a first part with everything, then parts with what came later.
//!
//! The format, version 1: the word `mwrating`, a byte with the version, then the parts. Before each part are its length (eight
//! bytes), the CRC-32 of these eight, and that of the part (four each); the least byte is first. A part is in postcard's format, in
//! which numbers keep every bit.

use std::borrow::Cow;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::error::SaveError;
use super::game::{RatesGames, StoredGame};
use super::log::{Block, Event, Happened, Log};
use super::roster::Roster;
use super::rules::{self, Rules, Season, Work};
use super::state::{Before, State};
use super::{EventNumber, Keep, RatingOf, RatingStore, Standing};
use crate::periods::RatingPeriod;

const WORD: &[u8; 8] = b"mwrating";
const VERSION: u8 = 1;
/// Before each part: its length, the checksum of that, and its own.
const HEAD: usize = 16;
/// What may be added before the file is written anew: a quarter of its first part, and this many bytes.
const ADDED: u64 = 1 << 16;
/// No store has as many: numbers above were not given by one.
const MOST_EVENTS: EventNumber = 1 << 62;

/// All of a store but its system.
#[derive(Serialize, Deserialize)]
#[serde(bound(
    serialize = "Id: Serialize + Clone, R: Serialize + Clone",
    deserialize = "Id: DeserializeOwned + Clone, R: DeserializeOwned + Clone"
))]
struct Whole<'a, Id: Clone, R: Clone> {
    period: Option<RatingPeriod>,
    keep: Keep,
    way_back: u64,
    next: EventNumber,
    forgotten_until: Option<i64>,
    players: Cow<'a, [Option<Id>]>,
    standings: Cow<'a, [Standing<R>]>,
    before: Before<R>,
    blocks: Vec<Cow<'a, Block>>,
    given: Vec<(EventNumber, R)>,
    seasons: Cow<'a, [Season]>,
}

/// What came later, in order of time.
#[derive(Serialize, Deserialize)]
struct More<Id, R> {
    /// Newcomers by number.
    players: Vec<(u32, Id)>,
    blocks: Vec<Block>,
    given: Vec<(EventNumber, R)>,
    seasons: Vec<Season>,
}

/// What of a store is not in the file.
#[derive(Clone, Debug)]
pub(super) enum Unsaved<G: StoredGame, R> {
    /// The past has changed.
    All,
    /// What came after all that is saved.
    Since(Box<Since<G, R>>),
}

#[derive(Clone, Debug)]
pub(super) struct Since<G: StoredGame, R> {
    path: PathBuf,
    /// How long the file is, and how long it was when it was written anew.
    len: u64,
    first_len: u64,
    players: Vec<u32>,
    /// Of the events.
    bytes: u64,
    events: Log<G::Numbered>,
    given: Vec<(EventNumber, R)>,
    seasons: Vec<Season>,
}

impl<G: StoredGame, R: Clone> Unsaved<G, R> {
    /// Nothing, of a file this long, that was `first_len` when it was written anew.
    fn nothing(path: &Path, len: u64, first_len: u64) -> Self {
        Self::Since(Box::new(Since {
            path: path.to_owned(),
            len,
            first_len,
            players: Vec::new(),
            bytes: 0,
            events: Log::default(),
            given: Vec::new(),
            seasons: Vec::new(),
        }))
    }

    pub(super) fn newcomer(&mut self, slot: u32) {
        if let Self::Since(since) = self {
            since.players.push(slot);
        }
    }

    pub(super) fn event(&mut self, is_last: bool, event: &Event<G::Numbered>, given: Option<&R>) {
        if let Self::Since(since) = self
            && is_last
            && let Ok(bytes) = since.events.push(event)
        {
            since.bytes += bytes as u64;
            let given = given.map(|rating| (event.number, rating.clone()));
            since.given.extend(given);
            // A file that has grown by so much is written anew.
            if since.bytes <= most_added(since.first_len) {
                return;
            }
        }
        *self = Self::All;
    }

    pub(super) fn season(&mut self, is_last: bool, season: Season) {
        match self {
            Self::Since(since) if is_last => {
                let later = since.seasons.partition_point(|one| one.time <= season.time);
                since.seasons.insert(later, season);
            }
            _ => *self = Self::All,
        }
    }
}

/// What is added to a file that was this long before it is written anew.
const fn most_added(first_len: u64) -> u64 {
    first_len / 4 + ADDED
}

/// Adds a part to `bytes`.
fn push_part(part: &impl Serialize, bytes: &mut Vec<u8>) -> Result<(), SaveError> {
    let part = postcard::to_stdvec(part).map_err(|error| SaveError::Unwritable(error.to_string()))?;
    let len = (part.len() as u64).to_le_bytes();
    bytes.extend(len);
    bytes.extend(crc32fast::hash(&len).to_le_bytes());
    bytes.extend(crc32fast::hash(&part).to_le_bytes());
    bytes.extend(part);
    Ok(())
}

/// The part that begins at `from`, and where it ends.
fn part(bytes: &[u8], from: usize) -> Result<(&[u8], usize), SaveError> {
    let truncated = SaveError::Truncated { whole: from };
    let Some((head, rest)) = bytes[from..].split_first_chunk::<HEAD>() else {
        return Err(truncated);
    };
    let crc_at = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
    let (len, _) = head.split_first_chunk::<8>().unwrap_or((&[0; 8], &[]));
    let until = from + HEAD;
    if crc32fast::hash(len) != crc_at(8) {
        // What a file system has not written after a crash is zeros.
        let is_unwritten = bytes[from..].iter().all(|&byte| byte == 0);
        let damaged = SaveError::Damaged { from, until };
        return Err(if is_unwritten { truncated } else { damaged });
    }
    let len = usize::try_from(u64::from_le_bytes(*len)).ok();
    let Some(part) = len.and_then(|len| rest.get(..len)) else {
        return Err(truncated);
    };
    let until = until + part.len();
    if crc32fast::hash(part) == crc_at(12) {
        Ok((part, until))
    } else if until == bytes.len() {
        Err(truncated)
    } else {
        Err(SaveError::Damaged { from, until })
    }
}

/// Whether there is a whole part anywhere after this byte.
fn is_followed(bytes: &[u8], from: usize) -> bool {
    (from + 1..bytes.len()).any(|from| part(bytes, from).is_ok())
}

fn decoded<'de, T: Deserialize<'de>>(part: &'de [u8]) -> Result<T, SaveError> {
    let (whole, rest) = postcard::take_from_bytes(part)
        .map_err(|_| SaveError::Contradiction("ratings and ids of the store's own kinds"))?;
    holds(rest.is_empty(), "nothing after the end of a part")?;
    Ok(whole)
}

fn holds(claim: bool, what: &'static str) -> Result<(), SaveError> {
    claim.then_some(()).ok_or(SaveError::Contradiction(what))
}

/// As many events as there are, each of known players, each once, in order of time.
fn check_events<G: StoredGame>(
    events: &Log<G::Numbered>,
    players: usize,
    after: Option<i64>,
    given: &[(EventNumber, impl Sized)],
) -> Result<(), SaveError> {
    let (mut slots, mut ratings) = (Vec::new(), Vec::new());
    let mut last = after.unwrap_or(i64::MIN);
    for event in events.iter() {
        holds(event.time >= last, "events in order of time")?;
        last = event.time;
        rules::slots_of::<G>(&event, &mut slots);
        slots.sort_unstable();
        let is_once = slots.windows(2).all(|pair| pair[0] != pair[1]);
        let is_known = slots.last().is_some_and(|&slot| (slot as usize) < players);
        holds(is_once && is_known, "known players in every event, each once")?;
        if matches!(event.what, Happened::Rated(_)) {
            ratings.push(event.number);
        }
    }
    ratings.sort_unstable();
    let mut given: Vec<EventNumber> = given.iter().map(|(number, _)| *number).collect();
    given.sort_unstable();
    holds(ratings == given, "a rating for every one that was set")
}

impl<S, G> RatingStore<S, G>
where
    S: RatesGames<G::Numbered>,
    S::Rating: Serialize,
    G: StoredGame,
    G::Player: Serialize,
{
    /// All but the system, in a format of the store's own that keeps every bit: for a place that is no file. It can be part of
    /// any other format that has bytes.
    ///
    /// # Errors
    /// [`SaveError::Unwritable`] if an id or a rating does not let itself be written.
    pub fn to_bytes(&self) -> Result<Vec<u8>, SaveError> {
        let whole = Whole {
            period: self.rules.period,
            keep: self.keep,
            way_back: self.state.seats as u64,
            next: self.next,
            forgotten_until: self.forgotten_until,
            players: Cow::Borrowed(self.roster.ids()),
            standings: Cow::Borrowed(&self.state.now),
            before: self.state.before(self.forgotten_until.is_none()),
            blocks: self.log.blocks().map(Cow::Borrowed).collect(),
            given: self
                .rules
                .given
                .iter()
                .map(|(number, rating)| (*number, rating.clone()))
                .collect(),
            seasons: Cow::Borrowed(&self.rules.seasons),
        };
        let mut bytes = WORD.to_vec();
        bytes.push(VERSION);
        push_part(&whole, &mut bytes)?;
        Ok(bytes)
    }

    /// Writes all to a file, or adds what is new to the file that the last save wrote. Gives the number of bytes that it wrote.
    ///
    /// It adds as long as nothing but later events came in, and the file has not grown by a quarter; else the file is written
    /// anew, beside the old one, in whose place it then comes. A crash at any time leaves what was saved last. A file is for one
    /// store at a time: one that another has written since is written anew.
    ///
    /// ```
    /// use matchwright_rating::store::{Duel, RatingStore};
    /// use matchwright_rating::{EloParams, Score};
    ///
    /// # let folder = std::env::temp_dir().join(format!("matchwright-save-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder)?;
    /// let path = folder.join("ratings");
    /// let elo = EloParams::default().build()?;
    /// let mut store = RatingStore::by_game(elo);
    /// store.add(0, Duel::new("ann".to_owned(), "bob".to_owned(), Score::WIN))?;
    /// store.save(&path)?;
    /// store.add(5, Duel::new("ann".to_owned(), "cyd".to_owned(), Score::WIN))?;
    /// // The game and a name.
    /// assert!(store.save(&path)? < 50);
    ///
    /// let again: RatingStore<_, Duel<String>> = RatingStore::open(elo, &path)?;
    /// assert_eq!(again.standing("ann"), store.standing("ann"));
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SaveError::File`] if the file cannot be written, [`SaveError::Unwritable`] if an id or a rating cannot.
    pub fn save(&mut self, path: impl AsRef<Path>) -> Result<u64, SaveError> {
        let path = path.as_ref();
        if let Some(written) = self.save_more(path)? {
            return Ok(written);
        }
        let bytes = self.to_bytes()?;
        write_anew(path, &bytes).map_err(|error| of_file(path, error))?;
        let len = bytes.len() as u64;
        self.unsaved = Unsaved::nothing(path, len, len);
        Ok(len)
    }

    /// Adds what is new, if that does.
    fn save_more(&mut self, path: &Path) -> Result<Option<u64>, SaveError> {
        let Unsaved::Since(since) = &mut self.unsaved else {
            return Ok(None);
        };
        let is_the_same = fs::metadata(path).is_ok_and(|file| file.len() == since.len);
        if since.path != path || !is_the_same {
            return Ok(None);
        }
        if since.players.is_empty() && since.events.len() == 0 && since.seasons.is_empty() {
            return Ok(Some(0));
        }
        let named = |&slot: &u32| Some((slot, self.roster.id(slot)?.clone()));
        let more = More {
            players: since.players.iter().filter_map(named).collect(),
            blocks: since.events.blocks().cloned().collect(),
            given: since.given.clone(),
            seasons: since.seasons.clone(),
        };
        let mut bytes = Vec::new();
        push_part(&more, &mut bytes)?;
        let len = since.len + bytes.len() as u64;
        let first_len = since.first_len;
        if len - first_len > most_added(first_len) {
            return Ok(None);
        }
        // Until it is there, nothing is.
        self.unsaved = Unsaved::All;
        let append = || {
            let mut file = OpenOptions::new().append(true).open(path)?;
            file.write_all(&bytes)?;
            file.sync_data()
        };
        append().map_err(|error| of_file(path, error))?;
        self.unsaved = Unsaved::nothing(path, len, first_len);
        Ok(Some(bytes.len() as u64))
    }
}

impl<S, G> RatingStore<S, G>
where
    S: RatesGames<G::Numbered>,
    S::Rating: DeserializeOwned,
    G: StoredGame,
    G::Player: DeserializeOwned,
{
    /// The store that was [saved](Self::save) in a file. `system` must be the one that it was saved under: ratings say nothing
    /// of it.
    ///
    /// Cost: the file is read, and the events that were added since it was written anew are rated again.
    ///
    /// # Errors
    /// [`SaveError`] if the file cannot be read, or is not what was saved. Of a save that a crash cut off, what was before it
    /// is there: [`torn`](Self::torn) tells.
    pub fn open(system: S, path: impl AsRef<Path>) -> Result<Self, SaveError> {
        let path = path.as_ref();
        let bytes = fs::read(path).map_err(|error| of_file(path, error))?;
        let (mut store, first, whole) = Self::read(system, &bytes)?;
        store.torn = bytes.len() - whole;
        if store.torn == 0 {
            store.unsaved = Unsaved::nothing(path, whole as u64, first as u64);
        }
        Ok(store)
    }

    /// The store whose [bytes](Self::to_bytes) these are, or a file's. `system` must be the one that it was saved under: ratings
    /// say nothing of it.
    ///
    /// # Errors
    /// [`SaveError`] if they are not whole, or contradict themselves.
    pub fn from_bytes(system: S, bytes: &[u8]) -> Result<Self, SaveError> {
        let (store, _, whole) = Self::read(system, bytes)?;
        if whole < bytes.len() {
            return Err(SaveError::Truncated { whole });
        }
        Ok(store)
    }

    /// The store of as many parts as are whole, and where the first and the last of them end.
    fn read(system: S, bytes: &[u8]) -> Result<(Self, usize, usize), SaveError> {
        let Some(rest) = bytes.strip_prefix(WORD) else {
            return Err(SaveError::NotSaved);
        };
        match rest.first() {
            Some(&VERSION) => {}
            Some(&found) => {
                let latest = VERSION;
                return Err(SaveError::Version { found, latest });
            }
            None => return Err(SaveError::Truncated { whole: WORD.len() }),
        }
        let (whole, first) = part(bytes, WORD.len() + 1)?;
        let mut store = Self::of_whole(system, decoded(whole)?)?;
        let mut until = first;
        while until < bytes.len() {
            let more = match part(bytes, until) {
                Ok((more, end)) => {
                    until = end;
                    more
                }
                Err(SaveError::Truncated { .. }) => break,
                // A save that was cut off has left anything, and nothing whole after it.
                Err(SaveError::Damaged { .. }) if !is_followed(bytes, until) => break,
                Err(error) => return Err(error),
            };
            store.go_on(decoded(more)?)?;
        }
        Ok((store, first, until))
    }

    fn of_whole(system: S, whole: Whole<'_, G::Player, RatingOf<S, G>>) -> Result<Self, SaveError> {
        let (players, standings) = (whole.players.into_owned(), whole.standings.into_owned());
        holds(players.len() == standings.len(), "as many players as standings")?;
        let can_be_numbered = u32::try_from(players.len()).is_ok();
        holds(can_be_numbered, "no more players than can be numbered")?;
        let blocks = whole.blocks.into_iter().map(Cow::into_owned).collect();
        let log = Log::of_blocks(blocks).ok_or(SaveError::Contradiction("whole blocks of events"))?;
        check_events::<G>(&log, players.len(), whole.forgotten_until, &whole.given)?;
        let numbers = log.iter().map(|event| event.number);
        let mut numbers: Vec<_> = numbers
            .chain(whole.seasons.iter().map(|one| one.number))
            .collect();
        numbers.sort_unstable();
        let is_once = numbers.windows(2).all(|pair| pair[0] < pair[1]);
        let is_taken = numbers.last().is_none_or(|&last| last < whole.next) && whole.next <= MOST_EVENTS;
        holds(is_once && is_taken, "every event's number once")?;
        check_seasons(&whole.seasons)?;
        let ends = log.first_time().zip(log.last_time());
        let is_kept = ends.is_none_or(|(first, last)| !whole.keep.lets_go(log.len(), first, last));
        holds(is_kept, "no more events than are kept")?;
        let mut slots = Vec::new();
        let in_events = log.iter().flat_map(|event| {
            rules::slots_of::<G>(&event, &mut slots);
            slots.clone()
        });
        let in_events: Vec<u32> = in_events.collect();
        let state = State::of(standings, whole.before, log.len());
        let mut state = state.ok_or(SaveError::Contradiction("known players in all that was replaced"))?;
        state.seats = usize::try_from(whole.way_back).unwrap_or(usize::MAX);
        let is_each = !state.can_take_back(log.len()) || state.replaced_slots().eq(in_events.iter().copied());
        holds(is_each, "what every event replaced")?;
        let roster = Roster::of(players, in_events.into_iter());
        let mut rules = Rules::new(system, whole.period);
        rules.seasons = whole.seasons.into_owned();
        rules.given = whole.given.into_iter().collect();
        Ok(Self {
            rules,
            roster: roster.ok_or(SaveError::Contradiction("every player once"))?,
            state,
            log,
            keep: whole.keep,
            next: whole.next,
            forgotten_until: whole.forgotten_until,
            unsaved: Unsaved::All,
            torn: 0,
            slots,
            work: Work::default(),
        })
    }

    /// Goes on with what came later.
    fn go_on(&mut self, more: More<G::Player, RatingOf<S, G>>) -> Result<(), SaveError> {
        for (slot, id) in more.players {
            holds(self.roster.welcome(slot, id), "a number for every newcomer")?;
        }
        let newcomer = self.rules.newcomer();
        self.state.greet(self.roster.ids().len(), &newcomer);
        let events = Log::of_blocks(more.blocks).ok_or(SaveError::Contradiction("whole blocks of events"))?;
        let players = self.roster.ids().len();
        check_events::<G>(&events, players, self.last_time(), &more.given)?;
        check_seasons(&more.seasons)?;
        let numbers = events.iter().map(|event| event.number);
        let mut numbers: Vec<_> = numbers.chain(more.seasons.iter().map(|one| one.number)).collect();
        numbers.sort_unstable();
        let all = std::iter::once(self.next).chain(numbers.iter().copied());
        let is_once = all.is_sorted() && numbers.windows(2).all(|two| two[0] < two[1]);
        // Those between were refused.
        self.next = numbers.last().map_or(self.next, |last| last.saturating_add(1));
        holds(is_once && self.next <= MOST_EVENTS, "every event's number once")?;
        for season in more.seasons {
            let is_new = self.last_time().is_none_or(|last| season.time > last);
            holds(is_new, "seasons after the events before them")?;
            self.rules.start(season);
        }
        self.rules.given.extend(more.given);
        let rated = self.rate_all(events.iter());
        rated.map_err(|error| SaveError::Unwritable(error.to_string()))
    }
}

fn check_seasons(seasons: &[Season]) -> Result<(), SaveError> {
    let is_sorted = seasons.is_sorted_by_key(|season| season.time);
    let is_checked = seasons.iter().all(|season| season.change.checked().is_ok());
    holds(is_sorted && is_checked, "seasons in order of time")
}

fn of_file(path: &Path, error: io::Error) -> SaveError {
    SaveError::File {
        path: path.to_owned(),
        error,
    }
}

/// Puts a whole file in the place of an older one, or of none.
fn write_anew(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    // No other file is called so.
    name.push(".matchwright-new");
    let new = path.with_file_name(name);
    let mut file = File::create(&new)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&new, path)?;
    #[cfg(unix)]
    if let Some(folder) = path.parent() {
        let here = folder.as_os_str().is_empty();
        File::open(if here { Path::new(".") } else { folder })?.sync_all()?;
    }
    Ok(())
}
