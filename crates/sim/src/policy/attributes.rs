//! Which attributes of tickets a policy looks at.

use std::collections::BTreeSet;

use matchwright_queue::{Choose, MethodName, QueueParams};
use matchwright_scoring::{PlayerField, TeamScorer};

/// The attributes of tickets and of their players by which a scoring judges, by their names.
pub fn scored_attributes(scoring: &dyn TeamScorer) -> impl Iterator<Item = &'static str> + '_ {
    let all = PlayerField::ALL.into_iter();
    all.filter(|field| scoring.looks_at(*field))
        .map(PlayerField::name)
}

/// Whether `[scoring]` decides who is matched with whom, rather than only judging it.
#[must_use]
pub fn decides_by_scoring(queue: &QueueParams) -> bool {
    let chooses = queue.batch.as_ref().map(|batch| batch.choose);
    match queue.method {
        MethodName::Pairs => false,
        MethodName::Lobbies => true,
        MethodName::Batch => chooses.unwrap_or_default() == Choose::Quality,
    }
}

/// The attributes that decide who is matched with whom; `needs` are those without which a ticket is refused.
pub(super) fn looked_at(
    queue: &QueueParams,
    needs: &[String],
    scoring: Option<&dyn TeamScorer>,
) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = needs.iter().chain(&queue.keys).cloned().collect();
    let deviations = queue.windows.iter().filter_map(|window| window.deviation.clone());
    names.extend(deviations);
    names.extend(queue.estimates.as_ref().map(|estimates| estimates.by.clone()));
    if let Some(scoring) = scoring.filter(|_| decides_by_scoring(queue)) {
        names.extend(scored_attributes(scoring).map(str::to_owned));
    }
    names
}
