//! A game server: ratings by Glicko-2, exact pairs by skill gap every ten seconds.

use std::error::Error;

use matchwright_queue::{Event, QueueSettings, Schedule, State, Ticket, Time, step};
use matchwright_rating::history::{HistoryBuilder, NamedGame};
use matchwright_rating::{Glicko2Params, PeriodChoice, Score};
use matchwright_scoring::{Projection, SkillGapParams, TeamMatch};
use matchwright_sim::policy::{Batch, LoadedPolicy};
use matchwright_sim::rate::{PairRater, RatingStream};
use matchwright_solver::ExactPairing;

pub struct Server {
    games: HistoryBuilder,
    ratings: RatingStream,
    queue: State,
    policy: LoadedPolicy,
}

impl Server {
    pub fn new() -> Result<Self, Box<dyn Error>> {
        let gap = SkillGapParams { scale: 400.0, cap: Some(300.0) }.build()?;
        let skills = |m: &TeamMatch<'_>| {
            let skill = |team: usize| m.pool()[m.teams()[team][0]].skill.unwrap_or(1500.0);
            (skill(0), skill(1))
        };
        let rounds = Schedule { every: Some(10_000), at: None, longest_wait: None };
        let pairs = Batch::scored_by("", rounds, Projection::new(gap, skills)).pairing_by(ExactPairing::minimum());
        let settings = QueueSettings { queues: [(String::new(), vec![1, 1])].into(), ..QueueSettings::default() };
        let policy = LoadedPolicy::of("pairs", settings, pairs)?;
        let glicko = Glicko2Params::default().build()?;
        Ok(Self {
            games: HistoryBuilder::default(),
            ratings: RatingStream::of(Box::new(PairRater::new(glicko, PeriodChoice::Game)?)),
            queue: State::new(policy.label.clone(), policy.settings.clone()),
            policy,
        })
    }

    /// Learns from a game that `players[0]` won.
    pub fn played(&mut self, time: i64, players: [&str; 2]) -> Result<(), Box<dyn Error>> {
        self.games.push(&NamedGame::duel(time, players, Score::WIN, 0.0))?;
        self.ratings.play(self.games.so_far())?;
        self.games.forget_games();
        Ok(())
    }

    /// Who plays whom by now, as numbers of tickets; those who come are named with theirs.
    pub fn step(&mut self, now: i64, come: &[(u64, &str)]) -> Result<Vec<Vec<u64>>, Box<dyn Error>> {
        let known = self.games.so_far().players();
        let skill = |name: &str| known.iter().position(|one| one == name).map_or(1500.0, |at| self.ratings.rating(at as u32).0);
        let event = |&(id, name): &(u64, &str)| Event::create(id, Ticket::of_one(id, id).with("skill", skill(name)));
        let events: Vec<Event> = come.iter().map(event).collect();
        let done = step(&mut self.queue, &mut *self.policy.policy, Time::from_millis(now), &events)?;
        Ok(done.matches().map(|one| one.lobby.tickets().map(|ticket| ticket.0).collect()).collect())
    }
}

#[test]
fn the_stronger_two_and_the_weaker_two_meet() -> Result<(), Box<dyn Error>> {
    let mut server = Server::new()?;
    for time in 0..6 {
        server.played(time, ["ann", "bob"])?;
        server.played(time, ["cyd", "dot"])?;
    }
    assert!(server.step(0, &[(1, "ann"), (2, "bob"), (3, "dot"), (4, "cyd")])?.is_empty());
    assert_eq!(server.step(10_000, &[])?, [[1, 4], [2, 3]]);
    Ok(())
}
