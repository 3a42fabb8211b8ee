//! Work without an end, asked for by small files: time in which nothing can change is passed over, and what nobody waits
//! for is begun with --yes alone. A scenario reads files below its own folder.

use std::fs;
use std::path::Path;

use crate::common::{answer_in, is_deep, json_in, matchwright};

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// The complaint of a command, which ends by itself.
fn refused(folder: &Path, line: &str) -> String {
    let run = matchwright()
        .args(line.split_whitespace())
        .current_dir(folder)
        .assert()
        .failure();
    let told = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(!told.contains("panicked") && told.len() < 1000, "{line}: {told}");
    told
}

const WORLD: &str = "policies = [\"widening\"]\nworlds = 1\nhours = 1\n";

#[test]
fn a_plan_that_nobody_waits_for_is_refused_with_its_size() {
    for (line, more, words) in [
        (
            "compare w.toml",
            "",
            "15,500,000,000,000 tickets in 4,290,000,000 worlds",
        ),
        ("compare w.toml --worlds 200000", "", "720,000,000 tickets"),
        (
            "run w.toml",
            "[people]\nplayers = 100000000\nroster = true",
            "25,000,000,000 bytes of memory",
        ),
        (
            "run w.toml",
            "[arrivals]\nper_second = 1e5",
            "360,000,000 tickets in a world",
        ),
        (
            "run w.toml",
            "[people]\nplayers = 1000\n[again]\nnext_match = [1, 1, 1]\npause_seconds = 0\n[play]\nmedian_minutes = 1e-300",
            "3,600,000,000",
        ),
        (
            "tune w.toml --vary queue.windows.0.start=1..100 --worlds 9000 --keep wait_90=9",
            "",
            "tickets",
        ),
        (
            "size w.toml --worlds 9000 --most 1024 --keep wait_90=9",
            "",
            "tickets",
        ),
    ] {
        let worlds = if line == "compare w.toml" {
            WORLD.replace("worlds = 1", "worlds = 4294967295")
        } else {
            WORLD.to_owned()
        };
        let folder = folder(&[("w.toml", &format!("{worlds}{more}\n"))]);
        let told = refused(folder.path(), &format!("simulate {line}"));
        assert!(
            told.contains(words) && told.contains("need --yes"),
            "{line} {more}: {told}"
        );
    }
}

#[test]
fn a_population_that_plays_for_ever_is_refused_with_its_size() {
    let text = "players = 2000000\ndays = 36500\n[session_gap]\nmedian = 1\nsigma = 0\n";
    let folder = folder(&[("people.toml", text)]);
    for line in [
        "study eomm --population people.toml",
        "reproduce eomm --population people.toml",
    ] {
        let told = refused(folder.path(), line);
        assert!(
            told.contains("the population of people.toml makes some") && told.contains("need --yes"),
            "{told}"
        );
    }
}

#[test]
fn rates_that_cannot_be_and_too_many_bursts_are_refused_at_their_keys() {
    let bursts = "[[arrivals.bursts]]\nat_hours = 0\nhours = 0.001\nfactor = 1e12\n";
    for (more, words) in [
        (bursts.to_owned(), "`arrivals.per_second` is 1: give a rate"),
        (bursts.repeat(1001), "`arrivals.bursts` is 1001: give a thousand"),
        (
            format!("[arrivals]\nby_hour = [{}]", "1e12, ".repeat(24)),
            "tickets",
        ),
    ] {
        let folder = folder(&[("w.toml", &format!("{WORLD}{more}\n"))]);
        if words == "tickets" {
            assert!(answer_in(folder.path(), "simulate run w.toml").contains("Tickets"));
        } else {
            let told = refused(folder.path(), "simulate run w.toml");
            assert!(told.contains(words), "{told}");
        }
    }
}

/// Nobody ever meets, so that the search that was asked for is never made.
#[test]
fn a_search_without_an_end_is_begun_where_the_user_says_so() {
    let lobbies = "[queue]\nmethod = \"lobbies\"\nexchanges = 1000000000000000\n[scoring.factors.team_skill]\n\
                   [objective]\nlost = 1000\n";
    let log = "ticket,player,time,skill\n1,a,2024-01-01,1500\n";
    let folder = folder(&[("p.toml", lobbies), ("t.csv", log)]);
    let told = refused(folder.path(), "replay t.csv --policy p.toml");
    assert!(
        told.contains("p.toml:3:1: `queue.exchanges` is 1.0e15; more than 10,000,000 need --yes"),
        "{told}"
    );
    answer_in(folder.path(), "replay t.csv --policy p.toml --yes");
    let world = format!("{WORLD}[arrivals]\nper_second = 1e-9\n").replace("widening", "p.toml");
    fs::write(folder.path().join("w.toml"), world).unwrap();
    let told = refused(folder.path(), "simulate run w.toml");
    assert!(told.contains("queue.exchanges"), "{told}");
    answer_in(folder.path(), "simulate run w.toml --yes");
}

const CENTURIES: &str = "ticket,player,time,rating,skill\n1,a,1970-01-01T00:00:00.25Z,1500,1500\n\
                         2,b,1970-01-01T00:00:01Z,2900,2900\n3,c,2200-01-01T00:00:00.5Z,1500,1500\n";

#[test]
fn centuries_in_which_nothing_can_change_are_passed_over() {
    let scores = "[scoring]\nthreshold = 0.9\n[scoring.factors.team_skill]\n";
    for (choose, more, most) in [
        ("difference", "windows = [{ of = \"rating\", start = 100 }]", 10),
        ("random", "", 12),
        ("quality", scores, 50),
    ] {
        let policy = format!(
            "[queue]\nmethod = \"batch\"\nbatch = {{ every = 1, choose = \"{choose}\" }}\n{more}\n\
             [objective]\nof = \"rating\"\nlost = 1000\n"
        );
        let folder = folder(&[("p.toml", &policy), ("t.csv", CENTURIES)]);
        let told = json_in(folder.path(), "replay t.csv --policy p.toml --explain 3");
        let steps = told["policies"][0]["steps"].as_u64().unwrap();
        assert!(steps <= most, "{choose}: {steps}");
        answer_in(
            folder.path(),
            "replay t.csv --policy p.toml --against widening --hindsight --out out",
        );
    }
    let folder = folder(&[("t.csv", CENTURIES)]);
    answer_in(folder.path(), "simulate fit t.csv --out fitted");
}

#[test]
fn a_policy_that_looks_at_every_moment_of_centuries_is_stopped() {
    let policy = "[queue]\nmethod = \"batch\"\nbatch = { every = 0.001 }\n[scoring]\nthreshold = 0.5\n\
                  [scoring.factors.wait]\nseconds = { shape = \"ramp\", best = 1e15, worst = 0 }\n\
                  [objective]\nof = \"rating\"\nlost = 1000\n";
    let folder = folder(&[("p.toml", policy), ("t.csv", CENTURIES)]);
    let told = refused(folder.path(), "replay t.csv --policy p.toml");
    assert!(told.contains("1003001 steps") && told.contains("--yes"), "{told}");
    // Another million of wakeups.
    if !is_deep() {
        return;
    }
    let world = WORLD.replace("widening", "p.toml") + "arrivals.per_second = 0.01\n";
    fs::write(folder.path().join("w.toml"), world).unwrap();
    let told = refused(folder.path(), "simulate run w.toml");
    assert!(told.contains("woke 10") && told.contains("--yes"), "{told}");
}

#[test]
fn a_scenario_reads_files_below_its_own_folder_alone() {
    let policy = "name = \"near\"\n[queue]\nwindows = [{ of = \"rating\", start = 100 }]\n";
    let world = |name: &str| WORLD.replace("widening", name);
    let folder = folder(&[
        ("p.toml", &policy.replace("near", "far")),
        ("widening", "a file of the user's"),
        ("in/near.toml", policy),
        ("in/sub/p.toml", policy),
        ("in/t.csv", CENTURIES),
        ("t.csv", CENTURIES),
    ]);
    let run = |document: &str| {
        fs::write(folder.path().join("in/w.toml"), document).unwrap();
        "simulate run in/w.toml --json"
    };
    for name in ["near.toml", "sub/p.toml", "sub/../near.toml", "./near.toml"] {
        let told = answer_in(folder.path(), run(&world(name)));
        assert!(told.contains("\"near\""), "{name}: {told}");
    }
    // Documents of the program, whatever files lie about.
    assert!(answer_in(folder.path(), run(&world("widening"))).contains("widening"));
    let absolute = fs::canonicalize(folder.path().join("p.toml")).unwrap();
    let mut names = vec![
        "../p.toml",
        "p.toml",
        "sub",
        "/dev/zero",
        absolute.to_str().unwrap(),
    ];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../p.toml", folder.path().join("in/link.toml")).unwrap();
        std::os::unix::fs::symlink("..", folder.path().join("in/up")).unwrap();
        names.extend(["link.toml", "up/p.toml"]);
        let pipe = std::process::Command::new("mkfifo")
            .arg(folder.path().join("in/pipe.toml"))
            .status();
        if pipe.is_ok_and(|made| made.success()) {
            names.push("pipe.toml");
        }
    }
    for name in names {
        let log = format!("{}[arrivals]\nlog = '{name}'\n", world("near.toml"));
        let objective = format!("objective = '{name}'\n{}", world("near.toml"));
        for (key, document) in [
            ("policies", world(name)),
            ("objective", objective),
            ("arrivals.log", log),
        ] {
            let told = refused(folder.path(), run(&document));
            assert!(
                told.contains("in/w.toml:") && told.contains(&format!("`{key}` names `{name}`: ")),
                "{key} {name}: {told}"
            );
        }
    }
    // Those of the command line are the user's own, and a log beside the scenario is read.
    run(&format!("{}[arrivals]\nlog = 't.csv'\n", world("near.toml")));
    let told = answer_in(folder.path(), "simulate run in/w.toml --policy p.toml --json");
    assert!(told.contains("\"far\""), "{told}");
}

#[test]
fn a_fitted_scenario_has_its_policies_beside_it() {
    let policy = "name = \"mine\"\n[queue]\nwindows = [{ of = \"rating\", start = 100 }]\n";
    let folder = folder(&[
        ("a/scenario.toml", policy),
        ("b/scenario.toml", &policy.replace("mine", "other")),
        ("t.csv", CENTURIES),
    ]);
    let line =
        "simulate fit t.csv --policy a/scenario.toml --policy prices --policy b/scenario.toml --out fitted";
    answer_in(folder.path(), line);
    let written = fs::read_to_string(folder.path().join("fitted/scenario.toml")).unwrap();
    let names = "policies = [\"2-scenario.toml\", \"prices\", \"3-scenario.toml\"]";
    assert!(written.contains(names), "{written}");
    let copy = fs::read_to_string(folder.path().join("fitted/2-scenario.toml")).unwrap();
    assert_eq!(copy, policy);
    let manifest = fs::read_to_string(folder.path().join("fitted/manifest.json")).unwrap();
    assert!(manifest.contains("a/scenario.toml") && manifest.contains("b/scenario.toml"));
}
