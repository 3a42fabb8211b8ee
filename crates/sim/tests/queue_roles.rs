//! Continuous lobbies whose teams require roles: a static queue in which a lobby is permitted makes one, and a rare role does
//! not starve.

use std::collections::BTreeMap;

use matchwright_lobby::{Annealing, LobbySolver};
use matchwright_queue::{Event, MatchPolicy, Obstacle, State, Ticket, TicketId, Time, Value, step};
use matchwright_scoring::{Pool, TeamMatch, TeamScorer};
use matchwright_sim::adapt::{LobbyScoring, lobby_pool};
use matchwright_sim::policy::{LoadedPolicy, PolicyDocument, load, player_of};
use matchwright_sim::random::{standard_normal, stream};
use proptest::prelude::*;
use rand::RngExt;

/// A longest wait in seconds.
const LONGEST: i64 = 60;

fn policy(teams: &str, roles: &str, more: &str) -> LoadedPolicy {
    let text = format!(
        "[queue]
         method = 'lobbies'
         teams = {teams}
         longest_wait = {LONGEST}
         [scoring.factors.player_skill]
         skill_cap = 10000
         difference = {{ shape = 'ramp', best = 0, worst = 3000 }}
         [scoring.factors.roles]
         team = {roles}
         {more}"
    );
    load(toml::from_str::<PolicyDocument>(&text).unwrap()).unwrap()
}

const TRIO: &str = "{ tank = 1, dps = 1, heal = 1 }";

/// A party by the roles of its members, of about one skill.
fn party(id: u64, roles: &[&[&str]], skill: f64) -> Ticket {
    let members = 10 * id..10 * id + roles.len() as u64;
    let mut ticket = Ticket::of(id, members).with("skill", skill);
    for (member, roles) in ticket.players.iter_mut().zip(roles) {
        let list = roles.iter().map(|&role| role.to_owned()).collect();
        member.attributes.insert("roles".to_owned(), Value::Texts(list));
    }
    ticket
}

fn one(id: u64, role: &str, skill: f64) -> Ticket {
    party(id, &[&[role]], skill)
}

/// Who waits, and the tickets of the matches that were made with the times in milliseconds.
struct Ran {
    state: State,
    made: Vec<(i64, Vec<Vec<TicketId>>)>,
}

/// Tickets come at their times in milliseconds; every wakeup is heeded until the end.
fn run(loaded: &mut LoadedPolicy, tickets: &[(i64, Ticket)], until: i64) -> Ran {
    let mut state = State::new(loaded.label.clone(), loaded.settings.clone());
    let (mut made, mut next, mut wakeup) = (Vec::new(), 0, None::<Time>);
    loop {
        let comes = tickets.get(next).map(|one| Time::from_millis(one.0));
        let now = [comes, wakeup].into_iter().flatten().min();
        let Some(now) = now.filter(|now| now.millis() <= until) else {
            return Ran { state, made };
        };
        let mut events = Vec::new();
        while let Some((_, ticket)) = tickets.get(next).filter(|one| one.0 == now.millis()) {
            events.push(Event::create(ticket.id.0, ticket.clone()));
            next += 1;
        }
        let outcome = step(&mut state, &mut *loaded.policy, now, &events).unwrap();
        assert_eq!((outcome.refusals().count(), &outcome.failures[..]), (0, &[][..]));
        made.extend(
            outcome
                .matches()
                .map(|one| (now.millis(), one.lobby.teams.clone())),
        );
        wakeup = outcome.wakeup;
    }
}

/// The players of tickets, with the places of each ticket's.
fn players<'a>(tickets: impl Iterator<Item = &'a Ticket>) -> (Pool, Vec<Vec<usize>>) {
    let (mut pool, mut parties) = (Pool::default(), Vec::new());
    for ticket in tickets {
        let of = |member| pool.insert(player_of(ticket, member).unwrap()).unwrap();
        parties.push(ticket.players.iter().map(of).collect());
    }
    (pool, parties)
}

/// Whether any match of these parties is permitted, by trying each party in each team and in none.
fn is_possible(scoring: &dyn TeamScorer, pool: &Pool, parties: &[Vec<usize>], sizes: &[usize]) -> bool {
    fn with(
        teams: &mut Vec<Vec<usize>>,
        rest: &[Vec<usize>],
        sizes: &[usize],
        permits: &dyn Fn(&[Vec<usize>]) -> bool,
    ) -> bool {
        if teams.iter().zip(sizes).all(|(team, &size)| team.len() == size) {
            return permits(teams);
        }
        let Some((party, rest)) = rest.split_first() else {
            return false;
        };
        for team in 0..sizes.len() {
            if teams[team].len() + party.len() <= sizes[team] {
                teams[team].extend(party);
                if with(teams, rest, sizes, permits) {
                    return true;
                }
                let kept = teams[team].len() - party.len();
                teams[team].truncate(kept);
            }
        }
        with(teams, rest, sizes, permits)
    }
    let permits = |teams: &[Vec<usize>]| {
        let teams: Vec<&[usize]> = teams.iter().map(Vec::as_slice).collect();
        scoring.quality(&TeamMatch::new(pool, &teams).unwrap()).is_some()
    };
    with(&mut vec![Vec::new(); sizes.len()], parties, sizes, &permits)
}

/// The tickets that wait.
fn waiting(state: &State) -> Vec<&Ticket> {
    let pool = state.pool();
    let tickets = pool.waiting().into_iter().filter_map(|id| pool.get(id));
    tickets.map(|waiting| &*waiting.ticket).collect()
}

/// How many of the roles, at random skills.
fn shuffled(seed: u64, many: &[(&str, usize)]) -> Vec<(i64, Ticket)> {
    let mut rng = stream(seed, 42_u64, 0, 0);
    let mut roles: Vec<&str> = many
        .iter()
        .flat_map(|&(role, many)| std::iter::repeat_n(role, many))
        .collect();
    for place in (1..roles.len()).rev() {
        roles.swap(place, rng.random_range(0..=place));
    }
    let skill = |rng: &mut _| 1500.0 + 300.0 * standard_normal(rng);
    let of = |(id, role): (u64, &str)| (0, one(id, role, skill(&mut rng)));
    (1..).zip(roles).map(of).collect()
}

#[test]
fn two_tanks_among_many_others_play() {
    for seed in 0..30 {
        let mut tickets = shuffled(seed, &[("tank", 2), ("dps", 32), ("heal", 16)]);
        tickets.push((1000, one(51, "dps", 1400.0)));
        tickets.push((2000, one(52, "dps", 1600.0)));
        let mut loaded = policy("[3, 3]", TRIO, "");
        let ran = run(&mut loaded, &tickets, 1000 * (LONGEST + 10));
        let [(at, teams)] = &ran.made[..] else {
            panic!("{seed}: {:?}", ran.made)
        };
        assert_eq!((*at, teams.iter().map(Vec::len).sum::<usize>()), (0, 6), "{seed}");
    }
}

#[test]
fn no_lobby_is_left_that_a_solver_finds() {
    let mut made = 0;
    for seed in 0..30 {
        let rare = 2 + usize::try_from(seed % 4).unwrap();
        let mut tickets = shuffled(seed, &[("tank", rare), ("dps", 30), ("heal", 12), ("any", 1)]);
        // One in five has a friend, and some can fill two roles.
        let mut rng = stream(seed, 43_u64, 0, 0);
        for (_, ticket) in &mut tickets {
            let role = |rng: &mut _| ["dps", "heal"][usize::from(RngExt::random::<f64>(rng) < 0.3)];
            let own = ticket.players[0].attributes["roles"].clone();
            if rng.random::<f64>() < 0.2 {
                let skill = ticket.mean("skill").unwrap();
                *ticket = party(ticket.id.0, &[&[], &[role(&mut rng)]], skill);
                ticket.players[0].attributes.insert("roles".to_owned(), own);
            } else if rng.random::<f64>() < 0.1 {
                *ticket = party(ticket.id.0, &[&["dps", "heal"]], ticket.mean("skill").unwrap());
            }
        }
        let mut loaded = policy("[3, 3]", TRIO, "");
        let ran = run(&mut loaded, &tickets, 1000 * (LONGEST + 10));
        made += ran.made.len();
        let (pool, _) = players(waiting(&ran.state).into_iter());
        let scoring = LobbyScoring {
            pool: &pool,
            policy: loaded.scoring.as_ref().unwrap(),
        };
        let solver = Annealing::new(seed).with_moves(50_000);
        let left = solver
            .solve(&lobby_pool(&pool, [3, 3]).unwrap(), &scoring)
            .unwrap();
        assert_eq!(left.lobbies, [], "{seed}");
    }
    assert!(made >= 30, "{made}");
}

#[test]
fn a_rare_role_waits_no_longer_than_the_others() {
    let mut rng = stream(7, 44_u64, 0, 0);
    // A player every two seconds, one in twelve a tank: two matches at most for every 24 players.
    let tickets: Vec<(i64, Ticket)> = (1..=900)
        .map(|id| {
            let role = match rng.random_range(0..12) {
                0 => "tank",
                1..6 => "heal",
                _ => "dps",
            };
            (
                2000 * i64::try_from(id).unwrap(),
                one(id, role, 1500.0 + 300.0 * standard_normal(&mut rng)),
            )
        })
        .collect();
    let came: BTreeMap<TicketId, (i64, &Ticket)> =
        tickets.iter().map(|(at, one)| (one.id, (*at, one))).collect();
    let ran = run(&mut policy("[3, 3]", TRIO, ""), &tickets, 1_800_000);
    let is_tank =
        |ticket: &Ticket| ticket.players[0].attributes["roles"] == Value::Texts(vec!["tank".to_owned()]);
    let tanks = came.values().filter(|one| is_tank(one.1)).count();
    // Two tanks a match, and all but the last of them play.
    assert_eq!(ran.made.len(), tanks / 2);
    let waits = ran.made.iter().flat_map(|(at, teams)| {
        let members = teams.iter().flatten().map(|id| came[id]);
        members.filter(|one| is_tank(one.1)).map(move |one| at - one.0)
    });
    let waits: Vec<i64> = waits.collect();
    let mean = waits.iter().sum::<i64>() as f64 / waits.len() as f64 / 1000.0;
    // One of two waits for the next tank, which comes after 24 s on average.
    assert!(
        mean < 20.0 && waits.iter().all(|&wait| wait < 240_000),
        "{mean} {waits:?}"
    );
}

#[test]
fn why_knows_who_can_play_together_in_a_lobby() {
    let mut tickets = shuffled(3, &[("dps", 20), ("heal", 10)]);
    tickets.push((0, one(31, "tank", 1500.0)));
    let mut loaded = policy("[3, 3]", TRIO, "");
    let ran = run(&mut loaded, &tickets, 1000);
    assert_eq!(ran.made.len(), 0);
    // A tank is missing, whoever of them plays.
    for id in 1..=31 {
        let why = loaded
            .policy
            .why(ran.state.pool(), TicketId(id), Time::from_millis(1000));
        assert!(!why.candidates.is_empty());
        for candidate in &why.candidates {
            assert_eq!(
                candidate.obstacles,
                [Obstacle::Role("tank".to_owned())],
                "{why:?}"
            );
        }
    }
    // With a second one, in a queue that wants much, every heal and dps may meet, and only the threshold keeps them.
    let strict = "\n[queue.threshold]\nquality = 1\nfall_per_second = 0.01";
    tickets.push((0, one(32, "tank", 1510.0)));
    let mut loaded = policy("[3, 3]", TRIO, strict);
    let ran = run(&mut loaded, &tickets, 0);
    assert_eq!(ran.made.len(), 0);
    for id in 1..=32 {
        let why = loaded
            .policy
            .why(ran.state.pool(), TicketId(id), Time::from_millis(0));
        assert!(why.candidates.len() > 5);
        for candidate in &why.candidates {
            assert!(candidate.compatible_at.is_some(), "{id}: {candidate:?}");
            assert!(
                matches!(candidate.obstacles[..], [Obstacle::Threshold { .. }]),
                "{candidate:?}"
            );
        }
    }
}

/// A small queue: sizes of the teams, and parties by their members' roles as bits.
fn small() -> impl Strategy<Value = (usize, Vec<Vec<u8>>, u64)> {
    let member = prop_oneof![4 => Just(1_u8), 3 => Just(2), 1 => Just(4), 2 => 1..8_u8];
    let party = prop_oneof![
        3 => prop::collection::vec(member.clone(), 1),
        1 => prop::collection::vec(member, 2..=3),
    ];
    (0..4_usize, prop::collection::vec(party, 3..10), any::<u64>())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn in_a_static_queue_no_permitted_lobby_is_left((kind, parties, seed) in small()) {
        let (teams, sizes, roles, more): (&str, &[usize], &str, &str) = [
            ("[2, 2]", &[2, 2][..], "{ dps = 1, heal = 1 }", ""),
            ("[3, 3]", &[3, 3], TRIO, ""),
            ("[3, 3]", &[3, 3], "{ tank = 1, dps = 1 }", "[scoring.rules.blocks]\n"),
            ("[2, 2, 2]", &[2, 2, 2], "{ dps = 1, heal = 1 }", ""),
        ][kind];
        let mut rng = stream(seed, 45_u64, 0, 0);
        let mut came = 0;
        let tickets: Vec<(i64, Ticket)> = (1..)
            .zip(parties.iter().filter(|party| party.len() <= sizes[0]))
            .map(|(id, members)| {
                let names = |bits: u8| {
                    let all = ["dps", "heal", "tank"].into_iter().enumerate();
                    all.filter(|(bit, _)| bits >> bit & 1 == 1).map(|one| one.1).collect::<Vec<_>>()
                };
                let members: Vec<Vec<&str>> = members.iter().map(|&bits| names(bits)).collect();
                let members: Vec<&[&str]> = members.iter().map(Vec::as_slice).collect();
                let mut ticket = party(id, &members, 1500.0 + 300.0 * standard_normal(&mut rng));
                let blocked = 10 * ((id + rng.random_range(0..8_u64)) % 9 + 1);
                ticket.attributes.insert("blocks".to_owned(), Value::Texts(vec![blocked.to_string()]));
                came += rng.random_range(0..3) * 500;
                (came, ticket)
            })
            .collect();
        let mut loaded = policy(teams, roles, more);
        let ran = run(&mut loaded, &tickets, came + 1000 * (LONGEST + 10));
        let (pool, parties) = players(waiting(&ran.state).into_iter());
        let scoring = loaded.scoring.as_ref().unwrap();
        prop_assert!(!is_possible(&**scoring, &pool, &parties, sizes), "{:?} {:?}", ran.made, waiting(&ran.state));
    }
}
