//! Churn by the last three outcomes (Table 1): of a history, or of more regions than memory holds.

use std::ops::Range;

use matchwright_churn::{Horizon, Label, Outcome, PatternCounts, TableCounts, TableModel};
use matchwright_rating::history::Duels;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::config::{StudyConfig, StudyError};
use super::report::{DataSummary, PatternChurn, PatternTable};
use super::rows::{PlayerRows, for_each_pattern, label_rows};
use matchwright_sim::population::{GeneratorParams, generate_region};
use matchwright_sim::progress::Progress;
use matchwright_sim::threads::install;

/// Table 1's horizon.
pub(crate) const TABLE_1_HOURS: u32 = 7 * 24;

/// What was counted in one region.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RegionPatterns {
    /// Which region of its population.
    pub region: u32,
    /// Player-matches, two a match, with a label or without.
    pub player_matches: u64,
    /// Labelled player-matches and those of them followed by churn, by the outcomes that they end.
    pub counts: TableCounts,
}

impl RegionPatterns {
    /// Whether no pattern has more churn than matches, and all together have no more matches than were played.
    pub(crate) fn is_possible(&self) -> bool {
        let mut left = Some(self.player_matches);
        for pattern in all_patterns() {
            let seen = self.counts.get(&pattern);
            left = left.filter(|_| seen.churned <= seen.matches);
            left = left.and_then(|left| left.checked_sub(seen.matches));
        }
        left.is_some()
    }
}

/// Plays regions of a population one after another, counts churn within seven days by the last three outcomes, and
/// forgets them: memory for one region a thread, whatever their number.
///
/// Regions are those of [`generate_region`]; the same numbers for any number of threads, and for any way to cut the
/// range into parts.
///
/// # Errors
/// [`StudyError`] for parameters that make no population.
pub fn stream_patterns(
    params: &GeneratorParams,
    seed: u64,
    regions: Range<u32>,
    threads: usize,
    progress: &dyn Progress,
) -> Result<Vec<RegionPatterns>, StudyError> {
    progress.begin(
        "counting churn by the last three outcomes",
        u64::from(regions.end - regions.start),
    );
    let count = |region| {
        let history = generate_region(params, seed, region)?.history;
        let duels = history.duels().ok_or(StudyError::NotDuels)?;
        let labels = label_rows(duels, &PlayerRows::of(duels), Horizon::hours(TABLE_1_HOURS))?;
        let counted = RegionPatterns {
            region,
            player_matches: 2 * duels.len() as u64,
            counts: count_patterns(duels, &labels)?,
        };
        progress.advance(1);
        Ok(counted)
    };
    install(threads, || regions.into_par_iter().map(count).collect())
}

/// Table 1 of several regions together.
///
/// A rate is p = sum of b over sum of a, of a player-matches in a region b of which churned. Its standard error is
/// that of a ratio of cluster totals, with regions as clusters,
///
/// ```text
/// SE = sqrt(k / (k - 1) * sum of (b - p a)^2) / sum of a
/// ```
///
/// since player-matches of one player are not independent (Cochran, "Sampling techniques", 3rd edition, 1977,
/// section 6.3); NaN for a single region.
#[must_use]
pub fn pattern_table_of_regions(regions: &[RegionPatterns]) -> PatternTable {
    let mut rows: Vec<PatternChurn> = all_patterns()
        .filter_map(|pattern| {
            let seen: Vec<PatternCounts> = regions.iter().map(|region| region.counts.get(&pattern)).collect();
            let n: u64 = seen.iter().map(|seen| seen.matches).sum();
            let churned: u64 = seen.iter().map(|seen| seen.churned).sum();
            let churn = churned as f64 / n as f64;
            let misses = seen
                .iter()
                .map(|seen| seen.churned as f64 - churn * seen.matches as f64);
            let k = seen.len() as f64;
            let variance = k / (k - 1.0) * misses.map(|miss| miss * miss).sum::<f64>();
            (n > 0).then(|| PatternChurn {
                pattern: name(&pattern),
                n,
                churn,
                standard_error: if seen.len() < 2 {
                    f64::NAN
                } else {
                    variance.sqrt() / n as f64
                },
            })
        })
        .collect();
    sort(&mut rows);
    PatternTable {
        horizon_hours: TABLE_1_HOURS,
        rows,
    }
}

/// WWW, WWD, ... LLL.
fn all_patterns() -> impl Iterator<Item = [Outcome; 3]> {
    let each = Outcome::ALL;
    each.into_iter()
        .flat_map(move |a| each.into_iter().flat_map(move |b| each.map(|c| [a, b, c])))
}

fn name(pattern: &[Outcome]) -> String {
    pattern.iter().map(|outcome| outcome.letter()).collect()
}

/// Lowest churn first.
fn sort(rows: &mut [PatternChurn]) {
    rows.sort_by(|a, b| {
        a.churn
            .total_cmp(&b.churn)
            .then_with(|| a.pattern.cmp(&b.pattern))
    });
}

/// Table 1 for the study's own horizon and for seven days, where the history is long enough to tell.
pub(crate) fn pattern_tables(
    config: &StudyConfig,
    duels: Duels<'_>,
    by_player: &PlayerRows,
    labels: &[Label],
    data: &DataSummary,
) -> Result<Vec<PatternTable>, StudyError> {
    let mut tables = vec![pattern_table(duels, labels, config.horizon_hours)?];
    let week = Horizon::hours(TABLE_1_HOURS);
    if config.horizon_hours != TABLE_1_HOURS && data.last.saturating_sub(data.first) > 2 * week.seconds() {
        tables.push(pattern_table(
            duels,
            &label_rows(duels, by_player, week)?,
            TABLE_1_HOURS,
        )?);
    }
    Ok(tables)
}

fn pattern_table(duels: Duels<'_>, labels: &[Label], horizon_hours: u32) -> Result<PatternTable, StudyError> {
    let counts = count_patterns(duels, labels)?;
    // A history without a label has no table; the fit says so in better words.
    let mut rows: Vec<PatternChurn> = TableModel::new(counts)?
        .patterns()
        .filter_map(|(pattern, seen)| {
            Some(PatternChurn {
                pattern: name(&pattern),
                n: seen.matches,
                churn: seen.rate()?,
                standard_error: seen.standard_error()?,
            })
        })
        .collect();
    sort(&mut rows);
    Ok(PatternTable { horizon_hours, rows })
}

/// Labelled player-matches by the three outcomes that they end.
fn count_patterns(duels: Duels<'_>, labels: &[Label]) -> Result<TableCounts, StudyError> {
    let mut seen = [[[PatternCounts::default(); 3]; 3]; 3];
    for_each_pattern(duels, |row, [first, second, third]| {
        let cell = &mut seen[first.index()][second.index()][third.index()];
        // At most two a match, and matches are in memory: these sums fit.
        cell.matches += u64::from(labels[row] != Label::Censored);
        cell.churned += u64::from(labels[row] == Label::Churned);
    });
    let mut counts = TableCounts::new(3)?;
    for pattern in all_patterns() {
        let [first, second, third] = pattern.map(Outcome::index);
        counts.add_counts(&pattern, seen[first][second][third])?;
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_abs_diff_eq;
    use matchwright_sim::population::generate;
    use matchwright_sim::progress::Quiet;

    fn params() -> GeneratorParams {
        GeneratorParams {
            players: 900,
            region_players: 300,
            days: 30.0,
            ..GeneratorParams::default()
        }
    }

    #[test]
    fn a_stream_counts_what_the_whole_history_holds() {
        let regions = stream_patterns(&params(), 3, 0..3, 2, &Quiet).unwrap();
        let world = generate(&params(), 3).unwrap();
        let whole = world.history.duels().unwrap();
        let counted: u64 = regions.iter().map(|region| region.player_matches).sum();
        assert_eq!(counted, 2 * whole.len() as u64);
        // Labels differ where a region's last match is earlier than that of all: there the horizon ends sooner.
        let labels = label_rows(whole, &PlayerRows::of(whole), Horizon::hours(TABLE_1_HOURS)).unwrap();
        let together = pattern_table(whole, &labels, TABLE_1_HOURS).unwrap();
        let streamed = pattern_table_of_regions(&regions);
        for row in &streamed.rows {
            let same = together
                .rows
                .iter()
                .find(|other| other.pattern == row.pattern)
                .unwrap();
            assert!(
                row.n <= same.n && row.n as f64 > 0.995 * same.n as f64,
                "{row:?} {same:?}"
            );
            assert_abs_diff_eq!(row.churn, same.churn, epsilon = 0.005);
        }
    }

    #[test]
    fn parts_of_a_range_on_any_threads_are_the_range() {
        let whole = stream_patterns(&params(), 3, 0..4, 1, &Quiet).unwrap();
        let mut parts = stream_patterns(&params(), 3, 0..1, 3, &Quiet).unwrap();
        parts.extend(stream_patterns(&params(), 3, 1..4, 2, &Quiet).unwrap());
        assert_eq!(whole, parts);
    }

    #[test]
    fn the_error_of_a_rate_is_that_of_regions_as_clusters() {
        let region = |region, matches, churned| {
            let mut counts = TableCounts::new(3).unwrap();
            let pattern = [Outcome::Win; 3];
            counts
                .add_counts(&pattern, PatternCounts { matches, churned })
                .unwrap();
            RegionPatterns {
                region,
                player_matches: matches,
                counts,
            }
        };
        let table = pattern_table_of_regions(&[region(0, 100, 10), region(1, 300, 10), region(2, 200, 10)]);
        let row = &table.rows[0];
        assert_eq!((row.pattern.as_str(), row.n), ("WWW", 600));
        assert_abs_diff_eq!(row.churn, 0.05);
        // Misses of 5, -5 and 0.
        assert_abs_diff_eq!(
            row.standard_error,
            (1.5 * 50.0_f64).sqrt() / 600.0,
            epsilon = 1e-15
        );
        assert!(
            pattern_table_of_regions(&[region(0, 100, 10)]).rows[0]
                .standard_error
                .is_nan()
        );
    }
}
