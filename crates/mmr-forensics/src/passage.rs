//! [`first_passage`]: within how many games a rating that wins and loses reaches promotion, with quantiles.

use crate::amounts::WinRate;
use crate::error::{ForensicsError, within};
use crate::promotion::GameValue;

/// The most games that [`first_passage`] looks ahead.
pub const MOST_GAMES_TO_PROMOTION: usize = 10_000;

/// The chance that a rating has reached the magic number, by games played.
#[derive(Debug, Clone, PartialEq)]
pub struct FirstPassage {
    /// By games, from 0.
    within: Vec<f64>,
}

impl FirstPassage {
    /// The chance of having been there after this many games or before; for more games than were looked at, that after the last.
    #[must_use]
    pub fn chance(&self, games: usize) -> f64 {
        self.within
            .get(games)
            .or(self.within.last())
            .copied()
            .unwrap_or(0.0)
    }

    /// The least number of games after which a share of such players, in (0, 1), has been there; `None` if those that
    /// were looked at are too few.
    #[must_use]
    pub fn quantile(&self, share: f64) -> Option<usize> {
        let games = self.within.partition_point(|&chance| chance < share);
        (games < self.within.len()).then_some(games)
    }

    /// How many games were looked ahead: all, unless 999 of 1,000 were there before.
    #[must_use]
    pub fn looked_ahead(&self) -> usize {
        self.within.len().saturating_sub(1)
    }
}

/// The games in which a rating first reaches what lies `distance` points above it: a random walk that goes up by A
/// with chance W, down by L otherwise, and no lower than a floor `above_floor` points below its start, if there is one.
/// Where it starts below the floor (`above_floor` is negative), losses count in full until it is at the floor or above.
///
/// The mean step alone says `distance` / (W A + (W - 1) L), which is infinite at an even win rate. With a floor the walk
/// always arrives (if W > 0 and A > 0); without one it does at break-even, too, though the mean is infinite, and below
/// that only with some chance. This is the exact distribution of the Markov chain, cut at the floor: until it is first
/// reached from above or hit, and from one such touch to the next, after which the walk forgets what was before (renewal).
///
/// It is that of the rating itself; a moving average follows some games later.
///
/// Feller, "An Introduction to Probability Theory and Its Applications", volume 1, 3rd edition 1968, chapters XIII and XIV.
///
/// # Errors
/// [`ForensicsError::Number`] for distances that are NaN, or beyond 1e9 points to promotion and 2e9 to the floor.
///
/// O(g w + g^2) for g games, [`MOST_GAMES_TO_PROMOTION`] at most, and w different ratings on the way.
///
/// ```
/// use matchwright_mmr_forensics::{GameValue, PerLoss, PerWin, WinRate, first_passage};
///
/// // Thirty pips from the bottom of a league, which nobody falls below; one a game.
/// let pip = GameValue { per_win: PerWin::new(1.0)?, per_loss: PerLoss::new(1.0)? };
/// let games = |floor, share| first_passage(30.0, floor, WinRate::new(share)?, pip);
/// assert_eq!(games(Some(0.0), 0.5)?.quantile(0.5), Some(704));
/// assert_eq!(games(Some(0.0), 0.51)?.quantile(0.5), Some(506));
/// // Without a floor a losing player may never be there.
/// assert_eq!(games(None, 0.45)?.quantile(0.5), None);
/// # Ok::<(), matchwright_mmr_forensics::ForensicsError>(())
/// ```
pub fn first_passage(
    distance: f64,
    above_floor: Option<f64>,
    share: WinRate,
    game: GameValue,
) -> Result<FirstPassage, ForensicsError> {
    let up = within("the distance to promotion", distance, -1e9..=1e9)?;
    let down = above_floor.map(|down| within("the distance to the floor", down, -2e9..=2e9));
    let down = down.transpose()?.unwrap_or(f64::INFINITY);
    if up <= 0.0 {
        return Ok(FirstPassage { within: vec![1.0] });
    }
    let mut first = Excursion::new(up, down, share.get(), game);
    let mut again = Excursion::new(up + down, 0.0, share.get(), game);
    // By games: touches of the floor, and ends of the walks that begin there.
    let (mut touches, mut returns, mut arrivals) = (vec![0.0], vec![0.0], vec![0.0]);
    let mut within = vec![0.0];
    let mut there = 0.0;
    while there < 0.999 && within.len() <= MOST_GAMES_TO_PROMOTION {
        let (mut arrived, mut touched) = first.play();
        if down.is_finite() {
            let (from_floor, back) = again.play();
            arrivals.push(from_floor);
            returns.push(back);
            // Touches by how many games ago they were, each with what follows from it.
            let after = |of: &[f64]| -> f64 {
                let ago = touches.iter().rev().zip(&of[1..]);
                ago.map(|(touched, then)| touched * then).sum()
            };
            arrived += after(&arrivals);
            touched += after(&returns);
            touches.push(touched);
        }
        there += arrived;
        within.push(there.min(1.0));
    }
    Ok(FirstPassage { within })
}

/// A walk that ends where it has gone up by `up` or touches the floor, by how many of its games were won.
struct Excursion {
    up: f64,
    /// From the start down to the floor; negative where that is above.
    down: f64,
    share: f64,
    game: GameValue,
    played: usize,
    /// The least number of games won that is still on the way.
    fewest: usize,
    /// The chances of that number and of those above it.
    chances: Vec<f64>,
}

/// Chances below this are left out, so that a walk without a floor stays as narrow as it is likely.
const NEGLIGIBLE: f64 = 1e-18;

impl Excursion {
    fn new(up: f64, down: f64, share: f64, game: GameValue) -> Self {
        Self {
            up,
            down,
            share,
            game,
            played: 0,
            fewest: 0,
            chances: vec![1.0],
        }
    }

    /// One more game: the chances to end by it at the upper end, and at the floor.
    fn play(&mut self) -> (f64, f64) {
        let (win, loss) = (self.game.per_win.get(), self.game.per_loss.get());
        let at = |won: usize, played: usize| won as f64 * win - (played - won) as f64 * loss;
        // Sums of points are exact but for rounding, which must not move an end by a game.
        let slack = 1e-9 * (win + loss);
        let mut next = vec![0.0; self.chances.len() + 1];
        let (mut above, mut below) = (0.0, 0.0);
        for (place, chance) in self.chances.iter().enumerate() {
            let won = self.fewest + place;
            let was_held = at(won, self.played) >= -self.down - slack;
            for (more, chance) in [(0, chance * (1.0 - self.share)), (1, chance * self.share)] {
                let to = at(won + more, self.played + 1);
                if to >= self.up - slack {
                    above += chance;
                } else if to <= slack - self.down && (was_held || to >= -self.down - slack) {
                    below += chance;
                } else {
                    next[place + more] += chance;
                }
            }
        }
        self.played += 1;
        let is_likely = |chance: &f64| *chance > NEGLIGIBLE;
        let lowest = next.iter().position(is_likely).unwrap_or(next.len());
        let highest = next.iter().rposition(is_likely).map_or(lowest, |place| place + 1);
        self.fewest += lowest;
        self.chances = next[lowest..highest].to_vec();
        (above, below)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::amounts::{PerLoss, PerWin};

    fn game(win: f64, loss: f64) -> GameValue {
        GameValue {
            per_win: PerWin::new(win).unwrap(),
            per_loss: PerLoss::new(loss).unwrap(),
        }
    }

    fn rate(share: f64) -> WinRate {
        WinRate::new(share).unwrap()
    }

    /// The chain itself, place by place, with whole points; below the floor, `above_floor` points under its start, it is free.
    fn chain(up: i64, above_floor: i64, share: f64, (win, loss): (i64, i64), games: usize) -> Vec<f64> {
        let (mut at, mut within) = (BTreeMap::from([(0, 1.0)]), vec![0.0]);
        for _ in 0..games {
            let mut next = BTreeMap::new();
            let mut there = within[within.len() - 1];
            for (place, chance) in at {
                if place + win >= up {
                    there += chance * share;
                } else {
                    *next.entry(place + win).or_insert(0.0) += chance * share;
                }
                let floor = if place < -above_floor {
                    i64::MIN
                } else {
                    -above_floor
                };
                *next.entry((place - loss).max(floor)).or_insert(0.0) += chance * (1.0 - share);
            }
            within.push(there);
            at = next;
        }
        within
    }

    #[test]
    fn a_walk_with_a_floor_is_the_markov_chain_of_its_places() {
        for (up, above_floor, share, steps) in [
            (30, 0, 0.5, (1, 1)),
            (30, 0, 0.51, (1, 1)),
            (144, 331, 0.5, (13, 11)),
            (60, 7, 0.4, (13, 11)),
            (5, 3, 1.0, (2, 4)),
            // From below the floor, and to places beyond it.
            (31, -1, 0.5, (1, 1)),
            (60, -7, 0.5, (13, 11)),
            (60, -50, 0.6, (13, 11)),
            (20, -19, 0.4, (3, 2)),
        ] {
            let value = game(steps.0 as f64, steps.1 as f64);
            let found = first_passage(up as f64, Some(above_floor as f64), rate(share), value).unwrap();
            let wanted = chain(up, above_floor, share, steps, 400);
            for (games, wanted) in wanted.iter().enumerate() {
                assert!(
                    (found.chance(games) - wanted.min(1.0)).abs() < 1e-3,
                    "{up} {above_floor} after {games}"
                );
                if games <= found.looked_ahead() {
                    assert!(
                        (found.chance(games) - wanted).abs() < 1e-12,
                        "{up} {above_floor} after {games}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_losing_player_without_a_floor_is_there_with_the_chance_of_the_gambler() {
        let found = first_passage(10.0, None, rate(0.45), game(1.0, 1.0)).unwrap();
        let wanted = (0.45_f64 / 0.55).powi(10);
        assert!((found.chance(usize::MAX) - wanted).abs() < 1e-9);
        assert_eq!(found.looked_ahead(), MOST_GAMES_TO_PROMOTION);
        assert_eq!(found.quantile(0.5), None);
    }

    #[test]
    fn the_ends_of_what_can_be_asked_are_answered_or_refused() {
        let one = game(1.0, 1.0);
        assert_eq!(
            first_passage(0.0, None, rate(0.0), one).unwrap().quantile(0.9),
            Some(0)
        );
        assert_eq!(
            first_passage(3.0, Some(0.0), rate(0.0), one)
                .unwrap()
                .quantile(0.1),
            None
        );
        assert_eq!(
            first_passage(3.0, Some(0.0), rate(1.0), one)
                .unwrap()
                .quantile(0.9),
            Some(3)
        );
        assert_eq!(
            first_passage(3.0, Some(1.0), rate(0.5), game(0.0, 0.0))
                .unwrap()
                .quantile(0.1),
            None
        );
        assert!(first_passage(f64::NAN, None, rate(0.5), one).is_err());
        assert!(first_passage(1.0, Some(-3e9), rate(0.5), one).is_err());
    }
}
