//! What a journal rebuilds, and how it goes on.
#![allow(clippy::unwrap_used, reason = "a failure in a helper fails the test")]

use matchwright_queue::journal::{DifferenceKind, recover, replay};
use matchwright_queue::{Decision, Event, EventKind, MatchPolicy, PolicyChange, Ticket, Time, step};
use proptest::prelude::*;

use crate::journal_world::{Act, DOCUMENTS, World, acts, open};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_prefix_rebuilds_the_state_after_its_last_whole_record(
        acts in acts(120), document in 0..3_usize, cuts in prop::collection::vec(any::<prop::sample::Index>(), 12)
    ) {
        let world = World::run(DOCUMENTS[document], &acts);
        let cuts = cuts.iter().map(|cut| cut.index(world.bytes.len() + 1));
        for cut in cuts.chain([world.bytes.len()]) {
            let Some(record) = world.record_before(cut) else {
                let error = recover(&world.bytes[..cut], open).unwrap_err();
                prop_assert!(error.is_torn());
                continue;
            };
            let (end, state, wakeup) = &world.ends[record];
            let recovered = recover(&world.bytes[..cut], open).unwrap();
            prop_assert!(&recovered.state == state);
            prop_assert_eq!((recovered.valid_bytes, recovered.records), (*end as u64, record + 1));
            prop_assert_eq!(recovered.writer.offset(), *end as u64);
            let is_torn = recovered.fault.as_ref().map(|fault| fault.is_torn() && fault.offset == *end as u64);
            prop_assert_eq!(is_torn, (cut > *end).then_some(true));
            if record > 0 {
                prop_assert_eq!(recovered.wakeup, *wakeup);
            }
        }
    }

    #[test]
    fn a_recovered_queue_goes_on_as_if_it_had_never_stopped(
        acts in acts(120), document in 0..3_usize, stops in prop::collection::vec(any::<prop::sample::Index>(), 3)
    ) {
        let world = World::run(DOCUMENTS[document], &acts);
        for stop in stops {
            let record = stop.index(world.ends.len());
            let recovered = recover(&world.bytes[..world.ends[record].0], open).unwrap();
            let (mut state, mut policy) = (recovered.state, recovered.policy);
            for (at, now, events, outcome) in world.steps.iter().filter(|entry| entry.0 > record) {
                if let [Event { kind: EventKind::SetPolicy(change), .. }] = &events[..] {
                    let before = policy.learned();
                    policy = open(change).unwrap();
                    policy.adopt(&before);
                }
                let again = step(&mut state, &mut policy, *now, events).unwrap();
                prop_assert_eq!(&again, outcome);
                prop_assert_eq!(&state, &world.ends[*at].1);
            }
        }
    }

    #[test]
    fn a_recovered_journal_goes_on_with_the_very_same_bytes(acts in acts(60)) {
        let mut world = World::run("prices", &acts);
        world.act(0, &Act::Pause);
        let end = world.bytes.len();
        let mut recovered = recover(&world.bytes, open).unwrap();
        prop_assert_eq!(&recovered.writer, &world.writer);
        world.snapshot();
        let snapshot = recovered.writer.snapshot(&recovered.state, &recovered.policy).unwrap();
        prop_assert!(snapshot == world.bytes[end..]);
    }

    #[test]
    fn replay_computes_the_very_same(acts in acts(120), document in 0..3_usize) {
        let world = World::run(DOCUMENTS[document], &acts);
        let replay = replay(&world.bytes, open).unwrap();
        prop_assert_eq!(replay.difference, None);
        prop_assert_eq!((replay.same, replay.fault), (world.ends.len(), None));
    }
}

#[test]
fn the_random_streams_hold_decisions_of_every_kind() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut kinds = std::collections::BTreeSet::new();
    for case in 0..60 {
        let acts = acts(120).new_tree(&mut runner).unwrap().current();
        kinds.extend(World::run(DOCUMENTS[case % 3], &acts).kinds().into_keys());
    }
    let wanted = [
        "Accepted",
        "Admitted",
        "Cooldown",
        "Duplicate",
        "Edited",
        "Ended",
        "Failed",
        "Left",
        "Matched",
        "PolicySet",
        "Proposed",
        "QueueIs",
        "Refused",
    ];
    for kind in wanted {
        assert!(kinds.contains(kind), "no {kind} among {kinds:?}");
    }
}

/// A ticket of one player with this rating.
fn create(id: u64, rating: f64) -> Event {
    Event::create(id, Ticket::of_one(id, id).with("rating", rating))
}

#[test]
fn another_policy_is_found_at_the_first_record_that_it_would_decide_otherwise() {
    let mut world = World::new("windows");
    world.step(Time::from_millis(0), vec![create(1, 1000.0)]);
    world.step(Time::from_millis(1000), vec![create(2, 1500.0)]);
    world.snapshot();
    world.step(Time::from_millis(2000), vec![create(3, 1990.0)]);
    let anyone = |given: &PolicyChange| {
        let document = "anyone".to_owned();
        open(&PolicyChange {
            document,
            ..given.clone()
        })
    };
    let found = replay(&world.bytes, anyone).unwrap();
    assert_eq!((found.same, &found.fault), (2, &None));
    let difference = found.difference.unwrap();
    assert_eq!(difference.offset, world.ends[1].0 as u64);
    assert_eq!(difference.now, Time::from_millis(1000));
    let DifferenceKind::Decision {
        place: 1,
        recorded: None,
        computed: Some(computed),
    } = &difference.kind
    else {
        panic!("{difference}")
    };
    assert!(matches!(**computed, Decision::Proposed(_)));
    assert!(
        difference
            .to_string()
            .contains("decision 1 was nothing and is now Proposed")
    );
    // Recovery does what was decided, whatever the policy would.
    assert_eq!(recover(&world.bytes, anyone).unwrap().state, world.state);
}

#[test]
fn a_policy_that_only_wakes_at_another_time_is_found_too() {
    let mut world = World::new("windows");
    world.step(Time::from_millis(0), vec![create(1, 1000.0)]);
    world.step(Time::from_millis(0), vec![create(2, 1020.0 + 60.0)]);
    let slower = |_: &PolicyChange| {
        let window = matchwright_queue::WindowParams {
            start: 20.0,
            per_second: 10.0,
            ..matchwright_queue::WindowParams::of("rating")
        };
        let params = matchwright_queue::PairsParams {
            windows: vec![window],
            longest_wait: Some(40.0),
            ..matchwright_queue::PairsParams::default()
        };
        Ok(matchwright_queue::Pairs::new("", params.build().unwrap()))
    };
    let found = replay(&world.bytes, slower).unwrap();
    let kind = found.difference.map(|difference| difference.kind);
    let (recorded, computed) = (Some(Time::from_millis(4000)), Some(Time::from_millis(6000)));
    assert_eq!(kind, Some(DifferenceKind::Wakeup { recorded, computed }));
}

#[test]
fn a_ticket_that_expires_while_its_players_are_asked_is_followed_alike() {
    let mut world = World::new("windows");
    let mut ticket = Ticket::of_one(1, 1).with("rating", 1500.0);
    ticket.expires = Some(Time::from_millis(3000));
    world.step(Time::from_millis(0), vec![Event::create(1, ticket)]);
    world.step(Time::from_millis(1000), vec![create(2, 1500.0)]);
    world.step(Time::from_millis(5000), vec![]);
    assert_eq!(world.state.proposals().count(), 1);
    let recovered = recover(&world.bytes, open).unwrap();
    assert_eq!(recovered.state, world.ends.last().unwrap().1);
    assert_eq!(recovered.wakeup, Some(Time::from_millis(11_000)));
}

#[test]
fn a_ticket_keeps_the_price_of_the_moment_when_it_came_across_a_snapshot() {
    let mut world = World::new("prices");
    // Matches near 1450 are dear, and those who come then have the price of that.
    for id in 2..40 {
        world.act(
            500,
            &Act::Create {
                rating: 1400.0 + 10.0 * f64::from(id % 7),
                mode: false,
                regions: 0,
                patience: None,
            },
        );
        for place in 0..4 {
            world.act(200, &Act::Accept(place));
        }
    }
    let now = world.state.now();
    world.step(now, vec![create(999, 1590.0)]);
    world.snapshot();
    let recovered = recover(&world.bytes, open).unwrap();
    assert!(world.state.counters().matches > 5);
    let price = recovered.policy.prices().map(|prices| prices.price(1590.0));
    assert!(price > Some(1.0), "{price:?}");
    assert_eq!(recovered.policy.save(), world.policy.save());
    assert_eq!(recovered.wakeup, world.ends.last().unwrap().2);
}

#[test]
fn between_regions_alike_the_name_decides_and_not_who_came_first() {
    let mut world = World::new("anyone");
    // Those who leave again must not matter, nor that a snapshot forgets them.
    let passer = Ticket::of_one(1, 1).with("rating", 1.0).with_region("us", 30.0);
    world.step(Time::from_millis(0), vec![Event::create(1, passer)]);
    world.step(Time::from_millis(1), vec![Event::new(2, EventKind::cancel(1))]);
    for id in [3, 4] {
        let both = Ticket::of_one(id, id).with("rating", 1.0);
        let both = both.with_region("us", 30.0).with_region("eu", 30.0);
        world.step(Time::from_millis(2), vec![Event::create(id, both)]);
    }
    let made = world.steps.last().unwrap().3.matches().next().unwrap().clone();
    assert_eq!(made.lobby.region.as_deref(), Some("eu"));
}

#[test]
fn snapshots_are_due_seldom_enough_and_often_enough() {
    let mut world = World::new("windows");
    let (mut snapshots, mut steps, mut longest) = (0, 0, 0);
    for place in 0..4000 {
        let before = world.bytes.len();
        world.act(
            100,
            &Act::Create {
                rating: 1000.0 + f64::from(place * 37 % 1000),
                mode: false,
                regions: 0,
                patience: None,
            },
        );
        for answer in 0..4 {
            world.act(10, &Act::Accept(answer));
        }
        steps += world.bytes.len() - before;
        if world.writer.is_snapshot_due() {
            let before = world.bytes.len();
            world.snapshot();
            longest = longest.max(world.bytes.len() - before);
            snapshots += world.bytes.len() - before;
        }
    }
    assert!(longest > 0);
    assert!(
        2 * snapshots <= steps + 2 * longest,
        "{snapshots} bytes of snapshots, {steps} of steps"
    );
    assert_eq!(recover(&world.bytes, open).unwrap().state, world.state);
}
