//! The contract of [`Averaging`], law by law, for your own tests: give any ratings.

use crate::average::Averaging;

/// All laws on these ratings (points, oldest first), numbers compared to 1e-6.
///
/// # Errors
/// A sentence that names the law and shows the numbers.
pub fn averaging(average: &impl Averaging, ratings: &[f64]) -> Result<(), String> {
    let value = average.average(ratings);
    if average.average(&[]).is_some() {
        return Err("no ratings have no average".to_owned());
    }
    let Some(value) = value else {
        return if ratings.is_empty() {
            Ok(())
        } else {
            Err(format!("{} ratings have an average", ratings.len()))
        };
    };
    if average.average(ratings) != Some(value) {
        return Err("the same ratings have the same average".to_owned());
    }
    let low = ratings.iter().copied().fold(f64::INFINITY, f64::min);
    let high = ratings.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(low - 1e-6..=high + 1e-6).contains(&value) {
        return Err(format!("{value} lies outside of the ratings, {low} to {high}"));
    }
    let moved: Vec<f64> = ratings.iter().map(|rating| rating + 100.0).collect();
    let after = average.average(&moved).unwrap_or(f64::NAN);
    if (after - value - 100.0).abs() > 1e-6 || after.is_nan() {
        return Err(format!(
            "100 points more for all moved the average by {}",
            after - value
        ));
    }
    for place in 0..ratings.len() {
        let mut raised = ratings.to_vec();
        raised[place] += 50.0;
        let after = average.average(&raised).unwrap_or(f64::NAN);
        if after < value - 1e-6 || after.is_nan() {
            return Err(format!(
                "a higher rating of game {place} took the average from {value} to {after}"
            ));
        }
    }
    Ok(())
}
