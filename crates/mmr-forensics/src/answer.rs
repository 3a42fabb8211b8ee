//! [`Answer`]: an estimate, or why the data cannot tell.

/// What was found, or why it cannot be.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Answer<T> {
    /// The answer.
    Found(T),
    /// The data cannot tell, however the arithmetic is done.
    NotIdentifiable(Unidentified),
}

/// Why data cannot tell something.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Unidentified {
    /// Why not.
    pub why: String,
    /// What would help.
    pub remedy: String,
}

impl<T> Answer<T> {
    pub(crate) fn unknown(why: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::NotIdentifiable(Unidentified {
            why: why.into(),
            remedy: remedy.into(),
        })
    }

    /// The answer, if there is one.
    #[must_use]
    pub const fn found(&self) -> Option<&T> {
        match self {
            Self::Found(answer) => Some(answer),
            Self::NotIdentifiable(_) => None,
        }
    }
}

/// An estimate with a range that holds the true value in 95 of 100 cases, if the assumptions stated with it do.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Interval {
    /// The estimate.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// Whether a value lies within.
    #[must_use]
    pub fn holds(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}
