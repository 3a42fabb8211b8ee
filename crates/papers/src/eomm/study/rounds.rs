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
use super::part::Shard;
use super::states::WaitingPlayer;
use crate::eomm::Method;
use crate::random::Purpose;
use matchwright_sim::population::Truth;
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
    pub(crate) config: &'a StudyConfig,
    pub(crate) system: &'a Glicko,
    pub(crate) outcomes: &'a (dyn DrawModel + Send + Sync),
    pub(crate) players: &'a [WaitingPlayer],
    pub(crate) truth: Option<&'a Truth>,
    /// Of the players.
    pub(crate) states: Vec<State>,
}

/// Buffers of one thread.
type Bench = (Workspace, DenseCosts);

impl Arena<'_> {
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

    fn round(&self, size: usize, round: u32, bench: &mut Bench) -> Result<Round> {
        let (seed, p, r) = (self.config.seed, size as u64, u64::from(round));
        // Step 1: a pool of P states.
        let chosen = sample(&mut stream(seed, Purpose::Pool, p, r), self.players.len(), size).into_vec();
        let (workspace, costs) = bench;
        let states: Vec<State> = chosen.iter().map(|&k| self.states[k]).collect();
        let churn: Vec<ChurnByOutcome> = states.iter().map(|state| state.churn).collect();
        let skills: Vec<f64> = states.iter().map(|state| state.rating).collect();
        let pool = StateGraph {
            system: self.system,
            outcomes: self.outcomes,
            states: &states,
        };
        costs.copy_from(&pool)?;
        let luck = Luck::draw(seed, p, r, size);
        let mut fitted = Retained::default();
        let broken = |what| anyhow!("round {round} with P = {size}: {what}; please report this as a bug");
        let players = || chosen.iter().map(|&k| &self.players[k]);
        let known =
            |truth| TruePool::new(truth, players()).ok_or_else(|| broken("a state has lost its truth"));
        let truth = self.truth.map(known).transpose()?;
        let mut truth = truth.map(|pool| (Retained::default(), pool));
        let no_chances = || broken("the chances of a pair are no distribution");
        for (k, method) in Method::ALL.into_iter().enumerate() {
            // Step 2: the method pairs the pool.
            let mut rng = stream(seed, Purpose::Pairing, p, r);
            let pairing = method.pair(&skills, costs, &mut rng, workspace)?;
            // Steps 3 to 5: outcomes, churn, the retained.
            let judged = luck.judge(&mut fitted, k, &pairing, &churn, |i, j| pool.chances(i, j));
            judged.ok_or_else(no_chances)?;
            if let Some((retained, pool)) = &mut truth {
                let judged = luck.judge(retained, k, &pairing, &pool.churn, |i, j| pool.chances(i, j));
                judged.ok_or_else(no_chances)?;
            }
        }
        let truth = truth.map(|(retained, _)| retained);
        Ok(Round { fitted, truth })
    }
}

/// A pool as the generator knows it.
struct TruePool<'a> {
    truth: &'a Truth,
    skills: Vec<f64>,
    churn: Vec<ChurnByOutcome>,
}

impl<'a> TruePool<'a> {
    /// None if the truth of one player is missing.
    fn new<'b>(truth: &'a Truth, pool: impl Iterator<Item = &'b WaitingPlayer>) -> Option<Self> {
        let known: Option<Vec<_>> = pool.map(|player| player.truth.as_ref()).collect();
        let known = known?;
        Some(Self {
            truth,
            skills: known.iter().map(|(side, _)| side.skill).collect(),
            churn: known.iter().map(|(_, churn)| *churn).collect(),
        })
    }

    fn chances(&self, i: usize, j: usize) -> Option<OutcomeChances> {
        let [win, draw, loss] = self.truth.outcome_probabilities(self.skills[i], self.skills[j]);
        OutcomeChances::new(win, draw, loss).ok()
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
        churn: &[ChurnByOutcome],
        chances: impl Fn(usize, usize) -> Option<OutcomeChances>,
    ) -> Option<()> {
        let mut stayed = 0_u32;
        let mut churned = 0.0;
        for (i, j) in pairing.pairs() {
            let chances = chances(i, j)?;
            churned += churn_edge(&chances, &churn[i], &churn[j]);
            let outcome = decide(&chances, self.playing[i]);
            for (player, outcome) in [(i, outcome), (j, outcome.reversed())] {
                stayed += u32::from(self.staying[player] >= churn_after(&churn[player], outcome));
            }
        }
        retained.expected[k] = churn.len() as f64 - churned;
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
    use matchwright_rating::GaussianRating;
    use matchwright_sim::progress::Quiet;
    use matchwright_sim::rate::{DrawKind, SystemParams};
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
        let system = SystemParams::default().glicko.build().unwrap();
        let outcomes = DrawKind::Fixed.model(0.2).unwrap();
        let players = players(300);
        let config = StudyConfig {
            rounds: 100,
            pools: vec![40, 60],
            ..StudyConfig::default()
        };
        let arena = Arena {
            config: &config,
            system: &system,
            outcomes: &*outcomes,
            players: &players,
            truth: None,
            states: players
                .iter()
                .map(|player| State::new(&player.rating, player.churn))
                .collect(),
        };
        let play = |threads| install(threads, || arena.play(Shard::WHOLE, &Quiet)).unwrap();
        let alone = play(1);
        assert_eq!(play(2), alone);
        assert_eq!(play(5), alone);
    }

    /// Two players, paired; the first wins, draws or loses for certain.
    fn retained(win: f64, draw: f64, loss: f64, churn: [[f64; 3]; 2]) -> Retained {
        let costs = DenseCosts::from_fn(2, |_, _| 0.0).unwrap();
        let pairing = SortAdjacent::by_index()
            .solve(&mut Workspace::new(), &costs)
            .unwrap();
        let churn = churn.map(|[win, draw, loss]| ChurnByOutcome::new(win, draw, loss).unwrap());
        let luck = Luck {
            staying: vec![0.5; 2],
            playing: vec![0.5; 2],
        };
        // Seen from the second player, a win of the first is a loss.
        let chances = |i: usize, j: usize| {
            let (win, loss) = if i < j { (win, loss) } else { (loss, win) };
            OutcomeChances::new(win, draw, loss).ok()
        };
        let mut retained = Retained::default();
        luck.judge(&mut retained, 2, &pairing, &churn, chances).unwrap();
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
