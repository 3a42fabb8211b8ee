//! `matchwright completions` and `matchwright man`: what shells and manuals want to know of the command line.

use std::path::Path;

use clap::Command;
use clap_mangen::Man;

use crate::arguments::{CompletionsOptions, ManOptions, definition};
use crate::failure::Failure;
use crate::output::{Place, check_places, print, write_text};

pub(crate) fn completions(options: &CompletionsOptions) -> Result<(), Failure> {
    let mut definition = definition();
    let name = definition.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut definition, name, &mut script);
    print(&String::from_utf8_lossy(&script))
}

pub(crate) fn man(options: &ManOptions) -> Result<(), Failure> {
    check_places(None::<&Path>, [Place::Folder(&options.out)])?;
    let mut definition = definition();
    definition.build();
    pages(definition, &options.out)
}

/// The page of a command and those of its subcommands, such as `matchwright-rate.1`.
fn pages(command: Command, folder: &Path) -> Result<(), Failure> {
    for inner in command
        .get_subcommands()
        .filter(|inner| inner.get_name() != "help")
    {
        pages(inner.clone(), folder)?;
    }
    let page = Man::new(command.display_order(0));
    let mut text = Vec::new();
    page.render(&mut text)
        .map_err(Failure::io("making a page of the manual"))?;
    write_text(&folder.join(page.get_filename()), &String::from_utf8_lossy(&text))
}
