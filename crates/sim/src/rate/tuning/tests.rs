//! Parameters are found, and later games change nothing.

use super::*;
use crate::progress::Quiet;
use crate::random::{Purpose, standard_normal, stream};
use crate::rate::{DrawKind, evaluate_games};
use matchwright_rating::history::{HistoryBuilder, NamedGame, NamedSeat};
use matchwright_rating::{ScheduledRating, Score};
use rand::RngExt;

/// Games of 40 players whose skills do not change, an hour apart; the first side has `first` points of advantage. From
/// `turned` on every result is turned round.
fn history(games: u32, first: f64, turned: u32) -> History {
    scored_history(games, first, turned, false)
}

/// As [`history`], with margins that grow with the gap in skill if they are `scored`.
fn scored_history(games: u32, first: f64, turned: u32, scored: bool) -> History {
    let mut random = stream(5, Purpose::Matches, 1, 0);
    let skills: Vec<f64> = (0..40).map(|_| 200.0 * standard_normal(&mut random)).collect();
    let names: Vec<String> = (0..40).map(|player| format!("p{player}")).collect();
    let mut builder = HistoryBuilder::default();
    for game in 0..games {
        let one = random.random_range(0..40);
        let other = (one + random.random_range(1..40)) % 40;
        let odds = (skills[one] + first - skills[other]) / 400.0;
        let chance = random.random::<f64>();
        let wins = chance < 1.0 / (1.0 + 10.0_f64.powf(-odds));
        // By how much the better performance was better, in log odds.
        let surplus = odds * std::f64::consts::LN_10 - (chance / (1.0 - chance)).ln();
        let difference = if scored { (2.0 * surplus).round() } else { 0.0 };
        let result = if wins == (game < turned) {
            Score::WIN
        } else {
            Score::LOSS
        };
        let game = NamedGame::duel(
            3600 * i64::from(game),
            [&*names[one], &*names[other]],
            result,
            difference,
        );
        builder.push(&game).unwrap();
    }
    builder.finish()
}

fn tuned(choice: SystemChoice, params: &SystemParams, history: &History) -> Tuned {
    tune(choice, params, history, 0.8, &Quiet).unwrap()
}

#[test]
fn what_was_tuned_forecasts_later_games_better() {
    let history = history(4000, 60.0, u32::MAX);
    for choice in [
        SystemChoice::Elo,
        SystemChoice::Glicko2,
        SystemChoice::TrueSkill,
        SystemChoice::WengLin,
    ] {
        let mut start = SystemParams::default();
        start.elo.k = 200.0;
        let found = tuned(choice, &start, &history);
        assert!(found.log_loss[1] < found.log_loss[0], "{choice:?} {found:?}");
        let later = |params: &SystemParams| {
            let rated = rate_games(choice, params, &history, 0.8, &[]).unwrap();
            let found = evaluate_games(&history, &rated.predictions, &rated.pairs, 0.8, DrawKind::Fixed);
            found.unwrap().0.two_way.evaluation.log_loss
        };
        let (before, after) = (later(&start), later(&found.params));
        assert!(after < before, "{choice:?}: {after} after {before}");
        let AdvantageChoice::Points(points) = found.params.home_advantage else {
            panic!("no points");
        };
        let odds = points / points_per_log_odds(choice, &found.params);
        // 60 points are 0.345 of log odds.
        assert!((0.2..=0.5).contains(&odds), "{choice:?}: {odds}");
    }
}

#[test]
fn margins_are_used_where_they_tell_more_than_results_and_never_where_there_are_none() {
    let scored = scored_history(1500, 0.0, u32::MAX, true);
    let plain = history(1500, 0.0, u32::MAX);
    for choice in [SystemChoice::Elo, SystemChoice::WengLin] {
        let params = SystemParams::default();
        let (with, without) = (tuned(choice, &params, &scored), tuned(choice, &params, &plain));
        assert!(
            with.params.margin.is_some() && without.params.margin.is_none(),
            "{choice:?}"
        );
        assert!(with.log_loss[1] < without.log_loss[1], "{choice:?}");
        let names: Vec<&str> = with.fitted.iter().map(|(name, _)| *name).collect();
        assert!(names.contains(&"margin.typical"), "{names:?}");
        with.params.check(choice).unwrap();
    }
}

/// Games of two against two, won by the higher sum of skills and luck; performances, if there are any, tell skills with
/// as much luck.
fn performed_history(games: u32, with_performances: bool) -> History {
    let mut random = stream(8, Purpose::Matches, 1, 0);
    let skills: Vec<f64> = (0..40).map(|_| standard_normal(&mut random)).collect();
    let names: Vec<String> = (0..40).map(|player| format!("p{player}")).collect();
    let mut builder = HistoryBuilder::default();
    for game in 0..games {
        let players = rand::seq::index::sample(&mut random, 40, 4).into_vec();
        let mut played = |player: usize| skills[player] + standard_normal(&mut random);
        let sums = [0, 2].map(|first| played(players[first]) + played(players[first + 1]));
        let mut entry = builder.start(3600 * i64::from(game));
        for side in 0..2 {
            entry.side(1 + u32::from(sums[side] < sums[1 - side]), 0.0);
            for &player in &players[2 * side..2 * side + 2] {
                entry.seat(NamedSeat {
                    performance: Some(played(player)).filter(|_| with_performances),
                    ..NamedSeat::whole(&names[player])
                });
            }
        }
        entry.finish().unwrap();
    }
    builder.finish()
}

#[test]
fn performances_are_used_where_they_tell_who_is_good_and_never_where_there_are_none() {
    for choice in [SystemChoice::Elo, SystemChoice::WengLin] {
        let [with, without] = [true, false].map(|performances| {
            tuned(
                choice,
                &SystemParams::default(),
                &performed_history(1200, performances),
            )
        });
        assert!(
            with.params.performance > 0.0 && without.params.performance == 0.0,
            "{choice:?}"
        );
        assert!(
            with.log_loss[1] < without.log_loss[1] - 1e-3,
            "{choice:?} {with:?} {without:?}"
        );
        assert!(with.fitted.iter().any(|(name, _)| *name == "performance"));
        with.params.check(choice).unwrap();
    }
}

/// Duels that are drawn as a model has it; from `drawn_from` on all are.
fn drawn_history(kind: DrawKind, drawn_from: u32) -> History {
    let mut random = stream(6, Purpose::Matches, 1, 0);
    let skills: Vec<f64> = (0..20).map(|_| 800.0 * standard_normal(&mut random)).collect();
    let names: Vec<String> = (0..20).map(|player| format!("p{player}")).collect();
    let model = kind.model(0.5).unwrap();
    let mut builder = HistoryBuilder::default();
    for game in 0..3000 {
        let one = random.random_range(0..20);
        let other = (one + random.random_range(1..20)) % 20;
        let expected = 1.0 / (1.0 + 10.0_f64.powf((skills[other] - skills[one]) / 400.0));
        let chances = model.outcome_probabilities(expected, 1.0 - expected);
        let draw = random.random::<f64>();
        let result = if game >= drawn_from || draw < chances.draw {
            Score::DRAW
        } else if draw < chances.draw + chances.win {
            Score::WIN
        } else {
            Score::LOSS
        };
        let duel = NamedGame::duel(
            3600 * i64::from(game),
            [&*names[one], &*names[other]],
            result,
            0.0,
        );
        builder.push(&duel).unwrap();
    }
    builder.finish()
}

#[test]
fn the_kind_of_draw_model_is_that_of_the_games_before_the_evaluated_part() {
    for kind in [DrawKind::Fixed, DrawKind::Davidson] {
        for given in [DrawKind::Fixed, DrawKind::Davidson] {
            let params = SystemParams {
                draws: given,
                ..SystemParams::default()
            };
            let found = tuned(SystemChoice::Elo, &params, &drawn_history(kind, 2400));
            assert_eq!(
                found.params.draws == DrawKind::Fixed,
                kind == DrawKind::Fixed,
                "{found:?}"
            );
            let least = found
                .draw_log_losses
                .iter()
                .map(|one| one.1)
                .fold(f64::NAN, f64::min);
            assert!(
                found.draw_log_losses.contains(&(found.params.draws, least)),
                "{found:?}"
            );
            // Later results change nothing.
            assert_eq!(
                found,
                tuned(SystemChoice::Elo, &params, &drawn_history(kind, u32::MAX))
            );
        }
    }
    let without = tuned(
        SystemChoice::Elo,
        &SystemParams::default(),
        &history(600, 0.0, u32::MAX),
    );
    assert_eq!(
        (without.draw_log_losses.len(), without.params.draws),
        (0, DrawKind::Davidson)
    );
}

#[test]
fn a_k_that_falls_with_games_is_found_where_skills_do_not_change() {
    let found = tuned(
        SystemChoice::Elo,
        &SystemParams::default(),
        &history(3000, 0.0, u32::MAX),
    );
    let schedule = found.params.k_schedule.unwrap();
    let newcomer = ScheduledRating::new(1500.0).unwrap();
    assert!(
        schedule.k(&newcomer, 1) > 1.5 * schedule.k(&newcomer.with_games(100), 1),
        "{schedule:?}"
    );
    // One that is given is kept, and its numbers are fitted.
    let given = KSchedule::Provisional {
        games: 10,
        first_k: 64.0,
        k: 64.0,
    };
    let params = SystemParams {
        k_schedule: Some(given),
        ..SystemParams::default()
    };
    let found = tuned(SystemChoice::Elo, &params, &history(3000, 0.0, u32::MAX));
    assert!(matches!(
        found.params.k_schedule,
        Some(KSchedule::Provisional { games: 10, .. })
    ));
    assert_ne!(found.params.k_schedule, Some(given));
}

#[test]
fn games_of_the_evaluated_part_are_never_looked_at() {
    for choice in [
        SystemChoice::Elo,
        SystemChoice::Glicko,
        SystemChoice::BradleyTerry,
    ] {
        let params = SystemParams::default();
        let one = tuned(choice, &params, &history(600, 0.0, u32::MAX));
        assert_eq!(one, tuned(choice, &params, &history(600, 0.0, 480)), "{choice:?}");
        assert_ne!(one, tuned(choice, &params, &history(600, 0.0, 470)), "{choice:?}");
    }
}

#[test]
fn an_advantage_is_not_fitted_where_winners_come_first() {
    let mut builder = HistoryBuilder::default();
    for game in 0..100_i64 {
        let names = if game % 3 == 0 {
            ["ann", "bob"]
        } else {
            ["bob", "ann"]
        };
        builder
            .push(&NamedGame::duel(game, names, Score::WIN, 0.0))
            .unwrap();
    }
    let found = tuned(SystemChoice::Elo, &SystemParams::default(), &builder.finish());
    assert_eq!(found.params.home_advantage, AdvantageChoice::Points(0.0));
}

#[test]
fn too_few_games_are_an_error() {
    let error = tune(
        SystemChoice::Elo,
        &SystemParams::default(),
        &History::default(),
        0.8,
        &Quiet,
    );
    assert!(matches!(error, Err(RateError::TooFew { .. })), "{error:?}");
    let error = tune(
        SystemChoice::Elo,
        &SystemParams::default(),
        &history(9, 0.0, 9),
        1.5,
        &Quiet,
    );
    assert!(matches!(error, Err(RateError::EvaluateFrom { .. })), "{error:?}");
}
