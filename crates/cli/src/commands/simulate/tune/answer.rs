//! What tuning found, as text, tables, a page and JSON.

use std::path::Path;

use matchwright_report::{
    Axis, Callout, Column, Page, Plot, Point, Section, Series, Table, brief, visible_line,
};
use matchwright_sim::simulate::{Compared, Figure, Target};
use serde::Serialize;

use crate::commands::simulate::size::{bound_in_words, bounded_cell, lost_kept};
use crate::commands::simulate::tables::{DIFFERENCES, NO_PLUS, difference_cell, heading, mean_cell};
use crate::commands::versus::{lower, quoted, rounded};
use crate::failure::ShownPath;
use crate::parts::worlds::WorldsFacts;

/// Values that were tried.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Tried {
    /// By key.
    pub(super) values: Vec<f64>,
    /// The mean over the worlds of each bounded figure; none where it is open.
    pub(super) found: Vec<Option<f64>>,
    /// Why it is open, where it is.
    pub(super) open: Vec<Option<String>>,
    /// The mean of what is to be best.
    pub(super) best: Option<f64>,
    /// The same in each world.
    #[serde(skip)]
    pub(super) each: Vec<f64>,
    /// Whether the worlds do not tell it from the best.
    pub(super) may_be_best: bool,
    /// Whether all bounds are kept.
    pub(super) keeps: bool,
}

/// Everything that tuning found.
#[derive(Serialize)]
pub(super) struct TuneAnswer {
    #[serde(flatten)]
    pub(super) facts: WorldsFacts,
    pub(super) keys: Vec<String>,
    /// What had to be kept: what was asked for, and `lost_today`.
    pub(super) keep: Vec<Target>,
    /// The share of tickets without a match, in percent, under the policy as it is; it had to be kept unless --keep said
    /// otherwise.
    pub(super) lost_today: Option<f64>,
    pub(super) best_is: Figure,
    pub(super) tried: Vec<Tried>,
    /// Of those that keep all bounds.
    pub(super) best: Option<Tried>,
    /// The policy with the best values, as TOML.
    pub(super) policy: Option<String>,
    /// The policy as it was beside the best, on worlds that had no part in the choice.
    pub(super) held_out: Vec<Compared>,
}

impl TuneAnswer {
    /// The share of tickets without a match that was kept because nobody said otherwise.
    fn kept_today(&self) -> Option<f64> {
        lost_kept(&self.keep, self.lost_today)
    }

    pub(super) fn text(&self, out: Option<&Path>) -> String {
        let mut parts = vec![
            self.facts.lines().join("\n"),
            self.answer(),
            self.table().to_text(),
            self.in_words(),
        ];
        parts.extend(self.held_out_table().map(|table| table.to_text()));
        parts.push(match out {
            Some(folder) if self.policy.is_some() => {
                let (policy, page) = (folder.join("tuned.toml"), folder.join("index.html"));
                format!("Policy: {}\nPage: {}", policy.shown(), page.shown())
            }
            Some(folder) => format!("Page: {}", folder.join("index.html").shown()),
            None => "Add --out DIR for the tuned policy and a page with plots.".to_owned(),
        });
        parts
            .iter()
            .map(|part| format!("{}\n", part.trim_end()))
            .collect::<Vec<_>>()
            .join("\n")
    }

    fn in_words(&self) -> String {
        let Some(best) = &self.best else {
            let lost = self
                .kept_today()
                .map_or_else(String::new, |lost| {
                    format!(" No more than {lost:.2} % of the tickets may be without a match, as today; --keep lost=PERCENT says otherwise.")
                });
            return format!(
                "No values keep all bounds: widen the ranges of --vary, or the bounds of --keep.{lost}"
            );
        };
        let pairs = self.keys.iter().zip(&best.values);
        let pairs: Vec<String> = pairs.map(|(key, value)| format!("{key} = {value}")).collect();
        format!("Best: {}.{}", pairs.join(", "), self.as_good_in_words())
    }

    /// Which other values the worlds do not tell from the best.
    fn as_good_in_words(&self) -> String {
        let is_best = |one: &&Tried| self.best.as_ref().is_some_and(|best| best.values == one.values);
        let kept = self
            .tried
            .iter()
            .filter(|one| one.keeps && one.best.is_some())
            .count();
        let alike: Vec<&Tried> = self.tried.iter().filter(|one| one.may_be_best).collect();
        let others = alike.iter().filter(|one| !is_best(one)).count();
        if kept < 2 {
            return String::new();
        }
        if others == 0 {
            let worse = match kept - 1 {
                1 => "The other one that keeps the bounds is".to_owned(),
                all => format!("All {all} others that keep the bounds are"),
            };
            return format!(" {worse} clearly worse.");
        }
        let range = |(at, key): (usize, &String)| {
            let values = || alike.iter().map(|one| one.values[at]);
            let (least, most) = (
                values().fold(f64::INFINITY, f64::min),
                values().fold(f64::NEG_INFINITY, f64::max),
            );
            format!("{key} from {least} to {most}")
        };
        let ranges: Vec<String> = self.keys.iter().enumerate().map(range).collect();
        format!(
            " {others} of the other {} that keep the bounds cannot be told apart from it: {}; more --worlds tell more.",
            kept - 1,
            ranges.join(", ")
        )
    }

    /// What the tuned values change on worlds that had no part in the choice, in a sentence.
    fn answer(&self) -> String {
        let name = quoted(self.facts.policies.first().map_or("", |policy| &policy.name));
        let found = self.held_out.iter().find(|one| one.figure == self.best_is);
        let means =
            found.and_then(|one| Some((one, one.means.first().copied()??, one.means.get(1).copied()??)));
        let (Some(best), Some((one, before, after))) = (&self.best, means) else {
            return visible_line(&self.in_words()).into_owned();
        };
        let difference = one.differences.get(1).copied().flatten();
        let interval = difference.and_then(|found| found.interval);
        let margin = interval.map(|[low, high]| 0.5 * (high - low));
        let number = |value: f64| rounded(value, margin);
        let share = (100.0 * (after.mean - before.mean) / before.mean).abs();
        if difference.is_some_and(|found| found.mean == 0.0) {
            let words = format!(
                "No values that were tried change what {name} brings on {} other worlds: a {} of {}.",
                self.facts.worlds,
                lower(self.best_is.words()),
                number(before.mean)
            );
            return visible_line(&words).into_owned();
        }
        let change = match difference.and_then(|found| found.side()) {
            None => "no clear difference".to_owned(),
            Some(side) => {
                let is_better = (side == std::cmp::Ordering::Less) == (self.best_is.better() < 0);
                let share = Some(share).filter(|share| share.is_finite());
                let share = share.map_or_else(String::new, |share| format!("{} % ", brief(share, 2)));
                format!("{share}{}", if is_better { "better" } else { "worse" })
            }
        };
        let ends = interval.map_or_else(String::new, |[low, high]| {
            format!(
                "; 95 % interval of the difference {} to {}",
                number(low),
                number(high)
            )
        });
        let values = self.keys.iter().zip(&best.values);
        let values: Vec<String> = values.map(|(key, value)| format!("{key} = {value}")).collect();
        let unit = match self.best_is.unit() {
            "" => String::new(),
            unit => format!(" {unit}"),
        };
        let words = format!(
            "With {} {name} brings on {} other worlds the {} from {} to {}{unit}: {change}{ends}.",
            values.join(", "),
            self.facts.worlds,
            lower(self.best_is.words()),
            number(before.mean),
            number(after.mean),
        );
        visible_line(&words).into_owned()
    }

    fn table(&self) -> Table {
        let mut tried: Vec<&Tried> = self.tried.iter().collect();
        let order = |a: &&Tried, b: &&Tried| {
            let pairs = a.values.iter().zip(&b.values);
            pairs
                .map(|(a, b)| a.total_cmp(b))
                .find(|order| order.is_ne())
                .unwrap_or(std::cmp::Ordering::Equal)
        };
        tried.sort_by(order);
        let is_best = |one: &Tried| self.best.as_ref().is_some_and(|best| best.values == one.values);
        Table::of("Values that were tried", tried)
            .columns(
                0..self.keys.len(),
                |at| Column::significant(self.keys[at].as_str(), 6),
                |one: &Tried, at| one.values[at],
            )
            .columns(
                0..self.keep.len(),
                |at| Column::significant(bound_in_words(&self.keep[at], self.kept_today()), 4),
                |one, at| bounded_cell(one.found[at], one.open[at].as_deref()),
            )
            .column(Column::significant(heading(self.best_is), 4), |one| one.best)
            .column(Column::text(""), |one| match (one.keeps, one.may_be_best) {
                _ if is_best(one) => "best",
                (false, _) => "beyond the bounds",
                (_, true) => "as good, as far as is clear",
                _ => "",
            })
            .build()
            .file("tried")
            .note(format!(
                "Means over {} worlds, the same for all values. As good, as far as is clear: none is better than it in such a way \
                 that all comparisons together are 95 % sure, paired by worlds.",
                self.facts.worlds
            ))
    }

    /// Before and after, on other worlds.
    fn held_out_table(&self) -> Option<Table> {
        self.best.as_ref()?;
        Some(
            Table::of("Before and after, on other worlds", &self.held_out)
                .column(Column::text("Figure"), |one| heading(one.figure))
                .column(Column::significant("Before", 4), |one| mean_cell(one, 0))
                .column(Column::significant("Tuned", 4), |one| mean_cell(one, 1))
                .column(Column::text("Difference"), |one| {
                    difference_cell(&self.held_out, one, 1)
                })
                .build()
                .file("held-out")
                .note(format!(
                    "Worlds that had no part in the choice. {DIFFERENCES} {NO_PLUS}"
                )),
        )
    }

    pub(super) fn page(&self) -> Page {
        let name = self.facts.policies.first().map_or("", |policy| &policy.name);
        let mut section = Section::new("Values that were tried").open().table(self.table());
        if let [key] = &self.keys[..] {
            let watched = self
                .keep
                .iter()
                .enumerate()
                .map(|(at, target)| (target.figure, Some((at, target.bound))));
            let watched = watched.chain([(self.best_is, None)]);
            section = section.plots(watched.map(|(figure, bound)| self.plot(key, figure, bound)));
        }
        let mut page = Page::new(format!("{name} tuned for {}", self.facts.scenario))
            .answer(self.answer())
            .lead(self.in_words())
            .section(section);
        if let Some(table) = self.held_out_table() {
            let note = "The best of many values looks better than it is on the worlds that chose it; these had no part in it.";
            page = page.section(
                Section::new("On other worlds")
                    .open()
                    .callout(Callout::Note, note)
                    .table(table),
            );
        }
        let mut files = vec![("Everything, as JSON", "tuning.json")];
        files.extend(
            self.policy
                .as_ref()
                .map(|_| ("The policy with the best values", "tuned.toml")),
        );
        files.push(("Version, command, seed, configuration, hashes", "manifest.json"));
        page.files_section(files)
    }

    fn plot(&self, key: &str, figure: Figure, bound: Option<(usize, f64)>) -> Plot {
        let value = |one: &Tried| match bound {
            Some((at, _)) => one.found[at],
            None => one.best,
        };
        let mut points: Vec<Point> = self
            .tried
            .iter()
            .filter_map(|one| Some(Point::new(one.values[0], value(one)?)))
            .collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        let ends: Vec<f64> = [points.first(), points.last()]
            .into_iter()
            .flatten()
            .map(|end| end.x)
            .collect();
        let plot = Plot::new(figure.words())
            .x(Axis::new(key))
            .y(Axis::new(figure.words()).unit(figure.unit()))
            .series(Series::line_and_points("mean over the worlds", points));
        match bound {
            Some((_, bound)) => {
                let ends = ends.into_iter().map(|x| Point::new(x, bound)).collect::<Vec<_>>();
                plot.series(Series::line("bound", ends).guide())
            }
            None => plot,
        }
    }
}
