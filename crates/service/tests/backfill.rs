//! Players who leave a match while it is played, and those who come in their place.

use std::time::Duration;

use matchwright_queue::live::Memory;
use matchwright_service::{
    Left, MatchResult, MatchView, NewBackfill, NewPlayer, Phase, Problem, Service, TicketState,
};

use crate::handle::{open, ticket};

const TEAMS: &str = "\
[queue]
method = 'lobbies'
teams = [2, 2]
threshold = { quality = 0.1, fall_per_second = 1 }

[scoring.factors.team_skill]
weight = 1
difference = { shape = 'ramp', best = 0, worst = 4000 }";

/// Waits until a ticket stands so.
fn wait_for(service: &Service, ticket: &str, is_so: impl Fn(&TicketState) -> bool) {
    let changes = service.changes(ticket).unwrap();
    while !is_so(&changes.recv_timeout(Duration::from_secs(10)).unwrap().state) {}
}

/// Four play, of whom two came as a party: the match that has started.
fn play(service: &Service) -> MatchView {
    for names in [&["ann", "bob"][..], &["cyd"], &["dot"]] {
        service.create(None, ticket(names)).wait().unwrap();
    }
    let dot = service.player("dot").wait().unwrap().ticket.unwrap();
    wait_for(service, &dot.id, |state| {
        matches!(state, TicketState::Matched { .. })
    });
    let found = service.match_of(&dot.id).wait().unwrap();
    service.assign(&found.id, "eu1:7777").wait().unwrap();
    service.started(&found.id).wait().unwrap()
}

/// The teams of a match, in the order of their players' names.
fn teams(of: &MatchView) -> Vec<Vec<String>> {
    let mut teams = of.teams.clone();
    for team in &mut teams {
        team.sort();
    }
    teams.sort();
    teams
}

fn left(names: &[&str]) -> NewBackfill {
    NewBackfill {
        left: names.iter().map(|name| (*name).to_owned()).collect(),
        ..NewBackfill::default()
    }
}

#[test]
fn others_come_into_a_match_in_place_of_those_who_left_it() {
    let device = Memory::default();
    let service = open(&device, TEAMS);
    let found = play(&service);
    assert_eq!(teams(&found), [["ann", "bob"], ["cyd", "dot"]]);
    let looks = service.backfill(&found.id, left(&["bob", "cyd"])).wait().unwrap();
    assert_eq!(teams(&looks), [["ann"], ["dot"]]);
    let search = looks.backfill.clone().unwrap();
    assert_eq!(
        service.ticket(&search).wait().unwrap().state,
        TicketState::Waiting
    );
    // Asked again it is the same search, also after a restart.
    let again = service.backfill(&found.id, left(&["bob", "cyd"])).wait().unwrap();
    assert_eq!(again.backfill.as_ref(), Some(&search));
    service.close();
    let service = open(&device.crashed(), TEAMS);
    let again = service.backfill(&found.id, left(&[])).wait().unwrap();
    assert_eq!(
        (again.backfill.as_ref(), again.version),
        (Some(&search), looks.version)
    );
    // Who left is free: the ticket of one who came alone is gone, that of a party is not.
    let cyd = service.player("cyd").wait().unwrap().ticket.unwrap();
    assert_eq!(
        cyd.state,
        TicketState::Left {
            reason: Left::LeftMatch
        }
    );
    // Two others come: where to play they know at once.
    let eve = service.create(None, ticket(&["eve"])).wait().unwrap().ticket;
    assert_eq!(eve.state, TicketState::Waiting);
    let fay = service.create(None, ticket(&["fay"])).wait().unwrap().ticket;
    wait_for(&service, &fay.id, |state| *state != TicketState::Waiting);
    let fay = service.ticket(&fay.id).wait().unwrap();
    let place = |connection: &str| TicketState::Matched {
        match_id: found.id.clone(),
        phase: Phase::Started,
        connection: Some(connection.to_owned()),
    };
    assert_eq!(fay.state, place("eu1:7777"));
    assert_eq!(service.ticket(&search).wait().unwrap().state, place("eu1:7777"));
    let full = service.match_by_id(&found.id).wait().unwrap();
    assert_eq!(full.backfill, None);
    let [one, other] = &teams(&full)[..] else {
        panic!("{full:?}")
    };
    assert_eq!([one.len(), other.len()], [2, 2]);
    assert_eq!([&one[0], &other[0]], ["ann", "dot"]);
    // Nobody who is in it may queue, and nobody is missing.
    let refused = service.create(None, ticket(&["eve"])).wait().unwrap_err();
    assert!(matches!(refused, Problem::PlayerPlays { .. }), "{refused:?}");
    let same = service.backfill(&found.id, left(&["bob"])).wait().unwrap();
    assert_eq!(same.version, full.version);
    // Rated are those who are in it at its end.
    service
        .report(&found.id, MatchResult::of_places([1, 2]))
        .wait()
        .unwrap();
    let games = |name: &str| service.player(name).wait().unwrap().rated.unwrap().games;
    assert_eq!(["ann", "dot", "eve", "fay"].map(games), [1; 4]);
    assert_eq!(["bob", "cyd"].map(games), [0; 2]);
    service.create(None, ticket(&["eve"])).wait().unwrap();
    service.close();
}

#[test]
fn a_search_ends_with_its_match_or_by_itself_and_begins_anew_when_more_leave() {
    let service = open(&Memory::default(), TEAMS);
    let found = play(&service);
    let first = service
        .backfill(&found.id, left(&["bob"]))
        .wait()
        .unwrap()
        .backfill
        .unwrap();
    let more = service.backfill(&found.id, left(&["cyd"])).wait().unwrap();
    let second = more.backfill.clone().unwrap();
    let gone = TicketState::Left {
        reason: Left::Cancelled,
    };
    assert_eq!(service.ticket(&first).wait().unwrap().state, gone);
    assert_eq!(teams(&more), [["ann"], ["dot"]]);
    assert_eq!(service.end_backfill(&found.id).wait().unwrap().backfill, None);
    assert_eq!(service.ticket(&second).wait().unwrap().state, gone);
    // Two are still missing, and can be looked for again, for a while.
    let asked = NewBackfill {
        expires_in: Some(50),
        ..left(&[])
    };
    let third = service
        .backfill(&found.id, asked)
        .wait()
        .unwrap()
        .backfill
        .unwrap();
    let over = TicketState::Left {
        reason: Left::Expired,
    };
    wait_for(&service, &third, |state| *state == over);
    assert_eq!(service.match_by_id(&found.id).wait().unwrap().backfill, None);
    let fourth = service
        .backfill(&found.id, left(&[]))
        .wait()
        .unwrap()
        .backfill
        .unwrap();
    let ended = service
        .report(&found.id, MatchResult::of_places([1, 1]))
        .wait()
        .unwrap();
    assert_eq!((ended.phase, ended.backfill), (Phase::Ended, None));
    assert_eq!(service.ticket(&fourth).wait().unwrap().state, gone);
    // It is over: nobody comes into it.
    for name in ["eve", "fay"] {
        service.create(None, ticket(&[name])).wait().unwrap();
    }
    let waits = service.player("fay").wait().unwrap().ticket.unwrap();
    assert_eq!(waits.state, TicketState::Waiting);
    service.close();
}

#[test]
fn what_cannot_be_looked_for_is_refused_and_an_empty_team_counts_for_nobody() {
    let service = open(&Memory::default(), TEAMS);
    let found = play(&service);
    let refused = |asked: NewBackfill, why: &str| {
        let problem = service.backfill(&found.id, asked).wait().unwrap_err();
        assert!(problem.to_string().contains(why), "{problem}");
    };
    refused(left(&["ann", "bob", "cyd", "dot"]), "all players have left");
    let stays = |names: &[&str]| NewBackfill {
        players: names.iter().map(|name| NewPlayer::of(*name)).collect(),
        ..left(&["bob"])
    };
    refused(stays(&["bob"]), "`bob` does not stay");
    refused(stays(&["eve"]), "`eve` does not stay");
    refused(stays(&["ann", "ann"]), "twice");
    refused(
        NewBackfill {
            expires_in: Some(0),
            ..left(&["bob"])
        },
        "expires_in",
    );
    assert_eq!(service.match_by_id(&found.id).wait().unwrap().teams, found.teams);
    service.backfill(&found.id, left(&["ann", "bob"])).wait().unwrap();
    let ended = service
        .report(&found.id, MatchResult::of_places([2, 1]))
        .wait()
        .unwrap();
    assert_eq!(ended.places, Some(vec![2, 1]));
    assert_eq!(service.player("cyd").wait().unwrap().rated.unwrap().games, 0);
    refused(left(&[]), "is not played");
    service.close();
}

/// All accept what they are asked.
fn accept(service: &Service, names: &[&str]) {
    for name in names {
        let ticket = service.player(name).wait().unwrap().ticket.unwrap();
        wait_for(service, &ticket.id, |state| *state != TicketState::Waiting);
        let ticket = service.ticket(&ticket.id).wait().unwrap();
        if let TicketState::Proposed { proposal, .. } = ticket.state {
            service.respond(&proposal, name, true).wait().unwrap();
        }
    }
}

/// The queue makes the match, and would refuse to cancel the search, in the very step in which another leaves.
#[test]
fn who_leaves_in_the_step_in_which_another_accepts_leaves_in_the_next() {
    let policy = TEAMS.replace("[queue]", "[queue]\nacceptance = { within = 60 }");
    let service = open(&Memory::default(), &policy);
    for names in [&["ann", "bob"][..], &["cyd"], &["dot"]] {
        service.create(None, ticket(names)).wait().unwrap();
    }
    accept(&service, &["ann", "bob", "cyd", "dot"]);
    let dot = service.player("dot").wait().unwrap().ticket.unwrap();
    let found = service.match_of(&dot.id).wait().unwrap();
    service.started(&found.id).wait().unwrap();
    service.backfill(&found.id, left(&["bob"])).wait().unwrap();
    let eve = service.create(None, ticket(&["eve"])).wait().unwrap().ticket;
    wait_for(&service, &eve.id, |state| *state != TicketState::Waiting);
    let TicketState::Proposed { proposal, .. } = service.ticket(&eve.id).wait().unwrap().state else {
        panic!("eve is not asked")
    };
    // The writer is held up while it tells of a step, so that the next takes both requests.
    let (open_gate, gate) = std::sync::mpsc::channel::<()>();
    let (tell, told) = std::sync::mpsc::channel();
    let hold = move |_: &matchwright_service::Told| {
        tell.send(()).unwrap();
        gate.recv().unwrap();
        false
    };
    service.watch_all(hold).wait().unwrap();
    let zed = service.create(None, ticket(&["zed"]));
    told.recv_timeout(Duration::from_secs(10)).unwrap();
    let accepts = service.respond(&proposal, "eve", true);
    let leaves = service.backfill(&found.id, left(&["cyd"]));
    open_gate.send(()).unwrap();
    zed.wait().unwrap();
    accepts.wait().unwrap();
    let after = leaves.wait().unwrap();
    assert_eq!(teams(&after), [&["ann", "eve"][..], &["dot"]]);
    assert!(after.backfill.is_some());
    service
        .report(&found.id, MatchResult::of_places([1, 2]))
        .wait()
        .unwrap();
    for name in ["ann", "bob", "cyd", "dot", "eve"] {
        service.create(None, ticket(&[name])).wait().unwrap();
    }
    service.close();
}
