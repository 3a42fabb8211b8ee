//! Policies as lobby objectives, compared with the scores of whole matches.

use matchwright_lobby::best_with;
use matchwright_scoring::{
    Player, PolicyDocument, Pool, ScoringPolicy, TeamSkill, WeightedFactor, WinProbability,
};
use matchwright_solver::Limits;
use proptest::prelude::*;

use super::*;
use crate::population::{LobbyWorldParams, lobby_players};

fn policy(text: &str) -> ScoringPolicy {
    let document: PolicyDocument = toml::from_str(text).unwrap();
    document.scoring.unwrap().build().unwrap()
}

fn awesomenauts() -> ScoringPolicy {
    policy(include_str!("../../../../../examples/policies/awesomenauts.toml"))
}

fn world(players: usize, seed: u64) -> Pool {
    let params = LobbyWorldParams {
        players,
        walled: 0.3,
        ..LobbyWorldParams::default()
    };
    Pool::new(lobby_players(&params, seed).unwrap()).unwrap()
}

/// A match of whole parties from the front of a shuffled line, if the line fills one.
fn draw(pool: &LobbyPool, keys: &[u64], size: usize) -> Option<[Vec<usize>; 2]> {
    let mut line: Vec<&Vec<usize>> = pool.parties().iter().collect();
    line.sort_by_key(|party| keys[party[0]]);
    let mut teams = [Vec::new(), Vec::new()];
    for party in line {
        let team = teams.iter_mut().find(|team| team.len() + party.len() <= size);
        if let Some(team) = team {
            team.extend(party);
        }
    }
    (teams[0].len() == size && teams[1].len() == size).then_some(teams)
}

proptest! {
    #[test]
    fn terms_are_the_policy_on_any_match_of_whole_parties(
        seed in 0..50_u64,
        keys in prop::collection::vec(any::<u64>(), 30),
        size in 1..=5_usize,
        rules in any::<bool>(),
    ) {
        let mut players = world(30, seed).players().cloned().collect::<Vec<_>>();
        let (blocked, griefers) = (players[9].id.clone(), [3, 4, 5]);
        players[2].blocks.push(blocked);
        for place in griefers {
            players[place].griefer = true;
        }
        // Parties of three do not fit smaller teams.
        players.iter_mut().filter(|_| size < 3).for_each(|player| player.party = None);
        let pool = Pool::new(players).unwrap();
        let policy = if rules {
            let text = include_str!("../../../../../examples/policies/awesomenauts.toml");
            policy(&format!("{text}\n[scoring.rules.blocks]\n[scoring.rules.griefers]\n"))
        } else {
            awesomenauts()
        };
        let scoring = LobbyScoring { pool: &pool, policy: &policy };
        let all: Vec<usize> = (0..pool.len()).collect();
        let terms = scoring.lobby_terms(&all, (size, size)).unwrap();
        let Some([a, b]) = draw(&lobby_pool(&pool, [size, size]).unwrap(), &keys, size) else {
            return Ok(());
        };
        match (scoring.quality(&a, &b), terms.quality(&a, &b)) {
            (Some(asked), Some(summed)) => prop_assert!((asked - summed).abs() < 1e-9, "{asked} {summed}"),
            (asked, summed) => prop_assert_eq!(asked, summed),
        }
    }
}

proptest! {
    #[test]
    fn evaluators_are_the_policy_on_any_match_of_whole_parties(
        seed in 0..50_u64,
        keys in prop::collection::vec(any::<u64>(), 30),
        sizes in (3..=5_usize, 3..=5_usize),
        kind in 0..3_usize,
    ) {
        let pool = world(30, seed);
        let awesomenauts = include_str!("../../../../../examples/policies/awesomenauts.toml");
        let policy = match kind {
            // The threshold forbids about every second match of neighbours by these skills, and few of these.
            0 => policy(include_str!("../../../../../examples/policies/dota.toml")).with_threshold(0.3).unwrap(),
            1 => policy(&format!("{awesomenauts}\n[scoring.rules.ping_limit]\nmost = 200\n")),
            _ => policy(&awesomenauts.replace("weight = 2\n", "weight = 2\nfloor = 0.5\n")),
        };
        let scoring = LobbyScoring { pool: &pool, policy: &policy };
        let players: Vec<usize> = (0..pool.len()).rev().collect();
        let Some([a, b]) = draw(&lobby_pool(&pool, [5, 5]).unwrap(), &keys, sizes.0) else {
            return Ok(());
        };
        let b = if sizes.0 == sizes.1 { b } else { b[..1].to_vec() };
        prop_assume!(b.iter().all(|&player| pool.party_size(player) == 1 || b.len() > 1));
        let place = |team: &[usize]| team.iter().map(|&player| pool.len() - 1 - player).collect::<Vec<_>>();
        let value = scoring.evaluator(&players, (a.len(), b.len()))(&place(&a), &place(&b));
        match scoring.quality(&a, &b) {
            Some(quality) => prop_assert!((quality - value).abs() < 1e-9, "{quality} {value}"),
            None => prop_assert!(value < 0.0, "{value}"),
        }
    }
}

#[test]
fn the_dota_policy_has_no_terms_but_a_best_match_above_its_threshold() {
    let mut players: Vec<Player> = world(60, 3).players().cloned().collect();
    for player in &mut players {
        player.skill = player.skill.map(|skill| skill / 4.0);
    }
    let pool = Pool::new(players).unwrap();
    let policy = policy(include_str!("../../../../../examples/policies/dota.toml"));
    let scoring = LobbyScoring {
        pool: &pool,
        policy: &policy,
    };
    let all: Vec<usize> = (0..60).collect();
    assert_eq!(
        scoring.lobby_terms(&all, (5, 5)).unwrap_err(),
        NoTerms::Factor("skill_spread")
    );
    let lobbies = lobby_pool(&pool, [5, 5]).unwrap();
    let mut qualities = Vec::new();
    for work in [1000, 50_000] {
        let limits = Limits::unlimited().with_work(work);
        let best = (0..60).map(|player| best_with(&lobbies, &scoring, player, &limits).unwrap());
        let of_matches: Vec<f64> = best.flatten().map(|lobby| lobby.quality).collect();
        assert!(of_matches.len() > 50 && of_matches.iter().all(|&quality| quality >= 0.6));
        qualities.push(of_matches.iter().sum::<f64>() / of_matches.len() as f64);
    }
    assert!(qualities[0] > 0.94 * qualities[1], "{qualities:?}");
}

#[test]
fn terms_of_a_part_of_the_pool_count_players_within_it() {
    let pool = world(30, 4);
    let policy = awesomenauts();
    let scoring = LobbyScoring {
        pool: &pool,
        policy: &policy,
    };
    // One against one, so that no party is split.
    let part = [20, 3, 11, 7];
    let terms = scoring.lobby_terms(&part, (1, 1)).unwrap();
    let (asked, summed) = (
        scoring.quality(&[11], &[3]).unwrap(),
        terms.quality(&[2], &[1]).unwrap(),
    );
    assert!((asked - summed).abs() < 1e-9, "{asked} {summed}");
}

#[test]
fn what_does_not_add_up_is_named_and_has_no_terms() {
    let head = "[scoring.factors.team_skill]\nweight = 1\n";
    let cases = [
        ("[scoring]\nthreshold = 0.5\n", "", NoTerms::Threshold),
        ("[scoring]\ncombine = { exponent = 0 }\n", "", NoTerms::Mean),
        ("", "floor = 0.2\n", NoTerms::Floor("team_skill")),
        (
            "",
            "[scoring.factors.skill_spread]\nweight = 1\n",
            NoTerms::Factor("skill_spread"),
        ),
        (
            "",
            "[scoring.factors.hosts]\nrequired = true\n",
            NoTerms::CountForbids("hosts"),
        ),
    ];
    let pool = world(12, 1);
    let all: Vec<usize> = (0..12).collect();
    for (before, after, why) in cases {
        let policy = policy(&format!("{before}{head}{after}"));
        let scoring = LobbyScoring {
            pool: &pool,
            policy: &policy,
        };
        assert_eq!(scoring.lobby_terms(&all, (3, 3)).unwrap_err(), why);
        assert!(LobbyObjective::terms(&scoring, &all, (3, 3)).is_none());
    }
    let policy = awesomenauts();
    let scoring = LobbyScoring {
        pool: &pool,
        policy: &policy,
    };
    assert_eq!(
        scoring.lobby_terms(&all, (2, 3)).unwrap_err(),
        NoTerms::UnevenTeams(2, 3)
    );
}

#[test]
fn a_host_who_can_only_be_a_guest_has_no_terms() {
    let mut players = world(12, 1).players().cloned().collect::<Vec<_>>();
    players[4].can_host = Some(false);
    let (pool, policy) = (Pool::new(players).unwrap(), awesomenauts());
    let scoring = LobbyScoring {
        pool: &pool,
        policy: &policy,
    };
    let all: Vec<usize> = (0..12).collect();
    assert_eq!(
        scoring.lobby_terms(&all, (3, 3)).unwrap_err(),
        NoTerms::OneSided("hosts")
    );
}

#[test]
fn an_unknown_skill_has_no_terms() {
    let pool = Pool::new(["a", "b", "c", "d"].map(Player::new).into()).unwrap();
    let factor = TeamSkill::default();
    let policy = ScoringPolicy::new(vec![WeightedFactor::new(1.0, factor)]).unwrap();
    let scoring = LobbyScoring {
        pool: &pool,
        policy: &policy,
    };
    assert_eq!(
        scoring.lobby_terms(&[0, 1, 2, 3], (2, 2)).unwrap_err(),
        NoTerms::UnknownLevel("team_skill")
    );
}

#[test]
fn a_chance_to_win_is_a_balance_and_party_variation_of_nobody_is_perfect() {
    let pool = world(12, 2);
    let chance = WinProbability::default();
    let policy = ScoringPolicy::new(vec![WeightedFactor::new(1.0, chance)]).unwrap();
    let scoring = LobbyScoring {
        pool: &pool,
        policy: &policy,
    };
    let terms = scoring.lobby_terms(&(0..12).collect::<Vec<_>>(), (1, 1)).unwrap();
    let (asked, summed) = (
        scoring.quality(&[0], &[7]).unwrap(),
        terms.quality(&[0], &[7]).unwrap(),
    );
    assert!((asked - summed).abs() < 1e-9);
}

#[test]
fn the_order_goes_by_region_and_then_by_skill() {
    let pool = world(60, 9);
    let lobby = lobby_pool(&pool, [3, 3]).unwrap();
    let key = |player: usize| {
        let region = pool[player].region.as_deref().unwrap();
        (
            pool.regions().iter().position(|known| known == region),
            pool.skill(player),
        )
    };
    assert!(lobby.order().windows(2).all(|two| key(two[0]) <= key(two[1])));
    assert_eq!(
        lobby.unmatched_penalties()[5],
        unmatched_penalty(pool[5].wait_seconds.unwrap())
    );
    assert_eq!(
        lobby.parties().iter().filter(|party| party.len() > 1).count(),
        pool.parties().len()
    );
}

#[test]
fn a_pool_with_a_free_index_below_the_highest_is_refused() {
    let mut pool = world(12, 3);
    pool.remove(11);
    assert!(lobby_pool(&pool, [3, 3]).is_ok());
    pool.remove(4);
    let error = lobby_pool(&pool, [3, 3]).unwrap_err();
    assert!(
        error.to_string().contains("the highest index of a player is 10"),
        "{error}"
    );
}

#[test]
fn players_without_a_region_are_at_home_where_their_ping_is_least() {
    let mut players = world(12, 3).players().cloned().collect::<Vec<_>>();
    let before = lobby_pool(&Pool::new(players.clone()).unwrap(), [3, 3]).unwrap();
    for player in &mut players {
        player.region = None;
    }
    let after = lobby_pool(&Pool::new(players).unwrap(), [3, 3]).unwrap();
    assert_eq!(before.order(), after.order());
}
