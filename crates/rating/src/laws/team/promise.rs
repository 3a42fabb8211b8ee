//! Laws that only some team systems promise, as methods of [`TeamLaws`].

use crate::laws::law::{TOLERANCE, Verdict, require};
use crate::system::RatingEstimate;
use crate::team::{Side, TeamGame, TeamRatingSystem};

use super::law::{TeamLaws, remade, scale_of_game, show};

impl<S> TeamLaws<'_, S>
where
    S: TeamRatingSystem + ?Sized,
    S::Rating: RatingEstimate,
{
    /// Promised by some: who alone came first is rated no lower than before.
    ///
    /// # Errors
    /// [`LawViolation`](crate::laws::LawViolation) if not; a game that several won passes.
    pub fn winners_do_not_lose(&self, game: &TeamGame<S::Rating>) -> Verdict {
        let best = game.sides().iter().map(|side| side.place).min();
        self.moves_one_way(game, best, 1.0, "winners_do_not_lose")
    }

    /// Promised by some: who alone came last is rated no higher than before.
    ///
    /// # Errors
    /// [`LawViolation`](crate::laws::LawViolation) if not; a game that several lost passes.
    pub fn losers_do_not_gain(&self, game: &TeamGame<S::Rating>) -> Verdict {
        let worst = game.sides().iter().map(|side| side.place).max();
        self.moves_one_way(game, worst, -1.0, "losers_do_not_gain")
    }

    /// The members of the one side at `place` move in the direction of `sign`, or not at all.
    fn moves_one_way(
        &self,
        game: &TeamGame<S::Rating>,
        place: Option<u32>,
        sign: f64,
        law: &'static str,
    ) -> Verdict {
        let after = self.answer(game)?;
        let slack = TOLERANCE * scale_of_game(game);
        let mut there = game
            .sides()
            .iter()
            .zip(&after)
            .filter(|(side, _)| Some(side.place) == place);
        let (Some((side, ratings)), None) = (there.next(), there.next()) else {
            return Ok(());
        };
        for (member, now) in side.members.iter().zip(ratings) {
            let gain = now.rating() - member.rating.rating();
            require(sign * gain >= -slack, law, || {
                format!("{}: {member:?} is {now:?} afterwards", show(game))
            })?;
        }
        Ok(())
    }

    /// Promised by some: whatever the other sides did, a better place never rates a side's members lower.
    ///
    /// `side` is put in two places among the others, counted from 1 in half steps: an even number shares
    /// the place of others, an odd one lies between.
    ///
    /// # Errors
    /// [`LawViolation`](crate::laws::LawViolation) if not.
    pub fn a_better_place_never_rates_lower(
        &self,
        game: &TeamGame<S::Rating>,
        side: usize,
        places: (u32, u32),
    ) -> Verdict {
        const LAW: &str = "a_better_place_never_rates_lower";
        let (better, worse) = (places.0.min(places.1), places.0.max(places.1));
        let sides = game.sides();
        let Some(moved) = sides.get(side) else {
            return Ok(());
        };
        let mut taken: Vec<u32> = sides.iter().map(|other| other.place).collect();
        taken.sort_unstable();
        taken.dedup();
        let ratings_at = |place: u32| {
            let placed = sides.iter().enumerate().map(|(index, other)| {
                let rank = taken.partition_point(|&earlier| earlier < other.place);
                // No game has 2^31 sides.
                let rank = u32::try_from(2 * rank + 2).unwrap_or(u32::MAX);
                Side::of_members(if index == side { place } else { rank }, other.members.clone())
            });
            let after = self.answer(&remade(LAW, placed.collect())?)?;
            Ok::<_, crate::laws::LawViolation>(after.into_iter().nth(side).unwrap_or_default())
        };
        let (high, low) = (ratings_at(better)?, ratings_at(worse)?);
        let slack = TOLERANCE * scale_of_game(game);
        for (member, (high, low)) in moved.members.iter().zip(high.iter().zip(&low)) {
            require(high.rating() >= low.rating() - slack, LAW, || {
                format!(
                    "{}: {member:?} of side {side} is {high:?} in half step {better} and {low:?} in {worse}",
                    show(game)
                )
            })?;
        }
        Ok(())
    }

    /// Promised by some: what some gain the others lose, over all players of the game.
    ///
    /// # Errors
    /// [`LawViolation`](crate::laws::LawViolation) if not.
    pub fn points_are_only_moved(&self, game: &TeamGame<S::Rating>) -> Verdict {
        let after = self.answer(game)?;
        let (mut total, mut players) = (0.0, 0.0);
        for (side, ratings) in game.sides().iter().zip(&after) {
            for (member, now) in side.members.iter().zip(ratings) {
                total += now.rating() - member.rating.rating();
                players += 1.0;
            }
        }
        let slack = TOLERANCE * scale_of_game(game) * players;
        require(total.abs() <= slack, "points_are_only_moved", || {
            format!("{}: {total} points appear", show(game))
        })
    }
}
