//! How well systems forecast by how much is known of the players.

use matchwright_churn::Outcome;
use matchwright_rating::history::{History, Side};
use matchwright_report::{Column, Table};
use matchwright_sim::rate::{Forecast, SidePair};
use serde::Serialize;

/// Where the classes begin, in games.
const FROM: [u32; 7] = [0, 1, 5, 10, 20, 50, 200];

/// Forecasts of games between players of whom the one who had played least had played so many.
#[derive(Serialize)]
pub(super) struct Played {
    /// The fewest games.
    from: u32,
    /// The most; none: any number.
    to: Option<u32>,
    /// Decided games, or pairs of sides.
    games: usize,
    /// Mean log losses, in the order of the systems.
    log_losses: Vec<f64>,
}

/// The class of each decided pair of sides from the first on, by the fewest games that one of its players had played.
pub(super) fn classes(history: &History, pairs: &[SidePair], forecasts: &[Forecast]) -> Vec<usize> {
    let mut played = vec![0_u32; history.players().len()];
    let (mut counted, mut classes) = (0, Vec::new());
    for (pair, forecast) in pairs.iter().zip(forecasts) {
        for game in (counted..pair.game).map(|game| history.game(game)) {
            for &player in game.sides().flat_map(Side::players) {
                played[player as usize] += 1;
            }
        }
        counted = counted.max(pair.game);
        if forecast.outcome == Outcome::Draw {
            continue;
        }
        let game = history.game(pair.game);
        let players = [pair.side, pair.other]
            .into_iter()
            .flat_map(|side| game.side(side).players());
        let fewest = players.map(|&player| played[player as usize]).min().unwrap_or(0);
        classes.push(FROM.partition_point(|&from| from <= fewest) - 1);
    }
    classes
}

/// The losses of each class that has any.
pub(super) fn by_class(classes: &[usize], losses: &[&[f64]]) -> Vec<Played> {
    let found = (0..FROM.len()).filter_map(|class| {
        let games = classes.iter().filter(|&&one| one == class).count();
        let mean = |losses: &&[f64]| {
            let own = classes.iter().zip(*losses).filter(|(one, _)| **one == class);
            own.map(|(_, loss)| loss).sum::<f64>() / games as f64
        };
        (games > 0).then(|| Played {
            from: FROM[class],
            to: FROM.get(class + 1).map(|next| next - 1),
            games,
            log_losses: losses.iter().map(mean).collect(),
        })
    });
    found.collect()
}

/// The same as a table.
pub(super) fn table(played: &[Played], systems: &[&'static str]) -> Table {
    let class = |one: &Played| match one.to {
        None => format!("{} and more", one.from),
        Some(to) if to == one.from => to.to_string(),
        Some(to) => format!("{} to {to}", one.from),
    };
    Table::of("Log loss of decisive games by experience", played)
        .column(Column::text("Games before, the newest player"), class)
        .column(Column::integer("Games"), |one| one.games)
        .columns(
            0..systems.len(),
            |system| Column::number(systems[system], 4),
            |one, system| one.log_losses[system],
        )
        .build()
        .note("By how many games the player of the game had played who had played least, all games of the file counted.")
}

#[cfg(test)]
mod tests {
    use matchwright_rating::Score;
    use matchwright_rating::history::{HistoryBuilder, NamedGame};

    use super::*;

    #[test]
    fn a_game_counts_by_the_player_who_has_played_least() {
        let mut builder = HistoryBuilder::default();
        for time in 0..6 {
            builder
                .push(&NamedGame::duel(time, ["ann", "bob"], Score::WIN, 0.0))
                .unwrap();
        }
        builder
            .push(&NamedGame::duel(6, ["ann", "cyd"], Score::DRAW, 0.0))
            .unwrap();
        builder
            .push(&NamedGame::duel(7, ["ann", "cyd"], Score::WIN, 0.0))
            .unwrap();
        let history = builder.finish();
        let pair = |game| SidePair {
            game,
            side: 0,
            other: 1,
        };
        let forecast = |outcome| Forecast {
            probabilities: [0.5, 0.0, 0.5],
            outcome,
        };
        let pairs = [0, 1, 5, 6, 7].map(pair);
        let mut outcomes = [Outcome::Win; 5];
        outcomes[3] = Outcome::Draw;
        let classes = classes(&history, &pairs, &outcomes.map(forecast));
        // None before; one; five; of the draw nothing; cyd had one.
        assert_eq!(classes, [0, 1, 2, 1]);
        let (one, other) = ([0.1, 0.2, 0.3, 0.4], [1.0; 4]);
        let found = by_class(&classes, &[&one, &other]);
        let shown: Vec<_> = found.iter().map(|one| (one.from, one.to, one.games)).collect();
        assert_eq!(shown, [(0, Some(0), 1), (1, Some(4), 2), (5, Some(9), 1)]);
        assert!((found[1].log_losses[0] - 0.3).abs() < 1e-12 && found[1].log_losses[1] == 1.0);
    }
}
