//! The queue that the spotlight replaced: DOM-oldqueue. The figures are those of
//! `examples/policies/dominations-old.toml`.

use super::inputs::DominationsInputs;
use crate::check::prelude::*;
use crate::check::queues::{DrivenQueue, altered, queue_params, table, windows_mut};
use matchwright_queue::{Accept, EventKind, Ticket};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use toml::Table;

pub(crate) const CHECKS: &[Check<DominationsInputs>] = &[Check::new("DOM-oldqueue", Exact(one_look))];

const STREAMS: u64 = 20;
const ALLIANCES: u64 = 150;

/// An alliance that comes, or an older one that leaves.
enum Arrival {
    Comes(Alliance),
    Leaves(u64),
}

#[derive(Clone)]
struct Alliance {
    id: u64,
    members: u64,
    offence: f64,
    defence: f64,
    /// What it accepts beyond the document's width.
    leeway: f64,
}

impl Alliance {
    fn ticket(&self) -> Ticket {
        let queue = format!("{0}v{0}", self.members);
        let players = (0..self.members).map(|member| 100 * self.id + member);
        Ticket::of(self.id, players)
            .in_queues(&[&queue])
            .with("offence", self.offence)
            .with("defence", self.defence)
            .with("leeway", self.leeway)
    }

    /// Whether its range admits another.
    fn accepts(&self, other: &Self, widths: [f64; 2]) -> bool {
        let distances = [self.offence - other.offence, self.defence - other.defence];
        (0..2).all(|at| distances[at].abs() <= widths[at] + self.leeway)
    }
}

fn arrivals(rng: &mut ChaCha8Rng) -> Vec<Arrival> {
    let mut arrivals = Vec::new();
    for id in 1..=ALLIANCES {
        let members = if rng.random() { 10 } else { 15 };
        let offence = rng.random_range(1_000.0..6_000.0);
        arrivals.push(Arrival::Comes(Alliance {
            id,
            members,
            offence,
            defence: offence + rng.random_range(-400.0..400.0),
            leeway: rng.random_range(0.0..400.0),
        }));
        if id % 5 == 0 {
            arrivals.push(Arrival::Leaves(rng.random_range(1..=id)));
        }
    }
    arrivals
}

/// The pairs of the queue, the later alliance first, at these times; and whether each was made when that one came.
fn pairs(document: &Table, timed: &[(i64, Arrival)]) -> Result<(Vec<(u64, u64)>, bool)> {
    let mut queue = DrivenQueue::new(document)?;
    for (at, arrival) in timed {
        let event = match arrival {
            Arrival::Comes(alliance) => EventKind::Create(alliance.ticket().into()),
            Arrival::Leaves(id) => EventKind::cancel(*id),
        };
        queue.send(*at, [event])?;
    }
    queue.run(i64::MAX / 2)?;
    let at_once = queue.made.iter().all(|made| made.at == made.completed());
    let pair = |tickets: &[u64]| (tickets[0].max(tickets[1]), tickets[0].min(tickets[1]));
    Ok((
        queue.made.iter().map(|made| pair(&made.tickets)).collect(),
        at_once,
    ))
}

/// The same by one look of each alliance that comes; and how many pairs one of the two would not accept.
fn looks(timed: &[(i64, Arrival)], widths: [f64; 2]) -> (Vec<(u64, u64)>, u64) {
    let (mut bucket, mut pairs, mut one_sided): (Vec<Alliance>, _, _) = (Vec::new(), Vec::new(), 0);
    for (_, arrival) in timed {
        let newcomer = match arrival {
            Arrival::Comes(newcomer) => newcomer,
            Arrival::Leaves(id) => {
                bucket.retain(|one| one.id != *id);
                continue;
            }
        };
        let away = |one: &Alliance| (one.offence - newcomer.offence).abs();
        let found = bucket
            .iter()
            .filter(|one| one.members == newcomer.members)
            .filter(|one| newcomer.accepts(one, widths) || one.accepts(newcomer, widths))
            .min_by(|a, b| away(a).total_cmp(&away(b)))
            .cloned();
        match found {
            None => bucket.push(newcomer.clone()),
            Some(other) => {
                let both = newcomer.accepts(&other, widths) && other.accepts(newcomer, widths);
                one_sided += u64::from(!both);
                bucket.retain(|one| one.id != other.id);
                pairs.push((newcomer.id, other.id));
            }
        }
    }
    (pairs, one_sided)
}

/// Against a model of one look, with ranges that differ from alliance to alliance.
fn one_look(inputs: &DominationsInputs) -> Result<Finding> {
    let document = table(&inputs.old_policy)?;
    let params = queue_params(&document)?;
    let width = |of: &str| params.windows.iter().find(|window| window.of == of);
    let widths = ["offence", "defence"].map(|of| width(of).map_or(f64::NAN, |window| window.start));
    let document = altered(&document, |queue| {
        for window in windows_mut(queue) {
            window.insert("deviation".to_owned(), "leeway".into());
            window.insert("per_deviation".to_owned(), 1.0.into());
        }
    })?;
    let (mut made, mut one_sided, mut waiting) = (0, 0, 0);
    let (mut at_once, mut as_looked, mut as_slowly) = (true, true, true);
    for stream in 0..STREAMS {
        let mut rng = check_stream(inputs.seed, 70, stream);
        let mut now = 0;
        let arrivals = arrivals(&mut rng).into_iter();
        let timed: Vec<(i64, Arrival)> = arrivals
            .map(|arrival| {
                now += rng.random_range(1..3_600_000);
                (now, arrival)
            })
            .collect();
        let (found, each_at_once) = pairs(&document, &timed)?;
        let (expected, accepted_by_one) = looks(&timed, widths);
        made += found.len() as u64;
        one_sided += accepted_by_one;
        waiting += ALLIANCES - 2 * found.len() as u64;
        at_once &= each_at_once;
        as_looked &= found == expected;
        let slowly: Vec<(i64, Arrival)> = timed.into_iter().map(|(at, one)| (1_000 * at, one)).collect();
        as_slowly &= pairs(&document, &slowly)?.0 == found;
    }
    Ok(Finding::new()
        .samples(STREAMS, "streams of 150 alliances")
        .count("matches", made)
        .count("that one of the two would not accept", one_sided)
        .count("alliances without one", waiting)
        .require(
            at_once && made > 0,
            "a match is made when the later one comes, or never",
        )
        .require(
            as_looked,
            "with the nearest in attack among those in range at that moment",
        )
        .require(as_slowly, "the same pairs if all wait a thousand times as long")
        .require(
            one_sided > 0 && params.accept == Accept::Either,
            "the range of one of the two is enough",
        ))
}
