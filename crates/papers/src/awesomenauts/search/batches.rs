//! Players of thinly settled regions by the size of a batch.

use anyhow::Result;
use matchwright_lobby::{Annealing, Lineups, LobbySolver};
use matchwright_scoring::{Player, Pool, ScoringPolicy, TeamMatch};
use serde::Serialize;

use super::{TEAM, awesomenauts_policy, round_seed};
use crate::settings::{SettingError, within};
use crate::workers::Workers;
use matchwright_sim::adapt::{LobbyScoring, lobby_pool};
use matchwright_sim::population::{LobbyWorldParams, lobby_players};
use matchwright_sim::statistics::{Estimate, MeanTest, Summary, paired_test};

/// Seconds that an unmatched player has waited more when the next batch is made: being unmatched again costs
/// two perfect matches.
const ROUND_SECONDS: f64 = 300.0;

/// The groups of players, in the order of the reports: far away, North America, Europe.
pub const BATCH_GROUPS: [&str; 3] = ["far away", "North America", "Europe"];

/// The place of two of them.
pub(crate) const FAR: usize = 0;
pub(crate) const EUROPE: usize = 2;

/// What decides [`run_batches`], apart from the seed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BatchesConfig {
    /// Players who come, one after another, 12 to 100,000. Default 1,200, which all default sizes divide.
    pub players: usize,
    /// Such streams, 2 to 10,000. Default 6.
    pub streams: usize,
    /// Players of a batch, rising, 12 to 2,000. Default 50, 100, 200, 300, 400.
    pub sizes: Vec<usize>,
    /// Exchanges of the search for each player of a batch, 1 to 1e6. Default 5,000: the same effort per player,
    /// whatever the batch.
    pub moves_per_player: u64,
}

impl Default for BatchesConfig {
    fn default() -> Self {
        Self {
            players: 1_200,
            streams: 6,
            sizes: vec![50, 100, 200, 300, 400],
            moves_per_player: 5_000,
        }
    }
}

impl BatchesConfig {
    pub(crate) fn check(&self) -> Result<(), SettingError> {
        within("players", self.players, &(12..=100_000))?;
        within("streams", self.streams, &(2..=10_000))?;
        within("sizes", self.sizes.len(), &(1..=100))?;
        let mut least = 12;
        for &size in &self.sizes {
            within("batch size", size, &(least..=2_000))?;
            least = size + 1;
        }
        within("moves per player", self.moves_per_player, &(1..=1_000_000))
    }
}

/// How the players of one group fare, each player counting once.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GroupRow {
    /// One of [`BATCH_GROUPS`].
    pub group: &'static str,
    /// The enemy-ping factor of their matches, mean over players, then over streams.
    pub ping_factor: Estimate,
    /// Their matches' quality.
    pub quality: Estimate,
    /// Their own mean ping with their three enemies, milliseconds.
    pub ping: Estimate,
    /// How often a player was unmatched, mean over players.
    pub unmatched: Estimate,
}

/// One size of batch.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BatchRow {
    /// Players of a batch.
    pub size: usize,
    /// The mean quality of all matches.
    pub total: Estimate,
    /// By [`BATCH_GROUPS`].
    pub groups: Vec<GroupRow>,
}

/// What a larger batch brings, stream by stream.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BatchStep {
    /// The smaller size and the larger one.
    pub sizes: (usize, usize),
    /// The mean quality of all matches.
    pub total: MeanTest,
    /// The enemy-ping factor, by [`BATCH_GROUPS`].
    pub ping_factor: Vec<MeanTest>,
    /// The quality of the matches, by [`BATCH_GROUPS`].
    pub quality: Vec<MeanTest>,
}

/// Batches by size.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BatchesReport {
    /// What decided it.
    pub config: BatchesConfig,
    /// By size, rising.
    pub rows: Vec<BatchRow>,
    /// From each size to the next.
    pub steps: Vec<BatchStep>,
}

/// Sums over the players of a group.
#[derive(Clone, Copy, Default)]
struct Sums {
    players: f64,
    ping_factor: f64,
    quality: f64,
    ping: f64,
    members: f64,
    unmatched: f64,
}

/// One stream in batches of one size.
struct Run {
    total: f64,
    groups: [Sums; BATCH_GROUPS.len()],
}

/// Cuts the same streams of players into batches of each size, and makes lineups of each batch by our annealing.
///
/// Players come in a random order, parties at once; a batch closes when it has as many players as it should, or one
/// or two more for the sake of a party. Unmatched players come first in the next batch, dearer to leave out; of the
/// last batch, nobody comes again. The search is ours, so that what is seen is the choice that a batch offers and not
/// the search's trouble with it. The same for any number of `threads`.
///
/// # Errors
/// [`SettingError`](crate::SettingError) for a setting out of range.
pub fn run_batches(config: &BatchesConfig, seed: u64, workers: &Workers<'_>) -> Result<BatchesReport> {
    config.check()?;
    let sizes = config.sizes.len();
    let runs = workers.in_order("batches of different sizes", config.streams * sizes, |task| {
        run_stream(config, seed, task / sizes, config.sizes[task % sizes])
    })?;
    let of = |size: usize, value: &dyn Fn(&Run) -> f64| -> Vec<f64> {
        runs.iter().skip(size).step_by(sizes).map(value).collect()
    };
    let groups = 0..BATCH_GROUPS.len();
    let row = |(place, &size): (usize, &usize)| {
        let group = |group: usize| {
            let mean = |value: &dyn Fn(&Sums) -> f64| estimate(of(place, &|run| value(&run.groups[group])));
            GroupRow {
                group: BATCH_GROUPS[group],
                ping_factor: mean(&|sums| sums.ping_factor / sums.players),
                quality: mean(&|sums| sums.quality / sums.players),
                ping: mean(&|sums| sums.ping / sums.players),
                unmatched: mean(&|sums| sums.unmatched / sums.members),
            }
        };
        BatchRow {
            size,
            total: estimate(of(place, &|run| run.total)),
            groups: groups.clone().map(group).collect(),
        }
    };
    let step = |place: usize| {
        let over = |value: &dyn Fn(&Run) -> f64| {
            let (small, large) = (of(place, value), of(place + 1, value));
            paired_test(large.iter().zip(&small).map(|(large, small)| large - small))
        };
        let by_group = |value: &dyn Fn(&Sums) -> f64| {
            let group = |group: usize| over(&|run| value(&run.groups[group]));
            groups.clone().map(group).collect()
        };
        BatchStep {
            sizes: (config.sizes[place], config.sizes[place + 1]),
            total: over(&|run| run.total),
            ping_factor: by_group(&|sums| sums.ping_factor / sums.players),
            quality: by_group(&|sums| sums.quality / sums.players),
        }
    };
    Ok(BatchesReport {
        config: config.clone(),
        rows: config.sizes.iter().enumerate().map(row).collect(),
        steps: (0..sizes - 1).map(step).collect(),
    })
}

/// The mean over streams that have such players at all.
fn estimate(values: Vec<f64>) -> Estimate {
    Summary::of(values.into_iter().filter(|value| value.is_finite())).estimate()
}

/// Players in the order in which they come, parties at once.
fn arrivals(config: &BatchesConfig, seed: u64, number: usize) -> Result<Vec<Vec<Player>>> {
    let world = LobbyWorldParams {
        players: config.players,
        ..LobbyWorldParams::default()
    };
    let mut parties: Vec<Vec<Player>> = Vec::new();
    for mut player in lobby_players(&world, round_seed(seed, number))? {
        player.wait_seconds = None;
        let mates = |party: &&mut Vec<Player>| player.party.is_some() && party[0].party == player.party;
        match parties.iter_mut().find(mates) {
            Some(party) => party.push(player),
            None => parties.push(vec![player]),
        }
    }
    Ok(parties)
}

fn run_stream(config: &BatchesConfig, seed: u64, number: usize, size: usize) -> Result<Run> {
    let policy = awesomenauts_policy()?;
    let mut run = Run {
        total: 0.0,
        groups: Default::default(),
    };
    let (mut matches, mut batch, mut come) = (0.0, Vec::new(), 0);
    let arrivals = arrivals(config, seed, number)?;
    let last = arrivals.len() - 1;
    for (place, party) in arrivals.into_iter().enumerate() {
        come += party.len();
        for player in party {
            run.groups[group_of(&player)].members += 1.0;
            batch.push(player);
        }
        if come < size && place < last {
            continue;
        }
        if come >= TEAM * 2 {
            let pool = Pool::new(std::mem::take(&mut batch))?;
            let moves = config.moves_per_player.saturating_mul(pool.len() as u64);
            let search = Annealing::new(number as u64 + 1).with_moves(moves);
            let (lobbies, policy) = (lobby_pool(&pool, [TEAM, TEAM])?, &policy);
            let lineups = search.solve(&lobbies, &LobbyScoring { pool: &pool, policy })?;
            matches += lineups.lobbies.len() as f64;
            tally(&mut run, policy, &pool, &lineups)?;
            let left = lineups.unmatched.iter();
            batch = left.map(|&player| pool[player].clone()).collect();
            for player in &mut batch {
                player.wait_seconds = Some(player.wait_seconds.unwrap_or_default() + ROUND_SECONDS);
            }
        }
        come = 0;
    }
    run.total /= matches;
    Ok(run)
}

fn tally(run: &mut Run, policy: &ScoringPolicy, pool: &Pool, lineups: &Lineups) -> Result<()> {
    let mut factors = policy.factors().iter();
    let factor = factors.find(|one| one.factor.name() == "enemy_ping");
    for lobby in &lineups.lobbies {
        let teams = [lobby.team_a(), lobby.team_b()];
        let candidate = TeamMatch::new(pool, &teams)?;
        let ping_factor = factor.and_then(|one| one.factor.quality(&candidate));
        run.total += lobby.quality;
        for (own, enemies) in [(teams[0], teams[1]), (teams[1], teams[0])] {
            for &player in own {
                let sums = &mut run.groups[group_of(&pool[player])];
                let pings: f64 = enemies.iter().map(|&enemy| pool.ping(player, enemy)).sum();
                sums.players += 1.0;
                sums.ping_factor += ping_factor.unwrap_or(f64::NAN);
                sums.quality += lobby.quality;
                sums.ping += pings / enemies.len() as f64;
            }
        }
    }
    for &player in &lineups.unmatched {
        run.groups[group_of(&pool[player])].unmatched += 1.0;
    }
    Ok(())
}

/// The place in [`BATCH_GROUPS`].
fn group_of(player: &Player) -> usize {
    match player.region.as_deref() {
        Some("eu") => EUROPE,
        Some("na") => 1,
        _ => FAR,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use matchwright_sim::progress::Quiet;

    fn small() -> BatchesConfig {
        BatchesConfig {
            players: 240,
            streams: 3,
            sizes: vec![24, 120],
            moves_per_player: 1_000,
        }
    }

    #[test]
    fn who_lives_far_away_gains_most_from_larger_batches() {
        let report = run_batches(&small(), 1, &Workers::new(2, &Quiet)).unwrap();
        assert_eq!(
            report,
            run_batches(&small(), 1, &Workers::new(1, &Quiet)).unwrap()
        );
        let step = &report.steps[0];
        assert_eq!(step.sizes, (24, 120));
        assert!(
            step.ping_factor[0].difference > 2.0 * step.ping_factor[2].difference,
            "{step:?}"
        );
        assert!(step.total.difference > 0.0);
        let pings: Vec<f64> = report.rows.iter().map(|row| row.groups[0].ping.mean).collect();
        assert!(pings[0] > pings[1], "{pings:?}");
    }

    #[test]
    fn parties_come_at_once_and_nobody_is_lost() {
        let parties = arrivals(&small(), 1, 0).unwrap();
        assert_eq!(parties.iter().map(Vec::len).sum::<usize>(), 240);
        assert!(parties.iter().all(|party| party.len() <= 3));
        let in_parties = parties.iter().filter(|party| party.len() > 1);
        assert!(in_parties.count() > 20);
    }

    #[test]
    fn settings_out_of_range_are_named() {
        for (config, name) in [
            (
                BatchesConfig {
                    sizes: vec![100, 50],
                    ..small()
                },
                "batch size",
            ),
            (
                BatchesConfig {
                    sizes: vec![6],
                    ..small()
                },
                "batch size",
            ),
            (
                BatchesConfig {
                    streams: 1,
                    ..small()
                },
                "streams",
            ),
            (
                BatchesConfig {
                    moves_per_player: 0,
                    ..small()
                },
                "moves per player",
            ),
        ] {
            let error = run_batches(&config, 1, &Workers::new(1, &Quiet)).unwrap_err();
            assert!(error.to_string().starts_with(name), "{error}");
        }
    }
}
