//! What beside a list of players, or of sides, tells which side won.

use serde_json::{Map, Value};

use super::text_of;
use crate::cell::nobody::is_nobody;
use crate::cell::value::of_word;
use crate::column_names::{called, inner, words};
use crate::text::shown;

/// What names the side that won.
const NAMES: [&str; 4] = ["winner", "winning_team", "winner_team", "winning_side"];

pub(super) enum Winner {
    /// The side, or a player of it, is named.
    Named(String),
    /// Whether the side of this name won.
    Of(String, String),
}

/// What a side of a match goes by: its team, its name, its players.
pub(super) struct Called<'a> {
    pub(super) team: &'a str,
    pub(super) others: Vec<String>,
}

impl Called<'_> {
    fn goes_by(&self, label: &str) -> bool {
        let mut others = self.others.iter();
        self.team.eq_ignore_ascii_case(label) || others.any(|other| other.eq_ignore_ascii_case(label))
    }
}

impl Winner {
    /// By the keys of a first match, whose sides go by these names.
    pub(super) fn of(keys: &[String], teams: &[String]) -> Option<Self> {
        let mut names = NAMES.iter();
        let named = names.find_map(|name| called(keys, name).or_else(|| inner(keys, name)));
        if let Some(named) = named {
            return Some(Self::Named(named.to_owned()));
        }
        keys.iter()
            .find_map(|key| match &words(key.rsplit('.').next()?)[..] {
                [side, win] if ["win", "won", "victory"].contains(&&**win) => {
                    let is_side = teams.iter().any(|team| team.eq_ignore_ascii_case(side));
                    is_side.then(|| Self::Of(key.clone(), side.clone()))
                }
                _ => None,
            })
    }

    pub(super) fn key(&self) -> &str {
        match self {
            Self::Named(key) | Self::Of(key, _) => key,
        }
    }

    /// What it says of each side: won, lost, drawn, or nothing.
    pub(super) fn told(
        &self,
        object: &Map<String, Value>,
        sides: &[Called<'_>],
    ) -> Result<Vec<&'static str>, String> {
        let value = object.get(self.key()).map(text_of).unwrap_or_default();
        let refuse = |what: &str| Err(format!("`{}` is `{}`, {what}", shown(self.key()), shown(&value)));
        if value.is_empty() || is_nobody(&value) {
            return Ok(vec![""; sides.len()]);
        }
        let is_named = sides.iter().any(|side| side.goes_by(&value));
        let (label, has_won) = match self {
            // `T` may be a side.
            Self::Named(_) if !is_named && of_word(&value) == Some(0.5) && value.parse::<f64>().is_err() => {
                return Ok(vec!["draw"; sides.len()]);
            }
            Self::Named(_) => (&value, true),
            Self::Of(_, side) => match &*value.to_lowercase() {
                "true" | "1" => (side, true),
                "false" | "0" => (side, false),
                _ => return refuse("which is neither true nor false"),
            },
        };
        // A team's own name or number says more than its place.
        let is_team = sides.iter().any(|side| side.team.eq_ignore_ascii_case(label));
        let teams: Vec<&str> = sides
            .iter()
            .filter(|side| side.team.eq_ignore_ascii_case(label) || (!is_team && side.goes_by(label)))
            .map(|side| side.team)
            .collect();
        match teams.first() {
            None => refuse("which is no side or player of the match"),
            Some(first) if teams.iter().any(|team| team != first) => refuse("by which several sides go"),
            Some(first) => {
                let won = |side: &Called<'_>| {
                    if (side.team == *first) == has_won {
                        "win"
                    } else {
                        "loss"
                    }
                };
                Ok(sides.iter().map(won).collect())
            }
        }
    }
}
