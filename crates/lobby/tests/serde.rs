//! What is written is what is read.

use matchwright_lobby::{ExhaustiveSplit, Group, TeamSplit, TeamSplitter};

#[test]
fn a_split_survives_json() {
    let first = |a: &[usize], _: &[usize]| Some(if a[1] == 5 { 0.9 } else { 0.1 });
    let split = ExhaustiveSplit
        .split(&Group::equal([2, 3, 5, 7], 2).unwrap(), &first)
        .unwrap();
    let text = serde_json::to_string(&split).unwrap();
    assert_eq!(
        text,
        r#"{"teams":[[2,5],[3,7]],"quality":0.9,"bound":0.9,"source":"complete","status":"Optimal"}"#
    );
    assert_eq!(serde_json::from_str::<TeamSplit>(&text).unwrap(), split);
}
