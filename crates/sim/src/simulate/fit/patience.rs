//! How long parties wait before they give up.

use std::fmt::Write;

use super::{FittedScenario, Observed, PatiencePoint, rounded};
use crate::replay::WaitSpan;
use crate::simulate::patience::Patience;
use crate::statistics::beta_quantile;

/// Points of the table at most, at equal steps of the share.
const POINTS: usize = 50;
/// The curve ends where fewer tickets still wait: a step of it is then more than a twentieth, and the last one goes to the
/// end whatever is true.
const ENOUGH: usize = 20;

/// Fits the curve: Kaplan and Meier, "Nonparametric estimation from incomplete observations", J. Am. Stat. Assoc. 53,
/// 1958, eq. 2a.
pub(super) fn fit(observed: Observed<'_>, fitted: &mut FittedScenario) {
    let waits = observed.log.waits();
    let leavers = waits.iter().filter(|wait| wait.gave_up).count();
    if leavers == 0 {
        let text = "no ticket was seen to give up: in this world none ever does".to_owned();
        fitted.note("patience", text);
        return;
    }
    let Curve { points, until } = product_limit(&waits);
    let Some(&last) = points.last() else {
        let text = format!(
            "{leavers} tickets gave up, but fewer than {ENOUGH} waited as long at least: too few to tell, and in this world \
             none ever gives up"
        );
        fitted.note("patience", text);
        return;
    };
    let mut table: Vec<(f64, f64)> = Vec::new();
    fitted.patience = thinned(&points);
    for point in &fitted.patience {
        let row = (rounded(point.seconds), rounded(point.left));
        if table.last().is_none_or(|last| row.0 > last.0 && row.1 > last.1) {
            table.push(row);
        }
    }
    fitted.params.patience = Some(Patience::Table(table));
    fitted.bounded(
        format!("patience left by {:.4} s", last.seconds),
        (last.left, last.standard_error, Some(last.interval)),
        (leavers as u64, "tickets that gave up"),
    );
    let unknown = observed.log.unknown_waits();
    let censored = observed.log.len() - leavers - unknown;
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
                "open beyond {until:.1} s, as fewer than {ENOUGH} tickets waited longer: the {:.1} % of the parties who would \
                 wait longer never give up in this world",
                100.0 * (1.0 - last.left)
            ),
        );
    }
    if observed.journal.is_none() {
        let text = "a ticket that left because a proposal was declined counts as one that gave up, and the time in which \
                    players were asked to accept as a wait: a plain log does not tell them apart";
        fitted.note("patience", text.to_owned());
    }
}

/// The share that has given up, as far as it is known.
struct Curve {
    /// After each wait at which one gave up.
    points: Vec<PatiencePoint>,
    /// Seconds that enough tickets waited.
    until: f64,
}

/// The curve of Kaplan and Meier up to the wait that enough tickets reached, with 95 % intervals:
///
/// ```text
/// S = prod (1 - d / r),   g = sum d / (r (r - d)),   n' = (1 - S) / (S g),   x' = n' (1 - S)
/// 1 - S lies between the quantiles 2.5 and 97.5 % of Beta(x', n' - x' + 1)
/// ```
///
/// n' tickets without censoring would have Greenwood's error, and the share that has given up when x' of n' have is of that
/// distribution: exactly where nothing is censored, since it is the x'-th of n' uniform numbers in order (David and
/// Nagaraja, "Order Statistics", 3rd edition 2003, section 2.3).
fn product_limit(waits: &[WaitSpan]) -> Curve {
    let sorted = |of: fn(&WaitSpan) -> f64| {
        let mut times: Vec<f64> = waits.iter().map(of).collect();
        times.sort_by(f64::total_cmp);
        times
    };
    let (begun, ended) = (sorted(|wait| wait.from), sorted(|wait| wait.to));
    let mut left: Vec<f64> = waits
        .iter()
        .filter(|wait| wait.gave_up)
        .map(|wait| wait.to)
        .collect();
    left.sort_by(f64::total_cmp);
    // Who begins or ends then is still at risk.
    let at_risk = |at: f64| begun.partition_point(|from| *from <= at) - ended.partition_point(|to| *to < at);
    let known = ended.iter().take_while(|&&at| at_risk(at) >= ENOUGH);
    let until = known.last().copied().unwrap_or(0.0);
    let (mut still, mut greenwood) = (1.0, 0.0);
    let mut points = Vec::new();
    for same in left.chunk_by(|a, b| a == b).take_while(|same| same[0] <= until) {
        let (risk, count) = (at_risk(same[0]) as f64, same.len() as f64);
        let before = still;
        still *= 1.0 - count / risk;
        let interval = if risk > count {
            greenwood += count / (risk * (risk - count));
            let n = (1.0 - still) / (still * greenwood);
            let x = n * (1.0 - still);
            [0.025, 0.975].map(|share| beta_quantile(share, x, n - x + 1.0).unwrap_or(f64::NAN))
        } else {
            // All at once: of those the share is that of a count.
            [1.0 - before * (1.0 - 0.025_f64.powf(1.0 / risk)), 1.0]
        };
        points.push(PatiencePoint {
            seconds: same[0].max(0.001),
            left: 1.0 - still,
            standard_error: still * f64::sqrt(greenwood),
            interval,
        });
    }
    Curve { points, until }
}

/// The last point of each of `POINTS - 1` equal steps of the share, and the first and last of all.
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
    use crate::random::{Purpose, stream};
    use rand_distr::{Distribution, Exp1};

    fn wait(to: f64, gave_up: bool) -> WaitSpan {
        WaitSpan {
            from: 0.0,
            to,
            gave_up,
        }
    }

    #[test]
    fn the_curve_is_that_of_a_textbook_with_censored_waits() {
        // Leavers at 1, 3, 3 and 7 of eight; censored at 2, 3, 5 and 9; each ten times, so that enough are at risk.
        let waits = [
            (1.0, true),
            (2.0, false),
            (3.0, true),
            (3.0, true),
            (3.0, false),
            (5.0, false),
            (7.0, true),
            (9.0, false),
        ];
        let waits: Vec<WaitSpan> = waits
            .iter()
            .flat_map(|&(to, gave_up)| [wait(to, gave_up); 10])
            .collect();
        let Curve { points, until } = product_limit(&waits);
        let still: Vec<f64> = points.iter().map(|point| 1.0 - point.left).collect();
        let expected = [7.0 / 8.0, 7.0 / 8.0 * 4.0 / 6.0, 7.0 / 8.0 * 4.0 / 6.0 / 2.0];
        assert_eq!((points.len(), until), (3, 7.0));
        for (found, wanted) in still.iter().zip(expected) {
            assert!((found - wanted).abs() < 1e-12, "{still:?}");
        }
        // Greenwood at the first: S sqrt(10 / (80 * 70)).
        let error = 7.0 / 8.0 * (10.0 / 5600.0_f64).sqrt();
        assert!((points[0].standard_error - error).abs() < 1e-12);
    }

    #[test]
    fn the_curve_ends_where_fewer_than_twenty_are_at_risk() {
        let waits: Vec<WaitSpan> = (1..=30).map(|at| wait(f64::from(at), true)).collect();
        let Curve { points, until } = product_limit(&waits);
        let last = points.last().unwrap();
        assert_eq!((points.len(), until, last.seconds), (11, 11.0, 11.0));
        assert!((last.left - 11.0 / 30.0).abs() < 1e-12, "{last:?}");
        assert!(product_limit(&waits[..19]).points.is_empty());
        // All that are left at once.
        let all = product_limit(&vec![wait(60.0, true); 25]).points;
        assert_eq!((all.len(), all[0].left, all[0].interval[1]), (1, 1.0, 1.0));
        assert!((all[0].interval[0] - 0.862_8).abs() < 1e-4, "{all:?}");
    }

    /// A ticket that was asked from 10 s to 50 s is not at risk in between.
    #[test]
    fn who_is_asked_to_accept_is_not_at_risk() {
        let mut waits = vec![wait(30.0, true); 5];
        waits.extend(vec![wait(60.0, false); 20]);
        let of = |waits: &[WaitSpan]| product_limit(waits).points[0].left;
        assert!((of(&waits) - 0.2).abs() < 1e-12);
        let back = WaitSpan {
            from: 50.0,
            ..wait(60.0, false)
        };
        waits.extend([wait(10.0, false), back].repeat(25));
        assert!((of(&waits) - 0.2).abs() < 1e-12);
    }

    /// Patience exponential of a mean of 100 s; matched after an exponential wait too.
    #[test]
    fn intervals_hold_a_known_patience_as_often_as_they_say() {
        for (tickets, matched) in [(60, 100.0), (300, 40.0), (300, 300.0)] {
            let mut random = stream(tickets, Purpose::Traits, 0, 0);
            let mut drawn = |mean: f64| {
                let drawn: f64 = Exp1.sample(&mut random);
                mean * drawn
            };
            let (mut held, mut all) = ([0, 0], [0, 0]);
            for _ in 0..300 {
                let one = |_| {
                    let (patience, matched) = (drawn(100.0), drawn(matched));
                    wait(patience.min(matched), patience < matched)
                };
                let waits: Vec<WaitSpan> = (0..tickets).map(one).collect();
                let Curve { points, .. } = product_limit(&waits);
                let holds = |point: &PatiencePoint, at: f64| {
                    let truth = 1.0 - (-at / 100.0).exp();
                    i32::from(point.interval[0] <= truth && truth <= point.interval[1])
                };
                // At the points of the table, and at a given time.
                for point in thinned(&points) {
                    held[0] += holds(&point, point.seconds);
                    all[0] += 1;
                }
                if let Some(point) = points.iter().rfind(|point| point.seconds <= 25.0) {
                    held[1] += holds(point, 25.0);
                    all[1] += 1;
                }
            }
            for (held, all) in held.iter().zip(all) {
                let share = f64::from(*held) / f64::from(all);
                assert!(
                    (0.92..=0.98).contains(&share),
                    "{tickets}, {matched}: {share} of {all}"
                );
            }
        }
    }

    #[test]
    fn a_long_curve_keeps_its_ends_and_fifty_points() {
        let waits: Vec<WaitSpan> = (1..=1000).map(|at| wait(f64::from(at), true)).collect();
        let thin = thinned(&product_limit(&waits).points);
        assert!((48..=51).contains(&thin.len()), "{}", thin.len());
        assert_eq!(
            (thin[0].seconds, thin.last().map(|last| last.seconds)),
            (1.0, Some(981.0))
        );
        assert!(thin.is_sorted_by(|a, b| a.seconds < b.seconds && a.left < b.left));
    }
}
