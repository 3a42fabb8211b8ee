//! Parties of a simulated world: how alike their members are, groups that differ, and rosters.

use matchwright_queue::Value;
use matchwright_sim::policy::{LoadedPolicy, PolicyDocument, load};
use matchwright_sim::replay::Judge;
use matchwright_sim::simulate::{
    FullRecord, GroupParams, Measures, NumberParams, PeopleParams, ScenarioParams, TicketEnd, simulate,
};
use matchwright_sim::statistics::correlation;

/// Teams of these sizes, each in a queue of its own, and matches at once.
fn policy(sizes: &[usize]) -> LoadedPolicy {
    let queues = sizes.iter().map(|size| format!("of{size} = [{size}, {size}]\n"));
    let text = format!(
        "name = 'sizes'\n[queue]\naccept = 'both'\n[queue.queues]\n{}[[queue.windows]]\nof = 'rating'\nstart = 1e6\n\
         [objective]\nof = 'rating'\n",
        queues.collect::<String>()
    );
    load(toml::from_str::<PolicyDocument>(&text).unwrap()).unwrap()
}

fn world(parties: &[f64]) -> ScenarioParams {
    let mut params = ScenarioParams {
        hours: 1.0,
        people: PeopleParams {
            parties: parties.to_vec(),
            roster: true,
            ..PeopleParams::default()
        },
        ..ScenarioParams::default()
    };
    params.arrivals.per_second = 0.5;
    params
}

fn tickets(params: &ScenarioParams, sizes: &[usize]) -> Vec<TicketEnd> {
    let scenario = params.clone().build().unwrap();
    let (mut policy, mut record) = (policy(sizes), FullRecord::default());
    scenario.check_policy(&policy).unwrap();
    simulate(&scenario, &mut policy, 1, &mut record, &mut |_| {}).unwrap();
    record.tickets.sort_by_key(|end| end.ticket.id);
    record.tickets
}

fn ratings(end: &TicketEnd) -> Vec<f64> {
    let rating = |member: &matchwright_queue::Member| match member.attributes["rating"] {
        Value::Number(rating) => rating,
        _ => f64::NAN,
    };
    end.ticket.players.iter().map(rating).collect()
}

#[test]
fn a_roster_fills_the_largest_team_that_it_can_with_its_first_players() {
    // From two to five players.
    let params = world(&[0.0, 1.0, 1.0, 1.0, 1.0]);
    let (even, all) = (tickets(&params, &[2, 4]), tickets(&params, &[2, 3, 4, 5]));
    assert!(even.len() > 1000 && even.len() == all.len());
    for (of_even, of_all) in even.iter().zip(&all) {
        let size = of_all.players.len();
        assert_eq!(of_even.players.len(), size - size % 2);
        assert_eq!(of_even.ticket.queues, [format!("of{}", size - size % 2)]);
        assert_eq!(ratings(of_even), ratings(of_all)[..size - size % 2]);
    }
    let refused = world(&[1.0]).build().unwrap().check_policy(&policy(&[2, 4]));
    assert!(
        refused
            .unwrap_err()
            .to_string()
            .contains("no team for a roster of 1: 2 at least")
    );
}

#[test]
fn members_are_as_alike_as_the_world_says_and_groups_have_a_spread_of_their_own() {
    let mut params = world(&[0.0, 1.0]);
    params.people.alike = 0.75;
    params.people.groups.push(GroupParams {
        name: "mixed".to_owned(),
        share: 0.4,
        lead: 100.0,
        spread: 2.0,
        words: [("kind".to_owned(), "mixed".to_owned())].into(),
    });
    let glory = NumberParams {
        mean: 5_000.0,
        deviation: 500.0,
        with_skill: 0.5,
        least: None,
        of_party: true,
    };
    params.people.numbers.insert("glory".to_owned(), glory);
    let all = tickets(&params, &[2]);
    let (mixed, others): (Vec<&TicketEnd>, Vec<&TicketEnd>) = all.iter().partition(|end| end.group == 0);
    let share = mixed.len() as f64 / all.len() as f64;
    assert!((0.36..0.44).contains(&share), "{share}");
    let alike = |of: &[&TicketEnd]| correlation(of.iter().map(|end| (ratings(end)[0], ratings(end)[1])));
    // 0.75, and 0.75 / (0.75 + 4 * 0.25).
    let found = [alike(&others), alike(&mixed)];
    assert!(
        (found[0] - 0.75).abs() < 0.06 && (found[1] - 0.43).abs() < 0.1,
        "{found:?}"
    );
    for end in &all {
        let kind = end.ticket.attributes.get("kind");
        assert_eq!(kind.is_some(), end.group == 0);
        // One number for the whole party, and none of its members has another.
        assert!(matches!(end.ticket.attributes["glory"], Value::Number(_)));
        assert!(
            end.ticket
                .players
                .iter()
                .all(|member| !member.attributes.contains_key("glory"))
        );
    }
    let mean = |of: &[&TicketEnd]| of.iter().map(|end| end.rating).sum::<f64>() / of.len() as f64;
    assert!((mean(&mixed) - mean(&others) - 100.0).abs() < 60.0);
}

#[test]
fn waits_are_measured_by_group_and_shares_beyond_one_refused() {
    let group = |name: &str, share| GroupParams {
        name: name.to_owned(),
        share,
        lead: 0.0,
        spread: 1.0,
        words: [("kind".to_owned(), name.to_owned())].into(),
    };
    let mut params = world(&[0.0, 1.0]);
    params.people.groups = vec![group("a", 0.5), group("b", 0.3)];
    let scenario = params.clone().build().unwrap();
    let mut policy = policy(&[2]);
    let judge = Judge::new(policy.objective.clone(), None).unwrap();
    let mut measures = Measures::new(&scenario, &judge);
    let ended = simulate(&scenario, &mut policy, 1, &mut measures, &mut |_| {}).unwrap();
    let found = measures.finish(&ended.players);
    let count = |name: &str| {
        found
            .waits
            .iter()
            .find(|waits| waits.group == name)
            .unwrap()
            .tickets
    };
    let [all, a, b, others] = ["all", "group a", "group b", "group others"].map(count);
    assert_eq!(a + b + others, all);
    assert!(a > b && b > others && others > 0);
    params.people.groups[1].share = 0.6;
    let error = params.build().unwrap_err().to_string();
    assert!(error.contains("people.groups.share"), "{error}");
}
