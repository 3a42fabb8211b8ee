//! 5v5 with parties under the Dota policy: events a second, how long a step takes, and quality beside a search of the whole pool.

use std::collections::BTreeMap;
use std::time::Instant;

use matchwright_lobby::{Annealing, LobbySolver};
use matchwright_queue::{Attributes, Budget, EventKind, MatchPolicy, Member, PlayerId, Ticket, TicketId};
use matchwright_scoring::{Player, Pool};
use matchwright_sim::adapt::{LobbyScoring, lobby_pool};
use matchwright_sim::policy::{PolicyDocument, load, player_of};
use matchwright_sim::population::{LobbyWorldParams, lobby_players};
use matchwright_solver::Limits;
use rand_chacha::ChaCha8Rng;

use super::Options;
use super::batches::milliseconds;
use super::events::Driver;

/// Parties as tickets, with all that is known of their players.
fn tickets(players: Vec<Player>) -> Vec<Ticket> {
    let mut parties: BTreeMap<String, Vec<Player>> = BTreeMap::new();
    for player in players {
        let name = player
            .party
            .clone()
            .unwrap_or_else(|| format!("alone {}", player.id));
        parties.entry(name).or_default().push(player);
    }
    let mut next = 0;
    let ticket = |(id, party): (u64, Vec<Player>)| {
        let member = |player: Player| {
            next += 1;
            let known = serde_json::to_value(Player {
                party: None,
                id: format!("p{next}"),
                // Lists of nearly all others, by names that they do not keep here; the policy does not look at them.
                connects_to: None,
                ..player
            })
            .unwrap();
            let mut attributes: Attributes = serde_json::from_value(known).unwrap();
            let name = attributes.remove("id").unwrap();
            attributes.insert("name".to_owned(), name);
            Member {
                id: PlayerId(next),
                attributes,
            }
        };
        Ticket {
            id: TicketId(id),
            players: party.into_iter().map(member).collect(),
            ..Ticket::of(id, [])
        }
    };
    (1..).zip(parties.into_values()).map(ticket).collect()
}

/// Players who wait.
const WAITING: usize = 10_000;

/// Parties without an end, each as a ticket of its own number.
fn newcomers(options: &Options) -> impl FnMut(&mut ChaCha8Rng) -> Ticket + use<> {
    let world = LobbyWorldParams {
        players: 12_000,
        ..LobbyWorldParams::default()
    };
    let all = tickets(lobby_players(&world, options.seeds[0]).unwrap());
    let mut source = all.into_iter().cycle();
    let mut id = 0;
    move |_: &mut ChaCha8Rng| {
        id += 1;
        let mut ticket = source.next().unwrap();
        ticket.id = TicketId(id);
        for (place, member) in ticket.players.iter_mut().enumerate() {
            member.id = PlayerId(10 * id + place as u64);
            let name = matchwright_queue::Value::Text(format!("p{}", member.id));
            member.attributes.insert("name".to_owned(), name);
        }
        ticket
    }
}

fn players_in(driver: &Driver) -> usize {
    let tickets = driver.state.pool().tickets();
    tickets.map(|one| one.ticket.players.len()).sum()
}

/// Events until [`WAITING`] players wait.
fn fill(
    driver: &mut Driver,
    policy: &mut dyn MatchPolicy,
    ticket: &mut dyn FnMut(&mut ChaCha8Rng) -> Ticket,
) {
    while players_in(driver) < WAITING {
        let creates = driver.is_nobody_asked() || driver.now % 2 > 0;
        driver.event(policy, creates, ticket);
    }
}

fn example() -> PolicyDocument {
    toml::from_str(include_str!("../../examples/policies/dota.toml")).unwrap()
}

/// The same driver as for pairs; quality beside one second of annealing of the pool at the start.
pub(crate) fn lobbies(options: &Options) {
    println!("\n## 5v5 with parties, Dota policy, {WAITING} players waiting\n");
    let mut document = example();
    // Half of the tickets are matched, the others are cancelled, so that as many go on waiting.
    let queue = document.queue.as_mut().unwrap();
    queue.threshold = Some(matchwright_queue::ThresholdParams {
        quality: 0.9,
        fall_per_second: 0.0,
        ..Default::default()
    });
    queue.longest_wait = None;
    let scoring = document.scoring.clone().unwrap().build().unwrap();
    let mut loaded = load(document.clone()).unwrap();
    let mut ticket = newcomers(options);
    let mut driver = Driver::new(loaded.settings.clone());
    fill(&mut driver, &mut *loaded.policy, &mut ticket);
    let mut players = Vec::new();
    for one in driver.state.pool().tickets().filter(|one| one.proposal.is_none()) {
        players.extend(
            one.ticket
                .players
                .iter()
                .map(|member| player_of(&one.ticket, member).unwrap()),
        );
    }
    let pool = Pool::new(players).unwrap();
    driver.restart();
    let events = 20_000;
    for event in 0..events {
        driver.event(&mut *loaded.policy, event % 2 == 0, &mut ticket);
    }
    let quality = 1.0 - driver.mismatch / driver.matches.max(1) as f64;
    let start = Instant::now();
    let watch = |_: &matchwright_solver::Progress| start.elapsed().as_secs_f64();
    let scoring = LobbyScoring {
        pool: &pool,
        policy: &scoring,
    };
    let search = Annealing::new(1).with_moves(u64::MAX);
    let batch = search
        .solve_within(
            &lobby_pool(&pool, [5, 5]).unwrap(),
            &scoring,
            &Limits::unlimited().with_watch(&watch),
        )
        .unwrap();
    println!(
        "| events a second | matches | mean quality | of a search of the pool, 1 s | ratio | players waiting in the end |"
    );
    println!("|---|---|---|---|---|---|");
    println!(
        "| {:.0} | {} | {quality:.3} | {:.3} | {:.3} | {} |",
        f64::from(events) / driver.spent(),
        driver.matches,
        batch.mean_quality(),
        quality / batch.mean_quality(),
        players_in(&driver)
    );
    steps(&document, options);
}

/// How long a step of one event takes, in a queue that runs, and in one that runs again after all came in a pause.
fn steps(document: &PolicyDocument, options: &Options) {
    println!(
        "\n| threshold | budget of a step, units | after a pause | steps | median, ms | 99 % below, ms | longest, ms | all, s | matches |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for budget in [Budget::UNLIMITED, Budget::new(20_000)] {
        for (threshold, document, is_paused) in [
            ("0.9", document, false),
            ("0.9", document, true),
            ("as in the example", &example(), true),
        ] {
            let mut loaded = load(document.clone()).unwrap();
            let policy = &mut *loaded.policy;
            let mut ticket = newcomers(options);
            let mut driver = Driver::new(loaded.settings);
            driver.budget = budget;
            if is_paused {
                driver.tell(policy, EventKind::Pause(String::new()));
            }
            fill(&mut driver, policy, &mut ticket);
            driver.restart();
            if is_paused {
                driver.tell(policy, EventKind::Resume(String::new()));
            }
            for event in 0..5000 {
                driver.event(policy, event % 2 == 0, &mut ticket);
            }
            let [middle, most, longest] = milliseconds(&mut driver.times);
            let units = if budget.is_unlimited() {
                "unlimited".to_owned()
            } else {
                budget.left().to_string()
            };
            println!(
                "| {threshold} | {units} | {} | {} | {middle:.2} | {most:.2} | {longest:.2} | {:.1} | {} |",
                if is_paused { "yes" } else { "no" },
                driver.times.len(),
                driver.spent(),
                driver.matches
            );
        }
    }
}
