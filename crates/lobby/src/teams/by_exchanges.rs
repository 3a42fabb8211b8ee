//! Splits by annealing over exchanges, each evaluated by the objective: any objective, any number of teams.

use matchwright_solver::{Limits, Progress};

use super::group::Group;
use super::pack::pack;
use super::{SplitError, TeamSplit};
use crate::progress::SPLITS;
use crate::random::SplitMix64;
use crate::search::{Anneal, Budget, Evaluator, Exchange, Noise, Partners, Seats, status_at_end};
use crate::{BoundSource, LobbyObjective, LobbyPool};

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
    fn evaluate(&mut self, teams: &[Vec<usize>]) -> f32 {
        match self.objective.checked_quality(teams) {
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
                self.error.get_or_insert(error.into());
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
        self.after = self.evaluate(&teams);
        let gain = self.after - self.value;
        (gain >= least).then_some(gain)
    }

    fn apply(&mut self, _: &Seats, _: &Exchange) {
        self.value = self.after;
    }

    fn value(&self, _: usize) -> f32 {
        self.value
    }

    fn penalty(&self, _: &[u32]) -> f32 {
        0.0
    }

    fn total(&self, _: &Seats) -> f64 {
        f64::from(self.value)
    }
}

/// The best of `evaluations` splits: the first puts early players of the group, which count as better, to the weakest
/// teams; the others follow by exchanges. k (k - 1) / 2 calls of the objective each for k teams. The bound is 1.
///
/// # Errors
/// [`SplitError::NotFound`] if all splits met are forbidden; [`SplitError::Objective`].
pub(super) fn split_by_exchanges(
    group: &Group,
    objective: &dyn LobbyObjective,
    (evaluations, seed): (u64, u64),
    limits: &Limits<'_>,
) -> Result<TeamSplit, SplitError> {
    let team_of = pack(group.units(), group.sizes())?.ok_or(SplitError::NoAllowedSplit { tried: 0 })?;
    let mut teams = vec![Vec::new(); group.sizes().len() + 1];
    for (unit, &team) in group.units().iter().zip(&team_of) {
        #[allow(clippy::cast_possible_truncation, reason = "a group has at most 2^12 players")]
        teams[team].extend(unit.iter().map(|&place| place as u32));
    }
    let mut evaluator = BySplit {
        group,
        objective,
        value: 0.0,
        after: 0.0,
        best: None,
        error: None,
    };
    evaluator.value = evaluator.evaluate(&group.teams(&team_of));
    let most = evaluations.min(limits.work().unwrap_or(u64::MAX));
    // Seats keep parties whole; which teams make a match does not matter here.
    let largest = group.sizes().iter().copied().max().unwrap_or(1);
    let pool =
        LobbyPool::new(group.players().len(), [largest, 1]).and_then(|pool| pool.with_parties(group.units()));
    // Dropped: a group has passed all that a pool asks for.
    if let Ok(pool) = pool {
        let mut anneal = Anneal {
            seats: &mut Seats::new(&pool, &teams),
            evaluator,
            partners: &Partners::default(),
            noise: &Noise::new(),
            bits: &mut SplitMix64(seed),
            exchange: Exchange::default(),
        };
        let time = || limits.watch().map_or(0.0, |watch| watch(&Progress::new(SPLITS)));
        let budget = &mut Budget::new(most.saturating_sub(1), &time);
        let temperatures = anneal.measure(budget);
        anneal.run(temperatures, evaluations, 1.0, budget);
        evaluator = anneal.evaluator;
    }
    if let Some(error) = evaluator.error {
        return Err(error);
    }
    let (quality, teams) = evaluator.best.ok_or(SplitError::NotFound { tried: most })?;
    Ok(TeamSplit {
        teams,
        quality,
        bound: 1.0,
        source: BoundSource::Trivial,
        status: status_at_end(limits, evaluations),
    })
}
