//! [`Window`]: how far apart two tickets may be, as a function of how long one of them has waited.

use thiserror::Error;

use crate::ticket::Ticket;
use crate::time::millis;

/// What a window compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Compare {
    /// |a - b|.
    #[default]
    Difference,
    /// |ln(a / b)|, for strengths that count by their ratio: 0.0953 is 10 %. Numbers above 0.
    LogRatio,
    /// The ticket's own ping to the match's region, which each side holds against its own window.
    Ping,
}

/// One number of a party.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Aggregate {
    /// The mean of its players'.
    #[default]
    Mean,
    /// The least.
    Least,
    /// The greatest.
    Greatest,
    /// The standard deviation, how unequal the players are; 0 for one player.
    Deviation,
}

/// A window as it is written, checked by [`build`](Self::build).
///
/// ```text
/// width(w) = start                                       w <= after
///          = min(most, start + per_second (w - after))   w >  after
/// ```
///
/// for a wait of w seconds; or, if given, `steps` (constant from each point on) or `curve` (straight lines between the
/// points, `per_second` after the last), each a list of (seconds, width). To each, `per_deviation` x the ticket's
/// own `deviation` is added.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WindowParams {
    /// The attribute: a number of the ticket, or of each of its players. Not needed for pings.
    pub of: String,
    /// How the numbers of a party's players become one. Default: their mean.
    pub party: Aggregate,
    /// How two tickets are compared. Default: by the difference.
    pub compare: Compare,
    /// The width at first, in the attribute's unit; 0 or more.
    pub start: f64,
    /// Seconds before it begins to grow.
    pub after: f64,
    /// Growth in units a second.
    pub per_second: f64,
    /// The greatest width. Default: none.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub most: Option<f64>,
    /// (seconds, width), both rising: the width from each of these waits on, `start` before the first.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub steps: Vec<(f64, f64)>,
    /// (seconds, width), both rising: straight lines from (0, `start`) through these points.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub curve: Vec<(f64, f64)>,
    /// The attribute that says how uncertain the number is, as a standard deviation.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub deviation: Option<String>,
    /// How many such deviations the window is wider.
    pub per_deviation: f64,
    /// The greatest difference that can occur, from which [`liveness`](crate::MatchPolicy::liveness) follows for
    /// windows that grow. Default: not known.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub range: Option<f64>,
}

impl Default for WindowParams {
    fn default() -> Self {
        Self::of("")
    }
}

/// Why a window cannot be used.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "every field is named in the message of its variant")]
pub enum WindowError {
    /// No attribute.
    #[error("a window needs the name of an attribute in `of`, or `compare = \"ping\"`")]
    NoAttribute,
    /// A number out of its range.
    #[error("`{key}` of the window of `{of}` is {value}: give a finite number of 0 or more")]
    Number {
        of: String,
        key: &'static str,
        value: f64,
    },
    /// A greatest width below the first.
    #[error(
        "the window of `{of}` starts at {start} and may be {most} at most: give it a `most` of {start} or more"
    )]
    Most { of: String, start: f64, most: f64 },
    /// Points that do not rise.
    #[error(
        "point {place} of `{key}` of the window of `{of}` does not rise: waits and widths must, from (0, start)"
    )]
    Order {
        of: String,
        key: &'static str,
        place: usize,
    },
    /// Two shapes.
    #[error("the window of `{of}` has {keys}: give one shape")]
    Shapes { of: String, keys: &'static str },
    /// Uncertainty without an attribute, or an attribute without a factor.
    #[error("the window of `{of}` needs both `deviation` and a `per_deviation` above 0, or neither")]
    Deviation { of: String },
}

impl WindowParams {
    /// A window of that attribute of width 0.
    #[must_use]
    pub fn of(attribute: &str) -> Self {
        Self {
            of: attribute.to_owned(),
            party: Aggregate::Mean,
            compare: Compare::Difference,
            start: 0.0,
            after: 0.0,
            per_second: 0.0,
            most: None,
            steps: Vec::new(),
            curve: Vec::new(),
            deviation: None,
            per_deviation: 0.0,
            range: None,
        }
    }

    /// The window, if it is one.
    ///
    /// # Errors
    /// [`WindowError`] names the window and the key.
    pub fn build(&self) -> Result<Window, WindowError> {
        let of = || self.name().to_owned();
        if self.of.trim().is_empty() && self.compare != Compare::Ping {
            return Err(WindowError::NoAttribute);
        }
        let numbers = [
            ("start", self.start),
            ("after", self.after),
            ("per_second", self.per_second),
            ("most", self.most.unwrap_or(0.0)),
            ("per_deviation", self.per_deviation),
            ("range", self.range.unwrap_or(0.0)),
        ];
        let points = self.steps.iter().chain(&self.curve);
        let points = points.flat_map(|&(seconds, width)| [("seconds", seconds), ("width", width)]);
        let bad = |&(_, value): &(&str, f64)| !(0.0..=f64::MAX).contains(&value);
        if let Some((key, value)) = numbers.into_iter().chain(points).find(bad) {
            return Err(WindowError::Number { of: of(), key, value });
        }
        for (key, points) in [("steps", &self.steps), ("curve", &self.curve)] {
            let mut last = (0.0, self.start);
            for (place, &point) in points.iter().enumerate() {
                if point.0 <= last.0 || point.1 < last.1 {
                    return Err(WindowError::Order { of: of(), key, place });
                }
                last = point;
            }
        }
        let widest = self
            .steps
            .iter()
            .chain(&self.curve)
            .map(|point| point.1)
            .fold(self.start, f64::max);
        if let Some(most) = self.most.filter(|&most| most < widest) {
            let start = widest;
            return Err(WindowError::Most {
                of: of(),
                start,
                most,
            });
        }
        let keys = match (
            self.steps.is_empty(),
            self.curve.is_empty(),
            self.per_second > 0.0,
            self.after > 0.0,
        ) {
            (false, false, ..) => Some("`steps` and `curve`"),
            (false, _, true, _) => Some("`steps` and `per_second`"),
            (false, _, _, true) | (_, false, _, true) => Some("`after` and other points"),
            _ => None,
        };
        if let Some(keys) = keys {
            return Err(WindowError::Shapes { of: of(), keys });
        }
        if self.deviation.is_some() != (self.per_deviation > 0.0) {
            return Err(WindowError::Deviation { of: of() });
        }
        Ok(self.shaped())
    }

    fn shaped(&self) -> Window {
        let mut points = vec![(0, self.start)];
        let mut is_stepped = false;
        if !self.steps.is_empty() {
            is_stepped = true;
            points.extend(
                self.steps
                    .iter()
                    .map(|&(seconds, width)| (millis(seconds), width)),
            );
        } else if !self.curve.is_empty() {
            points.extend(
                self.curve
                    .iter()
                    .map(|&(seconds, width)| (millis(seconds), width)),
            );
        } else if self.after > 0.0 {
            points.push((millis(self.after), self.start));
        }
        Window {
            params: self.clone(),
            points,
            is_stepped,
            per_millisecond: self.per_second / 1000.0,
            most: self.most.unwrap_or(f64::INFINITY),
        }
    }

    /// What it is called in explanations: its attribute, or `ping`.
    #[must_use]
    pub fn name(&self) -> &str {
        if self.compare == Compare::Ping {
            "ping"
        } else {
            &self.of
        }
    }
}

/// How far apart two tickets may be: never narrower than it was.
#[doc(alias("widening queue", "search range"))]
#[derive(Debug, Clone, PartialEq)]
pub struct Window {
    params: WindowParams,
    /// (milliseconds, width), from 0 on.
    points: Vec<(i64, f64)>,
    is_stepped: bool,
    per_millisecond: f64,
    most: f64,
}

impl Window {
    /// As it was written.
    #[must_use]
    pub const fn params(&self) -> &WindowParams {
        &self.params
    }

    /// A window whose width after each wait is a function of ours: what a price is worth.
    pub(crate) fn growing(of: &str, per_second: f64, points: Vec<(i64, f64)>, range: Option<f64>) -> Self {
        Self {
            params: WindowParams {
                range,
                ..WindowParams::of(of)
            },
            points,
            is_stepped: false,
            per_millisecond: per_second / 1000.0,
            most: f64::INFINITY,
        }
    }

    /// The width after this many milliseconds of waiting, for a ticket whose uncertainty adds `extra`.
    #[must_use]
    pub fn width(&self, extra: f64, waited: i64) -> f64 {
        let next = self.points.partition_point(|point| point.0 <= waited);
        let Some(&(from, width)) = next.checked_sub(1).and_then(|at| self.points.get(at)) else {
            return self.points.first().map_or(0.0, |point| point.1) + extra;
        };
        let waited = waited.saturating_sub(from) as f64;
        let grown = match self.points.get(next) {
            _ if self.is_stepped => width,
            Some(&(until, then)) => width + (then - width) * (waited / (until - from) as f64),
            None => width + self.per_millisecond * waited,
        };
        grown.min(self.most) + extra
    }

    /// The width that no wait exceeds; infinite if it grows for ever.
    #[must_use]
    pub fn widest(&self, extra: f64) -> f64 {
        let last = self.points.last().map_or(0.0, |point| point.1);
        let grown = if self.per_millisecond > 0.0 {
            f64::INFINITY
        } else {
            last
        };
        grown.min(self.most) + extra
    }

    /// The least wait in milliseconds after which the width is `distance` or more; `None` if it never is. O(log n) in
    /// the points.
    #[must_use]
    pub fn reached(&self, extra: f64, distance: f64) -> Option<i64> {
        if self.width(extra, 0) >= distance {
            return Some(0);
        }
        if distance.is_nan() || self.widest(extra) < distance {
            return None;
        }
        let next = self.points.partition_point(|point| point.1 + extra < distance);
        let (from, width) = self.points[next.max(1) - 1];
        let guess = match self.points.get(next) {
            Some(&(until, _)) if self.is_stepped => return Some(until),
            Some(&(until, then)) => {
                from as f64 + (until - from) as f64 * ((distance - extra - width) / (then - width))
            }
            None => from as f64 + (distance - extra - width) / self.per_millisecond,
        };
        least(guess, |waited| self.width(extra, waited) >= distance)
    }

    /// The number of a ticket that is compared; `None` if it has none, or for pings.
    #[must_use]
    pub fn number(&self, ticket: &Ticket) -> Option<f64> {
        if self.params.compare == Compare::Ping {
            return None;
        }
        let numbers = || ticket.numbers(&self.params.of);
        let mean = ticket.mean(&self.params.of)?;
        let all = numbers().flatten();
        Some(match self.params.party {
            Aggregate::Mean => mean,
            Aggregate::Least => all.fold(f64::INFINITY, f64::min),
            Aggregate::Greatest => all.fold(f64::NEG_INFINITY, f64::max),
            Aggregate::Deviation => {
                let (sum, count) = all.fold((0.0, 0_usize), |(sum, count), x| {
                    (sum + (x - mean) * (x - mean), count + 1)
                });
                (sum / count.max(1) as f64).sqrt()
            }
        })
    }

    /// What the ticket's uncertainty adds to the width.
    #[must_use]
    pub fn extra(&self, ticket: &Ticket) -> f64 {
        let deviation = self.params.deviation.as_ref().and_then(|name| ticket.mean(name));
        self.params.per_deviation * deviation.unwrap_or(0.0).max(0.0)
    }

    /// The number by which tickets are in order: neighbours in it are neighbours in [`distance`](Self::distance).
    #[must_use]
    pub fn coordinate(&self, number: f64) -> f64 {
        match self.params.compare {
            // A ratio of nothing is no ratio: such a ticket is far from all others.
            Compare::LogRatio if number > 0.0 => number.ln(),
            Compare::LogRatio => f64::NEG_INFINITY,
            Compare::Difference | Compare::Ping => number,
        }
    }

    /// How far apart two coordinates are; infinite or NaN where they cannot be compared.
    #[must_use]
    pub fn distance(a: f64, b: f64) -> f64 {
        (a - b).abs()
    }
}

/// The least whole number of 0 or more where `holds`, which once true stays true; near `guess`, as a rule.
pub(crate) fn least(guess: f64, holds: impl Fn(i64) -> bool) -> Option<i64> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a float becomes the nearest integer there is"
    )]
    let guess = guess.ceil() as i64;
    let guess = guess.clamp(0, i64::MAX / 4);
    // A bracket around the guess, twice as wide each time.
    let (mut low, mut high, mut span) = (guess, guess, 1);
    while !holds(high) {
        if high >= i64::MAX / 2 {
            return None;
        }
        low = high + 1;
        high = high.saturating_add(span);
        span = span.saturating_mul(2);
    }
    span = 1;
    while low > 0 && holds(low - 1) {
        high = low - 1;
        low = (low - span).max(0);
        span = span.saturating_mul(2);
        if holds(low) {
            high = low;
        }
    }
    // holds(high), and not below low.
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Some(high)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn linear(start: f64, after: f64, per_second: f64, most: Option<f64>) -> Window {
        let params = WindowParams {
            start,
            after,
            per_second,
            most,
            ..WindowParams::of("rating")
        };
        params.build().unwrap()
    }

    #[test]
    fn a_window_is_flat_at_first_grows_and_ends_at_its_greatest_width() {
        let window = linear(50.0, 10.0, 5.0, Some(100.0));
        let widths = [0, 10_000, 12_000, 20_000, 99_000].map(|waited| window.width(0.0, waited));
        assert_eq!(widths, [50.0, 50.0, 60.0, 100.0, 100.0]);
        assert_eq!(window.width(7.0, 0), 57.0);
        assert_eq!(window.reached(0.0, 60.0), Some(12_000));
        assert_eq!(window.reached(0.0, 100.5), None);
        assert_eq!(window.reached(0.0, f64::NAN), None);
    }

    #[test]
    fn steps_hold_from_their_wait_on_and_curves_are_straight_between_points() {
        let points = vec![(30.0, 100.0), (60.0, 300.0)];
        let stepped = WindowParams {
            start: 50.0,
            steps: points.clone(),
            ..WindowParams::of("x")
        }
        .build()
        .unwrap();
        assert_eq!(
            [29_999, 30_000, 60_000].map(|w| stepped.width(0.0, w)),
            [50.0, 100.0, 300.0]
        );
        assert_eq!(stepped.reached(0.0, 51.0), Some(30_000));
        let curved = WindowParams {
            start: 50.0,
            curve: points,
            per_second: 1.0,
            ..WindowParams::of("x")
        };
        let curved = curved.build().unwrap();
        assert_eq!(
            [15_000, 45_000, 70_000].map(|w| curved.width(0.0, w)),
            [75.0, 200.0, 310.0]
        );
    }

    #[test]
    fn contradictions_are_named() {
        let base = || WindowParams {
            start: 50.0,
            ..WindowParams::of("rating")
        };
        let error = |params: WindowParams| params.build().unwrap_err().to_string();
        for (params, words) in [
            (WindowParams::default(), "needs the name"),
            (
                WindowParams {
                    per_second: -1.0,
                    ..base()
                },
                "`per_second` of the window of `rating` is -1",
            ),
            (
                WindowParams {
                    start: f64::NAN,
                    ..base()
                },
                "`start` of the window of `rating` is NaN",
            ),
            (
                WindowParams {
                    most: Some(10.0),
                    ..base()
                },
                "starts at 50 and may be 10 at most",
            ),
            (
                WindowParams {
                    steps: vec![(5.0, 40.0)],
                    ..base()
                },
                "point 0 of `steps`",
            ),
            (
                WindowParams {
                    steps: vec![(5.0, 60.0)],
                    per_second: 1.0,
                    ..base()
                },
                "`steps` and `per_second`",
            ),
            (
                WindowParams {
                    per_deviation: 1.0,
                    ..base()
                },
                "needs both `deviation`",
            ),
        ] {
            assert!(error(params).contains(words), "{words}");
        }
    }

    proptest! {
        #[test]
        fn a_width_is_reached_then_and_not_a_millisecond_before(
            start in 0.0..100.0_f64, after in 0.0..60.0_f64, per_second in 1e-9..1e4_f64,
            most in proptest::option::of(100.0..1e6_f64), distance in 0.0..2e6_f64, extra in 0.0..100.0_f64,
        ) {
            let window = linear(start, after, per_second, most);
            match window.reached(extra, distance) {
                Some(waited) => {
                    prop_assert!(window.width(extra, waited) >= distance);
                    prop_assert!(waited == 0 || window.width(extra, waited - 1) < distance);
                }
                None => prop_assert!(window.width(extra, i64::MAX / 4) < distance),
            }
        }
    }
}
