//! Prices in place of a threshold: a match starts when what its players would pay for it covers its mismatch.

use std::collections::BTreeMap;

use matchwright_queue::{Match, Pool, Prices, TicketId, Time, Waiting, Window};

use super::search::Found;

/// No wait is longer, in milliseconds: 34 years.
const LONGEST: i64 = 1 << 40;

/// What matches are worth to the players who wait, by their ticket's number.
#[derive(Clone)]
pub(super) struct Priced {
    prices: Prices,
    /// g C / K, by the wait.
    by_wait: Window,
    /// What a player of each waiting ticket pays, as it was when it came.
    pays: BTreeMap<TicketId, Pays>,
}

/// What a player pays for a match, in units of its mismatch.
#[derive(Clone, Copy, Default, serde::Serialize, serde::Deserialize)]
pub(super) struct Pays {
    /// a p / K, at once.
    pub(super) at_once: f64,
    /// g P h / K, for each second waited, beside g C / K.
    pub(super) per_second: f64,
    /// Seconds between arrivals.
    pub(super) gap: f64,
}

impl Pays {
    /// What of it is no price, if anything.
    #[cfg(feature = "journal")]
    pub(super) fn fault(self) -> Option<f64> {
        let all = [self.at_once, self.per_second, self.gap];
        all.into_iter().find(|one| !(0.0..=f64::MAX).contains(one))
    }
}

/// By how many milliseconds a wait exceeds the average time that the tickets for a match of this many take to come.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a float becomes the nearest integer there is"
)]
fn beyond_filling(waited: i64, tickets: usize, gap: f64) -> i64 {
    let filling = 500.0 * gap * tickets.saturating_sub(1) as f64;
    (waited - filling as i64).max(0)
}

impl Priced {
    pub(super) fn new(prices: Prices) -> Self {
        Self {
            by_wait: prices.window(None),
            prices,
            pays: BTreeMap::new(),
        }
    }

    /// A ticket begins to wait; `known` is what its players pay if a snapshot has it.
    pub(super) fn enter(&mut self, waiting: &Waiting, number: f64, known: Option<Pays>, now: Time) {
        // One that waits again does not arrive.
        match known {
            None if waiting.joined == now => self.prices.arrive(now),
            None => self.prices.stay(),
            Some(_) => {}
        }
        let pays = known.unwrap_or_else(|| Pays {
            at_once: self.prices.allowance(number),
            per_second: self.prices.patience_allowance(),
            gap: self.prices.gap(),
        });
        self.pays.insert(waiting.ticket.id, pays);
    }

    pub(super) fn leave(&mut self, waiting: &Waiting, now: Time) {
        if self.pays.remove(&waiting.ticket.id).is_some() {
            self.prices.leave(waiting.at_risk(now));
        }
    }

    /// What a player of a ticket pays.
    pub(super) fn pays(&self, ticket: TicketId) -> Pays {
        self.pays.get(&ticket).copied().unwrap_or_default()
    }

    /// The mismatch that the players of a match cover at a time.
    pub(super) fn covered(&self, pool: &Pool, found: &Found, at: Time) -> f64 {
        let tickets = found.teams.iter().flatten();
        let many = tickets.clone().count();
        tickets
            .filter_map(|&ticket| {
                let waiting = pool.get(ticket)?;
                let pays = self.pays(ticket);
                let waited = beyond_filling(waiting.waited(at), many, pays.gap);
                let at_once = pays.at_once + pays.per_second * (waited as f64 / 1000.0);
                let each = self.by_wait.width(at_once, waited);
                Some(each * waiting.ticket.players.len() as f64)
            })
            .sum()
    }

    /// The first time from `last` on at which the mismatch of a match is covered; `None`: never.
    pub(super) fn starts_at(&self, pool: &Pool, found: &Found, last: Time) -> Option<Time> {
        let enough = |at| self.covered(pool, found, at) >= 1.0 - found.quality;
        let never = last.plus(LONGEST);
        enough(never).then(|| first_time(last, never, enough))
    }

    /// Each ticket learns what a player of it paid: its wait beyond the time that filling takes, and an equal share of the
    /// match's mismatch.
    pub(super) fn learn(&mut self, made: &Match, pool: &Pool, order: &str, now: Time) {
        let tickets: Vec<&Waiting> = made.lobby.tickets().filter_map(|id| pool.get(id)).collect();
        let players: usize = tickets.iter().map(|one| one.ticket.players.len()).sum();
        let share = made.lobby.mismatch / players.max(1) as f64;
        for waiting in tickets.iter().filter(|one| one.ticket.backfill.is_none()) {
            if let Some(number) = waiting.ticket.mean(order) {
                let waited = beyond_filling(waiting.waited(now), tickets.len(), self.prices.gap());
                self.prices.learn(number, waited, share);
            }
        }
    }

    #[cfg(feature = "journal")]
    pub(super) const fn prices(&self) -> &Prices {
        &self.prices
    }

    #[cfg(feature = "journal")]
    pub(super) const fn prices_mut(&mut self) -> &mut Prices {
        &mut self.prices
    }
}

/// The first time in a range at which something is enough that is enough at its end, and stays so.
pub(super) fn first_time(from: Time, to: Time, enough: impl Fn(Time) -> bool) -> Time {
    let (mut low, mut high) = (from, to.max(from));
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
