//! Every team system of this crate against the law suite for teams.
#![cfg(feature = "laws")]
#![allow(clippy::unwrap_used, reason = "a helper that fails is a test that fails")]

use matchwright_rating::laws::{Draw, TeamPromise, check_free_for_all, check_team_promise, check_teams};
use matchwright_rating::{RATING_LIMIT, TeamRatingSystem, TrueSkill, TrueSkillParams, TrueSkillRating};

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
    params.map(|params| params.check().unwrap()).into()
}

fn any_trueskill(draw: &mut Draw) -> TrueSkillRating {
    TrueSkillRating::new(any_mu(draw), any_sigma(draw)).unwrap()
}

fn usual_trueskill(draw: &mut Draw) -> TrueSkillRating {
    let (mu, sigma) = usual_mu_and_sigma(draw);
    TrueSkillRating::new(mu, sigma).unwrap()
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
