//! Random matches of a generated population. The shape of the world is ours, the article gives none: most players in
//! one region, a tenth far away, 40 % in parties.

use anyhow::Result;
use matchwright_scoring::{Player, Pool};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::check::matches::players;
use crate::random::check_stream;
use matchwright_sim::random::standard_normal;

/// How many players there are.
const PLAYERS: usize = 600;

/// The players, and matches of three against three in which every party is whole.
pub(crate) struct World {
    pub(crate) pool: Pool,
    pub(crate) matches: Vec<[Vec<usize>; 2]>,
}

impl World {
    /// Players, and this many matches of players who were drawn at random.
    pub(crate) fn new(seed: u64, matches: usize) -> Result<Self> {
        let mut rng = check_stream(seed, 47, 0);
        let mut all = players(PLAYERS);
        let mut units: Vec<Vec<usize>> = Vec::new();
        let mut next = 0;
        while next < PLAYERS {
            // A fifth of the players in pairs, a fifth in threes.
            let size = match rng.random::<f64>() {
                share if share < 0.6 / 0.7667 => 1,
                share if share < 0.7 / 0.7667 => 2,
                _ => 3,
            };
            let end = (next + size).min(PLAYERS);
            let level = 9_000.0 + 3_000.0 * standard_normal(&mut rng);
            let far = rng.random_bool(0.1);
            for player in &mut all[next..end] {
                fill(&mut rng, player, level, far);
                player.party = (end - next > 1).then(|| format!("party of p{next}"));
            }
            units.push((next..end).collect());
            next = end;
        }
        let mut drawn = Vec::with_capacity(matches);
        while drawn.len() < matches {
            drawn.push(draw(&mut rng, &units));
        }
        Ok(Self {
            pool: Pool::new(all)?,
            matches: drawn,
        })
    }
}

fn fill(rng: &mut ChaCha8Rng, player: &mut Player, level: f64, far: bool) {
    // Members of a party are more alike than strangers.
    let skill: f64 = level + 1_500.0 * standard_normal(rng);
    player.skill = Some(skill.clamp(0.0, 22_000.0));
    let (near, away) = (rng.random_range(10.0..40.0), rng.random_range(90.0..160.0));
    let (eu, us) = if far { (away, near) } else { (near, away) };
    player.pings.insert("eu".to_owned(), eu);
    player.pings.insert("us".to_owned(), us);
    player.can_host = Some(rng.random_bool(0.6));
    for _ in 0..3 {
        let other = format!("p{}", rng.random_range(0..PLAYERS));
        if other != player.id {
            player.recent_opponents.push(other);
        }
    }
}

/// Two teams, filled with parties and players as they are drawn, each in the first team that has room.
fn draw(rng: &mut ChaCha8Rng, units: &[Vec<usize>]) -> [Vec<usize>; 2] {
    let mut teams = [Vec::new(), Vec::new()];
    while teams.iter().any(|team| team.len() < 3) {
        let unit = &units[rng.random_range(0..units.len())];
        let taken = |team: &Vec<usize>| team.contains(&unit[0]);
        if !teams.iter().any(taken)
            && let Some(team) = teams.iter_mut().find(|team| team.len() + unit.len() <= 3)
        {
            team.extend(unit);
        }
    }
    teams
}
