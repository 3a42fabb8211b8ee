//! Dota's rating: what its source says, as properties.

use matchwright_rating::{
    DotaMmr, DotaMmrParams, GameResult, GaussianRating, Member, PerformanceError, RATING_LIMIT, RatingSystem,
    Score, ShiftRating, Side, TeamGame, TeamRatingSystem,
};
use proptest::prelude::*;

fn dota() -> DotaMmr {
    DotaMmrParams::default().build().unwrap()
}

fn rating(mmr: f64, uncertainty: f64) -> GaussianRating {
    GaussianRating::new(mmr, uncertainty).unwrap()
}

fn anyone() -> impl Strategy<Value = GaussianRating> {
    (0.0..6_000.0_f64, 0.0..700.0_f64).prop_map(|(mmr, uncertainty)| rating(mmr, uncertainty))
}

fn team() -> impl Strategy<Value = Vec<GaussianRating>> {
    prop::collection::vec(anyone(), 1..6)
}

/// A finished game of two teams, and performances to go with it.
fn played() -> impl Strategy<Value = (TeamGame<GaussianRating>, Vec<Vec<f64>>)> {
    let performances = || prop::collection::vec(-3_000.0..9_000.0_f64, 5);
    (team(), team(), performances(), performances()).prop_map(|(a, b, mut p, mut q)| {
        p.truncate(a.len());
        q.truncate(b.len());
        (
            TeamGame::new(vec![Side::new(1, a), Side::new(2, b)]).unwrap(),
            vec![p, q],
        )
    })
}

fn update(game: &TeamGame<GaussianRating>) -> Vec<Vec<GaussianRating>> {
    TeamRatingSystem::update(&dota(), game)
}

fn duel(a: GaussianRating, score: Score, b: GaussianRating) -> GaussianRating {
    RatingSystem::update(&dota(), &a, 0.0, &[GameResult::new(b, score)])
}

/// What the mean MMR of one side changed by.
fn mean_change(before: &Side<GaussianRating>, after: &[GaussianRating]) -> f64 {
    let changes = before
        .members
        .iter()
        .zip(after)
        .map(|(member, after)| after.rating() - member.rating.rating());
    changes.sum::<f64>() / after.len() as f64
}

proptest! {
    #[test]
    fn a_duel_of_one_game_is_the_same_in_both_traits(a in anyone(), b in anyone(), place in 1..4_u32) {
        let score = [Score::WIN, Score::DRAW, Score::LOSS][place as usize - 1];
        let after = update(&TeamGame::duel(a, place, b, 2));
        let expected = [duel(a, score, b), duel(b, score.reversed(), a)];
        for (team, single) in after.iter().zip(expected) {
            prop_assert!((team[0].rating() - single.rating()).abs() < 1e-9);
            prop_assert!((team[0].deviation() - single.deviation()).abs() < 1e-9);
        }
        let outcome = dota().outcome_probabilities(&[Member::new(a)], &[Member::new(b)]);
        prop_assert!((outcome.win - dota().expected_score(&a, &b)).abs() < 1e-12);
    }

    #[test]
    fn the_bigger_the_uncertainty_the_bigger_the_step(
        mmr in 0.0..5_000.0_f64, small in 200.0..540.0_f64, opponent in 0.0..5_000.0_f64,
    ) {
        // In one team, so that E is the same for both.
        let (sure, unsure) = (rating(mmr, small), rating(mmr, small + 1.0));
        for place in [1, 3] {
            let game = TeamGame::new(vec![
                Side::new(place, [sure, unsure]), Side::new(2, [rating(opponent, 300.0)]),
            ]).unwrap();
            let after = &update(&game)[0];
            let moved = |member: usize| (after[member].rating() - mmr).abs();
            prop_assert!(moved(1) >= moved(0));
            prop_assert!((moved(1) * small - moved(0) * (small + 1.0)).abs() < 1e-6, "in proportion");
        }
    }

    #[test]
    fn winners_mean_never_falls_and_losers_never_rises((game, performances) in played()) {
        let plain = update(&game);
        let with = dota().update_with_performance(&game, &performances).unwrap();
        for after in [plain, with] {
            prop_assert!(mean_change(&game.sides()[0], &after[0]) >= -1e-9);
            prop_assert!(mean_change(&game.sides()[1], &after[1]) <= 1e-9);
        }
    }

    #[test]
    fn performance_sums_to_zero_within_each_team_and_is_bounded((game, performances) in played()) {
        let plain = update(&game);
        let with = dota().update_with_performance(&game, &performances).unwrap();
        for (side, (plain, with)) in game.sides().iter().zip(plain.iter().zip(&with)) {
            let mut sum = 0.0;
            for (member, (plain, with)) in side.members.iter().zip(plain.iter().zip(with)) {
                let own = with.rating() - plain.rating();
                sum += own;
                let u = member.rating.deviation().clamp(200.0, 542.0);
                prop_assert!(own.abs() <= 2.0 * 0.5 * 0.16 * u * u / 542.0 + 1e-9);
            }
            prop_assert!(sum.abs() < 1e-9, "{sum}");
        }
    }

    #[test]
    fn playing_better_never_rates_lower_and_never_lifts_a_teammate(
        (game, performances) in played(), member in 0..5_usize, more in 0.0..3_000.0_f64,
    ) {
        let member = member % performances[1].len();
        let mut better = performances.clone();
        better[1][member] += more;
        let before = dota().update_with_performance(&game, &performances).unwrap();
        let after = dota().update_with_performance(&game, &better).unwrap();
        prop_assert_eq!(
            before[0].iter().map(GaussianRating::rating).collect::<Vec<_>>(),
            after[0].iter().map(GaussianRating::rating).collect::<Vec<_>>()
        );
        for (other, (b, a)) in before[1].iter().zip(&after[1]).enumerate() {
            let change = a.rating() - b.rating();
            prop_assert!(if other == member { change >= -1e-9 } else { change <= 1e-9 }, "{change}");
        }
    }

    #[test]
    fn who_plays_as_predicted_moves_as_by_the_result_alone((game, _) in played()) {
        let performances: Vec<Vec<f64>> = game.sides().iter()
            .map(|side| side.members.iter().map(|member| member.rating.rating()).collect())
            .collect();
        let with = dota().update_with_performance(&game, &performances).unwrap();
        for (plain, with) in update(&game).iter().flatten().zip(with.iter().flatten()) {
            prop_assert_eq!(plain.rating(), with.rating());
            prop_assert!(with.deviation() <= plain.deviation());
        }
    }

    #[test]
    fn the_order_of_sides_and_members_changes_no_answer((game, performances) in played()) {
        let mut sides = game.sides().to_vec();
        sides.reverse();
        for side in &mut sides {
            side.members.reverse();
        }
        let mut turned = performances.clone();
        turned.reverse();
        for one in &mut turned {
            one.reverse();
        }
        let straight = dota().update_with_performance(&game, &performances).unwrap();
        let mut reversed = dota().update_with_performance(&TeamGame::new(sides).unwrap(), &turned).unwrap();
        reversed.reverse();
        for side in &mut reversed {
            side.reverse();
        }
        for (a, b) in straight.iter().flatten().zip(reversed.iter().flatten()) {
            prop_assert!((a.rating() - b.rating()).abs() < 1e-8 && (a.deviation() - b.deviation()).abs() < 1e-8);
        }
    }

    #[test]
    fn outcomes_sum_to_one_swap_with_the_sides_and_rise_with_every_member(
        a in team(), b in team(), more in 1.0..500.0_f64,
    ) {
        let members = |team: &[GaussianRating]| team.iter().copied().map(Member::new).collect::<Vec<_>>();
        let (ours, theirs) = (members(&a), members(&b));
        let outcome = dota().outcome_probabilities(&ours, &theirs);
        prop_assert!((outcome.win + outcome.loss - 1.0).abs() < 1e-14 && outcome.draw == 0.0);
        prop_assert_eq!(outcome.reversed(), dota().outcome_probabilities(&theirs, &ours));
        let mut stronger = ours.clone();
        stronger[0].rating = stronger[0].rating.shifted(more);
        prop_assert!(dota().outcome_probabilities(&stronger, &theirs).win >= outcome.win);
        let even = dota().outcome_probabilities(&ours, &[]);
        prop_assert_eq!((even.win, even.loss), (0.5, 0.5));
    }

    #[test]
    fn idling_widens_by_the_growth_and_adds_up(start in anyone(), t in 0.0..100.0_f64, u in 0.0..100.0_f64) {
        let growing = DotaMmrParams { growth: 30.0, ..DotaMmrParams::default() }.build().unwrap();
        let (once, twice) = (growing.after_inactivity(&start, t + u), growing.after_inactivity(&growing.after_inactivity(&start, t), u));
        prop_assert!((once.deviation() - twice.deviation()).abs() < 1e-9);
        prop_assert!(once.deviation() >= start.deviation());
        prop_assert_eq!(dota().after_inactivity(&start, t), start);
    }
}

/// The chance that one normal performance beats another, by summing over both.
fn chance_by_sums(a: GaussianRating, b: GaussianRating) -> f64 {
    let density = |r: GaussianRating, z: f64| ((-0.5 * z * z).exp(), r.rating() + z * r.deviation());
    let grid = || (-400..=400).map(|step| f64::from(step) / 50.0);
    let (mut beats, mut all) = (0.0, 0.0);
    for (p, ours) in grid().map(|z| density(a, z)) {
        for (q, theirs) in grid().map(|z| density(b, z)) {
            all += p * q;
            if ours > theirs {
                beats += p * q;
            }
        }
    }
    beats / all
}

#[test]
fn mmr_and_uncertainty_are_the_distribution_of_the_next_performance() {
    for (a, b) in [
        (rating(2500.0, 300.0), rating(2250.0, 200.0)),
        (rating(2000.0, 542.0), rating(2250.0, 350.0)),
    ] {
        assert!((dota().expected_score(&a, &b) - chance_by_sums(a, b)).abs() < 2e-3);
    }
}

#[test]
fn a_team_performs_as_the_mean_of_its_members_and_a_field_as_each_of_its_sides() {
    let open = DotaMmrParams {
        max_uncertainty: 1e6,
        ..DotaMmrParams::default()
    };
    let open = open.build().unwrap();
    // 2300/300 and 2500/400 together: mean 2400, deviation sqrt(300^2 + 400^2) / 2.
    let pair = [rating(2300.0, 300.0), rating(2500.0, 400.0)].map(Member::new);
    let alone = [Member::new(rating(2250.0, 200.0))];
    let together = rating(2400.0, 250.0);
    let expected = open.expected_score(&together, &alone[0].rating);
    assert!((open.outcome_probabilities(&pair, &alone).win - expected).abs() < 1e-12);
    // The late one counts a third of the pair: mean 2433.3, deviation sqrt(100^2 + 266.7^2).
    let late = [pair[0].clone().for_share(0.5), pair[1].clone()];
    let third = rating(7300.0 / 3.0, 100.0_f64.hypot(800.0 / 3.0));
    let expected = open.expected_score(&third, &alone[0].rating);
    assert!((open.outcome_probabilities(&late, &alone).win - expected).abs() < 1e-12);
    // Against 1000/300 and 3000/500: the mean of both chances.
    let sides = [(1500.0, 400.0), (1000.0, 300.0), (3000.0, 500.0)].map(|(mmr, u)| rating(mmr, u));
    let game = TeamGame::new(vec![
        Side::new(1, [sides[0]]),
        Side::new(2, [sides[1]]),
        Side::new(3, [sides[2]]),
    ])
    .unwrap();
    let chances = [1, 2].map(|other| open.expected_score(&sides[0], &sides[other]));
    let won = TeamRatingSystem::update(&open, &game)[0][0].rating() - 1500.0;
    assert!((won - 0.16 * 400.0 * (1.0 - 0.5 * (chances[0] + chances[1]))).abs() < 1e-9);
}

#[test]
fn expected_results_shrink_the_uncertainty_to_a_floor_and_a_surprise_raises_it() {
    let (mut strong, weak) = (rating(3500.0, 542.0), rating(2000.0, 200.0));
    let mut last = strong.deviation();
    for _ in 0..30 {
        strong = duel(strong, Score::WIN, weak);
        assert!(strong.deviation() < last || last == 200.0);
        last = strong.deviation();
    }
    assert_eq!(strong.deviation(), 200.0);
    let surprised = duel(strong, Score::LOSS, weak);
    assert!((surprised.deviation() - 230.0).abs() < 0.01, "{surprised:?}");
    for _ in 0..30 {
        strong = duel(rating(3500.0, strong.deviation()), Score::LOSS, weak);
    }
    assert_eq!(strong.deviation(), 542.0, "up to the most");
    // Even games teach, whoever wins.
    let even = rating(2250.0, 400.0);
    for score in [Score::WIN, Score::LOSS] {
        assert!((duel(even, score, even).deviation() - 380.0).abs() < 1e-9);
    }
}

#[test]
fn a_surprising_performance_raises_the_uncertainty_and_an_expected_one_shrinks_it() {
    let player = rating(2250.0, 300.0);
    let game = TeamGame::new(vec![Side::new(1, [player; 2]), Side::new(2, [player; 2])]).unwrap();
    let after = |own: f64| {
        dota()
            .update_with_performance(&game, &[vec![own, 2250.0], vec![2250.0; 2]])
            .unwrap()[0][0]
    };
    let by_result = update(&game)[0][0].deviation();
    assert!(after(2250.0).deviation() < by_result);
    assert!(after(3500.0).deviation() > by_result && after(1000.0).deviation() > by_result);
    // A bad day and a lost favourite's game together.
    let weak = rating(500.0, 200.0);
    let upset = TeamGame::new(vec![Side::new(1, [weak; 2]), Side::new(2, [player; 2])]).unwrap();
    let lost = dota()
        .update_with_performance(&upset, &[vec![500.0; 2], vec![-5_000.0, 2250.0]])
        .unwrap();
    assert!(lost[1][0].deviation() > 340.0);
}

/// How far a loser of an even game gets by a masterly performance, in points.
fn best_loss(uncertainty: f64) -> f64 {
    let player = rating(2250.0, uncertainty);
    let game = TeamGame::new(vec![Side::new(2, [player; 5]), Side::new(1, [player; 5])]).unwrap();
    let mut played = vec![vec![2250.0; 5]; 2];
    played[0][0] = 1e5;
    dota().update_with_performance(&game, &played).unwrap()[0][0].rating() - 2250.0
}

#[test]
fn one_player_may_gain_by_a_loss_or_lose_by_a_win_and_the_sooner_the_less_is_known() {
    // In an even game a great performance gives back most of the loss to who is new, but not all of it,
    assert!(best_loss(542.0) < 0.0 && best_loss(200.0) < best_loss(542.0));
    // and less of it to who is known, beside the step of the result.
    assert!(best_loss(542.0) / 542.0 > best_loss(200.0) / 200.0 + 0.02);
    // As underdogs, or with a teammate who plays as badly, it is a gain.
    let player = rating(2250.0, 542.0);
    let favourites = rating(2600.0, 542.0);
    let game = TeamGame::new(vec![Side::new(2, [player; 5]), Side::new(1, [favourites; 5])]).unwrap();
    let mut played = vec![vec![2250.0; 5], vec![2600.0; 5]];
    played[0][0] = 4_000.0;
    played[1][4] = 500.0;
    let after = dota().update_with_performance(&game, &played).unwrap();
    assert!(
        after[0][0].rating() > 2250.0,
        "gains by the loss: {:?}",
        after[0][0]
    );
    assert!(
        after[1][4].rating() < 2600.0,
        "loses by the win: {:?}",
        after[1][4]
    );
    // Without the weight of performance neither happens.
    let strict = DotaMmrParams {
        performance_weight: 0.0,
        ..DotaMmrParams::default()
    }
    .build()
    .unwrap();
    let strict = strict.update_with_performance(&game, &played).unwrap();
    assert_eq!(strict, TeamRatingSystem::update(&dota(), &game));
}

#[test]
fn performances_that_do_not_fit_are_errors_that_say_where() {
    let player = rating(2250.0, 300.0);
    let game = TeamGame::new(vec![Side::new(1, [player; 2]), Side::new(2, [player])]).unwrap();
    let refused = |played: &[Vec<f64>]| dota().update_with_performance(&game, played).unwrap_err();
    assert_eq!(
        refused(&[vec![0.0; 2]]),
        PerformanceError::Sides { given: 1, sides: 2 }
    );
    assert_eq!(
        refused(&[vec![0.0; 2], vec![]]),
        PerformanceError::Members {
            side: 1,
            given: 0,
            members: 1
        }
    );
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let error = refused(&[vec![0.0, bad], vec![0.0]]);
        assert!(matches!(
            error,
            PerformanceError::NotFinite {
                side: 0,
                member: 1,
                ..
            }
        ));
        assert!(error.to_string().contains("member 1 of side 0"));
    }
    let extreme = dota()
        .update_with_performance(&game, &[vec![f64::MAX, f64::MIN], vec![1e300]])
        .unwrap();
    assert!(
        extreme
            .iter()
            .flatten()
            .all(|one| one.rating().is_finite() && one.deviation() <= 542.0)
    );
}

#[test]
fn who_took_no_part_keeps_the_rating_and_who_came_late_moves_less() {
    // An uncertainty below the floor shows that it is not touched at all.
    let (absent, late, whole) = (rating(9000.0, 7.0), rating(2250.0, 400.0), rating(2250.0, 400.0));
    let side = Side::of_members(
        1,
        vec![
            Member::new(absent).for_share(0.0),
            Member::new(late).for_share(0.5),
            Member::new(whole),
        ],
    );
    let game = TeamGame::new(vec![side, Side::new(2, [whole; 2])]).unwrap();
    let played = [vec![1e6, 2250.0, 2250.0], vec![2250.0; 2]];
    for after in [
        update(&game),
        dota().update_with_performance(&game, &played).unwrap(),
    ] {
        assert_eq!(after[0][0], absent);
        let gained = |member: usize| after[0][member].rating() - 2250.0;
        assert!((gained(2) - 32.0).abs() < 1e-9 && (gained(1) - 16.0).abs() < 1e-9);
        assert!(after[0][1].deviation() > after[0][2].deviation());
    }
}

#[test]
fn in_a_free_for_all_each_meets_the_field() {
    let player = rating(2250.0, 300.0);
    let equals: Vec<_> = (1..=5).map(|place| Side::new(place, [player])).collect();
    let after = update(&TeamGame::new(equals).unwrap());
    let gains: Vec<f64> = after.iter().map(|side| side[0].rating() - 2250.0).collect();
    for (gain, expected) in gains.iter().zip([24.0, 12.0, 0.0, -12.0, -24.0]) {
        assert!((gain - expected).abs() < 1e-9, "{gains:?}");
    }
    // All in one place: nobody moves.
    let tied = TeamGame::new(vec![Side::new(4, [player]); 6]).unwrap();
    assert!(
        update(&tied)
            .iter()
            .all(|side| (side[0].rating() - 2250.0).abs() < 1e-9)
    );
    // The field's expectation is the mean of the duels.
    let mixed: Vec<_> = [1800.0, 2200.0, 2300.0, 2900.0]
        .map(|mmr| rating(mmr, 300.0))
        .to_vec();
    let sides = mixed
        .iter()
        .zip(1..)
        .map(|(&one, place)| Side::new(place, [one]))
        .collect();
    let after = update(&TeamGame::new(sides).unwrap());
    for (place, one) in mixed.iter().enumerate() {
        let others = mixed.iter().enumerate().filter(|(other, _)| *other != place);
        let by_duels = others
            .map(|(_, other)| dota().expected_score(one, other))
            .sum::<f64>()
            / 3.0;
        let score = (3.0 - place as f64) / 3.0;
        let by_field = score - (after[place][0].rating() - one.rating()) / (0.16 * 300.0);
        assert!((by_field - by_duels).abs() < 1e-12, "{by_field} {by_duels}");
    }
}

#[test]
fn twenty_thousand_players_and_the_ends_of_the_scale_stay_finite() {
    let sides: Vec<_> = (0..20_000_u32)
        .map(|place| {
            let mmr = [2250.0, -RATING_LIMIT, RATING_LIMIT, 1e6][place as usize % 4];
            let uncertainty = [0.0, 1e-300, 542.0, RATING_LIMIT][(place / 4) as usize % 4];
            Side::new(place, [rating(mmr, uncertainty)])
        })
        .collect();
    let after = update(&TeamGame::new(sides).unwrap());
    assert!(
        after
            .iter()
            .flatten()
            .all(|one| one.rating().abs() <= RATING_LIMIT && (200.0..=542.0).contains(&one.deviation()))
    );
}

#[test]
fn every_setting_is_checked() {
    type Set = fn(&mut DotaMmrParams, f64);
    let settings: [(&str, Set); 10] = [
        ("initial_mmr", |params, bad| params.initial_mmr = bad * 1e10),
        ("floor", |params, bad| params.floor = bad),
        ("max_uncertainty", |params, bad| params.max_uncertainty = bad),
        ("initial_uncertainty", |params, bad| {
            params.initial_uncertainty = bad;
        }),
        ("step", |params, bad| params.step = bad),
        ("gain_below", |params, bad| params.gain_below = bad),
        ("gain_above", |params, bad| params.gain_above = bad),
        ("neutral_error", |params, bad| params.neutral_error = bad),
        ("performance_weight", |params, bad| {
            params.performance_weight = bad;
        }),
        ("growth", |params, bad| params.growth = bad),
    ];
    let blamed = |set: Set, bad: f64| {
        let mut params = DotaMmrParams::default();
        set(&mut params, bad);
        params.build().unwrap_err().name()
    };
    for (name, set) in settings {
        for bad in [-1.0, f64::NAN, 1e10] {
            assert_eq!(blamed(set, bad), name);
        }
    }
    assert_eq!(blamed(settings[2].1, 100.0), "max_uncertainty");
    assert_eq!(blamed(settings[3].1, 543.0), "initial_uncertainty");
    assert_eq!(GaussianRating::new(f64::NAN, 1.0).unwrap_err().name(), "rating");
    assert_eq!(GaussianRating::new(0.0, -1.0).unwrap_err().name(), "deviation");
}

#[cfg(feature = "laws")]
mod laws {
    use super::*;
    use matchwright_rating::laws::{Draw, Promise, check_all, check_promise};

    fn anyone(draw: &mut Draw) -> GaussianRating {
        let mmr = match draw.below(8) {
            0 => 2250.0,
            1 => draw.uniform(-1e6, 1e6),
            2 => [-RATING_LIMIT, RATING_LIMIT][draw.below(2) as usize],
            _ => draw.uniform(0.0, 6_000.0),
        };
        let uncertainty = match draw.below(6) {
            0 => 0.0,
            1 => draw.log_uniform(1e-300, 1e9),
            2 => 542.0,
            _ => draw.uniform(200.0, 542.0),
        };
        rating(mmr, uncertainty)
    }

    #[test]
    fn dota_keeps_the_laws_of_duels_and_expectations_always_sum_to_one() {
        let usual = DotaMmrParams::default();
        for params in [
            usual,
            DotaMmrParams {
                growth: 40.0,
                ..usual
            },
            DotaMmrParams {
                step: 10.0,
                gain_below: 0.99,
                gain_above: 100.0,
                neutral_error: 0.01,
                ..usual
            },
            DotaMmrParams {
                floor: 1e-3,
                max_uncertainty: 1e9,
                growth: 1e-5,
                ..usual
            },
        ] {
            let system = params.build().unwrap();
            check_all(&system, anyone, 41, 1000).unwrap();
            let equal = |draw: &mut Draw| rating(anyone(draw).rating(), 300.0);
            check_promise(&system, Promise::Complement, equal, 42, 1000).unwrap();
        }
        let equal = |draw: &mut Draw| rating(draw.uniform(0.0, 5_000.0), 300.0);
        check_promise(&dota(), Promise::ZeroSum, equal, 43, 1000).unwrap();
        assert!(check_promise(&dota(), Promise::ZeroSum, anyone, 43, 1000).is_err());
    }
}
