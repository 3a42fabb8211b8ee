//! Queues that make matches of several sizes: full ones where many wait, smaller ones where the wait is not worth it.

use matchwright_queue::laws::check_policy;
use matchwright_queue::{Event, Member, Obstacle, State, Ticket, TicketId, Time, Value, step};
use matchwright_sim::policy::{LoadedPolicy, PolicyDocument, load};
use matchwright_sim::random::{standard_normal, stream};
use rand::RngExt;

/// Teams by skill, with a threshold of 0.9 that falls by a hundredth a second.
fn loaded(queue: &str) -> LoadedPolicy {
    let text = format!(
        "[queue]
         method = 'lobbies'
         threshold = {{ quality = 0.9, fall_per_second = 0.01 }}
         {queue}
         [scoring.factors.player_skill]
         skill_cap = 10000
         difference = {{ shape = 'ramp', best = 0, worst = 1000 }}"
    );
    load(toml::from_str::<PolicyDocument>(&text).unwrap()).unwrap()
}

fn refused(queue: &str) -> String {
    let text = format!("[queue]\n{queue}\n[scoring.factors.player_skill]\nweight = 1");
    load(toml::from_str::<PolicyDocument>(&text).unwrap())
        .unwrap_err()
        .to_string()
}

/// A ticket of players of one skill.
fn party(id: u64, players: u64, skill: f64) -> Ticket {
    let mut ticket = Ticket::of(id, (0..players).map(|member| 100 * id + member));
    for Member { attributes, .. } in &mut ticket.players {
        attributes.insert("skill".to_owned(), Value::Number(skill));
    }
    ticket
}

/// Who plays whom, and when: tickets that come at these seconds, and a queue that runs until this second.
fn played(loaded: &mut LoadedPolicy, tickets: &[(i64, Ticket)], until: i64) -> Vec<(i64, Vec<Vec<u64>>)> {
    let mut state = State::new(loaded.label.clone(), loaded.settings.clone());
    let (mut made, mut wakeup) = (Vec::new(), None::<Time>);
    let mut coming = (1..).zip(tickets).peekable();
    for second in 0..=until {
        let now = Time::from_millis(1000 * second);
        let mut events = Vec::new();
        while let Some((number, (_, ticket))) = coming.next_if(|(_, (came, _))| *came == second) {
            events.push(Event::create(number, ticket.clone()));
        }
        if events.is_empty() && wakeup.is_none_or(|at| at > now) {
            continue;
        }
        let outcome = step(&mut state, &mut *loaded.policy, now, &events).unwrap();
        let ids = |team: &Vec<TicketId>| team.iter().map(|ticket| ticket.0).collect();
        made.extend(
            outcome
                .matches()
                .map(|one| (second, one.lobby.teams.iter().map(ids).collect())),
        );
        wakeup = outcome.wakeup;
    }
    made
}

fn sizes(made: &[(i64, Vec<Vec<u64>>)]) -> Vec<(i64, Vec<usize>)> {
    made.iter()
        .map(|(at, teams)| (*at, teams.iter().map(Vec::len).collect()))
        .collect()
}

const FOUR: &str = "teams = [4, 4]\nsmaller = { multiple_of = 2, cost = 0.49 }";

#[test]
fn few_players_start_when_their_wait_is_worth_it_and_many_at_once() {
    // A match of two lacks six of eight: 1 - 0.49 x 0.75 = 0.6325, which the threshold reaches after 26.75 seconds.
    let two = [(0, party(1, 1, 1500.0)), (0, party(2, 1, 1500.0))];
    assert_eq!(sizes(&played(&mut loaded(FOUR), &two, 100)), [(27, vec![1, 1])]);
    // Others come while the two wait: four lack four, 0.755, which is enough 14.5 seconds later; eight lack none.
    let six = |came: i64, count: u64| (3..3 + count).map(move |id| (came, party(id, 1, 1500.0)));
    let four: Vec<_> = two.iter().cloned().chain(six(7, 2)).collect();
    assert_eq!(sizes(&played(&mut loaded(FOUR), &four, 100)), [(22, vec![2, 2])]);
    let all: Vec<_> = two.iter().cloned().chain(six(7, 6)).collect();
    assert_eq!(sizes(&played(&mut loaded(FOUR), &all, 100)), [(7, vec![4, 4])]);
    // Without smaller matches none would play.
    assert!(played(&mut loaded("teams = [4, 4]"), &four, 1000).is_empty());
}

#[test]
fn teams_of_one_player_become_fewer_and_parties_fit_their_team() {
    let three = [5, 6, 7].map(|id| (0, party(id, 1, 1500.0)));
    let each = "teams = [1, 1, 1, 1]\nsmaller = { players = 3, cost = 0.4 }";
    assert_eq!(
        sizes(&played(&mut loaded(each), &three, 50)),
        [(0, vec![1, 1, 1])]
    );
    // A party of two has no place in one against one.
    let duo = [
        (0, party(1, 2, 1500.0)),
        (0, party(2, 1, 1500.0)),
        (3, party(3, 1, 1500.0)),
    ];
    let made = played(&mut loaded("teams = [3, 3]\nsmaller = { cost = 0.3 }"), &duo, 50);
    assert_eq!(made, [(3, vec![vec![2, 3], vec![1]])]);
}

#[test]
fn the_best_that_can_start_is_told_with_what_it_lacks() {
    let mut loaded = loaded(FOUR);
    let mut state = State::new(loaded.label.clone(), loaded.settings.clone());
    let events: Vec<Event> = [1, 2].map(|id| Event::create(id, party(id, 1, 1500.0))).into();
    step(&mut state, &mut *loaded.policy, Time::from_millis(0), &events).unwrap();
    let now = Time::from_millis(5000);
    let why = loaded.policy.why(state.pool(), TicketId(1), now);
    let earliest = why.earliest.unwrap().millis();
    assert!((26_750..=26_751).contains(&earliest), "{earliest}");
    let [Obstacle::Threshold { quality, wanted }] = why.candidates[0].obstacles[..] else {
        panic!("{why:?}");
    };
    assert!(
        (quality - 0.6325).abs() < 1e-9 && (wanted - 0.85).abs() < 1e-9,
        "{why:?}"
    );
    // One alone lacks one player for the smallest match.
    let mut alone = State::new(loaded.label.clone(), loaded.settings.clone());
    let mut fresh = super::queue_sizes::loaded(FOUR);
    step(&mut alone, &mut *fresh.policy, Time::from_millis(0), &events[..1]).unwrap();
    let too_few = fresh.policy.why(alone.pool(), TicketId(1), now).too_few.unwrap();
    assert_eq!((too_few.others, too_few.missing), (0, 1));
}

#[test]
fn sizes_that_make_no_match_are_refused_by_name() {
    for (queue, said) in [
        (
            "teams = [2, 3]\nmethod = 'lobbies'\nsmaller = {}\nthreshold = {}",
            "teams of [2, 3] no smaller match",
        ),
        (
            "teams = [1, 1]\nmethod = 'lobbies'\nsmaller = {}\nthreshold = {}",
            "teams of [1, 1] no smaller match",
        ),
        (
            "teams = [3, 3]\nmethod = 'lobbies'\nsmaller = { players = 6 }\nthreshold = {}",
            "no smaller match",
        ),
        (
            "teams = [500, 500]\nmethod = 'lobbies'\nsmaller = {}\nthreshold = {}",
            "more than 64 sizes",
        ),
        (
            "teams = [3, 3]\nmethod = 'lobbies'\nsmaller = { multiple_of = 0 }\nthreshold = {}",
            "smaller.multiple_of is 0",
        ),
        (
            "teams = [3, 3]\nmethod = 'lobbies'\nsmaller = { cost = 1.5 }\nthreshold = {}",
            "smaller.cost is 1.5",
        ),
        (
            "teams = [3, 3]\nmethod = 'lobbies'\nsmaller = {}",
            "threshold or queue.prices for `smaller`",
        ),
        (
            "teams = [1, 1]\nsmaller = {}\nwindows = [{ of = 'skill', start = 50 }]",
            "queue.smaller means nothing",
        ),
    ] {
        let refusal = refused(queue);
        assert!(refusal.contains(said), "{queue}: {refusal}");
    }
}

#[test]
fn smaller_matches_keep_the_laws() {
    for queue in [
        FOUR,
        "teams = [2, 2]\nsmaller = { cost = 0.5 }",
        "teams = [2, 2, 2]\nsmaller = {}\nlongest_wait = 30",
    ] {
        for seed in 0..3 {
            let ticket = |id, draw: &mut dyn FnMut() -> f64| {
                party(id, 1 + u64::from(draw() > 0.8), 1400.0 + 200.0 * draw())
            };
            check_policy(|| loaded(queue).policy, &loaded(queue).settings, ticket, seed).unwrap();
        }
    }
}

/// One player every forty seconds, then one a second: smaller matches are made while few come, full ones while many do.
#[test]
fn matches_are_as_large_as_the_crowd_allows() {
    let mut rng = stream(7, 901_u64, 0, 0);
    let mut tickets = Vec::new();
    let mut at = 0;
    for id in 1..=300_u64 {
        at += if id <= 60 { 40 } else { rng.random_range(0..3) };
        tickets.push((at, party(id, 1, 1500.0 + 100.0 * standard_normal(&mut rng))));
    }
    let wait = |made: &[(i64, Vec<Vec<u64>>)]| {
        let came = |id: u64| tickets[usize::try_from(id).unwrap() - 1].0;
        let few = made
            .iter()
            .flat_map(|(at, teams)| teams.iter().flatten().map(move |&id| (id, at)));
        let waits: Vec<i64> = few
            .filter(|(id, _)| *id <= 60)
            .map(|(id, at)| at - came(id))
            .collect();
        waits.iter().sum::<i64>() as f64 / waits.len() as f64
    };
    let queue = "teams = [4, 4]\nlongest_wait = 600\naccept = 'sum'";
    let fixed = played(&mut loaded(queue), &tickets, at + 900);
    let ranged = played(
        &mut loaded(&format!("{queue}\nsmaller = {{ multiple_of = 2, cost = 0.8 }}")),
        &tickets,
        at + 900,
    );
    assert!(
        wait(&ranged) < 0.6 * wait(&fixed),
        "{} {}",
        wait(&ranged),
        wait(&fixed)
    );
    let dense: Vec<usize> = ranged
        .iter()
        .filter(|(_, teams)| teams.iter().flatten().all(|&id| id > 68))
        .map(|(_, teams)| teams[0].len())
        .collect();
    let full = dense.iter().filter(|&&size| size == 4).count();
    assert!(10 * full > 9 * dense.len() && dense.len() > 20, "{dense:?}");
}
