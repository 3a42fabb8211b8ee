//! Pools and candidates: what is refused, by the name of the player and the field.

use crate::common::{Dice, any_teams, pool_of, random_pool};
use matchwright_scoring::{
    FactorsParams, PairTable, Player, Pool, PoolError, RulesParams, ScoringPolicy, ScoringPolicyParams,
    TeamMatch, TeamMatchError,
};
use proptest::prelude::*;

fn one(change: impl Fn(&mut Player)) -> Result<Pool, PoolError> {
    let mut player = Player::new("ann");
    change(&mut player);
    Pool::new(vec![player, Player::new("bob")])
}

fn named(id: &str) -> Vec<String> {
    vec![id.to_owned()]
}

#[test]
fn a_number_out_of_range_names_player_and_field() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -2e12] {
        let cases: [(&str, Result<Pool, PoolError>); 8] = [
            ("skill", one(|player| player.skill = Some(bad))),
            ("uncertainty", one(|player| player.uncertainty = Some(bad))),
            ("wait_seconds", one(|player| player.wait_seconds = Some(bad))),
            ("glory", one(|player| player.glory = Some(bad))),
            ("offence", one(|player| player.offence = Some(bad))),
            ("defence", one(|player| player.defence = Some(bad))),
            (
                "pings.eu",
                one(|player| _ = player.pings.insert("eu".to_owned(), bad)),
            ),
            (
                "ping_to.bob",
                one(|player| _ = player.ping_to.insert("bob".to_owned(), bad)),
            ),
        ];
        for (wanted, result) in cases {
            let error = result.unwrap_err();
            let PoolError::Number { player, field, .. } = &error else {
                unreachable!("{error}");
            };
            assert_eq!((player.as_str(), field.as_str()), ("ann", wanted));
        }
    }
    for zero in [0.0, -0.0] {
        assert!(one(|player| player.offence = Some(zero)).is_err());
        assert!(one(|player| player.wait_seconds = Some(zero)).is_ok());
    }
    assert!(one(|player| player.skill = Some(-1e12)).is_ok());
    let own = |number| one(|player| _ = player.numbers.insert("form".to_owned(), number));
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let told = own(bad).unwrap_err().to_string();
        assert!(told.contains("numbers.form") && told.contains("finite"), "{told}");
    }
    assert!(own(f64::MIN).is_ok() && own(1.7e12).is_ok());
}

#[test]
fn names_must_be_there_and_differ() {
    let pool = |ids: [&str; 3]| Pool::new(ids.map(Player::new).into());
    assert_eq!(
        pool(["a", "b", " "]).unwrap_err(),
        PoolError::EmptyId { position: 3 }
    );
    let error = pool(["a", "b", "a"]).unwrap_err();
    assert!(
        error.to_string().contains("`a` is there already, as number 1"),
        "{error}"
    );
    for (field, result) in [
        ("party", one(|player| player.party = Some(String::new()))),
        ("region", one(|player| player.region = Some(" ".to_owned()))),
        ("languages", one(|player| player.languages = named(""))),
        ("roles", one(|player| player.roles = named(""))),
        ("pings", one(|player| _ = player.pings.insert(String::new(), 1.0))),
        ("blocks", one(|player| player.blocks = named(""))),
        (
            "ping_to",
            one(|player| _ = player.ping_to.insert(String::new(), 1.0)),
        ),
    ] {
        let player = "ann".to_owned();
        assert_eq!(result.unwrap_err(), PoolError::EmptyName { player, field });
    }
    for (field, result) in [
        ("blocks", one(|player| player.blocks = named("ann"))),
        ("friends", one(|player| player.friends = named("ann"))),
        (
            "recent_opponents",
            one(|player| player.recent_opponents = named("ann")),
        ),
        (
            "recent_teammates",
            one(|player| player.recent_teammates = named("ann")),
        ),
        (
            "connects_to",
            one(|player| player.connects_to = Some(named("ann"))),
        ),
        (
            "ping_to",
            one(|player| _ = player.ping_to.insert("ann".to_owned(), 1.0)),
        ),
    ] {
        let player = "ann".to_owned();
        assert_eq!(result.unwrap_err(), PoolError::OwnName { player, field });
    }
}

#[test]
fn regions_are_those_with_pings_or_those_given() {
    let player = |id: &str, home: Option<&str>, ping: Option<&str>| Player {
        region: home.map(str::to_owned),
        pings: ping.map(|region| (region.to_owned(), 20.0)).into_iter().collect(),
        ..Player::new(id)
    };
    let pool = Pool::new(vec![
        player("a", Some("eu"), Some("us")),
        player("b", None, Some("eu")),
    ])
    .unwrap();
    assert_eq!(pool.regions(), ["eu", "us"]);
    pool.check_regions().unwrap();
    let pool = Pool::new(vec![player("a", Some("uk"), Some("us"))]).unwrap();
    let error = pool.check_regions().unwrap_err();
    assert_eq!(
        error.to_string(),
        "player `a`: `region` names the region `uk`, but the regions are us"
    );
    // Without any ping, homes are all that is known.
    let pool = Pool::new(vec![player("a", Some("uk"), None)]).unwrap();
    assert_eq!(
        (pool.regions(), pool.check_regions()),
        (&["uk".to_owned()][..], Ok(()))
    );
    let mut pool = Pool::with_regions(&["us", "eu-west"]);
    let error = pool.insert(player("a", None, Some("eu-wets"))).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("`pings` names the region `eu-wets`, but the regions are eu-west, us")
    );
    assert_eq!(pool.insert(player("a", None, Some("us"))), Ok(0));
    assert_eq!(pool.regions(), ["eu-west", "us"]);
}

#[test]
fn a_party_larger_than_a_team_is_refused_by_the_name_of_a_member() {
    let pool = pool_of(5, |index, player| {
        player.party = (index > 0).then(|| "x".to_owned());
    });
    pool.check_party_sizes(4).unwrap();
    let error = pool.check_party_sizes(3).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("player `b` is in party `x` of 4, but teams have 3 places"),
        "{error}"
    );
    assert_eq!((pool.party_size(0), pool.party_size(1)), (1, 4));
    assert_eq!(pool.parties(), [vec![1, 2, 3, 4]]);
}

#[test]
fn a_candidate_has_two_teams_or_more_of_players_who_are_there_once() {
    let pool = pool_of(4, |_, _| {});
    let of = |teams: &[&[usize]]| TeamMatch::new(&pool, teams).map(|candidate| candidate.teams().len());
    assert_eq!(of(&[&[0], &[1]]), Ok(2));
    assert_eq!(of(&[&[0], &[1], &[2, 3]]), Ok(3));
    assert_eq!(of(&[]), Err(TeamMatchError::TooFewTeams { teams: 0 }));
    assert_eq!(of(&[&[0, 1]]), Err(TeamMatchError::TooFewTeams { teams: 1 }));
    assert_eq!(of(&[&[0], &[]]), Err(TeamMatchError::EmptyTeam { team: 1 }));
    assert_eq!(
        of(&[&[0], &[4]]),
        Err(TeamMatchError::NotInPool { player: 4, pool: 4 })
    );
    assert_eq!(of(&[&[0, 1], &[1]]), Err(TeamMatchError::Twice { player: 1 }));
    let empty = Pool::new(Vec::new()).unwrap();
    assert!(empty.is_empty() && TeamMatch::new(&empty, &[&[0], &[1]]).is_err());
    // Large matches are checked another way.
    let large = Pool::new((0..80).map(|index| Player::new(format!("p{index}"))).collect()).unwrap();
    let (left, mut right): (Vec<usize>, Vec<usize>) = ((0..40).collect(), (40..80).collect());
    assert!(TeamMatch::new(&large, &[&left, &right]).is_ok());
    right[7] = 3;
    assert_eq!(
        TeamMatch::new(&large, &[&left, &right]).unwrap_err(),
        TeamMatchError::Twice { player: 3 }
    );
}

#[test]
fn a_pair_table_holds_qualities_whatever_it_is_given() {
    let values = [f64::NAN, -1.0, 2.0];
    let table = PairTable::of(&[0, 1, 2], |a, b| values[a + b - 1]);
    assert_eq!([table.at(0, 1), table.at(0, 2), table.at(1, 2)], [0.0, 0.0, 1.0]);
    assert_eq!(table.values(), [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0]);
}

#[test]
fn a_pair_table_is_the_same_from_either_side() {
    let players: Vec<usize> = (100..170).collect();
    let table = PairTable::of(&players, |a, b| (a * 1000 + b) as f64 / 1e6);
    for a in 0..70 {
        for b in 0..70 {
            let (low, high) = (players[a.min(b)], players[a.max(b)]);
            let wanted = if a == b {
                0.0
            } else {
                (low * 1000 + high) as f64 / 1e6
            };
            assert_eq!(table.at(a, b), wanted, "{a} {b}");
        }
    }
}

#[cfg(feature = "serde")]
#[test]
fn a_player_is_read_from_json_and_unknown_fields_are_refused() {
    let text = r#"{"id": "ann", "skill": 1500, "party": "x", "pings": {"eu": 20, "us": 110.5}, "experience": 120,
        "languages": ["en"], "griefer": true, "churn": {"win": 0.1, "draw": 0.2, "loss": 0.3}, "connects_to": ["bob"]}"#;
    let player: Player = serde_json::from_str(text).unwrap();
    assert_eq!(
        (player.skill, player.experience, player.griefer),
        (Some(1500.0), Some(120), true)
    );
    let back: Player = serde_json::from_str(&serde_json::to_string(&player).unwrap()).unwrap();
    assert_eq!(back, player);
    assert_eq!(
        serde_json::to_string(&Player::new("bob")).unwrap(),
        r#"{"id":"bob"}"#
    );
    for (text, wanted) in [
        (r#"{"skill": 1}"#, "missing field `id`"),
        (
            r#"{"id": "a", "skil": 1}"#,
            "unknown key `skil`: did you mean `skill`?",
        ),
        (r#"{"id": "a", "experience": -1}"#, "invalid value"),
        (r#"{"id": "a", "churn": {"win": 2, "draw": 0, "loss": 0}}"#, "win"),
    ] {
        let error = serde_json::from_str::<Player>(text).unwrap_err().to_string();
        assert!(error.contains(wanted), "{error}");
    }
}

#[test]
fn a_free_index_is_given_again_and_stands_for_nobody_until_then() {
    let mut pool = pool_of(4, |index, player| {
        player.party = Some("x".to_owned());
        player.blocks = vec![["b", "c", "d", "a"][index].to_owned()];
    });
    assert_eq!(pool.remove(1).unwrap().id, "b");
    assert_eq!(pool.remove(1), None);
    assert_eq!(pool.remove(9), None);
    assert_eq!(pool.indices().collect::<Vec<_>>(), [0, 2, 3]);
    assert_eq!(
        (pool.len(), pool.contains(1), pool.index_of("b")),
        (3, false, None)
    );
    assert_eq!(
        (pool.party_size(0), pool.party_of(1), pool.blocked(0, 1)),
        (3, None, false)
    );
    assert_eq!(
        TeamMatch::new(&pool, &[&[0], &[1]]).unwrap_err(),
        TeamMatchError::NotInPool { player: 1, pool: 3 }
    );
    // A player who is refused changes nothing; ids are known by those who name them.
    assert!(pool.insert(Player::new("a")).is_err());
    assert_eq!(pool.insert(Player::new("e")), Ok(1));
    assert_eq!(pool.insert(Player::new("b")), Ok(4));
    assert_eq!((pool.blocked(0, 1), pool.blocked(0, 4)), (false, true));
    for index in pool.indices().collect::<Vec<_>>() {
        pool.remove(index);
    }
    assert!(pool.is_empty() && pool.parties().iter().all(Vec::is_empty));
    assert_eq!(pool.insert(Player::new("f")), Ok(0));
}

/// All factors that can judge any match, and all rules.
fn strict_policy() -> ScoringPolicy {
    let params = ScoringPolicyParams {
        factors: FactorsParams::all(),
        rules: RulesParams::all(),
        ..ScoringPolicyParams::default()
    };
    params.build().unwrap()
}

proptest! {
    /// Whatever came and went before, in whatever order, what is said of those who wait is what a new pool says.
    #[test]
    fn a_pool_after_any_inserts_and_removes_answers_as_a_new_one(seed in any::<u64>(), steps in 0..60_usize) {
        let mut dice = Dice(seed);
        let all: Vec<Player> = random_pool(&mut dice, 14, 4, 0.2).players().cloned().collect();
        let mut pool = Pool::default();
        for _ in 0..steps {
            let player = &all[dice.below(all.len())];
            let (before, at) = (pool.len(), pool.index_of(&player.id));
            if let Some(index) = at {
                prop_assert_eq!(pool.remove(index), Some(player.clone()));
            } else {
                let index = pool.insert(player.clone()).unwrap();
                prop_assert_eq!(&pool[index], player);
            }
            prop_assert_eq!(pool.len().abs_diff(before), 1);
        }
        let index: Vec<usize> = pool.indices().collect();
        let fresh = Pool::new(pool.players().cloned().collect()).unwrap();
        prop_assert_eq!(fresh.len(), pool.len());
        prop_assert_eq!(fresh.check_regions().is_ok(), pool.check_regions().is_ok());
        for (a, &i) in index.iter().enumerate() {
            prop_assert_eq!(fresh.index_of(&pool[i].id), Some(a));
            prop_assert_eq!(fresh.party_size(a), pool.party_size(i));
            for (b, &j) in index.iter().enumerate() {
                prop_assert_eq!(fresh.ping(a, b).to_bits(), pool.ping(i, j).to_bits());
                let relations = |pool: &Pool, a, b| [
                    pool.same_party(a, b),
                    pool.connected(a, b),
                    pool.blocked(a, b),
                    pool.friends(a, b),
                    pool.were_opponents(a, b),
                    pool.were_teammates(a, b),
                ];
                prop_assert_eq!(relations(&fresh, a, b), relations(&pool, i, j));
            }
        }
        let policy = strict_policy();
        for size in 1..=fresh.len() / 2 {
            let teams = any_teams(&mut dice, &fresh, &[size, size]);
            let there: Vec<Vec<usize>> =
                teams.iter().map(|team| team.iter().map(|&player| index[player]).collect()).collect();
            let explain = |pool: &Pool, teams: &[Vec<usize>]| {
                let teams: Vec<&[usize]> = teams.iter().map(Vec::as_slice).collect();
                policy.explain(&TeamMatch::new(pool, &teams).unwrap())
            };
            prop_assert_eq!(explain(&fresh, &teams), explain(&pool, &there));
        }
    }

    #[test]
    fn pings_and_connections_are_symmetric(seed in any::<u64>()) {
        let pool = random_pool(&mut Dice(seed), 10, 3, 0.3);
        for a in 0..10 {
            for b in 0..10 {
                prop_assert_eq!(pool.ping(a, b).to_bits(), pool.ping(b, a).to_bits());
                prop_assert_eq!(pool.connected(a, b), pool.connected(b, a));
                prop_assert_eq!(pool.blocked(a, b), pool.blocked(b, a));
                prop_assert_eq!(pool.were_opponents(a, b), pool.were_opponents(b, a));
            }
        }
    }
}
