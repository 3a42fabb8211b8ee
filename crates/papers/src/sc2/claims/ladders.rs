//! StarCraft II: what is inferred from generated ladders and lists.

use crate::claims::prelude::*;
use crate::random::Purpose;
use crate::sc2::ladder::{LadderWorldParams, ladder_world};
use crate::sc2::{WorldReport, run_ladders};
use matchwright_mmr_forensics::{LadderSeason, ListedPlayer, Mismatch, RankPoints};
use matchwright_sim::progress::Quiet;
use matchwright_sim::random::stream;
use rand::Rng;

use super::forensics::standing;

pub(crate) const CHECKS: &[Check] = &[
    Check::new("SC2-acc", Exact(small_pools)),
    Check::new(
        "SC2-detect",
        Exact(|given| detect(&given.sc2.season.clone().build()?, given.ladders()?)),
    ),
    Check::new("SC2-promo", Exact(promotion)),
    Check::new("SC2-smapred", Exact(|inputs| Ok(forecasts(inputs.ladders()?)))),
    Check::new(
        "SC2-modma",
        Exact(|inputs| Ok(which_average(inputs.ladders()?, inputs.sc2.ladders))),
    ),
    Check::new("SC2-inact", Exact(absence)),
    Check::new("SC2-top200", Exact(top_200)),
    Check::new("SC2-snap", Exact(late_lists)),
];

fn small_pools(inputs: &Inputs) -> Result<Finding> {
    let ladders = inputs.ladders()?;
    let mut found = Finding::new();
    let (mut before, mut rows) = (0.0, 0);
    for row in ladders.pool.iter().filter(|row| row.players >= 100) {
        let error = row.error();
        let name = match row.up_to {
            most if most < 1e9 => format!("up to {most:.0}"),
            _ => "more".to_owned(),
        };
        found = found
            .number(name, error, 1)
            .require(error > before, "a larger pool, a larger error");
        (before, rows) = (error, rows + 1);
    }
    Ok(found.require(rows >= 4, "pools of different sizes"))
}

pub(crate) fn detect(season: &LadderSeason, ladders: &WorldReport) -> Result<Finding> {
    let edge =
        |tier| -> Result<f64> { Ok(season.division("Diamond", Some(tier))?.edge().unwrap_or(f64::NAN)) };
    let tiers = ladders.tiers;
    let share = |right: u32| f64::from(right) / f64::from(tiers.divisions);
    let by_cluster = share(tiers.right_by_cluster);
    let edges = [edge("Rank 2")?, edge("Rank-i")?];
    Ok(Finding::new()
        .samples(tiers.divisions, "divisions")
        .count("divisions", tiers.divisions.into())
        .number("found by the source's method", by_cluster, 3)
        .number("by likelihood", share(tiers.right), 3)
        .number("Rank 2 Diamond clusters at", edges[0], 0)
        .number("Rank-i Diamond", edges[1], 0)
        .require(edges == [412.0, 538.0], "clusters lie at M - K")
        .require_share(
            (tiers.right_by_cluster, tiers.divisions),
            &(0.9..=1.0),
            "the source's method finds nine of ten",
        )
        .require_share(
            (tiers.right, tiers.divisions),
            &(0.95..=1.0),
            "likelihood finds 95 of 100",
        ))
}

fn promotion(inputs: &Inputs) -> Result<Finding> {
    let params = LadderWorldParams {
        divisions: 12,
        hand_in: 1.0,
        ..inputs.sc2.world.clone()
    };
    let (world, truth) = ladder_world(&params, inputs.seed)?;
    let (mut promoted, mut rating_first, mut wrong) = (0_u64, 0_u64, 0_u64);
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
        let averages = inputs.sc2.average.after_each(&history.differentials);
        // Displayed points are rounded.
        let over = |at: usize, by: f64| averages[at] > edge + by;
        let last = averages.len() - 1;
        promoted += 1;
        wrong += u64::from(!over(last, -0.5) || (history.from..last).any(|at| over(at, 0.5)));
        let mut before = history.differentials[history.from..last].iter();
        rating_first += u64::from(before.any(|rating| *rating > edge));
    }
    Ok(Finding::new()
        .count("promotions", promoted)
        .count("where the rating passed first", rating_first)
        .count("not with the game at which the mean passed", wrong)
        .require(
            promoted >= 50 && wrong == 0,
            "promoted when the mean passes M - K",
        )
        .require(10 * rating_first >= 9 * promoted, "the rating passes earlier"))
}

pub(crate) fn forecasts(ladders: &WorldReport) -> Finding {
    let forecasts = ladders.brier.forecasts + ladders.brier_top.forecasts;
    let mut found = Finding::new().samples(forecasts, "forecasts");
    let master = ("to Master", ladders.brier_top, 0.05);
    for (name, brier, limit) in [master, ("below", ladders.brier, 0.08)] {
        let count = f64::from(brier.forecasts);
        found = found
            .number(format!("Brier score {name}"), brier.ours / count, 4)
            .number(format!("of Pp over M, {name}"), brier.rule / count, 4)
            .require_enough(brier.forecasts >= 100, "a hundred forecasts of each kind")
            .require(brier.ours < brier.rule, "better than Pp over M")
            .require(brier.ours / count < limit, "a good forecast");
    }
    found.note("generated leagues promote by one rule, so what is worse below Master is not shown by them")
}

pub(crate) fn which_average(ladders: &WorldReport, of: u32) -> Finding {
    let (told, compared) = (ladders.averages_told, ladders.averages_compared);
    Finding::new()
        .samples(of, "ladders")
        .count("ladders", compared.into())
        .count("where the one in use is likeliest", told.into())
        .count("promotions of all", ladders.promotions as u64)
        .require(compared == of, "compared on each ladder")
        .require_share((told, compared), &(0.95..=1.0), "identified on 95 of 100")
}

fn absence(inputs: &Inputs) -> Result<Finding> {
    let params = LadderWorldParams {
        hand_in: 1.0,
        ..inputs.sc2.world.clone()
    };
    let ladders = run_ladders(&params, 2, inputs.seed, &Quiet)?;
    let mut found = Finding::new();
    let (mut told, mut before) = (0, 0.0);
    for debt in ladders.debts.iter().filter(|debt| !debt.estimates.is_empty()) {
        let mean = debt.estimates.iter().sum::<f64>() / debt.estimates.len() as f64;
        told += 1;
        found = found
            .number(format!("{}, games a week", debt.league), mean, 1)
            .require((mean - debt.truth).abs() < 1.0, "within a game of the truth")
            .require(mean > before - 1.0, "no less in higher leagues");
        before = mean;
    }
    Ok(found.require(told >= 3, "in at least three leagues").note(
        "how much it was in the game is not in the document: these are the generator's debts, found back",
    ))
}

fn top_200(inputs: &Inputs) -> Result<Finding> {
    let season = inputs.sc2.season.clone().build()?;
    let master = season.division("Master", None)?;
    let player = |name: String, points: f64, unspent: f64| -> Result<ListedPlayer> {
        Ok(ListedPlayer {
            name,
            posted: None,
            standing: standing(points, unspent, 2700.0, 0.5)?,
        })
    };
    let mut players = Vec::new();
    for number in 0..200 {
        let points = 3000.0 + f64::from(number * 77 % 200);
        players.push(player(number.to_string(), points, 0.0)?);
    }
    let spent = (inputs.sc2.top)(&players, 200, &master);
    let stays = spent.iter().filter(|row| row.place == row.place_by_rating);
    let same = stays.count();
    players[0] = player("idle".to_owned(), 2999.0, 199.0)?;
    let idle = (inputs.sc2.top)(&players, 200, &master);
    let last = idle.last().filter(|row| row.name == "idle");
    let place = last.map_or(f64::NAN, |row| row.place_by_rating as f64);
    let explained = last.is_some_and(|row| row.mismatch == Mismatch::OwnPool);
    Ok(Finding::new()
        .count("same place by rating, pools spent", same as u64)
        .number("the idle 200th, by rating", place, 0)
        .require(spent.len() == 200 && same == 200, "one order where all is spent")
        .require(place <= 3.0, "an idle last one with one of the highest ratings")
        .require(explained, "because of the pool"))
}

/// Lists of players as posted, and looked at later: who plays has moved.
fn late_lists(inputs: &Inputs) -> Result<Finding> {
    let season = inputs.sc2.season.clone().build()?;
    let master = season.division("Master", None)?;
    let (mut upper, mut lower, mut unexplained) = (0.0, 0.0, 0_u64);
    for list in 0..40_u64 {
        let mut players = Vec::new();
        for number in 0..200_u64 {
            let mut rng = stream(inputs.seed, Purpose::LadderSeason, 1_000 + list, number);
            let luck = rng.next_u64();
            // Further down players stand closer together.
            let posted = (3000.0 + 900.0 / (1.0 + number as f64 / 20.0)).round();
            let played = luck.is_multiple_of(4);
            let moved = f64::from(u8::from(played)) * ((luck / 8 % 41) as f64 - 20.0);
            players.push(ListedPlayer {
                name: format!("{number:03}"),
                posted: Some(RankPoints::new(posted)?),
                standing: standing(posted + moved, 0.0, 2700.0, 0.5)?,
            });
        }
        for row in (inputs.sc2.top)(&players, 200, &master) {
            let misplaced = row.place.abs_diff(row.place_by_rating) as f64;
            let half = if row.place <= 100 { &mut upper } else { &mut lower };
            *half += misplaced;
            let explained = matches!(row.mismatch, Mismatch::PlayedSince | Mismatch::OthersPlayed);
            unexplained += u64::from(misplaced > 0.0 && !explained);
        }
    }
    let mean = |sum: f64| sum / 4_000.0;
    Ok(Finding::new()
        .number("places off, first hundred", mean(upper), 2)
        .number("second hundred", mean(lower), 2)
        .count("not explained", unexplained)
        .require(mean(lower) > 1.5 * mean(upper) && upper > 0.0, "noisier below")
        .require(unexplained == 0, "each by games since"))
}
