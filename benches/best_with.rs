//! The best match of single players who come into a large pool: time by part, and quality beside a search of the whole
//! pool.

use std::time::Instant;

use matchwright_lobby::{Annealing, LobbyObjective, LobbyPool, LobbySolver, SomePlayers, best_with};
use matchwright_scoring::{PolicyDecomposition, PolicyDocument, Pool, ScoringPolicy};
use matchwright_sim::adapt::{LobbyScoring, lobby_pool};
use matchwright_sim::population::{LobbyWorldParams, lobby_players};
use matchwright_solver::Limits;

use super::lobby_worlds::{Kind, World};

/// A game: its policy and the size of its teams.
struct Game {
    name: &'static str,
    policy: &'static str,
    team: usize,
}

const GAMES: [Game; 2] = [
    Game {
        name: "Dota",
        policy: include_str!("../examples/policies/dota.toml"),
        team: 5,
    },
    Game {
        name: "Awesomenauts",
        policy: include_str!("../examples/policies/awesomenauts.toml"),
        team: 3,
    },
];

/// Who counts as a neighbour of a party: those nearest in skill of these.
#[derive(Clone, Copy, PartialEq)]
enum Near {
    All,
    /// With a language that all of both parties speak; all, if the members of one have none in common.
    Language,
    Region,
}

impl Near {
    const fn name(self) -> &'static str {
        match self {
            Self::All => "skill",
            Self::Language => "skill, one language",
            Self::Region => "skill, one region",
        }
    }
}

/// Exchanges of a search that finds nearly the best match of a neighbourhood.
const MANY: u64 = 100_000;

/// Players who ask for a match, of those who wait.
const ASKING: usize = 400;

/// Parties who wait, in order of skill.
struct Waiting<'a> {
    pool: &'a Pool,
    parties: Vec<Vec<usize>>,
    /// The parties by mean skill, and the place of each in that order.
    by_skill: Vec<usize>,
    place: Vec<usize>,
    has_left: Vec<bool>,
}

impl<'a> Waiting<'a> {
    fn new(pool: &'a Pool, parties: Vec<Vec<usize>>) -> Self {
        let skill = |party: &[usize]| {
            party.iter().map(|&player| pool.skill(player)).sum::<f64>() / party.len() as f64
        };
        let mut by_skill: Vec<usize> = (0..parties.len()).collect();
        by_skill.sort_by(|&a, &b| skill(&parties[a]).total_cmp(&skill(&parties[b])));
        let mut place = vec![0; parties.len()];
        for (at, &party) in by_skill.iter().enumerate() {
            place[party] = at;
        }
        Self {
            pool,
            has_left: vec![false; parties.len()],
            parties,
            by_skill,
            place,
        }
    }

    fn near(&self, near: Near, party: usize, other: usize) -> bool {
        let (pool, own, its) = (self.pool, &self.parties[party], &self.parties[other]);
        match near {
            Near::All => true,
            Near::Region => pool[own[0]].region == pool[its[0]].region,
            Near::Language => {
                let speak = |party: &[usize], language: &str| {
                    party.iter().all(|&player| pool.speaks(player, language))
                };
                let common = |of: &[usize]| {
                    let languages = pool[of[0]].languages.iter();
                    languages
                        .filter(|language| speak(of, language))
                        .collect::<Vec<_>>()
                };
                let own = common(own);
                own.is_empty() || own.iter().any(|language| speak(its, language))
            }
        }
    }

    /// The party, and those who wait nearest to it in skill, until they are at least this many players.
    fn neighbours(&self, near: Near, party: usize, players: usize) -> Vec<usize> {
        let place = self.place[party];
        let waits = |other: &&usize| !self.has_left[**other] && self.near(near, party, **other);
        let mut below = self.by_skill[..place].iter().rev().filter(waits);
        let mut above = self.by_skill[place + 1..].iter().filter(waits);
        let mut found = vec![party];
        let mut count = self.parties[party].len();
        while count < players {
            let two = [below.next(), above.next()];
            if two == [None; 2] {
                break;
            }
            for &other in two.into_iter().flatten() {
                count += self.parties[other].len();
                found.push(other);
            }
        }
        found
    }
}

/// Some players of a pool as a pool of their own, and their indices.
fn neighbourhood(waiting: &Waiting<'_>, parties: &[usize], team: usize) -> Option<(LobbyPool, Vec<usize>)> {
    let mut names: Vec<usize> = Vec::new();
    let mut local = Vec::with_capacity(parties.len());
    for &party in parties {
        let members = &waiting.parties[party];
        local.push((names.len()..names.len() + members.len()).collect());
        names.extend(members);
    }
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by(|&a, &b| {
        waiting
            .pool
            .skill(names[a])
            .total_cmp(&waiting.pool.skill(names[b]))
    });
    let pool = LobbyPool::new(names.len(), [team, team]).ok()?;
    let pool = pool.with_parties(&local).unwrap().with_order(&order).unwrap();
    Some((pool, names))
}

/// A policy by its parts, which is no sum, and yet many times as fast as the policy itself.
struct Parts(PolicyDecomposition);

impl LobbyObjective for Parts {
    fn quality(&self, team_a: &[usize], team_b: &[usize]) -> Option<f64> {
        self.0.quality([team_a, team_b])
    }
}

/// Times in microseconds a call, and qualities.
#[derive(Default)]
struct Measured {
    pool: f64,
    evaluator: f64,
    all: f64,
    found: usize,
    quality: f64,
    calls: usize,
}

impl Measured {
    /// One call for a party among these; the players of its match, if there is one.
    fn call(
        &mut self,
        scoring: &LobbyScoring<'_>,
        waiting: &Waiting<'_>,
        parties: &[usize],
        team: usize,
        work: u64,
    ) -> Vec<usize> {
        let start = Instant::now();
        let Some((pool, names)) = neighbourhood(waiting, parties, team) else {
            return Vec::new();
        };
        self.pool += 1e6 * start.elapsed().as_secs_f64();
        let all: Vec<usize> = (0..names.len()).collect();
        let some = SomePlayers {
            objective: scoring,
            players: &names,
        };
        let start = Instant::now();
        drop(std::hint::black_box(some.evaluator(&all, (team, team))));
        self.evaluator += 1e6 * start.elapsed().as_secs_f64();
        let start = Instant::now();
        let lobby = best_with(&pool, &some, 0, &Limits::unlimited().with_work(work)).unwrap();
        self.all += 1e6 * start.elapsed().as_secs_f64();
        self.calls += 1;
        lobby.map_or_else(Vec::new, |lobby| {
            self.found += 1;
            self.quality += lobby.quality;
            some.names(&lobby.players().collect::<Vec<_>>())
        })
    }

    fn mean_quality(&self) -> f64 {
        self.quality / self.found.max(1) as f64
    }
}

/// Prints times and qualities for pools of this many players from a seed.
pub fn print_tables(players: usize, seed: u64, seconds: f64) {
    for game in &GAMES {
        let params = LobbyWorldParams {
            players,
            walled: 0.0,
            ..LobbyWorldParams::default()
        };
        let pool = Pool::new(lobby_players(&params, seed).unwrap()).unwrap();
        let document: PolicyDocument = toml::from_str(game.policy).unwrap();
        let policy = document.scoring.unwrap().build().unwrap();
        println!(
            "\n## {}: {} against {}, {players} players wait\n",
            game.name, game.team, game.team
        );
        single_matches(&pool, &policy, game.team);
        whole_pool(&pool, &policy, game.team, (seed, seconds));
    }
    generated_worlds(seed);
}

/// The best match of each of some players, all the others waiting.
fn single_matches(pool: &Pool, policy: &ScoringPolicy, team: usize) {
    let scoring = LobbyScoring { pool, policy };
    let lobbies = lobby_pool(pool, [team, team]).unwrap();
    let waiting = Waiting::new(pool, lobbies.parties().to_vec());
    println!(
        "| neighbours | players | pool (us) | evaluator (us) | evaluator and search (us) | found (%) | mean quality | of that of {MANY} \
         exchanges (%) |\n|---|---:|---:|---:|---:|---:|---:|---:|"
    );
    for near in [Near::All, Near::Language, Near::Region] {
        for players in [20, 30, 40, 60, 80] {
            let [mut once, mut short, mut long] = [(); 3].map(|()| Measured::default());
            for asking in 0..ASKING.min(waiting.parties.len()) {
                let party = asking * waiting.parties.len() / ASKING.min(waiting.parties.len());
                let near = waiting.neighbours(near, party, players);
                once.call(&scoring, &waiting, &near, team, WORK);
                if asking % 20 == 0 {
                    short.call(&scoring, &waiting, &near, team, WORK);
                    long.call(&scoring, &waiting, &near, team, MANY);
                }
            }
            let calls = once.calls.max(1) as f64;
            println!(
                "| {} | {players} | {:.1} | {:.1} | {:.1} | {:.1} | {:.4} | {:.1} |",
                near.name(),
                once.pool / calls,
                once.evaluator / calls,
                once.all / calls,
                100.0 * once.found as f64 / calls,
                once.mean_quality(),
                100.0 * short.mean_quality() / long.mean_quality()
            );
        }
    }
}

/// Exchanges of a call, the default.
const WORK: u64 = 1000;

/// Match after match, each the best of one player's 40 nearest, whose players leave; beside a search of the whole pool.
fn whole_pool(pool: &Pool, policy: &ScoringPolicy, team: usize, (seed, seconds): (u64, f64)) {
    let scoring = LobbyScoring { pool, policy };
    let lobbies = lobby_pool(pool, [team, team]).unwrap();
    println!(
        "\n| lineups | seconds | matches | mean quality | to the better annealing |\n|---|---:|---:|---:|---:|"
    );
    let annealed = |name: &str, objective: &dyn LobbyObjective| {
        let start = Instant::now();
        let watch = |_: &matchwright_solver::Progress| start.elapsed().as_secs_f64() / seconds;
        let limits = Limits::unlimited().with_watch(&watch);
        let annealing = Annealing::new(seed).with_moves(u64::MAX);
        let lineups = annealing.solve_within(&lobbies, objective, &limits).unwrap();
        println!(
            "| {name} | {:.2} | {} | {:.4} | |",
            start.elapsed().as_secs_f64(),
            lineups.lobbies.len(),
            lineups.mean_quality()
        );
        lineups.mean_quality()
    };
    let mut batch = annealed("annealing of the whole pool", &scoring);
    let all: Vec<usize> = (0..pool.len()).collect();
    if scoring.lobby_terms(&all[..2 * team], (team, team)).is_err()
        && let Some(parts) = policy.decomposition(pool, &all, team)
    {
        batch = annealed("annealing, evaluated as quickly as here", &Parts(parts)).max(batch);
    }
    for near in [Near::All, Near::Language, Near::Region] {
        let mut waiting = Waiting::new(pool, lobbies.parties().to_vec());
        let mut measured = Measured::default();
        let start = Instant::now();
        for party in 0..waiting.parties.len() {
            if waiting.has_left[party] {
                continue;
            }
            let near = waiting.neighbours(near, party, 40);
            for player in measured.call(&scoring, &waiting, &near, team, WORK) {
                waiting.has_left[lobbies.party_index(player)] = true;
            }
        }
        println!(
            "| match by match, neighbours by {} | {:.2} | {} | {:.4} | {:.3} |",
            near.name(),
            start.elapsed().as_secs_f64(),
            measured.found,
            measured.mean_quality(),
            measured.mean_quality() / batch
        );
    }
}

/// In worlds where other things count: the default work against a long search.
fn generated_worlds(seed: u64) {
    println!("\n## Generated worlds of 40 players\n");
    println!(
        "| world | teams | call (us) | mean quality | of {MANY} exchanges | ratio |\n|---|---|---:|---:|---:|---:|"
    );
    for kind in Kind::ALL {
        for (team, in_parties) in [(2, false), (3, false), (5, false), (5, true)] {
            let (mut time, mut once, mut long) = (0.0, 0.0, 0.0);
            for round in 0..20 {
                let world = World::new(kind, 40, (team, team), in_parties, seed + round);
                let pool = LobbyPool::new(40, [team, team]).unwrap();
                let pool = pool.with_parties(&world.parties).unwrap();
                let pool = pool.with_order(&world.order()).unwrap();
                let start = Instant::now();
                let quality = |work| {
                    let limits = Limits::unlimited().with_work(work);
                    let lobby = best_with(&pool, &world, 0, &limits).unwrap();
                    lobby.map_or(0.0, |lobby| lobby.quality)
                };
                once += quality(WORK);
                time += 1e6 * start.elapsed().as_secs_f64();
                long += quality(MANY);
            }
            println!(
                "| {} | {team} v {team}{} | {:.0} | {:.5} | {:.5} | {:.4} |",
                kind.name(),
                if in_parties { ", parties" } else { "" },
                time / 20.0,
                once / 20.0 / kind.scale(),
                long / 20.0 / kind.scale(),
                once / long
            );
        }
    }
}
