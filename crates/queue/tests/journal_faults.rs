//! Journals that are cut, changed, forged or of another kind: errors with offsets, and never a panic.
#![allow(clippy::unwrap_used, reason = "a failure in a helper fails the test")]

use matchwright_queue::journal::{JournalFault, JournalReader, recover, replay};
use matchwright_queue::{Event, EventKind, PolicyChange, Ticket, Time};
use proptest::prelude::*;

use crate::journal_world::{Act, World, acts, change, open};

/// A short journal of all kinds of records.
fn short() -> World {
    let mut world = World::new("anyone");
    let create = |id: u64| Event::create(id, Ticket::of_one(id, id).with("rating", 1500.0));
    world.step(Time::from_millis(0), vec![create(1)]);
    world.snapshot();
    world.step(Time::from_millis(10), vec![create(2)]);
    let set = EventKind::SetPolicy(change("windows").into());
    world.step(Time::from_millis(20), vec![Event::new(3, set)]);
    world.step(Time::from_millis(30), vec![create(4)]);
    world
}

/// What recovery must say of a journal that is whole up to the end of a record.
fn expect_up_to(world: &World, bytes: &[u8], record: usize, fault: &JournalFault) {
    let (end, state, _) = &world.ends[record];
    let recovered = recover(bytes, open).unwrap();
    assert_eq!(recovered.state, *state);
    assert_eq!(recovered.valid_bytes, *end as u64);
    let found = recovered.fault.unwrap();
    assert_eq!((found.offset, &found.fault), (*end as u64, fault));
    let replayed = replay(bytes, open).unwrap();
    assert_eq!((replayed.same, replayed.difference), (record + 1, None));
    assert_eq!(replayed.fault, Some(found));
}

#[test]
fn every_changed_bit_is_found_where_it_is() {
    let world = short();
    for at in 0..world.bytes.len() {
        for bit in 0..8 {
            let mut bytes = world.bytes.clone();
            bytes[at] ^= 1 << bit;
            let error = match JournalReader::new(&bytes) {
                Err(error) => error,
                Ok(records) => records.last().unwrap().unwrap_err(),
            };
            let before = world.record_before(at);
            // The header is 12 bytes; the first record follows.
            let start = before.map_or(if at < 12 { 0 } else { 12 }, |record| world.ends[record].0);
            assert_eq!(error.offset, start as u64, "byte {at}");
            assert!(!error.is_torn(), "byte {at}: {error}");
            if bit == at % 8 {
                match before {
                    None => assert_eq!(recover(&bytes, open).unwrap_err(), error),
                    Some(record) => expect_up_to(&world, &bytes, record, &error.fault),
                }
            }
        }
    }
}

#[test]
fn every_cut_is_found_where_it_is() {
    let world = short();
    for cut in 0..world.bytes.len() {
        let bytes = &world.bytes[..cut];
        match world.record_before(cut) {
            None => {
                let error = recover(bytes, open).unwrap_err();
                assert_eq!(error.fault, JournalFault::Cut);
                assert_eq!(replay(bytes, open).unwrap_err(), error);
            }
            Some(record) if world.ends[record].0 == cut => {
                assert_eq!(recover(bytes, open).unwrap().fault, None);
            }
            Some(record) => expect_up_to(&world, bytes, record, &JournalFault::Cut),
        }
    }
}

#[test]
fn zeros_that_a_file_system_left_are_a_cut() {
    let world = short();
    let mut bytes = world.bytes.clone();
    bytes.extend([0; 4096]);
    expect_up_to(&world, &bytes, world.ends.len() - 1, &JournalFault::Cut);
}

#[test]
fn records_lost_doubled_or_in_another_order_are_found() {
    let world = short();
    let ends: Vec<usize> = world.ends.iter().map(|end| end.0).collect();
    let record = |place: usize| &world.bytes[ends[place - 1]..ends[place]];
    let first = &world.bytes[..ends[0]];
    for order in [vec![2, 3, 4], vec![1, 1, 2], vec![2, 1, 3, 4], vec![3, 4]] {
        let parts = order.iter().map(|&place| record(place));
        let bytes = [first].into_iter().chain(parts).collect::<Vec<_>>().concat();
        let whole = usize::from(order[0] == 1);
        expect_up_to(&world, &bytes, whole, &JournalFault::Checksum);
    }
}

#[test]
fn other_files_and_newer_formats_are_refused() {
    let world = short();
    let fault = |bytes: &[u8]| recover(bytes, open).unwrap_err().fault;
    for other in ["time,player\n1,2\n", "{", "\u{89}MWQ\n\n"] {
        assert_eq!(fault(other.as_bytes()), JournalFault::NotAJournal);
    }
    for (found, wanted) in [(1, "an earlier one, or begin a new journal"), (3, "a newer one")] {
        let mut other = world.bytes.clone();
        other[8] = found;
        let found = u32::from(found);
        assert_eq!(fault(&other), JournalFault::Version { found, known: 2 });
        let error = recover(&other, open).unwrap_err().to_string();
        let known = "and this program knows version 2: read it with";
        assert_eq!(
            error,
            format!("byte 0: the format has version {found}, {known} {wanted}")
        );
    }
}

/// What the first program wrote that knew format 2: later ones read it.
#[test]
fn a_journal_of_format_2_is_read_and_computed_again() {
    let bytes = include_bytes!("fixtures/format-2.journal");
    let recovered = recover(bytes, open).unwrap();
    assert_eq!((recovered.fault, recovered.records), (None, 39));
    assert_eq!(recovered.wakeup, recovered.state.wakeup());
    let counters = recovered.state.counters();
    assert_eq!((counters.admitted, counters.matches), (12, 3));
    let replayed = replay(bytes, open).unwrap();
    assert_eq!((replayed.difference, replayed.same), (None, 39));
}

/// A record with right checksums after these bytes, whatever it holds.
pub(crate) fn forge(bytes: &mut Vec<u8>, kind: u8, payload: &[u8], before: u32) -> u32 {
    let length = u32::try_from(payload.len()).unwrap();
    forge_length(bytes, length, kind, payload, before)
}

/// The same with another length than it has.
fn forge_length(bytes: &mut Vec<u8>, length: u32, kind: u8, payload: &[u8], before: u32) -> u32 {
    let mut checksum = crc32fast::Hasher::new_with_initial(before);
    let mut head = length.to_le_bytes().to_vec();
    head.push(kind);
    checksum.update(&head);
    head.extend(checksum.clone().finalize().to_le_bytes());
    checksum.update(payload);
    bytes.extend(head);
    bytes.extend(payload);
    let after = checksum.finalize();
    bytes.extend(after.to_le_bytes());
    after
}

/// CRC-32 of a journal without its checksums.
fn checksum(world: &World) -> u32 {
    let mut checksum = crc32fast::Hasher::new();
    checksum.update(&world.bytes[..12]);
    let mut start = 12;
    for &(end, ..) in &world.ends {
        checksum.update(&world.bytes[start..start + 5]);
        checksum.update(&world.bytes[start + 9..end - 4]);
        start = end;
    }
    checksum.finalize()
}

#[test]
fn forged_records_are_errors_and_huge_lengths_allocate_nothing() {
    let world = short();
    let last = world.ends.len() - 1;
    let before = checksum(&world);
    // An array of 2^62 events, and a text of 2^63 bytes.
    let huge_array = [0x83, 0, 0x9b, 0x40, 0, 0, 0, 0, 0, 0, 0];
    let huge_text = [0x83, 0x7b, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
    let deep = vec![0x81; 100_000];
    // A step and one byte more.
    let (start, end) = (world.ends[last - 1].0, world.ends[last].0);
    let longer = [&world.bytes[start + 9..end - 4], &[0]].concat();
    for payload in [&huge_array[..], &huge_text, &deep, b"", b"abc", &longer] {
        for kind in *b"ST" {
            let mut bytes = world.bytes.clone();
            forge(&mut bytes, kind, payload, before);
            let found = recover(&bytes, open).unwrap();
            assert_eq!(found.state, world.state);
            let fault = found.fault.unwrap();
            assert_eq!(fault.offset, world.bytes.len() as u64);
            assert!(matches!(fault.fault, JournalFault::Encoding { .. }), "{fault}");
        }
    }
    let mut bytes = world.bytes.clone();
    forge_length(&mut bytes, u32::MAX, b'T', b"abc", before);
    expect_up_to(&world, &bytes, last, &JournalFault::Cut);
    let mut bytes = world.bytes.clone();
    forge(&mut bytes, b'X', b"abc", before);
    expect_up_to(&world, &bytes, last, &JournalFault::Kind { kind: b'X' });
}

#[test]
fn a_step_of_another_journal_does_not_fit() {
    let (world, mut other) = (short(), World::new("anyone"));
    other.step(
        Time::from_millis(0),
        vec![Event::new(7, EventKind::Pause(String::new()))],
    );
    let step = &other.bytes[other.ends[0].0..];
    let payload = &step[9..step.len() - 4];
    let mut bytes = world.bytes.clone();
    forge(&mut bytes, b'T', payload, checksum(&world));
    let found = recover(&bytes, open).unwrap();
    assert_eq!(found.state, world.state);
    let fault = found.fault.unwrap();
    assert_eq!(fault.offset, world.bytes.len() as u64);
    assert!(matches!(fault.fault, JournalFault::DoesNotFit(_)), "{fault}");
}

#[test]
fn a_journal_must_begin_with_a_snapshot() {
    let world = short();
    let step = &world.bytes[world.ends[0].0..world.ends[1].0];
    let mut bytes = world.bytes[..12].to_vec();
    let payload = &step[9..step.len() - 4];
    forge(&mut bytes, b'T', payload, crc32fast::hash(&world.bytes[..12]));
    let error = recover(&bytes, open).unwrap_err();
    assert_eq!((error.offset, error.fault), (12, JournalFault::NoSnapshot));
}

#[test]
fn documents_that_make_no_policy_are_errors_where_they_came_into_force() {
    let world = short();
    let only_anyone = |change: &PolicyChange| match change.document.as_str() {
        "anyone" => open(change),
        other => Err(format!("no method `{other}`")),
    };
    let found = recover(&world.bytes, only_anyone).unwrap();
    assert_eq!(found.state, world.ends[3].1);
    let fault = found.fault.unwrap();
    assert_eq!(fault.offset, world.ends[3].0 as u64);
    assert!(fault.to_string().contains("no method `windows`"), "{fault}");
    let nothing = |_: &PolicyChange| -> Result<matchwright_queue::Pairs, String> { Err("no".into()) };
    assert_eq!(recover(&world.bytes, nothing).unwrap_err().offset, 12);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn changes_and_cuts_anywhere_lose_nothing_before_them(
        acts in acts(80),
        changes in prop::collection::vec((any::<prop::sample::Index>(), 1..=255_u8), 8),
        cut in any::<prop::sample::Index>(),
    ) {
        let world = World::run("windows", &acts);
        for (at, change) in changes {
            let at = at.index(world.bytes.len());
            let cut = at + 1 + cut.index(world.bytes.len() - at);
            let mut bytes = world.bytes[..cut].to_vec();
            bytes[at] ^= change;
            match world.record_before(at) {
                None => prop_assert!(recover(&bytes, open).is_err()),
                Some(record) => {
                    let found = recover(&bytes, open).unwrap();
                    prop_assert_eq!(&found.state, &world.ends[record].1);
                    prop_assert_eq!(found.fault.map(|fault| fault.offset), Some(world.ends[record].0 as u64));
                }
            }
        }
    }

    #[test]
    fn no_bytes_make_a_reader_panic(
        payloads in prop::collection::vec((any::<bool>(), prop::collection::vec(any::<u8>(), 0..60)), 0..6),
        rest in prop::collection::vec(any::<u8>(), 0..60),
    ) {
        let world = World::new("windows");
        let mut bytes = world.bytes.clone();
        let mut before = checksum(&world);
        for (is_step, payload) in payloads {
            let kind = if is_step { b'T' } else { b'S' };
            before = forge(&mut bytes, kind, &payload, before);
        }
        bytes.extend(rest);
        prop_assert_eq!(recover(&bytes, open).unwrap().state, world.state);
    }
}

#[test]
#[ignore = "writes the fixture"]
fn write_the_fixture() {
    let mut world = World::new("windows");
    for place in 0..12_u32 {
        let rating = 1000.0 + f64::from(place * 37 % 100);
        let create = Act::Create {
            rating,
            mode: place == 5,
            regions: u8::try_from(place % 4).unwrap(),
            patience: None,
        };
        world.act(700, &create);
        world.act(100, &Act::Accept(0));
        world.act(100, &Act::Accept(0));
        if place == 6 {
            world.snapshot();
            world.act(1, &Act::SetPolicy(1));
        }
    }
    std::fs::write("tests/fixtures/format-2.journal", &world.bytes).unwrap();
    println!("{} {:?}", world.ends.len(), world.state.counters());
}
