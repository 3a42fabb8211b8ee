//! A queue for five against five: a policy from a document, parties, ratings by TrueSkill, a journal on disk.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use matchwright_queue::live::{Files, Loaded, Loader, Options, Queue};
use matchwright_queue::{Event, Ticket, TicketId, Time, Value};
use matchwright_rating::store::RatingStore;
use matchwright_rating::{Side, TeamGame, TrueSkill, TrueSkillParams};
use matchwright_sim::policy;

type Tried<T> = Result<T, Box<dyn Error>>;

/// From the text of a policy, which a queue keeps with its journal.
fn load(text: &str) -> Result<Loaded, String> {
    let document: policy::PolicyDocument = toml::from_str(text).map_err(|error| error.to_string())?;
    let loaded = policy::load(document).map_err(|error| error.to_string())?;
    Ok(Loaded { label: loaded.label, settings: loaded.settings, policy: loaded.policy })
}

pub struct Server {
    ratings: RatingStore<TrueSkill, TeamGame<u64>>,
    queue: Queue<()>,
}

impl Server {
    /// Goes on with the files of a folder, or begins with a policy.
    pub fn open(folder: &Path, policy: &str) -> Tried<Self> {
        let load: Loader = Arc::new(load);
        Ok(Self {
            ratings: RatingStore::by_game(TrueSkillParams::default().build()?),
            queue: Queue::open(Files::new(folder)?, policy, &load, Options::default())?,
        })
    }

    /// Learns from a game that the first five won.
    pub fn played(&mut self, time: i64, [won, lost]: [[u64; 5]; 2]) -> Tried<()> {
        self.ratings.add(time, TeamGame::new(vec![Side::new(1, won), Side::new(2, lost)])?)?;
        Ok(())
    }

    /// Parties come, each with a ticket of its number. The tickets of each team of each match that starts.
    pub fn step(&mut self, now: i64, parties: &[(u64, &[u64])]) -> Tried<Vec<Vec<Vec<u64>>>> {
        let create = |&(id, players): &(u64, &[u64])| {
            let mut ticket = Ticket::of(id, players.iter().copied());
            for member in &mut ticket.players {
                let rating = self.ratings.standing(&member.id.0).map_or(25.0, |known| known.rating.rating());
                member.attributes.insert("skill", Value::Number(rating));
            }
            Event::create(id, ticket)
        };
        let events: Vec<Event> = parties.iter().map(create).collect();
        let steps = self.queue.advance(Time::from_millis(now), &events, |_, _| {})?;
        let matches = steps.iter().flat_map(|step| step.record.outcome.matches());
        let team = |team: &Vec<TicketId>| team.iter().map(|ticket| ticket.0).collect();
        Ok(matches.map(|made| made.lobby.teams.iter().map(team).collect()).collect())
    }
}

#[test]
fn parties_stay_together_and_a_restart_loses_nobody() -> Tried<()> {
    let folder = std::env::temp_dir().join(format!("team-queue-{}", std::process::id()));
    let mut server = Server::open(&folder, include_str!("policy.toml"))?;
    for time in 0..3 {
        server.played(time, [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]])?;
    }
    assert!(server.step(0, &[(1, &[1, 2]), (2, &[6, 7, 8]), (3, &[3, 4, 5])])?.is_empty());
    drop(server);
    let mut server = Server::open(&folder, "")?;
    // The three who won before meet the three who lost, each with a party of two.
    let made = server.step(60_000, &[(4, &[9, 10])])?;
    let [teams] = &made[..] else { panic!("{made:?}") };
    assert!(teams.iter().all(|team| team.len() == 2), "{teams:?}");
    std::fs::remove_dir_all(&folder)?;
    Ok(())
}
