//! The writer: takes what was asked in steps, syncs each before it is answered, and tells who watches.

use std::collections::{HashMap, VecDeque};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use matchwright_queue::live::{Decided, LiveError, OpenError, Queue, StopReason};
use matchwright_queue::{EventId, StepError, Time};

use crate::desk::{Desk, Request};
use crate::ledger::Ledger;
use crate::note::{Note, encode};
use crate::pending::Reply;
use crate::presence::Presence;
use crate::problem::Problem;
use crate::stats::{Meter, Stats};
use crate::view::{Left, StepChanges, TicketView};

/// Who is told of a ticket's changes, as long as it says so; asked with `None`, it says whether it is still there.
pub(crate) type Watcher = Box<dyn FnMut(Option<&TicketView>) -> bool + Send>;
/// Who is told of all changes.
pub(crate) type WatcherOfAll = Box<dyn FnMut(&Told) -> bool + Send>;
/// What a step has changed, shared by all who are told.
pub type Told = Arc<StepChanges>;

/// What is sent to the writer.
pub(crate) enum Message {
    Do(Request),
    /// A watcher of a ticket, told its present state at once.
    Watch(u64, Watcher),
    /// A watcher of all, told the last step before its first change.
    WatchAll(WatcherOfAll, Reply<u64>),
    /// The policy of a document decides after this step.
    Policy(String, Reply<()>),
    Close,
}

/// What is seen of the writer without asking it.
#[derive(Default)]
pub(crate) struct Shared {
    meter: Mutex<Meter>,
    document: Mutex<String>,
}

impl Shared {
    pub(crate) fn set_document(&self, document: &str) {
        document.clone_into(&mut lock(&self.document));
    }

    pub(crate) fn document(&self) -> String {
        lock(&self.document).clone()
    }

    pub(crate) fn stats(&self, now: i64) -> Stats {
        lock(&self.meter).stats(now)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The wall clock once, then one that does not jump.
pub(crate) struct Clock {
    began: Instant,
    at: i64,
}

impl Clock {
    pub(crate) fn new() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self {
            began: Instant::now(),
            at: i64::try_from(since.as_millis()).unwrap_or(i64::MAX / 2),
        }
    }

    pub(crate) fn now(&self) -> Time {
        let passed = i64::try_from(self.began.elapsed().as_millis()).unwrap_or(i64::MAX / 2);
        Time::from_millis(self.at.saturating_add(passed))
    }
}

/// Opens the queue again, from what is on the device.
pub(crate) type Reopen = Box<dyn Fn() -> Result<Queue<Ledger>, OpenError> + Send>;

pub(crate) struct Shard {
    inbox: Receiver<Message>,
    reopen: Reopen,
    /// At most this many requests in a step.
    batch: usize,
    clock: Clock,
    /// Why the service has stopped for good.
    stopped: Arc<OnceLock<String>>,
    shared: Arc<Shared>,
    put_off: VecDeque<Request>,
    /// Whether it ends once nothing is put off.
    is_closed: bool,
    watchers: HashMap<u64, Vec<Watcher>>,
    watchers_of_all: Vec<WatcherOfAll>,
    presence: Presence,
    /// The policy that decides after this step.
    next_policy: Option<(String, Reply<()>)>,
}

/// Why the writer cannot go on with its queue.
enum End {
    /// The policy panicked: the events of that step are refused for ever, and everything else goes on in a queue that is opened again.
    Panicked,
    /// For good.
    Stopped(String),
}

impl Shard {
    pub(crate) fn new(
        inbox: Receiver<Message>,
        reopen: Reopen,
        batch: usize,
        stopped: Arc<OnceLock<String>>,
        shared: Arc<Shared>,
    ) -> Self {
        Self {
            inbox,
            reopen,
            batch,
            clock: Clock::new(),
            stopped,
            shared,
            put_off: VecDeque::new(),
            is_closed: false,
            watchers: HashMap::new(),
            watchers_of_all: Vec::new(),
            presence: Presence::default(),
            next_policy: None,
        }
    }

    /// Serves until it is closed, or has to stop.
    pub(crate) fn run(mut self, mut queue: Queue<Ledger>) {
        self.presence = Presence::new(queue.attached(), self.clock.now());
        loop {
            let requests = self.next(&queue);
            let step = self.step(&mut queue, requests);
            let why = match step.and_then(|()| self.change_policy(&mut queue)) {
                Ok(()) if self.is_closed && self.put_off.is_empty() => return,
                Ok(()) => continue,
                Err(End::Stopped(why)) => why,
                Err(End::Panicked) => {
                    // The files have one owner: it goes first.
                    drop(queue);
                    match (self.reopen)() {
                        Ok(opened) => {
                            queue = opened;
                            self.presence = Presence::new(queue.attached(), self.clock.now());
                            continue;
                        }
                        Err(error) => error.to_string(),
                    }
                }
            };
            // Dropped: it is told once.
            let _ = self.stopped.set(why);
            return;
        }
    }

    /// What came by now, or once something is due.
    fn next(&mut self, queue: &Queue<Ledger>) -> Vec<Request> {
        let mut requests: Vec<Request> = self.put_off.drain(..).collect();
        let deadline = queue.attached().next_deadline();
        let deadline = deadline.map(|(deadline, _)| Time::from_millis(deadline));
        let wait = match queue
            .wakeup()
            .into_iter()
            .chain(deadline)
            .chain(self.presence.next())
            .min()
        {
            _ if !requests.is_empty() => 0,
            Some(at) => at.since(self.clock.now()).clamp(0, 3_600_000),
            None => 3_600_000,
        };
        let mut message = match self
            .inbox
            .recv_timeout(Duration::from_millis(wait.unsigned_abs()))
        {
            Ok(message) => Some(message),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                self.is_closed = true;
                return requests;
            }
        };
        while let Some(one) = message {
            match one {
                Message::Do(request) => requests.push(request),
                Message::Watch(ticket, watcher) => self.watch(queue.attached(), ticket, watcher),
                Message::WatchAll(watcher, reply) => {
                    self.watchers_of_all.push(watcher);
                    reply.send(Ok(queue.attached().step()));
                }
                Message::Policy(document, reply) => {
                    self.next_policy = Some((document, reply));
                    break;
                }
                Message::Close => {
                    self.is_closed = true;
                    break;
                }
            }
            if requests.len() >= self.batch {
                break;
            }
            message = self.inbox.try_recv().ok();
        }
        requests
    }

    fn watch(&mut self, ledger: &Ledger, ticket: u64, mut watcher: Watcher) {
        // What is known of it is on the device: steps are synced before the next message is looked at.
        let Some(view) = ledger.ticket_view(ticket) else {
            return;
        };
        if watcher(Some(&view)) && !view.is_over() {
            let watchers = self.watchers.entry(ticket).or_default();
            // Those who come again and again for a ticket that does not change do not pile up.
            watchers.retain_mut(|watcher| watcher(None));
            watchers.push(watcher);
        }
    }

    /// Follows these requests, syncs, answers and tells.
    fn step(&mut self, queue: &mut Queue<Ledger>, requests: Vec<Request>) -> Result<(), End> {
        let now = self.clock.now().max(queue.state().now());
        // There may be room again, which the queue looks for in a step alone.
        let was_full = queue.is_full();
        let is_filled = requests.len() >= self.batch;
        let mut desk = Desk::new(queue.attached(), now, was_full);
        for request in requests {
            self.put_off.extend(desk.follow(request));
        }
        for (_, ticket) in desk.ledger.overdue(now.millis()) {
            let reason = Left::NotGathered;
            desk.note(Note::Dissolved { ticket, reason });
        }
        for ticket in std::mem::take(&mut desk.seen) {
            self.presence.seen(desk.ledger, ticket, now);
        }
        let watchers = &mut self.watchers;
        let mut is_watched = |ticket: u64| {
            let watchers = watchers.get_mut(&ticket);
            watchers.is_some_and(|all| all.iter_mut().any(|watcher| watcher(None)))
        };
        // Where more wait to be followed, those who are there may be among them.
        if !is_filled {
            for ticket in self.presence.gone(desk.ledger, now, &mut is_watched) {
                abandon(&mut desk, ticket);
            }
        }
        let prepared = desk.finish();
        let is_due = queue.wakeup().is_some_and(|wakeup| wakeup <= now);
        if prepared.events.is_empty() && !prepared.has_notes() && !is_due && !was_full {
            prepared.done(queue.attached(), None);
            return Ok(());
        }
        let (mut decided, mut fault) = (None, None);
        let taken = queue.decide(now, &prepared.events, |outcome, attached| {
            fault = encode(&prepared.attached(outcome), attached).err();
            decided = Some(outcome.clone());
        });
        let syncing = Instant::now();
        let committed = taken.and_then(|_| queue.commit().map(<[_]>::to_vec));
        match (committed, fault) {
            (Ok(steps), None) => {
                self.count(queue.attached(), &steps, syncing.elapsed());
                self.presence.follow(queue.attached(), now);
                prepared.done(queue.attached(), decided.as_ref());
                self.tell(queue.attached(), &steps);
                Ok(())
            }
            (_, Some(fault)) => {
                prepared.failed(&Problem::Stopped(fault.clone()));
                Err(End::Stopped(fault))
            }
            (Err(error), None) => {
                // Those who were to leave wait on.
                self.presence = Presence::new(queue.attached(), now);
                prepared.failed(&problem_of(&error));
                end_of(&error)
            }
        }
    }

    /// Lets another policy decide, if one was asked for.
    fn change_policy(&mut self, queue: &mut Queue<Ledger>) -> Result<(), End> {
        let Some((document, reply)) = self.next_policy.take() else {
            return Ok(());
        };
        let now = self.clock.now().max(queue.state().now());
        let event = EventId(queue.attached().next()[0]);
        let syncing = Instant::now();
        match queue.set_policy(now, event, &document).map(<[_]>::to_vec) {
            Ok(steps) => {
                self.shared.set_document(&document);
                self.count(queue.attached(), &steps, syncing.elapsed());
                reply.send(Ok(()));
                self.tell(queue.attached(), &steps);
                Ok(())
            }
            Err(LiveError::Step(StepError::NoPlace { ticket })) => {
                let ticket = queue.attached().id('t', ticket.0);
                let why = format!("ticket {ticket}, which waits, has no place in the new policy");
                reply.send(Err(Problem::Refused(why, "no-place")));
                Ok(())
            }
            Err(error) => {
                reply.send(Err(problem_of(&error)));
                end_of(&error)
            }
        }
    }

    fn count(&self, ledger: &Ledger, steps: &[Arc<Decided>], synced: Duration) {
        let mut meter = lock(&self.shared.meter);
        for step in steps {
            meter.step(step, ledger, synced);
        }
    }

    /// Tells who watches what has changed.
    fn tell(&mut self, ledger: &Ledger, steps: &[Arc<Decided>]) {
        if steps.is_empty() {
            return;
        }
        if !self.watchers.is_empty() {
            for ticket in ledger.changed_tickets() {
                let Some(watchers) = self.watchers.get_mut(ticket) else {
                    continue;
                };
                match ledger.ticket_view(*ticket) {
                    // Of one that is over nothing more is told.
                    Some(view) => watchers.retain_mut(|watcher| watcher(Some(&view)) && !view.is_over()),
                    None => watchers.clear(),
                }
                if watchers.is_empty() {
                    self.watchers.remove(ticket);
                }
            }
        }
        if !self.watchers_of_all.is_empty() {
            let changes = Arc::new(ledger.changes());
            if !changes.changes.is_empty() {
                self.watchers_of_all.retain_mut(|watcher| watcher(&changes));
            }
        }
    }
}

/// Cancels a ticket whose players are gone.
fn abandon(desk: &mut Desk<'_>, ticket: u64) {
    let event = desk.cancel(ticket, None);
    desk.note_with(event, vec![Note::Abandoned { ticket }]);
}

fn end_of(error: &LiveError) -> Result<(), End> {
    match error {
        LiveError::Stopped(reason) if matches!(**reason, StopReason::Panicked(_)) => Err(End::Panicked),
        LiveError::Stopped(reason) => Err(End::Stopped(reason.to_string())),
        _ => Ok(()),
    }
}

fn problem_of(error: &LiveError) -> Problem {
    match error {
        LiveError::Full => Problem::StorageFull,
        LiveError::Policy(why) => Problem::Refused(why.clone(), "policy"),
        LiveError::Stopped(reason) => match &**reason {
            StopReason::Panicked(what) => {
                Problem::Refused(format!("the policy failed: {what}"), "policy-failed")
            }
            reason => Problem::Stopped(reason.to_string()),
        },
        error => Problem::Invalid(error.to_string()),
    }
}
