//! Tables with a team in a cell or a column for each of its seats, and with dates beside times of day.

use super::{Draft, Told, cut, tell};
use crate::input::generated::sheet::{Cell, Sheet};
use crate::input::generated::{Dice, NOBODY};
use matchwright_import::Columns;

/// How a file writes a team.
#[derive(Clone, Copy)]
enum Written {
    /// Its players, with this between them.
    Joined(&'static str),
    /// An array, as JSON or Python write one.
    Array(&'static str),
    /// A column for each seat.
    Seats,
}

pub(super) fn listed(dice: &mut Dice) -> (Draft, String) {
    let members = 2 + dice.below(2);
    let mut draft = Draft::new(dice, [2, members]);
    let is_json = dice.one_in(3);
    let damage = dice.one_in(2).then(|| dice.below(9));
    let written = match dice.below(7) {
        0 => Written::Joined("|"),
        1 => Written::Joined(","),
        2 => Written::Joined("\n"),
        3 => Written::Array("\""),
        4 => Written::Array("'"),
        5 => Written::Seats,
        _ => Written::Joined(dice.pick(&[";", "; "])),
    };
    for game in &mut draft.games {
        game.time += 60 * i64::try_from(dice.below(1440)).unwrap();
    }
    let mut sheet = Sheet::default();
    let has_date = times(&mut sheet, dice, &draft);
    // An empty seat is not there; JSON leaves it out of its arrays.
    let has_empty = !(is_json && matches!(written, Written::Array("\"")));
    let mut seats: Vec<[Vec<String>; 2]> = Vec::new();
    for game in &mut draft.games {
        let row = [0, 1].map(|side| {
            let here = &mut game.sides[side].members;
            let mut seats: Vec<String> = here.iter().map(|name| (*name).to_owned()).collect();
            if has_empty && dice.one_in(8) {
                here.pop();
                *seats.last_mut().unwrap() = dice.pick(&NOBODY).to_owned();
            }
            seats
        });
        seats.push(row);
    }
    let row = draft.lose(dice);
    let side = dice.below(2);
    let first = seats[row][1 - side][0].clone();
    let what = match damage {
        Some(0) => {
            seats[row][side]
                .iter_mut()
                .for_each(|seat| *seat = dice.pick(&NOBODY).to_owned());
            Some("a team of nobody")
        }
        Some(1) => {
            seats[row][side][0] = first;
            Some("a player against itself")
        }
        Some(2) if matches!(written, Written::Seats) => {
            seats[row][side][0] = format!("{}{}hal", seats[row][side][0], dice.pick(&[";", "|", ","]));
            Some("a list")
        }
        _ => None,
    };
    let columns = teams(&mut sheet, written, &seats);
    draft.options.columns = Columns::parse(&columns).unwrap();
    let told = [Told::Scores, Told::Result][dice.below(2)];
    tell(&mut sheet, dice, told, &draft.games, None);
    draft.knows_scores = told == Told::Scores;
    let teams = 1 + usize::from(has_date);
    draft.damage = what.or_else(|| match damage {
        Some(2) => {
            // One separator serves a file; the first game shows which.
            let (Written::Joined(separator), true) = (written, row > 0) else {
                return None;
            };
            let other = if separator == "|" { ";" } else { "|" };
            sheet.rows[row][teams + side] = Cell::text(seats[row][side].join(other));
            Some("another separator")
        }
        Some(3) => {
            let joined = seats[row][side].join(";") + "|hal";
            (matches!(written, Written::Joined(_))).then(|| {
                sheet.rows[row][teams + side] = Cell::text(joined);
                "two separators"
            })
        }
        Some(4) if has_date => {
            sheet.rows[row][0] = Cell::text(dice.pick(&["May 9", "2024-13-01", "soon"]));
            Some("a date")
        }
        Some(5) if has_date => {
            sheet.rows[row][1] = Cell::text(dice.pick(&["25:61", "noon", "7:5:"]));
            Some("a time of day")
        }
        Some(6) if has_date => {
            // The whole instant, of another day.
            let time = draft.games[row].time + 86_400 * (3 + i64::try_from(dice.below(9)).unwrap());
            let stamp = jiff::Timestamp::from_second(time).unwrap().to_string();
            sheet.rows[row][1] = [Cell::text(stamp), Cell::number(time.to_string())][dice.below(2)].clone();
            Some("another date")
        }
        Some(7) if told == Told::Result => {
            let place = sheet.names.len() - 1;
            sheet.rows.iter_mut().for_each(|row| row[place] = Cell::text("T"));
            Some("T or F alone")
        }
        Some(8) if is_json => Some("cut off"),
        _ => None,
    });
    let is_of_a_row = draft
        .damage
        .is_some_and(|damage| !["T or F alone", "cut off"].contains(&damage));
    draft.lost = draft.lost.filter(|_| is_of_a_row);
    sheet.shuffle(dice);
    if !is_json {
        return (draft, sheet.csv(dice));
    }
    let text = sheet.json(dice);
    let text = if draft.damage == Some("cut off") {
        cut(&text)
    } else {
        text
    };
    (draft, text)
}

/// Adds the columns of the times; whether there is one of dates before that of the times.
fn times(sheet: &mut Sheet, dice: &mut Dice, draft: &Draft) -> bool {
    let stamps: Vec<String> = (draft.games.iter())
        .map(|game| jiff::Timestamp::from_second(game.time).unwrap().to_string())
        .collect();
    if dice.one_in(2) {
        sheet.add("time", stamps.iter().map(Cell::text));
        return false;
    }
    let names: &[&str; 2] = dice.pick(&[
        &["date", "time"],
        &["Date", "Time"],
        &["UTCDate", "UTCTime"],
        &["match_date", "kick_off"],
    ]);
    let has_seconds = dice.one_in(2);
    let separator = if dice.one_in(3) { "" } else { "-" };
    let date = |stamp: &String| Cell::text(stamp[..10].replace('-', separator));
    sheet.add(names[0], stamps.iter().map(date));
    let end = if has_seconds { 19 } else { 16 };
    sheet.add(names[1], stamps.iter().map(|stamp| Cell::text(&stamp[11..end])));
    true
}

/// Adds the columns of the teams; what `--columns` says of them.
fn teams(sheet: &mut Sheet, written: Written, seats: &[[Vec<String>; 2]]) -> String {
    let mut columns = Vec::new();
    for (side, team) in ["red", "blue"].into_iter().enumerate() {
        let rows = seats.iter().map(|game| &game[side]);
        let names = match written {
            Written::Seats => {
                let names: Vec<String> = (1..=seats[0][side].len())
                    .map(|seat| format!("{team} {seat}"))
                    .collect();
                for (place, name) in names.iter().enumerate() {
                    sheet.add(name, rows.clone().map(|row| Cell::text(&row[place])));
                }
                names.join("+")
            }
            Written::Joined(separator) => {
                sheet.add(team, rows.map(|row| Cell::text(row.join(separator))));
                team.to_owned()
            }
            Written::Array(quote) => {
                let array = |row: &Vec<String>| {
                    let items: Vec<String> = row.iter().map(|name| format!("{quote}{name}{quote}")).collect();
                    let text = format!("[{}]", items.join(", "));
                    let json = if quote == "\"" {
                        text.clone()
                    } else {
                        serde_json::to_string(&text).unwrap()
                    };
                    Cell { csv: text, json }
                };
                sheet.add(team, rows.map(array));
                team.to_owned()
            }
        };
        columns.push(format!("team{}={names}", side + 1));
    }
    columns.join(",")
}
