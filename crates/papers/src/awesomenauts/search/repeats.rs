//! How often players meet again who queue again and again, with the factor of opponent variation and without.

use anyhow::{Context, Result};
use matchwright_lobby::{Annealing, Lineups, LobbySolver};
use matchwright_scoring::{MatchScorer, Player, Pool, ScoringPolicy, TeamMatch};
use matchwright_sim::adapt::{LobbyScoring, lobby_pool};
use matchwright_sim::population::{LobbyWorldParams, lobby_players};
use matchwright_sim::random::stream;
use matchwright_sim::statistics::{Estimate, MeanTest, Summary, paired_test};
use rand::RngExt;
use serde::Serialize;

use super::{MATCH, TEAM, awesomenauts_policy, round_seed};
use crate::check::matches::settings;
use crate::random::Purpose;
use crate::settings::{SettingError, within};
use crate::workers::Workers;

/// What decides [`run_repeats`], apart from the seed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RepeatsConfig {
    /// Players of a world, 12 to 2,000. Default 160.
    pub players: usize,
    /// Of those, how many come to a round at least, 12 or more. Default 96.
    pub come: usize,
    /// Rounds, 2 to 1,000. Default 8.
    pub rounds: usize,
    /// Worlds, 2 to 10,000. Default 12.
    pub worlds: usize,
    /// Exchanges of each search, 1 to 1e9. Default 150,000.
    pub moves: u64,
}

impl RepeatsConfig {
    fn check(&self) -> Result<(), SettingError> {
        within("players", self.players, &(2 * MATCH..=2_000))?;
        within("come", self.come, &(2 * MATCH..=self.players))?;
        within("rounds", self.rounds, &(2..=1_000))?;
        within("worlds", self.worlds, &(2..=10_000))?;
        within("moves", self.moves, &(1..=1_000_000_000))
    }
}

impl Default for RepeatsConfig {
    fn default() -> Self {
        Self {
            players: 160,
            come: 96,
            rounds: 8,
            worlds: 12,
            moves: 150_000,
        }
    }
}

/// How often players meet again.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RepeatsReport {
    /// What decided it.
    pub config: RepeatsConfig,
    /// The factor's weight as a share of all.
    pub share: f64,
    /// Of the five others in a match, how many a player met in the match before, the own party aside: without the
    /// factor.
    pub without: Estimate,
    /// With it.
    pub with: Estimate,
    /// Without less with, world by world.
    pub fewer: MeanTest,
    /// The same as a share of those without.
    pub share_fewer: Estimate,
    /// The share of those met again who are in the same role, opponent or team mate: without the factor.
    pub same_without: Estimate,
    /// With it.
    pub same_with: Estimate,
    /// The mean quality by the other factors without it less that with it, world by world.
    pub others_lose: MeanTest,
}

/// What one world brings under one policy.
#[derive(Clone, Copy, Default)]
struct Tally {
    players: f64,
    met: f64,
    same: f64,
    matches: f64,
    quality: f64,
}

/// Lets the same players come to the same rounds under the example policy with the factor of opponent variation and
/// without it.
///
/// A random part of each world's players, parties whole, comes to a round; everybody remembers opponents and team mates
/// of the last match played. Lineups are made by our annealing. The same for any number of threads.
///
/// # Errors
/// [`SettingError`](crate::SettingError) for a setting out of range.
pub fn run_repeats(config: &RepeatsConfig, seed: u64, workers: &Workers<'_>) -> Result<RepeatsReport> {
    config.check()?;
    let with = awesomenauts_policy()?;
    let mut others = settings(include_str!("../../../policies/awesomenauts.toml"))?;
    others.factors.opponent_variation = None;
    let without = others.build()?;
    let worlds = workers.in_order("players who meet again", config.worlds, |number| {
        let world = |policy: &ScoringPolicy| world(config, (seed, number), policy, &without);
        Ok([world(&without)?, world(&with)?])
    })?;
    let mean = |arm: usize, of: fn(&Tally) -> f64| {
        Summary::of(worlds.iter().map(|arms: &[Tally; 2]| of(&arms[arm]))).estimate()
    };
    let less = |of: fn(&Tally) -> f64| paired_test(worlds.iter().map(|arms| of(&arms[0]) - of(&arms[1])));
    let met = |tally: &Tally| tally.met / tally.players;
    let same = |tally: &Tally| tally.same / tally.met;
    let all: f64 = with.factors().iter().map(|one| one.weight).sum();
    let rest: f64 = without.factors().iter().map(|one| one.weight).sum();
    Ok(RepeatsReport {
        config: config.clone(),
        share: 1.0 - rest / all,
        without: mean(0, met),
        with: mean(1, met),
        fewer: less(met),
        share_fewer: Summary::of(worlds.iter().map(|arms| 1.0 - met(&arms[1]) / met(&arms[0]))).estimate(),
        same_without: mean(0, same),
        same_with: mean(1, same),
        others_lose: less(|tally| tally.quality / tally.matches),
    })
}

/// All rounds of one world under `policy`, judged by the factors of `others`.
fn world(
    config: &RepeatsConfig,
    (seed, number): (u64, usize),
    policy: &ScoringPolicy,
    others: &ScoringPolicy,
) -> Result<Tally> {
    let params = LobbyWorldParams {
        players: config.players,
        ..LobbyWorldParams::default()
    };
    let mut people = lobby_players(&params, round_seed(seed, number))?;
    for person in &mut people {
        person.wait_seconds = None;
        person.recent_opponents.clear();
    }
    let mut random = stream(seed, Purpose::Rounds, number as u64, 2);
    let mut tally = Tally::default();
    for round in 0..config.rounds {
        let mut parties = parties_of(&people);
        parties.sort_by_cached_key(|_| random.random::<u64>());
        let mut come = Vec::new();
        for party in parties {
            if come.len() < config.come {
                come.extend(party);
            }
        }
        let pool = Pool::new(come.iter().map(|&person| people[person].clone()).collect())?;
        let search = Annealing::new(round as u64 + 1).with_moves(config.moves);
        let lobbies = lobby_pool(&pool, [TEAM, TEAM])?;
        let lineups = search.solve(&lobbies, &LobbyScoring { pool: &pool, policy })?;
        count(&mut tally, &pool, &lineups, others)?;
        remember(&mut people, &come, &pool, &lineups);
    }
    Ok(tally)
}

/// The places of the members of each party, and of those who are alone.
fn parties_of(people: &[Player]) -> Vec<Vec<usize>> {
    let mut parties: Vec<Vec<usize>> = Vec::new();
    for (place, person) in people.iter().enumerate() {
        let mates =
            |party: &&mut Vec<usize>| person.party.is_some() && people[party[0]].party == person.party;
        match parties.iter_mut().find(mates) {
            Some(party) => party.push(place),
            None => parties.push(vec![place]),
        }
    }
    parties
}

/// Who meets whom again, among those who have played before.
fn count(tally: &mut Tally, pool: &Pool, lineups: &Lineups, others: &ScoringPolicy) -> Result<()> {
    for lobby in &lineups.lobbies {
        let teams = [lobby.team_a(), lobby.team_b()];
        let quality = others.quality(&TeamMatch::new(pool, &teams)?);
        tally.quality += quality.context("the other factors forbid nothing")?;
        tally.matches += 1.0;
        for (own, enemies) in [(teams[0], teams[1]), (teams[1], teams[0])] {
            for &player in own
                .iter()
                .filter(|&&player| !pool[player].recent_opponents.is_empty())
            {
                tally.players += 1.0;
                for (faces, mates) in [(own, true), (enemies, false)] {
                    for &other in faces.iter().filter(|&&other| !pool.same_party(player, other)) {
                        let (was_mate, was_enemy) = (
                            listed(pool, player, other, true),
                            listed(pool, player, other, false),
                        );
                        let same = if mates { was_mate } else { was_enemy };
                        tally.met += f64::from(u8::from(was_mate || was_enemy));
                        tally.same += f64::from(u8::from(same));
                    }
                }
            }
        }
    }
    Ok(())
}

/// Whether `player` had `other` on the own side, or on the other one, in the last match.
fn listed(pool: &Pool, player: usize, other: usize, as_mates: bool) -> bool {
    let one = &pool[player];
    let list = if as_mates {
        &one.recent_teammates
    } else {
        &one.recent_opponents
    };
    list.contains(&pool[other].id)
}

/// Everybody who played remembers this match alone.
fn remember(people: &mut [Player], come: &[usize], pool: &Pool, lineups: &Lineups) {
    let ids = |team: &[usize], but: usize| -> Vec<String> {
        let others = team.iter().filter(|&&player| player != but);
        others.map(|&player| pool[player].id.clone()).collect()
    };
    for lobby in &lineups.lobbies {
        for (own, enemies) in [(lobby.team_a(), lobby.team_b()), (lobby.team_b(), lobby.team_a())] {
            for &player in own {
                let person = &mut people[come[player]];
                person.recent_teammates = ids(own, player);
                person.recent_opponents = ids(enemies, player);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use matchwright_sim::progress::Quiet;

    fn small() -> RepeatsConfig {
        RepeatsConfig {
            players: 48,
            come: 36,
            rounds: 4,
            worlds: 4,
            moves: 10_000,
        }
    }

    #[test]
    fn the_factor_makes_repeats_rarer_and_threads_do_not_show() {
        let run = |threads| run_repeats(&small(), 1, &Workers::new(threads, &Quiet)).unwrap();
        let report = run(2);
        assert_eq!(report, run(1));
        assert!((report.share - 0.025).abs() < 1e-12);
        assert!(report.fewer.difference > 0.2, "{report:?}");
        assert!(report.same_with.mean < report.same_without.mean, "{report:?}");
        let bad = RepeatsConfig { come: 49, ..small() };
        let error = run_repeats(&bad, 1, &Workers::new(1, &Quiet)).unwrap_err();
        assert!(error.to_string().starts_with("come"), "{error}");
    }

    #[test]
    fn players_remember_the_last_match_alone() {
        let mut people: Vec<Player> = (0..12).map(|k| Player::new(format!("p{k}"))).collect();
        let come: Vec<usize> = (0..12).rev().collect();
        let pool = Pool::new(come.iter().map(|&k| people[k].clone()).collect()).unwrap();
        let quality = |_: &[usize], _: &[usize]| Some(1.0);
        let lobbies = lobby_pool(&pool, [TEAM, TEAM]).unwrap();
        let teams = [vec![vec![0, 1, 2], vec![3, 4, 5]]];
        let lineups = Lineups::of_teams(&lobbies, &quality, teams).unwrap();
        people[11].recent_opponents = vec!["p0".to_owned()];
        remember(&mut people, &come, &pool, &lineups);
        assert_eq!(people[11].recent_teammates, ["p10", "p9"]);
        assert_eq!(people[11].recent_opponents, ["p8", "p7", "p6"]);
        assert!(people[0].recent_teammates.is_empty());
    }
}
