//! Generated worlds of players who wait for a match of two teams: what counts differs from world to world, so that a
//! search is not tuned to one.

use std::ops::RangeInclusive;
use std::time::Instant;

use matchwright_lobby::{
    Annealing, Balance, CertifiedLobbies, Lineups, LobbyObjective, LobbyPool, LobbySolver, LobbyTerms,
    verify_lobbies_within,
};
use matchwright_solver::{Limits, Progress};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What a match is judged by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Skill alone: players of one strength, teams of equal strength.
    Skills,
    /// Pings between players of eight regions, and skill.
    Regions,
    /// As `Regions`, with half of the players in parties of all sizes, and parties balanced between the teams.
    Parties,
    /// Skill, and a bonus of .2 for mates who speak one language.
    Languages,
    /// Skill, and roles that few play: two tanks are never mates, and healers are balanced.
    Roles,
    /// As `Parties`, all terms times .001.
    Small,
}

impl Kind {
    /// All worlds.
    pub const ALL: [Self; 6] = [
        Self::Skills,
        Self::Regions,
        Self::Parties,
        Self::Languages,
        Self::Roles,
        Self::Small,
    ];

    /// What all its qualities are multiplied by.
    pub fn scale(self) -> f64 {
        if self == Self::Small { 0.001 } else { 1.0 }
    }

    /// Its name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Skills => "skills",
            Self::Regions => "regions",
            Self::Parties => "parties",
            Self::Languages => "languages",
            Self::Roles => "roles",
            Self::Small => "x .001",
        }
    }
}

/// One player.
#[derive(Debug, Clone)]
struct Player {
    skill: f64,
    place: [f64; 2],
    /// Milliseconds from the player's home to the network.
    last_mile: f64,
    language: usize,
    tank: bool,
    healer: bool,
}

/// Players and what their matches are judged by.
#[derive(Debug, Clone)]
pub struct World {
    kind: Kind,
    sizes: (usize, usize),
    players: Vec<Player>,
    /// Parties of two and more.
    pub parties: Vec<Vec<usize>>,
    party_size: Vec<f64>,
}

/// A difference between the teams that counts: the players' levels, what no difference is worth, and from which
/// difference on nothing is left of it.
pub struct Balanced {
    /// Each player's level.
    pub levels: Vec<f64>,
    /// What no difference is worth.
    pub weight: f64,
    /// From this difference on it is worth nothing.
    pub width: f64,
}

impl World {
    /// A world of this kind from a seed; `in_parties` asks for parties where the kind has none.
    pub fn new(kind: Kind, players: usize, sizes: (usize, usize), in_parties: bool, seed: u64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed ^ ((kind as u64) << 32));
        let mut normal = move || {
            let (u, v): (f64, f64) = (random.random(), random.random());
            (-2.0 * (1.0 - u).ln()).sqrt() * (std::f64::consts::TAU * v).cos()
        };
        let mut random = ChaCha8Rng::seed_from_u64(seed ^ ((kind as u64) << 32) ^ (1 << 60));
        let centres: Vec<[f64; 2]> = (0..8)
            .map(|_| [200.0 * random.random::<f64>(), 120.0 * random.random::<f64>()])
            .collect();
        let people = (0..players)
            .map(|_| {
                // The first regions and languages have the most players.
                let uneven = |random: &mut ChaCha8Rng, of: usize| {
                    (random.random::<f64>().powi(2) * of as f64) as usize
                };
                let centre = centres[uneven(&mut random, 8)];
                let role: f64 = random.random();
                Player {
                    skill: 1500.0 + 300.0 * normal(),
                    place: [centre[0] + 8.0 * normal(), centre[1] + 8.0 * normal()],
                    last_mile: 5.0 + 10.0 * random.random::<f64>(),
                    language: uneven(&mut random, 6),
                    tank: role < 0.15,
                    healer: role > 0.85,
                }
            })
            .collect();
        let mut world = Self {
            kind,
            sizes,
            players: people,
            parties: Vec::new(),
            party_size: vec![1.0; players],
        };
        // A party of two does not fit into a team of one.
        if sizes.0.min(sizes.1) > 1 && (in_parties || matches!(kind, Kind::Parties | Kind::Small)) {
            world.form_parties(&mut random);
        }
        world
    }

    /// Half of the players in parties of two up to a team's size, friends being of one region and language.
    fn form_parties(&mut self, random: &mut ChaCha8Rng) {
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        order.shuffle(random);
        let largest = self.sizes.0.min(self.sizes.1);
        let (mut next, half) = (0, self.players.len() / 2);
        while next < half {
            let size = 2 + random.random_range(0..largest - 1);
            let party: Vec<usize> = order[next..(next + size).min(order.len())].to_vec();
            let (place, language) = (self.players[party[0]].place, self.players[party[0]].language);
            let mut tank = false;
            for &player in &party {
                (self.players[player].place, self.players[player].language) = (place, language);
                // Friends have one tank at most.
                self.players[player].tank &= !tank;
                tank |= self.players[player].tank;
                self.party_size[player] = party.len() as f64;
            }
            self.parties.push(party);
            next += size;
        }
    }

    /// Pairs of a match, and pairs of mates.
    fn pairs(&self) -> (f64, f64) {
        let pairs = |size: usize| (size * (size - 1)) as f64 / 2.0;
        (
            pairs(self.sizes.0 + self.sizes.1),
            (pairs(self.sizes.0) + pairs(self.sizes.1)).max(1.0),
        )
    }

    /// What any two players of a match are worth.
    fn any(&self, i: usize, j: usize) -> f64 {
        let (one, other) = (&self.players[i], &self.players[j]);
        let skill = (1.0 - (one.skill - other.skill).abs() / 800.0).max(0.0);
        let distance = (one.place[0] - other.place[0]).hypot(one.place[1] - other.place[1]);
        let ping = (1.0 - (distance + one.last_mile + other.last_mile) / 150.0).max(0.0);
        let worth = match self.kind {
            Kind::Skills => 0.5 * skill,
            Kind::Regions | Kind::Parties | Kind::Small => 0.2 * skill + 0.5 * ping,
            Kind::Languages => 0.4 * skill,
            Kind::Roles => 0.45 * skill,
        };
        self.kind.scale() * worth / self.pairs().0
    }

    /// What two mates are worth; `None` if they must not be mates.
    pub fn together(&self, i: usize, j: usize) -> Option<f64> {
        let (one, other) = (&self.players[i], &self.players[j]);
        if self.kind == Kind::Roles && one.tank && other.tank {
            return None;
        }
        let bonus = if self.kind == Kind::Languages && one.language == other.language {
            0.2
        } else {
            0.0
        };
        Some(self.any(i, j) + bonus / self.pairs().1)
    }

    /// What two opponents are worth.
    pub fn against(&self, i: usize, j: usize) -> f64 {
        self.any(i, j)
    }

    /// The differences between teams that count.
    pub fn balances(&self, names: &[usize]) -> Vec<Balanced> {
        let of = |level: &dyn Fn(usize) -> f64, weight: f64, width: f64| Balanced {
            levels: names.iter().map(|&name| level(name)).collect(),
            weight: self.kind.scale() * weight,
            width,
        };
        let skill = |player: usize| self.players[player].skill;
        let party = |player: usize| self.party_size[player];
        let healer = |player: usize| f64::from(u8::from(self.players[player].healer));
        let tank = |player: usize| f64::from(u8::from(self.players[player].tank));
        match self.kind {
            Kind::Skills => vec![of(&skill, 0.5, 250.0)],
            Kind::Regions => vec![of(&skill, 0.3, 250.0)],
            Kind::Parties | Kind::Small => vec![of(&skill, 0.2, 250.0), of(&party, 0.1, 3.0)],
            Kind::Languages => vec![of(&skill, 0.4, 250.0)],
            Kind::Roles => vec![
                of(&skill, 0.35, 250.0),
                of(&healer, 0.1, 0.5),
                of(&tank, 0.1, 0.5),
            ],
        }
    }

    /// The order in which neighbours are likely to make a good match: by skill alone.
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        order.sort_by(|&a, &b| self.players[a].skill.total_cmp(&self.players[b].skill));
        order
    }

    /// The quality of a match, term by term.
    pub fn quality(&self, a: &[usize], b: &[usize]) -> Option<f64> {
        let mut sum = 0.0;
        for team in [a, b] {
            for (k, &i) in team.iter().enumerate() {
                for &j in &team[..k] {
                    sum += self.together(i, j)?;
                }
            }
        }
        for &i in a {
            for &j in b {
                sum += self.against(i, j);
            }
        }
        let players = [a, b].concat();
        for balanced in self.balances(&players) {
            let mean = |levels: &[f64]| levels.iter().sum::<f64>() / levels.len() as f64;
            let (one, other) = balanced.levels.split_at(a.len());
            let gap = (mean(one) - mean(other)).abs();
            sum += balanced.weight * (1.0 - gap / balanced.width).max(0.0);
        }
        Some(sum.clamp(0.0, 1.0))
    }
}

impl LobbyObjective for World {
    fn quality(&self, team_a: &[usize], team_b: &[usize]) -> Option<f64> {
        World::quality(self, team_a, team_b)
    }

    fn terms(&self, players: &[usize], _: (usize, usize)) -> Option<LobbyTerms> {
        let terms = LobbyTerms::new(players.len()).ok()?.with_pairs(
            |i, j| self.together(players[i], players[j]),
            |i, j| Some(self.against(players[i], players[j])),
        );
        self.balances(players)
            .into_iter()
            .try_fold(terms.ok()?, |terms, balanced| {
                let Balanced {
                    levels,
                    weight,
                    width,
                } = balanced;
                let worth = move |gap: f64| weight * (1.0 - gap / width).max(0.0);
                terms.with_balance(Balance::new(levels, weight, worth)).ok()
            })
    }
}

/// A world and the pool of its players, in the order of their skill.
struct Waiting {
    world: World,
    pool: LobbyPool,
}

impl Waiting {
    fn new(kind: Kind, players: usize, team: usize, in_parties: bool, seed: u64) -> Self {
        let world = World::new(kind, players, (team, team), in_parties, seed);
        let pool = LobbyPool::new(players, [team, team]).unwrap();
        let pool = pool.with_parties(&world.parties).unwrap();
        let pool = pool.with_order(&world.order()).unwrap();
        Self { world, pool }
    }

    /// The mean quality of the matches; those that were not made count as 0.
    fn mean_quality(&self, lineups: &Lineups) -> f64 {
        let sum: f64 = lineups.lobbies.iter().map(|lobby| lobby.quality).sum();
        sum / (self.pool.players() / self.pool.match_size()) as f64 / self.world.kind.scale()
    }

    /// The lineups that a search finds in this time, and the seconds that it takes.
    fn within(&self, seconds: f64, search: &dyn LobbySolver) -> (Lineups, f64) {
        let start = Instant::now();
        let watch = |_: &Progress| start.elapsed().as_secs_f64() / seconds;
        let limits = Limits::unlimited().with_watch(&watch);
        let lineups = search.solve_within(&self.pool, &self.world, &limits).unwrap();
        (lineups, start.elapsed().as_secs_f64())
    }

    /// Full teams of neighbours in skill.
    fn sorted(&self) -> Lineups {
        let teams = self.pool.starting_teams(0.0, 0);
        let matches = teams[..teams.len() - 1].chunks_exact(2);
        let matches = matches.map(<[Vec<usize>]>::to_vec);
        let allowed = matches.filter(|teams| self.world.quality_of(teams).is_some());
        Lineups::of_teams(&self.pool, &self.world, allowed).unwrap()
    }
}

/// Prints the mean quality that the search finds in each world, by team size and players, in this time on one thread.
///
/// To compare two versions of the search, run both on the same seeds, alone on the machine.
pub fn print_table(seeds: RangeInclusive<u64>, sizes: &[usize], seconds: f64) {
    println!("| world | teams | players | mean quality | proposals |\n|---|---|---|---|---|");
    for kind in Kind::ALL {
        for (team, in_parties) in [(2, false), (3, false), (5, false), (5, true)] {
            for &players in sizes {
                let (mut quality, mut tried) = (0.0, 0.0);
                for seed in seeds.clone() {
                    let waiting = Waiting::new(kind, players, team, in_parties, seed);
                    let search = Annealing::new(seed).with_moves(u64::MAX);
                    let (lineups, _) = waiting.within(seconds, &search);
                    quality += waiting.mean_quality(&lineups);
                    tried += lineups.work as f64;
                }
                let count = seeds.clone().count() as f64;
                println!(
                    "| {} | {team} v {team}{} | {players} | {:.5} | {:.1} M |",
                    kind.name(),
                    if in_parties { ", parties" } else { "" },
                    quality / count,
                    tried / count / 1e6
                );
            }
        }
    }
}

/// Prints what certified lobbies are worth beside annealing and sorting by skill, at equal time on one thread.
pub fn print_certified(seeds: RangeInclusive<u64>, sizes: &[usize]) {
    println!(
        "| world | teams | players | seconds | certified | annealing | sorted | below the best (%) | gap (%) | most \
         seconds |\n|---|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    );
    let mut worst = f64::NEG_INFINITY;
    for kind in Kind::ALL {
        for (team, in_parties) in [(3, false), (5, true)] {
            for (players, seconds) in sizes.iter().flat_map(|&n| [(n, 0.1), (n, 1.0)]) {
                let (mut means, mut gap, mut most) = ([0.0; 3], 0.0, 0.0_f64);
                for seed in seeds.clone() {
                    let waiting = Waiting::new(kind, players, team, in_parties, seed);
                    let certified = CertifiedLobbies::new(seed).with_moves(u64::MAX);
                    let (proven, took) = waiting.within(seconds, &certified);
                    let annealing = Annealing::new(seed).with_moves(u64::MAX);
                    let (searched, _) = waiting.within(seconds, &annealing);
                    for (mean, lineups) in means.iter_mut().zip([&proven, &searched, &waiting.sorted()]) {
                        *mean += waiting.mean_quality(lineups) / seeds.clone().count() as f64;
                    }
                    // Of the matches' qualities: the value may be next to nothing where players stay unmatched.
                    let bound = proven
                        .certificate
                        .as_ref()
                        .map_or(f64::INFINITY, |found| found.bound);
                    let sum: f64 = proven.lobbies.iter().map(|lobby| lobby.quality).sum();
                    gap += 100.0 * (bound - proven.value) / sum / seeds.clone().count() as f64;
                    most = most.max(took);
                }
                let best = means.into_iter().fold(f64::NEG_INFINITY, f64::max);
                let below = 100.0 * (1.0 - means[0] / best);
                worst = worst.max(below);
                println!(
                    "| {} | {team} v {team}{} | {players} | {seconds} | {:.5} | {:.5} | {:.5} | {below:.3} | {gap:.2} | \
                     {most:.3} |",
                    kind.name(),
                    if in_parties { ", parties" } else { "" },
                    means[0],
                    means[1],
                    means[2]
                );
            }
        }
    }
    println!("\nCertified is at most {worst:.3} % below the best of the three.");
}

/// Prints by how much searches and verifications of random pools overrun random deadlines.
pub fn print_deadlines(seeds: RangeInclusive<u64>) {
    println!("| seed | world | teams | players | deadline (s) | search (s) | verification (s) | kept |");
    println!("|---:|---|---|---:|---:|---:|---:|---|");
    let mut late = 0;
    for seed in seeds.clone() {
        let mut random = ChaCha8Rng::seed_from_u64(seed ^ 0x6465_6164);
        let kind = Kind::ALL[random.random_range(0..Kind::ALL.len())];
        let (team, in_parties) = (random.random_range(1..=6), random.random());
        let players = (12.0 * 100_f64.powf(random.random())) as usize;
        let deadline = 0.05 * 20_f64.powf(random.random());
        let waiting = Waiting::new(kind, players, team, in_parties, seed);
        let search = CertifiedLobbies::new(seed).with_moves(u64::MAX);
        let (lineups, searched) = waiting.within(deadline, &search);
        let start = Instant::now();
        let watch = |_: &Progress| start.elapsed().as_secs_f64() / deadline;
        let limits = Limits::unlimited().with_watch(&watch);
        verify_lobbies_within(&waiting.pool, &waiting.world, &lineups, &limits).unwrap();
        let verified = start.elapsed().as_secs_f64();
        let allowed = (1.1 * deadline).max(deadline + 0.05);
        let is_kept = searched.max(verified) <= allowed;
        late += usize::from(!is_kept);
        println!(
            "| {seed} | {} | {team} v {team}{} | {players} | {deadline:.3} | {searched:.3} | {verified:.3} | {} |",
            kind.name(),
            if in_parties { ", parties" } else { "" },
            if is_kept { "yes" } else { "no" }
        );
    }
    println!(
        "\n{late} of {} are late by more than 10 % and 50 ms.",
        seeds.count()
    );
}
