//! Where people play from: regions, the pings between them, and languages.

use rand::{Rng, RngExt};

use super::params::LogNormalParams;
use crate::random::standard_normal;

/// Europe, North America, then those far from everybody else.
pub(super) const REGIONS: [&str; 5] = ["eu", "na", "oce", "sa", "sea"];
/// Typical round trips from a player of the row's region to a server of the column's, in milliseconds.
const PINGS: [[f64; 5]; 5] = [
    [20.0, 105.0, 280.0, 200.0, 180.0],
    [105.0, 25.0, 190.0, 140.0, 210.0],
    [280.0, 190.0, 20.0, 300.0, 110.0],
    [200.0, 140.0, 300.0, 25.0, 320.0],
    [180.0, 210.0, 110.0, 320.0, 25.0],
];
/// The languages of each region; the first is spoken by most.
const LANGUAGES: [&[&str]; 5] = [
    &["en", "de", "fr", "pl", "ru", "es"],
    &["en", "es", "fr"],
    &["en"],
    &["es", "pt"],
    &["en", "zh", "th"],
];
/// Hours that the clocks of each region are ahead of universal time, where most of its players live.
const CLOCKS: [f64; 5] = [1.0, -6.0, 10.0, -3.0, 8.0];
/// What a player's own line adds to every round trip, in milliseconds.
const LINE: LogNormalParams = LogNormalParams {
    median: 10.0,
    sigma: 0.6,
};

/// Where a person plays from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Home {
    /// The number of the region.
    pub region: usize,
    /// Round trips to a server of each region, in milliseconds; empty in a world without servers.
    pub pings: Vec<f64>,
    /// Languages that the person speaks, the own one first.
    pub languages: Vec<&'static str>,
    /// Hours that the person's clock is ahead of universal time.
    pub clock: f64,
}

impl Home {
    /// A home in a region of [`REGIONS`].
    pub(super) fn draw(region: usize, random: &mut impl Rng) -> Self {
        let line = LINE.sample(random);
        let mut ping = |typical: f64| typical * (1.0 + 0.06 * standard_normal(random)).max(0.7) + line;
        let pings = PINGS[region].map(|typical| ping(typical).round()).to_vec();
        let spoken = LANGUAGES[region];
        let mut languages = vec![spoken[random.random_range(0..spoken.len())]];
        if languages[0] != spoken[0] && random.random::<f64>() < 0.7 {
            languages.push(spoken[0]);
        }
        Self {
            region,
            pings,
            languages,
            clock: CLOCKS[region],
        }
    }
}
