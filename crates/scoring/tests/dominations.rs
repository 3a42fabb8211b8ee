//! DomiNations' comparisons on the spotlight's examples, worked by hand; EOMM for teams.

use crate::common::{Dice, any_teams, pool_of, quality, random_pool};
use matchwright_scoring::{
    ChurnByOutcome, EommScorer, Glory, MatchScorer, OutcomeChances, Player, Pool, Strength, TeamChurn,
    TeamFactor, TeamMatch, TeamSizes, Variance, WINS_BY_RATIO, log_spread, win_probability,
    win_probability_by_ratio,
};
use proptest::prelude::*;

const DUEL: [&[&str]; 2] = [&["a"], &["b"]];

fn rated(ratings: &[(f64, f64)]) -> Pool {
    pool_of(ratings.len(), |index, player| {
        player.offence = Some(ratings[index].0);
        player.defence = Some(ratings[index].1);
    })
}

#[test]
fn ten_percent_more_defence_wins_sixty_of_a_hundred_and_is_no_good_match() {
    let factor = Strength::default();
    let pool = rated(&[(100.0, 110.0), (100.0, 100.0)]);
    let teams: [&[usize]; 2] = [&[0], &[1]];
    let ratio = factor.log_ratio(&TeamMatch::new(&pool, &teams).unwrap()).exp();
    assert!((ratio - 1.1).abs() < 1e-12);
    assert!((win_probability_by_ratio(ratio, 1.0, WINS_BY_RATIO) - 0.6).abs() < 1e-5);
    let quality = quality(&factor, &pool, &DUEL).unwrap();
    assert!((quality - (1.0 - 1.1_f64.ln() / 0.2)).abs() < 1e-12 && quality < 0.6);
}

#[test]
fn ratios_count_and_differences_do_not() {
    let factor = Strength::default();
    let small = quality(&factor, &rated(&[(105.0, 100.0), (100.0, 100.0)]), &DUEL);
    let large = quality(&factor, &rated(&[(1050.0, 1000.0), (1000.0, 1000.0)]), &DUEL);
    let absolute = quality(&factor, &rated(&[(1005.0, 1000.0), (1000.0, 1000.0)]), &DUEL);
    assert!((small.unwrap() - large.unwrap()).abs() < 1e-12);
    assert!(absolute > large);
}

#[test]
fn an_attacker_may_meet_a_defender_because_both_attacks_have_the_same_odds() {
    let factor = Strength::default();
    assert_eq!(
        quality(&factor, &rated(&[(200.0, 100.0), (100.0, 200.0)]), &DUEL),
        Some(1.0)
    );
    assert_eq!(
        quality(&factor, &rated(&[(200.0, 200.0), (100.0, 100.0)]), &DUEL),
        Some(0.0)
    );
}

/// Ratings of the ages, each 1.35 times the one before; the sandbaggers and an honest team of the same mean.
fn sandbag() -> Pool {
    let age = |number: i32| 100.0 * 1.35_f64.powi(number);
    let (medieval, enlightenment, cold_war) = (age(3), age(5), age(10));
    let mean = f64::midpoint(cold_war, medieval);
    // One of the latest age and nine who make up the mean, all of the Enlightenment or later.
    let rest = (10.0 * mean - cold_war) / 9.0;
    assert!(rest > enlightenment);
    let mut ratings = vec![cold_war; 5];
    ratings.extend([medieval; 5]);
    ratings.push(cold_war);
    ratings.extend([rest; 9]);
    rated(
        &ratings
            .into_iter()
            .map(|rating| (rating, rating))
            .collect::<Vec<_>>(),
    )
}

const TENS: [&[&str]; 2] = [
    &["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"],
    &["k", "l", "m", "n", "o", "p", "q", "r", "s", "t"],
];

#[test]
fn sandbaggers_look_equal_and_are_refused_for_their_spread() {
    let pool = sandbag();
    assert!(quality(&Strength::default(), &pool, &TENS).unwrap() > 1.0 - 1e-9);
    assert_eq!(quality(&Variance::default(), &pool, &TENS), Some(0.0));
    // Half and half at ln(1.35^7): the spread is half of it.
    let spread = log_spread(&[1.35_f64.powi(10), 1.35_f64.powi(3)]);
    assert!((spread - 3.5 * 1.35_f64.ln()).abs() < 1e-12);
    // Another team that does the same is a fine opponent.
    let twins: Vec<(f64, f64)> = (0..20)
        .map(|index| {
            if index % 2 == 0 {
                (500.0, 700.0)
            } else {
                (100.0, 90.0)
            }
        })
        .collect();
    assert_eq!(quality(&Variance::default(), &rated(&twins), &TENS), Some(1.0));
}

#[test]
fn alliances_far_apart_in_glory_score_less() {
    let factor = Glory::default();
    let pool = pool_of(3, |index, player| {
        player.glory = Some([12_000.0, 13_000.0, 17_000.0][index]);
    });
    assert_eq!(quality(&factor, &pool, &DUEL), Some(0.75));
    assert_eq!(quality(&factor, &pool, &[&["a"], &["c"]]), Some(0.0));
}

#[test]
fn wars_are_of_ten_twenty_thirty_or_fifty_a_side() {
    let players: Vec<Player> = (0..100).map(|index| Player::new(format!("p{index}"))).collect();
    let pool = Pool::new(players).unwrap();
    let all: Vec<usize> = (0..100).collect();
    let rule = TeamSizes::default();
    for (left, right) in [
        (10, 10),
        (20, 20),
        (30, 30),
        (50, 50),
        (15, 15),
        (10, 20),
        (49, 49),
    ] {
        let teams: [&[usize]; 2] = [&all[..left], &all[50..50 + right]];
        let expected = [10, 20, 30, 50].contains(&left) && left == right;
        let quality = rule.quality(&TeamMatch::new(&pool, &teams).unwrap());
        assert_eq!(quality.is_some(), expected, "{left} against {right}");
    }
    let uneven = TeamSizes {
        even: false,
        ..TeamSizes::default()
    };
    let teams: [&[usize]; 2] = [&all[..10], &all[50..70]];
    assert_eq!(uneven.quality(&TeamMatch::new(&pool, &teams).unwrap()), Some(1.0));
    for allowed in [vec![], vec![5, 0]] {
        let error = TeamSizes { allowed, even: true }.check().unwrap_err();
        assert_eq!(error.name(), "allowed");
    }
}

fn churn(win: f64, draw: f64, loss: f64) -> ChurnByOutcome {
    ChurnByOutcome::new(win, draw, loss).unwrap()
}

#[test]
fn one_against_one_is_eomms_edge() {
    let params = TeamChurn {
        scale: 300.0,
        draw: 0.2,
        sum: false,
    };
    let factor = params;
    let players = [(1500.0, churn(0.2, 0.3, 0.6)), (1620.0, churn(0.1, 0.1, 0.4))];
    let pool = pool_of(2, |index, player| {
        player.skill = Some(players[index].0);
        player.churn = Some(players[index].1);
    });
    let chances = |a: &(f64, ChurnByOutcome), b: &(f64, ChurnByOutcome)| {
        let win = 0.8 * win_probability(a.0 - b.0, 300.0);
        OutcomeChances::new(win, 0.2, 0.8 - win).ok()
    };
    let eomm = EommScorer::new(chances, |player: &(f64, ChurnByOutcome)| player.1);
    let edge = eomm.quality(&(players[0], players[1])).unwrap();
    assert!((quality(&factor, &pool, &DUEL).unwrap() - edge).abs() < 1e-12);
}

#[test]
fn summed_skills_say_what_means_say_on_another_scale() {
    let mut dice = Dice(3);
    let pool = random_pool(&mut dice, 8, 1, 0.0);
    let teams = any_teams(&mut dice, &pool, &[4, 4]);
    let teams: Vec<&[usize]> = teams.iter().map(Vec::as_slice).collect();
    let candidate = TeamMatch::new(&pool, &teams).unwrap();
    let of = |scale, sum| {
        TeamChurn {
            scale,
            sum,
            draw: 0.1,
        }
        .quality(&candidate)
        .unwrap()
    };
    assert!((of(4000.0, false) - of(16_000.0, true)).abs() < 1e-12);
    assert!((of(4000.0, false) - of(4000.0, true)).abs() > 1e-6);
}

#[test]
fn a_team_that_minds_losing_is_better_matched_with_a_weaker_one_that_does_not() {
    let factor = TeamChurn::default();
    let pool = pool_of(6, |index, player| {
        player.skill = Some([1500.0, 1500.0, 1300.0, 1300.0, 1700.0, 1700.0][index]);
        player.churn = Some(if index < 2 {
            churn(0.1, 0.2, 0.6)
        } else {
            churn(0.2, 0.2, 0.2)
        });
    });
    let sore = ["a", "b"];
    let (weak, strong) = (["c", "d"], ["e", "f"]);
    assert!(quality(&factor, &pool, &[&sore, &weak]) > quality(&factor, &pool, &[&sore, &strong]));
    assert_eq!(
        TeamChurn {
            draw: 1.5,
            ..TeamChurn::default()
        }
        .check()
        .unwrap_err()
        .name(),
        "draw"
    );
}

proptest! {
    #[test]
    fn chances_by_ratio_of_both_sides_sum_to_one(a in 1.0..1e6_f64, b in 1.0..1e6_f64, scale in 0.01..100.0_f64) {
        let chance = win_probability_by_ratio(a, b, WINS_BY_RATIO);
        prop_assert!((chance + win_probability_by_ratio(b, a, WINS_BY_RATIO) - 1.0).abs() < 1e-12);
        prop_assert!((chance - win_probability_by_ratio(scale * a, scale * b, WINS_BY_RATIO)).abs() < 1e-9);
    }
}

#[test]
fn among_three_teams_the_chances_are_averaged_over_the_others() {
    let factor = TeamChurn::default();
    let pool = pool_of(4, |index, player| {
        player.skill = Some(1500.0);
        player.churn = Some([churn(0.0, 0.0, 1.0), churn(0.5, 0.5, 0.5)][index % 2]);
    });
    let three = quality(&factor, &pool, &[&["a", "b"], &["c"], &["d"]]);
    assert!((three.unwrap() - 0.5).abs() < 1e-12);
}
