//! The client against a real service, and through a proxy that cuts connections.

use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

use matchwright_client::{
    Change, Client, ClientError, Event, Left, List, MatchResult, NewBackfill, NewPlayer, NewTicket, Phase,
    QueueStatus, Retries, Ticket, TicketState,
};

use crate::common::{ACCEPT, DUEL, Dice, Fake, Fate, Proxy, QUICK, SECOND, Served, answer, request_id};

/// Both wait and meet: the first's ticket and the match.
fn meet(client: &Client, one: &str, other: &str) -> (Ticket, String) {
    let first = client.create(&NewTicket::of([one])).unwrap();
    client.create(&NewTicket::of([other])).unwrap();
    let first = client.ticket(&first.id).unwrap();
    let match_id = first.match_id().unwrap().to_owned();
    (first, match_id)
}

#[test]
fn a_client_can_be_shared() {
    fn check<T: Clone + Send + Sync>() {}
    fn check_sent<T: Send>() {}
    check::<Client>();
    check::<ClientError>();
    check_sent::<matchwright_client::Watch>();
    check_sent::<matchwright_client::Events>();
    assert!(!format!("{:?}", Client::new("http://x").with_token("secret")).contains("secret"));
}

#[test]
fn the_loop_from_a_ticket_to_a_rating() {
    let served = Served::of(DUEL);
    let client = served.client();
    let new = NewTicket {
        expires_in: Some(60_000),
        regions: BTreeMap::from([("eu".to_owned(), 20.5)]),
        attributes: BTreeMap::from([("mode".to_owned(), "ranked".into())]),
        ..NewTicket::of(["ann/\u{e4} ?"])
    };
    let ann = client.create(&new).unwrap();
    assert_eq!(
        (&ann.state, &ann.players[0][..]),
        (&TicketState::Waiting, "ann/\u{e4} ?")
    );
    assert_eq!(client.wait(&ann, SECOND / 100).unwrap(), ann);
    assert_eq!(client.ticket_of("ann/\u{e4} ?").unwrap(), ann);
    let queue = &client.queues().unwrap()[0];
    assert_eq!(
        (queue.tickets, queue.status, &queue.teams[..]),
        (1, QueueStatus::Running, &[1, 1][..])
    );

    let proxy = Proxy::before(served.address, |_| Fate::Pass);
    let waits = thread::spawn({
        let (client, ann) = (proxy.client(), ann.clone());
        move || client.wait(&ann, 20 * SECOND).unwrap()
    });
    thread::sleep(SECOND / 5);
    let bob = client.create_as("lobby-7", &NewTicket::of(["bob"])).unwrap();
    assert_eq!(
        client.create_as("lobby-7", &NewTicket::of(["bob"])).unwrap().id,
        bob.id
    );
    let reused = client.create_as("lobby-7", &NewTicket::of(["cyd"])).unwrap_err();
    assert_eq!(reused.kind(), Some("request-id-reused"));
    assert_eq!(reused.member("ticket"), Some(&bob.id.clone().into()));
    let told = waits.join().unwrap();
    assert!(told.version > ann.version && told.match_id().is_some());
    assert_eq!(proxy.seen("?wait=20&version=").len(), 1);

    let match_id = bob.match_id().unwrap();
    let found = client.match_by_id(match_id).unwrap();
    assert_eq!(
        (found.phase, &found.teams),
        (
            Phase::Allocating,
            &vec![vec!["ann/\u{e4} ?".to_owned()], vec!["bob".to_owned()]]
        )
    );
    assert_eq!(
        client.assign(match_id, "eu1:7777").unwrap().connection.as_deref(),
        Some("eu1:7777")
    );
    assert_eq!(client.started(match_id).unwrap().phase, Phase::Started);
    let ended = client
        .report(match_id, &MatchResult::of_scores([3.0, 1.0]))
        .unwrap();
    assert_eq!((ended.phase, ended.places), (Phase::Ended, Some(vec![1, 2])));
    assert_eq!(
        client
            .report(match_id, &MatchResult::of_places([1, 2]))
            .unwrap()
            .version,
        ended.version
    );
    let differs = client
        .report(match_id, &MatchResult::of_places([2, 1]))
        .unwrap_err();
    assert_eq!(differs.kind(), Some("result-differs"));
    let rating = || client.player("bob").unwrap().rated.unwrap();
    assert!(rating().rating < 1400.0 && rating().games == 1);
    assert!(client.retract(match_id).unwrap().is_retracted);
    assert_eq!(rating().rating, 1500.0);

    let list = List {
        state: Some("matched".to_owned()),
        limit: Some(1),
        ..List::default()
    };
    let first = client.tickets(&list).unwrap();
    assert_eq!((first.len(), &first[0].id), (1, &ann.id));
    let after = Some(ann.id.clone());
    assert_eq!(client.tickets(&List { after, ..list }).unwrap()[0].id, bob.id);
    assert_eq!(client.matches(&List::default()).unwrap()[0].id, match_id);

    assert_eq!(client.policy().unwrap(), DUEL);
    let wider = format!("name = 'wider'\nversion = '2'\n{DUEL}");
    assert_eq!(client.check_policy(&wider).unwrap().name, "wider");
    assert_eq!(client.set_policy(&wider).unwrap().version, "2");
    assert_eq!(client.policy().unwrap(), wider);
    assert_eq!(
        client.set_policy("[queue]\nteams = 7").unwrap_err().kind(),
        Some("policy")
    );
}

#[test]
fn who_left_a_match_is_replaced_and_who_is_not_there_waits_no_more() {
    let served = Served::of(DUEL);
    let client = served.client();
    let (_, match_id) = meet(&client, "ann", "bob");
    client.started(&match_id).unwrap();
    let looks = client
        .backfill(&match_id, &NewBackfill::of(["bob", "eve"]))
        .unwrap();
    assert!(looks.backfill.is_some() && looks.teams[1].is_empty());
    assert_eq!(client.end_backfill(&match_id).unwrap().backfill, None);
    let mut bob = NewTicket::of(["bob"]);
    bob.heartbeat_within = Some(1);
    client.create(&bob).unwrap();
    let until = Instant::now() + 20 * SECOND;
    let gone = TicketState::Left {
        reason: Left::Abandoned,
    };
    // Not by the ticket's name, which would keep it.
    while client.player("bob").unwrap().ticket.unwrap().state != gone {
        assert!(Instant::now() < until);
        thread::sleep(SECOND / 50);
    }
}

#[test]
fn parties_join_cancel_fail_and_leave() {
    let served = Served::of(&DUEL.replace("[queue]", "[queue]\nteams = [2, 2]"));
    let client = served.client();
    let new = NewTicket {
        joining: vec!["bob".to_owned()],
        ..NewTicket::of(["ann"])
    };
    let party = client.create(&new).unwrap();
    assert!(matches!(&party.state, TicketState::Gathering { missing, .. } if missing == &["bob"]));
    let waits = client.create(&NewTicket::of(["ann"])).unwrap_err();
    assert_eq!(waits.kind(), Some("player-waits"));
    assert!(waits.to_string().contains("cancel that one first"), "{waits}");
    let mut bob = NewPlayer::from("bob");
    bob.attributes.insert("mood".to_owned(), "good".into());
    assert_eq!(client.join(&party.id, bob).unwrap().state, TicketState::Waiting);
    let match_of = |client: &Client| {
        let other = client.create(&NewTicket::of(["cyd", "dot"])).unwrap();
        (other.match_id().unwrap().to_owned(), other)
    };
    let (failed, other) = match_of(&client);
    assert_eq!(client.failed(&failed).unwrap().phase, Phase::Failed);
    assert_eq!(client.cancel(&other.id).unwrap_err().kind(), Some("is-matched"));
    let again = client.ticket(&other.id).unwrap().match_id().unwrap().to_owned();
    assert_ne!(again, failed);
    assert_eq!(client.leave(&again, "bob").unwrap().phase, Phase::Failed);
    let reason = Left::LeftMatch;
    assert_eq!(
        client.ticket(&party.id).unwrap().state,
        TicketState::Left { reason }
    );
    assert_eq!(
        client.create(&NewTicket::of(["bob"])).unwrap_err().kind(),
        Some("cooldown")
    );
    let reason = Left::Cancelled;
    assert_eq!(
        client.cancel_all("cyd").unwrap().state,
        TicketState::Left { reason }
    );
    assert_eq!(
        client.cancel(&other.id).unwrap().state,
        TicketState::Left { reason }
    );
    assert_eq!(
        client
            .watch(&other.id)
            .map(Result::unwrap)
            .collect::<Vec<_>>()
            .len(),
        1
    );
}

/// 200 tickets through a proxy that cuts two connections of three: one ticket each, and all who watch see the end.
#[test]
fn each_ticket_is_made_once_whatever_is_cut() {
    const TICKETS: usize = 200;
    let served = Served::of(DUEL);
    let mut dice = Dice::of(1);
    let cuts = Arc::new(Mutex::new(BTreeMap::<&str, u32>::new()));
    let counted = Arc::clone(&cuts);
    let proxy = Proxy::before(served.address, move |_| {
        let (name, fate) = match dice.below(6) {
            0 => ("before", Fate::Before),
            1 => ("after", Fate::After),
            2 => ("blindly", Fate::Blindly),
            3 => ("within", Fate::Within(dice.below(700))),
            _ => ("pass", Fate::Pass),
        };
        *counted.lock().unwrap().entry(name).or_default() += 1;
        fate
    });
    let client = proxy.client();
    let watches: Vec<_> = (0..4)
        .map(|part| {
            let client = client.clone();
            thread::spawn(move || {
                let names = (part * TICKETS / 4..(part + 1) * TICKETS / 4).map(|number| format!("p{number}"));
                let create = |name: String| {
                    let ticket = client.create(&NewTicket::of([&name[..]])).unwrap();
                    assert_eq!(ticket.players, [name]);
                    let watch = client.watch(&ticket.id);
                    (
                        ticket.id,
                        thread::spawn(move || watch.collect::<Result<Vec<_>, _>>()),
                    )
                };
                names.map(create).collect::<Vec<_>>()
            })
        })
        .collect();
    let watches: Vec<_> = watches
        .into_iter()
        .flat_map(|part| part.join().unwrap())
        .collect();
    let known = served.service.tickets(None, usize::MAX, |_| true).unwrap();
    assert_eq!(known.len(), TICKETS);
    let ids: HashSet<&str> = known.iter().map(|ticket| &ticket.id[..]).collect();
    assert_eq!(ids, watches.iter().map(|(id, _)| &id[..]).collect());
    let matches = served.service.matches(None, usize::MAX, |_| true).unwrap();
    assert_eq!(matches.len(), TICKETS / 2);
    for found in &matches {
        client.assign(&found.id, "eu1:7777").unwrap();
        client.started(&found.id).unwrap();
        client.report(&found.id, &MatchResult::of_places([1, 2])).unwrap();
    }
    for (id, watch) in watches {
        let states = watch.join().unwrap().unwrap();
        assert!(
            states.is_sorted_by(|one, next| one.version < next.version),
            "{states:?}"
        );
        let last = states.last().unwrap();
        assert!(last.id == id && last.is_over(), "{states:?}");
        assert_eq!(last.version, served.service.ticket(&id).wait().unwrap().version);
    }
    assert_eq!(served.service.stats().results, TICKETS as u64 / 2);
    let cuts = cuts.lock().unwrap();
    assert!(
        cuts.len() == 5 && cuts.values().all(|count| *count > 30),
        "{cuts:?}"
    );
}

/// The first `times` requests with this text get this fate.
fn first(times: usize, what: &'static str, fate: Fate) -> impl FnMut(&str) -> Fate + Send {
    let mut left = times;
    move |request| {
        let is_cut = left > 0 && request.contains(what);
        left -= usize::from(is_cut);
        if is_cut { fate } else { Fate::Pass }
    }
}

#[test]
fn a_ticket_whose_answer_was_lost_is_had_again() {
    let served = Served::of(DUEL);
    for (number, fate) in [Fate::Before, Fate::After, Fate::Within(0), Fate::Within(150)]
        .into_iter()
        .enumerate()
    {
        let proxy = Proxy::before(served.address, first(2, "POST", fate));
        let name = format!("p{number}");
        let ticket = proxy.client().create(&NewTicket::of([&name[..]])).unwrap();
        let tries = proxy.seen("POST /v1/tickets");
        assert_eq!(tries.len(), 3);
        assert_eq!(
            tries
                .iter()
                .map(|request| request_id(request))
                .collect::<HashSet<_>>()
                .len(),
            1
        );
        let known = served
            .service
            .tickets(None, 1000, |known| known.players == [&name[..]])
            .unwrap();
        assert_eq!(known.len(), 1);
        assert_eq!(known[0].id, ticket.id);
    }
    let names = (0..100).map(|_| Fake::of([answer("404 Not Found", "", "{}")]));
    let ids = names.map(|fake| {
        fake.client().create(&NewTicket::of(["ann"])).unwrap_err();
        request_id(&fake.seen()[0]).to_owned()
    });
    assert_eq!(ids.collect::<HashSet<_>>().len(), 100);
}

/// What the service refuses once it is done is looked up, if the answer was lost.
#[test]
fn what_was_done_is_not_called_refused() {
    let served = Served::of(ACCEPT);
    let direct = served.client();
    let proxy = Proxy::before(served.address, first(1, "/accept", Fate::After));
    let proposal = |one: &str, other: &str| {
        direct.create(&NewTicket::of([one])).unwrap();
        match direct.create(&NewTicket::of([other])).unwrap().state {
            TicketState::Proposed { proposal, .. } => proposal,
            state => panic!("{state:?}"),
        }
    };
    let made = proposal("ann", "bob");
    direct.accept(&made, "ann").unwrap();
    let ticket = proxy.client().accept(&made, "bob").unwrap();
    assert!(ticket.match_id().is_some(), "{ticket:?}");
    assert_eq!(direct.accept(&made, "bob").unwrap(), ticket);

    let match_id = ticket.match_id().unwrap();
    let (mut tries, server, of) = (0, direct.clone(), match_id.to_owned());
    let proxy = Proxy::before(served.address, move |request| {
        tries += usize::from(request.contains("/assign"));
        if tries == 2 {
            // The match's server is quicker than the second try.
            server.started(&of).unwrap();
        }
        if tries == 1 { Fate::After } else { Fate::Pass }
    });
    let assigned = proxy.client().assign(match_id, "eu1:1").unwrap();
    assert_eq!(
        (assigned.phase, assigned.connection.as_deref()),
        (Phase::Started, Some("eu1:1"))
    );
    assert_eq!(
        proxy.client().assign(match_id, "eu1:2").unwrap_err().kind(),
        Some("invalid")
    );

    let made = proposal("cyd", "dot");
    let proxy = Proxy::before(served.address, first(1, "/decline", Fate::After));
    let reason = Left::Declined;
    assert_eq!(
        proxy.client().decline(&made, "cyd").unwrap().state,
        TicketState::Left { reason }
    );
    // Dot waits again, and has declined nothing: what another did is not taken for it.
    let proxy = Proxy::before(served.address, first(1, "/decline", Fate::Before));
    assert_eq!(
        proxy.client().decline(&made, "dot").unwrap_err().kind(),
        Some("unknown")
    );
}

/// The newest versions of tickets and matches by name, until this player came: each whole step once, in order.
fn newest(events: impl Iterator<Item = Result<Event, ClientError>>, until: &str) -> BTreeMap<String, u64> {
    let (mut newest, mut step, mut of_step) = (BTreeMap::new(), 0, Vec::new());
    for event in events {
        let Event {
            step: seen, change, ..
        } = event.unwrap();
        let (id, version, players) = match change {
            Change::Ticket(ticket) => (ticket.id, ticket.version, ticket.players),
            Change::Match(found) => (found.id, found.version, Vec::new()),
            change => panic!("{change:?}"),
        };
        of_step.push(version);
        assert!(
            newest.insert(id, version).is_none_or(|before| before < version),
            "{version}"
        );
        if let Some(seen) = seen {
            assert!(
                seen > step && of_step.drain(..).all(|version| version == seen),
                "{step} {seen}"
            );
            step = seen;
        }
        if players == [until] {
            return newest;
        }
    }
    panic!("the stream ended")
}

#[test]
fn a_backend_sees_each_step_once_whatever_is_cut() {
    let served = Served::of(DUEL);
    let direct = served.client();
    let mut dice = Dice::of(2);
    let proxy = Proxy::before(served.address, move |_| match dice.below(6) {
        0 => Fate::Before,
        1 => Fate::After,
        _ => Fate::Within(300 + dice.below(5000)),
    });
    let events = proxy
        .client()
        .with_retries(Retries { times: 60, ..QUICK })
        .events(Some(0));
    let from_now = direct.events(None);
    let watcher = thread::spawn(move || newest(events, "last"));
    let fresh = thread::spawn(move || newest(from_now, "last"));
    for number in 0..100 {
        let (_, match_id) = meet(&direct, &format!("a{number}"), &format!("b{number}"));
        direct.report(&match_id, &MatchResult::of_places([1, 2])).unwrap();
    }
    direct.create(&NewTicket::of(["last"])).unwrap();
    let tickets = served.service.tickets(None, usize::MAX, |_| true).unwrap();
    let matches = served.service.matches(None, usize::MAX, |_| true).unwrap();
    let tickets = tickets.into_iter().map(|ticket| (ticket.id, ticket.version));
    let known = tickets.chain(matches.into_iter().map(|found| (found.id, found.version)));
    let known: BTreeMap<_, _> = known.collect();
    assert_eq!(watcher.join().unwrap(), known);
    assert!(
        fresh
            .join()
            .unwrap()
            .iter()
            .all(|(id, version)| known[id] == *version)
    );
    let resumed = proxy.seen("last-event-id: ");
    assert!(resumed.len() > 20, "{resumed:?}");
}

#[test]
fn another_process_takes_over() {
    let served = Served::of(DUEL);
    let proxy = Proxy::before(served.address, |_| Fate::Pass);
    let retries = Retries { times: 100, ..QUICK };
    let client = proxy.client().with_retries(Retries {
        longest_wait: 2 * SECOND,
        ..retries
    });
    let ann = client.create(&NewTicket::of(["ann"])).unwrap();
    let mut watch = client.watch(&ann.id);
    let mut events = client.events(Some(0));
    assert_eq!(watch.next().unwrap().unwrap(), ann);
    let step = events.next().unwrap().unwrap().step.unwrap();
    served.service.clone().close();
    let stopped = served
        .client()
        .with_retries(Retries { times: 0, ..QUICK })
        .create(&NewTicket::of(["bob"]));
    assert_eq!(stopped.unwrap_err().kind(), Some("stopped"));
    let creates = thread::spawn({
        let client = client.clone();
        move || client.create(&NewTicket::of(["bob"])).unwrap()
    });
    thread::sleep(SECOND / 2);
    let next = Served::on(served.device.crashed(), DUEL);
    proxy.lead_to(next.address);
    let bob = creates.join().unwrap();
    assert!(proxy.seen("POST").len() > 2);
    let matched = watch.next().unwrap().unwrap();
    assert_eq!((matched.match_id(), &matched.id), (bob.match_id(), &ann.id));
    let told: Vec<_> = events.by_ref().take(3).map(|event| event.unwrap().step).collect();
    assert!(told[..2] == [None, None] && told[2] > Some(step) && events.seen() == told[2]);
}
