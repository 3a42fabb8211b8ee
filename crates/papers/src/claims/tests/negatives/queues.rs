//! Negative cases of the checks of queues: cores, countdowns, windows, loaders and policies.

use super::Negative;
use super::matches::replace;
use crate::awesomenauts::claims::rounds_in_time;

pub(super) const ALL: &[Negative] = &[
    Negative::part("a countdown of a whole period", &["AWN-countdown"], |inputs| {
        rounds_in_time::told(&inputs.awesomenauts, |_, _, _, now| Some(now.plus(120_000)))
    }),
    Negative::trying("rounds every twenty minutes", &["AWN-batch100"], |m| {
        replace(&mut m.awesomenauts.policy, "every = 120", "every = 1200")
    }),
    Negative::trying(
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
    Negative::trying("an old queue with a handshake", &["DOM-oldqueue"], |m| {
        replace(
            &mut m.dominations.old_policy,
            "accept = \"either\"",
            "accept = \"both\"",
        )
    }),
    Negative::new(
        "windows without a flat start",
        &["DOM-requeue", "DOM-widen"],
        |m| {
            m.dominations.policy = m.dominations.policy.replace("after = 3600", "after = 0");
        },
    ),
    Negative::trying("no longest wait", &["DOM-eventual", "DOM-handshake"], |m| {
        replace(&mut m.dominations.policy, "longest_wait = 86400\n", "")
    }),
    Negative::trying("a number that changes nothing", &["DOM-knobs"], |m| {
        let idle = "[queue]\nestimates = { by = \"glory\", band = 100 }\n";
        replace(&mut m.dominations.policy, "[queue]\n", idle)
    }),
];
