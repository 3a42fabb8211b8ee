//! `matchwright simulate`: tickets without a match count in every wait, and in what may be chosen.

use serde_json::Value;

use crate::common::{answer_in, json_in, matchwright};

/// A ladder on which most leave before anyone like them comes.
const IMPATIENT: &str = "\
name = \"impatient\"
policies = [\"strict.toml\", \"loose.toml\"]
worlds = 4
hours = 3
warm_up_hours = 1

[arrivals]
per_second = 0.05

[patience]
exponential = 60
";

/// Windows of a width that never changes.
fn policy(name: &str, start: u32, more: &str) -> String {
    format!(
        "name = \"{name}\"\nversion = \"1\"\n[queue]\naccept = \"both\"\n{more}\n[[queue.windows]]\nof = \"skill\"\n\
         start = {start}\nper_second = 0\n[objective]\nof = \"skill\"\nlost = 500\n"
    )
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("impatient.toml", IMPATIENT);
    write("strict.toml", &policy("strict", 20, ""));
    write("loose.toml", &policy("loose", 200, ""));
    write("full.toml", &policy("full", 200, "limits = { most_tickets = 1 }"));
    folder
}

/// The mean of a figure under a policy, by its place; none where it is open.
fn mean(answer: &Value, figure: &str, policy: usize) -> Option<f64> {
    found(&answer["figures"], figure)["means"][policy]["mean"].as_f64()
}

fn found<'v>(figures: &'v Value, figure: &str) -> &'v Value {
    let mut all = figures.as_array().unwrap().iter();
    all.find(|one| one["figure"] == figure).unwrap()
}

#[test]
fn a_wait_is_open_where_more_tickets_than_it_leaves_out_had_no_match() {
    let folder = folder();
    let said = json_in(folder.path(), "simulate run impatient.toml --policy loose.toml");
    let tickets = &said["each"][0]["policies"][0]["tickets"];
    let of = |fate: &str| tickets[fate].as_f64().unwrap_or(0.0);
    let all = of("matched") + of("left") + of("waits");
    let percent = |some: f64| Some(100.0 * some / all);
    assert!(of("left") > 0.1 * all && of("left") < 0.5 * all, "{tickets}");
    let lost = mean(&said, "lost", 0);
    assert_eq!(lost, percent(of("left") + of("waits")));
    assert_eq!(mean(&said, "left", 0), percent(of("left")));
    assert_eq!(mean(&said, "waiting", 0), percent(of("waits")));
    assert_eq!(
        (mean(&said, "declined", 0), mean(&said, "refused", 0)),
        (Some(0.0), Some(0.0))
    );
    assert!(
        mean(&said, "overdue", 0) >= lost,
        "who has no match has none within 300 s"
    );
    // Half had a match, nine in ten had not.
    assert!(mean(&said, "wait_50", 0).is_some());
    let open = found(&said["figures"], "wait_90");
    assert!(open["means"][0].is_null());
    assert_eq!(open["open"][0], "more than 10 % had no match");
    let waits = &said["each"][0]["policies"][0]["waits"][0];
    assert_eq!(waits["tickets"].as_f64(), Some(all));
    assert_eq!(waits["left"].as_f64(), Some(of("left")));
    assert!(waits["q90"].is_null() && waits["q99"].is_null());
    let text = answer_in(folder.path(), "simulate run impatient.toml --policy loose.toml");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in [
        "90th-percentile wait for a match (s) open (more than 10 % had no match)",
        "Tickets that left (%) ",
        "Tickets that still waited at the end (%) ",
    ] {
        assert!(text.contains(words.trim_end()), "{words}\n{text}");
    }
}

#[test]
fn who_still_waits_at_the_end_is_without_a_match() {
    let folder = folder();
    let patient = IMPATIENT.replace("[patience]\nexponential = 60\n", "");
    std::fs::write(folder.path().join("patient.toml"), patient).unwrap();
    std::fs::write(folder.path().join("never.toml"), policy("never", 0, "")).unwrap();
    let said = json_in(folder.path(), "simulate run patient.toml --policy never.toml");
    for figure in ["lost", "waiting", "overdue"] {
        assert_eq!(mean(&said, figure, 0), Some(100.0), "{figure}");
    }
    assert_eq!(mean(&said, "left", 0), Some(0.0));
    assert_eq!(
        found(&said["figures"], "wait_50")["open"][0],
        "more than 50 % had no match"
    );
    // All waited, from 0 to 2 hours.
    assert!(mean(&said, "wait_mean", 0) > Some(3000.0), "{said}");
}

#[test]
fn who_is_refused_is_lost() {
    let folder = folder();
    let said = json_in(folder.path(), "simulate run impatient.toml --policy full.toml");
    let refused = mean(&said, "refused", 0).unwrap();
    assert!(refused > 10.0, "{said}");
    let lost = mean(&said, "lost", 0).unwrap();
    let others = ["left", "declined", "waiting"].map(|figure| mean(&said, figure, 0).unwrap());
    assert!((lost - refused - others.iter().sum::<f64>()).abs() < 1e-9);
    // Each of them pays the price of a lost one.
    let paid = mean(&said, "lost_cost", 0).unwrap();
    assert!((paid - 500.0 * lost / 100.0).abs() < 1e-9, "{paid} {lost}");
}

#[test]
fn fewer_matches_are_no_better_ones() {
    let folder = folder();
    let line = "simulate compare impatient.toml --policy loose.toml --policy strict.toml";
    let said = json_in(folder.path(), line);
    let clear = |figure: &str| found(&said["figures"], figure)["differences"][1]["interval"].clone();
    let (lost, mismatch) = (clear("lost"), clear("mismatch"));
    assert!(
        lost[0].as_f64() > Some(0.0) && mismatch[1].as_f64() < Some(0.0),
        "{said}"
    );
    let text = answer_in(folder.path(), line);
    let rows = text.split_once("Differences to loose").unwrap().1;
    let row = |name: &str| rows.lines().find(|line| line.contains(name)).unwrap().trim_end();
    assert!(row("Tickets without a match (%)").ends_with(", worse"), "{text}");
    assert!(row("Mean mismatch of a match").ends_with(')'), "{text}");
    assert!(
        row("90th-percentile wait for a match").ends_with(" open"),
        "{text}"
    );
}

#[test]
fn tuning_chooses_no_value_under_which_more_are_lost_unless_it_is_told() {
    let folder = folder();
    let line = "simulate tune impatient.toml --policy loose.toml --worlds 2 --best mismatch \
                --vary queue.windows.0.start=20,200,400";
    let said = json_in(folder.path(), line);
    let today = said["lost_today"].as_f64().unwrap();
    assert_eq!(said["keep"][0]["figure"], "lost");
    assert_eq!(said["keep"][0]["bound"].as_f64(), Some(today));
    // 20 has the least mismatch, of those few who are matched.
    assert_eq!(said["best"]["values"][0], 200.0, "{said}");
    for tried in said["tried"].as_array().unwrap() {
        let lost = tried["found"][0].as_f64().unwrap();
        assert_eq!(tried["keeps"], lost <= today, "{tried}");
    }
    let told = json_in(folder.path(), &format!("{line} --keep lost=100"));
    assert_eq!(told["best"]["values"][0], 20.0, "{told}");
    // A wait that is open keeps no bound.
    let waits = json_in(
        folder.path(),
        &format!("{line} --keep lost=100 --keep wait_90=1000"),
    );
    assert!(waits["best"].is_null());
    assert_eq!(
        waits["tried"][0]["open"][1],
        "more than 10 % had no match in 2 of 2 worlds"
    );
    let text = answer_in(folder.path(), &format!("{line} --keep wait_90=1000"));
    assert!(
        text.contains("No values keep all bounds") && text.contains("as today"),
        "{text}"
    );
}

#[test]
fn a_size_is_no_answer_under_which_more_are_lost() {
    let folder = folder();
    let line = "simulate size impatient.toml --policy loose.toml --worlds 2 --precision 0.3";
    // As it is, half have a match soon enough; with fewer players more leave, and those who do not are as quick.
    let said = json_in(folder.path(), &format!("{line} --keep wait_50=60"));
    let today = said["lost_today"].as_f64().unwrap();
    for tried in said["tried"].as_array().unwrap() {
        let lost = tried["found"][1].as_f64();
        assert!(tried["is_enough"] == false || lost <= Some(today), "{tried}");
    }
    let enough = said["enough"].as_f64().unwrap();
    assert!((0.7..=1.0).contains(&enough), "{said}");
    let told = json_in(folder.path(), &format!("{line} --keep wait_50=60 --keep lost=60"));
    assert!(told["enough"].as_f64() < Some(enough), "{told}");
    assert_eq!(told["targets"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_search_for_a_size_ends_and_says_so_where_none_is_enough() {
    let folder = folder();
    let line = "simulate size impatient.toml --policy strict.toml --worlds 2 --keep wait_90=60 --most 3";
    let said = json_in(folder.path(), line);
    assert!(said["enough"].is_null());
    let factors: Vec<f64> = said["tried"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["factor"].as_f64().unwrap())
        .collect();
    assert_eq!(factors, [1.0, 2.0, 3.0]);
    let text = answer_in(folder.path(), line);
    let last = text.trim_end().lines().last().unwrap();
    assert!(
        last.starts_with(
            "No size from 1 to 3 times as many keeps what was asked. At 3 times: 90th-percentile wait"
        ),
        "{last}"
    );
    assert!(
        last.contains("open (more than 10 % had no match in 2 of 2 worlds)"),
        "{last}"
    );
}

#[test]
fn a_cost_in_which_the_lost_are_free_is_said_to_be_one() {
    let folder = folder();
    let free = "[objective]\nof = \"skill\"\nwaiting = 0.01\n";
    std::fs::write(folder.path().join("free.toml"), free).unwrap();
    let line = "simulate compare impatient.toml --policy loose.toml --policy strict.toml --objective";
    let said = answer_in(folder.path(), &format!("{line} free.toml"));
    for words in [
        "Tickets without a match cost nothing but the time that they waited: `lost` in [objective] gives them a price.",
        "strict costs less, but clearly more of its tickets have no match, which costs nothing here.",
    ] {
        assert!(said.contains(words), "{words}\n{said}");
    }
    let rows = said.split_once("Differences to loose").unwrap().1;
    let cost = rows
        .lines()
        .find(|line| line.contains("Cost per player"))
        .unwrap();
    assert!(cost.trim_end().ends_with(')'), "{cost}");
    let priced = answer_in(folder.path(), &format!("{line} loose.toml"));
    assert!(
        !priced.contains("costs nothing here") && !priced.contains("cost nothing"),
        "{priced}"
    );
}

#[test]
fn nothing_is_chosen_where_a_world_has_no_tickets() {
    let folder = folder();
    let empty = IMPATIENT.replace("per_second = 0.05", "per_second = 0.00001");
    std::fs::write(folder.path().join("empty.toml"), empty).unwrap();
    let line = "simulate tune empty.toml --policy loose.toml --worlds 2 --vary queue.windows.0.start=20,200";
    let said = |line: &str| {
        let run = matchwright()
            .args(line.split_whitespace())
            .current_dir(folder.path())
            .assert()
            .code(1);
        String::from_utf8_lossy(&run.get_output().stderr).into_owned()
    };
    for line in [
        line,
        "simulate size empty.toml --policy loose.toml --worlds 2 --keep wait_50=60",
    ] {
        let said = said(line);
        assert!(
            said.contains("no ticket after its warm-up") && said.contains("`hours`"),
            "{said}"
        );
    }
}

#[test]
fn a_world_in_which_no_ticket_comes_has_no_costs() {
    let folder = folder();
    let world = "policies = [\"widening\"]\nhours = 1\n[arrivals]\nper_second = 1e-9\n";
    std::fs::write(folder.path().join("nobody.toml"), world).unwrap();
    let said = answer_in(folder.path(), "simulate run nobody.toml");
    assert!(
        !said.contains("Cost per player") && said.contains("1 world, 1 hour each"),
        "{said}"
    );
}
