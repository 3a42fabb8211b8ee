//! Duals to start exact pairings from, learnt once from samples of the players.

use std::ops::Range;

use matchwright_solver::{
    Certificate, CostOracle, ExactPairing, Objective, PairingSolver, SolveError, Workspace,
};
use rand::Rng;
use rayon::prelude::*;

use super::among::{Among, draw};
use super::components::{Component, dot, principal_components};

/// How many principal components say how a player's dual depends on who else waits.
const COMPONENTS: usize = 8;

/// What a player pays of a pair's cost, as a function of his own state and of who else waits.
///
/// An exact pairing has a dual y for each player, with about `y_i + y_j <= c_ij` and equality for good pairs. Whoever
/// knows the duals has nearly solved the pool, and pools of one population have similar ones. So some samples s of a
/// list of players are solved once, and their duals carried over to the whole list:
///
/// ```text
/// y_i^s = min over j in s of (c_ij - y_j^s)              the c-transform; members of s keep their own
/// y_i   = mean over s of y_i^s                           the dual in the average pool
/// v_ik                                                   principal components k of y_i^s - y_i, with mean square 1
/// a_k   = r_k (mean of v_k over the pool - over the list)
/// start = y_i + sum over k of a_k v_ik
/// ```
///
/// The last two lines are the response to who is there. A pool's duals are off the average together, in few ways:
/// with too many players who mind losing, say, those who do not can ask for more. The first component has two thirds
/// to three quarters of the variance between samples, three have nine tenths. The pool's duals maximise the sum of
/// `y_i` over the pool as far as its costs allow; the slope of that sum in the direction `v_k` is the sum of `v_k`,
/// and at the list's own optimum costs balance it. So what is not balanced in a pool is the difference of the two
/// means, and to first order the optimum moves in proportion. `r_k` is the slope of that line, by least squares over
/// the samples, of which both `a_k` and the means are known.
///
/// Any numbers will do to start from: the pairing is the same whatever they are
/// ([`ExactPairing::solve_from`]), only the time differs. One table serves pools of all sizes.
///
/// Sources: Villani, "Topics in optimal transportation", 2003, section 2.4 for the c-transform; Jolliffe, "Principal
/// component analysis", 2nd edition, 2002 (doi 10.1007/b98835).
///
/// # What it saves
/// Time of a solve from these duals over that of a solve without, least and largest cost, EOMM's edges among the
/// 10,000 states of the study's default population, by the number of components:
///
/// | pool | 0 | 1 | 3 | 8 | from its own duals |
/// |---|---|---|---|---|---|
/// | 100 | .48-.57 | .38-.46 | .35-.41 | .31-.37 | .27-.34 |
/// | 300 | .55-.63 | .46-.54 | .43-.51 | .41-.47 | .31-.42 |
/// | 500 | .49-.67 | .46-.54 | .44-.52 | .40-.49 | .31-.38 |
///
/// The pool's own duals are the best start there is; what is left of the time then goes into reading the costs and
/// into the proof. More or larger samples save nothing more.
///
/// # Cost
/// Samples times size looks at costs for each player, and as many exact pairings of that size as samples, on the
/// current thread pool. The table is the same for any number of threads.
///
/// ```
/// use matchwright_sim::policy::{SamplePlan, StartingDuals};
/// use matchwright_solver::{DenseCosts, ExactPairing, Objective, PairingSolver, Workspace};
/// use rand::SeedableRng;
///
/// // A list of 300 players, and a pool of 40 of them.
/// let cost = |i: usize, j: usize| ((i * i % 83) as f64 - (j * j % 83) as f64).abs();
/// let list = DenseCosts::from_fn(300, cost)?;
/// let pool: Vec<usize> = (0..40).map(|k| 7 * k).collect();
/// let costs = DenseCosts::from_fn(40, |a, b| cost(pool[a], pool[b]))?;
///
/// let plan = SamplePlan { samples: 12, size: 60 };
/// let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
/// let [starts] = StartingDuals::learn(&list, [Objective::Minimize], plan, &mut rng)?;
/// let mut duals = Vec::new();
/// starts.write_pool(pool.iter().map(|&i| starts.player(i)), &mut duals);
///
/// let (solver, mut workspace) = (ExactPairing::minimum().with_canonical_ties(), Workspace::new());
/// let cold = solver.solve(&mut workspace, &costs)?;
/// let warm = solver.solve_from(&mut workspace, &costs, &duals)?;
/// assert_eq!(warm.mates(), cold.mates());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct StartingDuals {
    objective: Objective,
    samples: Vec<Sample>,
    responses: [Response; COMPONENTS],
    players: Vec<PlayerDual>,
}

/// How many samples of how many players [`StartingDuals`] are learnt from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SamplePlan {
    /// Samples; 0 counts as 1. Default 48.
    pub samples: usize,
    /// Players in each; one less if odd, and no more than there are. Default 250. It need not be the pools' size.
    pub size: usize,
}

impl Default for SamplePlan {
    fn default() -> Self {
        Self {
            samples: 48,
            size: 250,
        }
    }
}

/// What [`StartingDuals`] know of one player: his dual in the average pool, and his part in each component.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlayerDual {
    mean: f64,
    parts: [f64; COMPONENTS],
}

/// Some players, ascending, and their duals when they are paired among themselves.
#[derive(Clone, Debug, PartialEq)]
struct Sample {
    members: Vec<usize>,
    duals: Vec<f64>,
}

/// A component, and how pools respond in it.
#[derive(Clone, Debug, PartialEq)]
struct Response {
    /// By sample, as of [`Component::weights`].
    weights: Vec<f64>,
    /// Mean of the parts over the list.
    centre: f64,
    /// r: how much of the component a pool has for each unit by which its mean is off the centre.
    factor: f64,
}

impl StartingDuals {
    /// Learns from the costs among a list of players, for each of these objectives, from the same samples.
    ///
    /// Samples are drawn from `rng`. A live service takes some thousands of recent players as its list.
    ///
    /// # Errors
    /// As [`ExactPairing`], for example if a sample has no perfect matching.
    pub fn learn<const N: usize>(
        costs: &dyn CostOracle,
        objectives: [Objective; N],
        plan: SamplePlan,
        rng: &mut dyn Rng,
    ) -> Result<[Self; N], SolveError> {
        let drawn = draw(costs.vertices(), plan, rng);
        let solved = drawn
            .into_par_iter()
            .map_init(Workspace::new, |workspace, members| {
                let among = Among::new(costs, &members);
                let mut duals = [const { Vec::new() }; N];
                for (duals, objective) in duals.iter_mut().zip(objectives) {
                    let pairing = ExactPairing::new(objective).solve(workspace, among.as_dyn())?;
                    *duals = pairing.certificate().map_or(Vec::new(), without_blossoms);
                }
                drop(among);
                Ok((members, duals))
            });
        let mut solved: Vec<(Vec<usize>, [Vec<f64>; N])> = solved.collect::<Result<_, SolveError>>()?;
        let players = costs.vertices();
        let mut left: Vec<[Vec<f64>; N]> = (0..players.div_ceil(TOGETHER))
            .into_par_iter()
            .flat_map_iter(|part| {
                let part = part * TOGETHER..players.min((part + 1) * TOGETHER);
                what_all_leave(&solved, objectives, costs, part)
            })
            .collect();
        Ok(std::array::from_fn(|o| {
            let samples = solved.iter_mut().map(|(members, duals)| Sample {
                members: members.clone(),
                duals: std::mem::take(&mut duals[o]),
            });
            let rows = left.iter_mut().map(|left| std::mem::take(&mut left[o]));
            Self::fit(objectives[o], samples.collect(), rows.collect())
        }))
    }

    /// From what each sample leaves each player of the list.
    fn fit(objective: Objective, samples: Vec<Sample>, mut left: Vec<Vec<f64>>) -> Self {
        let means: Vec<f64> = left.iter_mut().map(|row| take_mean(row)).collect();
        let components: [Component; COMPONENTS] = principal_components(&left, samples.len());
        let responses = components.map(|component| Response::learn(component, &samples, &left));
        let place = |(&mean, row): (&f64, &Vec<f64>)| PlayerDual::of(mean, row, &responses);
        let players = means.iter().zip(&left).map(place).collect();
        Self {
            objective,
            samples,
            responses,
            players,
        }
    }

    /// What is known of player `i` of the list.
    ///
    /// # Panics
    /// If there is no such player, as indexing does.
    #[must_use]
    pub fn player(&self, i: usize) -> PlayerDual {
        self.players[i]
    }

    /// What is to be said of a player who is not on the list, from his costs with those who are: `None` for a
    /// forbidden pair. He is asked about the members of the samples only.
    #[must_use]
    pub fn newcomer(&self, cost: impl Fn(usize) -> Option<f64>) -> PlayerDual {
        let mut row = Vec::new();
        let left = self.samples.iter().map(|sample| {
            look_up(&mut row, &sample.members, &cost);
            what_is_left(self.objective, &row, &sample.duals)
        });
        let mut left: Vec<f64> = left.collect();
        PlayerDual::of(take_mean(&mut left), &left, &self.responses)
    }

    /// Writes the starting duals of a pool, in the pool's order, for [`PoolStarts`](super::PoolStarts) or
    /// [`ExactPairing::solve_from`]. O(n), without allocation once `duals` has room.
    pub fn write_pool(&self, pool: impl Iterator<Item = PlayerDual> + Clone, duals: &mut Vec<f64>) {
        let mut sums = [0.0; COMPONENTS];
        let mut count = 0_usize;
        for player in pool.clone() {
            count += 1;
            for (sum, part) in sums.iter_mut().zip(player.parts) {
                *sum += part;
            }
        }
        let mut amounts = sums;
        for ((amount, sum), response) in amounts.iter_mut().zip(sums).zip(&self.responses) {
            *amount = response.amount(sum / count.max(1) as f64);
        }
        duals.clear();
        duals.extend(pool.map(|player| player.mean + dot(&player.parts, &amounts)));
    }
}

impl PlayerDual {
    /// From the mean of what all samples leave a player, and the differences from it.
    fn of(mean: f64, differences: &[f64], responses: &[Response; COMPONENTS]) -> Self {
        let part = |response: &Response| dot(differences, &response.weights);
        Self {
            mean,
            parts: responses.each_ref().map(part),
        }
    }
}

impl Response {
    /// The response in a component, from the differences between samples at each player.
    fn learn(component: Component, samples: &[Sample], differences: &[Vec<f64>]) -> Self {
        let Component { weights, shares } = component;
        let parts: Vec<f64> = differences.iter().map(|row| dot(row, &weights)).collect();
        let centre = mean(parts.iter().copied());
        let off_centre = |sample: &Sample| mean(sample.members.iter().map(|&i| parts[i])) - centre;
        let offs: Vec<f64> = samples.iter().map(off_centre).collect();
        let factor = dot(&shares, &offs) / dot(&offs, &offs);
        Self {
            weights,
            centre,
            // Samples that are all the same have nothing to tell.
            factor: if factor.is_finite() { factor } else { 0.0 },
        }
    }

    /// a = r (mean - centre).
    fn amount(&self, mean: f64) -> f64 {
        self.factor * (mean - self.centre)
    }
}

/// A sample's duals as they would be without blossoms, `y_i` less half the duals of the blossoms around i.
///
/// These are feasible by themselves, and tight on all matched pairs within blossoms. A player whom nobody suits puts
/// all others into one large blossom, and the plain duals of that sample are all off by half its dual.
fn without_blossoms(certificate: &Certificate) -> Vec<f64> {
    let halves_to_costs = 0.5 * certificate.resolution();
    let mut duals: Vec<f64> = certificate.duals().collect();
    let mut around: Vec<f64> = Vec::with_capacity(certificate.blossoms().len());
    for blossom in certificate.blossoms() {
        let outside = blossom.around.and_then(|outer| around.get(outer)).unwrap_or(&0.0);
        let all = outside + blossom.dual as f64 * halves_to_costs;
        around.push(all);
        for &i in &blossom.direct_vertices {
            duals[i] -= 0.5 * all;
        }
    }
    duals
}

/// Players of the list that are held against a sample together.
const TOGETHER: usize = 256;

/// What each sample leaves some players of the list, player by player, for each objective.
fn what_all_leave<const N: usize>(
    solved: &[(Vec<usize>, [Vec<f64>; N])],
    objectives: [Objective; N],
    costs: &dyn CostOracle,
    players: Range<usize>,
) -> Vec<[Vec<f64>; N]> {
    let mut left = vec![[const { Vec::new() }; N]; players.len()];
    let (mut both, mut row) = (Vec::new(), Vec::new());
    for (members, duals) in solved {
        both.clear();
        both.extend(members.iter().copied().chain(players.clone()));
        let both = Among::new(costs, &both);
        row.resize(members.len(), 0.0);
        for (at, (i, left)) in players.clone().zip(&mut left).enumerate() {
            let own = members.binary_search(&i).ok();
            if own.is_none() {
                both.as_dyn().cost_row(members.len() + at, 0, &mut row);
            }
            for ((left, duals), objective) in left.iter_mut().zip(duals).zip(objectives) {
                left.push(match own {
                    Some(at) => duals[at],
                    None => what_is_left(objective, &row, duals),
                });
            }
        }
    }
    left
}

/// A player's costs with the members of a sample; NaN for a forbidden pair.
fn look_up(row: &mut Vec<f64>, members: &[usize], cost: impl Fn(usize) -> Option<f64>) {
    row.clear();
    row.extend(members.iter().map(|&j| cost(j).unwrap_or(f64::NAN)));
}

/// min over j of (`c_j` - `y_j`); 0 where there is no pair.
fn what_is_left(objective: Objective, costs: &[f64], duals: &[f64]) -> f64 {
    // `min` passes over NaN.
    let least = costs
        .iter()
        .zip(duals)
        .fold(f64::INFINITY, |least, (&cost, dual)| {
            least.min(objective.as_minimum(cost) - dual)
        });
    if least.is_finite() { least } else { 0.0 }
}

/// Takes the mean out of a row.
fn take_mean(row: &mut [f64]) -> f64 {
    let mean = mean(row.iter().copied());
    for value in row {
        *value -= mean;
    }
    mean
}

/// 0 of nothing.
fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len().max(1) as f64;
    values.sum::<f64>() / count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::among::Renamed;
    use crate::policy::{Method, PoolStarts, WaitingPool};
    use crate::random::{Purpose, stream};
    use matchwright_solver::DenseCosts;
    use rand::RngExt;
    use rand::seq::index::sample;

    const PLAN: SamplePlan = SamplePlan {
        samples: 10,
        size: 40,
    };

    /// EOMM's edges in small: a player's churn after a win and after a loss, mixed by the gap in skill.
    fn list(players: usize, seed: u64) -> DenseCosts {
        let mut rng = stream(seed, Purpose::Traits, 0, 0);
        let mut state = || {
            let after_win = rng.random_range(0.1..0.9);
            (
                rng.random_range(-3.0..3.0),
                after_win,
                after_win + rng.random_range(-0.05..0.1),
            )
        };
        let states: Vec<(f64, f64, f64)> = (0..players).map(|_| state()).collect();
        DenseCosts::from_fn(players, |i, j| {
            let ((r, win, loss), (other, other_win, other_loss)) = (states[i], states[j]);
            let p: f64 = 1.0 / (1.0 + f64::exp(other - r));
            p * (win + other_loss) + (1.0 - p) * (loss + other_win)
        })
        .unwrap()
    }

    fn learn(costs: &dyn CostOracle, plan: SamplePlan) -> [StartingDuals; 2] {
        let ends = [Objective::Minimize, Objective::Maximize];
        StartingDuals::learn(costs, ends, plan, &mut stream(1, Purpose::Starts, 0, 0)).unwrap()
    }

    fn duals_of(starts: &StartingDuals, pool: &[usize]) -> Vec<f64> {
        let mut duals = vec![f64::NAN];
        starts.write_pool(pool.iter().map(|&i| starts.player(i)), &mut duals);
        duals
    }

    fn pools(players: usize, size: usize) -> impl Iterator<Item = Vec<usize>> {
        (0..8).map(move |k| sample(&mut stream(2, Purpose::Pool, k, 0), players, size).into_vec())
    }

    /// By how much the duals miss those of the pool's own solve: mean square.
    fn miss(objective: Objective, costs: &dyn CostOracle, pool: &[usize], duals: &[f64]) -> f64 {
        let among = Renamed { costs, members: pool };
        let pairing = ExactPairing::new(objective)
            .solve(&mut Workspace::new(), &among)
            .unwrap();
        let own = without_blossoms(pairing.certificate().unwrap());
        mean(own.iter().zip(duals).map(|(own, dual)| (own - dual).powi(2)))
    }

    #[test]
    fn every_method_pairs_the_same_with_and_without_starts() {
        let costs = list(300, 1);
        let [least, most] = learn(&costs, PLAN);
        for pool in pools(300, 80) {
            let among = Renamed {
                costs: &costs,
                members: &pool,
            };
            let (least, most) = (duals_of(&least, &pool), duals_of(&most, &pool));
            let skills: Vec<f64> = pool.iter().map(|&i| i as f64).collect();
            for method in Method::ALL {
                let paired = |starts| {
                    let pool = WaitingPool {
                        skills: &skills,
                        costs: &among,
                        starts,
                    };
                    let mut rng = stream(3, Purpose::Pairing, 0, 0);
                    method
                        .policy()
                        .pair(pool, &mut rng, &mut Workspace::new())
                        .unwrap()
                };
                let cold = paired(PoolStarts::default());
                let warm = paired(PoolStarts {
                    least: Some(&least),
                    most: Some(&most),
                });
                assert_eq!(warm.mates(), cold.mates(), "{}", method.name());
            }
        }
    }

    /// Each start serves its own end of the scale, and the response to who is there is worth its while.
    #[test]
    fn starts_are_near_the_pools_own_duals_and_nearer_for_the_response() {
        let costs = list(600, 4);
        for (starts, objective) in learn(
            &costs,
            SamplePlan {
                samples: 24,
                size: 80,
            },
        )
        .into_iter()
        .zip([Objective::Minimize, Objective::Maximize])
        {
            let (mut start, mut average, mut nothing) = (0.0, 0.0, 0.0);
            for pool in pools(600, 100) {
                start += miss(objective, &costs, &pool, &duals_of(&starts, &pool));
                let means: Vec<f64> = pool.iter().map(|&i| starts.player(i).mean).collect();
                average += miss(objective, &costs, &pool, &means);
                nothing += miss(objective, &costs, &pool, &[0.0; 100]);
            }
            assert!(average < 0.01 * nothing, "{average} of {nothing}");
            assert!(start < 0.5 * average, "{start} of {average}");
        }
    }

    #[test]
    fn any_number_of_threads_learns_the_same() {
        let costs = list(200, 5);
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| learn(&costs, PLAN))
        };
        let one = on(1);
        assert_eq!(one, on(2));
        assert_eq!(one, on(5));
    }

    #[test]
    fn members_of_the_only_sample_keep_their_duals() {
        let costs = list(100, 10);
        for starts in learn(&costs, SamplePlan { samples: 1, size: 40 }) {
            for (&i, &dual) in starts.samples[0].members.iter().zip(&starts.samples[0].duals) {
                assert_eq!(starts.player(i).mean, dual);
            }
        }
    }

    #[test]
    fn a_newcomer_is_placed_as_one_on_the_list() {
        let costs = list(300, 6);
        for starts in learn(&costs, SamplePlan { samples: 3, size: 40 }) {
            let in_sample = |i: &usize| starts.samples.iter().any(|sample| sample.members.contains(i));
            let others: Vec<usize> = (0..300).filter(|i| !in_sample(i)).collect();
            assert!(others.len() > 100);
            for i in others {
                assert_eq!(starts.newcomer(|j| costs.cost(i, j)), starts.player(i));
            }
        }
    }

    /// Players with even numbers, and players with odd ones, who never meet.
    struct Regions<'a>(&'a DenseCosts);

    impl CostOracle for Regions<'_> {
        fn vertices(&self) -> usize {
            self.0.vertices()
        }

        fn cost(&self, i: usize, j: usize) -> Option<f64> {
            (i % 2 == j % 2).then(|| self.0.cost(i, j)).flatten()
        }
    }

    #[test]
    fn forbidden_pairs_leave_players_to_those_who_are_allowed() {
        let all = list(200, 7);
        let apart = Regions(&all);
        let plan = SamplePlan {
            samples: 2,
            size: 200,
        };
        for starts in learn(&apart, plan) {
            let members: Vec<usize> = (0..40).collect();
            let duals = duals_of(&starts, &members);
            let among = Renamed {
                costs: &apart,
                members: &members,
            };
            let solver = ExactPairing::new(starts.objective).with_canonical_ties();
            let warm = solver.solve_from(&mut Workspace::new(), &among, &duals).unwrap();
            assert_eq!(
                warm.mates(),
                solver.solve(&mut Workspace::new(), &among).unwrap().mates()
            );
            let even = starts.newcomer(|j| apart.cost(0, j));
            assert!(even.mean.is_finite() && even.mean != 0.0);
            let stranger = starts.newcomer(|_| None);
            assert_eq!(stranger.mean, 0.0);
        }
        let odd = SamplePlan { samples: 9, size: 50 };
        let mut rng = stream(1, Purpose::Starts, 0, 0);
        let refused = StartingDuals::learn(&apart, [Objective::Minimize], odd, &mut rng);
        assert!(matches!(refused, Err(SolveError::NoPerfectMatching { .. })));
    }

    #[test]
    fn lists_of_none_one_two_and_three_players_are_learnt() {
        for players in 0..4 {
            let costs = list(players, 8);
            for starts in learn(&costs, SamplePlan { samples: 0, size: 9 }) {
                let all: Vec<usize> = (0..players).collect();
                let duals = duals_of(&starts, &all);
                assert_eq!(duals.len(), players);
                assert!(duals.iter().all(|dual| dual.is_finite()), "{duals:?}");
                let newcomer = starts.newcomer(|_| Some(1.0));
                assert!(newcomer.mean.is_finite());
                let mut one = Vec::new();
                starts.write_pool([newcomer].into_iter(), &mut one);
                assert!(one[0].is_finite());
            }
        }
    }

    #[test]
    fn players_of_one_state_pay_half_of_the_cost_each() {
        let costs = DenseCosts::from_fn(60, |_, _| 3.0).unwrap();
        let [least, most] = learn(&costs, PLAN);
        let pool: Vec<usize> = (0..20).collect();
        assert_eq!(duals_of(&least, &pool), [1.5; 20]);
        assert_eq!(duals_of(&most, &pool), [-1.5; 20]);
    }

    #[test]
    fn an_empty_pool_has_no_starts() {
        let [starts, _] = learn(&list(60, 9), PLAN);
        assert!(duals_of(&starts, &[]).is_empty());
    }
}
