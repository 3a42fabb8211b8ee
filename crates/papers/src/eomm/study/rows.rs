//! What the study needs of a history: labels of all player-matches, and the states of those that were sampled.

use anyhow::Result;
use matchwright_churn::{
    EommState, Horizon, Label, LabelCounts, MatchObserved, Outcome, PlayerHistory, label_matches,
};
use matchwright_rating::history::{Duel, Duels, PlayerIndex};

use matchwright_sim::adapt::outcome_of;

/// A player-match: twice the match's index, plus 1 for its second player.
pub(crate) type RowId = u32;

/// The match of a player-match, and its side.
pub(crate) const fn match_of(row: RowId) -> (usize, usize) {
    ((row / 2) as usize, (row % 2) as usize)
}

/// The player-match of side 0 or 1 of a match. A history has so few seats that it fits.
pub(crate) fn row_of(game: usize, side: usize) -> RowId {
    RowId::try_from(2 * game + side).unwrap_or(RowId::MAX)
}

/// The player-matches of a history, one player after another, each player's in order of time.
pub(crate) struct PlayerRows {
    /// Where each player's rows begin; then where the last one's end.
    starts: Vec<u32>,
    rows: Vec<RowId>,
}

impl PlayerRows {
    /// O(m).
    pub(crate) fn of(duels: Duels<'_>) -> Self {
        let players = |game: Duel| [game.player1 as usize, game.player2 as usize];
        // First where each player's rows end, then filled from there down to where they begin.
        let mut starts = vec![0_u32; duels.players().len() + 1];
        for player in duels.iter().flat_map(players) {
            starts[player] += 1;
        }
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        let mut rows = vec![0; 2 * duels.len()];
        for (k, game) in duels.iter().enumerate().rev() {
            for (side, player) in players(game).into_iter().enumerate() {
                starts[player] -= 1;
                rows[starts[player] as usize] = row_of(k, side);
            }
        }
        Self { starts, rows }
    }

    fn of_player(&self, player: PlayerIndex) -> &[RowId] {
        let player = player as usize;
        &self.rows[self.starts[player] as usize..self.starts[player + 1] as usize]
    }

    fn of_each_player(&self) -> impl Iterator<Item = &[RowId]> {
        let bounds = self.starts.iter().zip(&self.starts[1..]);
        bounds.map(|(&start, &end)| &self.rows[start as usize..end as usize])
    }
}

/// The label of every player-match, by [`RowId`].
pub(crate) fn label_rows(duels: Duels<'_>, rows: &PlayerRows, horizon: Horizon) -> Result<Vec<Label>> {
    let observed_until = duels.history().span().map_or(0, |(_, last)| last);
    let mut labels = vec![Label::Censored; 2 * duels.len()];
    let mut times = Vec::new();
    for rows in rows.of_each_player() {
        times.clear();
        times.extend(rows.iter().map(|&row| duels.at(match_of(row).0).time));
        for (&row, label) in rows.iter().zip(label_matches(&times, horizon, observed_until)?) {
            labels[row as usize] = label;
        }
    }
    Ok(labels)
}

/// How many of each label.
pub(crate) fn count_labels(labels: &[Label]) -> LabelCounts {
    let mut counts = LabelCounts::default();
    for label in labels {
        counts.add(*label);
    }
    counts
}

/// A player-match as the churn model sees it.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) id: RowId,
    pub(crate) player: PlayerIndex,
    pub(crate) time: i64,
    pub(crate) outcome: Outcome,
    /// What was known of the player just before the match.
    pub(crate) state: EommState,
}

/// The states of the wanted player-matches (ascending); nothing of a match or of any later one enters its state.
///
/// Player by player, whose history then stays in the cache, and only as far as the last wanted row.
pub(crate) fn collect_rows(duels: Duels<'_>, by_player: &PlayerRows, wanted: &[RowId]) -> Result<Vec<Row>> {
    let side = |id: RowId| {
        let (game, side) = match_of(id);
        duels.at(game).sides()[side]
    };
    let time = |id: RowId| duels.at(match_of(id).0).time;
    let mut rows = Vec::with_capacity(wanted.len());
    let mut wanted_of: Vec<(PlayerIndex, RowId)> = wanted.iter().map(|&id| (side(id).0, id)).collect();
    wanted_of.sort_unstable();
    for wanted in wanted_of.chunk_by(|a, b| a.0 == b.0) {
        let mut past = PlayerHistory::new();
        let mut played = by_player.of_player(wanted[0].0).iter().peekable();
        for &(player, id) in wanted {
            while let Some(&earlier) = played.next_if(|&&earlier| earlier < id) {
                let (_, result, goal_difference) = side(earlier);
                past.push(&MatchObserved {
                    time: time(earlier),
                    outcome: outcome_of(result),
                    goal_difference,
                })?;
            }
            let time = time(id);
            rows.push(Row {
                id,
                player,
                time,
                outcome: outcome_of(side(id).1),
                state: past.state_at(time)?,
            });
        }
    }
    rows.sort_unstable_by_key(|row| row.id);
    Ok(rows)
}

/// Outcomes of each player's last three matches, this one included, oldest first, for every
/// player-match that has three; visited in time order.
pub(crate) fn for_each_pattern(duels: Duels<'_>, mut visit: impl FnMut(RowId, [Outcome; 3])) {
    let mut last: Vec<[Option<Outcome>; 3]> = vec![[None; 3]; duels.players().len()];
    for (k, game) in duels.iter().enumerate() {
        for (side, (player, result, _)) in game.sides().into_iter().enumerate() {
            let last = &mut last[player as usize];
            *last = [last[1], last[2], Some(outcome_of(result))];
            if let [Some(first), Some(second), Some(third)] = *last {
                visit(row_of(k, side), [first, second, third]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Label::{Censored, Churned, Returned};
    use Outcome::{Draw, Loss, Win};
    use matchwright_rating::history::{History, HistoryBuilder, NamedGame};
    use matchwright_sim::adapt::score_of;

    fn history(games: &[(i64, &str, &str, Outcome)]) -> History {
        let mut builder = HistoryBuilder::default();
        for &(time, player1, player2, outcome) in games {
            let duel = NamedGame::duel(time, [player1, player2], score_of(outcome), 1.0);
            builder.push(&duel).unwrap();
        }
        builder.finish()
    }

    #[test]
    fn patterns_run_from_oldest_to_newest_and_end_with_the_match_itself() {
        let games = [
            (0, "a", "b", Win),
            (1, "b", "a", Win),
            (2, "a", "c", Draw),
            (3, "a", "b", Loss),
        ];
        let mut seen = Vec::new();
        for_each_pattern(history(&games).duels().unwrap(), |row, pattern| {
            seen.push((row, pattern));
        });
        assert_eq!(
            seen,
            [
                (4, [Win, Loss, Draw]),
                (6, [Loss, Draw, Loss]),
                (7, [Loss, Win, Win])
            ]
        );
    }

    #[test]
    fn rows_lie_player_by_player_in_order_of_time() {
        let games = [(0, "a", "b", Win), (1, "c", "a", Win), (2, "a", "b", Draw)];
        let history = history(&games);
        let duels = history.duels().unwrap();
        let rows = PlayerRows::of(duels);
        let each: Vec<&[RowId]> = rows.of_each_player().collect();
        assert_eq!(each, [&[0, 3, 4][..], &[1, 5], &[2]]);
        assert_eq!(rows.of_player(1), [1, 5]);
        let labels = label_rows(duels, &rows, Horizon::from_seconds(1).unwrap()).unwrap();
        assert_eq!(labels, [Returned, Churned, Churned, Returned, Censored, Censored]);
        assert_eq!(
            PlayerRows::of(History::default().duels().unwrap())
                .of_each_player()
                .count(),
            0
        );
    }

    #[test]
    fn only_wanted_rows_are_kept_and_they_know_only_their_past() {
        let games = [(0, "a", "b", Win), (600, "a", "c", Draw), (1200, "a", "b", Loss)];
        let collect = |history: &History, wanted: &[RowId]| {
            let duels = history.duels().unwrap();
            collect_rows(duels, &PlayerRows::of(duels), wanted).unwrap()
        };
        let rows = collect(&history(&games), &[1, 4]);
        assert_eq!(
            rows.iter().map(|r| (r.id, r.player, r.time)).collect::<Vec<_>>(),
            [(1, 1, 0), (4, 0, 1200)]
        );
        assert_eq!(rows[0].state.last_outcomes().len(), 0);
        assert_eq!(rows[1].state.last_outcomes(), [Win, Draw]);
        let shorter = collect(&history(&games[..2]), &[1]);
        assert_eq!(shorter[0].state, rows[0].state);
    }
}
