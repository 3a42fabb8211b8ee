//! Logs of tickets, a row each or a row for each player, as CSV and JSON.

use matchwright_queue::{Time, Value};

use super::sheet::{Cell, Sheet, twin};
use super::{Case, Dice, NOBODY};
use crate::input::scale::Beside;
use crate::input::source::Source;
use crate::input::tickets::tickets_of;
use matchwright_import::TicketOptions;
use matchwright_import::TimeUnit;

/// A ticket as it was.
struct Meant {
    came: i64,
    left: Option<i64>,
    /// With their skills.
    players: Vec<(String, i64)>,
}

pub(super) fn case(dice: &mut Dice) -> Case {
    let mut came = 1_700_000_000;
    let meant = (0..2 + dice.below(2)).map(|ticket| {
        came += i64::try_from(dice.below(100)).unwrap();
        Meant {
            came,
            left: dice
                .one_in(2)
                .then(|| came + i64::try_from(dice.below(100)).unwrap()),
            players: (0..=dice.below(3))
                .map(|place| {
                    (
                        format!("p{ticket}{place}"),
                        i64::try_from(dice.below(3000)).unwrap(),
                    )
                })
                .collect(),
        }
    });
    let meant: Vec<Meant> = meant.collect();
    let damage = dice.one_in(2).then(|| dice.below(12));
    let is_json = dice.one_in(2);
    // One for each row: a player of a ticket.
    let seats: Vec<(usize, usize)> = (meant.iter().enumerate())
        .flat_map(|(ticket, one)| (0..one.players.len()).map(move |place| (ticket, place)))
        .collect();
    let mut reading = TicketOptions::default();
    let way = dice.below(3);
    reading.time_unit = (way == 2).then_some(TimeUnit::Milliseconds);
    let time = |seconds: i64| match way {
        0 => Cell::number(seconds.to_string()),
        1 => Cell::text(jiff::Timestamp::from_second(seconds).unwrap().to_string()),
        _ => Cell::number(format!("{seconds}000")),
    };
    let nothing = || Cell {
        csv: String::new(),
        json: "null".to_owned(),
    };
    let mut sheet = Sheet::default();
    let used = [
        dice.pick(&["ticket", "Ticket ID", "request_id"]),
        dice.pick(&["time", "enqueued_at", "Joined"]),
        dice.pick(&["left", "cancelled_at", "Expires"]),
        dice.pick(&["player", "user_id"]),
        "skill",
    ];
    sheet.add(
        used[0],
        seats.iter().map(|(ticket, _)| Cell::text(format!("t{ticket}"))),
    );
    sheet.add(used[1], seats.iter().map(|(ticket, _)| time(meant[*ticket].came)));
    let cells = seats
        .iter()
        .map(|(ticket, _)| meant[*ticket].left.map_or_else(nothing, time));
    sheet.add(used[2], cells);
    let player = |(ticket, place): &(usize, usize)| &meant[*ticket].players[*place];
    sheet.add(
        used[3],
        seats.iter().map(|seat| Cell::text(player(seat).0.clone())),
    );
    sheet.add(
        used[4],
        seats.iter().map(|seat| Cell::number(player(seat).1.to_string())),
    );
    let has_size = dice.one_in(2) || damage == Some(2);
    if has_size {
        let cell = |(ticket, _): &(usize, usize)| Cell::number(meant[*ticket].players.len().to_string());
        sheet.add("size", seats.iter().map(cell));
    }
    let row = dice.below(seats.len());
    let mut lost = Some(seats[row].0);
    let damage = match damage {
        Some(0 | 1) => {
            lost = None;
            let place = dice.below(used.len());
            let is_twin = damage == Some(1);
            let name = if is_twin {
                twin(used[place])
            } else {
                used[place].to_owned()
            };
            sheet.repeat(place, &name);
            Some(if is_twin {
                "a column twice but for case"
            } else {
                "a column twice"
            })
        }
        Some(2) => {
            for (row, seat) in seats.iter().enumerate() {
                if Some(seat.0) == lost {
                    sheet.rows[row][5] = Cell::number("4");
                }
            }
            Some("two statements")
        }
        Some(3) => {
            sheet.rows[row][4] = Cell::number("9007199254740993");
            Some("digits")
        }
        Some(4) => {
            let place = [1, 2, 4][dice.below(3)];
            // Of JSON a text is an attribute.
            let place = if is_json && place == 4 { 1 } else { place };
            sheet.rows[row][place] = Cell::text("soon");
            Some("a cell")
        }
        Some(5) if !is_json => {
            sheet.rows[row].pop();
            Some("a short row")
        }
        Some(6) => {
            let other = seats
                .iter()
                .position(|seat| Some(seat.0) == lost && *seat != seats[row]);
            other.map(|other| {
                sheet.rows[row][3] = sheet.rows[other][3].clone();
                "a player twice"
            })
        }
        Some(7) => {
            let is_of_several = meant[seats[row].0].players.len() > 1;
            is_of_several.then(|| {
                sheet.rows[row][1] = time(meant[seats[row].0].came - 1);
                "two times"
            })
        }
        Some(8) => {
            sheet.rows[row][2] = time(meant[seats[row].0].came - 1);
            Some("an end before the beginning")
        }
        Some(9) => {
            sheet.rows[row][3] = Cell::text(dice.pick(&NOBODY));
            Some("nobody")
        }
        Some(10) => {
            sheet.rows[row][3] = Cell::text(format!(
                "{}{}hal",
                player(&seats[row]).0,
                dice.pick(&[";", "|", ","])
            ));
            Some("a list")
        }
        Some(11) if way < 2 => {
            lost = None;
            sheet.add("date", seats.iter().map(|_| Cell::text("2023-10-01")));
            Some("another date")
        }
        _ => None,
    };
    reading.skip_bad = lost.is_some() && dice.one_in(2);
    let lost = lost.filter(|_| reading.skip_bad && damage.is_some());
    if damage != Some("a short row") {
        sheet.shuffle(dice);
    }
    let text = if is_json {
        sheet.json(dice)
    } else {
        sheet.csv(dice)
    };
    let read =
        Source::of_text(text.as_bytes()).and_then(|source| tickets_of(source, Beside::Nothing, &reading));
    let read = read.map(|imported| {
        let kept: Vec<&Meant> = (meant.iter().enumerate())
            .filter(|(place, _)| Some(*place) != lost)
            .map(|(_, one)| one)
            .collect();
        let is_meant = |(logged, one): (&matchwright_sim::replay::LoggedTicket, &&Meant)| {
            let names = logged
                .ticket
                .players
                .iter()
                .map(|member| member.attributes.get("name").cloned());
            let wanted = one
                .players
                .iter()
                .map(|(name, _)| Some(Value::Text(name.clone())));
            let mean =
                one.players.iter().map(|(_, skill)| *skill as f64).sum::<f64>() / one.players.len() as f64;
            logged.came.millis() == 1000 * one.came
                && logged.left.map(Time::millis) == one.left.map(|left| 1000 * left)
                && names.eq(wanted)
                && logged
                    .ticket
                    .mean("skill")
                    .is_some_and(|skill| (skill - mean).abs() < 1e-9)
        };
        let tickets = imported.log.tickets();
        tickets.len() == kept.len() && tickets.iter().zip(&kept).all(is_meant)
    });
    Case {
        text,
        damage,
        read: read.map_err(|failure| failure.to_string()),
    }
}
