//! `matchwright season pull`.

use matchwright_rating::{PullError, PulledRatings, RatingSpread, SeasonPull, SeasonPullParams};
use matchwright_report::{Column, Table, count, counted, decimal};
use serde::Serialize;
use serde_json::json;

use super::{Roster, refused};
use crate::arguments::PullOptions;
use crate::failure::{Failure, tell};
use crate::output::{Origin, Place, check_places, print, print_json, write_table};

/// A player before and after.
#[derive(Clone, Copy, Serialize)]
struct Pulled<'a> {
    player: &'a str,
    before: f64,
    after: f64,
    change: f64,
}

/// Everything as one object.
#[derive(Serialize)]
struct Answer<'a> {
    pull: SeasonPullParams,
    players: usize,
    before: RatingSpread,
    after: RatingSpread,
    same_rank: usize,
    made_equal: usize,
    top: &'a [Pulled<'a>],
}

pub(super) fn run(options: &PullOptions, command: String) -> Result<(), Failure> {
    let out = options.out.as_deref().map(Place::File);
    check_places([&options.file], out)?;
    let pull = pull_of(options)?;
    let roster = Roster::read(&options.file, &options.columns, options.names.as_written)?;
    let key = rating_key(&roster)?;
    let ratings = roster.numbers(key)?;
    roster.tell_ignored(&[key]);
    let pulled = pull.pull_all(&ratings).map_err(|error| match error {
        PullError::Rating { index, source } => {
            roster.refuse(&roster.all()[index], format!("is refused: {source}"))
        }
        error => roster.name.refuse(error),
    })?;
    let rows: Vec<Pulled<'_>> = (pulled.order.iter())
        .map(|&place| Pulled {
            player: &roster.all()[place].id,
            before: ratings[place],
            after: pulled.ratings[place],
            change: pulled.ratings[place] - ratings[place],
        })
        .collect();
    let params = *pull.params();
    tell_one_sided(&params, &pulled.before);
    if let Some(path) = &options.out {
        let mut origin = Origin::new(command, &json!({ "pull": params }))?;
        origin.inputs = vec![roster.facts.clone()];
        write_table(path, &file_table(&rows), &origin)?;
    }
    let top = &rows[..options.top.min(rows.len())];
    if options.json {
        return print_json(&Answer {
            pull: params,
            players: rows.len(),
            before: pulled.before,
            after: pulled.after,
            same_rank: pulled.same_rank,
            made_equal: pulled.made_equal,
            top,
        });
    }
    print(&format!("{}\n\n", words(&params, &pulled).join("\n")))?;
    print(&format!(
        "{}\n{}",
        spread_table(&pulled).to_text(),
        top_table(top, rows.len()).to_text()
    ))
}

/// The pull that is asked for; what makes no sense is refused before anything is read.
fn pull_of(options: &PullOptions) -> Result<SeasonPull, Failure> {
    let of_range = |[low, high]: [f64; 2]| low..=high;
    if let (Some(from), Some(to)) = (options.from, options.to) {
        let pull = SeasonPull::calibrated(options.centre, of_range(from), of_range(to));
        return pull.map_err(|error| match error {
            PullError::Param(error) => refused(&error),
            error => Failure::Usage(format!("--from and --to: {error}")),
        });
    }
    let plain = SeasonPullParams::default();
    let params = SeasonPullParams {
        centre: options.centre,
        keep: options.keep.unwrap_or(plain.keep),
        hardening: options.hardening.unwrap_or(plain.hardening),
    };
    params.build().map_err(|error| refused(&error))
}

/// Which of the two columns that ratings may stand in has them.
fn rating_key(roster: &Roster) -> Result<&'static str, Failure> {
    match (roster.has("skill"), roster.has("glory")) {
        (true, true) => Err(roster
            .name
            .refuse("there are a rating and glory: --columns skill=COLUMN says which of the two is pulled")),
        (false, true) => Ok("glory"),
        (_, false) => Ok("skill"),
    }
}

/// Ratings of another scale than the centre's land nowhere near where they should.
fn tell_one_sided(params: &SeasonPullParams, before: &RatingSpread) {
    let side = if before.highest < params.centre {
        "below"
    } else if before.lowest > params.centre {
        "above"
    } else {
        return;
    };
    let centre = decimal(params.centre, 0);
    tell(&format!(
        "all ratings are {side} the centre, {centre}: if they are on another scale, give --centre"
    ));
}

fn words(params: &SeasonPullParams, pulled: &PulledRatings) -> Vec<String> {
    let players = pulled.ratings.len();
    let kept = |distance: f64| decimal(100.0 * params.keep / (1.0 + params.hardening * distance), 1);
    let RatingSpread { lowest, highest, .. } = pulled.before;
    let far = (highest - params.centre)
        .abs()
        .max((lowest - params.centre).abs());
    let mut words = vec![format!(
        "{} pulled towards {}. A rating 100 points away keeps {} % of that distance, the farthest ({} points) {} %.",
        counted(players, "player", "players"),
        decimal(params.centre, 0),
        kept(100.0),
        decimal(far, 0),
        kept(far)
    )];
    words.push(if pulled.made_equal == 0 {
        format!("All {} keep their rank.", count(players as u64))
    } else {
        format!(
            "{} of {} keep their rank; rounding made {} equal to another with different points.",
            count(pulled.same_rank as u64),
            count(players as u64),
            count(pulled.made_equal as u64)
        )
    });
    words
}

fn spread_table(pulled: &PulledRatings) -> Table {
    let (before, after) = (pulled.before, pulled.after);
    let rows = [
        ("Highest", before.highest, after.highest),
        ("Mean", before.mean, after.mean),
        ("Lowest", before.lowest, after.lowest),
        (
            "Range",
            before.highest - before.lowest,
            after.highest - after.lowest,
        ),
        ("Standard deviation", before.deviation, after.deviation),
    ];
    Table::of("All ratings, in points", rows)
        .column(Column::text(""), |(what, ..)| what)
        .column(Column::number("Before", 1), |(_, before, _)| before)
        .column(Column::number("After", 1), |(.., after)| after)
        .build()
}

fn top_table(top: &[Pulled<'_>], players: usize) -> Table {
    let table = Table::of("Ratings before and after the pull, best first", top)
        .column(Column::text("Player"), |row| row.player)
        .column(Column::number("Before", 1), |row| row.before)
        .column(Column::number("After", 1), |row| row.after)
        .column(Column::number("Change", 1), |row| row.change)
        .build();
    let hidden = players - top.len();
    table.notes((hidden > 0).then(|| {
        let players = counted(hidden, "more player", "more players");
        format!("{players}: --top N shows more, --out FILE writes all.")
    }))
}

/// As other commands read ratings.
fn file_table(rows: &[Pulled<'_>]) -> Table {
    Table::of("Ratings after the pull, best first", rows)
        .column(Column::text("player"), |row| row.player)
        .column(Column::number("rating", 1), |row| row.after)
        .column(Column::number("before", 1), |row| row.before)
        .column(Column::number("change", 1), |row| row.change)
        .build()
}
