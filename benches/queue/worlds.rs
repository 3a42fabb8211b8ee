//! Simulated worlds: a day at several sizes, and what an event costs in each.

use std::time::Instant;

use matchwright_sim::policy::{PolicyDocument, load};
use matchwright_sim::rate::SystemChoice;
use matchwright_sim::replay::Judge;
use matchwright_sim::simulate::{
    AgainParams, ArrivalParams, Measures, Patience, PeopleParams, RatingParams, ScenarioParams, simulate,
};

const WINDOWS: &str = "
[queue]
accept = 'both'
longest_wait = 300
[[queue.windows]]
of = 'rating'
start = 20
per_second = 5
[objective]
of = 'rating'
lost = 300.0
";

/// Days of 1v1 with rating by Glicko: some 7 matches a player a day, as 100,000 players who play 5 million in a week.
pub(crate) fn worlds() {
    println!("players   matches    tickets    seconds   matches/s   microseconds a ticket");
    for players in [10_000_u32, 100_000, 1_000_000] {
        let scenario = ScenarioParams {
            hours: 24.0,
            arrivals: ArrivalParams {
                per_second: f64::from(players) * 5.0 / 86_400.0,
                ..ArrivalParams::default()
            },
            people: PeopleParams {
                players: Some(players),
                ..PeopleParams::default()
            },
            patience: Some(Patience::Exponential(300.0)),
            again: AgainParams {
                next_match: [0.7, 0.7, 0.65],
                ..AgainParams::default()
            },
            rating: RatingParams {
                system: Some(SystemChoice::Glicko),
                ..RatingParams::default()
            },
            ..ScenarioParams::default()
        };
        let scenario = scenario.build().unwrap();
        let mut policy = load(toml::from_str::<PolicyDocument>(WINDOWS).unwrap()).unwrap();
        let judge = Judge::new(policy.objective.clone(), None).unwrap();
        let mut measures = Measures::new(&scenario, &judge);
        let start = Instant::now();
        let ended = simulate(&scenario, &mut policy, 1, &mut measures, &mut |_| {}).unwrap();
        let seconds = start.elapsed().as_secs_f64();
        let found = measures.finish(&ended.players);
        let tickets: u64 = found.tickets.values().sum();
        println!(
            "{players:7} {:9} {tickets:10} {seconds:10.2} {:11.0} {:12.2}",
            found.matches,
            found.matches as f64 / seconds,
            1e6 * seconds / tickets as f64,
        );
    }
}
