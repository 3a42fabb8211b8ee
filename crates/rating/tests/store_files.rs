//! What a store writes: nothing is lost, and nothing that was not written is read.

use std::fs;

use matchwright_rating::store::{Duel, Keep, RatingStore, SaveError};
use matchwright_rating::{Elo, EloParams, EloRating, RatingPeriod, Score, SeasonChange};

type Store = RatingStore<Elo, Duel<String>>;

fn elo() -> Elo {
    EloParams::default().build().unwrap()
}

fn duel(first: u32, second: u32) -> Duel<String> {
    Duel::new(format!("player {first}"), format!("player {second}"), Score::WIN)
}

fn shown(store: &Store) -> Vec<String> {
    store
        .standings()
        .map(|standing| format!("{standing:?}"))
        .collect()
}

/// A store with something of every kind; the first games can no longer be changed.
fn of_every_kind() -> Store {
    let mut store = RatingStore::by_time(elo(), RatingPeriod::days(1.0).unwrap());
    store
        .seed(0, "player 9".to_owned(), EloRating::new(1777.0).unwrap())
        .unwrap();
    for game in 0..12_u32 {
        store
            .add(i64::from(game) * 50_000, duel(game % 4, 4 + game % 3))
            .unwrap();
    }
    let graded = Duel {
        margin: -2.5,
        ..Duel::new(
            "player 1".to_owned(),
            "player 9".to_owned(),
            Score::new(0.375).unwrap(),
        )
    };
    store.insert(425_000, graded).unwrap();
    store.keep(Keep::Latest(9));
    store.reset(600_000, "player 2").unwrap();
    store
        .set(600_000, "player 3", EloRating::new(1601.25).unwrap())
        .unwrap();
    let season = SeasonChange {
        mean: Some(1510.0),
        share: 0.25,
        added_deviation: 30.0,
    };
    store.change_season(650_000, season).unwrap();
    store.add(700_000, duel(0, 9)).unwrap();
    assert!(store.forget("player 5"));
    store
}

/// Saves, and tells how many bytes that took.
fn saved(store: &mut Store, path: &std::path::Path) -> usize {
    usize::try_from(store.save(path).unwrap()).unwrap()
}

/// The file of version 1, as it was written when that came to be.
const VERSION_1: &[u8] = include_bytes!("fixtures/ratings-1.bin");

#[test]
fn the_files_of_version_1_are_read_and_written() {
    let store = of_every_kind();
    let bytes = store.to_bytes().unwrap();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(
            concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/ratings-1.bin"),
            &bytes,
        )
        .unwrap();
    }
    assert_eq!(
        bytes, VERSION_1,
        "another format is another version: this one must still be read"
    );
    let mut read = Store::from_bytes(elo(), VERSION_1).unwrap();
    assert_eq!(shown(&read), shown(&store));
    assert_eq!(
        read.rating_at("player 9", 700_000),
        store.rating_at("player 9", 700_000)
    );
    assert_eq!(read.to_bytes().unwrap(), bytes);
    assert_eq!(read.changeable(), 9);
    read.add(800_000, duel(5, 9)).unwrap();
    assert_eq!(read.standing("player 5").unwrap().games, 1);
}

#[test]
fn what_is_new_is_added_and_a_change_of_the_past_writes_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ratings");
    let mut store = RatingStore::by_game(elo());
    for game in 0..2000_u32 {
        store
            .add(i64::from(game), duel(game % 40, 40 + game % 7))
            .unwrap();
    }
    let whole = store.save(&path).unwrap();
    assert_eq!(store.save(&path).unwrap(), 0, "nothing is new");
    for game in 2000..2100_u32 {
        store
            .add(i64::from(game), duel(game % 40, 40 + game % 7))
            .unwrap();
    }
    let added = store.save(&path).unwrap();
    assert!(added < 100 * 12, "{added} for 100 games");
    assert_eq!(fs::metadata(&path).unwrap().len(), whole + added);
    assert_eq!(shown(&Store::open(elo(), &path).unwrap()), shown(&store));
    // What was opened goes on.
    let mut opened = Store::open(elo(), &path).unwrap();
    opened.add(3000, duel(1, 99)).unwrap();
    assert!(opened.save(&path).unwrap() < 100);
    // The first store sees that the file is not its own any more.
    store.add(3000, duel(2, 98)).unwrap();
    assert!(store.save(&path).unwrap() > whole);
    assert_eq!(shown(&Store::open(elo(), &path).unwrap()), shown(&store));
    for change in [
        |store: &mut Store| assert!(store.retract(7).is_ok()),
        |store: &mut Store| assert!(store.insert(50, duel(3, 4)).is_ok()),
        |store: &mut Store| assert!(store.forget("player 8")),
        |store: &mut Store| assert!(store.change_season(1000, SeasonChange::NONE).is_ok()),
        |store: &mut Store| store.keep(Keep::Latest(1000)),
    ] {
        change(&mut store);
        assert!(store.save(&path).unwrap() > 3000);
        assert_eq!(shown(&Store::open(elo(), &path).unwrap()), shown(&store));
    }
    let bytes = fs::read(&path).unwrap();
    assert!(!bytes.windows(8).any(|part| part == b"player 8"));
    // Enough games write it anew, so that opening is no pass over all of them.
    let before = fs::metadata(&path).unwrap().len();
    let mut written = Vec::new();
    for game in 0..20_000_u32 {
        store
            .add(5000 + i64::from(game), duel(game % 40, 40 + game % 7))
            .unwrap();
        if game % 500 == 0 {
            written.push(store.save(&path).unwrap());
        }
    }
    assert!(written.iter().any(|&bytes| bytes > before / 2), "{written:?}");
    assert!(fs::metadata(&path).unwrap().len() < before * 5 / 4 + (1 << 16));
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().count(),
        1,
        "no other file is left"
    );
}

#[test]
fn a_save_that_a_crash_cut_off_leaves_the_one_before() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ratings");
    let mut store = of_every_kind();
    let first = saved(&mut store, &path);
    let mut states = vec![shown(&store)];
    store.change_season(710_000, SeasonChange::NONE).unwrap();
    store
        .seed(710_000, "player 50".to_owned(), EloRating::new(1400.0).unwrap())
        .unwrap();
    let second = first + saved(&mut store, &path);
    states.push(shown(&store));
    store.add(720_000, duel(50, 51)).unwrap();
    let third = second + saved(&mut store, &path);
    states.push(shown(&store));
    let bytes = fs::read(&path).unwrap();
    assert_eq!(bytes.len(), third);
    for cut in 0..third {
        // In some file systems the rest is zeros.
        for zeros in [0, 30, third - cut] {
            let mut torn = bytes[..cut].to_vec();
            torn.resize(cut + zeros, 0);
            if torn.starts_with(&bytes) {
                // The last bytes were zeros.
                continue;
            }
            let ends = [first, second].into_iter();
            let whole = ends.filter(|&end| torn.starts_with(&bytes[..end])).max();
            if torn.len() > whole.unwrap_or(0) || whole.is_none() {
                assert!(Store::from_bytes(elo(), &torn).is_err(), "{cut} {zeros}");
            }
            fs::write(&path, &torn).unwrap();
            let opened = Store::open(elo(), &path);
            match (whole, opened) {
                (None, opened) => assert!(opened.is_err(), "{cut} {zeros}"),
                (Some(whole), opened) => {
                    let mut opened = opened.unwrap();
                    assert_eq!(shown(&opened), states[usize::from(whole == second)]);
                    assert_eq!(opened.torn(), torn.len() - whole);
                    opened.add(730_000, duel(1, 2)).unwrap();
                    opened.save(&path).unwrap();
                    assert_eq!(shown(&Store::open(elo(), &path).unwrap()), shown(&opened));
                }
            }
        }
    }
}

#[test]
fn a_newcomer_with_the_number_of_a_forgotten_player_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ratings");
    let mut store = RatingStore::by_game(elo());
    store.keep(Keep::Latest(1));
    store.add(0, duel(0, 1)).unwrap();
    store.forget("player 0");
    store.save(&path).unwrap();
    // The first game goes, and with it the number is free.
    store.add(1, duel(1, 2)).unwrap();
    store.add(2, duel(3, 1)).unwrap();
    store.save(&path).unwrap();
    assert_eq!(shown(&Store::open(elo(), &path).unwrap()), shown(&store));
}

#[test]
fn seasons_to_come_are_saved_in_order_of_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ratings");
    let mut store = RatingStore::by_game(elo());
    store.add(50, duel(0, 1)).unwrap();
    store.save(&path).unwrap();
    let draw = |share| SeasonChange {
        share,
        ..SeasonChange::NONE
    };
    for (time, share) in [(200, 0.5), (100, 0.25), (200, 0.125)] {
        store.change_season(time, draw(share)).unwrap();
    }
    assert!(store.save(&path).unwrap() < 150);
    let again = Store::open(elo(), &path).unwrap();
    for time in [99, 100, 200] {
        assert_eq!(
            again.rating_at("player 0", time),
            store.rating_at("player 0", time)
        );
    }
}

#[test]
fn what_can_no_longer_be_changed_takes_no_room() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ratings");
    let mut store = RatingStore::by_game(elo());
    store.keep(Keep::Latest(100));
    store.save(&path).unwrap();
    for game in 0..100_000_u32 {
        store
            .add(i64::from(game), duel(game % 20, 20 + game % 7))
            .unwrap();
    }
    assert!(store.to_bytes().unwrap().len() < 40_000);
    // Nor do games that are taken out, or their players.
    let before = store.to_bytes().unwrap().len();
    for game in 0..1000_u32 {
        let number = store
            .add(200_000, duel(1000 + 2 * game, 1001 + 2 * game))
            .unwrap();
        store.retract(number).unwrap();
    }
    assert!(store.to_bytes().unwrap().len() < before + 200);
    assert!(store.save(&path).unwrap() < 40_000);
}

#[test]
fn bytes_that_are_not_those_which_were_saved_are_refused() {
    let mut store = of_every_kind();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ratings");
    store.save(&path).unwrap();
    store.add(720_000, duel(50, 51)).unwrap();
    store.save(&path).unwrap();
    let bytes = fs::read(&path).unwrap();
    for at in 0..bytes.len() {
        for bits in [1, 0x80, 0xff] {
            let mut changed = bytes.clone();
            changed[at] ^= bits;
            let error = Store::from_bytes(elo(), &changed).unwrap_err();
            let is_right = match at {
                0..8 => matches!(error, SaveError::NotSaved),
                8 => matches!(error, SaveError::Version { latest: 1, .. }),
                _ => matches!(error, SaveError::Damaged { .. } | SaveError::Truncated { .. }),
            };
            assert!(is_right, "byte {at}: {error}");
        }
    }
    let missing = Store::open(elo(), folder.path().join("none"))
        .unwrap_err()
        .to_string();
    assert!(missing.contains("none: "), "{missing}");
    let unwritable = store.save(folder.path().join("no such folder/ratings"));
    assert!(matches!(unwritable, Err(SaveError::File { .. })));
    // After which nothing is lost.
    store.save(&path).unwrap();
    assert_eq!(shown(&Store::open(elo(), &path).unwrap()), shown(&store));
}

/// Changes a byte of the part that begins after its head at `start`, and puts its checksum right.
fn forged(bytes: &[u8], start: usize, at: usize, bits: u8) -> Vec<u8> {
    let mut forged = bytes.to_vec();
    forged[at] ^= bits;
    let crc = crc32fast::hash(&forged[start..]);
    forged[start - 4..start].copy_from_slice(&crc.to_le_bytes());
    forged
}

/// What another program wrote, with checksums that are right.
#[test]
fn no_bytes_make_a_store_that_panics() {
    let bytes = of_every_kind().to_bytes().unwrap();
    let (mut refused, mut taken) = (0, 0);
    for at in 25..bytes.len() {
        for bits in [1, 2, 0x10, 0x80, 0xff] {
            let Ok(mut store) = Store::from_bytes(elo(), &forged(&bytes, 25, at, bits)) else {
                refused += 1;
                continue;
            };
            taken += 1;
            for number in 0..20 {
                drop(store.retract(number));
            }
            for time in [0, 500_000, 690_000, i64::MAX] {
                drop(store.insert(time, duel(1, 2)));
            }
            store.forget("player 1");
            store.keep(Keep::Latest(0));
            assert!(Store::from_bytes(elo(), &store.to_bytes().unwrap()).is_ok());
        }
    }
    assert!(refused > 500 && taken > 100, "{refused} refused, {taken} taken");
}

#[test]
fn no_later_part_makes_a_store_that_panics() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ratings");
    let mut store = of_every_kind();
    let start = saved(&mut store, &path) + 16;
    store
        .seed(710_000, "player 50".to_owned(), EloRating::new(1400.0).unwrap())
        .unwrap();
    store.add(720_000, duel(50, 51)).unwrap();
    store.change_season(730_000, SeasonChange::NONE).unwrap();
    store.save(&path).unwrap();
    let bytes = fs::read(&path).unwrap();
    let mut refused = 0;
    for at in start..bytes.len() {
        for bits in [1, 2, 3, 0x10, 0x80, 0xff] {
            let Ok(mut store) = Store::from_bytes(elo(), &forged(&bytes, start, at, bits)) else {
                refused += 1;
                continue;
            };
            let names: std::collections::HashSet<_> =
                store.standings().map(|(name, _)| name.clone()).collect();
            assert_eq!(names.len(), store.standings().count());
            assert!(names.iter().all(|name| store.standing(name).is_some()));
            for number in 0..25 {
                drop(store.retract(number));
            }
            drop(store.insert(690_000, duel(1, 50)));
            assert!(Store::from_bytes(elo(), &store.to_bytes().unwrap()).is_ok());
        }
    }
    assert!(refused > 100, "{refused}");
}
