//! What a study's data cannot show, worked out from the data themselves.

use matchwright_sim::policy::Method;
use matchwright_sim::study::StudyReport;

const DAY: f64 = 86_400.0;

/// Sentences for the page, the gravest first.
pub(super) fn limits(report: &StudyReport) -> Vec<String> {
    let mut limits = Vec::new();
    let hours = report.config.horizon_hours;
    if report.truth_known {
        limits.push(
            "The players are generated: what holds for them need not hold for yours. The assumptions are listed below."
                .to_owned(),
        );
    } else {
        limits.push("Churn is simulated from the very model that EOMM optimises, so EOMM's lead here is the most that it could be: how much of it is real, these data cannot show. Only an experiment on live players, or a generator whose truth is known, can.".to_owned());
        limits.push("The matches were made by whatever made them: that players leave more often after a loss is seen, not caused. Whoever pairs differently may find that the same people leave.".to_owned());
    }
    limits.push(format!(
        "Retained means another match within {hours} h. What happens to the same players later, or when the method is used round after round, is not simulated."
    ));
    let days = (report.data.last.saturating_sub(report.data.first)) as f64 / DAY;
    if days < 14.0 {
        limits.push(format!(
            "The history lasts {days:.1} days: seven-day churn cannot be labelled, and the counts of matches in the last week and month say little more than the count of the last days."
        ));
    }
    let censored = report.labels.censored;
    limits.push(format!(
        "{censored} player-matches of the last {hours} h could not be labelled and were left out."
    ));
    if report.ratings.draw_rate < 0.02 || report.data.draw_rate == 0.0 {
        limits.push(format!(
            "Only {:.1} % of the matches were draws: what a draw does to players is hardly seen.",
            100.0 * report.data.draw_rate
        ));
    }
    if report.churn.holdout.log_loss >= report.churn.holdout.constant_log_loss {
        limits.push("On later matches the churn model predicts no better than a constant: the differences between methods below are not to be trusted.".to_owned());
    }
    limits.extend(noise(report));
    limits
}

/// Where the simulated counts are too noisy for what is claimed of them.
fn noise(report: &StudyReport) -> Option<String> {
    let mut unclear = Vec::new();
    for pool in &report.pools {
        let over_skill = pool
            .fitted
            .comparisons
            .iter()
            .find(|c| c.first == Method::Eomm && c.second == Method::Skill)?;
        if over_skill.welch.p.is_nan() || over_skill.welch.p >= 0.01 {
            unclear.push(pool.size.to_string());
        }
    }
    (!unclear.is_empty()).then(|| {
        format!(
            "With {} rounds Welch's test cannot tell EOMM from SkillMM at P = {} by the simulated counts; the expectations can, because they leave out the luck of outcomes and churn.",
            report.config.rounds,
            unclear.join(", ")
        )
    })
}
