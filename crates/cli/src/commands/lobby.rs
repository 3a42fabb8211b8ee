//! `matchwright lobby`: players and a policy in, matches and a bound out.

mod answer;
mod odds;
mod page;
mod tables;

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use matchwright_lobby::{CertifiedLobbies, Lineups, LobbyPool, LobbySolver, LobbyVerdict, verify_lobbies};
use matchwright_scoring::{PlayerField, Total};
use matchwright_sim::adapt::{LobbyScoring, TotalSearch, lobby_pool};
use matchwright_solver::{Limits, Progress as LobbyProgress};
use serde_json::json;

pub(crate) use answer::{LobbyAnswer, LobbyMatch, TRIVIAL_BOUND};
use odds::Odds;
pub(crate) use tables::names;

use crate::arguments::LobbyOptions;
use crate::failure::{Failure, ShownPath, tell};
use crate::input::{
    ImportedPlayers, ImportedPolicy, WantedScale, import_players, import_policy, policy_called,
};
use crate::interrupt::Interruptible;
use crate::output::{Folder, Origin, Place, check_places, print, print_json};
use crate::progress::Bar;
use matchwright_import::text::listed;
use page::lobby_page;

/// The gap that is small enough without a deadline, where nothing else is asked for: some seconds for 100 players.
const GAP: f64 = 0.01;
/// The limit of work without a deadline: some ten seconds.
const WORK: u64 = 100_000_000;
/// Searches for a total that is not the mean.
const SEARCHES: u64 = 9;
/// Exchanges of a search, if nothing else is asked for.
const MOVES: u64 = 1_000_000;
/// Looks a second at the progress of the search.
const LOOKS: u64 = 10;

/// `command` is what repeats the result.
pub(crate) fn run(options: &LobbyOptions, command: String) -> Result<(), Failure> {
    check_files(options)?;
    let threads = crate::threads::threads(options.threads, 1024)?;
    let rules = import_policy(&options.policy)?;
    let mut wanted = WantedScale::new(options.scale.rating_scale);
    let called = policy_called(&options.policy.to_string_lossy());
    wanted.add(called.clone(), rules.scale.as_ref());
    let mut waiting = import_players(&options.players, &options.columns, options.names.as_written)?;
    let ignored = ignored(&waiting, &rules);
    let notes = waiting
        .notes
        .iter()
        .cloned()
        .chain(ignored_note(&called, &ignored));
    notes.for_each(|note| tell(&note));
    if options.explain && options.json {
        tell("--explain had no effect: --json has every factor");
    }
    let sizes = &options.teams.0;
    let largest = sizes.iter().copied().max().unwrap_or(0);
    let checked = waiting.pool.check_party_sizes(largest);
    checked
        .and_then(|()| rules.scoring.check_pool(&waiting.pool))
        .map_err(|error| waiting.complain(&error))?;
    for note in waiting.bring(&wanted)? {
        tell(&note);
    }
    let scoring = LobbyScoring {
        pool: &waiting.pool,
        policy: &rules.scoring,
    };
    let pool = lobby_pool(&waiting.pool, sizes.as_slice()).map_err(|error| waiting.refuse(&error))?;

    let (lineups, interrupted) = solve(options, threads, &pool, &scoring, rules.scoring.total())?;
    let verdict = options
        .verify
        .then(|| check(&pool, &scoring, &lineups))
        .transpose()?;
    let odds = Odds::new(rules.win.as_ref(), sizes, &waiting);
    let mut answer = LobbyAnswer::new(
        &rules.scoring,
        &scoring,
        &odds,
        &pool,
        &lineups,
        options.deadline.is_some(),
        verdict,
    );
    answer.notes.extend(odds.note(&answer.matches));
    answer.notes.extend(ended_early(options, &answer));
    answer.rated_by = waiting.rated_by().map(|by| by.params.system.name());
    answer.not_used.clone_from(&waiting.unused);
    answer.not_looked_at = ignored.iter().map(|field| field.name()).collect();
    answer.notes.extend(interrupted.map(|after| {
        format!(
            "Stopped by Ctrl-C after {:.1} s: these are the best matches until then.",
            after.as_secs_f64()
        )
    }));
    if let Some(folder) = &options.out {
        write(folder, &answer, &origin(options, command, &waiting, &rules)?)?;
    }
    if options.json {
        return print_json(&answer);
    }
    print(&(answer.summary() + "\n"))?;
    for note in &answer.notes {
        print(&format!("{}\n", matchwright_report::visible_line(note)))?;
    }
    for table in &answer.tables(options.explain) {
        print(&format!("\n{}", table.to_text()))?;
    }
    print(&match &options.out {
        Some(folder) => format!("\nPage: {}\n", folder.join("lobby.html").shown()),
        None if options.explain => String::new(),
        None => "\nAdd --explain for every factor of every match, --out DIR for a page.\n".to_owned(),
    })
}

/// That a search without a clock ended at its limit of work.
fn ended_early(options: &LobbyOptions, answer: &LobbyAnswer) -> Option<String> {
    let wanted = gap(options);
    let is_far = answer.gap.is_some_and(|gap| gap > wanted) && !answer.is_bound_trivial();
    (is_far && options.deadline.is_none() && !answer.is_optimal()).then(|| {
        format!(
            "The search ended at its limit of work, before the gap was {} %: --deadline gives it more.",
            100.0 * wanted
        )
    })
}

/// What a lobby looks at whatever the policy: who plays together, and who has waited.
const ALWAYS: [PlayerField; 2] = [PlayerField::Party, PlayerField::WaitSeconds];

/// What players have that the policy does not look at.
fn ignored(waiting: &ImportedPlayers, rules: &ImportedPolicy) -> Vec<PlayerField> {
    let is_given = |field: &PlayerField| waiting.pool.players().any(|player| field.is_given(player));
    let is_ignored = |field: &PlayerField| !ALWAYS.contains(field) && !rules.scoring.looks_at(*field);
    let all = PlayerField::ALL.into_iter();
    all.filter(is_ignored).filter(is_given).collect()
}

/// The same in words, with the rules that would.
fn ignored_note(called: &str, ignored: &[PlayerField]) -> Option<String> {
    let named = ignored.iter().map(|field| {
        let rule = match field {
            PlayerField::Blocks => " (`[scoring.rules.blocks]` would)",
            PlayerField::Region => " (`[scoring.rules.regions]` would)",
            PlayerField::Griefer => " (`[scoring.rules.griefers]` would)",
            _ => "",
        };
        format!("{}{rule}", field.name())
    });
    Some(format!("{called} does not look at: {}", listed(named)?))
}

/// No file is read twice from one stream, or written over.
fn check_files(options: &LobbyOptions) -> Result<(), Failure> {
    let inputs = [options.players.as_path(), options.policy.as_path()];
    check_places(inputs, options.out.as_deref().map(Place::Folder))
}

/// The gap that is small enough: all of the time is used where there is a clock, which else may be much.
fn gap(options: &LobbyOptions) -> f64 {
    let default = if options.deadline.is_some() { 0.0 } else { GAP };
    options.gap.unwrap_or(default)
}

/// The lineups, by the clock if there is a deadline, else by the number of exchanges; and after which time Ctrl-C ended
/// the search, if it did.
fn solve(
    options: &LobbyOptions,
    threads: usize,
    pool: &LobbyPool,
    scoring: &LobbyScoring<'_>,
    total: Total,
) -> Result<(Lineups, Option<Duration>), Failure> {
    let moves = match options.deadline {
        Some(_) => u64::MAX,
        None => options.iterations.unwrap_or(MOVES),
    };
    let seed = options.random.seed;
    let by_sum = CertifiedLobbies::new(seed).with_threads(threads);
    let by_sum = by_sum.with_gap(gap(options)).with_moves(moves);
    let solver = TotalSearch {
        total,
        by_sum: &by_sum,
        seed,
        moves,
        threads,
    };
    let Some(limit) = options.deadline else {
        let _bar = Bar::begun("making matches");
        let searches = if solver.total.is_average() { 1 } else { SEARCHES };
        // Annealing gets a quarter of it.
        let work = WORK.max(moves.saturating_mul(4)).saturating_mul(searches);
        let limits = Limits::unlimited().with_work(work);
        let lineups = solver.solve_within(pool, scoring, &limits);
        return Ok((lineups.map_err(Failure::of)?, None));
    };
    let interruptible = Interruptible::begin(&format!("searching for up to {limit:?}"));
    let bar = Bar::begun("making matches");
    let started = Instant::now();
    let looked = AtomicU64::new(0);
    let watch = |progress: &LobbyProgress| {
        let passed = started.elapsed();
        // Progress is shown once for each interval, by the first thread in it.
        let look = passed.as_secs() * LOOKS + u64::from(passed.subsec_millis()) * LOOKS / 1000;
        if look > looked.load(Ordering::Relaxed) && looked.fetch_max(look, Ordering::Relaxed) < look {
            bar.say(&message(progress));
        }
        if limit.is_zero() || interruptible.is_asked() {
            1.0
        } else {
            passed.as_secs_f64() / limit.as_secs_f64()
        }
    };
    let limits = Limits::unlimited().with_watch(&watch);
    let lineups = solver.solve_within(pool, scoring, &limits).map_err(Failure::of)?;
    let interrupted = interruptible.is_asked().then(|| started.elapsed());
    Ok((lineups, interrupted))
}

/// Verifies the lineups by code that shares nothing with the search.
fn check(pool: &LobbyPool, scoring: &LobbyScoring<'_>, lineups: &Lineups) -> Result<LobbyVerdict, Failure> {
    let _bar = Bar::begun("checking matches and bound");
    verify_lobbies(pool, scoring, lineups)
        .map_err(|error| Failure::Failed(format!("the check of the lineups failed: {error}")))
}

fn message(progress: &LobbyProgress) -> String {
    let stage = match progress.stage {
        "bound" => "bounding",
        "proof" => "proving",
        _ => "searching",
    };
    let number = |name: &str, value: Option<f64>| {
        value.map_or_else(String::new, |value| format!(", {name} {value:.4}"))
    };
    format!(
        "{stage}{}{}",
        number("value", progress.value),
        number("upper bound", progress.bound)
    )
}

fn write(folder: &Path, answer: &LobbyAnswer, origin: &Origin) -> Result<(), Failure> {
    let mut files = Folder::default();
    files.add_json("lineups.json", answer)?;
    files.add_page("lobby.html", &lobby_page(answer).footer(origin.footer()))?;
    files.write(folder, origin)
}

/// Threads, folders and what is shown stay out: they change nothing in the results.
fn origin(
    options: &LobbyOptions,
    command: String,
    waiting: &ImportedPlayers,
    rules: &ImportedPolicy,
) -> Result<Origin, Failure> {
    let mut configuration = json!({
        "teams": options.teams.to_string(),
        "gap": gap(options),
        "reproducible": options.deadline.is_none(),
    });
    if let Some(deadline) = options.deadline {
        configuration["deadline_seconds"] = json!(deadline.as_secs_f64());
    }
    if let Some(points) = options.scale.rating_scale {
        configuration["rating_scale"] = json!(points);
    }
    if let Some(iterations) = options.iterations {
        configuration["iterations"] = json!(iterations);
    }
    let mut origin = Origin::new(command, &configuration)?;
    origin.seed = Some(options.random.seed);
    origin.inputs = vec![waiting.facts.clone(), rules.source.facts.clone()];
    Ok(origin)
}
