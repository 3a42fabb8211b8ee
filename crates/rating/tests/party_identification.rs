//! What a fit of party bonuses says of games that cannot tell all terms, alone or together.

// Its random numbers come with the laws.

use approx::assert_relative_eq;
use matchwright_rating::{
    EloRating, Identification, Member, PartyFitError, PartyFitOptions, PartyTerm, Side, TeamGame,
    fit_party_bonus,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

type Player = Member<EloRating>;

fn player(mmr: f64) -> Player {
    Member::new(EloRating::new(mmr).unwrap())
}

fn game(a: Vec<Player>, b: Vec<Player>, won: bool) -> TeamGame<EloRating> {
    let places = if won { (1, 2) } else { (2, 1) };
    TeamGame::new(vec![Side::of_members(places.0, a), Side::of_members(places.1, b)]).unwrap()
}

/// `count` players of one rating, of whom parties of the given sizes queued together.
fn side_with(mmr: f64, count: usize, sizes: &[usize]) -> Vec<Player> {
    let mut members = vec![player(mmr); count];
    let mut next = 0;
    for (party, &size) in (1..).zip(sizes) {
        for member in &mut members[next..next + size] {
            member.party = Some(party);
        }
        next += size;
    }
    members
}

/// Games of strangers that tell the scale.
fn of_strangers(count: usize) -> Vec<TeamGame<EloRating>> {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let play = |_| {
        let (a, b) = (rng.random_range(1000.0..2000.0), rng.random_range(1000.0..2000.0));
        let won = rng.random::<f64>() < 1.0 / (1.0 + (-0.006_f64 * (a - b)).exp());
        game(side_with(a, 5, &[]), side_with(b, 5, &[]), won)
    };
    (0..count).map(play).collect()
}

fn identifications(games: &[TeamGame<EloRating>]) -> Vec<(PartyTerm, Identification)> {
    let fit = fit_party_bonus(games, &PartyFitOptions::default()).unwrap();
    let coefficients = fit.coefficients.into_iter();
    coefficients.map(|one| (one.term, one.identification)).collect()
}

#[test]
fn games_without_anything_to_fit_give_no_bonus_and_do_not_panic() {
    let games: Vec<_> = (0..20)
        .map(|k| game(side_with(1500.0, 2, &[]), side_with(1490.0, 2, &[]), k % 2 == 0))
        .collect();
    let known = PartyFitOptions {
        log_odds_per_point: Some(0.005),
        first_side: false,
        ..PartyFitOptions::default()
    };
    let fit = fit_party_bonus(&games, &known).unwrap();
    assert_eq!(fit.bonus.unwrap().params().size_points, [0.0; 4]);
    let half: f64 = [0.05_f64, -0.05].map(|x| 0.5 * (-x).exp().ln_1p()).iter().sum();
    assert_relative_eq!(fit.log_loss, half, max_relative = 1e-12);
    // All of one rating, and nobody first: no scale either.
    let equal: Vec<_> = (0..20)
        .map(|k| game(side_with(1500.0, 2, &[]), side_with(1500.0, 2, &[]), k % 2 == 0))
        .collect();
    let open = PartyFitOptions {
        log_odds_per_point: None,
        ..known
    };
    assert!(matches!(
        fit_party_bonus(&equal, &open),
        Err(PartyFitError::NoScale { .. })
    ));
}

#[test]
fn a_term_seen_only_beside_one_that_always_wins_is_said_and_spoils_no_other() {
    let mut games = of_strangers(2000);
    let plain = fit_party_bonus(&games, &PartyFitOptions::default()).unwrap();
    for _ in 0..10 {
        let (both, alone) = (side_with(1500.0, 5, &[3, 2]), side_with(1500.0, 5, &[]));
        games.push(game(both, alone, true));
        let (pair, three) = (side_with(1500.0, 5, &[2]), side_with(1500.0, 5, &[3]));
        games.push(game(pair, three, false));
    }
    let fit = fit_party_bonus(&games, &PartyFitOptions::default()).unwrap();
    let of = |size| fit.coefficient(PartyTerm::Size(size)).unwrap();
    assert_eq!(of(3).identification, Identification::OneWay);
    let with = vec![PartyTerm::Size(3)];
    assert_eq!(of(2).identification, Identification::Confounded { with });
    assert_eq!(fit.bonus, plain.bonus);
    assert_eq!(
        fit.coefficient(PartyTerm::Rating),
        plain.coefficient(PartyTerm::Rating)
    );
}

#[test]
fn terms_that_go_one_way_only_once_others_are_set_apart_are_found_too() {
    let mut games = of_strangers(2000);
    for _ in 0..10 {
        // Three beat two and strangers, and two beat strangers: two are on both ends, without three on one.
        let of = |sizes: &[usize]| side_with(1500.0, 5, sizes);
        games.push(game(of(&[3]), of(&[2]), true));
        games.push(game(of(&[2]), of(&[]), true));
        games.push(game(of(&[3]), of(&[]), true));
    }
    let fit = fit_party_bonus(&games, &PartyFitOptions::default()).unwrap();
    for size in [2, 3] {
        let coefficient = fit.coefficient(PartyTerm::Size(size)).unwrap();
        assert_eq!(coefficient.identification, Identification::OneWay, "{size}");
        assert_eq!(coefficient.estimate, None);
    }
    assert_eq!(fit.bonus.unwrap().params().size_points, [0.0; 4]);
}

#[test]
fn terms_that_only_together_decide_every_game_have_no_bound() {
    // Three of one rating always lose to strangers and to three far apart, who win half against strangers:
    // a bonus for the spread and a malus for the size can grow together.
    let mut games = of_strangers(2000);
    let alike = || side_with(1500.0, 5, &[3]);
    let apart = || {
        let mut side = alike();
        for (member, mmr) in side.iter_mut().zip([1200.0, 1500.0, 1800.0]) {
            member.rating = EloRating::new(mmr).unwrap();
        }
        side
    };
    let alone = || side_with(1500.0, 5, &[]);
    for k in 0..10 {
        games.push(game(alike(), alone(), false));
        games.push(game(apart(), alike(), true));
        games.push(game(apart(), alone(), k % 2 == 0));
    }
    let fit = fit_party_bonus(&games, &PartyFitOptions::default()).unwrap();
    for term in [PartyTerm::Spread, PartyTerm::Size(3)] {
        let coefficient = fit.coefficient(term).unwrap();
        assert_eq!(coefficient.identification, Identification::OneWay, "{term}");
        assert_eq!(coefficient.estimate, None);
    }
    assert_eq!(fit.bonus.unwrap().points(3, 600.0), 0.0);
    assert!(fit.coefficient(PartyTerm::Rating).unwrap().estimate.is_some());
}

#[test]
fn of_three_terms_that_go_together_each_names_both_others() {
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    let mut games = of_strangers(1000);
    for k in 0..400 {
        // As many parties of four as of two and of three together.
        let side = |two: bool, three: bool| {
            let mut sizes = vec![4; usize::from(two) + usize::from(three)];
            sizes.extend([2].iter().filter(|_| two));
            sizes.extend([3].iter().filter(|_| three));
            side_with(1500.0, 16, &sizes)
        };
        let (a, b) = (side(rng.random(), rng.random()), side(rng.random(), rng.random()));
        games.push(game(a, b, k % 2 == 0));
    }
    let found = identifications(&games);
    for size in [2, 3, 4] {
        let (_, identification) = found
            .iter()
            .find(|(term, _)| *term == PartyTerm::Size(size))
            .unwrap();
        let Identification::Confounded { with } = identification else {
            panic!("{size}: {identification:?}")
        };
        let mut with = with.clone();
        with.sort_by_key(ToString::to_string);
        let others = [2, 3, 4].into_iter().filter(|&other| other != size);
        assert_eq!(with, others.map(PartyTerm::Size).collect::<Vec<_>>());
    }
}

#[test]
fn without_a_scale_of_its_own_no_bonus_is_put_in_points() {
    // Who queued as a pair is 50 points better, always, and nobody else differs.
    let mut rng = ChaCha8Rng::seed_from_u64(13);
    let games: Vec<_> = (0..4000)
        .map(|k| {
            let pair = side_with(1550.0, 5, &[2]);
            let strangers = side_with(1500.0, 5, &[]);
            let won = rng.random::<f64>() < 0.6;
            if k % 2 == 0 {
                game(pair, strangers, won)
            } else {
                game(strangers, pair, !won)
            }
        })
        .collect();
    assert!(matches!(
        fit_party_bonus(&games, &PartyFitOptions::default()),
        Err(PartyFitError::NoScale { .. })
    ));
    let known = PartyFitOptions {
        log_odds_per_point: Some(0.0058),
        ..PartyFitOptions::default()
    };
    let fit = fit_party_bonus(&games, &known).unwrap();
    assert!(fit.coefficient(PartyTerm::Size(2)).unwrap().estimate.is_some());
}
