//! Prints generated players who wait for a lobby: `lobby_players NUMBER SEED`, as JSON lines, or with `csv` as CSV.
//!
//! The files of `examples/lobby` are those of 96 and seed 1:
//!
//! ```sh
//! cargo run -p matchwright-sim --example lobby_players -- 96 1 > examples/lobby/players.jsonl
//! cargo run -p matchwright-sim --example lobby_players -- 96 1 csv > examples/lobby/players.csv
//! ```

use std::error::Error;
use std::io::{Write, stdout};

use matchwright_scoring::Player;
use matchwright_sim::population::{LobbyWorldParams, lobby_players};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [number, seed, form @ ..] = &words[..] else {
        return Err("give the number of players and a seed, and `csv` for CSV".into());
    };
    let params = LobbyWorldParams {
        players: number.parse()?,
        ..LobbyWorldParams::default()
    };
    let players = lobby_players(&params, seed.parse()?)?;
    let text = match form {
        [] => players
            .iter()
            .map(|player| Ok(serde_json::to_string(player)? + "\n"))
            .collect::<Result<String, serde_json::Error>>()?,
        [csv] if csv == "csv" => table(&players),
        _ => return Err("after the seed only `csv` may follow".into()),
    };
    stdout().write_all(text.as_bytes())?;
    Ok(())
}

/// The players as CSV: no field of theirs holds a comma or a quote.
fn table(players: &[Player]) -> String {
    let regions: Vec<&String> = players
        .first()
        .map_or(Vec::new(), |player| player.pings.keys().collect());
    let pings: Vec<String> = regions.iter().map(|region| format!(",ping_{region}")).collect();
    let pings = pings.concat();
    let mut text = format!(
        "id,skill,uncertainty,party,region{pings},experience,languages,recent_opponents,wait_seconds,connects_to\n"
    );
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    for player in players {
        let mut fields = vec![
            player.id.clone(),
            number(player.skill),
            number(player.uncertainty),
            player.party.clone().unwrap_or_default(),
            player.region.clone().unwrap_or_default(),
        ];
        fields.extend(
            regions
                .iter()
                .map(|region| number(player.pings.get(*region).copied())),
        );
        fields.extend([
            player
                .experience
                .map_or_else(String::new, |games| games.to_string()),
            player.languages.join(";"),
            player.recent_opponents.join(";"),
            number(player.wait_seconds),
            player.connects_to.clone().unwrap_or_default().join(";"),
        ]);
        text += &(fields.join(",") + "\n");
    }
    text
}
