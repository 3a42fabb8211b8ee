//! The ledger is whole, each check comes to the verdict that its claim's words take for granted, and to another one in its negative
//! case.

mod criteria;
mod fitting;
mod negatives;
mod searches;
mod seasons;
mod simulated;

use super::inputs::Inputs;
use super::ledger::Ledger;
use super::{Depth, Registered, all_checks, gaps};
use crate::check::Check;
use crate::check::Work;
use crate::check::verdict::{Finding, Verdict};

use self::fitting::{fitting, inputs, set_t};
use self::negatives::negatives;

fn ledger() -> Ledger {
    Ledger::own().unwrap()
}

fn check(id: &str) -> Registered {
    all_checks().into_iter().find(|check| check.id == id).unwrap()
}

/// What the check of this claim finds.
fn found(id: &str, inputs: &Inputs) -> Finding {
    check(id).run(inputs, Depth::Usual)
}

fn expected(id: &str) -> Verdict {
    ledger().claim(id).unwrap().expected()
}

#[test]
fn the_ledger_has_every_document_and_each_built_claim_a_check() {
    let ledger = ledger();
    let of = |prefix: &str| ledger.claims.iter().filter(|c| c.id.starts_with(prefix)).count();
    assert_eq!(
        ["EOMM-", "AWN-", "DOTA-", "DOM-", "SC2-"].map(of),
        [61, 36, 30, 28, 30]
    );
    assert_eq!(gaps(&ledger, &all_checks()), Vec::<String>::new());
    let mut ids: Vec<&str> = all_checks().iter().map(|check| check.id).collect();
    ids.sort_unstable();
    assert!(ids.windows(2).all(|two| two[0] != two[1]), "{ids:?}");
}

#[test]
fn an_unknown_id_is_refused_by_name() {
    let ledger = ledger();
    let options = |only: &str, document| super::ClaimsOptions {
        document,
        only: vec![only.to_owned()],
        ..super::ClaimsOptions::default()
    };
    let error = super::choose(&ledger, &options("EOMM-Eq99", None)).unwrap_err();
    assert!(error.to_string().contains("EOMM-Eq99"));
    assert_eq!(
        super::choose(&ledger, &options("EOMM-Eq1", None)).unwrap().len(),
        1
    );
    assert!(super::choose(&ledger, &options("EOMM-Eq1", Some(super::Document::Dota))).is_err());
}

#[test]
fn a_claim_without_a_check_and_a_check_without_a_claim_are_named() {
    let ledger = ledger();
    let mut checks = all_checks();
    checks.retain(|check| check.id != "EOMM-Eq1");
    let unknown: Check<Inputs> = Check::new("EOMM-nobody", Work::Exact(|_| Ok(Finding::new())));
    checks.push(Registered::new(&unknown, |inputs| inputs));
    let gaps = gaps(&ledger, &checks);
    assert_eq!(gaps.len(), 2);
    assert!(gaps[0].starts_with("EOMM-Eq1 has no check") && gaps[1].contains("EOMM-nobody has no claim"));
}

#[test]
fn the_policies_and_scenarios_are_those_of_the_examples() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = 0;
    for folder in ["policies", "scenarios"] {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap();
            let example = root.join("../../examples").join(folder).join(name);
            let read = |path: &std::path::Path| std::fs::read_to_string(path).unwrap();
            assert_eq!(read(&path), read(&example), "{}", path.display());
            files += 1;
        }
    }
    assert!(files >= 8, "{files}");
}

#[test]
fn every_check_comes_to_the_verdict_that_the_words_of_its_claim_take_for_granted() {
    let inputs = fitting();
    let found = all_checks()
        .into_iter()
        .map(|check| (check.id, found(check.id, &inputs)));
    let others: Vec<_> = found
        .filter(|(id, found)| found.verdict != expected(id))
        .collect();
    assert!(others.is_empty(), "{others:#?}");
}

#[test]
fn every_check_has_one_negative_case() {
    let mut cases: Vec<&str> = negatives().flat_map(|negative| negative.ids).copied().collect();
    let mut checks: Vec<&str> = all_checks().iter().map(|check| check.id).collect();
    cases.sort_unstable();
    checks.sort_unstable();
    assert_eq!(cases, checks);
}

/// Cases in one of four parts, for tests that run side by side, that the check does not notice: whose criteria leave the verdict as it
/// is; an error alone says nothing of the claim.
fn missed(part: usize) -> Vec<String> {
    let mut missed = Vec::new();
    for negative in negatives().skip(part).step_by(4) {
        for id in negative.ids {
            let found = negative.found(id, fitting());
            let is_noticed = |found: &Finding| found.verdict != expected(id) && !found.criteria().is_empty();
            if !found.as_ref().is_ok_and(is_noticed) {
                missed.push(format!("{id} with {}: {found:?}", negative.wrong));
            }
        }
    }
    missed
}

#[test]
fn every_negative_case_is_noticed_1() {
    assert_eq!(missed(0), Vec::<String>::new());
}

#[test]
fn every_negative_case_is_noticed_2() {
    assert_eq!(missed(1), Vec::<String>::new());
}

#[test]
fn every_negative_case_is_noticed_3() {
    assert_eq!(missed(2), Vec::<String>::new());
}

#[test]
fn every_negative_case_is_noticed_4() {
    assert_eq!(missed(3), Vec::<String>::new());
}

#[test]
fn quick_leaves_the_study_and_the_regions_out_and_says_so() {
    for id in ["EOMM-T2-EOMM", "EOMM-T1-safe"] {
        let found = check(id).run(&inputs(), Depth::Quick);
        assert!(found.is_open() && found.notes[0].contains("--quick"));
    }
}

#[test]
fn a_streamed_check_plays_its_regions() {
    let mut few = inputs();
    few.eomm.regions = 2;
    few.eomm.generator = matchwright_sim::population::GeneratorParams {
        players: 600,
        region_players: 300,
        days: 30.0,
        ..few.eomm.generator
    };
    let found = found("EOMM-T1-safe", &few);
    let [matches, regions, first, ..] = &found.figures[..] else {
        panic!("{found:?}")
    };
    assert!(matches.value.unwrap() > 10_000.0 && regions.value == Some(2.0));
    assert!(first.standard_error.unwrap() > 0.0);
}
