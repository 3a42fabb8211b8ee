//! Escaping of strings for markup, terminals, Markdown and links.

use std::borrow::Cow;
use std::fmt::Write as _;

/// `text` with every character that XML 1.0 (section 2.2) forbids replaced by U+FFFD.
///
/// HTML parsers forgive such characters; an SVG file with one of them does not open at all.
pub(crate) fn for_markup(text: &str) -> Cow<'_, str> {
    replace(text, |character| match character {
        '\t' | '\n' | '\r' => false,
        '\u{FFFE}' | '\u{FFFF}' => true,
        other => other < ' ',
    })
}

/// `text` for one line of a terminal: line breaks and tabs become spaces, other control characters U+FFFD, so that a
/// player's name can neither break the table nor send the terminal an escape sequence.
pub(crate) fn for_terminal(text: &str) -> String {
    let flat = text
        .replace("\r\n", " ")
        .replace(['\n', '\r', '\t', '\u{2028}', '\u{2029}'], " ");
    replace(&flat, char::is_control).into_owned()
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

fn replace(text: &str, forbidden: impl Fn(char) -> bool) -> Cow<'_, str> {
    if text.chars().any(&forbidden) {
        text.chars()
            .map(|character| {
                if forbidden(character) {
                    '\u{FFFD}'
                } else {
                    character
                }
            })
            .collect()
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_send_an_escape_sequence() {
        assert_eq!(
            for_terminal("\u{1b}[2J\u{9b}31mred\r\nnext\tcell"),
            "\u{FFFD}[2J\u{FFFD}31mred next cell"
        );
    }

    #[test]
    fn what_xml_forbids_is_replaced_and_the_rest_is_kept() {
        assert_eq!(for_markup("a\u{0}b\u{FFFF}c\td"), "a\u{FFFD}b\u{FFFD}c\td");
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
