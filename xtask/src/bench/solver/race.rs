//! The run: every graph, every contender that is still in.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};

use super::Options;
use super::agreement::Agreement;
use super::budget::Growth;
use super::contender::{Contender, Family, Role};
use super::programs::Programs;
use super::repeats::wants_more;
use super::results::{DropOut, Graph, Measurement, Results};
use super::worker::{Failure, Worker};

/// For what is not timed: drawing a graph and giving it a contender's form.
pub(crate) const PREPARATION: Duration = Duration::from_secs(600);

/// A solve is stopped after so many budgets. The prediction may be wrong by as much.
const PATIENCE: f64 = 2.0;

/// A check of a proof is stopped after so many budgets: it reads every pair, however fast the solve was.
const PATIENCE_FOR_PROOFS: f64 = 10.0;

pub(crate) fn run(options: &Options, programs: &Programs, folder: &Path) -> Result<Results> {
    let file = folder.join("instance.bin");
    let mut race = Race {
        options,
        programs,
        file: &file,
        growth: BTreeMap::new(),
        out: BTreeSet::new(),
        results: Results::default(),
    };
    for &family in &options.families {
        for n in options.sizes(family) {
            for seed in options.seeds() {
                race.graph(Graph { family, n, seed })?;
            }
        }
    }
    if file.exists() {
        std::fs::remove_file(&file).with_context(|| format!("removing {}", file.display()))?;
    }
    Ok(race.results)
}

struct Race<'a> {
    options: &'a Options,
    programs: &'a Programs,
    /// Where a graph is written for those who do not draw it themselves.
    file: &'a Path,
    growth: BTreeMap<(Family, Contender), Growth>,
    out: BTreeSet<(Family, Contender)>,
    results: Results,
}

impl Race<'_> {
    /// Every contender on one graph.
    fn graph(&mut self, graph: Graph) -> Result<()> {
        let mut agreement = Agreement::on(graph);
        let mut is_written = false;
        for contender in self.options.contenders() {
            if !self.takes_part(graph, contender) {
                continue;
            }
            let Some(mut command) = self.programs.command(contender) else {
                continue;
            };
            if contender.lemon_graph().is_some() && !is_written {
                self.write(graph)?;
                is_written = true;
            }
            let mut worker = Worker::start(&mut command)?;
            match self.measure(graph, contender, &mut worker, &mut agreement)? {
                Ok(measurement) => self.keep(measurement),
                Err(failure) => {
                    let is_failure = !matches!(failure, Failure::TooLong(_));
                    self.drop_out(graph, contender, failure.to_string(), is_failure);
                }
            }
        }
        for (contender, excess) in agreement.wrong()? {
            self.results.mark_wrong(graph, contender, excess);
            eprintln!(
                "{graph}: {contender} is wrong, by {:.3} % of the optimum",
                100.0 * excess
            );
        }
        Ok(())
    }

    /// Whether to let a contender solve this graph; one that would take too long drops out.
    fn takes_part(&mut self, graph: Graph, contender: Contender) -> bool {
        if graph.n > contender.largest() || self.out.contains(&(graph.family, contender)) {
            return false;
        }
        let growth = self.growth.get(&(graph.family, contender));
        let predicted = growth.and_then(|growth| growth.predict(graph.n));
        match predicted.filter(|&seconds| seconds > self.options.budget) {
            None => true,
            Some(seconds) => {
                let reason = format!(
                    "its smaller sizes predict {seconds:.2} s, more than the budget of {} s",
                    self.options.budget
                );
                self.drop_out(graph, contender, reason, false);
                false
            }
        }
    }

    /// Solves as often as it takes. The outer error ends the run, the inner one the contender.
    fn measure(
        &self,
        graph: Graph,
        contender: Contender,
        worker: &mut Worker,
        agreement: &mut Agreement,
    ) -> Result<Result<Measurement, Failure>> {
        let Graph { family, n, seed } = graph;
        let load = match contender.lemon_graph() {
            Some(_) => format!("load {}", self.file.display()),
            None => format!("draw {family} {n} {seed}"),
        };
        let checksum = match worker.ask(&load, "ready", PREPARATION) {
            Ok(words) => words.first().and_then(|word| word.parse().ok()),
            Err(failure) => return Ok(Err(failure)),
        };
        if let Some(checksum) = checksum {
            agreement.read(contender, checksum)?;
        }
        let limit = Duration::from_secs_f64(PATIENCE * self.options.budget);
        let (mut solves, mut cost) = (Vec::new(), None);
        while wants_more(&solves) {
            let (seconds, words) = match worker.time("solve", "solved", limit) {
                Ok(answer) => answer,
                Err(failure) => return Ok(Err(failure)),
            };
            solves.push(seconds);
            cost = words.get(1).and_then(|word| word.parse().ok());
            if let Some(cost) = cost {
                agreement.found(contender, cost);
            } else if contender.role() != Role::Floor {
                return Ok(Err(Failure::Refused("found no pairing".to_owned())));
            }
        }
        // Before the proof is checked, which takes memory of its own.
        let peak_memory = worker.peak_memory();
        let verify = match contender.role() {
            Role::Ours => self.verify(worker).map(Some),
            Role::Peer | Role::Floor => Ok(None),
        };
        Ok(verify.map(|verify| Measurement {
            graph,
            contender,
            solves,
            cost,
            excess: 0.0,
            verify,
            peak_memory,
        }))
    }

    fn verify(&self, worker: &mut Worker) -> Result<f64, Failure> {
        let limit = Duration::from_secs_f64(PATIENCE_FOR_PROOFS * self.options.budget);
        let mut times = Vec::new();
        while wants_more(&times) {
            times.push(worker.time("verify", "verified", limit)?.0);
        }
        Ok(super::repeats::typical(&times))
    }

    /// Writes the graph where LEMON reads it.
    fn write(&self, graph: Graph) -> Result<()> {
        let Graph { family, n, seed } = graph;
        let mut worker = Worker::start(&mut self.programs.drawer(Contender::MatrixPass))?;
        worker.ask(&format!("draw {family} {n} {seed}"), "ready", PREPARATION)?;
        worker.ask(&format!("write {}", self.file.display()), "written", PREPARATION)?;
        Ok(())
    }

    fn keep(&mut self, measurement: Measurement) {
        let Measurement { graph, contender, .. } = measurement;
        let seconds = measurement.seconds();
        eprintln!(
            "{graph}: {contender} {:.3} ms ({} solves)",
            1e3 * seconds,
            measurement.solves.len()
        );
        let growth = self.growth.entry((graph.family, contender)).or_default();
        growth.push(graph.n, seconds);
        self.results.measurements.push(measurement);
    }

    fn drop_out(&mut self, graph: Graph, contender: Contender, reason: String, is_failure: bool) {
        let drop_out = DropOut {
            graph,
            contender,
            reason,
            is_failure,
        };
        eprintln!("{drop_out}");
        self.out.insert((graph.family, contender));
        self.results.drop_outs.push(drop_out);
    }
}
