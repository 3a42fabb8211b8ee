//! Rating games of sides: every system by name, against what must hold for all of them.

use approx::{assert_abs_diff_eq, assert_relative_eq};
use matchwright_churn::Outcome;
use matchwright_rating::history::{Game, History, HistoryBuilder, NamedGame, NamedSeat, NamedSide};
use matchwright_rating::{
    AdvantageChoice, DrawKind, PartyBonusParams, RatingParams, RatingParamsError, Score, SystemName,
};
use matchwright_sim::rate::{
    RateError, Rated, RatedPlayer, RatingStream, evaluate, evaluate_games, predicted_pairs, rate_games,
};
use proptest::prelude::*;

const NAMES: [&str; 8] = ["ann", "bob", "cyd", "dot", "eve", "fay", "gus", "hal"];

fn side(place: u32, seats: Vec<NamedSeat<'_>>) -> NamedSide<'_> {
    NamedSide {
        place,
        score: 0.0,
        seats,
    }
}

fn alone(place: u32, player: &str) -> NamedSide<'_> {
    side(place, vec![NamedSeat::whole(player)])
}

fn history(games: &[NamedGame<'_>]) -> History {
    let mut builder = HistoryBuilder::default().keep_repeats(true);
    for game in games {
        builder.push(game).unwrap();
    }
    builder.finish()
}

/// Games of two to four sides of one or two of eight players, some late, some in parties.
fn any_games() -> impl Strategy<Value = Vec<NamedGame<'static>>> {
    let seat = (0.1..=1.0_f64, prop::option::of(0_u32..2));
    let game = (
        0_i64..100_000,
        Just(NAMES.to_vec()).prop_shuffle(),
        prop::collection::vec((1_u32..4, prop::collection::vec(seat, 1..3)), 2..5),
    );
    let game = game.prop_map(|(time, names, sides)| {
        let mut names = names.into_iter();
        let sides = sides.into_iter().map(|(place, seats)| {
            let seats = seats.into_iter().filter_map(|(share, party)| {
                Some(NamedSeat {
                    player: names.next()?,
                    share: if share > 0.7 { 1.0 } else { share },
                    party,
                    performance: None,
                })
            });
            side(place, seats.collect())
        });
        NamedGame {
            context: None,
            time,
            sides: sides.collect(),
        }
    });
    prop::collection::vec(game, 4..25).prop_map(|mut games| {
        games.sort_by_key(|game| game.time);
        games
    })
}

fn any_duels() -> impl Strategy<Value = History> {
    let game = (0_i64..900_000, 0_usize..8, 1_usize..8, 0_usize..3);
    prop::collection::vec(game, 10..40).prop_map(|mut games| {
        games.sort_by_key(|game| game.0);
        let duels = games.into_iter().map(|(time, one, step, score)| {
            let score = [Score::WIN, Score::DRAW, Score::LOSS][score];
            NamedGame::duel(time, [NAMES[one], NAMES[(one + step) % 8]], score, 0.0)
        });
        history(&duels.collect::<Vec<_>>())
    })
}

/// A game of a history as it was pushed.
fn named(history: &History, index: usize) -> NamedGame<'_> {
    let game = history.game(index);
    let sides = game.sides().map(|told| {
        let seats = told.seats().map(|seat| NamedSeat {
            player: &history.players()[seat.player as usize],
            share: seat.share,
            party: seat.party,
            performance: seat.performance,
        });
        side(told.rank().into(), seats.collect())
    });
    NamedGame {
        context: None,
        time: game.time(),
        sides: sides.collect(),
    }
}

/// The sides of a game, each with its first player alone, in the order of the history.
fn players_alone(history: &History, game: usize) -> Vec<NamedSide<'_>> {
    let sides = history.game(game).sides();
    sides
        .map(|side| alone(side.rank().into(), &history.players()[side.players()[0] as usize]))
        .collect()
}

/// The same games of single players, with `change` made to the sides of each, told by its position.
fn changed<'a>(history: &'a History, change: impl Fn(usize, &mut Vec<NamedSide<'a>>)) -> Vec<NamedGame<'a>> {
    let game = |index| {
        let mut sides = players_alone(history, index);
        change(index, &mut sides);
        NamedGame {
            context: None,
            time: history.game(index).time(),
            sides,
        }
    };
    (0..history.len()).map(game).collect()
}

fn plain() -> RatingParams {
    RatingParams::of(SystemName::Elo)
}

fn rate(choice: SystemName, params: &RatingParams, games: &History) -> Rated {
    rate_games(&params.with_system(choice), games, 0.5, &[]).unwrap()
}

fn with_advantage(points: f64) -> RatingParams {
    RatingParams {
        home_advantage: AdvantageChoice::Points(points),
        ..plain()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_stream_in_pieces_rates_and_evaluates_as_the_whole_history_is(
        games in prop_oneof![
            any_games().prop_map(|games| (history(&games), false)),
            any_duels().prop_map(|games| (games, true)),
        ],
        cuts in prop::collection::vec(prop::bool::weighted(0.3), 40),
        winners_first: bool,
    ) {
        let (mut games, are_duels) = games;
        if winners_first {
            games = history(&changed(&games, |_, sides| sides.sort_by_key(|side| side.place)));
        }
        for choice in SystemName::ALL.iter().copied() {
            let stream = RatingStream::new(&plain().with_system(choice));
            if matches!(choice, SystemName::BradleyTerry | SystemName::ThroughTime) {
                prop_assert!(matches!(stream, Err(RateError::Params(RatingParamsError::Unsupported(_)))));
                continue;
            }
            let mut stream = stream.unwrap();
            let mut builder = HistoryBuilder::default().keep_repeats(true);
            for (index, cut) in (0..games.len()).zip(&cuts) {
                builder.push(&named(&games, index)).unwrap();
                if *cut {
                    stream.play(builder.so_far()).unwrap();
                    builder.forget_games();
                }
            }
            stream.play(builder.so_far()).unwrap();
            let own = stream.evaluate(0.5, DrawKind::Davidson);
            let streamed = stream.finish(builder.so_far().players()).players;
            let whole = rate(choice, &plain(), &games);
            if are_duels {
                prop_assert_eq!(&streamed, &whole.players);
            }
            let by_name = |players: &[RatedPlayer]| {
                let mut players: Vec<_> = players.iter().map(|one| (one.player.clone(), one.rating)).collect();
                players.sort_by(|a, b| a.0.cmp(&b.0));
                players
            };
            for (one, other) in by_name(&streamed).iter().zip(by_name(&whole.players)) {
                prop_assert_eq!(&one.0, &other.0);
                // A piece of duels alone is rated without a detour over teams: Glicko-2 iterates to 1e-9 or so.
                assert_relative_eq!(one.1, other.1, max_relative = 1e-7);
            }
            let other =
                evaluate_games(&games, &whole.predictions, &whole.pairs, 0.5, DrawKind::Davidson);
            let Ok((other, _)) = other else {
                prop_assert_eq!(own, Err(other.unwrap_err()));
                continue;
            };
            let own = own.unwrap();
            prop_assert_eq!((own.matches, own.evaluated_from), (other.matches, other.evaluated_from));
            prop_assert_eq!(own.three_way.n, other.three_way.n);
            prop_assert_eq!(own.two_way.evaluation.base_rate, other.two_way.evaluation.base_rate);
            assert_abs_diff_eq!(own.draw_rate, other.draw_rate, epsilon = 1e-5);
            assert_abs_diff_eq!(own.three_way.log_loss, other.three_way.log_loss, epsilon = 1e-5);
            assert_abs_diff_eq!(own.two_way.evaluation.log_loss, other.two_way.evaluation.log_loss, epsilon = 1e-5);
        }
    }

    #[test]
    fn forecasts_of_every_system_sum_to_one_and_all_players_are_rated(games in any_games()) {
        let games = history(&games);
        for choice in SystemName::ALL.iter().copied() {
            let rated = rate_games(&plain().with_system(choice), &games, 0.5, &[]);
            let teams = games.games().flat_map(Game::sides).any(|side| side.players().len() > 1);
            if choice == SystemName::BradleyTerry && teams {
                let refused = matches!(rated, Err(RateError::Teams { .. }));
                prop_assert!(refused);
                continue;
            }
            let rated = rated.unwrap();
            prop_assert_eq!(&rated.pairs, &predicted_pairs(&games));
            prop_assert_eq!(rated.predictions.len(), rated.pairs.len());
            for prediction in &rated.predictions {
                prop_assert!((0.0..=1.0).contains(&prediction.expected));
                prop_assert!((0.0..=1.0).contains(&prediction.expected_reverse));
            }
            let played: u64 = rated.players.iter().map(RatedPlayer::games).sum();
            let seats = games.games().flat_map(Game::sides).map(|side| side.players().len()).sum::<usize>();
            prop_assert_eq!(played, seats as u64);
            prop_assert!(rated.players.iter().all(|player| player.rating.is_finite()));
            prop_assert!(rated.players.is_sorted_by(|a, b| a.rating >= b.rating));
            let judged =
                evaluate_games(&games, &rated.predictions, &rated.pairs, 0.5, DrawKind::Davidson);
            if let Ok((_, forecasts)) = judged {
                for forecast in forecasts {
                    prop_assert!((forecast.probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                }
            }
        }
    }

    /// Another game among strangers makes the same duels a history of sides.
    #[test]
    fn the_duel_path_and_the_team_path_of_a_system_agree(duels in any_duels(), points in -80.0..80.0_f64) {
        let strangers = NamedGame {
            context: None,
            time: 1_000_000,
            sides: vec![alone(1, "x"), alone(2, "y"), alone(3, "z")],
        };
        let mut named = changed(&duels, |_, _| {});
        named.push(strangers);
        let teams = history(&named);
        prop_assert!(duels.duels().is_some() && teams.duels().is_none());
        for choice in [SystemName::Elo, SystemName::Glicko, SystemName::Glicko2, SystemName::Dom] {
            for params in [plain(), with_advantage(points)] {
                let (one, two) = (rate(choice, &params, &duels), rate(choice, &params, &teams));
                // Its volatility is iterated to a millionth.
                let rounding = if choice == SystemName::Glicko2 { 1e-6 } else { 1e-9 };
                for (one, two) in one.predictions.iter().zip(&two.predictions) {
                    let share = one.expected / (one.expected + one.expected_reverse);
                    assert_abs_diff_eq!(share, two.expected, epsilon = rounding);
                    assert_abs_diff_eq!(one.gap, two.gap, epsilon = 1e4 * rounding);
                    prop_assert_eq!(one.outcome, two.outcome);
                }
                for player in &one.players {
                    let same = two.players.iter().find(|other| other.player == player.player).unwrap();
                    assert_abs_diff_eq!(player.rating, same.rating, epsilon = 1e4 * rounding);
                    assert_abs_diff_eq!(player.deviation.unwrap_or(0.0), same.deviation.unwrap_or(0.0), epsilon = 1e4 * rounding);
                    prop_assert_eq!((player.wins, player.draws, player.losses), (same.wins, same.draws, same.losses));
                }
            }
        }
    }

    #[test]
    fn telling_a_history_the_other_way_round_reverses_every_forecast(duels in any_duels(), points in -50.0..50.0_f64) {
        let mirrored = history(&changed(&duels, |_, sides| sides.reverse()));
        for choice in SystemName::ALL.iter().copied().filter(|&choice| choice != SystemName::BradleyTerry) {
            // Through Time knows no advantage, and its fits end within a tolerance.
            let (points, rounding) = match choice {
                SystemName::ThroughTime => (0.0, 1e-5),
                _ => (points, 1e-9),
            };
            let (one, two) = (rate(choice, &with_advantage(points), &duels), rate(choice, &with_advantage(-points), &mirrored));
            for (one, two) in one.predictions.iter().zip(&two.predictions) {
                assert_abs_diff_eq!(one.expected, two.expected_reverse, epsilon = rounding);
                prop_assert_eq!(one.outcome, two.outcome.reversed());
            }
        }
    }
}

/// The player `ann` of the pair is as strong as all others but moves first in every second game.
fn first_wins_60_of_100() -> History {
    let mut games = Vec::new();
    for time in 0_u32..800 {
        let (one, two) = (NAMES[time as usize % 8], NAMES[(time as usize * 5 + 3) % 8]);
        let wins = time * 7 % 10 < 6;
        let places = if wins { (1, 2) } else { (2, 1) };
        if one != two {
            games.push(NamedGame {
                context: None,
                time: i64::from(time),
                sides: vec![alone(places.0, one), alone(places.1, two)],
            });
        }
    }
    history(&games)
}

#[test]
fn a_first_players_advantage_is_found_under_every_system_that_knows_one() {
    let games = first_wins_60_of_100();
    for choice in SystemName::ALL
        .iter()
        .copied()
        .filter(|&choice| choice != SystemName::ThroughTime)
    {
        let params = RatingParams {
            home_advantage: AdvantageChoice::Fit,
            ..plain()
        };
        let fitted = rate(choice, &params, &games);
        let without = rate(choice, &plain(), &games);
        let loss = |rated: &Rated| {
            let judged = evaluate_games(&games, &rated.predictions, &rated.pairs, 0.5, DrawKind::Davidson);
            judged.unwrap().0.two_way.evaluation.log_loss
        };
        assert!(loss(&fitted) < loss(&without), "{choice:?}");
        assert!(fitted.home_advantage > 0.0, "{choice:?}");
        if choice == SystemName::Elo {
            // 1.5 to 1 is 70 of Elo's points.
            assert_abs_diff_eq!(fitted.home_advantage, 70.0, epsilon = 25.0);
        }
    }
}

#[test]
fn parties_are_seen_only_when_they_are_asked_for() {
    let seats = |names: [&'static str; 2], party| {
        names.map(|player| NamedSeat {
            party,
            ..NamedSeat::whole(player)
        })
    };
    let game = |time| NamedGame {
        context: None,
        time,
        sides: vec![
            side(1, seats(["ann", "bob"], Some(1)).to_vec()),
            side(2, seats(["cyd", "dot"], None).to_vec()),
        ],
    };
    let games = history(&[game(1), game(2)]);
    let bonus = PartyBonusParams {
        size_points: [40.0; 4],
        ..PartyBonusParams::default()
    };
    let params = RatingParams {
        party_bonus: Some(bonus),
        ..plain()
    };
    for choice in [SystemName::Elo, SystemName::Glicko, SystemName::Dota] {
        assert_abs_diff_eq!(rate(choice, &plain(), &games).predictions[0].expected, 0.5);
        assert!(rate(choice, &params, &games).predictions[0].expected > 0.5);
    }
}

#[test]
fn a_course_ends_at_the_final_rating_with_one_point_a_game() {
    let games = first_wins_60_of_100();
    let eve = games.players().iter().position(|name| name == "eve").unwrap();
    let eve = u32::try_from(eve).unwrap();
    for choice in SystemName::ALL.iter().copied() {
        let rated = rate_games(&plain().with_system(choice), &games, 0.5, &[eve]);
        if choice == SystemName::BradleyTerry {
            assert!(matches!(
                rated,
                Err(RateError::Params(RatingParamsError::Unsupported(_)))
            ));
            continue;
        }
        let rated = rated.unwrap();
        let player = rated
            .players
            .iter()
            .find(|player| player.player == "eve")
            .unwrap();
        let last = rated.courses[0].last().unwrap();
        assert_eq!(rated.courses[0].len() as u64, player.games());
        assert_eq!((last.rating, last.deviation), (player.rating, player.deviation));
    }
}

#[test]
fn large_free_for_alls_are_predicted_by_neighbours_and_small_ones_by_all_pairs() {
    let names: Vec<String> = (0..12).map(|k| format!("p{k:02}")).collect();
    // Told from the last to the first.
    let sides = |count: u32| (0..count).map(|k| alone(count - k, &names[k as usize])).collect();
    let games = history(&[
        NamedGame {
            context: None,
            time: 1,
            sides: sides(10),
        },
        NamedGame {
            context: None,
            time: 2,
            sides: sides(12),
        },
    ]);
    let pairs = predicted_pairs(&games);
    assert_eq!(pairs.iter().filter(|pair| pair.game == 0).count(), 45);
    let neighbours: Vec<_> = pairs.iter().filter(|pair| pair.game == 1).collect();
    assert_eq!(neighbours.len(), 11);
    for pair in neighbours {
        assert_eq!(pair.side.abs_diff(pair.other), 1);
        // By name, whoever won.
        assert!(pair.side < pair.other);
    }
}

/// Winners told first would make every observed share 1.
#[test]
fn a_history_that_tells_winners_first_is_judged_from_whom_comes_first_by_name() {
    let games = first_wins_60_of_100();
    let sorted = history(&changed(&games, |_, sides| {
        sides.sort_by_key(|side| side.place);
    }));
    let rated = rate(SystemName::Elo, &plain(), &sorted);
    let (judged, forecasts) =
        evaluate_games(&sorted, &rated.predictions, &rated.pairs, 0.5, DrawKind::Davidson).unwrap();
    assert!(
        judged
            .two_way
            .evaluation
            .reliability
            .iter()
            .any(|bin| bin.count > 0 && bin.observed < 0.7)
    );
    // Forecasts are still told as the file tells the sides, and a game weighs the same from either.
    assert!(forecasts.iter().all(|forecast| forecast.outcome == Outcome::Win));
    let (as_told, _) = evaluate(&rated.predictions, 0.5, DrawKind::Davidson).unwrap();
    assert_relative_eq!(
        judged.three_way.log_loss,
        as_told.three_way.log_loss,
        epsilon = 1e-12
    );
    assert_relative_eq!(judged.two_way.accuracy, as_told.two_way.accuracy, epsilon = 1e-12);
}

#[test]
fn bradley_terry_never_looks_at_what_it_is_judged_on() {
    let games = first_wins_60_of_100();
    // Later on ann wins every game of hers.
    let turned = history(&changed(&games, |index, sides| {
        let is_ann = |side: &NamedSide<'_>| side.seats[0].player == "ann";
        if index >= games.len() / 2 && sides.iter().any(is_ann) {
            for side in sides {
                side.place = if is_ann(side) { 1 } else { 2 };
            }
        }
    }));
    let params = plain();
    let (one, two) = (
        rate(SystemName::BradleyTerry, &params, &games),
        rate(SystemName::BradleyTerry, &params, &turned),
    );
    for (one, two) in one.predictions.iter().zip(&two.predictions) {
        assert_eq!(one.expected, two.expected);
    }
    assert!(
        one.players
            .iter()
            .zip(&two.players)
            .any(|(a, b)| a.rating != b.rating)
    );
    assert!(one.players.iter().all(|player| player.deviation.is_some()));
    let points = with_advantage(30.0);
    let refused = rate_games(&points.with_system(SystemName::BradleyTerry), &games, 0.5, &[]);
    assert!(matches!(refused, Err(RateError::AdvantageGiven { .. })));
}
