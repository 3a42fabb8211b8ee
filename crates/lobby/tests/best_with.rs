//! The best match with one given player, against all matches of small pools.

use matchwright_lobby::{
    Lobby, LobbyError, LobbyObjective, LobbyPool, LobbyTerms, MatchEvaluator, ObjectiveError, SomePlayers,
    best_from, best_with,
};
use matchwright_solver::{Limits, Progress};
use proptest::prelude::*;

use crate::common::lobby_kinds::KINDS;
use crate::common::lobby_pools::pool;
use crate::common::lobby_world::{Tables, best_quality_with, tables};

/// The same objective without terms.
struct WithoutTerms(Tables);

impl LobbyObjective for WithoutTerms {
    fn quality(&self, team_a: &[usize], team_b: &[usize]) -> Option<f64> {
        self.0.quality(team_a, team_b)
    }
}

fn search(pool: &LobbyPool, objective: &dyn LobbyObjective, player: usize) -> Option<Lobby> {
    best_with(pool, objective, player, &Limits::unlimited()).unwrap()
}

/// That it is a match with the player, full, of whole parties, with the objective's quality.
fn assert_lawful(pool: &LobbyPool, objective: &dyn LobbyObjective, player: usize, lobby: &Lobby) {
    assert_eq!(
        (lobby.team_a().len(), lobby.team_b().len()),
        pool.two_teams().unwrap()
    );
    let mut all = [lobby.team_a(), lobby.team_b()].concat();
    all.sort_unstable();
    assert!(all.windows(2).all(|two| two[0] < two[1]) && all.contains(&player));
    for team in [lobby.team_a(), lobby.team_b()] {
        assert!(team.is_sorted());
        let whole = |&of: &usize| pool.party_of(of).iter().all(|mate| team.contains(mate));
        assert!(team.iter().all(whole), "a party is split");
    }
    let quality = objective.quality(lobby.team_a(), lobby.team_b());
    assert_eq!(quality, Some(lobby.quality));
}

#[test]
fn of_small_pools_nearly_always_the_best_of_all_matches_is_found() {
    let (mut found, mut by_calls, mut optimum) = (0.0, 0.0, 0.0);
    let (mut same, mut pools) = (0, 0);
    for (players, sizes, forbidden) in KINDS {
        for seed in 0..20 {
            let pool = pool(seed, players, sizes);
            let tables = tables(seed, players, forbidden);
            let player = usize::try_from(seed).unwrap() % players;
            let best = best_quality_with(&pool, &tables, player);
            let lobby = search(&pool, &tables, player);
            // These pools are so small that even the only match is found.
            assert_eq!(lobby.is_some(), best.is_some(), "{sizes:?} {seed}");
            let Some((lobby, best)) = lobby.zip(best) else {
                continue;
            };
            assert_lawful(&pool, &tables, player, &lobby);
            assert!(lobby.quality <= best + 1e-12, "{sizes:?} {seed}");
            found += lobby.quality;
            optimum += best;
            same += usize::from(lobby.quality > best - 1e-12);
            pools += 1;
            // Without terms nothing leads out of forbidden matches but chance.
            if let Some(lobby) = search(&pool, &WithoutTerms(tables), player) {
                assert!(lobby.quality <= best + 1e-12, "{sizes:?} {seed}");
                by_calls += lobby.quality;
            }
        }
    }
    assert!(pools > 100 && same * 100 >= 97 * pools, "{same} of {pools}");
    assert!(
        found >= 0.9995 * optimum && by_calls >= 0.99 * optimum,
        "{found} {by_calls} {optimum}"
    );
}

#[test]
fn five_against_five_of_sixteen_players_are_within_a_hundredth_of_the_best() {
    let (mut found, mut optimum) = (0.0, 0.0);
    for seed in 0..3 {
        let pool = pool(seed, 16, (5, 5));
        let tables = tables(seed, 16, 0.02);
        found += search(&pool, &tables, 2).unwrap().quality;
        optimum += best_quality_with(&pool, &tables, 2).unwrap();
    }
    assert!(found <= optimum && found > 0.99 * optimum, "{found} {optimum}");
}

/// A sum of what pairs are worth: of two players, as mates or as opponents.
struct OfPairs<F>(F);
impl<F: Fn(usize, usize, bool) -> Option<f64> + Sync> LobbyObjective for OfPairs<F> {
    fn quality(&self, team_a: &[usize], team_b: &[usize]) -> Option<f64> {
        let players: Vec<usize> = (0..12).collect();
        self.terms(&players, (3, 3))?.quality(team_a, team_b)
    }

    fn terms(&self, players: &[usize], _: (usize, usize)) -> Option<LobbyTerms> {
        let pair = |same| move |i: usize, j: usize| (self.0)(players[i], players[j], same);
        LobbyTerms::new(players.len())
            .ok()?
            .with_pairs(pair(true), pair(false))
            .ok()
    }
}

#[test]
fn the_only_allowed_match_is_found() {
    let teams = [[0, 3, 8], [5, 7, 11]];
    let team_of = |player: usize| teams.iter().position(|team| team.contains(&player));
    let allowed = |i, j, same: bool| {
        let both = team_of(i).zip(team_of(j));
        both.filter(|(a, b)| (a == b) == same).map(|_| 0.05)
    };
    let pool = LobbyPool::new(12, [3, 3]).unwrap();
    let lobby = search(&pool, &OfPairs(allowed), 7).unwrap();
    assert_eq!([lobby.team_a(), lobby.team_b()], teams);
    assert_eq!(search(&pool, &OfPairs(allowed), 1), None);
}

#[test]
fn a_party_that_no_others_fill_up_to_a_match_has_none() {
    let any = |_: &[usize], _: &[usize]| Some(0.5);
    let pool = LobbyPool::new(7, [3, 3]).unwrap();
    let pool = pool.with_parties(&[vec![0, 1], vec![2, 3], vec![4, 5]]).unwrap();
    assert!((0..7).all(|player| search(&pool, &any, player).is_none()));
    let pool = LobbyPool::new(7, [3, 2]).unwrap();
    let pool = pool
        .with_parties(&[vec![0, 1], vec![2, 3], vec![4, 5, 6]])
        .unwrap();
    let lobby = search(&pool, &any, 3).unwrap();
    assert_eq!(lobby.teams, [vec![4, 5, 6], vec![2, 3]]);
}

#[test]
fn some_players_of_an_objective_have_the_match_of_a_pool_of_their_own() {
    let tables = tables(3, 30, 0.0);
    let names = [4, 29, 11, 17, 0, 23, 8, 9];
    let some = SomePlayers {
        objective: &tables,
        players: &names,
    };
    let pool = LobbyPool::new(8, [2, 2]).unwrap();
    let lobby = search(&pool, &some, 5).unwrap();
    let (a, b) = (some.names(lobby.team_a()), some.names(lobby.team_b()));
    assert_eq!(tables.quality(&a, &b), Some(lobby.quality));
    assert!(a.contains(&23) || b.contains(&23));
}

#[test]
fn limits_end_the_search_with_what_was_found() {
    let tables = tables(1, 30, 0.0);
    let pool = pool(1, 30, (5, 5));
    let quality = |limits: &Limits<'_>| {
        let lobby = best_with(&pool, &tables, 9, limits).unwrap().unwrap();
        assert_lawful(&pool, &tables, 9, &lobby);
        lobby.quality
    };
    let start = quality(&Limits::unlimited().with_work(0));
    let few = quality(&Limits::unlimited().with_work(300));
    let more = quality(&Limits::unlimited().with_work(20_000));
    assert!(start < few && few <= more, "{start} {few} {more}");
    let stop = |_: &Progress| 1.0;
    let stopped = quality(&Limits::unlimited().with_watch(&stop));
    assert!(start <= stopped && stopped < more, "{stopped}");
}

#[test]
fn from_a_match_that_is_allowed_one_at_least_as_good_is_found() {
    let pool = LobbyPool::new(40, [3, 3]).unwrap();
    let pool = pool.with_parties(&[vec![4, 5]]).unwrap();
    // One in a million matches is allowed, and one a little better.
    let quality = |a: &[usize], b: &[usize]| {
        let sum = |team: &[usize]| team.iter().sum::<usize>();
        (sum(a).abs_diff(sum(b)) > 98).then(|| sum(a).abs_diff(sum(b)) as f64 / 1000.0)
    };
    let start = |a: &[usize], b: &[usize]| {
        let teams = [a.to_vec(), b.to_vec()];
        best_from(&pool, &quality, 0, &teams, &Limits::unlimited())
    };
    let lobby = start(&[0, 1, 2], &[30, 38, 39]).unwrap().unwrap();
    assert_lawful(&pool, &quality, 0, &lobby);
    assert!(lobby.quality >= 0.104, "{lobby:?}");
    for (a, b) in [
        (&[0, 1][..], &[37, 38, 39][..]),
        (&[0, 1, 1], &[37, 38, 39]),
        (&[0, 1, 2], &[2, 38, 39]),
        (&[0, 1, 2], &[37, 38, 40]),
        (&[0, 1, 4], &[37, 38, 39]),
        (&[1, 2, 3], &[37, 38, 39]),
    ] {
        assert_eq!(start(a, b), Err(LobbyError::Start { player: 0 }), "{a:?} {b:?}");
    }
}

/// Its evaluator gives more than its quality.
struct Flatterer;
impl LobbyObjective for Flatterer {
    fn quality(&self, _: &[usize], _: &[usize]) -> Option<f64> {
        Some(0.5)
    }

    fn evaluator(&self, _: &[usize], _: (usize, usize)) -> MatchEvaluator<'_> {
        Box::new(|_, _| 0.6)
    }
}

#[test]
fn a_player_of_no_pool_and_objectives_that_break_their_contract_are_refused() {
    let pool = LobbyPool::new(6, [2, 2]).unwrap();
    let limits = Limits::unlimited();
    let good = |_: &[usize], _: &[usize]| Some(0.5);
    let error = best_with(&pool, &good, 6, &limits).unwrap_err();
    assert_eq!(
        error,
        LobbyError::NoSuchPlayer {
            player: 6,
            players: 6
        }
    );
    for bad in [1.5, -0.5, f64::NAN] {
        let quality = |_: &[usize], _: &[usize]| Some(bad);
        let error = best_with(&pool, &quality, 0, &limits).unwrap_err();
        assert!(
            matches!(error, LobbyError::Objective(ObjectiveError::BadQuality { .. })),
            "{error}"
        );
    }
    let error = best_with(&pool, &Flatterer, 0, &limits).unwrap_err();
    assert!(
        matches!(error, LobbyError::Objective(ObjectiveError::TermsDisagree { .. })),
        "{error}"
    );
}

proptest! {
    #[test]
    fn what_is_found_is_a_lawful_match_and_always_the_same(
        seed in any::<u64>(),
        kind in 0..KINDS.len(),
        extra in 0..20_usize,
        work in 0..2000_u64,
    ) {
        let (players, sizes, forbidden) = KINDS[kind];
        let players = players + extra;
        let (pool, tables) = (pool(seed, players, sizes), tables(seed, players, forbidden));
        let player = pool.order()[extra % players];
        let limits = Limits::unlimited().with_work(work);
        let lobby = best_with(&pool, &tables, player, &limits).unwrap();
        prop_assert_eq!(&lobby, &best_with(&pool, &tables, player, &limits).unwrap());
        if let Some(lobby) = lobby {
            assert_lawful(&pool, &tables, player, &lobby);
        }
    }
}
