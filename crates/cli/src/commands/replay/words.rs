//! Why tickets waited, in words.

use matchwright_queue::{Candidate, Change, Obstacle, TicketId, Time, TooFew, WaitState, Why};
use matchwright_report::counted;
use matchwright_sim::replay::{Fate, Replay, TicketLog};
use serde::Serialize;

use crate::input::TicketNames;

/// The obstacles of this many candidates are told.
const CANDIDATES: usize = 3;

/// What kept an overdue ticket waiting.
#[derive(Serialize)]
pub(crate) struct Explained {
    pub(crate) ticket: String,
    pub(crate) waited: f64,
    /// What it came to, and then what kept it, a line each.
    pub(crate) lines: Vec<String>,
    /// The same for programs.
    pub(crate) why: Why,
}

/// The overdue tickets that waited longest.
pub(super) fn explain(log: &TicketLog, names: &TicketNames, replay: &Replay) -> Vec<Explained> {
    let one = |(ticket, why): &(TicketId, Why)| {
        let place = replay.tickets.iter().position(|one| one.ticket == *ticket)?;
        let (replayed, logged) = (&replay.tickets[place], &log.tickets()[place]);
        let end = match replayed.fate {
            Fate::Matched(_) => "and was then matched",
            Fate::Left => "and left",
            Fate::Waits => "and waits at the end",
            Fate::Refused => "and was refused",
            Fate::Unknown => "and its end is not known",
        };
        let mut lines = vec![format!(
            "{} ({}) waited {} {end}; when it became overdue:",
            names.ticket(*ticket),
            counted(replayed.players, "player", "players"),
            span(replayed.waited)
        )];
        lines.extend(lines_of(why, logged.came, names));
        Some(Explained {
            ticket: names.ticket(*ticket),
            waited: replayed.waited,
            lines,
            why: why.clone(),
        })
    };
    replay.why.iter().filter_map(one).collect()
}

/// Seconds, to a tenth below a hundred.
pub(super) fn span(seconds: f64) -> String {
    if seconds < 100.0 {
        format!("{seconds:.1} s")
    } else {
        format!("{seconds:.0} s")
    }
}

/// All that is known of why a ticket waits that came at that time.
fn lines_of(why: &Why, came: Time, names: &TicketNames) -> Vec<String> {
    let after = |time: Time| format!("after {}", span(time.seconds_since(came)));
    let mut lines = Vec::new();
    match why.state {
        WaitState::Batch => lines.push("it waits for the next round".to_owned()),
        WaitState::Answers => lines.push("its players are asked to accept".to_owned()),
        WaitState::Paused => lines.push("the queue is paused".to_owned()),
        WaitState::Aside { .. } => {
            lines.push(
                "its policy made a lobby with it that breaks a rule; it is offered again in a minute"
                    .to_owned(),
            );
        }
        _ if why.candidates.is_empty() && why.rejections.is_empty() && why.too_few.is_none() => {
            lines.push("nobody else is waiting for it to meet".to_owned());
        }
        _ => {}
    }
    if let Some(TooFew { others, missing }) = why.too_few {
        let around = match others {
            0 => "nobody is waiting whom it may meet".to_owned(),
            others => format!(
                "{} whom it may meet",
                counted(others, "player is waiting", "players are waiting")
            ),
        };
        lines.push(format!("{around}; a match needs {missing} more"));
    }
    for candidate in why.candidates.iter().take(CANDIDATES) {
        let lacks = |one: &Obstacle| matches!(one, Obstacle::Role(_));
        let when = match candidate.compatible_at {
            Some(at) => format!("compatible {}", after(at)),
            None if candidate.obstacles.iter().any(lacks) => "compatible when more of it come".to_owned(),
            None => "never compatible".to_owned(),
        };
        lines.push(format!(
            "{}: {}; {when}",
            names.ticket(candidate.ticket),
            obstacles(candidate)
        ));
    }
    let rules = why.rejections.iter();
    let counted: Vec<String> = rules
        .map(|(rule, count)| format!("{count} by {}", rule_name(rule)))
        .collect();
    if !counted.is_empty() {
        lines.push(format!("kept away: {}", counted.join(", ")));
    }
    if let Some(at) = why.earliest {
        lines.push(format!("matched {} if nothing else happens", after(at)));
    }
    if let Some(change) = &why.change {
        lines.push(format!(
            "smallest change that would free it: {}",
            change_in_words(change, names)
        ));
    }
    lines
}

fn change_in_words(change: &Change, names: &TicketNames) -> String {
    if let [(name, [by, _])] = &change.widen[..]
        && name == "threshold"
    {
        return format!("a threshold lower by {}", short(*by));
    }
    let widened = change.widen.iter().map(|(of, [own, other])| {
        format!(
            "`{of}` wider by {} on its side and {} on the other's",
            short(*own),
            short(*other)
        )
    });
    let with = names.ticket(change.with);
    format!(
        "a match with {with}, with {}",
        widened.collect::<Vec<_>>().join(", ")
    )
}

fn rule_name(rule: &str) -> String {
    if ["region", "size", "threshold"].contains(&rule) {
        rule.to_owned()
    } else {
        format!("`{rule}`")
    }
}

fn obstacles(candidate: &Candidate) -> String {
    let one = |obstacle: &Obstacle| match obstacle {
        Obstacle::Key(key) => format!("another `{key}`"),
        Obstacle::Region => "no region that both accept".to_owned(),
        Obstacle::Size => "sizes that make no match".to_owned(),
        Obstacle::Window {
            of,
            distances,
            widths,
        } => {
            let [own, other] =
                [0, 1].map(|side| format!("{} of {}", short(distances[side]), short(widths[side])));
            format!("`{of}` {own} allowed, for the other {other}")
        }
        Obstacle::Threshold { quality, wanted } => {
            format!("quality {quality:.3} where {wanted:.3} is wanted")
        }
        Obstacle::Rule(rule) => format!("the rule `{rule}`"),
        Obstacle::Role(role) => format!("too few who wait fill the role `{role}`"),
        other => other.name().to_owned(),
    };
    if candidate.obstacles.is_empty() {
        return "nothing keeps it away".to_owned();
    }
    candidate.obstacles.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Three significant digits at least.
fn short(number: f64) -> String {
    match number.abs() {
        size if size >= 100.0 => format!("{number:.0}"),
        size if size >= 1.0 => format!("{number:.1}"),
        0.0 => "0".to_owned(),
        _ => format!("{number:.4}"),
    }
}
