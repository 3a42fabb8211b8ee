//! Wrong parts that the checks must notice: each row has one or more, so that no check is there that cannot fail.
//!
//! `matchwright claims --mutate` hands them to the checks at the run time, and a test does so on smaller runs.

mod exact;
mod ladder;
mod matches;
mod parts;
mod queues;
mod ratings;
mod runs;
mod searches;
mod seasons;
mod simulated;
mod worlds;

use anyhow::{Context, Result};
use serde::Serialize;

use super::inputs::Inputs;
use crate::verdict::{Finding, Verdict};

/// Something wrong in what checks look at: a part of the library that does something else, another print, a run that
/// found something else.
pub(crate) struct Mutation {
    /// What is wrong.
    pub(crate) wrong: &'static str,
    /// The rows that must notice.
    pub(crate) rows: &'static [&'static str],
    harm: Harm,
}

/// How a wrong part is put in. Runs are there to be changed once the check has read them.
enum Harm {
    Sure(fn(&mut Inputs)),
    Trying(fn(&mut Inputs) -> Result<()>),
}

impl Mutation {
    const fn new(wrong: &'static str, rows: &'static [&'static str], harm: fn(&mut Inputs)) -> Self {
        let harm = Harm::Sure(harm);
        Self { wrong, rows, harm }
    }

    const fn trying(
        wrong: &'static str,
        rows: &'static [&'static str],
        harm: fn(&mut Inputs) -> Result<()>,
    ) -> Self {
        let harm = Harm::Trying(harm);
        Self { wrong, rows, harm }
    }

    /// Puts it into the inputs.
    ///
    /// # Errors
    /// If what it changes is not there.
    pub(crate) fn apply(&self, inputs: &mut Inputs) -> Result<()> {
        let harmed = match self.harm {
            Harm::Sure(harm) => {
                harm(inputs);
                Ok(())
            }
            Harm::Trying(harm) => harm(inputs),
        };
        harmed.with_context(|| format!("putting in \"{}\"", self.wrong))
    }
}

/// All, theme by theme.
pub(crate) fn mutations() -> impl Iterator<Item = &'static Mutation> {
    [
        exact::ALL,
        runs::ALL,
        worlds::ALL,
        ratings::ALL,
        matches::ALL,
        searches::ALL,
        parts::ALL,
        ladder::ALL,
        queues::ALL,
        seasons::ALL,
        simulated::ALL,
    ]
    .into_iter()
    .flatten()
}

/// Those that this row must notice.
pub(crate) fn mutations_of(id: &str) -> impl Iterator<Item = &'static Mutation> {
    mutations().filter(move |mutation| mutation.rows.contains(&id))
}

/// What the check of a row made of a wrong part.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Trial {
    pub(crate) id: &'static str,
    pub(crate) wrong: &'static str,
    /// The verdict without it.
    pub(crate) sound: Verdict,
    /// The verdict with it.
    pub(crate) verdict: Verdict,
    /// Whether a criterion changed the verdict; an error alone says nothing of the claim.
    pub(crate) noticed: bool,
}

impl Trial {
    pub(crate) fn new(id: &'static str, mutation: &Mutation, sound: Verdict, found: &Finding) -> Self {
        let verdict = found.verdict;
        Self {
            id,
            wrong: mutation.wrong,
            sound,
            verdict,
            noticed: verdict != sound && found.has_criteria(),
        }
    }

    pub(crate) fn in_words(&self) -> String {
        format!("{} with {}: still {}", self.id, self.wrong, self.verdict.words())
    }
}
