//! Games on several threads: those that have no player in common do not depend on each other.

use std::ops::Range;

use crate::threads::{at_hand, try_each};
use matchwright_rating::history::{Game, History, Side};

/// This many consecutive games are looked at together.
const BLOCK: usize = 4096;
/// Fewer independent games than these are played on the thread at hand.
const LEAST: usize = 64;

/// Plays `games` in order of time: `play` works one out from what is known before it, which `learn` then changes; `tell`
/// is given each game in order.
///
/// Of a block of games all are worked out at once whose players' earlier games are done. So the result is that of
/// one game after another, to the bit, for any number of threads.
///
/// # Errors
/// Those of `play`.
pub(super) fn play_all<T: Sync + ?Sized, P: Send, E: Send>(
    history: &History,
    games: Range<usize>,
    known: &mut T,
    play: &(dyn Fn(&T, Game<'_>) -> Result<P, E> + Sync),
    learn: &dyn Fn(&mut T, Game<'_>, &P),
    tell: &mut dyn FnMut(Game<'_>, P),
) -> Result<(), E> {
    if games.len() < LEAST || at_hand() == 1 {
        for game in games.map(|index| history.game(index)) {
            let played = play(known, game)?;
            learn(known, game, &played);
            tell(game, played);
        }
        return Ok(());
    }
    let mut steps = Steps::new(history.players().len());
    for start in games.clone().step_by(BLOCK) {
        let block = start..games.end.min(start + BLOCK);
        let order = steps.of(history, block.clone());
        let mut all: Vec<Option<P>> = block.clone().map(|_| None).collect();
        for step in order.chunk_by(|a, b| a.0 == b.0) {
            let play = |&(_, index): &(u32, usize)| play(known, history.game(index));
            let played: Vec<P> = if step.len() < LEAST {
                step.iter().map(play).collect::<Result<_, _>>()?
            } else {
                try_each(step, LEAST / 2, play)?
            };
            for (&(_, index), played) in step.iter().zip(played) {
                learn(known, history.game(index), &played);
                all[index - start] = Some(played);
            }
        }
        for (index, played) in block.zip(all) {
            if let Some(played) = played {
                tell(history.game(index), played);
            }
        }
    }
    Ok(())
}

/// In which step of its block each game can be played.
struct Steps {
    /// By player: the block of the latest game, from 1, and the step after it.
    next: Vec<(u32, u32)>,
    block: u32,
}

impl Steps {
    fn new(players: usize) -> Self {
        Self {
            next: vec![(0, 0); players],
            block: 0,
        }
    }

    /// The games by step, then in order: one step after the latest of the players' earlier games of the block.
    fn of(&mut self, history: &History, block: Range<usize>) -> Vec<(u32, usize)> {
        self.block += 1;
        let mut order: Vec<(u32, usize)> = Vec::with_capacity(block.len());
        for index in block {
            let players = || history.game(index).sides().flat_map(Side::players);
            let next = players().map(|&player| match self.next[player as usize] {
                (block, step) if block == self.block => step,
                _ => 0,
            });
            let step = next.max().unwrap_or(0);
            for &player in players() {
                self.next[player as usize] = (self.block, step + 1);
            }
            order.push((step, index));
        }
        order.sort_by_key(|&(step, _)| step);
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::threads::{ThreadsError, install};
    use matchwright_rating::Score;
    use matchwright_rating::history::{HistoryBuilder, NamedGame};
    use proptest::prelude::*;

    fn history(games: &[(u16, u16)]) -> History {
        let mut builder = HistoryBuilder::default();
        for (time, (one, other)) in (0..).zip(games) {
            let names = [one, other].map(ToString::to_string);
            let duel = NamedGame::duel(time, [&names[0], &names[1]], Score::WIN, 0.0);
            builder.push(&duel).unwrap();
        }
        builder.finish()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20))]

        #[test]
        fn games_on_many_threads_are_those_of_one_after_the_other(
            players in 2..200_u16,
            picks in prop::collection::vec((0..200_u16, 0..200_u16), 1..400),
        ) {
            let picks: Vec<_> = picks.iter().map(|&(one, more)| {
                let one = one % players;
                (one, (one + 1 + more % (players - 1)) % players)
            }).collect();
            let history = history(&picks);
            let run = |threads| install(threads, || {
                // What a player knows depends on everything that happened to it, in its order.
                let mut known = vec![1_u64; history.players().len()];
                let mut told = Vec::new();
                let seen = |known: &Vec<u64>, game: Game<'_>| [0, 1].map(|side| known[game.side(side).players()[0] as usize]);
                play_all(&history, 0..history.len(), &mut known,
                    &|known, game| Ok::<_, ThreadsError>(seen(known, game)),
                    &|known, game, &[one, other]| for side in [0, 1] {
                        let own = &mut known[game.side(side).players()[0] as usize];
                        *own = own.wrapping_mul(31).wrapping_add(one ^ (other << 7)).wrapping_add(game.index() as u64);
                    },
                    &mut |game, played| told.push((game.index(), played)))?;
                Ok::<_, ThreadsError>((known, told))
            }).unwrap();
            let one = run(1);
            prop_assert_eq!(one.1.len(), history.len());
            prop_assert!(run(3) == one);
        }
    }
}
