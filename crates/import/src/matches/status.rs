//! What a column says of whether a game was played to its end.

use crate::cell::unplayed::Unplayed;
use crate::column_names::{plain, words};
use crate::matches::field::Field;

/// No result, or none yet.
const UNPLAYED: [&str; 77] = [
    "awaiting",
    "awaitingresult",
    "notreported",
    "unreported",
    "future",
    "toplay",
    "disputed",
    "rejected",
    "unconfirmed",
    "notconfirmed",
    "offen",
    "ausstehend",
    "notfinished",
    "abgebrochen",
    "abgesagt",
    "verlegt",
    "ausgefallen",
    "scheduled",
    "timed",
    "postponed",
    "postp",
    "cancelled",
    "canceled",
    "abandoned",
    "aborted",
    "nostart",
    "notstarted",
    "notplayed",
    "created",
    "started",
    "live",
    "inplay",
    "inprogress",
    "ongoing",
    "running",
    "playing",
    "paused",
    "pending",
    "open",
    "upcoming",
    "planned",
    "delayed",
    "suspended",
    "interrupted",
    "void",
    "voided",
    "unknownfinish",
    "unfinished",
    "incomplete",
    "ns",
    "tbd",
    "tba",
    "pst",
    "canc",
    "abd",
    "susp",
    "int",
    "prematch",
    "fixture",
    "notyetplayed",
    "1h",
    "2h",
    "ht",
    "et",
    "bt",
    "q1",
    "q2",
    "q3",
    "q4",
    "ot",
    "1sthalf",
    "2ndhalf",
    "firsthalf",
    "secondhalf",
    "halftime",
    "extratime",
    "break",
];
const FORFEITS: [&str; 14] = [
    "dq",
    "disqualified",
    "disqualification",
    "noshow",
    "kampflos",
    "nichtangetreten",
    "byforfeit",
    "awarded",
    "walkover",
    "awd",
    "wo",
    "forfeit",
    "forfeited",
    "technicalloss",
];
const DRAWN: [&str; 13] = [
    "draw",
    "drawn",
    "tie",
    "tied",
    "stalemate",
    "agreed",
    "repetition",
    "insufficient",
    "insufficientmaterialclaim",
    "50move",
    "fiftymoves",
    "timevsinsufficient",
    "deadposition",
];
/// A draw where no winner is named beside it.
const TIMED_OUT: [&str; 1] = ["outoftime"];
/// Decided by a shoot-out, which equal scores do not tell.
const SHOOT_OUTS: [&str; 6] = ["pen", "pens", "penalties", "ap", "afterpenalties", "shootout"];
const ENDED: [&str; 13] = [
    "finished",
    "ended",
    "complete",
    "completed",
    "closed",
    "final",
    "ft",
    "aet",
    "fulltime",
    "matchfinished",
    "over",
    "played",
    "done",
];

/// Columns of yes and no whose yes says that no game was played, that it was forfeited, or drawn; and those whose no says the first.
const UNPLAYED_FLAGS: [&str; 12] = [
    "cancelled",
    "canceled",
    "abandoned",
    "postponed",
    "aborted",
    "void",
    "voided",
    "noresult",
    "remake",
    "invalid",
    "bye",
    "noshow",
];
const FORFEIT_FLAGS: [&str; 6] = ["walkover", "forfeit", "forfeited", "wo", "ff", "awarded"];
const DRAW_FLAGS: [&str; 5] = ["draw", "tie", "drawn", "tied", "drawgame"];
const PLAYED_FLAGS: [&str; 6] = ["played", "complete", "completed", "finished", "valid", "ended"];

/// Columns that may say that a game was not played where nothing else does; whatever else they say is a note.
pub(crate) const NOTES: [&str; 12] = [
    "notes",
    "note",
    "match_notes",
    "remark",
    "remarks",
    "bemerkung",
    "bemerkungen",
    "win_type",
    "win_method",
    "victory_type",
    "result_type",
    "kommentar",
];
/// Of what says that there is no result, what a note may say: `open` may be the name of a tournament.
const NOTED: [&str; 12] = [
    "postponed",
    "cancelled",
    "canceled",
    "abandoned",
    "aborted",
    "notplayed",
    "void",
    "voided",
    "abgebrochen",
    "abgesagt",
    "verlegt",
    "ausgefallen",
];

/// Whether a column has such a name, with or without `is_` or `was_`.
pub(crate) fn is_flag(name: &str) -> bool {
    let name = bare(name);
    let all = UNPLAYED_FLAGS.iter().chain(&FORFEIT_FLAGS).chain(&DRAW_FLAGS);
    let all = all.chain(&PLAYED_FLAGS);
    all.into_iter().any(|flag| *flag == name)
}

fn bare(name: &str) -> String {
    let words = words(name);
    let told = match words.split_first() {
        Some((first, rest)) if ["is", "was", "match", "game"].contains(&&**first) && !rest.is_empty() => rest,
        _ => &words[..],
    };
    told.concat()
}

/// The letters and digits of a text, small.
fn letters(text: &str) -> String {
    let letters: String = text.chars().filter(|c| c.is_alphanumeric()).take(32).collect();
    letters.to_lowercase()
}

/// Whether a text is a time of day with its half, `7:00 pm ET`: that of a game to come.
fn is_time_of_day(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let (Some(time), Some(half)) = (words.next(), words.next()) else {
        return false;
    };
    let is_half = ["am", "pm", "a.m.", "p.m."].contains(&&*half.to_ascii_lowercase());
    let is_time =
        time.split(':').count() == 2 && time.bytes().all(|byte| byte.is_ascii_digit() || byte == b':');
    is_half && is_time
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Unplayed(Unplayed),
    Drawn,
    TimedOut,
    ShootOut,
    Ended,
    /// Anything else, which tells nothing.
    Unknown,
}

impl Status {
    /// What a cell says, or by its column a yes or no.
    pub(crate) fn of_field(field: &Field<'_>) -> Self {
        let is_yes = match &*field.text.to_lowercase() {
            "true" | "yes" | "y" | "1" | "x" | "t" => true,
            "false" | "no" | "n" | "0" | "f" => false,
            _ if NOTES.contains(&&*plain(&field.name)) => return Self::of_note(&field.text),
            _ => return Self::of(&field.text),
        };
        let name = bare(&field.name);
        let is_among = |flags: &[&str]| flags.contains(&&*name);
        match is_yes {
            true if is_among(&UNPLAYED_FLAGS) => Self::Unplayed(Unplayed::Open),
            true if is_among(&FORFEIT_FLAGS) => Self::Unplayed(Unplayed::Forfeit(None)),
            true if is_among(&DRAW_FLAGS) => Self::Drawn,
            false if is_among(&PLAYED_FLAGS) => Self::Unplayed(Unplayed::Open),
            _ => Self::Unknown,
        }
    }

    /// What a note says, which is most often nothing.
    fn of_note(text: &str) -> Self {
        match Self::of(text) {
            said @ Self::Unplayed(Unplayed::Forfeit(_)) => said,
            said @ Self::Unplayed(Unplayed::Open) if NOTED.contains(&&*letters(text)) => said,
            _ => Self::Unknown,
        }
    }

    pub(crate) fn of(text: &str) -> Self {
        let word = &*letters(text);
        let known: [(&[&str], Self); 6] = [
            (&UNPLAYED, Self::Unplayed(Unplayed::Open)),
            (&FORFEITS, Self::Unplayed(Unplayed::Forfeit(None))),
            (&DRAWN, Self::Drawn),
            (&TIMED_OUT, Self::TimedOut),
            (&SHOOT_OUTS, Self::ShootOut),
            (&ENDED, Self::Ended),
        ];
        if is_time_of_day(text) {
            return Self::Unplayed(Unplayed::Open);
        }
        let found = known.into_iter().find(|(words, _)| words.contains(&word));
        found.map_or(Self::Unknown, |(_, status)| status)
    }

    /// Whether a game without a winner was a draw.
    pub(crate) const fn is_draw(self) -> bool {
        matches!(self, Self::Drawn | Self::TimedOut)
    }
}
