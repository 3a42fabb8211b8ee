//! Why ratings cannot be made or evaluated.

use matchwright_churn::MetricError;
use matchwright_rating::{
    AdvantageError, BradleyTerryError, FitError, ParamError, PartyFitError, RatingParamsError,
    ThroughTimeError, TimeError, Unsupported,
};

/// Why ratings cannot be made or evaluated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RateError {
    /// The share of matches before the evaluated part is not between 0 and 1.
    #[error(
        "the evaluated part starts at {value} of the history; choose a number between 0 and 1, such as 0.8"
    )]
    EvaluateFrom {
        /// What it was.
        value: f64,
    },
    /// Too few matches.
    #[error(
        "too few matches: {learnt} of {matches} to train on and {evaluated} to evaluate; at least 1 of each is needed, and a decisive one to evaluate"
    )]
    TooFew {
        /// Matches in the history.
        matches: usize,
        /// Those before the evaluated part.
        learnt: usize,
        /// Those in it.
        evaluated: usize,
    },
    /// Settings of a rating system that are out of range, or do not go together.
    #[error(transparent)]
    Params(#[from] RatingParamsError),
    /// The draw rate.
    #[error("fitting the draw rate: {0}")]
    DrawRate(#[from] FitError),
    /// Parameters that make no population.
    #[cfg(feature = "simulate")]
    #[error(transparent)]
    Population(#[from] crate::population::GeneratorError),
    /// Time went back.
    #[error(transparent)]
    Time(#[from] TimeError),
    /// A measure that could not be taken.
    #[error("evaluating the predictions: {0}")]
    Metric(#[from] MetricError),
    /// A game of teams or of more than two players.
    #[error("the history has games of more than one player against one")]
    NotDuels,
    /// The home advantage.
    #[error("fitting the home advantage, on the matches before the evaluated part: {0}")]
    Advantage(AdvantageError),
    /// A game that does not say whether it was normal or ranked, where accounts have a rating for each.
    #[error(
        "match {game} in order of time, at time {time}, {}; with accounts each match is `normal` or `ranked`", played(context.as_deref())
    )]
    Track {
        /// Which, from 1, in order of time.
        game: usize,
        /// When it ended, Unix seconds.
        time: i64,
        /// What it says was played, if anything.
        context: Option<String>,
    },
    /// A draw under parameters that say that there are none.
    #[error(
        "match {game} in order of time, at time {time}, is a draw: {players} share a place, and a draw probability of 0 says that nobody does; give one above 0, such as 0.1"
    )]
    Drawn {
        /// Which, from 1, in order of time.
        game: usize,
        /// When, in seconds (or by the index that stands for the time).
        time: i64,
        /// The first players of the two sides, in quotes.
        players: String,
    },
    /// Strengths that could not be fitted.
    #[error("fitting all strengths at once: {0}")]
    BradleyTerry(#[from] BradleyTerryError),
    /// Teams, where only single players can be compared.
    #[error(
        "game {game} has a team in it, and Bradley-Terry compares single players; choose another system, such as weng-lin"
    )]
    Teams {
        /// Which, from 1, in order of time.
        game: usize,
    },
    /// A home advantage in a game without a first side.
    #[error("game {game} has more than two sides, of which none has a home advantage; fit none")]
    NobodyFirst {
        /// Which, from 1, in order of time.
        game: usize,
    },
    /// A home advantage that was given to a system that only estimates it.
    #[error("Bradley-Terry estimates the home advantage and takes no {points} points; fit it instead")]
    AdvantageGiven {
        /// What was given.
        points: f64,
    },
    /// Skills at all times that could not be fitted.
    #[error("fitting all skills at all times: {0}")]
    ThroughTime(#[from] ThroughTimeError),
    /// Party bonuses that could not be fitted.
    #[error("fitting the party bonus, on {games} games before the evaluated part: {source}")]
    Party {
        /// How many there were.
        games: usize,
        /// Why.
        source: PartyFitError,
    },
    /// A history without parties.
    #[error("the party bonus is not estimable: no game of two sides before the evaluated part has a party")]
    NobodyQueuedTogether,
    /// Every player is always in a party, or never.
    #[error(
        "the party bonus is not estimable: the same players are always in a party and the others never, so that it cannot be separated from their skill"
    )]
    AlwaysTogether,
    /// Games of teams in a rating period that counts at its end.
    #[error(
        "with a system for two players, rating periods whose matches count all at once are for whole matches of one against one; choose another period or a system for teams"
    )]
    BatchOfTeams,
    /// An advantage that is fitted takes several passes.
    #[error(
        "a home advantage is fitted in several passes, which a stream of matches does not have; give it in points"
    )]
    FitOfStream,
    /// Contexts take a second pass.
    #[error(
        "ratings in contexts take a second pass, which a stream of matches does not have; drop `context_games`"
    )]
    ContextOfStream,
    /// Seasons without end.
    #[error("{count} seasons start between the game at time {time} and the one before it; give longer ones")]
    ManySeasons {
        /// How many.
        count: u64,
        /// When the game ended, Unix seconds.
        time: i64,
    },
    /// More predictions than can be counted.
    #[error("more than {} predictions", u32::MAX)]
    LongStream,
}

/// What a game says was played.
fn played(context: Option<&str>) -> String {
    context.map_or_else(
        || "does not say whether it was normal or ranked".to_owned(),
        |context| format!("says that `{context}` was played"),
    )
}

impl From<ParamError> for RateError {
    fn from(error: ParamError) -> Self {
        Self::Params(error.into())
    }
}

impl From<Unsupported> for RateError {
    fn from(error: Unsupported) -> Self {
        Self::Params(error.into())
    }
}
