//! Section 3.2 and 5.2: labels, states and their update, the model's inputs.

use super::inputs::EommInputs;
use crate::check::prelude::*;
use crate::eomm::printed::{CHURN_HOURS, RECENT_MATCHES, TABLE_1_DAYS};
use matchwright_churn::{
    EOMM_INPUTS, Horizon, Label, LabelError, MatchObserved, Outcome, PlayerHistory, Scale, label_matches,
};

pub(crate) const CHECKS: &[Check<EommInputs>] = &[
    Check::new("EOMM-churn-def", Exact(|_| definition(label_matches))),
    Check::new("EOMM-Eq7-9", Exact(update)),
    Check::new("EOMM-K5", Exact(five_outcomes)),
    Check::new("EOMM-feat", Exact(inputs_of_the_model)),
];

/// What labels the matches at these times.
pub(crate) type Labels = fn(&[i64], Horizon, i64) -> Result<Vec<Label>, LabelError>;

/// The longest gap, in seconds, after which a match still counts as a return.
fn longest_return(labels: Labels, horizon: Horizon) -> Result<i64> {
    let (mut returned, mut churned) = (0, 100 * 86_400);
    let until = 1_000 * 86_400;
    while churned - returned > 1 {
        let gap = i64::midpoint(returned, churned);
        match labels(&[0, gap], horizon, until)?.first() {
            Some(Label::Returned) => returned = gap,
            Some(Label::Churned) => churned = gap,
            other => anyhow::bail!("a gap of {gap} s is labelled {other:?}"),
        }
    }
    Ok(returned)
}

pub(crate) fn definition(labels: Labels) -> Result<Finding> {
    let mut found = Finding::new();
    let hours = Horizon::hours(CHURN_HOURS);
    for (name, horizon) in [("8 h", hours), ("7 d", Horizon::days(TABLE_1_DAYS))] {
        let (longest, seconds) = (longest_return(labels, horizon)?, horizon.seconds());
        let (gap, near) = (longest as f64, (longest - seconds).abs() <= 1);
        found = found
            .number(format!("{name}: longest gap that is a return, s,"), gap, 0)
            .require(near, format!("within a second of {seconds} s"));
    }
    let unfinished = labels(&[0], hours, hours.seconds() - 1)?;
    let finished = labels(&[0], hours, hours.seconds())?;
    Ok(found
        .require(unfinished == [Label::Censored], "an unfinished one says nothing")
        .require(finished == [Label::Churned], "a finished one is churn"))
}

fn letters(outcomes: &[Outcome]) -> String {
    outcomes.iter().map(|outcome| outcome.letter()).collect()
}

/// A match every ten minutes.
fn play(history: &mut PlayerHistory, k: i64, outcome: Outcome) -> Result<()> {
    let goal_difference = 2.0 * outcome.score() - 1.0;
    history.push(&MatchObserved {
        time: 600 * k,
        outcome,
        goal_difference,
    })?;
    Ok(())
}

fn update(inputs: &EommInputs) -> Result<Finding> {
    use Outcome::{Draw, Loss, Win};
    let column = |name: &str| {
        let place = inputs.columns.iter().position(|column| column.name == name);
        place.with_context(|| format!("no input is called {name}"))
    };
    let (counted, upcoming) = (column("matches_last_8h")?, column("upcoming_win")?);
    let newest = ["match1_win", "match1_draw", "match1_loss"].map(column);
    let mut history = PlayerHistory::with_scale(Scale::Raw);
    let (mut appended, mut counts, mut refreshed, mut own) = (true, true, true, true);
    let games = [Loss, Win, Loss, Draw, Loss, Win, Win, Draw, Win, Loss, Draw, Win];
    for (k, &outcome) in games.iter().enumerate() {
        let k = i64::try_from(k)?;
        let before = history.state_at(600 * k)?;
        let seen = history.matches_seen();
        play(&mut history, k, outcome)?;
        let after = history.state_at(600 * (k + 1))?;
        let expected: Vec<Outcome> = before.last_outcomes().iter().copied().chain([outcome]).collect();
        let latest = &expected[expected.len().saturating_sub(RECENT_MATCHES)..];
        appended &= after.last_outcomes() == latest;
        counts &= history.matches_seen() == seen + 1;
        let (old, new) = (before.columns_after(outcome), after.columns_after(Win));
        refreshed &= new[counted] == old[counted] + 1.0;
        for (place, hot) in newest.iter().zip(Outcome::ALL) {
            let place = *place.as_ref().map_err(|error| anyhow::anyhow!("{error}"))?;
            refreshed &= new[place] == f64::from(u8::from(hot == outcome));
        }
        own &= old[upcoming + outcome.index()] == 1.0;
    }
    let state = history.state_at(600 * i64::try_from(games.len())?)?;
    Ok(Finding::new()
        .text("outcomes after twelve matches", letters(state.last_outcomes()))
        .count("games played", history.matches_seen())
        .number("in the last 8 h", state.columns_after(Win)[counted], 0)
        .require(appended, "each outcome is appended")
        .require(counts, "games played rise by 1")
        .require(refreshed, "the other inputs are brought up to date")
        .require(own, "the upcoming outcome enters the row"))
}

fn five_outcomes(inputs: &EommInputs) -> Result<Finding> {
    use Outcome::{Draw, Loss, Win};
    let mut history = PlayerHistory::new();
    for (k, outcome) in (0..).zip([Loss, Win, Loss, Draw, Loss]) {
        play(&mut history, k, outcome)?;
    }
    let read = letters(history.state_at(600 * 5)?.last_outcomes());
    let as_printed = read == inputs.paper.five_outcomes;
    Ok(Finding::new()
        .text("", read)
        .require(as_printed, "oldest first, as printed"))
}

fn inputs_of_the_model(inputs: &EommInputs) -> Result<Finding> {
    let each = "win draw loss gap_to_previous gap_to_upcoming goal_difference";
    let of_match = |k: usize| each.split(' ').map(move |input| format!("match{k}_{input}"));
    let upcoming = ["win", "draw", "loss"].map(|outcome| format!("upcoming_{outcome}"));
    let counts = ["8h", "day", "week", "month"].map(|window| format!("matches_last_{window}"));
    let matches = (1..=RECENT_MATCHES).flat_map(of_match);
    let expected: Vec<String> = matches.chain(upcoming).chain(counts).collect();
    let names: Vec<&str> = inputs.columns.iter().map(|column| column.name).collect();
    let split = names.split_at_checked(EOMM_INPUTS);
    let (model, flags) = split.context("fewer columns than inputs")?;
    let first_other = model.iter().zip(&expected).find(|(ours, theirs)| *ours != theirs);
    let found = Finding::new()
        .count("inputs", model.len() as u64)
        .count("flags", flags.len() as u64)
        .require(model.len() == expected.len(), "67 inputs")
        .require(
            flags.iter().all(|flag| flag.ends_with("_missing")),
            "flags for missing history come after them",
        );
    Ok(match first_other {
        Some((ours, theirs)) => found.require(false, format!("{ours} stands where {theirs} should")),
        None => found,
    })
}
