//! Splits by annealing over exchanges, the objective being asked about each: any objective, any number of teams.

use super::group::Group;
use super::pack::{Packing, pack};
use super::{SplitError, SplitProof, TeamSplit};
use crate::random::SplitMix64;
use crate::search::{Anneal, Budget, Evaluator, Exchange, Noise, Partners, Seats};
use crate::{LobbyObjective, LobbyPool};

/// The value of a split.
struct BySplit<'a> {
    group: &'a Group,
    objective: &'a dyn LobbyObjective,
    value: f32,
    after: f32,
    /// The best split that was met.
    best: Option<(f64, Vec<Vec<usize>>)>,
    /// The first answer that was no quality.
    error: Option<SplitError>,
}

impl BySplit<'_> {
    /// The value of these teams; below 0 if they are forbidden.
    fn ask(&mut self, teams: &[Vec<usize>]) -> f32 {
        match self.group.quality(teams, self.objective) {
            Ok(Some(quality)) => {
                if self.best.as_ref().is_none_or(|best| quality > best.0) {
                    self.best = Some((quality, teams.to_vec()));
                }
                #[allow(clippy::cast_possible_truncation, reason = "the search needs no more")]
                let single = quality as f32;
                single
            }
            Ok(None) => -1.0,
            Err(error) => {
                self.error.get_or_insert(error);
                -1.0
            }
        }
    }

    /// The teams of these seats after an exchange.
    fn teams(&self, seats: &Seats, exchange: &Exchange) -> Vec<Vec<usize>> {
        let mut team_of = vec![0; self.group.players().len()];
        for (team, players) in seats.teams().iter().enumerate() {
            for &place in players {
                team_of[place as usize] = team;
            }
        }
        for (movers, to) in [(&exchange.out, exchange.to), (&exchange.back, exchange.from)] {
            for &place in movers {
                team_of[place as usize] = to;
            }
        }
        let units: Vec<usize> = self.group.units().iter().map(|unit| team_of[unit[0]]).collect();
        self.group.teams(&units)
    }
}

impl Evaluator for BySplit<'_> {
    fn gain(&mut self, seats: &Seats, exchange: &Exchange, least: f32) -> Option<f32> {
        let teams = self.teams(seats, exchange);
        self.after = self.ask(&teams);
        let gain = self.after - self.value;
        (gain >= least).then_some(gain)
    }

    fn apply(&mut self, _: &Seats, _: &Exchange) {
        self.value = self.after;
    }

    fn value(&self, _: usize) -> f32 {
        self.value
    }

    fn price(&self, _: &[u32]) -> f32 {
        0.0
    }

    fn total(&self, _: &Seats) -> f64 {
        f64::from(self.value)
    }
}

/// The best of `evaluations` splits: the first puts early players of the group, which count as better, to the weakest
/// teams; the others follow by exchanges. k (k - 1) / 2 questions each for k teams. The bound is 1.
///
/// # Errors
/// [`SplitError::NotFound`] if all splits met are forbidden; [`SplitError::BadQuality`].
pub(super) fn split_by_exchanges(
    group: &Group,
    objective: &dyn LobbyObjective,
    evaluations: u64,
    seed: u64,
) -> Result<TeamSplit, SplitError> {
    let worth = |unit: &Vec<usize>| unit.iter().map(|&place| -(place as f64)).sum();
    let levels: Vec<f64> = group.units().iter().map(worth).collect();
    let team_of = match pack(&group.unit_sizes(), group.sizes(), &levels) {
        Packing::Found(team_of) => team_of,
        Packing::Stopped { tried } => return Err(SplitError::NotFound { tried }),
        Packing::Impossible => return Err(SplitError::NoAllowedSplit { tried: 0 }),
    };
    let mut teams = vec![Vec::new(); group.sizes().len() + 1];
    for (unit, &team) in group.units().iter().zip(&team_of) {
        #[allow(clippy::cast_possible_truncation, reason = "a pool has at most 2^24 players")]
        teams[team].extend(unit.iter().map(|&place| place as u32));
    }
    let not_found = SplitError::NotFound { tried: evaluations };
    let mut evaluator = BySplit {
        group,
        objective,
        value: 0.0,
        after: 0.0,
        best: None,
        error: None,
    };
    evaluator.value = evaluator.ask(&group.teams(&team_of));
    // Seats keep parties whole; which teams make a match does not matter here.
    let largest = group.sizes().iter().copied().max().unwrap_or(1);
    let pool =
        LobbyPool::new(group.players().len(), (largest, 1)).and_then(|pool| pool.with_parties(group.units()));
    if let Ok(pool) = pool {
        let mut anneal = Anneal {
            seats: &mut Seats::new(&pool, &teams),
            evaluator,
            partners: &Partners::default(),
            noise: &Noise::new(),
            bits: &mut SplitMix64(seed),
            exchange: Exchange::default(),
        };
        let no_clock = || 0.0;
        let budget = &mut Budget::new(evaluations.saturating_sub(1), &no_clock);
        let temperatures = anneal.measure(budget);
        anneal.run(temperatures, evaluations, 1.0, budget);
        evaluator = anneal.evaluator;
    }
    if let Some(error) = evaluator.error {
        return Err(error);
    }
    let (quality, teams) = evaluator.best.ok_or(not_found)?;
    Ok(TeamSplit {
        teams,
        quality,
        bound: 1.0,
        proof: SplitProof::Range,
    })
}
