//! Bradley-Terry by maximum likelihood: closed forms, published estimates, and data that have no maximum.

use approx::assert_abs_diff_eq;
use matchwright_rating::{
    BradleyTerry, BradleyTerryError, BradleyTerryFit, BradleyTerryParams, BradleyTerryPrior, Comparison,
    Connectivity, Score,
};
use proptest::prelude::*;

fn model() -> BradleyTerry {
    BradleyTerryParams::default().build().unwrap()
}

fn with_advantage() -> BradleyTerry {
    BradleyTerryParams {
        home_advantage: true,
        ..BradleyTerryParams::default()
    }
    .build()
    .unwrap()
}

/// `i` against `j`: this many wins and losses.
fn record(i: usize, j: usize, won: f64, lost: f64) -> Vec<Comparison> {
    let both = [(Score::WIN, won), (Score::LOSS, lost)];
    let some = both.into_iter().filter(|(_, games)| *games > 0.0);
    some.map(|(score, games)| Comparison::new(i, j, score).times(games))
        .collect()
}

/// Wins of row against column: seven teams of the American League, 1987 (Agresti, "Categorical Data
/// Analysis", table 10.10): Milwaukee, Detroit, Toronto, New York, Boston, Cleveland, Baltimore.
const LEAGUE: [[f64; 7]; 7] = [
    [0.0, 7.0, 9.0, 7.0, 7.0, 9.0, 11.0],
    [6.0, 0.0, 7.0, 5.0, 11.0, 9.0, 9.0],
    [4.0, 6.0, 0.0, 7.0, 7.0, 8.0, 12.0],
    [6.0, 8.0, 6.0, 0.0, 6.0, 7.0, 10.0],
    [6.0, 2.0, 6.0, 7.0, 0.0, 7.0, 12.0],
    [4.0, 4.0, 5.0, 6.0, 6.0, 0.0, 6.0],
    [2.0, 4.0, 1.0, 3.0, 1.0, 7.0, 0.0],
];

fn league() -> BradleyTerryFit {
    let mut games = Vec::new();
    for (i, row) in LEAGUE.iter().enumerate() {
        for (j, column) in LEAGUE.iter().enumerate().skip(i + 1) {
            games.extend(record(i, j, row[j], column[i]));
        }
    }
    model().fit(7, &games).unwrap()
}

#[test]
fn a_season_of_baseball_gives_the_published_strengths() {
    let fit = league();
    let w = fit.log_strengths();
    for (team, published) in [1.581, 1.436, 1.294, 1.248, 1.108, 0.684, 0.0]
        .into_iter()
        .enumerate()
    {
        assert_abs_diff_eq!(w[team] - w[6], published, epsilon = 1e-3);
    }
    assert_abs_diff_eq!(w.iter().sum::<f64>(), 0.0, epsilon = 1e-12);
    assert!(fit.gradient_norm() < 1e-10 && fit.steps() < 10 && fit.prior_precision().is_none());
    // At the optimum every team won as often as expected.
    for (team, row) in LEAGUE.iter().enumerate() {
        let expected: f64 = (0..7)
            .filter(|&other| other != team)
            .map(|other| (row[other] + LEAGUE[other][team]) * fit.win_probability(team, other).unwrap())
            .sum();
        assert_abs_diff_eq!(expected, row.iter().sum::<f64>(), epsilon = 1e-11);
    }
}

/// Logistic regression of wins on who played, the last player's weight held at 0, by Newton's method on
/// full matrices: another road to the same numbers.
fn logistic_regression(games: &[(usize, usize, f64)], players: usize) -> Vec<f64> {
    let free = players - 1;
    let mut weights = vec![0.0_f64; players];
    for _ in 0..50 {
        let mut system = vec![vec![0.0; free + 1]; free];
        for &(i, j, score) in games {
            let p = 1.0 / (1.0 + (weights[j] - weights[i]).exp());
            let features = [(i, 1.0), (j, -1.0)];
            for (a, x) in features.into_iter().filter(|(a, _)| *a < free) {
                system[a][free] += x * (score - p);
                for (b, y) in features.into_iter().filter(|(b, _)| *b < free) {
                    system[a][b] += x * y * p * (1.0 - p);
                }
            }
        }
        for pivot in 0..free {
            for row in 0..free {
                if row != pivot {
                    let factor = system[row][pivot] / system[pivot][pivot];
                    let source = system[pivot].clone();
                    for (x, y) in system[row].iter_mut().zip(source) {
                        *x -= factor * y;
                    }
                }
            }
        }
        for pivot in 0..free {
            weights[pivot] += system[pivot][free] / system[pivot][pivot];
        }
    }
    weights
}

#[test]
fn probabilities_are_those_of_logistic_regression_to_twelve_digits() {
    let games: Vec<(usize, usize, f64)> = (0..400)
        .map(|game: usize| {
            let (i, j) = (game * 7 % 11, (game * 7 + 1 + game % 9) % 11);
            (i, j, [1.0, 0.0, 1.0, 0.5, 0.25][(game * game) % 5])
        })
        .filter(|(i, j, _)| i != j)
        .collect();
    let comparisons: Vec<_> = games
        .iter()
        .map(|&(i, j, score)| Comparison::new(i, j, Score::new(score).unwrap()))
        .collect();
    let fit = model().fit(11, &comparisons).unwrap();
    let weights = logistic_regression(&games, 11);
    for i in 0..11 {
        for j in 0..11 {
            let expected = 1.0 / (1.0 + (weights[j] - weights[i]).exp());
            assert_abs_diff_eq!(fit.win_probability(i, j).unwrap(), expected, epsilon = 1e-12);
        }
    }
}

proptest! {
    #[test]
    fn no_other_strengths_make_the_results_of_a_tiny_graph_likelier(
        wins in proptest::collection::vec(0.25..5.0_f64, 6), bend in proptest::collection::vec(-1.0..1.0_f64, 3),
    ) {
        let mut games = Vec::new();
        for (index, (i, j)) in [(0, 1), (1, 2), (2, 0)].into_iter().enumerate() {
            games.extend(record(i, j, wins[2 * index], wins[2 * index + 1]));
        }
        let fit = model().fit(3, &games).unwrap();
        let likelihood = |w: &[f64]| -> f64 {
            let p = |game: &Comparison| 1.0 / (1.0 + (w[game.second] - w[game.first]).exp());
            games
                .iter()
                .map(|game| game.weight * (game.score.value() * p(game).ln()
                    + game.score.reversed().value() * (1.0 - p(game)).ln()))
                .sum()
        };
        let best = likelihood(fit.log_strengths());
        prop_assert!((best - fit.log_likelihood()).abs() < 1e-10);
        for size in [1e-3, 0.1, 3.0] {
            let other: Vec<f64> = fit.log_strengths().iter().zip(&bend).map(|(w, b)| w + size * b).collect();
            prop_assert!(likelihood(&other) <= best + 1e-12);
        }
        // The whole plane, coarsely.
        for a in -20..=20 {
            for b in -20..=20 {
                prop_assert!(likelihood(&[f64::from(a) / 4.0, f64::from(b) / 4.0, 0.0]) <= best + 1e-12);
            }
        }
    }

    #[test]
    fn two_players_have_the_odds_of_their_games_and_the_error_of_a_log_odds(
        won in 0.5..1e4_f64, lost in 0.5..1e4_f64,
    ) {
        let fit = model().fit(2, &record(1, 0, won, lost)).unwrap();
        let gap = fit.log_strengths()[1] - fit.log_strengths()[0];
        prop_assert!((gap - (won / lost).ln()).abs() < 1e-10);
        let error = (1.0 / won + 1.0 / lost).sqrt();
        prop_assert!((fit.standard_error_of_difference(0, 1).unwrap() / error - 1.0).abs() < 1e-9);
        // Each is half of the gap away from the mean.
        for one in fit.standard_errors() {
            prop_assert!((one / error - 0.5).abs() < 1e-9);
        }
    }
}

#[test]
fn both_ways_to_standard_errors_agree_and_shrink_with_the_root_of_the_games() {
    let fit = league();
    let errors = fit.standard_errors();
    // Of strengths that sum to 0: sum over j of var(w_i - w_j) = n var(w_i) + sum of var(w_j).
    let total: f64 = errors.iter().map(|error| error * error).sum();
    for (i, error) in errors.iter().enumerate() {
        let differences: f64 = (0..7)
            .map(|j| fit.standard_error_of_difference(i, j).unwrap().powi(2))
            .sum();
        assert_abs_diff_eq!(differences, 7.0 * error * error + total, epsilon = 1e-10);
    }
    // Agresti's error of Milwaukee against Baltimore.
    assert_abs_diff_eq!(
        fit.standard_error_of_difference(0, 6).unwrap(),
        0.3433,
        epsilon = 1e-3
    );
}

#[test]
fn a_first_players_advantage_is_told_from_strength() {
    // Log-odds of 6:2 when 0 is first and 3:5 when 1 is.
    let mut games = record(0, 1, 6.0, 2.0);
    games.extend(record(1, 0, 3.0, 5.0));
    let fit = with_advantage().fit(2, &games).unwrap();
    let (zero, one) = (3.0_f64.ln(), (0.6_f64).ln());
    let advantage = fit.home_advantage().unwrap();
    assert!(advantage.identified && fit.prior_precision().is_none());
    assert_abs_diff_eq!(advantage.log_odds, 0.5 * (zero + one), epsilon = 1e-10);
    let error = 0.5 * (1.0 / 6.0 + 1.0 / 2.0 + 1.0 / 3.0 + 1.0 / 5.0_f64).sqrt();
    assert_abs_diff_eq!(advantage.standard_error, error, epsilon = 1e-9);
    assert_abs_diff_eq!(fit.home_win_probability(0, 1).unwrap(), 0.75, epsilon = 1e-12);
    assert_abs_diff_eq!(fit.home_win_probability(1, 0).unwrap(), 0.375, epsilon = 1e-12);
    let neutral = 1.0 / (1.0 + (-0.5 * (zero - one)).exp());
    assert_abs_diff_eq!(fit.win_probability(0, 1).unwrap(), neutral, epsilon = 1e-12);
    assert!(model().fit(2, &games).unwrap().home_advantage().is_none());
}

#[test]
fn an_advantage_that_cannot_be_told_from_strength_is_made_finite_and_said() {
    let fit = with_advantage().fit(2, &record(0, 1, 6.0, 2.0)).unwrap();
    let advantage = fit.home_advantage().unwrap();
    assert!(!advantage.identified && fit.connectivity().is_connected());
    assert_eq!(fit.prior_precision(), Some(0.1));
    // All that the games say is 6 : 2; the prior puts the advantage at none and leaves the strengths alone.
    assert_abs_diff_eq!(advantage.log_odds, 0.0, epsilon = 1e-10);
    assert_abs_diff_eq!(advantage.standard_error, 10.0_f64.sqrt(), epsilon = 1e-9);
    assert_abs_diff_eq!(fit.win_probability(0, 1).unwrap(), 0.75, epsilon = 1e-11);
}

#[test]
fn data_without_a_maximum_are_regularised_and_the_fit_says_why() {
    // 0 and 1 are even, and both always beat 2.
    let mut games = record(0, 1, 2.0, 2.0);
    games.extend(record(0, 2, 3.0, 0.0));
    let fit = model().fit(3, &games).unwrap();
    let groups = vec![vec![0, 1], vec![2]];
    assert_eq!(fit.groups(), &groups);
    assert_eq!(fit.connectivity(), &Connectivity::Separable { groups });
    assert_eq!(fit.prior_precision(), Some(0.1));
    let w = fit.log_strengths();
    // The derivative of the posterior by hand, along (-1/2, -1/2, 1), where lambda / 2 * (w2^2 / 4 + w2^2) is the prior.
    let surplus = 3.0 / (1.0 + (w[0] - w[2]).exp());
    assert_abs_diff_eq!(-1.5 * surplus, 0.1 * 1.25 * w[2], epsilon = 1e-11);
    // Within the group the games alone count.
    let lead = (w[0] - w[1]).exp();
    assert_abs_diff_eq!(2.0 - 4.0 / (1.0 + lead), 0.5 * surplus, epsilon = 1e-11);
    assert!(w[0] > w[1] && w[1] > w[2] && fit.gradient_norm() < 1e-11);

    // Two islands and one who never played.
    let mut games = record(0, 1, 3.0, 1.0);
    games.extend(record(2, 3, 1.0, 1.0));
    let fit = model().fit(5, &games).unwrap();
    let components = vec![vec![0, 1], vec![2, 3], vec![4]];
    assert_eq!(fit.connectivity(), &Connectivity::Disconnected { components });
    let w = fit.log_strengths();
    assert_abs_diff_eq!(w[0] - w[1], 3.0_f64.ln(), epsilon = 1e-11);
    assert!(w[2].abs() < 1e-12 && w[4].abs() < 1e-12);
    // Means of groups of 2, 2 and 1 whose weighted sum is 0, each of variance 10 before that.
    let errors = fit.standard_errors();
    assert_abs_diff_eq!(errors[4], (10.0_f64 * 8.0 / 9.0).sqrt(), epsilon = 1e-9);
    assert_abs_diff_eq!(
        fit.standard_error_of_difference(0, 1).unwrap(),
        (4.0_f64 / 3.0).sqrt(),
        epsilon = 1e-9
    );
}

#[test]
fn a_prior_for_any_data_draws_strengths_towards_each_other() {
    let always = BradleyTerryParams {
        prior: BradleyTerryPrior::Always,
        ..BradleyTerryParams::default()
    };
    let games = record(0, 1, 7.0, 3.0);
    let fit = always.build().unwrap().fit(2, &games).unwrap();
    assert!(fit.connectivity().is_connected());
    assert_eq!(fit.prior_precision(), Some(0.1));
    let free = model().fit(2, &games).unwrap();
    assert!(fit.log_strengths()[0] > 0.0 && fit.log_strengths()[0] < free.log_strengths()[0]);
}

#[test]
fn draws_are_half_wins_and_the_order_of_games_and_of_players_in_them_is_irrelevant() {
    let drawn = [
        Comparison::new(0, 1, Score::DRAW),
        Comparison::new(1, 2, Score::DRAW),
    ];
    let fit = model().fit(3, &drawn).unwrap();
    assert!(fit.connectivity().is_connected());
    assert!(fit.log_strengths().iter().all(|w| w.abs() < 1e-12));
    let mut games = record(0, 1, 5.0, 2.0);
    games.extend(record(1, 2, 4.0, 3.0));
    games.extend(record(2, 0, 1.0, 2.0));
    let forward = model().fit(3, &games).unwrap();
    games.reverse();
    for game in &mut games {
        *game = Comparison::new(game.second, game.first, game.score.reversed()).times(game.weight);
    }
    let turned = model().fit(3, &games).unwrap();
    for (a, b) in forward.log_strengths().iter().zip(turned.log_strengths()) {
        assert_abs_diff_eq!(a, b, epsilon = 1e-12);
    }
}

#[test]
fn a_long_chain_of_neighbours_is_solved_to_the_end() {
    // Everyone wins 2 of 3 against the next: the worst case for conjugate gradients.
    let games: Vec<_> = (0..500).flat_map(|i| record(i, i + 1, 2.0, 1.0)).collect();
    let fit = model().fit(501, &games).unwrap();
    let w = fit.log_strengths();
    assert_abs_diff_eq!(w[0] - w[500], 500.0 * 2.0_f64.ln(), epsilon = 1e-6);
    let error = (500.0_f64 * 1.5).sqrt();
    assert_abs_diff_eq!(
        fit.standard_error_of_difference(0, 500).unwrap(),
        error,
        epsilon = 1e-6
    );
}

#[test]
fn weights_far_apart_are_fitted_to_their_own_scale() {
    // The odds are the ratios of the weights; the first pair's are 1e18, those of the second among games of weight 1e9.
    let fit = model().fit(2, &record(0, 1, 1e9, 1e-9)).unwrap();
    assert_abs_diff_eq!(fit.log_strengths()[0], 0.5 * 1e18_f64.ln(), epsilon = 1e-9);
    let games = [
        record(0, 1, 1e9, 1e9),
        record(1, 2, 1e-9, 1e-6),
        record(2, 3, 3.0, 1e-3),
    ]
    .concat();
    let fit = model().fit(4, &games).unwrap();
    let w = fit.log_strengths();
    assert_abs_diff_eq!(w[0] - w[1], 0.0, epsilon = 1e-12);
    assert_abs_diff_eq!(w[2] - w[1], 1e3_f64.ln(), epsilon = 1e-6);
    assert_abs_diff_eq!(w[2] - w[3], 3e3_f64.ln(), epsilon = 1e-9);
}

#[test]
fn lopsided_records_on_which_whole_newton_steps_run_off_are_fitted_by_shorter_ones() {
    let records = [
        (0, 1, 1e-3, 1e3),
        (0, 2, 1e-3, 0.1),
        (0, 3, 0.01, 0.1),
        (1, 2, 0.01, 0.1),
        (1, 3, 1e3, 1e-3),
        (2, 3, 0.1, 1e3),
    ];
    let games: Vec<_> = records
        .iter()
        .flat_map(|&(i, j, won, lost)| record(i, j, won, lost))
        .collect();
    let fit = model().fit(4, &games).unwrap();
    for team in 0..4 {
        let (mut won, mut expected) = (0.0, 0.0);
        for &(i, j, w, l) in &records {
            if i == team || j == team {
                let other = i + j - team;
                won += if i == team { w } else { l };
                expected += (w + l) * fit.win_probability(team, other).unwrap();
            }
        }
        assert_abs_diff_eq!(won, expected, epsilon = 1e-8);
    }
}

#[test]
fn what_cannot_be_fitted_is_refused_with_its_place() {
    let win = |i, j| Comparison::new(i, j, Score::WIN);
    let error = |players, games: &[Comparison]| model().fit(players, games).unwrap_err();
    assert_eq!(error(0, &[]), BradleyTerryError::NoPlayers);
    assert_eq!(
        error(2, &[win(0, 1), win(0, 2)]),
        BradleyTerryError::UnknownPlayer {
            index: 1,
            player: 2,
            players: 2
        }
    );
    assert_eq!(
        error(2, &[win(1, 1)]),
        BradleyTerryError::SamePlayer { index: 0, player: 1 }
    );
    for players in [usize::MAX, 1 << 42] {
        let refused = error(players, &[]);
        assert!(matches!(
            refused,
            BradleyTerryError::TooManyPlayers {
                comparisons: 0,
                most: 1_000_000,
                ..
            }
        ));
    }
    for weight in [0.0, -1.0, f64::NAN, 1e300] {
        let bad = error(2, &[win(0, 1), win(1, 0), win(0, 1).times(weight)]);
        assert!(matches!(bad, BradleyTerryError::Weight { index: 2, .. }));
        assert!(bad.to_string().starts_with("comparison 2 has a weight of"));
    }
    let hasty = BradleyTerryParams {
        max_steps: 1,
        ..BradleyTerryParams::default()
    };
    let games = record(0, 1, 1000.0, 1.0);
    assert!(matches!(
        hasty.build().unwrap().fit(2, &games),
        Err(BradleyTerryError::NotConverged { steps: 1, .. })
    ));
    // One who never plays is a league of one.
    let alone = model().fit(1, &[]).unwrap();
    assert_eq!(alone.log_strengths(), &[0.0]);
    assert!(alone.connectivity().is_connected());
    assert_eq!(
        (alone.win_probability(0, 0), alone.win_probability(0, 1)),
        (Some(0.5), None)
    );
    assert_eq!(alone.standard_error_of_difference(0, 1), None);
    assert_eq!(alone.home_win_probability(1, 0), None);
}

#[cfg(feature = "laws")]
mod simulated {
    use super::*;
    use matchwright_rating::laws::Draw;

    /// Strengths of standard deviation 1 or so, and games of random pairs.
    fn season(players: usize, games: u32, advantage: f64, seed: u64) -> (Vec<f64>, Vec<Comparison>) {
        let draw = &mut Draw::new(seed);
        let mut truth: Vec<f64> = (0..players).map(|_| draw.uniform(-1.7, 1.7)).collect();
        let mean = truth.iter().sum::<f64>() / players as f64;
        for w in &mut truth {
            *w -= mean;
        }
        let many = u32::try_from(players).unwrap();
        let comparisons = (0..games)
            .map(|_| {
                let first = draw.below(many) as usize;
                let second = (first + 1 + draw.below(many - 1) as usize) % players;
                let p = 1.0 / (1.0 + (truth[second] - truth[first] - advantage).exp());
                let won = draw.uniform(0.0, 1.0) < p;
                Comparison::new(first, second, if won { Score::WIN } else { Score::LOSS })
            })
            .collect();
        (truth, comparisons)
    }

    #[test]
    fn strengths_and_advantage_are_recovered_within_their_errors() {
        let (mut inside, mut all, mut advantages) = (0_u32, 0_u32, 0_u32);
        for seed in 0..20 {
            let (truth, games) = season(60, 3000, 0.3, seed);
            let fit = with_advantage().fit(60, &games).unwrap();
            assert!(fit.prior_precision().is_none());
            for ((w, true_w), error) in fit.log_strengths().iter().zip(&truth).zip(fit.standard_errors()) {
                inside += u32::from((w - true_w).abs() < 1.96 * error);
                all += 1;
            }
            let advantage = fit.home_advantage().unwrap();
            advantages += u32::from((advantage.log_odds - 0.3).abs() < 1.96 * advantage.standard_error);
        }
        let coverage = f64::from(inside) / f64::from(all);
        assert!((0.93..0.97).contains(&coverage), "{coverage}");
        assert!(advantages >= 16, "{advantages} of 20");
    }

    /// Players in the order of their strengths, `gap` between the first and the last, who meet their neighbours.
    fn ladder(players: usize, gap: f64, games: usize, seed: u64) -> Vec<Comparison> {
        let draw = &mut Draw::new(seed);
        let strength = |player: usize| gap * player as f64 / players as f64;
        (0..games * players)
            .map(|game| {
                let first = game % players;
                let second = (first + 1 + draw.below(5) as usize).min(players - 1);
                let (first, second) = (first.min(second - 1), second);
                let p = 1.0 / (1.0 + (strength(second) - strength(first)).exp());
                let won = draw.uniform(0.0, 1.0) < p;
                Comparison::new(first, second, if won { Score::WIN } else { Score::LOSS })
            })
            .collect()
    }

    #[test]
    fn a_long_ladder_is_fitted_to_rounding_in_any_numbering_and_to_the_same_bits_again() {
        let players = 10_000;
        let mut games = ladder(players, 9.0, 10, 5);
        let fit = model().fit(players, &games).unwrap();
        assert!(fit.gradient_norm() < 1e-10 && fit.steps() < 15);
        assert_eq!(model().fit(players, &games).unwrap(), fit);
        let renumbered = |player: usize| player * 7919 % players;
        for game in &mut games {
            (game.first, game.second) = (renumbered(game.first), renumbered(game.second));
        }
        let other = model().fit(players, &games).unwrap();
        for (player, w) in fit.log_strengths().iter().enumerate() {
            assert_abs_diff_eq!(*w, other.log_strengths()[renumbered(player)], epsilon = 1e-8);
        }
        let error = |fit: &BradleyTerryFit, i, j| fit.standard_error_of_difference(i, j).unwrap();
        let (one, two) = (
            error(&fit, 0, players - 1),
            error(&other, 0, renumbered(players - 1)),
        );
        assert_abs_diff_eq!(one, two, epsilon = 1e-8);
    }

    fn gap_of_extreme_deciles(fit: &BradleyTerryFit, players: usize) -> f64 {
        let mean = |w: &[f64]| w.iter().sum::<f64>() / w.len() as f64;
        let tenth = players / 10;
        let w = fit.log_strengths();
        mean(&w[players - tenth..players]) - mean(&w[..tenth])
    }

    #[test]
    fn a_newcomer_who_won_the_only_game_leaves_a_matchmade_ladder_where_it_was() {
        for (players, gap) in [(500, 6.0), (3000, 9.0)] {
            let mut games = ladder(players, gap, 20, 3);
            let before = model().fit(players, &games).unwrap();
            assert!(before.prior_precision().is_none());
            let whole = gap_of_extreme_deciles(&before, players);
            assert!((whole - 0.9 * gap).abs() < 2.0, "{whole}");
            games.push(Comparison::new(players, players / 2, Score::WIN));
            let after = model().fit(players + 1, &games).unwrap();
            assert_eq!(after.prior_precision(), Some(0.1));
            assert_eq!(after.groups().len(), 2);
            assert!((gap_of_extreme_deciles(&after, players) - whole).abs() < 0.02 * whole);
            // Above the opponent, but not without end.
            let lead = after.log_strengths()[players] - after.log_strengths()[players / 2];
            assert!(lead > 1.0 && lead < 4.0, "{lead}");
        }
    }

    #[test]
    fn a_hundred_thousand_games_of_two_thousand_players_are_fitted_to_rounding() {
        let (truth, games) = season(2000, 100_000, 0.0, 7);
        let fit = model().fit(2000, &games).unwrap();
        assert!(fit.connectivity().is_connected() && fit.steps() < 12);
        assert!(fit.gradient_norm() < 1e-10, "{}", fit.gradient_norm());
        let squares: f64 = fit
            .log_strengths()
            .iter()
            .zip(&truth)
            .map(|(w, t)| (w - t).powi(2))
            .sum();
        assert!((squares / 2000.0).sqrt() < 0.3);
        let one = fit.standard_error_of_difference(0, 1).unwrap();
        assert!(one > 0.2 && one < 0.6, "{one}");
    }
}
