//! The war queue of `DomiNations`: what its windows admit, and what became of generated alliances.

use std::sync::Arc;

use anyhow::Result;
use matchwright_queue::{Aggregate, Compare, WindowParams};
use matchwright_sim::progress::Progress;
use serde::Serialize;

use super::WarsReport;
use super::claims::inputs::DominationsInputs;
use crate::check::queues::{queue_params, table};
use crate::check::simulated::WorldSize;
use crate::check::simulated::{WorldsConfig, run_worlds};
use crate::scene::Scene;

/// What the queue does.
#[derive(Serialize)]
pub(crate) struct Matching {
    pub(crate) windows: Vec<Window>,
    pub(crate) wars: WarsReport,
    pub(crate) scene: Scene,
}

/// A window of the policy.
#[derive(Serialize)]
pub(crate) struct Window {
    pub(crate) of: String,
    pub(crate) unit: &'static str,
    /// In its unit, with percent for ratios.
    pub(crate) start: f64,
    pub(crate) flat_hours: f64,
    pub(crate) per_hour: f64,
    pub(crate) most: Option<f64>,
    /// Hours of waiting, and how wide it is then.
    pub(crate) course: Vec<(f64, f64)>,
}

/// The inputs of the checks, with worlds of this size.
pub(crate) fn inputs(size: WorldSize, seed: u64, progress: Arc<dyn Progress>) -> Result<DominationsInputs> {
    let mut inputs = DominationsInputs::new(seed, progress);
    inputs.wars = inputs.wars.sized(size)?;
    Ok(inputs)
}

/// Runs the worlds, which the statements of the page read too.
pub(crate) fn run(inputs: &DominationsInputs, size: WorldSize) -> Result<Matching> {
    let [new, old, seven] = inputs.wars.policies.clone();
    let config = WorldsConfig {
        scenario: inputs.wars.scenario.clone(),
        policies: vec![new, old, seven],
        // The only one of the three whose scoring knows all seven sizes.
        judge: 2,
        worlds: size.worlds,
        hours: None,
    };
    let config = config.sized(size)?;
    let report = run_worlds(&config, inputs.seed, &inputs.workers())?;
    Ok(Matching {
        windows: windows(inputs)?,
        wars: inputs.wars()?.clone(),
        scene: Scene::of(&config, &report)?,
    })
}

fn windows(inputs: &DominationsInputs) -> Result<Vec<Window>> {
    let params = queue_params(&table(&inputs.policy)?)?.windows;
    params.iter().map(window).collect()
}

fn window(params: &WindowParams) -> Result<Window> {
    let (unit, scale) = match params.compare {
        Compare::LogRatio => ("%", 100.0),
        _ => ("points", 1.0),
    };
    let built = params.build()?;
    let half_hours = 0..=48_u8;
    let course = half_hours.map(|half| {
        let hours = f64::from(half) / 2.0;
        (hours, scale * built.width(0.0, i64::from(half) * 1_800_000))
    });
    Ok(Window {
        of: match params.party {
            Aggregate::Deviation => format!("spread of {}", params.of),
            _ => params.of.clone(),
        },
        unit,
        start: scale * params.start,
        flat_hours: params.after / 3_600.0,
        per_hour: scale * 3_600.0 * params.per_second,
        most: params.most.map(|most| scale * most),
        course: course.collect(),
    })
}
