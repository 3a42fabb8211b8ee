//! A queue under test, and short words for its events.

use std::sync::Arc;

use matchwright_queue::{
    Decision, Event, EventKind, Lobby, MatchPolicy, Outcome, Pairs, PairsParams, PlayerId, PolicyLabel,
    ProposalId, QueueSettings, Refusal, State, Ticket, TicketId, Time, WindowParams, step,
};

/// A queue, its policy, and the number of the next event.
pub(crate) struct Bench {
    pub(crate) state: State,
    pub(crate) policy: Box<dyn MatchPolicy + Send>,
    events: u64,
}

pub(crate) fn at(millis: i64) -> Time {
    Time::from_millis(millis)
}

pub(crate) fn rating(start: f64, per_second: f64) -> WindowParams {
    WindowParams {
        start,
        per_second,
        ..WindowParams::of("rating")
    }
}

pub(crate) fn pairs(params: &PairsParams) -> Box<Pairs> {
    Box::new(Pairs::new("", params.build().unwrap()))
}

pub(crate) fn windows(windows: &[WindowParams]) -> PairsParams {
    PairsParams {
        windows: windows.to_vec(),
        ..PairsParams::default()
    }
}

pub(crate) fn asking() -> QueueSettings {
    QueueSettings {
        accept_within: Some(10_000),
        cooldowns: vec![60_000],
        ..QueueSettings::default()
    }
}

pub(crate) fn player(id: u64, rating: f64) -> Ticket {
    Ticket::of_one(id, id).with("rating", rating)
}

pub(crate) fn create(ticket: Ticket) -> EventKind {
    EventKind::Create(Arc::new(ticket))
}

pub(crate) fn accept(proposal: u64, player: u64) -> EventKind {
    let (proposal, player) = (ProposalId(proposal), PlayerId(player));
    EventKind::Accept { proposal, player }
}

pub(crate) fn decline(proposal: u64, player: u64) -> EventKind {
    let (proposal, player) = (ProposalId(proposal), PlayerId(player));
    EventKind::Decline { proposal, player }
}

impl Bench {
    pub(crate) fn new(settings: QueueSettings, policy: Box<dyn MatchPolicy + Send>) -> Self {
        let state = State::new(PolicyLabel::default(), settings);
        Self {
            state,
            policy,
            events: 0,
        }
    }

    pub(crate) fn events(&mut self, kinds: impl IntoIterator<Item = EventKind>) -> Vec<Event> {
        let event = |kind| {
            self.events += 1;
            Event::new(self.events, kind)
        };
        kinds.into_iter().map(event).collect()
    }

    pub(crate) fn step(&mut self, millis: i64, kinds: impl IntoIterator<Item = EventKind>) -> Outcome {
        let events = self.events(kinds);
        step(&mut self.state, &mut *self.policy, at(millis), &events).unwrap()
    }

    /// The matches of a step, as the tickets of each.
    pub(crate) fn matches(
        &mut self,
        millis: i64,
        kinds: impl IntoIterator<Item = EventKind>,
    ) -> Vec<Vec<u64>> {
        made(&self.step(millis, kinds))
    }

    pub(crate) fn refusal(&mut self, millis: i64, kind: EventKind) -> Option<Refusal> {
        let outcome = self.step(millis, [kind]);
        outcome.refusals().next().map(|refusal| refusal.1.clone())
    }

    pub(crate) fn joined(&self, ticket: u64) -> Option<Time> {
        self.state
            .pool()
            .get(TicketId(ticket))
            .map(|waiting| waiting.joined)
    }
}

pub(crate) fn made(outcome: &Outcome) -> Vec<Vec<u64>> {
    let tickets = |lobby: &Lobby| lobby.tickets().map(|ticket| ticket.0).collect();
    outcome.matches().map(|made| tickets(&made.lobby)).collect()
}

/// The players who must not queue for a while.
pub(crate) fn punished(outcome: &Outcome) -> Vec<u64> {
    let player = |decision: &Decision| match decision {
        Decision::Cooldown { player, .. } => Some(player.0),
        _ => None,
    };
    outcome.decisions.iter().filter_map(player).collect()
}
