//! Lists in one cell, and names that look like one.

use std::cell::Cell;

use crate::text::shown;

/// What may stand between the items of a list, the least doubtful first.
const SEPARATORS: [char; 5] = [';', '|', '\n', '\t', ','];
/// What may stand between the players of a team besides.
pub(crate) const JOINED: [&str; 8] = ["/", "&", "+", " and ", " und ", " et ", " y ", " - "];
/// Closing brackets of lists.
const BRACKETS: [(char, char); 3] = [('[', ']'), ('{', '}'), ('(', ')')];

/// Why a cell is no name of one player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LooksLikeList(Vec<String>);

impl LooksLikeList {
    /// The parts of a text at some sign or at blanks, if all of them are known, and there are several.
    pub(crate) fn of(text: &str, is_known: impl Fn(&str) -> bool) -> Option<Self> {
        let is_list = |sign: &char| parts(text, *sign).nth(1).is_some() && parts(text, *sign).all(&is_known);
        let found = ['/', '&', '+', ' '].into_iter().find(is_list)?;
        Some(Self(parts(text, found).map(str::to_owned).collect()))
    }

    pub(crate) fn items(&self) -> &[String] {
        &self.0
    }

    /// The items, as JSON writes them.
    pub(crate) fn array(&self) -> String {
        let items = self.0.iter().map(|item| format!("\"{}\"", shown(item)));
        format!("[{}]", items.collect::<Vec<_>>().join(", "))
    }
}

/// Whether a text may be the name of one player. A comma before a blank may be part of a name, as in `Smith, John`.
pub(crate) fn check_one(text: &str) -> Result<(), LooksLikeList> {
    let is_plain = |byte: &u8| !b";|,\n\t[{(".contains(byte);
    if text.as_bytes().iter().all(is_plain) {
        return Ok(());
    }
    if let Some(mut items) = bracketed(text) {
        items.retain(|item| !item.is_empty());
        return Err(LooksLikeList(items));
    }
    match separators(text).next() {
        Some(',') if is_name_with_comma(text) => Ok(()),
        Some(separator) => Err(LooksLikeList(parts(text, separator).map(str::to_owned).collect())),
        None => Ok(()),
    }
}

/// Whether a text with a comma may be one name: `Smith, John`, and not `ann,bob` or `ann, bob`.
fn is_name_with_comma(text: &str) -> bool {
    let Some((_, after)) = text.split_once(", ") else {
        return false;
    };
    let is_one_comma = text.matches(',').count() == 1;
    let is_word = |part: &str| !part.trim().contains(char::is_whitespace);
    let is_small = after.trim_start().chars().next().is_some_and(char::is_lowercase);
    is_one_comma && !(is_small && is_word(after))
}

/// What stands between two parts of a text or more.
fn separators(text: &str) -> impl Iterator<Item = char> {
    SEPARATORS
        .into_iter()
        .filter(move |separator| parts(text, *separator).nth(1).is_some())
}

fn parts(text: &str, separator: char) -> impl Iterator<Item = &str> {
    text.split(separator)
        .map(str::trim)
        .filter(|part| !part.is_empty())
}

/// The items of `["ann", "bob"]`, `['ann' 'bob']`, `[ann, bob]`, `[1 2]` or `{ann;bob}`, an empty one as such; a lone word
/// in brackets may be a name.
fn bracketed(text: &str) -> Option<Vec<String>> {
    let inner = BRACKETS
        .iter()
        .find_map(|(open, close)| text.strip_prefix(*open)?.strip_suffix(*close))?;
    let is_square = text.starts_with('[');
    if inner.trim().is_empty() && is_square {
        return Some(Vec::new());
    }
    let (mut items, mut word) = (Vec::new(), String::new());
    let (mut quote, mut was_quoted) = (None, false);
    let (mut has_quotes, mut separator) = (false, None);
    let mut letters = inner.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(_), '\\') => word.extend(letters.next()),
            (Some(open), _) if letter == open => {
                items.push(std::mem::take(&mut word));
                (quote, was_quoted) = (None, true);
            }
            (None, '"' | '\'') if word.trim().is_empty() => {
                (quote, has_quotes) = (Some(letter), true);
                word.clear();
            }
            (None, ',' | ';' | '|') if *separator.get_or_insert(letter) == letter => {
                let item = std::mem::take(&mut word);
                if !(was_quoted && item.trim().is_empty()) {
                    items.push(item);
                }
                was_quoted = false;
            }
            _ => word.push(letter),
        }
    }
    // A comma before the closing bracket has nothing behind it.
    if !word.trim().is_empty() {
        items.push(word);
    }
    let is_number = |word: &str| word.parse::<f64>().is_ok();
    let mut words = inner.split_whitespace();
    if is_square && separator.is_none() && words.all(is_number) {
        return Some(inner.split_whitespace().map(str::to_owned).collect());
    }
    let no_item = ["null", "None"];
    let items = items.iter().map(|item| item.trim());
    let items = items.map(|item| if no_item.contains(&item) { "" } else { item }.to_owned());
    (quote.is_none() && (has_quotes || separator.is_some())).then(|| items.collect())
}

/// Whether a cell is an array as JSON or Python write it, which is no name; where names are as they are written, as JSON
/// alone.
pub(crate) fn is_array(text: &str, as_written: bool) -> bool {
    text.starts_with('[')
        && if as_written {
            serde_json::from_str::<Vec<Option<String>>>(text).is_ok()
        } else {
            bracketed(text).is_some()
        }
}

/// The lists of a column. One separator serves them all, so that what is between its uses is an item.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lists {
    /// The separator that was met first, with its line.
    seen: Cell<Option<(char, u64)>>,
    /// What is part of names.
    in_names: Vec<char>,
    as_written: bool,
    /// Whether each is that of a team, where `/`, `&` and `+` stand between players as well.
    are_teams: bool,
}

impl Lists {
    /// Of names; those that are known say which separators are part of one.
    pub(crate) fn of_names<'n>(known: impl IntoIterator<Item = &'n str>) -> Self {
        let known: Vec<&str> = known.into_iter().collect();
        let is_in_one = |separator: &char| known.iter().any(|name| name.contains(*separator));
        Self {
            in_names: SEPARATORS.into_iter().filter(is_in_one).collect(),
            ..Self::default()
        }
    }

    /// Of teams.
    pub(crate) fn of_teams() -> Self {
        Self {
            are_teams: true,
            ..Self::default()
        }
    }

    /// Of names as they are written: `;` alone stands between them, unless one that is known has it.
    pub(crate) fn as_written<'n>(known: impl IntoIterator<Item = &'n str>) -> Self {
        let has_first = known.into_iter().any(|name| name.contains(SEPARATORS[0]));
        Self {
            in_names: SEPARATORS[usize::from(!has_first)..].to_vec(),
            as_written: true,
            ..Self::default()
        }
    }

    /// The items of a cell; `Err` says what is wrong with it.
    pub(crate) fn split(&self, text: &str, line: u64) -> Result<Vec<String>, String> {
        let mut items = self.seats(text, line)?;
        items.retain(|item| !item.is_empty());
        Ok(items)
    }

    /// The same with those that are empty.
    pub(crate) fn seats(&self, text: &str, line: u64) -> Result<Vec<String>, String> {
        let is_list = !self.as_written || is_array(text, true);
        if let Some(items) = bracketed(text).filter(|_| is_list) {
            return Ok(items);
        }
        let mut found = separators(text).filter(|separator| !self.in_names.contains(separator));
        // `Ann/Bob`, in a column of teams: where no other sign parts it.
        let is_joined = self.are_teams && separators(text).next().is_none();
        let mut joined = JOINED.into_iter().filter(|sign| is_joined && text.contains(sign));
        if let Some(sign) = joined.next() {
            let parts = text.split(sign).map(str::trim).filter(|part| !part.is_empty());
            return Ok(parts.map(str::to_owned).collect());
        }
        let one = || vec![text.trim_matches(SEPARATORS).trim().to_owned()];
        let Some(separator) = found.next() else {
            let is_parted =
                |separator: &char| !self.in_names.contains(separator) && text.contains(*separator);
            let parts = SEPARATORS
                .into_iter()
                .find(is_parted)
                .map(|separator| text.split(separator));
            // `ann;` has an empty seat.
            let empty = parts.map_or(0, |parts| parts.filter(|part| part.trim().is_empty()).count());
            return Ok(one()
                .into_iter()
                .chain(std::iter::repeat_n(String::new(), empty))
                .collect());
        };
        let of_names = |separator: char| {
            parts(text, separator).all(|part| !part.contains(',') || is_name_with_comma(part))
        };
        if let Some(other) = found.next().filter(|other| *other != ',' || !of_names(separator)) {
            return Err(format!(
                "`{}`, with both `{}` and `{}` in it; write one of them between the items, or [\"ann\", \"bob\"]",
                shown(text),
                separator.escape_default(),
                other.escape_default()
            ));
        }
        match self.seen.get() {
            Some((seen, _)) if seen != ',' && separator == ',' && is_name_with_comma(text) => {
                return Ok(one());
            }
            Some((seen, first)) if seen != separator => {
                return Err(format!(
                    "`{}`, with `{}` between its items, where line {first} has `{}`; write one separator throughout, \
                     or [\"ann\", \"bob\"]",
                    shown(text),
                    separator.escape_default(),
                    seen.escape_default()
                ));
            }
            Some(_) => {}
            None => self.seen.set(Some((separator, line))),
        }
        Ok(text.split(separator).map(|part| part.trim().to_owned()).collect())
    }
}

/// Whether names with this sign look like lists of two by all of them: what is before or after it is often in another place as
/// well.
pub(crate) fn look_like_pairs<'n>(names: impl Iterator<Item = &'n str> + Clone, sign: &str) -> bool {
    use std::collections::HashSet;
    let pair = |name: &'n str| {
        let (one, other) = name.split_once(sign)?;
        Some((one.trim(), other.trim()))
    };
    let pairs = names.clone().filter_map(pair);
    let count = pairs.clone().count();
    let (first, second): (HashSet<&str>, HashSet<&str>) = pairs.unzip();
    if first.is_empty() {
        return false;
    }
    // `ann/bob`, `cyd/bob`, `ann/dot`; of names with commas the second parts are often the same.
    if sign != "," && first.len() < count && second.len() < count {
        return true;
    }
    let alone = names.filter(|name| first.contains(name) || second.contains(name));
    let elsewhere = first.intersection(&second).count() + alone.count();
    elsewhere > 0 && 4 * elsewhere >= first.len().min(second.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_told_from_names() {
        for name in [
            "ann",
            "Smith, John",
            "O'Neil, Sean",
            "cyd, the third",
            "|Rain|",
            "[TSM]",
            "(x)",
            "a.b",
            "x;",
        ] {
            assert_eq!(check_one(name), Ok(()), "{name}");
        }
        for list in [
            "a;b;c",
            "a|b",
            "ann,bob",
            "ann, bob",
            "ann, Bob, Cyd",
            "a\nb",
            "[\"a\", \"b\"]",
            "['a' 'b']",
            "[a, b]",
            "{a,b}",
            "('a', 'b')",
            "[\"a\"]",
            "[7]",
        ] {
            assert!(check_one(list).is_err(), "{list}");
        }
    }

    #[test]
    fn one_separator_serves_a_column() {
        let split = |texts: &[&str]| -> Vec<Result<usize, String>> {
            let lists = Lists::default();
            let lines = texts.iter().zip(1..);
            lines
                .map(|(text, line)| lists.split(text, line).map(|items| items.len()))
                .collect()
        };
        assert_eq!(split(&["a;b", "c", "d;e;f"]), [Ok(2), Ok(1), Ok(3)]);
        assert_eq!(split(&["a, b", "c,d"]), [Ok(2), Ok(2)]);
        assert_eq!(
            split(&["[\"a;b\", \"c\"]", "['a' 'b' 'c']", "[]"]),
            [Ok(2), Ok(3), Ok(0)]
        );
        assert_eq!(split(&["Smith, J;Jones, B", "Smith, J"]), [Ok(2), Ok(1)]);
        assert!(
            split(&["a;b", "c|d"])[1]
                .as_ref()
                .is_err_and(|what| what.contains("line 1 has `;`"))
        );
        assert!(split(&["a;b", "c,d"])[1].is_err() && split(&["a|b;c"])[0].is_err());
        // Where a name has the separator in it, it is none.
        let lists = Lists::of_names(["TSM|a", "b"]);
        assert_eq!(lists.split("TSM|a;b", 1).unwrap(), ["TSM|a", "b"]);
        assert_eq!(lists.split("TSM|a", 2).unwrap(), ["TSM|a"]);
    }

    #[test]
    fn pairs_that_meet_again_are_lists() {
        assert!(look_like_pairs(["Ann, Bob", "Bob, Cyd"].into_iter(), ","));
        assert!(look_like_pairs(["Ann, Bob", "Cyd, Dot", "Ann"].into_iter(), ","));
        assert!(!look_like_pairs(
            ["Smith, John", "Smith, Jane", "Jones, John", "Madonna"].into_iter(),
            ","
        ));
        assert!(!look_like_pairs(["ann", "bob"].into_iter(), ","));
        assert!(look_like_pairs(
            ["ann/bob", "cyd/bob", "ann/dot"].into_iter(),
            "/"
        ));
        assert!(!look_like_pairs(["TSM/ann", "TSM/bob", "AC/DC"].into_iter(), "/"));
    }
}
