//! [`Files`]: a queue's files in a folder.

use std::fs::{File, OpenOptions, create_dir_all, read_dir, remove_file, rename};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;

use super::storage::{FileName, Storage};

/// Bytes that are written at once where many are.
const BLOCK: usize = 1 << 16;
/// A long file is synced each time this many bytes are written.
const PIECE: u64 = 1 << 17;

/// What the name of a file ends with until all of it is on the device.
const UNFINISHED: &str = "unfinished";

/// The files of one queue in a folder of their own, which is made if there is none.
///
/// A file `lock` keeps other processes away while this one has it, as the operating system frees it when the process ends.
/// Files of other names are left alone.
#[derive(Debug)]
pub struct Files {
    folder: PathBuf,
    lock: Option<File>,
    /// The file that was read or written last.
    open: Option<(FileName, File)>,
}

impl Files {
    /// The files in this folder.
    ///
    /// # Errors
    /// A folder that cannot be made or read.
    pub fn new(folder: impl Into<PathBuf>) -> io::Result<Self> {
        let folder = folder.into();
        create_dir_all(&folder)?;
        Ok(Self {
            folder,
            lock: None,
            open: None,
        })
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether a folder has files of a queue.
    #[must_use]
    pub fn are_in(folder: &Path) -> bool {
        let files = read_dir(folder).into_iter().flatten().flatten();
        let mut names = files.filter_map(|file| FileName::parse(file.file_name().to_str()?));
        names.any(|name| matches!(name, FileName::State(_)))
    }

    fn path(&self, name: FileName) -> PathBuf {
        self.folder.join(name.to_string())
    }

    fn open(&mut self, name: FileName) -> io::Result<&mut File> {
        let known = self.open.take().filter(|open| open.0 == name);
        let file = if let Some((_, file)) = known {
            file
        } else {
            let path = self.path(name);
            // A reader of a folder need not be allowed to write there.
            let writable = OpenOptions::new().read(true).write(true).open(&path);
            writable.or_else(|_| File::open(&path))?
        };
        Ok(&mut self.open.insert((name, file)).1)
    }

    /// The names of files are on the device.
    fn sync_folder(&self) -> io::Result<()> {
        // Elsewhere folders are no files, and their changes are journalled.
        if cfg!(unix) {
            File::open(&self.folder)?.sync_all()?;
        }
        Ok(())
    }

    /// A new file that is not there, or not whole, under its own name until it is whole on the device.
    fn make(&self, name: FileName, fill: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
        let path = self.path(name);
        let unfinished = path.with_extension(UNFINISHED);
        let made = File::create(&unfinished)
            .and_then(|mut file| fill(&mut file).and_then(|()| file.sync_all()))
            .and_then(|()| rename(&unfinished, &path))
            .and_then(|()| self.sync_folder());
        if made.is_err() {
            // Dropped: the first error is told.
            let _ = remove_file(&unfinished);
        }
        made
    }
}

impl Storage for Files {
    fn lock(&mut self) -> io::Result<()> {
        let lock = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(self.folder.join("lock"))?;
        lock.try_lock()?;
        self.lock = Some(lock);
        // What a process left that ended while it made a file.
        for file in read_dir(&self.folder)? {
            let path = file?.path();
            if path.extension().is_some_and(|end| end == UNFINISHED) {
                remove_file(path)?;
            }
        }
        Ok(())
    }

    fn list(&mut self) -> io::Result<Vec<(FileName, u64)>> {
        let mut files = Vec::new();
        for file in read_dir(&self.folder)? {
            let file = file?;
            if let Some(name) = file.file_name().to_str().and_then(FileName::parse) {
                files.push((name, file.metadata()?.len()));
            }
        }
        Ok(files)
    }

    fn remove(&mut self, name: FileName) -> io::Result<()> {
        self.open = self.open.take().filter(|open| open.0 != name);
        remove_file(self.path(name))
    }

    fn create(&mut self, name: FileName, len: u64) -> io::Result<()> {
        if self.path(name).exists() {
            return Err(ErrorKind::AlreadyExists.into());
        }
        self.make(name, |file| {
            let zeros = vec![0; BLOCK];
            let mut left = len;
            while left > 0 {
                let more = usize::try_from(left).map_or(BLOCK, |left| left.min(BLOCK));
                file.write_all(&zeros[..more])?;
                left -= more as u64;
            }
            Ok(())
        })
    }

    fn read(&mut self, name: FileName, at: u64, into: &mut [u8]) -> io::Result<usize> {
        let file = self.open(name)?;
        file.seek(SeekFrom::Start(at))?;
        file.read(into)
    }

    fn write(&mut self, name: FileName, at: u64, bytes: &[u8]) -> io::Result<()> {
        let file = self.open(name)?;
        file.seek(SeekFrom::Start(at))?;
        file.write_all(bytes)
    }

    fn sync(&mut self, name: FileName) -> io::Result<()> {
        self.open(name)?.sync_data()
    }

    fn publish(&mut self, name: FileName, from: &mut dyn Read) -> io::Result<()> {
        // On the device piece by piece, so that who syncs another file meanwhile waits for one of them at most.
        self.make(name, |file| {
            while io::copy(&mut from.take(PIECE), file)? == PIECE {
                let began = Instant::now();
                file.sync_data()?;
                // Half of the device is for others.
                thread::sleep(began.elapsed());
            }
            Ok(())
        })
    }
}
