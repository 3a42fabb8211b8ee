//! The deep test of the exact solver: 100,000 small graphs against every pairing there is and 2,000 graphs of
//! 50 to 400 vertices against two peers, of all the kinds that have broken matching codes; and a few of more than
//! 2,000 vertices, where costs are no longer read into a matrix, against the answers from lists of edges.
//!
//! ```text
//! cargo xtask test --deep                           all of it, up to an hour on two cores, most of it vast ties
//! cargo xtask test --deep --graph large-nested:17   one graph, written out, and made smaller if it fails
//! ```
//!
//! Every answer is verified, certificates and barriers alike, from every form in which costs can be given. A
//! graph is a function of its family and number, and is solved in a workspace that solved the graphs before it in
//! its block, so that neither the machine nor its threads change anything. The last line is
//! `N passed, N failed`.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line program talks to its user"
)]
#![allow(clippy::expect_used, reason = "a panic is caught and fails its graph")]

mod barrier;
mod brute;
mod canonical;
mod check;
mod graph;
mod kinds;
mod oracles;
mod peers;
mod shrink;
mod solve;

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use check::{Tally, check};
use graph::Graph;
use kinds::{Expect, KINDS, Kind, Size};
use solve::Past;

/// How many graphs of a size there are in all, and how many share a workspace.
const PLAN: [(Size, usize, usize); 3] = [
    (Size::Small, 100_000, 500),
    (Size::Large, 2_000, 8),
    (Size::Vast, 52, 1),
];

/// Longer lists of edges are left to `--graph`.
const SHOWN_EDGES: usize = 80;

/// How many failures of a family are shown.
const SHOWN_FAILURES: usize = 3;

/// All graphs of a kind and size.
#[derive(Clone, Copy)]
struct Family {
    kind: &'static Kind,
    size: Size,
    graphs: usize,
    block: usize,
}

/// After this long without a word it says which graphs it is at: one of them may never end.
const SILENCE: Duration = Duration::from_secs(30);

/// A graph's number and what is wrong.
type Failure = (usize, String);

fn main() -> ExitCode {
    // Panics are caught, counted and shown with their graph.
    std::panic::set_hook(Box::new(|_| {}));
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    let failed = match arguments[..] {
        [] => {
            println!("skipped: `cargo xtask test --deep` runs the deep test");
            false
        }
        ["--all"] => run(""),
        ["--graph", name] => match find(name) {
            Some((family, number)) => replay(family, number),
            None => return usage(),
        },
        [filter] if !filter.starts_with('-') => run(filter),
        _ => return usage(),
    };
    if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

fn usage() -> ExitCode {
    let names: Vec<_> = KINDS.iter().map(|kind| kind.name).collect();
    eprintln!("usage: --all | --graph SIZE-KIND:NUMBER | a part of SIZE-KIND");
    eprintln!("sizes: small, large; kinds: {}", names.join(", "));
    ExitCode::FAILURE
}

fn families() -> impl Iterator<Item = Family> {
    PLAN.iter().flat_map(|&(size, all, block)| {
        KINDS.iter().map(move |kind| Family {
            kind,
            size,
            graphs: all.div_ceil(KINDS.len()),
            block,
        })
    })
}

/// The family and number of a name such as `small-tied:17`.
fn find(name: &str) -> Option<(Family, usize)> {
    let (family, number) = name.split_once(':')?;
    let family = families().find(|known| known.name() == family)?;
    Some((family, number.parse().ok()?))
}

/// Runs the families whose name holds `filter`. True if anything fails.
fn run(filter: &str) -> bool {
    println!(
        "{:<17} {:>7} {:>9} {:>9} {:>9} {:>7} {:>9} {:>12} {:>7}",
        "family",
        "graphs",
        "pairings",
        "barriers",
        "blossoms",
        "deepest",
        "compared",
        "peers wrong",
        "failed"
    );
    let mut total = Tally::default();
    let (mut passed, mut failed) = (0, 0);
    for family in families().filter(|family| family.name().contains(filter)) {
        let (tally, failures) = family.run();
        println!("{}", row(&family.name(), &tally, failures.len()));
        for (number, message) in failures.iter().take(SHOWN_FAILURES) {
            family.show(*number, message);
        }
        let missing = if failures.is_empty() {
            family.missing(&tally)
        } else {
            Vec::new()
        };
        for expected in &missing {
            println!(
                "FAILED {}: no {expected:?} in the sample, so nothing was tested",
                family.name()
            );
        }
        passed += tally.graphs;
        failed += failures.len() + missing.len();
        total.add(&tally);
    }
    println!("{}", row("all", &total, failed));
    println!("{passed} passed, {failed} failed");
    failed > 0
}

fn row(name: &str, tally: &Tally, failed: usize) -> String {
    let Tally {
        graphs,
        pairings,
        barriers,
        blossoms,
        deepest,
        compared,
        peer_failures,
    } = tally;
    let graphs = graphs + failed;
    format!(
        "{name:<17} {graphs:>7} {pairings:>9} {barriers:>9} {blossoms:>9} {deepest:>7} {compared:>9} \
         {peer_failures:>12} {failed:>7}"
    )
}

/// One graph after those before it in its block, written out; made smaller if it fails.
fn replay(family: Family, number: usize) -> bool {
    let graph = family.graph(number);
    let mut past = Past::default();
    for before in number - number % family.block..number {
        // Only for what it leaves in the workspace.
        let _ = family.alone().check(&family.graph(before), before, &mut past);
    }
    println!("{}:{number}\n{graph}", family.name());
    match family.check(&graph, number, &mut past) {
        Ok(tally) => {
            println!("{tally:?}\n1 passed, 0 failed");
            false
        }
        Err(message) => {
            println!("FAILED: {message}");
            family.shrink(graph, number);
            println!("0 passed, 1 failed");
            true
        }
    }
}

impl Family {
    fn name(&self) -> String {
        format!("{}-{}", self.size.name(), self.kind.name)
    }

    fn graph(&self, number: usize) -> Graph {
        self.kind.graph(self.size, number as u64)
    }

    /// The same graphs, compared with nobody else's answers.
    fn alone(self) -> Self {
        Self {
            size: Size::Vast,
            ..self
        }
    }

    /// Prints a smaller graph that fails as well; without asking others, if the claims alone do not hold.
    fn shrink(self, graph: Graph, number: usize) {
        let error = |family: &Self, graph: &Graph| family.check(graph, number, &mut Past::default()).err();
        let Some(family) = [self.alone(), self]
            .into_iter()
            .find(|family| error(family, &graph).is_some())
        else {
            println!("passes in a new workspace: what the workspace was used for before matters");
            return;
        };
        let smaller = shrink::shrink(graph, |graph| error(&family, graph).is_some());
        println!(
            "smaller: {}\n{smaller}",
            error(&family, &smaller).unwrap_or_default()
        );
    }

    /// A panic is a failure like others.
    fn check(&self, graph: &Graph, number: usize, past: &mut Past) -> Result<Tally, String> {
        let run = AssertUnwindSafe(|| check(graph, self.size, number as u64, past));
        catch_unwind(run).unwrap_or_else(|panic| {
            // Whatever it holds is half made.
            *past = Past::default();
            Err(format!("panicked: {}", said(&*panic)))
        })
    }

    /// All graphs, on all cores, block by block; failures by number. Says where it is if nothing is heard for long.
    fn run(&self) -> (Tally, Vec<Failure>) {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let next = AtomicUsize::new(0);
        let at: Vec<_> = (0..threads).map(|_| AtomicUsize::new(0)).collect();
        let (mut tally, mut failures) = (Tally::default(), Vec::new());
        std::thread::scope(|scope| {
            let (report, reports) = mpsc::channel();
            for at in &at {
                let (report, next) = (report.clone(), &next);
                scope.spawn(move || {
                    loop {
                        let start = next.fetch_add(self.block, Ordering::Relaxed);
                        if start >= self.graphs || report.send(self.run_block(start, at)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(report);
            loop {
                match reports.recv_timeout(SILENCE) {
                    Ok((found, failed)) => {
                        tally.add(&found);
                        failures.extend(failed);
                    }
                    Err(RecvTimeoutError::Timeout) => {
                        eprintln!("{}: at graphs {at:?} of {}", self.name(), self.graphs);
                    }
                    Err(RecvTimeoutError::Disconnected) => return,
                }
            }
        });
        failures.sort();
        (tally, failures)
    }

    fn run_block(&self, start: usize, at: &AtomicUsize) -> (Tally, Vec<Failure>) {
        let mut past = Past::default();
        let (mut tally, mut failures) = (Tally::default(), Vec::new());
        for number in start..(start + self.block).min(self.graphs) {
            at.store(number, Ordering::Relaxed);
            match self.check(&self.graph(number), number, &mut past) {
                Ok(found) => tally.add(&found),
                Err(message) => failures.push((number, message)),
            }
        }
        (tally, failures)
    }

    fn show(&self, number: usize, message: &str) {
        let name = self.name();
        println!("FAILED {name}:{number}: {message}");
        println!("again: cargo xtask test --deep --graph {name}:{number}");
        let graph = self.graph(number);
        if graph.edges().count() <= SHOWN_EDGES {
            println!("{graph}");
        }
    }

    /// What should have occurred and did not. Two vast graphs of a kind are no sample.
    fn missing(&self, tally: &Tally) -> Vec<Expect> {
        if matches!(self.size, Size::Vast) {
            return Vec::new();
        }
        let occurred = |expected: &Expect| match expected {
            Expect::Pairings => tally.pairings > 0,
            Expect::Barriers => tally.barriers > 0,
            Expect::Blossoms => tally.blossoms > 0,
            Expect::Nesting => tally.deepest > 1,
        };
        let expects = self.kind.expects.iter().copied();
        expects.filter(|expected| !occurred(expected)).collect()
    }
}

/// What a panic says.
fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no message")
}
