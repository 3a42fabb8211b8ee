//! What no solver that looks at every pair can be faster than.

use std::hint::black_box;
use std::time::Duration;

use anyhow::{Context, Result};
use matchwright_solver::CostOracle;

use crate::contender::{Answer, Contender, Graph, Input, Solved, timed};

/// One pass over a matrix of 32-bit integers: the sum of each row.
#[derive(Default)]
pub(crate) struct MatrixPass {
    n: usize,
    matrix: Vec<i32>,
}

/// The cost of every ordered pair, once: by the bounds in single precision where there are such, else by the rows.
#[derive(Default)]
pub(crate) struct AllPairs {
    costs: Option<Box<dyn CostOracle>>,
}

impl Contender for MatrixPass {
    fn load(&mut self, _: Graph, input: Input<'_>) -> Result<()> {
        let instance = input.matrix()?;
        self.n = instance.n;
        self.matrix = vec![0; self.n * self.n];
        for (i, j, cost) in instance.edges() {
            (self.matrix[i * self.n + j], self.matrix[j * self.n + i]) = (cost, cost);
        }
        Ok(())
    }

    fn solve(&mut self) -> Result<Solved> {
        let sum = |row: &[i32]| row.iter().fold(0_i32, |sum, &cost| sum.wrapping_add(cost));
        let matrix = black_box(&self.matrix);
        let (elapsed, ()) = timed(|| {
            for row in matrix.chunks_exact(self.n.max(1)) {
                black_box(sum(row));
            }
        });
        Ok(nothing(elapsed))
    }
}

impl Contender for AllPairs {
    fn is_implicit(&self) -> bool {
        true
    }

    fn load(&mut self, _: Graph, input: Input<'_>) -> Result<()> {
        self.costs = Some(input.implicit()?);
        Ok(())
    }

    fn solve(&mut self) -> Result<Solved> {
        let costs = self.costs.as_ref().context("nothing was drawn")?;
        let n = costs.vertices();
        let (mut rough, mut row) = (vec![0.0_f32; n], Vec::new());
        let (elapsed, ()) = timed(|| {
            for i in 0..n {
                if !costs.lower_bounds(i, 0, &mut rough) {
                    row.resize(n, 0.0);
                    costs.cost_row(i, 0, &mut row);
                }
                black_box((&rough, &row));
            }
        });
        Ok(nothing(elapsed))
    }
}

fn nothing(elapsed: Duration) -> Solved {
    Solved {
        elapsed,
        answer: Answer::Nothing,
    }
}
