//! Documents of settings: TOML or JSON, by the ending of the name.

use std::fmt::Display;
use std::ops::Range;
use std::path::Path;

use matchwright_import::json;
use matchwright_import::number::{ROUNDED, is_rounded, rounded_number};
use matchwright_report::visible_line;
use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::source::Source;
use crate::bundled::Bundled;
use crate::failure::{Failure, ShownPath, shown};

/// What a document says, and the file that it is from.
pub(crate) struct Document<T> {
    pub(crate) value: T,
    pub(crate) source: Source,
}

impl<T: DeserializeOwned> Document<T> {
    /// Reads a file; a name without an ending, and `-` for standard input, is TOML. What cannot be read is told with
    /// file, line and column.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let ending = path
            .extension()
            .map(|ending| ending.to_string_lossy().to_lowercase());
        let parse = match ending.as_deref() {
            None | Some("toml") => from_toml,
            Some("json") => from_json,
            Some(_) => {
                return Err(Failure::Usage(format!(
                    "{}: the name must end in .toml or .json, which says how to read it",
                    path.shown()
                )));
            }
        };
        Self::parse(Source::open_document(path)?, parse)
    }

    /// One in TOML that the program carries.
    pub(crate) fn carried(document: &'static Bundled) -> Result<Self, Failure> {
        Self::parse(Source::carried(document)?, from_toml)
    }

    /// A text, as a file with the name `text` would be read.
    #[cfg(test)]
    pub(super) fn of_text(text: &[u8], is_json: bool) -> Result<Self, Failure> {
        Self::parse(
            Source::of_text(text)?,
            if is_json { from_json } else { from_toml },
        )
    }

    fn parse(source: Source, parse: impl Fn(&str) -> Result<T, (u64, u64, String)>) -> Result<Self, Failure> {
        let complain =
            |(line, column, what): (u64, u64, String)| source.name.at(line, (column, visible_line(&what)));
        let value = parse(source.utf8()?).map_err(complain)?;
        Ok(Self { value, source })
    }
}

impl<T> Document<T> {
    /// The document with its value checked. An error that names a key of a TOML document is told with the key's line
    /// and column.
    pub(crate) fn check<U, E: Display>(
        self,
        check: impl FnOnce(T) -> Result<U, E>,
    ) -> Result<Document<U>, Failure> {
        let Self { value, source } = self;
        let value = check(value).map_err(|error| at_key(&source, error))?;
        Ok(Document { value, source })
    }
}

/// What is wrong with a document, at the line and column of the key that the error names, if it is TOML and has that key.
pub(crate) fn at_key(source: &Source, error: impl Display) -> Failure {
    let what = error.to_string();
    let text = source.utf8().unwrap_or_default();
    let found = key_of(text, &what);
    let what = visible_line(&what);
    match found {
        Some(offset) => {
            let (line, column) = place(text, offset);
            source.name.at(line, (column, what))
        }
        None => source.name.refuse(what),
    }
}

/// Why what a key of a document names could not be read: at the key if there is no such thing, and in it if it is there.
pub(crate) fn of_named(source: &Source, key: &str, failure: Failure) -> Failure {
    match failure {
        Failure::Failed(what) => Failure::Failed(what),
        failure => at_key(source, format!("`{key}`: {failure}")),
    }
}

/// Line and column, from 1.
fn place(text: &str, offset: usize) -> (u64, u64) {
    let before = text.get(..offset).unwrap_or_default();
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (before.matches('\n').count() as u64 + 1, column as u64)
}

/// The value, or line, column and what is wrong there.
fn from_toml<T: DeserializeOwned>(text: &str) -> Result<T, (u64, u64, String)> {
    let value = toml::from_str(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        let what = error.message();
        // Of an unknown key some types know the table alone.
        let named = find_key(text, what, |key, word| key.table == start && is_called(key, word));
        let (line, column) = place(text, named.unwrap_or(start));
        let names_no_key = KEYLESS.iter().any(|words| what.starts_with(words));
        let what = if names_no_key {
            with_key(text, what, start)
        } else {
            what.to_owned()
        };
        (line, column, what)
    })?;
    match DeTable::parse(text)
        .ok()
        .and_then(|document| rounded_in(text, document.get_ref()))
    {
        None => Ok(value),
        Some((key, span)) => {
            let (line, column) = place(text, span.start);
            let number = shown(text.get(span).unwrap_or_default());
            Err((line, column, format!("`{key}` is {number}; {ROUNDED}")))
        }
    }
}

/// Keys whose numbers are no doubles.
const EXACT: [&str; 1] = ["seed"];

/// The key and the place of the first number of a table whose digits a double would lose.
fn rounded_in(text: &str, table: &DeTable<'_>) -> Option<(String, Range<usize>)> {
    fn of_value(text: &str, key: &str, value: &Spanned<DeValue<'_>>) -> Option<(String, Range<usize>)> {
        match value.get_ref() {
            DeValue::Integer(_) | DeValue::Float(_) => {
                let written = text.get(value.span())?.replace('_', "");
                let number = written.parse().ok()?;
                is_rounded(&written, number).then(|| (key.to_owned(), value.span()))
            }
            DeValue::Array(values) => values.iter().find_map(|value| of_value(text, key, value)),
            DeValue::Table(table) => rounded_in(text, table),
            _ => None,
        }
    }
    let mut inexact = table.iter().filter(|(key, _)| !EXACT.contains(&&**key.get_ref()));
    inexact.find_map(|(key, value)| of_value(text, key.get_ref(), value))
}

/// How complaints begin that name no key.
const KEYLESS: [&str; 3] = ["invalid ", "unknown variant", "wanted "];

/// The complaint with the innermost key in whose value it is.
fn with_key(text: &str, what: &str, start: usize) -> String {
    let Ok(document) = DeTable::parse(text) else {
        return what.to_owned();
    };
    let mut keys = Vec::new();
    collect_keys((text, document.get_ref()), "", document.span().start, &mut keys);
    let around = keys.iter().filter(|key| key.span.contains(&start));
    match around.min_by_key(|key| key.span.len()) {
        Some(key) => format!("`{}`: {what}", key.path),
        None => what.to_owned(),
    }
}

fn from_json<T: DeserializeOwned>(text: &str) -> Result<T, (u64, u64, String)> {
    let read = json::read(text)?;
    let value = serde_json::from_str(text).map_err(|error| json::fault(&error))?;
    match rounded_number(&read, &EXACT) {
        None => Ok(value),
        Some(number) => {
            let (line, column) = place(text, text.find(&number).unwrap_or_default());
            Err((line, column, format!("`{number}`; {ROUNDED}")))
        }
    }
}

/// The offset of the key that a message is about: a key in backticks of the table before the first colon
/// (``queue.batch: `every` is ...``), a path with its dots, or that of a table around it, or a key without a table.
fn key_of(text: &str, message: &str) -> Option<usize> {
    let document = DeTable::parse(text).ok()?;
    let mut keys = Vec::new();
    collect_keys((text, document.get_ref()), "", document.span().start, &mut keys);
    let quoted = quoted(message);
    let table = message.split(':').next().unwrap_or_default();
    let inner = |name: &str| {
        let is_inner = |key: &&Key<'_>| {
            is_called(key, name)
                && key
                    .path
                    .strip_prefix(table)
                    .is_some_and(|rest| rest.starts_with('.'))
        };
        let mut all = keys.iter().filter(is_inner);
        // Of several tables alike the one of that attribute.
        let same = |key: &&Key<'_>| key.of.is_some_and(|of| of != name && quoted.contains(&of));
        all.clone().find(same).or_else(|| all.next())
    };
    let number = |text: &str| text.trim().parse::<f64>().ok().map(f64::to_bits);
    let said = message.split_once(" is ");
    let said = said.and_then(|(_, rest)| number(rest.split(": ").next()?));
    let around = |path: &str| {
        let mut paths = std::iter::successors(Some(path), |path| Some(path.rsplit_once('.')?.0));
        paths.find_map(|path| {
            let mut all = keys.iter().filter(|key| key.path == path);
            // Of several tables in a list the one that has the value.
            all.clone()
                .find(|key| said.is_some() && number(key.value) == said)
                .or_else(|| all.next())
        })
    };
    let dotted = || {
        words(message)
            .map(|word| word.trim_end_matches('.'))
            .filter(|word| word.contains('.'))
    };
    let found = quoted.iter().find_map(|name| inner(name));
    let found = found.or_else(|| dotted().find_map(around));
    let alone = || {
        quoted
            .iter()
            .find_map(|name| keys.iter().find(|key| is_called(key, name)))
    };
    let found = found.or_else(|| words(message).find_map(around));
    found.or_else(alone).map(|key| key.offset)
}

/// What a message has between backticks.
fn quoted(message: &str) -> Vec<&str> {
    message.split('`').skip(1).step_by(2).take(MOST_WORDS).collect()
}

/// The words of a message that may be keys, or paths.
fn words(message: &str) -> impl Iterator<Item = &str> {
    let words = message.split(|c: char| !(c.is_alphanumeric() || "_-.".contains(c)));
    words.take(MOST_WORDS)
}

/// The most words of a message that are looked for: it may quote an endless text.
const MOST_WORDS: usize = 100;

/// Whether a message calls a key so, which it may show escaped and cut.
fn is_called(key: &Key<'_>, name: &str) -> bool {
    key.name == name || shown(key.name) == name
}

/// A key of a TOML document.
struct Key<'a> {
    name: &'a str,
    /// With the names of all tables around it: `scoring.factors.hosts`.
    path: String,
    /// Where it stands.
    offset: usize,
    /// Where its table stands.
    table: usize,
    /// What its table is of, by a key `of`.
    of: Option<&'a str>,
    /// Its value as it is written, and where.
    value: &'a str,
    span: Range<usize>,
}

/// The offset of the key that the first word of `message` names which names any, as `is_meant` has it.
fn find_key(text: &str, message: &str, is_meant: impl Fn(&Key<'_>, &str) -> bool) -> Option<usize> {
    let document = DeTable::parse(text).ok()?;
    let mut keys = Vec::new();
    collect_keys((text, document.get_ref()), "", document.span().start, &mut keys);
    let mut names = quoted(message).into_iter().chain(words(message));
    names
        .find_map(|word| keys.iter().find(|key| is_meant(key, word)))
        .map(|key| key.offset)
}

fn collect_keys<'a>(
    (text, table): (&'a str, &'a DeTable<'a>),
    path: &str,
    start: usize,
    keys: &mut Vec<Key<'a>>,
) {
    let of = table.get("of").and_then(|value| value.get_ref().as_str());
    for (name, value) in table {
        let path = if path.is_empty() {
            name.get_ref().to_string()
        } else {
            format!("{path}.{}", name.get_ref())
        };
        let inner = match value.get_ref() {
            DeValue::Array(values) => values.iter().collect(),
            _ => vec![value],
        };
        for value in inner {
            if let DeValue::Table(table) = value.get_ref() {
                collect_keys((text, table), &path, value.span().start, keys);
            }
        }
        keys.push(Key {
            name: name.get_ref(),
            path,
            offset: name.span().start,
            table: start,
            of,
            value: text.get(value.span()).unwrap_or_default(),
            span: value.span(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use matchwright_mmr_forensics::LadderSeasonParams;
    use matchwright_scoring::PolicyDocument;
    use matchwright_sim::population::GeneratorParams;

    /// The place at which TOML of this type is refused.
    fn refused<T: DeserializeOwned>(text: &str) -> (u64, u64, String) {
        match from_toml::<T>(text) {
            Ok(_) => panic!("not refused: {text}"),
            Err(error) => error,
        }
    }

    #[test]
    fn an_error_stands_at_its_own_line_and_column_in_every_kind_of_document() {
        let policy = "[scoring]\n\n[scoring.factors.team_skill]\nweight = 1\n";
        for (more, place) in [
            ("wieght = 2\n", (5, 1)),
            ("weight = 2\n", (5, 1)),
            ("  difference = 2\n", (5, 16)),
            ("\n[scoring.factors.team_skil]\nweight = 1\n", (6, 18)),
            ("[scoring.rules]\n\nhosts = true\n", (7, 1)),
            ("\n[unclosed\n", (6, 10)),
            ("\n[scoring.rules]\nregion = true\n\"a\\nb\" = 1\n", (8, 1)),
        ] {
            let refused = refused::<PolicyDocument>(&format!("{policy}{more}"));
            assert_eq!((refused.0, refused.1), place, "{more}: {}", refused.2);
        }
        for (text, place) in [
            ("players = 100\nskil_mean = 3\n", (2, 1)),
            ("players = 100\nskill_mean = \"x\"\n", (2, 14)),
        ] {
            let refused = refused::<GeneratorParams>(text);
            assert_eq!((refused.0, refused.1), place, "{text}: {}", refused.2);
        }
        for (text, place) in [
            ("name = \"x\"\nleages = []\n", (2, 1)),
            ("name = \"x\"\n[[leagues]]\nname = 3\n", (3, 8)),
            ("name = \"x\"\n\n[game]\nper_win = -3\n", (4, 11)),
        ] {
            let refused = refused::<LadderSeasonParams>(text);
            assert_eq!((refused.0, refused.1), place, "{text}: {}", refused.2);
        }
    }

    #[test]
    fn a_value_out_of_range_is_told_at_its_key() {
        let told = |text: &str, check: &dyn Fn(GeneratorParams) -> Result<(), String>| {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("world.toml");
            std::fs::write(&path, text).unwrap();
            let document = Document::read(&path).unwrap();
            document
                .check(check)
                .err()
                .map(|failure| failure.to_string())
                .unwrap()
        };
        let check = |params: GeneratorParams| params.check().map_err(|error| error.to_string());
        let text = "players = 100\n\nskill_deviation = -1\n";
        let said = told(text, &check);
        assert!(
            said.contains("world.toml:3:1: population parameter `skill_deviation` is -1"),
            "{said}"
        );
        let said = told(text, &|_| Err("scoring.factors: nothing of that kind".to_owned()));
        assert!(
            said.ends_with("world.toml: scoring.factors: nothing of that kind"),
            "{said}"
        );
    }

    #[test]
    fn json_is_told_at_its_own_line_as_well() {
        let (line, _, what) = from_json::<GeneratorParams>("{\n \"players\": 1,\n \"skil\": 2}")
            .err()
            .unwrap();
        assert_eq!(line, 3, "{what}");
        assert!(!what.contains("at line"), "{what}");
    }
}
