//! The results as tables.

use matchwright_report::{Column, Table};

use super::contender::Family;
use super::results::{Cell, Results};

const MILLI: f64 = 1e3;

/// Bytes per megabyte.
const MEGA: f64 = 1e6;

/// The headline: for each family and size, ours beside the best of the peers.
pub(crate) fn summary(results: &Results, notes: &[String]) -> Table {
    let mut table = Table::new("Exact pairing: the best of the peers over ours")
        .column(Column::text("family"))
        .column(Column::integer("n"))
        .column(Column::significant("ours", 4).unit("ms"))
        .column(Column::text("best peer"))
        .column(Column::significant("its time", 4).unit("ms"))
        .column(Column::significant("peer / ours", 3));
    for (family, n) in places(results) {
        let Some(ours) = results.ours(family, n) else {
            continue;
        };
        let best = results.best_peer(family, n);
        table = table.row([
            family.to_string().into(),
            n.into(),
            (MILLI * ours.seconds).into(),
            best.as_ref().map(name).into(),
            best.as_ref().map(|best| MILLI * best.seconds).into(),
            best.as_ref().map(|best| ratio(best, &ours)).into(),
        ]);
    }
    let notes = notes.iter().cloned();
    let drop_outs = results.drop_outs.iter().map(ToString::to_string);
    let lines = drop_outs.chain(results.wrong()).map(|line| line + ".");
    notes.chain(lines).fold(table, Table::note)
}

/// Who it is, and whether the answer is wrong.
fn name(cell: &Cell) -> String {
    let mark = if cell.excess > 0.0 { " (wrong)" } else { "" };
    format!("{}{mark}", cell.contender)
}

/// Everybody on one family.
pub(crate) fn of_family(results: &Results, family: Family) -> Table {
    let mut table = Table::new(format!("Exact pairing on {family}: median of the solves"))
        .column(Column::integer("n"))
        .column(Column::text("contender"))
        .column(Column::significant("time", 4).unit("ms"))
        .column(Column::significant("slowest seed", 4).unit("ms"))
        .column(Column::significant("first", 4).unit("ms"))
        .column(Column::significant("verify", 4).unit("ms"))
        .column(Column::number("peak memory", 1).unit("MB"))
        .column(Column::integer("solves"))
        .column(Column::significant("/ ours", 3));
    for n in results.sizes(family) {
        let ours = results.ours(family, n);
        for cell in results.cells(family, n) {
            let over_ours = ours.as_ref().map(|ours| ratio(&cell, ours));
            table = table.row([
                n.into(),
                name(&cell).into(),
                (MILLI * cell.seconds).into(),
                (MILLI * cell.slowest).into(),
                (MILLI * cell.first).into(),
                cell.verify.map(|seconds| MILLI * seconds).into(),
                cell.peak_memory.map(|bytes| bytes as f64 / MEGA).into(),
                cell.solves.into(),
                over_ours.into(),
            ]);
        }
    }
    table
        .note("One thread, but for matchwright-all-cores. matchwright-warm starts from the duals of other players.")
        .note("time: the median over the seeds; of each solve the shorter of wall clock and processor time.")
        .note("first: the first solve of a process. peak memory: of the whole process, its input included.")
        .note("/ ours: the time over that of the first row of the same n. matrix-pass and all-pairs are floors.")
}

/// All tables: each family's, and the headline.
pub(crate) fn all(results: &Results, notes: &[String]) -> Vec<Table> {
    let families = results.families().into_iter();
    let tables = families.map(|family| of_family(results, family));
    tables.chain([summary(results, notes)]).collect()
}

fn places(results: &Results) -> impl Iterator<Item = (Family, usize)> + '_ {
    let sizes = |family| results.sizes(family).into_iter().map(move |n| (family, n));
    results.families().into_iter().flat_map(sizes)
}

fn ratio(cell: &Cell, ours: &Cell) -> f64 {
    cell.seconds / ours.seconds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contender::Contender;
    use crate::results::tests::measured;
    use crate::results::{DropOut, Graph};

    fn results() -> Results {
        let mut wrong = measured(Contender::Mwmatching, 100, 1, 0.008);
        wrong.excess = 0.01;
        let (one, other) = (Contender::Matchwright, Contender::LemonFull);
        let graph = Graph {
            family: Family::Eomm,
            n: 300,
            seed: 1,
        };
        Results {
            measurements: vec![
                measured(one, 100, 1, 0.002),
                measured(other, 100, 1, 0.007),
                wrong,
                measured(Contender::MatrixPass, 100, 1, 0.0005),
                measured(one, 300, 1, 0.01),
            ],
            drop_outs: vec![DropOut {
                graph,
                contender: other,
                reason: "too slow".to_owned(),
                is_failure: false,
            }],
        }
    }

    #[test]
    fn the_headline_is_the_best_peers_time_over_ours() {
        let table = summary(&results(), &["LEMON 9".to_owned()]);
        assert_eq!(
            table.to_csv(),
            "family,n,ours,best peer,its time,peer / ours\n\
             eomm,100,2,lemon-full,7,3.5\n\
             eomm,300,10,,,\n"
        );
        let markdown = table.to_markdown();
        assert!(markdown.contains("LEMON 9"), "{markdown}");
        assert!(
            markdown.contains("lemon-full drops out at eomm, 300 vertices, seed 1: too slow."),
            "{markdown}"
        );
        assert!(
            markdown.contains(
                "mwmatching is wrong on eomm, 100 vertices, seed 1: its pairing costs 1.000 % more than the best."
            ),
            "{markdown}"
        );
    }

    #[test]
    fn a_familys_table_has_everybody_beside_ours() {
        let csv = of_family(&results(), Family::Eomm).to_csv();
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(
            lines[0],
            "n,contender,time,slowest seed,first,verify,peak memory,solves,/ ours"
        );
        assert_eq!(lines[1], "100,matchwright,2,2,4,,1.048576,4,1");
        assert_eq!(lines[2], "100,mwmatching (wrong),8,8,16,,1.048576,4,4");
        assert_eq!(lines[3], "100,lemon-full,7,7,14,,1.048576,4,3.5");
        assert_eq!(lines[4], "100,matrix-pass,0.5,0.5,1,,1.048576,4,0.25");
        assert_eq!(lines.len(), 6);
    }
}
