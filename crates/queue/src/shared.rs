//! What very many tickets and matches have alike, read so that it is in memory once.

use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, Visitor};

use crate::event::PolicyLabel;

/// The most different ones that are known at a time.
const MOST: usize = 8;

/// The last that were read.
struct Known<T: ?Sized>(RefCell<Vec<Arc<T>>>);

impl<T: ?Sized> Known<T> {
    const fn new() -> Self {
        Self(RefCell::new(Vec::new()))
    }

    /// The known one, or a new one.
    fn share(&self, is_it: impl Fn(&T) -> bool, make: impl FnOnce() -> Arc<T>) -> Arc<T> {
        let mut known = self.0.borrow_mut();
        if let Some(found) = known.iter().find(|one| is_it(one)) {
            return Arc::clone(found);
        }
        let new = make();
        if known.len() == MOST {
            known.remove(0);
        }
        known.push(Arc::clone(&new));
        new
    }
}

thread_local! {
    static TEXTS: Known<str> = const { Known::new() };
    static LISTS: Known<[Arc<str>]> = const { Known::new() };
    static LABELS: Known<PolicyLabel> = const { Known::new() };
}

struct Shared(Arc<str>);

impl<'de> Deserialize<'de> for Shared {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Words;

        impl Visitor<'_> for Words {
            type Value = Shared;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text")
            }

            fn visit_str<E>(self, text: &str) -> Result<Shared, E> {
                let text = TEXTS.with(|known| known.share(|one| *one == *text, || text.into()));
                Ok(Shared(text))
            }
        }
        deserializer.deserialize_str(Words)
    }
}

/// A text.
pub(crate) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<str>, D::Error> {
    Shared::deserialize(deserializer).map(|text| text.0)
}

/// A text or none.
pub(crate) fn maybe<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Arc<str>>, D::Error> {
    let text: Option<Shared> = Option::deserialize(deserializer)?;
    Ok(text.map(|text| text.0))
}

/// Texts.
pub(crate) fn list<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<[Arc<str>]>, D::Error> {
    let texts: Vec<Shared> = Vec::deserialize(deserializer)?;
    let texts = || texts.iter().map(|text| &text.0);
    let is_it = |one: &[Arc<str>]| one.iter().eq(texts());
    Ok(LISTS.with(|known| known.share(is_it, || texts().cloned().collect())))
}

/// The name and version of a policy.
pub(crate) fn label<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<PolicyLabel>, D::Error> {
    let label = PolicyLabel::deserialize(deserializer)?;
    Ok(LABELS.with(|known| known.share(|one| *one == label, || Arc::new(label.clone()))))
}
