//! A store whose past changes in every way: ratings set and reset, seasons, players forgotten, events let go, files between.

use std::collections::{BTreeMap, BTreeSet};

use matchwright_rating::store::{
    Duel, EventNumber, Keep, RatesGames, RatingStore, Standing, StoreError, StoredGame,
};
use matchwright_rating::{
    EloParams, EloRating, GaussianRating, Glicko2Params, GlickoParams, Member, RatingEstimate, RatingPeriod,
    RatingSystem, SeasonChange, ShiftRating, TrueSkillParams,
};
use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::store::{Saves, duels, one_pass, score, standings, store, team_games};

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
fn eager<S>(system: &S, rated: impl Fn(f64) -> S::Rating, events: &[(i64, Event)], end: i64) -> Vec<String>
where
    S: RatingSystem<Rating: RatingEstimate + ShiftRating>,
{
    let day = RatingPeriod::days(1.0).unwrap();
    let mut known = BTreeMap::<String, (S::Rating, i64)>::new();
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
