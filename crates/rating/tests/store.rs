//! The store: whatever way games come in, the ratings are those of one pass over them.

use matchwright_rating::store::{Duel, Keep, RatesGames, RatingStore, Standing, StoreError, StoredGame};
use matchwright_rating::{
    EloParams, EloRating, Glicko2Params, Glicko2Rating, GlickoParams, Member, RatingPeriod, RatingSystem,
    Score, SeasonChange, Side, TeamGame, TrueSkillParams,
};
use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

pub(crate) fn store<S: RatesGames<G::Numbered>, G: StoredGame>(system: S) -> RatingStore<S, G> {
    RatingStore::by_time(system, RatingPeriod::days(1.0).unwrap())
}

/// One pass over the games in order of time, those of the same second in the order given.
pub(crate) fn one_pass<S: RatesGames<G::Numbered>, G: StoredGame + Clone>(
    system: S,
    games: &[(i64, G)],
) -> RatingStore<S, G> {
    let mut sorted: Vec<_> = games.iter().collect();
    sorted.sort_by_key(|(time, _)| *time);
    let mut store = store(system);
    for (time, game) in sorted {
        store.add(*time, game.clone()).unwrap();
    }
    store
}

/// Standings by id, sorted, with every bit of the ratings (of which `Debug` shows enough to tell any two apart).
pub(crate) fn standings<S: RatesGames<G::Numbered>, G: StoredGame>(store: &RatingStore<S, G>) -> Vec<String> {
    let shown = store
        .standings()
        .map(|(id, standing)| format!("{id:?} {standing:?}"));
    let mut shown: Vec<_> = shown.collect();
    shown.sort();
    shown
}

/// A system whose ratings can be saved.
pub(crate) trait Saves<G: StoredGame>:
    RatesGames<G::Numbered, Rating: Serialize + DeserializeOwned> + Clone
{
}

impl<G: StoredGame, S: RatesGames<G::Numbered, Rating: Serialize + DeserializeOwned> + Clone> Saves<G> for S {}

/// Through bytes and back.
pub(crate) fn saved<S, G>(store: &RatingStore<S, G>) -> RatingStore<S, G>
where
    S: Saves<G>,
    G: StoredGame<Player: Serialize + DeserializeOwned>,
{
    RatingStore::from_bytes(store.system().clone(), &store.to_bytes().unwrap()).unwrap()
}

/// All ways in which games can come in, under one system. The way back is kept of a few players alone.
fn check<S, G>(system: &S, games: &[(i64, G)], (cut, victim, way_back): (usize, usize, usize))
where
    S: Saves<G>,
    G: StoredGame<Player: Serialize + DeserializeOwned> + Clone + PartialEq + std::fmt::Debug,
{
    let expected = standings(&one_pass(system.clone(), games));
    // In any order.
    let mut inserted = store(system.clone());
    inserted.keep_way_back(way_back);
    let mut numbers = Vec::new();
    for (time, game) in games {
        numbers.push(inserted.insert(*time, game.clone()).unwrap());
    }
    assert_eq!(standings(&inserted), expected, "inserted as they come");
    // One taken out, and put in again.
    let victim = victim % games.len();
    let (time, game) = &games[victim];
    assert_eq!(inserted.retract(numbers[victim]).unwrap().as_ref(), Some(game));
    let mut rest = games.to_vec();
    rest.remove(victim);
    assert_eq!(
        standings(&inserted),
        standings(&one_pass(system.clone(), &rest)),
        "retracted"
    );
    assert_eq!(
        inserted.retract(numbers[victim]),
        Err(StoreError::NoSuchEvent(numbers[victim]))
    );
    rest.push((*time, game.clone()));
    inserted.insert(*time, game.clone()).unwrap();
    assert_eq!(
        standings(&inserted),
        standings(&one_pass(system.clone(), &rest)),
        "put in again"
    );
    // Interrupted after some games.
    let mut sorted = games.to_vec();
    sorted.sort_by_key(|(time, _)| *time);
    let (early, late) = sorted.split_at(cut % games.len());
    let mut resumed = saved(&one_pass(system.clone(), early));
    for (time, game) in late {
        resumed.add(*time, game.clone()).unwrap();
    }
    assert_eq!(standings(&resumed), expected, "checkpoint and increment");
    // The games before the save can be changed after it.
    if !early.is_empty() {
        assert_eq!(resumed.retract(0).unwrap().as_ref(), Some(&early[0].1));
        let rest = one_pass(system.clone(), &sorted[1..]);
        assert_eq!(
            standings(&resumed),
            standings(&rest),
            "retracted from before the save"
        );
    }
    // Of which only some can still be changed.
    let mut bounded = store(system.clone());
    bounded.keep_way_back(way_back);
    bounded.keep(Keep::Latest(3));
    let mut numbers = Vec::new();
    for (time, game) in &sorted {
        numbers.push(bounded.add(*time, game.clone()).unwrap());
    }
    assert_eq!(standings(&bounded), expected, "three kept");
    assert_eq!(bounded.changeable(), games.len().min(3));
    let oldest = numbers.len().saturating_sub(3);
    for mut store in [saved(&bounded), bounded] {
        store.retract(numbers[oldest]).unwrap();
        let mut rest = sorted.clone();
        rest.remove(oldest);
        let rest = one_pass(system.clone(), &rest);
        assert_eq!(
            standings(&store),
            standings(&rest),
            "the oldest of three retracted"
        );
    }
}

pub(crate) fn score() -> impl Strategy<Value = Score> {
    prop_oneof![Just(Score::WIN), Just(Score::DRAW), Just(Score::LOSS)]
}

/// Duels of a few players, many of them within the same second.
pub(crate) fn duels() -> impl Strategy<Value = Vec<(i64, Duel<String>)>> {
    let duel = (0..40_i64, 0..6_u32, 1..6_u32, score()).prop_map(|(time, first, ahead, score)| {
        let name = |player: u32| format!("player {}", player % 6);
        (20_000 * time, Duel::new(name(first), name(first + ahead), score))
    });
    prop::collection::vec(duel, 1..40)
}

/// Games of two or three sides of one or two players.
pub(crate) fn team_games() -> impl Strategy<Value = Vec<(i64, TeamGame<u64>)>> {
    let game = (
        0..40_i64,
        2..4_usize,
        1..3_usize,
        0..9_u64,
        [1..3_u32, 1..3, 1..3],
        0.1..1.0_f64,
    );
    let game = game.prop_map(|(time, sides, size, first, places, share)| {
        let player = |seat: usize| (first + seat as u64) % 9;
        let side = |side: usize| {
            let members = (0..size).map(|seat| Member::new(player(side * size + seat)).for_share(share));
            Side::of_members(places[side], members.collect())
        };
        (
            20_000 * time,
            TeamGame::new((0..sides).map(side).collect()).unwrap(),
        )
    });
    prop::collection::vec(game, 1..25)
}

proptest! {
    #[test]
    fn any_way_of_taking_duels_in_gives_the_bits_of_one_pass(games in duels(), cut: usize, victim: usize, way_back in 0..30_usize) {
        let picks = (cut, victim, way_back);
        check(&EloParams::default().build().unwrap(), &games, picks);
        check(&GlickoParams::default().build().unwrap(), &games, picks);
        check(&Glicko2Params::default().build().unwrap(), &games, picks);
    }

    #[test]
    fn any_way_of_taking_team_games_in_gives_the_bits_of_one_pass(
        games in team_games(),
        picks in (any::<usize>(), any::<usize>(), 0..30_usize),
    ) {
        let params = TrueSkillParams { tau_per_period: 0.3, ..TrueSkillParams::default() };
        check(&params.build().unwrap(), &games, picks);
    }

    #[test]
    fn a_store_rates_duels_as_the_system_does(games in duels()) {
        let system = Glicko2Params::default().build().unwrap();
        let day = RatingPeriod::days(1.0).unwrap();
        let mut sorted = games.clone();
        sorted.sort_by_key(|(time, _)| *time);
        let mut known = std::collections::BTreeMap::new();
        for (time, duel) in sorted {
            let look = |name: &String| match known.get(name) {
                Some(&(rating, last)) => (rating, day.elapsed(last, time).unwrap()),
                None => (system.initial(), 0.0),
            };
            let (first, second) = (look(&duel.first), look(&duel.second));
            let (a, b) = system.update_pair((&first.0, first.1), (&second.0, second.1), duel.score);
            known.insert(duel.first, (a, time));
            known.insert(duel.second, (b, time));
        }
        let store = one_pass(system, &games);
        prop_assert_eq!(store.standings().count(), known.len());
        for (name, (rating, last_time)) in known {
            let standing = store.standing(&name).unwrap();
            prop_assert_eq!((standing.rating, standing.last_time), (rating, last_time));
            prop_assert_eq!(
                store.rating_at(&name, last_time + 86_400),
                system.update(&rating, 1.0, &[]),
            );
        }
    }
}

#[test]
fn what_cannot_be_is_refused_and_changes_nothing() {
    let mut store = store(EloParams::default().build().unwrap());
    store.add(100, Duel::new("ann", "bob", Score::WIN)).unwrap();
    let before = store.to_bytes().unwrap();
    let back = store.add(99, Duel::new("ann", "cyd", Score::WIN));
    assert_eq!(back, Err(StoreError::TimeGoesBack { last: 100, time: 99 }));
    let alone = store.insert(99, Duel::new("cyd", "cyd", Score::WIN));
    assert_eq!(alone, Err(StoreError::SamePlayer { seat: 1 }));
    assert_eq!(store.retract(1), Err(StoreError::NoSuchEvent(1)));
    assert_eq!(
        store.set(99, "cyd", EloRating::new(1600.0).unwrap()),
        Err(StoreError::NoSuchPlayer)
    );
    assert_eq!(store.reset(99, "cyd"), Err(StoreError::NoSuchPlayer));
    let again = store.seed(100, "ann", EloRating::new(1600.0).unwrap());
    assert_eq!(again, Err(StoreError::AlreadyRated));
    let change = SeasonChange {
        share: 2.0,
        ..SeasonChange::NONE
    };
    assert!(matches!(
        store.change_season(200, change),
        Err(StoreError::Param(_))
    ));
    assert_eq!(store.to_bytes().unwrap(), before);
    assert!(store.standing("cyd").is_none());

    let mut teams = RatingStore::by_game(TrueSkillParams::default().build().unwrap());
    let torn = TeamGame::new(vec![Side::new(1, ["ann", "bob"]), Side::new(2, ["cyd", "ann"])]).unwrap();
    assert_eq!(teams.add(0, torn), Err(StoreError::SamePlayer { seat: 3 }));
    assert_eq!(teams.standings().count(), 0);
}

#[test]
fn a_game_that_is_no_longer_kept_cannot_be_changed_or_come_before() {
    let mut store = store(EloParams::default().build().unwrap());
    store.keep(Keep::Latest(2));
    let numbers: Vec<_> = (0..4)
        .map(|day| store.add(day, Duel::new(day, day + 1, Score::WIN)).unwrap())
        .collect();
    assert_eq!(
        store.retract(numbers[1]),
        Err(StoreError::NoSuchEvent(numbers[1]))
    );
    let early = store.insert(0, Duel::new(7, 8, Score::WIN));
    assert_eq!(early, Err(StoreError::Forgotten { until: 1 }));
    let season = store.change_season(1, SeasonChange::NONE);
    assert_eq!(season, Err(StoreError::Forgotten { until: 1 }));
    assert_eq!(store.reset(0, &3), Err(StoreError::Forgotten { until: 1 }));
    assert!(store.retract(numbers[2]).is_ok());
    assert!(store.insert(1, Duel::new(7, 8, Score::WIN)).is_ok());
}

#[test]
fn a_game_of_somebody_forgotten_can_be_taken_out_but_not_given_back() {
    let mut store = store(Glicko2Params::default().build().unwrap());
    let games = [
        (10, Duel::new("ann", "bob", Score::WIN)),
        (20, Duel::new("bob", "cyd", Score::WIN)),
        (30, Duel::new("ann", "cyd", Score::DRAW)),
    ];
    let numbers = games.map(|(time, game)| store.add(time, game).unwrap());
    assert!(store.forget("bob"));
    assert!(!store.forget("bob"));
    assert_eq!(store.retract(numbers[0]), Ok(None));
    assert_eq!(
        store.retract(numbers[0]),
        Err(StoreError::NoSuchEvent(numbers[0]))
    );
    let without = one_pass(*store.system(), &games[1..]);
    assert_eq!(store.standing("ann"), without.standing("ann"));
    assert_eq!(store.standing("cyd"), without.standing("cyd"));
    assert_eq!(store.standing("bob"), None);
    // Another bob.
    let again = Duel::new("bob", "dan", Score::WIN);
    let number = store.add(40, again).unwrap();
    let afresh = one_pass(*store.system(), &[(40, again)]);
    assert_eq!(store.standing("bob"), afresh.standing("bob"));
    assert_eq!(store.retract(number), Ok(Some(again)));
    assert_eq!(store.retract(numbers[1]), Ok(None));
    assert_eq!(store.retract(numbers[2]), Ok(Some(games[2].1)));
}

#[test]
fn an_id_is_only_a_key_however_large() {
    let mut store = store(EloParams::default().build().unwrap());
    store.add(0, Duel::new(u64::MAX, 1 << 42, Score::WIN)).unwrap();
    let ids: Vec<_> = store.standings().map(|(id, _)| *id).collect();
    assert_eq!(ids, [u64::MAX, 1 << 42]);
}

#[test]
fn a_players_state_is_small() {
    assert_eq!(size_of::<Standing<matchwright_rating::EloRating>>(), 24);
    assert_eq!(size_of::<Standing<matchwright_rating::GaussianRating>>(), 32);
    assert_eq!(size_of::<Standing<Glicko2Rating>>(), 40);
}

#[test]
fn games_are_kept_for_some_seconds() {
    let mut store = store(EloParams::default().build().unwrap());
    store.keep(Keep::Seconds(10));
    for (time, changeable) in [(0, 1), (5, 2), (10, 3), (15, 3), (16, 3)] {
        store.add(time, Duel::new(1, 2, Score::WIN)).unwrap();
        assert_eq!(store.changeable(), changeable, "at {time}");
    }
    let late = store.insert(4, Duel::new(1, 2, Score::WIN));
    assert_eq!(late, Err(StoreError::Forgotten { until: 5 }));
    assert_eq!(store.standing(&1).unwrap().games, 5);
}
