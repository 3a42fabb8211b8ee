//! `matchwright season bases`.

use matchwright_rating::{BaseComparison, BaseOdds, BaseOddsParams, BaseRating, nearest_bases};
use matchwright_report::{Column, Table, count, counted, decimal};
use serde::Serialize;
use serde_json::json;

use super::{Roster, refused};
use crate::arguments::BasesOptions;
use crate::failure::{Failure, shown, suggestion};
use crate::output::{Origin, Place, check_places, print, print_json, write_table};
use crate::plan;

/// Up to this many alliances all pairs are shown unless something else is asked for.
const FEW: usize = 20;
/// How many others are shown of each of more alliances.
const NEAREST: usize = 3;
const CAPTION: &str = "Alliances side by side, nearest first";
/// Rows that are made without `--yes`.
const MOST_ROWS: f64 = 5e6;

/// Two alliances, as the first sees the second.
#[derive(Clone, Copy, Serialize)]
struct Row<'a> {
    alliance: &'a str,
    opponent: &'a str,
    #[serde(flatten)]
    war: BaseComparison,
}

/// Everything as one object.
#[derive(Serialize)]
struct Answer<'a> {
    odds: BaseOddsParams,
    alliances: usize,
    good_matches: usize,
    rows: &'a [Row<'a>],
}

pub(super) fn run(options: &BasesOptions, command: String) -> Result<(), Failure> {
    let out = options.out.as_deref().map(Place::File);
    check_places([&options.file], out)?;
    let plain = BaseOddsParams::default();
    let params = BaseOddsParams {
        exponent: options.exponent.unwrap_or(plain.exponent),
        good_delta: options.good_delta.unwrap_or(plain.good_delta),
    };
    let odds = params.build().map_err(|error| refused(&error))?;
    let roster = Roster::read(&options.file, &options.columns, options.names.as_written)?;
    let (offences, defences) = (roster.numbers("offence")?, roster.numbers("defence")?);
    let numbers = offences.into_iter().zip(defences).zip(roster.all());
    let bases: Vec<BaseRating> = numbers
        .map(|((offence, defence), alliance)| {
            BaseRating::new(offence, defence)
                .map_err(|error| roster.refuse(alliance, format!("is refused: {error}")))
        })
        .collect::<Result<_, _>>()?;
    if bases.len() < 2 {
        return Err(roster
            .name
            .refuse("it has one alliance; give two or more to compare"));
    }
    roster.tell_ignored(&["offence", "defence"]);
    let Compared { pairs, is_each, what } = compared(options, &roster, &bases)?;
    let mut rows = rows(&odds, &roster, &bases, &pairs);
    if !is_each {
        rows.sort_by(|a, b| a.war.distance().total_cmp(&b.war.distance()));
    }
    if let Some(path) = &options.out {
        let mut origin = Origin::new(command, &json!({ "odds": params }))?;
        origin.inputs = vec![roster.facts.clone()];
        write_table(path, &file_table(&rows), &origin)?;
    }
    let good = rows.iter().filter(|row| row.war.good_match).count();
    if options.json {
        return print_json(&Answer {
            odds: params,
            alliances: bases.len(),
            good_matches: good,
            rows: &rows,
        });
    }
    let alliances = counted(bases.len(), "alliance", "alliances");
    let found = if is_each {
        let each = rows.chunk_by(|a, b| a.alliance == b.alliance);
        let matched = each
            .filter(|rows| rows.iter().any(|row| row.war.good_match))
            .count();
        format!("{} of them have a good match", count(matched as u64))
    } else {
        let pairs = counted(rows.len(), "pair is a good match", "pairs are good matches");
        format!("{} of {pairs}", count(good as u64))
    };
    print(&format!("{alliances}, {what}: {found}.\n\n"))?;
    print(&shown_table(options, &params, &rows).to_text())
}

/// What is compared.
struct Compared {
    /// By their places.
    pairs: Vec<[usize; 2]>,
    /// Each alliance with its nearest, one after another.
    is_each: bool,
    what: String,
}

fn compared(options: &BasesOptions, roster: &Roster, bases: &[BaseRating]) -> Result<Compared, Failure> {
    let all = bases.len();
    let of_pairs = |pairs: Vec<[usize; 2]>, what: String| Compared {
        pairs,
        is_each: false,
        what,
    };
    let check = |rows: f64| {
        let what = || format!("{} pairs of alliances", plan::counted(rows));
        plan::check(rows, MOST_ROWS, what)
    };
    if let Some(name) = &options.of {
        let place = roster.all().iter().position(|alliance| alliance.id == *name);
        let place = place.ok_or_else(|| {
            let hint = suggestion(name, roster.all().iter().map(|alliance| &*alliance.id));
            Failure::Usage(format!(
                "--of: no alliance in the file is called `{}`{hint}",
                shown(name)
            ))
        })?;
        let pairs = (0..all)
            .filter(|&other| other != place)
            .map(|other| [place, other]);
        return Ok(of_pairs(
            pairs.collect(),
            format!("{} against all others", shown(name)),
        ));
    }
    if options.all || (options.nearest.is_none() && all <= FEW) {
        check(all as f64 * (all - 1) as f64 / 2.0)?;
        let pairs = (0..all).flat_map(|a| (a + 1..all).map(move |b| [a, b]));
        return Ok(of_pairs(pairs.collect(), "every pair".to_owned()));
    }
    let nearest = options.nearest.map_or(NEAREST, |nearest| nearest as usize);
    let nearest = nearest.min(all - 1);
    check(all as f64 * nearest as f64)?;
    let found = nearest_bases(bases, nearest).into_iter().enumerate();
    let pairs = found.flat_map(|(of, others)| others.into_iter().map(move |other| [of, other]));
    Ok(Compared {
        pairs: pairs.collect(),
        is_each: true,
        what: format!("each with the {nearest} nearest"),
    })
}

fn rows<'a>(odds: &BaseOdds, roster: &'a Roster, bases: &[BaseRating], pairs: &[[usize; 2]]) -> Vec<Row<'a>> {
    let name = |place: usize| &*roster.all()[place].id;
    let row = |&[base, opponent]: &[usize; 2]| Row {
        alliance: name(base),
        opponent: name(opponent),
        war: odds.compare(&bases[base], &bases[opponent]),
    };
    pairs.iter().map(row).collect()
}

fn file_table(rows: &[Row<'_>]) -> Table {
    Table::of(CAPTION, rows)
        .column(Column::text("alliance"), |row| row.alliance)
        .column(Column::text("opponent"), |row| row.opponent)
        .column(Column::number("offence_lead", 6), |row| row.war.offence_lead)
        .column(Column::number("defence_lead", 6), |row| row.war.defence_lead)
        .column(Column::number("win_probability", 6), |row| {
            row.war.win_probability
        })
        .column(Column::text("good_match"), |row| row.war.good_match.to_string())
        .build()
}

fn shown_table(options: &BasesOptions, params: &BaseOddsParams, rows: &[Row<'_>]) -> Table {
    let shown = &rows[..options.top.min(rows.len())];
    let table = Table::of(CAPTION, shown)
        .column(Column::text("Alliance"), |row| row.alliance)
        .column(Column::text("Opponent"), |row| row.opponent)
        .column(Column::percent("Offence", 1).unit("%"), |row| {
            row.war.offence_lead
        })
        .column(Column::percent("Defence", 1).unit("%"), |row| {
            row.war.defence_lead
        })
        .column(Column::percent("Wins", 1).unit("%"), |row| {
            row.war.win_probability
        })
        .column(Column::text("Match"), |row| {
            if row.war.good_match { "good" } else { "" }
        })
        .build();
    let hidden = rows.len() - shown.len();
    table
        .note(format!(
            "Offence, defence: by how much the higher of the two exceeds the other; negative where it is the opponent's. \
             Wins: the chance of the alliance. Good match: neither differs by more than {} %.",
            decimal(100.0 * params.good_delta, 1)
        ))
        .notes((hidden > 0).then(|| {
            let pairs = counted(hidden, "more pair", "more pairs");
            format!("{pairs}: --top N shows more, --out FILE writes all.")
        }))
}
