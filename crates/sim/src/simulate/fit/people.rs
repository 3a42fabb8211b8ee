//! Who came: sizes of parties, ratings and other numbers, words, queues.

use std::collections::{BTreeMap, BTreeSet};

use matchwright_queue::{Ticket, Value};

use super::arrivals::Homes;
use super::{FittedScenario, Observed, rounded};
use crate::simulate::scenario::{NumberParams, QueuesOf};
use crate::statistics::{Correlation, Summary};

/// A text of more words than this is a name.
const MOST_WORDS: usize = 50;
/// Numbers with more than this share of their values at the minimum are cut off there.
const AT_LEAST: f64 = 0.02;
/// What the simulator gives tickets by itself.
const OWN: [&str; 4] = ["rating", "skill", "uncertainty", "churn"];

pub(super) fn fit(observed: Observed<'_>, homes: &Homes<'_>, fitted: &mut FittedScenario) {
    let tickets: Vec<&Ticket> = observed
        .log
        .tickets()
        .iter()
        .map(|logged| &logged.ticket)
        .collect();
    parties(&tickets, fitted);
    queues(&tickets, fitted);
    numbers(&tickets, fitted);
    words(&tickets, homes, fitted);
}

fn parties(tickets: &[&Ticket], fitted: &mut FittedScenario) {
    let largest = tickets
        .iter()
        .map(|ticket| ticket.players.len())
        .max()
        .unwrap_or(1);
    let mut counts = vec![0_u64; largest];
    for ticket in tickets {
        counts[ticket.players.len().max(1) - 1] += 1;
    }
    let all = tickets.len() as u64;
    let share = |count: &u64| *count as f64 / all as f64;
    fitted.params.people.parties = counts.iter().map(|count| rounded(share(count))).collect();
    for (place, count) in counts.iter().enumerate() {
        fitted.share(
            format!("people.parties of {}", place + 1),
            share(count),
            (all, "tickets"),
        );
    }
}

/// Where parties of each size wait: what most of them name.
fn queues(tickets: &[&Ticket], fitted: &mut FittedScenario) {
    let mut by_size: BTreeMap<usize, BTreeMap<&[String], usize>> = BTreeMap::new();
    for ticket in tickets {
        *by_size
            .entry(ticket.players.len())
            .or_default()
            .entry(&ticket.queues)
            .or_default() += 1;
    }
    for (size, choices) in by_size {
        let all: usize = choices.values().sum();
        let most = choices.iter().max_by_key(|choice| *choice.1);
        let Some((names, count)) = most.filter(|most| !most.0.is_empty()) else {
            continue;
        };
        if *count < all {
            fitted.note(
                "people",
                format!("{count} of {all} tickets of {size} wait in these queues: all are taken to"),
            );
        }
        let names = names.to_vec();
        fitted.params.people.queues.push(QueuesOf { size, names });
    }
}

/// A number of each player of all tickets, the ticket's own for all; `None` where it is not known.
fn values<'a>(tickets: &'a [&Ticket], name: &'a str) -> impl Iterator<Item = Option<f64>> + 'a {
    let of = |value: Option<&Value>| match value {
        Some(Value::Number(number)) => Some(*number),
        _ => None,
    };
    tickets.iter().flat_map(move |ticket| {
        let own = of(ticket.attributes.get(name));
        ticket
            .players
            .iter()
            .map(move |member| own.or_else(|| of(member.attributes.get(name))))
    })
}

fn numbers(tickets: &[&Ticket], fitted: &mut FittedScenario) {
    let names = attributes(tickets, |value| matches!(value, Value::Number(_)));
    let rating = ["rating", "skill"].into_iter().find(|name| names.contains(*name));
    let Some(rating) = rating else {
        let text =
            "no ticket has a `rating` or `skill`: the distribution of true skill is left at its default";
        fitted.note("people", text.to_owned());
        return;
    };
    let ratings: Vec<Option<f64>> = values(tickets, rating).collect();
    let known = Summary::of(ratings.iter().flatten().copied());
    let n = known.n() as f64;
    let deviation = known.variance().max(0.0).sqrt();
    // Ratings are skills with an error of that deviation, in the simulator's own terms.
    let unsure = Summary::of(values(tickets, "uncertainty").flatten().map(|one| one * one));
    let error = unsure.mean().sqrt();
    let has_error = unsure.n() > 0 && error > 0.0 && error < deviation;
    let error = if has_error { error } else { 0.0 };
    let skill = (deviation * deviation - error * error).sqrt();
    let people = &mut fitted.params.people;
    people.skill_mean = rounded(known.mean());
    people.skill_deviation = rounded(skill);
    fitted.params.rating.error_deviation = rounded(error);
    let of = (known.n(), "ratings");
    fitted.value(
        "people.skill_mean".to_owned(),
        (known.mean(), deviation / n.sqrt()),
        of,
    );
    let spread = deviation * deviation / (skill.max(1e-12) * (2.0 * n).sqrt());
    fitted.value("people.skill_deviation".to_owned(), (skill, spread), of);
    let text = if has_error {
        "true skill was not observed: its spread is that of the ratings less the error that `uncertainty` names, which \
         stays the same for each player"
    } else {
        "true skill was not observed: ratings are taken for it, without error"
    };
    fitted.note("rating", text.to_owned());
    let others = names.iter().filter(|name| !OWN.contains(&name.as_str()));
    for name in others {
        number(tickets, name, (&ratings, deviation / skill.max(1e-12)), fitted);
    }
}

/// One more number; `ratings` with what their deviation is of that of skill.
fn number(
    tickets: &[&Ticket],
    name: &str,
    (ratings, ratio): (&[Option<f64>], f64),
    fitted: &mut FittedScenario,
) {
    let known: Vec<f64> = values(tickets, name).flatten().collect();
    let of = Summary::of(known.iter().copied());
    let players = ratings.len();
    if 2 * known.len() < players {
        fitted.note(
            "people",
            format!(
                "the number `{name}` is known of {} of {players} players: left out",
                known.len()
            ),
        );
        return;
    }
    let mut with_rating = Correlation::default();
    for (value, rating) in values(tickets, name).zip(ratings) {
        if let Some((value, rating)) = value.zip(*rating) {
            with_rating.add(value, rating);
        }
    }
    let correlation = with_rating.value();
    let correlation = if correlation.is_finite() { correlation } else { 0.0 };
    let with_skill = (correlation * ratio).clamp(-1.0, 1.0);
    let least = known.iter().copied().fold(f64::INFINITY, f64::min);
    let cut = known.iter().filter(|value| **value == least).count() as f64;
    let is_cut = of.variance() > 0.0 && cut > AT_LEAST * known.len() as f64;
    let deviation = of.variance().max(0.0).sqrt();
    let n = of.n();
    let params = NumberParams {
        mean: rounded(of.mean()),
        deviation: rounded(deviation),
        with_skill: rounded(with_skill),
        least: is_cut.then(|| rounded(least)),
        of_party: false,
    };
    fitted.params.people.numbers.insert(name.to_owned(), params);
    let key = |of: &str| format!("people.numbers.{name}.{of}");
    let root = (n as f64).sqrt();
    fitted.value(key("mean"), (of.mean(), deviation / root), (n, "players"));
    fitted.value(
        key("deviation"),
        (deviation, deviation / root / std::f64::consts::SQRT_2),
        (n, "players"),
    );
    let error = (1.0 - correlation * correlation) / root * ratio;
    fitted.value(key("with_skill"), (with_skill, error), (n, "players"));
    if is_cut {
        fitted.note(
            "people",
            format!(
                "many of `{name}` are {least}, the least: mean and deviation are of what is cut off there"
            ),
        );
    }
}

/// The names of attributes of tickets or players of a kind.
fn attributes(tickets: &[&Ticket], is_kind: impl Fn(&Value) -> bool) -> BTreeSet<String> {
    let members = tickets
        .iter()
        .flat_map(|ticket| ticket.players.iter().map(|member| &member.attributes));
    let all = tickets
        .iter()
        .map(|ticket| &ticket.attributes)
        .chain(members)
        .flatten();
    all.filter(|(_, value)| is_kind(value))
        .map(|(name, _)| name.to_string())
        .collect()
}

/// Words of parties: the ticket's own, else its first player's.
fn words(tickets: &[&Ticket], homes: &Homes<'_>, fitted: &mut FittedScenario) {
    for name in attributes(tickets, |value| matches!(value, Value::Text(_))) {
        // A region's name comes with the region.
        if name == "name" || (name == "region" && !homes.contains_key("")) {
            continue;
        }
        let mut shares: BTreeMap<String, f64> = BTreeMap::new();
        for ticket in tickets {
            let first = ticket
                .players
                .first()
                .and_then(|member| member.attributes.get(&name));
            let word = match ticket.attributes.get(&name).or(first) {
                Some(Value::Text(word)) => word.clone(),
                _ => String::new(),
            };
            *shares.entry(word).or_default() += 1.0 / tickets.len() as f64;
        }
        if shares.len() > MOST_WORDS.min(1 + tickets.len() / 2) {
            fitted.note(
                "people",
                format!("`{name}` has {} different words: left out", shares.len()),
            );
            continue;
        }
        for (word, share) in &mut shares {
            fitted.share(
                format!("people.words.{name}.{word}"),
                *share,
                (tickets.len() as u64, "tickets"),
            );
            *share = rounded(*share);
        }
        fitted.params.people.words.insert(name, shares);
    }
    let others = |value: &Value| matches!(value, Value::Flag(_) | Value::Texts(_) | Value::Numbers(_));
    let others: Vec<String> = attributes(tickets, others)
        .into_iter()
        .filter(|name| name != "churn")
        .collect();
    if !others.is_empty() {
        let text = format!("lists, tables and flags are left out: {}", others.join(", "));
        fitted.note("people", text);
    }
}
