//! Files by how they begin: PGN, and other kinds with what to do with them.

use crate::limits::CHUNK;

/// How files begin, what they are, and what to do.
const KNOWN: [(&[u8], &str, &str); 19] = [
    (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        "an Excel 97 file, or another of old Office programs",
        "save it as .xlsx or .csv",
    ),
    (b"%PDF", "a PDF", "export its table as CSV"),
    (
        b"SQLite format 3\0",
        "an SQLite database",
        "write a table of it: sqlite3 -header -csv FILE 'SELECT ...' > matches.csv",
    ),
    (
        b"BZh",
        "packed with bzip2",
        "unpack it with bunzip2, or pack it with gzip or zstd",
    ),
    (
        b"\xfd7zXZ\0",
        "packed with xz",
        "unpack it with unxz, or pack it with gzip or zstd",
    ),
    (
        b"7z\xbc\xaf\x27\x1c",
        "a 7z archive",
        "unpack it and give the file that is in it",
    ),
    (
        b"Rar!",
        "a RAR archive",
        "unpack it and give the file that is in it",
    ),
    (b"ARROW1", "an Arrow file", "write it as Parquet or CSV"),
    (b"Obj\x01", "an Avro file", "write it as Parquet or CSV"),
    (b"ORC", "an ORC file", "write it as Parquet or CSV"),
    (b"\x89HDF", "an HDF5 file", "write its table as Parquet or CSV"),
    (b"\x93NUMPY", "a NumPy array", "write it as Parquet or CSV"),
    (
        b"\x80\x04\x95",
        "a Python pickle",
        "write the table with to_csv or to_parquet",
    ),
    (
        b"\x80\x05\x95",
        "a Python pickle",
        "write the table with to_csv or to_parquet",
    ),
    (b"RDX", "an R data file", "write the table with write.csv"),
    (b"\x89PNG", "a picture", "give the table that it shows"),
    (b"\xff\xd8\xff", "a picture", "give the table that it shows"),
    (
        b"PK\x05\x06",
        "an empty zip archive",
        "give the file that was to be in it",
    ),
    (
        b"{\\rtf",
        "a text of a word processor (RTF)",
        "save its table as CSV",
    ),
];

/// What a text is that begins so, if it is none of matches.
pub(crate) fn foreign(start: &[u8]) -> Option<String> {
    let known = KNOWN.iter().find(|(mark, ..)| start.starts_with(mark));
    if let Some((_, what, mend)) = known {
        return Some(format!("it is {what}; {mend}"));
    }
    // A `tar` has its mark further on.
    if start.get(257..262) == Some(b"ustar") {
        return Some("it is a tar archive; unpack it and give the file that is in it".to_owned());
    }
    let text = start.trim_ascii_start();
    let begins = |word: &str| {
        text.get(..word.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
    };
    if begins("<!doctype html") || begins("<html") || begins("<head") {
        return Some(
            "it is a web page; save the table of it as CSV, or ask the site for its export".to_owned(),
        );
    }
    begins("<?xml").then(|| "it is XML; write its rows as CSV or JSON".to_owned())
}

/// What to do with a text in UTF-16 that has no mark: every second byte is mostly 0.
pub(crate) fn unmarked(start: &[u8]) -> Option<String> {
    if start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff") {
        return None;
    }
    let pairs = || start.chunks_exact(2).take(64);
    let zeros = |at: usize| pairs().filter(|pair| pair[at] == 0).count();
    let is_text = |at: &usize| pairs().len() > 4 && 4 * zeros(*at) > 3 * pairs().len() && zeros(1 - at) == 0;
    let zero = [1, 0].into_iter().find(is_text)?;
    let name = ["utf-16be", "utf-16le"][zero];
    Some(format!(
        "it seems to be UTF-16 without a mark; give --encoding {name}"
    ))
}

/// Whether a text begins with a tag: `[Event "..."]`.
pub(crate) fn is_pgn(start: &[u8]) -> bool {
    let start = start.trim_ascii_start();
    let Some(tag) = start.strip_prefix(b"[") else {
        return false;
    };
    let name = tag
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_')
        .count();
    let value = tag[name..].trim_ascii_start();
    name > 0 && value.len() < tag.len() - name && value.starts_with(b"\"")
}

/// Whether a text begins with an object that is alone in its line, as far as the lines tell: it ends with its line, or the next begins
/// another.
pub(crate) fn begins_with_row(start: &[u8]) -> bool {
    let lines = start.split(|byte| b"\r\n".contains(byte));
    let mut lines = lines.map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    let (first, second) = (lines.next(), lines.next());
    match (first, second) {
        (Some(first), Some(second)) => first.ends_with(b"}") || second.starts_with(b"{"),
        _ => start.len() < CHUNK,
    }
}
