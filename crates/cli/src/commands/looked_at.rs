//! What tickets have that no policy looks at, in words.

use std::collections::BTreeSet;

use matchwright_queue::Attributes;
use matchwright_sim::policy::{decides_by_scoring, scored_attributes};
use matchwright_sim::replay::{Judge, TicketLog};

use crate::input::{ImportedQueue, policy_called};
use matchwright_import::text::listed;

/// A line for each policy with the attributes of the tickets that it does not look at; policies of the same go together.
pub(super) fn ignored_notes(log: &TicketLog, queues: &[ImportedQueue]) -> Vec<String> {
    let given = attributes(log);
    let ignored = |queue: &ImportedQueue| -> Vec<String> {
        let is_ignored = |name: &&String| !queue.loaded.looks_at.contains(*name);
        given.iter().filter(is_ignored).cloned().collect()
    };
    let mut all: Vec<(Vec<String>, Vec<String>)> = Vec::new();
    for queue in queues {
        let (names, called) = (ignored(queue), policy_called(&queue.loaded.label.name));
        match all.iter_mut().find(|(known, _)| *known == names) {
            Some((_, policies)) => policies.push(called),
            None => all.push((names, vec![called])),
        }
    }
    let judging = queues.iter().filter_map(only_judging);
    let line = |(names, policies): (Vec<String>, Vec<String>)| {
        let verb = if policies.len() > 1 { "do" } else { "does" };
        let names = listed(names)?;
        Some(format!("{} {verb} not look at: {names}", policies.join(" and ")))
    };
    all.into_iter().filter_map(line).chain(judging).collect()
}

/// That a `[scoring]` which would keep players apart does not.
pub(super) fn only_judging(queue: &ImportedQueue) -> Option<String> {
    let scoring = queue.document.scoring.clone()?.build();
    // Dropped: a policy that was loaded can be built.
    let scoring = scoring.ok()?;
    let decides = queue.document.queue.as_ref().is_some_and(decides_by_scoring);
    let has_floors = scoring.factors().iter().any(|one| one.floor.is_some());
    let forbids = !scoring.rules().is_empty() || has_floors || scoring.threshold() > 0.0;
    (forbids && !decides).then(|| {
        let called = policy_called(&queue.loaded.label.name);
        format!("{called} does not go by its [scoring], whose rules, floors and threshold keep nobody apart")
    })
}

/// The attributes that neither a policy nor what judges looks at.
pub(super) fn ignored_by_all(log: &TicketLog, queues: &[ImportedQueue], judge: &Judge) -> Vec<String> {
    let names = attributes(log).into_iter();
    names.filter(|name| !is_looked_at(name, queues, judge)).collect()
}

/// Whether a policy or what judges looks at an attribute.
pub(super) fn is_looked_at(name: &str, queues: &[ImportedQueue], judge: &Judge) -> bool {
    let by_scoring = || {
        judge
            .scoring()
            .is_some_and(|scoring| scored_attributes(scoring).any(|scored| scored == name))
    };
    let of = judge.objective().params().of.as_ref();
    let by_judge = of.map_or_else(by_scoring, |of| of == name);
    by_judge || queues.iter().any(|queue| queue.loaded.looks_at.contains(name))
}

/// What tickets and their players have; names are always there.
fn attributes(log: &TicketLog) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for logged in log.tickets() {
        let members = logged.ticket.players.iter().map(|member| &member.attributes);
        for name in members
            .chain([&logged.ticket.attributes])
            .flat_map(Attributes::keys)
        {
            if *name != "name" && !names.contains(name.as_str()) {
                names.insert(name.to_string());
            }
        }
    }
    names
}
