//! [`TeamLaws`]: each law of a [`TeamRatingSystem`] as a method that returns nothing or the violation.
//!
//! Ratings are compared up to 1e-9 of the largest number in the game or its answer, since every player's answer is
//! made of everyone's ratings; "keeps" means the same bits.

use std::fmt::Debug;

use crate::laws::LawViolation;
use crate::laws::law::{LENGTHS, TOLERANCE, Verdict, close, is_sound, require, says_less};
use crate::system::RatingEstimate;
use crate::team::{Member, ShiftRating, Side, TeamGame, TeamRatingSystem};

/// What a rating of size 1e9 leaves of the digits of a probability.
const SHARE_OF_SCALE: f64 = 1e-12;

/// The largest rating or deviation among `members`, at least 1: rounding is relative to it.
fn scale<'a, R: RatingEstimate + 'a>(members: impl IntoIterator<Item = &'a Member<R>>) -> f64 {
    members.into_iter().fold(1.0, |largest: f64, member| {
        largest
            .max(member.rating.rating().abs())
            .max(member.rating.deviation().unwrap_or(0.0))
    })
}

pub(super) fn scale_of_game<R: RatingEstimate>(game: &TeamGame<R>) -> f64 {
    scale(game.sides().iter().flat_map(|side| &side.members))
}

/// A system that moves ratings far brings rounding of that size along.
fn scale_of_answer<R: RatingEstimate>(answer: &[Vec<R>]) -> f64 {
    let sizes = answer
        .iter()
        .flatten()
        .map(|rating| rating.rating().abs().max(rating.deviation().unwrap_or(0.0)));
    sizes.fold(1.0, f64::max)
}

/// Rounding that a probability may bring along when ratings are as large as `scale`.
fn probability_slack(scale: f64) -> f64 {
    TOLERANCE + SHARE_OF_SCALE * scale
}

/// Large games make unreadable messages: the first few sides and the count do.
pub(super) fn show<R: Debug>(game: &TeamGame<R>) -> String {
    let sides = game.sides();
    format!(
        "a game of {} sides {:?}",
        sides.len(),
        &sides[..sides.len().min(8)]
    )
}

/// A game made from a checked one is a game; if not, the law that needed it says so.
pub(super) fn remade<R>(law: &'static str, sides: Vec<Side<R>>) -> Result<TeamGame<R>, LawViolation> {
    TeamGame::new(sides).map_err(|error| LawViolation {
        law,
        detail: format!("the law could not be tried: {error}"),
    })
}

fn same_within<R: RatingEstimate>(a: &R, b: &R, slack: f64) -> bool {
    let deviations = match (a.deviation(), b.deviation()) {
        (Some(x), Some(y)) => (x - y).abs() <= slack,
        (None, None) => true,
        _ => false,
    };
    (a.rating() - b.rating()).abs() <= slack && deviations
}

/// The same parties under other numbers; a party of one becomes nobody's.
fn renumbered<R: Clone>(members: &[Member<R>]) -> Vec<Member<R>> {
    let label = |member: &Member<R>| {
        let party = member.party?;
        let sharing = members.iter().filter(|other| other.party == Some(party)).count();
        // Counting numbers in reverse keeps different numbers different.
        (sharing > 1).then_some(u32::MAX - party)
    };
    members
        .iter()
        .map(|member| Member {
            party: label(member),
            ..member.clone()
        })
        .collect()
}

/// The members of a whole game in one of this length.
fn of_length<R: Clone>(members: &[Member<R>], length: f64) -> Vec<Member<R>> {
    let longest = members.iter().map(|member| member.share).fold(0.0, f64::max);
    let shorter = |member: &Member<R>| member.clone().for_share(member.share / longest * length);
    members.iter().map(shorter).collect()
}

/// A system for teams and its laws, each a method.
#[derive(Debug)]
pub struct TeamLaws<'a, S: ?Sized>(pub &'a S);

impl<S: TeamRatingSystem + ?Sized> TeamLaws<'_, S> {
    /// The answer to `game`, in its shape.
    pub(in crate::laws) fn answer(
        &self,
        game: &TeamGame<S::Rating>,
    ) -> Result<Vec<Vec<S::Rating>>, LawViolation> {
        let after = self.0.update(game);
        let shape = |lengths: &mut dyn Iterator<Item = usize>| lengths.collect::<Vec<_>>();
        let expected = shape(&mut game.sides().iter().map(|side| side.members.len()));
        let found = shape(&mut after.iter().map(Vec::len));
        require(found == expected, "the_answer_has_the_shape_of_the_game", || {
            format!(
                "{} has sides of {expected:?}, its answer of {found:?}",
                show(game)
            )
        })?;
        Ok(after)
    }

    /// Win, draw and loss are probabilities that sum to 1.
    ///
    /// # Errors
    /// [`LawViolation`] if not.
    pub fn outcomes_are_probabilities(
        &self,
        side: &[Member<S::Rating>],
        opponents: &[Member<S::Rating>],
    ) -> Verdict {
        let p = self.0.outcome_probabilities(side, opponents);
        let sound = [p.win, p.draw, p.loss]
            .iter()
            .all(|probability| (0.0..=1.0).contains(probability));
        require(
            sound && close(p.win + p.draw + p.loss, 1.0),
            "outcomes_are_probabilities",
            || format!("{side:?} against {opponents:?}: {p:?}"),
        )
    }

    /// A decided game is won or lost, and from the other side the other way round.
    ///
    /// # Errors
    /// [`LawViolation`] if not.
    pub fn a_decided_game_is_won_or_lost(
        &self,
        side: &[Member<S::Rating>],
        opponents: &[Member<S::Rating>],
    ) -> Verdict {
        let here = self.0.decided_probabilities(side, opponents);
        let there = self.0.decided_probabilities(opponents, side);
        let is_sound = [here.win, here.loss].iter().all(|p| (0.0..=1.0).contains(p)) && here.draw == 0.0;
        let holds = is_sound && close(here.win + here.loss, 1.0) && close(here.win, there.loss);
        require(holds, "a_decided_game_is_won_or_lost", || {
            format!("{side:?} against {opponents:?}: {here:?}, seen from the other side {there:?}")
        })
    }

    /// A side takes some place and a place some side, each with probability 1, and sides given in reverse take the same
    /// places.
    ///
    /// # Errors
    /// [`LawViolation`] if not.
    pub fn places_are_probabilities(&self, game: &TeamGame<S::Rating>) -> Verdict
    where
        S::Rating: RatingEstimate,
    {
        let mut sides: Vec<&[Member<S::Rating>]> =
            game.sides().iter().map(|side| side.members.as_slice()).collect();
        let places = self.0.place_probabilities(&sides);
        sides.reverse();
        let reversed = self.0.place_probabilities(&sides);
        let (rows, slack) = (places.rows(), probability_slack(scale_of_game(game)));
        let is_one = |sum: f64| (sum - 1.0).abs() <= slack;
        let sound = rows.len() == sides.len()
            && rows.iter().all(|row| {
                row.len() == sides.len()
                    && row.iter().all(|p| (0.0..=1.0 + slack).contains(p))
                    && is_one(row.iter().sum())
            })
            && (0..sides.len()).all(|place| is_one(rows.iter().map(|row| row[place]).sum()));
        let same = rows.iter().flatten().zip(reversed.rows().iter().rev().flatten());
        let holds = sound && same.into_iter().all(|(p, q)| (p - q).abs() <= slack);
        require(holds, "places_are_probabilities", || {
            format!("{}: {rows:?}, in reverse {reversed:?}", show(game))
        })
    }

    /// From the other side, win and loss are swapped and the draw is the same.
    ///
    /// # Errors
    /// [`LawViolation`] if not.
    pub fn swapping_sides_swaps_win_and_loss(
        &self,
        side: &[Member<S::Rating>],
        opponents: &[Member<S::Rating>],
    ) -> Verdict {
        let (here, there) = (
            self.0.outcome_probabilities(side, opponents),
            self.0.outcome_probabilities(opponents, side).reversed(),
        );
        let same = close(here.win, there.win) && close(here.draw, there.draw) && close(here.loss, there.loss);
        require(same, "swapping_sides_swaps_win_and_loss", || {
            format!("{side:?} against {opponents:?}: {here:?}, seen from the other side {there:?}")
        })
    }

    /// A side against its like wins as often as it loses.
    ///
    /// # Errors
    /// [`LawViolation`] if not.
    pub fn equal_sides_are_even(&self, side: &[Member<S::Rating>]) -> Verdict {
        let p = self.0.outcome_probabilities(side, side);
        require(close(p.win, p.loss), "equal_sides_are_even", || {
            format!("{side:?} against its like: {p:?}")
        })
    }

    /// Against a side without members, or of members who took no part, the result is even.
    ///
    /// # Errors
    /// [`LawViolation`] if not.
    pub fn nothing_is_known_of_an_absent_side(&self, side: &[Member<S::Rating>]) -> Verdict {
        let absent: Vec<_> = side.iter().map(|member| member.clone().for_share(0.0)).collect();
        for (side, opponents) in [
            (side, &[] as &[_]),
            (side, &absent),
            (&absent, side),
            (&absent, &[]),
            (&[], &[]),
        ] {
            let p = self.0.outcome_probabilities(side, opponents);
            let even = close(p.win, p.loss) && close(p.win + p.draw + p.loss, 1.0);
            require(even, "nothing_is_known_of_an_absent_side", || {
                format!("{side:?} against {opponents:?}: {p:?}")
            })?;
        }
        Ok(())
    }

    /// The answer has one rating for every member of every side.
    ///
    /// # Errors
    /// [`LawViolation`] if not.
    pub fn the_answer_has_the_shape_of_the_game(&self, game: &TeamGame<S::Rating>) -> Verdict {
        self.answer(game).map(|_| ())
    }

    /// Who has a share of 0 keeps the rating, to the bit.
    ///
    /// # Errors
    /// [`LawViolation`] if not.
    pub fn the_absent_keep_their_ratings(&self, game: &TeamGame<S::Rating>) -> Verdict {
        let after = self.answer(game)?;
        for (side, ratings) in game.sides().iter().zip(&after) {
            for (member, now) in side.members.iter().zip(ratings) {
                require(
                    member.share > 0.0 || *now == member.rating,
                    "the_absent_keep_their_ratings",
                    || format!("{}: {member:?} is {now:?} afterwards", show(game)),
                )?;
            }
        }
        Ok(())
    }

    /// The shorter a game that `side` won against its like (or drew, if they came first as well), the higher each member's
    /// deviation after it, or as high; a millionth of a game moves nobody by more than a hundredth of what a whole one does.
    /// Shares are those of a whole game.
    ///
    /// # Errors
    /// [`LawViolation`] if not.
    pub fn a_shorter_game_says_less(&self, side: &[Member<S::Rating>], place_of_others: u32) -> Verdict
    where
        S::Rating: RatingEstimate,
    {
        const LAW: &str = "a_shorter_game_says_less";
        let mut answers = Vec::new();
        for length in LENGTHS {
            let sides = [1, place_of_others].map(|place| Side::of_members(place, of_length(side, length)));
            answers.push(self.answer(&remade(LAW, sides.into())?)?);
        }
        for (seat, member) in side.iter().enumerate() {
            for won in [0, 1] {
                let mut after = answers.iter().map(|answer| answer[won][seat].clone());
                let after = LENGTHS.map(|_| after.next().unwrap_or_else(|| member.rating.clone()));
                says_less(LAW, &member.rating, &after)?;
            }
        }
        Ok(())
    }

    /// Equals whose skills are known draw as often in a short game as in a whole one.
    ///
    /// # Errors
    /// [`LawViolation`] if not.
    pub fn a_draw_of_equals_is_as_likely_at_any_length(&self, side: &[Member<S::Rating>]) -> Verdict
    where
        S::Rating: ShiftRating,
    {
        let known = |member: &Member<S::Rating>| member.with_rating(member.rating.with_deviation(0.0));
        let known: Vec<_> = side.iter().map(known).collect();
        let draws = LENGTHS.map(|length| {
            let members = of_length(&known, length);
            self.0.outcome_probabilities(&members, &members).draw
        });
        let same = draws.iter().all(|draw| close(*draw, draws[0]));
        require(same, "a_draw_of_equals_is_as_likely_at_any_length", || {
            format!("{known:?} against its like draws with {draws:?} in games of lengths {LENGTHS:?}")
        })
    }

    /// A duel rates both players as the game of these two sides does.
    ///
    /// # Errors
    /// [`LawViolation`] if not.
    pub fn a_duel_is_its_game(&self, first: (&S::Rating, u32), second: (&S::Rating, u32)) -> Verdict {
        let duel = self.0.update_duel(first, second);
        let game = TeamGame::duel(first.0.clone(), first.1, second.0.clone(), second.1);
        let after = self.0.update(&game);
        let is_same = after == [[duel.0.clone()], [duel.1.clone()]];
        require(is_same, "a_duel_is_its_game", || {
            format!("{}: {duel:?} as a duel, {after:?} as a game", show(&game))
        })
    }

    /// The same call gives the same answer, in the lists of an earlier game too.
    ///
    /// # Errors
    /// [`LawViolation`] if not.
    pub fn updates_are_repeatable(&self, game: &TeamGame<S::Rating>) -> Verdict {
        let (first, second) = (self.answer(game)?, self.answer(game)?);
        let mut third = vec![Vec::new(), vec![self.0.initial(); 3], Vec::new()];
        self.0.update_into(game, &mut third);
        require(
            first == second && first == third,
            "updates_are_repeatable",
            || format!("{}: {first:?}, then {second:?}", show(game)),
        )
    }

    /// No time, negative time and NaN leave the rating as it is, to the bit.
    ///
    /// # Errors
    /// [`LawViolation`] if not.
    pub fn meaningless_time_is_no_time(&self, player: &S::Rating) -> Verdict {
        for elapsed in [0.0, -1e-9, -1.0, f64::NEG_INFINITY, f64::NAN] {
            let after = self.0.after_inactivity(player, elapsed);
            require(after == *player, "meaningless_time_is_no_time", || {
                format!("{player:?} after {elapsed} periods is {after:?}")
            })?;
        }
        Ok(())
    }
}

impl<S> TeamLaws<'_, S>
where
    S: TeamRatingSystem + ?Sized,
    S::Rating: RatingEstimate,
{
    /// Sides and members in reverse, and rotated, give every player the same rating, and the first two
    /// sides the same outcome.
    ///
    /// # Errors
    /// [`LawViolation`] if not.
    pub fn order_of_sides_and_members_is_irrelevant(&self, game: &TeamGame<S::Rating>) -> Verdict {
        const LAW: &str = "order_of_sides_and_members_is_irrelevant";
        let before = self.answer(game)?;
        let sides = game.sides();
        let slack = TOLERANCE * scale_of_game(game).max(scale_of_answer(&before));
        for (how, turn) in [("in reverse", false), ("rotated", true)] {
            let order = |length: usize| -> Vec<usize> {
                let mut order: Vec<_> = (0..length).collect();
                if turn {
                    order.rotate_left(length / 2);
                } else {
                    order.reverse();
                }
                order
            };
            let seats: Vec<(usize, Vec<usize>)> = order(sides.len())
                .into_iter()
                .map(|side| (side, order(sides[side].members.len())))
                .collect();
            let turned = seats.iter().map(|(side, members)| {
                let members = members.iter().map(|&m| sides[*side].members[m].clone());
                Side::of_members(sides[*side].place, members.collect())
            });
            let turned = remade(LAW, turned.collect())?;
            let after = self.answer(&turned)?;
            for ((side, members), ratings) in seats.iter().zip(&after) {
                for (&member, now) in members.iter().zip(ratings) {
                    let first = &before[*side][member];
                    require(same_within(first, now, slack), LAW, || {
                        format!(
                            "{}: member {member} of side {side} is {first:?}, with the players {how} {now:?}",
                            show(game)
                        )
                    })?;
                }
            }
        }
        self.members_in_reverse_expect_the_same(&sides[0].members, &sides[1].members)
    }

    fn members_in_reverse_expect_the_same(
        &self,
        side: &[Member<S::Rating>],
        opponents: &[Member<S::Rating>],
    ) -> Verdict {
        let reversed = |members: &[Member<S::Rating>]| members.iter().rev().cloned().collect::<Vec<_>>();
        let slack = probability_slack(scale(side.iter().chain(opponents)));
        let p = self.0.outcome_probabilities(side, opponents);
        let q = self
            .0
            .outcome_probabilities(&reversed(side), &reversed(opponents));
        let same = (p.win - q.win).abs() <= slack
            && (p.draw - q.draw).abs() <= slack
            && (p.loss - q.loss).abs() <= slack;
        require(same, "order_of_sides_and_members_is_irrelevant", || {
            format!("{side:?} against {opponents:?}: {p:?}, with members in reverse {q:?}")
        })
    }

    /// Other numbers for the same parties change nothing, nor does a number that a player has alone.
    ///
    /// # Errors
    /// [`LawViolation`] if they do.
    pub fn party_numbers_are_labels(&self, game: &TeamGame<S::Rating>) -> Verdict {
        const LAW: &str = "party_numbers_are_labels";
        let renamed: Vec<_> = game
            .sides()
            .iter()
            .map(|side| Side::of_members(side.place, renumbered(&side.members)))
            .collect();
        let renamed = remade(LAW, renamed)?;
        let (before, after) = (self.answer(game)?, self.answer(&renamed)?);
        let slack = TOLERANCE * scale_of_game(game).max(scale_of_answer(&before));
        let same = before
            .iter()
            .flatten()
            .zip(after.iter().flatten())
            .all(|(first, now)| same_within(first, now, slack));
        require(same, LAW, || {
            format!("{}: {before:?}, with parties renumbered {after:?}", show(game))
        })?;
        let outcome = |game: &TeamGame<S::Rating>| {
            let sides = game.sides();
            self.0.outcome_probabilities(&sides[0].members, &sides[1].members)
        };
        let (p, q) = (outcome(game), outcome(&renamed));
        require(
            close(p.win, q.win) && close(p.draw, q.draw) && close(p.loss, q.loss),
            LAW,
            || format!("{}: {p:?}, with parties renumbered {q:?}", show(game)),
        )
    }

    /// Ratings and deviations stay finite, deviations are not negative, and the new ratings can be played
    /// with.
    ///
    /// # Errors
    /// [`LawViolation`] if not.
    pub fn updates_stay_finite(&self, game: &TeamGame<S::Rating>) -> Verdict {
        let after = self.answer(game)?;
        for (side, ratings) in game.sides().iter().zip(&after) {
            for (member, now) in side.members.iter().zip(ratings) {
                require(is_sound(now), "updates_stay_finite", || {
                    format!("{}: {member:?} is {now:?} afterwards", show(game))
                })?;
            }
        }
        let side = |index: usize| -> Vec<_> { after[index].iter().cloned().map(Member::new).collect() };
        let p = self.0.outcome_probabilities(&side(0), &side(1));
        require(
            (p.win + p.draw + p.loss).is_finite(),
            "updates_stay_finite",
            || format!("{}: its first two sides then expect {p:?}", show(game)),
        )
    }
}

impl<S> TeamLaws<'_, S>
where
    S: TeamRatingSystem + ?Sized,
    S::Rating: RatingEstimate + ShiftRating,
{
    /// A side wins no less and loses no more often once one of its members is `points` better.
    ///
    /// Tried from both sides of the game, and so for a better opponent too.
    ///
    /// # Errors
    /// [`LawViolation`] if not.
    pub fn a_better_member_never_wins_less(
        &self,
        side: &[Member<S::Rating>],
        opponents: &[Member<S::Rating>],
        member: usize,
        points: f64,
    ) -> Verdict {
        let mut better = side.to_vec();
        let Some(one) = better.get_mut(member) else {
            return Ok(());
        };
        one.rating = one.rating.shifted(points.abs());
        let slack = probability_slack(scale(side.iter().chain(&better).chain(opponents)));
        for (before, after, seen) in [
            (
                self.0.outcome_probabilities(side, opponents),
                self.0.outcome_probabilities(&better, opponents),
                "by the side",
            ),
            (
                self.0.outcome_probabilities(opponents, side).reversed(),
                self.0.outcome_probabilities(opponents, &better).reversed(),
                "by its opponents",
            ),
        ] {
            let holds = after.win >= before.win - slack && after.loss <= before.loss + slack;
            require(holds, "a_better_member_never_wins_less", || {
                format!(
                    "{side:?} against {opponents:?}, asked {seen}: {before:?}, member {member} better by {points} {after:?}"
                )
            })?;
        }
        Ok(())
    }
}
