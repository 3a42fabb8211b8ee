//! All checks, one after the other.

use super::config::TheoryConfig;
use super::draw_law::DrawLaw;
use super::report::{FourPlayers, TheoryReport};
use super::{adjacent, statements};
use anyhow::Result;

/// Holds every statement of section 4 against all pairings of seeded random pools.
///
/// The report has each statement as the paper prints it and, where that fails, under the condition that mends it (see
/// [`theory`](super)); a verdict is [`StatementCheck::holds`](super::StatementCheck::holds), computed from the pools.
/// One thread; at the defaults about a second. Cost: O((N-1)!! N^2) a pool.
///
/// # Errors
/// For a setting out of range.
///
/// ```
/// use matchwright_papers::eomm::theory::{TheoryConfig, run_theory};
///
/// let report = run_theory(&TheoryConfig { pools: 10, sizes: vec![4, 6] }, 1)?;
/// assert!(report.widths.iter().all(|law| law.optimal == law.pools && law.beyond.is_some()));
/// # Ok::<(), anyhow::Error>(())
/// ```
pub fn run_theory(config: &TheoryConfig, seed: u64) -> Result<TheoryReport> {
    config.check()?;
    let (mut statements, adjacent, widths) = adjacent::check(config, seed)?;
    statements.extend(statements::check(config, seed)?);
    statements.sort_by_key(|check| check.statement as u8);
    let law = DrawLaw::gaussian(0.3, 100.0)?;
    Ok(TheoryReport {
        config: config.clone(),
        seed,
        statements,
        adjacent,
        widths,
        example: FourPlayers::new([0.0, 200.0, 200.0, 400.0], &law),
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Statement, StatementCheck};
    use super::*;

    fn report() -> TheoryReport {
        let config = TheoryConfig {
            pools: 20,
            sizes: vec![4, 6, 8],
        };
        run_theory(&config, 5).unwrap()
    }

    fn find<'a>(report: &'a TheoryReport, statement: Statement, setting: &str) -> &'a StatementCheck {
        let mut found = report
            .statements
            .iter()
            .filter(|check| check.statement == statement && check.setting.contains(setting));
        let check = found.next().unwrap();
        assert!(found.next().is_none(), "{setting}");
        check
    }

    #[test]
    fn what_holds_holds_and_what_the_paper_overstates_has_a_counterexample() {
        let report = report();
        for statement in [Statement::Th1, Statement::Th2] {
            let printed = find(&report, statement, "normal skills");
            assert!(!printed.holds() && printed.held > 0, "{printed:?}");
            let example = printed.counterexample.as_ref().unwrap();
            assert_eq!(example.skills.len(), 4);
            assert!(find(&report, statement, "safe width").holds());
            assert!(find(&report, statement, "Eq. 10").holds());
        }
        assert!(find(&report, Statement::Th3, "own state").holds());
        assert!(find(&report, Statement::Th4, "in expectation").holds());
        assert!(find(&report, Statement::Th5, "any").holds());
        let drawn = find(&report, Statement::Th4, "as printed");
        // Of four players a third of all draws are the worst, of six a 15th, of eight a 105th: 22.8 of 180 expected.
        let worst = drawn.pools - drawn.held;
        assert!((10..=40).contains(&worst), "{worst}");
    }

    #[test]
    fn a_counterexample_can_be_checked_by_hand() {
        let report = report();
        let example = find(&report, Statement::Th1, "normal skills")
            .counterexample
            .clone()
            .unwrap();
        let law = match example.law {
            "Davidson" => DrawLaw::davidson(0.2),
            "Rao-Kupper" => DrawLaw::rao_kupper(0.2),
            "Gaussian" => DrawLaw::gaussian(0.2, 200.0),
            "parabola" => DrawLaw::parabola(0.2, 200.0),
            _ => DrawLaw::exponential(0.2, 200.0),
        };
        let law = law.unwrap();
        let [win, draw, loss] = example.churn[0];
        assert!(win + loss > 2.0 * draw);
        let cost = |pairs: &[(usize, usize)]| -> f64 {
            let draws = |&(i, j): &(usize, usize)| law.draw(example.skills[i] - example.skills[j]);
            let draws: f64 = pairs.iter().map(draws).sum();
            2.0 * (win + loss) - (win + loss - 2.0 * draw) * draws
        };
        assert!((cost(&example.tried.pairs) - example.tried.cost).abs() < 1e-12);
        assert!((cost(&example.against.pairs) - example.against.cost).abs() < 1e-12);
        assert!(example.against.cost < example.tried.cost - 1e-9);
    }

    #[test]
    fn equal_skill_matching_has_all_the_draws_there_are_more_often_in_narrow_pools() {
        let report = report();
        let optimal = |law: &str, spread: f64| -> u64 {
            let rows = report
                .adjacent
                .iter()
                .filter(|row| row.law == law && row.skill_spread == spread);
            rows.map(|row| row.optimal).sum()
        };
        for law in ["Davidson", "Rao-Kupper", "Gaussian"] {
            assert!(optimal(law, 100.0) > optimal(law, 400.0), "{law}");
        }
        for row in &report.adjacent {
            assert!(row.least_attained <= row.attained && row.attained <= 1.0 + 1e-12);
            assert!(row.law != "constant" || row.optimal == row.pools);
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_report_and_another_seed_another() {
        let config = TheoryConfig {
            pools: 4,
            sizes: vec![4],
        };
        let json = |seed| serde_json::to_string(&run_theory(&config, seed).unwrap()).unwrap();
        assert_eq!(json(1), json(1));
        assert_ne!(json(1), json(2));
    }
}
