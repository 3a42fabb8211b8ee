//! Kinds that are made by who may meet whom.

use rand::RngExt;
use rand::seq::SliceRandom;

use super::{Rng, pick, whole};
use crate::graph::Graph;

/// A few partners each.
pub(super) fn sparse(rng: &mut Rng, n: usize) -> Graph {
    let degree = pick(rng, &[2.0, 3.0, 5.0, 9.0, 20.0]);
    let density = (degree / n as f64).min(1.0);
    let most = pick(rng, &[9, 1_000_000]);
    Graph::from_fn(n, |_, _| {
        (rng.random::<f64>() < density).then(|| whole(rng, 0..=most))
    })
}

/// Many components, a few of them odd: names of vertices say nothing of where they belong.
pub(super) fn components(rng: &mut Rng, n: usize) -> Graph {
    let largest = pick(rng, &[2, 4, 10, 40]);
    let odd = pick(rng, &[0.0, 0.0, 0.1]);
    let mut component = Vec::with_capacity(n);
    let mut count = 0;
    while component.len() < n {
        let even = 2 * rng.random_range(1..=largest / 2);
        let size = even - usize::from(rng.random::<f64>() < odd);
        component.resize((component.len() + size).min(n), count);
        count += 1;
    }
    component.shuffle(rng);
    let density = pick(rng, &[1.0, 0.8, 0.5]);
    let most = pick(rng, &[3, 1000]);
    Graph::from_fn(n, |i, j| {
        let joined = component[i] == component[j] && rng.random::<f64>() < density;
        joined.then(|| whole(rng, -most..=most))
    })
}

/// Some vertices that may meet only others, who are barely enough or too few.
pub(super) fn starved(rng: &mut Rng, n: usize) -> Graph {
    let picky = (n / 2 + rng.random_range(0..=2)).saturating_sub(rng.random_range(0..=1));
    let mut names: Vec<_> = (0..n).collect();
    names.shuffle(rng);
    let density = pick(rng, &[1.0, 0.5, 0.2]);
    let most = pick(rng, &[1, 1000]);
    Graph::from_fn(n, |i, j| {
        let both = names[i] < picky && names[j] < picky;
        (!both && rng.random::<f64>() < density).then(|| whole(rng, 0..=most))
    })
}

/// Two sides, mostly of a size: every cycle is even.
pub(super) fn bipartite(rng: &mut Rng, n: usize) -> Graph {
    let left = n / 2 + usize::from(rng.random_ratio(1, 10));
    let mut names: Vec<_> = (0..n).collect();
    names.shuffle(rng);
    let density = pick(rng, &[1.0, 0.6, 0.3]);
    let most = pick(rng, &[2, 1000, 1 << 20]);
    let sum: bool = rng.random();
    let own: Vec<_> = (0..n).map(|_| whole(rng, 0..=most)).collect();
    Graph::from_fn(n, |i, j| {
        let across = (names[i] < left) != (names[j] < left);
        let cost = if sum {
            own[i] + own[j]
        } else {
            whole(rng, 0..=most)
        };
        (across && rng.random::<f64>() < density).then_some(cost)
    })
}

/// A long path of costs that go up and down, along which duals add up, with a few short cuts.
pub(super) fn drift(rng: &mut Rng, n: usize) -> Graph {
    let size = pick(rng, &[1, 1000, 1 << 40]);
    let mut names: Vec<_> = (0..n).collect();
    names.shuffle(rng);
    let shortcuts = pick(rng, &[0.0, 0.0, 0.5, 2.0]) / n as f64;
    Graph::from_fn(n, |i, j| {
        let (from, to) = (names[i].min(names[j]), names[i].max(names[j]));
        if to == from + 1 {
            let sign = if from.is_multiple_of(2) { 1.0 } else { -1.0 };
            return Some(sign * size as f64 + whole(rng, 0..=1));
        }
        (rng.random::<f64>() < shortcuts).then(|| whole(rng, -size..=size))
    })
}

/// All may meet but for some pairs, and a few vertices with hardly a partner.
pub(super) fn scattered(rng: &mut Rng, n: usize) -> Graph {
    let forbidden = pick(rng, &[0.02, 0.1, 0.3, 0.6]);
    let most = pick(rng, &[10, 1000, 1 << 20]);
    let shy: Vec<_> = (0..n).map(|_| rng.random_ratio(1, 30)).collect();
    Graph::from_fn(n, |i, j| {
        let forbidden = if shy[i] || shy[j] { 0.9 } else { forbidden };
        (rng.random::<f64>() >= forbidden).then(|| whole(rng, 0..=most))
    })
}
