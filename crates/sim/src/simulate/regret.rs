//! [`Regret`]: what policies paid for a world beside what is best with hindsight.

use std::sync::Arc;

use matchwright_queue::{QueueSettings, Ticket, TicketId, Time};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::record::{Fate, PlayedMatch, Record, TicketEnd};
use crate::progress::Quiet;
use crate::replay::{
    Judge, Lineup, LineupSearch, LogEnd, LogError, LoggedTicket, OptimumError, TicketLog, best_lineups,
    optimum, regret,
};

/// What a policy paid for all tickets of a world that it admitted, those of the warm-up included, beside the least that is known with
/// hindsight: who comes when, how long each would wait, and the objective by which all is judged.
///
/// Of 1v1, and of parties that are whole teams, the least is a proven bound ([`optimum`](crate::replay::optimum)); of other
/// teams it is the best that a search finds ([`best_lineups`]), which starts from the lineups of the policies. Tickets that
/// have no match pay the objective's price of lost ones, and wait until their patience or the world ends; without that price
/// there is no regret. A ticket that a policy refused pays that price alone, in hindsight too, which may match it.
/// Policies under which the same tickets come share one hindsight; if players come again, each has its own.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Regret {
    /// What the policy paid, a player.
    pub paid: f64,
    /// What is best in hindsight, a player.
    pub hindsight: f64,
    /// Whether no policy could pay less.
    pub is_bound: bool,
    /// Mean time that tickets wait in hindsight, with a match or without, seconds.
    pub wait: f64,
    /// Mean mismatch of a match in hindsight.
    pub mismatch: f64,
}

impl Regret {
    /// 100 (paid - hindsight) / hindsight; not finite where hindsight pays nothing. What rounding leaves is none.
    #[must_use]
    pub fn percent(&self) -> f64 {
        100.0 * regret(self.paid, self.hindsight) / self.hindsight
    }
}

/// Why a world has no hindsight.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum RegretError {
    /// Tickets that make no log: none came.
    #[error("hindsight: {0}")]
    Log(#[from] LogError),
    /// Matches of which no best is known.
    #[error("hindsight: {0}")]
    Optimum(#[from] OptimumError),
}

/// All tickets and matches of a world under a policy.
#[derive(Default)]
pub(super) struct WholeWorld {
    tickets: Vec<TicketEnd>,
    matches: Vec<Vec<Vec<Arc<Ticket>>>>,
}

impl Record for WholeWorld {
    fn ticket(&mut self, end: &TicketEnd) {
        self.tickets.push(end.clone());
    }

    fn played(&mut self, made: &PlayedMatch) {
        self.matches.push(made.tickets.clone());
    }
}

impl WholeWorld {
    /// What it cost, over all players.
    fn paid(&self, judge: &Judge) -> f64 {
        let lost = judge.objective().lost().unwrap_or(0.0);
        let ticket = |end: &TicketEnd| {
            let players = end.players.len();
            let is_lost = end.fate != Fate::Matched;
            judge.waiting_cost(end.waited(), players) + f64::from(u8::from(is_lost)) * lost * players as f64
        };
        let mismatch = |teams: &Vec<Vec<Arc<Ticket>>>| {
            let teams: Vec<Vec<&Ticket>> = teams
                .iter()
                .map(|team| team.iter().map(|ticket| &**ticket).collect())
                .collect();
            judge
                .mismatch(&teams)
                .map_or(0.0, |mismatch| judge.objective().mismatch_cost(mismatch))
        };
        let players: usize = self.tickets.iter().map(|end| end.players.len()).sum();
        let paid =
            self.tickets.iter().map(ticket).sum::<f64>() + self.matches.iter().map(mismatch).sum::<f64>();
        paid / players.max(1) as f64
    }

    /// Who came, and until when each could be matched: a party whose proposal failed because of it until then, all others
    /// as long as their patience lasts, though they were refused.
    fn log(&self, ends: Time) -> Result<TicketLog, LogError> {
        let logged = |end: &TicketEnd| LoggedTicket {
            ticket: (*end.ticket).clone(),
            came: end.came,
            left: match end.fate {
                Fate::Declined => Some(end.ended),
                _ => end.patience.filter(|&patience| patience <= ends),
            },
            matched: None,
        };
        TicketLog::new(self.tickets.iter().map(logged).collect())
    }

    fn refused(&self) -> impl Iterator<Item = TicketId> + '_ {
        let refused = self.tickets.iter().filter(|end| end.fate == Fate::Refused);
        refused.map(|end| end.ticket.id)
    }

    fn lineup(&self) -> Lineup {
        let team = |team: &Vec<Arc<Ticket>>| team.iter().map(|ticket| ticket.id).collect();
        self.matches
            .iter()
            .map(|teams| teams.iter().map(team).collect())
            .collect()
    }
}

/// What hindsight pays: a player; whether that is a bound; mean wait and mismatch.
type Least = (f64, bool, f64, f64);

/// The regret of each policy in a world that ended at `ends`, with what each policy's queue is told.
pub(super) fn regrets(
    worlds: &[(WholeWorld, QueueSettings)],
    judge: &Judge,
    ends: Time,
) -> Result<Vec<Regret>, RegretError> {
    let logs: Vec<TicketLog> = worlds
        .iter()
        .map(|world| world.0.log(ends))
        .collect::<Result<_, _>>()?;
    let is_same = |one: usize, other: usize| {
        let (a, b) = (&worlds[one].1, &worlds[other].1);
        (&a.queues, &a.keys) == (&b.queues, &b.keys) && logs[one] == logs[other]
    };
    let mut found: Vec<Option<Least>> = vec![None; worlds.len()];
    for first in 0..worlds.len() {
        if found[first].is_some() {
            continue;
        }
        let alike: Vec<usize> = (first..worlds.len())
            .filter(|&other| is_same(first, other))
            .collect();
        let lineups: Vec<Lineup> = alike.iter().map(|&one| worlds[one].0.lineup()).collect();
        let refused = alike.iter().flat_map(|&one| worlds[one].0.refused());
        let refused = logs[first].places(refused);
        let end = LogEnd {
            at: ends,
            refused: &refused,
        };
        let least = least(&logs[first], &worlds[first].1, judge, end, &lineups)?;
        for one in alike {
            found[one] = Some(least);
        }
    }
    let regret = |((world, _), least): (&(WholeWorld, QueueSettings), Least)| Regret {
        paid: world.paid(judge),
        hindsight: least.0,
        is_bound: least.1,
        wait: least.2,
        mismatch: least.3,
    };
    Ok(worlds
        .iter()
        .zip(found.into_iter().flatten())
        .map(regret)
        .collect())
}

fn least(
    log: &TicketLog,
    settings: &QueueSettings,
    judge: &Judge,
    end: LogEnd<'_>,
    lineups: &[Lineup],
) -> Result<Least, RegretError> {
    match optimum(log, settings, judge, end, &Quiet) {
        Ok(found) => Ok((found.bound_per_player, true, found.mean_wait, found.mean_mismatch)),
        Err(OptimumError::Players { .. } | OptimumError::Teams { .. }) => {
            let found = best_lineups(log, (settings, judge), end, lineups, &LineupSearch::default())?;
            Ok((found.cost_per_player, false, found.mean_wait, found.mean_mismatch))
        }
        Err(error) => Err(error.into()),
    }
}
