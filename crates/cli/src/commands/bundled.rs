//! `matchwright examples` and `matchwright schema`: the files that come with the program.

use std::path::Path;

use crate::arguments::{ExamplesOptions, SchemaOptions};
use crate::bundled::{Bundled, EXAMPLES, SCHEMAS};
use crate::failure::{Failure, ShownPath, shown, suggestion};
use crate::output::{Place, check_places, print, write_text};

pub(crate) fn examples(options: &ExamplesOptions) -> Result<(), Failure> {
    let name = options.name.as_deref();
    let chosen: Vec<&Bundled> = EXAMPLES
        .iter()
        .filter(|example| name.is_none_or(|name| is_meant(example.name, name)))
        .collect();
    if let (Some(name), []) = (name, &chosen[..]) {
        return Err(unknown("example", name, &EXAMPLES));
    }
    match (&options.out, &chosen[..]) {
        (Some(folder), _) => write(&chosen, folder),
        (None, [one]) if name == Some(one.name) => print(one.text),
        (None, _) => {
            list(&chosen)?;
            print("\nmatchwright examples NAME prints one; --out DIR writes them.\n")
        }
    }
}

pub(crate) fn schema(options: &SchemaOptions) -> Result<(), Failure> {
    let Some(name) = options.name.as_deref() else {
        list(&SCHEMAS.iter().collect::<Vec<_>>())?;
        return print("\nmatchwright schema NAME prints one.\n");
    };
    let known = SCHEMAS.iter().find(|schema| schema.name == name);
    print(known.ok_or_else(|| unknown("schema", name, &SCHEMAS))?.text)
}

/// Whether a file has this name or is in the folder of this name.
fn is_meant(file: &str, name: &str) -> bool {
    let rest = file.strip_prefix(name.trim_end_matches('/'));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn unknown(what: &str, name: &str, known: &[Bundled]) -> Failure {
    let hint = suggestion(name, known.iter().map(|one| one.name));
    let command = if what == "example" { "examples" } else { what };
    Failure::Usage(format!(
        "there is no {what} `{}`{hint} `matchwright {command}` lists what there is",
        shown(name)
    ))
}

fn list(all: &[&Bundled]) -> Result<(), Failure> {
    let widest = all.iter().map(|one| one.name.len()).max().unwrap_or(0);
    all.iter()
        .try_for_each(|one| print(&format!("{:widest$}  {}\n", one.name, one.about)))
}

/// Writes them, or none if another file has the place of one.
fn write(examples: &[&Bundled], folder: &Path) -> Result<(), Failure> {
    check_places(None::<&Path>, [Place::Folder(folder)])?;
    for example in examples {
        let path = folder.join(example.name);
        let is_same = || std::fs::read(&path).is_ok_and(|there| there == example.text.as_bytes());
        let length = std::fs::metadata(&path).map(|there| (there.is_file(), there.len()));
        let is_other = length.is_ok_and(|there| there != (true, example.text.len() as u64) || !is_same());
        if is_other {
            return Err(Failure::Failed(format!(
                "{} is there already and is another file; move it, or choose another folder",
                path.shown()
            )));
        }
    }
    for example in examples {
        let path = folder.join(example.name);
        write_text(&path, example.text)?;
        print(&format!("{}\n", path.shown()))?;
    }
    Ok(())
}
