//! Every team system of this crate against the law suite for teams.

use matchwright_rating::laws::TeamLaws;
use matchwright_rating::laws::{Draw, TeamPromise, check_free_for_all, check_team_promise, check_teams};
use matchwright_rating::{
    DomMmrParams, DomRating, DotaMmrParams, EloParams, FixedDraw, GaussianRating, LadderPointsParams, Member,
    RATING_LIMIT, RatingSystem, ShiftRating, Side, TeamAdapter, TeamGame, TeamRatingSystem, TeamSkill,
    TrueSkill, TrueSkillParams, WengLin, WengLinGamma, WengLinModel, WengLinParams,
};

/// Ordinary skills mostly, with the far ends of the scale in between.
fn any_mu(draw: &mut Draw) -> f64 {
    match draw.below(8) {
        0 => 25.0,
        1 => draw.uniform(-1e6, 1e6),
        2 => [-1e6, 1e6, -RATING_LIMIT, RATING_LIMIT][draw.below(4) as usize],
        _ => draw.uniform(0.0, 50.0),
    }
}

fn any_sigma(draw: &mut Draw) -> f64 {
    match draw.below(8) {
        0 => 0.0,
        1 => draw.log_uniform(1e-300, 1.0),
        2 => draw.log_uniform(1.0, 1e9),
        3 => 25.0 / 3.0,
        _ => draw.uniform(0.5, 25.0 / 3.0),
    }
}

fn usual_mu_and_sigma(draw: &mut Draw) -> (f64, f64) {
    (draw.uniform(0.0, 50.0), draw.uniform(0.5, 25.0 / 3.0))
}

fn trueskills() -> Vec<TrueSkill> {
    let defaults = TrueSkillParams::default();
    let params = [
        defaults,
        TrueSkillParams {
            draw_probability: 0.0,
            tau: 0.0,
            ..defaults
        },
        TrueSkillParams {
            draw_probability: 0.9,
            beta: 1e-6,
            ..defaults
        },
        TrueSkillParams {
            tau_per_period: 0.3,
            beta: 1e3,
            ..defaults
        },
        TrueSkillParams {
            tau_per_period: 1e-200,
            tau: 1e9,
            ..defaults
        },
    ];
    params.map(|params| params.build().unwrap()).into()
}

fn any_trueskill(draw: &mut Draw) -> GaussianRating {
    GaussianRating::new(any_mu(draw), any_sigma(draw)).unwrap()
}

fn usual_trueskill(draw: &mut Draw) -> GaussianRating {
    let (mu, sigma) = usual_mu_and_sigma(draw);
    GaussianRating::new(mu, sigma).unwrap()
}

#[test]
fn trueskill_keeps_the_laws_with_and_without_draws_and_drift() {
    for system in trueskills() {
        check_teams(&system, any_trueskill, 1, 400).unwrap();
        check_teams(&system, usual_trueskill, 2, 400).unwrap();
    }
}

#[test]
fn trueskill_winners_do_not_lose_nor_losers_gain() {
    for system in trueskills() {
        for promise in [TeamPromise::WinnersDoNotLose, TeamPromise::LosersDoNotGain] {
            check_team_promise(&system, promise, any_trueskill, 3, 400).unwrap();
            check_team_promise(&system, promise, usual_trueskill, 4, 400).unwrap();
        }
    }
}

#[test]
fn a_better_place_never_rates_ordinary_skills_lower_under_trueskill_which_is_not_zero_sum() {
    for system in trueskills() {
        let promise = TeamPromise::PlaceIsMonotone;
        check_team_promise(&system, promise, usual_trueskill, 5, 1000).unwrap();
    }
    let moved = TeamPromise::PointsAreOnlyMoved;
    let broken = check_team_promise(&trueskills()[0], moved, usual_trueskill, 7, 100).unwrap_err();
    assert_eq!(broken.law, "points_are_only_moved");
}

#[test]
fn trueskill_rates_a_free_for_all_of_twenty_thousand() {
    for system in &trueskills()[..2] {
        check_free_for_all(system, usual_trueskill, 8, 20_000).unwrap();
        check_free_for_all(system, any_trueskill, 9, 20_000).unwrap();
        check_free_for_all(system, |_: &mut Draw| system.initial(), 10, 20_000).unwrap();
    }
}

fn weng_lins() -> Vec<WengLin> {
    let ranked = WengLinParams::default();
    let of = |model| WengLinParams { model, ..ranked };
    let full = of(WengLinModel::BradleyTerryFull);
    let params = [
        full,
        ranked,
        WengLinParams {
            gamma: WengLinGamma::Sides,
            tau: 0.1,
            ..full
        },
        WengLinParams {
            gamma: WengLinGamma::Fixed(1.0),
            beta: 1e-6,
            ..ranked
        },
        WengLinParams {
            tau_per_period: 0.3,
            beta: 1e3,
            kappa: 1e-300,
            ..ranked
        },
        of(WengLinModel::ThurstoneMostellerFull),
        of(WengLinModel::BradleyTerryPartial),
        WengLinParams {
            draw_margin: 30.0,
            ..of(WengLinModel::ThurstoneMostellerPartial)
        },
    ];
    params.map(|params| params.build().unwrap()).into()
}

fn any_weng_lin(draw: &mut Draw) -> GaussianRating {
    GaussianRating::new(any_mu(draw), any_sigma(draw)).unwrap()
}

fn usual_weng_lin(draw: &mut Draw) -> GaussianRating {
    let (mu, sigma) = usual_mu_and_sigma(draw);
    GaussianRating::new(mu, sigma).unwrap()
}

#[test]
fn weng_and_lins_systems_keep_the_laws_with_any_model_and_gamma() {
    for system in weng_lins() {
        check_teams(&system, any_weng_lin, 11, 400).unwrap();
        check_teams(&system, usual_weng_lin, 12, 400).unwrap();
    }
}

#[test]
fn weng_and_lins_systems_never_charge_winners_nor_pay_losers() {
    for system in weng_lins() {
        for promise in [TeamPromise::WinnersDoNotLose, TeamPromise::LosersDoNotGain] {
            check_team_promise(&system, promise, any_weng_lin, 13, 400).unwrap();
            check_team_promise(&system, promise, usual_weng_lin, 14, 400).unwrap();
        }
    }
}

#[test]
fn full_pairing_never_punishes_a_better_place_and_plackett_luce_only_a_shared_one() {
    let promise = TeamPromise::PlaceIsMonotone;
    for system in weng_lins() {
        let full = [
            WengLinModel::BradleyTerryFull,
            WengLinModel::ThurstoneMostellerFull,
        ];
        if full.contains(&system.params().model) {
            check_team_promise(&system, promise, any_weng_lin, 15, 1000).unwrap();
            check_team_promise(&system, promise, usual_weng_lin, 16, 1000).unwrap();
            continue;
        }
        assert!(check_team_promise(&system, promise, usual_weng_lin, 16, 1000).is_err());
        if system.params().model != WengLinModel::PlackettLuce {
            continue;
        }
        let draw = &mut Draw::new(17);
        for _ in 0..300 {
            let sides = (0..6).map(|place| Side::new(place, [usual_weng_lin(draw)]));
            let game = TeamGame::new(sides.collect()).unwrap();
            // Odd half steps lie between the places of others.
            let places = (1 + 2 * draw.below(7), 1 + 2 * draw.below(7));
            TeamLaws(&system)
                .a_better_place_never_rates_lower(&game, 3, places)
                .unwrap();
        }
    }
}

#[test]
fn weng_and_lins_full_pairing_moves_points_only_between_alike_deviations() {
    let system = weng_lins()[0];
    let moved = TeamPromise::PointsAreOnlyMoved;
    assert!(check_team_promise(&system, moved, usual_weng_lin, 15, 100).is_err());
    let sides = |draw: &mut Draw, place| {
        let mu = draw.uniform(0.0, 50.0);
        Side::new(place, [GaussianRating::new(mu, 3.0).unwrap()])
    };
    let draw = &mut Draw::new(16);
    for _ in 0..50 {
        let sides = (0..6).map(|place| sides(draw, place / 2)).collect();
        TeamLaws(&system)
            .points_are_only_moved(&TeamGame::new(sides).unwrap())
            .unwrap();
    }
}

#[test]
fn plackett_luce_rates_a_free_for_all_of_twenty_thousand_and_full_pairing_two_thousand() {
    check_free_for_all(&weng_lins()[1], usual_weng_lin, 17, 20_000).unwrap();
    check_free_for_all(&weng_lins()[1], any_weng_lin, 18, 20_000).unwrap();
    check_free_for_all(&weng_lins()[0], any_weng_lin, 19, 2_000).unwrap();
}

#[test]
fn no_answer_leaves_the_limits_of_a_rating() {
    let wide = GaussianRating::new(RATING_LIMIT, RATING_LIMIT).unwrap();
    let weak = GaussianRating::new(-RATING_LIMIT, RATING_LIMIT).unwrap();
    let drifting = TrueSkillParams {
        tau: 1e9,
        ..TrueSkillParams::default()
    };
    let after = drifting
        .build()
        .unwrap()
        .update(&TeamGame::duel(wide, 1, weak, 2));
    for rating in after.iter().flatten() {
        assert!(
            GaussianRating::new(rating.rating(), rating.deviation()).is_ok(),
            "{rating:?}"
        );
    }
    let upset = drifting
        .build()
        .unwrap()
        .update(&TeamGame::duel(weak, 1, wide, 2));
    for rating in upset.iter().flatten() {
        assert!(
            GaussianRating::new(rating.rating(), rating.deviation()).is_ok(),
            "{rating:?}"
        );
    }
}

fn any_dota(draw: &mut Draw) -> GaussianRating {
    let uncertainty = match draw.below(4) {
        0 => 0.0,
        1 => draw.log_uniform(1e-300, 1e6),
        _ => draw.uniform(50.0, 600.0),
    };
    let mmr = match draw.below(4) {
        0 => draw.uniform(-1e6, 1e6),
        _ => draw.uniform(0.0, 6000.0),
    };
    GaussianRating::new(mmr, uncertainty).unwrap()
}

#[test]
fn dota_keeps_the_laws_of_teams_and_moves_winners_up() {
    let dota = DotaMmrParams::default().build().unwrap();
    check_teams(&dota, any_dota, 1, 400).unwrap();
    for promise in [
        TeamPromise::WinnersDoNotLose,
        TeamPromise::LosersDoNotGain,
        TeamPromise::PlaceIsMonotone,
    ] {
        check_team_promise(&dota, promise, any_dota, 2, 400).unwrap();
    }
    check_free_for_all(&dota, any_dota, 3, 20_000).unwrap();
}

#[test]
fn dom_and_the_ladder_keep_the_laws_of_teams_under_the_adapter() {
    let dom = TeamAdapter::new(
        DomMmrParams::default().build().unwrap(),
        TeamSkill::Mean,
        FixedDraw::EOMM,
    );
    let glory = |draw: &mut Draw| DomRating::new(draw.uniform(0.0, 2e4), draw.below(400), 0).unwrap();
    check_teams(&dom, glory, 1, 300).unwrap();
    check_team_promise(&dom, TeamPromise::WinnersDoNotLose, glory, 2, 300).unwrap();
    check_free_for_all(&dom, glory, 3, 20_000).unwrap();
    let elo = EloParams::default().build().unwrap();
    let ladder = LadderPointsParams::default().wrap(elo).unwrap();
    let start = ladder.initial();
    let teams = TeamAdapter::new(ladder, TeamSkill::Mean, FixedDraw::EOMM);
    let shown = |draw: &mut Draw| start.shifted(draw.uniform(-1500.0, 1500.0));
    check_teams(&teams, shown, 1, 300).unwrap();
}

#[test]
fn a_game_of_two_sides_allocates_nothing_where_its_lists_have_room() {
    let trueskill = TrueSkillParams::default().build().unwrap();
    let weng_lin = WengLinParams::default().build().unwrap();
    let systems: [&dyn TeamRatingSystem<Rating = GaussianRating>; 2] = [&trueskill, &weng_lin];
    let draw = &mut Draw::new(50);
    for size in [1, 5, 50] {
        let mut side = |place| Side::new(place, (0..size).map(|_| usual_weng_lin(draw)).collect::<Vec<_>>());
        let game = TeamGame::new(vec![side(1), side(2)]).unwrap();
        for system in systems {
            let mut after = system.update(&game);
            let expected = after.clone();
            let counted = allocation_counter::measure(|| system.update_into(&game, &mut after));
            assert_eq!((counted.count_total, &after), (0, &expected));
        }
    }
}

/// The sums of a side are exact, so that no order shows in any bit.
#[test]
fn the_order_of_members_and_sides_changes_no_bit() {
    let trueskill = TrueSkillParams::default().build().unwrap();
    let draw = &mut Draw::new(51);
    for model in [
        WengLinModel::PlackettLuce,
        WengLinModel::BradleyTerryFull,
        WengLinModel::ThurstoneMostellerPartial,
    ] {
        let weng_lin = WengLinParams {
            model,
            ..WengLinParams::default()
        };
        let weng_lin = weng_lin.build().unwrap();
        let systems: [&dyn TeamRatingSystem<Rating = GaussianRating>; 2] = [&trueskill, &weng_lin];
        for sides in [2, 3, 6] {
            let mut member =
                || Member::new(usual_weng_lin(draw)).for_share(1.0 / f64::from(1 + draw.below(3)));
            let sides =
                (0..sides).map(|place| Side::of_members(place / 2, (0..7).map(|_| member()).collect()));
            let sides: Vec<_> = sides.collect();
            let turned = sides.iter().rev().map(|side| {
                let mut members = side.members.clone();
                members.rotate_left(3);
                members.swap(0, 5);
                Side::of_members(side.place, members)
            });
            let (game, turned) = (
                TeamGame::new(sides.clone()).unwrap(),
                TeamGame::new(turned.collect()).unwrap(),
            );
            for system in systems {
                let mut back = system.update(&turned);
                back.reverse();
                for side in &mut back {
                    side.swap(0, 5);
                    side.rotate_right(3);
                }
                assert_eq!(system.update(&game), back);
            }
        }
    }
}
