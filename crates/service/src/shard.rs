//! The writer: takes what was asked in steps, syncs each before it is answered, and tells who watches.

use std::collections::{HashMap, VecDeque};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use matchwright_queue::live::{Decided, LiveError, OpenError, Queue, StopReason};
use matchwright_queue::{Decision, Time};

use crate::desk::{Desk, Request};
use crate::ledger::Ledger;
use crate::note::{Note, decode, encode};
use crate::problem::Problem;
use crate::view::TicketView;

/// Who is told of a ticket's changes, as long as it says so.
pub(crate) type Watcher = Box<dyn FnMut(&TicketView) -> bool + Send>;

/// What is sent to the writer.
pub(crate) enum Message {
    Do(Request),
    /// A watcher of a ticket, told its present state at once.
    Watch(u64, Watcher),
    Close,
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

    fn now(&self) -> Time {
        let passed = i64::try_from(self.began.elapsed().as_millis()).unwrap_or(i64::MAX / 2);
        Time::from_millis(self.at.saturating_add(passed))
    }
}

/// Opens the queue again, from what is on the device.
pub(crate) type Reopen = Box<dyn Fn() -> Result<Queue<Ledger>, OpenError> + Send>;

pub(crate) struct Shard {
    queue: Queue<Ledger>,
    inbox: Receiver<Message>,
    reopen: Reopen,
    /// At most so many requests in a step.
    batch: usize,
    clock: Clock,
    /// Why the service has stopped for good.
    stopped: Arc<OnceLock<String>>,
    put_off: VecDeque<Request>,
    watchers: HashMap<u64, Vec<Watcher>>,
    /// Whether the policy has, so that the queue is to be opened again.
    has_panicked: bool,
}

impl Shard {
    pub(crate) fn new(
        queue: Queue<Ledger>,
        inbox: Receiver<Message>,
        reopen: Reopen,
        batch: usize,
        stopped: Arc<OnceLock<String>>,
    ) -> Self {
        Self {
            queue,
            inbox,
            reopen,
            batch,
            clock: Clock::new(),
            stopped,
            put_off: VecDeque::new(),
            watchers: HashMap::new(),
            has_panicked: false,
        }
    }

    /// Serves until it is closed, or has to stop.
    pub(crate) fn run(mut self) {
        loop {
            let (requests, is_closed) = self.next();
            if let Err(problem) = self.step(requests) {
                // Dropped: it is told once.
                let _ = self.stopped.set(problem.to_string());
                return;
            }
            if is_closed && self.put_off.is_empty() {
                return;
            }
            if self.has_panicked {
                // Its events are refused for ever; everything else goes on. The files have one owner: it goes first.
                let Self { queue, reopen, .. } = self;
                drop(queue);
                match reopen() {
                    Ok(queue) => {
                        self = Self {
                            queue,
                            reopen,
                            inbox: self.inbox,
                            batch: self.batch,
                            clock: self.clock,
                            stopped: self.stopped,
                            put_off: self.put_off,
                            watchers: self.watchers,
                            has_panicked: false,
                        };
                    }
                    Err(error) => {
                        // Dropped: it is told once.
                        let _ = self.stopped.set(error.to_string());
                        return;
                    }
                }
            }
        }
    }

    /// What came by now, or once something is due; and whether it was closed.
    fn next(&mut self) -> (Vec<Request>, bool) {
        let mut requests: Vec<Request> = self.put_off.drain(..).collect();
        let mut is_closed = false;
        let wait = match self.queue.wakeup() {
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
            Err(RecvTimeoutError::Disconnected) => return (requests, true),
        };
        while let Some(one) = message {
            match one {
                Message::Do(request) => requests.push(request),
                Message::Watch(ticket, watcher) => self.watch(ticket, watcher),
                Message::Close => {
                    is_closed = true;
                    break;
                }
            }
            if requests.len() >= self.batch {
                break;
            }
            message = self.inbox.try_recv().ok();
        }
        (requests, is_closed)
    }

    fn watch(&mut self, ticket: u64, mut watcher: Watcher) {
        // What is known of it is on the device: steps are synced before the next message is looked at.
        let Some(view) = self.queue.attached().ticket_view(ticket) else {
            return;
        };
        if watcher(&view) {
            self.watchers.entry(ticket).or_default().push(watcher);
        }
    }

    /// Follows these requests, syncs, answers and tells.
    fn step(&mut self, requests: Vec<Request>) -> Result<(), Problem> {
        let now = self.clock.now().max(self.queue.state().now());
        // There may be room again, which the queue looks for in a step alone.
        let was_full = self.queue.is_full();
        let mut desk = Desk::new(self.queue.attached(), now, was_full);
        for request in requests {
            self.put_off.extend(desk.follow(request));
        }
        let prepared = desk.finish();
        let is_due = self.queue.wakeup().is_some_and(|wakeup| wakeup <= now);
        if prepared.events.is_empty() && !prepared.has_notes() && !is_due && !was_full {
            prepared.done(self.queue.attached(), None);
            return Ok(());
        }
        let (mut decided, mut fault) = (None, None);
        let taken = self.queue.decide(now, &prepared.events, |outcome, attached| {
            fault = encode(&prepared.attached(outcome), attached).err();
            decided = Some(outcome.clone());
        });
        let committed = taken.and_then(|_| self.queue.commit().map(<[_]>::to_vec));
        match (committed, fault) {
            (Ok(told), None) => {
                prepared.done(self.queue.attached(), decided.as_ref());
                self.tell(&told);
                Ok(())
            }
            (_, Some(fault)) => {
                let problem = Problem::Stopped(fault);
                prepared.failed(&problem);
                Err(problem)
            }
            (Err(error), None) => {
                let problem = problem_of(&error);
                prepared.failed(&problem);
                match &error {
                    LiveError::Stopped(reason) if matches!(**reason, StopReason::Panicked(_)) => {
                        self.has_panicked = true;
                        Ok(())
                    }
                    LiveError::Stopped(_) => Err(problem),
                    _ => Ok(()),
                }
            }
        }
    }

    /// Tells who watches tickets that changed.
    fn tell(&mut self, told: &[Arc<Decided>]) {
        if self.watchers.is_empty() {
            return;
        }
        let ledger = self.queue.attached();
        for ticket in told.iter().flat_map(|step| touched(step, ledger)) {
            let Some(watchers) = self.watchers.get_mut(&ticket) else {
                continue;
            };
            match ledger.ticket_view(ticket) {
                Some(view) => watchers.retain_mut(|watcher| watcher(&view)),
                None => watchers.clear(),
            }
            if watchers.is_empty() {
                self.watchers.remove(&ticket);
            }
        }
    }
}

/// The tickets that a step has changed.
fn touched(step: &Decided, ledger: &Ledger) -> Vec<u64> {
    let mut tickets = Vec::new();
    let of_match = |match_id: u64| {
        let entry = ledger.match_entry(match_id);
        entry.map_or_else(Vec::new, |entry| entry.tickets.clone())
    };
    for decision in &step.record.outcome.decisions {
        match decision {
            Decision::Admitted { ticket, .. }
            | Decision::Edited { ticket, .. }
            | Decision::Left { ticket, .. } => tickets.push(ticket.0),
            Decision::Proposed(proposal) => tickets.extend(proposal.lobby.tickets().map(|ticket| ticket.0)),
            Decision::Ended { returned, .. } => tickets.extend(returned.iter().map(|ticket| ticket.0)),
            Decision::Matched(made) => tickets.extend(made.lobby.tickets().map(|ticket| ticket.0)),
            Decision::Failed { match_id, .. } | Decision::Confirmed { match_id } => {
                tickets.extend(of_match(match_id.0));
            }
            _ => {}
        }
    }
    // Dropped: bytes that were followed are notes.
    for note in decode(&step.attached).unwrap_or_default() {
        match note {
            Note::Assigned { match_id, .. } => tickets.extend(of_match(match_id)),
            Note::Result(reported) => tickets.extend(of_match(reported.match_id)),
            _ => {}
        }
    }
    tickets
}

fn problem_of(error: &LiveError) -> Problem {
    match error {
        LiveError::Full => Problem::StorageFull,
        LiveError::Stopped(reason) => match &**reason {
            StopReason::Panicked(what) => {
                Problem::Refused(format!("the policy failed: {what}"), "policy-failed")
            }
            reason => Problem::Stopped(reason.to_string()),
        },
        error => Problem::Invalid(error.to_string()),
    }
}
