//! A page with everything in it, on standard output: `cargo run -p matchwright-report --example demo > demo.html`.
//!
//! The numbers are made up by formulas; they measure nothing.
#![allow(
    clippy::print_stdout,
    reason = "printing the page is what this example is for"
)]

use matchwright_report::{
    Axis, Callout, Cell, Column, Headline, HeatMap, Page, Plot, Point, Section, Series, Table,
};

#[allow(
    dead_code,
    reason = "the golden tests include this file for its builders alone"
)]
fn main() {
    print!("{}", page().to_html());
}

/// Estimates with standard errors, by method and pool size.
pub(crate) fn estimates() -> Table {
    let mut table = Table::new("Expected retained players per round").column(Column::text("Method"));
    for players in [100, 200, 300, 400, 500] {
        table = table.column(Column::number(format!("P = {players}"), 2).unit("players"));
    }
    let shares = [
        ("RandomMM", 0.6085),
        ("SkillMM", 0.6123),
        ("EOMM", 0.6171),
        ("WorstMM", 0.6049),
    ];
    for (method, share) in shares {
        let estimate =
            |players: u32| Cell::estimate(share * f64::from(players), 0.021 * f64::from(players).sqrt());
        let cells = [100, 200, 300, 400, 500].map(estimate);
        table = table.row(std::iter::once(Cell::from(method)).chain(cells));
    }
    table
        .note("Mean ± standard error over 200 rounds.")
        .note("Made-up numbers: this page shows the form, not a result.")
}

/// Differences, p-values, counts, and cells without a number.
pub(crate) fn comparisons() -> Table {
    Table::new("Pairwise comparisons")
        .column(Column::text("Pair"))
        .column(Column::integer("Rounds"))
        .column(Column::number("Difference", 3).unit("% of players"))
        .column(Column::significant("p", 3))
        .row([
            "EOMM − SkillMM".into(),
            12_000.into(),
            0.784.into(),
            3.21e-12.into(),
        ])
        .row([
            "EOMM − RandomMM".into(),
            12_000.into(),
            1.413.into(),
            0.000_42.into(),
        ])
        .row([
            "WorstMM − RandomMM".into(),
            200.into(),
            (-0.592).into(),
            0.0317.into(),
        ])
        .row([
            "WorstMM − <nobody> & \"no|one\"".into(),
            Cell::Empty,
            f64::NAN.into(),
            f64::INFINITY.into(),
        ])
}

/// A long and wide table: what people see of it at first is ten rows.
pub(crate) fn players() -> Table {
    let players = (1..=30_u32).map(|k| (k, f64::from(k * 7_919 % 1_009)));
    Table::of("Thirty players of the first week", &players.collect::<Vec<_>>())
        .column(Column::text("Player"), |(k, _)| format!("player {k}"))
        .columns(
            1..=9,
            |day| Column::number(format!("Rating on day {day}"), 0).unit("points"),
            |(_, start), day| 9_500.0 + start + 13.25 * f64::from(day),
        )
        .column(Column::percent("Won", 1), |(k, start)| {
            (k % 7 != 0).then_some(start / 1_009.0)
        })
        .build()
        .note("A player who did not play has no share of wins.")
}

/// A reliability diagram: diagonal, error bars, one bin that is empty.
pub(crate) fn reliability() -> Plot {
    let bins = |slope: f64, shift: f64| {
        (0..10).map(move |bin| {
            let predicted = 0.05 + 0.1 * f64::from(bin);
            let observed = if bin == 9 {
                f64::NAN
            } else {
                (predicted - 0.5) * slope + 0.5 + shift
            };
            Point::with_error(predicted, observed, 0.015 + 0.004 * f64::from(bin))
        })
    };
    Plot::new("Reliability of two churn models")
        .caption("Observed against predicted share of players who leave, in ten bins. Bars are one standard error.")
        .x(Axis::new("Predicted churn probability").range(0.0, 1.0))
        .y(Axis::new("Observed share").range(0.0, 1.0))
        .series(Series::line("perfect calibration", [Point::new(0.0, 0.0), Point::new(1.0, 1.0)]).guide())
        .series(Series::line_and_points("logistic, 67 features", bins(0.94, 0.01)))
        .series(Series::points("last three outcomes", bins(0.62, -0.03)))
}

/// Four lines over one axis.
pub(crate) fn four_lines() -> Plot {
    let line = |start: f64, rate: f64| {
        (0..=30).map(move |day| Point::new(f64::from(day), 100.0 * start * (-rate * f64::from(day)).exp()))
    };
    Plot::new("Players who still play, by method")
        .caption("Share of the first day's players by days since then.")
        .x(Axis::new("Time since the first match").unit("d"))
        .y(Axis::new("Players still active").unit("%"))
        .series(Series::line("EOMM", line(1.0, 0.021)))
        .series(Series::line("SkillMM", line(0.98, 0.027)))
        .series(Series::line("RandomMM", line(0.97, 0.032)))
        .series(Series::line("WorstMM", line(0.95, 0.045)))
}

/// Two logarithmic axes over many decades.
pub(crate) fn log_log() -> Plot {
    let times = |factor: f64, power: f64| {
        (2..=14).map(move |doubling| {
            let vertices = 2_f64.powi(doubling);
            Point::with_error(
                vertices,
                factor * vertices.powf(power),
                0.3 * factor * vertices.powf(power),
            )
        })
    };
    Plot::new("Time to pair a pool")
        .caption("Median of 20 runs; bars are the quartile range.")
        .x(Axis::new("Players in the pool").log10())
        .y(Axis::new("Time").unit("s").log10())
        .series(Series::line_and_points("blossom, dense", times(2e-9, 2.9)))
        .series(Series::line_and_points("blossom, sparse", times(2e-8, 1.9)))
        .series(Series::line_and_points("greedy", times(3e-8, 1.1)).dashed())
}

/// A grid of shares, one of them missing.
pub(crate) fn grid() -> HeatMap {
    let map = HeatMap::new(
        "Pools that are paired best by skill",
        "Spread of skill",
        "Players",
        ["4", "6", "8", "10"],
    );
    let share = |spread: f64, size: f64| {
        if spread > 300.0 && size > 9.0 {
            f64::NAN
        } else {
            100.0 - spread * size / 50.0
        }
    };
    let row = |map: HeatMap, spread: f64| {
        map.row(
            format!("{spread} points"),
            [4.0, 6.0, 8.0, 10.0].map(|size| share(spread, size)),
        )
    };
    [100.0, 200.0, 400.0]
        .into_iter()
        .fold(map, row)
        .unit("%")
        .caption("Darker: more of 100 pools. Made-up numbers.")
}

/// Named points, some on each other; two series under each other; steps.
pub(crate) fn marks() -> Plot {
    let places = [
        (2.65, 2.7),
        (2.65, 2.72),
        (2.65, 2.3),
        (3.7, 3.4),
        (4.65, 4.3),
        (4.66, 4.31),
        (5.6, 5.2),
    ];
    let level = |name: &str, height: f64| {
        Series::line_and_points(
            name,
            (2..=6).map(|x| Point::with_error(f64::from(x), height, 0.1)),
        )
    };
    Plot::new("Names, neighbours and steps")
        .caption("Labels of points on each other are joined; series under each other stand side by side.")
        .x(Axis::new("Published").unit("%").range(2.0, 6.5))
        .y(Axis::new("Ours").unit("%").range(2.0, 6.5))
        .series(
            Series::points("patterns", places.map(Point::from))
                .labels(["LLW", "LDW", "DLW", "WWW", "LDL", "DLL", "LLL"]),
        )
        .series(level("over SkillMM", 6.0))
        .series(level("over RandomMM", 6.02))
        .series(Series::step(
            "steps",
            [(2.0, 3.9), (3.0, 3.8), (5.0, 4.8), (6.0, 4.8)].map(Point::from),
        ))
}

/// The page with all of them.
pub(crate) fn page() -> Page {
    let text = |value: &str| value.to_owned();
    Page::new("A demonstration of every part of a report")
        .lead("Three tables, three plots and everything else that a page can hold. The numbers are made up by formulas; they measure nothing.")
        .headlines([
            Headline::new("+0.78", "%", "more players stay with EOMM than with matching by skill"),
            Headline::new("3.9", "of 500", "players more in each round"),
            Headline::new("−0.6", "%", "with the opposite of EOMM"),
        ])
        .picture(four_lines())
        .section(
            Section::new("Tables")
                .open()
                .paragraph("A wide table scrolls inside its own box on a narrow screen; the page does not.")
                .table(estimates())
                .table(comparisons())
                .table(players())
                .download("First table as CSV", "estimates.csv")
                .download("Second table as CSV", "comparisons.csv"),
        )
        .section(
            Section::new("Plots")
                .plot(reliability())
                .plot(log_log())
                .plot(marks())
                .heat_map(grid())
                .plot(Plot::new("A plot without data")),
        )
        .section(
            Section::new("Everything else")
                .list(vec![text("The first point, which is short."), text("The second point, which is <em>not</em> markup.")])
                .key_values(vec![
                    (text("Matches"), text("6,227")),
                    (text("Seed"), text("7")),
                    (text("SHA-256 of the input"), text("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")),
                ])
                .callout(Callout::Note, "A note adds something that is good to know.")
                .callout(Callout::Success, "All 48 certificates were verified.")
                .callout(Callout::Warning, "These data do not record sessions, so that a pause and a farewell look alike.")
                .callout(Callout::Failure, "One check did not hold.")
                .preformatted("matchwright study eomm --matches matches.csv.gz --columns time=end_time,player1=a,player2=b --rounds 200 --seed 7\n  --out report"),
        )
        .section(Section::new("Everything else").paragraph("A second section with the same heading has its own anchor."))
        .footer("Made by the demonstration of matchwright-report.")
}
