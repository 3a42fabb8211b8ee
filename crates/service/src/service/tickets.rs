//! Tickets and players.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

use matchwright_queue::{EventKind, PlayerId, ProposalId};

use super::Service;
use crate::admission::{create, edit, join};
use crate::ledger::Ledger;
use crate::ledger::Standing;
use crate::limits::{ID, check_text};
use crate::note::Note;
use crate::pending::Pending;
use crate::problem::Problem;
use crate::request::{
    Created, NewPlayer, NewTicket, RequestKey, find, find_ticket, hash, known_ticket, ticket_view, unknown,
};
use crate::shard::{Message, Told};
use crate::view::{Left, MatchView, PlayerView, StepChanges, TicketView};

/// Whether a player's ticket is past a proposal as it is after such an answer.
fn was_answered(ledger: &Ledger, proposal: u64, player: u64, accepts: bool) -> bool {
    let entry = ledger.ticket_of(player).and_then(|ticket| ledger.ticket(ticket));
    entry
        .filter(|entry| entry.proposal == Some(proposal))
        .is_some_and(|entry| match entry.state {
            Standing::Matched(_) | Standing::Waiting => accepts,
            Standing::Left(reason) => !accepts && reason == Left::Declined,
            Standing::Gathering | Standing::Proposed { .. } => false,
        })
}

/// The changes of a ticket, told as long as this is kept.
#[derive(Debug)]
pub struct Changes {
    views: Receiver<TicketView>,
    _open: Arc<()>,
}

impl std::ops::Deref for Changes {
    type Target = Receiver<TicketView>;

    fn deref(&self) -> &Self::Target {
        &self.views
    }
}

impl Service {
    /// A ticket comes in.
    pub fn create(&self, key: Option<RequestKey>, new: NewTicket) -> Pending<Created> {
        let settings = Arc::clone(&self.inner.settings);
        let about = key
            .as_ref()
            .map(|key| format!("r{}/{}", key.subject, key.request));
        self.ask(about, move |desk, reply| {
            let hash = hash(&new);
            let checked = key.as_ref().map_or(Ok(()), |key| {
                check_text("a subject", &key.subject, ID)?;
                check_text("a request", &key.request, ID)
            });
            if let Err(problem) = checked {
                return reply.send(Err(problem));
            }
            if let Some(key) = &key
                && let Some((ticket, known)) = desk.ledger.request(&key.subject, &key.request)
            {
                let request = key.request.clone();
                desk.answer(move |done| {
                    reply.send(done.and_then(|done| known_ticket(done, ticket, known == hash, &request)));
                });
                return;
            }
            match create(desk, key, new, hash, &settings) {
                Ok((event, ticket)) => desk.answer(move |done| {
                    let created = done.and_then(|done| {
                        event.map_or(Ok(()), |event| done.followed(event))?;
                        let ticket = ticket_view(done.ledger, ticket)?;
                        Ok(Created { ticket, is_new: true })
                    });
                    reply.send(created);
                }),
                Err(problem) => reply.send(Err(problem)),
            }
        })
    }

    /// Whether this request got a ticket before, so that sent again it makes none.
    #[cfg(feature = "http")]
    pub(crate) fn is_known(&self, key: &RequestKey) -> Pending<bool> {
        let key = key.clone();
        self.look(move |ledger| Ok(ledger.request(&key.subject, &key.request).is_some()))
    }

    /// A player joins a ticket that waits for it; with the last of them it comes into its queues.
    pub fn join(&self, ticket: &str, player: NewPlayer) -> Pending<TicketView> {
        let (id, settings) = (ticket.to_owned(), Arc::clone(&self.inner.settings));
        self.act(
            Some(id.clone()),
            move |desk| {
                let ticket = find_ticket(desk.ledger, &id, None)?;
                Ok((join(desk, ticket, player, &settings)?, ticket))
            },
            ticket_view,
        )
    }

    /// A ticket that waits has these players from now on, with what is known of them; it has waited as long as before.
    pub fn edit(&self, ticket: &str, players: Vec<NewPlayer>) -> Pending<TicketView> {
        self.edit_for(ticket, players, None)
    }

    /// The same for a player who is alone in it, if that is who asks.
    pub fn edit_for(&self, ticket: &str, players: Vec<NewPlayer>, by: Option<&str>) -> Pending<TicketView> {
        let (id, settings) = (ticket.to_owned(), Arc::clone(&self.inner.settings));
        let by = by.map(str::to_owned);
        self.act(
            Some(id.clone()),
            move |desk| {
                let ticket = find_ticket(desk.ledger, &id, by.as_deref())?;
                let event = edit(desk, ticket, players, by.as_deref(), &settings)?;
                Ok((Some(event), ticket))
            },
            ticket_view,
        )
    }

    /// A ticket, as it stands.
    pub fn ticket(&self, ticket: &str) -> Pending<TicketView> {
        self.ticket_for(ticket, None)
    }

    /// The same for one of its players alone, if that is who asks: of others there is none.
    pub fn ticket_for(&self, ticket: &str, by: Option<&str>) -> Pending<TicketView> {
        let (id, by) = (ticket.to_owned(), by.map(str::to_owned));
        self.ask(None, move |desk, reply| {
            if let Ok(ticket) = find_ticket(desk.ledger, &id, by.as_deref()) {
                desk.seen(ticket);
            }
            desk.answer(move |done| {
                reply.send(done.and_then(|done| {
                    let ticket = find_ticket(done.ledger, &id, by.as_deref())?;
                    ticket_view(done.ledger, ticket)
                }));
            });
        })
    }

    /// A player: what it is in, and how good it is.
    pub fn player(&self, player: &str) -> Pending<PlayerView> {
        let name = player.to_owned();
        self.look(move |ledger| Ok(ledger.player_view(&name)))
    }

    /// The match that a ticket has.
    pub fn match_of(&self, ticket: &str) -> Pending<MatchView> {
        let id = ticket.to_owned();
        self.look(move |ledger| {
            let ticket = find(ledger, 't', "ticket", &id)?;
            let match_id = match ledger.ticket(ticket).map(|entry| entry.state) {
                Some(Standing::Matched(match_id)) => Some(match_id),
                _ => None,
            };
            let view = match_id.and_then(|match_id| ledger.match_view(match_id));
            view.ok_or_else(|| unknown("match of ticket", &id))
        })
    }

    /// A ticket gives up, asked by one of its players, or by nobody of them.
    pub fn cancel(&self, ticket: &str, by: Option<&str>) -> Pending<TicketView> {
        let (id, by) = (ticket.to_owned(), by.map(str::to_owned));
        self.act(
            Some(id.clone()),
            move |desk| {
                let ticket = find_ticket(desk.ledger, &id, by.as_deref())?;
                let state = desk.ledger.ticket(ticket).map(|entry| entry.state);
                let event = match state {
                    // Cancelled again it is cancelled.
                    Some(Standing::Left(_)) => None,
                    Some(Standing::Gathering) => {
                        let reason = Left::Cancelled;
                        desk.note(Note::Dissolved { ticket, reason });
                        None
                    }
                    Some(Standing::Matched(found)) => {
                        let match_id = desk.ledger.id('m', found);
                        return Err(Problem::IsMatched { ticket: id, match_id });
                    }
                    _ => {
                        let by = by.and_then(|name| desk.ledger.player(&name));
                        Some(desk.cancel(ticket, by))
                    }
                };
                Ok((event, ticket))
            },
            ticket_view,
        )
    }

    /// A player accepts a proposal, or declines it; sent again once that is over, the answer is the ticket as it stands then.
    pub fn respond(&self, proposal: &str, player: &str, accepts: bool) -> Pending<TicketView> {
        let (id, name) = (proposal.to_owned(), player.to_owned());
        self.act(
            None,
            move |desk| {
                let proposal = ProposalId(find(desk.ledger, 'p', "proposal", &id)?);
                let player = desk.ledger.player(&name);
                let player = PlayerId(player.ok_or_else(|| unknown("player", &name))?);
                if was_answered(desk.ledger, proposal.0, player.0, accepts) {
                    return Ok((None, player.0));
                }
                // A match that others are about to come into: who leaves it now leaves it in the next step.
                let sought: Vec<u64> = desk.ledger.sought_in(proposal.0).collect();
                for match_id in sought {
                    desk.about(desk.ledger.id('m', match_id));
                }
                let event = desk.event(if accepts {
                    EventKind::Accept { proposal, player }
                } else {
                    EventKind::Decline { proposal, player }
                });
                Ok((Some(event), player.0))
            },
            |ledger, player| {
                let ticket = ledger.ticket_of(player);
                ticket_view(
                    ledger,
                    ticket.ok_or_else(|| unknown("ticket of player", ledger.name(player)))?,
                )
            },
        )
    }

    /// Tells of a ticket's present state and of every change, on the writer's thread, as long as `tell` says so: it must be fast. Asked
    /// with `None`, it says whether it is still there.
    pub fn watch(
        &self,
        ticket: &str,
        tell: impl FnMut(Option<&TicketView>) -> bool + Send + 'static,
    ) -> Pending<()> {
        let (id, inbox) = (ticket.to_owned(), self.inner.inbox.clone());
        self.look(move |ledger| {
            let number = find(ledger, 't', "ticket", &id)?;
            ticket_view(ledger, number)?;
            let sent = inbox.try_send(Message::Watch(number, Box::new(tell)));
            sent.map_err(|_| Problem::Busy)
        })
    }

    /// The changes of a ticket, beginning with its present state.
    ///
    /// # Errors
    /// [`Problem`] if there is no such ticket.
    pub fn changes(&self, ticket: &str) -> Result<Changes, Problem> {
        let (sender, views) = channel();
        let open = Arc::new(());
        let is_open = Arc::downgrade(&open);
        let tell = move |view: Option<&TicketView>| match view {
            Some(view) => sender.send(view.clone()).is_ok(),
            None => is_open.strong_count() > 0,
        };
        self.watch(ticket, tell).wait()?;
        Ok(Changes { views, _open: open })
    }

    /// Tells of all that every step changes from now on, as [`watch`](Self::watch) does; the answer is the last step before.
    pub fn watch_all(&self, tell: impl FnMut(&Told) -> bool + Send + 'static) -> Pending<u64> {
        self.send(|reply| Message::WatchAll(Box::new(tell), reply))
    }

    /// What has changed after a step and is still known (for an hour after it ended), as it is now, by the steps of the last changes; and
    /// the step until which that is so. O(all that is known), on the caller's thread.
    ///
    /// # Errors
    /// [`Problem::Stopped`].
    pub fn changes_after(&self, step: u64) -> Result<(u64, Vec<StepChanges>), Problem> {
        self.inner.beside.look(|copy| {
            let ledger = copy.attached();
            Ok((ledger.step(), ledger.changes_after(step)))
        })
    }
}
