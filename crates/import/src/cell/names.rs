//! Names of players, and cells that are none: lists, and words for nobody.

use crate::cell::cell_list::{check_one, look_like_pairs};
use crate::cell::nobody::nobody;
use crate::error::RowError;
use crate::text::shown;

/// How a file's names of players are taken.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    /// Whether each is one player, whatever it looks like.
    pub(crate) as_written: bool,
    /// How this file writes several players; nothing where the list itself is to be written as JSON.
    several: Option<String>,
}

impl Names {
    pub(crate) const fn new(as_written: bool, several: Option<String>) -> Self {
        Self { as_written, several }
    }

    /// What is wrong with a word for nobody.
    pub(crate) fn check_word(&self, text: &str) -> Result<(), String> {
        if self.as_written || nobody(text).is_none() {
            return Ok(());
        }
        Err(format!(
            "`{}`, which stands for nobody; leave such rows out and free places empty, or if a player is called so, give \
             --names-as-written",
            shown(text)
        ))
    }

    /// What is wrong with a text that does not name one player.
    pub(crate) fn check(&self, text: &str) -> Result<(), String> {
        if self.as_written {
            return Ok(());
        }
        self.check_word(text)?;
        if has_lost_digits(text) {
            return Err(format!(
                "`{}`, a number that lost digits when it was written; store ids as texts or whole numbers, or if a player is \
                 called so, give --names-as-written",
                shown(text)
            ));
        }
        let or = "give --names-as-written";
        check_one(text).map_err(|list| {
            let several = self
                .several
                .clone()
                .unwrap_or_else(|| format!("write {}", list.array()));
            format!(
                "`{}`: for a list of players {several}; if it is the name of one, {or}",
                shown(text)
            )
        })
    }
}

/// Whether a name is a long number with an exponent, as programs write ids that they hold for fractions.
fn has_lost_digits(text: &str) -> bool {
    let is_digit = text.as_bytes().first().is_some_and(u8::is_ascii_digit);
    let is_written_so = text.contains(['e', 'E']) && text.contains(['.', '+']);
    is_digit
        && is_written_so
        && text
            .parse()
            .is_ok_and(|number: f64| number.is_finite() && number >= 1e11)
}

/// Names with a comma, a slash or the like, each of which is taken for one player unless all of them look like lists of two.
#[derive(Default)]
pub(crate) struct JoinedNames {
    as_written: bool,
    /// Of each sign the line of the first, and the name.
    first: [Option<(u64, String)>; 9],
}

/// What may stand between two players.
const SIGNS: [&str; 9] = [",", "/", "&", "+", " and ", " und ", " et ", " y ", " - "];

impl JoinedNames {
    pub(crate) fn new(as_written: bool) -> Self {
        Self {
            as_written,
            ..Self::default()
        }
    }

    /// The names of a row.
    pub(crate) fn meet<'n>(&mut self, line: u64, names: impl Iterator<Item = &'n str>) {
        if self.as_written {
            return;
        }
        // Nearly none has one.
        for name in names.filter(|name| name.contains([',', '/', '&', '+', ' '])) {
            for (first, sign) in self.first.iter_mut().zip(SIGNS) {
                if first.is_none() && name.contains(sign) {
                    *first = Some((line, name.to_owned()));
                }
            }
        }
    }

    /// What there is to say of them, by all names of the file; or what is wrong. `teams` is the option that reads lists.
    pub(crate) fn check<'n>(
        &self,
        all: &(impl Iterator<Item = &'n str> + Clone),
        teams: &str,
    ) -> Result<Option<String>, RowError> {
        for (first, sign) in self.first.iter().zip(SIGNS) {
            let Some((line, name)) = first.as_ref().filter(|_| look_like_pairs(all.clone(), sign)) else {
                continue;
            };
            let name = shown(name);
            let what = if sign == "," {
                "a comma stands elsewhere as well. Write `;` between players and give"
            } else {
                "that sign stands elsewhere as well. For lists give"
            };
            let what = format!(
                "`{name}`: one player, or two? What stands on one side of {what} {teams}, or if each is one name, give \
                 --names-as-written"
            );
            return Err(RowError::fatal(*line, what));
        }
        let [Some((_, name)), ..] = &self.first else {
            return Ok(None);
        };
        let name = shown(name);
        Ok(Some(format!(
            "names with a comma, such as `{name}`, are taken for one player each ({teams} reads lists)"
        )))
    }
}
