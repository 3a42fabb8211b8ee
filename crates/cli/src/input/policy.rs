//! A policy document: TOML or JSON, by the ending of its name.

use std::io::Read;
use std::path::Path;

use matchwright_scoring::{PolicyDocument, ScoringPolicy};

use super::source::{Source, SourceFacts};
use crate::failure::Failure;

/// A checked policy, and the file that it is from.
pub(crate) struct ImportedPolicy {
    pub(crate) policy: ScoringPolicy,
    pub(crate) facts: SourceFacts,
}

/// Reads and checks the section `[scoring]` of a policy document.
pub(crate) fn import_policy(path: &Path) -> Result<ImportedPolicy, Failure> {
    let ending = path
        .extension()
        .map(|ending| ending.to_string_lossy().to_lowercase());
    let toml = match ending.as_deref() {
        Some("toml") => true,
        Some("json") => false,
        _ => {
            return Err(Failure::Usage(format!(
                "--policy {}: the name must end in .toml or .json, which says how to read it",
                path.display()
            )));
        }
    };
    let mut source = Source::open(path)?;
    let mut text = String::new();
    source
        .reader
        .read_to_string(&mut text)
        .map_err(Failure::io(format!("reading {}", source.name)))?;
    let document = if toml { from_toml(&text) } else { from_json(&text) };
    let document = document.map_err(|what| Failure::Failed(format!("{}:{what}", source.name)))?;
    let scoring = document.scoring.ok_or_else(|| {
        let what = "there is no section `scoring`, which says what a good match is: add one with its factors";
        Failure::Failed(format!("{}:1: {what}", source.name))
    })?;
    Ok(ImportedPolicy {
        policy: scoring
            .check()
            .map_err(|error| Failure::Failed(format!("{}: {error}", source.name)))?,
        facts: source.facts(),
    })
}

fn from_toml(text: &str) -> Result<PolicyDocument, String> {
    toml::from_str(text).map_err(|error| {
        let Some(span) = error.span() else {
            return format!(" {}", error.message());
        };
        let before = text.get(..span.start).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        format!("{line}:{column}: {}", error.message())
    })
}

fn from_json(text: &str) -> Result<PolicyDocument, String> {
    serde_json::from_str(text).map_err(|error| {
        let all = error.to_string();
        let place = format!(" at line {} column {}", error.line(), error.column());
        let what = all.strip_suffix(&place).unwrap_or(&all);
        format!("{}:{}: {what}", error.line(), error.column().max(1))
    })
}
