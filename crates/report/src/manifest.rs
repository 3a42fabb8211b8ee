//! The manifest of a run: command, settings, seed and the hashes of its files, as JSON of one byte order.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The record of one run: what was asked for, from which inputs, and what came out.
///
/// It holds no time stamp and no directory, so that the same command on the same files writes the same bytes on any
/// machine; keep such things out of `command` and `configuration` as well.
///
/// ```
/// use matchwright_report::{FileRecord, Manifest};
///
/// let manifest = Manifest {
///     version: "0.1.0".into(),
///     command: "study eomm --rounds 200".into(),
///     seed: Some(7),
///     configuration: serde_json::json!({ "rounds": 200, "pools": [100, 200] }),
///     inputs: Vec::new(),
///     outputs: vec![FileRecord::new("out/table2.csv", 512, "ab".repeat(32))],
/// };
/// assert_eq!(manifest.outputs[0].name, "table2.csv");
/// let text = manifest.to_json();
/// assert_eq!(serde_json::from_str::<Manifest>(&text).unwrap(), manifest);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    // In alphabetical order, which is that of the keys in the JSON.
    /// The command, without the program's path.
    pub command: String,
    /// Every setting, defaults included.
    pub configuration: Value,
    /// The files read, in the order given.
    pub inputs: Vec<FileRecord>,
    /// The files written, in the order written.
    pub outputs: Vec<FileRecord>,
    /// The seed of all randomness; `None` where there is none.
    pub seed: Option<u64>,
    /// The version of the program.
    pub version: String,
}

/// A file that was read or written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRecord {
    /// The size in bytes, as stored.
    pub bytes: u64,
    /// The name, without directories.
    pub name: String,
    /// The SHA-256 of these bytes, in lower-case hexadecimal.
    pub sha256: String,
}

impl FileRecord {
    /// Describes a file; of a path only the last part is kept.
    #[must_use]
    pub fn new(path: impl AsRef<str>, bytes: u64, sha256: impl Into<String>) -> Self {
        let path = path.as_ref();
        let name = path.rsplit(['/', '\\']).find(|part| !part.is_empty());
        Self {
            bytes,
            name: name.unwrap_or(path).to_owned(),
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
        let mut sorted = self.clone();
        sorted.configuration.sort_all_objects();
        serde_json::to_string_pretty(&sorted).unwrap_or_default() + "\n"
    }
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
            inputs: vec![FileRecord::new("/home/me/data/matches.csv.gz", 3, "00")],
            outputs: vec![FileRecord::new("C:\\out\\page.html", 4, "ff")],
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
