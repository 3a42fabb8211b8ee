//! [`DomLedger`]: the points that games make and destroy, by what sets each side's K.

use super::{DomMmr, DomRating, PointsLedger};
use crate::error::ParamError;

/// What sets a player's K, by the schedule of [`DomMmr`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KReason {
    /// `newcomer_k`: a newcomer, unless a streak gives more.
    Newcomer,
    /// `k S` with S above 1.
    Streak,
    /// `high_k`: from `high_from` points on.
    High,
    /// `k`: none of them.
    Settled,
}

impl KReason {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Newcomer, Self::Streak, Self::High, Self::Settled];
}

/// A [`PointsLedger`] of the games of [`DomMmr`], and one of their sides for each [`KReason`].
///
/// With x = w (S - E) the surplus of the first side, w the weight of the game, a game changes the sum of all points by
///
/// ```text
/// (K_1 - K_2) x = (K_1 - k) x - (K_2 - k) x
/// ```
///
/// One term is of one side alone: what it won or lost beyond a settled player in its place. So the nets of the reasons
/// sum to the net of the games; what they made and destroyed does not, since the terms of a game can cancel. That takes a
/// curve whose two expectations sum to 1, and ratings below [`RATING_LIMIT`](crate::RATING_LIMIT). Under a
/// [`KeepSum`](super::KeepSum) all terms are 0.
///
/// ```
/// use matchwright_rating::{DomLedger, DomMmrParams, DomRating, GameResult, KReason, RatingSystem, Score};
///
/// let dom = DomMmrParams::default().build()?;
/// let (new, old) = (dom.initial(), DomRating::new(12_000.0, 300, 0)?);
/// let after = [
///     dom.update(&new, 0.0, &[GameResult::new(old, Score::WIN)]),
///     dom.update(&old, 0.0, &[GameResult::new(new, Score::LOSS)]),
/// ];
/// let mut ledger = DomLedger::default();
/// // The newcomer won 128, the veteran lost 64.
/// assert_eq!(ledger.record(&dom, [new, old], after)?, 64.0);
/// assert_eq!((ledger.of(KReason::Newcomer).net(), ledger.of(KReason::Settled).net()), (64.0, 0.0));
/// # Ok::<(), matchwright_rating::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct DomLedger {
    games: PointsLedger,
    newcomer: PointsLedger,
    streak: PointsLedger,
    high: PointsLedger,
    settled: PointsLedger,
}

impl DomLedger {
    /// Enters a game of two players by their ratings before and after it, whatever home advantage or weight it had; with the
    /// change of the sum of all points.
    ///
    /// # Errors
    /// [`ParamError`] as [`PointsLedger::record`].
    pub fn record(
        &mut self,
        dom: &DomMmr,
        before: [DomRating; 2],
        after: [DomRating; 2],
    ) -> Result<f64, ParamError> {
        let changes = [0, 1].map(|side| after[side].glory() - before[side].glory());
        let drift = changes[0] + changes[1];
        self.games.record(drift)?;
        let own = before.map(|player| dom.k(&player));
        // The side that moved further tells the surplus with more digits.
        let surplus = if own[0] >= own[1] {
            changes[0] / own[0]
        } else {
            -changes[1] / own[1]
        };
        let extra = |own: f64| match dom.params().keep_sum {
            Some(_) => 0.0,
            None => own - dom.params().k,
        };
        let terms = [extra(own[0]) * surplus, -extra(own[1]) * surplus];
        for (player, term) in before.iter().zip(terms) {
            self.of_mut(dom.k_reason(player)).record(term)?;
        }
        Ok(drift)
    }

    /// What the games did.
    #[must_use]
    pub const fn games(&self) -> &PointsLedger {
        &self.games
    }

    /// What the sides did whose K had this reason, an entry a side.
    #[must_use]
    pub const fn of(&self, reason: KReason) -> &PointsLedger {
        match reason {
            KReason::Newcomer => &self.newcomer,
            KReason::Streak => &self.streak,
            KReason::High => &self.high,
            KReason::Settled => &self.settled,
        }
    }

    const fn of_mut(&mut self, reason: KReason) -> &mut PointsLedger {
        match reason {
            KReason::Newcomer => &mut self.newcomer,
            KReason::Streak => &mut self.streak,
            KReason::High => &mut self.high,
            KReason::Settled => &mut self.settled,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::{DomMmrParams, KeepSum};
    use crate::{GameResult, RatingSystem, Score};
    use approx::assert_abs_diff_eq;

    fn played(dom: &DomMmr, before: [DomRating; 2], score: Score) -> DomLedger {
        let [a, b] = before;
        let after = [
            dom.update(&a, 0.0, &[GameResult::new(b, score)]),
            dom.update(&b, 0.0, &[GameResult::new(a, score.reversed())]),
        ];
        let mut ledger = DomLedger::default();
        let drift = ledger.record(dom, before, after).unwrap();
        assert_abs_diff_eq!(drift, dom.drift(&a, &b, score), epsilon = 1e-9);
        ledger
    }

    #[test]
    fn a_game_worked_by_hand_is_split_by_its_sides() {
        let dom = DomMmrParams::default().build().unwrap();
        // 1600 points behind, so E = 1/11; after three losses K = 160. The other is high: K = 64.
        let low = DomRating::new(13_400.0, 40, -3).unwrap();
        let high = DomRating::new(15_000.0, 300, 9).unwrap();
        let x = 10.0 / 11.0;
        let ledger = played(&dom, [low, high], Score::WIN);
        assert_abs_diff_eq!(ledger.games().net(), 160.0 * x - 64.0 * x, epsilon = 1e-9);
        assert_abs_diff_eq!(ledger.of(KReason::Streak).made(), 32.0 * x, epsilon = 1e-9);
        assert_abs_diff_eq!(ledger.of(KReason::High).made(), 64.0 * x, epsilon = 1e-9);
        assert_eq!(
            ledger.of(KReason::Newcomer).games() + ledger.of(KReason::Settled).games(),
            0
        );
        // Seen from the other side it is the same game.
        assert_eq!(played(&dom, [high, low], Score::LOSS), ledger);
    }

    #[test]
    fn the_reason_is_what_k_comes_from() {
        let dom = DomMmrParams::default().build().unwrap();
        for (glory, games, streak, reason, k) in [
            (12_000.0, 9, 9, KReason::Newcomer, 256.0),
            (12_000.0, 10, 3, KReason::Streak, 160.0),
            (12_000.0, 10, 2, KReason::Settled, 128.0),
            (15_000.0, 0, 0, KReason::High, 64.0),
        ] {
            let player = DomRating::new(glory, games, streak).unwrap();
            assert_eq!((dom.k_reason(&player), dom.k(&player)), (reason, k));
        }
    }

    #[test]
    fn with_one_k_for_both_sides_no_reason_makes_points() {
        let params = DomMmrParams {
            keep_sum: Some(KeepSum::Larger),
            ..DomMmrParams::default()
        };
        let dom = params.build().unwrap();
        let old = DomRating::new(12_000.0, 300, 0).unwrap();
        let ledger = played(&dom, [dom.initial(), old], Score::WIN);
        assert_eq!(
            (ledger.games().net(), ledger.of(KReason::Newcomer).net()),
            (0.0, 0.0)
        );
    }
}
