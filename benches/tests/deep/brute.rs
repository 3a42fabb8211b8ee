//! The best pairing of a few vertices, by subsets.

/// Stands for no pairing.
const NONE: i128 = i128::MAX;

/// The least sum over all pairings and, of those that reach it, the mates that come first in lexicographic
/// order; `None` if there is no pairing.
///
/// ```text
/// best(S) = min over j in S, j > i of w(i, j) + best(S - {i, j}),  i the first vertex of S;  best({}) = 0
/// ```
///
/// Whoever takes, vertex by vertex, the smallest j that reaches the minimum, gets the first mates of all. O(2^n n).
pub(crate) fn least(n: usize, weight: impl Fn(usize, usize) -> Option<i128>) -> Option<(i128, Vec<usize>)> {
    let weights: Vec<_> = (0..n * n)
        .map(|pair| (pair / n, pair % n))
        .map(|(i, j)| if i < j { weight(i, j) } else { None })
        .collect();
    let mut best = vec![NONE; 1 << n];
    best[0] = 0;
    let partners = |set: usize| {
        let i = set.trailing_zeros() as usize;
        (i + 1..n)
            .filter(move |j| set >> j & 1 == 1)
            .map(move |j| (i, j, set & !(1 << i) & !(1 << j)))
    };
    let through = |best: &[i128], (i, j, rest): (usize, usize, usize)| {
        Some(weights[i * n + j]? + Some(best[rest]).filter(|&sum| sum != NONE)?)
    };
    for set in (1_usize..1 << n).filter(|set| set.count_ones().is_multiple_of(2)) {
        let sums = partners(set).filter_map(|pair| through(&best, pair));
        best[set] = sums.min().unwrap_or(NONE);
    }
    let mut set = (1 << n) - 1;
    let least = Some(best[set]).filter(|&sum| sum != NONE)?;
    let mut mates = vec![usize::MAX; n];
    while set != 0 {
        let (i, j, rest) = partners(set).find(|&pair| through(&best, pair) == Some(best[set]))?;
        (mates[i], mates[j]) = (j, i);
        set = rest;
    }
    Some((least, mates))
}
