//! TrueSkill Through Time: published values, expectation propagation by another way, and exact integrals.

use approx::assert_abs_diff_eq;
use matchwright_rating::{
    Member, Side, TeamGame, TeamRatingSystem, ThroughTime, ThroughTimeError, ThroughTimeFit,
    ThroughTimeParams, TimedGame,
};

const SIGMA: f64 = 25.0 / 3.0;
const BETA: f64 = 25.0 / 6.0;

fn model(gamma: f64, draw_probability: f64) -> ThroughTime {
    let params = ThroughTimeParams {
        gamma,
        draw_probability,
        tolerance: 1e-12,
        ..ThroughTimeParams::default()
    };
    params.build().unwrap()
}

/// Mean and deviation of a player at the first point of the curve.
fn first(fit: &ThroughTimeFit, player: usize) -> (f64, f64) {
    let skill = fit.curve(player).unwrap()[0].skill;
    (skill.rating(), skill.deviation())
}

fn cycle() -> [TimedGame; 3] {
    [
        TimedGame::duel(0.0, 0, 1),
        TimedGame::duel(0.0, 1, 2),
        TimedGame::duel(0.0, 2, 0),
    ]
}

#[test]
fn a_duel_and_a_cycle_of_wins_have_the_published_skills() {
    let model = model(0.15 * SIGMA, 0.0);
    let duel = model.fit(2, &[TimedGame::duel(0.0, 0, 1)]).unwrap();
    assert_abs_diff_eq!(first(&duel, 0).0, 29.205, epsilon = 5e-4);
    assert_abs_diff_eq!(first(&duel, 1).0, 20.795, epsilon = 5e-4);
    for player in [0, 1] {
        assert_abs_diff_eq!(first(&duel, player).1, 7.19448, epsilon = 5e-6);
    }
    let cycle = model.fit(3, &cycle()).unwrap();
    assert!(cycle.converged() && cycle.last_change() <= 1e-12);
    for player in 0..3 {
        assert_abs_diff_eq!(first(&cycle, player).0, 25.0, epsilon = 1e-9);
        assert_abs_diff_eq!(first(&cycle, player).1, 5.419, epsilon = 5e-4);
    }
}

mod naive {
    //! Expectation propagation on whole covariance matrices, with the textbook's v and w.
    use super::{BETA, SIGMA};

    /// phi and Phi, the latter by Simpson's rule.
    fn phi(x: f64) -> f64 {
        (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt()
    }

    pub(super) fn cdf(x: f64) -> f64 {
        let steps = 400;
        let h = x / f64::from(steps);
        let inner: f64 = (1..steps)
            .map(|k| f64::from(2 + 2 * (k % 2)) * phi(h * f64::from(k)))
            .sum();
        0.5 + h / 3.0 * (phi(0.0) + inner + phi(x))
    }

    /// A duel at a time; the first won unless it was drawn.
    #[derive(Clone, Copy)]
    pub(super) struct Duel {
        pub(super) time: f64,
        pub(super) players: [usize; 2],
        pub(super) drawn: bool,
    }

    /// Precision and pull of what one duel says of one player.
    type Site = (f64, f64);

    /// Mean and variance of the last of a player's skills at `times`, each with a site: K (I + P K)^-1 by
    /// elimination.
    fn posterior(times: &[f64], sites: &[Site], gamma: f64, wanted: usize) -> (f64, f64) {
        let n = times.len();
        let start = times.iter().copied().fold(f64::INFINITY, f64::min);
        let k = |i: usize, j: usize| SIGMA * SIGMA + gamma * gamma * (times[i].min(times[j]) - start);
        // Row i of (I + K P) with the right sides K pull and the wanted column of K.
        let mut rows: Vec<Vec<f64>> = (0..n)
            .map(|i| {
                let mut row: Vec<f64> = (0..n)
                    .map(|j| f64::from(u8::from(i == j)) + k(i, j) * sites[j].0)
                    .collect();
                row.push((0..n).map(|j| k(i, j) * sites[j].1).sum());
                row.push(k(i, wanted));
                row
            })
            .collect();
        for pivot in 0..n {
            let row = rows[pivot].clone();
            for (i, other) in rows.iter_mut().enumerate() {
                if i != pivot {
                    let factor = other[pivot] / row[pivot];
                    for (a, b) in other.iter_mut().zip(&row) {
                        *a -= factor * b;
                    }
                }
            }
        }
        let row = &rows[wanted];
        (row[n] / row[wanted], row[n + 1] / row[wanted])
    }

    /// Offset of the mean from 25, and deviation, of both players of each duel at its time.
    pub(super) fn fit(duels: &[Duel], gamma: f64, margin: f64) -> Vec<[(f64, f64); 2]> {
        let mut sites = vec![[(0.0, 0.0); 2]; duels.len()];
        let skill = |sites: &[[Site; 2]], duel: usize, seat: usize| {
            let player = duels[duel].players[seat];
            let mut times = Vec::new();
            let mut own = Vec::new();
            let mut wanted = 0;
            for (index, one) in duels.iter().enumerate() {
                if let Some(place) = one.players.iter().position(|&other| other == player) {
                    if index == duel {
                        wanted = times.len();
                    }
                    times.push(one.time);
                    own.push(sites[index][place]);
                }
            }
            posterior(&times, &own, gamma, wanted)
        };
        for _ in 0..400 {
            for (index, duel) in duels.iter().enumerate() {
                let mut without = sites.clone();
                without[index] = [(0.0, 0.0); 2];
                let [(m, a), (n, b)] = [0, 1].map(|seat| skill(&without, index, seat));
                let c = (a + b + 2.0 * BETA * BETA).sqrt();
                let (t, e) = ((m - n) / c, margin / c);
                let (v, w) = if duel.drawn {
                    let mass = cdf(e - t) - cdf(-e - t);
                    let v = (phi(-e - t) - phi(e - t)) / mass;
                    (v, v * v + ((e - t) * phi(e - t) + (e + t) * phi(e + t)) / mass)
                } else {
                    let v = phi(t - e) / cdf(t - e);
                    (v, v * (v + t - e))
                };
                for (seat, (mean, variance, sign)) in [(m, a, 1.0), (n, b, -1.0)].into_iter().enumerate() {
                    let after = (
                        mean + sign * variance / c * v,
                        variance * (1.0 - variance / c / c * w),
                    );
                    sites[index][seat] = (
                        1.0 / after.1 - 1.0 / variance,
                        after.0 / after.1 - mean / variance,
                    );
                }
            }
        }
        (0..duels.len())
            .map(|duel| {
                [0, 1].map(|seat| {
                    let (mean, variance) = skill(&sites, duel, seat);
                    (mean, variance.sqrt())
                })
            })
            .collect()
    }
}

#[test]
fn histories_of_duels_are_what_expectation_propagation_on_whole_matrices_finds() {
    // Phi^-1(.55), from tables.
    let margin = BETA * std::f64::consts::SQRT_2 * 0.12566134685507402;
    let duel = |time: f64, a: usize, b: usize, drawn: bool| naive::Duel {
        time,
        players: [a, b],
        drawn,
    };
    let histories = [
        vec![
            duel(0.0, 0, 1, false),
            duel(0.0, 1, 2, false),
            duel(0.0, 2, 0, false),
        ],
        vec![
            duel(0.0, 0, 1, true),
            duel(0.5, 1, 2, false),
            duel(9.0, 0, 2, false),
        ],
        vec![
            duel(-3.0, 0, 1, false),
            duel(-3.0, 0, 1, false),
            duel(-3.0, 3, 2, true),
            duel(1.0, 2, 0, false),
            duel(1.0, 3, 1, false),
            duel(2.5, 1, 2, true),
            duel(2.5, 1, 0, false),
            duel(7.0, 3, 0, false),
            duel(7.0, 1, 3, true),
        ],
    ];
    for (gamma, history) in [0.0, 0.7, 3.0]
        .iter()
        .flat_map(|gamma| histories.iter().map(move |h| (*gamma, h)))
    {
        let games: Vec<TimedGame> = history
            .iter()
            .map(|one| {
                let [a, b] = one.players;
                if one.drawn {
                    TimedGame::drawn_duel(one.time, a, b)
                } else {
                    TimedGame::duel(one.time, a, b)
                }
            })
            .collect();
        let fit = model(gamma, 0.1).fit(4, &games).unwrap();
        for (one, expected) in history.iter().zip(naive::fit(history, gamma, margin)) {
            for (player, (mean, sigma)) in one.players.into_iter().zip(expected) {
                let found = fit.skill(player, one.time).unwrap();
                assert_abs_diff_eq!(found.rating(), 25.0 + mean, epsilon = 1e-8);
                assert_abs_diff_eq!(found.deviation(), sigma, epsilon = 1e-8);
            }
        }
    }
}

/// The probability of a list of wins, (winner, loser), among three players at one time, and the first one's mean and
/// deviation (offset from 25): by sums over all skills on a grid.
fn integral(wins: &[(usize, usize)]) -> (f64, f64, f64) {
    let half = 48_i32;
    let step = 5.5 * SIGMA / f64::from(half);
    let skill = |k: i32| step * f64::from(k);
    let prior = |k: i32| (-0.5 * (skill(k) / SIGMA).powi(2)).exp();
    let mass: f64 = (-half..=half).map(prior).sum();
    let chance: Vec<f64> = (-2 * half..=2 * half)
        .map(|gap| naive::cdf(skill(gap) / (BETA * std::f64::consts::SQRT_2)))
        .collect();
    let won = |gap: i32| chance[usize::try_from(gap + 2 * half).unwrap()];
    let mut sums = [0.0; 3];
    for a in -half..=half {
        for b in -half..=half {
            for c in -half..=half {
                let at = [a, b, c];
                let results: f64 = wins.iter().map(|&(x, y)| won(at[x] - at[y])).product();
                let weight = at.map(prior).iter().product::<f64>() / mass.powi(3) * results;
                sums[0] += weight;
                sums[1] += weight * skill(a);
                sums[2] += weight * skill(a) * skill(a);
            }
        }
    }
    let (mean, square) = (sums[1] / sums[0], sums[2] / sums[0]);
    (sums[0], mean, (square - mean * mean).sqrt())
}

/// Expectation propagation keeps no correlations: it is good for chains, and too sure of itself in circles.
#[test]
fn evidence_and_skills_are_as_near_to_the_exact_integrals_as_documented() {
    let near = |wins: &[(usize, usize)], by: [f64; 3]| {
        let games: Vec<_> = wins.iter().map(|&(a, b)| TimedGame::duel(4.0, a, b)).collect();
        let fit = model(1.0, 0.0).fit(3, &games).unwrap();
        let (evidence, mean, sigma) = integral(wins);
        let found = fit.skill(0, 4.0).unwrap();
        assert_abs_diff_eq!(fit.log_evidence(), evidence.ln(), epsilon = by[0]);
        assert_abs_diff_eq!(found.rating(), 25.0 + mean, epsilon = by[1]);
        assert_abs_diff_eq!(found.deviation(), sigma, epsilon = by[2]);
    };
    near(&[(2, 1)], [1e-8, 1e-6, 1e-4]);
    near(&[(0, 1), (1, 2)], [1e-3, 0.01, 0.01]);
    near(&[(0, 1), (1, 2), (2, 0)], [0.07, 1e-6, 0.4]);
    near(&[(0, 1), (0, 1), (0, 2), (1, 2), (2, 0)], [0.3, 0.2, 1.3]);
}

#[test]
fn the_evidence_of_games_that_share_no_player_is_the_sum_of_their_forecasts() {
    let model = model(1.0, 0.1);
    let new = vec![Member::new(model.system().initial()); 2];
    let duel = model.system().outcome_probabilities(&new[..1], &new[1..]);
    let uneven = model.system().outcome_probabilities(&new, &new[..1]);
    let games = [
        TimedGame::duel(0.0, 0, 1),
        TimedGame::drawn_duel(-1.0, 2, 3),
        TimedGame::new(
            5.0,
            TeamGame::new(vec![Side::new(2, [4, 5]), Side::new(1, [6])]).unwrap(),
        ),
    ];
    let fit = model.fit(7, &games).unwrap();
    let expected = duel.win.ln() + duel.draw.ln() + uneven.loss.ln();
    assert_abs_diff_eq!(fit.log_evidence(), expected, epsilon = 1e-12);
    assert_eq!(model.fit(7, &[]).unwrap().log_evidence(), 0.0);
}

#[test]
fn the_evidence_of_all_orders_of_three_sides_adds_up_to_one() {
    let mut sum = 0.0;
    for places in [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]] {
        let sides = places.into_iter().zip([vec![0], vec![1], vec![2, 3]]);
        let game = TeamGame::new(sides.map(|(place, players)| Side::new(place, players)).collect());
        let fit = model(1.0, 0.0)
            .fit(4, &[TimedGame::new(1.0, game.unwrap())])
            .unwrap();
        sum += fit.log_evidence().exp();
    }
    assert_abs_diff_eq!(sum, 1.0, epsilon = 0.01);
}

/// For EP's estimate the slope is the mean slope of the prior under the fitted skills, at its fixed point alone: any
/// missing or double factor of the evidence shows here.
#[test]
fn the_slope_of_the_evidence_in_the_first_deviation_is_what_the_skills_say() {
    let free = |places: [u32; 3]| {
        let sides = places.into_iter().zip([vec![0], vec![1, 3], vec![2]]);
        TeamGame::new(sides.map(|(place, players)| Side::new(place, players)).collect()).unwrap()
    };
    let games = [
        TimedGame::duel(0.0, 0, 1),
        TimedGame::drawn_duel(0.0, 1, 2),
        TimedGame::new(2.0, free([3, 1, 2])),
        TimedGame::duel(2.0, 0, 2),
        TimedGame::new(5.0, free([1, 2, 1])),
        TimedGame::new(5.0, free([1, 2, 2])),
    ];
    let fit = |sigma: f64| {
        let params = ThroughTimeParams {
            initial_sigma: sigma,
            ..*model(1.0, 0.1).params()
        };
        params.build().unwrap().fit(4, &games).unwrap()
    };
    let step = 1e-3;
    let slope = (fit(SIGMA + step).log_evidence() - fit(SIGMA - step).log_evidence()) / (2.0 * step);
    let fitted = fit(SIGMA);
    let said = (0..4).map(|player| {
        let (mu, sigma) = first(&fitted, player);
        ((mu - 25.0).powi(2) + sigma * sigma - SIGMA * SIGMA) / SIGMA.powi(3)
    });
    assert_abs_diff_eq!(slope, said.sum(), epsilon = 1e-7);
}

#[test]
fn a_draw_that_cannot_be_has_no_evidence_but_skills() {
    let fit = model(1.0, 0.0)
        .fit(2, &[TimedGame::drawn_duel(0.0, 0, 1)])
        .unwrap();
    assert_eq!(fit.log_evidence(), f64::NEG_INFINITY);
    assert!(fit.converged() && first(&fit, 0).1 < SIGMA);
}

#[test]
fn a_later_game_tells_of_earlier_skills_and_narrows_them() {
    let model = model(0.5, 0.1);
    let games = [
        TimedGame::duel(0.0, 0, 1),
        TimedGame::duel(3.0, 1, 2),
        TimedGame::duel(4.0, 1, 3),
    ];
    let mut last = first(&model.fit(4, &games[..1]).unwrap(), 0);
    for end in 2..=3 {
        // Player 1 wins again: it was a strong player whom player 0 had beaten.
        let now = first(&model.fit(4, &games[..end]).unwrap(), 0);
        assert!(now.0 > last.0 + 0.1 && now.1 < last.1, "{now:?} {last:?}");
        last = now;
    }
}

#[test]
fn skills_between_before_and_after_games_follow_from_the_walk() {
    // Without draws, whose margin would count a spectator as a player.
    let (model, gamma) = (model(0.5, 0.0), 0.5);
    let games = [TimedGame::duel(0.0, 0, 1), TimedGame::duel(10.0, 2, 0)];
    let fit = model.fit(4, &games).unwrap();
    let skill = |time: f64| {
        let skill = fit.skill(0, time).unwrap();
        (skill.rating(), skill.deviation())
    };
    let (early, late) = (skill(0.0), skill(10.0));
    for (time, (mean, sigma), drift) in [(-4.0, early, 4.0), (16.0, late, 6.0)] {
        assert_abs_diff_eq!(skill(time).0, mean, epsilon = 1e-12);
        let wider = (sigma * sigma + gamma * gamma * drift).sqrt();
        assert_abs_diff_eq!(skill(time).1, wider, epsilon = 1e-12);
    }
    // A game at that time that says next to nothing changes nothing, so it must find the same skill.
    for time in [1e-9, 2.5, 7.0, 10.0 - 1e-9] {
        let spectator = Member::new(0).for_share(1e-9);
        let silent = TeamGame::new(vec![
            Side::of_members(1, vec![spectator, Member::new(3)]),
            Side::new(2, [1]),
        ]);
        let with: Vec<_> = games
            .iter()
            .cloned()
            .chain([TimedGame::new(time, silent.unwrap())])
            .collect();
        // Player 1 learns something there, which a fourth game cannot undo: compare with that game without player 0.
        let alone = [games[0].clone(), games[1].clone(), TimedGame::duel(time, 3, 1)];
        let (with, alone) = (model.fit(4, &with).unwrap(), model.fit(4, &alone).unwrap());
        let (point, between) = (with.curve(0).unwrap()[1], alone.skill(0, time).unwrap());
        assert_eq!((point.time, with.curve(0).unwrap().len()), (time, 3));
        assert_abs_diff_eq!(point.skill.rating(), between.rating(), epsilon = 1e-6);
        assert_abs_diff_eq!(point.skill.deviation(), between.deviation(), epsilon = 1e-6);
    }
    // The curve meets its points.
    assert_abs_diff_eq!(skill(10.0 - 1e-12).0, late.0, epsilon = 1e-9);
    assert_abs_diff_eq!(skill(10.0 - 1e-12).1, late.1, epsilon = 1e-9);
    // Nobody knows a player without games, and there is no fifth player.
    assert_eq!(fit.skill(3, 1e300), Some(model.system().initial()));
    assert_eq!(
        (fit.curve(3), fit.curve(4), fit.players()),
        (Some(&[][..]), None, 4)
    );
    assert_eq!((fit.skill(4, 0.0), fit.skill(0, f64::NAN)), (None, None));
    assert_eq!(fit.skill(0, f64::INFINITY), fit.skill(0, 1e12));
}

#[test]
fn who_has_no_share_was_not_there() {
    let absent = Member::new(2).for_share(0.0);
    let game = TeamGame::new(vec![
        Side::of_members(1, vec![Member::new(0), absent]),
        Side::new(2, [1]),
    ])
    .unwrap();
    let fit = model(1.0, 0.1).fit(3, &[TimedGame::new(0.0, game)]).unwrap();
    let duel = model(1.0, 0.1).fit(3, &[TimedGame::duel(0.0, 0, 1)]).unwrap();
    assert_eq!(fit.curve(2), Some(&[][..]));
    assert_eq!(fit, duel);
}

#[test]
fn what_cannot_be_fitted_is_refused_with_its_place() {
    let fit = |players, games: &[TimedGame]| model(1.0, 0.1).fit(players, games).unwrap_err();
    assert_eq!(fit(0, &[]), ThroughTimeError::NoPlayers);
    for players in [usize::MAX, 1 << 42] {
        let refused = fit(players, &[]);
        assert!(matches!(
            refused,
            ThroughTimeError::TooManyPlayers {
                games: 0,
                most: 1_000_000,
                ..
            }
        ));
    }
    let good = TimedGame::duel(0.0, 0, 1);
    for time in [f64::NAN, f64::INFINITY, -1.1e12] {
        let found = fit(2, &[good.clone(), TimedGame::duel(time, 0, 1)]);
        assert!(
            matches!(found, ThroughTimeError::Time { index: 1, .. }),
            "{found}"
        );
    }
    assert_eq!(
        fit(2, &[good.clone(), TimedGame::duel(0.0, 1, 2)]),
        ThroughTimeError::UnknownPlayer {
            index: 1,
            player: 2,
            players: 2
        }
    );
    let twice = TeamGame::new(vec![Side::new(1, [0, 1]), Side::new(2, [1])]).unwrap();
    let found = fit(2, &[good, TimedGame::new(0.0, twice)]);
    assert_eq!(found, ThroughTimeError::DuplicatePlayer { index: 1, player: 1 });
    assert!(found.to_string().contains("game 1 has player 1 twice"));
}

#[test]
fn settings_out_of_range_are_refused_by_name() {
    let refused = |change: fn(&mut ThroughTimeParams), name: &str| {
        let mut params = ThroughTimeParams::default();
        change(&mut params);
        let error = params.build().unwrap_err();
        assert_eq!(error.name(), name);
    };
    refused(|p| p.initial_mu = f64::NAN, "initial_mu");
    refused(|p| p.initial_sigma = 0.0, "initial_sigma");
    refused(|p| p.beta = -1.0, "beta");
    refused(|p| p.gamma = f64::INFINITY, "gamma");
    refused(|p| p.draw_probability = 1.0, "draw_probability");
    refused(|p| p.tolerance = 0.0, "tolerance");
    refused(|p| p.max_sweeps = 0, "max_sweeps");
}

#[test]
fn too_few_sweeps_are_told_by_the_certificate() {
    let params = ThroughTimeParams {
        max_sweeps: 1,
        ..ThroughTimeParams::default()
    };
    let fit = params.build().unwrap().fit(3, &cycle()).unwrap();
    assert_eq!((fit.sweeps(), fit.converged()), (1, false));
    assert!(fit.last_change() > 0.01);
}

/// P(a beats b, b beats c, c beats a) among newcomers, exactly: the chance that a trivariate normal of correlations
/// -r is positive, with r = sigma^2 / (2 sigma^2 + 2 beta^2), is 1/8 - 3 arcsin(r) / (4 pi).
#[test]
fn evidence_of_a_circle_is_off_by_as_much_as_documented() {
    for (ratio, off) in [(2.0_f64, 0.07), (6.0, 0.49), (10.0, 0.82)] {
        let params = ThroughTimeParams {
            beta: SIGMA / ratio,
            gamma: 0.0,
            draw_probability: 0.0,
            tolerance: 1e-12,
            max_sweeps: 100_000,
            ..ThroughTimeParams::default()
        };
        let games = [(0, 1), (1, 2), (2, 0)].map(|(winner, loser)| TimedGame::duel(0.0, winner, loser));
        let fit = params.build().unwrap().fit(3, &games).unwrap();
        let r = 0.5 * ratio * ratio / (ratio * ratio + 1.0);
        let exact = (0.125 - 0.75 * r.asin() / std::f64::consts::PI).ln();
        assert!(fit.converged());
        assert_abs_diff_eq!((fit.log_evidence() - exact).abs(), off, epsilon = 0.006);
    }
}

/// The exact evidence is an integral over the one difference of the two skills.
#[test]
fn evidence_of_a_pair_that_meets_again_is_too_low_by_as_much_as_documented() {
    let settings = |ratio: f64| ThroughTimeParams {
        beta: SIGMA / ratio,
        gamma: 0.0,
        draw_probability: 0.0,
        ..ThroughTimeParams::default()
    };
    let table = [
        (1.0, 5, 0, 0.09),
        (1.0, 3, 2, 0.19),
        (2.0, 1, 1, 0.18),
        (2.0, 5, 0, 0.20),
        (2.0, 3, 2, 0.58),
        (2.0, 12, 8, 1.26),
        (6.0, 3, 2, 1.53),
    ];
    for (ratio, won, lost, off) in table {
        let wins = (0..won).map(|_| TimedGame::duel(0.0, 0, 1));
        let games: Vec<TimedGame> = wins
            .chain((0..lost).map(|_| TimedGame::duel(0.0, 1, 0)))
            .collect();
        let fit = settings(ratio).build().unwrap().fit(2, &games).unwrap();
        let (mut sum, mut mass) = (0.0, 0.0);
        for k in -2000..=2000 {
            let z = 0.004 * f64::from(k);
            let (prior, p) = ((-0.5 * z * z).exp(), naive::cdf(z * ratio));
            mass += prior;
            sum += prior * p.powi(won) * (1.0 - p).powi(lost);
        }
        assert_abs_diff_eq!((sum / mass).ln() - fit.log_evidence(), off, epsilon = 0.006);
    }
}
