//! [`ChoosePairs`]: which of the pairs that may start do.

/// Chooses among pairs that may start now, each vertex in one at most.
///
/// Contract: pairs of the list, disjoint, as many as possible ([`Exact`](Self) choosers) or nearly so; and of those the
/// least sum of costs. The same edges give the same pairs.
pub trait ChoosePairs {
    /// Pairs among `vertices` by their edges `(a, b, cost)`, a < b, each pair once.
    fn choose(&mut self, vertices: usize, edges: &[(usize, usize, f64)]) -> Vec<(usize, usize)>;

    /// What failed since this was last asked, as [`MatchPolicy::take_failures`](crate::MatchPolicy::take_failures) tells it.
    fn take_failures(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// Another that chooses alike, for what a policy would do next.
    fn copy(&self) -> Box<dyn ChoosePairs + Send>;
}

/// The cheapest pair first, then the cheapest of those left: no optimum, and no dependence.
#[derive(Debug, Clone, Copy, Default)]
pub struct CheapestFirst;

impl ChoosePairs for CheapestFirst {
    fn choose(&mut self, vertices: usize, edges: &[(usize, usize, f64)]) -> Vec<(usize, usize)> {
        let mut order: Vec<&(usize, usize, f64)> = edges.iter().collect();
        order.sort_by(|x, y| x.2.total_cmp(&y.2).then((x.0, x.1).cmp(&(y.0, y.1))));
        let mut is_free = vec![true; vertices];
        let mut pairs = Vec::new();
        for &&(a, b, _) in &order {
            if is_free[a] && is_free[b] {
                (is_free[a], is_free[b]) = (false, false);
                pairs.push((a, b));
            }
        }
        pairs
    }

    fn copy(&self) -> Box<dyn ChoosePairs + Send> {
        Box::new(*self)
    }
}
