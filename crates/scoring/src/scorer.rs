//! [`MatchScorer`], the trait of every scorer, and [`Projection`], a scorer of a view of the candidate.

use std::fmt;

/// How good a candidate match is.
///
/// # Contract
/// - [`quality`](Self::quality) is from 0 to 1, higher is better. A solver that wants costs takes 1
///   - quality.
/// - `None` means forbidden: such a match must not be made at any price. There is no magic number
///   for it.
/// - **Pure.** The same candidate has the same quality, whatever was asked before; no panic.
/// - **Symmetry** is a claim of the single scorer: where players are interchangeable, so must be
///   their places in the candidate.
///
/// `M` is the candidate: a pair of players, two teams, whatever the scorer was written for. The
/// trait is object-safe and forwarded through `&`, `Box` and `Arc`; the feature `laws` holds an
/// implementation against this contract.
///
/// ```
/// use matchwright_scoring::MatchScorer;
///
/// /// Players of one region only.
/// struct SameRegion;
///
/// impl MatchScorer<(u8, u8)> for SameRegion {
///     fn quality(&self, regions: &(u8, u8)) -> Option<f64> {
///         (regions.0 == regions.1).then_some(1.0)
///     }
/// }
///
/// assert_eq!(SameRegion.quality(&(1, 1)), Some(1.0));
/// assert_eq!(SameRegion.quality(&(1, 2)), None);
/// ```
pub trait MatchScorer<M: ?Sized> {
    /// The quality of `candidate` in \[0, 1\], or `None` if it is forbidden.
    fn quality(&self, candidate: &M) -> Option<f64>;
}

macro_rules! forward {
    ($($pointer:ty),+) => {$(
        impl<M: ?Sized, S: MatchScorer<M> + ?Sized> MatchScorer<M> for $pointer {
            fn quality(&self, candidate: &M) -> Option<f64> {
                (**self).quality(candidate)
            }
        }
    )+};
}

forward!(&S, Box<S>, std::sync::Arc<S>);

// Object safety is part of the interface: this stops compiling if a change loses it.
const _: Option<&dyn MatchScorer<(f64, f64)>> = None;

/// A scorer of what `view` sees in a candidate: quality(m) = scorer.quality(view(m)).
///
/// This is how scorers that were written for different candidates meet in one
/// [`WeightedSum`](crate::WeightedSum).
///
/// ```
/// use matchwright_scoring::{MatchScorer, SkillGapParams, Projection};
///
/// struct Player {
///     rating: f64,
/// }
///
/// let gap = SkillGapParams { scale: 400.0, ..SkillGapParams::default() }.build()?;
/// let fair = Projection::new(gap, |pair: &(Player, Player)| (pair.0.rating, pair.1.rating));
/// let pair = (Player { rating: 1500.0 }, Player { rating: 1600.0 });
/// assert_eq!(fair.quality(&pair), Some(0.75));
/// # Ok::<(), matchwright_scoring::ScoringError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Projection<S, F> {
    scorer: S,
    view: F,
}

impl<S, F> Projection<S, F> {
    /// `scorer` applied to what `view` returns.
    pub const fn new(scorer: S, view: F) -> Self {
        Self { scorer, view }
    }
}

impl<S: fmt::Debug, F> fmt::Debug for Projection<S, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Projection")
            .field("scorer", &self.scorer)
            .finish_non_exhaustive()
    }
}

impl<M: ?Sized, N, S: MatchScorer<N>, F: Fn(&M) -> N> MatchScorer<M> for Projection<S, F> {
    fn quality(&self, candidate: &M) -> Option<f64> {
        self.scorer.quality(&(self.view)(candidate))
    }
}
