//! The same seed gives the same history, truth and history agree, and a region is a world of its own.

use super::super::departures::Departures;
use super::super::params::LogNormalParams;
use super::*;
use crate::adapt::outcome_of;
use matchwright_rating::history::{Duel, Game, NamedGame};

fn small() -> GeneratorParams {
    GeneratorParams {
        players: 600,
        days: 20.0,
        ..GeneratorParams::default()
    }
}

#[test]
fn the_same_seed_gives_the_same_population_and_another_seed_another() {
    let one = generate(&small(), 5).unwrap();
    let two = generate(&small(), 5).unwrap();
    let other = generate(&small(), 6).unwrap();
    assert_eq!(one.history, two.history);
    assert_eq!(one.truth, two.truth);
    assert_ne!(one.history, other.history);
}

#[test]
fn the_truth_lines_up_with_the_history() {
    let params = GeneratorParams {
        region_players: 200,
        ..small()
    };
    let world = generate(&params, 1).unwrap();
    assert_eq!(world.truth.skills().len(), world.history.players().len());
    assert_eq!(world.truth.logits.len(), world.history.len());
    assert!(world.truth.skills_then.is_empty());
    // Players far ahead of their opponents win more often than not.
    let ahead = |game: &Duel| {
        world.truth.skills()[game.player1 as usize] - world.truth.skills()[game.player2 as usize] > 100.0
    };
    let won = world.history.duels().unwrap().iter().filter(ahead);
    let results: Vec<f64> = won.map(|game| game.result.value() - 0.5).collect();
    assert!(results.len() > 20 && results.iter().sum::<f64>() > 0.0);
}

#[test]
fn every_slice_of_the_normal_distribution_has_one_player() {
    let mut numbers = stratified_normals(&mut stream(1, Purpose::Traits, 0, 0), 1000);
    let normal = Normal::standard();
    assert!(!numbers.is_sorted());
    numbers.sort_by(f64::total_cmp);
    for (k, number) in (0_u32..).zip(&numbers) {
        let place = 1000.0 * normal.cdf(*number);
        assert!(
            (f64::from(k) - 1e-6..f64::from(k + 1) + 1e-6).contains(&place),
            "{k} {place}"
        );
    }
}

/// People meet in the order in which they come.
struct FirstCome;

impl Matchmaker for FirstCome {
    fn next_meeting(&self, arrivals: &mut Arrivals, _: &[f64], _: &mut ChaCha8Rng) -> Option<Meeting> {
        let (first, second) = (arrivals.pop_first()?, arrivals.pop_first()?);
        Some(Meeting {
            time: second.0,
            people: [first.1, second.1],
            delayed: false,
        })
    }
}

#[test]
fn another_matchmaker_drives_the_same_people() {
    let params = small();
    let [near, any] = [
        generate(&params, 1).unwrap(),
        generate_with(&params, 1, &FirstCome).unwrap(),
    ];
    let skills = |world: &Generated| {
        let mut skills = world.truth.skills().to_vec();
        skills.sort_by(f64::total_cmp);
        skills
    };
    assert_eq!(skills(&near), skills(&any));
    let mean_gap = |world: &Generated| {
        let games = 0..world.history.len();
        let count = games.len() as f64;
        let duels = world.history.duels().unwrap();
        let skill = |game, side: usize| {
            let (player, ..) = duels.at(game).sides()[side];
            world.truth.side(game, side, player).skill
        };
        let gap = |game| skill(game, 0) - skill(game, 1);
        games.map(|game| gap(game).abs()).sum::<f64>() / count
    };
    assert!(mean_gap(&near) < 0.9 * mean_gap(&any));
    assert!(any.history.games().is_sorted_by_key(Game::time));
}

/// Later versions must not change what a seed gives, or they must say so.
#[test]
fn the_matches_of_a_seed_are_a_promise() {
    let params = GeneratorParams {
        region_players: 200,
        ..small()
    };
    let world = generate(&params, 5).unwrap();
    assert_eq!((world.history.len(), world.truth.late_matches()), (5855, 2817));
    let region = generate_region(&params, 5, 7).unwrap().history;
    let last = region.duels().unwrap().iter().last().unwrap();
    assert_eq!(
        (
            last.time,
            last.player1,
            last.player2,
            outcome_of(last.result),
            last.score_difference
        ),
        (1_453_333_591, 91, 0, Outcome::Win, 2.0)
    );
}

#[test]
fn no_match_of_a_generated_history_repeats_another() {
    let params = GeneratorParams {
        region_players: 60,
        ..small()
    };
    let history = generate(&params, 2).unwrap().history;
    let mut builder = HistoryBuilder::default();
    for duel in history.duels().unwrap().iter() {
        let names = [duel.player1, duel.player2].map(|player| history.players()[player as usize].as_str());
        let named = NamedGame::duel(duel.time, names, duel.result, duel.score_difference);
        builder.push(&named).unwrap();
    }
    assert_eq!(builder.finish(), history);
}

#[test]
fn regions_are_worlds_of_their_own_that_share_a_calendar() {
    let params = GeneratorParams {
        players: 650,
        region_players: 200,
        ..small()
    };
    assert_eq!(params.region_sizes().collect::<Vec<_>>(), [217, 217, 216]);
    let whole = generate(&params, 5).unwrap();
    let parts: Vec<_> = (0..3)
        .map(|region| generate_region(&params, 5, region).unwrap())
        .collect();
    let matches: usize = parts.iter().map(|part| part.history.len()).sum();
    assert_eq!(whole.history.len(), matches);
    assert!(whole.history.games().is_sorted_by_key(Game::time));
    // Nobody meets a player of another region, and each region's truth is the same alone.
    let region = |player: u32| {
        whole.history.players()[player as usize][1..]
            .parse::<u32>()
            .unwrap()
            / 217
    };
    let mut at = [0; 3];
    for (k, game) in whole.history.duels().unwrap().iter().enumerate() {
        let own = region(game.player1) as usize;
        assert_eq!(own, region(game.player2) as usize);
        let there = parts[own].history.duels().unwrap().at(at[own]);
        assert_eq!(
            whole.truth.side(k, 1, game.player2),
            parts[own].truth.side(at[own], 1, there.player2)
        );
        at[own] += 1;
    }
    // Beyond those asked for there are more.
    assert_eq!(generate_region(&params, 5, 7).unwrap().truth.skills().len(), 200);
    let alone = GeneratorParams {
        players: 217,
        ..params
    };
    assert_eq!(generate(&alone, 5).unwrap().history, parts[0].history);
}

/// The drawn decisions can be read back from time stamps: the observed eight-hour churn agrees
/// with the mean of the true probabilities, within four standard errors.
#[test]
fn labels_read_from_time_stamps_follow_the_true_churn_function() {
    observed_churn_is_the_true_one(&GeneratorParams {
        players: 2_000,
        ..small()
    });
}

/// Also where gaps within a session would often outlast eight hours, were they not cut.
#[test]
fn gaps_within_a_session_stay_within_it() {
    let session_gap = LogNormalParams {
        median: 4.0 * 3600.0,
        sigma: 1.0,
    };
    observed_churn_is_the_true_one(&GeneratorParams {
        players: 2_000,
        session_gap,
        ..small()
    });
}

/// The hours of a region's sessions have the density 1 + swing cos(2 pi (h - peak) / 24) on its own clock, and the
/// labels stay those of the true churn function.
#[test]
fn sessions_begin_at_the_hours_that_people_like() {
    let params = GeneratorParams {
        players: 2_000,
        daily_swing: 0.6,
        peak_hour: 18.0,
        ..small()
    };
    observed_churn_is_the_true_one(&params);
    let behaviour = Behaviour::new(&params).unwrap();
    for (region, clock) in [(0, 1.0), (1, -6.0), (8, -3.0)] {
        let people = draw_people(&params, 1, region, 2_000);
        let mut rng = stream(1, Purpose::Matches, 0, 0);
        let hours = people.iter().map(|person| {
            assert_eq!(
                (person.traits.home.clock, person.traits.home.pings.len()),
                (clock, 5)
            );
            (behaviour.first_arrival(&person.traits.home, &mut rng) as f64 / 3600.0 + clock) % 24.0
        });
        // Their mean cosine is swing / 2, with a standard error below 1 / sqrt(2 * 2000) = .016.
        let cosine: f64 = hours
            .map(|hour| (std::f64::consts::TAU * (hour - 18.0) / 24.0).cos())
            .sum::<f64>();
        assert!((cosine / 2000.0 - 0.3).abs() < 0.064, "{cosine}");
    }
}

/// All departures on: what is drawn is still what the truth says.
fn departed() -> GeneratorParams {
    GeneratorParams {
        players: 2_000,
        departures: Departures {
            one_sided_effect: 1.0,
            draw_width: Some(150.0),
            sensitivity_deviation: 2.0,
            skill_drift: 20.0,
        },
        ..small()
    }
}

#[test]
fn labels_follow_the_true_churn_function_in_a_population_that_departs_from_eomm() {
    observed_churn_is_the_true_one(&departed());
}

/// Among one-sided matches, and among others, as many are drawn as the truth says, within four standard errors.
#[test]
fn draws_are_as_rare_as_the_truth_says_at_each_gap() {
    let world = generate(&departed(), 3).unwrap();
    // By whether the gap is above 120 points: expected draws, their variance, draws.
    let mut by_gap = [[0.0; 3]; 2];
    for (k, game) in world.history.duels().unwrap().iter().enumerate() {
        let skill = |side: usize| world.truth.side(k, side, game.sides()[side].0).skill;
        let [own, other] = [0, 1].map(skill);
        let [_, draw, _] = world.truth.outcome_probabilities(own, other);
        let drawn = f64::from(u8::from(outcome_of(game.result) == Outcome::Draw));
        let sums = &mut by_gap[usize::from((own - other).abs() > 120.0)];
        for (sum, more) in sums.iter_mut().zip([draw, draw * (1.0 - draw), drawn]) {
            *sum += more;
        }
    }
    for [expected, variance, drawn] in by_gap {
        assert!((drawn - expected).abs() < 4.0 * f64::sqrt(variance), "{by_gap:?}");
    }
    assert!(by_gap[1][0] > 100.0, "{by_gap:?}");
}

/// A player's changes of skill, divided by the root of the time between its matches, have the variance asked for.
#[test]
fn skills_wander_by_the_root_of_the_time_and_end_where_the_last_match_left_them() {
    let params = departed();
    let world = generate(&params, 4).unwrap();
    let mut last = vec![None; world.history.players().len()];
    let mut scaled = Vec::new();
    for (k, game) in world.history.duels().unwrap().iter().enumerate() {
        for (side, (player, ..)) in game.sides().into_iter().enumerate() {
            let skill = world.truth.side(k, side, player).skill;
            if let Some((time, before)) = last[player as usize].replace((game.time, skill)) {
                let days = (game.time - time) as f64 / 86_400.0;
                scaled.push((skill - before) / (params.departures.skill_drift * days.sqrt()));
            }
        }
    }
    let ends: Vec<f64> = last.into_iter().flatten().map(|(_, skill)| skill).collect();
    assert_eq!(ends, world.truth.skills());
    let (n, squares) = (scaled.len() as f64, scaled.iter().map(|x| x * x).sum::<f64>());
    // The variance of a normal variable's square is 2.
    assert!(
        (squares / n - 1.0).abs() < 4.0 * (2.0 / n).sqrt(),
        "{}",
        squares / n
    );
}

#[test]
fn each_departure_changes_the_matches_and_none_the_traits_of_the_others() {
    let all = departed();
    let skills = |world: &Generated| {
        let mut skills = world.truth.skills().to_vec();
        skills.sort_by(f64::total_cmp);
        skills
    };
    let base = generate(&small(), 5).unwrap();
    assert_eq!(base.truth.sensitivities, vec![0.0; 600]);
    let off = Departures::default();
    for (departures, wanders) in [
        (
            Departures {
                one_sided_effect: all.departures.one_sided_effect,
                ..off.clone()
            },
            false,
        ),
        (
            Departures {
                draw_width: all.departures.draw_width,
                ..off.clone()
            },
            false,
        ),
        (
            Departures {
                sensitivity_deviation: 2.0,
                ..off.clone()
            },
            false,
        ),
        (
            Departures {
                skill_drift: 20.0,
                ..off.clone()
            },
            true,
        ),
    ] {
        let world = generate(
            &GeneratorParams {
                departures,
                ..small()
            },
            5,
        )
        .unwrap();
        assert_ne!(world.history, base.history);
        assert_eq!(skills(&world) != skills(&base), wanders);
    }
    let unequal = Departures {
        sensitivity_deviation: 2.0,
        ..off
    };
    let unequal = generate(
        &GeneratorParams {
            departures: unequal,
            ..small()
        },
        5,
    )
    .unwrap();
    let spread = unequal.truth.sensitivities.iter().map(|x| x * x).sum::<f64>() / 600.0;
    // Stratified, so that the variance of 4 is met closely.
    assert!((spread - 4.0).abs() < 0.1, "{spread}");
}

fn observed_churn_is_the_true_one(params: &GeneratorParams) {
    use matchwright_churn::{Horizon, Label, label_matches};
    let world = generate(params, 3).unwrap();
    let (_, end) = world.history.span().unwrap();
    let mut matches_of = vec![Vec::new(); world.history.players().len()];
    for (k, game) in world.history.duels().unwrap().iter().enumerate() {
        for (side, (player, result, _)) in game.sides().into_iter().enumerate() {
            let outcome = outcome_of(result);
            let [own, other] = [side, 1 - side].map(|side| world.truth.side(k, side, game.sides()[side].0));
            let churn = world.truth.churn(&own, other.skill)[outcome.index()];
            matches_of[player as usize].push((game.time, churn));
        }
    }
    let (mut expected, mut observed, mut variance, mut n) = (0.0, 0.0, 0.0, 0.0);
    for games in &matches_of {
        let times: Vec<i64> = games.iter().map(|g| g.0).collect();
        let labels = label_matches(&times, Horizon::hours(8), end).unwrap();
        for (label, (_, churn)) in labels.iter().zip(games) {
            if *label == Label::Censored {
                continue;
            }
            n += 1.0;
            expected += churn;
            variance += churn * (1.0 - churn);
            observed += f64::from(u8::from(*label == Label::Churned));
        }
    }
    let z = (observed - expected) / f64::sqrt(variance);
    assert!(
        n > 10_000.0 && z.abs() < 4.0,
        "n {n}, observed {observed}, expected {expected}, z {z}"
    );
    let late = world.truth.late_matches();
    assert!(late * 50 < world.history.len() as u64, "{late}");
}

#[test]
fn a_parameter_out_of_range_is_named() {
    for (params, name) in [
        (
            GeneratorParams {
                players: 1,
                ..small()
            },
            "players",
        ),
        (
            GeneratorParams {
                draw_rate: f64::NAN,
                ..small()
            },
            "draw_rate",
        ),
        (
            GeneratorParams {
                skill_deviation: -1.0,
                ..small()
            },
            "skill_deviation",
        ),
        (
            GeneratorParams {
                days: f64::INFINITY,
                ..small()
            },
            "days",
        ),
    ] {
        let message = generate(&params, 1).unwrap_err().to_string();
        assert!(message.contains(name), "{message}");
    }
}
