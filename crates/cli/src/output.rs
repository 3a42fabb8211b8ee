//! Files that are written, each with a manifest that says where it comes from.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use matchwright_report::{FileRecord, Manifest, Page, Table};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::input::sha256_hex;

/// What every manifest of one command says.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Origin {
    /// The command in a form that does not depend on the machine.
    pub(crate) command: String,
    pub(crate) seed: Option<u64>,
    pub(crate) configuration: serde_json::Value,
    pub(crate) inputs: Vec<FileRecord>,
}

impl Origin {
    /// `configuration` is whatever decided the output.
    pub(crate) fn new(command: String, configuration: &impl Serialize) -> Result<Self, Failure> {
        let configuration = serde_json::to_value(configuration).map_err(Failure::of)?;
        Ok(Self {
            command,
            seed: None,
            configuration,
            inputs: Vec::new(),
        })
    }

    /// Program, version and command, for the foot of a page.
    pub(crate) fn footer(&self) -> String {
        format!("matchwright {} · {}", env!("CARGO_PKG_VERSION"), self.command)
    }

    fn manifest(&self, outputs: Vec<FileRecord>) -> Manifest {
        Manifest {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            command: self.command.clone(),
            seed: self.seed,
            configuration: self.configuration.clone(),
            inputs: self.inputs.clone(),
            outputs,
        }
    }
}

/// Files by name that go into one folder with one `manifest.json`.
#[derive(Debug, Default)]
pub(crate) struct Folder {
    files: Vec<(String, Vec<u8>)>,
}

impl Folder {
    pub(crate) fn add(&mut self, name: &str, content: impl Into<Vec<u8>>) {
        self.files.push((name.to_owned(), content.into()));
    }

    /// Adds a page, and the files of its tables and plots.
    pub(crate) fn add_page(&mut self, name: &str, page: &Page) -> Result<(), Failure> {
        self.add(name, page.to_html());
        for (name, content) in page.files().map_err(Failure::of)? {
            self.add(&name, content);
        }
        Ok(())
    }

    /// Adds a value as indented JSON.
    pub(crate) fn add_json(&mut self, name: &str, value: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(value).map_err(Failure::of)?;
        self.add(name, text + "\n");
        Ok(())
    }

    /// Makes the folder if need be and writes everything into it.
    pub(crate) fn write(self, folder: &Path, origin: &Origin) -> Result<(), Failure> {
        let outputs = self.files.iter().map(|(name, content)| facts(name, content));
        let manifest = origin.manifest(outputs.collect()).to_json();
        for (name, content) in &self.files {
            write(&folder.join(name), content)?;
        }
        write(&folder.join("manifest.json"), manifest.as_bytes())
    }
}

/// Writes one file, and its manifest beside it as `FILE.manifest.json`.
pub(crate) fn write_file(path: &Path, content: &[u8], origin: &Origin) -> Result<(), Failure> {
    write(path, content)?;
    let manifest = origin.manifest(vec![facts(&path.to_string_lossy(), content)]);
    let mut beside = path.as_os_str().to_owned();
    beside.push(".manifest.json");
    write(Path::new(&beside), manifest.to_json().as_bytes())
}

/// Refuses to read two inputs from one stream, and to write over what is being read, or twice to one place.
pub(crate) fn check_places<I: AsRef<Path>, O: AsRef<Path>>(
    inputs: impl IntoIterator<Item = I>,
    outputs: impl IntoIterator<Item = O>,
) -> Result<(), Failure> {
    let place = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let inputs: Vec<PathBuf> = inputs.into_iter().map(|path| place(path.as_ref())).collect();
    if inputs.iter().filter(|path| path.as_os_str() == "-").count() > 1 {
        let message = "only one input can come from standard input: give files for the others";
        return Err(Failure::Usage(message.to_owned()));
    }
    let mut seen = Vec::new();
    for output in outputs {
        let output = output.as_ref();
        let at = place(output);
        let is_beside = |input: &PathBuf| at.is_dir() && input.parent() == Some(&at);
        let what = if inputs.iter().any(|input| *input == at || is_beside(input)) {
            "would be written over or beside an input; choose another place"
        } else if seen.contains(&at) {
            "is given twice as an output"
        } else {
            seen.push(at);
            continue;
        };
        return Err(Failure::Usage(format!("{} {what}", output.display())));
    }
    Ok(())
}

/// Prints to standard output; a closed pipe is an error that ends the command quietly.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(Failure::io("writing to standard output"))
}

/// Prints tables, and where the page with them is.
pub(crate) fn print_tables<'a>(
    tables: impl Iterator<Item = &'a Table>,
    out: Option<&Path>,
) -> Result<(), Failure> {
    for table in tables {
        print(&(table.to_text() + "\n"))?;
    }
    match out {
        Some(folder) => print(&format!(
            "Page, tables and plots: {}\n",
            folder.join("index.html").display()
        )),
        None => print("Add --out DIR for the page with all tables and plots.\n"),
    }
}

/// Prints a value as indented JSON.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).map_err(Failure::of)?;
    print(&(text + "\n"))
}

/// Writes a file, and makes its folder if need be.
fn write(path: &Path, content: &[u8]) -> Result<(), Failure> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(Failure::io(format!("making the folder {}", folder.display())))?;
    }
    fs::write(path, content).map_err(Failure::io(format!("writing {}", path.display())))
}

fn facts(name: &str, content: &[u8]) -> FileRecord {
    FileRecord::new(name, content.len() as u64, sha256_hex(content))
}
