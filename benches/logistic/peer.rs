//! scikit-learn in a process of its own, which is sent the rows once and then one tolerance at a time.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use matchwright_churn::LogisticModel;
use serde::Deserialize;

use crate::worlds::Sample;

const SCRIPT: &str = include_str!("peer.py");

/// A running Python with the rows in memory.
pub(crate) struct ScikitLearn {
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    version: String,
}

/// One fit of scikit-learn.
#[derive(Deserialize)]
pub(crate) struct PeerFit {
    pub(crate) seconds: f64,
    pub(crate) iterations: usize,
    intercept: f64,
    coefficients: Vec<f64>,
}

impl PeerFit {
    /// The largest difference of a coefficient or of the intercept.
    pub(crate) fn distance(&self, model: &LogisticModel) -> f64 {
        let pairs = self.coefficients.iter().zip(model.coefficients());
        let coefficients = pairs.map(|(theirs, ours)| (theirs - ours).abs());
        coefficients.fold((self.intercept - model.intercept()).abs(), f64::max)
    }
}

impl ScikitLearn {
    /// Starts Python and hands it the rows; why not, in one line, if it or scikit-learn is missing.
    pub(crate) fn start(python: &str, sample: &Sample) -> Result<Self, String> {
        let mut process = Command::new(python)
            .args(["-c", SCRIPT])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("`{python}` cannot be started ({error}); name another by --python"))?;
        let mut output = BufReader::new(process.stdout.take().unwrap());
        let mut version = String::new();
        output.read_line(&mut version).unwrap();
        if version.is_empty() {
            return Err(last_line(&mut process, python));
        }
        let mut input = process.stdin.take().unwrap();
        writeln!(input, "{} {}", sample.labels.len(), sample.columns).unwrap();
        for row in sample.rows.chunks(1 << 16) {
            let bytes: Vec<u8> = row.iter().flat_map(|value| value.to_le_bytes()).collect();
            input.write_all(&bytes).unwrap();
        }
        let labels: Vec<u8> = sample.labels.iter().map(|&label| u8::from(label)).collect();
        input.write_all(&labels).unwrap();
        Ok(Self {
            process,
            input: Some(input),
            output,
            version: version.trim().to_owned(),
        })
    }

    /// Name, version and number of threads.
    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    pub(crate) fn fit(&mut self, tolerance: f64) -> PeerFit {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{tolerance:e}").unwrap();
        input.flush().unwrap();
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }
}

/// Why a Python that said nothing has ended.
fn last_line(process: &mut Child, python: &str) -> String {
    let mut errors = String::new();
    process
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut errors)
        .unwrap();
    process.wait().unwrap();
    let last = errors.lines().last().unwrap_or("it ended without a word");
    format!("`{python}`: {last}; install scikit-learn there, or name another by --python")
}

impl Drop for ScikitLearn {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.process.wait();
    }
}
