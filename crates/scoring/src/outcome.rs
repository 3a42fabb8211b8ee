//! [`OutcomeChances`] and [`ChurnByOutcome`]: probabilities of win, draw and loss, and of churn after each.

use crate::error::{ScoringError, within};

/// Chances of one match's outcomes from one player's view: each from 0 to 1, together 1.
///
/// Where they come from is the caller's business: a rating system, a table, a simulation.
///
/// ```
/// use matchwright_scoring::OutcomeChances;
///
/// let chances = OutcomeChances::new(0.5, 0.2, 0.3)?;
/// assert_eq!((chances.win(), chances.reversed().win()), (0.5, 0.3));
/// assert!(OutcomeChances::new(0.5, 0.2, 0.2).is_err());
/// # Ok::<(), matchwright_scoring::ScoringError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "RawByOutcome"))]
pub struct OutcomeChances {
    win: f64,
    draw: f64,
    loss: f64,
}

/// Rounding that three probabilities may bring along.
const SUM_TOLERANCE: f64 = 1e-9;

impl OutcomeChances {
    /// The chances of a win, a draw and a loss, as given.
    ///
    /// # Errors
    /// [`ScoringError`] if one is NaN or outside \[0, 1\], or their sum is more than 1e-9 from 1.
    #[inline]
    pub fn new(win: f64, draw: f64, loss: f64) -> Result<Self, ScoringError> {
        within("win", win, 0.0..=1.0)?;
        within("draw", draw, 0.0..=1.0)?;
        within("loss", loss, 0.0..=1.0)?;
        within(
            "OutcomeChances: the sum",
            win + draw + loss,
            1.0 - SUM_TOLERANCE..=1.0 + SUM_TOLERANCE,
        )?;
        Ok(Self { win, draw, loss })
    }

    /// From chances that sum to 1 at most, to rounding.
    pub(crate) fn from_win_and_draw(win: f64, draw: f64) -> Self {
        let loss = (1.0 - win - draw).max(0.0);
        Self { win, draw, loss }
    }

    /// The chance that the player wins.
    #[must_use]
    pub const fn win(&self) -> f64 {
        self.win
    }

    /// The chance that nobody wins.
    #[must_use]
    pub const fn draw(&self) -> f64 {
        self.draw
    }

    /// The chance that the player loses.
    #[must_use]
    pub const fn loss(&self) -> f64 {
        self.loss
    }

    /// The same match from the opponent's view.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self {
            win: self.loss,
            draw: self.draw,
            loss: self.win,
        }
    }
}

/// How likely one player is to churn after each outcome of the coming match: c(s, W), c(s, D), c(s,
/// L), each from 0 to 1.
///
/// The opponent does not appear: given the outcome, churn depends on the player's own state alone
/// (EOMM, eq. 2).
///
/// Any other objective fits that can be put as disengagement from 0 (best) to 1 (worst), such as
/// play time or spending:
///
/// ```
/// use matchwright_scoring::ChurnByOutcome;
///
/// // Expected minutes played this week after each outcome; 600 and more are as good as it gets.
/// let [win, draw, loss] = [300.0, 240.0, 420.0].map(|minutes: f64| 1.0 - (minutes / 600.0).min(1.0));
/// let disengagement = ChurnByOutcome::new(win, draw, loss)?;
/// assert_eq!(disengagement.win(), 0.5);
/// # Ok::<(), matchwright_scoring::ScoringError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "RawByOutcome"))]
pub struct ChurnByOutcome {
    win: f64,
    draw: f64,
    loss: f64,
}

impl ChurnByOutcome {
    /// Churn probabilities after a win, a draw and a loss.
    ///
    /// # Errors
    /// [`ScoringError`] if one is NaN or outside \[0, 1\].
    pub fn new(win: f64, draw: f64, loss: f64) -> Result<Self, ScoringError> {
        within("win", win, 0.0..=1.0)?;
        within("draw", draw, 0.0..=1.0)?;
        within("loss", loss, 0.0..=1.0)?;
        Ok(Self { win, draw, loss })
    }

    /// c(s, W): churn probability after a win.
    #[must_use]
    pub const fn win(&self) -> f64 {
        self.win
    }

    /// c(s, D): churn probability after a draw.
    #[must_use]
    pub const fn draw(&self) -> f64 {
        self.draw
    }

    /// c(s, L): churn probability after a loss.
    #[must_use]
    pub const fn loss(&self) -> f64 {
        self.loss
    }
}

/// What is read before it is checked.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct RawByOutcome {
    win: f64,
    draw: f64,
    loss: f64,
}

#[cfg(feature = "serde")]
impl TryFrom<RawByOutcome> for OutcomeChances {
    type Error = ScoringError;

    fn try_from(raw: RawByOutcome) -> Result<Self, ScoringError> {
        Self::new(raw.win, raw.draw, raw.loss)
    }
}

#[cfg(feature = "serde")]
impl TryFrom<RawByOutcome> for ChurnByOutcome {
    type Error = ScoringError;

    fn try_from(raw: RawByOutcome) -> Result<Self, ScoringError> {
        Self::new(raw.win, raw.draw, raw.loss)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_outside_their_range_are_refused_by_name() {
        for bad in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
            assert_eq!(ChurnByOutcome::new(bad, 0.0, 0.0).unwrap_err().name(), "win");
            assert_eq!(ChurnByOutcome::new(0.0, bad, 0.0).unwrap_err().name(), "draw");
            assert_eq!(ChurnByOutcome::new(0.0, 0.0, bad).unwrap_err().name(), "loss");
            assert_eq!(OutcomeChances::new(bad, 0.0, 0.0).unwrap_err().name(), "win");
            assert_eq!(OutcomeChances::new(0.5, bad, 0.5).unwrap_err().name(), "draw");
            assert_eq!(OutcomeChances::new(0.5, 0.5, bad).unwrap_err().name(), "loss");
        }
        assert!(OutcomeChances::new(0.5, 0.2, 0.31).is_err());
        assert!(OutcomeChances::new(0.1 + 0.2, 0.3, 0.4).is_ok());
    }

    #[cfg(feature = "serde")]
    #[test]
    fn an_invalid_number_cannot_be_read() {
        use serde::Deserialize;
        use serde::de::value::{Error, MapDeserializer};

        let fields = |win, draw, loss| {
            MapDeserializer::<_, Error>::new([("win", win), ("draw", draw), ("loss", loss)].into_iter())
        };
        assert_eq!(
            OutcomeChances::deserialize(fields(0.5, 0.2, 0.3)),
            Ok(OutcomeChances::new(0.5, 0.2, 0.3).unwrap())
        );
        assert_eq!(
            ChurnByOutcome::deserialize(fields(0.1, 0.2, 0.3)),
            Ok(ChurnByOutcome::new(0.1, 0.2, 0.3).unwrap())
        );
        let error = OutcomeChances::deserialize(fields(0.5, 0.5, 0.5)).unwrap_err();
        assert!(error.to_string().contains("the sum` is 1.5"));
        assert!(ChurnByOutcome::deserialize(fields(0.5, 0.5, 1.5)).is_err());
    }
}
