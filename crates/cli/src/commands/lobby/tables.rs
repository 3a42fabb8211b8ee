//! Lineups as tables.

use std::collections::BTreeMap;

use matchwright_report::{Cell, Column, Table};
use matchwright_scoring::FactorScore;

use super::answer::{LeftOver, LobbyAnswer, Seat};
use super::left_over::PARTY_SIZES;

/// Players who are left over, one a row, before a terminal sees them by reason.
const MOST_ROWS: usize = 20;

impl LobbyAnswer {
    /// What is shown in a terminal.
    pub(super) fn tables(&self, explain: bool) -> Vec<Table> {
        let mut tables = vec![self.match_table()];
        if explain && !self.matches.is_empty() {
            tables.extend([self.factor_table(), self.breakdown_table()]);
        }
        if self.left_over.len() > MOST_ROWS {
            tables.push(self.reason_table());
        } else if !self.left_over.is_empty() {
            tables.push(self.left_over_table());
        }
        tables
    }

    fn match_table(&self) -> Table {
        let table = Table::new("Matches, worst first")
            .column(Column::integer("Match"))
            .column(Column::number("Quality", 4))
            .column(Column::text("Team 1"))
            .column(Column::text("Team 2"));
        self.matches
            .iter()
            .fold(table, |table, one| {
                table.row([
                    Cell::from(one.number),
                    one.quality.into(),
                    names(&one.team1).into(),
                    names(&one.team2).into(),
                ])
            })
            .note("(a+b) came as a party.")
    }

    /// Each factor's weight, its mean quality over the matches, and what it costs them.
    pub(crate) fn factor_table(&self) -> Table {
        let table = Table::new("Factors over all matches")
            .column(Column::text("Factor"))
            .column(Column::number("Weight", 2))
            .column(Column::number("Share", 1).unit("%"))
            .column(Column::number("Mean quality", 4))
            .column(Column::number("Worst", 4))
            .column(Column::number("Costs the total", 4));
        let first = self.matches.first().map_or(&[][..], |one| &one.score.factors[..]);
        let table = first.iter().enumerate().fold(table, |table, (place, factor)| {
            let scores = self.matches.iter().filter_map(|one| one.score.factors.get(place));
            let values = scores.clone().map(|score| score.value.unwrap_or(0.0));
            let number = self.matches.len() as f64;
            table.row([
                Cell::from(factor.name),
                factor.weight.into(),
                (100.0 * factor.share).into(),
                (values.clone().sum::<f64>() / number).into(),
                values.fold(1.0, f64::min).into(),
                (scores.map(FactorScore::loss).sum::<f64>() / number).into(),
            ])
        });
        table.note("Costs the total: share x (1 - quality), the mean over the matches.")
    }

    /// Every factor of every match.
    fn breakdown_table(&self) -> Table {
        let mut table = Table::new("Quality of each factor in each match")
            .column(Column::integer("Match"))
            .column(Column::number("Quality", 4));
        for factor in self.matches.iter().take(1).flat_map(|one| &one.score.factors) {
            table = table.column(Column::number(factor.name, 3));
        }
        for one in &self.matches {
            let values = one.score.factors.iter().map(|score| Cell::from(score.value));
            table = table.row(
                [Cell::from(one.number), one.quality.into()]
                    .into_iter()
                    .chain(values),
            );
        }
        table
    }

    /// Who waits on.
    pub(crate) fn left_over_table(&self) -> Table {
        let table = Table::new("Left over")
            .column(Column::text("Player"))
            .column(Column::text("Party"))
            .column(Column::number("Waited", 0).unit("s"))
            .column(Column::number("Price", 2))
            .column(Column::text("Why"));
        self.left_over.iter().fold(table, |table, one| {
            table.row([
                Cell::from(one.id.as_str()),
                one.party.as_deref().map_or(Cell::Empty, Cell::from),
                one.wait_seconds.into(),
                one.price.into(),
                one.why.as_str().into(),
            ])
        })
    }

    /// Why so many wait on.
    fn reason_table(&self) -> Table {
        let mut reasons: BTreeMap<(Option<&str>, bool), Vec<&LeftOver>> = BTreeMap::new();
        for one in &self.left_over {
            let sizes = one.why.starts_with(PARTY_SIZES);
            reasons.entry((one.forbidden_by, sizes)).or_default().push(one);
        }
        let table = Table::new("Left over, by reason")
            .column(Column::integer("Players"))
            .column(Column::text("First"))
            .column(Column::text("Why it waits"));
        let table = reasons.values().fold(table, |table, group| {
            table.row([
                Cell::from(group.len()),
                Cell::from(group[0].id.as_str()),
                group[0].why.as_str().into(),
            ])
        });
        table.note("--json and --out tell each player's reason.")
    }

    /// A row for each player who plays, in full precision.
    pub(super) fn seats(&self) -> Table {
        let mut table = Table::new("Matches")
            .column(Column::integer("match"))
            .column(Column::number("quality", 4))
            .column(Column::integer("team"))
            .column(Column::text("player"))
            .column(Column::text("party"));
        for factor in self.matches.iter().take(1).flat_map(|one| &one.score.factors) {
            table = table.column(Column::number(factor.name, 4));
        }
        for one in &self.matches {
            for (team, seats) in [(1_i64, &one.team1), (2, &one.team2)] {
                for seat in seats {
                    let values = one.score.factors.iter().map(|score| Cell::from(score.value));
                    let party = seat.party.as_deref().map_or(Cell::Empty, Cell::from);
                    let head = [
                        Cell::from(one.number),
                        one.quality.into(),
                        team.into(),
                        seat.id.as_str().into(),
                        party,
                    ];
                    table = table.row(head.into_iter().chain(values));
                }
            }
        }
        table
    }
}

/// `p1, (p2 + p3)`: parties in brackets.
pub(crate) fn names(team: &[Seat]) -> String {
    let groups = team.chunk_by(|a, b| a.party.is_some() && a.party == b.party);
    let shown = groups.map(|group| {
        let ids: Vec<&str> = group.iter().map(|seat| seat.id.as_str()).collect();
        match ids[..] {
            [id] => id.to_owned(),
            _ => format!("({})", ids.join("+")),
        }
    });
    shown.collect::<Vec<_>>().join(", ")
}
