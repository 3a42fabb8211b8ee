//! `matchwright replay`: a log of a queue under a policy, beside another, and beside the best in hindsight.

mod answer;
mod page;
mod tables;
mod words;

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::time::Instant;

use matchwright_queue::{PricesTable, QueueParams, TicketId};
use matchwright_sim::policy::RatingScale;
use matchwright_sim::progress::Progress;
use matchwright_sim::replay::{
    Fate, Judge, LogEnd, Optimum, OptimumError, Replay, ReplayError, ReplaySettings, TicketLog, keep_common,
    optimum, recorded, replay,
};
use serde_json::json;

use super::judging::{cheap_lost, judge};
use super::looked_at::ignored_notes;
use crate::arguments::{PatienceChoice, ReplayOptions};
use crate::failure::{Failure, ShownPath, shown, tell};
use crate::input::{
    ImportedObjective, ImportedQueue, ImportedTickets, Named, WantedScale, import_objective, import_queue,
    import_tickets, policy_called,
};
use crate::output::{Folder, Origin, Place, check_places, print, print_json};
use crate::plan;
use crate::progress::Bar;
use answer::{Patience, Recomputed};
pub(crate) use answer::{PolicyAnswer, ReplayAnswer};
use matchwright_import::TicketColumns;
use page::replay_page;

/// `command` is what repeats the result; `has_seed`: a seed was given.
pub(crate) fn run(options: &ReplayOptions, command: String, has_seed: bool) -> Result<(), Failure> {
    check_files(options)?;
    let mut queues = vec![import_queue(&Named::policy("--policy", &options.policy)?)?];
    if let Some(path) = &options.against {
        queues.push(import_queue(&Named::policy("--against", path)?)?);
    }
    let objective = options.objective.as_deref();
    let objective = objective
        .map(|path| Named::policy("--objective", path))
        .transpose()?;
    let objective = objective.as_ref().map(import_objective).transpose()?;
    let from = options.objective.as_deref().unwrap_or(Path::new(""));
    let from = format!("--objective {}", from.shown());
    let (judge, judged_by, judging) = judge(&from, &queues[0], objective.as_ref())?;
    let mut imported = import_tickets(&options.log, &options.reading.reading())?;
    let ignored = ignored_notes(&imported.log, &queues);
    let idle = without_effect(options, &imported, has_seed);
    let cheap = cheap_lost(&judge, &judged_by, &queues);
    let notes = imported.notes.iter().chain(&idle).chain(&ignored).chain(&cheap);
    notes.for_each(|note| tell(note));
    check_tickets(&imported, &queues, &judge)?;
    let brought = imported.bring(&wanted_scale(options, &queues, (&judged_by, judging.as_ref())))?;
    for note in brought {
        tell(&note);
    }
    let (log, patience) = with_patience(options, &imported)?;

    let longest_waits = queues.iter().map(|queue| queue.loaded.longest_wait);
    let settings = ReplaySettings {
        overdue: options.overdue,
        explain: options.explain,
        moments: options.moments.into(),
        tail: options.tail.unwrap_or_else(|| log.tail(longest_waits)),
        most_steps: plan::steps_of(log.len()),
    };
    let mut replays = Vec::with_capacity(queues.len());
    for queue in &mut queues {
        replays.push(replayed(&log, queue, &judge, settings)?);
    }
    keep_common(&mut replays);
    let hindsight = match judge.objective().lost() {
        Some(_) if options.hindsight => {
            let all = replays.iter().flat_map(|replay| &replay.tickets);
            let refused = all.filter(|one| one.fate == Fate::Refused);
            let refused = log.places(refused.map(|one| one.ticket));
            let end = LogEnd {
                at: log.end(settings.tail),
                refused: &refused,
            };
            Some(best(&log, end, &imported, &queues[0], &judge)?)
        }
        _ => None,
    };
    let mut answer = ReplayAnswer::new(&log, &imported.names, &judge, judged_by, settings);
    answer.patience = patience;
    answer.not_used.clone_from(&imported.unused);
    answer.not_looked_at = ignored;
    answer.recomputed = imported.journal.as_deref().map(Recomputed::new);
    // Patience changes nothing of what happened.
    if let Some(recorded) = recorded(&imported.log, &judge, settings.tail) {
        answer.add_recorded(recorded);
    }
    for (queue, replay) in queues.iter().zip(replays) {
        answer.add_policy(&queue.loaded.label, replay);
    }
    let seconds = hindsight.as_ref().map(|(_, seconds)| *seconds);
    if options.hindsight {
        answer.add_hindsight(hindsight.map(|(best, _)| best), &queues);
    }
    if let Some(folder) = &options.out {
        let prices = prices(&answer, &queues[0], judging.as_ref());
        write(
            folder,
            &answer,
            prices.as_ref(),
            &origin(options, command, &imported, &queues, objective.as_ref())?,
        )?;
    }
    if options.json {
        return print_json(&answer);
    }
    print(&answer.text(seconds))?;
    print(&match &options.out {
        Some(folder) => format!("\nPage: {}\n", folder.join("replay.html").shown()),
        None => "\nAdd --out DIR for a page with plots, and every ticket and match.\n".to_owned(),
    })
}

/// Options that change nothing, each with its reason.
fn without_effect(options: &ReplayOptions, imported: &ImportedTickets, has_seed: bool) -> Vec<String> {
    let reading = &options.reading;
    let reads_otherwise = reading.columns != TicketColumns::default()
        || reading.time_unit.is_some()
        || reading.names.as_written;
    let all_left = imported.log.tickets().iter().all(|logged| logged.left.is_some());
    let all = [
        (
            has_seed && options.patience.is_none(),
            "--seed had no effect: only --patience draws anything",
        ),
        (
            imported.journal.is_some() && (reads_otherwise || reading.skip_bad),
            "--columns, --names-as-written, --time-unit and --skip-bad had no effect: a journal has no columns, names and times of \
             its own, and no bad rows",
        ),
        (
            options.patience.is_some() && all_left,
            "--patience had no effect: all tickets left, and when is known",
        ),
    ];
    let said = all.into_iter().filter(|(is_so, _)| *is_so);
    said.map(|(_, what)| what.to_owned()).collect()
}

/// For ratings of which scale the policies are, and what judges them.
fn wanted_scale(
    options: &ReplayOptions,
    queues: &[ImportedQueue],
    (judged_by, judging): (&str, Option<&RatingScale>),
) -> WantedScale {
    let mut wanted = WantedScale::new(options.scale.rating_scale);
    for queue in queues {
        wanted.add(
            policy_called(&queue.loaded.label.name),
            queue.loaded.scale.as_ref(),
        );
    }
    wanted.add(judged_by.to_owned(), judging);
    wanted
}

/// No file is read twice from one stream, or written over.
fn check_files(options: &ReplayOptions) -> Result<(), Failure> {
    let others = options.against.iter().chain(&options.objective);
    let inputs: Vec<&PathBuf> = [&options.log, &options.policy]
        .into_iter()
        .chain(others)
        .collect();
    check_places(inputs, options.out.as_deref().map(Place::Folder))
}

/// Refuses a log that lacks what the policies need in every ticket, or what judges in any.
fn check_tickets(imported: &ImportedTickets, queues: &[ImportedQueue], judge: &Judge) -> Result<(), Failure> {
    let tickets = imported.log.tickets();
    for queue in queues {
        for need in &queue.loaded.settings.needs {
            if tickets.iter().all(|logged| logged.ticket.mean(need).is_none()) {
                let policy = shown(&queue.loaded.label.name);
                return Err(imported.name.refuse(format!(
                    "no ticket has the number `{need}`, which the policy `{policy}` needs: name its column with \
                     --columns {need}=COLUMN, or call it `{need}`"
                )));
            }
        }
    }
    let lacking = tickets
        .iter()
        .find_map(|logged| Some((logged.ticket.id, judge.lacks(&logged.ticket)?)));
    match lacking {
        Some((ticket, lacks)) => {
            let name = shown(&imported.names.ticket(ticket));
            Err(imported.name.refuse(format!("ticket `{name}`: {lacks}")))
        }
        None => Ok(()),
    }
}

/// The log as it is, or with a patience for those who did not leave.
fn with_patience(
    options: &ReplayOptions,
    imported: &ImportedTickets,
) -> Result<(TicketLog, Option<Patience>), Failure> {
    let Some(choice) = options.patience else {
        return Ok((imported.log.clone(), None));
    };
    let fitted = match choice {
        PatienceChoice::Seconds(_) => None,
        PatienceChoice::Fitted => Some(imported.log.fitted_patience().ok_or_else(|| {
            let what =
                "no ticket left after a wait, so that no patience can be fitted: give --patience SECONDS";
            imported.name.refuse(what)
        })?),
    };
    let mean_seconds = match (choice, fitted) {
        (PatienceChoice::Seconds(seconds), _) => seconds,
        (_, fitted) => fitted.map_or(f64::NAN, |fitted| fitted.mean_seconds),
    };
    let log = imported.log.with_patience(mean_seconds, options.random.seed);
    Ok((log, Some(Patience { mean_seconds, fitted })))
}

fn replayed(
    log: &TicketLog,
    queue: &mut ImportedQueue,
    judge: &Judge,
    settings: ReplaySettings,
) -> Result<Replay, Failure> {
    let bar = Bar::new();
    bar.begin(
        &format!("replaying under {}", queue.loaded.label.name),
        log.len() as u64,
    );
    let done = Cell::new(0);
    let mut progress = |came: usize| {
        let before = done.replace(came);
        bar.advance((came - before) as u64);
    };
    replay(log, &mut queue.loaded, judge, settings, &mut progress).map_err(|error| match error {
        ReplayError::Steps { .. } => Failure::Usage(format!(
            "the policy `{}`: {error}; is it meant to look so often? --yes takes as many as there are",
            shown(&queue.loaded.label.name)
        )),
        error => Failure::of(error),
    })
}

/// The hindsight optimum, and in how many seconds it was found and verified.
fn best(
    log: &TicketLog,
    end: LogEnd<'_>,
    imported: &ImportedTickets,
    queue: &ImportedQueue,
    judge: &Judge,
) -> Result<(Optimum, f64), Failure> {
    let bar = Bar::new();
    let started = Instant::now();
    let best = optimum(log, &queue.loaded.settings, judge, end, &bar);
    let best = best.map_err(|error| {
        let what = match &error {
            OptimumError::Players { ticket, .. } => {
                let name = shown(&imported.names.ticket(TicketId(*ticket)));
                error
                    .to_string()
                    .replacen(&format!("ticket {ticket}"), &format!("ticket `{name}`"), 1)
            }
            _ => error.to_string(),
        };
        imported.name.refuse(format!("--hindsight: {what}"))
    })?;
    Ok((best, started.elapsed().as_secs_f64()))
}

/// A policy that starts from the prices of the hindsight optimum.
fn prices(
    answer: &ReplayAnswer,
    queue: &ImportedQueue,
    judging: Option<&RatingScale>,
) -> Option<serde_json::Value> {
    let start = answer.hindsight.as_ref()?.prices.clone()?;
    let settings = &queue.loaded.settings;
    let params = QueueParams {
        queues: settings
            .queues
            .clone()
            .into_iter()
            .filter(|(name, _)| !name.is_empty())
            .collect(),
        keys: settings.keys.clone(),
        prices: Some(PricesTable {
            start,
            ..PricesTable::default()
        }),
        ..QueueParams::default()
    };
    let mut policy =
        json!({"name": "hindsight-prices", "version": "1", "queue": params, "objective": answer.objective});
    if let Some(points) = judging.and_then(RatingScale::points) {
        policy["points_for_ten_to_one"] = json!(points);
    }
    Some(policy)
}

fn write(
    folder: &Path,
    answer: &ReplayAnswer,
    prices: Option<&serde_json::Value>,
    origin: &Origin,
) -> Result<(), Failure> {
    let mut files = Folder::default();
    files.add_json("replay.json", answer)?;
    prices
        .map(|policy| files.add_json("prices.json", policy))
        .transpose()?;
    files.add("tickets.csv", answer.ticket_table().to_csv());
    files.add("matches.csv", answer.match_table().to_csv());
    files.add_page("replay.html", &replay_page(answer).footer(origin.footer()))?;
    files.write(folder, origin)
}

fn origin(
    options: &ReplayOptions,
    command: String,
    imported: &ImportedTickets,
    queues: &[ImportedQueue],
    objective: Option<&ImportedObjective>,
) -> Result<Origin, Failure> {
    let configuration = json!({
        "hindsight": options.hindsight,
        "overdue_seconds": options.overdue,
        "tail_seconds": options.tail,
        "explained": options.explain,
        "moments": options.moments,
        "rating_scale": options.scale.rating_scale,
    });
    let mut origin = Origin::new(command, &configuration)?;
    origin.seed = Some(options.random.seed);
    origin.inputs = vec![imported.facts.clone()];
    let policies = queues.iter().map(|queue| &queue.source);
    let sources = policies.chain(objective.map(|given| &given.source));
    origin.inputs.extend(sources.map(|source| source.facts.clone()));
    Ok(origin)
}
