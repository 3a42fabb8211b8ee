//! Documents in TOML, in which no name from a file is more than a name.

use matchwright_report::{steers, visible_line};
use serde::Serialize;
use toml::{Table, Value};

use crate::failure::Failure;

/// A line of comment.
pub(crate) fn comment(text: &str) -> String {
    format!("# {}\n", visible_line(text))
}

/// A table as TOML. Characters that would steer the terminal are written as TOML's own escapes.
pub(crate) fn to_toml(value: &impl Serialize) -> Result<String, Failure> {
    let table = Table::try_from(value).map_err(Failure::of)?;
    let mut marked = Vec::new();
    let table = mark_table(table, &mut marked);
    let mut text = toml::to_string(&table).map_err(Failure::of)?;
    marked.sort_unstable();
    marked.dedup();
    for character in marked {
        let code = u32::from(character);
        text = text.replace(&format!("\\u007F{character}"), &format!("\\u{code:04X}"));
    }
    Ok(text)
}

/// What the writer escapes by itself; a string with it is written as one that has escapes.
const MARK: char = '\u{7f}';

/// The text with a mark before each character that the writer would leave as it is.
fn mark(text: &str, marked: &mut Vec<char>) -> String {
    let is_left = |character: char| steers(character) && !character.is_ascii();
    let mut new = String::with_capacity(text.len());
    for character in text.chars() {
        if is_left(character) {
            marked.push(character);
            new.push(MARK);
        }
        new.push(character);
    }
    new
}

fn mark_table(table: Table, marked: &mut Vec<char>) -> Table {
    let entries = table.into_iter();
    entries
        .map(|(key, value)| (mark(&key, marked), mark_value(value, marked)))
        .collect()
}

fn mark_value(value: Value, marked: &mut Vec<char>) -> Value {
    match value {
        Value::String(text) => Value::String(mark(&text, marked)),
        Value::Array(values) => {
            let values = values.into_iter();
            Value::Array(values.map(|value| mark_value(value, marked)).collect())
        }
        Value::Table(table) => Value::Table(mark_table(table, marked)),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_name_reads_back_and_none_steers_the_terminal() {
        let names = [
            "\u{202e}evil\u{9b}31m",
            "a\n[[claims]]\nb = \"c\"",
            "\\\u{202e}\\u007F\u{7f}\u{7f}\u{2066}",
            "quote \" and ' and \"\"\" '''\u{85}",
            "\u{1b}[2J\r\0\u{8}",
            "\u{61c}\n\u{200f}",
            "",
        ];
        for name in names {
            for other in names {
                let mut table = Table::new();
                let inner = Table::from_iter([(other.to_owned(), Value::from(name))]);
                table.insert(name.to_owned(), Value::Table(inner));
                table.insert("list".to_owned(), Value::from(vec![name, other]));
                let text = to_toml(&table).unwrap();
                assert_eq!(toml::from_str::<Table>(&text).unwrap(), table, "{text}");
                let raw = text
                    .chars()
                    .find(|&character| steers(character) && character != '\n');
                assert_eq!(raw, None, "{text:?}");
                let said = format!("{}{text}", comment(name));
                assert_eq!(toml::from_str::<Table>(&said).unwrap(), table, "{said}");
            }
        }
    }
}
