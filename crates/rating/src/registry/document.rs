//! Documents of rating systems: a table for each, by its name.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeOwned, DeserializeSeed, Error, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{AdvantageChoice, AnyParams, RatingParams, SystemName};
use crate::decay::DecayParams;
use crate::draw::DrawKind;
use crate::floors::RankFloors;
use crate::ladder::LadderParams;
use crate::margin::MarginWeight;
use crate::party::PartyBonusParams;
use crate::periods::PeriodChoice;
use crate::season::Seasons;
use crate::team::TeamSkill;

/// Rating systems, each with its settings: what a tuning writes.
///
/// ```toml
/// [glicko2]
/// period = { days = 1 }
/// home_advantage = { points = 12.5 }
///
/// [glicko2.params]
/// tau = 0.7
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RatingDocument {
    /// Each name once.
    pub systems: Vec<RatingParams>,
}

impl RatingDocument {
    /// The system of a name, if the document has it.
    #[must_use]
    pub fn get(&self, name: SystemName) -> Option<&RatingParams> {
        self.systems.iter().find(|params| params.system.name() == name)
    }

    /// Puts a system in, in place of any of its name.
    pub fn set(&mut self, params: RatingParams) {
        self.systems
            .retain(|known| known.system.name() != params.system.name());
        self.systems.push(params);
    }
}

/// What is wrong with a document, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {what}")]
pub struct DocumentError {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// What it is, with the keys that there are.
    pub what: String,
}

#[cfg(feature = "toml")]
impl RatingDocument {
    /// From TOML.
    ///
    /// ```
    /// use matchwright_rating::{RatingDocument, SystemName};
    ///
    /// let document = RatingDocument::from_toml("[elo.params]\nk = 20\n")?;
    /// assert!(document.get(SystemName::Elo).is_some());
    /// let error = RatingDocument::from_toml("[elo.params]\nkk = 20\n").unwrap_err();
    /// assert_eq!((error.line, error.column), (2, 1));
    /// assert!(error.what.contains("unknown field `kk`, expected one of `k`, `initial`, `curve`"), "{error}");
    /// # Ok::<(), matchwright_rating::DocumentError>(())
    /// ```
    ///
    /// # Errors
    /// [`DocumentError`] says what is wrong, and where.
    pub fn from_toml(text: &str) -> Result<Self, DocumentError> {
        toml::from_str(text).map_err(|error| {
            let start = error.span().map_or(0, |span| span.start);
            let before = text.get(..start).unwrap_or_default();
            let line = before.rsplit('\n').next().unwrap_or_default();
            DocumentError {
                line: before.matches('\n').count() + 1,
                column: line.chars().count() + 1,
                what: error.message().to_owned(),
            }
        })
    }
}

#[cfg(feature = "json")]
impl RatingDocument {
    /// From JSON.
    ///
    /// # Errors
    /// [`DocumentError`] says what is wrong, and where.
    pub fn from_json(text: &str) -> Result<Self, DocumentError> {
        serde_json::from_str(text).map_err(|error| DocumentError {
            line: error.line(),
            column: error.column(),
            what: error.to_string(),
        })
    }
}

/// What the registry does with each system's own settings.
pub(super) trait Row {
    fn read<'de, D: Deserializer<'de>>(name: SystemName, from: D) -> Result<RatingParams, D::Error>;

    fn write<S: Serializer>(params: &RatingParams, to: S) -> Result<S::Ok, S::Error>;
}

/// The table of a system.
#[derive(Serialize, Deserialize)]
#[serde(
    default,
    deny_unknown_fields,
    expecting = "a table of a system's settings",
    bound(serialize = "P: Serialize", deserialize = "P: DeserializeOwned")
)]
struct Table<P> {
    period: PeriodChoice,
    team_skill: Option<TeamSkill>,
    party_bonus: Option<PartyBonusParams>,
    home_advantage: AdvantageChoice,
    margin: Option<MarginWeight>,
    performance: f64,
    draws: DrawKind,
    ladder: Option<LadderParams>,
    decay: Option<DecayParams>,
    rank_floors: Option<RankFloors>,
    max_deviation_growth: Option<f64>,
    seasons: Option<Seasons>,
    context_games: Option<f64>,
    log_odds_scale: f64,
    params: Option<P>,
}

impl<P> Default for Table<P> {
    fn default() -> Self {
        Self::of(&RatingParams::of(SystemName::Elo), None)
    }
}

impl<P> Table<P> {
    fn of(all: &RatingParams, params: Option<P>) -> Self {
        Self {
            period: all.period,
            team_skill: all.team_skill,
            party_bonus: all.party_bonus,
            home_advantage: all.home_advantage,
            margin: all.margin,
            performance: all.performance,
            draws: all.draws,
            ladder: all.ladder.clone(),
            decay: all.decay,
            rank_floors: all.rank_floors,
            max_deviation_growth: all.max_deviation_growth,
            seasons: all.seasons.clone(),
            context_games: all.context_games,
            log_odds_scale: all.log_odds_scale,
            params,
        }
    }
}

/// Reads a table; `default`: the system's own settings where it has none.
pub(super) fn read<'de, P: DeserializeOwned, D: Deserializer<'de>>(
    from: D,
    system: fn(P) -> AnyParams,
    default: P,
) -> Result<RatingParams, D::Error> {
    let table = Table::<P>::deserialize(from)?;
    let params = RatingParams {
        system: system(table.params.unwrap_or(default)),
        period: table.period,
        team_skill: table.team_skill,
        party_bonus: table.party_bonus,
        home_advantage: table.home_advantage,
        margin: table.margin,
        performance: table.performance,
        draws: table.draws,
        ladder: table.ladder,
        decay: table.decay,
        rank_floors: table.rank_floors,
        max_deviation_growth: table.max_deviation_growth,
        seasons: table.seasons,
        context_games: table.context_games,
        log_odds_scale: table.log_odds_scale,
    };
    params.check().map_err(D::Error::custom)?;
    Ok(params)
}

/// Writes a table.
pub(super) fn write<P: Serialize, S: Serializer>(
    params: &RatingParams,
    own: &P,
    to: S,
) -> Result<S::Ok, S::Error> {
    Table::of(params, Some(own)).serialize(to)
}

/// The table of a system, for a map.
struct Written<'a>(&'a RatingParams);

impl Serialize for Written<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        AnyParams::write(self.0, to)
    }
}

impl<'de> DeserializeSeed<'de> for SystemName {
    type Value = RatingParams;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<RatingParams, D::Error> {
        AnyParams::read(self, from)
    }
}

fn written<'a, S: Serializer>(
    systems: impl ExactSizeIterator<Item = &'a RatingParams>,
    to: S,
) -> Result<S::Ok, S::Error> {
    let mut map = to.serialize_map(Some(systems.len()))?;
    for params in systems {
        map.serialize_entry(params.system.name().name(), &Written(params))?;
    }
    map.end()
}

impl Serialize for RatingDocument {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        written(self.systems.iter(), to)
    }
}

/// A map of the one system.
impl Serialize for RatingParams {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        written(std::iter::once(self), to)
    }
}

/// The systems of a map.
struct Systems<T>(PhantomData<T>);

impl<'de> Visitor<'de> for Systems<RatingDocument> {
    type Value = RatingDocument;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table for each rating system, by its name")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RatingDocument, A::Error> {
        let mut document = RatingDocument::default();
        while let Some(name) = map.next_key::<SystemName>()? {
            if document.get(name).is_some() {
                return Err(A::Error::custom(format_args!("`{name}` is there twice")));
            }
            document.systems.push(map.next_value_seed(name)?);
        }
        Ok(document)
    }
}

impl<'de> Visitor<'de> for Systems<RatingParams> {
    type Value = RatingParams;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a rating system, or a table of that name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<RatingParams, E> {
        let names = || {
            SystemName::ALL
                .iter()
                .map(|name| name.name())
                .collect::<Vec<_>>()
                .join(", ")
        };
        let name: SystemName = name
            .parse()
            .map_err(|error| E::custom(format_args!("{error}; there are {}", names())))?;
        Ok(RatingParams::of(name))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<RatingParams, A::Error> {
        let found = Systems::<RatingDocument>(PhantomData).visit_map(map)?;
        let [params] = <[_; 1]>::try_from(found.systems)
            .map_err(|found| A::Error::invalid_length(found.len(), &"one rating system"))?;
        Ok(params)
    }
}

impl<'de> Deserialize<'de> for RatingDocument {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(Systems::<Self>(PhantomData))
    }
}

impl<'de> Deserialize<'de> for RatingParams {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Systems::<Self>(PhantomData))
    }
}
