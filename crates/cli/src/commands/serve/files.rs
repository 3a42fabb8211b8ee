//! What is done with the files of a service.

use std::io::Write;
use std::path::Path;

use matchwright_queue::live::{Files, Options};
use matchwright_service::{Problem, Service, Settings, policies};
use serde_json::json;

use super::unopened;
use crate::failure::{Failure, ShownPath};
use crate::output::{escaped_json, print};

/// The files of a folder that has some.
fn files(folder: &Path) -> Result<Files, Failure> {
    if !Files::are_in(folder) {
        return Err(Failure::Failed(format!(
            "{}: there are no files of a service here",
            folder.shown()
        )));
    }
    Files::new(folder).map_err(Failure::io(folder.shown()))
}

pub(super) fn verify(folder: &Path) -> Result<(), Failure> {
    let contents = matchwright_service::verify(&mut files(folder)?, &policies());
    let contents = contents.map_err(|error| unopened(folder, error))?;
    print(&format!(
        "{}: all is as it should be. {} steps up to step {}, with {} tickets, {} matches and {} results.\n",
        folder.shown(),
        contents.steps,
        contents.step,
        contents.tickets,
        contents.matches,
        contents.results
    ))
}

pub(super) fn backup(folder: &Path, to: &Path) -> Result<(), Failure> {
    let mut from = files(folder)?;
    let mut copy = Files::new(to).map_err(Failure::io(to.shown()))?;
    let bytes = matchwright_service::backup(&mut from, &mut copy).map_err(|error| unopened(to, error))?;
    let contents = matchwright_service::verify(&mut copy, &policies());
    let contents = contents.map_err(|error| unopened(to, error))?;
    print(&format!(
        "{}: a copy of {bytes} bytes up to step {}, which was checked.\n",
        to.shown(),
        contents.step
    ))
}

pub(super) fn results(folder: &Path) -> Result<(), Failure> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let told = matchwright_service::results(&mut files(folder)?, &policies(), |result| {
        let line = json!({
            "time": result.ended,
            "teams": result.played.teams,
            "ranks": result.played.places,
            "match": result.played.id,
        });
        writeln!(out, "{}", escaped_json(&line.to_string()))
    });
    told.map_err(|error| unopened(folder, error))?;
    out.flush().map_err(Failure::io("standard output"))
}

pub(super) fn erase(folder: &Path, player: &str) -> Result<(), Failure> {
    files(folder)?;
    let settings = Settings {
        // A new segment from here on, and nothing of the old ones.
        queue: Options {
            segment_bytes: 1,
            retain: Some(0),
            ..Options::default()
        },
        ..Settings::default()
    };
    let service = Service::open_folder(folder, "", settings).map_err(|error| unopened(folder, error))?;
    let erased = service.erase(player).wait().and_then(|()| {
        service.save()?;
        // The state before the newest is kept, too, and what follows it: so there must be one that is newer.
        service.set_policy(&service.policy()).wait()?;
        service.save()
    });
    service.close();
    match erased {
        Ok(step) => print(&format!(
            "{}: the player is in no file any more, after step {step}.\n",
            folder.shown()
        )),
        Err(problem @ (Problem::Unknown { .. } | Problem::PlayerPlays { .. })) => {
            Err(Failure::Failed(problem.to_string()))
        }
        Err(problem) => Err(Failure::Stopped(problem.to_string())),
    }
}
