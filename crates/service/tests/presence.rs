//! Tickets whose players must be seen while they wait.

use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use matchwright_queue::live::Memory;
use matchwright_service::{Left, NewTicket, Service, TicketState, TicketView};

use crate::handle::{ACCEPT, DUEL, open, ticket};

const GONE: TicketState = TicketState::Left {
    reason: Left::Abandoned,
};

fn seen_within(name: &str, millis: u32) -> NewTicket {
    NewTicket {
        heartbeat_within: Some(millis),
        ..ticket(&[name])
    }
}

/// Whether a ticket becomes `abandoned` in time, as told to a watcher of all, which is no presence.
fn is_abandoned(changes: &Receiver<TicketView>) -> bool {
    let until = Instant::now() + Duration::from_secs(10);
    while let Ok(view) = changes.recv_timeout(until.saturating_duration_since(Instant::now())) {
        if view.state == GONE {
            return true;
        }
    }
    false
}

/// All changes, as a backend has them.
fn follow(service: &Service) -> Receiver<TicketView> {
    let (sender, changes) = std::sync::mpsc::channel();
    let tell = move |told: &matchwright_service::Told| {
        let mut tickets = told.changes.iter();
        tickets.all(|change| match change {
            matchwright_service::Change::Ticket(view) => sender.send(view.clone()).is_ok(),
            matchwright_service::Change::Match(_) => true,
        })
    };
    service.watch_all(tell).wait().unwrap();
    changes
}

#[test]
fn a_ticket_whose_player_is_gone_leaves_and_others_wait_on() {
    let device = Memory::default();
    let service = open(&device, DUEL);
    let changes = follow(&service);
    let alone = service
        .create(None, seen_within("ann", 20))
        .wait()
        .unwrap()
        .ticket;
    assert!(is_abandoned(&changes));
    assert_eq!(service.ticket(&alone.id).wait().unwrap().state, GONE);
    // After a start a player counts as seen, and then as before.
    let later = service
        .create(None, seen_within("ann", 400))
        .wait()
        .unwrap()
        .ticket;
    service.close();
    let service = open(&device.crashed(), DUEL);
    let changes = follow(&service);
    assert_eq!(
        service.player("ann").wait().unwrap().ticket.unwrap().state,
        TicketState::Waiting
    );
    assert!(is_abandoned(&changes));
    assert_eq!(service.ticket(&later.id).wait().unwrap().state, GONE);
    // One without such a bound stays.
    let stays = service.create(None, ticket(&["bob"])).wait().unwrap().ticket;
    service.create(None, seen_within("ann", 20)).wait().unwrap();
    assert_eq!(
        service.match_of(&stays.id).wait().unwrap().teams,
        [["bob"], ["ann"]]
    );
    service.close();
}

#[test]
fn who_asks_or_watches_is_there() {
    let service = open(&Memory::default(), DUEL);
    let changes = follow(&service);
    let asks = service
        .create(None, seen_within("ann", 800))
        .wait()
        .unwrap()
        .ticket;
    let until = Instant::now() + Duration::from_millis(1800);
    while Instant::now() < until {
        let view = service.ticket_for(&asks.id, Some("ann")).wait().unwrap();
        assert_eq!(view.state, TicketState::Waiting);
        std::thread::sleep(Duration::from_millis(30));
    }
    let watch = service.changes(&asks.id).unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    let states: Vec<TicketState> = watch.try_iter().map(|view| view.state).collect();
    assert_eq!(states, [TicketState::Waiting]);
    drop(watch);
    assert!(is_abandoned(&changes));
    service.close();
}

#[test]
fn who_is_asked_to_accept_has_the_time_of_the_proposal() {
    let service = open(&Memory::default(), ACCEPT);
    service.create(None, seen_within("ann", 50)).wait().unwrap();
    let bob = service.create(None, ticket(&["bob"])).wait().unwrap().ticket;
    assert!(matches!(bob.state, TicketState::Proposed { .. }));
    std::thread::sleep(Duration::from_millis(200));
    let ann = service.player("ann").wait().unwrap().ticket.unwrap();
    assert!(matches!(ann.state, TicketState::Proposed { .. }), "{ann:?}");
    service.close();
}
