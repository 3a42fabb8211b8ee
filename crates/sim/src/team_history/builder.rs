//! Games as they come from outside, checked one by one.

use std::collections::{HashMap, HashSet};

use super::{GameRecord, PlacedSide, Seat, TeamHistory};
use crate::history::PlayerIndex;

/// Why a game cannot join a history. Sides and members are counted from 1, times are Unix seconds.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TeamHistoryError {
    /// Nobody to play against.
    #[error("the game has {sides} side(s); give two or more")]
    TooFewSides {
        /// How many there are.
        sides: usize,
    },
    /// A side without players.
    #[error("side {side} has no players; give each side one or more")]
    EmptySide {
        /// Which.
        side: usize,
    },
    /// A player on two sides.
    #[error("player `{player}` plays against itself, on sides {one} and {other}")]
    TwoSides {
        /// Who.
        player: String,
        /// The first of the sides.
        one: usize,
        /// The second of them.
        other: usize,
    },
    /// A player in two seats of a side.
    #[error("player `{player}` is on side {side} twice")]
    Twice {
        /// Who.
        player: String,
        /// Where.
        side: usize,
    },
    /// A share that is none.
    #[error("the share of player `{player}` is {share}; give a number from 0 to 1")]
    Share {
        /// Whose.
        player: String,
        /// What was given; it may be NaN.
        share: f64,
    },
    /// A side of which nobody took part.
    #[error("all shares of side {side} are 0; a side needs a player who took part")]
    NobodyPlayed {
        /// Which.
        side: usize,
    },
    /// A score that is no number.
    #[error("the score of side {side} is {value}, not a finite number")]
    Score {
        /// Whose.
        side: usize,
        /// What it was.
        value: f64,
    },
    /// A game older than the one before it.
    #[error("the match is {seconds} s older than the one before it")]
    Unsorted {
        /// By how much.
        seconds: i64,
    },
    /// A repetition of a game: same time, sides, places and scores.
    #[error("the match repeats an earlier one: same time, players and scores")]
    Duplicate,
    /// More players than an index can hold.
    #[error("more than {} players", u32::MAX)]
    TooManyPlayers,
}

/// A seat as it comes from outside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NamedSeat<'a> {
    /// The player's name.
    pub player: &'a str,
    /// As [`Seat::share`].
    pub share: f64,
    /// As [`Seat::party`].
    pub party: Option<u32>,
}

impl<'a> NamedSeat<'a> {
    /// Who queued alone and played the whole game.
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
    /// As [`PlacedSide::place`].
    pub place: u32,
    /// As [`PlacedSide::score`].
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

/// The least share that counts as taking part, as the rating systems count it.
const LEAST_SHARE: f64 = 1e-6;

/// Collects games one by one and refuses those that would spoil the history; a refused game changes
/// nothing, so a caller may count it and go on.
///
/// ```
/// use matchwright_sim::team_history::{NamedGame, NamedSeat, NamedSide, TeamHistoryBuilder, TeamHistoryError};
///
/// let side = |place, names: [&'static str; 2]| NamedSide { place, score: 0.0, seats: names.map(NamedSeat::whole).to_vec() };
/// let game = NamedGame { time: 100, sides: vec![side(1, ["ann", "bob"]), side(2, ["cyd", "dot"])] };
/// let mut builder = TeamHistoryBuilder::default();
/// builder.push(&game)?;
/// assert_eq!(builder.push(&game), Err(TeamHistoryError::Duplicate));
/// let torn = NamedGame { time: 200, sides: vec![side(1, ["ann", "bob"]), side(2, ["cyd", "ann"])] };
/// assert_eq!(
///     builder.push(&torn).unwrap_err().to_string(),
///     "player `ann` plays against itself, on sides 1 and 2",
/// );
/// assert_eq!(builder.finish().games().len(), 1);
/// # Ok::<(), TeamHistoryError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct TeamHistoryBuilder {
    history: TeamHistory,
    index: HashMap<String, PlayerIndex>,
    /// Games of the latest second.
    this_second: HashSet<Told>,
    keep_repeats: bool,
}

/// A game so that everybody who tells it tells the same: sides by their members, places as ranks,
/// scores as differences to the first of these sides.
type Told = Vec<(Vec<PlayerIndex>, usize, u64)>;

impl TeamHistoryBuilder {
    /// Takes games that look like repetitions for games of their own. Where times are whole days and
    /// scores unknown, the same sides may well have met twice.
    #[must_use]
    pub fn keep_repeats(mut self, keep: bool) -> Self {
        self.keep_repeats = keep;
        self
    }

    /// Adds a game, or says why not.
    ///
    /// # Errors
    /// [`TeamHistoryError`] names the side, the player or the seconds that are wrong.
    pub fn push(&mut self, game: &NamedGame<'_>) -> Result<(), TeamHistoryError> {
        check_sides(&game.sides)?;
        if let Some(last) = self.history.games.last() {
            if game.time < last.time {
                return Err(TeamHistoryError::Unsorted {
                    seconds: last.time.saturating_sub(game.time),
                });
            }
            if game.time != last.time {
                self.this_second.clear();
            }
        }
        let known = |seat: &NamedSeat<'_>| self.index.contains_key(seat.player);
        let seats = || game.sides.iter().flat_map(|side| &side.seats);
        let unknown = seats().filter(|seat| !known(seat)).count();
        if unknown == 0 && !self.keep_repeats && self.this_second.contains(&self.told(&game.sides)) {
            return Err(TeamHistoryError::Duplicate);
        }
        if u32::try_from(self.history.players.len() + unknown).is_err() {
            return Err(TeamHistoryError::TooManyPlayers);
        }
        let sides = game.sides.iter().map(|side| PlacedSide {
            place: side.place,
            score: side.score,
            seats: side.seats.iter().map(|seat| self.seat(seat)).collect(),
        });
        let record = GameRecord {
            time: game.time,
            sides: sides.collect(),
        };
        if !self.keep_repeats {
            let told = self.told(&game.sides);
            self.this_second.insert(told);
        }
        self.history.games.push(record);
        Ok(())
    }

    /// How many games are in.
    #[must_use]
    pub fn len(&self) -> usize {
        self.history.games.len()
    }

    /// Whether no game is in yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.history.games.is_empty()
    }

    /// The history.
    #[must_use]
    pub fn finish(self) -> TeamHistory {
        self.history
    }

    /// There is room for another name: that was looked at before.
    fn seat(&mut self, seat: &NamedSeat<'_>) -> Seat {
        let player = self.index.get(seat.player).copied().unwrap_or_else(|| {
            let index = u32::try_from(self.history.players.len()).unwrap_or(u32::MAX);
            self.history.players.push(seat.player.to_owned());
            self.index.insert(seat.player.to_owned(), index);
            index
        });
        Seat {
            player,
            share: seat.share,
            party: seat.party,
        }
    }

    /// Of sides whose players are all known.
    fn told(&self, sides: &[NamedSide<'_>]) -> Told {
        let mut told: Vec<_> = sides
            .iter()
            .map(|side| {
                let seats = side.seats.iter().filter_map(|seat| self.index.get(seat.player));
                let mut members: Vec<PlayerIndex> = seats.copied().collect();
                members.sort_unstable();
                let better = sides.iter().filter(|other| other.place < side.place).count();
                (members, better, side.score)
            })
            .collect();
        told.sort_by(|a, b| a.0.cmp(&b.0));
        let origin = told.first().map_or(0.0, |side| side.2);
        // 0 and -0 are one.
        let difference = |score: f64| (score - origin + 0.0).to_bits();
        told.into_iter()
            .map(|(members, better, score)| (members, better, difference(score)))
            .collect()
    }
}

fn check_sides(sides: &[NamedSide<'_>]) -> Result<(), TeamHistoryError> {
    if sides.len() < 2 {
        return Err(TeamHistoryError::TooFewSides { sides: sides.len() });
    }
    let mut seen: HashMap<&str, usize> = HashMap::new();
    for (side, told) in (1..).zip(sides) {
        if told.seats.is_empty() {
            return Err(TeamHistoryError::EmptySide { side });
        }
        if !told.score.is_finite() {
            return Err(TeamHistoryError::Score {
                side,
                value: told.score,
            });
        }
        for seat in &told.seats {
            let player = || seat.player.to_owned();
            if !(0.0..=1.0).contains(&seat.share) {
                return Err(TeamHistoryError::Share {
                    player: player(),
                    share: seat.share,
                });
            }
            match seen.insert(seat.player, side) {
                Some(one) if one == side => {
                    return Err(TeamHistoryError::Twice {
                        player: player(),
                        side,
                    });
                }
                Some(one) => {
                    return Err(TeamHistoryError::TwoSides {
                        player: player(),
                        one,
                        other: side,
                    });
                }
                None => {}
            }
        }
        if told.seats.iter().all(|seat| seat.share < LEAST_SHARE) {
            return Err(TeamHistoryError::NobodyPlayed { side });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::{HistoryBuilder, NamedMatch};
    use matchwright_churn::Outcome;
    use proptest::prelude::*;

    fn side<'a>(place: u32, score: f64, players: &[&'a str]) -> NamedSide<'a> {
        NamedSide {
            place,
            score,
            seats: players.iter().map(|player| NamedSeat::whole(player)).collect(),
        }
    }

    fn game<'a>(time: i64, winners: &[&'a str], losers: &[&'a str]) -> NamedGame<'a> {
        NamedGame {
            time,
            sides: vec![side(1, 1.0, winners), side(2, 0.0, losers)],
        }
    }

    #[test]
    fn a_refused_game_changes_nothing_and_says_what_is_wrong() {
        let mut builder = TeamHistoryBuilder::default();
        builder.push(&game(5, &["a", "b"], &["c", "d"])).unwrap();
        let before = builder.clone().finish();
        let late = NamedSeat {
            share: 1.5,
            ..NamedSeat::whole("x")
        };
        let absent = NamedSeat {
            share: 0.0,
            ..NamedSeat::whole("x")
        };
        let with = |seat| NamedGame {
            time: 6,
            sides: vec![
                NamedSide {
                    seats: vec![seat],
                    ..side(1, 0.0, &[])
                },
                side(2, 0.0, &["y"]),
            ],
        };
        let alone = NamedGame {
            time: 6,
            sides: vec![side(1, 0.0, &["x"])],
        };
        let endless = NamedGame {
            time: 6,
            sides: vec![side(1, f64::INFINITY, &["x"]), side(2, 0.0, &["y"])],
        };
        let refusals = [
            (alone, "1 side(s)"),
            (game(6, &["x"], &[]), "side 2 has no players"),
            (
                game(6, &["x", "y"], &["z", "y"]),
                "`y` plays against itself, on sides 1 and 2",
            ),
            (game(6, &["x", "x"], &["z"]), "`x` is on side 1 twice"),
            (with(late), "share of player `x` is 1.5"),
            (with(absent), "all shares of side 1 are 0"),
            (endless, "score of side 1 is inf"),
            (game(4, &["x"], &["y"]), "1 s older"),
            (game(5, &["b", "a"], &["d", "c"]), "repeats"),
        ];
        for (game, words) in refusals {
            let told = builder.push(&game).unwrap_err().to_string();
            assert!(told.contains(words), "{told}");
        }
        assert_eq!(builder.finish(), before);
    }

    #[test]
    fn the_same_game_told_by_the_other_side_is_a_duplicate_unless_scores_differ() {
        let mut builder = TeamHistoryBuilder::default();
        builder.push(&game(5, &["a", "b"], &["c", "d"])).unwrap();
        let mut mirrored = game(5, &["a", "b"], &["d", "c"]);
        mirrored.sides.reverse();
        assert_eq!(builder.push(&mirrored), Err(TeamHistoryError::Duplicate));
        // Places are ranks, and scores differences.
        mirrored.sides[0].place = 7;
        mirrored.sides[0].score = 9.0;
        mirrored.sides[1].score = 10.0;
        assert_eq!(builder.push(&mirrored), Err(TeamHistoryError::Duplicate));
        mirrored.sides[1].score = 11.0;
        builder.push(&mirrored).unwrap();
        builder.push(&game(6, &["a", "b"], &["c", "d"])).unwrap();
        let mut keeping = TeamHistoryBuilder::default().keep_repeats(true);
        keeping.push(&game(5, &["a"], &["b"])).unwrap();
        keeping.push(&game(5, &["a"], &["b"])).unwrap();
        assert_eq!((builder.len(), keeping.len()), (3, 2));
    }

    #[test]
    fn the_first_place_alone_is_a_win_and_shared_a_draw() {
        let mut builder = TeamHistoryBuilder::default();
        let sides = |places: [u32; 3]| {
            let names = ["a", "b", "c"];
            places
                .into_iter()
                .zip(names)
                .map(|(place, name)| side(place, 0.0, &[name]))
        };
        for (time, places) in [(1, [3, 1, 2]), (2, [2, 2, 4])] {
            let sides = sides(places).collect();
            builder.push(&NamedGame { time, sides }).unwrap();
        }
        let history = builder.finish();
        let outcomes = |game: usize| [0, 1, 2].map(|side| history.games()[game].outcome_of(side));
        assert_eq!(outcomes(0), [Outcome::Loss, Outcome::Win, Outcome::Loss]);
        assert_eq!(outcomes(1), [Outcome::Draw, Outcome::Draw, Outcome::Loss]);
        assert_eq!(history.games()[0].outcome(2, 0), Outcome::Win);
        assert!(history.duels().is_none());
    }

    proptest! {
        /// Both builders accept the same duels, and each history becomes the other and back.
        #[test]
        fn duels_are_the_same_in_both_histories(
            games in prop::collection::vec((0_i64..5, 0_usize..4, 0_usize..4, -2_i8..3), 0..60),
        ) {
            let names = ["a", "b", "c", "d"];
            let (mut duels, mut teams) = (HistoryBuilder::default(), TeamHistoryBuilder::default());
            for (time, one, two, difference) in games {
                let outcome = [Outcome::Loss, Outcome::Draw, Outcome::Win]
                    [usize::from(difference >= 0) + usize::from(difference > 0)];
                let difference = f64::from(difference);
                let told = NamedMatch {
                    time, player1: names[one], player2: names[two], outcome, score_difference: difference,
                };
                let places = match outcome {
                    Outcome::Win => (1, 2),
                    Outcome::Draw => (1, 1),
                    Outcome::Loss => (2, 1),
                };
                // Told with scores that only share their difference.
                let game = NamedGame {
                    time,
                    sides: vec![
                        side(places.0, difference + 3.0, &[names[one]]),
                        side(places.1, 3.0, &[names[two]]),
                    ],
                };
                prop_assert_eq!(duels.push(&told).is_ok(), teams.push(&game).is_ok());
            }
            let (duels, teams) = (duels.finish(), teams.finish());
            let seen = teams.duels();
            prop_assert_eq!(seen.as_ref(), Some(&duels));
            prop_assert_eq!(TeamHistory::from(&duels).duels(), Some(duels));
        }
    }
}
