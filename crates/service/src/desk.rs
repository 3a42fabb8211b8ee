//! [`Desk`]: the requests of one step, as events and notes, and what is answered once they are on the device.

use std::collections::{HashMap, HashSet};

use matchwright_queue::{Event, EventId, EventKind, Outcome, PlayerId, Refusal, TicketId, Time};

use crate::ledger::Ledger;
use crate::note::Note;
use crate::problem::{Problem, refused};

/// What there is once a step is on the device.
pub(crate) struct Done<'d> {
    pub(crate) ledger: &'d Ledger,
    /// What was refused, by the number of the event.
    refusals: &'d HashMap<u64, Refusal>,
}

impl Done<'_> {
    /// What became of an event.
    pub(crate) fn followed(&self, event: u64) -> Result<(), Problem> {
        match self.refusals.get(&event) {
            None => Ok(()),
            Some(refusal) => Err(self.problem(refusal)),
        }
    }

    /// A refusal by names.
    fn problem(&self, refusal: &Refusal) -> Problem {
        let ledger = self.ledger;
        let name = |player: &matchwright_queue::PlayerId| ledger.name(player.0).to_owned();
        match refusal {
            Refusal::PlayerWaits { player, ticket } => Problem::PlayerWaits {
                player: name(player),
                ticket: ledger.id('t', ticket.0),
            },
            Refusal::PlayerTwice { player } => {
                Problem::Invalid(format!("player `{}` is in the ticket twice", name(player)))
            }
            Refusal::Cooldown { player, until } => Problem::Cooldown {
                player: name(player),
                until: until.millis(),
            },
            Refusal::IsMatched { ticket, match_id } => Problem::IsMatched {
                ticket: ledger.id('t', ticket.0),
                match_id: ledger.id('m', match_id.0),
            },
            Refusal::UnknownTicket { ticket } => Problem::Unknown {
                what: "ticket that waits",
                id: ledger.id('t', ticket.0),
            },
            Refusal::UnknownProposal { proposal } => Problem::Unknown {
                what: "open proposal",
                id: ledger.id('p', proposal.0),
            },
            Refusal::UnknownMatch { match_id } => Problem::Unknown {
                what: "match that could still fail",
                id: ledger.id('m', match_id.0),
            },
            Refusal::NotInTicket { player, .. } | Refusal::NotInProposal { player, .. } => {
                Problem::Invalid(format!("player `{}` is not in it", name(player)))
            }
            other => refused(other),
        }
    }
}

/// What is answered after the step, or why nothing can be.
type Answer = Box<dyn FnOnce(Result<&Done<'_>, Problem>) + Send>;

/// Something that is asked of the service.
pub(crate) struct Request {
    /// What it is about: two about the same thing are not of one step.
    pub(crate) about: Option<String>,
    pub(crate) run: Box<dyn FnOnce(&mut Desk<'_>) + Send>,
}

/// Notes that count if an event is not refused.
struct OfEvent {
    event: u64,
    notes: Vec<Note>,
}

/// The requests of one step.
pub(crate) struct Desk<'q> {
    pub(crate) ledger: &'q Ledger,
    pub(crate) now: Time,
    /// Whether there is no room for new tickets.
    pub(crate) is_full: bool,
    first: u64,
    next: [u64; 3],
    names: HashMap<String, u64>,
    events: Vec<Event>,
    notes: Vec<Note>,
    of_events: Vec<OfEvent>,
    answers: Vec<Answer>,
    /// Tickets that one of their players asked for.
    pub(crate) seen: Vec<u64>,
    /// What requests of this step are about: another about the same waits for the next.
    taken: HashSet<String>,
}

/// A step to be taken, and what is answered then.
pub(crate) struct Prepared {
    /// The number of the first event.
    first: u64,
    pub(crate) events: Vec<Event>,
    notes: Vec<Note>,
    of_events: Vec<OfEvent>,
    answers: Vec<Answer>,
}

impl<'q> Desk<'q> {
    pub(crate) fn new(ledger: &'q Ledger, now: Time, is_full: bool) -> Self {
        let next = ledger.next();
        Self {
            first: next[0],
            next,
            is_full,
            ledger,
            now,
            names: HashMap::new(),
            events: Vec::new(),
            notes: Vec::new(),
            of_events: Vec::new(),
            answers: Vec::new(),
            seen: Vec::new(),
            taken: HashSet::new(),
        }
    }

    /// Follows a request, or gives it back for the next step, since another of this one is about the same thing.
    pub(crate) fn follow(&mut self, request: Request) -> Option<Request> {
        if let Some(thing) = &request.about
            && !self.taken.insert(thing.clone())
        {
            return Some(request);
        }
        (request.run)(self);
        None
    }

    /// The number of a player, a new one if it is not known, with the note of that.
    pub(crate) fn player(&mut self, name: &str, notes: &mut Vec<Note>) -> u64 {
        let known = self.ledger.player(name).or_else(|| self.names.get(name).copied());
        let number = known.unwrap_or_else(|| {
            self.next[2] += 1;
            self.names.insert(name.to_owned(), self.next[2] - 1);
            self.next[2] - 1
        });
        // Again in each request, since each may be the only one that is followed.
        if self.ledger.player(name).is_none() {
            notes.push(Note::Player {
                number,
                name: name.to_owned(),
            });
        }
        number
    }

    /// The number of a new ticket.
    pub(crate) const fn ticket(&mut self) -> u64 {
        self.next[1] += 1;
        self.next[1] - 1
    }

    /// Something happens to the queue; the number of the event.
    pub(crate) fn event(&mut self, kind: EventKind) -> u64 {
        let id = self.next[0];
        self.next[0] += 1;
        self.events.push(Event {
            id: EventId(id),
            kind,
        });
        id
    }

    /// A ticket gives up, asked by one of its players or by another; the number of the event.
    pub(crate) fn cancel(&mut self, ticket: u64, by: Option<u64>) -> u64 {
        self.event(EventKind::Cancel {
            ticket: TicketId(ticket),
            by: by.map(PlayerId),
        })
    }

    /// Notes that count if the event is not refused.
    pub(crate) fn note_with(&mut self, event: u64, notes: Vec<Note>) {
        self.of_events.push(OfEvent { event, notes });
    }

    pub(crate) fn note(&mut self, note: Note) {
        self.notes.push(note);
    }

    /// What else the request that is followed is about.
    pub(crate) fn about(&mut self, thing: String) {
        self.taken.insert(thing);
    }

    /// One of a ticket's players has asked for it.
    pub(crate) fn seen(&mut self, ticket: u64) {
        self.seen.push(ticket);
    }

    /// What is answered after the step.
    pub(crate) fn answer(&mut self, answer: impl FnOnce(Result<&Done<'_>, Problem>) + Send + 'static) {
        self.answers.push(Box::new(answer));
    }

    pub(crate) fn finish(self) -> Prepared {
        Prepared {
            first: self.first,
            events: self.events,
            notes: self.notes,
            of_events: self.of_events,
            answers: self.answers,
        }
    }
}

impl Prepared {
    pub(crate) fn has_notes(&self) -> bool {
        !self.notes.is_empty()
    }

    /// What is attached to the step, by what was decided.
    pub(crate) fn attached(&self, outcome: &Outcome) -> Vec<Note> {
        let refused: HashSet<usize> = outcome.refusals().map(|(event, _)| event).collect();
        let place = |event: u64| usize::try_from(event - self.first).unwrap_or(usize::MAX);
        let is_followed = |of: &&OfEvent| !refused.contains(&place(of.event));
        let of_events = self.of_events.iter().filter(is_followed);
        let notes = of_events.flat_map(|of| &of.notes).chain(&self.notes);
        notes.cloned().collect()
    }

    /// Answers all: it is on the device.
    pub(crate) fn done(self, ledger: &Ledger, outcome: Option<&Outcome>) {
        let refusals = outcome.into_iter().flat_map(Outcome::refusals);
        let refusals = refusals.map(|(event, refusal)| (self.events[event].id.0, refusal.clone()));
        let refusals = refusals.collect();
        let done = Done {
            ledger,
            refusals: &refusals,
        };
        for answer in self.answers {
            answer(Ok(&done));
        }
    }

    /// Answers all with why nothing was done.
    pub(crate) fn failed(self, problem: &Problem) {
        for answer in self.answers {
            answer(Err(problem.clone()));
        }
    }
}
