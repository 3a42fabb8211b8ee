//! The ledger is whole, each check comes to the verdict that its claim's words take for granted, and changes it once
//! a part is wrong.

mod fitting;
mod searches;
mod seasons;
mod simulated;

use super::inputs::Inputs;
use super::ledger::Ledger;
use super::mutations::{Mutation, Trial, mutations, mutations_of};
use super::{Check, Depth, Work, all_checks, gaps};
use crate::verdict::{Finding, Verdict};

use self::fitting::{fitting, inputs, set_t};

fn ledger() -> Ledger {
    Ledger::own().unwrap()
}

fn check(id: &str) -> Check {
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
        [61, 34, 30, 25, 27]
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
    checks.push(Check::new("EOMM-nobody", Work::Exact(|_| Ok(Finding::new()))));
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
fn every_row_has_a_wrong_part_that_it_must_notice_and_every_wrong_part_a_row() {
    let without = |check: &Check| mutations_of(check.id).next().is_none();
    let without: Vec<&str> = all_checks().iter().filter(|c| without(c)).map(|c| c.id).collect();
    assert_eq!(without, Vec::<&str>::new());
    for mutation in mutations() {
        assert!(!mutation.rows.is_empty(), "{}", mutation.wrong);
        mutation
            .rows
            .iter()
            .for_each(|row| assert_eq!(check(row).id, *row));
    }
}

/// The rows of some mutations that keep their verdict.
fn missed<'a>(mutations: impl Iterator<Item = &'a Mutation>) -> Vec<String> {
    let mut missed = Vec::new();
    for mutation in mutations {
        for row in mutation.rows {
            let mut wrong = fitting();
            mutation.apply(&mut wrong).unwrap();
            let found = found(row, &wrong);
            let trial = Trial::new(check(row).id, mutation, expected(row), &found);
            if !trial.noticed {
                missed.push(format!("{}: {found:?}", trial.in_words()));
            }
        }
    }
    missed
}

/// One of four parts of the mutations, for tests that run side by side.
fn part(number: usize) -> Vec<String> {
    missed(mutations().skip(number).step_by(4))
}

#[test]
fn every_wrong_part_is_noticed_1() {
    assert_eq!(part(0), Vec::<String>::new());
}

#[test]
fn every_wrong_part_is_noticed_2() {
    assert_eq!(part(1), Vec::<String>::new());
}

#[test]
fn every_wrong_part_is_noticed_3() {
    assert_eq!(part(2), Vec::<String>::new());
}

#[test]
fn every_wrong_part_is_noticed_4() {
    assert_eq!(part(3), Vec::<String>::new());
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
    few.regions = 2;
    few.generator = matchwright_sim::population::GeneratorParams {
        players: 600,
        region_players: 300,
        days: 30.0,
        ..few.generator
    };
    let found = found("EOMM-T1-safe", &few);
    let [matches, regions, first, ..] = &found.figures[..] else {
        panic!("{found:?}")
    };
    assert!(matches.value.unwrap() > 10_000.0 && regions.value == Some(2.0));
    assert!(first.standard_error.unwrap() > 0.0);
}
