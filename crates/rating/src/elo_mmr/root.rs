//! The zero of a decreasing function by Newton's method, kept within a bracket.

/// The zero between `low` and `high` of a decreasing function that returns its value and its slope, looked for from `start`,
/// or from the middle if that is not between them.
///
/// A step of Newton's that leaves the bracket, or follows one that did not halve the distance, is replaced by a bisection,
/// so that at most some 200 evaluations are needed, and three or four from a good start. It ends where a step is below the
/// rounding of `x`, or 1e-14 of `scale`, or the next would be: steps of Newton's shrink with their squares.
pub(super) fn decreasing_zero(
    mut function: impl FnMut(f64) -> (f64, f64),
    (mut low, mut high): (f64, f64),
    start: f64,
    scale: f64,
) -> f64 {
    let is_between = low < start && start < high;
    let mut x = if is_between { start } else { 0.5 * (low + high) };
    let (mut last_step, mut was_newton) = (high - low, false);
    for _ in 0..MOST_STEPS {
        let (value, slope) = function(x);
        if value == 0.0 {
            return x;
        }
        if value > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let newton = x - value / slope;
        let is_sound = low < newton && newton < high && 2.0 * (newton - x).abs() < last_step;
        let next = if is_sound { newton } else { 0.5 * (low + high) };
        let step = (next - x).abs();
        let shrunk = step / last_step;
        let left = if is_sound && was_newton {
            step * shrunk * shrunk
        } else {
            step
        };
        x = next;
        if left <= (2.0 * f64::EPSILON * x.abs()).max(1e-14 * scale) {
            break;
        }
        (last_step, was_newton) = (step, is_sound);
    }
    x
}

/// Bisections of the widest bracket down to the rounding of a double, and as many steps of Newton's between them.
const MOST_STEPS: u32 = 200;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_zero_is_found_to_rounding_where_newtons_steps_alone_would_run_away() {
        for at in [-3.0, 0.0, 1e-9, 700.0, -1e9] {
            let tanh = |x: f64| {
                let t = (at - x).tanh();
                (t, -(1.0 - t * t))
            };
            let found = decreasing_zero(tanh, (-2e9, 3e9), f64::NAN, 1.0);
            assert!(
                (found - at).abs() <= 4.0 * f64::EPSILON * at.abs().max(1.0),
                "{found} {at}"
            );
            let cube = |x: f64| ((at - x).powi(3), -3.0 * (at - x).powi(2));
            let found = decreasing_zero(cube, (-2e9, 3e9), at + 5.0, 1.0);
            assert!((found - at).abs() <= 1e-6 * at.abs().max(1.0), "{found} {at}");
        }
    }

    #[test]
    fn an_empty_bracket_is_its_own_zero() {
        assert_eq!(decreasing_zero(|x| (-x, -1.0), (2.5, 2.5), 2.5, 1.0), 2.5);
    }
}
