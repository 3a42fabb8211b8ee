//! Games that wait until all results of their file have told what `T` is.

use crate::error::RowError;
use crate::matches::games::Match;
use crate::matches::letters::Letter;

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
