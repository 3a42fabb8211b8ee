//! [`ChurnModel`], the trait of this crate, and [`FromFn`], a model from a function.

/// Says how likely a player is to stop playing.
///
/// c(s^update) = P(churn | the player's state s after the outcome o)        EOMM, eq. 2 and 7-9
///
/// `S` is the player's state **after** an outcome: a row of features (`[f64]`), the last outcomes (`[Outcome]`), or
/// any type of yours. What "churn" means (which horizon, or no churn at all) is the model's business; see [Other
/// targets](crate#other-targets).
///
/// # Contract
///
/// - Range: finite and in [0, 1] for every state that the model accepts.
/// - Deterministic and pure: the same state gives the same bits, whatever was asked before and however often.
/// - No panic for a state that the model accepts. A model over `[f64]` accepts rows of its own length.
///
/// `laws::check_all` (feature `laws`) checks these on states of your choice.
///
/// The trait is object safe and forwarded through `&M` and `Box<M>`:
///
/// ```
/// use matchwright_churn::{ChurnModel, ConstantModel, FromFn, Outcome};
///
/// let after_loss = FromFn(|last: &[Outcome]| if last.last() == Some(&Outcome::Loss) { 0.051 } else { 0.037 });
/// let models: Vec<Box<dyn ChurnModel<[Outcome]>>> =
///     vec![Box::new(after_loss), Box::new(ConstantModel::new(0.04)?)];
/// let state = [Outcome::Win, Outcome::Loss];
/// let answers: Vec<f64> = models.iter().map(|model| model.churn_probability(&state)).collect();
/// assert_eq!(answers, [0.051, 0.04]);
/// # Ok::<(), matchwright_churn::ModelError>(())
/// ```
///
/// Source: Chen, Xue, Kolen, Aghdaie, Zaman, Sun, Seif El-Nasr, "EOMM: An Engagement Optimized Matchmaking
/// Framework", WWW 2017, section 3.2, DOI 10.1145/3038912.3052559.
pub trait ChurnModel<S: ?Sized> {
    /// The probability, in [0, 1], that the player in `state` churns.
    fn churn_probability(&self, state: &S) -> f64;
}

impl<S: ?Sized, M: ChurnModel<S> + ?Sized> ChurnModel<S> for &M {
    fn churn_probability(&self, state: &S) -> f64 {
        (**self).churn_probability(state)
    }
}

impl<S: ?Sized, M: ChurnModel<S> + ?Sized> ChurnModel<S> for Box<M> {
    fn churn_probability(&self, state: &S) -> f64 {
        (**self).churn_probability(state)
    }
}

/// A closure as a model.
///
/// The closure owes the contract of [`ChurnModel`]: values in [0, 1], no memory of earlier calls.
///
/// ```
/// use matchwright_churn::{ChurnModel, FromFn};
///
/// let model = FromFn(|matches_today: &u32| 1.0 / (2.0 + f64::from(*matches_today)));
/// assert_eq!(model.churn_probability(&2), 0.25);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct FromFn<F>(pub F);

impl<S: ?Sized, F: Fn(&S) -> f64> ChurnModel<S> for FromFn<F> {
    fn churn_probability(&self, state: &S) -> f64 {
        (self.0)(state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Third;
    impl ChurnModel<str> for Third {
        fn churn_probability(&self, _: &str) -> f64 {
            1.0 / 3.0
        }
    }

    #[test]
    fn the_trait_is_object_safe_and_forwarded_through_references_and_boxes() {
        fn ask<M: ChurnModel<str>>(model: M) -> f64 {
            model.churn_probability("a state without a size")
        }
        let boxed: Box<dyn ChurnModel<str>> = Box::new(Third);
        let shared: &dyn ChurnModel<str> = &Third;
        for answer in [ask(Third), ask(&Third), ask(shared), ask(&boxed), ask(boxed)] {
            assert_eq!(answer, 1.0 / 3.0);
        }
    }
}
