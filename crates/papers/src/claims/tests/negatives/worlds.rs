//! Negative cases of the checks that read the worlds that are not as EOMM assumes.

use anyhow::Result;

use super::Negative;
use crate::claims::inputs::Inputs;
use crate::eomm::other_worlds::{OtherWorldsReport, PopulationResult, WorldKind};

pub(super) const ALL: &[Negative] = &[Negative::trying(
    "opponents who do not matter",
    &["EOMM-X7"],
    |wrong| as_in_the_base_world(wrong, WorldKind::Opponent),
)];

/// Changes what each population of each world gave, and sums up anew.
fn of_populations(
    wrong: &mut Inputs,
    mut change: impl FnMut(WorldKind, &mut PopulationResult),
) -> Result<()> {
    wrong.eomm.runs.other_worlds.change(|report| {
        let mut results = Vec::new();
        for result in &mut report.worlds {
            let kind = result.world.kind;
            result
                .populations
                .iter_mut()
                .for_each(|population| change(kind, population));
            results.push(std::mem::take(&mut result.populations));
        }
        *report = OtherWorldsReport::of(report.config.clone(), report.seed, results);
        Some(())
    })
}

fn as_in_the_base_world(wrong: &mut Inputs, of: WorldKind) -> Result<()> {
    let mut base = Vec::new();
    of_populations(wrong, |kind, population| {
        if kind == WorldKind::Base {
            base.push(population.truth);
        } else if kind == of {
            population.truth = base[population.number as usize % base.len()];
        }
    })
}
