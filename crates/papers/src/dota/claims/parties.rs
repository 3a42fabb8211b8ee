//! The printed match with parties, and where its bonuses come from: parties D, F and C, totals, regression.

use super::inputs::DotaInputs;
use crate::check::prelude::*;
use crate::dota::printed::{PrintedPlayer, ROUNDING, SIDES};
use crate::dota::reproduction::Party;
use crate::dota::{PartiesReport, run_parties};
use matchwright_rating::{EloRating, Member, PartyBonus, RatingEstimate};

pub(crate) const CHECKS: &[Check<DotaInputs>] = &[
    Check::new("DOTA-AdjD", Exact(|inputs| whole_numbers(inputs, 0, 'D'))),
    Check::new("DOTA-AdjF", Exact(fractions)),
    Check::new("DOTA-AdjC", Exact(|inputs| whole_numbers(inputs, 1, 'C'))),
    Check::new("DOTA-tot", Exact(totals)),
    Check::new("DOTA-logreg", Exact(fitted)),
];

/// The party of this letter, and whether the library adjusts its hidden ratings to what is printed.
fn explain(inputs: &DotaInputs, bonus: &PartyBonus, side: usize, letter: char) -> Result<(Party, bool)> {
    let party = Party::of(&inputs.printed_match[side], SIDES[side], letter, bonus);
    let Some(hidden) = &party.found.hidden else {
        return Ok((party, false));
    };
    let raised = adjusted(bonus, hidden)?;
    let mut rows = hidden.iter().zip(&raised).zip(&party.players);
    let confirmed = rows.all(|((x, raised), one)| x.round() == one.mmr && raised.round() == one.adjusted);
    Ok((party, confirmed))
}

/// What the library makes of a party with these ratings.
fn adjusted(bonus: &PartyBonus, ratings: &[f64]) -> Result<Vec<f64>> {
    let member = |&rating: &f64| Ok(Member::new(EloRating::new(rating)?).in_party(1));
    let members: Vec<_> = ratings.iter().map(member).collect::<Result<_>>()?;
    let raised = bonus.adjusted(&members);
    Ok(raised.iter().map(|member| member.rating.rating()).collect())
}

fn farthest(party: &Party) -> f64 {
    let mut off = 0.0;
    for (ours, one) in party.found.from_printed.iter().zip(&party.players) {
        deviate(&mut off, *ours, one.adjusted);
    }
    off
}

/// A party whose bonus whole numbers explain as well.
fn whole_numbers(inputs: &DotaInputs, side: usize, letter: char) -> Result<Finding> {
    let bonus = inputs.bonus.build()?;
    let (party, confirmed) = explain(inputs, &bonus, side, letter)?;
    let (low, high) = party.found.exact_bonus;
    let mut found = Finding::new();
    for (ours, one) in party.found.from_printed.iter().zip(&party.players) {
        found = found.number(format!("{} becomes", one.mmr), *ours, 2);
    }
    Ok(found
        .require(party.players.len() > 1, "the party is there")
        .require(low < high, "one bonus for all of the party")
        .require(farthest(&party) <= ROUNDING, "within the rounding of the print")
        .require(confirmed, "and so for fractions that round to the print")
        .ours())
}

fn fractions(inputs: &DotaInputs) -> Result<Finding> {
    let bonus = inputs.bonus.build()?;
    let (party, confirmed) = explain(inputs, &bonus, 0, 'F')?;
    let (exact, common) = (party.found.exact_bonus, party.found.common_bonus);
    let mut found = Finding::new();
    for (k, one) in party.players.iter().enumerate() {
        let ours = party.found.from_printed[k];
        let hidden = party.found.hidden.as_ref().map_or(f64::NAN, |hidden| hidden[k]);
        found = found
            .number(format!("{} as printed becomes", one.mmr), ours, 2)
            .number("as hidden, e.g.,", hidden, 3);
    }
    // The line that the other two parties give, by themselves: two points of their bonuses over their spreads.
    let of = |side: usize, letter| -> Result<(f64, f64)> {
        let (party, _) = explain(inputs, &bonus, side, letter)?;
        let rise = |one: &PrintedPlayer| one.adjusted - one.mmr;
        let all: Vec<f64> = party.players.iter().map(|one| one.mmr).collect();
        let (least, most) = ends(&all);
        Ok((most - least, party.players.first().map_or(f64::NAN, rise)))
    };
    let ((near, small), (wide, large), (spread, _)) = (of(0, 'D')?, of(1, 'C')?, of(0, 'F')?);
    let foretold = small + (spread - near) * (large - small) / (wide - near);
    let mut singles_stay = true;
    for (side, letter) in [(0, 'A'), (1, 'E'), (1, 'B')] {
        let (single, _) = explain(inputs, &bonus, side, letter)?;
        let raised = adjusted(&bonus, &[single.players[0].mmr])?;
        singles_stay &= single.players.len() == 1 && raised == [single.players[0].adjusted];
    }
    let bonuses = format!("{} to {}", common.0, common.1);
    Ok(found
        .text("bonuses that do for some fractions", bonuses)
        .number("foretold by the line through parties D and C", foretold, 2)
        .require(
            foretold > common.0 && foretold < common.1,
            "the line through the other two parties foretells a bonus that does",
        )
        .require(singles_stay, "singles stay as they are")
        .completes_page(
            exact.0 >= exact.1,
            "no bonus common to the party explains whole numbers",
        )
        .require(farthest(&party) < 1.0, "from whole numbers within 1")
        .require(confirmed, "fractions that round to the print, and adjust to it"))
}

fn totals(inputs: &DotaInputs) -> Result<Finding> {
    let bonus = inputs.bonus.build()?;
    let mut found = Finding::new();
    for (side, total) in inputs.totals.into_iter().enumerate() {
        let players = &inputs.printed_match[side];
        let printed: f64 = players.iter().map(|player| player.adjusted).sum();
        let member = |player: &PrintedPlayer| {
            Ok(Member::new(EloRating::new(player.mmr)?).in_party(u32::from(player.party)))
        };
        let members: Vec<_> = players.iter().map(member).collect::<Result<_>>()?;
        let raised = bonus.adjusted(&members);
        let ours: f64 = raised.iter().map(|one| one.rating.value()).sum();
        found = found
            .number("sum of the printed rows", printed, 0)
            .number("of ours", ours, 2)
            .require(printed == total, "the rows sum to the printed total")
            // Ten roundings, of five ratings before and after.
            .require((ours - total).abs() <= 10.0 * ROUNDING, "ours to the rounding");
    }
    Ok(found)
}

/// The published match, party by party.
pub(crate) fn published_match(inputs: &DotaInputs) -> Result<Finding> {
    let parties = whole_numbers(inputs, 0, 'D')?.and(fractions(inputs)?);
    Ok(parties.and(whole_numbers(inputs, 1, 'C')?))
}

fn fitted(inputs: &DotaInputs) -> Result<Finding> {
    let report = run_parties(&inputs.parties, inputs.seed)?;
    Ok(regression(&report))
}

pub(crate) fn regression(report: &PartiesReport) -> Finding {
    let sets = report.config.data_sets;
    // Four standard errors of a share of 95 %.
    let chance = 4.0 * (0.95 * 0.05 / f64::from(sets)).sqrt();
    let mut found = Finding::new()
        .samples(sets, "data sets")
        .count("data sets", report.config.data_sets.into())
        .count("games in each", report.config.games.into());
    for term in &report.terms {
        let decimals = match term.truth {
            truth if truth < 0.01 => 5,
            truth if truth < 1.0 => 4,
            _ => 1,
        };
        found = found
            .estimate(format!("{} ({})", term.term, term.truth), term.estimate, decimals)
            .number("covered", term.coverage.mean, 3)
            .require(
                (term.estimate.mean - term.truth).abs() <= 4.0 * term.estimate.standard_error,
                format!("{}: within four standard errors of the truth", term.term),
            );
        let covered = (0.90..=0.98).contains(&term.coverage.mean);
        let what = format!("{}: 90 to 98 % of intervals cover the true value", term.term);
        found = if (term.coverage.mean - 0.95).abs() <= chance {
            found.require_enough(covered, what)
        } else {
            found.require(covered, what)
        };
    }
    let games = report.games_for_printed_slope;
    found.number("games for the printed slope to a tenth", games, 0)
}
