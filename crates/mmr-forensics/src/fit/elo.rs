//! K-factor, scale and opponents of an Elo-like ladder, from one player's visible changes.

use crate::answer::{Answer, Interval};
use crate::error::{ForensicsError, within};

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
    pub ahead: Vec<f64>,
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
/// The scale shows only where opponents' ratings do: log10(E / (1 - E)) is then a line in their distance, of slope
/// 1/scale. Without them not identifiable: stretching all hidden ratings changes nothing that a player sees.
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
    let limits = -1e6..=1e6;
    for game in games {
        within(
            "the change of a game",
            game.change,
            &limits,
            "points from -1e6 to 1e6",
        )?;
        if let Some(opponent) = game.opponent {
            within(
                "an opponent's rating",
                opponent,
                &(-1e9..=1e9),
                "points from -1e9 to 1e9",
            )?;
        }
    }
    if games.len() < LEAST_GAMES {
        return Err(ForensicsError::Few {
            what: "games with a change",
            rows: games.len(),
            needed: LEAST_GAMES,
        });
    }
    let k = k_factor(games);
    let Some(&Interval { value, .. }) = k.found() else {
        return Ok(EloFit {
            scale: Answer::unknown("the K-factor is not known", "games won and lost"),
            k,
            expected: Vec::new(),
            ahead: Vec::new(),
            in_points: false,
        });
    };
    let share = |game: &VisibleGame| {
        let share = game.change.abs() / value;
        let expected = if game.change > 0.0 { 1.0 - share } else { share };
        expected.clamp(0.001, 0.999)
    };
    let expected: Vec<f64> = games.iter().map(share).collect();
    let odds: Vec<f64> = expected.iter().map(|e| (e / (1.0 - e)).log10()).collect();
    let scale = scale(games, &odds);
    let unit = scale.found().map_or(1.0, |scale| scale.value);
    Ok(EloFit {
        k,
        in_points: scale.found().is_some(),
        scale,
        ahead: odds.iter().map(|odds| -odds * unit).collect(),
        expected,
    })
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

/// A line through log10 odds by the opponents' ratings less one's own, which is known but for where it began.
fn scale(games: &[VisibleGame], odds: &[f64]) -> Answer<Interval> {
    let mut own = 0.0;
    let mut points = Vec::new();
    for (game, &odds) in games.iter().zip(odds) {
        if let Some(opponent) = game.opponent {
            points.push((own - opponent, odds));
        }
        own += game.change;
    }
    let n = points.len() as f64;
    let remedy = "ratings of at least 20 opponents, not all of them equally far away";
    if points.len() < LEAST_GAMES {
        return Answer::unknown(
            format!(
                "the ratings of {} opponents are known, and stretching hidden ratings changes nothing that is seen",
                points.len()
            ),
            remedy,
        );
    }
    let mean = |value: fn(&(f64, f64)) -> f64| points.iter().map(value).sum::<f64>() / n;
    let (x0, y0) = (mean(|point| point.0), mean(|point| point.1));
    let spread: f64 = points.iter().map(|(x, _)| (x - x0).powi(2)).sum();
    let slope = points.iter().map(|(x, y)| (x - x0) * (y - y0)).sum::<f64>() / spread;
    let rest: f64 = points
        .iter()
        .map(|(x, y)| (y - y0 - slope * (x - x0)).powi(2))
        .sum();
    let half = 1.96 * (rest / (n - 2.0) / spread).sqrt();
    // Written so that NaN, from opponents who are all equally far away, fails.
    if slope - half > 0.0 {
        Answer::Found(Interval {
            value: 1.0 / slope,
            low: 1.0 / (slope + half),
            high: 1.0 / (slope - half),
        })
    } else {
        Answer::unknown("changes do not follow the opponents' ratings clearly", remedy)
    }
}
