//! Which column of a file means what: as the user says, as we call it, or as other files do.

pub(crate) mod many_sides;
mod outcomes;
pub(crate) mod two_sides;

use crate::cell::date_and_time::{date_beside, time_of_day};
use crate::column_names::{called, columns_option, found_note, inner, is_alike, named};
use crate::error::RowError;
use crate::matches::outcome::Telling;
use crate::text::{listed, shown, suggestion};

use outcomes::OUTCOMES;
use two_sides::{TwoSides, is_win_of_second, one_more};

/// What a column can mean, in the words of `--columns`.
pub(crate) const MEANINGS: [&str; 29] = [
    "time",
    // Where the time is a time of day.
    "date",
    "player1",
    "player2",
    "score1",
    "score2",
    "shootout",
    "shootout1",
    "shootout2",
    "result",
    "result1",
    "result2",
    "winner",
    "loser",
    "status",
    "flag",
    // What was played: a mode, a map, a surface.
    "context",
    "team1",
    "team2",
    "teams",
    "ranks",
    "scores",
    // Of tables with a row for each player.
    "match",
    "player",
    "team",
    "rank",
    "score",
    "party",
    "performance",
];

/// What times are called elsewhere, besides `time`, those of the match before those of its record. Here and below letters are
/// small, and `_` stands for what is neither letter nor digit.
const TIMES: [&str; 45] = [
    "time",
    "date",
    "datetime",
    "date_time",
    "utc_date_time",
    "end_time",
    "start_time",
    "played_at",
    "match_date",
    "game_date",
    "utc_date",
    "tourney_date",
    "event_date",
    "date_of_match",
    "date_of_game",
    "date_played",
    "when_did_you_play",
    "match_day",
    "finished_at",
    "ended_at",
    "completed_at",
    "started_at",
    "begin_at",
    "started",
    "finished",
    "ended",
    "played_on",
    "played",
    "when",
    "day",
    "match_time",
    "game_time",
    "kickoff",
    "last_move_at",
    "game_creation",
    "game_end_timestamp",
    "timestamp",
    "ts",
    "datum",
    "data",
    "zeitstempel",
    "created",
    "created_at",
    "creation_time",
    "year",
];
/// What the two players are called elsewhere.
pub(crate) const PLAYERS: [[&str; 2]; 14] = [
    ["player1", "player2"],
    ["player_1", "player_2"],
    ["home_team", "away_team"],
    ["hometeam", "awayteam"],
    ["home", "away"],
    ["white", "black"],
    ["player_a", "player_b"],
    ["p1", "p2"],
    ["team1", "team2"],
    ["team_1", "team_2"],
    ["team_a", "team_b"],
    ["winner", "loser"],
    ["winner_name", "loser_name"],
    ["winner_id", "loser_id"],
];
/// What they are perhaps called: it is said in the line that reads them so.
const PERHAPS: [[&str; 2]; 12] = [
    ["player", "opponent"],
    ["team", "opponent"],
    ["winner", "opponent"],
    ["challenger", "defender"],
    ["winners", "losers"],
    ["red_corner", "blue_corner"],
    ["r_fighter", "b_fighter"],
    ["ct", "t"],
    ["pair_1", "pair_2"],
    ["winner_tie", "loser_tie"],
    ["fighter_1", "fighter_2"],
    ["squadra_casa", "squadra_ospite"],
];
/// What reads a file without times.
pub(crate) const ORDER: &str = "; --time-unit index takes matches without a time in the order of the file";
/// What columns are called that name the match of a row; `match` may be a round of any tournament.
const IDS: [&str; 5] = ["match_id", "matchid", "game_id", "gameid", "id"];

/// The user's own names for the columns that we need.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// Pairs of meaning and name, as given.
    named: Vec<(&'static str, String)>,
    /// Whether the user named the column of the times.
    chose_time: bool,
    /// As found among a file's names.
    found: Vec<(&'static str, String)>,
}

impl Columns {
    /// Reads `time=end_time,player1=white,...`.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn parse(text: &str) -> Result<Self, String> {
        let named = named(text, &MEANINGS)?;
        let given = |meaning: &str| named.iter().any(|(known, _)| *known == meaning);
        // The two sides of a row of a table, where each player has a column: `team1=red1+red2+red3`.
        if given("team1") != given("team2") {
            return Err(
                "team1 and team2 go together; write team1=COLUMN+COLUMN,team2=COLUMN+COLUMN".to_owned(),
            );
        }
        if given("team1") && (given("player1") || given("player2")) {
            return Err(
                "team1 and team2 stand for player1 and player2; name the ones or the others".to_owned(),
            );
        }
        let chose_time = given("time");
        Ok(Self {
            named,
            chose_time,
            found: Vec::new(),
        })
    }

    /// With this column for what was played.
    ///
    /// # Errors
    /// In words, if another was named for it.
    pub fn in_context(mut self, name: &str) -> Result<Self, String> {
        match self.explicit("context") {
            Some(known) if known != name => Err(format!(
                "`{}` is asked for, and `{}` is the context: one column says what was played",
                shown(name),
                shown(known)
            )),
            Some(_) => Ok(self),
            None => {
                self.named.push(("context", name.to_owned()));
                Ok(self)
            }
        }
    }

    /// With what is not named, and not called as we call it, found among a file's `names` by what other files call it;
    /// and a word on what was found, if anything was.
    pub(crate) fn fitted(&self, names: &[String]) -> (Self, Option<String>) {
        let mut fitted = self.clone();
        let mut found = Vec::new();
        if let Some(teams) = self.teams(names) {
            for (meaning, columns) in ["team1", "team2"].into_iter().zip(teams) {
                let columns = columns.join("+");
                found.push(format!("{meaning}={columns}"));
                fitted.found.push((meaning, columns));
            }
        }
        for (meaning, name) in fitted.clone().guesses(names) {
            fitted.found.push((meaning, name.to_owned()));
            // Named, a score would count as the result.
            if meaning != "score" {
                found.push(format!("{meaning}={name}"));
            }
        }
        (fitted, found_note(found))
    }

    /// The columns of two teams, one for each player, where the user names none and nothing is called as we call it.
    fn teams<'n>(&self, names: &'n [String]) -> Option<[Vec<&'n str>; 2]> {
        let has = |name: &str| names.iter().any(|known| known == name);
        let is_told = self.chosen(&["player1", "player2", "team1", "team2", "teams"]);
        let has_players = has("teams") || (has("player1") && has("player2"));
        if is_told || has_players {
            return None;
        }
        TwoSides::teams(names)
    }

    /// Meanings that are neither named nor called as we call them, with what they are probably called.
    fn guesses<'a>(&self, names: &'a [String]) -> Vec<(&'static str, &'a str)> {
        let has = |name: &str| names.iter().any(|known| known == name);
        let is_told =
            |meanings: &[&'static str]| meanings.iter().any(|meaning| self.explicit(meaning).is_some());
        let called = |wanted: &str| called(names, wanted);
        let pair = |family: &[&str; 2]| Some([called(family[0])?, called(family[1])?]);
        let mut guesses = Vec::new();
        if !(is_told(&["time"]) || has("time")) {
            let found = time_of_day(names).or_else(|| TIMES.iter().find_map(|name| called(name)));
            let found = found.or_else(|| TIMES.iter().find_map(|name| inner(names, name)));
            guesses.extend(found.map(|name| ("time", name)));
        }
        let has_players = has("teams") || (has("player1") && has("player2"));
        if !(is_told(&["context"]) || has("context")) {
            guesses.extend(called("context").map(|name| ("context", name)));
        }
        if !(is_told(&["player1", "player2", "team1", "team2", "teams"]) || has_players) {
            // Beside `winner_id` the players are their ids.
            let by_id =
                called("winner_id").filter(|_| called("winner").is_none() && called("winner_name").is_none());
            let ids = by_id.and_then(|_| TwoSides::of(names).ids());
            let found = ids.or_else(|| PLAYERS.iter().find_map(pair));
            let found = found
                .or_else(|| TwoSides::of(names).players())
                .into_iter()
                .flatten();
            guesses.extend(["player1", "player2"].into_iter().zip(found));
        }
        if !is_told(&OUTCOMES) {
            self.guess_outcome(names, &mut guesses);
        }
        guesses
    }

    /// Takes the players' columns that were found in a first row for those of all, if it has both.
    pub(crate) fn keep_players(&mut self, fitted: &Self, names: &[String]) {
        let has_both = fitted
            .sides()
            .iter()
            .all(|(_, sides)| sides.iter().all(|name| names.iter().any(|known| known == name)));
        let found = fitted
            .found
            .iter()
            .filter(|(meaning, _)| meaning.starts_with("player"));
        self.found.extend(found.filter(|_| has_both).cloned());
    }

    /// A column of one more player beside those of two sides that were found by their names, and what is wrong with it;
    /// `several` says what to write where more than two sides meet.
    pub(crate) fn one_more<'n>(&self, names: &'n [String], several: &str) -> Option<(&'n str, String)> {
        let [(_, first), (_, second)] = self.sides();
        let ([first], [second]) = (&first[..], &second[..]) else {
            return None;
        };
        let more = one_more(names, first)?;
        let what = format!(
            "`{}` seems to be one more player; name those of both sides, {}, or if it is none, {}; where more than two sides meet, \
             {several}",
            shown(more),
            columns_option(&format!("team1={first}+COLUMN,team2={second}+COLUMN")),
            columns_option(&format!("player1={first},player2={second}"))
        );
        Some((more, what))
    }

    /// A result that by its name is the second side's, and what is wrong with it.
    pub(crate) fn reversed<'n>(&self, names: &'n [String]) -> Option<(&'n str, String)> {
        let [(_, first), (_, second)] = self.sides();
        let ([first], [second]) = (&first[..], &second[..]) else {
            return None;
        };
        let name = names.iter().find(|name| *name == self.name("result"))?;
        let what = || {
            let (shown, option) = (
                shown(name),
                format!("player1={second},player2={first},result={name}"),
            );
            format!(
                "`{shown}` seems to tell whether the second side won; turn the sides round: {}",
                columns_option(&option)
            )
        };
        is_win_of_second(name, first, second).then(|| (name.as_str(), what()))
    }

    /// Whether a column is that of a player, or of several.
    fn is_player(&self, name: &str) -> bool {
        self.sides().iter().any(|(_, names)| names.contains(&name))
    }

    /// Those of a file's `names` that have a meaning.
    pub(crate) fn used<'a>(&self, names: &'a [String]) -> impl Iterator<Item = &'a String> {
        let sides: Vec<String> = (self.sides().into_iter())
            .flat_map(|(_, names)| names.into_iter().map(str::to_owned))
            .collect();
        let id = self.match_id(names).map(str::to_owned);
        let meant = MEANINGS.map(|meaning| self.name(meaning).to_owned());
        let is_used =
            move |name: &&String| meant.contains(name) || sides.contains(name) || id.as_ref() == Some(*name);
        names.iter().filter(is_used)
    }

    /// Refuses a key of what was played that the user named and no row has; rows without it are those of unknown ones.
    pub(crate) fn check_context(&self, is_there: bool) -> Result<(), RowError> {
        if is_there || !self.chosen(&["context"]) {
            return Ok(());
        }
        let name = shown(self.name("context"));
        Err(RowError::fatal_at(
            1,
            1,
            format!("no `{name}` for context in any row"),
        ))
    }

    /// Whether the user named one of these.
    pub(crate) fn chosen(&self, meanings: &[&str]) -> bool {
        self.named.iter().any(|(known, _)| meanings.contains(known))
    }

    /// What the column is called that names the match of each row, if there is one.
    pub(crate) fn match_id<'a>(&'a self, names: &'a [String]) -> Option<&'a str> {
        let called = |wanted: &&str| called(names, wanted);
        let found = self.explicit("match").or_else(|| IDS.iter().find_map(called));
        let inner_id = || IDS[..4].iter().find_map(|name| inner(names, name));
        found.or_else(inner_id)
    }

    /// What is wrong where another column is called like the one for `meaning`, but for case and signs.
    pub(crate) fn check_twin<'a>(
        &self,
        meaning: &'static str,
        name: &str,
        names: impl IntoIterator<Item = &'a String>,
    ) -> Result<(), String> {
        let twin = names
            .into_iter()
            .find(|other| *other != name && is_alike(other, name));
        match twin.filter(|_| !self.chosen(&[meaning, "team1", "team2"])) {
            None => Ok(()),
            Some(twin) => {
                let (name, twin) = (shown(name), shown(twin));
                Err(format!(
                    "`{name}` and `{twin}` differ in case or signs alone; remove or rename one, or say which is meant: \
                     {}",
                    columns_option(&format!("{meaning}={name}"))
                ))
            }
        }
    }

    /// What is wrong where a file with these `names` lacks the column `name` for `meaning`, and the whole of what to
    /// write.
    pub(crate) fn missing(&self, meaning: &str, name: &str, names: &[String]) -> String {
        let hint = suggestion(name, names.iter().map(String::as_str));
        let names_shown = listed(names.iter().map(|name| shown(name))).unwrap_or_default();
        let what = if meaning.starts_with("score") {
            let hint = suggestion("result", names.iter().map(String::as_str));
            format!("neither scores nor a result{hint}")
        } else {
            let of_what = match meaning {
                "time" => "the time",
                "player1" => "the first player",
                "player2" => "the second player",
                other => other,
            };
            if meaning == name {
                format!("nothing tells {of_what}{hint}")
            } else {
                format!("no `{}` for {of_what}{hint}", shown(name))
            }
        };
        let missing = format!("{what} The file has: {names_shown}. Name its columns with");
        let sides = self.sides();
        let result = self.uses_result(|name| names.iter().any(|known| known == name));
        let tellings = self.tellings(|name| names.iter().any(|known| known == name));
        let is_told = tellings.iter().any(|telling| telling.tells_result());
        let outcome: &[&str] = if result {
            &["result"]
        } else if is_told && !tellings.contains(&Telling::TwoScores) {
            // A winner is found as it was.
            &[]
        } else {
            &["score1", "score2"]
        };
        let is_there = |name: &str| names.iter().any(|known| known == name);
        let pair =
            |family: &&[&str; 2]| called(names, family[0]).is_some() && called(names, family[1]).is_some();
        let perhaps = PERHAPS.iter().find(pair);
        let filled = |name: &str| match (name, perhaps) {
            (name, _) if is_there(name) => name.to_owned(),
            ("player1", Some(pair)) => called(names, pair[0]).unwrap_or_default().to_owned(),
            ("player2", Some(pair)) => called(names, pair[1]).unwrap_or_default().to_owned(),
            _ => "COLUMN".to_owned(),
        };
        let one = |meaning: &&'static str| format!("{meaning}={}", filled(self.name(meaning)));
        let side = |(meaning, names): &(&str, Vec<&str>)| {
            let names: Vec<String> = names.iter().map(|name| filled(name)).collect();
            format!("{meaning}={}", names.join("+"))
        };
        let order = if meaning == "time" { ORDER } else { "" };
        if is_there(self.name("teams")) {
            // The sides are told by that key.
            return format!("{missing} {}{order}", columns_option(&one(&"time")));
        }
        let parts = std::iter::once(one(&"time"))
            .chain(sides.iter().map(side))
            .chain(outcome.iter().map(one));
        let parts: Vec<String> = parts.collect();
        let or_result = if result || is_told {
            ""
        } else {
            ", or result=COLUMN for the scores"
        };
        format!("{missing} {}{or_result}{order}", columns_option(&parts.join(",")))
    }

    /// The name of the column with this meaning; the meaning itself unless the user said otherwise.
    pub(crate) fn name(&self, meaning: &'static str) -> &str {
        self.explicit(meaning).unwrap_or(meaning)
    }

    fn explicit(&self, meaning: &'static str) -> Option<&str> {
        let mut all = self.named.iter().chain(&self.found);
        all.find(|(known, _)| *known == meaning)
            .map(|(_, name)| name.as_str())
    }

    /// The column of dates beside that of the times, and whether the user chose neither, so that both must agree.
    pub(crate) fn date<'a>(
        &'a self,
        names: impl Iterator<Item = &'a str>,
        time: &str,
    ) -> Option<(&'a str, bool)> {
        match self.explicit("date") {
            Some(date) => Some((date, false)),
            None => Some((date_beside(names, time)?, !self.chose_time)),
        }
    }

    /// Whether outcomes come from one `result` column: if the user named one, or if the file has one
    /// and lacks a score.
    fn uses_result(&self, has: impl Fn(&str) -> bool) -> bool {
        if self.explicit("result").is_some() {
            return true;
        }
        let scores = has(self.name("score1")) && has(self.name("score2"));
        !scores && has(self.name("result"))
    }

    /// What the players' columns mean and their names, for both sides: one player each, or teams with a column for each
    /// player.
    pub(crate) fn sides(&self) -> [(&'static str, Vec<&str>); 2] {
        [("team1", "player1"), ("team2", "player2")].map(|(team, player)| match self.explicit(team) {
            Some(names) => {
                let names = names.split('+').map(str::trim);
                (team, names.filter(|name| !name.is_empty()).collect())
            }
            None => (player, vec![self.name(player)]),
        })
    }

    /// As it would be written on a command line; empty when nothing was named.
    #[must_use]
    pub fn shown(&self) -> String {
        let pairs = self
            .named
            .iter()
            .chain(&self.found)
            .map(|(meaning, name)| format!("{meaning}={name}"));
        pairs.collect::<Vec<_>>().join(",")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_found_by_what_other_files_call_them() {
        let found = |given: &str, names: &str| {
            let names: Vec<String> = names.split(',').map(str::to_owned).collect();
            Columns::parse(given).unwrap().fitted(&names).0.shown()
        };
        for (given, names, wanted) in [
            (
                "",
                "date,home_team,away_team,home_score,away_score,tournament",
                "time=date,player1=home_team,player2=away_team,score1=home_score,score2=away_score",
            ),
            (
                "",
                "white,black,result,utc_date_time,time_control",
                "time=utc_date_time,player1=white,player2=black",
            ),
            (
                "",
                "Date,Home Team,Away-Team,FTHG,FTAG",
                "time=Date,player1=Home Team,player2=Away-Team,score1=FTHG,score2=FTAG",
            ),
            ("", "end_time,player1,player2,score1,score2", "time=end_time"),
            ("", "time,player1,player2,score1,score2", ""),
            (
                "player1=a,player2=b",
                "date,a,b,white,black,Result",
                "player1=a,player2=b,time=date,result=Result",
            ),
            ("", "time,teams,ranks", ""),
            ("", "a,b,c", ""),
        ] {
            assert_eq!(found(given, names), wanted, "{names}");
        }
    }

    #[test]
    fn a_missing_column_gets_the_whole_option_with_what_is_known() {
        let names = ["moment", "white", "black", "result"].map(str::to_owned);
        let (columns, _) = Columns::default().fitted(&names);
        let what = columns.missing("time", "time", &names);
        assert!(
            what.contains("--columns time=COLUMN,player1=white,player2=black,result=result"),
            "{what}"
        );
        let names = ["a", "b"].map(str::to_owned);
        let what = Columns::default().missing("time", "time", &names);
        assert!(
            what.contains(
                "--columns time=COLUMN,player1=COLUMN,player2=COLUMN,score1=COLUMN,score2=COLUMN, or result"
            ),
            "{what}"
        );
    }

    #[test]
    fn named_columns_replace_the_defaults_and_the_others_keep_theirs() {
        let columns = Columns::parse("time=end_time, player2=black").unwrap();
        assert_eq!(columns.name("time"), "end_time");
        assert_eq!(columns.name("player2"), "black");
        assert_eq!(columns.name("player1"), "player1");
        assert_eq!(columns.shown(), "time=end_time,player2=black");
    }

    #[test]
    fn a_slip_gets_a_suggestion() {
        assert!(
            Columns::parse("plyer1=a")
                .unwrap_err()
                .contains("did you mean `player1`?")
        );
        assert!(Columns::parse("time").is_err());
        assert!(Columns::parse("time=").is_err());
        assert!(Columns::parse("time=a,time=b").is_err());
        assert!(Columns::parse("").is_ok());
        assert!(Columns::parse("team1=a+b").unwrap_err().contains("go together"));
        assert!(Columns::parse("team1=a,team2=b,player1=c").is_err());
    }

    #[test]
    fn teams_are_columns_joined_by_a_plus_and_need_no_players() {
        let columns = Columns::parse("team1=r1 + r2,team2=b1").unwrap();
        assert_eq!(
            columns.sides(),
            [("team1", vec!["r1", "r2"]), ("team2", vec!["b1"])]
        );
        let plain = Columns::parse("player1=white").unwrap();
        assert_eq!(
            plain.sides(),
            [("player1", vec!["white"]), ("player2", vec!["player2"])]
        );
    }
}
