//! The game server: gives each match a place, plays it, looks for others where somebody has left, and reports who won.

use matchwright_client::{Change, Client, ClientError, Match, MatchResult, NewBackfill, Phase};

use crate::{Dice, skill};

/// Serves all matches until the service is gone.
pub(crate) fn serve(client: &Client) -> Result<(), ClientError> {
    let mut dice = Dice(99);
    for event in client.events(Some(0)) {
        let Change::Match(found) = event?.change else {
            continue;
        };
        let told = match found.phase {
            // One of its players may have left it by now, and the stream begins with old ones after a restart.
            Phase::Allocating => client
                .assign(&found.id, "127.0.0.1:7777")
                .and_then(|_| client.started(&found.id)),
            // Others have come, or nobody had left.
            Phase::Started if found.backfill.is_none() => play(client, &found, &mut dice),
            _ => continue,
        };
        if let Err(error @ ClientError::Connection { .. }) = told {
            return Err(error);
        }
    }
    Ok(())
}

fn play(client: &Client, found: &Match, dice: &mut Dice) -> Result<Match, ClientError> {
    // In a game of teams one loses its connection now and then, and another is looked for, for a while.
    let team = found.teams.iter().find(|team| team.len() > 1);
    if let Some(gone) = team.and_then(|team| team.first())
        && dice.draw() < 0.1
    {
        let asked = NewBackfill {
            expires_in: Some(2000),
            ..NewBackfill::of([gone.as_str()])
        };
        return client.backfill(&found.id, &asked);
    }
    let strength = |team: &Vec<String>| team.iter().map(|name| skill(name)).sum::<f64>();
    let strengths: Vec<f64> = found.teams.iter().map(strength).collect();
    // The first wins as a logistic model says; in a match of more teams the stronger is before the weaker.
    let places = match strengths[..] {
        [one, other] if dice.draw() < 1.0 / (1.0 + (other - one).exp()) => vec![1, 2],
        [_, _] => vec![2, 1],
        ref all => {
            let place = |one: &f64| 1 + all.iter().filter(|other| *other > one).count() as u32;
            all.iter().map(place).collect()
        }
    };
    client.report(&found.id, &MatchResult::of_places(places))
}
