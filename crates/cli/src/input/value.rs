//! What the fields of a match mean.

use matchwright_churn::Outcome;

use super::rows::{Field, RawMatch, RawResult, RowError};
use super::time::parse_time;
use crate::failure::shown;

/// A match read from a row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ReadMatch {
    pub(super) line: u64,
    pub(super) time: i64,
    pub(super) player1: String,
    pub(super) player2: String,
    pub(super) outcome: Outcome,
    pub(super) score_difference: f64,
    /// Columns of time and second player, for complaints that need the whole history.
    pub(super) time_column: u64,
    pub(super) player2_column: u64,
}

/// Understands a row, or says which field cannot be understood.
pub(super) fn read_match(raw: RawMatch) -> Result<ReadMatch, RowError> {
    let line = raw.line;
    let bad = |field: &Field, what: String| {
        let message = format!("{} is {what} (use --skip-bad to drop such rows)", field.name);
        RowError::at(line, field.column, message)
    };
    let time = parse_time(&raw.time.text).map_err(|what| bad(&raw.time, what))?;
    for player in [&raw.player1, &raw.player2] {
        if player.text.is_empty() {
            return Err(bad(player, "empty; every match needs two players".to_owned()));
        }
    }
    let (outcome, score_difference) = match &raw.decided_by {
        RawResult::Scores(one, two) => {
            let score = |field: &Field| parse_score(&field.text).map_err(|what| bad(field, what));
            let difference = score(one)? - score(two)?;
            if !difference.is_finite() {
                return Err(bad(
                    one,
                    format!("`{}`, too far from the other score", shown(&one.text)),
                ));
            }
            (outcome_of(difference), difference)
        }
        RawResult::Result(field) => (parse_result(&field.text).map_err(|what| bad(field, what))?, 0.0),
    };
    Ok(ReadMatch {
        line,
        time,
        outcome,
        score_difference,
        time_column: raw.time.column,
        player2_column: raw.player2.column,
        player1: raw.player1.text,
        player2: raw.player2.text,
    })
}

fn outcome_of(difference: f64) -> Outcome {
    if difference > 0.0 {
        Outcome::Win
    } else if difference < 0.0 {
        Outcome::Loss
    } else {
        Outcome::Draw
    }
}

pub(super) fn parse_score(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(score) if score.is_finite() => Ok(score),
        _ => Err(format!("`{}`; scores must be finite numbers", shown(text))),
    }
}

/// 1, 0.5 and 0 for the first player, or the results of chess notation.
pub(super) fn parse_result(text: &str) -> Result<Outcome, String> {
    match text {
        "1-0" => return Ok(Outcome::Win),
        "0-1" => return Ok(Outcome::Loss),
        "1/2-1/2" | "1/2" => return Ok(Outcome::Draw),
        _ => {}
    }
    let score = text.parse::<f64>().ok();
    score
        .and_then(|score| Outcome::from_score(score).ok())
        .ok_or_else(|| {
            format!(
                "`{}`; a result is 1, 0.5 or 0 for the first player (or 1-0, 1/2-1/2, 0-1)",
                shown(text)
            )
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(name: &str, column: u64, text: &str) -> Field {
        Field {
            name: name.to_owned(),
            column,
            text: text.to_owned(),
        }
    }

    fn row(score1: &str, score2: &str) -> RawMatch {
        RawMatch {
            line: 17,
            time: field("time", 1, "100"),
            player1: field("player1", 2, "ann"),
            player2: field("player2", 3, "bob"),
            decided_by: RawResult::Scores(field("score1", 4, score1), field("score2", 5, score2)),
        }
    }

    #[test]
    fn scores_decide_the_outcome_and_the_difference() {
        let read = |a, b| read_match(row(a, b)).map(|m| (m.outcome, m.score_difference));
        assert_eq!(read("4", "8"), Ok((Outcome::Loss, -4.0)));
        assert_eq!(read("2.5", "2.5"), Ok((Outcome::Draw, 0.0)));
        assert_eq!(read("1", "-1"), Ok((Outcome::Win, 2.0)));
    }

    #[test]
    fn a_bad_score_is_named_with_its_place_and_mend() {
        let error = read_match(row("NaN", "1")).unwrap_err();
        assert_eq!((error.line, error.column), (17, 4));
        assert_eq!(
            error.message,
            "score1 is `NaN`; scores must be finite numbers (use --skip-bad to drop such rows)"
        );
        assert_eq!(read_match(row("1", "")).unwrap_err().column, 5);
        assert!(read_match(row("1.7e308", "-1.7e308")).is_err());
    }

    #[test]
    fn results_are_numbers_or_chess_notation() {
        for (text, outcome) in [
            ("1", Outcome::Win),
            ("0.5", Outcome::Draw),
            ("0", Outcome::Loss),
            ("1.0", Outcome::Win),
        ] {
            assert_eq!(parse_result(text), Ok(outcome), "{text}");
        }
        assert_eq!(parse_result("1/2-1/2"), Ok(Outcome::Draw));
        for text in ["", "2", "0.3", "NaN", "win"] {
            assert!(parse_result(text).is_err(), "{text}");
        }
    }
}
