//! The pass over duels, for any rating system of two players.

use std::hint::black_box;
use std::ops::Range;

use matchwright_churn::Outcome;
use matchwright_rating::history::{Duel, Duels, PlayerIndex};
use matchwright_rating::{
    GameResult, HomeAdvantage, MarginWeight, RatingEstimate, RatingPeriod, RatingSystem, ShiftRating,
    TimeError, weighted_update,
};

use super::margin;
use super::period::Clock;
use super::team_pass::SidePair;
use super::told::Told;
use crate::adapt::outcome_of;

/// What was expected of a match just before it was played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    /// Expected score of the first player.
    pub expected: f64,
    /// Expected score of the second player; with uncertain ratings the two need not add up to 1.
    pub expected_reverse: f64,
    /// First player's rating minus the second's, rating points.
    pub gap: f64,
    /// What then happened to the first player.
    pub outcome: Outcome,
}

impl Prediction {
    /// The same match, seen from its second player.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self {
            expected: self.expected_reverse,
            expected_reverse: self.expected,
            gap: -self.gap,
            outcome: self.outcome.reversed(),
        }
    }
}

/// Where a player stands after the latest match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing<R> {
    /// The rating just after that match.
    pub rating: R,
    /// When it was, Unix seconds; none before the first.
    pub last_time: Option<i64>,
    /// Matches won, drawn and lost.
    pub record: [u32; 3],
}

impl<R> Standing<R> {
    /// Before the first match.
    pub(super) const fn newcomer(rating: R) -> Self {
        Self {
            rating,
            last_time: None,
            record: [0; 3],
        }
    }

    /// A match at `time`, and the rating after it.
    pub(super) fn learn(&mut self, time: i64, outcome: Outcome, rating: R) {
        self.rating = rating;
        self.played(time, outcome);
    }

    /// A match at `time`.
    pub(super) fn played(&mut self, time: i64, outcome: Outcome) {
        self.last_time = Some(time);
        let count = &mut self.record[outcome.index()];
        *count = count.saturating_add(1);
    }
}

/// A rated history.
#[derive(Clone, Debug)]
pub struct RatingRun<R> {
    /// By player index.
    pub standings: Vec<Standing<R>>,
    /// By match.
    pub predictions: Vec<Prediction>,
}

/// Rates a history in time order, predicting each match before learning from it.
///
/// Deviations grow with the real time since a player's last match, in fractions of `period`; there is
/// no daily job. Both players of a match learn from the other's rating before it. O(m).
///
/// `expect` says what score a first rating expects against a second: the system's own
/// [`RatingSystem::expected_score`], or a prediction that also counts how uncertain the first rating is.
///
/// # Errors
/// [`TimeError`] if time goes back, which a history excludes.
pub fn run<S>(
    system: &S,
    period: &RatingPeriod,
    duels: Duels<'_>,
    expect: impl Fn(&S::Rating, &S::Rating) -> f64,
) -> Result<RatingRun<S::Rating>, TimeError>
where
    S: RatingSystem,
    S::Rating: RatingEstimate + ShiftRating,
{
    let mut predictions = Vec::with_capacity(duels.len());
    let standings = run_with(system, period, duels, expect, |prediction| {
        predictions.push(prediction);
    })?;
    Ok(RatingRun {
        standings,
        predictions,
    })
}

/// As [`run`], where `predicted` is told each prediction, match by match, and none is kept: memory for the players alone.
/// Standings are by player index.
///
/// # Errors
/// As [`run`].
pub fn run_with<S>(
    system: &S,
    period: &RatingPeriod,
    duels: Duels<'_>,
    expect: impl Fn(&S::Rating, &S::Rating) -> f64,
    mut predicted: impl FnMut(Prediction),
) -> Result<Vec<Standing<S::Rating>>, TimeError>
where
    S: RatingSystem,
    S::Rating: RatingEstimate + ShiftRating,
{
    let walk = DuelWalk {
        system,
        clock: Clock(Some(*period)),
        first: HomeAdvantage::NONE,
        margin: None,
    };
    let mut standings = Vec::new();
    greet(system.initial(), duels.players().len(), &mut standings);
    for duel in duels.iter() {
        predicted(walk.play(&duel, &expect, &mut standings)?);
    }
    Ok(standings)
}

/// Makes standings for players who are new, up to `players` in all.
pub(super) fn greet<R: Clone>(initial: R, players: usize, standings: &mut Vec<Standing<R>>) {
    if players > standings.len() {
        standings.resize(players, Standing::newcomer(initial));
    }
}

/// Of so many duels at a time the standings are looked at first.
const AHEAD: usize = 16;

/// Looks at the standings of some duels, so that they are at hand afterwards: the looks wait for memory together.
fn touch<R>(duels: Duels<'_>, games: Range<usize>, standings: &[Standing<R>]) {
    let duels = games.map(|game| duels.at(game));
    let players: Vec<PlayerIndex> = duels.flat_map(|duel| [duel.player1, duel.player2]).collect();
    let wins = |player: &PlayerIndex| standings[*player as usize].record[0];
    black_box(players.iter().fold(0, |seen, player| seen ^ wins(player)));
}

/// How duels are gone through: the first player has the advantage `first`, and games count by `margin`.
pub(super) struct DuelWalk<'a, S> {
    pub(super) system: &'a S,
    pub(super) clock: Clock,
    pub(super) first: HomeAdvantage,
    pub(super) margin: Option<MarginWeight>,
}

impl<S> DuelWalk<'_, S>
where
    S: RatingSystem,
    S::Rating: RatingEstimate + ShiftRating,
{
    /// Goes on through `games`, whose players all have standings.
    pub(super) fn over(
        &self,
        duels: Duels<'_>,
        games: Range<usize>,
        expect: impl Fn(&S::Rating, &S::Rating) -> f64,
        standings: &mut [Standing<S::Rating>],
        told: &mut Told<'_>,
    ) -> Result<(), TimeError> {
        for start in games.clone().step_by(AHEAD) {
            let some = start..games.end.min(start + AHEAD);
            touch(duels, some.clone(), standings);
            for game in some {
                let duel = duels.at(game);
                let prediction = self.play(&duel, &expect, standings)?;
                told.predicted(SidePair::of_duel(game), prediction);
                for (player, ..) in duel.sides() {
                    told.after(player, duel.time, &standings[player as usize].rating);
                }
            }
        }
        Ok(())
    }

    /// Predicts a duel, then learns from it.
    fn play(
        &self,
        duel: &Duel,
        expect: impl Fn(&S::Rating, &S::Rating) -> f64,
        standings: &mut [Standing<S::Rating>],
    ) -> Result<Prediction, TimeError> {
        let sides = duel.sides();
        let places = sides.map(|(player, ..)| player as usize);
        let mut elapsed = [0.0; 2];
        for (elapsed, place) in elapsed.iter_mut().zip(places) {
            *elapsed = self.clock.elapsed(standings[place].last_time, duel.time)?;
        }
        let before = [0, 1].map(|side| {
            self.system
                .update(&standings[places[side]].rating, elapsed[side], &[])
        });
        let opponents = self.met(&before);
        let prediction = Prediction {
            expected: expect(&before[0], &opponents[0]),
            expected_reverse: expect(&before[1], &opponents[1]),
            gap: before[0].rating() - before[1].rating(),
            outcome: outcome_of(duel.result),
        };
        let weight = self.margin.map(|by| {
            let lead = prediction.gap + self.first.points();
            margin::weight(by, duel.result, duel.score_difference, lead)
        });
        for (side, opponent) in opponents.into_iter().enumerate() {
            let (_, score, _) = sides[side];
            let standing = &mut standings[places[side]];
            let met = GameResult::new(opponent, score);
            let mut rating = self.system.update(&standing.rating, elapsed[side], &[met]);
            if let Some(weight) = weight {
                rating = weighted_update(&before[side], &rating, weight);
            }
            standing.learn(duel.time, outcome_of(score), rating);
        }
        Ok(prediction)
    }

    /// What the opponent looks like to the first player and to the second.
    pub(super) fn met(&self, before: &[S::Rating; 2]) -> [S::Rating; 2] {
        let points = self.first.points();
        if points == 0.0 {
            [before[1].clone(), before[0].clone()]
        } else {
            [before[1].shifted(-points), before[0].shifted(points)]
        }
    }
}
