//! `matchwright rate --stream`: matches as they come.

use serde_json::Value;

use crate::common::{answer, complaint};
use crate::rate::MATCHES;

/// Streamed matches give the same bytes of ratings, and the same measures but for the rounding of forecasts.
#[test]
fn a_stream_gives_the_ratings_of_all_matches_at_once() {
    let folder = tempfile::tempdir().unwrap();
    for (system, carried) in [
        ("elo", "matches.csv"),
        ("glicko2", "matches.csv"),
        ("trueskill", "teams.jsonl"),
    ] {
        let file = answer(&["examples", carried], "");
        let ratings = |name: &str, more: &[&str]| {
            let out = folder.path().join(name);
            let common = [
                "rate",
                "--system",
                system,
                "-",
                "--json",
                "--out",
                out.to_str().unwrap(),
            ];
            let said = answer(&[&common[..], more].concat(), file.as_str());
            let said: Value = serde_json::from_str(&said).unwrap();
            (std::fs::read_to_string(out).unwrap(), said)
        };
        let (whole, streamed) = (ratings("whole.csv", &[]), ratings("streamed.csv", &["--stream"]));
        assert_eq!(whole.0, streamed.0);
        let loss = |answer: &Value| answer["evaluation"]["three_way"]["log_loss"].as_f64().unwrap();
        assert!((loss(&whole.1) - loss(&streamed.1)).abs() < 1e-6, "{system}");
        assert_eq!(whole.1["leaderboard"], streamed.1["leaderboard"]);
    }
}

#[test]
fn what_needs_all_matches_at_once_is_refused_of_a_stream() {
    let rate = |system, more: &[&str]| {
        let common = ["rate", "--system", system, "--stream", "-"];
        complaint(
            &[&common[..], more].concat(),
            MATCHES,
            if more.is_empty() { 1 } else { 2 },
        )
    };
    assert!(rate("bradley-terry", &[]).contains("can have a stream of matches"));
    for more in [
        ["--home-advantage", "fit"],
        ["--party-bonus", "fit"],
        ["--page", "here"],
    ] {
        assert!(rate("elo", &more).contains(more[0]), "{more:?}");
    }
}
