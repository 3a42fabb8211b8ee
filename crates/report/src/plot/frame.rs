//! [`Frame`]: the SVG element around a drawing, with its names for screen readers and, in a file, its style sheet.

use std::fmt::Write as _;

use maud::html;

use super::theme::style_sheet;
use crate::text::for_markup;

/// A drawing without its element.
pub(crate) struct Frame {
    pub(crate) title: String,
    pub(crate) description: String,
    /// In pixels.
    pub(crate) size: (f64, f64),
    /// Of the drawing's coordinates, per pixel.
    pub(crate) units: f64,
    pub(crate) body: String,
}

impl Frame {
    /// A file, whose id is derived from its content.
    pub(crate) fn file(&self) -> String {
        self.svg(&format!("plot-{:016x}", fnv1a(&self.body)), true)
    }

    /// For inside a page that holds the style sheet.
    pub(crate) fn inline(&self, id: &str) -> String {
        self.svg(id, false)
    }

    fn svg(&self, id: &str, is_file: bool) -> String {
        let (width, height) = self.size;
        let (inner_width, inner_height) = ((self.units * width).round(), (self.units * height).round());
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"{id}\" class=\"mw-plot\" role=\"img\" \
             aria-labelledby=\"{id}-title {id}-desc\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {inner_width} {inner_height}\" style=\"width:100%;height:auto;max-width:{width}px\">\n"
        );
        let head = html! {
            title id=(format!("{id}-title")) { (for_markup(&self.title)) }
            desc id=(format!("{id}-desc")) { (for_markup(&self.description)) }
        };
        svg.push_str(&head.into_string());
        if is_file {
            // The scheme makes a browser that opens the file alone paint the rest of its window to match.
            let _ = write!(
                svg,
                "\n<style>\n:root{{color-scheme:light dark}}\n{}</style>",
                style_sheet()
            );
        }
        let _ = writeln!(svg, "\n{}</svg>", self.body);
        svg
    }
}

/// 64-bit FNV-1a: the same id on every machine and in every version of Rust.
fn fnv1a(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
