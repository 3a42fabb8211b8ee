//! TrueSkill Through Time: what must hold for any history, and for simulated ones.

use approx::assert_abs_diff_eq;
use matchwright_rating::laws::Draw;
use matchwright_rating::{
    GaussianRating, Member, Side, TeamGame, TeamRatingSystem, ThroughTime, ThroughTimeFit, ThroughTimeParams,
    TimedGame,
};

const PLAYERS: u32 = 8;

fn model(gamma: f64) -> ThroughTime {
    let params = ThroughTimeParams {
        gamma,
        tolerance: 1e-11,
        ..ThroughTimeParams::default()
    };
    params.build().unwrap()
}

/// `count` different things out of 0..`of`, in a random order.
fn shuffled(draw: &mut Draw, of: u32, count: usize) -> Vec<usize> {
    let mut all: Vec<usize> = (0..of as usize).collect();
    for index in 0..count {
        let other = index + draw.below(of - u32::try_from(index).unwrap()) as usize;
        all.swap(index, other);
    }
    all.truncate(count);
    all
}

/// A game of two to four sides of one or two players, with ties and shares.
fn any_game(draw: &mut Draw, time: f64) -> TimedGame {
    let mut players = shuffled(draw, PLAYERS, PLAYERS as usize).into_iter();
    let sides = 2 + draw.below(3);
    let sides = (0..sides).map(|_| {
        let size = 1 + draw.below(2) as usize;
        let members: Vec<_> = (0..size)
            .filter_map(|_| players.next())
            .map(|player| Member::new(player).for_share([1.0, 1.0, 0.5][draw.below(3) as usize]))
            .collect();
        Side::of_members(draw.below(3), members)
    });
    TimedGame::new(time, TeamGame::new(sides.collect()).unwrap())
}

/// Some games at each of some times.
fn any_history(draw: &mut Draw) -> Vec<TimedGame> {
    let mut time = draw.uniform(-9.0, 9.0);
    let mut games = Vec::new();
    for _ in 0..3 {
        for _ in 0..=draw.below(3) {
            games.push(any_game(draw, time));
        }
        time += draw.uniform(0.0, 5.0);
    }
    games
}

fn assert_same(a: GaussianRating, b: GaussianRating, by: f64) {
    assert_abs_diff_eq!(a.rating(), b.rating(), epsilon = by);
    assert_abs_diff_eq!(a.deviation(), b.deviation(), epsilon = by);
}

#[test]
fn one_game_alone_teaches_what_trueskill_learns() {
    let model = model(1.0);
    for seed in 0..200 {
        let game = any_game(&mut Draw::new(seed), 3.0);
        let fit = model.fit(PLAYERS as usize, std::slice::from_ref(&game)).unwrap();
        let expected = model
            .system()
            .update(&game.game.map(|_| model.system().initial()));
        for (side, ratings) in game.game.sides().iter().zip(expected) {
            for (member, rating) in side.members.iter().zip(ratings) {
                assert_same(fit.skill(member.rating, 3.0).unwrap(), rating, 1e-10);
            }
        }
    }
}

#[test]
fn the_order_of_games_of_sides_and_of_players_does_not_count() {
    let (model, mut compared) = (model(0.6), 0);
    for seed in 0..60 {
        let draw = &mut Draw::new(1000 + seed);
        let games = any_history(draw);
        let count = u32::try_from(games.len()).unwrap();
        let names = shuffled(draw, PLAYERS, PLAYERS as usize);
        let renamed: Vec<TimedGame> = shuffled(draw, count, games.len())
            .into_iter()
            .map(|index| {
                let TimedGame { time, game } = &games[index];
                let mut sides: Vec<Side<usize>> = game.map(|member| names[member.rating]).into();
                sides.reverse();
                for side in &mut sides {
                    side.members.reverse();
                }
                TimedGame::new(*time, TeamGame::new(sides).unwrap())
            })
            .collect();
        let fit = model.fit(PLAYERS as usize, &games).unwrap();
        let other = model.fit(PLAYERS as usize, &renamed).unwrap();
        assert!(fit.converged() && other.converged(), "seed {seed}");
        assert_abs_diff_eq!(fit.log_evidence(), other.log_evidence(), epsilon = 1e-7);
        for (player, name) in names.iter().enumerate() {
            let (a, b) = (fit.curve(player).unwrap(), other.curve(*name).unwrap());
            assert_eq!(a.len(), b.len());
            for (a, b) in a.iter().zip(b) {
                assert_eq!(a.time, b.time);
                assert_same(a.skill, b.skill, 1e-7);
                compared += 1;
            }
        }
        assert_eq!(fit, model.fit(PLAYERS as usize, &games).unwrap());
    }
    assert!(compared > 500, "{compared}");
}

/// Three who beat each other round are alike, however the rounding of the sweeps puts them.
#[test]
fn a_draw_of_three_who_are_alike_leaves_them_alike() {
    let tie = TeamGame::new((0..3).map(|player| Side::new(1, [player])).collect()).unwrap();
    let mut games = vec![TimedGame::new(1.0, tie)];
    for k in 0..3 {
        games.push(TimedGame::duel(0.0, k, (k + 1) % 3));
        games.push(TimedGame::duel(2.0, (k + 1) % 3, k));
    }
    let params = ThroughTimeParams {
        gamma: 0.6,
        ..ThroughTimeParams::default()
    };
    for model in [model(0.6), params.build().unwrap()] {
        let fit = model.fit(3, &games).unwrap();
        assert!(fit.converged());
        for player in 0..3 {
            for (own, first) in fit.curve(player).unwrap().iter().zip(fit.curve(0).unwrap()) {
                assert_same(own.skill, first.skill, 1e-5);
                assert_abs_diff_eq!(own.skill.rating(), 25.0, epsilon = 1e-5);
            }
        }
    }
}

#[test]
fn deviations_stay_within_the_prior_and_the_drift() {
    for (seed, gamma) in [(1, 0.0), (2, 0.4), (3, 2.0), (4, 30.0)] {
        let games = any_history(&mut Draw::new(seed));
        let fit = model(gamma).fit(PLAYERS as usize, &games).unwrap();
        for player in 0..PLAYERS as usize {
            let curve = fit.curve(player).unwrap();
            for step in 0..=100 {
                let Some(first) = curve.first() else { continue };
                let time = first.time + 0.2 * f64::from(step);
                let most = (25.0 / 3.0_f64).powi(2) + gamma * gamma * (time - first.time);
                let sigma = fit.skill(player, time).unwrap().deviation();
                assert!(sigma > 0.0 && sigma <= most.sqrt(), "{player} at {time}: {sigma}");
            }
        }
    }
}

#[test]
fn a_longer_period_with_the_drift_of_as_much_time_is_the_same_history() {
    let games = any_history(&mut Draw::new(5));
    let later: Vec<_> = games
        .iter()
        .map(|one| TimedGame::new(4.0 * one.time + 100.0, one.game.clone()))
        .collect();
    let (fit, other) = (
        model(1.0).fit(8, &games).unwrap(),
        model(0.5).fit(8, &later).unwrap(),
    );
    for player in 0..8 {
        for (a, b) in fit
            .curve(player)
            .unwrap()
            .iter()
            .zip(other.curve(player).unwrap())
        {
            assert_same(a.skill, b.skill, 1e-8);
        }
    }
}

/// Nothing tells what all are worth together: duels leave the mean of first skills where the prior has it.
#[test]
fn duels_keep_the_mean_of_first_skills() {
    let draw = &mut Draw::new(77);
    let (_, games) = drifting(draw, 20, 30, 0.5);
    let fit = model(0.5).fit(20, &games).unwrap();
    let first = (0..20).map(|player| fit.curve(player).unwrap()[0].skill.rating());
    assert_abs_diff_eq!(first.sum::<f64>() / 20.0, 25.0, epsilon = 1e-7);
}

#[test]
fn everything_is_finite_at_the_ends_of_every_range() {
    let mut games: Vec<_> = (0..30).map(|k| TimedGame::duel(f64::from(k % 3), 0, 1)).collect();
    games.extend([TimedGame::duel(-1e12, 1, 0), TimedGame::drawn_duel(1e12, 0, 1)]);
    games.push(any_game(&mut Draw::new(8), 1e12));
    let widths = [1e-6, 1.0, 1e9];
    for (initial_sigma, beta) in widths.iter().flat_map(|sigma| widths.map(|beta| (*sigma, beta))) {
        for (gamma, draw_probability) in [(0.0, 0.1), (1e9, 1e-9), (1.0, 0.99)] {
            let params = ThroughTimeParams {
                initial_mu: -1e9,
                initial_sigma,
                beta,
                gamma,
                draw_probability,
                max_sweeps: 200,
                ..ThroughTimeParams::default()
            };
            let fit = params.build().unwrap().fit(PLAYERS as usize, &games).unwrap();
            assert!(
                fit.log_evidence().is_finite() && fit.last_change().is_finite(),
                "{params:?}"
            );
            for player in 0..PLAYERS as usize {
                for time in [f64::NEG_INFINITY, -1e12, 0.5, 2.0, 1e12] {
                    let skill = fit.skill(player, time).unwrap();
                    assert!(
                        skill.rating().is_finite() && skill.deviation() > 0.0,
                        "{params:?}: {skill:?}"
                    );
                }
            }
        }
    }
}

fn normal(draw: &mut Draw) -> f64 {
    (0..12).map(|_| draw.uniform(0.0, 1.0)).sum::<f64>() - 6.0
}

/// Skills that wander by `gamma` from period to period, period by period, and as many duels as players in each.
fn drifting(draw: &mut Draw, players: u32, periods: u32, gamma: f64) -> (Vec<Vec<f64>>, Vec<TimedGame>) {
    let mut skills: Vec<f64> = (0..players).map(|_| 25.0 + 25.0 / 3.0 * normal(draw)).collect();
    let (mut truth, mut games) = (Vec::new(), Vec::new());
    for period in 0..periods {
        for skill in &mut skills {
            *skill += gamma * normal(draw);
        }
        truth.push(skills.clone());
        for _ in 0..players {
            let pair = shuffled(draw, players, 2);
            let mut performed = || {
                pair.iter()
                    .map(|&one| skills[one] + 25.0 / 6.0 * normal(draw))
                    .collect::<Vec<_>>()
            };
            let lead = performed();
            // The margin of draws between two, at a probability of .1.
            let margin = 25.0 / 6.0 * 2.0_f64.sqrt() * 0.125_661_346_855_074;
            let time = f64::from(period);
            games.push(if (lead[0] - lead[1]).abs() <= margin {
                TimedGame::drawn_duel(time, pair[0], pair[1])
            } else if lead[0] > lead[1] {
                TimedGame::duel(time, pair[0], pair[1])
            } else {
                TimedGame::duel(time, pair[1], pair[0])
            });
        }
    }
    (truth, games)
}

/// One pass of TrueSkill with the same model: the root mean square error of skills after each period.
fn one_pass_error(model: &ThroughTime, truth: &[Vec<f64>], games: &[TimedGame]) -> f64 {
    let system = model.system();
    let mut ratings = vec![system.initial(); truth[0].len()];
    let mut sum = 0.0;
    for (period, truth) in (0_u32..).zip(truth) {
        if period > 0 {
            for rating in &mut ratings {
                *rating = system.after_inactivity(rating, 1.0);
            }
        }
        for game in games.iter().filter(|game| game.time == f64::from(period)) {
            let after = system.update(&game.game.map(|member| ratings[member.rating]));
            for (side, rated) in game.game.sides().iter().zip(after) {
                ratings[side.members[0].rating] = rated[0];
            }
        }
        sum += squares(truth, |player| ratings[player].rating());
    }
    (sum / (truth.len() * truth[0].len()) as f64).sqrt()
}

fn through_time_error(fit: &ThroughTimeFit, truth: &[Vec<f64>]) -> f64 {
    let sum: f64 = (0_u32..)
        .zip(truth)
        .map(|(period, truth)| {
            squares(truth, |player| {
                fit.skill(player, f64::from(period)).unwrap().rating()
            })
        })
        .sum();
    (sum / (truth.len() * truth[0].len()) as f64).sqrt()
}

fn squares(truth: &[f64], estimate: impl Fn(usize) -> f64) -> f64 {
    truth
        .iter()
        .enumerate()
        .map(|(player, skill)| (estimate(player) - skill).powi(2))
        .sum()
}

#[test]
fn where_skills_drift_all_games_tell_more_than_those_before() {
    for seed in 0..8 {
        let (truth, games) = drifting(&mut Draw::new(seed), 60, 25, 1.0);
        let model = model(1.0);
        let smooth = through_time_error(&model.fit(60, &games).unwrap(), &truth);
        let pass = one_pass_error(&model, &truth, &games);
        assert!(smooth < 0.85 * pass, "seed {seed}: {smooth} against {pass}");
    }
}

#[test]
fn the_evidence_prefers_the_drift_that_made_the_history() {
    let evidence = |games: &[TimedGame], gamma: f64| model(gamma).fit(60, games).unwrap().log_evidence();
    for gamma in [0.0, 1.0, 3.0] {
        let (_, games) = drifting(&mut Draw::new(9), 60, 25, gamma);
        let at_truth = evidence(&games, gamma);
        for other in [0.0, 1.0, 3.0] {
            if other != gamma {
                let there = evidence(&games, other);
                assert!(at_truth > there + 3.0, "{gamma} {at_truth}, {other} {there}");
            }
        }
    }
}

/// The level of a league is what plain sweeps are slow to find: 20,000 duels take them 288 of them.
#[test]
fn a_league_is_settled_after_a_few_dozen_sweeps() {
    let (_, games) = drifting(&mut Draw::new(3), 400, 50, 0.3);
    let params = ThroughTimeParams {
        gamma: 0.3,
        ..ThroughTimeParams::default()
    };
    let fit = params.build().unwrap().fit(400, &games).unwrap();
    assert!(fit.converged() && fit.sweeps() <= 45, "{} sweeps", fit.sweeps());
}
