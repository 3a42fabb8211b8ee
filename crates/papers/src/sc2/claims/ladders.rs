//! StarCraft II: what is inferred from generated ladders.

use super::inputs::Sc2Inputs;
use crate::check::prelude::*;
use crate::sc2::ladder::{LadderWorldParams, ladder_world};
use crate::sc2::{AveragesConfig, TierShares, WorldReport, run_averages, run_debts};
use matchwright_mmr_forensics::{LadderSeason, MovingAverage};
use matchwright_sim::statistics::{Summary, paired_test, quantile, t_test};

pub(crate) const CHECKS: &[Check<Sc2Inputs>] = &[
    Check::new("SC2-acc", Exact(small_pools)),
    Check::new(
        "SC2-detect",
        Exact(|given| {
            let season = given.season.clone().build()?;
            detect(&season, given.ladders()?.tiers, given.spread_tiers()?)
        }),
    ),
    Check::new("SC2-promo", Exact(promotion)),
    Check::new("SC2-smapred", Exact(|inputs| Ok(forecasts(inputs.ladders()?)))),
    Check::new(
        "SC2-smalower",
        Exact(|inputs| Ok(lower_forecasts(inputs.ladders()?))),
    ),
    Check::new("SC2-modma", Exact(which_average)),
    Check::new("SC2-inact", Exact(absence)),
];

/// The pools from which on Pp must be worse than at the smallest, points.
const LARGE_POOL: f64 = 500.0;

/// Pp against the hidden rating twenty games later, by the unspent pool.
fn small_pools(inputs: &Sc2Inputs) -> Result<Finding> {
    let rows = &inputs.ladders()?.pool;
    let (first, last) = (
        rows.first().context("no pools")?,
        rows.last().context("no pools")?,
    );
    let mut found = Finding::new().samples(first.ladders.len(), "ladders");
    for row in rows {
        let name = match row.up_to {
            most if most < 1e9 => format!("up to {most:.0} unspent"),
            _ => "more".to_owned(),
        };
        found = found
            .estimate(format!("{name}: Pp"), row.mean(|off| off.published), 1)
            .number("P + U - B", row.mean(|off| off.now).mean, 1)
            .number("Pp, pool spent", row.mean(|off| off.published_when_spent).mean, 1);
    }
    let excess = first.ladders.iter().map(|off| off.published - off.now);
    found = found.require_below(
        paired_test(excess),
        1.0,
        "Pp of up to 25 unspent points is as good as the hidden rating itself, to a point",
    );
    for row in rows.iter().filter(|row| row.up_to > LARGE_POOL) {
        let growth = row.ladders.iter().zip(&first.ladders);
        let growth = growth.map(|(large, small)| large.published - small.published);
        found = found.require_above(paired_test(growth), 4.0, "Pp is worse of more than 500");
    }
    let pairs = || last.ladders.iter().zip(&first.ladders);
    let published = paired_test(pairs().map(|(large, small)| large.published - small.published));
    let now = paired_test(pairs().map(|(large, small)| large.now - small.now));
    let tenth = 0.1 * published.difference;
    Ok(found
        .estimate("Pp, largest pools less smallest", published, 1)
        .estimate("P + U - B, largest less smallest", now, 1)
        .require_enough(
            rows.iter().all(|row| row.players >= 100),
            "a hundred players of each pool",
        )
        .completes_page(
            now.difference.abs() + 3.0 * now.standard_error < tenth,
            "it is 2 U W that large pools spoil: P + U - B grows worse by less than a tenth of that",
        ))
}

/// Half of the step between two tiers, points.
const HALF_A_TIER: f64 = 31.5;

/// Tiers of ladders whose players hover below M - K, and of ladders whose players stand anywhere.
pub(crate) fn detect(season: &LadderSeason, usual: TierShares, spread: TierShares) -> Result<Finding> {
    let edge =
        |tier| -> Result<f64> { Ok(season.division("Diamond", Some(tier))?.edge().unwrap_or(f64::NAN)) };
    let edges = [edge("Rank 2")?, edge("Rank-i")?];
    let mut found = Finding::new()
        .samples(usual.divisions + spread.divisions, "divisions")
        .number("Rank 2 Diamond clusters at", edges[0], 0)
        .number("Rank-i Diamond", edges[1], 0);
    for (kind, tiers) in [("hovering", usual), ("anywhere", spread)] {
        let share = |right: u32| f64::from(right) / f64::from(tiers.divisions);
        found = found
            .estimate(
                format!("clusters over M - K, players {kind}"),
                tiers.above_edge().estimate(),
                1,
            )
            .number("found by the source's method", share(tiers.right_by_cluster), 3)
            .number("by likelihood", share(tiers.right), 3);
    }
    let (near, far) = (usual.above_edge(), spread.above_edge());
    let below = |of: &Summary, limit: f64| {
        let mean = of.estimate();
        t_test(-mean.mean - limit, mean.standard_error, of.n() as f64 - 1.0)
    };
    Ok(found
        .require(edges == [412.0, 538.0], "clusters lie at M - K")
        .require_tested(
            near.mean().abs() < HALF_A_TIER,
            below(&near, HALF_A_TIER),
            "to half of a tier, if players hover there",
        )
        .require_share(
            (usual.right_by_cluster, usual.divisions),
            &(0.9..=1.0),
            "then the source's method finds nine of ten",
        )
        .require_share(
            (usual.right, usual.divisions),
            &(0.95..=1.0),
            "likelihood finds 95 of 100",
        )
        .require_above(
            below(&far, HALF_A_TIER),
            4.0,
            "clusters of players anywhere lie lower than half of a tier",
        ))
}

/// When the mean of ten passed M - K, beside when promotion came.
#[derive(Default)]
struct Timing {
    promotions: u64,
    /// Promotions that did not come with the game at which the mean passed.
    other: u64,
    /// Promotions before whose game the rating had passed.
    rating_first: u64,
    /// Games from then to promotion.
    games: Vec<f64>,
}

/// The promotions of a ladder that promotes by this rule, of players who were never away.
fn timing(inputs: &Sc2Inputs, rule: MovingAverage) -> Result<Timing> {
    let params = LadderWorldParams {
        divisions: 12,
        hand_in: 1.0,
        average: rule,
        ..inputs.world.clone()
    };
    let (world, truth) = ladder_world(&params, inputs.seed)?;
    let mut found = Timing::default();
    for history in &world.histories {
        if !history.promoted || !history.away.is_empty() {
            continue;
        }
        let mut places = world.late.iter();
        let place = places.position(|division| division.name == history.division);
        let Some(tier) = place.map(|place| &truth.tiers[place]) else {
            continue;
        };
        let Some(edge) = truth.season.division(&history.league, Some(tier))?.edge() else {
            continue;
        };
        let averages = inputs.average.after_each(&history.differentials);
        // Displayed points are rounded.
        let over = |at: usize, by: f64| averages[at] > edge + by;
        let last = averages.len() - 1;
        found.promotions += 1;
        found.other += u64::from(!over(last, -0.5) || (history.from..last).any(|at| over(at, 0.5)));
        let mut before = history.from..last;
        if let Some(first) = before.find(|&at| history.differentials[at] > edge + 0.5) {
            found.rating_first += 1;
            found.games.push((last - first) as f64);
        }
    }
    found.games.sort_by(f64::total_cmp);
    Ok(found)
}

/// The document's rule on ladders that promote by it, and on ladders that promote by others.
fn promotion(inputs: &Sc2Inputs) -> Result<Finding> {
    let own = timing(inputs, inputs.world.average)?;
    let soon = quantile(&own.games, 0.5);
    let mut found = Finding::new()
        .count("promotions", own.promotions)
        .count("where the rating passed first", own.rating_first)
        .number("games from then to promotion, median", soon, 0)
        .count("not with the game at which the mean passed", own.other)
        .require(
            own.promotions >= 50 && own.other == 0,
            "promoted when the mean passes M - K",
        )
        .require(
            10 * own.rating_first >= 9 * own.promotions,
            "the rating passes earlier",
        )
        .require(soon <= 20.0, "by at most twenty games, mostly");
    for rule in &inputs.other_rules {
        let broken = timing(inputs, *rule)?;
        found = found
            .count(format!("promotions by {}", rule.name()), broken.promotions)
            .count("of them not with the mean of ten", broken.other)
            .require(
                broken.promotions >= 50 && 2 * broken.other > broken.promotions,
                "most promotions by another rule do not come with the mean of ten",
            );
    }
    Ok(found.require(!inputs.other_rules.is_empty(), "another rule is told apart"))
}

/// Forecasts beside the rule's, and beside the same chance each time.
pub(crate) fn forecasts(ladders: &WorldReport) -> Finding {
    let brier = &ladders.brier_top;
    let lead = paired_test(brier.leads.iter().copied());
    Finding::new()
        .samples(brier.forecasts, "forecasts")
        .number("Brier score to Master", brier.score(), 4)
        .number("of Pp over M", brier.rule_score(), 4)
        .number("of one chance for all", brier.base_score(), 4)
        .estimate("ours below that of Pp over M", lead, 4)
        .require_enough(brier.forecasts >= 100, "a hundred forecasts")
        .require_above(lead, 3.0, "better than Pp over M")
        .require(
            brier.score() < 0.7 * brier.base_score(),
            "squares at least three tenths below those of one chance for all",
        )
}

/// Whether forecasts below Master are less good: by the share of squares that they take off those of one chance for all.
fn lower_forecasts(ladders: &WorldReport) -> Finding {
    let [top, below] =
        [&ladders.brier_top, &ladders.brier].map(|brier| 1.0 - brier.score() / brier.base_score());
    let enough = ladders.brier.forecasts.min(ladders.brier_top.forecasts) >= 100;
    Finding::new()
        .samples(ladders.brier.forecasts, "forecasts below")
        .number(
            "share of one chance's squares that forecasts take off, to Master",
            top,
            3,
        )
        .number("below", below, 3)
        .require_enough(enough, "a hundred forecasts of each kind")
        .leaves_open(
            below >= top,
            "generated leagues promote by one rule, and forecasts below are as good as to Master",
        )
}

/// Each of eight averages promotes in turn; and one that is not among them.
fn which_average(inputs: &Sc2Inputs) -> Result<Finding> {
    let (config, world) = (&inputs.averages, &inputs.world);
    let rows = run_averages(config, world, inputs.seed)?;
    let most = config.promotions.iter().copied().max().context("no promotions")?;
    let mut found = Finding::new().samples(config.ladders, "ladders for each of eight averages");
    let (mut told, mut compared) = (0, 0);
    for row in &rows {
        let name = format!("{}, {} promotions, identified", row.rule.name(), row.promotions);
        found = found.count(name, row.identified().into());
        if row.promotions == most {
            told += row.identified();
            compared += config.ladders;
        }
    }
    let outside = AveragesConfig {
        rules: vec![MovingAverage::Simple { games: 12 }],
        ladders: 1,
        promotions: vec![most],
        ..config.clone()
    };
    let outside = run_averages(&outside, world, inputs.seed)?;
    let taken = outside.iter().flat_map(|row| &row.likeliest).next();
    let taken = taken.map_or_else(String::new, |(taken, chance)| {
        format!("{} with {chance:.3}", taken.name())
    });
    let wanted = MovingAverage::CANDIDATES.len();
    let each = rows.iter().filter(|row| row.promotions == most);
    let each = each.filter(|row| 2 * row.identified() > config.ladders).count();
    Ok(found
        .text("sMA(12), which is not among them, is taken for", taken)
        .require_share((told, compared), &(0.95..=1.0), "identified on 95 of 100 ladders")
        .completes_page(
            each == wanted,
            "this many histories tell which of the eight it is, whichever that may be",
        ))
}

/// Debts that are found back where leagues differ, and where they do not.
fn absence(inputs: &Sc2Inputs) -> Result<Finding> {
    let (ladders, divisions) = inputs.debt_ladders;
    let mut found = Finding::new().samples(2 * ladders, "ladders");
    for (kind, by_league) in [("", inputs.world.debt_by_league), (", all leagues alike", 0.0)] {
        let params = LadderWorldParams {
            divisions,
            hand_in: 1.0,
            debt_by_league: by_league,
            ..inputs.world.clone()
        };
        let debts = run_debts(&params, ladders, inputs.seed)?;
        let mut means = Vec::new();
        for (place, debt) in debts
            .iter()
            .enumerate()
            .filter(|(_, debt)| !debt.estimates.is_empty())
        {
            let mean = debt.estimates.iter().sum::<f64>() / debt.estimates.len() as f64;
            means.push((place as f64, mean));
            found = found
                .number(format!("{}, games a week{kind}", debt.league), mean, 1)
                .require((mean - debt.truth).abs() < 0.5, "within half a game of the truth");
        }
        let slope = slope(&means);
        let expected = if kind.is_empty() { 1.0 } else { 0.0 };
        found = found
            .number(format!("more in each league{kind}"), slope, 2)
            .require(means.len() >= 3, "in at least three leagues")
            .require(
                (slope - expected).abs() < 0.5,
                "a game more in each league where that is so, none where it is not, to half a game",
            );
    }
    Ok(found.note(
        "how much it was in the game is not in the document: these are the generator's debts, found back",
    ))
}

/// The slope of the line of least squares.
fn slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let (x, y) = (
        points.iter().map(|(x, _)| x).sum::<f64>() / n,
        points.iter().map(|(_, y)| y).sum::<f64>() / n,
    );
    let covariance: f64 = points.iter().map(|(px, py)| (px - x) * (py - y)).sum();
    covariance / points.iter().map(|(px, _)| (px - x).powi(2)).sum::<f64>()
}
