//! What decides the checks of section 4.

use serde::Serialize;

use crate::settings::{SettingError, require, within};
use matchwright_solver::BruteForce;

/// Standard deviations of normal skills, rating points.
pub(crate) const SKILL_SPREADS: [f64; 3] = [100.0, 200.0, 400.0];
/// Draw probability between equals: EOMM's.
pub(crate) const DRAW_RATE: f64 = 0.2;
/// Width in points of the laws that have one: Gaussian, parabola, exponential.
pub(crate) const DRAW_WIDTH: f64 = 200.0;

/// Everything that decides the numbers of [`run_theory`](super::run_theory), apart from the seed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TheoryConfig {
    /// Pools for each size, draw law and spread. Default 100.
    pub pools: u32,
    /// Pool sizes: even, from 4 to 12. Default 4, 6, 8, 10. A pool of ten has 945 pairings.
    pub sizes: Vec<usize>,
}

impl Default for TheoryConfig {
    fn default() -> Self {
        Self {
            pools: 100,
            sizes: vec![4, 6, 8, 10],
        }
    }
}

impl TheoryConfig {
    /// Refuses what cannot be run.
    ///
    /// # Errors
    /// Says which setting and what it may be.
    pub fn check(&self) -> Result<(), SettingError> {
        within("pools", self.pools, &(1..))?;
        let some = "at least one even number, such as 8";
        require(!self.sizes.is_empty(), "sizes", "empty", some)?;
        let paired = |size: &&usize| size.is_multiple_of(2) && (4..=BruteForce::MAX_VERTICES).contains(*size);
        match self.sizes.iter().find(|size| !paired(size)) {
            Some(size) => require(false, "sizes", size, "even, from 4 to 12"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_setting_out_of_range_is_refused_by_name() {
        assert!(TheoryConfig::default().check().is_ok());
        for (pools, sizes, name) in [
            (0, vec![4], "pools is 0"),
            (9, vec![], "sizes is empty"),
            (9, vec![4, 2], "sizes is 2"),
            (9, vec![5], "sizes is 5"),
            (9, vec![14], "sizes is 14"),
        ] {
            let message = TheoryConfig { pools, sizes }.check().unwrap_err().to_string();
            assert!(message.starts_with(name), "{message}");
        }
    }
}
