//! `[queue]` checked: what the core, and what the method, is told.

use std::collections::BTreeMap;

use thiserror::Error;

use super::objective::Objective;
use super::{Choose, MethodName, PricesTable, QueueParams, ThresholdParams};
use crate::pairs::{Accept, PairsError, PairsParams, PairsSettings};
use crate::prices::{PriceStart, Prices, PricesError, PricesParams};
use crate::settings::QueueSettings;
use crate::time::millis;
use crate::window::{Compare, Window, WindowError, WindowParams};

/// The shares of the price and of the cost of waiting that cover a mismatch, chosen on some generated worlds and held to
/// others: teams have more matches to choose from, and lose more by one who waits long.
const PAIRS: [f64; 2] = [0.85, 0.3];
const LOBBIES: [f64; 2] = [0.7, 1.0];

/// Why a table `[queue]` cannot be followed.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "every field is named in the message of its variant")]
pub enum QueueError {
    /// A number out of its range.
    #[error("queue.{key} is {value}: give {wanted}")]
    Number {
        key: &'static str,
        value: f64,
        wanted: &'static str,
    },
    /// Windows, or prices.
    #[error("queue: {0}")]
    Pairs(#[from] PairsError),
    /// A threshold.
    #[error("queue.threshold: {0}")]
    Threshold(WindowError),
    /// Teams that make no match.
    #[error("queue `{queue}` has teams of {teams:?}: give two or more teams of one or more players")]
    Teams { queue: String, teams: Vec<usize> },
    /// No smaller matches, or too many sizes of them.
    #[error(
        "queue.smaller gives queue `{queue}` with teams of {teams:?} no smaller match, or more than 64 sizes: teams must be of one \
         size, and some match have as many players as `players` and `multiple_of` ask for"
    )]
    Smaller { queue: String, teams: Vec<usize> },
    /// Two ways to say the same.
    #[error("queue.{one} and queue.{other}: give one of the two")]
    Both { one: &'static str, other: &'static str },
    /// A key that a method does not use, so that it would be followed in vain.
    #[error("queue.{key} means nothing for the method `{method}`: leave it out")]
    NotUsed { key: &'static str, method: &'static str },
    /// A key that a method needs.
    #[error("the method `{method}` needs queue.{key}")]
    Needed { key: &'static str, method: &'static str },
    /// Prices without an objective of an attribute.
    #[error("queue.prices needs an `[objective]` with `of`, the attribute whose differences cost")]
    NoObjective,
    /// Prices of lobbies without an objective, or with one of an attribute.
    #[error(
        "queue.prices of the method `lobbies` needs an `[objective]` without `of`: what it covers is 1 less the quality by `[scoring]`"
    )]
    NotByQuality,
    /// Prices of lobbies.
    #[error("queue.{0}")]
    Prices(#[from] PricesError),
    /// More than two teams for pairs.
    #[error("the method `{method}` pairs two tickets: queue `{queue}` has {teams} teams")]
    TwoTeams {
        method: &'static str,
        queue: String,
        teams: usize,
    },
}

/// When rounds are held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedule {
    /// Milliseconds from one round to the next.
    pub every: Option<i64>,
    /// The number of waiting players at which a round is held.
    pub at: Option<usize>,
    /// Milliseconds after which a ticket makes a round.
    pub longest_wait: Option<i64>,
}

/// The quality that is wanted by now.
#[derive(Debug, Clone, PartialEq)]
pub struct Threshold {
    /// On 1 - quality.
    loss: Window,
}

impl ThresholdParams {
    /// The threshold that it describes.
    ///
    /// # Errors
    /// [`QueueError`] names the key that is out of range.
    pub fn build(&self) -> Result<Threshold, QueueError> {
        for (key, value) in [
            ("threshold.quality", self.quality),
            ("threshold.least", self.least),
        ] {
            if !(0.0..=1.0).contains(&value) {
                let wanted = "a quality from 0 to 1";
                return Err(QueueError::Number { key, value, wanted });
            }
        }
        let loss = WindowParams {
            start: 1.0 - self.quality,
            after: self.after,
            per_second: self.fall_per_second,
            most: Some(1.0 - self.least),
            ..WindowParams::of("1 - quality")
        };
        let loss = loss.build().map_err(QueueError::Threshold)?;
        Ok(Threshold { loss })
    }
}

impl Threshold {
    /// The quality wanted after this many milliseconds.
    #[must_use]
    pub fn wanted(&self, waited: i64) -> f64 {
        1.0 - self.allowance(waited)
    }

    /// 1 less the quality wanted.
    #[must_use]
    pub fn allowance(&self, waited: i64) -> f64 {
        self.loss.width(0.0, waited).min(1.0)
    }

    /// The wait in milliseconds after which a quality is enough; `None`: never.
    #[must_use]
    pub fn reached(&self, quality: f64) -> Option<i64> {
        self.loss.reached(0.0, 1.0 - quality)
    }
}

/// What a method is told.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Method {
    /// [`Pairs`](crate::Pairs).
    Pairs(PairsSettings),
    /// Teams of tickets, as soon as a match is good enough.
    Lobbies {
        /// The quality wanted; without it and prices every match that the scoring permits may start.
        threshold: Option<Threshold>,
        /// What decides in place of a threshold.
        prices: Option<Prices>,
        /// Whose.
        accept: Accept,
        /// Milliseconds after which there is no threshold.
        longest_wait: Option<i64>,
        /// The attribute in whose order neighbours are found.
        order: String,
        /// The quality that a match without all of its players would lose.
        missing_cost: f64,
        /// How many players are looked at; `None` for as many as suit the teams.
        neighbours: Option<usize>,
        /// Exchanges that a search tries.
        exchanges: u64,
    },
    /// Rounds.
    Batch {
        /// When.
        schedule: Schedule,
        /// What they optimise.
        choose: Choose,
        /// Windows, if there are any, for rounds of pairs by differences.
        pairs: Option<PairsSettings>,
        /// Exchanges that a search tries.
        exchanges: u64,
        /// Seed of random pairs and of searches.
        seed: u64,
    },
}

/// A table `[queue]`, checked.
#[derive(Debug, Clone)]
pub struct QueuePlan {
    /// For the core.
    pub settings: QueueSettings,
    /// For the policy.
    pub method: Method,
}

impl QueueParams {
    /// What the core and the policy are told, if it can be followed; prices need an objective.
    ///
    /// # Errors
    /// [`QueueError`] names the key.
    pub fn build(&self, objective: Option<&Objective>) -> Result<QueuePlan, QueueError> {
        self.refuse_unused()?;
        let mut settings = self.settings()?;
        let method = match self.method {
            MethodName::Pairs => Method::Pairs(self.pairs(objective)?),
            MethodName::Lobbies => self.lobbies(objective)?,
            MethodName::Batch => self.batch()?,
        };
        let is_pairs = !matches!(method, Method::Lobbies { .. });
        for (queue, teams) in settings
            .queues
            .iter()
            .filter(|_| is_pairs && !self.windows.is_empty())
        {
            if teams.len() != 2 {
                let (queue, teams, method) = (queue.clone(), teams.len(), self.method.name());
                return Err(QueueError::TwoTeams { method, queue, teams });
            }
        }
        let needs = |window: &WindowParams| (window.compare != Compare::Ping).then(|| window.of.clone());
        settings.needs = self.windows.iter().filter_map(needs).collect();
        if let Some(of) = objective.and_then(|objective| objective.params().of.clone())
            && !settings.needs.contains(&of)
            && self.prices.is_some()
        {
            settings.needs.push(of);
        }
        if let Method::Lobbies { order, .. } = &method {
            settings.needs.push(order.clone());
        }
        Ok(QueuePlan { settings, method })
    }

    /// Keys that the method would not follow.
    fn refuse_unused(&self) -> Result<(), QueueError> {
        let method = self.method.name();
        let (pairs, lobbies, batch) = match self.method {
            MethodName::Pairs => (true, false, false),
            MethodName::Lobbies => (false, true, false),
            MethodName::Batch => (false, false, true),
        };
        let given = [
            ("windows", !self.windows.is_empty(), pairs || batch),
            ("prices", self.prices.is_some(), pairs || lobbies),
            ("threshold", self.threshold.is_some(), lobbies),
            ("batch", self.batch.is_some(), batch),
            ("smaller", self.smaller.is_some(), lobbies),
            ("order", self.order.is_some(), lobbies),
            ("neighbours", self.neighbours.is_some(), lobbies),
            ("exchanges", self.exchanges.is_some(), lobbies || batch),
        ];
        match given.iter().find(|(_, is_given, is_used)| *is_given && !is_used) {
            Some(&(key, ..)) => Err(QueueError::NotUsed { key, method }),
            None => Ok(()),
        }
    }

    fn settings(&self) -> Result<QueueSettings, QueueError> {
        if !self.teams.is_empty() && !self.queues.is_empty() {
            return Err(QueueError::Both {
                one: "teams",
                other: "queues",
            });
        }
        let queues = if self.queues.is_empty() {
            let teams = if self.teams.is_empty() {
                vec![1, 1]
            } else {
                self.teams.clone()
            };
            BTreeMap::from([(String::new(), teams)])
        } else {
            self.queues.clone()
        };
        // Sums of sizes must not overflow anywhere.
        let is_bad =
            |teams: &Vec<usize>| teams.len() < 2 || teams.iter().any(|size| !(1..=1 << 16).contains(size));
        if let Some((queue, teams)) = queues.iter().find(|entry| is_bad(entry.1)) {
            let (queue, teams) = (queue.clone(), teams.clone());
            return Err(QueueError::Teams { queue, teams });
        }
        let mut smaller = BTreeMap::new();
        for (queue, teams) in queues.iter().filter(|_| self.smaller.is_some()) {
            let params = self.smaller.clone().unwrap_or_default();
            smaller.insert(queue.clone(), params.than(queue, teams)?);
        }
        let mut settings = QueueSettings {
            queues,
            smaller,
            keys: self.keys.clone(),
            most_tickets: self.limits.most_tickets,
            remember: span("limits.remember", self.limits.remember)?,
            fail_within: span("limits.fail_within", self.limits.fail_within)?,
            ..QueueSettings::default()
        };
        if let Some(estimates) = &self.estimates {
            if !(estimates.band > 0.0 && estimates.band.is_finite()) {
                return Err(QueueError::Number {
                    key: "estimates.band",
                    value: estimates.band,
                    wanted: "a finite number above 0",
                });
            }
            settings.estimate_by = Some((estimates.by.clone(), estimates.band));
        }
        if let Some(acceptance) = &self.acceptance {
            settings.accept_within = Some(span("acceptance.within", acceptance.within)?);
            let cooldowns = acceptance
                .cooldowns
                .iter()
                .map(|&seconds| span("acceptance.cooldowns", seconds));
            settings.cooldowns = cooldowns.collect::<Result<_, _>>()?;
            settings.forget_declines_after = span("acceptance.forget_after", acceptance.forget_after)?;
            settings.low_priority_after = acceptance.low_priority_after;
            settings.low_priority_for = span("acceptance.low_priority_for", acceptance.low_priority_for)?;
        }
        Ok(settings)
    }

    fn pairs(&self, objective: Option<&Objective>) -> Result<PairsSettings, QueueError> {
        let prices = match &self.prices {
            None => None,
            Some(table) => {
                let objective = objective.ok_or(QueueError::NoObjective)?;
                let of = objective.params().of.as_ref().ok_or(QueueError::NoObjective)?;
                Some(table.params(of, objective, PAIRS))
            }
        };
        let params = PairsParams {
            windows: self.windows.clone(),
            accept: self.accept,
            longest_wait: self.longest_wait,
            prices,
        };
        Ok(params.build()?)
    }

    fn lobbies(&self, objective: Option<&Objective>) -> Result<Method, QueueError> {
        let order = self.order.clone().unwrap_or_else(|| "skill".to_owned());
        let prices = match &self.prices {
            None => None,
            Some(_) if self.threshold.is_some() || self.accept != Accept::default() => {
                let other = if self.threshold.is_some() {
                    "threshold"
                } else {
                    "accept"
                };
                return Err(QueueError::Both { one: "prices", other });
            }
            Some(table) => {
                let objective = objective.filter(|objective| objective.params().of.is_none());
                let objective = objective.ok_or(QueueError::NotByQuality)?;
                let method = self.method.name();
                if table.range.is_some() || matches!(table.start, PriceStart::Density { .. }) {
                    let key = table.range.map_or("prices.start.density", |_| "prices.range");
                    return Err(QueueError::NotUsed { key, method });
                }
                Some(table.params(&order, objective, LOBBIES).build()?)
            }
        };
        let threshold = self.threshold.as_ref().map(ThresholdParams::build).transpose()?;
        if self.smaller.is_some() && threshold.is_none() && prices.is_none() {
            return Err(QueueError::Needed {
                key: "threshold or queue.prices for `smaller`",
                method: self.method.name(),
            });
        }
        Ok(Method::Lobbies {
            threshold,
            prices,
            accept: self.accept,
            longest_wait: self
                .longest_wait
                .map(|wait| span("longest_wait", wait))
                .transpose()?,
            order,
            missing_cost: self.smaller.clone().unwrap_or_default().cost,
            neighbours: self.neighbours,
            exchanges: self.exchanges.unwrap_or(1000),
        })
    }

    fn batch(&self) -> Result<Method, QueueError> {
        let method = self.method.name();
        let batch = self.batch.clone().unwrap_or_default();
        if batch.every.is_none() && batch.at.is_none() && self.longest_wait.is_none() {
            return Err(QueueError::Needed {
                key: "batch.every, queue.batch.at or queue.longest_wait",
                method,
            });
        }
        if batch.at == Some(0) {
            let wanted = "1 player or more";
            return Err(QueueError::Number {
                key: "batch.at",
                value: 0.0,
                wanted,
            });
        }
        if let Some(value) = batch.every.filter(|every| *every < 0.001) {
            let wanted = "a millisecond or more";
            return Err(QueueError::Number {
                key: "batch.every",
                value,
                wanted,
            });
        }
        let by_differences = batch.choose == Choose::Difference;
        if by_differences && self.windows.is_empty() {
            return Err(QueueError::Needed {
                key: "windows for `choose = \"difference\"`",
                method,
            });
        }
        if !by_differences && !self.windows.is_empty() {
            return Err(QueueError::NotUsed {
                key: "windows",
                method: "batch` with another `choose` than `difference",
            });
        }
        // A ticket that has waited long makes a round; its windows stay.
        let params = PairsParams {
            windows: self.windows.clone(),
            accept: self.accept,
            ..PairsParams::default()
        };
        let pairs = by_differences.then(|| params.build()).transpose()?;
        Ok(Method::Batch {
            schedule: Schedule {
                every: batch.every.map(|every| span("batch.every", every)).transpose()?,
                at: batch.at,
                longest_wait: self
                    .longest_wait
                    .map(|wait| span("longest_wait", wait))
                    .transpose()?,
            },
            choose: batch.choose,
            pairs,
            exchanges: self.exchanges.unwrap_or(200_000),
            seed: batch.seed,
        })
    }
}

impl PricesTable {
    /// Of an attribute, at what the objective says that matches, waits and lost players cost; a and g if they are not given.
    fn params(&self, of: &str, objective: &Objective, [a, g]: [f64; 2]) -> PricesParams {
        PricesParams {
            of: of.to_owned(),
            mismatch: objective.params().mismatch,
            waiting: objective.waiting_points().to_vec(),
            lost: objective.lost().unwrap_or(0.0),
            share: self.share.unwrap_or(a),
            waiting_share: self.waiting_share.unwrap_or(g),
            learn: (self.learn != 0.0).then_some(self.learn),
            band: self.band,
            start: self.start.clone(),
            range: self.range,
        }
    }
}

impl MethodName {
    /// As in a document.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pairs => "pairs",
            Self::Lobbies => "lobbies",
            Self::Batch => "batch",
        }
    }
}

/// Seconds of a document in milliseconds.
fn span(key: &'static str, value: f64) -> Result<i64, QueueError> {
    if (0.0..=f64::MAX).contains(&value) {
        Ok(millis(value))
    } else {
        let wanted = "a finite number of seconds of 0 or more";
        Err(QueueError::Number { key, value, wanted })
    }
}
