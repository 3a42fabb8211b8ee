//! Forecasts by what is known of players in the context of a game beside what is known of them in all, and how sure they
//! are: layers for every system, on top of its forecasts.

use std::collections::HashMap;
use std::ops::Range;

use matchwright_churn::Outcome;
use matchwright_rating::history::{History, PlayerIndex, Side, Split};
use matchwright_rating::{AnyParams, ContextBlend, ParamError, PeriodChoice, RatingParams, RatingPeriod};

use super::error::RateError;
use super::period::number;
use super::prediction::Prediction;
use super::rated::{ContextRatings, Rated};
use super::tuning::SUREST;

/// Of the games of a context after which its ratings weigh half a tuning tries powers of 2 up to this one.
const GAMES: i32 = 12;

/// What the ratings of players in the context of each game forecast, beside what those of all games do.
pub(super) struct InContext {
    /// Log odds of each pair of sides, by the ratings of all games and by those of the context.
    log_odds: Vec<[f64; 2]>,
    /// Where the counts of each pair's players end.
    ends: Vec<usize>,
    /// How many games of the context each had played.
    counts: Vec<u32>,
}

/// What of the games before one the ratings know that forecast it.
#[derive(Clone, Copy)]
pub(super) enum Known {
    /// All of them.
    All,
    /// Those of earlier periods.
    Periods(RatingPeriod),
    /// So many, the first, of every game.
    First(usize),
}

impl Known {
    /// What the ratings of a system know that are fitted to the first `learnt` games if it learns from all at once.
    ///
    /// # Errors
    /// [`ParamError`] for a period out of range.
    pub(super) fn of(params: &RatingParams, learnt: usize) -> Result<Self, ParamError> {
        Ok(match (&params.system, params.period) {
            (AnyParams::BradleyTerry(_), _) => Self::First(learnt),
            (_, PeriodChoice::Batch(days)) => Self::Periods(RatingPeriod::days(days)?),
            _ => Self::All,
        })
    }

    /// How many of the games before this one, of which the first `counted` are among them.
    fn before(self, history: &History, game: usize, counted: usize) -> usize {
        match self {
            Self::All => game,
            Self::First(learnt) => learnt,
            Self::Periods(period) => {
                let number_of = |game: usize| number(period, history.game(game).time());
                let now = number_of(game);
                let open = (counted..game).find(|&before| number_of(before) >= now);
                open.unwrap_or(game)
            }
        }
    }
}

/// ln(p / (1 - p)) of the first side of a pair in a decided game.
fn log_odds(prediction: &Prediction) -> f64 {
    let both = prediction.expected + prediction.expected_reverse;
    let first = if both > 0.0 {
        prediction.expected / both
    } else {
        0.5
    };
    let first = first.clamp(SUREST, 1.0 - SUREST);
    (first / (1.0 - first)).ln()
}

/// The same pair under other log odds.
fn with_log_odds(prediction: &Prediction, log_odds: f64) -> Prediction {
    let chance = |log_odds: f64| 1.0 / (1.0 + (-log_odds).exp());
    Prediction {
        expected: chance(log_odds),
        expected_reverse: chance(-log_odds),
        ..*prediction
    }
}

/// A forecast whose log odds are `scale` times as large.
pub(super) fn scaled(prediction: Prediction, scale: f64) -> Prediction {
    if scale == 1.0 {
        return prediction;
    }
    with_log_odds(&prediction, scale * log_odds(&prediction))
}

/// The chance of a side in a decided game whose log odds are `scale` times as large.
pub(super) fn scaled_chance(chance: f64, scale: f64) -> f64 {
    if scale == 1.0 {
        return chance;
    }
    let odds = chance / (1.0 - chance);
    1.0 / (1.0 + odds.powf(-scale))
}

/// A history with a player for each context that a player played in, in the order of the contexts; games without one are those
/// of a context of their own.
pub(super) fn split(history: &History) -> Result<Split<Option<u32>>, RateError> {
    history.split(
        |game, _| Ok(game.context()),
        |player, context| format!("{player}\0{context:?}"),
    )
}

impl InContext {
    /// From a history, its split by [`split`], and both as rated; `known`: what of the games before each its ratings know.
    pub(super) fn of(
        history: &History,
        split: &Split<Option<u32>>,
        (common, own): (&Rated, &Rated),
        known: Known,
    ) -> Self {
        let mut played = vec![0_u32; split.parts.len()];
        let count = |games: Range<usize>, played: &mut [u32]| {
            for game in games.map(|index| split.history.game(index)) {
                for &player in game.sides().flat_map(Side::players) {
                    played[player as usize] += 1;
                }
            }
        };
        let (mut all, mut ends, mut counts) = (Vec::new(), Vec::new(), Vec::new());
        let both = common.pairs.iter().zip(&own.pairs);
        let both = both.zip(common.predictions.iter().zip(&own.predictions));
        let mut pairs = both.peekable();
        let mut counted = 0;
        for game in split.history.games() {
            let known = known.before(&split.history, game.index(), counted);
            if known > counted {
                count(counted..known, &mut played);
                counted = known;
            }
            while let Some(((pair, seen), (common, own))) =
                pairs.next_if(|((pair, _), _)| pair.game == game.index())
            {
                let has_context = history.game(pair.game).context().is_some();
                let common = log_odds(common);
                // Names decide which side a pair is seen from.
                let own = if seen.side == pair.side {
                    log_odds(own)
                } else {
                    -log_odds(own)
                };
                all.push([common, if has_context { own } else { common }]);
                for side in [pair.side, pair.other] {
                    let players = game.side(side).players().iter();
                    counts.extend(players.map(|&player| played[player as usize]));
                }
                ends.push(counts.len());
            }
        }
        Self {
            log_odds: all,
            ends,
            counts,
        }
    }

    /// Log odds of a pair, of which those by the context weigh as the blend has it.
    fn blended(&self, pair: usize, blend: ContextBlend) -> f64 {
        let start = pair.checked_sub(1).map_or(0, |before| self.ends[before]);
        let weight = blend.weight(self.counts[start..self.ends[pair]].iter().copied());
        let [common, own] = self.log_odds[pair];
        common + weight * (own - common)
    }

    /// Puts blended forecasts in the place of those of all games.
    pub(super) fn blend(&self, predictions: &mut [Prediction], blend: ContextBlend) {
        for (pair, prediction) in predictions.iter_mut().enumerate() {
            *prediction = with_log_odds(prediction, self.blended(pair, blend));
        }
    }
}

/// The ratings of each context, best first, under the names that players have in all.
pub(super) fn ratings_of(history: &History, split: &Split<Option<u32>>, own: &Rated) -> Vec<ContextRatings> {
    let names = split.history.players().iter().map(String::as_str);
    let parts: HashMap<&str, (PlayerIndex, Option<u32>)> = names.zip(split.parts.iter().copied()).collect();
    let contexts = history.contexts().iter();
    let mut all: Vec<ContextRatings> = contexts
        .map(|context| ContextRatings {
            context: context.clone(),
            players: Vec::new(),
        })
        .collect();
    for player in &own.players {
        if let Some(&(index, Some(context))) = parts.get(player.player.as_str()) {
            let mut player = player.clone();
            player.player.clone_from(&history.players()[index as usize]);
            all[context as usize].players.push(player);
        }
    }
    all
}

/// How forecasts are made of those of a system.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Mixture {
    context_games: Option<f64>,
    log_odds_scale: f64,
    /// The mean log loss of what it was fitted to, nats.
    log_loss: f64,
}

impl Mixture {
    pub(super) fn put_into(self, params: &mut RatingParams) {
        (params.context_games, params.log_odds_scale) = (self.context_games, self.log_odds_scale);
    }
}

/// Gains in likelihood below this are luck: odds of twenty to one, nats, for each number that is fitted.
const LEAST_LIKELIHOOD: f64 = 3.0;

/// The mixture under which decided pairs of these `games` are likeliest: `rated` by all games, `own` in contexts.
pub(super) fn fit(rated: &Rated, own: Option<&InContext>, games: &Range<usize>) -> Option<Mixture> {
    let outcome = |pair: usize| rated.predictions[pair].outcome;
    let is_counted =
        |pair: &usize| games.contains(&rated.pairs[*pair].game) && outcome(*pair) != Outcome::Draw;
    let counted: Vec<usize> = (0..rated.pairs.len()).filter(is_counted).collect();
    if counted.is_empty() {
        return None;
    }
    // Pairs of one game tell the same.
    let games_of = counted.chunk_by(|one, next| rated.pairs[*one].game == rated.pairs[*next].game);
    let least = LEAST_LIKELIHOOD / games_of.count() as f64;
    let mixture = |context_games: Option<f64>| {
        // Dropped: all that are tried are in range.
        let blend = context_games.and_then(|games| ContextBlend::new(games).ok());
        let lead = |&pair: &usize| {
            let log_odds = match (own, blend) {
                (Some(own), Some(blend)) => own.blended(pair, blend),
                _ => log_odds(&rated.predictions[pair]),
            };
            if outcome(pair) == Outcome::Win {
                log_odds
            } else {
                -log_odds
            }
        };
        let leads: Vec<f64> = counted.iter().map(lead).collect();
        let scale = best_scale(&leads).map_or(1.0, |(scale, _)| scale.clamp(0.1, 10.0));
        let (plain, scaled) = (mean_loss(&leads, 1.0), mean_loss(&leads, scale));
        let is_scaled = scaled < plain - least;
        Mixture {
            context_games,
            log_odds_scale: if is_scaled { scale } else { 1.0 },
            log_loss: if is_scaled { scaled } else { plain },
        }
    };
    let blends = own
        .iter()
        .flat_map(|_| (0..=GAMES).map(|power| Some(2_f64.powi(power))));
    // The first of equals is the plain one.
    std::iter::once(None)
        .chain(blends)
        .map(mixture)
        .reduce(|best, next| {
            let gains = if best.context_games.is_none() { least } else { 0.0 };
            if next.log_loss < best.log_loss - gains {
                next
            } else {
                best
            }
        })
}

/// Mean of -ln(1 / (1 + e^(-scale lead))) over the log odds of the winners.
fn mean_loss(leads: &[f64], scale: f64) -> f64 {
    let loss = |lead: &f64| {
        let lead = scale * lead;
        (-lead.abs()).exp().ln_1p() + (-lead).max(0.0)
    };
    leads.iter().map(loss).sum::<f64>() / leads.len() as f64
}

/// The factor of the log odds of the winners under which they are likeliest, by Newton's method: the slope of a regression
/// through 0, with its standard error if games are independent. None where no result, or every one, is an upset: then there is no
/// likeliest.
fn best_scale(leads: &[f64]) -> Option<(f64, f64)> {
    let is_some = |is_so: fn(&f64) -> bool| leads.iter().any(is_so);
    if !(is_some(|lead| *lead > 0.0) && is_some(|lead| *lead < 0.0)) {
        return None;
    }
    let (mut scale, mut information) = (1.0_f64, 0.0_f64);
    for _ in 0..100 {
        let (mut slope, mut curvature) = (0.0, 0.0);
        for lead in leads {
            let lost = 1.0 / (1.0 + (scale * lead).exp());
            slope += lead * lost;
            curvature += lead * lead * lost * (1.0 - lost);
        }
        if curvature.is_nan() || curvature <= 0.0 {
            return None;
        }
        information = curvature;
        let most = 1.0 + scale.abs();
        let step = (slope / curvature).clamp(-most, most);
        scale += step;
        if step.abs() < 1e-9 * most {
            break;
        }
    }
    Some((scale, information.sqrt().recip()))
}

/// The slope of what happened on the log odds of decided forecasts: 1 where these are as sure as they may be, less where they
/// are too sure; with its standard error. None where all are even, or no result or every one is an upset.
pub(super) fn slope(forecasts: impl Iterator<Item = [f64; 2]>) -> Option<(f64, f64)> {
    let leads = forecasts.map(|[won, lost]| (won.max(SUREST) / lost.max(SUREST)).ln());
    best_scale(&leads.collect::<Vec<f64>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, stream};
    use crate::rate::SidePair;
    use rand::RngExt;

    /// Forecasts with log odds from -3 to 3, and results by `truth` times those.
    fn rated(truth: f64) -> Rated {
        let mut rng = stream(5, Purpose::Bootstrap, 0, 0);
        let mut rated = Rated::default();
        for game in 0..8_000_usize {
            let log_odds = rng.random_range(-3.0..3.0);
            let won = rng.random::<f64>() < 1.0 / (1.0 + f64::exp(-truth * log_odds));
            let plain = Prediction {
                expected: 0.5,
                expected_reverse: 0.5,
                gap: 0.0,
                outcome: if won { Outcome::Win } else { Outcome::Loss },
            };
            rated.predictions.push(with_log_odds(&plain, log_odds));
            rated.pairs.push(SidePair::of_duel(game));
        }
        rated
    }

    #[test]
    fn the_factor_is_that_of_what_happened_and_none_where_it_may_be_luck() {
        for truth in [0.5, 0.8, 1.3] {
            let found = fit(&rated(truth), None, &(0..8_000)).unwrap().log_odds_scale;
            assert!((found - truth).abs() < 0.06, "{truth}: {found}");
        }
        let found = fit(&rated(1.0), None, &(0..8_000)).unwrap();
        assert_eq!((found.log_odds_scale, found.context_games), (1.0, None));
        assert!(fit(&rated(1.0), None, &(8_000..9_000)).is_none());
        assert_eq!(scaled(rated(1.0).predictions[0], 1.0), rated(1.0).predictions[0]);
    }

    #[test]
    fn the_error_of_a_slope_is_how_far_it_is_off_in_the_mean() {
        let mut off = Vec::new();
        let mut errors = 0.0;
        for part in 0..40_u64 {
            let mut rng = stream(9, Purpose::Bootstrap, part, 0);
            let forecasts = (0..500).map(|_| {
                let log_odds: f64 = rng.random_range(-2.0..2.0);
                let first = 1.0 / (1.0 + (-log_odds).exp());
                let winner = if rng.random::<f64>() < first {
                    first
                } else {
                    1.0 - first
                };
                [winner, 1.0 - winner]
            });
            let (slope, error) = slope(forecasts.collect::<Vec<_>>().into_iter()).unwrap();
            off.push((slope - 1.0).powi(2));
            errors += error / 40.0;
        }
        let found = (off.iter().sum::<f64>() / 40.0).sqrt();
        assert!((0.7..1.4).contains(&(found / errors)), "{found} {errors}");
    }

    #[test]
    fn even_forecasts_have_no_slope_and_sure_ones_a_finite_one() {
        assert_eq!(slope([[0.5, 0.5]; 3].into_iter()), None);
        let (sure, error) = slope([[1.0, 0.0], [0.0, 1.0], [0.9, 0.1]].into_iter()).unwrap();
        assert!(sure.is_finite() && error > 0.0);
        let (wrong, _) = slope([[0.4, 0.6], [0.3, 0.7], [0.6, 0.4]].into_iter()).unwrap();
        assert!(wrong < 0.0, "{wrong}");
        // No slope is steep enough for what always happened, and none is found of what is no number.
        assert_eq!(slope([[0.9, 0.1], [0.7, 0.3]].into_iter()), None);
        assert_eq!(best_scale(&[f64::NAN, 1.0, -1.0]), None);
        let one = |scale| scaled_chance(1.0, scale);
        assert_eq!((one(0.5), one(2.0), scaled_chance(0.0, 0.5)), (1.0, 1.0, 0.0));
        assert!(scaled_chance(f64::NAN, 0.5).is_nan());
    }
}
