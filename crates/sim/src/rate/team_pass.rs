//! The pass for games of sides, for any system of teams.

use std::ops::Range;

use matchwright_rating::history::{Game, History, Side};
use matchwright_rating::{
    Adjust, RatingEstimate, TeamFacts, TeamGame, TeamRatingSystem, TimeError, mean_rating,
};

use super::period::Clock;
use super::prediction::{Prediction, SidePair, Standing};
use super::together::play_all;
use super::told::Told;
use crate::adapt::outcome_of;

/// With up to this many sides all pairs of them are predicted, with more only neighbours in the ranking.
pub const ALL_PAIRS_UP_TO: usize = 10;

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

/// How games of sides are gone through, in pieces if need be: each is predicted before it is learnt from, with what its
/// circumstances change.
///
/// Predictions are those of [`predicted_pairs`], in its order, with expected scores of decided games. Cost: one update a
/// game (two with an advantage) and one prediction a pair, on as many threads as there are games without a player in common.
pub(super) struct Walk<'a, S, A> {
    pub(super) system: &'a S,
    pub(super) adjust: &'a A,
    pub(super) clock: Clock,
    pub(super) history: &'a History,
}

/// What changes the standings after a game.
type Learn<'l, R> = dyn Fn(&mut [Standing<R>], Game<'_>, &Played<R>) + 'l;

/// A game that was predicted and learnt from.
pub(super) struct Played<R> {
    pub(super) before: TeamGame<R>,
    predictions: Vec<(SidePair, Prediction)>,
    pub(super) after: Vec<Vec<R>>,
}

impl<R: RatingEstimate + Clone> Played<R> {
    /// Changes what is known of its players.
    pub(super) fn learn(standings: &mut [Standing<R>], game: Game<'_>, played: &Self) {
        for (position, (side, after)) in game.sides().zip(&played.after).enumerate() {
            let outcome = outcome_of(game.result_of(position));
            for (&player, rating) in side.players().iter().zip(after) {
                standings[player as usize].learn(game.time(), outcome, rating.clone());
            }
        }
    }

    /// Tells what was expected of it.
    pub(super) fn predicted(&self, game: Game<'_>, told: &mut Told<'_>) {
        told.before(game.index(), &self.before);
        for &(pair, prediction) in &self.predictions {
            told.predicted(pair, prediction);
        }
    }
}

impl<'a, S, A> Walk<'a, S, A>
where
    S: TeamRatingSystem + Sync,
    S::Rating: RatingEstimate + Send + Sync,
    A: Adjust<S::Rating> + Sync,
{
    pub(super) const fn new(system: &'a S, adjust: &'a A, clock: Clock, history: &'a History) -> Self {
        Self {
            system,
            adjust,
            clock,
            history,
        }
    }

    /// Goes on through `games`, whose players all have standings.
    ///
    /// # Errors
    /// [`TimeError`] if time goes back, which a history excludes.
    pub(super) fn over(
        &self,
        games: Range<usize>,
        standings: &mut [Standing<S::Rating>],
        told: &mut Told<'_>,
    ) -> Result<(), TimeError> {
        self.play_all(games, standings, &Played::learn, &mut |game, played| {
            played.predicted(game, told);
            for (side, after) in game.sides().zip(&played.after) {
                for (&player, rating) in side.players().iter().zip(after) {
                    told.after(player, game.time(), rating);
                }
            }
        })
    }

    /// Plays `games` in order, on several threads.
    pub(super) fn play_all(
        &self,
        games: Range<usize>,
        standings: &mut [Standing<S::Rating>],
        learn: &Learn<'_, S::Rating>,
        tell: &mut dyn FnMut(Game<'_>, Played<S::Rating>),
    ) -> Result<(), TimeError> {
        let play = |standings: &[_], game: Game<'_>| self.play(standings, game);
        play_all(self.history, games, standings, &play, learn, tell)
    }

    fn play(
        &self,
        standings: &[Standing<S::Rating>],
        record: Game<'_>,
    ) -> Result<Played<S::Rating>, TimeError> {
        let game = record.rated(|seat| {
            let standing = &standings[seat.player as usize];
            let elapsed = self.clock.elapsed(standing.last_time, record.time())?;
            let rating = self.adjust.back(&standing.rating, elapsed);
            Ok(self.system.after_inactivity(&rating, elapsed))
        })?;
        let is_of_two = game.sides().len() == 2;
        let predict = |pair: SidePair| {
            let [ours, theirs] = [pair.side, pair.other].map(|side| &game.sides()[side].members[..]);
            let chances = self.adjust.decided(self.system, ours, theirs, is_of_two);
            let prediction = Prediction {
                expected: chances.win,
                expected_reverse: chances.loss,
                gap: mean_rating(ours) - mean_rating(theirs),
                outcome: outcome_of(record.result_between(pair.side, pair.other)),
            };
            (pair, prediction)
        };
        let predictions = pairs_of(self.history, record).into_iter().map(predict).collect();
        let performances: Vec<Vec<Option<f64>>> =
            if self.adjust.looks_at_performances() && self.history.has_performances() {
                let of_side = |side: Side<'_>| side.seats().map(|seat| seat.performance).collect();
                record.sides().map(of_side).collect()
            } else {
                Vec::new()
            };
        let facts = TeamFacts {
            score: record.result_between(0, 1),
            margin: record.side(0).score() - record.side(1).score(),
            performances: &performances,
        };
        let mut after = self.adjust.update_game(self.system, &game, &facts);
        for (side, after) in record.sides().zip(&mut after) {
            for (&player, rating) in side.players().iter().zip(after) {
                self.adjust.settle(&standings[player as usize].rating, rating);
            }
        }
        Ok(Played {
            before: game,
            predictions,
            after,
        })
    }
}
