//! No policy pays less than hindsight: tiny logs whose best is found by trying everything, under the example policies; and what
//! those say that a lost player costs.

use std::path::PathBuf;

use matchwright_queue::{MethodName, Ticket, Time};
use matchwright_scoring::TeamScorer;
use matchwright_sim::policy::{LoadedPolicy, PolicyDocument, load};
use matchwright_sim::progress::Quiet;
use matchwright_sim::random::{standard_normal, stream};
use matchwright_sim::replay::{
    Fate, Judge, LogEnd, LoggedTicket, ReplaySettings, TicketLog, optimum, replay,
};
use rand::RngExt;

/// The example policies that have an objective, by name.
fn examples() -> Vec<(String, PolicyDocument)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/policies");
    let read = |path: PathBuf| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        (
            name,
            toml::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap(),
        )
    };
    let files = std::fs::read_dir(folder).unwrap();
    let mut all: Vec<(String, PolicyDocument)> = files.map(|file| read(file.unwrap().path())).collect();
    all.retain(|(_, document)| document.objective.is_some());
    all.sort_by(|one, other| one.0.cmp(&other.0));
    all
}

/// Seven tickets in a minute: some leave, some have a time of their own, some are parties of two, some of a player who waits
/// already.
fn tiny(seed: u64) -> TicketLog {
    let mut rng = stream(seed, 911_u64, 0, 0);
    let mut came = 1_000_000;
    let logged = |id: u64| {
        came += rng.random_range(0..9000);
        let player = if rng.random::<f64>() < 0.2 {
            id / 2
        } else {
            10 * id
        };
        let players = if rng.random::<f64>() < 0.15 {
            vec![player, player + 1]
        } else {
            vec![player]
        };
        let skill = 1500.0 + 200.0 * standard_normal(&mut rng);
        let mut ticket = Ticket::of(id, players).with("skill", skill);
        let mut until = |most| Time::from_millis(came + rng.random_range(0..most));
        let (left, expires) = (until(90_000), until(90_000));
        ticket.expires = (rng.random::<f64>() < 0.2).then_some(expires);
        LoggedTicket {
            ticket,
            came: Time::from_millis(came),
            left: (rng.random::<f64>() < 0.4).then_some(left),
            matched: None,
        }
    };
    TicketLog::new((1..=7).map(logged).collect()).unwrap()
}

/// The least that these tickets cost, each with whether it was refused: each plays with a later one, or with none.
fn brute(free: &[(&LoggedTicket, bool)], judge: &Judge, end: Time) -> f64 {
    let Some((&(first, is_refused), rest)) = free.split_first() else {
        return 0.0;
    };
    let players = first.ticket.players.len();
    let waited = if is_refused {
        0.0
    } else {
        first.until(end).seconds_since(first.came)
    };
    let lost = judge.objective().lost().unwrap() * players as f64;
    let mut least = judge.waiting_cost(waited, players) + lost + brute(rest, judge, end);
    for (place, &(other, _)) in rest.iter().enumerate() {
        let meets = players == 1
            && other.ticket.players.len() == 1
            && first.ticket.players[0].id != other.ticket.players[0].id
            && first.until(end) >= other.came;
        if meets {
            let gap = (first.ticket.mean("skill").unwrap() - other.ticket.mean("skill").unwrap()).abs();
            let cost = judge.objective().mismatch_cost(gap)
                + judge.waiting_cost(other.came.seconds_since(first.came), 1);
            let others = [&rest[..place], &rest[place + 1..]].concat();
            least = least.min(cost + brute(&others, judge, end));
        }
    }
    least
}

#[test]
fn no_example_policy_pays_less_than_the_best_of_all_ways_tried_which_is_the_bound() {
    let (mut refused, mut closest) = (0, f64::INFINITY);
    for (name, document) in examples() {
        let loaded = || -> LoadedPolicy { load(document.clone()).unwrap() };
        let pairs = loaded().settings.queues.values().eq([&vec![1, 1]]);
        if !pairs || loaded().objective.params().of.is_none() {
            continue;
        }
        let judge = Judge::new(loaded().objective, None).unwrap();
        for seed in 0..60 {
            let log = tiny(seed);
            let settings = ReplaySettings {
                tail: [0.0, 20.0, 300.0][usize::try_from(seed % 3).unwrap()],
                ..ReplaySettings::default()
            };
            let mut policy = loaded();
            let paid = replay(&log, &mut policy, &judge, settings, &mut |_| {}).unwrap();
            let mask: Vec<bool> = paid.tickets.iter().map(|one| one.fate == Fate::Refused).collect();
            refused += mask.iter().filter(|is_refused| **is_refused).count();
            let end = LogEnd {
                at: log.end(settings.tail),
                refused: &mask,
            };
            let found = optimum(&log, &policy.settings, &judge, end, &Quiet).unwrap();
            let all: Vec<(&LoggedTicket, bool)> = log.tickets().iter().zip(mask.iter().copied()).collect();
            let least = brute(&all, &judge, end.at) / paid.players() as f64;
            let (bound, cost) = (found.bound_per_player, paid.cost_per_player().unwrap());
            assert!(
                (bound - least).abs() < 1e-9 * (1.0 + least),
                "{name} {seed}: {bound} {least}"
            );
            assert!(cost >= bound - 1e-9, "{name} {seed}: {cost} below {bound}");
            closest = closest.min(cost - bound);
        }
    }
    // Policies are refused tickets, and now and then as good as hindsight.
    assert!(refused > 100 && closest < 1e-9, "{refused} {closest}");
}

/// The longest wait of a policy, or until the next round, in seconds; 300 of one that has neither.
fn longest_wait(document: &PolicyDocument) -> f64 {
    let queue = document.queue.as_ref().unwrap();
    let every = queue.batch.as_ref().and_then(|batch| batch.every);
    queue.longest_wait.or(every).unwrap_or(300.0)
}

/// The greatest mismatch for which a policy makes a match before the longest wait is over; `None` without an end.
fn widest(document: &PolicyDocument) -> Option<f64> {
    let (queue, objective) = (document.queue.as_ref()?, document.objective.as_ref()?);
    let loaded = load(document.clone()).unwrap();
    if let (Some(prices), Some(_)) = (&queue.prices, &objective.of) {
        // What the waits of two pay for, prices aside.
        let share = prices.waiting_share.unwrap_or(0.3);
        let waited = loaded.objective.waiting_cost(longest_wait(document));
        return Some(2.0 * share * waited / objective.mismatch);
    }
    let Some(of) = &objective.of else {
        let asked = queue.threshold.as_ref().map_or(0.0, |threshold| threshold.least);
        let kept = loaded.scoring.as_ref().map_or(0.0, TeamScorer::threshold);
        return Some(1.0 - asked.max(kept));
    };
    let width = |window: &matchwright_queue::WindowParams| {
        let grown = window.start + window.per_second * (longest_wait(document) - window.after).max(0.0);
        grown.min(window.most.unwrap_or(f64::INFINITY))
    };
    let widths = queue.windows.iter().filter(|window| window.of == *of).map(width);
    widths.reduce(f64::max)
}

#[test]
fn each_example_policy_prices_a_lost_player_above_its_longest_wait_and_its_widest_window() {
    let mut seen = 0;
    for (name, document) in examples() {
        let objective = document.objective.as_ref().unwrap().build().unwrap();
        assert!(objective.lost().is_some(), "{name}");
        let lost = objective.lost().unwrap();
        // Random matches have no window: players of a pool are not farther apart.
        let widest = widest(&document).unwrap_or_else(|| {
            assert!(
                document.queue.as_ref().unwrap().method == MethodName::Batch,
                "{name}"
            );
            3000.0
        });
        let least = objective.waiting_cost(longest_wait(&document)) + objective.mismatch_cost(widest);
        assert!(lost >= least - 1e-9, "{name}: {lost} is less than {least}");
        // And not so much that nothing else counts.
        assert!(lost <= 4.0 * least, "{name}: {lost}, {least}");
        seen += 1;
    }
    assert!(seen >= 15, "{seen}");
}
