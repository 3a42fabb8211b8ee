//! [`Service`]: the handle by which everybody asks.

use std::io;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, channel, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::JoinHandle;

use matchwright_queue::live::{Files, Loader, OpenError, Storage};
use matchwright_queue::{EventKind, MatchId, PlayerId, ProposalId, TicketId};

use crate::desk::{Desk, Request};
use crate::ledger::{Ledger, Standing};
use crate::note::Note;
use crate::pending::{Pending, Reply, pending};
use crate::problem::Problem;
use crate::request::{
    Created, MatchResult, NewTicket, RequestKey, create, find, hash, known_ticket, report, ticket_view,
    unknown,
};
use crate::settings::{Settings, begin, open_queue, policies};
use crate::shard::{Message, Shard};
use crate::view::{MatchView, Phase, PlayerView, TicketView};

/// A queue with names, requests, matches, results and ratings, served by a thread of its own.
///
/// A handle that can be cloned; the service ends with its last handle, or by [`close`](Self::close). Every answer is given after
/// what it says is on the device.
///
/// ```
/// use matchwright_queue::live::Memory;
/// use matchwright_service::{MatchResult, NewPlayer, NewTicket, Service, Settings};
///
/// let policy = "[queue]\n[[queue.windows]]\nof = 'rating'\nstart = 100\nper_second = 50";
/// let device = Memory::default();
/// let service = Service::open(move || Ok(device.clone()), policy, Settings::default())?;
/// let ticket = |name: &str| NewTicket {
///     players: vec![NewPlayer { id: name.to_owned(), ..NewPlayer::default() }],
///     ..NewTicket::default()
/// };
/// service.create(None, ticket("ann")).wait()?;
/// let bob = service.create(None, ticket("bob")).wait()?.ticket;
/// let found = service.match_of(&bob.id).wait()?;
/// assert_eq!(found.teams, [["ann"], ["bob"]]);
/// service.report(&found.id, MatchResult { places: vec![1, 2], played_at: None }).wait()?;
/// assert!(service.player("ann").wait()?.rated.unwrap().rating > 1500.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Service {
    inner: Arc<Inner>,
}

struct Inner {
    inbox: SyncSender<Message>,
    writer: Mutex<Option<JoinHandle<()>>>,
    stopped: Arc<OnceLock<String>>,
    settings: Settings,
}

impl std::fmt::Debug for Service {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Service").finish_non_exhaustive()
    }
}

impl Service {
    /// Opens the service of a folder, or begins a new one under a policy.
    ///
    /// # Errors
    /// [`OpenError`].
    pub fn open_folder(folder: &Path, policy: &str, settings: Settings) -> Result<Self, OpenError> {
        let folder = folder.to_owned();
        Self::open(move || Files::new(&folder), policy, settings)
    }

    /// The same on any device, of which `storage` gives a handle each time.
    ///
    /// # Errors
    /// [`OpenError`]; a service that is there keeps its own policy and ratings.
    pub fn open<S: Storage + 'static>(
        storage: impl Fn() -> io::Result<S> + Send + Sync + 'static,
        policy: &str,
        settings: Settings,
    ) -> Result<Self, OpenError> {
        Self::open_with(storage, (policy, policies()), settings)
    }

    /// The same under policies of anyone's, which `load` makes of their documents.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_with<S: Storage + 'static>(
        storage: impl Fn() -> io::Result<S> + Send + Sync + 'static,
        (policy, load): (&str, Loader),
        settings: Settings,
    ) -> Result<Self, OpenError> {
        let mut queue = open_queue(&storage, policy, &load, &settings.queue)?;
        if !queue.attached().has_begun() {
            begin(&mut queue, &settings)?;
        }
        let (inbox, messages): (_, Receiver<Message>) = sync_channel(settings.inbox);
        let stopped = Arc::new(OnceLock::new());
        let options = settings.queue.clone();
        let reopen = Box::new(move || open_queue(&storage, "", &load, &options));
        let shard = Shard::new(queue, messages, reopen, settings.batch, Arc::clone(&stopped));
        let writer = std::thread::Builder::new()
            .name("matchwright".to_owned())
            .spawn(move || shard.run())?;
        Ok(Self {
            inner: Arc::new(Inner {
                inbox,
                writer: Mutex::new(Some(writer)),
                stopped,
                settings,
            }),
        })
    }

    /// Why the service has stopped for good, if it has.
    #[must_use]
    pub fn stopped(&self) -> Option<&str> {
        self.inner.stopped.get().map(String::as_str)
    }

    /// Follows what was asked by now, and ends.
    pub fn close(self) {
        // Dropped: one that has stopped is closed.
        let _ = self.inner.inbox.send(Message::Close);
        let writer = self
            .inner
            .writer
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(writer) = writer {
            let _ = writer.join();
        }
    }

    fn ask<T: Send + 'static>(
        &self,
        about: Option<String>,
        run: impl FnOnce(&mut Desk<'_>, Reply<T>) + Send + 'static,
    ) -> Pending<T> {
        let (reply, answer) = pending();
        if let Some(why) = self.inner.stopped.get() {
            reply.send(Err(Problem::Stopped(why.clone())));
            return answer;
        }
        let request = Request {
            about,
            run: Box::new(move |desk| run(desk, reply)),
        };
        if let Err(TrySendError::Full(_)) = self.inner.inbox.try_send(Message::Do(request)) {
            let (reply, answer) = pending();
            reply.send(Err(Problem::Busy));
            return answer;
        }
        answer
    }

    /// What is known once all that was asked before is on the device.
    fn look<T: Send + 'static>(
        &self,
        look: impl FnOnce(&Ledger) -> Result<T, Problem> + Send + 'static,
    ) -> Pending<T> {
        self.ask(None, |desk, reply| {
            desk.answer(|done| reply.send(done.and_then(|done| look(done.ledger))));
        })
    }

    /// A ticket comes in.
    pub fn create(&self, key: Option<RequestKey>, new: NewTicket) -> Pending<Created> {
        let from_store = self.inner.settings.from_store.clone();
        let about = key
            .as_ref()
            .map(|key| format!("r{}/{}", key.subject, key.request));
        self.ask(about, move |desk, reply| {
            let hash = hash(&new);
            if let Some(key) = &key
                && let Some(known) = desk.ledger.request(&key.subject, &key.request)
            {
                let request = key.request.clone();
                desk.answer(move |done| {
                    reply.send(
                        done.and_then(|done| known_ticket(done, known.ticket, known.hash == hash, &request)),
                    );
                });
                return;
            }
            match create(desk, key, new, hash, &from_store) {
                Ok((event, ticket)) => desk.answer(move |done| {
                    let created = done.and_then(|done| {
                        done.followed(event)?;
                        let ticket = ticket_view(done.ledger, ticket)?;
                        Ok(Created { ticket, is_new: true })
                    });
                    reply.send(created);
                }),
                Err(problem) => reply.send(Err(problem)),
            }
        })
    }

    /// A ticket, as it stands.
    pub fn ticket(&self, ticket: &str) -> Pending<TicketView> {
        let id = ticket.to_owned();
        self.look(move |ledger| {
            find(ledger, 't', "ticket", &id).and_then(|ticket| ticket_view(ledger, ticket))
        })
    }

    /// A player: what it is in, and how good it is.
    pub fn player(&self, player: &str) -> Pending<PlayerView> {
        let name = player.to_owned();
        self.look(move |ledger| Ok(ledger.player_view(&name)))
    }

    /// A match.
    pub fn match_by_id(&self, match_id: &str) -> Pending<MatchView> {
        let id = match_id.to_owned();
        self.look(move |ledger| {
            let number = find(ledger, 'm', "match", &id)?;
            ledger.match_view(number).ok_or_else(|| unknown("match", &id))
        })
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
        self.ask(None, move |desk, reply| {
            let found = find(desk.ledger, 't', "ticket", &id).and_then(|ticket| {
                let by = by.map(|name| desk.ledger.player(&name).ok_or_else(|| unknown("player", &name)));
                Ok((ticket, by.transpose()?))
            });
            match found {
                Ok((ticket, by)) => {
                    let kind = EventKind::Cancel {
                        ticket: TicketId(ticket),
                        by: by.map(PlayerId),
                    };
                    let event = desk.event(kind);
                    desk.answer(move |done| {
                        reply.send(done.and_then(|done| {
                            let view = ticket_view(done.ledger, ticket)?;
                            // Cancelled again it is cancelled.
                            match done.followed(event) {
                                Err(Problem::Unknown { .. })
                                    if done
                                        .ledger
                                        .ticket(ticket)
                                        .is_some_and(|entry| matches!(entry.state, Standing::Left(_))) => {}
                                followed => followed?,
                            }
                            Ok(view)
                        }));
                    });
                }
                Err(problem) => reply.send(Err(problem)),
            }
        })
    }

    /// A player accepts a proposal, or declines it.
    pub fn respond(&self, proposal: &str, player: &str, accepts: bool) -> Pending<TicketView> {
        let (id, name) = (proposal.to_owned(), player.to_owned());
        self.ask(None, move |desk, reply| {
            let found = find(desk.ledger, 'p', "proposal", &id).and_then(|proposal| {
                let player = desk
                    .ledger
                    .player(&name)
                    .ok_or_else(|| unknown("player", &name))?;
                Ok((ProposalId(proposal), PlayerId(player)))
            });
            match found {
                Ok((proposal, player)) => {
                    let event = desk.event(if accepts {
                        EventKind::Accept { proposal, player }
                    } else {
                        EventKind::Decline { proposal, player }
                    });
                    desk.answer(move |done| {
                        reply.send(done.and_then(|done| {
                            done.followed(event)?;
                            let ticket = done.ledger.ticket_of(player.0);
                            let ticket = ticket.ok_or_else(|| unknown("ticket of player", &name))?;
                            ticket_view(done.ledger, ticket)
                        }));
                    });
                }
                Err(problem) => reply.send(Err(problem)),
            }
        })
    }

    /// A match has a place where it is played.
    pub fn assign(&self, match_id: &str, connection: &str) -> Pending<MatchView> {
        let connection = connection.to_owned();
        self.of_match(match_id, move |desk, match_id, phase| match phase {
            Phase::Allocating | Phase::Assigned => {
                desk.note(Note::Assigned { match_id, connection });
                Ok(None)
            }
            Phase::Started | Phase::Ended | Phase::Failed => Err(Problem::Invalid(
                "the match has started, or is over: it keeps its server".to_owned(),
            )),
        })
    }

    /// A match has started, and can no longer fail.
    pub fn started(&self, match_id: &str) -> Pending<MatchView> {
        self.of_match(match_id, |desk, match_id, phase| {
            let is_new = matches!(phase, Phase::Allocating | Phase::Assigned);
            Ok(is_new.then(|| desk.event(EventKind::Confirm(MatchId(match_id)))))
        })
    }

    /// A match did not start: its tickets wait again, since they came at first.
    pub fn failed(&self, match_id: &str) -> Pending<MatchView> {
        self.of_match(match_id, |desk, match_id, phase| {
            if phase == Phase::Ended {
                return Err(Problem::Invalid("the match is over: it cannot fail".to_owned()));
            }
            let is_new = phase != Phase::Failed;
            Ok(is_new.then(|| desk.event(EventKind::FailMatch(MatchId(match_id)))))
        })
    }

    /// A match ended so: its players are free, and rated by it.
    pub fn report(&self, match_id: &str, result: MatchResult) -> Pending<MatchView> {
        let id = match_id.to_owned();
        self.ask(Some(format!("m{id}")), move |desk, reply| {
            let checked = find(desk.ledger, 'm', "match", &id)
                .and_then(|match_id| report(desk, match_id, &id, result).map(|()| match_id));
            match checked {
                Ok(match_id) => desk.answer(move |done| {
                    reply.send(done.and_then(|done| {
                        let view = done
                            .ledger
                            .match_view(match_id)
                            .ok_or_else(|| unknown("match", &id))?;
                        match view.places {
                            Some(_) => Ok(view),
                            None => Err(Problem::ResultRefused {
                                match_id: id,
                                why: "it ended before the results that can still be changed".to_owned(),
                            }),
                        }
                    }));
                }),
                Err(problem) => reply.send(Err(problem)),
            }
        })
    }

    /// A result does not count any more: ratings are as without it.
    pub fn retract(&self, match_id: &str) -> Pending<MatchView> {
        let id = match_id.to_owned();
        self.ask(Some(format!("m{id}")), move |desk, reply| {
            let found = find(desk.ledger, 'm', "match", &id);
            match found.and_then(|match_id| match desk.ledger.match_entry(match_id) {
                Some(entry) if entry.result.is_some() => Ok(match_id),
                _ => Err(unknown("result of match", &id)),
            }) {
                Ok(match_id) => {
                    desk.note(Note::Retracted { match_id });
                    desk.answer(move |done| {
                        reply.send(done.and_then(|done| {
                            let view = done.ledger.match_view(match_id);
                            let view = view.ok_or_else(|| unknown("match", &id))?;
                            if view.is_retracted {
                                return Ok(view);
                            }
                            Err(Problem::ResultRefused {
                                match_id: id,
                                why: "it is older than the results that can still be changed".to_owned(),
                            })
                        }));
                    });
                }
                Err(problem) => reply.send(Err(problem)),
            }
        })
    }

    /// What happens to a match, and how it is then.
    fn of_match(
        &self,
        match_id: &str,
        run: impl FnOnce(&mut Desk<'_>, u64, Phase) -> Result<Option<u64>, Problem> + Send + 'static,
    ) -> Pending<MatchView> {
        let id = match_id.to_owned();
        self.ask(Some(format!("m{id}")), move |desk, reply| {
            let asked = find(desk.ledger, 'm', "match", &id).and_then(|match_id| {
                let entry = desk
                    .ledger
                    .match_entry(match_id)
                    .ok_or_else(|| unknown("match", &id))?;
                let phase = entry.phase;
                Ok((match_id, run(desk, match_id, phase)?))
            });
            match asked {
                Ok((match_id, event)) => desk.answer(move |done| {
                    reply.send(done.and_then(|done| {
                        event.map_or(Ok(()), |event| done.followed(event))?;
                        done.ledger
                            .match_view(match_id)
                            .ok_or_else(|| unknown("match", &id))
                    }));
                }),
                Err(problem) => reply.send(Err(problem)),
            }
        })
    }

    /// Tells of a ticket's present state and of every change, on the writer's thread, as long as `tell` says so: it must be fast.
    pub fn watch(&self, ticket: &str, tell: impl FnMut(&TicketView) -> bool + Send + 'static) -> Pending<()> {
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
    pub fn changes(&self, ticket: &str) -> Result<Receiver<TicketView>, Problem> {
        let (sender, changes) = channel();
        self.watch(ticket, move |view| sender.send(view.clone()).is_ok())
            .wait()?;
        Ok(changes)
    }
}
