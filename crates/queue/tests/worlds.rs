//! The worlds in which streams of events run.

use matchwright_queue::{Accept, QueueSettings};

use crate::model::{ModelQueue, ModelWindow, Shape, World};

fn window(start: i64, shape: Shape) -> ModelWindow {
    ModelWindow {
        start,
        shape,
        per_deviation: 0,
        is_ping: false,
    }
}

fn queue(teams: &[usize], windows: &[ModelWindow], accept: Accept, longest_wait: Option<i64>) -> ModelQueue {
    ModelQueue {
        teams: teams.to_vec(),
        windows: windows.to_vec(),
        accept,
        longest_wait,
    }
}

/// Worlds of one set of queues each, between which policies change.
pub(crate) fn worlds(kind: usize) -> Vec<World> {
    let linear = |after, growth, most| Shape::Linear { after, growth, most };
    let rating = ModelWindow {
        per_deviation: 2,
        ..window(20, linear(0, 2, Some(150)))
    };
    let ping = ModelWindow {
        is_ping: true,
        ..window(40, linear(1000, 1, None))
    };
    let steps = window(30, Shape::Steps(vec![(3000, 60), (7500, 200)]));
    let curve = window(10, Shape::Curve(vec![(4096, 50), (12288, 400)]));
    let settings = QueueSettings {
        keys: vec!["mode".to_owned()],
        needs: vec!["rating".to_owned()],
        accept_within: Some(4000),
        cooldowns: vec![1500, 6000],
        forget_declines_after: 60_000,
        low_priority_after: Some(3),
        low_priority_for: 30_000,
        most_tickets: Some(24),
        remember: 10_000,
        fail_within: 5000,
        ..QueueSettings::default()
    };
    let at_once = QueueSettings {
        accept_within: None,
        keys: Vec::new(),
        ..settings.clone()
    };
    match kind {
        0 => vec![
            World::new(
                &[(
                    "",
                    queue(&[1, 1], &[rating.clone(), ping.clone()], Accept::Both, None),
                )],
                settings.clone(),
            ),
            World::new(
                &[("", queue(&[1, 1], &[rating], Accept::Either, Some(20_000)))],
                at_once,
            ),
            World::new(
                &[("", queue(&[1, 1], &[ping], Accept::Both, Some(9000)))],
                settings,
            ),
        ],
        1 => vec![
            World::new(
                &[("", queue(&[2, 2], &[steps], Accept::Both, Some(15_000)))],
                settings.clone(),
            ),
            World::new(
                &[("", queue(&[2, 1], &[curve, ping], Accept::Sum, None))],
                settings,
            ),
        ],
        _ => vec![
            World::new(
                &[
                    ("duel", queue(&[1, 1], &[rating, ping], Accept::Sum, Some(12_000))),
                    (
                        "pair",
                        queue(&[2, 2], std::slice::from_ref(&curve), Accept::Both, None),
                    ),
                    (
                        "wide",
                        queue(&[1, 1], std::slice::from_ref(&steps), Accept::Either, None),
                    ),
                ],
                settings.clone(),
            ),
            World::new(
                &[
                    ("duel", queue(&[1, 1], &[curve], Accept::Both, None)),
                    ("pair", queue(&[2, 2], &[steps], Accept::Either, Some(8000))),
                    ("wide", queue(&[1, 2], &[], Accept::Both, None)),
                ],
                at_once,
            ),
        ],
    }
}
