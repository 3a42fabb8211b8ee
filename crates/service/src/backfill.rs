//! What requests for players in place of those who left a match do at the desk.

use std::collections::BTreeMap;

use matchwright_queue::{Backfill, MatchId, Value};
use serde::{Deserialize, Serialize};

use crate::admission::enter;
use crate::desk::Desk;
use crate::limits::{ID, check, check_count, check_player, check_text};
use crate::note::{NewMember, Note};
use crate::problem::Problem;
use crate::request::{NewPlayer, NewTicket, named_once, unknown};
use crate::settings::Settings;
use crate::view::Phase;

/// Who has left a match that is played, and what is known of those who stay.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewBackfill {
    /// Who has left: free to queue again. Those who are not in the match any more are passed over, so that a request can be sent again.
    #[serde(default)]
    pub left: Vec<String>,
    /// What is known of players who stay, where the policy looks at more than the store has; a string stands for one of whom nothing is said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub players: Vec<NewPlayer>,
    /// What is known of the match.
    #[serde(
        default,
        deserialize_with = "named_once",
        skip_serializing_if = "BTreeMap::is_empty"
    )]
    #[cfg_attr(feature = "http", schema(value_type = BTreeMap<String, Object>))]
    pub attributes: BTreeMap<String, Value>,
    /// For how many milliseconds others are looked for; without it, as long as the match lasts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_in: Option<i64>,
}

/// Players have left a match: the event of the ticket that looks for others; `None` where there is nothing new to look for.
pub(crate) fn backfill(
    desk: &mut Desk<'_>,
    match_id: u64,
    asked: NewBackfill,
    settings: &Settings,
) -> Result<Option<u64>, Problem> {
    if desk.is_full {
        return Err(Problem::StorageFull);
    }
    let ledger = desk.ledger;
    let id = ledger.id('m', match_id);
    let entry = ledger
        .match_entry(match_id)
        .ok_or_else(|| unknown("match", &id))?;
    if entry.phase != Phase::Started || entry.until <= desk.now.millis() {
        return Err(Problem::Invalid(
            "the match is not played: others come only into one that has started and is not over".to_owned(),
        ));
    }
    check_count("players who left", asked.left.len())?;
    asked
        .left
        .iter()
        .try_for_each(|name| check_text("a player", name, ID))?;
    let left: Vec<u64> = asked.left.iter().filter_map(|name| ledger.player(name)).collect();
    let is_in = |player: &u64| entry.teams().iter().any(|team| team.contains(player));
    let left: Vec<u64> = left.into_iter().filter(is_in).collect();
    if left.is_empty() && (entry.free == 0 || entry.backfill.is_some()) {
        return Ok(None);
    }
    let mut known: BTreeMap<String, NewPlayer> = BTreeMap::new();
    for player in asked.players {
        let number = ledger.player(&player.id).filter(is_in);
        if number.is_none_or(|number| left.contains(&number)) {
            return Err(Problem::Invalid(format!(
                "player `{}` does not stay in the match",
                player.id
            )));
        }
        if let Some(twice) = known.insert(player.id.clone(), player) {
            return Err(Problem::Invalid(format!("player `{}` is there twice", twice.id)));
        }
    }
    let (mut members, mut teams) = (Vec::new(), Vec::new());
    for (team, players) in entry.teams().into_iter().enumerate() {
        for number in players.into_iter().filter(|player| !left.contains(player)) {
            let name = ledger.name(number);
            let player = known.remove(name).unwrap_or_else(|| NewPlayer::of(name));
            members.push(NewMember { number, player });
            teams.push(team);
        }
    }
    if members.is_empty() {
        return Err(Problem::Invalid(
            "all players have left: report the result of the match".to_owned(),
        ));
    }
    let (queue, region) = ledger.place_of(entry);
    let longest = entry.until.saturating_sub(desk.now.millis()).max(1);
    // Of a running match there may be more players than of a party.
    let mut stay = members.iter().map(|member| &member.player);
    stay.try_for_each(check_player)?;
    let new = NewTicket {
        queues: queue.into_iter().collect(),
        regions: region.into_iter().map(|region| (region, 0.0)).collect(),
        attributes: asked.attributes,
        expires_in: Some(asked.expires_in.map_or(longest, |millis| millis.min(longest))),
        ..NewTicket::default()
    };
    check(&new)?;
    if let Some(older) = entry.backfill {
        desk.cancel(older, None);
    }
    let backfill = Backfill {
        match_id: MatchId(match_id),
        teams,
    };
    let ticket = desk.ticket();
    let event = enter(desk, ticket, &new, members, Some(backfill), settings);
    if !left.is_empty() {
        desk.note(Note::Lost { match_id, left });
    }
    desk.note_with(event, vec![Note::Backfill { match_id, ticket }]);
    Ok(Some(event))
}
