//! Th3, Th4 and Th5, which need no condition on draws.

use matchwright_scoring::ChurnByOutcome;
use rand::{Rng, RngExt};

use super::config::{DRAW_RATE, SKILL_SPREADS, TheoryConfig};
use super::draw_law::DrawLaw;
use super::pool::SmallPool;
use super::report::{Counterexample, ScoredPairs, Statement, StatementCheck};
use crate::random::Purpose;
use anyhow::Result;
use matchwright_sim::random::{standard_normal, stream};

/// Stream of these pools.
const STAGE_MIXED: u64 = 3;

/// All of them on the same pools: normal skills, Davidson's draws, churn of one's own.
pub(crate) fn check(config: &TheoryConfig, seed: u64) -> Result<Vec<StatementCheck>> {
    let law = DrawLaw::davidson(DRAW_RATE)?;
    let any = "any churn, any skills";
    let mut checks = [
        StatementCheck::new(
            Statement::Th3,
            "churn that the own state decides",
            "every pairing has the same expected churn",
        ),
        StatementCheck::new(
            Statement::Th4,
            "in expectation",
            "least <= E[random] <= most, and E[random] is the mean over all pairings",
        ),
        StatementCheck::new(
            Statement::Th4,
            "as printed, of a single random pairing",
            "the pairing drawn is not the worst",
        ),
        StatementCheck::new(
            Statement::Th5,
            any,
            "EOMM's pairing, found by the exact solver, is the least of all",
        ),
    ];
    for (a, &spread) in (0..).zip(&SKILL_SPREADS) {
        for (b, &players) in (0..).zip(&config.sizes) {
            let mut rng = stream(seed, Purpose::Theory, STAGE_MIXED, a * 100 + b);
            for _ in 0..config.pools {
                let skills: Vec<f64> = (0..players).map(|_| spread * standard_normal(&mut rng)).collect();
                examine(&skills, &law, &mut rng, &mut checks)?;
            }
        }
    }
    Ok(checks.into())
}

fn examine(
    skills: &[f64],
    law: &DrawLaw,
    rng: &mut impl Rng,
    checks: &mut [StatementCheck; 4],
) -> Result<()> {
    let [ties, between, never, least] = checks;
    let mut churn = Vec::new();
    let mut own = Vec::new();
    for _ in skills {
        let mut chance = || rng.random_range(0.0..1.0);
        churn.push(ChurnByOutcome::new(chance(), chance(), chance())?);
        let same = chance();
        own.push(ChurnByOutcome::new(same, same, same)?);
    }
    let example = |churn: &[ChurnByOutcome], tried: ScoredPairs, against: ScoredPairs| Counterexample {
        law: law.name(),
        skills: skills.to_vec(),
        churn: churn.iter().map(|c| [c.win(), c.draw(), c.loss()]).collect(),
        tried,
        against,
    };

    let all = SmallPool::of_churn(skills, &own, law)?.extremes()?;
    ties.add(all.most.cost - all.least.cost, || {
        example(&own, all.most, all.least)
    });

    let pool = SmallPool::of_churn(skills, &churn, law)?;
    let all = pool.extremes()?;
    let random = pool.expected_random();
    let outside = (all.least.cost - random).max(random - all.most.cost);
    between.add(outside.max((random - all.mean).abs()), || {
        example(&churn, all.most.clone(), all.least.clone())
    });

    let drawn = pool.random(rng.next_u64())?;
    // The claim is missed by the whole range where the draw is the worst.
    let worst = all.most.cost - drawn.cost <= 1e-12;
    let missed = f64::from(u8::from(worst)) * (all.most.cost - all.least.cost);
    let counter = || example(&churn, drawn, all.most.clone());
    never.add(missed, counter);

    let eomm = pool.exact()?;
    least.add((eomm.cost - all.least.cost).abs(), || {
        example(&churn, eomm, all.least)
    });
    Ok(())
}
