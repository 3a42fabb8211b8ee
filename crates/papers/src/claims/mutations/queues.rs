//! Wrong parts for the checks of queues: cores, countdowns, windows, loaders and policies.

use matchwright_queue::{
    Event, EventKind, LimitsParams, MatchPolicy, Outcome, QueueParams, State, StepError, TicketId, Time, step,
};
use matchwright_sim::policy::load;

use super::Mutation;
use super::matches::replace;
use crate::claims::queues::plan;

pub(super) const ALL: &[Mutation] = &[
    Mutation::new(
        "a core that wakes up ten seconds late",
        &[
            "AWN-batch100",
            "AWN-maxwait",
            "AWN-countdown",
            "DOM-widen",
            "DOM-handshake",
            "DOM-eventual",
        ],
        |m| {
            m.queues.step = |state, policy, now, events| {
                let mut outcome = step(state, policy, now, events)?;
                outcome.wakeup = outcome.wakeup.map(|at| at.plus(10_000));
                Ok(outcome)
            };
        },
    ),
    Mutation::new(
        "a core that sleeps until somebody comes",
        &["AWN-maxwait", "DOM-widen", "DOM-eventual"],
        |m| {
            m.queues.step = |state, policy, now, events| {
                let wakeup = None;
                Ok(Outcome {
                    wakeup,
                    ..step(state, policy, now, events)?
                })
            };
        },
    ),
    Mutation::new(
        "a core that forgets who has waited for two hours",
        &["DOM-eventual", "DOM-requeue"],
        |m| m.queues.step = forgetful,
    ),
    Mutation::new("a countdown of a whole period", &["AWN-countdown"], |m| {
        m.queues.countdown = |_, _, _, now| Some(now.plus(120_000));
    }),
    Mutation::new("a countdown a second short", &["AWN-countdown"], |m| {
        m.queues.countdown =
            |policy, pool, ticket, now| Some(policy.countdown(pool, ticket, now)?.plus(-1_000));
    }),
    Mutation::trying("rounds every twenty minutes", &["AWN-batch100"], |m| {
        replace(&mut m.awesomenauts.policy, "every = 120", "every = 1200")
    }),
    Mutation::trying("rounds of fifty", &["AWN-batch100"], |m| {
        replace(&mut m.awesomenauts.policy, "at = 100", "at = 50")
    }),
    Mutation::trying(
        "rounds after fifty minutes at the latest",
        &["AWN-maxwait"],
        |m| {
            replace(
                &mut m.awesomenauts.policy,
                "longest_wait = 300",
                "longest_wait = 3000",
            )
        },
    ),
    Mutation::trying("an old queue with a handshake", &["DOM-oldqueue"], |m| {
        replace(
            &mut m.dominations.old_policy,
            "accept = \"either\"",
            "accept = \"both\"",
        )
    }),
    Mutation::trying("an old queue that widens", &["DOM-oldqueue"], |m| {
        m.dominations.old_policy = m
            .dominations
            .old_policy
            .replace("start = 300", "start = 300\nper_second = 0.01");
        Ok(())
    }),
    Mutation::new("windows that narrow after ten hours", &["DOM-widen"], |m| {
        m.queues.width = |window, waited| window.width(0.0, waited % 36_000_000);
    }),
    Mutation::new(
        "windows without a flat start",
        &["DOM-widen", "DOM-requeue"],
        |m| {
            m.dominations.policy = m.dominations.policy.replace("after = 3600", "after = 0");
        },
    ),
    Mutation::trying("no handshake", &["DOM-widen", "DOM-handshake"], |m| {
        replace(
            &mut m.dominations.policy,
            "accept = \"both\"",
            "accept = \"either\"",
        )
    }),
    Mutation::trying("no longest wait", &["DOM-handshake", "DOM-eventual"], |m| {
        replace(&mut m.dominations.policy, "longest_wait = 86400\n", "")
    }),
    Mutation::trying("no key against sandbaggers", &["DOM-eventual"], |m| {
        replace(&mut m.dominations.policy, "keys = [\"composition\"]\n", "")
    }),
    Mutation::new("half of the bound", &["DOM-eventual"], |m| {
        m.queues.liveness = |policy| policy.liveness().map(|seconds| 0.5 * seconds);
    }),
    Mutation::new("a loader that knows no longest wait", &["DOM-knobs"], |m| {
        m.queues.load = |mut document| {
            if let Some(queue) = &mut document.queue {
                queue.longest_wait = None;
            }
            Ok(load(document)?)
        };
    }),
    Mutation::new("a plan without limits", &["DOM-knobs"], |m| {
        m.queues.plan = |params| {
            let limits = LimitsParams::default();
            plan(&QueueParams {
                limits,
                ..params.clone()
            })
        };
    }),
];

fn forgetful(
    state: &mut State,
    policy: &mut dyn MatchPolicy,
    now: Time,
    events: &[Event],
) -> Result<Outcome, StepError> {
    let waiting = state.pool().tickets();
    let forgotten = waiting.filter(|waiting| waiting.waited(now) > 7_200_000);
    let cancel = |ticket: TicketId| Event::new(u64::MAX - ticket.0, EventKind::Cancel { ticket, by: None });
    let mut all: Vec<Event> = forgotten.map(|waiting| cancel(waiting.ticket.id)).collect();
    all.extend_from_slice(events);
    step(state, policy, now, &all)
}
