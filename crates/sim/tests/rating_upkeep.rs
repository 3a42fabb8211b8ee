//! Seasons, decay, rank floors and ratings to start with: in a pass over a file they are what they are in a store.

use matchwright_rating::history::{History, HistoryBuilder, NamedGame, NamedSeat, NamedSide, StartRating};
use matchwright_rating::store::{Adjusted, Duel, RatingStore};
use matchwright_rating::{
    DecayParams, PeriodChoice, RankFloors, RatingEstimate, RatingParams, RatingParamsError, RatingPeriod,
    Score, SeasonChange, Seasons, Side, SystemName, TeamGame,
};
use matchwright_sim::rate::{RateError, RatingStream, rate_games};
use proptest::prelude::*;

const DAY: i64 = 86_400;
/// Days from the start of a season to the next.
const EVERY_DAYS: i64 = 20;

fn params(system: SystemName) -> RatingParams {
    RatingParams {
        decay: Some(DecayParams {
            points: 0.4,
            after_days: 3.0,
            down_to: None,
        }),
        rank_floors: Some(RankFloors {
            from: 1450.0,
            step: 20.0,
            to: None,
        }),
        max_deviation_growth: Some(2.0),
        seasons: Some(Seasons {
            every_days: Some(EVERY_DAYS as f64),
            starts: vec![31 * DAY],
            change: SeasonChange {
                mean: None,
                share: 0.25,
                added_deviation: 40.0,
            },
        }),
        ..RatingParams::of(system)
    }
}

/// Duels in order of time: day, players and the first one's result.
fn duels() -> impl Strategy<Value = Vec<(i64, [u32; 2], Score)>> {
    let score = prop_oneof![Just(Score::WIN), Just(Score::DRAW), Just(Score::LOSS)];
    let duel = (0..6_i64, 0..6_u32, 1..6_u32, score);
    prop::collection::vec(duel, 2..60).prop_map(|duels| {
        let mut day = 0;
        let dated = duels.into_iter().map(|(later, first, ahead, score)| {
            day += later;
            (day * DAY, [first, (first + ahead) % 6], score)
        });
        dated.collect()
    })
}

fn name(player: u32) -> String {
    format!("player {player}")
}

fn history(duels: &[(i64, [u32; 2], Score)], starts: &[(u32, StartRating)]) -> History {
    let starts = starts.iter().map(|(player, start)| (name(*player), *start));
    let mut builder = HistoryBuilder::default().keep_repeats(true).with_starts(starts);
    for (time, players, score) in duels {
        let names = players.map(name);
        builder
            .push(&NamedGame::duel(*time, [&names[0], &names[1]], *score, 0.0))
            .unwrap();
    }
    builder.finish()
}

/// Ratings by name as a pass leaves them.
fn of_pass(params: &RatingParams, history: &History) -> Vec<(String, f64, Option<f64>)> {
    let rated = rate_games(params, history, 0.8, &[]).unwrap();
    let players = rated.players.iter();
    let mut all: Vec<_> = players
        .map(|one| (one.player.clone(), one.rating, one.deviation))
        .collect();
    all.sort_by(|one, other| one.0.cmp(&other.0));
    all
}

fn of_store<'a, R: RatingEstimate>(
    names: impl Iterator<Item = &'a String>,
    rating: impl Fn(&str) -> R,
) -> Vec<(String, f64, Option<f64>)> {
    let rated = |name: &String| {
        let rating = rating(name);
        (name.clone(), rating.rating(), rating.deviation())
    };
    let mut all: Vec<_> = names.map(rated).collect();
    all.sort_by(|one, other| one.0.cmp(&other.0));
    all
}

/// The seasons that have started, each at its time.
fn starts(params: &RatingParams, last: i64) -> Vec<i64> {
    let seasons = params.seasons.as_ref().unwrap();
    let every = EVERY_DAYS * DAY;
    let mut starts: Vec<i64> = (1..=last / every).map(|number| number * every).collect();
    starts.extend(seasons.starts.iter().filter(|&&time| time <= last));
    starts.sort_unstable();
    starts
}

proptest! {
    #[test]
    fn a_pass_over_duels_has_the_bits_of_a_store_with_the_same_seasons(duels in duels()) {
        for system in [SystemName::Elo, SystemName::Glicko, SystemName::Glicko2] {
            let params = params(system);
            let pairs = params.system.build_pairs().unwrap().unwrap();
            let adjusted = Adjusted { system: pairs, adjust: params.adjustments().unwrap() };
            let mut store = RatingStore::by_time(adjusted, RatingPeriod::days(1.0).unwrap());
            for (time, players, score) in &duels {
                let [first, second] = players.map(name);
                store.add(*time, Duel::new(first, second, *score)).unwrap();
            }
            let (first, last) = (duels[0].0, duels[duels.len() - 1].0);
            for time in starts(&params, last).into_iter().filter(|&time| time > first) {
                store.change_season(time, params.seasons.as_ref().unwrap().change).unwrap();
            }
            let expected = of_store(store.standings().map(|(name, _)| name), |name| store.rating(name));
            let history = history(&duels, &[]);
            prop_assert_eq!(of_pass(&params, &history), expected, "{}", system);
            let mut stream = RatingStream::new(&params).unwrap();
            stream.play(&history).unwrap();
            let mut streamed = stream.finish(history.players()).players;
            streamed.sort_by(|one, other| one.player.cmp(&other.player));
            let streamed: Vec<_> =
                streamed.into_iter().map(|one| (one.player, one.rating, one.deviation)).collect();
            prop_assert_eq!(of_pass(&params, &history), streamed);
        }
    }

    #[test]
    fn a_pass_over_teams_has_the_bits_of_a_store_with_the_same_seasons(duels in duels()) {
        let mut params = params(SystemName::TrueSkill);
        params.rank_floors = Some(RankFloors { from: 20.0, step: 2.0, to: None });
        let teams = params.system.build_teams(None).unwrap().unwrap();
        let adjusted = Adjusted { system: teams, adjust: params.adjustments().unwrap() };
        let mut store = RatingStore::by_time(adjusted, RatingPeriod::days(1.0).unwrap());
        let mut builder = HistoryBuilder::default().keep_repeats(true);
        let friend = |player: u32| name(player + 10);
        for (time, [first, second], score) in &duels {
            let places = if *score == Score::LOSS { [2, 1] } else { [1, 2] };
            let sides = [*first, *second].map(|player| [name(player), friend(player)]);
            let named = sides.each_ref().map(|side| side.each_ref().map(|name| NamedSeat::whole(name)));
            let side = |index: usize| NamedSide { place: places[index], score: 0.0, seats: named[index].to_vec() };
            let game = NamedGame { time: *time, context: None, sides: vec![side(0), side(1)] };
            builder.push(&game).unwrap();
            let [one, other] = sides;
            let game = TeamGame::new(vec![Side::new(places[0], one), Side::new(places[1], other)]);
            store.add(*time, game.unwrap()).unwrap();
        }
        let (first, last) = (duels[0].0, duels[duels.len() - 1].0);
        for time in starts(&params, last).into_iter().filter(|&time| time > first) {
            store.change_season(time, params.seasons.as_ref().unwrap().change).unwrap();
        }
        let expected = of_store(store.standings().map(|(name, _)| name), |name| store.rating(name));
        prop_assert_eq!(of_pass(&params, &builder.finish()), expected);
    }

    #[test]
    fn ratings_to_start_with_are_those_of_a_store_that_was_seeded(duels in duels()) {
        let own = matchwright_rating::EloParams::default();
        let params = RatingParams::of(own);
        let elo = |rating| matchwright_rating::EloRating::new(rating).unwrap();
        let mut store = RatingStore::by_game(own.build().unwrap());
        let known = [(1, 1720.0), (4, 1310.0), (99, 1000.0)];
        for (player, rating) in known {
            store.seed(0, name(player), elo(rating)).unwrap();
        }
        for (time, players, score) in &duels {
            let [first, second] = players.map(name);
            store.add(*time, Duel::new(first, second, *score)).unwrap();
        }
        let starts = known.map(|(player, rating)| (player, StartRating { rating, deviation: None }));
        let history = history(&duels, &starts);
        let expected = of_store(history.players().iter(), |name| store.rating(name));
        prop_assert_eq!(of_pass(&params, &history), expected);
    }
}

#[test]
fn a_season_ends_the_period_whose_matches_count_at_once() {
    let duels = [
        (0, [0, 1], Score::WIN),
        (3 * DAY, [0, 2], Score::WIN),
        (6 * DAY, [1, 2], Score::WIN),
    ];
    let half = |starts| Seasons {
        every_days: None,
        starts,
        change: SeasonChange {
            share: 1.0,
            ..SeasonChange::NONE
        },
    };
    let rated = |system, starts: Vec<i64>| {
        let params = RatingParams {
            period: PeriodChoice::Batch(7.0),
            seasons: Some(half(starts)),
            ..RatingParams::of(system)
        };
        of_pass(&params, &history(&duels, &[]))
    };
    for (system, mean) in [(SystemName::Glicko, 1500.0), (SystemName::TrueSkill, 25.0)] {
        let plain = rated(system, vec![]);
        assert!(plain[0].1 > plain[1].1 && plain[1].1 > plain[2].1);
        // All that was learnt before the last match is drawn to the mean.
        let reset = rated(system, vec![4 * DAY]);
        assert_eq!(reset[0].1, mean, "{system}");
        assert!(reset[1].1 > mean && reset[2].1 < mean);
    }
}

#[test]
fn what_does_not_go_together_is_refused() {
    let refused = |params: RatingParams| params.check().unwrap_err();
    for system in [SystemName::BradleyTerry, SystemName::ThroughTime] {
        for params in [
            RatingParams {
                seasons: params(system).seasons,
                ..RatingParams::of(system)
            },
            RatingParams {
                decay: params(system).decay,
                ..RatingParams::of(system)
            },
            RatingParams {
                rank_floors: params(system).rank_floors,
                ..RatingParams::of(system)
            },
            RatingParams {
                max_deviation_growth: Some(0.0),
                ..RatingParams::of(system)
            },
        ] {
            assert!(
                matches!(refused(params), RatingParamsError::Unsupported(_)),
                "{system}"
            );
        }
        let start = StartRating {
            rating: 1.0,
            deviation: None,
        };
        let history = history(
            &[(0, [0, 1], Score::WIN), (DAY, [0, 1], Score::WIN)],
            &[(0, start)],
        );
        let error = rate_games(&RatingParams::of(system), &history, 0.5, &[]).unwrap_err();
        assert!(error.to_string().contains("ratings to start with"), "{error}");
    }
    let by_game = RatingParams {
        period: PeriodChoice::Game,
        ..params(SystemName::Elo)
    };
    assert_eq!(refused(by_game), RatingParamsError::DecayWithoutClock);
    let batch = RatingParams {
        period: PeriodChoice::Batch(1.0),
        ..params(SystemName::Elo)
    };
    assert_eq!(refused(batch), RatingParamsError::WeightsInBatch);
    let ages = [(0, [0, 1], Score::WIN), (40_000_000 * DAY, [0, 1], Score::WIN)];
    let error = rate_games(&params(SystemName::Elo), &history(&ages, &[]), 0.5, &[]).unwrap_err();
    assert!(
        matches!(error, RateError::ManySeasons { count: 2_000_001, .. }),
        "{error}"
    );
}

#[test]
fn no_deviation_grows_by_more_than_it_may() {
    let duels: Vec<_> = (0..40)
        .map(|game| {
            (
                game * 40 * DAY,
                [0, 1],
                if game % 2 == 0 { Score::WIN } else { Score::LOSS },
            )
        })
        .collect();
    let history = history(&duels, &[]);
    for system in [
        SystemName::Glicko,
        SystemName::Glicko2,
        SystemName::TrueSkill,
        SystemName::WengLin,
        SystemName::Dota,
    ] {
        let deviations = |growth| {
            let params = RatingParams {
                max_deviation_growth: growth,
                ..RatingParams::of(system)
            };
            let rated = rate_games(&params, &history, 0.8, &[0]).unwrap();
            let course = rated.courses[0].iter();
            course.map(|point| point.deviation.unwrap()).collect::<Vec<_>>()
        };
        let growths = |growth| {
            let all = deviations(growth);
            all.windows(2).map(|two| two[1] - two[0]).fold(f64::MIN, f64::max)
        };
        // Time apart makes players less sure than one match makes them sure again.
        let free = growths(None);
        assert!(growths(Some(0.0)) <= 1e-9, "{system}");
        if free > 1e-6 {
            assert!(growths(Some(free / 2.0)) <= free / 2.0 + 1e-9, "{system}");
        }
    }
}
