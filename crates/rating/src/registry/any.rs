//! Systems whose ratings are those of any.

use super::AnyRating;
use crate::draw::OutcomeProbabilities;
use crate::score::GameResult;
use crate::system::RatingSystem;
use crate::team::{Member, PlaceProbabilities, TeamGame, TeamRatingSystem};

/// A system for two players, whichever.
///
/// A rating of another system counts as a newcomer's, and a game against one as none.
pub type AnySystem = Box<dyn RatingSystem<Rating = AnyRating> + Send + Sync>;

/// A system for games of sides, whichever; as [`AnySystem`].
pub type AnyTeamSystem = Box<dyn TeamRatingSystem<Rating = AnyRating> + Send + Sync>;

/// From ratings of a system to those of any, and back.
pub(super) struct Kept<R> {
    pub(super) any: fn(R) -> AnyRating,
    pub(super) own: fn(&AnyRating) -> Option<&R>,
}

/// A system with ratings of any.
pub(super) struct Erased<S, R> {
    pub(super) system: S,
    pub(super) kept: Kept<R>,
}

impl<S: RatingSystem> RatingSystem for Erased<S, S::Rating> {
    type Rating = AnyRating;

    fn initial(&self) -> AnyRating {
        (self.kept.any)(self.system.initial())
    }

    fn expected_score(&self, player: &AnyRating, opponent: &AnyRating) -> f64 {
        match ((self.kept.own)(player), (self.kept.own)(opponent)) {
            (Some(player), Some(opponent)) => self.system.expected_score(player, opponent),
            _ => 0.5,
        }
    }

    fn win_probability(&self, player: &AnyRating, opponent: &AnyRating) -> f64 {
        match ((self.kept.own)(player), (self.kept.own)(opponent)) {
            (Some(player), Some(opponent)) => self.system.win_probability(player, opponent),
            _ => 0.5,
        }
    }

    fn update(&self, player: &AnyRating, elapsed_periods: f64, games: &[GameResult<AnyRating>]) -> AnyRating {
        let newcomer;
        let own = if let Some(own) = (self.kept.own)(player) {
            own
        } else {
            newcomer = self.system.initial();
            &newcomer
        };
        let known = |game: &GameResult<AnyRating>| {
            let opponent = (self.kept.own)(&game.opponent)?;
            Some(game.with_opponent(opponent.clone()))
        };
        let after = match games {
            [] => self.system.update(own, elapsed_periods, &[]),
            // The usual case takes no list.
            [game] => self.system.update(own, elapsed_periods, known(game).as_slice()),
            _ => {
                let games: Vec<_> = games.iter().filter_map(known).collect();
                self.system.update(own, elapsed_periods, &games)
            }
        };
        (self.kept.any)(after)
    }
}

impl<S: TeamRatingSystem> Erased<S, S::Rating> {
    fn own_rating(&self, rating: &AnyRating) -> S::Rating {
        let own = (self.kept.own)(rating);
        own.cloned().unwrap_or_else(|| self.system.initial())
    }

    fn own(&self, members: &[Member<AnyRating>]) -> Vec<Member<S::Rating>> {
        let own = |member: &Member<AnyRating>| member.with_rating(self.own_rating(&member.rating));
        members.iter().map(own).collect()
    }
}

impl<S: TeamRatingSystem> TeamRatingSystem for Erased<S, S::Rating> {
    type Rating = AnyRating;

    fn initial(&self) -> AnyRating {
        (self.kept.any)(self.system.initial())
    }

    fn after_inactivity(&self, player: &AnyRating, elapsed_periods: f64) -> AnyRating {
        let after = self
            .system
            .after_inactivity(&self.own_rating(player), elapsed_periods);
        (self.kept.any)(after)
    }

    fn outcome_probabilities(
        &self,
        side: &[Member<AnyRating>],
        opponents: &[Member<AnyRating>],
    ) -> OutcomeProbabilities {
        self.system
            .outcome_probabilities(&self.own(side), &self.own(opponents))
    }

    fn decided_probabilities(
        &self,
        side: &[Member<AnyRating>],
        opponents: &[Member<AnyRating>],
    ) -> OutcomeProbabilities {
        self.system
            .decided_probabilities(&self.own(side), &self.own(opponents))
    }

    fn place_probabilities(&self, sides: &[&[Member<AnyRating>]]) -> PlaceProbabilities {
        let own: Vec<_> = sides.iter().map(|side| self.own(side)).collect();
        let own: Vec<&[_]> = own.iter().map(Vec::as_slice).collect();
        self.system.place_probabilities(&own)
    }

    fn at_once(&self, before: &AnyRating, after: &[AnyRating]) -> Option<AnyRating> {
        let after: Vec<S::Rating> = after.iter().map(|rating| self.own_rating(rating)).collect();
        let learnt = self.system.at_once(&self.own_rating(before), &after)?;
        Some((self.kept.any)(learnt))
    }

    fn update(&self, game: &TeamGame<AnyRating>) -> Vec<Vec<AnyRating>> {
        let own = game.map(|member| self.own_rating(&member.rating));
        let after = self.system.update(&own).into_iter();
        after
            .map(|side| side.into_iter().map(self.kept.any).collect())
            .collect()
    }
}
