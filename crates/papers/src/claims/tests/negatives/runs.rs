//! Negative cases of the checks of EOMM that read longer runs: Table 1's counts, section 4, the study, the gain.

use anyhow::Result;
use matchwright_rating::history::History;
use matchwright_sim::population::Truth;
use matchwright_sim::statistics::MeanTest;

use super::Negative;
use crate::claims::inputs::Inputs;
use crate::eomm::Method;
use crate::eomm::claims::procedure;
use crate::eomm::study::{PoolResult, Shard, StudyConfig, StudyPart, StudyReport, run_part};
use crate::eomm::theory::{Statement, TheoryReport};
use crate::workers::Workers;

pub(super) const ALL: &[Negative] = &[
    Negative::new(
        "Table 1 printed 0.3 points higher",
        &["EOMM-T1-WWW", "EOMM-T1-high", "EOMM-T1-mid", "EOMM-T1-safe"],
        |wrong| {
            for row in &mut wrong.eomm.paper.table_1 {
                (row.low, row.high) = (row.low + 0.3, row.high + 0.3);
            }
        },
    ),
    Negative::trying("no counterexample to Theorem 1", &["EOMM-Th1"], |wrong| {
        all_held(wrong, Statement::Th1, "normal skills")
    }),
    Negative::trying("no counterexample to Theorem 2", &["EOMM-Th2"], |wrong| {
        all_held(wrong, Statement::Th2, "normal skills")
    }),
    Negative::trying("Theorem 1 fails within the safe width", &["EOMM-X4"], |wrong| {
        one_less(wrong, Statement::Th1, "safe width")
    }),
    Negative::trying("own states that do not tie", &["EOMM-Th3"], |wrong| {
        one_less(wrong, Statement::Th3, "own state")
    }),
    Negative::trying(
        "a mean of all pairings beyond their ends",
        &["EOMM-Th4"],
        |wrong| one_less(wrong, Statement::Th4, "in expectation"),
    ),
    Negative::trying(
        "a pool with a better pairing than EOMM's",
        &["EOMM-Th5"],
        |wrong| one_less(wrong, Statement::Th5, "any"),
    ),
    Negative::trying(
        "nested pairs draw no more than neighbours",
        &["EOMM-X5"],
        |wrong| {
            of_theory(wrong, |report| {
                report.example.nested = 0.011;
                Some(())
            })
        },
    ),
    Negative::trying("a gain beyond its bounds", &["EOMM-gain-law"], |wrong| {
        wrong.eomm.runs.gain_law.change(|report| {
            report.in_bounds -= 1;
            Some(())
        })
    }),
    Negative::trying("a gain that goes on climbing", &["EOMM-noclimb"], |wrong| {
        of_pools(wrong, |pool| {
            for gain in &mut pool.fitted.gains {
                gain.expected.mean *= 1.0 + pool.size as f64 / 1_000.0;
            }
            Some(())
        })
    }),
    Negative::part("rounds that leave a trace", &["EOMM-stationary"], |inputs| {
        procedure::stationary(&inputs.eomm, leaves_a_trace)
    }),
    Negative::trying("SkillMM as bad as WorstMM", &["EOMM-T2-order"], |wrong| {
        of_pools(wrong, |pool| {
            let test = compared(pool, Method::Skill, Method::Worst)?;
            (test.difference, test.t, test.p) = (0.0, 0.0, 1.0);
            Some(())
        })
    }),
    Negative::trying("an average gain of 1 %", &["EOMM-gain-avg"], |wrong| {
        of_pools(wrong, |pool| {
            for gain in &mut pool.fitted.gains {
                gain.expected.mean = 0.01;
            }
            Some(())
        })
    }),
    Negative::trying("a pool size less", &["EOMM-P"], |wrong| {
        of_study(wrong, |report| report.pools.pop().map(|_| ()))
    }),
    Negative::trying("draws that go with the gap", &["EOMM-drawcorr"], |wrong| {
        of_study(wrong, |report| {
            report.data.draw_gap_correlation = -0.3;
            Some(())
        })
    }),
    Negative::trying("a state that is lost", &["EOMM-state"], |wrong| {
        of_study(wrong, |report| {
            report.states -= 1;
            Some(())
        })
    }),
    Negative::trying("four folds", &["EOMM-L2CV"], |wrong| {
        of_study(wrong, |report| {
            let folds = &mut report.churn.cross_validation.fold_sizes;
            folds.pop().map(|_| ())
        })
    }),
    Negative::trying(
        "every second match won, whatever was predicted",
        &["EOMM-fig2"],
        |wrong| {
            of_study(wrong, |report| {
                for bin in &mut report.ratings.wins.reliability {
                    bin.observed = 0.5;
                }
                Some(())
            })
        },
    ),
    Negative::trying("churn opposite to its prediction", &["EOMM-fig3"], |wrong| {
        of_study(wrong, |report| {
            for bin in &mut report.churn.holdout.reliability {
                bin.observed = 1.0 - bin.observed;
            }
            Some(())
        })
    }),
    Negative::trying("counts beyond their expectation", &["EOMM-proc"], |wrong| {
        of_pools(wrong, |pool| {
            let luck = &mut pool.fitted.methods[0].luck;
            luck.mean += 10.0 * luck.standard_error;
            Some(())
        })
    }),
    Negative::trying(
        "SkillMM ahead by half of EOMM's lead",
        &["EOMM-skillrandom"],
        |wrong| {
            of_pools(wrong, |pool| {
                let lead = compared(pool, Method::Eomm, Method::Random)?.difference;
                compared(pool, Method::Random, Method::Skill)?.difference = -0.5 * lead;
                Some(())
            })
        },
    ),
    Negative::trying(
        "cells printed as ours",
        &["EOMM-T2-EOMM", "EOMM-T2-Random", "EOMM-T2-Skill", "EOMM-T2-Worst"],
        |wrong| {
            let pools = wrong.eomm.paper.table_2.pools;
            let mut ours = Vec::new();
            of_pools(wrong, |pool| {
                ours.push(Method::ALL.map(|method| {
                    let mut methods = pool.fitted.methods.iter();
                    methods
                        .find(|result| result.method == method)
                        .map_or(f64::NAN, |result| result.expected.mean)
                }));
                Some(())
            })?;
            for (column, cells) in ours.iter().enumerate().take(pools.len()) {
                for (row, cell) in cells.iter().enumerate() {
                    wrong.eomm.paper.table_2.retained[row][column] = *cell;
                }
            }
            Ok(())
        },
    ),
    Negative::new("leads printed alike at each size", &["EOMM-X9"], |wrong| {
        let table = &mut wrong.eomm.paper.table_2;
        // The order of Method::ALL: WorstMM, SkillMM, RandomMM, EOMM.
        for (column, size) in table.pools.into_iter().enumerate() {
            let random = table.retained[2][column];
            table.retained[1][column] = random;
            table.retained[0][column] = random - 0.003 * f64::from(size);
        }
    }),
    Negative::new(
        "an average gain of 1 % printed",
        &["EOMM-X10", "EOMM-compound"],
        |wrong| {
            wrong.eomm.paper.average_gain = 1.0;
        },
    ),
    Negative::new(
        "the gains of SkillMM printed in the text",
        &["EOMM-X2"],
        |wrong| {
            wrong.eomm.paper.gains = vec![(200, 0.27), (300, 0.93), (400, 0.94), (500, 0.75)];
        },
    ),
    Negative::new(
        "SkillMM printed two players behind RandomMM",
        &["EOMM-X3"],
        |wrong| {
            wrong.eomm.paper.table_2.retained[1][1] -= 2.0;
        },
    ),
];

fn of_theory(wrong: &mut Inputs, change: impl FnOnce(&mut TheoryReport) -> Option<()>) -> Result<()> {
    wrong.eomm.runs.theory.change(change)
}

fn of_study(wrong: &mut Inputs, change: impl FnOnce(&mut StudyReport) -> Option<()>) -> Result<()> {
    wrong.eomm.runs.study.change(change)
}

/// Changes what the study found at each pool size.
fn of_pools(wrong: &mut Inputs, change: impl FnMut(&mut PoolResult) -> Option<()>) -> Result<()> {
    of_study(wrong, |report| report.pools.iter_mut().map(change).collect())
}

fn statement<'a>(
    report: &'a mut TheoryReport,
    which: Statement,
    setting: &str,
) -> Option<&'a mut crate::eomm::theory::StatementCheck> {
    let mut checks = report.statements.iter_mut();
    checks.find(|check| check.statement == which && check.setting.contains(setting))
}

/// One pool less in which a statement held.
fn one_less(wrong: &mut Inputs, which: Statement, setting: &str) -> Result<()> {
    of_theory(wrong, |report| {
        statement(report, which, setting)?.held -= 1;
        Some(())
    })
}

/// The statement holds throughout.
fn all_held(wrong: &mut Inputs, which: Statement, setting: &str) -> Result<()> {
    of_theory(wrong, |report| {
        let check = statement(report, which, setting)?;
        (check.held, check.counterexample) = (check.pools, None);
        Some(())
    })
}

fn compared(pool: &mut PoolResult, first: Method, second: Method) -> Option<&mut MeanTest> {
    let mut compared = pool.fitted.comparisons.iter_mut();
    let found = compared.find(|pair| (pair.first, pair.second) == (first, second));
    found.map(|pair| &mut pair.paired_expected)
}

/// Among the others, the first rounds are played in each other's place.
fn leaves_a_trace(
    config: &StudyConfig,
    history: &History,
    truth: Option<&Truth>,
    shard: Shard,
    workers: &Workers<'_>,
) -> Result<StudyPart> {
    let mut part = run_part(config, history, truth, shard, workers)?;
    for rounds in part.rounds.iter_mut().filter(|rounds| rounds.len() > 1) {
        rounds.swap(0, 1);
    }
    Ok(part)
}
