//! Expectation propagation along the ranked sides of one game.

use crate::normal::{above, within_half};

/// What a game says of one pair of neighbours in the ranking.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Border {
    /// The prior mean of the upper side's performance less the lower one's.
    pub(super) lead: f64,
    /// epsilon, the draw margin of these two sides.
    pub(super) margin: f64,
    /// Both share a place.
    pub(super) tied: bool,
}

/// A normal factor of one side's performance, over (performance - prior mean).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Message {
    /// 1 / variance; 0 says nothing.
    precision: f64,
    /// Precision times mean.
    pull: f64,
}

/// What a game says of one side's performance of prior variance s.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Evidence {
    /// The performance's mean moves by s times this.
    pub(super) pull: f64,
    /// The performance's variance becomes s times this, in (0, 1\].
    pub(super) ratio: f64,
}

/// A sweep that moves no message by more than this (in units of the sides' deviations, and relative to
/// the message where that is larger) is the last. The next one would move less than rounding does.
const TOLERANCE: f64 = 1e-11;

/// Sweeps at most. Ordinary games settle in three to ten, 20,000 sides included, since each sweep brings
/// messages all the way. Where skills differ by millions of deviations, rounding can keep a message
/// from settling, in digits that no longer count.
const MOST_SWEEPS: u32 = 100;

/// The evidence for each side, from the best to the worst, given the `variances` of their performances.
///
/// One border is exact at once. With more, each is approximated in turn by the normal factor that
/// gives its two sides the right moments, forth and back, until a sweep changes nothing; the factors
/// are log-concave, so every precision stays positive. Cost: sides times sweeps.
pub(super) fn settle(variances: &[f64], borders: &[Border]) -> Vec<Evidence> {
    // What each side is told by the border above it, and below it.
    let mut from_above = vec![Message::default(); variances.len()];
    let mut from_below = from_above.clone();
    for _ in 0..MOST_SWEEPS {
        let mut change = 0.0_f64;
        let forth = 0..borders.len();
        // The last border needs no second look on the way back, nor the first one forth.
        let back = (0..borders.len().saturating_sub(1)).rev();
        for k in forth.chain(back) {
            let (upper, lower) = approximate(
                &borders[k],
                (variances[k], from_above[k]),
                (variances[k + 1], from_below[k + 1]),
            );
            change = change.max(moved(variances[k], from_below[k], upper)).max(moved(
                variances[k + 1],
                from_above[k + 1],
                lower,
            ));
            from_below[k] = upper;
            from_above[k + 1] = lower;
        }
        if borders.len() == 1 || change <= TOLERANCE {
            break;
        }
    }
    let both = from_above.iter().zip(&from_below).zip(variances);
    both.map(|((above, below), variance)| {
        let ratio = 1.0 / (1.0 + variance * (above.precision + below.precision));
        Evidence {
            pull: (above.pull + below.pull) * ratio,
            ratio,
        }
    })
    .collect()
}

/// How far a new message is from the old, relative to a side's `variance` and to its own size.
fn moved(variance: f64, old: Message, new: Message) -> f64 {
    let far = |old: f64, new: f64| (new - old).abs() / (1.0 + new.abs());
    let root = variance.sqrt();
    far(variance * old.precision, variance * new.precision).max(far(root * old.pull, root * new.pull))
}

/// The messages of one border to its upper and its lower side, each given as its prior variance and
/// what the other border tells it.
///
/// With d = upper - lower ~ N(delta, c^2) before the border, c^2 = a + b, and v, w the mean and the
/// lost variance of d's truncated standard form, the border is worth
///
/// ```text
/// to the upper side:  precision = w / (c^2 (1 - w) + b w),   pull = (c v + w m_a) / (c^2 (1 - w) + b w)
/// to the lower side:  precision = w / (c^2 (1 - w) + a w),   pull = (-c v + w m_b) / (c^2 (1 - w) + a w)
/// ```
///
/// which is moment matching with all divisions by 1 - w cancelled, so that w = 1 is no special case.
fn approximate(border: &Border, upper: (f64, Message), lower: (f64, Message)) -> (Message, Message) {
    let cavity = |(variance, told): (f64, Message)| {
        let shrunk = variance / (1.0 + variance * told.precision);
        (shrunk, shrunk * told.pull)
    };
    let ((a, mean_a), (b, mean_b)) = (cavity(upper), cavity(lower));
    let spread = (a + b).sqrt();
    let delta = border.lead + mean_a - mean_b;
    let part = if border.tied {
        within_half(delta / spread, border.margin / spread)
    } else {
        above((border.margin - delta) / spread)
    };
    let message = |other: f64, mean: f64, sign: f64| {
        let size = (a + b) * part.left + other * part.lost;
        Message {
            precision: part.lost / size,
            pull: (sign * spread * part.mean + part.lost * mean) / size,
        }
    };
    (message(b, mean_a, 1.0), message(a, mean_b, -1.0))
}
