//! The laws of [`ChurnModel`], to be run on any implementation (feature `laws`).
//!
//! ```
//! use matchwright_churn::{FromFn, laws};
//!
//! let model = FromFn(|gap_in_hours: &f64| 1.0 - (-gap_in_hours / 24.0).exp());
//! laws::check_all(&model, &[&0.0, &0.5, &8.0, &1e6])?;
//!
//! let wrong = FromFn(|gap_in_hours: &f64| gap_in_hours / 24.0);
//! let error = laws::check_all(&wrong, &[&0.5, &36.0]).unwrap_err();
//! assert_eq!(error.to_string(), "state 1 has churn probability 1.5: it must be in [0, 1]");
//! # Ok::<(), laws::LawViolation>(())
//! ```

use thiserror::Error;

use crate::ChurnModel;

/// A law that a model breaks, and on which state (its place among those given, from 0).
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum LawViolation {
    /// NaN or infinite.
    #[error("state {state} has churn probability {value}: it must be a finite number")]
    NotFinite {
        /// Which state.
        state: usize,
        /// What the model said.
        value: f64,
    },
    /// Finite, but no probability.
    #[error("state {state} has churn probability {value}: it must be in [0, 1]")]
    OutOfRange {
        /// Which state.
        state: usize,
        /// What the model said.
        value: f64,
    },
    /// Two answers to the same question, asked twice in a row.
    #[error(
        "state {state} has churn probability {first}, then {second} when asked again: the model must be deterministic"
    )]
    NotDeterministic {
        /// Which state.
        state: usize,
        /// The first answer.
        first: f64,
        /// The second answer.
        second: f64,
    },
    /// An answer that depends on what was asked before it.
    #[error(
        "state {state} has churn probability {first}, but {second} when the states are asked in reverse: the model must not remember"
    )]
    NotPure {
        /// Which state.
        state: usize,
        /// The answer in the order given.
        first: f64,
        /// The answer in reverse order.
        second: f64,
    },
    /// No state to check on.
    #[error("no state was given to check the model on: give some, two or more to see whether it remembers")]
    NoStates,
}

/// Checks every law on these states: finite, in [0, 1], deterministic, pure.
///
/// Answers are compared bit for bit. Purity shows on
/// two or more states: they are asked in order, each twice, then in reverse.
///
/// # Errors
///
/// The first [`LawViolation`] found.
pub fn check_all<S, M>(model: &M, states: &[&S]) -> Result<(), LawViolation>
where
    S: ?Sized,
    M: ChurnModel<S> + ?Sized,
{
    check_range(model, states)?;
    check_deterministic(model, states)?;
    check_pure(model, states)
}

/// Checks that every answer is a finite number in [0, 1].
///
/// # Errors
///
/// [`LawViolation::NotFinite`], [`LawViolation::OutOfRange`], [`LawViolation::NoStates`].
pub fn check_range<S, M>(model: &M, states: &[&S]) -> Result<(), LawViolation>
where
    S: ?Sized,
    M: ChurnModel<S> + ?Sized,
{
    if states.is_empty() {
        return Err(LawViolation::NoStates);
    }
    for (state, value) in answers(model, states) {
        if !value.is_finite() {
            return Err(LawViolation::NotFinite { state, value });
        }
        if !(0.0..=1.0).contains(&value) {
            return Err(LawViolation::OutOfRange { state, value });
        }
    }
    Ok(())
}

/// Checks that a question asked twice in a row gets one answer.
///
/// # Errors
///
/// [`LawViolation::NotDeterministic`].
pub fn check_deterministic<S, M>(model: &M, states: &[&S]) -> Result<(), LawViolation>
where
    S: ?Sized,
    M: ChurnModel<S> + ?Sized,
{
    for (state, first) in answers(model, states) {
        let second = model.churn_probability(states[state]);
        if first.to_bits() != second.to_bits() {
            return Err(LawViolation::NotDeterministic { state, first, second });
        }
    }
    Ok(())
}

/// Checks that answers do not depend on the order of the questions.
///
/// # Errors
///
/// [`LawViolation::NotPure`].
pub fn check_pure<S, M>(model: &M, states: &[&S]) -> Result<(), LawViolation>
where
    S: ?Sized,
    M: ChurnModel<S> + ?Sized,
{
    let in_order: Vec<(usize, f64)> = answers(model, states).collect();
    for (state, first) in in_order.into_iter().rev() {
        let second = model.churn_probability(states[state]);
        if first.to_bits() != second.to_bits() {
            return Err(LawViolation::NotPure { state, first, second });
        }
    }
    Ok(())
}

fn answers<'a, S, M>(model: &'a M, states: &'a [&'a S]) -> impl Iterator<Item = (usize, f64)> + 'a
where
    S: ?Sized + 'a,
    M: ChurnModel<S> + ?Sized,
{
    states
        .iter()
        .map(|state| model.churn_probability(state))
        .enumerate()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ConstantModel, FromFn, LogisticModel, Outcome, TableCounts, TableModel};
    use std::cell::Cell;

    const STATES: [&f64; 3] = [&0.25, &0.5, &0.75];

    #[test]
    fn the_models_of_this_crate_keep_every_law() {
        let logistic = LogisticModel::new(0.5, [("x", 1.0), ("y", -3.0)]).unwrap();
        assert_eq!(
            check_all(&logistic, &[&[0.0, 0.0][..], &[1e300, 1.0], &[1.0, 1e300]]),
            Ok(())
        );
        let mut counts = TableCounts::new(2).unwrap();
        counts.add(&[Outcome::Win], true).unwrap();
        let table = TableModel::new(counts).unwrap();
        assert_eq!(
            check_all(&table, &[&[][..], &[Outcome::Loss], &[Outcome::Win; 5]]),
            Ok(())
        );
        let boxed: Box<dyn ChurnModel<f64>> = Box::new(ConstantModel::new(1.0).unwrap());
        assert_eq!(check_all(&*boxed, &STATES), Ok(()));
        assert_eq!(check_all(&boxed, &STATES), Ok(()));
    }

    #[test]
    fn a_model_that_is_no_probability_breaks_the_law_of_range() {
        for (value, finite) in [
            (f64::NAN, false),
            (f64::INFINITY, false),
            (-1e-9, true),
            (1.0 + 1e-9, true),
        ] {
            let wrong = FromFn(|state: &f64| if *state == 0.5 { value } else { *state });
            match check_all(&wrong, &STATES) {
                Err(LawViolation::NotFinite { state: 1, .. }) => assert!(!finite),
                Err(LawViolation::OutOfRange { state: 1, .. }) => assert!(finite),
                other => panic!("{value}: {other:?}"),
            }
        }
        assert_eq!(
            check_all(&FromFn(|state: &f64| *state), &[]),
            Err(LawViolation::NoStates)
        );
    }

    #[test]
    fn a_model_that_changes_its_mind_breaks_the_law_of_determinism() {
        let asked = Cell::new(0.0);
        let wrong = FromFn(|_: &f64| {
            asked.set(asked.get() + 1.0);
            1.0 / asked.get()
        });
        assert!(matches!(
            check_all(&wrong, &STATES),
            Err(LawViolation::NotDeterministic { state: 0, .. })
        ));
    }

    #[test]
    fn a_model_that_remembers_other_states_breaks_the_law_of_purity() {
        let (last, answer) = (Cell::new(f64::NAN), Cell::new(0.0));
        let wrong = FromFn(|state: &f64| {
            if last.get() != *state {
                answer.set(if last.get() > *state { 0.9 } else { 0.1 });
                last.set(*state);
            }
            answer.get()
        });
        assert_eq!(check_range(&wrong, &STATES), Ok(()));
        assert!(check_pure(&wrong, &STATES).is_err());
        assert!(matches!(
            check_all(&wrong, &STATES),
            Err(LawViolation::NotPure { .. })
        ));
    }

    #[test]
    fn zeros_of_unlike_sign_are_unlike_answers() {
        let sign = Cell::new(1.0);
        let wrong = FromFn(|_: &f64| {
            sign.set(-sign.get());
            0.0 * sign.get()
        });
        assert!(check_deterministic(&wrong, &STATES).is_err());
    }
}
