//! The machine, without which a time means nothing.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

/// Programs that run beside ours, on average, before a reader must be told.
const BUSY: f64 = 0.5;

/// For the manifest; `null` where the system does not say.
pub(crate) fn description() -> Value {
    json!({
        "architecture": std::env::consts::ARCH,
        "system": std::env::consts::OS,
        "processor": fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| processor(&text)),
        "cores": std::thread::available_parallelism().ok().map(std::num::NonZero::get),
        "rustc": rustc(),
    })
}

/// How many programs wanted to run over the last minute, on Linux.
pub(crate) fn load() -> Option<f64> {
    let averages = fs::read_to_string("/proc/loadavg").ok()?;
    averages.split_whitespace().next()?.parse().ok()
}

/// What to say of a load, if anything.
pub(crate) fn warning(load: f64) -> Option<String> {
    (load > BUSY).then(|| {
        format!(
            "The machine was busy when the run began (load {load}): caches and memory were shared, so times are \
             somewhat too long and ratios uncertain."
        )
    })
}

/// The processor's name from Linux's list.
fn processor(cpuinfo: &str) -> Option<String> {
    let line = cpuinfo.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn rustc() -> Option<String> {
    let program = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(program).arg("--version").output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_is_the_first_one_named() {
        let text = "processor\t: 0\nmodel name\t: A B @ 2 GHz\nmodel name\t: C\n";
        assert_eq!(processor(text).as_deref(), Some("A B @ 2 GHz"));
        assert_eq!(processor("Hardware: x\n"), None);
    }

    #[test]
    fn only_a_busy_machine_is_spoken_of() {
        assert_eq!(warning(0.1), None);
        assert!(warning(3.97).is_some_and(|warning| warning.contains("load 3.97")));
    }
}
