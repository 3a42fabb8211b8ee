//! [`Explanation`]: why a match has the quality it has.

/// A policy's score of one match, taken apart.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Explanation {
    /// Every factor, in the policy's order.
    pub factors: Vec<FactorScore>,
    /// What the factors combine to, before floors, rules and threshold; `None` if a factor forbids by itself.
    pub combined: Option<f64>,
    /// The quality; `None` if the match is forbidden.
    pub quality: Option<f64>,
    /// All that forbids the match; empty if nothing does.
    pub forbidden: Vec<Forbidden>,
}

/// One factor's part in an [`Explanation`].
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct FactorScore {
    /// The factor's key in a policy document.
    pub name: &'static str,
    /// Its quality in \[0, 1\]; `None` if it forbids the match.
    pub value: Option<f64>,
    /// Its weight as written.
    pub weight: f64,
    /// Its weight as a share of all weights, in \[0, 1\].
    pub share: f64,
    /// The quality below which it forbids.
    pub floor: Option<f64>,
}

impl FactorScore {
    /// share x value: what the factor adds to a weighted average, and 0 where it forbids.
    #[must_use]
    pub fn contribution(&self) -> f64 {
        self.share * self.value.unwrap_or(0.0)
    }

    /// share x (1 - value): what the factor costs a weighted average.
    #[must_use]
    pub fn loss(&self) -> f64 {
        self.share * (1.0 - self.value.unwrap_or(0.0))
    }
}

/// One reason why a match must not be made.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Forbidden {
    /// The factor's or rule's key in a policy document, or `threshold`.
    pub by: &'static str,
    /// In words, with the ids of the players concerned where there are some.
    pub why: String,
}
