//! A report as one HTML file that works offline.

mod bars;
mod files;
mod section;

use std::collections::BTreeSet;

use maud::{DOCTYPE, Markup, PreEscaped, html};

pub use bars::Bars;
pub use files::FileError;
use section::Block;
pub use section::{Callout, Section};

use crate::plot::{Plot, style_sheet};
use crate::text::{for_link, for_markup};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");
/// The SHA-256 of the script in base64: browsers run no other.
const SCRIPT_HASH: &str = "n9nlgjVLZgBB+NpB+iixA1rsIH5T+Pc7ZShRiUSxijY=";

/// On a phone a plot is drawn anew at this size: scaled down, its labels would be too small to read.
const NARROW_SIZE: (u32, u32) = (380, 400);
/// Plots up to this width are legible on a phone as they are.
const WIDE_FROM: u32 = 480;

/// A page: title, leading paragraphs, contents, sections.
///
/// The file asks for nothing else: no fonts, scripts or images from anywhere, which its content security policy
/// enforces. One small script of its own sorts, filters and folds tables; without it every row is shown. The page
/// follows the reader's light or dark scheme, prints, fits a phone, and serves screen readers and keyboards. All
/// strings are plain text and are escaped.
///
/// ```
/// use matchwright_report::{Page, Section};
///
/// let html = Page::new("EOMM on real players")
///     .lead("How many players stay, by pairing method.")
///     .section(Section::new("Table 2").paragraph("1 < 2 & so on"))
///     .to_html();
/// assert!(html.starts_with("<!DOCTYPE html>"));
/// assert!(html.contains("1 &lt; 2 &amp; so on"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    title: String,
    language: String,
    leads: Vec<String>,
    sections: Vec<Section>,
    footer: String,
}

impl Page {
    /// A page in English without sections.
    #[must_use]
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            language: "en".into(),
            leads: Vec::new(),
            sections: Vec::new(),
            footer: String::new(),
        }
    }

    /// Adds a paragraph under the title.
    #[must_use]
    pub fn lead(mut self, paragraph: impl Into<String>) -> Self {
        self.leads.push(paragraph.into());
        self
    }

    /// Adds a section at the end. With two or more the page has a list of contents.
    #[must_use]
    pub fn section(mut self, section: Section) -> Self {
        self.sections.push(section);
        self
    }

    /// A line at the foot of the page, such as the program and its version.
    #[must_use]
    pub fn footer(mut self, text: impl Into<String>) -> Self {
        self.footer = text.into();
        self
    }

    /// The language of the text as a BCP 47 tag; `en` unless set.
    #[must_use]
    pub fn language(mut self, tag: impl Into<String>) -> Self {
        self.language = tag.into();
        self
    }

    /// The whole file.
    #[must_use]
    pub fn to_html(&self) -> String {
        let anchors = unique_anchors(&self.sections);
        let mut plots = 0;
        let bodies: Vec<Markup> = self
            .sections
            .iter()
            .map(|section| section_body(section, &mut plots))
            .collect();
        let policy = format!(
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{SCRIPT_HASH}'; img-src data:"
        );
        let document = html! {
            (DOCTYPE)
            html lang=(for_markup(&self.language)) {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(policy);
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (for_markup(&self.title)) }
                    style { (PreEscaped("\n")) (PreEscaped(STYLE)) (PreEscaped(style_sheet())) }
                }
                body {
                    a class="mw-skip" href="#content" { "Skip to the content" }
                    header {
                        h1 { (for_markup(&self.title)) }
                        @for lead in &self.leads { p class="mw-lead" { (for_markup(lead)) } }
                    }
                    @if self.sections.len() > 1 {
                        nav aria-labelledby="contents" {
                            h2 id="contents" { "Contents" }
                            ol {
                                @for (section, anchor) in self.sections.iter().zip(&anchors) {
                                    li { a href={ "#" (anchor) } { (for_markup(&section.heading)) } }
                                }
                            }
                        }
                    }
                    main id="content" tabindex="-1" {
                        @for ((section, anchor), body) in self.sections.iter().zip(&anchors).zip(&bodies) {
                            (PreEscaped("\n")) section aria-labelledby=(anchor) {
                                h2 id=(anchor) { (for_markup(&section.heading)) }
                                (body)
                            }
                        }
                    }
                    @if !self.footer.is_empty() { footer { p { (for_markup(&self.footer)) } } }
                    script { (PreEscaped(SCRIPT)) }
                }
            }
        };
        document.into_string() + "\n"
    }
}

/// An anchor per section: its heading in lower case with hyphens, numbered where the page has that id already.
fn unique_anchors(sections: &[Section]) -> Vec<String> {
    // The page's own ids; those of plots hold an underscore, which no anchor does.
    let mut taken: BTreeSet<String> = ["content", "contents"].map(str::to_owned).into();
    let anchor = |section: &Section| {
        let words: Vec<String> = section
            .heading
            .split(|character: char| !character.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect();
        let base = if words.is_empty() {
            "section".to_owned()
        } else {
            words.join("-")
        };
        let numbered = (2_usize..).map(|number| format!("{base}-{number}"));
        let free = std::iter::once(base.clone())
            .chain(numbered)
            .find(|candidate| !taken.contains(candidate))
            .unwrap_or(base);
        taken.insert(free.clone());
        free
    };
    sections.iter().map(anchor).collect()
}

/// Everything under the heading; `plots` counts those of the page.
fn section_body(section: &Section, plots: &mut usize) -> Markup {
    let blocks: Vec<Markup> = section
        .blocks
        .iter()
        .map(|block| match block {
            Block::Plot(plot) => {
                *plots += 1;
                figure(plot, *plots)
            }
            other => plain_block(other),
        })
        .collect();
    // Line breaks between blocks keep the source readable and its differences small.
    html! { @for block in &blocks { (PreEscaped("\n")) (block) } }
}

fn plain_block(block: &Block) -> Markup {
    html! {
        @match block {
            Block::Paragraph(text) => { p { (for_markup(text)) } }
            Block::List(items) => { ul { @for item in items { li { (for_markup(item)) } } } }
            Block::Table(table) => { (table.markup()) }
            Block::Attached(table) => {
                @if let Some(stem) = table.file_stem() { (link(table.caption(), &format!("{stem}.csv"))) }
            }
            Block::Bars(bars) => { (bars.markup()) }
            Block::KeyValues(pairs) => {
                dl { @for (key, value) in pairs { div { dt { (for_markup(key)) } dd { (for_markup(value)) } } } }
            }
            Block::Callout(kind, label, text) => {
                p class=(kind.class()) role="note" { strong { (label) ": " } (for_markup(text)) }
            }
            Block::Preformatted(text) => { pre tabindex="0" { code { (for_markup(text)) } } }
            Block::Download { label, file_name } => { (link(label, file_name)) }
            // Drawn by `figure`, which needs the plot's number.
            Block::Plot(_) => {}
        }
    }
}

/// A link to a file in the page's own folder.
fn link(label: &str, file_name: &str) -> Markup {
    html! { p class="mw-download" { a href=(for_link(file_name)) download { (for_markup(label)) } } }
}

/// A plot with its caption, drawn for a desk and, where that is too wide for a phone, once more for a phone. The
/// style sheet shows one of the two and hides the other from screen readers as well.
fn figure(plot: &Plot, number: usize) -> Markup {
    let id = format!("plot_{number}");
    let wide = match plot.to_inline_svg(&id, None) {
        Ok(svg) => svg,
        Err(error) => {
            return html! { p class=(Callout::Failure.class()) role="note" { strong { "Plot missing: " } (for_markup(&error.to_string())) } };
        }
    };
    let is_wide = plot.natural_size().0 > WIDE_FROM;
    let narrow = is_wide
        .then(|| {
            plot.to_inline_svg(&format!("{id}_narrow"), Some(NARROW_SIZE))
                .ok()
        })
        .flatten();
    html! {
        figure {
            @if let Some(narrow) = narrow {
                div class="mw-wide" { (PreEscaped(wide)) }
                div class="mw-narrow" { (PreEscaped(narrow)) }
            } @else {
                (PreEscaped(wide))
            }
            @if !plot.caption_text().is_empty() { figcaption { (for_markup(plot.caption_text())) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Point, Series, Table};
    use proptest::prelude::*;

    #[test]
    fn equal_headings_and_the_page_s_own_ids_get_distinct_anchors() {
        let headings = [
            "Results",
            "Results",
            "Contents",
            "!?",
            "!?",
            "Results 2",
            "Größe: 3",
        ];
        let sections = headings.map(Section::new);
        assert_eq!(
            unique_anchors(&sections),
            [
                "results",
                "results-2",
                "contents-2",
                "section",
                "section-2",
                "results-2-2",
                "größe-3"
            ]
        );
    }

    #[test]
    fn ids_are_unique_even_with_equal_plots() {
        let plot = Plot::new("p").series(Series::line("s", [Point::new(0.0, 0.0), Point::new(1.0, 1.0)]));
        let html = Page::new("t")
            .section(Section::new("plot 1").plot(plot.clone()).plot(plot.clone()))
            .section(Section::new("plot 1").plot(plot))
            .to_html();
        let ids: Vec<&str> = html
            .split(" id=\"")
            .skip(1)
            .map(|rest| rest.split('"').next().unwrap())
            .collect();
        let distinct: BTreeSet<&&str> = ids.iter().collect();
        assert_eq!(ids.len(), distinct.len(), "{ids:?}");
        for (anchor, _) in html.match_indices("href=\"#") {
            let target = html[anchor + 7..].split('"').next().unwrap();
            assert!(ids.contains(&target), "{target}");
        }
    }

    #[test]
    fn a_plot_that_cannot_be_drawn_leaves_its_reason() {
        let html = Page::new("t")
            .section(Section::new("s").plot(Plot::new("<nothing>")))
            .to_html();
        assert!(
            html.contains(
                "Plot missing: </strong>plot \"&lt;nothing&gt;\": nothing to draw: it has no points"
            ) || html.contains("plot &quot;&lt;nothing&gt;&quot;: nothing to draw: it has no points"),
            "{html}"
        );
    }

    #[test]
    fn a_page_asks_for_nothing_from_elsewhere() {
        let html = everything("x");
        for forbidden in [
            "http:", "https:", "src=", "@import", "url(", "import(", "fetch(", "<link",
        ] {
            let found: Vec<_> = html
                .match_indices(forbidden)
                .map(|(at, _)| &html[at.saturating_sub(20)..at + 30])
                .collect();
            let allowed = found
                .iter()
                .all(|context| context.contains("xmlns=\"http://www.w3.org/2000/svg\""));
            assert!(allowed, "{found:?}");
        }
    }

    #[test]
    fn the_policy_lets_the_page_s_own_script_run_and_no_other() {
        use sha2::{Digest, Sha256};
        let html = everything("<script>alert(1)</script>");
        let scripts: Vec<&str> = html.split("<script>").skip(1).collect();
        assert_eq!(scripts.len(), 1, "one script a page");
        let script = scripts[0].split("</script>").next().unwrap();
        // Browsers read line ends as line feeds before they hash.
        let hash = base64(&Sha256::digest(script.replace("\r\n", "\n")));
        assert!(html.contains(&format!("script-src 'sha256-{hash}'")), "{hash}");
    }

    fn base64(bytes: &[u8]) -> String {
        const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut text = String::new();
        for chunk in bytes.chunks(3) {
            let at = |index: usize| u32::from(*chunk.get(index).unwrap_or(&0));
            let bits = at(0) << 16 | at(1) << 8 | at(2);
            for digit in 0..4 {
                let index = bits >> (18 - 6 * digit) & 63;
                text.push(if digit <= chunk.len() {
                    char::from(DIGITS[index as usize])
                } else {
                    '='
                });
            }
        }
        text
    }

    fn everything(text: &str) -> String {
        let points = [Point::new(0.0, 0.0), Point::with_error(1.0, 1.0, 0.5)];
        let section = Section::new(text)
            .paragraph(text)
            .list([text])
            .table(
                Table::new(text)
                    .column(crate::Column::text(text))
                    .row([text.into()])
                    .note(text),
            )
            .plot(
                Plot::new(text)
                    .caption(text)
                    .series(Series::line(text, points))
                    .series(Series::points(text, points)),
            )
            .key_values(vec![(text.into(), text.into())])
            .callout(Callout::Warning, text)
            .preformatted(text)
            .download(text, text);
        Page::new(text)
            .lead(text)
            .section(section.clone())
            .section(section)
            .footer(text)
            .language(text)
            .to_html()
    }

    proptest! {
        #[test]
        fn no_string_adds_or_removes_a_tag(text in "[ -~\\PC]{1,40}|.*<.*\".*'.*") {
            let tags = |html: &str| html.matches('<').count();
            // A label may be shortened to fit, and blank ones are left out of a plot, so plots are compared by their
            // own tests.
            let without_plots = |html: &str| -> usize {
                html.split("<figure>").map(|part| tags(part.rsplit("</figure>").next().unwrap())).sum()
            };
            prop_assert_eq!(without_plots(&everything(&text)), without_plots(&everything("x")));
        }
    }
}
