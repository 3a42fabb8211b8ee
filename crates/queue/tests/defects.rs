//! Defects that the queue once had, each by the case that showed it.

use std::sync::Arc;

use matchwright_queue::{
    ApplyError, Backfill, Budget, ChoosePairs, Compare, Decision, Event, EventKind, Lobby, LobbyFault,
    MatchId, MatchPolicy, Outcome, Pairs, PairsParams, PlayerId, PolicyChange, PolicyLabel, PolicySet, Pool,
    PricesParams, ProposalId, Proposed, QueueSettings, StepError, TicketId, Time, Why, WindowParams, follow,
    step, step_within,
};

use crate::bench::{
    Bench, accept, asking, at, create, decline, made, pairs, player, punished, rating, windows,
};

fn ping(start: f64) -> WindowParams {
    WindowParams {
        start,
        compare: Compare::Ping,
        ..WindowParams::of("")
    }
}

fn set_policy(settings: QueueSettings) -> EventKind {
    EventKind::SetPolicy(Arc::new(PolicyChange {
        label: PolicyLabel {
            name: "new".to_owned(),
            version: "2".to_owned(),
        },
        document: String::new(),
        settings,
    }))
}

/// Two tickets who are asked from time 0 on, the first of which expires at 3000.
fn asked_and_expiring() -> (Bench, Vec<(Time, Vec<Event>, Outcome)>) {
    let mut bench = Bench::new(asking(), pairs(&windows(&[rating(50.0, 0.0)])));
    let mut first = player(1, 0.0);
    first.expires = Some(at(3000));
    let events = bench.events([create(first), create(player(2, 0.0))]);
    let outcome = step(&mut bench.state, &mut *bench.policy, at(0), &events).unwrap();
    (bench, vec![(at(0), events, outcome)])
}

#[test]
fn a_ticket_that_is_asked_does_not_expire_nor_wake_anybody_until_it_waits_again() {
    let (mut bench, mut journal) = asked_and_expiring();
    assert_eq!(journal[0].2.wakeup, Some(at(10_000)));
    for now in [3000, 5000] {
        let events = bench.events((now == 5000).then_some(EventKind::FailProposal(ProposalId(1))));
        let outcome = step(&mut bench.state, &mut *bench.policy, at(now), &events).unwrap();
        journal.push((at(now), events, outcome));
        let mut again = Bench::new(asking(), pairs(&windows(&[rating(50.0, 0.0)])));
        for (now, events, outcome) in &journal {
            follow(&mut again.state, &mut *again.policy, *now, events, outcome).unwrap();
        }
        assert!(again.state == bench.state);
        assert_eq!(again.state.next_timer(), bench.state.next_timer());
    }
    assert_eq!((bench.joined(1), bench.joined(2)), (None, Some(at(0))));
    assert_eq!(bench.state.counters().expired, 1);
}

#[test]
fn a_policy_that_is_set_meets_every_ticket_once_under_its_new_keys() {
    let keyed = |keys: &[&str]| QueueSettings {
        keys: keys.iter().map(|&key| key.to_owned()).collect(),
        ..asking()
    };
    let mut bench = Bench::new(keyed(&["mode", "build"]), pairs(&windows(&[rating(50.0, 0.0)])));
    let ticket =
        |id: u64, mode: &str| create(player(id, 0.0).with_text("mode", mode).with_text("build", mode));
    bench.step(0, [ticket(1, "b"), ticket(2, "b"), ticket(0, "a")]);
    // The proposal runs out in the same step: both its tickets leave, and a third comes later.
    bench.step(1, [accept(1, 1)]);
    bench.policy = pairs(&windows(&[rating(50.0, 0.0)]));
    let outcome = bench.step(10_000, [set_policy(keyed(&["build"]))]);
    assert_eq!((punished(&outcome), outcome.proposals().count()), (vec![2], 0));
    let is_bad = |decision: &Decision| matches!(decision, Decision::BadLobby { .. });
    assert!(!outcome.decisions.iter().any(is_bad));
    let outcome = bench.step(10_001, [ticket(4, "a"), ticket(5, "c")]);
    let lobbies: Vec<Vec<u64>> = outcome
        .proposals()
        .map(|one| one.lobby.tickets().map(|id| id.0).collect())
        .collect();
    assert_eq!(lobbies, [[0, 4]]);
    // A policy alike under other settings: nobody is there twice.
    bench.policy = pairs(&windows(&[rating(50.0, 0.0)]));
    let outcome = bench.step(10_002, [set_policy(keyed(&[]))]);
    let policies: Vec<&str> = outcome.proposals().map(|one| &*one.policy.version).collect();
    assert_eq!((policies, bench.step(10_003, []).decisions.len()), (vec!["2"], 0));
}

#[test]
fn a_failed_match_returns_no_ticket_for_which_a_new_policy_has_no_place() {
    let named = |name: &str| QueueSettings {
        queues: [(name.to_owned(), vec![1, 1])].into(),
        ..QueueSettings::default()
    };
    let policy = |name: &str| Box::new(Pairs::new(name, windows(&[]).build().unwrap()));
    let mut bench = Bench::new(named("old"), policy("old"));
    let ticket = |id: u64| create(player(id, 0.0).in_queues(&["old"]));
    assert_eq!(bench.matches(0, [ticket(1), ticket(2)]), [[1, 2]]);
    bench.policy = policy("new");
    bench.step(1, [set_policy(named("new"))]);
    let outcome = bench.step(2, [EventKind::FailMatch(MatchId(1))]);
    let (match_id, returned) = (MatchId(1), Vec::new());
    assert_eq!(outcome.decisions, [Decision::Failed { match_id, returned }]);
    assert_eq!(
        (bench.state.pool().len(), bench.state.ticket_of(PlayerId(1))),
        (0, None)
    );
}

#[test]
fn a_policy_that_needs_what_is_not_known_of_a_waiting_ticket_is_refused() {
    let mut bench = Bench::new(QueueSettings::default(), pairs(&windows(&[rating(50.0, 0.0)])));
    bench.step(0, [create(player(1, 0.0))]);
    let settings = QueueSettings {
        needs: vec!["latency".to_owned()],
        ..QueueSettings::default()
    };
    let before = bench.state.clone();
    let events = bench.events([set_policy(settings)]);
    let error = step(&mut bench.state, &mut *bench.policy, at(1), &events).unwrap_err();
    assert_eq!(error, StepError::NoPlace { ticket: TicketId(1) });
    assert!(bench.state == before);
}

#[test]
fn a_cooldown_longer_than_declines_are_remembered_is_kept() {
    let settings = QueueSettings {
        cooldowns: vec![100_000],
        forget_declines_after: 10_000,
        ..asking()
    };
    let mut bench = Bench::new(settings, pairs(&windows(&[rating(50.0, 0.0)])));
    bench.step(0, [create(player(1, 0.0)), create(player(2, 0.0))]);
    bench.step(1, [decline(1, 1)]);
    for (now, cooldown) in [(50_000, Some(at(100_001))), (100_001, None)] {
        bench.step(now, []);
        assert_eq!(bench.state.cooldown(PlayerId(1)), cooldown);
    }
    assert_eq!(bench.refusal(100_002, create(player(3, 0.0))), None);
}

#[test]
fn overdue_tickets_out_of_reach_are_not_forgotten_where_a_budget_ends() {
    let params = PairsParams {
        longest_wait: Some(10.0),
        ..windows(&[WindowParams {
            most: Some(5.0),
            ..rating(5.0, 0.0)
        }])
    };
    let mut bench = Bench::new(QueueSettings::default(), pairs(&params));
    for id in 0..6 {
        bench.step(0, [create(player(id, 1000.0 * id as f64))]);
    }
    let mut total = 0;
    for _ in 0..100 {
        let (state, policy) = (&mut bench.state, &mut *bench.policy);
        let outcome = step_within(state, policy, at(10_000), &[], Budget::new(1)).unwrap();
        total += made(&outcome).len();
        assert_eq!(outcome.wakeup, outcome.unfinished.then_some(at(10_000)));
        if !outcome.unfinished {
            break;
        }
    }
    assert_eq!((total, bench.state.wakeup()), (3, None));
}

#[test]
fn where_pings_alone_decide_the_overdue_get_the_best_ping() {
    let params = PairsParams {
        longest_wait: Some(10.0),
        ..windows(&[ping(5.0)])
    };
    let mut bench = Bench::new(QueueSettings::default(), pairs(&params));
    let ticket = |id: u64, ping: f64| create(player(id, 0.0).with_region("eu", ping));
    bench.step(0, [ticket(1, 10.0)]);
    bench.step(
        1,
        [ticket(2, 90.0), ticket(3, 70.0), ticket(4, 20.0), ticket(5, 80.0)],
    );
    assert_eq!(bench.matches(10_000, [])[0], [1, 4]);
}

#[test]
fn among_regions_alike_the_first_by_name_is_chosen_however_they_became_known() {
    for first in ["a", "b"] {
        for longest_wait in [None, Some(10.0)] {
            let params = PairsParams {
                longest_wait,
                ..windows(&[rating(if longest_wait.is_some() { 0.0 } else { 50.0 }, 0.0)])
            };
            let mut bench = Bench::new(QueueSettings::default(), pairs(&params));
            bench.step(0, [create(player(1, 5000.0).with_region(first, 10.0))]);
            bench.step(0, [EventKind::cancel(1)]);
            let both =
                |id: u64, at: f64| create(player(id, at).with_region("b", 10.0).with_region("a", 10.0));
            let mut outcome = bench.step(1, [both(2, 0.0), both(3, 10.0)]);
            if longest_wait.is_some() {
                outcome = bench.step(10_001, []);
            }
            assert_eq!(
                outcome.matches().next().unwrap().lobby.region.as_deref(),
                Some("a")
            );
        }
    }
}

#[test]
fn tickets_keep_the_price_at_which_they_came_when_a_policy_is_restored() {
    let params = PairsParams {
        prices: Some(PricesParams::of("rating", 1.0, 1.0)),
        ..PairsParams::default()
    };
    let mut bench = Bench::new(QueueSettings::default(), pairs(&params));
    for id in 0..40 {
        let far = if id % 5 == 0 {
            4000.0 * id as f64
        } else {
            7.0 * id as f64
        };
        bench.step(900 * id as i64, [create(player(id, far))]);
    }
    let now = bench.state.now();
    let mut restored = pairs(&params);
    let pool = bench.state.pool();
    restored
        .restore(pool, &pool.waiting(), now, &bench.policy.save())
        .unwrap();
    assert!(bench.state.pool().len() > 5);
    assert_eq!(restored.save(), bench.policy.save());
    let next = bench.policy.next_time(bench.state.pool(), now);
    assert_eq!(restored.next_time(bench.state.pool(), now), next);
    // And no cut or changed bytes are taken.
    let saved = bench.policy.save();
    for cut in 0..saved.len() {
        let cut = pairs(&params).restore(bench.state.pool(), &[], now, &saved[..cut]);
        assert!(cut.is_err());
    }
}

#[test]
fn numbers_at_the_ends_of_their_ranges_are_taken_or_refused() {
    let mut bench = Bench::new(asking(), pairs(&windows(&[rating(1e300, 1e300)])));
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(bench.refusal(0, create(player(1, value))).is_some());
        assert!(
            bench
                .refusal(0, create(player(1, 0.0).with_region("eu", value)))
                .is_some()
        );
    }
    assert!(
        bench
            .refusal(0, create(player(1, 0.0).with_region("eu", -1.0)))
            .is_some()
    );
    let kinds = [
        create(player(u64::MAX, -4e299)),
        create(player(u64::MAX - 1, 4e299)),
    ];
    assert_eq!(bench.step(i64::MAX - 1, kinds).proposals().count(), 1);
    // A deadline beyond the last moment is never.
    let outcome = bench.step(i64::MAX - 1, []);
    assert_eq!(outcome.wakeup, None);
    assert_eq!(
        bench
            .step(i64::MAX, [accept(1, u64::MAX), accept(1, u64::MAX - 1)])
            .matches()
            .count(),
        0
    );
    let settings = QueueSettings {
        remember: i64::MIN,
        ..QueueSettings::default()
    };
    let mut bench = Bench::new(settings, pairs(&windows(&[])));
    assert_eq!(bench.step(0, [create(player(1, 0.0))]).wakeup, None);
}

/// A policy that proposes one lobby whenever it is asked.
struct Always(Lobby);

impl MatchPolicy for Always {
    fn enter(&mut self, _: &Pool, _: TicketId, _: Time) {}
    fn leave(&mut self, _: &Pool, _: TicketId, _: Time) {}
    fn propose(&mut self, _: &Pool, _: Time, _: &mut Budget) -> Proposed {
        Proposed::lobbies([self.0.clone(), self.0.clone()])
    }
    fn next_time(&mut self, _: &Pool, now: Time) -> Option<Time> {
        Some(now)
    }
    fn why(&self, _: &Pool, _: TicketId, _: Time) -> Why {
        Why::default()
    }
    fn liveness(&self) -> Option<f64> {
        None
    }
}

#[test]
fn a_policy_that_breaks_its_contract_harms_neither_state_nor_step() {
    let lobby = |teams: &[&[u64]], queue: &str| Lobby {
        queue: queue.into(),
        teams: teams
            .iter()
            .map(|team| team.iter().map(|&id| TicketId(id)).collect())
            .collect(),
        region: None,
        mismatch: 0.0,
    };
    let settings = QueueSettings {
        queues: [(String::new(), vec![1, 1]), ("none".to_owned(), Vec::new())].into(),
        ..QueueSettings::default()
    };
    let ticket = |id: u64| create(player(id, 0.0).in_queues(&[""]));
    for (bad, matches) in [
        (lobby(&[&[1], &[1]], ""), 0),
        (lobby(&[&[1], &[9]], ""), 0),
        (lobby(&[&[1, 2]], ""), 0),
        (lobby(&[&[1], &[2]], "none"), 0),
        // A lobby of nobody for a queue of no teams.
        (lobby(&[], "none"), 0),
        (lobby(&[&[1], &[2]], ""), 1),
    ] {
        let mut bench = Bench::new(settings.clone(), Box::new(Always(bad)));
        let outcome = bench.step(0, [ticket(1), ticket(2)]);
        let faults = outcome
            .decisions
            .iter()
            .filter(|one| matches!(one, Decision::BadLobby { .. }))
            .count();
        // It is offered twice, and not asked again.
        assert_eq!(
            (outcome.matches().count(), faults),
            (matches, 2 - matches),
            "{:?}",
            outcome.decisions
        );
        assert_eq!(bench.state.pool().len(), 2 - 2 * matches);
    }
    let empty = Bench::new(settings, Box::new(Always(lobby(&[], "none")))).step(0, []);
    let fault = LobbyFault::Sizes {
        sizes: vec![],
        wanted: vec![],
    };
    let lobby = lobby(&[], "none");
    let (aside, until) = (Vec::new(), at(60_000));
    let bad = Decision::BadLobby {
        lobby,
        fault,
        aside,
        until,
    };
    assert_eq!(empty.decisions, [bad.clone(), bad]);
}

/// Chooses every pair that there is.
struct All;

impl ChoosePairs for All {
    fn choose(&mut self, _: usize, edges: &[(usize, usize, f64)]) -> Vec<(usize, usize)> {
        edges.iter().map(|edge| (edge.0, edge.1)).collect()
    }

    fn copy(&self) -> Box<dyn ChoosePairs + Send> {
        Box::new(Self)
    }
}

/// Chooses nothing and says that it failed.
struct Fails;

impl ChoosePairs for Fails {
    fn choose(&mut self, _: usize, _: &[(usize, usize, f64)]) -> Vec<(usize, usize)> {
        Vec::new()
    }

    fn take_failures(&mut self) -> Vec<String> {
        vec!["no luck".to_owned()]
    }

    fn copy(&self) -> Box<dyn ChoosePairs + Send> {
        Box::new(Self)
    }
}

#[test]
fn what_fails_inside_a_policy_is_told_by_the_step_and_never_decided() {
    let fails = || pairs(&windows(&[rating(50.0, 0.0)])).choosing_by(Fails);
    let set = PolicySet::default().with("ranked", Box::new(fails()));
    let policies: [(Box<dyn MatchPolicy + Send>, &str); 2] = [
        (Box::new(fails()), "no luck"),
        (Box::new(set), "queue `ranked`: no luck"),
    ];
    for (policy, wanted) in policies {
        let mut bench = Bench::new(QueueSettings::default(), policy);
        let outcome = bench.step(0, [create(player(1, 0.0))]);
        assert_eq!(outcome.failures, [wanted]);
        assert_eq!(outcome.decisions.len(), 1, "{:?}", outcome.decisions);
    }
}

#[test]
fn a_chooser_that_takes_a_ticket_twice_is_a_fault_of_the_policy() {
    let policy = pairs(&windows(&[rating(50.0, 0.0)])).choosing_by(All);
    let mut bench = Bench::new(QueueSettings::default(), Box::new(policy));
    let outcome = bench.step(0, [1, 2, 3].map(|id| create(player(id, 0.0))));
    assert_eq!(made(&outcome), [[1, 2]]);
    assert!(
        outcome
            .decisions
            .iter()
            .any(|one| matches!(one, Decision::BadLobby { .. }))
    );
    assert!(bench.joined(3).is_some());
}

#[test]
fn records_of_another_queue_are_errors_and_never_overflow() {
    let (bench, journal) = asked_and_expiring();
    let proposal = bench.state.proposals().next().unwrap().0.clone();
    for id in [0, 2, u64::MAX] {
        let mut other = Bench::new(asking(), pairs(&windows(&[])));
        let (now, events, outcome) = &journal[0];
        let mut outcome = outcome.clone();
        outcome.decisions.pop();
        let mut proposal = proposal.clone();
        proposal.id = ProposalId(id);
        outcome.decisions.push(Decision::Proposed(Arc::new(proposal)));
        let error = follow(&mut other.state, &mut *other.policy, *now, events, &outcome).unwrap_err();
        let proposal = ProposalId(id);
        assert_eq!(error, StepError::Apply(ApplyError::Proposal { proposal }));
    }
}

#[test]
fn a_running_match_gets_the_party_that_fills_it_on_the_team_that_lacks_players() {
    let settings = QueueSettings {
        queues: [(String::new(), vec![2, 2])].into(),
        ..QueueSettings::default()
    };
    let mut bench = Bench::new(settings, pairs(&windows(&[rating(50.0, 0.0)])));
    let mut running = matchwright_queue::Ticket::of(1, [1, 2, 3]).with("rating", 0.0);
    running.backfill = Some(Box::new(Backfill {
        match_id: MatchId(70),
        teams: vec![1, 0, 0],
    }));
    bench.step(0, [create(running)]);
    let outcome = bench.step(1, [create(player(2, 10.0).with("rating", 10.0))]);
    assert!(outcome.refusals().next().is_some(), "player 2 plays already");
    let outcome = bench.step(2, [create(player(9, 10.0))]);
    let made = outcome.matches().next().unwrap();
    assert_eq!(made.lobby.teams, [vec![TicketId(1)], vec![TicketId(9)]]);
    assert_eq!(made.backfill, Some(MatchId(70)));
}

#[test]
fn prices_that_no_number_holds_are_refused() {
    for (mismatch, waiting) in [
        (1.0, vec![(1e-310, 1e10)]),
        (1e-308, vec![(1.0, 1e10)]),
        (1e-308, vec![(1.0, 10.0), (2.0, 10.0)]),
    ] {
        let mut prices = PricesParams::of("rating", mismatch, 1.0);
        prices.waiting = waiting;
        let error = prices.build().unwrap_err().to_string();
        assert!(error.contains("finite in units of a mismatch"), "{error}");
    }
}

#[test]
fn what_a_set_of_policies_has_learned_comes_back_to_the_queue_that_learned_it() {
    let learning = |queue: &str| {
        let prices = Some(PricesParams::of("rating", 1.0, 1.0));
        let params = PairsParams {
            prices,
            ..PairsParams::default()
        };
        Box::new(Pairs::new(queue, params.build().unwrap()))
    };
    let set = || {
        let plain = Box::new(Pairs::new("b", windows(&[]).build().unwrap()));
        PolicySet::default()
            .with("a", learning("a"))
            .with("b", plain)
            .with("c", learning("c"))
    };
    let settings = QueueSettings {
        queues: ["a", "b", "c"].map(|name| (name.to_owned(), vec![1, 1])).into(),
        ..QueueSettings::default()
    };
    let mut bench = Bench::new(settings, Box::new(set()));
    for id in 0..30 {
        let queues: &[&str] = if id % 3 == 0 { &["a"] } else { &["c", "b"] };
        bench.step(
            1000 * id as i64,
            [create(player(id, 90.0 * id as f64).in_queues(queues))],
        );
    }
    let saved = bench.policy.save();
    let mut restored = set();
    let (pool, now) = (bench.state.pool(), bench.state.now());
    restored.restore(pool, &pool.waiting(), now, &saved).unwrap();
    assert!(restored.save() == saved && saved.len() > 100);
    // Bytes that are cut off, or of a queue that there is not.
    for cut in [1, 15, 16, 17, saved.len() - 1] {
        assert!(set().restore(pool, &[], now, &saved[..cut]).is_err(), "{cut}");
    }
    assert!(PolicySet::default().restore(pool, &[], now, &saved).is_err());
}

/// Steps at one moment, each within a budget, until one is finished: how many, and the matches of all.
fn steps_within(bench: &mut Bench, millis: i64, budget: u64, mut kinds: Vec<EventKind>) -> (usize, usize) {
    let (mut steps, mut matches) = (0, 0);
    loop {
        let events = bench.events(std::mem::take(&mut kinds));
        let (state, policy) = (&mut bench.state, &mut *bench.policy);
        let outcome = step_within(state, policy, at(millis), &events, Budget::new(budget)).unwrap();
        (steps, matches) = (steps + 1, matches + made(&outcome).len());
        if !outcome.unfinished {
            return (steps, matches);
        }
    }
}

#[test]
fn a_resume_of_tickets_that_all_fit_is_cut_into_steps_and_leaves_nobody_over() {
    // All of one rating, as in a new season, or apart.
    for spread in [0.0, 1.0] {
        let mut bench = Bench::new(QueueSettings::default(), pairs(&windows(&[rating(500.0, 1.0)])));
        bench.step(0, [EventKind::Pause(String::new())]);
        for id in 0..1000 {
            bench.step(id as i64, [create(player(id, spread * id as f64))]);
        }
        let resume = vec![EventKind::Resume(String::new())];
        let (steps, matches) = steps_within(&mut bench, 2000, 1000, resume);
        // Each looks at no more than 128 neighbours, so that no step has all of the million pairs.
        assert!(
            matches == 500 && (10..500).contains(&steps),
            "{steps} steps, {matches} matches"
        );
    }
}

#[test]
fn whoever_waits_alone_under_its_key_costs_the_others_nothing() {
    let settings = QueueSettings {
        keys: vec!["mode".to_owned()],
        ..QueueSettings::default()
    };
    let params = PairsParams {
        longest_wait: Some(60.0),
        ..windows(&[rating(5.0, 0.0)])
    };
    let mut bench = Bench::new(settings, pairs(&params));
    let moded = |id: u64, mode: u64| create(player(id, id as f64).with("mode", mode as f64));
    for id in 0..500 {
        bench.step(id as i64, [moded(id, id)]);
    }
    // All are overdue, and none has a partner: a step is done with a budget of nothing left but the two who can play.
    let kinds = vec![moded(1000, 7)];
    assert_eq!(steps_within(&mut bench, 100_000, 64, kinds), (1, 1));
    assert_eq!(bench.state.wakeup(), None);
}
