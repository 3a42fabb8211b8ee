//! Bots with hidden skills, parties, crashes and bad manners.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{scope, sleep};
use std::time::Duration;

use matchwright_client::{Client, ClientError, NewPlayer, NewTicket, Phase, TicketState};

use crate::{Dice, skill};

/// What became of the bots' tickets.
#[derive(Default)]
struct Counts {
    played: AtomicU64,
    cancelled: AtomicU64,
    left: AtomicU64,
    crashed: AtomicU64,
    /// By what the service says, or `connection`.
    refused: Mutex<BTreeMap<String, u64>>,
}

/// One bot, or two who play together: queues, waits for a match and plays it, unless it has bad manners.
fn bot(
    client: &Client,
    names: &[String],
    dice: &mut Dice,
    counts: &Counts,
    ends: &AtomicBool,
) -> Result<(), ClientError> {
    let count = |counter: &AtomicU64| counter.fetch_add(1, Ordering::Relaxed);
    let mut new = NewTicket::of([player(&names[0])]);
    new.joining = names[1..].to_vec();
    // A bot that crashes is waited for this long.
    new.heartbeat_within = Some(3000);
    let mut ticket = client.create(&new)?;
    for mate in &names[1..] {
        ticket = client.join(&ticket.id, player(mate))?;
    }
    let manners = dice.draw();
    let mut waited = 0;
    // At the end there is no server that would play its match.
    while !ends.load(Ordering::Relaxed) {
        match &ticket.state {
            TicketState::Proposed { proposal, .. } => {
                for name in names {
                    // Another may have declined by now: its next state tells.
                    if let Err(error @ ClientError::Connection { .. }) = client.accept(proposal, name) {
                        return Err(error);
                    }
                }
            }
            TicketState::Matched { match_id, phase, .. } => match phase {
                // It does not like the looks of it.
                Phase::Allocating | Phase::Assigned if manners < 0.01 => {
                    count(&counts.left);
                    client.leave(match_id, &names[0])?;
                    return Ok(());
                }
                Phase::Ended => {
                    count(&counts.played);
                    return Ok(());
                }
                _ => {}
            },
            TicketState::Left { .. } => return Ok(()),
            _ if manners > 0.98 && waited > 0 => {
                count(&counts.cancelled);
                client.cancel(&ticket.id)?;
                return Ok(());
            }
            // Its client is gone: the ticket leaves once nobody has asked for it for a while.
            _ if manners > 0.96 => {
                count(&counts.crashed);
                sleep(Duration::from_secs(4));
                return Ok(());
            }
            _ => {}
        }
        ticket = client.wait(&ticket, Duration::from_secs(1))?;
        waited += 1;
    }
    Ok(())
}

/// What the policies that are shipped look at, beside ratings.
fn player(name: &str) -> NewPlayer {
    NewPlayer {
        id: name.to_owned(),
        attributes: [
            ("experience".to_owned(), (20.0 + 10.0 * skill(name)).into()),
            ("languages".to_owned(), vec!["en"].into()),
        ]
        .into(),
    }
}

/// All bots.
pub(crate) struct Swarm<'c> {
    client: &'c Client,
    parties: Vec<&'c [String]>,
    counts: Counts,
}

impl<'c> Swarm<'c> {
    /// Two of three play together where a team has room for them.
    pub(crate) fn new(client: &'c Client, names: &'c [String]) -> Result<Self, ClientError> {
        let queues = client.queues()?;
        let has_parties = queues.iter().flat_map(|queue| &queue.teams).any(|size| *size > 1);
        let parties = if has_parties {
            let split = |three: &'c [String]| three.split_at(three.len().min(2));
            let parties = names.chunks(3).map(split).flat_map(|(two, one)| [two, one]);
            parties.filter(|party| !party.is_empty()).collect()
        } else {
            names.chunks(1).collect()
        };
        Ok(Self {
            client,
            parties,
            counts: Counts::default(),
        })
    }

    /// They queue and play until `until` returns.
    pub(crate) fn play(&self, until: impl FnOnce()) {
        let ends = AtomicBool::new(false);
        scope(|scope| {
            for (seed, party) in (100..).zip(&self.parties) {
                let (Self { client, counts, .. }, ends) = (self, &ends);
                scope.spawn(move || {
                    let mut dice = Dice(seed);
                    while !ends.load(Ordering::Relaxed) {
                        if let Err(error) = bot(client, party, &mut dice, counts, ends) {
                            // It cools down, or another of its party still plays.
                            let kind = error.kind().unwrap_or("connection").to_owned();
                            let mut refused = counts.refused.lock().unwrap_or_else(PoisonError::into_inner);
                            *refused.entry(kind).or_default() += 1;
                            drop(refused);
                            // A ticket that a mate did not join would wait on. Dropped: there is none.
                            let _ = client.cancel_all(&party[0]);
                            sleep(Duration::from_millis(500));
                        }
                        sleep(Duration::from_millis((300.0 * dice.draw()) as u64));
                    }
                });
            }
            until();
            ends.store(true, Ordering::Relaxed);
        });
    }
}

impl fmt::Display for Swarm<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let told = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let counts = &self.counts;
        write!(
            f,
            "{} tickets played; {} cancelled, {} left a match, {} crashed; refused:",
            told(&counts.played),
            told(&counts.cancelled),
            told(&counts.left),
            told(&counts.crashed)
        )?;
        let refused = counts.refused.lock().unwrap_or_else(PoisonError::into_inner);
        refused
            .iter()
            .try_for_each(|(kind, times)| write!(f, " {kind} {times}"))
    }
}
