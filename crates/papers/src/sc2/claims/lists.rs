//! StarCraft II: the weekly list of the best two hundred.

use super::inputs::Sc2Inputs;
use crate::check::prelude::*;
use crate::random::Purpose;
use matchwright_mmr_forensics::{Division, ListedPlayer, Mismatch, RankPoints, TopRow, top_list};
use matchwright_sim::random::stream;
use matchwright_sim::statistics::{Estimate, Summary, t_test};
use rand::RngExt;
use rand_distr::{Distribution, Exp1};

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

/// Lists that are looked at after they were posted, one player after another from the top.
struct LateList {
    /// Whether points thin out towards the top as those of an exponential tail: the k-th gap is 1/k of the first.
    denser_down: bool,
    /// Hours after posting at which the first and the last are looked at.
    hours: [f64; 2],
}

/// Half of such lists: mean differences of its players.
#[derive(Clone, Copy, Default)]
struct Half {
    points: f64,
    places: f64,
}

/// How often a listed player plays: four games a day.
const GAMES_AN_HOUR: f64 = 4.0 / 24.0;
/// Points from the first to the last of a list.
const SPAN: f64 = 900.0;
/// Players of a list.
const LISTED: u64 = 200;

impl LateList {
    /// Both halves of one list, and how many changes of place are not put down to games.
    fn halves(&self, inputs: &Sc2Inputs, list: u64) -> Result<([Half; 2], u64)> {
        let season = inputs.season.clone().build()?;
        let master = season.division("Master", None)?;
        let all_gaps: f64 = (1..LISTED).map(|k| self.gap(k)).sum();
        let mut points = 3_000.0 + SPAN;
        let mut players = Vec::new();
        for number in 0..LISTED {
            if number > 0 {
                points -= SPAN * self.gap(number) / all_gaps;
            }
            let posted = points.round();
            let [first, last] = self.hours;
            let hours = first + (last - first) * number as f64 / (LISTED - 1) as f64;
            let moved = moved_in(hours, inputs.seed, list, number);
            players.push(ListedPlayer {
                name: format!("{number:03}"),
                posted: Some(RankPoints::new(posted)?),
                standing: standing(posted + moved, 0.0, 2_700.0, 0.5)?,
            });
        }
        let (mut halves, mut unexplained) = ([Half::default(); 2], 0);
        for (row, player) in top_list(&players, players.len(), &master).iter().zip(&players) {
            let misplaced = row.place.abs_diff(row.place_by_rating) as f64;
            let half = &mut halves[usize::from(2 * row.place > players.len())];
            half.places += misplaced / 100.0;
            half.points += (player.standing.points().get() - row.points).abs() / 100.0;
            let explained = matches!(row.mismatch, Mismatch::PlayedSince | Mismatch::OthersPlayed);
            unexplained += u64::from(misplaced > 0.0 && !explained);
        }
        Ok((halves, unexplained))
    }

    fn gap(&self, number: u64) -> f64 {
        if self.denser_down {
            1.0 / number as f64
        } else {
            1.0
        }
    }
}

/// The change of a player's points by games in this many hours, each 8 to 16 points up or down.
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

/// Lists of players, looked at late: by the time alone, by the density of points alone, by both and by neither.
fn late_lists(inputs: &Sc2Inputs) -> Result<Finding> {
    let lists = inputs.lists;
    let degrees = f64::from(lists) - 1.0;
    let mut found = Finding::new().samples(lists, "lists of each kind");
    let mut unexplained = 0;
    let mut kind = |denser_down, hours| -> Result<[Vec<(f64, f64)>; 2]> {
        let list = LateList { denser_down, hours };
        let (mut points, mut places) = (Vec::new(), Vec::new());
        for number in 0..lists {
            let ([upper, lower], not_told) = list.halves(inputs, number.into())?;
            points.push((upper.points, lower.points));
            places.push((upper.places, lower.places));
            unexplained += not_told;
        }
        Ok([points, places])
    };
    let (late, at_once) = (inputs.snapshot_hours, [9.75; 2]);
    let [points, time] = kind(false, late)?;
    let [_, neither] = kind(false, at_once)?;
    let [_, density] = kind(true, at_once)?;
    let [_, both] = kind(true, late)?;
    let noisier = points.iter().filter(|(upper, lower)| lower > upper).count() as f64;
    let [points, time, neither, density, both] =
        [&points, &time, &neither, &density, &both].map(|p| ratio(p));
    let above = |of: Estimate, limit: f64| t_test(of.mean - limit, of.standard_error, degrees);
    for (name, of) in [
        ("points moved, second hundred over first, by time alone", points),
        ("places off, likewise", time),
        ("places off, all looked at at once", neither),
        ("places off, by density alone", density),
        ("places off, by both", both),
    ] {
        found = found.estimate(name, of, 3);
    }
    // Means of halves: 9.375 and 10.125 hours; their ratio if few have played, its root if all have.
    let most: f64 = 10.125 / 9.375;
    let error = 4.0 * points.standard_error;
    let by_time = most.sqrt() - error..=most + error;
    Ok(found
        .number(
            "share of lists whose second hundred moved more, by time alone",
            noisier / f64::from(lists),
            2,
        )
        .count("not put down to games", unexplained)
        .require(
            unexplained == 0,
            "each difference by games since, where there are no pools",
        )
        .require_above(above(points, 1.0), 3.0, "noisier below by time")
        .require(by_time.contains(&points.mean), "by 1.04 to 1.08, as time has it")
        .require_tested(
            (neither.mean - 1.0).abs() < 0.02,
            above(neither, 1.02),
            "no noisier below if all are looked at at once, evenly spaced",
        )
        .require_above(above(density, 1.2), 4.0, "density alone adds more than time can")
        .refutes_page(
            noisier < 0.9 * f64::from(lists) && density.mean > most,
            "time alone shows in no single list, so there is something more",
        ))
}
