//! The history of games: what goes in comes out, what is refused leaves no trace, and duels are compact.

use matchwright_rating::history::{
    self, Game, History, HistoryBuilder, HistoryError, NamedGame, NamedSeat, NamedSide,
};
use matchwright_rating::{Score, Side, TeamGame};
use proptest::prelude::*;

const NAMES: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];

fn side<'a>(place: u32, score: f64, players: &[&'a str]) -> NamedSide<'a> {
    NamedSide {
        place,
        score,
        seats: players.iter().map(|player| NamedSeat::whole(player)).collect(),
    }
}

fn game<'a>(time: i64, winners: &[&'a str], losers: &[&'a str]) -> NamedGame<'a> {
    NamedGame {
        context: None,
        time,
        sides: vec![side(1, 1.0, winners), side(2, 0.0, losers)],
    }
}

fn history_of(games: &[NamedGame<'_>]) -> History {
    let mut builder = HistoryBuilder::default().keep_repeats(true);
    for game in games {
        assert_eq!(builder.push(game), Ok(()));
    }
    builder.finish()
}

/// The game as it was pushed, but for its places, which became ranks.
fn named<'a>(history: &'a History, game: Game<'_>) -> NamedGame<'a> {
    let seat = |seat: history::Seat| NamedSeat {
        player: &history.players()[seat.player as usize],
        share: seat.share,
        party: seat.party,
        performance: seat.performance,
    };
    let sides = game.sides().map(|side| NamedSide {
        place: side.rank().into(),
        score: side.score(),
        seats: side.seats().map(seat).collect(),
    });
    NamedGame {
        context: game.context().map(|index| &*history.contexts()[index as usize]),
        time: game.time(),
        sides: sides.collect(),
    }
}

fn any_seat() -> impl Strategy<Value = NamedSeat<'static>> {
    let share = prop_oneof![4 => Just(1.0), 1 => 0.5..1.0, 1 => Just(0.0), 1 => Just(f64::NAN)];
    let party = prop_oneof![2 => Just(None), 1 => (0..3_u32).prop_map(Some)];
    let performance = prop::option::of((-9..99_i32).prop_map(f64::from));
    let seat = (prop::sample::select(&NAMES[..]), share, party, performance);
    seat.prop_map(|(player, share, party, performance)| NamedSeat {
        player,
        share,
        party,
        performance,
    })
}

/// Games of which some must be refused, for any reason.
fn any_game() -> impl Strategy<Value = NamedGame<'static>> {
    let score = prop_oneof![4 => Just(0.0), 4 => -2.0..2.0, 1 => Just(f64::INFINITY)];
    let seats = prop::collection::vec(any_seat(), 0..3);
    let side = (0..4_u32, score, seats).prop_map(|(place, score, seats)| NamedSide { place, score, seats });
    let sides = prop::collection::vec(side, 1..4);
    let context = prop::option::of(prop::sample::select(&["clay", "grass"][..]));
    (0..6_i64, context, sides).prop_map(|(time, context, sides)| NamedGame { context, time, sides })
}

/// Whether a game may follow others of times up to `last`, by the rules as they are written down.
fn is_sound(game: &NamedGame<'_>, last: i64) -> bool {
    let seats = || game.sides.iter().flat_map(|side| &side.seats);
    let mut players: Vec<&str> = seats().map(|seat| seat.player).collect();
    players.sort_unstable();
    players.dedup();
    game.time >= last
        && game.sides.len() >= 2
        && players.len() == seats().count()
        && seats().all(|seat| seat.share >= 0.0 && seat.share <= 1.0)
        && game.sides.iter().all(|side| side.score.is_finite())
        && game
            .sides
            .iter()
            .all(|side| side.seats.iter().any(|seat| seat.share >= 1e-6))
}

/// The same game, with the sides in the order of their first players by name and ranks for places.
fn told_by_name(game: &NamedGame<'_>) -> (i64, Vec<(Vec<String>, usize, u64)>) {
    let rank = |place| game.sides.iter().filter(|other| other.place < place).count();
    let mut sides: Vec<_> = game
        .sides
        .iter()
        .map(|side| {
            let mut players: Vec<String> = side.seats.iter().map(|seat| seat.player.to_owned()).collect();
            players.sort_unstable();
            (players, rank(side.place), side.score)
        })
        .collect();
    sides.sort_by(|a, b| a.0.cmp(&b.0));
    let origin = sides[0].2;
    let sides = sides
        .into_iter()
        .map(|(players, rank, score)| (players, rank, (score - origin + 0.0).to_bits()));
    (game.time, sides.collect())
}

proptest! {
    /// The builder accepts exactly the games that follow the rules and repeat none; what it refuses leaves no trace, and
    /// what it accepts comes out as it went in.
    #[test]
    fn sound_games_come_out_and_refused_ones_change_nothing(
        games in prop::collection::vec(any_game(), 0..60),
        keep_repeats: bool,
    ) {
        let mut builder = HistoryBuilder::default().keep_repeats(keep_repeats);
        let mut accepted: Vec<NamedGame<'_>> = Vec::new();
        for game in games {
            let last = accepted.last().map_or(i64::MIN, |game| game.time);
            let mut expected = is_sound(&game, last);
            if expected && !keep_repeats {
                let told = told_by_name(&game);
                expected = accepted.iter().all(|other| told_by_name(other) != told);
            }
            let before = builder.clone();
            if builder.push(&game).is_ok() {
                prop_assert!(expected, "accepted {game:?}");
                accepted.push(game);
            } else {
                prop_assert!(!expected, "refused {game:?}");
                prop_assert_eq!(before.finish(), builder.clone().finish());
            }
        }
        let history = builder.finish();
        prop_assert_eq!(history.len(), accepted.len());
        prop_assert_eq!(history.games().len(), accepted.len());
        for (kept, given) in history.games().zip(&accepted) {
            let mut given = given.clone();
            let mut sorted: Vec<u32> = given.sides.iter().map(|side| side.place).collect();
            sorted.sort_unstable();
            for side in &mut given.sides {
                side.place = (1..).zip(&sorted).find(|(_, place)| **place == side.place).unwrap().0;
            }
            prop_assert_eq!(named(&history, kept), given);
        }
        let span = accepted.first().map(|first| (first.time, accepted.last().unwrap().time));
        prop_assert_eq!(history.span(), span);
        prop_assert_eq!(history.duels().is_some(), history.games().all(Game::is_duel));
    }

    /// A builder that forgets its games now and then takes and refuses the same, and keeps the players' numbers.
    #[test]
    fn a_history_in_pieces_is_the_whole_one(
        games in prop::collection::vec((any_game(), prop::bool::weighted(0.2)), 0..60),
        keep_repeats: bool,
    ) {
        let mut whole = HistoryBuilder::default().keep_repeats(keep_repeats);
        let mut in_pieces = whole.clone();
        let mut kept = 0;
        for (game, is_end) in games {
            // As text, since a share may be NaN.
            let [one, other] = [&mut whole, &mut in_pieces].map(|builder| format!("{:?}", builder.push(&game)));
            prop_assert_eq!(one, other);
            if is_end {
                kept += in_pieces.len();
                in_pieces.forget_games();
            }
            let piece = in_pieces.so_far();
            prop_assert_eq!(piece.players(), whole.so_far().players());
            prop_assert_eq!(kept + piece.len(), whole.len());
            for (one, other) in piece.games().zip(whole.so_far().games().skip(kept)) {
                prop_assert_eq!(named(piece, one), named(whole.so_far(), other));
            }
        }
    }

    /// Duels that are pushed are those that the view shows, and the general form of each agrees with it.
    #[test]
    fn the_view_of_duels_is_what_was_pushed(
        games in prop::collection::vec((0_i64..5, 0_usize..4, 1_usize..4, -2_i8..3), 0..60),
    ) {
        let mut times: Vec<i64> = games.iter().map(|game| game.0).collect();
        times.sort_unstable();
        let scored = |difference: i8| match difference.signum() {
            1 => Score::WIN,
            0 => Score::DRAW,
            _ => Score::LOSS,
        };
        let named: Vec<NamedGame<'_>> = times
            .iter()
            .zip(&games)
            .map(|(&time, &(_, one, step, difference))| {
                let players = [NAMES[one], NAMES[(one + step) % 4]];
                NamedGame::duel(time, players, scored(difference), difference.into())
            })
            .collect();
        let history = history_of(&named);
        let duels = history.duels().unwrap();
        prop_assert_eq!(duels.len(), games.len());
        for (index, (duel, &(_, one, step, difference))) in duels.iter().zip(&games).enumerate() {
            let name = |player: u32| history.players()[player as usize].as_str();
            prop_assert_eq!(duel.time, times[index]);
            prop_assert_eq!([name(duel.player1), name(duel.player2)], [NAMES[one], NAMES[(one + step) % 4]]);
            prop_assert_eq!((duel.result, duel.score_difference), (scored(difference), f64::from(difference)));
            let game = history.game(index);
            prop_assert!(game.is_duel());
            let players: Vec<u32> = game.sides().flat_map(history::Side::players).copied().collect();
            prop_assert_eq!(players, vec![duel.player1, duel.player2]);
            let [first, second] = duel.sides();
            prop_assert_eq!((first.1, second.1), (game.result_between(0, 1), game.result_between(1, 0)));
            prop_assert_eq!((first.1, second.1), (game.result_of(0), game.result_of(1)));
            prop_assert_eq!(first.2, -second.2);
        }
    }
}

#[test]
fn a_refusal_says_what_is_wrong() {
    let mut builder = HistoryBuilder::default();
    builder.push(&game(5, &["a", "b"], &["c", "d"])).unwrap();
    let with = |seat| NamedGame {
        context: None,
        time: 6,
        sides: vec![
            NamedSide {
                place: 1,
                score: 0.0,
                seats: vec![seat],
            },
            side(2, 0.0, &["y"]),
        ],
    };
    let shared = |share| {
        with(NamedSeat {
            share,
            ..NamedSeat::whole("x")
        })
    };
    let scored = |one, other| NamedGame {
        context: None,
        time: 6,
        sides: vec![side(1, one, &["x"]), side(2, other, &["y"])],
    };
    let alone = NamedGame {
        context: None,
        time: 6,
        sides: vec![side(1, 0.0, &["x"])],
    };
    let names: Vec<String> = (0..=usize::from(u16::MAX)).map(|k| k.to_string()).collect();
    let crowd = NamedGame {
        context: None,
        time: 6,
        sides: (1..)
            .zip(&names)
            .map(|(place, name)| side(place, 0.0, &[name]))
            .collect(),
    };
    let refusals = [
        (alone, "1 side(s)"),
        (crowd, "65536 sides; give 65535 or fewer"),
        (game(6, &["x"], &[]), "side 2 has no players"),
        (
            game(6, &["x", "y"], &["z", "y"]),
            "`y` plays against itself, on sides 1 and 2",
        ),
        (game(6, &["x", "x"], &["z"]), "`x` is on side 1 twice"),
        (shared(1.5), "share of player `x` is 1.5"),
        (
            with(NamedSeat {
                performance: Some(f64::NAN),
                ..NamedSeat::whole("x")
            }),
            "performance of player `x` is NaN",
        ),
        (shared(0.0), "all shares of side 1 are below 0.000001"),
        (shared(1e-300), "all shares of side 1 are below 0.000001"),
        (scored(f64::INFINITY, 0.0), "score of side 1 is inf"),
        (scored(1.7e308, -1.7e308), "too far apart"),
        (game(4, &["x"], &["y"]), "1 s older"),
        (game(i64::MIN, &["x"], &["y"]), "9223372036854775813 s older"),
        (game(5, &["b", "a"], &["d", "c"]), "repeats"),
    ];
    for (game, words) in refusals {
        let told = builder.push(&game).unwrap_err().to_string();
        assert!(told.contains(words), "{told}");
    }
}

#[test]
fn the_same_game_told_by_the_other_side_is_a_duplicate_unless_scores_differ() {
    let mut builder = HistoryBuilder::default();
    builder.push(&game(5, &["a", "b"], &["c", "d"])).unwrap();
    let mut mirrored = game(5, &["a", "b"], &["d", "c"]);
    mirrored.sides.reverse();
    assert_eq!(builder.push(&mirrored), Err(HistoryError::Duplicate));
    // Places are ranks, and scores differences.
    mirrored.sides[0].place = 7;
    mirrored.sides[0].score = 9.0;
    mirrored.sides[1].score = 10.0;
    assert_eq!(builder.push(&mirrored), Err(HistoryError::Duplicate));
    mirrored.sides[1].score = 11.0;
    builder.push(&mirrored).unwrap();
    builder.push(&game(6, &["a", "b"], &["c", "d"])).unwrap();
    assert_eq!(builder.len(), 3);
}

#[test]
fn the_first_rank_alone_is_a_win_and_shared_a_draw() {
    let sides = |places: [u32; 3]| {
        let sides = places.into_iter().zip(NAMES);
        sides.map(|(place, name)| side(place, 0.0, &[name])).collect()
    };
    let games = [(1, [30, 10, 20]), (2, [2, 2, 4])].map(|(time, places)| NamedGame {
        context: None,
        time,
        sides: sides(places),
    });
    let history = history_of(&games);
    let ranks = |game| {
        history
            .game(game)
            .sides()
            .map(history::Side::rank)
            .collect::<Vec<_>>()
    };
    assert_eq!((ranks(0), ranks(1)), (vec![3, 1, 2], vec![1, 1, 3]));
    let results = |game| [0, 1, 2].map(|side| history.game(game).result_of(side));
    assert_eq!(results(0), [Score::LOSS, Score::WIN, Score::LOSS]);
    assert_eq!(results(1), [Score::DRAW, Score::DRAW, Score::LOSS]);
    assert_eq!(history.game(0).result_between(2, 0), Score::WIN);
    assert!(history.duels().is_none());
}

#[test]
fn rating_systems_get_the_game_with_shares_parties_and_ranks() {
    let late = NamedSeat {
        player: "b",
        share: 0.25,
        party: Some(7),
        performance: Some(12.5),
    };
    let mut given = game(1, &["a"], &["c"]);
    given.sides[0].seats.push(late);
    let history = history_of(&[given]);
    let rated = history.game(0).rated(|seat| Ok::<_, ()>(seat.player)).unwrap();
    let members = &rated.sides()[0].members;
    assert_eq!((members[1].share, members[1].party), (0.25, Some(7)));
    let places: Vec<u32> = rated.sides().iter().map(|side| side.place).collect();
    assert_eq!(places, [1, 2]);
    // It is a game by the checks of rating systems, too.
    assert_eq!(TeamGame::new(Vec::<Side<u32>>::from(rated.clone())), Ok(rated));
    assert_eq!(
        history.game(0).rated(|_| Err::<(), _>("no rating")),
        Err("no rating")
    );
}

/// A hundred thousand duels of a thousand players.
fn many_duels(names: &[String], score_difference: f64) -> Vec<NamedGame<'_>> {
    let duel = |(k, time): (usize, i64)| {
        let players = [k, k + 1 + k / 1000].map(|k| names[k % 1000].as_str());
        NamedGame::duel(time, players, Score::WIN, score_difference)
    };
    (0..100_000).zip(0..).map(duel).collect()
}

fn thousand_names() -> Vec<String> {
    (0..1000).map(|k| format!("player {k}")).collect()
}

#[test]
fn a_duel_takes_twenty_bytes_and_thirty_six_with_scores() {
    // Names have 24 bytes and up to 10 characters.
    let names = 1000 * (24 + 10);
    for (score_difference, bytes) in [(0.0, 20), (2.0, 36)] {
        let size = history_of(&many_duels(&thousand_names(), score_difference)).heap_bytes();
        let most = 100_000 * bytes + names;
        assert!(size <= most, "{size} of {most}");
    }
}

#[test]
fn one_game_of_teams_costs_the_duels_beside_it_eight_bytes_each() {
    let names = thousand_names();
    let mut games = many_duels(&names, 0.0);
    let duels = history_of(&games).heap_bytes();
    games.push(NamedGame {
        context: None,
        time: 100_000,
        sides: vec![
            side(1, 0.0, &["player 1", "player 2"]),
            side(2, 0.0, &["player 3", "player 4"]),
        ],
    });
    let mixed = history_of(&games).heap_bytes();
    assert!(mixed <= duels + 100_000 * 8 + 200, "{mixed}, {duels}");
}
