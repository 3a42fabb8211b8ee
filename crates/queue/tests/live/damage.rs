//! What a crash leaves, told from damage.

use matchwright_queue::live::{Faults, FileName, Memory, OpenError, Storage};

use super::{at, create, forty, name, start};
use crate::journal_faults::forge;

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
