//! Wrong parts for the checks that read the worlds that are not as EOMM assumes.

use anyhow::Result;

use super::Mutation;
use crate::claims::inputs::Inputs;
use crate::eomm::other_worlds::{Kept, OtherWorldsReport, PopulationResult, WorldKind};

pub(super) const ALL: &[Mutation] = &[
    Mutation::trying("opponents who do not matter", &["EOMM-X7"], |wrong| {
        as_in_the_base_world(wrong, WorldKind::Opponent)
    }),
    Mutation::trying("draws that do not matter", &["EOMM-X7"], |wrong| {
        as_in_the_base_world(wrong, WorldKind::Draws)
    }),
    Mutation::trying("models that promise what is true", &["EOMM-X7"], |wrong| {
        of_populations(wrong, |_, population| population.fitted = population.truth)
    }),
    Mutation::trying("no true gain as EOMM assumes", &["EOMM-X7"], |wrong| {
        gain(wrong, WorldKind::Base, 0.0)
    }),
    Mutation::trying("skills that wander and halve the gain", &["EOMM-X7"], |wrong| {
        gain(wrong, WorldKind::Drift, 0.5)
    }),
    Mutation::trying("unequal effects that double the gain", &["EOMM-X7"], |wrong| {
        gain(wrong, WorldKind::Outcomes, 2.0)
    }),
    Mutation::trying(
        "one-sided matches that leave a gain at any strength",
        &["EOMM-X7"],
        |wrong| gain(wrong, WorldKind::Opponent, -0.1),
    ),
    Mutation::trying(
        "all four together that leave all of the gain",
        &["EOMM-X7"],
        |wrong| as_in_the_base_world(wrong, WorldKind::Together),
    ),
    Mutation::trying("a study that sees no rarer draws", &["EOMM-drawcorr"], |wrong| {
        of_populations(wrong, |_, population| population.draw_gap_correlation = 0.0)
    }),
    Mutation::trying(
        "rarer draws where they are constant",
        &["EOMM-drawcorr"],
        |wrong| {
            of_populations(wrong, |kind, population| {
                if kind == WorldKind::Base {
                    population.draw_gap_correlation -= 0.03;
                }
            })
        },
    ),
    Mutation::trying("ratings as good as skills", &["EOMM-drawcorr"], |wrong| {
        of_populations(wrong, |_, population| {
            population.true_draw_gap_correlation = population.draw_gap_correlation;
        })
    }),
];

/// Changes what each population of each world gave, and sums up anew.
fn of_populations(
    wrong: &mut Inputs,
    mut change: impl FnMut(WorldKind, &mut PopulationResult),
) -> Result<()> {
    wrong.runs.other_worlds.change(|report| {
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

/// So many times the true gain over SkillMM in worlds of this kind.
fn gain(wrong: &mut Inputs, of: WorldKind, times: f64) -> Result<()> {
    of_populations(wrong, |kind, population| {
        if kind == of {
            let Kept { skill, eomm, .. } = &mut population.truth;
            *eomm = *skill + times * (*eomm - *skill);
        }
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
