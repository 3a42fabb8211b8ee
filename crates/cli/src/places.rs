//! Where results go, checked before any work is done and again as each file is written: no file that a command reads is
//! written over, and none is written twice.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tempfile::{Builder, NamedTempFile};

use crate::failure::{Failure, ShownPath};

/// Where results go.
#[derive(Clone, Copy)]
pub(crate) enum Place<'a> {
    /// With its manifest beside it.
    File(&'a Path),
    /// With files in it.
    Folder(&'a Path),
}

/// What the run has read and written so far. Readers and the writer themselves keep it, so that it is complete whoever
/// names the files: the command line, a scenario, or the program.
static USED: Mutex<Used> = Mutex::new(Used {
    read: Vec::new(),
    written: Vec::new(),
});

struct Used {
    read: Vec<PathBuf>,
    written: Vec<PathBuf>,
}

const OVER_AN_INPUT: &str = "would be written over or beside an input; choose another place";
const TWICE: &str = "is given twice as an output";
const AMONG_OTHERS: &str =
    "is a folder of results, in which another output would stand; give that a place outside it";

/// Notes a file, or `-`, that is about to be read.
pub(crate) fn note_read(path: &Path) {
    let mut used = USED.lock().unwrap_or_else(PoisonError::into_inner);
    used.read.push(input(path));
}

/// Takes a place for a file that is about to be written: none that was read or written before.
pub(crate) fn take(place: &Path) -> Result<(), Failure> {
    let mut used = USED.lock().unwrap_or_else(PoisonError::into_inner);
    let is_in = |all: &[PathBuf]| all.iter().any(|one| is_same(one, place));
    if is_in(&used.read) {
        return Err(refusal(place, OVER_AN_INPUT));
    }
    if is_in(&used.written) {
        return Err(refusal(place, TWICE));
    }
    used.written.push(place.to_path_buf());
    Ok(())
}

/// Refuses to read two inputs from one stream, and to write over what is being read, or twice to one place, or where
/// nothing can be written: before any work is done.
pub(crate) fn check_places<'a, I: AsRef<Path>>(
    inputs: impl IntoIterator<Item = I>,
    outputs: impl IntoIterator<Item = Place<'a>>,
) -> Result<(), Failure> {
    let inputs: Vec<I> = inputs.into_iter().collect();
    let is_stream = |path: &&I| path.as_ref().as_os_str() == "-";
    if inputs.iter().filter(is_stream).count() > 1 {
        let message = "only one input can come from standard input: give files for the others";
        return Err(Failure::Usage(message.to_owned()));
    }
    // A name that is no file is that of something the program carries.
    let is_file = |path: &Path| path.as_os_str() == "-" || (path.exists() && !path.is_dir());
    let files = inputs.iter().map(AsRef::as_ref).filter(|path| is_file(path));
    let files: Vec<PathBuf> = files
        .flat_map(|path| [input(path), input(&manifest_of(path))])
        .collect();
    let outputs: Vec<Place<'_>> = outputs.into_iter().collect();
    check_inputs(&files, &outputs)?;
    for (at, output) in outputs.iter().enumerate() {
        if let Some(other) = outputs[..at].iter().find(|other| output.meets(other)) {
            return Err(match (output, other) {
                (Place::Folder(folder), Place::File(_)) | (Place::File(_), Place::Folder(folder)) => {
                    refusal(folder, AMONG_OTHERS)
                }
                _ => refusal(output.path(), TWICE),
            });
        }
        check_writable(*output)?;
    }
    Ok(())
}

/// Refuses to write over what has been read so far, also where a document named it.
pub(crate) fn check_read<'a>(outputs: impl IntoIterator<Item = Place<'a>>) -> Result<(), Failure> {
    let read = USED.lock().unwrap_or_else(PoisonError::into_inner).read.clone();
    check_inputs(&read, &outputs.into_iter().collect::<Vec<_>>())
}

fn check_inputs(inputs: &[PathBuf], outputs: &[Place<'_>]) -> Result<(), Failure> {
    let is_over = |output: &&Place<'_>| inputs.iter().any(|input| output.is_over(input));
    match outputs.iter().find(is_over) {
        Some(output) => Err(refusal(output.path(), OVER_AN_INPUT)),
        None => Ok(()),
    }
}

fn refusal(path: &Path, what: &str) -> Failure {
    Failure::Usage(format!("{} {what}", path.shown()))
}

impl<'a> Place<'a> {
    const fn path(&self) -> &'a Path {
        let (Self::File(path) | Self::Folder(path)) = *self;
        path
    }

    /// The files, as far as their names are known.
    fn files(&self) -> Vec<PathBuf> {
        let all = match self {
            Self::File(path) => vec![path.to_path_buf(), manifest_of(path)],
            Self::Folder(folder) => {
                let there = fs::read_dir(folder).into_iter().flatten().flatten();
                there.map(|entry| entry.path()).collect()
            }
        };
        all.iter().map(|path| resolved(path)).collect()
    }

    /// Whether a file could be written over: it is one of these, or in the folder.
    fn is_over(&self, file: &Path) -> bool {
        let is_in = |folder: &Path| is_same(&resolved(folder), folder_of(file));
        let is_inside = matches!(self, Self::Folder(folder) if is_in(folder));
        is_inside || self.files().iter().any(|one| is_same(one, file))
    }

    /// Whether two outputs could write one file.
    fn meets(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Folder(one), Self::Folder(two)) => is_same(&resolved(one), &resolved(two)),
            (Self::Folder(folder), file) | (file, Self::Folder(folder)) => {
                let at = resolved(folder);
                let mut files = file.files().into_iter();
                files.any(|file| is_same(&file, &at) || Self::Folder(folder).is_over(&file))
            }
            (one, two) => {
                let theirs = two.files();
                one.files()
                    .iter()
                    .any(|file| theirs.iter().any(|other| is_same(file, other)))
            }
        }
    }
}

/// Tries whether files can be made there.
fn check_writable(output: Place<'_>) -> Result<(), Failure> {
    let path = output.path();
    let place = resolved(path);
    let folder = match (output, fs::metadata(path)) {
        (Place::File(_), Ok(there)) if there.is_dir() => {
            return Err(refusal(path, "is a folder; give a file"));
        }
        (Place::File(_), Ok(there)) if !there.is_file() => {
            let what = "is no regular file; give one, which is then written with a manifest beside it";
            return Err(refusal(path, what));
        }
        (Place::File(_), Ok(_)) => {
            let opened = fs::OpenOptions::new().append(true).open(path);
            opened.map_err(Failure::io(format!("writing {}", path.shown())))?;
            folder_of(&place)
        }
        (Place::File(_), Err(_)) => nearest(folder_of(&place)),
        (Place::Folder(_), Ok(there)) if !there.is_dir() => {
            return Err(refusal(path, "is a file; give a folder"));
        }
        (Place::Folder(_), _) => nearest(&place),
    };
    let tried = temporary(folder).map(drop);
    tried.map_err(Failure::io(format!(
        "writing {}, into {}",
        path.shown(),
        folder.shown()
    )))
}

/// A file for a while, with the permissions of any new file.
pub(crate) fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".matchwright-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder).map_err(|error| plain(&error))
}

/// The system's error without the name of the temporary file.
pub(crate) fn plain(error: &io::Error) -> io::Error {
    error.kind().into()
}

/// `FILE.manifest.json`.
pub(crate) fn manifest_of(path: &Path) -> PathBuf {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".manifest.json");
    PathBuf::from(beside)
}

pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Where an input is; standard input may be a file, too.
fn input(path: &Path) -> PathBuf {
    if path.as_os_str() == "-" {
        return resolved(Path::new("/dev/stdin"));
    }
    resolved(path)
}

/// Where a path leads. Links are followed, also to what is not there yet, and so is `..`, also out of a folder that is not
/// there yet: the system would make that folder first.
pub(crate) fn resolved(path: &Path) -> PathBuf {
    // As many links as Linux follows; a longer chain is a circle.
    follow(std::env::current_dir().unwrap_or_default(), path, &mut 40)
}

fn follow(from: PathBuf, path: &Path, links: &mut u32) -> PathBuf {
    path.components().fold(from, |mut at, part| match part {
        Component::CurDir => at,
        Component::ParentDir => {
            at.pop();
            at
        }
        Component::Normal(name) => match fs::read_link(at.join(name)) {
            Ok(target) if *links > 0 => {
                *links -= 1;
                follow(at, &target, links)
            }
            _ => at.join(name),
        },
        Component::Prefix(_) | Component::RootDir => at.join(part),
    })
}

/// Whether two resolved paths are of one file: by the path, or by what the system says of the file, which has more names
/// where case is folded, or would have more once it is there.
fn is_same(one: &Path, two: &Path) -> bool {
    if one == two {
        return true;
    }
    match (identity(one), identity(two)) {
        (Some(one), Some(two)) => one == two,
        (None, None) => {
            let lower = |path: &Path| path.to_string_lossy().to_lowercase();
            lower(one) == lower(two) && folds_case(nearest(one))
        }
        _ => false,
    }
}

#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    let there = fs::metadata(path).ok()?;
    Some((there.dev(), there.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok()
}

/// Whether names that differ in case alone are one name in a folder, which is tried.
fn folds_case(folder: &Path) -> bool {
    let tried = temporary(folder).ok();
    let upper = |name: &std::ffi::OsStr| folder.join(name.to_string_lossy().to_uppercase());
    tried.is_some_and(|file| file.path().file_name().is_some_and(|name| upper(name).exists()))
}

/// The innermost folder of a path that is there.
fn nearest(path: &Path) -> &Path {
    let mut above = path.ancestors();
    above
        .find(|folder| !folder.as_os_str().is_empty() && folder.exists())
        .unwrap_or(Path::new("."))
}
