//! How players answer proposals.

use super::{FittedScenario, Observed, rounded};
use crate::replay::{Answer, Answered};
use crate::simulate::scenario::AcceptanceParams;

/// Fits shares and times of answers.
pub(super) fn fit(observed: Observed<'_>, fitted: &mut FittedScenario) {
    let section = "acceptance";
    let Some(journal) = observed.journal else {
        let text = "answers to proposals were not observed, since a plain log has none: all accept at once";
        fitted.note(section, text.to_owned());
        return;
    };
    let answers = &journal.answers;
    let count = |answer: Answer| answers.iter().filter(|one| one.answer == answer).count() as u64;
    let (declined, silent) = (count(Answer::Declined), count(Answer::Silent));
    let known = count(Answer::Accepted) + declined + silent;
    if known == 0 {
        let text = "no player was asked to accept a proposal: all accept at once";
        fitted.note(section, text.to_owned());
        return;
    }
    let found = incidences(answers);
    let all = found.accepted + found.declined + found.silent;
    let chance = found.accepted / all;
    let refused = found.declined + found.silent;
    let declines = if refused > 0.0 {
        found.declined / refused
    } else {
        AcceptanceParams::default().declines
    };
    fitted.params.acceptance = AcceptanceParams {
        chance: rounded(chance),
        declines: rounded(declines),
        mean_seconds: rounded(found.mean_seconds),
    };
    fitted.share(
        "acceptance.chance".to_owned(),
        chance,
        (known, "answers, silence among them"),
    );
    if declined + silent > 0 {
        let key = "acceptance.declines".to_owned();
        fitted.share(key, declines, (declined + silent, "players who did not accept"));
    }
    let answered = known - silent;
    let error = found.deviation / (answered.max(1) as f64).sqrt();
    fitted.value(
        "acceptance.mean_seconds".to_owned(),
        (found.mean_seconds, error),
        (answered, "answers"),
    );
    fitted.note(
        section,
        format!(
            "{} more were asked whose proposal ended before they answered: they count up to then; an answer after the \
             deadline is silence",
            count(Answer::Unknown)
        ),
    );
}

/// The shares of players who accept, decline and stay silent, were no proposal ended by others; and the mean and
/// deviation of the time until an answer.
#[derive(Debug, Default)]
struct Incidences {
    accepted: f64,
    declined: f64,
    silent: f64,
    mean_seconds: f64,
    deviation: f64,
}

/// Of those still undecided, each share that answers at a time adds to its kind in proportion.
fn incidences(answers: &[Answered]) -> Incidences {
    let mut order: Vec<&Answered> = answers.iter().collect();
    // At one time those whose proposal ended were still there.
    order.sort_by(|a, b| {
        let is_cut = |one: &Answered| one.answer == Answer::Unknown;
        a.after.total_cmp(&b.after).then(is_cut(a).cmp(&is_cut(b)))
    });
    let mut found = Incidences::default();
    let (mut still, mut sum, mut squares) = (1.0, 0.0, 0.0);
    for (place, one) in order.iter().enumerate() {
        let part = still / (order.len() - place) as f64;
        match one.answer {
            Answer::Accepted => found.accepted += part,
            Answer::Declined => found.declined += part,
            Answer::Silent => found.silent += part,
            Answer::Unknown => continue,
        }
        still -= part;
        if one.answer != Answer::Silent {
            sum += part * one.after;
            squares += part * one.after * one.after;
        }
    }
    let answered = found.accepted + found.declined;
    if answered > 0.0 {
        found.mean_seconds = sum / answered;
        let variance = squares / answered - found.mean_seconds * found.mean_seconds;
        found.deviation = variance.max(0.0).sqrt();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_whose_proposal_was_ended_by_others_make_nobody_look_more_willing() {
        let one = |answer, after| Answered { answer, after };
        // Of four one accepts at 1 s, and one is cut off at 2 s; of the two left one accepts, one declines.
        let found = incidences(&[
            one(Answer::Declined, 4.0),
            one(Answer::Unknown, 2.0),
            one(Answer::Accepted, 1.0),
            one(Answer::Accepted, 3.0),
        ]);
        assert!((found.accepted - (0.25 + 0.375)).abs() < 1e-12, "{found:?}");
        assert!((found.declined - 0.375).abs() < 1e-12);
        assert!((found.mean_seconds - (0.25 + 0.375 * 7.0)).abs() < 1e-12);
    }
}
