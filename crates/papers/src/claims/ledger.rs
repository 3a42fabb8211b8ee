//! `claims.toml`: what the sources claim, read and checked.

use anyhow::{Context, Result, ensure};
use itertools::Itertools;
use serde::{Deserialize, Serialize};

use crate::check::verdict::Verdict;

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
        self.words()[0]
    }

    /// Its short name, what the ids of its claims begin with, and its title.
    pub(crate) const fn words(self) -> [&'static str; 3] {
        match self {
            Self::Eomm => ["eomm", "EOMM-", "EOMM (Chen et al., WWW 2017)"],
            Self::Awesomenauts => ["awesomenauts", "AWN-", "Awesomenauts"],
            Self::Dota => ["dota", "DOTA-", "Dota 2"],
            Self::Dominations => ["dominations", "DOM-", "DomiNations"],
            Self::Sc2 => ["sc2", "SC2-", "StarCraft II"],
        }
    }
}

/// A criterion that was changed after a first run had shown its result.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FormerCriterion {
    pub(crate) value: String,
    pub(crate) result: String,
    pub(crate) reason: String,
}

/// One claim.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Claim {
    pub(crate) id: String,
    pub(crate) source: Document,
    /// `E`, `S`, `Q`, or several as `E and S`.
    pub(crate) kind: String,
    says: String,
    /// What holds instead, where the source is in error.
    #[serde(skip_serializing_if = "Option::is_none")]
    corrected: Option<String>,
    /// What we make of it, where the source is vague or silent.
    #[serde(skip_serializing_if = "Option::is_none")]
    precise: Option<String>,
    /// What holds instead, where the check does not confirm it.
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<String>,
    /// Why the statement is ours and not the source's.
    #[serde(skip_serializing_if = "Option::is_none")]
    ours: Option<String>,
    /// Why it cannot be decided here.
    #[serde(skip_serializing_if = "Option::is_none")]
    untestable: Option<String>,
    /// The claim that has the same error of the source, so that it is counted once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) same_error_as: Option<String>,
    #[serde(default, rename(serialize = "checked"))]
    pub(crate) check: String,
    /// The oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) criterion_was: Vec<FormerCriterion>,
}

impl Claim {
    /// What the source says, and what holds instead or more precisely.
    pub(crate) fn published(&self) -> String {
        let mut said = self.says.clone();
        for (verdict, more) in self.additions() {
            let mut how = verdict.words().to_owned();
            how[..1].make_ascii_uppercase();
            said.extend(more.iter().map(|more| format!(". {how}: {more}")));
        }
        said
    }

    /// What is said beside the source's words, and the verdict that each takes for granted.
    fn additions(&self) -> [(Verdict, &Option<String>); 5] {
        [
            (Verdict::Corrected, &self.corrected),
            (Verdict::MadePrecise, &self.precise),
            (Verdict::NotConfirmed, &self.found),
            (Verdict::Ours, &self.ours),
            (Verdict::NotTestable, &self.untestable),
        ]
    }

    /// The verdict that these words take for granted. The check comes to one of its own; where they differ, one of the
    /// two is wrong.
    pub(crate) fn expected(&self) -> Verdict {
        let mut said = self.additions().into_iter().filter(|(_, text)| text.is_some());
        said.next().map_or(Verdict::Confirmed, |(verdict, _)| verdict)
    }

    /// Refuses an id or a kind of another form, and more than one verdict.
    fn check(&self) -> Result<()> {
        let Self { id, kind, .. } = self;
        let prefix = self.source.words()[1];
        ensure!(
            id.starts_with(prefix),
            "`{id}` does not begin with `{prefix}`, as claims of that source do"
        );
        let known = kind.split(" and ").all(|kind| ["E", "S", "Q"].contains(&kind));
        ensure!(
            known,
            "`{id}`: kind `{kind}`; write E, S or Q, or several as `E and S`"
        );
        let texts = self.additions().into_iter().filter(|(_, text)| text.is_some());
        ensure!(
            texts.count() <= 1,
            "`{id}`: keep one of `corrected`, `precise`, `found`, `ours` and `untestable`: a claim has one verdict"
        );
        Ok(())
    }
}

/// All claims, in the order of the file.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ledger {
    #[serde(rename = "claim")]
    pub(crate) claims: Vec<Claim>,
}

impl Ledger {
    /// The ledger of this crate, checked.
    pub(crate) fn own() -> Result<Self> {
        Self::parse(include_str!("../../claims.toml"))
    }

    /// Reads and checks a ledger.
    ///
    /// # Errors
    /// If it is no TOML of this form, or a claim has a fault; names the place or the claim.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let ledger: Self = toml::from_str(text).context("claims.toml")?;
        for claim in &ledger.claims {
            claim.check().context("claims.toml")?;
        }
        for claim in &ledger.claims {
            let Some(other) = &claim.same_error_as else {
                continue;
            };
            let corrected = |claim: &Claim| claim.expected() == Verdict::Corrected;
            ensure!(
                corrected(claim) && ledger.claim(other).is_some_and(corrected),
                "claims.toml: `{}` shares the error of `{other}`; both need `corrected`",
                claim.id
            );
        }
        if let Some(id) = ledger.claims.iter().map(|claim| &claim.id).duplicates().next() {
            anyhow::bail!("claims.toml: `{id}` is there twice; give every claim an id of its own");
        }
        Ok(ledger)
    }

    /// The claim of this name.
    pub(crate) fn claim(&self, id: &str) -> Option<&Claim> {
        self.claims.iter().find(|claim| claim.id == id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(id: &str, kind: &str) -> String {
        format!("[[claim]]\nid = \"{id}\"\nsource = \"eomm\"\nkind = \"{kind}\"\nsays = \"s\"\n")
    }

    fn parse(claims: &[String]) -> Result<Ledger> {
        Ledger::parse(&claims.concat())
    }

    #[test]
    fn a_sound_ledger_is_read_in_order() {
        let ledger = parse(&[claim("EOMM-b", "E and S"), claim("EOMM-a", "Q")]).unwrap();
        let ids: Vec<&str> = ledger.claims.iter().map(|claim| &*claim.id).collect();
        assert_eq!(ids, ["EOMM-b", "EOMM-a"]);
    }

    #[test]
    fn each_fault_is_named_with_its_claim_or_line() {
        let good = claim("EOMM-a", "E");
        let faults = [
            (claim("EOMM-a", "E"), "`EOMM-a` is there twice"),
            (claim("AWN-a", "E"), "`AWN-a` does not begin with `EOMM-`"),
            (claim("EOMM-b", "E, S"), "`EOMM-b`: kind `E, S`"),
            (
                claim("EOMM-b", "E") + "precise = \"p\"\nfound = \"f\"\n",
                "`EOMM-b`: keep one of",
            ),
            (
                claim("EOMM-b", "E") + "corrected = \"c\"\nsame_error_as = \"EOMM-a\"\n",
                "`EOMM-b` shares the error of `EOMM-a`",
            ),
            ("[[claim]]\nid = 1\n".to_owned(), "line 7"),
            ("[[claim]]\nname = \"x\"\n".to_owned(), "unknown field `name`"),
        ];
        for (fault, message) in faults {
            let error = format!("{:#}", parse(&[good.clone(), fault]).unwrap_err());
            assert!(
                error.starts_with("claims.toml: ") && error.contains(message),
                "{error}"
            );
        }
    }

    #[test]
    fn the_words_of_a_claim_take_one_verdict_for_granted() {
        let expected = |more: &str| {
            let ledger = parse(&[claim("EOMM-a", "E") + more]).unwrap();
            ledger.claims[0].expected()
        };
        assert_eq!(expected(""), Verdict::Confirmed);
        assert_eq!(expected("corrected = \"c\"\n"), Verdict::Corrected);
        assert_eq!(expected("precise = \"p\"\n"), Verdict::MadePrecise);
        assert_eq!(expected("found = \"f\"\n"), Verdict::NotConfirmed);
        assert_eq!(expected("ours = \"o\"\n"), Verdict::Ours);
        assert_eq!(expected("untestable = \"u\"\n"), Verdict::NotTestable);
    }
}
