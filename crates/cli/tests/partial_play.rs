//! `matchwright rate` on matches that ended before their time, from outside.

use std::fmt::Write as _;

use crate::common::answer;
use serde_json::Value;

const SYSTEMS: [&str; 10] = [
    "elo",
    "glicko",
    "glicko2",
    "dom",
    "dota",
    "trueskill",
    "weng-lin",
    "elo-mmr",
    "bradley-terry",
    "through-time",
];

/// A duel that ann won against bob; both were there for a share of it.
fn duel(share: f64) -> String {
    format!(
        "{{\"time\":1714500000,\"teams\":[[{{\"player\":\"ann\",\"share\":{share}}}],[{{\"player\":\"bob\",\"share\":{share}}}]],\"ranks\":[1,2]}}\n"
    )
}

fn leaderboard(system: &str, more: &[&str], matches: &str) -> Vec<Value> {
    let arguments = ["rate", "--system", system, "-", "--json", "--min-games", "0"];
    let told = answer(&[&arguments, more].concat(), matches);
    let told: Value = serde_json::from_str(&told).unwrap();
    told["leaderboard"].as_array().unwrap().clone()
}

/// Rating and deviation of the winner and of the loser.
fn rated(system: &str, more: &[&str], matches: &str) -> [(f64, f64); 2] {
    let players = leaderboard(system, more, matches);
    ["ann", "bob"].map(|name| {
        let player = players.iter().find(|player| player["player"] == name).unwrap();
        let number = |key: &str| player[key].as_f64().unwrap_or(0.0);
        (number("rating"), number("deviation"))
    })
}

fn close(found: f64, expected: f64, by: f64, what: &str) {
    assert!((found - expected).abs() <= by, "{what}: {found}, not {expected}");
}

#[test]
fn a_share_of_a_match_is_so_much_of_a_random_walk_to_trueskill() {
    for (share, mu, sigma) in [
        (1.0, 29.395_575_650_818, 7.171_141_464_453),
        (0.5, 29.063_767_314_851, 7.372_159_481_221),
        (0.1, 27.729_855_375_625, 7.931_298_409_723),
        (0.01, 26.014_579_992_283, 8.280_069_169_860),
    ] {
        for more in [&["--set", "tau=0"][..], &["--set", "tau=0", "--stream"]] {
            let [ann, bob] = rated("trueskill", more, &duel(share));
            close(ann.0, mu, 1e-9, "mu");
            close(bob.0, 50.0 - mu, 1e-9, "mu");
            close(ann.1, sigma, 1e-9, "sigma");
            close(bob.1, sigma, 1e-9, "sigma");
        }
        // The same model of a game, at its only time.
        let [ann, bob] = rated("through-time", &[], &duel(share));
        close(ann.0, mu, 1e-6, "mu");
        close(bob.1, sigma, 1e-6, "sigma");
    }
}

#[test]
fn a_share_of_a_match_is_so_much_information_to_glicko_and_so_much_of_k_to_elo() {
    for (share, step, deviation) in [
        (1.0, 162.212_002_606, 290.230_506_091),
        (0.5, 96.118_658_128, 315.951_494_202),
        (0.01, 2.348_358_966, 349.207_697_112),
    ] {
        for system in ["glicko", "glicko2"] {
            let [ann, bob] = rated(system, &[], &duel(share));
            close(ann.0, 1500.0 + step, 2e-6, system);
            close(bob.0, 1500.0 - step, 2e-6, system);
            close(ann.1, deviation, 2e-6, system);
            close(bob.1, deviation, 2e-6, system);
        }
        let [ann, bob] = rated("elo", &["--set", "k=32"], &duel(share));
        close(ann.0 - 1500.0, 16.0 * share, 1e-9, "elo");
        close(bob.0 - 1500.0, -16.0 * share, 1e-9, "elo");
        let [ann, _] = rated("dom", &[], &duel(share));
        close(ann.0 - 12_000.0, 128.0 * share, 1e-9, "dom");
        let [ann, _] = rated("dota", &[], &duel(share));
        close(ann.0 - 2250.0, 0.16 * 542.0 * 0.5 * share, 1e-9, "dota");
        close(ann.1, 542.0 * 0.95_f64.powf(share), 1e-9, "dota");
    }
}

#[test]
fn a_quarter_of_a_match_is_a_whole_one_with_twice_the_luck_where_luck_has_a_deviation() {
    for (system, beta) in [
        ("trueskill", 25.0 / 6.0),
        ("weng-lin", 25.0 / 6.0),
        ("elo-mmr", 38_400.0_f64.sqrt()),
        ("through-time", 25.0 / 6.0),
    ] {
        let (beta, twice) = (format!("beta={beta:.15}"), format!("beta={:.15}", 2.0 * beta));
        let quarter = rated(system, &["--set", &beta], &duel(0.25));
        let whole = rated(system, &["--set", &twice], &duel(1.0));
        for (one, other) in quarter.into_iter().zip(whole) {
            close(one.0, other.0, 1e-6, system);
            close(one.1, other.1, 1e-6, system);
        }
    }
}

#[test]
fn the_shorter_a_match_the_less_every_system_learns() {
    let initial = |system: &str| match system {
        "dom" => (12_000.0, 0.0),
        "dota" => (2250.0, 542.0),
        "trueskill" | "weng-lin" | "through-time" => (25.0, 25.0 / 3.0),
        "glicko" | "glicko2" | "elo-mmr" => (1500.0, 350.0),
        _ => (1500.0, 0.0),
    };
    for system in SYSTEMS {
        let (start, unsure) = initial(system);
        let mut before = rated(system, &[], &duel(1.0));
        for share in [0.9, 0.5, 0.1, 0.01, 1e-4, 1e-6] {
            let after = rated(system, &[], &duel(share));
            for (longer, shorter) in before.iter().zip(&after) {
                let [longer_step, step] = [longer, shorter].map(|one| (one.0 - start).abs());
                assert!(step < longer_step, "{system} {share}: {step} after {longer_step}");
                assert!(
                    shorter.1 >= longer.1,
                    "{system} {share}: {shorter:?} after {longer:?}"
                );
            }
            before = after;
        }
        close(before[0].0, start, 0.002 * start, system);
        // Bradley and Terry know no newcomers; before a match of Elo-MMR a deviation grows by its drift.
        if system != "bradley-terry" {
            close(
                before[0].1,
                unsure,
                if system == "elo-mmr" { 2.0 } else { 1e-3 },
                system,
            );
        }
    }
}

#[test]
fn parts_of_a_match_stay_the_published_ones_at_any_length() {
    // The worked example of (1), (.5, 1), and the same players for half as long.
    let example = |length: f64| {
        format!(
            "{{\"time\":1714500000,\"teams\":[[{{\"player\":\"ann\",\"share\":{length}}}],[{{\"player\":\"bob\",\"share\":{}}},{{\"player\":\"cid\",\"share\":{length}}}]],\"ranks\":[1,2]}}\n",
            0.5 * length
        )
    };
    let players = leaderboard("trueskill", &[], &example(1.0));
    for (name, mu, sigma) in [
        ("ann", 32.417, 7.056),
        ("bob", 21.291, 8.033),
        ("cid", 17.583, 7.056),
    ] {
        let player = players.iter().find(|player| player["player"] == name).unwrap();
        close(player["rating"].as_f64().unwrap(), mu, 1e-3, name);
        close(player["deviation"].as_f64().unwrap(), sigma, 1e-3, name);
    }
    let half = leaderboard("trueskill", &[], &example(0.5));
    let ann = half.iter().find(|player| player["player"] == "ann").unwrap();
    assert!(
        ann["rating"].as_f64().unwrap() < 32.4 && ann["deviation"].as_f64().unwrap() > 7.06,
        "{ann}"
    );
}

#[test]
fn matches_of_any_length_are_streamed_as_they_are_read_whole() {
    let mut matches = String::new();
    for game in 0..60_u32 {
        let (first, second) = (game % 5, (game + 1 + game % 3) % 5);
        let share = [1.0, 0.5, 0.02][game as usize % 3];
        writeln!(
            matches,
            "{{\"time\":{},\"teams\":[[{{\"player\":\"p{first}\",\"share\":{share}}}],[{{\"player\":\"p{}\",\"share\":{share}}}]],\"ranks\":[{},2]}}",
            1_714_500_000 + 3600 * game,
            if second == first { 7 } else { second },
            1 + 2 * (game % 2),
        )
        .unwrap();
    }
    for system in ["elo", "trueskill", "weng-lin", "elo-mmr", "dota", "glicko"] {
        let whole = leaderboard(system, &[], &matches);
        assert_eq!(leaderboard(system, &["--stream"], &matches), whole, "{system}");
    }
}
