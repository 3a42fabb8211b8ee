//! Events a second of pairs, one event a step, and the time of one optimal round.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use matchwright_queue::{
    Budget, Event, EventKind, MatchPolicy, Outcome, Pairs, PairsParams, PlayerId, PolicyLabel, ProposalId,
    QueueSettings, State, Ticket, TicketId, Time, WindowParams, step, step_within,
};
use matchwright_sim::policy::{PolicyDocument, load};
use matchwright_sim::random::{standard_normal, stream};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// A stream of events: half create a ticket; the others accept a proposal if one is open, and else cancel a ticket.
pub(crate) struct Driver {
    pub(crate) state: State,
    pub(crate) now: i64,
    /// Milliseconds from event to event.
    pub(crate) spacing: i64,
    /// Of each step.
    pub(crate) budget: Budget,
    rng: ChaCha8Rng,
    events: u64,
    live: Vec<TicketId>,
    asked: VecDeque<(ProposalId, PlayerId)>,
    wakeup: Option<Time>,
    pub(crate) matches: u64,
    pub(crate) mismatch: f64,
    /// Time of each step.
    pub(crate) times: Vec<Duration>,
}

impl Driver {
    pub(crate) fn new(settings: QueueSettings) -> Self {
        Self {
            state: State::new(PolicyLabel::default(), settings),
            now: 0,
            spacing: 1,
            budget: Budget::UNLIMITED,
            rng: stream(1, 901_u64, 0, 0),
            events: 0,
            live: Vec::new(),
            asked: VecDeque::new(),
            wakeup: None,
            matches: 0,
            mismatch: 0.0,
            times: Vec::new(),
        }
    }

    fn step(&mut self, policy: &mut dyn MatchPolicy, now: Time, events: &[Event]) {
        let start = Instant::now();
        let outcome: Outcome = step_within(&mut self.state, policy, now, events, self.budget).unwrap();
        self.times.push(start.elapsed());
        self.wakeup = outcome.wakeup;
        for proposal in outcome.proposals() {
            for ticket in proposal.lobby.tickets() {
                let players = &self.state.pool().get(ticket).unwrap().ticket.players;
                self.asked
                    .extend(players.iter().map(|player| (proposal.id, player.id)));
            }
        }
        for made in outcome.matches() {
            self.matches += 1;
            self.mismatch += made.lobby.mismatch;
        }
    }

    /// Whether no answer is waited for.
    pub(crate) fn is_nobody_asked(&self) -> bool {
        self.asked.is_empty()
    }

    /// One event, and the wakeups before it; `ticket` makes the next newcomer.
    pub(crate) fn event(
        &mut self,
        policy: &mut dyn MatchPolicy,
        creates: bool,
        ticket: &mut dyn FnMut(&mut ChaCha8Rng) -> Ticket,
    ) {
        self.advance(policy);
        let kind = if creates {
            let ticket = ticket(&mut self.rng);
            self.live.push(ticket.id);
            EventKind::Create(ticket.into())
        } else if let Some((proposal, player)) = self.asked.pop_front() {
            EventKind::Accept { proposal, player }
        } else {
            let place = self.rng.random_range(0..self.live.len());
            EventKind::Cancel {
                ticket: self.live.swap_remove(place),
                by: None,
            }
        };
        self.tell(policy, kind);
    }

    /// The time of the next event, and the wakeups before it.
    fn advance(&mut self, policy: &mut dyn MatchPolicy) {
        self.now += self.spacing;
        while let Some(wakeup) = self.wakeup.filter(|wakeup| wakeup.millis() < self.now) {
            self.step(policy, wakeup, &[]);
        }
    }

    /// Such an event now.
    pub(crate) fn tell(&mut self, policy: &mut dyn MatchPolicy, kind: EventKind) {
        self.events += 1;
        let event = [Event::new(self.events, kind)];
        self.step(policy, Time::from_millis(self.now), &event);
    }

    /// What was counted is forgotten.
    pub(crate) fn restart(&mut self) {
        (self.matches, self.mismatch) = (0, 0.0);
        self.times.clear();
    }

    /// Seconds within steps.
    pub(crate) fn spent(&self) -> f64 {
        self.times.iter().sum::<Duration>().as_secs_f64()
    }
}

/// 1v1 with windows that widen, both sides accepting.
pub(crate) fn events() {
    println!("\n## Events a second, 1v1 with a handshake, one event a step\n");
    println!("| waiting | events a second | matches | waiting in the end |");
    println!("|---|---|---|---|");
    for waiting in [10_000_usize, 100_000] {
        let scale = waiting as f64 / 10_000.0;
        // As many neighbours for each whatever the number who wait, and windows as wide after ten times the wait.
        let window = WindowParams {
            start: 0.002,
            per_second: 0.0005 / scale,
            most: Some(5.0),
            ..WindowParams::of("rating")
        };
        let mut policy = Pairs::new(
            "",
            PairsParams {
                windows: vec![window],
                ..PairsParams::default()
            }
            .build()
            .unwrap(),
        );
        let settings = QueueSettings {
            accept_within: Some(20_000),
            remember: 60_000,
            ..QueueSettings::default()
        };
        let mut driver = Driver::new(settings);
        let mut id = 0;
        let mut ticket = |rng: &mut ChaCha8Rng| {
            id += 1;
            Ticket::of_one(id, id).with("rating", 1500.0 + 300.0 * scale * standard_normal(rng))
        };
        while driver.state.pool().len() < waiting {
            let creates = driver.is_nobody_asked() || driver.now % 2 > 0;
            driver.event(&mut policy, creates, &mut ticket);
        }
        driver.restart();
        let events = 1_000_000;
        for event in 0..events {
            driver.event(&mut policy, event % 2 == 0, &mut ticket);
        }
        println!(
            "| {waiting} | {:.0} | {} | {} |",
            f64::from(events) / driver.spent(),
            driver.matches,
            driver.state.pool().len()
        );
    }
}

/// One round of tickets with one rating each, paired optimally within their windows.
pub(crate) fn pairs() {
    println!("\n## One round of 10,000 tickets, paired optimally within their windows\n");
    println!("| width, points | neighbours | matches | seconds |");
    println!("|---|---|---|---|");
    for width in [2.0, 10.0, 40.0] {
        let document = format!(
            "[queue]\nmethod = 'batch'\nbatch = {{ every = 10, choose = 'difference' }}\n[[queue.windows]]\nof = 'rating'\nstart = {width}\n"
        );
        let mut loaded = load(toml::from_str::<PolicyDocument>(&document).unwrap()).unwrap();
        let mut state = State::new(loaded.label.clone(), loaded.settings.clone());
        let mut rng = stream(1, 902_u64, 0, 0);
        let ratings: Vec<f64> = (0..10_000)
            .map(|_| 1500.0 + 300.0 * standard_normal(&mut rng))
            .collect();
        let create =
            |(id, &rating): (u64, &f64)| Event::create(id, Ticket::of_one(id, id).with("rating", rating));
        let events: Vec<Event> = (1..).zip(&ratings).map(create).collect();
        step(&mut state, &mut *loaded.policy, Time::from_millis(1), &events).unwrap();
        let start = Instant::now();
        let outcome = step(&mut state, &mut *loaded.policy, Time::from_millis(10_000), &[]).unwrap();
        let seconds = start.elapsed().as_secs_f64();
        let mut sorted = ratings.clone();
        sorted.sort_by(f64::total_cmp);
        let near = |&rating: &f64| {
            sorted.partition_point(|&other| other <= rating + width)
                - sorted.partition_point(|&other| other < rating - width)
                - 1
        };
        let neighbours = ratings.iter().map(near).sum::<usize>() as f64 / 10_000.0;
        println!(
            "| {width} | {neighbours:.0} | {} | {seconds:.2} |",
            outcome.matches().count()
        );
    }
}
