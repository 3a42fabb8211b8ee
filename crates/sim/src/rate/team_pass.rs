//! The pass for games of sides, for any system of teams.

use std::ops::Range;

use matchwright_churn::Outcome;
use matchwright_rating::history::{Game, History, PlayerIndex};
use matchwright_rating::{
    HomeAdvantage, Member, OutcomeProbabilities, RatingEstimate, ShiftRating, TeamGame, TeamRatingSystem,
    TimeError,
};

use super::pass::{Prediction, RatingRun, Standing};
use super::period::Clock;
use crate::adapt::outcome_of;

/// Up to so many sides all pairs of them are predicted, with more only neighbours in the ranking.
pub const ALL_PAIRS_UP_TO: usize = 10;

/// Whose prediction one is: two sides of a game, by their positions in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SidePair {
    /// The game's index in its history.
    pub game: usize,
    /// The side that the prediction is seen from.
    pub side: usize,
    /// The side that it meets.
    pub other: usize,
}

/// The pairs of a history's sides that are predicted, in the order of games.
///
/// The two sides of a game are seen from the first. Of more sides all pairs count up to
/// [`ALL_PAIRS_UP_TO`], with more only those that came out next to each other, so that no game weighs
/// hundreds of times as much as another. Each of these is seen from the side whose first player comes
/// first by name: files often list sides in the order of their places, and the view must not depend
/// on the result.
#[must_use]
pub fn predicted_pairs(history: &History) -> Vec<SidePair> {
    history.games().flat_map(|game| pairs_of(history, game)).collect()
}

fn pairs_of(history: &History, game: Game<'_>) -> Vec<SidePair> {
    let pair = |side, other| SidePair {
        game: game.index(),
        side,
        other,
    };
    let by_name = |one, other| {
        if comes_first(history, game, one, other) {
            pair(one, other)
        } else {
            pair(other, one)
        }
    };
    let count = game.sides().len();
    if count == 2 {
        return vec![pair(0, 1)];
    }
    if count <= ALL_PAIRS_UP_TO {
        let firsts = (0..count).flat_map(|one| (one + 1..count).map(move |other| (one, other)));
        return firsts.map(|(one, other)| by_name(one, other)).collect();
    }
    let mut ranking: Vec<usize> = (0..count).collect();
    ranking.sort_by_key(|&side| game.side(side).rank());
    ranking.windows(2).map(|pair| by_name(pair[0], pair[1])).collect()
}

/// Whether the first player of side `one` comes before that of side `other` by name.
pub(super) fn comes_first(history: &History, game: Game<'_>, one: usize, other: usize) -> bool {
    let name = |side| &history.players()[game.side(side).players()[0] as usize];
    name(one) <= name(other)
}

/// A pass over a history of games in time order, in pieces if need be, that predicts each game before learning from it:
/// what [`run`](super::run) is for duels.
///
/// Predictions are those of [`predicted_pairs`], in its order, with expected scores of decided games: win / (win +
/// loss) and its complement. In games of two sides the first has the advantage `first`. Cost: one update a
/// game (two with an advantage) and one prediction a pair.
#[derive(Clone, Copy)]
pub(super) struct Walk<'a> {
    pub(super) clock: Clock,
    pub(super) history: &'a History,
    pub(super) first: HomeAdvantage,
}

/// A step of a pass.
pub(super) enum Step<'a, R> {
    /// A game by its position, with everybody rated as just before it.
    Before(usize, &'a TeamGame<R>),
    /// A player's rating just after a game, and when that was.
    After(PlayerIndex, i64, &'a R),
}

impl Walk<'_> {
    /// Before the first game: all players are newcomers.
    pub(super) fn start<R: Clone>(&self, initial: &R) -> RatingRun<R> {
        let players = self.history.players().iter();
        RatingRun {
            standings: players.map(|_| Standing::newcomer(initial.clone())).collect(),
            predictions: Vec::with_capacity(self.history.len()),
        }
    }

    /// Goes on through `games`. `outcome` says how two sides fare, as the system itself does or better.
    ///
    /// # Errors
    /// [`TimeError`] if time goes back, which a history excludes.
    pub(super) fn over<S>(
        &self,
        games: Range<usize>,
        system: &S,
        outcome: impl Fn(&[Member<S::Rating>], &[Member<S::Rating>]) -> OutcomeProbabilities,
        run: &mut RatingRun<S::Rating>,
        mut tell: impl FnMut(Step<'_, S::Rating>),
    ) -> Result<(), TimeError>
    where
        S: TeamRatingSystem,
        S::Rating: RatingEstimate + ShiftRating,
    {
        let first = self.first;
        for index in games {
            let record = self.history.game(index);
            let game = before(system, self.clock, &run.standings, record)?;
            tell(Step::Before(index, &game));
            for pair in pairs_of(self.history, record) {
                let (ours, theirs) = (
                    &game.sides()[pair.side].members,
                    &game.sides()[pair.other].members,
                );
                let chances = if has_first(&game, first) {
                    outcome(&first.raise_side(ours), theirs)
                } else {
                    outcome(ours, theirs)
                };
                let gap = mean(ours) - mean(theirs);
                let happened = outcome_of(record.result_between(pair.side, pair.other));
                run.predictions.push(prediction(&chances, gap, happened));
            }
            let after = if has_first(&game, first) {
                first.update_game(system, &game, 0)
            } else {
                system.update(&game)
            };
            for (position, (side, after)) in record.sides().zip(after).enumerate() {
                let outcome = outcome_of(record.result_of(position));
                for (&player, rating) in side.players().iter().zip(after) {
                    tell(Step::After(player, record.time(), &rating));
                    run.standings[player as usize].learn(record.time(), outcome, rating);
                }
            }
        }
        Ok(())
    }
}

/// The game with all players rated as just before it.
fn before<S: TeamRatingSystem>(
    system: &S,
    clock: Clock,
    standings: &[Standing<S::Rating>],
    record: Game<'_>,
) -> Result<TeamGame<S::Rating>, TimeError> {
    record.rated(|seat| {
        let standing = &standings[seat.player as usize];
        let elapsed = clock.elapsed(standing.last_time, record.time())?;
        Ok(system.after_inactivity(&standing.rating, elapsed))
    })
}

fn has_first<R>(game: &TeamGame<R>, first: HomeAdvantage) -> bool {
    game.sides().len() == 2 && first != HomeAdvantage::NONE
}

fn prediction(chances: &OutcomeProbabilities, gap: f64, outcome: Outcome) -> Prediction {
    let decided = chances.win + chances.loss;
    let (expected, expected_reverse) = if decided > 0.0 {
        (chances.win / decided, chances.loss / decided)
    } else {
        (0.5, 0.5)
    };
    Prediction {
        expected,
        expected_reverse,
        gap,
        outcome,
    }
}

/// Mean rating of a side, by shares.
fn mean<R: RatingEstimate>(members: &[Member<R>]) -> f64 {
    let shares: f64 = members.iter().map(|member| member.share).sum();
    let sum: f64 = members.iter().map(|one| one.share * one.rating.rating()).sum();
    sum / shares
}
