//! The law suite for teams, and systems with one flaw each, which must fail it.

use std::cell::Cell;

use matchwright_rating::laws::TeamLaws;
use matchwright_rating::laws::{
    Draw, TeamPromise, check_free_for_all, check_team_endurance, check_team_promise, check_teams,
};
use matchwright_rating::{
    Davidson, DrawModel, Member, OutcomeProbabilities, PlaceProbabilities, RatingEstimate, ShiftRating, Side,
    TeamGame, TeamRatingSystem,
};

/// What a flawed system does wrong.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Flaw {
    None,
    WinsTooOften,
    FavoursTheFirst,
    RanksByPosition,
    CountsTheAbsent,
    PrefersTheWorse,
    FearsNoOpponent,
    ForgetsAMember,
    ForgetsASide,
    PaysTheFirstSideMore,
    PaysTheFirstMemberMore,
    TiesGoToTheFirst,
    LikesEvenParties,
    PaysForAnyParty,
    ExpectsMoreOfParties,
    PaysTheAbsent,
    Remembers,
    Overflows,
    LosesItOnce,
    IsSurerThanSure,
    TravelsBack,
    NarrowsWithTime,
    RoundsTime,
    WinnersPay,
    LosersGain,
    PaysForThePlaceInTheMiddle,
    Inflates,
    ReadsAPartAsAWhole,
    IsSurerAfterAPart,
    DrawsMoreInAPart,
}

/// A rating and a deviation.
#[derive(Debug, Clone, PartialEq)]
struct Plain {
    rating: f64,
    deviation: f64,
}

impl RatingEstimate for Plain {
    fn rating(&self) -> f64 {
        self.rating
    }

    fn deviation(&self) -> Option<f64> {
        Some(self.deviation)
    }
}

impl ShiftRating for Plain {
    fn shifted(&self, points: f64) -> Self {
        Self {
            rating: self.rating + points,
            ..*self
        }
    }

    fn with_deviation(&self, deviation: f64) -> Self {
        Self { deviation, ..*self }
    }
}

/// Elo of sides: the mean of the members, weighted by share, against every other side.
struct Flawed {
    flaw: Flaw,
    updates: Cell<f64>,
}

fn flawed(flaw: Flaw) -> Flawed {
    let updates = Cell::new(0.0);
    Flawed { flaw, updates }
}

impl Flawed {
    fn skill(&self, members: &[Member<Plain>]) -> Option<f64> {
        let shares: f64 = members.iter().map(|member| member.share).sum();
        let points: f64 = members
            .iter()
            .map(|member| {
                let bonus = match self.flaw {
                    Flaw::ExpectsMoreOfParties => member.party.map_or(0.0, |_| 0.3),
                    _ => 0.0,
                };
                member.share * (member.rating.rating + bonus)
            })
            .sum();
        match self.flaw {
            Flaw::PrefersTheWorse if shares > 0.0 => Some(-points / shares),
            Flaw::CountsTheAbsent if shares == 0.0 => Some(-1.0),
            _ => (shares > 0.0).then(|| points / shares),
        }
    }

    fn expected(&self, side: &[Member<Plain>], other: &[Member<Plain>]) -> f64 {
        match (self.skill(side), self.skill(other)) {
            (Some(ours), Some(theirs)) => 1.0 / (1.0 + (theirs - ours).exp()),
            _ => 0.5,
        }
    }

    /// What `member` of the side in position `index` gains, if the side gains `won` in all.
    fn gain(&self, game: &TeamGame<Plain>, index: usize, member: usize, won: f64) -> f64 {
        let sides = game.sides();
        let (side, one) = (&sides[index], &sides[index].members[member]);
        let shares: f64 = side.members.iter().map(|member| member.share).sum();
        let length = match self.flaw {
            Flaw::ReadsAPartAsAWhole => 1.0,
            _ => game.length(),
        };
        let gain = won * length * one.share / shares;
        let mut places: Vec<u32> = sides.iter().map(|side| side.place).collect();
        places.sort_unstable();
        let alone = |place: u32| places.iter().filter(|&&other| other == place).count() == 1;
        let (first, last) = (places[0], places[places.len() - 1]);
        let middling = side.place != first && side.place != last;
        let played = one.share > 0.0;
        match self.flaw {
            Flaw::PaysTheFirstSideMore if index == 0 => gain * 1.1,
            Flaw::PaysTheFirstMemberMore if member == 0 => gain * 1.1,
            Flaw::TiesGoToTheFirst if played => {
                let earlier = sides[..index].iter().any(|other| other == side);
                gain + f64::from(u8::from(earlier)) * 0.01
            }
            Flaw::LikesEvenParties if played && one.party.is_some_and(|party| party % 2 == 0) => gain + 0.1,
            Flaw::PaysForAnyParty if played && one.party.is_some() => gain + 0.1,
            Flaw::PaysTheAbsent if !played => 0.1,
            Flaw::Overflows if sides.len() > 7 && played => f64::INFINITY,
            // At one update only: who asks again gets a number.
            Flaw::LosesItOnce if (self.updates.get() * 1e9).round() == 100.0 => f64::NAN,
            Flaw::WinnersPay if side.place == first && alone(first) => -gain,
            Flaw::LosersGain if side.place == last && alone(last) => -gain,
            Flaw::PaysForThePlaceInTheMiddle if middling && played => gain + 10.0,
            Flaw::Inflates if played => gain + 0.01,
            Flaw::Remembers if played => gain + self.updates.get(),
            _ => gain,
        }
    }
}

impl TeamRatingSystem for Flawed {
    type Rating = Plain;

    fn initial(&self) -> Plain {
        Plain {
            rating: 0.0,
            deviation: 1.0,
        }
    }

    fn after_inactivity(&self, player: &Plain, elapsed: f64) -> Plain {
        let elapsed = match self.flaw {
            Flaw::TravelsBack => elapsed.abs(),
            Flaw::RoundsTime => elapsed.max(0.0).floor(),
            _ => elapsed.max(0.0),
        };
        let deviation = match self.flaw {
            Flaw::NarrowsWithTime => player.deviation / (1.0 + elapsed),
            _ if elapsed == 0.0 => player.deviation,
            _ => (player.deviation.powi(2) + elapsed)
                .sqrt()
                .min(100.0)
                .max(player.deviation),
        };
        Plain {
            deviation,
            ..player.clone()
        }
    }

    fn outcome_probabilities(
        &self,
        side: &[Member<Plain>],
        opponents: &[Member<Plain>],
    ) -> OutcomeProbabilities {
        let (e, reverse) = (self.expected(side, opponents), self.expected(opponents, side));
        let mut p = Davidson::from_draw_probability(0.1)
            .unwrap()
            .outcome_probabilities(e, reverse);
        match self.flaw {
            Flaw::WinsTooOften => p.win = (p.win * 1.5).min(1.0),
            Flaw::FavoursTheFirst => {
                p.win += 0.01 * p.draw;
                p.loss -= 0.01 * p.draw;
            }
            // Complementary, but the better the opponents the fewer of their wins count.
            Flaw::DrawsMoreInAPart if side.iter().chain(opponents).all(|one| one.share <= 0.5) => {
                p = OutcomeProbabilities::new(0.4, 0.2, 0.4).unwrap();
            }
            Flaw::FearsNoOpponent if e < 0.3 || reverse < 0.3 => return even(),
            _ => {}
        }
        p
    }

    fn place_probabilities(&self, sides: &[&[Member<Plain>]]) -> PlaceProbabilities {
        let strength = |(position, side): (u32, &&[Member<Plain>])| match self.flaw {
            Flaw::RanksByPosition => f64::from(position),
            _ => side
                .iter()
                .map(|member| member.share * member.rating.rating)
                .sum(),
        };
        let strengths: Vec<f64> = (0..).zip(sides).map(strength).collect();
        PlaceProbabilities::plackett_luce(&strengths)
    }

    fn update(&self, game: &TeamGame<Plain>) -> Vec<Vec<Plain>> {
        self.updates.set(self.updates.get() + 1e-9);
        let sides = game.sides();
        let after = |index: usize| {
            let side = &sides[index];
            let won: f64 = sides
                .iter()
                .map(|other| {
                    let score = match side.place.cmp(&other.place) {
                        std::cmp::Ordering::Less => 1.0,
                        std::cmp::Ordering::Equal => 0.5,
                        std::cmp::Ordering::Greater => 0.0,
                    };
                    score - self.expected(&side.members, &other.members)
                })
                .sum();
            let members = side.members.iter().enumerate().map(|(member, one)| Plain {
                rating: one.rating.rating + self.gain(game, index, member, won),
                deviation: match self.flaw {
                    Flaw::IsSurerThanSure if one.share > 0.0 => one.rating.deviation - 1.0,
                    Flaw::IsSurerAfterAPart => one.rating.deviation * (0.5 + 0.5 * game.length()),
                    _ => one.rating.deviation,
                },
            });
            let forgotten = usize::from(self.flaw == Flaw::ForgetsAMember);
            members.skip(forgotten).collect()
        };
        let forgotten = usize::from(self.flaw == Flaw::ForgetsASide);
        (forgotten..sides.len()).map(after).collect()
    }
}

fn even() -> OutcomeProbabilities {
    OutcomeProbabilities::new(0.45, 0.1, 0.45).unwrap()
}

fn plain(draw: &mut Draw) -> Plain {
    Plain {
        rating: draw.uniform(-3.0, 3.0),
        deviation: draw.uniform(0.1, 10.0),
    }
}

const PROMISES: [TeamPromise; 5] = [
    TeamPromise::WinnersDoNotLose,
    TeamPromise::LosersDoNotGain,
    TeamPromise::PlaceIsMonotone,
    TeamPromise::PointsAreOnlyMoved,
    TeamPromise::ShorterGamesSayLess,
];

#[test]
fn a_sound_system_keeps_every_law_and_promise() {
    let sound = flawed(Flaw::None);
    check_teams(&sound, plain, 1, 300).unwrap();
    for promise in PROMISES {
        check_team_promise(&sound, promise, plain, 2, 300).unwrap();
    }
    check_free_for_all(&sound, plain, 3, 500).unwrap();
    let boxed: Box<dyn TeamRatingSystem<Rating = Plain>> = Box::new(sound);
    check_teams(&boxed, plain, 4, 20).unwrap();
    check_teams(boxed.as_ref(), plain, 4, 20).unwrap();
}

#[test]
fn a_wrong_system_fails_the_law_it_breaks() {
    for (flaw, law) in [
        (Flaw::WinsTooOften, "outcomes_are_probabilities"),
        (Flaw::FavoursTheFirst, "swapping_sides_swaps_win_and_loss"),
        (Flaw::RanksByPosition, "places_are_probabilities"),
        (Flaw::CountsTheAbsent, "nothing_is_known_of_an_absent_side"),
        (Flaw::PrefersTheWorse, "a_better_member_never_wins_less"),
        (Flaw::FearsNoOpponent, "a_better_member_never_wins_less"),
        (Flaw::ForgetsAMember, "the_answer_has_the_shape_of_the_game"),
        (Flaw::ForgetsASide, "the_answer_has_the_shape_of_the_game"),
        (
            Flaw::PaysTheFirstSideMore,
            "order_of_sides_and_members_is_irrelevant",
        ),
        (
            Flaw::PaysTheFirstMemberMore,
            "order_of_sides_and_members_is_irrelevant",
        ),
        (Flaw::TiesGoToTheFirst, "order_of_sides_and_members_is_irrelevant"),
        (Flaw::LikesEvenParties, "party_numbers_are_labels"),
        (Flaw::PaysForAnyParty, "party_numbers_are_labels"),
        (Flaw::ExpectsMoreOfParties, "party_numbers_are_labels"),
        (Flaw::PaysTheAbsent, "the_absent_keep_their_ratings"),
        (Flaw::Remembers, "updates_are_repeatable"),
        (Flaw::Overflows, "updates_stay_finite"),
        (Flaw::IsSurerThanSure, "updates_stay_finite"),
        (Flaw::TravelsBack, "meaningless_time_is_no_time"),
        (Flaw::NarrowsWithTime, "inactivity_never_narrows"),
        (Flaw::RoundsTime, "inactivity_adds_up"),
        (
            Flaw::DrawsMoreInAPart,
            "a_draw_of_equals_is_as_likely_at_any_length",
        ),
    ] {
        let broken = check_teams(&flawed(flaw), plain, 5, 300).unwrap_err();
        assert_eq!(broken.law, law, "{flaw:?}: {broken}");
    }
}

#[test]
fn a_wrong_system_fails_the_promise_it_breaks() {
    for (flaw, promise, law) in [
        (
            Flaw::WinnersPay,
            TeamPromise::WinnersDoNotLose,
            "winners_do_not_lose",
        ),
        (
            Flaw::LosersGain,
            TeamPromise::LosersDoNotGain,
            "losers_do_not_gain",
        ),
        (
            Flaw::PaysForThePlaceInTheMiddle,
            TeamPromise::PlaceIsMonotone,
            "a_better_place_never_rates_lower",
        ),
        (
            Flaw::Inflates,
            TeamPromise::PointsAreOnlyMoved,
            "points_are_only_moved",
        ),
        (
            Flaw::ReadsAPartAsAWhole,
            TeamPromise::ShorterGamesSayLess,
            "a_shorter_game_says_less",
        ),
        (
            Flaw::IsSurerAfterAPart,
            TeamPromise::ShorterGamesSayLess,
            "a_shorter_game_says_less",
        ),
    ] {
        let broken = check_team_promise(&flawed(flaw), promise, plain, 6, 300).unwrap_err();
        assert_eq!(broken.law, law, "{flaw:?}: {broken}");
        assert!(broken.to_string().contains(law));
    }
}

#[test]
fn a_system_that_overflows_in_large_games_fails_the_free_for_all() {
    let broken = check_free_for_all(&flawed(Flaw::Overflows), plain, 7, 100).unwrap_err();
    assert_eq!(broken.law, "updates_stay_finite");
    assert!(
        broken.detail.starts_with("a game of 100 sides"),
        "{}",
        broken.detail
    );
    // Nobody to play against is no game.
    assert!(check_free_for_all(&flawed(Flaw::None), plain, 7, 1).is_err());
}

#[test]
fn a_system_that_runs_away_fails_a_long_career_of_teams_even_if_it_does_not_repeat_itself() {
    check_team_endurance(&flawed(Flaw::None), plain, 7, 200).unwrap();
    let broken = check_team_endurance(&flawed(Flaw::LosesItOnce), plain, 7, 200).unwrap_err();
    assert_eq!(broken.law, "careers_stay_finite");
    assert!(
        broken.detail.contains("after game 99 of 200"),
        "{}",
        broken.detail
    );
}

#[test]
fn laws_that_others_imply_fail_alone_too() {
    let side: Vec<_> = [1.0, -2.0]
        .map(|rating| {
            Member::new(Plain {
                rating,
                deviation: 1.0,
            })
        })
        .into();
    TeamLaws(&flawed(Flaw::None)).equal_sides_are_even(&side).unwrap();
    let broken = TeamLaws(&flawed(Flaw::FavoursTheFirst))
        .equal_sides_are_even(&side)
        .unwrap_err();
    assert_eq!(broken.law, "equal_sides_are_even");
}

#[test]
fn shared_places_are_neither_won_nor_lost_and_seats_that_are_not_there_prove_nothing() {
    let one = |rating| Plain {
        rating,
        deviation: 1.0,
    };
    let drawn = TeamGame::duel(one(1.0), 1, one(-1.0), 1);
    TeamLaws(&flawed(Flaw::WinnersPay))
        .winners_do_not_lose(&drawn)
        .unwrap();
    TeamLaws(&flawed(Flaw::LosersGain))
        .losers_do_not_gain(&drawn)
        .unwrap();
    TeamLaws(&flawed(Flaw::None))
        .a_better_place_never_rates_lower(&drawn, 9, (1, 2))
        .unwrap();
    let sides: [&Side<Plain>; 2] = [&drawn.sides()[0], &drawn.sides()[1]];
    TeamLaws(&flawed(Flaw::PrefersTheWorse))
        .a_better_member_never_wins_less(&sides[0].members, &sides[1].members, 5, 1.0)
        .unwrap();
}
