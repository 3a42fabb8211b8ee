//! A report as one HTML file that works offline.

mod bars;
mod files;
mod headline;
mod intervals;
mod section;

use std::borrow::Cow;
use std::collections::BTreeSet;

use maud::{DOCTYPE, Markup, PreEscaped, html};

pub use bars::Bars;
pub use files::FileError;
pub use headline::Headline;
pub use intervals::Intervals;
use section::Block;
pub use section::{Callout, Section};

use crate::HeatMap;
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
/// The picture at the head of a page is as wide as the page.
const PICTURE_SIZE: (u32, u32) = (1140, 440);
/// How many figures a page begins with.
const MOST_HEADLINES: usize = 3;

/// A page: title, message, sections.
///
/// The message is what a reader came for: up to three [headline figures](Self::headlines), then one
/// [picture](Self::picture). On a page that has one, everything else is folded away under the headings of its sections,
/// the leading paragraphs too, and opens by a click or by a link into it. A page without a message shows leading
/// paragraphs, a list of contents and all sections.
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
    answer: String,
    leads: Vec<String>,
    headlines: Vec<Headline>,
    picture: Option<Plot>,
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
            answer: String::new(),
            leads: Vec::new(),
            headlines: Vec::new(),
            picture: None,
            sections: Vec::new(),
            footer: String::new(),
        }
    }

    /// The sentence that answers what the page is asked, before all else.
    ///
    /// ```
    /// use matchwright_report::Page;
    ///
    /// let html = Page::new("Two queues").answer("The new queue waits 8 s less.").to_html();
    /// assert!(html.contains("<p class=\"mw-answer\">The new queue waits 8 s less.</p>"));
    /// ```
    #[must_use]
    pub fn answer(mut self, sentence: impl Into<String>) -> Self {
        self.answer = sentence.into();
        self
    }

    /// The sentence that the page begins with; empty if it has none.
    #[must_use]
    pub fn sentence(&self) -> &str {
        &self.answer
    }

    /// Adds figures of the message, an [`Option`] one or none. From the fourth on they are leading paragraphs.
    #[must_use]
    pub fn headlines(self, figures: impl IntoIterator<Item = Headline>) -> Self {
        figures.into_iter().fold(self, |mut page, figure| {
            if page.headlines.len() == MOST_HEADLINES {
                let Headline { value, unit, line } = figure;
                let value = format!("{value} {unit}");
                return page.lead(format!("{} {line}", value.trim_end()));
            }
            page.headlines.push(figure);
            page
        })
    }

    /// The picture of the message, drawn as wide as the page.
    #[must_use]
    pub fn picture(mut self, plot: Plot) -> Self {
        self.picture = Some(plot);
        self
    }

    /// Adds a paragraph under the title; on a page with a message, to the section "About this page".
    #[must_use]
    pub fn lead(mut self, paragraph: impl Into<String>) -> Self {
        self.leads.push(paragraph.into());
        self
    }

    /// Adds a section at the end. With two or more, none of them folded, the page has a list of contents.
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
        let is_folded = self.is_folded();
        let sections = self.shown_sections();
        let anchors = unique_anchors(&sections);
        let mut plots = 0;
        let picture = self
            .picture
            .as_ref()
            .map(|plot| figure(plot, next(&mut plots), Some(PICTURE_SIZE)));
        let bodies: Vec<Markup> = sections
            .iter()
            .map(|section| section_body(section, &mut plots))
            .collect();
        let document = html! {
            (DOCTYPE)
            html lang=(for_markup(&self.language)) {
                (self.head())
                body {
                    a class="mw-skip" href="#content" { "Skip to the content" }
                    header {
                        h1 { (for_markup(&self.title)) }
                        @if !self.answer.is_empty() { p class="mw-answer" { (for_markup(&self.answer)) } }
                        @if !self.headlines.is_empty() {
                            ul class="mw-headlines" { @for headline in &self.headlines { (headline.markup()) } }
                        }
                        @if let Some(picture) = picture { (picture) }
                        @if !is_folded { @for lead in &self.leads { p class="mw-lead" { (for_markup(lead)) } } }
                    }
                    @if !is_folded && sections.len() > 1 { (contents(&sections, &anchors)) }
                    main id="content" tabindex="-1" {
                        @for ((section, anchor), body) in sections.iter().zip(&anchors).zip(&bodies) {
                            (PreEscaped("\n"))
                            @if is_folded { (folded(section, anchor, body)) } @else { (unfolded(section, anchor, body)) }
                        }
                    }
                    @if !self.footer.is_empty() { footer { p { (for_markup(&self.footer)) } } }
                    script { (PreEscaped(SCRIPT)) }
                }
            }
        };
        document.into_string() + "\n"
    }

    fn head(&self) -> Markup {
        let policy = format!(
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{SCRIPT_HASH}'; img-src data:"
        );
        html! {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (for_markup(&self.title)) }
                style { (PreEscaped("\n")) (PreEscaped(STYLE)) (PreEscaped(style_sheet())) }
            }
        }
    }

    /// Whether the page has a message, which all else stands behind.
    fn is_folded(&self) -> bool {
        !self.answer.is_empty() || !self.headlines.is_empty() || self.picture.is_some()
    }

    /// The sections; on a folded page the leading paragraphs are the first.
    fn shown_sections(&self) -> Vec<Cow<'_, Section>> {
        let leads = self.leads.iter().filter(|_| self.is_folded());
        let about = leads.fold(Section::new("About this page"), Section::paragraph);
        let about = (!about.blocks.is_empty()).then_some(Cow::Owned(about));
        about
            .into_iter()
            .chain(self.sections.iter().map(Cow::Borrowed))
            .collect()
    }
}

fn contents(sections: &[Cow<'_, Section>], anchors: &[String]) -> Markup {
    html! {
        nav aria-labelledby="contents" {
            h2 id="contents" { "Contents" }
            ol {
                @for (section, anchor) in sections.iter().zip(anchors) {
                    li { a href={ "#" (anchor) } { (for_markup(&section.heading)) } }
                }
            }
        }
    }
}

fn unfolded(section: &Section, anchor: &str, body: &Markup) -> Markup {
    html! {
        section aria-labelledby=(anchor) {
            h2 id=(anchor) { (for_markup(&section.heading)) }
            (body)
        }
    }
}

/// A section that opens by a click on its heading. Its anchor is inside, so that browsers open it for a link.
fn folded(section: &Section, anchor: &str, body: &Markup) -> Markup {
    html! {
        section aria-labelledby={ (anchor) "_heading" } {
            details open[section.is_open] {
                summary { h2 id={ (anchor) "_heading" } { (for_markup(&section.heading)) } }
                div class="mw-section" id=(anchor) { (body) }
            }
        }
    }
}

/// The number of the page's next plot.
fn next(plots: &mut usize) -> usize {
    *plots += 1;
    *plots
}

/// An anchor per section: its heading in lower case with hyphens, numbered where the page has that id already.
fn unique_anchors(sections: &[Cow<'_, Section>]) -> Vec<String> {
    // The page's own ids; those of plots and headings hold an underscore, which no anchor does.
    let mut taken: BTreeSet<String> = ["content", "contents"].map(str::to_owned).into();
    let anchor = |section: &Cow<'_, Section>| {
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
            Block::Plot(plot) => figure(plot, next(plots), None),
            Block::HeatMap(map) => heat_figure(map, next(plots)),
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
            Block::Intervals(intervals) => { (intervals.markup()) }
            Block::KeyValues(pairs) => {
                dl { @for (key, value) in pairs { div { dt { (for_markup(key)) } dd { (for_markup(value)) } } } }
            }
            Block::Callout(kind, label, text) => {
                p class=(kind.class()) role="note" { strong { (label) ": " } (for_markup(text)) }
            }
            Block::Preformatted(text) => { pre tabindex="0" { code { (for_markup(text)) } } }
            Block::Download { label, file_name } => { (link(label, file_name)) }
            // Drawn as figures, which need a number.
            Block::Plot(_) | Block::HeatMap(_) => {}
        }
    }
}

/// A link to a file in the page's own folder.
fn link(label: &str, file_name: &str) -> Markup {
    html! { p class="mw-download" { a href=(for_link(file_name)) download { (for_markup(label)) } } }
}

/// A plot with its caption, drawn for a desk (in `size` rather than its own, if given) and, where that is too wide for a phone, once more for a phone. The
/// style sheet shows one of the two and hides the other from screen readers as well.
fn figure(plot: &Plot, number: usize, size: Option<(u32, u32)>) -> Markup {
    if let Some(reason) = plot.nothing_to_draw() {
        return html! { p { (for_markup(plot.title())) ": nothing to draw, " (for_markup(&reason)) "." } };
    }
    let id = format!("plot_{number}");
    let wide = match plot.to_inline_svg(&id, size) {
        Ok(svg) => svg,
        Err(error) => {
            return html! { p class=(Callout::Failure.class()) role="note" { strong { "Plot missing: " } (for_markup(&error.to_string())) } };
        }
    };
    let is_wide = size.unwrap_or(plot.natural_size()).0 > WIDE_FROM;
    let narrow = is_wide
        .then(|| {
            plot.to_inline_svg(&format!("{id}_narrow"), Some(NARROW_SIZE))
                .ok()
        })
        .flatten();
    in_figure(wide, narrow, plot.caption_text())
}

fn heat_figure(map: &HeatMap, number: usize) -> Markup {
    let id = format!("plot_{number}");
    let narrow = map.to_inline_svg(&format!("{id}_narrow"), Some(f64::from(NARROW_SIZE.0)));
    in_figure(map.to_inline_svg(&id, None), Some(narrow), map.caption_text())
}

fn in_figure(wide: String, narrow: Option<String>, caption: &str) -> Markup {
    html! {
        figure {
            @if let Some(narrow) = narrow {
                div class="mw-wide" { (PreEscaped(wide)) }
                div class="mw-narrow" { (PreEscaped(narrow)) }
            } @else {
                (PreEscaped(wide))
            }
            @if !caption.is_empty() { figcaption { (for_markup(caption)) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Axis, Point, Series, Table};
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
        let sections = headings.map(|heading| Cow::Owned(Section::new(heading)));
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
    fn a_message_comes_first_and_folds_all_else() {
        let line =
            |name: &str| Plot::new(name).series(Series::line("s", [(0.0, 0.0), (1.0, 1.0)].map(Point::from)));
        let page = Page::new("t")
            .lead("What this is.")
            .headlines(["1", "2", "3", "4"].map(|value| Headline::new(value, "%", "of something")))
            .picture(line("the picture").file("picture"))
            .section(Section::new("Folded").paragraph("inside"))
            .section(Section::new("Open").open().plot(line("the second")));
        let html = page.to_html();
        let at = |text: &str| html.find(text).unwrap_or_else(|| panic!("{text} is missing"));
        let order = [
            "<h1>",
            "class=\"mw-headlines\"",
            "id=\"plot_1\"",
            "<main",
            "About this page",
            "What this is.",
            ">Folded<",
        ];
        assert!(order.map(at).is_sorted(), "{:?}", order.map(at));
        assert_eq!(html.matches("<li><strong>").count(), 3, "three headline figures");
        assert!(
            at("4 % of something") > at("About this page"),
            "a fourth is not lost"
        );
        assert_eq!(
            (
                html.matches("<details>").count(),
                html.matches("<details open>").count()
            ),
            (2, 1)
        );
        assert!(!html.contains("<nav"), "the headings are the contents");
        // Anchors stand inside what they open: browsers open a section for a link to anything in it but its summary.
        assert!(at("</summary>") < at("id=\"about-this-page\""));
        let plots: Vec<&str> = page.plots().map(Plot::title).collect();
        assert_eq!(plots, ["the picture", "the second"]);
        assert_eq!(page.files().unwrap()[0].0, "picture.svg");
    }

    #[test]
    fn a_plot_without_a_point_to_show_is_a_sentence_and_no_file() {
        let outside = Plot::new("<nothing>")
            .file("nothing")
            .x(Axis::new("x").range(0.0, 1.0))
            .series(Series::line("s", [Point::new(2.0, 1.0)]));
        let page = Page::new("t")
            .section(Section::new("s").plot(outside))
            .files_section([]);
        let html = page.to_html();
        let sentence = "<p>&lt;nothing&gt;: nothing to draw, 1 point not drawn (outside the axes).</p>";
        assert!(html.contains(sentence) && !html.contains("nothing.svg"), "{html}");
        assert_eq!(page.files().unwrap(), []);
    }

    #[test]
    fn a_plot_that_cannot_be_drawn_leaves_its_reason() {
        let plot = Plot::new("<turned>").x(Axis::new("x").range(1.0, 0.0));
        let plot = plot.series(Series::line("s", [Point::new(0.5, 1.0)]));
        let html = Page::new("t").section(Section::new("s").plot(plot)).to_html();
        assert!(html.contains("Plot missing: </strong>axis"), "{html}");
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
            .headlines([Headline::new(text, text, text)])
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
