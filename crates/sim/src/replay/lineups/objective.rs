//! What a lobby solver goes by where some matches of a log are formed anew.

use std::ops::Range;

use matchwright_lobby::LobbyObjective;
use matchwright_scoring::{PolicyDecomposition, TeamMatch};

use super::problem::Problem;

/// Matches among some tickets of a log: `1 - cost / scale`, or 0 if that is below it. Players are numbered from 0, ticket by
/// ticket.
pub(super) struct WindowObjective<'a> {
    problem: &'a Problem<'a>,
    /// Places in the log, and their players here.
    tickets: Vec<(usize, Range<usize>)>,
    /// By player: its ticket's place in the list above, its number in the log, and its number by the objective.
    of_player: Vec<(usize, usize, f64)>,
    scale: f64,
    /// The scoring with all computed beforehand that thousands of matches have in common.
    parts: Option<PolicyDecomposition>,
}

impl<'a> WindowObjective<'a> {
    pub(super) fn new(problem: &'a Problem<'a>, tickets: &[usize], scale: f64) -> Self {
        let mut of_player = Vec::new();
        let of = problem.judge.objective().params().of.as_deref();
        let place = |(at, &ticket): (usize, &usize)| {
            let from = of_player.len();
            let number = of.and_then(|of| problem.ticket(ticket).mean(of)).unwrap_or(0.0);
            of_player.extend(problem.players_of(ticket).map(|player| (at, player, number)));
            (ticket, from..of_player.len())
        };
        let tickets: Vec<(usize, Range<usize>)> = tickets.iter().enumerate().map(place).collect();
        let names: Vec<usize> = of_player.iter().map(|one| one.1).collect();
        let (a, b) = problem.sizes();
        let scoring = problem.judge.scoring().filter(|_| a == b && of.is_none());
        let parts = scoring.and_then(|scoring| scoring.decomposition(&problem.pool, &names, a));
        Self {
            problem,
            tickets,
            of_player,
            scale,
            parts,
        }
    }

    /// The ticket and the number in the log of each player.
    pub(super) fn players(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.of_player
            .iter()
            .map(|&(at, player, _)| (self.tickets[at].0, player))
    }

    pub(super) fn parties(&self) -> Vec<Vec<usize>> {
        self.tickets
            .iter()
            .map(|ticket| ticket.1.clone().collect())
            .collect()
    }

    /// The tickets of a team, rising.
    pub(super) fn tickets(&self, team: &[usize]) -> Vec<usize> {
        let mut tickets: Vec<usize> = team
            .iter()
            .map(|&player| self.tickets[self.of_player[player].0].0)
            .collect();
        tickets.sort_unstable();
        tickets.dedup();
        tickets
    }

    /// As the judge has it: 1 for a match that the scoring forbids.
    fn mismatch(&self, teams: [&[usize]; 2]) -> f64 {
        if let Some(parts) = &self.parts {
            return 1.0 - parts.quality(teams).unwrap_or(0.0);
        }
        if self.problem.judge.objective().params().of.is_some() {
            let mean = |team: &[usize]| {
                team.iter().map(|&player| self.of_player[player].2).sum::<f64>() / team.len().max(1) as f64
            };
            return (mean(teams[0]) - mean(teams[1])).abs();
        }
        let names = teams.map(|team| {
            team.iter()
                .map(|&player| self.of_player[player].1)
                .collect::<Vec<usize>>()
        });
        let names = [&names[0][..], &names[1][..]];
        // Dropped: teams that are no match count as forbidden.
        let candidate = TeamMatch::new(&self.problem.pool, &names).ok();
        let quality = candidate.and_then(|candidate| self.problem.judge.scoring()?.quality(&candidate));
        1.0 - quality.unwrap_or(0.0)
    }
}

impl LobbyObjective for WindowObjective<'_> {
    fn quality(&self, team_a: &[usize], team_b: &[usize]) -> Option<f64> {
        let all = [team_a, team_b].concat();
        let tickets = self.tickets(&all);
        let at = self.problem.earliest(&tickets)?;
        let mismatch = self.mismatch([team_a, team_b]);
        let cost = self.problem.judge.objective().mismatch_cost(mismatch)
            + self.problem.waiting_cost(tickets.into_iter(), at);
        Some((1.0 - cost / self.scale).max(0.0))
    }
}
