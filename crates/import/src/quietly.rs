//! Decoders of others, whose panics are errors.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    /// Whether a decoder runs, whose panics are not shown.
    static DECODES: Cell<bool> = const { Cell::new(false) };
}

/// Decodes. Decoders assert some of what they read, and overflow on some: their panics are caught and not shown.
pub(crate) fn quietly<T>(decode: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let shown = panic::take_hook();
        panic::set_hook(Box::new(move |told| {
            if !DECODES.get() {
                shown(told);
            }
        }));
    });
    DECODES.set(true);
    let decoded = panic::catch_unwind(AssertUnwindSafe(decode));
    DECODES.set(false);
    decoded.unwrap_or_else(|_| Err("its values contradict each other".to_owned()))
}
