//! Where a population departs from what EOMM assumes: each departure is off by default.

use serde::{Deserialize, Serialize};

/// What EOMM's model of players leaves out (Chen et al., WWW 2017), each by one number. All are off by default, and then
/// a seed gives the population that it gave before these existed.
///
/// | EOMM assumes | departure |
/// |---|---|
/// | churn after an outcome does not depend on the opponent (Eq. 2) | [`one_sided_effect`](Self::one_sided_effect) |
/// | a draw is as likely at any gap (Eq. 10) | [`draw_width`](Self::draw_width) |
/// | an outcome moves every player's churn alike, given the history | [`sensitivity_deviation`](Self::sensitivity_deviation) |
/// | skills do not change (section 5.3) | [`skill_drift`](Self::skill_drift) |
///
/// ```
/// use matchwright_sim::population::{Departures, GeneratorParams, generate};
///
/// let departures = Departures { draw_width: Some(300.0), skill_drift: 8.0, ..Departures::default() };
/// let params = GeneratorParams { players: 50, days: 5.0, departures, ..GeneratorParams::default() };
/// let truth = generate(&params, 1)?.truth;
/// let draws = [0.0, 300.0].map(|gap| truth.outcome_probabilities(1500.0 + gap, 1500.0)[1]);
/// assert!((draws[1] / draws[0] - (-1.0_f64).exp()).abs() < 1e-12);
/// # Ok::<(), matchwright_sim::population::GeneratorError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Departures {
    /// Added to the eight-hour churn logit of both players of a match whose winner is certain beforehand; of others in
    /// proportion to how one-sided they are, `|2q - 1|`, q being one player's expected score in decided matches: 0
    /// between equals, 0.28 at a gap of 100 points, 0.52 at 200, 0.82 at 400.
    ///
    /// Uncertainty of outcome is what keeps a contest interesting (Rottenberg, "The baseball players' labor market",
    /// Journal of Political Economy 64, 1956, doi 10.1086/257790): one side has no hope, the other nothing to do. The
    /// difference of the two winning probabilities is a usual measure of it, and it is bounded: a match cannot be more
    /// hopeless than hopeless.
    pub one_sided_effect: f64,
    /// A match is drawn with probability `draw_rate exp(-(gap / this)^2)`, rating points; none: at any gap alike.
    pub draw_width: Option<f64>,
    /// Outcomes move a player's eight-hour churn logit by `outcome_effects` times a factor of its own, drawn from
    /// N(1, this^2). Below 0 are players who leave after wins and stay after losses: 16 % of all if this is 1.
    pub sensitivity_deviation: f64,
    /// Skills wander: standard deviation of the change in a day, rating points per square root of a day. A change shows
    /// when its player plays.
    pub skill_drift: f64,
}

impl Departures {
    /// All numbers, each with the least and the most that it may be.
    pub(super) fn ranges(&self) -> [(&'static str, f64, f64, f64); 4] {
        let width = self.draw_width.unwrap_or(1.0);
        [
            ("departures.one_sided_effect", self.one_sided_effect, -1e9, 1e9),
            ("departures.draw_width", width, 1e-3, 1e9),
            (
                "departures.sensitivity_deviation",
                self.sensitivity_deviation,
                0.0,
                1e9,
            ),
            ("departures.skill_drift", self.skill_drift, 0.0, 1e9),
        ]
    }

    /// What they assume, one sentence for each that is on.
    pub(super) fn assumptions(&self) -> Vec<String> {
        let mut found = Vec::new();
        if self.one_sided_effect != 0.0 {
            found.push(format!(
                "The opponent matters: {:+} |2q - 1| is added to the eight-hour churn logit of both players, q being the expected score of one of them in decided matches.",
                self.one_sided_effect
            ));
        }
        if let Some(width) = self.draw_width {
            found.push(format!(
                "The probability of a draw is multiplied by exp(-(gap / {width})^2)."
            ));
        }
        if self.sensitivity_deviation != 0.0 {
            found.push(format!(
                "Players mind outcomes unequally: the effects of win, draw and loss are multiplied by a factor of each player's own, N(1, {}^2).",
                self.sensitivity_deviation
            ));
        }
        if self.skill_drift != 0.0 {
            found.push(format!(
                "Skills wander by N(0, {}^2) points in a day.",
                self.skill_drift
            ));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::population::params::GeneratorParams;
    use approx::assert_abs_diff_eq;

    fn params() -> GeneratorParams {
        GeneratorParams {
            departures: Departures {
                one_sided_effect: 0.4,
                draw_width: Some(200.0),
                ..Departures::default()
            },
            ..GeneratorParams::default()
        }
    }

    #[test]
    fn draws_get_rarer_with_the_gap_alone_and_the_rest_follows_the_skills() {
        let [win, draw, loss] = params().outcome_probabilities(1700.0, 1500.0);
        assert_abs_diff_eq!(draw, 0.2 * (-1.0_f64).exp(), epsilon = 1e-12);
        assert_abs_diff_eq!(win + draw + loss, 1.0, epsilon = 1e-12);
        assert_abs_diff_eq!(win / loss, 10.0_f64.sqrt(), epsilon = 1e-12);
        assert_eq!(params().outcome_probabilities(1500.0, 1500.0), [0.4, 0.2, 0.4]);
        let constant = GeneratorParams::default();
        assert_abs_diff_eq!(constant.outcome_probabilities(2500.0, 1500.0)[1], 0.2);
    }

    #[test]
    fn one_sided_matches_repel_both_sides_alike_and_even_ones_nobody() {
        let params = params();
        assert_abs_diff_eq!(params.opponent_logit(0.0), 0.0);
        assert_abs_diff_eq!(params.opponent_logit(400.0), 0.4 * 9.0 / 11.0, epsilon = 1e-12);
        assert_abs_diff_eq!(params.opponent_logit(-400.0), params.opponent_logit(400.0));
        assert!(params.opponent_logit(1e6) <= 0.4);
    }

    #[test]
    fn a_factor_below_zero_turns_the_effects_of_outcomes_round() {
        let params = GeneratorParams::default();
        let [win, draw, loss] = params.outcome_logits(0.0);
        assert_eq!(params.outcome_effects.by_index(), [win, draw, loss]);
        assert_eq!(params.outcome_logits(-2.0), [-win, -draw, -loss]);
    }

    #[test]
    fn what_is_out_of_range_is_named_and_what_is_on_is_told() {
        let with = |departures| GeneratorParams {
            departures,
            ..GeneratorParams::default()
        };
        let off = Departures::default();
        assert_eq!(off.assumptions(), Vec::<String>::new());
        for (departures, name) in [
            (
                Departures {
                    one_sided_effect: f64::NAN,
                    ..off.clone()
                },
                "one_sided_effect",
            ),
            (
                Departures {
                    draw_width: Some(0.0),
                    ..off.clone()
                },
                "draw_width",
            ),
            (
                Departures {
                    sensitivity_deviation: -1.0,
                    ..off.clone()
                },
                "sensitivity_deviation",
            ),
            (
                Departures {
                    skill_drift: -1.0,
                    ..off.clone()
                },
                "skill_drift",
            ),
        ] {
            assert_eq!(departures.assumptions().len(), 1);
            let message = with(departures).check().unwrap_err().to_string();
            assert!(message.contains(name), "{message}");
        }
    }
}
