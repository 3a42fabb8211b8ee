//! `matchwright simulate size`: how many players a wait and a quality need.

use matchwright_report::{Axis, Column, Page, Plot, Point, Section, Series, Table};
use matchwright_sim::simulate::{SizeTried, Sized, Target, size};
use serde::Serialize;

use super::answer::WorldsFacts;
use super::scene::Scene;
use super::tables::heading;
use super::{folder, written};
use crate::arguments::SizeOptions;
use crate::commands::study::threads;
use crate::failure::Failure;
use crate::output::{print, print_json};
use crate::progress::Bar;

/// The sizes that were tried, and the least that is enough.
#[derive(Serialize)]
struct SizeAnswer<'a> {
    #[serde(flatten)]
    facts: WorldsFacts,
    targets: &'a [Target],
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
    let bar = Bar::new();
    let worlds = scene.worlds(&documents);
    let sized = size(
        &worlds,
        &options.keep,
        options.worlds.into(),
        options.precision,
        threads,
        &bar,
    );
    let sized = sized.map_err(Failure::of)?;
    drop(bar);
    let answer = SizeAnswer {
        facts: scene.facts(1, options.worlds),
        targets: &options.keep,
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

impl SizeAnswer<'_> {
    fn in_words(&self) -> String {
        let enough = self.sized.enough;
        let found = self.sized.tried.iter().find(|one| enough == Some(one.factor));
        let Some(found) = found else {
            let most = self.sized.tried.iter().map(|one| one.factor).fold(0.0, f64::max);
            return format!("Not even {most} times as many keep it.");
        };
        let players = found
            .players
            .map_or_else(String::new, |players| format!(", {players} players"));
        format!(
            "Enough: {:.3} times as many as the scenario has, {:.4} parties a second{players}.",
            found.factor, found.per_second
        )
    }

    fn table(&self) -> Table {
        let mut tried: Vec<&SizeTried> = self.sized.tried.iter().collect();
        tried.sort_by(|a, b| a.factor.total_cmp(&b.factor));
        let bound = |target: &Target| {
            let sign = if target.figure.better() == 1 {
                "at least"
            } else {
                "at most"
            };
            format!("{}, {sign} {}", heading(target.figure), target.bound)
        };
        Table::of("Sizes", tried)
            .column(Column::significant("Times as many", 4), |one| one.factor)
            .column(Column::significant("Parties a second", 4), |one| one.per_second)
            .optional_column(Column::integer("Players"), |one| one.players)
            .columns(
                0..self.targets.len(),
                |at| Column::significant(bound(&self.targets[at]), 4),
                |one, at| one.found[at],
            )
            .column(
                Column::text("Enough"),
                |one| if one.is_enough { "yes" } else { "no" },
            )
            .build()
            .file("sizes")
            .note("Means over the worlds, which are the same for all sizes.")
    }

    fn page(&self) -> Page {
        let policy = self.facts.policies.first().map_or("", |policy| &policy.name);
        let plots = self.targets.iter().enumerate().map(|(at, target)| {
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
        .lead(self.in_words())
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
