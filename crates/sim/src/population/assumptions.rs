//! What a population assumes, in sentences for the page that shows its results.

use super::departures::Departures;
use super::params::GeneratorParams;

const HOUR: f64 = 3600.0;
const DAY: f64 = 24.0 * HOUR;

impl GeneratorParams {
    /// What this population assumes, one sentence each; every parameter appears in one of them.
    #[must_use]
    pub fn assumptions(&self) -> Vec<String> {
        let [last_three, by_pattern] = self.about_seven_days();
        let mut all = vec![
            self.about_players(),
            self.about_matches(),
            self.about_eight_hours(),
            last_three,
            by_pattern,
            self.about_gaps(),
            self.about_calendar(),
        ];
        all.extend(self.departures.assumptions());
        all
    }

    fn about_players(&self) -> String {
        let regions = match self.region_sizes().count() {
            1 => "one region".to_owned(),
            many => format!("{many} regions"),
        };
        let does_change = self.departures.skill_drift != 0.0;
        let change = if does_change { "" } else { "; skills do not change" };
        format!(
            "{} players in {} with skill N({}, {}^2) on the 400-point logistic scale{}. Players of different regions never meet; each region has one player from each of as many equally likely slices of skill, and of habit, as it has players. Ratings come from running the rating system over the matches, never from these skills.",
            self.players, regions, self.skill_mean, self.skill_deviation, change
        )
    }

    fn about_matches(&self) -> String {
        let is_constant = self.departures.draw_width.is_none();
        let gap = if is_constant {
            " whatever the gap"
        } else {
            " between equals"
        };
        format!(
            "A player meets the one nearest to skill + N(0, {}^2) among those who want to play within {} s. A match is drawn with probability {}{}; the rest follows the skills. The goal difference is 1 + Poisson({}), 0 in a draw.",
            self.opponent_deviation, self.longest_wait, self.draw_rate, gap, self.goal_mean
        )
    }

    fn about_eight_hours(&self) -> String {
        let b = &self.outcome_effects;
        format!(
            "Eight-hour churn: logit = {} + u {:+} ln(1 + matches in 8 h) {:+} ln(1 + matches in 7 d) {:+} [mean goal difference of the last three matches below {}] {:+} [the two matches before were won] and {:+}, {:+}, {:+} after a win, draw, loss; u ~ N(0, {}^2) is a habit of the player. {} Who stays longer plays more, so the mean over matches lies far below the mean over players; the intercept brings back the paper's level, where 52 % of a pool play on.",
            self.intercept,
            self.session_effect,
            self.week_effect,
            self.thrashed_effect,
            self.thrashed_below,
            self.streak_effect,
            b.win,
            b.draw,
            b.loss,
            self.habit_deviation,
            if self.departures == Departures::default() {
                "There is no other interaction."
            } else {
                "What else there is stands below."
            }
        )
    }

    fn about_seven_days(&self) -> [String; 2] {
        let seven = &self.seven_day;
        let published: Vec<String> = seven
            .patterns
            .iter()
            .map(|(pattern, effect)| format!("{pattern} {effect:+}"))
            .collect();
        [
            format!(
                "Seven-day churn of somebody who left for eight hours: logit = {} + v + effect of the last three outcomes, v = {} u + N(0, {}^2).",
                seven.intercept, self.weekly_share, self.weekly_noise
            ),
            format!(
                "Effects of the last three outcomes, oldest first: {}. The paper prints no figure for the other patterns; here they follow the last outcome alone: W {:+}, D {:+}, L {:+}.",
                published.join(", "),
                seven.others.win,
                seven.others.draw,
                seven.others.loss
            ),
        ]
    }

    fn about_gaps(&self) -> String {
        format!(
            "Gaps within a session are log-normal, median {:.0} min, sigma {}, cut below 8 h; between sessions 8 h + log-normal, median {:.0} h, sigma {}, cut below 7 d; after seven-day churn 7 d + exponential, mean {:.0} d.",
            self.session_gap.median / 60.0,
            self.session_gap.sigma,
            self.return_gap.median / HOUR,
            self.return_gap.sigma,
            self.absence_mean / DAY
        )
    }

    fn about_calendar(&self) -> String {
        format!(
            "{} days of play from Unix second {} on; players first want to play within {} days, nobody joins later and nobody leaves for good. Of the moments at which a session could begin, one at a player's local hour h weighs 1 + {} cos(2 pi (h - {}) / 24).",
            self.days, self.start, self.arrival_days, self.daily_swing, self.peak_hour
        )
    }
}
