//! [`Adjust`]: what the circumstances of one game change, whatever the system: who was at home, by how much was won, who
//! played how well.

use crate::advantage::HomeAdvantage;
use crate::draw::OutcomeProbabilities;
use crate::margin::{MarginWeight, PerformanceWeight, weighted_update};
use crate::score::{GameResult, Score};
use crate::store::{Duel, RatesGames};
use crate::system::{RatingEstimate, RatingSystem};
use crate::team::{Member, ShiftRating, TeamGame, TeamRatingSystem};

/// A duel as it was played, beside its players' ratings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DuelFacts {
    /// The first player's score.
    pub score: Score,
    /// The first player's points less the second's; 0 where the score alone is known.
    pub margin: f64,
}

/// A game of sides as it was played, beside its players' ratings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TeamFacts<'a> {
    /// The first side's score, in a game of two.
    pub score: Score,
    /// The first side's points less the second's.
    pub margin: f64,
    /// For each side the performance of each member; empty where none is recorded.
    pub performances: &'a [Vec<Option<f64>>],
}

/// What the circumstances of a game change of its forecast and of what is learnt from it, for ratings `R`.
///
/// It wraps a game, not a system, so that it goes with every one. `()` changes nothing and asks nothing of ratings;
/// [`Adjustments`] are ours. Every method is provided.
pub trait Adjust<R: Clone> {
    /// The second player as the first meets it in this game, and the first as the second does.
    fn opponents(&self, now: &[R; 2]) -> [R; 2] {
        [now[1].clone(), now[0].clone()]
    }

    /// The ratings after a duel of players rated `now`, given those of an update without circumstances.
    fn weighed(&self, now: &[R; 2], after: [R; 2], duel: &DuelFacts) -> [R; 2] {
        let _ = (now, duel);
        after
    }

    /// How a side fares against another in a decided game; `is_first` if that is of two sides, of which it is the first.
    fn decided<S: TeamRatingSystem<Rating = R>>(
        &self,
        system: &S,
        side: &[Member<R>],
        other: &[Member<R>],
        is_first: bool,
    ) -> OutcomeProbabilities {
        let _ = is_first;
        system.decided_probabilities(side, other)
    }

    /// Whether performances are to be told: they take time to gather.
    fn looks_at_performances(&self) -> bool {
        false
    }

    /// The ratings after a game of sides.
    fn update_game<S: TeamRatingSystem<Rating = R>>(
        &self,
        system: &S,
        game: &TeamGame<R>,
        facts: &TeamFacts<'_>,
    ) -> Vec<Vec<R>> {
        let _ = facts;
        system.update(game)
    }
}

impl<R: Clone> Adjust<R> for () {}

/// Home advantage, and weights by margin and by performance.
///
/// In games of two sides the first has the advantage, and all updates are weighed by the margin; then members of a side
/// learn by their performances. Draws and games without scores or performances have weight 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Adjustments {
    /// The advantage of the first side.
    pub home: HomeAdvantage,
    /// How much a game counts for its margin; none: once.
    pub margin: Option<MarginWeight>,
    /// How much a player's own performance counts.
    pub performance: PerformanceWeight,
}

impl Adjustments {
    /// None of them.
    pub const NONE: Self = Self {
        home: HomeAdvantage::NONE,
        margin: None,
        performance: PerformanceWeight::NONE,
    };
}

impl<R: RatingEstimate + ShiftRating + Clone> Adjust<R> for Adjustments {
    fn opponents(&self, now: &[R; 2]) -> [R; 2] {
        if self.home == HomeAdvantage::NONE {
            return [now[1].clone(), now[0].clone()];
        }
        let points = self.home.points();
        [now[1].shifted(-points), now[0].shifted(points)]
    }

    fn weighed(&self, now: &[R; 2], after: [R; 2], duel: &DuelFacts) -> [R; 2] {
        let Some(by) = self.margin else { return after };
        let lead = now[0].rating() - now[1].rating() + self.home.points();
        let weight = by.of_game(duel.score, duel.margin, lead);
        [0, 1].map(|side| weighted_update(&now[side], &after[side], weight))
    }

    fn decided<S: TeamRatingSystem<Rating = R>>(
        &self,
        system: &S,
        side: &[Member<R>],
        other: &[Member<R>],
        is_first: bool,
    ) -> OutcomeProbabilities {
        if is_first && self.home != HomeAdvantage::NONE {
            system.decided_probabilities(&self.home.raise_side(side), other)
        } else {
            system.decided_probabilities(side, other)
        }
    }

    fn looks_at_performances(&self) -> bool {
        self.performance != PerformanceWeight::NONE
    }

    fn update_game<S: TeamRatingSystem<Rating = R>>(
        &self,
        system: &S,
        game: &TeamGame<R>,
        facts: &TeamFacts<'_>,
    ) -> Vec<Vec<R>> {
        let mut after = match game.sides() {
            [_, _] => self.home.update_game(system, game, 0),
            _ => system.update(game),
        };
        if let (Some(by), [one, other]) = (self.margin, game.sides()) {
            let lead = mean_rating(&one.members) + self.home.points() - mean_rating(&other.members);
            let weight = by.of_game(facts.score, facts.margin, lead);
            let members = game.sides().iter().flat_map(|side| &side.members);
            for (member, rating) in members.zip(after.iter_mut().flatten()) {
                *rating = weighted_update(&member.rating, rating, weight);
            }
        }
        if !facts.performances.is_empty() {
            self.performance.apply(game, facts.performances, &mut after);
        }
        after
    }
}

/// Mean rating of a side, by shares.
pub fn mean_rating<R: RatingEstimate>(members: &[Member<R>]) -> f64 {
    let shares: f64 = members.iter().map(|member| member.share).sum();
    let sum: f64 = members.iter().map(|one| one.share * one.rating.rating()).sum();
    sum / shares
}

/// A system with the circumstances of its games, for a [`RatingStore`](crate::store::RatingStore): it knows of a duel its
/// [margin](Duel::margin), of games of sides the order of their sides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Adjusted<S, A> {
    /// The system.
    pub system: S,
    /// What the circumstances change.
    pub adjust: A,
}

impl<S: RatingSystem, A: Adjust<S::Rating>> RatesGames<Duel<u32>> for Adjusted<S, A> {
    type Rating = S::Rating;

    fn newcomer(&self) -> S::Rating {
        self.system.initial()
    }

    fn idle(&self, rating: &S::Rating, elapsed_periods: f64) -> S::Rating {
        self.system.update(rating, elapsed_periods, &[])
    }

    fn rate(&self, game: &Duel<u32>, before: &[(S::Rating, f64)], after: &mut Vec<S::Rating>) {
        let [first, second] = before else { return };
        let now = [first, second].map(|(rating, elapsed)| self.system.update(rating, *elapsed, &[]));
        let [met_by_first, met_by_second] = self.adjust.opponents(&now);
        let learn = |(rating, elapsed): &(S::Rating, f64), met, score| {
            self.system
                .update(rating, *elapsed, &[GameResult::new(met, score)])
        };
        let learnt = [
            learn(first, met_by_first, game.score),
            learn(second, met_by_second, game.score.reversed()),
        ];
        let facts = DuelFacts {
            score: game.score,
            margin: game.margin,
        };
        after.extend(self.adjust.weighed(&now, learnt, &facts));
    }
}

impl<S: TeamRatingSystem, A: Adjust<S::Rating>> RatesGames<TeamGame<u32>> for Adjusted<S, A> {
    type Rating = S::Rating;

    fn newcomer(&self) -> S::Rating {
        self.system.initial()
    }

    fn idle(&self, rating: &S::Rating, elapsed_periods: f64) -> S::Rating {
        self.system.after_inactivity(rating, elapsed_periods)
    }

    fn rate(&self, game: &TeamGame<u32>, before: &[(S::Rating, f64)], after: &mut Vec<S::Rating>) {
        let mut before = before.iter();
        let now = game.map(|_| {
            let known = before.next();
            known.map_or_else(
                || self.system.initial(),
                |(rating, elapsed)| self.system.after_inactivity(rating, *elapsed),
            )
        });
        let facts = TeamFacts {
            score: Score::DRAW,
            margin: 0.0,
            performances: &[],
        };
        after.extend(
            self.adjust
                .update_game(&self.system, &now, &facts)
                .into_iter()
                .flatten(),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::RatingStore;
    use crate::{EloParams, RatingPeriod};

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
