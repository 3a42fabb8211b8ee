//! Section 4: which pairings are equivalent, best and worst, and when (EOMM-Th*, -X4, -X5).

use super::inputs::EommInputs;
use crate::check::prelude::*;
use crate::eomm::theory::SKILL_SPREADS;
use crate::eomm::theory::{Counterexample, DrawLaw, Statement, StatementCheck, TheoryReport};
use matchwright_rating::{DrawModel, FixedDraw};
use matchwright_scoring::{ChurnByOutcome, churn_edge};
use matchwright_sim::adapt::chances_of;
use matchwright_solver::{ExactPairing, Limits, PairingSolver, RandomPairing, Workspace, verify};
use rand::{Rng, RngExt};

use super::pool::Pool;

pub(crate) const CHECKS: &[Check<EommInputs>] = &[
    Check::new("EOMM-Th1", Exact(|inputs| equal_skill(inputs, Statement::Th1))),
    Check::new("EOMM-Th2", Exact(|inputs| equal_skill(inputs, Statement::Th2))),
    Check::new("EOMM-Th3", Exact(own_state)),
    Check::new("EOMM-Th4", Exact(random)),
    Check::new("EOMM-Th5", Exact(best)),
    Check::new("EOMM-X4", Exact(constant_draws)),
    Check::new("EOMM-X5", Exact(nested_pairs)),
];

/// Settings of the report, by words of theirs.
const PRINTED: &str = "normal skills";
const WITHIN: &str = "safe width";
const CONSTANT: &str = "Eq. 10";
const EXPECTED: &str = "in expectation";
const SINGLE: &str = "a single random pairing";

fn statement<'a>(report: &'a TheoryReport, which: Statement, setting: &str) -> Result<&'a StatementCheck> {
    let mut checks = report.statements.iter();
    let found = checks.find(|check| check.statement == which && check.setting.contains(setting));
    found.with_context(|| format!("the report has no {which:?} with {setting}"))
}

/// The draw law of this name, as the report's pools had it.
fn law(name: &str) -> Result<DrawLaw> {
    let found = DrawLaw::falling()?.into_iter().find(|law| law.name() == name);
    found.with_context(|| format!("no draw law is called {name}"))
}

/// What a counterexample's pairing costs beyond the other pairing, computed anew from skills and churn. An error
/// if it is about other churn, or another pairing, than the statement.
fn excess(which: Statement, example: &Counterexample) -> Result<f64> {
    let law = law(example.law)?;
    let mut order: Vec<usize> = (0..example.skills.len()).collect();
    order.sort_by(|&a, &b| example.skills[a].total_cmp(&example.skills[b]));
    let meet = |two: &[usize]| {
        let pairs = &example.tried.pairs;
        pairs.contains(&(two[0], two[1])) || pairs.contains(&(two[1], two[0]))
    };
    anyhow::ensure!(order.chunks(2).all(meet), "a counterexample without neighbours");
    let &[win, draw, loss] = example.churn.first().context("a counterexample of nobody")?;
    let alike = example.churn.iter().all(|churn| *churn == [win, draw, loss]);
    let side = if which == Statement::Th1 { 1.0 } else { -1.0 };
    anyhow::ensure!(
        alike && side * (win + loss - 2.0 * draw) > 0.0,
        "a counterexample with other churn than {which:?} has"
    );
    let churn = ChurnByOutcome::new(win, draw, loss)?;
    let cost = |pairs: &[(usize, usize)]| -> Result<f64> {
        let mut sum = 0.0;
        for &(i, j) in pairs {
            let chances = law.chances(example.skills[i] - example.skills[j]);
            sum += churn_edge(&chances.context("no distribution")?, &churn, &churn);
        }
        Ok(sum)
    };
    Ok(cost(&example.tried.pairs)? - cost(&example.against.pairs)?)
}

/// Th1 and Th2: false as printed, true within the safe width of a draw law.
fn equal_skill(inputs: &EommInputs, which: Statement) -> Result<Finding> {
    let report = inputs.theory_report()?;
    let printed = statement(report, which, PRINTED)?;
    let within = statement(report, which, WITHIN)?;
    let mut found = Finding::new()
        .count("pools with draws that fall with the gap", printed.pools)
        .count("of them true", printed.held)
        .count("pools within the safe width", within.pools)
        .count("of them true", within.held)
        .require(within.holds(), "it holds in every pool within the safe width");
    let mut fails = false;
    if let Some(example) = &printed.counterexample {
        // What is no counterexample refutes nothing.
        let excess = excess(which, example).unwrap_or(f64::NAN);
        let missed = if which == Statement::Th1 { excess } else { -excess };
        let skills: Vec<String> = example.skills.iter().map(|skill| format!("{skill:.0}")).collect();
        let name = format!("a counterexample, {} draws: skills", example.law);
        found = found
            .text(name, skills.join(", "))
            .number("off the end by", missed, 4);
        fails = !printed.holds() && missed > 1e-9;
    }
    for row in &report.widths {
        let within = format!("{}: neighbours are best within", row.law);
        found = found
            .number(format!("{}: safe up to, points,", row.law), row.safe_width, 1)
            .require(row.optimal == row.pools, within)
            .require(row.beyond.is_some(), format!("{}: not just beyond", row.law));
    }
    Ok(found
        .require(!report.widths.is_empty(), "there are widths")
        .refutes_page(
            fails,
            "it fails in some pool, as a counterexample worked out anew shows",
        ))
}

fn own_state(inputs: &EommInputs) -> Result<Finding> {
    let check = statement(inputs.theory_report()?, Statement::Th3, "own state")?;
    Ok(Finding::new()
        .count("pools", check.pools)
        .count("in which all pairings tie", check.held)
        .number("largest difference of two", check.worst_deviation, 6)
        .require(check.holds(), "all pairings tie in every pool"))
}

/// Th4: true in expectation; a draw is the worst pairing itself once in (N-1)!!.
fn random(inputs: &EommInputs) -> Result<Finding> {
    let report = inputs.theory_report()?;
    let mean = statement(report, Statement::Th4, EXPECTED)?;
    let drawn = statement(report, Statement::Th4, SINGLE)?;
    let each = f64::from(report.config.pools) * SKILL_SPREADS.len() as f64;
    let (mut expected, mut variance) = (0.0, 0.0);
    for &size in &report.config.sizes {
        let pairings: usize = (1..size).step_by(2).product();
        let chance = 1.0 / pairings as f64;
        expected += each * chance;
        variance += each * chance * (1.0 - chance);
    }
    let worst = (drawn.pools - drawn.held) as f64;
    let z = (worst - expected) / f64::sqrt(variance);
    Ok(Finding::new()
        .count("pools", mean.pools)
        .count("in which the mean lies between the ends", mean.held)
        .count("random pairings", drawn.pools)
        .number("of them the worst", worst, 0)
        .number("expected", expected, 1)
        .number("z", z, 2)
        .require(
            mean.holds(),
            "the mean of all pairings is random's expectation, and no better or worse than the ends",
        )
        .completes_page(!drawn.holds(), "a single random pairing can be the worst")
        .require(z.abs() <= 4.0, "as often as one pairing of all is drawn"))
}

/// Th5: small pools against all pairings, larger ones against random pairings and the solver's own proof.
fn best(inputs: &EommInputs) -> Result<Finding> {
    const POOLS: u64 = 10;
    const PLAYERS: usize = 100;
    const DRAWS: u32 = 500;
    let small = statement(inputs.theory_report()?, Statement::Th5, "")?;
    let (mut proven, mut ahead) = (0, f64::INFINITY);
    let mut workspace = Workspace::new();
    for k in 0..POOLS {
        let mut rng = check_stream(inputs.seed, 31, k);
        let costs = Pool::draw(inputs, PLAYERS, &mut rng)?.graph(inputs)?;
        let ours = ExactPairing::minimum().solve_in(&mut workspace, &costs, &Limits::unlimited())?;
        proven += u64::from(verify(&costs, &ours).is_ok_and(|proof| proof.optimal));
        for _ in 0..DRAWS {
            let drawn =
                RandomPairing::new(rng.next_u64()).solve_in(&mut workspace, &costs, &Limits::unlimited())?;
            ahead = smaller(ahead, drawn.cost() - ours.cost());
        }
    }
    Ok(Finding::new()
        .count("pools against all pairings", small.pools)
        .count("in which EOMM is best", small.held)
        .number("largest difference from the best", small.worst_deviation, 6)
        .count("pools of 100", POOLS)
        .count("of them proven best", proven)
        .number("ahead of 500 random pairings each by at least", ahead, 3)
        .require(small.holds(), "EOMM is the best of all pairings")
        .require(proven == POOLS, "larger pools have a proof")
        .require(ahead >= 0.0, "no random pairing is better"))
}

/// X4: what a pair of equal churn costs under the inputs' outcome model, and whether all pairings tie.
fn constant_draws(inputs: &EommInputs) -> Result<Finding> {
    const SAMPLES: u32 = 2_000;
    let report = inputs.theory_report()?;
    let mut rng = check_stream(inputs.seed, 32, 0);
    let mut off = 0.0_f64;
    for _ in 0..SAMPLES {
        let share: f64 = rng.random();
        let chances = chances_of(&FixedDraw::EOMM.outcome_probabilities(share, 1.0 - share));
        let chances = chances.context("no distribution")?;
        let churn = ChurnByOutcome::new(rng.random(), rng.random(), rng.random())?;
        let sum = 0.8 * (churn.win() + churn.loss()) + 0.4 * churn.draw();
        deviate(&mut off, churn_edge(&chances, &churn, &churn), sum);
    }
    let (mut pools, mut held, mut tie) = (0, 0, true);
    for which in [Statement::Th1, Statement::Th2] {
        let ties = statement(report, which, CONSTANT)?;
        (pools, held, tie) = (pools + ties.pools, held + ties.held, tie && ties.holds());
    }
    let falling = statement(report, Statement::Th1, WITHIN)?;
    Ok(Finding::new()
        .count("pairs", u64::from(SAMPLES))
        .number("off the stated sum by", off, 6)
        .count("pools under constant draws", pools)
        .count("in which all pairings tie", held)
        .count("pools under falling draws, within the safe width", falling.pools)
        .count("in which neighbours are best", falling.held)
        .require(off <= 1e-12, "0.8 (c(W) + c(L)) + 0.4 c(D) a pair")
        .completes_page(tie, "all pairings tie under the constant draws of Eq. 10")
        .require(
            falling.holds(),
            "neighbours are best where draws get rarer with the gap, within the safe width",
        ))
}

fn nested_pairs(inputs: &EommInputs) -> Result<Finding> {
    let example = &inputs.theory_report()?.example;
    let printed = |value: f64, stated: f64| (value - stated).abs() <= 0.0005;
    let skills = example.skills.map(|skill| format!("{skill:.0}"));
    Ok(Finding::new()
        .text("skills", skills.join(", "))
        .number("draws among neighbours", example.adjacent, 3)
        .number("crossing", example.crossing, 3)
        .number("nested", example.nested, 3)
        .require(example.skills == [0.0, 200.0, 200.0, 400.0], "the printed skills")
        .require(printed(example.adjacent, 0.011), "0.011 among neighbours")
        .require(printed(example.nested, 0.3), "0.300 nested")
        .refutes_page(example.nested > example.adjacent, "nested pairs draw more often"))
}
