//! Th1 and Th2: equal-skill matching against every pairing, under draws that fall with the gap.

use matchwright_scoring::ChurnByOutcome;
use rand::{Rng, RngExt};

use super::config::{DRAW_RATE, SKILL_SPREADS, TheoryConfig};
use super::draw_law::DrawLaw;
use super::pool::SmallPool;
use super::report::{
    AdjacentRow, Counterexample, ScoredPairs, Statement, StatementCheck, TOLERANCE, WidthRow,
};
use crate::random::Purpose;
use anyhow::Result;
use matchwright_sim::random::{standard_normal, stream};

const OPTIMAL: &str = "sort-adjacent has the least expected churn of all pairings";
const WORST: &str = "sort-adjacent has the most expected churn of all pairings";
const TIES: &str = "every pairing has the same expected churn";
const FALLING: &str = "draws fall with the gap, normal skills";
const WITHIN: &str = "draws fall with the gap, skills within the law's safe width";
const CONSTANT: &str = "one draw rate at any gap (Eq. 10)";

/// Streams: one a table.
const STAGE_NORMAL: u64 = 1;
const STAGE_WIDTH: u64 = 2;

/// Statements, how often sort-adjacent is optimal, and the safe widths.
type Checks = (Vec<StatementCheck>, Vec<AdjacentRow>, Vec<WidthRow>);

/// Equal-skill matching under both signs of K: for K > 0 it should be the least, for K < 0 the most.
type Signs = [StatementCheck; 2];

fn signs(setting: &'static str, claims: [&'static str; 2]) -> Signs {
    [
        StatementCheck::new(Statement::Th1, setting, claims[0]),
        StatementCheck::new(Statement::Th2, setting, claims[1]),
    ]
}

pub(crate) fn check(config: &TheoryConfig, seed: u64) -> Result<Checks> {
    let constant = DrawLaw::constant(DRAW_RATE)?;
    let mut printed = signs(FALLING, [OPTIMAL, WORST]);
    let mut within = signs(WITHIN, [OPTIMAL, WORST]);
    let mut ties = signs(CONSTANT, [TIES, TIES]);
    let mut rows = normal_rows(config, seed, 0, &constant, &mut ties)?;
    let mut widths = Vec::new();
    for (number, law) in (1..).zip(&DrawLaw::falling()?) {
        rows.extend(normal_rows(config, seed, number, law, &mut printed)?);
        widths.push(width_row(config, seed, number, law, &mut within)?);
    }
    Ok(([printed, within, ties].concat(), rows, widths))
}

fn normal_rows(
    config: &TheoryConfig,
    seed: u64,
    law_number: u64,
    law: &DrawLaw,
    signs: &mut Signs,
) -> Result<Vec<AdjacentRow>> {
    let mut rows = Vec::new();
    for skill_spread in SKILL_SPREADS {
        for &players in &config.sizes {
            let cell = law_number * 10_000 + rows.len() as u64;
            let mut rng = stream(seed, Purpose::Theory, STAGE_NORMAL, cell);
            let (mut optimal, mut sum, mut least) = (0, 0.0, 1.0_f64);
            for _ in 0..config.pools {
                let mut skill = |_| skill_spread * standard_normal(&mut rng);
                let skills: Vec<f64> = (0..players).map(&mut skill).collect();
                let (best, share) = examine(&skills, outcome_churn(&mut rng)?, law, signs)?;
                optimal += u64::from(best);
                sum += share;
                least = least.min(share);
            }
            rows.push(AdjacentRow {
                law: law.name(),
                skill_spread,
                players,
                pools: u64::from(config.pools),
                optimal,
                attained: sum / f64::from(config.pools),
                least_attained: least,
            });
        }
    }
    Ok(rows)
}

/// Pools within the safe width, every other one of them on five equally spaced skills, where groups of equals
/// make the nested pairs as good as they can be; and one pool beyond.
fn width_row(
    config: &TheoryConfig,
    seed: u64,
    law_number: u64,
    law: &DrawLaw,
    signs: &mut Signs,
) -> Result<WidthRow> {
    let safe_width = law.safe_width();
    let mut rng = stream(seed, Purpose::Theory, STAGE_WIDTH, law_number);
    let (mut pools, mut optimal) = (0, 0);
    // A convex law has no width at all: there is nothing to look at inside.
    let sizes = if safe_width > 0.0 { &config.sizes[..] } else { &[] };
    for &players in sizes {
        for pool in 0..config.pools {
            let skills: Vec<f64> = if pool % 2 == 0 {
                let span = safe_width * rng.random_range(0.5..1.0);
                (0..players).map(|_| span * rng.random_range(0.0..1.0)).collect()
            } else {
                (0..players)
                    .map(|_| safe_width * f64::from(rng.random_range(0..=4_u8)) / 4.0)
                    .collect()
            };
            pools += 1;
            optimal += u64::from(examine(&skills, outcome_churn(&mut rng)?, law, signs)?.0);
        }
    }
    let wider = (1.05 * safe_width).max(10.0);
    let churn = ChurnByOutcome::new(0.3, 0.2, 0.5)?;
    let beyond = SmallPool::of_churn(&law.hardest_four(wider, 400), &[churn; 4], law)?;
    let (adjacent, all) = (beyond.sort_adjacent()?, beyond.extremes()?);
    let fails = adjacent.cost - all.least.cost > TOLERANCE;
    Ok(WidthRow {
        law: law.name(),
        safe_width,
        pools,
        optimal,
        beyond: fails.then(|| example(law, &beyond, churn, adjacent, all.least)),
    })
}

/// Holds one pool against both statements: with `churn` (K > 0), and with 1 - `churn` (K < 0). Whether sort-adjacent
/// is optimal, and its share of the most expected draws.
fn examine(skills: &[f64], churn: ChurnByOutcome, law: &DrawLaw, signs: &mut Signs) -> Result<(bool, f64)> {
    let flipped = ChurnByOutcome::new(1.0 - churn.win(), 1.0 - churn.draw(), 1.0 - churn.loss())?;
    let [least, most] = signs;
    let found = hold(skills, churn, law, least)?;
    hold(skills, flipped, law, most)?;
    Ok(found)
}

/// Holds one pool against one statement. Whether it is met, and sort-adjacent's share of the draws at that end of the
/// scale of churn.
fn hold(
    skills: &[f64],
    churn: ChurnByOutcome,
    law: &DrawLaw,
    check: &mut StatementCheck,
) -> Result<(bool, f64)> {
    let pool = SmallPool::of_churn(skills, &vec![churn; skills.len()], law)?;
    let (adjacent, all) = (pool.sort_adjacent()?, pool.extremes()?);
    let (sign, end, other) = match check.statement {
        Statement::Th1 => (1.0, all.least, all.most),
        _ => (-1.0, all.most, all.least),
    };
    let draws = |scored: &ScoredPairs| -> f64 {
        let gap = |&(i, j): &(usize, usize)| law.draw(skills[i] - skills[j]);
        scored.pairs.iter().map(gap).sum()
    };
    // Where there is no draw to be had, none is missed.
    let most = draws(&end);
    let share = if most > 0.0 { draws(&adjacent) / most } else { 1.0 };
    let tried = if check.claim == TIES { other } else { adjacent };
    let missed = sign * (tried.cost - end.cost);
    let holds = check.add(missed, || example(law, &pool, churn, tried, end));
    Ok((holds, share))
}

fn example(
    law: &DrawLaw,
    pool: &SmallPool,
    churn: ChurnByOutcome,
    tried: ScoredPairs,
    against: ScoredPairs,
) -> Counterexample {
    Counterexample {
        law: law.name(),
        skills: pool.skills().to_vec(),
        churn: vec![[churn.win(), churn.draw(), churn.loss()]; pool.skills().len()],
        tried,
        against,
    }
}

/// Churn after each outcome, uniform among those with K = c(W) + c(L) - 2 c(D) of at least 0.1.
fn outcome_churn(rng: &mut impl Rng) -> Result<ChurnByOutcome> {
    loop {
        let mut chance = || rng.random_range(0.0..1.0);
        let (win, draw, loss): (f64, f64, f64) = (chance(), chance(), chance());
        if win + loss - 2.0 * draw >= 0.1 {
            return Ok(ChurnByOutcome::new(win, draw, loss)?);
        }
    }
}
