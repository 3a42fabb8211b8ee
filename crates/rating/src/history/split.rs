//! [`Split`]: the same games, in which a player is several.

use std::collections::HashMap;

use super::{Game, History, PlayerIndex, Seat};

/// A history in which each player has become one for each part that it played, such as a mode or a role: what learns from
/// it knows each of them by itself.
#[derive(Clone, Debug)]
pub struct Split<P> {
    /// The same games, of the new players.
    pub history: History,
    /// By index of the new players: who each was before, and the part.
    pub parts: Vec<(PlayerIndex, P)>,
}

impl History {
    /// Makes a player of its own of each part that a player plays, by what `part_of` says of each seat, with the name that
    /// `name` gives to both. O(n).
    ///
    /// Names must differ where players or parts do.
    ///
    /// ```
    /// use matchwright_rating::history::{HistoryBuilder, HistoryError, NamedSeat};
    ///
    /// let mut builder = HistoryBuilder::default();
    /// for (time, mode) in [(100, "normal"), (200, "ranked"), (300, "ranked")] {
    ///     let mut game = builder.start(time);
    ///     game.context(mode).side(1, 0.0).seat(NamedSeat::whole("ann"));
    ///     game.side(2, 0.0).seat(NamedSeat::whole("bob"));
    ///     game.finish()?;
    /// }
    /// let history = builder.finish();
    /// let split = history.split(
    ///     |game, _| Ok::<_, HistoryError>(game.context()),
    ///     |player, context| format!("{player} {}", context.map_or("", |one| &history.contexts()[one as usize])),
    /// )?;
    /// assert_eq!(split.history.players(), ["ann normal", "bob normal", "ann ranked", "bob ranked"]);
    /// assert_eq!(split.parts[3], (1, Some(1)));
    /// # Ok::<(), HistoryError>(())
    /// ```
    ///
    /// # Errors
    /// Those of `part_of`.
    pub fn split<P, E>(
        &self,
        part_of: impl Fn(Game<'_>, Seat) -> Result<P, E>,
        name: impl Fn(&str, &P) -> String,
    ) -> Result<Split<P>, E>
    where
        P: Copy + Eq + std::hash::Hash,
    {
        let (mut seated, mut parts) = (Vec::with_capacity(self.seated.len()), Vec::new());
        let mut known = HashMap::new();
        for game in self.games() {
            for seat in game.sides().flat_map(super::Side::seats) {
                let part = (seat.player, part_of(game, seat)?);
                let index = *known.entry(part).or_insert_with(|| {
                    parts.push(part);
                    // There are no more of them than seats, which a u32 can count.
                    PlayerIndex::try_from(parts.len() - 1).unwrap_or(PlayerIndex::MAX)
                });
                seated.push(index);
            }
        }
        let names = parts
            .iter()
            .map(|(player, part)| name(&self.players[*player as usize], part));
        let players: Vec<String> = names.collect();
        let starts = players
            .iter()
            .zip(&parts)
            .filter_map(|(name, (player, _))| Some((name.clone(), self.start_of(*player)?)));
        let history = Self {
            starts: starts.collect(),
            players,
            seated,
            ..self.clone()
        };
        Ok(Split { history, parts })
    }
}
