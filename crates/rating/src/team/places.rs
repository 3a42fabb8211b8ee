//! Scores from places: the share of the other sides beaten, ties as one half.

/// For each side the share of the others that it beat, a tie counting half; in \[0, 1\].
///
/// A side alone gets 1/2. O(n log n).
pub(crate) fn shares_beaten(places: impl Iterator<Item = u32>) -> Vec<f64> {
    let places: Vec<u32> = places.collect();
    let mut sorted = places.clone();
    sorted.sort_unstable();
    let others = places.len().saturating_sub(1) as f64;
    let share = |place: &u32| {
        let ahead = sorted.partition_point(|other| other < place);
        let tied = sorted.partition_point(|other| other <= place) - ahead - 1;
        let behind = sorted.len() - ahead - tied - 1;
        (behind as f64 + 0.5 * tied as f64) / others
    };
    if others > 0.0 {
        places.iter().map(share).collect()
    } else {
        vec![0.5; places.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_worth_the_share_of_those_behind() {
        let beaten = |places: &[u32]| shares_beaten(places.iter().copied());
        assert_eq!(beaten(&[1, 2]), [1.0, 0.0]);
        assert_eq!(beaten(&[4, 4]), [0.5, 0.5]);
        assert_eq!(beaten(&[3, 1, 2, 2, 9]), [0.25, 1.0, 0.625, 0.625, 0.0]);
        assert_eq!(beaten(&[7]), [0.5]);
        assert!(beaten(&[]).is_empty());
    }
}
