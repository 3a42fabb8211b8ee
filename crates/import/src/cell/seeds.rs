//! Names with a seed of a tournament: `[1] ann`, `ann (WC)`.

use std::collections::HashMap;

use crate::text::shown;

/// How a place in a tournament's draw was had, where it is no number.
const ENTRIES: [&str; 6] = ["wc", "q", "ll", "pr", "se", "alt"];

/// A word on names that are another but for a seed, if there are any: each is a player of its own.
pub(crate) fn seed_note<'n>(names: impl Iterator<Item = &'n str> + Clone) -> Option<String> {
    // Nearly no file has seeds.
    names.clone().find(|name| without_seed(name) != *name)?;
    let mut known: HashMap<&str, &str> = HashMap::new();
    let (mut first, mut more) = (None, 0_u64);
    for name in names {
        let bare = without_seed(name);
        let before = *known.entry(bare).or_insert(name);
        if before != name {
            more += 1;
            first.get_or_insert((before, name));
        }
    }
    let (one, other) = first?;
    let rest = if more > 1 {
        format!(" and {} more", more - 1)
    } else {
        String::new()
    };
    Some(format!(
        "players that differ in the seed of a tournament alone are taken for different ones: `{}` and `{}`{rest}; remove the \
         seeds if they are the same",
        shown(one),
        shown(other)
    ))
}

/// The name without a seed before or behind it.
fn without_seed(name: &str) -> &str {
    let is_seed = |seed: &str| {
        let is_number = (1..=2).contains(&seed.len()) && seed.bytes().all(|byte| byte.is_ascii_digit());
        is_number || ENTRIES.iter().any(|entry| seed.eq_ignore_ascii_case(entry))
    };
    let found = [('[', ']'), ('(', ')')].into_iter().find_map(|(open, close)| {
        let before = name.strip_prefix(open).and_then(|rest| rest.split_once(close));
        let behind = || {
            name.strip_suffix(close)?
                .rsplit_once(open)
                .map(|(bare, seed)| (seed, bare))
        };
        before.filter(|(seed, _)| is_seed(seed)).or_else(behind)
    });
    let bare = found
        .filter(|(seed, _)| is_seed(seed))
        .map(|(_, bare)| bare.trim());
    bare.filter(|bare| !bare.is_empty()).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_a_seed_are_told_beside_those_without() {
        let note = |names: &[&str]| seed_note(names.iter().copied());
        assert_eq!(
            note(&[
                "ann",
                "bob (x)",
                "bob",
                "[1]",
                "(2)",
                "cyd (1999)",
                "cyd",
                "dot [3]"
            ]),
            None
        );
        let told = note(&["[1] ann", "bob", "ann", "ann (WC)", "bob [12]"]).unwrap();
        assert!(told.contains("`[1] ann` and `ann` and 2 more; remove"), "{told}");
    }
}
