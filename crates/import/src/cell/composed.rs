//! Letters with accents, which Unicode writes in one character or in two (Unicode Standard Annex 15): names that differ in that alone
//! are one.

use std::borrow::Cow;

/// A name in composed letters (NFC); nothing where it is.
#[cfg(feature = "encodings")]
pub(crate) fn composed(name: &str) -> Option<String> {
    use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

    if name.is_ascii() || is_nfc_quick(name.chars()) == IsNormalized::Yes {
        return None;
    }
    Some(name.nfc().collect()).filter(|composed: &String| composed != name)
}

#[cfg(not(feature = "encodings"))]
pub(crate) const fn composed(_: &str) -> Option<String> {
    None
}

/// Whether two names are one.
pub(crate) fn is_same(one: &str, other: &str) -> bool {
    let form = |name| composed(name).map_or(Cow::Borrowed(name), Cow::Owned);
    one == other || (!one.is_ascii() && !other.is_ascii() && form(one) == form(other))
}

/// What the user should hear of names that were composed, of which one is given.
pub(crate) fn composed_note(name: &str) -> String {
    format!(
        "accents in characters of their own (NFD) are read as parts of their letters: `{}` is one name either way",
        crate::text::shown(name)
    )
}
