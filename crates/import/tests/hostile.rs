//! Inputs that nobody meant.

use matchwright_import::{
    EdgeOptions, Edges, ImportError, Input, MatchOptions, Matches, PastedTable, PlayerOptions, Players,
    Source, TableColumns, TicketOptions, Tickets,
};
use proptest::prelude::*;

fn read_all(bytes: &[u8]) -> Result<(), ImportError> {
    let input = || Input::new("text", std::io::Cursor::new(bytes.to_vec()));
    let matches = Matches::open(input(), &MatchOptions::default())
        .and_then(|matches| matches.collect::<Result<Vec<_>, _>>().map(drop));
    let source = Source::read(input())?;
    let others = [
        Players::of(&source, &PlayerOptions::default()).map(drop),
        Tickets::of(&source, &TicketOptions::default()).map(drop),
        Edges::of(&source, &EdgeOptions::default()).map(drop),
        PastedTable::of(&source, &TableColumns::default()).map(drop),
    ];
    others.into_iter().chain([matches]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = read_all(&bytes);
    }

    #[test]
    fn texts_of_signs_that_readers_know_are_read_or_refused(
        parts in proptest::collection::vec(prop::sample::select(vec![
            "time", "player1", "player2", "result", "score1", "id", "skill", "ticket", "weight", "teams", "match", "player",
            ",", ";", "\n", "\r\n", "\"", "{", "}", "[", "]", ":", "1", "-1", "1e400", "2024-01-01", "null", "a", "b", "é",
        ]), 0..60),
    ) {
        let _ = read_all(parts.concat().as_bytes());
    }
}

#[test]
fn a_row_longer_than_it_may_be_is_refused_at_its_line() {
    let long = format!("time,winner,loser\n1,a,b\n2,{},b\n", "x".repeat(200_000));
    let input = |bytes: usize| {
        Input::new("text", std::io::Cursor::new(long.clone().into_bytes())).with_longest_row(bytes)
    };
    let options = MatchOptions {
        time_unit: Some(matchwright_import::TimeUnit::Index),
        ..MatchOptions::default()
    };
    let read = |bytes| -> Result<usize, ImportError> {
        Ok(Matches::open(input(bytes), &options)?
            .collect::<Result<Vec<_>, _>>()?
            .len())
    };
    assert_eq!(read(1 << 20).unwrap(), 2);
    let refused = read(1 << 16).unwrap_err().to_string();
    assert!(refused.contains("the row is longer than 64 KiB"), "{refused}");
}

#[test]
fn a_file_that_is_not_there_and_a_folder_are_named() {
    let missing = Input::open("no-such-file.csv").err().unwrap();
    assert!(
        missing.to_string().starts_with("reading no-such-file.csv: "),
        "{missing}"
    );
    let folder = tempfile::tempdir().unwrap();
    assert!(
        Input::open(folder.path())
            .err()
            .unwrap()
            .to_string()
            .ends_with("give a file")
    );
}
