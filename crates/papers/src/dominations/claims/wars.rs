//! The queues over ten days: DOM-sbwait, glory, newqueue, 7to4, and readers' questions: hourly, deviation, ages. The world is `examples/scenarios/dominations.toml`.

use super::inputs::DominationsInputs;
use crate::check::prelude::*;
use crate::check::simulated::ENOUGH_WORLDS;
use crate::check::verdict::Measured;
use crate::dominations::{OLD_RANGES, Queue, Setting, WarWorld, WarsReport};
use matchwright_sim::statistics::{Summary, paired_test};

pub(crate) const CHECKS: &[Check<DominationsInputs>] = &[
    Check::new("DOM-sbwait", Search(|inputs| Ok(sandbaggers(inputs.wars()?)))),
    Check::new("DOM-glory", Search(|inputs| Ok(glory(inputs.wars()?)))),
    Check::new("DOM-newqueue", Search(|inputs| Ok(stranded(inputs.wars()?)))),
    Check::new("DOM-7to4", Search(|inputs| Ok(sizes(inputs.wars()?)))),
    Check::new("DOM-hourly", Search(|inputs| Ok(hourly(inputs.wars()?)))),
    Check::new("DOM-deviation", Search(|inputs| Ok(deviation(inputs.wars()?)))),
    Check::new("DOM-ages", Search(|inputs| Ok(ages(inputs.wars()?)))),
];

/// From which t on a difference is established.
const CLEAR: f64 = 4.0;

fn of(report: &WarsReport) -> Finding {
    Finding::new().samples(report.config.worlds, "worlds, the same for each queue")
}

fn longer(world: &WarWorld) -> f64 {
    world.waits[1] - world.waits[0]
}

pub(crate) fn sandbaggers(report: &WarsReport) -> Finding {
    let (new, old) = (
        report.within(Queue::NoKey, longer),
        report.within(Queue::Old, longer),
    );
    of(report)
        .estimate(
            "others wait, hours,",
            report.mean(Queue::NoKey, |world| world.waits[0]),
            2,
        )
        .estimate("sandbaggers longer by", new, 2)
        .estimate(
            "with a word for them, which is a key, by",
            report.within(Queue::New, longer),
            2,
        )
        .estimate("in the old queue by", old, 2)
        .estimate(
            "wars of one with another kind, %,",
            report.mean(Queue::NoKey, mixed),
            1,
        )
        .estimate("in the old queue", report.mean(Queue::Old, mixed), 1)
        .require_above(new, CLEAR, "sandbaggers wait longer")
        .require_above(
            report.within(Queue::NoKey, longer_than(old.difference)),
            CLEAR,
            "by more than in the old queue",
        )
        .require_above(
            report.less(Queue::Old, Queue::NoKey, mixed),
            CLEAR,
            "and fewer wars are with another kind",
        )
}

fn longer_than(limit: f64) -> impl Fn(&WarWorld) -> f64 {
    move |world| longer(world) - limit
}

fn mixed(world: &WarWorld) -> f64 {
    100.0 * world.mixed
}

pub(crate) fn glory(report: &WarsReport) -> Finding {
    let gap = |world: &WarWorld| world.glory_gap;
    let [without, old] = [Queue::NoGlory, Queue::Old].map(|queue| report.less(queue, Queue::New, gap));
    let later = report.within(Queue::New, |world| {
        world.glory_gap_by_wait[1] - world.glory_gap_by_wait[0]
    });
    of(report)
        .estimate("gap of glory of a war, points,", report.mean(Queue::New, gap), 0)
        .estimate("more without its window", without, 0)
        .estimate("more in the old queue", old, 0)
        .estimate(
            "of wars within the first hour",
            report.mean(Queue::New, |world| world.glory_gap_by_wait[0]),
            0,
        )
        .estimate("later more by", later, 0)
        .require_above(without, CLEAR, "the window makes gaps of glory smaller")
        .require_above(old, CLEAR, "smaller than in the old queue")
        .require_above(later, CLEAR, "near glory first, wider gaps after waiting")
}

type Column = fn(&WarWorld) -> f64;

/// What a queue is judged by, all the less the better: who leave without a war, hours, and how uneven wars are.
const COLUMNS: [(&str, Column); 4] = [
    ("left without a war, %,", |world| 100.0 * world.left),
    ("hours in the queue", |world| world.waits[0]),
    ("gap of offence, %,", |world| 100.0 * world.strength_gap),
    ("chance of the stronger, %,", |world| 100.0 * world.chance),
];

/// The new queue, as it is shipped and tuned, beside the old one by its range: where it loses fewer, and which ranges are
/// ahead of it throughout.
pub(crate) fn stranded(report: &WarsReport) -> Finding {
    let less = |queue: Queue, old: &[WarWorld], figure: Column| {
        let pairs = report.of(queue).iter().zip(old);
        paired_test(pairs.map(|(new, old)| figure(old) - figure(new)))
    };
    let ranges = || OLD_RANGES.into_iter().zip(&report.ranges);
    let behind = |queue: Queue| -> Vec<f64> {
        let is_ahead = |old: &[WarWorld]| {
            COLUMNS
                .iter()
                .all(|(_, figure)| less(queue, old, *figure).t < -CLEAR)
        };
        ranges()
            .filter(|(_, old)| is_ahead(old))
            .map(|(range, _)| range)
            .collect()
    };
    let fewer = ranges()
        .filter(|(_, old)| less(Queue::Tuned, old, COLUMNS[0].1).t > CLEAR)
        .count();
    let Setting { wide, fast, after } = report.setting;
    let mut found = of(report).text(
        "tuned: windows",
        format!("{wide} times as wide, {fast} times as fast, flat for {after} s"),
    );
    let old = ranges().map(|(range, worlds)| (format!("old, range {range}"), &worlds[..]));
    let new = [("as shipped", Queue::NoKey), ("tuned", Queue::Tuned)]
        .map(|(name, queue)| (name.to_owned(), report.of(queue)));
    for (name, worlds) in new.into_iter().chain(old) {
        for (what, figure) in COLUMNS {
            let mean = Summary::of(worlds.iter().map(figure)).estimate();
            found = found.estimate(format!("{name}: {what}"), mean, 2);
        }
    }
    let day = |world: &WarWorld| 100.0 * world.stranded;
    let one_look = report.less(Queue::OneLook, Queue::New, day);
    let shipped = behind(Queue::NoKey);
    let enough = report.of(Queue::New).len() >= ENOUGH_WORLDS;
    found
        .text(
            "ranges of the old queue that are ahead of the shipped one in all columns",
            format!("{shipped:?}"),
        )
        .estimate(
            "a day or more in the queue, %, more with one look as strict",
            one_look,
            1,
        )
        .require_above(
            one_look,
            CLEAR,
            "fewer wait for a day than with one look as strict",
        )
        .require_enough(enough, format!("{ENOUGH_WORLDS} worlds or more"))
        .require(
            !enough || fewer == OLD_RANGES.len(),
            "tuned, it loses fewer than the old queue with any of the ranges (t > 4)",
        )
        .require(
            !enough || behind(Queue::Tuned).is_empty(),
            "tuned, it is behind no range in all columns",
        )
        .completes_page(
            !shipped.is_empty(),
            "as strict as it is shipped it is behind the old queue with some range in all columns (t > 4)",
        )
}

/// Hours that wars of 50 take longer to find than those of 10; NaN in a world without either.
fn fifty(world: &WarWorld) -> f64 {
    let of = |size| world.by_size.get(&size).map_or(f64::NAN, |(hours, _)| *hours);
    of(50) - of(10)
}

pub(crate) fn sizes(report: &WarsReport) -> Finding {
    let wait = |world: &WarWorld| world.waits[0];
    let better = report.less(Queue::Seven, Queue::New, gap);
    let longer = report.within(Queue::New, fifty);
    let mean: Measured = report.mean(Queue::New, gap).into();
    of(report)
        .estimate("mean gap of offence, %,", mean, 2)
        .estimate("more with seven sizes", better, 2)
        .estimate(
            "hours longer with seven sizes",
            report.less(Queue::Seven, Queue::New, wait),
            2,
        )
        .estimate("50 against 50: hours longer than 10 against 10", longer, 1)
        .require_above(better, CLEAR, "four sizes match better than seven")
        .require_above(longer, CLEAR, "50 against 50 waits long")
}

/// The new queue, in rounds at every full hour.
pub(crate) fn hourly(report: &WarsReport) -> Finding {
    let even = report.less(Queue::New, Queue::Hourly, gap);
    let longer = report.less(Queue::Hourly, Queue::New, |world| world.waits[0]);
    of(report)
        .estimate("gap of attack, %,", report.mean(Queue::New, gap), 2)
        .estimate("at full hours", report.mean(Queue::Hourly, gap), 2)
        .estimate("less by", even, 2)
        .estimate("hours in the queue more by", longer, 2)
        .estimate(
            "left without a war, %, more by",
            report.less(Queue::Hourly, Queue::New, |world| 100.0 * world.left),
            2,
        )
        .require_above(
            even,
            CLEAR,
            "wars of a larger pool at every full hour are more even",
        )
        .completes_page(longer.t > CLEAR, "alliances wait longer for it (t > 4)")
}

/// What a reader says the wider side's share of wins is.
const NEARLY_ALL: f64 = 99.0;

/// By which of two figures the old queue's wars are told, where both sides have one.
pub(crate) fn deviation(report: &WarsReport) -> Finding {
    let wider = report.mean(Queue::Old, |world| 100.0 * world.chance_of_wider);
    of(report)
        .estimate("chance of the side whose bases are spread wider, %,", wider, 1)
        .estimate(
            "of the side with the higher mean",
            report.mean(Queue::Old, |world| 100.0 * world.chance_of_stronger),
            1,
        )
        .leaves_open(
            wider.mean < NEARLY_ALL,
            "wars here are decided by the sides' strength alone: what a spread adds is in the game's data",
        )
}

/// Wars by glory alone, beside those of all windows.
pub(crate) fn ages(report: &WarsReport) -> Finding {
    let apart = report.less(Queue::GloryAlone, Queue::New, gap);
    let chance = |world: &WarWorld| 100.0 * world.chance;
    let uneven = report.less(Queue::GloryAlone, Queue::New, chance);
    of(report)
        .estimate(
            "gap of attack by glory alone, %,",
            report.mean(Queue::GloryAlone, gap),
            2,
        )
        .estimate("with the other windows", report.mean(Queue::New, gap), 2)
        .estimate(
            "chance of the stronger by glory alone, %,",
            report.mean(Queue::GloryAlone, chance),
            2,
        )
        .estimate("with the other windows, %,", report.mean(Queue::New, chance), 2)
        .require_above(apart, CLEAR, "by glory alone bases further apart meet")
        .estimate(
            "gap of attack, %, that the window of glory adds to the others",
            report.less(Queue::New, Queue::NoGlory, gap),
            2,
        )
        .require_above(uneven, CLEAR, "and wars are less even")
}

fn gap(world: &WarWorld) -> f64 {
    100.0 * world.strength_gap
}
