//! The queues over ten days: DOM-sbwait, glory, newqueue, 7to4. The world is `examples/scenarios/dominations.toml`.

use super::inputs::DominationsInputs;
use crate::check::prelude::*;
use crate::check::verdict::Measured;
use crate::dominations::{Queue, WarWorld, WarsReport};

pub(crate) const CHECKS: &[Check<DominationsInputs>] = &[
    Check::new("DOM-sbwait", Search(|inputs| Ok(sandbaggers(inputs.wars()?)))),
    Check::new("DOM-glory", Search(|inputs| Ok(glory(inputs.wars()?)))),
    Check::new("DOM-newqueue", Search(|inputs| Ok(stranded(inputs.wars()?)))),
    Check::new("DOM-7to4", Search(|inputs| Ok(sizes(inputs.wars()?)))),
];

/// From which t on a difference is established.
const CLEAR: f64 = 4.0;

fn of(report: &WarsReport) -> Finding {
    Finding::new().samples(report.config.worlds, "worlds, the same for each queue")
}

fn longer(world: &WarWorld) -> f64 {
    world.waits[1] - world.waits[0]
}

fn sandbaggers(report: &WarsReport) -> Finding {
    let (new, old) = (
        report.within(Queue::New, longer),
        report.within(Queue::Old, longer),
    );
    of(report)
        .estimate(
            "others wait, hours,",
            report.mean(Queue::New, |world| world.waits[0]),
            2,
        )
        .estimate("sandbaggers longer by", new, 2)
        .estimate("in the old queue by", old, 2)
        .estimate(
            "its wars of one with another kind, %,",
            report.mean(Queue::Old, mixed),
            1,
        )
        .require_above(new, CLEAR, "sandbaggers wait longer")
        .require_above(
            report.within(Queue::New, longer_than(old.difference)),
            CLEAR,
            "by more than in the old queue",
        )
        .require(
            report.of(Queue::New).iter().all(|world| world.mixed == 0.0),
            "none meets an alliance without sandbags",
        )
}

fn longer_than(limit: f64) -> impl Fn(&WarWorld) -> f64 {
    move |world| longer(world) - limit
}

fn mixed(world: &WarWorld) -> f64 {
    100.0 * world.mixed
}

fn glory(report: &WarsReport) -> Finding {
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

fn stranded(report: &WarsReport) -> Finding {
    let day = |world: &WarWorld| 100.0 * world.stranded;
    let left = |world: &WarWorld| 100.0 * world.left;
    let wait = |world: &WarWorld| world.waits[0];
    let fewer = report.less(Queue::OneLook, Queue::New, day);
    let fewer_left = report.less(Queue::OneLook, Queue::New, left);
    let than_old = report.less(Queue::New, Queue::OldFour, left);
    of(report)
        .estimate("in the queue for a day or more, %,", report.mean(Queue::New, day), 1)
        .estimate("more with one look as strict", fewer, 1)
        .estimate("left without a war, %,", report.mean(Queue::New, left), 1)
        .estimate("more with one look as strict", fewer_left, 1)
        .estimate("less in the old queue with four sizes", than_old, 1)
        .estimate("whose waits are shorter by so many hours", report.less(Queue::New, Queue::OldFour, wait), 1)
        .require_above(fewer, CLEAR, "fewer wait for a day than with one look as strict")
        .require_above(fewer_left, CLEAR, "and fewer leave without a war")
        .completes_page(
            than_old.t > CLEAR,
            "fewer than one look as strict would strand; the old queue itself, whose range is wide and asks one side alone, loses fewer yet",
        )
}

/// Hours that wars of 50 take longer to find than those of 10; NaN in a world without either.
fn fifty(world: &WarWorld) -> f64 {
    let of = |size| world.by_size.get(&size).map_or(f64::NAN, |(hours, _)| *hours);
    of(50) - of(10)
}

fn sizes(report: &WarsReport) -> Finding {
    let gap = |world: &WarWorld| 100.0 * world.strength_gap;
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
