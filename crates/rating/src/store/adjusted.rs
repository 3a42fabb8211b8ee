//! [`Adjusted`]: a system with the circumstances of its games.

use super::game::{Duel, RatesGames};
use crate::adjust::{Adjust, DuelFacts, TeamFacts};
use crate::score::{GameResult, Score};
use crate::season::SeasonChange;
use crate::system::{RatingEstimate, RatingSystem};
use crate::team::{ShiftRating, TeamGame, TeamRatingSystem};

/// A system with the circumstances of its games, for a [`RatingStore`](super::RatingStore): it knows of a duel its
/// [margin](Duel::margin), of games of sides the order of their sides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Adjusted<S, A> {
    /// The system.
    pub system: S,
    /// What the circumstances change.
    pub adjust: A,
}

impl<S, A> RatesGames<Duel<u32>> for Adjusted<S, A>
where
    S: RatingSystem,
    S::Rating: RatingEstimate + ShiftRating,
    A: Adjust<S::Rating>,
{
    type Rating = S::Rating;

    fn newcomer(&self) -> S::Rating {
        self.system.initial()
    }

    fn idle(&self, rating: &S::Rating, elapsed_periods: f64) -> S::Rating {
        let rating = self.adjust.back(rating, elapsed_periods);
        self.system.update(&rating, elapsed_periods, &[])
    }

    fn rate(&self, game: &Duel<u32>, before: &[(S::Rating, f64)], after: &mut Vec<S::Rating>) {
        let [first, second] = before else { return };
        let last = [&first.0, &second.0];
        let before = [first, second].map(|(rating, elapsed)| (self.adjust.back(rating, *elapsed), *elapsed));
        let learn = |side: usize, games: &[_]| self.system.update(&before[side].0, before[side].1, games);
        let now = [learn(0, &[]), learn(1, &[])];
        let [met_by_first, met_by_second] = self.adjust.opponents(&now);
        let learnt = [
            learn(0, &[GameResult::new(met_by_first, game.score)]),
            learn(1, &[GameResult::new(met_by_second, game.score.reversed())]),
        ];
        let facts = DuelFacts {
            score: game.score,
            margin: game.margin,
        };
        let weighed = self.adjust.weighed(&now, learnt, &facts);
        for (last, mut rating) in last.into_iter().zip(weighed) {
            self.adjust.settle(last, &mut rating);
            after.push(rating);
        }
    }

    fn in_season(&self, rating: &S::Rating, change: &SeasonChange) -> S::Rating {
        change.apply(rating, &self.system.initial())
    }
}

impl<S, A> RatesGames<TeamGame<u32>> for Adjusted<S, A>
where
    S: TeamRatingSystem,
    S::Rating: RatingEstimate + ShiftRating,
    A: Adjust<S::Rating>,
{
    type Rating = S::Rating;

    fn newcomer(&self) -> S::Rating {
        self.system.initial()
    }

    fn idle(&self, rating: &S::Rating, elapsed_periods: f64) -> S::Rating {
        let rating = self.adjust.back(rating, elapsed_periods);
        self.system.after_inactivity(&rating, elapsed_periods)
    }

    fn rate(&self, game: &TeamGame<u32>, before: &[(S::Rating, f64)], after: &mut Vec<S::Rating>) {
        let mut each = before.iter();
        let now = game.map(|_| {
            let known = each.next();
            known.map_or_else(
                || self.system.initial(),
                |(rating, elapsed)| {
                    let rating = self.adjust.back(rating, *elapsed);
                    self.system.after_inactivity(&rating, *elapsed)
                },
            )
        });
        let facts = TeamFacts {
            score: Score::DRAW,
            margin: 0.0,
            performances: &[],
        };
        let updated = self.adjust.update_game(&self.system, &now, &facts);
        for ((last, _), mut rating) in before.iter().zip(updated.into_iter().flatten()) {
            self.adjust.settle(last, &mut rating);
            after.push(rating);
        }
    }

    fn in_season(&self, rating: &S::Rating, change: &SeasonChange) -> S::Rating {
        change.apply(rating, &self.system.initial())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::RatingStore;
    use crate::{Adjustments, EloParams, HomeAdvantage, MarginWeight, RatingPeriod};

    #[test]
    fn a_store_rates_as_home_and_margin_say() {
        let system = EloParams::default().build().unwrap();
        let adjust = Adjustments {
            home: HomeAdvantage::new(100.0).unwrap(),
            margin: Some(MarginWeight::WorldFootball),
            ..Adjustments::NONE
        };
        let mut store = RatingStore::by_time(Adjusted { system, adjust }, RatingPeriod::days(1.0).unwrap());
        let by_three = Duel {
            margin: 3.0,
            ..Duel::new("ann", "bob", Score::WIN)
        };
        store.add(0, by_three).unwrap();
        let rating = |name| store.standing(name).unwrap().rating.value();
        // 32 (1 - .64) for a win at home, 7/4 times.
        let gain = 32.0 * (1.0 - 1.0 / (1.0 + 10_f64.powf(-0.25))) * 1.75;
        assert!((rating("ann") - 1500.0 - gain).abs() < 1e-9, "{}", rating("ann"));
        assert!((rating("bob") - 1500.0 + gain).abs() < 1e-9);
    }
}
