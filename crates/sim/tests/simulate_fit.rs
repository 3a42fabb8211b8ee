//! A world fitted to what a queue recorded: the numbers that made it come back within their standard errors.

use std::f64::consts::PI;

use matchwright_queue::journal::JournalWriter;
use matchwright_queue::{Event, Outcome, State, Ticket, Time, step};
use matchwright_sim::policy::{PolicyDocument, load};
use matchwright_sim::replay::{LogError, LoggedTicket, TicketLog};
use matchwright_sim::simulate::{
    AcceptanceParams, ArrivalParams, Fate, FittedScenario, KnownSkill, NumberParams, Observed, Patience,
    PeopleParams, PlayedMatch, QueuesOf, Record, RegionParams, ScenarioParams, TicketEnd, fit, simulate,
};

const POLICY: &str = "
name = 'two queues'
[queue]
accept = 'both'
queues = { solo = [1, 1], duo = [2, 2] }
acceptance = { within = 30 }
longest_wait = 600
[[queue.windows]]
of = 'rating'
start = 60
per_second = 1
[objective]
of = 'rating'
";

/// Two days of parties of one and two, from two places eight hours apart, whose hours swing four to one.
fn world() -> ScenarioParams {
    let region = |name: &str, share, offset_hours, ping| RegionParams {
        name: name.to_owned(),
        share,
        offset_hours,
        pings: [(name.to_owned(), ping)].into(),
    };
    let queues = |size, name: &str| QueuesOf {
        size,
        names: vec![name.to_owned()],
    };
    let busy = |hour: i32| 2.5 - 1.5 * (2.0 * PI * f64::from(hour - 4) / 24.0).cos();
    ScenarioParams {
        hours: 48.0,
        arrivals: ArrivalParams {
            per_second: 0.1,
            by_hour: (0..24).map(busy).collect(),
            ..ArrivalParams::default()
        },
        people: PeopleParams {
            parties: vec![0.75, 0.25],
            skill_mean: 1200.0,
            skill_deviation: 250.0,
            numbers: [(
                "experience".to_owned(),
                NumberParams {
                    mean: 40.0,
                    deviation: 12.0,
                    with_skill: 0.6,
                    least: None,
                    of_party: false,
                },
            )]
            .into(),
            words: [(
                "platform".to_owned(),
                [("pc".to_owned(), 0.7), ("console".to_owned(), 0.3)].into(),
            )]
            .into(),
            queues: vec![queues(1, "solo"), queues(2, "duo")],
            ..PeopleParams::default()
        },
        regions: vec![region("east", 2.0, 0.0, 20.0), region("west", 1.0, 8.0, 35.0)],
        patience: Some(Patience::Weibull {
            shape: 0.8,
            scale: 240.0,
        }),
        acceptance: AcceptanceParams {
            chance: 0.9,
            declines: 0.6,
            mean_seconds: 3.0,
        },
        rating: KnownSkill {
            error_deviation: 80.0,
            ..KnownSkill::default()
        },
        ..ScenarioParams::default()
    }
}

/// Writes what a service would: its journal, and a plain log.
struct Service {
    writer: JournalWriter,
    journal: Vec<u8>,
    log: Vec<LoggedTicket>,
}

impl Record for Service {
    fn ticket(&mut self, end: &TicketEnd) {
        let at = |fates: &[Fate]| fates.contains(&end.fate).then_some(end.ended);
        self.log.push(LoggedTicket {
            ticket: (*end.ticket).clone(),
            came: end.came,
            left: at(&[Fate::Left, Fate::Declined]),
            matched: at(&[Fate::Matched]),
        });
    }

    fn played(&mut self, _made: &PlayedMatch) {}

    fn step(&mut self, now: Time, events: &[Event], outcome: &Outcome) {
        self.journal
            .extend(self.writer.step(now, events, outcome).unwrap());
    }
}

fn recorded(seed: u64) -> Service {
    let mut policy = load(toml::from_str::<PolicyDocument>(POLICY).unwrap()).unwrap();
    let state = State::new(policy.label.clone(), policy.settings.clone());
    let (writer, journal) = JournalWriter::begin(POLICY, &state, &*policy.policy).unwrap();
    let mut service = Service {
        writer,
        journal,
        log: Vec::new(),
    };
    let scenario = world().build().unwrap();
    simulate(&scenario, &mut policy, seed, &mut service, &mut |_| {}).unwrap();
    service
}

/// Within four standard errors, which are no larger than `most`.
fn assert_found(fitted: &FittedScenario, key: &str, truth: f64, most: f64) {
    let found = fitted.estimates.iter().find(|one| one.key == key);
    let found = found.ok_or(key).unwrap();
    assert!(
        found.standard_error > 0.0 && found.standard_error <= most,
        "{found:?}"
    );
    assert!(
        (found.value - truth).abs() < 4.0 * found.standard_error,
        "{truth}: {found:?}"
    );
}

#[test]
fn a_fitted_world_has_the_numbers_of_the_world_that_was_recorded() {
    let service = recorded(11);
    let read = TicketLog::from_journal(&service.journal).unwrap();
    assert_eq!((&read.fault, read.document.as_str()), (&None, POLICY));
    let fitted = fit(Observed {
        log: &read.log,
        journal: Some(&read),
    });
    for (key, truth, most) in [
        ("arrivals.per_second", 0.1, 0.001),
        ("people.parties of 2", 0.25, 0.005),
        ("regions.west.share", 1.0 / 3.0, 0.005),
        ("people.skill_mean", 1200.0, 3.0),
        ("people.skill_deviation", 250.0, 3.0),
        ("people.numbers.experience.mean", 40.0, 0.2),
        ("people.numbers.experience.deviation", 12.0, 0.2),
        ("people.numbers.experience.with_skill", 0.6, 0.01),
        ("people.words.platform.pc", 0.7, 0.005),
        ("acceptance.chance", 0.9, 0.005),
        ("acceptance.declines", 0.6, 0.02),
        ("acceptance.mean_seconds", 3.0, 0.1),
    ] {
        assert_found(&fitted, key, truth, most);
    }
    let params = &fitted.params;
    assert_eq!(params.rating.error_deviation, 80.0);
    let offsets: Vec<f64> = params.regions.iter().map(|region| region.offset_hours).collect();
    assert_eq!(offsets, [0.0, 8.0]);
    assert_eq!(params.regions[1].pings["west"], 35.0);
    assert_eq!(params.people.queues, world().people.queues);
    for (found, truth) in params.arrivals.by_hour.iter().zip(&world().arrivals.by_hour) {
        // Some 720 tickets an hour of the day: 3.7 % on average.
        let (truth, tickets) = (truth / 2.5, 720.0 * truth / 2.5);
        assert!(
            (found / truth - 1.0).abs() < 4.0 / tickets.sqrt(),
            "{found} {truth}"
        );
    }
    assert!(fitted.patience.len() > 20);
    let known = |key: &str| {
        fitted
            .estimates
            .iter()
            .find(|one| one.key == key)
            .unwrap()
            .interval
    };
    assert_eq!(known("people.parties of 2"), None);
    for point in &fitted.patience {
        let truth = 1.0 - (-(point.seconds / 240.0).powf(0.8)).exp();
        let error = point.standard_error.max(1e-4);
        assert!((point.left - truth).abs() < 4.0 * error, "{truth}: {point:?}");
    }
    // What was fitted is a world again.
    assert_eq!(params.clone().build().map(|_| ()), Ok(()));
}

#[test]
fn a_plain_log_tells_the_same_but_for_answers_and_says_so() {
    let service = recorded(12);
    let log = TicketLog::new(service.log).unwrap();
    let fitted = fit(Observed {
        log: &log,
        journal: None,
    });
    assert_found(&fitted, "arrivals.per_second", 0.1, 0.001);
    assert_found(&fitted, "people.parties of 1", 0.75, 0.005);
    assert_eq!(fitted.params.acceptance, AcceptanceParams::default());
    let said = |section: &str, words: &str| {
        let mut notes = fitted.notes.iter();
        assert!(
            notes.any(|note| note.section == section && note.text.contains(words)),
            "{words}: {:?}",
            fitted.notes
        );
    };
    said("acceptance", "a plain log has none");
    said("patience", "counts as one that gave up");
    said("patience", "open beyond");
    said("play", "not observed");
}

/// Of less than a day no hours, and of a log without leavers no patience.
#[test]
fn what_a_short_log_cannot_tell_is_left_at_its_default() {
    let ticket = |id: i64| LoggedTicket {
        ticket: matchwright_queue::Ticket::of_one(id.unsigned_abs(), id.unsigned_abs() % 50),
        came: Time::from_millis(20_000 * id),
        left: None,
        matched: Some(Time::from_millis(20_000 * id + 7000)),
    };
    let log = TicketLog::new((0..100).map(ticket).collect()).unwrap();
    let fitted = fit(Observed {
        log: &log,
        journal: None,
    });
    let wanted = ScenarioParams {
        arrivals: ArrivalParams {
            per_second: 0.05,
            ..ArrivalParams::default()
        },
        ..ScenarioParams::default()
    };
    assert_eq!(fitted.params, wanted);
    let notes: Vec<&str> = fitted.notes.iter().map(|note| note.text.as_str()).collect();
    let notes = notes.join("\n");
    for words in [
        "less than a day",
        "50 arrivals are of players who came before, of 50 players",
        "within 16.6 minutes",
        "no ticket names a region",
        "no ticket was seen to give up",
        "no ticket has a `rating`",
    ] {
        assert!(notes.contains(words), "{words}\n{notes}");
    }
}

#[test]
fn times_at_which_nobody_plays_are_refused() {
    let mut policy = load(toml::from_str::<PolicyDocument>(POLICY).unwrap()).unwrap();
    let mut state = State::new(policy.label.clone(), policy.settings.clone());
    let (mut writer, mut journal) = JournalWriter::begin(POLICY, &state, &*policy.policy).unwrap();
    let late = Time::from_millis(1 << 62);
    for (now, id) in [(Time::from_millis(0), 1), (late, 2)] {
        let events = [Event::create(
            id,
            Ticket::of_one(id, id).in_queues(&["solo"]).with("rating", 1500.0),
        )];
        let outcome = step(&mut state, &mut *policy.policy, now, &events).unwrap();
        journal.extend(writer.step(now, &events, &outcome).unwrap());
    }
    let refused = TicketLog::from_journal(&journal).unwrap_err().to_string();
    assert!(refused.contains("12,000 years"), "{refused}");
    let logged = |came, left| LoggedTicket {
        ticket: Ticket::of_one(1, 1),
        came,
        left,
        matched: None,
    };
    for one in [
        logged(late, None),
        logged(Time::from_millis(i64::MIN), None),
        logged(Time::from_millis(0), Some(late)),
    ] {
        let ticket = one.ticket.id;
        assert_eq!(TicketLog::new(vec![one]), Err(LogError::Time { ticket }));
    }
}
