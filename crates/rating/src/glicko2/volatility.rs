//! Step 5 of Glicko-2: the new volatility, by Chebyshev's method.

use crate::glickman::Evidence;
use crate::sigmoid::exp;

/// A step that is not longer is the last one: what it misses is of the order of its cube.
const LAST_STEP: f64 = 3e-4;
/// The same for halvings of the bracket, far below what the nine digits of a rating can show.
const LAST_HALVING: f64 = 1e-14;

/// Cells into which the way up to the ceiling is cut; one is at most 9 % of sigma^2 with the
/// default limits.
const CELLS: u8 = 64;

/// How a volatility may move.
#[derive(Debug, Clone, Copy)]
pub(super) struct Volatility {
    pub(super) tau: f64,
    pub(super) floor: f64,
    pub(super) ceiling: f64,
}

impl Volatility {
    /// sigma'^2 = V at the root y nearest to 0, on the side where the posterior rises, of
    ///
    /// ```text
    /// f(y) = h(y) - y / tau^2
    /// h(y) = V (Delta^2 - phi^2 - v - V) / (2 (phi^2 + v + V)^2)      V = sigma^2 e^y
    /// ```
    ///
    /// Glickman, "Example of the Glicko-2 system", 2013, step 5, with his x as ln sigma^2 + y. Numerator and denominator are multiplied by 1/v^2, so that certain games (v infinite) need no
    /// exception. With u = V / (phi^2 + v + V), u' = u (1 - u) and h' = h (1 - 2u) - u^2 / 2. Four things keep the search short and its
    /// answer well behaved:
    ///
    /// - Downwards f(-tau^2/2) >= 0, because h is never below -1/2: one bracket, no stepping.
    /// - Upwards h(y) <= e^y h(0) and h' <= h, so that f falls from 0 to 2 tau^2 h(0) and ends below 0, as long as
    ///   tau^2 h(0) <= 1/4: all but great upsets.
    /// - After these f can have three roots (small, unstable, huge). The way up to
    ///   the ceiling is walked in cells and the first sign change taken, so sigma' never falls when
    ///   |Delta| rises and a better score never costs points.
    /// - Where f is still positive at the ceiling, the ceiling is the answer.
    #[inline]
    pub(super) fn after(&self, volatility: f64, phi_squared: f64, evidence: Evidence) -> f64 {
        let start = volatility.clamp(self.floor, self.ceiling);
        let equation = Equation {
            start: start * start,
            phi_squared,
            information: evidence.information,
            surprise: evidence.surplus * evidence.surplus,
            precision: 1.0 / (self.tau * self.tau),
        };
        let square = self.tau * self.tau;
        let (h, ..) = equation.at(0.0, equation.start);
        let variance = if h * square <= 0.25 {
            let low = if h > 0.0 { 0.0 } else { -0.5 * square };
            equation.root((low, (2.0 * h * square).max(0.0)), 0.0)
        } else {
            equation.first_root_up_to(2.0 * (self.ceiling / start).ln())
        };
        variance.clamp(self.floor * self.floor, self.ceiling * self.ceiling)
    }
}

/// f of [`Volatility::after`].
#[derive(Debug, Clone, Copy)]
struct Equation {
    /// sigma^2.
    start: f64,
    phi_squared: f64,
    /// 1 / v.
    information: f64,
    /// Delta^2 / v^2.
    surprise: f64,
    /// 1 / tau^2.
    precision: f64,
}

impl Equation {
    /// f and its first two derivatives at y, where V is `variance`.
    #[inline]
    fn at(&self, y: f64, variance: f64) -> (f64, f64, f64) {
        let inverse = 1.0 / (1.0 + self.information * (self.phi_squared + variance));
        let h = 0.5 * variance * inverse * (self.surprise * inverse - self.information);
        let u = self.information * variance * inverse;
        let slope = h * (1.0 - 2.0 * u) - 0.5 * u * u;
        let curvature = slope * (1.0 - 2.0 * u) - u * (1.0 - u) * (2.0 * h + u);
        (h - y * self.precision, slope - self.precision, curvature)
    }

    /// V at a root between `low` and `high`, where f(low) >= 0 >= f(high), searched from `start` on.
    ///
    /// Chebyshev's method, Newton's with the curvature; a step that would leave the bracket halves it instead.
    #[inline]
    fn root(&self, (mut low, mut high): (f64, f64), start: f64) -> f64 {
        let (mut y, mut variance) = (start, self.start * exp(start));
        // One to three rounds are enough; the bound only guards against a bracket of two neighbouring numbers.
        for _ in 0..128 {
            let (value, slope, curvature) = self.at(y, variance);
            low = if value > 0.0 { y } else { low };
            high = if value > 0.0 { high } else { y };
            let inverse = 1.0 / slope;
            let newton = -value * inverse;
            let mut step = newton - 0.5 * newton * newton * curvature * inverse;
            let mut last = LAST_STEP;
            if !(low..=high).contains(&(y + step)) {
                step = 0.5 * (low + high) - y;
                last = LAST_HALVING;
            }
            if step.abs() <= last {
                // e^step, to rounding.
                return variance
                    * (1.0 + step * (1.0 + step / 2.0 * (1.0 + step / 3.0 * (1.0 + step / 4.0))));
            }
            y += step;
            variance = self.start * exp(y);
        }
        variance
    }

    /// V at the first root from y = 0 to `top`, or more than there.
    #[cold]
    fn first_root_up_to(&self, top: f64) -> f64 {
        let cell = top / f64::from(CELLS);
        let end = (1..=CELLS)
            .map(|k| cell * f64::from(k))
            .find(|&end| self.at(end, self.start * exp(end)).0 <= 0.0);
        match end {
            Some(end) => self.root((end - cell, end), end),
            // Computed from `top` it might miss the ceiling by a rounding.
            None => f64::INFINITY,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sigma(rule: Volatility, volatility: f64, phi: f64, evidence: Evidence) -> f64 {
        rule.after(volatility, phi * phi, evidence).sqrt()
    }

    fn rule(tau: f64) -> Volatility {
        Volatility {
            tau,
            floor: 1e-4,
            ceiling: 1.0,
        }
    }

    /// Glickman's f as printed, which needs a finite v.
    fn printed(x: f64, volatility: f64, phi_squared: f64, evidence: Evidence, tau: f64) -> f64 {
        let (v, e) = (1.0 / evidence.information, x.exp());
        let delta = v * evidence.surplus;
        let spread = phi_squared + v + e;
        e * (delta * delta - spread) / (2.0 * spread * spread) - (x - 2.0 * volatility.ln()) / (tau * tau)
    }

    #[test]
    fn a_volatility_that_wants_to_pass_the_ceiling_is_the_ceiling_to_the_bit() {
        let surprise = Evidence {
            information: 0.01,
            surplus: -2.687_271_849_069_701_6,
        };
        let found = sigma(
            rule(1.158_299_110_503_547_8),
            0.298_301_199_877_590_13,
            0.05,
            surprise,
        );
        assert_eq!(found, 1.0);
    }

    proptest! {
        #[test]
        fn the_answer_solves_the_printed_equation(
            volatility in 0.01..0.3_f64,
            phi in 0.05..3.0_f64,
            information in 0.01..5.0_f64,
            surplus in -3.0..3.0_f64,
            tau in 0.2..1.2_f64,
        ) {
            let evidence = Evidence { information, surplus };
            let sigma = sigma(rule(tau), volatility, phi, evidence);
            prop_assume!(sigma > 1e-4 && sigma < 1.0);
            let x = 2.0 * sigma.ln();
            prop_assert!(printed(x, volatility, phi * phi, evidence, tau).abs() < 1e-8);
        }

        #[test]
        fn a_greater_surprise_never_lowers_the_volatility(
            volatility in 1e-4..1.0_f64,
            phi in 0.0..3.0_f64,
            information in 0.0..0.5_f64,
            surplus in 0.0..60.0_f64,
            more in 1.0..2.0_f64,
        ) {
            let after = |surplus| sigma(rule(0.5), volatility, phi, Evidence { information, surplus });
            prop_assert!(after(surplus * more) >= after(surplus) * (1.0 - 1e-12));
            prop_assert_eq!(after(surplus), after(-surplus));
        }

        #[test]
        fn the_answer_is_within_the_limits_for_any_evidence(
            volatility in 1e-9..1e3_f64,
            phi in 0.0..1e7_f64,
            information in 0.0..1e4_f64,
            surplus in -1e6..1e6_f64,
            tau in 1e-3..10.0_f64,
        ) {
            let sigma = sigma(rule(tau), volatility, phi, Evidence { information, surplus });
            prop_assert!((1e-4..=1.0).contains(&sigma), "{sigma}");
        }
    }

    #[test]
    fn the_lower_end_of_the_bracket_reaches_the_furthest_fall() {
        // Everything as expected in very many games: the first term of f is almost its least, -1/2.
        let evidence = Evidence {
            information: 1e4,
            surplus: 0.0,
        };
        let tau = 2.0;
        let sigma = sigma(rule(tau), 1.0, 0.0, evidence);
        let x = 2.0 * sigma.ln();
        assert!(
            x < -0.4 * tau * tau && printed(x, 1.0, 0.0, evidence, tau).abs() < 1e-9,
            "{x}"
        );
    }

    #[test]
    fn after_an_upset_with_three_roots_the_one_next_to_the_old_volatility_is_taken() {
        // Nearly certain win lost by a player whose rating is well known: f changes sign near .006,
        // .3 and 40.
        let evidence = Evidence {
            information: 1e-4,
            surplus: -1.0,
        };
        let rule = Volatility {
            ceiling: 1e3,
            ..rule(0.5)
        };
        let sigma = sigma(rule, 0.06, 0.1, evidence);
        assert!(sigma > 0.06 && sigma < 0.0601, "{sigma}");
    }
}
