//! The six factors of Awesomenauts on its article's examples, worked by hand.

use crate::common::{Dice, pool_of, quality, random_pool, skilled};
use matchwright_scoring::{
    CurveParams, EnemyPing, Hosts, MatchScorer, OpponentVariation, PlayerSkill, Pool, Premades, TeamFactor,
    TeamMatch, TeamSkill,
};
use proptest::prelude::*;

const THREES: [&[&str]; 2] = [&["a", "b", "c"], &["d", "e", "f"]];

fn straight() -> PlayerSkill {
    let difference = CurveParams::Ramp {
        best: 0.0,
        worst: 10_000.0,
        power: 1.0,
    }
    .build()
    .unwrap();
    PlayerSkill {
        skill_cap: None,
        difference,
    }
}

fn close(a: Option<f64>, b: f64) {
    assert!(a.is_some_and(|a| (a - b).abs() < 1e-12), "{a:?} is not {b}");
}

#[test]
fn team_skill_is_the_difference_of_the_means() {
    let factor = TeamSkill::default();
    // Means 5,000 and 4,000.
    let pool = skilled(&[3000.0, 5000.0, 7000.0, 2000.0, 4000.0, 6000.0]);
    close(quality(&factor, &pool, &THREES), 0.9);
    // Uneven teams: 4,000 against 3,000.
    let pool = skilled(&[3000.0, 5000.0, 3000.0]);
    close(quality(&factor, &pool, &[&["a", "b"], &["c"]]), 0.9);
}

#[test]
fn two_pros_and_a_beginner_on_each_side_are_fair_teams_and_unlike_players() {
    let pool = skilled(&[9000.0, 9000.0, 0.0, 9000.0, 9000.0, 0.0]);
    let teams = TeamSkill::default();
    assert_eq!(quality(&teams, &pool, &THREES), Some(1.0));
    // Of the 15 pairs, 4 x 2 differ by 9,000: 1 - 8 x 0.9 / 15.
    close(quality(&straight(), &pool, &THREES), 0.52);
}

#[test]
fn the_fifteen_pairs_of_six_players_count_alike() {
    // Differences 1..5 thousand: 5, 4, 3, 2, 1 pairs, in all 35,000 over 15 pairs.
    let pool = skilled(&[0.0, 1000.0, 2000.0, 3000.0, 4000.0, 5000.0]);
    close(quality(&straight(), &pool, &THREES), 1.0 - 3.5 / 15.0);
    close(
        quality(&straight(), &pool, &[&["f", "a", "d"], &["b", "e", "c"]]),
        1.0 - 3.5 / 15.0,
    );
}

#[test]
fn a_straight_line_cannot_rate_the_larger_mean_difference_better_and_a_power_for_each_pair_can() {
    // Mean difference 2,000 in few large gaps, against 1,900 in even ones: five equal and one far out, against
    // two groups.
    let outlier = skilled(&[0.0, 0.0, 0.0, 0.0, 0.0, 6000.0]);
    let groups = skilled(&[0.0, 0.0, 0.0, 3200.0, 3200.0, 3200.0]);
    let mean = |pool: &Pool| 10_000.0 * (1.0 - quality(&straight(), pool, &THREES).unwrap());
    assert!((mean(&outlier) - 2000.0).abs() < 1e-6 && (mean(&groups) - 1920.0).abs() < 1e-6);
    for power in [1.5, 2.0] {
        let difference = CurveParams::Ramp {
            best: 0.0,
            worst: 10_000.0,
            power,
        }
        .build()
        .unwrap();
        let factor = PlayerSkill {
            difference,
            ..straight()
        };
        assert!(
            quality(&factor, &outlier, &THREES) > quality(&factor, &groups, &THREES),
            "power {power}"
        );
    }
}

#[test]
fn a_cap_makes_the_very_best_alike() {
    let pool = skilled(&[18_000.0, 18_000.0, 20_000.0]);
    for (a, b) in [("a", "b"), ("a", "c")] {
        let duel: [&[&str]; 2] = [&[a], &[b]];
        assert_eq!(quality(&TeamSkill::default(), &pool, &duel), Some(1.0));
        assert_eq!(quality(&PlayerSkill::default(), &pool, &duel), Some(1.0));
    }
    // Beyond 10,000 no difference is worse than another.
    let pool = skilled(&[0.0, 10_000.0, 12_000.0]);
    for other in ["b", "c"] {
        assert_eq!(
            quality(&TeamSkill::default(), &pool, &[&["a"], &[other]]),
            Some(0.0)
        );
    }
    assert!(
        TeamSkill {
            skill_cap: Some(f64::NAN),
            ..Default::default()
        }
        .check()
        .is_err()
    );
}

#[test]
fn premades_score_a_hundred_sixty_and_nothing() {
    let factor = Premades::default();
    let pool = pool_of(12, |index, player| {
        let party = [
            Some("x"),
            Some("x"),
            Some("x"),
            Some("y"),
            Some("y"),
            Some("y"),
            Some("z"),
            Some("z"),
        ];
        player.party = party.get(index).copied().flatten().map(str::to_owned);
    });
    let (three, other, two_one) = (["a", "b", "c"], ["d", "e", "f"], ["g", "h", "i"]);
    let solos = ["j", "k", "l"];
    assert_eq!(quality(&factor, &pool, &[&three, &other]), Some(1.0));
    assert_eq!(quality(&factor, &pool, &[&three, &two_one]), Some(0.6));
    assert_eq!(quality(&factor, &pool, &[&three, &solos]), Some(0.0));
    assert_eq!(quality(&factor, &pool, &[&two_one, &solos]), Some(0.6));
    // A party that was split makes the bonds of those who are there.
    assert_eq!(
        quality(&factor, &pool, &[&["a", "b", "j"], &["g", "h", "k"]]),
        Some(1.0)
    );
    // Five: 4 + 1 against five solos has a difference of 3 / 4 of all bonds, between 0.6 and 0.
    let party = |index: usize| (index < 4).then(|| "x".to_owned());
    let pool = pool_of(10, |index, player| player.party = party(index));
    close(
        quality(
            &factor,
            &pool,
            &[&["a", "b", "c", "d", "e"], &["f", "g", "h", "i", "j"]],
        ),
        0.3,
    );
}

#[test]
fn enemy_ping_is_the_mean_of_the_nine_enemy_pairs() {
    let factor = EnemyPing::default();
    // Everybody 20 ms from the server but f, 180 ms: 40 ms for six pairs, 200 ms for three.
    let pool = pool_of(6, |index, player| {
        player
            .pings
            .insert("eu".to_owned(), if index == 5 { 180.0 } else { 20.0 });
    });
    close(quality(&factor, &pool, &THREES), (6.0 + 3.0 * 0.25) / 9.0);
    // All pings under 50 ms are perfect.
    let near = pool_of(2, |index, player| {
        player
            .ping_to
            .insert(["b", "a"][index].to_owned(), [10.0, 80.0][index]);
    });
    assert_eq!(near.ping(0, 1), 45.0);
    assert_eq!(quality(&factor, &near, &[&["a"], &["b"]]), Some(1.0));
}

#[test]
fn a_ping_is_what_players_know_of_each_other_or_the_best_region_between_them() {
    let pool = pool_of(4, |index, player| {
        let [eu, us] = [[20.0, 120.0], [90.0, 30.0], [f64::NAN, 10.0], [f64::NAN; 2]][index];
        for (region, ping) in [("eu", eu), ("us", us)] {
            if !ping.is_nan() {
                player.pings.insert(region.to_owned(), ping);
            }
        }
        if index == 3 {
            player.ping_to.insert("a".to_owned(), 77.0);
        }
    });
    assert_eq!(
        [pool.ping(0, 1), pool.ping(1, 0), pool.ping(0, 2)],
        [110.0, 110.0, 130.0]
    );
    assert_eq!([pool.ping(0, 3), pool.ping(3, 0)], [77.0, 77.0]);
    assert!(pool.ping(1, 3).is_nan());
    let factor = EnemyPing::default();
    assert_eq!(quality(&factor, &pool, &[&["b"], &["d"]]), Some(0.0));
}

#[test]
fn ten_milliseconds_count_more_where_pings_are_small() {
    let factor = EnemyPing::default();
    let at = |ping: f64| {
        let pool = pool_of(2, |_, player| {
            player.pings.insert("eu".to_owned(), ping / 2.0);
        });
        quality(&factor, &pool, &[&["a"], &["b"]]).unwrap()
    };
    assert!(at(100.0) - at(110.0) > at(200.0) - at(210.0));
    assert!(at(200.0) > at(210.0));
}

#[test]
fn who_meets_again_scores_less_and_a_little_less_so_with_swapped_roles() {
    let factor = OpponentVariation::default();
    let pool = pool_of(6, |index, player| match index {
        0 => player.recent_opponents = vec!["d".to_owned()],
        1 => player.recent_teammates = vec!["e".to_owned(), "gone".to_owned()],
        _ => {}
    });
    assert_eq!(pool.index_of("gone"), None);
    // a-d the same again (0), b-e swapped (0.25), 13 pairs new.
    close(quality(&factor, &pool, &THREES), 13.25 / 15.0);
    // a-d and b-e both swapped now.
    let swapped = quality(&factor, &pool, &[&["a", "d", "b"], &["c", "e", "f"]]);
    close(swapped, (13.0 + 0.25 + 0.25) / 15.0);
    // Nobody meets again.
    assert_eq!(quality(&factor, &pool, &[&["a", "b"], &["c", "f"]]), Some(1.0));
}

#[test]
fn a_party_may_play_together_again() {
    let pool = pool_of(4, |index, player| {
        if index < 2 {
            player.party = Some("x".to_owned());
            player.recent_teammates = vec![["b", "a"][index].to_owned()];
        }
    });
    let params = OpponentVariation::default();
    let teams: [&[&str]; 2] = [&["a", "b"], &["c", "d"]];
    assert_eq!(quality(&params, &pool, &teams), Some(1.0));
    let strict = OpponentVariation {
        spare_parties: false,
        ..params
    };
    close(quality(&strict, &pool, &teams), 5.0 / 6.0);
}

#[test]
fn two_hosts_are_better_than_one_and_none_is_nothing_or_forbidden() {
    let teams: [&[&str]; 2] = [&["a", "b"], &["c", "d"]];
    let hosts = |count: usize| pool_of(4, |index, player| player.can_host = Some(index < count));
    let factor = Hosts::default();
    let qualities: Vec<_> = (0..=4)
        .map(|count| quality(&factor, &hosts(count), &teams).unwrap())
        .collect();
    assert_eq!(qualities, [0.0, 0.5, 1.0, 1.0, 1.0]);
    let required = Hosts {
        required: true,
        ..Hosts::default()
    };
    assert_eq!(quality(&required, &hosts(0), &teams), None);
    assert_eq!(quality(&required, &hosts(1), &teams), Some(0.5));
    // a reaches everybody but d: c and d can be host of all, a and d of not all.
    let pool = pool_of(4, |index, player| {
        if index == 0 {
            player.connects_to = Some(vec!["b".to_owned(), "c".to_owned()]);
        }
    });
    assert_eq!(quality(&factor, &pool, &teams), Some(1.0));
    let lonely = pool_of(4, |index, player| {
        player.connects_to = (index == 0).then(Vec::new);
    });
    assert_eq!(quality(&factor, &lonely, &teams), Some(0.0));
    assert_eq!(
        Hosts {
            one: 1.5,
            ..Hosts::default()
        }
        .check()
        .unwrap_err()
        .name(),
        "one"
    );
}

proptest! {
    #[test]
    fn ping_between_team_mates_changes_nothing(seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let pool = random_pool(&mut dice, 6, 3, 0.1);
        let mut players = pool.players().cloned().collect::<Vec<_>>();
        // Whatever the team mates know of each other is replaced.
        for team in [[0, 1, 2], [3, 4, 5]] {
            for a in team {
                for b in team {
                    if a != b {
                        let id = players[b].id.clone();
                        players[a].ping_to.insert(id, 1000.0 * dice.unit());
                    }
                }
            }
        }
        let changed = Pool::new(players).unwrap();
        let teams: [&[usize]; 2] = [&[0, 1, 2], &[3, 4, 5]];
        let factor = EnemyPing::default();
        let ask = |pool: &Pool| factor.quality(&TeamMatch::new(pool, &teams).unwrap());
        prop_assert_eq!(ask(&pool), ask(&changed));
    }

    #[test]
    fn a_larger_lead_is_never_better(skills in prop::collection::vec(0.0..20_000.0_f64, 6), lead in 0.0..9000.0_f64) {
        let factor = TeamSkill::default();
        let before = skilled(&skills);
        let means: Vec<f64> = skills.chunks(3).map(|team| team.iter().map(|s| s.min(18_000.0)).sum::<f64>()).collect();
        let stronger = usize::from(means[1] > means[0]);
        let mut ahead = skills;
        ahead[3 * stronger] += lead;
        prop_assert!(quality(&factor, &skilled(&ahead), &THREES) <= quality(&factor, &before, &THREES));
    }
}
