//! What was reproduced of a document: a page, the files of its tables and plots, everything as JSON.

use std::path::Path;

use matchwright_papers::{Reproduction, SettingError};
use matchwright_report::Page;
use serde::Serialize;

use super::{Folder, Origin, print_json, print_tables};
use crate::arguments::PageOptions;
use crate::failure::Failure;

/// Writes everything into the folder, if there is one, and prints the tables, or all as JSON.
pub(crate) fn show<R: Reproduction>(all: &R, origin: &Origin, options: &PageOptions) -> Result<(), Failure> {
    let page = all.page(&origin.command);
    if let Some(folder) = &options.out {
        write_page(&page, (R::JSON, all), folder, origin)?;
    }
    if options.json {
        return print_json(all);
    }
    print_tables(page.tables().take(R::TABLES_PRINTED), options.out.as_deref())
}

/// A page, the files of its tables and plots, and everything as JSON.
pub(crate) fn write_page(
    page: &Page,
    (json, all): (&str, &impl Serialize),
    folder: &Path,
    origin: &Origin,
) -> Result<(), Failure> {
    let mut files = Folder::default();
    files.add("index.html", page.to_html());
    for (name, content) in page.files().map_err(Failure::of)? {
        files.add(&name, content);
    }
    files.add_json(json, all)?;
    files.write(folder, origin)
}

/// Settings out of range are a matter of usage.
pub(crate) fn failure(error: anyhow::Error) -> Failure {
    match error.downcast::<SettingError>() {
        Ok(setting) => setting_refused(&setting),
        Err(error) => Failure::Failed(format!("{error:#}")),
    }
}

/// A setting out of range, by its option.
pub(crate) fn setting_refused(error: &SettingError) -> Failure {
    const OPTIONS: [(&str, &str); 17] = [
        ("rounds", "--rounds"),
        ("pools", "--pools"),
        ("horizon", "--horizon"),
        ("draw rate", "--draw-rate"),
        ("folds", "--fold-count"),
        ("fit rows", "--fit-rows"),
        ("state matches", "--state-matches"),
        ("players", "--players"),
        ("streams", "--streams"),
        ("starts", "--starts"),
        ("effort", "--effort"),
        ("ladders", "--ladders"),
        ("newcomers", "--newcomers"),
        ("games", "--games"),
        ("data sets", "--data-sets"),
        ("worlds", "--worlds"),
        ("hours", "--hours"),
    ];
    let message = error.to_string();
    let option = OPTIONS.iter().find(|(setting, _)| *setting == error.setting());
    Failure::Usage(match option {
        Some((setting, option)) => message.replacen(setting, option, 1),
        None => message,
    })
}
