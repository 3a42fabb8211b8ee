//! `claims.toml`: what the sources claim, read and checked.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use toml::Spanned;

use crate::verdict::{Finding, Verdict};

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
        self.words().0
    }

    /// What the ids of its claims begin with.
    const fn prefix(self) -> &'static str {
        self.words().1
    }

    pub(crate) const fn title(self) -> &'static str {
        self.words().2
    }

    const fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Eomm => ("eomm", "EOMM-", "EOMM (Chen et al., WWW 2017)"),
            Self::Awesomenauts => ("awesomenauts", "AWN-", "Awesomenauts"),
            Self::Dota => ("dota", "DOTA-", "Dota 2"),
            Self::Dominations => ("dominations", "DOM-", "DomiNations"),
            Self::Sc2 => ("sc2", "SC2-", "StarCraft II"),
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
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Claim {
    id: Spanned<String>,
    pub(crate) source: Document,
    kind: Spanned<String>,
    pub(crate) says: String,
    /// What holds instead, where the source is in error.
    pub(crate) corrected: Option<String>,
    /// What we make of it, where the source is vague or silent.
    pub(crate) precise: Option<String>,
    pub(crate) check: Option<String>,
    owner: Spanned<String>,
}

impl Claim {
    pub(crate) fn id(&self) -> &str {
        self.id.get_ref()
    }

    /// `E`, `S`, `Q`, or several as `E and S`.
    pub(crate) fn kind(&self) -> &str {
        self.kind.get_ref()
    }

    pub(crate) fn owner(&self) -> &str {
        self.owner.get_ref()
    }

    /// What the source says, and what holds instead or more precisely.
    pub(crate) fn published(&self) -> String {
        let corrected = self
            .corrected
            .iter()
            .map(|corrected| format!(". Corrected: {corrected}"));
        let precise = self
            .precise
            .iter()
            .map(|precise| format!(". Made precise: {precise}"));
        corrected
            .chain(precise)
            .fold(self.says.clone(), |says, more| says + &more)
    }

    /// The verdict on this claim, whose check found that.
    pub(crate) fn verdict(&self, found: &Finding) -> Verdict {
        match found.verdict() {
            Verdict::Confirmed if self.corrected.is_some() => Verdict::Corrected,
            Verdict::Confirmed if self.precise.is_some() => Verdict::MadePrecise,
            verdict => verdict,
        }
    }

    /// What is wrong with it, and at which byte.
    fn fault(&self, owners: &BTreeMap<String, Owner>, before: &[Self]) -> Option<(usize, String)> {
        let (id, prefix) = (self.id(), self.source.prefix());
        let at = |place: &Spanned<String>, message: String| Some((place.span().start, message));
        if !id.starts_with(prefix) {
            let message = format!("`{id}` does not begin with `{prefix}`, as claims of that source do");
            return at(&self.id, message);
        }
        if before.iter().any(|other| other.id() == id) {
            return at(
                &self.id,
                format!("`{id}` is there already; give every claim an id of its own"),
            );
        }
        if !self
            .kind()
            .split(" and ")
            .all(|kind| ["E", "S", "Q"].contains(&kind))
        {
            let message = format!("kind `{}`; write E, S or Q, or several as `E and S`", self.kind());
            return at(&self.kind, message);
        }
        if !owners.contains_key(self.owner()) {
            let known = owners.keys().cloned().collect::<Vec<_>>().join(", ");
            let owner = self.owner();
            let message =
                format!("owner `{owner}` is not among [owners]; add it there or choose one of {known}");
            return at(&self.owner, message);
        }
        None
    }
}

/// All claims, in the order of the file.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ledger {
    pub(crate) owners: BTreeMap<String, Owner>,
    #[serde(rename = "claim")]
    pub(crate) claims: Vec<Claim>,
}

/// Why a ledger cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{path}:{line}: {message}")]
pub(crate) struct LedgerError {
    path: &'static str,
    line: usize,
    message: String,
}

impl Ledger {
    /// The ledger of this crate, checked.
    ///
    /// # Errors
    /// [`LedgerError`] with its line.
    pub(crate) fn own() -> Result<Self, LedgerError> {
        Self::parse(include_str!("../../claims.toml"), "claims.toml")
    }

    /// Reads and checks a ledger; `path` is for messages.
    pub(crate) fn parse(text: &str, path: &'static str) -> Result<Self, LedgerError> {
        let error = |byte: usize, message: String| LedgerError {
            path,
            line: 1 + text.bytes().take(byte).filter(|&byte| byte == b'\n').count(),
            message,
        };
        let ledger: Self = toml::from_str(text).map_err(|refused| {
            let start = refused.span().map_or(0, |span| span.start);
            error(start, refused.message().to_owned())
        })?;
        for (place, claim) in ledger.claims.iter().enumerate() {
            if let Some((byte, message)) = claim.fault(&ledger.owners, &ledger.claims[..place]) {
                return Err(error(byte, message));
            }
        }
        Ok(ledger)
    }

    /// The claim of this name.
    pub(crate) fn claim(&self, id: &str) -> Option<&Claim> {
        self.claims.iter().find(|claim| claim.id() == id)
    }

    /// Whether all claims of this claim's owner must have a check.
    pub(crate) fn is_built(&self, claim: &Claim) -> bool {
        self.owners.get(claim.owner()).is_some_and(|owner| owner.built)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWNERS: &str = "[owners]\nsim = { built = true, about = \"crates/sim\" }\n";

    fn claim(id: &str, kind: &str, owner: &str) -> String {
        format!(
            "[[claim]]\nid = \"{id}\"\nsource = \"eomm\"\nkind = \"{kind}\"\nsays = \"s\"\nowner = \"{owner}\"\n"
        )
    }

    fn parse(claims: &[String]) -> Result<Ledger, LedgerError> {
        Ledger::parse(&format!("{OWNERS}{}", claims.concat()), "claims.toml")
    }

    #[test]
    fn a_sound_ledger_is_read_in_order() {
        let ledger = parse(&[claim("EOMM-b", "E and S", "sim"), claim("EOMM-a", "Q", "sim")]).unwrap();
        let ids: Vec<&str> = ledger.claims.iter().map(Claim::id).collect();
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

    #[test]
    fn a_correction_or_a_sharper_statement_decides_what_a_confirmed_check_is_called() {
        let verdict = |more: &str, found: &Finding| {
            let ledger = parse(&[claim("EOMM-a", "E", "sim") + more]).unwrap();
            ledger.claims[0].verdict(found)
        };
        let (holds, fails) = (Finding::new(), Finding::new().require(false, "so"));
        assert_eq!(verdict("", &holds), Verdict::Confirmed);
        assert_eq!(verdict("corrected = \"c\"\n", &holds), Verdict::Corrected);
        assert_eq!(verdict("precise = \"p\"\n", &holds), Verdict::MadePrecise);
        assert_eq!(verdict("corrected = \"c\"\n", &fails), Verdict::NotConfirmed);
        assert_eq!(
            verdict("corrected = \"c\"\n", &Finding::open("later")),
            Verdict::Open
        );
        assert_eq!(
            verdict("", &Finding::new().require_enough(false, "many")),
            Verdict::Inconclusive
        );
    }
}
