//! Colours, dashes and markers of the series of a plot.

use super::Series;
use super::theme::{COLOURS, DASHES, Role};

/// The number of marker shapes.
pub(crate) const MARKERS: usize = 6;

/// How one series looks.
#[derive(Clone, Copy)]
pub(crate) struct Look {
    pub(crate) line: Role,
    /// For what is never dashed: markers and error bars.
    pub(crate) solid: Role,
    /// Counts marker shapes; they repeat after [`MARKERS`].
    pub(crate) marker: usize,
    pub(crate) line_width: f64,
}

/// Colour, dash and marker of every series. References take none of the palette.
pub(crate) fn looks(series: &[Series]) -> Vec<Look> {
    let mut used = 0;
    let look = |series: &Series| {
        if series.is_guide {
            let dash = usize::from(series.is_dashed || series.has_line());
            return Look {
                line: Role::Guide { dash },
                solid: Role::Guide { dash: 0 },
                marker: 0,
                line_width: 1.5,
            };
        }
        let index = used;
        used += 1;
        // When the colours start over, dashes and markers are shifted against them.
        let (colour, variant) = (index % COLOURS, index + index / COLOURS);
        let dash = match (variant % DASHES.len(), series.has_markers(), series.is_dashed) {
            (0, _, true) => 1,
            // Markers tell the series apart already.
            (_, true, false) => 0,
            (dash, _, _) => dash,
        };
        Look {
            line: Role::Series { colour, dash },
            solid: Role::Series { colour, dash: 0 },
            marker: variant,
            line_width: 2.0,
        }
    };
    series.iter().map(look).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Point;
    use std::collections::BTreeSet;

    #[test]
    fn thirty_six_series_all_look_different_without_and_with_markers() {
        for make in [Series::line, Series::line_and_points] {
            let series: Vec<Series> = (0..36).map(|_| make("s", vec![Point::new(0.0, 0.0)])).collect();
            let seen: BTreeSet<_> = looks(&series)
                .iter()
                .map(|look| {
                    (
                        look.line.sentinel().1,
                        look.line.sentinel().2,
                        if series[0].has_markers() {
                            look.marker % MARKERS
                        } else {
                            0
                        },
                    )
                })
                .collect();
            assert_eq!(seen.len(), 36);
        }
    }

    #[test]
    fn series_differ_by_more_than_colour() {
        let series: Vec<Series> = (0..6)
            .map(|_| Series::line("s", vec![Point::new(0.0, 0.0)]))
            .collect();
        let dashes: BTreeSet<_> = looks(&series)
            .iter()
            .map(|look| match look.line {
                Role::Series { dash, .. } => dash,
                _ => 99,
            })
            .collect();
        assert_eq!(dashes.len(), 6);
        let markers: BTreeSet<_> = looks(&series).iter().map(|look| look.marker % MARKERS).collect();
        assert_eq!(markers.len(), 6);
    }
}
