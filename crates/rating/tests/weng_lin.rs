//! Weng and Lin's systems: published values, and the sums of the paper written out.

use approx::assert_abs_diff_eq;
use matchwright_rating::{
    DrawChoice, GaussianRating, Member, RaoKupper, Side, TeamGame, TeamRatingSystem, WengLin, WengLinGamma,
    WengLinModel, WengLinParams,
};
use proptest::prelude::*;

fn system(model: WengLinModel, gamma: WengLinGamma) -> WengLin {
    WengLinParams {
        model,
        gamma,
        ..WengLinParams::default()
    }
    .build()
    .unwrap()
}

fn rating(mu: f64, sigma: f64) -> GaussianRating {
    GaussianRating::new(mu, sigma).unwrap()
}

fn close(found: &GaussianRating, mu: f64, sigma: f64) {
    assert_abs_diff_eq!(found.rating(), mu, epsilon = 1e-9);
    assert_abs_diff_eq!(found.deviation(), sigma, epsilon = 1e-9);
}

#[test]
fn a_duel_of_newcomers_is_exact_to_nine_decimals() {
    let system = WengLinParams::default().build().unwrap();
    let new = system.initial();
    let after = system.update(&TeamGame::duel(new, 1, new, 2));
    close(&after[0][0], 27.635231383, 8.065506316);
    close(&after[1][0], 22.364768617, 8.065506316);
    let drawn = system.update(&TeamGame::duel(new, 7, new, 7));
    close(&drawn[0][0], 25.0, 8.065506316);
}

#[test]
fn two_teams_under_plackett_luce_match_the_published_example() {
    // The worked example of several open implementations.
    let game = TeamGame::new(vec![
        Side::new(1, [rating(25.0, 25.0 / 3.0), rating(32.444, 5.123)]),
        Side::new(2, [rating(43.381, 2.421), rating(25.188, 6.211)]),
    ]);
    let after = system(WengLinModel::PlackettLuce, WengLinGamma::Deviation).update(&game.unwrap());
    close(&after[0][0], 28.669648436582808, 8.071520788025197);
    close(&after[0][1], 33.83086971107981, 5.062772998705765);
    close(&after[1][0], 43.071274808241974, 2.4166900452721256);
    close(&after[1][1], 23.149503312339064, 6.1378606973362135);
}

/// A game with teams, a tie, and someone who came late.
fn varied() -> TeamGame<GaussianRating> {
    TeamGame::new(vec![
        Side::new(2, [rating(25.0, 8.0), rating(30.0, 4.0)]),
        Side::of_members(
            1,
            vec![
                Member::new(rating(20.0, 6.0)).for_share(0.25),
                Member::new(rating(33.0, 2.0)),
            ],
        ),
        Side::new(2, [rating(41.0, 7.0)]),
        Side::new(3, [rating(28.0, 1.0)]),
    ])
    .unwrap()
}

/// mean and variance of every side of [`varied`].
const SIDES: [(u32, f64, f64); 4] = [(2, 55.0, 80.0), (1, 38.0, 6.25), (2, 41.0, 49.0), (3, 28.0, 1.0)];
const BETA2: f64 = 25.0 / 6.0 * 25.0 / 6.0;

#[test]
fn plackett_luce_by_places_equals_the_papers_double_sum() {
    let after = system(WengLinModel::PlackettLuce, WengLinGamma::Deviation).update(&varied());
    let c2: f64 = SIDES.iter().map(|side| side.2 + BETA2).sum();
    let weight = |side: &(u32, f64, f64)| (side.1 / c2.sqrt()).exp();
    let (mut omega, mut delta) = ([0.0; 4], [0.0; 4]);
    for (i, side) in SIDES.iter().enumerate() {
        for (q, other) in SIDES.iter().enumerate().filter(|(_, other)| other.0 <= side.0) {
            let tied = SIDES.iter().filter(|one| one.0 == other.0).count() as f64;
            let rest: f64 = SIDES.iter().filter(|one| one.0 >= other.0).map(weight).sum();
            let p = weight(side) / rest;
            omega[i] += (f64::from(u8::from(q == i)) - p) / tied / c2.sqrt();
            delta[i] += side.2.sqrt() / c2.sqrt() * p * (1.0 - p) / tied / c2;
        }
    }
    let shrunk = |sigma: f64, share: f64, side: usize| {
        sigma * (1.0 - share * share * sigma * sigma * delta[side]).sqrt()
    };
    close(&after[0][0], 25.0 + 64.0 * omega[0], shrunk(8.0, 1.0, 0));
    close(&after[0][1], 30.0 + 16.0 * omega[0], shrunk(4.0, 1.0, 0));
    close(&after[1][0], 20.0 + 0.25 * 36.0 * omega[1], shrunk(6.0, 0.25, 1));
    close(&after[2][0], 41.0 + 49.0 * omega[2], shrunk(7.0, 1.0, 2));
    close(&after[3][0], 28.0 + omega[3], shrunk(1.0, 1.0, 3));
}

#[test]
fn full_pairing_sums_every_pair_with_either_gamma() {
    for gamma in [WengLinGamma::Sides, WengLinGamma::Fixed(0.25)] {
        let after = system(WengLinModel::BradleyTerryFull, gamma).update(&varied());
        let (mut omega, mut delta) = (0.0, 0.0);
        // The first side beat the last, drew with the third and lost to the second.
        for (q, s) in [(1, 0.0), (2, 0.5), (3, 1.0)] {
            let c2 = SIDES[0].2 + SIDES[q].2 + 2.0 * BETA2;
            let p = 1.0 / (1.0 + ((SIDES[q].1 - SIDES[0].1) / c2.sqrt()).exp());
            omega += (s - p) / c2.sqrt();
            delta += 0.25 * p * (1.0 - p) / c2;
        }
        close(
            &after[0][0],
            25.0 + 64.0 * omega,
            8.0 * (1.0 - 64.0 * delta).sqrt(),
        );
        close(
            &after[0][1],
            30.0 + 16.0 * omega,
            4.0 * (1.0 - 16.0 * delta).sqrt(),
        );
    }
}

#[test]
fn kappa_is_the_least_that_a_game_leaves_of_the_variance() {
    let floored = WengLinParams {
        kappa: 0.9,
        gamma: WengLinGamma::Fixed(1.0),
        ..WengLinParams::default()
    };
    let after = floored
        .build()
        .unwrap()
        .update(&TeamGame::duel(rating(25.0, 8.0), 1, rating(25.0, 1.0), 2));
    assert_abs_diff_eq!(after[0][0].deviation(), 8.0 * 0.9_f64.sqrt(), epsilon = 1e-12);
    assert!(after[1][0].deviation() > 0.9_f64.sqrt());
}

#[test]
fn drift_widens_before_a_game_and_idling_up_to_the_cap() {
    let drifting = WengLinParams {
        tau: 3.0,
        tau_per_period: 0.5,
        ..WengLinParams::default()
    };
    let drifting = drifting.build().unwrap();
    let plain = WengLinParams::default().build().unwrap();
    let game = |sigma| TeamGame::duel(rating(25.0, sigma), 1, rating(30.0, sigma), 2);
    assert_eq!(drifting.update(&game(4.0)), plain.update(&game(5.0)));
    assert_eq!(
        drifting.after_inactivity(&rating(25.0, 1.5), 16.0),
        rating(25.0, 2.5)
    );
    assert_eq!(
        drifting
            .after_inactivity(&rating(25.0, 1.5), f64::INFINITY)
            .deviation(),
        25.0 / 3.0
    );
    assert_eq!(plain.after_inactivity(&rating(25.0, 1.5), 1e9), rating(25.0, 1.5));
}

#[test]
fn draws_of_the_predictions_are_those_of_the_chosen_model() {
    let (a, b) = ([Member::new(rating(27.0, 4.0))], [Member::new(rating(25.0, 3.0))]);
    let draws = DrawChoice::RaoKupper(RaoKupper::from_draw_probability(0.3).unwrap());
    let chosen = WengLinParams {
        draws,
        ..WengLinParams::default()
    };
    let chosen = chosen.build().unwrap();
    assert_abs_diff_eq!(chosen.outcome_probabilities(&a, &a).draw, 0.3, epsilon = 1e-12);
    let p = WengLinParams::default()
        .build()
        .unwrap()
        .outcome_probabilities(&a, &b);
    // Davidson's odds of win to loss are those of the strengths.
    let lead = 2.0 / (25.0 + 2.0 * BETA2).sqrt();
    assert_abs_diff_eq!((p.win / p.loss).ln(), lead, epsilon = 1e-12);
    assert!(p.draw < 0.1 && p.draw > 0.09);
}

proptest! {
    #[test]
    fn both_models_agree_on_the_direction_of_duels_and_on_certain_ones(
        a in 0.0..50.0_f64, b in 0.0..50.0_f64, sigma in 0.5..9.0_f64,
    ) {
        for model in [WengLinModel::BradleyTerryFull, WengLinModel::PlackettLuce] {
            let system = system(model, WengLinGamma::Deviation);
            let after = system.update(&TeamGame::duel(rating(a, sigma), 1, rating(b, sigma), 2));
            prop_assert!(after[0][0].rating() > a && after[1][0].rating() < b);
            // Equal sigmas: what one gains the other loses.
            prop_assert!((after[0][0].rating() + after[1][0].rating() - a - b).abs() < 1e-12);
            let sure = system.update(&TeamGame::duel(rating(1e6, sigma), 1, rating(b, sigma), 2));
            prop_assert_eq!(sure[0][0], rating(1e6, sigma));
        }
    }
}
