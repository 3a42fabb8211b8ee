//! [`compare`]: whether one policy costs less than another on the same log, though neighbouring tickets depend on each
//! other.

use super::log::TicketLog;
use super::run::{Fate, Replay, ReplayedTicket};
use crate::statistics::{MeanTest, Summary, t_test};

/// A log is cut into at least, and at most, this many blocks: an interval from two is a dozen times as long.
const BLOCKS: [usize; 2] = [3, 20];
/// Mean waits in a block: tickets this far apart share no matches.
const WAITS: f64 = 10.0;

/// The difference of two policies' costs.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Comparison {
    /// The cost a player of the first less that of the second, with its error and test.
    pub test: MeanTest,
    /// Half the length of the 95 % interval around the difference; NaN where there is none.
    pub margin: f64,
    /// How many blocks of neighbouring tickets the error is from, or as many as there are if they are too few.
    pub blocks: usize,
    /// The mean wait of the tickets under both policies, seconds.
    pub mean_wait: f64,
    /// From the first ticket to the last, seconds; a gap longer than ten waits counts as ten.
    pub seconds: f64,
    /// Why there is no interval, if there is none.
    pub no_interval: Option<NoInterval>,
}

/// Why a difference has no interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoInterval {
    /// The log is shorter than three blocks of ten mean waits.
    ShortLog,
    /// The difference is the same in all blocks, which do not tell how much others would differ.
    BlocksAgree,
}

/// Two replays of a log: the difference of the costs a player, paired by blocks of tickets that came one after the other,
/// over the n players of the tickets that have costs in both.
///
/// ```text
/// D = sum of (c1 - c2) / n,   z_b = (c1_b - c2_b - D n_b) / n
/// se^2 = B / (B - 1) sum z_b^2,   t with B - 1 degrees of freedom
/// B = as many as ten mean waits fit into the log, 20 at most;   fewer than 3: no interval
/// ```
///
/// Matches join neighbours, so that the costs of single tickets are not independent; those of long blocks nearly are,
/// and a block shares its players' luck under both policies. Blocks have as many tickets each. What rises or falls over
/// the whole log counts as error: learned prices drift otherwise in another log.
///
/// Law and Kelton, "Simulation Modeling and Analysis", 3rd edition 2000, section 9.5.3 (batch means).
///
/// NaN errors where there is no interval, or the replays are not of the log. O(n).
#[must_use]
pub fn compare(log: &TicketLog, first: &Replay, second: &Replay) -> Comparison {
    let both: Vec<(&ReplayedTicket, &ReplayedTicket)> = first.tickets.iter().zip(&second.tickets).collect();
    let common: Vec<(f64, f64)> = both
        .iter()
        .filter_map(|(one, other)| Some((one.costs?.total() - other.costs?.total(), one.players as f64)))
        .collect();
    let players: f64 = common.iter().map(|ticket| ticket.1).sum();
    let mean = common.iter().map(|ticket| ticket.0).sum::<f64>() / players;
    let admitted = both.iter().flat_map(|(one, other)| [*one, *other]);
    let mean_wait = Summary::of(
        admitted
            .filter(|ticket| ticket.fate != Fate::Refused && !ticket.waited.is_nan())
            .map(|ticket| ticket.waited),
    )
    .mean();
    let block = WAITS * mean_wait;
    let longest_gap = if block > 0.0 { block } else { f64::INFINITY };
    let gaps = log.tickets().windows(2);
    let gaps = gaps.map(|two| two[1].came.seconds_since(two[0].came).min(longest_gap));
    let seconds: f64 = gaps.sum();
    let [least, most] = BLOCKS;
    let most = most.min(common.len() / 2);
    let fits = |blocks: &usize| *blocks as f64 * block <= seconds;
    let blocks = (1..=most).rev().find(fits).unwrap_or(0);
    let is_one_log = [first, second]
        .iter()
        .all(|replay| replay.tickets.len() == log.len());
    let error = if blocks < least || !is_one_log {
        f64::NAN
    } else {
        error_by_blocks(&common, (mean, players), blocks)
    };
    // But for rounding.
    let agree = error <= 1e-12 * mean.abs();
    let no_interval = match (blocks < least, agree) {
        (true, _) => Some(NoInterval::ShortLog),
        (_, true) => Some(NoInterval::BlocksAgree),
        _ => None,
    };
    let test = t_test(mean, if agree { f64::NAN } else { error }, blocks as f64 - 1.0);
    Comparison {
        test,
        margin: test.margin(0.95),
        blocks,
        mean_wait,
        seconds,
        no_interval,
    }
}

/// The error of this mean over this many players, from the differences and players of tickets in their order.
fn error_by_blocks(tickets: &[(f64, f64)], (mean, players): (f64, f64), blocks: usize) -> f64 {
    let square = |block: usize| {
        let [from, to] = [block, block + 1].map(|end| end * tickets.len() / blocks);
        let above = tickets[from..to].iter().map(|ticket| ticket.0 - mean * ticket.1);
        (above.sum::<f64>() / players).powi(2)
    };
    let count = blocks as f64;
    ((0..blocks).map(square).sum::<f64>() * count / (count - 1.0)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, standard_normal, stream};
    use crate::replay::keep_common;
    use crate::replay::log::LoggedTicket;
    use crate::replay::run::Costs;
    use matchwright_queue::{Ticket, TicketId, Time};

    /// A ticket each second, all of which wait this long.
    fn replay(waited: f64, costs: impl IntoIterator<Item = f64>) -> Replay {
        let ticket = |(id, waiting): (u64, f64)| ReplayedTicket {
            ticket: TicketId(id),
            players: 1,
            fate: Fate::Waits,
            waited,
            costs: Some(Costs {
                waiting,
                ..Costs::default()
            }),
        };
        Replay {
            tickets: (0..).zip(costs).map(ticket).collect(),
            ..Replay::default()
        }
    }

    fn log(tickets: u64) -> TicketLog {
        let ticket = |id: u64| LoggedTicket {
            ticket: Ticket::of_one(id, id),
            came: Time::from_millis(1000 * i64::try_from(id).unwrap()),
            left: None,
            matched: None,
        };
        TicketLog::new((0..tickets).map(ticket).collect()).unwrap()
    }

    #[test]
    fn blocks_that_agree_give_no_interval() {
        let costs = [1.0, 5.0, 2.0, 3.0, 9.0, 4.0];
        let one = replay(0.1, costs);
        let other = replay(0.1, costs.map(|cost| cost - 2.0));
        for (second, difference) in [(&one, 0.0), (&other, 2.0)] {
            let compared = compare(&log(6), &one, second);
            assert_eq!((compared.test.difference, compared.blocks), (difference, 3));
            assert_eq!(compared.no_interval, Some(NoInterval::BlocksAgree));
            assert!(compared.margin.is_nan());
        }
    }

    #[test]
    fn a_ticket_without_costs_under_one_policy_counts_under_neither() {
        let costs = [1.0, 5.0, 2.0, 3.0, 9.0];
        let (mut first, second) = (replay(0.0, costs), replay(0.0, [2.0; 5]));
        first.tickets[4].costs = None;
        assert_eq!(compare(&log(5), &first, &second).test.difference, 0.75);
        let mut both = [first, second];
        keep_common(&mut both);
        assert_eq!(
            both.each_ref().map(Replay::cost_per_player),
            [Some(2.75), Some(2.0)]
        );
    }

    /// 99 s are three blocks of ten waits of 3.3 s and no more; a long gap in the log makes them no longer.
    #[test]
    fn blocks_are_ten_waits_long_and_a_log_of_fewer_than_three_has_no_interval() {
        let of = |waited: f64, log: &TicketLog| {
            let costs = (0..100).map(|at| f64::from(at % 7));
            let compared = compare(log, &replay(waited, costs), &replay(waited, [0.0; 100]));
            assert_eq!(compared.margin.is_nan(), compared.no_interval.is_some());
            (compared.blocks, compared.no_interval)
        };
        let plain = log(100);
        assert_eq!(of(0.0, &plain), (20, None));
        assert_eq!(of(0.5, &plain), (19, None));
        assert_eq!(of(3.3, &plain), (3, None));
        assert_eq!(of(3.4, &plain), (2, Some(NoInterval::ShortLog)));
        let mut tickets = plain.tickets().to_vec();
        for late in &mut tickets[99..] {
            late.came = Time::from_millis(1_000_000_000);
        }
        assert_eq!(of(4.0, &TicketLog::new(tickets).unwrap()).0, 3);
        let short = compare(&log(2), &replay(0.0, [1.0, 2.0]), &replay(0.0, [2.0, 2.0]));
        assert_eq!(
            (short.test.difference, short.no_interval),
            (-0.5, Some(NoInterval::ShortLog))
        );
    }

    /// Costs that are alike within runs of 20 tickets, as those of neighbours are.
    #[test]
    fn the_interval_holds_the_difference_as_often_as_it_says_though_neighbours_are_alike() {
        let log = log(4000);
        let mut held = 0;
        for seed in 0..400 {
            let mut random = stream(seed, Purpose::Traits, 0, 0);
            let mut costs = |mean: f64| {
                let levels: Vec<f64> = (0..200).map(|_| mean + standard_normal(&mut random)).collect();
                replay(20.0, (0..4000).map(|at| levels[at / 20]).collect::<Vec<f64>>())
            };
            let compared = compare(&log, &costs(10.3), &costs(10.0));
            held += usize::from((compared.test.difference - 0.3).abs() <= compared.margin);
        }
        // 95 % of 400, within 4 standard errors.
        assert!((363..=397).contains(&held), "{held}");
    }
}
