//! Parameters are found, and later games change nothing.

use super::*;
use crate::progress::Quiet;
use crate::random::{Purpose, standard_normal, stream};
use crate::rate::{PairRater, evaluate_games};
use matchwright_rating::history::{HistoryBuilder, NamedGame, NamedSeat};
use matchwright_rating::{
    AnyParams, EloParams, GameResult, KSchedule, RatingSystem, ScheduledEloParams, ScheduledRating, Score,
    SystemName,
};
use rand::RngExt;
use std::sync::atomic::{AtomicUsize, Ordering};

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

fn plain() -> RatingParams {
    RatingParams::of(SystemName::Elo)
}

fn tuned(choice: SystemName, params: &RatingParams, history: &History) -> Tuned {
    tune_games(&params.with_system(choice), history, 0.8, &Quiet).unwrap()
}

#[test]
fn what_was_tuned_forecasts_later_games_better() {
    let history = history(4000, 60.0, u32::MAX);
    for choice in [
        SystemName::Elo,
        SystemName::Glicko2,
        SystemName::TrueSkill,
        SystemName::WengLin,
    ] {
        let start = match choice {
            SystemName::Elo => RatingParams::of(EloParams {
                k: 200.0,
                ..EloParams::default()
            }),
            _ => RatingParams::of(choice),
        };
        let found = tune_games(&start, &history, 0.8, &Quiet).unwrap();
        assert!(found.log_loss[1] < found.log_loss[0], "{choice:?} {found:?}");
        let later = |params: &RatingParams| {
            let rated = rate_games(params, &history, 0.8, &[]).unwrap();
            let found = evaluate_games(&history, &rated.predictions, &rated.pairs, 0.8, DrawKind::Fixed);
            found.unwrap().0.two_way.evaluation.log_loss
        };
        let (before, after) = (later(&start), later(&found.params));
        assert!(after < before, "{choice:?}: {after} after {before}");
        let AdvantageChoice::Points(points) = found.params.home_advantage else {
            panic!("no points");
        };
        let odds = points / found.params.system.points_per_log_odds();
        // 60 points are 0.345 of log odds.
        assert!((0.2..=0.5).contains(&odds), "{choice:?}: {odds}");
    }
}

#[test]
fn margins_are_used_where_they_tell_more_than_results_and_never_where_there_are_none() {
    let scored = scored_history(1500, 0.0, u32::MAX, true);
    let unscored = history(1500, 0.0, u32::MAX);
    for choice in [SystemName::Elo, SystemName::WengLin] {
        let params = plain();
        let (with, without) = (tuned(choice, &params, &scored), tuned(choice, &params, &unscored));
        assert!(
            with.params.margin.is_some() && without.params.margin.is_none(),
            "{choice:?}"
        );
        assert!(with.log_loss[1] < without.log_loss[1], "{choice:?}");
        let names: Vec<&str> = with.fitted.iter().map(|(name, _)| *name).collect();
        assert!(names.contains(&"margin.typical"), "{names:?}");
        with.params.check().unwrap();
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
    for choice in [SystemName::Elo, SystemName::WengLin] {
        let [with, without] =
            [true, false].map(|performances| tuned(choice, &plain(), &performed_history(1200, performances)));
        assert!(
            with.params.performance > 0.0 && without.params.performance == 0.0,
            "{choice:?}"
        );
        assert!(
            with.log_loss[1] < without.log_loss[1] - 1e-3,
            "{choice:?} {with:?} {without:?}"
        );
        assert!(with.fitted.iter().any(|(name, _)| *name == "performance"));
        with.params.check().unwrap();
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
            let params = RatingParams {
                draws: given,
                ..plain()
            };
            let found = tuned(SystemName::ScheduledElo, &params, &drawn_history(kind, 2400));
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
                tuned(SystemName::ScheduledElo, &params, &drawn_history(kind, u32::MAX))
            );
        }
    }
    let without = tuned(SystemName::ScheduledElo, &plain(), &history(600, 0.0, u32::MAX));
    assert_eq!(
        (without.draw_log_losses.len(), without.params.draws),
        (0, DrawKind::Davidson)
    );
}

fn scheduled(schedule: KSchedule) -> RatingParams {
    RatingParams::of(ScheduledEloParams {
        schedule,
        ..ScheduledEloParams::default()
    })
}

#[test]
fn a_k_that_falls_with_games_is_found_where_skills_do_not_change() {
    let games = history(3000, 0.0, u32::MAX);
    // As good as it gets without a schedule, and from one that does not fall.
    let given = KSchedule::Provisional {
        games: 10,
        first_k: 64.0,
        k: 64.0,
    };
    let found = tune_games(&scheduled(given), &games, 0.8, &Quiet).unwrap();
    let AnyParams::ScheduledElo(ScheduledEloParams { schedule, .. }) = found.params.system else {
        panic!("{found:?}");
    };
    let newcomer = ScheduledRating::new(1500.0).unwrap();
    assert!(
        schedule.k(&newcomer, 1) > 1.5 * schedule.k(&newcomer.with_games(100), 1),
        "{schedule:?}"
    );
    let plain = tuned(SystemName::Elo, &plain(), &games);
    assert!(found.log_loss[1] < plain.log_loss[1], "{found:?} {plain:?}");
}

/// A system from outside the workspace.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Points {
    step: f64,
}

impl RatingSystem for Points {
    type Rating = f64;

    fn initial(&self) -> f64 {
        0.0
    }

    fn expected_score(&self, player: &f64, opponent: &f64) -> f64 {
        1.0 / (1.0 + ((opponent - player) / 100.0).exp())
    }

    fn update(&self, player: &f64, _: f64, games: &[GameResult<f64>]) -> f64 {
        let surprise =
            |game: &GameResult<f64>| game.score.value() - self.expected_score(player, &game.opponent);
        player + self.step * games.iter().map(surprise).sum::<f64>()
    }
}

impl Tunable for Points {
    fn knobs(&mut self, turn: &mut dyn FnMut(&'static str, Scale, &mut f64)) {
        turn("step", Scale::Factors(0.1, 1000.0), &mut self.step);
    }
}

#[test]
fn a_system_of_somebody_else_is_tuned_as_elos_of_the_same_scale_is() {
    let games = history(3000, 0.0, u32::MAX);
    let build = |points: &Points| -> Result<Box<dyn Rater>, RateError> {
        Ok(Box::new(PairRater::new(*points, PeriodChoice::default())?))
    };
    let found = tune(&Points { step: 2.0 }, &games, 0.8, build, &Quiet).unwrap();
    let elo = EloParams {
        k: 2.0 * 4.0 / std::f64::consts::LN_10,
        ..EloParams::default()
    };
    let elos = tune_games(&RatingParams::of(elo), &games, 0.8, &Quiet).unwrap();
    assert_eq!(found.fitted[0].0, "step");
    assert!(found.log_loss[1] < found.log_loss[0]);
    // But for the advantage of the first, which is fitted of ours alone.
    assert!(
        (found.log_loss[1] - elos.log_loss[1]).abs() < 2e-3,
        "{found:?} {elos:?}"
    );
}

#[test]
fn games_of_the_evaluated_part_are_never_looked_at() {
    for choice in [SystemName::Elo, SystemName::Glicko, SystemName::BradleyTerry] {
        let params = plain();
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
    let found = tuned(SystemName::Elo, &plain(), &builder.finish());
    assert_eq!(found.params.home_advantage, AdvantageChoice::Points(0.0));
}

#[test]
fn too_few_games_are_an_error() {
    let error = tune_games(&plain(), &History::default(), 0.8, &Quiet);
    assert!(matches!(error, Err(RateError::TooFew { .. })), "{error:?}");
    let error = tune_games(&plain(), &history(9, 0.0, 9), 1.5, &Quiet);
    assert!(matches!(error, Err(RateError::EvaluateFrom { .. })), "{error:?}");
}

/// The first fifth leads to where all of the games do, and what comes after them has no say.
#[test]
fn many_games_are_tuned_on_a_part_of_them_first() {
    let (games, from) = (30_000, 0.8);
    let history_of = |turned| history(games, 60.0, turned);
    let whole = history_of(u32::MAX);
    let start = RatingParams::of(EloParams {
        k: 200.0,
        ..EloParams::default()
    });
    let found = tune_games(&start, &whole, from, &Quiet).unwrap();
    assert_eq!(
        found,
        tune_games(&start, &history_of(24_000), from, &Quiet).unwrap()
    );
    let target = Target::new(&whole, from).unwrap();
    assert_eq!(target.sample().map(|sample| sample.history.len()), Some(4_800));
    let loss = |target: &Target, params: &Candidate| target.loss(&target.rated(&params.params)?).map(Some);
    let mut at_once = Staged::new(&target, loss);
    at_once.sample = None;
    let candidate = Candidate {
        first_side: Some(0.1 * start.system.points_per_log_odds()),
        params: start,
    };
    let (_, least) = at_once.descend(vec![candidate], &Quiet).unwrap().unwrap();
    assert!((found.log_loss[1] - least).abs() < 5e-4, "{found:?} {least}");
    assert!(found.log_loss[1] < found.log_loss[0] - 0.01);
    // Of fewer games all are gone over at once.
    let few = Target::new(&history(20_000, 60.0, u32::MAX), from).unwrap();
    assert!(few.sample().is_none());
}

/// Stops a search once it has found so much.
struct Impatient {
    most: usize,
    found: AtomicUsize,
}

impl Progress for Impatient {
    fn begin(&self, _stage: &str, _steps: u64) {}

    fn advance(&self, _steps: u64) {}

    fn found(&self, best: &str) {
        assert!(best.starts_with("log loss 0."), "{best}");
        self.found.fetch_add(1, Ordering::SeqCst);
    }

    fn is_stopped(&self) -> bool {
        self.found.load(Ordering::SeqCst) >= self.most
    }
}

#[test]
fn a_search_that_is_stopped_keeps_the_best_so_far() {
    let history = history(4000, 60.0, u32::MAX);
    let start = RatingParams::of(SystemName::Glicko2);
    let tuned = |most| {
        let found = AtomicUsize::new(0);
        tune_games(&start, &history, 0.8, &Impatient { most, found }).unwrap()
    };
    let [none, some, all] = [0, 2, usize::MAX].map(tuned);
    assert_eq!(none.params.system, start.system);
    assert!(
        none.passes < some.passes && some.passes < all.passes,
        "{} {} {}",
        none.passes,
        some.passes,
        all.passes
    );
    assert!(all.log_loss[1] <= some.log_loss[1] && some.log_loss[1] < some.log_loss[0]);
}
