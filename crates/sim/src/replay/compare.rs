//! [`compare`]: whether one policy costs less than another on the same log, though neighbouring tickets depend on each
//! other.

use super::run::{Fate, Replay};
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
/// other.
///
/// ```text
/// D = R1 - R2,   Rk = sum of costs / players,   z_b = (c1_b - R1 n1_b) / n1 - (c2_b - R2 n2_b) / n2
/// se^2 = B / (B - 1) sum z_b^2,   t with B - 1 degrees of freedom,   B = 20
/// ```
///
/// Matches join neighbours, so that the costs of single tickets are not independent; those of long blocks nearly are,
/// and a block shares its players' luck under both policies. Players of refused tickets do not count, hence the
/// linearised ratios.
///
/// Law and Kelton, "Simulation Modeling and Analysis", 3rd edition 2000, section 9.5.3 (batch means).
///
/// NaN errors where a log has fewer than 4 tickets or the replays are not of one log. O(n).
#[must_use]
pub fn compare(first: &Replay, second: &Replay) -> Comparison {
    let tickets = first.tickets.len().min(second.tickets.len());
    let blocks = BLOCKS.min(tickets / 2);
    let ratios = [first, second].map(|replay| (replay.cost_per_player(), replay.players().max(1) as f64));
    let part = |replay: &Replay, (ratio, players): (f64, f64), block: usize| {
        let (from, to) = (block * tickets / blocks, (block + 1) * tickets / blocks);
        let admitted = replay.tickets[from..to]
            .iter()
            .filter(|ticket| ticket.fate != Fate::Refused);
        admitted
            .map(|one| one.costs.total() - ratio * one.players as f64)
            .sum::<f64>()
            / players
    };
    let square = |block| (part(first, ratios[0], block) - part(second, ratios[1], block)).powi(2);
    let degrees = blocks as f64 - 1.0;
    let is_one_log = first.tickets.len() == second.tickets.len() && blocks > 1;
    let error = if is_one_log {
        ((0..blocks).map(square).sum::<f64>() * blocks as f64 / degrees).sqrt()
    } else {
        f64::NAN
    };
    let test = t_test(ratios[0].0 - ratios[1].0, error, degrees);
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
    use crate::replay::run::{Costs, ReplayedTicket};
    use matchwright_queue::TicketId;
    use std::collections::BTreeMap;

    fn replay(costs: impl IntoIterator<Item = f64>) -> Replay {
        let ticket = |(id, waiting): (u64, f64)| ReplayedTicket {
            ticket: TicketId(id),
            players: 1,
            fate: Fate::Waits,
            waited: 0.0,
            costs: Costs {
                waiting,
                ..Costs::default()
            },
        };
        Replay {
            tickets: (0..).zip(costs).map(ticket).collect(),
            matches: Vec::new(),
            why: Vec::new(),
            refusals: BTreeMap::new(),
            failures: BTreeMap::new(),
            steps: 0,
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
