//! [`fit_elo`]: K-factor, scale and opponents of an Elo-like ladder, by Gauss-Newton least squares.

use crate::answer::{Answer, Interval};
use crate::error::{ForensicsError, within};
use crate::numeric::invert;

/// A game as its player sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct VisibleGame {
    /// By how much the rating changed: positive for a win. Without any bonus.
    pub change: f64,
    /// The opponent's rating before the game, where it is shown.
    pub opponent: Option<f64>,
}

/// What a player's changes tell.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct EloFit {
    /// The K-factor: the most that a game can bring.
    pub k: Answer<Interval>,
    /// Points by which a favourite at 10 to 1 is ahead.
    pub scale: Answer<Interval>,
    /// For each game how strong the opponent was: the score that the ladder expected of the player.
    pub expected: Vec<f64>,
    /// For each game the opponent's rating less the player's, in points if the scale is known, else in units of it.
    /// The ends are those that the intervals of K-factor and scale allow, and the rounding of changes if all are whole.
    pub ahead: Vec<Interval>,
    /// Whether `ahead` is in points.
    pub in_points: bool,
}

/// Games it takes.
const LEAST_GAMES: usize = 20;

/// What the ladder's K-factor, scale and hidden opponents were, if each game changed the rating by k (S - E) with E =
/// 1 / (1 + 10^((opponent - own) / scale)).
///
/// With W(E) games expected at E, of which a share E is won, wins change by k (1 - E) and losses by -k E, so that the
/// sum of squares is k^2 E (1 - E) a game and that of sizes 2 k E (1 - E): k = 2 sum c^2 / sum |c|, whatever
/// opponents there are. It holds for a player whose rating is right on average; one whose games are even it holds for
/// anyway. The interval is that of a ratio of sums.
///
/// The scale shows only where opponents' ratings do: then K-factor, scale and the rating at first are those of least
/// squares. Without them it is not identifiable: stretching all hidden ratings changes nothing that a player sees.
///
/// # Errors
/// [`ForensicsError::Number`] for changes or ratings that are no numbers; [`ForensicsError::Few`] below 20 games.
///
/// ```
/// use matchwright_mmr_forensics::{VisibleGame, fit_elo};
///
/// let game = |change| VisibleGame { change, opponent: None };
/// let games: Vec<_> = (0..40).map(|n| game(if n % 2 == 0 { 13.0 } else { -11.0 })).collect();
/// let fit = fit_elo(&games)?;
/// assert!((fit.k.found().unwrap().value - 24.0).abs() < 0.5);
/// assert!(fit.scale.found().is_none());
/// # Ok::<(), matchwright_mmr_forensics::ForensicsError>(())
/// ```
pub fn fit_elo(games: &[VisibleGame]) -> Result<EloFit, ForensicsError> {
    check(games)?;
    let mut k = k_factor(games);
    let Some(&by_sizes) = k.found() else {
        return Ok(EloFit {
            scale: Answer::unknown("the K-factor is not known", "games won and lost"),
            k,
            expected: Vec::new(),
            ahead: Vec::new(),
            in_points: false,
        });
    };
    let known = with_opponents(games, by_sizes.value);
    let k_value = known.found().map_or(by_sizes, |known| known.k);
    k = Answer::Found(k_value);
    let share = |change: f64, k: f64| {
        let share = change.abs() / k;
        let expected = if change > 0.0 { 1.0 - share } else { share };
        expected.clamp(0.001, 0.999)
    };
    let expected: Vec<f64> = games
        .iter()
        .map(|game| share(game.change, k_value.value))
        .collect();
    let odds: Vec<f64> = expected.iter().copied().map(log_odds).collect();
    let scale = match known {
        Answer::Found(known) => Answer::Found(known.scale),
        Answer::NotIdentifiable(why) => Answer::NotIdentifiable(why),
    };
    let unit = scale.found().copied().unwrap_or(Interval {
        value: 1.0,
        low: 1.0,
        high: 1.0,
    });
    let is_whole = games.iter().all(|game| game.change.fract() == 0.0);
    let rounding = if is_whole { 0.5 } else { 0.0 };
    let ahead = |(game, &odds): (&VisibleGame, &f64)| {
        let ends = [(-rounding, k_value.high), (rounding, k_value.low)].map(|(by, k)| {
            // A change keeps its sign, whatever it was before it was rounded.
            let size = (game.change.abs() + by).max(0.0);
            -log_odds(share(size.copysign(game.change), k))
        });
        let scaled = ends.into_iter().flat_map(|end| [end * unit.low, end * unit.high]);
        let own = -odds * unit.value;
        Interval {
            value: own,
            low: scaled.clone().fold(own, f64::min),
            high: scaled.fold(own, f64::max),
        }
    };
    Ok(EloFit {
        ahead: games.iter().zip(&odds).map(ahead).collect(),
        in_points: scale.found().is_some(),
        k,
        scale,
        expected,
    })
}

fn check(games: &[VisibleGame]) -> Result<(), ForensicsError> {
    for game in games {
        within("the change of a game", game.change, -1e6..=1e6)?;
        if let Some(opponent) = game.opponent {
            within("an opponent's rating", opponent, -1e9..=1e9)?;
        }
    }
    if games.len() < LEAST_GAMES {
        return Err(ForensicsError::Few {
            what: "games with a change",
            rows: games.len(),
            needed: LEAST_GAMES,
        });
    }
    Ok(())
}

fn log_odds(expected: f64) -> f64 {
    (expected / (1.0 - expected)).log10()
}

fn k_factor(games: &[VisibleGame]) -> Answer<Interval> {
    let wins = games.iter().filter(|game| game.change > 0.0).count();
    let losses = games.iter().filter(|game| game.change < 0.0).count();
    if wins == 0 || losses == 0 {
        return Answer::unknown(
            format!(
                "{wins} wins and {losses} losses: what a game costs and what it brings must both be seen"
            ),
            "games won and lost",
        );
    }
    let n = games.len() as f64;
    let sum: f64 = games.iter().map(|game| game.change.abs()).sum();
    let k = 2.0 * games.iter().map(|game| game.change * game.change).sum::<f64>() / sum;
    let influence = |game: &VisibleGame| (2.0 * game.change.abs() - k) * game.change.abs() / (sum / n);
    let variance = games.iter().map(|game| influence(game).powi(2)).sum::<f64>() / (n - 1.0);
    let most = games.iter().map(|game| game.change.abs()).fold(0.0, f64::max);
    let half = 1.96 * (variance / n).sqrt();
    Answer::Found(Interval {
        value: k.max(most),
        // No game brings more than k.
        low: (k - half).max(most),
        high: (k + half).max(most),
    })
}

/// K-factor and scale where opponents' ratings are known.
struct Known {
    k: Interval,
    scale: Interval,
}

/// Gauss-Newton steps after which it is given up.
const STEPS: usize = 60;

/// Least squares of change = k (S - E) over the K-factor, the scale, and the player's rating before the first game,
/// which is not shown.
fn with_opponents(games: &[VisibleGame], k: f64) -> Answer<Known> {
    let mut own = 0.0;
    let mut shown = Vec::new();
    for game in games {
        if let Some(opponent) = game.opponent {
            shown.push((own - opponent, game.change));
        }
        own += game.change;
    }
    let remedy = "ratings of at least 20 opponents, not all of them equally far away";
    if shown.len() < LEAST_GAMES {
        return Answer::unknown(
            format!(
                "the ratings of {} opponents are known, and stretching hidden ratings changes nothing that is seen",
                shown.len()
            ),
            remedy,
        );
    }
    let n = shown.len() as f64;
    let mean = shown.iter().map(|game| game.0).sum::<f64>() / n;
    let spread = (shown.iter().map(|game| (game.0 - mean).powi(2)).sum::<f64>() / n).sqrt();
    let unclear = || Answer::unknown("changes do not follow the opponents' ratings clearly", remedy);
    if spread < 1e-9 {
        return unclear();
    }
    // At first: on average an equal of the opponents, who are a fifth of a scale away; distances in spreads.
    let at = [k, 5.0, 0.0];
    let distances: Vec<(f64, f64)> = shown
        .iter()
        .map(|&(distance, change)| ((distance - mean) / spread, change))
        .collect();
    let Some((at, now)) = Squares::least(&distances, at) else {
        return unclear();
    };
    let Some(inverse) = invert(&now.normal) else {
        return unclear();
    };
    let variance = now.sum / (n - 3.0);
    let around = |i: usize, unit: f64| {
        let half = 1.96 * (variance * inverse[i][i]).max(0.0).sqrt();
        Interval {
            value: unit * at[i],
            low: unit * (at[i] - half),
            high: unit * (at[i] + half),
        }
    };
    let known = Known {
        k: around(0, 1.0),
        scale: around(1, spread),
    };
    if known.scale.low > 0.0 && known.k.low > 0.0 {
        Answer::Found(known)
    } else {
        unclear()
    }
}

/// The sum of squares at a place (K-factor, scale, rating at first), and its normal equations there.
struct Squares {
    sum: f64,
    normal: Vec<Vec<f64>>,
    right: [f64; 3],
}

impl Squares {
    fn of(games: &[(f64, f64)], [k, scale, first]: [f64; 3]) -> Self {
        let mut all = Self {
            sum: 0.0,
            normal: vec![vec![0.0; 3]; 3],
            right: [0.0; 3],
        };
        for &(distance, change) in games {
            let x = (distance + first) / scale;
            let expected = 1.0 / (1.0 + 10_f64.powf(-x));
            let score = f64::from(u8::from(change > 0.0));
            let rest = change - k * (score - expected);
            let steep = k * expected * (1.0 - expected) * std::f64::consts::LN_10 / scale;
            let slopes = [score - expected, steep * x, -steep];
            all.sum += rest * rest;
            for i in 0..3 {
                all.right[i] += slopes[i] * rest;
                for j in 0..3 {
                    all.normal[i][j] += slopes[i] * slopes[j];
                }
            }
        }
        all
    }

    /// Gauss-Newton with halved steps from `at` to a place where they gain nothing; none where the normal equations
    /// have no solution.
    fn least(games: &[(f64, f64)], mut at: [f64; 3]) -> Option<([f64; 3], Self)> {
        let mut now = Self::of(games, at);
        for _ in 0..STEPS {
            let inverse = invert(&now.normal)?;
            let step = [0, 1, 2].map(|i| (0..3).map(|j| inverse[i][j] * now.right[j]).sum::<f64>());
            let mut share = 1.0;
            let next = loop {
                let place = [0, 1, 2].map(|i| at[i] + share * step[i]);
                // A scale or K-factor of nothing is none.
                if place[0] > 0.0 && place[1] > 0.0 {
                    let next = Self::of(games, place);
                    if next.sum <= now.sum {
                        break Some((place, next));
                    }
                }
                share /= 2.0;
                if share < 1e-9 {
                    break None;
                }
            };
            let Some((place, next)) = next else { break };
            let gained = now.sum - next.sum;
            (at, now) = (place, next);
            if gained <= 1e-12 * (1.0 + now.sum) {
                break;
            }
        }
        Some((at, now))
    }
}
