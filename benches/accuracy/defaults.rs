//! Which parameters forecast well on many kinds of matches without being tuned: what the defaults are chosen by.

use anyhow::Result;
use matchwright_rating::history::History;
use matchwright_rating::{
    AnyParams, DrawKind, EloMmrParams, EloParams, Glicko2Params, GlickoParams, PeriodChoice, RatingParams,
    SystemName, TrueSkillParams, WengLinParams,
};
use matchwright_sim::population::{Departures, GeneratorParams, generate};
use matchwright_sim::rate::{decided_losses, evaluate_games, rate_games};
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
                .map(|(_, history)| loss(&params, history))
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

fn loss(params: &RatingParams, history: &History) -> Result<f64> {
    let rated = rate_games(params, history, LEARNT, &[])?;
    let draws = DrawKind::default();
    let (_, forecasts) = evaluate_games(history, &rated.predictions, &rated.pairs, LEARNT, draws)?;
    let start = rated
        .pairs
        .partition_point(|pair| pair.game < share_of(history.len(), LEARNT));
    Ok(mean(&decided_losses(&forecasts[start..])))
}

/// The defaults first, then the alternatives.
type Candidates = Vec<(String, RatingParams)>;

fn candidates() -> Vec<(SystemName, Candidates)> {
    let periods = [
        PeriodChoice::Game,
        PeriodChoice::Days(1.0),
        PeriodChoice::Days(7.0),
        PeriodChoice::Days(30.0),
        PeriodChoice::Days(90.0),
    ];
    let every = |period, own: AnyParams| RatingParams {
        period,
        ..RatingParams::of(own)
    };
    let elo = [16.0, 24.0, 48.0, 64.0, 96.0].map(|k| {
        let own = EloParams {
            k,
            ..EloParams::default()
        };
        (format!("K {k}"), RatingParams::of(own))
    });
    let (mut glicko, mut glicko2, mut trueskill, mut weng_lin) = (vec![], vec![], vec![], vec![]);
    for period in [PeriodChoice::Game, PeriodChoice::Days(1.0)] {
        for c in [1.0, 2.0, 5.0, 10.0, 20.0, 40.0] {
            let own = GlickoParams {
                c,
                ..GlickoParams::default()
            };
            glicko.push((format!("{period:?}, c {c}"), every(period, own.into())));
        }
    }
    for period in periods {
        for initial_volatility in [0.03, 0.06, 0.12] {
            let own = Glicko2Params {
                initial_volatility,
                ..Glicko2Params::default()
            };
            let name = format!("{period:?}, volatility {initial_volatility}");
            glicko2.push((name, every(period, own.into())));
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
            let (beta, tau) = (beta * 25.0 / 6.0, by_game * 25.0 / 300.0);
            let tau_per_period = by_day * 25.0 / 300.0;
            let own = TrueSkillParams {
                beta,
                tau,
                tau_per_period,
                ..TrueSkillParams::default()
            };
            trueskill.push((name.clone(), RatingParams::of(own)));
            let own = WengLinParams {
                beta,
                tau,
                tau_per_period,
                ..WengLinParams::default()
            };
            weng_lin.push((name, RatingParams::of(own)));
        }
    }
    let elo_mmr = [
        (60.0, 0.1, 0.0),
        (60.0, 0.2, 0.0),
        (80.0, 0.1, 0.0),
        (100.0, 0.1, 0.0),
        (100.0, 0.2, 0.0),
        (80.0, 0.05, 0.0),
        (80.0, 0.2, 3.0),
    ]
    .map(|(limit, weight, by_day)| {
        let own = EloMmrParams {
            gamma_per_period: by_day,
            ..EloMmrParams::default().with_limit(limit, weight)
        };
        let name = format!("limit {limit}, weight {weight}, {by_day} a day");
        (name, RatingParams::of(own))
    });
    let all = [
        (SystemName::Elo, elo.into()),
        (SystemName::Glicko, glicko),
        (SystemName::Glicko2, glicko2),
        (SystemName::TrueSkill, trueskill),
        (SystemName::WengLin, weng_lin),
        (SystemName::EloMmr, elo_mmr.into()),
    ];
    let with_default = |(name, mut others): (SystemName, Candidates)| {
        others.insert(0, ("default".to_owned(), RatingParams::of(name)));
        (name, others)
    };
    all.map(with_default).into()
}
