//! A study cut into parts that run apart, and joined to what one run gives.

use anyhow::{Context, Result, anyhow, bail, ensure};
use itertools::Itertools;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::report::StudyReport;
use super::rounds::Round;
use super::shard::Shard;
use super::summary::summarise;

/// What one part of a study found: all that comes before the rounds, which every part works out anew, and its share
/// of the rounds of each pool size.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StudyPart {
    pub(crate) shard: Shard,
    /// Without pools.
    pub(crate) report: StudyReport,
    /// By pool size in the order of the configuration.
    pub(crate) rounds: Vec<Vec<Round>>,
}

/// The most missing parts that are named.
const NAMED: usize = 8;

/// Puts things in the order of their parts, if they are all parts of one whole.
///
/// # Errors
/// If one is missing, there twice, or of another whole.
pub fn in_order<T>(mut parts: Vec<T>, shard: impl Fn(&T) -> Shard) -> Result<Vec<T>> {
    let first = parts.first().map(&shard);
    let first = first.context("there are no parts to join; give all parts of one run")?;
    if let Some(other) = parts.iter().map(&shard).find(|other| other.of != first.of) {
        bail!("part {first} and part {other} are not parts of one run: their numbers of parts differ");
    }
    parts.sort_by_key(&shard);
    if let Some(part) = parts.iter().map(&shard).duplicates().next() {
        bail!("part {part} is given twice; give each part once");
    }
    let missing = (first.of as usize).saturating_sub(parts.len());
    if missing > 0 {
        let there: Vec<u32> = parts.iter().map(|part| shard(part).index).collect();
        let mut missed = (1..=first.of).filter(|k| there.binary_search(k).is_err());
        let named = missed.by_ref().take(NAMED).join(", ");
        let more = if missing > NAMED { ", ..." } else { "" };
        bail!("{missing} of {} parts are missing: {named}{more}", first.of);
    }
    Ok(parts)
}

/// Whether all counts of a value are such that their sums are exact and fit: up to 2^53. Seeds count nothing.
///
/// ```
/// use matchwright_papers::eomm::study::has_exact_counts;
///
/// assert!(has_exact_counts(&serde_json::json!({ "matches": 10, "seed": u64::MAX })));
/// assert!(!has_exact_counts(&serde_json::json!({ "matches": [u64::MAX] })));
/// ```
#[must_use]
pub fn has_exact_counts(value: &Value) -> bool {
    match value {
        Value::Number(number) => number
            .as_i64()
            .map_or(number.is_f64(), |count| count.unsigned_abs() <= 1 << 53),
        Value::Array(values) => values.iter().all(has_exact_counts),
        Value::Object(entries) => entries
            .iter()
            .all(|(key, value)| key == "seed" || has_exact_counts(value)),
        _ => true,
    }
}

impl StudyPart {
    /// Which part it is.
    #[must_use]
    pub fn shard(&self) -> Shard {
        self.shard
    }

    /// The study that these parts make together: the same numbers, to the bit, as of one run.
    ///
    /// # Errors
    /// Says which part is missing, there twice, or not of this study.
    pub fn join(parts: Vec<Self>) -> Result<StudyReport> {
        let parts = in_order(parts, |part| part.shard)?;
        let first = &parts[0];
        let config = &first.report.config;
        let refused = |error| anyhow!("part {}: {error}; make it again", first.shard);
        config.check().map_err(refused)?;
        // As text, since a figure that is NaN equals itself there.
        let text = |part: &Self| format!("{:?}", part.report);
        let expected = text(first);
        for part in &parts {
            ensure!(
                text(part) == expected,
                "part {} was made with other settings, other data or another version than part {}; make all parts with the same command",
                part.shard,
                first.shard
            );
            ensure!(
                has_exact_counts(&serde_json::to_value(&part.report)?),
                "part {} holds a count beyond 2^53; make it again",
                part.shard
            );
            let wanted = part.shard.share(0..config.rounds).len();
            let is_whole = part.rounds.iter().all(|rounds| rounds.len() == wanted);
            ensure!(
                is_whole && part.rounds.len() == config.pools.len(),
                "part {} holds other rounds than its settings ask for; make it again",
                part.shard
            );
            let mut rounds = part.rounds.iter().flatten();
            ensure!(
                rounds.all(|round| round.truth.is_some() == part.report.truth_known),
                "part {} holds rounds that were judged otherwise than its settings say; make it again",
                part.shard
            );
        }
        let mut report = first.report.clone();
        let mut rounds = vec![Vec::new(); report.config.pools.len()];
        for part in parts {
            for (all, some) in rounds.iter_mut().zip(part.rounds) {
                all.extend(some);
            }
        }
        report.pools = summarise(&report.config.pools, &rounds);
        Ok(report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_make_the_whole_and_differ_by_one_at_most() {
        for (of, length) in [(1, 10), (3, 10), (7, 3), (4, 0), (1000, u32::MAX)] {
            let mut end = 5;
            let mut lengths = Vec::new();
            for index in 1..=of {
                let share = Shard { index, of }.share(5..length.max(5));
                assert_eq!(share.start, end);
                end = share.end;
                lengths.push(share.end - share.start);
            }
            assert_eq!(end, length.max(5));
            assert!(lengths.iter().max().unwrap() - lengths.iter().min().unwrap() <= 1);
        }
    }

    #[test]
    fn what_is_no_part_is_refused() {
        for text in [
            "",
            "2",
            "0/3",
            "4/3",
            "1/0",
            "a/b",
            "1/2/3",
            "-1/2",
            "1/99999999999",
        ] {
            let error = text.parse::<Shard>().unwrap_err().to_string();
            assert!(
                error.contains(&format!("`{text}`")) && error.contains("2/3"),
                "{error}"
            );
        }
    }

    #[test]
    fn a_file_holds_no_part_that_is_none() {
        let read = |text: &str| serde_json::from_str::<Shard>(text);
        assert_eq!(read("\"2/3\"").unwrap(), Shard { index: 2, of: 3 });
        assert_eq!(
            serde_json::to_string(&Shard { index: 2, of: 3 }).unwrap(),
            "\"2/3\""
        );
        for broken in ["\"0/3\"", "\"1/0\"", "\"4/3\"", "{\"index\":0,\"of\":0}", "2"] {
            assert!(read(broken).is_err(), "{broken}");
        }
    }

    #[test]
    fn of_many_missing_parts_the_first_are_named() {
        let one = Shard {
            index: 2,
            of: u32::MAX,
        };
        let error = in_order(vec![one], |shard| *shard).unwrap_err().to_string();
        assert_eq!(
            error,
            "4294967294 of 4294967295 parts are missing: 1, 3, 4, 5, 6, 7, 8, 9, ..."
        );
    }

    #[test]
    fn parts_are_put_in_order_or_refused() {
        let shards = |list: &[(u32, u32)]| {
            let list = list.iter().map(|&(index, of)| Shard { index, of });
            in_order(list.collect(), |shard| *shard)
        };
        assert_eq!(
            shards(&[(2, 2), (1, 2)]).unwrap(),
            [Shard { index: 1, of: 2 }, Shard { index: 2, of: 2 }]
        );
        for (list, message) in [
            (&[][..], "there are no parts"),
            (
                &[(1, 2), (2, 3)],
                "part 1/2 and part 2/3 are not parts of one run",
            ),
            (&[(1, 2), (1, 2)], "part 1/2 is given twice"),
            (&[(1, 3)], "2 of 3 parts are missing: 2, 3"),
        ] {
            let error = shards(list).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
