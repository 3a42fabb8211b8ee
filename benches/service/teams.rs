//! Ten players in two teams, with parties, under Dota's policy: all are asked, all accept, and all matches are played at once.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use matchwright_queue::Value;
use matchwright_service::{
    Change, Created, MatchResult, NewPlayer, NewTicket, Pending, Phase, Service, Settings, TicketState, Told,
};

use crate::{Options, create_all, device, shown};

const POLICY: &str = include_str!("../../examples/policies/dota.toml");
/// Sizes of parties, one after the other: half of the tickets are of one player.
const PARTIES: [u64; 8] = [1, 2, 1, 3, 1, 5, 1, 2];
/// Players come again once this many have come.
const PLAYERS: u64 = 400_000;
/// Tickets that wait for ever, nine in a region of their own.
const OPEN: u64 = 10_000;

fn ticket(first: u64, players: u64, region: String) -> NewTicket {
    let player = |number: u64| NewPlayer {
        id: format!("player-{number}"),
        attributes: [
            ("experience".to_owned(), Value::Number((number % 40) as f64)),
            ("languages".to_owned(), Value::Texts(vec!["en".to_owned()])),
        ]
        .into(),
    };
    NewTicket {
        players: (first..first + players).map(player).collect(),
        regions: [(region, 20.0)].into(),
        ..NewTicket::default()
    }
}

/// Accepts every proposal and reports every match, as it hears of them.
fn play(service: &Service, told: impl Iterator<Item = Told>, matches: &AtomicU64) {
    for changes in told {
        for change in &changes.changes {
            match change {
                Change::Ticket(ticket) => {
                    if let TicketState::Proposed { proposal, .. } = &ticket.state {
                        for player in &ticket.players {
                            // Dropped: the next change tells whether it was followed.
                            drop(service.respond(proposal, player, true));
                        }
                    }
                }
                Change::Match(found) if found.phase == Phase::Allocating => {
                    matches.fetch_add(1, Ordering::Relaxed);
                    drop(service.report(&found.id, MatchResult::of_places([1, 2])));
                }
                Change::Match(_) => {}
            }
        }
    }
}

pub(crate) fn creates(options: &Options) {
    let folder = tempfile::tempdir().unwrap();
    println!("teams: {}", device(folder.path()));
    let service = Service::open_folder(folder.path(), POLICY, Settings::default()).unwrap();
    let open = |number| ticket(PLAYERS + number, 1, format!("far-{}", number / 9));
    create_all(&service, (0..OPEN).map(open));
    let (tell, told) = channel();
    let watching = service.watch_all(move |changes: &Told| tell.send(Told::clone(changes)).is_ok());
    watching.wait().unwrap();
    let matches = AtomicU64::new(0);
    let (ask, asked) = channel();
    let (rate, seconds) = (options.team_rate, options.seconds);
    let (mut times, refused) = std::thread::scope(|scope| {
        let playing = service.clone();
        let matches = &matches;
        scope.spawn(move || play(&playing, told.into_iter(), matches));
        let answers = scope.spawn(|| {
            let (mut times, mut refused) = (Vec::new(), 0);
            for (at, answer) in asked {
                let answer: Pending<Created> = answer;
                match answer.wait() {
                    Ok(_) => times.push(Instant::now().saturating_duration_since(at)),
                    Err(_) => refused += 1,
                }
            }
            (times, refused)
        });
        let (began, mut first) = (Instant::now(), 0);
        for number in 0..rate * seconds {
            let at = began + Duration::from_secs_f64(number as f64 / rate as f64);
            std::thread::sleep(at.saturating_duration_since(Instant::now()));
            let players = PARTIES[(number % 8) as usize];
            ask.send((at, service.create(None, ticket(first, players, "eu".to_owned()))))
                .unwrap();
            first = (first + players) % (PLAYERS - 5);
        }
        drop(ask);
        let answered = answers.join().unwrap();
        service.clone().close();
        answered
    });
    times.sort_unstable();
    println!(
        "teams: create to its durable answer at {rate} creates of {:.1} players a second, {OPEN} open: {}; {refused} refused, {} matches of ten",
        PARTIES.iter().sum::<u64>() as f64 / 8.0,
        shown(&times),
        matches.into_inner()
    );
}
