//! [`fit_debt`]: how many games after an absence a promotion waits for.

use super::average::AWAY_WEEKS;
use crate::answer::{Answer, Interval};
use crate::average::Averaging;
use crate::snapshot::PromotionHistory;

/// Games that one week of absence costs.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct DebtFit {
    /// Games a week of absence; the ends are bounds that the absences allow, not a confidence interval.
    pub games_per_week: Interval,
    /// Absences that say something.
    pub absences: usize,
    /// Absences that the estimate does not explain.
    pub contradicted: usize,
}

/// What an absence costs, if the debt is paid by a number of games for each week away.
///
/// After an absence of w weeks the j-th game whose average is over the threshold without promotion means a debt of at
/// least j games; a promotion with the n-th game one of less than n. The estimate is the middle of the range of games
/// a week that contradicts the fewest absences. Histories with one absence alone are used. `threshold` is M - K of a
/// history's division.
///
/// Not identifiable: unless some absence shows a debt from below and some from above.
#[must_use]
pub fn fit_debt(
    histories: &[&PromotionHistory],
    average: &dyn Averaging,
    threshold: &dyn Fn(&PromotionHistory) -> Option<f64>,
) -> Answer<DebtFit> {
    let mut ranges = Vec::new();
    for history in histories {
        let Some(threshold) = threshold(history) else {
            continue;
        };
        ranges.extend(range_of(history, average, threshold));
    }
    let below = ranges.iter().filter(|(low, _)| *low > 0.0).count();
    let above = ranges.iter().filter(|(_, high)| high.is_finite()).count();
    if below == 0 || above == 0 {
        return Answer::unknown(
            format!(
                "of {} absences {below} held a promotion up and {above} ended in one: a debt of any size fits",
                ranges.len()
            ),
            "histories of players who came back after weeks, passed the magic number and were promoted later",
        );
    }
    let contradicted = |rate: f64| {
        ranges
            .iter()
            .filter(|(low, high)| rate < *low || rate > *high)
            .count()
    };
    let mut ends: Vec<f64> = ranges
        .iter()
        .flat_map(|&(low, high)| [low, high])
        .filter(|end| end.is_finite())
        .collect();
    ends.push(0.0);
    ends.sort_by(f64::total_cmp);
    let middles = ends
        .windows(2)
        .map(|pair| (f64::midpoint(pair[0], pair[1]), pair[0], pair[1]));
    let tried: Vec<(usize, f64, f64)> = middles
        .map(|(middle, low, high)| (contradicted(middle), low, high))
        .collect();
    let fewest = tried.iter().map(|(count, ..)| *count).min().unwrap_or(0);
    let fitting = || tried.iter().filter(|(count, ..)| *count == fewest);
    let low = fitting().map(|(_, low, _)| *low).fold(f64::INFINITY, f64::min);
    let high = fitting()
        .map(|(_, _, high)| *high)
        .fold(f64::NEG_INFINITY, f64::max);
    Answer::Found(DebtFit {
        games_per_week: Interval {
            value: f64::midpoint(low, high),
            low,
            high,
        },
        absences: ranges.len(),
        contradicted: fewest,
    })
}

/// Games a week that one absence allows, from and to; `None` without an absence that says something.
fn range_of(history: &PromotionHistory, average: &dyn Averaging, threshold: f64) -> Option<(f64, f64)> {
    let mut long = history.away.iter().filter(|(_, weeks)| *weeks >= AWAY_WEEKS);
    let &(first, weeks) = long.next()?;
    if long.next().is_some() || first < history.from {
        return None;
    }
    let last = history.differentials.len();
    let over = |at: usize| {
        let value = average.average(&history.differentials[..=at]);
        // Half a point is the rounding of displayed points.
        value.is_some_and(|value| value > threshold + 0.5)
    };
    let held = (first..last).filter(|&at| over(at) && !(history.promoted && at + 1 == last));
    let least = held.map(|at| at - first + 1).max().unwrap_or(0) as f64;
    let most = if history.promoted && last > first {
        (last - first - 1) as f64
    } else {
        f64::INFINITY
    };
    if least == 0.0 && most.is_infinite() {
        return None;
    }
    // Whole games are owed, rounded.
    let low = if least > 0.0 { (least - 0.5) / weeks } else { 0.0 };
    Some((low, (most + 0.5) / weeks))
}
