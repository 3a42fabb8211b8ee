//! [`simulate`]: the queue under a population, from event to event.

mod arrivals;
mod homes;
mod matches;

use std::collections::HashMap;
use std::sync::Arc;

use matchwright_churn::ModelError;
use matchwright_queue::{
    Decision, Event, EventKind, LeaveReason, PlayerId, Proposal, ProposalId, QueueSettings, State, StepError,
    Ticket, TicketId, Time, Value, step,
};
use matchwright_rating::{MmrTrack, QueuedAs, UnknownKind};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Exp1};
use thiserror::Error;

use crate::policy::LoadedPolicy;
use crate::random::{Purpose, stream};
use crate::rate::RateError;
use crate::simulate::agenda::Agenda;
use crate::simulate::leaving::Leavers;
use crate::simulate::people::{Doing, People};
use crate::simulate::ratings::Ratings;
use crate::simulate::record::{Fate, Record, TicketEnd};
use crate::simulate::scenario::{Scenario, nearest};

/// One ticket in this many is told how long it may wait.
const ASKED: u64 = 8;

/// Why a simulation came to no end.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SimulationError {
    /// The core refused a step.
    #[error("a step of the queue: {0}")]
    Step(#[from] StepError),
    /// Something inside a policy failed, so that its matches are not what it stands for.
    #[error("the policy `{policy}`, after {hours:.2} hours: {failure}")]
    Policy {
        /// Its name.
        policy: String,
        /// Simulated hours until then.
        hours: f64,
        /// What failed.
        failure: String,
    },
    /// A policy that looks more often than was wanted.
    #[error(
        "the policy `{policy}` woke {wakeups} times in {hours:.2} hours, though nobody came, left or answered"
    )]
    Wakeups {
        /// Its name.
        policy: String,
        /// How often it woke.
        wakeups: u64,
        /// Simulated hours until then.
        hours: f64,
    },
    /// A rating system refused its parameters.
    #[error("rating the players: {0}")]
    Rating(#[from] RateError),
    /// The table of who leaves cannot count more.
    #[error("learning who leaves: {0}")]
    Churn(#[from] ModelError),
    /// A ticket that does not say which rating of its players counts.
    #[error("ticket {ticket}: {says}; by `rating.accounts` its word `{word}` is `normal` or `ranked`")]
    Account {
        /// Its number.
        ticket: u64,
        /// What it says instead.
        says: String,
        /// The word.
        word: String,
    },
    /// A log that was not read.
    #[error("`arrivals.log` is {0}: its tickets are wanted by `Scenario::with_log`")]
    NoLog(String),
}

/// What will happen.
#[derive(Clone, Copy)]
enum Happening {
    /// A party of a region may come.
    Arrival { region: usize },
    /// A ticket of the log comes, or a copy of it.
    Logged { place: u32 },
    /// A party queues again.
    Return { party: u32 },
    /// A ticket's patience ends.
    GiveUp { ticket: TicketId },
    /// A player answers a proposal.
    Answer {
        proposal: ProposalId,
        player: PlayerId,
        accepts: bool,
    },
    /// A match ends, as it was drawn when it began.
    End { made: u64 },
    /// A player who has not come again since the match that ended then is taken for gone.
    Expired { player: u32, ended: Time },
}

/// A ticket that waits.
struct Waiting {
    ticket: Arc<Ticket>,
    party: u32,
    rating: f64,
    came: Time,
    /// How many proposals it has been in, and since when it is in one.
    asked: u64,
    asked_at: Option<Time>,
    patience: Option<Time>,
    promised: Option<f64>,
}

/// A match that is played: each team's place, its parties and its players.
struct Playing {
    teams: Vec<(u32, Vec<u32>)>,
    parties: Vec<(u32, usize)>,
}

/// Simulates a world under a policy, and tells `record` what happens.
///
/// Tickets carry the number `rating` of each player, `skill` under the same value for policies that score by it,
/// `uncertainty` where the ratings have a deviation, `churn` where the service learns who leaves, `pings` where matches run
/// on players' machines or a party lives in two regions, and what
/// [`PeopleParams`](super::PeopleParams) or the log adds. Same scenario, policy and seed: the same calls of `record`.
/// `progress` is called with the hours that have passed.
///
/// # Errors
/// [`SimulationError`] for parameters of ratings; the core refuses no step of this engine.
pub fn simulate(
    scenario: &Scenario,
    policy: &mut LoadedPolicy,
    seed: u64,
    record: &mut dyn Record,
    progress: &mut dyn FnMut(f64),
) -> Result<Simulated, SimulationError> {
    if let (Some(log), None) = (&scenario.params().arrivals.log, scenario.log()) {
        return Err(SimulationError::NoLog(log.clone()));
    }
    let mut engine = Engine {
        scenario,
        seed,
        agenda: Agenda::default(),
        state: State::new(policy.label.clone(), forgetful(&policy.settings)),
        people: People::new(scenario, &policy.settings, seed),
        ratings: Ratings::new(scenario, seed)?,
        leavers: Leavers::new(scenario.params().churn)?,
        estimates_of: policy
            .settings
            .estimate_by
            .as_ref()
            .and_then(|_| policy.settings.queues.keys().next().cloned()),
        waiting: HashMap::new(),
        playing: HashMap::new(),
        arrivals: (0..scenario.params().regions.len())
            .map(|region| stream(seed, Purpose::SimulatedArrivals, region as u64, 0))
            .collect(),
        events: 0,
        tickets: 0,
        wakeups: 0,
        record,
    };
    match scenario.log() {
        Some(log) => engine.plan_log(log),
        None => (0..engine.arrivals.len()).for_each(|region| engine.plan_arrival(region, Time::default())),
    }
    engine.run(policy, progress)?;
    let players = engine.people.skills.iter().zip(&engine.people.games);
    let players = (0..).zip(players).map(|(player, (&skill, &games))| PlayerEnd {
        skill,
        rating: engine.ratings.of(player, skill).0,
        games,
    });
    Ok(Simulated {
        players: players.collect(),
        state: engine.state,
    })
}

/// Here each event comes once and no match fails, so that nothing need be remembered for that: it decides nothing.
fn forgetful(settings: &QueueSettings) -> QueueSettings {
    QueueSettings {
        remember: 0,
        fail_within: 0,
        ..settings.clone()
    }
}

/// A world at its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Simulated {
    /// Everybody, by number.
    pub players: Vec<PlayerEnd>,
    /// The queue.
    pub state: State,
}

/// A player at the end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayerEnd {
    /// True skill, points.
    pub skill: f64,
    /// What the matchmaker takes it for.
    pub rating: f64,
    /// Matches played.
    pub games: u32,
}

struct Engine<'a> {
    scenario: &'a Scenario,
    seed: u64,
    agenda: Agenda<Happening>,
    state: State,
    people: People,
    ratings: Ratings,
    leavers: Leavers,
    /// The queue whose waits are promised to those who name none, where the policy has estimates.
    estimates_of: Option<String>,
    waiting: HashMap<TicketId, Waiting>,
    playing: HashMap<u64, Playing>,
    /// By region.
    arrivals: Vec<ChaCha8Rng>,
    events: u64,
    tickets: u64,
    /// Steps without an event.
    wakeups: u64,
    record: &'a mut dyn Record,
}

impl Engine<'_> {
    fn run(
        &mut self,
        policy: &mut LoadedPolicy,
        progress: &mut dyn FnMut(f64),
    ) -> Result<(), SimulationError> {
        let end = Time::default().plus(millis(3600.0 * self.scenario.params().hours));
        let mut wakeup: Option<Time> = None;
        while let Some(now) = self.agenda.next_time().into_iter().chain(wakeup).min() {
            if now > end {
                break;
            }
            let mut events = Vec::new();
            while let Some(happening) = self.agenda.take_by(now) {
                self.happen(happening, now, &mut events)?;
            }
            // What happens elsewhere, such as the patience of one who plays already, must not wake the queue.
            let is_due = wakeup.is_some_and(|at| at <= now);
            if events.is_empty() && !is_due {
                continue;
            }
            self.wakeups += u64::from(events.is_empty());
            if let Some((any, each)) = self.scenario.most_wakeups
                && self.wakeups > any.saturating_add(each.saturating_mul(self.tickets))
            {
                return Err(SimulationError::Wakeups {
                    policy: policy.label.name.clone(),
                    wakeups: self.wakeups,
                    hours: now.seconds_since(Time::default()) / 3600.0,
                });
            }
            let outcome = step(&mut self.state, &mut *policy.policy, now, &events)?;
            if let Some(failure) = outcome.failures.first() {
                return Err(SimulationError::Policy {
                    policy: policy.label.name.clone(),
                    hours: now.seconds_since(Time::default()) / 3600.0,
                    failure: failure.clone(),
                });
            }
            self.record.step(now, &events, &outcome);
            wakeup = outcome.wakeup;
            for decision in &outcome.decisions {
                self.decided(decision, &events, now);
            }
            progress(now.seconds_since(Time::default()) / 3600.0);
        }
        let mut rest: Vec<TicketId> = self.waiting.keys().copied().collect();
        rest.sort_unstable();
        for ticket in rest {
            self.end_ticket(ticket, Fate::Waits, end);
        }
        Ok(())
    }

    fn event(&mut self, events: &mut Vec<Event>, kind: EventKind) {
        self.events += 1;
        events.push(Event::new(self.events, kind));
    }

    fn happen(
        &mut self,
        happening: Happening,
        now: Time,
        events: &mut Vec<Event>,
    ) -> Result<(), SimulationError> {
        match happening {
            Happening::Arrival { region } => {
                let party = if self.scenario.params().people.players.is_some() {
                    let at_home = &self.people.at_home[region];
                    let place = self.arrivals[region].random_range(0..at_home.len().max(1));
                    at_home.get(place).copied()
                } else {
                    Some(self.people.join(region, usize::MAX))
                };
                self.plan_arrival(region, now);
                if let Some(party) =
                    party.filter(|&party| self.people.parties[party as usize].doing == Doing::Away)
                {
                    self.queue(party, now, events)?;
                }
            }
            Happening::Logged { place } => {
                let Some(logged) = self
                    .scenario
                    .log()
                    .and_then(|log| log.tickets().get(place as usize))
                else {
                    return Ok(());
                };
                let params = self.scenario.params();
                let name = nearest(&logged.ticket);
                let region = params.regions.iter().position(|region| region.name == name);
                let error = params.rating.error_deviation;
                let party = self
                    .people
                    .join_logged(&logged.ticket, place, region.unwrap_or(0), error);
                self.queue(party, now, events)?;
            }
            Happening::Return { party } => self.queue(party, now, events)?,
            Happening::Expired { player, ended } => self.leavers.expired(player, ended)?,
            Happening::GiveUp { ticket } => {
                // The queue takes it for a decline of the player, if it is asked; the first stands for its party.
                if self.waiting.contains_key(&ticket) {
                    let waiting = self.state.pool().get(ticket);
                    let by = waiting.and_then(|waiting| waiting.ticket.players.first());
                    let by = by.map(|member| member.id);
                    self.event(events, EventKind::Cancel { ticket, by });
                }
            }
            Happening::Answer {
                proposal,
                player,
                accepts,
            } => {
                let kind = if accepts {
                    EventKind::Accept { proposal, player }
                } else {
                    EventKind::Decline { proposal, player }
                };
                self.event(events, kind);
            }
            Happening::End { made } => self.end_match(made, now)?,
        }
        Ok(())
    }

    /// A party begins to wait.
    fn queue(&mut self, number: u32, now: Time, events: &mut Vec<Event>) -> Result<(), SimulationError> {
        self.people.drift(number, now);
        let party = &mut self.people.parties[number as usize];
        party.doing = Doing::Busy;
        party.waits += 1;
        let waits = party.waits;
        self.tickets += 1;
        let id = TicketId(self.tickets);
        let (ticket, rating) = self.ticket(id, number)?;
        let mut rng = stream(self.seed, Purpose::SimulatedWaits, number.into(), waits.into());
        let patience = self.scenario.params().patience.as_ref();
        let patience = patience.and_then(|patience| patience.draw(&mut rng));
        let patience = patience.map(|seconds| now.plus(millis(seconds).max(1)));
        if let Some(at) = patience {
            self.agenda.add(at, Happening::GiveUp { ticket: id });
        }
        let ticket = Arc::new(ticket);
        let waiting = Waiting {
            ticket: Arc::clone(&ticket),
            party: number,
            rating,
            came: now,
            asked: 0,
            asked_at: None,
            patience,
            promised: self.promised(&ticket),
        };
        self.waiting.insert(id, waiting);
        self.event(events, EventKind::Create(ticket));
        Ok(())
    }

    /// What the queue says of the wait of a newcomer, if it is asked.
    fn promised(&self, ticket: &Ticket) -> Option<f64> {
        let only = self
            .estimates_of
            .as_ref()
            .filter(|_| ticket.id.0.is_multiple_of(ASKED))?;
        let queue = ticket.queues.first().unwrap_or(only);
        self.state.estimates().estimate(ticket, queue)?.quantiles[1]
    }

    /// The ticket of a party as a live service would make it, and the mean of its ratings.
    fn ticket(&mut self, id: TicketId, number: u32) -> Result<(Ticket, f64), SimulationError> {
        let params = self.scenario.params();
        let party = &self.people.parties[number as usize];
        let logged = party.logged.zip(self.scenario.log());
        let mut ticket =
            if let Some(logged) = logged.and_then(|(place, log)| log.tickets().get(place as usize)) {
                logged.ticket.clone()
            } else {
                let mut ticket = Ticket::of(id.0, party.members.clone().map(u64::from));
                homes::place(&mut ticket, party, params);
                ticket.queues = self.people.queues(party.members.len()).to_vec();
                ticket
            };
        (ticket.id, ticket.expires) = (id, None);
        let region = &params.regions[usize::from(party.region)].name;
        if !region.is_empty() && !ticket.attributes.contains_key("region") {
            ticket.attributes.insert("region", Value::Text(region.clone()));
        }
        ticket.attributes.extend(self.people.of_party(number));
        let track = self.track(&ticket)?;
        let mut sum = 0.0;
        for (member, player) in ticket.players.iter_mut().zip(party.members.clone()) {
            member.id = PlayerId(player.into());
            self.ratings.queues(player, track);
            let (rating, deviation) = self.ratings.of(player, self.people.skills[player as usize]);
            sum += rating;
            for name in ["rating", "skill"] {
                member.attributes.insert(name.to_owned(), Value::Number(rating));
            }
            let known = deviation.map(|one| ("uncertainty".to_owned(), Value::Number(one)));
            member.attributes.extend(known);
            if !params.people.numbers.is_empty() {
                member.attributes.extend(self.people.numbers(player));
            }
            if params.churn.is_some() {
                self.leavers.came(player)?;
                let chances = self.leavers.estimate(player, self.scenario.churn_estimate());
                let names = ["win", "draw", "loss"].map(str::to_owned);
                let churn = Value::Numbers(names.into_iter().zip(chances).collect());
                member.attributes.insert("churn".to_owned(), churn);
            }
        }
        let rating = sum / ticket.players.len().max(1) as f64;
        Ok((ticket, rating))
    }

    /// Which of its players' ratings counts for a ticket, where they have several.
    fn track(&self, ticket: &Ticket) -> Result<Option<MmrTrack>, SimulationError> {
        let Some(word) = &self.scenario.params().rating.accounts else {
            return Ok(None);
        };
        let queue = if ticket.players.len() > 1 {
            QueuedAs::Party
        } else {
            QueuedAs::Solo
        };
        let says = match ticket.attributes.get(word) {
            Some(Value::Text(says)) => says.as_str(),
            _ => "",
        };
        // Dropped: our own error says more.
        let kind = says.parse().map_err(|_: UnknownKind| SimulationError::Account {
            ticket: ticket.id.0,
            says: if says.is_empty() {
                "no such word".to_owned()
            } else {
                format!("`{says}`")
            },
            word: word.clone(),
        })?;
        Ok(Some(MmrTrack::new(kind, queue)))
    }

    fn decided(&mut self, decision: &Decision, events: &[Event], now: Time) {
        match decision {
            Decision::Refused { event, .. } => {
                if let EventKind::Create(ticket) = &events[*event].kind {
                    self.leave(ticket.id, Fate::Refused, now);
                }
            }
            Decision::Left { ticket, reason } => {
                let fate = match reason {
                    LeaveReason::Cancelled | LeaveReason::Expired => Fate::Left,
                    LeaveReason::Declined | LeaveReason::TimedOut => Fate::Declined,
                };
                self.leave(*ticket, fate, now);
            }
            Decision::Proposed(proposal) => self.ask(proposal, now),
            Decision::Ended { returned, .. } => {
                for ticket in returned {
                    if let Some(waiting) = self.waiting.get_mut(ticket) {
                        waiting.asked_at = None;
                    }
                }
            }
            Decision::Matched(made) => self.begin(made, now),
            _ => {}
        }
    }

    /// A ticket that is gone without a match: its party may come again another time.
    fn leave(&mut self, ticket: TicketId, fate: Fate, now: Time) {
        if let Some(waited) = self.end_ticket(ticket, fate, now) {
            self.people.parties[waited.party as usize].doing = Doing::Away;
        }
    }

    fn end_ticket(&mut self, ticket: TicketId, fate: Fate, now: Time) -> Option<Waiting> {
        let waited = self.waiting.remove(&ticket)?;
        let party = &self.people.parties[waited.party as usize];
        self.record.ticket(&TicketEnd {
            ticket: Arc::clone(&waited.ticket),
            region: party.region.into(),
            group: party.group.into(),
            is_apart: party.away.is_some(),
            players: party.members.clone().collect(),
            rating: waited.rating,
            came: waited.came,
            ended: now,
            asked: waited.asked_at,
            fate,
            patience: waited.patience,
            promised: waited.promised,
        });
        Some(waited)
    }

    /// All players of a proposal decide how they will answer.
    fn ask(&mut self, proposal: &Proposal, now: Time) {
        let params = self.scenario.params().acceptance;
        for ticket in proposal.lobby.tickets() {
            let Some(waiting) = self.waiting.get_mut(&ticket) else {
                continue;
            };
            waiting.asked += 1;
            waiting.asked_at = Some(now);
            let party = &self.people.parties[waiting.party as usize];
            let asked = u64::from(party.waits) << 16 | waiting.asked.min(0xFFFF);
            for player in party.members.clone() {
                let mut rng = stream(self.seed, Purpose::SimulatedAnswers, player.into(), asked);
                let accepts = rng.random::<f64>() < params.chance;
                if !accepts && rng.random::<f64>() >= params.declines {
                    // The time runs out.
                    continue;
                }
                let drawn: f64 = Exp1.sample(&mut rng);
                let at = now.plus(millis(drawn * params.mean_seconds));
                let answer = Happening::Answer {
                    proposal: proposal.id,
                    player: PlayerId(player.into()),
                    accepts,
                };
                self.agenda.add(at, answer);
            }
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a float becomes the nearest integer there is"
)]
pub(super) fn millis(seconds: f64) -> i64 {
    (seconds * 1000.0).round() as i64
}
