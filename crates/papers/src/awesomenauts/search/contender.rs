//! Who searches for lineups.

use anyhow::Result;
use matchwright_lobby::{Annealing, LobbySolver};
use matchwright_solver::Limits;
use serde::Serialize;

use super::super::Awesomenauts;
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

    /// The limit of this many evaluations: times that the quality of a match was judged. A split of the port is one, an
    /// exchange of ours, which changes two matches, is two.
    pub(super) fn limits(self, evaluations: u64) -> Limits<'static> {
        let each = if self == Self::OurAnnealing { 2 } else { 1 };
        Limits::unlimited().with_work(evaluations / each)
    }

    /// The mean quality of its lineups within these limits; `evaluations` are those of one start of the reader's
    /// annealing, which then starts anew.
    pub(super) fn total(
        self,
        round: &Round,
        seed: u64,
        evaluations: u64,
        limits: &Limits<'_>,
    ) -> Result<f64> {
        round.total(&*self.solver(seed, evaluations), limits)
    }

    /// The search, which ends at a limit only; `evaluations` are those of one start of the reader's annealing.
    fn solver(self, seed: u64, evaluations: u64) -> Box<dyn LobbySolver> {
        let anew = Awesomenauts {
            starts: usize::MAX,
            ..Awesomenauts::new(seed)
        };
        Box::new(match self {
            Self::StartingAnew => anew,
            Self::ForcedSwaps => Awesomenauts {
                forced_swaps: DOZEN,
                fruitless_rounds: usize::MAX,
                ..anew
            },
            Self::ForcedThenAnew => Awesomenauts {
                forced_swaps: DOZEN,
                ..anew
            },
            Self::ReadersAnnealing => Awesomenauts {
                annealing: evaluations / ANNEALED.1 * ANNEALED.0,
                ..anew
            },
            Self::OurAnnealing => return Box::new(Annealing::new(seed).with_moves(u64::MAX)),
        })
    }

    /// One start, one with forced swaps, and two starts: the searches of [`run_race`](super::run_race)'s second table.
    pub(crate) fn few_starts(seed: u64) -> [Awesomenauts; 3] {
        let one = Awesomenauts {
            starts: 1,
            ..Awesomenauts::new(seed)
        };
        let forced = Awesomenauts {
            forced_swaps: DOZEN,
            ..one.clone()
        };
        let two = Awesomenauts {
            starts: 2,
            ..one.clone()
        };
        [one, forced, two]
    }
}
