//! What results call the two sides where no column does: `A` and `B`, `red` and `blue`.

use std::collections::BTreeMap;

use crate::cell::unplayed::unplayed;
use crate::cell::value::parse_result;
use crate::column_names::plain;
use crate::text::shown;

/// Pairs whose first is the first side, wherever they stand; `H` tells `A` from the `A` of `B`.
const ORDERED: [[&str; 2]; 8] = [
    ["a", "b"],
    ["h", "a"],
    ["home", "away"],
    ["white", "black"],
    ["first", "second"],
    ["one", "two"],
    ["1st", "2nd"],
    ["x", "y"],
];

/// What a column of results calls the sides.
#[derive(Clone, Debug, Default)]
pub(crate) struct Labels {
    known: Option<[String; 2]>,
    /// Whether the user says so.
    is_told: bool,
    /// The only one or two that were met, as they are written, where nothing tells which is the first.
    open: Vec<String>,
    pub(crate) coding: Coding,
    /// Whether all are 0 or 1, and there are both.
    pub(crate) is_zero_or_one: bool,
}

/// What numbers of results stand for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Coding {
    /// 1, 0.5 and 0 for the first side, and 2 for the second.
    #[default]
    Score,
    /// 1, 0 and -1: won, drawn, lost.
    Signed,
    /// 1, 2, and 0 or X where none won.
    Sides,
}

impl Coding {
    fn of(texts: &[&str]) -> Self {
        let has = |wanted: &[&str]| texts.iter().any(|text| wanted.contains(text));
        let are = |wanted: &[&str]| texts.iter().all(|text| wanted.contains(text));
        if has(&["-1"]) && are(&["1", "0", "-1", "+1"]) {
            Self::Signed
        } else if has(&["2"]) && are(&["1", "2", "0", "X", "x"]) {
            Self::Sides
        } else {
            Self::Score
        }
    }

    /// The score of the first side that a text stands for.
    pub(crate) fn score(self, text: &str) -> Option<f64> {
        match (self, text) {
            (Self::Signed, "1" | "+1") | (Self::Sides, "1") => Some(1.0),
            (Self::Signed, "0") | (Self::Sides, "0" | "X" | "x") => Some(0.5),
            (Self::Signed, "-1") | (Self::Sides, "2") => Some(0.0),
            _ => None,
        }
    }

    /// What the user should hear of it.
    pub(crate) fn note(self) -> Option<String> {
        let what = match self {
            Self::Score => return None,
            Self::Signed => "results are 1, 0 and -1: won, drawn and lost by the first side",
            Self::Sides => "results are 1 and 2 for the side that won, and 0 or X for a draw",
        };
        Some(what.to_owned())
    }
}

impl Labels {
    /// As the user says, or by the first texts of columns of results.
    pub(crate) fn of<'t>(told: Option<&[String; 2]>, texts: impl Iterator<Item = &'t str>) -> Self {
        if let Some(told) = told {
            return Self {
                known: Some(told.each_ref().map(|label| plain(label))),
                is_told: true,
                ..Self::default()
            };
        }
        let texts: Vec<&str> = texts.filter(|text| !text.is_empty()).collect();
        let coding = Coding::of(&texts);
        let has = |wanted: &str| texts.contains(&wanted);
        let is_zero_or_one = has("0") && has("1") && texts.iter().all(|text| ["0", "1"].contains(text));
        let texts = texts.into_iter();
        let is_other =
            |text: &&str| !text.is_empty() && parse_result(text).is_err() && unplayed(text).is_none();
        // As they are told apart, and as they are written.
        let met: BTreeMap<String, String> = texts
            .filter(is_other)
            .map(|text| (plain(text), text.to_owned()))
            .take(4096)
            .collect();
        let ordered = ORDERED
            .iter()
            .find(|pair| met.len() == 2 && pair.iter().all(|label| met.contains_key(*label)));
        // Dates that a spreadsheet made of scores are none.
        let is_word = |label: &String| label.chars().all(|c| c.is_alphabetic() || c == ' ' || c == '_');
        let is_open = ordered.is_none() && met.len() <= 2 && met.values().all(is_word);
        Self {
            known: ordered.map(|pair| pair.map(str::to_owned)),
            is_told: false,
            open: met.into_values().filter(|_| is_open).collect(),
            coding,
            is_zero_or_one,
        }
    }

    /// The side with this label.
    pub(crate) fn side(&self, called: &str) -> Option<usize> {
        self.known.as_ref()?.iter().position(|label| label == called)
    }

    /// The side that the user calls so.
    pub(crate) fn told(&self, called: &str) -> Option<usize> {
        self.side(called).filter(|_| self.is_told)
    }

    /// What to write where a text may be a label.
    pub(crate) fn hint(&self, called: &str) -> String {
        let is_open = self.open.iter().any(|label| plain(label) == called);
        let (one, other) = match &self.open[..] {
            [one] => (shown(one), "OTHER".to_owned()),
            [one, other] => (shown(one), shown(other)),
            _ => return String::new(),
        };
        if !is_open {
            return String::new();
        }
        let quote = if one.contains(' ') || other.contains(' ') {
            "\""
        } else {
            ""
        };
        format!(
            "; if sides are called so: --sides {quote}{one},{other}{quote} or --sides {quote}{other},{one}{quote}, the first side \
             first"
        )
    }
}

/// What a side is called whose columns have this word.
pub(crate) fn called_so(word: &str) -> Vec<String> {
    // `H` and `A`.
    let letter = ["home", "away", "white", "black"]
        .contains(&word)
        .then(|| word[..1].to_owned());
    let with =
        ["team", "player", "side"].map(|filler| [format!("{word}{filler}"), format!("{filler}{word}")]);
    letter
        .into_iter()
        .chain([word.to_owned()])
        .chain(with.into_iter().flatten())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_told_by_all_of_them_together() {
        let side = |texts: &str, label: &str| Labels::of(None, texts.split(' ')).side(label);
        assert_eq!(side("A B A draw", "a"), Some(0));
        assert_eq!(side("H A D", "a"), Some(1));
        assert_eq!(side("A A", "a"), None);
        assert_eq!(side("B B", "b"), None);
        assert_eq!(side("red blue", "red"), None);
        let hint = Labels::of(None, "red blue red".split(' ')).hint("red");
        assert!(hint.contains("--sides blue,red or --sides red,blue"), "{hint}");
        let told = ["Red".to_owned(), "Blue".to_owned()];
        assert_eq!(Labels::of(Some(&told), "red".split(' ')).side("blue"), Some(1));
    }
}
