//! A negative case of each check: something wrong in what it looks at, which it must notice.

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

use super::check;
use crate::check::verdict::Finding;
use crate::claims::Depth;
use crate::claims::inputs::Inputs;

/// Another print, a run that found something else, or a part of the library that does something else.
pub(super) struct Negative {
    /// What is wrong.
    pub(super) wrong: &'static str,
    /// The checks whose case it is.
    pub(super) ids: &'static [&'static str],
    case: Case,
}

enum Case {
    /// Other inputs of the check. Runs are there to be changed once the check has read them.
    Inputs(fn(&mut Inputs)),
    Trying(fn(&mut Inputs) -> Result<()>),
    /// The check with another part.
    Part(fn(&Inputs) -> Result<Finding>),
}

impl Negative {
    const fn new(wrong: &'static str, ids: &'static [&'static str], harm: fn(&mut Inputs)) -> Self {
        let case = Case::Inputs(harm);
        Self { wrong, ids, case }
    }

    const fn trying(
        wrong: &'static str,
        ids: &'static [&'static str],
        harm: fn(&mut Inputs) -> Result<()>,
    ) -> Self {
        let case = Case::Trying(harm);
        Self { wrong, ids, case }
    }

    const fn part(
        wrong: &'static str,
        ids: &'static [&'static str],
        check: fn(&Inputs) -> Result<Finding>,
    ) -> Self {
        let case = Case::Part(check);
        Self { wrong, ids, case }
    }

    /// What the check of this id finds then.
    pub(super) fn found(&self, id: &str, mut inputs: Inputs) -> Result<Finding> {
        let harmed = match self.case {
            Case::Part(check) => return check(&inputs),
            Case::Inputs(harm) => {
                harm(&mut inputs);
                Ok(())
            }
            Case::Trying(harm) => harm(&mut inputs),
        };
        harmed.with_context(|| format!("putting in \"{}\"", self.wrong))?;
        Ok(check(id).run(&inputs, Depth::Usual))
    }
}

/// All, theme by theme.
pub(super) fn negatives() -> impl Iterator<Item = &'static Negative> {
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
