//! The settings of a study.

use matchwright_churn::Folds;
use serde::{Deserialize, Serialize};

use crate::settings::{SettingError, require, within};
use matchwright_rating::DrawKind;

/// The share of the player-matches, the latest, that only judge the models of skill and churn.
pub(crate) const HOLDOUT: f64 = 0.2;
/// Inverse penalties C of scikit-learn's convention that cross-validation chooses from.
pub(crate) const GRID: [f64; 6] = [1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0];

/// Everything that decides a study's numbers, apart from the history itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StudyConfig {
    /// Rounds of matchmaking for each pool size. Default 200; the paper ran 10,000.
    pub rounds: u32,
    /// Pool sizes, even. Default 100, 200, 300, 400, 500.
    pub pools: Vec<usize>,
    /// Seed of all that is random.
    pub seed: u64,
    /// A player without a match for this many hours after one has churned. Default 8.
    pub horizon_hours: u32,
    /// How draws get their probability. Default: the same whatever the gap (Eq. 10).
    pub draws: DrawKind,
    /// Draw rate between equals; by default fitted to all matches, which for a constant rate is the share
    /// of draws. The paper used 0.2.
    pub draw_rate: Option<f64>,
    /// At most this many player-matches, sampled, go into the churn model. Default 40,000.
    pub fit_rows: usize,
    /// How many folds. Default 5.
    pub folds: usize,
    /// How rows fall into folds. Default: no player on both sides.
    pub fold_by: Folds,
    /// The states of both players of this many sampled matches make the collection. Default 5,000.
    pub state_matches: usize,
}

impl Default for StudyConfig {
    fn default() -> Self {
        Self {
            rounds: 200,
            pools: vec![100, 200, 300, 400, 500],
            seed: 1,
            horizon_hours: 8,
            draws: DrawKind::Fixed,
            draw_rate: None,
            fit_rows: 40_000,
            folds: 5,
            fold_by: Folds::GroupKFold,
            state_matches: 5_000,
        }
    }
}

impl StudyConfig {
    /// The default with larger samples, to compare levels: with 100,000 player-matches in the fit and the
    /// states of 20,000 matches, the share of players retained is that of the whole history to some 0.2 percentage
    /// points, against 0.35 by default.
    #[must_use]
    pub fn with_large_samples() -> Self {
        Self {
            fit_rows: 100_000,
            state_matches: 20_000,
            ..Self::default()
        }
    }

    /// Refuses what cannot be run.
    ///
    /// # Errors
    /// [`SettingError`] says which setting and what it may be.
    pub fn check(&self) -> Result<(), SettingError> {
        within("rounds", self.rounds, &(2..))?;
        let some = "at least one even number, such as 100";
        require(!self.pools.is_empty(), "pools", "empty", some)?;
        for (k, &size) in self.pools.iter().enumerate() {
            let even = size >= 2 && size.is_multiple_of(2);
            require(even, "pools", size, "even, 2 or more: everybody is paired")?;
            require(!self.pools[..k].contains(&size), "pools", size, "each size once")?;
        }
        within("horizon", self.horizon_hours, &(1..))?;
        within("draw rate", self.draw_rate.unwrap_or(0.0), &(0.0..1.0))?;
        within("folds", self.folds, &(2..))?;
        within("fit rows", self.fit_rows, &(100..))?;
        within("state matches", self.state_matches, &(1..))
    }
}
