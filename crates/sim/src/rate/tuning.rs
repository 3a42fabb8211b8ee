//! Parameters of a rating system fitted to the first part of a history, by what they predict of it.

use matchwright_churn::Outcome;
use matchwright_rating::history::History;
use matchwright_rating::{BradleyTerryPrior, KSchedule, MarginWeight};
use serde::Serialize;

use super::draws::{DrawKind, learn_draws};
use super::evaluation::{RateError, forecast, sides_follow_result, three_way};
use super::params::{AdvantageChoice, SystemChoice, SystemParams, points_per_log_odds};
use super::pass::Prediction;
use super::period::PeriodChoice;
use super::rated::Rated;
use super::search::{CoordinateSearch, Knob, Scale, gains};
use super::settings::SystemFeature;
use super::systems::rate_games;
use crate::progress::Progress;
use crate::statistics::share_of;

/// The share of the games tuned on whose forecasts do not count: too few are known by then.
const UNCOUNTED: f64 = 0.25;
/// No forecast is taken to be surer than this.
const SUREST: f64 = 1e-9;

/// What tuning found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tuned {
    /// The parameters, those of other systems as they were.
    pub params: SystemParams,
    /// Mean log loss of the decided games that count, in nats, before and after.
    pub log_loss: [f64; 2],
    /// Mean log loss of win, draw and loss under each kind of draw model, on the last of the games tuned on, from the share
    /// from which evaluation begins; the rate is fitted to those before. Empty where one of these parts has no draw.
    pub draw_log_losses: Vec<(DrawKind, f64)>,
    /// What was fitted, with its value.
    pub fitted: Vec<(&'static str, f64)>,
    /// How often the history was rated.
    pub passes: usize,
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

/// The deviation of newcomers, and with it that of players of whom nothing is known any more.
macro_rules! newcomers {
    ($system:ident) => {
        Knob {
            name: concat!(stringify!($system), ".initial_deviation"),
            get: |params| params.$system.initial_deviation,
            set: |params, deviation| {
                (params.$system.initial_deviation, params.$system.max_deviation) = (deviation, deviation);
            },
            scale: Scale::Factors(30.0, 3000.0),
        }
    };
}

/// A parameter of a variant of an enumeration; 1 where it is another.
macro_rules! variant_knob {
    ($name:literal, $field:ident: $variant:path, $value:ident, $scale:expr) => {
        Knob {
            name: $name,
            get: |params: &SystemParams| match params.$field {
                Some($variant { $value, .. }) => $value,
                _ => 1.0,
            },
            set: |params, to| {
                if let Some($variant { $value, .. }) = &mut params.$field {
                    *$value = to;
                }
            },
            scale: $scale,
        }
    };
}

/// What is fitted of a system and of what goes with it, the period apart.
fn knobs(choice: SystemChoice, params: &SystemParams, has_first_side: bool) -> Vec<Knob<SystemParams>> {
    let mut knobs = match params.k_schedule {
        Some(schedule) => schedule_knobs(schedule),
        None => own_knobs(choice),
    };
    if let Some(MarginWeight::Logarithmic { .. }) = params.margin {
        knobs.push(variant_knob!("margin.typical", margin: MarginWeight::Logarithmic, typical, Scale::Factors(0.01, 1e4)));
        knobs.push(variant_knob!("margin.damping", margin: MarginWeight::Logarithmic, damping, Scale::Factors(1.0, 1e6)));
    }
    if params.performance > 0.0 {
        knobs.push(Knob {
            name: "performance",
            get: |params| params.performance,
            set: |params, weight| params.performance = weight,
            scale: Scale::FactorsOrZero(0.01, 10.0),
        });
    }
    if params.draw_kind(choice) == DrawKind::Never {
        knobs.retain(|knob| !knob.name.ends_with("draw_probability"));
    }
    let can_have_first = choice.has(SystemFeature::HomeAdvantage) && choice != SystemChoice::BradleyTerry;
    if can_have_first && has_first_side {
        knobs.push(first_side(choice, params));
    }
    knobs
}

/// What is fitted of a K schedule.
fn schedule_knobs(schedule: KSchedule) -> Vec<Knob<SystemParams>> {
    use KSchedule::{Decaying, Fide, Provisional, UsChess};
    let factors = Scale::Factors(0.5, 4000.0);
    match schedule {
        Fide | UsChess => Vec::new(),
        Provisional { .. } => vec![
            variant_knob!("k_schedule.first_k", k_schedule: Provisional, first_k, factors),
            variant_knob!("k_schedule.k", k_schedule: Provisional, k, factors),
        ],
        Decaying { .. } => vec![
            variant_knob!("k_schedule.scale", k_schedule: Decaying, scale, Scale::Factors(0.5, 1e5)),
            variant_knob!("k_schedule.offset", k_schedule: Decaying, offset, Scale::Factors(1.0, 1e3)),
            variant_knob!("k_schedule.exponent", k_schedule: Decaying, exponent, Scale::Factors(0.01, 2.0)),
        ],
    }
}

/// What is fitted of a system itself.
fn own_knobs(choice: SystemChoice) -> Vec<Knob<SystemParams>> {
    use Scale::{Factors, FactorsOrZero};
    match choice {
        SystemChoice::Elo => vec![knob!(elo.k, Factors(0.5, 400.0))],
        SystemChoice::Glicko => vec![
            newcomers!(glicko),
            knob!(glicko.c, FactorsOrZero(0.05, 500.0)),
            knob!(glicko.min_deviation, FactorsOrZero(1.0, 300.0)),
        ],
        SystemChoice::Glicko2 => vec![
            newcomers!(glicko2),
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
        SystemChoice::EloMmr => vec![
            newcomers!(elo_mmr),
            knob!(elo_mmr.beta, Factors(5.0, 5000.0)),
            knob!(elo_mmr.gamma, FactorsOrZero(0.05, 1000.0)),
            knob!(elo_mmr.gamma_per_period, FactorsOrZero(0.05, 500.0)),
            knob!(elo_mmr.rho, Factors(0.03, 100.0)),
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
fn first_side(choice: SystemChoice, params: &SystemParams) -> Knob<SystemParams> {
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
/// the rating period: a game, or a day, of which the system whose forecasts are better is taken. Then, where they
/// forecast better still, logarithmic weights by margin, weights by performance, and for Elo one of the K schedules in place
/// of K. At last the kind of draw model, by the log loss of all three outcomes: of the games tuned on those before the
/// share `evaluate_from` give its rate, as in the evaluation, and the rest judge. A rate of the first games alone would be
/// that of forecasts which know nobody yet.
///
/// Some 50 to 700 passes; the two directions of a step at once on two threads, with the same result on one.
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
    let target = Target::new(choice, history, evaluate_from)?;
    let start = target.measure(params)?;
    let mut search = CoordinateSearch::new(|params: &SystemParams| match params.check(choice) {
        Ok(()) => target.measure(params).map(Some),
        // Dropped: settings out of range are no candidates.
        Err(_) => Ok(None),
    });
    let mut periods = vec![params.period];
    let keeps_time = choice.has(SystemFeature::PeriodPerGame)
        && !matches!(choice, SystemChoice::Elo | SystemChoice::Dom)
        && params.ladder.is_none();
    for other in [PeriodChoice::Game, PeriodChoice::Days(1.0)] {
        if keeps_time && params.period != other {
            periods.push(other);
        }
    }
    // How many descents there will be is not known.
    progress.begin(&format!("tuning {}", choice.name()), 0);
    let knobs_of = |params: &SystemParams| knobs(choice, params, target.has_first_side);
    let mut best = (params.clone(), start);
    for period in periods {
        let from = SystemParams {
            period,
            ..params.clone()
        };
        adopt(&mut best, search.descend(from, &knobs_of(params), progress)?);
    }
    for layer in [margins, performances, schedules] {
        for from in layer(choice, &best.0, &target) {
            adopt(
                &mut best,
                search.descend(from.clone(), &knobs_of(&from), progress)?,
            );
        }
    }
    let (mut params, log_loss) = best;
    let draw_log_losses = target.draws(&params)?;
    params.draws = best_draws(params.draws, &draw_log_losses);
    let knobs = knobs_of(&params);
    let fitted = knobs.iter().map(|knob| (knob.name, (knob.get)(&params)));
    Ok(Tuned {
        fitted: fitted.collect(),
        params,
        log_loss: [start, log_loss],
        draw_log_losses,
        passes: search.evaluations + 2,
    })
}

/// Takes what was found if it is better.
fn adopt(best: &mut (SystemParams, f64), found: Option<(SystemParams, f64)>) {
    if let Some(found) = found
        && gains(found.1, best.1)
    {
        *best = found;
    }
}

/// Weights by margin to begin with, where there are margins and no weights yet.
fn margins(choice: SystemChoice, best: &SystemParams, target: &Target<'_>) -> Vec<SystemParams> {
    let is_open = choice.has(SystemFeature::Weights) && best.margin.is_none() && best.ladder.is_none();
    let typical = target.typical_margin.filter(|_| is_open);
    typical
        .map(|typical| SystemParams {
            margin: Some(best.logarithmic_margin(choice, typical)),
            ..best.clone()
        })
        .into_iter()
        .collect()
}

/// A weight of performances to begin with, where there are any and they have none yet.
fn performances(choice: SystemChoice, best: &SystemParams, target: &Target<'_>) -> Vec<SystemParams> {
    let is_open = choice.has(SystemFeature::Weights) && best.performance == 0.0 && best.ladder.is_none();
    let weighted = SystemParams {
        performance: 0.25,
        ..best.clone()
    };
    let is_open = is_open && target.history.has_performances();
    is_open.then_some(weighted).into_iter().collect()
}

/// The kind of draw model of the least loss; the `given` one unless another gains.
fn best_draws(given: DrawKind, losses: &[(DrawKind, f64)]) -> DrawKind {
    let loss = |kind| {
        losses
            .iter()
            .find(|(known, _)| *known == kind)
            .map(|(_, loss)| *loss)
    };
    let best = losses.iter().min_by(|a, b| a.1.total_cmp(&b.1));
    let better = best.filter(|best| loss(given).is_some_and(|given| gains(best.1, given)));
    better.map_or(given, |best| best.0)
}

/// K schedules to begin with, where there is none yet.
fn schedules(choice: SystemChoice, best: &SystemParams, _target: &Target<'_>) -> Vec<SystemParams> {
    if !choice.has(SystemFeature::KSchedule) || best.k_schedule.is_some() {
        return Vec::new();
    }
    let k = best.elo.k;
    let (offset, exponent): (f64, f64) = (5.0, 0.4);
    let schedules = [
        KSchedule::Fide,
        KSchedule::UsChess,
        KSchedule::Provisional {
            games: 30,
            first_k: 2.0 * k,
            k,
        },
        KSchedule::Decaying {
            // K is reached after 30 games.
            scale: k * (30.0 + offset).powf(exponent),
            offset,
            exponent,
        },
    ];
    schedules
        .map(|schedule| SystemParams {
            k_schedule: Some(schedule),
            ..best.clone()
        })
        .into()
}

/// The games whose forecasts are to become better.
struct Target<'a> {
    choice: SystemChoice,
    history: &'a History,
    /// Games whose forecasts count.
    counted: std::ops::Range<usize>,
    /// The first of the games that judge draw models.
    draws_from: usize,
    has_first_side: bool,
    /// The median margin of the decided games of two sides that are learnt from; none where no scores are known.
    typical_margin: Option<f64>,
}

impl<'a> Target<'a> {
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
            draws_from: share_of(end, evaluate_from),
            has_first_side: two_sides && !sides_follow_result(history),
            typical_margin: typical_margin(history, end),
        })
    }

    fn rated(&self, params: &SystemParams) -> Result<Rated, RateError> {
        // Strengths of one fit are those of the games that do not count.
        let learnt = (self.counted.start as f64 + 0.5) / self.history.len() as f64;
        rate_games(self.choice, params, self.history, learnt, &[])
    }

    fn measure(&self, params: &SystemParams) -> Result<f64, RateError> {
        let rated = self.rated(params)?;
        mean_log_loss(&rated, &self.counted).ok_or(RateError::TooFew {
            matches: self.history.len(),
            learnt: self.counted.start,
            evaluated: self.counted.len(),
        })
    }

    /// As [`Tuned::draw_log_losses`].
    fn draws(&self, params: &SystemParams) -> Result<Vec<(DrawKind, f64)>, RateError> {
        let rated = self.rated(params)?;
        let start = |game| rated.pairs.partition_point(|pair| pair.game < game);
        let (first, end) = (start(self.draws_from), start(self.counted.end));
        let (learnt, judging) = (&rated.predictions[..first], &rated.predictions[first..end]);
        let has_draws = |part: &[Prediction]| part.iter().any(|one| one.outcome == Outcome::Draw);
        if !(has_draws(learnt) && has_draws(judging)) {
            return Ok(Vec::new());
        }
        let loss = |kind: DrawKind| {
            let (_, model) = learn_draws(learnt, kind)?;
            let forecasts = judging.iter().map(|prediction| forecast(&*model, prediction));
            Ok((kind, three_way(&forecasts)?.log_loss))
        };
        DrawKind::ALL.into_iter().map(loss).collect()
    }
}

/// The median of the margins other than 0 in the first games of a history that have two sides.
fn typical_margin(history: &History, games: usize) -> Option<f64> {
    let of_two = history.games().take(games).filter(|game| game.sides().len() == 2);
    let mut margins: Vec<f64> = of_two
        .map(|game| (game.side(0).score() - game.side(1).score()).abs())
        .filter(|&margin| margin > 0.0)
        .collect();
    margins.sort_by(f64::total_cmp);
    margins
        .get(margins.len() / 2)
        .map(|margin| margin.clamp(0.01, 1e4))
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
mod tests;
