//! The longest wait that a policy allows holds at the bound, for the best of the ladder too.

use matchwright_queue::{
    Accept, Compare, MatchPolicy, PairsParams, PolicySet, PricesParams, QueueSettings, TicketId, WindowParams,
};

use crate::bench::{Bench, at, create, made, pairs, player, rating, windows};

const RANGE: f64 = 3000.0;

/// Newcomers a second, the last one at the far end of the ladder when the bound is reached: the best ticket is matched
/// then, and would not have been a millisecond before.
fn is_tight(params: &PairsParams, bound: i64) {
    assert_eq!(pairs(params).liveness(), Some(bound as f64 / 1000.0));
    let mut bench = Bench::new(QueueSettings::default(), pairs(params));
    bench.step(0, [create(player(0, RANGE))]);
    assert_eq!(
        bench.matches(bound - 1, [create(player(1, 0.0))]),
        Vec::<Vec<u64>>::new()
    );
    assert_eq!(bench.matches(bound, []), [[0, 1]]);
    // Someone came later than the bound: at once.
    bench.step(bound, [create(player(2, RANGE))]);
    assert_eq!(bench.matches(2 * bound + 5, [create(player(3, 0.0))]), [[2, 3]]);
}

#[test]
fn the_bound_is_kept_to_the_millisecond_by_the_best_of_the_ladder() {
    let grown = WindowParams {
        range: Some(RANGE),
        most: Some(RANGE),
        ..rating(200.0, 40.0)
    };
    let either = PairsParams {
        accept: Accept::Either,
        ..windows(std::slice::from_ref(&grown))
    };
    is_tight(&either, 70_000);
    let stepped = WindowParams {
        range: Some(RANGE),
        start: 100.0,
        steps: vec![(30.0, 900.0), (45.0, 3000.0)],
        ..WindowParams::of("rating")
    };
    is_tight(
        &PairsParams {
            accept: Accept::Either,
            ..windows(&[stepped])
        },
        45_000,
    );
    // Lifted windows: under every kind of acceptance, and sooner than they grow.
    for accept in [Accept::Both, Accept::Either, Accept::Sum] {
        let lifted = PairsParams {
            accept,
            longest_wait: Some(20.0),
            ..windows(&[WindowParams {
                most: Some(500.0),
                ..rating(50.0, 1.0)
            }])
        };
        is_tight(&lifted, 20_000);
    }
}

#[test]
fn the_sum_of_both_widths_and_prices_are_bounded_by_one_sides_growth() {
    let grown = WindowParams {
        range: Some(RANGE),
        ..rating(0.0, 50.0)
    };
    let sum = PairsParams {
        accept: Accept::Sum,
        ..windows(&[grown])
    };
    // .3 of 1 a second against a range of 3000 at a weight of 1; after a longest wait all of it.
    let prices = |longest_wait, waiting: &[(f64, f64)]| PairsParams {
        prices: Some(PricesParams {
            range: Some(RANGE),
            waiting: waiting.to_vec(),
            ..PricesParams::of("rating", 1.0, 1.0)
        }),
        longest_wait,
        ..PairsParams::default()
    };
    let second = [(1.0, 1.0)];
    // 6 a second until 100 s, 3 after that: .3 x 360 + 240 + 3 x 884, and .3 x 900 + 3 x 910.
    let bent = [(100.0, 600.0), (101.0, 603.0)];
    for (params, bound) in [
        (sum, 60_000),
        (prices(None, &second), 10_000_000),
        (prices(Some(600.0), &second), 3_420_000),
        (prices(Some(60.0), &bent), 984_000),
        (prices(Some(200.0), &bent), 1_110_000),
        // A wait of which no number holds the cost.
        (prices(Some(1e300), &second), 10_000_000),
    ] {
        assert_eq!(pairs(&params).liveness(), Some(bound as f64 / 1000.0));
        let mut bench = Bench::new(QueueSettings::default(), pairs(&params));
        bench.step(0, [create(player(0, RANGE))]);
        assert_eq!(bench.matches(bound, [create(player(1, 0.0))]), [[0, 1]]);
    }
}

#[test]
fn there_is_no_bound_where_a_window_may_never_open() {
    let grown = || WindowParams {
        range: Some(RANGE),
        ..rating(0.0, 50.0)
    };
    let ping = WindowParams {
        start: 100.0,
        compare: Compare::Ping,
        ..WindowParams::of("")
    };
    let capped = WindowParams {
        most: Some(RANGE - 1.0),
        ..grown()
    };
    let either = |of: &[WindowParams]| PairsParams {
        accept: Accept::Either,
        ..windows(of)
    };
    // A handshake: the others may always be newer. A range that is not known, or not reached. Pings have no range.
    for params in [
        windows(&[grown()]),
        either(&[rating(0.0, 50.0)]),
        either(&[capped]),
        either(&[grown(), ping.clone()]),
    ] {
        assert_eq!(pairs(&params).liveness(), None);
    }
    // Prices lift no window but pings, and pings not without a longest wait.
    let prices = |range, longest_wait, windows: &[WindowParams]| PairsParams {
        prices: Some(PricesParams {
            range,
            ..PricesParams::of("rating", 1.0, 1.0)
        }),
        longest_wait,
        windows: windows.to_vec(),
        ..PairsParams::default()
    };
    let pings = std::slice::from_ref(&ping);
    for (range, longest_wait, windows, bound) in [
        (None, Some(600.0), &[][..], None),
        (Some(RANGE), None, pings, None),
        (Some(RANGE), Some(600.0), pings, Some(3420.0)),
        (Some(3.0), Some(600.0), pings, Some(600.0)),
    ] {
        assert_eq!(pairs(&prices(range, longest_wait, windows)).liveness(), bound);
    }
    assert_eq!(pairs(&windows(&[])).liveness(), Some(0.0));
    let two = PolicySet::default()
        .with("a", pairs(&either(&[grown()])))
        .with("b", pairs(&windows(&[])));
    assert_eq!(two.liveness(), Some(60.0));
    assert_eq!(two.with("c", pairs(&windows(&[grown()]))).liveness(), None);
}

#[test]
fn with_prices_an_overdue_ticket_is_not_matched_at_any_cost() {
    let mut params = PairsParams {
        prices: Some(PricesParams::of("rating", 1.0, 1.0)),
        longest_wait: Some(60.0),
        ..PairsParams::default()
    };
    // Each side pays .3 of 60 s and all that it waits then: 2 (18 + w - 60) = 3000.
    let due = 1_542_000;
    for with_ping in [false, true] {
        if with_ping {
            // Out of the window on pings, which does not count after 60 s.
            params.windows = vec![WindowParams {
                start: 5.0,
                compare: Compare::Ping,
                ..WindowParams::of("")
            }];
        }
        let mut bench = Bench::new(QueueSettings::default(), pairs(&params));
        let ticket = |id: u64, at: f64| create(player(id, at).with_region("eu", 10.0));
        bench.step(0, [ticket(1, 0.0), ticket(2, 3000.0)]);
        let outcome = bench.step(60_000, []);
        assert_eq!((made(&outcome).len(), outcome.wakeup), (0, Some(at(due))));
        assert_eq!(bench.matches(due - 1, []), Vec::<Vec<u64>>::new());
        let why = bench.policy.why(bench.state.pool(), TicketId(1), at(due - 1));
        assert_eq!((why.rejections.len(), why.earliest), (1, Some(at(due))));
        assert!(why.rejections.contains_key("rating"), "{why:?}");
        assert_eq!(bench.matches(due, []), [[1, 2]]);
    }
    // Two who fit but for the ping play as soon as that does not count.
    let mut bench = Bench::new(QueueSettings::default(), pairs(&params));
    let ticket = |id: u64| create(player(id, 0.0).with_region("eu", 10.0));
    bench.step(0, [ticket(1), ticket(2)]);
    assert_eq!(bench.matches(59_999, []), Vec::<Vec<u64>>::new());
    assert_eq!(bench.matches(60_000, []), [[1, 2]]);
}
