//! Events a second of 5v5 with parties under the Dota policy, and its quality beside a search of the whole pool.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use matchwright_lobby::{Annealing, LobbySolver};
use matchwright_queue::{Attributes, Member, PlayerId, Ticket, TicketId};
use matchwright_scoring::{Player, Pool};
use matchwright_sim::adapt::{LobbyScoring, lobby_pool};
use matchwright_sim::policy::{PolicyDocument, load, player_of};
use matchwright_sim::population::{LobbyWorldParams, lobby_players};
use matchwright_solver::Limits;
use rand_chacha::ChaCha8Rng;

use super::Options;
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

/// The same driver as for pairs; quality beside one second of annealing of the pool at the start.
pub(crate) fn lobbies(options: &Options) {
    const WAITING: usize = 10_000;
    println!("\n## 5v5 with parties, Dota policy, {WAITING} players waiting\n");
    let text = include_str!("../../examples/policies/dota.toml");
    let mut document: PolicyDocument = toml::from_str(text).unwrap();
    // Half of the tickets are matched, the others are cancelled, so that as many go on waiting.
    let queue = document.queue.as_mut().unwrap();
    queue.threshold = Some(matchwright_queue::ThresholdParams {
        quality: 0.9,
        fall_per_second: 0.0,
        ..Default::default()
    });
    queue.longest_wait = None;
    let scoring = document.scoring.clone().unwrap().build().unwrap();
    let mut loaded = load(document).unwrap();
    let world = LobbyWorldParams {
        players: 12_000,
        ..LobbyWorldParams::default()
    };
    let all = tickets(lobby_players(&world, options.seeds[0]).unwrap());
    let mut source = all.into_iter().cycle();
    let mut id = 0;
    let mut ticket = |_: &mut ChaCha8Rng| {
        id += 1;
        let mut ticket = source.next().unwrap();
        ticket.id = TicketId(id);
        for (place, member) in ticket.players.iter_mut().enumerate() {
            member.id = PlayerId(10 * id + place as u64);
            let name = matchwright_queue::Value::Text(format!("p{}", member.id));
            member.attributes.insert("name".to_owned(), name);
        }
        ticket
    };
    let mut driver = Driver::new(loaded.settings.clone());
    let mut waiting = 0;
    while waiting < WAITING {
        let creates = driver.is_nobody_asked() || driver.now % 2 > 0;
        driver.event(&mut *loaded.policy, creates, &mut ticket);
        waiting = driver
            .state
            .pool()
            .tickets()
            .map(|one| one.ticket.players.len())
            .sum();
    }
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
    (driver.spent, driver.matches, driver.mismatch) = (Duration::ZERO, 0, 0.0);
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
            &lobby_pool(&pool, (5, 5)).unwrap(),
            &scoring,
            &Limits::unlimited().with_watch(&watch),
        )
        .unwrap();
    let left: usize = driver
        .state
        .pool()
        .tickets()
        .map(|one| one.ticket.players.len())
        .sum();
    println!(
        "| events a second | matches | mean quality | of a search of the pool, 1 s | ratio | players waiting in the end |"
    );
    println!("|---|---|---|---|---|---|");
    println!(
        "| {:.0} | {} | {quality:.3} | {:.3} | {:.3} | {left} |",
        f64::from(events) / driver.spent.as_secs_f64(),
        driver.matches,
        batch.mean_quality(),
        quality / batch.mean_quality()
    );
}
