//! Small runs of Awesomenauts' search, made to agree with what the checks find in full ones.

use std::sync::OnceLock;

use crate::awesomenauts::{
    BatchesReport, PortReport, RaceReport, RepeatsReport, RestartsReport, StartsReport, TotalsReport,
    run_batches, run_port, run_race, run_repeats, run_restarts, run_starts, run_totals,
};
use crate::workers::Workers;
use matchwright_sim::progress::Quiet;
use matchwright_sim::statistics::t_test;

use super::{Inputs, found, inputs, set_t};
use crate::awesomenauts::claims::inputs::AwesomenautsRuns;
use crate::check::Once;

/// Short runs: right in form, not always in level.
struct Small {
    forced: RaceReport,
    annealing: RaceReport,
    restarts: RestartsReport,
    batches: BatchesReport,
    starts: StartsReport,
    totals: TotalsReport,
    port: PortReport,
    repeats: RepeatsReport,
}

fn small() -> &'static Small {
    static SMALL: OnceLock<Small> = OnceLock::new();
    SMALL.get_or_init(|| {
        let mut wanted = inputs().awesomenauts;
        for race in [&mut wanted.forced, &mut wanted.annealing] {
            (race.players, race.pools, race.evaluations) = (36, 3, vec![100_000]);
        }
        wanted.forced.evaluations = vec![60_000, 100_000];
        (
            wanted.restarts.players,
            wanted.restarts.pools,
            wanted.restarts.starts,
        ) = (36, 2, 250);
        (wanted.batches.streams, wanted.batches.moves_per_player) = (2, 100);
        (wanted.starts.players, wanted.starts.pools, wanted.starts.moves) = (36, 3, 30_000);
        (wanted.totals.players, wanted.totals.pools, wanted.totals.moves) = (36, 3, 10_000);
        wanted.port.pools = 2;
        let repeats = &mut wanted.repeats;
        (repeats.players, repeats.come, repeats.worlds, repeats.rounds) = (48, 36, 2, 3);
        repeats.moves = 3_000;
        let seed = 1;
        Small {
            forced: run_race(&wanted.forced, seed, &Workers::new(2, &Quiet)).unwrap(),
            annealing: run_race(&wanted.annealing, seed, &Workers::new(2, &Quiet)).unwrap(),
            restarts: run_restarts(&wanted.restarts, seed, &Workers::new(2, &Quiet)).unwrap(),
            batches: run_batches(&wanted.batches, seed, &Workers::new(2, &Quiet)).unwrap(),
            starts: run_starts(&wanted.starts, seed, &Workers::new(2, &Quiet)).unwrap(),
            totals: run_totals(&wanted.totals, seed, &Workers::new(2, &Quiet)).unwrap(),
            port: run_port(&wanted.port, seed, &Workers::new(2, &Quiet)).unwrap(),
            repeats: run_repeats(&wanted.repeats, seed, &Workers::new(2, &Quiet)).unwrap(),
        }
    })
}

/// Runs in which each check finds what it finds in full ones.
pub(super) fn runs() -> AwesomenautsRuns {
    AwesomenautsRuns {
        forced_race: Once::given(forced()),
        annealing_race: Once::given(annealing()),
        totals: Once::given(totals()),
        restarts: Once::given(restarts()),
        batches: Once::given(batches()),
        starts: Once::given(starts()),
        port: Once::given(small().port.clone()),
        repeats: Once::given(repeats()),
        ..AwesomenautsRuns::default()
    }
}

fn forced() -> RaceReport {
    let mut report = small().forced.clone();
    report.config.pools = 40;
    report.forced.gain = t_test(0.003, 0.0006, 39.0);
    report.forced.work.mean = 2.0;
    for row in &mut report.rows {
        // A couple of retries, and more: the latter alone are better for certain.
        row.evaluations *= 15;
        let gain = if row.evaluations > 1_000_000 { 0.004 } else { 0.001 };
        row.over_forced = t_test(gain, 0.0007, 39.0);
    }
    report
}

fn annealing() -> RaceReport {
    let mut report = small().annealing.clone();
    for row in &mut report.rows {
        row.over_starting_anew = t_test(0.0048, 0.0007, 19.0);
    }
    report
}

fn totals() -> TotalsReport {
    let mut report = small().totals.clone();
    for row in &mut report.rows {
        set_t(&mut row.own_over_first, 3.0);
        set_t(&mut row.worst_over_first, 3.0);
        row.worst_over_first.difference = 0.0;
        row.worst.mean = row.worst.mean.min(0.7);
    }
    report
}

fn restarts() -> RestartsReport {
    let mut report = small().restarts.clone();
    (report.many_over_few.mean, report.ascent.mean) = (0.0066, 0.05);
    report.config.starts = 20_000;
    report
}

fn batches() -> BatchesReport {
    let mut report = small().batches.clone();
    for step in &mut report.steps {
        set_t(&mut step.total, 9.0);
        step.quality[0].difference = 0.02;
        (step.ping_factor[0].difference, step.ping_factor[2].difference) = (0.05, 0.01);
    }
    report
}

fn starts() -> StartsReport {
    let mut report = small().starts.clone();
    report.singly.over_end = t_test(0.01, 0.001, 19.0);
    for row in &mut report.rows {
        let gain = if row.factor == "player_skill" { 0.06 } else { -0.03 };
        row.sorted_over_end = t_test(gain, 0.003, 19.0);
        row.skill_alone.mean = row.sorted.mean;
        row.sorted_over_random.difference = 0.0;
    }
    report
}

fn repeats() -> RepeatsReport {
    let mut report = small().repeats.clone();
    report.fewer = t_test(0.3, 0.03, 11.0);
    report.others_lose = t_test(0.001, 0.0002, 11.0);
    report
}

fn with(runs: AwesomenautsRuns) -> Inputs {
    let mut inputs = inputs();
    inputs.awesomenauts.runs = runs;
    inputs
}

#[test]
fn a_few_hundred_starts_leave_the_night_open() {
    let mut few = restarts();
    few.config.starts = 400;
    let found = found(
        "AWN-overnight",
        &with(AwesomenautsRuns {
            restarts: Once::given(few),
            ..AwesomenautsRuns::default()
        }),
    );
    assert!(found.is_open(), "{found:?}");
}

#[test]
fn what_sixteen_optima_find_does_not_decide_on_a_couple_of_retries() {
    let mut report = forced();
    for row in report.rows.iter_mut().filter(|row| row.evaluations > 1_000_000) {
        row.over_forced = t_test(0.05, 0.001, 39.0);
    }
    let found = found(
        "AWN-restart",
        &with(AwesomenautsRuns {
            forced_race: Once::given(report),
            ..AwesomenautsRuns::default()
        }),
    );
    assert_eq!(
        found.verdict,
        crate::check::verdict::Verdict::NotConfirmed,
        "{found:?}"
    );
}
