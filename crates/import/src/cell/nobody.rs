//! Cells that stand for nobody, and parties that are none.

use std::collections::BTreeMap;

/// As programs write what is missing, and people a free place.
const SURE: [&str; 57] = [
    "spielfrei",
    "Spielfrei",
    "Freilos",
    "freilos",
    "-",
    "--",
    "---",
    "\u{2013}",
    "\u{2014}",
    "N/A",
    "n/a",
    "n.a.",
    "#N/A",
    "<NA>",
    "<null>",
    "<NULL>",
    "(null)",
    "(NULL)",
    "\\N",
    "NULL",
    "null",
    "NaN",
    "nan",
    "NaT",
    "NA",
    "None",
    "none",
    "nil",
    "undefined",
    "BYE",
    "Bye",
    "bye",
    "(bye)",
    "(BYE)",
    "TBD",
    "tbd",
    "TBA",
    "tba",
    "T.B.D.",
    "TBD.",
    "(none)",
    "<none>",
    "[none]",
    "[null]",
    "(empty)",
    "<empty>",
    "undef",
    "??",
    "???",
    ".",
    "\u{2212}",
    "\u{200b}",
    "#N/D",
    "#REF!",
    "#NAME?",
    "#VALUE!",
    "N\\A",
];
/// Bytes of the longest of them.
const LONGEST: usize = 9;
/// The identifier that no record has.
const NO_UUID: &str = "00000000-0000-0000-0000-000000000000";

/// How sure it is that a cell stands for nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nobody {
    /// It is written as programs write what is missing.
    Sure,
    /// It may be a name in other letters: `Null`.
    Open,
}

/// Whether a name stands for nobody.
pub(crate) fn nobody(text: &str) -> Option<Nobody> {
    if text.len() > LONGEST {
        return (text == NO_UUID).then_some(Nobody::Sure);
    }
    let first = *text.as_bytes().first()?;
    if !b"-?#<(\\[.\xe2".contains(&first) && !b"nbtusf".contains(&first.to_ascii_lowercase()) {
        return None;
    }
    if SURE.contains(&text) {
        return Some(Nobody::Sure);
    }
    let is_known = SURE.iter().any(|known| known.eq_ignore_ascii_case(text));
    is_known.then_some(Nobody::Open)
}

/// Whether a cell is as good as empty.
pub(crate) fn is_nobody(text: &str) -> bool {
    nobody(text) == Some(Nobody::Sure)
}

/// Whether the label of a party stands for none, whatever the others are.
pub(crate) fn is_no_party(label: &str) -> bool {
    let words = ["-1", "-1.0", "false", "solo"];
    label.is_empty() || words.contains(&&*label.to_ascii_lowercase()) || nobody(label).is_some()
}

/// Whether a label is the number 0, also as programs write it that hold it for a fraction.
pub(crate) fn is_zero(label: &str) -> bool {
    ["0", "0.0"].contains(&label)
}

/// What the party `0` of a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Zero {
    /// A party as the others.
    Party,
    /// No party.
    Nobody,
    /// Nothing tells.
    Open,
}

/// Finds out what the party `0` of a file is, from all of the column.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Parties {
    /// Whether some player has no label.
    has_empty: bool,
    /// Whether `0` had two members or more, and whether on two sides.
    zero: [bool; 2],
    /// Whether another label was there, had one member alone, and was on two sides.
    others: [bool; 3],
}

impl Parties {
    /// The players of a match, or who came at one time: their sides and labels.
    pub(crate) fn add<'p>(&mut self, players: impl IntoIterator<Item = (usize, &'p str)>) {
        // Members by label and side.
        let mut met: BTreeMap<&str, BTreeMap<usize, usize>> = BTreeMap::new();
        for (side, label) in players {
            if is_no_party(label) {
                self.has_empty = true;
            } else {
                *met.entry(label).or_default().entry(side).or_default() += 1;
            }
        }
        for (label, sides) in met {
            if is_zero(label) {
                self.zero[0] |= sides.values().sum::<usize>() > 1;
                self.zero[1] |= sides.len() > 1;
            } else {
                let has_single = sides.values().any(|members| *members == 1);
                let [_, single, split] = self.others;
                self.others = [true, single | has_single, split | (sides.len() > 1)];
            }
        }
    }

    /// What `0` is. A party is on one side, unless labels are those of a side; and who is in none has an empty cell, or a
    /// label of its own where labels begin at 0.
    pub(crate) const fn zero(self) -> Zero {
        let ([has_members, has_two_sides], [has_others, has_single, has_split]) = (self.zero, self.others);
        if !has_members {
            // Alone either way.
            return Zero::Party;
        }
        if has_two_sides && !has_split || !has_others && !self.has_empty {
            return Zero::Nobody;
        }
        if self.has_empty || has_single {
            return Zero::Party;
        }
        Zero::Open
    }
}

/// What is wrong with a party `0` of which nothing tells what it is.
pub(crate) const OPEN_ZERO: &str = "`0`: a party like the others, or no party? Leave the cell empty for who came alone, or \
                                    number the parties from 1";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_nobody_are_known_in_any_letters() {
        for known in SURE {
            assert!(known.len() <= LONGEST);
            assert_eq!(nobody(known), Some(Nobody::Sure), "{known}");
        }
        for open in ["Null", "NONE", "Nan", "Tbd", "Undefined"] {
            assert_eq!(nobody(open), Some(Nobody::Open), "{open}");
        }
        for name in ["", "ann", "nullify", "Nana", "-1", "--x", "Byers", "0"] {
            assert_eq!(nobody(name), None, "{name}");
        }
    }

    #[test]
    fn the_party_0_is_what_the_whole_column_makes_of_it() {
        let zero = |matches: &[&[(usize, &str)]]| {
            let mut parties = Parties::default();
            for players in matches {
                parties.add(players.iter().copied());
            }
            parties.zero()
        };
        // On both sides of a match, as no other is.
        assert_eq!(zero(&[&[(0, "0"), (1, "0"), (1, "7"), (1, "7")]]), Zero::Nobody);
        assert_eq!(
            zero(&[&[(0, "0"), (0, "0"), (0, "1"), (1, "0"), (1, "0"), (1, "1")]]),
            Zero::Party
        );
        // Those who are alone have labels of their own, or none.
        assert_eq!(zero(&[&[(0, "0"), (0, "0"), (1, "1"), (1, "2")]]), Zero::Party);
        assert_eq!(zero(&[&[(0, "0"), (0, "0"), (1, ""), (1, "")]]), Zero::Party);
        assert_eq!(zero(&[&[(0, "0"), (0, "0"), (1, "1"), (1, "1")]]), Zero::Open);
        assert_eq!(zero(&[&[(0, "0"), (0, "0")]]), Zero::Nobody);
        assert_eq!(zero(&[&[(0, "0")], &[(0, "0")]]), Zero::Party);
    }
}
