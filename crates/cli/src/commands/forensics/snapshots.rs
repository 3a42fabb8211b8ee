//! Tables of players as snapshots of divisions.

use std::collections::HashMap;
use std::path::Path;

use matchwright_mmr_forensics::{DivisionSnapshot, ForensicsError, Member, PoolTotal, RankPoints, Unspent};

use crate::failure::Failure;
use crate::input::PastedTable;
use matchwright_import::{FoundColumn, TableColumns};

/// Divisions of a table, in the order in which they first appear.
pub(super) struct Divisions {
    pub(super) table: PastedTable,
    pub(super) all: Vec<DivisionSnapshot>,
    /// For each division the rows of its members.
    pub(super) rows: Vec<Vec<usize>>,
}

/// Reads players; league and total from the table or else from the command line. A table without a column of
/// divisions is one division.
pub(super) fn read(
    path: &Path,
    columns: &TableColumns,
    league: Option<&str>,
    total: Option<f64>,
) -> Result<Divisions, Failure> {
    let table = PastedTable::read(path, columns)?;
    let columns = Columns::find(&table, total)?;
    let mut all: Vec<DivisionSnapshot> = Vec::new();
    let mut rows: Vec<Vec<usize>> = Vec::new();
    let mut place_of: HashMap<&str, usize> = HashMap::new();
    for row in 0..table.len() {
        let division = match columns.division {
            Some(column) => table.text_or_above(row, column)?,
            None => "the division",
        };
        let place = *place_of.entry(division).or_insert(all.len());
        if place == all.len() {
            all.push(columns.begin(&table, row, division, league, total)?);
            rows.push(Vec::new());
        }
        let member = columns.member(&table, row)?;
        let standing = all[place].standing(&member);
        standing.map_err(|error| table.complain(row, columns.unspent, format!("is refused: {error}")))?;
        all[place].members.push(member);
        rows[place].push(row);
    }
    if all.is_empty() {
        return Err(table.name.refuse("the table has names of columns and no row"));
    }
    Ok(Divisions { table, all, rows })
}

/// Where what is said.
struct Columns {
    name: FoundColumn,
    points: FoundColumn,
    unspent: FoundColumn,
    wins: FoundColumn,
    losses: FoundColumn,
    total: Option<FoundColumn>,
    league: Option<FoundColumn>,
    division: Option<FoundColumn>,
}

impl Columns {
    /// A total that is given goes before that of the table, which then nothing looks at.
    fn find(table: &PastedTable, total: Option<f64>) -> Result<Self, Failure> {
        let has_total = total.is_some();
        Ok(Self {
            name: table.needed(&["name", "player", "player name"])?,
            points: table.needed(&["points", "rank points", "p"])?,
            unspent: table.needed(&["unspent", "unspent bonus pool", "bonus pool", "u"])?,
            wins: table.needed(&["wins", "won", "w"])?,
            losses: table.needed(&["losses", "lost", "l"])?,
            total: (!has_total)
                .then(|| table.column(&["total", "total bonus pool", "b"]))
                .flatten(),
            league: table.column(&["league"]),
            division: table.column(&["division"]),
        })
    }

    /// A division whose first member is in this row.
    fn begin(
        &self,
        table: &PastedTable,
        row: usize,
        division: &str,
        league: Option<&str>,
        total: Option<f64>,
    ) -> Result<DivisionSnapshot, Failure> {
        let league = match (self.league, league) {
            (Some(column), _) => table.text_or_above(row, column)?,
            (None, league) => league.unwrap_or_default(),
        };
        let total = match (self.total, total) {
            (_, Some(total)) => total,
            (Some(column), None) => table.number_or_above(row, column)?,
            (None, None) => {
                return Err(table
                    .name
                    .refuse("no column `total`: add it, or give --total POINTS"));
            }
        };
        Ok(DivisionSnapshot {
            name: division.to_owned(),
            league: league.to_owned(),
            total: PoolTotal::new(total).map_err(|error| table.complain_row(row, error))?,
            members: Vec::new(),
        })
    }

    fn member(&self, table: &PastedTable, row: usize) -> Result<Member, Failure> {
        let points = RankPoints::new(table.number(row, self.points)?);
        let unspent = Unspent::new(table.number(row, self.unspent)?);
        let refused =
            |column, error: ForensicsError| table.complain(row, column, format!("is refused: {error}"));
        Ok(Member {
            name: table.text(row, self.name).to_owned(),
            points: points.map_err(|error| refused(self.points, error))?,
            unspent: unspent.map_err(|error| refused(self.unspent, error))?,
            wins: table.count(row, self.wins)?,
            losses: table.count(row, self.losses)?,
        })
    }
}

impl Divisions {
    /// Refuses divisions without a league.
    pub(super) fn need_leagues(&self) -> Result<(), Failure> {
        if self.all.iter().any(|division| division.league.is_empty()) {
            let what = "no column `league`: add it, or give --league NAME";
            return Err(self.table.name.refuse(what));
        }
        Ok(())
    }
}
