//! Negative cases of the checks of EOMM that need no run: outcomes, edges, features, pairings, methods, prints.

use matchwright_churn::{FeatureSpec, Horizon, Label, LabelError, eomm_feature_specs, label_matches};
use matchwright_rating::{DrawModel, EloCurve, FixedDraw, OutcomeProbabilities};
use matchwright_scoring::{ChurnByOutcome, OutcomeChances};
use matchwright_sim::statistics::{MeanTest, Summary};
use matchwright_solver::{
    BruteForce, CostOracle, ExactPairing, GreedyPairing, Limits, Objective, Pairing, PairingSolver,
    RandomPairing, SolveError, Workspace,
};
use rand::Rng;

use std::cell::Cell;

use super::Negative;
use crate::claims::inputs::Inputs;
use crate::eomm::Method;
use crate::eomm::claims::{bradley_terry, edges, features, matching, outcomes, significance};

pub(super) const ALL: &[Negative] = &[
    Negative::part("draws at a quarter", &["EOMM-Eq10"], |inputs| {
        outcomes::draws(&inputs.eomm, &FixedDraw::new(0.25)?)
    }),
    Negative::part("draws at a quarter", &["EOMM-Eq11-12"], |inputs| {
        outcomes::wins_and_losses(&inputs.eomm, &FixedDraw::new(0.25)?)
    }),
    Negative::part(
        "chances that change from asking to asking",
        &["EOMM-Eq3"],
        |inputs| edges::skills_alone(&inputs.eomm, &Moody(Cell::new(0))),
    ),
    Negative::part("no chances between unequal players", &["EOMM-fig1"], |inputs| {
        edges::complete(&inputs.eomm, &NearOnly)
    }),
    Negative::new("Elo by FIDE's table", &["EOMM-Elo"], |wrong| {
        wrong.eomm.elo.curve = EloCurve::FideTable;
    }),
    Negative::new("Glicko's c at 20", &["EOMM-Glicko-RD"], |wrong| {
        wrong.eomm.glicko.c = 20.0;
    }),
    Negative::part("a Bradley-Terry fit that skips a game", &["EOMM-BT"], |inputs| {
        bradley_terry::both_forms(&inputs.eomm, |model, players, games| {
            model.fit(players, &games[1..])
        })
    }),
    Negative::part(
        "wins and losses exchanged in the edge",
        &["EOMM-Eq4-6"],
        |inputs| edges::marginal(&inputs.eomm, outcomes_exchanged),
    ),
    Negative::part(
        "wins and losses exchanged in the edge",
        &["EOMM-asym"],
        |inputs| edges::both_sides(&inputs.eomm, outcomes_exchanged),
    ),
    Negative::part("a product of churns for the edge", &["EOMM-Eq2"], |inputs| {
        edges::opponent_does_not_matter(&inputs.eomm, |_, i, j| i.win() * j.loss())
    }),
    Negative::part("churn after twice the horizon", &["EOMM-churn-def"], |_| {
        features::definition(late)
    }),
    Negative::new(
        "two inputs of the model exchanged",
        &["EOMM-Eq7-9", "EOMM-feat"],
        |wrong| {
            let mut columns: Vec<FeatureSpec> = eomm_feature_specs().to_vec();
            columns.swap(0, 1);
            wrong.eomm.columns = columns.leak();
        },
    ),
    Negative::new("outcomes printed newest first", &["EOMM-K5"], |wrong| {
        wrong.eomm.paper.five_outcomes = "LDLWL";
    }),
    Negative::part("a greedy solver", &["EOMM-Eq1"], |inputs| {
        matching::least_sum(&inputs.eomm, &GreedyPairing::new(Objective::Minimize))
    }),
    Negative::part("a solver for the largest sum", &["EOMM-greedy"], |inputs| {
        matching::greedy(&inputs.eomm, &ExactPairing::maximum())
    }),
    Negative::part("a solver that reads N^3.5 costs", &["EOMM-O3"], |inputs| {
        matching::growth(&inputs.eomm, &Slow)
    }),
    Negative::part(
        "an enumeration that leaves a pairing out",
        &["EOMM-paircount"],
        |_| matching::count(too_few),
    ),
    Negative::part("EOMM and WorstMM exchanged", &["EOMM-methods"], |inputs| {
        matching::methods(&inputs.eomm, ends_exchanged)
    }),
    Negative::part("EOMM and WorstMM exchanged", &["EOMM-X6"], |inputs| {
        matching::worst(&inputs.eomm, ends_exchanged)
    }),
    Negative::new("LLL printed at 6 %", &["EOMM-T1-ratio"], |wrong| {
        reprint(wrong, "LLL", 6.0);
    }),
    Negative::new("WWW printed at 4.8 %", &["EOMM-T1-order"], |wrong| {
        reprint(wrong, "WWW", 4.8);
    }),
    Negative::new("WWW printed at 2.6 %", &["EOMM-T1-nonadd"], |wrong| {
        reprint(wrong, "WWW", 2.6);
    }),
    Negative::new("half of the matches printed", &["EOMM-data"], |wrong| {
        wrong.eomm.paper.data.matches /= 2;
    }),
    Negative::part("Student's t in the place of Welch's", &["EOMM-Welch"], |_| {
        significance::welch(pooled)
    }),
];

/// Another print of this pattern in Table 1.
fn reprint(wrong: &mut Inputs, pattern: &str, to: f64) {
    for row in &mut wrong.eomm.paper.table_1 {
        if row.patterns.contains(&pattern) {
            (row.low, row.high) = (to, to);
        }
    }
}

/// An outcome model that looks at more than skills.
struct Moody(Cell<u32>);

impl DrawModel for Moody {
    fn outcome_probabilities(&self, expected: f64, reverse: f64) -> OutcomeProbabilities {
        self.0.set(self.0.get() + 1);
        let mood = f64::from(self.0.get() % 7) * 0.01;
        FixedDraw::EOMM.outcome_probabilities((expected + mood).min(1.0), reverse)
    }
}

const NO_NUMBERS: OutcomeProbabilities = OutcomeProbabilities {
    win: f64::NAN,
    draw: f64::NAN,
    loss: f64::NAN,
};

/// An outcome model that knows nothing of matches between unequal players.
struct NearOnly;

impl DrawModel for NearOnly {
    fn outcome_probabilities(&self, expected: f64, reverse: f64) -> OutcomeProbabilities {
        if (expected - reverse).abs() < 0.5 {
            return FixedDraw::EOMM.outcome_probabilities(expected, reverse);
        }
        NO_NUMBERS
    }
}

fn outcomes_exchanged(chances: &OutcomeChances, i: &ChurnByOutcome, j: &ChurnByOutcome) -> f64 {
    chances.win() * (i.loss() + j.win())
        + chances.loss() * (i.win() + j.loss())
        + chances.draw() * (i.draw() + j.draw())
}

fn late(times: &[i64], horizon: Horizon, until: i64) -> Result<Vec<Label>, LabelError> {
    label_matches(times, Horizon::from_seconds(2 * horizon.seconds())?, until)
}

fn too_few(vertices: usize, visit: &mut dyn FnMut(&[usize])) -> Result<u64, SolveError> {
    let mut skipped = false;
    let mut shown = |mates: &[usize]| {
        if vertices < 6 || std::mem::replace(&mut skipped, true) {
            visit(mates);
        }
    };
    BruteForce::visit_pairings(vertices, &mut shown)
}

/// EOMM in the place of WorstMM, and the other way round.
fn ends_exchanged(
    method: Method,
    skills: &[f64],
    costs: &dyn CostOracle,
    rng: &mut dyn Rng,
    workspace: &mut Workspace,
) -> Result<Pairing, SolveError> {
    let other = match method {
        Method::Worst => Method::Eomm,
        Method::Eomm => Method::Worst,
        other => other,
    };
    other.pair(skills, costs, rng, workspace)
}

/// Asks for costs N^3.5 / 128^1.5 times.
struct Slow;

impl PairingSolver for Slow {
    fn solve_within(&self, costs: &dyn CostOracle, _: &Limits<'_>) -> Result<Pairing, SolveError> {
        let vertices = costs.vertices();
        let times = (vertices / 128) * (vertices / 128).isqrt();
        for _ in 0..times {
            for i in 0..vertices {
                for j in 0..vertices {
                    std::hint::black_box(costs.cost(i, j));
                }
            }
        }
        RandomPairing::new(1).solve(costs)
    }
}

fn pooled(first: &Summary, second: &Summary) -> MeanTest {
    let (n, m) = (first.n() as f64, second.n() as f64);
    let degrees = n + m - 2.0;
    let variance = ((n - 1.0) * first.variance() + (m - 1.0) * second.variance()) / degrees;
    let standard_error = (variance * (1.0 / n + 1.0 / m)).sqrt();
    let difference = first.mean() - second.mean();
    MeanTest {
        difference,
        standard_error,
        t: difference / standard_error,
        degrees,
        p: 0.05,
    }
}
