//! [`Record`]: who is told what happens in a simulation.

use std::collections::BTreeMap;
use std::sync::Arc;

use matchwright_queue::{Event, Match, Outcome, Ticket, Time};
use serde::{Deserialize, Serialize};

use crate::replay::WaitEnd;

/// What became of a ticket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// It played.
    Matched,
    /// It gave up.
    Left,
    /// One of its players did not accept a proposal.
    Declined,
    /// It was not admitted.
    Refused,
    /// It waited at the end.
    Waits,
}

impl From<Fate> for WaitEnd {
    fn from(fate: Fate) -> Self {
        match fate {
            Fate::Matched => Self::Matched,
            Fate::Left => Self::Left,
            Fate::Declined => Self::Declined,
            Fate::Refused => Self::Refused,
            Fate::Waits => Self::Waits,
        }
    }
}

/// A ticket at its end.
#[derive(Clone, Debug, PartialEq)]
pub struct TicketEnd {
    /// The ticket, as the queue had it.
    pub ticket: Arc<Ticket>,
    /// Which region it came from, by its place in the scenario.
    pub region: usize,
    /// Which group its party is of, by its place in the scenario; their number for the others.
    pub group: usize,
    /// Whether its players live in two regions.
    pub is_apart: bool,
    /// Its players, by number.
    pub players: Vec<u32>,
    /// Mean rating of its players as the matchmaker had it, points.
    pub rating: f64,
    /// When it came.
    pub came: Time,
    /// When it came to its end.
    pub ended: Time,
    /// When its players were asked to accept the match in which or because of which it ended, if they were.
    pub asked: Option<Time>,
    /// What became of it.
    pub fate: Fate,
    /// When its patience ends or would have ended, if it does.
    pub patience: Option<Time>,
    /// The wait in seconds that four in five like it were not to exceed, as the queue said when it came; known of every
    /// eighth ticket, where the policy has estimates.
    pub promised: Option<f64>,
}

impl TicketEnd {
    /// How long it waited, in seconds, until its match began.
    #[must_use]
    pub fn waited(&self) -> f64 {
        self.ended.seconds_since(self.came)
    }

    /// When it no longer waited for a match: when its players were asked, or it came to its end.
    #[must_use]
    pub fn found(&self) -> Time {
        self.asked.unwrap_or(self.ended)
    }
}

/// A match that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedMatch {
    /// When it was made.
    pub at: Time,
    /// What the queue made.
    pub made: Arc<Match>,
    /// The tickets of each team.
    pub tickets: Vec<Vec<Arc<Ticket>>>,
    /// The players of each team, by number.
    pub teams: Vec<Vec<u32>>,
    /// Mean rating of each team, points.
    pub ratings: Vec<f64>,
    /// Mean true skill of each team, points.
    pub skills: Vec<f64>,
    /// The chance of the first team against the second that true skills give, draws left out.
    pub true_chance: f64,
    /// The same as Elo's curve has it, by mean ratings: odds of ten to one for 400 points.
    pub predicted: f64,
    /// The place of each team: 1 for the winners, equal places for a draw.
    pub places: Vec<u32>,
    /// The area under the gold difference since it was last 0, gold times minutes, where the scenario has
    /// [`GoldParams`](super::GoldParams); 0 for a draw.
    pub balance: Option<f64>,
}

/// Is told what happens in a simulation, as it happens.
pub trait Record {
    /// A ticket came to its end.
    fn ticket(&mut self, end: &TicketEnd);

    /// A match was made, after its tickets came to their ends; ratings and players learn its result at its end.
    fn played(&mut self, made: &PlayedMatch);

    /// The queue was stepped: all that a live service sees of it, and would write into a journal.
    fn step(&mut self, now: Time, events: &[Event], outcome: &Outcome) {
        let _ = (now, events, outcome);
    }

    /// Players who will not come again.
    fn gone(&mut self, players: &[u32], at: Time) {
        let _ = (players, at);
    }
}

/// Keeps nothing.
impl Record for () {
    fn ticket(&mut self, _end: &TicketEnd) {}
    fn played(&mut self, _made: &PlayedMatch) {}
}

/// Both are told.
impl Record for (&mut dyn Record, &mut dyn Record) {
    fn ticket(&mut self, end: &TicketEnd) {
        self.0.ticket(end);
        self.1.ticket(end);
    }

    fn played(&mut self, made: &PlayedMatch) {
        self.0.played(made);
        self.1.played(made);
    }

    fn step(&mut self, now: Time, events: &[Event], outcome: &Outcome) {
        self.0.step(now, events, outcome);
        self.1.step(now, events, outcome);
    }

    fn gone(&mut self, players: &[u32], at: Time) {
        self.0.gone(players, at);
        self.1.gone(players, at);
    }
}

/// Keeps everything.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FullRecord {
    /// In the order of their ends.
    pub tickets: Vec<TicketEnd>,
    /// In the order in which they were made.
    pub matches: Vec<PlayedMatch>,
    /// By player: when it went for good.
    pub gone: BTreeMap<u32, Time>,
}

impl Record for FullRecord {
    fn ticket(&mut self, end: &TicketEnd) {
        self.tickets.push(end.clone());
    }

    fn played(&mut self, made: &PlayedMatch) {
        self.matches.push(made.clone());
    }

    fn gone(&mut self, players: &[u32], at: Time) {
        self.gone.extend(players.iter().map(|&player| (player, at)));
    }
}
