//! How long parties wait before they give up.

use std::fmt::Write;

use super::{FittedScenario, Observed, PatiencePoint, rounded};
use crate::simulate::patience::Patience;

/// Points of the table at most, at equal steps of the share.
const POINTS: usize = 50;

/// Fits the curve: Kaplan and Meier, "Nonparametric estimation from incomplete observations", J. Am. Stat. Assoc. 53,
/// 1958, eq. 2a.
pub(super) fn fit(observed: Observed<'_>, fitted: &mut FittedScenario) {
    let (ends, unknown) = ends(observed);
    let leavers = ends.iter().filter(|end| end.1).count();
    let censored = ends.len() - leavers;
    if leavers == 0 {
        let text = "no ticket was seen to give up: in this world none ever does".to_owned();
        fitted.note("patience", text);
        return;
    }
    let curve = product_limit(&ends);
    let last = *curve.last().unwrap_or(&PatiencePoint {
        seconds: 0.0,
        left: 0.0,
        standard_error: 0.0,
    });
    let mut table: Vec<(f64, f64)> = Vec::new();
    fitted.patience = thinned(&curve);
    for point in &fitted.patience {
        let row = (rounded(point.seconds), rounded(point.left));
        if table.last().is_none_or(|last| row.0 > last.0 && row.1 > last.1) {
            table.push(row);
        }
    }
    fitted.params.patience = Some(Patience::Table(table));
    fitted.value(
        format!("patience left by {:.4} s", last.seconds),
        (last.left, last.standard_error),
        (leavers as u64, "tickets that gave up"),
    );
    let mut text = format!(
        "from {leavers} tickets that gave up and {censored} that ended otherwise before they would have"
    );
    if unknown > 0 {
        let _ = write!(text, "; {unknown} more have no known end and tell nothing");
    }
    fitted.note("patience", text);
    if last.left < 0.9999 {
        fitted.note(
            "patience",
            format!(
                "nothing is known beyond {:.1} s, where the last gave up: the {:.1} % of the parties who would wait longer \
                 never give up in this world",
                last.seconds,
                100.0 * (1.0 - last.left)
            ),
        );
    }
    if observed.journal.is_none() {
        let text = "a ticket that left because a proposal was declined counts as one that gave up: a plain log does not \
                    tell them apart";
        fitted.note("patience", text.to_owned());
    }
}

/// Seconds that each ticket waited, and whether it then gave up; and how many have no known end.
fn ends(observed: Observed<'_>) -> (Vec<(f64, bool)>, usize) {
    let (mut ends, mut unknown) = (Vec::new(), 0);
    for logged in observed.log.tickets() {
        let still = observed.journal.map(|journal| journal.end);
        match logged.left.or(logged.matched).or(still) {
            Some(end) => {
                let ticket = &logged.ticket.id;
                let declined = observed
                    .journal
                    .is_some_and(|journal| journal.declined.contains(ticket));
                let gave_up = logged.left.is_some() && !declined;
                ends.push((end.seconds_since(logged.came), gave_up));
            }
            None => unknown += 1,
        }
    }
    // Of equal waits those who gave up come first.
    ends.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    (ends, unknown)
}

/// The share that has given up, after each wait at which one did.
fn product_limit(ends: &[(f64, bool)]) -> Vec<PatiencePoint> {
    let (mut still, mut greenwood) = (1.0, 0.0);
    let mut curve = Vec::new();
    let mut at = 0;
    while at < ends.len() {
        let (seconds, risk) = (ends[at].0, (ends.len() - at) as f64);
        let same = ends[at..].iter().take_while(|end| end.0 == seconds);
        let (count, left) = same.fold((0, 0.0), |(count, left), end| {
            (count + 1, left + f64::from(u8::from(end.1)))
        });
        at += count;
        if left == 0.0 {
            continue;
        }
        still *= 1.0 - left / risk;
        if risk > left {
            greenwood += left / (risk * (risk - left));
        }
        curve.push(PatiencePoint {
            seconds: seconds.max(0.001),
            left: 1.0 - still,
            standard_error: still * f64::sqrt(greenwood),
        });
    }
    curve
}

/// The last point of each of so many equal steps of the share, and the first and last of all.
fn thinned(curve: &[PatiencePoint]) -> Vec<PatiencePoint> {
    let most = curve.last().map_or(0.0, |last| last.left);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a step of a share"
    )]
    let step = |point: &PatiencePoint| (point.left / most * (POINTS - 1) as f64) as usize;
    let is_kept = |place: usize| {
        let next = curve.get(place + 1);
        place == 0 || next.is_none_or(|next| step(next) > step(&curve[place]))
    };
    let kept = (0..curve.len()).filter(|&place| is_kept(place));
    kept.map(|place| curve[place]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_is_that_of_a_textbook_with_censored_waits() {
        // Leavers at 1, 3, 3 and 7 of eight; censored at 2, 3, 5 and 9.
        let ends = [
            (1.0, true),
            (2.0, false),
            (3.0, true),
            (3.0, true),
            (3.0, false),
            (5.0, false),
            (7.0, true),
            (9.0, false),
        ];
        let curve = product_limit(&ends);
        let still: Vec<f64> = curve.iter().map(|point| 1.0 - point.left).collect();
        let expected = [7.0 / 8.0, 7.0 / 8.0 * 4.0 / 6.0, 7.0 / 8.0 * 4.0 / 6.0 / 2.0];
        for (found, wanted) in still.iter().zip(expected) {
            assert!((found - wanted).abs() < 1e-12, "{still:?}");
        }
        // Greenwood at the first: S sqrt(1 / (8 * 7)).
        let error = 7.0 / 8.0 * (1.0 / 56.0_f64).sqrt();
        assert!((curve[0].standard_error - error).abs() < 1e-12);
        assert_eq!(curve.len(), 3);
    }

    #[test]
    fn a_long_curve_keeps_its_ends_and_fifty_points() {
        let ends: Vec<(f64, bool)> = (1..=1000).map(|wait| (f64::from(wait), true)).collect();
        let thin = thinned(&product_limit(&ends));
        assert!((48..=51).contains(&thin.len()), "{}", thin.len());
        assert_eq!(
            (thin[0].seconds, thin.last().map(|last| last.seconds)),
            (1.0, Some(1000.0))
        );
        assert!(thin.is_sorted_by(|a, b| a.seconds < b.seconds && a.left < b.left));
    }
}
