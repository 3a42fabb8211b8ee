//! Players of thinly settled regions by the size of a batch.

use matchwright_lobby::{Annealing, Lineups, LobbySolver};
use matchwright_scoring::{Player, Pool, ScoringPolicy, TeamMatch};
use serde::Serialize;

use super::{TEAM, awesomenauts_policy, count, in_parallel, inside, round_seed};
use crate::error::SettingError;
use matchwright_sim::adapt::{LobbyScoring, lobby_pool};
use matchwright_sim::population::{LobbyWorldParams, lobby_players};
use matchwright_sim::progress::Progress;
use matchwright_sim::statistics::{Estimate, MeanTest, Summary, paired_test};

/// Seconds that an unmatched player has waited more when the next batch is made: being unmatched again costs
/// two perfect matches.
const ROUND_SECONDS: f64 = 300.0;

/// The groups of players, in the order of the reports: far away, North America, Europe.
pub const BATCH_GROUPS: [&str; 3] = ["far away", "North America", "Europe"];

/// What decides [`run_batches`], apart from the seed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BatchesConfig {
    /// The world; its number of players does not count.
    pub world: LobbyWorldParams,
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
            world: LobbyWorldParams::default(),
            players: 1_200,
            streams: 6,
            sizes: vec![50, 100, 200, 300, 400],
            moves_per_player: 5_000,
        }
    }
}

impl BatchesConfig {
    pub(crate) fn check(&self) -> Result<(), SettingError> {
        inside("players", self.players as f64, &(12.0..=1e5), "from 12 to 100000")?;
        inside("streams", self.streams as f64, &(2.0..=1e4), "from 2 to 10000")?;
        count("sizes", self.sizes.len(), 100, "from 1 to 100")?;
        for two in self.sizes.windows(2) {
            let above = two[0] as f64 + 1.0..=2e3;
            inside(
                "batch size",
                two[1] as f64,
                &above,
                "above the one before, at most 2000",
            )?;
        }
        for &size in &self.sizes {
            inside("batch size", size as f64, &(12.0..=2e3), "from 12 to 2000")?;
        }
        let moves = self.moves_per_player as f64;
        inside("moves per player", moves, &(1.0..=1e6), "from 1 to 1000000")
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
    pub left_over: Estimate,
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
    left_over: f64,
}

/// One stream in batches of one size.
struct Run {
    total: f64,
    groups: [Sums; BATCH_GROUPS.len()],
}

/// Cuts the same streams of players into batches of each size, and makes lineups of each batch by our annealing.
///
/// Players come in a random order, parties at once; a batch closes when it has as many players as it should, or one
/// or two more for the sake of a party. Who is left over comes first in the next batch, dearer to leave out; of the
/// last batch, nobody comes again. The search is ours, so that what is seen is the choice that a batch offers and not
/// the search's trouble with it. The same for any number of `threads`.
///
/// # Errors
/// [`SettingError`](crate::SettingError) for a setting out of range.
pub fn run_batches(
    config: &BatchesConfig,
    seed: u64,
    threads: usize,
    progress: &dyn Progress,
) -> anyhow::Result<BatchesReport> {
    config.check()?;
    let sizes = config.sizes.len();
    progress.begin("batches of different sizes", (config.streams * sizes) as u64);
    let runs = in_parallel((threads, config.streams * sizes), progress, |task| {
        run_stream(config, seed, task / sizes, config.sizes[task % sizes])
    })?;
    let of = |size: usize, value: &dyn Fn(&Run) -> f64| -> Vec<f64> {
        runs.iter().skip(size).step_by(sizes).map(value).collect()
    };
    let rows = config.sizes.iter().enumerate();
    let rows = rows.map(|(place, &size)| BatchRow {
        size,
        total: estimate(of(place, &|run| run.total)),
        groups: (0..BATCH_GROUPS.len())
            .map(|group| {
                let mean =
                    |value: &dyn Fn(&Sums) -> f64| estimate(of(place, &|run| value(&run.groups[group])));
                GroupRow {
                    group: BATCH_GROUPS[group],
                    ping_factor: mean(&|sums| sums.ping_factor / sums.players),
                    quality: mean(&|sums| sums.quality / sums.players),
                    ping: mean(&|sums| sums.ping / sums.players),
                    left_over: mean(&|sums| sums.left_over / sums.members),
                }
            })
            .collect(),
    });
    let step = |place: usize| {
        let over = |value: &dyn Fn(&Run) -> f64| {
            let (small, large) = (of(place, value), of(place + 1, value));
            paired_test(large.iter().zip(&small).map(|(large, small)| large - small))
        };
        let by_group = |value: &dyn Fn(&Sums) -> f64| {
            let groups = 0..BATCH_GROUPS.len();
            groups
                .map(|group| over(&|run| value(&run.groups[group])))
                .collect()
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
        rows: rows.collect(),
        steps: (0..sizes - 1).map(step).collect(),
    })
}

/// The mean over streams that have such players at all.
fn estimate(values: Vec<f64>) -> Estimate {
    Summary::of(values.into_iter().filter(|value| value.is_finite())).estimate()
}

/// Players in the order in which they come, parties at once.
fn arrivals(config: &BatchesConfig, seed: u64, number: usize) -> anyhow::Result<Vec<Vec<Player>>> {
    let world = LobbyWorldParams {
        players: config.players,
        ..config.world.clone()
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

fn run_stream(config: &BatchesConfig, seed: u64, number: usize, size: usize) -> anyhow::Result<Run> {
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
            let lineups = lineups(config, &policy, &pool, number)?;
            matches += lineups.lobbies.len() as f64;
            tally(&mut run, &policy, &pool, &lineups)?;
            batch = lineups
                .unmatched
                .iter()
                .map(|&player| pool[player].clone())
                .collect();
            for player in &mut batch {
                player.wait_seconds = Some(player.wait_seconds.unwrap_or_default() + ROUND_SECONDS);
            }
        }
        come = 0;
    }
    run.total /= matches;
    Ok(run)
}

fn lineups(
    config: &BatchesConfig,
    policy: &ScoringPolicy,
    pool: &Pool,
    number: usize,
) -> anyhow::Result<Lineups> {
    let moves = config.moves_per_player.saturating_mul(pool.len() as u64);
    let search = Annealing::new(number as u64 + 1).with_moves(moves);
    Ok(search.solve(&lobby_pool(pool, (TEAM, TEAM))?, &LobbyScoring { pool, policy })?)
}

fn tally(run: &mut Run, policy: &ScoringPolicy, pool: &Pool, lineups: &Lineups) -> anyhow::Result<()> {
    let factor = policy
        .factors()
        .iter()
        .find(|one| one.factor.name() == "enemy_ping");
    for lobby in &lineups.lobbies {
        let teams = [&lobby.team_a[..], &lobby.team_b];
        let candidate = TeamMatch::new(pool, &teams)?;
        let ping_factor = factor
            .and_then(|one| one.factor.quality(&candidate))
            .unwrap_or(f64::NAN);
        run.total += lobby.quality;
        for (own, enemies) in [(teams[0], teams[1]), (teams[1], teams[0])] {
            for &player in own {
                let sums = &mut run.groups[group_of(&pool[player])];
                let pings: f64 = enemies.iter().map(|&enemy| pool.ping(player, enemy)).sum();
                sums.players += 1.0;
                sums.ping_factor += ping_factor;
                sums.quality += lobby.quality;
                sums.ping += pings / enemies.len() as f64;
            }
        }
    }
    for &player in &lineups.unmatched {
        run.groups[group_of(&pool[player])].left_over += 1.0;
    }
    Ok(())
}

/// The place in [`BATCH_GROUPS`].
fn group_of(player: &Player) -> usize {
    match player.region.as_deref() {
        Some("eu") => 2,
        Some("na") => 1,
        _ => 0,
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
            ..BatchesConfig::default()
        }
    }

    #[test]
    fn who_lives_far_away_gains_most_from_larger_batches() {
        let report = run_batches(&small(), 1, 2, &Quiet).unwrap();
        assert_eq!(report, run_batches(&small(), 1, 1, &Quiet).unwrap());
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
            let error = run_batches(&config, 1, 1, &Quiet).unwrap_err();
            assert!(error.to_string().starts_with(name), "{error}");
        }
    }
}
