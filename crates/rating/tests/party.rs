//! Party bonuses: Valve's printed match, the laws with bonuses around, and what a fit can and cannot learn.

// Its random numbers come with the laws.

use approx::assert_relative_eq;
use matchwright_rating::{
    EloRating, GameError, Identification, Member, PartyBonus, PartyBonusParams, PartyFitError,
    PartyFitOptions, PartyTerm, Side, TeamGame, TeamSkill, fit_party_bonus,
};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

type Player = Member<EloRating>;

fn player(mmr: f64) -> Player {
    Member::new(EloRating::new(mmr).unwrap())
}

fn default_bonus() -> PartyBonus {
    PartyBonusParams::default().build().unwrap()
}

/// The match that Valve printed: MMR, party, and the adjusted MMR.
const RADIANT: [(f64, Option<u32>, f64); 5] = [
    (2994.0, Some(4), 3003.0),
    (2788.0, Some(6), 2788.0),
    (2687.0, None, 2687.0),
    (2626.0, Some(6), 2627.0),
    (2401.0, Some(4), 2410.0),
];
const DIRE: [(f64, Option<u32>, f64); 5] = [
    (3046.0, Some(3), 3062.0),
    (2920.0, Some(3), 2936.0),
    (2716.0, None, 2716.0),
    (2672.0, None, 2672.0),
    (2100.0, Some(3), 2116.0),
];

fn side(rows: &[(f64, Option<u32>, f64)]) -> Vec<Player> {
    rows.iter()
        .map(|&(mmr, party, _)| Member { party, ..player(mmr) })
        .collect()
}

#[test]
fn the_printed_match_follows_to_a_point_and_all_but_party_f_exactly() {
    let bonus = default_bonus();
    for rows in [RADIANT, DIRE] {
        for (adjusted, (mmr, party, printed)) in bonus.adjusted(&side(&rows)).iter().zip(rows) {
            let adjusted = adjusted.rating.value();
            if party == Some(6) {
                assert!((adjusted - printed).abs() < 1.0, "{mmr}: {adjusted}");
            } else {
                assert_eq!(adjusted.round(), printed, "{mmr}: {adjusted}");
            }
        }
    }
}

#[test]
fn hidden_fractions_give_the_printed_match_to_the_point_party_f_included() {
    // 2788 may be 2787.7, and 2626 may be 2626.2: so shown, and shown +0 and +1 when adjusted.
    let mut rows = RADIANT;
    (rows[1].0, rows[3].0) = (2787.7, 2626.2);
    let printed = RADIANT.map(|row| row.0);
    for ((adjusted, row), shown) in default_bonus()
        .adjusted(&side(&rows))
        .iter()
        .zip(rows)
        .zip(printed)
    {
        assert_eq!(row.0.round(), shown);
        assert_eq!(adjusted.rating.value().round(), row.2);
    }
}

#[test]
fn a_party_is_two_who_share_a_number_on_one_side() {
    let bonus = PartyBonusParams {
        size_points: [10.0, 20.0, 30.0, 40.0],
        free_spread: 0.0,
        spread_points: 0.1,
    };
    let bonus = bonus.build().unwrap();
    let alone = [
        player(1000.0).in_party(1),
        player(3000.0),
        player(2000.0).in_party(2),
    ];
    assert_eq!(bonus.of_side(&alone), [0.0; 3]);
    let six: Vec<Player> = (0..6)
        .map(|k| player(1000.0 + 20.0 * f64::from(k)).in_party(9))
        .collect();
    assert_eq!(bonus.of_side(&six), [50.0; 6]);
    let mixed = [
        player(0.0).in_party(2),
        player(0.0).in_party(1),
        player(5.0).in_party(2),
        player(9.0).in_party(1),
    ];
    assert_eq!(bonus.of_side(&mixed), [10.5, 10.9, 10.5, 10.9]);
    assert_eq!(
        (
            bonus.points(0, 99.0),
            bonus.points(1, 99.0),
            bonus.points(2, f64::NAN)
        ),
        (0.0, 0.0, 10.0)
    );
}

#[test]
fn settings_out_of_range_are_named() {
    let defaults = PartyBonusParams::default();
    let cases = [
        (
            PartyBonusParams {
                spread_points: 0.3,
                ..defaults
            },
            "spread_points",
        ),
        (
            PartyBonusParams {
                free_spread: -1.0,
                ..defaults
            },
            "free_spread",
        ),
        (
            PartyBonusParams {
                size_points: [0.0, f64::NAN, 0.0, 0.0],
                ..defaults
            },
            "size_points",
        ),
    ];
    for (params, name) in cases {
        assert_eq!(params.build().unwrap_err().name(), name);
    }
}

#[cfg(feature = "laws")]
mod laws {
    use super::*;
    use matchwright_rating::laws::{Draw, TeamPromise, check_team_promise, check_teams};
    use matchwright_rating::{
        DotaMmrParams, EloParams, FixedDraw, GaussianRating, PartyAdjusted, TeamAdapter, TrueSkillParams,
    };

    #[test]
    fn at_the_end_of_the_scale_a_bonus_takes_nothing_from_who_wins() {
        use matchwright_rating::{RATING_LIMIT, TeamRatingSystem};
        let elo = EloParams::default().build().unwrap();
        let inner = TeamAdapter::new(elo, TeamSkill::Mean, FixedDraw::EOMM);
        let params = PartyBonusParams {
            size_points: [500.0; 4],
            ..PartyBonusParams::default()
        };
        let system = PartyAdjusted::new(inner, params.build().unwrap());
        let top = player(RATING_LIMIT).in_party(1);
        let sides = vec![
            Side::of_members(1, vec![top.clone(), top]),
            Side::new(2, [EloRating::new(1500.0).unwrap()]),
        ];
        let after = system.update(&TeamGame::new(sides).unwrap());
        assert_eq!(after[0][0].value(), RATING_LIMIT);
    }

    #[test]
    fn team_systems_keep_their_laws_with_bonuses_around_them() {
        let elo = |draw: &mut Draw| EloRating::new(draw.uniform(0.0, 3000.0)).unwrap();
        let trueskill = |draw: &mut Draw| {
            GaussianRating::new(draw.uniform(0.0, 3000.0), draw.uniform(1.0, 500.0)).unwrap()
        };
        let params = PartyBonusParams {
            size_points: [30.0, -10.0, 50.0, 80.0],
            spread_points: 0.15,
            ..PartyBonusParams::default()
        };
        for bonus in [default_bonus(), params.build().unwrap()] {
            let inner = TeamAdapter::new(
                EloParams::default().build().unwrap(),
                TeamSkill::Mean,
                FixedDraw::EOMM,
            );
            let system = PartyAdjusted::new(inner, bonus);
            check_teams(&system, elo, 1, 300).unwrap();
            for promise in [TeamPromise::WinnersDoNotLose, TeamPromise::PlaceIsMonotone] {
                check_team_promise(&system, promise, elo, 2, 300).unwrap();
            }
            let inner = TrueSkillParams {
                beta: 400.0,
                tau: 5.0,
                ..TrueSkillParams::default()
            };
            check_teams(
                &PartyAdjusted::new(inner.build().unwrap(), bonus),
                trueskill,
                3,
                200,
            )
            .unwrap();
            let dota = PartyAdjusted::new(DotaMmrParams::default().build().unwrap(), bonus);
            let rating = |draw: &mut Draw| {
                matchwright_rating::GaussianRating::new(draw.uniform(0.0, 5000.0), draw.uniform(50.0, 500.0))
                    .unwrap()
            };
            check_teams(&dota, rating, 4, 200).unwrap();
        }
    }
}

/// What parties are truly worth, for data that the fit sees the results of alone.
struct World {
    log_odds_per_point: f64,
    first: f64,
    bonus: PartyBonus,
}

const TRUE_SPREAD: f64 = 0.05;
const TRUE_SIZES: [f64; 4] = [25.0, 40.0, 70.0, 100.0];

fn world() -> World {
    World {
        log_odds_per_point: 0.006,
        first: 12.0,
        bonus: PartyBonusParams {
            spread_points: TRUE_SPREAD,
            size_points: TRUE_SIZES,
            ..PartyBonusParams::default()
        }
        .build()
        .unwrap(),
    }
}

/// Five players who queue in groups of at most `largest`.
fn team(rng: &mut dyn Rng, level: f64, largest: usize) -> Vec<Player> {
    let mut members = Vec::new();
    let mut party = 0;
    while members.len() < 5 {
        let size = rng.random_range(1..=largest.min(5 - members.len()));
        party += 1;
        for _ in 0..size {
            let mmr = level + rng.random_range(-600.0..600.0);
            members.push(Member {
                party: (size > 1).then_some(party),
                ..player(mmr)
            });
        }
    }
    members
}

impl World {
    fn play(&self, games: usize, largest: usize, seed: u64) -> Vec<TeamGame<EloRating>> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mean = |side: &[Player]| {
            let adjusted = self.bonus.adjusted(side);
            adjusted.iter().map(|one| one.rating.value()).sum::<f64>() / side.len() as f64
        };
        (0..games)
            .map(|_| {
                let level = rng.random_range(1000.0..4000.0);
                let (a, b) = (team(&mut rng, level, largest), team(&mut rng, level, largest));
                let log_odds = self.log_odds_per_point * (mean(&a) - mean(&b) + self.first);
                let won = rng.random::<f64>() < 1.0 / (1.0 + (-log_odds).exp());
                let places = if won { (1, 2) } else { (2, 1) };
                TeamGame::new(vec![Side::of_members(places.0, a), Side::of_members(places.1, b)]).unwrap()
            })
            .collect()
    }
}

#[test]
fn intervals_of_two_hundred_fits_cover_the_truth_as_often_as_they_say() {
    let world = world();
    let truth = [
        (PartyTerm::Rating, world.log_odds_per_point),
        (PartyTerm::FirstSide, world.first),
        (PartyTerm::Spread, TRUE_SPREAD),
        (PartyTerm::Size(2), TRUE_SIZES[0]),
        (PartyTerm::Size(3), TRUE_SIZES[1]),
        (PartyTerm::Size(4), TRUE_SIZES[2]),
        (PartyTerm::Size(5), TRUE_SIZES[3]),
    ];
    let mut covered = [0; 7];
    for seed in 0..200 {
        let games = world.play(3000, 5, seed);
        let fit = fit_party_bonus(&games, &PartyFitOptions::default()).unwrap();
        for (count, (term, value)) in covered.iter_mut().zip(truth) {
            let (low, high) = fit.coefficient(term).unwrap().estimate.unwrap().interval();
            *count += u32::from(low <= value && value <= high);
        }
    }
    for (count, (term, _)) in covered.iter().zip(truth) {
        assert!((180..=196).contains(count), "{term}: {count} of 200");
    }
}

#[test]
fn intervals_are_as_honest_where_a_third_of_the_games_are_drawn() {
    let world = world();
    let mut covered = [0; 5];
    let terms = [
        PartyTerm::Spread,
        PartyTerm::Size(2),
        PartyTerm::Size(3),
        PartyTerm::Size(4),
        PartyTerm::Size(5),
    ];
    let truth = [
        TRUE_SPREAD,
        TRUE_SIZES[0],
        TRUE_SIZES[1],
        TRUE_SIZES[2],
        TRUE_SIZES[3],
    ];
    for seed in 0..200 {
        let mut rng = ChaCha8Rng::seed_from_u64(9_000 + seed);
        let games = world.play(3000, 5, 1_000 + seed).into_iter().map(|game| {
            // Whoever would have won.
            let drawn = rng.random::<f64>() < 0.3;
            let sides = game.sides().iter().map(|side| Side {
                place: if drawn { 1 } else { side.place },
                members: side.members.clone(),
            });
            TeamGame::new(sides.collect()).unwrap()
        });
        let games: Vec<_> = games.collect();
        let fit = fit_party_bonus(&games, &PartyFitOptions::default()).unwrap();
        for ((count, term), value) in covered.iter_mut().zip(terms).zip(truth) {
            let (low, high) = fit.coefficient(term).unwrap().estimate.unwrap().interval();
            *count += u32::from(low <= value && value <= high);
        }
    }
    for (count, term) in covered.iter().zip(terms) {
        assert!((180..=196).contains(count), "{term}: {count} of 200");
    }
}

#[test]
fn a_known_scale_narrows_the_intervals_and_sums_are_as_good_a_skill() {
    let world = world();
    let games = world.play(20_000, 5, 77);
    let free = fit_party_bonus(&games, &PartyFitOptions::default()).unwrap();
    let options = PartyFitOptions {
        log_odds_per_point: Some(world.log_odds_per_point),
        ..PartyFitOptions::default()
    };
    let known = fit_party_bonus(&games, &options).unwrap();
    let error = |fit: &matchwright_rating::PartyBonusFit, term| {
        fit.coefficient(term).unwrap().estimate.unwrap().standard_error
    };
    assert!(known.coefficient(PartyTerm::Rating).is_none());
    assert!(error(&known, PartyTerm::Size(5)) < error(&free, PartyTerm::Size(5)));
    // Between sides of five a sum is five means: the scale is a fifth, points stay points.
    let sums = PartyFitOptions {
        skill: TeamSkill::Sum,
        ..PartyFitOptions::default()
    };
    let sums = fit_party_bonus(&games, &sums).unwrap();
    for k in 0..4 {
        let (a, b) = (
            sums.bonus.unwrap().params().size_points[k],
            free.bonus.unwrap().params().size_points[k],
        );
        assert_relative_eq!(a, b, max_relative = 1e-6);
    }
}

#[test]
fn what_the_games_cannot_tell_is_said_and_left_at_zero() {
    let world = world();
    let identification =
        |fit: &matchwright_rating::PartyBonusFit, term| fit.coefficient(term).unwrap().identification.clone();
    // No party of four or five played.
    let fit = fit_party_bonus(&world.play(4000, 3, 1), &PartyFitOptions::default()).unwrap();
    assert_eq!(identification(&fit, PartyTerm::Size(4)), Identification::Absent);
    assert_eq!(
        identification(&fit, PartyTerm::Size(3)),
        Identification::Identified
    );
    assert_eq!(fit.bonus.unwrap().params().size_points[2..], [0.0, 0.0]);
    assert!(fit.coefficient(PartyTerm::Size(5)).unwrap().estimate.is_none());

    // Pairs against pairs, always.
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut games = Vec::new();
    for _ in 0..4000 {
        let mut pair = |party| {
            let level = rng.random_range(1000.0..2000.0);
            vec![
                player(level).in_party(party),
                player(level + 300.0).in_party(party),
            ]
        };
        let (a, b) = (pair(1), pair(1));
        let lead = a[0].rating.value() - b[0].rating.value();
        let won = rng.random::<f64>() < 1.0 / (1.0 + (-0.006 * lead).exp());
        games.push((a, b, won));
    }
    let play = |alone: bool| -> Result<Vec<_>, GameError> {
        let games = games.iter().enumerate().map(|(k, (a, b, won))| {
            // Every third game, the second side are strangers.
            let strangers = || {
                b.iter()
                    .map(|one| Member {
                        party: None,
                        ..one.clone()
                    })
                    .collect()
            };
            let b = if alone && k % 3 == 0 {
                strangers()
            } else {
                b.clone()
            };
            let places = if *won { (1, 2) } else { (2, 1) };
            TeamGame::new(vec![
                Side::of_members(places.0, a.clone()),
                Side::of_members(places.1, b),
            ])
        });
        games.collect()
    };
    let fit = fit_party_bonus(&play(false).unwrap(), &PartyFitOptions::default()).unwrap();
    assert_eq!(identification(&fit, PartyTerm::Size(2)), Identification::Balanced);
    assert_eq!(identification(&fit, PartyTerm::Spread), Identification::Balanced);
    // All pairs are 300 apart, so what is for being two and what for the spread cannot be told.
    let fit = fit_party_bonus(&play(true).unwrap(), &PartyFitOptions::default()).unwrap();
    let with = |term| Identification::Confounded { with: vec![term] };
    assert_eq!(identification(&fit, PartyTerm::Size(2)), with(PartyTerm::Spread));
    assert_eq!(identification(&fit, PartyTerm::Spread), with(PartyTerm::Size(2)));
    assert!(fit.coefficient(PartyTerm::Spread).unwrap().estimate.is_none());
    // Their sum is right: about 0, since these pairs gain nothing from being together.
    assert!(fit.bonus.unwrap().points(2, 300.0).abs() < 30.0);
}

#[test]
fn a_party_that_always_wins_has_no_bound_and_spoils_no_other() {
    let world = world();
    let mut games = world.play(4000, 4, 3);
    let plain = fit_party_bonus(&games, &PartyFitOptions::default()).unwrap();
    let five = (0..5).map(|_| player(2000.0).in_party(1)).collect();
    let alone = (0..5).map(|_| player(2000.0)).collect();
    games.push(TeamGame::new(vec![Side::of_members(1, five), Side::of_members(2, alone)]).unwrap());
    let fit = fit_party_bonus(&games, &PartyFitOptions::default()).unwrap();
    assert_eq!(
        fit.coefficient(PartyTerm::Size(5)).unwrap().identification,
        Identification::OneWay
    );
    assert_eq!(fit.bonus, plain.bonus);
}

#[test]
fn what_cannot_be_fitted_is_refused_with_the_reason() {
    let options = PartyFitOptions::default();
    let none: [TeamGame<EloRating>; 0] = [];
    assert_eq!(fit_party_bonus(&none, &options), Err(PartyFitError::NoGames));
    let rated = |value| EloRating::new(value).unwrap();
    let three = TeamGame::new((1..4).map(|k| Side::new(k, [rated(1500.0)])).collect()).unwrap();
    let error = fit_party_bonus(&[three], &options);
    assert_eq!(error, Err(PartyFitError::NotTwoSides { game: 0, sides: 3 }));
    // The better player wins without exception.
    let sure: Vec<_> = (0..50)
        .map(|k| TeamGame::duel(rated(1500.0 + f64::from(k)), 1, rated(1400.0), 2))
        .chain((0..50).map(|k| TeamGame::duel(rated(1400.0), 2, rated(1500.0 + f64::from(k)), 1)))
        .collect();
    assert_eq!(fit_party_bonus(&sure, &options), Err(PartyFitError::Separable));
    // Ratings that mean nothing.
    let coin: Vec<_> = (0..400_u32)
        .map(|k| {
            TeamGame::duel(
                rated(f64::from(k * 7919 % 100)),
                1 + k % 2,
                rated(50.0),
                2 - k % 2,
            )
        })
        .collect();
    assert!(matches!(
        fit_party_bonus(&coin, &options),
        Err(PartyFitError::NoScale { .. })
    ));
    for wrong in [
        PartyFitOptions {
            free_spread: f64::NAN,
            ..options
        },
        PartyFitOptions {
            log_odds_per_point: Some(0.0),
            ..options
        },
    ] {
        assert!(matches!(
            fit_party_bonus(&coin, &wrong),
            Err(PartyFitError::Option(_))
        ));
    }
}
