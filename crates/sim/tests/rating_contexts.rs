//! Ratings in contexts beside those of all games, and how sure forecasts are: what a layer for any system gains where players
//! are better in one context than in another, and that it costs nothing where they are not.

use matchwright_rating::history::{History, HistoryBuilder, NamedSeat};
use matchwright_rating::{PeriodChoice, RatingParams, SystemName};
use matchwright_sim::progress::Quiet;
use matchwright_sim::rate::{RateError, Rated, RatingStream, evaluate_games, rate_games, tune_games};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

/// Games of players whose skills are normal, and in each of three contexts off by `spread`, in log odds.
pub(crate) fn world(seed: u64, players: usize, games: usize, spread: f64) -> History {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut normal = || -> f64 { StandardNormal.sample(&mut rng) };
    let skills: Vec<[f64; 3]> = (0..players)
        .map(|_| {
            let common = normal();
            [0; 3].map(|_| common + spread * normal())
        })
        .collect();
    let mut builder = HistoryBuilder::default();
    for time in 0..games {
        let one = rng.random_range(0..players);
        let other = (one + rng.random_range(1..players)) % players;
        let context = rng.random_range(0..6_usize).min(2);
        let lead = skills[one][context] - skills[other][context];
        let won = rng.random::<f64>() < 1.0 / (1.0 + (-lead).exp());
        let mut game = builder.start(3600 * i64::try_from(time).unwrap());
        game.context(["clay", "grass", "hard"][context]);
        for (player, won) in [(one, won), (other, !won)] {
            game.side(2 - u32::from(won), 0.0)
                .seat(NamedSeat::whole(&format!("p{player}")));
        }
        game.finish().unwrap();
    }
    builder.finish()
}

fn log_loss(history: &History, params: &RatingParams) -> f64 {
    let rated = rate_games(params, history, 0.8, &[]).unwrap();
    two_way(history, &rated, params).0
}

/// Log loss and slope of the last fifth.
fn two_way(history: &History, rated: &Rated, params: &RatingParams) -> (f64, f64) {
    let evaluated = evaluate_games(history, &rated.predictions, &rated.pairs, 0.8, params.draw_kind());
    let two_way = evaluated.unwrap().0.two_way;
    (
        two_way.evaluation.log_loss,
        two_way.log_odds_slope.unwrap_or(f64::NAN),
    )
}

#[test]
fn contexts_help_every_kind_of_system_where_they_are_true_and_change_nothing_where_they_are_not() {
    let (with, without) = (world(1, 150, 12_000, 0.7), world(2, 150, 12_000, 0.0));
    for system in [
        SystemName::Elo,
        SystemName::Glicko2,
        SystemName::WengLin,
        SystemName::BradleyTerry,
    ] {
        let plain = RatingParams::of(system);
        let blended = RatingParams {
            context_games: Some(16.0),
            ..plain.clone()
        };
        let gain = log_loss(&with, &plain) - log_loss(&with, &blended);
        assert!(gain > 0.01, "{system:?}: {gain}");
    }
    let start = RatingParams::of(SystemName::Glicko2);
    let tuned = tune_games(&start, &with, 0.8, &Quiet).unwrap();
    let games = tuned.params.context_games.unwrap();
    assert!((2.0..=64.0).contains(&games), "{games}");
    assert!(tuned.fitted.iter().any(|(name, _)| *name == "context_games"));
    // Tuned again, it finds no worse, and does not lose its contexts.
    let again = tune_games(&tuned.params, &with, 0.8, &Quiet).unwrap();
    assert!(again.log_loss[1] <= tuned.log_loss[1] && again.params.context_games.is_some());
    let tuned = tune_games(&start, &without, 0.8, &Quiet).unwrap();
    let plain = RatingParams {
        context_games: None,
        ..tuned.params.clone()
    };
    let cost = log_loss(&without, &tuned.params) - log_loss(&without, &plain);
    assert!(cost <= 2e-4, "{cost}");
}

#[test]
fn a_blend_of_no_weight_and_one_of_all_the_weight_are_the_common_forecast_and_that_of_the_context_alone() {
    let history = world(3, 20, 600, 0.5);
    let blended = |games| {
        let params = RatingParams {
            context_games: Some(games),
            ..RatingParams::of(SystemName::Glicko2)
        };
        rate_games(&params, &history, 0.5, &[]).unwrap()
    };
    let plain = rate_games(&RatingParams::of(SystemName::Glicko2), &history, 0.5, &[]).unwrap();
    let share = |rated: &Rated, at: usize| {
        let one = rated.predictions[at];
        one.expected / (one.expected + one.expected_reverse)
    };
    let (common, own) = (blended(1e9), blended(1e-3));
    // What the games of one context alone forecast.
    let mut builder = HistoryBuilder::default();
    let mut places = Vec::new();
    for game in history
        .games()
        .filter(|game| game.context() == history.game(0).context())
    {
        places.push(game.index());
        let mut entry = builder.start(game.time());
        for side in game.sides() {
            let name = &history.players()[side.players()[0] as usize];
            entry.side(side.rank().into(), 0.0).seat(NamedSeat::whole(name));
        }
        entry.finish().unwrap();
    }
    let alone = rate_games(
        &RatingParams::of(SystemName::Glicko2),
        &builder.finish(),
        0.5,
        &[],
    )
    .unwrap();
    for (place, game) in places.into_iter().enumerate() {
        assert!((share(&common, game) - share(&plain, game)).abs() < 1e-6);
        // Newcomers' forecasts are even; from the first game there on all weight is the context's.
        assert!(
            (share(&own, game) - share(&alone, place)).abs() < 2e-3 || place < 40,
            "{place}"
        );
    }
    assert_eq!(own.players, plain.players);
    let named: Vec<&str> = own.contexts.iter().map(|one| one.context.as_str()).collect();
    assert_eq!(named, history.contexts());
    assert!(own.contexts.iter().all(|one| one.players.len() == 20));
}

#[test]
fn a_factor_of_log_odds_divides_the_slope_and_a_stream_has_it_too() {
    let history = world(4, 100, 20_000, 0.0);
    let params = RatingParams {
        log_odds_scale: 0.5,
        ..RatingParams::of(SystemName::Elo)
    };
    let slope = |params: &RatingParams| {
        let rated = rate_games(params, &history, 0.8, &[]).unwrap();
        two_way(&history, &rated, params).1
    };
    let plain = RatingParams::of(SystemName::Elo);
    assert!((slope(&params) - 2.0 * slope(&plain)).abs() < 1e-6);
    // A stream scales as well, and has no contexts.
    let mut stream = RatingStream::new(&params).unwrap();
    stream.play(&history).unwrap();
    let streamed = stream.evaluate(0.8, params.draw_kind()).unwrap().two_way;
    assert!((streamed.evaluation.log_loss - log_loss(&history, &params)).abs() < 1e-6);
    let contexts = RatingParams {
        context_games: Some(1.0),
        ..plain
    };
    assert!(matches!(
        RatingStream::new(&contexts),
        Err(RateError::ContextOfStream)
    ));
}

/// The same games, of one context up to the game `from` and of a new one from there on.
fn late(history: &History, from: usize) -> History {
    let mut builder = HistoryBuilder::default();
    for game in history.games() {
        let mut entry = builder.start(game.time());
        entry.context(if game.index() < from { "old" } else { "new" });
        for side in game.sides() {
            let name = &history.players()[side.players()[0] as usize];
            entry.side(side.rank().into(), 0.0).seat(NamedSeat::whole(name));
        }
        entry.finish().unwrap();
    }
    builder.finish()
}

#[test]
fn a_context_weighs_by_the_games_that_its_ratings_know() {
    let history = late(&world(6, 20, 2_000, 0.0), 1_700);
    let cost = |system, period| {
        let plain = RatingParams {
            period,
            ..RatingParams::of(system)
        };
        let blended = RatingParams {
            context_games: Some(1e-3),
            ..plain.clone()
        };
        log_loss(&history, &blended) - log_loss(&history, &plain)
    };
    // Its strengths know no game of the new context: the forecasts are those of all games.
    assert_eq!(cost(SystemName::BradleyTerry, PeriodChoice::default()), 0.0);
    // Those that learn on begin anew there, and the blend is all theirs.
    assert!(cost(SystemName::Glicko2, PeriodChoice::Game) > 0.01);
    // All games of the new context are of the second period, of which nothing is known before its end.
    let cost = cost(SystemName::Glicko2, PeriodChoice::Batch(60.0));
    assert!(cost.abs() < 1e-9, "{cost}");
}
