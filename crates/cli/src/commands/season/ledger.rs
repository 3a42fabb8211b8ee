//! `matchwright season ledger`.

use matchwright_import::TimeUnit;
use matchwright_rating::history::{Game, History};
use matchwright_rating::{
    Adjustments, AdvantageChoice, AnyParams, DomLedger, DomMmrParams, KReason, KeepSum, PeriodChoice,
    PointsLedger, RatingParams, SystemName,
};
use matchwright_report::{Axis, Column, Plot, Point, Series, Table, count, counted, decimal, utc_time};
use matchwright_sim::rate::{PointsCourse, PointsPiece, points_course};
use serde::Serialize;
use serde_json::json;

use crate::arguments::{LedgerOptions, PieceName};
use crate::commands::rate::configured;
use crate::failure::{Failure, tell};
use crate::input::{Imported, SystemFile, import_matches, time_cell};
use crate::output::{Origin, Place, check_places, print, print_json, write_file, write_table};
use crate::progress::Bar;

/// From this many seconds on a course is told by month.
const MONTHS_FROM: i64 = 90 * 86_400;

/// What the matches made under one way to set K.
#[derive(Clone, Copy, Serialize)]
struct Variant {
    /// None for each side its own.
    keep_sum: Option<KeepSum>,
    made: f64,
    destroyed: f64,
    net: f64,
    net_per_game: f64,
    mean_rating: f64,
}

/// Everything as one object.
#[derive(Serialize)]
struct Answer<'a> {
    params: DomMmrParams,
    matches: usize,
    players: usize,
    skipped_rows: u64,
    /// Columns or keys that nothing looks at.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    not_used: &'a [String],
    points: Variant,
    /// By what sets a side's K, an entry a side.
    ledger: &'a DomLedger,
    /// The same matches under the other ways to set K.
    others: &'a [Variant],
    by: PieceName,
    course: &'a [PointsPiece<String>],
}

pub(super) fn run(options: &LedgerOptions, command: String) -> Result<(), Failure> {
    let config = options.config.as_deref().map(SystemFile::read).transpose()?;
    let config = config.unwrap_or_default();
    let (params, own) = parameters(options, &config)?;
    let outputs = [&options.out, &options.plot];
    let files = outputs.into_iter().filter_map(|path| path.as_deref());
    let inputs = std::iter::once(&options.file).chain(&options.config);
    check_places(inputs, files.map(Place::File))?;
    let bar = Bar::begun("playing the matches");
    let imported = import_matches(&options.file, &options.reading)?;
    let history = &imported.history;
    let adjust = params.adjustments().map_err(Failure::of)?;
    let by = pieces(options, history)?;
    let course = play(own, &adjust, history, |game, time| {
        piece(by, game, time, history.len())
    })?;
    let others = others(own, &adjust, history)?;
    drop(bar);
    imported.notes.iter().for_each(|note| tell(note));
    let configuration = json!({ "params": params, "reading": options.reading.shown(), "by": by });
    let mut origin = Origin::new(command, &configuration)?;
    origin.inputs = std::iter::once(imported.facts.clone())
        .chain(config.facts)
        .collect();
    let unit = options.reading.time_unit;
    if let Some(path) = &options.out {
        write_table(path, &course_table(&course, unit, true), &origin)?;
    }
    if let Some(path) = &options.plot {
        let svg = plot(&course, unit).to_svg().map_err(Failure::of)?;
        write_file(path, svg.as_bytes(), &origin)?;
    }
    show(options, own, &imported, &others, by, &course)
}

/// Prints everything.
fn show(
    options: &LedgerOptions,
    own: DomMmrParams,
    imported: &Imported,
    others: &[Variant],
    by: PieceName,
    course: &PointsCourse<String>,
) -> Result<(), Failure> {
    let history = &imported.history;
    let points = variant(&own, course);
    if options.json {
        return print_json(&Answer {
            params: own,
            matches: history.len(),
            players: history.players().len(),
            skipped_rows: imported.skipped,
            not_used: &imported.unused,
            points,
            ledger: &course.ledger,
            others,
            by,
            course: &course.pieces,
        });
    }
    let words = words(&own, &points, others, history);
    print(&format!("{}\n\n", words.join("\n")))?;
    let reasons = own.keep_sum.is_none().then(|| reason_table(&course.ledger));
    let tables = std::iter::once(variant_table(points, others)).chain(reasons);
    let tables = tables.chain([course_table(course, options.reading.time_unit, false)]);
    print(&tables.map(|table| table.to_text()).collect::<Vec<_>>().join("\n"))
}

/// The parameters of DOM MMR with all that goes with them.
fn parameters(options: &LedgerOptions, config: &SystemFile) -> Result<(RatingParams, DomMmrParams), Failure> {
    let params = configured(
        SystemName::Dom,
        (config, options.config.as_deref()),
        &options.settings,
    )?;
    let refused = [
        (
            matches!(params.period, PeriodChoice::Batch(_)),
            "a period whose matches count all at once: a ledger has an entry a match; give the period in days",
        ),
        (
            params.home_advantage == AdvantageChoice::Fit,
            "a home advantage that is to be fitted: give it in points, as `matchwright rate --tune` writes it",
        ),
    ];
    if let Some((_, what)) = refused.into_iter().find(|(is_so, _)| *is_so) {
        return Err(Failure::Usage(format!("--config has {what}")));
    }
    match params.system {
        AnyParams::Dom(own) => Ok((params, own)),
        other => Err(Failure::Usage(format!("{} is not DOM MMR", other.name().name()))),
    }
}

fn play<K: PartialEq>(
    own: DomMmrParams,
    adjust: &Adjustments,
    history: &History,
    piece_of: impl Fn(usize, i64) -> K,
) -> Result<PointsCourse<K>, Failure> {
    let dom = own.build().map_err(Failure::of)?;
    points_course(&dom, adjust, history, piece_of).map_err(Failure::of)
}

/// What the course is told by.
fn pieces(options: &LedgerOptions, history: &History) -> Result<PieceName, Failure> {
    let is_index = options.reading.time_unit == Some(TimeUnit::Index);
    if is_index && options.by == Some(PieceName::Month) {
        let message = "--by month with --time-unit index: there are no months; give --by tenth";
        return Err(Failure::Usage(message.to_owned()));
    }
    let mut times = history.games().map(Game::time);
    let ends = times.next().zip(times.next_back());
    let is_long = ends.is_some_and(|(first, last)| last.saturating_sub(first) >= MONTHS_FROM);
    Ok(options.by.unwrap_or(if is_long && !is_index {
        PieceName::Month
    } else {
        PieceName::Tenth
    }))
}

/// `2024-05`, or `3/10`.
fn piece(by: PieceName, game: usize, time: i64, games: usize) -> String {
    match by {
        PieceName::Tenth => format!("{}/10", 1 + game * 10 / games.max(1)),
        PieceName::Month => {
            let time = utc_time(time);
            let date = time.split('T').next().unwrap_or(&time);
            date.rsplit_once('-').map_or(date, |(month, _)| month).to_owned()
        }
    }
}

/// The same matches under the other ways to set K.
fn others(own: DomMmrParams, adjust: &Adjustments, history: &History) -> Result<Vec<Variant>, Failure> {
    let one = [KeepSum::Mean, KeepSum::Smaller, KeepSum::Larger].map(Some);
    let all = std::iter::once(None).chain(one);
    all.filter(|keep| *keep != own.keep_sum)
        .map(|keep_sum| {
            let own = DomMmrParams { keep_sum, ..own };
            Ok(variant(&own, &play(own, adjust, history, |_, _| ())?))
        })
        .collect()
}

fn variant<K>(own: &DomMmrParams, course: &PointsCourse<K>) -> Variant {
    let games = course.ledger.games();
    Variant {
        keep_sum: own.keep_sum,
        made: games.made(),
        destroyed: games.destroyed(),
        net: games.net(),
        net_per_game: games.net_per_game(),
        mean_rating: course.mean_rating,
    }
}

/// Whether it is shown as 0, and may be of rounding alone.
fn is_nothing(points: f64) -> bool {
    points.abs() < 0.05
}

/// With the sign, also of a gain.
fn signed(number: f64, decimals: usize) -> String {
    let text = decimal(number, decimals);
    let is_gain = number > 0.0 && text.contains(|c| ('1'..='9').contains(&c));
    if is_gain { format!("+{text}") } else { text }
}

fn words(own: &DomMmrParams, points: &Variant, others: &[Variant], history: &History) -> Vec<String> {
    let net = points.net;
    let verdict = if is_nothing(net) {
        "the sum was kept"
    } else if net > 0.0 {
        "points were made"
    } else {
        "points were destroyed"
    };
    let players = history.players().len();
    let mut words = vec![
        format!(
            "On balance {verdict}: {} made {} points and destroyed {}, net {}, {} a match.",
            counted(history.len(), "match", "matches"),
            decimal(points.made, 1),
            decimal(points.destroyed, 1),
            signed(net, 1),
            signed(points.net_per_game, 3)
        ),
        format!(
            "The mean rating of {} went from {} to {}.",
            counted(players, "player", "players"),
            decimal(own.initial, 1),
            decimal(points.mean_rating, 1)
        ),
    ];
    if own.keep_sum.is_none() {
        let most = others.iter().map(|one| one.net.abs()).fold(0.0, f64::max);
        // A curve may give the two sides expectations that do not sum to 1.
        let does = if is_nothing(most) {
            "keeps the sum"
        } else {
            "does not keep the sum under this curve"
        };
        words.push(format!(
            "One K for both sides (--set keep_sum=mean, smaller or larger) {does}: net {} from the same matches.",
            decimal(most, 1)
        ));
    }
    words
}

fn variant_table(own: Variant, others: &[Variant]) -> Table {
    let name = |keep: Option<KeepSum>| match keep {
        None => "each side its own",
        Some(KeepSum::Mean) => "one: the mean",
        Some(KeepSum::Smaller) => "one: the smaller",
        Some(KeepSum::Larger) => "one: the larger",
        Some(_) => "one",
    };
    Table::of(
        "Points by the K of both sides, from the same matches",
        std::iter::once(&own).chain(others),
    )
    .column(Column::text("K"), |one| name(one.keep_sum))
    .column(Column::number("Made", 1), |one| one.made)
    .column(Column::number("Destroyed", 1), |one| one.destroyed)
    .column(Column::number("Net", 1), |one| one.net)
    .column(Column::number("Net a match", 3), |one| one.net_per_game)
    .column(Column::number("Mean rating", 1), |one| one.mean_rating)
    .build()
}

fn reason_table(ledger: &DomLedger) -> Table {
    Table::of("Points by what sets a side's K", KReason::ALL)
        .column(Column::text("Side"), |reason| match reason {
            KReason::Newcomer => "newcomer",
            KReason::Streak => "on a streak",
            KReason::High => "high",
            KReason::Settled => "none of them",
        })
        .column(Column::integer("Sides"), |reason| ledger.of(reason).games())
        .column(Column::number("Made", 1), |reason| ledger.of(reason).made())
        .column(Column::number("Destroyed", 1), |reason| ledger.of(reason).destroyed())
        .column(Column::number("Net", 1), |reason| ledger.of(reason).net())
        .build()
        .note(
            "What each side won or lost beyond a settled player in its place. The nets sum to that of the matches; made \
             and destroyed do not, since the two sides of a match can cancel.",
        )
}

/// For the terminal, or for a file, with names that are one word and the ends of pieces.
fn course_table(course: &PointsCourse<String>, unit: Option<TimeUnit>, is_file: bool) -> Table {
    let named = |name: &str| {
        if is_file {
            name.to_lowercase().replace(' ', "_")
        } else {
            name.to_owned()
        }
    };
    let points = |name: &str| Column::number(named(name), 1);
    let net = |reason: KReason| move |piece: &PointsPiece<String>| piece.ledger.of(reason).net();
    let has_reasons = KReason::ALL
        .iter()
        .any(|reason| course.ledger.of(*reason).largest() > 0.0);
    Table::of("Points over time", &course.pieces)
        .column(Column::text(named("Piece")), |piece| &piece.piece)
        .column(Column::text(named("From")), |piece| time_cell(unit, piece.from))
        .when(is_file, |table| {
            table.column(Column::text("to"), |piece| time_cell(unit, piece.to))
        })
        .column(Column::integer(named("Matches")), |piece| {
            piece.ledger.games().games()
        })
        .column(points("Made"), |piece| piece.ledger.games().made())
        .column(points("Destroyed"), |piece| piece.ledger.games().destroyed())
        .column(points("Net"), |piece| piece.ledger.games().net())
        .column(points("Net so far"), |piece| piece.net_so_far)
        .when(has_reasons, |table| {
            table
                .column(points("Net newcomer"), net(KReason::Newcomer))
                .column(points("Net streak"), net(KReason::Streak))
                .column(points("Net high"), net(KReason::High))
        })
        .build()
}

fn plot(course: &PointsCourse<String>, unit: Option<TimeUnit>) -> Plot {
    let start = course
        .pieces
        .first()
        .map(|piece| Point::new(piece.from as f64, 0.0));
    let line = |points: &dyn Fn(&PointsLedger) -> f64| -> Vec<Point> {
        let mut sum = 0.0;
        let ends = course.pieces.iter().map(|piece| {
            sum += points(piece.ledger.games());
            Point::new(piece.to as f64, sum)
        });
        start.into_iter().chain(ends).collect()
    };
    let matches = count(course.ledger.games().games());
    let time = if unit == Some(TimeUnit::Index) {
        Axis::new("Index")
    } else {
        Axis::new("Date (UTC)").dates()
    };
    Plot::new("Points made and destroyed")
        .caption(format!(
            "Sums over {matches} matches under DOM MMR; with one K for both sides the net stays at 0."
        ))
        .x(time)
        .y(Axis::new("Points"))
        .size(860, 480)
        .series(Series::line_and_points("made", line(&PointsLedger::made)))
        .series(Series::line_and_points(
            "destroyed",
            line(&PointsLedger::destroyed),
        ))
        .series(Series::line_and_points("net", line(&PointsLedger::net)))
}
