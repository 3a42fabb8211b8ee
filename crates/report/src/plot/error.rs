//! [`PlotError`]: why a plot could not be drawn.

use super::Scale;
use super::terminal::{GREATEST_TERMINAL_SIZE, LEAST_TERMINAL_SIZE};

/// The least width and height of a plot, in pixels.
pub const LEAST_SIZE: (u32, u32) = (240, 180);
/// The greatest width or height of a plot, in pixels.
pub const GREATEST_SIZE: u32 = 10_000;

/// Why a plot could not be drawn.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlotError {
    /// No point can be drawn.
    #[error("plot \"{title}\": nothing to draw: {reason}")]
    Empty {
        /// The plot's title.
        title: String,
        /// Whether there are no points at all, or why none of them can be drawn.
        reason: String,
    },
    /// A range has ends that are not finite, not apart, not in order, or not positive on a logarithmic axis.
    #[error(
        "axis \"{axis}\": cannot show the range {low} to {high} on a {scale:?} scale; give finite ends, the lower first, both positive on Log10"
    )]
    Range {
        /// The axis's label.
        axis: String,
        /// The lower end asked for.
        low: f64,
        /// The upper end asked for.
        high: f64,
        /// The scale of the axis.
        scale: Scale,
    },
    /// A width or a height out of bounds.
    #[error("plot size {width} x {height}: give at least {} x {} and at most {GREATEST_SIZE} pixels", LEAST_SIZE.0, LEAST_SIZE.1)]
    Size {
        /// The width asked for.
        width: u32,
        /// The height asked for.
        height: u32,
    },
    /// A width or a height in characters out of bounds.
    #[error("terminal plot size {width} x {height}: give at least {} x {} and at most {GREATEST_TERMINAL_SIZE} characters", LEAST_TERMINAL_SIZE.0, LEAST_TERMINAL_SIZE.1)]
    TerminalSize {
        /// The width asked for.
        width: usize,
        /// The height asked for.
        height: usize,
    },
    /// The drawing backend failed.
    #[error("the SVG backend failed: {0}; this is a fault of matchwright-report, please report it")]
    Drawing(String),
}
