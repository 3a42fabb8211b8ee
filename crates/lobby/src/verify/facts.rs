//! Facts that need no proof: full teams, whole parties, true qualities.

use super::agrees;
use super::error::LobbyVerifyError;
use crate::{Lineups, Lobby, LobbyObjective, LobbyPool};

/// Everybody once, teams full, parties whole, qualities and value true. Returns the value.
pub(super) fn check_lineups(
    pool: &LobbyPool,
    objective: &dyn LobbyObjective,
    lineups: &Lineups,
) -> Result<f64, LobbyVerifyError> {
    let mut placed = vec![false; pool.players()];
    let mut once = |player: usize, place: &dyn Fn() -> String| match placed.get_mut(player) {
        None => Err(LobbyVerifyError::UnknownPlayer {
            player,
            players: pool.players(),
        }),
        Some(placed) if *placed => Err(LobbyVerifyError::Twice {
            player,
            place: place(),
        }),
        Some(placed) => {
            *placed = true;
            Ok(())
        }
    };
    let mut value = 0.0;
    for (index, lobby) in lineups.lobbies.iter().enumerate() {
        if !lobby.teams.iter().map(Vec::len).eq(pool.sizes().iter().copied()) {
            return Err(LobbyVerifyError::TeamSize {
                index,
                sizes: lobby.teams.iter().map(Vec::len).collect(),
                wanted: pool.sizes().to_vec(),
            });
        }
        for player in lobby.players() {
            once(player, &|| format!("match {index}"))?;
        }
        check_parties(pool, index, lobby)?;
        value += check_quality(objective, index, lobby)?;
    }
    for &player in &lineups.unmatched {
        once(player, &|| "the list of unmatched players".to_owned())?;
        value -= pool.unmatched_penalties()[player];
    }
    if let Some(player) = placed.iter().position(|placed| !placed) {
        return Err(LobbyVerifyError::Lost { player });
    }
    if !agrees(lineups.value, value, 1 + lineups.lobbies.len()) {
        return Err(LobbyVerifyError::WrongValue {
            claimed: lineups.value,
            actual: value,
        });
    }
    Ok(value)
}

fn check_parties(pool: &LobbyPool, index: usize, lobby: &Lobby) -> Result<(), LobbyVerifyError> {
    for team in &lobby.teams {
        for &player in team {
            if !pool.party_of(player).iter().all(|mate| team.contains(mate)) {
                return Err(LobbyVerifyError::TornParty {
                    index,
                    party: pool.party_index(player),
                    player,
                });
            }
        }
    }
    Ok(())
}

fn check_quality(
    objective: &dyn LobbyObjective,
    index: usize,
    lobby: &Lobby,
) -> Result<f64, LobbyVerifyError> {
    let quality = objective.checked_quality(&lobby.teams)?;
    let actual = quality.ok_or(LobbyVerifyError::Forbidden { index })?;
    if !agrees(lobby.quality, actual, 1) {
        return Err(LobbyVerifyError::WrongQuality {
            index,
            claimed: lobby.quality,
            actual,
        });
    }
    Ok(actual)
}

/// Two teams out of whole parties, taken in this order as they fit; `None` if they do not fill both.
pub(super) fn teams_of(
    pool: &LobbyPool,
    order: impl IntoIterator<Item = usize>,
) -> Option<(Vec<usize>, Vec<usize>)> {
    let (size_a, size_b) = pool.first_two();
    let (mut team_a, mut team_b) = (Vec::new(), Vec::new());
    for party in order {
        let members = &pool.parties()[party];
        if team_a.len() + members.len() <= size_a {
            team_a.extend_from_slice(members);
        } else if team_b.len() + members.len() <= size_b {
            team_b.extend_from_slice(members);
        }
    }
    (team_a.len() == size_a && team_b.len() == size_b).then_some((team_a, team_b))
}
