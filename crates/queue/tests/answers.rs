//! No answer is lost: who asks again is told the same, who cancels late is told of the match, and who asked is blamed.

use matchwright_queue::{
    Answer, Decision, EndReason, Event, EventId, EventKind, MatchId, PlayerId, QueueSettings, Refusal,
    Ticket, TicketId, step,
};

use crate::bench::{Bench, accept, asking, at, create, pairs, player, punished, rating, windows};

fn bench(settings: QueueSettings) -> Bench {
    Bench::new(settings, pairs(&windows(&[rating(50.0, 0.0)])))
}

fn cancel(ticket: u64, by: u64) -> EventKind {
    EventKind::Cancel {
        ticket: TicketId(ticket),
        by: Some(PlayerId(by)),
    }
}

#[test]
fn an_event_that_is_sent_again_has_the_same_answer_while_it_is_remembered() {
    let mut bench = bench(QueueSettings::default());
    let bad = Event::create(7, Ticket::of(1, []));
    let refused = Answer::Refused(Box::new(Refusal::NoPlayers));
    for millis in [0, 10] {
        step(
            &mut bench.state,
            &mut *bench.policy,
            at(millis),
            std::slice::from_ref(&bad),
        )
        .unwrap();
        assert_eq!(bench.state.answer(EventId(7)), Some(&refused));
    }
    let good = Event::create(8, player(1, 0.0));
    step(&mut bench.state, &mut *bench.policy, at(20), &[good]).unwrap();
    assert_eq!(bench.state.answer(EventId(8)), Some(&Answer::Followed));
    assert_eq!(bench.state.answer(EventId(9)), None);
    // To the millisecond, whatever is freed when.
    step(&mut bench.state, &mut *bench.policy, at(300_000), &[]).unwrap();
    assert_eq!(bench.state.answer(EventId(7)), Some(&refused));
    step(&mut bench.state, &mut *bench.policy, at(300_001), &[]).unwrap();
    assert_eq!(bench.state.answer(EventId(7)), None);
    assert!(bench.state.has_seen(EventId(8)));
}

#[test]
fn a_cancel_is_held_against_who_asked_for_it_and_against_nobody_otherwise() {
    let party = || Ticket::of(1, [1, 10]).with("rating", 0.0);
    let settings = QueueSettings {
        queues: [(String::new(), vec![2, 1])].into(),
        ..asking()
    };
    for (event, blamed) in [(cancel(1, 10), vec![10]), (EventKind::cancel(1), vec![])] {
        let mut bench = bench(settings.clone());
        bench.step(0, [create(party()), create(player(2, 0.0))]);
        let outcome = bench.step(1, [event]);
        assert_eq!(punished(&outcome), blamed);
        let ended = |decision: &Decision| {
            matches!(
                decision,
                Decision::Ended {
                    reason: EndReason::Cancelled,
                    ..
                }
            )
        };
        assert!(outcome.decisions.iter().any(ended));
        assert_eq!((bench.joined(1), bench.joined(2)), (None, Some(at(0))));
    }
    let mut bench = bench(settings);
    bench.step(0, [create(party())]);
    let (ticket, player) = (TicketId(1), PlayerId(2));
    assert_eq!(
        bench.refusal(1, cancel(1, 2)),
        Some(Refusal::NotInTicket { ticket, player })
    );
    assert_eq!(bench.joined(1), Some(at(0)));
}

#[test]
fn a_match_is_told_until_it_is_confirmed_and_a_late_cancel_is_told_of_it_after_that() {
    let mut bench = bench(QueueSettings::default());
    bench.step(0, [create(player(1, 0.0)), create(player(2, 0.0))]);
    bench.step(10, [create(player(3, 0.0)), create(player(4, 0.0))]);
    let recent = |bench: &Bench| {
        bench
            .state
            .recent_matches()
            .map(|made| made.id.0)
            .collect::<Vec<u64>>()
    };
    assert_eq!(recent(&bench), [1, 2]);
    assert_eq!(bench.refusal(20, EventKind::Confirm(MatchId(1))), None);
    assert_eq!(recent(&bench), [2]);
    let unknown = Some(Refusal::UnknownMatch { match_id: MatchId(1) });
    for kind in [EventKind::Confirm(MatchId(1)), EventKind::FailMatch(MatchId(1))] {
        assert_eq!(bench.refusal(30, kind), unknown);
    }
    // The payload of the other one goes by itself, the numbers of both are remembered for longer.
    bench.step(60_010, []);
    assert_eq!(recent(&bench), [0; 0]);
    let (ticket, match_id) = (TicketId(1), MatchId(1));
    let matched = Some(Refusal::IsMatched { ticket, match_id });
    assert_eq!(bench.refusal(300_000, EventKind::cancel(1)), matched);
    let gone = Some(Refusal::UnknownTicket { ticket });
    assert_eq!(bench.refusal(300_001, EventKind::cancel(1)), gone);
}

#[test]
fn an_answer_that_comes_after_the_deadline_in_the_same_step_is_too_late() {
    let mut bench = bench(asking());
    bench.step(0, [create(player(1, 0.0)), create(player(2, 0.0))]);
    bench.step(1, [accept(1, 1)]);
    assert!(bench.refusal(10_000, accept(1, 2)).is_some());
    assert_eq!((bench.joined(1), bench.joined(2)), (Some(at(0)), None));
}
