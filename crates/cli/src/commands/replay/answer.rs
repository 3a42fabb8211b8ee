//! What a replay came to, as JSON has it.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use matchwright_queue::journal::replay as recompute;
use matchwright_queue::{ObjectiveParams, PolicyChange, PolicyLabel};
use matchwright_sim::replay::{
    Comparison, Costs, Fate, FittedPatience, GroupWaits, Judge, Keeper, Moment, Optimum, OptimumError,
    Recorded, Replay, ReplaySettings, TicketLog, compare, regret,
};
use matchwright_sim::statistics::quantile;
use serde::Serialize;

use super::words::{Explained, explain};
use crate::commands::judging::mismatch_in_words;
use crate::input::{ImportedQueue, TicketNames, recorded_queue};

/// Everything about a log under one or two policies.
#[derive(Serialize)]
pub(crate) struct ReplayAnswer {
    pub(crate) tickets: usize,
    /// How many different players they are of.
    pub(crate) players: usize,
    /// From the first ticket to the last.
    pub(crate) seconds: f64,
    pub(crate) objective: ObjectiveParams,
    /// Where the objective is from.
    pub(crate) judged_by: String,
    /// What a mismatch is.
    pub(crate) mismatch_is: String,
    /// Of a journal: whether its steps come out the same when they are computed again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) recomputed: Option<Recomputed>,
    /// Columns or keys of the log that mean nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) not_used: Vec<String>,
    /// What tickets have that policies do not look at, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) not_looked_at: Vec<String>,
    /// What cannot be observed.
    pub(crate) unobserved: Vec<String>,
    /// If patience was drawn, all figures are estimates.
    pub(crate) patience: Option<Patience>,
    pub(crate) overdue_seconds: f64,
    /// How long after its last ticket the log ends, for all policies and for hindsight.
    pub(crate) tail_seconds: f64,
    /// Tickets over whose players costs are: all, or without a price of lost ones those that all policies admit.
    pub(crate) tickets_with_costs: usize,
    /// What really happened, as far as the log tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) recorded: Option<PolicyAnswer>,
    /// What cannot be compared with it, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) not_recorded: Vec<String>,
    pub(crate) policies: Vec<PolicyAnswer>,
    /// The first policy less the second.
    pub(crate) comparison: Option<Comparison>,
    pub(crate) hindsight: Option<Optimum>,
    /// Why there is no hindsight, where it was asked for.
    pub(crate) no_hindsight: Option<String>,
    #[serde(skip)]
    pub(crate) log: TicketLog,
    #[serde(skip)]
    pub(crate) names: TicketNames,
}

/// The steps of a journal, computed again under the policies that it records.
#[derive(Serialize)]
pub(crate) struct Recomputed {
    /// Records that come out the same, until the first that does not.
    pub(crate) same: usize,
    /// That first one, or what kept the records from being computed again.
    pub(crate) difference: Option<String>,
}

impl Recomputed {
    pub(super) fn new(journal: &[u8]) -> Self {
        let open = |change: &PolicyChange| Ok(recorded_queue(&change.document)?.policy);
        match recompute(journal, open) {
            Ok(replay) => Self {
                same: replay.same,
                difference: replay.difference.map(|difference| difference.to_string()),
            },
            Err(error) => Self {
                same: 0,
                difference: Some(format!("not computed again: {error}")),
            },
        }
    }
}

/// The patience that tickets were given.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct Patience {
    pub(crate) mean_seconds: f64,
    pub(crate) fitted: Option<FittedPatience>,
}

/// A log under one policy.
#[derive(Serialize)]
pub(crate) struct PolicyAnswer {
    pub(crate) name: String,
    pub(crate) version: String,
    /// Over the tickets with costs, if there are some.
    pub(crate) cost_per_player: Option<f64>,
    pub(crate) costs_per_player: Option<Costs>,
    /// The cost less that of what really happened, over the tickets that have costs in both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) less_recorded: Option<Comparison>,
    /// The cost less that of the hindsight bound: no policy pays less than the bound. Only of a policy that makes the same
    /// matches as the first.
    pub(crate) regret_per_player: Option<f64>,
    pub(crate) matches: usize,
    pub(crate) matched: usize,
    pub(crate) left: usize,
    pub(crate) waiting: usize,
    pub(crate) refused: usize,
    /// Of what really happened: tickets whose end the log does not tell.
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) unknown: usize,
    pub(crate) refused_because: BTreeMap<String, usize>,
    /// What failed inside the policy, how often.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) failures: BTreeMap<String, usize>,
    pub(crate) overdue: usize,
    pub(crate) waits: Vec<GroupWaits>,
    pub(crate) mismatch: Option<Mismatches>,
    /// What kept tickets waiting, the most tickets first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) kept: Vec<Kept>,
    /// The same at each time at which it was asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) moments: Vec<Moment>,
    /// The overdue tickets that waited longest.
    pub(crate) explained: Vec<Explained>,
    /// Steps that the queue took, at most one for each event and round.
    pub(crate) steps: u64,
    /// Tickets that came or left, and answers to proposals.
    pub(crate) events: u64,
    #[serde(skip)]
    pub(crate) replay: Replay,
}

/// The mismatches of the matches.
#[derive(Serialize)]
pub(crate) struct Mismatches {
    pub(crate) mean: f64,
    pub(crate) median: f64,
    pub(crate) q90: f64,
    pub(crate) worst: f64,
}

impl ReplayAnswer {
    pub(super) fn new(
        log: &TicketLog,
        names: &TicketNames,
        judge: &Judge,
        judged_by: String,
        settings: ReplaySettings,
    ) -> Self {
        let tickets = log.tickets();
        let members = tickets.iter().flat_map(|logged| &logged.ticket.players);
        let objective = judge.objective().params().clone();
        let mismatch_is = mismatch_in_words(&objective);
        Self {
            tickets: log.len(),
            players: members.map(|member| member.id).collect::<HashSet<_>>().len(),
            seconds: log.seconds(),
            objective,
            judged_by,
            mismatch_is,
            recomputed: None,
            not_used: Vec::new(),
            not_looked_at: Vec::new(),
            unobserved: log.unobserved().lines(),
            patience: None,
            overdue_seconds: settings.overdue,
            tail_seconds: settings.tail,
            tickets_with_costs: log.len(),
            recorded: None,
            not_recorded: Vec::new(),
            policies: Vec::new(),
            comparison: None,
            hindsight: None,
            no_hindsight: None,
            log: log.clone(),
            names: names.clone(),
        }
    }

    /// With what really happened, before any policy.
    pub(super) fn add_recorded(&mut self, recorded: Recorded) {
        self.not_recorded = recorded.unknown.lines();
        let name = RECORDED.to_owned();
        self.recorded = Some(PolicyAnswer::new(self, name, recorded.replay));
    }

    /// With one more policy; the second is compared with the first.
    pub(super) fn add_policy(&mut self, label: &PolicyLabel, replay: Replay) {
        let mut answer = PolicyAnswer::new(self, label.name.clone(), replay);
        answer.version.clone_from(&label.version);
        answer.less_recorded = self
            .recorded
            .as_ref()
            .map(|recorded| compare(&self.log, &answer.replay, &recorded.replay))
            .filter(|compared| compared.test.difference.is_finite());
        let with_costs = answer.tickets().filter(|ticket| ticket.costs.is_some());
        self.tickets_with_costs = with_costs.count();
        self.comparison = self
            .policies
            .first()
            .map(|first| compare(&self.log, &first.replay, &answer.replay));
        self.policies.push(answer);
    }

    /// What really happened, if that is known, and then the policies.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &PolicyAnswer> {
        self.recorded.iter().chain(&self.policies)
    }

    /// With the hindsight optimum for the first policy's queues, and the regret of each policy that makes no other matches.
    /// It is missing where lost tickets have no price.
    pub(super) fn add_hindsight(&mut self, best: Option<Optimum>, queues: &[ImportedQueue]) {
        let Some(best) = best else {
            self.no_hindsight = Some(format!("No bound and no regret: {}.", OptimumError::NoLost));
            return;
        };
        let first = queues.first().map(|queue| &queue.loaded.settings);
        for (policy, queue) in self.policies.iter_mut().zip(queues) {
            let own = &queue.loaded.settings;
            let is_bounded = first.is_some_and(|first| {
                first.queues == own.queues && first.keys.iter().all(|key| own.keys.contains(key))
            });
            let regret = policy
                .cost_per_player
                .map(|cost| regret(cost, best.bound_per_player));
            policy.regret_per_player = regret.filter(|_| is_bounded);
        }
        self.hindsight = Some(best);
    }

    /// `estimate, ` where patience was drawn.
    pub(super) fn estimated(&self) -> &'static str {
        if self.patience.is_some() {
            " (estimate)"
        } else {
            ""
        }
    }
}

/// How what really happened is called beside policies.
pub(crate) const RECORDED: &str = "as recorded";

/// How many tickets one thing kept waiting.
#[derive(Serialize)]
pub(crate) struct Kept {
    pub(crate) by: Keeper,
    /// At a time, the mean over the log.
    pub(crate) tickets: f64,
    /// Of all tickets that waited.
    pub(crate) share: f64,
}

impl PolicyAnswer {
    fn new(answer: &ReplayAnswer, name: String, replay: Replay) -> Self {
        let mut mismatches: Vec<f64> = replay.matches.iter().map(|made| made.mismatch).collect();
        mismatches.sort_by(f64::total_cmp);
        let of = |share| quantile(&mismatches, share);
        Self {
            name,
            version: String::new(),
            cost_per_player: replay.cost_per_player(),
            costs_per_player: replay.costs_per_player(),
            less_recorded: None,
            regret_per_player: None,
            matches: replay.matches.len(),
            matched: replay.count(|fate| matches!(fate, Fate::Matched(_))),
            left: replay.count(|fate| fate == Fate::Left),
            waiting: replay.count(|fate| fate == Fate::Waits),
            refused: replay.count(|fate| fate == Fate::Refused),
            unknown: replay.count(|fate| fate == Fate::Unknown),
            refused_because: replay.refusals.clone(),
            failures: replay.failures.clone(),
            overdue: replay.overdue(answer.overdue_seconds),
            waits: replay.waits_by_group(&answer.log),
            mismatch: (!mismatches.is_empty()).then(|| Mismatches {
                mean: mismatches.iter().sum::<f64>() / mismatches.len() as f64,
                median: of(0.5),
                q90: of(0.9),
                worst: of(1.0),
            }),
            kept: kept(&replay.moments),
            moments: replay.moments.clone(),
            explained: explain(&answer.log, &answer.names, &replay),
            steps: replay.steps,
            events: replay.events,
            replay,
        }
    }
}

/// What kept tickets waiting under a policy, over all moments.
fn kept(moments: &[Moment]) -> Vec<Kept> {
    let all: f64 = moments.iter().map(|moment| moment.waiting as f64).sum();
    let keepers: BTreeSet<&Keeper> = moments.iter().flat_map(|moment| moment.kept.keys()).collect();
    let of = |by: &Keeper| {
        let tickets: f64 = moments.iter().map(|moment| moment.tickets(by)).sum();
        Kept {
            by: by.clone(),
            tickets: tickets / moments.len() as f64,
            share: tickets / all,
        }
    };
    let mut kept: Vec<Kept> = keepers.into_iter().map(of).collect();
    kept.sort_by(|a, b| b.tickets.total_cmp(&a.tickets));
    kept
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}
