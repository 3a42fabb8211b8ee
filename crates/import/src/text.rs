//! Words of an input in messages.

/// Text from a file as a message may show it: in one line, without what steers a terminal, and cut where it is long.
#[must_use]
pub fn shown(text: &str) -> String {
    const LONGEST: usize = 60;
    let (kept, rest) = match text.char_indices().nth(LONGEST) {
        Some((end, _)) => (&text[..end], "…"),
        None => (text, ""),
    };
    let mut shown = String::with_capacity(kept.len() + rest.len());
    for character in kept.chars() {
        if steers(character) {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    shown + rest
}

/// Whether a character steers what shows it: a control character, or one that turns the direction of writing (Unicode
/// Standard Annex 9, section 2).
fn steers(character: char) -> bool {
    let turns = matches!(
        character,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    turns || character.is_control()
}

/// `; did you mean ...?` when one of the known words is close, else a full stop.
pub fn suggestion<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    // Nobody misspells a longer one, and the distance takes time with the square of the length.
    const LONGEST: usize = 100;
    let distance = |candidate: &str| strsim::jaro_winkler(word, candidate);
    let best = known
        .into_iter()
        .filter(|known| known.len().max(word.len()) <= LONGEST)
        .max_by(|a, b| distance(a).total_cmp(&distance(b)));
    match best {
        Some(best) if distance(best) > 0.75 => format!("; did you mean `{}`?", shown(best)),
        _ => ".".to_owned(),
    }
}

pub use crate::row::lines::lines;
pub use crate::unused::{listed, unused_note};
