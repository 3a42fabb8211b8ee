//! How the regression of party bonuses looks at games, and what it can say of each term.

use std::fmt;

use crate::party::bonus::PartyBonusParams;
use crate::team::TeamSkill;

/// How [`fit_party_bonus`](crate::fit_party_bonus) looks at games.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct PartyFitOptions {
    /// The spread that is worth nothing, as in [`PartyBonusParams::free_spread`]. Default 136.6.
    pub free_spread: f64,
    /// How ratings make a side's skill. Default [`TeamSkill::Mean`].
    pub skill: TeamSkill,
    /// The log odds of one point of skill, if known, such as ln 10 / 400 = 0.00576 of Elo's curve.
    /// Default `None`: estimated with the rest, so that nothing hangs on the ratings' scale.
    pub log_odds_per_point: Option<f64>,
    /// Whether the side named first may have an advantage. Default true.
    pub first_side: bool,
}

impl Default for PartyFitOptions {
    fn default() -> Self {
        Self {
            free_spread: PartyBonusParams::default().free_spread,
            skill: TeamSkill::Mean,
            log_odds_per_point: None,
            first_side: true,
        }
    }
}

impl PartyFitOptions {
    /// Whether `term` is to have a coefficient.
    pub(super) fn wants(&self, term: PartyTerm) -> bool {
        match term {
            PartyTerm::Rating => self.log_odds_per_point.is_none(),
            PartyTerm::FirstSide => self.first_side,
            _ => true,
        }
    }
}

/// What the regression gives a coefficient.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum PartyTerm {
    /// The difference of the sides' skills: log odds per point.
    Rating,
    /// Being named first.
    FirstSide,
    /// Each point of spread beyond the free ones.
    Spread,
    /// Being in a party of 2, 3, 4, or 5 and more.
    Size(u8),
}

impl fmt::Display for PartyTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rating => f.write_str("rating"),
            Self::FirstSide => f.write_str("first side"),
            Self::Spread => f.write_str("spread"),
            Self::Size(5) => f.write_str("party of 5 or more"),
            Self::Size(size) => write!(f, "party of {size}"),
        }
    }
}

/// Whether a set of games can tell a coefficient.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Identification {
    /// It can; how well, the interval says.
    Identified,
    /// No such party played.
    Absent,
    /// Both sides always had the same of it.
    Balanced,
    /// The side with more of it won every time, or lost every time, alone or together with others that say
    /// so too: the likelihood has no maximum.
    OneWay,
    /// It goes hand in hand with others: only their sum shows. Or it played only in games that others
    /// decided, which are [`OneWay`](Self::OneWay).
    Confounded {
        /// The others.
        with: Vec<PartyTerm>,
    },
}

impl Identification {
    pub(super) fn confound(&mut self, term: PartyTerm) {
        if let Self::Confounded { with } = self {
            if !with.contains(&term) {
                with.push(term);
            }
        } else {
            *self = Self::Confounded { with: vec![term] };
        }
    }
}
