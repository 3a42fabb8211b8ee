//! What "Dota 2: Matchmaking" prints (Valve, 7 December 2013): eight percentiles and one match with parties.
//!
//! ```
//! use matchwright_papers::dota::printed::{MATCH, TOTALS};
//!
//! let adjusted = |side: usize| MATCH[side].iter().map(|player| player.adjusted).sum::<f64>();
//! assert_eq!([adjusted(0), adjusted(1)], TOTALS);
//! ```

use serde::Serialize;

/// Section "Your Matchmaking Rating": percent of players of normal matchmaking, and the MMR that this many are below.
pub const PERCENTILES: [(f64, f64); 8] = [
    (5.0, 1100.0),
    (10.0, 1500.0),
    (25.0, 2000.0),
    (50.0, 2250.0),
    (75.0, 2731.0),
    (90.0, 3200.0),
    (95.0, 3900.0),
    (99.0, 4100.0),
];

/// One line of the printed match.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PrintedPlayer {
    /// The party's letter; a letter that no team mate has is a single player.
    pub party: char,
    /// MMR, as a whole number.
    pub mmr: f64,
    /// Adjusted MMR, as a whole number.
    pub adjusted: f64,
}

const fn player(party: char, mmr: f64, adjusted: f64) -> PrintedPlayer {
    PrintedPlayer { party, mmr, adjusted }
}

/// Section "What About Parties?": Radiant, then Dire, as printed.
pub const MATCH: [[PrintedPlayer; 5]; 2] = [
    [
        player('D', 2994.0, 3003.0),
        player('F', 2788.0, 2788.0),
        player('A', 2687.0, 2687.0),
        player('F', 2626.0, 2627.0),
        player('D', 2401.0, 2410.0),
    ],
    [
        player('C', 3046.0, 3062.0),
        player('C', 2920.0, 2936.0),
        player('E', 2716.0, 2716.0),
        player('B', 2672.0, 2672.0),
        player('C', 2100.0, 2116.0),
    ],
];

/// The names of the two sides.
pub const SIDES: [&str; 2] = ["Radiant", "Dire"];

/// The printed sums of adjusted MMR.
pub const TOTALS: [f64; 2] = [13_515.0, 13_502.0];

/// Half of the last printed digit.
pub const ROUNDING: f64 = 0.5;

/// Games that unlock ranked matchmaking, "approximately".
pub const GAMES_TO_UNLOCK: u32 = 150;

/// Games of a calibration.
pub const CALIBRATION_GAMES: u32 = 10;

/// Games between which steps of experience are alike: from the first to the second as from there to the third.
pub const EXPERIENCE_STEPS: [u64; 3] = [40, 120, 280];

/// What the parties' mean adjusted MMR lies "around".
pub const PARTY_MEAN: f64 = 2700.0;
