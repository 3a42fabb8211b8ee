//! A queue in files, under crashes and the faults of devices: what was told is there, and it goes on as if it had never stopped.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failure in a helper fails the test"
)]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use matchwright_queue::journal::{StepRecord, recover, replay};
use matchwright_queue::live::{
    Attached, Exported, Faults, FileName, Follower, LiveError, Loaded, Loader, Memory, OpenError, Options,
    Queue, StopReason, Storage, to_journal,
};
use matchwright_queue::{
    Backfill, Budget, Event, EventId, EventKind, MatchId, MatchPolicy, Pairs, PlayerId, Pool, Proposed,
    State, StepError, Ticket, TicketId, Time, Why,
};

use crate::journal_faults::forge;
use crate::journal_world::{change, open};
use crate::model::Draw;

/// Policies by the documents of the other journals; "fragile" panics when the player 666 comes.
fn loader() -> Loader {
    Arc::new(|document: &str| {
        let known = if document == "fragile" { "anyone" } else { document };
        let change = change(known);
        let policy = open(&change)?;
        let policy: Box<dyn MatchPolicy + Send> = if document == "fragile" {
            Box::new(Fragile(policy))
        } else {
            Box::new(policy)
        };
        Ok(Loaded {
            label: change.label,
            settings: change.settings,
            policy,
        })
    })
}

struct Fragile(Pairs);

impl MatchPolicy for Fragile {
    fn enter(&mut self, pool: &Pool, ticket: TicketId, now: Time) {
        let players = &pool.get(ticket).unwrap().ticket.players;
        assert!(players[0].id != PlayerId(666), "the beast");
        self.0.enter(pool, ticket, now);
    }
    fn leave(&mut self, pool: &Pool, ticket: TicketId, now: Time) {
        self.0.leave(pool, ticket, now);
    }
    fn propose(&mut self, pool: &Pool, now: Time, budget: &mut Budget) -> Proposed {
        self.0.propose(pool, now, budget)
    }
    fn next_time(&mut self, pool: &Pool, now: Time) -> Option<Time> {
        self.0.next_time(pool, now)
    }
    fn why(&self, pool: &Pool, ticket: TicketId, now: Time) -> Why {
        self.0.why(pool, ticket, now)
    }
    fn liveness(&self) -> Option<f64> {
        self.0.liveness()
    }
}

/// The names of tickets, as a service keeps them.
#[derive(Debug, Clone, Default, PartialEq)]
struct Names(BTreeMap<u64, String>);

impl Attached for Names {
    fn follow(&mut self, _: &StepRecord, attached: &[u8]) -> Result<(), String> {
        let text = std::str::from_utf8(attached).map_err(|error| error.to_string())?;
        for line in text.lines() {
            let (ticket, name) = line.split_once(' ').ok_or("no name")?;
            self.0
                .insert(ticket.parse().map_err(|_| "no ticket")?, name.to_owned());
        }
        Ok(())
    }
    fn save(&self, to: &mut dyn std::io::Write) -> Result<(), String> {
        let line = |(ticket, name): (&u64, &String)| format!("{ticket} {name}\n");
        let text: String = self.0.iter().map(line).collect();
        to.write_all(text.as_bytes()).map_err(|error| error.to_string())
    }
    fn restore(from: &mut dyn std::io::Read) -> Result<Self, String> {
        let (mut names, mut text) = (Self::default(), Vec::new());
        from.read_to_end(&mut text).map_err(|error| error.to_string())?;
        names.0.clear();
        let text = String::from_utf8(text).map_err(|error| error.to_string())?;
        for line in text.lines() {
            let (ticket, name) = line.split_once(' ').ok_or("no name")?;
            names
                .0
                .insert(ticket.parse().map_err(|_| "no ticket")?, name.to_owned());
        }
        Ok(names)
    }
}

fn options() -> Options {
    Options {
        budget: Budget::new(500),
        segment_bytes: 2 << 10,
        retain: None,
    }
}

fn start(device: &Memory, document: &str) -> Result<Queue<Names>, OpenError> {
    Queue::open(device.clone(), document, &loader(), options())
}

fn name(outcome: &matchwright_queue::Outcome, to: &mut Vec<u8>) {
    for decision in &outcome.decisions {
        if let matchwright_queue::Decision::Admitted { ticket, .. } = decision {
            to.extend(format!("{ticket} name-{ticket}\n").bytes());
        }
    }
}

/// Players who send each event until it is answered.
struct Players {
    draw: Draw,
    next: u64,
    now: Time,
    /// Without an answer.
    unanswered: Vec<Event>,
    /// States and names by the steps after which they were, from the last that was told on.
    after: BTreeMap<u64, (State, Names)>,
    told: u64,
    events: u64,
    crashes: u64,
    stops: u64,
}

impl Players {
    fn new(seed: u64) -> Self {
        Self {
            draw: Draw(seed),
            next: 0,
            now: Time::from_millis(0),
            unanswered: Vec::new(),
            after: BTreeMap::new(),
            told: 0,
            events: 0,
            crashes: 0,
            stops: 0,
        }
    }

    fn ticket(&mut self) -> Ticket {
        let draw = &mut self.draw;
        let player = draw.below(60);
        let mut ticket = Ticket::of_one(self.next, player).with("rating", draw.below(400) as f64);
        if draw.below(4) == 0 {
            ticket = ticket.with_text("mode", "ranked");
        }
        if draw.below(5) == 0 {
            ticket.expires = Some(self.now.plus(draw.below(15_000) as i64));
        }
        if draw.below(12) == 0 {
            ticket.backfill = Some(Box::new(Backfill {
                match_id: MatchId(draw.below(1000)),
                teams: vec![draw.below(2) as usize],
            }));
        }
        ticket
    }

    fn kind(&mut self, state: &State) -> EventKind {
        let tickets: Vec<TicketId> = state.pool().tickets().map(|one| one.ticket.id).collect();
        let open: Vec<_> = state
            .proposals()
            .map(|(open, left)| (open.id, left.clone()))
            .collect();
        let matches: Vec<MatchId> = state.recent_matches().map(|made| made.id).collect();
        let asked = self.draw.one_of(&open);
        match self.draw.below(100) {
            0..45 => EventKind::Create(Arc::new(self.ticket())),
            45..52 => EventKind::cancel(self.draw.one_of(&tickets).unwrap_or(TicketId(1)).0),
            52..90 => match asked {
                Some((proposal, players)) => {
                    let player = players.into_iter().next().unwrap();
                    match self.draw.below(12) {
                        0 => EventKind::Decline { proposal, player },
                        1 => EventKind::FailProposal(proposal),
                        _ => EventKind::Accept { proposal, player },
                    }
                }
                None => EventKind::Create(Arc::new(self.ticket())),
            },
            90..94 => EventKind::FailMatch(self.draw.one_of(&matches).unwrap_or(MatchId(1))),
            94..96 => EventKind::Confirm(self.draw.one_of(&matches).unwrap_or(MatchId(1))),
            96 => EventKind::Pause(String::new()),
            _ => EventKind::Resume(String::new()),
        }
    }

    /// One step: new events, and old ones again.
    fn decide(&mut self, queue: &mut Queue<Names>) -> Result<(), LiveError> {
        self.now = self.now.plus(self.draw.below(1500) as i64);
        if self.draw.below(3) == 0 {
            self.now = queue.wakeup().map_or(self.now, |at| at.max(self.now));
        }
        let mut events = Vec::new();
        for _ in 0..self.draw.below(4) {
            self.next += 1;
            let kind = self.kind(queue.state());
            events.push(Event::new(self.next, kind));
        }
        self.unanswered.extend(events.iter().cloned());
        if self.draw.below(10) == 0 {
            events.extend(self.draw.one_of(&self.unanswered));
        }
        self.events += events.len() as u64;
        let step = queue.decide(self.now, &events, name)?;
        self.after
            .insert(step, (queue.state().clone(), queue.attached().clone()));
        Ok(())
    }

    fn commit(&mut self, queue: &mut Queue<Names>) -> Result<(), LiveError> {
        for step in queue.commit()? {
            assert_eq!(step.step, self.told + 1, "each step is told once");
            self.told = step.step;
            let answered = &step.record.events;
            self.unanswered
                .retain(|event| !answered.iter().any(|answered| answered.id == event.id));
        }
        self.after.retain(|&step, _| step >= self.told);
        Ok(())
    }

    /// A queue that was opened again: all that was told is there, and nothing that was not decided.
    fn check(&mut self, queue: &Queue<Names>, latest: u64) {
        assert!(latest >= self.told, "step {} was told and is lost", self.told);
        if let Some((state, names)) = self.after.get(&latest) {
            // Steps in which nothing happened are not recorded, and neither is their time.
            assert_eq!(queue.state().pool(), state.pool());
            assert_eq!(queue.state().counters(), state.counters());
            assert_eq!(queue.attached(), names);
        }
        let is_known = |event: &Event| queue.answer(event.id).is_some();
        self.unanswered.retain(|event| !is_known(event));
        self.told = latest;
        self.after.clear();
    }

    /// What has no answer is sent again.
    fn send_again(&mut self, queue: &mut Queue<Names>) -> Result<(), LiveError> {
        let events = self.unanswered.clone();
        for some in events.chunks(3) {
            let step = queue.decide(self.now, some, name)?;
            self.after
                .insert(step, (queue.state().clone(), queue.attached().clone()));
            self.commit(queue)?;
        }
        Ok(())
    }

    fn round(&mut self, queue: &mut Queue<Names>) -> Result<(), LiveError> {
        self.send_again(queue)?;
        for _ in 0..self.draw.below(40) {
            self.decide(queue)?;
            if self.draw.below(3) == 0 {
                self.commit(queue)?;
            }
            if self.draw.below(40) == 0 {
                queue.snapshot()?;
                self.commit(queue)?;
            }
        }
        Ok(())
    }
}

/// Steps on a device of these faults, which ends again and again in a power cut.
fn play(seed: u64, events: u64) -> Players {
    let mut players = Players::new(seed);
    let mut device = Memory::default();
    while players.events < events {
        let faults = Faults {
            fails_at: (players.draw.below(3) == 0).then(|| 1 + players.draw.below(60)),
            capacity: (players.draw.below(4) == 0).then(|| 1 + players.draw.below(400_000)),
            reads_are_short: players.draw.below(8) == 0,
        };
        let mut queue = start(&device, "windows").unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let latest = queue.step();
        players.check(&queue, latest);
        players
            .after
            .insert(latest, (queue.state().clone(), queue.attached().clone()));
        device.set_faults(faults);
        match players.round(&mut queue) {
            Ok(()) | Err(LiveError::NotSaved(_)) => {}
            Err(LiveError::Full) => players.stops += 1,
            Err(LiveError::Stopped(_)) => {
                players.stops += 1;
                assert!(
                    queue.decide(players.now, &[], |_, _| {}).is_err(),
                    "stopped is stopped"
                );
            }
            Err(error) => panic!("seed {seed}: {error}"),
        }
        players.crashes += 1;
        device = device.cut_off(players.draw.below(u64::MAX));
    }
    players
}

#[test]
fn nothing_that_was_told_is_lost_over_power_cuts_and_faults() {
    let (mut crashes, mut stops, mut told) = (0, 0, 0);
    for seed in 0..40 {
        let players = play(seed, 500);
        (crashes, stops, told) = (
            crashes + players.crashes,
            stops + players.stops,
            told + players.told,
        );
    }
    assert!(
        crashes > 300 && stops > 50 && told > 5000,
        "{crashes} {stops} {told}"
    );
}

#[test]
#[ignore = "a million events; `cargo xtask test --deep`"]
fn nothing_that_was_told_is_lost_over_a_million_events() {
    for seed in 1000..1500 {
        play(seed, 2000);
    }
}

fn create(id: u64, player: u64) -> Event {
    Event::create(id, Ticket::of_one(id, player).with("rating", 1500.0))
}

fn at(millis: i64) -> Time {
    Time::from_millis(millis)
}

/// A device with 40 steps in several segments, the last group of three not synced, and where the last segment's steps end.
fn forty(document: &str) -> (Memory, Queue<Names>) {
    let device = Memory::default();
    let mut queue = start(&device, document).unwrap();
    for id in 1..=37 {
        queue.advance(at(id as i64), &[create(id, id)], name).unwrap();
    }
    for id in 38..=40 {
        queue.decide(at(id as i64), &[create(id, id)], name).unwrap();
    }
    (device, queue)
}

#[test]
fn steps_are_told_after_their_sync_alone() {
    let (device, mut queue) = forty("windows");
    assert_eq!(
        (queue.answer(EventId(37)).is_some(), queue.answer(EventId(38))),
        (true, None)
    );
    assert_eq!(start(&device.crashed(), "windows").unwrap().step(), 37);
    assert_eq!(queue.commit().unwrap().len(), 3);
    assert!(queue.answer(EventId(38)).is_some());
    let recovered = start(&device.crashed(), "windows").unwrap();
    assert_eq!((recovered.step(), recovered.wakeup()), (40, queue.wakeup()));
    assert_eq!(recovered.state(), queue.state());
    assert_eq!(recovered.attached().0[&40], "name-40");
}

#[test]
fn matches_that_were_not_synced_are_not_told() {
    let device = Memory::default();
    let mut queue = start(&device, "anyone").unwrap();
    queue.advance(at(1), &[create(1, 1)], name).unwrap();
    queue.decide(at(2), &[create(2, 2)], name).unwrap();
    assert_eq!(queue.recent_matches().count(), 0);
    queue.commit().unwrap();
    assert_eq!(queue.recent_matches().count(), 1);
    assert_eq!(
        start(&device.crashed(), "anyone")
            .unwrap()
            .recent_matches()
            .count(),
        1
    );
}

/// The last segment of a device, and how far its bytes go.
fn last_segment(device: &Memory) -> (FileName, usize) {
    let mut device = device.clone();
    let mut found = (FileName::Segment(0), 0);
    for (name, len) in device.list().unwrap() {
        let mut bytes = vec![0; len as usize];
        device.read(name, 0, &mut bytes).unwrap();
        let end = bytes
            .iter()
            .rposition(|&byte| byte != 0)
            .map_or(0, |last| last + 1);
        if matches!(name, FileName::Segment(_)) && end > 0 {
            found = found.max((name, end));
        }
    }
    found
}

#[test]
fn a_changed_bit_is_damage_and_is_never_cut_off() {
    let (device, mut queue) = forty("windows");
    queue.commit().unwrap();
    drop(queue);
    for (name, end) in [(FileName::Segment(0), 2000), last_segment(&device)] {
        for place in (0..end).step_by(7) {
            let changed = device.crashed();
            changed.change(name, |bytes| bytes[place] ^= 1 << (place % 8));
            match start(&changed, "windows") {
                Err(OpenError::Damaged { file, offset, .. }) => {
                    assert_eq!(file, name.to_string());
                    assert!(offset <= place as u64, "{name} {place}");
                }
                Err(OpenError::Version { .. }) => assert!((8..12).contains(&place)),
                other => panic!("{name}, byte {place}: {:?}", other.map(|queue| queue.step())),
            }
        }
    }
}

#[test]
fn a_lost_sector_is_a_cut_in_the_last_group_and_damage_before_it() {
    let (device, mut queue) = forty("windows");
    device.set_faults(Faults {
        fails_at: Some(2),
        ..Faults::default()
    });
    queue.commit().unwrap_err();
    let mut cuts = 0;
    for seed in 0..200 {
        let after = device.cut_off(seed);
        let mut opened = start(&after, "windows").unwrap();
        assert!((37..=40).contains(&opened.step()), "{}", opened.step());
        cuts += u64::from(opened.step() < 40);
        // A state that is saved at once is one from which the files can be read.
        let saved = after.crashed();
        start(&saved, "windows").unwrap().snapshot().unwrap();
        assert_eq!(start(&saved.crashed(), "windows").unwrap().step(), opened.step());
        // What the cut left is not behind what is written next.
        opened.advance(at(90), &[create(90, 90)], name).unwrap();
        assert_eq!(start(&after.crashed(), "windows").unwrap().step(), opened.step());
    }
    assert!((1..200).contains(&cuts));
    drop(queue);
    // A sector that was synced and whose group was followed by another.
    let (device, mut queue) = forty("windows");
    queue.commit().unwrap();
    let (name, end) = last_segment(&device);
    for sector in 0..(end / 512).saturating_sub(4) {
        let changed = device.crashed();
        changed.change(name, |bytes| bytes[512 * sector..512 * (sector + 1)].fill(0));
        let opened = start(&changed, "windows");
        assert!(
            matches!(opened, Err(OpenError::Damaged { .. })),
            "sector {sector} of {}: {:?}",
            end / 512,
            opened.map(|queue| queue.step())
        );
    }
}

#[test]
fn a_group_that_was_written_up_to_any_byte_is_cut_off() {
    let (device, mut queue) = forty("windows");
    let before = device.crashed();
    queue.commit().unwrap();
    let (name, end) = last_segment(&before);
    let mut written = Vec::new();
    device.change(name, |bytes| written.clone_from(bytes));
    let (last, more) = last_segment(&device);
    assert_eq!(last, name, "the group is in the same segment");
    for part in end..more {
        let cut = before.crashed();
        cut.change(name, |bytes| {
            bytes[end..part].copy_from_slice(&written[end..part]);
        });
        let opened = start(&cut, "windows").unwrap_or_else(|error| panic!("{part} of {more}: {error}"));
        assert!((37..40).contains(&opened.step()), "{}", opened.step());
    }
}

#[test]
fn room_is_asked_for_before_a_ticket_is_refused_for_want_of_it() {
    let device = Memory::default();
    let mut queue = start(&device, "anyone").unwrap();
    for id in 1..200 {
        // A segment may begin with each of them.
        queue.decide(at(id as i64), &[create(id, id)], name).unwrap();
        queue
            .decide(at(id as i64), &[create(1000 + id, 1000 + id)], name)
            .unwrap();
        queue.commit().unwrap();
    }
}

#[test]
fn a_missing_segment_or_state_is_named() {
    let (device, mut queue) = forty("windows");
    queue.commit().unwrap();
    let mut without = device.crashed();
    without.remove(FileName::Segment(1)).unwrap();
    assert!(
        matches!(start(&without, "windows"), Err(OpenError::Damaged { file, .. }) if file.contains("segment"))
    );
    let mut without = device.crashed();
    without.remove(FileName::State(0)).unwrap();
    assert!(matches!(start(&without, "windows"), Err(OpenError::Missing(_))));
}

#[test]
fn a_damaged_state_is_passed_over_for_the_older_one() {
    let (device, mut queue) = forty("windows");
    let saved = queue.snapshot().unwrap();
    queue.advance(at(50), &[create(50, 50)], name).unwrap();
    let check = |change: &dyn Fn(&mut Vec<u8>)| {
        let changed = device.crashed();
        changed.change(FileName::State(saved), |bytes| change(bytes));
        let opened = start(&changed, "windows").unwrap();
        assert_eq!(
            (opened.state(), opened.attached()),
            (queue.state(), queue.attached())
        );
        // Not this one.
        let mut changed = changed.crashed();
        changed.remove(FileName::State(0)).unwrap();
        let opened = start(&changed, "windows");
        assert!(
            matches!(opened, Err(OpenError::Damaged { file, .. }) if file == FileName::State(saved).to_string())
        );
    };
    // The beginning, the state, the matches, the end.
    for part in 0..20 {
        check(&|bytes| {
            let place = (bytes.len() - 1) * part / 19;
            bytes[place] ^= 1;
        });
    }
    for kept in [0, 11, 12, 30] {
        check(&|bytes| bytes.truncate(kept));
    }
    check(&|bytes| bytes.truncate(bytes.len() - 1));
    // Right checksums, and no state: a map of 2^62, a text of 2^63 bytes, arrays in arrays, nothing, one byte too many.
    let huge_map = [0x83, 0xbb, 0x40, 0, 0, 0, 0, 0, 0, 0];
    let huge_text = [0x83, 0x7b, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
    let deep = vec![0x81; 100_000];
    for place in 0..3 {
        for forged in [&huge_map[..], &huge_text, &deep, b""] {
            check(&|bytes| change_record(bytes, place, |payload| *payload = forged.to_vec()));
        }
        check(&|bytes| change_record(bytes, place, |payload| payload.push(0)));
    }
}

/// Changes what a record has, and all checksums from it on.
fn change_record(bytes: &mut Vec<u8>, place: usize, change: impl FnOnce(&mut Vec<u8>)) {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let (mut records, mut at) = (Vec::new(), 12);
    while at < bytes.len() {
        let end = at + 9 + word(at) as usize;
        records.push((bytes[at + 4], bytes[at + 9..end].to_vec()));
        at = end + 4;
    }
    change(&mut records[place].1);
    bytes.truncate(12);
    let mut checksum = crc32fast::hash(bytes);
    for (kind, payload) in records {
        checksum = forge(bytes, kind, &payload, checksum);
    }
}

#[test]
fn a_failed_sync_stops_the_queue_for_good() {
    let (device, mut queue) = forty("windows");
    device.set_faults(Faults {
        fails_at: Some(2),
        ..Faults::default()
    });
    assert!(matches!(queue.commit(), Err(LiveError::Stopped(_))));
    device.set_faults(Faults::default());
    assert!(matches!(queue.commit(), Err(LiveError::Stopped(_))));
    assert!(matches!(
        queue.decide(at(90), &[], name),
        Err(LiveError::Stopped(_))
    ));
    assert!(matches!(queue.stopped(), Some(StopReason::Storage(_))));
    assert_eq!(
        (queue.answer(EventId(1)), queue.recent_matches().count()),
        (None, 0)
    );
}

#[test]
fn without_room_new_tickets_are_refused_and_all_else_goes_on() {
    let device = Memory::default();
    let mut queue = start(&device, "windows").unwrap();
    device.set_faults(Faults {
        capacity: Some(8000),
        ..Faults::default()
    });
    let mut id = 1;
    let full = loop {
        match queue.advance(at(id as i64), &[create(id, id)], name) {
            Ok(_) => id += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(full, LiveError::Full) && queue.is_full(), "{full}");
    for ticket in 1..8 {
        let cancel = Event::new(1000 + ticket, EventKind::cancel(ticket));
        queue.advance(at(id as i64), &[cancel], name).unwrap();
    }
    assert_eq!((queue.state().pool().len() as u64, id > 10), (id - 8, true));
    // With room again it is asked for a second later.
    device.set_faults(Faults::default());
    queue
        .advance(at(10_000), &[Event::new(5000, EventKind::cancel(1))], name)
        .unwrap();
    queue.advance(at(10_001), &[create(6000, 1)], name).unwrap();
}

#[test]
fn a_policy_that_panics_refuses_its_event_for_ever_and_stops() {
    let device = Memory::default();
    let mut queue = start(&device, "fragile").unwrap();
    queue.advance(at(1), &[create(1, 1)], name).unwrap();
    queue.decide(at(2), &[create(2, 2)], name).unwrap();
    let bad = [create(1, 1), create(3, 666), create(3, 666)];
    let stopped = queue.decide(at(3), &bad, name).unwrap_err();
    assert!(stopped.to_string().contains("the beast"), "{stopped}");
    let mut queue = start(&device.crashed(), "fragile").unwrap();
    let told = queue.answer(EventId(3)).unwrap();
    assert!(format!("{told:?}").contains("the beast"), "{told:?}");
    assert!(matches!(
        queue.answer(EventId(1)),
        Some(matchwright_queue::Answer::Followed)
    ));
    assert_eq!(queue.state().counters().matches, 1);
    // The same again changes nothing, and the queue goes on.
    queue
        .advance(at(4), &[create(3, 666), create(4, 4)], name)
        .unwrap();
    assert_eq!(queue.state().pool().len(), 1);
}

#[test]
fn a_policy_changes_while_the_queue_runs_and_after_a_crash() {
    let (device, mut queue) = forty("prices");
    queue.set_policy(at(60), EventId(900), "windows").unwrap();
    assert_eq!(queue.document(), "windows");
    assert!(matches!(
        queue.set_policy(at(61), EventId(901), "none"),
        Err(LiveError::Policy(_))
    ));
    let recovered = start(&device.crashed(), "prices").unwrap();
    assert_eq!(
        (recovered.document(), recovered.state()),
        ("windows", queue.state())
    );
    // The same event again is no change, and one beside others is none.
    queue.set_policy(at(62), EventId(900), "prices").unwrap();
    assert_eq!(queue.document(), "windows");
    let set = Event::new(902, EventKind::SetPolicy(Arc::new(change("anyone"))));
    let both = queue.decide(at(63), &[create(99, 99), set], name);
    assert!(matches!(
        both,
        Err(LiveError::Step(StepError::PolicyNotAlone { .. }))
    ));
}

#[test]
fn only_one_process_has_the_files() {
    let device = Memory::default();
    let _queue = start(&device, "windows").unwrap();
    assert!(matches!(start(&device, "windows"), Err(OpenError::Owned)));
}

#[test]
fn a_clock_that_goes_back_stands_still() {
    let mut queue = start(&Memory::default(), "windows").unwrap();
    queue.advance(at(1000), &[create(1, 1)], name).unwrap();
    let told = queue.advance(at(10), &[create(2, 2)], name).unwrap();
    assert_eq!(told[0].record.now, at(1000));
}

#[test]
fn a_follower_is_where_the_queue_is_whatever_its_feed_had_no_place_for() {
    let (device, mut queue) = forty("windows");
    for most in [1, 7, 1000] {
        let feed = queue.feed(most);
        let mut follower: Follower<Names> = Follower::new(feed, device.clone(), &loader(), None).unwrap();
        for round in 0..20_u64 {
            for id in 0..5 {
                let id = 1000 * most as u64 + 100 + 10 * round + id;
                queue.advance(at(id as i64), &[create(id, id)], name).unwrap();
            }
            if round % 3 == 0 {
                assert_eq!(follower.catch_up().unwrap(), queue.step());
                assert_eq!(
                    (follower.state(), follower.attached()),
                    (queue.state(), queue.attached())
                );
                let now = follower.state().now();
                for waiting in queue.state().pool().tickets().take(3) {
                    let ticket = waiting.ticket.id;
                    let of_queue = queue.policy().why(queue.state().pool(), ticket, now);
                    assert_eq!(follower.why(ticket, now), of_queue);
                }
            }
            if round == 10 {
                follower.catch_up().unwrap();
                let saved = follower.snapshot().unwrap();
                let opened = start(&device.crashed(), "windows").unwrap();
                assert!(opened.step() == queue.step() && saved <= opened.step());
                assert_eq!(opened.state(), queue.state());
            }
        }
    }
}

#[test]
fn a_follower_on_another_thread_ends_with_its_queue() {
    let (device, mut queue) = forty("windows");
    let feed = queue.feed(16);
    let is_done = Arc::new(AtomicBool::new(false));
    let (ends, files) = (Arc::clone(&is_done), device.clone());
    let thread = std::thread::spawn(move || {
        let mut follower: Follower<Names> = Follower::new(feed, files, &loader(), None).unwrap();
        while let Some(step) = follower.wait(Duration::from_millis(5)).unwrap() {
            if step % 64 == 0 {
                follower.snapshot().unwrap();
            }
        }
        assert!(ends.load(Ordering::SeqCst));
        follower.state().clone()
    });
    for id in 100..600 {
        queue.advance(at(id as i64), &[create(id, id)], name).unwrap();
    }
    let state = queue.state().clone();
    is_done.store(true, Ordering::SeqCst);
    drop(queue);
    assert_eq!(thread.join().unwrap(), state);
}

#[test]
fn old_segments_and_states_are_removed_and_the_rest_is_one_journal() {
    let device = Memory::default();
    let options = Options {
        retain: Some(200),
        ..options()
    };
    let mut queue: Queue<Names> = Queue::open(device.clone(), "windows", &loader(), options).unwrap();
    for id in 1..=800 {
        queue
            .advance(at(id as i64), &[create(id, id % 50)], name)
            .unwrap();
        if id % 20 == 0 {
            queue.snapshot().unwrap();
        }
    }
    let files = device.clone().list().unwrap();
    let count = |is: fn(&FileName) -> bool| files.iter().filter(|file| is(&file.0)).count();
    let states = count(|name| matches!(name, FileName::State(_)));
    let segments = count(|name| matches!(name, FileName::Segment(_)));
    assert!(
        (2..=8).contains(&states) && (3..60).contains(&segments),
        "{states} {segments}"
    );
    let Exported {
        journal,
        steps,
        fault,
    } = to_journal(&mut device.clone()).unwrap();
    assert!(fault.is_none() && steps > 150 && steps < 700, "{steps}");
    let recovered = recover(&journal, open).unwrap();
    assert_eq!((recovered.fault, &recovered.state), (None, queue.state()));
    let again = replay(&journal, open).unwrap();
    assert_eq!((again.difference, again.same as u64), (None, steps + 1));
}

/// A policy of this crate may be sent to the thread of a queue.
const _: fn() = || {
    fn is_send<T: Send>() {}
    is_send::<Queue<Names>>();
    is_send::<Follower<Names>>();
};
