//! Section 3.1 and 3.2: the graph and its edges, Eq. 2-6.

use super::inputs::EommInputs;
use crate::check::prelude::*;
use matchwright_rating::{DrawModel, FixedDraw};
use matchwright_scoring::{ChurnByOutcome, OutcomeChances, churn_edge, expected_churn};
use matchwright_solver::CostOracle;
use rand::{Rng, RngExt};

use super::pool::Pool;

pub(crate) const CHECKS: &[Check<EommInputs>] = &[
    Check::new("EOMM-asym", Exact(|inputs| both_sides(inputs, churn_edge))),
    Check::new(
        "EOMM-Eq2",
        Exact(|inputs| opponent_does_not_matter(inputs, churn_edge)),
    ),
    Check::new("EOMM-Eq3", Exact(|inputs| skills_alone(inputs, &FixedDraw::EOMM))),
    Check::new("EOMM-Eq4-6", Exact(|inputs| marginal(inputs, churn_edge))),
    Check::new("EOMM-fig1", Exact(|inputs| complete(inputs, &FixedDraw::EOMM))),
];

/// An edge of the graph by chances and churn.
pub(crate) type Edge = fn(&OutcomeChances, &ChurnByOutcome, &ChurnByOutcome) -> f64;

const SAMPLES: u64 = 2_000;

fn churn(rng: &mut impl Rng) -> Result<ChurnByOutcome> {
    Ok(ChurnByOutcome::new(rng.random(), rng.random(), rng.random())?)
}

fn chances(rng: &mut impl Rng) -> Result<OutcomeChances> {
    let weights: [f64; 3] = [rng.random(), rng.random(), rng.random()];
    let sum: f64 = weights.iter().sum();
    let [win, draw, loss] = weights.map(|weight| weight / sum);
    Ok(OutcomeChances::new(win, draw, loss)?)
}

pub(crate) fn both_sides(inputs: &EommInputs, edge_of: Edge) -> Result<Finding> {
    let mut rng = check_stream(inputs.seed, 1, 0);
    let (mut off, mut unequal, mut symmetric) = (0.0_f64, 0, true);
    for _ in 0..SAMPLES {
        let (i, j, chances) = (churn(&mut rng)?, churn(&mut rng)?, chances(&mut rng)?);
        let ij = expected_churn(&chances, &i);
        let ji = expected_churn(&chances.reversed(), &j);
        let edge = edge_of(&chances, &i, &j);
        deviate(&mut off, edge, ij + ji);
        unequal += u64::from((ij - ji).abs() > 1e-9);
        symmetric &= edge == edge_of(&chances.reversed(), &j, &i);
    }
    Ok(Finding::new()
        .count("pairs", SAMPLES)
        .count("with unequal parts", unequal)
        .number("sum off by", off, 15)
        .require(unequal > SAMPLES / 2, "the two parts differ as a rule")
        .require(off <= 1e-12, "the edge is the sum of both parts")
        .require(symmetric, "the edge is the same from both sides, to the bit"))
}

/// With the outcome certain, an edge is own part + opponent's part: exchanging the opponents of two players changes
/// no sum.
pub(crate) fn opponent_does_not_matter(inputs: &EommInputs, edge_of: Edge) -> Result<Finding> {
    let mut rng = check_stream(inputs.seed, 2, 0);
    let certain = [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)];
    let mut off = 0.0_f64;
    for _ in 0..SAMPLES {
        let (i, k) = (churn(&mut rng)?, churn(&mut rng)?);
        let (j, l) = (churn(&mut rng)?, churn(&mut rng)?);
        for (win, draw, loss) in certain {
            let outcome = OutcomeChances::new(win, draw, loss)?;
            let edge = |a, b| edge_of(&outcome, a, b);
            let own = [i.win(), i.draw(), i.loss()];
            let part = win * own[0] + draw * own[1] + loss * own[2];
            let exchanged = edge(&i, &j) + edge(&k, &l) - edge(&i, &l) - edge(&k, &j);
            deviate(&mut off, exchanged, 0.0);
            // The opponent's part is what an edge has beyond one's own.
            let beside = ChurnByOutcome::new(0.0, 0.0, 0.0)?;
            deviate(&mut off, edge(&i, &beside), part);
        }
    }
    Ok(Finding::new()
        .count("quadruples, by 3 outcomes,", SAMPLES)
        .number("largest change", off, 15)
        .require(off <= 1e-12, "one's own part depends on the outcome alone"))
}

/// Few skills, many states of churn: the win chance solved for from each edge.
pub(crate) fn skills_alone(inputs: &EommInputs, model: &dyn DrawModel) -> Result<Finding> {
    const SKILLS: usize = 8;
    const STATES: usize = 12;
    let mut rng = check_stream(inputs.seed, 3, 0);
    let mut pool = Pool::draw(inputs, SKILLS * STATES, &mut rng)?;
    for k in SKILLS..pool.ratings.len() {
        pool.ratings[k] = pool.ratings[k % SKILLS];
    }
    let graph = pool.graph_under(inputs, model)?;
    let draw = model.outcome_probabilities(0.5, 0.5).draw;
    let mut found = vec![(f64::MAX, f64::MIN); SKILLS * SKILLS];
    for i in 0..pool.churn.len() {
        for j in i + 1..pool.churn.len() {
            let (a, b) = (&pool.churn[i], &pool.churn[j]);
            let (won, lost) = (a.win() + b.loss(), a.loss() + b.win());
            // An edge tells nothing where both outcomes cost the same.
            if (won - lost).abs() < 0.02 {
                continue;
            }
            let edge = graph.cost(i, j).context("a complete graph")?;
            let decided = edge - draw * (a.draw() + b.draw());
            let win = (decided - (1.0 - draw) * lost) / (won - lost);
            let range = &mut found[i % SKILLS * SKILLS + j % SKILLS];
            *range = (range.0.min(win), range.1.max(win));
        }
    }
    let seen = found.iter().filter(|(low, high)| low <= high);
    let spread = seen.clone().map(|(low, high)| high - low).fold(0.0, f64::max);
    let (least, most) = ends(&seen.clone().map(|(low, _)| *low).collect::<Vec<_>>());
    Ok(Finding::new()
        .count("pairs of skills", seen.count() as u64)
        .number("win chances from", least, 3)
        .number("to", most, 3)
        .number("largest spread within equal skills", spread, 12)
        .require(spread <= 1e-9, "one win chance, whatever the churn")
        .require(most - least > 0.1, "skills do matter"))
}

pub(crate) fn marginal(inputs: &EommInputs, edge_of: Edge) -> Result<Finding> {
    let mut rng = check_stream(inputs.seed, 4, 0);
    let mut off = 0.0_f64;
    for _ in 0..SAMPLES {
        let (i, j, chances) = (churn(&mut rng)?, churn(&mut rng)?, chances(&mut rng)?);
        let written_out = chances.win() * (i.win() + j.loss())
            + chances.draw() * (i.draw() + j.draw())
            + chances.loss() * (i.loss() + j.win());
        deviate(&mut off, edge_of(&chances, &i, &j), written_out);
    }
    Ok(Finding::new()
        .count("pairs", SAMPLES)
        .number("largest difference", off, 15)
        .require(off <= 1e-12, "the sum over outcomes"))
}

pub(crate) fn complete(inputs: &EommInputs, model: &dyn DrawModel) -> Result<Finding> {
    let mut rng = check_stream(inputs.seed, 5, 0);
    let mut found = Finding::new();
    for players in [2_usize, 10, 100] {
        let mut ends = 0_u64;
        // A pair without chances has no edge, and the graph is refused.
        if let Ok(graph) = Pool::draw(inputs, players, &mut rng)?.graph_under(inputs, model) {
            for i in 0..players {
                graph.for_each_neighbour(i, &mut |_, _| ends += 1);
            }
        }
        let expected = (players * (players - 1) / 2) as u64;
        found = found
            .count(format!("N = {players}:"), ends / 2)
            .require(ends == 2 * expected, format!("{expected} edges among {players}"));
    }
    Ok(found)
}
