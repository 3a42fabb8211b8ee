//! Points in space: partners are looked for near by, with a k-d tree.
//!
//! No pair costs less than its distance, so that a pair can only be violated if its distance is at most `y_i` +
//! `y_j`. A query for all of these walks the tree and leaves out every box that is further from the point than its
//! own dual and the largest in the box allow.
//!
//! Bentley, "Multidimensional binary search trees used for associative searching", CACM 18 (1975),
//! doi:10.1145/361002.361007.

use super::{Graph, Query, Real, ask, threads, transformed};
use crate::costs::{Coordinates, CostOracle};
use crate::error::SolveError;
use crate::objective::Objective;

/// Points in a box that is not divided further.
const LEAF: usize = 8;

/// An oracle with coordinates, and a k-d tree over them.
pub(crate) struct Space<'a> {
    costs: &'a dyn CostOracle,
    coordinates: Coordinates<'a>,
    dimensions: usize,
    /// The points in the order of the tree, and which vertices they are.
    points: Vec<f64>,
    vertices: Vec<u32>,
    /// Of each node: the box around its points, lows then highs.
    boxes: Vec<f64>,
    /// Of each node: its range of points. The children of node k are 2k + 1 and 2k + 2.
    ranges: Vec<(u32, u32)>,
}

impl<'a> Space<'a> {
    /// Builds the tree. O(n log^2 n).
    ///
    /// # Errors
    /// Coordinates that are not one finite point for each vertex.
    pub(crate) fn build(costs: &'a dyn CostOracle, coordinates: Coordinates<'a>) -> Result<Self, SolveError> {
        let (vertices, dimensions) = (costs.vertices(), coordinates.dimensions);
        let values = coordinates.values;
        let fits = dimensions > 0 && values.len().checked_div(dimensions) == Some(vertices);
        let is_slack = coordinates.slack.is_finite() && coordinates.slack >= 0.0;
        if !fits
            || !is_slack
            || !values.len().is_multiple_of(dimensions)
            || values.iter().any(|value| !value.is_finite())
        {
            return Err(SolveError::BadCoordinates {
                values: values.len(),
                dimensions,
                vertices,
            });
        }
        let mut order: Vec<u32> = (0..).take(vertices).collect();
        let mut space = Self {
            costs,
            coordinates,
            dimensions,
            points: Vec::with_capacity(values.len()),
            vertices: Vec::new(),
            boxes: Vec::new(),
            ranges: Vec::new(),
        };
        // Halving until a leaf is small enough gives a complete tree.
        let mut depth = 0;
        while vertices.div_ceil(1 << depth) > LEAF {
            depth += 1;
        }
        let nodes = (1 << (depth + 1)) - 1;
        space.boxes.resize(nodes * 2 * dimensions, 0.0);
        space.ranges.resize(nodes, (0, 0));
        space.divide(coordinates, &mut order, (0, 0));
        for &v in &order {
            space.points.extend_from_slice(coordinates.point(v as usize));
        }
        space.vertices = order;
        Ok(space)
    }

    /// Makes `node` of these vertices, which begin at `first` in the order: halves them at the median of the longest
    /// side of their box.
    fn divide(&mut self, points: Coordinates<'_>, order: &mut [u32], (node, first): (usize, usize)) {
        let d = self.dimensions;
        let mut bounds = vec![f64::INFINITY; d];
        bounds.resize(2 * d, f64::NEG_INFINITY);
        for &v in order.iter() {
            for (k, &x) in points.point(v as usize).iter().enumerate() {
                bounds[k] = bounds[k].min(x);
                bounds[d + k] = bounds[d + k].max(x);
            }
        }
        let side = |k: &usize| bounds[d + k] - bounds[*k];
        let longest = (0..d).max_by(|a, b| side(a).total_cmp(&side(b))).unwrap_or(0);
        self.boxes[node * 2 * d..(node + 1) * 2 * d].copy_from_slice(&bounds);
        let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        self.ranges[node] = (place(first), place(first + order.len()));
        if 2 * node + 2 < self.ranges.len() {
            let middle = order.len() / 2;
            if middle < order.len() {
                let along = |v: &u32| points.point(*v as usize)[longest];
                order.select_nth_unstable_by(middle, |a, b| along(a).total_cmp(&along(b)).then(a.cmp(b)));
            }
            let (low, high) = order.split_at_mut(middle);
            self.divide(points, low, (2 * node + 1, first));
            self.divide(points, high, (2 * node + 2, first + middle));
        }
    }

    /// Numbers a point.
    pub(crate) const fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// The vertices in an order in which neighbours are near each other.
    pub(crate) fn order(&self) -> &[u32] {
        &self.vertices
    }

    fn point(&self, place: usize) -> &[f64] {
        &self.points[place * self.dimensions..(place + 1) * self.dimensions]
    }

    /// Makes `best` the `count` vertices whose distance less dual is smallest from the point at a place of the order,
    /// itself left out.
    pub(crate) fn nearest(&self, place: usize, count: usize, duals: &Duals, best: &mut Vec<(f64, u32)>) {
        let point = self.point(place);
        self.search(place, count, duals, best, &|_| true, |other| {
            Some(self.distance(point, other) - duals.of_place[other])
        });
    }

    /// On which side of the point of vertex `i` that of `j` lies along each axis: bit k is set if on the upper, or level.
    pub(crate) fn sides(&self, i: u32, j: u32) -> usize {
        let [one, other] = [i, j].map(|v| self.coordinates.point(v as usize));
        let upper = one.iter().zip(other).map(|(a, b)| usize::from(b >= a));
        upper
            .enumerate()
            .fold(0, |sides, (k, is_upper)| sides | is_upper << k)
    }

    /// The nearest of those on these [`sides`](Self::sides) of the point at a place of the order.
    pub(crate) fn nearest_towards(
        &self,
        place: usize,
        sides: usize,
        duals: &Duals,
        best: &mut Vec<(f64, u32)>,
    ) {
        let (point, d) = (self.point(place), self.dimensions);
        let is_upper = |k: usize| sides >> k & 1 == 1;
        let reaches = |node: usize| {
            let bounds = &self.boxes[node * 2 * d..(node + 1) * 2 * d];
            (0..d).all(|k| {
                if is_upper(k) {
                    bounds[d + k] >= point[k]
                } else {
                    bounds[k] < point[k]
                }
            })
        };
        self.search(place, 1, duals, best, &reaches, |other| {
            let is_there = self.sides(self.vertices[place], self.vertices[other]) == sides;
            is_there.then(|| self.distance(point, other) - duals.of_place[other])
        });
    }

    /// Makes `best` the `count` vertices of smallest key, ascending, ties by vertex; the key of a place is no less
    /// than its distance less its dual and the slack, rounding aside. Nodes that `reaches` refuses are left out. O(log n) in practice.
    pub(crate) fn search(
        &self,
        place: usize,
        count: usize,
        duals: &Duals,
        best: &mut Vec<(f64, u32)>,
        reaches: &dyn Fn(usize) -> bool,
        mut key: impl FnMut(usize) -> Option<f64>,
    ) {
        const ROUNDING: f64 = 1e-12;
        best.clear();
        let mut stack = vec![(0_usize, f64::NEG_INFINITY)];
        let point = self.point(place);
        while let Some((node, bound)) = stack.pop() {
            let worst = if best.len() < count {
                f64::INFINITY
            } else {
                best[best.len() - 1].0
            };
            if bound - bound.abs() * ROUNDING - self.coordinates.slack > worst {
                continue;
            }
            if 2 * node + 2 < self.ranges.len() {
                let child = |k: usize| (k, self.box_distance(k, point) - duals.highest[k]);
                let (a, b) = (child(2 * node + 1), child(2 * node + 2));
                // The more promising one is looked at first.
                let (first, second) = if a.1 <= b.1 { (a, b) } else { (b, a) };
                stack.extend([second, first].into_iter().filter(|&(node, _)| reaches(node)));
                continue;
            }
            for other in self.range(node).filter(|&other| other != place) {
                let Some(key) = key(other) else { continue };
                let key = (key, self.vertices[other]);
                let at =
                    best.partition_point(|known| known.0.total_cmp(&key.0).then(known.1.cmp(&key.1)).is_lt());
                if at < count {
                    best.insert(at, key);
                    best.truncate(count);
                }
            }
        }
    }

    /// The duals in the order of the tree, with the highest under each node.
    pub(crate) fn arrange(&self, duals: &[f64]) -> Duals {
        let of_place: Vec<f64> = self.vertices.iter().map(|&v| duals[v as usize]).collect();
        let highest = vec![f64::NEG_INFINITY; self.ranges.len()];
        let mut duals = Duals { of_place, highest };
        for node in (0..self.ranges.len()).rev() {
            self.write_highest(node, &mut duals);
        }
        duals
    }

    /// Leaves the vertex at a place out of searches from now on: its dual is minus infinity. O(log n).
    pub(crate) fn exclude(&self, place: usize, duals: &mut Duals) {
        duals.of_place[place] = f64::NEG_INFINITY;
        let mut node = 0;
        while 2 * node + 2 < self.ranges.len() {
            node = 2 * node
                + if self.range(2 * node + 1).contains(&place) {
                    1
                } else {
                    2
                };
        }
        self.write_highest(node, duals);
        while node > 0 {
            node = (node - 1) / 2;
            self.write_highest(node, duals);
        }
    }

    fn write_highest(&self, node: usize, Duals { of_place, highest }: &mut Duals) {
        highest[node] = if 2 * node + 2 < self.ranges.len() {
            highest[2 * node + 1].max(highest[2 * node + 2])
        } else {
            of_place[self.range(node)]
                .iter()
                .copied()
                .fold(f64::NEG_INFINITY, f64::max)
        };
    }

    /// Of each node the least that its first vertex shares with another of it, that is the blossoms' duals around both. With r
    /// and s the first of its halves, any v of the second shares with r at least the lesser of what r shares with s, and s
    /// with v: blossoms are nested.
    fn shared_within(&self, shared: &(dyn Fn(u32, u32) -> f64 + Sync)) -> Vec<f64> {
        let mut within = vec![f64::INFINITY; self.ranges.len()];
        for node in (0..self.ranges.len()).rev() {
            let vertices = &self.vertices[self.range(node)];
            let Some((&first, others)) = vertices.split_first() else {
                continue;
            };
            within[node] = if 2 * node + 2 < self.ranges.len() {
                let (low, high) = (2 * node + 1, 2 * node + 2);
                let between = self.vertices[self.range(high)].first();
                let between = between.map_or(f64::INFINITY, |&other| shared(first, other));
                between.min(within[low]).min(within[high])
            } else {
                others
                    .iter()
                    .map(|&other| shared(first, other))
                    .fold(f64::INFINITY, f64::min)
            };
        }
        within
    }

    fn range(&self, node: usize) -> std::ops::Range<usize> {
        let (from, to) = self.ranges[node];
        from as usize..to as usize
    }

    fn distance(&self, point: &[f64], place: usize) -> f64 {
        let squares = point
            .iter()
            .zip(self.point(place))
            .map(|(a, b)| (a - b) * (a - b));
        squares.sum::<f64>().sqrt()
    }

    /// How far the point is from the box of a node; infinite if the box holds nothing.
    fn box_distance(&self, node: usize, point: &[f64]) -> f64 {
        let d = self.dimensions;
        let bounds = &self.boxes[node * 2 * d..(node + 1) * 2 * d];
        let mut squares = 0.0;
        for (k, &x) in point.iter().enumerate() {
            let outside = (bounds[k] - x).max(x - bounds[d + k]).max(0.0);
            squares += outside * outside;
        }
        squares.sqrt()
    }
}

/// Duals as a search of the tree needs them.
pub(crate) struct Duals {
    of_place: Vec<f64>,
    highest: Vec<f64>,
}

impl Graph for Space<'_> {
    fn vertices(&self) -> usize {
        self.vertices.len()
    }

    fn cost(&self, i: u32, j: u32) -> Result<Option<f64>, SolveError> {
        let cost = ask(self.costs, Objective::Minimize, i, j)?;
        let distance = self.coordinates.distance(i as usize, j as usize);
        match cost {
            // Rounding aside.
            Some(cost) if cost < distance - distance * f64::MARGIN - self.coordinates.slack => {
                Err(SolveError::Contradiction {
                    i: i as usize,
                    j: j as usize,
                    cost,
                    shown: distance,
                })
            }
            _ => Ok(cost),
        }
    }

    fn for_each_neighbour(&self, i: u32, visit: &mut dyn FnMut(u32, f64)) -> Result<(), SolveError> {
        for j in (0..).take(self.vertices()).filter(|&j| j != i) {
            if let Some(cost) = self.cost(i, j)? {
                visit(j, cost);
            }
        }
        Ok(())
    }

    fn cost_row(&self, i: usize, from: usize, out: &mut [f64]) {
        self.costs.cost_row(i, from, out);
    }

    fn c_transform(&self, duals: &[f64]) -> (Vec<f64>, f64) {
        let (arranged, mut best) = (self.arrange(duals), Vec::new());
        let mut all = vec![f64::INFINITY; duals.len()];
        for (place, &v) in self.vertices.iter().enumerate() {
            self.nearest(place, 1, &arranged, &mut best);
            if let Some(&(least, _)) = best.first() {
                all[v as usize] = least;
            }
        }
        transformed::<f64>(duals, |i| all[i])
    }

    fn maybe_violated(&self, query: &Query<'_>, found: &mut Vec<(u32, u32)>) {
        let duals = self.arrange(query.duals);
        // The distance of far points is rounded as well, but those near enough to matter are no further than two
        // duals; coordinates are rounded where they are subtracted.
        let reach = self
            .boxes
            .iter()
            .take(2 * self.dimensions)
            .fold(0.0, |a: f64, b| a.max(b.abs()));
        let margin = query.margin::<f64>() + reach * f64::MARGIN + self.coordinates.slack;
        let within = query.shared.map(|shared| (shared, self.shared_within(shared)));
        // No less than what blossoms give back to a vertex and any of a node.
        let shared_with = |i: u32, node: usize| match &within {
            Some((shared, within)) if within[node] > 0.0 => match self.vertices[self.range(node)].first() {
                Some(&first) if first != i => within[node].min(shared(i, first)),
                _ => within[node],
            },
            _ => 0.0,
        };
        threads::for_each_row(
            self.vertices(),
            query.threads,
            found,
            Vec::new,
            |place, stack, found| {
                let (point, own) = (self.point(place), duals.of_place[place] + margin);
                let i = self.vertices[place];
                stack.push(0_usize);
                while let Some(node) = stack.pop() {
                    let excess = self.box_distance(node, point) - own - duals.highest[node];
                    if excess > 0.0 || excess + shared_with(i, node) > margin {
                        continue;
                    }
                    if 2 * node + 2 < self.ranges.len() {
                        stack.extend([2 * node + 1, 2 * node + 2]);
                        continue;
                    }
                    for other in self.range(node) {
                        let j = self.vertices[other];
                        let reduced = self.distance(point, other) - duals.of_place[other] - own;
                        if i < j
                            && reduced <= 0.0
                            && query.holds(i, j, reduced, 0.0)
                            && query.wants(i, j, None)
                        {
                            found.push((i, j));
                        }
                    }
                }
            },
        );
        found.sort_unstable();
    }
}
