//! The result `T`: true beside `F`, a tie beside `W` and `L`, and nothing by itself. All results of a file decide.

use crate::error::{Fault, RowError};
use crate::matches::games::{Field, Match, Standings};

/// What a result says of the letters that a file writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Letter {
    /// `T`
    T,
    /// `F`
    F,
    /// Another word for true or false.
    Truth,
    /// A word for won or lost.
    WonLost,
}

impl Letter {
    pub(crate) fn of(text: &str) -> Option<Self> {
        // No other word is as short or begins so.
        if text.len() > 7 || !text.as_bytes().first().is_some_and(u8::is_ascii_alphabetic) {
            return None;
        }
        match &*text.to_ascii_lowercase() {
            "t" => Some(Self::T),
            "f" => Some(Self::F),
            "false" | "true" => Some(Self::Truth),
            "w" | "l" | "win" | "won" | "victory" | "loss" | "lose" | "lost" | "defeat" => {
                Some(Self::WonLost)
            }
            _ => None,
        }
    }
}

/// A result in such letters.
#[derive(Clone)]
pub(crate) struct Said {
    pub(crate) letter: Letter,
    /// The name of its column, and where it stands.
    name: String,
    column: u64,
    /// What a `T` makes of the game: as a win of the first side, and as a tie.
    pub(crate) with_t: Option<[Result<Standings, Fault>; 2]>,
}

impl Said {
    pub(crate) fn new(
        letter: Letter,
        result: Field<'_>,
        with_t: Option<[Result<Standings, Fault>; 2]>,
    ) -> Box<Self> {
        Box::new(Self {
            letter,
            name: result.name.into_owned(),
            column: result.column,
            with_t,
        })
    }

    pub(crate) fn refuse(&self, what: &str) -> Fault {
        (self.column, format!("{} is {what}", self.name))
    }
}

/// What letters a file has.
#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct Letters {
    truth: bool,
    won_lost: bool,
    t: bool,
    f: bool,
}

impl Letters {
    pub(crate) fn add(&mut self, letter: Letter) {
        match letter {
            Letter::T => self.t = true,
            Letter::F => self.f = true,
            Letter::Truth => self.truth = true,
            Letter::WonLost => self.won_lost = true,
        }
    }

    /// Whether `T` is a win, in contrast to a tie; none where nothing tells, or all.
    pub(crate) const fn t_is_true(self) -> Option<bool> {
        match (self.truth || self.f, self.won_lost) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            _ => None,
        }
    }

    /// Whether there is a `T`, which would be both true and a tie.
    const fn contradict(self) -> bool {
        self.t && (self.truth || self.f) && self.won_lost
    }

    /// Whether there is an `F` without a word for true.
    pub(crate) const fn has_lone_f(self) -> bool {
        self.f && !self.t && !self.truth
    }
}

/// What is wrong with a `T` of which nothing tells what it is.
pub(crate) const OPEN_T: &str =
    "`T`: true, or a tie? It is true beside F, and a tie beside W and L; write win, draw or loss";

/// What is wrong with an `F` where nothing is true.
pub(crate) const LONE_F: &str = "`F`: false? No result is T; write win, draw or loss";

/// What is wrong with a word for won or lost beside `T` and `F`, or the other way round.
const BOTH: &str = "in letters for true and false in some rows and for won and lost in others, so that `T` may be true or a \
                    tie; write win, draw or loss";

/// Games that wait until it is known what `T` is.
#[derive(Default)]
pub(crate) struct Undecided {
    letters: Letters,
    first_f: Option<RowError>,
    waiting: Vec<Result<Match<'static>, RowError>>,
}

impl Undecided {
    /// Hands a game on, and those that waited, as soon as what `T` is is known.
    pub(crate) fn pass<E>(
        &mut self,
        game: Result<Match<'_>, RowError>,
        take: &mut impl FnMut(Result<Match<'_>, RowError>) -> Result<(), E>,
    ) -> Result<(), E> {
        let letter = game.as_ref().ok().and_then(Match::letter);
        if let Some(letter) = letter {
            self.letters.add(letter);
        }
        if let (Some(_), Ok(game), true) = (letter, &game, self.letters.contradict()) {
            let error = RowError::new(game.line, game.refuse_letter(BOTH));
            return take(Err(error));
        }
        if let (Some(Letter::F), Ok(game), None) = (letter, &game, &self.first_f) {
            self.first_f = Some(RowError {
                fatal: true,
                ..RowError::new(game.line, game.refuse_letter(LONE_F))
            });
        }
        if !self.letters.t {
            return take(game);
        }
        match self.letters.t_is_true() {
            Some(is_true) if self.waiting.is_empty() => take(decided(game, Some(is_true))),
            Some(is_true) => {
                self.waiting.push(game.map(Match::into_owned));
                self.release(Some(is_true), take)
            }
            None => {
                self.waiting.push(game.map(Match::into_owned));
                Ok(())
            }
        }
    }

    /// Hands on what waits still.
    pub(crate) fn finish<E>(
        mut self,
        take: &mut impl FnMut(Result<Match<'_>, RowError>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.release(None, take)?;
        match self.first_f.filter(|_| self.letters.has_lone_f()) {
            Some(error) => take(Err(error)),
            None => Ok(()),
        }
    }

    fn release<E>(
        &mut self,
        is_true: Option<bool>,
        take: &mut impl FnMut(Result<Match<'_>, RowError>) -> Result<(), E>,
    ) -> Result<(), E> {
        let waiting = std::mem::take(&mut self.waiting).into_iter();
        waiting.map(|game| decided(game, is_true)).try_for_each(take)
    }
}

/// A game whose `T`, if it has one, is a win or a tie.
fn decided(game: Result<Match<'_>, RowError>, is_true: Option<bool>) -> Result<Match<'_>, RowError> {
    let game = game?;
    match (game.letter(), is_true) {
        (Some(Letter::T), Some(is_true)) => game.with_t(is_true),
        (Some(Letter::T), None) => Err(RowError::new(game.line, game.refuse_letter(OPEN_T))),
        _ => Ok(game),
    }
}
