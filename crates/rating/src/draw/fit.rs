//! The draw probability of a draw model by maximum likelihood (Brent's search).

use thiserror::Error;

use crate::draw::{DrawModel, OutcomeProbabilities};
use crate::error::ParamError;
use crate::score::Score;

/// Why a draw rate could not be fitted.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum FitError {
    /// There are no games.
    #[error("no games to fit a draw rate to: give at least one")]
    NoGames,
    /// A score is neither win, draw nor loss.
    #[error("game {index}: score {score} is neither 1, 1/2 nor 0: leave graded results out of the fit")]
    NotAnOutcome {
        /// Where in the input, from 0.
        index: usize,
        /// The score's value.
        score: f64,
    },
    /// The model refused a rate between 0 and 1.
    #[error(transparent)]
    Model(#[from] ParamError),
}

/// How near the rate is found, as a share of it: the likelihood is too flat to tell more.
const TOLERANCE: f64 = 1e-8;
/// More steps than any search takes.
const MOST_STEPS: u32 = 100;
/// The largest rate that is tried: all games drawn say "more than this".
const MAX_RATE: f64 = 1.0 - 1e-9;

/// The draw rate at equal strength under which `games` are likeliest, in \[0, 1).
///
/// argmax over d of the sum of ln P(outcome of the game | d), where `model(d)` is the model with rate d
/// and each game is (E(a, b), E(b, a), a's score). In d the likelihood of all three models of this
/// crate has one maximum (it is concave in d, ln nu and ln theta respectively), so Brent's
/// search finds it, to about 1e-7.
///
/// No draw at all gives 0, nothing but draws a rate just below 1. Cost: some 15 passes over the games.
///
/// # Errors
/// [`FitError`] for no games, for a graded score, and if `model` refuses a rate in \[0, 1).
///
/// ```
/// use matchwright_rating::{Davidson, Score, fit_draw_probability};
///
/// // Equal players, 3 draws in 10 games.
/// let mut games = vec![(0.5, 0.5, Score::DRAW); 3];
/// games.extend([(0.5, 0.5, Score::WIN); 7]);
/// let rate = fit_draw_probability(Davidson::from_draw_probability, &games)?;
/// assert!((rate - 0.3).abs() < 1e-6);
/// let model = Davidson::from_draw_probability(rate)?;
/// # let _ = model;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fit_draw_probability<M: DrawModel>(
    model: impl Fn(f64) -> Result<M, ParamError>,
    games: &[(f64, f64, Score)],
) -> Result<f64, FitError> {
    if games.is_empty() {
        return Err(FitError::NoGames);
    }
    let games = Games::of(games)?;
    let mut room = vec![NOTHING_KNOWN; CHUNK];
    let log_likelihood = |rate: f64| Ok::<_, ParamError>(games.log_likelihood(&model(rate)?, &mut room));
    maximise(log_likelihood, MAX_RATE).map_err(FitError::from)
}

/// Games whose probabilities are asked for in one call: as many as stay in the first-level cache.
const CHUNK: usize = 256;

const NOTHING_KNOWN: OutcomeProbabilities = OutcomeProbabilities {
    win: 0.0,
    draw: 0.0,
    loss: 0.0,
};

/// Games by column, as the passes over them read them.
struct Games {
    expected: Vec<f64>,
    reverse: Vec<f64>,
    /// 0 for a win, 1 for a draw, 2 for a loss.
    happened: Vec<u8>,
}

impl Games {
    fn of(games: &[(f64, f64, Score)]) -> Result<Self, FitError> {
        let mut columns = Self {
            expected: Vec::with_capacity(games.len()),
            reverse: Vec::with_capacity(games.len()),
            happened: Vec::with_capacity(games.len()),
        };
        for (index, &(expected, reverse, score)) in games.iter().enumerate() {
            columns.happened.push(match score {
                Score::WIN => 0,
                Score::DRAW => 1,
                Score::LOSS => 2,
                graded => {
                    let score = graded.value();
                    return Err(FitError::NotAnOutcome { index, score });
                }
            });
            columns.expected.push(expected);
            columns.reverse.push(reverse);
        }
        Ok(columns)
    }

    /// Without a branch on what happened, which no processor can guess: `room` is for the probabilities of a chunk.
    fn log_likelihood(&self, model: &impl DrawModel, room: &mut [OutcomeProbabilities]) -> f64 {
        let mut sum = LogSum::default();
        let columns = self.expected.chunks(CHUNK).zip(self.reverse.chunks(CHUNK));
        for ((expected, reverse), happened) in columns.zip(self.happened.chunks(CHUNK)) {
            model.outcome_probabilities_of(expected, reverse, room);
            for (p, &happened) in room.iter().zip(happened) {
                sum.add([p.win, p.draw, p.loss, p.loss][usize::from(happened & 3)]);
            }
        }
        sum.value()
    }
}

/// A sum of logarithms, taken of products as long as those stay within the range of `f64`: logarithms would else take
/// most of the time of a fit.
struct LogSum {
    sum: f64,
    product: f64,
}

impl Default for LogSum {
    fn default() -> Self {
        Self {
            sum: 0.0,
            product: 1.0,
        }
    }
}

impl LogSum {
    /// The square root of the smallest positive number: two factors above it have a product.
    const SMALL: f64 = 1e-150;

    /// Adds the logarithm of a probability.
    #[inline]
    fn add(&mut self, probability: f64) {
        if self.product < Self::SMALL {
            self.sum += self.product.ln();
            self.product = 1.0;
        }
        // An impossible result must not hide what the other games say.
        self.product *= probability.max(Self::SMALL);
    }

    fn value(&self) -> f64 {
        self.sum + self.product.ln()
    }
}

/// Where `f`, which has one maximum on \[0, end\], is greatest: by parabolas through the best three points, or a golden
/// section where these lead nowhere. Brent, "Algorithms for minimization without derivatives", 1973, chapter 5.
fn maximise<E>(mut f: impl FnMut(f64) -> Result<f64, E>, end: f64) -> Result<f64, E> {
    let golden = (3.0 - 5.0_f64.sqrt()) / 2.0;
    let (mut low, mut high) = (0.0, end);
    // The best point so far, the second best, and the one before that; each with its value.
    let first = (golden * end, f(golden * end)?);
    let [mut best, mut second, mut third] = [first; 3];
    let (mut step, mut before) = (0.0_f64, 0.0_f64);
    for _ in 0..MOST_STEPS {
        let middle = 0.5 * (low + high);
        let tolerance = TOLERANCE * best.0 + 1e-12;
        if (best.0 - middle).abs() <= 2.0 * tolerance - 0.5 * (high - low) {
            break;
        }
        let vertex = to_vertex(best, second, third);
        let is_inside = low < best.0 + vertex && best.0 + vertex < high;
        if is_inside && vertex.abs() < 0.5 * before.abs() {
            (before, step) = (step, vertex);
            let next = best.0 + step;
            if next - low < 2.0 * tolerance || high - next < 2.0 * tolerance {
                step = tolerance.copysign(middle - best.0);
            }
        } else {
            before = if best.0 < middle {
                high - best.0
            } else {
                low - best.0
            };
            step = golden * before;
        }
        let at = best.0 + step.abs().max(tolerance).copysign(step);
        let next = (at, f(at)?);
        if next.1 >= best.1 {
            let border = if at < best.0 { &mut high } else { &mut low };
            *border = best.0;
            (third, second, best) = (second, best, next);
        } else {
            let border = if at < best.0 { &mut low } else { &mut high };
            *border = at;
            if next.1 >= second.1 || second.0 == best.0 {
                (third, second) = (second, next);
            } else if next.1 >= third.1 || third.0 == best.0 || third.0 == second.0 {
                third = next;
            }
        }
    }
    // The search never looks at the ends themselves, where the maximum is when all games or none
    // are draws.
    for border in [0.0, end] {
        if f(border)? > best.1 {
            return Ok(border);
        }
    }
    Ok(best.0)
}

/// From the first of three points to the vertex of the parabola through them; NaN or infinite where there is none.
fn to_vertex(best: (f64, f64), second: (f64, f64), third: (f64, f64)) -> f64 {
    let (to_second, to_third) = (best.0 - second.0, best.0 - third.0);
    let (r, q) = (to_second * (best.1 - third.1), to_third * (best.1 - second.1));
    -(to_third * q - to_second * r) / (2.0 * (q - r))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::{Davidson, FixedDraw, RaoKupper};

    #[test]
    fn the_search_finds_the_peak_of_a_likelihood_in_few_steps() {
        for n in [10.0, 1e3, 1e7] {
            for share in [1e-5, 1e-3, 0.04, 0.25, 0.5, 0.9, 0.999] {
                let mut steps = 0;
                let found = maximise(
                    |rate: f64| {
                        steps += 1;
                        Ok::<_, ()>(n * (share * rate.max(1e-300).ln() + (1.0 - share) * (1.0 - rate).ln()))
                    },
                    MAX_RATE,
                );
                let error = (found.unwrap() / share - 1.0).abs();
                assert!(
                    error < 1e-5 && steps < 50,
                    "{n} {share}: {error} after {steps} steps"
                );
            }
        }
    }

    /// Every gap from .1 to .9, each outcome as often as `model` says in a thousand games.
    fn expected_games(model: &impl DrawModel) -> Vec<(f64, f64, Score)> {
        let mut games = Vec::new();
        for step in 1..=9_u8 {
            let e = f64::from(step) / 10.0;
            let p = model.outcome_probabilities(e, 1.0 - e);
            for (share, score) in [(p.win, Score::WIN), (p.draw, Score::DRAW), (p.loss, Score::LOSS)] {
                let mut left = (share * 1000.0).round();
                while left > 0.0 {
                    games.push((e, 1.0 - e, score));
                    left -= 1.0;
                }
            }
        }
        games
    }

    #[test]
    fn the_rate_that_made_the_games_is_found_again_for_every_model() {
        let rate = 0.23;
        let fixed = FixedDraw::new(rate).unwrap();
        assert!((fit_draw_probability(FixedDraw::new, &expected_games(&fixed)).unwrap() - rate).abs() < 1e-6);
        // Counts are rounded to thousandths, hence the wider margin.
        let davidson = Davidson::from_draw_probability(rate).unwrap();
        assert!(
            (fit_draw_probability(Davidson::from_draw_probability, &expected_games(&davidson)).unwrap()
                - rate)
                .abs()
                < 1e-3
        );
        let rao_kupper = RaoKupper::from_draw_probability(rate).unwrap();
        assert!(
            (fit_draw_probability(RaoKupper::from_draw_probability, &expected_games(&rao_kupper)).unwrap()
                - rate)
                .abs()
                < 1e-3
        );
        // The wrong model gives another rate: the fit looks at the gaps.
        let wrong =
            fit_draw_probability(RaoKupper::from_draw_probability, &expected_games(&davidson)).unwrap();
        assert!((wrong - rate).abs() > 2e-3, "{wrong}");
    }

    #[test]
    fn the_fitted_rate_is_a_maximum_against_its_neighbours() {
        let games = expected_games(&RaoKupper::new(1.7).unwrap());
        let rate = fit_draw_probability(Davidson::from_draw_probability, &games).unwrap();
        let likelihood = |rate: f64| -> f64 {
            let model = Davidson::from_draw_probability(rate).unwrap();
            games
                .iter()
                .map(|&(e, r, s)| {
                    let p = model.outcome_probabilities(e, r);
                    let drawn = if s == Score::DRAW { p.draw } else { p.loss };
                    (if s == Score::WIN { p.win } else { drawn }).ln()
                })
                .sum()
        };
        assert!(likelihood(rate) > likelihood(rate + 1e-4) && likelihood(rate) > likelihood(rate - 1e-4));
    }

    #[test]
    fn no_draws_give_zero_and_nothing_but_draws_almost_one() {
        let won = [(0.6, 0.4, Score::WIN); 4];
        let drawn = [(0.6, 0.4, Score::DRAW); 4];
        assert_eq!(
            fit_draw_probability(Davidson::from_draw_probability, &won),
            Ok(0.0)
        );
        assert_eq!(
            fit_draw_probability(RaoKupper::from_draw_probability, &won),
            Ok(0.0)
        );
        assert_eq!(fit_draw_probability(FixedDraw::new, &won), Ok(0.0));
        assert!(fit_draw_probability(Davidson::from_draw_probability, &drawn).unwrap() > 0.999_999);
        assert!(fit_draw_probability(FixedDraw::new, &drawn).unwrap() > 0.999_999);
    }

    #[test]
    fn input_without_an_answer_is_an_error_that_says_where() {
        assert_eq!(fit_draw_probability(FixedDraw::new, &[]), Err(FitError::NoGames));
        let graded = [(0.5, 0.5, Score::WIN), (0.5, 0.5, Score::new(0.7).unwrap())];
        let error = fit_draw_probability(FixedDraw::new, &graded).unwrap_err();
        assert_eq!(error, FitError::NotAnOutcome { index: 1, score: 0.7 });
        assert!(error.to_string().starts_with("game 1: score 0.7"));
    }

    #[test]
    fn an_impossible_result_does_not_hide_the_other_games() {
        let mut games = expected_games(&FixedDraw::EOMM);
        games.push((0.0, 1.0, Score::WIN));
        let rate = fit_draw_probability(FixedDraw::new, &games).unwrap();
        assert!((rate - 0.2).abs() < 1e-3);
    }
}
