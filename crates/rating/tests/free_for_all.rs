//! What many games of many sides do to ratings that are right.

// Its random numbers come with the laws.

use approx::assert_relative_eq;
use matchwright_rating::{
    DotaMmr, DotaMmrParams, EloParams, EloRating, FixedDraw, GaussianRating, GlickoParams, RatingEstimate,
    RatingSystem, Side, TeamAdapter, TeamGame, TeamRatingSystem, TeamSkill,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A pool in which a few are far ahead, as pools are.
const POOL: [f64; 10] = [
    1400.0, 1400.0, 1410.0, 1420.0, 1450.0, 1500.0, 1550.0, 1650.0, 1900.0, 3000.0,
];

/// Games of the whole pool, in each of which everyone performs at `strengths` plus `noise`.
fn after<S: TeamRatingSystem>(
    system: &S,
    start: Vec<S::Rating>,
    strengths: &[f64],
    noise: impl Fn(&mut ChaCha8Rng) -> f64,
) -> Vec<S::Rating> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut ratings = start;
    for _ in 0..2000 {
        let performed: Vec<f64> = strengths.iter().map(|mean| mean + noise(&mut rng)).collect();
        let place = |one: f64| performed.iter().filter(|&&other| other > one).count();
        let sides = ratings.iter().zip(&performed).map(|(rating, &one)| {
            let place = u32::try_from(place(one)).unwrap();
            Side::new(place, [rating.clone()])
        });
        let game = TeamGame::new(sides.collect()).unwrap();
        ratings = system.update(&game).into_iter().flatten().collect();
    }
    ratings
}

/// Of Gumbel's distribution, so that the better of two is Elo's curve.
fn gumbel(rng: &mut ChaCha8Rng) -> f64 {
    let unit: f64 = rng.random_range(1e-12..1.0);
    -400.0 / 10_f64.ln() * (-unit.ln()).ln()
}

fn mean_of<R: RatingEstimate>(ratings: &[R]) -> f64 {
    ratings.iter().map(RatingEstimate::rating).sum::<f64>() / ratings.len() as f64
}

#[test]
fn elo_only_moves_points_in_a_free_for_all_too_and_right_ratings_stay() {
    let elo = EloParams::default().build().unwrap();
    let system = TeamAdapter::new(elo, TeamSkill::Mean, FixedDraw::EOMM);
    let start: Vec<EloRating> = POOL.map(|value| EloRating::new(value).unwrap()).to_vec();
    let ratings = after(&system, start.clone(), &POOL, gumbel);
    assert_relative_eq!(mean_of(&ratings), mean_of(&start), epsilon = 1e-6);
    for (rating, strength) in ratings.iter().zip(POOL) {
        assert!(
            (rating.value() - strength).abs() < 120.0,
            "{strength}: {rating:?}"
        );
    }
}

#[test]
fn dotas_ratings_of_one_uncertainty_do_not_drift_in_a_free_for_all() {
    let dota: DotaMmr = DotaMmrParams::default().build().unwrap();
    let start: Vec<GaussianRating> = POOL.map(|mmr| GaussianRating::new(mmr, 200.0).unwrap()).to_vec();
    let ratings = after(&dota, start.clone(), &POOL, |rng| {
        let sum: f64 = (0..12).map(|_| rng.random::<f64>()).sum();
        200.0 * (sum - 6.0)
    });
    // Surprises raise an uncertainty above the floor now and then, and with it a single step.
    assert!((mean_of(&ratings) - mean_of(&start)).abs() < 60.0, "{ratings:?}");
}

#[test]
fn each_meets_the_mean_of_the_duels_up_to_dozens_of_sides_and_nearly_so_beyond() {
    let glicko = GlickoParams::default().build().unwrap();
    let system = TeamAdapter::new(glicko, TeamSkill::Mean, FixedDraw::EOMM);
    let elo = EloParams::default().build().unwrap();
    let elos = TeamAdapter::new(elo, TeamSkill::Mean, FixedDraw::EOMM);
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for (count, tolerance) in [(3_usize, 1e-9), (40, 1e-9), (400, 2e-3)] {
        let players: Vec<EloRating> = (0..count)
            .map(|_| EloRating::new(rng.random_range(0.0..3000.0)).unwrap())
            .collect();
        let sides = players.iter().map(|player| Side::new(1, [*player])).collect();
        let ratings = elos.update(&TeamGame::new(sides).unwrap());
        for (at, player) in players.iter().enumerate() {
            let others = players.iter().enumerate().filter(|(other, _)| *other != at);
            let duels: f64 = others.map(|(_, other)| elo.expected_score(player, other)).sum();
            let expected = 0.5 - (ratings[at][0].value() - player.value()) / 32.0;
            assert!((expected - duels / (count as f64 - 1.0)).abs() < tolerance);
        }
    }
    // With deviations: who scores as the duels say stays.
    let field = [(1500.0, 80.0), (1200.0, 300.0), (1900.0, 30.0)];
    let field = field.map(|(rating, deviation)| GaussianRating::new(rating, deviation).unwrap());
    let expected = [1, 2].map(|other| glicko.expected_score(&field[0], &field[other]));
    let sides = [2, 3, 1]
        .iter()
        .zip(field)
        .map(|(&place, one)| Side::new(place, [one]));
    let gain = system.update(&TeamGame::new(sides.collect()).unwrap())[0][0].rating() - 1500.0;
    let surplus = 0.5 - expected.iter().sum::<f64>() / 2.0;
    assert!(gain * surplus > 0.0, "{gain} {surplus}");
}
