//! The run: every graph, every contender that is still in.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};

use super::Options;
use super::agreement::Agreement;
use super::budget::Growth;
use super::contender::{Contender, Family, Role};
use super::repeats::{typical, wants_more};
use super::results::{DropOut, Graph, Measurement, Results};
use super::worker::{Failure, Worker};

/// For what is not timed: drawing a graph and giving it a contender's form.
pub(crate) const PREPARATION: Duration = Duration::from_secs(600);

/// A solve is stopped after this many budgets on the wall clock. The prediction may be wrong, the machine busy.
const PATIENCE: f64 = 4.0;

/// A check of a proof is stopped after this many budgets: it reads every pair, however fast the solve was.
const PATIENCE_FOR_PROOFS: f64 = 10.0;

/// How to start a contender; `None` if its program is not here.
type Start<'a> = &'a dyn Fn(Contender) -> Option<Command>;

pub(crate) fn run(options: &Options, start: Start<'_>, folder: &Path) -> Result<Results> {
    let file = folder.join("instance.bin");
    let mut race = Race {
        options,
        start,
        file: &file,
        growth: BTreeMap::new(),
        out: BTreeSet::new(),
        results: Results::default(),
    };
    for &family in &options.families {
        for n in options.sizes(family) {
            for seed in options.seeds(n) {
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
    start: Start<'a>,
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
            let Some(command) = (self.start)(contender) else {
                continue;
            };
            if contender.lemon_graph().is_some() && !is_written {
                self.write(graph)?;
                is_written = true;
            }
            let mut worker = Worker::start(command)?;
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
        if !contender.plays(graph.family, graph.n) || self.out.contains(&(graph.family, contender)) {
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
        let load = match (contender.lemon_graph(), family.is_sparse()) {
            (Some(_), false) => format!("load {}", self.file.display()),
            (Some(_), true) => format!("edges {}", self.file.display()),
            (None, false) => format!("draw {family} {n} {seed}"),
            (None, true) => format!("draw-edges {family} {n} {seed}"),
        };
        let checksum = match worker.ask(&load, "ready", PREPARATION) {
            Ok(words) => words.first().and_then(|word| word.parse().ok()),
            Err(failure) => return Ok(Err(failure)),
        };
        if let Some(checksum) = checksum {
            agreement.read(contender, checksum)?;
        }
        let limit = Duration::from_secs_f64(PATIENCE * self.options.budget);
        let mut solves = Vec::new();
        while wants_more(&solves) {
            let (seconds, words) = match worker.time("solve", "solved", limit) {
                Ok(answer) => answer,
                Err(failure) => return Ok(Err(failure)),
            };
            solves.push(seconds);
            if let Some(cost) = words.get(1).and_then(|word| word.parse().ok()) {
                agreement.found(contender, cost);
            } else if contender.role() != Role::Floor {
                return Ok(Err(Failure::Refused("found no pairing".to_owned())));
            }
        }
        // Before the proof is checked, which takes memory of its own.
        let peak_memory = worker.peak_memory();
        let verify = if contender.proves() {
            self.verify(worker).map(Some)
        } else {
            Ok(None)
        };
        Ok(verify.map(|verify| Measurement {
            graph,
            contender,
            solves,
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
        Ok(typical(&times))
    }

    /// Writes the graph where LEMON reads it.
    fn write(&self, graph: Graph) -> Result<()> {
        let Graph { family, n, seed } = graph;
        let (drawer, draw) = if family.is_sparse() {
            (Contender::MatchwrightEdges, "draw-edges")
        } else {
            (Contender::MatrixPass, "draw")
        };
        let drawer = (self.start)(drawer).context("there is no program to draw graphs")?;
        let mut worker = Worker::start(drawer)?;
        worker.ask(&format!("{draw} {family} {n} {seed}"), "ready", PREPARATION)?;
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

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::options::tests::parse;

    /// A worker whose solves take n / 1000 seconds, or so it says. mwmatching is wrong, rustworkx-core gives up.
    const WORKER: &str = r#"
        while read -r word family n seed; do
            case "$word $1" in
                draw*) size=$n; echo ready 7 ;;
                load*) size=100; echo ready "${checksum:-7}" ;;
                write*) echo written ;;
                verify*) echo verified 0.5 ;;
                "solve mwmatching") echo solved "0.$size" 110 ;;
                "solve rustworkx-core") echo failed out of ideas ;;
                "solve matchwright-all-cores") exit 3 ;;
                "solve matrix-pass" | "solve all-pairs") echo solved "0.$size" - ;;
                solve*) echo solved "0.$size" 100 ;;
            esac
        done"#;

    fn run_with(arguments: &str, lemon_reads: &str) -> Result<Results> {
        let start = |contender: Contender| {
            let mut command = Command::new("sh");
            command.args(["-c", WORKER, "worker"]).arg(contender.to_string());
            if contender.lemon_graph().is_some() {
                command.env("checksum", lemon_reads);
            }
            (contender != Contender::LemonSmart).then_some(command)
        };
        let folder = tempfile::tempdir()?;
        run(
            &parse(&format!("bench --families eomm --seeds 1 {arguments}"))?,
            &start,
            folder.path(),
        )
    }

    fn who(results: &Results, n: usize) -> Vec<Contender> {
        let here = results.measurements.iter().filter(|m| m.graph.n == n);
        here.map(|m| m.contender).collect()
    }

    #[test]
    fn everybody_who_is_here_and_answers_is_measured() {
        let results = run_with("--sizes 100", "7").unwrap();
        let expected = [
            Contender::Matchwright,
            Contender::MatchwrightWarm,
            Contender::MatchwrightImplicit,
            Contender::GeometricTraits,
            Contender::Mwmatching,
            Contender::LemonFull,
            Contender::MatrixPass,
            Contender::AllPairs,
        ];
        assert_eq!(who(&results, 100), expected);
        let first = &results.measurements[0];
        assert_eq!((first.seconds(), first.verify), (0.1, Some(0.5)));
        let dropped: Vec<String> = results.drop_outs.iter().map(ToString::to_string).collect();
        assert_eq!(
            dropped,
            ["rustworkx-core drops out at eomm, 100 vertices, seed 1: out of ideas"]
        );
        assert_eq!(results.our_failures(), [""; 0]);
        let wrong: Vec<String> = results.wrong().collect();
        assert_eq!(
            wrong,
            [
                "mwmatching is wrong on eomm, 100 vertices, seed 1: its pairing costs 10.000 % more than the best"
            ]
        );
    }

    #[test]
    fn who_would_exceed_the_budget_drops_out_and_stays_out() {
        let results = run_with(
            "--sizes 100,300,500,700 --budget 0.4 --contenders geometric-traits",
            "7",
        )
        .unwrap();
        let sizes: Vec<usize> = results.measurements.iter().map(|m| m.graph.n).collect();
        assert_eq!(sizes, [100]);
        let cubic = "its smaller sizes predict 2.70 s, more than the budget of 0.4 s";
        assert_eq!(results.drop_outs.len(), 1);
        assert_eq!(results.drop_outs[0].reason, cubic);
        assert!(!results.drop_outs[0].is_failure);
    }

    #[test]
    fn a_failure_of_ours_is_one_of_the_run() {
        let arguments = "--sizes 100,300 --budget 0.4 --contenders matchwright,matchwright-all-cores";
        // Too slow is no failure.
        assert_eq!(run_with(arguments, "7").unwrap().our_failures(), [""; 0]);
        let results = run_with("--sizes 10000 --contenders matchwright-all-cores", "7").unwrap();
        assert_eq!(
            results.our_failures(),
            [
                "matchwright-all-cores drops out at eomm, 10000 vertices, seed 1: ended without an answer (exit status: 3)"
            ]
        );
    }

    #[test]
    fn times_of_different_graphs_are_not_compared() {
        let error = run_with("--sizes 100", "8").unwrap_err().to_string();
        assert!(error.contains("must read the same graph"), "{error}");
    }
}
