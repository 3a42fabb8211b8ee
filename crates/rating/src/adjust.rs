//! [`Adjust`]: what the circumstances of one game change, whatever the system: who was at home, by how much was won, who
//! played how well, for how long a player was away, which rank a player cannot lose.

use std::borrow::Cow;

use crate::advantage::HomeAdvantage;
use crate::decay::Decay;
use crate::draw::OutcomeProbabilities;
use crate::floors::RankFloors;
use crate::margin::{MarginWeight, PerformanceWeight, weighted_update};
use crate::score::Score;
use crate::system::RatingEstimate;
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
    /// A player's rating after the last game, as it is for one who comes back this many periods later. The system lets the time pass
    /// over what this gives.
    fn back<'r>(&self, rating: &'r R, elapsed_periods: f64) -> Cow<'r, R> {
        let _ = elapsed_periods;
        Cow::Borrowed(rating)
    }

    /// Changes a player's rating `after` a game, when all else is done; `last` is that after the last game before it.
    fn settle(&self, last: &R, after: &mut R) {
        let _ = (last, after);
    }

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

/// Home advantage, weights by margin and by performance, decay and rank floors.
///
/// In games of two sides the first has the advantage, and all updates are weighed by the margin; then members of a side
/// learn by their performances. Draws and games without scores or performances have weight 1. At last none falls below the floor of
/// its rank, and no deviation has grown by more than it may.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Adjustments {
    /// The advantage of the first side.
    pub home: HomeAdvantage,
    /// How much a game counts for its margin; none: once.
    pub margin: Option<MarginWeight>,
    /// How much a player's own performance counts.
    pub performance: PerformanceWeight,
    /// What ratings lose while their players are away.
    pub decay: Option<Decay>,
    /// What no game takes ratings below.
    pub floors: Option<RankFloors>,
    /// The most points by which a deviation after a game is above that after the last one, whatever the time between them and
    /// the result.
    pub max_deviation_growth: Option<f64>,
}

impl Adjustments {
    /// None of them.
    pub const NONE: Self = Self {
        home: HomeAdvantage::NONE,
        margin: None,
        performance: PerformanceWeight::NONE,
        decay: None,
        floors: None,
        max_deviation_growth: None,
    };
}

impl<R: RatingEstimate + ShiftRating + Clone> Adjust<R> for Adjustments {
    fn back<'r>(&self, rating: &'r R, elapsed_periods: f64) -> Cow<'r, R> {
        let decayed = self.decay.and_then(|decay| decay.after(rating, elapsed_periods));
        decayed.map_or(Cow::Borrowed(rating), |mut decayed| {
            if let Some(floors) = self.floors {
                floors.keep(rating, &mut decayed);
            }
            Cow::Owned(decayed)
        })
    }

    fn settle(&self, last: &R, after: &mut R) {
        if let Some(floors) = self.floors {
            floors.keep(last, after);
        }
        if let (Some(growth), Some(known), Some(now)) =
            (self.max_deviation_growth, last.deviation(), after.deviation())
            && now > known + growth
        {
            *after = after.with_deviation(known + growth);
        }
    }

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
