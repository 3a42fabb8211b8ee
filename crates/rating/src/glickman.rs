//! What Glicko and Glicko-2 share: opponents' weights, what a period's games say, and growth while
//! idle.
//!
//! Everything here is on Glicko-2's scale, where one unit is 400 / ln 10 = 173.72 rating points and
//! win odds are e^(mu difference). Glicko's published formulas are the same ones with q = ln 10 /
//! 400 written out.

use std::f64::consts::PI;

use crate::sigmoid::logistic;

/// g(phi) = 1 / sqrt(1 + 3 phi^2 / pi^2), in (0, 1\]: how much a result against such an opponent
/// counts.
///
/// Glickman, "Parameter estimation in large dynamic paired comparison experiments", 1999
/// (doi 10.1111/1467-9876.00159), where it multiplies the difference in eq. 6.
#[inline]
pub(crate) fn weight(phi: f64) -> f64 {
    1.0 / (1.0 + 3.0 / (PI * PI) * (phi * phi)).sqrt()
}

/// E = 1 / (1 + e^(-g(phi) gap)), the score expected over an opponent `gap` units below.
#[inline]
pub(crate) fn expected(gap: f64, phi: f64) -> f64 {
    expected_by_weight(gap, weight(phi))
}

/// E = 1 / (1 + e^(-g gap)) where g is known.
#[inline]
pub(crate) fn expected_by_weight(gap: f64, g: f64) -> f64 {
    logistic(g * gap)
}

/// What the games of one period say about a player's strength.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Evidence {
    /// 1/v = sum of g^2 E (1 - E). Kept instead of v, which is infinite once every E is 0 or 1.
    pub(crate) information: f64,
    /// sum of g (s - E): how much better the player did than expected.
    pub(crate) surplus: f64,
}

impl Evidence {
    /// Of a game that ended with `score`, by a player with a lead of `gap` over an opponent of this phi.
    #[inline]
    pub(crate) fn of_game(gap: f64, phi: f64, score: f64) -> Self {
        let g = weight(phi);
        let e = logistic(g * gap);
        Self {
            information: g * g * e * (1.0 - e),
            surplus: g * (score - e),
        }
    }

    /// Of a share of the game: that share of the information, and of the surplus.
    #[inline]
    pub(crate) fn for_share(self, share: f64) -> Self {
        Self {
            information: share * self.information,
            surplus: share * self.surplus,
        }
    }

    /// Of all these games together. Linear in their number.
    #[inline]
    pub(crate) fn gather<G>(games: &[G], of_game: impl Fn(&G) -> Self) -> Self {
        let [first, others @ ..] = games else {
            return Self::default();
        };
        let mut sum = of_game(first);
        for game in others {
            let one = of_game(game);
            sum.information += one.information;
            sum.surplus += one.surplus;
        }
        sum
    }

    /// 1 / (1/phi^2 + 1/v): the posterior variance, written so that phi = 0 and 1/v = 0 are no
    /// special cases.
    #[inline]
    pub(crate) fn posterior_variance(&self, prior_variance: f64) -> f64 {
        prior_variance / (1.0 + prior_variance * self.information)
    }
}

/// min(sqrt(deviation^2 + growth^2 periods), cap), but never less than `deviation` already is.
///
/// The closed form of one step a period, so nobody has to visit idle players every day. Additive in
/// `periods`.
#[inline]
pub(crate) fn deviation_after_inactivity(deviation: f64, growth: f64, periods: f64, cap: f64) -> f64 {
    let added = growth * growth;
    // No time, or no growth: exactly the same number, and no 0 * infinity.
    if !(added > 0.0 && periods > 0.0) {
        return deviation;
    }
    (deviation * deviation + added * periods)
        .sqrt()
        .min(cap)
        .max(deviation)
}

/// The same of a variance that grows by `added` a period.
#[inline]
pub(crate) fn variance_after_inactivity(variance: f64, added: f64, periods: f64, cap: f64) -> f64 {
    if added > 0.0 && periods > 0.0 {
        (variance + added * periods).min(cap).max(variance)
    } else {
        variance
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idle_growth_stops_at_the_cap_and_never_shrinks_a_wider_deviation() {
        assert_eq!(deviation_after_inactivity(30.0, 40.0, 1.0, 350.0), 50.0);
        assert_eq!(
            deviation_after_inactivity(30.0, 40.0, f64::INFINITY, 350.0),
            350.0
        );
        assert_eq!(deviation_after_inactivity(500.0, 40.0, 9.0, 350.0), 500.0);
        assert_eq!(deviation_after_inactivity(30.0, 0.0, f64::INFINITY, 350.0), 30.0);
        assert_eq!(deviation_after_inactivity(30.1, 40.0, 0.0, 350.0), 30.1);
    }

    #[test]
    fn evidence_of_certain_results_is_finite() {
        let games = [(1e9, 0.0), (-1e9, 1.0)];
        let evidence = Evidence::gather(&games, |&(gap, score)| Evidence::of_game(gap, 0.0, score));
        assert_eq!(evidence.information, 0.0);
        assert_eq!(evidence.surplus, 0.0);
        assert_eq!(evidence.posterior_variance(4.0), 4.0);
        assert_eq!(evidence.posterior_variance(0.0), 0.0);
    }
}
