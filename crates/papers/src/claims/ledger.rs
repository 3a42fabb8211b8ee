//! `claims.toml`: what the seed documents claim, read and checked.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use toml::Spanned;

/// A document that makes claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Document {
    /// Chen et al., WWW 2017
    Eomm,
    /// Awesomenauts
    Awesomenauts,
    /// Dota 2
    Dota,
    /// DomiNations
    Dominations,
    /// StarCraft II
    Sc2,
}

impl Document {
    /// All five.
    pub const ALL: [Self; 5] = [
        Self::Eomm,
        Self::Awesomenauts,
        Self::Dota,
        Self::Dominations,
        Self::Sc2,
    ];

    /// Its short name, as on a command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Eomm => "eomm",
            Self::Awesomenauts => "awesomenauts",
            Self::Dota => "dota",
            Self::Dominations => "dominations",
            Self::Sc2 => "sc2",
        }
    }

    /// What the ids of its claims begin with.
    fn prefix(self) -> &'static str {
        match self {
            Self::Eomm => "EOMM-",
            Self::Awesomenauts => "AWN-",
            Self::Dota => "DOTA-",
            Self::Dominations => "DOM-",
            Self::Sc2 => "SC2-",
        }
    }
}

/// Who answers for claims.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Owner {
    /// Whether all of its claims must have a check.
    pub(crate) built: bool,
    /// What it is.
    pub(crate) about: String,
}

/// One claim.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Claim {
    pub(crate) id: String,
    pub(crate) seed: Document,
    /// `E`, `S`, `Q`, or several as `E and S`.
    pub(crate) kind: String,
    pub(crate) says: String,
    /// What holds instead, where the seed is in error.
    pub(crate) corrected: Option<String>,
    pub(crate) check: Option<String>,
    pub(crate) owner: String,
}

impl Claim {
    /// The seed's value, and what holds instead where that is an error.
    pub(crate) fn seed_value(&self) -> String {
        match &self.corrected {
            Some(corrected) => format!("{}. Corrected: {corrected}", self.says),
            None => self.says.clone(),
        }
    }

    #[cfg(test)]
    pub(crate) fn sample(id: &str) -> Self {
        Self {
            id: id.to_owned(),
            seed: Document::Eomm,
            kind: "E".to_owned(),
            says: "something".to_owned(),
            corrected: None,
            check: None,
            owner: "sim".to_owned(),
        }
    }
}

/// All claims, in the order of the file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ledger {
    pub(crate) owners: BTreeMap<String, Owner>,
    pub(crate) claims: Vec<Claim>,
}

/// Why a ledger is none.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LedgerError {
    /// No TOML, or fields that are missing or unknown.
    #[error("{path}:{line}: {message}")]
    Toml {
        path: PathBuf,
        line: usize,
        message: String,
    },
    /// A second claim of one name.
    #[error("{path}:{line}: `{id}` is there already; give every claim an id of its own")]
    Twice { path: PathBuf, line: usize, id: String },
    /// An id that does not say where it comes from.
    #[error("{path}:{line}: `{id}` does not begin with `{prefix}`, as claims of that document do")]
    Prefix {
        path: PathBuf,
        line: usize,
        id: String,
        prefix: &'static str,
    },
    /// A kind that is none.
    #[error("{path}:{line}: kind `{kind}`; write E, S or Q, or several as `E and S`")]
    Kind {
        path: PathBuf,
        line: usize,
        kind: String,
    },
    /// Nobody of that name.
    #[error("{path}:{line}: owner `{owner}` is not among [owners]; add it there or choose one of {known}")]
    Owner {
        path: PathBuf,
        line: usize,
        owner: String,
        known: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLedger {
    owners: BTreeMap<String, Owner>,
    claim: Vec<RawClaim>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawClaim {
    id: Spanned<String>,
    seed: Document,
    kind: Spanned<String>,
    says: String,
    corrected: Option<String>,
    check: Option<String>,
    owner: Spanned<String>,
}

impl Ledger {
    /// The ledger of this crate, checked.
    ///
    /// # Errors
    /// [`LedgerError`] with its line.
    pub(crate) fn own() -> Result<Self, LedgerError> {
        Self::parse(include_str!("../../claims.toml"), Path::new("claims.toml"))
    }

    /// Reads and checks a ledger; `path` is for messages.
    pub(crate) fn parse(text: &str, path: &Path) -> Result<Self, LedgerError> {
        let raw: RawLedger = toml::from_str(text).map_err(|error| LedgerError::Toml {
            path: path.to_path_buf(),
            line: line_at(text, error.span().map_or(0, |span| span.start)),
            message: error.message().to_owned(),
        })?;
        let mut claims: Vec<Claim> = Vec::with_capacity(raw.claim.len());
        for claim in raw.claim {
            let claim = claim.checked(text, path, &raw.owners, &claims)?;
            claims.push(claim);
        }
        Ok(Self {
            owners: raw.owners,
            claims,
        })
    }

    /// The claim of this name.
    pub(crate) fn claim(&self, id: &str) -> Option<&Claim> {
        self.claims.iter().find(|claim| claim.id == id)
    }

    /// Whether all claims of this claim's owner must have a check.
    pub(crate) fn is_built(&self, claim: &Claim) -> bool {
        self.owners.get(&claim.owner).is_some_and(|owner| owner.built)
    }
}

impl RawClaim {
    fn checked(
        self,
        text: &str,
        path: &Path,
        owners: &BTreeMap<String, Owner>,
        before: &[Claim],
    ) -> Result<Claim, LedgerError> {
        let path = path.to_path_buf();
        let at = |place: &Spanned<String>| line_at(text, place.span().start);
        let prefix = self.seed.prefix();
        if !self.id.get_ref().starts_with(prefix) {
            let line = at(&self.id);
            let id = self.id.into_inner();
            return Err(LedgerError::Prefix {
                path,
                line,
                id,
                prefix,
            });
        }
        if before.iter().any(|other| other.id == *self.id.get_ref()) {
            let line = at(&self.id);
            let id = self.id.into_inner();
            return Err(LedgerError::Twice { path, line, id });
        }
        if !self
            .kind
            .get_ref()
            .split(" and ")
            .all(|k| ["E", "S", "Q"].contains(&k))
        {
            let line = at(&self.kind);
            let kind = self.kind.into_inner();
            return Err(LedgerError::Kind { path, line, kind });
        }
        if !owners.contains_key(self.owner.get_ref()) {
            let line = at(&self.owner);
            let known = owners.keys().cloned().collect::<Vec<_>>().join(", ");
            let owner = self.owner.into_inner();
            return Err(LedgerError::Owner {
                path,
                line,
                owner,
                known,
            });
        }
        Ok(Claim {
            id: self.id.into_inner(),
            seed: self.seed,
            kind: self.kind.into_inner(),
            says: self.says,
            corrected: self.corrected,
            check: self.check,
            owner: self.owner.into_inner(),
        })
    }
}

/// The line that holds this byte, from 1.
fn line_at(text: &str, byte: usize) -> usize {
    1 + text.bytes().take(byte).filter(|&b| b == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWNERS: &str = "[owners]\nsim = { built = true, about = \"crates/sim\" }\n";

    fn claim(id: &str, kind: &str, owner: &str) -> String {
        format!(
            "[[claim]]\nid = \"{id}\"\nseed = \"eomm\"\nkind = \"{kind}\"\nsays = \"s\"\nowner = \"{owner}\"\n"
        )
    }

    fn parse(claims: &[String]) -> Result<Ledger, LedgerError> {
        Ledger::parse(&format!("{OWNERS}{}", claims.concat()), Path::new("claims.toml"))
    }

    #[test]
    fn a_sound_ledger_is_read_in_order() {
        let ledger = parse(&[claim("EOMM-b", "E and S", "sim"), claim("EOMM-a", "Q", "sim")]).unwrap();
        let ids: Vec<&str> = ledger.claims.iter().map(|c| c.id.as_str()).collect();
        assert_eq!(ids, ["EOMM-b", "EOMM-a"]);
        assert!(ledger.claim("EOMM-a").is_some_and(|c| ledger.is_built(c)));
    }

    #[test]
    fn each_fault_is_named_with_its_line() {
        let good = claim("EOMM-a", "E", "sim");
        let faults = [
            (
                claim("EOMM-a", "E", "sim"),
                "claims.toml:10: `EOMM-a` is there already",
            ),
            (
                claim("AWN-a", "E", "sim"),
                "claims.toml:10: `AWN-a` does not begin with `EOMM-`",
            ),
            (claim("EOMM-b", "E, S", "sim"), "claims.toml:12: kind `E, S`"),
            (claim("EOMM-b", "E", "nobody"), "claims.toml:14: owner `nobody`"),
            ("[[claim]]\nid = 1\n".to_owned(), "claims.toml:10: invalid type"),
            (
                "[[claim]]\nname = \"x\"\n".to_owned(),
                "claims.toml:10: unknown field",
            ),
        ];
        for (fault, message) in faults {
            let error = parse(&[good.clone(), fault]).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
