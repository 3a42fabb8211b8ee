//! Coordinate search: parameters moved one at a time, in ever smaller steps, as long as a loss falls.

use crate::progress::Progress;

/// Steps begin at a factor of 2 (of a span for what may be negative) and end at its eighth root.
const STEPS: [f64; 4] = [1.0, 0.5, 0.25, 0.125];
/// Smaller gains are noise.
const LEAST_GAIN: f64 = 1e-6;

/// A parameter of `P` that is fitted.
#[derive(Clone, Debug)]
pub struct Knob<P> {
    /// What it is called.
    pub name: &'static str,
    /// Reads it.
    pub get: fn(&P) -> f64,
    /// Writes it.
    pub set: fn(&mut P, f64),
    /// Its steps and its range.
    pub scale: Scale,
}

/// Steps and range of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// By factors of 2, between these.
    Factors(f64, f64),
    /// By factors of 2 above the first number and up to the second, or 0.
    FactorsOrZero(f64, f64),
    /// By so many points, up and down.
    Points(f64),
}

impl<P> Knob<P> {
    /// The value so many steps away; `None` beyond the range.
    fn moved(&self, params: &P, steps: f64) -> Option<f64> {
        let value = (self.get)(params);
        let to = match self.scale {
            Scale::Factors(low, high) => (value * steps.exp2()).clamp(low, high),
            Scale::FactorsOrZero(least, _) if value == 0.0 => {
                if steps > 0.0 {
                    16.0 * least
                } else {
                    0.0
                }
            }
            Scale::FactorsOrZero(least, high) => {
                let to = (value * steps.exp2()).min(high);
                if to < least { 0.0 } else { to }
            }
            Scale::Points(span) => value + steps * span,
        };
        (to != value).then_some(to)
    }
}

/// A search that counts how often it measured.
#[derive(Debug)]
pub struct CoordinateSearch<F> {
    loss: F,
    /// Evaluations of the loss so far.
    pub evaluations: usize,
}

impl<F> CoordinateSearch<F> {
    /// A search for the least of `loss`, which is `None` for parameters that do not go together.
    pub const fn new(loss: F) -> Self {
        Self { loss, evaluations: 0 }
    }

    /// The parameters near `start` at which no step of a single one of `knobs` lowers the loss, and that loss; `None` if
    /// `start` itself has none.
    ///
    /// Each parameter in turn goes a step up or down as long as that gains, in steps of a factor of 2, then of its square
    /// root and so on to the eighth root. Both directions of a step are measured at once, on two threads, with the same result
    /// as on one. Four steps of `progress`.
    ///
    /// # Errors
    /// Those of the loss.
    pub fn descend<P, E>(
        &mut self,
        start: P,
        knobs: &[Knob<P>],
        progress: &dyn Progress,
    ) -> Result<Option<(P, f64)>, E>
    where
        P: Clone + Send + Sync,
        E: Send,
        F: Fn(&P) -> Result<Option<f64>, E> + Sync,
    {
        self.evaluations += 1;
        let Some(loss) = (self.loss)(&start)? else {
            return Ok(None);
        };
        let mut best = (start, loss);
        for step in STEPS {
            let mut gained = true;
            while gained {
                gained = false;
                for knob in knobs {
                    while let Some(better) = self.step(&best, knob, step)? {
                        (best, gained) = (better, true);
                    }
                }
            }
            progress.advance(1);
        }
        Ok(Some(best))
    }

    /// The better of a step up and a step down, if it gains.
    fn step<P, E>(&mut self, best: &(P, f64), knob: &Knob<P>, step: f64) -> Result<Option<(P, f64)>, E>
    where
        P: Clone + Send + Sync,
        E: Send,
        F: Fn(&P) -> Result<Option<f64>, E> + Sync,
    {
        let moved = |steps: f64| {
            let mut next = best.0.clone();
            (knob.set)(&mut next, knob.moved(&best.0, steps)?);
            Some(next)
        };
        let tries = [step, -step].map(moved);
        let measure = |next: &Option<P>| next.as_ref().map_or(Ok(None), &self.loss);
        let (up, down) = rayon::join(|| measure(&tries[0]), || measure(&tries[1]));
        let mut better: Option<(P, f64)> = None;
        for (next, loss) in tries.into_iter().zip([up?, down?]) {
            let (Some(next), Some(loss)) = (next, loss) else {
                continue;
            };
            self.evaluations += 1;
            if gains(loss, better.as_ref().map_or(best.1, |better| better.1)) {
                better = Some((next, loss));
            }
        }
        Ok(better)
    }
}

/// Whether a loss is lower than another by more than noise.
pub(super) fn gains(loss: f64, than: f64) -> bool {
    loss < than - LEAST_GAIN
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Quiet;

    #[test]
    fn a_valley_is_followed_to_within_a_step_and_never_out_of_range() {
        let knobs = [
            Knob::<[f64; 3]> {
                name: "a",
                get: |p| p[0],
                set: |p, v| p[0] = v,
                scale: Scale::Factors(0.5, 400.0),
            },
            Knob {
                name: "b",
                get: |p| p[1],
                set: |p, v| p[1] = v,
                scale: Scale::FactorsOrZero(1e-3, 10.0),
            },
            Knob {
                name: "c",
                get: |p| p[2],
                set: |p, v| p[2] = v,
                scale: Scale::Points(3.0),
            },
        ];
        let loss = |p: &[f64; 3]| -> Result<Option<f64>, ()> {
            assert!((0.5..=400.0).contains(&p[0]) && (0.0..=10.0).contains(&p[1]));
            let sum = (p[0].ln() - 50_f64.ln()).powi(2) + (p[1] + 1.0).powi(2) + (p[2] + 7.0).powi(2);
            // No parameters beyond this wall go together.
            Ok((p[2] > -6.5).then_some(sum))
        };
        let mut search = CoordinateSearch::new(loss);
        let (found, _) = search.descend([1.0, 2.0, 0.0], &knobs, &Quiet).unwrap().unwrap();
        assert!(
            (found[0].ln() - 50_f64.ln()).abs() < 0.09 && found[1] == 0.0,
            "{found:?}"
        );
        assert!((-6.5..-6.0).contains(&found[2]), "{found:?}");
        assert!((20..100).contains(&search.evaluations), "{}", search.evaluations);
        assert_eq!(search.descend([1.0, 1.0, -8.0], &knobs, &Quiet), Ok(None));
    }
}
