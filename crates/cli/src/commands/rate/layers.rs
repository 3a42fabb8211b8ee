//! Tables of what goes around a rating system: parties and the ladder.

use matchwright_rating::{Identification, PartyCoefficient, PartyTerm};
use matchwright_report::{Cell, Column, Table};
use matchwright_sim::rate::{PartyLearnt, RatedPlayer};

/// What the ladder shows of these players.
pub(super) fn ladder_table(players: &[RatedPlayer]) -> Table {
    let mut table = Table::new("The ladder, as after each player's last match")
        .column(Column::text("player"))
        .column(Column::number("points", 1))
        .column(Column::number("of it bonus", 1))
        .column(Column::number("bonus left", 1))
        .column(Column::number("average", 1))
        .column(Column::integer("tier"))
        .column(Column::number("to next tier", 1));
    for player in players {
        let Some(ladder) = player.ladder else { continue };
        table = table.row([
            Cell::from(player.player.as_str()),
            ladder.points.into(),
            ladder.spent.into(),
            ladder.unspent.into(),
            ladder.average.into(),
            u64::from(ladder.tier).into(),
            ladder.to_promotion.into(),
        ]);
    }
    table.note(
        "Points and average are shown; the rating is hidden, and neither of them changes it or a forecast.",
    )
}

/// What parties were found to be worth.
pub(super) fn party_table(parties: &PartyLearnt) -> Table {
    let mut table = Table::new("What queueing together is worth, in rating points for each member")
        .column(Column::text("what"))
        .column(Column::number("estimate", 5))
        .column(Column::number("standard error", 5))
        .column(Column::number("low 95 %", 5))
        .column(Column::number("high 95 %", 5))
        .column(Column::text("told"));
    for one in &parties.fit.coefficients {
        let (low, high) = one.estimate.map(|estimate| estimate.interval()).unzip();
        table = table.row([
            what(one).into(),
            one.estimate.map(|estimate| estimate.value).into(),
            one.estimate.map(|estimate| estimate.standard_error).into(),
            low.into(),
            high.into(),
            told(&one.identification).into(),
        ]);
    }
    let fit = &parties.fit;
    table = table
        .note(format!(
            "From {} games of two sides before the scored part, after {} that only taught ratings.",
            fit.games, parties.warm_up_games
        ))
        .note(
            "Errors are the regression's, which takes ratings as they are; how well ratings are known is not in them.",
        )
        .note(format!(
            "Who queues together: {:.0} % of that varies within players. The rest passes for skill, so estimates lean \
             towards 0.",
            100.0 * parties.within_players
        ));
    if fit.bonus.is_none() {
        table = table.note(
            "An estimate is beyond what a bonus may be, as happens by chance with few games: players are rated without one.",
        );
    }
    table
}

fn what(one: &PartyCoefficient) -> String {
    match one.term {
        PartyTerm::Rating => "a point of rating, log odds".to_owned(),
        PartyTerm::FirstSide => "being told first".to_owned(),
        PartyTerm::Spread => "each point of spread".to_owned(),
        term => term.to_string(),
    }
}

fn told(identification: &Identification) -> String {
    match identification {
        Identification::Identified => "yes".to_owned(),
        Identification::Absent => "no: nobody played so".to_owned(),
        Identification::Balanced => "no: both sides always had as much of it".to_owned(),
        Identification::OneWay => "no: who had more of it always won, or always lost".to_owned(),
        Identification::Confounded { with } => {
            let with: Vec<String> = with.iter().map(ToString::to_string).collect();
            format!("no: only its sum with {}", with.join(", "))
        }
        _ => "no".to_owned(),
    }
}
