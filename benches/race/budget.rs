//! How long the next size will take, from those before.

/// Fits to noisy times stay within what exact solvers do: between one look at each vertex and n^4.
const EXPONENTS: (f64, f64) = (1.0, 4.0);

/// Before there is a slope to see: the bound of the classical algorithm.
const CUBIC: f64 = 3.0;

/// One contender's times at growing sizes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Growth {
    /// Sizes ascending, with seconds.
    times: Vec<(usize, f64)>,
}

impl Growth {
    /// Takes in a time; of several at one size, the longest counts.
    pub(crate) fn push(&mut self, n: usize, seconds: f64) {
        match self.times.last_mut() {
            Some((last, longest)) if *last == n => *longest = longest.max(seconds),
            _ => self.times.push((n, seconds)),
        }
    }

    /// The seconds at size `n`, by the power law through the last two sizes; `None` before there is any.
    ///
    /// ```text
    /// t(n) = t_2 (n / n_2)^e,   e = ln(t_2 / t_1) / ln(n_2 / n_1)
    /// ```
    pub(crate) fn predict(&self, n: usize) -> Option<f64> {
        let &(last, seconds) = self.times.last()?;
        let exponent = match self.times[..] {
            [.., (before, earlier), _] if earlier > 0.0 && seconds > 0.0 => {
                let slope = (seconds / earlier).ln() / (last as f64 / before as f64).ln();
                slope.clamp(EXPONENTS.0, EXPONENTS.1)
            }
            _ => CUBIC,
        };
        Some(seconds * (n as f64 / last as f64).powf(exponent))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn growth(times: &[(usize, f64)]) -> Growth {
        let mut growth = Growth::default();
        for &(n, seconds) in times {
            growth.push(n, seconds);
        }
        growth
    }

    fn close(predicted: Option<f64>, expected: f64) {
        let predicted = predicted.unwrap();
        assert!(
            (predicted / expected - 1.0).abs() < 1e-12,
            "{predicted}, not {expected}"
        );
    }

    #[test]
    fn a_power_law_goes_on_as_it_began() {
        assert_eq!(Growth::default().predict(100), None);
        close(growth(&[(100, 0.5)]).predict(200), 4.0);
        close(growth(&[(100, 1.0), (200, 4.0)]).predict(1000), 100.0);
        close(growth(&[(50, 9.0), (100, 1.0), (200, 16.0)]).predict(400), 256.0);
    }

    #[test]
    fn noise_does_not_make_it_absurd() {
        close(growth(&[(100, 1.0), (200, 0.1)]).predict(400), 0.2);
        close(growth(&[(100, 1e-9), (200, 1.0)]).predict(400), 16.0);
        close(growth(&[(100, 0.0), (200, 1.0)]).predict(400), 8.0);
    }

    #[test]
    fn of_several_seeds_the_slowest_counts() {
        close(growth(&[(100, 1.0), (100, 3.0), (100, 2.0)]).predict(200), 24.0);
    }
}
