//! [`Outcome`]: how a match ended, seen by one player.

use thiserror::Error;

/// How a match ended for one player: o in {W, D, L}.
///
/// EOMM, section 3.2: the finite set of outcomes from which games are sampled.
///
/// ```
/// use matchwright_churn::Outcome;
///
/// assert_eq!(Outcome::Win.reversed(), Outcome::Loss);       // the opponent's view of the same match
/// assert_eq!(Outcome::from_score(0.5)?, Outcome::Draw);
/// let o5: String = [Outcome::Loss, Outcome::Win, Outcome::Loss, Outcome::Draw, Outcome::Loss]
///     .iter()
///     .map(|outcome| outcome.letter())
///     .collect();
/// assert_eq!(o5, "LWLDL");                                  // the paper's example of o^K for K = 5
/// # Ok::<(), matchwright_churn::OutcomeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Outcome {
    /// The player won: score 1.
    Win,
    /// Nobody won: score 1/2.
    Draw,
    /// The player lost: score 0.
    Loss,
}

/// A score that is no outcome.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error("{0} is not the score of a match: use 1 for a win, 0.5 for a draw, 0 for a loss")]
pub struct OutcomeError(
    /// The score that was given.
    pub f64,
);

impl Outcome {
    /// The three outcomes, each at its [`index`](Self::index).
    pub const ALL: [Self; 3] = [Self::Win, Self::Draw, Self::Loss];

    /// 0 for a win, 1 for a draw, 2 for a loss: the place in [`ALL`](Self::ALL) and in every one-hot of this crate.
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::Win => 0,
            Self::Draw => 1,
            Self::Loss => 2,
        }
    }

    /// The same match as the opponent saw it. Reversing twice changes nothing.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::Draw => Self::Draw,
            Self::Loss => Self::Win,
        }
    }

    /// The score of the match: 1, 1/2 or 0.
    #[must_use]
    pub const fn score(self) -> f64 {
        match self {
            Self::Win => 1.0,
            Self::Draw => 0.5,
            Self::Loss => 0.0,
        }
    }

    /// The outcome with exactly this score.
    ///
    /// # Errors
    ///
    /// Anything but 1, 0.5 and 0, NaN included.
    pub fn from_score(score: f64) -> Result<Self, OutcomeError> {
        Self::ALL
            .into_iter()
            .find(|outcome| outcome.score() == score)
            .ok_or(OutcomeError(score))
    }

    /// `W`, `D` or `L`, as the paper writes a history.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Win => 'W',
            Self::Draw => 'D',
            Self::Loss => 'L',
        }
    }

    /// The outcome written as `W`, `D` or `L`; `None` for any other letter.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'W' => Some(Self::Win),
            'D' => Some(Self::Draw),
            'L' => Some(Self::Loss),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index_score_letter_and_reversal_agree_for_every_outcome() {
        for (index, outcome) in Outcome::ALL.into_iter().enumerate() {
            assert_eq!(outcome.index(), index);
            assert_eq!(outcome.reversed().index(), 2 - index);
            assert_eq!(outcome.reversed().reversed(), outcome);
            assert_eq!(outcome.score() + outcome.reversed().score(), 1.0);
            assert_eq!(Outcome::from_score(outcome.score()), Ok(outcome));
            assert_eq!(Outcome::from_letter(outcome.letter()), Some(outcome));
        }
        assert_eq!(Outcome::from_letter('w'), None);
    }

    #[test]
    fn a_score_that_is_no_outcome_says_what_to_write() {
        for score in [0.25, -1.0, 2.0, f64::NAN, f64::INFINITY] {
            let error = Outcome::from_score(score).unwrap_err();
            assert!(error.to_string().contains("0.5 for a draw"), "{error}");
        }
    }
}
