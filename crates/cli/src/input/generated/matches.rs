//! Files of matches: wide and long tables, JSON of two players and of teams.

mod listed;
mod long;
mod teams;

use matchwright_rating::history::{History, HistoryBuilder, NamedGame, NamedSeat, NamedSide};

use super::sheet::{Cell, Sheet, twin};
use super::{Case, Dice, NOBODY};
use crate::arguments::ReadingOptions;
use crate::input::matches::games_of_text;
use matchwright_import::TimeUnit;

/// A game as it was.
#[derive(Clone)]
struct Meant {
    time: i64,
    sides: Vec<Side>,
}

#[derive(Clone)]
struct Side {
    members: Vec<&'static str>,
    score: i64,
}

/// What a file says of how its games ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    Scores,
    Places,
    Result,
    Winner,
    /// Columns of winners and losers.
    Order,
}

/// A file as it is put together.
struct Draft {
    games: Vec<Meant>,
    options: ReadingOptions,
    damage: Option<&'static str>,
    /// The game that is lost where bad ones are skipped.
    lost: Option<usize>,
    knows_scores: bool,
}

const NAMES: [&str; 8] = ["ann", "bob", "cyd", "dot", "eve", "Fay Lee", "7", "gus"];

pub(super) fn case(dice: &mut Dice) -> Case {
    let (mut draft, text) = match dice.below(5) {
        0 | 1 => wide(dice),
        2 => long::long(dice),
        3 => listed::listed(dice),
        _ => teams::teams(dice),
    };
    if draft.lost.is_some() && dice.one_in(2) {
        draft.options.skip_bad = true;
    }
    let read = games_of_text(text.as_bytes(), &draft.options);
    let read =
        read.map(|imported| imported.history == draft.history() || imported.history == draft.whole_history());
    Case {
        text,
        damage: draft.damage,
        read: read.map_err(|failure| failure.to_string()),
    }
}

impl Draft {
    /// Some games of `sides` sides with `members` players each.
    fn new(dice: &mut Dice, [sides, members]: [usize; 2]) -> Self {
        let mut time = 1_600_000_000 / 86_400 * 86_400;
        let games = (0..2 + dice.below(3)).map(|_| {
            time += 86_400 * (1 + i64::try_from(dice.below(400)).unwrap());
            let mut names = NAMES;
            dice.shuffle(&mut names);
            let mut names = names.into_iter();
            let side = |_| Side {
                members: names.by_ref().take(members).collect(),
                score: i64::try_from(dice.below(4)).unwrap(),
            };
            Meant {
                time,
                sides: (0..sides).map(side).collect(),
            }
        });
        Self {
            games: games.collect(),
            options: ReadingOptions::default(),
            damage: None,
            lost: None,
            knows_scores: false,
        }
    }

    /// Who won has the higher score.
    fn decide_all(&mut self) {
        for (place, side) in self
            .games
            .iter_mut()
            .flat_map(|game| game.sides.iter_mut().enumerate())
        {
            side.score = 4 * i64::from(place == 0) + side.score % 4;
        }
    }

    fn history(&self) -> History {
        let lost = if self.options.skip_bad { self.lost } else { None };
        self.history_without(lost)
    }

    /// Of a file whose damage is none.
    fn whole_history(&self) -> History {
        self.history_without(None)
    }

    fn history_without(&self, lost: Option<usize>) -> History {
        let mut builder = HistoryBuilder::default();
        for (_, game) in self
            .games
            .iter()
            .enumerate()
            .filter(|(place, _)| Some(*place) != lost)
        {
            let side = |side: &Side| NamedSide {
                place: u32::try_from(1 + game.sides.iter().filter(|one| one.score > side.score).count())
                    .unwrap(),
                score: if self.knows_scores { side.score as f64 } else { 0.0 },
                seats: side.members.iter().copied().map(NamedSeat::whole).collect(),
            };
            let sides = game.sides.iter().map(side).collect();
            builder
                .push(&NamedGame {
                    context: None,
                    time: game.time,
                    sides,
                })
                .unwrap();
        }
        builder.finish()
    }

    /// Times in one of the ways of writing them.
    fn times(&mut self, dice: &mut Dice) -> Vec<Cell> {
        let way = dice.below(6);
        self.options.time_unit = [
            None,
            None,
            None,
            None,
            Some(TimeUnit::Days),
            Some(TimeUnit::Milliseconds),
        ][way];
        let cell = |game: &Meant| {
            let stamp = jiff::Timestamp::from_second(game.time).unwrap().to_string();
            match way {
                0 => Cell::number(game.time.to_string()),
                1 => Cell::text(stamp),
                2 => Cell::text(stamp.replace('T', " ").replace('Z', "")),
                3 => Cell::text(&stamp[..10]),
                4 => Cell::number((game.time / 86_400).to_string()),
                _ => Cell::number(format!("{}000", game.time)),
            }
        };
        self.games.iter().map(cell).collect()
    }

    /// One game of the file, for a damage, which is lost with it.
    fn lose(&mut self, dice: &mut Dice) -> usize {
        let place = dice.below(self.games.len());
        self.lost = Some(place);
        place
    }
}

fn score(dice: &mut Dice, score: i64) -> Cell {
    match dice.below(3) {
        0 => Cell::number(format!("{score}.0")),
        1 => Cell::text(score.to_string()),
        _ => Cell::number(score.to_string()),
    }
}

/// 1 where the first of two sides won, 0 where it lost.
fn result(game: &Meant) -> f64 {
    match game.sides[0].score.cmp(&game.sides[1].score) {
        std::cmp::Ordering::Greater => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Less => 0.0,
    }
}

/// The words of one file for win, draw and loss.
fn words(dice: &mut Dice) -> [&'static str; 3] {
    [
        ["1", "0.5", "0"],
        ["win", "draw", "loss"],
        ["W", "D", "L"],
        ["Won", "tie", "Lost"],
        ["1.0", "0.50", "0.0"],
        ["true", "draw", "false"],
    ][dice.below(6)]
}

fn word(words: [&str; 3], result: f64) -> Cell {
    let place = if result > 0.5 {
        0
    } else {
        1 + usize::from(result < 0.5)
    };
    Cell::told(words[place])
}

/// Adds what tells how games ended; those in `wrong` are told to have ended otherwise.
fn tell(
    sheet: &mut Sheet,
    dice: &mut Dice,
    told: Told,
    games: &[Meant],
    wrong: Option<usize>,
) -> Vec<String> {
    let before = sheet.names.len();
    let games: Vec<Meant> = (games.iter().cloned().enumerate())
        .map(|(place, mut game)| {
            if Some(place) == wrong {
                // It had no equal scores, beside which there may be a winner.
                game.sides[0].score = game.sides[1].score - 1;
            }
            game
        })
        .collect();
    match told {
        Told::Scores => {
            let names = dice.pick(&[
                &["score1", "score2"],
                &["home_score", "away_score"],
                &["FTHG", "FTAG"],
                &["Score 1", "Score 2"],
            ]);
            for (side, name) in names.iter().enumerate() {
                let cells: Vec<Cell> = games
                    .iter()
                    .map(|game| score(dice, game.sides[side].score))
                    .collect();
                sheet.add(*name, cells);
            }
        }
        Told::Winner => {
            let cell = |game: &Meant| match result(game) {
                1.0 => Cell::text(game.sides[0].members[0]),
                0.0 => Cell::text(game.sides[1].members[0]),
                _ => Cell::text("draw"),
            };
            sheet.add(
                dice.pick(&["winner", "Winner", "winner_name"]),
                games.iter().map(cell),
            );
        }
        _ => {
            let words = words(dice);
            let name = dice.pick(&["result", "Result", "outcome"]);
            sheet.add(name, games.iter().map(|game| word(words, result(game))));
        }
    }
    sheet.names[before..].to_vec()
}

/// One player against one, a row a game.
fn wide(dice: &mut Dice) -> (Draft, String) {
    let mut draft = Draft::new(dice, [2, 1]);
    let mut tellings = vec![[Told::Scores, Told::Result, Told::Winner, Told::Order][dice.below(4)]];
    let is_ordered = tellings[0] == Told::Order;
    let damage = dice.one_in(2).then(|| dice.below(14));
    if is_ordered || damage == Some(2) {
        draft.decide_all();
    }
    let others = if is_ordered {
        vec![Told::Scores, Told::Result]
    } else {
        let all = [Told::Scores, Told::Result, Told::Winner];
        all.into_iter().filter(|told| *told != tellings[0]).collect()
    };
    let other = others[dice.below(others.len())];
    let has_both = dice.one_in(2);
    let is_json = dice.one_in(3);
    let mut sheet = Sheet::default();
    let mut used = vec![dice.pick(&["time", "date", "Timestamp", "played_at"]).to_owned()];
    sheet.add(used[0].clone(), draft.times(dice));
    let players: &[&str; 2] = if is_ordered {
        dice.pick(&[
            &["winner", "loser"],
            &["Winner", "Loser"],
            &["winner_name", "loser_name"],
        ])
    } else {
        dice.pick(&[
            &["player1", "player2"],
            &["home_team", "away_team"],
            &["White", "Black"],
            &["Player 1", "Player 2"],
        ])
    };
    for (side, name) in players.iter().enumerate() {
        used.push((*name).to_owned());
        let cells = draft
            .games
            .iter()
            .map(|game| Cell::text(game.sides[side].members[0]));
        sheet.add(*name, cells);
    }
    if !is_ordered {
        used.extend(tell(&mut sheet, dice, tellings[0], &draft.games, None));
    }
    if has_both && damage != Some(2) {
        used.extend(tell(&mut sheet, dice, other, &draft.games, None));
        tellings.push(other);
    }
    draft.knows_scores = tellings.contains(&Told::Scores) || damage == Some(2) && other == Told::Scores;
    let has_ids = dice.one_in(3) || damage == Some(7);
    let id = dice.pick(&["id", "match_id", "Game ID"]);
    if has_ids {
        sheet.add(
            id,
            (0..draft.games.len()).map(|place| Cell::text(format!("m{place}"))),
        );
    }
    if dice.one_in(2) {
        sheet.add("note", draft.games.iter().map(|_| Cell::text("x,\"y\"")));
    }
    let at = |name: &str, sheet: &Sheet| sheet.place(name);
    draft.damage = match damage {
        Some(0) => {
            let name = used[dice.below(used.len())].clone();
            sheet.repeat(at(&name, &sheet), &name);
            Some("a column twice")
        }
        Some(1) => {
            let name = used[dice.below(used.len())].clone();
            sheet.repeat(at(&name, &sheet), &twin(&name));
            Some("a column twice but for case")
        }
        Some(2) => {
            let place = draft.lose(dice);
            tell(&mut sheet, dice, other, &draft.games, Some(place));
            Some("two statements")
        }
        Some(3) if draft.knows_scores => {
            let scored = [
                ["score1", "home_score", "FTHG", "Score 1"],
                ["score2", "away_score", "FTAG", "Score 2"],
            ];
            let side = dice.below(2);
            let name = scored[side]
                .iter()
                .find(|name| sheet.names.iter().any(|known| known == *name))
                .unwrap();
            let (place, row) = (at(name, &sheet), draft.lose(dice));
            sheet.rows[row][place] =
                Cell::number(dice.pick(&["9007199254740993", "-9007199254740993", "9007199254740993.0"]));
            Some("digits")
        }
        Some(4) => {
            let (place, row) = (at(&used[dice.below(used.len())], &sheet), draft.lose(dice));
            sheet.rows[row][place] = Cell::text(dice.pick(&["maybe", "1e999", "noon", "3-x"]));
            // A name may be anything.
            let is_name = players.contains(&&*sheet.names[place]);
            if is_name {
                sheet.rows[row][place] = Cell::text("");
            }
            Some("a cell")
        }
        Some(5) => {
            let row = draft.lose(dice);
            sheet.rows[row].pop();
            Some("a short row")
        }
        Some(6) => {
            draft.options.time_unit = None;
            for (place, row) in sheet.rows.iter_mut().enumerate() {
                row[0] = Cell::number((1990 + place).to_string());
            }
            Some("no unit")
        }
        Some(7) => {
            let (first, second) = (dice.below(draft.games.len() - 1), draft.games.len() - 1);
            let place = at(id, &sheet);
            sheet.rows[second][place] = sheet.rows[first][place].clone();
            draft.lost = Some(second);
            Some("an id again")
        }
        Some(8) => {
            let row = draft.lose(dice);
            sheet.rows[row][2] = sheet.rows[row][1].clone();
            Some("a player against itself")
        }
        Some(9) => {
            sheet.rows.swap(0, 1);
            Some("another order")
        }
        Some(10) if is_json => Some("cut off"),
        Some(11) => {
            let row = draft.lose(dice);
            sheet.rows[row][1 + dice.below(2)] = Cell::text(dice.pick(&NOBODY));
            Some("nobody")
        }
        Some(12) => {
            let row = draft.lose(dice);
            let cell = &mut sheet.rows[row][1 + dice.below(2)];
            *cell = Cell::text(format!("{}{}hal", cell.csv, dice.pick(&[";", "|", ",", "\n"])));
            Some("a list")
        }
        Some(13) if tellings == [Told::Result] => {
            let place = at(used.last().unwrap(), &sheet);
            let letter = dice.pick(&["T", "F"]);
            sheet
                .rows
                .iter_mut()
                .for_each(|row| row[place] = Cell::text(letter));
            Some("T or F alone")
        }
        _ => None,
    };
    if draft.damage.is_none() && dice.one_in(4) {
        draft.options.sort = true;
        dice.shuffle(&mut sheet.rows);
    }
    if damage != Some(5) {
        sheet.shuffle(dice);
    }
    let text = if is_json {
        sheet.json(dice)
    } else {
        sheet.csv(dice)
    };
    let text = if draft.damage == Some("cut off") {
        cut(&text)
    } else {
        text
    };
    (draft, text)
}

/// Without its end.
fn cut(text: &str) -> String {
    let end = text.trim_end().len() - 1;
    text[..end].to_owned()
}
