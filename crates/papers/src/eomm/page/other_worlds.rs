//! What survives of EOMM's gain where its model is wrong: words, table and plots.

use itertools::Itertools;
use matchwright_report::{Axis, Cell, Column, Plot, Point, Section, Series, Table, count};
use matchwright_sim::statistics::MeanTest;

use crate::eomm::Method;
use crate::eomm::other_worlds::{Gains, OtherWorldsReport, WorldKind, WorldResult};
use crate::reproduction::difference;

pub(super) fn section(report: &OtherWorldsReport) -> Section {
    let config = &report.config;
    let mut chosen: Vec<String> = config
        .worlds
        .iter()
        .filter(|world| world.kind != WorldKind::Base)
        .dedup_by(|one, other| one.kind == other.kind)
        .map(|world| format!("{}: {}", words(world.kind), world.chosen_because))
        .collect();
    chosen.push("Everything else is that of the default population, with fewer players. The strengths were chosen before any gain was looked at.".to_owned());
    Section::new("What survives if the model is wrong")
        .paragraph(format!(
            "EOMM is fitted to a model: who leaves after a win, a draw or a loss does not depend on the opponent, draws are as likely at any gap, outcomes move all players alike, and skills stay. Here players break each of these in turn, and then all together. The models learn from the matches as ever and know of none of it; what they promise is compared with what the true players do. {} populations of {} players for each world, {} rounds each with P = {}; intervals are 95 % across populations{}.",
            config.populations,
            count(config.population.players.into()),
            config.study.rounds,
            config.study.pools[0],
            if config.populations < 8 { ", and wide with so few: more rounds bring more populations, up to eight" } else { "" }
        ))
        .paragraph(in_short(report))
        .table(survival(report))
        .plot(by_opponent(report))
        .plot(by_world(report))
        .table(beside(report))
        .paragraph("How strong the effects are, and why:")
        .list(chosen)
}

fn words(kind: WorldKind) -> &'static str {
    match kind {
        WorldKind::Base => "As EOMM assumes",
        WorldKind::Opponent => "One-sided matches repel both players",
        WorldKind::Draws => "Draws get rarer with the gap",
        WorldKind::Outcomes => "Outcomes move players unequally",
        WorldKind::Drift => "Skills wander",
        WorldKind::Together => "All together",
    }
}

/// What a studio would want to know before it trusts EOMM.
fn in_short(report: &OtherWorldsReport) -> String {
    let decisive = "What decides is the opponent. EOMM pairs unequal players on purpose; SkillMM does not.";
    let promise = "Its models cannot see it and go on promising a gain. So find out first, on matches that were not made by skill alone, whether players leave more often after one-sided matches whatever the outcome.";
    let known = report
        .break_even
        .filter(|share| share.low > 0.0 && share.high.is_finite());
    known.map_or_else(
        || format!("{decisive} These populations are too few or too small to tell how much it takes until EOMM's lead over SkillMM is gone. {promise}"),
        |share| {
            format!(
                "{decisive} If a match without a doubt about its winner repels both players by {:.0} % ({:.0} to {:.0} %) of what losing instead of winning does, EOMM's lead over SkillMM is gone, and beyond that EOMM drives players away. {promise}",
                100.0 * share.ratio,
                100.0 * share.low,
                100.0 * share.high
            )
        },
    )
}

/// Results with their gains over a method.
fn over(report: &OtherWorldsReport, method: Method) -> Vec<(&WorldResult, &Gains)> {
    let worlds = report.worlds.iter();
    worlds
        .filter_map(|result| Some((result, result.over(method)?)))
        .collect()
}

fn survival(report: &OtherWorldsReport) -> Table {
    let end =
        |test: MeanTest, sign: f64| sign.mul_add(test.margin(OtherWorldsReport::LEVEL), test.difference);
    Table::of("EOMM's gain over SkillMM where its model is wrong", over(report, Method::Skill))
        .column(Column::text("World"), |(result, _)| &result.world.name)
        .column(Column::percent("Promised", 2), |(_, gains)| gains.promised.difference)
        .column(Column::percent("True", 2), |(_, gains)| gains.truth.difference)
        .column(Column::percent("95 % low", 2), |(_, gains)| end(gains.truth, -1.0))
        .column(Column::percent("95 % high", 2), |(_, gains)| end(gains.truth, 1.0))
        .column(Column::percent("Survives, of the first row", 0), |(_, gains)| gains.of_base.ratio)
        .column(Column::percent("95 % low", 0), |(_, gains)| gains.of_base.low)
        .column(Column::percent("95 % high", 0), |(_, gains)| gains.of_base.high)
        .build()
        .note("Expected given the pairs, in percent of the players that SkillMM retains. Promised: by the fitted models. Survives: the true gain as a part of that in the first row, with Fieller's interval. A negative gain: EOMM retains fewer than SkillMM.")
        .file("other-worlds")
}

fn beside(report: &OtherWorldsReport) -> Table {
    let random = |result: &WorldResult, of: fn(&Gains) -> MeanTest| -> Option<Cell> {
        result.over(Method::Random).map(|gains| difference(of(gains)))
    };
    Table::of("The same beside RandomMM and beside what is attainable", over(report, Method::Skill))
        .column(Column::text("World"), |(result, _)| &result.world.name)
        .column(Column::percent("True, of the promised", 0), |(_, gains)| gains.of_promised.ratio)
        .column(Column::percent("Attainable over SkillMM", 2), |(_, gains)| difference(gains.attainable))
        .column(Column::percent("Promised over RandomMM", 2), |(result, _)| random(result, |gains| gains.promised))
        .column(Column::percent("True over RandomMM", 2), |(result, _)| random(result, |gains| gains.truth))
        .column(Column::percent("Attainable over RandomMM", 2), |(result, _)| random(result, |gains| gains.attainable))
        .build()
        .note("± standard error across populations. Attainable: the exact optimum of the true edges, which no model has; its distance from the true gain is lost to the model. RandomMM pairs as unequally as EOMM, so one-sided matches cost both the same.")
        .file("other-worlds-beside")
}

/// A gain of EOMM with its test over populations, in percent.
type Gain = fn(&Gains) -> MeanTest;

fn percent(x: f64, test: MeanTest) -> Point {
    Point::with_error(
        x,
        100.0 * test.difference,
        100.0 * test.margin(OtherWorldsReport::LEVEL),
    )
}

fn by_opponent(report: &OtherWorldsReport) -> Plot {
    let strength = |result: &WorldResult| {
        100.0 * result.world.departures.one_sided_effect / report.config.outcome_difference()
    };
    let shown = [WorldKind::Base, WorldKind::Opponent];
    let series: [(&str, Gain); 3] = [
        ("promised by the fitted models", |gains| gains.promised),
        ("true", |gains| gains.truth),
        ("attainable", |gains| gains.attainable),
    ];
    let plot = Plot::new("EOMM's gain over SkillMM if one-sided matches repel")
        .caption("0: as EOMM assumes. 100 %: a match without a doubt about its winner drives both players away as much as losing instead of winning does. Bars: 95 % intervals across populations.")
        .x(Axis::new("Effect of a one-sided match, part of that of the outcome").unit("%"))
        .y(Axis::new("Gain of EOMM over SkillMM").unit("%"))
        .file("other-worlds-opponent");
    series.into_iter().fold(plot, |plot, (name, gain)| {
        let worlds = over(report, Method::Skill).into_iter();
        let worlds = worlds.filter(|(result, _)| shown.contains(&result.world.kind));
        let points = worlds.map(|(result, gains)| percent(strength(result), gain(gains)));
        plot.series(Series::line_and_points(name, points))
    })
}

fn by_world(report: &OtherWorldsReport) -> Plot {
    let rows = over(report, Method::Skill);
    let at = |place: usize| (place + 1) as f64;
    let points = |gain: Gain| {
        rows.iter()
            .enumerate()
            .map(move |(place, (_, gains))| percent(at(place), gain(gains)))
    };
    let zero = [Point::new(at(0), 0.0), Point::new(rows.len() as f64, 0.0)];
    Plot::new("EOMM's gain over SkillMM, promised and true, world by world")
        .caption("Worlds in the order of the table. Bars: 95 % intervals across populations.")
        .x(Axis::new("Row of the table"))
        .y(Axis::new("Gain of EOMM over SkillMM").unit("%"))
        .series(Series::line("no gain", zero).guide())
        .series(Series::points(
            "promised by the fitted models",
            points(|gains| gains.promised),
        ))
        .series(Series::points("true", points(|gains| gains.truth)))
        .file("other-worlds-gains")
}
