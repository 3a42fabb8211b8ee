//! The policy of a matchmaker, from its document.

use std::path::Path;

use matchwright_scoring::{PolicyDocument, ScoringPolicy};

use super::document::Document;
use crate::failure::Failure;

/// Reads and checks the section `[scoring]` of a policy document.
pub(crate) fn import_policy(path: &Path) -> Result<Document<ScoringPolicy>, Failure> {
    let document: Document<PolicyDocument> = Document::read(path)?;
    if document.value.scoring.is_none() {
        let what = "there is no section `scoring`, which says what a good match is: add one with its factors";
        return Err(document.source.name.in_line(1, what));
    }
    document.check(|document| document.scoring.unwrap_or_default().build())
}
