//! What of a scenario changes nothing under its policies, in words.

use matchwright_sim::replay::Judge;
use matchwright_sim::simulate::{AcceptanceParams, AgainParams, ArrivalParams, ScenarioParams};

use crate::commands::looked_at::{ignored_by_all, is_looked_at, only_judging};
use crate::input::{ImportedQueue, ImportedScenario};
use matchwright_import::text::listed;

/// Keys without effect, and what players have that nothing looks at.
pub(super) fn without_effect(imported: &ImportedScenario, judge: &Judge) -> Vec<String> {
    let params = imported.scenario.params();
    let keys = idle_keys(imported, params).into_iter();
    let notes = keys.map(|(key, why)| format!("`{key}` had no effect: {why}"));
    let ignored = match &imported.log {
        Some(log) => ignored_by_all(&log.log, &imported.queues, judge),
        None => ignored_attributes(imported, params, judge),
    };
    let ignored = listed(ignored).map(|names| format!("no policy looks at: {names}"));
    let judging = imported.queues.iter().filter_map(only_judging);
    notes.chain(ignored).chain(judging).collect()
}

fn idle_keys(imported: &ImportedScenario, params: &ScenarioParams) -> Vec<(String, &'static str)> {
    let asks = |queue: &ImportedQueue| queue.loaded.settings.accept_within.is_some();
    let nobody_asks = !imported.queues.iter().any(asks);
    let no_players = params.people.players.is_none();
    let plain = ArrivalParams::default();
    let by_hour = &params.arrivals.by_hour;
    let is_timed = params.arrivals.per_second != plain.per_second
        || !params.arrivals.bursts.is_empty()
        || by_hour.windows(2).any(|hours| hours[0] != hours[1]);
    let all = [
        (
            "acceptance",
            nobody_asks && params.acceptance != AcceptanceParams::default(),
            "no policy has `[queue.acceptance]`",
        ),
        (
            "again",
            no_players && params.again != AgainParams::default(),
            "without `people.players` every party comes once",
        ),
        (
            "people.drift_per_day",
            no_players && params.people.drift_per_day > 0.0,
            "without `people.players` every party comes once",
        ),
        (
            "arrivals",
            imported.log.is_some() && is_timed,
            "the tickets of `arrivals.log` come, at its times; only `factor` counts",
        ),
        (
            "rating.error_deviation",
            params.rating.system.is_some() && params.rating.error_deviation > 0.0,
            "`rating.system` learns the ratings",
        ),
    ];
    let said = all.into_iter().filter(|(_, is_so, _)| *is_so);
    let said = said.map(|(key, _, why)| (key.to_owned(), why));
    said.collect()
}

/// What players or parties have that neither a policy nor the objective looks at.
fn ignored_attributes(imported: &ImportedScenario, params: &ScenarioParams, judge: &Judge) -> Vec<String> {
    let people = &params.people;
    let of_groups = people.groups.iter().flat_map(|group| group.words.keys());
    let words = people.words.keys().chain(of_groups);
    let churn = params.churn.is_some().then(|| "churn".to_owned());
    let mut names: Vec<String> = people.numbers.keys().chain(words).cloned().chain(churn).collect();
    names.retain(|name| !is_looked_at(name, &imported.queues, judge));
    names.sort();
    names.dedup();
    names
}
