//! Whether all contenders read the same graph and find the same optimum: else the times compare nothing.

use anyhow::{Result, ensure};

use super::contender::{Contender, Form, Role};
use super::results::Graph;

/// What the contenders said of one graph so far.
#[derive(Debug)]
pub(crate) struct Agreement {
    graph: Graph,
    checksums: Vec<(Contender, i64)>,
    costs: Vec<(Contender, f64)>,
}

impl Agreement {
    pub(crate) fn on(graph: Graph) -> Self {
        Self {
            graph,
            checksums: Vec::new(),
            costs: Vec::new(),
        }
    }

    /// Takes in the sum of all costs that a contender read.
    pub(crate) fn read(&mut self, contender: Contender, checksum: i64) -> Result<()> {
        for (other, expected) in &self.checksums {
            ensure!(
                checksum == *expected,
                "{}: {contender} reads costs that add up to {checksum}, {other} to {expected}; they must read the same graph",
                self.graph
            );
        }
        self.checksums.push((contender, checksum));
        Ok(())
    }

    /// Takes in the cost, in steps, of a pairing that a contender found.
    pub(crate) fn found(&mut self, contender: Contender, cost: f64) {
        self.costs.push((contender, cost));
    }

    /// The peers whose pairing somebody undercut, with the part of the cost that it could be less.
    ///
    /// Every pairing was priced by the graph's own costs, so the dearer of two is proven not optimal, whoever found
    /// the other. A peer's mistake is reported and the run goes on; one of ours ends it.
    pub(crate) fn wrong(&self) -> Result<Vec<(Contender, f64)>> {
        let mut wrong: Vec<(Contender, f64)> = Vec::new();
        for &(contender, cost) in &self.costs {
            for &(other, less) in &self.costs {
                let Some(tolerance) = self.tolerance(contender, other, less) else {
                    continue;
                };
                // Written so that NaN fails.
                if cost - less <= tolerance {
                    continue;
                }
                ensure!(
                    contender.role() == Role::Peer,
                    "{}: {contender} finds a pairing of cost {cost}, {other} one of {less}: ours is not optimal",
                    self.graph
                );
                wrong.push((contender, (cost - less) / less));
            }
        }
        // The largest of each.
        wrong.sort_by(|one, other| one.0.cmp(&other.0).then(other.1.total_cmp(&one.1)));
        wrong.dedup_by_key(|(contender, _)| *contender);
        Ok(wrong)
    }

    /// How far two optima may be apart; `None` if they are of different graphs.
    ///
    /// A matrix holds each cost rounded to a step. So either optimum's pairing is worth to the other, of its n / 2
    /// pairs, at most half a step a pair more: n / 4.
    fn tolerance(&self, one: Contender, other: Contender, cost: f64) -> Option<f64> {
        /// Real costs are added up with rounding.
        const REAL: f64 = 1e-9;
        match (one.form(), other.form()) {
            (Form::Matrix, Form::Matrix) => Some(0.0),
            (Form::Implicit, Form::Implicit) => Some(REAL * cost.abs()),
            _ if self.graph.family.is_one_graph() => Some(self.graph.n as f64 / 4.0 + REAL * cost.abs()),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contender::Family;

    fn on(family: Family) -> Agreement {
        Agreement::on(Graph {
            family,
            n: 100,
            seed: 1,
        })
    }

    #[test]
    fn a_peer_that_is_undercut_is_wrong() {
        let mut agreement = on(Family::Uniform);
        agreement.found(Contender::Matchwright, 800_000.0);
        agreement.found(Contender::Mwmatching, 800_000.0);
        assert_eq!(agreement.wrong().unwrap(), []);
        agreement.found(Contender::LemonFull, 800_008.0);
        agreement.found(Contender::LemonFull, 800_001.0);
        agreement.found(Contender::LemonSmart, 800_001.0);
        let wrong = [(Contender::LemonFull, 1e-5), (Contender::LemonSmart, 1.25e-6)];
        assert_eq!(agreement.wrong().unwrap(), wrong);
    }

    #[test]
    fn ours_undercut_is_an_error() {
        for less in [780_637.0, f64::NAN] {
            let mut agreement = on(Family::Uniform);
            agreement.found(Contender::Matchwright, 780_638.0);
            agreement.found(Contender::Mwmatching, less);
            let error = agreement.wrong().unwrap_err().to_string();
            let expected = format!(
                "uniform, 100 vertices, seed 1: matchwright finds a pairing of cost 780638, mwmatching one of {less}: \
                 ours is not optimal"
            );
            assert_eq!(error, expected);
        }
    }

    #[test]
    fn real_costs_agree_with_rounded_ones_to_half_a_step_a_pair() {
        let ours = |family, real| {
            let mut agreement = on(family);
            agreement.found(Contender::Matchwright, 5e7);
            agreement.found(Contender::MatchwrightImplicit, real);
            agreement.wrong()
        };
        for real in [5e7 - 24.9, 5e7 + 24.9] {
            assert_eq!(ours(Family::Eomm, real).unwrap(), []);
        }
        for real in [5e7 - 25.1, 5e7 + 25.1] {
            assert!(ours(Family::Eomm, real).is_err(), "{real}");
        }
        // Without a matrix, uniform is another graph.
        assert_eq!(ours(Family::Uniform, 1.0).unwrap(), []);
    }

    #[test]
    fn another_graph_is_noticed() {
        let mut agreement = on(Family::Eomm);
        agreement.read(Contender::Matchwright, 17).unwrap();
        agreement.read(Contender::LemonSmart, 17).unwrap();
        assert!(agreement.read(Contender::LemonFull, 18).is_err());
    }
}
