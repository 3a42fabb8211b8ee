//! The page of `matchwright replay`: costs, waits, mismatch against wait, and who waited when.

use matchwright_queue::Time;
use matchwright_report::{Axis, Callout, Headline, Page, Plot, Point, Section, Series, count, counted};
use matchwright_sim::replay::Fate;

use super::{PolicyAnswer, ReplayAnswer};

/// Points of a curve, and of a cloud of matches.
const POINTS: usize = 400;

/// The page, but for its foot.
pub(crate) fn replay_page(answer: &ReplayAnswer) -> Page {
    let names: Vec<&str> = answer.policies.iter().map(|one| one.name.as_str()).collect();
    Page::new(format!("A log of a queue under {}", names.join(" and ")))
        .headlines(headlines(answer))
        .section(cost_section(answer))
        .section(Section::new("Waits, and who waited when").plots([wait_plot(answer), pool_plot(answer)]))
        .section(Section::new("Mismatch against wait").plot(mismatch_plot(answer)))
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
        let line = format!("cost a player under {}{estimate}", policy.name);
        let cost = policy.cost_per_player;
        let cost = cost.map_or_else(|| "none".to_owned(), |cost| format!("{cost:.4}"));
        Headline::new(cost, "", line)
    };
    let mut figures: Vec<Headline> = answer.policies.iter().map(one).collect();
    figures.extend(answer.hindsight.as_ref().map(|best| {
        let line = "a player: no policy pays less on this log";
        Headline::new(format!("{:.4}", best.bound_per_player), "", line)
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
        answer.comparison_in_words(),
        answer.hindsight_in_words(None),
    ];
    for words in said.into_iter().flatten() {
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

fn wait_plot(answer: &ReplayAnswer) -> Plot {
    let plot = Plot::new("Waits")
        .caption("How many of all tickets had a match within that time; the others left, were refused, or still wait.")
        .x(Axis::new("Wait").unit("s"))
        .y(Axis::new("Tickets").unit("%").range(0.0, 100.0));
    answer.policies.iter().fold(plot, |plot, one| {
        let points = shares(one.replay.waits(), one.replay.tickets.len());
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
    answer.policies.iter().fold(plot, |plot, one| {
        let mut changes: Vec<(f64, f64)> = Vec::new();
        for (logged, replayed) in answer.log.tickets().iter().zip(&one.replay.tickets) {
            if replayed.fate != Fate::Refused {
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
    answer.policies.iter().fold(plot, |plot, one| {
        let mut longest: std::collections::HashMap<u64, f64> = std::collections::HashMap::new();
        for ticket in &one.replay.tickets {
            if let Fate::Matched(made) = ticket.fate {
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
