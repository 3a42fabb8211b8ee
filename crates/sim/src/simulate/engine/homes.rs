//! Where the players of a ticket live, as a service knows it: the regions that it accepts, and each player's pings.

use std::collections::BTreeMap;

use matchwright_queue::{Ticket, Value};

use crate::simulate::people::Party;
use crate::simulate::scenario::ScenarioParams;

/// Names regions, or tells each player's pings where matches run on the players' machines. A party that lives in two
/// regions accepts those that both do, with the worse of the two pings.
pub(super) fn place(ticket: &mut Ticket, party: &Party, params: &ScenarioParams) {
    let pings = |region: u16| &params.regions[usize::from(region)].pings;
    let home = pings(party.region);
    if !params.play.peer_to_peer {
        let accepted = party
            .away
            .map_or_else(|| home.clone(), |away| worse(home, pings(away)));
        ticket.regions = accepted.into_iter().collect();
    }
    if !params.play.peer_to_peer && party.away.is_none() {
        // The ticket's pings are those of all its players.
        return;
    }
    let last = ticket.players.len().saturating_sub(1);
    for (place, member) in ticket.players.iter_mut().enumerate() {
        let away = party.away.filter(|_| place == last);
        let region = away.unwrap_or(party.region);
        if !pings(region).is_empty() {
            let pings = Value::Numbers(pings(region).clone());
            member.attributes.insert("pings".to_owned(), pings);
        }
        if let Some(away) = away {
            let name = Value::Text(params.regions[usize::from(away)].name.clone());
            member.attributes.insert("region".to_owned(), name);
        }
    }
}

fn worse(one: &BTreeMap<String, f64>, other: &BTreeMap<String, f64>) -> BTreeMap<String, f64> {
    let both = one
        .iter()
        .filter_map(|(name, ping)| Some((name.clone(), ping.max(*other.get(name)?))));
    both.collect()
}
