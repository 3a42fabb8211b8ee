//! [`Service`]: the handle by which everybody asks.

mod matches;
mod operate;
mod tickets;

use std::io;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::JoinHandle;

use matchwright_queue::live::{Files, Loader, OpenError, Storage};

pub use self::tickets::Changes;
use crate::beside::Beside;
use crate::desk::{Desk, Request};
use crate::ledger::Ledger;
use crate::pending::{Pending, Reply, pending};
use crate::problem::Problem;
use crate::settings::{Settings, begin, open_queue, policies};
use crate::shard::{Clock, Message, Shard, Shared};

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
///     players: vec![NewPlayer::of(name)],
///     ..NewTicket::default()
/// };
/// service.create(None, ticket("ann")).wait()?;
/// let bob = service.create(None, ticket("bob")).wait()?.ticket;
/// let found = service.match_of(&bob.id).wait()?;
/// assert_eq!(found.teams, [["ann"], ["bob"]]);
/// service.report(&found.id, MatchResult::of_places([1, 2])).wait()?;
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
    shared: Arc<Shared>,
    beside: Beside,
    load: Loader,
    settings: Arc<Settings>,
    clock: Clock,
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
        let (beside, storage) = (Beside::new()?, Arc::new(storage));
        let mut queue = open_queue(&storage, policy, &load, &settings.queue, &beside)?;
        if !queue.attached().has_begun() {
            begin(&mut queue, &settings)?;
        }
        let (inbox, messages): (_, Receiver<Message>) = sync_channel(settings.inbox);
        let stopped = Arc::new(OnceLock::new());
        let shared = Arc::new(Shared::default());
        shared.set_document(queue.document());
        let (options, loader, copy) = (settings.queue.clone(), Arc::clone(&load), beside.clone());
        let reopen = Box::new(move || open_queue(&storage, "", &loader, &options, &copy));
        let shard = Shard::new(
            messages,
            reopen,
            settings.batch,
            Arc::clone(&stopped),
            Arc::clone(&shared),
        );
        let writer = std::thread::Builder::new()
            .name("matchwright".to_owned())
            .spawn(move || shard.run(queue))?;
        Ok(Self {
            inner: Arc::new(Inner {
                inbox,
                writer: Mutex::new(Some(writer)),
                stopped,
                shared,
                beside,
                load,
                settings: Arc::new(settings),
                clock: Clock::new(),
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
        self.send(|reply| {
            Message::Do(Request {
                about,
                run: Box::new(move |desk| run(desk, reply)),
            })
        })
    }

    fn send<T: Send + 'static>(&self, message: impl FnOnce(Reply<T>) -> Message) -> Pending<T> {
        let (reply, answer) = pending();
        if let Some(why) = self.inner.stopped.get() {
            reply.send(Err(Problem::Stopped(why.clone())));
            return answer;
        }
        if let Err(TrySendError::Full(_)) = self.inner.inbox.try_send(message(reply)) {
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

    /// What happens at the desk, and what is told of it once that is on the device and the event was followed, if there is one.
    fn act<W: Send + 'static, T: Send + 'static>(
        &self,
        about: Option<String>,
        run: impl FnOnce(&mut Desk<'_>) -> Result<(Option<u64>, W), Problem> + Send + 'static,
        told: impl FnOnce(&Ledger, W) -> Result<T, Problem> + Send + 'static,
    ) -> Pending<T> {
        self.ask(about, move |desk, reply| match run(desk) {
            Ok((event, what)) => desk.answer(move |done| {
                reply.send(done.and_then(|done| {
                    event.map_or(Ok(()), |event| done.followed(event))?;
                    told(done.ledger, what)
                }));
            }),
            Err(problem) => reply.send(Err(problem)),
        })
    }
}
