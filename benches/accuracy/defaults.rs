//! Which parameters forecast well on many kinds of matches without being tuned: what the defaults are chosen by.

use anyhow::Result;
use matchwright_rating::history::History;
use matchwright_sim::population::{Departures, GeneratorParams, generate};
use matchwright_sim::rate::{
    DrawKind, PeriodChoice, SystemChoice, SystemParams, decided_losses, evaluate_games, rate_games,
};
use matchwright_sim::statistics::share_of;

use super::data::Data;
use super::mean;

/// Games before this share are learnt from only.
const LEARNT: f64 = 0.2;
/// Seed of the generated populations.
const SEED: u64 = 7;

/// Prints a table a system: the log loss of decided games under each candidate, on each of the worlds.
pub(super) fn print(data: Vec<Data>) -> Result<()> {
    let mut worlds: Vec<(String, History)> = data
        .into_iter()
        .map(|one| (one.name.to_owned(), one.history))
        .collect();
    for (players, days, skill_drift) in [(1000, 30.0, 0.0), (1000, 90.0, 10.0), (300, 180.0, 30.0)] {
        let params = GeneratorParams {
            players,
            days,
            departures: Departures {
                skill_drift,
                ..Departures::default()
            },
            ..GeneratorParams::default()
        };
        let name = format!("{players} players, {days} days, drift {skill_drift}");
        worlds.push((name, generate(&params, SEED)?.history));
    }
    let names: Vec<String> = worlds
        .iter()
        .map(|(name, history)| format!("{name} ({})", history.len()))
        .collect();
    for (system, candidates) in candidates() {
        println!(
            "\n### {}\n\n| parameters | {} | mean less the first | better on |",
            system.name(),
            names.join(" | ")
        );
        println!("|---|{}---:|---:|", "---:|".repeat(names.len()));
        let mut first: Option<Vec<f64>> = None;
        for (name, params) in candidates {
            let losses: Vec<f64> = worlds
                .iter()
                .map(|(_, history)| loss(system, &params, history))
                .collect::<Result<_>>()?;
            let first = first.get_or_insert_with(|| losses.clone());
            let apart: Vec<f64> = losses
                .iter()
                .zip(&*first)
                .map(|(loss, first)| loss - first)
                .collect();
            let better = apart.iter().filter(|apart| **apart < 0.0).count();
            let shown: Vec<String> = losses.iter().map(|loss| format!("{loss:.4}")).collect();
            println!(
                "| {name} | {} | {:+.4} | {better} of {} |",
                shown.join(" | "),
                mean(&apart),
                apart.len()
            );
        }
    }
    Ok(())
}

fn loss(system: SystemChoice, params: &SystemParams, history: &History) -> Result<f64> {
    let rated = rate_games(system, params, history, LEARNT, &[])?;
    let draws = DrawKind::default();
    let (_, forecasts) = evaluate_games(history, &rated.predictions, &rated.pairs, LEARNT, draws)?;
    let start = rated
        .pairs
        .partition_point(|pair| pair.game < share_of(history.len(), LEARNT));
    Ok(mean(&decided_losses(&forecasts[start..])))
}

/// The defaults first, then the alternatives.
type Candidates = Vec<(String, SystemParams)>;

fn candidates() -> Vec<(SystemChoice, Candidates)> {
    let defaults = || vec![("default".to_owned(), SystemParams::default())];
    let with = |name: String, change: &dyn Fn(&mut SystemParams)| {
        let mut params = SystemParams::default();
        change(&mut params);
        (name, params)
    };
    let periods = [
        PeriodChoice::Game,
        PeriodChoice::Days(1.0),
        PeriodChoice::Days(7.0),
        PeriodChoice::Days(30.0),
        PeriodChoice::Days(90.0),
    ];
    let [
        mut elo,
        mut glicko,
        mut glicko2,
        mut trueskill,
        mut weng_lin,
        mut elo_mmr,
    ] = [(); 6].map(|()| defaults());
    for k in [16.0, 24.0, 48.0, 64.0, 96.0] {
        elo.push(with(format!("K {k}"), &|params| params.elo.k = k));
    }
    for period in [PeriodChoice::Game, PeriodChoice::Days(1.0)] {
        for c in [1.0, 2.0, 5.0, 10.0, 20.0, 40.0] {
            glicko.push(with(format!("{period:?}, c {c}"), &|params| {
                (params.period, params.glicko.c) = (period, c);
            }));
        }
    }
    for period in periods {
        for volatility in [0.03, 0.06, 0.12] {
            glicko2.push(with(format!("{period:?}, volatility {volatility}"), &|params| {
                (params.period, params.glicko2.initial_volatility) = (period, volatility);
            }));
        }
    }
    for (by_game, by_day) in [
        (1.0, 0.0),
        (2.0, 0.0),
        (4.0, 0.0),
        (1.0, 0.2),
        (1.0, 0.5),
        (2.0, 0.2),
    ] {
        for beta in [0.5, 1.0, 2.0] {
            let name = format!("beta {beta} x 25/6, tau {by_game} x 25/300, and {by_day} x 25/300 a day");
            trueskill.push(with(name.clone(), &|params| {
                params.trueskill.beta = beta * 25.0 / 6.0;
                params.trueskill.tau = by_game * 25.0 / 300.0;
                params.trueskill.tau_per_period = by_day * 25.0 / 300.0;
            }));
            weng_lin.push(with(name, &|params| {
                params.weng_lin.beta = beta * 25.0 / 6.0;
                params.weng_lin.tau = by_game * 25.0 / 300.0;
                params.weng_lin.tau_per_period = by_day * 25.0 / 300.0;
            }));
        }
    }
    for (limit, weight, by_day) in [
        (60.0, 0.1, 0.0),
        (60.0, 0.2, 0.0),
        (80.0, 0.1, 0.0),
        (100.0, 0.1, 0.0),
        (100.0, 0.2, 0.0),
        (80.0, 0.05, 0.0),
        (80.0, 0.2, 3.0),
    ] {
        elo_mmr.push(with(
            format!("limit {limit}, weight {weight}, {by_day} a day"),
            &|params| {
                params.elo_mmr = params.elo_mmr.with_limit(limit, weight);
                params.elo_mmr.gamma_per_period = by_day;
            },
        ));
    }
    vec![
        (SystemChoice::Elo, elo),
        (SystemChoice::Glicko, glicko),
        (SystemChoice::Glicko2, glicko2),
        (SystemChoice::TrueSkill, trueskill),
        (SystemChoice::WengLin, weng_lin),
        (SystemChoice::EloMmr, elo_mmr),
    ]
}
