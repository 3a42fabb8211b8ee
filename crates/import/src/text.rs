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

/// At most this many names are told, and how many more there are.
pub(crate) const MOST: usize = 12;

/// Names with commas, the last of many counted; nothing of none.
pub fn listed(names: impl IntoIterator<Item = String>) -> Option<String> {
    let mut names: Vec<String> = names.into_iter().collect();
    let more = names.len().saturating_sub(MOST);
    names.truncate(MOST);
    let rest = (more > 0).then(|| format!(" and {more} more"));
    Some(names.join(", ") + &rest.unwrap_or_default()).filter(|listed| !listed.is_empty())
}

/// The lines that are not blank, each with its number from 1.
pub fn lines(text: &[u8]) -> impl Iterator<Item = (u64, &[u8])> {
    (1..)
        .zip(text.split(|byte| *byte == b'\n'))
        .filter(|(_, line)| !line.trim_ascii().is_empty())
}
