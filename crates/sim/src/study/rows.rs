//! One pass over a history that picks out what the study needs: labels of all player-matches,
//! and the states of those that were sampled.

use matchwright_churn::{
    EommState, Horizon, Label, LabelCounts, MatchObserved, Outcome, PlayerHistory, label_matches,
};

use super::config::StudyError;
use crate::history::{MatchHistory, PlayerIndex};

/// A player-match: twice the match's index, plus 1 for its second player.
pub(super) type RowId = usize;

/// The label of every player-match, by [`RowId`].
pub(super) fn label_rows(history: &MatchHistory, horizon: Horizon) -> Result<Vec<Label>, StudyError> {
    let observed_until = history.span().map_or(0, |(_, last)| last);
    let mut rows_of: Vec<Vec<RowId>> = vec![Vec::new(); history.players().len()];
    for (k, game) in history.matches().iter().enumerate() {
        rows_of[game.player1 as usize].push(2 * k);
        rows_of[game.player2 as usize].push(2 * k + 1);
    }
    let mut labels = vec![Label::Censored; 2 * history.matches().len()];
    for rows in &rows_of {
        let times: Vec<i64> = rows.iter().map(|row| history.matches()[row / 2].time).collect();
        for (row, label) in rows.iter().zip(label_matches(&times, horizon, observed_until)?) {
            labels[*row] = label;
        }
    }
    Ok(labels)
}

/// How many of each label.
pub(super) fn count_labels(labels: &[Label]) -> LabelCounts {
    let mut counts = LabelCounts::default();
    for label in labels {
        counts.add(*label);
    }
    counts
}

/// A player-match as the churn model sees it.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) id: RowId,
    pub(super) player: PlayerIndex,
    pub(super) time: i64,
    pub(super) outcome: Outcome,
    /// What was known of the player just before the match.
    pub(super) state: EommState,
}

/// The states of the wanted player-matches (ascending), read in one pass; nothing of a match or of
/// any later one enters its state.
pub(super) fn collect_rows(history: &MatchHistory, wanted: &[RowId]) -> Result<Vec<Row>, StudyError> {
    let mut histories = vec![PlayerHistory::new(); history.players().len()];
    let mut rows = Vec::with_capacity(wanted.len());
    let mut wanted = wanted.iter().copied().peekable();
    for (k, game) in history.matches().iter().enumerate() {
        for (side, (player, outcome, _)) in game.sides().into_iter().enumerate() {
            let id = 2 * k + side;
            if wanted.next_if_eq(&id).is_some() {
                let state = histories[player as usize].state_at(game.time)?;
                rows.push(Row {
                    id,
                    player,
                    time: game.time,
                    outcome,
                    state,
                });
            }
        }
        for (player, outcome, goal_difference) in game.sides() {
            let seen = MatchObserved {
                time: game.time,
                outcome,
                goal_difference,
            };
            histories[player as usize].push(&seen)?;
        }
    }
    Ok(rows)
}

/// Outcomes of each player's last three matches, this one included, oldest first, for every
/// player-match that has three; visited in time order.
pub(super) fn for_each_pattern(history: &MatchHistory, mut visit: impl FnMut(RowId, [Outcome; 3])) {
    let mut last: Vec<[Option<Outcome>; 3]> = vec![[None; 3]; history.players().len()];
    for (k, game) in history.matches().iter().enumerate() {
        for (side, (player, outcome, _)) in game.sides().into_iter().enumerate() {
            let last = &mut last[player as usize];
            *last = [last[1], last[2], Some(outcome)];
            if let [Some(first), Some(second), Some(third)] = *last {
                visit(2 * k + side, [first, second, third]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::{HistoryBuilder, NamedMatch};
    use Outcome::{Draw, Loss, Win};

    fn history(games: &[(i64, &str, &str, Outcome)]) -> MatchHistory {
        let mut builder = HistoryBuilder::default();
        for &(time, player1, player2, outcome) in games {
            builder
                .push(&NamedMatch {
                    time,
                    player1,
                    player2,
                    outcome,
                    score_difference: 1.0,
                })
                .unwrap();
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
        for_each_pattern(&history(&games), |row, pattern| seen.push((row, pattern)));
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
    fn only_wanted_rows_are_kept_and_they_know_only_their_past() {
        let games = [(0, "a", "b", Win), (600, "a", "c", Draw), (1200, "a", "b", Loss)];
        let rows = collect_rows(&history(&games), &[1, 4]).unwrap();
        assert_eq!(
            rows.iter().map(|r| (r.id, r.player, r.time)).collect::<Vec<_>>(),
            [(1, 1, 0), (4, 0, 1200)]
        );
        assert_eq!(rows[0].state.last_outcomes().len(), 0);
        assert_eq!(rows[1].state.last_outcomes(), [Win, Draw]);
        let shorter = collect_rows(&history(&games[..2]), &[1]).unwrap();
        assert_eq!(shorter[0].state, rows[0].state);
    }
}
