//! `matchwright simulate`: worlds and policies in, figures, files and complaints out.

use serde_json::Value;

use crate::common::{answer, answer_in, complaint, examples_of, files, json_in, lines, matchwright};

/// Hours of a small ladder.
const WORLD: &str = "\
name = \"tiny\"
policies = [\"widening\", \"prices\"]
worlds = 3
hours = 3
warm_up_hours = 1

[arrivals]
per_second = 0.05

[patience]
exponential = 200
";

/// A folder with the world in `tiny.toml`.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tiny.toml"), WORLD).unwrap();
    folder
}

/// The examples name a world that is there under its name and its path: here it is a small one.
#[test]
fn every_example_of_the_help_runs() {
    let folder = tempfile::tempdir().unwrap();
    answer_in(folder.path(), "examples --out examples");
    let small = WORLD.replace("hours = 3", "hours = 1.5");
    for name in [
        "ladder-season",
        "three-a-side",
        "examples/scenarios/ladder-season.toml",
    ] {
        std::fs::write(folder.path().join(name), &small).unwrap();
    }
    let mut ran = 0;
    for question in [&[][..], &["run"], &["compare"], &["tune"], &["size"], &["fit"]] {
        for example in examples_of(&[&["simulate"], question].concat()) {
            let example = example.join(" ");
            answer_in(folder.path(), &example.replace("--worlds 40", "--worlds 4"));
            ran += 1;
        }
    }
    assert_eq!(ran, 18);
    for file in [
        "season/index.html",
        "tuned/tuning.json",
        "fitted/scenario.toml",
        "fitted/estimates.csv",
    ] {
        assert!(folder.path().join("target").join(file).exists(), "{file}");
    }
}

#[test]
fn a_run_is_written_with_its_manifest_and_its_tickets_can_be_replayed() {
    let folder = folder();
    let said = answer_in(folder.path(), "simulate run tiny.toml --seed 5 --out out");
    assert!(
        said.starts_with("tiny: 1 world, 3 hours each, of which the first 1 count for nothing\n"),
        "{said}"
    );
    assert!(
        said.contains("Cost per player") && said.contains("Page: out/index.html"),
        "{said}"
    );
    for file in [
        "index.html",
        "simulation.json",
        "tickets.jsonl",
        "matches.csv",
        "manifest.json",
    ] {
        assert!(folder.path().join("out").join(file).exists(), "{file}");
    }
    let manifest = std::fs::read_to_string(folder.path().join("out/manifest.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["seed"], 5);
    assert!(
        manifest["command"]
            .as_str()
            .unwrap()
            .contains("simulate run tiny.toml"),
        "{manifest}"
    );
    // Under the policy that ran it the log comes out the same, where all that it needs is in the log.
    let log = std::fs::read_to_string(folder.path().join("out/tickets.jsonl")).unwrap();
    let matched = log.lines().filter(|line| line.contains("\"matched\"")).count();
    let replayed = json_in(folder.path(), "replay out/tickets.jsonl --policy widening");
    // Each match is in the log with its teams.
    let matches = std::fs::read_to_string(folder.path().join("out/matches.csv")).unwrap();
    assert_eq!(replayed["recorded"]["matches"], matches.lines().count() - 1);
    assert_eq!(replayed["tickets"], log.lines().count());
    let again = replayed["policies"][0]["matched"].as_u64().unwrap();
    let again = usize::try_from(again).unwrap();
    // Those who were still waiting at the end of the world are matched in the replay, if anyone is left.
    assert!(
        matched > 300 && (matched..matched + 10).contains(&again),
        "{matched} {again}"
    );
    let measured = json_in(folder.path(), "simulate run tiny.toml --seed 5");
    let file = std::fs::read_to_string(folder.path().join("out/simulation.json")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&file).unwrap(), measured);
    assert_ne!(
        json_in(folder.path(), "simulate run tiny.toml --seed 6"),
        measured
    );
}

#[test]
fn threads_and_parts_never_show() {
    let folder = folder();
    let whole = "simulate compare tiny.toml --threads 2 --out whole";
    let said = answer_in(folder.path(), whole);
    assert!(
        said.contains("tiny: 3 worlds, the same for every policy"),
        "{said}"
    );
    let one = json_in(folder.path(), "simulate compare tiny.toml --threads 1");
    let three = json_in(folder.path(), "simulate compare tiny.toml --threads 3");
    assert_eq!(one, three);
    assert_eq!(one["policies"][1]["name"], "prices");
    assert_eq!(one["each"].as_array().map(Vec::len), Some(3));
    let wait = one["figures"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["figure"] == "wait_mean");
    let difference = &wait.unwrap()["differences"][1];
    let ends = &difference["interval"];
    assert!(ends[0].as_f64() < difference["mean"].as_f64() && difference["mean"].as_f64() < ends[1].as_f64());
    for part in ["1/2", "2/2"] {
        let name = part.replace('/', "-of-");
        let line = format!("simulate compare tiny.toml --threads 1 --shard {part} --out {name}.cbor");
        answer_in(folder.path(), &line);
    }
    answer_in(folder.path(), "merge 2-of-2.cbor 1-of-2.cbor --out merged");
    let of = |name: &str| files(&folder.path().join(name));
    assert_eq!(of("merged"), of("whole"));
}

#[test]
fn hindsight_is_a_figure_with_its_note() {
    let folder = folder();
    let compared = "simulate compare tiny.toml --hindsight";
    let found = json_in(folder.path(), compared);
    let figures = found["figures"].as_array().unwrap();
    let regret = figures.iter().find(|one| one["figure"] == "regret").unwrap();
    for mean in regret["means"].as_array().unwrap() {
        assert!(mean["mean"].as_f64().unwrap() > 0.0, "{regret}");
    }
    let text = answer_in(folder.path(), compared);
    assert!(
        text.contains("a proven bound: no policy that admits the same tickets pays less"),
        "{text}"
    );
    let without = json_in(folder.path(), "simulate compare tiny.toml");
    assert!(
        without["figures"]
            .as_array()
            .unwrap()
            .iter()
            .all(|one| one["figure"] != "regret")
    );
}

#[test]
fn tuning_and_sizing_keep_their_bounds_for_any_threads() {
    let folder = folder();
    let tune = "simulate tune tiny.toml --policy widening --worlds 2 --keep wait_50=90 --best mismatch \
                --vary queue.windows.0.per_second=1,4,20";
    let one = json_in(folder.path(), &format!("{tune} --threads 1"));
    assert_eq!(
        one,
        json_in(folder.path(), &format!("{tune} --threads 2 --out tuned"))
    );
    assert_eq!(one["tried"].as_array().map(Vec::len), Some(3));
    for tried in one["tried"].as_array().unwrap() {
        let is_soon = tried["found"][0].as_f64().is_some_and(|wait| wait <= 90.0);
        let keeps = is_soon && tried["found"][1].as_f64() <= one["lost_today"].as_f64();
        assert_eq!(tried["keeps"], keeps, "{tried}");
    }
    let best = one["best"]["values"][0].as_f64().unwrap();
    let tuned = std::fs::read_to_string(folder.path().join("tuned/tuned.toml")).unwrap();
    let tuned: toml::Table = toml::from_str(&tuned).unwrap();
    // Whole numbers are written without a point.
    let found = tuned["queue"]["windows"][0]["per_second"].to_string();
    assert_eq!(found.parse(), Ok(best));
    let size = "simulate size tiny.toml --worlds 2 --keep wait_50=30 --precision 0.5";
    let one = json_in(folder.path(), &format!("{size} --threads 1"));
    assert_eq!(
        one,
        json_in(folder.path(), &format!("{size} --threads 2 --out sized"))
    );
    let enough = one["enough"].as_f64().unwrap();
    let tried = one["tried"].as_array().unwrap();
    let of = |tried: &&Value| tried["factor"].as_f64() == Some(enough);
    assert!(tried.iter().find(of).unwrap()["found"][0].as_f64().unwrap() <= 30.0);
    for file in [
        "tuned/index.html",
        "tuned/manifest.json",
        "sized/size.json",
        "sized/sizes.csv",
    ] {
        assert!(folder.path().join(file).exists(), "{file}");
    }
}

#[test]
fn a_world_fitted_to_a_log_runs_and_says_what_was_not_observed() {
    let folder = folder();
    answer_in(folder.path(), "simulate run tiny.toml --out out");
    let printed = answer_in(folder.path(), "simulate fit out/tickets.jsonl --policy widening");
    for words in [
        "# A world fitted to out/tickets.jsonl: ",
        "policies = [\"widening\"]",
        "\n[arrivals]\nper_second = 0.0",
        "# the log spans 3.0 hours, less than a day",
        "\n[patience]\ntable = [[",
        "# [acceptance]\n# answers to proposals were not observed",
        "# [play]\n",
    ] {
        assert!(printed.contains(words), "{words}\n{printed}");
    }
    let said = answer_in(
        folder.path(),
        "simulate fit out/tickets.jsonl --policy widening --out fitted",
    );
    assert!(
        said.contains("arrivals.per_second") && said.contains("Scenario: fitted/scenario.toml"),
        "{said}"
    );
    let written = std::fs::read_to_string(folder.path().join("fitted/scenario.toml")).unwrap();
    assert_eq!(written, printed);
    for file in ["index.html", "fit.json", "manifest.json", "estimates.csv"] {
        assert!(folder.path().join("fitted").join(file).exists(), "{file}");
    }
    let fitted = json_in(folder.path(), "simulate fit out/tickets.jsonl --policy widening");
    let rate = fitted["params"]["arrivals"]["per_second"].as_f64().unwrap();
    assert!((rate - 0.05).abs() < 4.0 * 0.05 / 540.0_f64.sqrt(), "{rate}");
    let again = answer_in(folder.path(), "simulate run fitted/scenario.toml");
    assert!(again.starts_with("fitted to tickets.jsonl: 1 world"), "{again}");
}

/// Nobody gives up, so that no world shows a variance; of some policies a few do.
#[test]
fn rare_events_have_the_interval_of_a_ratio_and_none_of_none_is_said_so() {
    let folder = folder();
    let never = WORLD.replace("exponential = 200", "exponential = 1e9");
    std::fs::write(folder.path().join("never.toml"), never).unwrap();
    let compared = "simulate compare never.toml --out out";
    let text = answer_in(folder.path(), compared);
    let lost = text
        .lines()
        .rfind(|line| line.contains("Tickets that left"))
        .unwrap();
    assert!(lost.contains("none in ") && lost.contains(" tickets"), "{text}");
    assert!(!text.contains("[0, 0]") && !text.contains("± 0 "), "{text}");
    let found = json_in(folder.path(), "simulate compare never.toml");
    let lost = found["figures"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["figure"] == "left");
    let lost = lost.unwrap();
    assert_eq!(lost["means"][0]["standard_error"], Value::Null);
    let difference = &lost["differences"][1];
    assert_eq!(difference["interval"], Value::Null);
    assert_eq!(difference["counts"]["events"], serde_json::json!([0, 0]));
    let table = std::fs::read_to_string(folder.path().join("out/differences.csv")).unwrap();
    let heading = "figure,policy,difference,from,to,ratio,ratio_from,ratio_to";
    assert!(table.starts_with(heading), "{table}");
}

/// 40 tickets are matched after 2 to 80 s; then 20 give up, the last after 247.8 s, when nobody else waits any more.
#[test]
fn the_patience_of_a_log_ends_where_fewer_than_twenty_wait() {
    let log = lines((0..60_u32).map(|at| {
        let came = 1_714_500_000 + 30 * at;
        let end = |seconds: f64| format!("{:.1}", f64::from(came) + seconds);
        let ends = match at.checked_sub(40) {
            None => format!(",{}", end(f64::from(2 * at + 2))),
            Some(later) => format!("{},", end(0.8 + 13.0 * f64::from(later))),
        };
        format!("t{at},{came},{ends},1500")
    }));
    let header = "ticket,time,left,matched,skill\n";
    let text = answer(&["simulate", "fit", "-"], format!("{header}{log}"));
    assert!(!text.contains("247.8") && !text.contains("+- 0,"), "{text}");
    assert!(text.contains("# open beyond "), "{text}");
    let told = text.lines().find(|line| line.starts_with("# left by ")).unwrap();
    assert!(told.contains(" +- ") && told.contains("95 % interval"), "{told}");
    // All parties are of one player: of 60 that is no certainty.
    assert!(
        text.contains("# parties of 1: 1, 95 % interval 0.94 to 1, from 60 tickets"),
        "{text}"
    );
    let few = lines(log.lines().skip(44));
    let text = answer(&["simulate", "fit", "-"], format!("{header}{few}"));
    assert!(
        text.contains("too few to tell") && !text.contains("table = "),
        "{text}"
    );
}

/// A replacement in the world, the place of the complaint, and words of it.
type Fault = (
    (&'static str, &'static str),
    &'static str,
    &'static [&'static str],
);

const COUNT: &str = "worlds = 3";

/// Keys out of range.
const FAULTS: &[Fault] = &[
    (("per_second", "per_secnd"), "8:1:", &["per_secnd"]),
    (
        ("per_second = 0.05", "per_second = -1"),
        "8:1:",
        &["`arrivals.per_second` is -1", "above 0"],
    ),
    (
        ("per_second = 0.05", "per_second = nan"),
        "8:1:",
        &["`arrivals.per_second` is NaN"],
    ),
    (
        ("per_second = 0.05", "per_second = \"often\""),
        "8:14:",
        &["`arrivals.per_second`: invalid type"],
    ),
    (
        ("per_second = 0.05", "per_second = 1e12"),
        "8:1:",
        &["`arrivals.per_second` is 1000000000000", "in all `hours`"],
    ),
    (
        ("[patience]", "[again]\nnext_match = [0.5]\n[patience]"),
        "11:14:",
        &["`again.next_match`: invalid length 1"],
    ),
    (
        ("[patience]", "[rating]\nsystem = \"through-time\"\n[patience]"),
        "11:1:",
        &["`rating.system`", "only elo"],
    ),
    (
        ("exponential = 200", "exponential = 0"),
        "11:1:",
        &["`patience.exponential` is 0"],
    ),
    (
        ("exponential = 200", "table = [[5, 0.5], [4, 0.6]]"),
        "11:1:",
        &["`patience.table`", "rising"],
    ),
    (
        ("warm_up_hours = 1", "warm_up_hours = 3"),
        "5:1:",
        &["`warm_up_hours` is 3"],
    ),
    ((COUNT, "worlds = 0"), "3:1:", &["`worlds` is 0"]),
    (
        (COUNT, "worlds = 3\npeople = { players = 0 }"),
        "4:12:",
        &["`people.players` is 0"],
    ),
    (
        (COUNT, "worlds = 3\npeople = { parties = [0, 0] }"),
        "4:12:",
        &["`people.parties` is [0.0, 0.0]"],
    ),
    (
        (COUNT, "worlds = 3\npeople = { parties = [] }"),
        "4:12:",
        &["`people.parties` is []"],
    ),
];

/// What contradicts something else.
const CONTRADICTIONS: &[Fault] = &[
    // What the policies ask for and the world has not.
    (
        (COUNT, "worlds = 3\npeople = { parties = [1, 0, 1] }"),
        "4:12:",
        &["`widening` has no team for a party of 3"],
    ),
    (
        (
            COUNT,
            "worlds = 3\npeople = { queues = [{ size = 1, names = [\"arena\"] }] }",
        ),
        "4:12:",
        &["`people.queues`", "has no queue `arena`"],
    ),
    (
        ("[\"widening\", \"prices\"]", "[\"dominations\"]"),
        "",
        &["dominations", "needs"],
    ),
    // Of several regions the one that is wrong.
    (
        (
            "[patience]",
            "[[regions]]\nname = \"a\"\nshare = 1\n[[regions]]\nname = \"b\"\nshare = -2\n[patience]",
        ),
        "15:1:",
        &["`regions.share` is -2"],
    ),
    (
        (
            "[patience]",
            "[people.numbers.age]\nmean = 30\ndeviation = -4\n[patience]",
        ),
        "12:1:",
        &["`people.numbers.age.deviation` is -4"],
    ),
    (
        (
            "[patience]",
            "[[regions]]\nname = \"a\"\nshare = 1\n[[regions]]\nname = \"a\"\nshare = 2\n[patience]",
        ),
        "11:1:",
        &["`regions.name` is a: give each region a name of its own"],
    ),
    (
        (
            "[patience]",
            "[[regions]]\nname = \"a\"\nshare = 1\npings = { b = 30 }\n[patience]",
        ),
        "13:11:",
        &["`regions.pings.b`", "no such region"],
    ),
    // What claims compare.
    (
        (
            "[patience]",
            "[[claims]]\nsays = \"it\"\nfigure = \"cost\"\nis = \"less\"\nthan = \"prizes\"\n[patience]",
        ),
        "14:1:",
        &["`claims.than` is prizes: give the name of one of the `policies`"],
    ),
    (
        ("\"prices\"", "\"widening\""),
        "2:1:",
        &["two policies are called `widening`"],
    ),
    // Files that are not there.
    (
        ("\"prices\"", "\"prizes\""),
        "2:1:",
        &["`policies`", "prizes", "did you mean `prices`?"],
    ),
    (
        ("\"prices\"", "\"mine.toml\""),
        "2:1:",
        &["`policies`", "mine.toml"],
    ),
    (
        (COUNT, "worlds = 3\nobjective = \"nobody\""),
        "4:1:",
        &["`objective`", "nobody"],
    ),
    (
        ("per_second = 0.05", "log = \"no.jsonl\""),
        "8:1:",
        &["`arrivals.log`", "no.jsonl"],
    ),
    (
        ("policies = [\"widening\", \"prices\"]\n", ""),
        "1:",
        &["policies"],
    ),
];

/// Each with the line of the key, and the key.
#[test]
fn a_world_that_cannot_be_is_refused_at_its_line_and_key() {
    let folder = folder();
    let refused = |change: (&str, &str), place: &str, words: &[&str]| {
        let path = folder.path().join("bad.toml");
        let text = WORLD.replacen(change.0, change.1, 1);
        assert_ne!(text, WORLD, "{change:?}");
        std::fs::write(&path, text).unwrap();
        let said = complaint(&["simulate", "run", path.to_str().unwrap()], "", 1);
        assert!(said.contains(&format!("bad.toml:{place}")), "{place}: {said}");
        for words in words {
            assert!(said.contains(words), "{words}: {said}");
        }
    };
    for &(change, place, words) in FAULTS.iter().chain(CONTRADICTIONS) {
        refused(change, place, words);
    }
}

#[test]
fn a_folder_may_have_the_name_of_a_policy_that_the_program_carries() {
    let folder = folder();
    std::fs::write(folder.path().join("world.toml"), WORLD).unwrap();
    for _ in 0..2 {
        let mut run = matchwright();
        run.args([
            "simulate",
            "run",
            "world.toml",
            "--policy",
            "prices",
            "--out",
            "prices",
        ]);
        run.current_dir(folder.path()).assert().success();
    }
}

#[test]
fn a_command_line_that_makes_no_sense_is_a_usage_error() {
    let folder = folder();
    let world = folder.path().join("tiny.toml");
    let world = world.to_str().unwrap();
    for (arguments, words) in [
        (&["run", "ladder-seson"][..], "did you mean `ladder-season`?"),
        (
            &["run", world, "--policy", "wideninng"],
            "did you mean `widening`?",
        ),
        (&["size", world], "--keep"),
        (&["size", world, "--keep", "wait_91=60"], "wait_90"),
        (
            &["tune", world, "--vary", "queue.windows"],
            "give a key and its values",
        ),
        (&["compare", world, "--worlds", "0"], "--worlds"),
        (&["compare", world, "--shard", "1/2"], "--out"),
    ] {
        let said = complaint(&[&["simulate"], arguments].concat(), "", 2);
        assert!(said.contains(words), "{words}: {said}");
    }
    let said = complaint(&["simulate", "run", "nothing.toml"], "", 1);
    assert!(said.contains("nothing.toml"), "{said}");
    let said = complaint(&["simulate", "fit", "-"], "ticket,time\n", 1);
    assert!(said.contains("no ticket in it"), "{said}");
    let one = "ticket,time,left,match,skill\nt1,1600000000,1600000010,m1,1500\n";
    let said = complaint(&["simulate", "fit", "-"], one, 1);
    assert!(said.contains("one ticket has no rate"), "{said}");
    assert!(answer(&["simulate", "--help"], "").contains("fit"));
}

/// One world tells what each policy paid, and not how surely one pays less.
#[test]
fn one_world_says_which_costs_less_and_not_how_surely() {
    let folder = tempfile::tempdir().unwrap();
    let tiny = "hours = 1\nwarm_up_hours = 0\nname = 'tiny'\n[arrivals]\nper_second = 0.2\n";
    std::fs::write(folder.path().join("one.toml"), tiny).unwrap();
    let line = "simulate compare one.toml --policy widening --policy prices --policy skill-batch --worlds 1";
    let said = answer_in(folder.path(), line);
    let sentence = said
        .lines()
        .find(|line| line.starts_with("In one world"))
        .unwrap();
    assert!(
        sentence.starts_with("In one world of 1 h, `prices` costs ")
            && sentence.contains(" less per player than `widening`, by how much surely is not known.")
            && sentence.ends_with(" Of the 3 policies that have a cost `prices` has the least."),
        "{sentence}"
    );
}
