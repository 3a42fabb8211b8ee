//! Parameters of a rating system fitted to the first part of a history, by what they predict of it.

use matchwright_churn::Outcome;
use matchwright_rating::history::{History, PlayerIndex};
use matchwright_rating::{
    AdvantageChoice, DrawKind, MarginWeight, PeriodChoice, RatingEstimate, RatingParams, Scale, Score,
    SystemSettings, Tunable, knobs_of,
};

use super::contexts::{InContext, Known, Mixture, fit, split};
use super::draws::learn_draws;
use super::error::RateError;
use super::evaluation::{forecast, sides_follow_result, three_way};
use super::prediction::Prediction;
use super::rated::Rated;
use super::rater::{Rater, rate, rater_of};
use super::search::{CoordinateSearch, STEPS, gains};
use super::systems::{is_online, rate_games, rate_plainly};
use crate::progress::Progress;
use crate::statistics::share_of;

/// The share of the games tuned on whose forecasts do not count: too few are known by then.
const UNCOUNTED: f64 = 0.25;
/// How forecasts are blended and how sure they are is judged by the games tuned on from this share of them on: by then players
/// are known about as well as later.
const MIXED_FROM: f64 = 0.5;
/// From so many games tuned on, settings are looked for on a part of them, the first, and from there on all.
const SAMPLED_FROM: usize = 20_000;
/// That part.
const SAMPLE: f64 = 0.2;
/// Of what was found on it, so many at most are tuned on all games: those that are this close to the best, nats.
const FINALISTS: (usize, f64) = (2, 0.001);
/// In these steps, where [`STEPS`] have been gone before.
const FINE_STEPS: [f64; 2] = [0.25, 0.125];
/// No forecast is taken to be surer than this.
pub(super) const SUREST: f64 = 1e-9;

/// What tuning found.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuned<P = RatingParams> {
    /// The parameters.
    pub params: P,
    /// Mean log loss of the decided games that count, in nats, before and after.
    pub log_loss: [f64; 2],
    /// Mean log loss of win, draw and loss under each kind of draw model, on the last of the games tuned on, from the share
    /// from which evaluation begins; the rate is fitted to those before. Empty where one of these parts has no draw.
    pub draw_log_losses: Vec<(DrawKind, f64)>,
    /// What was fitted, with its value.
    pub fitted: Vec<(&'static str, f64)>,
    /// How often the history was rated, at most.
    pub passes: usize,
    /// Whether [`Progress::is_stopped`] ended it before the best was found.
    pub stopped: bool,
}

/// Settings of a system with what goes with it, the period apart.
#[derive(Clone)]
struct Candidate {
    params: RatingParams,
    /// A step of the first side's advantage, in points, where there is a first side: 0.1 of log odds.
    first_side: Option<f64>,
}

impl Tunable for Candidate {
    fn knobs(&mut self, turn: &mut dyn FnMut(&'static str, Scale, &mut f64)) {
        let Self { params, first_side } = self;
        params.system.knobs(turn);
        if let Some(MarginWeight::Logarithmic { typical, damping }) = &mut params.margin {
            turn("margin.typical", Scale::Factors(0.01, 1e4), typical);
            turn("margin.damping", Scale::Factors(1.0, 1e6), damping);
        }
        if params.performance > 0.0 {
            turn(
                "performance",
                Scale::FactorsOrZero(0.01, 10.0),
                &mut params.performance,
            );
        }
        if let Some(step) = *first_side {
            let before = match params.home_advantage {
                AdvantageChoice::Points(points) => points,
                AdvantageChoice::Fit => 0.0,
            };
            let mut points = before;
            turn("home_advantage", Scale::Points(step), &mut points);
            if points != before {
                params.home_advantage = AdvantageChoice::Points(points);
            }
        }
    }
}

/// Fits settings that say their knobs to the games before the share `evaluate_from`, beginning with `start`: those of any
/// rater that `build` makes of them.
///
/// ```text
/// minimise  - mean of ln p(winner)    over decided games (pairs of sides) from the first quarter of that part on
/// ```
///
/// with p = e / (e + e') of the two sides' expected scores just before the game. Later games are never looked at: every
/// forecast is made before its game is learnt.
///
/// Each number in turn goes a step up or down as long as that gains, in steps of a factor of 2, then of its square root and so
/// on to the eighth root. Settings that `build` refuses are no candidates. The two directions of a step at once on two
/// threads, with the same result on one; `progress` may end it with the best so far. Of 20,000 games and more the first fifth is gone over first, and all of them from what
/// was found there, in the two smaller steps.
///
/// # Errors
/// [`RateError`] for a start that `build` refuses, and as of [`rate`]; [`RateError::TooFew`] without a decided game to count.
pub fn tune<P: Tunable + Clone + Send + Sync>(
    start: &P,
    history: &History,
    evaluate_from: f64,
    build: impl Fn(&P) -> Result<Box<dyn Rater>, RateError> + Sync,
    progress: &dyn Progress,
) -> Result<Tuned<P>, RateError> {
    let target = Target::new(history, evaluate_from)?;
    let measure =
        |target: &Target, mut rater: Box<dyn Rater>| target.loss(&rate(&mut *rater, &target.history, &[])?);
    let before = measure(&target, build(start)?)?;
    progress.begin("tuning", 0);
    let mut search = Staged::new(&target, |target: &Target, settings: &P| {
        // Dropped: settings out of range are no candidates.
        let rater = build(settings).ok();
        rater.map(|rater| measure(target, rater)).transpose()
    });
    let found = search.descend(vec![start.clone()], progress)?;
    let found = found.filter(|found| gains(found.1, before));
    let (params, after) = found.unwrap_or_else(|| (start.clone(), before));
    let mut rater = build(&params)?;
    let draw_log_losses = target.draws(&rate(&mut *rater, &target.history, &[])?)?;
    Ok(Tuned {
        fitted: knobs_of(&params),
        params,
        log_loss: [before, after],
        draw_log_losses,
        passes: search.evaluations + 2,
        stopped: progress.is_stopped(),
    })
}

/// [`tune`] for a system by its name, with all that goes with it, beginning with `params`.
///
/// Bradley and Terry's strengths, all of one fit, are those of the first quarter. Fitted are what the system says of itself
/// (K; deviations at first, their growth and floor; tau, beta, draw probability), from other forms too where it has some (K
/// schedules), the advantage of the first side where sides are not listed by result, and the rating period: a game, or a day, of
/// which the system whose forecasts are better is taken. Then, where they forecast better still, logarithmic weights by margin,
/// and weights by performance. Then how forecasts blend ratings in contexts, where games have some, and the factor of their log
/// odds, where that is likelier by three nats for each. At last the kind of draw model, by the log loss of all three outcomes: of the games tuned on those
/// before the share `evaluate_from` give its rate, as in the evaluation, and the rest judge. A rate of the first games alone
/// would be that of forecasts without known players.
///
/// Some 50 to 500 passes, which `progress` may end with the best so far; of 20,000 games tuned on and more most of them go over the first fifth alone, and those over all
/// begin with what was found there.
///
/// # Errors
/// [`RateError`] as of [`rate_games`]; [`RateError::TooFew`] without a decided game to count.
pub fn tune_games(
    params: &RatingParams,
    history: &History,
    evaluate_from: f64,
    progress: &dyn Progress,
) -> Result<Tuned, RateError> {
    params.check()?;
    let target = Target::new(history, evaluate_from)?;
    let start = target.loss(&target.rated(params)?)?;
    let loss = |target: &Target, candidate: &Candidate| match candidate.params.check() {
        Ok(()) => target.loss(&target.rated(&candidate.params)?).map(Some),
        // Dropped: settings out of range are no candidates.
        Err(_) => Ok(None),
    };
    let mut search = Staged::new(&target, loss);
    let has_first_side = target.has_first_side && is_online(&params.system);
    let candidate = |params: RatingParams| Candidate {
        first_side: has_first_side.then(|| 0.1 * params.system.points_per_log_odds()),
        params,
    };
    // How many descents there will be is not known.
    progress.begin(&format!("tuning {}", params.system.name()), 0);
    // How forecasts are blended and how sure they are is fitted at the end, to those of the system alone.
    let plain = &RatingParams {
        context_games: None,
        log_odds_scale: 1.0,
        ..params.clone()
    };
    let mut best = (candidate(plain.clone()), target.loss(&target.rated(plain)?)?);
    let mut adopt = |from: Vec<RatingParams>, best: &mut (Candidate, f64)| -> Result<(), RateError> {
        let found = search.descend(from.into_iter().map(candidate).collect(), progress)?;
        if let Some(found) = found.filter(|found| gains(found.1, best.1)) {
            *best = found;
        }
        Ok(())
    };
    let mut starts = Vec::new();
    for system in std::iter::once(plain.system).chain(plain.system.other_forms()) {
        for period in periods(plain)? {
            let plain = plain.clone();
            starts.push(RatingParams {
                system,
                period,
                ..plain
            });
        }
    }
    adopt(starts, &mut best)?;
    for layer in [margins, performances] {
        if let Some(from) = layer(&best.0.params, &target) {
            adopt(vec![from], &mut best)?;
        }
    }
    let (mut found, _) = best;
    if let Some(mixture) = target.mixture(&found.params)? {
        mixture.put_into(&mut found.params);
    }
    let mut rated = target.rated(&found.params)?;
    let mut log_loss = target.loss(&rated)?;
    if log_loss > start {
        found.params = params.clone();
        rated = target.rated(params)?;
        log_loss = start;
    }
    let draw_log_losses = target.draws(&rated)?;
    found.params.draws = best_draws(found.params.draws, &draw_log_losses);
    Ok(Tuned {
        fitted: fitted(&mut found),
        params: found.params,
        log_loss: [start, log_loss],
        draw_log_losses,
        passes: search.evaluations + 5,
        stopped: progress.is_stopped(),
    })
}

/// What was fitted, with its value.
fn fitted(found: &mut Candidate) -> Vec<(&'static str, f64)> {
    let params = &found.params;
    let games = params.context_games.map(|games| ("context_games", games));
    let scale = (params.log_odds_scale != 1.0).then_some(("log_odds_scale", params.log_odds_scale));
    knobs_of(found).into_iter().chain(games).chain(scale).collect()
}

/// The period that is given, and where deviations may grow with time or games, a game and a day.
fn periods(params: &RatingParams) -> Result<Vec<PeriodChoice>, RateError> {
    let mut periods = vec![params.period];
    let keeps_time = is_online(&params.system)
        && params.ladder.is_none()
        && rater_of(params)?.estimate(PlayerIndex::MAX).deviation().is_some();
    for other in [PeriodChoice::Game, PeriodChoice::Days(1.0)] {
        if keeps_time && params.period != other {
            periods.push(other);
        }
    }
    Ok(periods)
}

/// Weights by margin to begin with, where there are margins and no weights yet.
fn margins(best: &RatingParams, target: &Target) -> Option<RatingParams> {
    let is_open = is_online(&best.system) && best.margin.is_none() && best.ladder.is_none();
    let typical = target.typical_margin.filter(|_| is_open)?;
    Some(RatingParams {
        margin: Some(best.logarithmic_margin(typical)),
        ..best.clone()
    })
}

/// A weight of performances to begin with, where there are any and they have none yet.
fn performances(best: &RatingParams, target: &Target) -> Option<RatingParams> {
    let is_open = is_online(&best.system) && best.performance == 0.0 && best.ladder.is_none();
    (is_open && target.history.has_performances()).then(|| RatingParams {
        performance: 0.25,
        ..best.clone()
    })
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

/// Descents on a part of the games first, where there are many.
struct Staged<'a, F> {
    target: &'a Target,
    sample: Option<Target>,
    loss: F,
    evaluations: usize,
}

impl<'a, F> Staged<'a, F> {
    fn new(target: &'a Target, loss: F) -> Self {
        Self {
            target,
            sample: target.sample(),
            loss,
            evaluations: 0,
        }
    }

    /// The best of what is found from all `starts`, the first of equals.
    fn descend<P>(&mut self, starts: Vec<P>, progress: &dyn Progress) -> Result<Option<(P, f64)>, RateError>
    where
        P: Tunable + Clone + Send + Sync,
        F: Fn(&Target, &P) -> Result<Option<f64>, RateError> + Sync,
    {
        let (mut from, mut steps) = (starts, &STEPS[..]);
        if let Some(sample) = &self.sample {
            let mut search = CoordinateSearch::new(|of: &P| (self.loss)(sample, of));
            let mut found = search.descend_all(from, steps, progress)?;
            self.evaluations += search.evaluations;
            found.sort_by(|one, other| one.1.total_cmp(&other.1));
            let least = found.first().map_or(f64::NAN, |best| best.1);
            let finalists = found.into_iter().take(FINALISTS.0);
            let finalists = finalists.take_while(|one| one.1 <= least + FINALISTS.1);
            (from, steps) = (finalists.map(|one| one.0).collect(), &FINE_STEPS);
        }
        let mut search = CoordinateSearch::new(|of: &P| (self.loss)(self.target, of));
        let found = search.descend_all(from, steps, progress)?;
        self.evaluations += search.evaluations;
        let better = |best: (P, f64), next: (P, f64)| if gains(next.1, best.1) { next } else { best };
        Ok(found.into_iter().reduce(better))
    }
}

/// The games whose forecasts are to become better.
struct Target {
    /// The games tuned on.
    history: History,
    /// All that there are.
    matches: usize,
    /// Games whose forecasts count.
    counted: std::ops::Range<usize>,
    /// The first of the games that judge draw models.
    draws_from: usize,
    has_first_side: bool,
    /// The median margin of the decided games of two sides that are learnt from; none where no scores are known.
    typical_margin: Option<f64>,
}

impl Target {
    fn new(history: &History, evaluate_from: f64) -> Result<Self, RateError> {
        if !(evaluate_from > 0.0 && evaluate_from < 1.0) {
            return Err(RateError::EvaluateFrom { value: evaluate_from });
        }
        let end = share_of(history.len(), evaluate_from);
        let draws_from = share_of(end, evaluate_from);
        Ok(Self::of(history.first(end), history.len(), draws_from))
    }

    fn of(history: History, matches: usize, draws_from: usize) -> Self {
        let end = history.len();
        let two_sides = history.games().all(|game| game.sides().len() == 2);
        Self {
            counted: share_of(end, UNCOUNTED)..end,
            draws_from,
            has_first_side: two_sides && !sides_follow_result(&history),
            typical_margin: typical_margin(&history),
            matches,
            history,
        }
    }

    /// The part that settings are looked for on first; none of few games, or where it has no decided game to count.
    fn sample(&self) -> Option<Self> {
        let games = share_of(self.history.len(), SAMPLE);
        let sample = Self::of(self.history.first(games), self.matches, games);
        let counted = sample.counted.clone();
        let is_decided = counted
            .into_iter()
            .any(|game| sample.history.game(game).result_between(0, 1) != Score::DRAW);
        (self.history.len() >= SAMPLED_FROM && is_decided).then_some(sample)
    }

    /// Strengths of one fit are those of the games that do not count.
    fn rated(&self, params: &RatingParams) -> Result<Rated, RateError> {
        rate_games(params, &self.history, self.learnt(), &[])
    }

    /// The share of the games that do not count.
    fn learnt(&self) -> f64 {
        (self.counted.start as f64 + 0.5) / self.history.len() as f64
    }

    /// The likeliest mixture of forecasts in contexts and in all games, and how sure it is, by the latest games; none without a
    /// decided one.
    fn mixture(&self, params: &RatingParams) -> Result<Option<Mixture>, RateError> {
        let params = &RatingParams {
            context_games: None,
            log_odds_scale: 1.0,
            ..params.clone()
        };
        let games = share_of(self.history.len(), MIXED_FROM);
        // What is fitted to all games at once knows as many as it will when it is used.
        let learnt = (games as f64 + 0.5) / self.history.len() as f64;
        let rated = rate_games(params, &self.history, learnt, &[])?;
        let mut own = None;
        if !self.history.contexts().is_empty() {
            let split = split(&self.history)?;
            let in_contexts = rate_plainly(params, &split.history, learnt, &[])?;
            let known = Known::of(params, games)?;
            own = Some(InContext::of(
                &self.history,
                &split,
                (&rated, &in_contexts),
                known,
            ));
        }
        Ok(fit(&rated, own.as_ref(), &(games..self.history.len())))
    }

    fn loss(&self, rated: &Rated) -> Result<f64, RateError> {
        mean_log_loss(rated, &self.counted).ok_or(RateError::TooFew {
            matches: self.matches,
            learnt: self.counted.start,
            evaluated: self.counted.len(),
        })
    }

    /// As [`Tuned::draw_log_losses`].
    fn draws(&self, rated: &Rated) -> Result<Vec<(DrawKind, f64)>, RateError> {
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

/// The median of the margins other than 0 in the games of a history that have two sides.
fn typical_margin(history: &History) -> Option<f64> {
    let of_two = history.games().filter(|game| game.sides().len() == 2);
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
