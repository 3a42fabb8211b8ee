//! What the legend of a picture explains, and how.

use super::draw::{N, circle, put};

/// A sign and what it means.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Key {
    text: &'static str,
    /// Circles around one another: class and radius.
    circles: &'static [(&'static str, f64)],
    /// The class of a line.
    line: Option<&'static str>,
}

const fn circles(text: &'static str, circles: &'static [(&'static str, f64)]) -> Key {
    let line = None;
    Key { text, circles, line }
}

const fn line(text: &'static str, class: &'static str) -> Key {
    let (circles, line) = (&[], Some(class));
    Key { text, circles, line }
}

pub(crate) const DISC: Key = circles("disc: dual of a vertex", &[("disc", 9.0)]);
pub(crate) const NEGATIVE: Key = circles("negative dual", &[("hole", 9.0)]);
pub(crate) const MOAT: Key = circles("moat: dual of a blossom", &[("moat", 11.0), ("disc", 5.0)]);
pub(crate) const OUTER: Key = circles("outer: rises", &[("outer moat", 11.0), ("outer disc", 5.0)]);
pub(crate) const INNER: Key = circles("inner: falls", &[("inner moat", 11.0), ("inner disc", 5.0)]);
pub(crate) const EXPOSED: Key = circles("exposed vertex", &[("vertex", 3.0), ("exposed", 7.0)]);
pub(crate) const PAIR: Key = line("pair", "pair");
pub(crate) const CYCLE: Key = line("odd cycle: counts one half", "cycle");
pub(crate) const TIGHT: Key = line("tight, not matched", "tight");
pub(crate) const CANDIDATE: Key = line("candidate", "candidate");
pub(crate) const VIOLATED: Key = line("violated pair", "violated");

impl Key {
    /// Draws the sign with its left end at (x, y), and says what it means.
    pub(super) fn write(self, svg: &mut String, x: f64, y: f64) {
        for &(class, radius) in self.circles {
            circle(svg, class, x + 16.0, y, radius);
        }
        let (from, to, level, baseline) = (N(x + 2.0), N(x + 30.0), N(y), N(y + 5.0));
        if let Some(class) = self.line {
            let ends = format_args!("x1=\"{from}\" y1=\"{level}\" x2=\"{to}\" y2=\"{level}\"");
            put(svg, format_args!("<line class=\"{class}\" {ends}/>\n"));
        }
        let (left, text) = (N(x + 38.0), self.text);
        put(
            svg,
            format_args!("<text class=\"note\" x=\"{left}\" y=\"{baseline}\">{text}</text>\n"),
        );
    }
}
