//! [`Pairs`]: matches of two tickets, as soon as windows or prices admit them.

mod index;
mod params;
mod rules;
mod timetable;
mod why;

use std::collections::BTreeMap;
use std::sync::Arc;

use self::index::{Index, Node, Ordered, Rank, worse_ping};
pub use self::params::{PairsError, PairsParams};
pub use self::rules::Accept;
use self::rules::{OFFERS, Rules};
use self::timetable::{Entry, Timetable};
use crate::hash::NumberMap;
use crate::ids::TicketId;
use crate::outcome::{Lobby, Match};
#[cfg(feature = "journal")]
use crate::policy::Adopted;
use crate::policy::{Budget, MatchPolicy, Proposed, foresee};
#[cfg(feature = "journal")]
use crate::prices::LearnedPrices;
use crate::prices::Prices;
use crate::state::Pool;
use crate::time::Time;
use crate::why::Why;

/// Chooses among pairs that may start now, each vertex in one at most.
///
/// Contract: pairs of the list, disjoint, as many as possible ([`Exact`](Self) choosers) or nearly so; and of those the
/// least sum of costs. The same edges give the same pairs.
pub trait ChoosePairs {
    /// Pairs among `vertices` by their edges `(a, b, cost)`, a < b, each pair once.
    fn choose(&mut self, vertices: usize, edges: &[(usize, usize, f64)]) -> Vec<(usize, usize)>;

    /// What failed since this was last asked, as [`MatchPolicy::take_failures`] tells it.
    fn take_failures(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// Another that chooses alike, for what a policy would do next.
    fn copy(&self) -> Box<dyn ChoosePairs + Send>;
}

/// The cheapest pair first, then the cheapest of those left: no optimum, and no dependence.
#[derive(Debug, Clone, Copy, Default)]
pub struct CheapestFirst;

impl ChoosePairs for CheapestFirst {
    fn choose(&mut self, vertices: usize, edges: &[(usize, usize, f64)]) -> Vec<(usize, usize)> {
        let mut order: Vec<&(usize, usize, f64)> = edges.iter().collect();
        order.sort_by(|x, y| x.2.total_cmp(&y.2).then((x.0, x.1).cmp(&(y.0, y.1))));
        let mut is_free = vec![true; vertices];
        let mut pairs = Vec::new();
        for &&(a, b, _) in &order {
            if is_free[a] && is_free[b] {
                (is_free[a], is_free[b]) = (false, false);
                pairs.push((a, b));
            }
        }
        pairs
    }

    fn copy(&self) -> Box<dyn ChoosePairs + Send> {
        Box::new(*self)
    }
}

/// Wakeups that are looked at for the match of a ticket.
const FORESEEN: usize = 100;

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
/// Where a budget cuts a step, or more than 128 neighbours fit, which pairs are offered first may differ after a recovery.
///
/// O(log n + k) an event, with k neighbours within the widest window that matters.
pub struct Pairs {
    queue: Arc<str>,
    rules: Rules,
    index: Index,
    timetable: Timetable,
    chooser: Box<dyn ChoosePairs + Send>,
    prices: Option<Prices>,
    /// Of tickets that waited when a snapshot was taken: what their price added to the width.
    allowances: BTreeMap<TicketId, f64>,
    entered: u64,
    /// The last who came of all who ever entered.
    youngest: (Time, TicketId),
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
            allowances: self.allowances.clone(),
            entered: self.entered,
            youngest: self.youngest,
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
            rules: settings.rules,
            prices: settings.prices,
            allowances: BTreeMap::new(),
            index: Index::default(),
            timetable: Timetable::default(),
            chooser: Box::new(CheapestFirst),
            entered: 0,
            youngest: (Time::from_millis(i64::MIN), TicketId(0)),
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

    /// The partner with whom a ticket will be compatible first, by its windows; of those with whom it is by now, any.
    fn first_partner(&self, node: &Node, pool: &Pool, now: Time) -> Option<Entry> {
        let teams = pool.teams(&self.queue);
        let others = self.others(node, teams);
        let mut best: Option<(Time, Ordered, Entry)> = None;
        let mut look = |partner: &Node, region: Option<u32>| {
            if let Some(at) = self.rules.compatible_at(node, partner, region) {
                let mismatch = Ordered(self.rules.mismatch(node, partner, region));
                if best.as_ref().is_none_or(|best| (at, mismatch) < (best.0, best.1)) {
                    best = Some((at, mismatch, Entry::new(at, node, partner)));
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
        best.map(|best| best.2)
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

    /// The earliest pair, after dropping what no longer holds; `None` too where the budget is spent before it is known.
    fn earliest(&mut self, pool: &Pool, now: Time, budget: &mut Budget) -> Option<Entry> {
        while let Some(entry) = self.timetable.first() {
            if entry.holds(&self.index) {
                return Some(entry);
            }
            if !budget.begin(1) {
                return None;
            }
            self.timetable.pop();
            if let Some(node) = entry.owner(&self.index)
                && let Some(next) = self.first_partner(node, pool, now)
            {
                self.timetable.push(next);
            }
        }
        None
    }

    fn lobby(&self, a: TicketId, b: TicketId, region: Option<u32>, pool: &Pool) -> Option<Lobby> {
        let (first, second) = (self.index.get(a)?, self.index.get(b)?);
        let mismatch = self.rules.mismatch(first, second, region);
        let sizes = pool.teams(&self.queue);
        let swap = match (first.role, second.role) {
            (index::Role::Team(size), index::Role::Team(_)) => sizes.first() != Some(&size),
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
        let span = self.rules.longest_wait.filter(|_| !self.rules.is_priced)?;
        let (joined, ticket) = self.index.oldest_live()?;
        Some((joined.plus(span), ticket))
    }

    fn nearest(&self, pool: &Pool, ticket: TicketId) -> Option<(TicketId, Option<u32>)> {
        let node = self.index.get(ticket)?;
        self.index.nearest(node, pool.teams(&self.queue), &self.rules)
    }

    /// All pairs that are compatible now, by the tickets whose time has come; each pair once, in order.
    fn compatible_pairs(&mut self, pool: &Pool, now: Time, budget: &mut Budget) -> Vec<(Pair, Admitted)> {
        let teams = pool.teams(&self.queue);
        let mut due: Vec<Entry> = Vec::new();
        let mut offers: NumberMap<TicketId, Vec<Offer>> = NumberMap::default();
        while let Some(entry) = self.earliest(pool, now, budget).filter(|entry| entry.at <= now) {
            if budget.is_spent() {
                break;
            }
            self.timetable.pop();
            due.push(entry);
            let Some(node) = entry.owner(&self.index) else {
                continue;
            };
            let others = self.others(node, teams);
            let mut visited = 0;
            // Those who came later look at this one themselves, unless it came back; the one whose time it is, is known.
            let mut look = |partner: &Node, region: Option<u32>| {
                visited += 1;
                let is_older = partner.age() < node.age();
                if !is_older && !node.is_back && partner.ticket != entry.partner() {
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
            self.index.visit(node, &[entry.partner()], &mut look);
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
            budget.begin(visited.max(1));
        }
        for entry in due {
            self.timetable.push(entry);
        }
        let mut pairs: Vec<(Pair, Admitted)> = Vec::new();
        for mut mine in offers.into_values() {
            self.keep_nearest(&mut mine);
            let of = |(_, pair, cost, region)| (pair, (cost, region));
            pairs.extend(mine.into_iter().map(of));
        }
        pairs.sort_unstable_by_key(|entry| entry.0);
        pairs
    }

    /// The pair of two tickets, as the younger offers itself to the older.
    fn offer(&self, a: &Node, b: &Node, region: Option<u32>) -> Offer {
        let mismatch = Ordered(self.rules.mismatch(a, b, region));
        let cost = (mismatch, Ordered(worse_ping(a, b, region)));
        let (older, younger) = if a.age() < b.age() { (a, b) } else { (b, a) };
        let rank = younger.rank(older);
        let nearness = if self.rules.is_ordered() {
            (rank, cost)
        } else {
            ((mismatch, false, rank.2, rank.3), cost)
        };
        (nearness, Pair::of(a, b), cost, region)
    }

    /// The offers of one ticket to the [`OFFERS`] nearest who came before it, each in its best region.
    fn keep_nearest(&self, offers: &mut Vec<Offer>) {
        let name = |offer: &Offer| self.index.region_name(offer.3);
        offers.sort_unstable_by(|a, b| (a.1, a.2, name(a)).cmp(&(b.1, b.2, name(b))));
        offers.dedup_by_key(|offer| offer.1);
        offers.sort_unstable_by_key(|offer| (offer.0, offer.1));
        offers.truncate(OFFERS);
    }
}

/// How near, the pair, its cost and worse ping, and the region.
type Offer = ((Rank, (Ordered, Ordered)), Pair, (Ordered, Ordered), Option<u32>);

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

/// Two tickets, the older first: who has waited longer comes first among equals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Pair {
    first: (Time, TicketId),
    second: (Time, TicketId),
}

impl Pair {
    fn of(a: &Node, b: &Node) -> Self {
        let (a, b) = ((a.joined, a.ticket), (b.joined, b.ticket));
        Self {
            first: a.min(b),
            second: a.max(b),
        }
    }
}

/// The cost of a pair and the worse ping, and the region where they are least, the first by name.
type Admitted = ((Ordered, Ordered), Option<u32>);

impl MatchPolicy for Pairs {
    fn enter(&mut self, pool: &Pool, ticket: TicketId, now: Time) {
        let waiting = pool.get(ticket).filter(|waiting| waiting.is_in(&self.queue));
        let Some(waiting) = waiting else { return };
        let teams = pool.teams(&self.queue);
        let Some(mut node) = self.index.node(waiting, teams, &self.rules) else {
            return;
        };
        if let (Some(prices), Some(extra)) = (&mut self.prices, node.extras.first_mut()) {
            // One that waits again does not arrive.
            let known = self.allowances.remove(&ticket);
            match known {
                None if waiting.joined == now => prices.arrive(now),
                None => prices.stay(),
                Some(_) => {}
            }
            *extra += known.unwrap_or_else(|| prices.allowance(node.coordinates[0]));
        }
        self.entered += 1;
        node.entered = self.entered;
        node.is_back = node.age() < self.youngest;
        self.youngest = self.youngest.max(node.age());
        if let Some(entry) = self.first_partner(&node, pool, now) {
            self.timetable.push(entry);
        }
        self.index.insert(node, teams);
        self.timetable.shrink(&self.index);
    }

    fn leave(&mut self, pool: &Pool, ticket: TicketId, now: Time) {
        if self.index.remove(ticket, pool.teams(&self.queue)).is_none() {
            return;
        }
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
        let pairs = self.compatible_pairs(pool, now, budget);
        if let [(pair, admitted)] = pairs[..] {
            return Proposed::lobbies(self.lobby(pair.first.1, pair.second.1, admitted.1, pool));
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
        let lobbies: Vec<Lobby> = chosen.into_iter().filter_map(lobby).collect();
        let is_done = lobbies.is_empty() && !budget.is_spent();
        Proposed {
            is_done,
            ..Proposed::lobbies(lobbies)
        }
    }

    fn next_time(&mut self, pool: &Pool, now: Time) -> Option<Time> {
        if !pool.is_matched(&self.queue) {
            return None;
        }
        let lift = self.next_overdue().map(|next| next.0);
        let pair = self
            .earliest(pool, now, &mut Budget::default())
            .map(|entry| entry.at);
        lift.into_iter().chain(pair).min().map(|at| at.max(now))
    }

    fn why(&self, pool: &Pool, ticket: TicketId, now: Time) -> Why {
        let mut why = self.explain(pool, ticket, now);
        why.earliest = foresee(self.clone(), pool, ticket, now, FORESEEN).map(|found| found.0);
        why
    }

    fn liveness(&self) -> Option<f64> {
        self.rules.liveness()
    }

    fn take_failures(&mut self) -> Vec<String> {
        self.chooser.take_failures()
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

    /// With prices: what each waiting ticket's price adds to its width, and what was learned.
    #[cfg(feature = "journal")]
    fn save(&self) -> Vec<u8> {
        let Some(prices) = &self.prices else {
            return Vec::new();
        };
        let extra = |node: &Node| (node.ticket, node.extras.first().copied().unwrap_or(0.0));
        let mut allowances: Vec<(TicketId, f64)> = self.index.nodes().map(extra).collect();
        allowances.sort_unstable_by_key(|entry| entry.0);
        let learned = prices.learned();
        crate::journal::to_saved(VERSION, &Saved { allowances, learned })
    }

    #[cfg(feature = "journal")]
    fn restore(&mut self, pool: &Pool, waiting: &[TicketId], now: Time, saved: &[u8]) -> Result<(), String> {
        match &mut self.prices {
            Some(prices) => {
                let Saved { allowances, learned } = crate::journal::from_saved(VERSION, saved)?;
                let mut bad = allowances.iter();
                if let Some((ticket, allowance)) = bad.find(|entry| !(0.0..=f64::MAX).contains(&entry.1)) {
                    return Err(format!("ticket {ticket} with a price of {allowance}"));
                }
                prices.take(learned)?;
                self.allowances = allowances.into_iter().collect();
            }
            None if saved.is_empty() => {}
            None => {
                return Err(format!("{} bytes for a policy that learns nothing", saved.len()));
            }
        }
        for &ticket in waiting {
            self.enter(pool, ticket, now);
        }
        self.allowances.clear();
        Ok(())
    }

    #[cfg(feature = "journal")]
    fn adopt(&mut self, saved: &[u8]) -> Adopted {
        let Some(prices) = &mut self.prices else {
            return Adopted::Nothing("this policy has no prices".to_owned());
        };
        match crate::journal::from_saved(VERSION, saved).and_then(|saved: Saved| prices.adopt(saved.learned))
        {
            Ok(()) => Adopted::All,
            Err(reason) => Adopted::Nothing(reason),
        }
    }
}

/// The version of what is saved.
#[cfg(feature = "journal")]
const VERSION: u32 = 1;

/// What is saved of a policy with prices.
#[cfg(feature = "journal")]
#[derive(serde::Serialize, serde::Deserialize)]
struct Saved {
    allowances: Vec<(TicketId, f64)>,
    learned: LearnedPrices,
}

/// The settings of [`Pairs`], checked.
#[derive(Debug, Clone)]
pub struct PairsSettings {
    rules: Rules,
    prices: Option<Prices>,
}
