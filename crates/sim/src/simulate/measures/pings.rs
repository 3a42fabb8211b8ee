//! Pings of a match: to its region, or between opponents where it runs on the players' machines.

use std::collections::BTreeMap;

use matchwright_queue::{Ticket, Value};

/// The pings of a ticket's players that are known.
fn pings(ticket: &Ticket) -> impl Iterator<Item = &BTreeMap<String, f64>> {
    ticket
        .players
        .iter()
        .filter_map(|member| match member.attributes.get("pings") {
            Some(Value::Numbers(pings)) => Some(pings),
            _ => None,
        })
}

/// The mean ping of a ticket's players to all opponents, whose packets meet in the region where they get there soonest;
/// `None` where nobody's pings are known. O(pairs times regions).
pub(super) fn to_opponents(ticket: &Ticket, team: usize, teams: &[Vec<&Ticket>]) -> Option<f64> {
    let enemies = || {
        let others = teams.iter().enumerate().filter(move |(other, _)| *other != team);
        others
            .flat_map(|(_, tickets)| tickets)
            .flat_map(|ticket| pings(ticket))
    };
    let (mut sum, mut count) = (0.0, 0.0);
    for own in pings(ticket) {
        for other in enemies() {
            let sums = own
                .iter()
                .filter_map(|(region, ping)| Some(ping + other.get(region)?));
            let least = sums.fold(f64::INFINITY, f64::min);
            if least.is_finite() {
                (sum, count) = (sum + least, count + 1.0);
            }
        }
    }
    (count > 0.0).then(|| sum / count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticket(id: u64, pings: &[&[(&str, f64)]]) -> Ticket {
        let mut ticket = Ticket::of(id, (10 * id)..(10 * id + pings.len() as u64));
        for (member, pings) in ticket.players.iter_mut().zip(pings) {
            let pings = pings.iter().map(|(name, ping)| ((*name).to_owned(), *ping));
            let pings = Value::Numbers(pings.collect());
            member.attributes.insert("pings".to_owned(), pings);
        }
        ticket
    }

    #[test]
    fn packets_of_opponents_meet_where_the_way_is_shortest() {
        let eu: &[(&str, f64)] = &[("eu", 20.0), ("na", 100.0)];
        let na: &[(&str, f64)] = &[("eu", 110.0), ("na", 30.0)];
        let (pair, single, other) = (ticket(1, &[eu, na]), ticket(2, &[eu]), ticket(3, &[na]));
        let teams = [vec![&pair], vec![&single, &other]];
        // 40 and 130 of the European player, 130 and 60 of the other.
        assert_eq!(to_opponents(&pair, 0, &teams), Some(90.0));
        assert_eq!(to_opponents(&single, 1, &teams), Some(85.0));
        assert_eq!(to_opponents(&pair, 0, &[vec![&pair], Vec::new()]), None);
        assert_eq!(to_opponents(&ticket(4, &[]), 0, &teams), None);
    }
}
