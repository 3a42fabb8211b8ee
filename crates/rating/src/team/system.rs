//! [`TeamRatingSystem`], the trait of systems for teams and free-for-alls.

use std::fmt::Debug;

use crate::draw::OutcomeProbabilities;
use crate::team::game::{Member, TeamGame};
use crate::team::ranking::PlaceProbabilities;

/// Who is how good, learnt from games of teams, of two or of many sides.
///
/// # Contract
/// - **Pure and total**, as [`RatingSystem`](crate::RatingSystem) is: no method panics or returns
///   NaN for ratings that the system made or checked.
/// - [`outcome_probabilities`](Self::outcome_probabilities) sums to 1; swapping the sides swaps win and loss and keeps the draw.
/// - [`place_probabilities`](Self::place_probabilities) sum to 1 for each side and for each place; the order of sides
///   changes no side's own.
/// - [`update`](Self::update) answers in the shape of its game: one rating for each member of each
///   side, in the order given. The order of sides and of members changes no player's answer.
///   Parties are labels: only which members share one counts. Who has a share of 0 keeps the rating.
/// - **A part of a game is a part of the evidence.** As the [length](TeamGame::length) of a game of equals falls to 0, so does
///   what it moves them by, and their deviations after it never fall; a draw of equals whose skills are known is as likely at
///   any length.
/// - Time is brought in by [`after_inactivity`](Self::after_inactivity), before the game: t and then u periods are t + u.
///
/// Some systems promise more; see `laws::TeamPromise` (feature `laws`): that winners do not lose
/// points, that points are only moved. The trait is object-safe once `Rating` is fixed, and forwarded
/// through `&` and `Box`.
pub trait TeamRatingSystem {
    /// What the system knows about one player.
    type Rating: Clone + PartialEq + Debug;

    /// The rating of a player of whom nothing is known.
    fn initial(&self) -> Self::Rating;

    /// `player`'s rating after `elapsed_periods` without a game.
    ///
    /// The number may be fractional, and infinite for "as long as it takes"; negative and NaN count
    /// as no time passed.
    fn after_inactivity(&self, player: &Self::Rating, elapsed_periods: f64) -> Self::Rating;

    /// How likely `side` wins, draws and loses against `opponents`.
    ///
    /// Either may be empty or of shares that are 0: it then counts as a side of which nothing is known,
    /// and the result is even.
    fn outcome_probabilities(
        &self,
        side: &[Member<Self::Rating>],
        opponents: &[Member<Self::Rating>],
    ) -> OutcomeProbabilities;

    /// How likely `side` wins and loses a game that is decided, as a forecast; the two and the draw, 0, sum to 1.
    ///
    /// By default win / (win + loss) of [`outcome_probabilities`](Self::outcome_probabilities). A system with a margin within
    /// which games are drawn forecasts without it: who performs better.
    fn decided_probabilities(
        &self,
        side: &[Member<Self::Rating>],
        opponents: &[Member<Self::Rating>],
    ) -> OutcomeProbabilities {
        self.outcome_probabilities(side, opponents).decided()
    }

    /// How likely each of `sides` takes each place in a game of all of them.
    ///
    /// The default is Plackett and Luce's model with strengths from [`outcome_probabilities`](Self::outcome_probabilities)
    /// of all pairs; it is exact where these follow Bradley and Terry's model, as Elo's do. Systems with a model of
    /// performances of their own use that. Cost: cubic in the number of sides; milliseconds for 16.
    fn place_probabilities(&self, sides: &[&[Member<Self::Rating>]]) -> PlaceProbabilities {
        PlaceProbabilities::by_pairs(sides.len(), |side, other| {
            self.outcome_probabilities(sides[side], sides[other])
        })
    }

    /// The ratings after `game`, side by side and member by member.
    fn update(&self, game: &TeamGame<Self::Rating>) -> Vec<Vec<Self::Rating>>;

    /// [`update`](Self::update) into the lists of an earlier game, whose memory is used again.
    ///
    /// [`TrueSkill`](crate::TrueSkill) and [`WengLin`](crate::WengLin) allocate nothing for a game of two sides that finds
    /// room for its players.
    fn update_into(&self, game: &TeamGame<Self::Rating>, after: &mut Vec<Vec<Self::Rating>>) {
        *after = self.update(game);
    }

    /// What several games teach a player at once, each of which led from `before` to one of `after`: the same bits in any
    /// order of the games. A rating period whose games count at its end asks for it.
    ///
    /// By default `None`, always: such a system learns from the games of a period one after another. One that has an answer
    /// has one for any ratings that it made, and `before` for no games.
    fn at_once(&self, before: &Self::Rating, after: &[Self::Rating]) -> Option<Self::Rating> {
        let _ = (before, after);
        None
    }

    /// Both ratings after a game of one player against one, each given with a place as in
    /// [`Side::place`](crate::Side::place): the same bits as [`update`](Self::update) of [`TeamGame::duel`], in systems
    /// with a formula of their own without its lists.
    ///
    /// ```
    /// use matchwright_rating::{TeamRatingSystem, TrueSkillParams};
    ///
    /// let system = TrueSkillParams::default().build()?;
    /// let new = system.initial();
    /// let (winner, loser) = system.update_duel((&new, 1), (&new, 2));
    /// assert_eq!((winner.rating() * 1e3).round() / 1e3, 29.396);
    /// assert_eq!((loser.rating() * 1e3).round() / 1e3, 20.604);
    /// # Ok::<(), matchwright_rating::ParamError>(())
    /// ```
    fn update_duel(
        &self,
        first: (&Self::Rating, u32),
        second: (&Self::Rating, u32),
    ) -> (Self::Rating, Self::Rating) {
        let game = TeamGame::duel(first.0.clone(), first.1, second.0.clone(), second.1);
        let mut after = self.update(&game).into_iter().flatten();
        // The answer has the shape of its game.
        let mut next = |before: &Self::Rating| after.next().unwrap_or_else(|| before.clone());
        (next(first.0), next(second.0))
    }
}

macro_rules! forward {
    ($($pointer:ty),+) => {$(
        impl<S: TeamRatingSystem + ?Sized> TeamRatingSystem for $pointer {
            type Rating = S::Rating;

            fn initial(&self) -> S::Rating {
                (**self).initial()
            }

            fn after_inactivity(&self, player: &S::Rating, elapsed_periods: f64) -> S::Rating {
                (**self).after_inactivity(player, elapsed_periods)
            }

            fn outcome_probabilities(&self, side: &[Member<S::Rating>], opponents: &[Member<S::Rating>]) -> OutcomeProbabilities {
                (**self).outcome_probabilities(side, opponents)
            }

            fn decided_probabilities(&self, side: &[Member<S::Rating>], opponents: &[Member<S::Rating>]) -> OutcomeProbabilities {
                (**self).decided_probabilities(side, opponents)
            }

            fn place_probabilities(&self, sides: &[&[Member<S::Rating>]]) -> PlaceProbabilities {
                (**self).place_probabilities(sides)
            }

            fn update(&self, game: &TeamGame<S::Rating>) -> Vec<Vec<S::Rating>> {
                (**self).update(game)
            }

            fn update_into(&self, game: &TeamGame<S::Rating>, after: &mut Vec<Vec<S::Rating>>) {
                (**self).update_into(game, after);
            }

            fn at_once(&self, before: &S::Rating, after: &[S::Rating]) -> Option<S::Rating> {
                (**self).at_once(before, after)
            }

            fn update_duel(&self, first: (&S::Rating, u32), second: (&S::Rating, u32)) -> (S::Rating, S::Rating) {
                (**self).update_duel(first, second)
            }
        }
    )+};
}

forward!(&S, Box<S>);

// Object safety is part of the interface: this stops compiling if a change loses it.
const _: Option<&dyn TeamRatingSystem<Rating = f64>> = None;
