//! [`Objective`]: what matches, waits and lost tickets cost, for comparisons between policies.

use thiserror::Error;

/// The table `[objective]`, unchecked until [`build`](Self::build): by what policies are compared, whatever they
/// themselves go by.
///
/// ```text
/// cost = sum over matches of K mismatch + sum over players of C(wait) + sum over lost players of P
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ObjectiveParams {
    /// The attribute whose difference between the teams' means is the mismatch. Default: none; the mismatch is 1 less the
    /// quality by `[scoring]`.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub of: Option<String>,
    /// K, the cost of one unit of mismatch, above 0. Default 1.
    pub mismatch: f64,
    /// C, the cost of waiting: a number for each second, or points (seconds, cost). Default 1 a second.
    pub waiting: WaitingCost,
    /// P, the price of a player who gets no match: who gives up, waits at the end or is refused, 0 or more. Default: none, as is
    /// 0; lost tickets are counted, not priced, and hindsight has no bound.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub lost: Option<f64>,
}

impl Default for ObjectiveParams {
    fn default() -> Self {
        Self {
            of: None,
            mismatch: 1.0,
            waiting: WaitingCost::PerSecond(1.0),
            lost: None,
        }
    }
}

/// The cost of a wait, which never falls.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(untagged))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum WaitingCost {
    /// The same for every second.
    PerSecond(f64),
    /// (seconds, cost), rising, straight lines from (0, 0) on, and on after the last as between the last two.
    Points(Vec<(f64, f64)>),
}

/// Why an objective cannot be used.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "every field is named in the message of its variant")]
pub enum ObjectiveError {
    /// A number out of its range.
    #[error("objective.{key} is {value}: give {wanted}")]
    Number {
        key: &'static str,
        value: f64,
        wanted: &'static str,
    },
    /// A cost of waiting that falls.
    #[error(
        "point {place} of objective.waiting: give finite points of rising seconds whose cost never falls, from (0, 0)"
    )]
    Waiting { place: usize },
    /// An attribute without a name.
    #[error("objective.of is empty: name an attribute, or leave it out to use the quality by `[scoring]`")]
    NoName,
}

impl ObjectiveParams {
    /// The objective, if it can be used.
    ///
    /// # Errors
    /// [`ObjectiveError`] names the key.
    pub fn build(&self) -> Result<Objective, ObjectiveError> {
        let number = |key, value: f64, is_good: bool, wanted| {
            if is_good {
                Ok(())
            } else {
                Err(ObjectiveError::Number { key, value, wanted })
            }
        };
        if self.of.as_ref().is_some_and(|name| name.trim().is_empty()) {
            return Err(ObjectiveError::NoName);
        }
        let is_weight = self.mismatch > 0.0 && self.mismatch.is_finite();
        number("mismatch", self.mismatch, is_weight, "a finite number above 0")?;
        let zero_up = |value: f64| (0.0..=f64::MAX).contains(&value);
        if let Some(lost) = self.lost {
            number("lost", lost, zero_up(lost), "a finite number of 0 or more")?;
        }
        let points = match &self.waiting {
            &WaitingCost::PerSecond(cost) => {
                number("waiting", cost, zero_up(cost), "a finite number of 0 or more")?;
                vec![(1.0, cost)]
            }
            WaitingCost::Points(points) => {
                let mut last = (0.0, 0.0);
                for (place, &point) in points.iter().enumerate() {
                    let is_finite = point.0.is_finite() && point.1.is_finite();
                    if !is_finite || point.0 <= last.0 || point.1 < last.1 {
                        return Err(ObjectiveError::Waiting { place });
                    }
                    last = point;
                }
                if points.is_empty() {
                    return Err(ObjectiveError::Waiting { place: 0 });
                }
                points.clone()
            }
        };
        Ok(Objective {
            params: self.clone(),
            points,
        })
    }
}

/// What matches, waits and lost tickets cost.
///
/// ```
/// use matchwright_queue::{ObjectiveParams, WaitingCost};
///
/// // A second costs 1 in the first minute and 3 after it.
/// let waiting = WaitingCost::Points(vec![(60.0, 60.0), (120.0, 240.0)]);
/// let objective = ObjectiveParams { mismatch: 0.5, waiting, ..ObjectiveParams::default() }.build()?;
/// assert_eq!([30.0, 60.0, 180.0].map(|wait| objective.waiting_cost(wait)), [30.0, 60.0, 420.0]);
/// assert_eq!(objective.mismatch_cost(100.0), 50.0);
/// # Ok::<(), matchwright_queue::ObjectiveError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Objective {
    params: ObjectiveParams,
    /// (seconds, cost), without (0, 0).
    points: Vec<(f64, f64)>,
}

impl Objective {
    /// As it was written.
    #[must_use]
    pub const fn params(&self) -> &ObjectiveParams {
        &self.params
    }

    /// K x mismatch.
    #[must_use]
    pub fn mismatch_cost(&self, mismatch: f64) -> f64 {
        self.params.mismatch * mismatch
    }

    /// C of a wait in seconds; never falls. 0 for a negative wait.
    #[must_use]
    pub fn waiting_cost(&self, seconds: f64) -> f64 {
        let next = self.points.partition_point(|point| point.0 <= seconds);
        let end = next.min(self.points.len() - 1);
        let start = end.checked_sub(1).map_or((0.0, 0.0), |at| self.points[at]);
        let (from, to) = (start, self.points[end]);
        from.1 + (to.1 - from.1) * ((seconds.max(0.0) - from.0) / (to.0 - from.0))
    }

    /// The cost of waiting as points (seconds, cost) after (0, 0).
    #[must_use]
    pub fn waiting_points(&self) -> &[(f64, f64)] {
        &self.points
    }

    /// P, if it has one above 0.
    #[must_use]
    pub fn lost(&self) -> Option<f64> {
        self.params.lost.filter(|price| *price > 0.0)
    }
}
