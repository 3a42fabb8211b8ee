//! What a check found, and what that says of a claim.

use serde::Serialize;

use super::ledger::Claim;

/// What became of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Verdict {
    /// The claim holds here.
    Pass,
    /// It does not.
    Fail,
    /// The seed is in error, and the corrected statement holds.
    Corrected,
    /// Not checked: not built yet, or left out of this run.
    Open,
}

impl Verdict {
    /// As the tables write it.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Corrected => "seed in error: corrected",
            Self::Open => "open",
        }
    }

    /// The verdict on a claim whose check found this.
    pub(crate) fn of(claim: &Claim, found: &Found) -> Self {
        match (found.state, &claim.corrected) {
            (State::Open, _) => Self::Open,
            (State::Broken, _) => Self::Fail,
            (State::Holds, Some(_)) => Self::Corrected,
            (State::Holds, None) => Self::Pass,
        }
    }
}

/// A value that a check worked out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Figure {
    /// What it is.
    pub(crate) name: String,
    /// The number; none for words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) value: Option<f64>,
    /// Its standard error, if it comes from samples.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) standard_error: Option<f64>,
    /// Number or words, as the tables show them.
    pub(crate) shown: String,
    /// Decimals of the number.
    #[serde(skip)]
    decimals: usize,
}

impl Figure {
    /// The standard error as the tables show it.
    pub(crate) fn shown_error(&self) -> Option<String> {
        self.standard_error.map(|error| show(error, self.decimals + 1))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Holds,
    Broken,
    Open,
}

/// What a check found: figures, and whether all that it required was so.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Found {
    state: State,
    figures: Vec<Figure>,
    notes: Vec<String>,
}

impl Found {
    /// Nothing yet, and nothing amiss.
    pub(crate) fn new() -> Self {
        Self {
            state: State::Holds,
            figures: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Nothing, for this reason.
    pub(crate) fn open(why: impl Into<String>) -> Self {
        Self {
            state: State::Open,
            notes: vec![why.into()],
            ..Self::new()
        }
    }

    /// A check that could not be carried out.
    pub(crate) fn failed(why: impl Into<String>) -> Self {
        Self {
            state: State::Broken,
            notes: vec![why.into()],
            ..Self::new()
        }
    }

    /// Adds a number.
    pub(crate) fn number(self, name: impl Into<String>, value: f64, decimals: usize) -> Self {
        self.figure(name.into(), Some(value), None, show(value, decimals), decimals)
    }

    /// Adds a count.
    pub(crate) fn count(self, name: impl Into<String>, value: u64) -> Self {
        self.number(name, value as f64, 0)
    }

    /// Adds a number with its standard error.
    pub(crate) fn estimate(self, name: impl Into<String>, value: f64, error: f64, decimals: usize) -> Self {
        self.figure(
            name.into(),
            Some(value),
            Some(error),
            show(value, decimals),
            decimals,
        )
    }

    /// Adds words.
    pub(crate) fn text(self, name: impl Into<String>, words: impl Into<String>) -> Self {
        self.figure(name.into(), None, None, words.into(), 0)
    }

    fn figure(
        mut self,
        name: String,
        value: Option<f64>,
        standard_error: Option<f64>,
        shown: String,
        decimals: usize,
    ) -> Self {
        self.figures.push(Figure {
            name,
            value,
            standard_error,
            shown,
            decimals,
        });
        self
    }

    /// The claim fails unless this is so; `what` says what should have been.
    pub(crate) fn require(mut self, holds: bool, what: impl Into<String>) -> Self {
        if !holds {
            self.state = State::Broken;
            self.notes.push(format!("not so: {}", what.into()));
        }
        self
    }

    /// Something to say beside the figures.
    pub(crate) fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// What was worked out.
    pub(crate) fn figures(&self) -> &[Figure] {
        &self.figures
    }

    /// What was said.
    pub(crate) fn notes(&self) -> &[String] {
        &self.notes
    }

    #[cfg(test)]
    pub(crate) fn holds(&self) -> bool {
        self.state == State::Holds
    }

    #[cfg(test)]
    pub(crate) fn is_open(&self) -> bool {
        self.state == State::Open
    }
}

/// With these decimals; with a power of ten where they would show nothing.
fn show(value: f64, decimals: usize) -> String {
    let plain = format!("{value:.decimals$}");
    let vanished = value != 0.0 && !plain.bytes().any(|b| (b'1'..=b'9').contains(&b));
    if vanished && value.is_finite() {
        return format!("{value:.1e}");
    }
    if value == 0.0 { "0".to_owned() } else { plain }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_would_vanish_are_shown_with_a_power_of_ten() {
        assert_eq!(show(0.123456, 3), "0.123");
        assert_eq!(show(2.2e-16, 3), "2.2e-16");
        assert_eq!(show(-0.0, 2), "0");
        assert_eq!(show(f64::NAN, 2), "NaN");
    }

    #[test]
    fn one_broken_requirement_is_enough_to_fail() {
        let claim = Claim::sample("X");
        let found = Found::new()
            .require(true, "a")
            .require(false, "b")
            .require(true, "c");
        assert_eq!(Verdict::of(&claim, &found), Verdict::Fail);
        assert_eq!(found.notes(), ["not so: b"]);
        assert_eq!(Verdict::of(&claim, &Found::new()), Verdict::Pass);
        let error = Claim {
            corrected: Some("this instead".to_owned()),
            ..claim
        };
        assert_eq!(Verdict::of(&error, &Found::new()), Verdict::Corrected);
        assert_eq!(Verdict::of(&error, &found), Verdict::Fail);
        assert_eq!(Verdict::of(&error, &Found::open("later")), Verdict::Open);
    }
}
