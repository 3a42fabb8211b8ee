//! Players who wait for a match of teams: a world with one crowded region and a few far ones.

use matchwright_scoring::Player;
use rand::{Rng, RngExt};
use rand_distr::{Distribution, Exp, LogNormal};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::random::{Purpose, standard_normal, stream};

/// A world in which players wait for a lobby, unchecked until [`lobby_players`].
///
/// The shares are those of a game of which most players live in Europe, as "The Awesomenauts matchmaking algorithm"
/// (Ronimo Games, 16 September 2018) tells of its own; all numbers are choices of ours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LobbyWorldParams {
    /// How many players wait. Default 96.
    pub players: usize,
    /// The share of them in Europe, in \[0, 1\]. Default 0.7.
    pub europe: f64,
    /// The share far from everybody else (South America, South-East Asia, Oceania). Default 0.1; the rest is in North
    /// America.
    pub far: f64,
    /// The share of players in parties of two or three, nearly. Default 0.4.
    pub in_parties: f64,
    /// The share of players whose machine reaches two others in three only, so that it hosts few matches. Default
    /// 0.1.
    pub walled: f64,
}

impl Default for LobbyWorldParams {
    fn default() -> Self {
        Self {
            players: 96,
            europe: 0.7,
            far: 0.1,
            in_parties: 0.4,
            walled: 0.1,
        }
    }
}

/// A share that is none.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("`{name}` is {value}: give a share from 0 to 1, and `europe` and `far` no more than 1 together")]
pub struct LobbyWorldError {
    /// The parameter.
    pub name: &'static str,
    /// What was given.
    pub value: f64,
}

impl LobbyWorldParams {
    fn check(&self) -> Result<(), LobbyWorldError> {
        let shares = [
            ("europe", self.europe),
            ("far", self.far),
            ("in_parties", self.in_parties),
            ("walled", self.walled),
            ("europe", self.europe + self.far),
        ];
        let wrong = shares.into_iter().find(|(_, share)| !(0.0..=1.0).contains(share));
        wrong.map_or(Ok(()), |(name, value)| Err(LobbyWorldError { name, value }))
    }
}

/// Europe, North America, then those far away.
const REGIONS: [&str; 5] = ["eu", "na", "oce", "sa", "sea"];
/// Typical round trips from a player of the row's region to a server of the column's, in milliseconds.
const PINGS: [[f64; 5]; 5] = [
    [20.0, 105.0, 280.0, 200.0, 180.0],
    [105.0, 25.0, 190.0, 140.0, 210.0],
    [280.0, 190.0, 20.0, 300.0, 110.0],
    [200.0, 140.0, 300.0, 25.0, 320.0],
    [180.0, 210.0, 110.0, 320.0, 25.0],
];
/// The languages of each region; the first is spoken by most.
const LANGUAGES: [&[&str]; 5] = [
    &["en", "de", "fr", "pl", "ru", "es"],
    &["en", "es", "fr"],
    &["en"],
    &["es", "pt"],
    &["en", "zh", "th"],
];

/// Players who wait, drawn by `seed`: skills from 0 to 20,000 around 9,000, friends of like skill in one party and
/// region, pings to all regions, experience, languages, waits, recent opponents, machines that reach not everybody.
///
/// A player's own traits depend on the seed and its number alone, so that a larger world begins with a smaller one's
/// players, but for parties and acquaintances. O(n) but for the lists of walled players, O(n) each.
///
/// # Errors
/// [`LobbyWorldError`] names a share that is none.
///
/// ```
/// use matchwright_scoring::Pool;
/// use matchwright_sim::population::{LobbyWorldParams, lobby_players};
///
/// let pool = Pool::new(lobby_players(&LobbyWorldParams::default(), 1)?)?;
/// assert_eq!((pool.len(), pool.regions().len()), (96, 5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn lobby_players(params: &LobbyWorldParams, seed: u64) -> Result<Vec<Player>, LobbyWorldError> {
    params.check()?;
    let mut homes = Vec::with_capacity(params.players);
    let mut players = Vec::with_capacity(params.players);
    let digits = params.players.max(1).ilog10() as usize + 1;
    for number in 0..params.players {
        let mut random = stream(seed, Purpose::LobbyPlayers, number as u64, 0);
        let home = home(params, &mut random);
        homes.push(home);
        players.push(player(home, format!("p{:0digits$}", number + 1), &mut random));
    }
    let mut ties = stream(seed, Purpose::LobbyTies, 0, 0);
    befriend(params, &homes, &mut players, &mut ties);
    for number in 0..players.len() {
        let met = recent_opponents(seed, number, &homes, &players);
        players[number].recent_opponents = met;
        players[number].connects_to = reached(params, seed, number, &players);
    }
    Ok(players)
}

fn home(params: &LobbyWorldParams, random: &mut impl Rng) -> usize {
    let draw = random.random::<f64>();
    if draw < params.europe {
        0
    } else if draw < params.europe + params.far {
        random.random_range(2..REGIONS.len())
    } else {
        1
    }
}

fn player(home: usize, id: String, random: &mut impl Rng) -> Player {
    let mut player = Player::new(id);
    // Skill and experience go together, loosely.
    let zeal = standard_normal(random);
    let skill = 9000.0 + 3500.0 * (0.6 * zeal + 0.8 * standard_normal(random));
    player.skill = Some(skill.clamp(0.0, 20_000.0).round());
    let games = (4.8 + 1.2 * zeal).exp().round();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a rounded positive number, e^20 at the most"
    )]
    let games = games.min(1e6) as u64;
    player.experience = Some(games);
    player.uncertainty = Some((1500.0 / (1.0 + games as f64 / 40.0).sqrt()).max(150.0).round());
    player.region = Some(REGIONS[home].to_owned());
    let line = lognormal(random, 10.0, 0.6);
    for (region, typical) in REGIONS.iter().zip(PINGS[home]) {
        let ping = typical * (1.0 + 0.06 * standard_normal(random)).max(0.7) + line;
        player.pings.insert((*region).to_owned(), ping.round());
    }
    let spoken = LANGUAGES[home];
    let own = spoken[random.random_range(0..spoken.len())];
    player.languages.push(own.to_owned());
    if own != spoken[0] && random.random::<f64>() < 0.7 {
        player.languages.push(spoken[0].to_owned());
    }
    player.wait_seconds = Some(exponential(random, 40.0).round());
    player
}

/// Puts players of one region into parties until their share is reached, and draws the skills of friends together.
fn befriend(params: &LobbyWorldParams, homes: &[usize], players: &mut [Player], random: &mut impl Rng) {
    let mut line: Vec<usize> = (0..players.len()).collect();
    for k in (1..line.len()).rev() {
        line.swap(k, random.random_range(0..=k));
    }
    let wanted = params.in_parties * players.len() as f64;
    let (mut befriended, mut parties) = (0_usize, 0_usize);
    // The last party must not overshoot.
    while (befriended + 2) as f64 <= wanted && !line.is_empty() {
        let leader = line.remove(0);
        let size = if random.random::<f64>() < 0.6 || (befriended + 3) as f64 > wanted {
            2
        } else {
            3
        };
        let near = line
            .iter()
            .copied()
            .filter(|&other| homes[other] == homes[leader]);
        let mates: Vec<usize> = near.take(size - 1).collect();
        if mates.is_empty() {
            continue;
        }
        line.retain(|player| !mates.contains(player));
        parties += 1;
        befriended += mates.len() + 1;
        let party = Some(format!("party{parties}"));
        let (skill, wait) = (players[leader].skill, players[leader].wait_seconds);
        players[leader].party.clone_from(&party);
        for mate in mates {
            let mate = &mut players[mate];
            let own = mate.skill.unwrap_or_default();
            mate.skill = skill.map(|skill| f64::midpoint(skill, own).round());
            mate.party.clone_from(&party);
            mate.wait_seconds = wait;
        }
    }
}

/// Up to six of the same region, whose skills were close enough for a match.
fn recent_opponents(seed: u64, number: usize, homes: &[usize], players: &[Player]) -> Vec<String> {
    let mut random = stream(seed, Purpose::LobbyTies, 1, number as u64);
    let gap =
        |other: &Player| (other.skill.unwrap_or_default() - players[number].skill.unwrap_or_default()).abs();
    let stranger = |other: &Player| other.party.is_none() || other.party != players[number].party;
    let mut met = Vec::new();
    // Tries, not players: who has few of his kind around meets few.
    for _ in 0..12 {
        let other = random.random_range(0..players.len());
        let fits = other != number && homes[other] == homes[number] && stranger(&players[other]);
        if fits && gap(&players[other]) < 4000.0 && met.len() < 6 && !met.contains(&players[other].id) {
            met.push(players[other].id.clone());
        }
    }
    met
}

/// Whom a walled player's machine reaches; `None` for the others, who reach everybody.
fn reached(params: &LobbyWorldParams, seed: u64, number: usize, players: &[Player]) -> Option<Vec<String>> {
    let mut random = stream(seed, Purpose::LobbyTies, 2, number as u64);
    if random.random::<f64>() >= params.walled {
        return None;
    }
    let others = players.iter().enumerate().filter(|(other, _)| *other != number);
    let reached = others.filter(|_| random.random::<f64>() < 2.0 / 3.0);
    Some(reached.map(|(_, other)| other.id.clone()).collect())
}

fn lognormal(random: &mut impl Rng, median: f64, sigma: f64) -> f64 {
    LogNormal::new(median.ln(), sigma).map_or(median, |law| law.sample(random))
}

fn exponential(random: &mut impl Rng, mean: f64) -> f64 {
    Exp::new(mean.recip()).map_or(mean, |law| law.sample(random))
}

#[cfg(test)]
mod tests {
    use super::*;
    use matchwright_scoring::Pool;

    fn share(players: &[Player], holds: impl Fn(&Player) -> bool) -> f64 {
        players.iter().filter(|player| holds(player)).count() as f64 / players.len() as f64
    }

    #[test]
    fn the_world_has_the_shares_that_were_asked_for() {
        let params = LobbyWorldParams {
            players: 2000,
            ..LobbyWorldParams::default()
        };
        let players = lobby_players(&params, 3).unwrap();
        let lives = |regions: &'static [&str]| {
            move |player: &Player| regions.contains(&player.region.as_deref().unwrap_or_default())
        };
        assert!((share(&players, lives(&["eu"])) - 0.7).abs() < 0.03);
        assert!((share(&players, lives(&["oce", "sa", "sea"])) - 0.1).abs() < 0.02);
        assert!((share(&players, |player| player.party.is_some()) - 0.4).abs() < 0.002);
        assert!((share(&players, |player| player.connects_to.is_some()) - 0.1).abs() < 0.02);
        let pool = Pool::new(players).unwrap();
        assert!(pool.parties().iter().all(|party| (2..=3).contains(&party.len())));
        assert_eq!(pool.absent(), 0);
        let home = |player: usize| pool.players()[player].region.clone();
        for party in pool.parties() {
            assert!(party.iter().all(|&mate| home(mate) == home(party[0])));
        }
    }

    #[test]
    fn the_same_seed_draws_the_same_players_and_another_one_others() {
        let params = LobbyWorldParams::default();
        assert_eq!(lobby_players(&params, 5), lobby_players(&params, 5));
        assert_ne!(lobby_players(&params, 5), lobby_players(&params, 6));
    }

    #[test]
    fn a_share_that_is_none_is_refused_by_name() {
        for (far, name) in [(f64::NAN, "far"), (-0.1, "far"), (0.5, "europe")] {
            let params = LobbyWorldParams {
                far,
                ..LobbyWorldParams::default()
            };
            assert_eq!(lobby_players(&params, 1).unwrap_err().name, name);
        }
    }

    #[test]
    fn nobody_waits_in_an_empty_world() {
        let params = LobbyWorldParams {
            players: 0,
            ..LobbyWorldParams::default()
        };
        assert_eq!(lobby_players(&params, 1).unwrap(), []);
    }
}
