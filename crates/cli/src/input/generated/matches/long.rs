//! Long tables.

use super::{Draft, Meant, Told, word, words};
use crate::input::generated::sheet::{Cell, Sheet, twin};
use crate::input::generated::{Dice, NOBODY};

/// A row for each player.
pub(super) fn long(dice: &mut Dice) -> (Draft, String) {
    let (sides, members) = (2 + dice.below(2), 1 + dice.below(2));
    let mut draft = Draft::new(dice, [sides, members]);
    let damage = dice.one_in(2).then(|| dice.below(11));
    let row_of_damage = draft.lose(dice);
    draft.lost = None;
    if damage == Some(2) {
        // Equal scores may have a winner.
        let side = &mut draft.games[row_of_damage].sides[0];
        side.score += 10;
    }
    // Whether scores are the players' own.
    let is_own = members > 1 && dice.one_in(2);
    let mut own = Vec::new();
    for game in &mut draft.games {
        for (at, side) in game.sides.iter_mut().enumerate() {
            let mut scores = vec![side.score; members];
            if is_own {
                scores[1] += i64::from(at == 0) + i64::try_from(dice.below(2)).unwrap();
                side.score = scores.iter().sum();
            }
            own.extend(scores);
        }
    }
    let can_win = |game: &Meant| {
        let best = game.sides.iter().map(|side| side.score).max().unwrap();
        sides == 2 || game.sides.iter().filter(|side| side.score == best).count() == sides
    };
    let mut all = vec![Told::Places, Told::Scores];
    if draft.games.iter().all(can_win) {
        all.push(Told::Result);
    }
    dice.shuffle(&mut all);
    all.truncate(1 + dice.below(all.len()));
    if damage == Some(2) {
        all = vec![Told::Places, Told::Scores];
    }
    draft.knows_scores = all.contains(&Told::Scores);
    let times = draft.times(dice);
    // One for each row: game, side, player.
    let mut seats = Vec::new();
    for (place, game) in draft.games.iter().enumerate() {
        for (at, side) in game.sides.iter().enumerate() {
            seats.extend(side.members.iter().map(|name| (place, at, *name)));
        }
    }
    let mut sheet = Sheet::default();
    let mut used: Vec<String> = Vec::new();
    let mut add = |sheet: &mut Sheet, name: &str, cells: Vec<Cell>| {
        used.push(name.to_owned());
        sheet.add(name, cells);
    };
    let cells = seats.iter().map(|(place, ..)| Cell::text(format!("m{place}")));
    add(
        &mut sheet,
        dice.pick(&["match", "match_id", "Game ID"]),
        cells.collect(),
    );
    let cells = seats.iter().map(|(place, ..)| times[*place].clone());
    add(
        &mut sheet,
        dice.pick(&["time", "date", "Timestamp"]),
        cells.collect(),
    );
    let cells = seats.iter().map(|(.., name)| Cell::text(*name));
    add(
        &mut sheet,
        dice.pick(&["player", "name", "User ID"]),
        cells.collect(),
    );
    let cells = seats
        .iter()
        .map(|(_, at, _)| Cell::text(["red", "blue", "green"][*at]));
    add(&mut sheet, dice.pick(&["team", "side"]), cells.collect());
    let words = words(dice);
    for told in &all {
        let cell = |(row, (place, at, _)): (usize, &(usize, usize, &str))| {
            let game = &draft.games[*place];
            let better = game
                .sides
                .iter()
                .filter(|side| side.score > game.sides[*at].score)
                .count();
            match told {
                Told::Scores => Cell::number(own[row].to_string()),
                Told::Places => Cell::number((better + 1).to_string()),
                _ => {
                    let is_drawn = game.sides.iter().all(|side| side.score == game.sides[0].score);
                    word(
                        words,
                        if is_drawn {
                            0.5
                        } else if better == 0 {
                            1.0
                        } else {
                            0.0
                        },
                    )
                }
            }
        };
        let cells = seats.iter().enumerate().map(cell).collect();
        let name = match told {
            Told::Scores => dice.pick(&["score", "points"]),
            Told::Places => dice.pick(&["rank", "placement"]),
            _ => dice.pick(&["result", "outcome"]),
        };
        add(&mut sheet, name, cells);
    }
    let rows: Vec<usize> = (0..seats.len())
        .filter(|row| seats[*row].0 == row_of_damage)
        .collect();
    let row = rows[dice.below(rows.len())];
    let of = |names: [&str; 2], sheet: &Sheet| sheet.names.iter().position(|name| names.contains(&&**name));
    draft.damage = match damage {
        Some(0) => {
            let name = used[dice.below(used.len())].clone();
            sheet.repeat(sheet.place(&name), &name);
            Some("a column twice")
        }
        Some(1) => {
            let name = used[dice.below(used.len())].clone();
            sheet.repeat(sheet.place(&name), &twin(&name));
            Some("a column twice but for case")
        }
        Some(2) => {
            // The first side won.
            let place = of(["rank", "placement"], &sheet).unwrap();
            for row in &rows {
                let is_first = seats[*row].1 == 0;
                sheet.rows[*row][place] = Cell::number(if is_first { "4" } else { "1" });
            }
            Some("two statements")
        }
        Some(3) => of(["score", "points"], &sheet).map(|place| {
            sheet.rows[row][place] = Cell::number("9007199254740993");
            "digits"
        }),
        Some(4) => {
            let place = 1 + dice.below(used.len() - 1);
            // A team may be anything.
            let place = if place == 3 { 2 } else { place };
            sheet.rows[row][place] = Cell::text(if place == 2 { "" } else { "third" });
            Some("a cell")
        }
        Some(5) => {
            sheet.rows[row].pop();
            Some("a short row")
        }
        Some(6) => {
            // A later match has the name of an earlier one.
            let first = sheet.rows[0][0].clone();
            for (row, seat) in seats.iter().enumerate() {
                if seat.0 == draft.games.len() - 1 {
                    sheet.rows[row][0] = first.clone();
                }
            }
            Some("an id again")
        }
        Some(7) => {
            let place = rows.iter().find(|other| **other != row).unwrap();
            sheet.rows[row][2] = sheet.rows[*place][2].clone();
            Some("a player against itself")
        }
        Some(8) => of(["result", "outcome"], &sheet).map(|place| {
            let word = words[2 * dice.below(2)];
            for row in &rows {
                sheet.rows[*row][place] = Cell::told(word);
            }
            "two statements"
        }),
        Some(9) => {
            sheet.rows[row][2] = Cell::text(dice.pick(&NOBODY));
            Some("nobody")
        }
        Some(10) => {
            sheet.rows[row][2].csv += dice.pick(&[";hal", "|hal", ",hal"]);
            Some("a list")
        }
        _ => None,
    };
    draft.lost = draft
        .damage
        .filter(|_| matches!(damage, Some(2..=5 | 7..=10)))
        .map(|_| row_of_damage);
    if damage != Some(5) {
        sheet.shuffle(dice);
    }
    let text = sheet.csv(dice);
    (draft, text)
}
