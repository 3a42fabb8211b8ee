//! `matchwright forensics tier`.

use std::collections::BTreeMap;

use matchwright_mmr_forensics::{
    Answer, ClusterReading, LadderSeason, TierReading, TierSettings, cluster_tier, likely_tier,
};
use matchwright_report::{Axis, Column, Plot, Point, Section, Series, Table};
use serde::Serialize;
use serde_json::json;

use super::snapshots::{Divisions, read};
use super::{Findings, by_place, why_not};
use crate::arguments::TierOptions;
use crate::failure::{Failure, tell};

/// Divisions that a terminal is shown one by one.
const MOST_ROWS: usize = 40;

#[derive(Serialize)]
struct DivisionTier {
    division: String,
    league: String,
    reading: Answer<TierReading>,
    by_cluster: Option<ClusterReading>,
}

pub(super) fn tiers(options: &TierOptions, season: &LadderSeason) -> Result<Findings, Failure> {
    let divisions = read(
        &options.table,
        &options.columns,
        options.league.as_deref(),
        options.total,
    )?;
    divisions.need_leagues()?;
    if options.league.is_some() && divisions.table.column(&["league"]).is_some() {
        tell("--league had no effect: the table has a column of leagues");
    }
    divisions.table.tell_unused();
    let settings = TierSettings {
        late_hours: options.late_hours,
        ..TierSettings::default()
    };
    let mut tiers = Vec::new();
    for (snapshot, rows) in divisions.all.iter().zip(&divisions.rows) {
        let complain = |error| divisions.table.complain_row(rows[0], error);
        tiers.push(DivisionTier {
            division: snapshot.name.clone(),
            league: snapshot.league.clone(),
            reading: likely_tier(snapshot, season, &settings).map_err(complain)?,
            by_cluster: cluster_tier(snapshot, season).map_err(complain)?,
        });
    }
    let results = Section::new("Tiers of divisions");
    let results = match &tiers[..] {
        [one] => results
            .table(tier_table(one))
            .table(division_table(&tiers))
            .plot(plot(&divisions, one)),
        few if few.len() <= MOST_ROWS => results.table(division_table(few)),
        many => results.table(league_table(many)).attach(division_table(many)),
    };
    Ok(Findings {
        words: answer(&tiers),
        results,
        value: json!({ "divisions": tiers }),
        inputs: vec![divisions.table.facts.clone()],
    })
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
    Table::of(
        "Tiers",
        one.reading.found().iter().flat_map(|reading| &reading.tiers),
    )
    .column(Column::text("Tier"), |tier| &tier.tier)
    .column(Column::number("K", 0), |tier| tier.offset)
    .column(Column::number("M - K", 0), |tier| tier.edge)
    .column(Column::percent("Probability", 2), |tier| tier.chance)
    .build()
    .file("tiers")
}

fn division_table(tiers: &[DivisionTier]) -> Table {
    Table::of("Divisions", tiers)
        .column(Column::text("Division"), |tier| &tier.division)
        .column(Column::text("League"), |tier| &tier.league)
        .column(Column::text("Tier"), |tier| {
            tier.reading.found().map(|reading| &reading.tier)
        })
        .column(Column::percent("Probability", 1), |tier| {
            Some(tier.reading.found()?.tiers[0].chance)
        })
        .column(Column::integer("Active"), |tier| {
            Some(tier.reading.found()?.active)
        })
        .column(Column::integer("Players"), |tier| {
            Some(tier.reading.found()?.members)
        })
        .column(Column::text("By cluster"), |tier| {
            Some(&tier.by_cluster.as_ref()?.tier)
        })
        .column(Column::number("Cluster at", 0), |tier| {
            Some(tier.by_cluster.as_ref()?.cluster)
        })
        .build()
        .file("divisions")
}

/// How many divisions of each league are of which tier.
fn league_table(tiers: &[DivisionTier]) -> Table {
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for tier in tiers {
        let name = tier
            .reading
            .found()
            .map_or("not identifiable", |reading| &reading.tier);
        *counts.entry((&tier.league, name)).or_default() += 1;
    }
    Table::of("Divisions by league and tier", &counts)
        .column(Column::text("League"), |((league, _), _)| *league)
        .column(Column::text("Tier"), |((_, tier), _)| *tier)
        .column(Column::integer("Divisions"), |(_, count)| *count)
        .build()
        .note("Each division: --json, or --out DIR.")
        .file("leagues")
}

fn plot(divisions: &Divisions, one: &DivisionTier) -> Plot {
    let snapshot = &divisions.all[0];
    let members = snapshot.members.iter();
    let mut values: Vec<f64> = members.map(|member| snapshot.differential(member)).collect();
    values.sort_by(|a, b| b.total_cmp(a));
    let plot = Plot::new("Points less bonus spent")
        .file("players")
        .x(Axis::new("Place"))
        .y(Axis::new("P + U - B").unit("points"))
        .series(Series::points("players", by_place(&values)));
    match one.reading.found().and_then(|reading| reading.tiers.first()) {
        Some(tier) => {
            let ends = [1.0, values.len() as f64].map(|place| Point::new(place, tier.edge));
            plot.series(Series::line(format!("M - K of {}", tier.tier), ends).guide())
        }
        None => plot,
    }
}
