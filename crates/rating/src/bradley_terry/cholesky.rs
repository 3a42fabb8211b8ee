//! [`ApproximateCholesky`]: randomised sparse Cholesky factors of a graph's Laplacian, a preconditioner for conjugate
//! gradients.

/// Factors L D L' near the Laplacian of a weighted graph, some vertices of which are joined to the ground, a vertex of
/// value 0.
///
/// Cholesky's method eliminates a vertex with edges of weights `w_1..w_k` and sum W by joining each two of its neighbours
/// with an edge of weight `w_i w_j / W`: k^2 / 2 edges, which fill the matrix. Here, with the weights in ascending order,
/// each neighbour i but the last is joined with one j > i, drawn with probability `w_j / S_i`, by an edge of weight
/// `w_i S_i / W`, where `S_i` is the sum of the weights after i. These k - 1 edges have the same mean. A vertex of fewest
/// edges goes first.
///
/// Kyng and Sachdeva, "Approximate Gaussian elimination for Laplacians: fast, sparse, and simple", 2016 (doi
/// 10.1109/FOCS.2016.68); Gao, Kyng and Spielman, "Robust and practical solution of Laplacian equations by approximate
/// elimination", 2023 (arXiv 2303.00709). The draws come from a generator of fixed seed: the same graph has the same
/// factors. Cost: about m ln m for m edges.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ApproximateCholesky {
    /// The vertices in the order of their elimination.
    order: Vec<usize>,
    /// D, by place in that order; 0 for a vertex without edges when its turn came.
    pivots: Vec<f64>,
    /// Where the column of each place ends among the entries.
    ends: Vec<usize>,
    /// -L below its diagonal, by column: the place of a neighbour and its share w / W.
    entries: Vec<(usize, f64)>,
}

impl ApproximateCholesky {
    /// Of the graph of `ground.len()` vertices with `edges`, each two vertices and a weight; `ground` holds the weights of
    /// the vertices' edges to the ground. A weight of 0 is no edge.
    pub(super) fn new(edges: impl Iterator<Item = (usize, usize, f64)>, ground: &[f64]) -> Self {
        let vertices = ground.len();
        let mut elimination = Elimination::new(edges, ground);
        let mut factors = Self {
            order: Vec::with_capacity(vertices),
            pivots: Vec::with_capacity(vertices),
            ends: Vec::with_capacity(vertices),
            entries: Vec::new(),
        };
        while let Some(vertex) = elimination.next_vertex() {
            let total = elimination.eliminate(vertex);
            factors.order.push(vertex);
            factors.pivots.push(total);
            let neighbours = elimination.neighbours.iter();
            let shares = neighbours.map(|&(neighbour, weight)| (neighbour, weight / total));
            factors
                .entries
                .extend(shares.filter(|&(neighbour, _)| neighbour < vertices));
            factors.ends.push(factors.entries.len());
        }
        let mut place_of = vec![0; vertices];
        for (place, &vertex) in factors.order.iter().enumerate() {
            place_of[vertex] = place;
        }
        for (neighbour, _) in &mut factors.entries {
            *neighbour = place_of[*neighbour];
        }
        factors
    }

    /// `values` becomes the x with L D L' x = `values`; of vertices that no path joins to the ground, one gets 0.
    pub(super) fn solve(&self, values: &mut [f64]) {
        let mut placed: Vec<f64> = self.order.iter().map(|&vertex| values[vertex]).collect();
        let mut start = 0;
        for (place, &end) in self.ends.iter().enumerate() {
            let value = placed[place];
            for &(neighbour, share) in &self.entries[start..end] {
                placed[neighbour] += share * value;
            }
            start = end;
        }
        let mut end = self.entries.len();
        for (place, &pivot) in self.pivots.iter().enumerate().rev() {
            let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
            let mut value = if pivot > 0.0 { placed[place] / pivot } else { 0.0 };
            for &(neighbour, share) in &self.entries[start..end] {
                value += share * placed[neighbour];
            }
            placed[place] = value;
            end = start;
        }
        for (&vertex, value) in self.order.iter().zip(placed) {
            values[vertex] = value;
        }
    }
}

/// A graph whose vertices are eliminated one by one; the ground is the vertex after the last.
struct Elimination {
    /// The edges of each vertex but the ground: parallel ones, and old ones to eliminated vertices, included.
    edges: Vec<Vec<(usize, f64)>>,
    /// How many of these lead to vertices that are not eliminated, parallel ones counted apart.
    degrees: Vec<usize>,
    eliminated: Vec<bool>,
    /// The vertices by degree, old entries of eliminated vertices and of other degrees included.
    queue: Vec<Vec<usize>>,
    /// No vertex has a lower degree.
    lowest: usize,
    /// The neighbours of the vertex eliminated last, in ascending order of weight.
    neighbours: Vec<(usize, f64)>,
    /// The sums of these weights up to each.
    sums: Vec<f64>,
    /// Buffer: 0 for each vertex.
    weight_to: Vec<f64>,
    random: u64,
}

impl Elimination {
    fn new(edges: impl Iterator<Item = (usize, usize, f64)>, ground: &[f64]) -> Self {
        let vertices = ground.len();
        let mut graph = Self {
            edges: vec![Vec::new(); vertices],
            degrees: vec![0; vertices],
            eliminated: vec![false; vertices + 1],
            queue: vec![Vec::new(); vertices + 1],
            lowest: 0,
            neighbours: Vec::new(),
            sums: Vec::new(),
            weight_to: vec![0.0; vertices + 1],
            random: 0,
        };
        for (a, b, weight) in edges {
            graph.join(a, b, weight);
        }
        for (vertex, &weight) in ground.iter().enumerate() {
            graph.join(vertex, vertices, weight);
        }
        for vertex in 0..vertices {
            graph.enqueue(vertex);
        }
        graph
    }

    fn join(&mut self, a: usize, b: usize, weight: f64) {
        if weight > 0.0 {
            for (from, to) in [(a, b), (b, a)] {
                if let Some(edges) = self.edges.get_mut(from) {
                    edges.push((to, weight));
                    self.degrees[from] += 1;
                }
            }
        }
    }

    fn enqueue(&mut self, vertex: usize) {
        let degree = self.place_in_queue(vertex);
        self.queue[degree].push(vertex);
        self.lowest = self.lowest.min(degree);
    }

    fn place_in_queue(&self, vertex: usize) -> usize {
        self.degrees[vertex].min(self.queue.len() - 1)
    }

    /// A vertex of lowest degree, `None` after the last.
    fn next_vertex(&mut self) -> Option<usize> {
        loop {
            let Some(vertex) = self.queue.get_mut(self.lowest)?.pop() else {
                self.lowest += 1;
                continue;
            };
            if !self.eliminated[vertex] && self.place_in_queue(vertex) == self.lowest {
                return Some(vertex);
            }
        }
    }

    /// Takes `vertex` out and joins its neighbours; the sum of their weights.
    fn eliminate(&mut self, vertex: usize) -> f64 {
        self.eliminated[vertex] = true;
        let neighbours = self.take_neighbours(vertex);
        self.sums.clear();
        let mut total = 0.0;
        for &(_, weight) in &neighbours {
            total += weight;
            self.sums.push(total);
        }
        let last = neighbours.len().saturating_sub(1);
        for (index, &(neighbour, weight)) in neighbours[..last].iter().enumerate() {
            let after = total - self.sums[index];
            let drawn = self.sums[index] + self.uniform() * after;
            // Rounding may leave the range.
            let partner = self
                .sums
                .partition_point(|&sum| sum <= drawn)
                .clamp(index + 1, last);
            self.join(neighbour, neighbours[partner].0, weight * (after / total));
        }
        for &(neighbour, _) in &neighbours {
            if neighbour < self.edges.len() {
                self.enqueue(neighbour);
            }
        }
        self.neighbours = neighbours;
        total
    }

    /// The neighbours that are not eliminated, parallel edges added up, in ascending order of weight.
    fn take_neighbours(&mut self, vertex: usize) -> Vec<(usize, f64)> {
        let mut neighbours = std::mem::take(&mut self.neighbours);
        neighbours.clear();
        for (neighbour, weight) in std::mem::take(&mut self.edges[vertex]) {
            if self.eliminated[neighbour] {
                continue;
            }
            if self.weight_to[neighbour] == 0.0 {
                neighbours.push((neighbour, 0.0));
            }
            self.weight_to[neighbour] += weight;
            if let Some(degree) = self.degrees.get_mut(neighbour) {
                *degree -= 1;
            }
        }
        for (neighbour, weight) in &mut neighbours {
            *weight = std::mem::take(&mut self.weight_to[*neighbour]);
        }
        neighbours.sort_unstable_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        neighbours
    }

    /// A number in \[0, 1): Steele, Lea and Flood's `SplitMix64`, 2014 (doi 10.1145/2660193.2660195).
    fn uniform(&mut self) -> f64 {
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.random;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((bits ^ (bits >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The Laplacian, ground included, times `values`.
    fn multiply(edges: &[(usize, usize, f64)], ground: &[f64], values: &[f64]) -> Vec<f64> {
        let mut product: Vec<f64> = ground.iter().zip(values).map(|(w, x)| w * x).collect();
        for &(a, b, weight) in edges {
            let flow = weight * (values[a] - values[b]);
            product[a] += flow;
            product[b] -= flow;
        }
        product
    }

    fn solved(edges: &[(usize, usize, f64)], ground: &[f64], right: &[f64]) -> Vec<f64> {
        let mut values = right.to_vec();
        ApproximateCholesky::new(edges.iter().copied(), ground).solve(&mut values);
        values
    }

    #[test]
    fn factors_of_a_forest_are_exact_with_and_without_ground() {
        // Two paths and a star of ten vertices each, and right sides that sum to 0 in each.
        let edges: Vec<_> = (0..29)
            .filter(|i| i % 10 != 9)
            .map(|i: usize| (i.min(20), i + 1, [1e-3, 1.0, 1e3][i % 3]))
            .collect();
        let right: Vec<f64> = (0..30).map(|i| 4.5 - f64::from(i % 10)).collect();
        for grounded in [0.0, 0.3] {
            let mut ground = vec![0.0; 30];
            for root in [3, 10, 20] {
                ground[root] = grounded;
            }
            let values = solved(&edges, &ground, &right);
            let product = multiply(&edges, &ground, &values);
            for (product, right) in product.iter().zip(&right) {
                assert!((product - right).abs() < 1e-7, "{product} {right}");
            }
        }
    }

    #[test]
    fn a_vertex_without_edges_is_0_and_every_other_gets_its_share() {
        let values = solved(
            &[(0, 1, 2.0), (1, 3, 0.0)],
            &[0.0, 0.5, 0.0, 0.0],
            &[1.0, 1.0, 7.0, 7.0],
        );
        assert_eq!(values, [4.5, 4.0, 0.0, 0.0]);
    }
}
