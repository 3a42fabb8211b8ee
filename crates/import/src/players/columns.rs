//! Which column or key of a file of players means what.

use crate::column_names::{Named, named, plain};
use crate::row::Layout;
use crate::text::shown;

/// What a cell holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Number,
    Count,
    Truth,
    List,
    /// `ann=30;bob=45`
    Pings,
    /// The churn probability after an outcome.
    Churn,
    /// The ping to a region, in a column of its own.
    RegionPing,
}

impl Kind {
    /// Whether its cells are numbers that may have decimals.
    pub(crate) const fn is_number(self) -> bool {
        matches!(self, Self::Number | Self::Churn | Self::RegionPing)
    }
}

/// What columns may be called, as the keys of JSON; besides, `ping_` and a region.
pub(super) const KNOWN: [(&str, Kind); 24] = [
    ("id", Kind::Text),
    ("skill", Kind::Number),
    ("uncertainty", Kind::Number),
    ("party", Kind::Text),
    ("region", Kind::Text),
    ("wait_seconds", Kind::Number),
    ("experience", Kind::Count),
    ("languages", Kind::List),
    ("roles", Kind::List),
    ("recent_opponents", Kind::List),
    ("recent_teammates", Kind::List),
    ("blocks", Kind::List),
    ("friends", Kind::List),
    ("griefer", Kind::Truth),
    ("can_host", Kind::Truth),
    ("connects_to", Kind::List),
    ("ping_to", Kind::Pings),
    ("offence", Kind::Number),
    ("defence", Kind::Number),
    ("glory", Kind::Number),
    ("churn_win", Kind::Churn),
    ("churn_draw", Kind::Churn),
    ("churn_loss", Kind::Churn),
    // Of JSON alone, as `churn` is.
    ("pings", Kind::Pings),
];

/// What other files, ours of ratings among them, call them; small letters, `_` for what is neither letter nor digit.
const ELSEWHERE: [(&str, &[&str]); 6] = [
    (
        "id",
        &["player", "player_id", "name", "user", "user_id", "username"],
    ),
    ("skill", &["rating", "mmr", "elo", "mu"]),
    ("uncertainty", &["deviation", "rd", "sigma"]),
    ("party", &["party_id"]),
    ("wait_seconds", &["wait", "waiting_seconds"]),
    ("experience", &["games", "matches", "games_played"]),
];

/// The user's own names for what players have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerColumns {
    named: Named,
}

impl PlayerColumns {
    /// Reads `id=player,skill=rating,...`.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn parse(text: &str) -> Result<Self, String> {
        let known = KNOWN.map(|(name, _)| name);
        Ok(Self {
            named: named(text, &known)?,
        })
    }

    /// What each of a file's `names` means: as the user says, as we call it, or else as other files do. `None` means
    /// nothing that a player has.
    pub(crate) fn meanings_of(&self, names: &[String]) -> Vec<Option<String>> {
        let named = |name: &String| self.named.iter().find(|(_, column)| column == name);
        let mut meanings: Vec<Option<String>> = names
            .iter()
            .map(|name| match named(name) {
                Some((meaning, _)) => Some((*meaning).to_owned()),
                // Named otherwise by the user, or nothing we know.
                None => Some(name.clone()).filter(|name| {
                    kind(name).is_some() && !self.named.iter().any(|(meaning, _)| meaning == name)
                }),
            })
            .collect();
        let plain: Vec<String> = names.iter().map(|name| plain(name)).collect();
        // In other letters, and then by other names.
        let own = KNOWN
            .iter()
            .map(|(known, _)| (*known, std::slice::from_ref(known)));
        for (meaning, elsewhere) in own.chain(ELSEWHERE) {
            if meanings.iter().flatten().any(|known| known == meaning) {
                continue;
            }
            let called = |wanted: &&str| {
                let is_free = |place: &usize| meanings[*place].is_none() && plain[*place] == **wanted;
                (0..names.len()).find(is_free)
            };
            if let Some(place) = elsewhere.iter().find_map(called) {
                meanings[place] = Some(meaning.to_owned());
            }
        }
        meanings
    }
}

impl Layout for PlayerColumns {
    const THING: &'static str = "player";

    fn named(&self) -> &[(&'static str, String)] {
        &self.named
    }

    fn meanings(&self, names: &[String]) -> Vec<Option<String>> {
        self.meanings_of(names)
    }

    fn lacking(&self, names: &[String], meanings: &[Option<String>]) -> Option<String> {
        let has_id = meanings.iter().flatten().any(|meaning| meaning == "id");
        (!has_id).then(|| {
            format!(
                "no column `id`; every player needs a name of its own. The file has: {}. Name its columns with --columns \
                 id=COLUMN,skill=COLUMN,...; there are {}, and ping_REGION",
                shown(&names.join(", ")),
                KNOWN.map(|(name, _)| name).join(", ")
            )
        })
    }
}

/// What a column or key holds.
pub(crate) fn kind(name: &str) -> Option<Kind> {
    let known = KNOWN.iter().find(|(known, _)| *known == name);
    let region = || {
        name.strip_prefix("ping_")
            .is_some_and(|region| !region.is_empty())
    };
    known
        .map(|(_, kind)| *kind)
        .or_else(|| (name == "churn").then_some(Kind::Churn))
        .or_else(|| region().then_some(Kind::RegionPing))
}

/// Whether a list is one of players.
pub(crate) fn lists_names(meaning: &str) -> bool {
    let lists = [
        "recent_opponents",
        "recent_teammates",
        "blocks",
        "friends",
        "connects_to",
        "ping_to",
    ];
    lists.contains(&meaning)
}

/// What a player can have besides its name.
pub(crate) fn attribute_names() -> impl Iterator<Item = &'static str> {
    let has_place = |name: &&str| !["id", "party", "region", "wait_seconds"].contains(name);
    KNOWN.iter().map(|(name, _)| *name).filter(has_place)
}

/// The region of a column of pings, `eu` of `ping_eu`.
pub(super) fn region_of(meaning: &str) -> &str {
    meaning.strip_prefix("ping_").unwrap_or(meaning)
}

/// The outcome of a column of churn, `win` of `churn_win`.
pub(super) fn churn_of(meaning: &str) -> &str {
    meaning.strip_prefix("churn_").unwrap_or(meaning)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column_names::Taken;

    fn meanings(given: &str, names: &str) -> Vec<String> {
        let names: Vec<String> = names.split(',').map(str::to_owned).collect();
        let columns = PlayerColumns::parse(given).unwrap();
        let all = columns.meanings(&names);
        all.into_iter()
            .map(|meaning| meaning.unwrap_or_else(|| "-".to_owned()))
            .collect()
    }

    #[test]
    fn a_file_of_ratings_is_one_of_players() {
        assert_eq!(
            meanings("", "rank,player,rating,deviation,games,wins"),
            ["-", "id", "skill", "uncertainty", "experience", "-"]
        );
        assert_eq!(meanings("", "id,player,skill,rating"), ["id", "-", "skill", "-"]);
        assert_eq!(meanings("", "Name,MMR,ping_eu"), ["id", "skill", "ping_eu"]);
    }

    #[test]
    fn what_the_user_names_comes_first() {
        assert_eq!(
            meanings("skill=conservative", "player,rating,conservative"),
            ["id", "-", "skill"]
        );
        assert_eq!(
            meanings("id=nick,skill=rating", "id,nick,rating"),
            ["-", "id", "skill"]
        );
        assert!(
            PlayerColumns::parse("skil=x")
                .unwrap_err()
                .contains("did you mean `skill`?")
        );
    }

    #[test]
    fn what_is_not_used_is_said_with_what_was_perhaps_meant() {
        let names = ["player", "skil", "colour"].map(str::to_owned);
        let columns = PlayerColumns::default();
        let mut taken = Taken::default();
        taken.add(&names, &columns.meanings(&names), columns.named(), |_| false);
        let notes = taken.notes(&KNOWN.map(|(name, _)| name));
        assert_eq!(
            notes[0],
            "columns were found by their names: --columns id=player says otherwise"
        );
        assert_eq!(
            notes[1],
            "columns that were not used: `colour`, `skil` (did you mean `skill`?)"
        );
    }
}
