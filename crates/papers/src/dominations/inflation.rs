//! Points that a schedule of K makes and destroys in a closed world of alliances.

use matchwright_rating::{
    DomMmr, DomMmrParams, DomRating, GameResult, KeepSum, PointsLedger, RatingSystem, Score,
};
use rand::RngExt;
use serde::Serialize;

use crate::random::Purpose;
use crate::settings::within;
use matchwright_sim::random::{standard_normal, stream};

/// New alliances a round, which start at the schedule's `initial`.
const NEWCOMERS: u32 = 4;
/// By how much newcomers are stronger than where they start, on average, points.
const NEWCOMER_LEADS: [f64; 3] = [-800.0, 0.0, 800.0];
/// The standard deviation of strengths around `initial`, points.
const STRENGTH_DEVIATION: f64 = 1_200.0;
/// The noise of matchmaking: alliances are sorted by rating plus a normal number with this deviation, and neighbours
/// meet.
const MATCHING_DEVIATION: f64 = 200.0;

/// What decides [`run_inflation`], apart from the seed. The document gives no numbers: all are ours.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InflationConfig {
    /// The schedule of K.
    pub dom: DomMmrParams,
    /// Alliances at the start, settled where they belong; 2 to 100,000. Default 400.
    pub veterans: u32,
    /// Rounds in each of which every alliance has a war; 1 to 10,000. Default 100.
    pub rounds: u32,
}

impl Default for InflationConfig {
    fn default() -> Self {
        Self {
            dom: DomMmrParams::default(),
            veterans: 400,
            rounds: 100,
        }
    }
}

/// One world.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InflationRow {
    /// How K is chosen, in words.
    pub system: &'static str,
    /// By how much newcomers were stronger than where they started, on average.
    pub newcomer_lead: f64,
    /// Wars.
    pub games: u64,
    /// Points that wars made, by [`PointsLedger`].
    pub made: f64,
    /// Points that they destroyed.
    pub destroyed: f64,
    /// Made less destroyed, a war.
    pub net_per_game: f64,
    /// The change of all points together that games brought, from the ratings themselves: what newcomers bring along
    /// is left out.
    pub change: f64,
    /// The mean rating at the end.
    pub mean: f64,
}

/// Plays worlds under the schedule as it is, under a constant K, and with K made equal in each war.
///
/// # Errors
/// [`SettingError`](crate::SettingError) for a setting out of range.
///
/// ```
/// use matchwright_papers::dominations::{InflationConfig, run_inflation};
///
/// let small = InflationConfig { veterans: 50, rounds: 20, ..InflationConfig::default() };
/// let rows = run_inflation(&small, 1)?;
/// let constant = rows.iter().find(|row| row.system == "constant K").unwrap();
/// // Nothing but rounding.
/// assert!(constant.made < 1e-6 && constant.destroyed < 1e-6);
/// # Ok::<(), anyhow::Error>(())
/// ```
pub fn run_inflation(config: &InflationConfig, seed: u64) -> anyhow::Result<Vec<InflationRow>> {
    within("veterans", config.veterans, &(2..=100_000))?;
    within("rounds", config.rounds, &(1..=10_000))?;
    let with = |keep_sum| DomMmrParams {
        keep_sum,
        ..config.dom
    };
    let constant = DomMmrParams {
        initial: config.dom.initial,
        curve: config.dom.curve,
        ..DomMmrParams::constant_k(config.dom.k)
    };
    let systems = [
        ("K of each", with(None)),
        ("the mean K", with(Some(KeepSum::Mean))),
        ("the smaller K", with(Some(KeepSum::Smaller))),
        ("the larger K", with(Some(KeepSum::Larger))),
        ("constant K", constant),
    ];
    let mut rows = Vec::new();
    for lead in NEWCOMER_LEADS {
        for (name, params) in systems {
            rows.push(play(config, name, &params.build()?, lead, seed)?);
        }
    }
    Ok(rows)
}

struct Alliance {
    rating: DomRating,
    strength: f64,
}

fn play(
    config: &InflationConfig,
    name: &'static str,
    dom: &DomMmr,
    lead: f64,
    seed: u64,
) -> anyhow::Result<InflationRow> {
    let initial = dom.params().initial;
    let mut rng = stream(seed, Purpose::Inflation, 0, 0);
    let mut world = Vec::new();
    for _ in 0..config.veterans {
        let strength = initial + STRENGTH_DEVIATION * standard_normal(&mut rng);
        let rating = DomRating::new(strength, 300, 0)?;
        world.push(Alliance { rating, strength });
    }
    let mut brought: f64 = world.iter().map(|one| one.rating.glory()).sum();
    let mut ledger = PointsLedger::default();
    for round in 1..=config.rounds {
        let mut rng = stream(seed, Purpose::Inflation, round.into(), 0);
        for _ in 0..NEWCOMERS {
            let strength = initial + lead + STRENGTH_DEVIATION * standard_normal(&mut rng);
            let rating = dom.initial();
            world.push(Alliance { rating, strength });
            brought += initial;
        }
        let mut noise = || MATCHING_DEVIATION * standard_normal(&mut rng);
        let places = world.iter().enumerate();
        let mut order: Vec<(f64, usize)> = places
            .map(|(at, one)| (one.rating.glory() + noise(), at))
            .collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        for pair in order.chunks_exact(2) {
            war(dom, &mut world, pair[0].1, pair[1].1, rng.random(), &mut ledger)?;
        }
    }
    let sum: f64 = world.iter().map(|one| one.rating.glory()).sum();
    Ok(InflationRow {
        system: name,
        newcomer_lead: lead,
        games: ledger.games(),
        made: ledger.made(),
        destroyed: ledger.destroyed(),
        net_per_game: ledger.net_per_game(),
        change: sum - brought,
        mean: sum / world.len() as f64,
    })
}

/// One war of a and b, which `luck` in [0, 1) decides.
fn war(
    dom: &DomMmr,
    world: &mut [Alliance],
    a: usize,
    b: usize,
    luck: f64,
    ledger: &mut PointsLedger,
) -> anyhow::Result<()> {
    let chance = dom.params().curve.expected(world[a].strength, world[b].strength);
    let score = if luck < chance { Score::WIN } else { Score::LOSS };
    let (first, second) = (world[a].rating, world[b].rating);
    ledger.record(dom.drift(&first, &second, score))?;
    world[a].rating = dom.update(&first, 0.0, &[GameResult::new(second, score)]);
    world[b].rating = dom.update(&second, 0.0, &[GameResult::new(first, score.reversed())]);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> InflationConfig {
        InflationConfig {
            veterans: 100,
            rounds: 40,
            ..InflationConfig::default()
        }
    }

    #[test]
    fn the_ledger_agrees_with_the_ratings_and_equal_k_only_moves_points() {
        for row in run_inflation(&small(), 1).unwrap() {
            let net = row.made - row.destroyed;
            assert!((row.change - net).abs() < 1e-5, "{row:?}");
            if row.system == "K of each" {
                assert!(row.made > 0.0 && row.destroyed > 0.0);
            } else {
                assert!(row.made < 1e-6 && row.destroyed < 1e-6, "{row:?}");
            }
        }
    }

    #[test]
    fn strong_newcomers_make_points_and_weak_ones_destroy_them() {
        let rows = run_inflation(&small(), 1).unwrap();
        let of = |lead: f64| {
            let mine = |row: &&InflationRow| row.system == "K of each" && row.newcomer_lead == lead;
            rows.iter().find(mine).unwrap().net_per_game
        };
        assert!(of(-800.0) < of(0.0) && of(0.0) < of(800.0));
        assert!(of(-800.0) < 0.0 && of(800.0) > 0.0);
    }

    #[test]
    fn settings_out_of_range_are_named() {
        for (veterans, rounds, name) in [(1, 9, "veterans"), (9, 0, "rounds")] {
            let config = InflationConfig {
                veterans,
                rounds,
                ..InflationConfig::default()
            };
            let error = run_inflation(&config, 1).unwrap_err().to_string();
            assert!(error.starts_with(name), "{error}");
        }
    }
}
