//! Ratings under ids of the caller's own, game by game: saved, loaded, and put right when a past game changes.
//!
//! ```
//! use matchwright_rating::store::{Duel, RatingStore};
//! use matchwright_rating::{Glicko2Params, RatingPeriod, Score};
//!
//! let glicko2 = Glicko2Params::default().build()?;
//! let mut store = RatingStore::by_time(glicko2, RatingPeriod::days(1.0)?);
//! store.add(86_400, Duel::new("ann", "bob", Score::WIN))?;
//! let disputed = store.add(90_000, Duel::new("bob", "cyd", Score::WIN))?;
//! // It turns out that a draw of ann and cyd was not reported, and that bob used a lag switch.
//! store.insert(88_000, Duel::new("ann", "cyd", Score::DRAW))?;
//! store.retract(disputed)?;
//!
//! assert_eq!(store.standing("bob").unwrap().games, 1);
//! let mut straight = RatingStore::by_time(glicko2, RatingPeriod::days(1.0)?);
//! straight.add(86_400, Duel::new("ann", "bob", Score::WIN))?;
//! straight.add(88_000, Duel::new("ann", "cyd", Score::DRAW))?;
//! assert_eq!(store.standing("ann"), straight.standing("ann"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Teams and free-for-alls are [`TeamGame`](crate::TeamGame)s whose members carry ids:
//!
//! ```
//! use matchwright_rating::store::RatingStore;
//! use matchwright_rating::{Side, TeamGame, TrueSkillParams};
//!
//! let mut store = RatingStore::by_game(TrueSkillParams::default().build()?);
//! store.add(0, TeamGame::new(vec![Side::new(1, [7_u64, 8]), Side::new(2, [9, u64::MAX])])?)?;
//! assert!(store.standing(&7).unwrap().rating.rating() > 25.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod game;
mod snapshot;

pub use error::StoreError;
pub use game::{Duel, RatesGames, StoredGame};
pub use snapshot::{GameNumber, Snapshot, Standing};

use std::borrow::Borrow;
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::hash::Hash;

use crate::periods::RatingPeriod;
use snapshot::Entry;

/// What `S` knows about a player of games `G`.
type RatingOf<S, G> = <S as RatesGames<<G as StoredGame>::Numbered>>::Rating;

/// Ratings of players by id, and the games that made them.
///
/// Games come in by time. Each is rated from the ratings just before it, as
/// [`RatingSystem::update_pair`](crate::RatingSystem::update_pair) and
/// [`TeamRatingSystem::update`](crate::TeamRatingSystem::update) do. Games of the same second count in the order in which
/// they came in. Whatever is added, inserted, retracted, saved and loaded on the way, the ratings are to the bit those of
/// one pass over the games that are left, in their order.
///
/// # Memory
/// A player takes the id twice, once in an [`Option`], the rating, and 16 bytes (Elo's state is 24 bytes, Glicko's 32,
/// Glicko-2's 40), in order of appearance: an id is only a key, however large. A game takes its players' numbers and, to
/// be taken back, their standings before it: 120 bytes in a duel under Glicko-2. [`keep`](Self::keep) bounds the number of
/// these games. What a [forgotten](Self::forget) player took goes to a later newcomer, once no game that can be changed
/// has it.
///
/// # Cost
/// Adding a game: its update, and a look-up a player. Changing one: the games since are taken back, by copying, and
/// rated again. Loading: a pass over players and games.
#[derive(Clone, Debug)]
pub struct RatingStore<S, G>
where
    S: RatesGames<G::Numbered>,
    G: StoredGame,
{
    system: S,
    state: Snapshot<G, RatingOf<S, G>>,
    slots: HashMap<G::Player, u32>,
    /// Slots of forgotten players in games that can be changed, with the number of these games.
    nameless: HashMap<u32, u32>,
    /// Slots of forgotten players in no such game, for newcomers. The least goes first: a loaded store does the same.
    free: BTreeSet<u32>,
    work: Work<RatingOf<S, G>>,
}

/// Lists that every game needs again.
#[derive(Clone, Debug)]
struct Work<R> {
    slots: Vec<u32>,
    before: Vec<(R, f64)>,
    after: Vec<R>,
}

impl<R> Default for Work<R> {
    fn default() -> Self {
        Self {
            slots: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
        }
    }
}

impl<S, G> RatingStore<S, G>
where
    S: RatesGames<G::Numbered>,
    G: StoredGame,
{
    /// An empty store in which deviations grow by the clock, in fractions of `period`.
    pub fn by_time(system: S, period: RatingPeriod) -> Self {
        Self::empty(system, Some(period))
    }

    /// An empty store in which every game is a period of its own for its players, however much time has passed.
    pub fn by_game(system: S) -> Self {
        Self::empty(system, None)
    }

    fn empty(system: S, period: Option<RatingPeriod>) -> Self {
        let state = Snapshot {
            period,
            players: Vec::new(),
            standings: Vec::new(),
            games: VecDeque::new(),
            before: VecDeque::new(),
            next: 0,
            kept: None,
            forgotten_until: None,
        };
        Self::of_checked(system, state)
    }

    fn of_checked(system: S, state: Snapshot<G, RatingOf<S, G>>) -> Self {
        let mut store = Self {
            slots: HashMap::with_capacity(state.players.len()),
            nameless: HashMap::new(),
            free: BTreeSet::new(),
            system,
            state,
            work: Work::default(),
        };
        for (slot, id) in (0..).zip(&store.state.players) {
            match id {
                Some(id) => store.slots.insert(id.clone(), slot),
                None => store.nameless.insert(slot, 0),
            };
        }
        for entry in &store.state.games {
            store.work.slots.clear();
            G::slots(&entry.game, &mut store.work.slots);
            for &slot in &store.work.slots {
                if let Some(games) = store.nameless.get_mut(&slot) {
                    *games += 1;
                }
            }
        }
        let unused = store.nameless.extract_if(|_, games| *games == 0);
        for (slot, _) in unused.collect::<Vec<_>>() {
            store.release(slot);
        }
        store
    }

    /// The store that was saved. `system` must be the one that it was saved under: ratings say nothing of it.
    ///
    /// # Errors
    /// [`StoreError::Snapshot`] if it contradicts itself.
    pub fn resume(system: S, snapshot: Snapshot<G, RatingOf<S, G>>) -> Result<Self, StoreError> {
        snapshot.check()?;
        Ok(Self::of_checked(system, snapshot))
    }

    /// What is to be saved.
    #[must_use]
    pub const fn snapshot(&self) -> &Snapshot<G, RatingOf<S, G>> {
        &self.state
    }

    /// The system.
    #[must_use]
    pub const fn system(&self) -> &S {
        &self.system
    }

    /// From now on only the latest `games` can be changed. Default: all.
    pub fn keep(&mut self, games: usize) {
        self.state.kept = Some(games);
        self.let_go();
    }

    /// How many games can be changed.
    #[must_use]
    pub fn changeable(&self) -> usize {
        self.state.games.len()
    }

    /// Adds the latest game, which ended at `time` (Unix seconds), and gives its number.
    ///
    /// # Errors
    /// [`StoreError`] if the game is older than the last one, or has a player twice.
    pub fn add(&mut self, time: i64, game: G) -> Result<GameNumber, StoreError> {
        match self.last_time() {
            Some(last) if time < last => Err(StoreError::TimeGoesBack { last, time }),
            _ => self.insert(time, game),
        }
    }

    /// Puts in a game that ended at `time`, after those that ended before it or in the same second. All later ones are
    /// rated again.
    ///
    /// # Errors
    /// [`StoreError`] if the game is older than those that can be changed, or has a player twice.
    #[allow(
        clippy::needless_pass_by_value,
        reason = "the store keeps the game, by its players' numbers"
    )]
    pub fn insert(&mut self, time: i64, game: G) -> Result<GameNumber, StoreError> {
        if let Some(until) = self.state.forgotten_until.filter(|&until| time < until) {
            return Err(StoreError::Forgotten { until });
        }
        let numbered = self.numbered(&game)?;
        let number = self.state.next;
        self.state.next += 1;
        let later = match self.last_time() {
            Some(last) if time < last => {
                self.take_back(self.state.games.partition_point(|entry| entry.time <= time))
            }
            _ => VecDeque::new(),
        };
        let game = Entry {
            number,
            time,
            game: numbered,
        };
        self.rate_all(std::iter::once(game).chain(later));
        Ok(number)
    }

    /// Takes a game out and gives it back, or none if one of its players was [forgotten](Self::forget). All later ones are
    /// rated again.
    ///
    /// # Errors
    /// [`StoreError::NoSuchGame`] if it is not there, or can no longer be changed.
    pub fn retract(&mut self, number: GameNumber) -> Result<Option<G>, StoreError> {
        let position = self.state.games.iter().rposition(|entry| entry.number == number);
        let position = position.ok_or(StoreError::NoSuchGame(number))?;
        let mut later = self.take_back(position).into_iter();
        let retracted = later.next().ok_or(StoreError::NoSuchGame(number))?;
        self.rate_all(later);
        let mut slots = Vec::new();
        G::slots(&retracted.game, &mut slots);
        let name = |&slot: &u32| Some((slot, self.state.players[slot as usize].clone()?));
        let names: Option<HashMap<_, _>> = slots.iter().map(name).collect();
        for slot in slots {
            self.left(slot);
        }
        Ok(names.map(|names| G::named(&retracted.game, |slot| names[&slot].clone())))
    }

    /// Takes a player out for good, as a person may demand: the id is then neither in the store nor in what it saves. True
    /// if it was known. Who plays under it later is a newcomer.
    ///
    /// Everybody else's rating is, now and after later changes, as if the player were still there: opponents keep what
    /// they learnt. The player's games stay, under a number instead of the id, as long as they can be changed (see
    /// [`keep`](Self::keep)); with the last of them the rating goes too. What was saved before still has the id.
    ///
    /// Cost: a look at the games from the player's last one back to the first, or to the first that can be changed.
    ///
    /// ```
    /// use matchwright_rating::store::{Duel, RatingStore};
    /// use matchwright_rating::{EloParams, Score};
    ///
    /// let mut store = RatingStore::by_game(EloParams::default().build()?);
    /// store.add(0, Duel::new("ann", "bob", Score::WIN))?;
    /// let before = store.standing("ann").cloned();
    /// assert!(store.forget("bob"));
    /// assert_eq!(store.standing("bob"), None);
    /// assert_eq!(store.standing("ann").cloned(), before);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn forget<Q>(&mut self, id: &Q) -> bool
    where
        G::Player: Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        let Some(slot) = self.slots.remove(id) else {
            return false;
        };
        self.state.players[slot as usize] = None;
        let (games, slots) = (&self.state.games, &mut self.work.slots);
        let standing = &self.state.standings[slot as usize];
        let until = games.partition_point(|entry| entry.time <= standing.last_time);
        let has_it = |entry: &&Entry<_>| {
            slots.clear();
            G::slots(&entry.game, slots);
            slots.contains(&slot)
        };
        let with_it = games.range(..until).rev().filter(has_it);
        match (1..=standing.games).zip(with_it).last() {
            Some((games, _)) => drop(self.nameless.insert(slot, games)),
            None => self.release(slot),
        }
        true
    }

    /// Where a player stands after the last game; none before the first.
    pub fn standing<Q>(&self, id: &Q) -> Option<&Standing<RatingOf<S, G>>>
    where
        G::Player: Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        let slot = *self.slots.get(id)?;
        let standing = &self.state.standings[slot as usize];
        (standing.games > 0).then_some(standing)
    }

    /// A player's rating at `time` (Unix seconds), as just before a game then; a newcomer's before the first. A time
    /// before the last game counts as its time.
    pub fn rating_at<Q>(&self, id: &Q, time: i64) -> RatingOf<S, G>
    where
        G::Player: Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        match self.standing(id) {
            Some(standing) => self.system.idle(&standing.rating, self.elapsed(standing, time)),
            None => self.system.newcomer(),
        }
    }

    /// All players with a game, in the order in which they first came in, but that newcomers take the places of the
    /// forgotten.
    pub fn standings(&self) -> impl Iterator<Item = (&G::Player, &Standing<RatingOf<S, G>>)> {
        let all = self.state.players.iter().zip(&self.state.standings);
        let all = all.filter(|(_, standing)| standing.games > 0);
        all.filter_map(|(id, standing)| Some((id.as_ref()?, standing)))
    }

    /// When the last game ended.
    #[must_use]
    pub fn last_time(&self) -> Option<i64> {
        let last = self.state.games.back().map(|entry| entry.time);
        last.or(self.state.forgotten_until)
    }

    /// The game with numbers for ids; newcomers get theirs unless the game is refused.
    fn numbered(&mut self, game: &G) -> Result<G::Numbered, StoreError> {
        let players = game.players();
        if let Some(seat) = repeated_seat(&players) {
            return Err(StoreError::SamePlayer { seat });
        }
        let counts = (
            u32::try_from(self.state.players.len()),
            u32::try_from(players.len()),
        );
        let mut next = match counts {
            (Ok(known), Ok(more)) if known.checked_add(more).is_some() => known,
            _ => return Err(StoreError::TooManyPlayers),
        };
        let (state, slots, free) = (&mut self.state, &mut self.slots, &mut self.free);
        Ok(game.numbered(|id| {
            if let Some(&slot) = slots.get(id) {
                return slot;
            }
            let slot = free.pop_first().unwrap_or(next);
            if slot == next {
                next += 1;
                state.players.push(None);
                state.standings.push(newcomer(&self.system));
            }
            state.players[slot as usize] = Some(id.clone());
            slots.insert(id.clone(), slot);
            slot
        }))
    }

    fn elapsed(&self, standing: &Standing<RatingOf<S, G>>, time: i64) -> f64 {
        match self.state.period {
            _ if standing.games == 0 => 0.0,
            // Games are in order of time.
            Some(period) => period.elapsed(standing.last_time, time).unwrap_or(0.0),
            None => 1.0,
        }
    }

    /// Takes the games from `position` on back, and gives them in order.
    fn take_back(&mut self, position: usize) -> VecDeque<Entry<G::Numbered>> {
        let later = self.state.games.split_off(position);
        let slots = &mut self.work.slots;
        for entry in later.iter().rev() {
            slots.clear();
            G::slots(&entry.game, slots);
            let first = self.state.before.len() - slots.len();
            for (&slot, before) in slots.iter().zip(self.state.before.drain(first..)) {
                self.state.standings[slot as usize] = before;
            }
        }
        later
    }

    fn rate_all(&mut self, games: impl Iterator<Item = Entry<G::Numbered>>) {
        for entry in games {
            self.rate(&entry);
            self.state.games.push_back(entry);
        }
        self.let_go();
    }

    fn rate(&mut self, entry: &Entry<G::Numbered>) {
        let mut work = std::mem::take(&mut self.work);
        work.slots.clear();
        work.before.clear();
        work.after.clear();
        G::slots(&entry.game, &mut work.slots);
        for &slot in &work.slots {
            let standing = &self.state.standings[slot as usize];
            work.before
                .push((standing.rating.clone(), self.elapsed(standing, entry.time)));
            self.state.before.push_back(standing.clone());
        }
        self.system.rate(&entry.game, &work.before, &mut work.after);
        for (&slot, rating) in work.slots.iter().zip(work.after.drain(..)) {
            let standing = &mut self.state.standings[slot as usize];
            *standing = Standing {
                rating,
                last_time: entry.time,
                games: standing.games.saturating_add(1),
            };
        }
        self.work = work;
    }

    /// Lets go of the oldest games beyond those that are kept.
    fn let_go(&mut self) {
        let mut slots = std::mem::take(&mut self.work.slots);
        while self.state.kept.is_some_and(|kept| self.state.games.len() > kept) {
            if let Some(entry) = self.state.games.pop_front() {
                slots.clear();
                G::slots(&entry.game, &mut slots);
                self.state.before.drain(..slots.len());
                self.state.forgotten_until = Some(entry.time);
                for &slot in &slots {
                    self.left(slot);
                }
            }
        }
        self.work.slots = slots;
    }

    /// A game of `slot` is no longer among those that can be changed.
    fn left(&mut self, slot: u32) {
        if let Some(games) = self.nameless.get_mut(&slot) {
            *games -= 1;
            if *games == 0 {
                self.nameless.remove(&slot);
                self.release(slot);
            }
        }
    }

    /// No game can bring the forgotten player's standing back: the slot is a newcomer's.
    fn release(&mut self, slot: u32) {
        self.state.standings[slot as usize] = newcomer(&self.system);
        self.free.insert(slot);
    }
}

/// Where a player stands before the first game.
fn newcomer<N, S: RatesGames<N>>(system: &S) -> Standing<S::Rating> {
    Standing {
        rating: system.newcomer(),
        last_time: 0,
        games: 0,
    }
}

/// The first seat of a player who has an earlier one too.
fn repeated_seat<Id: Eq + Hash>(players: &[&Id]) -> Option<usize> {
    if let [first, second] = players {
        return (first == second).then_some(1);
    }
    let mut seen = HashSet::with_capacity(players.len());
    players.iter().position(|id| !seen.insert(*id))
}
