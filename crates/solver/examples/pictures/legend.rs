//! What the legend of a picture explains, and how.

use super::draw::{circle, number, put};

/// What the legend explains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Key {
    Disc,
    Negative,
    Moat,
    Outer,
    Inner,
    Exposed,
    Pair,
    Cycle,
    Tight,
    Candidate,
    Violated,
}

impl Key {
    fn text(self) -> &'static str {
        match self {
            Self::Disc => "disc: dual of a vertex",
            Self::Negative => "negative dual",
            Self::Moat => "moat: dual of a blossom",
            Self::Outer => "outer: rises",
            Self::Inner => "inner: falls",
            Self::Exposed => "exposed vertex",
            Self::Pair => "pair",
            Self::Cycle => "odd cycle: counts one half",
            Self::Tight => "tight, not matched",
            Self::Candidate => "candidate",
            Self::Violated => "violated pair",
        }
    }

    /// Draws the sign with its left end at (x, y), and says what it means.
    pub(super) fn write(self, svg: &mut String, x: f64, y: f64) {
        let middle = x + 16.0;
        let line = |class: &str| {
            format!(
                "<line class=\"{class}\" x1=\"{}\" y1=\"{2}\" x2=\"{}\" y2=\"{2}\"/>\n",
                number(x + 2.0),
                number(x + 30.0),
                number(y)
            )
        };
        match self {
            Self::Disc => circle(svg, "disc", middle, y, 9.0),
            Self::Negative => circle(svg, "hole", middle, y, 9.0),
            Self::Moat => {
                circle(svg, "moat", middle, y, 11.0);
                circle(svg, "disc", middle, y, 5.0);
            }
            Self::Outer | Self::Inner => {
                let side = if self == Self::Outer { "outer" } else { "inner" };
                circle(svg, &format!("{side} moat"), middle, y, 11.0);
                circle(svg, &format!("{side} disc"), middle, y, 5.0);
            }
            Self::Exposed => {
                circle(svg, "vertex", middle, y, 3.0);
                circle(svg, "exposed", middle, y, 7.0);
            }
            Self::Pair => svg.push_str(&line("pair")),
            Self::Cycle => svg.push_str(&line("cycle")),
            Self::Tight => svg.push_str(&line("tight")),
            Self::Candidate => svg.push_str(&line("candidate")),
            Self::Violated => svg.push_str(&line("violated")),
        }
        put(
            svg,
            format_args!(
                "<text class=\"note\" x=\"{}\" y=\"{}\">{}</text>\n",
                number(x + 38.0),
                number(y + 5.0),
                self.text()
            ),
        );
    }
}
