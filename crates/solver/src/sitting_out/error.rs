//! What can be wrong with a question of who sits out, or with an answer.

use thiserror::Error;

use crate::error::SolveError;
use crate::objective::Objective;
use crate::verify::VerifyError;

/// Why there is no lineup, or why one was rejected.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum SittingOutError {
    /// Not one price for each player.
    #[error("{prices} prices for {vertices} players: give one for each")]
    PriceCount {
        /// How many prices were given.
        prices: usize,
        /// How many players there are.
        vertices: usize,
    },
    /// A price that is NaN, infinite, or too large to be added to another.
    #[error("the price of leaving out player {vertex} is {price}: give a number within 8e307 of 0")]
    BadPrice {
        /// The player.
        vertex: usize,
        /// The number that was given.
        price: f64,
    },
    /// The solver gave no pairing, or the oracle broke its contract.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// A solver that aims at the other end of the scale.
    #[error("asked to {}, but the solver's pairing is to {}: choose the same for both", verb(*.asked), verb(*.solved))]
    OtherObjective {
        /// The objective of the question.
        asked: Objective,
        /// The objective of the pairing.
        solved: Objective,
    },
    /// A barrier that does not prove that the players who sit out must be so many.
    #[error(
        "the barrier claims {claimed} odd components and there are {found}, or it does not belong to the lineup: \
         it does not prove that so many sit out"
    )]
    BadBarrier {
        /// The odd components that the barrier names; 0 without one.
        claimed: usize,
        /// The odd components that there are.
        found: usize,
    },
    /// The proof of the padded graph was rejected.
    #[error("the proof of the padded graph fails: {0}")]
    Verify(#[from] VerifyError),
    /// A lineup that is not what its pairing of the padded graph says.
    #[error("the lineup does not follow from its pairing: it belongs to another question, or was changed")]
    OtherLineup,
    /// The lineup's cost is not the sum of its costs and prices.
    #[error("the lineup claims to cost {claimed}, its pairs and prices cost {actual}")]
    WrongCost {
        /// The cost in the lineup.
        claimed: f64,
        /// The sum.
        actual: f64,
    },
}

const fn verb(objective: Objective) -> &'static str {
    match objective {
        Objective::Minimize => "minimise",
        Objective::Maximize => "maximise",
    }
}
