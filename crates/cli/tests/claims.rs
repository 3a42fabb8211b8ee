//! `matchwright claims` as a user runs it.

use crate::common::{answer, complaint};

#[test]
fn chosen_rows_are_checked() {
    let text = answer(&["claims", "--only", "EOMM-paircount,EOMM-K5"], "");
    assert!(
        text.contains("(N-1)!!") && text.contains("1 confirmed, 1 corrected"),
        "{text}"
    );
    let json = answer(&["claims", "--only", "EOMM-paircount", "--json"], "");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json[0]["verdict"], "corrected");
    assert_eq!(json[0]["code"], "crates/papers/src/eomm/claims/matching.rs");
}

#[test]
fn options_that_contradict_each_other_are_refused() {
    for options in [&["--quick", "--deep"][..], &["--rounds", "1"]] {
        let words: Vec<&str> = ["claims"].iter().chain(options).copied().collect();
        complaint(&words, "", 2);
    }
}
