//! Random streams of events with their journals, for the tests of those.
#![allow(clippy::unwrap_used, reason = "a failure in a helper fails the test")]

use std::collections::BTreeMap;
use std::sync::Arc;

use matchwright_queue::journal::JournalWriter;
use matchwright_queue::{
    Attributes, Event, EventKind, MatchPolicy, Member, Outcome, Pairs, PairsParams, PlayerId, PolicyChange,
    PolicyLabel, PricesParams, ProposalId, QueueSettings, State, StepError, Ticket, TicketId, Time, Value,
    WindowParams, step,
};
use proptest::prelude::*;

/// What the next step is about; numbers choose among what there is by then.
#[derive(Debug, Clone)]
pub(crate) enum Act {
    Create {
        rating: f64,
        mode: bool,
        regions: u8,
        patience: Option<i64>,
    },
    Cancel(usize),
    Edit(usize),
    Accept(usize),
    Decline(usize),
    FailProposal(usize),
    FailMatch(u64),
    Pause,
    Resume,
    SetPolicy(usize),
    Again,
    Snapshot,
    Nothing,
}

pub(crate) fn acts(most: usize) -> impl Strategy<Value = Vec<(i64, Act)>> {
    let create = (
        (1000.0..2000.0_f64),
        any::<bool>(),
        0..4_u8,
        proptest::option::of(1..60_000_i64),
    );
    let act = prop_oneof![
        12 => create.prop_map(|(rating, mode, regions, patience)| Act::Create { rating, mode, regions, patience }),
        2 => any::<usize>().prop_map(Act::Cancel),
        1 => any::<usize>().prop_map(Act::Edit),
        12 => any::<usize>().prop_map(Act::Accept),
        2 => any::<usize>().prop_map(Act::Decline),
        1 => any::<usize>().prop_map(Act::FailProposal),
        1 => any::<u64>().prop_map(Act::FailMatch),
        1 => Just(Act::Pause),
        2 => Just(Act::Resume),
        1 => any::<usize>().prop_map(Act::SetPolicy),
        1 => Just(Act::Again),
        1 => Just(Act::Snapshot),
        2 => Just(Act::Nothing),
    ];
    proptest::collection::vec((0..6000_i64, act), 1..most)
}

/// The policies, by the documents that name them.
pub(crate) const DOCUMENTS: [&str; 3] = ["windows", "prices", "anyone"];

pub(crate) fn open(change: &PolicyChange) -> Result<Pairs, String> {
    let window = WindowParams {
        start: 20.0,
        per_second: 15.0,
        ..WindowParams::of("rating")
    };
    let params = match change.document.as_str() {
        "windows" => PairsParams {
            windows: vec![window],
            longest_wait: Some(40.0),
            ..PairsParams::default()
        },
        "prices" => PairsParams {
            prices: Some(PricesParams::of("rating", 1.0, 3.0)),
            ..PairsParams::default()
        },
        "anyone" => PairsParams::default(),
        other => return Err(format!("no policy `{other}`")),
    };
    params
        .build()
        .map(|settings| Pairs::new("", settings))
        .map_err(|error| error.to_string())
}

/// Acceptance by all but "anyone", whose pairs play at once.
pub(crate) fn change(document: &str) -> PolicyChange {
    let settings = QueueSettings {
        keys: vec!["mode".to_owned()],
        needs: vec!["rating".to_owned()],
        accept_within: (document != "anyone").then_some(10_000),
        cooldowns: vec![1000, 20_000],
        low_priority_after: Some(3),
        remember: 30_000,
        estimate_by: Some(("rating".to_owned(), 100.0)),
        ..QueueSettings::default()
    };
    let label = PolicyLabel {
        name: document.to_owned(),
        version: "1".to_owned(),
    };
    PolicyChange {
        label,
        document: document.to_owned(),
        settings,
    }
}

/// A queue with its journal, and the states after each of its records.
pub(crate) struct World {
    pub(crate) state: State,
    pub(crate) policy: Pairs,
    pub(crate) writer: JournalWriter,
    pub(crate) bytes: Vec<u8>,
    /// Where each record ends, with the state and the next time after it.
    pub(crate) ends: Vec<(usize, State, Option<Time>)>,
    /// Steps, by the record before which they were.
    pub(crate) steps: Vec<(usize, Time, Vec<Event>, Outcome)>,
    last: Option<Event>,
    next: u64,
}

impl World {
    pub(crate) fn new(document: &str) -> Self {
        let change = change(document);
        let state = State::new(change.label.clone(), change.settings.clone());
        let policy = open(&change).unwrap();
        let (writer, bytes) = JournalWriter::begin(document, &state, &policy).unwrap();
        let ends = vec![(bytes.len(), state.clone(), None)];
        Self {
            state,
            policy,
            writer,
            bytes,
            ends,
            steps: Vec::new(),
            last: None,
            next: 1,
        }
    }

    pub(crate) fn run(document: &str, acts: &[(i64, Act)]) -> Self {
        let mut world = Self::new(document);
        for (wait, act) in acts {
            world.act(*wait, act);
        }
        world
    }

    fn event(&mut self, kind: EventKind) -> Event {
        self.next += 1;
        Event::new(self.next, kind)
    }

    /// The `place`-th open proposal, with the `place`-th of its undecided players.
    fn asked(&self, place: usize) -> (ProposalId, PlayerId) {
        let open: Vec<_> = self.state.proposals().collect();
        let Some((proposal, undecided)) = open.get(place % open.len().max(1)) else {
            return (ProposalId(99), PlayerId(99));
        };
        let player = undecided.iter().nth(place % undecided.len()).unwrap();
        (proposal.id, *player)
    }

    fn ticket(&self, place: usize) -> TicketId {
        let tickets: Vec<_> = self.state.pool().tickets().collect();
        let found = tickets.get(place % tickets.len().max(1));
        found.map_or(TicketId(99), |waiting| waiting.ticket.id)
    }

    pub(crate) fn act(&mut self, wait: i64, act: &Act) {
        let now = self.state.now().plus(wait);
        let id = self.next + 1;
        let kind = match *act {
            Act::Create {
                rating,
                mode,
                regions,
                patience,
            } => {
                // A few players, who come again and again.
                let mut ticket = Ticket::of_one(id, id % 30).with("rating", rating);
                if mode {
                    ticket = ticket.with_text("mode", "ranked");
                }
                for (bit, name) in ["us", "eu"].into_iter().enumerate() {
                    if regions >> bit & 1 == 1 {
                        ticket = ticket.with_region(name, 30.0);
                    }
                }
                ticket.expires = patience.map(|patience| now.plus(patience));
                EventKind::Create(Arc::new(ticket))
            }
            Act::Cancel(place) => {
                let ticket = self.ticket(place);
                let by = self.state.pool().get(ticket).map(|one| one.ticket.players[0].id);
                let by = by.filter(|_| place % 2 == 0);
                EventKind::Cancel { ticket, by }
            }
            Act::Edit(place) => {
                let attributes = Attributes::from([("rank".to_owned(), Value::Number(3.0))]);
                let id = PlayerId(id % 30);
                let players = vec![Member { id, attributes }];
                let ticket = self.ticket(place);
                EventKind::Edit { ticket, players }
            }
            Act::Accept(place) => {
                let (proposal, player) = self.asked(place);
                EventKind::Accept { proposal, player }
            }
            Act::Decline(place) => {
                let (proposal, player) = self.asked(place);
                EventKind::Decline { proposal, player }
            }
            Act::FailProposal(place) => EventKind::FailProposal(self.asked(place).0),
            Act::FailMatch(place) => {
                let made = self.state.counters().matches;
                EventKind::FailMatch(matchwright_queue::MatchId(1 + place % made.max(1)))
            }
            Act::Pause => EventKind::Pause(String::new()),
            Act::Resume => EventKind::Resume(String::new()),
            Act::SetPolicy(place) => {
                EventKind::SetPolicy(Arc::new(change(DOCUMENTS[place % DOCUMENTS.len()])))
            }
            Act::Again => match &self.last {
                Some(event) if !matches!(event.kind, EventKind::SetPolicy(_)) => {
                    let again = event.clone();
                    return self.step(now, vec![again]);
                }
                _ => return,
            },
            Act::Snapshot => return self.snapshot(),
            Act::Nothing => return self.step(now, Vec::new()),
        };
        let event = self.event(kind);
        self.last = Some(event.clone());
        self.step(now, vec![event]);
    }

    pub(crate) fn step(&mut self, now: Time, events: Vec<Event>) {
        let mut fresh = None;
        if let [
            Event {
                kind: EventKind::SetPolicy(change),
                ..
            },
        ] = &events[..]
        {
            let mut policy = open(change).unwrap();
            policy.adopt(&self.policy.learned());
            fresh = Some(policy);
        }
        let policy = fresh.as_mut().unwrap_or(&mut self.policy);
        match step(&mut self.state, policy, now, &events) {
            Ok(outcome) => {
                let bytes = self.writer.step(now, &events, &outcome).unwrap();
                if !bytes.is_empty() {
                    self.bytes.extend(bytes);
                    self.steps.push((self.ends.len(), now, events, outcome.clone()));
                    self.ends
                        .push((self.bytes.len(), self.state.clone(), outcome.wakeup));
                }
                if let Some(fresh) = fresh {
                    self.policy = fresh;
                }
            }
            Err(error) => assert!(matches!(error, StepError::NoPlace { .. }), "{error}"),
        }
    }

    pub(crate) fn snapshot(&mut self) {
        let bytes = self.writer.snapshot(&self.state, &self.policy).unwrap();
        self.bytes.extend(bytes);
        let wakeup = self.ends.last().and_then(|end| end.2);
        self.ends.push((self.bytes.len(), self.state.clone(), wakeup));
    }

    /// The last record that is whole in the first `bytes` bytes; `None` if none is.
    pub(crate) fn record_before(&self, bytes: usize) -> Option<usize> {
        self.ends.partition_point(|end| end.0 <= bytes).checked_sub(1)
    }

    /// How many decisions of each kind there were.
    pub(crate) fn kinds(&self) -> BTreeMap<String, usize> {
        let mut kinds = BTreeMap::new();
        for decision in self.steps.iter().flat_map(|step| &step.3.decisions) {
            let shown = format!("{decision:?}");
            let name: String = shown.chars().take_while(char::is_ascii_alphabetic).collect();
            *kinds.entry(name).or_default() += 1;
        }
        kinds
    }
}
