//! Wrong parts for the checks of EOMM that need no run: outcomes, edges, features, pairings, methods, prints.

use anyhow::Context;
use matchwright_churn::{FeatureSpec, Horizon, Label, LabelError, eomm_feature_specs, label_matches};
use matchwright_rating::{Davidson, DrawModel, EloCurve, FixedDraw, OutcomeProbabilities};
use matchwright_scoring::{ChurnByOutcome, OutcomeChances};
use matchwright_sim::statistics::{MeanTest, Summary};
use matchwright_solver::{
    BruteForce, CostOracle, ExactPairing, GreedyPairing, Limits, Objective, Pairing, PairingSolver,
    RandomPairing, SolveError,
};

use super::Mutation;
use crate::claims::inputs::Inputs;
use crate::eomm::Method;

pub(super) const ALL: &[Mutation] = &[
    Mutation::trying(
        "draws at a quarter",
        &["EOMM-Eq10", "EOMM-Eq11-12", "EOMM-X4"],
        |wrong| {
            wrong.outcomes = Box::new(FixedDraw::new(0.25)?);
            Ok(())
        },
    ),
    Mutation::trying(
        "draws that get rarer with the gap",
        &["EOMM-Eq10", "EOMM-X4"],
        |wrong| {
            wrong.outcomes = Box::new(Davidson::from_draw_probability(0.2)?);
            Ok(())
        },
    ),
    Mutation::new("outcomes that are no numbers", &["EOMM-Eq10"], |wrong| {
        wrong.outcomes = Box::new(NoNumbers);
    }),
    Mutation::new(
        "chances that change from asking to asking",
        &["EOMM-Eq3"],
        |wrong| {
            wrong.outcomes = Box::new(Moody(std::cell::Cell::new(0)));
        },
    ),
    Mutation::new("no chances between unequal players", &["EOMM-fig1"], |wrong| {
        wrong.outcomes = Box::new(NearOnly);
    }),
    Mutation::new("Elo by FIDE's table", &["EOMM-Elo"], |wrong| {
        wrong.elo.curve = EloCurve::FideTable;
    }),
    Mutation::new("Glicko's c at 20", &["EOMM-Glicko-RD"], |wrong| {
        wrong.glicko.c = 20.0;
    }),
    Mutation::new("a Bradley-Terry fit that skips a game", &["EOMM-BT"], |wrong| {
        wrong.fit_bradley_terry = |model, players, games| model.fit(players, &games[1..]);
    }),
    Mutation::new(
        "wins and losses exchanged in the edge",
        &["EOMM-Eq4-6", "EOMM-asym"],
        |wrong| {
            wrong.edge = outcomes_exchanged;
        },
    ),
    Mutation::new("the players exchanged in the edge", &["EOMM-gain-law"], |wrong| {
        wrong.edge = |chances, i, j| matchwright_scoring::churn_edge(chances, j, i);
    }),
    Mutation::new("a product of churns for the edge", &["EOMM-Eq2"], |wrong| {
        wrong.edge = |_, i, j| i.win() * j.loss();
    }),
    Mutation::new(
        "edges that are no numbers",
        &["EOMM-asym", "EOMM-Eq2", "EOMM-Eq4-6", "EOMM-X4", "EOMM-gain-law"],
        |wrong| wrong.edge = |_, _, _| f64::NAN,
    ),
    Mutation::new("churn after twice the horizon", &["EOMM-churn-def"], |wrong| {
        wrong.labels = late;
    }),
    Mutation::new(
        "two inputs of the model exchanged",
        &["EOMM-feat", "EOMM-Eq7-9"],
        |wrong| {
            let mut columns: Vec<FeatureSpec> = eomm_feature_specs().to_vec();
            columns.swap(0, 1);
            wrong.columns = columns.leak();
        },
    ),
    Mutation::new("an input of the model less", &["EOMM-feat"], |wrong| {
        wrong.columns = &eomm_feature_specs()[1..];
    }),
    Mutation::new("outcomes printed newest first", &["EOMM-K5"], |wrong| {
        wrong.paper.five_outcomes = "LDLWL";
    }),
    Mutation::new("a greedy solver", &["EOMM-Eq1", "EOMM-Th5"], |wrong| {
        wrong.exact = Box::new(GreedyPairing::new(Objective::Minimize));
    }),
    Mutation::new(
        "a solver for the largest sum",
        &["EOMM-greedy", "EOMM-Th5"],
        |wrong| {
            wrong.exact = Box::new(ExactPairing::maximum());
        },
    ),
    Mutation::new("a solver that reads N^3.5 costs", &["EOMM-O3"], |wrong| {
        wrong.exact = Box::new(Slow);
    }),
    Mutation::new(
        "an enumeration that leaves a pairing out",
        &["EOMM-paircount"],
        |wrong| {
            wrong.enumerate = too_few;
        },
    ),
    Mutation::new(
        "EOMM and WorstMM exchanged",
        &["EOMM-methods", "EOMM-X6"],
        |wrong| {
            wrong.pair = |method, skills, costs, rng, workspace| {
                let other = match method {
                    Method::Worst => Method::Eomm,
                    Method::Eomm => Method::Worst,
                    other => other,
                };
                other.pair(skills, costs, rng, workspace)
            };
        },
    ),
    Mutation::new(
        "neighbours in the place of random pairs",
        &["EOMM-methods"],
        |wrong| {
            wrong.pair = |method, skills, costs, rng, workspace| {
                let other = if method == Method::Random {
                    Method::Skill
                } else {
                    method
                };
                other.pair(skills, costs, rng, workspace)
            };
        },
    ),
    Mutation::new("WorstMM takes the least sum", &["EOMM-X6"], |wrong| {
        wrong.pair = |method, skills, costs, rng, workspace| {
            let other = if method == Method::Worst {
                Method::Eomm
            } else {
                method
            };
            other.pair(skills, costs, rng, workspace)
        };
    }),
    Mutation::new("LLL printed at 6 %", &["EOMM-T1-ratio"], |wrong| {
        reprint(wrong, "LLL", 6.0);
    }),
    Mutation::new("WWW printed at 4.8 %", &["EOMM-T1-order"], |wrong| {
        reprint(wrong, "WWW", 4.8);
    }),
    Mutation::new("WWW printed at 2.6 %", &["EOMM-T1-nonadd"], |wrong| {
        reprint(wrong, "WWW", 2.6);
    }),
    Mutation::trying(
        "a generator without the interaction",
        &["EOMM-T1-nonadd"],
        |wrong| {
            let mut patterns = wrong.generator.seven_day.patterns.iter_mut();
            let www = patterns.find(|(pattern, _)| pattern == "WWW");
            www.context("no such pattern")?.1 = -0.885;
            Ok(())
        },
    ),
    Mutation::new("half of the matches printed", &["EOMM-data"], |wrong| {
        wrong.paper.data.matches /= 2;
    }),
    Mutation::new("players who play fewer matches", &["EOMM-data"], |wrong| {
        wrong.generator.intercept += 2.0;
    }),
    Mutation::new("Student's t in the place of Welch's", &["EOMM-Welch"], |wrong| {
        wrong.welch = pooled;
    }),
];

/// Another print of this pattern in Table 1.
fn reprint(wrong: &mut Inputs, pattern: &str, to: f64) {
    for row in &mut wrong.paper.table_1 {
        if row.patterns.contains(&pattern) {
            (row.low, row.high) = (to, to);
        }
    }
}

/// An outcome model that looks at more than skills.
struct Moody(std::cell::Cell<u32>);

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

/// An outcome model that knows nothing at all.
struct NoNumbers;

impl DrawModel for NoNumbers {
    fn outcome_probabilities(&self, _: f64, _: f64) -> OutcomeProbabilities {
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
