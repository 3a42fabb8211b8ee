//! The laws of inactivity, for systems of both kinds; `after` gives the rating a number of periods later.

use std::fmt::Debug;

use crate::laws::law::{Verdict, at_most, require, same_estimate};
use crate::system::RatingEstimate;

/// The longer a player is inactive, the wider the deviation, up to for ever, and it stays finite.
///
/// # Errors
/// [`LawViolation`](crate::laws::LawViolation) if it narrows, or appears or vanishes.
pub fn inactivity_never_narrows<R: RatingEstimate + Clone + Debug>(
    after: impl Fn(&R, f64) -> R,
    player: &R,
    time: f64,
    more: f64,
) -> Verdict {
    let mut last = player.clone();
    for elapsed in [time, time + more, f64::INFINITY] {
        let now = after(player, elapsed);
        let wider = match (last.deviation(), now.deviation()) {
            (Some(before), Some(now)) => at_most(before, now) && now.is_finite(),
            (before, now) => before == now,
        };
        require(wider, "inactivity_never_narrows", || {
            format!("{player:?} after {elapsed} periods without a game is {now:?}, earlier {last:?}")
        })?;
        last = now;
    }
    Ok(())
}

/// A look in between changes nothing: t and then u periods are t + u.
///
/// # Errors
/// [`LawViolation`](crate::laws::LawViolation) if not.
pub fn inactivity_adds_up<R: RatingEstimate + Debug>(
    after: impl Fn(&R, f64) -> R,
    player: &R,
    time: f64,
    more: f64,
) -> Verdict {
    let once = after(player, time + more);
    let twice = after(&after(player, time), more);
    require(same_estimate(&once, &twice), "inactivity_adds_up", || {
        format!("{player:?} after {time} + {more} periods: {once:?} at once, {twice:?} in two steps")
    })
}
