//! What scores, results and ranks mean.

use std::cmp::Ordering;

use crate::cell::numbers::{ROUNDED, is_rounded};
use crate::cell::unplayed::plain;
use crate::text::shown;

/// A number; whole ones of up to 15 digits, as most are, without the standard parser.
pub(crate) fn parse_number(text: &str) -> Option<f64> {
    let digits = text.bytes().map(|byte| byte.wrapping_sub(b'0'));
    if (1..=15).contains(&text.len()) && digits.clone().all(|digit| digit < 10) {
        return Some(digits.fold(0_u64, |number, digit| 10 * number + u64::from(digit)) as f64);
    }
    text.parse().ok()
}

pub(crate) fn parse_score(text: &str) -> Result<f64, String> {
    match parse_number(text) {
        Some(score) if is_rounded(text, score) => Err(format!("`{}`; {ROUNDED}", shown(text))),
        Some(score) if score.is_finite() => Ok(score),
        _ => Err(format!("`{}`; scores must be finite numbers", shown(text))),
    }
}

pub(crate) fn parse_performance(text: &str) -> Result<f64, String> {
    let what = || format!("`{}`; performances must be finite numbers, or empty", shown(text));
    let performance = parse_number(text).filter(|performance| performance.is_finite());
    match performance.ok_or_else(what)? {
        performance if is_rounded(text, performance) => Err(format!("`{}`; {ROUNDED}", shown(text))),
        performance => Ok(performance),
    }
}

/// The places of both sides from 1, 0.5 or 0 for the first, or a result in chess notation.
pub(crate) fn parse_result(text: &str) -> Result<[u32; 2], String> {
    let score = match text {
        "1-0" => Some(1.0),
        "0-1" => Some(0.0),
        "1/2-1/2" | "1/2" | "=" => Some(0.5),
        text if text.is_ascii() => of_word(text).or_else(|| of_scores(text)),
        text => {
            // Half signs and dashes as books print them.
            let typed = typed(text);
            of_word(&typed).or_else(|| of_scores(&typed))
        }
    };
    match score {
        Some(1.0) => Ok([1, 2]),
        Some(0.5) => Ok([1, 1]),
        Some(0.0) => Ok([2, 1]),
        _ => Err(format!(
            "`{}`; a result is 1, 0.5 or 0 for the first player (or win, draw, loss, or 1-0, 1/2-1/2, 0-1, or scores such as 3-2)",
            shown(text)
        )),
    }
}

/// The score that a number or a word stands for: 1 for a win, 0.5, 0, or another number.
pub(crate) fn of_word(text: &str) -> Option<f64> {
    let number = text.parse().ok();
    number.or_else(|| match text.to_lowercase().as_str() {
        "w" | "win" | "won" | "victory" | "true" | "yes" => Some(1.0),
        "d" | "t" | "draw" | "drawn" | "tie" | "tied" => Some(0.5),
        "l" | "loss" | "lose" | "lost" | "defeat" | "false" | "f" | "no" => Some(0.0),
        _ => None,
    })
}

/// A result with the signs of keyboards: `2\u{bd}` as `2.5`.
pub(crate) fn typed(text: &str) -> String {
    let mut typed = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\u{bd}' if typed.ends_with(|c: char| c.is_ascii_digit()) => typed.push_str(".5"),
            '\u{bd}' => typed.push_str("0.5"),
            c => typed.push(plain(c)),
        }
    }
    typed
}

/// What both scores in one text, `2-1`, `2:1` or `0.5-0.5`, are for the first player; where they are equal a shoot-out behind them
/// decides, `2:2 (4:3 pen)`.
pub(crate) fn of_scores(text: &str) -> Option<f64> {
    let text = without_overtime(text);
    let Some((scores, more)) = text.split_once('(') else {
        return of_two(text);
    };
    let shoot_out = more.trim_end().strip_suffix(')')?.to_ascii_lowercase();
    let words = |c: char| c.is_alphabetic() || c.is_whitespace() || c == '.';
    let is_named = shoot_out
        .split(|c: char| !c.is_alphabetic())
        .any(|word| ["p", "pen", "pens", "penalties", "pso", "so"].contains(&word));
    let (decided, shot) = (of_two(scores)?, of_two(shoot_out.trim_matches(words))?);
    match (
        is_named || !is_part(shoot_out.trim_matches(words), scores),
        decided,
    ) {
        (true, 0.5) => Some(shot),
        // Behind equal scores it may be that of a half, or a shoot-out.
        (false, 0.5) => None,
        (_, decided) => Some(decided),
    }
}

/// Whether a score may be that of a part of a game: neither side has more than in the other.
fn is_part(part: &str, whole: &str) -> bool {
    let both = |text: &str| {
        let (one, other) = text.split_once(['-', ':'])?;
        Some([one.trim().parse::<f64>().ok()?, other.trim().parse::<f64>().ok()?])
    };
    match (both(part), both(whole)) {
        (Some(part), Some(whole)) => part[0] <= whole[0] && part[1] <= whole[1],
        _ => false,
    }
}

/// A score without words behind it that say how long the game took: `2:3 n.V.`, `1-2 aet`, `3-2 (OT)`.
fn without_overtime(text: &str) -> &str {
    let Some((scores, word)) = text
        .trim_end()
        .rsplit_once(|c: char| c.is_whitespace() || c == '(')
    else {
        return text;
    };
    let word: String = word.chars().filter(|c| c.is_alphanumeric()).take(8).collect();
    let is_known = ["aet", "nv", "et", "ot", "ap", "nvp", "ft"].contains(&&*word.to_ascii_lowercase());
    if is_known { scores.trim_end() } else { text }
}

fn of_two(text: &str) -> Option<f64> {
    let (one, two) = text.split_once(['-', ':'])?;
    let score = |text: &str| {
        let text = text.trim();
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let number = text.parse::<f64>().ok();
        number.filter(|number| is_number && *number <= f64::from(u32::MAX))
    };
    Some(match score(one)?.total_cmp(&score(two)?) {
        Ordering::Greater => 1.0,
        Ordering::Equal => 0.5,
        Ordering::Less => 0.0,
    })
}

/// A place, 1 for the winners.
pub(crate) fn parse_rank(text: &str) -> Result<u32, String> {
    let what = || format!("`{}`; places are whole numbers, 1 for the winners", shown(text));
    // `1st`, `T2`, `=2`, `3.`
    let marks = ["T-", "T", "t", "=", "#"];
    let bare = marks
        .iter()
        .find_map(|mark| text.strip_prefix(mark))
        .unwrap_or(text);
    let ends = ["st", "nd", "rd", "th", "."];
    let bare = ends.iter().find_map(|end| bare.strip_suffix(end)).unwrap_or(bare);
    text.parse().or_else(|_| bare.parse()).map_err(|_| what())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_finite_numbers() {
        assert_eq!(parse_score("-2.5"), Ok(-2.5));
        for text in ["NaN", "inf", "1e999", "", "two"] {
            assert!(
                parse_score(text).unwrap_err().contains("finite numbers"),
                "{text}"
            );
        }
    }

    #[test]
    fn numbers_are_those_of_the_standard_parser() {
        let texts = "0 007 1091816030 999999999999999 1234567890123456789 -3 +2 1e3 .5 1_0 x";
        for text in texts.split(' ').chain([""]) {
            assert_eq!(parse_number(text), text.parse().ok(), "{text}");
        }
    }

    #[test]
    fn ranks_are_whole_numbers() {
        assert_eq!(parse_rank("3"), Ok(3));
        for text in ["1.5", "-1", "", "null", "first", "99999999999"] {
            assert!(parse_rank(text).is_err(), "{text}");
        }
    }

    #[test]
    fn results_are_numbers_words_or_chess_notation() {
        for (texts, places) in [
            (["1", "1.0", "1-0"], [1, 2]),
            (["win", "W", "true"], [1, 2]),
            (["Draw", "tie", "d"], [1, 1]),
            (["loss", "L", "Defeat"], [2, 1]),
            (["0.5", "1/2", "1/2-1/2"], [1, 1]),
            (["0", "-0", "0-1"], [2, 1]),
            (["2-1", "10:9", "3 - 0"], [1, 2]),
            (["2-2", "0:0", "7 : 7"], [1, 1]),
            (["=", "\u{bd}-\u{bd}", "\u{bd}"], [1, 1]),
            (["1\u{2013}0", "2:1 (3:2 pen)", "1.5-0.5"], [1, 2]),
            (["2:2 (3:4 pen.)", "0 \u{2212} 1", "1-1 (p 2-4)"], [2, 1]),
            (["2\u{bd}-1\u{bd}", "1-\u{bd}", "2 - 1\u{bd}"], [1, 2]),
        ] {
            for text in texts {
                assert_eq!(parse_result(text), Ok(places), "{text}");
            }
        }
        let long = "1-1(p".repeat(100_000);
        for text in [
            "",
            "2",
            "0.3",
            "NaN",
            "player1",
            "6-7(3) 6-4 6-4",
            "2:2 (1:0)",
            "1-1 (p 2-4) x",
            "3-0 (x)",
            &long,
        ] {
            assert!(parse_result(text).is_err(), "{text}");
        }
    }
}
