//! `matchwright claims`: every claim of the five documents, checked at the time of the run.

use std::path::Path;

use matchwright_papers::{ClaimsOptions, Depth, Document, check_claims};

use crate::arguments::ClaimsArguments;
use crate::failure::{Failure, ShownPath};
use crate::output::{Place, check_places, print, write_text};
use crate::progress::Bar;

pub(crate) fn run(arguments: &ClaimsArguments) -> Result<(), Failure> {
    check_places(None::<&Path>, arguments.write.as_deref().map(Place::File))?;
    let options = ClaimsOptions {
        document: arguments.source.as_deref().and_then(document),
        only: arguments.only.clone(),
        depth: match (arguments.quick, arguments.deep) {
            (true, _) => Depth::Quick,
            (_, true) => Depth::Deep,
            _ => Depth::Usual,
        },
        rounds: arguments.rounds,
        seed: arguments.seed,
    };
    let checked =
        check_claims(&options, Box::new(Bar::new())).map_err(|error| Failure::Usage(error.to_string()))?;
    let text = if arguments.json {
        checked.to_json().map_err(Failure::of)? + "\n"
    } else {
        checked.to_text()
    };
    print(&text)?;
    if let Some(page) = &arguments.write {
        let reading = Failure::io(format!("reading {}", page.shown()));
        let old = page.exists().then(|| std::fs::read_to_string(page));
        let old = old.transpose().map_err(reading)?.unwrap_or_default();
        let new = checked.to_markdown(&old).map_err(Failure::of)?;
        write_text(page, &new)?;
    }
    checked.conclude().map_err(Failure::of)
}

fn document(name: &str) -> Option<Document> {
    Document::ALL.into_iter().find(|document| document.name() == name)
}
