//! `matchwright simulate size`: how many players a wait and a quality need.

use matchwright_report::{Axis, Cell, Column, Page, Plot, Point, Section, Series, Table, brief};
use matchwright_sim::simulate::{Figure, SizeSearch, SizeTried, Sized, Target, size};
use serde::Serialize;

use super::scene::Scene;
use super::tables::heading;
use super::{failed, folder, written};
use crate::arguments::SizeOptions;
use crate::commands::versus::lower;
use crate::failure::Failure;
use crate::output::{print, print_json};
use crate::parts::worlds::WorldsFacts;
use crate::progress::Bar;
use crate::threads::threads;

/// The sizes that were tried, and the least that is enough.
#[derive(Serialize)]
struct SizeAnswer {
    #[serde(flatten)]
    facts: WorldsFacts,
    #[serde(flatten)]
    sized: Sized,
}

pub(super) fn run(options: &SizeOptions, command: String) -> Result<(), Failure> {
    let page = &options.scene.page;
    let scene = Scene::read(
        &options.scene,
        options.policy.as_slice(),
        folder(page.out.as_deref()),
    )?;
    let documents = scene.documents(1);
    let threads = threads(options.threads.threads, options.worlds)?;
    // Doubled up to the most, and as many again between the last two.
    scene.check_plan(f64::from(options.worlds), 2.0 * options.most, threads)?;
    let bar = Bar::new();
    let worlds = scene.worlds(&documents);
    let search = SizeSearch {
        worlds: options.worlds.into(),
        most: options.most,
        precision: options.precision,
        threads,
    };
    let sized = size(&worlds, &options.keep, &search, &bar).map_err(failed)?;
    drop(bar);
    let answer = SizeAnswer {
        facts: scene.facts(1, options.worlds),
        sized,
    };
    let origin = scene.origin(command, options.worlds)?;
    if let Some(folder) = &page.out {
        written(
            folder,
            ("size.json", &answer),
            &answer.page().footer(origin.footer()),
            &origin,
        )?;
    }
    if page.json {
        return print_json(&answer);
    }
    let lines = answer.facts.lines().join("\n");
    print(&format!(
        "{lines}\n\n{}\n{}\n",
        answer.table().to_text(),
        answer.in_words()
    ))
}

impl SizeAnswer {
    fn in_words(&self) -> String {
        let enough = self.sized.enough;
        let found = self.sized.tried.iter().find(|one| enough == Some(one.factor));
        let Some(found) = found else {
            return self.none_in_words();
        };
        let players = found
            .players
            .map_or_else(String::new, |players| format!(", {players} players"));
        let kept_today = self.kept_today();
        let bounds = self.sized.targets.iter();
        let bounds: Vec<String> = bounds.map(|target| bound_phrase(target, kept_today)).collect();
        let is_least = self.sized.tried.iter().all(|one| one.factor >= found.factor);
        let fewer = if is_least { " Fewer were not tried." } else { "" };
        format!(
            "For {}, enough are {} times as many as the scenario has, {} parties a second{players}.{fewer}",
            bounds.join(" and "),
            brief(found.factor, 4),
            brief(found.per_second, 4)
        )
    }

    /// What the largest size comes to where none is enough.
    fn none_in_words(&self) -> String {
        let Some(largest) = self
            .sized
            .tried
            .iter()
            .max_by(|a, b| a.factor.total_cmp(&b.factor))
        else {
            return "No size was tried.".to_owned();
        };
        let kept_today = self.kept_today();
        let one = |(at, target): (usize, &Target)| {
            let found = match (largest.found[at], &largest.open[at]) {
                (Some(found), _) => format!("{found:.4}"),
                (None, Some(why)) => format!("open ({why})"),
                (None, None) => "unknown".to_owned(),
            };
            format!("{}: {found}", bound_in_words(target, kept_today))
        };
        let found: Vec<String> = self.sized.targets.iter().enumerate().map(one).collect();
        let found = largest.no_world.clone().unwrap_or_else(|| found.join("; "));
        let lost = kept_today.map_or(
            "",
            |_| " --keep lost=PERCENT says how many may be without a match;",
        );
        format!(
            "No size from 1 to {} times as many keeps what was asked. At {0} times: {found}.{lost} --most tries more.",
            largest.factor
        )
    }

    /// The share of tickets without a match that was kept because nobody said otherwise.
    fn kept_today(&self) -> Option<f64> {
        lost_kept(&self.sized.targets, self.sized.lost_today)
    }

    fn table(&self) -> Table {
        let mut tried: Vec<&SizeTried> = self.sized.tried.iter().collect();
        tried.sort_by(|a, b| a.factor.total_cmp(&b.factor));
        let (targets, kept_today) = (&self.sized.targets, self.kept_today());
        Table::of("Sizes", tried)
            .column(Column::significant("Times as many", 4), |one| one.factor)
            .column(Column::significant("Parties a second", 4), |one| one.per_second)
            .optional_column(Column::integer("Players"), |one| one.players)
            .columns(
                0..targets.len(),
                |at| Column::significant(bound_in_words(&targets[at], kept_today), 4),
                |one, at| bounded_cell(one.found[at], one.open[at].as_deref()),
            )
            .column(Column::text("Enough"), |one| {
                match (&one.no_world, one.is_enough) {
                    (Some(why), _) => format!("no such world: {why}"),
                    (None, true) => "yes".to_owned(),
                    (None, false) => "no".to_owned(),
                }
            })
            .build()
            .file("sizes")
            .note("Means over the worlds, which are the same for all sizes.")
    }

    fn page(&self) -> Page {
        let policy = self.facts.policies.first().map_or("", |policy| &policy.name);
        let plots = self.sized.targets.iter().enumerate().map(|(at, target)| {
            let mut points: Vec<Point> = self
                .sized
                .tried
                .iter()
                .filter_map(|one| Some(Point::new(one.per_second, one.found[at]?)))
                .collect();
            points.sort_by(|a, b| a.x.total_cmp(&b.x));
            let ends = [points.first(), points.last()].into_iter().flatten();
            let bound: Vec<Point> = ends.map(|end| Point::new(end.x, target.bound)).collect();
            Plot::new(target.figure.words())
                .x(Axis::new("Parties a second").log10())
                .y(Axis::new(target.figure.words()).unit(target.figure.unit()))
                .series(Series::line_and_points(policy, points))
                .series(Series::line("bound", bound).guide())
        });
        Page::new(format!(
            "How many players {} needs under {policy}",
            self.facts.scenario
        ))
        .answer(self.in_words())
        .section(
            Section::new("Sizes that were tried")
                .open()
                .table(self.table())
                .plots(plots),
        )
        .files_section([
            ("Everything, as JSON", "size.json"),
            ("Version, command, seed, configuration, hashes", "manifest.json"),
        ])
    }
}

/// The share of tickets without a match of today, if it is what had to be kept.
pub(super) fn lost_kept(targets: &[Target], today: Option<f64>) -> Option<f64> {
    let is_kept = |today: &f64| {
        let mut targets = targets.iter();
        targets.any(|target| target.figure == Figure::Lost && target.bound.to_bits() == today.to_bits())
    };
    today.filter(is_kept)
}

/// `90th-percentile wait for a match (s), at most 60`.
pub(super) fn bound_in_words(target: &Target, kept_today: Option<f64>) -> String {
    let sign = if target.figure.better() == 1 {
        "at least"
    } else {
        "at most"
    };
    let heading = heading(target.figure);
    if target.figure == Figure::Lost && kept_today.is_some() {
        let percent = (1e4 * target.bound).round() / 1e4;
        return format!("{heading}, at most {percent} as today");
    }
    format!("{heading}, {sign} {}", target.bound)
}

/// `a 90th-percentile wait for a match of at most 60 s`.
fn bound_phrase(target: &Target, kept_today: Option<f64>) -> String {
    let figure = target.figure;
    let limit = if figure.better() == 1 {
        "at least"
    } else {
        "at most"
    };
    let unit = match figure.unit() {
        "" => String::new(),
        unit => format!(" {unit}"),
    };
    let today = kept_today
        .filter(|_| figure == Figure::Lost)
        .map_or("", |_| " as today");
    format!(
        "{} of {limit} {}{unit}{today}",
        lower(figure.words()),
        brief(target.bound, 4)
    )
}

/// A mean, or that it is open and why.
pub(super) fn bounded_cell(found: Option<f64>, open: Option<&str>) -> Cell {
    match (found, open) {
        (Some(found), _) => Cell::Number(found),
        (None, Some(why)) => Cell::from(format!("open ({why})")),
        (None, None) => Cell::Empty,
    }
}
