//! Rating games as they come, in memory for their players and a few bytes a game.

use matchwright_churn::Outcome;
use matchwright_rating::history::{Game, History, PlayerIndex, Side};
use matchwright_rating::{AdvantageChoice, DrawKind, RatingEstimate, RatingParams};

use super::contexts::scaled;
use super::draws::{DRAWS_FROM, learn_draws, refuse_draws};
use super::error::RateError;
use super::evaluation::{DECISIVE_GAMES, Forecast, RatingEvaluation, forecast, three_way, two_way};
use super::prediction::{Prediction, SidePair};
use super::rated::Rated;
use super::rater::{Rater, rater_of};
use super::team_pass::comes_first;
use super::told::Told;
use crate::statistics::share_of;

/// Rates games piece by piece and keeps none: what [`rate_games`](super::rate_games) does, for any number of games.
///
/// Memory: each player's rating, and 10 bytes a prediction, which is kept as two numbers of 32 bits so that the
/// forecasts can be evaluated in the end. Ratings are those of [`rate_games`](super::rate_games) to the bit where all
/// games are duels or none is; measures differ by the rounding of forecasts, some 1e-7 of them.
///
/// ```
/// use matchwright_rating::history::{HistoryBuilder, NamedGame};
/// use matchwright_rating::{DrawKind, RatingParams, Score, SystemName};
/// use matchwright_sim::rate::RatingStream;
///
/// let mut stream = RatingStream::new(&RatingParams::of(SystemName::Elo))?;
/// let mut builder = HistoryBuilder::default();
/// for time in 0..10 {
///     builder.push(&NamedGame::duel(time, ["ann", "bob"], Score::WIN, 0.0))?;
///     stream.play(builder.so_far())?;
///     builder.forget_games();
/// }
/// assert!(stream.rating(0).0 > stream.rating(1).0);
/// assert_eq!(stream.evaluate(0.8, DrawKind::Davidson)?.two_way.accuracy, 1.0);
/// let players = stream.finish(builder.so_far().players()).players;
/// assert_eq!((players[0].player.as_str(), players[0].wins), ("ann", 10));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct RatingStream {
    rater: Box<dyn Rater>,
    home_advantage: f64,
    draws: DrawKind,
    /// Of log odds.
    scale: f64,
    seen: Seen,
}

/// What was predicted, and what happened.
#[derive(Default)]
struct Seen {
    games: usize,
    /// The game of the latest prediction.
    latest: Option<usize>,
    expected: Vec<[f32; 2]>,
    /// Outcomes, and whether the side that the prediction is seen from comes second by name.
    outcomes: Vec<(Outcome, bool)>,
    /// Where each game's predictions begin; empty while each game has one.
    starts: Vec<u32>,
    /// Decided games, while all games have their sides in the order of places.
    in_order: Option<usize>,
}

impl RatingStream {
    /// A stream of any rater, which allows for draws.
    #[must_use]
    pub fn of(rater: Box<dyn Rater>) -> Self {
        Self {
            rater,
            home_advantage: 0.0,
            draws: DrawKind::default(),
            scale: 1.0,
            seen: Seen {
                in_order: Some(0),
                ..Seen::default()
            },
        }
    }

    /// A stream of a system by its name.
    ///
    /// # Errors
    /// [`RateError`] names the parameter that is out of range, and refuses what needs all games at once: Bradley-Terry,
    /// TrueSkill Through Time, a fitted advantage, contexts.
    pub fn new(params: &RatingParams) -> Result<Self, RateError> {
        if params.context_games.is_some() {
            return Err(RateError::ContextOfStream);
        }
        let rater = rater_of(params)?;
        let AdvantageChoice::Points(home_advantage) = params.home_advantage else {
            return Err(RateError::FitOfStream);
        };
        Ok(Self {
            home_advantage,
            draws: params.draw_kind(),
            scale: params.log_odds_scale,
            ..Self::of(rater)
        })
    }

    /// Rates the next games. Their players are those of earlier pieces, with the same indices, and new ones after them, as
    /// [`HistoryBuilder::forget_games`](matchwright_rating::history::HistoryBuilder::forget_games) gives them.
    ///
    /// # Errors
    /// [`RateError`] if time goes back, if there are more predictions than 32 bits can count, and for a draw under
    /// [`DrawKind::Never`].
    pub fn play(&mut self, games: &History) -> Result<(), RateError> {
        let (seen, scale) = (&mut self.seen, self.scale);
        refuse_draws(self.draws, games, seen.games)?;
        let mut predicted = |pair: SidePair, prediction: Prediction| {
            seen.add(games, pair, &scaled(prediction, scale));
        };
        self.rater
            .over(games, 0..games.len(), &mut Told::new(&mut predicted))?;
        seen.games += games.len();
        match u32::try_from(seen.expected.len()) {
            Ok(_) => Ok(()),
            // Dropped: our own error says more.
            Err(_) => Err(RateError::LongStream),
        }
    }

    /// The rating of a player and its deviation, where the system keeps one, as the latest game left them: those of a
    /// newcomer for an index that was never there.
    #[must_use]
    pub fn rating(&self, player: PlayerIndex) -> (f64, Option<f64>) {
        let estimate = self.rater.estimate(player);
        (estimate.rating(), estimate.deviation())
    }

    /// All players at the end, by rating, without predictions; `names` by index.
    #[must_use]
    pub fn finish(self, names: &[String]) -> Rated {
        let Self {
            mut rater,
            home_advantage,
            seen,
            ..
        } = self;
        // It may take more memory than the players.
        drop(seen);
        rater.finish(&mut Told::new(&mut |_, _| {}));
        Rated {
            players: rater.players(names),
            home_advantage,
            ..Rated::default()
        }
    }

    /// How well games were predicted from the share `evaluate_from` of them on, as
    /// [`evaluate_games`](super::evaluate_games) has it, draw rate included.
    ///
    /// # Errors
    /// [`RateError`] when there is nothing to train on or to evaluate.
    pub fn evaluate(&self, evaluate_from: f64, draws: DrawKind) -> Result<RatingEvaluation, RateError> {
        if !(evaluate_from > 0.0 && evaluate_from < 1.0) {
            return Err(RateError::EvaluateFrom { value: evaluate_from });
        }
        let seen = &self.seen;
        let evaluated_from = share_of(seen.games, evaluate_from);
        let first = seen.start(evaluated_from);
        let decided = seen.outcomes[first..]
            .iter()
            .any(|(outcome, _)| *outcome != Outcome::Draw);
        if first == 0 || !decided {
            return Err(RateError::TooFew {
                matches: seen.games,
                learnt: evaluated_from,
                evaluated: seen.games - evaluated_from,
            });
        }
        let learnt: Vec<Prediction> = (first.saturating_sub(DRAWS_FROM)..first)
            .map(|index| seen.prediction(index))
            .collect();
        let (draw_rate, model) = learn_draws(&learnt, draws)?;
        let is_by_name = seen.in_order.is_some_and(|decided| decided >= DECISIVE_GAMES);
        let judged = (first..seen.expected.len()).map(|index| -> Forecast {
            let prediction = seen.prediction(index);
            let (_, is_second) = seen.outcomes[index];
            if is_by_name && is_second {
                forecast(&*model, &prediction.reversed())
            } else {
                forecast(&*model, &prediction)
            }
        });
        Ok(RatingEvaluation {
            matches: seen.games,
            evaluated_from,
            draws,
            draw_rate,
            three_way: three_way(&judged)?,
            two_way: two_way(judged)?,
        })
    }
}

impl Seen {
    fn add(&mut self, games: &History, pair: SidePair, prediction: &Prediction) {
        let game = games.game(pair.game);
        self.begin(self.games + pair.game, game);
        // Names only count while sides tell results.
        let is_second = self.in_order.is_some() && !comes_first(games, game, pair.side, pair.other);
        #[allow(clippy::cast_possible_truncation, reason = "rounded, as it is documented")]
        let expected = [prediction.expected, prediction.expected_reverse].map(|one| one as f32);
        self.expected.push(expected);
        self.outcomes.push((prediction.outcome, is_second));
    }

    /// Takes notice of the game at `index` of all, whose next prediction comes.
    fn begin(&mut self, index: usize, game: Game<'_>) {
        // Counts are checked piece by piece.
        let count = |index| u32::try_from(index).unwrap_or(u32::MAX);
        if self.latest == Some(index) {
            // So far each game had one prediction.
            if self.starts.is_empty() {
                self.starts.extend((0..=index).map(count));
            }
            return;
        }
        self.latest = Some(index);
        if !self.starts.is_empty() {
            self.starts.push(count(self.expected.len()));
        }
        if let Some(decided) = &mut self.in_order {
            if game.sides().is_sorted_by_key(Side::rank) {
                *decided += usize::from(game.side(0).rank() != game.side(1).rank());
            } else {
                self.in_order = None;
            }
        }
    }

    /// Where the predictions of the game at `index` begin.
    fn start(&self, index: usize) -> usize {
        let start = self.starts.get(index).map(|&start| start as usize);
        let plain = if self.starts.is_empty() {
            index
        } else {
            self.expected.len()
        };
        start.unwrap_or(plain)
    }

    fn prediction(&self, index: usize) -> Prediction {
        let [expected, expected_reverse] = self.expected[index].map(f64::from);
        Prediction {
            expected,
            expected_reverse,
            gap: 0.0,
            outcome: self.outcomes[index].0,
        }
    }
}
