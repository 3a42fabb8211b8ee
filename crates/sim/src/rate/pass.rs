//! The pass over duels, for any rating system of two players.

use std::hint::black_box;
use std::ops::Range;

use matchwright_rating::history::{Duel, Duels, History, PlayerIndex};
use matchwright_rating::{
    Adjust, DuelFacts, GameResult, RatingEstimate, RatingSystem, ShiftRating, TimeError,
};

use super::period::Clock;
use super::prediction::{Prediction, SidePair, Standing};
use super::told::Told;
use crate::adapt::outcome_of;

/// Makes standings for the players of a history who are new.
pub(super) fn greet<R>(initial: &R, history: &History, standings: &mut Vec<Standing<R>>)
where
    R: RatingEstimate + ShiftRating + Clone,
{
    let known = standings.len();
    let players = history.players().len();
    if players > known {
        standings.resize(players, Standing::newcomer(initial.clone()));
        for (player, standing) in (0..).zip(standings).skip(known) {
            if let Some(start) = history.start_of(player) {
                standing.rating = start.of(initial);
            }
        }
    }
}

/// The standings of this many duels at a time are looked at in advance.
const AHEAD: usize = 16;

/// Looks at the standings of some duels, so that they are at hand afterwards: the looks wait for memory together.
fn touch<R>(duels: Duels<'_>, games: Range<usize>, standings: &[Standing<R>]) {
    let duels = games.map(|game| duels.at(game));
    let players: Vec<PlayerIndex> = duels.flat_map(|duel| [duel.player1, duel.player2]).collect();
    let wins = |player: &PlayerIndex| standings[*player as usize].record[0];
    black_box(players.iter().fold(0, |seen, player| seen ^ wins(player)));
}

/// How duels are gone through: with what the circumstances of each change.
pub(super) struct DuelWalk<'a, S, A> {
    pub(super) system: &'a S,
    pub(super) adjust: &'a A,
    pub(super) clock: Clock,
}

impl<S, A> DuelWalk<'_, S, A>
where
    S: RatingSystem,
    S::Rating: RatingEstimate,
    A: Adjust<S::Rating>,
{
    /// Goes on through `games`, whose players all have standings.
    pub(super) fn over(
        &self,
        duels: Duels<'_>,
        games: Range<usize>,
        standings: &mut [Standing<S::Rating>],
        told: &mut Told<'_>,
    ) -> Result<(), TimeError> {
        for start in games.clone().step_by(AHEAD) {
            let some = start..games.end.min(start + AHEAD);
            touch(duels, some.clone(), standings);
            for game in some {
                let duel = duels.at(game);
                let prediction = self.play(&duel, standings)?;
                told.predicted(SidePair::of_duel(game), prediction);
                for (player, ..) in duel.sides() {
                    told.after(player, duel.time, &standings[player as usize].rating);
                }
            }
        }
        Ok(())
    }

    /// Predicts a duel, then learns from it.
    fn play(&self, duel: &Duel, standings: &mut [Standing<S::Rating>]) -> Result<Prediction, TimeError> {
        let sides = duel.sides();
        let places = sides.map(|(player, ..)| player as usize);
        let mut elapsed = [0.0; 2];
        for (elapsed, place) in elapsed.iter_mut().zip(places) {
            *elapsed = self.clock.elapsed(standings[place].last_time, duel.time)?;
        }
        let back = [0, 1].map(|side| {
            let rating = &standings[places[side]].rating;
            self.adjust.back(rating, elapsed[side])
        });
        let learn = |side: usize, games: &[_]| self.system.update(&back[side], elapsed[side], games);
        let now = [learn(0, &[]), learn(1, &[])];
        let opponents = self.adjust.opponents(&now);
        let prediction = self.predict(duel, &now, &opponents);
        let [met_by_first, met_by_second] = opponents;
        let met = |side: usize, opponent| [GameResult::new(opponent, sides[side].1)];
        let learnt = [learn(0, &met(0, met_by_first)), learn(1, &met(1, met_by_second))];
        let facts = DuelFacts {
            score: duel.result,
            margin: duel.score_difference,
        };
        let after = self.adjust.weighed(&now, learnt, &facts);
        for (side, mut rating) in after.into_iter().enumerate() {
            let standing = &mut standings[places[side]];
            self.adjust.settle(&standing.rating, &mut rating);
            standing.learn(duel.time, outcome_of(sides[side].1), rating);
        }
        Ok(prediction)
    }

    /// What is expected of a duel of players rated `now`, each as the other sees it.
    pub(super) fn predict(
        &self,
        duel: &Duel,
        now: &[S::Rating; 2],
        opponents: &[S::Rating; 2],
    ) -> Prediction {
        Prediction {
            expected: self.system.win_probability(&now[0], &opponents[0]),
            expected_reverse: self.system.win_probability(&now[1], &opponents[1]),
            gap: now[0].rating() - now[1].rating(),
            outcome: outcome_of(duel.result),
        }
    }
}
