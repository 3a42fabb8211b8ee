//! How much a game of two sides counts for its margin.

use matchwright_rating::{MarginWeight, Score};

/// The weight of a game that ended with `result` and a score `difference` for its first side, rated `lead` points above the
/// second, home advantage included. A draw has weight 1, and so has a win of unknown margin.
pub(super) fn weight(by: MarginWeight, result: Score, difference: f64, lead: f64) -> f64 {
    match result {
        Score::WIN => by.weight(difference, lead),
        Score::LOSS => by.weight(difference, -lead),
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_upset_by_the_same_margin_counts_more_whichever_side_it_is_of() {
        let by = MarginWeight::Logarithmic {
            typical: 2.0,
            damping: 2200.0,
        };
        let [expected, upset] = [300.0, -300.0].map(|lead| weight(by, Score::WIN, 2.0, lead));
        assert!(expected < 1.0 && upset > 1.0, "{expected} {upset}");
        assert_eq!(weight(by, Score::LOSS, -2.0, -300.0), expected);
        assert_eq!(weight(by, Score::LOSS, -2.0, 300.0), upset);
        assert_eq!(weight(by, Score::DRAW, 0.0, 300.0), 1.0);
        assert_eq!(weight(by, Score::WIN, 0.0, 300.0), 1.0);
    }
}
