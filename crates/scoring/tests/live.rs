//! Roles, regions and rules about who may meet.

use std::collections::BTreeMap;

use crate::common::{Dice, any_teams, pool_of, quality, random_pool};
use matchwright_scoring::{
    BestRegion, Blocks, Friends, Griefers, MatchScorer, PingLimit, Player, Pool, RecentTeamMates, Regions,
    Roles, TeamFactor, TeamMatch,
};
use proptest::prelude::*;

const TWOS: [&[&str]; 2] = [&["a", "b"], &["c", "d"]];

fn why(factor: &dyn TeamFactor, pool: &Pool, teams: &[&[usize]]) -> String {
    factor
        .why_forbidden(&TeamMatch::new(pool, teams).unwrap())
        .unwrap()
}

#[test]
fn a_block_counts_both_ways_and_names_the_two() {
    let pool = pool_of(4, |index, player| {
        if index == 3 {
            player.blocks = vec!["a".to_owned(), "left the game".to_owned()];
        }
    });
    let rule = Blocks::default();
    assert_eq!(quality(&rule, &pool, &TWOS), None);
    assert_eq!(quality(&rule, &pool, &[&["a", "d"], &["b", "c"]]), None);
    assert_eq!(quality(&rule, &pool, &[&["a", "b"], &["c"]]), Some(1.0));
    let text = why(&rule, &pool, &[&[0, 1], &[2, 3]]);
    assert!(
        text.contains("`a` and `d`") && text.contains("opposite teams"),
        "{text}"
    );
    let mates_only = Blocks {
        opponents: false,
        ..Blocks::default()
    };
    assert_eq!(quality(&mates_only, &pool, &TWOS), Some(1.0));
    assert_eq!(quality(&mates_only, &pool, &[&["a", "d"], &["b", "c"]]), None);
}

#[test]
fn griefers_play_among_themselves() {
    let pool = pool_of(6, |index, player| player.griefer = index >= 4);
    let rule = Griefers {};
    assert_eq!(quality(&rule, &pool, &TWOS), Some(1.0));
    assert_eq!(quality(&rule, &pool, &[&["e"], &["f"]]), Some(1.0));
    assert_eq!(quality(&rule, &pool, &[&["a", "e"], &["c", "d"]]), None);
    assert!(why(&rule, &pool, &[&[0, 4], &[2, 3]]).contains("`e`"));
}

#[test]
fn friends_may_be_team_mates_and_not_opponents() {
    let pool = pool_of(4, |index, player| {
        if index == 0 {
            player.friends = vec!["c".to_owned()];
        }
    });
    let rule = Friends {};
    assert_eq!(quality(&rule, &pool, &TWOS), None);
    assert_eq!(quality(&rule, &pool, &[&["a", "c"], &["b", "d"]]), Some(1.0));
    assert!(why(&rule, &pool, &[&[0, 1], &[2, 3]]).contains("`a` and `c`"));
}

#[test]
fn regions_do_not_meet_but_in_a_party() {
    let pool = pool_of(4, |index, player| {
        player.region = [Some("eu"), Some("us"), None, Some("eu")][index].map(str::to_owned);
        player.party = (index < 2).then(|| "x".to_owned());
    });
    let rule = Regions {};
    assert_eq!(quality(&rule, &pool, &[&["a", "b"], &["c"]]), Some(1.0));
    assert_eq!(quality(&rule, &pool, &TWOS), None);
    assert!(why(&rule, &pool, &[&[0, 1], &[2, 3]]).contains("`b` and `d`"));
}

#[test]
fn a_ping_above_the_limit_forbids_opponents_only() {
    let pool = pool_of(4, |index, player| {
        player
            .pings
            .insert("eu".to_owned(), [20.0, 30.0, 100.0, 150.0][index]);
    });
    let limit = |most| PingLimit { most };
    assert_eq!(quality(&limit(180.0), &pool, &TWOS), Some(1.0));
    assert_eq!(quality(&limit(179.0), &pool, &TWOS), None);
    assert_eq!(quality(&limit(179.0), &pool, &[&["a", "b"], &["c"]]), Some(1.0));
    assert!(why(&limit(179.0), &pool, &[&[0, 1], &[2, 3]]).contains("180 ms"));
    assert!(PingLimit { most: f64::NAN }.check().is_err());
}

#[test]
fn team_mates_again_score_less_unless_they_are_a_party() {
    let pool = pool_of(6, |index, player| {
        player.party = (index < 2).then(|| "x".to_owned());
        player.recent_teammates = match index {
            0 => vec!["b".to_owned(), "c".to_owned()],
            3 => vec!["e".to_owned()],
            _ => Vec::new(),
        };
    });
    let factor = RecentTeamMates { again: 0.1 };
    // a-b are a party; a-c and d-e meet again: 2 of 6 pairs.
    let quality_of = |teams: &[&[&str]]| quality(&factor, &pool, teams).unwrap();
    assert!((quality_of(&[&["a", "b", "c"], &["d", "e", "f"]]) - 4.2 / 6.0).abs() < 1e-12);
    assert_eq!(quality_of(&[&["a", "b", "d"], &["c", "e", "f"]]), 1.0);
    assert_eq!(quality_of(&[&["a"], &["c"]]), 1.0);
}

#[test]
fn the_best_region_has_a_good_worst_ping_and_treats_both_teams_alike() {
    let factor = BestRegion::default();
    let pings = [[20.0, 110.0], [20.0, 110.0], [145.0, 110.0], [145.0, 110.0]];
    let pool = pool_of(4, |index, player| {
        player.pings.insert("eu".to_owned(), pings[index][0]);
        player.pings.insert("us".to_owned(), pings[index][1]);
    });
    let teams: [&[usize]; 2] = [&[0, 1], &[2, 3]];
    let candidate = TeamMatch::new(&pool, &teams).unwrap();
    // eu: worst 145 (0.5), teams 125 ms apart (0); us: worst 110 (140 / 210), fair.
    let (region, best) = factor.region(&candidate).unwrap();
    assert_eq!(pool.regions()[region], "us");
    assert!((best - (0.75 * 140.0 / 210.0 + 0.25)).abs() < 1e-12);
    // With mixed teams eu is fair, and us still better by its worst ping.
    let mixed: [&[usize]; 2] = [&[0, 2], &[1, 3]];
    assert_eq!(
        factor.region(&TeamMatch::new(&pool, &mixed).unwrap()).unwrap().0,
        1
    );
}

#[test]
fn without_a_common_region_a_match_is_forbidden_or_worthless() {
    let pool = pool_of(2, |index, player| {
        player.pings.insert(["eu", "us"][index].to_owned(), 20.0);
    });
    let duel: [&[&str]; 2] = [&["a"], &["b"]];
    let strict = BestRegion::default();
    let lenient = BestRegion {
        required: false,
        ..strict.clone()
    };
    assert_eq!(quality(&strict, &pool, &duel), None);
    assert_eq!(quality(&lenient, &pool, &duel), Some(0.0));
}

fn roles(team: &[(&str, usize)], required: bool) -> matchwright_scoring::Roles {
    let team = team
        .iter()
        .map(|&(role, count)| (role.to_owned(), count))
        .collect();
    Roles { team, required }
}

fn players_of(lists: &[&[&str]]) -> Pool {
    let player = |(index, list): (usize, &&[&str])| Player {
        roles: list.iter().map(|&role| role.to_owned()).collect(),
        ..Player::new(format!("p{index}"))
    };
    Pool::new(lists.iter().enumerate().map(player).collect()).unwrap()
}

#[test]
fn roles_are_filled_by_moving_those_who_can_do_several() {
    let factor = roles(&[("healer", 1), ("tank", 2)], true);
    // The first takes whatever the others cannot.
    let pool = players_of(&[&["healer", "tank"], &["tank"], &["tank"], &[], &["healer"], &[]]);
    let teams: [&[usize]; 2] = [&[0, 1, 2], &[3, 4, 5]];
    let candidate = TeamMatch::new(&pool, &teams).unwrap();
    assert_eq!(factor.quality(&candidate), Some(1.0));
    let assigned = factor.assign(&pool, teams[0]);
    assert_eq!(assigned[0], ("healer", Some(0)));
    let teams: [&[usize]; 2] = [&[1, 2, 3], &[0, 4, 5]];
    assert_eq!(factor.quality(&TeamMatch::new(&pool, &teams).unwrap()), Some(1.0));
    let pool = players_of(&[&["tank"], &["tank"], &["tank"], &[], &[], &[]]);
    let teams: [&[usize]; 2] = [&[0, 1, 2], &[3, 4, 5]];
    assert_eq!(factor.quality(&TeamMatch::new(&pool, &teams).unwrap()), None);
    assert!(why(&factor, &pool, &teams).contains("role `healer`"));
    let lenient = roles(&[("healer", 1), ("tank", 2)], false);
    assert_eq!(
        lenient.quality(&TeamMatch::new(&pool, &teams).unwrap()),
        Some(2.0 / 3.0)
    );
    let none = Roles {
        team: BTreeMap::from([("tank".to_owned(), 0)]),
        required: true,
    };
    assert_eq!(none.check().unwrap_err().name(), "team");
}

proptest! {
    #[test]
    fn as_many_roles_are_filled_as_trying_all_orders_can(seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let pool = random_pool(&mut dice, 8, 1, 0.0);
        let teams = any_teams(&mut dice, &pool, &[4]);
        let factor = roles(&[("tank", 1), ("healer", 1), ("damage", 1 + dice.below(2))], false);
        let places: Vec<&str> = factor.assign(&pool, &teams[0]).iter().map(|(role, _)| *role).collect();
        let filled = factor.assign(&pool, &teams[0]).iter().filter(|(_, player)| player.is_some()).count();
        prop_assert_eq!(filled, most_filled(&pool, &teams[0], &places));
        let mut holders: Vec<usize> = factor.assign(&pool, &teams[0]).iter().filter_map(|(_, player)| *player).collect();
        holders.sort_unstable();
        holders.dedup();
        prop_assert_eq!(holders.len(), filled);
    }
}

/// The first place stays empty, or goes to any of the players; the rest likewise.
fn most_filled(pool: &Pool, players: &[usize], places: &[&str]) -> usize {
    let Some((role, rest)) = places.split_first() else {
        return 0;
    };
    let mut most = most_filled(pool, players, rest);
    for &player in players.iter().filter(|&&player| pool.can_fill(player, role)) {
        let others: Vec<usize> = players.iter().copied().filter(|&other| other != player).collect();
        most = most.max(1 + most_filled(pool, &others, rest));
    }
    most
}
