//! Kinds that are made by their costs: ties, signs, spaces, ranges.

use rand::RngExt;

use super::{Rng, density, pick, whole};
use crate::graph::{Graph, Points};

/// Some of all pairs, at costs drawn apart from each other.
fn drawn(rng: &mut Rng, n: usize, mut cost: impl FnMut(&mut Rng) -> f64) -> Graph {
    let density = density(rng, n);
    Graph::from_fn(n, |_, _| (rng.random::<f64>() < density).then(|| cost(rng)))
}

/// Some of all pairs, at costs that the ends determine.
fn determined(rng: &mut Rng, n: usize, cost: impl Fn(usize, usize) -> f64) -> Graph {
    let density = pick(rng, &[1.0, 1.0, 0.8, 0.4]);
    Graph::from_fn(n, |i, j| (rng.random::<f64>() < density).then(|| cost(i, j)))
}

/// Few distinct costs.
pub(super) fn tied(rng: &mut Rng, n: usize) -> Graph {
    let distinct = rng.random_range(2..=5);
    let spread = pick(rng, &[1, 2, 10, 100_000]);
    let values: Vec<_> = (0..distinct).map(|_| whole(rng, -spread..=spread)).collect();
    drawn(rng, n, |rng| pick(rng, &values))
}

/// One cost for all.
pub(super) fn equal(rng: &mut Rng, n: usize) -> Graph {
    let value = pick(rng, &[0.0, 1.0, -7.0, 1_000_003.0]);
    drawn(rng, n, |_| value)
}

/// Below 0, or of both signs.
pub(super) fn negative(rng: &mut Rng, n: usize) -> Graph {
    let most = pick(rng, &[-1, 0, 5, 1000]);
    let least = pick(rng, &[-3, -20, -1000, -1_000_000]).min(most);
    drawn(rng, n, |rng| whole(rng, least..=most))
}

/// Rounded distances of points that lie on a few places, several on one.
pub(super) fn metric(rng: &mut Rng, n: usize) -> Graph {
    let side = pick(rng, &[3, 10, 100, 10_000]);
    let places: Vec<_> = (0..rng.random_range(2..=n.max(3)))
        .map(|_| [whole(rng, 0..=side), whole(rng, 0..=side)])
        .collect();
    let points: Vec<_> = (0..n).map(|_| pick(rng, &places)).collect();
    let distance = |i: usize, j: usize| (points[i][0] - points[j][0]).hypot(points[i][1] - points[j][1]);
    if rng.random() {
        return determined(rng, n, |i, j| distance(i, j).round());
    }
    // Rounded up, the cost is no less than the distance, and the space may be told.
    determined(rng, n, |i, j| distance(i, j).ceil()).with_points(Points {
        dimensions: 2,
        values: points.concat(),
        are_costs: false,
    })
}

/// True distances of points in up to four dimensions: even, in clusters, on a lattice, on a line.
pub(super) fn euclid(rng: &mut Rng, n: usize) -> Graph {
    let dimensions = rng.random_range(1..=4);
    let form = rng.random_range(0..4);
    let centres: Vec<f64> = (0..4 * dimensions).map(|_| rng.random_range(0.0..10.0)).collect();
    let mut values = Vec::with_capacity(n * dimensions);
    for _ in 0..n {
        let centre = rng.random_range(0..4);
        let along = rng.random::<f64>();
        for d in 0..dimensions {
            values.push(match form {
                0 => rng.random(),
                1 => centres[centre * dimensions + d] + 0.1 * rng.random::<f64>(),
                2 => 0.1 * whole(rng, 0..=5),
                _ => along,
            });
        }
    }
    Graph::euclidean(dimensions, values)
}

/// Steps along the streets of a lattice, with a surcharge for some pairs: never less than the distance.
pub(super) fn grid(rng: &mut Rng, n: usize) -> Graph {
    let dimensions = rng.random_range(1..=3);
    let side = pick(rng, &[2, 6, 30]);
    let values: Vec<_> = (0..n * dimensions).map(|_| whole(rng, 0..=side)).collect();
    let surcharge = pick(rng, &[0, 0, 3, 40]);
    let density = pick(rng, &[1.0, 0.9, 0.5]);
    let point = |i: usize| &values[i * dimensions..(i + 1) * dimensions];
    let steps = |i, j| -> f64 { point(i).iter().zip(point(j)).map(|(a, b)| (a - b).abs()).sum() };
    let graph = Graph::from_fn(n, |i, j| {
        (rng.random::<f64>() < density).then(|| steps(i, j) + whole(rng, 0..=surcharge))
    });
    graph.with_points(Points {
        dimensions,
        values,
        are_costs: false,
    })
}

/// `a_i + a_j`: on the complete graph every pairing costs the same.
pub(super) fn sums(rng: &mut Rng, n: usize) -> Graph {
    let size = pick(rng, &[3, 1000, 1 << 30]);
    let step = pick(rng, &[1.0, 1.0, 0.1]);
    let own: Vec<_> = (0..n).map(|_| step * whole(rng, -size..=size)).collect();
    determined(rng, n, |i, j| own[i] + own[j])
}

/// `(a_i - a_j)(b_i - b_j)`, as of players of skills a whose interest in winning is b: smooth, and the best
/// partner lies far away.
pub(super) fn products(rng: &mut Rng, n: usize) -> Graph {
    let size = pick(rng, &[3, 30, 1000]);
    let step = pick(rng, &[1.0, 1.0, 0.125, 0.1]);
    let player = |rng: &mut Rng| (step * whole(rng, -size..=size), step * whole(rng, -size..=size));
    let players: Vec<_> = (0..n).map(|_| player(rng)).collect();
    determined(rng, n, |i, j| {
        let ((a_i, b_i), (a_j, b_j)) = (players[i], players[j]);
        (a_i - a_j) * (b_i - b_j)
    })
}

/// The chance that one of the two stops playing, by who wins: rounded to a millionth, or not.
pub(super) fn eomm(rng: &mut Rng, n: usize) -> Graph {
    let player = |rng: &mut Rng| {
        (
            rng.random_range(-3.0..3.0_f64),
            rng.random::<f64>(),
            rng.random::<f64>(),
        )
    };
    let players: Vec<_> = (0..n).map(|_| player(rng)).collect();
    let rounded: bool = rng.random();
    determined(rng, n, |i, j| {
        let ((skill_i, won_i, lost_i), (skill_j, won_j, lost_j)) = (players[i], players[j]);
        let wins = 1.0 / (1.0 + (skill_j - skill_i).exp());
        let cost = wins * (won_i + lost_j) + (1.0 - wins) * (lost_i + won_j);
        if rounded { (cost * 1e6).round() } else { cost }
    })
}

/// Integers up to 2^40, spread or crowded at the end.
pub(super) fn huge(rng: &mut Rng, n: usize) -> Graph {
    const LARGEST: i64 = 1 << 40;
    let (least, most) = pick(
        rng,
        &[
            (0, LARGEST),
            (-LARGEST, LARGEST),
            (LARGEST - 3, LARGEST),
            (-LARGEST, 5 - LARGEST),
        ],
    );
    drawn(rng, n, |rng| whole(rng, least..=most))
}

/// Fractions that have no end in binary, or 53 bits.
pub(super) fn fractions(rng: &mut Rng, n: usize) -> Graph {
    let form = rng.random_range(0..3);
    drawn(rng, n, |rng| match form {
        0 => rng.random(),
        1 => whole(rng, -1000..=1000) / 1000.0,
        _ => whole(rng, 0..=6) / 3.0,
    })
}

/// From a hundred-thousandth to a hundred thousand.
pub(super) fn wide(rng: &mut Rng, n: usize) -> Graph {
    drawn(rng, n, |rng| {
        let size = 10.0_f64.powi(rng.random_range(-5..=5));
        // In steps of 2^-30, so that all have the bits that sums need.
        size * whole(rng, -(1 << 30)..=1 << 30) / f64::from(1 << 30)
    })
}
