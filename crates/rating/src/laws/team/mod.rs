//! The contract of [`TeamRatingSystem`] as checks that anyone can run on an implementation.
//!
//! As for one against one, each law is a method of [`TeamLaws`]; [`check_teams`] draws
//! games and tries all that every system must keep, [`check_team_promise`] one that only some make,
//! and [`check_free_for_all`] one game of very many sides.
//!
//! ```
//! use matchwright_rating::{TrueSkillParams, GaussianRating, laws};
//!
//! let system = TrueSkillParams::default().build()?;
//! let sampler = |draw: &mut laws::Draw| {
//!     GaussianRating::new(draw.uniform(0.0, 50.0), draw.uniform(1.0, 8.0)).unwrap()
//! };
//! laws::check_teams(&system, sampler, 1, 50)?;
//! laws::check_team_promise(&system, laws::TeamPromise::WinnersDoNotLose, sampler, 1, 50)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod law;
mod promise;

use crate::laws::{Draw, LawViolation, time};
use crate::system::RatingEstimate;
use crate::team::{GameError, Member, ShiftRating, Side, TeamGame, TeamRatingSystem};
use law::TeamLaws;

/// A law that holds for some team systems only, because not every system claims it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TeamPromise {
    /// The members of a side alone in first place do not lose points: [`TeamLaws::winners_do_not_lose`].
    WinnersDoNotLose,
    /// The members of a side alone in last place do not gain points: [`TeamLaws::losers_do_not_gain`].
    LosersDoNotGain,
    /// A better place never rates a side's members lower:
    /// [`TeamLaws::a_better_place_never_rates_lower`].
    PlaceIsMonotone,
    /// What some gain the others lose: [`TeamLaws::points_are_only_moved`].
    PointsAreOnlyMoved,
    /// The shorter a game of newcomers, the less it says of them: [`TeamLaws::a_shorter_game_says_less`]. For every system
    /// whose newcomers' deviation is not many times the luck of a game.
    ShorterGamesSayLess,
}

/// Tries every law of the trait's contract on `cases` drawn games.
///
/// `sampler` makes the ratings: let it cover what the system should bear, extremes included. Drawn
/// here are two to eight sides of one to five members, ties, shares (none included), parties, sides
/// that are twins of others, and times.
///
/// # Errors
/// The first [`LawViolation`]; the same one for the same `seed`.
pub fn check_teams<S>(
    system: &S,
    mut sampler: impl FnMut(&mut Draw) -> S::Rating,
    seed: u64,
    cases: u32,
) -> Result<(), LawViolation>
where
    S: TeamRatingSystem + ?Sized,
    S::Rating: RatingEstimate + ShiftRating,
{
    let draw = &mut Draw::new(seed);
    let laws = TeamLaws(system);
    let idle = |player: &S::Rating, periods: f64| system.after_inactivity(player, periods);
    for case in 0..cases {
        let game = checked(draw.game(&mut sampler))?;
        let (side, opponents) = (&game.sides()[0].members, &game.sides()[1].members);
        let member = draw.below(5) as usize % side.len();
        let points = draw.log_uniform(1e-3, 1e4);
        let (player, time, more) = (&side[0].rating, draw.periods(), draw.periods());

        laws.outcomes_are_probabilities(side, opponents)?;
        laws.swapping_sides_swaps_win_and_loss(side, opponents)?;
        laws.a_decided_game_is_won_or_lost(side, opponents)?;
        // It takes as long as some dozens of the others.
        if case % 16 == 0 {
            laws.places_are_probabilities(&game)?;
        }
        laws.equal_sides_are_even(side)?;
        laws.nothing_is_known_of_an_absent_side(side)?;
        laws.a_better_member_never_wins_less(side, opponents, member, points)?;
        laws.the_answer_has_the_shape_of_the_game(&game)?;
        laws.updates_are_repeatable(&game)?;
        let places = [0, 1].map(|side: usize| game.sides()[side].place);
        laws.a_duel_is_its_game((player, places[0]), (&opponents[0].rating, places[1]))?;
        laws.updates_stay_finite(&game)?;
        laws.order_of_sides_and_members_is_irrelevant(&game)?;
        laws.party_numbers_are_labels(&game)?;
        laws.the_absent_keep_their_ratings(&game)?;
        laws.meaningless_time_is_no_time(player)?;
        time::inactivity_never_narrows(idle, player, time, more)?;
        time::inactivity_adds_up(idle, player, time, more)?;
        laws.a_draw_of_equals_is_as_likely_at_any_length(side)?;
    }
    Ok(())
}

/// Tries a law that `system` makes beyond the contract on `cases` drawn games.
///
/// # Errors
/// The first [`LawViolation`]; the same one for the same `seed`.
pub fn check_team_promise<S>(
    system: &S,
    promise: TeamPromise,
    mut sampler: impl FnMut(&mut Draw) -> S::Rating,
    seed: u64,
    cases: u32,
) -> Result<(), LawViolation>
where
    S: TeamRatingSystem + ?Sized,
    S::Rating: RatingEstimate,
{
    let draw = &mut Draw::new(seed);
    let laws = TeamLaws(system);
    for _ in 0..cases {
        let game = checked(draw.game(&mut sampler))?;
        match promise {
            TeamPromise::WinnersDoNotLose => laws.winners_do_not_lose(&game)?,
            TeamPromise::LosersDoNotGain => laws.losers_do_not_gain(&game)?,
            TeamPromise::PlaceIsMonotone => {
                let places = (1 + draw.below(17), 1 + draw.below(17));
                let side = draw.below(8) as usize % game.sides().len();
                laws.a_better_place_never_rates_lower(&game, side, places)?;
            }
            TeamPromise::PointsAreOnlyMoved => laws.points_are_only_moved(&game)?,
            TeamPromise::ShorterGamesSayLess => {
                let side = game.sides()[0].members.iter();
                let newcomers: Vec<_> = side.map(|one| one.with_rating(system.initial())).collect();
                laws.a_shorter_game_says_less(&newcomers, 1 + draw.below(2))?;
            }
        }
    }
    Ok(())
}

/// Tries one game of `players` sides of one, with ties: its shape, and that all stays finite.
///
/// 20,000 players are the size that this crate's own systems for many sides are held to.
///
/// # Errors
/// A [`LawViolation`], also for fewer than two players.
pub fn check_free_for_all<S>(
    system: &S,
    mut sampler: impl FnMut(&mut Draw) -> S::Rating,
    seed: u64,
    players: u32,
) -> Result<(), LawViolation>
where
    S: TeamRatingSystem + ?Sized,
    S::Rating: RatingEstimate,
{
    let draw = &mut Draw::new(seed);
    let laws = TeamLaws(system);
    let sides = (0..players).map(|_| Side::new(1 + draw.below(players), [sampler(draw)]));
    let game = checked(TeamGame::new(sides.collect()))?;
    laws.updates_stay_finite(&game)
}

pub(super) fn checked<R>(game: Result<TeamGame<R>, GameError>) -> Result<TeamGame<R>, LawViolation> {
    game.map_err(|error| LawViolation {
        law: "the_answer_has_the_shape_of_the_game",
        detail: format!("no game could be drawn: {error}"),
    })
}

impl Draw {
    /// A game of two to eight sides; one side in four is the twin of an earlier one, and half of the
    /// twins share its place too.
    fn game<R: Clone>(&mut self, sampler: &mut impl FnMut(&mut Self) -> R) -> Result<TeamGame<R>, GameError> {
        let count = 2 + self.below(7);
        let mut sides: Vec<Side<R>> = Vec::new();
        for earlier in 0..count {
            let place = 1 + self.below(count);
            let twin = (self.below(4) == 0)
                .then(|| self.below(earlier) as usize)
                .and_then(|index| sides.get(index));
            let side = match twin {
                Some(twin) if self.below(2) == 0 => twin.clone(),
                Some(twin) => Side::of_members(place, twin.members.clone()),
                None => Side::of_members(place, self.members(sampler)),
            };
            sides.push(side);
        }
        TeamGame::new(sides)
    }

    /// One to five members, of whom one at least played.
    fn members<R>(&mut self, sampler: &mut impl FnMut(&mut Self) -> R) -> Vec<Member<R>> {
        let (count, present) = (1 + self.below(5), self.below(5));
        (0..count)
            .map(|seat| {
                let mut member = Member::new(sampler(self));
                match self.below(4) {
                    0 if seat != present % count => member = member.for_share(0.0),
                    1 => member = member.for_share(self.uniform(0.01, 1.0)),
                    _ => {}
                }
                if self.below(2) == 0 {
                    member = member.in_party(self.below(3));
                }
                member
            })
            .collect()
    }
}
