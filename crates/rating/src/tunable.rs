//! [`Tunable`]: settings that say themselves which of their numbers may be fitted.

/// Steps and range of a number that is fitted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scale {
    /// By factors of 2, between these.
    Factors(f64, f64),
    /// By factors of 2 above the first number and up to the second, or 0.
    FactorsOrZero(f64, f64),
    /// In steps of this many points, up and down.
    Points(f64),
}

impl Scale {
    /// The value this many steps away; `None` beyond the range.
    #[must_use]
    pub fn moved(self, value: f64, steps: f64) -> Option<f64> {
        let to = match self {
            Self::Factors(low, high) => (value * steps.exp2()).clamp(low, high),
            Self::FactorsOrZero(least, _) if value == 0.0 => {
                if steps > 0.0 {
                    16.0 * least
                } else {
                    0.0
                }
            }
            Self::FactorsOrZero(least, high) => {
                let to = (value * steps.exp2()).min(high);
                if to < least { 0.0 } else { to }
            }
            Self::Points(span) => value + steps * span,
        };
        (to != value).then_some(to)
    }
}

/// Settings with numbers that may be fitted.
///
/// One method lists, reads and sets them, so that they can be put together: what holds other settings shows theirs.
///
/// ```
/// use matchwright_rating::{Glicko2Params, Tunable, turned};
///
/// let start = Glicko2Params::default();
/// let mut names = Vec::new();
/// start.clone().knobs(&mut |name, _, value| names.push((name.to_owned(), *value)));
/// assert_eq!(names[2], ("tau".to_owned(), 0.5));
/// assert_eq!(turned(&start, 2, 1.0).unwrap().tau, 1.0);
/// ```
pub trait Tunable {
    /// Shows `turn` each number that may be fitted, under its name and with its scale, always the same in the same order, and
    /// takes what `turn` leaves there.
    fn knobs(&mut self, turn: &mut dyn FnMut(&'static str, Scale, &mut f64));

    /// Settings of other forms, with numbers of their own, from which a search may begin as well. Default: none.
    fn other_forms(&self) -> Vec<Self>
    where
        Self: Sized,
    {
        Vec::new()
    }
}

/// The settings with the number at `index` moved by this many steps; `None` beyond its range, or where there is none.
pub fn turned<P: Tunable + Clone>(settings: &P, index: usize, steps: f64) -> Option<P> {
    let (mut next, mut at, mut is_moved) = (settings.clone(), 0, false);
    next.knobs(&mut |_, scale, value| {
        if at == index
            && let Some(to) = scale.moved(*value, steps)
        {
            (*value, is_moved) = (to, true);
        }
        at += 1;
    });
    is_moved.then_some(next)
}

/// The names and values of what may be fitted.
pub fn knobs_of<P: Tunable + Clone>(settings: &P) -> Vec<(&'static str, f64)> {
    let mut found = Vec::new();
    let mut settings = settings.clone();
    settings.knobs(&mut |name, _, value| found.push((name, *value)));
    found
}

/// Shows the deviation of newcomers, and moves with it that of players of whom nothing is known any more.
pub(crate) fn newcomers(
    turn: &mut dyn FnMut(&'static str, Scale, &mut f64),
    initial: &mut f64,
    most: &mut f64,
) {
    let before = *initial;
    turn("initial_deviation", Scale::Factors(30.0, 3000.0), initial);
    if *initial != before {
        *most = *initial;
    }
}
