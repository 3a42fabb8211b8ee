//! `matchwright forensics tier`.

use matchwright_mmr_forensics::{
    Answer, ClusterReading, TierReading, TierSettings, cluster_tier, likely_tier,
};
use matchwright_report::{Axis, Cell, Column, Plot, Point, Series, Table};
use serde::Serialize;
use serde_json::json;

use super::snapshots::{Divisions, read};
use super::{Season, Shown, why_not, word};
use crate::arguments::TierOptions;
use crate::failure::Failure;

/// Divisions that a terminal is shown one by one.
const MOST_ROWS: usize = 40;

#[derive(Serialize)]
struct DivisionTier {
    division: String,
    league: String,
    reading: Answer<TierReading>,
    by_cluster: Option<ClusterReading>,
}

pub(super) fn run(options: &TierOptions) -> Result<(), Failure> {
    let season = Season::read(&options.shown.season)?;
    let divisions = read(&options.table, options.league.as_deref(), options.total)?;
    divisions.need_leagues()?;
    let settings = TierSettings {
        late_hours: options.late.late_hours,
        ..TierSettings::default()
    };
    let mut tiers = Vec::new();
    for (snapshot, rows) in divisions.all.iter().zip(&divisions.rows) {
        let complain = |error| divisions.table.complain_row(rows[0], &error);
        tiers.push(DivisionTier {
            division: snapshot.name.clone(),
            league: snapshot.league.clone(),
            reading: likely_tier(snapshot, &season.ladder, &settings).map_err(complain)?,
            by_cluster: cluster_tier(snapshot, &season.ladder).map_err(complain)?,
        });
    }
    let mut tables = vec![("divisions", division_table(&tiers))];
    let mut plots = Vec::new();
    if let [one] = &tiers[..] {
        tables.insert(0, ("tiers", tier_table(one)));
        plots.push(("players", plot(&divisions, one)));
    }
    let league = options
        .league
        .as_ref()
        .map(|league| format!(" --league {}", word(league)));
    let total = options.total.map(|total| format!(" --total {total}"));
    Shown {
        command: format!(
            "tier {}{}{} --late-hours {}",
            word(&divisions.table.facts.name),
            league.unwrap_or_default(),
            total.unwrap_or_default(),
            options.late.late_hours
        ),
        answer: answer(&tiers),
        tables: if tiers.len() > MOST_ROWS {
            vec![("leagues", league_table(&tiers))]
        } else {
            tables
        },
        plots,
        value: json!({ "divisions": tiers }),
        inputs: vec![divisions.table.facts.clone()],
    }
    .show(&options.shown.page, &season, &[&options.table])
}

fn answer(tiers: &[DivisionTier]) -> Vec<String> {
    if let [one] = tiers {
        let cluster = one.by_cluster.as_ref().map(|cluster| {
            format!(
                "By the source's method {}: {} players cluster around {:.0}",
                cluster.tier, cluster.players, cluster.cluster
            )
        });
        let ours = match one.reading.found() {
            Some(reading) => format!(
                "{} {}: {:.1} % sure, by {} active of {} players",
                one.league,
                reading.tier,
                100.0 * reading.tiers[0].chance,
                reading.active,
                reading.members
            ),
            None => why_not(&one.reading).unwrap_or_default(),
        };
        return [Some(ours), cluster].into_iter().flatten().collect();
    }
    let told: Vec<&TierReading> = tiers.iter().filter_map(|tier| tier.reading.found()).collect();
    let sure = told
        .iter()
        .filter(|reading| reading.tiers[0].chance >= 0.95)
        .count();
    vec![format!(
        "{} divisions: {sure} whose tier is at least 95 % sure, {} less, {} not identifiable",
        tiers.len(),
        told.len() - sure,
        tiers.len() - told.len()
    )]
}

fn tier_table(one: &DivisionTier) -> Table {
    let table = Table::new("Tiers")
        .column(Column::text("Tier"))
        .column(Column::number("K", 0))
        .column(Column::number("M - K", 0))
        .column(Column::number("Chance", 2).unit("%"));
    let tiers = one.reading.found().map_or(&[][..], |reading| &reading.tiers[..]);
    let row = |table: Table, tier: &matchwright_mmr_forensics::TierChance| {
        table.row([
            (&*tier.tier).into(),
            tier.offset.into(),
            tier.edge.into(),
            (100.0 * tier.chance).into(),
        ])
    };
    tiers.iter().fold(table, row)
}

fn division_table(tiers: &[DivisionTier]) -> Table {
    let table = Table::new("Divisions")
        .column(Column::text("Division"))
        .column(Column::text("League"))
        .column(Column::text("Tier"))
        .column(Column::number("Chance", 1).unit("%"))
        .column(Column::integer("Active"))
        .column(Column::integer("Players"))
        .column(Column::text("By cluster"))
        .column(Column::number("Cluster at", 0));
    let row = |table: Table, tier: &DivisionTier| {
        let reading = tier.reading.found();
        let cluster = tier.by_cluster.as_ref();
        let of = |value: &dyn Fn(&TierReading) -> Cell| reading.map_or(Cell::Empty, value);
        table.row([
            (&*tier.division).into(),
            (&*tier.league).into(),
            of(&|reading| (&*reading.tier).into()),
            of(&|reading| (100.0 * reading.tiers[0].chance).into()),
            of(&|reading| reading.active.into()),
            of(&|reading| reading.members.into()),
            cluster.map_or(Cell::Empty, |cluster| (&*cluster.tier).into()),
            cluster.map_or(Cell::Empty, |cluster| cluster.cluster.into()),
        ])
    };
    tiers.iter().fold(table, row)
}

/// How many divisions of each league are of which tier.
fn league_table(tiers: &[DivisionTier]) -> Table {
    let mut counts: Vec<(&str, &str, usize)> = Vec::new();
    for tier in tiers {
        let name = tier
            .reading
            .found()
            .map_or("not identifiable", |reading| &reading.tier);
        match counts
            .iter_mut()
            .find(|(league, other, _)| *league == tier.league && *other == name)
        {
            Some((.., count)) => *count += 1,
            None => counts.push((&tier.league, name, 1)),
        }
    }
    counts.sort_unstable();
    let table = Table::new("Divisions by league and tier")
        .column(Column::text("League"))
        .column(Column::text("Tier"))
        .column(Column::integer("Divisions"));
    counts
        .into_iter()
        .fold(table, |table, (league, tier, count)| {
            table.row([league.into(), tier.into(), count.into()])
        })
        .note("Each division: --json, or --out DIR.")
}

fn plot(divisions: &Divisions, one: &DivisionTier) -> Plot {
    let snapshot = &divisions.all[0];
    let mut values: Vec<f64> = snapshot
        .members
        .iter()
        .map(|member| snapshot.differential(member))
        .collect();
    values.sort_by(|a, b| b.total_cmp(a));
    let count = values.len() as f64;
    let points = (1..)
        .zip(&values)
        .map(|(place, value)| Point::new(f64::from(place), *value));
    let plot = Plot::new("Points less bonus spent")
        .x(Axis::new("Place"))
        .y(Axis::new("P + U - B").unit("points"))
        .series(Series::points("players", points.collect::<Vec<_>>()));
    match one.reading.found().and_then(|reading| reading.tiers.first()) {
        Some(tier) => {
            let ends = [Point::new(1.0, tier.edge), Point::new(count, tier.edge)];
            plot.series(Series::line(format!("M - K of {}", tier.tier), ends).guide())
        }
        None => plot,
    }
}
