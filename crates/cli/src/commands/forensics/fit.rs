//! `matchwright forensics fit`.

use matchwright_mmr_forensics::{
    Answer, AverageFit, ConstantsFit, DivisionSnapshot, Interval, LadderSeason, LeagueFit, PromotionHistory,
    TierSettings, fit_constants,
};
use matchwright_report::{Axis, Column, Plot, Point, Section, Series, Table};
use serde_json::json;

use super::snapshots::{Divisions, read};
use super::{ENDS, Findings, why_not, with_ends};
use crate::arguments::FitOptions;
use crate::failure::Failure;
use crate::input::PastedTable;

pub(super) fn fit(options: &FitOptions, season: &LadderSeason) -> Result<Findings, Failure> {
    let mut snapshots = Vec::new();
    for path in &options.snapshots {
        let divisions = read(path, &options.columns, None, None)?;
        divisions.need_leagues()?;
        divisions.table.tell_unused();
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
            let table = PastedTable::read(path, &options.columns)?;
            inputs.push(table.facts.clone());
            histories(&table)?
        }
        None => Vec::new(),
    };
    let settings = TierSettings {
        late_hours: options.late_hours,
        ..TierSettings::default()
    };
    let all: Vec<&[DivisionSnapshot]> = snapshots.iter().map(|divisions| &divisions.all[..]).collect();
    let Some(last) = snapshots.last() else {
        return Err(Failure::Usage("give at least one snapshot".to_owned()));
    };
    let fit =
        fit_constants(&all, &histories, season, &settings).map_err(|error| last.table.name.refuse(error))?;
    Ok(Findings {
        words: answer(&fit),
        results: Section::new("Constants of the season")
            .table(league_table(&fit))
            .table(tier_table(&fit))
            .table(average_table(&fit))
            .tables(debt_table(&fit))
            .plot(league_plot(&fit)),
        value: json!(fit),
        inputs,
    })
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
    table.tell_unused();
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

fn yes(table: &PastedTable, row: usize, column: matchwright_import::FoundColumn) -> Result<bool, Failure> {
    match table.text(row, column).to_lowercase().as_str() {
        "1" | "yes" | "true" => Ok(true),
        "0" | "no" | "false" | "" => Ok(false),
        _ => Err(table.complain(row, column, "must be yes or no, 1 or 0").into()),
    }
}

fn answer(fit: &ConstantsFit) -> Vec<String> {
    let known = |of: fn(&LeagueFit) -> &Answer<Interval>| {
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
            "In points, a win brings {}, a loss costs {}",
            with_ends(&gains.per_win, 1),
            with_ends(&gains.per_loss, 1)
        )),
        None => lines.extend(why_not(&fit.gains).map(|why| format!("What games bring is {why}"))),
    }
    lines.extend(debts(fit));
    lines.extend(doubts(fit));
    lines
}

/// What an absence costs, by league.
fn debts(fit: &ConstantsFit) -> Option<String> {
    let of = |league: &LeagueFit| {
        let debt = &league.debt.found()?.games_per_week;
        Some(format!("{:.1} in {}", debt.value, league.league))
    };
    let known: Vec<String> = fit.leagues.iter().filter_map(of).collect();
    (!known.is_empty()).then(|| {
        format!(
            "A week away costs games before promotion counts again: {}",
            known.join(", ")
        )
    })
}

/// Tiers whose K comes out differently by promotions and by moves.
fn doubts(fit: &ConstantsFit) -> Option<String> {
    let all = fit
        .leagues
        .iter()
        .flat_map(|league| league.tiers.iter().map(move |tier| (league, tier)));
    let far = all.filter(|(_, tier)| tier.is_doubtful());
    let names: Vec<String> = far
        .map(|(league, tier)| format!("{} {}", league.league, tier.tier))
        .collect();
    (!names.is_empty()).then(|| {
        format!(
            "Do not trust K of {}: promotions and moves tell different numbers, so divisions were taken for the \
             wrong tier or the ladder works in another way",
            names.join(", ")
        )
    })
}

fn league_table(fit: &ConstantsFit) -> Table {
    Table::of("Leagues, with 95 % intervals", &fit.leagues)
        .column(Column::text("League"), |league| &league.league)
        .columns(
            ENDS,
            |(end, _)| Column::number(format!("C{end}"), 1),
            |league, (_, read)| league.conversion.found().map(read),
        )
        .column(Column::integer("Moves"), |league| league.moves)
        .columns(
            ENDS,
            |(end, _)| Column::number(format!("M{end}"), 2),
            |league, (_, read)| league.magic.found().map(read),
        )
        .column(Column::integer("Promotions"), |league| league.promotions)
        .build()
        .note("No number: not identifiable from these files; --json says why.")
        .file("leagues")
}

fn tier_table(fit: &ConstantsFit) -> Table {
    let tiers = fit
        .leagues
        .iter()
        .flat_map(|league| league.tiers.iter().map(move |tier| (league, tier)));
    Table::of("Tiers, with 95 % intervals", tiers)
        .column(Column::text("League"), |(league, _)| &league.league)
        .column(Column::text("Tier"), |(_, tier)| &tier.tier)
        .columns(
            ENDS,
            |(end, _)| Column::number(format!("K{end}"), 1),
            |(_, tier), (_, read)| tier.offset.found().map(read),
        )
        .column(Column::integer("Divisions"), |(_, tier)| tier.divisions)
        .column(
            Column::number("Promotions against moves", 1).unit("standard errors"),
            |(_, tier)| tier.disagreement,
        )
        .build()
        .file("tiers")
}

fn average_table(fit: &ConstantsFit) -> Table {
    Table::of(
        "Moving averages that promotions may follow",
        fit.averages.found().into_iter().flatten(),
    )
    .column(Column::text("Average"), |fit| fit.average.name())
    .column(Column::number("ln likelihood", 1), |fit| fit.ln_likelihood)
    .column(Column::percent("Probability", 2), |fit| fit.chance)
    .build()
    .file("averages")
}

/// None where no history shows what an absence costs.
fn debt_table(fit: &ConstantsFit) -> Option<Table> {
    let known = fit
        .leagues
        .iter()
        .filter_map(|league| Some((league, league.debt.found()?)));
    let table = Table::of(
        "Games that an absence costs, with the range that histories allow",
        known,
    )
    .column(Column::text("League"), |(league, _)| &league.league)
    .columns(
        ENDS,
        |(end, _)| Column::number(format!("Games a week{end}"), 2),
        |(_, debt), (_, read)| read(&debt.games_per_week),
    )
    .column(Column::integer("Absences"), |(_, debt)| debt.absences)
    .column(Column::integer("Contradicted"), |(_, debt)| debt.contradicted)
    .build()
    .note("Leagues without a row: no history shows a debt from below and from above; --json says why.")
    .file("debts");
    (!table.is_empty()).then_some(table)
}

/// Where leagues lie: C, and C + M where one is promoted.
fn league_plot(fit: &ConstantsFit) -> Plot {
    let points = |of: fn(&LeagueFit) -> Option<Interval>| {
        let known = (1..).zip(&fit.leagues);
        let point = move |(place, league): (u32, &LeagueFit)| {
            let at = of(league)?;
            Some(Point::with_error(
                f64::from(place),
                at.value,
                (at.high - at.low) / 2.0,
            ))
        };
        known.filter_map(point).collect::<Vec<_>>()
    };
    let bottom = points(|league| league.conversion.found().copied());
    let promoted = points(|league| {
        let (c, m) = (league.conversion.found()?, league.magic.found()?);
        let half = ((c.high - c.low) / 2.0).hypot((m.high - m.low) / 2.0);
        Some(Interval {
            value: c.value + m.value,
            low: c.value + m.value - half,
            high: c.value + m.value + half,
        })
    });
    let names: Vec<String> = (1..)
        .zip(&fit.leagues)
        .map(|(place, league)| format!("{place} {}", league.league))
        .collect();
    Plot::new("Where leagues lie")
        .file("leagues")
        .caption("With 95 % intervals.")
        .x(Axis::new(format!("League: {}", names.join(", "))))
        .y(Axis::new("MMR").unit("points"))
        .series(Series::points("C", bottom))
        .series(Series::points("C + M, promotion", promoted))
}
