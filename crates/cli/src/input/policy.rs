//! The policy of a matchmaker, from its document.

use std::path::Path;

use matchwright_report::FileRecord;
use matchwright_scoring::{PolicyDocument, ScoringPolicy};

use super::document::Document;
use crate::failure::Failure;

/// A checked policy, and the file that it is from.
pub(crate) struct ImportedPolicy {
    pub(crate) policy: ScoringPolicy,
    pub(crate) facts: FileRecord,
}

/// Reads and checks the section `[scoring]` of a policy document.
pub(crate) fn import_policy(path: &Path) -> Result<ImportedPolicy, Failure> {
    let document: Document<PolicyDocument> = Document::read(path)?;
    if document.value.scoring.is_none() {
        let what = "there is no section `scoring`, which says what a good match is: add one with its factors";
        return Err(document.source.name.in_line(1, what));
    }
    let document = document.check(|document| document.scoring.unwrap_or_default().build())?;
    Ok(ImportedPolicy {
        policy: document.value,
        facts: document.source.facts,
    })
}
