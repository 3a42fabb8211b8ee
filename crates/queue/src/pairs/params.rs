//! [`PairsParams`]: windows and prices as they are written.

use thiserror::Error;

use super::PairsSettings;
use super::rules::{Accept, Rules};
use crate::prices::{PricesError, PricesParams};
use crate::time::millis;
use crate::window::{Compare, WindowError, WindowParams};

/// What decides which pairs may start.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PairsParams {
    /// The windows: all must admit a match. The first that is no ping is that by which tickets are in order.
    pub windows: Vec<WindowParams>,
    /// Whose windows.
    pub accept: Accept,
    /// Seconds after which all windows of a ticket are lifted, and it gets the nearest whom the rules permit; with prices,
    /// pings alone are lifted, and each further second of its wait pays for as much mismatch as it costs.
    pub longest_wait: Option<f64>,
    /// Prices in place of the first window: see [`PricesParams`].
    pub prices: Option<PricesParams>,
}

/// Why settings make no policy of pairs.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "every field is named in the message of its variant")]
pub enum PairsError {
    /// A window.
    #[error(transparent)]
    Window(#[from] WindowError),
    /// Prices.
    #[error(transparent)]
    Prices(#[from] PricesError),
    /// A longest wait that is none.
    #[error("`longest_wait` is {value}: give a finite number of seconds of 0 or more")]
    LongestWait { value: f64 },
    /// Two windows of one attribute.
    #[error("there are two windows of `{of}`: give each attribute one")]
    Twice { of: String },
    /// Prices beside a window of the same attribute, or another handshake.
    #[error("`prices` decide about `{of}` by the sum of both sides: leave out its window, and `accept`")]
    PricesAndWindow { of: String },
}

impl PairsParams {
    /// The settings, if they can be followed.
    ///
    /// # Errors
    /// [`PairsError`] names the key.
    pub fn build(&self) -> Result<PairsSettings, PairsError> {
        if let Some(value) = self.longest_wait.filter(|wait| !(0.0..=f64::MAX).contains(wait)) {
            return Err(PairsError::LongestWait { value });
        }
        let mut windows = Vec::new();
        for (place, params) in self.windows.iter().enumerate() {
            let is_same = |other: &WindowParams| other.name() == params.name() && other.party == params.party;
            if self.windows[..place].iter().any(is_same) {
                let of = params.name().to_owned();
                return Err(PairsError::Twice { of });
            }
            windows.push(params.build()?);
        }
        windows.sort_by_key(|window| window.params().compare == Compare::Ping);
        let prices = self.prices.as_ref().map(PricesParams::build).transpose()?;
        let longest_wait = self.longest_wait.map(millis);
        let mut accept = self.accept;
        if let Some(prices) = &prices {
            let only_pings = windows
                .iter()
                .all(|window| window.params().compare == Compare::Ping);
            if !only_pings || accept != Accept::default() {
                let of = prices.params().of.clone();
                return Err(PairsError::PricesAndWindow { of });
            }
            accept = Accept::Sum;
            windows.insert(0, prices.window(longest_wait));
        }
        let rules = Rules {
            windows,
            accept,
            longest_wait,
            is_priced: prices.is_some(),
        };
        Ok(PairsSettings { rules, prices })
    }
}
