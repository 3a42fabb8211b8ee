//! Columns of more than two sides: `player1`, `player2`, `player3`, each with a rank or a score of its own.

use std::cell::Cell;
use std::collections::HashMap;

use smallvec::SmallVec;

use super::Columns;
use super::outcomes::OUTCOMES;
use super::two_sides::{is_filler, nth, parts};
use crate::cell::decimals::Decimals;
use crate::cell::nobody::is_nobody;
use crate::cell::unplayed::unplayed;
use crate::error::Fault;
use crate::matches::field::Field;
use crate::matches::long_games::unfinished_note;
use crate::matches::outcome::Telling;

/// The rest of the name of a rank beside its number.
const RANKS: [&str; 8] = [
    "rank",
    "place",
    "position",
    "placement",
    "finish",
    "standing",
    "final rank",
    "final place",
];
/// The rest of the name of a score.
const SCORES: [&str; 7] = [
    "s",
    "score",
    "scores",
    "points",
    "final score",
    "total score",
    "vp",
];
/// Who plays for themselves are at least this many: of two, other rules tell.
const FEWEST: usize = 3;

/// Where the sides of a row stand, one player each, and what tells how each did.
pub(crate) struct ManySides {
    pub(crate) players: Vec<usize>,
    told: Vec<(Telling, Vec<usize>)>,
    /// What counts of what tells how a game ended, where the user names some.
    chosen: Option<Vec<Telling>>,
    /// How many did not finish a game that others did.
    unfinished: Cell<u64>,
}

impl ManySides {
    /// Of a header whose first player is called so; none where not every player has a rank or score, where some have a team, or
    /// where the user names another result.
    pub(crate) fn of(names: &[String], first: &str, columns: &Columns) -> Option<Self> {
        let all: Vec<Vec<String>> = names.iter().map(|name| parts(name)).collect();
        let places: HashMap<&[String], usize> =
            all.iter().zip(0..).map(|(parts, at)| (&**parts, at)).collect();
        let family = |first: &[String]| -> Vec<usize> {
            let place = |number| places.get(&*nth(first, number)?).copied();
            (1..).map_while(place).collect()
        };
        let players = family(&parts(first));
        let own = names.iter().position(|name| name == first);
        if players.len() < FEWEST || players.first().copied() != own {
            return None;
        }
        let mut told = Vec::new();
        for (at, parts) in all.iter().enumerate() {
            let Some(number) = parts.iter().position(|word| word == "1" || word == "a") else {
                continue;
            };
            let rest = parts.iter().enumerate();
            let rest = rest.filter(|(place, word)| *place != number && !is_filler(word));
            let rest = rest.map(|(_, word)| &**word).collect::<Vec<_>>().join(" ");
            let members = family(parts);
            if members.len() != players.len() || Some(at) == own {
                continue;
            }
            match &*rest {
                // The team of each: some play together.
                "" => return None,
                rest if RANKS.contains(&rest) => told.push((Telling::Ranks, members)),
                rest if SCORES.contains(&rest) => told.push((Telling::Scores, members)),
                _ => {}
            }
        }
        told.sort_by_key(|(telling, _)| telling.meanings());
        told.dedup_by_key(|(telling, _)| *telling);
        let is_chosen = |telling: &Telling| columns.chosen(telling.meanings());
        let chosen = columns.chosen(&OUTCOMES).then(|| {
            let known = told.iter().map(|(telling, _)| *telling).chain([Telling::Winner]);
            known.filter(is_chosen).collect::<Vec<_>>()
        });
        let counts = !told.is_empty() && chosen.as_ref().is_none_or(|chosen| !chosen.is_empty());
        counts.then_some(Self {
            players,
            told,
            chosen,
            unfinished: Cell::new(0),
        })
    }

    /// What tells how a game ended, besides what does so of any number of sides.
    pub(crate) fn tellings(&self, others: &[Telling]) -> Vec<Telling> {
        let others = others
            .iter()
            .filter(|telling| matches!(telling, Telling::Winner | Telling::Flag | Telling::Status));
        let all = self
            .told
            .iter()
            .map(|(telling, _)| *telling)
            .chain(others.copied());
        let counts = |telling: &Telling| {
            let chosen = self.chosen.as_ref().filter(|_| telling.tells_result());
            chosen.is_none_or(|chosen| chosen.contains(telling))
        };
        all.filter(counts).collect()
    }

    /// Columns with what each means.
    pub(crate) fn used(&self) -> impl Iterator<Item = (&'static str, usize)> {
        let players = self.players.iter().map(|place| ("player", *place));
        let told = self.told.iter().flat_map(|(telling, places)| {
            let meaning = if *telling == Telling::Ranks {
                "rank"
            } else {
                "score"
            };
            places.iter().map(move |place| (meaning, *place))
        });
        players.chain(told)
    }

    /// Where numbers with commas may be.
    pub(crate) fn scores(&self) -> impl Iterator<Item = usize> {
        let scores = self
            .told
            .iter()
            .filter(|(telling, _)| *telling == Telling::Scores);
        scores.flat_map(|(_, places)| places.iter().copied())
    }

    /// The numbers of the sides that are there: a seat may be empty, with all that would tell how its player did.
    pub(crate) fn present<'r>(
        &self,
        field: impl Fn(usize) -> Result<Field<'r>, Fault>,
    ) -> Result<SmallVec<[usize; 4]>, Fault> {
        let mut present: SmallVec<[usize; 4]> = SmallVec::new();
        for (side, place) in self.players.iter().enumerate() {
            let name = field(*place)?;
            if !(name.text.is_empty() || is_nobody(&name.text)) {
                present.push(side);
                continue;
            }
            for (_, places) in &self.told {
                let told = field(places[side])?;
                if !(told.text.is_empty() || is_nobody(&told.text)) {
                    return Err(name.refuse(&format!("empty, and {} is not", told.name)));
                }
            }
        }
        let is_nothing = |text: &str| text.is_empty() || is_nobody(text) || unplayed(text).is_some();
        let has_finished = |side: usize| -> Result<bool, Fault> {
            for (_, places) in &self.told {
                if !is_nothing(&field(places[side])?.text) {
                    return Ok(true);
                }
            }
            Ok(false)
        };
        let mut finished = SmallVec::new();
        for &side in &present {
            if has_finished(side)? {
                finished.push(side);
            }
        }
        if finished.len() > 1 {
            self.unfinished
                .set(self.unfinished.get() + (present.len() - finished.len()) as u64);
            return Ok(finished);
        }
        if present.len() < 2 {
            let first = field(self.players[0])?;
            return Err(
                first.refuse("empty, or its player has no opponent; every match needs two players or more")
            );
        }
        Ok(present)
    }

    /// What there is to say once all rows were read.
    pub(crate) fn note(&self) -> Option<String> {
        unfinished_note(self.unfinished.get())
    }

    /// What one of the lists says, of each side that is there.
    pub(crate) fn list<'r>(
        &self,
        (meaning, present): (&str, &[usize]),
        decimals: Decimals,
        field: impl Fn(usize) -> Result<Field<'r>, Fault>,
    ) -> Result<Vec<Field<'r>>, Fault> {
        let mut told = self
            .told
            .iter()
            .filter(|(telling, _)| telling.meanings().contains(&meaning));
        let places = told.next().map_or(&[][..], |(_, places)| places);
        let fields = present
            .iter()
            .map(|side| field(places[*side])?.with_decimals(decimals));
        fields.collect()
    }

    /// Whether the rank of a side says that the game was not played to an end.
    pub(crate) fn is_unplayed<'r>(
        &self,
        present: &[usize],
        field: impl Fn(usize) -> Result<Field<'r>, Fault>,
    ) -> Result<bool, Fault> {
        let ranks = self.told.iter().filter(|(telling, _)| *telling == Telling::Ranks);
        for place in ranks.flat_map(|(_, places)| present.iter().map(|side| places[*side])) {
            if unplayed(&field(place)?.text).is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
