//! StarCraft II: the weekly list of the best two hundred.

use super::inputs::Sc2Inputs;
use crate::check::prelude::*;
use crate::random::Purpose;
use matchwright_mmr_forensics::{Division, ListedPlayer, Mismatch, TopRow, top_list};
use matchwright_sim::random::stream;
use matchwright_sim::statistics::{Estimate, Summary, t_test};
use rand::RngExt;
use rand_distr::{Distribution, Exp1};
use std::ops::Range;

use super::forensics::standing;

pub(crate) const CHECKS: &[Check<Sc2Inputs>] = &[
    Check::new("SC2-top200", Exact(|inputs| top_200(inputs, top_list))),
    Check::new("SC2-snap", Exact(late_lists)),
];

fn same_places(rows: &[TopRow]) -> u64 {
    rows.iter().filter(|row| row.place == row.place_by_rating).count() as u64
}

/// What makes a list of this many players.
pub(crate) type ListOf = fn(&[ListedPlayer], usize, &Division<'_>) -> Vec<TopRow>;

/// Lists of 200 whose pools are spent, equally full, and of any size; and one whose last player is idle.
pub(crate) fn top_200(inputs: &Sc2Inputs, list_of: ListOf) -> Result<Finding> {
    let season = inputs.season.clone().build()?;
    let master = season.division("Master", None)?;
    let list = |unspent: &dyn Fn(u32) -> f64| -> Result<Vec<TopRow>> {
        let player = |number: u32| -> Result<ListedPlayer> {
            let points = 3_000.0 + f64::from(number * 77 % 200);
            Ok(ListedPlayer {
                name: format!("{points}"),
                posted: None,
                standing: standing(points, unspent(number), 2_700.0, 0.5)?,
            })
        };
        let players = (0..200).map(player).collect::<Result<Vec<_>>>()?;
        Ok(list_of(&players, 200, &master))
    };
    let (spent, equal) = (list(&|_| 0.0)?, list(&|_| 120.0)?);
    let any = list(&|number| f64::from(number * 131 % 300))?;
    // Number 0 has 3,000 points and is the last.
    let idle = list(&|number| if number == 0 { 199.0 } else { 0.0 })?;
    let mut off = 0.0;
    for row in &any {
        let ahead = any
            .iter()
            .filter(|other| other.points + other.unspent > row.points + row.unspent);
        let tied = |other: &&TopRow| {
            other.points + other.unspent == row.points + row.unspent && other.place < row.place
        };
        let place = 1 + ahead.count() + any.iter().filter(tied).count();
        deviate(&mut off, row.place_by_rating as f64, place as f64);
        deviate(
            &mut off,
            row.rating - spent[0].rating,
            row.points + row.unspent - spent[0].points,
        );
    }
    let falls = any.windows(2).all(|two| two[0].points > two[1].points);
    let last = idle.last().filter(|row| row.points == 3_000.0);
    let place = last.map_or(f64::NAN, |row| row.place_by_rating as f64);
    let explained = last.is_some_and(|row| row.mismatch == Mismatch::OwnPool);
    Ok(Finding::new()
        .count("same place by rating, pools spent", same_places(&spent))
        .count("pools equally full", same_places(&equal))
        .count("pools of any size up to 300", same_places(&any))
        .number("an unspent point costs one, off by", off, 3)
        .number("place by rating of an idle 200th, 199 unspent", place, 0)
        .require(falls && any.len() == 200, "listed by points")
        .require(same_places(&spent) == 200, "one order where all is spent")
        .require(same_places(&equal) == 200, "or all have as much unspent")
        .require(same_places(&any) < 20, "another order where pools differ")
        .require(
            off < 1e-9,
            "by P + U, an unspent point costs a place as a point does",
        )
        .require(place <= 3.0, "an idle last one with one of the highest ratings")
        .require(explained, "because of the pool"))
}

/// How often a listed player plays, off peak: four games a day.
const GAMES_AN_HOUR: f64 = 4.0 / 24.0;
/// Players of a list.
const LISTED: u64 = 200;
/// How many times as much is played while the list is looked at: the source says "peak ladder times" and no more.
const PEAKS: [f64; 3] = [1.0, 3.0, 10.0];

/// How far the points of the first and of the second hundred moved, on average, until they were looked at.
fn halves(hours: [f64; 2], peak: f64, seed: u64, list: u64) -> (f64, f64) {
    let [first, last] = hours;
    let half = |numbers: Range<u64>| {
        let moved = numbers.map(|number| {
            let waited = (last - first) * number as f64 / (LISTED - 1) as f64;
            moved_in(first + peak * waited, seed, list, number).abs()
        });
        2.0 * moved.sum::<f64>() / LISTED as f64
    };
    (half(0..LISTED / 2), half(LISTED / 2..LISTED))
}

/// The change of a player's points by games in this many hours off peak, each 8 to 16 points up or down.
fn moved_in(hours: f64, seed: u64, list: u64, number: u64) -> f64 {
    let mut rng = stream(seed, Purpose::LadderSeason, 1_000 + list, number);
    let mut next = || -> f64 { Exp1.sample(&mut rng) };
    let mut games = 0;
    let mut at = next() / GAMES_AN_HOUR;
    while at < hours {
        games += 1;
        at += next() / GAMES_AN_HOUR;
    }
    let mut game = || {
        let points = f64::from(rng.random_range(8..=16));
        if rng.random::<bool>() { points } else { -points }
    };
    (0..games).map(|_| game()).sum()
}

/// The mean of the second numbers over that of the first, with its error over the lists.
fn ratio(pairs: &[(f64, f64)]) -> Estimate {
    let mean = Summary::of(pairs.iter().map(|(first, _)| *first)).mean();
    let ratio = Summary::of(pairs.iter().map(|(_, second)| *second)).mean() / mean;
    let off = pairs
        .iter()
        .map(|(first, second)| (second - ratio * first) / mean);
    Estimate {
        mean: ratio,
        standard_error: Summary::of(off).estimate().standard_error,
    }
}

/// How much noisier time alone makes the lower half, by how much more is played at the peak.
fn late_lists(inputs: &Sc2Inputs) -> Result<Finding> {
    let lists = inputs.lists;
    let mut found = Finding::new().samples(lists, "lists of each kind");
    let mut ends = Vec::new();
    for peak in PEAKS {
        let list = |list: u32| halves(inputs.snapshot_hours, peak, inputs.seed, list.into());
        let noisier = ratio(&(0..lists).map(list).collect::<Vec<_>>());
        let name =
            format!("{peak} times as much played at the peak: points moved, second hundred over first");
        found = found.estimate(name, noisier, 3);
        ends.push(noisier);
    }
    let (flat, most) = (ends[0], ends[PEAKS.len() - 1]);
    let error = flat.standard_error.hypot(most.standard_error);
    let apart = t_test(most.mean - flat.mean, error, f64::from(lists) - 1.0);
    let above = t_test(flat.mean - 1.0, flat.standard_error, f64::from(lists) - 1.0);
    Ok(found
        .require_above(
            above,
            3.0,
            "time alone makes it noisier below, as the source says",
        )
        .leaves_open(
            apart.t > 4.0,
            "by how much goes with what was played at the peak, which is not told (t > 4)",
        ))
}
