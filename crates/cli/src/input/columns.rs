//! Which column of a file means what.

use crate::failure::{shown, suggestion};

/// What a column can mean, in the words of `--columns`.
pub(super) const MEANINGS: [&str; 11] = [
    "time", "player1", "player2", "score1", "score2", "result", "team1", "team2", "teams", "ranks", "scores",
];

/// The user's own names for the columns that we need.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Columns {
    /// Pairs of meaning and name, as given.
    named: Vec<(&'static str, String)>,
}

impl Columns {
    /// Reads `time=end_time,player1=white,...`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut named: Vec<(&'static str, String)> = Vec::new();
        for part in text.split(',').filter(|part| !part.trim().is_empty()) {
            let Some((meaning, name)) = part.split_once('=') else {
                return Err(format!(
                    "`{}` is no pair; write time=COLUMN,player1=COLUMN,...",
                    shown(part)
                ));
            };
            let (meaning, name) = (meaning.trim(), name.trim());
            let Some(known) = MEANINGS.iter().find(|known| **known == meaning) else {
                let hint = suggestion(meaning, MEANINGS);
                let known = MEANINGS.join(", ");
                return Err(format!("`{}` is none of {known}{hint}", shown(meaning)));
            };
            if name.is_empty() {
                return Err(format!("`{meaning}=` names no column"));
            }
            if named.iter().any(|(meaning, _)| meaning == known) {
                return Err(format!("`{meaning}` is given twice"));
            }
            named.push((known, name.to_owned()));
        }
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
        Ok(Self { named })
    }

    /// The name of the column with this meaning; the meaning itself unless the user said otherwise.
    pub(super) fn name(&self, meaning: &'static str) -> &str {
        self.explicit(meaning).unwrap_or(meaning)
    }

    fn explicit(&self, meaning: &'static str) -> Option<&str> {
        self.named
            .iter()
            .find(|(known, _)| *known == meaning)
            .map(|(_, name)| name.as_str())
    }

    /// Whether outcomes come from one `result` column: if the user named one, or if the file has one
    /// and lacks a score.
    pub(super) fn uses_result(&self, has: impl Fn(&str) -> bool) -> bool {
        if self.explicit("result").is_some() {
            return true;
        }
        let scores = has(self.name("score1")) && has(self.name("score2"));
        !scores && has(self.name("result"))
    }

    /// What the players' columns mean and their names, for both sides: one player each, or teams with a column for each
    /// player.
    pub(super) fn sides(&self) -> [(&'static str, Vec<&str>); 2] {
        [("team1", "player1"), ("team2", "player2")].map(|(team, player)| match self.explicit(team) {
            Some(names) => {
                let names = names.split('+').map(str::trim);
                (team, names.filter(|name| !name.is_empty()).collect())
            }
            None => (player, vec![self.name(player)]),
        })
    }

    /// As it would be written on a command line; empty when nothing was named.
    pub(crate) fn shown(&self) -> String {
        self.named
            .iter()
            .map(|(meaning, name)| format!("{meaning}={name}"))
            .collect::<Vec<_>>()
            .join(",")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn scores_are_preferred_to_a_result_unless_the_result_is_named() {
        let both = |name: &str| ["score1", "score2", "result"].contains(&name);
        assert!(!Columns::default().uses_result(both));
        assert!(Columns::parse("result=result").unwrap().uses_result(both));
        assert!(Columns::default().uses_result(|name| name == "result" || name == "score1"));
    }
}
