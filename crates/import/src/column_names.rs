//! Helpers for matching the names of columns, and what the user should hear of them. What each name means is in `columns.rs` of
//! `matches`, `players` and `tickets`.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};

use crate::text::{listed, shown, suggestion};
use crate::unused::unused_note;

/// Pairs of a meaning and the name of its column, as the user gives them.
pub(crate) type Named = Vec<(&'static str, String)>;

/// Reads `meaning=COLUMN,meaning=COLUMN`, with meanings that are `known`, each once.
pub(crate) fn named(text: &str, known: &[&'static str]) -> Result<Named, String> {
    let mut named: Named = Vec::new();
    for part in text.split(',').filter(|part| !part.trim().is_empty()) {
        let Some((meaning, name)) = part.split_once('=') else {
            let example = known.iter().take(2).map(|meaning| format!("{meaning}=COLUMN"));
            let example = example.collect::<Vec<_>>().join(",");
            return Err(format!("`{}` is no pair; write {example},...", shown(part)));
        };
        let (meaning, name) = (meaning.trim(), name.trim());
        let Some(known) = known.iter().find(|known| **known == meaning) else {
            let hint = suggestion(meaning, known.iter().copied());
            return Err(format!(
                "`{}` is none of {}{hint}",
                shown(meaning),
                known.join(", ")
            ));
        };
        if name.is_empty() {
            return Err(format!("`{meaning}=` names no column"));
        }
        if named.iter().any(|(meaning, _)| meaning == known) {
            return Err(format!("`{meaning}` is given twice"));
        }
        named.push((known, name.to_owned()));
    }
    Ok(named)
}

/// What is wrong, if a name of `--columns` is none of a file's `names`.
pub(crate) fn missing(named: &[(&'static str, String)], names: &[String]) -> Option<String> {
    let lost = |(_, name): &&(&str, String)| !names.contains(name);
    let (meaning, name) = named.iter().find(lost)?;
    let hint = suggestion(name, names.iter().map(String::as_str));
    let names = shown(&names.join(", "));
    Some(format!(
        "no column `{}` for the {meaning} of --columns{hint} The file has: {names}",
        shown(name)
    ))
}

/// Where a second column stands whose name is that of one in use but for case and signs, and what is wrong with it. Of
/// those that the user names each is meant.
pub(crate) fn twin(
    names: &[String],
    is_used: impl Fn(usize) -> bool,
    named: &[(&'static str, String)],
) -> Option<(usize, String)> {
    let is_named = |place: &usize| named.iter().any(|(_, name)| *name == names[*place]);
    // Where a name stands first at all, and first in use.
    let mut known: HashMap<String, (usize, Option<usize>)> = HashMap::new();
    let mut others = (0..names.len()).filter(|place| !is_named(place));
    others.find_map(|place| {
        let used = is_used(place).then_some(place);
        let (any, in_use) = match known.entry(plain(&names[place])) {
            Entry::Vacant(free) => {
                free.insert((place, used));
                return None;
            }
            Entry::Occupied(twins) => twins.into_mut(),
        };
        let first = used.map_or(*in_use, |_| Some(*any));
        *in_use = in_use.or(used);
        let (first, second) = (shown(&names[first?]), shown(&names[place]));
        let what = if first == second {
            format!("two columns are called `{first}`; remove or rename one")
        } else {
            format!("`{first}` and `{second}` differ in case or signs alone; remove or rename one")
        };
        Some((place, what))
    })
}

/// `--columns` as it is pasted: in quotes where a name has blanks or signs that shells read.
pub(crate) fn columns_option(pairs: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "=,+_.:-".contains(c);
    if pairs.chars().all(is_plain) {
        format!("--columns {pairs}")
    } else if pairs.contains(['"', '$', '`', '!', '\\']) {
        format!("--columns '{pairs}'")
    } else {
        format!("--columns \"{pairs}\"")
    }
}

/// What columns were taken for that go by other names, each `meaning=COLUMN`; nothing of none.
pub(crate) fn found_note(found: impl IntoIterator<Item = String>) -> Option<String> {
    let found: Vec<String> = found.into_iter().collect();
    let found = Some(found.join(",")).filter(|found| !found.is_empty())?;
    Some(format!(
        "columns were found by their names: {} says otherwise",
        columns_option(&found)
    ))
}

/// Whether two names are one but for case and signs.
pub(crate) fn is_alike(one: &str, other: &str) -> bool {
    // Nearly all names differ in their length or first letter.
    one.len() == other.len() && plain(one) == plain(other)
}

/// The first of these names that is `wanted` but for case and signs.
pub(crate) fn called<'a>(names: &'a [String], wanted: &str) -> Option<&'a str> {
    // Nearly all differ in the first letter.
    let is_called = |name: &&String| plain_letters(name).eq(wanted.chars());
    // `playedAt`, `PLAYEDAT`.
    let is_alike = |name: &&String| without_signs(name).eq(without_signs(wanted));
    let found = names.iter().find(is_called);
    found.or_else(|| names.iter().find(is_alike)).map(String::as_str)
}

/// The letters and digits of a name, small.
pub(crate) fn without_signs(name: &str) -> impl Iterator<Item = char> {
    name.chars()
        .filter(|c| c.is_alphanumeric())
        .map(|c| c.to_ascii_lowercase())
}

/// The only one of these names that is called so behind its last dot.
pub(crate) fn inner<'a>(names: &'a [String], wanted: &str) -> Option<&'a str> {
    let is_called = |name: &&String| {
        let last = name.rsplit_once('.').map(|(_, last)| last);
        last.is_some_and(|last| without_signs(last).eq(without_signs(wanted)))
    };
    let mut found = names.iter().filter(is_called);
    found
        .next()
        .filter(|_| found.next().is_none())
        .map(String::as_str)
}

/// The words of a name in small letters, `homeTeam.id` as `home`, `team`, `id`; numbers are words.
pub(crate) fn words(name: &str) -> Vec<String> {
    let is_new = |before: char, c: char| {
        !before.is_alphanumeric()
            || (before.is_lowercase() && c.is_uppercase())
            || before.is_ascii_digit() != c.is_ascii_digit()
    };
    let before = || std::iter::once(' ').chain(name.chars());
    let letters = || before().zip(name.chars()).filter(|(_, c)| c.is_alphanumeric());
    // Counted first: a header may have thousands of names, each of which is asked for more than once.
    let count = letters().filter(|&(before, c)| is_new(before, c)).count();
    let mut words: Vec<String> = Vec::with_capacity(count);
    for (before, c) in letters() {
        match words.last_mut().filter(|_| !is_new(before, c)) {
            Some(word) => word.extend(c.to_lowercase()),
            None => words.push(c.to_lowercase().collect()),
        }
    }
    words
}

fn plain_letters(name: &str) -> impl Iterator<Item = char> {
    name.trim().chars().map(|c| match c {
        c if c.is_alphanumeric() => c.to_ascii_lowercase(),
        _ => '_',
    })
}

/// A name in small letters, with `_` for all but letters and digits.
pub(crate) fn plain(name: &str) -> String {
    plain_letters(name).collect()
}

/// How columns were taken: those that go by another name, attributes, and those not used.
#[derive(Clone, Debug, Default)]
pub(crate) struct Taken {
    all: BTreeSet<String>,
    used: Vec<(String, String)>,
    renamed: BTreeSet<(String, String)>,
    attributes: BTreeSet<String>,
    unused: BTreeSet<String>,
}

impl Taken {
    /// The names of a header, or of an object, with what they mean.
    pub(crate) fn add(
        &mut self,
        names: &[String],
        meanings: &[Option<String>],
        named: &[(&'static str, String)],
        is_attribute: impl Fn(&str) -> bool,
    ) {
        for (name, meaning) in names.iter().zip(meanings) {
            if !self.all.insert(name.clone()) {
                continue;
            }
            let Some(meaning) = meaning else {
                self.unused.insert(name.clone());
                continue;
            };
            self.used.push((name.clone(), meaning.clone()));
            if is_attribute(meaning) {
                self.attributes.insert(shown(meaning));
            }
            if meaning != name && !named.iter().any(|(_, named)| named == name) {
                self.renamed.insert((meaning.clone(), name.clone()));
            }
        }
    }

    /// A name that nothing looks at.
    pub(crate) fn pass_over(&mut self, name: String) {
        self.unused.insert(name);
    }

    /// All names that were met.
    pub(crate) fn names(&self) -> Vec<String> {
        self.all.iter().cloned().collect()
    }

    /// Names and what they mean, in the order in which they were met.
    pub(crate) fn used(&self) -> Vec<(String, String)> {
        self.used.clone()
    }

    /// Names that nothing looks at.
    pub(crate) fn unused(&self) -> Vec<String> {
        self.unused.iter().cloned().collect()
    }

    /// What the user should hear, with what was perhaps meant among names that are `known`.
    pub(crate) fn notes(&self, known: &[&str]) -> Vec<String> {
        let renamed = (self.renamed.iter()).map(|(meaning, name)| format!("{meaning}={name}"));
        let attributes = listed(self.attributes.iter().cloned());
        let attributes = attributes.map(|names| format!("attributes of the tickets: {names}"));
        let notes = [
            found_note(renamed),
            attributes,
            unused_note(&self.unused(), known),
        ];
        notes.into_iter().flatten().collect()
    }
}
