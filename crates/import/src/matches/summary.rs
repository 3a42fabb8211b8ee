//! What a file of matches holds, in short.

use std::collections::{BTreeMap, HashSet};

use crate::matches::Match;

/// Counts of matches, of the kinds of them, and of their players.
#[derive(Clone, Default)]
pub struct Summary {
    /// How many matches.
    pub matches: u64,
    /// How many ended in a draw, of two sides or more.
    pub draws: u64,
    /// How many of each kind: `5v5`, `2v3`, `8 sides`.
    pub kinds: BTreeMap<String, u64>,
    /// When the first and the last were played, in Unix seconds.
    pub span: Option<(i64, i64)>,
    /// The first match of the file.
    pub first: Option<Match<'static>>,
    players: HashSet<String>,
}

impl Summary {
    /// Counts a match. O(players).
    pub fn add(&mut self, game: &Match<'_>) {
        self.matches += 1;
        self.draws += u64::from(game.has_draw());
        *self.kinds.entry(game.kind()).or_default() += 1;
        let time = game.time();
        self.span = Some(
            self.span
                .map_or((time, time), |(from, to)| (from.min(time), to.max(time))),
        );
        if self.first.is_none() {
            self.first = Some(game.clone().into_owned());
        }
        for name in game.names() {
            if !self.players.contains(name) {
                self.players.insert(name.to_owned());
            }
        }
    }

    /// The names of all players, in no order.
    pub fn players(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.players.iter().map(String::as_str)
    }
}

impl Match<'_> {
    /// What kind of match it is: `5v5`, the smaller side first, or of how many sides where there are more than two.
    #[must_use]
    pub fn kind(&self) -> String {
        let sizes: Vec<usize> = self.sides().map(|side| side.members.len()).collect();
        match sizes[..] {
            [one, other] => format!("{}v{}", one.min(other), one.max(other)),
            _ if sizes.iter().all(|size| *size == 1) => {
                format!("{} players each for itself", sizes.len())
            }
            _ => format!("{} sides", sizes.len()),
        }
    }
}
