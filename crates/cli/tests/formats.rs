//! Files that are packed, and Parquet: what goes out comes in again, and what is damaged is named.

use std::fs;
use std::path::Path;

use crate::common::{answer, complaint};

const MATCHES: &str = "time,player1,player2,score1,score2\n\
    2024-01-01T00:00:00Z,ann,bob,2,1\n2024-01-02T00:00:00Z,bob,\"cyd, the third\",0,0\n2024-01-03T00:00:00Z,ann,bob,3,0\n";

/// What `rate` says of a file of matches.
fn rated(path: &Path) -> String {
    answer(
        &[
            "rate",
            "--system",
            "elo",
            "--evaluate-from",
            "0.5",
            "--json",
            path.to_str().unwrap(),
        ],
        "",
    )
}

#[test]
fn a_zstd_file_says_what_its_text_says_and_a_truncated_one_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let [plain, packed] = ["m.csv", "m.csv.zst"].map(|name| folder.path().join(name));
    fs::write(&plain, MATCHES).unwrap();
    let stored = zstd::encode_all(MATCHES.as_bytes(), 0).unwrap();
    // Two frames, one after the other, are one text.
    let half = MATCHES.len() / 2;
    let frames =
        [&MATCHES[..half], &MATCHES[half..]].map(|part| zstd::encode_all(part.as_bytes(), 0).unwrap());
    for stored in [stored.clone(), frames.concat()] {
        fs::write(&packed, stored).unwrap();
        assert_eq!(rated(&packed), rated(&plain));
    }
    for skip in [&[][..], &["--skip-bad"]] {
        let arguments = [&["rate", "--system", "elo", "-"], skip].concat();
        let told = complaint(&arguments, &stored[..stored.len() - 9], 1);
        assert!(told.contains("zstd") && told.contains("cut off"), "{told}");
    }
}

#[test]
fn generated_matches_are_the_same_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let save = |name: &str| {
        let path = folder.path().join(name);
        let study = [
            "study",
            "eomm",
            "--players",
            "60",
            "--days",
            "6",
            "--rounds",
            "2",
            "--pools",
            "10",
            "--save-matches",
        ];
        answer(&[&study[..], &[path.to_str().unwrap()]].concat(), "");
        path
    };
    let plain = save("m.csv");
    let text = fs::read(&plain).unwrap();
    assert_eq!(
        zstd::decode_all(&fs::read(save("m.csv.zst")).unwrap()[..]).unwrap(),
        text
    );
    let packed = save("m.csv.gz");
    let stored = fs::read(&packed).unwrap();
    assert!(stored.starts_with(&[0x1f, 0x8b]) && stored.len() < text.len() / 2);
    let parquet = save("m.parquet");
    assert!(fs::read(&parquet).unwrap().starts_with(b"PAR1"));
    for path in [packed, parquet] {
        assert_eq!(rated(&path), rated(&plain));
    }
}

#[test]
fn ratings_and_predictions_are_written_as_parquet_and_read_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("m.csv"), MATCHES).unwrap();
    let [out, predictions] = [path("r.parquet"), path("p.parquet")];
    let arguments = ["rate", "--system", "glicko", "--evaluate-from", "0.5"];
    let files = ["--out", &out, "--predictions", &predictions, &path("m.csv")];
    answer(&[&arguments[..], &files].concat(), "");
    // A table of players with ratings is a pool, whose ratings decide who is paired.
    let paired = answer(&["pair", "--unmatched-penalty", "0", &out, "--json"], "");
    assert!(paired.contains("cyd, the third"), "{paired}");
    // The forecasts are a table of matches, whose times and players come back.
    let columns = ["--columns", "score1=p_win,score2=p_loss"];
    let again = answer(
        &[&arguments[..], &columns, &[predictions.as_str(), "--json"]].concat(),
        "",
    );
    assert!(
        again.contains("2024-01-03") || again.contains("1704240000"),
        "{again}"
    );
}

#[test]
fn a_bad_row_of_parquet_is_named_by_row_and_column() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("m.csv"), MATCHES).unwrap();
    let predictions = path("p.parquet");
    let arguments = [
        "rate",
        "--system",
        "elo",
        "--evaluate-from",
        "0.5",
        "--predictions",
        &predictions,
        &path("m.csv"),
    ];
    answer(&arguments, "");
    let told = complaint(
        &[
            "rate",
            "--system",
            "elo",
            "--columns",
            "result=time",
            &predictions,
        ],
        "",
        1,
    );
    assert!(told.contains("p.parquet: row 1, column 1: time is `"), "{told}");
    let stored = fs::read(&predictions).unwrap();
    let told = complaint(&["rate", "--system", "elo", "-"], &stored[..stored.len() / 2], 1);
    assert!(told.contains("cannot be read as Parquet"), "{told}");
}
