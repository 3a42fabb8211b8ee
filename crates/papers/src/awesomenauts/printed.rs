//! What "The Awesomenauts matchmaking algorithm" prints (Ronimo Games, 16 September 2018), with the figures that
//! readers and author add in the comments.
//!
//! ```
//! use matchwright_papers::awesomenauts::printed::FAVOUR;
//!
//! let sum = |pair: [f64; 2]| pair.map(f64::sqrt).iter().sum::<f64>();
//! assert!(sum(FAVOUR.after) < sum(FAVOUR.before));
//! ```

use serde::Serialize;

/// Parties of two teams, and the quality that the article gives them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PrintedPremades {
    /// Sizes of the first team's parties; 1 is a single player.
    pub first: &'static [usize],
    /// Sizes of the second team's.
    pub second: &'static [usize],
    /// Quality, a share of 1.
    pub quality: f64,
}

const fn premades(first: &'static [usize], second: &'static [usize], quality: f64) -> PrintedPremades {
    PrintedPremades {
        first,
        second,
        quality,
    }
}

/// The third of the six factors: three friends against three structures.
pub const PREMADES: [PrintedPremades; 3] = [
    premades(&[3], &[3], 1.0),
    premades(&[3], &[2, 1], 0.6),
    premades(&[3], &[1, 1, 1], 0.0),
];

/// Pairs of players in a match of six.
pub const PAIRS: usize = 15;

/// Pairs of opponents in it.
pub const ENEMY_PAIRS: usize = 9;

/// Ways to split six players into two teams.
pub const SPLITS: usize = 10;

/// Section on limiting ranges: the skill above which nothing counts.
pub const SKILL_CAP: f64 = 18_000.0;

/// A skill of the very top, beyond the cap.
pub const TOP_SKILL: f64 = 20_000.0;

/// The author's last comment: the difference of skills from which on all are alike, and one beyond it.
pub const DIFFERENCE_CAP: (f64, f64) = (10_000.0, 12_000.0);

/// The same comment: pings below are perfect, milliseconds.
pub const PERFECT_PING: f64 = 50.0;

/// Section on scores that are no straight lines: the step in ping that is worth more, and the one that is worth less.
pub const PING_STEPS: [(f64, f64); 2] = [(110.0, 100.0), (210.0, 200.0)];

/// A swap that the total refuses: what one match gains and another loses.
pub const REFUSED_SWAP: (f64, f64) = (0.05, 0.10);

/// Two matches' qualities before and after a swap.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PrintedSwap {
    /// Before.
    pub before: [f64; 2],
    /// After.
    pub after: [f64; 2],
}

/// The swap that one might prefer, and for which the article proposes square roots.
pub const FAVOUR: PrintedSwap = PrintedSwap {
    before: [0.50, 0.90],
    after: [0.55, 0.80],
};

/// A reader's two matches: mean difference of the 15 pairs, and the score of equally skilled players.
pub const READER: [(f64, f64); 2] = [(1979.0, 0.74), (1832.0, 0.73)];
