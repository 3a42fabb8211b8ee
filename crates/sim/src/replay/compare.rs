//! [`compare`]: whether one policy costs less than another on the same log, though neighbouring tickets depend on each
//! other.

use super::run::Replay;
use crate::statistics::{MeanTest, t_test};

/// Into so many blocks a log is cut.
const BLOCKS: usize = 20;

/// The difference of two policies' costs.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Comparison {
    /// The cost a player of the first less that of the second, with its error and test.
    pub test: MeanTest,
    /// Half the length of the 95 % interval around the difference.
    pub margin: f64,
    /// How many blocks of neighbouring tickets the error is from.
    pub blocks: usize,
}

/// Two replays of one log: the difference of the costs a player, paired by blocks of tickets that came one after the
/// other, over the n players of the tickets that have costs in both.
///
/// ```text
/// D = sum of (c1 - c2) / n,   z_b = (c1_b - c2_b - D n_b) / n
/// se^2 = B / (B - 1) sum z_b^2,   t with B - 1 degrees of freedom,   B = 20
/// ```
///
/// Matches join neighbours, so that the costs of single tickets are not independent; those of long blocks nearly are,
/// and a block shares its players' luck under both policies.
///
/// Law and Kelton, "Simulation Modeling and Analysis", 3rd edition 2000, section 9.5.3 (batch means).
///
/// NaN errors where fewer than 4 tickets have costs in both or the replays are not of one log. O(n).
#[must_use]
pub fn compare(first: &Replay, second: &Replay) -> Comparison {
    let both = first.tickets.iter().zip(&second.tickets);
    let common: Vec<(f64, f64)> = both
        .filter_map(|(one, other)| Some((one.costs?.total() - other.costs?.total(), one.players as f64)))
        .collect();
    let players: f64 = common.iter().map(|ticket| ticket.1).sum();
    let mean = common.iter().map(|ticket| ticket.0).sum::<f64>() / players;
    let tickets = common.len();
    let blocks = BLOCKS.min(tickets / 2);
    let square = |block: usize| {
        let block = &common[block * tickets / blocks..(block + 1) * tickets / blocks];
        let above = block.iter().map(|ticket| ticket.0 - mean * ticket.1);
        (above.sum::<f64>() / players).powi(2)
    };
    let degrees = blocks as f64 - 1.0;
    let is_one_log = first.tickets.len() == second.tickets.len() && blocks > 1;
    let error = if is_one_log {
        ((0..blocks).map(square).sum::<f64>() * blocks as f64 / degrees).sqrt()
    } else {
        f64::NAN
    };
    let test = t_test(mean, error, degrees);
    Comparison {
        test,
        margin: test.margin(0.95),
        blocks,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, standard_normal, stream};
    use crate::replay::keep_common;
    use crate::replay::run::{Costs, Fate, ReplayedTicket};
    use matchwright_queue::TicketId;
    use std::collections::BTreeMap;

    fn replay(costs: impl IntoIterator<Item = f64>) -> Replay {
        let ticket = |(id, waiting): (u64, f64)| ReplayedTicket {
            ticket: TicketId(id),
            players: 1,
            fate: Fate::Waits,
            waited: 0.0,
            costs: Some(Costs {
                waiting,
                ..Costs::default()
            }),
        };
        Replay {
            tickets: (0..).zip(costs).map(ticket).collect(),
            matches: Vec::new(),
            why: Vec::new(),
            refusals: BTreeMap::new(),
            failures: BTreeMap::new(),
            steps: 0,
            events: 0,
        }
    }

    #[test]
    fn a_replay_does_not_differ_from_itself() {
        let one = replay([1.0, 5.0, 2.0, 3.0, 9.0]);
        let compared = compare(&one, &one);
        assert_eq!(
            (
                compared.test.difference,
                compared.test.standard_error,
                compared.blocks
            ),
            (0.0, 0.0, 2)
        );
    }

    #[test]
    fn a_ticket_without_costs_under_one_policy_counts_under_neither() {
        let (mut first, second) = (replay([1.0, 5.0, 2.0, 3.0, 9.0]), replay([2.0; 5]));
        first.tickets[4].costs = None;
        assert_eq!(compare(&first, &second).test.difference, 0.75);
        let mut both = [first, second];
        keep_common(&mut both);
        assert_eq!(
            both.each_ref().map(Replay::cost_per_player),
            [Some(2.75), Some(2.0)]
        );
    }

    #[test]
    fn too_short_a_log_has_no_interval() {
        let compared = compare(&replay([1.0, 2.0]), &replay([2.0, 2.0]));
        assert_eq!(compared.test.difference, -0.5);
        assert!(compared.margin.is_nan());
    }

    /// Costs that are alike within runs of 20 tickets, as those of neighbours are.
    #[test]
    fn the_interval_holds_the_difference_as_often_as_it_says_though_neighbours_are_alike() {
        let mut held = 0;
        for seed in 0..400 {
            let mut random = stream(seed, Purpose::Traits, 0, 0);
            let mut costs = |mean: f64| {
                let levels: Vec<f64> = (0..200).map(|_| mean + standard_normal(&mut random)).collect();
                replay((0..4000).map(|at| levels[at / 20]).collect::<Vec<f64>>())
            };
            let compared = compare(&costs(10.3), &costs(10.0));
            held += usize::from((compared.test.difference - 0.3).abs() <= compared.margin);
        }
        // 95 % of 400, within 4 standard errors.
        assert!((363..=397).contains(&held), "{held}");
    }
}
