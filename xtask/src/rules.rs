//! Rules that the text of the code keeps.
//!
//! - Where a solver, a lobby, a queue or the simulator throws the error of a `Result` away, a comment says why that is no answer
//!   that is wrong without a word.
//! - No check of a claim reads a clock: its verdict would depend on the machine.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::process::{folders, workspace_root};

/// The crates that are looked at, by folder.
const CRATES: [&str; 4] = ["sim", "queue", "lobby", "solver"];

/// What drops an error.
const DROPS: [&str; 3] = ["Err(_)", ".ok()", "let Ok("];

/// How the reason begins, on the line itself or in the comment right above it.
const REASON: &str = "// Dropped: ";

/// One line for each place that breaks a rule.
pub(crate) fn complaints() -> Result<Vec<String>> {
    let mut complaints = clocks()?;
    for name in CRATES {
        let source = workspace_root().join("crates").join(name).join("src");
        for file in rust_files(&source)? {
            let text =
                std::fs::read_to_string(&file).with_context(|| format!("reading {}", file.display()))?;
            let place = file.strip_prefix(workspace_root()).unwrap_or(&file).display();
            complaints.extend(unreasoned(&text).into_iter().map(|(line, text)| {
                format!(
                    "{place}:{line}: `{text}` drops an error: return or tell it, or write `{REASON}WHY` above"
                )
            }));
        }
    }
    Ok(complaints)
}

fn clocks() -> Result<Vec<String>> {
    let mut complaints = Vec::new();
    for file in rust_files(&workspace_root().join("crates/papers/src"))? {
        let is_check = file.components().any(|part| part.as_os_str() == "claims");
        let text = std::fs::read_to_string(&file).with_context(|| format!("reading {}", file.display()))?;
        if is_check && ["Instant", "SystemTime"].iter().any(|clock| text.contains(clock)) {
            complaints.push(format!(
                "{}: a check of a claim counts operations, it reads no clock",
                file.display()
            ));
        }
    }
    Ok(complaints)
}

/// All files of a folder and of those in it, but for tests and for the law suites, which are tests that others run.
fn rust_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<Vec<PathBuf>>>()?
        .into_iter()
        .filter(|path| path.extension().is_some_and(|ending| ending == "rs"))
        .filter(|path| path.file_name().is_none_or(|name| name != "tests.rs"))
        .collect();
    for inner in folders(folder) {
        if inner.file_name().is_none_or(|name| name != "laws") {
            files.extend(rust_files(&inner)?);
        }
    }
    files.sort();
    Ok(files)
}

/// The dropped errors of a file without a reason, up to its tests.
fn unreasoned(text: &str) -> Vec<(usize, &str)> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let end = lines
        .windows(2)
        .position(|two| two[0] == "#[cfg(test)]" && two[1].starts_with("mod ") && two[1].ends_with('{'));
    let code = &lines[..end.unwrap_or(lines.len())];
    let has_reason = |at: usize| {
        let above = code[..at].iter().rev().take_while(|line| line.starts_with("//"));
        std::iter::once(&code[at])
            .chain(above)
            .any(|line| line.contains(REASON))
    };
    let drops = |line: &str| !line.starts_with("//") && DROPS.iter().any(|drop| line.contains(drop));
    (0..code.len())
        .filter(|&at| drops(code[at]) && !has_reason(at))
        .map(|at| (at + 1, code[at]))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dropped_error_without_a_reason_is_named_by_its_line() {
        let text = "fn a() {\n    b().ok();\n    // Dropped: nobody asks.\n    // Twice.\n    c().ok();\n    /// d.ok()\n\
                    let Ok(x) = d() else { return }; // Dropped: none.\n    match e { Err(_) => 1 }\n}\n#[cfg(test)]\nmod tests {\nf.ok()\n";
        let found: Vec<usize> = unreasoned(text).into_iter().map(|found| found.0).collect();
        assert_eq!(found, [2, 8]);
    }
}
