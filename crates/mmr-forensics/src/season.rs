//! [`LadderSeason`]: the constants of one ladder season.

use crate::average::MovingAverage;
use crate::error::{ForensicsError, within};
use crate::promotion::GameValue;

/// A tier of a league's divisions, as it is written.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TierParams {
    /// Such as `Rank 2`.
    pub name: String,
    /// K: what its divisions add to a player's differential, points; `None` where nobody knows.
    pub offset: Option<f64>,
    /// Whether its divisions collect players who hardly play.
    #[cfg_attr(feature = "serde", serde(default))]
    pub inactive: bool,
}

/// A league, as it is written.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LeagueParams {
    /// Such as `Diamond`.
    pub name: String,
    /// C: what turns a differential of this league into a rating that all leagues share, points.
    pub conversion: f64,
    /// M: the differential whose passing means promotion, points; `None` in the highest league.
    pub magic: Option<f64>,
    /// The differential below which no loss leads, points; `None` if there is no such floor. Default 0, the bottom of the
    /// league.
    #[cfg_attr(feature = "serde", serde(default = "bottom"))]
    pub floor: Option<f64>,
    /// Tiers, highest first.
    pub tiers: Vec<TierParams>,
}

/// A season, unchecked until [`build`](Self::build). The default is the source's: StarCraft II, February 2011.
///
/// Leagues go from the lowest to the highest. All of it can be replaced, so other seasons and other games are other
/// values, not other code.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LadderSeasonParams {
    /// For messages and pages.
    pub name: String,
    /// Lowest first.
    pub leagues: Vec<LeagueParams>,
    /// Minutes in which everybody is given one bonus point. Default 112.
    pub minutes_per_point: f64,
    /// Points of an average win without bonus and of an average loss. Default 13 and 11.
    pub game: GameValue,
    /// The average that has to pass M. Default the simple one over 10 games.
    pub average: MovingAverage,
    /// Games that the source adds for the average to catch up. Default 5, though its average lags 4.5.
    pub lag_games: f64,
    /// By how far a division's cluster may miss M before another tier is more likely, points. Default 60.
    pub tier_tolerance: f64,
}

fn tier(name: &str, offset: Option<f64>) -> TierParams {
    TierParams {
        name: name.to_owned(),
        offset,
        inactive: name == "Rank-i",
    }
}

fn league(name: &str, conversion: f64, magic: Option<f64>, tiers: Vec<TierParams>) -> LeagueParams {
    LeagueParams {
        name: name.to_owned(),
        conversion,
        magic,
        floor: bottom(),
        tiers,
    }
}

/// The floor of a league for which none is given.
#[allow(clippy::unnecessary_wraps, reason = "the type of the key, for serde")]
fn bottom() -> Option<f64> {
    Some(0.0)
}

impl Default for LadderSeasonParams {
    fn default() -> Self {
        let middle = || vec![tier("Rank 1", Some(0.0)), tier("Rank-i", Some(-63.0))];
        let mut diamond: Vec<TierParams> = (1..=6)
            .rev()
            .map(|rank| tier(&format!("Rank {rank}"), Some(63.0 * f64::from(rank - 1))))
            .collect();
        diamond.push(tier("Rank-i", Some(-63.0)));
        let bronze = vec![
            tier("Rank 1", Some(0.0)),
            tier("Rank 0", Some(-500.0)),
            tier("Rank F", None),
        ];
        Self {
            name: "StarCraft II, February 2011".to_owned(),
            leagues: vec![
                league("Bronze", 500.0, Some(500.0), bronze),
                league("Silver", 1000.0, Some(250.0), middle()),
                league("Gold", 1250.0, Some(250.0), middle()),
                league("Platinum", 1500.0, Some(250.0), middle()),
                league("Diamond", 1750.0, Some(475.0), diamond),
                league("Master", 2225.0, None, vec![tier("Rank 1", Some(0.0))]),
            ],
            minutes_per_point: 112.0,
            game: GameValue::default(),
            average: MovingAverage::Simple { games: 10 },
            lag_games: 5.0,
            tier_tolerance: 60.0,
        }
    }
}

impl LadderSeasonParams {
    /// The season, if its numbers are in range and its leagues fit each other: C of the next is C + M.
    ///
    /// # Errors
    /// [`ForensicsError::Number`] for a number, [`ForensicsError::Season`] for leagues and tiers.
    pub fn build(self) -> Result<LadderSeason, ForensicsError> {
        within("minutes per bonus point", self.minutes_per_point, 1e-6..=1e9)?;
        within("games of lag", self.lag_games, 0.0..=1e6)?;
        within("the tolerance of tiers", self.tier_tolerance, 0.0..=1e6)?;
        self.average.check()?;
        let refuse = |what: String| ForensicsError::Season {
            season: self.name.clone(),
            what,
        };
        if self.leagues.is_empty() {
            return Err(refuse("it has no league".to_owned()));
        }
        for (place, league) in self.leagues.iter().enumerate() {
            check_league(league, self.leagues.get(place + 1)).map_err(refuse)?;
            if self.leagues[..place]
                .iter()
                .any(|other| same(&other.name, &league.name))
            {
                return Err(refuse(format!("two leagues are called `{}`", league.name)));
            }
        }
        Ok(LadderSeason { params: self })
    }
}

fn check_league(league: &LeagueParams, next: Option<&LeagueParams>) -> Result<(), String> {
    let name = &league.name;
    if !league.conversion.is_finite() {
        return Err(format!("C of {name} is no number"));
    }
    if league
        .magic
        .is_some_and(|magic| !(magic > 0.0 && magic.is_finite()))
    {
        return Err(format!("M of {name} must be above 0"));
    }
    if league.floor.is_some_and(|floor| !floor.is_finite()) {
        return Err(format!("the floor of {name} is no number"));
    }
    if let (Some(floor), Some(magic)) = (league.floor, league.magic)
        && floor >= magic
    {
        return Err(format!(
            "the floor of {name}, {floor}, must be below its M, {magic}"
        ));
    }
    match (league.magic, next) {
        (None, Some(next)) => {
            return Err(format!("{name} is below {} and needs a magic number", next.name));
        }
        (Some(magic), Some(next)) if (league.conversion + magic - next.conversion).abs() > 1e-6 => {
            return Err(format!(
                "C of {} is {}, but C + M of {name} is {}",
                next.name,
                next.conversion,
                league.conversion + magic
            ));
        }
        _ => {}
    }
    if league.tiers.is_empty() {
        return Err(format!("{name} has no tier"));
    }
    for (place, tier) in league.tiers.iter().enumerate() {
        if tier.offset.is_some_and(|offset| !offset.is_finite()) {
            return Err(format!("the offset of {name}, {}, is no number", tier.name));
        }
        if league.tiers[..place]
            .iter()
            .any(|other| same(&other.name, &tier.name))
        {
            return Err(format!("{name} has two tiers called `{}`", tier.name));
        }
    }
    Ok(())
}

/// Names as people write them: case, blanks and dashes do not matter.
fn same(one: &str, other: &str) -> bool {
    let letters = |text: &str| -> String {
        let kept = text.chars().filter(|c| c.is_alphanumeric());
        kept.flat_map(char::to_lowercase).collect()
    };
    letters(one) == letters(other)
}

/// A season whose parts agree.
///
/// ```
/// use matchwright_mmr_forensics::LadderSeason;
///
/// let season = LadderSeason::default();
/// let division = season.division("diamond", Some("rank 2"))?;
/// assert_eq!((division.conversion(), division.magic(), division.offset()), (1750.0, Some(475.0), 63.0));
/// // Its players' points less bonus cluster below M - K, and who passes has the rating at which Master starts.
/// assert_eq!((division.edge(), division.threshold()), (Some(412.0), Some(2225.0)));
/// # Ok::<(), matchwright_mmr_forensics::ForensicsError>(())
/// ```
#[doc(alias("StarCraft", "magic number"))]
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(transparent))]
pub struct LadderSeason {
    params: LadderSeasonParams,
}

impl LadderSeason {
    /// All constants.
    #[must_use]
    pub const fn params(&self) -> &LadderSeasonParams {
        &self.params
    }

    /// The league of this name, whatever its case.
    ///
    /// # Errors
    /// [`ForensicsError::League`] with the names there are.
    pub fn league(&self, name: &str) -> Result<&LeagueParams, ForensicsError> {
        let found = self.params.leagues.iter().find(|league| same(&league.name, name));
        found.ok_or_else(|| ForensicsError::League {
            name: name.to_owned(),
            known: list(self.params.leagues.iter().map(|league| league.name.as_str())),
        })
    }

    /// Divisions of a tier of a league; without a tier, those of offset 0 that most players are in.
    ///
    /// `rank 2`, `Rank2` and `2` are one tier.
    ///
    /// # Errors
    /// [`ForensicsError`] for a league or tier that the season does not have, or whose offset is unknown.
    pub fn division(&self, league: &str, tier: Option<&str>) -> Result<Division<'_>, ForensicsError> {
        let league = self.league(league)?;
        let is_it = |candidate: &&TierParams| match tier {
            Some(name) => same(&candidate.name, name) || same(&candidate.name, &format!("rank {name}")),
            None => candidate.offset == Some(0.0),
        };
        let tier = league
            .tiers
            .iter()
            .find(is_it)
            .ok_or_else(|| ForensicsError::Tier {
                league: league.name.clone(),
                name: tier.unwrap_or("of offset 0").to_owned(),
                known: list(league.tiers.iter().map(|tier| tier.name.as_str())),
            })?;
        let offset = tier.offset.ok_or_else(|| ForensicsError::Offset {
            league: league.name.clone(),
            tier: tier.name.clone(),
        })?;
        Ok(Division { league, tier, offset })
    }

    /// The divisions of a league that have a known offset, highest first.
    ///
    /// # Errors
    /// [`ForensicsError::League`] for a name that the season does not have.
    pub fn divisions(&self, league: &str) -> Result<Vec<Division<'_>>, ForensicsError> {
        let league = self.league(league)?;
        let known = league.tiers.iter().filter_map(|tier| {
            let offset = tier.offset?;
            Some(Division { league, tier, offset })
        });
        Ok(known.collect())
    }
}

fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

/// A kind of division: a league and one of its tiers, whose offset is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Division<'s> {
    league: &'s LeagueParams,
    tier: &'s TierParams,
    offset: f64,
}

impl<'s> Division<'s> {
    /// Its league.
    #[must_use]
    pub const fn league(&self) -> &'s LeagueParams {
        self.league
    }

    /// Its tier.
    #[must_use]
    pub const fn tier(&self) -> &'s TierParams {
        self.tier
    }

    /// K.
    #[must_use]
    pub const fn offset(&self) -> f64 {
        self.offset
    }

    /// C.
    #[must_use]
    pub const fn conversion(&self) -> f64 {
        self.league.conversion
    }

    /// M; `None` in the highest league.
    #[must_use]
    pub const fn magic(&self) -> Option<f64> {
        self.league.magic
    }

    /// MMR = Pp + C, where `differential` has K in it already.
    #[must_use]
    pub fn mmr(&self, differential: f64) -> f64 {
        differential + self.conversion()
    }

    /// The rating whose passing means promotion, C + M: the C of the next league.
    #[must_use]
    pub fn threshold(&self) -> Option<f64> {
        Some(self.conversion() + self.magic()?)
    }

    /// M - K: what a differential without K reaches before its owner is promoted out of such a division.
    #[must_use]
    pub fn edge(&self) -> Option<f64> {
        Some(self.magic()? - self.offset)
    }
}
