//! What the crate writes, byte for byte, against files that were looked at.
//!
//! After a change that is meant, run with `UPDATE_GOLDEN=1` and look at the files again before they are committed.

#![allow(
    clippy::unwrap_used,
    reason = "a golden file that cannot be read fails its test"
)]

#[path = "../examples/demo.rs"]
mod demo;

use std::path::PathBuf;

fn compare(name: &str, actual: &str) {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests", "golden", name]
        .iter()
        .collect();
    if std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1") {
        std::fs::write(&path, actual).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    for (number, (actual, expected)) in actual.lines().zip(expected.lines()).enumerate() {
        assert_eq!(actual, expected, "{name}, line {}", number + 1);
    }
    assert_eq!(actual.len(), expected.len(), "{name} differs in length");
}

#[test]
fn a_table_is_the_same_text() {
    compare(
        "table.txt",
        &format!(
            "{}\n{}",
            demo::estimates().to_text(),
            demo::comparisons().to_text()
        ),
    );
}

#[test]
fn a_table_is_the_same_markdown() {
    compare(
        "table.md",
        &format!(
            "{}\n{}",
            demo::estimates().to_markdown(),
            demo::comparisons().to_markdown()
        ),
    );
}

#[test]
fn a_table_is_the_same_csv() {
    compare("table.csv", &demo::estimates().to_csv());
}

#[test]
fn a_table_is_the_same_html() {
    compare("table.html", &(demo::comparisons().to_html() + "\n"));
}

#[test]
fn a_plot_is_the_same_svg() {
    compare("plot.svg", &demo::reliability().to_svg().unwrap());
}

#[test]
fn a_page_is_the_same_html() {
    compare("page.html", &demo::page().to_html());
}
