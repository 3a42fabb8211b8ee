//! How well matches were forecast by what was played: a mode, a map, a patch.

use matchwright_churn::Outcome;
use matchwright_rating::history::History;
use matchwright_report::{Column, Table};
use matchwright_sim::rate::{Forecast, SidePair, decided_losses};
use serde::Serialize;

/// More values are put together in a last row.
const MOST: usize = 20;

/// Forecasts of the decided games, or pairs of sides, of one value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct OfContext {
    /// The value; none of games that have none, and of those that are too many to show.
    pub(super) value: Option<String>,
    /// How many values are put together here, if they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) others: Option<usize>,
    pub(super) games: usize,
    /// Mean log loss of each system, nats, in their order.
    pub(super) log_losses: Vec<f64>,
    /// Share of the games that each system's favourite won.
    pub(super) accuracies: Vec<f64>,
}

/// The losses of one system's forecasts, in the order of the pairs.
pub(super) struct ContextLosses {
    /// By decided pair: its context.
    contexts: Vec<Option<u32>>,
    losses: Vec<f64>,
}

impl ContextLosses {
    pub(super) fn of(history: &History, pairs: &[SidePair], forecasts: &[Forecast]) -> Self {
        let decided = pairs.iter().zip(forecasts);
        let decided = decided.filter(|(_, forecast)| forecast.outcome != Outcome::Draw);
        Self {
            contexts: decided
                .map(|(pair, _)| history.game(pair.game).context())
                .collect(),
            losses: decided_losses(forecasts),
        }
    }
}

/// The values that were played most first, of systems that forecast the same games; without a value last but for the others.
pub(super) fn by_context(history: &History, systems: &[&ContextLosses]) -> Vec<OfContext> {
    let Some(first) = systems.first() else {
        return Vec::new();
    };
    // The last place is for games without a value.
    let known = history.contexts().len();
    let place = |context: Option<u32>| context.map_or(known, |context| context as usize);
    let mut games = vec![0; known + 1];
    for &context in &first.contexts {
        games[place(context)] += 1;
    }
    let mut order: Vec<usize> = (0..=known).filter(|&at| games[at] > 0).collect();
    order.sort_by_key(|&at| (at == known, std::cmp::Reverse(games[at])));
    let (shown, others) = order.split_at(order.len().min(MOST));
    // Each place's row; the last is of the others.
    let mut rows_of = vec![shown.len(); known + 1];
    for (row, &at) in shown.iter().enumerate() {
        rows_of[at] = row;
    }
    let count = shown.len() + usize::from(!others.is_empty());
    let mut rows: Vec<OfContext> = (0..count)
        .map(|row| OfContext {
            value: shown.get(row).and_then(|&at| history.contexts().get(at).cloned()),
            others: (row == shown.len()).then_some(others.len()),
            games: 0,
            log_losses: vec![0.0; systems.len()],
            accuracies: vec![0.0; systems.len()],
        })
        .collect();
    for (at, &games) in games.iter().enumerate().filter(|(_, games)| **games > 0) {
        rows[rows_of[at]].games += games;
    }
    for (system, found) in systems.iter().enumerate() {
        for (&context, loss) in found.contexts.iter().zip(&found.losses) {
            let row = &mut rows[rows_of[place(context)]];
            row.log_losses[system] += loss;
            row.accuracies[system] += right(*loss);
        }
    }
    for row in &mut rows {
        let all = row.log_losses.iter_mut().chain(&mut row.accuracies);
        all.for_each(|sum| *sum /= row.games as f64);
    }
    rows
}

/// A coin has a loss of ln 2, and is right half of the time.
fn right(loss: f64) -> f64 {
    match loss.total_cmp(&std::f64::consts::LN_2) {
        std::cmp::Ordering::Less => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Greater => 0.0,
    }
}

/// The same as a table, `key` being what the values are of.
pub(super) fn table(key: &str, rows: &[OfContext], systems: &[&str]) -> Table {
    let value = |one: &OfContext| match (&one.value, one.others) {
        (Some(value), _) => value.clone(),
        (None, Some(others)) => format!("{others} others together"),
        (None, None) => "none".to_owned(),
    };
    let one = systems.len() == 1;
    let named = |what: &str, system: usize| {
        if one {
            what.to_owned()
        } else {
            systems[system].to_owned()
        }
    };
    Table::of(format!("Log loss of decisive games by {key}"), rows)
        .column(Column::text(key), value)
        .column(Column::integer("Games"), |row| row.games)
        .columns(
            0..systems.len(),
            |system| Column::number(named("Log loss", system), 4),
            |row, system| row.log_losses[system],
        )
        .when(one, |table| {
            table.column(Column::percent("Favourite won", 1), |row: &OfContext| {
                row.accuracies[0]
            })
        })
        .build()
        .file("by-context")
        .note("Of the evaluated part, in nats a game; those that were played most come first.")
}

#[cfg(test)]
mod tests {
    use matchwright_rating::history::{HistoryBuilder, NamedSeat};

    use super::*;

    /// Games on these maps, won by the first with a forecast of these chances.
    fn rows(games: &[(&str, f64)]) -> Vec<OfContext> {
        let mut builder = HistoryBuilder::default();
        for (time, (map, _)) in (0..).zip(games) {
            let mut game = builder.start(time);
            game.context(map);
            for (place, player) in [(1, "ann"), (2, "bob")] {
                game.side(place, 0.0).seat(NamedSeat::whole(player));
            }
            game.finish().unwrap();
        }
        let history = builder.finish();
        let pairs: Vec<SidePair> = (0..games.len())
            .map(|game| SidePair {
                game,
                side: 0,
                other: 1,
            })
            .collect();
        let forecast = |&(_, win): &(&str, f64)| Forecast {
            probabilities: [win, 0.0, 1.0 - win],
            outcome: Outcome::Win,
        };
        let forecasts: Vec<Forecast> = games.iter().map(forecast).collect();
        by_context(&history, &[&ContextLosses::of(&history, &pairs, &forecasts)])
    }

    #[test]
    fn games_are_counted_by_what_was_played_most_first() {
        let found = rows(&[("dust", 0.5), ("", 0.9), ("mill", 0.8), ("mill", 0.2)]);
        let told: Vec<_> = found
            .iter()
            .map(|one| (one.value.as_deref(), one.games, one.accuracies[0]))
            .collect();
        assert_eq!(
            told,
            [(Some("mill"), 2, 0.5), (Some("dust"), 1, 0.5), (None, 1, 1.0)]
        );
        let loss = -(0.8_f64.ln() + 0.2_f64.ln()) / 2.0;
        assert!((found[0].log_losses[0] - loss).abs() < 1e-12);
    }

    #[test]
    fn too_many_values_stand_together_in_the_last_row() {
        let names: Vec<String> = (0..30).map(|at| format!("map {at}")).collect();
        let found = rows(&names.iter().map(|name| (&**name, 0.7)).collect::<Vec<_>>());
        assert_eq!(found.len(), MOST + 1);
        let last = &found[MOST];
        assert_eq!((last.others, last.games), (Some(10), 10));
        let text = table("map", &found, &["elo"]).to_text();
        assert!(text.contains("10 others together"), "{text}");
    }
}
