//! The laws of [`Tunable`] settings.

use std::fmt::Debug;

use super::LawViolation;
use super::law::require;
use crate::tunable::{Tunable, knobs_of, turned};

/// Tries that settings show the same numbers each time, each under a name of its own, that a number which is turned is the one
/// that changes, and that settings which a turn makes build or are refused in words, for steps up to a factor of 256 either way.
///
/// # Errors
/// The first [`LawViolation`].
pub fn check_tunable<P, E>(settings: &P, build: impl Fn(&P) -> Result<(), E>) -> Result<(), LawViolation>
where
    P: Tunable + Clone + Debug,
    E: ToString,
{
    let knobs = knobs_of(settings);
    let mut names: Vec<&str> = knobs.iter().map(|knob| knob.0).collect();
    names.sort_unstable();
    let are_own =
        names.windows(2).all(|pair| pair[0] != pair[1]) && names.iter().all(|name| !name.is_empty());
    require(are_own, "numbers_have_names_of_their_own", || {
        format!("{names:?}")
    })?;
    // Looking twice at the same ones, which a listing that changes them would show.
    let (mut looked_at, mut again) = (settings.clone(), Vec::new());
    looked_at.knobs(&mut |_, _, _| ());
    looked_at.knobs(&mut |name, _, value| again.push((name, *value)));
    require(again == knobs, "numbers_are_the_same_each_time", || {
        format!("{settings:?}")
    })?;
    for (index, (name, value)) in knobs.iter().enumerate() {
        for step in [-8.0, -1.0, -0.125, 0.125, 1.0, 8.0] {
            let Some(next) = turned(settings, index, step) else {
                continue;
            };
            let after = knobs_of(&next);
            let is_turned = after.len() == knobs.len() && after[index].0 == *name && after[index].1 != *value;
            require(is_turned, "what_is_turned_changes", || {
                format!("`{name}` by {step} of {settings:?}: {next:?}")
            })?;
            let refused = build(&next).err().map(|error| error.to_string());
            require(
                refused.is_none_or(|why| !why.is_empty()),
                "a_refusal_has_words",
                || format!("{next:?}"),
            )?;
        }
    }
    Ok(())
}
