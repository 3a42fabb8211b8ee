//! Whether ratings with hidden fractions explain a printed table of adjusted ratings.

use matchwright_rating::PartyBonus;
use serde::Serialize;

/// What a bonus makes of one printed party.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HiddenFractions {
    /// Adjusted ratings, if the printed numbers were exact.
    pub from_printed: Vec<f64>,
    /// Ratings that round to the printed ones and whose adjusted ones round to the printed adjusted ones, of those
    /// found the ones with most room to either side; none if there are none (among the spreads that were tried).
    pub hidden: Option<Vec<f64>>,
    /// The bonuses, common to the party, with which ratings of any spread would do; empty interval if none.
    pub common_bonus: (f64, f64),
    /// The same, if the printed numbers were exact.
    pub exact_bonus: (f64, f64),
}

/// Spreads that are tried on either side of the printed one.
const STEPS: i32 = 1_000;

/// Looks for ratings x with round(x) = `printed` and round(x + b) = `adjusted`, where b is `bonus` of their number
/// and of max(x) - min(x).
///
/// Interval arithmetic: with a bonus b each member lies in the intersection of \[m - 1/2, m + 1/2) and [a - 1/2 - b,
/// a + 1/2 - b). For a spread s, b is known; a solution with that spread exists if and only if no intersection is
/// empty, and the differences between best and worst that they allow contain s. Spreads within 1 of the printed one,
/// which are all that can be, are tried in steps of a thousandth.
///
/// Both slices have the party's members in one order; the shorter decides. A single player has no bonus.
///
/// ```
/// use matchwright_rating::PartyBonusParams;
/// use matchwright_papers::dota::hidden_fractions;
///
/// let bonus = PartyBonusParams::default().build()?;
/// // +0 and +1 in one party: not of whole numbers, but of fractions.
/// let found = hidden_fractions(&bonus, &[2788.0, 2626.0], &[2788.0, 2627.0]);
/// assert!(found.exact_bonus.0 >= found.exact_bonus.1);
/// let hidden = found.hidden.unwrap();
/// let raised = bonus.points(2, hidden[0] - hidden[1]);
/// assert_eq!((hidden[0].round(), (hidden[0] + raised).round()), (2788.0, 2788.0));
/// assert_eq!((hidden[1].round(), (hidden[1] + raised).round()), (2626.0, 2627.0));
/// # Ok::<(), matchwright_rating::ParamError>(())
/// ```
#[must_use]
pub fn hidden_fractions(bonus: &PartyBonus, printed: &[f64], adjusted: &[f64]) -> HiddenFractions {
    let members: Vec<(f64, f64)> = printed.iter().copied().zip(adjusted.iter().copied()).collect();
    let spread = spread_of(printed);
    let exact = bonus.points(members.len(), spread);
    let common = |rounding: f64| {
        let lows = members.iter().map(|(m, a)| a - m - rounding);
        let highs = members.iter().map(|(m, a)| a - m + rounding);
        (
            lows.fold(f64::NEG_INFINITY, f64::max),
            highs.fold(f64::INFINITY, f64::min),
        )
    };
    let try_step = |step: i32| {
        let wanted = (spread + f64::from(step) / f64::from(STEPS)).max(0.0);
        let (room, found) = of_spread(&members, wanted, bonus.points(members.len(), wanted))?;
        let raised = bonus.points(found.len(), spread_of(&found));
        let fits = |(x, (m, a)): (&f64, &(f64, f64))| x.round() == *m && (x + raised).round() == *a;
        // The spread that comes out differs from the one wanted by rounding: the last word has the definition.
        found.iter().zip(&members).all(fits).then_some((room, found))
    };
    let fitting = (-STEPS..=STEPS).filter_map(try_step);
    let best = fitting.max_by(|a, b| a.0.total_cmp(&b.0));
    HiddenFractions {
        from_printed: members.iter().map(|(m, _)| m + exact).collect(),
        hidden: best.map(|(_, found)| found),
        common_bonus: common(1.0),
        exact_bonus: common(0.5),
    }
}

/// The best less the worst of these ratings.
pub(crate) fn spread_of(ratings: &[f64]) -> f64 {
    let best = ratings.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let worst = ratings.iter().copied().fold(f64::INFINITY, f64::min);
    best - worst
}

/// Ratings whose best and worst are `spread` apart and to which `points` are added; and how much room they have.
fn of_spread(members: &[(f64, f64)], spread: f64, points: f64) -> Option<(f64, Vec<f64>)> {
    let range = |(m, a): &(f64, f64)| ((m - 0.5).max(a - 0.5 - points), (m + 0.5).min(a + 0.5 - points));
    let ranges: Vec<(f64, f64)> = members.iter().map(range).collect();
    if ranges.iter().any(|(low, high)| low >= high) {
        return None;
    }
    let by_value = |a: &usize, b: &usize| members[*a].0.total_cmp(&members[*b].0);
    let best = (0..members.len()).max_by(by_value)?;
    let worst = (0..members.len()).min_by(by_value)?;
    let widths = ranges.iter().map(|(low, high)| high - low);
    let mut room = widths.fold(f64::INFINITY, f64::min);
    let middles = ranges.iter().map(|(low, high)| f64::midpoint(*low, *high));
    let mut found: Vec<f64> = middles.collect();
    if best != worst {
        // The worst one's range, as far as the best one can be `spread` above.
        let low = ranges[worst].0.max(ranges[best].0 - spread);
        let high = ranges[worst].1.min(ranges[best].1 - spread);
        if low >= high {
            return None;
        }
        room = room.min(high - low);
        found[worst] = f64::midpoint(low, high);
        found[best] = found[worst] + spread;
        // Members in between may not leave what is between the two.
        for value in &mut found {
            *value = value.clamp(f64::midpoint(low, high), f64::midpoint(low, high) + spread);
        }
    }
    Some((room, found))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dota::printed::MATCH;
    use matchwright_rating::PartyBonusParams;

    fn bonus() -> PartyBonus {
        PartyBonusParams::default().build().unwrap()
    }

    fn party(side: usize, letter: char) -> (Vec<f64>, Vec<f64>) {
        let members = MATCH[side].iter().filter(|player| player.party == letter);
        members.map(|player| (player.mmr, player.adjusted)).unzip()
    }

    #[test]
    fn every_party_of_the_printed_match_is_explained() {
        for (side, letter) in [(0, 'D'), (0, 'F'), (0, 'A'), (1, 'C'), (1, 'E'), (1, 'B')] {
            let (printed, adjusted) = party(side, letter);
            let found = hidden_fractions(&bonus(), &printed, &adjusted);
            assert!(found.hidden.is_some(), "{letter}: {found:?}");
            let off = found
                .from_printed
                .iter()
                .zip(&adjusted)
                .map(|(x, a)| (x - a).abs());
            assert!(off.fold(0.0, f64::max) < 1.0, "{letter}");
        }
    }

    #[test]
    fn a_bonus_that_is_too_large_or_too_small_explains_nothing() {
        let (printed, adjusted) = party(0, 'F');
        for size_points in [[0.6; 4], [-0.6; 4]] {
            let params = PartyBonusParams {
                size_points,
                ..PartyBonusParams::default()
            };
            let found = hidden_fractions(&params.build().unwrap(), &printed, &adjusted);
            assert_eq!(found.hidden, None, "{size_points:?}");
        }
        // No common bonus lies 2 apart for two members.
        let found = hidden_fractions(&bonus(), &[2788.0, 2626.0], &[2788.0, 2628.0]);
        assert!(found.hidden.is_none() && found.common_bonus.0 >= found.common_bonus.1);
    }
}
