//! Section 5.2 and 5.3: the models of the study, its states and its rounds.

use super::inputs::EommInputs;
use crate::check::prelude::*;
use crate::eomm::Method;
use crate::eomm::other_worlds::WorldKind;
use crate::eomm::printed::{ALIGNED_BELOW, DRAW_GAP_CORRELATION, FOLDS, ROUNDS};
use crate::eomm::study::{Shard, StudyConfig, StudyPart, StudyReport, run_part};
use crate::workers::Workers;
use matchwright_churn::ReliabilityBin;
use matchwright_rating::history::History;
use matchwright_sim::population::{GeneratorParams, Truth, generate};
use matchwright_sim::statistics::{Estimate, t_test};

use super::table2::comparison;

pub(crate) const CHECKS: &[Check<EommInputs>] = &[
    Check::new(
        "EOMM-drawcorr",
        Study(|inputs| draws_and_gaps(inputs, inputs.report()?)),
    ),
    Check::new(
        "EOMM-fig2",
        Study(|inputs| wins_as_predicted(inputs, inputs.report()?)),
    ),
    Check::new(
        "EOMM-fig3",
        Study(|inputs| churn_as_predicted(inputs, inputs.report()?)),
    ),
    Check::new(
        "EOMM-L2CV",
        Study(|inputs| cross_validation(inputs, inputs.report()?)),
    ),
    Check::new("EOMM-state", Study(|inputs| states(inputs, inputs.report()?))),
    Check::new("EOMM-stationary", Exact(|inputs| stationary(inputs, run_part))),
    Check::new("EOMM-proc", Study(|inputs| rounds(inputs, inputs.report()?))),
    Check::new("EOMM-P", Study(|inputs| sizes(inputs, inputs.report()?))),
];

/// How much a share of draws may move from the smallest to the largest gaps and still be alike "regardless of skill gaps":
/// a twentieth of it.
const REGARDLESS: f64 = 0.01;

/// The study finds the printed correlation where draws are so rare at large gaps, and none where they are constant; the
/// share of draws by the gap, the paper's second finding, tells the two apart.
fn draws_and_gaps(inputs: &EommInputs, report: &StudyReport) -> Result<Finding> {
    let tolerance = 0.5 * DRAW_GAP_CORRELATION.abs();
    let matches = report.data.matches as u64;
    let constant = Estimate::from((report.data.draw_gap_correlation, (matches as f64).powf(-0.5)));
    let worlds = inputs.other_worlds()?;
    let draws_of = |kind| {
        worlds
            .of_kind(kind)
            .next()
            .context("no such world")
            .map(|world| &world.draws)
    };
    let (base, rarer) = (draws_of(WorldKind::Base)?, draws_of(WorldKind::Draws)?);
    let populations = u64::from(worlds.config.populations);
    let falls = |[small, large]: [Estimate; 2]| {
        let error = small.standard_error.hypot(large.standard_error);
        t_test(small.mean - large.mean, error, populations as f64 - 1.0)
    };
    let (even, falling) = (falls(base.ends), falls(rarer.ends));
    let none = "none to 0.025 where draws are constant";
    let mut found = Finding::new()
        .samples(populations, "populations of each world")
        .estimate("constant draws", constant, 4)
        .estimate("in the worlds' base", base.measured, 4)
        .estimate("rarer draws, with ratings", rarer.measured, 4)
        .estimate("with true skills", rarer.truth, 4);
    for (name, draws) in [("constant draws", base), ("rarer draws", rarer)] {
        for (tenth, share) in ["smallest", "largest"].into_iter().zip(draws.ends) {
            found = found.estimate(format!("{name}, tenth of {tenth} gaps, %"), share.times(100.0), 1);
        }
    }
    Ok(found
        .require_near((constant, matches), (0.0, tolerance), none)
        .require_near((base.measured, populations), (0.0, tolerance), none)
        .require_near(
            (rarer.measured, populations),
            (DRAW_GAP_CORRELATION, tolerance),
            "the published one to 0.025 where they get rarer",
        )
        .require_below(
            even,
            REGARDLESS,
            "constant draws are as many in the tenth of the smallest gaps as in that of the largest, to a point",
        )
        .completes_page(
            falling.against(REGARDLESS).t > 4.0,
            "draws that get rarer are not, though their correlation is the printed one (t > 4)",
        ))
}

/// The least miss of a predicted win chance that would matter.
const MISSED: f64 = 0.05;

/// Fig. 2: wins among all matches, draws too, by their predicted chance. No bin is too small to be asked.
fn wins_as_predicted(_: &EommInputs, report: &StudyReport) -> Result<Finding> {
    let wins = &report.ratings.wins;
    let error = calibration(&wins.reliability);
    let (mut most, mut clearest) = (0.0, 0.0_f64);
    let mut found = Finding::new()
        .count("matches", wins.n as u64)
        .estimate("calibration error", error, 4);
    for bin in &wins.reliability {
        let off = (bin.observed - bin.mean_predicted).abs();
        let chance = bin.mean_predicted * (1.0 - bin.mean_predicted);
        let test = t_test(off, (chance / bin.count as f64).sqrt(), bin.count as f64 - 1.0);
        (most, clearest) = (larger(most, off), larger(clearest, test.t));
        found = found.require(
            test.against(MISSED).t <= 3.0,
            "each bin within 0.05, as far as its matches tell",
        );
    }
    Ok(found
        .number("largest miss of a bin", most, 4)
        .number("largest z of one", clearest, 1)
        .require(error.0 <= 0.03, "calibration error at most 0.03")
        .completes_page(
            clearest > 3.0,
            "aligned to what matters, not to what so large a sample can tell (z > 3)",
        ))
}

/// The expected calibration error of these bins, and the standard error that their counts give it.
fn calibration<'a>(bins: impl IntoIterator<Item = &'a ReliabilityBin>) -> (f64, f64) {
    let (mut n, mut off, mut variance) = (0.0, 0.0, 0.0);
    for bin in bins {
        let count = bin.count as f64;
        n += count;
        off += count * (bin.observed - bin.mean_predicted).abs();
        variance += (count * bin.standard_error).powi(2);
    }
    (off / n, variance.sqrt() / n)
}

/// The smallest error of a predicted churn that would matter here: half of what a decided match changes it by.
const ALIGNED: f64 = 0.02;

/// Fig. 3: whose model is aligned how well is a question to the paper's data. Ours is fitted to churn that is generated
/// by the same form.
fn churn_as_predicted(_: &EommInputs, report: &StudyReport) -> Result<Finding> {
    let bins = &report.churn.holdout.reliability;
    let (below, above): (Vec<_>, Vec<_>) = bins.iter().partition(|bin| bin.upper <= ALIGNED_BELOW + 1e-9);
    let [below, above] = [below, above].map(calibration);
    Ok(Finding::new()
        .count("player-matches", report.churn.holdout.n as u64)
        .estimate("calibration error below 0.8", below, 4)
        .estimate("above", above, 4)
        .leaves_open(
            below.0 <= ALIGNED && above.0 <= ALIGNED,
            "ours is aligned to 0.02 below a risk of 0.8 and above, as a logistic of a logistic must be",
        )
        .require(below.0 <= ALIGNED, "aligned to 0.02 below 0.8"))
}

fn cross_validation(_: &EommInputs, report: &StudyReport) -> Result<Finding> {
    let found = &report.churn.cross_validation;
    let folds = found.fold_sizes.len();
    let rows = report.churn.training_rows;
    let validated: usize = found.fold_sizes.iter().map(|(_, validate)| validate).sum();
    let mut sizes = found.fold_sizes.iter();
    let whole = sizes.all(|(train, validate)| train + validate == rows);
    let score_of = |c: f64| found.scores.iter().find(|score| score.c == c);
    let chosen = score_of(report.churn.chosen_c).context("the chosen strength is not on the grid")?;
    let mut scores = found.scores.iter();
    let least = scores.all(|score| chosen.mean_log_loss <= score.mean_log_loss);
    Ok(Finding::new()
        .count("folds", folds as u64)
        .count("strengths", found.scores.len() as u64)
        .number("chosen C", chosen.c, 4)
        .estimate("its log loss", (chosen.mean_log_loss, chosen.standard_error), 4)
        .require(folds == FOLDS, "five folds")
        .require(validated == rows && whole, "each row validates exactly once")
        .require(found.scores.len() >= 2 && least, "the least mean loss is chosen"))
}

fn states(_: &EommInputs, report: &StudyReport) -> Result<Finding> {
    let sampled = report.config.state_matches.min(report.data.matches);
    Ok(Finding::new()
        .count("matches sampled", sampled as u64)
        .count("states", report.states as u64)
        .require(report.states == 2 * sampled, "both players of each"))
}

/// What plays the rounds of a shard.
pub(crate) type PlayPart =
    fn(&StudyConfig, &History, Option<&Truth>, Shard, &Workers<'_>) -> Result<StudyPart>;

/// Any round, played alone, is the round that it was among the others: no round leaves a trace in skills or states.
pub(crate) fn stationary(inputs: &EommInputs, run: PlayPart) -> Result<Finding> {
    const ROUNDS: u32 = 20;
    let params = GeneratorParams {
        players: 300,
        days: 8.0,
        ..inputs.generator.clone()
    };
    let study = StudyConfig {
        rounds: ROUNDS,
        pools: vec![20, 40],
        fit_rows: 2_000,
        seed: inputs.seed,
        ..StudyConfig::default()
    };
    let world = generate(&params, inputs.seed)?;
    let play = |shard| {
        run(
            &study,
            &world.history,
            Some(&world.truth),
            shard,
            &inputs.workers(),
        )
    };
    let whole = play(Shard::WHOLE)?;
    let mut alike = 0;
    let replayed = [1, ROUNDS / 2, ROUNDS];
    for round in replayed {
        let alone = play(Shard::new(round, ROUNDS)?)?;
        for (all, one) in whole.rounds.iter().zip(&alone.rounds) {
            alike += u64::from(all.get(round as usize - 1) == one.first() && one.len() == 1);
        }
    }
    let wanted = (replayed.len() * study.pools.len()) as u64;
    Ok(Finding::new()
        .count("rounds replayed alone", wanted)
        .count("with the same retained players under every method", alike)
        .require(alike == wanted, "each the same as among the others"))
}

/// Counts and expectations of the same pairs: what differs is the luck of outcomes and churn, round by round, without
/// that of the pools, which both share.
fn rounds(_: &EommInputs, report: &StudyReport) -> Result<Finding> {
    let (mut largest, mut compared, mut possible) = (0.0_f64, 0, true);
    let (mut error, mut with_pools) = (0.0, 0.0);
    for pool in &report.pools {
        for method in &pool.fitted.methods {
            let luck = method.luck;
            largest = larger(largest, (luck.mean / luck.standard_error).abs());
            possible &= (0.0..=pool.size as f64).contains(&method.simulated.mean);
            (error, with_pools) = (luck.standard_error, method.simulated.standard_error);
            compared += 1;
        }
    }
    Ok(Finding::new()
        .samples(report.config.rounds, "rounds")
        .count("sizes and methods", compared)
        .number("largest z of count and expectation", largest, 2)
        .number("standard error at the largest P", error, 3)
        .number("with the pools' luck", with_pools, 3)
        .require(compared == 4 * report.pools.len() as u64, "four methods a size")
        .require(
            largest <= 4.0,
            "counts agree with the expectation given the pairs",
        )
        .require(possible, "no more are retained than waited"))
}

fn sizes(inputs: &EommInputs, report: &StudyReport) -> Result<Finding> {
    let printed: Vec<usize> = inputs.paper.table_2.pools.iter().map(|&p| p as usize).collect();
    let sizes: Vec<usize> = report.pools.iter().map(|pool| pool.size).collect();
    let rounds = report.pools.iter().map(|pool| pool.rounds).min().unwrap_or(0);
    let mut found = Finding::new()
        .count("rounds each", rounds as u64)
        .require(sizes == printed, "the paper's pool sizes");
    for pool in &report.pools {
        let kept = comparison(pool, Method::Eomm, Method::Skill)?.paired_expected;
        let p = pool.fitted.methods.iter().map(|m| m.expected.mean).sum::<f64>() / (4 * pool.size) as f64;
        let theirs = (2.0 * pool.size as f64 * p * (1.0 - p) / ROUNDS as f64).sqrt();
        found = found
            .estimate(format!("P = {}: EOMM - SkillMM", pool.size), kept, 2)
            .require(
                kept.standard_error <= theirs,
                "an error below that of 10,000 rounds of counts",
            );
    }
    Ok(found)
}
