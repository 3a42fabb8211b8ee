//! Files of players who wait, as CSV and JSON.

use matchwright_scoring::Player;

use super::sheet::{Cell, Sheet, twin};
use super::{Case, Dice, NOBODY};
use crate::input::players::players_of;
use crate::input::scale::Beside;
use crate::input::source::Source;
use matchwright_import::PlayerColumns;

pub(super) fn case(dice: &mut Dice) -> Case {
    let mut players: Vec<Player> = (0..=dice.below(3))
        .map(|place| Player::new(format!("p {place}")))
        .collect();
    let damage = dice.one_in(2).then(|| dice.below(9));
    let is_json = dice.one_in(2);
    let mut sheet = Sheet::default();
    let mut used = vec![dice.pick(&["id", "player", "Player ID", "name"])];
    sheet.add(
        used[0],
        players.iter().map(|player| Cell::text(player.id.clone())),
    );
    if dice.one_in(2) || damage == Some(3) {
        let name = dice.pick(&["skill", "rating", "MMR", "Skill"]);
        for player in &mut players {
            player.skill = Some(dice.below(4000) as f64 / 4.0);
        }
        used.push(name);
        sheet.add(
            name,
            players
                .iter()
                .map(|player| Cell::number(player.skill.unwrap().to_string())),
        );
    }
    if dice.one_in(2) {
        let name = dice.pick(&["wait_seconds", "wait"]);
        for player in &mut players {
            player.wait_seconds = Some(dice.below(100) as f64);
        }
        used.push(name);
        let cells = players
            .iter()
            .map(|player| Cell::number(format!("{:.1}", player.wait_seconds.unwrap())));
        sheet.add(name, cells);
    }
    if dice.one_in(2) {
        for player in &mut players {
            player.blocks = vec!["p 7".to_owned(), "p 8".to_owned()];
        }
        used.push("blocks");
        let csv = dice.pick(&[
            "p 7; p 8",
            "p 7|p 8",
            "p 7,p 8",
            "p 7, p 8",
            "[\"p 7\", \"p 8\"]",
            "['p 7' 'p 8']",
        ]);
        let cell = Cell {
            csv: csv.to_owned(),
            json: "[\"p 7\",\"p 8\"]".to_owned(),
        };
        sheet.add("blocks", vec![cell; players.len()]);
    }
    if dice.one_in(2) && !is_json {
        for player in &mut players {
            player.pings = [("eu".to_owned(), dice.below(200) as f64)].into();
        }
        used.push("ping_eu");
        sheet.add(
            "ping_eu",
            players
                .iter()
                .map(|player| Cell::number(player.pings["eu"].to_string())),
        );
    }
    for (name, labels) in [("party", ["a", "b", "12"]), ("region", ["eu"; 3])] {
        if dice.one_in(2) {
            let cells: Vec<Cell> = players
                .iter_mut()
                .map(|player| {
                    let label = dice.one_in(2).then(|| dice.pick(&labels).to_owned());
                    let of_player = if name == "party" {
                        &mut player.party
                    } else {
                        &mut player.region
                    };
                    let cell = Cell::text(label.clone().unwrap_or_else(|| dice.pick(&NOBODY).to_owned()));
                    *of_player = label;
                    cell
                })
                .collect();
            used.push(name);
            sheet.add(name, cells);
        }
    }
    if dice.one_in(3) {
        sheet.add("colour", players.iter().map(|_| Cell::text("red")));
    }
    let row = dice.below(players.len());
    let place = dice.below(used.len());
    let damage = match damage {
        Some(0) => {
            sheet.repeat(place, used[place]);
            Some("a column twice")
        }
        Some(1) => {
            sheet.repeat(place, &twin(used[place]));
            Some("a column twice but for case")
        }
        Some(2) if players.len() > 1 => {
            sheet.rows[1][0] = sheet.rows[0][0].clone();
            Some("a player twice")
        }
        Some(3) => {
            sheet.rows[row][1] =
                Cell::number(dice.pick(&["9007199254740993", "-9007199254740993", "9007199254740993.0"]));
            Some("digits")
        }
        // Of one column it would be a blank line.
        Some(4) if sheet.names.len() > 1 => {
            // Of these anything may be a name.
            let is_text = ["blocks", "party", "region"].contains(&used[place]);
            sheet.rows[row][if is_text { 0 } else { place }] = if is_text || place == 0 {
                Cell::text("")
            } else {
                Cell::text("high")
            };
            Some("a cell")
        }
        Some(5) if !is_json && sheet.names.len() > 1 => {
            sheet.rows[row].pop();
            Some("a short row")
        }
        Some(6) if is_json => Some("cut off"),
        Some(7) => {
            sheet.rows[row][0] = Cell::text(dice.pick(&NOBODY));
            Some("nobody")
        }
        Some(8) => used.iter().position(|name| *name == "blocks").map(|place| {
            sheet.rows[row][place] = Cell::text("p 7;p 8|p 9");
            "two separators, or a text for a list"
        }),
        _ => None,
    };
    if damage != Some("a short row") {
        sheet.shuffle(dice);
    }
    let text = if is_json {
        sheet.json(dice)
    } else {
        sheet.csv(dice)
    };
    let text = if damage == Some("cut off") {
        text[..text.trim_end().len() - 1].to_owned()
    } else {
        text
    };
    let read = Source::of_text(text.as_bytes())
        .and_then(|source| players_of(source, Beside::Nothing, &PlayerColumns::default(), false));
    let read = read.map(|imported| imported.pool.players().eq(&players));
    Case {
        text,
        damage,
        read: read.map_err(|failure| failure.to_string()),
    }
}
