//! [`Ticket`]: a party that waits, or a running match with free places.

use std::collections::BTreeMap;

use crate::ids::{MatchId, PlayerId, TicketId};
use crate::named::Named;
use crate::outcome::Refusal;
use crate::time::Time;

/// What is known of a ticket or player under one name.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(untagged))]
pub enum Value {
    /// Yes or no.
    Flag(bool),
    /// A number: finite.
    Number(f64),
    /// A word.
    Text(String),
    /// Words, such as languages.
    Texts(Vec<String>),
    /// Numbers by name, such as pings by region: finite.
    Numbers(BTreeMap<String, f64>),
}

/// Values by name.
pub type Attributes = Named<Value>;

/// One player of a ticket.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Member {
    /// The player.
    pub id: PlayerId,
    /// What is known of it, such as its rating.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Attributes::is_empty")
    )]
    pub attributes: Attributes,
}

/// A running match that has lost players: the ticket's members are those who still play.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Backfill {
    /// The match.
    pub match_id: MatchId,
    /// The team of each of the ticket's members, in their order.
    pub teams: Vec<usize>,
}

/// A party that looks for a match together, or a running match with free places.
///
/// ```
/// use matchwright_queue::{Ticket, Value};
///
/// let ticket = Ticket::of_one(7, 70).with("rating", 1500.0);
/// assert_eq!(ticket.mean("rating"), Some(1500.0));
/// assert_eq!(ticket.players.len(), 1);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ticket {
    /// Its name, which no other ticket has or had.
    pub id: TicketId,
    /// Its players: one or more, all on one team unless it is a backfill.
    pub players: Vec<Member>,
    /// The queues in which it waits, all at once; none for the only one there is.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub queues: Vec<String>,
    /// The regions that it accepts, each with the ticket's ping to it in milliseconds; none for any region.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Named::is_empty"))]
    pub regions: Named<f64>,
    /// What is known of the party as a whole, such as the mode that it wants to play.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Attributes::is_empty")
    )]
    pub attributes: Attributes,
    /// The running match whose places it offers.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub backfill: Option<Box<Backfill>>,
    /// When it gives up by itself.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub expires: Option<Time>,
}

impl Ticket {
    /// A ticket of one player of whom nothing is known.
    #[must_use]
    pub fn of_one(id: u64, player: u64) -> Self {
        Self::of(id, [player])
    }

    /// A ticket of these players.
    #[must_use]
    pub fn of(id: u64, players: impl IntoIterator<Item = u64>) -> Self {
        let member = |id| Member {
            id: PlayerId(id),
            attributes: Attributes::new(),
        };
        Self {
            id: TicketId(id),
            players: players.into_iter().map(member).collect(),
            queues: Vec::new(),
            regions: Named::new(),
            attributes: Attributes::new(),
            backfill: None,
            expires: None,
        }
    }

    /// The ticket with a number that is known of the whole party.
    #[must_use]
    pub fn with(mut self, name: &str, value: f64) -> Self {
        self.attributes.insert(name, Value::Number(value));
        self
    }

    /// The ticket with a word that is known of the whole party.
    #[must_use]
    pub fn with_text(mut self, name: &str, value: &str) -> Self {
        self.attributes.insert(name, Value::Text(value.to_owned()));
        self
    }

    /// The ticket in these queues.
    #[must_use]
    pub fn in_queues(mut self, names: &[&str]) -> Self {
        self.queues = names.iter().map(|&name| name.to_owned()).collect();
        self
    }

    /// The ticket with a region that it accepts, at a ping in milliseconds.
    #[must_use]
    pub fn with_region(mut self, name: &str, ping: f64) -> Self {
        self.regions.insert(name, ping);
        self
    }

    /// The number of that name: the ticket's own, else its players'.
    pub fn numbers(&self, name: &str) -> impl Iterator<Item = Option<f64>> + '_ {
        let of = |attributes: &Attributes| match attributes.get(name) {
            Some(Value::Number(number)) => Some(*number),
            _ => None,
        };
        let own = of(&self.attributes);
        let members = if own.is_some() {
            &self.players[..0]
        } else {
            &self.players
        };
        let members: Vec<_> = members.iter().map(|member| of(&member.attributes)).collect();
        own.map(Some).into_iter().chain(members)
    }

    /// The number of that name: the ticket's own, else the mean of its players'; `None` if one of them has none.
    #[must_use]
    pub fn mean(&self, name: &str) -> Option<f64> {
        let (mut sum, mut count) = (0.0, 0_usize);
        for number in self.numbers(name) {
            sum += number?;
            count += 1;
        }
        (count > 0).then(|| sum / count as f64)
    }

    /// The word of that name, numbers as they are printed; empty if there is none.
    #[must_use]
    pub fn word(&self, name: &str) -> String {
        match self.attributes.get(name) {
            Some(Value::Text(text)) => text.clone(),
            Some(Value::Number(number)) => number.to_string(),
            Some(Value::Flag(flag)) => flag.to_string(),
            _ => String::new(),
        }
    }

    /// Whether the ticket is well formed: players that differ, numbers that are finite, pings of 0 or more.
    pub(crate) fn check(&self) -> Result<(), Refusal> {
        if self.players.is_empty() {
            return Err(Refusal::NoPlayers);
        }
        for (place, member) in self.players.iter().enumerate() {
            if self.players[..place].iter().any(|other| other.id == member.id) {
                return Err(Refusal::PlayerTwice { player: member.id });
            }
        }
        let members = self.players.iter().map(|member| &member.attributes);
        for attributes in members.chain([&self.attributes]) {
            if let Some((name, _)) = attributes.iter().find(|(_, value)| !is_finite(value)) {
                let name = name.to_string();
                return Err(Refusal::NotFinite { name });
            }
        }
        let bad = self
            .regions
            .iter()
            .find(|(_, ping)| !(0.0..=f64::MAX).contains(*ping));
        if let Some((region, _)) = bad {
            let name = region.to_string();
            return Err(Refusal::NotFinite { name });
        }
        match &self.backfill {
            Some(backfill) if backfill.teams.len() != self.players.len() => Err(Refusal::BackfillTeams),
            _ => Ok(()),
        }
    }
}

fn is_finite(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.is_finite(),
        Value::Numbers(numbers) => numbers.values().all(|number| number.is_finite()),
        Value::Flag(_) | Value::Text(_) | Value::Texts(_) => true,
    }
}

#[cfg(feature = "serde")]
mod data {
    use std::collections::BTreeMap;
    use std::fmt;

    use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
    use serde::de::{MapAccess, SeqAccess, Visitor};
    use serde::{Deserialize, Deserializer};

    use super::Value;

    /// By what there is: a derived one tries one variant after another, and there are very many values.
    impl<'de> Deserialize<'de> for Value {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct Any;

            impl<'de> Visitor<'de> for Any {
                type Value = Value;

                fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str("yes or no, a number, a word, words, or numbers by name")
                }

                fn visit_bool<E>(self, flag: bool) -> Result<Value, E> {
                    Ok(Value::Flag(flag))
                }

                fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
                    Ok(Value::Number(number as f64))
                }

                fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
                    Ok(Value::Number(number as f64))
                }

                fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
                    Ok(Value::Number(number))
                }

                fn visit_str<E>(self, text: &str) -> Result<Value, E> {
                    Ok(Value::Text(text.to_owned()))
                }

                fn visit_string<E>(self, text: String) -> Result<Value, E> {
                    Ok(Value::Text(text))
                }

                fn visit_seq<A: SeqAccess<'de>>(self, texts: A) -> Result<Value, A::Error> {
                    Vec::deserialize(SeqAccessDeserializer::new(texts)).map(Value::Texts)
                }

                fn visit_map<A: MapAccess<'de>>(self, numbers: A) -> Result<Value, A::Error> {
                    BTreeMap::deserialize(MapAccessDeserializer::new(numbers)).map(Value::Numbers)
                }
            }
            deserializer.deserialize_any(Any)
        }
    }
}
