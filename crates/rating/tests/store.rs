//! The store: whatever way games come in, the ratings are those of one pass over them.

use matchwright_rating::store::{Duel, RatesGames, RatingStore, Standing, StoreError, StoredGame};
use matchwright_rating::{
    EloParams, Glicko2Params, Glicko2Rating, GlickoParams, Member, RatingPeriod, RatingSystem, Score, Side,
    TeamGame, TrueSkillParams,
};
use proptest::prelude::*;

#[cfg(feature = "serde")]
type RatingOf<S, G> = <S as RatesGames<<G as StoredGame>::Numbered>>::Rating;

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

/// All ways in which games can come in, under one system.
fn check<S, G>(system: &S, games: &[(i64, G)], cut: usize, victim: usize)
where
    S: RatesGames<G::Numbered> + Clone,
    G: StoredGame + Clone + PartialEq + std::fmt::Debug,
{
    let expected = standings(&one_pass(system.clone(), games));
    // In any order.
    let mut inserted = store(system.clone());
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
        Err(StoreError::NoSuchGame(numbers[victim]))
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
    let mut resumed =
        RatingStore::resume(system.clone(), one_pass(system.clone(), early).snapshot().clone()).unwrap();
    for (time, game) in late {
        resumed.add(*time, game.clone()).unwrap();
    }
    assert_eq!(standings(&resumed), expected, "checkpoint and increment");
    // Of which only some can still be changed.
    let mut bounded = store(system.clone());
    bounded.keep(3);
    for (time, game) in &sorted {
        bounded.add(*time, game.clone()).unwrap();
    }
    assert_eq!(standings(&bounded), expected, "three kept");
    assert_eq!(bounded.changeable(), games.len().min(3));
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
    fn any_way_of_taking_duels_in_gives_the_bits_of_one_pass(games in duels(), cut: usize, victim: usize) {
        check(&EloParams::default().build().unwrap(), &games, cut, victim);
        check(&GlickoParams::default().build().unwrap(), &games, cut, victim);
        check(&Glicko2Params::default().build().unwrap(), &games, cut, victim);
    }

    #[test]
    fn any_way_of_taking_team_games_in_gives_the_bits_of_one_pass(
        games in team_games(),
        cut: usize,
        victim: usize,
    ) {
        let params = TrueSkillParams { tau_per_period: 0.3, ..TrueSkillParams::default() };
        check(&params.build().unwrap(), &games, cut, victim);
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

#[cfg(feature = "serde")]
mod saved {
    use super::*;
    use matchwright_rating::store::GameNumber;
    use std::collections::BTreeSet;

    /// Through text and back, then on with the rest.
    fn through_json<S, G>(system: &S, games: &[(i64, G)], cut: usize)
    where
        S: RatesGames<G::Numbered> + Clone,
        G: StoredGame + Clone + PartialEq + std::fmt::Debug,
        G::Player: serde::Serialize + serde::de::DeserializeOwned,
        G::Numbered: serde::Serialize + serde::de::DeserializeOwned,
        RatingOf<S, G>: serde::Serialize + serde::de::DeserializeOwned,
    {
        let mut sorted = games.to_vec();
        sorted.sort_by_key(|(time, _)| *time);
        let (early, late) = sorted.split_at(cut % games.len());
        let before = one_pass(system.clone(), early);
        let text = serde_json::to_string(before.snapshot()).unwrap();
        let read = serde_json::from_str(&text).unwrap();
        let mut store: RatingStore<S, G> = RatingStore::resume(system.clone(), read).unwrap();
        assert_eq!(store.snapshot(), before.snapshot());
        for (time, game) in late {
            store.add(*time, game.clone()).unwrap();
        }
        // The games before the save can be changed after it.
        if !early.is_empty() {
            assert_eq!(store.retract(0).unwrap().as_ref(), Some(&early[0].1));
            assert_eq!(
                standings(&store),
                standings(&one_pass(system.clone(), &sorted[1..]))
            );
        }
    }

    proptest! {
        #[test]
        fn saved_and_loaded_ratings_go_on_to_the_bits_of_one_pass(
            games in duels(),
            team_games in team_games(),
            cut: usize,
        ) {
            through_json(&EloParams::default().build().unwrap(), &games, cut);
            through_json(&GlickoParams::default().build().unwrap(), &games, cut);
            through_json(&Glicko2Params::default().build().unwrap(), &games, cut);
            through_json(&TrueSkillParams::default().build().unwrap(), &team_games, cut);
        }
    }

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
            1 => Just(Step::Save),
        ];
        prop::collection::vec((step, 0..1000_usize), 40)
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
        S: RatesGames<G::Numbered> + Clone,
        G: StoredGame<Player = String> + Clone + PartialEq + std::fmt::Debug,
        G::Numbered: serde::Serialize + serde::de::DeserializeOwned,
        RatingOf<S, G>: serde::Serialize + serde::de::DeserializeOwned,
    {
        let mut stores: [RatingStore<S, G>; 2] = [(); 2].map(|()| store(system.clone()));
        // In order; the first `past` can no longer be changed.
        let mut left: Vec<(GameNumber, i64, G)> = Vec::new();
        let (mut kept, mut past) = (usize::MAX, 0_usize);
        let mut known = BTreeSet::new();
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
                known.extend(game.players().into_iter().cloned());
            }
            past = past.max(left.len().saturating_sub(kept));
            match step {
                Step::Retract if !left.is_empty() => {
                    let at = pick % left.len();
                    let number = left[at].0;
                    let expected = if at < past {
                        Err(StoreError::NoSuchGame(number))
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
                    let is_known = known.remove(&name);
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
                        store.keep(kept);
                    }
                }
                Step::Save => {
                    let text = serde_json::to_string(stores[0].snapshot()).unwrap();
                    let read = serde_json::from_str(&text).unwrap();
                    stores[0] = RatingStore::resume(system.clone(), read).unwrap();
                }
                Step::Retract | Step::Go => {}
            }
            let games: Vec<_> = left.iter().map(|(_, time, game)| (*time, game.clone())).collect();
            let mut expected = standings(&one_pass(system.clone(), &games));
            expected.retain(|standing| standing.starts_with("\"player"));
            assert_eq!(standings(&stores[0]), expected, "after {step:?} in turn {turn}");
            assert_eq!(stores[0].snapshot(), stores[1].snapshot());
            let text = serde_json::to_string(stores[0].snapshot()).unwrap();
            for name in (0..9).map(|player| format!("player {player}")) {
                assert_eq!(text.contains(&name), known.contains(&name), "{name} in {text}");
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

    #[test]
    fn newcomers_take_the_places_of_the_forgotten() {
        for seconds in [0, 1] {
            let mut store = store(EloParams::default().build().unwrap());
            store.keep(10);
            for player in 0..10_000_u32 {
                let duel = Duel::new(player, player + 1, Score::WIN);
                store.add(seconds * i64::from(player), duel).unwrap();
                assert!(store.forget(&player));
            }
            // The ten games' eleven, and one who came while these still had eleven.
            let saved = serde_json::to_value(store.snapshot()).unwrap();
            for list in ["players", "standings"] {
                assert_eq!(saved[list].as_array().unwrap().len(), 12, "{list}");
            }
            // When nothing can bring their ratings back, these are gone too.
            store.keep(0);
            assert!(store.forget(&10_000));
            let saved = serde_json::to_value(store.snapshot()).unwrap();
            let games = saved["standings"]
                .as_array()
                .unwrap()
                .iter()
                .map(|one| &one["games"]);
            assert!(games.into_iter().all(|games| games == 0), "{saved}");
        }
    }

    #[test]
    fn a_snapshot_that_contradicts_itself_is_refused_with_the_reason() {
        let elo = EloParams::default().build().unwrap();
        let mut store = store(elo);
        store.add(5, Duel::new(1_u64, 2, Score::WIN)).unwrap();
        store.add(9, Duel::new(2, 3, Score::WIN)).unwrap();
        let text = serde_json::to_string(store.snapshot()).unwrap();
        for (whole, broken, message) in [
            (
                r#""players":[1,2,3]"#,
                r#""players":[1,2]"#,
                "as many players as standings",
            ),
            (
                r#""players":[1,2,3]"#,
                r#""players":[1,2,1]"#,
                "every player once",
            ),
            (
                r#""first":1"#,
                r#""first":7"#,
                "known players in every game, each once",
            ),
            (
                r#""first":1"#,
                r#""first":2"#,
                "known players in every game, each once",
            ),
            (r#""time":5"#, r#""time":10"#, "games in order of time"),
            (r#""number":1"#, r#""number":0"#, "every game's number once"),
            (r#""next":2"#, r#""next":1"#, "every game's number once"),
            (r#""kept":null"#, r#""kept":1"#, "no more games than are kept"),
            (
                r#""before":["#,
                r#""before":[{"rating":1.0,"last_time":0,"games":0},"#,
                "a standing before every seat",
            ),
        ] {
            assert!(text.contains(whole), "{whole} in {text}");
            let read = serde_json::from_str(&text.replacen(whole, broken, 1)).unwrap();
            let refused = RatingStore::<_, Duel<u64>>::resume(elo, read);
            assert_eq!(refused.unwrap_err(), StoreError::Snapshot(message), "{broken}");
        }
    }
}

#[test]
fn what_cannot_be_is_refused_and_changes_nothing() {
    let mut store = store(EloParams::default().build().unwrap());
    store.add(100, Duel::new("ann", "bob", Score::WIN)).unwrap();
    let before = store.snapshot().clone();
    let back = store.add(99, Duel::new("ann", "cyd", Score::WIN));
    assert_eq!(back, Err(StoreError::TimeGoesBack { last: 100, time: 99 }));
    let alone = store.insert(99, Duel::new("cyd", "cyd", Score::WIN));
    assert_eq!(alone, Err(StoreError::SamePlayer { seat: 1 }));
    assert_eq!(store.retract(1), Err(StoreError::NoSuchGame(1)));
    assert_eq!(store.snapshot(), &before);
    assert!(store.standing("cyd").is_none());

    let mut teams = RatingStore::by_game(TrueSkillParams::default().build().unwrap());
    let torn = TeamGame::new(vec![Side::new(1, ["ann", "bob"]), Side::new(2, ["cyd", "ann"])]).unwrap();
    assert_eq!(teams.add(0, torn), Err(StoreError::SamePlayer { seat: 3 }));
    assert_eq!(teams.standings().count(), 0);
}

#[test]
fn a_game_that_is_no_longer_kept_cannot_be_changed_or_come_before() {
    let mut store = store(EloParams::default().build().unwrap());
    store.keep(2);
    let numbers: Vec<_> = (0..4)
        .map(|day| store.add(day, Duel::new(day, day + 1, Score::WIN)).unwrap())
        .collect();
    assert_eq!(store.retract(numbers[1]), Err(StoreError::NoSuchGame(numbers[1])));
    let early = store.insert(0, Duel::new(7, 8, Score::WIN));
    assert_eq!(early, Err(StoreError::Forgotten { until: 1 }));
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
    assert_eq!(store.retract(numbers[0]), Err(StoreError::NoSuchGame(numbers[0])));
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
