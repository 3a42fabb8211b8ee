//! Tables whose first line is a match already, and no header.

use crate::cell::time::{TimeError, TimeReader};
use crate::cell::value::parse_result;

/// What names the columns of a table whose `first` line holds a time, in the order that its cells suggest; none of a header.
pub(super) fn suggested(first: &[String]) -> Option<String> {
    let times = TimeReader::default();
    let is_time = |cell: &String| matches!(times.peek(cell), Ok(_) | Err(TimeError::Open(_)));
    let time = first.iter().position(is_time)?;
    let is_number = |cell: &str| cell.parse::<f64>().is_ok();
    let (mut players, mut scores) = (["player1", "player2"].iter(), ["score1", "score2"].iter());
    let numbers = first.iter().enumerate();
    let numbers = numbers
        .filter(|(place, cell)| *place != time && is_number(cell))
        .count();
    let name = |(place, cell): (usize, &String)| {
        let known = if place == time {
            Some("time")
        } else if is_number(cell) && numbers > 1 {
            scores.next().copied()
        } else if is_number(cell) || parse_result(cell).is_ok() {
            Some("result")
        } else {
            players.next().copied()
        };
        known.map_or_else(|| format!("column{}", place + 1), str::to_owned)
    };
    Some(first.iter().enumerate().map(name).collect::<Vec<_>>().join(","))
}
