//! Which pictures there are, and of which steps.

use anyhow::{Context, Result};
use matchwright_solver::Stage;

use super::draw::{Figure, Panel};
use super::legend::Key;
use super::look::{Look, watch};
use super::points::Points;

/// What pictures of trees have to explain.
const TREES: &[Key] = &[
    Key::Outer,
    Key::Inner,
    Key::Disc,
    Key::Moat,
    Key::Pair,
    Key::Tight,
    Key::Exposed,
];

/// Every picture: file and contents.
pub(crate) fn draw_all() -> Result<Vec<(String, String)>> {
    let (triangles, few, many) = (Points::two_triangles(), Points::few(), Points::many());
    let of_triangles = watch(&triangles, false)?;
    let of_few = watch(&few, false)?;
    let of_many = watch(&many, true)?;
    let mut figures = vec![odd_sets(&triangles, &of_triangles)?];
    figures.extend(fractional(&few, &of_few)?);
    figures.extend(trees(&few, &of_few)?);
    figures.push(expansion(&few, &of_few)?);
    figures.push(optimum(&few, &of_few)?);
    figures.extend(large(&many, &of_many)?);
    Ok(figures
        .iter()
        .map(|figure| (format!("{}.svg", figure.name), figure.to_svg()))
        .collect())
}

/// The look at this place among those of a stage of the whole graph.
fn nth(looks: &[Look], stage: Stage, place: usize) -> Result<&Look> {
    looks
        .iter()
        .filter(|look| look.stage == stage && !look.is_sample)
        .nth(place)
        .with_context(|| format!("the solve has no look {place} of stage {stage:?}: choose other points"))
}

/// The last look of a stage: of the whole graph, or of the sample.
fn last(looks: &[Look], stage: Stage, of_sample: bool) -> Result<&Look> {
    let mut of_stage = looks
        .iter()
        .filter(|look| look.stage == stage && look.is_sample == of_sample);
    of_stage
        .next_back()
        .with_context(|| format!("the solve has no look of stage {stage:?}: choose other points"))
}

/// With numbers, without candidates.
fn panel<'a>(look: &'a Look, caption: &'static str) -> Panel<'a> {
    Panel {
        look,
        caption,
        candidates: false,
        numbers: true,
    }
}

fn odd_sets<'a>(points: &'a Points, looks: &'a [Look]) -> Result<Figure<'a>> {
    Ok(Figure {
        name: "odd-sets",
        title: "Two triangles: what discs cannot pay for, moats can",
        description: "Six points, three on the left and three on the right. Left panel: six discs, those of a triangle \
                      touch each other; the edges of both triangles count one half each. Right panel: the same discs, \
                      and a moat around each triangle; the moats touch where vertices 2 and 3 are paired. 0 and 1 are \
                      paired, and 4 and 5.",
        points,
        panels: vec![
            panel(
                last(looks, Stage::Fractional, false)?,
                "Discs alone: the best is half of every edge",
            ),
            panel(
                last(looks, Stage::Priced, false)?,
                "Discs and moats: a pairing that costs their sum",
            ),
        ],
        legend: &[Key::Disc, Key::Moat, Key::Pair, Key::Cycle, Key::Tight],
    })
}

fn fractional<'a>(points: &'a Points, looks: &'a [Look]) -> Result<Vec<Figure<'a>>> {
    Ok(vec![
        Figure {
            name: "first-duals",
            title: "The first duals, and the first pairs",
            description: "28 points. Left panel: around each a disc of half the distance to its nearest neighbour; \
                          discs of mutual neighbours touch. Right panel: larger discs, most points paired, one odd \
                          cycle through 2, 18 and 4, five exposed vertices.",
            points,
            panels: vec![
                panel(
                    nth(looks, Stage::Start, 0)?,
                    "Start: half the distance to the nearest",
                ),
                panel(
                    nth(looks, Stage::Fractional, 0)?,
                    "After raising, bidding and one tree",
                ),
            ],
            legend: &[Key::Disc, Key::Pair, Key::Cycle, Key::Tight, Key::Exposed],
        },
        Figure {
            name: "fractional-optimum",
            title: "The fractional optimum: pairs, and odd cycles that count one half",
            description: "28 points with discs that touch along pairs and cycles: five pairs, and six triangles whose \
                          edges count one half each.",
            points,
            panels: vec![panel(
                last(looks, Stage::Fractional, false)?,
                "No vertex is exposed, and no discs overlap",
            )],
            legend: &[Key::Disc, Key::Pair, Key::Cycle, Key::Tight],
        },
    ])
}

fn trees<'a>(points: &'a Points, looks: &'a [Look]) -> Result<Vec<Figure<'a>>> {
    let tree = |place| nth(looks, Stage::Blossoms, place);
    Ok(vec![
        Figure {
            name: "blossoms",
            title: "Blossoms: odd cycles of touching discs get a moat",
            description: "Left panel: the tree of vertex 1. The cycle 1, 13, 19 has a narrow moat, and around it, 6 \
                          and 21 lies a second one. Right panel: the tree of vertex 2. The cycle 2, 4, 18 has a \
                          moat, which touches the disc of 27, an inner vertex; its partner 12 is outer.",
            points,
            panels: vec![
                panel(tree(0)?, "Tree 1, from vertex 1: a blossom in a blossom"),
                panel(tree(1)?, "Tree 2, from vertex 2: a blossom, and two more"),
            ],
            legend: TREES,
        },
        Figure {
            name: "augmentation",
            title: "Augmentation: the pairs shift along the path",
            description: "Left panel: the tree of vertex 9. From its blossom 9, 11, 14 the path leads over 8, 5, 23, \
                          3, 26 and 24 to the exposed vertex 16. Right panel: 9 is paired with 8, 5 with 23, 3 with \
                          26, 24 with 16. The tree of vertex 10 has just touched the blossom around the exposed \
                          vertex 1.",
            points,
            panels: vec![
                panel(tree(2)?, "Tree 3, from 9: it meets the exposed vertex 16"),
                panel(tree(3)?, "Tree 4, from 10: it meets the blossom of 1"),
            ],
            legend: TREES,
        },
    ])
}

fn expansion<'a>(points: &'a Points, looks: &'a [Look]) -> Result<Figure<'a>> {
    Ok(Figure {
        name: "expansion",
        title: "One tree, and every kind of event",
        description: "The tree of vertex 15, with 15 outer and 8 inner vertices. Its root is the blossom 15, 20, 22. \
                      One branch leads over 25, 17 and 10, no longer a blossom, to the outer blossom 1, 6, 13, 19, \
                      21. The other leads through the inner blossom 9, 11, 14 over 8, 5, 23 and 3 to the new \
                      blossom 16, 24, 26, and on over 0 to 7.",
        points,
        panels: vec![panel(
            nth(looks, Stage::Blossoms, 4)?,
            "Tree 5, from vertex 15, paused at its limit",
        )],
        legend: TREES,
    })
}

fn optimum<'a>(points: &'a Points, looks: &'a [Look]) -> Result<Figure<'a>> {
    Ok(Figure {
        name: "optimum",
        title: "The last tree, and the optimum with its proof",
        description: "Left panel: the tree of vertex 2. Its moat touches that of the inner blossom 1, 6, 13, 19, 21; \
                      from there the path leads over 10, 17 and 25 to the blossom of the exposed vertex 15. Right \
                      panel: all 28 points are paired. Along every pair discs and moats touch; nowhere do they \
                      overlap; every moat is crossed by one pair.",
        points,
        panels: vec![
            panel(
                nth(looks, Stage::Blossoms, 5)?,
                "Tree 6, from 2: it meets the blossom of 15",
            ),
            panel(
                last(looks, Stage::Priced, false)?,
                "The optimum: it costs what discs and moats sum to",
            ),
        ],
        legend: TREES,
    })
}

fn large<'a>(points: &'a Points, looks: &'a [Look]) -> Result<Vec<Figure<'a>>> {
    let plain = |look, caption, candidates| Panel {
        look,
        caption,
        candidates,
        numbers: false,
    };
    Ok(vec![
        Figure {
            name: "sample",
            title: "A sample tells the duals, and these the candidates",
            description: "120 points. Left panel: half of them, with discs, paired or on odd cycles. Right panel: all \
                          have duals, some negative, some discs overlap; thin lines are the candidates, mostly \
                          short.",
            points,
            panels: vec![
                plain(
                    last(looks, Stage::Fractional, true)?,
                    "The fractional optimum of the sample",
                    false,
                ),
                plain(
                    nth(looks, Stage::Start, 0)?,
                    "Duals for all, and the candidates",
                    true,
                ),
            ],
            legend: &[Key::Disc, Key::Negative, Key::Pair, Key::Cycle, Key::Candidate],
        },
        Figure {
            name: "pricing",
            title: "Pricing: where discs or moats overlap, a pair was missing",
            description: "120 points, all paired. Left panel: a few discs and moats overlap; the pairs across are \
                          marked as violated. Right panel: nothing overlaps, and some pairs have changed.",
            points,
            panels: vec![
                plain(
                    nth(looks, Stage::Priced, 0)?,
                    "The best pairing on the candidates",
                    false,
                ),
                plain(
                    last(looks, Stage::Priced, false)?,
                    "The optimum of all pairs",
                    false,
                ),
            ],
            legend: &[Key::Disc, Key::Moat, Key::Pair, Key::Violated, Key::Tight],
        },
    ])
}
