//! [`simulate`]: the queue under a population, from event to event.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use matchwright_queue::{
    Decision, Event, EventKind, LeaveReason, Match, Member, PlayerId, Proposal, ProposalId, State, StepError,
    Ticket, TicketId, Time, Value, step,
};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Exp1};
use thiserror::Error;

use super::agenda::Agenda;
use super::people::{Doing, People, index};
use super::ratings::Ratings;
use super::record::{Fate, PlayedMatch, Record, TicketEnd};
use super::scenario::Scenario;
use crate::policy::LoadedPolicy;
use crate::random::{Purpose, standard_normal, stream};
use crate::rate::RateError;

/// Why a simulation came to no end.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SimulationError {
    /// The core refused a step.
    #[error("a step of the queue: {0}")]
    Step(#[from] StepError),
    /// A rating system refused its parameters.
    #[error("rating the players: {0}")]
    Rating(#[from] RateError),
}

/// What will happen.
#[derive(Clone, Copy)]
enum Happening {
    /// A party of a region may come.
    Arrival { region: usize },
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
}

/// A ticket that waits.
struct Waiting {
    ticket: Arc<Ticket>,
    party: u32,
    rating: f64,
    came: Time,
    /// How many proposals it has been in.
    asked: u64,
}

/// A match that is played: each team's place, its parties and its players.
struct Playing {
    teams: Vec<(u32, Vec<u32>)>,
    parties: Vec<(u32, usize)>,
}

/// Simulates a world under a policy, and tells `record` what happens.
///
/// Tickets carry the number `rating` of each player, `skill` under the same value for policies that score by it, and
/// `uncertainty` where the ratings have a deviation. Same scenario, policy and seed: the same calls of `record`.
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
    let mut engine = Engine {
        scenario,
        seed,
        agenda: Agenda::default(),
        state: State::new(policy.label.clone(), policy.settings.clone()),
        people: People::new(scenario, seed),
        ratings: Ratings::new(&scenario.params().rating, seed)?,
        waiting: HashMap::new(),
        playing: HashMap::new(),
        arrivals: (0..scenario.params().regions.len())
            .map(|region| stream(seed, Purpose::SimulatedArrivals, region as u64, 0))
            .collect(),
        events: 0,
        tickets: 0,
        record,
    };
    for region in 0..engine.arrivals.len() {
        engine.plan_arrival(region, Time::default());
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
    waiting: HashMap<TicketId, Waiting>,
    playing: HashMap<u64, Playing>,
    /// By region.
    arrivals: Vec<ChaCha8Rng>,
    events: u64,
    tickets: u64,
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
            let outcome = step(&mut self.state, &mut *policy.policy, now, &events)?;
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

    /// The next arrival of a region after `now`: thinned from the busiest hour's rate.
    fn plan_arrival(&mut self, region: usize, now: Time) {
        let params = self.scenario.params();
        let (hours, place) = (&params.arrivals.by_hour, &params.regions[region]);
        let shares: f64 = params.regions.iter().map(|region| region.share).sum();
        let mean = hours.iter().sum::<f64>() / 24.0;
        let most = hours.iter().copied().fold(0.0, f64::max);
        let fastest = params.arrivals.per_second * place.share / shares * most / mean;
        if fastest <= 0.0 {
            return;
        }
        let rng = &mut self.arrivals[region];
        let mut seconds = now.seconds_since(Time::default());
        loop {
            let gap: f64 = Exp1.sample(rng);
            seconds += gap / fastest;
            if seconds > 3600.0 * params.hours {
                return;
            }
            let hour = (seconds / 3600.0 + place.offset_hours).rem_euclid(24.0);
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "an hour of a day"
            )]
            let weight = hours[(hour as usize).min(23)];
            if rng.random::<f64>() * most < weight {
                break;
            }
        }
        let at = Time::default().plus(millis(seconds)).max(now);
        self.agenda.add(at, Happening::Arrival { region });
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
                    self.queue(party, now, events);
                }
            }
            Happening::Return { party } => self.queue(party, now, events),
            Happening::GiveUp { ticket } => {
                // Those who are asked answer first.
                if self.state.pool().get(ticket).is_some() {
                    self.event(events, EventKind::Cancel(ticket));
                } else if self.waiting.contains_key(&ticket) {
                    self.agenda.add(now.plus(1000), Happening::GiveUp { ticket });
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
    fn queue(&mut self, number: u32, now: Time, events: &mut Vec<Event>) {
        let params = self.scenario.params();
        let party = &mut self.people.parties[number as usize];
        party.doing = Doing::Busy;
        party.waits += 1;
        let place = &params.regions[usize::from(party.region)];
        self.tickets += 1;
        let id = TicketId(self.tickets);
        let mut players = Vec::with_capacity(party.members.len());
        let mut sum = 0.0;
        for player in party.members.clone() {
            let (rating, deviation) = self.ratings.of(player, self.people.skills[player as usize]);
            sum += rating;
            let mut attributes = BTreeMap::from([
                ("rating".to_owned(), Value::Number(rating)),
                ("skill".to_owned(), Value::Number(rating)),
            ]);
            attributes.extend(deviation.map(|one| ("uncertainty".to_owned(), Value::Number(one))));
            players.push(Member {
                id: PlayerId(player.into()),
                attributes,
            });
        }
        let rating = sum / players.len() as f64;
        if let Some(patience) = &params.patience {
            let mut rng = stream(
                self.seed,
                Purpose::SimulatedWaits,
                number.into(),
                party.waits.into(),
            );
            if let Some(seconds) = patience.draw(&mut rng) {
                self.agenda
                    .add(now.plus(millis(seconds).max(1)), Happening::GiveUp { ticket: id });
            }
        }
        let mut ticket = Ticket::of(id.0, []);
        ticket.players = players;
        ticket.regions.clone_from(&place.pings);
        let ticket = Arc::new(ticket);
        let waiting = Waiting {
            ticket: Arc::clone(&ticket),
            party: number,
            rating,
            came: now,
            asked: 0,
        };
        self.waiting.insert(id, waiting);
        self.event(events, EventKind::Create(ticket));
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
            players: party.members.clone().collect(),
            rating: waited.rating,
            came: waited.came,
            ended: now,
            fate,
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

    /// A match begins; its result is drawn now and told to ratings and parties at its end.
    fn begin(&mut self, made: &Arc<Match>, now: Time) {
        let (mut teams, mut all_tickets) = (Vec::new(), Vec::new());
        let (mut parties, mut ratings) = (Vec::new(), Vec::new());
        for (team, ids) in made.lobby.teams.iter().enumerate() {
            let (mut players, mut tickets, mut sum) = (Vec::new(), Vec::new(), 0.0);
            for &ticket in ids {
                let Some(waited) = self.end_ticket(ticket, Fate::Matched, now) else {
                    continue;
                };
                let members = self.people.parties[waited.party as usize].members.clone();
                sum += waited.rating * members.len() as f64;
                players.extend(members);
                parties.push((waited.party, team));
                tickets.push(waited.ticket);
            }
            all_tickets.push(tickets);
            ratings.push(sum / players.len().max(1) as f64);
            teams.push(players);
        }
        let skill = |players: &Vec<u32>| {
            let sum: f64 = players
                .iter()
                .map(|&player| self.people.skills[player as usize])
                .sum();
            sum / players.len().max(1) as f64
        };
        let skills: Vec<f64> = teams.iter().map(skill).collect();
        let first = teams.iter().flatten().copied().min().unwrap_or(0);
        let games = self.people.games[first as usize];
        let mut rng = stream(self.seed, Purpose::SimulatedMatches, first.into(), games.into());
        let (true_chance, places) = self.result(&skills, &mut rng);
        let play = &self.scenario.params().play;
        let minutes = play.median_minutes * (play.sigma * standard_normal(&mut rng)).exp();
        for &player in teams.iter().flatten() {
            self.people.games[player as usize] += 1;
        }
        self.agenda.add(
            now.plus(millis(60.0 * minutes)),
            Happening::End { made: made.id.0 },
        );
        let playing = Playing {
            teams: places.iter().copied().zip(teams.iter().cloned()).collect(),
            parties,
        };
        self.playing.insert(made.id.0, playing);
        self.record.played(&PlayedMatch {
            at: now,
            made: Arc::clone(made),
            tickets: all_tickets,
            teams,
            ratings,
            skills,
            true_chance,
            places,
        });
    }

    /// The first team's chance against the second, and the places of all: odds of ten to one for each
    /// `points_for_ten_to_one`; of more than two teams, one place after another by the same odds (Plackett and Luce).
    fn result(&self, skills: &[f64], rng: &mut ChaCha8Rng) -> (f64, Vec<u32>) {
        let play = &self.scenario.params().play;
        let strength = |skill: f64| 10.0_f64.powf((skill - skills[0]) / play.points_for_ten_to_one);
        let strengths: Vec<f64> = skills.iter().map(|&skill| strength(skill)).collect();
        let chance = strengths.get(1).map_or(1.0, |other| 1.0 / (1.0 + other));
        if rng.random::<f64>() < play.draw_rate {
            return (chance, vec![1; skills.len()]);
        }
        let mut places = vec![0; skills.len()];
        for place in 1..=index(skills.len()) {
            let open = || (0..skills.len()).filter(|&team| places[team] == 0);
            let total: f64 = open().map(|team| strengths[team]).sum();
            let mut point = total * rng.random::<f64>();
            let found = open().find(|&team| {
                point -= strengths[team];
                point < 0.0
            });
            if let Some(team) = found.or_else(|| open().next_back()) {
                places[team] = place;
            }
        }
        (chance, places)
    }

    /// Ratings learn, and each party decides what to do.
    fn end_match(&mut self, made: u64, now: Time) -> Result<(), SimulationError> {
        let Some(playing) = self.playing.remove(&made) else {
            return Ok(());
        };
        self.ratings.learn(now, &playing.teams)?;
        let best = playing.teams.iter().filter(|team| team.0 == 1).count();
        let again = self.scenario.params().again;
        for (number, team) in playing.parties {
            let outcome = match (playing.teams[team].0, best) {
                (1, 1) => 0,
                (1, _) => 1,
                _ => 2,
            };
            let party = &mut self.people.parties[number as usize];
            party.doing = Doing::Away;
            if self.scenario.params().people.players.is_none() {
                continue;
            }
            let mut rng = stream(
                self.seed,
                Purpose::SimulatedPauses,
                number.into(),
                party.waits.into(),
            );
            if rng.random::<f64>() < again.next_match[outcome] {
                party.doing = Doing::Busy;
                let drawn: f64 = Exp1.sample(&mut rng);
                let at = now.plus(millis(drawn * again.pause_seconds));
                self.agenda.add(at, Happening::Return { party: number });
            } else if rng.random::<f64>() < again.gone[outcome] {
                party.doing = Doing::Gone;
                let players: Vec<u32> = party.members.clone().collect();
                self.record.gone(&players, now);
            }
        }
        Ok(())
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a float becomes the nearest integer there is"
)]
pub(super) fn millis(seconds: f64) -> i64 {
    (seconds * 1000.0).round() as i64
}
