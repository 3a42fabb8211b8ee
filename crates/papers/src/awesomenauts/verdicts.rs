//! What the figures say of the author's statements.

use crate::awesomenauts::{BATCH_GROUPS, Contender, RaceRow, Total};
use matchwright_report::{Callout, Section};
use matchwright_sim::statistics::MeanTest;

use super::reproduction::AwesomenautsReproduction;

/// A statement, and whether the figures bear it out.
struct Verdict {
    holds: bool,
    words: String,
}

pub(crate) fn short_section(all: &AwesomenautsReproduction) -> Section {
    let verdicts = [
        Some(forced(all)),
        anew(all),
        both(all),
        annealing(all),
        Some(many(all)),
        batches(all),
        sorted(all),
        Some(steps(all)),
        worst(all),
        Some(bound(all)),
    ];
    verdicts
        .into_iter()
        .flatten()
        .fold(Section::new("In short"), |section, verdict| {
            let kind = if verdict.holds {
                Callout::Success
            } else {
                Callout::Failure
            };
            section.callout(kind, verdict.words)
        })
}

/// Three standard errors of some pools; of two or three they would be no proof, which p says.
fn clear(test: &MeanTest) -> bool {
    test.t > 3.0 && test.p < 0.02
}

/// A difference in percent of a perfect match.
fn percent(value: f64) -> String {
    format!("{:.2} %", 100.0 * value)
}

fn last(all: &AwesomenautsReproduction, contender: Contender) -> Option<&RaceRow> {
    all.race.last(contender)
}

fn forced(all: &AwesomenautsReproduction) -> Verdict {
    let forced = &all.race.forced;
    Verdict {
        holds: clear(&forced.gain) && forced.gain.difference < 0.01 && forced.work.mean > 1.5,
        words: format!(
            "A dozen forced swaps make the result slightly better and take much longer: they add {} at {:.1} times the evaluations. A second start adds {} at {:.1} times.",
            percent(forced.gain.difference),
            forced.work.mean,
            percent(forced.second_start.difference),
            forced.second_work.mean
        ),
    }
}

fn anew(all: &AwesomenautsReproduction) -> Option<Verdict> {
    let row = last(all, Contender::StartingAnew)?;
    Some(Verdict {
        holds: clear(&row.over_forced),
        words: format!(
            "Starting anew is better than forced swaps alone: by {} at {} evaluations.",
            percent(row.over_forced.difference),
            matchwright_report::count(row.evaluations)
        ),
    })
}

fn both(all: &AwesomenautsReproduction) -> Option<Verdict> {
    let test = &last(all, Contender::ForcedThenAnew)?.over_starting_anew;
    let even = test.t.abs() < 3.0;
    let beside = format!(
        "the two together differ from starting anew alone by {} (standard error {})",
        percent(test.difference),
        percent(test.standard_error)
    );
    Some(Verdict {
        holds: even,
        words: if even {
            format!("Forced swaps need not be given up for that: {beside}.")
        } else {
            format!("It matters whether forced swaps precede each new start: {beside}.")
        },
    })
}

fn annealing(all: &AwesomenautsReproduction) -> Option<Verdict> {
    let (reader, ours) = (
        last(all, Contender::ReadersAnnealing)?,
        last(all, Contender::OurAnnealing)?,
    );
    Some(Verdict {
        holds: clear(&reader.over_starting_anew) && clear(&ours.over_starting_anew),
        words: format!(
            "The reader's annealing is better than starting anew, though he doubted that it would be by much: by {}; ours by {}. It ends {} below the bound.",
            percent(reader.over_starting_anew.difference),
            percent(ours.over_starting_anew.difference),
            percent(ours.gap.mean)
        ),
    })
}

fn many(all: &AwesomenautsReproduction) -> Verdict {
    let report = &all.restarts;
    let more = &report.many_over_few;
    Verdict {
        holds: more.mean > 0.0 && more.mean < 0.01 && more.mean < 0.2 * report.ascent.mean,
        words: format!(
            "Many starts are surprisingly little better than a few: {} starts add {} to the best of {}, where the first ascent alone brings {}. Our annealing of a million exchanges is {} {} the best of them.",
            matchwright_report::count(report.config.starts as u64),
            percent(more.mean),
            report.config.few,
            percent(report.ascent.mean),
            percent(report.ours_over_many.mean.abs()),
            if report.ours_over_many.mean < 0.0 {
                "below"
            } else {
                "above"
            }
        ),
    }
}

fn batches(all: &AwesomenautsReproduction) -> Option<Verdict> {
    let far = BATCH_GROUPS.iter().position(|group| *group == "far away")?;
    let europe = BATCH_GROUPS.iter().position(|group| *group == "Europe")?;
    let up_to_300 = all.batches.steps.iter().filter(|step| step.sizes.1 <= 300);
    let better = up_to_300.clone().all(|step| {
        step.total.t > 3.0
            && step.quality[far].difference > 0.0
            && step.ping_factor[far].difference > step.ping_factor[europe].difference
    });
    let of = |size: usize| all.batches.rows.iter().find(|row| row.size == size);
    let (small, large) = (of(100)?, of(300)?);
    let beyond = all.batches.steps.iter().filter(|step| step.sizes.0 >= 300);
    let goes_on = beyond.clone().count() > 0 && beyond.clone().all(|step| step.total.t > 3.0);
    Some(Verdict {
        holds: better,
        words: format!(
            "Batches get better up to 300 players, those of far regions most: from 100 to 300 their ping with enemies falls from {:.0} to {:.0} ms, that of Europe's players from {:.0} to {:.0}. {}",
            small.groups[far].ping.mean,
            large.groups[far].ping.mean,
            small.groups[europe].ping.mean,
            large.groups[europe].ping.mean,
            if goes_on {
                "Beyond 300 it goes on."
            } else {
                "Beyond 300 nothing more is to be seen."
            }
        ),
    })
}

fn sorted(all: &AwesomenautsReproduction) -> Option<Verdict> {
    let row = |name: &str| all.starts.row(name);
    let (skill, ping, premades) = (row("player_skill")?, row("enemy_ping")?, row("premades")?);
    let as_random = |test: &MeanTest| test.difference < 0.02;
    Some(Verdict {
        holds: clear(&skill.sorted_over_end)
            && skill.skill_alone.mean - skill.sorted.mean < 0.01
            && -ping.sorted_over_end.t > 3.0
            && -premades.sorted_over_end.t > 3.0
            && as_random(&ping.sorted_over_random)
            && as_random(&premades.sorted_over_random),
        words: format!(
            "Sorting by skill gives the best skills of players ({:.3}; {:.3} at the end of the search, {:.3} by a search for skill alone), and pings and premades like those of a random order ({:.3} and {:.3}; {:.3} and {:.3} at the end).",
            skill.sorted.mean,
            skill.end.mean,
            skill.skill_alone.mean,
            ping.sorted.mean,
            premades.sorted.mean,
            ping.end.mean,
            premades.end.mean
        ),
    })
}

fn steps(all: &AwesomenautsReproduction) -> Verdict {
    let report = &all.port;
    Verdict {
        holds: report.best_at_end <= 1e-9 && report.count.splits == report.count.reported,
        words: format!(
            "At the end of the port's search no swap improves anything, tried by code of its own; one step over {} players who came alone looks at {} swaps and {} splits.",
            report.config.players / 6 * 6,
            matchwright_report::count(report.count.swaps),
            matchwright_report::count(report.count.splits)
        ),
    }
}

fn worst(all: &AwesomenautsReproduction) -> Option<Verdict> {
    let rows = || all.totals.rows.iter();
    let first = rows().next()?;
    let best = rows().max_by(|a, b| a.worst.mean.total_cmp(&b.worst.mean))?;
    let square = rows().find(|row| row.made_for == Total::Power(2.0))?;
    let quantiles = rows().filter(|row| matches!(row.made_for, Total::Quantile(_)));
    let quantiles_help = quantiles
        .clone()
        .any(|row| row.worst_over_first.difference > 0.01);
    Some(Verdict {
        holds: best.worst.mean < 0.8 && square.worst_over_first.t < 2.0 && !quantiles_help,
        words: format!(
            "The worst matches are mostly beyond help: of {:.3} under the mean, no other total makes more than {:.3} ({}). Root mean square, median and 10th percentile do nothing for them.",
            first.worst.mean,
            best.worst.mean,
            best.made_for.words()
        ),
    })
}

fn bound(all: &AwesomenautsReproduction) -> Verdict {
    Verdict {
        holds: all.race.above_bound == 0,
        words: format!(
            "No total of any search is above the proven bound: {} are.",
            all.race.above_bound
        ),
    }
}
