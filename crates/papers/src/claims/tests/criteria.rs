//! Criteria change only together with what the ledger says that they were.

use super::{all_checks, fitting, found, ledger};

/// FNV-1a, 32 bits.
fn hash(text: &str) -> u32 {
    let step = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(16_777_619);
    text.bytes().fold(2_166_136_261, step)
}

/// `criteria.txt` has a word for each claim and each number of its former criteria: `id:number:hash`.
#[test]
fn a_criterion_changes_only_with_what_it_was() {
    let known: Vec<&str> = include_str!("../../../criteria.txt").split_whitespace().collect();
    let (ledger, inputs) = (ledger(), fitting());
    let word = |id: &str| {
        let number = ledger.claim(id).unwrap().criterion_was.len();
        let required = found(id, &inputs).criteria().join("\n");
        format!("{id}:{number}:{:08x}", hash(&required))
    };
    let changed: Vec<String> = all_checks().iter().map(|check| word(check.id)).collect();
    let changed: Vec<&String> = changed.iter().filter(|word| !known.contains(&&***word)).collect();
    assert!(
        changed.is_empty(),
        "say in `criterion_was` of claims.toml what was required, what that gave and why it was changed; then add to criteria.txt: {changed:?}"
    );
    let twice = known
        .windows(2)
        .find(|two| two[0].rsplit_once(':').map(|of| of.0) == two[1].rsplit_once(':').map(|of| of.0));
    assert_eq!(twice, None, "one hash for each number of former criteria");
}
