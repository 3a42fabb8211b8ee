//! The ten laws of the queue, and what came of breaking them elsewhere.

use matchwright_queue::{
    Backfill, Budget, Decision, Event, EventKind, LeaveReason, MatchId, Outcome, Pairs, PairsParams,
    PlayerId, PolicySet, PricesParams, ProposalId, QueueSettings, Refusal, Ticket, TicketId, Time,
    WindowParams, follow, step, step_within,
};

use crate::bench::{
    Bench, accept, asking, at, create, decline, made, pairs, player, punished, rating, windows,
};

#[test]
fn law_1_tickets_that_did_nothing_wrong_keep_their_waiting_times() {
    let mut bench = Bench::new(asking(), pairs(&windows(&[rating(50.0, 0.0)])));
    bench.step(0, [create(player(1, 0.0))]);
    assert_eq!(bench.step(1000, [create(player(2, 0.0))]).proposals().count(), 1);
    // Declined by the other, not answered by the other, not hosted, not started: each time with the old wait.
    bench.step(2000, [decline(1, 2)]);
    assert_eq!((bench.joined(1), bench.joined(2)), (Some(at(0)), None));
    bench.step(3000, [create(player(3, 0.0)), accept(2, 1)]);
    bench.step(3500, [accept(2, 1)]);
    let outcome = bench.step(13_000, []);
    assert_eq!((punished(&outcome), bench.joined(1)), (vec![3], Some(at(0))));
    bench.step(
        14_000,
        [create(player(4, 0.0)), EventKind::FailProposal(ProposalId(3))],
    );
    bench.step(15_000, [EventKind::FailProposal(ProposalId(3))]);
    assert_eq!(
        (bench.joined(1), bench.joined(4)),
        (Some(at(0)), Some(at(14_000)))
    );
    assert_eq!(bench.matches(16_000, [accept(4, 1), accept(4, 4)]), [[1, 4]]);
    bench.step(17_000, [EventKind::FailMatch(MatchId(1))]);
    assert_eq!(
        (bench.joined(1), bench.joined(4)),
        (Some(at(0)), Some(at(14_000)))
    );
    let outcome = bench.step(18_000, [accept(5, 1), accept(5, 4)]);
    assert_eq!(outcome.matches().next().unwrap().joined, [at(0), at(14_000)]);
}

#[test]
fn law_2_accept_then_decline_is_a_decline_and_answers_to_old_proposals_change_nothing() {
    let mut bench = Bench::new(asking(), pairs(&windows(&[rating(50.0, 0.0)])));
    bench.step(0, [create(player(1, 0.0)), create(player(2, 0.0))]);
    let outcome = bench.step(1, [accept(1, 2), decline(1, 2)]);
    assert_eq!((punished(&outcome), made(&outcome).len()), (vec![2], 0));
    assert!(bench.joined(1).is_some() && bench.joined(2).is_none());
    // The next proposal of ticket 1 is another one, which late answers do not reach.
    bench.step(2, [create(player(3, 0.0))]);
    for late in [accept(1, 1), decline(1, 1), accept(1, 2), decline(1, 3)] {
        let expected = Refusal::UnknownProposal {
            proposal: ProposalId(1),
        };
        assert_eq!(bench.refusal(3, late), Some(expected));
    }
    assert!(matches!(
        bench.refusal(3, accept(2, 2)),
        Some(Refusal::NotInProposal { .. })
    ));
    assert_eq!(
        bench.matches(4, [accept(2, 1), accept(2, 1), accept(2, 3)]),
        [[1, 3]]
    );
    assert!(matches!(
        bench.refusal(5, decline(2, 1)),
        Some(Refusal::UnknownProposal { .. })
    ));
}

#[test]
fn law_3_a_ticket_is_in_one_proposal_and_a_dying_one_punishes_nobody_undecided() {
    let mut bench = Bench::new(asking(), pairs(&windows(&[rating(50.0, 0.0)])));
    bench.step(0, [create(player(1, 0.0)), create(player(2, 0.0))]);
    // The nearest for both, but they are asked.
    assert_eq!(bench.step(1, [create(player(3, 0.0))]).proposals().count(), 0);
    let outcome = bench.step(2, [decline(1, 1)]);
    assert_eq!(punished(&outcome), [1]);
    let again: Vec<Vec<u64>> = outcome
        .proposals()
        .map(|one| one.lobby.tickets().map(|id| id.0).collect())
        .collect();
    assert_eq!(again, [[2, 3]]);
    assert_eq!(
        (
            bench.state.cooldown(PlayerId(2)),
            bench.state.cooldown(PlayerId(1))
        ),
        (None, Some(at(60_002)))
    );
    // Two declines in one step: the first ends the proposal, the second is too late to cost anything.
    let outcome = bench.step(3, [decline(2, 2), decline(2, 3)]);
    assert_eq!((punished(&outcome), outcome.refusals().count()), (vec![2], 1));
}

#[test]
fn law_3_whose_match_goes_on_is_not_punished_when_it_needs_nobody_any_more() {
    let mut bench = Bench::new(asking(), pairs(&windows(&[rating(50.0, 0.0)])));
    let mut running = player(1, 0.0);
    running.backfill = Some(Box::new(Backfill {
        match_id: MatchId(9),
        teams: vec![1],
    }));
    assert_eq!(
        bench
            .step(0, [create(running), create(player(2, 0.0))])
            .proposals()
            .count(),
        1
    );
    let outcome = bench.step(1, [EventKind::cancel(1)]);
    assert_eq!(
        (punished(&outcome), bench.joined(1), bench.joined(2)),
        (vec![], None, Some(at(0)))
    );
}

#[test]
fn law_4_when_a_party_leaves_every_member_is_free() {
    let settings = QueueSettings {
        queues: [(String::new(), vec![2, 2])].into(),
        cooldowns: Vec::new(),
        ..asking()
    };
    let mut bench = Bench::new(settings, pairs(&windows(&[rating(50.0, 0.0)])));
    let party = |id: u64| Ticket::of(id, [10 * id, 10 * id + 1]).with("rating", 0.0);
    let alone = |id: u64, player: u64| Ticket::of(id, [player, 1000 + id]).with("rating", 900.0 * id as f64);
    bench.step(0, [create(party(1)), create(party(2))]);
    // One of party 1 accepts, one does not answer, nor does party 2.
    bench.step(1, [accept(1, 10)]);
    let outcome = bench.step(10_000, []);
    assert!(outcome.decisions.contains(&Decision::Left {
        ticket: TicketId(1),
        reason: LeaveReason::TimedOut
    }));
    for (id, member) in (50..).zip([10, 11, 20, 21]) {
        assert_eq!(bench.state.ticket_of(PlayerId(member)), None);
        assert_eq!(bench.refusal(10_001, create(alone(id, member))), None);
        assert_eq!(bench.refusal(10_001, EventKind::cancel(id)), None);
        assert_eq!(bench.state.ticket_of(PlayerId(member)), None);
    }
}

#[test]
fn law_5_a_cancel_that_crosses_a_match_is_answered_and_duplicates_are_counted() {
    let mut bench = Bench::new(QueueSettings::default(), pairs(&windows(&[rating(50.0, 0.0)])));
    let events = bench.events([create(player(1, 0.0)), create(player(2, 0.0))]);
    step(&mut bench.state, &mut *bench.policy, at(0), &events).unwrap();
    let crossed = Refusal::IsMatched {
        ticket: TicketId(1),
        match_id: MatchId(1),
    };
    assert_eq!(bench.refusal(1, EventKind::cancel(1)), Some(crossed));
    let unknown = Refusal::UnknownTicket { ticket: TicketId(7) };
    assert_eq!(bench.refusal(1, EventKind::cancel(7)), Some(unknown));
    // Every event is answered, and the same numbers change nothing for as long as is stated.
    let outcome = step(&mut bench.state, &mut *bench.policy, at(300_000), &events).unwrap();
    assert_eq!(
        outcome.decisions,
        [0, 1].map(|event| Decision::Duplicate { event })
    );
    assert_eq!(bench.state.counters().duplicates, 2);
    assert_eq!(bench.state.counters().refused, 2);
    let mut late = player(3, 0.0);
    late.expires = Some(at(400_000));
    assert_eq!(bench.step(300_000, [create(late)]).wakeup, Some(at(400_000)));
    bench.step(400_000, []);
    assert_eq!((bench.state.counters().expired, bench.state.pool().len()), (1, 0));
}

#[test]
fn law_6_decisions_rebuild_the_state_and_the_policy_at_any_step() {
    let params = || PairsParams {
        prices: Some(PricesParams::of("rating", 1.0, 1.0)),
        ..PairsParams::default()
    };
    let mut bench = Bench::new(asking(), pairs(&params()));
    let mut journal: Vec<(Time, Vec<Event>, Outcome)> = Vec::new();
    for round in 0..60 {
        let kind = match round % 6 {
            4 => accept(round / 6, round - 2),
            5 => decline(round / 6, round - 3),
            _ => create(player(round, (round * 37 % 100) as f64)),
        };
        let (now, events) = (at(700 * round as i64), bench.events([kind]));
        let outcome = step(&mut bench.state, &mut *bench.policy, now, &events).unwrap();
        journal.push((now, events, outcome));
        let mut again = Bench::new(asking(), pairs(&params()));
        for (now, events, outcome) in &journal {
            follow(&mut again.state, &mut *again.policy, *now, events, outcome).unwrap();
        }
        assert!(again.state == bench.state);
        assert_eq!(again.policy.save(), bench.policy.save());
        let next = [&mut again, &mut bench].map(|one| one.policy.next_time(one.state.pool(), now));
        assert_eq!(next[0], next[1]);
    }
    assert!(journal.iter().any(|entry| entry.2.proposals().count() > 0));
}

#[test]
fn law_7_among_equals_the_oldest_is_served_whatever_its_number_rating_or_place() {
    for order in [[1, 2, 3], [3, 2, 1], [2, 3, 1], [900, 5, 77]] {
        for rating_of_second in [10.0, -10.0] {
            let mut bench = Bench::new(QueueSettings::default(), pairs(&windows(&[rating(50.0, 0.0)])));
            let [first, second, third] = order;
            bench.step(0, [create(player(first, 1000.0))]);
            bench.step(1, [create(player(second, 1000.0 + 2000.0 * rating_of_second))]);
            bench.step(2, [EventKind::Pause(String::new())]);
            // Equally near to both of the same rating.
            bench.step(
                3,
                [
                    create(player(third, 1000.0)),
                    create(player(order[0] + 9000, 1000.0)),
                ],
            );
            let mut expected = vec![first, third.min(order[0] + 9000)];
            let mut found = bench.matches(4, [EventKind::Resume(String::new())]).concat();
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected);
        }
    }
}

#[test]
fn law_8_a_join_never_resets_the_clocks_of_others() {
    let mut bench = Bench::new(QueueSettings::default(), pairs(&windows(&[rating(0.0, 1.0)])));
    bench.step(0, [create(player(1, 0.0))]);
    assert_eq!(bench.step(0, [create(player(2, 10.0))]).wakeup, Some(at(10_000)));
    for place in 0..9 {
        let outcome = bench.step(
            1000 + place,
            [create(player(10 + place as u64, 1000.0 * (1 + place) as f64))],
        );
        assert_eq!(outcome.wakeup, Some(at(10_000)));
        assert_eq!(bench.joined(1), Some(at(0)));
    }
    // A party that changes keeps its clock too.
    let players = Ticket::of(0, [77]).players;
    let edit = EventKind::Edit {
        ticket: TicketId(2),
        players,
    };
    assert_eq!(bench.step(5000, [edit]).wakeup, Some(at(10_000)));
    assert_eq!(bench.matches(10_000, []), [[1, 2]]);
}

#[test]
fn law_9_every_queue_is_asked_and_the_oldest_ticket_goes_first_where_two_want_it() {
    let one = |queue: &str| Box::new(Pairs::new(queue, windows(&[rating(50.0, 0.0)]).build().unwrap()));
    let settings = QueueSettings {
        queues: ["a", "b", "c"].map(|name| (name.to_owned(), vec![1, 1])).into(),
        ..QueueSettings::default()
    };
    let set = || {
        PolicySet::default()
            .with("a", one("a"))
            .with("b", one("b"))
            .with("c", one("c"))
    };
    let mut bench = Bench::new(settings.clone(), Box::new(set()));
    let ticket = |id: u64, queues: &[&str]| create(player(id, 0.0).in_queues(queues));
    let pauses = ["a", "b", "c"].map(|name| EventKind::Pause(name.to_owned()));
    bench.step(0, pauses);
    // 1 could play with 2 in `a`, or with 3 in `b`; 4 and 5 in `c`; 6 and 7 in `a` or `b`.
    bench.step(1, [ticket(1, &["b"])]);
    bench.step(
        2,
        [
            ticket(2, &["a", "b"]),
            ticket(3, &["a"]),
            ticket(4, &["c"]),
            ticket(5, &["c"]),
        ],
    );
    let resumes = ["a", "b", "c"].map(|name| EventKind::Resume(name.to_owned()));
    let outcome = bench.step(3, resumes);
    let queues: Vec<&str> = outcome.matches().map(|made| &*made.lobby.queue).collect();
    assert_eq!(
        (made(&outcome), queues),
        (vec![vec![1, 2], vec![4, 5]], vec!["b", "c"])
    );
    // The same age: the queue's name decides.
    let both = bench.step(4, [ticket(6, &["b", "a"]), ticket(7, &["b", "a"])]);
    assert_eq!(&*both.matches().next().unwrap().lobby.queue, "a");
    // A queue that wants no more than others is not starved by a small budget.
    let mut small = Bench::new(settings, Box::new(set()));
    let events = small.events([
        ticket(1, &["c"]),
        ticket(2, &["c"]),
        ticket(3, &["a"]),
        ticket(4, &["a"]),
    ]);
    let (state, policy) = (&mut small.state, &mut *small.policy);
    let mut queues = Vec::new();
    let mut events = &events[..];
    for _ in 0..3 {
        let outcome = step_within(state, policy, at(0), events, Budget::new(6)).unwrap();
        queues.extend(outcome.matches().map(|made| made.lobby.queue.to_string()));
        events = &[];
    }
    queues.sort_unstable();
    assert_eq!(queues, ["a", "c"]);
}

#[test]
fn law_10_the_best_of_all_are_matched_when_their_longest_wait_is_over() {
    let params = PairsParams {
        longest_wait: Some(60.0),
        ..windows(&[WindowParams {
            most: Some(100.0),
            ..rating(50.0, 5.0)
        }])
    };
    let mut bench = Bench::new(QueueSettings::default(), pairs(&params));
    assert_eq!(bench.policy.liveness(), Some(60.0));
    bench.step(0, [create(player(0, 9000.0))]);
    for second in 1..60 {
        // Many come, far below, and are matched among each other.
        let others = [2 * second, 2 * second + 1].map(|id| create(player(id, 1500.0)));
        assert_eq!(bench.matches(1000 * second as i64, others).len(), 1);
    }
    let outcome = bench.step(59_999, [create(player(500, 1200.0))]);
    assert_eq!((made(&outcome).len(), outcome.wakeup), (0, Some(at(60_000))));
    assert_eq!(bench.matches(60_000, []), [[0, 500]]);
}
