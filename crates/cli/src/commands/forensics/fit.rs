//! `matchwright forensics fit`.

use std::path::{Path, PathBuf};

use matchwright_mmr_forensics::{
    Answer, AverageFit, ConstantsFit, Interval, PromotionHistory, TierSettings, fit_constants,
};
use matchwright_report::{Cell, Column, Table};
use serde_json::json;

use super::snapshots::{Divisions, read};
use super::{Season, Shown, interval_cells, why_not, word};
use crate::arguments::FitOptions;
use crate::failure::Failure;
use crate::input::PastedTable;

pub(super) fn run(options: &FitOptions) -> Result<(), Failure> {
    let season = Season::read(&options.shown.season)?;
    let mut snapshots = Vec::new();
    for path in &options.snapshots {
        let divisions = read(path, None, None)?;
        divisions.need_leagues()?;
        snapshots.push(divisions);
    }
    let total = |divisions: &Divisions| divisions.all[0].total.get();
    snapshots.sort_by(|a, b| total(a).total_cmp(&total(b)));
    let mut inputs: Vec<_> = snapshots
        .iter()
        .map(|divisions| divisions.table.facts.clone())
        .collect();
    let histories = match &options.histories {
        Some(path) => {
            let table = PastedTable::read(path)?;
            inputs.push(table.facts.clone());
            histories(&table)?
        }
        None => Vec::new(),
    };
    let settings = TierSettings {
        late_hours: options.late.late_hours,
        ..TierSettings::default()
    };
    let (first, last) = match &snapshots[..] {
        [first, .., last] => (&first.all[..], last),
        [only] => (&[][..], only),
        [] => return Err(Failure::Usage("give at least one snapshot".to_owned())),
    };
    let fit = fit_constants(first, &last.all, &histories, &season.ladder, &settings)
        .map_err(|error| last.table.refuse(&error))?;
    let words = |path: &Path| word(&path.file_name().unwrap_or_default().to_string_lossy());
    let names: Vec<String> = options.snapshots.iter().map(|path| words(path)).collect();
    let more = options
        .histories
        .as_ref()
        .map(|path| format!(" --histories {}", words(path)));
    let paths: Vec<&Path> = options
        .snapshots
        .iter()
        .chain(&options.histories)
        .map(PathBuf::as_path)
        .collect();
    Shown {
        command: format!(
            "fit {}{} --late-hours {}",
            names.join(" "),
            more.unwrap_or_default(),
            options.late.late_hours
        ),
        answer: answer(&fit, snapshots.len()),
        tables: vec![
            ("leagues", league_table(&fit)),
            ("tiers", tier_table(&fit)),
            ("averages", average_table(&fit)),
        ],
        plots: Vec::new(),
        value: json!(fit),
        inputs,
    }
    .show(&options.shown.page, &season, &paths)
}

/// One row a game, players one after the other.
fn histories(table: &PastedTable) -> Result<Vec<PromotionHistory>, Failure> {
    let player = table.needed(&["player", "name"])?;
    let league = table.needed(&["league"])?;
    let division = table.needed(&["division"])?;
    let differential = table.needed(&["differential"])?;
    let promoted = table.needed(&["promoted"])?;
    let away = table.column(&["weeks away"]);
    let counts = table.column(&["counts"]);
    let mut histories: Vec<PromotionHistory> = Vec::new();
    let mut last = None;
    for row in 0..table.len() {
        let name = table.text_or_above(row, player)?;
        if last != Some(name) {
            histories.push(PromotionHistory {
                league: table.text_or_above(row, league)?.to_owned(),
                division: table.text_or_above(row, division)?.to_owned(),
                differentials: Vec::new(),
                from: 0,
                promoted: false,
                away: Vec::new(),
            });
            last = Some(name);
        }
        let Some(history) = histories.last_mut() else {
            continue;
        };
        let game = history.differentials.len();
        if let Some(weeks) = table.number_if_any(row, away)?.filter(|weeks| *weeks > 0.0) {
            history.away.push((game, weeks));
        }
        history.differentials.push(table.number(row, differential)?);
        history.promoted = yes(table, row, promoted)?;
        // Games before the division came into sight do not count.
        if let Some(column) = counts
            && !yes(table, row, column)?
        {
            history.from = game + 1;
        }
    }
    Ok(histories)
}

fn yes(table: &PastedTable, row: usize, column: crate::input::FoundColumn) -> Result<bool, Failure> {
    match table.text(row, column).to_lowercase().as_str() {
        "1" | "yes" | "true" => Ok(true),
        "0" | "no" | "false" | "" => Ok(false),
        _ => Err(table.complain(row, column, "must be yes or no, 1 or 0")),
    }
}

fn answer(fit: &ConstantsFit, snapshots: usize) -> Vec<String> {
    let known = |of: fn(&matchwright_mmr_forensics::LeagueFit) -> &Answer<Interval>| {
        fit.leagues
            .iter()
            .filter(|league| of(league).found().is_some())
            .count()
    };
    let tiers = fit.leagues.iter().flat_map(|league| &league.tiers);
    let mut lines = vec![format!(
        "Known with 95 % intervals: C of {} leagues, M of {}, K of {} tiers (C of the lowest league is taken as given)",
        known(|league| &league.conversion),
        known(|league| &league.magic),
        tiers.filter(|tier| tier.offset.found().is_some()).count()
    )];
    match &fit.averages {
        Answer::Found(fits) => lines.extend(fits.first().map(|first: &AverageFit| {
            format!(
                "Promotions follow {}, with a chance of {:.2} % among those compared",
                first.average.name(),
                100.0 * first.chance
            )
        })),
        other @ Answer::NotIdentifiable(_) => {
            lines.extend(why_not(other).map(|why| format!("Which average promotes is {why}")));
        }
    }
    match fit.gains.found() {
        Some(gains) => lines.push(format!(
            "A win brings {:.1} points ({:.1} to {:.1}), a loss costs {:.1} ({:.1} to {:.1})",
            gains.per_win.value,
            gains.per_win.low,
            gains.per_win.high,
            gains.per_loss.value,
            gains.per_loss.low,
            gains.per_loss.high
        )),
        None => lines.extend(why_not(&fit.gains).map(|why| format!("What games bring is {why}"))),
    }
    if snapshots > 2 {
        lines.push("Of the snapshots the earliest and the latest are compared.".to_owned());
    }
    lines
}

fn league_table(fit: &ConstantsFit) -> Table {
    let table = Table::new("Leagues, with 95 % intervals")
        .column(Column::text("League"))
        .column(Column::number("C", 1))
        .column(Column::number("from", 1))
        .column(Column::number("to", 1))
        .column(Column::integer("Moves"))
        .column(Column::number("M", 2))
        .column(Column::number("from ", 2))
        .column(Column::number("to ", 2))
        .column(Column::integer("Promotions"));
    let row = |table: Table, league: &matchwright_mmr_forensics::LeagueFit| {
        let mut cells = vec![Cell::from(&*league.league)];
        cells.extend(interval_cells(&league.conversion));
        cells.push(league.moves.into());
        cells.extend(interval_cells(&league.magic));
        cells.push(league.promotions.into());
        table.row(cells)
    };
    fit.leagues
        .iter()
        .fold(table, row)
        .note("No number: not identifiable from these files; --json says why.")
}

fn tier_table(fit: &ConstantsFit) -> Table {
    let mut table = Table::new("Tiers, with 95 % intervals")
        .column(Column::text("League"))
        .column(Column::text("Tier"))
        .column(Column::number("K", 1))
        .column(Column::number("from", 1))
        .column(Column::number("to", 1))
        .column(Column::integer("Divisions"));
    for league in &fit.leagues {
        for tier in &league.tiers {
            let mut cells = vec![Cell::from(&*league.league), Cell::from(&*tier.tier)];
            cells.extend(interval_cells(&tier.offset));
            cells.push(tier.divisions.into());
            table = table.row(cells);
        }
    }
    table
}

fn average_table(fit: &ConstantsFit) -> Table {
    let table = Table::new("Moving averages that promotions may follow")
        .column(Column::text("Average"))
        .column(Column::number("ln likelihood", 1))
        .column(Column::number("Chance", 2).unit("%"));
    let fits = fit.averages.found().map_or(&[][..], |fits| &fits[..]);
    fits.iter().fold(table, |table, fit| {
        table.row([
            fit.average.name().into(),
            fit.ln_likelihood.into(),
            (100.0 * fit.chance).into(),
        ])
    })
}
