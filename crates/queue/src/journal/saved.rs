//! What policies put into snapshots: data by serde, with a version each.

use serde::Serialize;
use serde::de::DeserializeOwned;

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
    if ciborium::into_writer(&(version, value), &mut bytes).is_err() {
        bytes.clear();
    }
    bytes
}

/// The data that [`to_saved`] wrote in the same version.
///
/// # Errors
/// Another version, or bytes that are no such data, in words.
pub fn from_saved<T: DeserializeOwned>(version: u32, saved: &[u8]) -> Result<T, String> {
    // The version first: data of another one need not be readable as this.
    let read = |error: ciborium::de::Error<std::io::Error>| format!("what the policy saved: {error}");
    let (found, _): (u32, serde::de::IgnoredAny) = ciborium::from_reader(saved).map_err(read)?;
    if found != version {
        return Err(format!(
            "what the policy saved has version {found}, and this program knows version {version}"
        ));
    }
    let mut rest = saved;
    let (_, value): (u32, T) = ciborium::from_reader(&mut rest).map_err(read)?;
    match rest.len() {
        0 => Ok(value),
        more => Err(format!("what the policy saved: {more} bytes too many")),
    }
}
