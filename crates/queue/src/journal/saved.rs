//! What policies put into snapshots: data by serde, with a version each.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::cbor;

/// A policy's own data as the bytes that it [saves](crate::MatchPolicy::save), with the version of their form.
///
/// Empty for what cannot be written, which a policy that is restored refuses.
///
/// ```
/// use matchwright_queue::journal::{from_saved, to_saved};
///
/// let saved = to_saved(1, &("rounds", 7));
/// assert_eq!(from_saved(1, &saved), Ok(("rounds".to_owned(), 7)));
/// assert!(from_saved::<(String, i64)>(2, &saved).is_err());
/// ```
#[must_use]
pub fn to_saved(version: u32, value: &impl Serialize) -> Vec<u8> {
    let mut bytes = Vec::new();
    // Dropped: half a value must not be taken for one; what is empty is refused.
    if cbor::write(&(version, value), &mut bytes).is_err() {
        bytes.clear();
    }
    bytes
}

/// The data that [`to_saved`] wrote in the same version.
///
/// # Errors
/// Another version, or bytes that are no such data, in words.
pub fn from_saved<T: DeserializeOwned>(version: u32, saved: &[u8]) -> Result<T, String> {
    let words = |error: String| format!("what the policy saved: {error}");
    let read = cbor::read::<(u32, T)>(saved);
    // Data of another version need not be readable as this.
    if !matches!(&read, Ok((found, _)) if *found == version) {
        let (found, _): (u32, serde::de::IgnoredAny) = cbor::read(saved).map_err(words)?;
        if found != version {
            return Err(format!(
                "what the policy saved has version {found}, and this program knows version {version}"
            ));
        }
    }
    read.map(|read| read.1).map_err(words)
}
