//! The policy of a matchmaker, from its document.

use std::path::Path;

use matchwright_scoring::{PolicyDocument, ScoringPolicy};

use super::document::Document;
use super::source::SourceFacts;
use crate::failure::Failure;

/// A checked policy, and the file that it is from.
pub(crate) struct ImportedPolicy {
    pub(crate) policy: ScoringPolicy,
    pub(crate) facts: SourceFacts,
}

/// Reads and checks the section `[scoring]` of a policy document.
pub(crate) fn import_policy(path: &Path) -> Result<ImportedPolicy, Failure> {
    let document = Document::read(path)?.check(|document: PolicyDocument| document.scoring.check())?;
    Ok(ImportedPolicy {
        policy: document.value,
        facts: document.facts,
    })
}
