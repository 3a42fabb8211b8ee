//! How often a graph is solved, and which of the solves count.

/// Seconds above which 3 solves are enough.
const SLOW: f64 = 2.0;

/// Seconds above which one solve is enough.
const VERY_SLOW: f64 = 10.0;

/// Counted solves at least, of what is not slow.
const LEAST: usize = 5;

/// Counted solves at most.
const MOST: usize = 101;

/// Seconds to spend on the solves of what is fast.
const ENOUGH: f64 = 0.5;

/// Whether to solve once more after solves of these seconds.
pub(crate) fn wants_more(solves: &[f64]) -> bool {
    let Some(&first) = solves.first() else {
        return true;
    };
    if first > VERY_SLOW {
        return false;
    }
    if first > SLOW {
        return solves.len() < 3;
    }
    let counted = counted(solves);
    counted.len() < LEAST || (counted.len() < MOST && counted.iter().sum::<f64>() < ENOUGH)
}

/// The median of the solves that count. The first takes its memory from the system and its code from the disk, so it
/// counts only where that is nothing beside the solve.
pub(crate) fn typical(solves: &[f64]) -> f64 {
    median(counted(solves))
}

/// The middle value, or the mean of the two in the middle; NaN of none.
pub(crate) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => f64::NAN,
        n if n.is_multiple_of(2) => f64::midpoint(sorted[n / 2 - 1], sorted[n / 2]),
        n => sorted[n / 2],
    }
}

fn counted(solves: &[f64]) -> &[f64] {
    match solves {
        [first, rest @ ..] if *first <= SLOW && !rest.is_empty() => rest,
        [first] if *first <= SLOW => &[],
        all => all,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many solves there are if each takes `seconds`.
    fn solves(seconds: f64) -> usize {
        let mut times = Vec::new();
        while wants_more(&times) {
            times.push(seconds);
        }
        times.len()
    }

    #[test]
    fn the_slower_the_fewer() {
        assert_eq!(solves(1e-6), 1 + MOST);
        assert_eq!(solves(0.02), 1 + 25);
        assert_eq!(solves(1.9), 1 + LEAST);
        assert_eq!(solves(2.1), 3);
        assert_eq!(solves(10.1), 1);
    }

    #[test]
    fn the_first_of_fast_solves_does_not_count() {
        assert_eq!(typical(&[1.9, 0.1, 0.3, 0.2]), 0.2);
        assert_eq!(typical(&[4.0, 3.0, 5.0]), 4.0);
        assert_eq!(typical(&[60.0]), 60.0);
    }
}
