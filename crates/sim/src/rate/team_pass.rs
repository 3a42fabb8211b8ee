//! The pass for games of sides, for any system of teams.

use std::ops::Range;

use matchwright_churn::Outcome;
use matchwright_rating::history::{Game, History, Side};
use matchwright_rating::{
    HomeAdvantage, MarginWeight, Member, OutcomeProbabilities, PerformanceWeight, RatingEstimate,
    ShiftRating, TeamGame, TeamRatingSystem, TimeError, weighted_update,
};

use super::margin;
use super::pass::{Prediction, Standing};
use super::period::Clock;
use super::together::play_all;
use super::told::Told;
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

impl SidePair {
    /// The two sides of the duel at `game`, seen from the first.
    pub(super) const fn of_duel(game: usize) -> Self {
        Self {
            game,
            side: 0,
            other: 1,
        }
    }
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

/// How games of sides are gone through, in pieces if need be: each is predicted before it is learnt from, what
/// [`run`](super::run) does with duels.
///
/// Predictions are those of [`predicted_pairs`], in its order, with expected scores of decided games: win / (win +
/// loss) and its complement. In games of two sides the first has the advantage `first`, and they count by `margin`; members
/// of a side learn by `performance`. Cost: one update a game (two with an advantage) and one prediction a pair, on as many
/// threads as there are games without a player in common.
#[derive(Clone, Copy)]
pub(super) struct Walk<'a> {
    pub(super) clock: Clock,
    pub(super) history: &'a History,
    pub(super) first: HomeAdvantage,
    pub(super) margin: Option<MarginWeight>,
    pub(super) performance: PerformanceWeight,
}

/// A game that was predicted and learnt from.
struct Played<R> {
    before: TeamGame<R>,
    predictions: Vec<(SidePair, Prediction)>,
    after: Vec<Vec<R>>,
}

impl Walk<'_> {
    /// Goes on through `games`, whose players all have standings. `outcome` says how two sides fare, as the system
    /// itself does or better.
    ///
    /// # Errors
    /// [`TimeError`] if time goes back, which a history excludes.
    pub(super) fn over<S>(
        &self,
        games: Range<usize>,
        system: &S,
        outcome: impl Fn(&[Member<S::Rating>], &[Member<S::Rating>]) -> OutcomeProbabilities + Sync,
        standings: &mut Vec<Standing<S::Rating>>,
        told: &mut Told<'_>,
    ) -> Result<(), TimeError>
    where
        S: TeamRatingSystem + Sync,
        S::Rating: RatingEstimate + ShiftRating + Send + Sync,
    {
        play_all(
            self.history,
            games,
            standings,
            |standings, game| self.play(system, &outcome, standings, game),
            |standings, game, played| {
                for (position, (side, after)) in game.sides().zip(&played.after).enumerate() {
                    let outcome = outcome_of(game.result_of(position));
                    for (&player, rating) in side.players().iter().zip(after) {
                        standings[player as usize].learn(game.time(), outcome, rating.clone());
                    }
                }
            },
            |game, played| {
                told.before(game.index(), &played.before);
                for (pair, prediction) in played.predictions {
                    told.predicted(pair, prediction);
                }
                for (side, after) in game.sides().zip(&played.after) {
                    for (&player, rating) in side.players().iter().zip(after) {
                        told.after(player, game.time(), rating);
                    }
                }
            },
        )
    }

    fn play<S>(
        &self,
        system: &S,
        outcome: impl Fn(&[Member<S::Rating>], &[Member<S::Rating>]) -> OutcomeProbabilities,
        standings: &[Standing<S::Rating>],
        record: Game<'_>,
    ) -> Result<Played<S::Rating>, TimeError>
    where
        S: TeamRatingSystem,
        S::Rating: RatingEstimate + ShiftRating,
    {
        let first = self.first;
        let game = before(system, self.clock, standings, record)?;
        let has_first = game.sides().len() == 2 && first != HomeAdvantage::NONE;
        let predict = |pair: SidePair| {
            let (ours, theirs) = (
                &game.sides()[pair.side].members,
                &game.sides()[pair.other].members,
            );
            let chances = if has_first {
                outcome(&first.raise_side(ours), theirs)
            } else {
                outcome(ours, theirs)
            };
            let gap = mean(ours) - mean(theirs);
            let happened = outcome_of(record.result_between(pair.side, pair.other));
            (pair, prediction(&chances, gap, happened))
        };
        let predictions = pairs_of(self.history, record).into_iter().map(predict).collect();
        let mut after = if has_first {
            first.update_game(system, &game, 0)
        } else {
            system.update(&game)
        };
        if let (Some(by), [one, other]) = (self.margin, game.sides()) {
            let lead = mean(&one.members) + first.points() - mean(&other.members);
            let difference = record.side(0).score() - record.side(1).score();
            let weight = margin::weight(by, record.result_between(0, 1), difference, lead);
            let seats = game.sides().iter().flat_map(|side| &side.members);
            for (member, rating) in seats.zip(after.iter_mut().flatten()) {
                *rating = weighted_update(&member.rating, rating, weight);
            }
        }
        if self.performance != PerformanceWeight::NONE && self.history.has_performances() {
            let of_side = |side: Side<'_>| side.seats().map(|seat| seat.performance).collect();
            let performances: Vec<Vec<_>> = record.sides().map(of_side).collect();
            self.performance.apply(&game, &performances, &mut after);
        }
        Ok(Played {
            before: game,
            predictions,
            after,
        })
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
