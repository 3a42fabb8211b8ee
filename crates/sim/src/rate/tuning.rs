//! Parameters of a rating system fitted to the first part of a history, by what they predict of it.

use matchwright_rating::BradleyTerryPrior;
use matchwright_rating::history::History;
use serde::Serialize;

use super::evaluation::{RateError, sides_follow_result};
use super::params::{AdvantageChoice, SystemChoice, SystemParams, points_per_log_odds};
use super::period::PeriodChoice;
use super::rated::Rated;
use super::settings::SystemFeature;
use super::systems::rate_games;
use crate::progress::Progress;
use crate::statistics::share_of;

/// The share of the games tuned on whose forecasts do not count: too few are known by then.
const UNCOUNTED: f64 = 0.25;
/// Steps begin at a factor of 2 (of a span for what may be negative) and end at its eighth root.
const STEPS: [f64; 4] = [1.0, 0.5, 0.25, 0.125];
/// Gains of the mean log loss below this are noise.
const LEAST_GAIN: f64 = 1e-6;
/// No forecast is taken to be surer than this.
const SUREST: f64 = 1e-9;

/// What tuning found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tuned {
    /// The parameters, those of other systems as they were.
    pub params: SystemParams,
    /// Mean log loss of the decided games that count, in nats, before and after.
    pub log_loss: [f64; 2],
    /// What was fitted, with its value.
    pub fitted: Vec<(&'static str, f64)>,
    /// How often the history was rated.
    pub passes: usize,
}

/// A parameter that is fitted.
struct Knob {
    name: &'static str,
    get: fn(&SystemParams) -> f64,
    set: fn(&mut SystemParams, f64),
    scale: Scale,
}

enum Scale {
    /// By factors of 2, between these.
    Factors(f64, f64),
    /// By factors of 2 above the first number, or 0.
    FactorsOrZero(f64, f64),
    /// By so many points, up and down.
    Points(f64),
}

impl Knob {
    /// The value so many steps away; `None` beyond the range.
    fn moved(&self, params: &SystemParams, steps: f64) -> Option<f64> {
        let value = (self.get)(params);
        let to = match self.scale {
            Scale::Factors(low, high) => (value * steps.exp2()).clamp(low, high),
            Scale::FactorsOrZero(least, _) if value == 0.0 => {
                if steps > 0.0 {
                    16.0 * least
                } else {
                    0.0
                }
            }
            Scale::FactorsOrZero(least, high) => {
                let to = (value * steps.exp2()).min(high);
                if to < least { 0.0 } else { to }
            }
            Scale::Points(span) => value + steps * span,
        };
        (to != value).then_some(to)
    }
}

macro_rules! knob {
    ($system:ident.$name:ident, $scale:expr) => {
        Knob {
            name: concat!(stringify!($system), ".", stringify!($name)),
            get: |params| params.$system.$name,
            set: |params, value| params.$system.$name = value,
            scale: $scale,
        }
    };
}

/// What is fitted of a system, the period and the advantage of the first side apart.
fn knobs(choice: SystemChoice) -> Vec<Knob> {
    use Scale::{Factors, FactorsOrZero};
    match choice {
        SystemChoice::Elo => vec![knob!(elo.k, Factors(0.5, 400.0))],
        SystemChoice::Glicko => vec![
            knob!(glicko.initial_deviation, Factors(30.0, 1000.0)),
            knob!(glicko.c, FactorsOrZero(0.05, 500.0)),
            knob!(glicko.min_deviation, FactorsOrZero(1.0, 300.0)),
        ],
        SystemChoice::Glicko2 => vec![
            knob!(glicko2.initial_deviation, Factors(30.0, 1000.0)),
            knob!(glicko2.initial_volatility, Factors(1e-4, 1.0)),
            knob!(glicko2.tau, Factors(0.01, 4.0)),
            knob!(glicko2.min_deviation, FactorsOrZero(1.0, 300.0)),
        ],
        SystemChoice::Dom => vec![
            Knob {
                name: "dom.k",
                get: |params| params.dom.k,
                set: |params, k| (params.dom.k, params.dom.high_k) = (k, 0.5 * k),
                scale: Factors(1.0, 2000.0),
            },
            knob!(dom.newcomer_k, Factors(1.0, 4000.0)),
        ],
        SystemChoice::Dota => vec![
            knob!(dota.step, Factors(1e-3, 1.0)),
            knob!(dota.growth, FactorsOrZero(0.05, 500.0)),
        ],
        SystemChoice::TrueSkill => vec![
            knob!(trueskill.beta, Factors(0.2, 100.0)),
            knob!(trueskill.tau, FactorsOrZero(1e-3, 10.0)),
            knob!(trueskill.tau_per_period, FactorsOrZero(1e-3, 10.0)),
            knob!(trueskill.draw_probability, Factors(1e-4, 0.9)),
        ],
        SystemChoice::WengLin => vec![
            knob!(weng_lin.beta, Factors(0.2, 100.0)),
            knob!(weng_lin.tau, FactorsOrZero(1e-3, 10.0)),
            knob!(weng_lin.tau_per_period, FactorsOrZero(1e-3, 10.0)),
        ],
        SystemChoice::BradleyTerry => vec![Knob {
            name: "bradley_terry.prior_precision",
            get: |params| params.bradley_terry.prior_precision,
            set: |params, precision| {
                params.bradley_terry.prior = BradleyTerryPrior::Always;
                params.bradley_terry.prior_precision = precision;
            },
            scale: Factors(1e-3, 1e3),
        }],
        SystemChoice::ThroughTime => vec![
            knob!(through_time.beta, Factors(0.2, 100.0)),
            knob!(through_time.gamma, Factors(1e-3, 10.0)),
        ],
    }
}

/// The advantage of the first side, in steps of 0.1 of log odds.
fn first_side(choice: SystemChoice, params: &SystemParams) -> Knob {
    Knob {
        name: "home_advantage",
        get: |params| match params.home_advantage {
            AdvantageChoice::Points(points) => points,
            AdvantageChoice::Fit => 0.0,
        },
        set: |params, points| params.home_advantage = AdvantageChoice::Points(points),
        scale: Scale::Points(0.1 * points_per_log_odds(choice, params)),
    }
}

/// Fits a system's parameters to the games before the share `evaluate_from`, beginning with `params`.
///
/// ```text
/// minimise  - mean of ln p(winner)    over decided games (pairs of sides) from the first quarter of that part on
/// ```
///
/// with p = e / (e + e') of the two sides' expected scores just before the game. Later games are never looked at: every
/// forecast is made before its game is learnt, and Bradley and Terry's strengths, all of one fit, are those of the first
/// quarter.
///
/// Each parameter in turn goes a step up or down as long as that gains, in steps of a factor of 2, then of its square
/// root and so on to the eighth root. Fitted are what each system says of itself (K; deviations at first, their growth
/// and floor; tau, beta, draw probability), the advantage of the first side where sides are not listed by result, and
/// the rating period: a game, or a day, of which the system whose forecasts are better is taken.
///
/// Some 30 to 100 passes; the two directions of a step at once on two threads, with the same result on one.
///
/// # Errors
/// [`RateError`] as of [`rate_games`]; [`RateError::TooFew`] without a decided game to count.
pub fn tune(
    choice: SystemChoice,
    params: &SystemParams,
    history: &History,
    evaluate_from: f64,
    progress: &dyn Progress,
) -> Result<Tuned, RateError> {
    params.check(choice)?;
    let mut search = Search::new(choice, history, evaluate_from)?;
    let start = search.log_loss(params)?;
    let mut best: Option<(SystemParams, f64)> = None;
    let mut periods = vec![params.period];
    let keeps_time = choice.has(SystemFeature::PeriodPerGame)
        && !matches!(choice, SystemChoice::Elo | SystemChoice::Dom)
        && params.ladder.is_none();
    for other in [PeriodChoice::Game, PeriodChoice::Days(1.0)] {
        if keeps_time && params.period != other {
            periods.push(other);
        }
    }
    progress.begin(
        &format!("tuning {}", choice.name()),
        (periods.len() * STEPS.len()) as u64,
    );
    let mut knobs = knobs(choice);
    let can_have_first = choice.has(SystemFeature::HomeAdvantage) && choice != SystemChoice::BradleyTerry;
    if can_have_first && search.has_first_side {
        knobs.push(first_side(choice, params));
    }
    for period in periods {
        let from = SystemParams {
            period,
            ..params.clone()
        };
        let loss = search.log_loss(&from)?;
        let found = search.descend(from, loss, &knobs, progress)?;
        if best.as_ref().is_none_or(|best| found.1 < best.1 - LEAST_GAIN) {
            best = Some(found);
        }
    }
    let (params, log_loss) = best.unwrap_or((params.clone(), start));
    let fitted = knobs.iter().map(|knob| (knob.name, (knob.get)(&params)));
    Ok(Tuned {
        fitted: fitted.collect(),
        params,
        log_loss: [start, log_loss],
        passes: search.passes,
    })
}

struct Search<'a> {
    choice: SystemChoice,
    history: &'a History,
    /// Games whose forecasts count.
    counted: std::ops::Range<usize>,
    has_first_side: bool,
    passes: usize,
}

impl<'a> Search<'a> {
    fn new(choice: SystemChoice, history: &'a History, evaluate_from: f64) -> Result<Self, RateError> {
        if !(evaluate_from > 0.0 && evaluate_from < 1.0) {
            return Err(RateError::EvaluateFrom { value: evaluate_from });
        }
        let end = share_of(history.len(), evaluate_from);
        let start = share_of(end, UNCOUNTED);
        let two_sides = history.games().all(|game| game.sides().len() == 2);
        Ok(Self {
            choice,
            history,
            counted: start..end,
            has_first_side: two_sides && !sides_follow_result(history),
            passes: 0,
        })
    }

    fn log_loss(&mut self, params: &SystemParams) -> Result<f64, RateError> {
        self.passes += 1;
        self.measure(params)
    }

    fn measure(&self, params: &SystemParams) -> Result<f64, RateError> {
        // Strengths of one fit are those of the games that do not count.
        let learnt = (self.counted.start as f64 + 0.5) / self.history.len() as f64;
        let rated = rate_games(self.choice, params, self.history, learnt, &[])?;
        mean_log_loss(&rated, &self.counted).ok_or(RateError::TooFew {
            matches: self.history.len(),
            learnt: self.counted.start,
            evaluated: self.counted.len(),
        })
    }

    /// One parameter after the other, until none gains at the smallest step.
    fn descend(
        &mut self,
        mut params: SystemParams,
        mut loss: f64,
        knobs: &[Knob],
        progress: &dyn Progress,
    ) -> Result<(SystemParams, f64), RateError> {
        for step in STEPS {
            let mut gained = true;
            while gained {
                gained = false;
                for knob in knobs {
                    while let Some((next, less)) = self.step(&params, loss, knob, step)? {
                        (params, loss, gained) = (next, less, true);
                    }
                }
            }
            progress.advance(1);
        }
        Ok((params, loss))
    }

    /// The better of a step up and a step down, if it gains.
    fn step(
        &mut self,
        params: &SystemParams,
        loss: f64,
        knob: &Knob,
        step: f64,
    ) -> Result<Option<(SystemParams, f64)>, RateError> {
        let moved = |steps: f64| {
            let mut next = params.clone();
            (knob.set)(&mut next, knob.moved(params, steps)?);
            // Parameters that do not go together are no step.
            next.check(self.choice).ok()?;
            Some(next)
        };
        let tries: Vec<SystemParams> = [step, -step].into_iter().filter_map(moved).collect();
        self.passes += tries.len();
        let losses: Vec<Result<f64, RateError>> = std::thread::scope(|scope| {
            let shared = &*self;
            let run = |one| scope.spawn(move || shared.measure(one));
            let handles: Vec<_> = tries.iter().map(run).collect();
            let joined = handles.into_iter().map(|handle| match handle.join() {
                Ok(loss) => loss,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            joined.collect()
        });
        let mut best: Option<(SystemParams, f64)> = None;
        for (next, less) in tries.into_iter().zip(losses) {
            let less = less?;
            if less < best.as_ref().map_or(loss - LEAST_GAIN, |best| best.1) {
                best = Some((next, less));
            }
        }
        Ok(best)
    }
}

/// Mean of -ln(probability of the winner) over the decided pairs of these games; `None` without any.
fn mean_log_loss(rated: &Rated, games: &std::ops::Range<usize>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0_usize);
    for (pair, prediction) in rated.pairs.iter().zip(&rated.predictions) {
        let score = crate::adapt::score_of(prediction.outcome).value();
        if !games.contains(&pair.game) || score == 0.5 {
            continue;
        }
        let both = prediction.expected + prediction.expected_reverse;
        let first = if both > 0.0 {
            prediction.expected / both
        } else {
            0.5
        };
        let winner = if score > 0.5 { first } else { 1.0 - first };
        sum -= winner.max(SUREST).ln();
        count += 1;
    }
    (count > 0).then(|| sum / count as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Quiet;
    use crate::random::{Purpose, standard_normal, stream};
    use crate::rate::{DrawKind, evaluate_games};
    use matchwright_rating::Score;
    use matchwright_rating::history::{HistoryBuilder, NamedGame};
    use rand::RngExt;

    /// Games of 40 players whose skills do not change, an hour apart; the first side has `first` points of advantage. From
    /// `turned` on every result is turned round.
    fn history(games: u32, first: f64, turned: u32) -> History {
        let mut random = stream(5, Purpose::Matches, 1, 0);
        let skills: Vec<f64> = (0..40).map(|_| 200.0 * standard_normal(&mut random)).collect();
        let names: Vec<String> = (0..40).map(|player| format!("p{player}")).collect();
        let mut builder = HistoryBuilder::default();
        for game in 0..games {
            let one = random.random_range(0..40);
            let other = (one + random.random_range(1..40)) % 40;
            let odds = (skills[one] + first - skills[other]) / 400.0;
            let wins = random.random::<f64>() < 1.0 / (1.0 + 10.0_f64.powf(-odds));
            let result = if wins == (game < turned) {
                Score::WIN
            } else {
                Score::LOSS
            };
            let game = NamedGame::duel(
                3600 * i64::from(game),
                [&*names[one], &*names[other]],
                result,
                0.0,
            );
            builder.push(&game).unwrap();
        }
        builder.finish()
    }

    fn tuned(choice: SystemChoice, params: &SystemParams, history: &History) -> Tuned {
        tune(choice, params, history, 0.8, &Quiet).unwrap()
    }

    #[test]
    fn what_was_tuned_forecasts_later_games_better() {
        let history = history(4000, 60.0, u32::MAX);
        for choice in [
            SystemChoice::Elo,
            SystemChoice::Glicko2,
            SystemChoice::TrueSkill,
            SystemChoice::WengLin,
        ] {
            let mut start = SystemParams::default();
            start.elo.k = 200.0;
            let found = tuned(choice, &start, &history);
            assert!(found.log_loss[1] < found.log_loss[0], "{choice:?} {found:?}");
            let later = |params: &SystemParams| {
                let rated = rate_games(choice, params, &history, 0.8, &[]).unwrap();
                let found = evaluate_games(&history, &rated.predictions, &rated.pairs, 0.8, DrawKind::Fixed);
                found.unwrap().0.two_way.evaluation.log_loss
            };
            let (before, after) = (later(&start), later(&found.params));
            assert!(after < before, "{choice:?}: {after} after {before}");
            let AdvantageChoice::Points(points) = found.params.home_advantage else {
                panic!("no points");
            };
            let odds = points / points_per_log_odds(choice, &found.params);
            // 60 points are 0.345 of log odds.
            assert!((0.2..=0.5).contains(&odds), "{choice:?}: {odds}");
        }
    }

    #[test]
    fn games_of_the_evaluated_part_are_never_looked_at() {
        for choice in [
            SystemChoice::Elo,
            SystemChoice::Glicko,
            SystemChoice::BradleyTerry,
        ] {
            let params = SystemParams::default();
            let one = tuned(choice, &params, &history(600, 0.0, u32::MAX));
            assert_eq!(one, tuned(choice, &params, &history(600, 0.0, 480)), "{choice:?}");
            assert_ne!(one, tuned(choice, &params, &history(600, 0.0, 470)), "{choice:?}");
        }
    }

    #[test]
    fn an_advantage_is_not_fitted_where_winners_come_first() {
        let mut builder = HistoryBuilder::default();
        for game in 0..100_i64 {
            let names = if game % 3 == 0 {
                ["ann", "bob"]
            } else {
                ["bob", "ann"]
            };
            builder
                .push(&NamedGame::duel(game, names, Score::WIN, 0.0))
                .unwrap();
        }
        let found = tuned(SystemChoice::Elo, &SystemParams::default(), &builder.finish());
        assert_eq!(found.params.home_advantage, AdvantageChoice::Points(0.0));
    }

    #[test]
    fn too_few_games_are_an_error() {
        let error = tune(
            SystemChoice::Elo,
            &SystemParams::default(),
            &History::default(),
            0.8,
            &Quiet,
        );
        assert!(matches!(error, Err(RateError::TooFew { .. })), "{error:?}");
        let error = tune(
            SystemChoice::Elo,
            &SystemParams::default(),
            &history(9, 0.0, 9),
            1.5,
            &Quiet,
        );
        assert!(matches!(error, Err(RateError::EvaluateFrom { .. })), "{error:?}");
    }
}
