//! The people who wait for a match of teams at one moment: a world with one crowded region and a few far ones.

use matchwright_scoring::Player;
use rand::{Rng, RngExt};
use rand_distr::{Distribution, Exp1};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::home::{Home, REGIONS};
use super::person::Traits;
use crate::random::{Purpose, standard_normal, stream};

/// The mean of the seconds that people have waited.
const MEAN_WAIT: f64 = 40.0;

/// A world in which players wait for a lobby, unchecked until [`lobby_players`].
///
/// The shares are those of a game of which most players live in Europe, as "The Awesomenauts matchmaking algorithm"
/// (Ronimo Games, 16 September 2018) says of its own; all numbers are choices of ours.
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

/// Players who wait, drawn by `seed`: skills from 0 to 20,000 around 9,000, friends of like skill in one party and
/// region, pings to all regions, experience, languages, waits, recent opponents, machines that reach not everybody.
///
/// A person's own traits depend on the seed and its number alone, so that a larger world begins with a smaller one's
/// people, but for parties and acquaintances. O(n) but for the lists of walled players, O(n) each.
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
    let draw = |number| Waiting::draw(params, &mut stream(seed, Purpose::LobbyPlayers, number as u64, 0));
    let mut people: Vec<Waiting> = (0..params.players).map(draw).collect();
    form_parties(params, &mut people, &mut stream(seed, Purpose::LobbyTies, 0, 0));
    let digits = params.players.max(1).ilog10() as usize + 1;
    let id = |number: usize| format!("p{:0digits$}", number + 1);
    let player = |number: usize| {
        let random = |list: u64| stream(seed, Purpose::LobbyTies, list, number as u64);
        let met = recent_opponents(number, &people, &mut random(1));
        let reached = reached(params, number, &mut random(2));
        Player {
            recent_opponents: met.into_iter().map(id).collect(),
            connects_to: reached.map(|others| others.into_iter().map(id).collect()),
            ..people[number].player(id(number))
        }
    };
    Ok((0..params.players).map(player).collect())
}

/// A person who waits.
struct Waiting {
    traits: Traits,
    /// For how long, seconds.
    wait: f64,
}

impl Waiting {
    fn draw(params: &LobbyWorldParams, random: &mut impl Rng) -> Self {
        let region = draw_region(params, random);
        // Skill and experience are correlated, loosely.
        let common = standard_normal(random);
        let skill = 9000.0 + 3500.0 * (0.6 * common + 0.8 * standard_normal(random));
        let games = (4.8 + 1.2 * common).exp().round().min(1e6);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a whole number from 0 to a million"
        )]
        let experience = games as u64;
        let traits = Traits {
            skill: skill.clamp(0.0, 20_000.0).round(),
            experience,
            home: Home::draw(region, random),
            ..Traits::default()
        };
        let wait: f64 = Exp1.sample(random);
        Self {
            traits,
            wait: (MEAN_WAIT * wait).round(),
        }
    }

    /// The person as a matchmaker sees it.
    fn player(&self, id: String) -> Player {
        let Traits {
            skill,
            experience,
            home,
            party,
            ..
        } = &self.traits;
        let regions = REGIONS.iter().map(|&region| region.to_owned());
        let uncertainty = 1500.0 / (1.0 + *experience as f64 / 40.0).sqrt();
        Player {
            skill: Some(*skill),
            experience: Some(*experience),
            uncertainty: Some(uncertainty.max(150.0).round()),
            region: Some(REGIONS[home.region].to_owned()),
            pings: regions.zip(home.pings.iter().copied()).collect(),
            languages: home
                .languages
                .iter()
                .map(|&language| language.to_owned())
                .collect(),
            party: party.map(|number| format!("party{number}")),
            wait_seconds: Some(self.wait),
            ..Player::new(id)
        }
    }
}

fn draw_region(params: &LobbyWorldParams, random: &mut impl Rng) -> usize {
    let draw = random.random::<f64>();
    if draw < params.europe {
        0
    } else if draw < params.europe + params.far {
        random.random_range(2..REGIONS.len())
    } else {
        1
    }
}

/// Puts people of one region into parties until their share is reached, and draws the skills of friends together.
fn form_parties(params: &LobbyWorldParams, people: &mut [Waiting], random: &mut impl Rng) {
    let mut line: Vec<usize> = (0..people.len()).collect();
    for k in (1..line.len()).rev() {
        line.swap(k, random.random_range(0..=k));
    }
    let wanted = params.in_parties * people.len() as f64;
    let (mut members, mut parties) = (0_usize, 0_usize);
    // The last party must not overshoot.
    while (members + 2) as f64 <= wanted && !line.is_empty() {
        let leader = line.remove(0);
        let pair = random.random::<f64>() < 0.6 || (members + 3) as f64 > wanted;
        let region = people[leader].traits.home.region;
        let near = line
            .iter()
            .copied()
            .filter(|&other| people[other].traits.home.region == region);
        let mates: Vec<usize> = near.take(if pair { 1 } else { 2 }).collect();
        if mates.is_empty() {
            continue;
        }
        line.retain(|person| !mates.contains(person));
        parties += 1;
        members += mates.len() + 1;
        people[leader].traits.party = Some(parties);
        let (skill, wait) = (people[leader].traits.skill, people[leader].wait);
        for mate in mates {
            let Waiting { traits, wait: waited } = &mut people[mate];
            traits.skill = f64::midpoint(skill, traits.skill).round();
            traits.party = Some(parties);
            *waited = wait;
        }
    }
}

/// Up to six of the same region, whose skills were close enough for a match.
fn recent_opponents(number: usize, people: &[Waiting], random: &mut impl Rng) -> Vec<usize> {
    let own = &people[number].traits;
    let mut met = Vec::new();
    // Tries, not players: a person with few of like skill around meets few.
    for _ in 0..12 {
        let place = random.random_range(0..people.len());
        let other = &people[place].traits;
        let near = place != number && other.home.region == own.home.region;
        let stranger = other.party.is_none() || other.party != own.party;
        let close = (other.skill - own.skill).abs() < 4000.0;
        if near && stranger && close && met.len() < 6 && !met.contains(&place) {
            met.push(place);
        }
    }
    met
}

/// Whom a walled person's machine reaches; `None` for the others, who reach everybody.
fn reached(params: &LobbyWorldParams, number: usize, random: &mut impl Rng) -> Option<Vec<usize>> {
    if random.random::<f64>() >= params.walled {
        return None;
    }
    let others = (0..params.players).filter(|&other| other != number);
    Some(others.filter(|_| random.random::<f64>() < 2.0 / 3.0).collect())
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
        let mut named = pool
            .players()
            .flat_map(|player| &player.recent_opponents)
            .peekable();
        assert!(named.peek().is_some() && named.all(|id| pool.index_of(id).is_some()));
        let home = |player: usize| pool[player].region.clone();
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
    fn a_larger_world_begins_with_the_people_of_a_smaller_one() {
        let draw = |players| {
            let alone = LobbyWorldParams {
                players,
                in_parties: 0.0,
                walled: 0.0,
                ..LobbyWorldParams::default()
            };
            lobby_players(&alone, 4).unwrap()
        };
        for (few, many) in draw(50).into_iter().zip(draw(90)) {
            let own = |player: Player| Player {
                recent_opponents: Vec::new(),
                ..player
            };
            assert_eq!(own(few), own(many));
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
