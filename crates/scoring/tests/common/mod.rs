//! Pools and teams for the tests of team matches.
#![allow(dead_code, unreachable_pub, reason = "some of its users need features")]

use matchwright_scoring::{ChurnByOutcome, MatchScorer, Player, Pool, TeamMatch};

/// The quality of teams given by the players' ids.
pub fn quality<S>(scorer: &S, pool: &Pool, teams: &[&[&str]]) -> Option<f64>
where
    S: for<'a> MatchScorer<TeamMatch<'a>> + ?Sized,
{
    let teams: Vec<Vec<usize>> = teams
        .iter()
        .map(|team| team.iter().map(|id| pool.index_of(id).unwrap()).collect())
        .collect();
    let teams: Vec<&[usize]> = teams.iter().map(Vec::as_slice).collect();
    scorer.quality(&TeamMatch::new(pool, &teams).unwrap())
}

/// A pool of players `a`, `b`, ... made by `player(index, id)`.
pub fn pool_of(count: usize, player: impl Fn(usize, &mut Player)) -> Pool {
    let one = |index: usize| {
        let letter = char::from(b'a' + u8::try_from(index).unwrap());
        let mut made = Player::new(letter.to_string());
        player(index, &mut made);
        made
    };
    Pool::new((0..count).map(one).collect()).unwrap()
}

/// A pool of players `a`, `b`, ... with these skills.
pub fn skilled(skills: &[f64]) -> Pool {
    pool_of(skills.len(), |index, player| player.skill = Some(skills[index]))
}

/// A small generator (splitmix64), so that a case is one number.
pub struct Dice(pub u64);

impl Dice {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From 0 up to 1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.next() % count as u64).unwrap()
    }

    pub fn chance(&mut self, share: f64) -> bool {
        self.unit() < share
    }

    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, self.below(last + 1));
        }
    }
}

const REGIONS: [&str; 4] = ["eu", "us", "sa", "oc"];
const LANGUAGES: [&str; 3] = ["en", "de", "es"];
const ROLES: [&str; 3] = ["tank", "healer", "damage"];

/// A pool with everything in it; with probability `gaps` each thing is missing. Parties have up to `party_size`
/// members.
pub fn random_pool(dice: &mut Dice, count: usize, party_size: usize, gaps: f64) -> Pool {
    let mut players: Vec<Player> = (0..count)
        .map(|index| random_player(dice, index, count, gaps))
        .collect();
    let mut next = 0;
    while next < count {
        let size = 1 + dice.below(party_size);
        let end = (next + size).min(count);
        if end - next > 1 || dice.chance(0.1) {
            let name = format!("party {next}");
            players[next..end]
                .iter_mut()
                .for_each(|player| player.party = Some(name.clone()));
        }
        next = end;
    }
    dice.shuffle(&mut players);
    Pool::new(players).unwrap()
}

fn random_player(dice: &mut Dice, index: usize, count: usize, gaps: f64) -> Player {
    let mut player = Player::new(format!("p{index}"));
    let others = |dice: &mut Dice, share: f64| -> Vec<String> {
        let all: Vec<usize> = (0..count)
            .filter(|&other| other != index && dice.chance(share))
            .collect();
        all.into_iter().map(|other| format!("p{other}")).collect()
    };
    let has = |dice: &mut Dice| !dice.chance(gaps);
    if has(dice) {
        player.skill = Some(25_000.0 * dice.unit());
        player.uncertainty = Some(500.0 * dice.unit());
    }
    if has(dice) {
        player.experience = Some(dice.below(3000) as u64);
        player.glory = Some(20_000.0 * dice.unit());
    }
    if has(dice) {
        player.offence = Some(10.0 + 990.0 * dice.unit());
        player.defence = Some(10.0 + 990.0 * dice.unit());
    }
    if has(dice) {
        let [win, draw, loss] = [dice.unit(), dice.unit(), dice.unit()];
        player.churn = Some(ChurnByOutcome::new(win, draw, loss).unwrap());
    }
    player.region = Some(REGIONS[dice.below(REGIONS.len())].to_owned());
    for region in REGIONS {
        if has(dice) {
            player.pings.insert(region.to_owned(), 300.0 * dice.unit());
        }
    }
    for other in others(dice, 0.1) {
        player.ping_to.insert(other, 400.0 * dice.unit());
    }
    player.languages = LANGUAGES
        .into_iter()
        .filter(|_| dice.chance(0.5))
        .map(str::to_owned)
        .collect();
    player.roles = ROLES
        .into_iter()
        .filter(|_| dice.chance(0.5))
        .map(str::to_owned)
        .collect();
    player.recent_opponents = others(dice, 0.15);
    player.recent_teammates = others(dice, 0.15);
    player.blocks = others(dice, 0.01);
    player.friends = others(dice, 0.01);
    player.griefer = dice.chance(0.01);
    player.wait_seconds = Some(600.0 * dice.unit());
    player.can_host = Some(dice.chance(0.6));
    if dice.chance(0.3) {
        player.connects_to = Some(others(dice, 0.9));
    }
    player
}

/// Two teams of `size` in which no party is split, if a few tries find some.
pub fn whole_parties(dice: &mut Dice, pool: &Pool, size: usize) -> Option<[Vec<usize>; 2]> {
    let mut units: Vec<Vec<usize>> = pool.parties().to_vec();
    units.extend(
        (0..pool.len())
            .filter(|&player| pool.party_of(player).is_none())
            .map(|player| vec![player]),
    );
    for _ in 0..20 {
        dice.shuffle(&mut units);
        let mut teams = [Vec::new(), Vec::new()];
        for unit in &units {
            if let Some(team) = teams.iter_mut().find(|team| team.len() + unit.len() <= size) {
                team.extend(unit);
            }
        }
        if teams.iter().all(|team| team.len() == size) {
            return Some(teams);
        }
    }
    None
}

/// Teams of these sizes, parties split as chance has it.
pub fn any_teams(dice: &mut Dice, pool: &Pool, sizes: &[usize]) -> Vec<Vec<usize>> {
    let mut players: Vec<usize> = (0..pool.len()).collect();
    dice.shuffle(&mut players);
    let mut left = players.as_slice();
    let cut = |&size: &usize| {
        let (team, rest) = left.split_at(size);
        left = rest;
        team.to_vec()
    };
    sizes.iter().map(cut).collect()
}
