//! Ratings and forecasts of every system under every layer, as they were when they were last looked at by eye.

use std::fmt::Write as _;

use matchwright_rating::history::{History, HistoryBuilder, NamedGame, NamedSeat, NamedSide};
use matchwright_rating::{
    AdvantageChoice, LadderParams, MarginWeight, PartyBonusParams, PeriodChoice, RatingParams, Score,
    SystemName,
};
use matchwright_sim::rate::{Rated, rate_games};

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
}

/// 1,500 games, some minutes apart, of sides of this many of 60 players, some of them in parties of two.
fn history(size: usize) -> History {
    let names: Vec<String> = (0..60).map(|player| format!("p{player}")).collect();
    let mut dice = Dice(7);
    let mut builder = HistoryBuilder::default();
    let mut time = 1_600_000_000;
    for _ in 0..1500 {
        time += i64::try_from(60 + dice.below(7200)).unwrap();
        let mut players: Vec<usize> = Vec::new();
        while players.len() < 2 * size {
            let player = dice.below(60);
            if !players.contains(&player) {
                players.push(player);
            }
        }
        let strength = |side: &[usize]| side.iter().sum::<usize>() / size + 3;
        let (one, other) = players.split_at(size);
        let luck = dice.below(strength(one) + strength(other));
        let margin = 1 + dice.below(5);
        let (score, places) = match (luck, dice.below(20)) {
            (_, 0) => (Score::DRAW, [1, 1]),
            (luck, _) if luck < strength(one) => (Score::WIN, [1, 2]),
            _ => (Score::LOSS, [2, 1]),
        };
        if size == 1 {
            let lead = (2.0 * score.value() - 1.0) * margin as f64;
            let names = [&*names[one[0]], &*names[other[0]]];
            builder.push(&NamedGame::duel(time, names, score, lead)).unwrap();
            continue;
        }
        let mut seats = |side: &[usize], has_party: bool| -> Vec<NamedSeat<'_>> {
            let seat = |(seat, &player): (usize, &usize)| NamedSeat {
                party: (has_party && seat < 2).then_some(1),
                performance: Some(dice.below(30) as f64),
                ..NamedSeat::whole(&names[player])
            };
            side.iter().enumerate().map(seat).collect()
        };
        let all = [
            seats(one, luck.is_multiple_of(2)),
            seats(other, luck.is_multiple_of(3)),
        ];
        let sides = all.into_iter().zip(places).map(|(seats, place)| NamedSide {
            place,
            score: if place == 1 { margin as f64 } else { 0.0 },
            seats,
        });
        let sides = sides.collect();
        builder
            .push(&NamedGame {
                context: None,
                time,
                sides,
            })
            .unwrap();
    }
    builder.finish()
}

/// What is forecast, and what is known of the players in the end, in digits that no rounding of a platform changes; exact
/// ones for `EXACT_BITS`.
fn checksum(rated: &Rated) -> u64 {
    let is_exact = std::env::var_os("EXACT_BITS").is_some();
    let mut sum = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |value: f64| {
        let rounded = if is_exact {
            value
        } else {
            (value * 1e6).round() + 0.0
        };
        for byte in rounded.to_bits().to_le_bytes() {
            sum = (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for one in &rated.predictions {
        [one.expected, one.expected_reverse, one.gap]
            .into_iter()
            .for_each(&mut add);
    }
    for player in &rated.players {
        [
            player.rating,
            player.deviation.unwrap_or(-1.0),
            player.volatility.unwrap_or(-1.0),
        ]
        .into_iter()
        .for_each(&mut add);
        if let Some(ladder) = player.ladder {
            [
                ladder.points,
                ladder.spent,
                ladder.average.unwrap_or(-1.0),
                f64::from(ladder.tier),
            ]
            .into_iter()
            .for_each(&mut add);
        }
        player.player.bytes().for_each(|byte| add(f64::from(byte)));
    }
    for point in rated.courses.iter().flatten() {
        [point.time as f64, point.rating, point.deviation.unwrap_or(-1.0)]
            .into_iter()
            .for_each(&mut add);
    }
    sum
}

fn setups() -> Vec<(&'static str, usize, RatingParams)> {
    let plain = || RatingParams::of(SystemName::Elo);
    let home = || RatingParams {
        home_advantage: AdvantageChoice::Points(20.0),
        ..plain()
    };
    let margin = || RatingParams {
        margin: Some(MarginWeight::WorldFootball),
        ..home()
    };
    let ladder = || RatingParams {
        ladder: Some(LadderParams::default()),
        ..plain()
    };
    let period = |period| RatingParams { period, ..home() };
    vec![
        ("duels", 1, plain()),
        ("duels, home", 1, home()),
        ("duels, home, margin", 1, margin()),
        ("duels, by game", 1, period(PeriodChoice::Game)),
        ("duels, batch", 1, period(PeriodChoice::Batch(3.0))),
        ("duels, ladder", 1, ladder()),
        ("teams", 3, plain()),
        (
            "teams, home, margin, performance",
            3,
            RatingParams {
                performance: 0.5,
                ..margin()
            },
        ),
        (
            "teams, home, party",
            3,
            RatingParams {
                party_bonus: Some(PartyBonusParams::default()),
                ..home()
            },
        ),
        ("teams, ladder", 3, ladder()),
        ("teams, batch", 3, period(PeriodChoice::Batch(3.0))),
    ]
}

#[test]
fn every_system_under_every_layer_gives_what_it_gave() {
    let mut found = String::new();
    for (what, size, params) in setups() {
        let history = history(size);
        for system in SystemName::ALL.iter().copied() {
            let sum = match rate_games(&params.with_system(system), &history, 0.8, &[0, 1]) {
                Ok(rated) => format!("{:016x}", checksum(&rated)),
                Err(error) => format!("refused: {error}"),
            };
            writeln!(found, "{what} | {} | {sum}", system.name()).unwrap();
        }
    }
    println!("{found}");
    assert_eq!(found, include_str!("rating_bits.txt"));
}
