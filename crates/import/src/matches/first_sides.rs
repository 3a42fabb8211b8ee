//! How often the first side wins.

/// The fewest decided games that tell something.
const LEAST: u64 = 20;

/// Counts the games that the first side won.
#[derive(Default)]
pub(crate) struct FirstSides {
    won: u64,
    decided: u64,
}

impl FirstSides {
    /// Whether the first side won a game, if that was not clear from the names of the columns.
    pub(crate) fn add(&mut self, won: Option<bool>) {
        self.decided += u64::from(won.is_some());
        self.won += u64::from(won == Some(true));
    }

    /// A word on them, if it is more than 70 %.
    pub(crate) fn note(&self) -> Option<String> {
        let Self { won, decided } = *self;
        (decided >= LEAST && 10 * won > 7 * decided).then(|| {
            format!(
                "the first side won {won} of {decided} decided games: if the file puts winners first, the order tells who \
                 won, and forecasts from it are worth nothing; if the first side has an advantage, `rate \
                 --home-advantage` takes it into account"
            )
        })
    }
}
