//! Smaller inputs for tests: short runs, made to agree with the documents where they are too small
//! to do so of themselves.

use std::sync::{Arc, OnceLock};

use matchwright_churn::{Outcome, PatternCounts, TableCounts};
use matchwright_sim::population::GeneratorParams;
use matchwright_sim::progress::{Progress, Quiet};
use matchwright_sim::statistics::MeanTest;

use crate::awesomenauts::claims::inputs::AwesomenautsRuns;
use crate::check::Once;
use crate::claims::inputs::Inputs;
use crate::dominations::claims::inputs::DominationsRuns;
use crate::dota::claims::inputs::DotaRuns;
use crate::eomm::Method;
use crate::eomm::claims::inputs::{EommRuns, SMALL_POOLS};
use crate::eomm::gain_law::run_gain_law;
use crate::eomm::other_worlds::{Kept, OtherWorldsReport, PopulationResult, WorldKind};
use crate::eomm::study::{RegionPatterns, StudyConfig, StudyReport};
use crate::eomm::theory::run_theory;
use crate::sc2::claims::inputs::Sc2Runs;
use crate::sc2::{Brier, Held, LeagueDebt, PoolErrors, PoolRow, TierShares, WorldReport};
use crate::workers::Workers;

/// Small inputs with runs that agree with the documents.
pub(super) fn fitting() -> Inputs {
    static RUNS: OnceLock<Runs> = OnceLock::new();
    let runs = RUNS.get_or_init(Runs::make);
    let mut inputs = inputs();
    inputs.eomm.runs = runs.eomm.clone();
    inputs.awesomenauts.runs = runs.awesomenauts.clone();
    inputs.dota.runs = runs.dota.clone();
    inputs.dominations.runs = runs.dominations.clone();
    inputs.sc2.runs = runs.sc2.clone();
    inputs
}

struct Runs {
    eomm: EommRuns,
    awesomenauts: AwesomenautsRuns,
    dota: DotaRuns,
    dominations: DominationsRuns,
    sc2: Sc2Runs,
}

impl Runs {
    fn make() -> Self {
        let wanted = inputs().eomm;
        Self {
            eomm: EommRuns {
                study: Once::given(study()),
                small_pools: Once::given(small_pools()),
                regions: Once::given(regions()),
                other_worlds: Once::given(other_worlds()),
                theory: Once::given(run_theory(&wanted.theory, 1).unwrap()),
                gain_law: Once::given(run_gain_law(&wanted.gain_law, 1, &Workers::new(2, &Quiet)).unwrap()),
                cohorts: Once::given(super::seasons::cohorts()),
            },
            awesomenauts: super::simulated::with_worlds(super::searches::runs()),
            dota: super::simulated::of_dota(),
            dominations: DominationsRuns {
                wars: Once::given(super::seasons::wars()),
            },
            sc2: Sc2Runs {
                ladders: Once::given(ladders()),
                spread_tiers: Once::given(tiers(-50.0)),
            },
        }
    }
}

/// The library as it is, with shorter runs.
pub(super) fn inputs() -> Inputs {
    let quiet: Arc<dyn Progress> = Arc::new(Quiet);
    let mut inputs = Inputs::new(20, 1, &quiet);
    inputs.eomm.theory.pools = 30;
    inputs.eomm.theory.sizes = vec![4, 6, 8];
    inputs.eomm.gain_law.players = 100;
    inputs.eomm.gain_law.rounds = 8;
    inputs.eomm.gain_law.sizes = vec![4];
    inputs.dota.performance.games = 1_000;
    let rates = &mut inputs.dota.win_rates;
    (rates.players, rates.worlds, rates.after) = (100, 2, vec![10, 20]);
    inputs.dominations.newcomers.climb.newcomers = 400;
    inputs.dominations.inflation.rounds = 20;
    inputs.dominations.league.veterans = 99;
    inputs.dominations.league.worlds = 40;
    inputs.sc2.points.players = 400;
    inputs.sc2.averages.ladders = 2;
    inputs.sc2.averages.promotions = vec![20];
    inputs.sc2.lists = 400;
    inputs.sc2.debt_ladders = (1, 24);
    inputs
}

/// A small study: right in form, not in level.
fn small_report() -> StudyReport {
    static REPORT: OnceLock<StudyReport> = OnceLock::new();
    let run = || {
        let inputs = inputs().eomm;
        let world = GeneratorParams {
            players: 300,
            days: 20.0,
            ..inputs.generator.clone()
        };
        let study = StudyConfig {
            rounds: 8,
            fit_rows: 4_000,
            state_matches: 1_000,
            ..StudyConfig::default()
        };
        inputs.run(&study, &world).unwrap()
    };
    REPORT.get_or_init(run).clone()
}

/// A t of many samples, with its p.
pub(super) fn set_t(test: &mut MeanTest, t: f64) {
    test.t = t;
    test.p = if t.abs() > 3.0 { 1e-9 } else { 0.5 };
}

/// The small study with one share of the retained at every size, errors as small as those of thousands of rounds, and
/// a gain of the paper's size.
fn study() -> StudyReport {
    let mut report = small_report();
    for bin in &mut report.ratings.wins.reliability {
        bin.count += 50_000;
        bin.observed = bin.mean_predicted + 0.01;
    }
    for bin in &mut report.churn.holdout.reliability {
        let off = if bin.upper <= 0.8 { 0.01 } else { 0.001 };
        bin.observed = bin.mean_predicted + off;
    }
    let lead = |method| match method {
        Method::Eomm => 0.5,
        Method::Random => 0.0,
        Method::Skill => 0.01,
        Method::Worst => -0.5,
    };
    for pool in &mut report.pools {
        for result in &mut pool.fitted.methods {
            result.luck.mean = 0.0;
            result.expected.standard_error = 0.01;
            result.expected.mean = 0.519 * pool.size as f64 + lead(result.method);
        }
        for judgement in [Some(&mut pool.fitted), pool.truth.as_mut()]
            .into_iter()
            .flatten()
        {
            for gain in &mut judgement.gains {
                (gain.expected.mean, gain.expected.standard_error) = (0.007, 1e-5);
            }
            for compared in &mut judgement.comparisons {
                compared.paired_expected.difference = lead(compared.first) - lead(compared.second);
                compared.paired_expected.standard_error = 0.01;
                set_t(&mut compared.paired_expected, 50.0);
            }
        }
    }
    report
}

/// Worlds whose gains are as in the large run, with little noise between populations.
fn other_worlds() -> OtherWorldsReport {
    let config = inputs().eomm.other_worlds;
    let population = |number: u32, promised: f64, truth: f64, draws: [f64; 2]| {
        let noise = 1e-5 * f64::from(number * number % 7);
        let kept = |gain: f64| Kept {
            skill: 250.0,
            random: 250.0,
            eomm: 250.0 * (1.0 + gain + noise),
            informed: 250.0 * (1.02 + gain),
        };
        PopulationResult {
            number,
            fitted: kept(promised),
            // What repels in one-sided matches costs RandomMM as much.
            truth: Kept {
                random: 250.0 * (1.0 + truth - 0.0085),
                ..kept(truth + noise)
            },
            draw_rate: 0.2,
            draw_gap_correlation: draws[0] + noise,
            draws_by_gap: vec![0.2, 0.2 - 1.2 * draws[0].abs() + noise],
            true_draw_gap_correlation: draws[1] - noise,
        }
    };
    let results = config.worlds.iter().map(|world| {
        let opponent = world.departures.one_sided_effect;
        let draws = world.departures.draw_width.map_or(0.0, |width| 300.0 / width);
        let truth = 0.0085 - 0.1 * opponent - 0.0005 * draws;
        let promised = if world.kind == WorldKind::Base {
            0.0066
        } else {
            0.007
        };
        let correlations = [-0.05 * draws, -0.094 * draws];
        let numbers = 0..config.populations;
        numbers
            .map(|number| population(number, promised, truth, correlations))
            .collect()
    });
    let results = results.collect();
    OtherWorldsReport::of(config, 1, results)
}

/// Small pools whose gains climb to that of 100 as the law has it.
fn small_pools() -> StudyReport {
    let mut report = small_report();
    let shares = [0.4, 0.56, 0.7, 0.8, 0.93];
    for ((pool, size), share) in report.pools.iter_mut().zip(SMALL_POOLS).zip(shares) {
        pool.size = size;
        for gain in &mut pool.fitted.gains {
            (gain.expected.mean, gain.expected.standard_error) = (0.007 * share, 1e-5);
        }
    }
    report
}

/// The nearest whole number.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "small and positive"
)]
fn whole(value: f64) -> u64 {
    value.round() as u64
}

/// Regions that agree with Table 1.
fn regions() -> Vec<RegionPatterns> {
    const MATCHES: f64 = 200_000.0;
    let outcome = |letter| Outcome::ALL.into_iter().find(|o| o.letter() == letter).unwrap();
    let region = |region: u32| {
        let mut counts = TableCounts::new(3).unwrap();
        let rows = inputs().eomm.paper.table_1;
        for (row, pattern) in rows
            .iter()
            .flat_map(|row| row.patterns.iter().map(move |p| (row, *p)))
        {
            let percent = row.middle();
            let noise = if region.is_multiple_of(2) { 0.1 } else { -0.1 };
            let seen = PatternCounts {
                matches: whole(MATCHES),
                churned: whole((percent + noise) / 100.0 * MATCHES),
            };
            let pattern: Vec<Outcome> = pattern.chars().map(outcome).collect();
            counts.add_counts(&pattern, seen).unwrap();
        }
        RegionPatterns {
            region,
            player_matches: whole(10.0 * MATCHES),
            counts,
        }
    };
    (0..4).map(region).collect()
}

/// What is found on ladders, as it should be.
fn ladders() -> WorldReport {
    let held = Held {
        intervals: 100,
        held: 95,
    };
    let brier = Brier {
        forecasts: 1_000,
        promoted: 50,
        ours: 20.0,
        rule: 40.0,
        leads: vec![0.019, 0.020, 0.021],
    };
    // Errors of three ladders that differ a little.
    let row = |(up_to, published): (f64, f64)| {
        let of_ladder = |luck: f64| PoolErrors {
            published: published + luck,
            now: 45.0 + luck,
            published_when_spent: published + luck,
            now_when_spent: published + luck,
        };
        PoolRow {
            up_to,
            players: 200,
            ladders: [-0.1, 0.0, 0.1].map(of_ladder).to_vec(),
        }
    };
    let mut pool = [(25.0, 45.0), (100.0, 46.0), (1_000.0, 65.0), (f64::MAX, 120.0)]
        .map(row)
        .to_vec();
    // Differences of ladders are not all the same.
    for row in &mut pool[2..] {
        row.ladders[0].published += 0.1;
    }
    WorldReport {
        tiers: tiers(-10.0),
        conversion: held,
        magic: held,
        offset: held,
        offset_trusted: held,
        averages_told: 6,
        averages_compared: 6,
        promotions: 1_000,
        brier: brier.clone(),
        brier_top: brier,
        pool,
        debts: vec![LeagueDebt {
            league: "Bronze".to_owned(),
            truth: 2.0,
            estimates: vec![2.0],
            held: 1,
        }],
    }
}

/// Tiers of a hundred divisions whose clusters lie this far above M - K, each 10 points off.
fn tiers(above_edge: f64) -> TierShares {
    TierShares {
        divisions: 100,
        right: 97,
        right_by_cluster: 96,
        claimed: 97.0,
        clusters: 100,
        above_edge: 100.0 * above_edge,
        above_edge_squares: 100.0 * (above_edge * above_edge + 100.0),
    }
}
