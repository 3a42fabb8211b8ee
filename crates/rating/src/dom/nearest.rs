//! [`BaseComparison`] of two bases, and the nearest bases of each.

use super::{BaseOdds, BaseRating};

/// Two bases side by side, from [`BaseOdds::compare`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct BaseComparison {
    /// [`BaseRating::offence_delta`], a share; negative where the opponent's offence is the higher one.
    pub offence_lead: f64,
    /// The same of defences.
    pub defence_lead: f64,
    /// The chance that the base beats the opponent, in \[0, 1\].
    pub win_probability: f64,
    /// Whether that is a good match.
    pub good_match: bool,
}

impl BaseComparison {
    /// The larger of both differences, by which [`nearest_bases`] orders.
    #[must_use]
    pub fn distance(&self) -> f64 {
        self.offence_lead.abs().max(self.defence_lead.abs())
    }
}

impl BaseOdds {
    /// All that is to say of a war of `base` and `opponent`.
    ///
    /// ```
    /// use matchwright_rating::{BaseOddsParams, BaseRating};
    ///
    /// let odds = BaseOddsParams::default().build()?;
    /// let (ours, theirs) = (BaseRating::new(500.0, 1100.0)?, BaseRating::new(500.0, 1000.0)?);
    /// let war = odds.compare(&theirs, &ours);
    /// assert!((war.defence_lead + 0.1).abs() < 1e-12 && (war.win_probability - 0.4).abs() < 1e-12);
    /// assert!(!war.good_match);
    /// # Ok::<(), matchwright_rating::ParamError>(())
    /// ```
    #[must_use]
    pub fn compare(&self, base: &BaseRating, opponent: &BaseRating) -> BaseComparison {
        let signed = |delta: f64, own: f64, other: f64| if own < other { -delta } else { delta };
        BaseComparison {
            offence_lead: signed(base.offence_delta(opponent), base.offence(), opponent.offence()),
            defence_lead: signed(base.defence_delta(opponent), base.defence(), opponent.defence()),
            win_probability: self.win_probability(base, opponent),
            good_match: self.is_good_match(base, opponent),
        }
    }
}

/// For each base the `count` others that are nearest, by their places in `bases`, nearest first: by the larger of
/// [`offence_delta`](BaseRating::offence_delta) and [`defence_delta`](BaseRating::defence_delta), equals by their place.
///
/// From each base it goes through the others in order of offence, both ways, until these alone are too far: O(n log n + n w), w
/// the bases that are looked at; n of them where all offences are alike.
///
/// ```
/// use matchwright_rating::{BaseRating, nearest_bases};
///
/// let bases = [(100.0, 100.0), (101.0, 200.0), (110.0, 105.0)].map(|(o, d)| BaseRating::new(o, d).unwrap());
/// assert_eq!(nearest_bases(&bases, 1), [[2], [2], [0]]);
/// ```
#[must_use]
pub fn nearest_bases(bases: &[BaseRating], count: usize) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..bases.len()).collect();
    order.sort_by(|&a, &b| bases[a].offence().total_cmp(&bases[b].offence()));
    let mut nearest = vec![Vec::new(); bases.len()];
    if count == 0 {
        return nearest;
    }
    for (place, &base) in order.iter().enumerate() {
        let mut best = Vec::new();
        let below = order[..place].iter().rev();
        add_near(bases, (base, below), count, &mut best);
        add_near(bases, (base, order[place + 1..].iter()), count, &mut best);
        nearest[base] = best.into_iter().map(|(_, other)| other).collect();
    }
    nearest
}

/// Enters `others`, whose offences get ever further away from that of `base`, among the `count` nearest so far.
fn add_near<'a>(
    bases: &[BaseRating],
    (base, others): (usize, impl Iterator<Item = &'a usize>),
    count: usize,
    best: &mut Vec<(f64, usize)>,
) {
    for &other in others {
        let offence = bases[base].offence_delta(&bases[other]);
        let is_full = best.len() == count;
        if is_full && best.last().is_some_and(|(farthest, _)| offence > *farthest) {
            return;
        }
        let found = (offence.max(bases[base].defence_delta(&bases[other])), other);
        let at = best.partition_point(|known| *known < found);
        if at < count {
            best.insert(at, found);
            best.truncate(count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_are_those_of_a_full_search() {
        // Values of two digits, so that there are equals.
        let bases: Vec<BaseRating> = (0..60_u32)
            .map(|n| BaseRating::new(f64::from(10 + n * 37 % 41), f64::from(10 + n * 53 % 43)).unwrap())
            .collect();
        for count in [0, 1, 4, 59, 100] {
            let nearest = nearest_bases(&bases, count);
            for (of, found) in nearest.iter().enumerate() {
                let delta = |other: usize| {
                    let (a, b) = (&bases[of], &bases[other]);
                    a.offence_delta(b).max(a.defence_delta(b))
                };
                let mut all: Vec<usize> = (0..bases.len()).filter(|&other| other != of).collect();
                all.sort_by(|&a, &b| delta(a).total_cmp(&delta(b)));
                all.truncate(count);
                assert_eq!(*found, all, "{of}");
            }
        }
    }

    #[test]
    fn the_signs_say_whose_rating_is_higher() {
        let odds = crate::BaseOddsParams::default().build().unwrap();
        let (a, b) = (
            BaseRating::new(5.0, 4.0).unwrap(),
            BaseRating::new(4.0, 4.0).unwrap(),
        );
        let (ours, theirs) = (odds.compare(&a, &b), odds.compare(&b, &a));
        assert_eq!((ours.offence_lead, theirs.offence_lead), (0.25, -0.25));
        assert_eq!(
            (ours.defence_lead, ours.distance(), theirs.distance()),
            (0.0, 0.25, 0.25)
        );
        assert!((ours.win_probability + theirs.win_probability - 1.0).abs() < 1e-15);
    }
}
