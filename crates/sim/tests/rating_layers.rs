//! What goes around the rating systems: ladders, party bonuses that are learnt, and skills at all times.

use approx::assert_abs_diff_eq;
use itertools::Itertools as _;
use matchwright_rating::history::{Game, History, HistoryBuilder, NamedGame, NamedSeat, NamedSide, Side};
use matchwright_rating::{
    AdvantageChoice, AveragedParams, DrawKind, EloParams, LadderParams, LadderPointsParams, MovingAverage,
    PartyTerm, PeriodChoice, RatingParams, RatingParamsError, Score, SystemKind, SystemName,
};
use matchwright_sim::rate::{PartyFitChoice, RateError, Rated, evaluate_games, learn_parties, rate_games};
use proptest::prelude::*;

/// Pseudo-random numbers, the same everywhere.
struct Dice(u64);

impl Dice {
    fn below(&mut self, below: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % below as u64).unwrap()
    }

    fn share(&mut self) -> f64 {
        self.below(1 << 20) as f64 / f64::from(1 << 20)
    }
}

fn names(count: usize) -> Vec<String> {
    (0..count).map(|k| format!("p{k:02}")).collect()
}

fn history(games: &[NamedGame<'_>]) -> History {
    let mut builder = HistoryBuilder::default().keep_repeats(true);
    for game in games {
        builder.push(game).unwrap();
    }
    builder.finish()
}

fn duel<'a>(time: i64, one: &'a str, other: &'a str, won: bool) -> NamedGame<'a> {
    let score = if won { Score::WIN } else { Score::LOSS };
    NamedGame::duel(time, [one, other], score, 0.0)
}

/// Duels of twelve players, an hour apart, the first of them the best; `turned` says whose results are turned.
fn duels(count: usize, seed: u64, turned: impl Fn(usize) -> bool) -> History {
    let (names, mut dice) = (names(12), Dice(seed));
    let mut games = Vec::new();
    for index in 0..count {
        let one = dice.below(12);
        let other = (one + 1 + dice.below(11)) % 12;
        let won = dice.share() < 1.0 / (1.0 + (0.3 * (one as f64 - other as f64)).exp());
        let time = 3_600 * i64::try_from(index).unwrap();
        games.push(duel(time, &names[one], &names[other], won != turned(index)));
    }
    history(&games)
}

fn plain() -> RatingParams {
    RatingParams::of(SystemName::Elo)
}

fn rate(choice: SystemName, params: &RatingParams, games: &History) -> Rated {
    rate_games(&params.with_system(choice), games, 0.5, &[]).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Bradley-Terry alone is fitted once, and keeps to the scored part.
    #[test]
    fn no_forecast_of_a_match_depends_on_its_result_or_on_later_ones(seed in 0_u64..1_000, from in 0_usize..60) {
        let games = duels(60, seed, |_| false);
        let turned = duels(60, seed, |index| index >= from);
        let params = plain();
        for choice in SystemName::ALL.iter().copied().filter(|&choice| choice != SystemName::BradleyTerry) {
            let (one, two) = (rate(choice, &params, &games), rate(choice, &params, &turned));
            for (index, (one, two)) in one.predictions.iter().zip(&two.predictions).enumerate() {
                if index <= from {
                    prop_assert_eq!(one.expected, two.expected, "{:?}, match {}", choice, index);
                }
            }
            prop_assert_ne!(one.players, two.players);
        }
    }
}

#[test]
fn skills_at_all_times_settle_on_all_matches_and_forecast_no_worse_than_learning_forward() {
    let games = duels(600, 5, |_| false);
    let params = plain();
    let loss = |rated: &Rated| {
        let draws = DrawKind::Davidson;
        let judged = evaluate_games(&games, &rated.predictions, &rated.pairs, 0.5, draws);
        judged.unwrap().0.two_way.evaluation.log_loss
    };
    let (through_time, forward) = (
        rate(SystemName::ThroughTime, &params, &games),
        rate(SystemName::TrueSkill, &params, &games),
    );
    let smoothed = through_time.smoothed.unwrap();
    assert!(smoothed.converged && smoothed.last_change <= 1e-8 && smoothed.log_evidence < 0.0);
    assert!(loss(&through_time) < loss(&forward) + 0.005);
    // What is found out later reaches the first match too.
    let course = |games: &History| {
        let rated = rate_games(&params.with_system(SystemName::ThroughTime), games, 0.5, &[0]).unwrap();
        rated.courses[0].clone()
    };
    let turned = duels(600, 5, |index| index >= 300);
    assert_ne!(course(&games)[0].rating, course(&turned)[0].rating);
    assert!(course(&games).is_sorted_by_key(|point| point.time));
}

#[test]
fn through_time_refuses_what_its_model_does_not_have() {
    let games = duels(20, 1, |_| false);
    let refused = |params: RatingParams, what: &str| {
        let rated = rate_games(&params.with_system(SystemName::ThroughTime), &games, 0.5, &[]);
        let Err(RateError::Params(RatingParamsError::Unsupported(error))) = rated else {
            panic!("{what} is not refused");
        };
        assert_eq!(error.what, what);
        assert!(!error.systems.contains(&SystemName::ThroughTime), "{error}");
    };
    let home_advantage = AdvantageChoice::Fit;
    refused(
        RatingParams {
            home_advantage,
            ..plain()
        },
        "a home advantage",
    );
    let period = PeriodChoice::Game;
    refused(
        RatingParams { period, ..plain() },
        "a rating period for each game",
    );
    let party_bonus = Some(matchwright_rating::PartyBonusParams::default());
    refused(
        RatingParams {
            party_bonus,
            ..plain()
        },
        "a party bonus",
    );
    let ladder = Some(LadderParams::default());
    refused(RatingParams { ladder, ..plain() }, "a ladder");
}

#[test]
fn a_ladder_changes_neither_ratings_nor_forecasts() {
    let histories = [duels(400, 9, |_| false), with_parties(200, 9, false)];
    let ladder = RatingParams {
        ladder: Some(LadderParams::default()),
        ..plain()
    };
    for (choice, games) in SystemName::ALL.iter().copied().cartesian_product(&histories) {
        if choice.kind() == SystemKind::Whole {
            let refused = rate_games(&ladder.with_system(choice), games, 0.5, &[]);
            assert!(
                matches!(refused, Err(RateError::Params(RatingParamsError::Unsupported(_)))),
                "{choice:?}"
            );
            continue;
        }
        let (with, without) = (rate(choice, &ladder, games), rate(choice, &plain(), games));
        assert_eq!(with.predictions, without.predictions);
        for (with, without) in with.players.iter().zip(&without.players) {
            assert_eq!(
                (&with.player, with.rating, with.deviation, with.volatility),
                (
                    &without.player,
                    without.rating,
                    without.deviation,
                    without.volatility
                )
            );
            assert!(with.ladder.is_some() && without.ladder.is_none());
        }
    }
}

#[test]
fn a_ladder_over_elo_with_the_same_k_moves_with_it_and_promotes_by_the_average() {
    let games = duels(400, 9, |_| false);
    let params = RatingParams {
        ladder: Some(LadderParams {
            points: LadderPointsParams {
                k: 32.0,
                start: 500.0,
                ..LadderPointsParams::default()
            },
            averaged: AveragedParams {
                average: MovingAverage::Simple { games: 4 },
                thresholds: vec![1550.0, 1650.0],
                min_games: 4,
            },
        }),
        ..RatingParams::of(EloParams::default())
    };
    let watched: Vec<u32> = (0..12).collect();
    let rated = rate_games(&params, &games, 0.5, &watched).unwrap();
    let mut tiers = [0; 3];
    for player in &rated.players {
        let ladder = player.ladder.unwrap();
        // Nobody came near the floor.
        assert_abs_diff_eq!(
            ladder.points - ladder.spent - 500.0,
            player.rating - 1500.0,
            epsilon = 1e-9
        );
        let index = games
            .players()
            .iter()
            .position(|name| *name == player.player)
            .unwrap();
        let course = &rated.courses[index];
        let averages: Vec<f64> = course
            .windows(4)
            .map(|last| last.iter().map(|point| point.rating).sum::<f64>() / 4.0)
            .collect();
        assert_abs_diff_eq!(ladder.average.unwrap(), *averages.last().unwrap(), epsilon = 1e-9);
        let highest = averages.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let tier = u32::from(highest > 1550.0) + u32::from(highest > 1650.0);
        assert_eq!(ladder.tier, tier);
        tiers[tier as usize] += 1;
        // From the first match to the last, a point in 112 minutes.
        let minutes = (course.last().unwrap().time - course[0].time) as f64 / 60.0;
        assert_abs_diff_eq!(ladder.spent + ladder.unspent, minutes / 112.0, epsilon = 1e-9);
    }
    assert!(tiers.iter().all(|&players| players > 0), "{tiers:?}");
}

#[test]
fn a_bonus_pool_needs_a_clock() {
    let mut params = RatingParams {
        period: PeriodChoice::Game,
        ladder: Some(LadderParams::default()),
        ..plain()
    };
    let games = duels(30, 9, |_| false);
    let refused = rate_games(&params.with_system(SystemName::Elo), &games, 0.5, &[]);
    assert!(matches!(
        refused,
        Err(RateError::Params(RatingParamsError::PoolWithoutClock))
    ));
    params.ladder.as_mut().unwrap().points.bonus = None;
    assert!(rate_games(&params.with_system(SystemName::Elo), &games, 0.5, &[]).is_ok());
}

#[test]
fn under_a_period_a_game_time_stamps_play_no_part() {
    let names = names(3);
    let games = |step: i64| {
        let games: Vec<_> = (0_u8..30)
            .map(|k| {
                let (one, other) = (usize::from(k % 3), usize::from((k + 1) % 3));
                duel(i64::from(k) * step, &names[one], &names[other], k % 4 == 0)
            })
            .collect();
        history(&games)
    };
    let (hours, years) = (games(3_600), games(31_557_600));
    let by_game = RatingParams {
        period: PeriodChoice::Game,
        ..plain()
    };
    for choice in [SystemName::Glicko, SystemName::Glicko2] {
        let told = |params: &RatingParams, games: &History| rate(choice, params, games).predictions;
        assert_eq!(told(&by_game, &hours), told(&by_game, &years));
        assert_ne!(told(&plain(), &hours), told(&plain(), &years));
    }
}

/// Games of three against three; two or three of a side queue together and are worth 80 or 140 of Elo's points each.
fn with_parties(count: i64, seed: u64, always: bool) -> History {
    let (names, mut dice) = (names(48), Dice(seed));
    let skills: Vec<f64> = (0..48)
        .map(|_| 400.0 * (dice.share() + dice.share() + dice.share() - 1.5))
        .collect();
    let mut games = Vec::new();
    for hour in 0..count {
        let mut free: Vec<usize> = (0..48).collect();
        let mut sides = Vec::new();
        for _ in 0..2 {
            let first = dice.below(free.len());
            let mut side = vec![free.swap_remove(first)];
            // Who always queues together does so with one friend.
            let friend = free.iter().position(|&other| other == side[0] ^ 1);
            if let Some(friend) = friend.filter(|_| always) {
                side.push(free.swap_remove(friend));
            }
            while side.len() < 3 {
                let next = dice.below(free.len());
                if !always || free[next] >= 24 {
                    side.push(free.swap_remove(next));
                }
            }
            let together = match dice.below(3) {
                _ if always && side[0] < 24 => 2,
                _ if always => 0,
                0 => 0,
                more => more + 1,
            };
            sides.push((side, together));
        }
        let strength = |(side, together): &(Vec<usize>, usize)| {
            let bonus = [0.0, 0.0, 80.0, 140.0][*together] * *together as f64;
            (side.iter().map(|&player| skills[player]).sum::<f64>() + bonus) / 3.0
        };
        let gap = strength(&sides[0]) - strength(&sides[1]);
        let won = dice.share() < 1.0 / (1.0 + 10_f64.powf(-gap / 400.0));
        let told = sides
            .iter()
            .enumerate()
            .map(|(index, (side, together))| NamedSide {
                place: if won == (index == 0) { 1 } else { 2 },
                score: 0.0,
                seats: side
                    .iter()
                    .enumerate()
                    .map(|(seat, &player)| NamedSeat {
                        party: (seat < *together).then_some(1),
                        ..NamedSeat::whole(names[player].as_str())
                    })
                    .collect(),
            });
        games.push(NamedGame {
            context: None,
            time: 3_600 * hour,
            sides: told.collect(),
        });
    }
    history(&games)
}

#[test]
fn what_parties_are_worth_is_found_from_ratings_that_know_nothing_of_it() {
    let (params, how) = (plain(), PartyFitChoice::default());
    let mut covered = [0; 2];
    for seed in 0..12 {
        let games = with_parties(2_000, seed, false);
        let learnt = learn_parties(&params.with_system(SystemName::Elo), &games, 0.8, &how).unwrap();
        assert_eq!(
            (
                learnt.warm_up_games,
                learnt.fit.games,
                learnt.within_players > 0.9
            ),
            (400, 1_200, true)
        );
        for (covered, (size, truth)) in covered.iter_mut().zip([(2, 80.0), (3, 140.0)]) {
            let term = learnt.fit.coefficient(PartyTerm::Size(size)).unwrap();
            let (low, high) = term.estimate.unwrap().interval();
            *covered += u32::from((low..high).contains(&truth));
        }
        let with_bonus = RatingParams {
            party_bonus: learnt.bonus(),
            ..params.clone()
        };
        let loss = |params: &RatingParams| {
            let rated = rate_games(&params.with_system(SystemName::Elo), &games, 0.8, &[]).unwrap();
            let draws = DrawKind::Davidson;
            let judged = evaluate_games(&games, &rated.predictions, &rated.pairs, 0.8, draws);
            judged.unwrap().0.two_way.evaluation.log_loss
        };
        assert!(loss(&with_bonus) < loss(&params) + 0.01, "{seed}");
    }
    // Of twelve intervals of 95 %.
    assert!(covered.iter().all(|&covered| covered >= 10), "{covered:?}");
}

#[test]
fn a_bonus_learnt_under_any_system_of_sides_makes_forecasts_better() {
    let games = with_parties(4_000, 3, false);
    for choice in SystemName::ALL.iter().copied() {
        let params = plain();
        let learnt = learn_parties(
            &params.with_system(choice),
            &games,
            0.5,
            &PartyFitChoice::default(),
        );
        if choice.kind() == SystemKind::Whole {
            assert!(matches!(
                learnt,
                Err(RateError::Params(RatingParamsError::Unsupported(_)))
            ));
            continue;
        }
        let with_bonus = RatingParams {
            party_bonus: learnt.unwrap().bonus(),
            ..params.clone()
        };
        let loss = |params: &RatingParams| {
            let rated = rate_games(&params.with_system(choice), &games, 0.5, &[]).unwrap();
            let draws = DrawKind::Davidson;
            let judged = evaluate_games(&games, &rated.predictions, &rated.pairs, 0.5, draws);
            judged.unwrap().0.two_way.evaluation.log_loss
        };
        assert!(
            with_bonus.party_bonus.is_some() && loss(&with_bonus) < loss(&params) - 0.005,
            "{choice:?}"
        );
    }
}

#[test]
fn what_cannot_be_told_of_parties_is_refused_with_the_reason() {
    let (params, how) = (plain(), PartyFitChoice::default());
    let learn = |games: &History| learn_parties(&params.with_system(SystemName::Elo), games, 0.8, &how);
    let always = learn(&with_parties(500, 1, true));
    assert!(matches!(always, Err(RateError::AlwaysTogether)), "{always:?}");
    let alone = learn(&duels(100, 1, |_| false));
    assert!(matches!(alone, Err(RateError::NobodyQueuedTogether)));
    let few = learn(&with_parties(12, 1, false));
    assert!(matches!(few, Err(RateError::Party { .. })), "{few:?}");
}

#[test]
fn parties_are_learnt_alike_where_winners_are_told_first() {
    let games = with_parties(1_500, 4, false);
    let side = |side: Side<'_>| NamedSide {
        place: side.rank().into(),
        score: 0.0,
        seats: side
            .seats()
            .map(|seat| NamedSeat {
                party: seat.party,
                ..NamedSeat::whole(games.players()[seat.player as usize].as_str())
            })
            .collect(),
    };
    let sorted = |game: Game<'_>| {
        let mut sides: Vec<NamedSide<'_>> = game.sides().map(side).collect();
        sides.sort_by_key(|side| side.place);
        NamedGame {
            context: None,
            time: game.time(),
            sides,
        }
    };
    let named: Vec<NamedGame<'_>> = games.games().map(sorted).collect();
    let learn = |games: &History| {
        let how = PartyFitChoice::default();
        let learnt = learn_parties(&plain().with_system(SystemName::Elo), games, 0.8, &how).unwrap();
        let two = learnt.fit.coefficient(PartyTerm::Size(2)).unwrap();
        two.estimate.unwrap().value
    };
    // But for the advantage of being told first, which is then left out.
    assert_abs_diff_eq!(learn(&games), learn(&history(&named)), epsilon = 10.0);
}
