//! [`ContinuousLobbies`]: matches of teams as soon as they are good enough.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use matchwright_lobby::{BestSplit, Group, LobbyObjective, LobbyPool, SomePlayers, TeamSplitter, best_with};
use matchwright_queue::{
    Accept, Budget, Candidate, Lobby, MatchPolicy, Obstacle, Pool, Threshold, Ticket, TicketId, Time,
    WaitState, Waiting, Why,
};
use matchwright_scoring::{MatchScorer, ScoringPolicy, TeamMatch};
use matchwright_solver::Limits;

use super::neighbours::Neighbours;
use super::players::{Players, admits};
use crate::adapt::LobbyScoring;

/// Regions in which a match is looked for, those with the least ping.
const REGIONS: usize = 3;

/// Settings of [`ContinuousLobbies`].
#[derive(Debug, Clone)]
pub(super) struct Settings {
    pub(super) scoring: ScoringPolicy,
    pub(super) threshold: Option<Threshold>,
    pub(super) accept: Accept,
    pub(super) longest_wait: Option<i64>,
    pub(super) order: String,
    pub(super) neighbours: Option<usize>,
    pub(super) exchanges: u64,
}

/// Matches of teams of whole parties, as soon as one is good enough for those who are in it.
///
/// For each ticket that comes the best match with it is looked for among its neighbours. It starts when its quality
/// reaches what the tickets want by then, which falls while they wait: every one of them, any of them, or their mean. Until
/// then the time at which it would start is kept; at that time the search is repeated, as others may have come. A ticket
/// whose longest wait is over gets the best match that the scoring permits, the oldest ticket first.
///
/// One search an event, of a stated number of exchanges: its time does not depend on how many wait.
///
/// "Dota 2: Matchmaking", 2013: a match is formed when its quality exceeds a threshold. Heroes of the Storm, as told in
/// "The Awesomenauts matchmaking algorithm", 2018: the threshold falls, and who has waited too long comes first.
pub struct ContinuousLobbies {
    queue: Arc<str>,
    settings: Settings,
    players: Players,
    neighbours: Neighbours,
    /// Tickets for which no match has been looked for yet, in the order in which they came.
    fresh: BTreeSet<(u64, TicketId)>,
    entered: BTreeMap<TicketId, u64>,
    count: u64,
    /// When the best match of a ticket would start.
    timetable: BTreeSet<(Time, TicketId)>,
    times: BTreeMap<TicketId, Time>,
    lifts: BTreeSet<(Time, TicketId)>,
    overdue: BTreeSet<(Time, TicketId)>,
    /// Whether someone came since the overdue were last looked at.
    has_news: bool,
    /// Tickets of a snapshot that have not entered again: their numbers, whether nothing was looked for, and their times.
    restored: BTreeMap<TicketId, (u64, bool, Option<Time>)>,
}

impl std::fmt::Debug for ContinuousLobbies {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ContinuousLobbies")
            .field("queue", &self.queue)
            .field("waiting", &self.entered.len())
            .finish_non_exhaustive()
    }
}

/// A match that was found.
struct Found {
    teams: Vec<Vec<TicketId>>,
    region: Option<Arc<str>>,
    quality: f64,
}

impl ContinuousLobbies {
    pub(super) fn new(queue: &str, settings: Settings) -> Self {
        Self {
            queue: queue.into(),
            settings,
            players: Players::default(),
            neighbours: Neighbours::default(),
            fresh: BTreeSet::new(),
            entered: BTreeMap::new(),
            count: 0,
            timetable: BTreeSet::new(),
            times: BTreeMap::new(),
            lifts: BTreeSet::new(),
            overdue: BTreeSet::new(),
            has_news: false,
            restored: BTreeMap::new(),
        }
    }

    /// The best match with a ticket, over the regions that it likes best.
    fn search(&mut self, pool: &Pool, waiting: &Waiting, now: Time) -> Option<Found> {
        let sizes = pool.teams(&self.queue).to_vec();
        let mut best: Option<Found> = None;
        for region in self.neighbours.regions(waiting, REGIONS) {
            let tickets = self.around(pool, waiting, region.as_ref(), &sizes);
            let names: Vec<usize> = tickets
                .iter()
                .flat_map(|&ticket| self.players.of(ticket))
                .copied()
                .collect();
            self.players.set_waits(&names, now);
            let found = match sizes[..] {
                _ if waiting.ticket.backfill.is_some() => self.fill(waiting, &names, &sizes),
                [a, b] => self.two_teams(&tickets, &names, (a, b)),
                _ => self.more_teams(waiting, &tickets, &sizes),
            };
            if let Some((teams, quality)) = found
                && best.as_ref().is_none_or(|best| quality > best.quality)
            {
                best = Some(Found {
                    teams,
                    region,
                    quality,
                });
            }
        }
        best
    }

    /// The ticket and its neighbours, as many as are looked at.
    fn around(
        &self,
        pool: &Pool,
        waiting: &Waiting,
        region: Option<&Arc<str>>,
        sizes: &[usize],
    ) -> Vec<TicketId> {
        let total: usize = sizes.iter().sum();
        let most = self.settings.neighbours.unwrap_or((4 * total).max(24)).max(total);
        let mut tickets = vec![waiting.ticket.id];
        let mut count = waiting.ticket.players.len();
        self.neighbours
            .nearest(waiting, &self.settings.order, region, |ticket| {
                // Running matches are filled by a search of their own.
                let is_party = pool
                    .get(ticket)
                    .is_some_and(|other| other.ticket.backfill.is_none());
                if is_party {
                    tickets.push(ticket);
                    count += self.players.of(ticket).len();
                }
                count < most
            });
        tickets
    }

    /// Parties as places in the list of their players.
    fn parties(&self, tickets: &[TicketId]) -> Vec<Vec<usize>> {
        let mut next = 0;
        let party = |ticket: &TicketId| {
            let players = self.players.of(*ticket).len();
            next += players;
            (next - players..next).collect()
        };
        tickets.iter().map(party).collect()
    }

    fn lobby_pool(
        &self,
        parties: &[Vec<usize>],
        names: &[usize],
        sizes: (usize, usize),
    ) -> Option<LobbyPool> {
        let pool = self.players.pool();
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by(|&a, &b| {
            pool.skill(names[a])
                .total_cmp(&pool.skill(names[b]))
                .then(a.cmp(&b))
        });
        let lobby_pool = LobbyPool::new(names.len(), sizes).ok()?;
        lobby_pool.with_parties(parties).ok()?.with_order(&order).ok()
    }

    fn two_teams(
        &self,
        tickets: &[TicketId],
        names: &[usize],
        sizes: (usize, usize),
    ) -> Option<(Vec<Vec<TicketId>>, f64)> {
        let pool = self.lobby_pool(&self.parties(tickets), names, sizes)?;
        let scoring = LobbyScoring {
            pool: self.players.pool(),
            policy: &self.settings.scoring,
        };
        let objective = SomePlayers {
            objective: &scoring,
            players: names,
        };
        let limits = Limits::unlimited().with_work(self.settings.exchanges);
        let lobby = best_with(&pool, &objective, 0, &limits).ok()??;
        let of = |team: &[usize]| {
            let indices: Vec<usize> = team.iter().map(|&place| names[place]).collect();
            self.players.tickets_of(&indices)
        };
        Some((vec![of(&lobby.team_a), of(&lobby.team_b)], lobby.quality))
    }

    /// Fills a running match of two teams: its players keep their teams.
    fn fill(&self, waiting: &Waiting, names: &[usize], sizes: &[usize]) -> Option<(Vec<Vec<TicketId>>, f64)> {
        let (&[a, b], Some(backfill)) = (sizes, &waiting.ticket.backfill) else {
            return None;
        };
        let there =
            |team: usize| (0..backfill.teams.len()).filter(move |&place| backfill.teams[place] == team);
        let running = [there(0).collect::<Vec<usize>>(), there(1).collect()];
        let mut parties = running.to_vec();
        let newcomers = &names[waiting.ticket.players.len()..];
        let mut next = waiting.ticket.players.len();
        for ticket in self.players.tickets_of(newcomers) {
            let players = self.players.of(ticket).len();
            parties.push((next..next + players).collect());
            next += players;
        }
        // Tickets in the order of their parties.
        let ordered = self.players.tickets_of(newcomers);
        let own = self.players.of(waiting.ticket.id).iter().copied();
        let names: Vec<usize> = own
            .chain(
                ordered
                    .iter()
                    .flat_map(|&ticket| self.players.of(ticket))
                    .copied(),
            )
            .collect();
        let scoring = LobbyScoring {
            pool: self.players.pool(),
            policy: &self.settings.scoring,
        };
        let keeps = |team: &[usize], of: usize| running[of].iter().all(|place| team.contains(place));
        let quality = |team_a: &[usize], team_b: &[usize]| {
            let straight = keeps(team_a, 0) && keeps(team_b, 1);
            let crossed = a == b && keeps(team_a, 1) && keeps(team_b, 0);
            if !straight && !crossed {
                return None;
            }
            let of = |team: &[usize]| team.iter().map(|&place| names[place]).collect::<Vec<usize>>();
            scoring.quality(&of(team_a), &of(team_b))
        };
        let pool = self.lobby_pool(&parties, &names, (a, b))?;
        let limits = Limits::unlimited().with_work(self.settings.exchanges);
        let lobby = best_with(&pool, &quality, 0, &limits).ok()??;
        let swap = !keeps(&lobby.team_a, 0);
        let of = |team: &[usize]| {
            let is_new = |place: &&usize| **place >= waiting.ticket.players.len();
            let indices: Vec<usize> = team.iter().filter(is_new).map(|&place| names[place]).collect();
            self.players.tickets_of(&indices)
        };
        let mut teams = [of(&lobby.team_a), of(&lobby.team_b)];
        if swap {
            teams.swap(0, 1);
        }
        teams[0].insert(0, waiting.ticket.id);
        Some((teams.to_vec(), lobby.quality))
    }

    /// More than two teams: neighbours that fill them exactly, split as well as can be.
    fn more_teams(
        &self,
        waiting: &Waiting,
        tickets: &[TicketId],
        sizes: &[usize],
    ) -> Option<(Vec<Vec<TicketId>>, f64)> {
        let total: usize = sizes.iter().sum();
        let scoring = LobbyScoring {
            pool: self.players.pool(),
            policy: &self.settings.scoring,
        };
        let skill = |ticket: &TicketId| {
            let players = self.players.of(*ticket);
            players
                .iter()
                .map(|&player| self.players.pool().skill(player))
                .sum::<f64>()
                / players.len() as f64
        };
        let mut order = tickets.to_vec();
        order.sort_by(|a, b| skill(a).total_cmp(&skill(b)).then(a.cmp(b)));
        let mut best: Option<(Vec<Vec<TicketId>>, f64)> = None;
        for start in 0..order.len() {
            let (mut end, mut count) = (start, 0);
            while end < order.len() && count < total {
                count += self.players.of(order[end]).len();
                end += 1;
            }
            let group = &order[start..end];
            if count != total || !group.contains(&waiting.ticket.id) {
                continue;
            }
            let players: Vec<usize> = group
                .iter()
                .flat_map(|&ticket| self.players.of(ticket))
                .copied()
                .collect();
            let parties: Vec<Vec<usize>> = group
                .iter()
                .map(|&ticket| self.players.of(ticket).to_vec())
                .collect();
            let split = Group::new(players, sizes.to_vec()).and_then(|group| group.with_parties(&parties));
            let split =
                split.and_then(|group| BestSplit::new().split(&group, &scoring as &dyn LobbyObjective));
            let Ok(split) = split else { continue };
            let teams: Vec<&[usize]> = split.teams.iter().map(Vec::as_slice).collect();
            let candidate = TeamMatch::new(self.players.pool(), &teams).ok();
            let Some(quality) = candidate.and_then(|candidate| self.settings.scoring.quality(&candidate))
            else {
                continue;
            };
            if best.as_ref().is_none_or(|best| quality > best.1) {
                best = Some((
                    split
                        .teams
                        .iter()
                        .map(|team| self.players.tickets_of(team))
                        .collect(),
                    quality,
                ));
            }
        }
        best
    }

    /// When a match is good enough for those in it; `None`: never.
    fn starts_at(&self, pool: &Pool, found: &Found) -> Option<Time> {
        let joined: Vec<Time> = found
            .teams
            .iter()
            .flatten()
            .filter_map(|&ticket| Some(pool.get(ticket)?.joined))
            .collect();
        let (first, last) = (*joined.iter().min()?, *joined.iter().max()?);
        let Some(threshold) = &self.settings.threshold else {
            return Some(last);
        };
        let wait = threshold.reached(found.quality)?;
        Some(match self.settings.accept {
            Accept::Both => last.plus(wait),
            Accept::Either => first.plus(wait).max(last),
            Accept::Sum => {
                let enough = |at: Time| {
                    let allowed: f64 = joined
                        .iter()
                        .map(|&joined| threshold.allowance(at.since(joined).max(0)))
                        .sum();
                    allowed >= (1.0 - found.quality) * joined.len() as f64
                };
                // It lies between the times of the first and the last by themselves.
                let (mut low, mut high) = (first.plus(wait).max(last), last.plus(wait).max(last));
                while low < high {
                    let middle = Time::from_millis(low.millis() + (high.millis() - low.millis()) / 2);
                    if enough(middle) {
                        high = middle;
                    } else {
                        low = middle.plus(1);
                    }
                }
                high
            }
        })
    }

    /// The quality that those in a match want by now.
    fn wanted(&self, pool: &Pool, found: &Found, now: Time) -> f64 {
        let Some(threshold) = &self.settings.threshold else {
            return 0.0;
        };
        let waiting = found
            .teams
            .iter()
            .flatten()
            .filter_map(|&ticket| pool.get(ticket));
        let wanted: Vec<f64> = waiting.map(|one| threshold.wanted(one.waited(now))).collect();
        match self.settings.accept {
            Accept::Both => wanted.iter().copied().fold(0.0, f64::max),
            Accept::Either => wanted.iter().copied().fold(1.0, f64::min),
            Accept::Sum => wanted.iter().sum::<f64>() / wanted.len().max(1) as f64,
        }
    }

    fn lobby(&self, found: Found) -> Vec<Lobby> {
        vec![Lobby {
            queue: Arc::clone(&self.queue),
            teams: found.teams,
            region: found.region,
            mismatch: 1.0 - found.quality,
        }]
    }

    fn keep(&mut self, ticket: TicketId, at: Option<Time>) {
        if let Some(old) = self.times.remove(&ticket) {
            self.timetable.remove(&(old, ticket));
        }
        if let Some(at) = at {
            self.times.insert(ticket, at);
            self.timetable.insert((at, ticket));
        }
    }

    /// Looks for a match with a ticket, and returns it if it may start now; keeps the time at which it may, if not.
    fn try_now(&mut self, pool: &Pool, ticket: TicketId, now: Time) -> Option<Found> {
        let waiting = pool.get(ticket)?;
        let found = self.search(pool, waiting, now);
        let at = found.as_ref().and_then(|found| self.starts_at(pool, found));
        if at.is_some_and(|at| at <= now) {
            return found;
        }
        self.keep(ticket, at);
        None
    }

    fn try_overdue(&mut self, pool: &Pool, now: Time, budget: &mut Budget) -> Option<Found> {
        while let Some(&(at, ticket)) = self.lifts.first().filter(|lift| lift.0 <= now) {
            self.lifts.remove(&(at, ticket));
            self.has_news = true;
            if let Some(waiting) = pool.get(ticket) {
                self.overdue.insert((waiting.joined, ticket));
            }
        }
        if !self.has_news {
            return None;
        }
        let overdue: Vec<TicketId> = self.overdue.iter().map(|entry| entry.1).collect();
        for ticket in overdue {
            if !budget.spend(self.settings.exchanges) {
                return None;
            }
            let found = pool
                .get(ticket)
                .and_then(|waiting| self.search(pool, waiting, now));
            if found.is_some() {
                return found;
            }
        }
        self.has_news = false;
        None
    }
}

impl MatchPolicy for ContinuousLobbies {
    fn admits(&self, ticket: &Ticket) -> Result<(), String> {
        admits(&self.settings.scoring, ticket)
    }

    fn enter(&mut self, pool: &Pool, ticket: TicketId, _: Time) {
        let Some(waiting) = pool.get(ticket).filter(|waiting| waiting.is_in(&self.queue)) else {
            return;
        };
        if !self.players.insert(waiting) {
            return;
        }
        self.neighbours.insert(waiting, &self.settings.order);
        if let Some(span) = self.settings.longest_wait {
            self.lifts.insert((waiting.joined.plus(span), ticket));
        }
        if let Some((number, is_fresh, at)) = self.restored.remove(&ticket) {
            self.entered.insert(ticket, number);
            if is_fresh {
                self.fresh.insert((number, ticket));
            }
            return self.keep(ticket, at);
        }
        self.count += 1;
        self.entered.insert(ticket, self.count);
        self.fresh.insert((self.count, ticket));
        self.has_news = true;
    }

    fn leave(&mut self, pool: &Pool, ticket: TicketId, _: Time) {
        let Some(entered) = self.entered.remove(&ticket) else {
            return;
        };
        self.fresh.remove(&(entered, ticket));
        self.keep(ticket, None);
        self.players.remove(ticket);
        if let Some(waiting) = pool.get(ticket) {
            self.neighbours.remove(waiting, &self.settings.order);
            self.overdue.remove(&(waiting.joined, ticket));
            if let Some(span) = self.settings.longest_wait {
                self.lifts.remove(&(waiting.joined.plus(span), ticket));
            }
        }
    }

    fn propose(&mut self, pool: &Pool, now: Time, budget: &mut Budget) -> Vec<Lobby> {
        if !pool.is_matched(&self.queue) {
            return Vec::new();
        }
        if let Some(found) = self.try_overdue(pool, now, budget) {
            return self.lobby(found);
        }
        while let Some(&(number, ticket)) = self.fresh.first() {
            if !budget.spend(self.settings.exchanges) {
                return Vec::new();
            }
            self.fresh.remove(&(number, ticket));
            if let Some(found) = self.try_now(pool, ticket, now) {
                return self.lobby(found);
            }
        }
        while let Some(&(_, ticket)) = self.timetable.first().filter(|entry| entry.0 <= now) {
            if !budget.spend(self.settings.exchanges) {
                return Vec::new();
            }
            self.keep(ticket, None);
            if let Some(found) = self.try_now(pool, ticket, now) {
                return self.lobby(found);
            }
        }
        Vec::new()
    }

    /// The time of the best match that was found; at that time another may have become better, or a player of it may have
    /// left, so that nothing happens.
    fn next_time(&mut self, pool: &Pool, now: Time) -> Option<Time> {
        if !pool.is_matched(&self.queue) {
            return None;
        }
        if !self.fresh.is_empty() {
            return Some(now);
        }
        let first = self.timetable.first().map(|entry| entry.0);
        let lift = self.lifts.first().map(|lift| lift.0);
        [first, lift].into_iter().flatten().min().map(|at| at.max(now))
    }

    fn why(&self, pool: &Pool, ticket: TicketId, now: Time) -> Why {
        let Some(waiting) = pool.get(ticket) else {
            return Why {
                state: WaitState::Absent,
                ..Why::default()
            };
        };
        let state = match waiting.proposal {
            Some(_) => WaitState::Answers,
            None if pool.is_matched(&self.queue) => WaitState::Partners,
            None => WaitState::Paused,
        };
        let mut why = Why {
            waited: waiting.waited(now),
            state,
            earliest: self.times.get(&ticket).copied(),
            ..Why::default()
        };
        self.explain(&mut why, pool, waiting, now);
        why
    }

    /// Whether someone came, the count of tickets, and of each waiting ticket its number and when its match would start.
    fn save(&self) -> Vec<u8> {
        let mut bytes = vec![u8::from(self.has_news)];
        bytes.extend(self.count.to_le_bytes());
        for (&ticket, &number) in &self.entered {
            let at = self.times.get(&ticket).map_or(i64::MIN, |at| at.millis());
            bytes.extend(ticket.0.to_le_bytes());
            bytes.extend(number.to_le_bytes());
            bytes.extend(at.to_le_bytes());
            bytes.push(u8::from(self.fresh.contains(&(number, ticket))));
        }
        bytes
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), String> {
        let wrong = || format!("{} bytes for the times of lobbies", saved.len());
        let (news, rest) = saved.split_first().ok_or_else(wrong)?;
        let (count, rest) = rest.split_first_chunk::<8>().ok_or_else(wrong)?;
        let (entries, []) = rest.as_chunks::<25>() else {
            return Err(wrong());
        };
        let word = |entry: &[u8; 25], from: usize| {
            let mut word = [0; 8];
            word.copy_from_slice(&entry[from..from + 8]);
            word
        };
        let known = |entry: &[u8; 25]| {
            let at = i64::from_le_bytes(word(entry, 16));
            let at = (at != i64::MIN).then(|| Time::from_millis(at));
            let ticket = TicketId(u64::from_le_bytes(word(entry, 0)));
            (ticket, (u64::from_le_bytes(word(entry, 8)), entry[24] != 0, at))
        };
        self.restored = entries.iter().map(known).collect();
        self.has_news = *news != 0;
        self.count = u64::from_le_bytes(*count);
        Ok(())
    }

    /// The longest wait, or the time after which the threshold asks for nothing.
    fn liveness(&self) -> Option<f64> {
        let lifted = self.settings.longest_wait;
        let fallen = match &self.settings.threshold {
            None => Some(0),
            // Every one of a match must have waited so long, and newer ones may always come.
            Some(threshold) if self.settings.accept == Accept::Both => {
                threshold.reached(0.0).filter(|&wait| wait == 0)
            }
            Some(threshold) if self.settings.accept == Accept::Either => threshold.reached(0.0),
            Some(_) => None,
        };
        [lifted, fallen]
            .into_iter()
            .flatten()
            .min()
            .map(|wait| wait as f64 / 1000.0)
    }
}

impl ContinuousLobbies {
    /// Why no match of this ticket has started: the best one found, with what it lacks, and what keeps others away.
    fn explain(&self, why: &mut Why, pool: &Pool, waiting: &Waiting, now: Time) {
        let sizes = pool.teams(&self.queue).to_vec();
        for other in pool
            .tickets()
            .filter(|other| other.is_in(&self.queue) && other.key != waiting.key)
        {
            let name = pool
                .key_differences(waiting.key, other.key)
                .next()
                .unwrap_or("key")
                .to_owned();
            *why.rejections.entry(name).or_default() += 1;
        }
        let region = self.neighbours.regions(waiting, 1).into_iter().next().flatten();
        let tickets = self.around(pool, waiting, region.as_ref(), &sizes);
        let names: Vec<usize> = tickets
            .iter()
            .flat_map(|&ticket| self.players.of(ticket))
            .copied()
            .collect();
        let total: usize = sizes.iter().sum();
        if names.len() < total {
            *why.rejections.entry("players".to_owned()).or_default() += total - names.len();
            return;
        }
        let &[a, b] = &sizes[..] else { return };
        if let Some((teams, quality)) = self.two_teams(&tickets, &names, (a, b)) {
            let found = Found {
                teams,
                region,
                quality,
            };
            let wanted = self.wanted(pool, &found, now);
            let at = self.starts_at(pool, &found);
            let obstacles = if at.is_some_and(|at| at <= now) {
                Vec::new()
            } else {
                vec![Obstacle::Threshold { quality, wanted }]
            };
            for ticket in found
                .teams
                .into_iter()
                .flatten()
                .filter(|&ticket| ticket != waiting.ticket.id)
            {
                why.candidates.push(Candidate {
                    ticket,
                    obstacles: obstacles.clone(),
                    compatible_at: at,
                });
            }
            if !obstacles.is_empty() {
                why.rejections
                    .insert("threshold".to_owned(), why.candidates.len());
            }
        }
    }
}
