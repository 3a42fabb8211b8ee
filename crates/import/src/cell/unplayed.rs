//! Results of games that were not played, or not to their end.

/// Forfeits that the first side has won, that the second has, and that do not say it.
const WON_BY_FIRST: [&str; 6] = ["+--", "+-", "+/-", "+:-", "1-0f", "1-0ff"];
const WON_BY_SECOND: [&str; 6] = ["--+", "-+", "-/+", "-:+", "0-1f", "0-1ff"];
const FORFEITS: [&str; 12] = [
    "w/o",
    "w.o.",
    "w-o",
    "wo",
    "walkover",
    "forfeit",
    "forfeited",
    "ff",
    "def",
    "def.",
    "default",
    "defaulted",
];
/// No result at all.
const OPEN: [&str; 14] = [
    "*",
    "abandoned",
    "cancelled",
    "canceled",
    "postponed",
    "void",
    "noresult",
    "n/r",
    "notplayed",
    "unplayed",
    "dnf",
    "dns",
    "dnp",
    "dq",
];

/// Why a game is none to rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unplayed {
    /// It was forfeited, and who won by that, if it is said.
    Forfeit(Option<bool>),
    /// It has no result.
    Open,
}

/// What a result, or a score beside the name of who won, says of a game that was not played: as a whole, or in its last word.
pub(crate) fn unplayed(text: &str) -> Option<Unplayed> {
    // Nearly all are numbers.
    if text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || b"-.:/ ()".contains(&byte))
    {
        return None;
    }
    let is_bracket = |c: char| c == '(' || c == ')' || c == '[' || c == ']';
    let text = text.trim_matches(is_bracket);
    let last = text.rsplit(|c: char| c.is_whitespace() || is_bracket(c)).next();
    let last = last.unwrap_or_default();
    let whole: String = text
        .chars()
        .filter(|c| !c.is_whitespace())
        .take(12)
        .map(plain)
        .collect();
    of(&whole).or_else(|| of(&last.chars().take(12).map(plain).collect::<String>()))
}

fn of(word: &str) -> Option<Unplayed> {
    let forfeits = [
        (&WON_BY_FIRST[..], Some(true)),
        (&WON_BY_SECOND, Some(false)),
        (&FORFEITS, None),
    ];
    let forfeit = forfeits.into_iter().find(|(known, _)| known.contains(&word));
    let forfeit = forfeit.map(|(_, first)| Unplayed::Forfeit(first));
    forfeit.or_else(|| OPEN.contains(&word).then_some(Unplayed::Open))
}

/// In small letters, and every dash the one of keyboards.
pub(crate) fn plain(c: char) -> char {
    match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        c => c.to_ascii_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_that_were_not_played_are_told_from_all_results() {
        for (text, wanted) in [
            ("+--", Some(Unplayed::Forfeit(Some(true)))),
            ("\u{2013} : +", Some(Unplayed::Forfeit(Some(false)))),
            ("1-0F", Some(Unplayed::Forfeit(Some(true)))),
            ("W/O", Some(Unplayed::Forfeit(None))),
            ("walk over", Some(Unplayed::Forfeit(None))),
            ("6-2 DEF", Some(Unplayed::Forfeit(None))),
            ("3-0 (w/o)", Some(Unplayed::Forfeit(None))),
            ("2-1 (abandoned)", Some(Unplayed::Open)),
            ("*", Some(Unplayed::Open)),
            ("DNF", Some(Unplayed::Open)),
            ("No Result", Some(Unplayed::Open)),
            ("6-2 3-1 RET", None),
            ("1-0", None),
            ("-", None),
            ("", None),
            ("draw", None),
            ("forfeited by both of them", None),
        ] {
            assert_eq!(unplayed(text), wanted, "{text}");
        }
    }
}
