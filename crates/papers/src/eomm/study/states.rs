//! The collection of player states that pools are sampled from (section 5.2, "Player States").

use anyhow::{Context, Result};
use matchwright_churn::{ChurnModel, LogisticModel, Outcome};
use matchwright_rating::GaussianRating;
use matchwright_rating::history::Duels;
use matchwright_scoring::ChurnByOutcome;
use rand::seq::index::sample;

use super::config::StudyConfig;
use super::rows::{Row, RowId, match_of, row_of};
use crate::random::Purpose;
use matchwright_sim::population::{TrueSide, Truth};
use matchwright_sim::random::stream;
use matchwright_sim::rate::Standing;

/// A waiting player: what the estimators say, and for judges alone the truth.
#[derive(Clone, Debug)]
pub(crate) struct WaitingPlayer {
    pub(crate) rating: GaussianRating,
    pub(crate) churn: ChurnByOutcome,
    /// Only where a generator knows it. No policy reads it.
    pub(crate) truth: Option<TrueSide>,
}

/// Both player-matches of each sampled match, ascending.
pub(crate) fn sample_states(config: &StudyConfig, duels: Duels<'_>) -> Vec<RowId> {
    let matches = duels.len();
    let mut rng = stream(config.seed, Purpose::States, 0, 0);
    let mut chosen = sample(&mut rng, matches, config.state_matches.min(matches)).into_vec();
    chosen.sort_unstable();
    chosen
        .into_iter()
        .flat_map(|game| [row_of(game, 0), row_of(game, 1)])
        .collect()
}

/// Churn after each outcome, from the fitted model, and the final rating, of every row.
pub(crate) fn waiting_players(
    rows: &[&Row],
    model: &LogisticModel,
    standings: &[Standing<GaussianRating>],
    truth: Option<&Truth>,
) -> Result<Vec<WaitingPlayer>> {
    let describe = |row: &&Row| {
        let fitted = |outcome: Outcome| model.churn_probability(row.state.columns_after(outcome).as_slice());
        let [win, draw, loss] = [Outcome::Win, Outcome::Draw, Outcome::Loss].map(fitted);
        let churn = ChurnByOutcome::new(win, draw, loss);
        Ok(WaitingPlayer {
            rating: standings[row.player as usize].rating,
            churn: churn.context("the churn of a player state")?,
            truth: truth.map(|truth| {
                let (game, side) = match_of(row.id);
                truth.side(game, side, row.player)
            }),
        })
    };
    rows.iter().map(describe).collect()
}
