//! The simulation of section 5.3: pools, pairings, outcomes, churn, the retained counted.

use anyhow::{Result, anyhow};
use matchwright_churn::Outcome;
use matchwright_rating::{DrawModel, Glicko};
use matchwright_scoring::{ChurnByOutcome, OutcomeChances, churn_edge};
use matchwright_solver::{DenseCosts, Pairing, Workspace};
use rand::RngExt;
use rand::seq::index::sample;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::config::StudyConfig;
use super::edges::{State, StateGraph};
use super::shard::Shard;
use super::states::WaitingPlayer;
use crate::eomm::Method;
use crate::random::Purpose;
use matchwright_sim::population::{TrueSide, Truth};
use matchwright_sim::progress::Progress;
use matchwright_sim::random::stream;

/// Retained players of one round, by method in the order of [`Method::ALL`], under one model of skill
/// and churn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Retained {
    /// Outcomes and churn drawn, as in the paper.
    pub(crate) simulated: [f64; 4],
    /// The expectation of that count, given who was paired with whom.
    pub(crate) expected: [f64; 4],
}

/// One round under both judges.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Round {
    /// Under the fitted models, which the methods also use.
    pub(crate) fitted: Retained,
    /// Under the generator's true skills and churn (X7), where there is a generator.
    pub(crate) truth: Option<Retained>,
}

/// What all rounds share.
pub(crate) struct Arena<'a> {
    config: &'a StudyConfig,
    system: &'a Glicko,
    outcomes: &'a (dyn DrawModel + Send + Sync),
    players: &'a [WaitingPlayer],
    truth: Option<&'a Truth>,
    /// Of the players.
    states: Vec<State>,
}

/// The players of one round.
pub(crate) struct Pool<'a> {
    system: &'a Glicko,
    outcomes: &'a (dyn DrawModel + Send + Sync),
    states: Vec<State>,
    /// As the generator knows them, where there is one.
    pub(crate) truth: Option<TruePool<'a>>,
}

/// Two players: the chances of the first, and the churn of both after each outcome of their own.
pub(crate) struct Pair {
    chances: OutcomeChances,
    churn: [ChurnByOutcome; 2],
}

impl Pair {
    /// How many of the two are expected to churn (Eq. 4-6).
    pub(crate) fn edge(&self) -> f64 {
        churn_edge(&self.chances, &self.churn[0], &self.churn[1])
    }
}

/// Buffers of one thread.
type Bench = (Workspace, DenseCosts);

impl<'a> Arena<'a> {
    pub(crate) fn new(
        config: &'a StudyConfig,
        (system, outcomes): (&'a Glicko, &'a (dyn DrawModel + Send + Sync)),
        players: &'a [WaitingPlayer],
        truth: Option<&'a Truth>,
    ) -> Self {
        let states = players
            .iter()
            .map(|player| State::new(&player.rating, player.churn));
        Self {
            config,
            system,
            outcomes,
            players,
            truth,
            states: states.collect(),
        }
    }

    /// A part of the rounds of all pool sizes, by pool size and then by round, on the current thread pool.
    ///
    /// A round's randomness is a function of the seed, the pool size and the round alone, and results
    /// are collected in order: any number of threads gives the same bytes.
    pub(crate) fn play(&self, shard: Shard, progress: &dyn Progress) -> Result<Vec<Vec<Round>>> {
        let rounds = shard.share(0..self.config.rounds);
        let mut all = Vec::with_capacity(self.config.pools.len());
        for &size in &self.config.pools {
            progress.begin(&format!("rounds with P = {size}"), rounds.len() as u64);
            let round = |bench: &mut Bench, round| {
                let played = self.round(size, round, bench);
                progress.advance(1);
                played
            };
            let played = rounds.clone().into_par_iter().map_init(Bench::default, round);
            all.push(played.collect::<Result<Vec<_>>>()?);
        }
        Ok(all)
    }

    /// A pool of P states, sampled for this round.
    pub(crate) fn pool(&self, size: usize, round: u32) -> Result<Pool<'_>> {
        let mut rng = stream(self.config.seed, Purpose::Pool, size as u64, round.into());
        let chosen = sample(&mut rng, self.players.len(), size).into_vec();
        let lost = || broken(size, round, "a state has lost its truth");
        let known = |truth| {
            let sides = chosen.iter().map(|&k| self.players[k].truth);
            let sides = sides.collect::<Option<Vec<_>>>().ok_or_else(lost)?;
            anyhow::Ok(TruePool { truth, sides })
        };
        Ok(Pool {
            system: self.system,
            outcomes: self.outcomes,
            states: chosen.iter().map(|&k| self.states[k]).collect(),
            truth: self.truth.map(known).transpose()?,
        })
    }

    fn round(&self, size: usize, round: u32, bench: &mut Bench) -> Result<Round> {
        let (seed, p, r) = (self.config.seed, size as u64, u64::from(round));
        // Step 1: a pool of P states.
        let pool = self.pool(size, round)?;
        let (workspace, costs) = bench;
        let skills = pool.skills();
        costs.copy_from(&pool.graph())?;
        let luck = Luck::draw(seed, p, r, size);
        let mut fitted = Retained::default();
        let mut truth = pool.truth.as_ref().map(|pool| (Retained::default(), pool));
        let no_chances = || broken(size, round, "the chances of a pair are no distribution");
        for (k, method) in Method::ALL.into_iter().enumerate() {
            // Step 2: the method pairs the pool.
            let mut rng = stream(seed, Purpose::Pairing, p, r);
            let pairing = method.pair(&skills, costs, &mut rng, workspace)?;
            // Steps 3 to 5: outcomes, churn, the retained.
            let judged = luck.judge(&mut fitted, k, &pairing, |i, j| pool.pair(i, j));
            judged.ok_or_else(no_chances)?;
            if let Some((retained, pool)) = &mut truth {
                let judged = luck.judge(retained, k, &pairing, |i, j| pool.pair(i, j));
                judged.ok_or_else(no_chances)?;
            }
        }
        let truth = truth.map(|(retained, _)| retained);
        Ok(Round { fitted, truth })
    }
}

fn broken(size: usize, round: u32, what: &str) -> anyhow::Error {
    anyhow!("round {round} with P = {size}: {what}; please report this as a bug")
}

impl Pool<'_> {
    /// Its complete graph under the fitted models.
    pub(crate) fn graph(&self) -> StateGraph<'_> {
        StateGraph {
            system: self.system,
            outcomes: self.outcomes,
            states: &self.states,
        }
    }

    /// The ratings.
    pub(crate) fn skills(&self) -> Vec<f64> {
        self.states.iter().map(|state| state.rating).collect()
    }

    /// Two of them under the fitted models; none if their chances are no distribution.
    fn pair(&self, i: usize, j: usize) -> Option<Pair> {
        Some(Pair {
            chances: self.graph().chances(i, j)?,
            churn: [i, j].map(|k| self.states[k].churn),
        })
    }
}

/// A pool as the generator knows it.
pub(crate) struct TruePool<'a> {
    truth: &'a Truth,
    sides: Vec<TrueSide>,
}

impl TruePool<'_> {
    /// Two of them under the true model; none if their chances are no distribution.
    pub(crate) fn pair(&self, i: usize, j: usize) -> Option<Pair> {
        let (own, other) = (&self.sides[i], &self.sides[j]);
        let [win, draw, loss] = self.truth.outcome_probabilities(own.skill, other.skill);
        let churn = |side, opponent: &TrueSide| {
            let [win, draw, loss] = self.truth.churn(side, opponent.skill);
            ChurnByOutcome::new(win, draw, loss).ok()
        };
        Some(Pair {
            chances: OutcomeChances::new(win, draw, loss).ok()?,
            churn: [churn(own, other)?, churn(other, own)?],
        })
    }
}

/// The luck of a round, the same for all methods (common random numbers): one number for each
/// player's decision to stay, and one for the outcome of the match in which the player is the first.
struct Luck {
    staying: Vec<f64>,
    playing: Vec<f64>,
}

impl Luck {
    fn draw(seed: u64, pool: u64, round: u64, size: usize) -> Self {
        let mut rng = stream(seed, Purpose::Outcomes, pool, round);
        let mut numbers = || (0..size).map(|_| rng.random::<f64>()).collect();
        Self {
            staying: numbers(),
            playing: numbers(),
        }
    }

    /// Plays the pairs once, and in expectation, and enters how many stay under method `k`; none if a
    /// pair has no chances.
    fn judge(
        &self,
        retained: &mut Retained,
        k: usize,
        pairing: &Pairing,
        pair: impl Fn(usize, usize) -> Option<Pair>,
    ) -> Option<()> {
        let mut stayed = 0_u32;
        let mut churned = 0.0;
        for (i, j) in pairing.pairs() {
            let pair = pair(i, j)?;
            churned += pair.edge();
            let outcome = decide(&pair.chances, self.playing[i]);
            let outcomes = [outcome, outcome.reversed()];
            for ((player, outcome), churn) in [i, j].into_iter().zip(outcomes).zip(&pair.churn) {
                stayed += u32::from(self.staying[player] >= churn_after(churn, outcome));
            }
        }
        retained.expected[k] = self.staying.len() as f64 - churned;
        retained.simulated[k] = f64::from(stayed);
        Some(())
    }
}

fn decide(chances: &OutcomeChances, u: f64) -> Outcome {
    if u < chances.win() {
        Outcome::Win
    } else if u < chances.win() + chances.draw() {
        Outcome::Draw
    } else {
        Outcome::Loss
    }
}

fn churn_after(churn: &ChurnByOutcome, outcome: Outcome) -> f64 {
    match outcome {
        Outcome::Win => churn.win(),
        Outcome::Draw => churn.draw(),
        Outcome::Loss => churn.loss(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eomm::study::glicko;
    use matchwright_rating::DrawKind;
    use matchwright_rating::GaussianRating;
    use matchwright_sim::progress::Quiet;
    use matchwright_sim::threads::install;
    use matchwright_solver::{PairingSolver, SortAdjacent};

    fn players(count: usize) -> Vec<WaitingPlayer> {
        let mut rng = stream(1, Purpose::States, 0, 0);
        let mut player = || {
            let mut number = |low, high| rng.random_range(low..high);
            let after_win = number(0.2, 0.7);
            let churn = [
                after_win,
                after_win + number(0.0, 0.1),
                after_win + number(0.0, 0.2),
            ];
            WaitingPlayer {
                rating: GaussianRating::new(number(1_000.0, 2_000.0), number(30.0, 350.0)).unwrap(),
                churn: ChurnByOutcome::new(churn[0], churn[1], churn[2]).unwrap(),
                truth: None,
            }
        };
        (0..count).map(|_| player()).collect()
    }

    #[test]
    fn rounds_are_the_same_on_any_number_of_threads() {
        let system = glicko().unwrap();
        let outcomes = DrawKind::Fixed.model(0.2).unwrap();
        let players = players(300);
        let config = StudyConfig {
            rounds: 100,
            pools: vec![40, 60],
            ..StudyConfig::default()
        };
        let arena = Arena::new(&config, (&system, &*outcomes), &players, None);
        let play = |threads| install(threads, || arena.play(Shard::WHOLE, &Quiet)).unwrap();
        let alone = play(1);
        assert_eq!(play(2), alone);
        assert_eq!(play(5), alone);
    }

    /// Two players, paired; the first wins, draws or loses for certain.
    fn retained(win: f64, draw: f64, loss: f64, churn: [[f64; 3]; 2]) -> Retained {
        let costs = DenseCosts::from_fn(2, |_, _| 0.0).unwrap();
        let pairing = SortAdjacent::by_index().solve(&costs).unwrap();
        let churn = churn.map(|[win, draw, loss]| ChurnByOutcome::new(win, draw, loss).unwrap());
        let luck = Luck {
            staying: vec![0.5; 2],
            playing: vec![0.5; 2],
        };
        // Seen from the second player, a win of the first is a loss.
        let pair = |i: usize, j: usize| {
            let (win, loss) = if i < j { (win, loss) } else { (loss, win) };
            let chances = OutcomeChances::new(win, draw, loss).ok()?;
            Some(Pair {
                chances,
                churn: [churn[i], churn[j]],
            })
        };
        let mut retained = Retained::default();
        luck.judge(&mut retained, 2, &pairing, pair).unwrap();
        retained
    }

    #[test]
    fn each_player_decides_after_his_own_outcome() {
        let sore_loser = [0.0, 0.0, 1.0];
        let bored_winner = [1.0, 0.0, 0.0];
        let hates_draws = [0.0, 1.0, 0.0];
        for (first, second, after) in [
            // After a win, a draw and a loss of the first: how many stay.
            (sore_loser, sore_loser, [1.0, 2.0, 1.0]),
            (sore_loser, bored_winner, [2.0, 2.0, 0.0]),
            (bored_winner, sore_loser, [0.0, 2.0, 2.0]),
            (hates_draws, sore_loser, [1.0, 1.0, 2.0]),
        ] {
            for (k, [win, draw, loss]) in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
                .into_iter()
                .enumerate()
            {
                let stay = retained(win, draw, loss, [first, second]);
                assert_eq!(stay.simulated[2], after[k], "{first:?} {second:?} {k}");
                assert_eq!(stay.expected[2], after[k], "{first:?} {second:?} {k}");
            }
        }
    }

    #[test]
    fn luck_decides_between_the_probabilities() {
        let even = [[0.4; 3], [0.6; 3]];
        let stay = retained(0.3, 0.3, 0.4, even);
        assert_eq!(stay.simulated[2], 1.0);
        assert!((stay.expected[2] - 1.0).abs() < 1e-12);
        assert_eq!(
            decide(&OutcomeChances::new(0.3, 0.3, 0.4).unwrap(), 0.29),
            Outcome::Win
        );
        assert_eq!(
            decide(&OutcomeChances::new(0.3, 0.3, 0.4).unwrap(), 0.31),
            Outcome::Draw
        );
        assert_eq!(
            decide(&OutcomeChances::new(0.3, 0.3, 0.4).unwrap(), 0.61),
            Outcome::Loss
        );
    }

    #[test]
    fn every_round_and_pool_has_its_own_luck() {
        let luck = |pool, round| Luck::draw(1, pool, round, 4).staying;
        assert_eq!(luck(4, 0), luck(4, 0));
        assert_ne!(luck(4, 0), luck(4, 1));
        assert_ne!(luck(4, 0), luck(6, 0));
    }
}
