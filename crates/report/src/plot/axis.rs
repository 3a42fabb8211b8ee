//! [`Axis`]: label, unit, range and scale, and the ticks.

use super::PlotError;
use super::dates::{SHOWN, date_ticks};
use super::tick::Tick;
use crate::number::{brief, fixed, floor_log10, grouped, power_of_ten};
use crate::time::utc_time;

/// Larger magnitudes are not drawn: sums and differences of such numbers overflow.
pub(crate) const LARGEST: f64 = 1e300;
/// A span narrower than this part of its ends cannot be told from rounding.
const NARROWEST: f64 = 1e-12;
/// Smaller positive numbers have no place on a logarithmic axis.
pub(crate) const SMALLEST_POSITIVE: f64 = 1e-280;
/// Smaller spans fall into the subnormal numbers.
const SMALLEST_SPAN: f64 = 1e-290;

/// How an axis maps numbers to lengths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scale {
    /// Equal differences are equally long.
    #[default]
    Linear,
    /// Equal ratios are equally long; numbers that are not positive cannot be shown.
    Log10,
    /// Linear; the numbers are Unix seconds, and ticks stand at round dates and times of day (UTC).
    Dates,
}

/// One axis: label, unit, range and scale.
///
/// ```
/// use matchwright_report::Axis;
///
/// let wait = Axis::new("Wait").unit("s").log10();
/// let share = Axis::new("Observed share").range(0.0, 1.0);
/// assert_eq!(share.range, Some((0.0, 1.0)));
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Axis {
    /// What the axis measures.
    pub label: String,
    /// The unit, shown in brackets after the label; empty where there is none.
    pub unit: String,
    /// The ends of the axis; `None` lets the data decide. Points outside are not drawn and are counted.
    pub range: Option<(f64, f64)>,
    /// Linear or logarithmic.
    pub scale: Scale,
}

impl Axis {
    /// A linear axis without a unit, whose range follows the data.
    #[must_use]
    pub fn new(label: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            ..Self::default()
        }
    }

    /// The unit, shown in brackets after the label.
    #[must_use]
    pub fn unit(mut self, unit: impl Into<String>) -> Self {
        self.unit = unit.into();
        self
    }

    /// Fixes the ends of the axis.
    #[must_use]
    pub fn range(mut self, low: f64, high: f64) -> Self {
        self.range = Some((low, high));
        self
    }

    /// Takes the numbers for Unix seconds and labels them with dates (UTC).
    ///
    /// ```
    /// use matchwright_report::{Axis, Plot, Point, Series};
    ///
    /// let svg = Plot::new("p")
    ///     .x(Axis::new("Date").dates())
    ///     .series(Series::line("s", [Point::new(1.0e9, 1.0), Point::new(1.1e9, 2.0)]))
    ///     .to_svg()?;
    /// assert!(svg.contains("2002") && svg.contains("2004"));
    /// # Ok::<(), matchwright_report::PlotError>(())
    /// ```
    #[must_use]
    pub fn dates(mut self) -> Self {
        self.scale = Scale::Dates;
        self
    }

    /// Makes the axis logarithmic.
    #[must_use]
    pub fn log10(mut self) -> Self {
        self.scale = Scale::Log10;
        self
    }

    /// Label and unit in one string.
    pub(crate) fn heading(&self) -> String {
        match (self.label.is_empty(), self.unit.is_empty()) {
            (_, true) => self.label.clone(),
            (true, false) => self.unit.clone(),
            (false, false) => format!("{} ({})", self.label, self.unit),
        }
    }

    /// The range to show: the one asked for, else one that holds all of `values` with a little room.
    pub(crate) fn span(&self, values: impl Iterator<Item = f64>) -> Result<Span, PlotError> {
        let scale = self.scale;
        if let Some((low, high)) = self.range {
            let span = Span {
                low,
                high,
                scale,
                only: None,
            };
            let axis = self.label.clone();
            return span.is_drawable().then_some(span).ok_or(PlotError::Range {
                axis,
                low,
                high,
                scale,
            });
        }
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        let only = (low == high).then_some(low);
        let (low, high) = match scale {
            Scale::Linear => with_linear_room(low, high),
            Scale::Log10 => with_log_room(low, high),
            Scale::Dates => with_room_of_dates(low, high),
        };
        Ok(Span {
            low,
            high,
            scale,
            only,
        })
    }
}

/// Five per cent of room at both ends, but never across zero: a share does not look negative.
fn with_linear_room(low: f64, high: f64) -> (f64, f64) {
    let width = high - low;
    let magnitude = low.abs().max(high.abs());
    if width > NARROWEST * 10.0 * magnitude && width > SMALLEST_SPAN * 10.0 {
        let room = 0.05 * width;
        let least = if low >= 0.0 { 0.0 } else { f64::NEG_INFINITY };
        let most = if high <= 0.0 { 0.0 } else { f64::INFINITY };
        ((low - room).max(least), (high + room).min(most))
    } else if magnitude > SMALLEST_SPAN * 1e10 {
        (low - 0.1 * magnitude, high + 0.1 * magnitude)
    } else {
        (-1.0, 1.0)
    }
}

/// Two per cent of room at both ends; half a day around a single moment.
fn with_room_of_dates(low: f64, high: f64) -> (f64, f64) {
    let width = high - low;
    let room = if width >= 1.0 { 0.02 * width } else { 43_200.0 };
    // Beyond all calendars half a day is lost to rounding.
    let room = room.max(1e-9 * low.abs().max(high.abs()));
    (low - room, high + room)
}

fn with_log_room(low: f64, high: f64) -> (f64, f64) {
    let room = (0.05 * (high.log10() - low.log10())).max(0.05);
    (low / 10_f64.powf(room), high * 10_f64.powf(room))
}

/// The range of an axis; both ends finite, distinct and fit for the scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Span {
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) scale: Scale,
    /// The one value of all data, where there is but one: the only tick.
    pub(crate) only: Option<f64>,
}

impl Span {
    fn is_drawable(self) -> bool {
        let Self { low, high, scale, .. } = self;
        let magnitude = low.abs().max(high.abs());
        // Twice `LARGEST`, because a span found from data leaves room around it.
        let is_wide =
            magnitude <= 2.0 * LARGEST && high - low > NARROWEST * magnitude && high - low > SMALLEST_SPAN;
        is_wide && (scale != Scale::Log10 || low > 0.0)
    }

    /// Where `value` lies, 0 at the low end and 1 at the high end; below 0 and above 1 outside.
    pub(crate) fn position(self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear | Scale::Dates => (value - self.low) / (self.high - self.low),
            Scale::Log10 => (value.log10() - self.low.log10()) / (self.high.log10() - self.low.log10()),
        }
    }

    /// A value as the axis would write it, with up to five digits: a number, or a time.
    pub(crate) fn value(self, value: f64) -> String {
        match self.scale {
            #[allow(
                clippy::cast_possible_truncation,
                reason = "years 1 to 9999 are whole seconds of an i64"
            )]
            Scale::Dates if SHOWN.contains(&value) => utc_time(value as i64),
            _ => brief(value, 5),
        }
    }

    /// Labelled ticks, at most `count` (at least two are allowed); one tick where all data have one value.
    pub(crate) fn ticks(self, count: usize) -> Vec<Tick> {
        let count = count.max(2);
        if let Some(at) = self.only {
            let label = self.value(at);
            return vec![Tick { at, label }];
        }
        match self.scale {
            Scale::Linear => linear_ticks(self.low, self.high, count),
            Scale::Log10 => log_ticks(self.low, self.high, count),
            Scale::Dates => date_ticks(self.low, self.high, count)
                .unwrap_or_else(|| linear_ticks(self.low, self.high, count)),
        }
    }
}

/// The multiples of 1, 2 or 5 times a power of ten, with the smallest step that gives at most `count` of them.
fn linear_ticks(low: f64, high: f64, count: usize) -> Vec<Tick> {
    let start = floor_log10((high - low) / count as f64);
    for exponent in start..start + 4 {
        for factor in [1.0, 2.0, 5.0] {
            let step = factor * 10_f64.powi(exponent);
            let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
            if last - first < count as f64 {
                let notation = LinearNotation::new(low, high, exponent);
                let multiples = std::iter::successors(Some(first), |multiple| Some(multiple + 1.0));
                return multiples
                    .take_while(|multiple| *multiple <= last)
                    .take(count)
                    .map(|multiple| Tick {
                        at: multiple * step,
                        label: notation.label(multiple * step),
                    })
                    .collect();
            }
        }
    }
    Vec::new()
}

/// How all ticks of one linear axis are written.
struct LinearNotation {
    decimals: usize,
    /// The common power of ten, where plain numbers would be too long.
    power: Option<i32>,
}

impl LinearNotation {
    /// For steps of 1, 2 or 5 times 10^`step_exponent`.
    fn new(low: f64, high: f64, step_exponent: i32) -> Self {
        let largest = floor_log10(low.abs().max(high.abs()));
        let power = (!(-4..7).contains(&largest)).then_some(largest);
        let decimals = usize::try_from(power.unwrap_or(0) - step_exponent).unwrap_or(0);
        Self { decimals, power }
    }

    fn label(&self, value: f64) -> String {
        if value == 0.0 {
            return "0".to_owned();
        }
        match self.power {
            Some(power) => {
                // In two halves: 10^-300 and its like have no reciprocal that fits an f64.
                let mantissa = value / 10_f64.powi(power / 2) / 10_f64.powi(power - power / 2);
                format!("{}×{}", fixed(mantissa, self.decimals), power_of_ten(power))
            }
            None => grouped(&fixed(value, self.decimals)),
        }
    }
}

/// Powers of ten; with few of them on the axis also 2 and 5 times; on less than a decade the ticks of a linear axis.
fn log_ticks(low: f64, high: f64, count: usize) -> Vec<Tick> {
    let (first, last) = (floor_log10(low), floor_log10(high));
    let is_inside = |value: f64| value >= low * (1.0 - 1e-9) && value <= high * (1.0 + 1e-9);
    let plain = first >= -4 && last <= 6;
    let at = |factor: f64, exponent: i32| {
        let value = factor * 10_f64.powi(exponent);
        let label = match usize::try_from(-exponent) {
            _ if !plain && factor == 1.0 => power_of_ten(exponent),
            _ if !plain => format!("{factor}×{}", power_of_ten(exponent)),
            Ok(decimals) => fixed(value, decimals),
            Err(_) => grouped(&fixed(value, 0)),
        };
        Tick { at: value, label }
    };
    let with = |factors: &[f64], every: i32| -> Vec<Tick> {
        (first..=last)
            .filter(|exponent| exponent.rem_euclid(every) == 0)
            .flat_map(|exponent| factors.iter().map(move |&factor| (factor, exponent)))
            .map(|(factor, exponent)| at(factor, exponent))
            .filter(|tick| is_inside(tick.at))
            .collect()
    };
    let fine = with(&[1.0, 2.0, 5.0], 1);
    if (3..=count).contains(&fine.len()) {
        return fine;
    }
    let decades = with(&[1.0], 1);
    match decades.len() {
        0 | 1 => linear_ticks(low, high, count),
        found if found <= count => decades,
        // Every second decade, every third, ...: the fewest left out that fit.
        _ => (2..=last - first + 1)
            .map(|every| with(&[1.0], every))
            .find(|ticks| ticks.len() <= count)
            .unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn labels(ticks: &[Tick]) -> Vec<&str> {
        ticks.iter().map(|tick| tick.label.as_str()).collect()
    }

    fn linear(low: f64, high: f64, count: usize) -> Vec<Tick> {
        Axis::new("a")
            .range(low, high)
            .span(std::iter::empty())
            .unwrap()
            .ticks(count)
    }

    fn log(low: f64, high: f64, count: usize) -> Vec<Tick> {
        Axis::new("a")
            .range(low, high)
            .log10()
            .span(std::iter::empty())
            .unwrap()
            .ticks(count)
    }

    #[test]
    fn linear_ticks_are_round_numbers_with_equal_decimals() {
        assert_eq!(
            labels(&linear(0.0, 1.0, 6)),
            ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]
        );
        assert_eq!(labels(&linear(-0.07, 0.07, 4)), ["−0.05", "0", "0.05"]);
        assert_eq!(
            labels(&linear(0.0, 52_000.0, 6)),
            ["0", "10,000", "20,000", "30,000", "40,000", "50,000"]
        );
        assert_eq!(labels(&linear(0.0, 3e9, 4)), ["0", "1×10⁹", "2×10⁹", "3×10⁹"]);
        assert_eq!(labels(&linear(0.0, 2e-6, 3)), ["0", "1×10⁻⁶", "2×10⁻⁶"]);
    }

    #[test]
    fn logarithmic_ticks_are_decades_or_finer_where_there_is_room() {
        assert_eq!(labels(&log(1.0, 1000.0, 5)), ["1", "10", "100", "1000"]);
        assert_eq!(labels(&log(1.0, 20.0, 6)), ["1", "2", "5", "10", "20"]);
        assert_eq!(labels(&log(0.01, 1.0, 3)), ["0.01", "0.1", "1"]);
        assert_eq!(
            labels(&log(1e-9, 1.0, 5)),
            ["10⁻⁸", "10⁻⁶", "10⁻⁴", "10⁻²", "10⁰"]
        );
        assert_eq!(
            labels(&log(3.0, 4.0, 6)),
            ["3.0", "3.2", "3.4", "3.6", "3.8", "4.0"]
        );
    }

    #[test]
    fn an_axis_of_a_single_value_has_that_tick_alone() {
        let only = |axis: Axis, value: f64| axis.span([value, value].into_iter()).unwrap().ticks(6);
        for (axis, value, label) in [
            (Axis::new("a"), 50.0, "50"),
            (Axis::new("a"), 0.0, "0"),
            (Axis::new("a"), 12_345.0, "12,345"),
            (Axis::new("a").log10(), 0.25, "0.25"),
            (Axis::new("a").dates(), 1_091_816_030.0, "2004-08-06T18:13:50Z"),
        ] {
            let ticks = only(axis, value);
            assert_eq!(
                (ticks.len(), ticks[0].at, ticks[0].label.as_str()),
                (1, value, label)
            );
        }
    }

    #[test]
    fn a_range_that_cannot_be_drawn_is_refused() {
        let refused = [
            (1.0, 1.0),
            (2.0, 1.0),
            (f64::NAN, 1.0),
            (0.0, f64::INFINITY),
            (1.0, 1.0 + 1e-15),
            (0.0, 1e-310),
        ];
        for (low, high) in refused {
            assert!(
                Axis::new("a").range(low, high).span(std::iter::empty()).is_err(),
                "{low} {high}"
            );
        }
        assert!(
            Axis::new("a")
                .range(0.0, 1.0)
                .log10()
                .span(std::iter::empty())
                .is_err()
        );
    }

    #[test]
    fn a_span_of_shares_does_not_reach_below_zero() {
        let span = Axis::new("a").span([0.0, 0.4].into_iter()).unwrap();
        assert_eq!((span.low, span.high), (0.0, 0.42000000000000004));
    }

    proptest! {
        #[test]
        fn a_span_found_from_data_is_drawable_and_holds_them(values in prop::collection::vec(-1e300..1e300_f64, 1..5), power in -320..0_i32, is_log: bool) {
            let values: Vec<f64> = values.into_iter().map(|value| value * 10_f64.powi(power)).collect();
            let values: Vec<f64> = if is_log { values.into_iter().map(|value| value.abs().max(SMALLEST_POSITIVE)).collect() } else { values };
            let axis = if is_log { Axis::new("a").log10() } else { Axis::new("a") };
            let span = axis.span(values.iter().copied()).unwrap();
            prop_assert!(span.is_drawable(), "{:?}", span);
            for value in values {
                prop_assert!((-1e-9..=1.0 + 1e-9).contains(&span.position(value)), "{} in {:?}", value, span);
            }
        }

        #[test]
        fn ticks_are_inside_rising_distinct_and_not_too_many(low in -1e6..1e6_f64, width in 1e-4..1e6_f64, count in 2..12_usize, is_log: bool) {
            let low = if is_log { low.abs() + 1e-6 } else { low };
            let axis = Axis::new("a").range(low, low + width);
            let span = if is_log { axis.log10() } else { axis }.span(std::iter::empty()).unwrap();
            let ticks = span.ticks(count);
            prop_assert!(ticks.len() <= count);
            prop_assert!(ticks.windows(2).all(|pair| pair[0].at < pair[1].at && pair[0].label != pair[1].label), "{:?}", ticks);
            prop_assert!(ticks.iter().all(|tick| (-1e-6..=1.0 + 1e-6).contains(&span.position(tick.at))), "{:?}", ticks);
        }
    }
}
