//! EOMM's costs as a function of two players, written so that a compiler makes vector instructions of a row.

use matchwright_solver::CostOracle;

use crate::families::{Player, players};

/// The complete graph of the players of [`eomm`](crate::eomm), in 48 bytes a player.
///
/// With E - 1/2 = h, Player `i`'s churn c after a win, a draw and a loss, and d = .8 (cL - cW), the edge
///
/// ```text
/// w = .2 (cD_i + cD_j) + .8 (E (cW_i + cL_j) + (1 - E) (cL_i + cW_j))
///   = (a_i + a_j) - h (d_i - d_j),    a = .2 cD + .4 (cW + cL)
/// h = 1/2 - 1 / (1 + 2^y),            y = (s_i - s_j) / sqrt(v_i + v_j)
/// ```
///
/// where s = q (r - 1500) / ln 2 is a rating in doublings of the odds, v = 1/2 + 3 q^2 RD^2 / pi^2, and
/// q = ln 10 / 400. What is a player's own is computed once, so that a pair takes a root, two divisions and
/// one power of two.
///
/// Rows are in double precision. [`lower_bounds`](CostOracle::lower_bounds) are in single precision, less a
/// [margin](Self::margin) that covers all rounding.
#[derive(Debug, Clone)]
pub struct EommCosts {
    exact: Columns<f64>,
    rough: Columns<f32>,
    margin: f32,
}

/// One array for each property, in the players' order.
#[derive(Debug, Clone, Default)]
struct Columns<T> {
    /// s: doublings of the odds above a rating of 1500.
    skill: Vec<T>,
    /// v: half of 1 / g^2 for two players alike.
    variance: Vec<T>,
    /// a: half of the cost against an equal.
    base: Vec<T>,
    /// d: how much more is lost by losing than by winning.
    stake: Vec<T>,
}

/// One player's entries.
#[derive(Debug, Clone, Copy)]
struct Entry<T> {
    skill: T,
    variance: T,
    base: T,
    stake: T,
}

impl EommCosts {
    /// The graph of a seed.
    #[must_use]
    pub fn draw(n: usize, seed: u64) -> Self {
        Self::of(&players(n, seed))
    }

    /// The graph of two populations: the players of one seed, and after them `others` of another.
    #[must_use]
    pub fn draw_beside(n: usize, seed: u64, others: usize, other_seed: u64) -> Self {
        let mut all = players(n, seed);
        all.extend(players(others, other_seed));
        Self::of(&all)
    }

    pub(crate) fn of(players: &[Player]) -> Self {
        let mut exact = Columns::<f64>::default();
        for player in players {
            exact.push(entry(player));
        }
        let rough = exact.rounded();
        let margin = margin(&exact);
        Self { exact, rough, margin }
    }

    /// By how much the bounds in single precision are taken down.
    #[must_use]
    pub fn margin(&self) -> f32 {
        self.margin
    }
}

impl CostOracle for EommCosts {
    fn vertices(&self) -> usize {
        self.exact.skill.len()
    }

    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        Some(cost(self.exact.entry(i), self.exact.entry(j)))
    }

    fn cost_row(&self, i: usize, from: usize, out: &mut [f64]) {
        let (own, others) = (self.exact.entry(i), self.exact.entries(from, out.len()));
        for (out, other) in out.iter_mut().zip(others) {
            *out = cost(own, other);
        }
        if let Some(own) = i.checked_sub(from).and_then(|at| out.get_mut(at)) {
            *own = f64::NAN;
        }
    }

    fn lower_bounds(&self, i: usize, from: usize, out: &mut [f32]) -> bool {
        let (own, others) = (self.rough.entry(i), self.rough.entries(from, out.len()));
        for (out, other) in out.iter_mut().zip(others) {
            *out = rough_cost(own, other) - self.margin;
        }
        true
    }

    fn among<'a>(&'a self, vertices: &[u32]) -> Option<Box<dyn CostOracle + 'a>> {
        // The margin of all is enough for some.
        Some(Box::new(Self {
            exact: self.exact.among(vertices),
            rough: self.rough.among(vertices),
            margin: self.margin,
        }))
    }
}

fn entry(player: &Player) -> Entry<f64> {
    let q = std::f64::consts::LN_10 / 400.0;
    let [win, draw, loss] = player.churn;
    Entry {
        skill: q * (player.rating - 1500.0) / std::f64::consts::LN_2,
        variance: 0.5 + 3.0 * (q * player.deviation / std::f64::consts::PI).powi(2),
        base: 0.2 * draw + 0.4 * (win + loss),
        stake: 0.8 * (loss - win),
    }
}

/// Symmetric to the bit: h and the difference of the stakes change sign together.
#[inline]
fn cost(one: Entry<f64>, other: Entry<f64>) -> f64 {
    let lead = one.skill - other.skill;
    let power = half_to_the(lead.abs() / (one.variance + other.variance).sqrt());
    let excess = (0.5 - power / (1.0 + power)).copysign(lead);
    (one.base + other.base) - excess * (one.stake - other.stake)
}

/// [`cost`] in single precision.
#[inline]
fn rough_cost(one: Entry<f32>, other: Entry<f32>) -> f32 {
    let lead = one.skill - other.skill;
    let power = roughly_half_to_the(lead.abs() / (one.variance + other.variance).sqrt());
    let excess = (0.5 - power / (1.0 + power)).copysign(lead);
    (one.base + other.base) - excess * (one.stake - other.stake)
}

/// The most by which [`rough_cost`] can exceed [`cost`], and the rounding of its own subtraction.
///
/// With u = 2^-24, the error of one operation relative to its result, and S, A, D the largest |s|, a and |d|, to
/// first order in u:
///
/// | quantity | error | because |
/// |---|---|---|
/// | lead | 4 u S | both skills and their difference are rounded |
/// | y | 10 u S | and 3 u of it from sum, root and quotient; the sum is at least 1, so abs(y) <= 2 S |
/// | 2^-abs(y) | 6 u of itself | the argument, eight terms by Horner's rule, and those left out |
/// | h | u (3 + 1.8 S) | h changes by at most ln 2 / 4 per unit of y, and by a quarter per unit of the power's logarithm |
/// | h times d - d' | u D (9 + 3.6 S) | abs(h) <= 1/2, and the difference of the stakes is off by 4 u D |
/// | cost | u (6 A + D (10 + 3.6 S)) | the bases' sum is off by 4 u A |
///
/// Taking the margin off adds u (2 A + D). What is given beyond that sum, a fifth or more, covers the terms of
/// higher order and the rounding of the cost in double precision.
#[allow(clippy::cast_possible_truncation, reason = "rounded up by a factor")]
fn margin(exact: &Columns<f64>) -> f32 {
    let largest = |values: &[f64]| values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    let (skill, base, stake) = (largest(&exact.skill), largest(&exact.base), largest(&exact.stake));
    let unit = f64::from(f32::EPSILON) / 2.0;
    (unit * (10.0 * base + stake * (16.0 + 4.4 * skill))) as f32
}

/// 1 / k!, from the last term that matters to the first.
const INVERSE_FACTORIALS: [f64; 14] = {
    let mut terms = [1.0; 14];
    let mut k = 1;
    while k < 14 {
        terms[13 - k] = terms[14 - k] / k as f64;
        k += 1;
    }
    terms
};

/// 2^-x for x >= 0, to a few units in the last place; beyond 1000 as at 1000.
///
/// -x = k + f with k whole and |f| <= 1/2: 2^k is a bit pattern, 2^f = e^(f ln 2) its Taylor series. No branch and
/// no call, so that a loop over it becomes vector instructions.
#[inline]
fn half_to_the(x: f64) -> f64 {
    /// 1.5 x 2^52: adding it rounds to a whole number, which is then in the low bits.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    let x = x.min(1000.0);
    let shifted = ROUND - x;
    let rest = (-x - (shifted - ROUND)) * std::f64::consts::LN_2;
    let whole = f64::from_bits((shifted.to_bits() << 52).wrapping_add(1_f64.to_bits()));
    whole * INVERSE_FACTORIALS.iter().fold(0.0, |sum, term| sum * rest + term)
}

/// [`half_to_the`] in single precision; beyond 100 as at 100.
#[inline]
fn roughly_half_to_the(x: f32) -> f32 {
    /// 1.5 x 2^23.
    const ROUND: f32 = 12_582_912.0;
    #[allow(clippy::cast_possible_truncation, reason = "rounded, within the margin")]
    const TERMS: [f32; 8] = {
        let mut terms = [1.0; 8];
        let mut k = 0;
        while k < 8 {
            terms[k] = INVERSE_FACTORIALS[k + 6] as f32;
            k += 1;
        }
        terms
    };
    let x = x.min(100.0);
    let shifted = ROUND - x;
    let rest = (-x - (shifted - ROUND)) * std::f32::consts::LN_2;
    let whole = f32::from_bits((shifted.to_bits() << 23).wrapping_add(1_f32.to_bits()));
    whole * TERMS.iter().fold(0.0, |sum, term| sum * rest + term)
}

impl<T: Copy> Columns<T> {
    fn push(&mut self, entry: Entry<T>) {
        self.skill.push(entry.skill);
        self.variance.push(entry.variance);
        self.base.push(entry.base);
        self.stake.push(entry.stake);
    }

    fn entry(&self, i: usize) -> Entry<T> {
        Entry {
            skill: self.skill[i],
            variance: self.variance[i],
            base: self.base[i],
            stake: self.stake[i],
        }
    }

    fn among(&self, players: &[u32]) -> Self {
        let pick = |values: &[T]| players.iter().map(|&i| values[i as usize]).collect();
        Self {
            skill: pick(&self.skill),
            variance: pick(&self.variance),
            base: pick(&self.base),
            stake: pick(&self.stake),
        }
    }

    /// The entries of `count` players in order.
    #[inline]
    fn entries(&self, from: usize, count: usize) -> impl Iterator<Item = Entry<T>> + '_ {
        let part = from..from + count;
        let (skills, variances) = (&self.skill[part.clone()], &self.variance[part.clone()]);
        let (bases, stakes) = (&self.base[part.clone()], &self.stake[part]);
        let halves = skills.iter().zip(variances).zip(bases.iter().zip(stakes));
        halves.map(|((&skill, &variance), (&base, &stake))| Entry {
            skill,
            variance,
            base,
            stake,
        })
    }
}

impl Columns<f64> {
    #[allow(clippy::cast_possible_truncation, reason = "rounding is the purpose")]
    fn rounded(&self) -> Columns<f32> {
        let round = |values: &[f64]| values.iter().map(|&value| value as f32).collect();
        Columns {
            skill: round(&self.skill),
            variance: round(&self.variance),
            base: round(&self.base),
            stake: round(&self.stake),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_player() -> impl Strategy<Value = Player> {
        let churn = 0.0..1.0_f64;
        let ratings = prop_oneof![-2000.0..6000.0_f64, 1499.0..1501.0_f64, Just(1500.0)];
        (ratings, 0.1..500.0_f64, [churn.clone(), churn.clone(), churn]).prop_map(
            |(rating, deviation, churn)| Player {
                rating,
                deviation,
                churn,
            },
        )
    }

    #[test]
    fn half_to_the_is_that() {
        for step in 0..20_000_u32 {
            let x = f64::from(step) / 512.0;
            assert!((half_to_the(x) / (-x).exp2() - 1.0).abs() < 2e-15, "{x}");
            #[allow(clippy::cast_possible_truncation, reason = "x is a multiple of 2^-9 below 40")]
            let rough = f64::from(roughly_half_to_the(x as f32));
            assert!((rough / (-x).exp2() - 1.0).abs() < 6.0 * 2_f64.powi(-24), "{x}");
        }
        assert_eq!(half_to_the(0.0), 1.0);
        assert_eq!(half_to_the(1e300), 2_f64.powi(-1000));
        assert_eq!(roughly_half_to_the(1e30), 2_f32.powi(-100));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn costs_are_those_of_the_formula_and_symmetric_to_the_bit(players in prop::collection::vec(any_player(), 2..6)) {
            let costs = EommCosts::of(&players);
            for i in 0..players.len() {
                for j in (0..players.len()).filter(|&j| j != i) {
                    let cost = costs.cost(i, j).unwrap();
                    prop_assert!((cost - players[i].edge(&players[j])).abs() < 1e-14);
                    prop_assert_eq!(cost.to_bits(), costs.cost(j, i).unwrap().to_bits());
                }
            }
        }

        #[test]
        fn a_row_holds_the_costs_to_the_bit(players in prop::collection::vec(any_player(), 2..40), at: prop::sample::Index, first: prop::sample::Index) {
            let costs = EommCosts::of(&players);
            let (i, from) = (at.index(players.len()), first.index(players.len()));
            let mut row = vec![0.0; players.len() - from];
            costs.cost_row(i, from, &mut row);
            for (j, found) in (from..).zip(row) {
                let expected = if i == j { f64::NAN } else { costs.cost(i, j).unwrap() };
                prop_assert_eq!(found.to_bits(), expected.to_bits());
            }
        }

        #[test]
        fn bounds_are_below_the_costs_but_by_little_more_than_the_margin(players in prop::collection::vec(any_player(), 2..40)) {
            let costs = EommCosts::of(&players);
            let mut bounds = vec![0.0_f32; players.len()];
            for i in 0..players.len() {
                prop_assert!(costs.lower_bounds(i, 0, &mut bounds));
                for j in (0..players.len()).filter(|&j| j != i) {
                    let room = costs.cost(i, j).unwrap() - f64::from(bounds[j]);
                    prop_assert!(room >= 0.0, "{} above by {}", bounds[j], -room);
                    prop_assert!(room <= 2.0 * f64::from(costs.margin()), "below by {room}");
                }
            }
        }
    }

    #[test]
    fn some_of_the_players_cost_each_other_what_they_did() {
        let costs = EommCosts::draw(50, 1);
        let some = [7, 3, 49, 0, 12];
        let among = costs.among(&some).unwrap();
        let (mut bounds, mut all_bounds) = ([0.0_f32; 5], [0.0_f32; 50]);
        assert_eq!(among.vertices(), 5);
        for i in 0..5 {
            costs.lower_bounds(some[i] as usize, 0, &mut all_bounds);
            among.lower_bounds(i, 0, &mut bounds);
            for j in (0..5).filter(|&j| j != i) {
                let pair = (some[i] as usize, some[j] as usize);
                assert_eq!(among.cost(i, j), costs.cost(pair.0, pair.1));
                assert_eq!(bounds[j], all_bounds[pair.1]);
            }
        }
    }

    #[test]
    fn beside_another_population_players_are_who_they_are_alone() {
        let (both, alone) = (EommCosts::draw_beside(6, 1, 4, 2), EommCosts::draw(6, 1));
        let others = EommCosts::draw(4, 2);
        assert_eq!(both.vertices(), 10);
        assert_eq!(both.cost(2, 5), alone.cost(2, 5));
        assert_eq!(both.cost(6, 9), others.cost(0, 3));
    }

    #[test]
    fn among_players_as_drawn_the_margin_is_a_few_millionths() {
        let margin = EommCosts::draw(10_000, 1).margin();
        assert!(margin > 1e-6 && margin < 4e-6, "{margin}");
    }
}
