//! Checks of Awesomenauts' search hold on figures as they should be, and are seen to fail on others.

use std::sync::OnceLock;

use crate::awesomenauts::{
    BatchesReport, Contender, PortReport, RaceReport, RepeatsReport, RestartsReport, StartsReport,
    TotalsReport, run_batches, run_port, run_race, run_repeats, run_restarts, run_starts, run_totals,
};
use crate::workers::Workers;
use matchwright_scoring::{PowerMean, Total};
use matchwright_sim::progress::Quiet;

use super::{Inputs, breaks, found, holds, inputs, set_t};
use crate::awesomenauts::claims::inputs::AwesomenautsInputs;

/// Runs that nobody need wait for: right in form, not always in level.
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
        let mut wanted = AwesomenautsInputs::default();
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

fn forced(change: impl FnOnce(&mut RaceReport)) -> Inputs {
    let mut report = small().forced.clone();
    set_t(&mut report.forced.gain, 5.0);
    report.forced.gain.difference = 0.003;
    report.forced.work.mean = 2.0;
    for row in &mut report.rows {
        // A couple of retries, and more.
        row.evaluations *= 15;
        (row.over_forced.difference, row.over_forced.standard_error) = (0.03, 0.001);
        set_t(&mut row.over_forced, 30.0);
    }
    change(&mut report);
    inputs().with_forced_race(report)
}

#[test]
fn checks_of_forced_swaps_notice_other_gains_and_costs() {
    holds("AWN-forced", &forced(|_| {}));
    breaks(
        "AWN-forced",
        &forced(|report| set_t(&mut report.forced.gain, 1.0)),
    );
    breaks(
        "AWN-forced",
        &forced(|report| report.forced.gain.difference = 0.05),
    );
    breaks("AWN-forced", &forced(|report| report.forced.work.mean = 1.1));
    holds("AWN-restart", &forced(|_| {}));
    breaks(
        "AWN-restart",
        &forced(|report| set_t(&mut report.rows[0].over_forced, 2.0)),
    );
    // Clear, and not much.
    breaks(
        "AWN-restart",
        &forced(|report| report.rows[0].over_forced.difference = 0.003),
    );
    // What more work than a couple of retries finds is another matter.
    let later = |report: &mut RaceReport| {
        let place = report
            .rows
            .iter()
            .rposition(|row| row.contender == Contender::StartingAnew);
        set_t(&mut report.rows[place.unwrap()].over_forced, 0.5);
    };
    holds("AWN-restart", &forced(later));
    let gone = |report: &mut RaceReport| report.rows.retain(|row| row.contender != Contender::StartingAnew);
    breaks("AWN-restart", &forced(gone));
}

fn annealing(change: impl FnOnce(&mut RaceReport, &mut TotalsReport)) -> Inputs {
    let (mut race, mut totals) = (small().annealing.clone(), small().totals.clone());
    // As the reader supposes.
    for row in &mut race.rows {
        set_t(&mut row.over_starting_anew, 1.0);
    }
    for row in &mut totals.rows {
        set_t(&mut row.own_over_first, 3.0);
        set_t(&mut row.worst_over_first, 3.0);
        row.worst_over_first.difference = 0.0;
        row.worst.mean = row.worst.mean.min(0.7);
    }
    change(&mut race, &mut totals);
    inputs().with_annealing_race(race).with_totals(totals)
}

fn total_row(totals: &mut TotalsReport, total: Total) -> &mut crate::awesomenauts::TotalRow {
    totals.rows.iter_mut().find(|row| row.made_for == total).unwrap()
}

#[test]
fn the_check_of_annealing_and_totals_notices_what_does_not_help() {
    holds("AWN-sa", &annealing(|_, _| {}));
    let reader = |report: &mut RaceReport| {
        let row = report
            .rows
            .iter_mut()
            .find(|row| row.contender == Contender::ReadersAnnealing);
        set_t(&mut row.unwrap().over_starting_anew, 6.0);
    };
    breaks("AWN-sa", &annealing(|race, _| reader(race)));
    breaks(
        "AWN-sa",
        &annealing(|_, totals| {
            set_t(
                &mut total_row(totals, PowerMean::new(-4.0).unwrap().into()).worst_over_first,
                0.5,
            );
        }),
    );
    breaks(
        "AWN-sa",
        &annealing(|_, totals| set_t(&mut total_row(totals, Total::MEDIAN).own_over_first, 0.5)),
    );
    breaks(
        "AWN-sa",
        &annealing(|_, totals| {
            total_row(totals, Total::quantile(0.1).unwrap())
                .worst_over_first
                .difference = 0.1;
        }),
    );
    breaks("AWN-sa", &annealing(|_, totals| totals.rows.truncate(2)));
    breaks(
        "AWN-sa",
        &annealing(|_, totals| {
            let mean = totals.rows[0].mean.mean;
            // One total under which the worst match is nearly as good as the others.
            totals.rows.last_mut().unwrap().worst.mean = mean - 0.02;
        }),
    );
}

#[test]
fn the_check_of_many_starts_notices_when_they_are_worth_it() {
    let with = |change: &dyn Fn(&mut RestartsReport)| {
        let mut report = small().restarts.clone();
        (report.many_over_few.mean, report.ascent.mean) = (0.004, 0.05);
        report.config.starts = 20_000;
        change(&mut report);
        inputs().with_restarts(report)
    };
    holds("AWN-overnight", &with(&|_| {}));
    breaks("AWN-overnight", &with(&|report| report.many_over_few.mean = 0.0));
    breaks("AWN-overnight", &with(&|report| report.many_over_few.mean = 0.02));
    breaks("AWN-overnight", &with(&|report| report.ascent.mean = 0.01));
    breaks("AWN-overnight", &with(&|report| report.config.starts = 20));
    let few = found("AWN-overnight", &with(&|report| report.config.starts = 400));
    assert!(few.is_open(), "{few:?}");
}

#[test]
fn the_check_of_batches_notices_sizes_that_do_not_help() {
    let with = |change: &dyn Fn(&mut BatchesReport)| {
        let mut report = small().batches.clone();
        for step in &mut report.steps {
            set_t(&mut step.total, 9.0);
            step.quality[0].difference = 0.02;
            (step.ping_factor[0].difference, step.ping_factor[2].difference) = (0.05, 0.01);
        }
        change(&mut report);
        inputs().with_batches(report)
    };
    holds("AWN-300", &with(&|_| {}));
    breaks("AWN-300", &with(&|report| set_t(&mut report.steps[2].total, 1.0)));
    breaks(
        "AWN-300",
        &with(&|report| report.steps[1].quality[0].difference = -0.01),
    );
    breaks(
        "AWN-300",
        &with(&|report| report.steps[0].ping_factor[2].difference = 0.06),
    );
    breaks("AWN-300", &with(&|report| report.rows.truncate(3)));
}

fn factor_row<'a>(report: &'a mut StartsReport, name: &str) -> &'a mut crate::awesomenauts::FactorRow {
    report.rows.iter_mut().find(|row| row.factor == name).unwrap()
}

#[test]
fn the_check_of_the_start_notices_a_start_without_its_vices_or_virtues() {
    let with = |change: &dyn Fn(&mut StartsReport)| {
        let mut report = small().starts.clone();
        for row in &mut report.rows {
            let good = row.factor.ends_with("_skill");
            set_t(&mut row.sorted_over_end, if good { 9.0 } else { -9.0 });
            row.skill_alone.mean = row.sorted.mean;
            row.sorted_over_random.difference = 0.0;
        }
        change(&mut report);
        inputs().with_starts(report)
    };
    holds("AWN-init", &with(&|_| {}));
    breaks(
        "AWN-init",
        &with(&|report| set_t(&mut factor_row(report, "player_skill").sorted_over_end, 1.0)),
    );
    breaks(
        "AWN-init",
        &with(&|report| factor_row(report, "player_skill").skill_alone.mean += 0.1),
    );
    breaks(
        "AWN-init",
        &with(&|report| set_t(&mut factor_row(report, "team_skill").sorted_over_end, -9.0)),
    );
    breaks(
        "AWN-init",
        &with(&|report| set_t(&mut factor_row(report, "enemy_ping").sorted_over_end, 1.0)),
    );
    breaks(
        "AWN-init",
        &with(&|report| factor_row(report, "premades").sorted_over_random.difference = 0.1),
    );
    breaks(
        "AWN-init",
        &with(&|report| set_t(&mut factor_row(report, "total").sorted_over_end, 0.0)),
    );
}

#[test]
fn the_checks_of_the_port_hold_and_notice_swaps_that_are_left_and_other_counts() {
    let with = |change: &dyn Fn(&mut PortReport)| {
        let mut report = small().port.clone();
        change(&mut report);
        inputs().with_port(report)
    };
    for id in ["AWN-steepest", "AWN-count"] {
        holds(id, &with(&|_| {}));
    }
    breaks("AWN-steepest", &with(&|report| report.best_at_end = 1e-6));
    breaks("AWN-steepest", &with(&|report| report.best_at_end = f64::NAN));
    breaks("AWN-steepest", &with(&|report| report.swaps.mean = 0.0));
    breaks("AWN-count", &with(&|report| report.count.swaps += 1));
    breaks("AWN-count", &with(&|report| report.count.splits -= 1));
    breaks("AWN-count", &with(&|report| report.count.reported += 1));
    // A search that is cut off is at no local optimum.
    let mut cut = inputs();
    cut.awesomenauts.port.most_splits = 20_000;
    cut.awesomenauts.port.pools = 2;
    breaks("AWN-steepest", &cut);
}

#[test]
fn the_check_of_repeats_notices_a_factor_that_does_nothing_or_costs_much() {
    let with = |change: &dyn Fn(&mut RepeatsReport)| {
        let mut report = small().repeats.clone();
        set_t(&mut report.fewer, 9.0);
        (report.others_lose.difference, report.others_lose.standard_error) = (0.001, 0.0005);
        report.others_lose.degrees = 11.0;
        change(&mut report);
        inputs().with_repeats(report)
    };
    holds("AWN-repeat", &with(&|_| {}));
    breaks("AWN-repeat", &with(&|report| set_t(&mut report.fewer, 1.0)));
    breaks(
        "AWN-repeat",
        &with(&|report| report.others_lose.difference = 0.02),
    );
}
