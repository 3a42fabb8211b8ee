//! Kinds in which odd cycles are cheap inside and dear to leave, so that blossoms form, nest and come apart.

use rand::RngExt;

use super::shape::Shape;
use super::{Rng, pick, whole};
use crate::graph::Graph;

/// Odd cycles of odd cycles of ... of vertices: the deeper, the cheaper. A few nests, joined by dear edges.
pub(super) fn nested(rng: &mut Rng, n: usize) -> Graph {
    let mut shape = Shape::new(n);
    let growth = rng.random_range(0..3);
    let cost = |height: i64| match growth {
        0 => 2 * height + 1,
        1 => height * height,
        _ => 1 << height.min(20),
    };
    let mut nests = Vec::new();
    let most = pick(rng, &[5, 9, 27, 81]);
    while shape.room() >= 3 {
        let size = rng.random_range(3..=most.min(shape.room()).max(3));
        let size = size - usize::from(size.is_multiple_of(2));
        nests.push(nest(&mut shape, rng, size, &cost));
    }
    let top = nests.iter().map(|nest| nest.1).max().unwrap_or(0);
    let dear = cost(top) + 1;
    for k in 1..nests.len() {
        for _ in 0..rng.random_range(1..=4) {
            let other = &nests[rng.random_range(0..k)].0;
            let (i, j) = (pick(rng, &nests[k].0), pick(rng, other));
            shape.join(i, j, whole(rng, dear / 2..=4 * dear));
        }
    }
    shape.finish(rng, 10 * dear)
}

/// A cycle of an odd number of smaller nests with `size` vertices in all, and its height.
fn nest(shape: &mut Shape, rng: &mut Rng, size: usize, cost: &impl Fn(i64) -> i64) -> (Vec<usize>, i64) {
    if size == 1 {
        return (vec![shape.vertex()], 0);
    }
    let parts = if size >= 5 { pick(rng, &[3, 3, 5]) } else { 3 };
    let mut sizes = vec![1; parts];
    // Sizes stay odd. All the rest to one part makes nests deep.
    let favourite = rng.random_range(0..parts);
    let fair = rng.random();
    for _ in 0..(size - parts) / 2 {
        let part = if fair {
            rng.random_range(0..parts)
        } else {
            favourite
        };
        sizes[part] += 2;
    }
    let inner: Vec<_> = sizes
        .into_iter()
        .map(|size| nest(shape, rng, size, cost))
        .collect();
    let height = inner.iter().map(|nest| nest.1).max().unwrap_or(0) + 1;
    for (k, (vertices, _)) in inner.iter().enumerate() {
        let next = &inner[(k + 1) % parts].0;
        for _ in 0..rng.random_range(1..=2) {
            let (i, j) = (pick(rng, vertices), pick(rng, next));
            shape.join(i, j, (cost(height) + rng.random_range(0..=height)) as f64);
        }
    }
    (inner.into_iter().flat_map(|nest| nest.0).collect(), height)
}

/// The complete graph on groups of groups of groups, of odd sizes: the closer, the cheaper.
pub(super) fn groups(rng: &mut Rng, n: usize) -> Graph {
    let odd = pick(rng, &[3, 3, 5]);
    let scale = pick(rng, &[1, 2, 10]);
    let levels = [odd, odd * odd, odd * odd * odd];
    Graph::from_fn(n, |i, j| {
        let level = levels
            .iter()
            .position(|group| i / group == j / group)
            .unwrap_or(3);
        let (base, noise) = [(0, 2), (10, 4), (100, 20), (1000, 200)][level];
        Some(whole(rng, base..=base + noise * scale))
    })
}

/// Couples around a centre, each a step farther away: a search from the centre closes a blossom around all
/// before at each. Dear edges leave from within.
pub(super) fn onions(rng: &mut Rng, n: usize) -> Graph {
    let mut shape = Shape::new(n);
    let layers = pick(rng, &[1, 2, 5, 20, 60]).min(n / 4);
    let noise = pick(rng, &[0, 1, 3]);
    let mut onions = Vec::new();
    while shape.room() > 2 * layers {
        let centre = shape.vertex();
        let mut members = vec![centre];
        for k in 0..layers {
            let (a, b) = (shape.vertex(), shape.vertex());
            let time = 2 * i64::try_from(k).unwrap_or_default() + 1;
            shape.join(a, b, whole(rng, 0..=noise));
            shape.join(centre, a, (time + rng.random_range(0..=noise)) as f64);
            shape.join(centre, b, (time + 2 + rng.random_range(0..=noise)) as f64);
            members.extend([a, b]);
        }
        onions.push(members);
    }
    let dear = pick(rng, &[5, 50, 1_000_000]);
    for k in 1..onions.len() {
        for _ in 0..rng.random_range(1..=3) {
            let (i, j) = (pick(rng, &onions[k]), pick(rng, &onions[k - 1]));
            shape.join(i, j, whole(rng, dear..=2 * dear));
        }
    }
    shape.finish(rng, 4 * dear)
}

/// Long odd cycles, joined by single edges in a tree or a chain.
pub(super) fn rings(rng: &mut Rng, n: usize) -> Graph {
    let mut shape = Shape::new(n);
    let longest = pick(rng, &[3, 5, 15, 61]);
    let within = pick(rng, &[0, 2, 100]);
    let dear = pick(rng, &[3, 300]);
    let chain: bool = rng.random();
    let mut rings: Vec<Vec<usize>> = Vec::new();
    while shape.room() >= 3 {
        let length = rng.random_range(3..=longest.min(shape.room()));
        let length = length - usize::from(length.is_multiple_of(2));
        let ring: Vec<_> = (0..length).map(|_| shape.vertex()).collect();
        shape.ring(&ring, || whole(rng, 0..=within));
        if let Some(last) = rings.len().checked_sub(1) {
            let other = if chain { last } else { rng.random_range(0..=last) };
            let (i, j) = (pick(rng, &ring), pick(rng, &rings[other]));
            shape.join(i, j, whole(rng, 0..=dear));
        }
        rings.push(ring);
    }
    shape.finish(rng, 2 * dear)
}

/// A chain of odd cycles, or of triangles inside of pentagons, whose middle two are joined by a cheap edge and
/// the others the dearer the farther out: pairs of blossoms match early, and searches from farther out must go
/// through them for longer than their duals last.
pub(super) fn valleys(rng: &mut Rng, n: usize) -> Graph {
    let mut shape = Shape::new(n);
    let within = pick(rng, &[0, 1, 4]);
    let slope = pick(rng, &[1, 3, 10]);
    let mut cycles: Vec<Vec<usize>> = Vec::new();
    while shape.room() >= 3 {
        let deep = shape.room() >= 5 && rng.random_ratio(1, 3);
        let mut cycle: Vec<_> = (0..3).map(|_| shape.vertex()).collect();
        shape.ring(&cycle, || whole(rng, 0..=within));
        if deep {
            let outer = [pick(rng, &cycle), shape.vertex(), shape.vertex()];
            shape.join(outer[0], outer[1], whole(rng, within..=2 * within + 1));
            shape.join(outer[1], outer[2], whole(rng, 0..=within));
            shape.join(outer[2], pick(rng, &cycle), whole(rng, within..=2 * within + 1));
            cycle.extend(&outer[1..]);
        }
        cycles.push(cycle);
    }
    let (mut low, mut high) = (cycles.len() / 2, cycles.len() / 2);
    let mut step = 1;
    while low > 0 || high + 1 < cycles.len() {
        let up = high + 1 < cycles.len() && (low == 0 || rng.random());
        let (from, to) = if up { (high, high + 1) } else { (low, low - 1) };
        let (i, j) = (pick(rng, &cycles[from]), pick(rng, &cycles[to]));
        shape.join(i, j, whole(rng, slope * step..=slope * step + 2));
        if up {
            high += 1;
        } else {
            low -= 1;
        }
        step += 1;
    }
    shape.finish(rng, 2 * slope * step)
}

/// A chain of triangles, each with an edge or two to the next.
pub(super) fn triangles(rng: &mut Rng, n: usize) -> Graph {
    let mut shape = Shape::new(n);
    let within = pick(rng, &[0, 1, 10]);
    let between = pick(rng, &[1, 10, 1000]);
    let mut last: Option<[usize; 3]> = None;
    while shape.room() >= 3 {
        let triangle = [shape.vertex(), shape.vertex(), shape.vertex()];
        shape.ring(&triangle, || whole(rng, 0..=within));
        if let Some(last) = last {
            for _ in 0..rng.random_range(1..=2) {
                shape.join(pick(rng, &last), pick(rng, &triangle), whole(rng, 0..=between));
            }
        }
        last = Some(triangle);
    }
    shape.finish(rng, 2 * between)
}

/// Stems that end in a vertex with one or more odd cycles through it, whose petals may carry flowers
/// themselves.
pub(super) fn flowers(rng: &mut Rng, n: usize) -> Graph {
    let mut shape = Shape::new(n);
    let most = pick(rng, &[0, 1, 5, 100]);
    let longest = pick(rng, &[0, 1, 3]);
    let mut tips: Vec<usize> = Vec::new();
    while shape.room() >= 3 {
        let root = shape.vertex();
        if !tips.is_empty() {
            shape.join(root, pick(rng, &tips), whole(rng, 0..=3 * most + 3));
        }
        let mut base = root;
        for _ in 0..2 * rng.random_range(0..=longest) {
            if shape.room() > 2 {
                let next = shape.vertex();
                shape.join(base, next, whole(rng, 0..=most));
                base = next;
            }
        }
        tips.push(root);
        for _ in 0..rng.random_range(1..=3) {
            let more = 2 * rng.random_range(1..=1 + longest);
            if shape.room() < more {
                break;
            }
            let mut petal = vec![base];
            petal.extend((0..more).map(|_| shape.vertex()));
            shape.ring(&petal, || whole(rng, 0..=most));
            // The next flower, or the next petal, may grow on this one.
            tips.push(pick(rng, &petal));
            if rng.random_ratio(1, 3) {
                base = pick(rng, &petal);
            }
        }
    }
    shape.finish(rng, 4 * most + 4)
}

/// Triangles and pentagons with many moderate edges across: blossoms that form early are taken apart by
/// later searches.
pub(super) fn churned(rng: &mut Rng, n: usize) -> Graph {
    let odd = pick(rng, &[3, 5]);
    let across = pick(rng, &[2, 4, 8]);
    let density = (f64::from(pick(rng, &[4, 8, 16])) / n as f64).min(1.0);
    Graph::from_fn(n, |i, j| {
        if i / odd == j / odd {
            return Some(whole(rng, 0..=2));
        }
        (rng.random::<f64>() < density).then(|| whole(rng, across..=3 * across))
    })
}
