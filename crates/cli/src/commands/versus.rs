//! One policy beside another, in a sentence.

use matchwright_report::{brief, decimal, visible_line};

/// A policy beside another, or beside what really happened.
#[derive(Debug, Clone, Copy)]
pub(super) struct Versus<'a> {
    /// What the two are called in a sentence.
    pub(super) names: [&'a str; 2],
    /// What the second costs a player.
    pub(super) than: f64,
    /// The cost of the first less that of the second.
    pub(super) difference: f64,
    /// The 95 % interval of the difference, if it has one.
    pub(super) interval: Option<[f64; 2]>,
    /// By how much the first waits longer, in seconds, on average; unknown where it is not clear either.
    pub(super) wait: Option<f64>,
    /// By how much its matches are worse, on average.
    pub(super) mismatch: Option<f64>,
    /// By how much more of its tickets have a match, as a share.
    pub(super) matched: Option<f64>,
}

impl Versus<'_> {
    /// Which costs less, by how much and how surely, and at what: waits, matches, tickets without a match.
    pub(super) fn sentence(&self) -> String {
        let [first, second] = self.names.map(visible_line);
        let margin = self.interval.map(|[low, high]| 0.5 * (high - low));
        let by = |difference: f64| more_or_less(&rounded(difference.abs(), margin), difference);
        let share = 100.0 * (self.difference / self.than).abs();
        let share = if share.is_finite() && self.difference != 0.0 {
            format!(" ({} %)", brief(share, 2))
        } else {
            String::new()
        };
        let [amount, direction] = by(self.difference);
        let than = |direction: &str| if direction == "less" { "less" } else { "more" };
        let mut sentence = match self.interval {
            None if direction.is_empty() => format!("{first} costs as much per player as {second}"),
            Some(ends) if direction.is_empty() => {
                let [from, to] = ends.map(|end| by(end).join(" "));
                format!(
                    "No clear difference between {first} and {second}: 95 % interval from {} to {} per player",
                    from.trim(),
                    to.trim()
                )
            }
            Some([low, high]) if low > 0.0 || high < 0.0 => {
                let ends = if low > 0.0 { [low, high] } else { [high, low] };
                let [from, to] = ends.map(|end| rounded(end.abs(), margin));
                format!(
                    "{first} costs {amount}{share} {} per player than {second} (95 % interval {from} to {to})",
                    than(&direction)
                )
            }
            Some(ends) => {
                let [from, to] = ends.map(|end| by(end).join(" "));
                format!(
                    "No clear difference between {first} and {second}: {first} costs {amount}{share} {} per player, 95 % \
                     interval from {} to {}",
                    than(&direction),
                    from.trim(),
                    to.trim()
                )
            }
            None => format!(
                "{first} costs {amount}{share} {} per player than {second}, by how much surely is not known",
                than(&direction)
            ),
        };
        let parts = self.parts();
        if !parts.is_empty() {
            sentence += ": ";
            sentence += &parts.join(", ");
        }
        sentence + "."
    }

    fn parts(&self) -> Vec<String> {
        let wait = self.wait.map(|seconds| {
            let by = seconds_in_words(seconds.abs());
            match sign_of(&by, seconds) {
                Some(true) => format!("waits are {by} longer"),
                Some(false) => format!("waits are {by} shorter"),
                None => "waits are as long".to_owned(),
            }
        });
        let mismatch = self.mismatch.map(|mismatch| {
            let by = brief(mismatch.abs(), 2);
            match sign_of(&by, mismatch) {
                Some(true) => format!("matches {by} less even"),
                Some(false) => format!("matches {by} more even"),
                None => "matches as even".to_owned(),
            }
        });
        let matched = self.matched.and_then(|share| {
            let by = brief(100.0 * share.abs(), 2);
            match sign_of(&by, share) {
                Some(true) => Some(format!("{by} % more of the tickets get a match")),
                Some(false) => Some(format!("{by} % fewer of the tickets get a match")),
                None => None,
            }
        });
        [wait, mismatch, matched].into_iter().flatten().collect()
    }
}

/// A policy, or what really happened, by itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct Alone<'a> {
    /// What it is called in a sentence.
    pub(super) name: &'a str,
    /// What it costs a player, and beside what that stands.
    pub(super) cost: f64,
    /// See `cost`.
    pub(super) beside: &'a str,
    /// The share of the tickets that have a match.
    pub(super) matched: f64,
    /// Mean mismatch of the matches.
    pub(super) mismatch: Option<f64>,
    /// Mean wait in seconds.
    pub(super) wait: Option<f64>,
}

impl Alone<'_> {
    /// What it costs, and at what: tickets with a match, matches, waits.
    pub(super) fn sentence(&self) -> String {
        let mismatch = self
            .mismatch
            .map(|mismatch| format!(", at a mean mismatch of {}", brief(mismatch, 3)));
        let wait = self
            .wait
            .map(|seconds| format!(", and the mean wait is {}", seconds_in_words(seconds)));
        format!(
            "{} costs {} per player{}: {} % of the tickets get a match{}{}.",
            visible_line(self.name),
            brief(self.cost, 4),
            self.beside,
            brief(100.0 * self.matched, 3),
            mismatch.unwrap_or_default(),
            wait.unwrap_or_default(),
        )
    }
}

/// An amount, and whether it is more or less than nothing; nothing where it is none.
fn more_or_less(amount: &str, difference: f64) -> [String; 2] {
    let direction = match sign_of(amount, difference) {
        Some(true) => "more",
        Some(false) => "less",
        None => "",
    };
    [amount.to_owned(), direction.to_owned()]
}

/// Whether a number is above 0, if it is not 0 as it is written.
fn sign_of(written: &str, number: f64) -> Option<bool> {
    let is_zero = !written.bytes().any(|byte| (b'1'..=b'9').contains(&byte));
    (!is_zero).then_some(number > 0.0)
}

/// A number with as many digits as its error allows, else three.
pub(super) fn rounded(value: f64, error: Option<f64>) -> String {
    matchwright_report::rounded(value, error.unwrap_or(f64::NAN))
}

/// Seconds, to a tenth below ten.
pub(super) fn seconds_in_words(seconds: f64) -> String {
    let decimals = usize::from(seconds < 10.0);
    format!("{} s", decimal(seconds, decimals))
}

/// A sentence in the middle of another; names keep their letters.
pub(super) fn lower_first(sentence: &str) -> String {
    if sentence.starts_with("No clear") {
        lower(sentence)
    } else {
        sentence.to_owned()
    }
}

/// A heading in the middle of a sentence.
pub(super) fn lower(heading: &str) -> String {
    let mut letters = heading.chars();
    let first = letters.next().map(|letter| letter.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
}

/// A policy's name as sentences have it.
pub(super) fn quoted(name: &str) -> String {
    format!("`{name}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SURE: Versus<'_> = Versus {
        names: ["`prices`", "`widening`"],
        than: 46.25,
        difference: -3.7,
        interval: Some([-6.21, -1.19]),
        wait: Some(-8.04),
        mismatch: Some(10.2),
        matched: Some(0.0004),
    };

    #[test]
    fn a_sentence_says_which_costs_less_how_surely_and_at_what() {
        assert_eq!(
            SURE.sentence(),
            "`prices` costs 3.7 (8 %) less per player than `widening` (95 % interval 1.2 to 6.2): waits are 8.0 s shorter, \
             matches 10 less even, 0.04 % more of the tickets get a match."
        );
        let dearer = Versus {
            difference: 37.0,
            interval: Some([12.0, 62.0]),
            wait: Some(20.4),
            mismatch: Some(-0.0312),
            matched: Some(-0.02),
            ..SURE
        };
        assert_eq!(
            dearer.sentence(),
            "`prices` costs 37 (80 %) more per player than `widening` (95 % interval 12 to 62): waits are 20 s longer, matches \
             0.031 more even, 2 % fewer of the tickets get a match."
        );
    }

    #[test]
    fn what_is_not_clear_is_not_said_to_be() {
        let unclear = Versus {
            interval: Some([-8.6, 1.2]),
            wait: None,
            mismatch: Some(0.0),
            matched: Some(0.0),
            ..SURE
        };
        assert_eq!(
            unclear.sentence(),
            "No clear difference between `prices` and `widening`: `prices` costs 3.7 (8 %) less per player, 95 % interval from \
             8.6 less to 1.2 more: matches as even."
        );
        let none = Versus {
            interval: None,
            mismatch: None,
            ..SURE
        };
        assert_eq!(
            none.sentence(),
            "`prices` costs 3.7 (8 %) less per player than `widening`, by how much surely is not known: waits are 8.0 s \
             shorter, 0.04 % more of the tickets get a match."
        );
        let same = Versus {
            difference: 0.0,
            interval: None,
            wait: Some(0.001),
            mismatch: None,
            matched: None,
            ..SURE
        };
        assert_eq!(
            same.sentence(),
            "`prices` costs as much per player as `widening`: waits are as long."
        );
        // Whatever rounds to nothing has its interval all the same.
        let close = Versus {
            difference: 0.02,
            interval: Some([-7.1, 7.14]),
            ..same
        };
        assert_eq!(
            close.sentence(),
            "No clear difference between `prices` and `widening`: 95 % interval from 7.1 less to 7.1 more per player: waits are \
             as long."
        );
        // Costs of 0 have no share; texts of a file cannot steer a terminal.
        let free = Versus {
            names: ["`a\u{1b}`", "b"],
            than: 0.0,
            ..none
        };
        assert!(
            free.sentence().contains("costs 3.7 less per player than b"),
            "{}",
            free.sentence()
        );
        assert!(!free.sentence().contains('\u{1b}'));
    }
}
