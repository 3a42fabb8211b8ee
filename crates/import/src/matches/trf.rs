//! FIDE's reports of tournaments (TRF, Tournament Report File Format of 2016): a line for each player, with opponent, colour and result
//! of each round in columns of fixed places.

use std::collections::HashMap;
use std::io::{self, Write};

use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::error::{Fault, RowError};
use crate::input::Text;
use crate::limits::CHUNK;
use crate::matches::Match;
use crate::matches::json_games::JsonReading;
use crate::row::json_row::JsonRow;
use crate::row::lines::{Lines, utf8};
use crate::text::shown;

/// Where the first round begins, and how long each is, in characters.
const ROUNDS: usize = 91;
const ROUND: usize = 10;
/// Players of a tournament, and its rounds, at most.
const PLAYERS: usize = 9999;
const MOST_ROUNDS: usize = 999;

/// Whether a text is such a report: all lines begin with three digits or `XX` and a letter, and one with those of a player.
pub(crate) fn is_trf(start: &[u8]) -> bool {
    let lines = start.split(|byte| b"\r\n".contains(byte));
    let mut lines: Vec<&[u8]> = lines.filter(|line| !line.trim_ascii().is_empty()).collect();
    if start.len() >= CHUNK {
        // It may be cut off.
        lines.pop();
    }
    let is_own = |line: &&[u8]| {
        let is_number = line.iter().take(3).all(u8::is_ascii_digit);
        line.len() >= 3
            && (is_number || line.starts_with(b"XX"))
            && line.get(3).is_none_or(|byte| *byte == b' ')
    };
    !lines.is_empty() && lines.iter().all(is_own) && lines.iter().any(|line| line.starts_with(b"001 "))
}

/// A player, and what each round was.
struct Player {
    line: u64,
    name: String,
    rounds: Vec<Option<Entry>>,
}

/// What the line of a player says of a round against another.
#[derive(Clone, Copy)]
struct Entry {
    opponent: u32,
    is_white: Option<bool>,
    result: char,
    column: u64,
}

/// The games of a report, round by round, of each the line of the player who had white.
pub(crate) fn trf_games(
    text: Text<'_>,
    reading: &mut JsonReading,
) -> Result<Vec<Result<Match<'static>, RowError>>, RowError> {
    let (players, dates) = read_players(text)?;
    let mut order: Vec<u32> = players.keys().copied().collect();
    order.sort_unstable();
    let rounds = players
        .values()
        .map(|player| player.rounds.len())
        .max()
        .unwrap_or(0);
    let mut games = Vec::new();
    for round in 0..rounds {
        for number in &order {
            let player = &players[number];
            let Some(entry) = player.rounds.get(round).copied().flatten() else {
                continue;
            };
            let other = players.get(&entry.opponent);
            let mirrored = other.and_then(|other| other.rounds.get(round).copied().flatten());
            let checked = check(*number, entry, mirrored, other);
            let game = match checked {
                Err(what) => Err((entry.column, what)),
                // Told once, by who had white.
                Ok(_) if !entry.is_white.unwrap_or(*number < entry.opponent) => continue,
                Ok(result) => {
                    let name = other.map_or("", |other| &other.name);
                    game(reading, player, (name, result), dates.get(round))
                }
            };
            games.push(game.map_err(|fault| RowError::new(player.line, fault)));
        }
    }
    Ok(games)
}

fn read_players(text: Text<'_>) -> Result<(HashMap<u32, Player>, Vec<String>), RowError> {
    let mut lines = Lines::new(text);
    let (mut players, mut dates) = (HashMap::new(), Vec::new());
    let mut names: HashMap<String, u64> = HashMap::new();
    while lines.advance()? {
        let number = lines.number;
        let fatal = |(column, what)| RowError::fatal_at(number, column, what);
        let line = utf8(lines.line()).map_err(fatal)?;
        let line: Vec<char> = line.trim_end().chars().collect();
        let at = |from: usize, to: usize| -> String {
            let part = line.get(from..to.min(line.len())).unwrap_or_default();
            part.iter().collect::<String>().trim().to_owned()
        };
        match &*at(0, 3) {
            "132" => {
                let starts = (ROUNDS..line.len()).step_by(ROUND);
                dates = starts.map(|from| date_of(&at(from, from + 10))).collect();
            }
            "001" => {
                let player = player(&line, number, &at).map_err(fatal)?;
                if let Some(first) = names.insert(player.1.name.clone(), number) {
                    let what = format!(
                        "`{}` is a player in line {first} as well; give each a name of its own",
                        shown(&player.1.name)
                    );
                    return Err(fatal((15, what)));
                }
                if players.len() == PLAYERS || players.insert(player.0, player.1).is_some() {
                    return Err(fatal((5, "two players have this starting rank".to_owned())));
                }
            }
            _ => {}
        }
    }
    Ok((players, dates))
}

/// `24/05/31` or `2024/05/31` as dates are read without doubt.
fn date_of(text: &str) -> String {
    match text.split(['/', '.', '-']).collect::<Vec<_>>()[..] {
        [year, month, day] if year.len() == 2 && text.contains('/') => {
            let century = if year < "70" { "20" } else { "19" };
            format!("{century}{year}-{month}-{day}")
        }
        _ => text.to_owned(),
    }
}

/// The starting rank of a player, and what its line says.
fn player(line: &[char], number: u64, at: &dyn Fn(usize, usize) -> String) -> Result<(u32, Player), Fault> {
    let rank = at(4, 8).parse().map_err(|_| {
        let what = format!(
            "the starting rank is `{}`; a number is needed in columns 5 to 8",
            shown(&at(4, 8))
        );
        (5, what)
    })?;
    let name = at(14, 47);
    if name.is_empty() {
        return Err((15, "the name is empty; every player needs one".to_owned()));
    }
    let mut rounds = Vec::new();
    if line.len() > ROUNDS + MOST_ROUNDS * ROUND {
        let what = format!("the line has more than {MOST_ROUNDS} rounds");
        return Err(((ROUNDS + MOST_ROUNDS * ROUND) as u64 + 1, what));
    }
    for from in (ROUNDS..line.len()).step_by(ROUND) {
        let (opponent, colour, result) = (at(from, from + 4), at(from + 5, from + 6), at(from + 7, from + 8));
        let column = from as u64 + 1;
        let opponent = if opponent.is_empty() {
            Ok(0)
        } else {
            opponent.parse()
        };
        let opponent = opponent.map_err(|_| {
            (
                column,
                format!(
                    "the opponent is `{}`; a starting rank is needed",
                    shown(&at(from, from + 4))
                ),
            )
        })?;
        let entry = Entry {
            opponent,
            is_white: match &*colour {
                "w" => Some(true),
                "b" => Some(false),
                _ => None,
            },
            result: result.chars().next().unwrap_or(' '),
            column,
        };
        // Byes have no opponent.
        rounds.push((opponent > 0).then_some(entry));
    }
    Ok((
        rank,
        Player {
            line: number,
            name,
            rounds,
        },
    ))
}

/// The result for the first of two, as both of them say it.
fn check(
    number: u32,
    entry: Entry,
    mirrored: Option<Entry>,
    other: Option<&Player>,
) -> Result<&'static str, String> {
    let Some(other) = other else {
        return Err(format!(
            "the opponent {} is no player of the report",
            entry.opponent
        ));
    };
    let Some(mirrored) = mirrored.filter(|mirrored| mirrored.opponent == number) else {
        return Err(format!(
            "the opponent, in line {}, has another in this round",
            other.line
        ));
    };
    let both = (
        entry.result.to_ascii_uppercase(),
        mirrored.result.to_ascii_uppercase(),
    );
    let is_clear = entry.is_white.is_none() || entry.is_white != mirrored.is_white;
    match both {
        _ if !is_clear => Err(format!(
            "the opponent, in line {}, has the same colour",
            other.line
        )),
        ('1', '0') => Ok("1-0"),
        ('0', '1') => Ok("0-1"),
        ('=', '=') => Ok("1/2-1/2"),
        ('+', '-') => Ok("+--"),
        ('-', '+') => Ok("--+"),
        // Forfeited by both, not played, or too short to be rated.
        ('-', '-') | ('W', 'L') | ('L', 'W') | ('D', 'D') | (' ', ' ') | ('*', '*') => Ok("*"),
        (own, others) => Err(format!(
            "the result is `{own}`, and that of the opponent, in line {}, `{others}`",
            other.line
        )),
    }
}

fn game(
    reading: &mut JsonReading,
    player: &Player,
    (other, result): (&str, &str),
    date: Option<&String>,
) -> Result<Match<'static>, Fault> {
    let mut object = Map::from_iter([
        ("white".to_owned(), Value::from(player.name.as_str())),
        ("black".to_owned(), other.into()),
        ("result".to_owned(), result.into()),
    ]);
    if let Some(date) = date.filter(|date| !date.is_empty()) {
        object.insert("date".to_owned(), date.as_str().into());
    }
    // Where parts of it stand is told by its line alone.
    let game = reading.game_of(player.line, object, "");
    Ok(game?.placed(JsonRow::of(Vec::new(), player.line, Vec::new())))
}

/// Writes matches of one against one as such a report: a round for each day, and another where a player has played in it. Players are
/// numbered in the order of their names; scores, times of day and names of matches have no place in it. Without `dates` that of each round
/// is left out. False, and nothing is written, where a match is none of one player against one, or of a year before 1970 or after 2069,
/// where there are more than 9999 players or 999 rounds, or a name of more than 33 characters.
///
/// # Errors
/// What writing fails with.
pub fn write_trf(
    out: &mut (impl Write + ?Sized),
    tournament: &str,
    games: &[Match<'_>],
    dates: bool,
) -> io::Result<bool> {
    let Some(report) = Report::of(games) else {
        return Ok(false);
    };
    let one_line: String = tournament
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    writeln!(out, "012 {one_line}")?;
    writeln!(out, "062 {}", report.names.len())?;
    let days = report.days.iter().map(|day| format!("  {day}"));
    if dates {
        writeln!(out, "132{}{}", " ".repeat(ROUNDS - 5), days.collect::<String>())?;
    }
    let mut ranks: Vec<usize> = (0..report.names.len()).collect();
    ranks.sort_by_key(|player| std::cmp::Reverse(report.twice[*player]));
    for (place, name) in report.names.iter().enumerate() {
        let points = f64::from(report.twice[place]) / 2.0;
        let rank = ranks.iter().position(|player| *player == place).unwrap_or(0) + 1;
        let head = format!("001 {:>4}      {name:<33}", place + 1);
        write!(out, "{head:<80}{points:>4.1} {rank:>4}")?;
        for round in &report.rounds {
            match round.get(&place) {
                Some((opponent, colour, result)) => write!(out, "  {:>4} {colour} {result}", opponent + 1)?,
                None => write!(out, "  0000 - Z")?,
            }
        }
        writeln!(out)?;
    }
    Ok(true)
}

/// What a report says.
struct Report<'g> {
    names: Vec<&'g str>,
    /// Twice the points of each.
    twice: Vec<u32>,
    /// Of each round by player: opponent, colour, result.
    rounds: Vec<HashMap<usize, (usize, char, char)>>,
    days: Vec<String>,
}

impl<'g> Report<'g> {
    fn of(games: &'g [Match<'_>]) -> Option<Self> {
        let mut names: Vec<&str> = games.iter().flat_map(Match::names).collect();
        names.sort_unstable();
        names.dedup();
        let is_short = |name: &&str| {
            name.chars().count() <= 33 && !name.contains(char::is_control) && name.trim() == *name
        };
        if names.len() > PLAYERS || !names.iter().all(is_short) {
            return None;
        }
        let places: HashMap<&str, usize> = names
            .iter()
            .enumerate()
            .map(|(place, name)| (*name, place))
            .collect();
        let mut report = Self {
            twice: vec![0; names.len()],
            names,
            rounds: Vec::new(),
            days: Vec::new(),
        };
        for game in games {
            let sides: Vec<_> = game.sides().collect();
            let [one, other] = &sides[..] else { return None };
            let ([first], [second]) = (one.members, other.members) else {
                return None;
            };
            let (first, second) = (places[&*first.name], places[&*second.name]);
            let (won, drawn) = (one.place < other.place, one.place == other.place);
            let results = match (won, drawn) {
                (_, true) => ['=', '='],
                (true, _) => ['1', '0'],
                (false, _) => ['0', '1'],
            };
            let time = Timestamp::from_second(game.time()).ok()?;
            // Two digits tell the century of these.
            if !(0..3_155_760_000).contains(&game.time()) {
                return None;
            }
            let day = time.strftime("%y/%m/%d").to_string();
            let last = report.rounds.last();
            let is_free =
                last.is_some_and(|round| !round.contains_key(&first) && !round.contains_key(&second));
            if !is_free || report.days.last() != Some(&day) {
                report.rounds.push(HashMap::new());
                report.days.push(day);
            }
            let round = report.rounds.last_mut()?;
            round.insert(first, (second, 'w', results[0]));
            round.insert(second, (first, 'b', results[1]));
            let points = |result: char| match result {
                '1' => 2,
                '=' => 1,
                _ => 0,
            };
            report.twice[first] += points(results[0]);
            report.twice[second] += points(results[1]);
        }
        (report.rounds.len() <= MOST_ROUNDS).then_some(report)
    }
}
