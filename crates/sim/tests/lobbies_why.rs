//! Why a ticket of lobbies waits: the rule or threshold that binds, and enough to free it.

use matchwright_queue::{
    Backfill, Event, MatchPolicy, Obstacle, State, Ticket, TicketId, Time, Value, Why, step,
};
use matchwright_sim::policy::{LoadedPolicy, PolicyDocument, load};
use matchwright_sim::random::{standard_normal, stream};
use proptest::prelude::*;
use rand::RngExt;

/// Duos by the skill of teams alone, with a threshold that falls from here by a hundredth a second.
fn policy(quality: f64, accept: &str, more: &str) -> LoadedPolicy {
    let text = format!(
        "[queue]
         method = 'lobbies'
         teams = [2, 2]
         accept = '{accept}'
         keys = ['mode']
         threshold = {{ quality = {quality}, fall_per_second = 0.01 }}
         [scoring.factors.player_skill]
         weight = 1
         skill_cap = 10000
         difference = {{ shape = 'ramp', best = 0, worst = 1000 }}
         {more}"
    );
    load(toml::from_str::<PolicyDocument>(&text).unwrap()).unwrap()
}

fn queue(loaded: &mut LoadedPolicy, tickets: &[(i64, Ticket)]) -> (State, usize) {
    let mut state = State::new(loaded.label.clone(), loaded.settings.clone());
    let mut matches = 0;
    for (id, (came, ticket)) in (1..).zip(tickets) {
        let event = Event::create(id, ticket.clone());
        let outcome = step(
            &mut state,
            &mut *loaded.policy,
            Time::from_millis(*came),
            &[event],
        )
        .unwrap();
        matches += outcome.matches().count();
    }
    (state, matches)
}

fn of(id: u64, skill: f64) -> Ticket {
    Ticket::of_one(id, id).with("skill", skill)
}

fn why(loaded: &LoadedPolicy, state: &State, ticket: u64, now: Time) -> Why {
    loaded.policy.why(state.pool(), TicketId(ticket), now)
}

fn names(why: &Why) -> Vec<(u64, Vec<&str>)> {
    let one = |candidate: &matchwright_queue::Candidate| candidate.ticket.0;
    why.candidates
        .iter()
        .map(|candidate| {
            (
                one(candidate),
                candidate.obstacles.iter().map(Obstacle::name).collect(),
            )
        })
        .collect()
}

#[test]
fn the_rule_that_keeps_each_neighbour_away_is_named() {
    let mut loaded = policy(0.95, "both", "[scoring.rules.blocks]");
    let mut blocked = of(5, 1500.0);
    blocked
        .attributes
        .insert("name".to_owned(), Value::Text("five".to_owned()));
    blocked
        .attributes
        .insert("blocks".to_owned(), Value::Texts(vec!["1".to_owned()]));
    let tickets = [
        (0000, of(1, 1500.0)),
        (1000, of(2, 1500.0)),
        (2000, of(3, 1500.0)),
        (3000, of(4, 1900.0)),
        (4000, blocked),
        (5000, of(6, 1500.0).with_text("mode", "draft")),
    ];
    let (state, matches) = queue(&mut loaded, &tickets);
    assert_eq!(matches, 0);
    let why = why(&loaded, &state, 1, Time::from_millis(6000));
    let [own, other] = [4, 5].map(|wanted| {
        why.candidates
            .iter()
            .find(|one| one.ticket == TicketId(wanted))
            .unwrap()
    });
    assert!(
        matches!(own.obstacles[..], [Obstacle::Threshold { .. }]),
        "{why:?}"
    );
    assert_eq!(other.obstacles, [Obstacle::Rule("blocks".to_owned())], "{why:?}");
    assert_eq!(why.rejections["mode"], 1);
    assert_eq!(why.rejections["blocks"], 1);
    assert_eq!(why.rejections["threshold"], 3, "{:?}", names(&why));
}

#[test]
fn a_running_match_gets_the_player_who_comes_after_it() {
    let running = |id: u64, skill: f64| {
        let mut ticket = Ticket::of(id, [10 * id, 10 * id + 1, 10 * id + 2]).with("skill", skill);
        let match_id = matchwright_queue::MatchId(id);
        ticket.backfill = Some(Box::new(Backfill {
            match_id,
            teams: vec![0, 1, 1],
        }));
        ticket
    };
    let mut loaded = policy(0.9, "both", "");
    let mut state = State::new(loaded.label.clone(), loaded.settings.clone());
    let come = |tickets: Vec<Ticket>| -> Vec<Event> {
        tickets
            .into_iter()
            .map(|ticket| Event::create(ticket.id.0, ticket))
            .collect()
    };
    let first = come(vec![running(1, 1500.0), running(2, 2500.0)]);
    let outcome = step(&mut state, &mut *loaded.policy, Time::from_millis(0), &first).unwrap();
    assert_eq!(outcome.matches().count(), 0);
    let outcome = step(
        &mut state,
        &mut *loaded.policy,
        Time::from_millis(1000),
        &come(vec![of(3, 2510.0)]),
    )
    .unwrap();
    let made: Vec<_> = outcome
        .matches()
        .map(|made| (made.backfill, made.lobby.teams.clone()))
        .collect();
    let teams = vec![vec![TicketId(2), TicketId(3)], vec![]];
    assert_eq!(made, [(Some(matchwright_queue::MatchId(2)), teams)]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn the_reported_change_frees_a_lobby_and_not_half_of_it(
        seed: u64, players in 4..12_u64, accept in prop_oneof![Just("both"), Just("either"), Just("sum")],
    ) {
        let mut loaded = policy(0.99, accept, "");
        let mut rng = stream(seed, 1_u64, 0, 0);
        let mut now = 0;
        let tickets: Vec<(i64, Ticket)> = (1..=players)
            .map(|id| {
                now += rng.random_range(0..1000);
                (now, of(id, 1500.0 + 100.0 * standard_normal(&mut rng)))
            })
            .collect();
        let (state, _) = queue(&mut loaded, &tickets);
        let now = state.now();
        for ticket in state.pool().waiting() {
            let why = why(&loaded, &state, ticket.0, now);
            let Some(change) = &why.change else { continue };
            let [(name, [by, _])] = &change.widen[..] else { panic!("{change:?}") };
            prop_assert_eq!(name, "threshold");
            prop_assert!(*by > 0.0);
            // The members of the best match alone, under a threshold that is lower by this much, or by half of it.
            let members: Vec<TicketId> = why.candidates.iter().take(3).map(|one| one.ticket).collect();
            let alone: Vec<(i64, Ticket)> = tickets
                .iter()
                .filter(|(_, one)| one.id == ticket || members.contains(&one.id))
                .cloned()
                .collect();
            prop_assert_eq!(alone.len(), 4);
            for (share, freed) in [(1.0 + 1e-9, true), (0.5, false)] {
                let mut lower = policy(0.99 - share * by, accept, "");
                let (mut state, early) = queue(&mut lower, &alone);
                let late = step(&mut state, &mut *lower.policy, now, &[]).unwrap().matches().count();
                prop_assert_eq!(early + late, usize::from(freed), "{:?} by {} of {}", accept, share, by);
            }
        }
    }
}
