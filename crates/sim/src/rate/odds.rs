//! How likely one of two teams wins, by the system that rated their players.

use std::f64::consts::LN_10;

use matchwright_rating::history::PlayerIndex;
use matchwright_rating::{
    AnyParams, Member, OutcomeProbabilities, RatingEstimate, RatingParams, SystemSettings,
};

use super::contexts::scaled_chance;
use super::error::RateError;
use super::rated::Estimate;
use super::rater::{Rater, decided, rater_of};

/// A player with what a system said of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TeamMate {
    /// Rating points.
    pub rating: f64,
    /// Its standard deviation; none counts as a newcomer's, where the system keeps one.
    pub deviation: Option<f64>,
    /// Players of a team with the same number queued together.
    pub party: Option<u32>,
}

/// The probability, in \[0, 1\], that `team` wins a decided game against `opponents`: the forecast of
/// [`rate_games`](super::rate_games) without home advantage.
///
/// None for teams under Bradley-Terry, which compares single players.
///
/// # Errors
/// [`RateError`] names the parameter that is out of range.
///
/// ```
/// use matchwright_rating::{RatingParams, SystemName};
/// use matchwright_sim::rate::{TeamMate, team_odds};
///
/// let new = TeamMate { rating: 25.0, deviation: Some(25.0 / 3.0), party: None };
/// let alone = team_odds(&RatingParams::of(SystemName::TrueSkill), &[new], &[new; 3])?;
/// assert!(alone.unwrap() < 0.01);
/// # Ok::<(), matchwright_sim::rate::RateError>(())
/// ```
pub fn team_odds(
    params: &RatingParams,
    team: &[TeamMate],
    opponents: &[TeamMate],
) -> Result<Option<f64>, RateError> {
    let members = |mates: &[TeamMate]| -> Vec<Member<Estimate>> {
        let member = |mate: &TeamMate| Member {
            party: mate.party,
            ..Member::new(Estimate::new(mate.rating, mate.deviation))
        };
        mates.iter().map(member).collect()
    };
    let (ours, theirs) = (members(team), members(opponents));
    let OutcomeProbabilities { win, .. } = match &params.system {
        AnyParams::BradleyTerry(own) => {
            params.check()?;
            let ([one], [other]) = (&ours[..], &theirs[..]) else {
                return Ok(None);
            };
            let lead = one.rating.rating() - other.rating.rating();
            let odds = (lead / own.points_per_log_odds()).exp();
            let win = scaled_chance(odds / (1.0 + odds), params.log_odds_scale);
            return Ok(Some(win).filter(|win| win.is_finite()));
        }
        AnyParams::ThroughTime(own) => {
            params.check()?;
            decided(own.build()?.system(), None, &ours, &theirs)
        }
        _ => rater_of(params)?.decided(&ours, &theirs),
    };
    Ok(Some(scaled_chance(win, params.log_odds_scale)).filter(|win| win.is_finite()))
}

/// How many points make odds of ten to one between two players whom a rater knows exactly: by the slope of its forecasts between
/// players who are nearly equal.
pub fn points_for_ten_to_one(rater: &dyn Rater) -> f64 {
    let newcomer = rater.estimate(PlayerIndex::MAX).rating();
    let log_odds = |points: f64| {
        let member = |rating| [Member::new(Estimate::new(rating, Some(0.0)))];
        let OutcomeProbabilities { win, loss, .. } =
            rater.decided(&member(newcomer + 0.5 * points), &member(newcomer - 0.5 * points));
        (win / loss).ln()
    };
    // From far below any scale up to a tenth of log odds, where every curve is straight.
    let mut points = 1e-6;
    while points < 1e9 && log_odds(points) < 0.1 {
        points *= 2.0;
    }
    points * LN_10 / log_odds(points)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rate::rate_games;
    use approx::assert_abs_diff_eq;
    use matchwright_rating::history::{HistoryBuilder, NamedGame, NamedSeat, NamedSide};
    use matchwright_rating::{PartyBonusParams, SystemName};

    fn plain() -> RatingParams {
        RatingParams::of(SystemName::Elo)
    }

    fn side<'a>(place: u32, names: &[&'a str]) -> NamedSide<'a> {
        let seat = |name: &&'a str| NamedSeat {
            party: (*name != "dot").then_some(7),
            ..NamedSeat::whole(name)
        };
        NamedSide {
            place,
            score: 0.0,
            seats: names.iter().map(seat).collect(),
        }
    }

    /// Games of one second, so that nothing is forgotten between them; the last one is of one against three.
    fn games() -> Vec<NamedGame<'static>> {
        let game = |winners: &[&'static str], losers: &[&'static str]| NamedGame {
            context: None,
            time: 0,
            sides: vec![side(1, winners), side(2, losers)],
        };
        vec![
            game(&["ann", "bob"], &["cyd", "dot"]),
            game(&["ann"], &["bob"]),
            game(&["cyd"], &["dot"]),
            game(&["ann"], &["bob", "cyd", "dot"]),
        ]
    }

    fn rated(choice: SystemName, params: &RatingParams, games: &[NamedGame<'_>]) -> crate::rate::Rated {
        let mut builder = HistoryBuilder::default();
        for game in games {
            builder.push(game).unwrap();
        }
        rate_games(&params.with_system(choice), &builder.finish(), 0.5, &[]).unwrap()
    }

    #[test]
    fn the_odds_of_teams_are_those_by_which_their_game_is_forecast() {
        let games = games();
        for bonus in [None, Some(PartyBonusParams::default())] {
            let params = RatingParams {
                party_bonus: bonus,
                log_odds_scale: if bonus.is_some() { 0.7 } else { 1.0 },
                ..plain()
            };
            for choice in SystemName::ALL.iter().copied() {
                // They need all games at once.
                if matches!(choice, SystemName::BradleyTerry | SystemName::ThroughTime) {
                    continue;
                }
                let before = rated(choice, &params, &games[..3]);
                let mate = |name: &str| {
                    let player = before
                        .players
                        .iter()
                        .find(|player| player.player == name)
                        .unwrap();
                    TeamMate {
                        rating: player.rating,
                        deviation: player.deviation,
                        party: (name != "dot").then_some(7),
                    }
                };
                let forecast = rated(choice, &params, &games).predictions.pop().unwrap();
                let odds = team_odds(
                    &params.with_system(choice),
                    &[mate("ann")],
                    &["bob", "cyd", "dot"].map(mate),
                );
                assert_abs_diff_eq!(odds.unwrap().unwrap(), forecast.expected, epsilon = 1e-9);
            }
        }
    }

    #[test]
    fn one_against_three_equals_has_the_odds_of_each_systems_rule_of_teams() {
        let params = plain();
        let odds = |choice, rating, deviation| {
            let mate = TeamMate {
                rating,
                deviation,
                party: None,
            };
            team_odds(&params.with_system(choice), &[mate], &[mate; 3]).unwrap()
        };
        for (choice, rating, deviation) in [
            (SystemName::TrueSkill, 25.0, Some(2.0)),
            (SystemName::ThroughTime, 25.0, Some(2.0)),
            (SystemName::WengLin, 25.0, Some(2.0)),
            (SystemName::EloMmr, 1500.0, Some(50.0)),
            (SystemName::Glicko, 1500.0, Some(50.0)),
            (SystemName::Glicko2, 1500.0, Some(50.0)),
        ] {
            let win = odds(choice, rating, deviation).unwrap();
            assert!((0.0..0.05).contains(&win), "{choice:?} {win}");
        }
        // Here a team is the mean of its players.
        for choice in [SystemName::Elo, SystemName::Dom, SystemName::Dota] {
            assert_abs_diff_eq!(odds(choice, 1500.0, None).unwrap(), 0.5, epsilon = 1e-12);
        }
        assert_eq!(odds(SystemName::BradleyTerry, 1500.0, None), None);
        let [ann, bob] = [1600.0, 1500.0].map(|rating| TeamMate {
            rating,
            deviation: None,
            party: None,
        });
        let win = team_odds(&params.with_system(SystemName::BradleyTerry), &[ann], &[bob]).unwrap();
        assert_abs_diff_eq!(win.unwrap(), 1.0 / (1.0 + 10_f64.powf(-0.25)), epsilon = 1e-12);
    }

    #[test]
    fn the_scale_of_any_rater_is_that_of_its_forecasts() {
        for &name in SystemName::ALL {
            let params = RatingParams::of(name);
            let Ok(rater) = rater_of(&params) else { continue };
            let (told, known) = (points_for_ten_to_one(&*rater), params.points_for_ten_to_one());
            assert!((told / known - 1.0).abs() < 0.01, "{name}: {told} {known}");
        }
    }
}
