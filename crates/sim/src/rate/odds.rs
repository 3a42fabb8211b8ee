//! How likely one of two teams wins, by the system that rated their players.

use matchwright_rating::{HomeAdvantage, Member, OutcomeProbabilities, RatingEstimate, TrueSkillParams};

use super::evaluation::RateError;
use super::params::{SystemChoice, SystemParams, points_per_log_odds};
use super::rated::Estimate;
use super::rater::outcome_of_sides;
use super::systems::rater;

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

/// The chance that `team` wins a decided game against `opponents`, by the rule of teams by which `choice` rated them, in
/// [0, 1]: as [`rate_games`](super::rate_games) forecasts, nobody at home.
///
/// None for teams under Bradley-Terry, which compares single players.
///
/// # Errors
/// [`RateError`] names the parameter that is out of range.
///
/// ```
/// use matchwright_sim::rate::{SystemChoice, SystemParams, TeamMate, team_odds};
///
/// let new = TeamMate { rating: 25.0, deviation: Some(25.0 / 3.0), party: None };
/// let alone = team_odds(SystemChoice::TrueSkill, &SystemParams::default(), &[new], &[new; 3])?;
/// assert!(alone.unwrap() < 0.01);
/// # Ok::<(), matchwright_sim::rate::RateError>(())
/// ```
pub fn team_odds(
    choice: SystemChoice,
    params: &SystemParams,
    team: &[TeamMate],
    opponents: &[TeamMate],
) -> Result<Option<f64>, RateError> {
    params.check(choice)?;
    let members = |mates: &[TeamMate]| -> Vec<Member<Estimate>> {
        let member = |mate: &TeamMate| Member {
            party: mate.party,
            ..Member::new(Estimate::new(mate.rating, mate.deviation))
        };
        mates.iter().map(member).collect()
    };
    let (ours, theirs) = (members(team), members(opponents));
    let OutcomeProbabilities { win, loss, .. } = match choice {
        SystemChoice::BradleyTerry => {
            let ([one], [other]) = (&ours[..], &theirs[..]) else {
                return Ok(None);
            };
            let lead = one.rating.rating() - other.rating.rating();
            let odds = (lead / points_per_log_odds(choice, params)).exp();
            return Ok(Some(odds / (1.0 + odds)).filter(|win| win.is_finite()));
        }
        SystemChoice::ThroughTime => {
            let decided = TrueSkillParams {
                draw_probability: 0.0,
                ..*params.through_time.build()?.system().params()
            };
            outcome_of_sides(&decided.build()?, None, &ours, &theirs)
        }
        _ => rater(choice, params, HomeAdvantage::NONE)?.outcome(&ours, &theirs)?,
    };
    let decided = win + loss;
    Ok(Some(if decided > 0.0 { win / decided } else { 0.5 }).filter(|win| win.is_finite()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rate::rate_games;
    use approx::assert_abs_diff_eq;
    use matchwright_rating::PartyBonusParams;
    use matchwright_rating::history::{HistoryBuilder, NamedGame, NamedSeat, NamedSide};

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

    fn rated(choice: SystemChoice, params: &SystemParams, games: &[NamedGame<'_>]) -> crate::rate::Rated {
        let mut builder = HistoryBuilder::default();
        for game in games {
            builder.push(game).unwrap();
        }
        rate_games(choice, params, &builder.finish(), 0.5, &[]).unwrap()
    }

    #[test]
    fn the_odds_of_teams_are_those_by_which_their_game_is_forecast() {
        let games = games();
        for bonus in [None, Some(PartyBonusParams::default())] {
            let params = SystemParams {
                party_bonus: bonus,
                ..SystemParams::default()
            };
            for choice in SystemChoice::ALL {
                // They need all games at once.
                if matches!(choice, SystemChoice::BradleyTerry | SystemChoice::ThroughTime) {
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
                let odds = team_odds(choice, &params, &[mate("ann")], &["bob", "cyd", "dot"].map(mate));
                assert_abs_diff_eq!(odds.unwrap().unwrap(), forecast.expected, epsilon = 1e-9);
            }
        }
    }

    #[test]
    fn one_against_three_equals_has_the_odds_of_each_systems_rule_of_teams() {
        let params = SystemParams::default();
        let odds = |choice, rating, deviation| {
            let mate = TeamMate {
                rating,
                deviation,
                party: None,
            };
            team_odds(choice, &params, &[mate], &[mate; 3]).unwrap()
        };
        for (choice, rating, deviation) in [
            (SystemChoice::TrueSkill, 25.0, Some(2.0)),
            (SystemChoice::ThroughTime, 25.0, Some(2.0)),
            (SystemChoice::WengLin, 25.0, Some(2.0)),
            (SystemChoice::EloMmr, 1500.0, Some(50.0)),
            (SystemChoice::Glicko, 1500.0, Some(50.0)),
            (SystemChoice::Glicko2, 1500.0, Some(50.0)),
        ] {
            let win = odds(choice, rating, deviation).unwrap();
            assert!((0.0..0.05).contains(&win), "{choice:?} {win}");
        }
        // Here a team is the mean of its players.
        for choice in [SystemChoice::Elo, SystemChoice::Dom, SystemChoice::Dota] {
            assert_abs_diff_eq!(odds(choice, 1500.0, None).unwrap(), 0.5, epsilon = 1e-12);
        }
        assert_eq!(odds(SystemChoice::BradleyTerry, 1500.0, None), None);
        let [ann, bob] = [1600.0, 1500.0].map(|rating| TeamMate {
            rating,
            deviation: None,
            party: None,
        });
        let win = team_odds(SystemChoice::BradleyTerry, &params, &[ann], &[bob]).unwrap();
        assert_abs_diff_eq!(win.unwrap(), 1.0 / (1.0 + 10_f64.powf(-0.25)), epsilon = 1e-12);
    }
}
