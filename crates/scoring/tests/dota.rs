//! Dota's criteria on the figures of Valve's article, worked by hand.

use crate::common::{pool_of, quality, skilled};
use matchwright_scoring::{
    Aggregate, BestAgainstBest, CurveParams, Experience, Languages, PartyCount, Player, Pool, SkillSpread,
    TeamFactor, TeamMatch, Wait, WinProbability,
};

/// The match that the article prints: id, party, rating, adjusted rating.
const RADIANT: [(&str, &str, f64, f64); 5] = [
    ("r1", "D", 2994.0, 3003.0),
    ("r2", "F", 2788.0, 2788.0),
    ("r3", "A", 2687.0, 2687.0),
    ("r4", "F", 2626.0, 2627.0),
    ("r5", "D", 2401.0, 2410.0),
];
const DIRE: [(&str, &str, f64, f64); 5] = [
    ("d1", "C", 3046.0, 3062.0),
    ("d2", "C", 2920.0, 2936.0),
    ("d3", "E", 2716.0, 2716.0),
    ("d4", "B", 2672.0, 2672.0),
    ("d5", "C", 2100.0, 2116.0),
];

fn printed() -> Pool {
    let player = |(id, party, skill, _): &(&str, &str, f64, f64)| Player {
        skill: Some(*skill),
        party: Some((*party).to_owned()),
        ..Player::new(*id)
    };
    Pool::new(RADIANT.iter().chain(&DIRE).map(player).collect()).unwrap()
}

const PRINTED_TEAMS: [&[&str]; 2] = [&["r1", "r2", "r3", "r4", "r5"], &["d1", "d2", "d3", "d4", "d5"]];

fn close(a: Option<f64>, b: f64) {
    assert!(a.is_some_and(|a| (a - b).abs() < 1e-12), "{a:?} is not {b}");
}

#[test]
fn the_printed_match_is_even_once_parties_are_adjusted() {
    let params = WinProbability {
        spread_points: 0.01972,
        free_spread: 136.6,
        ..WinProbability::default()
    };
    let factor = params;
    let pool = printed();
    let teams: [&[usize]; 2] = [&[0, 1, 2, 3, 4], &[5, 6, 7, 8, 9]];
    let candidate = TeamMatch::new(&pool, &teams).unwrap();
    for (team, printed) in teams.iter().zip([RADIANT, DIRE]) {
        for members in candidate.parties_of(team) {
            for (&member, adjusted) in members.iter().zip(factor.adjusted_skills(&pool, &members)) {
                // The print rounds hidden fractions, so it is met to one point.
                assert!(
                    (adjusted - printed[member % 5].3).abs() <= 1.0,
                    "{} gives {adjusted}",
                    printed[member % 5].0
                );
            }
        }
        let total: f64 = printed.iter().map(|row| row.3).sum();
        assert!((5.0 * factor.strength(&candidate, team) - total).abs() <= 2.0);
    }
    // 13,515 against 13,502: a lead of 2.6 points in the mean.
    assert!(factor.lead(&candidate) < 0.005);
    assert!(quality(&factor, &pool, &PRINTED_TEAMS).unwrap() > 0.99);
}

#[test]
fn a_lead_of_one_scale_wins_ten_times_of_eleven() {
    let factor = WinProbability::default();
    let pool = skilled(&[1900.0, 1500.0, 1500.0, 1500.0]);
    close(
        quality(&factor, &pool, &[&["a"], &["b"]]),
        1.0 - 2.0 * (10.0 / 11.0 - 0.5),
    );
    // Half the lead in the mean of two.
    let odds = 10_f64.sqrt();
    close(
        quality(&factor, &pool, &[&["a", "b"], &["c", "d"]]),
        1.0 - 2.0 * (odds / (1.0 + odds) - 0.5),
    );
}

#[test]
fn uncertain_skills_make_the_chances_more_even() {
    let pool = pool_of(2, |index, player| {
        player.skill = Some([1900.0, 1500.0][index]);
        player.uncertainty = Some(300.0);
    });
    let sure = WinProbability::default();
    let unsure = WinProbability {
        uncertain: true,
        ..sure.clone()
    };
    let duel: [&[&str]; 2] = [&["a"], &["b"]];
    let (sure, unsure) = (sure, unsure);
    assert!(quality(&unsure, &pool, &duel) > quality(&sure, &pool, &duel));
}

#[test]
fn spread_and_balance_are_not_the_same() {
    let pool = skilled(&[3000.0, 1500.0, 3000.0, 1500.0]);
    let teams: [&[&str]; 2] = [&["a", "b"], &["c", "d"]];
    assert_eq!(quality(&WinProbability::default(), &pool, &teams), Some(1.0));
    assert_eq!(quality(&SkillSpread::default(), &pool, &teams), Some(0.0));
}

#[test]
fn a_party_counts_with_its_mean_and_fits_a_solo_player_near_it() {
    let spread = CurveParams::Ramp {
        best: 0.0,
        worst: 1000.0,
        power: 1.0,
    }
    .build()
    .unwrap();
    let with = |party| SkillSpread {
        party,
        spread: spread.clone(),
    };
    let pool = printed();
    // Party means: D 2697.5, F 2707, C 2688.67, alone 2687, 2716, 2672.
    close(
        quality(&with(Aggregate::Mean), &pool, &PRINTED_TEAMS),
        1.0 - 44.0 / 1000.0,
    );
    close(
        quality(&with(Aggregate::Members), &pool, &PRINTED_TEAMS),
        1.0 - 946.0 / 1000.0,
    );
    // Best members: C 3046 down to B 2672; worst: E 2716 down to C 2100.
    close(
        quality(&with(Aggregate::Greatest), &pool, &PRINTED_TEAMS),
        1.0 - 374.0 / 1000.0,
    );
    close(
        quality(&with(Aggregate::Least), &pool, &PRINTED_TEAMS),
        1.0 - 616.0 / 1000.0,
    );
}

#[test]
fn solo_players_are_bracketed_by_parties_in_the_printed_match() {
    // Of the arrangements of these skills in the same parties, ones in which the parties' means are apart score less.
    let factor = SkillSpread::default();
    let better = quality(&factor, &printed(), &PRINTED_TEAMS);
    let mut players = printed().players().cloned().collect::<Vec<_>>();
    let (high, low) = (players[5].skill, players[9].skill);
    (players[8].skill, players[9].skill) = (low, players[8].skill);
    assert_eq!(high, Some(3046.0));
    let worse = quality(&factor, &Pool::new(players).unwrap(), &PRINTED_TEAMS);
    assert!(better > worse, "{better:?} {worse:?}");
}

#[test]
fn experience_from_forty_to_a_hundred_and_twenty_is_as_far_as_on_to_two_hundred_and_eighty() {
    let factor = Experience::default();
    let games = [40, 120, 280, 600];
    let pool = pool_of(4, |index, player| player.experience = Some(games[index]));
    let duel = |a: &str, b: &str| quality(&factor, &pool, &[&[a], &[b]]);
    assert_eq!([duel("a", "b"), duel("b", "c"), duel("c", "d")], [Some(0.75); 3]);
    assert_eq!(duel("a", "d"), Some(0.25));
    assert!(
        Experience {
            unit: 0.0,
            ..Experience::default()
        }
        .check()
        .is_err()
    );
}

#[test]
fn a_partys_experience_is_the_mean_of_its_members() {
    let factor = Experience::default();
    // Levels 1 and 3 in a party, 2 and 2 alone.
    let pool = pool_of(4, |index, player| {
        player.experience = Some([40, 280, 120, 120][index]);
        player.party = (index < 2).then(|| "x".to_owned());
    });
    assert_eq!(quality(&factor, &pool, &[&["a", "b"], &["c", "d"]]), Some(1.0));
    // Split over the teams, each stands for itself.
    assert_eq!(quality(&factor, &pool, &[&["a", "c"], &["b", "d"]]), Some(0.5));
}

#[test]
fn the_best_players_of_both_teams_are_compared() {
    let factor = BestAgainstBest::default();
    let pool = skilled(&[3000.0, 100.0, 2500.0, 2400.0]);
    assert_eq!(quality(&factor, &pool, &[&["a", "b"], &["c", "d"]]), Some(0.5));
    assert_eq!(quality(&factor, &pool, &[&["b", "d"], &["c"]]), Some(0.9));
}

#[test]
fn five_friends_against_five_solo_players_is_the_worst_that_fives_can_do() {
    let factor = PartyCount::default();
    let pool = pool_of(15, |index, player| {
        player.party = [Some("x"), None, (index < 12).then_some("y")][index / 5].map(str::to_owned);
    });
    let (friends, solos, mixed) = (
        ["a", "b", "c", "d", "e"],
        ["f", "g", "h", "i", "j"],
        ["k", "l", "m", "n", "o"],
    );
    assert_eq!(quality(&factor, &pool, &[&friends, &solos]), Some(0.0));
    assert_eq!(quality(&factor, &pool, &[&solos, &mixed]), Some(0.75));
    assert_eq!(quality(&factor, &pool, &[&friends, &mixed]), Some(0.25));
}

#[test]
fn a_language_in_common_counts_most_within_the_teams() {
    let factor = Languages::default();
    let speaks = |lists: [&[&str]; 4]| {
        pool_of(4, |index, player| {
            player.languages = lists[index].iter().map(|&word| word.to_owned()).collect();
        })
    };
    let teams: [&[&str]; 2] = [&["a", "b"], &["c", "d"]];
    let of = |lists| quality(&factor, &speaks(lists), &teams);
    close(of([&["en"], &["en", "de"], &["en"], &["es", "en"]]), 1.0);
    // Each team has a language, the match has none: only the smaller share is lost.
    close(of([&["en"], &["en"], &["de"], &["de"]]), 0.8);
    // The match shares nothing beyond half, one team nothing.
    close(of([&["en"], &["es"], &["de"], &["de"]]), 0.4);
    close(of([&["en"], &["es"], &["de"], &["fr"]]), 0.0);
    // Who lists none speaks any.
    close(of([&[], &["es"], &["es"], &[]]), 1.0);
    close(of([&[], &[], &[], &[]]), 1.0);
}

#[test]
fn who_has_waited_long_makes_a_match_better() {
    let factor = Wait::default();
    let pool = pool_of(4, |index, player| {
        player.wait_seconds = Some([0.0, 150.0, 300.0, 900.0][index]);
    });
    assert_eq!(quality(&factor, &pool, &[&["a"], &["b"]]), Some(0.25));
    assert_eq!(quality(&factor, &pool, &[&["a", "b"], &["c", "d"]]), Some(0.625));
}
