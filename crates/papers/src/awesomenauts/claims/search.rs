//! The search and what its author says of it: AWN-300, init, steepest, count, speed, forced, restart, overnight, sa.

use std::time::Instant;

use crate::awesomenauts::{
    BATCH_GROUPS, Contender, FactorRow, RaceReport, RaceRow, StartsReport, Total, awesomenauts_policy,
};
use anyhow::{Context, Result};
use matchwright_lobby::{Annealing, Awesomenauts, LobbySolver};
use matchwright_scoring::Pool;
use matchwright_sim::adapt::{LobbyScoring, lobby_pool};
use matchwright_sim::population::lobby_players;
use matchwright_sim::statistics::MeanTest;

use crate::claims::inputs::Inputs;
use crate::claims::numbers::{larger, smaller};
use crate::claims::{Check, Found};

pub(crate) const CHECKS: &[Check] = &[
    Check::search("AWN-300", batches),
    Check::search("AWN-init", start),
    Check::search("AWN-steepest", local_optimum),
    Check::search("AWN-count", counted),
    Check::timed("AWN-speed", speed),
    Check::search("AWN-forced", forced),
    Check::search("AWN-restart", anew),
    Check::search("AWN-overnight", overnight),
    Check::search("AWN-sa", annealing),
];

/// Qualities below this are nothing to speak of: one percent of a match.
const SLIGHT: f64 = 0.01;

/// Adds a paired difference.
fn paired(found: Found, name: impl Into<String>, test: &MeanTest) -> Found {
    found.estimate(name, test.difference, test.standard_error, 4)
}

fn batches(inputs: &Inputs) -> Result<Found> {
    let report = inputs.batches()?;
    let place = |group: &str| BATCH_GROUPS.iter().position(|one| *one == group);
    let far = place("far away").context("a group is far away")?;
    let europe = place("Europe").context("a group is Europe")?;
    let mut found = Found::new();
    for row in &report.rows {
        let of = &row.groups[far];
        found = found
            .estimate(
                format!("far away, by {}: ping factor", row.size),
                of.ping_factor.mean,
                of.ping_factor.standard_error,
                3,
            )
            .estimate("quality", of.quality.mean, of.quality.standard_error, 3);
    }
    for step in &report.steps {
        let (small, large) = step.sizes;
        let (ping, home) = (&step.ping_factor[far], &step.ping_factor[europe]);
        found = paired(found, format!("all matches, {small} to {large}"), &step.total)
            .require(
                step.total.t > inputs.searches.clearly,
                format!("{large} are better than {small}"),
            )
            .require(
                step.quality[far].difference > 0.0,
                format!("those far away gain from {small} to {large}"),
            )
            .require(
                ping.difference > home.difference,
                format!("their pings gain more than Europe's from {small} to {large}"),
            );
    }
    let last = report.rows.last().map(|row| row.size);
    Ok(found.require(last == Some(300), "up to 300"))
}

/// The row of a factor.
fn factor<'a>(report: &'a StartsReport, name: &str) -> Result<&'a FactorRow> {
    report
        .row(name)
        .with_context(|| format!("there is no factor `{name}`"))
}

fn start(inputs: &Inputs) -> Result<Found> {
    let report = inputs.starts()?;
    let mut found = Found::new();
    for row in &report.rows {
        found = found
            .estimate(
                format!("{}: sorted", row.factor),
                row.sorted.mean,
                row.sorted.standard_error,
                3,
            )
            .number("at the end", row.end.mean, 3);
    }
    let clearly = inputs.searches.clearly;
    let skill = factor(report, "player_skill")?;
    let near = skill.skill_alone.mean - skill.sorted.mean;
    found = found
        .number("players' skill, made for skill alone", skill.skill_alone.mean, 3)
        .require(
            skill.sorted_over_end.t > clearly,
            "players' skill is better than at the end",
        )
        .require(near < SLIGHT, "and as good as it can be, to a percent");
    for name in ["enemy_ping", "premades"] {
        let row = factor(report, name)?;
        found = found
            .require(
                -row.sorted_over_end.t > clearly,
                format!("{name} is worse than at the end"),
            )
            .require(
                row.sorted_over_random.difference < 2.0 * SLIGHT,
                format!("{name} is no better than in a random order"),
            );
    }
    let total = factor(report, "total")?;
    Ok(found.require(-total.sorted_over_end.t > clearly, "and the whole is worse"))
}

fn local_optimum(inputs: &Inputs) -> Result<Found> {
    let report = inputs.port()?;
    Ok(Found::new()
        .count("pools", report.config.pools as u64)
        .number("best swap at the start gains", report.best_at_start.mean, 3)
        .number("at the end", report.best_at_end, 3)
        .number("swaps in between", report.swaps.mean, 1)
        .require(report.best_at_start.mean > 1e-3, "there is something to gain")
        .require(report.swaps.mean > 1.0, "swap after swap")
        .require(report.best_at_end <= 1e-9, "no swap improves the end"))
}

fn counted(inputs: &Inputs) -> Result<Found> {
    let count = inputs.port()?.count;
    Ok(Found::new()
        .count("swaps", count.swaps)
        .count("splits", count.splits)
        .count("as the port says", count.reported)
        .require(count.swaps == 4_320, "4,320 swaps")
        .require(count.splits == 86_400, "86,400 splits")
        .require(count.reported == count.splits, "the port reports them"))
}

/// The port and ours in one run: who does what in a second depends on the machine.
fn speed(inputs: &Inputs) -> Result<Found> {
    const MOVES: u64 = 300_000;
    let pool = Pool::new(lobby_players(&inputs.searches.port.world, inputs.seed)?)?;
    let policy = awesomenauts_policy()?;
    let scoring = LobbyScoring {
        pool: &pool,
        policy: &policy,
    };
    let lobbies = lobby_pool(&pool, (3, 3))?;
    let (mut swaps, mut splits) = (0, 0);
    // The fastest of several: what else the machine does only slows.
    let (mut port, mut ours) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..5 {
        (swaps, splits) = (0, 0);
        let begin = Instant::now();
        Awesomenauts::new(1).solve_told(&lobbies, &scoring, &mut |ascent| {
            swaps += ascent.swaps;
            splits += ascent.splits;
        })?;
        port = smaller(port, begin.elapsed().as_secs_f64());
        let begin = Instant::now();
        Annealing::new(1).with_moves(MOVES).solve(&lobbies, &scoring)?;
        ours = smaller(ours, begin.elapsed().as_secs_f64());
    }
    let (carried, tried) = (swaps as f64 / port, splits as f64 / port);
    let exchanges = MOVES as f64 / ours;
    // Two matches of ten splits each, unless parties forbid some.
    let ratio = exchanges / (tried / 20.0);
    Ok(Found::new()
        .number("port: swaps carried out a second", carried, 0)
        .number("splits tried a second, millions,", tried / 1e6, 1)
        .number("ours: exchanges tried a second, millions,", exchanges / 1e6, 1)
        .number("as a multiple of the port's swaps", ratio, 1)
        .require(
            carried > 300.0,
            "the port carries out a few hundred swaps a second",
        )
        .require(ratio > 1.0, "ours tries more")
        .note("times depend on the machine"))
}

fn row(report: &RaceReport, contender: Contender) -> Result<&RaceRow> {
    let row = report.last(contender);
    row.with_context(|| format!("{} did not take part", contender.words()))
}

fn forced(inputs: &Inputs) -> Result<Found> {
    let forced = &inputs.forced_race()?.forced;
    Ok(paired(Found::new(), "a dozen forced swaps add", &forced.gain)
        .number("evaluations, as a multiple,", forced.work.mean, 2)
        .estimate(
            "a second start adds",
            forced.second_start.difference,
            forced.second_start.standard_error,
            4,
        )
        .number("at a multiple of", forced.second_work.mean, 2)
        .require(forced.gain.t > inputs.searches.clearly, "they help")
        .require(forced.gain.difference < SLIGHT, "but little")
        .require(forced.work.mean > 1.5, "and cost much"))
}

fn anew(inputs: &Inputs) -> Result<Found> {
    let report = inputs.forced_race()?;
    let (anew, alone) = (
        row(report, Contender::StartingAnew)?,
        row(report, Contender::ForcedSwaps)?,
    );
    let both = row(report, Contender::ForcedThenAnew)?;
    let found = Found::new()
        .count("evaluations", anew.evaluations)
        .number("starting anew", anew.total.mean, 4)
        .number("forced swaps alone", alone.total.mean, 4);
    let found = paired(found, "difference", &anew.over_forced);
    Ok(
        paired(found, "both, less starting anew", &both.over_starting_anew)
            .require(
                anew.over_forced.t > inputs.searches.clearly,
                "starting anew is better than forced swaps alone",
            )
            .note("forced swaps at each optimum, then anew, do about as well as starting anew alone"),
    )
}

fn overnight(inputs: &Inputs) -> Result<Found> {
    let report = inputs.restarts()?;
    let (few, starts) = (report.config.few, report.config.starts);
    let (more, ascent) = (&report.many_over_few, &report.ascent);
    Ok(Found::new()
        .estimate(
            format!("best of {starts} less best of {few}"),
            more.mean,
            more.standard_error,
            4,
        )
        .number("the first ascent brings", ascent.mean, 4)
        .estimate(
            "our annealing less best of all",
            report.ours_over_many.mean,
            report.ours_over_many.standard_error,
            4,
        )
        .require(starts >= 100 * few.max(1) / 2, "many against few")
        .require(more.mean > 0.0, "many are better")
        .require(more.mean < SLIGHT, "by less than a percent")
        .require(more.mean < 0.2 * ascent.mean, "and little beside one ascent"))
}

fn annealing(inputs: &Inputs) -> Result<Found> {
    let clearly = inputs.searches.clearly;
    let race = inputs.annealing_race()?;
    let reader = row(race, Contender::ReadersAnnealing)?;
    let found = Found::new().count("evaluations", reader.evaluations);
    let mut found = paired(
        found,
        "a reader's annealing over starting anew",
        &reader.over_starting_anew,
    )
    .require(reader.over_starting_anew.t > clearly, "annealing is better");
    let totals = inputs.totals()?;
    let mut least = f64::INFINITY;
    for row in &totals.rows {
        let name = row.made_for.words();
        found = paired(
            found,
            format!("made for {name}: worst match, against mean,"),
            &row.worst_over_first,
        );
        found = match row.made_for {
            Total::Quantile(_) => found
                .number("its own gain", row.own_over_first.difference, 4)
                .require(
                    row.own_over_first.t > 2.0,
                    format!("{name}: better by its own measure"),
                )
                .require(
                    row.worst_over_first.difference < SLIGHT,
                    format!("{name}: does nothing for the worst match"),
                ),
            Total::Power(exponent) if exponent <= -4.0 => found.require(
                row.worst_over_first.t > 2.0,
                format!("{name}: lifts the worst match"),
            ),
            Total::Power(_) => found,
        };
        least = smaller(least, larger(row.worst.mean, 0.0));
    }
    Ok(found
        .require(totals.rows.len() >= 4, "several totals")
        .require(least < 0.8, "the worst match stays bad"))
}
