//! Weng and Lin's systems: published values, and the sums of the paper written out.

use approx::assert_abs_diff_eq;
use matchwright_rating::{
    DrawChoice, GaussianRating, Member, RaoKupper, Side, TeamGame, TeamRatingSystem, WengLin, WengLinGamma,
    WengLinModel, WengLinParams,
};
use proptest::prelude::*;

const MODELS: [WengLinModel; 5] = [
    WengLinModel::BradleyTerryFull,
    WengLinModel::BradleyTerryPartial,
    WengLinModel::ThurstoneMostellerFull,
    WengLinModel::ThurstoneMostellerPartial,
    WengLinModel::PlackettLuce,
];

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

/// A player's side and place, mu and sigma, and mu and sigma after the game by Bradley-Terry with partial pairing and by
/// Thurstone-Mosteller with full and with partial pairing.
type Rated = (usize, u32, f64, f64, [(f64, f64); 3]);

/// By the Python package openskill 6.2.0: `BradleyTerryPart(window_size=1)`, `ThurstoneMostellerFull()` and
/// `ThurstoneMostellerPart(window_size=1)`, each with tau of 1e-300 (0 counts as unset).
const OPENSKILL: [&[Rated]; 3] = [
    &[
        (
            0,
            1,
            17.7,
            2.9,
            [
                (18.1688858550, 2.8917585565),
                (18.5631015033, 2.8742915018),
                (18.0641255421, 2.8969921352),
            ],
        ),
        (
            0,
            1,
            18.6,
            2.7,
            [
                (19.0064420788, 2.6933500529),
                (19.3481581402, 2.6792644490),
                (18.9156331988, 2.6975726881),
            ],
        ),
        (
            1,
            2,
            14.3,
            7.8,
            [
                (10.9079648732, 7.4451243140),
                (8.0561123111, 6.6343397976),
                (11.6658266375, 7.6722677597),
            ],
        ),
        (
            1,
            2,
            12.0,
            3.2,
            [
                (11.4290854750, 3.1759628519),
                (10.9490892516, 3.1246375947),
                (11.5566414327, 3.1912402672),
            ],
        ),
        (
            1,
            2,
            15.5,
            1.6,
            [
                (15.3572713688, 1.5970038360),
                (15.2372723129, 1.5906633856),
                (15.3891603582, 1.5989061582),
            ],
        ),
    ],
    &[
        (
            0,
            1,
            21.5,
            6.8,
            [
                (22.5232817745, 6.6991514707),
                (26.0922026287, 6.2036180008),
                (22.6480695344, 6.7283425595),
            ],
        ),
        (
            1,
            1,
            21.1,
            3.2,
            [
                (20.8733908873, 3.1870399862),
                (20.0830416324, 3.1254536974),
                (20.8457562277, 3.1907768071),
            ],
        ),
        (
            1,
            1,
            15.5,
            7.8,
            [
                (14.1536232015, 7.6103861417),
                (9.4578371988, 6.6478960143),
                (13.9894344621, 7.6654602579),
            ],
        ),
    ],
    &[
        (
            0,
            1,
            16.5,
            5.2,
            [
                (17.3511319479, 5.1317164686),
                (20.8639352495, 4.6178004510),
                (17.2262523824, 5.1790649874),
            ],
        ),
        (
            0,
            1,
            18.4,
            5.4,
            [
                (19.3178627071, 5.3234907515),
                (23.1060781019, 4.7447510460),
                (19.1831922881, 5.3765515948),
            ],
        ),
        (
            1,
            2,
            29.2,
            7.7,
            [
                (29.3973173075, 7.4518535390),
                (36.6961891995, 5.3060742305),
                (29.3296032602, 7.6240549639),
            ],
        ),
        (
            2,
            3,
            26.9,
            6.8,
            [
                (27.5447026857, 6.6336265418),
                (28.8446416999, 5.2747111872),
                (27.3687878921, 6.7370488969),
            ],
        ),
        (
            3,
            4,
            19.8,
            5.5,
            [
                (17.8029602248, 5.4192758957),
                (9.8212466490, 4.6232805436),
                (18.2419259204, 5.4640144046),
            ],
        ),
        (
            3,
            4,
            17.2,
            2.6,
            [
                (16.7537193759, 2.5915209910),
                (14.9700372677, 2.5133194567),
                (16.8518155115, 2.5962081217),
            ],
        ),
    ],
];

/// openskill departs from the paper where pairing is partial: it divides sums by the number of neighbours, and for
/// Thurstone-Mosteller doubles c, which is here to double beta and every sigma, to take a quarter of mu's shift and, gamma
/// being `sigma / c`, an eighth of sigma's. (Its draws far from even, of probability below 1e-5, are rougher too.)
#[test]
fn models_of_pairs_match_openskill() {
    let models = [
        (WengLinModel::BradleyTerryPartial, true, 1.0),
        (WengLinModel::ThurstoneMostellerFull, false, 1.0),
        (WengLinModel::ThurstoneMostellerPartial, true, 2.0),
    ];
    for players in OPENSKILL {
        let last = players[players.len() - 1].0;
        for (column, (model, divided, c)) in models.into_iter().enumerate() {
            let params = WengLinParams {
                model,
                beta: c * 25.0 / 6.0,
                ..WengLinParams::default()
            };
            let sides = players.chunk_by(|a, b| a.0 == b.0).map(|side| {
                let members = side.iter().map(|one| rating(one.2, c * one.3));
                Side::new(side[0].1, members.collect::<Vec<_>>())
            });
            let after = params
                .build()
                .unwrap()
                .update(&TeamGame::new(sides.collect()).unwrap());
            for (&(side, _, mu, sigma, expected), after) in players.iter().zip(after.iter().flatten()) {
                let neighbours = if divided && side > 0 && side < last {
                    2.0
                } else {
                    1.0
                };
                let shift = (after.rating() - mu) / (c * c * neighbours);
                let lost = 1.0 - (after.deviation() / (c * sigma)).powi(2);
                let left = 1.0 - lost / (c.powi(3) * neighbours);
                assert_abs_diff_eq!(mu + shift, expected[column].0, epsilon = 1e-9);
                assert_abs_diff_eq!(sigma * left.sqrt(), expected[column].1, epsilon = 1e-9);
            }
        }
    }
}

/// Tied sides meet each other and all of the next place, those two places further do not meet.
#[test]
fn partial_pairing_is_the_full_pairing_of_neighbouring_places() {
    let players = [
        (1, 25.0, 8.0),
        (2, 30.0, 4.0),
        (2, 20.0, 6.0),
        (4, 28.0, 2.0),
        (9, 22.0, 5.0),
    ];
    let game = |places: &[u32]| {
        let met = players.iter().filter(|one| places.contains(&one.0));
        TeamGame::new(met.map(|one| Side::new(one.0, [rating(one.1, one.2)])).collect()).unwrap()
    };
    for (partial, full) in [
        (WengLinModel::BradleyTerryPartial, WengLinModel::BradleyTerryFull),
        (
            WengLinModel::ThurstoneMostellerPartial,
            WengLinModel::ThurstoneMostellerFull,
        ),
    ] {
        let [partial, full] = [partial, full].map(|model| system(model, WengLinGamma::Deviation));
        let after = partial.update(&game(&[1, 2, 4, 9]));
        let close_to = |side: usize, places: &[u32], seat: usize| {
            let other = full.update(&game(places))[seat][0];
            close(&after[side][0], other.rating(), other.deviation());
        };
        close_to(0, &[1, 2], 0);
        close_to(1, &[1, 2, 4], 1);
        close_to(2, &[1, 2, 4], 2);
        close_to(3, &[2, 4, 9], 2);
        close_to(4, &[4, 9], 1);
    }
}

#[test]
fn of_two_sides_plackett_luce_is_bradley_terry_and_of_two_hundred_it_alone_keeps_its_head() {
    let (default, full) = (
        WengLinParams::default().build().unwrap(),
        system(WengLinModel::BradleyTerryFull, WengLinGamma::Deviation),
    );
    assert_eq!(default.params().model, WengLinModel::PlackettLuce);
    for place in [1, 2, 3] {
        let game = TeamGame::new(vec![
            Side::new(place, [rating(25.0, 8.0), rating(30.0, 4.0)]),
            Side::new(2, [rating(20.0, 6.0)]),
        ]);
        let game = game.unwrap();
        assert_eq!(default.update(&game), full.update(&game));
    }
    let new = default.initial();
    let game = TeamGame::new((0..200).map(|place| Side::new(place, [new])).collect()).unwrap();
    // The winner of one game, in deviations of a newcomer.
    let lead = |system: &WengLin| (system.update(&game)[0][0].rating() - 25.0) / new.deviation();
    assert!(
        lead(&default) < 0.1 && lead(&full) > 50.0,
        "{} {}",
        lead(&default),
        lead(&full)
    );
}

proptest! {
    #[test]
    fn all_models_agree_on_the_direction_of_duels_and_on_certain_ones(
        a in 0.0..50.0_f64, b in 0.0..50.0_f64, sigma in 0.5..9.0_f64,
    ) {
        for model in MODELS {
            let system = system(model, WengLinGamma::Deviation);
            let after = system.update(&TeamGame::duel(rating(a, sigma), 1, rating(b, sigma), 2));
            let (won, lost) = (after[0][0].rating(), after[1][0].rating());
            prop_assert!(won >= a && lost <= b);
            // What was expected by far moves less than the last digit.
            prop_assert!(won > a && lost < b || a - b > 40.0);
            // Equal sigmas: what one gains the other loses.
            prop_assert!((after[0][0].rating() + after[1][0].rating() - a - b).abs() < 1e-12);
            let sure = system.update(&TeamGame::duel(rating(1e6, sigma), 1, rating(b, sigma), 2));
            prop_assert_eq!(sure[0][0], rating(1e6, sigma));
        }
    }
}
