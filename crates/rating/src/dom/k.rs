//! K: the most points that a game moves an alliance by, as it is new, on a streak or high.

use super::{DomMmr, DomRating, KReason, KeepSum};

impl DomMmr {
    /// K of `player` as it stands, by the schedule of [`DomMmr`]: the most points that the next game can move.
    ///
    /// ```
    /// use matchwright_rating::{DomMmrParams, DomRating};
    ///
    /// let dom = DomMmrParams::default().build()?;
    /// let k = |glory, games, streak| DomRating::new(glory, games, streak).map(|rating| dom.k(&rating));
    /// assert_eq!((k(12_000.0, 2, 2)?, k(12_000.0, 300, 2)?), (256.0, 128.0));
    /// assert_eq!((k(12_000.0, 300, -3)?, k(12_000.0, 300, 4)?), (160.0, 192.0));
    /// assert_eq!((k(16_000.0, 300, 0)?, k(16_000.0, 300, 20)?), (64.0, 64.0));
    /// # Ok::<(), matchwright_rating::ParamError>(())
    /// ```
    #[must_use]
    pub fn k(&self, player: &DomRating) -> f64 {
        let params = &self.params;
        match self.k_reason(player) {
            KReason::High => params.high_k,
            KReason::Newcomer => params.newcomer_k,
            KReason::Streak | KReason::Settled => params.k * self.streak_factor(player.streak()),
        }
    }

    /// What sets [`k`](Self::k) of `player` as it stands.
    #[must_use]
    pub fn k_reason(&self, player: &DomRating) -> KReason {
        let params = &self.params;
        if player.glory() >= params.high_from {
            return KReason::High;
        }
        let by_streak = params.k * self.streak_factor(player.streak());
        if player.games() < params.newcomer_games && params.newcomer_k >= by_streak {
            KReason::Newcomer
        } else if by_streak > params.k {
            KReason::Streak
        } else {
            KReason::Settled
        }
    }

    /// S of the schedule, from 1 to `streak_max`.
    fn streak_factor(&self, streak: i32) -> f64 {
        let params = &self.params;
        match streak.unsigned_abs().checked_sub(params.streak_from) {
            Some(beyond) => (1.0 + params.streak_step * (f64::from(beyond) + 1.0)).min(params.streak_max),
            None => 1.0,
        }
    }

    /// The K by which `player` moves after a game against `opponent`: its own, or one for both sides under
    /// [`KeepSum`], the same seen from either.
    #[must_use]
    pub fn k_against(&self, player: &DomRating, opponent: &DomRating) -> f64 {
        let own = self.k(player);
        match self.params.keep_sum {
            None => own,
            Some(KeepSum::Mean) => 0.5 * (own + self.k(opponent)),
            Some(KeepSum::Smaller) => own.min(self.k(opponent)),
            Some(KeepSum::Larger) => own.max(self.k(opponent)),
        }
    }

    /// The most points that any game can move.
    #[must_use]
    pub fn largest_k(&self) -> f64 {
        let params = &self.params;
        (params.k * params.streak_max)
            .max(params.newcomer_k)
            .max(params.high_k)
    }
}
