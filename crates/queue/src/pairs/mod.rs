//! [`Pairs`]: matches of two tickets, as soon as windows or prices admit them.

mod choose;
mod foresight;
mod index;
mod node;
mod offers;
mod params;
mod rules;
#[cfg(feature = "journal")]
mod saved;
mod timetable;
mod why;

use std::sync::Arc;

pub use self::choose::{CheapestFirst, ChoosePairs};
use self::index::Index;
use self::node::Entry;
use self::node::{Node, Ordered, Role, Standing};
use self::offers::{Admitted, Offer, Pair};
pub use self::params::{PairsError, PairsParams};
pub use self::rules::Accept;
use self::rules::{OFFERS, Rules};
use self::timetable::Timetable;
use crate::hash::NumberMap;
use crate::ids::TicketId;
use crate::outcome::{Lobby, Match};
#[cfg(feature = "journal")]
use crate::policy::Adopted;
use crate::policy::{Budget, MatchPolicy, Proposed};
use crate::prices::Prices;
use crate::state::Pool;
use crate::time::Time;
use crate::why::Why;

/// The units of a ticket whose time has come: it goes from one order to another.
const COLLECTED: u64 = 4;

/// Matches of two tickets, each a whole team, as soon as their windows admit it, or their prices cover it.
///
/// A ticket that comes in is compared with its neighbours in the first attribute, nearest first, until no farther one can
/// be compatible sooner; the time at which it will be compatible with the best of them goes into a timetable. Windows
/// never narrow, so that nothing need be looked at again before a time of the timetable or an event. Among those
/// compatible at once a [`ChoosePairs`] decides. A ticket whose longest wait is over gets the nearest whom the rules
/// permit, the oldest ticket first.
///
/// Of those compatible at once each ticket offers itself to the 32 nearest who came before it, so that the choice takes
/// time with the tickets and not with all pairs of them: where nobody has more, all pairs are offered.
///
/// Where a budget cuts a step, those whose time has come are looked at by parts of neighbours, and the next step goes on where
/// this one stopped.
///
/// O(log n + k) an event, with k neighbours within the widest window that matters.
pub struct Pairs {
    queue: Arc<str>,
    rules: Rules,
    index: Index,
    timetable: Timetable,
    chooser: Box<dyn ChoosePairs + Send>,
    prices: Option<Prices>,
    entered: u32,
    /// The last who came of all who ever entered.
    youngest: (Time, TicketId),
    /// After whom those whose time has come are looked at next, where a budget cut that off.
    cursor: Option<Standing>,
    /// Whether the next note is of what this one did itself.
    is_noted: bool,
    /// What failed and was not told yet.
    failures: Vec<String>,
}

impl Clone for Pairs {
    fn clone(&self) -> Self {
        Self {
            queue: Arc::clone(&self.queue),
            rules: self.rules.clone(),
            index: self.index.clone(),
            timetable: self.timetable.clone(),
            chooser: self.chooser.copy(),
            prices: self.prices.clone(),
            entered: self.entered,
            youngest: self.youngest,
            cursor: self.cursor,
            is_noted: self.is_noted,
            failures: self.failures.clone(),
        }
    }
}

impl std::fmt::Debug for Pairs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pairs")
            .field("queue", &self.queue)
            .field("rules", &self.rules)
            .field("waiting", &self.index.len())
            .finish_non_exhaustive()
    }
}

impl Pairs {
    /// The policy of a queue, by name; of several compatible pairs the cheapest first.
    #[must_use]
    pub fn new(queue: &str, settings: PairsSettings) -> Self {
        Self {
            queue: queue.into(),
            index: Index::new(&settings.rules),
            rules: settings.rules,
            prices: settings.prices,
            timetable: Timetable::default(),
            chooser: Box::new(CheapestFirst),
            entered: 0,
            youngest: (Time::from_millis(i64::MIN), TicketId(0)),
            cursor: None,
            is_noted: false,
            failures: Vec::new(),
        }
    }

    /// The policy with another way to choose among pairs that are compatible at the same time.
    #[must_use]
    pub fn choosing_by(mut self, chooser: impl ChoosePairs + Send + 'static) -> Self {
        self.chooser = Box::new(chooser);
        self
    }

    /// What waiting and mismatch are worth by now, if prices decide.
    #[must_use]
    pub const fn prices(&self) -> Option<&Prices> {
        self.prices.as_ref()
    }

    /// The partner with whom a ticket will be compatible first, by its windows; of those with whom it is by now, any. And how
    /// many were looked at.
    fn first_partner(&self, node: &Node, pool: &Pool, now: Time) -> (Entry, u64) {
        let teams = pool.teams(&self.queue);
        let others = self.others(node, teams);
        let mut best: Option<(Time, Ordered, Entry)> = None;
        let mut visited = 0;
        let mut look = |partner: &Node, region: Option<u32>| {
            visited += 1;
            if let Some(at) = self.rules.compatible_at(node, partner, region) {
                let mismatch = Ordered(self.rules.mismatch(node, partner, region));
                if best.as_ref().is_none_or(|best| (at, mismatch) < (best.0, best.1)) {
                    best = Some((at, mismatch, Entry::new(at, Some(partner))));
                }
            }
            best.as_ref().map(|best| best.0)
        };
        self.index.visit(node, &others.few, |partner, region| {
            look(partner, region);
        });
        let reach = self.rules.reach(node, None, others.oldest, others.extra);
        self.index
            .walk(node, teams, reach, usize::MAX, |partner, region| {
                let at = look(partner, region);
                if at.is_some_and(|at| at <= now) {
                    return (f64::NEG_INFINITY, true);
                }
                (self.rules.reach(node, at, others.oldest, others.extra), true)
            });
        (best.map_or(Entry::NONE, |best| best.2), visited)
    }

    /// What of the others widens the reach of a ticket, where the windows of one side may be enough.
    fn others(&self, node: &Node, teams: &[usize]) -> Others {
        if self.rules.accept == Accept::Both {
            return Others::default();
        }
        let (few, oldest) = self.index.oldest(node, teams);
        Others {
            few,
            oldest,
            extra: self.index.most_extra(),
        }
    }

    /// A ticket that comes in, with its number; `None` for one that no pair can hold.
    fn node(&mut self, pool: &Pool, ticket: TicketId) -> Option<Node> {
        let waiting = pool.get(ticket).filter(|waiting| waiting.is_in(&self.queue))?;
        let mut node = self.index.node(waiting, pool.teams(&self.queue), &self.rules)?;
        self.entered = self.entered.wrapping_add(1).max(1);
        node.entered = self.entered;
        Some(node)
    }

    fn insert(&mut self, mut node: Node, pool: &Pool, now: Time) {
        self.youngest = self.youngest.max(node.age());
        let entry = self.first_partner(&node, pool, now).0;
        self.timetable.set(&mut node, entry, false);
        self.index.insert(node, pool.teams(&self.queue));
    }

    /// Looks a ticket's entry up again if its partner has gone; whether its time has come, then, and how many were looked at.
    fn renew(&mut self, ticket: TicketId, pool: &Pool, now: Time) -> (bool, u64) {
        let Some(node) = self.index.get(ticket) else {
            return (false, 0);
        };
        let (entry, visited) = match self.index.partner(&node.next) {
            Some(_) => (node.next, 0),
            None => self.first_partner(node, pool, now),
        };
        let is_due = entry.at <= now;
        if let Some(node) = self.index.get_mut(ticket) {
            self.timetable.set(node, entry, is_due);
        }
        (is_due, visited)
    }

    /// Puts at most `most` of those whose time has come among the due; how many were looked at, and whether they are all.
    fn collect(&mut self, pool: &Pool, now: Time, most: u64, budget: &mut Budget) -> (u64, bool) {
        let mut count = 0;
        while count < most {
            let next = self.timetable.to_come().next();
            let Some((at, ticket)) = next else {
                return (count, true);
            };
            let node = self.index.get(ticket);
            let is_known = node.is_some_and(|node| self.index.partner(&node.next).is_some());
            if is_known && at > now {
                return (count, true);
            }
            if !budget.begin(COLLECTED) {
                return (count, false);
            }
            let visited = self.renew(ticket, pool, now).1;
            budget.begin(visited);
            count += 1;
        }
        (count, false)
    }

    /// The time of the earliest pair. Of tickets whose partners have gone it is looked up.
    fn earliest(&self, pool: &Pool, now: Time) -> Option<Time> {
        if self.timetable.next_due(None).is_some() {
            return Some(now);
        }
        let mut earliest: Option<Time> = None;
        for (at, ticket) in self.timetable.to_come() {
            if earliest.is_some_and(|earliest| earliest <= at) {
                break;
            }
            let Some(node) = self.index.get(ticket) else {
                continue;
            };
            let found = match self.index.partner(&node.next) {
                Some(_) => at,
                None => self.first_partner(node, pool, now).0.at,
            };
            let found = Some(found).filter(|&at| at < Time::MAX);
            earliest = earliest.into_iter().chain(found).min();
        }
        earliest
    }

    fn lobby(&self, a: TicketId, b: TicketId, region: Option<u32>, pool: &Pool) -> Option<Lobby> {
        let (first, second) = (self.index.get(a)?, self.index.get(b)?);
        let mismatch = self.rules.mismatch(first, second, region);
        let sizes = pool.teams(&self.queue);
        let swap = match (first.role, second.role) {
            (role @ Role::Team(_), Role::Team(_)) => {
                let first = sizes.first().and_then(|&size| Role::team(size));
                first != Some(role)
            }
            _ => false,
        };
        let teams = self.teams_of(pool, if swap { [b, a] } else { [a, b] });
        Some(Lobby {
            queue: Arc::clone(&self.queue),
            teams,
            region: self.index.region_name(region).map(Into::into),
            mismatch,
        })
    }

    /// The teams of two tickets; a running match stands in the first, and what fills it in the team that lacks players.
    fn teams_of(&self, pool: &Pool, [a, b]: [TicketId; 2]) -> Vec<Vec<TicketId>> {
        let sizes = pool.teams(&self.queue);
        let running = |ticket: TicketId| pool.get(ticket)?.ticket.backfill.as_ref();
        let (match_ticket, other, backfill) = match (running(a), running(b)) {
            (Some(backfill), _) => (a, b, backfill),
            (_, Some(backfill)) => (b, a, backfill),
            _ => return vec![vec![a], vec![b]],
        };
        let there = |team: usize| backfill.teams.iter().filter(|&&other| other == team).count();
        let lacking = (0..sizes.len())
            .find(|&team| there(team) < sizes[team])
            .unwrap_or(0);
        let mut teams = vec![Vec::new(); sizes.len()];
        teams[0].push(match_ticket);
        teams[lacking].push(other);
        teams
    }

    /// The oldest ticket whose windows are lifted and that has a partner, with the nearest one.
    fn overdue_lobby(&self, pool: &Pool, now: Time) -> Option<Lobby> {
        let (at, ticket) = self.next_overdue()?;
        if at > now {
            return None;
        }
        let (partner, region) = self.nearest(pool, ticket)?;
        self.lobby(ticket, partner, region, pool)
    }

    /// The oldest ticket that has a partner, and when its windows are lifted; with prices, which are not, none.
    fn next_overdue(&self) -> Option<(Time, TicketId)> {
        let span = self.rules.longest_wait.filter(|_| self.rules.is_lifted())?;
        let (joined, ticket) = self.index.oldest_live()?;
        Some((joined.plus(span), ticket))
    }

    fn nearest(&self, pool: &Pool, ticket: TicketId) -> Option<(TicketId, Option<u32>)> {
        let node = self.index.get(ticket)?;
        self.index.nearest(node, pool.teams(&self.queue), &self.rules)
    }

    /// The pairs that are compatible now of the tickets whose time has come, from the cursor on; each pair once, in order. And
    /// how many tickets were gone through, and whether to the last.
    fn compatible_pairs(
        &mut self,
        pool: &Pool,
        now: Time,
        budget: &mut Budget,
    ) -> (Vec<(Pair, Admitted)>, u64, bool) {
        let mut offers: NumberMap<TicketId, Vec<Offer>> = NumberMap::default();
        let mut walked = Vec::new();
        let mut has_ended = false;
        let mut at = self.cursor;
        loop {
            at = self.timetable.next_due(at);
            let Some(next) = at else {
                has_ended = true;
                break;
            };
            if !budget.begin(1) {
                break;
            }
            walked.push(next);
            let (is_due, mut visited) = self.renew(next.2, pool, now);
            if is_due {
                visited += self.look(next.2, pool, now, &mut offers);
            }
            budget.begin(visited);
        }
        self.move_on(&walked, has_ended);
        (self.kept(offers), walked.len() as u64, has_ended)
    }

    /// The cursor goes to the end of those who were gone through. Where there are more, the last quarter is gone through again
    /// with its neighbours.
    fn move_on(&mut self, walked: &[Standing], has_ended: bool) {
        let last = walked.len() - walked.len() / 4;
        self.cursor = match last.checked_sub(1).and_then(|last| walked.get(last)) {
            _ if has_ended => None,
            Some(&last) => Some(last),
            None => self.cursor,
        };
    }

    /// Collects the offers of a ticket whose time has come; how many others were looked at.
    fn look(
        &self,
        ticket: TicketId,
        pool: &Pool,
        now: Time,
        offers: &mut NumberMap<TicketId, Vec<Offer>>,
    ) -> u64 {
        let teams = pool.teams(&self.queue);
        let Some(node) = self.index.get(ticket) else {
            return 0;
        };
        let known = self.index.partner(&node.next).map(|partner| partner.ticket);
        let others = self.others(node, teams);
        let mut visited = 0;
        // Those who came later look at this one themselves, unless it came back; the one whose time it is, is known.
        let mut look = |partner: &Node, region: Option<u32>| {
            visited += 1;
            let is_older = partner.age() < node.age();
            if !is_older && !node.is_back && Some(partner.ticket) != known {
                return;
            }
            let at = self.rules.compatible_at(node, partner, region);
            if at.is_some_and(|at| at <= now) {
                let offer = self.offer(node, partner, region);
                let mine = offers.entry(offer.1.second.1).or_default();
                mine.push(offer);
                if mine.len() >= 4 * OFFERS {
                    self.keep_nearest(mine);
                }
            }
        };
        self.index.visit(node, &others.few, &mut look);
        self.index.visit(node, known.as_slice(), &mut look);
        let reach = self.rules.reach(node, Some(now), others.oldest, others.extra);
        let most = if node.is_back {
            usize::MAX
        } else {
            self.rules.most_looked_at()
        };
        self.index.walk(node, teams, reach, most, |partner, region| {
            look(partner, region);
            (reach, true)
        });
        visited
    }

    fn kept(&self, offers: NumberMap<TicketId, Vec<Offer>>) -> Vec<(Pair, Admitted)> {
        let mut pairs: Vec<(Pair, Admitted)> = Vec::new();
        for mut mine in offers.into_values() {
            self.keep_nearest(&mut mine);
            let of = |(_, pair, cost, region)| (pair, (cost, region));
            pairs.extend(mine.into_iter().map(of));
        }
        pairs.sort_unstable_by_key(|entry| entry.0);
        pairs
    }

    /// The lobbies of those pairs that are chosen.
    fn chosen(&mut self, pairs: &[(Pair, Admitted)], pool: &Pool) -> Vec<Lobby> {
        if let [(pair, admitted)] = pairs {
            let lobby = self.lobby(pair.first.1, pair.second.1, admitted.1, pool);
            return lobby.into_iter().collect();
        }
        let mut tickets: Vec<(Time, TicketId)> = pairs
            .iter()
            .flat_map(|(pair, _)| [pair.first, pair.second])
            .collect();
        tickets.sort_unstable();
        tickets.dedup();
        let place = |ticket: (Time, TicketId)| tickets.binary_search(&ticket).unwrap_or(0);
        let edges: Vec<(usize, usize, f64)> = pairs
            .iter()
            .map(|(pair, admitted)| (place(pair.first), place(pair.second), admitted.0.0.0))
            .collect();
        let chosen = if edges.is_empty() {
            Vec::new()
        } else {
            self.chooser.choose(tickets.len(), &edges)
        };
        let lobby = |(a, b): (usize, usize)| {
            let pair = Pair {
                first: *tickets.get(a.min(b))?,
                second: *tickets.get(a.max(b))?,
            };
            // Dropped: a pair that was not offered is none.
            let known = pairs.binary_search_by_key(&pair, |entry| entry.0).ok()?;
            let region = pairs[known].1.1;
            self.lobby(pair.first.1, pair.second.1, region, pool)
        };
        chosen.into_iter().filter_map(lobby).collect()
    }
}

/// The others of a ticket's places: the few oldest, when the oldest of the rest came, and the greatest extra.
struct Others {
    few: Vec<TicketId>,
    oldest: Time,
    extra: f64,
}

impl Default for Others {
    fn default() -> Self {
        Self {
            few: Vec::new(),
            oldest: Time::MAX,
            extra: 0.0,
        }
    }
}

impl MatchPolicy for Pairs {
    fn enter(&mut self, pool: &Pool, ticket: TicketId, now: Time) {
        let Some(mut node) = self.node(pool, ticket) else {
            return;
        };
        if let (Some(prices), Some(first)) = (&mut self.prices, node.windows.first_mut()) {
            // One that waits again does not arrive.
            if node.joined == now {
                prices.arrive(now);
            } else {
                prices.stay();
            }
            first.extra += prices.allowance(first.coordinate);
        }
        node.is_back = node.age() < self.youngest;
        self.insert(node, pool, now);
    }

    fn leave(&mut self, pool: &Pool, ticket: TicketId, now: Time) {
        let Some(mut node) = self.index.remove(ticket, pool.teams(&self.queue)) else {
            return;
        };
        self.timetable.set(&mut node, Entry::NONE, false);
        if let (Some(prices), Some(waiting)) = (&mut self.prices, pool.get(ticket)) {
            prices.leave(waiting.at_risk(now));
        }
    }

    fn propose(&mut self, pool: &Pool, now: Time, budget: &mut Budget) -> Proposed {
        if !pool.is_matched(&self.queue) {
            return Proposed::nothing();
        }
        if budget.is_spent() {
            return Proposed::unfinished();
        }
        if let Some(lobby) = self.overdue_lobby(pool, now) {
            budget.begin(OFFERS as u64);
            return Proposed::lobbies([lobby]);
        }
        let before = self.cursor;
        let (collected, has_all) = self.collect(pool, now, u64::MAX, budget);
        let (pairs, walked, has_ended) = self.compatible_pairs(pool, now, budget);
        let mut lobbies = self.chosen(&pairs, pool);
        // Those behind the cursor are chosen among with their neighbours, in the next part.
        if let Some(cursor) = self.cursor {
            let is_before = |ticket| {
                let node = self.index.get(ticket);
                node.is_some_and(|node| node.standing() <= cursor)
            };
            lobbies.retain(|lobby| lobby.tickets().any(is_before));
        }
        // A pass from the beginning to the end without a pair is the last.
        let is_done = lobbies.is_empty() && before.is_none() && has_all && has_ended;
        let proposed = Proposed {
            is_done,
            ..Proposed::lobbies(lobbies)
        };
        // Without a journal there is no follower.
        #[cfg(feature = "journal")]
        if collected + walked > 0 || before.is_some() {
            return self.with_note(proposed, (collected, walked, has_ended));
        }
        #[cfg(not(feature = "journal"))]
        let _ = (collected, walked);
        proposed
    }

    #[cfg(feature = "journal")]
    fn note(&mut self, pool: &Pool, now: Time, queue: &str, note: &[u8]) {
        if *queue != *self.queue || std::mem::take(&mut self.is_noted) {
            return;
        }
        self.repeat(pool, now, note);
    }

    fn next_time(&mut self, pool: &Pool, now: Time) -> Option<Time> {
        if !pool.is_matched(&self.queue) {
            return None;
        }
        let lift = self.next_overdue().map(|next| next.0);
        let pair = self.earliest(pool, now);
        lift.into_iter().chain(pair).min().map(|at| at.max(now))
    }

    fn why(&self, pool: &Pool, ticket: TicketId, now: Time) -> Why {
        let mut why = self.explain(pool, ticket, now);
        why.earliest = self.earliest_match(pool, ticket, now);
        why
    }

    fn liveness(&self) -> Option<f64> {
        self.rules.liveness()
    }

    fn take_failures(&mut self) -> Vec<String> {
        let mut failures = std::mem::take(&mut self.failures);
        failures.extend(self.chooser.take_failures());
        failures
    }

    fn learn(&mut self, made: &Match, pool: &Pool, now: Time) {
        let Some(prices) = self.prices.as_mut().filter(|_| *made.lobby.queue == *self.queue) else {
            return;
        };
        let Some(window) = self.rules.windows.first() else {
            return;
        };
        for ticket in made.lobby.tickets() {
            let Some(waiting) = pool.get(ticket) else { continue };
            if let Some(number) = window.number(&waiting.ticket) {
                let at = window.coordinate(number);
                prices.learn(at, waiting.waited(now), 0.5 * made.lobby.mismatch);
            }
        }
    }

    /// When each waiting ticket will be looked at, how far those were looked at whose time has come, and with prices what each
    /// ticket's adds to its width, and what was learned.
    #[cfg(feature = "journal")]
    fn save(&self) -> Vec<u8> {
        self.to_saved()
    }

    #[cfg(feature = "journal")]
    fn restore(&mut self, pool: &Pool, waiting: &[TicketId], now: Time, saved: &[u8]) -> Result<(), String> {
        self.take_saved(pool, waiting, now, saved)
    }

    #[cfg(feature = "journal")]
    fn learned(&self) -> Vec<u8> {
        Prices::tell(self.prices.as_ref())
    }

    #[cfg(feature = "journal")]
    fn adopt(&mut self, learned: &[u8]) -> Adopted {
        Prices::hear(self.prices.as_mut(), learned)
    }
}

/// The settings of [`Pairs`], checked.
#[derive(Debug, Clone)]
pub struct PairsSettings {
    rules: Rules,
    prices: Option<Prices>,
}
