//! Coordinate search: parameters moved one at a time, in ever smaller steps, as long as a loss falls.

use matchwright_rating::{Tunable, knobs_of, turned};

use crate::progress::Progress;
use crate::threads::both;

/// Steps begin at a factor of 2 (of a span for what may be negative) and end at its eighth root.
pub const STEPS: [f64; 4] = [1.0, 0.5, 0.25, 0.125];
/// Smaller gains are noise.
const LEAST_GAIN: f64 = 1e-5;
/// Where all parameters in turn gain less, they follow a valley that is all but level.
const LEAST_ROUND: f64 = 1e-4;

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

    /// What [`descend`](Self::descend) finds from each start that has a loss.
    ///
    /// # Errors
    /// Those of the loss.
    pub fn descend_all<P, E>(
        &mut self,
        starts: Vec<P>,
        steps: &[f64],
        progress: &dyn Progress,
    ) -> Result<Vec<(P, f64)>, E>
    where
        P: Tunable + Clone + Send + Sync,
        E: Send,
        F: Fn(&P) -> Result<Option<f64>, E> + Sync,
    {
        let mut found = Vec::new();
        for start in starts {
            found.extend(self.descend(start, steps, progress)?);
        }
        Ok(found)
    }

    /// The parameters near `start` at which no steps of single ones lower the loss by much, and that loss; `None` if
    /// `start` itself has none.
    ///
    /// Each parameter in turn goes a step up or down as long as that gains, in steps of a factor of 2, then of its square
    /// root and so on, as `steps` says ([`STEPS`]: to the eighth root). Both directions of a step are measured at once, on two
    /// threads, with the same result as on one. A step of `progress` for each, which is told the best so far and may end the
    /// descent with it.
    ///
    /// # Errors
    /// Those of the loss.
    pub fn descend<P, E>(
        &mut self,
        start: P,
        steps: &[f64],
        progress: &dyn Progress,
    ) -> Result<Option<(P, f64)>, E>
    where
        P: Tunable + Clone + Send + Sync,
        E: Send,
        F: Fn(&P) -> Result<Option<f64>, E> + Sync,
    {
        self.evaluations += 1;
        let Some(loss) = (self.loss)(&start)? else {
            return Ok(None);
        };
        let knobs = knobs_of(&start).len();
        let mut best = (start, loss);
        for &step in steps {
            loop {
                let before = best.1;
                for knob in 0..knobs {
                    while !progress.is_stopped()
                        && let Some(better) = self.step(&best, knob, step)?
                    {
                        best = better;
                        progress.found(&format!("log loss {:.4}", best.1));
                    }
                }
                // Not a number ends it, too.
                let gained = before - best.1;
                if gained.is_nan() || gained < LEAST_ROUND || progress.is_stopped() {
                    break;
                }
            }
            progress.advance(1);
        }
        Ok(Some(best))
    }

    /// The better of a step up and a step down, if it gains.
    fn step<P, E>(&mut self, best: &(P, f64), knob: usize, step: f64) -> Result<Option<(P, f64)>, E>
    where
        P: Tunable + Clone + Send + Sync,
        E: Send,
        F: Fn(&P) -> Result<Option<f64>, E> + Sync,
    {
        let tries = [step, -step].map(|steps| turned(&best.0, knob, steps));
        let measure = |next: &Option<P>| next.as_ref().map_or(Ok(None), &self.loss);
        let (up, down) = both(|| measure(&tries[0]), || measure(&tries[1]));
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
    use matchwright_rating::Scale;

    #[derive(Clone, Debug, PartialEq)]
    struct Three([f64; 3]);

    impl Tunable for Three {
        fn knobs(&mut self, turn: &mut dyn FnMut(&'static str, Scale, &mut f64)) {
            let [a, b, c] = &mut self.0;
            turn("a", Scale::Factors(0.5, 400.0), a);
            turn("b", Scale::FactorsOrZero(1e-3, 10.0), b);
            turn("c", Scale::Points(3.0), c);
        }
    }

    #[test]
    fn a_valley_is_followed_to_within_a_step_and_never_out_of_range() {
        let loss = |Three(p): &Three| -> Result<Option<f64>, ()> {
            assert!((0.5..=400.0).contains(&p[0]) && (0.0..=10.0).contains(&p[1]));
            let sum = (p[0].ln() - 50_f64.ln()).powi(2) + (p[1] + 1.0).powi(2) + (p[2] + 7.0).powi(2);
            // No parameters beyond this wall go together.
            Ok((p[2] > -6.5).then_some(sum))
        };
        let mut search = CoordinateSearch::new(loss);
        let (Three(found), _) = search
            .descend(Three([1.0, 2.0, 0.0]), &STEPS, &Quiet)
            .unwrap()
            .unwrap();
        assert!(
            (found[0].ln() - 50_f64.ln()).abs() < 0.09 && found[1] == 0.0,
            "{found:?}"
        );
        assert!((-6.5..-6.0).contains(&found[2]), "{found:?}");
        assert!((20..100).contains(&search.evaluations), "{}", search.evaluations);
        assert_eq!(search.descend(Three([1.0, 1.0, -8.0]), &STEPS, &Quiet), Ok(None));
    }
}
