//! A share of a stream of regions, and the stream that shares make together.

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::part::{Shard, differ, in_order};
use super::patterns::{RegionPatterns, stream_patterns};
use crate::workers::Workers;
use matchwright_sim::population::GeneratorParams;

/// One part's share of the regions that Table 1 is counted in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StreamPart {
    shard: Shard,
    /// How many regions all parts have together.
    of: u32,
    regions: Vec<RegionPatterns>,
}

impl StreamPart {
    /// Counts a part's share of the first `regions` regions of a population: [`stream_patterns`] of
    /// [`Shard::share`].
    ///
    /// # Errors
    /// As [`stream_patterns`].
    pub fn run(
        params: &GeneratorParams,
        seed: u64,
        regions: u32,
        shard: Shard,
        workers: &Workers<'_>,
    ) -> Result<Self> {
        Ok(Self {
            shard,
            of: regions,
            regions: stream_patterns(params, seed, shard.share(0..regions), workers)?,
        })
    }

    /// The stream that these parts make together: each region once, in order, as of one run.
    ///
    /// # Errors
    /// Says which part is missing, there twice, of another stream, without one of its regions or with
    /// one too many, or counts what cannot be.
    pub fn join(parts: Vec<Self>) -> Result<Vec<RegionPatterns>> {
        let parts = in_order(parts, |part| part.shard)?;
        let (first, of) = (parts[0].shard, parts[0].of);
        let mut played = 0_u64;
        for part in &parts {
            let shard = part.shard;
            ensure!(part.of == of, differ(first, shard));
            let expected = shard.share(0..of);
            let words = match expected.len() {
                0 => "none of the regions".to_owned(),
                1 => format!("region {} alone", expected.start),
                _ => format!("regions {} to {} once each", expected.start, expected.end - 1),
            };
            ensure!(
                part.regions.iter().map(|region| region.region).eq(expected),
                "part {shard} should hold {words}, and does not; make it again"
            );
            for region in &part.regions {
                // Sums over all regions must fit as well.
                let sum = played.checked_add(region.player_matches);
                let sum = sum.filter(|_| region.is_possible());
                let number = region.region;
                let refused =
                    || format!("part {shard} counts more in region {number} than can be; make it again");
                played = sum.with_context(refused)?;
            }
        }
        Ok(parts.into_iter().flat_map(|part| part.regions).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use matchwright_churn::{Outcome, PatternCounts, TableCounts};

    fn region(region: u32, player_matches: u64, counted: u64) -> RegionPatterns {
        let mut counts = TableCounts::new(3).unwrap();
        let counted = PatternCounts {
            matches: counted,
            churned: counted / 10,
        };
        counts.add_counts(&[Outcome::Win; 3], counted).unwrap();
        RegionPatterns {
            region,
            player_matches,
            counts,
        }
    }

    /// Part `index` of three of five regions: 0, then 1 and 2, then 3 and 4.
    fn part(index: u32, regions: &[u32]) -> StreamPart {
        StreamPart {
            shard: Shard::new(index, 3).unwrap(),
            of: 5,
            regions: regions.iter().map(|&k| region(k, 40, 30)).collect(),
        }
    }

    fn parts() -> Vec<StreamPart> {
        vec![part(1, &[0]), part(2, &[1, 2]), part(3, &[3, 4])]
    }

    /// What `join` says of the parts after a change.
    fn refused(change: impl FnOnce(&mut Vec<StreamPart>)) -> String {
        let mut parts = parts();
        change(&mut parts);
        StreamPart::join(parts).unwrap_err().to_string()
    }

    #[test]
    fn parts_in_any_order_make_the_stream_that_one_run_makes() {
        let mut parts = parts();
        parts.rotate_left(1);
        let joined = StreamPart::join(parts).unwrap();
        let numbers: Vec<u32> = joined.iter().map(|region| region.region).collect();
        assert_eq!(numbers, [0, 1, 2, 3, 4]);
    }

    #[test]
    fn more_parts_than_regions_leave_some_without() {
        let part = |index, regions: &[u32]| StreamPart {
            of: 2,
            ..part(index, regions)
        };
        let parts = vec![part(1, &[]), part(2, &[0]), part(3, &[1])];
        assert_eq!(StreamPart::join(parts).unwrap().len(), 2);
    }

    #[test]
    fn a_region_that_is_missing_twice_there_or_out_of_place_is_refused() {
        for regions in [&[1][..], &[1, 1], &[1, 2, 2], &[2, 1], &[0, 1, 2], &[1, 3], &[]] {
            let error = refused(|parts| parts[1] = part(2, regions));
            assert!(error.contains("part 2/3") && error.contains("1 to 2"), "{error}");
        }
        let error = refused(|parts| {
            for part in parts {
                part.of = 2;
            }
        });
        assert!(error.contains("part 1/3") && error.contains("none"), "{error}");
    }

    #[test]
    fn parts_of_other_streams_or_none_are_refused() {
        let error = refused(|parts| parts[2].of = 6);
        assert!(
            error.contains("part 3/3") && error.contains("part 1/3"),
            "{error}"
        );
        let error = refused(|parts| drop(parts.pop()));
        assert_eq!(error, "1 of 3 parts are missing: 3");
        assert!(refused(|parts| parts[1] = part(1, &[0])).contains("twice"));
        assert!(refused(Vec::clear).contains("no parts"));
    }

    #[test]
    fn counts_that_cannot_be_are_refused() {
        // More labelled than played, and sums beyond what a count can hold.
        let error = refused(|parts| parts[1].regions[1] = region(2, 29, 30));
        assert!(
            error.contains("part 2/3") && error.contains("region 2"),
            "{error}"
        );
        let error = refused(|parts| {
            parts[1].regions[0] = region(1, u64::MAX, 30);
        });
        assert!(
            error.contains("part 2/3") && error.contains("region 1"),
            "{error}"
        );
        let text = serde_json::to_string(&region(2, 40, 30)).unwrap();
        let broken = serde_json::from_str(&text.replace("\"churned\":3", "\"churned\":31")).unwrap();
        let error = refused(|parts| parts[1].regions[1] = broken);
        assert!(error.contains("region 2"), "{error}");
    }
}
