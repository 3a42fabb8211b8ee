//! Tickets of a queue as players of a scoring pool.

use std::collections::{BTreeMap, BTreeSet};

use matchwright_queue::{Attributes, Member, Ticket, TicketId, Time, Value, Waiting};
use matchwright_scoring::{ChurnByOutcome, Player, PlayerField, Pool, PoolError, TeamScorer};
use thiserror::Error;

/// Why a member of a ticket is no player that can be scored.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "every field is named in the message of its variant")]
pub enum PlayerError {
    /// An attribute of another kind than the scoring knows under that name.
    #[error("`{name}` of player {player} should be {wanted}")]
    Kind {
        player: u64,
        name: &'static str,
        wanted: &'static str,
    },
    /// A player that the pool refuses.
    #[error(transparent)]
    Pool(#[from] PoolError),
}

/// The member of a ticket as scoring knows players, by attributes of the same names; other numbers are in
/// [`Player::numbers`], and what else there is is passed over.
///
/// Its id is the text `name`, or else its number. A number that the ticket has and the member has not is every
/// member's; pings are those of the ticket's regions if the member has none of its own.
///
/// # Errors
/// [`PlayerError::Kind`].
pub fn player_of(ticket: &Ticket, member: &Member) -> Result<Player, PlayerError> {
    let read = Attribute { ticket, member };
    let churn = read.numbers("churn")?.map(|by| {
        let of = |name: &str| by.get(name).copied().unwrap_or(f64::NAN);
        ChurnByOutcome::new(of("win"), of("draw"), of("loss"))
    });
    let churn = churn
        .transpose()
        .map_err(|_| read.kind("churn", "the probabilities `win`, `draw` and `loss`"))?;
    let mut pings = read.numbers("pings")?.unwrap_or_default();
    if pings.is_empty() {
        let regions = ticket.regions.iter();
        pings = regions.map(|(name, &ping)| (name.to_string(), ping)).collect();
    }
    let experience = read.number("experience")?;
    Ok(Player {
        id: read.text("name")?.unwrap_or_else(|| member.id.to_string()),
        skill: read.number("skill")?,
        uncertainty: read.number("uncertainty")?,
        party: (ticket.players.len() > 1 && ticket.backfill.is_none()).then(|| ticket.id.to_string()),
        region: read.text("region")?,
        pings,
        ping_to: read.numbers("ping_to")?.unwrap_or_default(),
        numbers: read.own_numbers(),
        experience: experience.map(whole),
        languages: read.texts("languages")?,
        roles: read.texts("roles")?,
        recent_opponents: read.texts("recent_opponents")?,
        recent_teammates: read.texts("recent_teammates")?,
        blocks: read.texts("blocks")?,
        friends: read.texts("friends")?,
        griefer: read.flag("griefer")?.unwrap_or(false),
        wait_seconds: None,
        can_host: read.flag("can_host")?,
        connects_to: read
            .get("connects_to")
            .is_some()
            .then(|| read.texts("connects_to"))
            .transpose()?,
        offence: read.number("offence")?,
        defence: read.number("defence")?,
        glory: read.number("glory")?,
        churn,
    })
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a float becomes the nearest integer there is"
)]
fn whole(number: f64) -> u64 {
    number.max(0.0) as u64
}

/// Numbers that scoring knows.
const KNOWN: [&str; 6] = [
    "skill",
    "uncertainty",
    "experience",
    "offence",
    "defence",
    "glory",
];

/// The attributes of a member, and those of its ticket for what it has not.
struct Attribute<'a> {
    ticket: &'a Ticket,
    member: &'a Member,
}

impl Attribute<'_> {
    fn get(&self, name: &str) -> Option<&Value> {
        let of = |attributes: &'_ Attributes| attributes.contains_key(name);
        if of(&self.member.attributes) {
            self.member.attributes.get(name)
        } else {
            self.ticket.attributes.get(name)
        }
    }

    fn kind(&self, name: &'static str, wanted: &'static str) -> PlayerError {
        let player = self.member.id.0;
        PlayerError::Kind { player, name, wanted }
    }

    fn number(&self, name: &'static str) -> Result<Option<f64>, PlayerError> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Number(number)) => Ok(Some(*number)),
            Some(_) => Err(self.kind(name, "a number")),
        }
    }

    /// Numbers under names that scoring does not know.
    fn own_numbers(&self) -> BTreeMap<String, f64> {
        let of = |attributes: &'_ Attributes| -> Vec<(String, f64)> {
            let own = attributes.iter().filter(|(name, _)| !KNOWN.contains(&&***name));
            own.filter_map(|(name, value)| match value {
                Value::Number(number) => Some((name.to_string(), *number)),
                _ => None,
            })
            .collect()
        };
        // A member's own come last, and stay.
        let both = of(&self.ticket.attributes)
            .into_iter()
            .chain(of(&self.member.attributes));
        both.collect()
    }

    fn text(&self, name: &'static str) -> Result<Option<String>, PlayerError> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Text(text)) => Ok(Some(text.clone())),
            Some(_) => Err(self.kind(name, "a text")),
        }
    }

    fn flag(&self, name: &'static str) -> Result<Option<bool>, PlayerError> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Flag(flag)) => Ok(Some(*flag)),
            Some(_) => Err(self.kind(name, "true or false")),
        }
    }

    fn texts(&self, name: &'static str) -> Result<Vec<String>, PlayerError> {
        match self.get(name) {
            None => Ok(Vec::new()),
            Some(Value::Texts(texts)) => Ok(texts.clone()),
            Some(Value::Text(text)) => Ok(vec![text.clone()]),
            // An empty list has no kind of its own.
            Some(_) => Err(self.kind(name, "a list of texts")),
        }
    }

    fn numbers(&self, name: &'static str) -> Result<Option<BTreeMap<String, f64>>, PlayerError> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Numbers(numbers)) => Ok(Some(numbers.clone())),
            Some(_) => Err(self.kind(name, "numbers by name")),
        }
    }
}

/// Whether a ticket can be scored by a policy, in words if not.
pub(super) fn admits(scoring: &dyn TeamScorer, ticket: &Ticket) -> Result<(), String> {
    for member in &ticket.players {
        let player = readable(ticket, member)?;
        let lacks = |(field, _): &(PlayerField, _)| !field.is_given(&player);
        if let Some((field, needed_by)) = scoring.required_fields().into_iter().find(lacks) {
            let (player, field) = (player.id, field.name());
            let missing = PoolError::Missing {
                player,
                field,
                needed_by,
            };
            return Err(missing.to_string());
        }
    }
    Ok(())
}

/// A player of a ticket as a scoring pool takes it.
pub(super) fn readable(ticket: &Ticket, member: &Member) -> Result<Player, String> {
    let player = player_of(ticket, member).map_err(|error| error.to_string())?;
    Pool::check_player(&player).map_err(|error| error.to_string())?;
    Ok(player)
}

/// The waiting tickets in a scoring pool.
#[derive(Debug, Clone, Default)]
pub(super) struct Players {
    pool: Pool,
    of_ticket: BTreeMap<TicketId, Vec<usize>>,
    /// By index of the pool.
    tickets: Vec<Option<(TicketId, Time)>>,
}

impl Players {
    /// Takes the players of a ticket in, all or none.
    ///
    /// # Errors
    /// Why one cannot be, in words: the ticket is then not looked at.
    pub(super) fn insert(&mut self, waiting: &Waiting) -> Result<(), String> {
        let ticket = &waiting.ticket;
        let mut indices = Vec::with_capacity(ticket.players.len());
        for member in &ticket.players {
            let inserted = readable(ticket, member)
                .and_then(|player| self.pool.insert(player).map_err(|error| error.to_string()));
            let index = match inserted {
                Ok(index) => index,
                Err(why) => {
                    for index in indices {
                        self.pool.remove(index);
                    }
                    return Err(format!("ticket {} is not looked at: {why}", ticket.id));
                }
            };
            indices.push(index);
            if self.tickets.len() <= index {
                self.tickets.resize(index + 1, None);
            }
            self.tickets[index] = Some((ticket.id, waiting.joined));
        }
        self.of_ticket.insert(ticket.id, indices);
        Ok(())
    }

    pub(super) fn remove(&mut self, ticket: TicketId) {
        for index in self.of_ticket.remove(&ticket).into_iter().flatten() {
            self.pool.remove(index);
            self.tickets[index] = None;
        }
    }

    pub(super) const fn pool(&self) -> &Pool {
        &self.pool
    }

    /// The indices of a ticket's players.
    pub(super) fn of(&self, ticket: TicketId) -> &[usize] {
        self.of_ticket.get(&ticket).map_or(&[], Vec::as_slice)
    }

    /// The ticket of a player.
    pub(super) fn ticket(&self, index: usize) -> Option<TicketId> {
        self.tickets.get(index).copied().flatten().map(|entry| entry.0)
    }

    /// The tickets of a team, each once, in their order.
    pub(super) fn tickets_of(&self, team: &[usize]) -> Vec<TicketId> {
        let tickets: BTreeSet<TicketId> = team.iter().filter_map(|&index| self.ticket(index)).collect();
        tickets.into_iter().collect()
    }

    /// Sets how long the players of these tickets have waited by now.
    pub(super) fn set_waits(&mut self, tickets: &[TicketId], now: Time) {
        for &index in tickets
            .iter()
            .filter_map(|ticket| self.of_ticket.get(ticket))
            .flatten()
        {
            if let Some((_, joined)) = self.tickets.get(index).copied().flatten() {
                self.pool.set_wait(index, now.seconds_since(joined));
            }
        }
    }
}
