//! What of a plot's content is inside its axes.

/// Of a marker, pixels.
pub(crate) const MARKER_RADIUS: f64 = 4.0;

/// Whether a position is on the axis, ends included.
pub(crate) fn is_inside(position: f64) -> bool {
    (-1e-9..=1.0 + 1e-9).contains(&position)
}

/// The part of a segment inside the unit square.
///
/// Liang and Barsky, "A new concept and method for line clipping", ACM Transactions on Graphics 3(1), 1984,
/// DOI 10.1145/357332.357333.
pub(crate) fn clip(from: (f64, f64), to: (f64, f64)) -> Option<((f64, f64), (f64, f64))> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for (towards, distance) in [
        (-dx, from.0),
        (dx, 1.0 - from.0),
        (-dy, from.1),
        (dy, 1.0 - from.1),
    ] {
        if towards == 0.0 {
            if distance < -1e-9 {
                return None;
            }
        } else if towards < 0.0 {
            enter = enter.max(distance / towards);
        } else {
            leave = leave.min(distance / towards);
        }
    }
    // Ends that are inside stay exactly as they are, so that neighbouring segments join.
    let at = |t: f64| (from.0 + t * dx, from.1 + t * dy);
    let start = if enter <= 1e-9 { from } else { at(enter) };
    let end = if leave >= 1.0 - 1e-9 { to } else { at(leave) };
    (enter <= leave).then_some((start, end))
}
