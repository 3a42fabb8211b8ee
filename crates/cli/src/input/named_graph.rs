//! Graphs of named vertices from CSV: pairs with a weight each, or players whose ratings say what a pair costs.

use std::collections::HashMap;

use super::case_twins::case_twins;
use super::columns::{PLAYERS, missing, named, plain, twin};
use super::csv::Table;
use super::names::Names;
use super::numbers::finite;
use super::players::PlayerColumns;
use super::rows::{Fault, RowError};
use super::source::Source;
use super::unused::Unused;
use crate::failure::{Failure, shown, tell};

/// What columns can mean: of pairs, and of players.
const MEANINGS: [&str; 5] = ["player1", "player2", "weight", "id", "skill"];
/// What the ends of an edge are called elsewhere, besides two players.
const ENDS: [[&str; 2]; 5] = [
    ["i", "j"],
    ["source", "target"],
    ["from", "to"],
    ["u", "v"],
    ["a", "b"],
];
const WEIGHTS: [&str; 4] = ["weight", "cost", "distance", "value"];

/// Differences of ratings up to here stay finite when they are squared.
const GREATEST_RATING: f64 = 1e150;

/// The user's own names for columns of a graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct GraphColumns {
    named: Vec<(&'static str, String)>,
}

impl GraphColumns {
    /// Reads `player1=from,player2=to,weight=cost` or `id=player,skill=rating`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
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

    /// Where name and rating stand, if this is a list of players.
    fn of_players(&self, header: &[String]) -> Option<[usize; 2]> {
        let given = ["id", "skill"].into_iter();
        let given = given.filter_map(|meaning| Some(format!("{meaning}={}", self.explicit(meaning)?)));
        let columns = PlayerColumns::parse(&given.collect::<Vec<_>>().join(",")).ok()?;
        let meanings = columns.meanings(header);
        let place = |wanted: &str| {
            meanings
                .iter()
                .position(|meaning| meaning.as_deref() == Some(wanted))
        };
        Some([place("id")?, place("skill")?])
    }
}

/// A graph whose vertices have names, in the order in which they first appear.
pub(crate) struct NamedGraph {
    pub(crate) names: Vec<String>,
    pub(crate) form: GraphForm,
    /// Columns that nothing looks at.
    pub(crate) unused: Vec<String>,
}

/// What is known of the pairs of a [`NamedGraph`].
pub(crate) enum GraphForm {
    /// Those that there are, with weights, and the line of each.
    Pairs(Vec<(usize, usize, f64)>, Vec<u64>),
    /// A rating of each vertex: every pair is possible, and costs the difference of the ratings.
    Ratings(Vec<f64>),
}

/// Reads a graph from CSV.
pub(crate) fn read_named_graph(
    source: &Source,
    columns: &GraphColumns,
    as_written: bool,
) -> Result<NamedGraph, Failure> {
    let graph = read(&source.text, columns, as_written).map_err(|error| source.name.in_row(error))?;
    if let Some(twins) = case_twins("players", graph.names.iter().map(String::as_str)) {
        tell(&twins);
    }
    Ok(graph)
}

fn read(text: &[u8], columns: &GraphColumns, as_written: bool) -> Result<NamedGraph, RowError> {
    let checked = Names::new(as_written, Some("write a row for each pair of two".to_owned()));
    let table = Table::open(text, "pair or player")?;
    let header = &table.header;
    if let Some(what) = missing(&columns.named, header) {
        return Err(RowError::new(table.records.line(), (1, what)));
    }
    let check = |places: &[usize]| match twin(header, |place| places.contains(&place), &columns.named) {
        None => Ok(()),
        Some((place, what)) => Err(RowError::new(table.records.line(), (place as u64 + 1, what))),
    };
    let all_but = |places: &[usize]| {
        let unused = Unused::default();
        unused.add_all_but(header, places);
        unused.names()
    };
    if let Some(places) = columns.of_pairs(header) {
        check(&places)?;
        let unused = all_but(&places);
        return Ok(NamedGraph {
            unused,
            ..pairs(table, places, &checked)?
        });
    }
    if let Some(places) = columns.of_players(header) {
        check(&places)?;
        let unused = all_but(&places);
        return Ok(NamedGraph {
            unused,
            ..players(table, places, &checked)?
        });
    }
    let what = format!(
        "neither pairs with weights nor players with ratings. The file has: {}. Name its columns: of pairs with --columns \
         player1=COLUMN,player2=COLUMN,weight=COLUMN, of players with --columns id=COLUMN,skill=COLUMN",
        shown(&header.join(", "))
    );
    Err(RowError::new(table.records.line(), (1, what)))
}

fn pairs(
    mut table: Table<'_>,
    [one, two, weight]: [usize; 3],
    checked: &Names,
) -> Result<NamedGraph, RowError> {
    let mut vertices: HashMap<String, usize> = HashMap::new();
    let mut names = Vec::new();
    let (mut edges, mut lines) = (Vec::new(), Vec::new());
    while let Some(line) = table.advance()? {
        let mut vertex = |place: usize| -> Result<usize, Fault> {
            let name = name(&table, place, checked)?;
            if let Some(known) = vertices.get(name) {
                return Ok(*known);
            }
            vertices.insert(name.to_owned(), names.len());
            names.push(name.to_owned());
            Ok(names.len() - 1)
        };
        let mut edge = || Ok((vertex(one)?, vertex(two)?, number(&table, weight)?));
        edges.push(edge().map_err(|fault| RowError::new(line, fault))?);
        lines.push(line);
    }
    Ok(NamedGraph {
        names,
        form: GraphForm::Pairs(edges, lines),
        unused: Vec::new(),
    })
}

fn players(mut table: Table<'_>, [id, skill]: [usize; 2], checked: &Names) -> Result<NamedGraph, RowError> {
    let mut seen: HashMap<String, u64> = HashMap::new();
    let (mut names, mut ratings) = (Vec::new(), Vec::new());
    while let Some(line) = table.advance()? {
        let refuse = |fault| RowError::new(line, fault);
        let name = name(&table, id, checked).map_err(refuse)?;
        if let Some(first) = seen.insert(name.to_owned(), line) {
            let name = shown(name);
            let what = format!("player `{name}` is there twice, first in line {first}: names must differ");
            return Err(refuse((id as u64 + 1, what)));
        }
        names.push(name.to_owned());
        let rating = number(&table, skill).map_err(refuse)?;
        if rating.abs() > GREATEST_RATING {
            let what = format!("{} is beyond 10^150 either way", table.header[skill]);
            return Err(refuse((skill as u64 + 1, what)));
        }
        ratings.push(rating);
    }
    Ok(NamedGraph {
        names,
        form: GraphForm::Ratings(ratings),
        unused: Vec::new(),
    })
}

fn name<'a>(table: &'a Table<'_>, place: usize, checked: &Names) -> Result<&'a str, Fault> {
    let name = table.records.field(place)?;
    if name.is_empty() {
        let what = format!("{} is empty; every vertex needs a name", table.header[place]);
        return Err((place as u64 + 1, what));
    }
    let is_one = checked.check(name);
    is_one.map_err(|what| (place as u64 + 1, format!("{} is {what}", table.header[place])))?;
    Ok(name)
}

fn number(table: &Table<'_>, place: usize) -> Result<f64, Fault> {
    let text = table.records.field(place)?;
    finite(text).map_err(|what| {
        let what = format!("{} is `{}`; {what}", table.header[place], shown(text));
        (place as u64 + 1, what)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(columns: &str, text: &str) -> Result<NamedGraph, RowError> {
        read(text.as_bytes(), &GraphColumns::parse(columns).unwrap(), false)
    }

    #[test]
    fn pairs_and_players_are_told_apart_by_their_columns() {
        let graph = found("", "source;target;note;cost\nann;bob;x;1.5\nbob;cyd;;-2\n").unwrap();
        assert_eq!(graph.names, ["ann", "bob", "cyd"]);
        assert!(matches!(graph.form, GraphForm::Pairs(edges, lines)
            if edges == [(0, 1, 1.5), (1, 2, -2.0)] && lines == [2, 3]));
        let graph = found("", "player,rating,deviation\nann,1500.5,30\nbob,1400,80\n").unwrap();
        assert_eq!(graph.names, ["ann", "bob"]);
        assert!(matches!(graph.form, GraphForm::Ratings(ratings) if ratings == [1500.5, 1400.0]));
        let graph = found("id=nick,skill=low95", "nick,rating,low95\nann,1500,1440\n").unwrap();
        assert!(matches!(graph.form, GraphForm::Ratings(ratings) if ratings == [1440.0]));
    }

    #[test]
    fn what_is_neither_and_bad_cells_are_refused_at_their_place() {
        for (columns, text, place, what) in [
            ("", "a;b;c\n1;2;3\n", (1, 1), "player1=COLUMN"),
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
