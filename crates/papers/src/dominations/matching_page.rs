//! The war queue of `DomiNations` on its page: windows, handshake, the queue of before, sizes, sandbaggers.

use matchwright_report::{Axis, Column, Plot, Point, Section, Series, Table};
use matchwright_sim::statistics::Summary;

use super::claims::inputs::DominationsInputs;
use super::claims::{alliances, queue, waiting, wars};
use super::matching::Window;
use super::reproduction::DominationsReproduction;
use super::{OLD_RANGES, Queue, WarWorld, WarsReport};
use crate::check::verdict::{Statement, evidence, says, told};
use crate::reproduction::{estimate, point};

/// What the page says of the queue in short.
pub(crate) fn statements(all: &DominationsReproduction) -> [Statement; 4] {
    let report = &all.matching.wars;
    [
        says(
            "All pairs are looked at all the time, in place of one look on entry.",
            wars::stranded(report),
        ),
        says(
            "The window on the spread tells sandbaggers, who wait longer.",
            wars::sandbaggers(report),
        ),
        says(
            "Wars are close in glory first, and wider apart after waiting.",
            wars::glory(report),
        ),
        says(
            "Four sizes of war match better than seven, and 50 against 50 waits long.",
            wars::sizes(report),
        ),
    ]
}

/// The sections about wars, before those about ratings.
pub(crate) fn sections(all: &DominationsReproduction) -> Vec<Section> {
    let (matching, inputs): (_, &DominationsInputs) = (&all.matching, &all.inputs);
    let report = &matching.wars;
    vec![
        Section::new("Who may meet: windows that widen")
            .paragraph("Two alliances may meet if their ratings in attack and defence lie within some percent of each other, the spread of the bases within each is alike, and so is their glory. Each window is as wide as at first for a while, and then widens with waiting.")
            .plot(widths(&matching.windows))
            .table(windows(&matching.windows)),
        evidence(
            Section::new("Sandbaggers: a second window on the spread")
                .paragraph("The document's own two alliances: five of the Cold War and five Medieval, against one of the Cold War with all others of the Enlightenment or later. Their ratings are as high on the mean."),
            ("The two alliances of the document", "sandbaggers"),
            told("The window on the spread within an alliance refuses that war.", alliances::sandbag(inputs)),
        ),
        evidence(
            Section::new("The handshake")
                .paragraph("Both sides must accept, each by how long it has waited: ten seconds against five minutes, at a pace at which minutes count."),
            ("The newcomer's refusal holds", "handshake"),
            told("What is fair after ten seconds differs from what is fair after five minutes, and both must find it so.", queue::handshake(inputs)),
        ),
        evidence(
            Section::new("A match in the end")
                .paragraph("The longer an alliance waits, the more it accepts; after a day the best war that the rules permit."),
            ("Alliances that hardly anyone is like", "in-the-end"),
            told("One is matched if one waits long enough, without adding sandbags.", waiting::in_the_end(inputs)),
        ),
        Section::new("The old queue, and the new")
            .paragraph("The same generated alliances over ten days. The old queue looks once, when an alliance comes, takes the first within its range, and asks one side alone; what its range was the document does not say, so that several are tried. The new one is shown as this project ships it and as a studio would set it: tuned, in other worlds, to its own objective.")
            .plot(trade(report))
            .table(queues(report)),
        Section::new("Seven sizes of war, or four")
            .plot(by_size_plot(report))
            .table(by_size(report)),
        matching.scene.section(),
    ]
}

fn widths(windows: &[Window]) -> Plot {
    let plot = Plot::new("Windows by waiting")
        .caption("How many times as wide as at first. After a day an alliance gets the best war that the rules permit.")
        .x(Axis::new("Waited").unit("hours"))
        .y(Axis::new("Times as wide as at first"))
        .file("windows");
    windows.iter().fold(plot, |plot, window| {
        let points = window
            .course
            .iter()
            .map(|(hours, width)| Point::new(*hours, width / window.start));
        plot.series(Series::line(&window.of, points))
    })
}

fn windows(windows: &[Window]) -> Table {
    let after = |window: &Window, hours: f64| {
        let mut course = window.course.iter();
        course.find(|one| one.0 == hours).map(|one| one.1)
    };
    Table::of("The windows of the policy", windows)
        .column(Column::text("Of"), |window| window.of.as_str())
        .column(Column::text("Unit"), |window| window.unit)
        .column(Column::number("At first", 0), |window| window.start)
        .column(Column::number("For", 0).unit("hours"), |window| window.flat_hours)
        .column(Column::number("Then more an hour", 1), |window| window.per_hour)
        .column(Column::number("After 12 hours", 0), |window| after(window, 12.0))
        .column(Column::number("At most", 0), |window| window.most)
        .build()
        .note("Widths are this project's: the document prints none. Percent are logarithms of ratios: 5 is a ratio of 1.05.")
        .file("windows")
}

/// Every queue, by name, with its worlds.
fn all_queues(report: &WarsReport) -> Vec<(String, &[WarWorld])> {
    let named = [
        ("new, as shipped", Queue::New),
        ("new, sandbaggers by the window alone", Queue::NoKey),
        ("new, tuned", Queue::Tuned),
        ("new, without glory", Queue::NoGlory),
        ("new, one look as strict", Queue::OneLook),
        ("new, seven sizes", Queue::Seven),
        ("new, at full hours", Queue::Hourly),
        ("new, glory alone", Queue::GloryAlone),
        ("old", Queue::Old),
    ];
    let named = named.map(|(name, queue)| (name.to_owned(), report.of(queue)));
    let ranges = OLD_RANGES.iter().zip(&report.ranges);
    let ranges = ranges.map(|(range, worlds)| (format!("old, four sizes, range {range}"), &worlds[..]));
    named.into_iter().chain(ranges).collect()
}

/// A mean over worlds; worlds without the figure are left out.
fn mean(worlds: &[WarWorld], of: impl Fn(&WarWorld) -> f64) -> matchwright_sim::statistics::Estimate {
    Summary::of(worlds.iter().map(of).filter(|value| value.is_finite())).estimate()
}

fn queues(report: &WarsReport) -> Table {
    let rows = all_queues(report);
    Table::of("Queues on the same alliances", &rows)
        .column(Column::text("Queue"), |row| row.0.as_str())
        .column(Column::number("Left without a war", 1).unit("%"), |row| estimate(mean(row.1, |world| 100.0 * world.left)))
        .column(Column::number("Waited", 1).unit("hours"), |row| estimate(mean(row.1, |world| world.waits[0])))
        .column(Column::number("Sandbaggers longer by", 1).unit("hours"), |row| {
            estimate(mean(row.1, |world| world.waits[1] - world.waits[0]))
        })
        .column(Column::number("Gap of attack", 1).unit("%"), |row| estimate(mean(row.1, |world| 100.0 * world.strength_gap)))
        .column(Column::number("Gap of glory", 0), |row| estimate(mean(row.1, |world| world.glory_gap)))
        .column(Column::number("Chance of the stronger", 1).unit("%"), |row| estimate(mean(row.1, |world| 100.0 * world.chance)))
        .column(Column::number("Sandbaggers against others", 1).unit("%"), |row| estimate(mean(row.1, |world| 100.0 * world.mixed)))
        .build()
        .note(format!(
            "{} worlds of {} hours, a fifth of which count for nothing. Waited: alliances that are no sandbaggers, with a war or without. Gaps are those of the sides of a war; the chance is by true strength.",
            report.config.worlds, report.config.hours
        ))
        .note(format!(
            "Tuned: windows {} times as wide, {} times as fast, flat for {} s: the least cost of twelve settings in other worlds.",
            report.setting.wide, report.setting.fast, report.setting.after
        ))
        .file("queues")
}

fn trade(report: &WarsReport) -> Plot {
    let at = |worlds: &[WarWorld]| {
        let gap = mean(worlds, |world| 100.0 * world.strength_gap);
        point(mean(worlds, |world| 100.0 * world.left).mean, gap)
    };
    let ranges = report.ranges.iter().map(|worlds| at(worlds));
    Plot::new("Wars for all, or even wars")
        .caption("The nearer to the lower left corner the better. The old queue by its range; bars: standard errors over worlds.")
        .x(Axis::new("Left without a war").unit("%"))
        .y(Axis::new("Gap of attack in a war").unit("%"))
        .series(Series::line_and_points("old queue, by its range", ranges).labels(OLD_RANGES.map(|range| range.to_string())))
        .series(Series::points("new queue, as shipped", [at(report.of(Queue::NoKey))]))
        .series(Series::points("new queue, tuned", [at(report.of(Queue::Tuned))]))
        .file("old-and-new")
}

/// Mean hours in the queue by size, over all worlds, and how many alliances.
fn hours_of(worlds: &[WarWorld], size: usize) -> Option<(f64, u64)> {
    let of_size = worlds.iter().filter_map(|world| world.by_size.get(&size));
    let (sum, count) = of_size.fold((0.0, 0), |(sum, count), (hours, tickets)| {
        (sum + hours * *tickets as f64, count + tickets)
    });
    (count > 0).then(|| (sum / count as f64, count))
}

const SIZES: [usize; 7] = [10, 15, 20, 25, 30, 40, 50];

fn by_size(report: &WarsReport) -> Table {
    let of = |queue, size: usize| hours_of(report.of(queue), size);
    Table::of("Time in the queue by size of war", SIZES)
        .column(Column::integer("Size"), |size| size)
        .column(Column::number("Four sizes", 1).unit("hours"), |size| of(Queue::New, size).map(|found| found.0))
        .column(Column::integer("Alliances"), |size| of(Queue::New, size).map(|found| found.1))
        .column(Column::number("Seven sizes", 1).unit("hours"), |size| of(Queue::Seven, size).map(|found| found.0))
        .column(Column::integer("Alliances then"), |size| of(Queue::Seven, size).map(|found| found.1))
        .build()
        .note("Means over all alliances of the worlds, with a war or without. An alliance comes for the largest size that it fills.")
        .file("sizes")
}

fn by_size_plot(report: &WarsReport) -> Plot {
    let points = |queue| {
        let sizes = SIZES.into_iter();
        sizes.filter_map(move |size| Some(Point::new(size as f64, hours_of(report.of(queue), size)?.0)))
    };
    Plot::new("Time in the queue by size of war")
        .caption("The same alliances in four queues and in seven.")
        .x(Axis::new("Members of a side"))
        .y(Axis::new("In the queue").unit("hours"))
        .series(Series::line_and_points("four sizes", points(Queue::New)))
        .series(Series::line_and_points("seven sizes", points(Queue::Seven)).dashed())
        .file("sizes")
}
