//! One contender on the instances that it is told to solve: the program that `cargo xtask bench solver` runs in
//! a process of its own for every contender and input.
//!
//! Why not Criterion, as for ratings: a process of its own gives each contender its own peak memory and heap,
//! can be stopped when it takes too long, and may be a C++ program; and a solve that takes a minute must not be
//! repeated ten times. The process that asks decides how often to solve, see `xtask/src/bench/solver`.
//!
//! The argument names the contender. Each line of standard input is a command, each answered by one line:
//!
//! | command | answer | meaning |
//! |---|---|---|
//! | `draw FAMILY N SEED` | `ready CHECKSUM` | takes the instance; the sum of its costs, or `-` without a matrix |
//! | `draw-edges FAMILY N SEED` | `ready CHECKSUM` | takes a graph by its edges |
//! | `write PATH` | `written` | writes the instance drawn last, for a contender that is no Rust |
//! | `solve` | `solved SECONDS COST` | the cost in steps, or `-` if there is none |
//! | `verify` | `verified SECONDS` | checks the last answer's certificate |
//!
//! Anything that goes wrong is answered by `failed REASON`.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program that answers on standard output"
)]

mod contender;
mod floors;
mod ours;
mod peers;
mod warm;

use std::fs::File;
use std::io::{BufRead, BufWriter};

use anyhow::{Context, Result, bail};
use matchwright_benches::{Edges, Instance};

use contender::{Answer, Contender, Graph, Input};

fn main() -> Result<()> {
    let name = std::env::args().nth(1).unwrap_or_default();
    if name.is_empty() || name.starts_with('-') {
        eprintln!("this is a part of `cargo xtask bench solver`, which times it beside other solvers");
        return Ok(());
    }
    let mut session = Session {
        contender: contender(&name)?,
        drawn: None,
    };
    for line in std::io::stdin().lock().lines() {
        match session.answer(&line?) {
            Ok(answer) => println!("{answer}"),
            // One line, whatever the message holds.
            Err(error) => println!("failed {}", format!("{error:#}").replace('\n', " ")),
        }
    }
    Ok(())
}

fn contender(name: &str) -> Result<Box<dyn Contender>> {
    Ok(match name {
        "matchwright" | "matchwright-edges" => Box::<ours::Integers>::default(),
        "matchwright-warm" => Box::<warm::Warm>::default(),
        "matchwright-implicit" => Box::new(ours::Implicit::on(1)),
        "matchwright-all-cores" => Box::new(ours::Implicit::on(cores()?)),
        "geometric-traits" => Box::<peers::GeometricTraits>::default(),
        "mwmatching" => Box::<peers::Mwmatching>::default(),
        "rustworkx-core" => Box::<peers::RustworkxCore>::default(),
        "matrix-pass" => Box::<floors::MatrixPass>::default(),
        "all-pairs" => Box::<floors::AllPairs>::default(),
        other => bail!("there is no contender `{other}`"),
    })
}

fn cores() -> Result<usize> {
    Ok(std::thread::available_parallelism()?.get())
}

struct Session {
    contender: Box<dyn Contender>,
    /// The graph drawn last, if the contender takes a matrix or edges.
    drawn: Option<Drawn>,
}

enum Drawn {
    Matrix(Instance),
    Edges(Edges),
}

impl Session {
    fn answer(&mut self, command: &str) -> Result<String> {
        let words: Vec<&str> = command.split_whitespace().collect();
        match words[..] {
            ["draw", family, n, seed] => self.draw(Graph {
                family: family.parse()?,
                n: n.parse()?,
                seed: seed.parse()?,
            }),
            ["draw-edges", family, n, seed] => {
                let family: matchwright_benches::SparseFamily = family.parse()?;
                let edges = family.edges(n.parse()?, seed.parse()?);
                self.contender.load_edges(&edges)?;
                let checksum = edges.checksum();
                self.drawn = Some(Drawn::Edges(edges));
                Ok(format!("ready {checksum}"))
            }
            ["write", ..] => {
                let path = command.trim_start_matches("write").trim();
                let file = File::create(path).with_context(|| format!("creating {path}"))?;
                match self.drawn.as_ref().context("nothing was drawn")? {
                    Drawn::Matrix(instance) => instance.write(BufWriter::new(file))?,
                    Drawn::Edges(edges) => edges.write(BufWriter::new(file))?,
                }
                Ok("written".to_owned())
            }
            ["solve"] => self.solve(),
            ["verify"] => {
                let elapsed = self.contender.verify()?;
                Ok(format!("verified {}", elapsed.as_secs_f64()))
            }
            _ => bail!("no such command: `{command}`"),
        }
    }

    fn draw(&mut self, graph: Graph) -> Result<String> {
        let Graph { family, n, seed } = graph;
        if self.contender.is_implicit() {
            let costs = family.implicit(n, seed)?;
            self.contender.load(graph, Input::Implicit(costs))?;
            return Ok("ready -".to_owned());
        }
        let instance = family.matrix(n, seed);
        self.contender.load(graph, Input::Matrix(&instance))?;
        let checksum = instance.checksum();
        self.drawn = Some(Drawn::Matrix(instance));
        Ok(format!("ready {checksum}"))
    }

    fn solve(&mut self) -> Result<String> {
        let solved = self.contender.solve()?;
        let cost = match solved.answer {
            Answer::Nothing => "-".to_owned(),
            Answer::Steps(cost) => cost.to_string(),
            Answer::Mates(mates) => {
                let cost = match self.drawn.as_ref().context("nothing was drawn")? {
                    Drawn::Matrix(instance) => instance.cost_of(&mates),
                    Drawn::Edges(edges) => edges.cost_of(&mates),
                };
                cost.context("the answer is no perfect matching")?.to_string()
            }
        };
        Ok(format!("solved {} {cost}", solved.elapsed.as_secs_f64()))
    }
}
