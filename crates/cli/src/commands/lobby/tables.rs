//! Lineups as tables.

use std::collections::BTreeMap;

use matchwright_report::{Cell, Column, Table};
use matchwright_scoring::FactorScore;

use super::answer::{LobbyAnswer, LobbyMatch, Seat, Team, UnmatchedPlayer};

/// A player of the pool, with match and team if there is one.
#[derive(Clone, Copy)]
struct PlayerRow<'a> {
    id: &'a str,
    place: Option<(&'a LobbyMatch, Team<'a>)>,
    party: Option<&'a str>,
    skill: Option<f64>,
    wait_seconds: f64,
    ping: Option<f64>,
}

/// Unmatched players, one a row, before a terminal shows them by reason.
const MOST_ROWS: usize = 20;

impl LobbyAnswer {
    /// What is shown in a terminal.
    pub(super) fn tables(&self, explain: bool) -> Vec<Table> {
        let mut tables = vec![self.match_table()];
        if explain && !self.matches.is_empty() {
            tables.extend([self.factor_table(), self.breakdown_table()]);
        }
        if self.unmatched.len() > MOST_ROWS {
            tables.push(self.reason_table());
        } else if !self.unmatched.is_empty() {
            tables.push(self.unmatched_table());
        }
        tables
    }

    fn match_table(&self) -> Table {
        Table::of("Matches, worst first", &self.matches)
            .column(Column::integer("Match"), |one| one.number)
            .column(Column::number("Quality", 4), |one| one.quality)
            .columns(
                0..self.teams.0.len(),
                |k| Column::text(format!("Team {}", k + 1)),
                |one, k| names(&one.teams[k]),
            )
            .optional_column(Column::percent("Team 1 wins", 0), |one| one.win_probability)
            .build()
            .note("(a+b): a party.")
    }

    /// The policy's factors, as the first match has them.
    fn factors(&self) -> &[FactorScore] {
        self.matches.first().map_or(&[], |one| &one.score.factors)
    }

    /// Each factor's weight, its mean quality over the matches, and what it costs them.
    pub(crate) fn factor_table(&self) -> Table {
        let scores = |place: usize| {
            self.matches
                .iter()
                .filter_map(move |one| one.score.factors.get(place))
        };
        let values = move |place| scores(place).map(|score| score.value.unwrap_or(0.0));
        let number = self.matches.len() as f64;
        Table::of("Factors over all matches", self.factors().iter().enumerate())
            .column(Column::text("Factor"), |(_, factor)| factor.name)
            .column(Column::number("Weight", 2), |(_, factor)| factor.weight)
            .column(Column::percent("Share", 1), |(_, factor)| factor.share)
            .column(Column::number("Mean quality", 4), |(place, _)| {
                values(place).sum::<f64>() / number
            })
            .column(Column::number("Worst", 4), |(place, _)| values(place).fold(1.0, f64::min))
            .column(Column::number("Loss", 4), |(place, _)| {
                scores(place).map(FactorScore::loss).sum::<f64>() / number
            })
            .build()
            .note("Loss: what the factor takes off the mean quality, share x (1 - quality), the mean over the matches.")
    }

    /// Every factor of every match.
    fn breakdown_table(&self) -> Table {
        let factors = self.factors();
        Table::of("Quality of each factor in each match", &self.matches)
            .column(Column::integer("Match"), |one| one.number)
            .column(Column::number("Quality", 4), |one| one.quality)
            .columns(0..factors.len(), |k| Column::number(factors[k].name, 3), value)
            .build()
    }

    /// Unmatched players, one a row.
    pub(crate) fn unmatched_table(&self) -> Table {
        Table::of("Unmatched", &self.unmatched)
            .column(Column::text("Player"), |one| &one.id)
            .column(Column::text("Party"), |one| one.party.as_ref())
            .column(Column::number("Waited", 0).unit("s"), |one| one.wait_seconds)
            .column(Column::number("Penalty", 2), |one| one.unmatched_penalty)
            .column(Column::text("Why"), |one| &one.why)
            .build()
    }

    /// Unmatched players by reason: by what forbids, or why else.
    fn reason_table(&self) -> Table {
        let mut groups: BTreeMap<&str, Vec<&UnmatchedPlayer>> = BTreeMap::new();
        for one in &self.unmatched {
            groups
                .entry(one.forbidden_by.unwrap_or(&one.why))
                .or_default()
                .push(one);
        }
        Table::of("Unmatched, by reason", groups.values())
            .column(Column::integer("Players"), Vec::len)
            .column(Column::text("First"), |group| &group[0].id)
            .column(Column::text("Why"), |group| &group[0].why)
            .build()
            .note("--json and --out have each player's reason.")
    }

    /// Each player with match and team.
    fn placed(&self) -> impl Iterator<Item = (&LobbyMatch, Team<'_>, &Seat)> {
        let seats = |one| LobbyMatch::sides(one).map(move |team| (one, team));
        let teams = self.matches.iter().flat_map(seats);
        teams.flat_map(|(one, team)| team.seats.iter().map(move |seat| (one, team, seat)))
    }

    /// What an operator looks up: who plays where, with what at stake, and who does not play.
    pub(crate) fn player_table(&self) -> Table {
        let has_pings = self.placed().any(|(.., seat)| seat.ping.is_some());
        let placed = self.placed().map(|(one, team, seat)| PlayerRow {
            id: &seat.id,
            place: Some((one, team)),
            party: seat.party.as_deref(),
            skill: seat.skill,
            wait_seconds: seat.wait_seconds,
            ping: seat.ping,
        });
        let unmatched = self.unmatched.iter().map(|one| PlayerRow {
            id: &one.id,
            place: None,
            party: one.party.as_deref(),
            skill: one.skill,
            wait_seconds: one.wait_seconds,
            ping: None,
        });
        Table::of("Players and their matches", placed.chain(unmatched))
            .column(Column::text("Player"), |row| row.id)
            .column(Column::integer("Match"), |row| match row.place {
                Some((one, _)) => Cell::from(one.number),
                None => Cell::from("unmatched"),
            })
            .column(Column::number("Quality", 4), |row| Some(row.place?.0.quality))
            .column(Column::integer("Team"), |row| Some(row.place?.1.number))
            .optional_column(Column::text("Party"), |row| row.party)
            .optional_column(Column::number("Skill", 0), |row| row.skill)
            .optional_column(Column::number("Team's mean skill", 0), |row| {
                row.place?.1.mean_skill
            })
            .optional_column(Column::percent("Team wins", 0), |row| {
                row.place?.1.win_probability
            })
            .optional_column(Column::number("Waited", 0).unit("s"), |row| {
                Some(row.wait_seconds).filter(|wait| *wait > 0.0)
            })
            .optional_column(Column::number("Ping", 0).unit("ms"), |row| row.ping)
            .build()
            .notes(has_pings.then_some("Ping: the mean round trip to the opponents."))
    }

    /// A row for each player of each match, in full precision.
    pub(crate) fn seats(&self) -> Table {
        let factors = self.factors();
        Table::of("Every player's match", self.placed())
            .column(Column::integer("match"), |(one, ..)| one.number)
            .column(Column::number("quality", 4), |(one, ..)| one.quality)
            .column(Column::integer("team"), |(_, team, _)| team.number)
            .column(Column::text("player"), |(.., seat)| &seat.id)
            .column(Column::text("party"), |(.., seat)| seat.party.as_ref())
            .column(Column::number("skill", 4), |(.., seat)| seat.skill)
            .column(Column::number("wait_seconds", 4), |(.., seat)| seat.wait_seconds)
            .column(Column::number("ping", 4), |(.., seat)| seat.ping)
            .column(Column::number("team_mean_skill", 4), |(_, team, _)| {
                team.mean_skill
            })
            .column(Column::number("team_win_probability", 4), |(_, team, _)| {
                team.win_probability
            })
            .columns(
                0..factors.len(),
                |k| Column::number(factors[k].name, 4),
                |(one, ..), k| value(one, k),
            )
            .build()
            .file("matches")
    }
}

/// The quality of a match's factor at that place; none if it forbids the match.
fn value(one: &LobbyMatch, factor: usize) -> Option<f64> {
    one.score.factors.get(factor)?.value
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
