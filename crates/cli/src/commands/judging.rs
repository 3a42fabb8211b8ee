//! What judges policies: the objective of the command line, else of the first policy, and it in words.

use std::sync::Arc;

use matchwright_queue::{Objective, ObjectiveParams, WaitingCost};
use matchwright_scoring::TeamScorer;
use matchwright_sim::policy::RatingScale;
use matchwright_sim::replay::Judge;

use crate::failure::{Failure, shown};
use crate::input::{ImportedObjective, ImportedQueue, digits};

/// What judges all policies, in words where it is from, and for ratings of which scale it is; `from` says where the given
/// one is.
pub(super) fn judge(
    from: &str,
    queue: &ImportedQueue,
    given: Option<&ImportedObjective>,
) -> Result<(Judge, String, Option<RatingScale>), Failure> {
    let loaded = &queue.loaded;
    let (objective, scoring, from) = match given {
        Some(given) => {
            let own = given.scoring.clone();
            let own = own.map(|scoring| Arc::new(scoring) as Arc<dyn TeamScorer>);
            let scoring = own.or_else(|| loaded.scoring.clone());
            (given.objective.clone(), scoring, format!("[objective] of {from}"))
        }
        None if queue.has_objective => {
            let from = format!("[objective] of the policy `{}`", shown(&loaded.label.name));
            (loaded.objective.clone(), loaded.scoring.clone(), from)
        }
        None => (
            default_objective(queue)?,
            loaded.scoring.clone(),
            "the default, as the policy has no [objective]".to_owned(),
        ),
    };
    let document = given.map_or(&queue.document, |given| &given.document);
    let scoring_of = document.scoring.as_ref().or(queue.document.scoring.as_ref());
    let scale = RatingScale::of_judge(document, scoring_of);
    let judge = Judge::new(objective, scoring);
    let what = "nothing says what a mismatch is: give --objective a document with `of` in its [objective], or with [scoring]";
    judge
        .map(|judge| (judge, from, scale))
        .ok_or_else(|| queue.source.name.refuse(what))
}

/// That a lost player is cheaper than what some policy may make of it, if one is.
pub(super) fn cheap_lost(judge: &Judge, judged_by: &str, queues: &[ImportedQueue]) -> Option<String> {
    let lost = judge.objective().lost()?;
    let least = |queue: &ImportedQueue| judge.least_lost(&queue.document);
    let dearest = queues.iter().max_by(|a, b| least(a).total_cmp(&least(b)))?;
    (lost < least(dearest) * (1.0 - 1e-9)).then(|| {
        format!(
            "`lost = {lost}` in {judged_by} is less than {}, what the longest wait and the widest window of the policy `{}` \
             cost: a policy may pay less for matching fewer",
            digits(least(dearest)),
            shown(&dearest.loaded.label.name)
        )
    })
}

/// 1 for each unit of difference in what the policy needs, or for a quality of 0, and 1 for each second.
fn default_objective(queue: &ImportedQueue) -> Result<Objective, Failure> {
    let needs = queue.loaded.settings.needs.first().cloned();
    let params = ObjectiveParams {
        of: needs.filter(|_| queue.loaded.scoring.is_none()),
        ..ObjectiveParams::default()
    };
    params.build().map_err(Failure::of)
}

/// What a match, a wait and a lost ticket cost.
pub(crate) fn objective_in_words(objective: &ObjectiveParams) -> String {
    let lost = objective.lost.filter(|price| *price > 0.0).map_or_else(
        || "lost tickets are counted, not priced".to_owned(),
        |price| format!("{price} for each player without a match"),
    );
    let waiting = match &objective.waiting {
        WaitingCost::PerSecond(cost) => format!("{cost} a second"),
        WaitingCost::Points(_) => "by its points".to_owned(),
    };
    let (mismatch, what) = (objective.mismatch, mismatch_in_words(objective));
    format!("{mismatch} x mismatch ({what}), waiting {waiting}, {lost}")
}

/// What a mismatch is.
pub(crate) fn mismatch_in_words(objective: &ObjectiveParams) -> String {
    objective.of.as_ref().map_or_else(
        || "1 less the quality by [scoring]".to_owned(),
        |of| format!("difference of the teams' mean `{of}`"),
    )
}
