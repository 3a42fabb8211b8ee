//! Expectation propagation along the ranked sides of one game.

use crate::normal::{above, ln_normal_cdf, ln_within_half, within_half};

/// What a game says of one pair of neighbours in the ranking.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Border {
    /// The prior mean of the upper side's performance less the lower one's.
    pub(crate) lead: f64,
    /// epsilon, the draw margin of these two sides.
    pub(crate) margin: f64,
    /// Both share a place.
    pub(crate) tied: bool,
}

/// A normal factor of one variable x, e^(pull x - precision x^2 / 2): here of a side's performance, over
/// (performance - prior mean).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Message {
    /// 1 / variance; 0 says nothing.
    pub(crate) precision: f64,
    /// Precision times mean.
    pub(crate) pull: f64,
}

impl Message {
    /// Both of two factors.
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            precision: self.precision + other.precision,
            pull: self.pull + other.pull,
        }
    }

    /// ln of the mean of this factor under a normal distribution, given as its own (normalised) factor.
    pub(crate) fn ln_mean_under(self, normal: Self) -> f64 {
        let both = self.and(normal);
        let shrinkage = (self.precision / normal.precision).ln_1p();
        0.5 * (both.pull * (both.pull / both.precision)
            - normal.pull * (normal.pull / normal.precision)
            - shrinkage)
    }
}

/// What a game says of one side's performance of prior variance s.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Evidence {
    /// The performance's mean moves by s times this.
    pub(crate) pull: f64,
    /// The performance's variance becomes s times this, in (0, 1\].
    pub(crate) ratio: f64,
}

impl Evidence {
    /// Of what a side of prior `variance` was `told`.
    fn of(variance: f64, told: Message) -> Self {
        let ratio = 1.0 / (1.0 + variance * told.precision);
        Self {
            pull: told.pull * ratio,
            ratio,
        }
    }

    /// What one border says of its two sides of these prior variances, the upper one's first.
    pub(crate) fn of_border(border: &Border, (upper, lower): (f64, f64)) -> (Self, Self) {
        let nothing = Message::default();
        let (to_upper, to_lower) = approximate(border, (upper, nothing), (lower, nothing));
        (Self::of(upper, to_upper), Self::of(lower, to_lower))
    }

    /// The mean of several.
    pub(crate) fn mean(all: &[Self]) -> Self {
        let count = all.len() as f64;
        Self {
            pull: all.iter().map(|one| one.pull).sum::<f64>() / count,
            ratio: all.iter().map(|one| one.ratio).sum::<f64>() / count,
        }
    }
}

/// A sweep that moves no message by more than this (in units of the sides' deviations, and relative to
/// the message where that is larger) is the last. The next one would move less than rounding does.
const TOLERANCE: f64 = 1e-11;

/// Sweeps at most. Ordinary games settle in three to ten, 20,000 sides included, since each sweep brings
/// messages all the way. Where skills differ by millions of deviations, rounding can keep a message
/// from settling, in digits that no longer count.
const MOST_SWEEPS: u32 = 100;

/// What the sides of one game are told by their borders, from the best to the worst. Its memory is used again.
#[derive(Debug, Default)]
pub(crate) struct Chain {
    /// What each side is told by the border above it.
    from_above: Vec<Message>,
    /// What each side is told by the border below it.
    from_below: Vec<Message>,
}

impl Chain {
    /// The messages, given the `variances` of the sides' performances.
    ///
    /// One border is exact at once. With more, each is approximated in turn by the normal factor that
    /// gives its two sides the right moments, forth and back, until a sweep changes nothing; the factors
    /// are log-concave, so every precision stays positive. Cost: sides times sweeps.
    pub(crate) fn settle(&mut self, variances: &[f64], borders: &[Border]) {
        let Self {
            from_above,
            from_below,
        } = self;
        for messages in [&mut *from_above, &mut *from_below] {
            messages.clear();
            messages.resize(variances.len(), Message::default());
        }
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
    }

    /// What the settled messages say of each side.
    pub(crate) fn evidence<'a>(&'a self, variances: &'a [f64]) -> impl Iterator<Item = Evidence> + 'a {
        let both = self.from_above.iter().zip(&self.from_below).zip(variances);
        both.map(|((above, below), &variance)| Evidence::of(variance, above.and(*below)))
    }

    /// ln of the probability of the ranking: exact for one border, else as the settled messages have it, which is
    /// the mean of their product over the sides' performances, each border scaled to its own probability.
    pub(crate) fn ln_probability(&self, variances: &[f64], borders: &[Border]) -> f64 {
        if let [border] = borders {
            return border.ln_probability(border.lead, variances[0] + variances[1]);
        }
        let prior = |k: usize| Message {
            precision: 1.0 / variances[k],
            pull: 0.0,
        };
        let scales = borders.iter().enumerate().map(|(k, border)| {
            let (upper, lower) = (self.from_above[k], self.from_below[k + 1]);
            let ((a, mean_a), (b, mean_b)) = (cavity(variances[k], upper), cavity(variances[k + 1], lower));
            border.ln_probability(border.lead + mean_a - mean_b, a + b)
                - self.from_below[k].ln_mean_under(prior(k).and(upper))
                - self.from_above[k + 1].ln_mean_under(prior(k + 1).and(lower))
        });
        let sides = self.from_above.iter().zip(&self.from_below).enumerate();
        let product = sides.map(|(k, (above, below))| above.and(*below).ln_mean_under(prior(k)));
        scales.sum::<f64>() + product.sum::<f64>()
    }
}

impl Border {
    /// ln of the probability of what the border says, for a difference of mean `delta` and of `variance`.
    fn ln_probability(&self, delta: f64, variance: f64) -> f64 {
        let spread = variance.sqrt();
        if self.tied {
            ln_within_half(delta / spread, self.margin / spread)
        } else {
            ln_normal_cdf((delta - self.margin) / spread)
        }
    }
}

/// Variance and mean of a performance of prior `variance` that was `told` something.
fn cavity(variance: f64, told: Message) -> (f64, f64) {
    let shrunk = variance / (1.0 + variance * told.precision);
    (shrunk, shrunk * told.pull)
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
    let ((a, mean_a), (b, mean_b)) = (cavity(upper.0, upper.1), cavity(lower.0, lower.1));
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
