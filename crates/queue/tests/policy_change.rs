//! What a policy is told that comes while others wait and proposals run out.

use std::collections::BTreeSet;

use matchwright_queue::{
    Budget, Event, EventKind, Lobby, MatchPolicy, Pool, State, Ticket, TicketId, Time, Why, follow, step,
};

use crate::journal_world::{change, open};

/// Matches nobody, and knows who waits.
#[derive(Debug, Default)]
struct Register {
    waiting: BTreeSet<TicketId>,
}

impl MatchPolicy for Register {
    fn enter(&mut self, _: &Pool, ticket: TicketId, _: Time) {
        assert!(self.waiting.insert(ticket), "ticket {ticket} enters twice");
    }

    fn leave(&mut self, _: &Pool, ticket: TicketId, _: Time) {
        assert!(
            self.waiting.remove(&ticket),
            "ticket {ticket} leaves and was not there"
        );
    }

    fn propose(&mut self, _: &Pool, _: Time, _: &mut Budget) -> Vec<Lobby> {
        Vec::new()
    }

    fn next_time(&mut self, _: &Pool, _: Time) -> Option<Time> {
        None
    }

    fn why(&self, _: &Pool, _: TicketId, _: Time) -> Why {
        Why::default()
    }

    fn liveness(&self) -> Option<f64> {
        None
    }
}

#[test]
fn a_new_policy_is_told_of_each_ticket_once_though_a_proposal_runs_out_as_it_comes() {
    let old = change("windows");
    let mut state = State::new(old.label.clone(), old.settings.clone());
    let mut policy = open(&old).unwrap();
    let at = Time::from_millis;
    let create = |id: u64, rating| Event::create(id, Ticket::of_one(id, id).with("rating", rating));
    let mut leaver = Ticket::of_one(4, 4).with("rating", 1900.0);
    leaver.expires = Some(at(5000));
    let events = [
        create(1, 1500.0),
        create(2, 1500.0),
        create(3, 1000.0),
        Event::create(4, leaver),
    ];
    step(&mut state, &mut policy, at(0), &events).unwrap();
    let accept = EventKind::Accept {
        proposal: matchwright_queue::ProposalId(1),
        player: matchwright_queue::PlayerId(1),
    };
    step(&mut state, &mut policy, at(1), &[Event::new(5, accept)]).unwrap();

    // By now player 2 has not answered, and ticket 4 gives up.
    let set = [Event::new(6, EventKind::SetPolicy(change("windows").into()))];
    let (mut followed, mut register) = (state.clone(), Register::default());
    let outcome = step(&mut state, &mut register, at(20_000), &set).unwrap();
    let expected = BTreeSet::from([TicketId(1), TicketId(3)]);
    assert_eq!(register.waiting, expected);
    let mut register = Register::default();
    follow(&mut followed, &mut register, at(20_000), &set, &outcome).unwrap();
    assert_eq!((register.waiting, followed), (expected, state.clone()));

    // The same event again changes nothing, and the policy in force goes on.
    assert!(state.has_seen(set[0].id));
}
