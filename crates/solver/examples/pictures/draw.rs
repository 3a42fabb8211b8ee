//! From looks to SVG: discs, moats, pairs and trees.

use std::fmt::Write as _;

use matchwright_solver::{Stage, TreeLabel};

use super::legend::Key;
use super::look::Look;
use super::points::Points;

/// Colours, light and dark.
const STYLE: &str = include_str!("style.css");

/// The width of every picture, in pixels.
const WIDTH: f64 = 1000.0;
const MARGIN: f64 = 16.0;
const TITLE_HEIGHT: f64 = 48.0;
const CAPTION_HEIGHT: f64 = 52.0;
const LEGEND_LINE: f64 = 26.0;

/// A picture: panels side by side, each a look.
pub(crate) struct Figure<'a> {
    /// Its file, without the ending.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    /// What there is to see, for those who do not see it.
    pub(crate) description: &'static str,
    pub(crate) points: &'a Points,
    pub(crate) panels: Vec<Panel<'a>>,
    pub(crate) legend: &'static [Key],
}

/// A look and what is shown of it.
pub(crate) struct Panel<'a> {
    pub(crate) look: &'a Look,
    pub(crate) caption: &'static str,
    /// Whether all pairs that the solve looks at are drawn.
    pub(crate) candidates: bool,
    /// Whether vertices are numbered.
    pub(crate) numbers: bool,
}

/// Where points come to lie in a panel.
struct Frame {
    left: f64,
    top: f64,
    scale: f64,
    low: [f64; 2],
}

impl Frame {
    fn place(&self, [x, y]: [f64; 2]) -> (f64, f64) {
        (
            self.left + self.scale * (x - self.low[0]),
            self.top + self.scale * (y - self.low[1]),
        )
    }
}

impl Figure<'_> {
    /// The picture as a file.
    pub(crate) fn to_svg(&self) -> String {
        let count = self.panels.len() as f64;
        let width = (WIDTH - MARGIN * (count + 1.0)) / count;
        let (low, high) = self.extent();
        let scale = width / (high[0] - low[0]);
        let height = scale * (high[1] - low[1]);
        let top = TITLE_HEIGHT + CAPTION_HEIGHT;
        let lines = LEGEND_LINE * self.legend.len().div_ceil(LEGEND_COLUMNS) as f64;
        let total = (top + height + MARGIN + lines + MARGIN).ceil();
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {total}\" width=\"{WIDTH}\" \
             height=\"{total}\" role=\"img\" aria-labelledby=\"title description\">\n\
             <title id=\"title\">{}</title>\n<desc id=\"description\">{}</desc>\n<style>\n{STYLE}</style>\n\
             <rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n\
             <text class=\"title\" x=\"{MARGIN}\" y=\"34\">{0}</text>\n",
            escape(self.title),
            escape(self.description)
        );
        let mut left = MARGIN;
        for (at, panel) in self.panels.iter().enumerate() {
            let frame = Frame {
                left,
                top,
                scale,
                low,
            };
            panel.write(&mut svg, self.points, &frame, (width, height), at);
            left += width + MARGIN;
        }
        self.write_legend(&mut svg, top + height + MARGIN);
        svg.push_str("</svg>\n");
        svg
    }

    /// A box around all that is drawn, the same for all panels.
    fn extent(&self) -> ([f64; 2], [f64; 2]) {
        const EDGE: f64 = 12.0;
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for panel in &self.panels {
            for v in 0..self.points.count() {
                let reach = panel.look.whole_reach(v).abs() + EDGE;
                for (axis, at) in self.points.at(v).into_iter().enumerate() {
                    low[axis] = low[axis].min(at - reach);
                    high[axis] = high[axis].max(at + reach);
                }
            }
        }
        (low, high)
    }

    fn write_legend(&self, svg: &mut String, top: f64) {
        let column = (WIDTH - 2.0 * MARGIN) / LEGEND_COLUMNS as f64;
        let mut y = top + 0.5 * LEGEND_LINE;
        for line in self.legend.chunks(LEGEND_COLUMNS) {
            let mut x = MARGIN;
            for key in line {
                key.write(svg, x, y);
                x += column;
            }
            y += LEGEND_LINE;
        }
    }
}

const LEGEND_COLUMNS: usize = 4;

impl Panel<'_> {
    fn write(
        &self,
        svg: &mut String,
        points: &Points,
        frame: &Frame,
        (width, height): (f64, f64),
        at: usize,
    ) {
        let (x, y, w, h) = (N(frame.left), N(frame.top), N(width), N(height));
        let look = self.look;
        put(
            svg,
            format_args!(
                "<text class=\"caption\" x=\"{x}\" y=\"{}\">{}</text>\n<text class=\"note\" x=\"{x}\" y=\"{}\">{}</text>\n\
             <clipPath id=\"panel{at}\"><rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"/></clipPath>\n\
             <g clip-path=\"url(#panel{at})\">\n",
                N(frame.top - 34.0),
                escape(self.caption),
                N(frame.top - 12.0),
                self.note()
            ),
        );
        write_moats(svg, look, points, frame, at);
        write_discs(svg, look, points, frame);
        if self.candidates {
            lines(svg, "candidate", &look.candidates, points, frame);
        }
        let paired = |pair: &(usize, usize)| look.pairs.contains(pair);
        let shown = |&(i, j): &(usize, usize)| {
            let solved = look.stage != Stage::Start && !(look.is_sample || self.candidates);
            solved && !paired(&(i, j)) && !on_cycle(look, i, j)
        };
        let tight: Vec<_> = look.tight(points).into_iter().filter(shown).collect();
        lines(svg, "tight", &tight, points, frame);
        lines(svg, "pair", &look.pairs, points, frame);
        for cycle in &look.cycles {
            let next = cycle.iter().cycle().skip(1);
            let edges: Vec<_> = cycle.iter().copied().zip(next.copied()).collect();
            lines(svg, "cycle", &edges, points, frame);
        }
        lines(svg, "violated", &look.violated, points, frame);
        self.write_vertices(svg, points, frame);
        put(
            svg,
            format_args!("</g>\n<rect class=\"frame\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"/>\n"),
        );
    }

    fn note(&self) -> String {
        let (look, all) = (self.look, self.look.radii.len());
        let mut note = vec![sums(look)];
        if look.is_sample {
            note.push(format!(
                "{} of {all} vertices",
                look.radii.iter().flatten().count()
            ));
        }
        if self.candidates {
            note.push(format!(
                "{} of {} pairs",
                look.candidates.len(),
                all * (all - 1) / 2
            ));
        }
        if !look.violated.is_empty() {
            note.push(format!("{} violated pairs", look.violated.len()));
        }
        note.join("; ")
    }

    fn write_vertices(&self, svg: &mut String, points: &Points, frame: &Frame) {
        for v in 0..points.count() {
            let (x, y) = frame.place(points.at(v));
            let (class, radius) = if self.look.radii[v].is_some() {
                ("vertex", 3.0)
            } else {
                ("asleep", 2.0)
            };
            circle(svg, class, x, y, radius);
            if self.look.stage != Stage::Start && self.look.exposed.contains(&v) {
                circle(svg, "exposed", x, y, 7.0);
            }
            if self.numbers {
                let (x, y) = (N(x + 6.0), N(y - 6.0));
                put(
                    svg,
                    format_args!("<text class=\"number\" x=\"{x}\" y=\"{y}\">{v}</text>\n"),
                );
            }
        }
    }
}

/// Each moat as the discs of its outer shore, first with rims, then without, so that rims inside are covered; from
/// large to small, so that what is inside covers what is around.
fn write_moats(svg: &mut String, look: &Look, points: &Points, frame: &Frame, panel: usize) {
    for (at, moat) in look.moats.iter().enumerate().filter(|(_, moat)| moat.width > 0.0) {
        let id = format!("moat{panel}-{at}");
        let class = role(look, moat.vertices[0]);
        put(svg, format_args!("<g class=\"{class}moat\"><g id=\"{id}\">\n"));
        for &v in &moat.vertices {
            let (x, y) = frame.place(points.at(v));
            let radius = frame.scale * look.reach(v, Some(moat));
            let (x, y, radius) = (N(x), N(y), N(radius));
            put(
                svg,
                format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>\n"),
            );
        }
        put(
            svg,
            format_args!("</g><use href=\"#{id}\" stroke=\"none\"/></g>\n"),
        );
    }
}

fn write_discs(svg: &mut String, look: &Look, points: &Points, frame: &Frame) {
    for v in 0..points.count() {
        let Some(radius) = look.radii[v] else { continue };
        let (x, y) = frame.place(points.at(v));
        let class = if radius < 0.0 {
            "hole".to_owned()
        } else {
            format!("{}disc", role(look, v))
        };
        circle(svg, &class, x, y, frame.scale * radius.abs());
    }
}

/// The classes of a vertex's side of the tree.
fn role(look: &Look, v: usize) -> &'static str {
    match look.labels[v] {
        Some(TreeLabel::Outer) => "outer ",
        Some(TreeLabel::Inner) => "inner ",
        None => "",
    }
}

/// Whether the edge is on an odd cycle.
fn on_cycle(look: &Look, i: usize, j: usize) -> bool {
    look.cycles.iter().any(|cycle| {
        let next = cycle.iter().cycle().skip(1);
        cycle
            .iter()
            .zip(next)
            .any(|(&a, &b)| (a, b) == (i, j) || (b, a) == (i, j))
    })
}

/// The sum of the duals, which is a bound as long as nothing overlaps.
fn sums(look: &Look) -> String {
    let (radii, moats) = (look.radii_sum(), look.moats_sum());
    if look.moats.is_empty() {
        return format!("sum of the radii {radii:.2}");
    }
    format!("radii {radii:.2} + moats {moats:.2} = {:.2}", radii + moats)
}

fn lines(svg: &mut String, class: &str, edges: &[(usize, usize)], points: &Points, frame: &Frame) {
    for &(i, j) in edges {
        let ((x1, y1), (x2, y2)) = (frame.place(points.at(i)), frame.place(points.at(j)));
        let (x1, y1, x2, y2) = (N(x1), N(y1), N(x2), N(y2));
        let ends = format_args!("x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"");
        put(svg, format_args!("<line class=\"{class}\" {ends}/>\n"));
    }
}

pub(super) fn circle(svg: &mut String, class: &str, x: f64, y: f64, radius: f64) {
    let (x, y, radius) = (N(x), N(y), N(radius));
    put(
        svg,
        format_args!("<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>\n"),
    );
}

/// A number as the picture has it: tenths of a hundredth of a pixel are nothing that anyone sees.
#[derive(Clone, Copy)]
pub(super) struct N(pub(super) f64);

impl std::fmt::Display for N {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = format!("{:.2}", self.0);
        let text = text.trim_end_matches('0').trim_end_matches('.');
        f.write_str(if text == "-0" { "0" } else { text })
    }
}

pub(super) fn put(svg: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = svg.write_fmt(text);
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
