//! Files that hold one part of a run, until `matchwright merge` joins them.
//!
//! Two items of CBOR (RFC 8949), where every float keeps its bits, also those that are no numbers: a head with a
//! digest, and the part.

pub(crate) mod worlds;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use cbor2::de::Deserializer;
use matchwright_papers::eomm::study::{Shard, StudyPart};
use matchwright_papers::eomm::{EommPart, StudyOrigin};
use serde::{Deserialize, Serialize};

use self::worlds::WorldsPart;
use crate::failure::{Failure, ShownPath, shown};
use crate::input::sha256_hex;
use crate::output::{Origin, write_file};
use crate::places::note_read;

/// What every such file begins with.
const FORMAT: &str = "matchwright part 4";
/// Bytes that no head has more of.
const LONGEST_HEAD: u64 = 1 << 12;

/// One part of a run.
#[derive(Serialize, Deserialize)]
pub(crate) struct PartFile {
    /// Of the whole run.
    pub(crate) origin: Origin,
    pub(crate) work: Work,
}

/// What was done; of studies also on which matches.
#[derive(Serialize, Deserialize)]
pub(crate) enum Work {
    Study(StudyOrigin, Box<StudyPart>),
    Reproduction(StudyOrigin, Box<EommPart>),
    Worlds(Box<WorldsPart>),
}

/// What comes first, to tell a file of another kind or version from a broken one.
#[derive(Serialize, Deserialize)]
struct Head {
    format: String,
    version: String,
    /// Of the bytes that follow: a file that was altered or broken off on its way must not be joined.
    #[serde(default)]
    sha256: String,
}

impl PartFile {
    pub(crate) fn new(origin: &Origin, work: Work) -> Self {
        let origin = origin.clone();
        Self { origin, work }
    }

    pub(crate) fn shard(&self) -> Shard {
        match &self.work {
            Work::Study(_, part) => part.shard(),
            Work::Reproduction(_, part) => part.study.shard(),
            Work::Worlds(part) => part.shard,
        }
    }

    /// Whether both are parts of one run, by what their manifests say.
    pub(crate) fn is_of(&self, other: &Self) -> bool {
        let source = |part: &Self| match &part.work {
            Work::Study(source, _) | Work::Reproduction(source, _) => Some(source.clone()),
            Work::Worlds(_) => None,
        };
        let said = |part: &Self| serde_json::to_string(&(&part.origin, source(part))).ok();
        let is_alike = std::mem::discriminant(&self.work) == std::mem::discriminant(&other.work);
        is_alike && said(self) == said(other)
    }

    /// Writes the part, with a manifest whose command makes this part alone.
    pub(crate) fn write(&self, path: &Path, origin: &Origin, shard: Shard) -> Result<(), Failure> {
        let mut body = cbor2::to_vec(self).map_err(Failure::of)?;
        let head = Head {
            format: FORMAT.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            sha256: sha256_hex(&body),
        };
        let mut bytes = cbor2::to_vec(&head).map_err(Failure::of)?;
        bytes.append(&mut body);
        let origin = Origin {
            command: format!("{} --shard {shard}", origin.command),
            ..origin.clone()
        };
        write_file(path, &bytes, &origin)?;
        crate::failure::tell(&format!(
            "part {shard} is in {}; `matchwright merge` joins all {}",
            path.shown(),
            shard.of()
        ));
        Ok(())
    }

    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        note_read(path);
        let name = path.shown();
        Self::of(
            File::open(path).map_err(Failure::io(format!("reading {name}")))?,
            &name,
        )
    }

    /// The part that a file of this name has.
    pub(crate) fn of(mut file: impl Read, name: &str) -> Result<Self, Failure> {
        let reading = |error| Failure::io(format!("reading {name}"))(error);
        let mut bytes = Vec::new();
        (file.by_ref().take(LONGEST_HEAD).read_to_end(&mut bytes)).map_err(reading)?;
        let mut reader = Deserializer::from_slice(&bytes);
        // Dropped: said below.
        let head = Head::deserialize(&mut reader).ok();
        let start = reader.offset();
        let ours = env!("CARGO_PKG_VERSION");
        let head = head.filter(|head| head.format.starts_with("matchwright part"));
        let refuse = |what: &str| Err(Failure::Failed(format!("{name} {what}")));
        match head {
            None => {
                return refuse(
                    "is no part of a run, or broken off; give files that were written with --shard",
                );
            }
            // A file of another kind is not read whole.
            Some(head) if head.format != FORMAT || head.version != ours => {
                let theirs = shown(&head.version);
                return refuse(&format!(
                    "was written by another build of matchwright ({theirs}; this is {ours}); make all parts and join them with one version"
                ));
            }
            Some(head) => {
                file.read_to_end(&mut bytes).map_err(reading)?;
                if head.sha256 != sha256_hex(&bytes[start..]) {
                    return refuse(
                        "is broken off, or was altered after it was written; copy it again, or make this part again",
                    );
                }
            }
        }
        let broken = |error| Failure::Failed(format!("{name} is broken: {error}; make this part again"));
        cbor2::from_slice(&bytes[start..]).map_err(broken)
    }
}
