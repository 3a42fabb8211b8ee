//! `matchwright merge`: the parts of one run become what the whole run gives.

use std::path::{Path, PathBuf};

use matchwright_papers::Workers;
use matchwright_papers::eomm::study::{StudyPart, in_order};
use matchwright_papers::eomm::{EommReproduction, EommStudy};

use super::simulate::WorldsAnswer;
use crate::arguments::MergeOptions;
use crate::failure::{Failure, ShownPath};
use crate::output::reproduction::{failure, show};
use crate::output::{Place, check_places};
use crate::parts::{PartFile, Work};
use crate::progress::Bar;

pub(crate) fn run(options: &MergeOptions) -> Result<(), Failure> {
    let inputs: Vec<_> = options.parts.iter().map(PathBuf::as_path).collect();
    check_places(&inputs, options.page.out.as_deref().map(Place::Folder))?;
    let parts = inputs.iter().map(|path| Ok((PartFile::read(path)?, *path)));
    let parts = parts.collect::<Result<Vec<_>, Failure>>()?;
    let parts = in_order(parts, |(part, _)| part.shard()).map_err(failure)?;
    let origin = parts[0].0.origin.clone();
    for (part, path) in &parts {
        check(part, path, &parts[0].0)?;
    }
    let parts = parts.into_iter().map(|(part, _)| part);
    // Of one command, hence all of one kind and of one source.
    let (mut studies, mut reproductions, mut worlds) = (Vec::new(), Vec::new(), Vec::new());
    let mut source = None;
    for part in parts {
        match part.work {
            Work::Study(from, part) => {
                source = Some(from);
                studies.push(*part);
            }
            Work::Reproduction(from, part) => {
                source = Some(from);
                reproductions.push(*part);
            }
            Work::Worlds(part) => worlds.push(*part),
        }
    }
    match source {
        Some(source) if reproductions.is_empty() => {
            let (source, report) = (&source, &StudyPart::join(studies).map_err(failure)?);
            show(&EommStudy { source, report }, &origin, &options.page)
        }
        Some(source) => {
            let bar = Bar::new();
            let all = EommReproduction::of(reproductions, source, &Workers::new(0, &bar)).map_err(failure)?;
            drop(bar);
            show(&all, &origin, &options.page)
        }
        None => WorldsAnswer::of(worlds).show(&origin, &options.page),
    }
}

/// Refuses a part that is not of the run of the first.
fn check(part: &PartFile, path: &Path, first: &PartFile) -> Result<(), Failure> {
    let refuse = |what: String| {
        let (name, shard) = (path.shown(), part.shard());
        Err(Failure::Failed(format!("{name}: part {shard} {what}")))
    };
    if !part.is_of(first) {
        return refuse(format!(
            "was made with `{}`, part {} with `{}`, or from other files; make all parts with the same command",
            part.origin.command,
            first.shard(),
            first.origin.command
        ));
    }
    if let (Work::Worlds(ours), Work::Worlds(theirs)) = (&part.work, &first.work)
        && let Some(fault) = ours.fault(theirs, &part.origin)
    {
        return refuse(format!("{fault}; make this part again"));
    }
    Ok(())
}
