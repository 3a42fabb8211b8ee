//! Bradley and Terry's model, which the paper's section 2 recalls: EOMM-BT.

use super::inputs::EommInputs;
use crate::check::prelude::*;
use matchwright_churn::{Dataset, LogisticParams};
use matchwright_rating::{
    BradleyTerry, BradleyTerryError, BradleyTerryFit, BradleyTerryParams, BradleyTerryPrior, Comparison,
    Score,
};
use rand::RngExt;

pub(crate) const CHECKS: &[Check<EommInputs>] = &[Check::new(
    "EOMM-BT",
    Exact(|inputs| both_forms(inputs, BradleyTerry::fit)),
)];

const PLAYERS: usize = 8;
const GAMES: usize = 400;
/// What both fits are told of the size of w, so that neither takes a limit.
const PRECISION: f64 = 0.5;

/// Winners and losers.
fn games(seed: u64) -> Vec<(usize, usize)> {
    let mut rng = check_stream(seed, 48, 0);
    let mut games = Vec::with_capacity(GAMES);
    while games.len() < GAMES {
        let (a, b) = (rng.random_range(0..PLAYERS), rng.random_range(0..PLAYERS));
        if a == b {
            continue;
        }
        // Strength r = 1 + number, so that all beat all now and then.
        let chance = (1 + a) as f64 / (2 + a + b) as f64;
        let a_wins = rng.random::<f64>() < chance;
        games.push(if a_wins { (a, b) } else { (b, a) });
    }
    games
}

/// The weights of a logistic regression of the results on who played. Each game is a row from either side, with half
/// a weight, which leaves no room for an intercept.
fn regression(games: &[(usize, usize)]) -> Result<Vec<f64>> {
    let (mut rows, mut labels) = (Vec::new(), Vec::new());
    for &(winner, loser) in games {
        for won in [true, false] {
            let mut row = [0.0; PLAYERS];
            let sign = if won { 1.0 } else { -1.0 };
            row[winner] = sign;
            row[loser] = -sign;
            rows.extend(row);
            labels.push(won);
        }
    }
    let names = (0..PLAYERS).map(|player| format!("player {player}")).collect();
    let data = Dataset::new(names, rows, labels)?;
    let params = LogisticParams {
        c: 0.5 / PRECISION,
        standardize: false,
        tolerance: 1e-15,
        ..LogisticParams::default()
    };
    let fit = params.build()?.fit(&data)?;
    Ok(fit.model.coefficients().to_vec())
}

/// What fits strengths to comparisons.
pub(crate) type Fit = fn(&BradleyTerry, usize, &[Comparison]) -> Result<BradleyTerryFit, BradleyTerryError>;

pub(crate) fn both_forms(inputs: &EommInputs, fit: Fit) -> Result<Finding> {
    let games = games(inputs.seed);
    let won = |&(winner, loser): &(usize, usize)| Comparison::new(winner, loser, Score::WIN);
    let comparisons: Vec<Comparison> = games.iter().map(won).collect();
    let params = BradleyTerryParams {
        prior: BradleyTerryPrior::Always,
        prior_precision: PRECISION,
        tolerance: 1e-14,
        ..inputs.bradley_terry
    };
    let fitted = fit(&params.build()?, PLAYERS, &comparisons)?;
    let weights = regression(&games)?;
    let strengths: Vec<f64> = fitted.log_strengths().iter().map(|w| w.exp()).collect();
    let (mut off, mut of_ratios) = (0.0, 0.0);
    for i in 0..PLAYERS {
        for j in 0..PLAYERS {
            let ours = fitted.win_probability(i, j).context("all players are rated")?;
            let ratio = strengths[i] / (strengths[i] + strengths[j]);
            let logistic = 1.0 / (1.0 + (weights[j] - weights[i]).exp());
            deviate(&mut of_ratios, ours, ratio);
            deviate(&mut off, ratio, logistic);
        }
    }
    Ok(Finding::new()
        .count("players", PLAYERS as u64)
        .count("games", GAMES as u64)
        .number("r_i/(r_i+r_j) off the fit's probabilities by", of_ratios, 3)
        .number("off the logistic regression's by", off, 3)
        .require(of_ratios < 1e-12, "P = r_i/(r_i+r_j)")
        .require(off < 1e-12, "the same as by logistic regression, to 1e-12"))
}
