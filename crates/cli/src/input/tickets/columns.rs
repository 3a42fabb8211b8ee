//! Which column or key of a file of tickets means what: what the queue knows by name, and attributes.

use std::collections::BTreeSet;

use crate::failure::shown;
use crate::input::columns::{found_note, missing, named, plain, twin};
use crate::input::players::attribute_names;
use crate::input::unused::{listed, unused_note};

/// What the queue itself knows, each with what other files call it: small letters, `_` for what is neither letter nor
/// digit.
const OWN: [(&str, &[&str]); 12] = [
    ("ticket", &["ticket_id", "id", "request_id"]),
    (
        "time",
        &[
            "came",
            "enqueue",
            "enqueued",
            "enqueued_at",
            "enqueue_time",
            "queued_at",
            "joined",
            "joined_at",
            "join_time",
            "created",
            "created_at",
            "timestamp",
            "datetime",
            "date",
        ],
    ),
    // Where times are times of day.
    ("date", &["utc_date", "queue_date", "join_date"]),
    (
        "left",
        &[
            "left_at",
            "cancel",
            "cancelled",
            "canceled",
            "cancelled_at",
            "canceled_at",
            "cancel_time",
            "abandoned_at",
            "expires",
        ],
    ),
    ("matched", &["matched_at", "match_time"]),
    ("match", &["match_id", "game", "game_id"]),
    ("player", &["player_id", "user", "user_id", "username", "name"]),
    ("party", &["party_id", "group_id"]),
    ("players", &["members"]),
    ("size", &["party_size"]),
    ("queue", &["queues", "playlist"]),
    ("region", &["regions"]),
];

/// The user's own names for what tickets have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TicketColumns {
    named: Vec<(&'static str, String)>,
}

impl TicketColumns {
    /// Reads `time=enqueued,left=cancelled,skill=mmr,...`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let known: Vec<&'static str> = OWN
            .iter()
            .map(|(name, _)| *name)
            .chain(attribute_names())
            .collect();
        Ok(Self {
            named: named(text, &known)?,
        })
    }

    /// What is wrong, if the user names a column that is none of these.
    pub(super) fn missing(&self, names: &[String]) -> Option<String> {
        missing(&self.named, names)
    }

    /// Whether the user names the column of the times.
    pub(super) fn name_the_time(&self) -> bool {
        self.named.iter().any(|(meaning, _)| *meaning == "time")
    }

    /// Where a column stands whose name is that of another but for case and signs, and what is wrong with it.
    pub(super) fn twin(&self, names: &[String], meanings: &[Option<String>]) -> Option<(usize, String)> {
        twin(names, |place| meanings[place].is_some(), &self.named)
    }

    /// What each of a file's `names` means: as the user says, as we call it, as other files do, or else an attribute of
    /// its own name. `None` for one in whose place the user named another.
    pub(super) fn meanings(&self, names: &[String]) -> Vec<Option<String>> {
        let named = |name: &String| self.named.iter().find(|(_, column)| column == name);
        let mut meanings: Vec<Option<&'static str>> = names
            .iter()
            .map(|name| named(name).map(|(meaning, _)| *meaning))
            .collect();
        let plain: Vec<String> = names.iter().map(|name| plain(name)).collect();
        for (meaning, elsewhere) in OWN {
            if meanings.contains(&Some(meaning)) {
                continue;
            }
            let called = |wanted: &str| {
                (0..names.len()).find(|&place| meanings[place].is_none() && plain[place] == wanted)
            };
            let found = std::iter::once(&meaning)
                .chain(elsewhere)
                .find_map(|name| called(name));
            if let Some(place) = found {
                meanings[place] = Some(meaning);
            }
        }
        let attribute = |name: &String| {
            Some(name.clone()).filter(|name| self.named.iter().all(|(known, _)| known != name))
        };
        let both = meanings.into_iter().zip(names);
        both.map(|(meaning, name)| meaning.map(str::to_owned).or_else(|| attribute(name)))
            .collect()
    }
}

/// Whether a column holds pings to a region, or all of them.
pub(super) fn is_ping(meaning: &str) -> bool {
    meaning == "pings" || (meaning.starts_with("ping_") && meaning != "ping_to")
}

/// What the user should hear of how columns were taken.
#[derive(Default)]
pub(super) struct Taken {
    all: BTreeSet<String>,
    renamed: BTreeSet<(String, String)>,
    attributes: BTreeSet<String>,
    unused: BTreeSet<String>,
}

impl Taken {
    pub(super) fn add(&mut self, names: &[String], meanings: &[Option<String>], columns: &TicketColumns) {
        for (name, meaning) in names.iter().zip(meanings) {
            if !self.all.insert(name.clone()) {
                continue;
            }
            let Some(meaning) = meaning else {
                self.unused.insert(name.clone());
                continue;
            };
            if !OWN.iter().any(|(own, _)| own == meaning) && !is_ping(meaning) {
                self.attributes.insert(shown(meaning));
            }
            if meaning != name && !columns.named.iter().any(|(_, named)| named == name) {
                self.renamed.insert((meaning.clone(), name.clone()));
            }
        }
    }

    /// All names that were met.
    pub(super) fn names(&self) -> Vec<String> {
        self.all.iter().cloned().collect()
    }

    /// A name that nothing looks at.
    pub(super) fn pass_over(&mut self, name: String) {
        self.unused.insert(name);
    }

    /// Names that nothing looks at.
    pub(super) fn unused(&self) -> Vec<String> {
        self.unused.iter().cloned().collect()
    }

    pub(super) fn notes(&self) -> Vec<String> {
        let renamed = self
            .renamed
            .iter()
            .map(|(meaning, name)| format!("{meaning}={name}"));
        let renamed = found_note(renamed);
        let attributes = listed(self.attributes.iter().cloned());
        let attributes = attributes.map(|names| format!("attributes of the tickets: {names}"));
        let unused = unused_note(&self.unused(), &[]);
        renamed.into_iter().chain(attributes).chain(unused).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meanings(given: &str, names: &str) -> Vec<String> {
        let names: Vec<String> = names.split(',').map(str::to_owned).collect();
        let all = TicketColumns::parse(given).unwrap().meanings(&names);
        all.into_iter()
            .map(|meaning| meaning.unwrap_or_else(|| "-".to_owned()))
            .collect()
    }

    #[test]
    fn columns_are_found_by_what_other_files_call_them_and_others_are_attributes() {
        assert_eq!(
            meanings("", "Ticket ID,enqueued_at,Cancelled,match_id,mmr,ping_eu"),
            ["ticket", "time", "left", "match", "mmr", "ping_eu"]
        );
        assert_eq!(
            meanings("", "time,date,player,name"),
            ["time", "date", "player", "name"]
        );
    }

    #[test]
    fn what_the_user_names_comes_first_and_takes_the_place_of_its_name() {
        assert_eq!(
            meanings("time=begin,skill=mmr", "begin,time,mmr,skill"),
            ["time", "-", "skill", "-"]
        );
        let error = TicketColumns::parse("tiem=a").unwrap_err();
        assert!(error.contains("did you mean `time`?"), "{error}");
    }
}
