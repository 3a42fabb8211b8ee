//! The cost of waiting: checked, and a line below it, so that pairs have a least cost by their distance.
//!
//! ```text
//! C(w) + a >= s w   for every wait w of the log
//! ```
//!
//! A constant a added to the cost of each pair, and half of it for each unmatched ticket, adds a n / 2 to the cost of
//! every matching of n tickets: the optimum stays. With it no pair costs less than its Euclidean distance in the plane of
//! s times the time and K times the rating. A steep line prunes in time, a large constant does not prune at all: of the
//! slopes, that one is taken under which a typical pair's neighbourhood (M + a) min(longest, (M + a) / s) is smallest.

use super::{HindsightError, WaitingCost};

/// One wait of the table is longer than the last by this factor at most, but for milliseconds.
const RATIO: f64 = 1.01;

/// The cost of waiting at rising numbers of seconds.
pub(super) struct Curve {
    /// Milliseconds and cost, from 1 ms on.
    points: Vec<(i64, f64)>,
    longest_ms: i64,
}

/// Tabulates C up to the longest wait, in steps of one percent.
///
/// # Errors
/// [`HindsightError::WaitingCost`] at the first wait where C is not finite or has fallen, or if C(0) is not 0.
pub(super) fn tabulate(waiting: WaitingCost<'_>, longest_ms: i64) -> Result<Curve, HindsightError> {
    let at = |ms: i64| (ms as f64 / 1000.0, waiting(ms as f64 / 1000.0));
    let (_, mut before) = at(0);
    if before != 0.0 {
        return Err(HindsightError::WaitingCost {
            seconds: 0.0,
            cost: before,
            before: 0.0,
        });
    }
    let mut points = Vec::new();
    let mut ms = 1;
    loop {
        let ms_now = ms_or_last(ms, longest_ms);
        let (seconds, cost) = at(ms_now);
        if !(cost >= before && cost.is_finite()) {
            return Err(HindsightError::WaitingCost {
                seconds,
                cost,
                before,
            });
        }
        before = cost;
        points.push((ms_now, cost));
        if ms_now >= longest_ms {
            return Ok(Curve { points, longest_ms });
        }
        ms = next(ms_now);
    }
}

fn ms_or_last(ms: i64, longest_ms: i64) -> i64 {
    ms.min(longest_ms.max(1))
}

/// The next wait of the table: all whole milliseconds before it are within the ratio.
#[expect(clippy::cast_possible_truncation, reason = "below 2^54")]
fn next(ms: i64) -> i64 {
    (ms as f64 * RATIO) as i64 + 1
}

/// The line s w - a that is nowhere above C.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Minorant {
    /// s, cost per second.
    pub(super) slope: f64,
    /// a, cost.
    pub(super) constant: f64,
}

impl Minorant {
    /// The line that prunes best where pairs cost about `typical`.
    pub(super) fn choose(curve: &Curve, typical: f64) -> Self {
        /// A little less than the chord, so that the steps of the table do not matter.
        const BELOW: f64 = 1.0 / 1.011;
        let longest = curve.longest_ms as f64 / 1000.0;
        let visited = |line: &Self| {
            let reach = 2.0 * typical + line.constant;
            reach * longest.min(reach / line.slope)
        };
        let mut best = Self::default();
        for &(ms, cost) in curve.points.iter().step_by(8) {
            let slope = BELOW * cost / (ms as f64 / 1000.0);
            let line = Self {
                slope,
                constant: curve.constant(slope),
            };
            if visited(&line) < visited(&best) {
                best = line;
            }
        }
        best
    }
}

impl Curve {
    /// The least a for this slope: the largest s w - C(w).
    fn constant(&self, slope: f64) -> f64 {
        // Until the next wait of the table C is no less than at this one.
        let above = |&(ms, cost): &(i64, f64)| slope * (next(ms) - 1) as f64 / 1000.0 - cost;
        self.points.iter().map(above).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_nowhere_above_the_cost_of_waiting() {
        let costs: [(WaitingCost<'_>, f64, f64); 5] = [
            (&|w| w, 0.9, 0.0),
            (&|w| w * w / 60.0, 0.1, 30.0),
            (&|w| (w - 10.0).max(0.0), 0.3, 10.0),
            (&|w| w.min(60.0), 0.0, f64::INFINITY),
            (&|_| 0.0, 0.0, 0.0),
        ];
        for (waiting, least, most) in costs {
            let curve = tabulate(waiting, 20_000_000).unwrap();
            let Minorant { slope, constant } = Minorant::choose(&curve, 15.0);
            assert!(slope >= least && constant <= most, "{slope} {constant}");
            for ms in (0..20_000).chain((20_000..20_000_000).step_by(977)) {
                let seconds = f64::from(ms) / 1000.0;
                assert!(slope * seconds - constant <= waiting(seconds) + 1e-9, "{seconds}");
            }
        }
    }

    #[test]
    fn a_cost_of_waiting_that_falls_or_is_no_number_is_refused_where_it_does() {
        let error = |waiting: WaitingCost<'_>| match tabulate(waiting, 60_000) {
            Err(HindsightError::WaitingCost { seconds, .. }) => seconds,
            _ => f64::NAN,
        };
        assert_eq!(error(&|w| w + 1.0), 0.0);
        assert_eq!(error(&|w| -w), 0.001);
        assert_eq!(error(&|_| f64::NAN), 0.0);
        let late = error(&|w| if w < 30.0 { w } else { 5.0 });
        assert!((30.0..30.4).contains(&late), "{late}");
        let infinite = error(&|w| if w < 30.0 { w } else { f64::INFINITY });
        assert!((30.0..30.4).contains(&infinite), "{infinite}");
    }
}
