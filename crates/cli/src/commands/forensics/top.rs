//! `matchwright forensics top200`.

use matchwright_mmr_forensics::{LadderSeason, ListedPlayer, Mismatch, RankPoints, TopRow, top_list};
use matchwright_report::{Axis, Column, Plot, Point, Section, Series, Table};
use serde_json::json;

use super::Findings;
use super::snapshots::read;
use crate::arguments::TopOptions;
use crate::failure::Failure;

/// Rows of the table in a terminal.
const MOST_ROWS: usize = 40;

pub(super) fn top(options: &TopOptions, season: &LadderSeason) -> Result<Findings, Failure> {
    let highest = season.params().leagues.last().map_or("", |league| &league.name);
    let league = options.league.as_deref().unwrap_or(highest);
    let division = season
        .division(league, None)
        .map_err(|error| Failure::Usage(error.to_string()))?;
    let divisions = read(&options.table, &options.columns, Some(league), options.total)?;
    let table = &divisions.table;
    let posted = table.column(&["posted", "posted points"]);
    table.tell_unused();
    let mut players = Vec::new();
    for (snapshot, rows) in divisions.all.iter().zip(&divisions.rows) {
        for (member, &row) in snapshot.members.iter().zip(rows) {
            let points = table.number_if_any(row, posted)?.map(RankPoints::new).transpose();
            players.push(ListedPlayer {
                name: member.name.clone(),
                posted: points.map_err(|error| table.complain_row(row, error))?,
                standing: snapshot
                    .standing(member)
                    .map_err(|error| table.complain_row(row, error))?,
            });
        }
    }
    let rows = top_list(&players, options.length, &division);
    Ok(Findings {
        words: answer(&rows),
        results: Section::new("The list").table(top_table(&rows)).plot(plot(&rows)),
        value: json!({ "rows": rows }),
        inputs: vec![table.facts.clone()],
    })
}

fn answer(rows: &[TopRow]) -> Vec<String> {
    let count = |wanted: &[Mismatch]| rows.iter().filter(|row| wanted.contains(&row.mismatch)).count();
    let mut lines = vec![format!(
        "{} players by points; {} stand at another place by rating: {} because of their own unspent bonus, {} because of \
         others', {} because of games since",
        rows.len(),
        rows.len() - count(&[Mismatch::None]),
        count(&[Mismatch::OwnPool]),
        count(&[Mismatch::OthersPool]),
        count(&[Mismatch::PlayedSince, Mismatch::OthersPlayed])
    )];
    if let Some(row) = rows
        .iter()
        .max_by_key(|row| row.place.saturating_sub(row.place_by_rating))
        && row.place > row.place_by_rating
    {
        lines.push(format!(
            "Listed lowest for a rating: {}, place {} by points, {} by rating, with {:.0} bonus points unspent",
            row.name, row.place, row.place_by_rating, row.unspent
        ));
    }
    lines
}

fn words(mismatch: Mismatch) -> &'static str {
    match mismatch {
        Mismatch::OwnPool => "own unspent bonus",
        Mismatch::OthersPool => "others' unspent bonus",
        Mismatch::PlayedSince => "played since",
        Mismatch::OthersPlayed => "others played since",
        Mismatch::None => "",
    }
}

fn top_table(rows: &[TopRow]) -> Table {
    Table::of("By points", rows)
        .column(Column::integer("Place"), |row| row.place)
        .column(Column::text("Player"), |row| &row.name)
        .column(Column::number("Points", 0), |row| row.points)
        .column(Column::number("Unspent", 0), |row| row.unspent)
        .column(Column::number("MMR", 0), |row| row.rating)
        .column(Column::integer("By MMR"), |row| row.place_by_rating)
        .column(Column::text("Why"), |row| words(row.mismatch))
        .build()
        .show_first(MOST_ROWS)
        .file("top")
}

fn plot(rows: &[TopRow]) -> Plot {
    let line = |value: &dyn Fn(&TopRow) -> f64| -> Vec<Point> {
        rows.iter()
            .map(|row| Point::new(row.place as f64, value(row)))
            .collect()
    };
    let shift = rows.first().map_or(0.0, |row| row.points - row.rating);
    let moved = format!("MMR {shift:+.0}");
    Plot::new("Points and rating by place")
        .file("top")
        .caption(format!(
            "MMR is shown {shift:+.0} points, so that both lines begin together."
        ))
        .x(Axis::new("Place by points"))
        .y(Axis::new(format!("Points, and {moved}")))
        .series(Series::line("points", line(&|row| row.points)))
        .series(Series::points(moved, line(&|row| row.rating + shift)))
}
