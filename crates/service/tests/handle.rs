//! From a ticket to a rating.

use std::time::Duration;

use matchwright_queue::Value;
use matchwright_queue::live::{Memory, Options};
use matchwright_service::{
    Left, MatchResult, NewPlayer, NewTicket, Phase, Problem, RequestKey, Service, Settings, TicketState,
};

pub(crate) const DUEL: &str = "[queue]\n[[queue.windows]]\nof = 'rating'\nstart = 2000";
pub(crate) const ACCEPT: &str =
    "[queue]\nacceptance = { within = 30, cooldowns = [60] }\n[[queue.windows]]\nof = 'rating'\nstart = 2000";

pub(crate) fn open(device: &Memory, policy: &str) -> Service {
    open_with(device, policy, Settings::default())
}

/// With short segments, so that many are begun.
pub(crate) fn open_with(device: &Memory, policy: &str, settings: Settings) -> Service {
    let (device, queue) = (device.clone(), settings.queue.clone());
    let queue = Options {
        segment_bytes: 1 << 15,
        ..queue
    };
    Service::open(move || Ok(device.clone()), policy, Settings { queue, ..settings }).unwrap()
}

pub(crate) fn ticket(names: &[&str]) -> NewTicket {
    let player = |name: &&str| NewPlayer {
        id: (*name).to_owned(),
        ..NewPlayer::default()
    };
    NewTicket {
        players: names.iter().map(player).collect(),
        ..NewTicket::default()
    }
}

pub(crate) fn key(request: &str) -> RequestKey {
    RequestKey {
        subject: "server".to_owned(),
        request: request.to_owned(),
    }
}

fn result(places: [u32; 2]) -> MatchResult {
    MatchResult {
        places: places.to_vec(),
        played_at: None,
        ..MatchResult::default()
    }
}

/// Both of these names wait, and meet: the match's name.
fn meet(service: &Service, one: &str, other: &str) -> String {
    service.create(None, ticket(&[one])).wait().unwrap();
    let second = service.create(None, ticket(&[other])).wait().unwrap().ticket;
    service.match_of(&second.id).wait().unwrap().id
}

#[test]
fn a_ticket_becomes_a_match_an_assignment_a_result_and_a_rating() {
    let device = Memory::default();
    let service = open(&device, DUEL);
    let ann = service.create(Some(key("1")), ticket(&["ann"])).wait().unwrap();
    assert!(ann.is_new && ann.ticket.state == TicketState::Waiting);
    let changes = service.changes(&ann.ticket.id).unwrap();
    assert_eq!(changes.recv().unwrap(), ann.ticket);
    service.create(None, ticket(&["bob"])).wait().unwrap();
    let matched = changes.recv_timeout(Duration::from_secs(5)).unwrap();
    let TicketState::Matched { match_id, phase, .. } = matched.state else {
        panic!("{matched:?}")
    };
    assert_eq!(phase, Phase::Allocating);
    assert!(matched.version > ann.ticket.version);
    let assigned = service.assign(&match_id, "eu1:7777").wait().unwrap();
    assert_eq!(
        (assigned.phase, assigned.connection.as_deref()),
        (Phase::Assigned, Some("eu1:7777"))
    );
    assert_eq!(assigned.teams, [["ann"], ["bob"]]);
    let told = changes.recv_timeout(Duration::from_secs(5)).unwrap();
    assert!(
        matches!(
            told.state,
            TicketState::Matched {
                phase: Phase::Assigned,
                ..
            }
        ),
        "{told:?}"
    );
    assert_eq!(service.started(&match_id).wait().unwrap().phase, Phase::Started);
    let busy = service.create(None, ticket(&["ann"])).wait().unwrap_err();
    assert!(
        matches!(&busy, Problem::PlayerPlays { player, .. } if player == "ann"),
        "{busy}"
    );
    let ended = service.report(&match_id, result([1, 2])).wait().unwrap();
    assert_eq!((ended.phase, ended.places), (Phase::Ended, Some(vec![1, 2])));
    let rated = |name: &str| service.player(name).wait().unwrap().rated.unwrap();
    assert!(rated("ann").rating > 1600.0 && rated("bob").rating < 1400.0);
    // Sent again it counts once, and another result is refused.
    let before = rated("ann");
    service.report(&match_id, result([1, 2])).wait().unwrap();
    assert_eq!(rated("ann"), before);
    let other = service.report(&match_id, result([2, 1])).wait().unwrap_err();
    assert_eq!(other.code(), "result-differs");
    // The next ticket has the store's rating, whatever it says.
    let liar = NewTicket {
        attributes: [("rating".to_owned(), matchwright_queue::Value::Number(9000.0))].into(),
        ..ticket(&["ann"])
    };
    service.create(None, liar).wait().unwrap();
    assert_eq!(service.retract(&match_id).wait().unwrap().phase, Phase::Ended);
    assert_eq!((rated("ann").games, rated("ann").rating), (0, 1500.0));
    service.close();
}

#[test]
fn a_request_that_is_sent_again_is_answered_again_across_a_restart() {
    let device = Memory::default();
    let service = open(&device, DUEL);
    let first = service.create(Some(key("1")), ticket(&["ann"])).wait().unwrap();
    let again = service.create(Some(key("1")), ticket(&["ann"])).wait().unwrap();
    assert_eq!(
        (again.ticket.id.clone(), again.is_new),
        (first.ticket.id.clone(), false)
    );
    let other = service
        .create(Some(key("1")), ticket(&["cyd"]))
        .wait()
        .unwrap_err();
    assert_eq!(other.code(), "request-id-reused");
    service.close();
    let service = open(&device.crashed(), DUEL);
    let again = service.create(Some(key("1")), ticket(&["ann"])).wait().unwrap();
    assert_eq!((again.ticket.id, again.is_new), (first.ticket.id, false));
    let waits = service
        .create(Some(key("2")), ticket(&["ann"]))
        .wait()
        .unwrap_err();
    assert_eq!(waits.code(), "player-waits");
    service.close();
}

#[test]
fn of_what_is_over_the_latest_is_known_and_a_game_of_any_size_takes_bounded_memory() {
    let settings = Settings {
        known: 2,
        ..Settings::default()
    };
    let device = Memory::default();
    let storage = device.clone();
    let service = Service::open(move || Ok(storage.clone()), DUEL, settings).unwrap();
    let mut played = Vec::new();
    for round in 0..4 {
        let request = |player: &str| Some(key(&format!("{round}-{player}")));
        let ann = service.create(request("ann"), ticket(&["ann"])).wait().unwrap();
        service.create(request("bob"), ticket(&["bob"])).wait().unwrap();
        let found = service.match_of(&ann.ticket.id).wait().unwrap();
        service
            .report(&found.id, MatchResult::of_places([1, 2]))
            .wait()
            .unwrap();
        played.push((ann.ticket.id, found.id));
    }
    let check = |service: &Service| {
        for (number, (ticket, found)) in played.iter().enumerate() {
            let is_known = number >= 2;
            assert_eq!(service.ticket(ticket).wait().is_ok(), is_known, "{number}");
            assert_eq!(service.match_by_id(found).wait().is_ok(), is_known, "{number}");
        }
        let rated = service.player("ann").wait().unwrap().rated.unwrap();
        assert_eq!(rated.games, 4);
    };
    // What is over is forgotten with the steps that follow.
    service.create(None, ticket(&["cyd"])).wait().unwrap();
    check(&service);
    // The request of a ticket that is forgotten is a new one.
    let again = service
        .create(Some(key("0-ann")), ticket(&["ann"]))
        .wait()
        .unwrap();
    assert!(again.is_new);
    let again = service
        .create(Some(key("3-bob")), ticket(&["bob"]))
        .wait()
        .unwrap();
    assert!(!again.is_new);
    service.save().unwrap();
    service.close();
    check(&open(&device.crashed(), DUEL));
}

#[test]
fn a_result_is_answered_even_where_nothing_that_is_over_is_known() {
    let settings = Settings {
        known: 0,
        ..Settings::default()
    };
    let device = Memory::default();
    let service = Service::open(move || Ok(device.clone()), DUEL, settings).unwrap();
    service.create(None, ticket(&["ann"])).wait().unwrap();
    let bob = service.create(None, ticket(&["bob"])).wait().unwrap();
    let found = service.match_of(&bob.ticket.id).wait().unwrap();
    let ended = service.report(&found.id, MatchResult::of_places([1, 2])).wait();
    assert_eq!(ended.unwrap().places, Some(vec![1, 2]));
    service.create(None, ticket(&["cyd"])).wait().unwrap();
    let gone = service.match_by_id(&found.id).wait().unwrap_err();
    assert_eq!(gone.code(), "unknown");
}

#[test]
fn a_request_that_was_refused_may_be_followed_later() {
    let service = open(&Memory::default(), DUEL);
    let ann = service.create(None, ticket(&["ann"])).wait().unwrap().ticket;
    let refused = service
        .create(Some(key("1")), ticket(&["ann", "eve"]))
        .wait()
        .unwrap_err();
    assert!(
        ["player-waits", "party-too-large"].contains(&refused.code()),
        "{refused}"
    );
    let refused = service
        .create(Some(key("2")), ticket(&["ann"]))
        .wait()
        .unwrap_err();
    assert_eq!(refused.code(), "player-waits");
    service.cancel(&ann.id, None).wait().unwrap();
    let created = service.create(Some(key("2")), ticket(&["ann"])).wait().unwrap();
    assert!(created.is_new);
    service.close();
}

#[test]
fn requests_of_one_name_that_come_together_are_one() {
    let service = open(&Memory::default(), DUEL);
    let sent: Vec<_> = (0..50)
        .map(|_| service.create(Some(key("1")), ticket(&["ann"])))
        .collect();
    let created: Vec<_> = sent.into_iter().map(|one| one.wait().unwrap()).collect();
    assert_eq!(created.iter().filter(|one| one.is_new).count(), 1);
    assert!(created.iter().all(|one| one.ticket.id == created[0].ticket.id));
    service.close();
}

#[test]
fn who_declines_leaves_and_cools_down_and_the_other_waits_on() {
    let service = open(&Memory::default(), ACCEPT);
    let ann = service.create(None, ticket(&["ann"])).wait().unwrap().ticket;
    let bob = service.create(None, ticket(&["bob"])).wait().unwrap().ticket;
    let TicketState::Proposed { proposal, .. } = service.ticket(&bob.id).wait().unwrap().state else {
        panic!("no proposal")
    };
    service.respond(&proposal, "ann", true).wait().unwrap();
    service.respond(&proposal, "bob", false).wait().unwrap();
    let state = |id: &str| service.ticket(id).wait().unwrap().state;
    assert_eq!(state(&ann.id), TicketState::Waiting);
    assert_eq!(
        state(&bob.id),
        TicketState::Left {
            reason: Left::Declined
        }
    );
    let cools = service.create(None, ticket(&["bob"])).wait().unwrap_err();
    assert!(
        matches!(&cools, Problem::Cooldown { player, .. } if player == "bob"),
        "{cools}"
    );
    // What ann said counts no more: she is told how it stands.
    let over = service.respond(&proposal, "ann", true).wait().unwrap();
    assert_eq!(over.state, TicketState::Waiting);
    let over = service.respond(&proposal, "ann", false).wait().unwrap_err();
    assert_eq!(over.code(), "unknown");
    // Cancelled twice it is cancelled.
    for _ in 0..2 {
        let left = service.cancel(&ann.id, Some("ann")).wait().unwrap().state;
        assert_eq!(
            left,
            TicketState::Left {
                reason: Left::Cancelled
            }
        );
    }
    service.close();
}

#[test]
fn a_match_that_did_not_start_returns_its_tickets() {
    let service = open(&Memory::default(), DUEL);
    let match_id = meet(&service, "ann", "bob");
    assert_eq!(service.failed(&match_id).wait().unwrap().phase, Phase::Failed);
    // They meet again at once, in another match.
    let again = service.player("ann").wait().unwrap().ticket.unwrap();
    let TicketState::Matched { match_id: other, .. } = again.state else {
        panic!("{again:?}")
    };
    assert_ne!(other, match_id);
    let late = service.report(&match_id, result([1, 2])).wait().unwrap_err();
    assert_eq!(late.code(), "result-refused");
    service.close();
}

#[test]
fn a_match_that_has_a_result_cannot_fail() {
    let service = open(&Memory::default(), DUEL);
    let match_id = meet(&service, "ann", "bob");
    service.report(&match_id, result([1, 2])).wait().unwrap();
    assert_eq!(service.failed(&match_id).wait().unwrap_err().code(), "invalid");
    let ann = service.player("ann").wait().unwrap().ticket.unwrap();
    assert_eq!(
        ann.state,
        TicketState::Matched {
            match_id,
            phase: Phase::Ended,
            connection: None,
        }
    );
    service.close();
}

#[test]
fn times_that_cannot_be_are_refused() {
    let service = open(&Memory::default(), DUEL);
    let match_id = meet(&service, "ann", "bob");
    for (played_at, code) in [
        (i64::MIN, Some("invalid")),
        (-1, Some("invalid")),
        (i64::MAX, None),
    ] {
        let result = MatchResult {
            places: vec![1, 2],
            played_at: Some(played_at),
            ..MatchResult::default()
        };
        let refused = service.report(&match_id, result).wait().err();
        assert_eq!(refused.as_ref().map(Problem::code), code, "{played_at}");
    }
    for (expires_in, is_taken) in [(0, false), (i64::MIN, false), (i64::MAX, true)] {
        let new = NewTicket {
            expires_in: Some(expires_in),
            ..ticket(&["cyd"])
        };
        assert_eq!(service.create(None, new).wait().is_ok(), is_taken, "{expires_in}");
    }
    service.close();
}

#[test]
fn what_is_not_there_is_named_and_nonsense_is_refused() {
    let service = open(&Memory::default(), DUEL);
    let match_id = meet(&service, "ann", "bob");
    for id in [
        "",
        "t",
        "t1",
        "t000000000",
        "m000000000",
        &match_id.replace('m', "p"),
        "t\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}",
    ] {
        assert_eq!(service.ticket(id).wait().unwrap_err().code(), "unknown", "{id}");
    }
    assert_eq!(
        service.create(None, ticket(&[])).wait().unwrap_err().code(),
        "no-players"
    );
    assert_eq!(
        service.create(None, ticket(&[""])).wait().unwrap_err().code(),
        "invalid"
    );
    assert_eq!(
        service
            .create(None, ticket(&["x", "x"]))
            .wait()
            .unwrap_err()
            .code(),
        "invalid"
    );
    let places = |places: &[u32]| MatchResult {
        places: places.to_vec(),
        played_at: None,
        ..MatchResult::default()
    };
    for wrong in [&[1][..], &[1, 0], &[1, 2, 3]] {
        let refused = service.report(&match_id, places(wrong)).wait().unwrap_err();
        assert_eq!(refused.code(), "invalid", "{wrong:?}");
    }
    let elsewhere = NewTicket {
        queues: vec!["ranked".to_owned()],
        ..ticket(&["cyd"])
    };
    assert_eq!(
        service.create(None, elsewhere).wait().unwrap_err().code(),
        "unknown-queue"
    );
    service.close();
}

#[test]
fn an_answer_can_be_awaited() {
    let service = open(&Memory::default(), DUEL);
    let mut answer = std::pin::pin!(service.create(None, ticket(&["ann"])));
    let waker = std::task::Waker::noop();
    let mut context = std::task::Context::from_waker(waker);
    let created = loop {
        match answer.as_mut().poll(&mut context) {
            std::task::Poll::Ready(created) => break created.unwrap(),
            std::task::Poll::Pending => std::thread::yield_now(),
        }
    };
    assert!(created.is_new);
    service.close();
}

#[test]
fn a_closed_service_says_so() {
    let service = open(&Memory::default(), DUEL);
    let other = service.clone();
    service.close();
    assert_eq!(other.ticket("t0").wait().unwrap_err().code(), "stopped");
}

#[test]
fn a_party_that_is_not_complete_in_time_is_gone() {
    let device = Memory::default();
    let settings = Settings {
        gather_within: 50,
        ..Settings::default()
    };
    let own = device.clone();
    let service = Service::open(move || Ok(own.clone()), DUEL, settings).unwrap();
    let party = NewTicket {
        joining: vec!["bob".to_owned()],
        ..ticket(&["ann"])
    };
    let id = service.create(None, party).wait().unwrap().ticket.id;
    let changes = service.changes(&id).unwrap();
    let TicketState::Gathering { missing, .. } = changes.recv().unwrap().state else {
        panic!("it gathers")
    };
    assert_eq!(missing, ["bob"]);
    let gone = changes.recv_timeout(Duration::from_secs(20)).unwrap();
    assert_eq!(
        gone.state,
        TicketState::Left {
            reason: Left::NotGathered
        }
    );
    let late = service.join(&id, NewPlayer::of("bob")).wait().unwrap_err();
    assert_eq!(late.code(), "unknown");
    // Both are free.
    service.create(None, ticket(&["ann"])).wait().unwrap();
    service.create(None, ticket(&["bob"])).wait().unwrap();
    service.close();
}

#[test]
fn watchers_that_are_gone_do_not_pile_up() {
    use std::sync::Arc;

    let service = open(&Memory::default(), DUEL);
    let id = service.create(None, ticket(&["ann"])).wait().unwrap().ticket.id;
    let here = Arc::new(());
    for _ in 0..100 {
        let held = Arc::clone(&here);
        // Each has seen enough with the present state, as a call has whose time is over.
        let tell = move |view: Option<&matchwright_service::TicketView>| {
            let _ = &held;
            view.is_some()
        };
        service.watch(&id, tell).wait().unwrap();
    }
    service.ticket(&id).wait().unwrap();
    assert!(Arc::strong_count(&here) <= 2, "{}", Arc::strong_count(&here));
    service.close();
}

#[test]
fn a_service_that_is_closed_follows_what_was_put_off() {
    let service = open(&Memory::default(), DUEL);
    // All about one request, so that each waits for the step of the one before.
    let pending: Vec<_> = (0..20)
        .map(|_| service.create(Some(key("1")), ticket(&["ann"])))
        .collect();
    let other = service.clone();
    service.close();
    let mut names = std::collections::BTreeSet::new();
    for answer in pending {
        names.insert(answer.wait().unwrap().ticket.id);
    }
    assert_eq!(names.len(), 1);
    assert_eq!(other.ticket("t0").wait().unwrap_err().code(), "stopped");
}

#[test]
fn an_erased_player_is_out_of_a_party_that_gathers() {
    let service = open(&Memory::default(), DUEL);
    let party = NewTicket {
        joining: vec!["bob".to_owned()],
        ..ticket(&["ann"])
    };
    let id = service.create(None, party).wait().unwrap().ticket.id;
    service.erase("ann").wait().unwrap();
    let view = service.ticket(&id).wait().unwrap();
    assert_eq!(view.players, ["(erased)", "bob"]);
    assert_eq!(
        view.state,
        TicketState::Left {
            reason: Left::Cancelled
        }
    );
    service.close();
}

#[test]
fn a_party_that_waits_changes_and_keeps_its_wait() {
    let device = Memory::default();
    let apart = "[queue]\nteams = [2, 2]\n[[queue.windows]]\nof = 'level'\nstart = 1";
    let service = open(&device, apart);
    let at = |names: &[&str], level: f64| {
        let mut new = ticket(names);
        for player in &mut new.players {
            player.attributes = [("level".to_owned(), Value::Number(level))].into();
        }
        new
    };
    let party = service
        .create(None, at(&["ann", "bob"], 1.0))
        .wait()
        .unwrap()
        .ticket;
    let other = service
        .create(None, at(&["dot", "eve"], 9.0))
        .wait()
        .unwrap()
        .ticket;
    let taken = service
        .edit(&party.id, at(&["ann", "dot"], 1.0).players)
        .wait()
        .unwrap_err();
    assert!(matches!(taken, Problem::PlayerWaits { .. }), "{taken:?}");
    let edited = service
        .edit(&party.id, at(&["ann", "cyd"], 9.5).players)
        .wait()
        .unwrap();
    assert_eq!(edited.players, ["ann", "cyd"]);
    assert_eq!(service.player("bob").wait().unwrap().ticket, None);
    // They are of a level now: both met in the same step.
    assert!(matches!(edited.state, TicketState::Matched { .. }), "{edited:?}");
    assert_eq!(
        service.match_of(&other.id).wait().unwrap().teams.concat().len(),
        4
    );
    let late = service
        .edit(&party.id, at(&["ann"], 1.0).players)
        .wait()
        .unwrap_err();
    assert!(matches!(late, Problem::IsMatched { .. }), "{late:?}");
    // Who has gone from it may queue, and is known by its name after a restart.
    let bob = service.create(None, at(&["bob"], 1.0)).wait().unwrap().ticket;
    service.close();
    let service = open(&device.crashed(), apart);
    assert_eq!(service.ticket(&party.id).wait().unwrap().players, ["ann", "cyd"]);
    assert_eq!(service.ticket(&bob.id).wait().unwrap().players, ["bob"]);
    service.close();
}

#[test]
fn who_comes_back_as_the_old_ticket_is_forgotten_keeps_its_name() {
    let settings = Settings {
        known: 0,
        ..Settings::default()
    };
    let service = open_with(&Memory::default(), DUEL, settings);
    let first = service.create(None, ticket(&["ann"])).wait().unwrap().ticket;
    service.cancel(&first.id, None).wait().unwrap();
    // The step of this ticket forgets the one before.
    let second = service.create(None, ticket(&["ann"])).wait().unwrap().ticket;
    assert_eq!(second.players, ["ann"]);
    assert_eq!(service.player("ann").wait().unwrap().ticket, Some(second));
    let twice = service.create(None, ticket(&["ann"])).wait().unwrap_err();
    assert!(matches!(twice, Problem::PlayerWaits { .. }), "{twice:?}");
    service.close();
}

#[test]
fn a_match_that_starts_late_is_played_all_the_same() {
    let policy = format!("{DUEL}\n[queue.limits]\nfail_within = 0.001");
    let service = open(&Memory::default(), &policy);
    let match_id = meet(&service, "ann", "bob");
    std::thread::sleep(Duration::from_millis(20));
    // Another step, in which the queue forgets that it could fail.
    service.create(None, ticket(&["cyd"])).wait().unwrap();
    assert_eq!(service.started(&match_id).wait().unwrap().phase, Phase::Started);
    service.close();
}
