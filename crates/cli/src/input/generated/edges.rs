//! Graphs: edge lists of numbered vertices, and tables of named ones.

use std::fmt::Write as _;

use matchwright_solver::CostOracle;

use super::sheet::{Cell, Sheet, twin};
use super::{Case, Dice, NOBODY};
use crate::graph::{GraphOptions, read_graph};
use crate::input::source::Source;

/// Both ends and the weight.
type Edge = (usize, usize, f64);

pub(super) fn case(dice: &mut Dice) -> Case {
    let vertices = 2 + dice.below(4);
    let mut edges: Vec<Edge> = Vec::new();
    // Each vertex has an edge, in the order of their numbers.
    for j in 1..vertices {
        let i = if j == 1 { 0 } else { dice.below(j) };
        edges.push((
            i,
            j,
            [-2.5, 0.0, 7.0, 1e300, 9_007_199_254_740_992.0][dice.below(5)],
        ));
    }
    let (text, damage) = if dice.one_in(2) {
        list(dice, vertices, &edges)
    } else {
        table(dice, &edges)
    };
    let read =
        Source::of_text(text.as_bytes()).and_then(|source| read_graph(&source, &GraphOptions::default()));
    let read = read.map(|graph| {
        let is_meant = |(i, j, weight): &Edge| graph.costs.cost(*i, *j) == Some(*weight);
        graph.edges == edges.len() && graph.costs.vertices() == vertices && edges.iter().all(is_meant)
    });
    Case {
        text,
        damage,
        read: read.map_err(|failure| failure.to_string()),
    }
}

fn weight(dice: &mut Dice, weight: f64) -> String {
    match dice.below(2) {
        0 => format!("{weight:e}"),
        _ if weight == 1e300 => "1e300".to_owned(),
        _ => weight.to_string(),
    }
}

const LOST: [&str; 4] = [
    "9007199254740993",
    "-9007199254740993",
    "9007199254740993.0",
    "9.007199254740993e15",
];

fn list(dice: &mut Dice, vertices: usize, edges: &[Edge]) -> (String, Option<&'static str>) {
    let mut rows: Vec<[String; 3]> = (edges.iter())
        .map(|(i, j, cost)| [i.to_string(), j.to_string(), weight(dice, *cost)])
        .collect();
    let damage = dice.one_in(2).then(|| dice.below(6));
    let row = dice.below(rows.len());
    let mut promised = rows.len();
    let damage = match damage {
        Some(0) => {
            let mut again = rows[row].clone();
            again.swap(0, 1);
            rows.push(again);
            promised += 1;
            Some("an edge twice")
        }
        Some(1) => {
            rows[row][2] = LOST[dice.below(4)].to_owned();
            Some("digits")
        }
        Some(2) => {
            rows[row][dice.below(3)] = "x".to_owned();
            Some("a cell")
        }
        Some(3) => {
            rows[row][1] = vertices.to_string();
            Some("a vertex too many")
        }
        Some(4) => {
            promised += 1;
            Some("another number of edges")
        }
        Some(5) => {
            rows[row][1] = rows[row][0].clone();
            Some("a loop")
        }
        _ => None,
    };
    let mut text = format!("{vertices} {promised}\n");
    for row in rows {
        let end = dice.pick(&["\n", "  \n", "\r\n", "\n# x\n\n"]);
        let _ = write!(text, "{}{end}", row.join(dice.pick(&[" ", "  "])));
    }
    (text, damage)
}

fn table(dice: &mut Dice, edges: &[Edge]) -> (String, Option<&'static str>) {
    let mut sheet = Sheet::default();
    let names = dice.pick(&[
        &["player1", "player2"],
        &["source", "target"],
        &["From", "To"],
        &["i", "j"],
    ]);
    let ends: [fn(&Edge) -> usize; 2] = [|edge| edge.0, |edge| edge.1];
    for (name, end) in names.iter().zip(ends) {
        sheet.add(
            *name,
            edges.iter().map(|edge| Cell::text(format!("v {}", end(edge)))),
        );
    }
    let cost = dice.pick(&["weight", "Cost", "distance"]);
    let cells: Vec<Cell> = edges
        .iter()
        .map(|edge| Cell::number(weight(dice, edge.2)))
        .collect();
    sheet.add(cost, cells);
    if dice.one_in(3) {
        sheet.add("note", edges.iter().map(|_| Cell::text("x")));
    }
    let damage = dice.one_in(2).then(|| dice.below(8));
    let row = dice.below(edges.len());
    let place = dice.below(3);
    let damage = match damage {
        Some(0) => {
            let name = sheet.names[place].clone();
            sheet.repeat(place, &name);
            Some("a column twice")
        }
        Some(1) => {
            let name = twin(&sheet.names[place]);
            sheet.repeat(place, &name);
            Some("a column twice but for case")
        }
        Some(2) => {
            sheet.rows[row][2] = Cell::number(LOST[dice.below(4)]);
            Some("digits")
        }
        Some(3) => {
            sheet.rows[row][place] = Cell::text(if place == 2 { "far" } else { "" });
            Some("a cell")
        }
        Some(4) => {
            sheet.rows[row].pop();
            Some("a short row")
        }
        Some(5) => {
            let again = sheet.rows[row].clone();
            sheet.rows.push(again);
            Some("an edge twice")
        }
        Some(6) => {
            sheet.rows[row][dice.below(2)] = Cell::text(dice.pick(&NOBODY));
            Some("nobody")
        }
        Some(7) => {
            sheet.rows[row][dice.below(2)].csv += dice.pick(&[";hal", "|hal", ",hal"]);
            Some("a list")
        }
        _ => None,
    };
    if damage != Some("a short row") {
        sheet.shuffle(dice);
    }
    (sheet.csv(dice), damage)
}
