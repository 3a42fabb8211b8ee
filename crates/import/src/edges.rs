//! Edges between named vertices: pairs with a weight each, or players whose ratings or points say what a pair costs.

use std::borrow::Cow;
use std::cell::Cell as Flag;
use std::collections::HashMap;

use serde_json::Value as Json;

use crate::cell::case_twins::case_twins;
use crate::cell::decimals::{Decimals, PLAIN};
use crate::cell::names::Names;
use crate::cell::numbers::finite;
use crate::column_names::{Named, named, plain};
use crate::error::{Fault, ImportError, RowError};
use crate::input::Source;
use crate::matches::Report;
use crate::matches::columns::PLAYERS;
use crate::players::PlayerColumns;
use crate::row::{Cell, Layout, Row, Rows};
use crate::text::shown;

/// What columns can mean: of pairs, and of players.
const MEANINGS: [&str; 8] = ["player1", "player2", "weight", "id", "skill", "x", "y", "z"];
/// What the ends of an edge are called elsewhere, besides two players.
const ENDS: [[&str; 2]; 5] = [
    ["i", "j"],
    ["source", "target"],
    ["from", "to"],
    ["u", "v"],
    ["a", "b"],
];
const WEIGHTS: [&str; 4] = ["weight", "cost", "distance", "value"];

/// Differences of numbers up to here stay finite when they are squared.
const GREATEST: f64 = 1e150;

/// The user's own names for columns of a graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EdgeColumns {
    named: Named,
}

impl EdgeColumns {
    /// Reads `player1=from,player2=to,weight=cost`, `id=player,skill=rating` or `id=player,x=east,y=north`.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn parse(text: &str) -> Result<Self, String> {
        Ok(Self {
            named: named(text, &MEANINGS)?,
        })
    }

    fn explicit(&self, meaning: &str) -> Option<&str> {
        let given = self.named.iter().find(|(known, _)| *known == meaning);
        given.map(|(_, name)| name.as_str())
    }

    /// Where both ends and the weight stand, if this is a list of pairs.
    fn of_pairs(&self, header: &[String]) -> Option<[usize; 3]> {
        let exact = |name: &str| header.iter().position(|known| known == name);
        let called = |name: &str| header.iter().position(|known| plain(known) == name);
        let pair = |family: &[&str; 2]| Some([called(family[0])?, called(family[1])?]);
        let [one, two] = match (self.explicit("player1"), self.explicit("player2")) {
            (None, None) => PLAYERS.iter().chain(&ENDS).find_map(pair)?,
            (one, two) => [exact(one.unwrap_or("player1"))?, exact(two.unwrap_or("player2"))?],
        };
        let weight = match self.explicit("weight") {
            Some(name) => exact(name)?,
            None => WEIGHTS.iter().find_map(|name| called(name))?,
        };
        Some([one, two, weight])
    }

    /// Where the coordinates stand, if this is a list of points.
    fn of_points(&self, header: &[String]) -> Option<Vec<usize>> {
        if self.explicit("skill").is_some() {
            return None;
        }
        let place = |axis: &str| match self.explicit(axis) {
            Some(name) => header.iter().position(|known| known == name),
            None => header.iter().position(|known| plain(known) == axis),
        };
        Some([place("x")?, place("y")?].into_iter().chain(place("z")).collect())
    }

    /// Whether a list has points and ratings, and nothing says which counts.
    fn is_open(&self, header: &[String]) -> bool {
        let is_said = AXES.iter().any(|axis| self.explicit(axis).is_some());
        !is_said
            && self.of_points(header).is_some()
            && self.of_players(header).is_some_and(|[_, skill]| skill.is_some())
    }

    /// Where the name stands, and the rating if there is one, if this is a list of players.
    fn of_players(&self, header: &[String]) -> Option<[Option<usize>; 2]> {
        let given = ["id", "skill"].into_iter();
        let given = given.filter_map(|meaning| Some(format!("{meaning}={}", self.explicit(meaning)?)));
        let columns = PlayerColumns::parse(&given.collect::<Vec<_>>().join(",")).ok()?;
        let meanings = columns.meanings_of(header);
        let place = |wanted: &str| {
            meanings
                .iter()
                .position(|meaning| meaning.as_deref() == Some(wanted))
        };
        Some([Some(place("id")?), place("skill")])
    }
}

impl Layout for EdgeColumns {
    const THING: &'static str = "pair or player";

    fn named(&self) -> &[(&'static str, String)] {
        &self.named
    }

    fn meanings(&self, names: &[String]) -> Vec<Option<String>> {
        let mut meanings = vec![None; names.len()];
        let mut mean = |places: &[usize], known: &[&str]| {
            for (place, meaning) in places.iter().zip(known) {
                meanings[*place] = Some((*meaning).to_owned());
            }
        };
        if let Some(places) = self.of_pairs(names) {
            mean(&places, &PAIR);
        } else if let Some([Some(id), skill]) = self.of_players(names).filter(|_| !self.is_open(names)) {
            match (self.of_points(names), skill) {
                (Some(places), _) => {
                    mean(&[id], &["id"]);
                    mean(&places, &AXES);
                }
                (None, Some(skill)) => mean(&[id, skill], &RATED),
                (None, None) => {}
            }
        }
        meanings
    }

    fn lacking(&self, names: &[String], meanings: &[Option<String>]) -> Option<String> {
        let has_any = meanings.iter().any(Option::is_some);
        if !has_any && self.is_open(names) {
            return Some(
                "both ratings and points. Say which count: --columns skill=COLUMN, or --columns x=COLUMN,y=COLUMN"
                    .to_owned(),
            );
        }
        (!has_any).then(|| {
            format!(
                "neither pairs with weights nor players with ratings or points. The file has: {}. Name its columns: of pairs \
                 with --columns player1=COLUMN,player2=COLUMN,weight=COLUMN, of players with --columns id=COLUMN,skill=COLUMN, \
                 of points with --columns id=COLUMN,x=COLUMN,y=COLUMN",
                shown(&names.join(", "))
            )
        })
    }
}

/// What a row of a pair, or of a player, has.
const PAIR: [&str; 3] = ["player1", "player2", "weight"];
const RATED: [&str; 2] = ["id", "skill"];
/// The coordinates of a point, of which the last may be missing.
const AXES: [&str; 3] = ["x", "y", "z"];

/// How a file of edges is read.
#[derive(Clone, Debug, Default)]
pub struct EdgeOptions {
    /// Which column means what, where names do not tell.
    pub columns: EdgeColumns,
    /// Each name is that of one player, whatever it looks like.
    pub names_as_written: bool,
}

/// A graph whose vertices have names, in the order in which they first appear.
#[derive(Clone, Debug)]
pub struct Edges {
    /// The names of the vertices.
    pub names: Vec<String>,
    /// What is known of their pairs.
    pub form: EdgeForm,
    /// What was found besides.
    pub report: Report,
}

/// What is known of the pairs of vertices.
#[derive(Clone, Debug, PartialEq)]
pub enum EdgeForm {
    /// Those that there are.
    Pairs(Vec<Edge>),
    /// A rating of each vertex, within 1e150 of 0: every pair is possible, and costs the difference of the ratings.
    Ratings(Vec<f64>),
    /// A point of each vertex: every pair is possible, and costs their distance.
    Points {
        /// Coordinates of a point, 2 or 3.
        dimensions: usize,
        /// Point after point, within 1e150 of 0.
        coordinates: Vec<f64>,
    },
}

/// An edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// The numbers of both vertices, from 0.
    pub ends: [usize; 2],
    /// Finite, in whatever unit the file has.
    pub weight: f64,
    /// The line of the file that it begins on, from 1.
    pub line: u64,
}

impl Edges {
    /// Reads all edges of a source, or all rated players or points. O(bytes).
    ///
    /// # Errors
    /// [`ImportError`] with line and column of what cannot be used.
    pub fn of(source: &Source, options: &EdgeOptions) -> Result<Self, ImportError> {
        read(source, options).map_err(|error| source.name().in_row(error))
    }
}

/// Reads numbers as they are, and all once more where there are commas in some: what these are, all tell together.
fn read(source: &Source, options: &EdgeOptions) -> Result<Edges, RowError> {
    let has_commas = Flag::new(false);
    let read = read_numbers(source, options, |text| {
        has_commas.set(has_commas.get() || text.contains(','));
        Ok(text.into())
    });
    match read {
        Err(_) if has_commas.get() => {
            let decimals = decimals(source, options)?;
            let open = |what| format!("{what} {PLAIN}");
            let mut edges = read_numbers(source, options, |text| decimals.plain(text.into()).map_err(open))?;
            edges.report.notes.extend(decimals.note());
            Ok(edges)
        }
        read => read,
    }
}

/// What commas are in the numbers of a table.
fn decimals(source: &Source, options: &EdgeOptions) -> Result<Decimals, RowError> {
    let mut decimals = Decimals::default();
    let mut file = Rows::open(source.rows(), &options.columns)?;
    // Dropped: bad rows are refused where they are read.
    while let Ok(Some(row)) = file.advance() {
        let meanings = ["weight", "skill"].into_iter().chain(AXES);
        let numbers = meanings.filter_map(|meaning| row.cell(meaning));
        numbers
            .filter_map(|cell| cell.value.as_str())
            .for_each(|text| decimals.add(text));
    }
    Ok(decimals)
}

fn read_numbers(
    source: &Source,
    options: &EdgeOptions,
    plain: impl Fn(&str) -> Result<Cow<'_, str>, String>,
) -> Result<Edges, RowError> {
    let several = Some("write a row for each pair of two".to_owned());
    let checked = Names::new(options.names_as_written, several);
    let mut file = Rows::open(source.rows(), &options.columns)?;
    let mut vertices = Vertices::default();
    let (mut pairs, mut ratings) = (Vec::new(), Vec::new());
    // Of points, which the first row tells.
    let mut axes: &[&str] = &[];
    while let Some(row) = file.advance()? {
        let refuse = |fault| RowError::new(row.line, fault);
        let cell = |meaning| cell(&row, meaning, &file).map_err(refuse);
        let number = |cell| number(cell, row.is_csv, &plain).map_err(refuse);
        let is_pair = ["player1", "player2", "weight"]
            .iter()
            .any(|meaning| row.cell(meaning).is_some());
        if ratings.is_empty() && (is_pair || !pairs.is_empty() || file.column("weight").is_some()) {
            let mut end = |meaning| {
                let name = name(cell(meaning)?, &checked).map_err(refuse)?;
                Ok::<_, RowError>(vertices.find(name, row.line).0)
            };
            pairs.push(Edge {
                ends: [end("player1")?, end("player2")?],
                weight: number(cell("weight")?)?,
                line: row.line,
            });
            continue;
        }
        let id = cell("id")?;
        let known = vertices.find(name(id, &checked).map_err(refuse)?, row.line);
        if let (place, Some(first)) = known {
            let name = shown(&vertices.names[place]);
            let what = format!("player `{name}` is there twice, first in line {first}: names must differ");
            return Err(refuse((id.column, what)));
        }
        let has = |axis| row.cell(axis).is_some() || file.column(axis).is_some();
        if ratings.is_empty() && has("x") {
            axes = if has("z") { &AXES } else { &AXES[..2] };
        } else if let Some(z) = row.cell("z").filter(|_| axes.len() == 2) {
            return Err(refuse((
                z.column,
                format!("{} is there, and was not in the first row", z.name),
            )));
        }
        for meaning in if axes.is_empty() { &["skill"][..] } else { axes } {
            let cell = cell(meaning)?;
            let value = number(cell)?;
            if value.abs() > GREATEST {
                let what = format!("{} is beyond 10^150 either way", cell.name);
                return Err(refuse((cell.column, what)));
            }
            ratings.push(value);
        }
    }
    let (unused, taken) = (file.taken.unused(), file.taken.used());
    let notes = case_twins("players", vertices.names.iter().map(String::as_str));
    Ok(Edges {
        names: vertices.names,
        form: match (ratings.is_empty(), axes.len()) {
            (true, _) => EdgeForm::Pairs(pairs),
            (false, 0) => EdgeForm::Ratings(ratings),
            (false, dimensions) => EdgeForm::Points {
                dimensions,
                coordinates: ratings,
            },
        },
        report: Report {
            taken,
            skipped: 0,
            unused,
            notes: notes.into_iter().collect(),
            ..Report::default()
        },
    })
}

/// The vertices so far.
#[derive(Default)]
struct Vertices {
    /// The number of each, and the line where it appears first.
    known: HashMap<String, (usize, u64)>,
    names: Vec<String>,
}

impl Vertices {
    /// The number of a vertex, and where it was before.
    fn find(&mut self, name: &str, line: u64) -> (usize, Option<u64>) {
        if let Some((place, first)) = self.known.get(name) {
            return (*place, Some(*first));
        }
        let place = self.names.len();
        self.known.insert(name.to_owned(), (place, line));
        self.names.push(name.to_owned());
        (place, None)
    }
}

/// The cell with a meaning.
fn cell<'r>(row: &'r Row, meaning: &str, file: &Rows<'_, EdgeColumns>) -> Result<&'r Cell, Fault> {
    row.cell(meaning).ok_or_else(|| {
        let what = "every vertex needs a name, and every row a number";
        match file.column(meaning) {
            Some((name, column)) => (column, format!("{name} is empty; {what}")),
            None => (1, format!("the row has no {meaning}; {what}")),
        }
    })
}

fn name<'r>(cell: &'r Cell, checked: &Names) -> Result<&'r str, Fault> {
    let Json::String(name) = &cell.value else {
        return Err(cell.refuse(&format!(
            "`{}`; a name goes in quotes",
            shown(&cell.value.to_string())
        )));
    };
    let is_one = checked.check(name);
    is_one.map_err(|what| (cell.column, format!("{} is {what}", cell.name)))?;
    Ok(name)
}

fn number(
    cell: &Cell,
    is_csv: bool,
    plain: impl Fn(&str) -> Result<Cow<'_, str>, String>,
) -> Result<f64, Fault> {
    let text: Cow<'_, str> = match &cell.value {
        Json::String(text) if is_csv => {
            plain(text).map_err(|what| cell.refuse(&format!("`{}`; {what}", shown(text))))?
        }
        Json::Number(number) => number.to_string().into(),
        other => return Err(cell.refuse(&format!("`{}`; a number is needed", shown(&other.to_string())))),
    };
    finite(&text).map_err(|what| {
        let what = format!("{} is `{}`; {what}", cell.name, shown(&text));
        (cell.column, what)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Input;

    fn found(columns: &str, text: &'static str) -> Result<Edges, RowError> {
        let source = Source::read(Input::new("text", text.as_bytes())).unwrap();
        let columns = EdgeColumns::parse(columns).unwrap();
        read(
            &source,
            &EdgeOptions {
                columns,
                names_as_written: false,
            },
        )
    }

    #[test]
    fn pairs_and_players_are_told_apart_by_their_columns() {
        let graph = found("", "source;target;note;cost\nann;bob;x;1.5\nbob;cyd;;-2\n").unwrap();
        assert_eq!(graph.names, ["ann", "bob", "cyd"]);
        let edge = |ends, weight, line| Edge { ends, weight, line };
        let edges = vec![edge([0, 1], 1.5, 2), edge([1, 2], -2.0, 3)];
        assert_eq!(graph.form, EdgeForm::Pairs(edges.clone()));
        let graph = found(
            "",
            "[{\"from\":\"ann\",\"to\":\"bob\",\"cost\":1.5},\n{\"from\":\"bob\",\"to\":\"cyd\",\"cost\":-2}]",
        );
        let graph = graph.unwrap();
        assert_eq!(graph.names, ["ann", "bob", "cyd"]);
        let edges = vec![edge([0, 1], 1.5, 1), edge([1, 2], -2.0, 2)];
        assert_eq!(graph.form, EdgeForm::Pairs(edges));
        let graph = found("", "player,rating,deviation\nann,1500.5,30\nbob,1400,80\n").unwrap();
        assert_eq!(graph.names, ["ann", "bob"]);
        assert!(matches!(graph.form, EdgeForm::Ratings(ratings) if ratings == [1500.5, 1400.0]));
        let graph = found("", "player;rating\nann;1.500,5\nbob;1.400\n").unwrap();
        assert!(matches!(graph.form, EdgeForm::Ratings(ratings) if ratings == [1500.5, 1400.0]));
        assert_eq!(graph.report.notes, ["commas in numbers are decimal"]);
        let graph = found("id=nick,skill=low95", "nick,rating,low95\nann,1500,1440\n").unwrap();
        assert!(matches!(graph.form, EdgeForm::Ratings(ratings) if ratings == [1440.0]));
        let text = "id,x,y,rating\nann,1,2.5,1500\nbob,-3,4,1400\n";
        let graph = found("skill=rating", text).unwrap();
        assert!(matches!(graph.form, EdgeForm::Ratings(ratings) if ratings == [1500.0, 1400.0]));
        for (columns, text, wanted) in [
            ("x=x", text, (2, vec![1.0, 2.5, -3.0, 4.0])),
            (
                "",
                "name;X;Y;Z\nann;1,5;2;3\nbob;4;5;6\n",
                (3, vec![1.5, 2.0, 3.0, 4.0, 5.0, 6.0]),
            ),
            (
                "x=east,y=north",
                "player,east,north\nann,1,2\n",
                (2, vec![1.0, 2.0]),
            ),
            ("", "[{\"id\":\"ann\",\"y\":2,\"x\":1}]", (2, vec![1.0, 2.0])),
        ] {
            let EdgeForm::Points {
                dimensions,
                coordinates,
            } = found(columns, text).unwrap().form
            else {
                unreachable!("{text} is no points")
            };
            assert_eq!((dimensions, coordinates), wanted, "{text}");
        }
    }

    #[test]
    fn what_is_neither_and_bad_cells_are_refused_at_their_place() {
        for (columns, text, place, what) in [
            ("", "a;b;c\n1;2;3\n", (1, 1), "player1=COLUMN"),
            (
                "",
                "i;j;weight\nann;bob;1,500\n",
                (2, 3),
                "write a point before decimals",
            ),
            (
                "",
                "i;j;weight\nann;bob;1,5\nann;cyd;1.5\n",
                (2, 3),
                "points in others",
            ),
            ("", "i,j,weight\nann,bob,heavy\n", (2, 3), "`heavy`"),
            ("", "i,j,weight\nann,,1\n", (2, 2), "empty"),
            (
                "",
                "i,j,weight,weight\nann,bob,1,2\n",
                (1, 4),
                "two columns are called `weight`",
            ),
            ("", "i,j,Weight,weight\nann,bob,1,2\n", (1, 4), "differ in case"),
            ("", "i,j,weight\nann,bob,9007199254740993\n", (2, 3), "2^53"),
            ("", "player,rating\nann,1\n\nann,2\n", (4, 1), "first in line 2"),
            ("", "player,rating\nann,1\nbob,-1e308\n", (3, 2), "beyond 10^150"),
            ("", "player,x,y\nann,1,2\nbob,1,1e151\n", (3, 3), "beyond 10^150"),
            ("", "player,x,y\nann,1,\n", (2, 3), "empty"),
            (
                "",
                "player,x,y,elo\nann,1,2,1500\n",
                (1, 1),
                "both ratings and points",
            ),
            (
                "",
                "[{\"id\":\"ann\",\"x\":1,\"y\":2},\n{\"id\":\"bob\",\"x\":1,\"y\":2,\"z\":3}]",
                (2, 25),
                "not in the first row",
            ),
            (
                "weight=x",
                "i,j,weight\nann,bob,1\n",
                (1, 1),
                "no column `x` for the weight of --columns",
            ),
        ] {
            let Err(error) = found(columns, text) else {
                unreachable!("{text} is accepted")
            };
            assert_eq!((error.line, error.fault.0), place, "{text}: {error:?}");
            assert!(error.fault.1.contains(what), "{error:?}");
        }
    }
}
