//! `matchwright claims` as a user runs it.

use crate::common::{answer, complaint};

#[test]
fn chosen_rows_are_checked_with_their_wrong_parts_in_sight() {
    let text = answer(&["claims", "--only", "EOMM-paircount,EOMM-K5"], "");
    assert!(
        text.contains("(N-1)!!") && text.contains("1 confirmed, 1 corrected"),
        "{text}"
    );
    let json = answer(&["claims", "--only", "EOMM-paircount", "--json"], "");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json[0]["verdict"], "corrected");
    assert_eq!(
        json[0]["fails_with"][0],
        "an enumeration that leaves a pairing out"
    );
    assert_eq!(json[0]["code"], "crates/papers/src/eomm/claims/matching.rs");
}

#[test]
fn wrong_parts_are_put_in_at_run_time() {
    let text = answer(&["claims", "--mutate", "--only", "EOMM-paircount,EOMM-K5"], "");
    assert!(text.contains("outcomes printed newest first"), "{text}");
    assert!(
        text.contains("corrected") && text.contains("not confirmed"),
        "{text}"
    );
    assert!(text.contains("2 of 2 noticed"), "{text}");
}

#[test]
fn options_that_contradict_each_other_are_refused() {
    for options in [
        &["--quick", "--deep"][..],
        &["--mutate", "--write", "page.md"],
        &["--rounds", "1"],
    ] {
        let words: Vec<&str> = ["claims"].iter().chain(options).copied().collect();
        complaint(&words, "", 2);
    }
}
