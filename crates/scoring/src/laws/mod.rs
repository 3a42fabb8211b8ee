//! The contract of [`MatchScorer`] as checks that anyone can run on an implementation (feature
//! `laws`).
//!
//! Each law is a plain function of one candidate; [`check_all`] tries every law that a scorer must keep on the
//! candidates it is given, [`check_symmetry`] the one that only interchangeable players promise. Scorers of team
//! matches have [`check_teams`], factors of a policy [`check_factor`], those of a queue [`check_scorer`]. Candidates come from the caller, who knows
//! what the scorer should bear.
//!
//! ```
//! use matchwright_scoring::{SkillGapParams, laws};
//!
//! let gap = SkillGapParams::default().build()?;
//! let skills = [0.0, 1500.0, 1500.5, 1e300, f64::NAN];
//! let pairs = || skills.iter().flat_map(|&a| skills.iter().map(move |&b| (a, b)));
//! laws::check_all(&gap, pairs())?;
//! laws::check_symmetry(&gap, pairs())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod teams;

use std::fmt::Debug;

use thiserror::Error;

pub use teams::{
    check_factor, check_scorer, check_teams, decomposition_agrees_with_the_quality,
    quality_survives_reordering_players, quality_survives_swapping_teams,
};

use crate::scorer::MatchScorer;

/// A law that did not hold, and where.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the law `{law}` is broken: {detail}")]
pub struct LawViolation {
    /// The function that failed.
    pub law: &'static str,
    /// The candidate on which it failed, and what was seen.
    pub detail: String,
}

/// Rounding that symmetry forgives.
const TOLERANCE: f64 = 1e-12;

fn require(holds: bool, law: &'static str, detail: impl FnOnce() -> String) -> Result<(), LawViolation> {
    if holds {
        Ok(())
    } else {
        Err(LawViolation {
            law,
            detail: detail(),
        })
    }
}

/// A quality is a number from 0 to 1, never NaN.
///
/// # Errors
/// [`LawViolation`] if not.
pub fn quality_is_a_fraction<M, S>(scorer: &S, candidate: &M) -> Result<(), LawViolation>
where
    M: Debug + ?Sized,
    S: MatchScorer<M> + ?Sized,
{
    let quality = scorer.quality(candidate);
    require(
        quality.is_none_or(|q| (0.0..=1.0).contains(&q)),
        "quality_is_a_fraction",
        || format!("{candidate:?} has quality {quality:?}"),
    )
}

/// The same candidate has the same quality, to the bit.
///
/// # Errors
/// [`LawViolation`] if not.
pub fn quality_is_repeatable<M, S>(scorer: &S, candidate: &M) -> Result<(), LawViolation>
where
    M: Debug + ?Sized,
    S: MatchScorer<M> + ?Sized,
{
    let (first, second) = (scorer.quality(candidate), scorer.quality(candidate));
    require(
        first.map(f64::to_bits) == second.map(f64::to_bits),
        "quality_is_repeatable",
        || format!("{candidate:?} has quality {first:?}, then {second:?}"),
    )
}

/// Swapping the two players changes neither the quality (but for rounding) nor whether they may meet.
///
/// # Errors
/// [`LawViolation`] if it does.
pub fn quality_survives_swapping<A, S>(scorer: &S, pair: (A, A)) -> Result<(), LawViolation>
where
    A: Debug,
    S: MatchScorer<(A, A)> + ?Sized,
{
    let forward = scorer.quality(&pair);
    let swapped = (pair.1, pair.0);
    let backward = scorer.quality(&swapped);
    let same = match (forward, backward) {
        (Some(a), Some(b)) => (a - b).abs() <= TOLERANCE,
        (None, None) => true,
        _ => false,
    };
    require(same, "quality_survives_swapping", || {
        format!("{swapped:?} has quality {backward:?}, the other way round {forward:?}")
    })
}

/// Tries every law that a scorer must keep on `candidates`.
///
/// # Errors
/// The first [`LawViolation`]; no candidate at all is one too, because nothing was shown.
pub fn check_all<M, S>(scorer: &S, candidates: impl IntoIterator<Item = M>) -> Result<(), LawViolation>
where
    M: Debug,
    S: MatchScorer<M> + ?Sized,
{
    let mut tried = 0_usize;
    for candidate in candidates {
        quality_is_a_fraction(scorer, &candidate)?;
        quality_is_repeatable(scorer, &candidate)?;
        tried += 1;
    }
    require(tried > 0, "check_all", || "no candidates: give some".to_owned())
}

/// Tries the promise that the places in a pair are interchangeable on `pairs`.
///
/// # Errors
/// The first [`LawViolation`]; no pair at all is one too, because nothing was shown.
pub fn check_symmetry<A, S>(scorer: &S, pairs: impl IntoIterator<Item = (A, A)>) -> Result<(), LawViolation>
where
    A: Debug,
    S: MatchScorer<(A, A)> + ?Sized,
{
    let mut tried = 0_usize;
    for pair in pairs {
        quality_survives_swapping(scorer, pair)?;
        tried += 1;
    }
    require(tried > 0, "check_symmetry", || "no pairs: give some".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// A scorer from a function, right or wrong.
    struct Scorer<F>(F);

    impl<F: Fn(&(f64, f64)) -> Option<f64>> MatchScorer<(f64, f64)> for Scorer<F> {
        fn quality(&self, pair: &(f64, f64)) -> Option<f64> {
            (self.0)(pair)
        }
    }

    const PAIRS: [(f64, f64); 3] = [(0.0, 0.0), (0.0, 1.0), (3.0, 0.5)];

    #[test]
    fn a_wrong_scorer_fails_the_law_it_breaks() {
        let broken = |scorer: &dyn MatchScorer<(f64, f64)>| check_all(scorer, PAIRS).unwrap_err().law;
        assert_eq!(
            broken(&Scorer(|p: &(f64, f64)| Some(p.0))),
            "quality_is_a_fraction"
        );
        assert_eq!(
            broken(&Scorer(|_: &(f64, f64)| Some(-1e-300))),
            "quality_is_a_fraction"
        );
        assert_eq!(
            broken(&Scorer(|_: &(f64, f64)| Some(f64::NAN))),
            "quality_is_a_fraction"
        );
        let calls = Cell::new(0.0);
        let forgetful = Scorer(|_: &(f64, f64)| {
            calls.set(calls.get() + 1.0);
            Some(1.0 / calls.get())
        });
        assert_eq!(broken(&forgetful), "quality_is_repeatable");
        let error = check_all(&Scorer(|p: &(f64, f64)| Some(p.0)), PAIRS).unwrap_err();
        assert!(error.to_string().contains("(3.0, 0.5) has quality Some(3.0)"));
    }

    #[test]
    fn a_lopsided_scorer_fails_only_the_symmetry_it_would_have_to_promise() {
        let lopsided = Scorer(|p: &(f64, f64)| Some(if p.0 < p.1 { 0.5 } else { 1.0 }));
        check_all(&lopsided, PAIRS).unwrap();
        assert_eq!(
            check_symmetry(&lopsided, PAIRS).unwrap_err().law,
            "quality_survives_swapping"
        );
        let one_way = Scorer(|p: &(f64, f64)| (p.0 <= p.1).then_some(1.0));
        assert_eq!(
            check_symmetry(&one_way, PAIRS).unwrap_err().law,
            "quality_survives_swapping"
        );
    }

    #[test]
    fn a_suite_that_tried_nothing_proves_nothing() {
        let fine = Scorer(|_: &(f64, f64)| Some(1.0));
        assert_eq!(check_all(&fine, []).unwrap_err().law, "check_all");
        assert_eq!(check_symmetry(&fine, []).unwrap_err().law, "check_symmetry");
    }
}
