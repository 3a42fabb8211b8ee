//! [`fit_party_bonus`]: party bonuses from game results, with confidence intervals.

use thiserror::Error;

use crate::error::{ParamError, within};
use crate::party::bonus::{PartyBonus, PartyBonusParams};
use crate::party::design::{Design, Plan, TERMS};
use crate::party::options::{Identification, PartyFitOptions, PartyTerm};
use crate::party::regression::{Maximum, NoMaximum};
use crate::system::RatingEstimate;
use crate::team::TeamGame;

/// An estimate with its uncertainty.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PointEstimate {
    /// The estimate.
    pub value: f64,
    /// Its standard error.
    pub standard_error: f64,
}

impl PointEstimate {
    /// The interval that covers the truth in 95 of 100 data sets: 1.96 standard errors to each side.
    #[must_use]
    pub fn interval(&self) -> (f64, f64) {
        let half = 1.959_963_984_540_054 * self.standard_error;
        (self.value - half, self.value + half)
    }
}

/// One coefficient of a [`PartyBonusFit`].
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PartyCoefficient {
    /// Of what.
    pub term: PartyTerm,
    /// In rating points (log odds per point for [`PartyTerm::Rating`]); none if the games cannot tell.
    pub estimate: Option<PointEstimate>,
    /// Whether they can.
    pub identification: Identification,
}

/// Party bonuses as learnt from games.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PartyBonusFit {
    /// The bonus, with 0 for what the games cannot tell; none where an estimate is beyond what
    /// [`PartyBonusParams`] allows, as it is by chance with few games.
    pub bonus: Option<PartyBonus>,
    /// All coefficients, those that cannot be told included.
    pub coefficients: Vec<PartyCoefficient>,
    /// Games given. Those that [`OneWay`](Identification::OneWay) terms decided are not in the fit.
    pub games: usize,
    /// Mean of -ln P(result) over the games in the fit, natural logarithms.
    pub log_loss: f64,
}

impl PartyBonusFit {
    /// The coefficient of a term; none if it was not asked for.
    #[must_use]
    pub fn coefficient(&self, term: PartyTerm) -> Option<&PartyCoefficient> {
        self.coefficients.iter().find(|one| one.term == term)
    }
}

/// Why no bonus could be fitted.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum PartyFitError {
    /// There are no games.
    #[error("no games to fit party bonuses to: give some thousands")]
    NoGames,
    /// A game is not one of two sides.
    #[error("game {game} has {sides} sides: party bonuses are fitted to games of two")]
    NotTwoSides {
        /// Where in the input, from 0.
        game: usize,
        /// Its sides.
        sides: usize,
    },
    /// A setting is out of range.
    #[error(transparent)]
    Option(#[from] ParamError),
    /// Ratings and parties predict every result, so coefficients have no bound.
    #[error(
        "the results follow from ratings and parties without exception: give more games, or games of closer sides"
    )]
    Separable,
    /// The ratings do not predict the results, so a bonus has no length in points.
    #[error(
        "a point of rating is worth {value} log odds, give or take {standard_error}: too uncertain to put a bonus in points; \
         give more games, or `log_odds_per_point`"
    )]
    NoScale {
        /// Log odds per point.
        value: f64,
        /// Its standard error.
        standard_error: f64,
    },
}

/// Ratings must predict results at least this clearly for points to be a unit.
const LEAST_SCALE_Z: f64 = 4.0;

/// Learns what parties are worth from the outcomes of games: logistic regression, as Valve says that it
/// did ("Dota 2: Matchmaking", 7 December 2013, "Data Driven Process").
///
/// ```text
/// ln odds(first side wins) = h + s (T_1 - T_2) + sum over k of c_k (x_1k - x_2k)
/// T_i   skill of side i: mean (or sum) of its ratings, weighted with parts of the game
/// x_ik  mean (or sum) over its members of: being in a party of size k; spread beyond the free one
/// bonus_k = c_k / s                                                        points
/// ```
///
/// The log odds of a game of [length](TeamGame::length) L are sqrt(L) times these: those of a part of a random walk.
///
/// A draw counts as half a win of each. Ratings are those before the game, of the players alone. The
/// standard errors are the inverse information's, for a quotient by the delta method. They are those of
/// games that end in a win: where a share d of games between equals is drawn, scores vary less, and the
/// errors are too large by the factor 1 / sqrt(1 - d).
///
/// Not every set of games can tell every coefficient: where no party of four played, where both sides
/// always had like parties, where all parties of a size had the same spread. Each coefficient says so
/// in its [`Identification`], and is then 0 in the bonus; of confounded ones the earlier takes the sum.
///
/// Cost: games times 50, a few times.
///
/// # Errors
/// [`PartyFitError`].
///
/// ```
/// use matchwright_rating::{EloRating, Identification, Member, PartyTerm, Side, TeamGame, fit_party_bonus};
///
/// // Two friends win 60 of 100 games against strangers as good as they, and better players win more.
/// let player = |mmr| Member::new(EloRating::new(mmr).unwrap());
/// let mut games = Vec::new();
/// for k in 0..100 {
///     let (gap, won) = ([0.0, 50.0, -50.0][k % 3], (k * 7) % 100 < [60, 68, 52][k % 3]);
///     let friends = vec![player(1500.0 + gap).in_party(1), player(1500.0 + gap).in_party(1)];
///     let strangers = vec![player(1500.0), player(1500.0)];
///     let sides = [(friends, won), (strangers, !won)];
///     let sides = sides.map(|(members, won)| Side::of_members(if won { 1 } else { 2 }, members));
///     games.push(TeamGame::new(sides.into())?);
/// }
/// let known = matchwright_rating::PartyFitOptions {
///     log_odds_per_point: Some(10_f64.ln() / 400.0),
///     first_side: false,
///     ..Default::default()
/// };
/// let fit = fit_party_bonus(&games, &known)?;
/// let two = fit.coefficient(PartyTerm::Size(2)).unwrap();
/// let (low, high) = two.estimate.unwrap().interval();
/// assert!(low < 70.0 && 70.0 < high);
/// assert_eq!(fit.coefficient(PartyTerm::Size(3)).unwrap().identification, Identification::Absent);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fit_party_bonus<R: RatingEstimate>(
    games: &[TeamGame<R>],
    options: &PartyFitOptions,
) -> Result<PartyBonusFit, PartyFitError> {
    check(options)?;
    if games.is_empty() {
        return Err(PartyFitError::NoGames);
    }
    let design =
        Design::of(games, options).map_err(|(game, sides)| PartyFitError::NotTwoSides { game, sides })?;
    let mut plan = design.plan(options);
    let rows = design.rows(&plan, options);
    let maximum = rows.maximise().map_err(|why| match why {
        NoMaximum::Separable | NoMaximum::Dependent => PartyFitError::Separable,
    })?;
    for (&k, endless) in plan.columns.iter().zip(rows.endless(&maximum)) {
        if endless && k < 2 {
            return Err(PartyFitError::Separable);
        }
        if endless {
            plan.identification[k] = Identification::OneWay;
        }
    }
    let estimates = in_points(&plan, &maximum, options)?;
    let coefficients: Vec<PartyCoefficient> = TERMS
        .iter()
        .zip(&plan.identification)
        .zip(estimates)
        .filter(|((term, _), _)| options.wants(**term))
        .map(|((term, identification), estimate)| PartyCoefficient {
            term: *term,
            estimate: estimate.filter(|_| *identification == Identification::Identified),
            identification: identification.clone(),
        })
        .collect();
    let points = |position: usize| match plan.identification[position] {
        Identification::OneWay => 0.0,
        _ => estimates[position].map_or(0.0, |estimate| estimate.value),
    };
    let bonus = PartyBonusParams {
        spread_points: points(2),
        free_spread: options.free_spread,
        size_points: [points(3), points(4), points(5), points(6)],
    };
    Ok(PartyBonusFit {
        bonus: bonus.build().ok(),
        coefficients,
        games: games.len(),
        log_loss: maximum.log_loss,
    })
}

fn check(options: &PartyFitOptions) -> Result<(), ParamError> {
    within("free_spread", options.free_spread, 0.0..=1e6)?;
    if let Some(scale) = options.log_odds_per_point {
        within("log_odds_per_point", scale, 1e-9..=1e3)?;
    }
    Ok(())
}

/// Coefficients by [`TERMS`], those of parties and sides in points.
fn in_points(
    plan: &Plan,
    maximum: &Maximum,
    options: &PartyFitOptions,
) -> Result<[Option<PointEstimate>; TERMS.len()], PartyFitError> {
    let n = plan.columns.len();
    let raw = |at: usize| PointEstimate {
        value: maximum.coefficients[at],
        standard_error: maximum.robust[at * n + at].sqrt(),
    };
    let mut estimates = [None; TERMS.len()];
    if let Some(known) = options.log_odds_per_point {
        for (at, &k) in plan.columns.iter().enumerate() {
            // The advantage's column is 1 in a whole game, so its coefficient is in log odds still.
            let unit = if k == 1 { known } else { 1.0 };
            let PointEstimate {
                value,
                standard_error,
            } = raw(at);
            estimates[k] = Some(PointEstimate {
                value: value / unit,
                standard_error: standard_error / unit,
            });
        }
        return Ok(estimates);
    }
    let Some(scale) = plan.columns.first().filter(|&&k| k == 0).map(|_| raw(0)) else {
        return Err(PartyFitError::NoScale {
            value: 0.0,
            standard_error: f64::INFINITY,
        });
    };
    let PointEstimate {
        value,
        mut standard_error,
    } = scale;
    // A sum with others is no scale.
    if plan.identification[0] != Identification::Identified {
        standard_error = f64::INFINITY;
    }
    if value.is_nan() || value < LEAST_SCALE_Z * standard_error {
        return Err(PartyFitError::NoScale {
            value,
            standard_error,
        });
    }
    estimates[0] = Some(scale);
    for (at, &k) in plan.columns.iter().enumerate().skip(1) {
        let ratio = maximum.coefficients[at] / value;
        // Delta method for a quotient c / s.
        let variance = maximum.robust[at * n + at] - 2.0 * ratio * maximum.robust[at * n]
            + ratio * ratio * maximum.robust[0];
        estimates[k] = Some(PointEstimate {
            value: ratio,
            standard_error: variance.max(0.0).sqrt() / value,
        });
    }
    Ok(estimates)
}
