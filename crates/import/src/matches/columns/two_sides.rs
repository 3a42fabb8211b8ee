//! Pairs of names that differ in the word for a side alone: `players.white.user.name` and `players.black.user.name`.

use std::collections::HashMap;

use crate::column_names::words;

/// Words that tell two sides apart, the first of them first.
const SIDES: [[&str; 2]; 17] = [
    ["white", "black"],
    ["home", "away"],
    ["home", "visitor"],
    ["heim", "gast"],
    ["radiant", "dire"],
    ["winner", "loser"],
    ["winning", "losing"],
    ["victor", "defeated"],
    ["1", "2"],
    ["a", "b"],
    ["blue", "red"],
    ["left", "right"],
    ["first", "second"],
    ["host", "guest"],
    ["challenger", "opponent"],
    ["one", "two"],
    ["blue", "orange"],
];
/// Those that say who won.
const ORDER: [&str; 3] = ["winner", "winning", "victor"];
/// Those that number anything.
const NUMBERS: [&str; 4] = ["1", "a", "first", "one"];
/// Words that say that it is a side.
const SIDE_WORDS: [&str; 18] = [
    "team",
    "teams",
    "player",
    "players",
    "side",
    "sides",
    "participant",
    "participants",
    "competitor",
    "competitors",
    "opponents",
    "p",
    "spieler",
    "joueur",
    "jugador",
    "equipe",
    "faction",
    "factions",
];
/// Words for who plays with another.
const PARTNERS: [&str; 5] = ["partner", "partners", "mate", "teammate", "teammates"];
/// What is numbered and is no side.
const NUMBERED: [&str; 14] = [
    "match", "game", "fixture", "event", "map", "set", "round", "leg", "half", "period", "quarter", "frame",
    "inning", "day",
];
/// Words for where a side stands.
const AROUND: [&str; 6] = ["match", "game", "fixture", "event", "data", "info"];
/// The rest of the name of a player beside its side, the best first.
const PLAYERS: [&str; 19] = [
    "",
    "name",
    "username",
    "user name",
    "user username",
    "nickname",
    "nick",
    "login",
    "handle",
    "user",
    "display name",
    "full name",
    "user id",
    "account",
    "account id",
    "id",
    "uuid",
    "puuid",
    "members",
];
/// The rest of the name of a score.
const SCORES: [&str; 24] = [
    "score",
    "maps",
    "frames",
    "legs",
    "sets",
    "rounds",
    "maps won",
    "goal",
    "ft goals",
    "tore",
    "punkte",
    "scores",
    "goals",
    "points",
    "runs",
    "final score",
    "score full time",
    "score fulltime",
    "full time",
    "score ft",
    "goals full time",
    "total score",
    "score total",
    "score current",
];
/// The rest of the name of a shoot-out.
const SHOOT_OUTS: [&str; 9] = [
    "pen",
    "penalties",
    "penalty",
    "pens",
    "pso",
    "shootout",
    "penalty score",
    "score penalty",
    "penalty shootout",
];
/// The rest of the name of a result of each side.
const RESULTS: [&str; 9] = [
    "result",
    "outcome",
    "winner",
    "won",
    "win",
    "is winner",
    "is win",
    "is victory",
    "victory",
];

/// Two names, and their words without the side.
struct Pair<'a> {
    names: [&'a str; 2],
    rest: String,
    /// Whether the word for the side stands alone, and tells nothing but a number.
    is_number_alone: bool,
    /// Whether the words for the sides are those of who won and who lost.
    is_order: bool,
}

/// All pairs among names.
pub(super) struct TwoSides<'a>(Vec<Pair<'a>>);

/// Whether a word says no more than that something is of a side, or where it stands.
pub(super) fn is_filler(word: &str) -> bool {
    SIDE_WORDS.contains(&word) || AROUND.contains(&word)
}

/// The words of a name, those for sides apart: `hometeam` is two.
pub(super) fn parts(name: &str) -> Vec<String> {
    let split = |word: String| {
        let known = |word: &str| is_filler(word) || SCORES.contains(&word);
        let side = SIDES.iter().flatten().filter(|side| side.len() > 1);
        let both = side.filter_map(|side| Some((*side, word.strip_prefix(side)?)));
        match both.into_iter().find(|(_, rest)| known(rest)) {
            Some((side, rest)) => vec![side.to_owned(), rest.to_owned()],
            None => vec![word],
        }
    };
    words(name).into_iter().flat_map(split).collect()
}

impl<'a> TwoSides<'a> {
    pub(super) fn of(names: &'a [String]) -> Self {
        let all: Vec<Vec<String>> = names.iter().map(|name| parts(name)).collect();
        let joined: HashMap<String, usize> =
            (0..).zip(&all).map(|(at, parts)| (parts.join(" "), at)).collect();
        let mut pairs = Vec::new();
        for (name, parts) in names.iter().zip(&all) {
            for (at, word) in parts.iter().enumerate() {
                let before = at.checked_sub(1).map(|before| &*parts[before]);
                let is_number = NUMBERS.contains(&&**word);
                if is_number && before.is_some_and(|before| NUMBERED.contains(&before)) {
                    continue;
                }
                for [_, other] in SIDES.iter().filter(|[one, _]| one == word) {
                    let mut twin = parts.clone();
                    (*other).clone_into(&mut twin[at]);
                    let Some(place) = joined.get(&twin.join(" ")) else {
                        continue;
                    };
                    let rest = parts.iter().enumerate();
                    let rest = rest.filter(|(place, word)| *place != at && !is_filler(word));
                    let rest: Vec<&str> = rest.map(|(_, word)| &**word).collect();
                    pairs.push(Pair {
                        names: [name, &names[*place]],
                        is_number_alone: is_number
                            && !before.is_some_and(|before| SIDE_WORDS.contains(&before)),
                        rest: rest.join(" "),
                        is_order: ORDER.contains(&&**word),
                    });
                }
            }
        }
        Self(pairs)
    }

    fn called(&self, wanted: &[&str], may_be_number: bool) -> Option<[&'a str; 2]> {
        let pair = |wanted: &&str| {
            let mut pairs = self.0.iter();
            pairs.find(|pair| pair.rest == **wanted && (may_be_number || !pair.is_number_alone))
        };
        wanted.iter().find_map(pair).map(|pair| pair.names)
    }

    /// A column for each player of two teams: `Blue 1`, `Blue 2`, `Red 1`, `Red 2`, or `team1_player1` and so on.
    pub(super) fn teams(names: &'a [String]) -> Option<[Vec<&'a str>; 2]> {
        // Nearly no file numbers its players.
        names
            .iter()
            .find(|name| name.ends_with(|c: char| c.is_ascii_digit()) && name.len() > 2)?;
        let all: Vec<Vec<String>> = names.iter().map(|name| parts(name)).collect();
        let column = |side: &str, number: usize, rest: &str| {
            // `team1_player2`
            let is_number_side = side.len() == 1;
            let is_seat = |words: &&Vec<String>| {
                let is_team = |at: usize| at > 0 && ["team", "side", "faction"].contains(&&*words[at - 1]);
                let is_side = |at: &usize| words[*at] == side && (!is_number_side || is_team(*at));
                let place = (0..words.len()).find(is_side);
                let mut others = words.iter().enumerate().filter(|(at, _)| Some(*at) != place);
                let is_number = |word: &str| word.parse() == Ok(number);
                let numbered = others.clone().filter(|(_, word)| is_number(word)).count() == 1;
                let bare = others
                    .by_ref()
                    .filter(|(_, word)| !is_number(word) && !is_filler(word));
                place.is_some()
                    && numbered
                    && bare.map(|(_, word)| &**word).collect::<Vec<_>>().join(" ") == rest
            };
            let mut found = all.iter().zip(names).filter(|(words, _)| is_seat(words));
            found
                .next()
                .filter(|_| found.next().is_none())
                .map(|(_, name)| name.as_str())
        };
        let team = |side: &str, rest: &str| -> Vec<&'a str> {
            (1..).map_while(|number| column(side, number, rest)).collect()
        };
        // Nearly all pairs stand in no name.
        let is_there = |side: &&str| all.iter().flatten().any(|word| word == side);
        SIDES
            .into_iter()
            .filter(|pair| pair.iter().all(&is_there))
            .flat_map(|pair| PLAYERS.map(|rest| (pair, rest)))
            .find_map(|(pair, rest)| {
                let teams = pair.map(|side| team(side, rest));
                (teams[0].len() > 1 && teams[0].len() == teams[1].len()).then_some(teams)
            })
    }

    /// The names of two players, or of two lists of them.
    pub(super) fn players(&self) -> Option<[&'a str; 2]> {
        self.called(&PLAYERS, false)
    }

    /// The ids of two players.
    pub(super) fn ids(&self) -> Option<[&'a str; 2]> {
        self.called(&["id", "user id", "account id"], false)
    }

    pub(super) fn scores(&self) -> Option<[&'a str; 2]> {
        let found = self.called(&SCORES, true)?;
        // The score of who won is no side's where the sides are called otherwise.
        let is_order = |names: [&str; 2]| self.0.iter().any(|pair| pair.names == names && pair.is_order);
        (!is_order(found) || self.players().is_some_and(is_order)).then_some(found)
    }

    /// Shoot-outs behind equal scores.
    pub(super) fn shoot_outs(&self) -> Option<[&'a str; 2]> {
        self.called(&SHOOT_OUTS, true)
    }

    /// A result of each side.
    pub(super) fn results(&self) -> Option<[&'a str; 2]> {
        self.called(&RESULTS, true)
    }
}

/// The words of a name for the first of several with another number, `player`, `3` of `player`, `1`; none without a number.
pub(super) fn nth(first: &[String], number: usize) -> Option<Vec<String>> {
    let other = |word: &String| match &**word {
        "1" => Some(number.to_string()),
        "a" => Some(('a'..='z').nth(number.checked_sub(1)?)?.to_string()),
        _ => None,
    };
    let at = first.iter().position(|word| word == "1" || word == "a")?;
    let mut parts = first.to_vec();
    parts[at] = other(&first[at])?;
    Some(parts)
}

/// A name of one more player beside those of two: `player3`, `winner2`, `partner`.
pub(super) fn one_more<'a>(names: &'a [String], first: &str) -> Option<&'a str> {
    let own = parts(first);
    let third = nth(&own, 3);
    let second: Vec<String> = own.iter().cloned().chain(["2".to_owned()]).collect();
    let is_more = |name: &&String| {
        let parts = parts(name);
        let is_partner = parts.iter().any(|word| PARTNERS.contains(&&**word)) && parts != own;
        // `Opponent 1` beside `Player 1`.
        let is_opponent = parts.first().is_some_and(|word| word == "opponent") && parts.last() == own.last();
        let is_partner = is_partner || (is_opponent && third.is_some() && parts != own);
        third.as_ref().map_or(parts == second, |third| parts == *third) || is_partner
    };
    names.iter().find(is_more).map(String::as_str)
}

/// Words for the side of the first name, if the names differ in these alone.
pub(crate) fn sides_of(first: &str, second: &str) -> Option<[&'static str; 2]> {
    let (first, second) = (parts(first), parts(second));
    if first.len() != second.len() {
        return None;
    }
    let mut other = first.iter().zip(&second).filter(|(one, other)| one != other);
    let (one, two) = other.next().filter(|_| other.next().is_none())?;
    let is_pair = |[first, second]: &[&str; 2]| first == one && second == two;
    // The user may have named them the other way round.
    let reversed = SIDES.map(|[first, second]| [second, first]);
    SIDES.into_iter().chain(reversed).find(is_pair)
}

/// A column that says by its name that it tells whether the second of two sides has won: `player2_won`.
pub(super) fn is_win_of_second(name: &str, first: &str, second: &str) -> bool {
    let name = [name.to_owned()];
    win_of_first(&name, second, first).is_some()
}

/// A column that says by its name whose win it tells, `radiant_win`: the first of these that is of the first side.
pub(super) fn win_of_first<'a>(names: &'a [String], first: &str, second: &str) -> Option<&'a str> {
    let [side, _] = sides_of(first, second)?;
    let is_win = |name: &&String| {
        let mut words = parts(name);
        words.retain(|word| !is_filler(word));
        matches!(&words[..], [one, win] if one == side && ["win", "won", "wins", "victory"].contains(&&**win))
    };
    names.iter().find(is_win).map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_of_names_differ_in_the_word_for_a_side() {
        let pairs = |names: &str| {
            let names: Vec<String> = names.split(',').map(str::to_owned).collect();
            let two = TwoSides::of(&names);
            [two.players(), two.scores(), two.results()]
                .map(|pair| pair.map_or(String::new(), |pair| pair.join("+")))
        };
        for (names, wanted) in [
            (
                "players.white.user.name,players.black.user.name,players.white.rating,players.black.rating",
                ["players.white.user.name+players.black.user.name", "", ""],
            ),
            (
                "homeTeam.id,homeTeam.name,awayTeam.id,awayTeam.name,score.fullTime.home,score.fullTime.away,score.halfTime.home,\
                 score.halfTime.away",
                [
                    "homeTeam.name+awayTeam.name",
                    "score.fullTime.home+score.fullTime.away",
                    "",
                ],
            ),
            (
                "white.username,black.username,white.result,black.result",
                ["white.username+black.username", "", "white.result+black.result"],
            ),
            (
                "Player 1 Name,Player 2 Name,Player1Score,Player2Score",
                ["Player 1 Name+Player 2 Name", "Player1Score+Player2Score", ""],
            ),
            ("a,b,map1,map2", ["", "", ""]),
            (
                "player,opponent,game1,game2,game1_points,game2_points",
                ["", "", ""],
            ),
            (
                "hometeam,awayteam,homegoals,awaygoals",
                ["hometeam+awayteam", "homegoals+awaygoals", ""],
            ),
        ] {
            assert_eq!(pairs(names), wanted, "{names}");
        }
        assert_eq!(words("info.gameCreation"), ["info", "game", "creation"]);
        let names = ["dire_win", "radiant_win"].map(str::to_owned);
        assert_eq!(
            win_of_first(&names, "radiant_name", "dire_name"),
            Some("radiant_win")
        );
    }
}
