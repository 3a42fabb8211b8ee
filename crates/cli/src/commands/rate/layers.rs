//! Tables of what goes around a rating system: parties and the ladder.

use matchwright_rating::{Identification, PartyCoefficient, PartyTerm};
use matchwright_report::{Column, Table};
use matchwright_sim::rate::{PartyLearnt, RatedPlayer};

/// What the ladder shows of these players.
pub(super) fn ladder_table(players: &[RatedPlayer]) -> Table {
    let standings = players.iter().filter_map(|player| Some((player, player.ladder?)));
    Table::of("The ladder after each player's last match", standings)
        .column(Column::text("player"), |(player, _)| &player.player)
        .column(Column::number("points", 1), |(_, ladder)| ladder.points)
        .column(Column::number("of which bonus", 1), |(_, ladder)| ladder.spent)
        .column(Column::number("unspent bonus", 1), |(_, ladder)| ladder.unspent)
        .column(Column::number("average", 1), |(_, ladder)| ladder.average)
        .column(Column::integer("tier"), |(_, ladder)| ladder.tier)
        .column(Column::number("to next tier", 1), |(_, ladder)| ladder.to_promotion)
        .build()
        .note(
            "Points and average are shown; the rating is hidden, and neither of them changes it or a forecast.",
        )
}

/// What parties were found to be worth.
pub(super) fn party_table(parties: &PartyLearnt) -> Table {
    let fit = &parties.fit;
    Table::of("Party bonus, in rating points for each member", &fit.coefficients)
        .column(Column::text("term"), term)
        .column(Column::number("estimate", 5), |one| Some(one.estimate?.value))
        .column(Column::number("standard error", 5), |one| Some(one.estimate?.standard_error))
        .column(Column::number("95 % low", 5), |one| Some(one.estimate?.interval().0))
        .column(Column::number("95 % high", 5), |one| Some(one.estimate?.interval().1))
        .column(Column::text("estimable"), |one| estimable(&one.identification))
        .build()
        .note(format!(
            "From {} games of two sides before the evaluated part, after {} used for training ratings only.",
            fit.games, parties.warm_up_games
        ))
        .note("Errors are the regression's, which takes ratings as exact; the uncertainty of ratings is not in them.")
        .note(format!(
            "Party membership: {:.0} % of its variation is within players. The rest is attributed to skill, so that \
             estimates are biased towards 0.",
            100.0 * parties.within_players
        ))
        .notes(fit.bonus.is_none().then_some(
            "An estimate is beyond what a bonus may be, as happens by chance with few games: players are rated without one.",
        ))
}

fn term(one: &PartyCoefficient) -> String {
    match one.term {
        PartyTerm::Rating => "a point of rating, log odds".to_owned(),
        PartyTerm::FirstSide => "home advantage".to_owned(),
        PartyTerm::Spread => "each point of spread".to_owned(),
        term => term.to_string(),
    }
}

fn estimable(identification: &Identification) -> String {
    let why = match identification {
        Identification::Identified => return "yes".to_owned(),
        Identification::Absent => "no such parties".to_owned(),
        Identification::Balanced => "both sides always equal in it".to_owned(),
        Identification::OneWay => "the side with more of it always won, or always lost".to_owned(),
        Identification::Confounded { with } => {
            let with: Vec<String> = with.iter().map(ToString::to_string).collect();
            format!("only its sum with {}", with.join(", "))
        }
        _ => return "no".to_owned(),
    };
    format!("no: {why}")
}
