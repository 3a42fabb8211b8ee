//! The store: whatever way games come in, the ratings are those of one pass over them.

use std::collections::BTreeSet;

use matchwright_rating::store::{
    Duel, EventNumber, Keep, RatesGames, RatingStore, Standing, StoreError, StoredGame,
};
use matchwright_rating::{
    EloParams, EloRating, GaussianRating, Glicko2Params, Glicko2Rating, GlickoParams, Member, RatingEstimate,
    RatingPeriod, RatingSystem, Score, SeasonChange, ShiftRating, Side, TeamGame, TrueSkillParams,
};
use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

fn store<S: RatesGames<G::Numbered>, G: StoredGame>(system: S) -> RatingStore<S, G> {
    RatingStore::by_time(system, RatingPeriod::days(1.0).unwrap())
}

/// One pass over the games in order of time, those of the same second in the order given.
fn one_pass<S: RatesGames<G::Numbered>, G: StoredGame + Clone>(
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
fn standings<S: RatesGames<G::Numbered>, G: StoredGame>(store: &RatingStore<S, G>) -> Vec<String> {
    let shown = store
        .standings()
        .map(|(id, standing)| format!("{id:?} {standing:?}"));
    let mut shown: Vec<_> = shown.collect();
    shown.sort();
    shown
}

/// A system whose ratings can be saved.
trait Saves<G: StoredGame>: RatesGames<G::Numbered, Rating: Serialize + DeserializeOwned> + Clone {}

impl<G: StoredGame, S: RatesGames<G::Numbered, Rating: Serialize + DeserializeOwned> + Clone> Saves<G> for S {}

/// Through bytes and back.
fn saved<S, G>(store: &RatingStore<S, G>) -> RatingStore<S, G>
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

fn score() -> impl Strategy<Value = Score> {
    prop_oneof![Just(Score::WIN), Just(Score::DRAW), Just(Score::LOSS)]
}

/// Duels of a few players, many of them within the same second.
fn duels() -> impl Strategy<Value = Vec<(i64, Duel<String>)>> {
    let duel = (0..40_i64, 0..6_u32, 1..6_u32, score()).prop_map(|(time, first, ahead, score)| {
        let name = |player: u32| format!("player {}", player % 6);
        (20_000 * time, Duel::new(name(first), name(first + ahead), score))
    });
    prop::collection::vec(duel, 1..40)
}

/// Games of two or three sides of one or two players.
fn team_games() -> impl Strategy<Value = Vec<(i64, TeamGame<u64>)>> {
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

mod events {
    use super::*;

    #[derive(Clone, Copy, Debug)]
    enum Step {
        Go,
        Retract,
        Forget,
        Keep,
        Save,
    }

    /// What comes after each game, with a number that picks of what.
    fn steps() -> impl Strategy<Value = Vec<(Step, usize)>> {
        let step = prop_oneof![
            1 => Just(Step::Go),
            1 => Just(Step::Retract),
            4 => Just(Step::Forget),
            1 => Just(Step::Keep),
            2 => Just(Step::Save),
        ];
        prop::collection::vec((step, 0..1000_usize), 40)
    }

    /// What can be done to a store.
    #[derive(Clone, Debug)]
    enum Event {
        Game(Duel<String>),
        Set(String, f64),
        Reset(String),
        Season(SeasonChange),
    }

    fn events() -> impl Strategy<Value = Vec<(i64, Event)>> {
        let name = || (0..6_u32).prop_map(|player| format!("player {player}"));
        let change = (0..5_u8, 0..200_u32, prop::option::of(1000.0..2000.0_f64));
        let change = change.prop_map(|(quarters, added, mean)| SeasonChange {
            mean,
            share: f64::from(quarters) / 4.0,
            added_deviation: f64::from(added),
        });
        let duel = (0..6_u32, 1..6_u32, score()).prop_map(|(first, ahead, score)| {
            let name = |player: u32| format!("player {}", player % 6);
            Event::Game(Duel::new(name(first), name(first + ahead), score))
        });
        let event = prop_oneof![
            6 => duel,
            1 => (name(), 1000.0..2000.0_f64).prop_map(|(name, rating)| Event::Set(name, rating)),
            1 => name().prop_map(Event::Reset),
            1 => change.prop_map(Event::Season),
        ];
        prop::collection::vec((0..40_i64, event), 1..40).prop_map(|events| {
            events
                .into_iter()
                .map(|(time, event)| (20_000 * time, event))
                .collect()
        })
    }

    /// What all players' ratings are at the end, with seasons that change them when they start.
    fn eager<S>(
        system: &S,
        rated: impl Fn(f64) -> S::Rating,
        events: &[(i64, Event)],
        end: i64,
    ) -> Vec<String>
    where
        S: RatingSystem<Rating: RatingEstimate + ShiftRating>,
    {
        let day = RatingPeriod::days(1.0).unwrap();
        let mut known = std::collections::BTreeMap::<String, (S::Rating, i64)>::new();
        let mut sorted: Vec<_> = events.iter().collect();
        // A season is before all else of its second.
        sorted.sort_by_key(|(time, event)| (*time, !matches!(event, Event::Season(_))));
        for (time, event) in sorted {
            match event {
                Event::Game(duel) => {
                    let look = |name: &String| match known.get(name) {
                        Some((rating, last)) => (rating.clone(), day.elapsed(*last, *time).unwrap()),
                        None => (system.initial(), 0.0),
                    };
                    let (first, second) = (look(&duel.first), look(&duel.second));
                    let (a, b) = system.update_pair((&first.0, first.1), (&second.0, second.1), duel.score);
                    known.insert(duel.first.clone(), (a, *time));
                    known.insert(duel.second.clone(), (b, *time));
                }
                Event::Set(name, rating) => drop(known.insert(name.clone(), (rated(*rating), *time))),
                Event::Reset(name) => drop(known.insert(name.clone(), (system.initial(), *time))),
                Event::Season(change) => {
                    for (rating, _) in known.values_mut() {
                        *rating = change.apply(rating, &system.initial());
                    }
                }
            }
        }
        let at_end = |(name, (rating, last)): (String, (S::Rating, i64))| {
            let elapsed = day.elapsed(last, end).unwrap();
            format!("{name} {:?}", system.update(&rating, elapsed, &[]))
        };
        known.into_iter().map(at_end).collect()
    }

    fn ratings<S>(store: &RatingStore<S, Duel<String>>, end: i64) -> Vec<String>
    where
        S: RatesGames<Duel<u32>>,
    {
        let at_end = |(name, _): (&String, &Standing<_>)| format!("{name} {:?}", store.rating_at(name, end));
        let mut all: Vec<_> = store.standings().map(at_end).collect();
        all.sort();
        all
    }

    /// Puts events in as they come, takes one out, and saves and opens the store in between.
    fn any_order<S>(
        system: &S,
        rated: impl Fn(f64) -> S::Rating,
        events: &[(i64, Event)],
        (cut, victim, way_back): (usize, usize, usize),
    ) where
        S: RatingSystem<Rating: RatingEstimate + ShiftRating + Serialize + DeserializeOwned> + Clone,
    {
        let end = 1_000_000;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ratings");
        let mut store = RatingStore::by_time(system.clone(), RatingPeriod::days(1.0).unwrap());
        store.keep_way_back(way_back);
        let (mut done, mut numbers) = (Vec::new(), Vec::new());
        for (turn, (time, event)) in events.iter().enumerate() {
            let number = match event {
                Event::Game(duel) => store.insert(*time, duel.clone()),
                Event::Set(name, rating) => match store.set(*time, name, rated(*rating)) {
                    Err(StoreError::NoSuchPlayer) => store.seed(*time, name.clone(), rated(*rating)),
                    set => set,
                },
                Event::Reset(name) => store.reset(*time, name),
                Event::Season(change) => store.change_season(*time, *change),
            };
            if number == Err(StoreError::NoSuchPlayer) {
                continue;
            }
            done.push((*time, event.clone()));
            numbers.push(number.unwrap());
            if turn % 5 == cut % 5 {
                store.save(&path).unwrap();
            }
            if turn % 10 == cut % 10 {
                store = RatingStore::open(system.clone(), &path).unwrap();
                assert_eq!(store.torn(), 0);
            }
        }
        assert_eq!(ratings(&store, end), eager(system, &rated, &done, end));
        store.save(&path).unwrap();
        let again = RatingStore::open(system.clone(), &path).unwrap();
        assert_eq!(standings::<S, Duel<String>>(&again), standings(&store));
        for mut store in [store, again] {
            let victim = victim % numbers.len().max(1);
            let Some(number) = numbers.get(victim) else {
                continue;
            };
            let taken = store.retract(*number).unwrap();
            let mut rest = done.clone();
            match rest.remove(victim).1 {
                Event::Game(game) => assert_eq!(taken, Some(game)),
                _ => assert_eq!(taken, None),
            }
            assert_eq!(ratings(&store, end), eager(system, &rated, &rest, end));
            assert_eq!(store.retract(*number), Err(StoreError::NoSuchEvent(*number)));
        }
    }

    proptest! {
        #[test]
        fn set_ratings_and_seasons_are_events_like_games(
            events in events(),
            picks in (any::<usize>(), any::<usize>(), 0..30_usize),
        ) {
            let elo = EloParams::default().build().unwrap();
            any_order(&elo, |rating| EloRating::new(rating).unwrap(), &events, picks);
            let glicko = GlickoParams::default().build().unwrap();
            any_order(&glicko, |rating| GaussianRating::new(rating, 80.0).unwrap(), &events, picks);
        }
    }

    fn renamed<G: StoredGame<Player = String>>(game: &G, from: &str, to: &str) -> G {
        let names: Vec<String> = game.players().into_iter().cloned().collect();
        let mut seats = 0..;
        let numbered = game.numbered(|_| seats.next().unwrap());
        G::named(&numbered, |seat| {
            let name = &names[seat as usize];
            if name == from { to.to_owned() } else { name.clone() }
        })
    }

    /// A game after another, each with a step after it, against one pass over the games that are left, in which a
    /// forgotten player has a name of its own.
    fn with_forgotten<S, G>(system: &S, games: &[(i64, G)], steps: &[(Step, usize)])
    where
        S: Saves<G>,
        G: StoredGame<Player = String> + Clone + PartialEq + std::fmt::Debug,
    {
        let mut stores: [RatingStore<S, G>; 2] = [(); 2].map(|()| store(system.clone()));
        stores[1].keep_way_back(3);
        // In order; the first `past` can no longer be changed.
        let mut left: Vec<(EventNumber, i64, G)> = Vec::new();
        let (mut kept, mut past) = (usize::MAX, 0_usize);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ratings");
        for (turn, ((time, game), &(step, pick))) in games.iter().zip(steps).enumerate() {
            let until = past.checked_sub(1).map(|last| left[last].1);
            let until = until.filter(|until| time < until);
            let [added, same] = stores.each_mut().map(|store| match store.last_time() {
                Some(last) if *time < last => store.insert(*time, game.clone()),
                _ => store.add(*time, game.clone()),
            });
            assert_eq!(added, same);
            if let Some(until) = until {
                assert_eq!(added, Err(StoreError::Forgotten { until }));
            } else {
                let at = left.partition_point(|game| game.1 <= *time);
                left.insert(at, (added.unwrap(), *time, game.clone()));
            }
            let names = |left: &[(EventNumber, i64, G)]| {
                let all = left
                    .iter()
                    .flat_map(|(_, _, game)| game.players().into_iter().cloned());
                all.filter(|name| name.starts_with("player"))
                    .collect::<BTreeSet<String>>()
            };
            let known = names(&left);
            past = past.max(left.len().saturating_sub(kept));
            match step {
                Step::Retract if !left.is_empty() => {
                    let at = pick % left.len();
                    let number = left[at].0;
                    let expected = if at < past {
                        Err(StoreError::NoSuchEvent(number))
                    } else {
                        let game = left.remove(at).2;
                        let is_named = game.players().iter().all(|name| name.starts_with("player"));
                        Ok(is_named.then_some(game))
                    };
                    for store in &mut stores {
                        assert_eq!(store.retract(number), expected);
                    }
                }
                Step::Forget => {
                    let name = format!("player {}", pick % 9);
                    let is_known = known.contains(&name);
                    for store in &mut stores {
                        assert_eq!(store.forget(&name), is_known);
                        assert!(store.standing(&name).is_none());
                    }
                    for (_, _, game) in &mut left {
                        *game = renamed(game, &name, &format!("nobody {turn}"));
                    }
                }
                Step::Keep => {
                    kept = pick % 8;
                    past = past.max(left.len().saturating_sub(kept));
                    for store in &mut stores {
                        store.keep(Keep::Latest(kept));
                    }
                }
                Step::Save => {
                    stores[0].save(&path).unwrap();
                    if pick % 2 == 0 {
                        stores[0] = RatingStore::open(system.clone(), &path).unwrap();
                    }
                }
                Step::Retract | Step::Go => {}
            }
            let known = names(&left);
            let games: Vec<_> = left.iter().map(|(_, time, game)| (*time, game.clone())).collect();
            let mut expected = standings(&one_pass(system.clone(), &games));
            expected.retain(|standing| standing.starts_with("\"player"));
            assert_eq!(standings(&stores[0]), expected, "after {step:?} in turn {turn}");
            assert_eq!(standings(&stores[1]), expected);
            let bytes = stores[0].to_bytes().unwrap();
            for name in (0..9).map(|player| format!("player {player}")) {
                let is_there = bytes.windows(name.len()).any(|part| part == name.as_bytes());
                assert_eq!(is_there, known.contains(&name), "{name}");
            }
        }
    }

    proptest! {
        #[test]
        fn who_is_forgotten_leaves_no_name_and_everybody_elses_bits(
            games in duels(),
            team_games in team_games(),
            steps in steps(),
        ) {
            with_forgotten(&Glicko2Params::default().build().unwrap(), &games, &steps);
            let name = |member: &Member<u64>| format!("player {}", member.rating);
            let team_games: Vec<_> = team_games.iter().map(|(time, game)| (*time, game.map(name))).collect();
            with_forgotten(&TrueSkillParams::default().build().unwrap(), &team_games, &steps);
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
