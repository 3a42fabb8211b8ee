//! Regret: hindsight is no dearer than any policy, and for tiny worlds of teams as cheap as anything can be; prices of lobbies
//! start matches when they are covered.

use matchwright_queue::{Event, ObjectiveParams, QueueSettings, State, Ticket, TicketId, Time, step};
use matchwright_sim::policy::{LoadedPolicy, PolicyDocument, load};
use matchwright_sim::progress::Quiet;
use matchwright_sim::random::{standard_normal, stream};
use matchwright_sim::replay::{Judge, Lineup, LineupSearch, LogEnd, LoggedTicket, TicketLog, best_lineups};
use matchwright_sim::simulate::{
    ArrivalParams, Figure, Measured, Patience, PeopleParams, ScenarioParams, World, Worlds, compare,
};
use rand::RngExt;

fn document(queue: &str, objective: &str) -> PolicyDocument {
    toml::from_str(&format!("{queue}\n[objective]\n{objective}")).unwrap()
}

const SCORING: &str = "
    [scoring.factors.team_skill]
    weight = 3
    difference = { shape = 'ramp', best = 0, worst = 1000 }
    [scoring.factors.player_skill]
    weight = 2
    difference = { shape = 'ramp', best = 0, worst = 2000 }";

fn run(params: &ScenarioParams, policies: &[PolicyDocument], worlds: u64, threads: usize) -> Vec<World> {
    let scenario = params.clone().build().unwrap();
    let loaded = load(policies[0].clone()).unwrap();
    let judge = Judge::new(loaded.objective, loaded.scoring).unwrap();
    let worlds_of = Worlds {
        scenario: &scenario,
        policies,
        judge: &judge,
        seed: 3,
        hindsight: true,
    };
    worlds_of.run(0..worlds, threads, &Quiet).unwrap()
}

fn regrets(found: &[Measured]) -> Vec<matchwright_sim::simulate::Regret> {
    found.iter().map(|one| one.regret.unwrap()).collect()
}

/// Two hours, some 700 players who give up after two minutes on average.
fn duels() -> ScenarioParams {
    ScenarioParams {
        hours: 2.0,
        arrivals: ArrivalParams {
            per_second: 0.1,
            ..ArrivalParams::default()
        },
        patience: Some(Patience::Exponential(120.0)),
        ..ScenarioParams::default()
    }
}

fn duel_policies() -> [PolicyDocument; 3] {
    let objective = "of = 'rating'\nlost = 100";
    [
        document("[queue]\nprices = {}", objective),
        document(
            "[queue]\naccept = 'both'\n[[queue.windows]]\nof = 'rating'\nstart = 30\nper_second = 3",
            objective,
        ),
        document(
            "[queue]\nmethod = 'batch'\nbatch = { every = 30, choose = 'difference' }\n[[queue.windows]]\nof = 'rating'\nstart = 9000",
            objective,
        ),
    ]
}

#[test]
fn no_policy_of_duels_pays_less_than_the_proven_bound_which_serves_all() {
    let found = run(&duels(), &duel_policies(), 3, 0);
    for world in &found {
        let regrets = regrets(&world.policies);
        for (measured, regret) in world.policies.iter().zip(&regrets) {
            assert!(regret.is_bound && regret.paid > regret.hindsight, "{regret:?}");
            // Without a warm-up all tickets count in both.
            assert!(
                (regret.paid - measured.costs.total()).abs() < 1e-9 * regret.paid,
                "{regret:?}"
            );
            assert_eq!(regret.hindsight.to_bits(), regrets[0].hindsight.to_bits());
        }
    }
    let compared = compare(&found);
    let regret = compared.iter().find(|one| one.figure == Figure::Regret).unwrap();
    // Rounds of everybody who waits match far worse than prices.
    let ends = regret.differences[2].unwrap().interval.unwrap();
    assert!(ends[0] > 10.0, "{regret:?}");
    assert_eq!(found, run(&duels(), &duel_policies(), 3, 1));
}

#[test]
fn where_players_come_again_each_policy_has_a_hindsight_of_its_own() {
    let params = ScenarioParams {
        people: PeopleParams {
            players: Some(60),
            ..PeopleParams::default()
        },
        warm_up_hours: 0.5,
        ..duels()
    };
    let found = run(&params, &duel_policies(), 1, 0);
    let regrets = regrets(&found[0].policies);
    assert!(
        regrets.iter().all(|one| one.is_bound && one.paid > one.hindsight),
        "{regrets:?}"
    );
    assert!(
        regrets[0].hindsight.to_bits() != regrets[2].hindsight.to_bits(),
        "{regrets:?}"
    );
}

fn teams() -> ScenarioParams {
    ScenarioParams {
        hours: 0.4,
        arrivals: ArrivalParams {
            per_second: 0.3,
            ..ArrivalParams::default()
        },
        people: PeopleParams {
            parties: vec![0.6, 0.25, 0.15],
            ..PeopleParams::default()
        },
        patience: Some(Patience::Exponential(300.0)),
        ..ScenarioParams::default()
    }
}

#[test]
fn hindsight_of_teams_is_cheaper_than_every_policy() {
    let objective = format!("waiting = 0.0005\nlost = 0.1\n{SCORING}");
    let policies = [
        document(
            "[queue]\nmethod = 'lobbies'\nteams = [3, 3]\nprices = {}",
            &objective,
        ),
        document(
            "[queue]\nmethod = 'lobbies'\nteams = [3, 3]\naccept = 'either'\nthreshold = { quality = 0.9, fall_per_second = 0.002 }",
            &objective,
        ),
    ];
    let found = run(&teams(), &policies, 1, 0);
    let regrets = regrets(&found[0].policies);
    for regret in &regrets {
        assert!(!regret.is_bound && regret.percent() > 3.0, "{regret:?}");
        assert_eq!(regret.hindsight.to_bits(), regrets[0].hindsight.to_bits());
    }
}

/// Tickets of one or two for teams of two, some of whom leave, in two modes, one in three of one region alone.
fn tiny(seed: u64) -> TicketLog {
    let mut rng = stream(seed, 910_u64, 0, 0);
    let mut came = 0;
    let logged = |id: u64| {
        came += rng.random_range(0..4000);
        let players = (0..=(id % 2)).map(|member| 10 * id + member);
        let mut ticket = Ticket::of(id, players)
            .with("skill", 1500.0 + 300.0 * standard_normal(&mut rng))
            .with_text("mode", if rng.random::<f64>() < 0.2 { "b" } else { "a" });
        if id.is_multiple_of(3) {
            ticket = ticket.with_region(if id.is_multiple_of(2) { "eu" } else { "us" }, 20.0);
        }
        let came = Time::from_millis(came);
        let left = (rng.random::<f64>() < 0.3).then(|| came.plus(rng.random_range(1000..9000)));
        LoggedTicket {
            ticket,
            came,
            left,
            matched: None,
        }
    };
    TicketLog::new((1..=9).map(logged).collect()).unwrap()
}

/// The least cost of the tickets from `free` on, all ways tried: each is unmatched, or plays with some of the later ones.
fn brute(free: &[&LoggedTicket], ends: Time) -> f64 {
    let Some((first, rest)) = free.split_first() else {
        return 0.0;
    };
    let wait =
        |one: &LoggedTicket, until: Time| until.seconds_since(one.came) * one.ticket.players.len() as f64;
    let unmatched = wait(first, first.until(ends)) + 40.0 * first.ticket.players.len() as f64;
    let mut least = unmatched + brute(rest, ends);
    for chosen in 0..1_u32 << rest.len() {
        let (mut members, mut others) = (vec![*first], Vec::new());
        for (place, one) in rest.iter().enumerate() {
            let side = if chosen >> place & 1 == 1 {
                &mut members
            } else {
                &mut others
            };
            side.push(*one);
        }
        if members.iter().map(|one| one.ticket.players.len()).sum::<usize>() != 4 {
            continue;
        }
        let at = members.iter().map(|one| one.came).max().unwrap();
        let regions: Vec<Vec<&matchwright_queue::Name>> = members
            .iter()
            .map(|one| one.ticket.regions.keys().collect())
            .collect();
        let mut named = regions.iter().filter(|names| !names.is_empty());
        let meets = named.next().is_none_or(|names| named.all(|other| other == names));
        let stays = members.iter().all(|one| one.left.is_none_or(|left| left >= at));
        let alike = members
            .iter()
            .all(|one| one.ticket.word("mode") == first.ticket.word("mode"));
        if !(meets && stays && alike) {
            continue;
        }
        let after = brute(&others, ends);
        for side in 0..1_u32 << members.len() {
            let (mut count, mut gap) = (0, 0.0);
            for (place, one) in members.iter().enumerate() {
                let (players, sign) = (
                    one.ticket.players.len(),
                    if side >> place & 1 == 1 { 1.0 } else { -1.0 },
                );
                count += if sign > 0.0 { players } else { 0 };
                gap += sign * one.ticket.mean("skill").unwrap() * players as f64 / 2.0;
            }
            if count == 2 {
                let waits: f64 = members.iter().map(|one| wait(one, at)).sum();
                least = least.min(0.1 * gap.abs() + waits + after);
            }
        }
    }
    least
}

#[test]
fn lineups_of_tiny_logs_are_never_cheaper_than_all_ways_tried_and_mostly_as_cheap() {
    let objective = ObjectiveParams {
        of: Some("skill".to_owned()),
        mismatch: 0.1,
        lost: Some(40.0),
        ..ObjectiveParams::default()
    };
    let judge = Judge::new(objective.build().unwrap(), None).unwrap();
    let settings = QueueSettings {
        queues: [(String::new(), vec![2, 2])].into(),
        keys: vec!["mode".to_owned()],
        ..QueueSettings::default()
    };
    let (mut matches, mut optimal, mut costs) = (0, 0, [0.0; 2]);
    for seed in 0..40 {
        let log = tiny(seed);
        let ends = log.tickets().last().unwrap().came.plus(5000);
        let all: Vec<&LoggedTicket> = log.tickets().iter().collect();
        let best = brute(&all, ends);
        let search = LineupSearch {
            passes: 8,
            ..LineupSearch::default()
        };
        let end = LogEnd::at(ends);
        let found = best_lineups(&log, (&settings, &judge), end, &[Lineup::new()], &search).unwrap();
        let players: usize = all.iter().map(|one| one.ticket.players.len()).sum();
        let cost = found.cost_per_player * players as f64;
        assert!(cost > best - 1e-6, "seed {seed}: {cost} below {best}, {found:?}");
        optimal += u32::from(cost < best + 1e-6);
        costs = [costs[0] + cost, costs[1] + best];
        matches += found.matches.len();
    }
    assert!(matches > 40, "{matches}");
    assert!(
        optimal >= 28 && costs[0] < 1.03 * costs[1],
        "{optimal}, {costs:?}"
    );
}

/// Duos by prices of 0.02 a player that are not learned; a second of waiting covers 0.001 more.
fn priced() -> LoadedPolicy {
    let queue = "[queue]\nmethod = 'lobbies'\nteams = [2, 2]
        prices = { share = 0.5, waiting_share = 1, learn = 0, start = { flat = 0.02 } }";
    load(document(queue, &format!("waiting = 0.001\n{SCORING}"))).unwrap()
}

#[test]
fn a_lobby_starts_when_its_players_cover_its_mismatch_and_not_a_millisecond_before() {
    let mut policy = priced();
    let mut state = State::new(policy.label.clone(), policy.settings.clone());
    let skills = [1500.0, 1300.0, 1900.0, 1450.0];
    let mut wakeup = None;
    for (id, skill) in (1..).zip(skills) {
        let event = Event::create(id, Ticket::of_one(id, id).with("skill", skill));
        let now = Time::from_millis(1000 * i64::try_from(id).unwrap());
        let outcome = step(&mut state, &mut *policy.policy, now, &[event]).unwrap();
        assert_eq!(outcome.matches().count(), 0);
        wakeup = outcome.wakeup;
    }
    // The newcomer is told of the same time, by what is missing now.
    let told = policy
        .policy
        .why(state.pool(), TicketId(4), Time::from_millis(4000));
    assert_eq!(told.earliest, wakeup);
    let at = wakeup.unwrap();
    let early = step(
        &mut state,
        &mut *policy.policy,
        Time::from_millis(at.millis() - 1),
        &[],
    )
    .unwrap();
    assert_eq!((early.matches().count(), early.wakeup), (0, wakeup));
    let outcome = step(&mut state, &mut *policy.policy, at, &[]).unwrap();
    let made = outcome.matches().next().unwrap();
    // Tickets come a second apart, so that four take 1.5 s on average, in which nobody has a choice.
    let waited = |at: i64, came: u32| (at as f64 / 1000.0 - f64::from(came) - 1.5).max(0.0);
    let covered = |at: i64| 4.0 * 0.5 * 0.02 + (1..=4).map(|came| 0.001 * waited(at, came)).sum::<f64>();
    let mismatch = made.lobby.mismatch;
    assert!(
        covered(at.millis()) >= mismatch - 1e-12 && covered(at.millis() - 1) < mismatch,
        "{mismatch}"
    );
    assert_eq!(policy.policy.liveness(), None);
}

#[test]
fn prices_of_lobbies_learn_that_players_are_lost() {
    let found = |lost: f64| {
        let objective = format!("waiting = 0.0005\nlost = {lost}\n{SCORING}");
        let policy = document(
            "[queue]\nmethod = 'lobbies'\nteams = [3, 3]\nprices = {}",
            &objective,
        );
        let params = ScenarioParams {
            patience: Some(Patience::Exponential(120.0)),
            ..teams()
        };
        let world = &run(&params, &[policy], 1, 0)[0];
        Figure::Lost.of(&world.policies[0]).unwrap()
    };
    let (dear, cheap) = (found(0.5), found(0.0));
    assert!(dear < 0.7 * cheap, "{dear} {cheap}");
}

#[test]
fn prices_of_lobbies_that_would_be_followed_in_vain_are_refused() {
    let refused = |more: &str, objective: &str| {
        let queue = format!("[queue]\nmethod = 'lobbies'\nteams = [2, 2]\n{more}");
        load(document(&queue, &format!("{objective}\n{SCORING}")))
            .unwrap_err()
            .to_string()
    };
    for (more, objective, words) in [
        (
            "prices = {}\nthreshold = {}",
            "",
            "queue.prices and queue.threshold",
        ),
        ("prices = {}\naccept = 'sum'", "", "queue.prices and queue.accept"),
        ("prices = { range = 1 }", "", "queue.prices.range means nothing"),
        (
            "prices = { start = { density = { mean = 1500, deviation = 300, per_second = 1 } } }",
            "",
            "queue.prices.start.density means nothing",
        ),
        ("prices = {}", "of = 'skill'", "an `[objective]` without `of`"),
    ] {
        let error = refused(more, objective);
        assert!(error.contains(words), "{error}");
    }
}
