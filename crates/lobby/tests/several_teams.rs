//! Matches of more than two teams.

use matchwright_lobby::{
    Annealing, CertifiedLobbies, Exchanges, LobbyError, LobbyObjective, LobbyPool, LobbySolver,
    LobbyVerifyError, MatchFinder, SplitError, best_with, verify_lobbies,
};
use matchwright_solver::{Limits, Status};

use super::common::lobby_pools::pool_of;
use super::common::lobby_world::tables;

/// The best match with a player of all there are, by the definition: each party in each team, or unmatched.
fn best_by_all(pool: &LobbyPool, objective: &dyn LobbyObjective, player: usize) -> Option<f64> {
    let places = pool.sizes().len() + 1;
    let codes = 0..places.pow(u32::try_from(pool.parties().len()).unwrap());
    let teams = codes.map(|mut code| {
        let mut teams = vec![Vec::new(); places];
        for party in pool.parties() {
            teams[code % places].extend_from_slice(party);
            code /= places;
        }
        teams
    });
    teams
        .filter(|teams| !teams[places - 1].contains(&player))
        .filter(|teams| (0..places - 1).all(|team| teams[team].len() == pool.sizes()[team]))
        .filter_map(|teams| objective.quality_of(&teams[..places - 1]))
        .reduce(f64::max)
}

#[test]
fn a_short_search_finds_the_best_match_of_most_small_pools() {
    let (mut best, mut all) = (0, 0);
    for (players, sizes) in [
        (7, &[2, 2, 2][..]),
        (7, &[1, 2, 3]),
        (6, &[1, 1, 1, 1]),
        (8, &[2, 1, 3]),
    ] {
        for seed in 0..6 {
            let (pool, objective) = (pool_of(seed, players, sizes), tables(seed, players, 0.05));
            for player in 0..players {
                let found = best_with(&pool, &objective, player, &Limits::unlimited()).unwrap();
                let known = best_by_all(&pool, &objective, player);
                assert!(found.is_none() || known.is_some(), "{sizes:?} {seed} {player}");
                let Some(known) = known else { continue };
                let found = found.map_or(0.0, |lobby| lobby.quality);
                assert!(found <= known + 1e-12);
                all += 1;
                best += usize::from(found > known - 1e-9);
            }
        }
    }
    assert!(10 * best >= 9 * all && all > 100, "{best} of {all}");
}

/// Three teams of two of one skill class each: 18 players in three classes, parties across the file.
#[test]
fn pools_are_put_into_matches_of_three_teams() {
    let skill = |player: usize| [10.0, 20.0, 30.0_f64][player % 3];
    let quality = |a: &[usize], b: &[usize]| {
        let gap = |&one: &usize| {
            b.iter()
                .map(|&other| (skill(one) - skill(other)).abs())
                .sum::<f64>()
        };
        Some(1.0 - a.iter().map(gap).sum::<f64>() / 80.0)
    };
    let pool = LobbyPool::new(19, [2, 2, 2]).unwrap();
    let pool = pool.with_parties(&[vec![0, 3], vec![4, 16], vec![5, 8]]).unwrap();
    let solvers: [&dyn LobbySolver; 2] = [
        &Annealing::new(3).with_moves(20_000),
        &CertifiedLobbies::new(3).with_moves(20_000),
    ];
    for solver in solvers {
        let lineups = solver.solve(&pool, &quality).unwrap();
        assert_eq!(lineups.lobbies.len(), 3);
        assert_eq!((lineups.mean_quality(), lineups.unmatched.len()), (1.0, 1));
        // Nothing is proven of more than two teams.
        assert_eq!((lineups.status, lineups.bound()), (Status::Finished, None));
        let verdict = verify_lobbies(&pool, &quality, &lineups).unwrap();
        assert_eq!(verdict.value, 2.0);

        let mut torn = lineups.clone();
        let teams = &mut torn
            .lobbies
            .iter_mut()
            .find(|lobby| lobby.players().any(|one| one == 4))
            .unwrap()
            .teams;
        let at = teams.iter().position(|team| team.contains(&4)).unwrap();
        let gone = std::mem::take(&mut teams[at]);
        assert!(matches!(
            verify_lobbies(&pool, &quality, &torn),
            Err(LobbyVerifyError::TeamSize { .. })
        ));
        let next = (at + 1) % 3;
        teams_swapped(&mut torn, gone, (at, next));
        assert!(matches!(
            verify_lobbies(&pool, &quality, &torn),
            Err(LobbyVerifyError::TornParty { .. })
        ));
    }
}

/// Puts a team back with one of its players in another team.
fn teams_swapped(lineups: &mut matchwright_lobby::Lineups, gone: Vec<usize>, (at, next): (usize, usize)) {
    let lobby = lineups
        .lobbies
        .iter_mut()
        .find(|lobby| lobby.teams[at].is_empty())
        .unwrap();
    lobby.teams[at] = gone;
    let one = lobby.teams[at][0];
    lobby.teams[at][0] = std::mem::replace(&mut lobby.teams[next][0], one);
}

/// Everyone alone: neighbours in skill meet.
#[test]
fn a_pool_of_one_each_is_cut_by_skill() {
    let quality = |a: &[usize], b: &[usize]| Some(1.0 - a[0].abs_diff(b[0]) as f64 / 1000.0);
    let pool = LobbyPool::new(80, [1; 8]).unwrap();
    let lineups = Annealing::new(1)
        .with_moves(100_000)
        .solve(&pool, &quality)
        .unwrap();
    let best = 1.0 - 3.0 / 1000.0;
    assert_eq!(lineups.lobbies.len(), 10);
    assert!(lineups.mean_quality() > best - 2e-4, "{}", lineups.mean_quality());
}

#[test]
fn what_is_no_match_is_refused_in_words() {
    let one = LobbyPool::new(5, [5]).unwrap_err();
    assert_eq!(one, LobbyError::Split(SplitError::TooFewTeams { teams: 1 }));
    let few = LobbyPool::new(5, [2, 2, 2]).unwrap_err();
    assert_eq!(
        few.to_string(),
        "5 players do not fill one match of 2 against 2 against 2: wait for 1 more"
    );
    let pool = LobbyPool::new(7, [2, 2, 2]).unwrap();
    let fine = |_: &[usize], _: &[usize]| Some(1.0);
    for start in [
        &[vec![0, 1], vec![2, 3]][..],
        &[vec![0, 1], vec![2, 3], vec![4, 4]],
    ] {
        let found = Exchanges.find_from(&pool, &fine, 0, start, &Limits::unlimited());
        assert_eq!(found, Err(LobbyError::Start { player: 0 }));
    }
}

/// Parties of three fill no teams of two and four with singles missing: nothing is found, and without end neither.
#[test]
fn where_no_parties_fill_all_teams_there_is_no_match() {
    let trios: Vec<Vec<usize>> = (0..40).map(|k| vec![3 * k, 3 * k + 1, 3 * k + 2]).collect();
    let pool = LobbyPool::new(121, [4, 4, 4, 4])
        .unwrap()
        .with_parties(&trios)
        .unwrap();
    let fine = |_: &[usize], _: &[usize]| Some(1.0);
    assert_eq!(best_with(&pool, &fine, 0, &Limits::unlimited()), Ok(None));
    let pool = LobbyPool::new(124, [4, 4, 4, 4])
        .unwrap()
        .with_parties(&trios)
        .unwrap();
    let found = best_with(&pool, &fine, 0, &Limits::unlimited()).unwrap().unwrap();
    assert!(found.teams.iter().all(|team| team.len() == 4));
}
