//! [`Folds`]: group k-fold by player, or a rolling origin in time.

use std::collections::BTreeSet;

use super::{Dataset, FitError};

/// How rows are cut into folds for cross-validation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Folds {
    /// Each player's rows are in one fold: tells how the model does on players it has never seen. Needs groups.
    GroupKFold,
    /// Rolling origin: rows are cut into k + 1 blocks by time, and block i + 1 is predicted from blocks 0..=i. Tells
    /// how the model does on days it has never seen, the honest question for a forecast. Rows of one time stay
    /// together. Needs times.
    RollingOrigin,
}

/// Rows to train on and rows to validate on, ascending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fold {
    pub(super) train: Vec<usize>,
    pub(super) validate: Vec<usize>,
}

impl Folds {
    /// Cuts the data into `k` folds. `seed` shuffles players; folds by time need none.
    pub(super) fn cut(self, data: &Dataset, k: usize, seed: u64) -> Result<Vec<Fold>, FitError> {
        match self {
            Self::GroupKFold => by_player(data.groups().ok_or(FitError::NoGroups)?, k, seed),
            Self::RollingOrigin => by_time(data.times().ok_or(FitError::NoTimes)?, k),
        }
    }
}

fn by_player(groups: &[u64], k: usize, seed: u64) -> Result<Vec<Fold>, FitError> {
    // Shuffled by a hash of the player and the seed; the player itself breaks the (practically impossible) tie.
    let shuffled: BTreeSet<(u64, u64)> = groups.iter().map(|&group| (mix(seed, group), group)).collect();
    if k < 2 || k > shuffled.len() {
        return Err(FitError::Folds {
            folds: k,
            available: shuffled.len(),
            of: "players",
        });
    }
    let fold_of: std::collections::BTreeMap<u64, usize> = shuffled
        .into_iter()
        .enumerate()
        .map(|(place, (_, group))| (group, place % k))
        .collect();
    let row_folds: Vec<Option<usize>> = groups.iter().map(|group| fold_of.get(group).copied()).collect();
    let fold = |fold| {
        let (validate, train) = (0..groups.len()).partition(|&row| row_folds[row] == Some(fold));
        Fold { train, validate }
    };
    Ok((0..k).map(fold).collect())
}

fn by_time(times: &[i64], k: usize) -> Result<Vec<Fold>, FitError> {
    let mut order: Vec<usize> = (0..times.len()).collect();
    order.sort_by_key(|&row| times[row]);
    let distinct = order.chunk_by(|&a, &b| times[a] == times[b]).count();
    if k < 2 || k >= distinct {
        return Err(FitError::Folds {
            folds: k,
            available: distinct,
            of: "distinct times",
        });
    }
    let mut cuts = vec![0];
    for block in 1..=k {
        // Rows of the time in which the cut would fall all go before it.
        let about = times.len() * block / (k + 1);
        let inside = times[order[about.saturating_sub(1)]];
        cuts.push(order.partition_point(|&row| times[row] <= inside));
    }
    cuts.push(times.len());
    if let Some(block) = cuts.windows(2).position(|cut| cut[0] >= cut[1]) {
        return Err(FitError::EmptyBlock { block });
    }
    let sorted = |rows: &[usize]| {
        let mut rows = rows.to_vec();
        rows.sort_unstable();
        rows
    };
    let fold = |block: &[usize]| Fold {
        train: sorted(&order[..block[0]]),
        validate: sorted(&order[block[0]..block[1]]),
    };
    Ok(cuts.windows(2).skip(1).map(fold).collect())
}

/// A hash of two words: the finaliser of Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014,
/// DOI 10.1145/2660193.2660195.
pub(super) fn mix(seed: u64, word: u64) -> u64 {
    [seed, word].into_iter().fold(0_u64, |state, word| {
        let mut z = (state ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_player_is_never_on_both_sides_and_every_row_is_validated_once(
            groups in prop::collection::vec(0_u64..12, 12..60), k in 2_usize..5, seed in any::<u64>(),
        ) {
            prop_assume!(groups.iter().collect::<BTreeSet<_>>().len() >= k);
            let folds = by_player(&groups, k, seed).unwrap();
            let mut validated = vec![0; groups.len()];
            for fold in &folds {
                prop_assert_eq!(fold.train.len() + fold.validate.len(), groups.len());
                prop_assert!(!fold.validate.is_empty());
                for &row in &fold.validate {
                    validated[row] += 1;
                    prop_assert!(fold.train.iter().all(|&other| groups[other] != groups[row]));
                }
            }
            prop_assert!(validated.iter().all(|&times| times == 1));
        }

        #[test]
        fn folds_by_time_train_on_the_strict_past_alone(
            times in prop::collection::vec(-30_i64..30, 10..80), k in 2_usize..5,
        ) {
            let Ok(folds) = by_time(&times, k) else { return Ok(()) };
            prop_assert_eq!(folds.len(), k);
            for fold in &folds {
                let last = fold.train.iter().map(|&row| times[row]).max().unwrap();
                prop_assert!(fold.validate.iter().all(|&row| times[row] > last));
            }
            prop_assert_eq!(folds[k - 1].train.len() + folds[k - 1].validate.len(), times.len());
        }
    }

    #[test]
    fn distinct_times_are_cut_into_even_blocks() {
        let times: Vec<i64> = (0..60).rev().collect();
        let folds = by_time(&times, 5).unwrap();
        let sizes: Vec<(usize, usize)> = folds
            .iter()
            .map(|fold| (fold.train.len(), fold.validate.len()))
            .collect();
        assert_eq!(sizes, [(10, 10), (20, 10), (30, 10), (40, 10), (50, 10)]);
        assert_eq!(folds[0].validate, (40..50).collect::<Vec<_>>());
    }

    #[test]
    fn another_seed_cuts_other_folds() {
        let groups: Vec<u64> = (0..40).collect();
        assert_ne!(
            by_player(&groups, 4, 1).unwrap(),
            by_player(&groups, 4, 2).unwrap()
        );
        assert_eq!(
            by_player(&groups, 4, 1).unwrap(),
            by_player(&groups, 4, 1).unwrap()
        );
    }

    /// Published results depend on these folds: a change of them is a breaking change.
    #[test]
    fn a_seed_gives_the_same_folds_for_ever() {
        let groups: Vec<u64> = (0..10).collect();
        let folds = by_player(&groups, 3, 42).unwrap();
        let validate: Vec<Vec<usize>> = folds.into_iter().map(|fold| fold.validate).collect();
        assert_eq!(validate, [vec![1, 2, 7, 9], vec![4, 6, 8], vec![0, 3, 5]]);
    }

    #[test]
    fn folds_that_cannot_be_cut_say_how_many_can() {
        let error = by_player(&[1, 1, 2], 3, 0).unwrap_err();
        assert_eq!(
            error.to_string(),
            "3 folds cannot be cut from 2 players: choose 2 to 2"
        );
        let error = by_time(&[1, 2, 3], 3).unwrap_err();
        assert_eq!(
            error.to_string(),
            "3 folds cannot be cut from 3 distinct times: choose 2 to 2"
        );
        assert!(by_player(&[1, 2, 3], 1, 0).is_err());
        assert!(matches!(
            by_time(&[0, 0, 0, 0, 0, 0, 0, 1, 2], 2),
            Err(FitError::EmptyBlock { block: 1 })
        ));
    }
}
