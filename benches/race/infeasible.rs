//! Graphs without a perfect matching, solved by ours: as many times as long as a feasible graph of the size.

use std::time::Instant;

use anyhow::{Result, ensure};
use matchwright_benches::{Infeasible, InfeasibleCosts};
use matchwright_report::{Column, Table};
use matchwright_solver::{
    CostOracle, ExactPairing, Limits, PairingSolver, SolveError, UnmatchedPenalties, Workspace,
};

use super::repeats::median;

/// A time is the median of this many solves.
const SOLVES: usize = 3;

/// The time to the refusal, and to the matching of maximum cardinality.
pub(crate) fn table(sizes: &[usize]) -> Result<Table> {
    let mut table =
        Table::new("Exact pairing without a perfect matching: time over that of a feasible graph")
            .column(Column::text("graph"))
            .column(Column::integer("n"))
            .column(Column::significant("feasible", 4).unit("ms"))
            .column(Column::significant("refusal", 4).unit("ms"))
            .column(Column::significant("maximum cardinality", 4).unit("ms"))
            .column(Column::significant("refusal / feasible", 3))
            .column(Column::significant("maximum cardinality / feasible", 3));
    for &n in sizes {
        let feasible = milliseconds(&InfeasibleCosts::feasible(n), true)?;
        for kind in Infeasible::ALL {
            let costs = InfeasibleCosts::draw(kind, n);
            let refusal = milliseconds(&costs, false)?;
            let most = milliseconds(&UnmatchedPenalties::maximum_cardinality(&costs), true)?;
            table = table.row([
                kind.to_string().into(),
                n.into(),
                feasible.into(),
                refusal.into(),
                most.into(),
                (refusal / feasible).into(),
                (most / feasible).into(),
            ]);
        }
    }
    Ok(table)
}

/// The median time to a pairing, or to the proof that there is none.
fn milliseconds(costs: &dyn CostOracle, has_pairing: bool) -> Result<f64> {
    let mut workspace = Workspace::new();
    let mut times = [0.0; SOLVES];
    for time in &mut times {
        let start = Instant::now();
        let solved = ExactPairing::minimum().solve_in(&mut workspace, costs, &Limits::unlimited());
        *time = 1e3 * start.elapsed().as_secs_f64();
        let refused = matches!(solved, Err(SolveError::NoPerfectMatching(_)));
        ensure!(
            if has_pairing { solved.is_ok() } else { refused },
            "not as expected: {solved:?}"
        );
    }
    Ok(median(&times))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_graph_has_a_row() {
        let csv = table(&[60]).unwrap().to_csv();
        assert_eq!(csv.lines().count(), 1 + Infeasible::ALL.len(), "{csv}");
    }
}
