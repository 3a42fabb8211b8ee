//! Files that are written, each with a manifest that says where it comes from. A file is written whole beside its place
//! and then renamed, so that a run that fails leaves what was there.

mod document;
mod parquet;
pub(crate) mod reproduction;

use std::borrow::Borrow;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

pub(crate) use document::{comment, to_toml};
pub(crate) use parquet::{ParquetFile, Values};

use flate2::write::GzEncoder;
use matchwright_report::{FileRecord, Manifest, Page, Table, steers, visible};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;

use crate::failure::{Failure, ShownPath};
use crate::input::{hexadecimal, sha256_hex};
pub(crate) use crate::places::{Place, check_places};
use crate::places::{folder_of, manifest_of, plain, resolved, take, temporary};

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
        debug_assert!(!page.sentence().is_empty(), "{name} answers nothing");
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

    /// Makes the folder if need be and writes everything into it, or nothing.
    pub(crate) fn write(self, folder: &Path, origin: &Origin) -> Result<(), Failure> {
        let outputs = self.files.iter().map(|(name, content)| facts(name, content));
        let manifest = origin.manifest(outputs.collect()).to_json();
        let staged = self
            .files
            .iter()
            .map(|(name, content)| Staged::new(&folder.join(name), content));
        let manifest =
            std::iter::once_with(|| Staged::new(&folder.join("manifest.json"), manifest.as_bytes()));
        let staged: Vec<Staged> = staged.chain(manifest).collect::<Result<_, _>>()?;
        staged.into_iter().try_for_each(Staged::finish)
    }
}

/// Writes one file, and its manifest beside it as `FILE.manifest.json`.
pub(crate) fn write_file(path: &Path, content: &[u8], origin: &Origin) -> Result<(), Failure> {
    write_file_by(path, origin, |file| file.write_all(content))
}

/// Writes one file as `fill` does, and its manifest beside it; packed if its name ends in `.gz` or `.zst`.
pub(crate) fn write_file_by(
    path: &Path,
    origin: &Origin,
    fill: impl FnOnce(&mut Sink<'_>) -> io::Result<()>,
) -> Result<(), Failure> {
    let (file, facts) = Staged::by(path, |file| packed(path, file, fill))?;
    let manifest = origin.manifest(vec![facts]);
    let manifest = Staged::new(&manifest_of(path), manifest.to_json().as_bytes())?;
    file.finish()?;
    manifest.finish()
}

/// Writes a table, in the format that the file's name ends with, and its manifest beside it.
pub(crate) fn write_table(path: &Path, table: &Table, origin: &Origin) -> Result<(), Failure> {
    write_tables(path, || std::iter::once(table), origin)
}

/// As [`write_table`], a table in pieces of the same columns, asked for twice, in memory for one of them.
pub(crate) fn write_tables<T: Borrow<Table>, I: Iterator<Item = T>>(
    path: &Path,
    pieces: impl Fn() -> I,
    origin: &Origin,
) -> Result<(), Failure> {
    if is_parquet(path) {
        return write_file_by(path, origin, |file| parquet::write_tables(pieces, file));
    }
    write_file_by(path, origin, |file| {
        for (place, piece) in pieces().enumerate() {
            let text = piece.borrow().to_csv();
            // The header stands once.
            let rest = text.split_once('\n').map_or("", |(_, rest)| rest);
            file.write_all(if place == 0 { &text } else { rest }.as_bytes())?;
        }
        Ok(())
    })
}

/// Whether a file is to be Parquet, by its name.
pub(crate) fn is_parquet(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("parquet"))
}

/// Writes one file without a manifest.
pub(crate) fn write_text(path: &Path, content: &str) -> Result<(), Failure> {
    Staged::new(path, content.as_bytes())?.finish()
}

/// Prints to standard output, where nothing from a file can steer the terminal; a closed pipe is an error that ends the
/// command quietly.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    print_drawn(&visible(text))
}

/// Prints what is drawn with the colours of a terminal.
pub(crate) fn print_drawn(text: &str) -> Result<(), Failure> {
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
            folder.join("index.html").shown()
        )),
        None => print("Add --out DIR for the page with all tables and plots.\n"),
    }
}

/// Prints a value as indented JSON, in which characters that would steer the terminal have JSON's own escapes.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).map_err(Failure::of)?;
    print(&(escaped_json(&text) + "\n"))
}

/// JSON in which characters that would steer the terminal have JSON's own escapes.
pub(crate) fn escaped_json(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 1);
    for character in text.chars() {
        // All of these are below U+10000, and outside strings there are none but line feeds.
        if steers(character) && character != '\n' {
            let _ = write!(escaped, "\\u{:04x}", u32::from(character));
        } else {
            escaped.push(character);
        }
    }
    escaped
}

/// Where the content of a file goes.
pub(crate) type Sink<'a> = dyn Write + Send + 'a;

/// Counts and hashes what goes into a file.
struct Counted<W> {
    file: W,
    bytes: u64,
    hasher: Sha256,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, content: &[u8]) -> io::Result<usize> {
        let count = self.file.write(content)?;
        self.bytes += count as u64;
        self.hasher.update(&content[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Fills a file, packed if its name says so.
fn packed(
    path: &Path,
    file: &mut Sink<'_>,
    fill: impl FnOnce(&mut Sink<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let ends_in = |extension| {
        path.extension()
            .is_some_and(|end| end.eq_ignore_ascii_case(extension))
    };
    if ends_in("gz") {
        let mut packer = GzEncoder::new(file, flate2::Compression::default());
        fill(&mut packer)?;
        packer.finish().map(drop)
    } else if ends_in("zst") {
        let mut packer = zstd::Encoder::new(file, zstd::DEFAULT_COMPRESSION_LEVEL)?;
        fill(&mut packer)?;
        packer.finish().map(drop)
    } else {
        fill(file)
    }
}

/// A file that is complete, beside its place, under a name that is given up if it never gets there.
struct Staged {
    file: NamedTempFile,
    place: PathBuf,
}

impl Staged {
    fn new(path: &Path, content: &[u8]) -> Result<Self, Failure> {
        Ok(Self::by(path, |file| file.write_all(content))?.0)
    }

    /// Writes the content as `fill` does, and makes the folder if need be; with what a manifest says of it.
    fn by(
        path: &Path,
        fill: impl FnOnce(&mut Sink<'_>) -> io::Result<()>,
    ) -> Result<(Self, FileRecord), Failure> {
        let place = resolved(path);
        take(&place)?;
        let folder = folder_of(&place);
        fs::create_dir_all(folder).map_err(Failure::io(format!("making the folder {}", folder.shown())))?;
        let filled = temporary(folder).and_then(|mut file| {
            let facts = {
                let mut counted = Counted {
                    file: BufWriter::new(file.as_file_mut()),
                    bytes: 0,
                    hasher: Sha256::new(),
                };
                fill(&mut counted)?;
                counted.flush()?;
                let hash = hexadecimal(counted.hasher.clone());
                FileRecord::new(path.to_string_lossy(), counted.bytes, hash)
            };
            file.as_file().sync_all()?;
            if let Ok(there) = fs::metadata(&place) {
                file.as_file().set_permissions(there.permissions())?;
            }
            Ok((file, facts))
        });
        let (file, facts) = filled.map_err(Failure::io(format!("writing {}", path.shown())))?;
        Ok((Self { file, place }, facts))
    }

    /// Puts it into its place, at once.
    fn finish(self) -> Result<(), Failure> {
        let Self { file, place } = self;
        let finished = file.persist(&place);
        let what = format!("writing {}", place.shown());
        finished
            .map(drop)
            .map_err(|refused| Failure::io(what)(plain(&refused.error)))
    }
}

fn facts(name: &str, content: &[u8]) -> FileRecord {
    FileRecord::new(name, content.len() as u64, sha256_hex(content))
}
