//! Systems for two players under the adapter, against the law suite for teams and by hand.

use approx::assert_relative_eq;
use matchwright_rating::laws::{Draw, TeamPromise, check_free_for_all, check_team_promise, check_teams};
use matchwright_rating::{
    Davidson, Elo, EloCurve, EloParams, EloRating, FixedDraw, GameResult, GaussianRating, Glicko,
    Glicko2Params, Glicko2Rating, GlickoParams, Member, RATING_LIMIT, RaoKupper, RatingSystem, Score, Side,
    TeamAdapter, TeamGame, TeamRatingSystem, TeamSkill,
};

fn any_points(draw: &mut Draw) -> f64 {
    match draw.below(8) {
        0 => 1500.0,
        1 => draw.uniform(-1e6, 1e6),
        2 => [-1e6, 1e6, -RATING_LIMIT, RATING_LIMIT][draw.below(4) as usize],
        _ => draw.uniform(0.0, 3000.0),
    }
}

fn any_deviation(draw: &mut Draw) -> f64 {
    match draw.below(6) {
        0 => 0.0,
        1 => draw.log_uniform(1e-12, 1e9),
        _ => draw.uniform(30.0, 350.0),
    }
}

fn any_elo(draw: &mut Draw) -> EloRating {
    EloRating::new(any_points(draw)).unwrap()
}

fn any_glicko(draw: &mut Draw) -> GaussianRating {
    GaussianRating::new(any_points(draw), any_deviation(draw)).unwrap()
}

fn any_glicko2(draw: &mut Draw) -> Glicko2Rating {
    Glicko2Rating::new(any_points(draw), any_deviation(draw), draw.uniform(0.03, 0.1)).unwrap()
}

fn elo() -> Elo {
    EloParams::default().build().unwrap()
}

fn glicko() -> Glicko {
    GlickoParams::default().build().unwrap()
}

const SKILLS: [TeamSkill; 2] = [TeamSkill::Mean, TeamSkill::Sum];

const PROMISES: [TeamPromise; 3] = [
    TeamPromise::WinnersDoNotLose,
    TeamPromise::LosersDoNotGain,
    TeamPromise::PlaceIsMonotone,
];

#[test]
fn adapted_systems_keep_the_laws_of_team_systems() {
    let glicko2 = Glicko2Params::default().build().unwrap();
    for skill in SKILLS {
        let with_elo = TeamAdapter::new(elo(), skill, FixedDraw::EOMM);
        let with_glicko = TeamAdapter::new(glicko(), skill, Davidson::from_draw_probability(0.3).unwrap());
        let with_glicko2 = TeamAdapter::new(glicko2, skill, RaoKupper::from_draw_probability(0.1).unwrap());
        check_teams(&with_elo, any_elo, 1, 400).unwrap();
        check_teams(&with_glicko, any_glicko, 2, 400).unwrap();
        check_teams(&with_glicko2, any_glicko2, 3, 400).unwrap();
        for promise in PROMISES {
            check_team_promise(&with_elo, promise, any_elo, 4, 400).unwrap();
            check_team_promise(&with_glicko, promise, any_glicko, 5, 400).unwrap();
            check_team_promise(&with_glicko2, promise, any_glicko2, 6, 200).unwrap();
        }
    }
}

#[test]
fn a_free_for_all_of_twenty_thousand_stays_finite() {
    check_free_for_all(
        &TeamAdapter::new(elo(), TeamSkill::Mean, FixedDraw::EOMM),
        any_elo,
        1,
        20_000,
    )
    .unwrap();
    check_free_for_all(
        &TeamAdapter::new(glicko(), TeamSkill::Sum, FixedDraw::EOMM),
        any_glicko,
        1,
        20_000,
    )
    .unwrap();
}

#[test]
fn a_duel_of_sides_is_the_duel_of_the_players_to_the_bit() {
    let params = EloParams {
        curve: EloCurve::FideTable,
        ..EloParams::default()
    };
    let fide = params.build().unwrap();
    let mut draw = Draw::new(7);
    for _ in 0..500 {
        let (a, b) = (any_glicko(&mut draw), any_glicko(&mut draw));
        let system = glicko();
        let after =
            TeamAdapter::new(system, TeamSkill::Mean, FixedDraw::EOMM).update(&TeamGame::duel(a, 2, b, 1));
        let lost = system.update(&a, 0.0, &[GameResult::new(b, Score::LOSS)]);
        assert_relative_eq!(after[0][0].rating(), lost.rating(), max_relative = 1e-12);
        assert_relative_eq!(after[0][0].deviation(), lost.deviation(), max_relative = 1e-12);
        let (a, b) = (
            EloRating::new(draw.uniform(0.0, 2600.0)).unwrap(),
            EloRating::new(1500.0).unwrap(),
        );
        let after =
            TeamAdapter::new(fide, TeamSkill::Sum, FixedDraw::EOMM).update(&TeamGame::duel(a, 1, b, 1));
        let drawn = fide.update(&a, 0.0, &[GameResult::new(b, Score::DRAW)]);
        assert_relative_eq!(after[0][0].value(), drawn.value(), max_relative = 1e-12);
    }
}

#[test]
fn elo_between_two_sides_only_moves_points_and_all_members_alike() {
    let teams = TeamAdapter::new(elo(), TeamSkill::Mean, FixedDraw::EOMM);
    let mut draw = Draw::new(3);
    for _ in 0..200 {
        let mut five = || {
            (0..5)
                .map(|_| EloRating::new(draw.uniform(0.0, 3000.0)).unwrap())
                .collect::<Vec<_>>()
        };
        let (a, b) = (five(), five());
        let game = TeamGame::new(vec![Side::new(1, a.clone()), Side::new(2, b.clone())]).unwrap();
        let after = teams.update(&game);
        let gain = after[0][0].value() - a[0].value();
        for k in 0..5 {
            assert_relative_eq!(after[0][k].value() - a[k].value(), gain, epsilon = 1e-9);
            assert_relative_eq!(after[1][k].value() - b[k].value(), -gain, epsilon = 1e-9);
        }
    }
}

#[test]
fn deviations_of_summed_teams_are_as_large_as_the_errors() {
    let teams = TeamAdapter::new(glicko(), TeamSkill::Sum, FixedDraw::EOMM);
    let mut draw = Draw::new(11);
    // Two hundred players whose true skills spread as their first deviations say.
    let normal = |draw: &mut Draw| (0..12).map(|_| draw.uniform(0.0, 1.0)).sum::<f64>() - 6.0;
    let skills: Vec<f64> = (0..200).map(|_| 1500.0 + 200.0 * normal(&mut draw)).collect();
    let mut ratings = vec![GaussianRating::new(1500.0, 200.0).unwrap(); skills.len()];
    let mut seats: Vec<usize> = (0..skills.len()).collect();
    for _ in 0..60 {
        for k in (1..seats.len()).rev() {
            let other = draw.below(u32::try_from(k + 1).unwrap()) as usize;
            seats.swap(k, other);
        }
        for ten in seats.chunks_exact(10) {
            let sum = |side: &[usize]| side.iter().map(|&i| skills[i]).sum::<f64>();
            let lead = sum(&ten[..5]) - sum(&ten[5..]);
            let won = draw.uniform(0.0, 1.0) < 1.0 / (1.0 + 10_f64.powf(-lead / 400.0));
            let side = |place, side: &[usize]| Side::new(place, side.iter().map(|&i| ratings[i]));
            let places = if won { (1, 2) } else { (2, 1) };
            let game = TeamGame::new(vec![side(places.0, &ten[..5]), side(places.1, &ten[5..])]).unwrap();
            for (rating, &i) in teams.update(&game).into_iter().flatten().zip(ten) {
                ratings[i] = rating;
            }
        }
    }
    let errors = ratings
        .iter()
        .zip(&skills)
        .map(|(rating, skill)| (rating.rating() - skill).powi(2));
    let error = (errors.sum::<f64>() / 200.0).sqrt();
    let deviations = ratings.iter().map(|rating| rating.deviation().powi(2));
    let deviation = (deviations.sum::<f64>() / 200.0).sqrt();
    assert!(
        (0.8..1.25).contains(&(error / deviation)),
        "error {error}, deviation {deviation}"
    );
}

#[test]
fn a_part_of_the_game_is_a_part_of_the_surprise() {
    let teams = TeamAdapter::new(elo(), TeamSkill::Mean, FixedDraw::EOMM);
    let elo = |value| EloRating::new(value).unwrap();
    let quarter = Member::new(elo(1500.0)).for_share(0.25);
    let game = TeamGame::new(vec![
        Side::of_members(1, vec![quarter, Member::new(elo(1500.0))]),
        Side::new(2, [elo(1500.0), elo(1500.0)]),
    ]);
    let after = teams.update(&game.unwrap());
    assert_eq!([after[0][0].value(), after[0][1].value()], [1504.0, 1516.0]);
}

#[test]
fn sums_count_the_players_and_means_do_not() {
    let elo = |value| EloRating::new(value).unwrap();
    let (one, two) = (
        vec![Member::new(elo(1000.0))],
        vec![Member::new(elo(500.0)), Member::new(elo(500.0))],
    );
    let of = |skill| TeamAdapter::new(self::elo(), skill, FixedDraw::EOMM).outcome_probabilities(&one, &two);
    assert_eq!(of(TeamSkill::Sum).win, of(TeamSkill::Sum).loss);
    assert!(of(TeamSkill::Mean).win > 0.75);
}

#[test]
fn in_a_free_for_all_everyone_expects_the_mean_of_the_duels() {
    let teams = TeamAdapter::new(elo(), TeamSkill::Mean, FixedDraw::EOMM);
    let elo = |value| EloRating::new(value).unwrap();
    let sides = [(1, 1400.0), (2, 1500.0), (3, 1600.0)].map(|(place, value)| Side::new(place, [elo(value)]));
    let after = teams.update(&TeamGame::new(sides.into()).unwrap());
    let duels = [1500.0, 1600.0].map(|other| teams.system().expected_score(&elo(1400.0), &elo(other)));
    let expected = 0.5 * (duels[0] + duels[1]);
    assert_relative_eq!(
        after[0][0].value(),
        1400.0 + 32.0 * (1.0 - expected),
        epsilon = 1e-9
    );
    // Second of three among equals on average: nothing changes.
    assert_relative_eq!(after[1][0].value(), 1500.0, epsilon = 1e-9);
}
