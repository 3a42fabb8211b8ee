//! Elo-MMR: the authors' program, the paper's algorithms written out, and the laws.

use approx::assert_abs_diff_eq;
use matchwright_rating::{
    EloMmr, EloMmrParams, EloMmrRating, Member, ShiftRating, Side, TeamGame, TeamRatingSystem,
};
use proptest::prelude::*;

fn default_system() -> EloMmr {
    EloMmrParams::default().build().unwrap()
}

fn rating(rating: f64, deviation: f64) -> EloMmrRating {
    EloMmrRating::new(rating, deviation).unwrap()
}

/// Plays a game of single players, each given with a place.
fn play(system: &EloMmr, players: &mut [EloMmrRating], ranking: &[(usize, u32)]) {
    let sides = ranking
        .iter()
        .map(|&(player, place)| Side::new(place, [players[player].clone()]));
    let after = system.update(&TeamGame::new(sides.collect()).unwrap());
    for (&(player, _), mut side) in ranking.iter().zip(after) {
        players[player] = side.remove(0);
    }
}

fn assert_close(players: &[EloMmrRating], expected: &[(f64, f64)], slack: f64) {
    assert_eq!(players.len(), expected.len());
    for (player, expected) in players.iter().zip(expected) {
        assert_abs_diff_eq!(player.rating(), expected.0, epsilon = slack);
        assert_abs_diff_eq!(player.deviation(), expected.1, epsilon = slack);
    }
}

#[test]
fn games_in_a_row_give_the_numbers_of_the_authors_program() {
    let system = default_system();
    let mut pair = [rating(1800.0, 90.0), rating(1400.0, 200.0)];
    play(&system, &mut pair, &[(0, 1), (1, 1)]);
    let drawn = [
        (1761.5263156574233, 86.82483340191322),
        (1561.326988975464, 141.0460063369908),
    ];
    assert_close(&pair, &drawn, 1e-9);

    let mut players = vec![system.initial(); 5];
    play(&system, &mut players, &[(0, 1), (1, 2), (2, 2), (3, 4), (4, 5)]);
    let first: Vec<f64> = players.iter().map(EloMmrRating::rating).collect();
    let expected = [
        1799.5125318628836,
        1553.732541933383,
        1553.732541933383,
        1370.6085730184088,
        1200.4874681371161,
    ];
    for (found, expected) in first.iter().zip(expected) {
        assert_abs_diff_eq!(*found, expected, epsilon = 1e-9);
    }
    play(&system, &mut players, &[(4, 1), (3, 2), (2, 3), (1, 4), (0, 4)]);
    play(&system, &mut players, &[(2, 1), (0, 2)]);
    play(&system, &mut players, &[(0, 1), (3, 2), (4, 3)]);
    let last = [
        (1567.7324094092442, 100.42227271127867),
        (1466.328921219103, 130.48299059975568),
        (1568.734547557252, 111.33874326595652),
        (1486.0102414392334, 111.33874326595652),
        (1399.7004546099201, 111.33874326595652),
    ];
    assert_close(&players, &last, 1e-8);
    let kept: Vec<usize> = players.iter().map(EloMmrRating::performances).collect();
    assert_eq!(kept, [4, 2, 3, 3, 3]);
}

/// A player as the paper's algorithms keep one: every performance, and the normal factor with its centre.
#[derive(Clone)]
struct Player {
    rating: f64,
    deviation: f64,
    /// Centre and weight; the normal factor first.
    factors: Vec<(f64, f64)>,
}

/// The zero of a function that falls from left to right, by bisection.
fn zero(function: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (-1e5, 1e5);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if function(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

fn scale(deviation: f64) -> f64 {
    3.0_f64.sqrt() / std::f64::consts::PI * deviation
}

/// Algorithms 1 and 2 of the paper, for single players with places.
fn by_the_book(params: &EloMmrParams, players: &mut [Player], places: &[u32]) {
    for player in players.iter_mut() {
        let gamma = params.gamma;
        let kappa = 1.0 / (1.0 + gamma * gamma / player.deviation / player.deviation);
        let all: f64 = player.factors.iter().map(|factor| factor.1).sum();
        let (centre, weight) = player.factors[0];
        let (own, moved) = (
            kappa.powf(params.rho) * weight,
            (1.0 - kappa.powf(params.rho)) * all,
        );
        player.factors[0] = (
            (own * centre + moved * player.rating) / (own + moved),
            kappa * (own + moved),
        );
        for factor in &mut player.factors[1..] {
            factor.1 *= kappa.powf(1.0 + params.rho);
        }
        player.deviation /= kappa.sqrt();
    }
    let before: Vec<Player> = players.to_vec();
    for (player, place) in players.iter_mut().zip(places) {
        let performance = zero(|p| {
            let others = before.iter().zip(places).map(|(other, rank)| {
                let bar = scale(other.deviation.hypot(params.beta));
                let tanh = ((p - other.rating) / (2.0 * bar)).tanh();
                let lost = if rank <= place { -1.0 - tanh } else { 0.0 };
                let won = if rank >= place { 1.0 - tanh } else { 0.0 };
                (lost + won) / (2.0 * bar)
            });
            others.sum()
        });
        let beta = params.beta;
        player.factors.push((performance, 1.0 / (beta * beta)));
        let (normal, logistic) = player.factors.split_first().unwrap();
        player.rating = zero(|x| {
            let pulls = logistic.iter().map(|(centre, weight)| {
                weight * beta * beta / scale(beta) * ((x - centre) / (2.0 * scale(beta))).tanh()
            });
            -(normal.1 * (x - normal.0) + pulls.sum::<f64>())
        });
        player.deviation = 1.0 / (player.deviation.powi(-2) + beta.powi(-2)).sqrt();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_games_give_what_the_papers_algorithms_give(
        starts in prop::collection::vec((800.0..2200.0_f64, 40.0..400.0_f64), 2..6),
        rankings in prop::collection::vec(prop::collection::vec(1..5_u32, 5), 1..8),
        (beta, gamma, rho) in (50.0..300.0_f64, 0.0..80.0_f64, 0.0..4.0_f64),
    ) {
        let params = EloMmrParams { beta, gamma, rho, ..EloMmrParams::default() };
        let system = params.build().unwrap();
        let mut ours: Vec<EloMmrRating> = starts.iter().map(|one| rating(one.0, one.1)).collect();
        let mut book: Vec<Player> = starts
            .iter()
            .map(|&(rating, deviation)| Player { rating, deviation, factors: vec![(rating, deviation.powi(-2))] })
            .collect();
        for places in &rankings {
            let ranking: Vec<(usize, u32)> = (0..ours.len()).map(|one| (one, places[one])).collect();
            play(&system, &mut ours, &ranking);
            by_the_book(&params, &mut book, &places[..starts.len()]);
        }
        let expected: Vec<(f64, f64)> = book.iter().map(|one| (one.rating, one.deviation)).collect();
        assert_close(&ours, &expected, 1e-6);
    }

    #[test]
    fn inactivity_may_be_looked_at_in_between(first in 0.0..50.0_f64, second in 0.0..50.0_f64, drift in 0.1..50.0_f64) {
        let params = EloMmrParams { gamma_per_period: drift, max_deviation: 1e6, ..EloMmrParams::default() };
        let system = params.build().unwrap();
        let mut players = vec![system.initial(); 2];
        for place in [1, 3, 1, 2] {
            play(&system, &mut players, &[(0, place), (1, 2)]);
        }
        let mut once = players.clone();
        once[0] = system.after_inactivity(&players[0], first + second);
        players[0] = system.after_inactivity(&system.after_inactivity(&players[0], first), second);
        for players in [&mut once, &mut players] {
            play(&system, players, &[(0, 5), (1, 2)]);
        }
        let expected: Vec<(f64, f64)> = once.iter().map(|one| (one.rating(), one.deviation())).collect();
        assert_close(&players, &expected, 1e-8);
    }
}

#[test]
fn deviations_tend_to_the_limit_that_was_set() {
    let system = EloMmrParams::default().with_limit(55.0, 0.3).build().unwrap();
    let mut players = vec![system.initial(); 2];
    for game in 0..200 {
        play(&system, &mut players, &[(0, 1 + game % 2), (1, 2 - game % 2)]);
    }
    assert_abs_diff_eq!(players[0].deviation(), 55.0, epsilon = 1e-9);
    assert_eq!(players[0].performances(), 30);
}

#[test]
fn forgotten_performances_matter_no_more_than_their_weight() {
    let found = [30, 500].map(|max_history| {
        let system = EloMmrParams {
            max_history,
            ..EloMmrParams::default()
        }
        .build()
        .unwrap();
        let mut players = vec![system.initial(); 3];
        for game in 0..150_u32 {
            let places = [game % 3, game % 5, game % 7];
            play(
                &system,
                &mut players,
                &[(0, places[0]), (1, places[1]), (2, places[2])],
            );
        }
        players[1].rating()
    });
    assert_abs_diff_eq!(found[0], found[1], epsilon = 1e-2);
    assert_ne!(found[0], found[1]);
}

#[test]
fn at_large_rho_and_without_a_history_the_belief_before_a_game_is_normal() {
    let found = [(1e3, 500), (1.0, 0)].map(|(rho, max_history)| {
        let system = EloMmrParams {
            rho,
            max_history,
            ..EloMmrParams::default()
        }
        .build()
        .unwrap();
        let mut players = vec![system.initial(); 2];
        for place in [1, 3, 1, 1, 3, 2, 1] {
            play(&system, &mut players, &[(0, place), (1, 2)]);
        }
        players[0].rating()
    });
    assert_abs_diff_eq!(found[0], found[1], epsilon = 1e-6);
}

#[test]
fn a_single_bad_day_moves_a_settled_player_by_a_bounded_amount() {
    let system = default_system();
    let mut regular = rating(1500.0, 350.0);
    let weak = rating(1500.0, 80.0);
    for game in 0..60 {
        let after = system.update(&TeamGame::duel(regular, 1 + game % 2, weak.clone(), 2 - game % 2));
        regular = after[0][0].clone();
    }
    // A loss to ever weaker opponents: the loss of points stops growing.
    let lost = |opponent: f64| {
        let game = TeamGame::duel(rating(opponent, 80.0), 1, regular.clone(), 2);
        regular.rating() - system.update(&game)[1][0].rating()
    };
    let losses = [0.0, -2000.0, -4000.0].map(lost);
    assert!(losses[0] < 150.0 && losses[2] - losses[1] < 1e-3, "{losses:?}");
    assert!(losses[1] >= losses[0]);
}

#[test]
fn a_partner_known_well_leaves_all_of_a_sides_surprise_to_the_other() {
    let params = EloMmrParams {
        gamma: 0.0,
        beta: 100.0,
        ..EloMmrParams::default()
    };
    let system = params.build().unwrap();
    let (sure, unsure) = (rating(1500.0, 1e-6), rating(1500.0, 300.0));
    let game = TeamGame::new(vec![
        Side::new(1, [sure.clone(), unsure.clone()]),
        Side::new(2, [rating(1500.0, 50.0), rating(1500.0, 50.0)]),
    ]);
    let after = system.update(&game.unwrap());
    assert_abs_diff_eq!(after[0][0].rating(), 1500.0, epsilon = 1e-6);
    // The side performed p above its mean; with the partner's luck the noise is 100 sqrt(2).
    let deviations = [
        300.0_f64.hypot(100.0 * 2.0_f64.sqrt()),
        50.0_f64.hypot(100.0) * 2.0_f64.sqrt(),
    ];
    let p = zero(|x| {
        let [own, other] = deviations.map(|one| 1.0 / (1.0 + (-x / scale(one)).exp()));
        (1.0 - 2.0 * own) / scale(deviations[0]) + (1.0 - other) / scale(deviations[1])
    });
    let beta = 100.0 * 2.0_f64.sqrt();
    let expected = zero(|x| -x / 9e4 - ((x - p) / (2.0 * scale(beta))).tanh() / scale(beta));
    assert_abs_diff_eq!(after[0][1].rating(), 1500.0 + expected, epsilon = 1e-6);
    assert_abs_diff_eq!(
        after[0][1].deviation(),
        1.0 / (1.0 / 9e4 + 1.0 / (beta * beta)).sqrt(),
        epsilon = 1e-9
    );
    // Half a game says less than a whole one.
    let late = |share| {
        let late = Member::new(unsure.clone()).for_share(share);
        let sides = vec![
            Side::of_members(1, vec![late, Member::new(sure.clone())]),
            Side::new(2, [sure.clone()]),
        ];
        system.update(&TeamGame::new(sides).unwrap())[0][0].deviation()
    };
    assert!(late(0.5) > late(1.0));
}

#[test]
fn the_likelier_winner_is_told_from_logistic_performances() {
    let system = default_system();
    let [a, b] = [(1700.0, 60.0), (1500.0, 120.0)].map(|one| [Member::new(rating(one.0, one.1))]);
    let p = system.outcome_probabilities(&a, &b);
    let variance = 60.0_f64.powi(2) + 120.0_f64.powi(2) + 2.0 * 38400.0;
    let expected = 1.0 / (1.0 + (-200.0 / scale(variance.sqrt())).exp());
    assert_abs_diff_eq!(p.win / (p.win + p.loss), expected, epsilon = 1e-12);
}

#[test]
fn a_rating_moves_with_its_performances_and_keeps_their_shares_under_another_deviation() {
    let system = default_system();
    let mut players = vec![system.initial(); 2];
    for place in [1, 3, 1] {
        play(&system, &mut players, &[(0, place), (1, 2)]);
    }
    let mut moved: Vec<EloMmrRating> = players.iter().map(|one| one.shifted(250.0)).collect();
    play(&system, &mut moved, &[(0, 1), (1, 2)]);
    let mut plain = players.clone();
    play(&system, &mut plain, &[(0, 1), (1, 2)]);
    assert_abs_diff_eq!(moved[0].rating(), plain[0].rating() + 250.0, epsilon = 1e-9);
    let doubled = players[0].with_deviation(2.0 * players[0].deviation());
    assert_eq!(doubled.with_deviation(players[0].deviation()), players[0]);
    assert_eq!(players[0].with_deviation(f64::NAN), players[0]);
    assert_eq!(players[0].with_deviation(-1.0).deviation(), 1e-6);
}

#[test]
fn every_setting_is_checked() {
    let defaults = EloMmrParams::default();
    for bad in [f64::NAN, -1.0, f64::INFINITY] {
        for (params, name) in [
            (
                EloMmrParams {
                    initial: bad * 1e10,
                    ..defaults
                },
                "initial",
            ),
            (
                EloMmrParams {
                    initial_deviation: bad,
                    ..defaults
                },
                "initial_deviation",
            ),
            (
                EloMmrParams {
                    max_deviation: bad,
                    ..defaults
                },
                "max_deviation",
            ),
            (
                EloMmrParams {
                    beta: bad,
                    ..defaults
                },
                "beta",
            ),
            (
                EloMmrParams {
                    gamma: bad,
                    ..defaults
                },
                "gamma",
            ),
            (
                EloMmrParams {
                    gamma_per_period: bad,
                    ..defaults
                },
                "gamma_per_period",
            ),
            (EloMmrParams { rho: bad, ..defaults }, "rho"),
        ] {
            assert_eq!(params.build().unwrap_err().name(), name);
        }
    }
    assert!(EloMmrRating::new(1500.0, 0.0).is_err());
    assert!(EloMmrRating::new(f64::NAN, 1.0).is_err());
}

#[cfg(feature = "serde")]
#[test]
fn a_rating_is_read_as_it_was_written_and_nothing_else() {
    let system = default_system();
    let mut players = vec![system.initial(); 2];
    for place in [1, 3, 1, 2] {
        play(&system, &mut players, &[(0, place), (1, 2)]);
    }
    for player in &players {
        let text = serde_json::to_string(player).unwrap();
        assert_eq!(&serde_json::from_str::<EloMmrRating>(&text).unwrap(), player);
    }
    let performance = |value: &str, beta: &str, weight: &str| {
        let one = format!(r#"{{"value": {value}, "beta": {beta}, "weight": {weight}}}"#);
        format!(r#"{{"rating": 1500.0, "deviation": 100.0, "performances": [{one}, {one}]}}"#)
    };
    let read = |text: &str| serde_json::from_str::<EloMmrRating>(text);
    assert!(read(&performance("1500.0", "200.0", "0.00005")).is_ok());
    for (text, reason) in [
        (performance("1500.0", "200.0", "0.00006"), "weight"),
        (performance("1500.0", "0.0", "0.00001"), "beta"),
        (
            r#"{"rating": 1500.0, "deviation": 0.0, "performances": []}"#.to_owned(),
            "deviation",
        ),
    ] {
        let error = read(&text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
}

#[cfg(feature = "laws")]
mod laws {
    use super::{EloMmr, EloMmrParams, EloMmrRating, TeamGame, TeamRatingSystem, default_system, rating};
    use matchwright_rating::RATING_LIMIT;
    use matchwright_rating::laws::{
        Draw, TeamPromise, check_free_for_all, check_team_endurance, check_team_promise, check_teams,
    };

    fn systems() -> [EloMmr; 4] {
        let defaults = EloMmrParams::default();
        [
            defaults,
            EloMmrParams {
                gamma: 0.0,
                gamma_per_period: 3.0,
                max_history: 3,
                ..defaults
            },
            EloMmrParams {
                rho: 0.0,
                beta: 1e-6,
                ..defaults
            },
            EloMmrParams {
                rho: 1e3,
                gamma: 1e9,
                max_history: 0,
                ..defaults
            },
        ]
        .map(|params| params.build().unwrap())
    }

    /// A player with a past.
    fn usual(draw: &mut Draw) -> EloMmrRating {
        let system = default_system();
        let mut player = rating(draw.uniform(800.0, 2200.0), draw.uniform(40.0, 350.0));
        for _ in 0..draw.below(4) {
            let other = rating(draw.uniform(800.0, 2200.0), draw.uniform(40.0, 350.0));
            player = system.update_duel((&player, draw.below(3)), (&other, 1)).0;
        }
        player
    }

    fn any(draw: &mut Draw) -> EloMmrRating {
        match draw.below(4) {
            0 => rating(draw.uniform(-1e6, 1e6), draw.log_uniform(1e-6, 1e9)),
            1 => rating(
                [-RATING_LIMIT, RATING_LIMIT][draw.below(2) as usize],
                draw.log_uniform(1e-6, 1e9),
            ),
            _ => usual(draw),
        }
    }

    #[test]
    fn elo_mmr_keeps_the_laws_with_any_settings() {
        for system in systems() {
            check_teams(&system, any, 1, 300).unwrap();
            check_teams(&system, usual, 2, 300).unwrap();
        }
    }

    #[test]
    fn incentives_are_aligned_winners_do_not_lose_nor_losers_gain() {
        for system in systems() {
            for promise in [TeamPromise::WinnersDoNotLose, TeamPromise::LosersDoNotGain] {
                check_team_promise(&system, promise, any, 3, 300).unwrap();
            }
            check_team_promise(&system, TeamPromise::PlaceIsMonotone, usual, 4, 300).unwrap();
        }
    }

    #[test]
    fn games_of_very_many_and_careers_of_very_many_games_stay_finite() {
        let [system, forgetful, ..] = systems();
        check_free_for_all(&system, any, 5, 1_000).unwrap();
        check_team_endurance(&system, usual, 6, 5_000).unwrap();
        check_team_endurance(&forgetful, usual, 7, 20_000).unwrap();
    }

    #[test]
    fn no_answer_leaves_the_limits_of_a_rating() {
        let far = [-RATING_LIMIT, RATING_LIMIT].map(|end| rating(end, RATING_LIMIT));
        for system in systems() {
            for places in [(1, 2), (2, 1), (1, 1)] {
                let game = TeamGame::duel(far[0].clone(), places.0, far[1].clone(), places.1);
                for found in system.update(&game).iter().flatten() {
                    assert!(
                        EloMmrRating::new(found.rating(), found.deviation()).is_ok(),
                        "{found:?}"
                    );
                }
            }
        }
    }
}
