//! Ratings on real matches, against published figures of another crate's systems. Needs
//! `MATCHWRIGHT_DATA`; says so and passes when it is not set.

use std::io::Read;

use matchwright_rating::history::{History, HistoryBuilder, NamedGame};
use matchwright_rating::{
    AnyParams, DrawKind, EloParams, Glicko2Params, GlickoParams, PeriodChoice, RatingParams, Score,
    SystemName, TrueSkillParams, WengLinParams,
};
use matchwright_sim::rate::{evaluate, rate_games};

/// A public table of matches, by the positions of its columns: two players, two scores.
///
/// The order of the rows alone matters here, so times are row numbers.
fn table(file: &str, [one, other, score, other_score]: [usize; 4]) -> Option<History> {
    let Some(folder) = std::env::var_os("MATCHWRIGHT_DATA") else {
        say("skipped: MATCHWRIGHT_DATA is not set, so there are no real matches to rate");
        return None;
    };
    let file = std::path::Path::new(&folder).join(file);
    let mut text = String::new();
    flate2::read::GzDecoder::new(std::fs::File::open(file).unwrap())
        .read_to_string(&mut text)
        .unwrap();
    let mut builder = HistoryBuilder::default();
    for (row, line) in (0..).zip(text.lines().skip(1)) {
        let fields: Vec<&str> = line.split(',').collect();
        let difference = fields[score].parse::<f64>().unwrap() - fields[other_score].parse::<f64>().unwrap();
        let score = match difference {
            d if d > 0.0 => Score::WIN,
            d if d < 0.0 => Score::LOSS,
            _ => Score::DRAW,
        };
        let game = NamedGame::duel(row, [fields[one], fields[other]], score, difference);
        builder.push(&game).unwrap();
    }
    Some(builder.finish())
}

/// The Halo 2 beta's one-against-one matches.
fn halo() -> Option<History> {
    table("halo2_beta/head_to_head.csv.gz", [4, 5, 6, 7])
}

/// International football matches.
fn football() -> Option<History> {
    table("football_intl/results.csv.gz", [1, 2, 3, 4])
}

/// As the crate whose figures are published has them: it knows no time, so that every game is a period.
fn a_period_a_game(system: SystemName) -> RatingParams {
    let own: AnyParams = match system {
        SystemName::Elo => EloParams {
            k: 64.0,
            ..EloParams::default()
        }
        .into(),
        SystemName::Glicko => GlickoParams {
            c: 10.0,
            ..GlickoParams::default()
        }
        .into(),
        SystemName::Glicko2 => Glicko2Params::default().into(),
        SystemName::TrueSkill => TrueSkillParams::default().into(),
        _ => WengLinParams::default().into(),
    };
    RatingParams {
        period: PeriodChoice::Game,
        ..RatingParams::of(own)
    }
}

/// Accuracy and log loss of each system against those of the crate.
fn compare(history: &History, published: [(SystemName, f64, f64); 5], least: f64) {
    for (system, accuracy, log_loss) in published {
        let rated = rate_games(&a_period_a_game(system), history, 0.8, &[]).unwrap();
        let ours = evaluate(&rated.predictions, 0.8, DrawKind::Davidson)
            .unwrap()
            .0
            .two_way;
        let told = (ours.accuracy, ours.evaluation.log_loss);
        // It counts an even forecast as a whole hit or miss, where we count a half.
        assert!((told.0 - accuracy).abs() < 3e-3, "{system:?}: {told:?}");
        assert!((told.1 - log_loss).abs() < least, "{system:?}: {told:?}");
    }
}

/// The same systems with the same constants must predict as well as in other libraries.
#[test]
fn systems_predict_halo_matches_as_well_as_published() {
    let Some(history) = halo() else { return };
    let published = [
        (SystemName::Elo, 0.681, 0.5956),
        (SystemName::Glicko, 0.697, 0.5909),
        (SystemName::Glicko2, 0.699, 0.5908),
        (SystemName::TrueSkill, 0.693, 0.6053),
        (SystemName::WengLin, 0.686, 0.5923),
    ];
    compare(&history, published, 1e-4);
}

/// The published figures, which are of another selection of these matches: Elo's differ as well. That crate on the
/// very same rows says .4926 for Glicko, .5112 for TrueSkill and .5039 for Weng and Lin.
#[test]
fn systems_predict_football_matches_as_well_as_published() {
    let Some(history) = football() else { return };
    let published = [
        (SystemName::Elo, 0.763, 0.4897),
        (SystemName::Glicko, 0.769, 0.4924),
        (SystemName::Glicko2, 0.769, 0.4919),
        (SystemName::TrueSkill, 0.759, 0.5097),
        (SystemName::WengLin, 0.766, 0.5035),
    ];
    compare(&history, published, 2e-3);
    let on_the_same_rows = [
        (SystemName::Elo, 0.7636, 0.4896),
        (SystemName::Glicko, 0.7692, 0.4926),
        (SystemName::Glicko2, 0.7687, 0.4921),
        (SystemName::TrueSkill, 0.7576, 0.5112),
        (SystemName::WengLin, 0.7654, 0.5039),
    ];
    compare(&history, on_the_same_rows, 2e-4);
}

/// Past the capture of test output, so that the output of a test run says what was left out.
fn say(line: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "{line}");
}
