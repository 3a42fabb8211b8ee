//! Which pictures there are, and of which steps.

use anyhow::{Context, Result};
use matchwright_solver::Stage;

use super::draw::{Figure, Panel};
use super::legend::{
    CANDIDATE, CYCLE, DISC, EXPOSED, INNER, Key, MOAT, NEGATIVE, OUTER, PAIR, TIGHT, VIOLATED,
};
use super::look::{Look, watch};
use super::points::Points;

/// What pictures of trees have to explain.
const TREES: &[Key] = &[OUTER, INNER, DISC, MOAT, PAIR, TIGHT, EXPOSED];

/// Every picture: file and contents.
pub(crate) fn draw_all() -> Result<Vec<(String, String)>> {
    let triangles = Solve::of(Points::two_triangles(), false)?;
    let few = Solve::of(Points::few(), false)?;
    let many = Solve::of(Points::many(), true)?;
    let mut figures = vec![odd_sets(&triangles)?];
    figures.extend(fractional(&few)?);
    figures.extend(trees(&few)?);
    figures.extend(large(&many)?);
    let svg = |figure: &Figure<'_>| (format!("{}.svg", figure.name), figure.to_svg());
    Ok(figures.iter().map(svg).collect())
}

/// Points, and the looks at the solve of their pairing.
struct Solve {
    points: Points,
    looks: Vec<Look>,
}

impl Solve {
    fn of(points: Points, as_matrix: bool) -> Result<Self> {
        let looks = watch(&points, as_matrix)?;
        Ok(Self { points, looks })
    }

    /// The looks of a stage: of the whole graph, or of samples.
    fn stage(&self, stage: Stage, of_sample: bool) -> impl DoubleEndedIterator<Item = &Look> {
        let of_stage = move |look: &&Look| look.stage == stage && look.is_sample == of_sample;
        self.looks.iter().filter(of_stage)
    }

    /// The look at this place among those of a stage of the whole graph.
    fn nth(&self, stage: Stage, place: usize, caption: &'static str) -> Result<Panel<'_>> {
        panel(self.stage(stage, false).nth(place), caption)
    }

    /// The end of a tree of the blossom stage.
    fn tree(&self, place: usize, caption: &'static str) -> Result<Panel<'_>> {
        self.nth(Stage::Blossoms, place, caption)
    }

    /// The last look of a stage of the whole graph.
    fn last(&self, stage: Stage, caption: &'static str) -> Result<Panel<'_>> {
        panel(self.stage(stage, false).next_back(), caption)
    }
}

/// With numbers where there are few points, without candidates.
fn panel<'a>(look: Option<&'a Look>, caption: &'static str) -> Result<Panel<'a>> {
    let look = look.with_context(|| format!("the solve has no look for `{caption}`: choose other points"))?;
    Ok(Panel {
        look,
        caption,
        candidates: false,
        numbers: look.radii.len() < 100,
    })
}

fn odd_sets(solve: &Solve) -> Result<Figure<'_>> {
    Ok(Figure {
        name: "odd-sets",
        title: "Two triangles: what discs cannot pay for, moats can",
        description: "Six points, three on the left and three on the right. Left panel: six discs, those of a triangle \
                      touch each other; the edges of both triangles count one half each. Right panel: the same discs, \
                      and a moat around each triangle; the moats touch where vertices 2 and 3 are paired. 0 and 1 are \
                      paired, and 4 and 5.",
        points: &solve.points,
        panels: vec![
            solve.last(Stage::Fractional, "Discs alone: the best is half of every edge")?,
            solve.last(Stage::Priced, "Discs and moats: a pairing that costs their sum")?,
        ],
        legend: &[DISC, MOAT, PAIR, CYCLE, TIGHT],
    })
}

fn fractional(solve: &Solve) -> Result<Vec<Figure<'_>>> {
    Ok(vec![
        Figure {
            name: "first-duals",
            title: "The first duals, and the first pairs",
            description: "28 points. Left panel: around each a disc of half the distance to its nearest neighbour; \
                          discs of mutual neighbours touch. Right panel: larger discs, most points paired, one odd \
                          cycle through 2, 18 and 4, five exposed vertices.",
            points: &solve.points,
            panels: vec![
                solve.nth(Stage::Start, 0, "Start: half the distance to the nearest")?,
                solve.nth(Stage::Fractional, 0, "After raising, bidding and one tree")?,
            ],
            legend: &[DISC, PAIR, CYCLE, TIGHT, EXPOSED],
        },
        Figure {
            name: "fractional-optimum",
            title: "The fractional optimum: pairs, and odd cycles that count one half",
            description: "28 points with discs that touch along pairs and cycles: five pairs, and six triangles whose \
                          edges count one half each.",
            points: &solve.points,
            panels: vec![solve.last(Stage::Fractional, "No vertex is exposed, and no discs overlap")?],
            legend: &[DISC, PAIR, CYCLE, TIGHT],
        },
    ])
}

fn trees(solve: &Solve) -> Result<Vec<Figure<'_>>> {
    Ok(vec![
        Figure {
            name: "blossoms",
            title: "Blossoms: odd cycles of touching discs get a moat",
            description: "Left panel: the tree of vertex 1. The cycle 1, 13, 19 has a narrow moat, and around it, 6 \
                          and 21 lies a second one. Right panel: the tree of vertex 2. The cycle 2, 4, 18 has a \
                          moat, which touches no other disc.",
            points: &solve.points,
            panels: vec![
                solve.tree(0, "Tree 1, from vertex 1: a blossom in a blossom")?,
                solve.tree(1, "Tree 2, from vertex 2: another blossom")?,
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
            points: &solve.points,
            panels: vec![
                solve.tree(2, "Tree 3, from 9: it meets the exposed vertex 16")?,
                solve.tree(3, "Tree 4, from 10: it meets the blossom of 1")?,
            ],
            legend: TREES,
        },
        Figure {
            name: "expansion",
            title: "One tree, and every kind of event",
            description: "The tree of vertex 15, with 15 outer and 8 inner vertices. Its root is the blossom 15, 20, 22. \
                      One branch leads over 25, 17 and 10, no longer a blossom, to the outer blossom 1, 6, 13, 19, \
                      21. The other leads through the inner blossom 9, 11, 14 over 8, 5, 23 and 3 to the new \
                      blossom 16, 24, 26, and on over 0 to 7.",
            points: &solve.points,
            panels: vec![solve.tree(4, "Tree 5, from vertex 15, paused at its limit")?],
            legend: TREES,
        },
        Figure {
            name: "optimum",
            title: "The last tree, and the optimum with its proof",
            description: "Left panel: the tree of vertex 2. Its moat touches that of the inner blossom 1, 6, 13, 19, 21; \
                      from there the path leads over 10, 17 and 25 to the blossom of the exposed vertex 15. Right \
                      panel: all 28 points are paired. Along every pair discs and moats touch; nowhere do they \
                      overlap; every moat is crossed by one pair.",
            points: &solve.points,
            panels: vec![
                solve.tree(5, "Tree 6, from 2: it meets the blossom of 15")?,
                solve.last(Stage::Priced, "The optimum: it costs what discs and moats sum to")?,
            ],
            legend: TREES,
        },
    ])
}

fn large(solve: &Solve) -> Result<Vec<Figure<'_>>> {
    Ok(vec![
        Figure {
            name: "sample",
            title: "A sample tells the duals, and these the candidates",
            description: "120 points. Left panel: half of them, with discs, paired or on odd cycles. Right panel: all \
                          have duals, some negative, some discs overlap; thin lines are the candidates, mostly \
                          short.",
            points: &solve.points,
            panels: vec![
                panel(
                    solve.stage(Stage::Fractional, true).next_back(),
                    "The fractional optimum of the sample",
                )?,
                Panel {
                    candidates: true,
                    ..solve.nth(Stage::Start, 0, "Duals for all, and the candidates")?
                },
            ],
            legend: &[DISC, NEGATIVE, PAIR, CYCLE, CANDIDATE],
        },
        Figure {
            name: "pricing",
            title: "Pricing: where discs or moats overlap, a pair was missing",
            description: "120 points, all paired. Left panel: a few discs and moats overlap; the pairs across are \
                          marked as violated. Right panel: nothing overlaps, and some pairs have changed.",
            points: &solve.points,
            panels: vec![
                solve.nth(Stage::Priced, 0, "The best pairing on the candidates")?,
                solve.last(Stage::Priced, "The optimum of all pairs")?,
            ],
            legend: &[DISC, MOAT, PAIR, VIOLATED, TIGHT],
        },
    ])
}
