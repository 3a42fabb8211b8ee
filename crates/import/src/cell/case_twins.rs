//! Names that differ in case alone, which are two.

use std::collections::{HashMap, HashSet};

use crate::text::shown;

/// The most pairs that are named.
const NAMED: usize = 3;

/// A word on names that differ in case alone, if there are any: `what` they are, in the plural.
pub(crate) fn case_twins<'n>(what: &str, names: impl IntoIterator<Item = &'n str>) -> Option<String> {
    let mut known: HashMap<String, &str> = HashMap::new();
    let (mut pairs, mut more) = (Vec::new(), 0_usize);
    let (mut met, mut last) = (HashSet::new(), "");
    // Most come again, many at once.
    for name in names {
        if std::mem::replace(&mut last, name) == name || !met.insert(name) {
            continue;
        }
        let first = *known.entry(plain(name)).or_insert(name);
        if first == name {
            continue;
        }
        let pair = format!("`{}` and `{}`", shown(first), shown(name));
        if pairs.len() < NAMED {
            pairs.push(pair);
        } else {
            more += 1;
        }
    }
    let rest = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    let pairs = Some(pairs.join(", ")).filter(|pairs| !pairs.is_empty())?;
    Some(format!(
        "{what} that differ in case alone are taken for different ones: {pairs}{rest}"
    ))
}

/// A name in small letters; a whole number without the fraction that some programs write.
fn plain(name: &str) -> String {
    let whole = name
        .strip_suffix(".0")
        .filter(|whole| whole.bytes().all(|byte| byte.is_ascii_digit()));
    whole.unwrap_or(name).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twins_are_named_once_each() {
        assert_eq!(case_twins("regions", ["EU", "US", "EU"]), None);
        let told = case_twins("regions", ["EU", "eu", "US", "eu", "Us"]).unwrap();
        assert_eq!(
            told,
            "regions that differ in case alone are taken for different ones: `EU` and `eu`, `US` and `Us`"
        );
    }
}
