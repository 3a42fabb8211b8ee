//! Step 5 of Glicko-2: the new volatility, by the Illinois method.

use crate::glickman::Evidence;

/// The search stops once ln sigma^2 is known this well, far below what the nine digits of a rating
/// can show.
const TOLERANCE: f64 = 1e-13;

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
    /// sigma' = e^(x/2), where x is the root nearest to a = ln sigma^2, on the side where the
    /// posterior rises, of
    ///
    /// ```text
    /// f(x) = e^x (Delta^2 - phi^2 - v - e^x) / (2 (phi^2 + v + e^x)^2) - (x - a) / tau^2
    /// ```
    ///
    /// Glickman, "Example of the Glicko-2 system", 2013, step 5. Numerator and denominator are
    /// multiplied by 1/v^2, so that certain games (v infinite) need no exception. Three things keep
    /// the search short and its answer well behaved:
    ///
    /// - Downwards f(a - tau^2/2) >= 0, because the first term of f is never below -1/2: one
    ///   bracket, no stepping.
    /// - Upwards f can have three roots after a great upset (small, unstable, huge). The way up to
    ///   the ceiling is walked in cells and the first sign change taken, so sigma' never falls when
    ///   |Delta| rises and a better score never costs points.
    /// - Where f is still positive at the ceiling, the ceiling is the answer.
    pub(super) fn after(&self, volatility: f64, phi_squared: f64, evidence: Evidence) -> f64 {
        let (bottom, top) = (2.0 * self.floor.ln(), 2.0 * self.ceiling.ln());
        let a = (2.0 * volatility.ln()).clamp(bottom, top);
        let (information, surplus) = (evidence.information, evidence.surplus);
        let f = |x: f64| {
            let variance = x.exp();
            let total = information * (phi_squared + variance);
            let pull = surplus * surplus - information * (1.0 + total);
            variance * pull / (2.0 * (1.0 + total).powi(2)) - (x - a) / (self.tau * self.tau)
        };
        let root = if f(a) > 0.0 {
            let cell = (top - a) / f64::from(CELLS);
            (1..=CELLS)
                .map(|k| a + cell * f64::from(k))
                .find(|&end| f(end) <= 0.0)
                .map_or(top, |end| illinois(f, end - cell, end))
        } else {
            illinois(f, a - 0.5 * self.tau * self.tau, a)
        };
        (root / 2.0).exp().clamp(self.floor, self.ceiling)
    }
}

/// A root of `f` between `a` and `b`, where f(a) >= 0 >= f(b): regula falsi that halves a stale
/// end's value.
///
/// Dowell and Jarratt, "A modified regula falsi method", 1971 (doi 10.1007/BF01934364): order 1.44,
/// never leaves the bracket.
fn illinois(f: impl Fn(f64) -> f64, mut a: f64, mut b: f64) -> f64 {
    let (mut f_a, mut f_b) = (f(a), f(b));
    // About ten rounds are enough; the bound only guards against a bracket of two neighbouring
    // numbers.
    for _ in 0..128 {
        if (b - a).abs() <= TOLERANCE || f_b == 0.0 {
            break;
        }
        let c = a + (a - b) * f_a / (f_b - f_a);
        let f_c = f(c);
        if f_c * f_b <= 0.0 {
            (a, f_a) = (b, f_b);
        } else {
            f_a /= 2.0;
        }
        (b, f_b) = (c, f_c);
    }
    b
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
            let sigma = rule(tau).after(volatility, phi * phi, evidence);
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
            let after = |surplus| rule(0.5).after(volatility, phi * phi, Evidence { information, surplus });
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
            let sigma = rule(tau).after(volatility, phi * phi, Evidence { information, surplus });
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
        let sigma = rule(tau).after(1.0, 0.0, evidence);
        let x = 2.0 * sigma.ln();
        assert!(
            x < -0.4 * tau * tau && printed(x, 1.0, 0.0, evidence, tau).abs() < 1e-9,
            "{x}"
        );
    }

    #[test]
    fn illinois_needs_few_rounds_where_plain_regula_falsi_needs_many() {
        let calls = std::cell::Cell::new(0);
        let f = |x: f64| {
            calls.set(calls.get() + 1);
            1e-3 - x.powi(9)
        };
        assert!((illinois(f, 0.0, 1.5) - 1e-3_f64.powf(1.0 / 9.0)).abs() < 1e-12);
        assert!(calls.get() < 40, "{}", calls.get());
    }

    #[test]
    fn after_an_upset_with_three_roots_the_one_next_to_the_old_volatility_is_taken() {
        // Nearly certain win lost by a player whose rating is well known: f changes sign near .006,
        // .3 and 40.
        let evidence = Evidence {
            information: 1e-4,
            surplus: -1.0,
        };
        let sigma = Volatility {
            tau: 0.5,
            floor: 1e-4,
            ceiling: 1e3,
        }
        .after(0.06, 0.01, evidence);
        assert!(sigma > 0.06 && sigma < 0.0601, "{sigma}");
    }
}
