//! Who searches for lineups.

use matchwright_lobby::{Annealing, Awesomenauts, LobbySolver};
use matchwright_solver::Watch;
use serde::Serialize;

use super::Round;

/// Swaps that the article's author forced at a local optimum: "a dozen or so".
const DOZEN: usize = 12;

/// The share of a budget that a reader's annealing gets; the rest is for the ascent behind it.
const ANNEALED: (u64, u64) = (9, 10);

/// A way to search for lineups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Contender {
    /// What the game did: up to a local optimum, then anew from a semi-random start.
    StartingAnew,
    /// What its author gave up: from one start, forced swaps at each local optimum, on and on.
    ForcedSwaps,
    /// Both: forced swaps for as long as they gain, then anew.
    ForcedThenAnew,
    /// What a reader proposed: simulated annealing over the same swaps, with the ascent behind it.
    ReadersAnnealing,
    /// Ours: annealing over exchanges of parties, teams included.
    OurAnnealing,
}

impl Contender {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::StartingAnew,
        Self::ForcedSwaps,
        Self::ForcedThenAnew,
        Self::ReadersAnnealing,
        Self::OurAnnealing,
    ];

    /// In words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::StartingAnew => "starting anew",
            Self::ForcedSwaps => "forced swaps alone",
            Self::ForcedThenAnew => "forced swaps, then anew",
            Self::ReadersAnnealing => "a reader's annealing",
            Self::OurAnnealing => "our annealing",
        }
    }

    /// The search with so many evaluations: times that the quality of a match was judged. A split of the port is one,
    /// an exchange of ours, which changes two matches, is two.
    pub(crate) fn solver(self, seed: u64, evaluations: u64) -> Box<dyn LobbySolver> {
        match self.port(seed, evaluations) {
            Some(port) => Box::new(port.with_evaluations(evaluations)),
            None => Box::new(Annealing::new(seed).with_moves(evaluations / 2)),
        }
    }

    fn port(self, seed: u64, evaluations: u64) -> Option<Awesomenauts> {
        let port = Awesomenauts::new(seed).with_starts(usize::MAX);
        let forced = port.clone().with_forced_swaps(DOZEN);
        match self {
            Self::StartingAnew => Some(port),
            Self::ForcedSwaps => Some(forced.with_fruitless_rounds(usize::MAX)),
            Self::ForcedThenAnew => Some(forced),
            Self::ReadersAnnealing => Some(port.with_annealing(evaluations / ANNEALED.1 * ANNEALED.0)),
            Self::OurAnnealing => None,
        }
    }

    /// The total after as long as `watch` says less than 1, on one thread; `evaluations` are those of one start of
    /// the reader's annealing, which then starts anew.
    pub(super) fn total_while(
        self,
        round: &Round,
        (seed, evaluations): (u64, u64),
        watch: Watch<'_>,
    ) -> anyhow::Result<f64> {
        let scoring = round.scoring();
        let lineups = match self.port(seed, evaluations) {
            Some(port) => port.solve_while(&round.lobbies, &scoring, watch)?,
            None => Annealing::new(seed).solve_while(&round.lobbies, &scoring, watch)?,
        };
        Ok(lineups.value / round.matches())
    }

    /// From one start, with and without a dozen forced swaps: search for [`run_race`](super::run_race)'s second
    /// table.
    pub(crate) fn one_start(seed: u64) -> [Awesomenauts; 2] {
        let one = Awesomenauts::new(seed).with_starts(1);
        [one.clone(), one.with_forced_swaps(DOZEN)]
    }
}
