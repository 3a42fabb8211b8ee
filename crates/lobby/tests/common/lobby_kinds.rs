//! Kinds of pools small enough for brute force.

/// Players, team sizes, and the share of pairs that are forbidden.
pub(crate) const KINDS: [(usize, (usize, usize), f64); 9] = [
    (9, (2, 2), 0.0),
    (8, (2, 2), 0.3),
    (8, (1, 3), 0.1),
    (9, (1, 2), 0.2),
    (10, (3, 2), 0.1),
    (8, (3, 3), 0.0),
    (9, (3, 3), 0.1),
    (11, (5, 4), 0.0),
    (6, (1, 1), 0.2),
];
