//! Ratings on real matches, against published figures of another crate's systems. Needs
//! `MATCHWRIGHT_DATA`; says so and passes when it is not set.
#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use std::io::Read;

use matchwright_churn::Outcome;
use matchwright_sim::history::{HistoryBuilder, MatchHistory, NamedMatch};
use matchwright_sim::rate::{
    DrawChoice, RatingEvaluation, SystemChoice, SystemParams, evaluate, rate_history,
};

/// The Halo 2 beta's one-against-one matches; their order alone matters here, so times are row numbers.
fn halo() -> Option<MatchHistory> {
    let Some(folder) = std::env::var_os("MATCHWRIGHT_DATA") else {
        say("skipped: MATCHWRIGHT_DATA is not set, so there are no real matches to rate");
        return None;
    };
    let file = std::path::Path::new(&folder).join("halo2_beta/head_to_head.csv.gz");
    let mut text = String::new();
    flate2::read::GzDecoder::new(std::fs::File::open(file).unwrap())
        .read_to_string(&mut text)
        .unwrap();
    let mut builder = HistoryBuilder::default();
    for (row, line) in (0..).zip(text.lines().skip(1)) {
        let fields: Vec<&str> = line.split(',').collect();
        let difference = fields[6].parse::<f64>().unwrap() - fields[7].parse::<f64>().unwrap();
        let outcome = match difference {
            d if d > 0.0 => Outcome::Win,
            d if d < 0.0 => Outcome::Loss,
            _ => Outcome::Draw,
        };
        let (player1, player2) = (fields[4], fields[5]);
        let game = NamedMatch {
            time: row,
            player1,
            player2,
            outcome,
            score_difference: difference,
        };
        builder.push(&game).unwrap();
    }
    Some(builder.finish())
}

fn rated(history: &MatchHistory, system: SystemChoice, params: &SystemParams) -> RatingEvaluation {
    let (_, predictions) = rate_history(system, params, history).unwrap();
    evaluate(&predictions, 0.8, DrawChoice::Davidson).unwrap().0
}

/// The same system with the same constants must predict as well, whoever wrote it.
#[test]
fn elo_predicts_as_well_as_published() {
    let Some(history) = halo() else { return };
    let mut params = SystemParams::default();
    params.elo.k = 64.0;
    let elo = rated(&history, SystemChoice::Elo, &params).two_way;
    assert!(
        (elo.evaluation.log_loss - 0.5956).abs() < 5e-4,
        "{}",
        elo.evaluation.log_loss
    );
    assert!((elo.accuracy - 0.681).abs() < 2e-3, "{}", elo.accuracy);
}

#[test]
fn glicko_and_glicko2_predict_no_worse_than_published() {
    let Some(history) = halo() else { return };
    for (system, log_loss, accuracy) in [
        (SystemChoice::Glicko, 0.5909, 0.697),
        (SystemChoice::Glicko2, 0.5908, 0.699),
    ] {
        let ours = rated(&history, system, &SystemParams::default()).two_way;
        assert!(
            ours.evaluation.log_loss < log_loss + 2e-3,
            "{system:?}: {}",
            ours.evaluation.log_loss
        );
        assert!(ours.accuracy > accuracy - 4e-3, "{system:?}: {}", ours.accuracy);
    }
}

/// Past the capture of test output, so that whoever runs the tests sees what was left out.
fn say(line: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "{line}");
}
