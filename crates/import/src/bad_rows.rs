//! Rows that cannot be used: an error, or under `--skip-bad` dropped with their match or ticket, and counted by reason.

use crate::error::ImportError;
use crate::error::InputName;
use crate::error::RowError;

/// The most reasons that are told.
const REASONS: usize = 5;

/// What becomes of the bad rows of a file.
pub(crate) struct BadRows {
    name: InputName,
    skip: bool,
    /// What a row is lost with: one and several.
    lost: [&'static str; 2],
    /// How many of these, and how many rows.
    skipped: [u64; 2],
    /// By what is wrong but for values.
    reasons: Vec<Reason>,
}

struct Reason {
    kind: String,
    count: u64,
    /// The first by its line, however late it was found.
    line: u64,
    what: String,
}

impl BadRows {
    /// Of the file of this name; `skip`: they are dropped, each with what is `lost` with it.
    pub(crate) fn new(name: InputName, skip: bool, lost: [&'static str; 2]) -> Self {
        Self {
            name,
            skip,
            lost,
            skipped: [0; 2],
            reasons: Vec::new(),
        }
    }

    /// Whether an error ends the reading.
    pub(crate) const fn stops_at(&self, error: &RowError) -> bool {
        error.fatal || !self.skip
    }

    /// Counts a bad row and those that are lost with it, or stops at it.
    pub(crate) fn take(&mut self, mut error: RowError) -> Result<(), ImportError> {
        // Where the file itself breaks off, how much is lost is unknown: that is never skipped.
        if !error.fatal && !self.skip {
            error.fault.1 += " (use --skip-bad to drop such rows)";
        }
        if self.stops_at(&error) {
            return Err(self.name.in_row(error));
        }
        self.skipped[0] += 1;
        self.skipped[1] += error.rows;
        let what = reason(&error.fault.1);
        let kind = without_values(&what);
        let line = error.line;
        match self.reasons.iter_mut().find(|known| known.kind == kind) {
            None => self.reasons.push(Reason {
                kind,
                count: 1,
                line,
                what,
            }),
            Some(known) => {
                known.count += 1;
                if line < known.line {
                    (known.line, known.what) = (line, what);
                }
            }
        }
        Ok(())
    }

    /// A fault after which nothing of the file can be used.
    pub(crate) fn refuse_row(&self, error: RowError) -> ImportError {
        self.name.in_row(error)
    }

    /// How many rows were dropped.
    pub(crate) const fn skipped(&self) -> u64 {
        self.skipped[1]
    }

    /// What the user should hear of them.
    pub(crate) fn note(&self) -> Option<String> {
        let mut reasons: Vec<&Reason> = self.reasons.iter().collect();
        reasons.sort_by_key(|reason| reason.line);
        let told = reasons.iter().take(REASONS).map(|reason| {
            let count = match reason.count {
                count if count == self.skipped[0] => String::new(),
                count => format!(" ({})", counted(count, self.lost)),
            };
            format!("{}, line {}{count}", reason.what, reason.line)
        });
        let mut told: Vec<String> = told.collect();
        let more = reasons.iter().skip(REASONS).map(|reason| reason.count).sum();
        if more > 0 {
            told.push(format!("other reasons ({})", counted(more, self.lost)));
        }
        let [lost, rows] = self.skipped;
        let lost = counted(lost, self.lost);
        let rows = counted(rows, ["row", "rows"]);
        (!told.is_empty()).then(|| format!("{lost} ({rows}) skipped: {}", told.join("; ")))
    }

    /// What is wrong with a file in which nothing else is.
    pub(crate) fn refuse_all(&self, what: &str) -> ImportError {
        let note = self.note().map_or_else(String::new, |note| format!(" ({note})"));
        self.name.refuse(format!("{what}{note}"))
    }
}

fn counted(count: u64, [one, several]: [&str; 2]) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

/// What is wrong, in short: without what to do about it. "rank is `DNF`; places are ..." is "rank `DNF`".
fn reason(what: &str) -> String {
    let mut is_value = false;
    let end = what.find(|c: char| {
        is_value ^= c == '`';
        c == ';' && !is_value
    });
    what[..end.unwrap_or(what.len())].replacen(" is `", " `", 1)
}

/// The text with nothing between backticks.
fn without_values(what: &str) -> String {
    what.split('`').step_by(2).collect::<Vec<_>>().join("`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_what_is_wrong_without_the_mend() {
        for (what, wanted, kind) in [
            ("rank is `DNF`; places are whole", "rank `DNF`", "rank `"),
            (
                "time is `a;b`, which is no time; write",
                "time `a;b`, which is no time",
                "time `, which is no time",
            ),
            (
                "player is empty; every match",
                "player is empty",
                "player is empty",
            ),
        ] {
            assert_eq!(reason(what), wanted);
            assert_eq!(without_values(wanted), kind);
        }
    }
}
