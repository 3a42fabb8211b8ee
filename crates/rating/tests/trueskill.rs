//! TrueSkill: published values, the exact posterior of small games, and what must hold at the ends.

use approx::assert_abs_diff_eq;
use matchwright_rating::{
    GaussianRating, Member, Side, TeamGame, TeamRatingSystem, TrueSkill, TrueSkillParams,
};
use proptest::prelude::*;

fn trueskill() -> TrueSkill {
    TrueSkillParams::default().build().unwrap()
}

fn rating(mu: f64, sigma: f64) -> GaussianRating {
    GaussianRating::new(mu, sigma).unwrap()
}

fn new() -> GaussianRating {
    trueskill().initial()
}

/// Sides of newcomers, `sizes[k]` of them in place k + 1.
fn newcomers(sizes: &[usize]) -> Vec<Vec<GaussianRating>> {
    let sides = (1..)
        .zip(sizes)
        .map(|(place, &size)| Side::new(place, vec![new(); size]));
    trueskill().update(&TeamGame::new(sides.collect()).unwrap())
}

/// Published values have three decimals, some of them cut off and not rounded.
fn near(found: &GaussianRating, mu: f64, sigma: f64) {
    assert_abs_diff_eq!(found.rating(), mu, epsilon = 1e-3);
    assert_abs_diff_eq!(found.deviation(), sigma, epsilon = 1e-3);
}

/// The paper's closed form for two sides, worked out with thirty digits.
fn exact(found: &GaussianRating, mu: f64, sigma: f64) {
    assert_abs_diff_eq!(found.rating(), mu, epsilon = 1e-12);
    assert_abs_diff_eq!(found.deviation(), sigma, epsilon = 1e-12);
}

#[test]
fn a_duel_of_newcomers_is_exact_to_nine_decimals() {
    let won = trueskill().update(&TeamGame::duel(new(), 1, new(), 2));
    assert_abs_diff_eq!(won[0][0].rating(), 29.3958316929915, epsilon = 1e-9);
    assert_abs_diff_eq!(won[0][0].deviation(), 7.17147580700922, epsilon = 1e-9);
    assert_abs_diff_eq!(won[1][0].rating(), 20.6041683070085, epsilon = 1e-9);
    assert_abs_diff_eq!(won[1][0].deviation(), 7.17147580700922, epsilon = 1e-9);
    let drawn = trueskill().update(&TeamGame::duel(new(), 1, new(), 1));
    assert_eq!(drawn[0][0].rating(), 25.0);
    assert_abs_diff_eq!(drawn[0][0].deviation(), 6.45751568324505, epsilon = 1e-9);
    assert_eq!(drawn[0], drawn[1]);
}

#[test]
fn teams_of_newcomers_match_the_published_values() {
    let pairs = newcomers(&[2, 2]);
    near(&pairs[0][1], 28.108, 7.774);
    near(&pairs[1][0], 21.892, 7.774);
    let fours = newcomers(&[4, 4]);
    near(&fours[0][3], 27.198, 8.059);
    near(&fours[1][0], 22.802, 8.059);
    let alone = newcomers(&[1, 2]);
    near(&alone[0][0], 33.730, 7.317);
    near(&alone[1][0], 16.270, 7.317);
    near(&alone[1][1], 16.270, 7.317);
    exact(&alone[0][0], 33.73067114899643, 7.317365362867209);
    exact(&alone[1][1], 16.26932885100357, 7.317365362867209);
}

#[test]
fn free_for_alls_of_newcomers_match_the_published_values() {
    let three = newcomers(&[1; 3]);
    near(&three[0][0], 31.675, 6.656);
    near(&three[1][0], 25.000, 6.208);
    near(&three[2][0], 18.325, 6.656);
    let eight = newcomers(&[1; 8]);
    for (place, mu) in [36.771, 32.242, 29.074, 26.322, 23.678, 20.926, 17.758, 13.229]
        .into_iter()
        .enumerate()
    {
        let sigma = [5.749, 5.133, 4.943, 4.874][place.min(7 - place)];
        near(&eight[place][0], mu, sigma);
    }
}

#[test]
fn a_draw_against_a_stronger_player_matches_the_published_values() {
    let strong = rating(50.0, 12.5);
    let drawn = trueskill().update(&TeamGame::duel(new(), 1, strong, 1));
    near(&drawn[0][0], 31.662, 7.137);
    near(&drawn[1][0], 35.010, 7.910);
    exact(&drawn[0][0], 31.662301931668495, 7.137445989575196);
    exact(&drawn[1][0], 35.0106533582169, 7.910077115988941);
    let quality = |a: GaussianRating, b: GaussianRating| {
        trueskill().match_quality(&[&[Member::new(a)], &[Member::new(b)]])
    };
    assert_abs_diff_eq!(quality(new(), strong), 0.110, epsilon = 5e-4);
    assert_abs_diff_eq!(quality(new(), new()), 0.447, epsilon = 5e-4);
}

#[test]
fn partial_play_matches_the_published_values() {
    let game = TeamGame::new(vec![
        Side::new(1, [new()]),
        Side::of_members(2, vec![Member::new(new()).for_share(0.5), Member::new(new())]),
    ]);
    let after = trueskill().update(&game.unwrap());
    near(&after[0][0], 32.417, 7.056);
    near(&after[1][0], 21.291, 8.033);
    near(&after[1][1], 17.583, 7.056);
}

#[test]
fn a_part_of_a_game_is_a_part_of_a_random_walk() {
    let still = TrueSkillParams {
        tau: 0.0,
        ..TrueSkillParams::default()
    };
    let still = still.build().unwrap();
    let member = |share| Member::new(new()).for_share(share);
    let won = |ours, theirs| {
        let sides =
            [(1, ours), (2, theirs)].map(|(place, share)| Side::of_members(place, vec![member(share)]));
        still.update(&TeamGame::new(sides.into()).unwrap())
    };
    // Performances of mean 25 L and variance L^2 sigma^2 + L beta^2, a margin of sqrt(L) epsilon.
    for (length, mu, sigma) in [
        (1.0, 29.395_575_650_818, 7.171_141_464_453),
        (0.5, 29.063_767_314_851, 7.372_159_481_221),
        (0.1, 27.729_855_375_625, 7.931_298_409_723),
        (0.01, 26.014_579_992_283, 8.280_069_169_860),
    ] {
        let after = won(length, length);
        for (rating, mean) in [(&after[0][0], mu), (&after[1][0], 50.0 - mu)] {
            assert_abs_diff_eq!(rating.rating(), mean, epsilon = 1e-11);
            assert_abs_diff_eq!(rating.deviation(), sigma, epsilon = 1e-11);
        }
    }
}

#[test]
fn the_free_for_all_of_three_is_close_to_the_exact_posterior() {
    // Means of the performances given their order and margins, by a sum over a grid: what expectation
    // propagation approximates.
    let (variance, margin) = (
        (25.0_f64 / 3.0).powi(2) + (25.0_f64 / 300.0).powi(2) + (25.0_f64 / 6.0).powi(2),
        25.0 / 6.0 * 2.0_f64.sqrt() * 0.12566134685507402,
    );
    let points: Vec<(f64, f64)> = (-400..=400)
        .map(|step| f64::from(step) * 0.15)
        .map(|x| (x, (-0.5 * x * x / variance).exp()))
        .collect();
    let (mut mass, mut first) = (0.0, 0.0);
    for &(middle, weight) in &points {
        let above = points.iter().filter(|(x, _)| *x > middle + margin);
        let below: f64 = points
            .iter()
            .filter(|(x, _)| *x < middle - margin)
            .map(|(_, weight)| weight)
            .sum();
        for (x, up) in above {
            mass += weight * up * below;
            first += weight * up * below * x;
        }
    }
    let share = (variance - (25.0_f64 / 6.0).powi(2)) / variance;
    let winner = 25.0 + share * first / mass;
    let found = newcomers(&[1; 3])[0][0].rating();
    assert!((found - winner).abs() < 0.1, "{found} {winner}");
}

#[test]
fn messages_settle_where_the_textbook_form_with_forty_digits_does() {
    let eight = newcomers(&[1; 8]);
    exact(&eight[0][0], 36.77109579039713, 5.749283833903912);
    exact(&eight[1][0], 32.24234338602901, 5.132912799901193);
    exact(&eight[2][0], 29.0739824695069, 4.942715044163019);
    exact(&eight[3][0], 26.32217884218605, 4.874549062256956);
    // Teams and ties, in the order of the chain: the stronger of tied sides above, 40 before 26 and 20.
    let sides = vec![
        Side::new(2, [rating(20.0, 4.0)]),
        Side::new(3, [rating(22.0, 6.0)]),
        Side::new(1, [rating(24.0, 3.0)]),
        Side::new(2, [rating(30.0, 5.0), rating(10.0, 2.0)]),
        Side::new(2, [rating(26.0, 5.0)]),
    ];
    let after = trueskill().update(&TeamGame::new(sides).unwrap());
    exact(&after[2][0], 25.86571267988031, 2.724906558011271);
    exact(&after[3][0], 24.06428571383088, 4.08305351769545);
    exact(&after[3][1], 9.04890109882822, 1.947544592407034);
    exact(&after[4][0], 25.32897191579468, 3.683355265903661);
    exact(&after[0][0], 22.32786041829109, 3.2451588971228);
    exact(&after[1][0], 18.81794293288891, 4.876847905801274);
}

#[test]
fn tied_twins_get_the_same_to_the_last_bit_however_their_members_are_seated() {
    // In another order the skills sum to another last digit.
    let members = [rating(0.1, 3.0), rating(0.2, 2.0), rating(0.3, 5.0)];
    let mut turned = members;
    turned.reverse();
    let game = TeamGame::new(vec![
        Side::new(1, members),
        Side::new(1, [rating(1.0, 4.0)]),
        Side::new(1, turned),
    ]);
    let mut after = trueskill().update(&game.unwrap());
    after[2].reverse();
    assert_eq!(after[0], after[2]);
}

#[test]
fn a_draw_against_a_known_skill_teaches_an_unknown_one_all_that_the_noise_lets_through() {
    let system = TrueSkillParams {
        tau: 0.0,
        ..TrueSkillParams::default()
    };
    let game = TeamGame::duel(rating(0.0, 1e8), 1, rating(25.0, 3.0), 1);
    let after = system.build().unwrap().update(&game);
    // The difference is uniform within epsilon, seen through both performances and the other's skill.
    let beta = 25.0_f64 / 6.0;
    let epsilon = beta * 2.0_f64.sqrt() * 0.12566134685507403;
    let known = (9.0 + 2.0 * beta * beta + epsilon * epsilon / 3.0).sqrt();
    assert_abs_diff_eq!(after[0][0].deviation(), known, epsilon = 1e-6);
    assert_abs_diff_eq!(after[0][0].rating(), 25.0, epsilon = 1e-6);
}

#[test]
fn tied_sides_that_nothing_tells_apart_get_the_same_and_the_order_given_does_not_count() {
    let even = trueskill().update(&TeamGame::new((0..5).map(|_| Side::new(1, [new()])).collect()).unwrap());
    for side in &even {
        assert_eq!(side, &even[0]);
        assert_abs_diff_eq!(side[0].rating(), 25.0, epsilon = 1e-12);
        assert!(side[0].deviation() < new().deviation());
    }
    // The stronger of two tied sides stands next to the winner, wherever it is written.
    let sides = [
        Side::new(2, [rating(20.0, 4.0)]),
        Side::new(1, [rating(24.0, 3.0)]),
        Side::new(2, [rating(30.0, 5.0)]),
        Side::new(2, [rating(26.0, 5.0)]),
    ];
    let orders = [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]];
    let answers = orders.map(|order| {
        let game = TeamGame::new(order.map(|index: usize| sides[index].clone()).into()).unwrap();
        let after = trueskill().update(&game);
        let place = |index| order.iter().position(|&side| side == index).unwrap();
        [0, 1, 2, 3].map(|index| after[place(index)][0])
    });
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0], answers[2]);
    assert!(answers[0][0].rating() > 20.0 && answers[0][2].rating() < 30.0);
}

#[test]
fn without_draws_two_who_draw_performed_alike() {
    let system = TrueSkillParams {
        draw_probability: 0.0,
        tau: 0.0,
        ..TrueSkillParams::default()
    };
    let system = system.build().unwrap();
    let after = system.update(&TeamGame::duel(rating(30.0, 4.0), 1, rating(20.0, 4.0), 1));
    // Kalman's filter for a difference of 0 seen with noise 2 beta^2.
    let gain = 16.0 / (32.0 + 2.0 * (25.0_f64 / 6.0).powi(2));
    assert_abs_diff_eq!(after[0][0].rating(), 30.0 - 10.0 * gain, epsilon = 1e-12);
    assert_abs_diff_eq!(
        after[1][0].deviation(),
        (16.0 * (1.0 - gain)).sqrt(),
        epsilon = 1e-12
    );
    let p = system.outcome_probabilities(&[Member::new(new())], &[Member::new(rating(10.0, 1.0))]);
    assert_eq!(p.draw, 0.0);
}

#[test]
fn match_quality_agrees_with_the_published_determinants_for_three_sides() {
    // beta^2 A'A and beta^2 A'A + A'SA for two differences are 2 x 2: written out.
    let system = trueskill();
    let sides = [
        vec![Member::new(rating(27.0, 6.0)), Member::new(rating(20.0, 2.0))],
        vec![Member::new(rating(49.0, 5.0))],
        vec![
            Member::new(rating(30.0, 8.0)),
            Member::new(rating(25.0, 3.0)).for_share(0.5),
        ],
    ];
    let beta = (25.0_f64 / 6.0).powi(2);
    let noise = [2.0 * beta, beta, 1.25 * beta];
    let all = [
        noise[0] + 36.0 + 4.0,
        noise[1] + 25.0,
        noise[2] + 64.0 + 0.25 * 9.0,
    ];
    let means = [47.0, 49.0, 42.5];
    let matrix = |v: [f64; 3]| (v[0] + v[1], -v[1], v[1] + v[2]);
    let det = |(a, b, d): (f64, f64, f64)| a * d - b * b;
    let (a, b, d) = matrix(all);
    let gaps = [means[0] - means[1], means[1] - means[2]];
    let form =
        (d * gaps[0] * gaps[0] - 2.0 * b * gaps[0] * gaps[1] + a * gaps[1] * gaps[1]) / det(matrix(all));
    let expected = (det(matrix(noise)) / det(matrix(all))).sqrt() * (-0.5 * form).exp();
    let found = system.match_quality(&[&sides[0], &sides[1], &sides[2]]);
    assert_abs_diff_eq!(found, expected, epsilon = 1e-14);
    // Any order of sides, and sides without players, give the same.
    let turned = system.match_quality(&[&sides[2], &[], &sides[0], &sides[1]]);
    assert_abs_diff_eq!(turned, expected, epsilon = 1e-14);
    assert_eq!(system.match_quality(&[&sides[0]]), 1.0);
}

#[test]
fn idling_widens_by_the_root_of_time_up_to_the_cap() {
    assert_eq!(
        trueskill().after_inactivity(&rating(25.0, 2.0), 1e9),
        rating(25.0, 2.0)
    );
    let system = TrueSkillParams {
        tau_per_period: 0.5,
        ..TrueSkillParams::default()
    };
    let system = system.build().unwrap();
    assert_eq!(
        system.after_inactivity(&rating(25.0, 1.5), 16.0),
        rating(25.0, 2.5)
    );
    assert_eq!(
        system
            .after_inactivity(&rating(25.0, 2.0), f64::INFINITY)
            .deviation(),
        25.0 / 3.0
    );
    assert_eq!(
        system
            .after_inactivity(&rating(25.0, 12.0), f64::INFINITY)
            .deviation(),
        12.0
    );
}

proptest! {
    #[test]
    fn outcomes_follow_the_published_formula_and_equal_players_draw_at_the_given_rate(
        a in 0.0..50.0_f64, b in 0.0..50.0_f64, sigma in 0.0..9.0_f64, draw in 0.0..0.9_f64,
    ) {
        let system = TrueSkillParams { draw_probability: draw, ..TrueSkillParams::default() }.build().unwrap();
        let p = system.outcome_probabilities(&[Member::new(rating(a, sigma))], &[Member::new(rating(b, sigma))]);
        prop_assert!((p.win + p.draw + p.loss - 1.0).abs() < 1e-14);
        let even = system.outcome_probabilities(&[Member::new(rating(a, 0.0))], &[Member::new(rating(a, 0.0))]);
        prop_assert!((even.draw - draw).abs() < 1e-13);
        prop_assert!((p.win >= p.loss) == (a >= b) || (p.win - p.loss).abs() < 1e-12);
    }

    #[test]
    fn known_skills_do_not_move_and_every_game_narrows_the_others(
        mu in 0.0..50.0_f64, sigma in 0.5..9.0_f64, second in 1_u32..3, third in 1_u32..4,
    ) {
        let system = TrueSkillParams { tau: 0.0, ..TrueSkillParams::default() }.build().unwrap();
        let game = TeamGame::new(vec![
            Side::new(1, [rating(mu, sigma), rating(30.0, 0.0)]),
            Side::new(second, [rating(25.0, 3.0)]),
            Side::new(third, [rating(20.0, 5.0), rating(5.0, 2.0)]),
        ]);
        let after = system.update(&game.unwrap());
        prop_assert_eq!(after[0][1], rating(30.0, 0.0));
        prop_assert!(after[0][0].deviation() <= sigma);
        prop_assert!(after[1][0].deviation() < 3.0 && after[2][0].deviation() < 5.0);
    }

    #[test]
    fn a_certain_result_a_million_deviations_away_is_finite_and_pulls_all_the_way(
        gap in 1e3..1e6_f64, tied in any::<bool>(),
    ) {
        let system = TrueSkillParams { tau: 0.0, ..TrueSkillParams::default() }.build().unwrap();
        let place = if tied { 1 } else { 2 };
        // The weaker one wins or draws.
        let after = system.update(&TeamGame::duel(rating(0.0, 3.0), 1, rating(gap * 6.0, 3.0), place));
        let c2 = 2.0 * (9.0 + (25.0_f64 / 6.0).powi(2));
        let expected = 9.0 / c2 * gap * 6.0;
        prop_assert!((after[0][0].rating() / expected - 1.0).abs() < 1e-3);
        prop_assert!(after[0][0].deviation().is_finite() && after[0][0].deviation() > 0.0);
    }
}
