//! Churn by the last three outcomes (Table 1): of a history, or of more regions than memory holds.

use std::ops::Range;

use anyhow::{Context, Result};
use itertools::iproduct;
use matchwright_churn::{Horizon, Label, Outcome, PatternCounts, TableCounts, TableModel};
use matchwright_rating::history::{Duels, History};
use serde::{Deserialize, Serialize};

use super::config::StudyConfig;
use super::report::{DataSummary, PatternChurn, PatternTable};
use super::rows::{PlayerRows, for_each_pattern, label_rows};

use crate::workers::Workers;
use matchwright_sim::population::{GeneratorParams, generate_region};

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

/// Plays regions of a population one after another, counts churn within seven days by the last three outcomes, and
/// forgets them: memory for one region a thread, whatever their number.
///
/// Regions are those of [`generate_region`]; the same numbers for any number of threads, and for any way to cut the
/// range into parts.
///
/// # Errors
/// For parameters that make no population.
pub fn stream_patterns(
    params: &GeneratorParams,
    seed: u64,
    regions: Range<u32>,
    workers: &Workers<'_>,
) -> Result<Vec<RegionPatterns>> {
    let (stage, all) = ("counting churn by the last three outcomes", regions.len());
    workers.in_order(stage, all, |place| {
        let region = regions.start + u32::try_from(place)?;
        let history = generate_region(params, seed, region)?.history;
        let duels = duels_of(&history)?;
        let labels = label_rows(duels, &PlayerRows::of(duels), Horizon::hours(TABLE_1_HOURS))?;
        Ok(RegionPatterns {
            region,
            player_matches: 2 * duels.len() as u64,
            counts: count_patterns(duels, &labels)?,
        })
    })
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
    let row = |pattern: [Outcome; 3]| {
        let seen: Vec<PatternCounts> = regions.iter().map(|region| region.counts.get(&pattern)).collect();
        let n: u64 = seen.iter().map(|seen| seen.matches).sum();
        let churned: u64 = seen.iter().map(|seen| seen.churned).sum();
        let churn = churned as f64 / n as f64;
        let miss = |seen: &PatternCounts| seen.churned as f64 - churn * seen.matches as f64;
        let squares = seen.iter().map(|seen| miss(seen).powi(2));
        let k = seen.len() as f64;
        let variance = k / (k - 1.0) * squares.sum::<f64>();
        let error = variance.sqrt() / n as f64;
        let standard_error = if k < 2.0 { f64::NAN } else { error };
        (n > 0).then(|| PatternChurn {
            pattern: name(&pattern),
            n,
            churn,
            standard_error,
        })
    };
    sorted(TABLE_1_HOURS, all_patterns().filter_map(row).collect())
}

/// WWW, WWD, ... LLL.
fn all_patterns() -> impl Iterator<Item = [Outcome; 3]> {
    iproduct!(Outcome::ALL, Outcome::ALL, Outcome::ALL).map(|(a, b, c)| [a, b, c])
}

fn name(pattern: &[Outcome]) -> String {
    pattern.iter().map(|outcome| outcome.letter()).collect()
}

/// Lowest churn first.
fn sorted(horizon_hours: u32, mut rows: Vec<PatternChurn>) -> PatternTable {
    rows.sort_by(|a, b| a.pattern.cmp(&b.pattern));
    rows.sort_by(|a, b| a.churn.total_cmp(&b.churn));
    PatternTable { horizon_hours, rows }
}

/// Table 1 for the study's own horizon and for seven days, where the history is long enough to tell.
pub(crate) fn pattern_tables(
    config: &StudyConfig,
    duels: Duels<'_>,
    by_player: &PlayerRows,
    labels: &[Label],
    data: &DataSummary,
) -> Result<Vec<PatternTable>> {
    let mut tables = vec![pattern_table(duels, labels, config.horizon_hours)?];
    let week = Horizon::hours(TABLE_1_HOURS);
    if config.horizon_hours != TABLE_1_HOURS && data.last.saturating_sub(data.first) > 2 * week.seconds() {
        let labels = label_rows(duels, by_player, week)?;
        tables.push(pattern_table(duels, &labels, TABLE_1_HOURS)?);
    }
    Ok(tables)
}

/// Churn within the horizon by the last three outcomes, as one history has it.
///
/// # Errors
/// If no player-match of the history has a label: it is shorter than the horizon.
pub fn pattern_table_of(duels: Duels<'_>, horizon_hours: u32) -> Result<PatternTable> {
    let labels = label_rows(duels, &PlayerRows::of(duels), Horizon::hours(horizon_hours))?;
    pattern_table(duels, &labels, horizon_hours)
}

fn pattern_table(duels: Duels<'_>, labels: &[Label], horizon_hours: u32) -> Result<PatternTable> {
    let counts = count_patterns(duels, labels)?;
    // A history without a label has no table; the fit says so in better words.
    let model = TableModel::new(counts)?;
    let row = |(pattern, seen): (Vec<Outcome>, PatternCounts)| {
        Some(PatternChurn {
            pattern: name(&pattern),
            n: seen.matches,
            churn: seen.rate()?,
            standard_error: seen.standard_error()?,
        })
    };
    Ok(sorted(horizon_hours, model.patterns().filter_map(row).collect()))
}

/// Labelled player-matches by the three outcomes that they end.
fn count_patterns(duels: Duels<'_>, labels: &[Label]) -> Result<TableCounts> {
    let mut seen = [[[PatternCounts::default(); 3]; 3]; 3];
    for_each_pattern(duels, |row, [first, second, third]| {
        let cell = &mut seen[first.index()][second.index()][third.index()];
        // At most two a match, and matches are in memory: these sums fit.
        cell.matches += u64::from(labels[row as usize] != Label::Censored);
        cell.churned += u64::from(labels[row as usize] == Label::Churned);
    });
    let mut counts = TableCounts::new(3)?;
    for pattern in all_patterns() {
        let [first, second, third] = pattern.map(Outcome::index);
        counts.add_counts(&pattern, seen[first][second][third])?;
    }
    Ok(counts)
}

/// The games of a history, one player against one.
pub(crate) fn duels_of(history: &History) -> Result<Duels<'_>> {
    let duels = history.duels();
    duels.context("the history has games of more than one player against one, which the study does not know")
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
        let regions = stream_patterns(&params(), 3, 0..3, &Workers::new(2, &Quiet)).unwrap();
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
        let whole = stream_patterns(&params(), 3, 0..4, &Workers::new(1, &Quiet)).unwrap();
        let mut parts = stream_patterns(&params(), 3, 0..1, &Workers::new(3, &Quiet)).unwrap();
        parts.extend(stream_patterns(&params(), 3, 1..4, &Workers::new(2, &Quiet)).unwrap());
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
