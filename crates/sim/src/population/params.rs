//! Every number behind a generated population, with its default and the assumption it makes.

use matchwright_rating::history::HistoryError;
use rand::Rng;
use serde::{Deserialize, Serialize};

use super::departures::Departures;
use crate::random::standard_normal;

const HOUR: f64 = 3600.0;
const DAY: f64 = 24.0 * HOUR;

/// Additive effects of a match's outcome on a logit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutcomeEffects {
    /// After a win.
    pub win: f64,
    /// After a draw.
    pub draw: f64,
    /// After a loss.
    pub loss: f64,
}

/// A log-normal distribution: `exp N(ln median, sigma^2)`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogNormalParams {
    /// The median; seconds, where it is a gap.
    pub median: f64,
    /// Standard deviation of the logarithm.
    pub sigma: f64,
}

impl OutcomeEffects {
    /// By the index of the outcome.
    pub(super) const fn by_index(&self) -> [f64; 3] {
        [self.win, self.draw, self.loss]
    }
}

impl LogNormalParams {
    pub(super) fn sample(self, rng: &mut impl Rng) -> f64 {
        (self.median.ln() + self.sigma * standard_normal(rng)).exp()
    }
}

/// Logit of the seven-day churn of players who churn for eight hours, by their last three outcomes.
///
/// The ten patterns that EOMM prints (Table 1) have values of their own; the seventeen that it does
/// not print follow the last outcome alone, which is an assumption of ours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SevenDayEffects {
    /// Added for every player. Default -1.93, which brings Table 1's level back (see
    /// [`GeneratorParams::intercept`]).
    pub intercept: f64,
    /// Effect by pattern, oldest outcome first, such as `("DLW", -0.806)`.
    pub patterns: Vec<(String, f64)>,
    /// Effect of all other patterns, by the last outcome.
    pub others: OutcomeEffects,
}

/// How a population is generated. Logits are natural, times are seconds, skills are rating points
/// on the 400-point logistic scale.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GeneratorParams {
    /// How many players, all regions together. Default 64,000.
    pub players: u32,
    /// How many players share a region, at least; those of different regions never meet. Default 4,000, the size of a
    /// population for which the other parameters were chosen.
    ///
    /// Few heavy players weigh much in a history of matches. So skills and habits are stratified in each region: one
    /// player from each of as many equally likely slices as there are players. The mean churn of a region's
    /// player-matches then varies by some 0.2 percentage points from region to region, instead of 1.1, and by 0.05
    /// over 16 regions.
    pub region_players: u32,
    /// How long the history lasts, days. Default 182, the paper's half year.
    ///
    /// Results depend on it: players meet others of like skill, so ratings spread slowly (standard deviation 121
    /// points after 45 days, 134 after 182, the truth is 200), and EOMM's gain under the fitted models
    /// grows with that spread: over SkillMM at P = 500 it is 0.48 % after 45 days, 0.60 % after 90 and
    /// 0.68 % after 182 (one region, seed 1). The default was chosen with these figures in sight.
    pub days: f64,
    /// When the history starts, Unix seconds. Default 2016-01-01T00:00:00Z.
    pub start: i64,
    /// Players first want to play at moments spread evenly over this many days. Default 2, a little
    /// more than the usual gap between sessions.
    pub arrival_days: f64,
    /// Mean skill. Default 1500.
    pub skill_mean: f64,
    /// Standard deviation of skill. Default 200.
    pub skill_deviation: f64,
    /// A player is matched with the one nearest to skill + N(0, this^2). Default 120.
    pub opponent_deviation: f64,
    /// How long the first of a pair waits for the second, at most, seconds. Default 300.
    pub longest_wait: f64,
    /// Probability of a draw (EOMM Eq. 10), between equals if [`Departures::draw_width`] is given. Default 0.2.
    pub draw_rate: f64,
    /// Goal difference of a decided match is 1 + Poisson(this). Default 0.9.
    pub goal_mean: f64,
    /// Standard deviation of u, a player's own eight-hour churn logit. Default 1.2.
    pub habit_deviation: f64,
    /// v = this * u + noise, a player's own seven-day churn logit. Default 0.5.
    pub weekly_share: f64,
    /// Standard deviation of v's noise. Default 0.2.
    pub weekly_noise: f64,
    /// Intercept of the eight-hour churn logit. Default 1.615.
    ///
    /// Players who stay longer play more, and so weigh more in a history of matches: the mean churn of
    /// player-matches lies far below that of players. This value brings the paper's level back,
    /// where 52 % of the players in a pool play on.
    pub intercept: f64,
    /// Effect of ln(1 + matches in the last 8 h). Default 0.25.
    pub session_effect: f64,
    /// Effect of ln(1 + matches in the last 7 d). Default -0.35.
    pub week_effect: f64,
    /// Below this mean goal difference of the last three matches a player counts as thrashed.
    /// Default -1.5.
    pub thrashed_below: f64,
    /// Effect of being thrashed. Default 0.15.
    pub thrashed_effect: f64,
    /// Effect of two wins just before the match. Default 0.12.
    pub streak_effect: f64,
    /// Effect of the match's own outcome. Default W -0.275, D -0.10, L +0.275.
    pub outcome_effects: OutcomeEffects,
    /// Seven-day churn of those who churn for eight hours.
    pub seven_day: SevenDayEffects,
    /// Gap to the next match within a session. Default median 12 min, sigma 0.7.
    pub session_gap: LogNormalParams,
    /// A gap between sessions, less eight hours. Default median 14 h, sigma 0.9.
    pub return_gap: LogNormalParams,
    /// Mean gap of a seven-day churner, less seven days, seconds. Default 10 d.
    pub absence_mean: f64,
    /// How much the hour of the day matters when a session begins, from 0 (not at all) to 0.95: a moment weighs
    /// 1 + this * cos(2 pi (local hour - `peak_hour`) / 24). Default 0.
    pub daily_swing: f64,
    /// The local hour at which most sessions begin, from 0 to 24. Default 20.
    pub peak_hour: f64,
    /// What EOMM's model leaves out. Default: nothing.
    pub departures: Departures,
}

impl Default for GeneratorParams {
    fn default() -> Self {
        Self {
            players: 64_000,
            region_players: 4_000,
            days: 182.0,
            start: 1_451_606_400,
            arrival_days: 2.0,
            skill_mean: 1500.0,
            skill_deviation: 200.0,
            opponent_deviation: 120.0,
            longest_wait: 300.0,
            draw_rate: 0.2,
            goal_mean: 0.9,
            habit_deviation: 1.2,
            weekly_share: 0.5,
            weekly_noise: 0.2,
            intercept: 1.615,
            session_effect: 0.25,
            week_effect: -0.35,
            thrashed_below: -1.5,
            thrashed_effect: 0.15,
            streak_effect: 0.12,
            outcome_effects: OutcomeEffects {
                win: -0.275,
                draw: -0.10,
                loss: 0.275,
            },
            seven_day: SevenDayEffects::default(),
            session_gap: LogNormalParams {
                median: 12.0 * 60.0,
                sigma: 0.7,
            },
            return_gap: LogNormalParams {
                median: 14.0 * HOUR,
                sigma: 0.9,
            },
            absence_mean: 10.0 * DAY,
            daily_swing: 0.0,
            peak_hour: 20.0,
            departures: Departures::default(),
        }
    }
}

impl Default for SevenDayEffects {
    fn default() -> Self {
        let published = [
            ("DLW", -0.806),
            ("LLW", -0.823),
            ("LDW", -0.794),
            ("DDD", -0.872),
            ("WWW", -0.477),
            ("DLL", -0.354),
            ("LWL", -0.356),
            ("LDL", -0.354),
            ("WWL", -0.323),
            ("LLL", -0.261),
        ];
        Self {
            intercept: -1.93,
            patterns: published
                .iter()
                .map(|&(pattern, effect)| (pattern.to_owned(), effect))
                .collect(),
            // Logits that put churn near 2.65, 3.4 and 4.65 % after a win, a draw and a loss.
            others: OutcomeEffects {
                win: -0.808,
                draw: -0.580,
                loss: -0.355,
            },
        }
    }
}

/// A parameter that makes no population.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GeneratorError {
    /// A number out of its range.
    #[error("population parameter `{name}` is {value}; it must be from {least} to {most}")]
    Range {
        /// Which.
        name: &'static str,
        /// What it was.
        value: f64,
        /// The least it may be.
        least: f64,
        /// The most it may be.
        most: f64,
    },
    /// A pattern that is not three of W, D, L.
    #[error("`{pattern}` is no pattern of three outcomes; write three of W, D, L, oldest first")]
    Pattern {
        /// What it was.
        pattern: String,
    },
    /// Matches that make no history: more than it can hold.
    #[error("collecting the matches: {0}")]
    History(#[from] HistoryError),
}

impl GeneratorParams {
    /// How many regions there are.
    #[must_use]
    pub fn regions(&self) -> u32 {
        (self.players / self.region_players.max(1)).max(1)
    }

    /// How many players each region has: as even as can be, `region_players` or more, if there are as many.
    pub(super) fn region_sizes(&self) -> impl Iterator<Item = u32> + use<> {
        let regions = self.regions();
        let (even, rest) = (self.players / regions, self.players % regions);
        (0..regions).map(move |region| even + u32::from(region < rest))
    }

    /// Refuses what makes no population.
    ///
    /// # Errors
    /// The first parameter that is out of range, by name.
    pub fn check(&self) -> Result<(), GeneratorError> {
        let seven = &self.seven_day;
        let patterns = seven.patterns.iter();
        let effects = patterns
            .clone()
            .map(|(_, effect)| ("seven_day.patterns", *effect, -1e9, 1e9));
        let ranges = self.ranges().into_iter().chain(self.departures.ranges());
        for (name, value, least, most) in ranges.chain(effects) {
            // Written so that NaN fails.
            if !(value >= least && value <= most) {
                return Err(GeneratorError::Range {
                    name,
                    value,
                    least,
                    most,
                });
            }
        }
        let is_pattern = |text: &str| text.len() == 3 && text.chars().all(|c| "WDL".contains(c));
        let wrong = patterns.map(|(text, _)| text).find(|text| !is_pattern(text));
        wrong.map_or(Ok(()), |pattern| {
            Err(GeneratorError::Pattern {
                pattern: pattern.clone(),
            })
        })
    }

    /// All numbers, each with the least and the most that it may be.
    fn ranges(&self) -> [(&'static str, f64, f64, f64); 34] {
        let (session, away) = (&self.session_gap, &self.return_gap);
        let (effects, seven) = (&self.outcome_effects, &self.seven_day);
        [
            ("players", self.players.into(), 2.0, 2e6),
            ("region_players", self.region_players.into(), 2.0, 2e6),
            ("days", self.days, 1e-3, 36_500.0),
            ("start", self.start as f64, -1e12, 1e12),
            ("arrival_days", self.arrival_days, 0.0, 1e6),
            ("longest_wait", self.longest_wait, 1.0, 4.0 * HOUR),
            ("session_gap.median", session.median, 1.0, 4.0 * HOUR),
            ("session_gap.sigma", session.sigma, 0.0, 100.0),
            ("return_gap.median", away.median, 1.0, 6.0 * DAY),
            ("return_gap.sigma", away.sigma, 0.0, 100.0),
            ("absence_mean", self.absence_mean, 1e-3, 1e11),
            ("daily_swing", self.daily_swing, 0.0, 0.95),
            ("peak_hour", self.peak_hour, 0.0, 24.0),
            ("goal_mean", self.goal_mean, 1e-9, 1e6),
            ("draw_rate", self.draw_rate, 0.0, 1.0),
            ("skill_mean", self.skill_mean, -1e9, 1e9),
            ("skill_deviation", self.skill_deviation, 0.0, 1e9),
            ("opponent_deviation", self.opponent_deviation, 0.0, 1e9),
            ("habit_deviation", self.habit_deviation, 0.0, 1e9),
            ("weekly_share", self.weekly_share, -1e9, 1e9),
            ("weekly_noise", self.weekly_noise, 0.0, 1e9),
            ("intercept", self.intercept, -1e9, 1e9),
            ("session_effect", self.session_effect, -1e9, 1e9),
            ("week_effect", self.week_effect, -1e9, 1e9),
            ("thrashed_below", self.thrashed_below, -1e9, 1e9),
            ("thrashed_effect", self.thrashed_effect, -1e9, 1e9),
            ("streak_effect", self.streak_effect, -1e9, 1e9),
            ("outcome_effects.win", effects.win, -1e9, 1e9),
            ("outcome_effects.draw", effects.draw, -1e9, 1e9),
            ("outcome_effects.loss", effects.loss, -1e9, 1e9),
            ("seven_day.intercept", seven.intercept, -1e9, 1e9),
            ("seven_day.others.win", seven.others.win, -1e9, 1e9),
            ("seven_day.others.draw", seven.others.draw, -1e9, 1e9),
            ("seven_day.others.loss", seven.others.loss, -1e9, 1e9),
        ]
    }
}
