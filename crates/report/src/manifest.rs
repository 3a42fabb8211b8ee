//! What a run was made of, so that it can be made again.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The record of one run: what was asked for, from which inputs, and what came out.
///
/// It holds no time stamp and no directory, so that the same command on the same files writes the same bytes on any
/// machine; keep such things out of `command` and `configuration` as well.
///
/// ```
/// use matchwright_report::{Manifest, OutputFile};
///
/// let manifest = Manifest {
///     version: "0.1.0".into(),
///     command: "study eomm --rounds 200".into(),
///     seed: Some(7),
///     configuration: serde_json::json!({ "rounds": 200, "pools": [100, 200] }),
///     inputs: Vec::new(),
///     outputs: vec![OutputFile::new("out/table2.csv", 512, "ab".repeat(32))],
/// };
/// assert_eq!(manifest.outputs[0].name, "table2.csv");
/// let text = manifest.to_json();
/// assert_eq!(serde_json::from_str::<Manifest>(&text).unwrap(), manifest);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the program.
    pub version: String,
    /// The command, without the program's path.
    pub command: String,
    /// The seed of all randomness; `None` where there is none.
    pub seed: Option<u64>,
    /// Every setting, defaults included.
    pub configuration: Value,
    /// The files read, in the order given.
    pub inputs: Vec<InputFile>,
    /// The files written, in the order written.
    pub outputs: Vec<OutputFile>,
}

/// A file that was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputFile {
    /// The name, without directories.
    pub name: String,
    /// The size in bytes, as stored.
    pub bytes: u64,
    /// The SHA-256 of these bytes, in lower-case hexadecimal.
    pub sha256: String,
}

/// A file that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputFile {
    /// The name, without directories.
    pub name: String,
    /// The size in bytes, as stored.
    pub bytes: u64,
    /// The SHA-256 of these bytes, in lower-case hexadecimal.
    pub sha256: String,
}

impl InputFile {
    /// Describes a file; of a path only the last part is kept.
    #[must_use]
    pub fn new(path: impl AsRef<str>, bytes: u64, sha256: impl Into<String>) -> Self {
        Self {
            name: file_name(path.as_ref()),
            bytes,
            sha256: sha256.into(),
        }
    }
}

impl OutputFile {
    /// Describes a file; of a path only the last part is kept.
    #[must_use]
    pub fn new(path: impl AsRef<str>, bytes: u64, sha256: impl Into<String>) -> Self {
        Self {
            name: file_name(path.as_ref()),
            bytes,
            sha256: sha256.into(),
        }
    }
}

impl Manifest {
    /// The manifest as indented JSON with every object's keys in alphabetical order, ending with a line feed.
    ///
    /// The order does not depend on how `configuration` was built, nor on the features with which `serde_json` was.
    #[must_use]
    pub fn to_json(&self) -> String {
        let inputs = self
            .inputs
            .iter()
            .map(|file| file_value(&file.name, file.bytes, &file.sha256))
            .collect();
        let outputs = self
            .outputs
            .iter()
            .map(|file| file_value(&file.name, file.bytes, &file.sha256))
            .collect();
        let all = object([
            ("command", Value::from(self.command.as_str())),
            ("configuration", sorted(&self.configuration)),
            ("inputs", Value::Array(inputs)),
            ("outputs", Value::Array(outputs)),
            ("seed", Value::from(self.seed)),
            ("version", Value::from(self.version.as_str())),
        ]);
        format!("{all:#}\n")
    }
}

fn file_value(name: &str, bytes: u64, sha256: &str) -> Value {
    object([
        ("bytes", Value::from(bytes)),
        ("name", Value::from(name)),
        ("sha256", Value::from(sha256)),
    ])
}

fn object<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::Object(
        entries
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value))
            .collect(),
    )
}

/// `value` with the keys of every object inserted in order: `serde_json` keeps that order or makes it, by its
/// features.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Array(values) => values.iter().map(sorted).collect(),
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_by_key(|(key, _)| key.as_str());
            Value::Object(
                entries
                    .into_iter()
                    .map(|(key, value)| (key.clone(), sorted(value)))
                    .collect::<Map<_, _>>(),
            )
        }
        other => other.clone(),
    }
}

fn file_name(path: &str) -> String {
    path.rsplit(['/', '\\'])
        .find(|part| !part.is_empty())
        .unwrap_or(path)
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_manifest_is_the_same_text_however_its_configuration_was_built() {
        let manifest = |configuration| Manifest {
            version: "1".into(),
            command: "c".into(),
            seed: None,
            configuration,
            inputs: vec![InputFile::new("/home/me/data/matches.csv.gz", 3, "00")],
            outputs: vec![OutputFile::new("C:\\out\\page.html", 4, "ff")],
        };
        let text = manifest(json!({ "b": [{ "z": 1, "y": 0.1 }], "a": null })).to_json();
        assert_eq!(
            text,
            manifest(json!({ "a": null, "b": [{ "y": 0.1, "z": 1 }] })).to_json()
        );
        assert_eq!(
            text,
            "{\n  \"command\": \"c\",\n  \"configuration\": {\n    \"a\": null,\n    \"b\": [\n      {\n        \"y\": 0.1,\n        \"z\": 1\n      }\n    ]\n  },\n  \
             \"inputs\": [\n    {\n      \"bytes\": 3,\n      \"name\": \"matches.csv.gz\",\n      \"sha256\": \"00\"\n    }\n  ],\n  \
             \"outputs\": [\n    {\n      \"bytes\": 4,\n      \"name\": \"page.html\",\n      \"sha256\": \"ff\"\n    }\n  ],\n  \"seed\": null,\n  \"version\": \"1\"\n}\n"
        );
    }
}
