//! JSON of teams.

use super::{Draft, Meant, Side, cut};
use crate::input::generated::Dice;
use crate::input::generated::sheet::{Cell, Sheet, twin};

/// Sides of several players, in JSON.
pub(super) fn teams(dice: &mut Dice) -> (Draft, String) {
    let size = [2 + dice.below(3), 1 + dice.below(2)];
    let mut draft = Draft::new(dice, size);
    let damage = dice.one_in(2).then(|| dice.below(8));
    let row = draft.lose(dice);
    draft.lost = None;
    if damage == Some(2) {
        draft.games[row].sides[0].score += 10;
    }
    let told = [[true, false], [false, true], [true, true]][dice.below(3)];
    let [ranks, scores] = if damage == Some(2) { [true, true] } else { told };
    draft.knows_scores = scores;
    let mut sheet = Sheet::default();
    let raw = |json: String| Cell {
        csv: String::new(),
        json,
    };
    sheet.add(dice.pick(&["time", "date"]), draft.times(dice));
    let member = |name: &str| match dice.below(3) {
        0 => format!("{{\"player\":\"{name}\"}}"),
        _ => format!("\"{name}\""),
    };
    let mut member = member;
    let mut side = |side: &Side| match &side.members[..] {
        [one] => member(one),
        all => format!(
            "[{}]",
            all.iter().map(|name| member(name)).collect::<Vec<_>>().join(",")
        ),
    };
    let mut list = |game: &Meant| {
        format!(
            "[{}]",
            game.sides.iter().map(&mut side).collect::<Vec<_>>().join(",")
        )
    };
    let cells: Vec<Cell> = draft.games.iter().map(|game| raw(list(game))).collect();
    sheet.add("teams", cells);
    let place =
        |game: &Meant, side: &Side| 1 + game.sides.iter().filter(|one| one.score > side.score).count();
    let numbers = |game: &Meant, number: &dyn Fn(&Side) -> String| {
        raw(format!(
            "[{}]",
            game.sides.iter().map(number).collect::<Vec<_>>().join(",")
        ))
    };
    if ranks {
        let cells = draft
            .games
            .iter()
            .map(|game| numbers(game, &|side| place(game, side).to_string()));
        sheet.add("ranks", cells.collect::<Vec<_>>());
    }
    if scores {
        let cells = draft
            .games
            .iter()
            .map(|game| numbers(game, &|side| side.score.to_string()));
        sheet.add("scores", cells.collect::<Vec<_>>());
    }
    if dice.one_in(3) || damage == Some(4) {
        sheet.add(
            "id",
            (0..draft.games.len()).map(|place| Cell::number((70 + place).to_string())),
        );
    }
    let outcome = 2;
    draft.damage = match damage {
        Some(0) => {
            let name = sheet.names[dice.below(3)].clone();
            sheet.repeat(sheet.place(&name), &name);
            Some("a column twice")
        }
        Some(1) => {
            let name = sheet.names[dice.below(2)].clone();
            sheet.repeat(sheet.place(&name), &twin(&name));
            Some("a column twice but for case")
        }
        Some(2) => {
            let last = draft.games[row].sides.len();
            let ranks: Vec<String> = (0..last).map(|side| (last - side).to_string()).collect();
            // The first side is the best.
            sheet.rows[row][outcome] = raw(format!("[{}]", ranks.join(",")));
            Some("two statements")
        }
        Some(3) => {
            let json = sheet.rows[row][outcome]
                .json
                .replacen('[', "[9007199254740993.0,", 1);
            let kept = json.rfind(',').unwrap();
            sheet.rows[row][outcome].json = json[..kept].to_owned() + "]";
            Some("digits")
        }
        Some(4) => {
            let last = draft.games.len() - 1;
            let place = sheet.place("id");
            sheet.rows[last][place] = sheet.rows[0][place].clone();
            Some("an id again")
        }
        Some(5) => {
            let json = &sheet.rows[row][outcome].json;
            sheet.rows[row][outcome].json = json.replacen('[', "[1,", 1);
            Some("a number too many")
        }
        Some(6) => {
            let json = dice.pick(&[
                "[[\"ann\"],[\"ann\"]]",
                "[[\"ann\"]]",
                "[[\"\"],[\"bob\"]]",
                "[1.5,\"bob\"]",
                "[\"ann\",\"BYE\"]",
                "[[\"ann|bob\"],[\"cyd\"]]",
                "{}",
            ]);
            sheet.rows[row][1].json = json.to_owned();
            Some("a cell")
        }
        Some(7) => Some("cut off"),
        _ => None,
    };
    draft.lost = draft
        .damage
        .filter(|_| matches!(damage, Some(2 | 3 | 5 | 6)))
        .map(|_| row);
    let text = sheet.json(dice);
    let text = if damage == Some(7) { cut(&text) } else { text };
    (draft, text)
}
