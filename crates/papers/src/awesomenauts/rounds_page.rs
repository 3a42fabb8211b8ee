//! Matches and rounds of Awesomenauts on their page: the six factors with their curves, the countdown, rounds against matches at
//! once.

use anyhow::{Context, Result};
use matchwright_report::{Axis, Column, Plot, Point, Section, Series, Table};
use matchwright_scoring::Curve;

use super::claims::inputs::AwesomenautsInputs;
use super::claims::{company, connection, day, evening, rounds_in_time, skill};
use super::reproduction::AwesomenautsReproduction;
use crate::check::matches::{Factor, policy, settings};
use crate::check::verdict::{Statement, evidence, told};

/// What the page says of matches and rounds in short.
pub(crate) fn statements(all: &AwesomenautsReproduction) -> [Statement; 4] {
    let inputs = &all.inputs;
    [
        told(
            "Skill above 18,000, gaps beyond 10,000 and pings below 50 ms make no difference.",
            skill::caps(inputs),
        ),
        told(
            "A round is held when a hundred wait, or every couple of minutes.",
            day::day(inputs),
        ),
        told(
            "Matches at once start sooner and are less good, and those far away wait longer for them.",
            evening::schools(inputs),
        ),
        told(
            "Parties from two regions and professionals play the worse matches either way.",
            evening::spread(inputs),
        ),
    ]
}

/// The sections about matches and rounds, before those about the search.
pub(crate) fn sections(all: &AwesomenautsReproduction) -> Vec<Section> {
    let inputs = &all.inputs;
    vec![
        factors_section(inputs),
        evidence(
            Section::new("Parties").paragraph("Three friends are to meet three friends: the third factor."),
            ("The three published cases, and ours", "premades"),
            told("A party of three against three who came alone has the worst quality.", company::premades(inputs)),
        ),
        evidence(
            Section::new("Meeting again").paragraph("The fifth factor has a very low weight: new opponents are a detail beside a fair match."),
            ("Four players of whom two met before", "meeting-again"),
            told("Meeting again costs a little, in other roles a little less.", company::variation(inputs)),
        ),
        evidence(
            Section::new("Hosts").paragraph("Players' machines are the servers: one of a match must be able to be host, and a second is preferred, in case the first leaves."),
            ("Players of a match who can be host", "hosts"),
            told("One host is needed, a second preferred, and games with servers leave the factor out.", connection::hosts(inputs)),
        ),
        evidence(
            Section::new("The countdown")
                .paragraph("A player who queues is told when the next round is. Here generated players come at six rates, from one in five minutes to two a second, and are told again whenever one comes."),
            ("What players were told, and when their round was", "countdown"),
            told(
                "The time of the next round is known: by the clock alone it never changes, and no round is later than told.",
                rounds_in_time::told(inputs, |policy, pool, ticket, now| policy.countdown(pool, ticket, now)),
            ),
        ),
        evidence(
            Section::new("Rounds over a day").paragraph("The rounds of generated days: a hundred players, or two minutes."),
            ("Rounds of busy and of quiet hours", "rounds"),
            told("When most play there is a round every couple of minutes; at night rounds are small.", day::day(inputs)),
        ),
        evidence(
            all.scene.section(),
            ("Rounds, and matches at once", "rounds-or-at-once"),
            told("Rounds make better matches; matches at once start sooner.", evening::schools(inputs)),
        ),
    ]
}

fn factors_section(inputs: &AwesomenautsInputs) -> Section {
    let section = Section::new("The six factors").paragraph(
        "The quality of a match is the weighted mean of six factors, each from 0 to 1. Two look at skill: the gap between the teams' means, and the gaps of all fifteen pairs of players; one at the pings of the nine pairs of opponents. Skill above 18,000 counts as 18,000, and a ping below 50 ms is perfect.",
    );
    match curves(&inputs.policy) {
        Ok((skills, ping, weights)) => section.plot(skills).plot(ping).table(weights),
        Err(error) => section.paragraph(format!("{error:#}")),
    }
}

/// The two plots of curves, and the table of weights.
fn curves(document: &str) -> Result<(Plot, Plot, Table)> {
    let factors = settings(document)?.factors;
    let of = |curve: &Curve, most: u32| {
        let xs: Vec<f64> = (0..=100).map(|step| f64::from(step * most) / 100.0).collect();
        xs.into_iter()
            .map(|x| Point::new(x, curve.quality(x)))
            .collect::<Vec<_>>()
    };
    let teams = factors.team_skill.context("no team_skill")?.settings.difference;
    let players = factors
        .player_skill
        .context("no player_skill")?
        .settings
        .difference;
    let pings = factors.enemy_ping.context("no enemy_ping")?.settings.ping;
    let skills = Plot::new("Quality by the gap in skill")
        .caption(
            "Of the teams' means, and of each pair of players. From 10,000 points on all gaps are alike.",
        )
        .x(Axis::new("Gap").unit("points"))
        .y(Axis::new("Quality").range(0.0, 1.0))
        .series(Series::line("teams", of(&teams, 12_000)))
        .series(Series::line("pairs of players", of(&players, 12_000)).dashed())
        .file("skill-curves");
    let ping = Plot::new("Quality by the ping between opponents")
        .caption("A step from 110 to 100 ms is worth more than one from 210 to 200.")
        .x(Axis::new("Ping").unit("ms"))
        .y(Axis::new("Quality").range(0.0, 1.0))
        .series(Series::line("a pair of opponents", of(&pings, 400)))
        .file("ping-curve");
    Ok((skills, ping, weights(document)?))
}

fn weights(document: &str) -> Result<Table> {
    let looks_at = |name: &str| match name {
        "team_skill" => "gap of the teams' mean skills",
        "player_skill" => "gaps of skill of all fifteen pairs",
        "premades" => "parties of one team against those of the other",
        "enemy_ping" => "pings of the nine pairs of opponents",
        "opponent_variation" => "who met in the matches before",
        "hosts" => "players whose machines can be host",
        _ => "",
    };
    let row = |name: &'static str| Ok((name, Factor::of(document, name)?.share));
    let rows = policy(document)?;
    let rows: Vec<(&str, f64)> = rows
        .factors()
        .iter()
        .map(|one| row(one.factor.name()))
        .collect::<Result<_>>()?;
    Ok(Table::of("The six factors", rows)
        .column(Column::text("Factor"), |(name, _)| name.replace('_', " "))
        .column(Column::text("Looks at"), |(name, _)| looks_at(name))
        .column(Column::percent("Weight, ours", 1), |(_, share)| share)
        .build()
        .note("The article says which factors matter more; the numbers are this project's.")
        .file("factors"))
}
