//! Ratings under ids of the caller's own, game by game: saved, opened, and put right when the past changes.
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
//!
//! Ratings can be [given](RatingStore::seed), [set](RatingStore::set) and [reset](RatingStore::reset), and a
//! [season](RatingStore::change_season) changes all of them. These are events among the games: a game that is retracted
//! before them leaves them where they are.
//!
//! ```
//! use matchwright_rating::store::{Duel, RatingStore};
//! use matchwright_rating::{EloParams, EloRating, Score, SeasonChange};
//!
//! let mut store = RatingStore::by_game(EloParams::default().build()?);
//! store.seed(0, "ann", EloRating::new(1900.0)?)?;
//! let game = store.add(10, Duel::new("ann", "bob", Score::LOSS))?;
//! store.change_season(20, SeasonChange { share: 0.5, ..SeasonChange::NONE })?;
//! store.retract(game)?;
//! // Half way from 1900 to 1500.
//! assert_eq!(store.rating_at("ann", 20).value(), 1700.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Ratings in contexts (a mode, a map, a surface) are those of a second store, whose players are each one for each context;
//! a [`ContextBlend`](crate::ContextBlend) forecasts by both:
//!
//! ```
//! use matchwright_rating::store::{Duel, RatingStore};
//! use matchwright_rating::{ContextBlend, EloParams, RatingSystem, Score};
//!
//! let elo = EloParams::default().build()?;
//! let (mut all, mut own) = (RatingStore::by_game(elo), RatingStore::by_game(elo));
//! for (time, surface, winner, loser) in [(1, "clay", "ann", "bob"), (2, "grass", "bob", "ann"), (3, "clay", "ann", "bob")] {
//!     all.add(time, Duel::new(winner, loser, Score::WIN))?;
//!     own.add(time, Duel::new((winner, surface), (loser, surface), Score::WIN))?;
//! }
//! let games = |player| own.standing(&(player, "clay")).map_or(0, |standing| standing.games);
//! let blend = ContextBlend::new(4.0)?;
//! let weight = blend.weight(["ann", "bob"].map(games));
//! let chances = [
//!     elo.win_probability(&all.rating("ann"), &all.rating("bob")),
//!     elo.win_probability(&own.rating(&("ann", "clay")), &own.rating(&("bob", "clay"))),
//! ];
//! assert!(blend.chance(chances, weight) > chances[0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`RatingStore::save`] writes a file, and from then on adds to it what is new.

mod adjusted;
mod changes;
mod error;
mod game;
mod log;
mod roster;
mod rules;
mod saved;
mod standing;
mod state;

pub use adjusted::Adjusted;
pub use error::{SaveError, StoreError};
pub use game::{Duel, RatesGames, StoredGame};
pub use standing::{EventNumber, Keep, Standing};

use std::borrow::Borrow;
use std::hash::Hash;

use crate::periods::RatingPeriod;
use crate::season::SeasonChange;
use log::{Event, Happened, Log};
use roster::{Forgotten, Roster};
use rules::{Rules, Season};
use saved::Unsaved;
use state::State;

/// What `S` knows about a player of games `G`.
type RatingOf<S, G> = <S as RatesGames<<G as StoredGame>::Numbered>>::Rating;

/// Ratings of players by id, and the games that made them.
///
/// Games come in by time. Each is rated from the ratings just before it, as
/// [`RatingSystem::update_pair`](crate::RatingSystem::update_pair) and
/// [`TeamRatingSystem::update`](crate::TeamRatingSystem::update) do. Games of the same second count in the order in which
/// they came in. Whatever is added, inserted, retracted, saved and opened on the way, the ratings are to the bit those of
/// one pass over the events that are left, in their order.
///
/// # Memory
/// A duel takes some 12 bytes, a game of five against five some 60. A player takes the id twice, once in an [`Option`], the
/// standing (Elo's takes 24 bytes, Glicko's 32, Glicko-2's 40) and some 10 bytes: an id is only a key, however large. The
/// [way back](Self::keep_way_back) from the latest games takes a standing a player. [`keep`](Self::keep) bounds the number of
/// games. What a [forgotten](Self::forget) player took goes to a later newcomer, once no event that can be changed has it.
///
/// # Cost
/// Adding a game: its update, and a look-up a player; twice its update, once more games are kept than those whose way back is
/// known. Changing one: the games since are taken back and rated again; beyond those whose way back is known, all that
/// are kept are rated again (a million duels: half a second).
#[derive(Clone, Debug)]
pub struct RatingStore<S, G>
where
    S: RatesGames<G::Numbered>,
    G: StoredGame,
{
    rules: Rules<S, RatingOf<S, G>>,
    roster: Roster<G::Player>,
    state: State<RatingOf<S, G>>,
    log: Log<G::Numbered>,
    keep: Keep,
    /// The next event's number.
    next: EventNumber,
    /// The time of the last event that can no longer be changed.
    forgotten_until: Option<i64>,
    unsaved: Unsaved<G, RatingOf<S, G>>,
    /// Bytes at the file's end that were no whole save.
    torn: usize,
    slots: Vec<u32>,
    work: rules::Work<RatingOf<S, G>>,
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
        Self {
            rules: Rules::new(system, period),
            roster: Roster::default(),
            state: State::default(),
            log: Log::default(),
            keep: Keep::All,
            next: 0,
            forgotten_until: None,
            unsaved: Unsaved::All,
            torn: 0,
            slots: Vec::new(),
            work: rules::Work::default(),
        }
    }

    /// The system.
    #[must_use]
    pub const fn system(&self) -> &S {
        &self.rules.system
    }

    /// From now on only some events can be changed.
    pub fn keep(&mut self, which: Keep) {
        self.keep = which;
        self.let_go();
        self.unsaved = Unsaved::All;
    }

    /// Keeps what the last `players` of events stood at before them, a standing each: so many can be taken back without a pass
    /// over all that are kept. Default 131,072: the latest 65,536 duels, or 13,107 games of five against five.
    pub fn keep_way_back(&mut self, players: usize) {
        self.state.seats = players;
        self.unsaved = Unsaved::All;
    }

    /// How many games and set ratings can be changed.
    #[must_use]
    pub const fn changeable(&self) -> usize {
        self.log.len()
    }

    /// Adds the latest game, which ended at `time` (Unix seconds), and gives its number.
    ///
    /// # Errors
    /// [`StoreError`] if the game is older than the last one, or has a player twice.
    pub fn add(&mut self, time: i64, game: G) -> Result<EventNumber, StoreError> {
        match self.last_time() {
            Some(last) if time < last => Err(StoreError::TimeGoesBack { last, time }),
            _ => self.insert(time, game),
        }
    }

    /// Puts in a game that ended at `time`, after what happened before it or in the same second. All later ones are
    /// rated again.
    ///
    /// # Errors
    /// [`StoreError`] if the game is older than those that can be changed, or has a player twice.
    #[allow(
        clippy::needless_pass_by_value,
        reason = "the store keeps the game, by its players' numbers"
    )]
    pub fn insert(&mut self, time: i64, game: G) -> Result<EventNumber, StoreError> {
        self.can_change(time)?;
        let game = self.numbered(&game)?;
        self.put(time, Happened::Game(game))
    }

    /// Gives a newcomer a rating to start with, as from another list. It stands from `time` on.
    ///
    /// # Errors
    /// [`StoreError`] if the player has a rating, or `time` is before what can be changed.
    #[allow(clippy::needless_pass_by_value, reason = "as a game's ids")]
    pub fn seed(
        &mut self,
        time: i64,
        id: G::Player,
        rating: RatingOf<S, G>,
    ) -> Result<EventNumber, StoreError> {
        self.can_change(time)?;
        if self.standing(&id).is_some() {
            return Err(StoreError::AlreadyRated);
        }
        let slot = self.slots_of_all(1, |slot_of| slot_of(&id))?;
        self.put_rating(time, slot, rating)
    }

    /// Puts another rating in place of a player's, from `time` on. It may be before the player's first game.
    ///
    /// # Errors
    /// [`StoreError`] if the player is not known, or `time` is before what can be changed.
    pub fn set<Q>(&mut self, time: i64, id: &Q, rating: RatingOf<S, G>) -> Result<EventNumber, StoreError>
    where
        G::Player: Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        self.can_change(time)?;
        let slot = self.known(id)?;
        self.put_rating(time, slot, rating)
    }

    /// Makes a player's rating a newcomer's, from `time` on. The games before it still count as games.
    ///
    /// # Errors
    /// [`StoreError`] if the player is not known, or `time` is before what can be changed.
    pub fn reset<Q>(&mut self, time: i64, id: &Q) -> Result<EventNumber, StoreError>
    where
        G::Player: Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        self.can_change(time)?;
        let slot = self.known(id)?;
        self.put(time, Happened::Reset(slot))
    }

    /// Starts a season at `time`: from then on, games of that second included, everybody's rating before it counts as
    /// `change` makes it. It costs nothing but for the games since, if there are any: a player's rating is changed when it is
    /// asked for next.
    ///
    /// # Errors
    /// [`StoreError`] if a number of the change is out of range, or `time` is not after what can no longer be changed.
    pub fn change_season(&mut self, time: i64, change: SeasonChange) -> Result<EventNumber, StoreError> {
        let change = change.checked()?;
        if let Some(until) = self.forgotten_until.filter(|&until| time <= until) {
            return Err(StoreError::Forgotten { until });
        }
        let number = self.take_number();
        let season = Season { number, time, change };
        let later = self.take_back_since(time)?;
        self.unsaved.season(later.len() == 0, season);
        self.rules.start(season);
        self.rate_all(later.iter())?;
        Ok(number)
    }

    /// Takes an event out: gives a game back, unless one of its players was [forgotten](Self::forget), and of other events
    /// nothing. All later ones are rated again.
    ///
    /// # Errors
    /// [`StoreError::NoSuchEvent`] if it is not there, or can no longer be changed.
    pub fn retract(&mut self, number: EventNumber) -> Result<Option<G>, StoreError> {
        if let Some(season) = self.rules.season(number) {
            if self.forgotten_until.is_some_and(|until| season.time <= until) {
                return Err(StoreError::NoSuchEvent(number));
            }
            let later = self.take_back_since(season.time)?;
            self.rules.strike(number);
            self.unsaved = Unsaved::All;
            self.rate_all(later.iter())?;
            return Ok(None);
        }
        let position = self.log.position(number);
        let position = position.ok_or(StoreError::NoSuchEvent(number))?;
        let later = self.take_back(position)?;
        let mut later = later.iter();
        let retracted = later.next().ok_or(StoreError::NoSuchEvent(number))?;
        self.unsaved = Unsaved::All;
        self.rate_all(later)?;
        self.rules.given.remove(&number);
        let game = match &retracted.what {
            Happened::Game(game) => self.named(game),
            Happened::Rated(_) | Happened::Reset(_) => None,
        };
        self.left(&retracted);
        self.drop_unknown(&retracted);
        Ok(game)
    }

    /// Takes a player out for good, as a person may demand: the id is then neither in the store nor in what it saves. True
    /// if it was known. Who plays under it later is a newcomer.
    ///
    /// Everybody else's rating is, now and after later changes, as if the player were still there: opponents keep what
    /// they learnt. The player's games stay, under a number instead of the id, as long as they can be changed (see
    /// [`keep`](Self::keep)); with the last of them the rating goes too. What was saved before still has the id: the next
    /// [`save`](Self::save) writes the file anew.
    ///
    /// Cost: a look at the events that can be changed, up to the player's last.
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
        let (log, now, slots) = (&self.log, &self.state.now, &mut self.slots);
        let events_with = |slot: u32| {
            let until = now[slot as usize].last_time;
            let mut has_it = |event: &Event<G::Numbered>| {
                rules::slots_of::<G>(event, slots);
                slots.contains(&slot)
            };
            let events = log.iter().take_while(|event| event.time <= until);
            // Numbers of events are fewer than 2^32 a player: a standing counts no more games.
            u32::try_from(events.filter(|event| has_it(event)).count()).unwrap_or(u32::MAX)
        };
        let Some(forgotten) = self.roster.forget(id, events_with) else {
            return false;
        };
        self.unsaved = Unsaved::All;
        if let Forgotten::Released(slot) = forgotten {
            self.state.release(slot, &self.rules.newcomer());
        }
        true
    }

    /// Where a player stands after the last event; none before the first. Seasons since then are not in it: they are in
    /// [`rating`](Self::rating) and [`rating_at`](Self::rating_at).
    pub fn standing<Q>(&self, id: &Q) -> Option<&Standing<RatingOf<S, G>>>
    where
        G::Player: Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        let slot = self.roster.slot(id)?;
        let standing = self.state.now.get(slot as usize)?;
        standing.is_known.then_some(standing)
    }

    /// A player's rating at `time` (Unix seconds), as just before a game then; a newcomer's before the first. A time
    /// before the last event counts as its time.
    pub fn rating_at<Q>(&self, id: &Q, time: i64) -> RatingOf<S, G>
    where
        G::Player: Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        match self.standing(id) {
            Some(standing) => {
                let (rating, elapsed) = self.rules.just_before(standing, time);
                self.rules.system.idle(&rating, elapsed)
            }
            None => self.rules.system.newcomer(),
        }
    }

    /// A player's rating after the last event, as the seasons since have made it; a newcomer's before the first. No time passes
    /// over it.
    pub fn rating<Q>(&self, id: &Q) -> RatingOf<S, G>
    where
        G::Player: Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        match self.standing(id) {
            Some(standing) => self.rules.just_before(standing, i64::MAX).0,
            None => self.rules.system.newcomer(),
        }
    }

    /// All players with a game or a rating that was given, in the order in which they first came in, but that newcomers take
    /// the places of the forgotten.
    pub fn standings(&self) -> impl Iterator<Item = (&G::Player, &Standing<RatingOf<S, G>>)> {
        let all = self.roster.ids().iter().zip(&self.state.now);
        let all = all.filter(|(_, standing)| standing.is_known);
        all.filter_map(|(id, standing)| Some((id.as_ref()?, standing)))
    }

    /// When the last game or set rating was.
    #[must_use]
    pub fn last_time(&self) -> Option<i64> {
        self.log.last_time().or(self.forgotten_until)
    }

    /// How many bytes at the end of the file that it was [opened](Self::open) from it left out, because a crash had cut off the
    /// save that wrote them. The next save writes the file anew.
    #[must_use]
    pub const fn torn(&self) -> usize {
        self.torn
    }

    fn can_change(&self, time: i64) -> Result<(), StoreError> {
        match self.forgotten_until {
            Some(until) if time < until => Err(StoreError::Forgotten { until }),
            _ => Ok(()),
        }
    }

    fn known<Q>(&self, id: &Q) -> Result<u32, StoreError>
    where
        G::Player: Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        let is_known = |slot: &u32| self.state.now.get(*slot as usize).is_some_and(|one| one.is_known);
        let slot = self.roster.slot(id).filter(is_known);
        slot.ok_or(StoreError::NoSuchPlayer)
    }
}
