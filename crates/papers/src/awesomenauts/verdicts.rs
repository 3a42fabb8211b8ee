//! What the author of the Awesomenauts article states, each with the check that its claim has.
use crate::check::verdict::{Finding, InShort, Statement, in_short, says};
use anyhow::Context;
use matchwright_report::count;
use matchwright_scoring::{PowerMean, Total};

use super::claims::search::{self, couple_of_retries, factor, row};
use super::reproduction::AwesomenautsReproduction;
use super::rounds_page;
use super::search::{
    BatchesReport, Contender, EUROPE, FAR, PortReport, RaceReport, RestartsReport, StartsReport, TotalsReport,
};

pub(crate) fn short_section(all: &AwesomenautsReproduction) -> InShort {
    let search = [
        forced(&all.race),
        anew(&all.race),
        forced_then_anew(&all.race),
        annealing(&all.race),
        overnight(&all.restarts),
        batches(&all.batches),
        sorted(&all.starts),
        steps(&all.port),
        worst(&all.totals),
        bound(&all.race),
    ];
    in_short(rounds_page::statements(all).into_iter().chain(search))
}

/// A difference in percent of a perfect match.
fn percent(value: f64) -> String {
    format!("{:.2} %", 100.0 * value)
}

fn forced(race: &RaceReport) -> Statement {
    let forced = &race.forced;
    let text = format!(
        "A dozen forced swaps make the result slightly better and take much longer: they add {} at {:.1} times the evaluations. A second start adds {} at {:.1} times.",
        percent(forced.gain.difference),
        forced.work.mean,
        percent(forced.second_start.difference),
        forced.second_work.mean
    );
    says(text, search::forced(race))
}

fn anew(race: &RaceReport) -> Statement {
    let anew = row(race, Contender::StartingAnew)?;
    let few = couple_of_retries(race)?;
    let text = format!(
        "A couple of retries are much better than forced swaps. Here they are better by {} at {} evaluations, and by {} at {}.",
        percent(few.over_forced.difference),
        count(few.evaluations),
        percent(anew.over_forced.difference),
        count(anew.evaluations)
    );
    says(text, search::anew(race)?)
}

fn forced_then_anew(race: &RaceReport) -> Statement {
    let test = row(race, Contender::ForcedThenAnew)?.over_starting_anew;
    let text = format!(
        "Forced swaps need not be given up for that: the two together differ from starting anew alone by {} (standard error {}).",
        percent(test.difference),
        percent(test.standard_error)
    );
    says(text, search::forced_then_anew(race)?)
}

fn annealing(race: &RaceReport) -> Statement {
    let reader = row(race, Contender::ReadersAnnealing)?;
    let ours = row(race, Contender::OurAnnealing)?;
    let text = format!(
        "The reader's annealing is better than starting anew, though the reader doubted that it would be by much: by {}; ours by {}. It ends {} below the bound.",
        percent(reader.over_starting_anew.difference),
        percent(ours.over_starting_anew.difference),
        percent(ours.gap.mean)
    );
    says(text, search::annealing(race)?)
}

fn overnight(report: &RestartsReport) -> Statement {
    let ours = report.ours_over_many.mean;
    let text = format!(
        "Many starts are surprisingly little better than a few: {} starts add {} to the best of {}, where the first ascent alone brings {}. Our annealing of a million exchanges is {} {} the best of them.",
        count(report.config.starts as u64),
        percent(report.many_over_few.mean),
        report.config.few,
        percent(report.ascent.mean),
        percent(ours.abs()),
        if ours < 0.0 { "below" } else { "above" }
    );
    says(text, search::overnight(report))
}

fn batches(report: &BatchesReport) -> Statement {
    let of = |size: usize| report.rows.iter().find(|row| row.size == size);
    let (small, large) = of(100)
        .zip(of(300))
        .context("there are no batches of 100 and of 300")?;
    let mut beyond = report.steps.iter().filter(|step| step.sizes.0 >= 300).peekable();
    let goes_on = beyond.peek().is_some() && beyond.all(|step| step.total.t > 3.0);
    let text = format!(
        "Batches get better up to 300 players, those of far regions most: from 100 to 300 their ping with opponents falls from {:.0} to {:.0} ms, that of Europe's players from {:.0} to {:.0}. {}",
        small.groups[FAR].ping.mean,
        large.groups[FAR].ping.mean,
        small.groups[EUROPE].ping.mean,
        large.groups[EUROPE].ping.mean,
        if goes_on {
            "Beyond 300 it goes on."
        } else {
            "Beyond 300 no further difference is seen."
        }
    );
    says(text, search::batches(report)?)
}

fn sorted(report: &StartsReport) -> Statement {
    let (skill, ping) = (factor(report, "player_skill")?, factor(report, "enemy_ping")?);
    let premades = factor(report, "premades")?;
    let text = format!(
        "Sorting by skill gives the best skills of players ({:.3}; {:.3} at the end of the search, {:.3} by a search for skill alone), and pings and premades like those of a random order ({:.3} and {:.3}; {:.3} and {:.3} at the end).",
        skill.sorted.mean,
        skill.end.mean,
        skill.skill_alone.mean,
        ping.sorted.mean,
        premades.sorted.mean,
        ping.end.mean,
        premades.end.mean
    );
    says(text, search::start(report)?)
}

fn steps(report: &PortReport) -> Statement {
    let text = format!(
        "At the end of the port's search no swap improves anything, tried by code of its own; one step over {} players without parties looks at {} swaps and {} splits.",
        report.config.players / 6 * 6,
        count(report.count.swaps),
        count(report.count.splits)
    );
    says(text, search::local_optimum(report).and(search::counted(report)))
}

fn worst(report: &TotalsReport) -> Statement {
    let rows = &report.rows;
    let first = rows.first().context("no total was tried")?;
    let best = rows.iter().max_by(|a, b| a.worst.mean.total_cmp(&b.worst.mean));
    let best = best.unwrap_or(first);
    let square = Total::from(PowerMean::new(2.0)?);
    let square = rows.iter().find(|row| row.made_for == square);
    let square = square.context("the root mean square was not tried")?;
    let text = format!(
        "The worst matches can mostly not be improved: of {:.3} under the mean, no other total makes more than {:.3} ({}). Root mean square, median and 10th percentile do nothing for them.",
        first.worst.mean, best.worst.mean, best.made_for
    );
    let words = "root mean square: does nothing certain for the worst match";
    let gain = square.worst_over_first;
    says(
        text,
        search::totals(report).require_tested(gain.t < 2.0, gain, words),
    )
}

fn bound(race: &RaceReport) -> Statement {
    let above = race.above_bound;
    let text = format!("No total of any search is above the proven bound: {above} are.");
    let found = Finding::new().samples(race.config.pools, "pools");
    says(text, found.require(above == 0, "none above the bound"))
}
