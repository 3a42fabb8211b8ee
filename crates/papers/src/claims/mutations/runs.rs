//! Wrong parts for the checks of EOMM that read longer runs: Table 1's counts, section 4, the study, the gain.

use anyhow::Result;
use matchwright_rating::history::History;
use matchwright_sim::population::Truth;
use matchwright_sim::statistics::MeanTest;

use super::Mutation;
use crate::claims::inputs::Inputs;
use crate::eomm::Method;
use crate::eomm::study::{PoolResult, Shard, StudyConfig, StudyPart, StudyReport, run_part};
use crate::eomm::theory::{Counterexample, Statement, TheoryReport};
use crate::workers::Workers;

pub(super) const ALL: &[Mutation] = &[
    Mutation::new("Table 1 printed 0.3 points higher", TABLE_1, |wrong| {
        for row in &mut wrong.paper.table_1 {
            (row.low, row.high) = (row.low + 0.3, row.high + 0.3);
        }
    }),
    Mutation::trying("no region", TABLE_1, |wrong| {
        wrong.runs.regions.change(|regions| {
            regions.clear();
            Some(())
        })
    }),
    Mutation::trying("no counterexample to Theorem 1", &["EOMM-Th1"], |wrong| {
        all_held(wrong, Statement::Th1, "normal skills")
    }),
    Mutation::trying("no counterexample to Theorem 2", &["EOMM-Th2"], |wrong| {
        all_held(wrong, Statement::Th2, "normal skills")
    }),
    Mutation::trying(
        "Theorem 1 fails within the safe width",
        &["EOMM-Th1", "EOMM-X4"],
        |wrong| one_less(wrong, Statement::Th1, "safe width"),
    ),
    Mutation::trying("Theorem 2 fails within the safe width", &["EOMM-Th2"], |wrong| {
        one_less(wrong, Statement::Th2, "safe width")
    }),
    Mutation::trying("the theorems hold beyond the safe width", THEOREMS, |wrong| {
        of_theory(wrong, |report| {
            report.widths.get_mut(2)?.beyond = None;
            Some(())
        })
    }),
    Mutation::trying("a counterexample with other skills", THEOREMS, |wrong| {
        counterexamples(wrong, |found| found.skills = vec![0.0, 1.0, 2.0, 3.0])
    }),
    Mutation::trying("a counterexample against itself", THEOREMS, |wrong| {
        counterexamples(wrong, |found| found.against.pairs.clone_from(&found.tried.pairs))
    }),
    Mutation::trying("own states that do not tie", &["EOMM-Th3"], |wrong| {
        one_less(wrong, Statement::Th3, "own state")
    }),
    Mutation::trying(
        "a mean of all pairings beyond their ends",
        &["EOMM-Th4"],
        |wrong| one_less(wrong, Statement::Th4, "in expectation"),
    ),
    Mutation::trying("random pairs that are never the worst", &["EOMM-Th4"], |wrong| {
        all_held(wrong, Statement::Th4, "a single random pairing")
    }),
    Mutation::trying(
        "random pairs that are the worst too often",
        &["EOMM-Th4"],
        |wrong| {
            of_theory(wrong, |report| {
                let check = statement(report, Statement::Th4, "a single random pairing")?;
                check.held -= check.pools / 8;
                Some(())
            })
        },
    ),
    Mutation::trying(
        "a pool with a better pairing than EOMM's",
        &["EOMM-Th5"],
        |wrong| one_less(wrong, Statement::Th5, "any"),
    ),
    Mutation::trying(
        "constant draws under which pairings differ",
        &["EOMM-X4"],
        |wrong| one_less(wrong, Statement::Th2, "Eq. 10"),
    ),
    Mutation::trying(
        "nested pairs draw no more than neighbours",
        &["EOMM-X5"],
        |wrong| {
            of_theory(wrong, |report| {
                report.example.nested = 0.011;
                Some(())
            })
        },
    ),
    Mutation::trying("neighbours draw a little more", &["EOMM-X5"], |wrong| {
        of_theory(wrong, |report| {
            report.example.adjacent = 0.012;
            Some(())
        })
    }),
    Mutation::trying("a gain beyond its bounds", &["EOMM-gain-law"], |wrong| {
        wrong.runs.gain_law.change(|report| {
            report.in_bounds -= 1;
            Some(())
        })
    }),
    Mutation::trying("a mean gain above its bound", &["EOMM-gain-law"], |wrong| {
        wrong.runs.gain_law.change(|report| {
            for cell in &mut report.cells {
                cell.gain.mean = 1.01 * cell.bound;
            }
            Some(())
        })
    }),
    Mutation::trying("a gain among players alike", &["EOMM-gain-law"], |wrong| {
        wrong.runs.gain_law.change(|report| {
            report.homogeneous = 1e-6;
            Some(())
        })
    }),
    Mutation::trying("skill that gains", &["EOMM-gain-law"], |wrong| {
        wrong.runs.gain_law.change(|report| {
            for cell in &mut report.cells {
                cell.skill.mean += 0.03 * cell.bound;
            }
            Some(())
        })
    }),
    Mutation::trying("mirrored pools that differ", &["EOMM-gain-law"], |wrong| {
        wrong.runs.gain_law.change(|report| {
            report.mirror.test.p = 1e-4;
            Some(())
        })
    }),
    Mutation::trying("a gain that goes on climbing", &["EOMM-noclimb"], |wrong| {
        of_pools(wrong, |pool| {
            for gain in &mut pool.fitted.gains {
                gain.expected.mean *= 1.0 + pool.size as f64 / 1_000.0;
            }
            Some(())
        })
    }),
    Mutation::trying(
        "a gain as large in the smallest pools",
        &["EOMM-noclimb"],
        |wrong| {
            let mut most = 0.0_f64;
            of_pools(wrong, |pool| {
                most = pool.fitted.gain_over(Method::Skill)?.expected.mean;
                Some(())
            })?;
            wrong.runs.small_pools.change(|report| {
                for gain in report.pools.iter_mut().flat_map(|pool| &mut pool.fitted.gains) {
                    gain.expected.mean = most;
                }
                Some(())
            })
        },
    ),
    Mutation::new("rounds that leave a trace", &["EOMM-stationary"], |wrong| {
        wrong.run_part = leaves_a_trace;
    }),
    Mutation::trying("SkillMM as bad as WorstMM", &["EOMM-T2-order"], |wrong| {
        of_pools(wrong, |pool| {
            let test = compared(pool, Method::Skill, Method::Worst)?;
            (test.difference, test.t, test.p) = (0.0, 0.0, 1.0);
            Some(())
        })
    }),
    Mutation::trying(
        "EOMM ahead by nothing that can be told",
        &["EOMM-T2-order"],
        |wrong| {
            of_pools(wrong, |pool| {
                for compared in &mut pool.fitted.comparisons {
                    if compared.first == Method::Eomm {
                        compared.paired_expected.t = f64::NAN;
                    }
                }
                Some(())
            })
        },
    ),
    Mutation::trying("an average gain of 1 %", &["EOMM-gain-avg"], |wrong| {
        of_pools(wrong, |pool| {
            for gain in &mut pool.fitted.gains {
                gain.expected.mean = 0.01;
            }
            Some(())
        })
    }),
    Mutation::trying("a pool size less", &["EOMM-P"], |wrong| {
        of_study(wrong, |report| report.pools.pop().map(|_| ()))
    }),
    Mutation::trying("draws that go with the gap", &["EOMM-drawcorr"], |wrong| {
        of_study(wrong, |report| {
            report.data.draw_gap_correlation = -0.3;
            Some(())
        })
    }),
    Mutation::trying("a state that is lost", &["EOMM-state"], |wrong| {
        of_study(wrong, |report| {
            report.states -= 1;
            Some(())
        })
    }),
    Mutation::trying("four folds", &["EOMM-L2CV"], |wrong| {
        of_study(wrong, |report| {
            let folds = &mut report.churn.cross_validation.fold_sizes;
            folds.pop().map(|_| ())
        })
    }),
    Mutation::trying("the strength with the largest loss", &["EOMM-L2CV"], |wrong| {
        of_study(wrong, |report| {
            let scores = report.churn.cross_validation.scores.iter();
            let worst = scores.max_by(|a, b| a.mean_log_loss.total_cmp(&b.mean_log_loss));
            report.churn.chosen_c = worst?.c;
            Some(())
        })
    }),
    Mutation::trying(
        "every second match won, whatever was predicted",
        &["EOMM-fig2"],
        |wrong| {
            of_study(wrong, |report| {
                for bin in &mut report.ratings.decided.reliability {
                    bin.observed = 0.5;
                }
                Some(())
            })
        },
    ),
    Mutation::trying("churn opposite to its prediction", &["EOMM-fig3"], |wrong| {
        of_study(wrong, |report| {
            for bin in &mut report.churn.holdout.reliability {
                bin.observed = 1.0 - bin.observed;
            }
            Some(())
        })
    }),
    Mutation::trying("counts beyond their expectation", &["EOMM-proc"], |wrong| {
        of_pools(wrong, |pool| {
            let luck = &mut pool.fitted.methods[0].luck;
            luck.mean += 10.0 * luck.standard_error;
            Some(())
        })
    }),
    Mutation::trying("risks below 0.8 without any error", &["EOMM-fig3"], |wrong| {
        of_study(wrong, |report| {
            for bin in &mut report.churn.holdout.reliability {
                if bin.upper <= 0.8 {
                    bin.observed = bin.mean_predicted;
                }
            }
            Some(())
        })
    }),
    Mutation::trying(
        "SkillMM ahead by half of EOMM's lead",
        &["EOMM-skillrandom", "EOMM-T2-order"],
        |wrong| {
            of_pools(wrong, |pool| {
                let lead = compared(pool, Method::Eomm, Method::Random)?.difference;
                compared(pool, Method::Random, Method::Skill)?.difference = -0.5 * lead;
                Some(())
            })
        },
    ),
    Mutation::trying(
        "cells printed as ours",
        &["EOMM-T2-Worst", "EOMM-T2-Skill", "EOMM-T2-Random", "EOMM-T2-EOMM"],
        |wrong| {
            let pools = wrong.paper.table_2.pools;
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
                    wrong.paper.table_2.retained[row][column] = *cell;
                }
            }
            Ok(())
        },
    ),
    Mutation::new(
        "RandomMM's share printed alike at each size",
        &["EOMM-X9"],
        |wrong| {
            let table = &mut wrong.paper.table_2;
            // The order of Method::ALL: WorstMM, SkillMM, RandomMM, EOMM.
            for (cell, size) in table.retained[2].iter_mut().zip(table.pools) {
                *cell = 0.519 * f64::from(size);
            }
        },
    ),
    Mutation::new(
        "an average gain of 1 % printed",
        &["EOMM-compound", "EOMM-X10"],
        |wrong| {
            wrong.paper.average_gain = 1.0;
        },
    ),
    Mutation::new(
        "ninety of a hundred printed as retained",
        &["EOMM-X10"],
        |wrong| {
            let table = &mut wrong.paper.table_2;
            for row in &mut table.retained {
                for (cell, size) in row.iter_mut().zip(table.pools) {
                    *cell = 0.9 * f64::from(size);
                }
            }
        },
    ),
    Mutation::new(
        "the gains of SkillMM printed in the text",
        &["EOMM-X2"],
        |wrong| {
            wrong.paper.gains = vec![(200, 0.27), (300, 0.93), (400, 0.94), (500, 0.75)];
        },
    ),
    Mutation::new(
        "SkillMM printed two players behind RandomMM",
        &["EOMM-X3"],
        |wrong| {
            wrong.paper.table_2.retained[1][1] -= 2.0;
        },
    ),
];

const TABLE_1: &[&str] = &["EOMM-T1-safe", "EOMM-T1-WWW", "EOMM-T1-mid", "EOMM-T1-high"];
const THEOREMS: &[&str] = &["EOMM-Th1", "EOMM-Th2"];

fn of_theory(wrong: &mut Inputs, change: impl FnOnce(&mut TheoryReport) -> Option<()>) -> Result<()> {
    wrong.runs.theory.change(change)
}

fn of_study(wrong: &mut Inputs, change: impl FnOnce(&mut StudyReport) -> Option<()>) -> Result<()> {
    wrong.runs.study.change(change)
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

fn counterexamples(wrong: &mut Inputs, change: fn(&mut Counterexample)) -> Result<()> {
    of_theory(wrong, |report| {
        let examples = report
            .statements
            .iter_mut()
            .filter_map(|check| check.counterexample.as_mut());
        examples.for_each(change);
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
