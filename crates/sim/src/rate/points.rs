//! The points that DOM MMR makes and destroys over a history, and when.

use matchwright_rating::history::History;
use matchwright_rating::{Adjust, DomLedger, DomMmr, DomRating, RatingSystem};
use serde::Serialize;

use super::error::RateError;
use super::pass::{DuelWalk, greet};
use super::period::Clock;
use super::told::Told;

/// A piece of a history, such as a month, with what its games did to the sum of all points.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PointsPiece<K> {
    /// What all of its games have in common.
    pub piece: K,
    /// When the first of them was, Unix seconds.
    pub from: i64,
    /// When the last of them was.
    pub to: i64,
    /// Their points.
    pub ledger: DomLedger,
    /// Net points of the history up to its end.
    pub net_so_far: f64,
}

/// What the games of a history did to the sum of all points.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PointsCourse<K> {
    /// All of them.
    pub ledger: DomLedger,
    /// The mean rating of all players after them; that of a newcomer without players.
    pub mean_rating: f64,
    /// Piece by piece, oldest first.
    pub pieces: Vec<PointsPiece<K>>,
}

/// Plays the games of a history in order of time, as [`rate`](super::rate()) does, and enters each into a ledger. Games one
/// after another for which `piece_of` (given the place of the game and its time) has the same answer are one piece.
///
/// Time plays no part in DOM MMR, so that there is no rating period to choose. Cost: O(n).
///
/// # Errors
/// [`RateError::NotDuels`], and [`RateError::Params`] for points beyond what a ledger takes.
///
/// ```
/// use matchwright_rating::history::{HistoryBuilder, NamedGame};
/// use matchwright_rating::{Adjustments, DomMmrParams, Score};
/// use matchwright_sim::rate::points_course;
///
/// let mut builder = HistoryBuilder::default();
/// for (time, names) in (0..).zip([["ann", "bob"], ["ann", "cyd"]]) {
///     builder.push(&NamedGame::duel(time, names, Score::WIN, 0.0))?;
/// }
/// let params = DomMmrParams { newcomer_games: 1, ..DomMmrParams::default() };
/// let course = points_course(&params.build()?, &Adjustments::NONE, &builder.finish(), |game, _| game)?;
/// // Ann is a newcomer in the first game alone: then she wins less than Cyd loses.
/// assert_eq!((course.pieces[0].net_so_far, course.ledger.games().destroyed().round()), (0.0, 58.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn points_course<K: PartialEq>(
    dom: &DomMmr,
    adjust: &impl Adjust<DomRating>,
    history: &History,
    piece_of: impl Fn(usize, i64) -> K,
) -> Result<PointsCourse<K>, RateError> {
    let duels = history.duels().ok_or(RateError::NotDuels)?;
    let walk = DuelWalk {
        system: dom,
        adjust,
        clock: Clock::Games,
    };
    let mut standings = Vec::new();
    greet(&dom.initial(), history, &mut standings);
    let mut unheard = |_, _| {};
    let mut told = Told::new(&mut unheard);
    let mut ledger = DomLedger::default();
    let mut pieces: Vec<PointsPiece<K>> = Vec::new();
    for (game, duel) in duels.iter().enumerate() {
        let places = [duel.player1, duel.player2].map(|player| player as usize);
        let before = places.map(|place| standings[place].rating);
        walk.over(duels, game..game + 1, &mut standings, &mut told)?;
        let after = places.map(|place| standings[place].rating);
        ledger.record(dom, before, after)?;
        let piece = piece_of(game, duel.time);
        if pieces.last().is_none_or(|last| last.piece != piece) {
            pieces.push(PointsPiece {
                piece,
                from: duel.time,
                to: duel.time,
                ledger: DomLedger::default(),
                net_so_far: 0.0,
            });
        }
        if let Some(last) = pieces.last_mut() {
            last.ledger.record(dom, before, after)?;
            (last.to, last.net_so_far) = (duel.time, ledger.games().net());
        }
    }
    let initial = dom.initial().glory();
    let won: f64 = standings
        .iter()
        .map(|standing| standing.rating.glory() - initial)
        .sum();
    Ok(PointsCourse {
        ledger,
        mean_rating: initial + won / standings.len().max(1) as f64,
        pieces,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rate::{PairRater, rate};
    use approx::assert_abs_diff_eq;
    use matchwright_rating::history::{HistoryBuilder, NamedGame};
    use matchwright_rating::{
        Adjustments, DomMmrParams, HomeAdvantage, KReason, KeepSum, MarginWeight, PeriodChoice, Score,
    };

    /// Some hundred games of twelve players of whom the earlier names win more.
    fn history() -> History {
        let mut builder = HistoryBuilder::default();
        for time in 0..400_i64 {
            let (a, b) = (time * 7 % 12, (time * 7 + 1 + time % 5) % 12);
            let names = [a, b].map(|player| format!("p{player:02}"));
            let wins = (a < b) ^ (time % 6 == 0);
            let (score, margin) = if wins {
                (Score::WIN, 2.0)
            } else {
                (Score::LOSS, -1.0)
            };
            let game = NamedGame::duel(time, [&*names[0], &*names[1]], score, margin);
            builder.push(&game).unwrap();
        }
        builder.finish()
    }

    fn dom(keep_sum: Option<KeepSum>) -> DomMmr {
        let params = DomMmrParams {
            keep_sum,
            ..DomMmrParams::default()
        };
        params.build().unwrap()
    }

    fn adjustments() -> Adjustments {
        Adjustments {
            home: HomeAdvantage::new(120.0).unwrap(),
            margin: Some(MarginWeight::WorldFootball),
            ..Adjustments::NONE
        }
    }

    #[test]
    fn the_ledger_tells_how_the_mean_of_the_ratings_moved() {
        let history = history();
        for adjust in [Adjustments::NONE, adjustments()] {
            let course = points_course(&dom(None), &adjust, &history, |game, _| game / 100).unwrap();
            let mut rater = PairRater::new(dom(None), PeriodChoice::Game)
                .unwrap()
                .adjusted(adjust);
            let rated = rate(&mut rater, &history, &[]).unwrap();
            let sum: f64 = rated.players.iter().map(|player| player.rating).sum();
            let net = course.ledger.games().net();
            assert!(net.abs() > 1.0, "{net}");
            assert_abs_diff_eq!(net, sum - 12.0 * 12_000.0, epsilon = 1e-6);
            assert_abs_diff_eq!(course.mean_rating, sum / 12.0, epsilon = 1e-8);
            // Pieces and reasons both add up to it.
            let pieces = course.pieces.iter().map(|piece| piece.ledger.games().net());
            assert_abs_diff_eq!(pieces.sum::<f64>(), net, epsilon = 1e-8);
            let reasons = KReason::ALL.map(|reason| course.ledger.of(reason).net());
            assert_abs_diff_eq!(reasons.iter().sum::<f64>(), net, epsilon = 1e-6);
            let last = course.pieces.last().unwrap();
            assert_eq!(
                (course.pieces.len(), last.from, last.to, last.net_so_far),
                (4, 300, 399, net)
            );
        }
    }

    #[test]
    fn one_k_for_both_sides_keeps_the_sum_with_home_advantage_and_margins_too() {
        for keep in [KeepSum::Mean, KeepSum::Smaller, KeepSum::Larger] {
            let course = points_course(&dom(Some(keep)), &adjustments(), &history(), |_, _| ()).unwrap();
            assert!(course.ledger.games().made() < 1e-6, "{keep:?}");
            assert_abs_diff_eq!(course.mean_rating, 12_000.0, epsilon = 1e-7);
        }
    }
}
