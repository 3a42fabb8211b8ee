//! [`optimum`]: the hindsight optimum of a log of tickets, for the costs by which replays are judged.

use std::collections::BTreeMap;

use matchwright_lobby::LobbyError;
use matchwright_queue::{PriceStart, QueueSettings, Ticket, Time};
use matchwright_solver::Limits;
use thiserror::Error;

use super::hindsight::{HindsightError, HindsightParams, Stay};
use super::judge::Judge;
use super::log::TicketLog;
use crate::progress::Progress;

/// The least that any policy could have paid for a log, with its proof checked.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Optimum {
    /// Its cost, over all players of the log.
    pub cost_per_player: f64,
    /// No policy pays less a player.
    pub bound_per_player: f64,
    /// (cost - bound) / bound; 0 where it is optimal.
    pub gap: f64,
    /// Whether code that shares nothing with the solver found matching and bound to hold.
    pub verified: bool,
    /// Whether the two are the same, so that nothing could be better.
    pub optimal: bool,
    /// Matches that it makes.
    pub matches: usize,
    /// Tickets without one.
    pub unmatched: usize,
    /// Mean time that all tickets waited, until their match, or until they left or the log ended, seconds.
    pub mean_wait: f64,
    /// Mean mismatch of the matches.
    pub mean_mismatch: f64,
    /// Pairs of tickets among which it could choose, before keys and regions.
    pub permitted_pairs: u64,
    /// What a match was worth to a ticket, by the attribute that the objective names: the vertex duals, smoothed. `None`
    /// without such an attribute, and of tickets of several players.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prices: Option<PriceStart>,
}

/// What a policy paid above the least in hindsight; 0 where rounding leaves no more.
#[must_use]
pub fn regret(paid: f64, hindsight: f64) -> f64 {
    let above = paid - hindsight;
    if above.abs() <= 1e-12 * paid.abs() {
        0.0
    } else {
        above
    }
}

/// Tickets of which a point of the prices is the mean, and the most points.
const TICKETS_A_POINT: usize = 50;
const MOST_POINTS: usize = 64;

/// Why a log has no optimum of pairs.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "every field is named in the message of its variant")]
pub enum OptimumError {
    /// Several queues.
    #[error("there are {queues} queues: split the log, and replay each queue by itself")]
    Queues { queues: usize },
    /// Matches of several sizes.
    #[error(
        "its queue makes smaller matches as well: the hindsight optimum is known for matches of one size; compare policies with \
         each other instead"
    )]
    Smaller,
    /// Matches of other than two tickets.
    #[error(
        "its matches have teams of {teams:?}: the hindsight optimum is known for queues where two tickets, each a whole \
         team, make a match; compare policies with each other instead"
    )]
    Teams { teams: Vec<usize> },
    /// A ticket that is no whole team.
    #[error(
        "ticket {ticket} has {players} players and a team {size}: the hindsight optimum is known where each ticket is a \
         whole team; compare policies with each other instead"
    )]
    Players {
        ticket: u64,
        players: usize,
        size: usize,
    },
    /// No price of lost tickets: the policy that matches nobody would pay for their waits alone.
    #[error(
        "[objective] has no `lost`, the price of a player who gets no match (0 is none), so that a policy may pay less for matching \
         fewer: give one of at least waiting x longest wait + mismatch x widest window"
    )]
    NoLost,
    /// A player who cannot be scored.
    #[error("a player of ticket {ticket} cannot be scored, so that nothing is known of its matches")]
    Player { ticket: u64 },
    /// Costs or times that have no optimum.
    #[error(transparent)]
    Hindsight(#[from] HindsightError),
    /// A search for lineups that failed.
    #[error("the search for the best matches of teams failed: {0}")]
    Search(#[from] LobbyError),
}

/// When a log ends, and whom policies refused.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogEnd<'a> {
    /// No earlier than its last ticket; whoever has not left waits until then.
    pub at: Time,
    /// By place in the log: tickets that some policy refused, which so paid no waiting. None if empty.
    pub refused: &'a [bool],
}

impl LogEnd<'_> {
    /// Of a log all of whose tickets are admitted.
    #[must_use]
    pub const fn at(at: Time) -> Self {
        Self { at, refused: &[] }
    }
}

/// The least that any policy could have paid, by an objective with a price of lost tickets, for a log whose matches are of
/// two tickets each.
///
/// Keys and regions of tickets hold; windows, thresholds and rules of scoring do not, as they are a policy's own. An
/// unmatched ticket pays the price of a lost one, and for its wait until it left or the log ends, as in
/// [`replay`](super::replay()); one that a policy refused pays the price alone, so that the bound is one for that policy too.
/// See [`hindsight`](super::hindsight) for the proof, the method and the work.
///
/// # Errors
/// [`OptimumError::NoLost`]; what is not a pair; [`HindsightError`] for costs and times.
pub fn optimum(
    log: &TicketLog,
    settings: &QueueSettings,
    judge: &Judge,
    end: LogEnd<'_>,
    progress: &dyn Progress,
) -> Result<Optimum, OptimumError> {
    let lost = judge.objective().lost().ok_or(OptimumError::NoLost)?;
    let Teams {
        tickets,
        stays,
        refused,
        size,
        lost_players,
    } = Teams::of(log, settings, end)?;
    let groups = groups(&tickets, settings);
    let of = judge.objective().params().of.as_deref();
    let ratings: Option<Vec<f64>> = of.and_then(|of| tickets.iter().map(|ticket| ticket.mean(of)).collect());
    let mismatch = |i: usize, j: usize| {
        if groups[i] != groups[j] || !may_meet(tickets[i], tickets[j]) {
            return None;
        }
        match &ratings {
            Some(ratings) => Some((ratings[i] - ratings[j]).abs()),
            None => judge.mismatch(&[vec![tickets[i]], vec![tickets[j]]]),
        }
    };
    let waiting_cost = |seconds: f64| judge.waiting_cost(seconds, size);
    let problem = HindsightParams {
        ratings: ratings.as_deref(),
        mismatch_weight: judge.objective().params().mismatch,
        waiting_cost: &waiting_cost,
        lost_price: Some(lost * size as f64),
        ends_ms: Some(end.at.millis()),
        refused: &refused,
        ..HindsightParams::new(&stays, &mismatch)
    }
    .build()?;
    progress.begin("finding the hindsight optimum", 0);
    let found = problem.solve(&Limits::unlimited())?;
    progress.begin("verifying the hindsight optimum", 0);
    let verdict = problem.verify(&found, &Limits::unlimited())?;
    let players = (tickets.len() * size + lost_players).max(1) as f64;
    let lost_anyway = lost * lost_players as f64;
    let most = (tickets.len() / TICKETS_A_POINT).clamp(1, MOST_POINTS);
    let priced = ratings.as_deref().filter(|_| size == 1);
    let points = priced
        .map(|ratings| found.price_points(ratings, most))
        .transpose()?;
    let matched = found
        .pairs
        .iter()
        .map(|&(i, j)| stays[j].came_ms - stays[i].came_ms);
    let others = found.unmatched.iter().map(|&i| {
        let until = stays[i].may_wait_until_ms.unwrap_or(i64::MAX);
        until.min(end.at.millis()) - stays[i].came_ms
    });
    let waited = matched.chain(others).sum::<i64>();
    let mismatches = found.pairs.iter().filter_map(|&(i, j)| mismatch(i, j));
    let pairs = found.pairs.len().max(1) as f64;
    Ok(Optimum {
        mean_wait: waited as f64 / (1000.0 * stays.len().max(1) as f64),
        mean_mismatch: mismatches.sum::<f64>() / pairs,
        cost_per_player: (verdict.cost + lost_anyway) / players,
        bound_per_player: (verdict.bound + lost_anyway) / players,
        gap: if verdict.optimal { 0.0 } else { found.gap() },
        verified: true,
        optimal: verdict.optimal,
        matches: found.pairs.len(),
        unmatched: log.len() - 2 * found.pairs.len(),
        permitted_pairs: found.permitted_pairs,
        prices: points
            .filter(|points| !points.is_empty())
            .map(|points| PriceStart::Table {
                points,
                per_second: rate(&stays),
            }),
    })
}

/// Arrivals a second.
fn rate(stays: &[Stay]) -> Option<f64> {
    let span = stays.last()?.came_ms - stays.first()?.came_ms;
    (span > 0).then(|| 1000.0 * (stays.len() - 1) as f64 / span as f64)
}

/// The tickets of a log that each make a team of the only queue.
struct Teams<'a> {
    tickets: Vec<&'a Ticket>,
    stays: Vec<Stay>,
    refused: Vec<bool>,
    /// Players of each.
    size: usize,
    /// Players of all other tickets, which were refused and are lost whatever is done.
    lost_players: usize,
}

impl<'a> Teams<'a> {
    fn of(log: &'a TicketLog, settings: &QueueSettings, end: LogEnd<'_>) -> Result<Self, OptimumError> {
        let mut found = Self {
            tickets: Vec::new(),
            stays: Vec::new(),
            refused: Vec::new(),
            size: team_size(settings)?,
            lost_players: 0,
        };
        for (place, logged) in log.tickets().iter().enumerate() {
            let players = logged.ticket.players.len();
            let is_refused = end.refused.get(place) == Some(&true);
            if players == found.size {
                found.tickets.push(&logged.ticket);
                found.stays.push(Stay {
                    came_ms: logged.came.millis(),
                    may_wait_until_ms: Some(logged.until(end.at).millis()),
                });
                found.refused.push(is_refused);
            } else if is_refused {
                found.lost_players += players;
            } else {
                return Err(OptimumError::Players {
                    ticket: logged.ticket.id.0,
                    players,
                    size: found.size,
                });
            }
        }
        Ok(found)
    }
}

/// The players of a team of the only queue.
fn team_size(settings: &QueueSettings) -> Result<usize, OptimumError> {
    let mut queues = settings.queues.values();
    let (Some(teams), None) = (queues.next(), queues.next()) else {
        let queues = settings.queues.len();
        return Err(OptimumError::Queues { queues });
    };
    match teams[..] {
        _ if !settings.smaller.is_empty() => Err(OptimumError::Smaller),
        [one, other] if one == other => Ok(one),
        _ => Err(OptimumError::Teams { teams: teams.clone() }),
    }
}

/// A number for each ticket: tickets that have all keys alike have the same.
pub(super) fn groups(tickets: &[&Ticket], settings: &QueueSettings) -> Vec<usize> {
    let mut known: BTreeMap<Vec<String>, usize> = BTreeMap::new();
    let group = |ticket: &&Ticket| {
        let words = settings.keys.iter().map(|key| ticket.word(key)).collect();
        let next = known.len();
        *known.entry(words).or_insert(next)
    };
    tickets.iter().map(group).collect()
}

/// Whether there is a region that both accept, and no player in both.
pub(super) fn may_meet(one: &Ticket, other: &Ticket) -> bool {
    let shares_region = one.regions.is_empty()
        || other.regions.is_empty()
        || one
            .regions
            .keys()
            .any(|region| other.regions.contains_key(region));
    let is_in_other =
        |member: &matchwright_queue::Member| other.players.iter().any(|player| player.id == member.id);
    shares_region && !one.players.iter().any(is_in_other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::load;
    use crate::progress::Quiet;
    use crate::random::{Purpose, standard_normal, stream};
    use crate::replay::{LoggedTicket, ReplaySettings, replay};
    use matchwright_queue::{ObjectiveParams, WaitingCost};

    const POLICY: &str = "
        [queue]
        accept = 'both'
        longest_wait = 120
        [[queue.windows]]
        of = 'skill'
        start = 40
        per_second = 2
        [objective]
        of = 'skill'
        lost = 100";

    /// Tickets of this many players each, a second apart; every seventh leaves after 20 s.
    fn log(tickets: u64, players: u64, seed: u64) -> TicketLog {
        let mut random = stream(seed, Purpose::Traits, 0, 0);
        let logged = |id: u64| {
            let came = Time::from_millis(1000 * i64::try_from(id).unwrap());
            let skill = 1500.0 + 300.0 * standard_normal(&mut random);
            let region = if id.is_multiple_of(3) { "eu" } else { "us" };
            let members = (0..players).map(|player| id * players + player);
            LoggedTicket {
                ticket: Ticket::of(id, members)
                    .with("skill", skill)
                    .with_region(region, 30.0),
                came,
                left: id.is_multiple_of(7).then(|| came.plus(20_000)),
                matched: None,
            }
        };
        TicketLog::new((1..=tickets).map(logged).collect()).unwrap()
    }

    #[test]
    fn no_replay_costs_less_than_the_optimum() {
        for (seed, players) in [(1, 1), (2, 1), (3, 3), (4, 5)] {
            let log = log(120, players, seed);
            let size = usize::try_from(players).unwrap();
            let text = POLICY.replace("[queue]", &format!("[queue]\nteams = [{size}, {size}]"));
            let mut policy = load(toml::from_str(&text).unwrap()).unwrap();
            let judge = Judge::new(policy.objective.clone(), None).unwrap();
            let replayed = ReplaySettings::default();
            let end = LogEnd::at(log.end(replayed.tail));
            let best = optimum(&log, &policy.settings, &judge, end, &Quiet).unwrap();
            let paid = replay(&log, &mut policy, &judge, replayed, &mut |_| {}).unwrap();
            assert!(best.verified && best.optimal && best.gap < 1e-9, "{best:?}");
            assert!(
                paid.cost_per_player().unwrap() > best.bound_per_player,
                "{best:?}"
            );
            assert_eq!(2 * best.matches + best.unmatched, 120);
        }
    }

    #[test]
    fn what_tickets_need_alike_holds_in_hindsight() {
        let ticket = |id: u64, mode: &str, came: i64| LoggedTicket {
            ticket: Ticket::of_one(id, id)
                .with("skill", 1500.0)
                .with_text("mode", mode),
            came: Time::from_millis(came),
            left: None,
            matched: None,
        };
        let log = TicketLog::new(vec![
            ticket(1, "a", 0),
            ticket(2, "b", 1000),
            ticket(3, "a", 5000),
        ])
        .unwrap();
        let objective = ObjectiveParams {
            of: Some("skill".to_owned()),
            waiting: WaitingCost::PerSecond(1.0),
            lost: Some(100.0),
            ..ObjectiveParams::default()
        };
        let judge = Judge::new(objective.build().unwrap(), None).unwrap();
        let settings = |keys: &[&str]| QueueSettings {
            keys: keys.iter().map(|&key| key.to_owned()).collect(),
            ..QueueSettings::default()
        };
        let cost = |keys: &[&str]| {
            let end = LogEnd::at(log.end(10.0));
            3.0 * optimum(&log, &settings(keys), &judge, end, &Quiet)
                .unwrap()
                .cost_per_player
        };
        // 1 with 2, and 3 waits for 10 s; or 1 with 3, and 2 waits for 14 s.
        assert!((cost(&[]) - (1.0 + 10.0 + 100.0)).abs() < 1e-9);
        assert!((cost(&["mode"]) - (5.0 + 14.0 + 100.0)).abs() < 1e-9);
    }

    #[test]
    fn matches_of_other_than_two_tickets_are_refused_with_what_to_do_instead() {
        let judge = Judge::new(load(toml::from_str(POLICY).unwrap()).unwrap().objective, None).unwrap();
        let refused = |queues: &[(&str, &[usize])], players: u64| {
            let queues = queues
                .iter()
                .map(|&(name, teams)| (name.to_owned(), teams.to_vec()));
            let settings = QueueSettings {
                queues: queues.collect(),
                ..QueueSettings::default()
            };
            let log = log(10, players, 1);
            optimum(&log, &settings, &judge, LogEnd::at(log.end(0.0)), &Quiet)
                .unwrap_err()
                .to_string()
        };
        assert!(refused(&[("", &[5, 5])], 1).contains("ticket 1 has 1 players and a team 5"));
        assert!(refused(&[("", &[1, 1, 1])], 1).contains("compare policies with each other"));
        assert!(refused(&[("a", &[1, 1]), ("b", &[1, 1])], 1).contains("2 queues: split the log"));
    }
}
