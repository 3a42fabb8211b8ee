//! What a study's data cannot show, computed from the data.

use crate::eomm::Method;
use crate::eomm::study::StudyReport;
use matchwright_report::count;

const DAY: f64 = 86_400.0;

/// Sentences for the page, the gravest first.
pub(crate) fn limits(report: &StudyReport) -> Vec<String> {
    let mut limits = Vec::new();
    let hours = report.config.horizon_hours;
    if report.truth_known {
        limits.push(
            "The players are generated: what holds for them need not hold for yours. The assumptions are listed below, and the size of EOMM's gain depends on them, on the length of the history among others: ratings that have not settled leave less to gain from."
                .to_owned(),
        );
    } else {
        limits.push("Churn is simulated from the very model that EOMM optimises. Whether real players would follow that model, these data cannot show: EOMM's true lead may be smaller or larger. Only an experiment on live players can tell, or a generator whose truth is known.".to_owned());
        limits.push("The matches were made by an unknown matchmaker: that players leave more often after a loss is an association, not a cause. Under another matchmaker the same people may leave.".to_owned());
    }
    limits.push(format!(
        "Retained means another match within {hours} h. What happens to the same players later, or when the method is used round after round, is not simulated."
    ));
    limits.push("Standard errors count the luck of the simulation alone: which states were drawn, who won, who stayed. Another sample of players, another fit of the models, would move all methods, and these errors do not show by how much. Errors of the reliability curves, and of churn by pattern where they do not take regions as clusters, take player-matches for independent; players repeat, so the true ones are larger.".to_owned());
    let days = (report.data.last.saturating_sub(report.data.first)) as f64 / DAY;
    if !report.patterns.iter().any(|table| table.horizon_hours == 168) {
        limits.push(format!(
            "The history lasts {days:.1} days, too short for churn over seven days, and for counts of matches in the last week and month to say more than those of the last days."
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
    let mut told_by_expectation = true;
    for pool in &report.pools {
        let over_skill = pool.fitted.comparison(Method::Eomm, Method::Skill)?;
        if !is_clear(over_skill.welch.p) {
            unclear.push(pool.size.to_string());
            told_by_expectation &= is_clear(over_skill.paired_expected.p);
        }
    }
    if unclear.is_empty() {
        return None;
    }
    let expectation = if told_by_expectation {
        "; the expectations can, because they leave out the luck of outcomes and churn"
    } else {
        ", nor can the expectations everywhere: more rounds are needed"
    };
    Some(format!(
        "With {} rounds Welch's test cannot tell EOMM from SkillMM at P = {} by the simulated counts{expectation}.",
        count(report.config.rounds.into()),
        unclear.join(", ")
    ))
}

/// Significant at the paper's level; an unknown p is not.
fn is_clear(p: f64) -> bool {
    p < 0.01
}
