//! Escaping of strings for markup, terminals, Markdown and links.

use std::borrow::Cow;
use std::fmt::Write as _;

/// `text` with each character that steers what shows it, rather than being shown, as an escape such as `\u{202e}`:
/// control characters but line feed and tab, and those that turn the direction of writing.
///
/// ```
/// assert_eq!(matchwright_report::visible("a\u{1b}[2Jb\u{202e}c\n"), "a\\u{1b}[2Jb\\u{202e}c\n");
/// ```
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    escape(text, |character| {
        !matches!(character, '\n' | '\t') && steers(character)
    })
}

/// As [`visible`], in one line: line feed and tab are escaped, too.
#[must_use]
pub fn visible_line(text: &str) -> Cow<'_, str> {
    escape(text, steers)
}

/// Whether a character steers what shows it: a control character, or one that turns the direction of writing (Unicode
/// Standard Annex 9, section 2).
#[must_use]
pub fn steers(character: char) -> bool {
    let turns = matches!(
        character,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    turns || character.is_control()
}

fn escape(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.chars().any(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if is_escaped(character) {
            escaped.extend(character.escape_default());
        } else {
            escaped.push(character);
        }
    }
    Cow::Owned(escaped)
}

/// `text` as [`visible`], with the characters that XML 1.0 (section 2.2) forbids replaced by U+FFFD.
///
/// HTML parsers forgive such characters; an SVG file with one of them does not open at all.
pub(crate) fn for_markup(text: &str) -> Cow<'_, str> {
    let is_forbidden = |character| matches!(character, '\u{FFFE}' | '\u{FFFF}');
    if text.contains(is_forbidden) {
        return Cow::Owned(visible(text).replace(is_forbidden, "\u{FFFD}"));
    }
    visible(text)
}

/// `text` for one line of a terminal: line breaks and tabs become spaces, and the rest is [`visible`], so that a player's
/// name can neither break the table nor send the terminal an escape sequence.
pub(crate) fn for_terminal(text: &str) -> String {
    let flat = text
        .replace("\r\n", " ")
        .replace(['\n', '\r', '\t', '\u{2028}', '\u{2029}'], " ");
    visible(&flat).into_owned()
}

/// `text` for one line of Markdown: punctuation that would mean something is escaped.
pub(crate) fn for_markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in for_terminal(text).chars() {
        match character {
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' | '$' => {
                escaped.push('\\');
                escaped.push(character);
            }
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// A relative link to a file beside the page; every character that could end the path or name a scheme is
/// percent-encoded.
pub(crate) fn for_link(file_name: &str) -> String {
    let mut link = String::from("./");
    for byte in file_name.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~' | b'/') {
            link.push(char::from(byte));
        } else {
            let _ = write!(link, "%{byte:02X}");
        }
    }
    link
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_send_an_escape_sequence() {
        assert_eq!(
            for_terminal("\u{1b}[2J\u{9b}31mred\r\nnext\tcell"),
            "\\u{1b}[2J\\u{9b}31mred next cell"
        );
    }

    #[test]
    fn what_xml_forbids_is_replaced_or_escaped_and_the_rest_is_kept() {
        assert_eq!(
            for_markup("a\u{0}b\u{FFFF}c\td\u{202e}"),
            "a\\u{0}b\u{FFFD}c\td\\u{202e}"
        );
        assert!(matches!(for_markup("Ünïcode 日本 🎮"), Cow::Borrowed(_)));
    }

    #[test]
    fn markdown_means_nothing_by_itself() {
        assert_eq!(for_markdown("a|b*c*\n<i>&"), "a\\|b\\*c\\* &lt;i&gt;&amp;");
    }

    #[test]
    fn a_link_stays_beside_the_page() {
        assert_eq!(for_link("table 2.csv"), "./table%202.csv");
        assert_eq!(for_link("javascript:alert(1)"), "./javascript%3Aalert%281%29");
        assert_eq!(for_link("a\"b?c#d"), "./a%22b%3Fc%23d");
        assert_eq!(for_link("//host/x"), ".///host/x");
    }
}
