//! What the papers' streams of randomness are for.

use matchwright_sim::random::stream;
use rand_chacha::ChaCha8Rng;

/// What a stream of [`matchwright_sim::random`] is for; part of its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub(crate) enum Purpose {
    /// Samples of checks; `(2^32 or the check, sample)`.
    Checks = 1,
    /// Which matches the state collection is sampled from.
    States = 3,
    /// Which states wait in a pool; `(pool size, round)`.
    Pool = 4,
    /// Which pairs the random policy makes; `(pool size, round)`.
    Pairing = 5,
    /// Outcomes and churn of a round, shared by all methods; `(pool size, round)`.
    Outcomes = 6,
    /// Which rows the churn model is fitted on.
    Rows = 7,
    /// How players fall into folds.
    Folds = 8,
    /// Small pools that section 4's statements are tested on; `(stage, cell)`.
    Theory = 20,
    /// Pools of the gain law; `(cell, round)`.
    GainLaw = 21,
    /// Random matchmaking in them; `(cell, round)`.
    GainLawPairing = 22,
    /// Seeds of populations that are not as EOMM assumes; `(population, 0)`.
    OtherWorlds = 23,
    /// Players of cohorts, `(player, 0)`, their rounds, `(player, 1 + age)`, and seeds of worlds and records.
    Cohorts = 24,
    /// Random matchmaking among them; `(round, 0)`.
    CohortsPairing = 25,
    /// Newcomers' opponents and results; `(newcomer, 0)`.
    Newcomers = 30,
    /// A closed world of alliances that gain and lose points; `(round, 0)`.
    Inflation = 31,
    /// Seeds of leagues with a newcomer, `(world, 0)`, and their rounds, `(round, 0)`.
    League = 35,
    /// Seeds of worlds of alliances that queue for wars; `(world, 0)`.
    Wars = 36,
    /// Players whose win rates are followed, `(world, 0)`, and their games, `(world, game)`.
    WinRates = 37,
    /// Players of a ladder with a bonus pool; `(setting, player)`.
    Points = 32,
    /// Games with parties, for the regression; `(data set, 0)`.
    Parties = 33,
    /// Individual performances; `(game, 0)`.
    Performance = 34,
    /// The Awesomenauts search: the seed of a start, `(start, 0)`, and of its annealing, `(start, 1)`.
    LocalSearch = 41,
    /// Seeds of rounds of waiting players, `(round, 0)`, and a random order of them, `(round, 1)`.
    Rounds = 42,
    /// A ladder's season and divisions; `(0, 0)` and `(1, division)`.
    LadderSeason = 50,
    /// Its players; `(division, slot)`.
    LadderPlayers = 51,
    /// A player's games of any Elo-like ladder; `(player, 0)`.
    VisibleGames = 52,
    /// Seeds of many ladders; `(ladder, 0)`.
    Ladders = 53,
}

impl From<Purpose> for u64 {
    fn from(purpose: Purpose) -> Self {
        purpose as Self
    }
}

/// The randomness of one check: `check` keeps checks apart, `sample` the samples of one.
pub(crate) fn check_stream(seed: u64, check: u64, sample: u64) -> ChaCha8Rng {
    // Counters that the edges' tests, which share the purpose, never ask for.
    stream(seed, Purpose::Checks, 1 << 32 | check, sample)
}
