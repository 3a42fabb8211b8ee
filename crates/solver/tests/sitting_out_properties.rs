//! How lineups answer to their prices.

#![allow(clippy::unwrap_used, reason = "a failure in a helper fails the test")]

mod common;

use common::{Edge, sparse};
use matchwright_solver::{
    CostOracle, DenseCosts, ExactPairing, Lineup, Objective, SittingOut, SparseCosts, Workspace,
};
use proptest::prelude::*;

/// Costs of some pairs and a price for each player: small numbers, so that there are ties and nothing rounds.
#[derive(Debug, Clone)]
struct Pool {
    edges: Vec<Edge>,
    prices: Vec<f64>,
    objective: Objective,
    /// Read by lists, or by rows.
    lists: bool,
}

fn pool() -> impl Strategy<Value = Pool> {
    let objective = prop_oneof![Just(Objective::Minimize), Just(Objective::Maximize)];
    (1_usize..=14, objective, any::<bool>()).prop_flat_map(|(n, objective, lists)| {
        let costs = proptest::collection::vec(proptest::option::weighted(0.5, -9_i32..20), n * (n - 1) / 2);
        let prices = proptest::collection::vec(-2_i32..12, n);
        (costs, prices).prop_map(move |(costs, prices)| {
            let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
            let edges = pairs
                .zip(costs)
                .filter_map(|((i, j), cost)| Some((i, j, f64::from(cost?))));
            Pool {
                edges: edges.collect(),
                prices: prices.into_iter().map(f64::from).collect(),
                objective,
                lists,
            }
        })
    })
}

impl Pool {
    fn graph(&self) -> Box<dyn CostOracle> {
        let lists: SparseCosts = sparse(self.prices.len(), &self.edges);
        if self.lists {
            return Box::new(lists);
        }
        let n = self.prices.len();
        Box::new(DenseCosts::from_optional_fn(n, |i, j| lists.cost(i, j)).unwrap())
    }

    /// The best lineup, proven.
    fn answer(&self, priced: bool) -> Lineup {
        let graph = self.graph();
        let question = if priced {
            SittingOut::priced(&*graph, self.prices.clone())
        } else {
            SittingOut::fewest(&*graph).with_prices(self.prices.clone())
        };
        let question = question.unwrap().with_objective(self.objective);
        let solver = ExactPairing::new(self.objective);
        let lineup = question.solve(&solver, &mut Workspace::new()).unwrap();
        assert!(question.verify(&lineup).unwrap().is_exact());
        lineup
    }

    /// To be made small, whatever the objective.
    fn burden(&self, priced: bool) -> f64 {
        self.objective.as_minimum(self.answer(priced).cost())
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn raising_a_price_never_makes_that_player_sit_out(
        pool in pool(), k in any::<prop::sample::Index>(), rise in 1_i32..9, priced in any::<bool>(),
    ) {
        let k = k.index(pool.prices.len());
        let mut dearer = pool.clone();
        dearer.prices[k] += f64::from(rise);
        let (before, after) = (pool.answer(priced), dearer.answer(priced));
        if before.mates()[k].is_some() {
            prop_assert!(after.mates()[k].is_some());
            prop_assert_eq!(before.cost(), after.cost());
        }
        // The burden grows, but by no more than the price.
        let [before, after] = [before, after].map(|lineup| pool.objective.as_minimum(lineup.cost()));
        prop_assert!(before <= after && after <= before + f64::from(rise));
    }

    #[test]
    fn a_fee_for_being_in_the_pool_changes_no_lineup(pool in pool(), priced in any::<bool>()) {
        let fee = |v: usize| ((v * 37) % 11) as f64 - 5.0;
        let sign = pool.objective.as_minimum(1.0);
        let mut shifted = pool.clone();
        for (i, j, cost) in &mut shifted.edges {
            *cost += sign * (fee(*i) + fee(*j));
        }
        for (v, price) in shifted.prices.iter_mut().enumerate() {
            *price += fee(v);
        }
        let total: f64 = (0..pool.prices.len()).map(fee).sum();
        prop_assert_eq!(pool.burden(priced) + total, shifted.burden(priced));
    }

    #[test]
    fn the_maximum_is_the_minimum_of_negated_costs_at_the_same_prices(pool in pool(), priced in any::<bool>()) {
        let mut twin = pool.clone();
        twin.edges.iter_mut().for_each(|(_, _, cost)| *cost = -*cost);
        twin.objective = match pool.objective {
            Objective::Minimize => Objective::Maximize,
            Objective::Maximize => Objective::Minimize,
        };
        prop_assert_eq!(pool.burden(priced), twin.burden(priced));
    }

    #[test]
    fn lists_and_rows_have_the_same_optimum(pool in pool(), priced in any::<bool>()) {
        let other = Pool { lists: !pool.lists, ..pool.clone() };
        prop_assert_eq!(pool.burden(priced), other.burden(priced));
    }

    #[test]
    fn names_of_players_do_not_matter(
        (pool, names) in pool().prop_flat_map(|pool| {
            let names = Just((0..pool.prices.len()).collect::<Vec<_>>()).prop_shuffle();
            (Just(pool), names)
        }),
        priced in any::<bool>(),
    ) {
        let mut renamed = pool.clone();
        for (i, j, _) in &mut renamed.edges {
            (*i, *j) = (names[*j], names[*i]);
        }
        for (v, &name) in names.iter().enumerate() {
            renamed.prices[name] = pool.prices[v];
        }
        prop_assert_eq!(pool.burden(priced), renamed.burden(priced));
    }

    #[test]
    fn high_prices_leave_out_the_fewest(pool in pool()) {
        // More than all that pairs can cost.
        let high = 1000.0;
        let dear = Pool { prices: pool.prices.iter().map(|price| price + high).collect(), ..pool.clone() };
        let (few, dear) = (pool.answer(false), dear.answer(true));
        let out = few.sitting_out().count();
        prop_assert_eq!(dear.sitting_out().count(), out);
        let [few, dear] = [few, dear].map(|lineup| pool.objective.as_minimum(lineup.cost()));
        prop_assert_eq!(few + high * out as f64, dear);
    }

    #[test]
    fn a_new_partner_never_makes_the_sum_worse(pool in pool(), i in any::<prop::sample::Index>()) {
        let n = pool.prices.len();
        let i = i.index(n);
        let mut more = pool.clone();
        let known = |j: usize| pool.edges.iter().any(|&(a, b, _)| (a, b) == (i.min(j), i.max(j)));
        let new: Vec<_> = (0..n).filter(|&j| j != i && !known(j)).collect();
        more.edges.extend(new.into_iter().map(|j| (i, j, 3.0)));
        prop_assert!(more.burden(true) <= pool.burden(true));
        prop_assert!(more.answer(false).sitting_out().count() <= pool.answer(false).sitting_out().count());
    }
}
