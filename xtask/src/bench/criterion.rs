//! Runs a Criterion bench and prints, for each input, our median beside each peer's with the ratio.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::process::{cargo, file_name, folders, workspace_root};

/// The name that our own entries carry in every benchmark group.
const OURS: &str = "matchwright";

pub(crate) fn run(name: &str) -> Result<()> {
    let target = workspace_root().join("target");
    // Old figures must not be printed beside new ones.
    let criterion = target.join("criterion");
    if criterion.exists() {
        std::fs::remove_dir_all(&criterion).with_context(|| format!("clearing {}", criterion.display()))?;
    }
    cargo(&format!("bench --package matchwright-benches --bench {name}"))
        .env("CARGO_TARGET_DIR", &target)
        .run()?;
    print!("{}", ratios(&medians(&criterion)?));
    Ok(())
}

/// Median nanoseconds by group, then input, then contender.
type Medians = BTreeMap<String, BTreeMap<String, BTreeMap<String, f64>>>;

/// Reads Criterion's `<group>/<contender>/<input>/new/estimates.json`.
fn medians(criterion: &Path) -> Result<Medians> {
    let mut medians = Medians::new();
    for group in folders(criterion) {
        for contender in folders(&group) {
            for input in folders(&contender) {
                let file = input.join("new/estimates.json");
                if !file.is_file() {
                    continue;
                }
                let text = std::fs::read_to_string(&file)?;
                let json: serde_json::Value = serde_json::from_str(&text)?;
                let Some(median) = json["median"]["point_estimate"].as_f64() else {
                    bail!("{} holds no median", file.display());
                };
                medians
                    .entry(file_name(&group))
                    .or_default()
                    .entry(file_name(&input))
                    .or_default()
                    .insert(file_name(&contender), median);
            }
        }
    }
    Ok(medians)
}

fn ratios(medians: &Medians) -> String {
    let mut lines = Vec::new();
    for (group, inputs) in medians {
        let header = "| input | contender | median (ms) | peer / ours |\n|---|---|---:|---:|";
        lines.push(format!("\n## {group}\n\n{header}"));
        for (input, contenders) in inputs {
            let ours = contenders.get(OURS).copied();
            for (contender, nanoseconds) in contenders {
                let ratio = ours.map_or("-".to_owned(), |ours| format!("{:.2}", nanoseconds / ours));
                let milliseconds = nanoseconds / 1e6;
                lines.push(format!("| {input} | {contender} | {milliseconds:.4} | {ratio} |"));
            }
        }
    }
    lines.join("\n") + "\n"
}
