//! A league that reads the files of its clubs, of which it takes what it knows.

use std::collections::BTreeMap;

use matchwright_import::{ImportError, Match, RowError, TakeMatch};

/// Points by club, which is all that this league keeps of a match: 3 for a win, 1 for a draw.
#[derive(Debug, Default)]
pub struct League {
    points: BTreeMap<String, u32>,
}

impl League {
    /// A league of these clubs.
    pub fn of(clubs: &[&str]) -> Self {
        let points = clubs.iter().map(|club| ((*club).to_owned(), 0)).collect();
        Self { points }
    }

    /// Who has how many points.
    pub fn points(&self) -> impl Iterator<Item = (&str, u32)> {
        self.points.iter().map(|(club, points)| (&**club, *points))
    }
}

impl TakeMatch for League {
    type Error = ImportError;

    fn take(&mut self, game: &Match<'_>) -> Result<Result<(), RowError>, ImportError> {
        if let Some(stranger) = game.names().find(|name| !self.points.contains_key(*name)) {
            return Ok(Err(game.refuse_player(
                stranger,
                format_args!("`{stranger}` is no club of the league"),
            )));
        }
        for side in game.sides() {
            let won = match side.place {
                1 if game.has_draw() => 1,
                1 => 3,
                _ => 0,
            };
            for club in side.members {
                *self.points.entry(club.name.to_string()).or_default() += won;
            }
        }
        Ok(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use matchwright_import::{Input, MatchOptions, Matches};

    use super::*;

    const FILE: &str = "Date;Home;Away;HomeGoals;AwayGoals\n2024-05-01;Ajax;Brugge;2;1\n2024-05-08;Brugge;Ajax;0;0\n\
                        2024-05-09;Ajax;Porto;1;0\n";

    fn read(skip_bad: bool) -> Result<(League, Vec<String>), ImportError> {
        let options = MatchOptions {
            skip_bad,
            ..MatchOptions::default()
        };
        let mut league = League::of(&["Ajax", "Brugge"]);
        let mut matches = Matches::open(Input::new("league.csv", FILE.as_bytes()), &options)?;
        matches.hand_over(&mut league)?;
        let notes = matches.report(league.points.keys().map(String::as_str))?.notes;
        Ok((league, notes))
    }

    #[test]
    fn clubs_get_their_points_and_strangers_are_told_at_their_place() {
        let (league, notes) = read(true).unwrap();
        assert!(league.points().eq([("Ajax", 4), ("Brugge", 1)]));
        let skipped = "1 match (1 row) skipped: `Porto` is no club of the league, line 4";
        assert!(notes.iter().any(|note| note == skipped), "{notes:?}");
        let refused = read(false).unwrap_err().to_string();
        assert!(
            refused.starts_with("league.csv:4:3: `Porto` is no club of the league"),
            "{refused}"
        );
    }
}
