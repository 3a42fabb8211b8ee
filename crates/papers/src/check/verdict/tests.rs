//! What criteria come to.

use super::*;
use matchwright_sim::statistics::paired_test;

#[test]
fn numbers_that_would_vanish_are_shown_with_a_power_of_ten() {
    assert_eq!(show(0.123456, 3), "0.123");
    assert_eq!(show(2.2e-16, 3), "< 1e-9");
    assert_eq!(show(-2.2e-8, 3), "-2.2e-8");
    assert_eq!(show(-0.0, 2), "0");
    assert_eq!(show(f64::NAN, 2), "unknown");
    assert_eq!(show(f64::NEG_INFINITY, 2), "unbounded");
}

#[test]
fn one_criterion_that_is_not_met_decides() {
    let found = Finding::new()
        .require(true, "a")
        .require(false, "b")
        .require_enough(false, "c")
        .samples(20, "pools");
    assert_eq!(found.verdict, Verdict::NotConfirmed);
    assert_eq!(found.notes, ["not so: b", "not so: c"]);
    assert_eq!(found.criterion_in_words(), "a; b; c; n: 20 pools");
    let few = Finding::new().require(true, "a").require_enough(false, "c");
    assert_eq!(few.verdict, Verdict::Inconclusive);
    assert_eq!(Finding::new().and(few).verdict, Verdict::Inconclusive);
    assert_eq!(
        Finding::unchecked(Verdict::Open, "later").and(found).verdict,
        Verdict::NotConfirmed
    );
}

#[test]
fn a_page_is_wrong_or_vague_only_if_the_check_shows_it() {
    let wrong = Finding::new().require(true, "ours").refutes_page(true, "theirs");
    assert_eq!(wrong.verdict, Verdict::Corrected);
    assert_eq!(wrong.clone().require(false, "c").verdict, Verdict::NotConfirmed);
    assert_eq!(
        Finding::new().require_enough(false, "c").and(wrong).verdict,
        Verdict::Inconclusive
    );
    let right = Finding::new()
        .refutes_page(false, "theirs")
        .completes_page(false, "d");
    assert_eq!((right.verdict, right.notes.len()), (Verdict::Confirmed, 2));
    assert_eq!(
        Finding::new().completes_page(true, "d").verdict,
        Verdict::MadePrecise
    );
}

#[test]
fn a_statement_without_a_test_says_so_without_a_t() {
    let one = Finding::new().require_above(paired_test([-1.0]), 3.0, "above");
    assert_eq!(one.verdict, Verdict::Inconclusive);
    assert_eq!(one.notes[0], "no test: too few samples, or all alike");
    let alike = Finding::new().require_above(paired_test([-1.0, -1.0]), 3.0, "above");
    assert_eq!(alike.notes[0], "no test: too few samples, or all alike");
    let two = Finding::new().require_above(paired_test([-1.0, -1.5]), 3.0, "above");
    assert_eq!(two.notes[0], "t = 5.0 against it, n = 2");
}

#[test]
fn a_difference_of_two_rounds_is_never_clear() {
    let many = paired_test((0..100).map(|k| 1.0 + f64::from(k % 2)));
    let few = paired_test([1.0, 1.5]);
    assert!(many.t > 4.0 && few.t > 4.0 && few.p > 0.05);
    let of = |test: &MeanTest| Finding::new().require_above(*test, 4.0, "above").verdict;
    assert_eq!(of(&many), Verdict::Confirmed);
    assert_eq!(of(&few), Verdict::Inconclusive);
    assert_eq!(of(&paired_test([1.0, -1.0])), Verdict::Inconclusive);
    assert_eq!(of(&paired_test([0.0, 0.0])), Verdict::Inconclusive);
    assert_eq!(of(&many.reversed()), Verdict::NotConfirmed);
    assert_eq!(of(&few.reversed()), Verdict::Inconclusive);
    assert_eq!(of(&MeanTest { t: f64::NAN, ..many }), Verdict::NotConfirmed);
}

#[test]
fn what_chance_alone_can_do_is_inconclusive() {
    let (many, few) = (
        paired_test((0..100).map(|k| 1.0 + f64::from(k % 2))),
        paired_test([1.0, 2.0]),
    );
    let below = |test: MeanTest, limit| Finding::new().require_below(test, limit, "below").verdict;
    for test in [many, few] {
        assert_eq!(below(test, 1.6), Verdict::Confirmed);
        assert_eq!(below(test, 1.45), Verdict::Inconclusive);
    }
    assert_eq!(
        [many, few].map(|test| below(test, 1.0)),
        [Verdict::NotConfirmed, Verdict::Inconclusive]
    );
    let unknown = Estimate::from((1.0, f64::NAN));
    let of_unknown = Finding::new().require_near((unknown, 100), (2.0, 0.2), "near");
    assert_eq!(of_unknown.verdict, Verdict::Inconclusive);
    let near = |n, target| {
        let mean = Estimate::from((1.0, 0.1));
        Finding::new()
            .require_near((mean, n), (target, 0.2), "near")
            .verdict
    };
    assert_eq!(
        [near(2, 1.1), near(2, 2.0)],
        [Verdict::Confirmed, Verdict::Inconclusive]
    );
    assert_eq!(
        [near(100, 1.25), near(100, 2.0)],
        [Verdict::Inconclusive, Verdict::NotConfirmed]
    );
}

#[test]
fn shares_are_judged_by_binomial_bounds() {
    let of = |some, all| {
        Finding::new()
            .require_share((some, all), &(0.90..=0.98), "held")
            .verdict
    };
    // Ten of ten, and three of five, happen to a share of 0.95 one way or the other.
    assert_eq!(
        [of(10, 10), of(3, 5), of(95, 100)],
        [Verdict::Inconclusive, Verdict::Inconclusive, Verdict::Confirmed]
    );
    assert_eq!(
        [of(88, 100), of(880, 1000)],
        [Verdict::Inconclusive, Verdict::Inconclusive]
    );
    assert_eq!(
        [of(70, 100), of(850, 1000), of(1000, 1000)],
        [Verdict::NotConfirmed; 3]
    );
    let at_least = |some, all| {
        Finding::new()
            .require_share((some, all), &(0.95..=1.0), "found")
            .verdict
    };
    assert_eq!(
        [at_least(2, 2), at_least(1, 2), at_least(60, 100)],
        [Verdict::Confirmed, Verdict::Inconclusive, Verdict::NotConfirmed]
    );
}
