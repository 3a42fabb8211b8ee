//! Workbooks of Excel, written as Excel stores them.
#![allow(
    clippy::format_push_string,
    clippy::format_collect,
    reason = "a sheet is small"
)]

use std::io::{Cursor, Write};

use matchwright_import::{ImportError, Input, MatchOptions, Matches};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::matches::{Told, told};

/// A cell of a sheet: a shared text, an own text, a number, or a number that is a date.
enum Cell {
    Shared(usize),
    Text(&'static str),
    Number(f64),
    Date(f64),
    None,
}

const TYPES: &str = r#"<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/></Types>"#;
const ROOT: &str = r#"<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#;
const BOOK: &str = r#"<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Notes" sheetId="1" r:id="rId1"/><sheet name="Games" sheetId="2" r:id="rId2"/></sheets></workbook>"#;
const LINKS: &str = r#"<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet2.xml"/><Relationship Id="rId3" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="rId4" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>"#;
const STYLES: &str = r#"<?xml version="1.0"?><styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="22"/></cellXfs></styleSheet>"#;
const SHEET: &str = r#"<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>"#;

fn workbook(shared: &[&str], first_row: usize, rows: &[Vec<Cell>]) -> Vec<u8> {
    let mut sheet = SHEET.to_owned();
    for (row, cells) in (first_row..).zip(rows) {
        sheet += &format!("<row r=\"{row}\">");
        for (column, cell) in ('A'..='Z').zip(cells) {
            let place = format!("r=\"{column}{row}\"");
            sheet += &match cell {
                Cell::Shared(number) => format!("<c {place} t=\"s\"><v>{number}</v></c>"),
                Cell::Text(text) => format!("<c {place} t=\"inlineStr\"><is><t>{text}</t></is></c>"),
                Cell::Number(number) => format!("<c {place}><v>{number}</v></c>"),
                Cell::Date(number) => format!("<c {place} s=\"1\"><v>{number}</v></c>"),
                Cell::None => String::new(),
            };
        }
        sheet += "</row>";
    }
    sheet += "</sheetData></worksheet>";
    let strings: String = shared
        .iter()
        .map(|text| format!("<si><t>{text}</t></si>"))
        .collect();
    let strings = format!(
        "<?xml version=\"1.0\"?><sst xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\">{strings}</sst>"
    );
    archive(&[
        ("[Content_Types].xml", TYPES),
        ("_rels/.rels", ROOT),
        ("xl/workbook.xml", BOOK),
        ("xl/_rels/workbook.xml.rels", LINKS),
        ("xl/styles.xml", STYLES),
        ("xl/sharedStrings.xml", &strings),
        (
            "xl/worksheets/sheet1.xml",
            &format!("{SHEET}</sheetData></worksheet>"),
        ),
        ("xl/worksheets/sheet2.xml", &sheet),
    ])
}

fn archive(files: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn read(bytes: Vec<u8>) -> Result<(Vec<Told>, Vec<String>), ImportError> {
    let mut matches = Matches::open(
        Input::new("book.xlsx", Cursor::new(bytes)),
        &MatchOptions::default(),
    )?;
    let mut games = Vec::new();
    for game in &mut matches {
        games.push(told(&game?));
    }
    let notes = matches.report(["ann", "bob"].into_iter())?.notes;
    Ok((games, notes))
}

/// Names, and the header.
const SHARED: [&str; 6] = ["Date", "White", "Black", "Result", "ann", "O&apos;Neil \"B\""];

fn games(result: Cell) -> Vec<u8> {
    use Cell::{Date, Number, Shared, Text};
    workbook(
        &SHARED,
        3,
        &[
            vec![Shared(0), Shared(1), Shared(2), Shared(3)],
            // 2024-05-01 18:30.
            vec![Date(45_413.770_833_333_336), Shared(4), Shared(5), Text("1-0")],
            vec![Date(45_414.0), Shared(5), Shared(4), Number(0.5)],
            vec![Text("2024-05-03"), Text("ann"), Shared(5), result],
        ],
    )
}

#[test]
fn a_sheet_is_read_with_its_dates_texts_and_numbers() {
    let (games, notes) = read(games(Cell::Number(0.0))).unwrap();
    let times: Vec<i64> = games.iter().map(|game| game.0).collect();
    assert_eq!(times, [1_714_588_200, 1_714_608_000, 1_714_694_400]);
    let places: Vec<[u32; 2]> = games.iter().map(|game| [game.1[0].0, game.1[1].0]).collect();
    assert_eq!(places, [[1, 2], [1, 1], [2, 1]]);
    assert_eq!(games[0].1[1].2, ["O'Neil \"B\""]);
    assert!(
        notes.contains(&"read from the sheet `Games`; not read: `Notes`".to_owned()),
        "{notes:?}"
    );
}

#[test]
fn a_fault_is_told_at_the_row_of_the_sheet() {
    let what = read(games(Cell::None)).unwrap_err().to_string();
    assert!(
        what.starts_with("book.xlsx:6:4: Result is ``") || what.starts_with("book.xlsx:6:4: Result is empty"),
        "{what}"
    );
    let what = read(games(Cell::Text("7"))).unwrap_err().to_string();
    assert!(what.starts_with("book.xlsx:6:4: Result is `7`"), "{what}");
}

#[test]
fn what_is_no_sound_workbook_is_refused_for_what_it_is() {
    let zip = archive(&[("matches.csv", "time,player1,player2,result\n")]);
    let what = read(zip).unwrap_err().to_string();
    assert!(
        what.contains("it is a zip archive and no Excel workbook"),
        "{what}"
    );
    let sound = games(Cell::Number(1.0));
    let cut = sound[..sound.len() / 2].to_vec();
    assert!(
        read(cut)
            .unwrap_err()
            .to_string()
            .contains("cannot be read as an Excel workbook")
    );
    for place in (0..sound.len()).step_by(7) {
        let mut damaged = sound.clone();
        damaged[place] ^= 0x55;
        // Read or refused.
        let _ = read(damaged);
    }
    // A cell far away, and a text that unpacks to much.
    let far = "<row r=\"1048576\"><c r=\"XFD1048576\"><v>1</v></c></row>";
    let sheet = format!("{SHEET}{far}</sheetData></worksheet>");
    let zeros = "0".repeat(80 << 20);
    for (name, text) in [("xl/worksheets/sheet1.xml", &sheet), ("xl/media/zeros", &zeros)] {
        let book = archive(&[
            ("[Content_Types].xml", TYPES),
            ("_rels/.rels", ROOT),
            ("xl/workbook.xml", BOOK),
            ("xl/_rels/workbook.xml.rels", LINKS),
            ("xl/styles.xml", STYLES),
            (name, text),
        ]);
        let what = read(book).unwrap_err().to_string();
        assert!(
            what.contains("no more than 2048 are read") || what.contains("unpacks to more than"),
            "{what}"
        );
    }
}
