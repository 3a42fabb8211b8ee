//! What every pair has to pass: a reduced cost that is not negative, and 0 if it is matched.

use std::sync::Arc;

use super::error::VerifyError;
use super::family::Family;
use super::scale::Scale;

/// Duals in halves up to this, and costs of up to half as much, leave no sum of a pair outside 64 bits.
const NARROW: i64 = 1 << 61;

/// The duals, against the costs of pairs as they are read.
#[derive(Clone)]
pub(super) struct Pairs<'a> {
    scale: Scale,
    duals: &'a [i128],
    /// The same in 64 bits; none if one of them is beyond [`NARROW`].
    narrow: Arc<[i64]>,
    family: &'a Family,
    mates: Option<&'a [usize]>,
    /// The largest rounding error of a cost, on the true scale.
    pub(super) largest_error: f64,
    /// The quantised cost of the pairing.
    pub(super) primal: i128,
}

/// Duals on the true scale, to within a few roundings.
pub(super) struct AsCosts<'a> {
    scale: Scale,
    duals: &'a [i128],
    family: &'a Family,
}

impl AsCosts<'_> {
    /// What a vertex pays of its pair's cost.
    pub(super) fn of(&self, i: usize) -> f64 {
        self.scale.cost(0.5 * self.duals[i] as f64)
    }

    /// What two vertices get back by the blossoms that hold both.
    pub(super) fn shared(&self, i: usize, j: usize) -> f64 {
        self.scale.cost(0.5 * self.family.shared_dual(i, j) as f64)
    }
}

impl<'a> Pairs<'a> {
    pub(super) fn new(
        scale: Scale,
        duals: &'a [i128],
        family: &'a Family,
        mates: Option<&'a [usize]>,
    ) -> Self {
        // Dropped: a dual too large for the quick way takes the other.
        let narrow = |&y: &i128| i64::try_from(y).ok().filter(|y| (-NARROW..=NARROW).contains(y));
        Self {
            scale,
            duals,
            narrow: duals
                .iter()
                .map(narrow)
                .collect::<Option<_>>()
                .unwrap_or_default(),
            family,
            mates,
            largest_error: 0.0,
            primal: 0,
        }
    }

    /// The same before any pair is read.
    pub(super) fn without_findings(&self) -> Self {
        Self {
            largest_error: 0.0,
            primal: 0,
            ..self.clone()
        }
    }

    /// Adds what was found in other pairs.
    pub(super) fn add(&mut self, other: &Self) -> Result<(), VerifyError> {
        self.largest_error = self.largest_error.max(other.largest_error);
        let primal = self.primal.checked_add(other.primal);
        self.primal = primal.ok_or(VerifyError::DualOverflow)?;
        Ok(())
    }

    /// How many there are.
    pub(super) fn vertices(&self) -> usize {
        self.duals.len()
    }

    /// The partner of a vertex in the pairing that is to be proven, if there is one.
    pub(super) fn mate(&self, i: usize) -> Option<usize> {
        self.mates.map(|mates| mates[i])
    }

    /// Whether the least sum is asked for.
    pub(super) fn minimises(&self) -> bool {
        self.scale.minimises()
    }

    /// The duals as costs.
    pub(super) fn as_costs(&self) -> AsCosts<'a> {
        let Self {
            scale, duals, family, ..
        } = *self;
        AsCosts { scale, duals, family }
    }

    /// Whether the pair passes at the first look: finite, within 64 bits, not matched, and with a positive reduced
    /// cost whatever the duals of blossoms, which only raise it. Any other pair is for [`check`](Self::check) to
    /// decide.
    #[inline]
    pub(super) fn passes(&mut self, i: usize, j: usize, cost: f64) -> bool {
        let (Some(y_i), Some(y_j)) = (self.narrow.get(i), self.narrow.get(j)) else {
            return false;
        };
        let units = self.scale.units(cost);
        let is_narrow = units.abs() <= (NARROW / 2) as f64;
        if !is_narrow || self.mate(i) == Some(j) {
            return false;
        }
        let error = self.scale.error(cost, units);
        if error > self.largest_error {
            self.largest_error = error;
        }
        #[allow(clippy::cast_possible_truncation, reason = "an integer of at most 2^60")]
        let twice = 2 * units as i64;
        twice > y_i + y_j
    }

    /// Checks a pair, in 128 bits: it has reduced cost >= 0; 0, if it is matched.
    pub(super) fn check(&mut self, i: usize, j: usize, cost: f64) -> Result<(), VerifyError> {
        if !cost.is_finite() {
            return Err(VerifyError::NotFinite { i, j, value: cost });
        }
        let weight = self.scale.quantise(cost);
        let weight = weight.ok_or(VerifyError::OutOfScale { i, j, cost })?;
        let error = self.scale.error(cost, self.scale.units(cost));
        self.largest_error = self.largest_error.max(error);
        let is_matched = self.mate(i) == Some(j);
        let reduced = self.reduced_cost(i, j, weight, is_matched);
        let reduced = reduced.ok_or(VerifyError::DualOverflow)?;
        if reduced < 0 {
            return Err(VerifyError::NegativeReducedCost { i, j, reduced });
        }
        if is_matched {
            if reduced != 0 {
                return Err(VerifyError::LoosePair { i, j, reduced });
            }
            let gain = if i < j { weight } else { 0 };
            self.primal = self.primal.checked_add(gain).ok_or(VerifyError::DualOverflow)?;
        }
        Ok(())
    }

    /// 2 w less both vertex duals, plus the blossom duals shared; `None` beyond 128 bits. Blossoms are looked up only
    /// where they matter, that is if the rest is negative or the result must be exact: z >= 0.
    fn reduced_cost(&self, i: usize, j: usize, weight: i128, exact: bool) -> Option<i128> {
        let duals = self.duals[i].checked_add(self.duals[j])?;
        let without_blossoms = (2 * weight).checked_sub(duals)?;
        if without_blossoms >= 0 && !exact {
            return Some(without_blossoms);
        }
        without_blossoms.checked_add(self.family.shared_dual(i, j))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::Blossom;
    use crate::objective::Objective;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// At the limits of 64 bits, of the reduced cost 0, and of floats.
    #[test]
    fn what_passes_at_the_first_look_passes_the_second() {
        let mut rng = ChaCha8Rng::seed_from_u64(11);
        let nest = [Blossom {
            direct_vertices: vec![0, 1, 2],
            around: None,
            dual: 4,
        }];
        let (mut passed, mut refused, mut failed) = (0, 0, 0);
        for round in 0..20_000 {
            let bits = [3, 40, 61, 62, 100][round % 5];
            let mut dual = || rng.random_range(-(1_i128 << bits)..=1 << bits);
            let duals = [dual(), dual(), 0];
            let family = Family::new(&nest[..round % 2], 3).unwrap();
            let objective = [Objective::Minimize, Objective::Maximize][round % 3 % 2];
            let cost = match round % 7 {
                0 => [f64::NAN, f64::INFINITY, 1e300, -1e300, f64::MAX][rng.random_range(0..5)],
                _ => objective.as_minimum((duals[0] + duals[1] + rng.random_range(-3..=3)) as f64 / 2.0),
            };
            let scale = Scale::new(1.0, objective).unwrap();
            let mates = [1, 0, 2];
            let mut first = Pairs::new(scale, &duals, &family, None);
            let mut second = Pairs::new(scale, &duals, &family, None);
            let outcome = second.check(0, 1, cost);
            if first.passes(0, 1, cost) {
                assert_eq!(outcome, Ok(()));
                assert_eq!(first.largest_error, second.largest_error);
                passed += 1;
                assert!(!Pairs::new(scale, &duals, &family, Some(&mates)).passes(0, 1, cost));
            } else {
                refused += usize::from(outcome.is_ok());
                failed += usize::from(outcome.is_err());
            }
        }
        assert!(
            passed > 2000 && refused > 2000 && failed > 2000,
            "{passed} {refused} {failed}"
        );
    }
}
