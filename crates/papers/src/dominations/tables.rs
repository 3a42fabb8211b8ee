//! The tables of DomiNations' design spotlight, each by the name of its CSV file.

use crate::dominations::printed::{CENTRE, DEFENCE_LEAD, DEFENCE_WIN, TOP, TOP_AFTER};
use matchwright_report::{Cell, Column, Table, count};
use matchwright_sim::statistics::{Estimate, MeanTest};

use super::reproduction::DominationsReproduction;

const PERCENT: f64 = 100.0;

/// Wars of the document's example of a new alliance.
const NEW: u32 = 2;
/// The fewest results in a row that are several.
const SEVERAL: u32 = 3;

/// The most wanted first.
pub(crate) fn dominations_tables(all: &DominationsReproduction) -> Vec<(String, Table)> {
    let named = |name: &str, table| (name.to_owned(), table);
    vec![
        named("printed", printed(all)),
        named("bases", bases(all)),
        named("k-by-wars", by_wars(all)),
        named("k-by-streak", by_streak(all)),
        named("k-by-glory", by_glory(all)),
        named("newcomers", newcomers(all)),
        named("wander", wander(all)),
        named("pull", pull(all)),
        named("inflation", inflation(all)),
    ]
}

/// What the document prints, all of it.
fn printed(all: &DominationsReproduction) -> Table {
    let mut table = Table::new("All figures that the document prints of ratings")
        .column(Column::text("What"))
        .column(Column::number("Seed", 1))
        .column(Column::number("Ours", 1))
        .column(Column::number("Difference", 1));
    let win = all.bases.iter().find(|lead| lead.share == DEFENCE_LEAD);
    let mut rows = vec![(
        "wins with a defence 10 % higher, %".to_owned(),
        PERCENT * DEFENCE_WIN,
        PERCENT * win.map_or(f64::NAN, |lead| lead.win),
    )];
    if let Some(pull) = all.pulls.first() {
        let (before, after) = (pull.top_before, pull.top_after);
        rows.push(("centre of the pull".to_owned(), CENTRE, pull.params.centre));
        rows.push((
            format!("worst of the top {TOP} after it, from {}", before.0),
            TOP_AFTER.0,
            after.0,
        ));
        rows.push((
            format!("best of the top {TOP} after it, from {}", before.1),
            TOP_AFTER.1,
            after.1,
        ));
    }
    for (what, seed, ours) in rows {
        table = table.row([what.into(), seed.into(), ours.into(), (ours - seed).into()]);
    }
    table
        .note("The document says “mid 17,000s” for the best. What the top hundred had before is not printed.")
}

fn bases(all: &DominationsReproduction) -> Table {
    let mut table = Table::new("A higher defence, all else equal")
        .column(Column::number("Higher by", 0).unit("%"))
        .column(Column::number("Seed: wins", 0).unit("%"))
        .column(Column::number("Ours", 2).unit("%"))
        .column(Column::number("Difference", 2))
        .column(Column::number("Other side", 2).unit("%"))
        .column(Column::number("Both, with (A-B)/B", 2).unit("%"))
        .column(Column::text("A good match"));
    for lead in &all.bases {
        let seed = (lead.share == DEFENCE_LEAD).then_some(PERCENT * DEFENCE_WIN);
        table = table.row([
            (PERCENT * lead.share).into(),
            seed.into(),
            (PERCENT * lead.win).into(),
            seed.map(|seed| PERCENT * lead.win - seed).into(),
            (PERCENT * lead.reverse).into(),
            (PERCENT * lead.naive_sum).into(),
            if lead.good { "yes" } else { "no" }.into(),
        ]);
    }
    table.note(format!(
        "A^k / (A^k + B^k) with k = {:.4}. A percentage as (A-B)/B, through the same point, gives the two sides chances that do not sum to 100 %. Good up to {} % is our choice; the document says that 10 % is not.",
        all.base_odds.exponent,
        PERCENT * all.base_odds.good_delta
    ))
}

fn k_table(caption: &str, column: Column, seed: &str) -> Table {
    Table::new(caption)
        .column(column)
        .column(Column::text("Seed"))
        .column(Column::number("Our K", 0))
        .column(Column::number("beside the settled K", 2))
        .note(format!(
            "Seed: {seed} No number is printed, nor where it ends or begins; ours are defaults."
        ))
}

fn by_wars(all: &DominationsReproduction) -> Table {
    let mut table = k_table(
        "K by number of wars",
        Column::integer("Wars before"),
        "new alliances, such as one with two wars, have a higher K for the first several.",
    );
    for &(wars, k) in &all.k_by_wars {
        let word = if wars <= NEW { "higher" } else { "" };
        table = table.row([wars.into(), word.into(), k.into(), (k / all.dom.k).into()]);
    }
    table
}

fn by_streak(all: &DominationsReproduction) -> Table {
    let mut table = k_table(
        "K by streak",
        Column::integer("Wars won (or lost, if negative) in a row"),
        "winning or losing several in a row changes K.",
    );
    for &(streak, k) in &all.k_by_streak {
        let word = if streak.unsigned_abs() >= SEVERAL {
            "changed"
        } else {
            ""
        };
        table = table.row([streak.into(), word.into(), k.into(), (k / all.dom.k).into()]);
    }
    table
}

fn by_glory(all: &DominationsReproduction) -> Table {
    let mut table = k_table(
        "K by glory",
        Column::number("Glory", 0),
        "alliances of particularly high glory have another K, without streaks; here those of the range of the top hundred.",
    );
    for &(glory, k) in &all.k_by_glory {
        let word = if glory >= TOP_AFTER.0 { "another" } else { "" };
        table = table.row([glory.into(), word.into(), k.into(), (k / all.dom.k).into()]);
    }
    table
}

fn newcomers(all: &DominationsReproduction) -> Table {
    let report = &all.newcomers;
    let start = report.config.dom.initial;
    let mut table = Table::new("New alliances under the schedule and under one K")
        .column(Column::number("Strength", 0))
        .column(Column::text("Seed"))
        .column(Column::number("Wars to half way, schedule", 2))
        .column(Column::number("constant K", 2))
        .column(Column::number("Difference", 2))
        .column(Column::number("Wars to the first win, schedule", 2))
        .column(Column::number("constant K ", 2))
        .column(Column::number("Difference ", 2));
    let cell = |one: Estimate| Cell::estimate(one.mean, one.standard_error);
    let difference = |test: MeanTest| Cell::estimate(test.difference, test.standard_error);
    for row in &report.rows {
        let seed = if row.strength > start {
            "leave the low pool sooner"
        } else if row.strength < start {
            "find a win sooner"
        } else {
            ""
        };
        // Who starts where he belongs is half way at once.
        let is_there = row.strength == start;
        let unless_there = |cell: Cell| if is_there { Cell::Empty } else { cell };
        table = table.row([
            row.strength.into(),
            seed.into(),
            unless_there(cell(row.half_scheduled)),
            unless_there(cell(row.half_constant)),
            unless_there(difference(row.half_difference)),
            cell(row.win_scheduled),
            cell(row.win_constant),
            difference(row.win_difference),
        ]);
    }
    table.note(format!(
        "{} generated newcomers of each strength start at {start} and meet settled alliances rated like themselves; constant K {}. Half way: from the start to the strength. Differences are paired: both systems share each newcomer's luck. Who is not there after {} wars counts with one more.",
        count(report.config.climb.newcomers.into()),
        report.constant_k,
        report.config.climb.games
    ))
}

fn wander(all: &DominationsReproduction) -> Table {
    let report = &all.newcomers;
    let names = [
        "the schedule".to_owned(),
        format!("K {} for all", report.constant_k),
        format!("K {} for all", report.config.dom.newcomer_k),
    ];
    let mut table = Table::new("What a large K for all would cost")
        .column(Column::text("Under"))
        .column(Column::number("Glory off strength", 0));
    for (name, distance) in names.into_iter().zip(report.wander) {
        table = table.row([name.into(), distance.into()]);
    }
    table.note(format!(
        "Root mean square distance of glory and strength in the second half of {} wars of an average alliance.",
        report.config.climb.games
    ))
}

fn pull(all: &DominationsReproduction) -> Table {
    let mut table = Table::new("The season's pull towards 12,000").column(Column::number("Glory before", 0));
    for pull in &all.pulls {
        table = table
            .column(Column::number(format!("after, {}", pull.name), 0))
            .column(Column::number("pulled", 0));
    }
    let before = all.pulls.first().map_or(&[][..], |pull| &pull.curve[..]);
    for (k, &(glory, _)) in before.iter().enumerate() {
        let mut cells = vec![Cell::from(glory)];
        for pull in &all.pulls {
            let after = pull.curve[k].1;
            cells.push(after.into());
            cells.push((after - glory).into());
        }
        table = table.row(cells);
    }
    let settings = all.pulls.iter().map(|pull| {
        format!(
            "{}: keep {:.3}, hardening {:.2e} (takes {:.0} to {:.0} into {:.0} to {:.0})",
            pull.name,
            pull.params.keep,
            pull.params.hardening,
            pull.top_before.0,
            pull.top_before.1,
            pull.top_after.0,
            pull.top_after.1
        )
    });
    table.note(format!(
        "Seed: harder further away, order kept, the top hundred at 15,000 to the middle of the 17,000s. {}.",
        settings.collect::<Vec<_>>().join("; ")
    ))
}

fn inflation(all: &DominationsReproduction) -> Table {
    let mut table = Table::new("Points made and destroyed in a closed world")
        .column(Column::number("Newcomers stronger by", 0))
        .column(Column::text("K of a war"))
        .column(Column::integer("Wars"))
        .column(Column::number("Points made", 0))
        .column(Column::number("destroyed", 0))
        .column(Column::number("net a war", 3))
        .column(Column::number("off the ratings by", 3))
        .column(Column::number("Mean glory at the end", 0));
    for row in &all.inflation {
        let net = row.made - row.destroyed;
        table = table.row([
            row.newcomer_lead.into(),
            row.system.into(),
            row.games.into(),
            row.made.into(),
            row.destroyed.into(),
            row.net_per_game.into(),
            (net - row.change).into(),
            row.mean.into(),
        ]);
    }
    table.note("Where the two sides' K differ, a war makes or destroys (K_A - K_B)(S - E) points; one K for both only moves them. The document does not speak of it. Off the ratings: the ledger of drifts less the change of all ratings.")
}
