//! The page of `matchwright replay`: costs, waits, mismatch against wait, and who waited when.

use matchwright_queue::Time;
use matchwright_report::{
    Axis, Callout, Headline, Page, Plot, Point, Section, Series, brief, count, counted,
};
use matchwright_sim::replay::Fate;

use super::{PolicyAnswer, ReplayAnswer};
use crate::commands::versus::quoted;

/// More things that kept tickets waiting make a plot hard to read.
const MOST_KEEPERS: usize = 6;

/// Points of a curve, and of a cloud of matches.
const POINTS: usize = 400;

/// The page, but for its foot.
pub(crate) fn replay_page(answer: &ReplayAnswer) -> Page {
    let names: Vec<&str> = answer.policies.iter().map(|one| one.name.as_str()).collect();
    Page::new(format!("A log of a queue under {}", names.join(" and ")))
        .answer(answer.answer())
        .headlines(headlines(answer))
        .picture(front_plot(answer).unwrap_or_else(|| mismatch_plot(answer)))
        .section(cost_section(answer))
        .section(Section::new("Waits, and who waited when").plots([wait_plot(answer), pool_plot(answer)]))
        .section(Section::new("Mismatch against wait").plot(mismatch_plot(answer)))
        .section(kept_section(answer))
        .section(overdue_section(answer))
        .files_section(files(answer))
}

fn files(answer: &ReplayAnswer) -> Vec<(&'static str, &'static str)> {
    let has_prices = answer
        .hindsight
        .as_ref()
        .is_some_and(|best| best.prices.is_some());
    let mut files = vec![
        ("Everything, as JSON", "replay.json"),
        ("Every ticket under each policy", "tickets.csv"),
        ("Every match under each policy", "matches.csv"),
        ("Version, command, seed, configuration, hashes", "manifest.json"),
    ];
    files.extend(has_prices.then_some(("A policy that starts from the prices in hindsight", "prices.json")));
    files
}

fn headlines(answer: &ReplayAnswer) -> Vec<Headline> {
    let one = |policy: &PolicyAnswer| {
        let estimate = if answer.patience.is_some() {
            ", estimate"
        } else {
            ""
        };
        let line = format!("cost per player under {}{estimate}", quoted(&policy.name));
        let cost = policy.cost_per_player;
        let cost = cost.map_or_else(|| "none".to_owned(), |cost| brief(cost, 4));
        Headline::new(cost, "", line)
    };
    let mut figures: Vec<Headline> = answer.policies.iter().map(one).collect();
    figures.extend(answer.hindsight.as_ref().map(|best| {
        let line = "per player: no policy pays less on this log";
        Headline::new(brief(best.bound_per_player, 4), "", line)
    }));
    let tickets = if answer.tickets == 1 { "ticket" } else { "tickets" };
    figures.push(Headline::new(
        count(answer.tickets as u64),
        "",
        format!("{tickets} of {}", counted(answer.players, "player", "players")),
    ));
    figures
}

fn cost_section(answer: &ReplayAnswer) -> Section {
    let mut section = Section::new("Costs, waits and quality").open();
    let said = [
        Some(format!("{}.", answer.tail_in_words())),
        answer.recomputed_in_words(),
    ];
    let compared = answer.comparisons_in_words();
    let said = said.into_iter().flatten().chain(compared);
    for words in said.chain(answer.hindsight_in_words(None)) {
        section = section.paragraph(words);
    }
    if let Some(words) = answer.patience_in_words() {
        section = section.callout(Callout::Warning, words);
    }
    section.tables(answer.tables()).callout(
        Callout::Note,
        format!("What cannot be observed: {}.", answer.unobserved.join("; ")),
    )
}

/// Values in rising order as the share of `all` that is at most each, thinned out.
fn shares(mut values: Vec<f64>, all: usize) -> Vec<Point> {
    values.sort_by(f64::total_cmp);
    let known = values.len();
    let step = known.div_ceil(POINTS).max(1);
    let places = (0..known).filter(|place| place % step == 0 || place + 1 == known);
    places
        .map(|place| Point::new(values[place], 100.0 * (place + 1) as f64 / all as f64))
        .collect()
}

/// Mean mismatch against mean wait, a point for each policy, what really happened and the best in hindsight; none of a
/// single point.
fn front_plot(answer: &ReplayAnswer) -> Option<Plot> {
    let of = |one: &PolicyAnswer| Some((one.name.clone(), one.mean_wait()?, one.mismatch.as_ref()?.mean));
    let mut points: Vec<(String, f64, f64)> = answer.rows().filter_map(of).collect();
    points.extend(
        answer
            .hindsight
            .as_ref()
            .map(|best| ("hindsight".to_owned(), best.mean_wait, best.mean_mismatch)),
    );
    if points.len() < 2 {
        return None;
    }
    let plot = Plot::new("Mean mismatch against mean wait")
        .caption("Down and to the left is better. Waits are of all tickets, with a match or without, mismatches of the matches alone.")
        .x(Axis::new("Mean wait").unit("s"))
        .y(Axis::new("Mean mismatch"));
    Some(points.into_iter().fold(plot, |plot, (name, wait, mismatch)| {
        let point = [Point::new(wait, mismatch)];
        plot.series(Series::points(name.as_str(), point).labels([name.as_str()]))
    }))
}

/// What kept tickets waiting, over time: a plot for each policy, a line for each thing that kept most.
fn kept_section(answer: &ReplayAnswer) -> Section {
    let section = Section::new("What kept tickets waiting");
    let asked = answer.policies.iter().filter(|one| !one.kept.is_empty());
    asked
        .fold(section, |section, one| {
            let plot = Plot::new(format!("What kept tickets waiting under {}", one.name))
                .caption(
                    "How many of the tickets that waited each thing kept, by what kept up to ten of them.",
                )
                .x(Axis::new("Time since the first ticket").unit("s"))
                .y(Axis::new("Tickets"));
            let shown = one.kept.iter().take(MOST_KEEPERS);
            let plot = shown.fold(plot, |plot, kept| {
                let moments = one.moments.iter();
                let points = moments.map(|moment| Point::new(moment.at, moment.tickets(&kept.by)));
                plot.series(Series::line(kept.by.words(), points))
            });
            section.plot(plot)
        })
        .tables(answer.kept_table())
}

fn wait_plot(answer: &ReplayAnswer) -> Plot {
    let plot = Plot::new("Waits")
        .caption("How many of all tickets had a match within that time; the others left, were refused, or still wait.")
        .x(Axis::new("Wait").unit("s"))
        .y(Axis::new("Tickets").unit("%").range(0.0, 100.0));
    answer.rows().fold(plot, |plot, one| {
        let points = shares(one.replay.waits(), one.replay.tickets.len() - one.unknown);
        plot.series(Series::step(one.name.as_str(), points))
    })
}

/// How many tickets wait, over time.
fn pool_plot(answer: &ReplayAnswer) -> Plot {
    let plot = Plot::new("Waiting tickets")
        .caption("Tickets that have come, and have neither a match nor left.")
        .x(Axis::new("Time since the first ticket").unit("s"))
        .y(Axis::new("Tickets"));
    let start = answer
        .log
        .tickets()
        .first()
        .map_or(Time::default(), |first| first.came);
    answer.rows().fold(plot, |plot, one| {
        let mut changes: Vec<(f64, f64)> = Vec::new();
        for (logged, replayed) in answer.log.tickets().iter().zip(&one.replay.tickets) {
            if replayed.fate != Fate::Refused && !replayed.waited.is_nan() {
                let came = logged.came.seconds_since(start);
                changes.extend([(came, 1.0), (came + replayed.waited, -1.0)]);
            }
        }
        changes.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut waiting = 0.0;
        let all: Vec<Point> = changes
            .iter()
            .map(|&(time, change)| {
                waiting += change;
                Point::new(time, waiting)
            })
            .collect();
        let step = all.len().div_ceil(2 * POINTS).max(1);
        plot.series(Series::step(
            one.name.as_str(),
            all.into_iter().step_by(step).collect::<Vec<_>>(),
        ))
    })
}

fn mismatch_plot(answer: &ReplayAnswer) -> Plot {
    let plot = Plot::new("Mismatch of a match against its longest wait")
        .caption("Each point is a match; where there are many, only every nth is shown.")
        .x(Axis::new("Longest wait").unit("s"))
        .y(Axis::new("Mismatch"));
    answer.rows().fold(plot, |plot, one| {
        let mut longest: std::collections::HashMap<u64, f64> = std::collections::HashMap::new();
        for ticket in &one.replay.tickets {
            if let Fate::Matched(made) = ticket.fate
                && !ticket.waited.is_nan()
            {
                let wait = longest.entry(made).or_default();
                *wait = wait.max(ticket.waited);
            }
        }
        let point = |made: &matchwright_sim::replay::ReplayedMatch| {
            Point::new(longest.get(&made.id).copied().unwrap_or(0.0), made.mismatch)
        };
        let step = one.replay.matches.len().div_ceil(POINTS).max(1);
        let points: Vec<Point> = one.replay.matches.iter().step_by(step).map(point).collect();
        plot.series(Series::points(one.name.as_str(), points))
    })
}

fn overdue_section(answer: &ReplayAnswer) -> Section {
    let section = Section::new("Overdue tickets");
    let explained = answer.policies.iter().filter(|one| !one.explained.is_empty());
    explained.fold(section, |section, one| {
        let lines = one.explained.iter().map(|one| one.lines.join(" · "));
        section
            .paragraph(format!(
                "Under {} {} tickets waited longer than {} s; the longest waits:",
                one.name, one.overdue, answer.overdue_seconds
            ))
            .list(lines)
    })
}
