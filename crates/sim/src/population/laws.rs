//! What a population draws from: its laws, and how numbers are drawn from them.

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Exp, LogNormal, Poisson};
use statrs::distribution::{ContinuousCDF, Normal};

use super::churn_truth::ChurnLaw;
use super::params::{GeneratorParams, LogNormalGap};

/// What is drawn from for every match, made ready once. None where parameters make no law, which their check
/// excludes.
pub(super) struct Laws<'a> {
    pub(super) churn: ChurnLaw<'a>,
    pub(super) goals: Option<Poisson<f64>>,
    pub(super) session_gap: Option<LogNormal<f64>>,
    pub(super) return_gap: Option<LogNormal<f64>>,
    pub(super) absence: Option<Exp<f64>>,
}

impl<'a> Laws<'a> {
    pub(super) fn of(params: &'a GeneratorParams) -> Self {
        let log_normal = |gap: LogNormalGap| LogNormal::new(gap.median.ln(), gap.sigma).ok();
        Self {
            churn: ChurnLaw::of(params),
            goals: Poisson::new(params.goal_mean).ok(),
            session_gap: log_normal(params.session_gap),
            return_gap: log_normal(params.return_gap),
            absence: Exp::new(1.0 / params.absence_mean).ok(),
        }
    }
}

/// A number below the limit, drawn again until it fits; `otherwise` without a law. Medians are checked to lie below
/// the limit, so half of all draws fit at least.
pub(super) fn below(law: Option<LogNormal<f64>>, limit: f64, otherwise: f64, rng: &mut ChaCha8Rng) -> f64 {
    let Some(law) = law else {
        return otherwise;
    };
    loop {
        let gap = law.sample(rng);
        if gap < limit {
            return gap;
        }
    }
}

/// Standard normal numbers in random order, one from each of equally likely slices: stratified, so that every region
/// has its share of the few who play most, and populations differ less than if each player were drawn alone.
pub(super) fn spread_normals(rng: &mut ChaCha8Rng, count: u32) -> Vec<f64> {
    let law = Normal::standard();
    let place = |k: u32, rng: &mut ChaCha8Rng| (f64::from(k) + rng.random::<f64>()) / f64::from(count);
    let mut numbers: Vec<f64> = (0..count).map(|k| law.inverse_cdf(place(k, rng))).collect();
    numbers.shuffle(rng);
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, stream};

    #[test]
    fn every_slice_of_the_normal_law_has_one_player() {
        let mut rng = stream(1, Purpose::Traits, 0, 0);
        let mut numbers = spread_normals(&mut rng, 1000);
        let law = Normal::standard();
        assert!(!numbers.is_sorted());
        numbers.sort_by(f64::total_cmp);
        for (k, number) in (0_u32..).zip(&numbers) {
            let place = 1000.0 * law.cdf(*number);
            assert!(
                (f64::from(k) - 1e-6..f64::from(k + 1) + 1e-6).contains(&place),
                "{k} {place}"
            );
        }
    }
}
