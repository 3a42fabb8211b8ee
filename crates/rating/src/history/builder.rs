//! [`HistoryBuilder`]: checks named games one by one and adds them to a history.

use std::collections::{HashMap, HashSet};

use super::names::NameIndex;
use super::{History, HistoryError, PlayerIndex, Seat, Side, StartRating};
use crate::score::Score;
use crate::team::LEAST_SHARE;

/// A seat as it comes from outside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NamedSeat<'a> {
    /// The player's name.
    pub player: &'a str,
    /// As [`Seat::share`](super::Seat::share).
    pub share: f64,
    /// As [`Seat::party`](super::Seat::party).
    pub party: Option<u32>,
    /// As [`Seat::performance`](super::Seat::performance).
    pub performance: Option<f64>,
}

impl<'a> NamedSeat<'a> {
    /// A player who queued alone and played the whole game.
    #[must_use]
    pub const fn whole(player: &'a str) -> Self {
        Self {
            player,
            share: 1.0,
            party: None,
            performance: None,
        }
    }
}

/// A side as it comes from outside.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedSide<'a> {
    /// 1 for the winners, then 2 and so on; equal places are draws. Only their order counts.
    pub place: u32,
    /// As [`Side::score`](super::Side::score).
    pub score: f64,
    /// Its members.
    pub seats: Vec<NamedSeat<'a>>,
}

/// A game as it comes from outside, with names.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedGame<'a> {
    /// When it ended, Unix seconds.
    pub time: i64,
    /// What was played: a mode, a map, a surface; none if unknown.
    pub context: Option<&'a str>,
    /// Two or more.
    pub sides: Vec<NamedSide<'a>>,
}

impl<'a> NamedGame<'a> {
    /// One player against one: `result` and `score_difference`, own minus other score, are the first player's. Any
    /// result above 1/2 is a win, any below a loss.
    #[must_use]
    pub fn duel(time: i64, players: [&'a str; 2], result: Score, score_difference: f64) -> Self {
        let places = [
            1 + u32::from(result < Score::DRAW),
            1 + u32::from(result > Score::DRAW),
        ];
        let side = |k: usize, score| NamedSide {
            place: places[k],
            score,
            seats: vec![NamedSeat::whole(players[k])],
        };
        Self {
            time,
            context: None,
            sides: vec![side(0, score_difference), side(1, 0.0)],
        }
    }
}

/// Collects games one by one and refuses those that would spoil the history; a refused game changes nothing, so a
/// caller may count it and go on.
///
/// ```
/// use matchwright_rating::history::{HistoryBuilder, HistoryError, NamedGame, NamedSeat, NamedSide};
///
/// let side = |place, names: [&'static str; 2]| NamedSide { place, score: 0.0, seats: names.map(NamedSeat::whole).to_vec() };
/// let game = NamedGame { time: 100, context: None, sides: vec![side(1, ["ann", "bob"]), side(2, ["cyd", "dot"])] };
/// let mut builder = HistoryBuilder::default();
/// builder.push(&game)?;
/// assert_eq!(builder.push(&game), Err(HistoryError::Duplicate));
/// let torn = NamedGame { time: 200, context: None, sides: vec![side(1, ["ann", "bob"]), side(2, ["cyd", "ann"])] };
/// assert_eq!(
///     builder.push(&torn).unwrap_err().to_string(),
///     "player `ann` plays against itself, on sides 1 and 2",
/// );
/// assert_eq!(builder.finish().len(), 1);
/// # Ok::<(), HistoryError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct HistoryBuilder {
    history: History,
    index: NameIndex,
    contexts: HashMap<String, u32>,
    draft: Draft,
    /// When the latest game ended.
    last: Option<i64>,
    /// Games of the latest second, up to `compared`.
    this_second: HashSet<CanonicalGame>,
    /// The first game of the history that is of the latest second and not yet among these.
    compared: usize,
    keep_repeats: bool,
}

/// The game that is being told, with room that later games use again.
#[derive(Clone, Debug, Default)]
struct Draft {
    time: i64,
    /// Empty if unknown.
    context: String,
    sides: Vec<DraftSide>,
    seats: Vec<Seat>,
    /// The players before it.
    known: usize,
    /// Whether indices ran out.
    is_full: bool,
    /// Places in order, and players with their sides: for checks.
    places: Vec<u32>,
    members: Vec<(PlayerIndex, usize)>,
    ranks: Vec<u16>,
}

#[derive(Clone, Copy, Debug)]
struct DraftSide {
    place: u32,
    score: f64,
    /// Where its seats begin.
    start: usize,
}

/// A game in a form that does not depend on the order of its sides and players: by side, in the order of their
/// players, the sorted players, the rank, and the bits of the score less that of the first of these sides.
type CanonicalGame = Vec<(Vec<PlayerIndex>, u16, u64)>;

/// A game that is told side by side and seat by seat, by [`HistoryBuilder::start`]; dropped before
/// [`finish`](Self::finish), it was never there.
#[derive(Debug)]
pub struct GameEntry<'b>(&'b mut HistoryBuilder);

impl GameEntry<'_> {
    /// What was played: a mode, a map, a surface. An empty name is none.
    ///
    /// ```
    /// use matchwright_rating::history::{HistoryBuilder, HistoryError, NamedSeat};
    ///
    /// let mut builder = HistoryBuilder::default();
    /// for (time, surface) in [(100, "clay"), (200, ""), (300, "clay")] {
    ///     let mut game = builder.start(time);
    ///     game.context(surface).side(1, 0.0).seat(NamedSeat::whole("ann"));
    ///     game.side(2, 0.0).seat(NamedSeat::whole("bob"));
    ///     game.finish()?;
    /// }
    /// let history = builder.finish();
    /// let played: Vec<_> = history.games().map(|game| game.context()).collect();
    /// assert_eq!((played, history.contexts()), (vec![Some(0), None, Some(0)], &["clay".to_owned()][..]));
    /// # Ok::<(), HistoryError>(())
    /// ```
    pub fn context(&mut self, name: &str) -> &mut Self {
        let context = &mut self.0.draft.context;
        context.clear();
        context.push_str(name);
        self
    }

    /// The next side: its place as in [`NamedSide::place`], its score as in [`Side::score`](super::Side::score).
    #[inline]
    pub fn side(&mut self, place: u32, score: f64) -> &mut Self {
        let draft = &mut self.0.draft;
        let start = draft.seats.len();
        draft.sides.push(DraftSide { place, score, start });
        self
    }

    /// The next seat of the latest side; before the first side it counts for nothing.
    #[inline]
    pub fn seat(&mut self, seat: NamedSeat<'_>) -> &mut Self {
        let HistoryBuilder {
            history,
            index,
            draft,
            ..
        } = &mut *self.0;
        match index.number(seat.player, &mut history.players) {
            Some(player) if !draft.sides.is_empty() => draft.seats.push(Seat {
                player,
                share: seat.share,
                party: seat.party,
                performance: seat.performance,
            }),
            Some(_) => {}
            None => draft.is_full = true,
        }
        self
    }

    /// As [`seat`](Self::seat), of a player who queued alone and played the whole game, by the index that an earlier game
    /// of this builder gave it: nothing is looked up. An index that no player has counts for nothing.
    ///
    /// ```
    /// use matchwright_rating::Score;
    /// use matchwright_rating::history::{HistoryBuilder, NamedGame};
    ///
    /// let mut builder = HistoryBuilder::default();
    /// builder.push(&NamedGame::duel(1, ["ann", "bob"], Score::WIN, 0.0))?;
    /// let mut game = builder.start(2);
    /// game.side(1, 0.0).known_seat(1).side(2, 0.0).known_seat(0);
    /// game.finish()?;
    /// let history = builder.finish();
    /// assert_eq!((history.len(), history.players().len()), (2, 2));
    /// # Ok::<(), matchwright_rating::history::HistoryError>(())
    /// ```
    pub fn known_seat(&mut self, player: PlayerIndex) -> &mut Self {
        let HistoryBuilder { history, draft, .. } = &mut *self.0;
        if (player as usize) < history.players.len() && !draft.sides.is_empty() {
            draft.seats.push(Seat {
                player,
                share: 1.0,
                party: None,
                performance: None,
            });
        }
        self
    }

    /// Adds the game, or says why not. n ln n for n seats of the game, whatever the history.
    ///
    /// # Errors
    /// [`HistoryError`] names the side, the player or the seconds that are wrong.
    pub fn finish(self) -> Result<(), HistoryError> {
        self.0.admit()?;
        // Its players are known from now on.
        self.0.draft.known = self.0.history.players.len();
        Ok(())
    }
}

impl Drop for GameEntry<'_> {
    fn drop(&mut self) {
        let builder = &mut *self.0;
        builder
            .index
            .forget(builder.draft.known, &mut builder.history.players);
    }
}

impl HistoryBuilder {
    /// Takes games that look like repetitions for games of their own. Where times are whole days and scores unknown, the
    /// same sides may well have met twice.
    #[must_use]
    pub fn keep_repeats(mut self, keep: bool) -> Self {
        self.keep_repeats = keep;
        self
    }

    /// Ratings that players have before their first game, by name; other players are newcomers. They are kept, whatever they are:
    /// a rater takes them within the limits of its ratings.
    ///
    /// ```
    /// use matchwright_rating::Score;
    /// use matchwright_rating::history::{HistoryBuilder, HistoryError, NamedGame, StartRating};
    ///
    /// let known = StartRating { rating: 1900.0, deviation: Some(60.0) };
    /// let mut builder = HistoryBuilder::default().with_starts([("bob".to_owned(), known)]);
    /// builder.push(&NamedGame::duel(0, ["ann", "bob"], Score::WIN, 0.0))?;
    /// let history = builder.finish();
    /// assert_eq!((history.start_of(0), history.start_of(1)), (None, Some(known)));
    /// # Ok::<(), HistoryError>(())
    /// ```
    #[must_use]
    pub fn with_starts(mut self, starts: impl IntoIterator<Item = (String, StartRating)>) -> Self {
        self.history.starts = starts.into_iter().collect();
        self
    }

    /// Adds a game, or says why not. n ln n for n seats of the game, whatever the history.
    ///
    /// # Errors
    /// [`HistoryError`] names the side, the player or the seconds that are wrong.
    pub fn push(&mut self, game: &NamedGame<'_>) -> Result<(), HistoryError> {
        let mut entry = self.start(game.time);
        entry.context(game.context.unwrap_or_default());
        for side in &game.sides {
            entry.side(side.place, side.score);
            for &seat in &side.seats {
                entry.seat(seat);
            }
        }
        entry.finish()
    }

    /// Begins a game that ended at `time`, Unix seconds: as [`push`](Self::push), without a [`NamedGame`] to allocate.
    ///
    /// ```
    /// use matchwright_rating::history::{HistoryBuilder, NamedSeat};
    ///
    /// let mut builder = HistoryBuilder::default();
    /// let mut game = builder.start(100);
    /// game.side(1, 3.0).seat(NamedSeat::whole("ann"));
    /// game.side(2, 1.0).seat(NamedSeat::whole("bob"));
    /// game.finish()?;
    /// assert_eq!(builder.so_far().players(), ["ann", "bob"]);
    /// # Ok::<(), matchwright_rating::history::HistoryError>(())
    /// ```
    pub fn start(&mut self, time: i64) -> GameEntry<'_> {
        let draft = &mut self.draft;
        draft.time = time;
        draft.context.clear();
        draft.sides.clear();
        draft.seats.clear();
        draft.known = self.history.players.len();
        draft.is_full = false;
        GameEntry(self)
    }

    /// Looks for players of games that come next, all at once: each is then found sooner, without a wait for memory, and
    /// nothing else changes. A few dozen names at a time are worth it, where thousands of players are known.
    ///
    /// ```
    /// use matchwright_rating::Score;
    /// use matchwright_rating::history::{HistoryBuilder, NamedGame};
    ///
    /// let games = [["ann", "bob"], ["cyd", "ann"]];
    /// let mut builder = HistoryBuilder::default();
    /// builder.foresee(games.into_iter().flatten());
    /// for (time, players) in (0..).zip(games) {
    ///     builder.push(&NamedGame::duel(time, players, Score::WIN, 0.0))?;
    /// }
    /// assert_eq!(builder.finish().players(), ["ann", "bob", "cyd"]);
    /// # Ok::<(), matchwright_rating::history::HistoryError>(())
    /// ```
    pub fn foresee<'n>(&self, names: impl IntoIterator<Item = &'n str>) {
        self.index.touch(names);
    }

    /// How many games are in.
    #[must_use]
    pub fn len(&self) -> usize {
        self.history.len()
    }

    /// Whether no game is in yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.history.is_empty()
    }

    /// The history so far.
    #[must_use]
    pub fn so_far(&self) -> &History {
        &self.history
    }

    /// Forgets the games, but not the players: what comes next is checked as if they were still there. So a history of
    /// any length can be gone through in pieces, in memory for its players and one piece.
    ///
    /// ```
    /// use matchwright_rating::Score;
    /// use matchwright_rating::history::{HistoryBuilder, HistoryError, NamedGame};
    ///
    /// let mut builder = HistoryBuilder::default();
    /// let game = NamedGame::duel(100, ["ann", "bob"], Score::WIN, 0.0);
    /// builder.push(&game)?;
    /// builder.forget_games();
    /// assert!(builder.is_empty());
    /// assert_eq!(builder.push(&game), Err(HistoryError::Duplicate));
    /// builder.push(&NamedGame::duel(200, ["bob", "cyd"], Score::WIN, 0.0))?;
    /// assert_eq!(builder.so_far().game(0).side(0).players(), [1]);
    /// # Ok::<(), HistoryError>(())
    /// ```
    pub fn forget_games(&mut self) {
        self.compare();
        self.compared = 0;
        self.history.forget_games();
    }

    /// The history, in no more memory than it needs.
    #[must_use]
    pub fn finish(self) -> History {
        let mut history = self.history;
        history.players.shrink_to_fit();
        history.contexts.shrink_to_fit();
        history.times.shrink_to_fit();
        history.played.shrink();
        history.sides.shrink();
        history.ranks.shrink_to_fit();
        history.scores.shrink();
        history.seats.shrink();
        history.seated.shrink_to_fit();
        history.shares.shrink();
        history.parties.shrink();
        history.performances.shrink();
        history
    }

    /// Checks the draft and adds it; a refused one changes nothing.
    fn admit(&mut self) -> Result<(), HistoryError> {
        let (draft, history) = (&mut self.draft, &self.history);
        draft.check(&history.players)?;
        let last = self.last;
        if let Some(last) = last.filter(|&last| draft.time < last) {
            return Err(HistoryError::Unsorted {
                seconds: last.abs_diff(draft.time),
            });
        }
        if draft.is_full {
            return Err(HistoryError::TooManyPlayers);
        }
        if u32::try_from(history.seated.len() + draft.seats.len()).is_err() {
            return Err(HistoryError::TooManyGames);
        }
        if last != Some(draft.time) {
            // Nothing else can fail: there is no earlier game of this second to repeat.
            self.this_second.clear();
            self.compared = history.len();
        } else if !self.keep_repeats {
            self.compare();
            if self.this_second.contains(&canonical(self.draft.numbered())) {
                return Err(HistoryError::Duplicate);
            }
        }
        self.add();
        Ok(())
    }

    /// Takes up the games of the latest second that no later game was compared with yet.
    fn compare(&mut self) {
        let history = &self.history;
        if self.keep_repeats {
            return;
        }
        for game in (self.compared..history.len()).map(|index| history.game(index)) {
            let side = |side: Side<'_>| (side.players().to_vec(), side.rank(), side.score());
            self.this_second.insert(canonical(game.sides().map(side)));
        }
        self.compared = history.len();
    }

    /// Adds the draft, which was checked.
    fn add(&mut self) {
        let (history, draft) = (&mut self.history, &self.draft);
        for (side, seats, rank) in draft.ranked() {
            for seat in seats {
                history.shares.set_next(history.seated.len(), seat.share);
                history.parties.set_next(history.seated.len(), seat.party);
                history
                    .performances
                    .set_next(history.seated.len(), seat.performance);
                history.seated.push(seat.player);
            }
            history.scores.set_next(history.ranks.len(), side.score);
            history.ranks.push(rank);
            history.seats.push(length(seats));
        }
        history.sides.push(length(&draft.sides));
        if !draft.context.is_empty() {
            let known = self.contexts.get(&draft.context).copied();
            let number = known.unwrap_or_else(|| {
                // There are no more contexts than games, which a u32 can count.
                let next = u32::try_from(history.contexts.len()).unwrap_or(u32::MAX);
                self.contexts.insert(draft.context.clone(), next);
                history.contexts.push(draft.context.clone());
                next
            });
            history.played.set_next(history.times.len(), Some(number));
        }
        history.times.push(draft.time);
        self.last = Some(draft.time);
    }
}

impl Draft {
    /// Its sides with their seats, as they were told.
    fn sides(&self) -> impl Iterator<Item = (DraftSide, &[Seat])> {
        let ends = self.sides.iter().skip(1).map(|side| side.start);
        let ends = ends.chain([self.seats.len()]);
        let both = self.sides.iter().zip(ends);
        both.map(|(&side, end)| (side, &self.seats[side.start..end]))
    }

    /// Sides with their seats and ranks, once they were checked.
    fn ranked(&self) -> impl Iterator<Item = (DraftSide, &[Seat], u16)> {
        let both = self.sides().zip(&self.ranks);
        both.map(|((side, seats), &rank)| (side, seats, rank))
    }

    /// As [`canonical`] takes it.
    fn numbered(&self) -> impl Iterator<Item = (Vec<PlayerIndex>, u16, f64)> {
        let players = |seats: &[Seat]| seats.iter().map(|seat| seat.player).collect();
        self.ranked()
            .map(move |(side, seats, rank)| (players(seats), rank, side.score))
    }

    /// Checks all that can be said of a game alone, and ranks its sides: 1 plus the number of those with a lower place.
    fn check(&mut self, names: &[String]) -> Result<(), HistoryError> {
        let name = |player: PlayerIndex| names[player as usize].clone();
        if self.sides.len() < 2 {
            return Err(HistoryError::TooFewSides {
                sides: self.sides.len(),
            });
        }
        let (mut lowest, mut highest) = (f64::INFINITY, f64::NEG_INFINITY);
        for (number, (side, seats)) in (1..).zip(self.sides()) {
            check_side(number, side.score, seats, name)?;
            (lowest, highest) = (lowest.min(side.score), highest.max(side.score));
        }
        if !(highest - lowest).is_finite() {
            return Err(HistoryError::ScoreDifference { lowest, highest });
        }
        if let [one, other] = &self.seats[..]
            && one.player != other.player
        {
            return self.rank();
        }
        let mut members = std::mem::take(&mut self.members);
        members.clear();
        for (number, (_, seats)) in (1..).zip(self.sides()) {
            members.extend(seats.iter().map(|seat| (seat.player, number)));
        }
        members.sort_unstable();
        self.members = members;
        let repeated = self.members.windows(2).find(|pair| pair[0].0 == pair[1].0);
        match repeated.map(|pair| (name(pair[0].0), pair[0].1, pair[1].1)) {
            None => self.rank(),
            Some((player, side, other)) if side == other => Err(HistoryError::Twice { player, side }),
            Some((player, one, other)) => Err(HistoryError::TwoSides { player, one, other }),
        }
    }

    fn rank(&mut self) -> Result<(), HistoryError> {
        if let [one, other] = self.sides[..] {
            self.ranks.clear();
            let behind = |place: u32, other: u32| 1 + u16::from(other < place);
            self.ranks
                .extend([behind(one.place, other.place), behind(other.place, one.place)]);
            return Ok(());
        }
        self.places.clear();
        self.places.extend(self.sides.iter().map(|side| side.place));
        self.places.sort_unstable();
        self.ranks.clear();
        for side in &self.sides {
            let rank = 1 + self.places.partition_point(|&place| place < side.place);
            let sides = self.sides.len();
            let rank = u16::try_from(rank).map_err(|_| HistoryError::TooManySides { sides })?;
            self.ranks.push(rank);
        }
        Ok(())
    }
}

fn check_side(
    side: usize,
    score: f64,
    seats: &[Seat],
    name: impl Fn(PlayerIndex) -> String,
) -> Result<(), HistoryError> {
    if seats.is_empty() {
        return Err(HistoryError::EmptySide { side });
    }
    if !score.is_finite() {
        return Err(HistoryError::Score { side, value: score });
    }
    let is_share = |share| (0.0..=1.0).contains(&share);
    if let Some(seat) = seats.iter().find(|seat| !is_share(seat.share)) {
        return Err(HistoryError::Share {
            player: name(seat.player),
            share: seat.share,
        });
    }
    let mut measured = seats.iter().filter_map(|seat| Some((seat, seat.performance?)));
    if let Some((seat, value)) = measured.find(|(_, value)| !value.is_finite()) {
        return Err(HistoryError::Performance {
            player: name(seat.player),
            value,
        });
    }
    if seats.iter().all(|seat| seat.share < LEAST_SHARE) {
        return Err(HistoryError::NobodyPlayed { side });
    }
    Ok(())
}

/// Of each side the players, the rank and the score.
fn canonical(sides: impl Iterator<Item = (Vec<PlayerIndex>, u16, f64)>) -> CanonicalGame {
    let mut order: Vec<_> = sides.collect();
    for (players, ..) in &mut order {
        players.sort_unstable();
    }
    order.sort_by(|a, b| a.0.cmp(&b.0));
    let origin = order.first().map_or(0.0, |side| side.2);
    // Adding 0 makes -0 and 0 one.
    let difference = |score: f64| (score - origin + 0.0).to_bits();
    let sides = order.into_iter();
    sides
        .map(|(players, rank, score)| (players, rank, difference(score)))
        .collect()
}

/// How many there are. A game's seats fit: all seats of all games do.
#[allow(clippy::cast_possible_truncation, reason = "checked before")]
fn length<T>(items: &[T]) -> u32 {
    items.len() as u32
}
