//! Which column or key of a file of tickets means what: what the queue knows by name, and attributes.

use crate::cell::nobody::{is_no_party, is_nobody};
use crate::column_names::{Named, named, plain};
use crate::players::attribute_names;
use crate::row::Layout;
use crate::text::shown;

/// What the queue itself knows, each with what other files call it: small letters, `_` for what is neither letter nor
/// digit.
const OWN: [(&str, &[&str]); 13] = [
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
    ("match_team", &["team", "team_id", "team_number"]),
    ("player", &["player_id", "user", "user_id", "username", "name"]),
    ("party", &["party_id", "group_id"]),
    ("players", &["members"]),
    ("size", &["party_size"]),
    ("queue", &["queues", "playlist"]),
    ("region", &["regions"]),
];

/// The user's own names for what tickets have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TicketColumns {
    named: Named,
}

impl TicketColumns {
    /// Reads `time=enqueued,left=cancelled,skill=mmr,...`.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn parse(text: &str) -> Result<Self, String> {
        let known: Vec<&'static str> = OWN
            .iter()
            .map(|(name, _)| *name)
            .chain(attribute_names())
            .collect();
        Ok(Self {
            named: named(text, &known)?,
        })
    }

    /// Whether the user names the column of the times.
    pub(super) fn name_the_time(&self) -> bool {
        self.named.iter().any(|(meaning, _)| *meaning == "time")
    }
}

impl Layout for TicketColumns {
    const THING: &'static str = "ticket";
    const IS_NESTED: bool = true;

    fn named(&self) -> &[(&'static str, String)] {
        &self.named
    }

    /// As the user says, as we call it, as other files do, or else an attribute of its own name. `None` for one in whose
    /// place the user named another.
    fn meanings(&self, names: &[String]) -> Vec<Option<String>> {
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
            // Without matches a team is something else: a clan, a key of a policy.
            if meaning == "match_team" && !meanings.contains(&Some("match")) {
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

    fn lacking(&self, names: &[String], meanings: &[Option<String>]) -> Option<String> {
        let has_time = meanings.iter().flatten().any(|meaning| meaning == "time");
        (!has_time).then(|| {
            format!(
                "no column `time`, which says when a ticket came. The file has: {}. Name its columns with --columns \
                 time=COLUMN,left=COLUMN,player=COLUMN,...",
                shown(&names.join(", "))
            )
        })
    }

    fn is_missing(meaning: &str, text: &str) -> bool {
        match meaning {
            "ticket" | "queue" | "left" | "matched" | "match_team" | "date" => is_nobody(text),
            "match" => is_nobody(text) || ["-1", "-1.0", "false"].contains(&&*text.to_ascii_lowercase()),
            "party" => is_no_party(text),
            // `NA` is North America.
            "region" => is_nobody(text) && text != "NA",
            _ => false,
        }
    }

    fn is_attribute(meaning: &str) -> bool {
        !OWN.iter().any(|(own, _)| *own == meaning) && !is_ping(meaning)
    }
}

/// Whether a column holds pings to a region, or all of them.
pub(super) fn is_ping(meaning: &str) -> bool {
    meaning == "pings" || (meaning.starts_with("ping_") && meaning != "ping_to")
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
        assert_eq!(meanings("", "time,match,team"), ["time", "match", "match_team"]);
        assert_eq!(meanings("", "time,team_id"), ["time", "team_id"]);
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
