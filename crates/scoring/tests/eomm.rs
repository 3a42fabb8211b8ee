//! EOMM's equations and theorems on small pools, where every pairing can be tried.

use approx::assert_abs_diff_eq;
use matchwright_scoring::{
    ChurnByOutcome, EommScorer, MatchScorer, OutcomeChances, churn_edge, expected_churn,
};
use proptest::prelude::*;

/// A player of the tests: a skill and churn after each outcome.
#[derive(Debug, Clone, Copy)]
struct Player {
    skill: f64,
    churn: ChurnByOutcome,
}

fn churn(win: f64, draw: f64, loss: f64) -> ChurnByOutcome {
    ChurnByOutcome::new(win, draw, loss).unwrap()
}

/// Win odds of a logistic in the gap, with what `draw` leaves of the probability.
fn chances(a: &Player, b: &Player, draw: impl Fn(f64) -> f64) -> OutcomeChances {
    let draw = draw(a.skill - b.skill);
    let share = |gap: f64| 1.0 / (1.0 + 10_f64.powf(-gap / 400.0));
    let (win, loss) = (
        (1.0 - draw) * share(a.skill - b.skill),
        (1.0 - draw) * share(b.skill - a.skill),
    );
    OutcomeChances::new(win, draw, loss).unwrap()
}

/// EOMM's eq. 10.
fn constant_draw(_gap: f64) -> f64 {
    0.2
}

/// A draw that gets rarer with the gap, as Theorem 1 needs (X5's own form).
fn falling_draw(gap: f64) -> f64 {
    0.3 * (-(gap / 100.0).powi(2)).exp()
}

/// All (n - 1)!! ways to pair `0..n`.
fn pairings(free: &[usize]) -> Vec<Vec<(usize, usize)>> {
    let Some((&first, rest)) = free.split_first() else {
        return vec![Vec::new()];
    };
    let mut all = Vec::new();
    for (k, &mate) in rest.iter().enumerate() {
        let mut left = rest.to_vec();
        left.remove(k);
        for mut pairing in pairings(&left) {
            pairing.push((first, mate));
            all.push(pairing);
        }
    }
    all
}

fn all_pairings(n: usize) -> Vec<Vec<(usize, usize)>> {
    pairings(&(0..n).collect::<Vec<_>>())
}

/// The sum of `value` over the pairs of a pairing.
fn total(pool: &[Player], pairing: &[(usize, usize)], value: impl Fn(&Player, &Player) -> f64) -> f64 {
    pairing.iter().map(|&(i, j)| value(&pool[i], &pool[j])).sum()
}

/// Expected churn of a whole pairing.
fn pool_churn(pool: &[Player], pairing: &[(usize, usize)], draw: fn(f64) -> f64) -> f64 {
    let scorer = EommScorer::new(
        move |a: &Player, b: &Player| Some(chances(a, b, draw)),
        |player: &Player| player.churn,
    );
    total(pool, pairing, |a, b| scorer.cost(a, b).unwrap())
}

fn any_chances() -> impl Strategy<Value = OutcomeChances> {
    (0.0..=1.0_f64, 0.0..=1.0_f64).prop_map(|(draw, share)| {
        let win = (1.0 - draw) * share;
        OutcomeChances::new(win, draw, (1.0 - draw) * (1.0 - share)).unwrap()
    })
}

fn any_churn() -> impl Strategy<Value = ChurnByOutcome> {
    (0.0..=1.0_f64, 0.0..=1.0_f64, 0.0..=1.0_f64).prop_map(|(w, d, l)| churn(w, d, l))
}

fn any_pool() -> impl Strategy<Value = Vec<Player>> {
    let player = (0.0..3000.0_f64, any_churn()).prop_map(|(skill, churn)| Player { skill, churn });
    // Four players or six.
    (prop::collection::vec(player, 6), any::<bool>()).prop_map(|(mut pool, small)| {
        pool.truncate(if small { 4 } else { 6 });
        pool
    })
}

/// Expected draws of a whole pairing, where they get rarer with the gap.
fn expected_draws(pool: &[Player], pairing: &[(usize, usize)]) -> f64 {
    total(pool, pairing, |a, b| falling_draw(a.skill - b.skill))
}

proptest! {
    #[test]
    fn an_edge_is_the_sum_over_outcomes_and_of_both_directions(
        p in any_chances(), i in any_churn(), j in any_churn(),
    ) {
        // Eq. 5, term by term: what happens to j is i's outcome reversed.
        let outcomes = [(p.win(), i.win(), j.loss()), (p.draw(), i.draw(), j.draw()), (p.loss(), i.loss(), j.win())];
        let enumerated: f64 = outcomes.iter().map(|(chance, ours, theirs)| chance * (ours + theirs)).sum();
        let edge = churn_edge(&p, &i, &j);
        prop_assert!((edge - enumerated).abs() < 1e-12);
        // Eq. 4: the two directed parts.
        prop_assert!((edge - expected_churn(&p, &i) - expected_churn(&p.reversed(), &j)).abs() < 1e-12);
        prop_assert!((0.0..=2.0 + 1e-9).contains(&edge));
        prop_assert_eq!(edge.to_bits(), churn_edge(&p.reversed(), &j, &i).to_bits());
    }

    #[test]
    fn quality_is_one_minus_half_the_cost(
        a in 0.0..3000.0_f64, b in 0.0..3000.0_f64, i in any_churn(), j in any_churn(),
    ) {
        let pair = (Player { skill: a, churn: i }, Player { skill: b, churn: j });
        let chances = |a: &Player, b: &Player| Some(chances(a, b, constant_draw));
        let scorer = EommScorer::new(chances, |player: &Player| player.churn);
        let quality = scorer.quality(&pair).unwrap();
        let edge = churn_edge(&chances(&pair.0, &pair.1).unwrap(), &i, &j);
        prop_assert_eq!(scorer.cost(&pair.0, &pair.1), Some(edge));
        prop_assert!((quality - (1.0 - edge / 2.0)).abs() < 1e-12);
    }

    #[test]
    fn given_the_outcome_a_player_churns_alike_whoever_the_opponent_is(i in any_churn()) {
        let certain = [((1.0, 0.0, 0.0), i.win()), ((0.0, 1.0, 0.0), i.draw()), ((0.0, 0.0, 1.0), i.loss())];
        for ((win, draw, loss), then) in certain {
            prop_assert_eq!(expected_churn(&OutcomeChances::new(win, draw, loss).unwrap(), &i), then);
        }
    }

    // Theorem 1 as it stands: churn by outcome alone, c(W) + c(L) > 2 c(D), and draws that get
    // rarer with the gap.
    #[test]
    fn when_draws_keep_players_the_best_pairing_has_the_most_expected_draws(
        mut pool in any_pool(), draw in 0.0..0.4_f64, win in 0.4..1.0_f64, loss in 0.5..1.0_f64,
    ) {
        for player in &mut pool {
            player.churn = churn(win, draw, loss);
        }
        let draws = |pairing: &[(usize, usize)]| expected_draws(&pool, pairing);
        let all = all_pairings(pool.len());
        let best = all.iter().min_by(|a, b| {
            pool_churn(&pool, a, falling_draw).total_cmp(&pool_churn(&pool, b, falling_draw))
        }).unwrap();
        let most = all.iter().map(|pairing| draws(pairing)).fold(0.0, f64::max);
        prop_assert!((draws(best) - most).abs() < 1e-9);
    }

    // Theorem 2: the other sign turns the same pairing into the worst.
    #[test]
    fn when_draws_drive_players_away_the_pairing_with_most_draws_is_the_worst(
        mut pool in any_pool(), draw in 0.6..1.0_f64, win in 0.0..0.6_f64, loss in 0.0..0.5_f64,
    ) {
        for player in &mut pool {
            player.churn = churn(win, draw, loss);
        }
        let draws = |pairing: &[(usize, usize)]| expected_draws(&pool, pairing);
        let all = all_pairings(pool.len());
        let most_draws = all.iter().max_by(|a, b| draws(a).total_cmp(&draws(b))).unwrap();
        let worst = all.iter().map(|pairing| pool_churn(&pool, pairing, falling_draw)).fold(0.0, f64::max);
        prop_assert!((pool_churn(&pool, most_draws, falling_draw) - worst).abs() < 1e-9);
    }

    // Theorem 3: churn by the state before the match alone.
    #[test]
    fn when_outcomes_do_not_matter_every_pairing_ties(mut pool in any_pool()) {
        for player in &mut pool {
            player.churn = churn(player.churn.win(), player.churn.win(), player.churn.win());
        }
        let own: f64 = pool.iter().map(|player| player.churn.win()).sum();
        for draw in [constant_draw, falling_draw] {
            for pairing in all_pairings(pool.len()) {
                prop_assert!((pool_churn(&pool, &pairing, draw) - own).abs() < 1e-12);
            }
        }
    }

    // X4: with eq. 10's constant draw Theorem 1 has nothing to choose from.
    #[test]
    fn with_a_constant_draw_and_churn_by_outcome_alone_every_pairing_ties(
        mut pool in any_pool(), c in any_churn(),
    ) {
        for player in &mut pool {
            player.churn = c;
        }
        let pair = 0.8 * (c.win() + c.loss()) + 0.4 * c.draw();
        for pairing in all_pairings(pool.len()) {
            let expected = pair * pairing.len() as f64;
            prop_assert!((pool_churn(&pool, &pairing, constant_draw) - expected).abs() < 1e-12);
        }
    }

    // The gain law: D_i = c_i(L) - c_i(W), and q the chance of i in a decided match.
    #[test]
    fn an_edge_is_own_terms_plus_the_product_of_advantage_and_difference_in_soreness(
        a in 0.0..3000.0_f64, b in 0.0..3000.0_f64, i in any_churn(), j in any_churn(),
    ) {
        let p = chances(&Player { skill: a, churn: i }, &Player { skill: b, churn: j }, constant_draw);
        let own = |c: ChurnByOutcome| 0.4 * (c.win() + c.loss()) + 0.2 * c.draw();
        let (q, d_i, d_j) = (p.win() / 0.8, i.loss() - i.win(), j.loss() - j.win());
        let law = own(i) + own(j) + 0.8 * (q - 0.5) * (d_j - d_i);
        prop_assert!((churn_edge(&p, &i, &j) - law).abs() < 1e-12);
    }

    #[test]
    fn when_losing_costs_everyone_the_same_every_pairing_ties(
        mut pool in any_pool(), soreness in 0.0..0.5_f64,
    ) {
        for player in &mut pool {
            let win = player.churn.win() * 0.5;
            player.churn = churn(win, player.churn.draw(), win + soreness);
        }
        let all = all_pairings(pool.len());
        let first = pool_churn(&pool, &all[0], constant_draw);
        for pairing in &all {
            prop_assert!((pool_churn(&pool, pairing, constant_draw) - first).abs() < 1e-12);
        }
    }
}

#[test]
fn the_directed_parts_differ_and_the_edge_is_their_sum() {
    let p = OutcomeChances::new(0.6, 0.2, 0.2).unwrap();
    let (i, j) = (churn(0.1, 0.2, 0.6), churn(0.3, 0.3, 0.3));
    let (c_ij, c_ji) = (expected_churn(&p, &i), expected_churn(&p.reversed(), &j));
    assert_abs_diff_eq!(c_ij, 0.22, epsilon = 1e-15);
    assert_abs_diff_eq!(c_ji, 0.3, epsilon = 1e-15);
    assert_abs_diff_eq!(churn_edge(&p, &i, &j), 0.52, epsilon = 1e-15);
}

// X5: neighbours by skill are not the pairing with the most draws.
#[test]
fn pairing_neighbours_gives_fewer_draws_than_nesting_in_the_counterexample() {
    let neutral = churn(0.5, 0.2, 0.5);
    let pool = [0.0, 200.0, 200.0, 400.0].map(|skill| Player {
        skill,
        churn: neutral,
    });
    let draws = |pairing: &[(usize, usize)]| expected_draws(&pool, pairing);
    let (neighbours, nested) = ([(0, 1), (2, 3)], [(1, 2), (0, 3)]);
    assert_abs_diff_eq!(draws(&neighbours), 0.011, epsilon = 5e-4);
    assert_abs_diff_eq!(draws(&nested), 0.300, epsilon = 5e-4);
    // So EOMM, which follows the draws, does not pair neighbours here ...
    assert!(pool_churn(&pool, &nested, falling_draw) < pool_churn(&pool, &neighbours, falling_draw));
    // ... but it does where equals are there for everyone.
    let pool = [0.0, 0.0, 400.0, 400.0].map(|skill| Player {
        skill,
        churn: neutral,
    });
    assert!(pool_churn(&pool, &neighbours, falling_draw) < pool_churn(&pool, &nested, falling_draw));
}

#[test]
fn the_number_of_pairings_is_the_double_factorial() {
    assert_eq!([2, 4, 6, 8].map(|n| all_pairings(n).len()), [1, 3, 15, 105]);
}

#[test]
fn another_objective_in_zero_to_one_takes_the_place_of_churn() {
    // Minutes lost against a full evening of 120, from what each outcome leaves of it.
    let minutes =
        |win: f64, draw: f64, loss: f64| churn(1.0 - win / 120.0, 1.0 - draw / 120.0, 1.0 - loss / 120.0);
    let (i, j) = (minutes(60.0, 60.0, 30.0), minutes(90.0, 60.0, 60.0));
    let lost = churn_edge(&OutcomeChances::new(0.5, 0.0, 0.5).unwrap(), &i, &j) * 120.0;
    assert_abs_diff_eq!(lost, 0.5 * (60.0 + 60.0) + 0.5 * (90.0 + 30.0), epsilon = 1e-12);
}
