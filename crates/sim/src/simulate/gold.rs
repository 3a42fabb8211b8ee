//! [`GoldParams`]: the difference in gold over a match, and how close it says that the match was.

use matchwright_scoring::lead_balance;
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

use crate::random::standard_normal;
use crate::statistics::normal_quantile;

/// How gold goes to the two teams of a match: a Brownian motion whose drift is what the teams' true skills are apart.
///
/// ```text
/// G(t) = m t + s B(t)      t minutes, G the first team's gold less the second's, s the `deviation`
/// m    = s z / sqrt(T)     T the length, z the standard normal quantile of the first team's true chance
/// ```
///
/// So the side that is ahead in gold at the end is the first team with just its true chance, and the match is drawn on the
/// condition that it is the winner. Gold that helps to earn more is left out. The shape and its one number are ours; the
/// measure that is taken of it is Valve's ("Dota 2: Matchmaking", 7 December 2013).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct GoldParams {
    /// Standard deviation of what one minute adds to the difference, gold. Default 1700: 10,000 in 35 minutes.
    pub deviation: f64,
}

impl Default for GoldParams {
    fn default() -> Self {
        Self { deviation: 1700.0 }
    }
}

/// No team is surer to win: a finite quantile.
const SUREST: f64 = 1e-9;
const MOST_STEPS: f64 = 1000.0;

impl GoldParams {
    /// The winner's lead at equal steps of a minute or less: seconds and gold, the end above 0. `chance` was the winner's.
    ///
    /// The end is drawn by the inverse of the normal distribution above 0, the way there is a Brownian bridge. O(minutes); steps
    /// are longer in a match of more than [`MOST_STEPS`] minutes.
    pub(super) fn winners_lead(self, chance: f64, minutes: f64, rng: &mut impl Rng) -> Vec<(f64, f64)> {
        let chance = chance.clamp(SUREST, 1.0 - SUREST);
        let standard = |share: f64| normal_quantile(0.0, 1.0, share.clamp(1e-15, 1.0 - 1e-15));
        let drawn: f64 = rng.random();
        // Uniform above the share of ends that the other team would win.
        let end = standard(chance) + standard(1.0 - chance * drawn);
        let end = self.deviation * minutes.sqrt() * end.max(0.0);
        let steps = minutes.ceil().clamp(1.0, MOST_STEPS);
        let step = minutes / steps;
        let (mut left, mut lead) = (steps, 0.0);
        let mut curve = vec![(0.0, lead)];
        while left > 1.0 {
            let spread = self.deviation * (step * (left - 1.0) / left).sqrt();
            lead += (end - lead) / left + spread * standard_normal(rng);
            left -= 1.0;
            curve.push((60.0 * step * (steps - left), lead));
        }
        curve.push((60.0 * minutes, end));
        curve
    }

    /// The area between the gold difference and 0 since it was last 0, gold times minutes: the less, the closer was the
    /// match ([`lead_balance`]). The same whichever team the winner is.
    pub(super) fn balance(self, chance: f64, minutes: f64, rng: &mut impl Rng) -> Option<f64> {
        let curve = self.winners_lead(chance, minutes, rng);
        // Dropped: a drawn curve has rising, finite times.
        lead_balance(&curve).ok().map(|balance| balance.area / 60.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, stream};
    use crate::statistics::Summary;

    const GOLD: GoldParams = GoldParams { deviation: 1000.0 };

    fn balances(chance: f64, matches: u64) -> Summary {
        let one = |number| {
            let mut rng = stream(1, Purpose::SimulatedGold, number, 0);
            GOLD.balance(chance, 36.5, &mut rng).unwrap()
        };
        Summary::of((0..matches).map(one))
    }

    /// Ends of a fair match: the size of a normal number; way points: a bridge's variance, by hand.
    #[test]
    fn a_fair_matchs_end_and_middle_have_the_moments_of_a_brownian_motion() {
        let (mut ends, mut halves) = (Summary::default(), Summary::default());
        for number in 0..20_000 {
            let mut rng = stream(2, Purpose::SimulatedGold, number, 0);
            let curve = GOLD.winners_lead(0.5, 36.0, &mut rng);
            assert_eq!((curve.len(), curve[18].0), (37, 1080.0));
            let end = curve[36].1;
            ends.add(end);
            halves.add(curve[18].1 - 0.5 * end);
        }
        let mean = 6000.0 * (2.0 / std::f64::consts::PI).sqrt();
        assert!(
            (ends.mean() - mean).abs() < 4.0 * 3600.0 / 20_000_f64.sqrt(),
            "{}",
            ends.mean()
        );
        assert!(halves.mean().abs() < 4.0 * 3000.0 / 20_000_f64.sqrt());
        let deviation = halves.variance().sqrt();
        assert!((deviation / 3000.0 - 1.0).abs() < 0.02, "{deviation}");
    }

    /// Of a team that wins three in four, all matches together have the drift that its chance says.
    #[test]
    fn wins_and_losses_together_have_the_drift_of_the_chance() {
        let mut ends = Summary::default();
        for number in 0..20_000_u64 {
            let mut rng = stream(3, Purpose::SimulatedGold, number, 0);
            let is_won = !number.is_multiple_of(4);
            let chance = if is_won { 0.75 } else { 0.25 };
            let end = GOLD.winners_lead(chance, 25.0, &mut rng).last().unwrap().1;
            assert!(end > 0.0);
            ends.add(if is_won { end } else { -end });
        }
        let mean = 5000.0 * normal_quantile(0.0, 1.0, 0.75);
        assert!(
            (ends.mean() - mean).abs() < 4.0 * 5000.0 / 20_000_f64.sqrt(),
            "{}",
            ends.mean()
        );
        assert!((ends.variance().sqrt() / 5000.0 - 1.0).abs() < 0.03);
    }

    #[test]
    fn the_area_is_larger_the_surer_the_winner_was() {
        let areas = [0.5, 0.7, 0.9].map(|chance| balances(chance, 4000));
        for two in areas.windows(2) {
            let error = two[0].estimate().standard_error + two[1].estimate().standard_error;
            assert!(two[1].mean() > two[0].mean() + 3.0 * error, "{areas:?}");
        }
    }

    #[test]
    fn the_area_is_that_of_straight_lines_between_the_minutes_since_the_last_zero() {
        for number in 0..200 {
            let draw = || stream(4, Purpose::SimulatedGold, number, 0);
            let curve = GOLD.winners_lead(0.6, 12.25, &mut draw());
            let mut by_hand = 0.0;
            for two in curve.windows(2).rev() {
                let ((from, a), (to, b)) = (two[0], two[1]);
                let minutes = (to - from) / 60.0;
                if a < 0.0 {
                    by_hand += 0.5 * b * minutes * b / (b - a);
                    break;
                }
                by_hand += 0.5 * (a + b) * minutes;
            }
            let area = GOLD.balance(0.6, 12.25, &mut draw()).unwrap();
            assert!(
                (area - by_hand).abs() < 1e-6 * by_hand.max(1.0),
                "{area} {by_hand}"
            );
        }
    }

    #[test]
    fn short_matches_and_sure_winners_have_finite_areas() {
        for (chance, minutes) in [(1.0, 30.0), (0.0, 30.0), (0.5, 0.25), (0.5, 1.0)] {
            let mut rng = stream(5, Purpose::SimulatedGold, 0, 0);
            let area = GOLD.balance(chance, minutes, &mut rng).unwrap();
            assert!(area.is_finite() && area >= 0.0, "{chance} {minutes}: {area}");
        }
    }
}
