//! [`HistoryBuilder`]: checks named games one by one and adds them to a history.

use std::collections::{HashMap, HashSet};

use super::{History, HistoryError, PlayerIndex};
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
}

impl<'a> NamedSeat<'a> {
    /// A player who queued alone and played the whole game.
    #[must_use]
    pub const fn whole(player: &'a str) -> Self {
        Self {
            player,
            share: 1.0,
            party: None,
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
/// let game = NamedGame { time: 100, sides: vec![side(1, ["ann", "bob"]), side(2, ["cyd", "dot"])] };
/// let mut builder = HistoryBuilder::default();
/// builder.push(&game)?;
/// assert_eq!(builder.push(&game), Err(HistoryError::Duplicate));
/// let torn = NamedGame { time: 200, sides: vec![side(1, ["ann", "bob"]), side(2, ["cyd", "ann"])] };
/// assert_eq!(
///     builder.push(&torn).unwrap_err().to_string(),
///     "player `ann` plays against itself, on sides 1 and 2",
/// );
/// assert_eq!(builder.finish().len(), 1);
/// # Ok::<(), HistoryError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct HistoryBuilder {
    /// Its names are in `index` until the end.
    history: History,
    index: HashMap<String, PlayerIndex>,
    /// Games of the latest second.
    this_second: HashSet<CanonicalGame>,
    keep_repeats: bool,
}

/// A game in a form that does not depend on the order of its sides and players: by side, in the order of their
/// players, the sorted players, the rank, and the bits of the score less that of the first of these sides.
type CanonicalGame = Vec<(Vec<PlayerIndex>, u16, u64)>;

impl HistoryBuilder {
    /// Takes games that look like repetitions for games of their own. Where times are whole days and scores unknown, the
    /// same sides may well have met twice.
    #[must_use]
    pub fn keep_repeats(mut self, keep: bool) -> Self {
        self.keep_repeats = keep;
        self
    }

    /// Adds a game, or says why not. n ln n for n seats of the game, whatever the history.
    ///
    /// # Errors
    /// [`HistoryError`] names the side, the player or the seconds that are wrong.
    pub fn push(&mut self, game: &NamedGame<'_>) -> Result<(), HistoryError> {
        let ranks = check_sides(&game.sides)?;
        let last = self.history.times.last().copied();
        if let Some(last) = last.filter(|&last| game.time < last) {
            return Err(HistoryError::Unsorted {
                seconds: last.abs_diff(game.time),
            });
        }
        let (players, newcomers) = self.numbered(&game.sides)?;
        if u32::try_from(self.history.seated.len() + players.len()).is_err() {
            return Err(HistoryError::TooManyGames);
        }
        if !self.keep_repeats {
            if last != Some(game.time) {
                // Nothing else of this push can fail: there is no earlier game of this second to repeat.
                self.this_second.clear();
            }
            if !self.this_second.insert(canonical(&game.sides, &ranks, &players)) {
                return Err(HistoryError::Duplicate);
            }
        }
        for (name, player) in newcomers {
            self.index.insert(name.to_owned(), player);
        }
        self.add(game, &ranks, &players);
        Ok(())
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

    /// The history, in no more memory than it needs.
    #[must_use]
    pub fn finish(self) -> History {
        let mut history = self.history;
        history.players = vec![String::new(); self.index.len()];
        for (name, player) in self.index {
            history.players[player as usize] = name;
        }
        history.times.shrink_to_fit();
        history.sides.shrink();
        history.ranks.shrink_to_fit();
        history.scores.shrink();
        history.seats.shrink();
        history.seated.shrink_to_fit();
        history.shares.shrink();
        history.parties.shrink();
        history
    }

    /// The players of all seats by index, and the new ones among them with the indices that they would get.
    fn numbered<'a>(&self, sides: &[NamedSide<'a>]) -> Result<Numbered<'a>, HistoryError> {
        let (mut players, mut newcomers) = (Vec::new(), Vec::new());
        for seat in sides.iter().flat_map(|side| &side.seats) {
            if let Some(&player) = self.index.get(seat.player) {
                players.push(player);
                continue;
            }
            let player = PlayerIndex::try_from(self.index.len() + newcomers.len());
            let player = player.map_err(|_| HistoryError::TooManyPlayers)?;
            newcomers.push((seat.player, player));
            players.push(player);
        }
        Ok((players, newcomers))
    }

    /// Adds a game that was checked.
    fn add(&mut self, game: &NamedGame<'_>, ranks: &[u16], players: &[PlayerIndex]) {
        let history = &mut self.history;
        let mut players = players.iter();
        let mut sides = 0;
        for (side, &rank) in game.sides.iter().zip(ranks) {
            let mut seats = 0;
            for (seat, &player) in side.seats.iter().zip(&mut players) {
                history.shares.set_next(history.seated.len(), seat.share);
                history.parties.set_next(history.seated.len(), seat.party);
                history.seated.push(player);
                seats += 1;
            }
            history.scores.set_next(history.ranks.len(), side.score);
            history.ranks.push(rank);
            history.seats.push(seats);
            sides += 1;
        }
        history.sides.push(sides);
        history.times.push(game.time);
    }
}

/// Players by index, and names of new ones with their indices.
type Numbered<'a> = (Vec<PlayerIndex>, Vec<(&'a str, PlayerIndex)>);

/// The rank of each side: 1 plus the number of sides with a lower place.
fn check_sides(sides: &[NamedSide<'_>]) -> Result<Vec<u16>, HistoryError> {
    if sides.len() < 2 {
        return Err(HistoryError::TooFewSides { sides: sides.len() });
    }
    let (mut lowest, mut highest) = (f64::INFINITY, f64::NEG_INFINITY);
    let mut members = Vec::new();
    for (side, given) in (1..).zip(sides) {
        check_side(side, given)?;
        (lowest, highest) = (lowest.min(given.score), highest.max(given.score));
        members.extend(given.seats.iter().map(|seat| (seat.player, side)));
    }
    if !(highest - lowest).is_finite() {
        return Err(HistoryError::ScoreDifference { lowest, highest });
    }
    members.sort_unstable();
    let repeated = members.windows(2).find(|pair| pair[0].0 == pair[1].0);
    match repeated.map(|pair| (pair[0].0.to_owned(), pair[0].1, pair[1].1)) {
        None => ranks(sides),
        Some((player, side, other)) if side == other => Err(HistoryError::Twice { player, side }),
        Some((player, one, other)) => Err(HistoryError::TwoSides { player, one, other }),
    }
}

fn check_side(side: usize, given: &NamedSide<'_>) -> Result<(), HistoryError> {
    if given.seats.is_empty() {
        return Err(HistoryError::EmptySide { side });
    }
    if !given.score.is_finite() {
        return Err(HistoryError::Score {
            side,
            value: given.score,
        });
    }
    let is_share = |share| (0.0..=1.0).contains(&share);
    if let Some(seat) = given.seats.iter().find(|seat| !is_share(seat.share)) {
        return Err(HistoryError::Share {
            player: seat.player.to_owned(),
            share: seat.share,
        });
    }
    if given.seats.iter().all(|seat| seat.share < LEAST_SHARE) {
        return Err(HistoryError::NobodyPlayed { side });
    }
    Ok(())
}

fn ranks(sides: &[NamedSide<'_>]) -> Result<Vec<u16>, HistoryError> {
    let mut places: Vec<u32> = sides.iter().map(|side| side.place).collect();
    places.sort_unstable();
    let rank = |side: &NamedSide<'_>| 1 + places.partition_point(|&place| place < side.place);
    let ranks = sides.iter().map(|side| u16::try_from(rank(side)));
    let ranks = ranks.collect::<Result<_, _>>();
    ranks.map_err(|_| HistoryError::TooManySides { sides: sides.len() })
}

fn canonical(sides: &[NamedSide<'_>], ranks: &[u16], players: &[PlayerIndex]) -> CanonicalGame {
    let mut rest = players;
    let mut order: Vec<(Vec<PlayerIndex>, u16, f64)> = Vec::with_capacity(sides.len());
    for (side, &rank) in sides.iter().zip(ranks) {
        let (own, others) = rest.split_at(side.seats.len());
        rest = others;
        let mut own = own.to_vec();
        own.sort_unstable();
        order.push((own, rank, side.score));
    }
    order.sort_by(|a, b| a.0.cmp(&b.0));
    let origin = order.first().map_or(0.0, |side| side.2);
    // Adding 0 makes -0 and 0 one.
    let difference = |score: f64| (score - origin + 0.0).to_bits();
    let sides = order.into_iter();
    sides
        .map(|(own, rank, score)| (own, rank, difference(score)))
        .collect()
}
