//! A newcomer's way to the place that strength deserves, under any rating system.

use matchwright_rating::{GameResult, ParamError, RatingEstimate, RatingSystem, Score};
use rand::RngExt;

use crate::random::Purpose;
use crate::settings::within;
use matchwright_sim::random::{standard_normal, stream};

/// How newcomers are followed.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct ClimbConfig {
    /// Newcomers; 2 to 1,000,000. Default 2,000.
    pub newcomers: u32,
    /// Games of each; 1 to 10,000. Default 60.
    pub games: u32,
    /// Opponents are settled players whose rating is normal around the newcomer's with this deviation, in points, as
    /// a matchmaker by rating would find them; 0 to 1e6. Default 200.
    pub opponent_deviation: f64,
}

impl Default for ClimbConfig {
    fn default() -> Self {
        Self {
            newcomers: 2_000,
            games: 60,
            opponent_deviation: 200.0,
        }
    }
}

/// What became of newcomers of one strength.
#[derive(Clone, Debug, PartialEq)]
pub struct Climb {
    /// Mean rating after 0, 1, ... games.
    pub ratings: Vec<f64>,
    /// Mean deviation after as many; empty if the system has none.
    pub deviations: Vec<f64>,
    /// For each newcomer the games until the rating was first half way from the start to the strength; one more than
    /// were played, if it never was.
    pub games_to_half: Vec<u32>,
    /// For each newcomer the games until the first win, counted likewise.
    pub games_to_win: Vec<u32>,
    /// Root mean square distance of rating and strength over the second half of all games.
    pub wander: f64,
}

/// Follows newcomers who play like settled players rated `strength`, from the rating `start` on.
///
/// `settled` gives the rating of a player of known strength. Results follow from strengths alone: the chance to win
/// is the system's expected score of two settled players. Newcomer n has the luck of the stream
/// `(seed, Newcomers, n, 0)` whatever the system, so that two systems can be compared newcomer by newcomer.
///
/// # Errors
/// [`SettingError`](crate::SettingError) for a setting out of range, or a rating that leaves the range of `settled`.
///
/// ```
/// use matchwright_rating::{DomMmrParams, DomRating};
/// use matchwright_papers::{ClimbConfig, climb};
///
/// let dom = DomMmrParams::default().build()?;
/// let settled = |glory| DomRating::new(glory, 300, 0);
/// let newcomer = DomRating::new(12_000.0, 0, 0)?;
/// let few = ClimbConfig { newcomers: 50, ..ClimbConfig::default() };
/// let strong = climb(&dom, &newcomer, 14_000.0, settled, &few, 1)?;
/// assert!(strong.ratings[60] > 13_500.0 && strong.ratings[60] < 14_500.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn climb<S>(
    system: &S,
    start: &S::Rating,
    strength: f64,
    settled: impl Fn(f64) -> Result<S::Rating, ParamError>,
    config: &ClimbConfig,
    seed: u64,
) -> anyhow::Result<Climb>
where
    S: RatingSystem,
    S::Rating: RatingEstimate,
{
    within("newcomers", config.newcomers, &(2..=1_000_000))?;
    within("games", config.games, &(1..=10_000))?;
    within("opponent deviation", config.opponent_deviation, &(0.0..=1e6))?;
    let games = config.games as usize;
    let from = start.rating();
    let half = f64::midpoint(from, strength);
    let up = if strength >= from { 1.0 } else { -1.0 };
    let truth = settled(strength)?;
    let (mut ratings, mut deviations) = (vec![0.0; games + 1], vec![0.0; games + 1]);
    let (mut to_half, mut to_win) = (Vec::new(), Vec::new());
    let (mut squares, mut counted) = (0.0, 0.0);
    for newcomer in 0..config.newcomers {
        let mut rng = stream(seed, Purpose::Newcomers, newcomer.into(), 0);
        let mut rating = start.clone();
        let (mut first_half, mut first_win) = (config.games + 1, config.games + 1);
        ratings[0] += from;
        deviations[0] += start.deviation().unwrap_or(0.0);
        for game in 1..=config.games {
            let opponent = settled(rating.rating() + config.opponent_deviation * standard_normal(&mut rng))?;
            let won = rng.random::<f64>() < system.expected_score(&truth, &opponent);
            let score = if won { Score::WIN } else { Score::LOSS };
            rating = system.update(&rating, 0.0, &[GameResult::new(opponent, score)]);
            if won {
                first_win = first_win.min(game);
            }
            if up * rating.rating() >= up * half {
                first_half = first_half.min(game);
            }
            if 2 * game > config.games {
                squares += (rating.rating() - strength).powi(2);
                counted += 1.0;
            }
            ratings[game as usize] += rating.rating();
            deviations[game as usize] += rating.deviation().unwrap_or(0.0);
        }
        to_half.push(first_half);
        to_win.push(first_win);
    }
    if start.deviation().is_none() {
        deviations.clear();
    }
    let mean = |sums: Vec<f64>| {
        let count = f64::from(config.newcomers);
        sums.into_iter().map(|sum| sum / count).collect()
    };
    Ok(Climb {
        ratings: mean(ratings),
        deviations: mean(deviations),
        games_to_half: to_half,
        games_to_win: to_win,
        wander: f64::sqrt(squares / counted),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use matchwright_rating::{DotaMmrParams, EloParams, EloRating, GaussianRating};

    fn few() -> ClimbConfig {
        ClimbConfig {
            newcomers: 200,
            games: 100,
            opponent_deviation: 50.0,
        }
    }

    #[test]
    fn ratings_settle_at_the_strength_from_above_and_below() {
        let elo = EloParams::default().build().unwrap();
        let start = EloRating::new(1500.0).unwrap();
        for strength in [1300.0, 1500.0, 1700.0] {
            let climb = climb(&elo, &start, strength, EloRating::new, &few(), 1).unwrap();
            assert_eq!(climb.ratings[0], 1500.0);
            assert!(
                (climb.ratings[100] - strength).abs() < 15.0,
                "{strength}: {:?}",
                climb.ratings.last()
            );
            assert!(climb.deviations.is_empty() && climb.wander < 100.0);
            assert_eq!(climb.games_to_half.len(), 200);
        }
    }

    #[test]
    fn who_is_uncertain_at_first_is_half_way_sooner() {
        let dota = DotaMmrParams::default().build().unwrap();
        let settled = |mmr| GaussianRating::new(mmr, 200.0);
        let run = |uncertainty| {
            let start = GaussianRating::new(2250.0, uncertainty).unwrap();
            climb(&dota, &start, 3200.0, settled, &few(), 1).unwrap()
        };
        let (new, known) = (run(542.0), run(200.0));
        let sum = |climb: &Climb| climb.games_to_half.iter().sum::<u32>();
        assert!(sum(&new) < sum(&known));
        assert_eq!((new.deviations[0], known.deviations[0]), (542.0, 200.0));
    }

    #[test]
    fn settings_out_of_range_are_named() {
        let elo = EloParams::default().build().unwrap();
        let start = EloRating::new(1500.0).unwrap();
        for (config, name) in [
            (
                ClimbConfig {
                    newcomers: 1,
                    ..few()
                },
                "newcomers",
            ),
            (ClimbConfig { games: 0, ..few() }, "games"),
            (
                ClimbConfig {
                    opponent_deviation: f64::NAN,
                    ..few()
                },
                "opponent deviation",
            ),
        ] {
            let error = climb(&elo, &start, 1500.0, EloRating::new, &config, 1).unwrap_err();
            assert!(error.to_string().starts_with(name), "{error}");
        }
    }
}
