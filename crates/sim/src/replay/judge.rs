//! [`Judge`]: what matches and waits cost by an objective, whatever policy made them.

use std::collections::HashMap;
use std::sync::Arc;

use matchwright_queue::{Compare, Objective, Ticket, TicketId};
use matchwright_scoring::{Explanation, Player, Pool, TeamMatch, TeamScorer};

use super::log::{LoggedTicket, TicketLog};
use super::run::{Costs, Fate, ReplayedMatch, ReplayedTicket};
use crate::policy::{PolicyDocument, player_of, width};

/// An objective with what it needs to judge a match.
#[derive(Debug, Clone)]
pub struct Judge {
    objective: Objective,
    scoring: Option<Arc<dyn TeamScorer>>,
}

impl Judge {
    /// By the difference of the objective's attribute; without one by the quality of a scorer, whose threshold, if it has one, is
    /// no matter of what a match is worth. `None` if there is neither.
    #[must_use]
    pub fn new(objective: Objective, scoring: Option<Arc<dyn TeamScorer>>) -> Option<Self> {
        let can_judge = objective.params().of.is_some() || scoring.is_some();
        let scoring = scoring.map(|scoring| scoring.without_threshold().unwrap_or(scoring));
        can_judge.then_some(Self { objective, scoring })
    }

    /// By the quality of any scorer, if the objective names no attribute.
    #[must_use]
    pub fn scored_by(objective: Objective, scoring: impl TeamScorer + 'static) -> Self {
        let scoring: Arc<dyn TeamScorer> = Arc::new(scoring);
        let scoring = Some(scoring.without_threshold().unwrap_or(scoring));
        Self { objective, scoring }
    }

    /// The objective.
    #[must_use]
    pub const fn objective(&self) -> &Objective {
        &self.objective
    }

    /// What says how good a match is, if anything does.
    #[must_use]
    pub fn scoring(&self) -> Option<&dyn TeamScorer> {
        self.scoring.as_deref()
    }

    /// What a lost player should at least cost, lest matching fewer be cheaper than this policy's longest wait and worst match:
    /// C(longest wait) + K x widest window. By quality the window is 1 less the least threshold. What has no end in the
    /// document counts for nothing.
    #[must_use]
    pub fn least_lost(&self, document: &PolicyDocument) -> f64 {
        let Some(queue) = &document.queue else { return 0.0 };
        let every = queue.batch.as_ref().and_then(|batch| batch.every);
        let longest = queue.longest_wait.or(every).unwrap_or(0.0);
        let widest = match &self.objective.params().of {
            None => 1.0 - least_quality(document),
            Some(of) => {
                let windows = queue.windows.iter().filter(|window| window.of == *of);
                let differences = windows.filter(|window| window.compare == Compare::Difference);
                let widths = differences.map(|window| width(window, longest));
                widths.reduce(f64::max).unwrap_or(0.0)
            }
        };
        self.objective.waiting_cost(longest) + self.objective.mismatch_cost(widest)
    }

    /// What a ticket lacks to be judged, in words; `None` if it lacks nothing.
    #[must_use]
    pub fn lacks(&self, ticket: &Ticket) -> Option<String> {
        if let Some(of) = &self.objective.params().of {
            let lacks = || format!("it has no number `{of}`, by which `[objective]` judges matches");
            return ticket.mean(of).is_none().then(lacks);
        }
        let player = |member| player_of(ticket, member);
        let players: Result<Vec<Player>, _> = ticket.players.iter().map(player).collect();
        match players {
            Err(error) => Some(error.to_string()),
            Ok(players) => {
                let pool = Pool::new(players).map_err(|error| error.to_string());
                let checked = pool.and_then(|pool| {
                    let scoring = self.scoring.as_ref();
                    scoring.map_or(Ok(()), |scoring| {
                        scoring.check_pool(&pool).map_err(|error| error.to_string())
                    })
                });
                checked.err()
            }
        }
    }

    /// How bad a match is: the range of the teams' means of the attribute, or 1 less the quality, which is 1 for a match
    /// that the scoring forbids. `None` for teams without the attribute or of players who cannot be scored.
    #[must_use]
    pub fn mismatch(&self, teams: &[Vec<&Ticket>]) -> Option<f64> {
        if self.objective.params().of.is_some() {
            return self.difference(teams);
        }
        let explained = self.explain(teams)?;
        Some(1.0 - explained.quality.unwrap_or(0.0))
    }

    /// The range of the teams' means of the objective's attribute, if it names one.
    pub(crate) fn difference(&self, teams: &[Vec<&Ticket>]) -> Option<f64> {
        let of = self.objective.params().of.as_ref()?;
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for team in teams {
            let (mut sum, mut count) = (0.0, 0_usize);
            for ticket in team {
                sum += ticket.mean(of)? * ticket.players.len() as f64;
                count += ticket.players.len();
            }
            let mean = sum / count.max(1) as f64;
            (least, most) = (least.min(mean), most.max(mean));
        }
        Some(most - least)
    }

    /// The scorer's reasons for the quality of a match; `None` without one, or for players who cannot be scored.
    #[must_use]
    pub fn explain(&self, teams: &[Vec<&Ticket>]) -> Option<Explanation> {
        let scoring = self.scoring.as_ref()?;
        let (mut players, mut places): (Vec<Player>, Vec<Vec<usize>>) = (Vec::new(), Vec::new());
        for team in teams {
            let from = players.len();
            for ticket in team {
                for member in &ticket.players {
                    // Dropped: `lacks` says why a ticket cannot be judged, before a replay; so below.
                    players.push(player_of(ticket, member).ok()?);
                }
            }
            places.push((from..players.len()).collect());
        }
        // Dropped: as above.
        let pool = Pool::new(players).ok()?;
        let teams: Vec<&[usize]> = places.iter().map(Vec::as_slice).collect();
        // Dropped: as above.
        let candidate = TeamMatch::new(&pool, &teams).ok()?;
        Some(scoring.explain(&candidate))
    }

    /// By match, the cost of its mismatch for each of its players; none of matches whose mismatch is not known. O(n).
    pub(super) fn shares(&self, log: &TicketLog, matches: &[ReplayedMatch]) -> HashMap<u64, f64> {
        let players = log.tickets().iter();
        let players: HashMap<TicketId, usize> = players
            .map(|one| (one.ticket.id, one.ticket.players.len()))
            .collect();
        let of = |made: &ReplayedMatch| {
            let tickets = made.teams.iter().flatten();
            let count: usize = tickets.filter_map(|ticket| players.get(ticket)).sum();
            (
                made.id,
                self.objective.mismatch_cost(made.mismatch) / count.max(1) as f64,
            )
        };
        let known = matches.iter().filter(|made| !made.mismatch.is_nan());
        known.map(of).collect()
    }

    /// A ticket that came to this end after a wait, and its share of the costs.
    pub(super) fn judged(
        &self,
        logged: &LoggedTicket,
        fate: Fate,
        waited: f64,
        shares: &HashMap<u64, f64>,
    ) -> ReplayedTicket {
        let players = logged.ticket.players.len();
        let lost = self.objective.lost().map(|lost| lost * players as f64);
        let [mismatch, lost] = match fate {
            Fate::Matched(made) => [shares.get(&made).map(|share| share * players as f64), Some(0.0)],
            Fate::Refused => [Some(0.0), lost],
            Fate::Left | Fate::Waits => [Some(0.0), lost.or(Some(0.0))],
            Fate::Unknown => [None; 2],
        };
        let costs = mismatch.zip(lost).map(|(mismatch, lost)| Costs {
            mismatch,
            waiting: self.waiting_cost(waited, players),
            lost,
        });
        ReplayedTicket {
            ticket: logged.ticket.id,
            players,
            fate,
            waited,
            costs: costs.filter(|_| !waited.is_nan()),
        }
    }

    /// C of a wait in seconds, for this many players.
    #[must_use]
    pub fn waiting_cost(&self, seconds: f64, players: usize) -> f64 {
        self.objective.waiting_cost(seconds) * players as f64
    }
}

/// The least quality for which a policy makes a match before the longest wait is over.
fn least_quality(document: &PolicyDocument) -> f64 {
    let asked = document.queue.as_ref().and_then(|queue| queue.threshold.as_ref());
    let kept = document.scoring.as_ref().map_or(0.0, |scoring| scoring.threshold);
    asked.map_or(0.0, |threshold| threshold.least).max(kept)
}
